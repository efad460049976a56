"""Ways in which the newer words might be tried first: kinds asked, `per:`, prices, titles, rounds. Each is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_other_forms import END, GAME

from ruledsl.compiler.pipeline import check

TAKEN = "      - choose: {c: me.hand}\n        else: []\n      - move: c\n        to: pile\n"
PLANT = "plant: {per: player, count: 6}"


def chosen(domain: str) -> str:
    return GAME + f'      - choose: {{x: "{domain}"}}\n        else: []\n      - move: x\n        to: box\n' + END


def kind(text: str) -> str:
    return GAME.replace(PLANT, f"plant: {text}") + TAKEN + END


def formula(text: str) -> str:
    return GAME.replace("  free: set", f"  {text}\n  free: set") + TAKEN + END


def statement(text: str) -> str:
    return GAME + "".join(f"      {line}\n" for line in text.split("\n")) + END


def turns(text: str) -> str:
    return GAME.replace("    until: turn_number > 9", f"    {text}") + TAKEN + END


def scoring(text: str) -> str:
    return GAME + TAKEN + f"\nscoring: {{rows: {{score: me.score}}, {text}}}\n"


TRIES = {
    chosen("pile where x.kind == card"): "`x in ",
    chosen("pile where x.type == card"): "`x in ",
    chosen("pile where type(x) == card"): "`x in ",
    chosen("pile where is_a(x, card)"): "`x in card`",
    chosen("pile where isinstance(x, card)"): "`x in card`",
    chosen("pile where (x as card).value > 1"): "`x in card and x.…`",
    formula("good_one(card or plant x): x in card"): "`piece x`",
    formula("good_one(card or plant x, 0..9 n): x in card and n > 1"): "`x in card`",
    kind("{per: [player, 1..3]}"): "`each: {number: 1..9}`",
    kind("{per: [player, god]}"): "`good`",
    kind("{each: player, count: 6}"): "`per: player`",
    kind("{per: each player}"): "write `player`",
    statement("- choose: {c: me.hand}\n  cost: {clay: 1}\n  else: []"): "`- pay: …`",
    statement("- choose: {c: me.hand}\n  price: {clay: 1}\n  else: []"): "payable(…)",
    statement("- pay: {clay: 3}\n  discount: 1"): "`less`",
    statement("- if: can_afford(amount(clay, 1))\n  then: []"): "payable",
    scoring("titles: {0: Novice, 10: Master}"): "`ranks`",
    scoring("ranks: {Novice: 0, Master: 10}"): "write `0: Novice`",
    scoring("ranks: [Novice, Master]"): "`{0: Novice, 20: Master}`",
    turns("times: 9"): "`- rounds: 9`",
    turns("rounds: 9"): "`- rounds: 9`",
    turns("repeat: 9"): "`until: turn_number >= 9`",
    statement("- choose: {cs: at least 1 of me.hand}\n  else: []"): "`some of me.hand`",
    statement("- choose: {cs: 2 me.hand}\n  else: []"): "`2 of me.hand`",
    statement("- lose: players\n  reason: out of clay"): "`because`",
    statement("- win: most(players by p.score)"): "`most(p in players by p.score)`",
    statement("- win: players where any(me.hand)"): "`set(p in players where any(p.hand))`",
    statement("- if: any(p in players where empty(hand))\n  then: []"): "`empty(p.hand)`",
    statement("- if: empty(hand)\n  then: []"): "`empty(me.hand)`",
    statement("- say: {me}"): 'write `"{me}"`',
    statement("- choose: {c: me.hand}\n  label: {c}\n  else: []"): 'write `"{c}"`',
    GAME.replace("score: {", "dice: {is: bag of die}\n  score: {").replace("types:", "types:\n  die: 1..6")
    + TAKEN
    + END: ("name them: `die: [one, two, three]`"),
    GAME.replace("ruledsl: 1\n", "") + TAKEN + END: "write `ruledsl: 1` in the first line",
    statement("- choose: {c: me.hand}\n  label: play {c}\n  alias: p\n  else: []"): "`notation`",
}


@pytest.mark.parametrize("text", TRIES, ids=[f"{at} {said}" for at, said in enumerate(TRIES.values())])
def test_it_is_answered_with_what_to_write(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(text)
    errors = [one for one in check(path).findings if one.severity == "error"]
    assert any(TRIES[text] in f"{one.message} {one.help} {one.suggestions}" for one in errors), errors
