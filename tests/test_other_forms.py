"""The form in which one statement speaks of a set, written in another: `check` answers with the one that fits.

`choose: {p: plot where …}`, `count(p in plot where …)`, `all(… for p in plot)`, `set(…)`, `for: {p: plot where …}` say
nearly the same; whoever has learnt one of them tries it everywhere.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline

GAME = """\
ruledsl: 1
game: garden
players: 2..4
types:
  good: [clay, wood, gold]
board: {grid: {width: 4, height: 4}, space: plot, state: {dug: bool}}
pieces:
  plant: {per: player, count: 6}
  card: {each: {good: good, value: 1..3}, start: deck}
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  pile: {holds: card}
pools:
  goods: {of: good, total: 30, at: {player: store}}
values:
  score: {per: player, is: 0..99}
  out: {per: player, is: bool}
  best: maybe player
define:
  free: set(p in plot where empty(p))
effects:
  tick(plot q):
    - set: {q.dug: true}
setup:
  - shuffle: deck
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    skip: me.out
    until: turn_number > 9
    do:
"""
END = "\nscoring: {rows: {score: me.score}}\n"

# What is chosen or looped over: the name is the key.
CHOSEN = {
    "choose: {at: p in plot where empty(p)}": "write `at: plot where empty(at)`",
    "choose: {p: p in plot where empty(p)}": "write `p: plot where empty(p)`",
    "choose: {p: all p in plot where empty(p)}": "write `p: plot where empty(p)`",
    "choose: {p: each plot where empty(p)}": "write `plot where empty(p)`",
    "choose: {p: any plot where empty(p)}": "write `plot` to choose among them",
    "choose: {p: empty(plot)}": "in `choose:` it is `p: plot where empty(p)`",
    "choose: {p: plot where empty(this)}": "did you mean `p`?",
    "choose: {p: plot if empty(p)}": "did you mean `where`?",
    "choose: p in plot where empty(p)": "write `choose: {p: plot where empty(p)}`",
    "random: {x: c in card where c.value > 1}": "write `x: card where x.value > 1`",
    "for: {q: p in players where p.out}\n  do: []": "write `q: players where q.out`",
    "for: {me: p in players where p.out}\n  do: []": "write `me: players where me.out`",
    "for: p in players where p.out\n  do: []": "write `for: {p: players where p.out}`",
    "for: p\n  in: players\n  do: []": "`for: {p: players}`",
    "together: {p: players}\n  do: []": "write `together: players`",
    "choose: {c: up to 3 of me.hand}": "write `0..3 of me.hand`",
    "choose: {c: at most 2 of me.hand where c.value > 1}": "write `0..2 of me.hand where c.value > 1`",
    "choose: {c: at least 1 of me.hand}": "`some of me.hand`",
    "choose: {c: at least 2 cards of me.hand}": "write `2..count(me.hand) of me.hand`",
    "choose: {c: exactly 2 of me.hand}": "write `2 of me.hand`",
    "choose: {c: 2 cards from me.hand}": "write `2 of me.hand`",
    "choose: {c: 2 in me.hand}": "write `c: 2 of me.hand`",
    "choose: {c: 1 to 2 of me.hand}": "write `1..2 of me.hand`",
    "choose: {n: between 1 and 3}": "write `1..3`",
    "choose: {g: good in me.hand}": "write `g: good where any(x in me.hand where x.good == g)`",
    "for: {p: players in players where p.out}\n  do: []": "write `p: players where p.out`",
    "choose: {p: plant in free}": "write `p: plant where p.plot in free`",
    "for: {p: me.reserve.plant}\n  do: []": "write `reserve(plant)`",
}
# A condition.
ASKED = {
    "p in players where p.out": "write `any(p in players where p.out)`",
    "any p in players where p.out": "write `any(p in players where p.out)`",
    "any plot where empty(plot)": "write `any(p in plot where empty(p))`",
    "for all p in players, p.out": "write `all(p.out for p in players)`",
    "p.out for any p in players": "write `any(p in players where p.out)`",
    "there is a plot where empty(plot)": "write `any(p in plot where empty(p))`",
    "there is no plot where empty(plot)": "write `no(p in plot where empty(p))`",
    "at least 2 players where p.out": "write `count(p in players where p.out) >= 2`",
    "fewer than 3 p in players where p.out": "write `count(p in players where p.out) < 3`",
    "all players are out": "write `all(p.out for p in players)`",
    "no player is out": "write `no(p in players where p.out)`",
    "all plots empty": "write `all(empty(p) for p in plot)`",
    "any card in me.hand with c.value > 1": "write `any(c in me.hand where c.value > 1)`",
    "no cards in me.hand": "write `no(me.hand)`",
    "gold in me.hand": "write `any(c in me.hand where c.good == gold)`",
    "any(p.out in players)": "write `any(p in players where p.out)`",
    "any(empty(p) where p in plot)": "write `any(empty(p) for p in plot)`",
    "any(players.out)": "`any(x.out for x in players)`",
    "all(p in players where p.out)": "write `all(p.out for p in players)`",
    "all(p in plot, empty(p))": "write `all(empty(p) for p in plot)`",
    "payable({clay: 2})": "write `[2 clay]`",
    "me.store >= {clay: 2, wood: 1}": "write `[2 clay, 1 wood]`",
    "payable(2 clay)": "write `[2 clay]`",
    "me == ranking.last": "write `last(ranking)`",
    "all(empty(plot))": "write `all(empty(p) for p in plot)`",
}
# A number.
COUNTED = {
    "p in players where p.out": "write `count(p in players where p.out)`",
    "number of players where p.out": "write `count(p in players where p.out)`",
    "the number of cards in me.hand": "write `count(me.hand)`",
    "count(plot where empty(plot))": "write `count(p in plot where empty(p))`",
    "count(empty(plot))": "`count(p in plot where empty(p))`",
    "sum of c.value for c in me.hand": "write `sum(c.value for c in me.hand)`",
    "sum of value of me.hand": "write `sum(h.value for h in me.hand)`",
    "missing({clay: 2})": "write `[2 clay]`",
    "sum(value in me.hand)": "write `sum(h.value for h in me.hand)`",
    "sum(c in me.hand, c.value)": "write `sum(c.value for c in me.hand)`",
    "sum(c.value, c in me.hand)": "write `sum(c.value for c in me.hand)`",
    "sum(c in me.hand by c.value)": "write `sum(c.value for c in me.hand)`",
}
# Some of a set, or one of them.
MEANT = {
    "win: p in players where p.score > 3": "write `set(p in players where p.score > 3)`",
    "win: p where p.score > 3": "write `set(p in players where p.score > 3)`",
    "win: player with the most score": "write `most(p in players by p.score)`",
    "win: most(players by score)": "write `most(p in players by p.score)`",
    "win: most(p.score for p in players)": "write `most(p in players by p.score)`",
    "set: {best: p in players where p.score > 3}": "write `first(p in players where p.score > 3)`",
    "set: {best: the player with the highest score}": "write `first(most(p in players by p.score))`",
    "next_turn: p in players where p.score > 3": "write `the(first(p in players where p.score > 3))`",
    "remove: plant where plant.plot": "write `set(p in plant where p.plot)`",
    "remove: me.hand if c.value > 1": "write `set(c in me.hand where c.value > 1)`",
    "remove: all plants on a1": "write `set(p in plant where p.plot == a1)`",
    "move: top card of deck\n  to: me.hand": "write `top(deck)`",
    "move: all cards in me.hand\n  to: pile": "write `me.hand`",
    "move: all hand cards\n  to: pile": "write `hand`",
    "move: 2 of me.hand\n  to: pile": "write `take(me.hand, 2)`",
    "deal: 1\n  from: deck\n  to: players.hand": "did you mean `hand`?",
    "reset: p in plant where p.plot": "`reset:` takes names",
    "tick(p in plot where empty(p))": "`for: {p: plot where empty(p)}`, and below it `do: tick(p)`",
    "tick(free)": "`for: {x: free}`, and below it `do: tick(x)`",
    "set: {me.out: true for p in players}": "for all of them: `for: {p: players}`",
    "add: {players.score: 1}": "for all of them: `for: {x: players}`",
    "pay: {clay: 1 for each p in players}": "for all of them: `for: {p: players}`",
    "lose: me because no clay is left": "write `because: no clay is left` on the next line",
    "for: {p: players in reverse}\n  do: []": "write `p: reversed(players)`",
    "turn_over: first(me.hand)": "write `reveal: first(me.hand)`",
    "end: turn if me.out": "write `if: me.out`, and below it `then: {end: turn}`",
    "end: turn\n  when: me.out": "write `if:`",
}
# Words for what is tried, paid, bounded, and for players who are something.
NEWER = {
    "if: possible(tick)\n  then: []": "`possible(tick(…), condition)`",
    "if: would(tick(a1))\n  then: []": "`would(tick(a1), condition)`",
    "pay: {clay or wood: 1}": 'this in [clay, wood]"}`; then write `any these: …`',
    "pay: {clay/wood: 1}": "then write `any these: …`",
    "pay: {clay and wood: 1}": "`{clay: 1, wood: 1}`",
    "choose one:\n    - {label: dig, do: {set: {a1.dug: true}}}\n  at_most: any": "without `at_most:`",
    "choose one:\n    - {label: dig, do: {set: {a1.dug: true}}}\n  at_most: unlimited": "without `at_most:`",
    "set: {best: leader}": "`first(p in players by -p.score)`",
    "set: {best: winner}": "`most(p in players by p.score)`",
    "set:\n    best: players[1]": "`first(players)` is the first of them",
    "set: {best: player 1}": "write `player_1`",
    "set: {best: players.first}": "write `first(players)`",
    "for: {p: others}\n  do: {add: {p.score: 1}}": "write `players except me`",
    "reveal: me.hand\n  to: everyone": "write `players`",
}
TRIES = CHOSEN | MEANT | NEWER
TRIES |= {f"if: {text}\n  then: []": said for text, said in ASKED.items()}
TRIES |= {f'add: {{me.score: "{text}"}}': said for text, said in COUNTED.items()}


@pytest.mark.parametrize(("written", "said"), TRIES.items(), ids=[one.partition("\n")[0] for one in TRIES])
def test_the_form_of_another_statement_is_answered(written: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "garden.yaml"
    lines = "- " + written.replace("\n", "\n  ").replace("\n    ", "\n  ")
    path.write_text(GAME + "\n".join(f"      {line}" for line in lines.split("\n")) + END, encoding="utf-8")
    found = [one for one in pipeline.check(path).findings if one.severity == "error"]
    assert any(said in f"{one.message}; {one.help}" for one in found), found
