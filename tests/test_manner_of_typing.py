"""Moves are typed in the manner of each game: `exd5`, `Nbd2`, `e8=Q`, `24/18/13`; a row says where it fails."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from games import EXAMPLES, load, named
from ruledsl.cli.main import main
from ruledsl.cli.terminal.rows import read_row, row_of
from ruledsl.compiler.pipeline import check
from ruledsl.runtime.picture import sheets
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import pick
from ruledsl.runtime.why import why

GAMES = {named(path): path for path in EXAMPLES}
CHAINS = """
ruledsl: 1
game: carts
players: [near, far]
board: {track: 12, space: stone, holds: any}
pieces:
  cart: {per: player, start: {near: this.index == 12, far: this.index == 9}}
  apple: {start: this.index == 10}
values:
  strength: bag of weight
  eaten: 0..1
types: {weight: {attributes: {far: 1..6}, values: {light: {far: 2}, heavy: {far: 3}}}}
setup:
  - set:
      strength: amount(light, 1) + amount(heavy, 1)
play:
  - turns: players
    do:
      - while: any(strength)
        do:
          - choose: {c: cart where c.owner == near, w: strength}
            label: "{c.stone}/{c.stone.index - w.far} by {w}"
            notation: {as: "{c.stone}/{c.stone.index - w.far}", chain: /}
          - subtract:
              strength: amount(w, 1)
          - move: c
            to: the(board[c.stone.index - w.far])
          - if: c.stone.apple
            then: {set: {eaten: 1}}
      - end: game
"""


def checked(tmp_path: Path, text: str) -> list[str]:
    """The codes of what is wrong with a game."""
    path = tmp_path / "carts.yaml"
    path.write_text(text, encoding="utf-8")
    report = check(path)
    return [d.code for d in report.findings if d.severity == "error"]


def chess(*moves: str) -> Play:
    play = load(GAMES["chess"]).start(seed=1)
    for move in moves:
        play.choose(play.find(move).index)
    return play


def means(play: Play, typed: str, language: str = "en") -> str:
    found = pick(play, play.pending[0], typed, language)
    assert found.one is not None, (typed, [o.text for o in found.options])
    return str(found.one.text)


@pytest.mark.parametrize(
    ("before", "typed", "meant"),
    [
        (("e4", "d5"), "exd5", "pawn e4-d5"),
        (("e4", "d5"), "exd5!", "pawn e4-d5"),
        (("Nf3", "a6", "d4", "a5"), "Nbd2", "knight b1-d2"),
        (("Nf3", "a6", "d4", "a5"), "Nfd2", "knight f3-d2"),
        (("a4", "h5", "h4", "a5", "Ra3", "Rh6"), "Rhh3", "rook h1-h3"),
        (("Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7"), "O-O", "castle on the king's side"),
        (("Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7"), "0-0", "castle on the king's side"),
        (("Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7"), "e1g1", "castle on the king's side"),
        (("a4", "b5", "axb5", "a6", "bxa6", "Bb7"), "axb7", "pawn a6-b7"),
        (("a4", "b5", "axb5", "a6", "bxa6", "h6", "a7", "h5"), "axb8=Q", "pawn a7-b8, queen"),
        (("a4", "b5", "axb5", "a6", "bxa6", "h6", "a7", "h5"), "axb8n+", "pawn a7-b8, knight"),
        (("e4", "e5", "Nf3"), "Nc6", "knight b8-c6"),
        (("e4", "d5"), "e:d5", "pawn e4-d5"),
        (("e4", "d5"), "ed5", "pawn e4-d5"),
        (("e4", "d5"), "ed", "pawn e4-d5"),
        (("e4", "d5"), "e4:d5", "pawn e4-d5"),
        (("e4", "d5"), "e4—d5", "pawn e4-d5"),
        (("e4", "d5", "Nf3", "d4"), "N:d4", "knight f3-d4"),
        (("e4", "d5", "Nf3", "d4"), "К:d4", "knight f3-d4"),
        (("e4", "d5", "Nf3", "d4"), "Кхd4", "knight f3-d4"),  # the sign is a Russian letter
        (("b4", "e5", "e3", "Bxb4", "Bb2", "Bc3"), "B:c3", "bishop b2-c3"),
        (("a4", "b5", "axb5", "a6", "bxa6", "h6", "a7", "h5"), "a:b8Q", "pawn a7-b8, queen"),
        (("a4", "b5", "axb5", "a6", "bxa6", "h6", "a7", "h5"), "a7:b8=Ф", "pawn a7-b8, queen"),
    ],
)
def test_moves_of_chess_are_typed_as_they_are_written(before: tuple[str, ...], typed: str, meant: str) -> None:
    assert means(chess(*before), typed) == meant


def test_a_sign_of_capture_is_no_move_to_an_empty_square() -> None:
    assert not pick(chess(), 0, "К:f3", "ru").options
    assert not pick(chess(), 0, "Nxf3").options


@pytest.mark.parametrize(
    ("before", "typed", "language", "said"),
    [
        ((), "Ra3", "en", "a rook cannot go from a1 to a3: pawn of white on a2 is in the way"),
        ((), "Bc4", "en", "a bishop cannot go from f1 to c4: pawn of white on e2 is in the way"),
        ((), "Лa3", "ru", "ладья не может пойти a1-a3: путь закрывает пешка (белые) на a2"),
        (("e4", "e5"), "e4-e5", "en", "a pawn cannot go from e4 to e5: pawn of black on e5 is in the way"),
        (("e4", "e5"), "Qh4", "en", "a queen cannot go from d1 to h4"),
        (("e4", "e5"), "К:h4", "ru", "конь не может пойти b1-h4"),
    ],
)
def test_what_is_in_the_way_is_named(before: tuple[str, ...], typed: str, language: str, said: str) -> None:
    play = chess(*before)
    assert why(play, play.pending[0], typed, language).lines(language)[-1].strip() == said


def test_capitals_tell_a_bishop_from_a_pawn() -> None:
    """`Bxc3` and `bxc3` are two moves; where only one of them is there either way of writing is enough."""
    play = chess("b4", "e5", "e3", "Bxb4", "Bb2", "Bc3")
    assert (means(play, "Bxc3"), means(play, "nxc3")) == ("bishop b2-c3", "knight b1-c3")
    play = chess("e4", "e5", "b3", "Bb4", "c3", "Bxc3", "Ba3", "h6", "Bb2", "h5", "b4", "h4", "Na3", "h3", "Nb1", "Bd4")
    assert means(play, "Bxd4") == "bishop b2-d4"


def test_what_is_listed_is_typed_so() -> None:
    """A move of chess is listed as one writes it, in either language, and that text means this move alone."""
    play, dice = load(GAMES["chess"]).start(seed=1), random.Random(3)
    for _ in range(6):
        if play.over:
            break
        seat = play.pending[0]
        for language in ("en", "ru"):
            for option in play.options(seat, language):
                alone = (pick(play, seat, way, language).one for way in reversed(play.spelt(option, seat, language)))
                found = next((one for one in alone if one is not None), None)
                assert found is not None, option.text
                assert found.raw == option.raw, option.text
        play.choose(dice.choice(play.options(seat)).index, seat)


def said(play: Play, typed: str, language: str = "en") -> list[str]:
    """What a row of texts does, step by step."""
    seat = play.pending[0]
    found, there = [], play.copy()
    for raw in row_of(play, seat, typed, language):
        option = next(o for o in there.options(seat, language) if o.raw == raw)
        found.append(str(option.text))
        there.choose(option.index, seat)
    return found


def test_moves_of_which_one_ends_where_the_next_begins_are_typed_as_one() -> None:
    play = load(GAMES["backgammon"]).start(seed=5)  # White plays 3 and 2
    assert said(play, "13/8") in (["13/11", "11/8"], ["13/10", "10/8"])
    assert said(play, "13/11/8") == ["13/11", "11/8"]
    assert said(play, "13/10*/8!") == ["13/10", "10/8"]
    assert said(play, "24/22 13/10") == ["24/22", "13/10"]
    assert said(play, "13/7") == []


def test_where_ways_end_differently_one_of_them_is_to_be_written(tmp_path: Path) -> None:
    path = tmp_path / "carts.yaml"
    path.write_text(CHAINS, encoding="utf-8")
    play = load(path).start(seed=1)
    row = read_row(play, 0, "12/7", "en")
    assert not row.raws
    assert row.ways == ("12/10 by light 10/7 by heavy", "12/9 by heavy 9/7 by light")
    assert said(play, "12/10/7") == ["12/10 by light", "10/7 by heavy"]


def test_a_row_of_jumps_is_typed_as_one() -> None:
    """Over all random plays: whoever jumps twice may write it as one, with every square or with the last alone."""
    game, seen = load(GAMES["draughts"]), 0
    for seed in range(4):
        play, dice = game.start(seed=seed), random.Random(seed)
        for _ in range(60):
            if play.over or not play.pending:
                break
            seat = play.pending[0]
            for option in play.options(seat):
                there = play.copy()
                there.choose(option.index, seat)
                if there.over or there.pending != (seat,) or "x" not in option.text:
                    continue
                for second in there.options(seat):
                    text = f"{option.text}x{second.text.split('x')[1]}"
                    steps = said(play, text)
                    assert steps == [option.text, second.text]
                    seen += 1
            play.choose(dice.choice(play.options(seat)).index, seat)
    assert seen > 1


def test_a_move_is_done_as_often_as_the_number_behind_it_says() -> None:
    game = load(GAMES["backgammon"])
    play = next(p for p in (game.start(seed=s) for s in range(400)) if _double(p))
    seat = play.pending[0]
    first = play.options(seat)[-1].text
    assert said(play, f"{first}(2)") == [first, first]


def _double(play: Play) -> bool:
    """Plays on till somebody has thrown equal dice."""
    dice = random.Random(1)
    for _ in range(12):
        if play.over:
            return False
        seat = play.pending[0]
        there = play.copy()
        last = play.options(seat)[-1]
        there.choose(last.index, seat)
        if not there.over and there.pending == (seat,) and last.text in [o.text for o in there.options(seat)]:
            return True
        play.choose(dice.randrange(len(play.options(seat))), seat)
    return False


TYPED = {
    "en": ("backgammon", ["13/10 6/2", "quit"], "Nothing was done. `13/10` is possible, but `6/2` is not an option"),
    "ru": ("backgammon", ["13/10 6/2", "выход"], "Ничего не сделано. `13/10` можно, но варианта `6/2` после этого нет"),
}


@pytest.mark.parametrize("language", TYPED)
def test_a_row_says_which_of_its_steps_fails(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, lines, told = TYPED[language]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    main(["play", game, "-s", "5", "--bot", "random", "--lang", language])
    out = " ".join(capsys.readouterr().out.split())
    assert told in out
    assert ("the nearest options are: `6/4`" in out) or ("похожие варианты: `6/4`" in out), out


def test_each_player_reads_the_numbers_of_their_own_way() -> None:
    play = load(GAMES["backgammon"]).start(seed=5)
    whites, blacks = (sheets(play, "en", play.view(seat))[0].names for seat in (0, 1))
    assert whites[:3] == ("1", "2", "3")
    assert blacks[:3] == ("24", "23", "22")
    assert sheets(play, "en", play.view(None))[0].names == whites


def test_a_chain_has_its_sign_once(tmp_path: Path) -> None:
    wrongs = ('{as: "{c.stone}-{w}", chain: /}', '{as: "{c.stone}/{w}/{w}", chain: /}', '{as: "{c}/{w}", chain: ""}')
    for wrong in wrongs:
        text = CHAINS.replace('{as: "{c.stone}/{c.stone.index - w.far}", chain: /}', wrong)
        assert checked(tmp_path, text) == ["S124"], wrong


def test_only_a_square_has_a_column_and_a_row(tmp_path: Path) -> None:
    assert checked(tmp_path, CHAINS.replace('label: "{c.stone}/', 'label: "{c.stone:column}/')) == ["E114"]


def test_an_option_may_be_typed_in_the_other_language() -> None:
    """`pass` is typed by many whatever they read; it is no shortening of anything else."""
    play = load(GAMES["go"]).start(seed=1)
    seat = play.pending[0]
    assert [o.text for o in pick(play, seat, "pass", "ru").options] == ["пас"]
    assert [o.text for o in pick(play, seat, "пас", "en").options] == ["pass"]
