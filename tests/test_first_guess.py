"""What people type at their first guess: sets in any order, small words between, and what was begun otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import ruledsl
from games import NAMES, PATHS, load
from ruledsl.bots.laid import as_listed
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime.play import Play

SETS = """
ruledsl: 1
game: sets
players: 2
types:
  color: [red, green, blue, white, black]
pieces:
  gem: {each: {color: color}, title: "{this.color}", start: row}
places:
  row: {holds: gem}
  mine: {per: player, holds: gem}
play:
  - turns: players
    until: count(row) < 2
    do:
      - choose: {gs: 1..2 of row}
        label: "take {gs}"
      - move: gs
        to: me.mine
  - win: players
"""


def answers(play: Play, typed: Sequence[str], language: str = "en") -> str:
    """All that a session writes while somebody types at both seats."""
    lines: list[str] = []
    left = iter([*typed, "quit"])

    def read(prompt: str) -> str:
        lines.append(prompt + "\n")
        return next(left)

    Session(play, [None] * len(play.players), Settings(language=language), Face(lines.append, read)).run()
    return "\n".join(lines)


def game(tmp_path: Path, text: str = SETS) -> Play:
    (tmp_path / "game.yaml").write_text(text)
    return ruledsl.load(tmp_path / "game.yaml").start(seed=1)


def shipped(name: str, seed: int = 2) -> Play:
    return load(PATHS[NAMES.index(name)]).start(seed=seed)


def texts(play: Play, seat: int = 0) -> list[str]:
    return [option.text for option in as_listed(play, seat, whole=True)]


def test_sets_are_listed_whole_and_the_small_ones_first(tmp_path: Path) -> None:
    found = texts(game(tmp_path))
    assert found[:2] == ["take red", "take green"]
    assert found[5:7] == ["take green, red", "take blue, red"]
    assert len(found) == 15


def test_a_set_is_one_decision_to_people_and_steps_to_the_rules(tmp_path: Path) -> None:
    play = game(tmp_path)
    shown = answers(play, ["take green, black", "log", "back", "red"])
    assert "Taken back: player 1: take black, green" in shown
    assert "\n  player 1: take black, green\n" in shown
    assert [decision.text for decision in play.decisions] == ["gs=red", "done"]


def test_a_set_goes_by_its_number_and_by_its_elements_in_any_order(tmp_path: Path) -> None:
    for typed in ("7", "blue red", "take blue, red", "red blue"):
        play = game(tmp_path)
        answers(play, [typed])
        assert [decision.text for decision in play.decisions] == ["gs=red", "gs=blue"], typed


def test_too_many_sets_are_chosen_one_by_one(tmp_path: Path) -> None:
    many = SETS.replace("white, black]", "white, black, pink, grey, brown]")
    found = texts(game(tmp_path, many))
    assert len(found) == 8
    assert "take red, green" not in found


@pytest.mark.parametrize("seed", range(3))
def test_whole_sets_are_those_that_the_steps_lead_to(seed: int) -> None:
    """Each is taken by its steps, and read in the story as it was listed."""
    play = shipped("gem-traders", seed)
    seat = play.pending[0]
    sets = [option for option in as_listed(play, seat, whole=True) if option.then]
    assert len(sets) == 10
    for option in sets:
        there = play.copy()
        for raw in (option.raw, *option.then):
            stop = there.stop_of(seat)
            assert stop is not None
            there.choose(stop.options.index(raw), seat)
        assert there.pending != (seat,)
    assert len({option.text for option in sets}) == 10


def test_small_words_may_stand_between() -> None:
    assert "white: knight b1-c3" in answers(shipped("chess"), ["knight to c3", "log"])
    assert "конь" in answers(shipped("chess"), ["конь на c3", "log"], "ru")


def test_a_number_is_no_part_of_another() -> None:
    shown = answers(shipped("holdem"), ["raise 10", "raise"])
    assert "at least 40" in shown
    assert "1006" not in shown


def test_an_amount_that_is_missing_or_too_small_is_asked_for() -> None:
    shown = answers(shipped("holdem"), ["raise", "10"])
    assert "How many? Type `raise to` with a number from 40 to 1500, such as `raise to 40`." in shown
    assert "`raise to` takes a number from 40 to 1500." in shown


def test_of_a_set_nothing_is_taken_that_was_not_named() -> None:
    """Three gems of different colors: two that are named may go with any other."""
    for typed in ("take emerald onyx", "take onyx, emerald", "take pearl ruby"):
        play = shipped("gem-traders", 4)
        shown = answers(play, [typed])
        assert all(decision.seat < 0 for decision in play.decisions), typed
        assert "Chosen so far:" in shown


def test_who_has_begun_something_else_is_told_how_to_go_back() -> None:
    play = shipped("fjords")
    seat = play.pending[0]
    answers(play, ["play white", "play black"])
    seat = play.pending[0]
    tiles = [option.text for option in as_listed(play, seat)]
    for first in tiles:
        begun = play.copy()
        begun.choose(first, seat)
        if len(begun.options(seat)) > 1:  # where it can go to one space alone, that is done
            break
    other = next(tile for tile in tiles if tile != first)
    shown = answers(play, [first, other])
    assert f"You have begun something else. `{other}` is possible after `back`." in shown


def test_what_a_rule_refuses_is_told_with_its_reason() -> None:
    shown = answers(shipped("holdem"), ["check"])
    assert "Not allowed: check" in shown
    assert "more are needed to stay in" in shown


def test_all_in_is_what_poker_players_say() -> None:
    play = shipped("holdem")
    answers(play, ["all in"])
    assert "raise to=1500" in play.decisions[-1].text


def test_the_example_of_the_help_is_one_of_the_game() -> None:
    assert "such as `fold`" in answers(shipped("holdem"), ["help"])
    assert "например `фолд`" in answers(shipped("holdem"), ["помощь"], "ru")


def test_spaces_of_hexagons_are_listed_line_by_line() -> None:
    play = shipped("fjords")
    answers(play, ["play white", "play black"])
    seat = play.pending[0]
    play.choose(0, seat)
    shown = texts(play, seat)
    board = next(info for info in play.world.boards if info.board.outline == "hex-flat").board
    places = [board.positions[board.spaces.index(text)] for text in shown]
    assert places == sorted(places, key=lambda place: (-place[1], place[0]))


def test_where_numbers_are_amounts_a_number_is_an_amount() -> None:
    """Of a thousand raises none has a number of its own: `200` is what it says, and `7` is nothing."""
    told = answers(shipped("holdem"), ["200"])
    assert "raise to 200" in told
    told = answers(shipped("holdem"), ["20"])
    assert "`raise to` takes a number from 40 to 1500." in told
    assert "raise to 5" not in told
    told = answers(shipped("holdem"), ["0", "99999999999"])
    assert "there are" not in told, "numbers that nobody sees are not spoken of"


@pytest.mark.parametrize(
    ("name", "typed", "said"), [("chess", "е4", "e2-e4"), ("chess", "Кс3", "b1-c3"), ("go", "с4", "c4")]
)
def test_russian_letters_that_look_like_those_of_squares(name: str, typed: str, said: str) -> None:
    assert typed != typed.encode("ascii", "ignore").decode()
    play = shipped(name)
    answers(play, [typed], "ru")
    first = next(at for at in range(len(play.log)) if play.log[at].seat == 0)
    assert said in play.line(first, 0, "ru")
