"""Which sign stands for what lies on a board."""

from collections.abc import Callable
from pathlib import Path

import pytest

import ruledsl
from ruledsl.boards.marks import Mark
from ruledsl.boards.picture import picture
from ruledsl.runtime.picture import letters_for, marks, player_colour, sheets

ROOT = Path(__file__).resolve().parents[1]
HEAD = "ruledsl: 1\ngame: pebbles\nplayers: [white, black]\nboard: {track: 4, space: step, holds: any}\n"
TAIL = "play:\n  - turns: players\n    do:\n      - choose: {s: board}\n        else: {tie: players}\n"


Draw = Callable[..., list[str]]


@pytest.fixture
def drawn(tmp_path: Path) -> Draw:
    """The start of a game with these declarations, as lines of text, one for each board."""

    def draw(declared: str, head: str = HEAD, choice: str = "s: board", language: str = "en") -> list[str]:
        text = head + declared + TAIL.replace("s: board", choice)
        (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
        play = ruledsl.load(tmp_path).start()
        return [" ".join(m.text if m else "." for m in sheet.flat) for sheet in sheets(play, language)]

    return draw


def test_pieces_of_one_sort_go_by_their_owners(drawn: Draw) -> None:
    pieces = "pieces:\n  man: {per: player, count: 1, start: {white: this.index == 1, black: this.index == 4}}\n"
    assert drawn(pieces) == ["W . . B"]
    assert drawn(pieces + "text: {ru: {white: белые, black: чёрные}}\n", language="ru") == ["Б . . Ч"]


def test_sorts_go_by_letters_and_owners_by_their_size(drawn: Draw) -> None:
    pieces = """\
types: {rank: [king, knight]}
pieces:
  man:
    per: player
    state: {rank: rank}
    rows:
      - {rank: king, start: {white: this.index == 1, black: this.index == 4}}
      - {rank: knight, start: {white: this.index == 2, black: this.index == 3}}
"""
    assert drawn(pieces) == ["K N n k"]
    assert drawn(pieces + "letters: {♔: king of white, ♚: king of black, x: knight}\n") == ["♔ x x ♚"]
    assert drawn(pieces.replace("  man:\n", "  man:\n    symbol: o\n")) == ["o o o o"]
    assert drawn(pieces.replace("rank: king, start", "rank: king, symbol: Ж, start")) == ["Ж N n Ж"]

    letters = pieces + "letters: {♔: king of white, ♚: king of black, x: knight}\n"
    signs = (
        "looks: {king: {symbol: {ru: Кр}}, knight of white: {symbol: {ru: К}}, knight of black: {symbol: {ru: Чк}}}\n"
    )
    assert drawn(letters + signs) == ["♔ x x ♚"]
    assert drawn(letters + signs, language="ru") == ["Кр К Чк кр"]


def test_a_flag_changes_the_letter(drawn: Draw) -> None:
    pieces = """\
pieces:
  man:
    per: player
    state: {crowned: bool}
    rows:
      - {crowned: true, start: {white: this.index == 1, black: this.index == 4}}
      - {start: {white: this.index == 2, black: this.index == 3}}
"""
    assert drawn(pieces) == ["C M m c"]


def test_of_a_heap_one_sees_the_top_and_the_height(drawn: Draw) -> None:
    pieces = "pieces:\n  man: {per: player, count: 3, start: {white: this.index == 1, black: this.index == 1}}\n"
    assert drawn(pieces) == ["B6 . . ."]
    assert drawn(pieces.replace("count: 3", "count: 30")) == ["B60 . . ."]
    assert drawn(pieces.replace("count: 3", "count: 100")) == ["B+ . . ."]


def test_tokens_and_values_of_spaces_are_shown_where_nothing_lies(drawn: Draw) -> None:
    seeds = "pools:\n  seed: {total: 12, at: {step: seeds}, start: {seeds: 3}}\n"
    assert drawn(seeds) == ["3 3 3 3"]
    assert drawn("values:\n  held: {per: step, is: 0..9, start: 2}\n") == ["2 2 2 2"]


def test_every_player_has_a_board(drawn: Draw) -> None:
    head = HEAD.replace("board: {track: 4, ", "boards:\n  yard: {track: 2, per: player, ")
    pieces = "pieces:\n  man: {per: player, count: 1}\n"
    values = "values:\n  seeds: {per: step, is: 0..9, start: 4}\n"
    assert drawn(pieces, head, "s: me.yard") == [". .", ". ."]
    assert drawn(values, head, "s: me.yard") == ["4 4", "4 4"]


def test_what_a_view_does_not_know_is_a_question_mark() -> None:
    play = ruledsl.load(ROOT / "examples" / "tic-tac-toe.yaml").start()
    play.choose("b2")
    view = play.view(0)
    middle = play.world.boards[0].board.index_of["b2"]
    assert marks(play, "board", view=view)[middle] == Mark("C", "red", True)
    view["boards"]["board"]["b2"] = [None]
    assert marks(play, "board", view=view)[middle] == Mark("?")
    assert marks(play, "board", view={**view, "boards": {}})[middle] is None


def test_letters_are_different_and_short() -> None:
    words = {f"card_{n}": f"card {n}" for n in range(40)} | {"горы": "горы", "город": "город", "": ""}
    found = letters_for(words)
    assert list(found) == list(words)
    assert all(1 <= len(sign) <= 3 for sign in found.values())
    assert found["card_7"] == "7"
    assert len(set(found.values())) == len(found)
    assert letters_for({"a": "a"}, {"A"}) == {"a": "A"}  # nothing else is left


def test_colours_follow_names() -> None:
    world = ruledsl.load(ROOT / "examples" / "hex.yaml").start().world
    assert [player_colour(world, seat) for seat in range(2)] == ["red", "blue"]
    world = ruledsl.load(ROOT / "examples" / "tic-tac-toe.yaml").start().world
    assert len({player_colour(world, seat) for seat in range(2)}) == 2


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "language").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_fixture_can_be_drawn(path: Path) -> None:
    if "\ngame:" not in path.read_text(encoding="utf-8"):
        pytest.skip("not a game")
    play = ruledsl.load(path).start()
    for sheet in sheets(play, "ru", play.view(None)):
        assert len(sheet.marks) == len(sheet.ground) == len(sheet.board)
        assert picture(sheet.board, sheet.marks, colour=True, ground=sheet.ground)
