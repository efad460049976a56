"""What belongs to a thing, nested as one would try it first: told once, with what to write, and read as it was meant.

Newcomers write a list where the language wants a map, bare words for rows, a size where a shape belongs, what every
player has below `player:`. Each of these is one finding; nothing else may follow from it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.compiler import pipeline

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
    ("values", "\n  n: {min: 0, max: 9, per: player}\n  trump: suit", "bounds are its type: write `is: 0..9`"),
    (
        "values",
        "\n  - n: {is: 0..9, per: player}\n  - trump: suit",
        "leave out the `-`: write `n: {is: 0..9, per: player}`",
    ),
    (
        "values",
        "\n  player: {n: 0..9}\n  trump: suit",
        "what every player has says so itself: write `n: {per: player, is: 0..9}`",
    ),
    (
        "values",
        "\n  player.n: {is: 0..9}\n  trump: suit",
        "what every player has says so itself: write `n: {per: player, is: 0..9}`",
    ),
    (
        "values",
        "\n  n: number\n  trump: suit",
        "write the lowest and the highest number, as in `0..100`",
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
        "if all of them have it, declare it below `attributes:`, as in `attributes: {land: …}`",
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
        "if all of them have it, declare it below `attributes:`, as in `attributes: {color: …}`",
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
        "what every player has says so itself: write `hand: {per: player, holds: card}`",
    ),
    (
        "places",
        "\n  player: {hand: {holds: card}}\n  deck: {holds: card, order: pile}",
        "what every player has says so itself: write `hand: {per: player, holds: card}`",
    ),
    ("places", "\n  deck: {type: pile, holds: card}\n  hand: {per: player, holds: card}", "did you mean `order`?"),
    (
        "places",
        "\n  deck: {holds: card, order: pile, hidden: true}\n  hand: {per: player, holds: card}",
        "who sees it says `seen:`, with `all`, `none` or `owner`",
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


def game(section: str, text: str) -> str:
    written = SECTIONS | {section: text}
    return (
        "ruledsl: 1\ngame: shapes\n" + "\n".join(f"{name}: {part.strip(' ')}" for name, part in written.items()) + "\n"
    )


def findings(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return [(found.severity, found.help or "") for found in pipeline.check(path).findings]


def test_the_game_itself_is_sound(tmp_path: Path) -> None:
    assert findings(tmp_path, game("players", SECTIONS["players"])) == []


@pytest.mark.parametrize(("section", "text", "advice"), TRIES, ids=[f"{one[0]}:{one[1].strip()}" for one in TRIES])
def test_it_is_told_once_and_nothing_follows(section: str, text: str, advice: str, tmp_path: Path) -> None:
    found = findings(tmp_path, game(section, text))
    assert [help for severity, help in found if severity == "error"] == [advice]
