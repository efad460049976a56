"""What one might write first for a word that one does not know: `check` answers with the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import ROOT
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic

GAME = """\
ruledsl: 1
game: tries
players: 2
types:
  good: [clay, wood, gold]
  basic: {some: good, where: this <= wood}
board: {grid: {width: 4, height: 4, skip: b}, space: cell}
pieces:
  stone: {per: player, count: 4}
  card: {each: {good: good}, start: deck, show: good}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
pools:
  goods: {of: good, total: 30, at: {player: goods}}
values:
  score: {per: player, is: 0..99}
  told: bool
actions:
  trade: {give: {clay: 1}, get: {wood: 1}}
  build: {cost: {is: {clay: 1, any basic: 1}, after: exchanges}, do: [{add: {me.score: 1}}]}
effects:
  press:
    - choose one: [{label: a, do: []}]
define:
  near(cell c): {is: "distance(c, a1, step=empty(to)) otherwise 0"}
  free: count(c in cell where c.edge)
  chain: joined([a1], [c2], step=empty(to))
  region: reachable(a1, within=2, step=not empty(to))
  worth: {let: {n: me.score}, is: n * 2}
setup:
  - shuffle: deck
  - deal: 1
    from: deck
    to: hand
play:
  - turns: players
    do:
      - choose:
          c: cell where empty(c)
        label: place at {c}
        notation: "{c}"
        else: never
      - move: stone
        to: c
      - choose one: build
        any_number: true
      - set: {told: "possible(press(), me.score > 0) and payable(amount(good.clay, 1), after=exchanges) and worth > 0"}
      - for: {p: reversed(list(players))}
        do: []
      - hide: me.hand
      - pay: amount(good.wood, 2)
        less: 1
        least: 0
        from: [me.goods]
      - set:
          me.score: missing(amount(good.gold, 1))
      - end: game
scoring: {rows: {score: me.score}, ranks: {0: low, 5: high}}
show: {player: [score]}
heuristic: me.score
"""

# The word, how it stands in the game, what `check` answers, and three ways or more to write it instead.
TRIES: list[tuple[str, str, tuple[str, ...]]] = [
    (
        "possible(press(), me.score > 0)",
        "`possible",
        ("could(press(), me.score > 0)", "possible(press, me.score > 0)", "can(press(), me.score > 0)"),
    ),
    ("payable(amount(", "did you mean `payable`?", ("affordable(amount(", "can_pay(amount(", "can_afford(amount(")),
    ("after=exchanges", "exchanges", ("with=exchanges", "after=exchange", "using=exchanges")),
    ("any basic: 1", "`any basic`", ("basic: 1", "any_basic: 1", "any_of_basic: 1")),
    ("{give: {clay: 1}", "did you mean `give`?", ("{pay: {clay: 1}", "{gave: {clay: 1}", "{gives: {clay: 1}")),
    ("get: {wood: 1}", "did you mean `get`?", ("gain: {wood: 1}", "take: {wood: 1}", "receive: {wood: 1}")),
    (
        "get: {wood: 1}",
        "write `after: exchanges` beside `pay:`",
        tuple(f"get: {{wood: 1}}, {key}: build" for key in ("towards", "toward", "helps")),
    ),
    ("{cost: {is:", "did you mean `cost`?", ("{price: {is:", "{costs: {is:", "{Cost: {is:")),
    ("after: exchanges", "did you mean `after`?", ("with: exchanges", "exchange: exchanges", "using: exchanges")),
    ("{let: {n:", "did you mean `let`?", ("{where: {n:", "{with: {n:", "{steps: {n:")),
    ("any_number: true", "did you mean `any_number`?", ("again: true", "several: true", "any number: true")),
    ("else: never", "did you mean", ("else: impossible", "else: error", "otherwise: never")),
    ("notation:", "did you mean `notation`?", ("short:", "typed:", "alias:")),
    (
        "reversed(list(players))",
        "did you mean `reversed`?",
        ("reverse(list(players))", "backwards(list(players))", "reversed_list(list(players))"),
    ),
    ("hide: me.hand", "did you mean `hide`?", ("conceal: me.hand", "flip: me.hand", "turn_down: me.hand")),
    ("ranks: {0:", "did you mean `ranks`?", ("titles: {0:", "levels: {0:", "ranking: {0:")),
    ("show: {player:", "did you mean `show`?", ("display: {player:", "shows: {player:", "visible: {player:")),
    ("empty(c)", "did you mean `edges_match`?", ("edges_fit(c, c)", "match_edges(c, c)", "matches(c, c)")),
    ("empty(c)", "did you mean `parts_meet`?", ("parts_touch(c, c)", "meets(c, c)", "joins(c, c)")),
    ("less: 1", "did you mean `less`?", ("discount: 1", "reduced: 1", "cheaper: 1")),
    ("least: 0", "did you mean `least`?", ("minimum: 0", "at_least: 0", "floor: 0")),
    ("from: [me.goods]", "did you mean `from`?", ("sources: [me.goods]", "out_of: [me.goods]", "payers: [me.goods]")),
    ("missing(amount", "did you mean `missing`?", ("lacking(amount", "needed(amount", "shortage(amount")),
    ("joined(", "did you mean `joined`", ("connected(", "is_connected(", "linked(")),
    (
        "step=empty(to)) otherwise",
        "or `step=",
        ("where empty(to)) otherwise", "where not empty(to)) otherwise", "unless empty(to)) otherwise"),
    ),
    (
        "count(c in cell where",
        "write `x in cell where",
        ("count(cell, where", "count(cell, unless", "count(cell, when"),
    ),
    ("distance(", "did you mean `distance`?", ("dist(", "path_length(", "how_far(")),
    ("reachable(", "did you mean `reachable`", ("reach(", "connected_to(", "flood(")),
    ("skip: b", "did you mean `skip`?", ("omit: b", "leave_out: b", "skip_letters: b", "letters: b")),
    ("within=2", "did you mean `within=`?", ("steps=2", "max=2", "distance=2")),
    ("heuristic: me", "did you mean `heuristic`?", ("evaluation: me", "evaluate: me", "heuristics: me")),
]
# The same for words of two games of the cookbook.
MORE: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "hedge-maze": [
        (
            "{edges_of: garden",
            "did you mean `edges_of`?",
            ("{between: garden", "{borders_of: garden", "{borders: garden", "{sides_of: garden"),
        ),
        ("{edges_of: garden", "write `edges_of: garden`", ("{edges: garden",)),
        ("edges_of(b)", "did you mean `edges_of`?", ("borders_of(b)", "edges(b)", "sides_of(b)", "walls_of(b)")),
        ("edge(", "did you mean `edge`?", ("border(", "wall(", "side(")),
        ("step=not edge", "did you mean `step=`?", ("through=not edge", "when=not edge", "where=not edge")),
    ],
    "market-lots": [
        (
            "if c.lot.realm",
            "`c.lot` is the `lot` that it lies in",
            ("if c.place.realm", "if c.at.realm", "if lot(c).realm", "if place_of(c).realm"),
        ),
        ("if: s.lot.stall", "`s.lot.stall` is the first stall in it", ("if: s.lot.card", "if: s.lot.piece")),
    ],
}
GOODS = ("{each: {good: good}", "did you mean `each`?", ("{for_each: {", "{every: {", "{all: {", "{one_of_each: {"))
CASES = [(right, wrong, said) for right, said, tries in TRIES for wrong in tries]
CASES += [(GOODS[0], wrong + "good: good}", GOODS[1]) for wrong in GOODS[2]]


def test_the_game_itself_has_no_errors(tmp_path: Path) -> None:
    assert [found.message for found in _errors(GAME, tmp_path)] == []
    assert all(GAME.count(right) == 1 for right, _, _ in CASES)


@pytest.mark.parametrize(("right", "wrong", "said"), CASES, ids=[wrong for _, wrong, _ in CASES])
def test_what_one_might_write_first_is_answered(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    found = _errors(GAME.replace(right, wrong), tmp_path)
    assert any(said in f"{one.message}; {one.help}" for one in found), found


@pytest.mark.parametrize(
    ("game", "right", "wrong", "said"),
    [(game, right, wrong, said) for game, rows in MORE.items() for right, said, tries in rows for wrong in tries],
)
def test_the_same_in_games_of_the_cookbook(game: str, right: str, wrong: str, said: str, tmp_path: Path) -> None:
    page = (ROOT / "docs/cookbook.md").read_text(encoding="utf-8")
    text = page.partition(f"```yaml game={game}.yaml\n")[2].partition("```")[0]
    assert right in text
    found = _errors(text.replace(right, wrong, 1), tmp_path)
    assert any(said in f"{one.message}; {one.help}" for one in found), found


def test_words_of_two_parts_of_one_type_are_compared(tmp_path: Path) -> None:
    parts = "  basic: {some: good, where: this <= wood}\n"
    text = GAME.replace(parts, f"{parts}  fine: {{some: good, where: this >= wood}}\n")
    text = text.replace("  told: bool", "  told: bool\n  raw: {is: basic}\n  best: {is: fine}")
    text = text.replace('told: "possible(', 'raw: clay, best: gold, told: "raw == best and possible(')
    assert "raw == best" in text
    assert [found.message for found in _errors(text, tmp_path)] == []


def _errors(text: str, folder: Path) -> list[Diagnostic]:
    path = folder / "tries.yaml"
    path.write_text(text, encoding="utf-8")
    return [found for found in pipeline.check(path).findings if found.severity == "error"]
