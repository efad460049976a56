"""What belongs to a thing, nested as one would try it first: told once, with what to write, and read as it was meant.

Newcomers write a list where the language wants a map, bare words for rows, a size where a shape belongs, what every
player has below `player:`. Each of these is one finding; nothing else may follow from it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.testing.looking import Tests

SECTIONS = {
    "players": "[a, b]",
    "types": "\n  suit: [red, blue]",
    "values": "\n  n: {is: 0..9, per: player}\n  trump: suit",
    "boards": "\n  grid: {grid: {width: 3, height: 3}}",
    "pieces": "\n  card: {rows: [{name: ace}, {name: king}, {name: jack}]}",
    "places": "\n  deck: {holds: card, order: pile, seen: none, start: card}\n  hand: {per: player, holds: card}",
    "effects": "\n  bump:\n    - add: {me.n: 1}",
    "actions": "\n  grab:\n    do: [{draw: 1, from: deck, to: me.hand}, bump()]",
    "setup": "\n  - shuffle: deck\n  - random: {s: suit}\n  - set: {trump: s}\n",
    "play": "\n  - turns: players\n    do: [{choose one: [grab]}]\n    until: no(deck) or trump == red and me.n > 3\n",
    "scoring": "\n  rows:\n    points: me.n",
}

# The section, what stands in it instead, and the advice.
TRIES = [
    ("players", "2 to 4", "write `2..4`"),
    ("players", "\n  - name: a\n  - name: b", "write `[a, b]`"),
    ("players", "{a: {}, b: {}}", "write `[a, b]`"),
    ("players", "{count: 2}", "write `2`"),
    ("types", "\n  suit: [{name: red}, {name: blue}]", "write `[red, blue]`"),
    ("types", "\n  - suit: [red, blue]", "leave out the `-`: write `suit: [red, blue]`"),
    (
        "values",
        "\n  n: {min: 0, max: 9, per: player}\n  trump: suit",
        "the bounds belong to the type: write `is: 0..9`",
    ),
    (
        "values",
        "\n  - n: {is: 0..9, per: player}\n  - trump: suit",
        "leave out the `-`: write `n: {is: 0..9, per: player}`",
    ),
    (
        "values",
        "\n  player: {n: 0..9}\n  trump: suit",
        "declare it with `per: player`: write `n: {per: player, is: 0..9}`",
    ),
    (
        "values",
        "\n  player.n: {is: 0..9}\n  trump: suit",
        "declare it with `per: player`: write `n: {per: player, is: 0..9}`",
    ),
    (
        "values",
        "\n  n: number\n  trump: suit",
        "a number is written with its bounds, as in `0..100`",
    ),
    ("boards", "\n  grid: 3x3", "write `{grid: {width: 3, height: 3}}`"),
    ("boards", "\n  grid: [3, 3]", "write `{grid: {width: 3, height: 3}}`"),
    (
        "boards",
        "\n  grid: {width: 3, height: 3}",
        "its shape says how large it is: write `grid: {width: 3, height: 3}`",
    ),
    ("boards", "\n  grid: {size: 3x3}", "its shape says how large it is: write `grid: {width: 3, height: 3}`"),
    (
        "boards",
        "\n  grid: {type: square, size: [3, 3]}",
        "its shape says how large it is: write `grid: {width: 3, height: 3}`",
    ),
    (
        "boards",
        "\n  grid: {rows: 3, columns: 3, space: cell}",
        "its shape says how large it is: write `grid: {width: 3, height: 3}`",
    ),
    (
        "boards",
        "\n  grid: {grid: {width: 3, height: 3}, land: suit}",
        "if they all have it, declare it under `attributes:`, as in `attributes: {land: …}`",
    ),
    ("pieces", "\n  - card: {count: 3}", "leave out the `-`: write `card: {count: 3}`"),
    ("pieces", "\n  - name: card\n    count: 3", "begin with its name, without `-`: `card:`, and the rest below it"),
    ("pieces", "\n  card: [ace, king]", "write `{rows: [{name: ace}, …]}`"),
    ("pieces", "\n  card: [{name: ace}]", "write `{rows: [{name: ace}]}`"),
    ("pieces", "\n  card: {rows: {ace: {}, king: {}}}", "write a list: `- {name: ace}`"),
    ("pieces", "\n  card: {rows: [ace, king]}", "write `{name: ace}`"),
    (
        "pieces",
        "\n  card: {from: [{name: ace}, {name: king}]}",
        "rows that stand here go under `rows:`; `from:` takes the names of tables",
    ),
    ("pieces", "\n  card: {cards: [{name: ace}]}", "did you mean `rows`?"),
    ("pieces", "\n  card: {rows: [{name: ace, count: 2}]}", "how many of a row there are is `copies: 2`"),
    ("pieces", "\n  card: {rows: [{name: ace, amount: 2}]}", "how many of a row there are is `copies: 2`"),
    ("pieces", "\n  card: {rows: [{ace: 2}, {king: 3}]}", "begin with the name: `{name: ace, copies: 2}`"),
    ("pieces", "\n  card: {rows: [{ace: }, {king: }]}", "begin with the name: `{name: ace}`"),
    (
        "pieces",
        "\n  card: {count: 3, color: red}",
        "if they all have it, declare it under `attributes:`, as in `attributes: {color: …}`",
    ),
    (
        "places",
        "\n  - deck\n  - hand",
        "each has a line of its own without `-`, and behind its name what it is: `deck: …`",
    ),
    ("places", "\n  deck: [card]\n  hand: {per: player, holds: card}", "write `{holds: [card]}`"),
    (
        "places",
        "\n  player.hand: {holds: card}\n  deck: {holds: card, order: pile}",
        "declare it with `per: player`: write `hand: {per: player, holds: card}`",
    ),
    (
        "places",
        "\n  player: {hand: {holds: card}}\n  deck: {holds: card, order: pile}",
        "declare it with `per: player`: write `hand: {per: player, holds: card}`",
    ),
    ("places", "\n  deck: {type: pile, holds: card}\n  hand: {per: player, holds: card}", "did you mean `order`?"),
    (
        "places",
        "\n  deck: {holds: card, order: pile, hidden: true}\n  hand: {per: player, holds: card}",
        "`seen:` says who sees it: `all`, `none` or `owner`",
    ),
    (
        "places",
        "\n  deck: {holds: card, order: pile, shuffled: true}\n  hand: {per: player, holds: card}",
        "write `order: pile`, and in `setup:` the statement `shuffle: …` with its name",
    ),
    ("effects", "\n  - bump: [{add: {me.n: 1}}]", "leave out the `-`: write `bump: [{add: {me.n: 1}}]`"),
    ("effects", "\n  bump: {do: [{add: {me.n: 1}}]}", "write its statements right here, without `do:`"),
    ("actions", "\n  - grab:\n      do: [bump()]", "leave out the `-`: write `grab:`"),
    (
        "actions",
        "\n  - name: grab\n    do: [bump()]",
        "begin with its name, without `-`: `grab:`, and the rest below it",
    ),
    ("actions", "\n  grab: [bump()]", "write `{do: [bump()]}`"),
    ("actions", "\n  grab: bump()", "write `{do: bump()}`"),
    (
        "setup",
        SECTIONS["setup"] + "  - deal: {count: 1, from: deck, to: hand}",
        "write `deal: 1`, and `from:` and `to:` in the same column as `deal:`",
    ),
    (
        "setup",
        SECTIONS["setup"] + "  - draw: {cards: 1, from: deck, to: a.hand}",
        "write `draw: 1`, and `from:` and `to:` in the same column as `draw:`",
    ),
    (
        "play",
        "\n  turns:\n    do: [{choose one: [grab]}]\n    until: no(deck) or trump == red and me.n > 3",
        "write `turns: players`, and `do:` and `until:` in the same column as `turns:`",
    ),
    (
        "play",
        "\n  - turns:\n      - choose one: [grab]\n      - if: trump == red\n        then: bump()\n",
        "write `turns: players`, and these statements below `do:`, in the column of `turns:`",
    ),
    ("scoring", "\n  points: me.n", "write `rows:`, and indent this below it"),
]


# A statement of a turn, and the advice.
STATEMENTS = {
    "draw: {n: 1, from: deck, to: me.hand}": "write `draw: 1`, and `from:` and `to:` in the same column as `draw:`",
    "if: any(deck) then bump()": "write `if: any(deck)`, and below it `then: bump()`",
    "win: me if me.n > 3": "write `if: me.n > 3`, and below it `then: {win: me}`",
    "shuffle: deck unless me.n > 3": "write `if: not (me.n > 3)`, and below it `then: {shuffle: deck}`",
    "draw: 1 when any(deck)\n        from: deck\n        to: me.hand": (
        "write `if: any(deck)`, and below it `then: {draw: 1, from: deck, to: me.hand}`"
    ),
    "add: 1\n        to: me.n": "write `add: {me.n: 1}`",
    "add: me.n\n        by: 2": "write `add: {me.n: 2}`",
    "subtract: 2\n        from: me.n": "write `subtract: {me.n: 2}`",
    "set: me.n\n        to: 3": "write `set: {me.n: 3}`",
    "random: d\n        from: 1..6": "write `random: {d: 1..6}`",
    "for: p\n        in: players\n        do: {add: {p.n: 1}}": "write `for: {p: players}`",
    "for: each player\n        do: bump()": "write `for: {p: players}`",
    "swap: me.hand and a.hand": "write `swap: me.hand`, and below it `with: a.hand`",
    "repeat: until me.n > 3\n        do: bump()": "to go on until something holds, write `while: not (me.n > 3)`",
    "3 times: bump()": "write `repeat: 3`, and below it `do:`",
    "each player: bump()": "write `for: {me: players}`, and below it `do:`",
    "choose one: {grab: {}, rest: {}}": "write a list: `choose one: [grab, rest]`",
    "choose: [grab]": "several things to choose from go under `choose one:`, as in `choose one: [grab]`",
    "choose: grab": "write `choose: {x: grab}`; an action is offered by `choose one: [grab]`",
    "discard: card": "`move: c` with `to:` puts `c` on a pile; `remove: c` takes it out of the game",
    "score: 3": "points are a value that is changed, as in `add: {me.score: 3}`",
    "game over": "write `end: game`",
    "next player": "write `end: turn`",
    "end: the game": "write `end: game`",
}
LOOPS = {
    "\n  - turns: [a, b]\n    do: [{choose one: [grab]}]\n    until: trump == red and me.n > 3": (
        "write `turns: players`, or `turns: players from p`, where `p` begins"
    ),
    "\n  - turns: players\n    do: [{choose one: [grab]}]\n    stop_when: trump == red": "did you mean `until`?",
    "\n  - loop: players\n    do: [{choose one: [grab]}]": "write `turns: players`",
}


# What stands in a test, and the advice.
TESTS = {
    "given: {a.n: 2}\n    expect: [a.n == 2]": "write `values: {a.n: 2}`",
    "start: {a.n: 2}\n    expect: [a.n == 2]": "did you mean `given`? | write `values: {a.n: 2}`",
    "given:\n      - a.n: 2\n    expect: [a.n == 2]": "leave out the `-`: write `a.n: 2` | write `values: {a.n: 2}`",
    "given: {a.hand: [ace]}\n    expect: [count(a.hand) == 1]": "write `places: {a.hand: [ace]}`",
    "do: [grab]\n    expect: [a.n == 1]": "did you mean `moves`?",
    "steps: [grab]\n    expect: [a.n == 1]": "it is a number; what players decide stands under `moves:`",
    "moves: [grab]\n    check: [a.n == 1]": "did you mean `expect`?",
    "chance: {deck: [ace, king]}\n    expect: [a.n == 0]": (
        "write what comes, in this order: `[3, red]`; a shuffle takes a list: `[[c1, c2, ...]]`"
    ),
    "play: 100\n    always: a.n < 9": "write how many, as in `play: {games: 100}`",
    "moves: [grab]\n    then: [a.n == 1]": "write `{expect: a.n == 1}`",
    "expect: [{that: a.n == 0}]": "a condition stands alone, as in `- score[anna] == 3`",
    "expect: [{a.n: 0}]": "write `a.n == 0`",
    "expect: [{deck: 3}]": "what lies in a place is a condition, as in `count(deck) == 3`",
    "expect: [{a1: card}]": "what lies on a space is a condition, as in `a1.card`",
    "expect: [{player: a}]": "whose turn it is, is a condition: `to_move == anna`",
    "expect: [{over: false}]": "it is a condition itself: write `- over`, or `- not over` while the play goes on",
    "expect: [{ends: no}]": "did you mean `false`?",
    "expect: [{hidden: {a.hand: b}}]": "who sees what is `sees:`, as in `sees: {boris: {anna.hand: hidden}}`",
    "moves: [grab]\n    expect: [{not legal: grab}]": "did you mean `refused`?",
}


def game(section: str, text: str) -> str:
    written = SECTIONS | {section: text}
    return (
        "ruledsl: 1\ngame: shapes\n" + "\n".join(f"{name}: {part.strip(' ')}" for name, part in written.items()) + "\n"
    )


def findings(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return [(found.severity, found.help or "") for found in pipeline.check(path, beside=Tests).findings]


def test_the_game_itself_is_sound(tmp_path: Path) -> None:
    assert findings(tmp_path, game("players", SECTIONS["players"])) == []


def told_of(tmp_path: Path, text: str) -> list[str]:
    return [help for severity, help in findings(tmp_path, text) if severity == "error"]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: one.replace("\n        ", " / "))
def test_a_statement_is_told_once(statement: str, tmp_path: Path) -> None:
    turn = f"\n  - turns: players\n    do:\n      - choose one: [grab]\n      - {statement}\n    until: trump == red\n"
    assert told_of(tmp_path, game("play", turn)) == [STATEMENTS[statement]]


@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.replace("\n    ", " / "))
def test_a_test_is_told_once(test: str, tmp_path: Path) -> None:
    text = game("players", SECTIONS["players"]) + f"tests:\n  - test: it works\n    {test}\n"
    assert " | ".join(told_of(tmp_path, text)) == TESTS[test]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda one: one.strip().splitlines()[0])
def test_a_loop_is_told_once(loop: str, tmp_path: Path) -> None:
    assert told_of(tmp_path, game("play", loop)) == [LOOPS[loop]]


@pytest.mark.parametrize(("section", "text", "advice"), TRIES, ids=[f"{one[0]}:{one[1].strip()}" for one in TRIES])
def test_it_is_told_once_and_nothing_follows(section: str, text: str, advice: str, tmp_path: Path) -> None:
    assert told_of(tmp_path, game(section, text)) == [advice]
