"""Sets that a person picks in any order: held against all sets that the rules allow, and typed at the prompt."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest
from test_first_guess import answers

import ruledsl
from games import PATHS, load, named
from ruledsl.bots.laid import as_listed
from ruledsl.ir import core as C
from ruledsl.runtime.gathering import in_any_order, names_of
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.story import story

CARDS = """
ruledsl: 1
game: hand-over
players: 2
types: {suit: [clubs, hearts]}
pieces:
  card: {each: {suit: suit, n: 1..6}, start: table, title: "{this.n} of {this.suit}"}
  coin: {count: 4, start: table}
places:
  table: {holds: any}
  mine: {per: player, holds: any}
values:
  bowl: {is: bag of suit}
setup:
  - set:
      bowl[clubs]: 3
      bowl[hearts]: 2
play:
  - turns: players
    until: count(c in card where c in table) < 3
    do:
      - choose: WHAT
        label: take {xs}
        else: {end: game}
      - DONE
"""
ASKED = {
    "three of them": "{xs: 3 of set(c in card where c in table)}",
    "some of them": "{xs: 0..4 of set(c in card where c in table)}",
    "with a condition": "{xs: 1..4 of set(c in card where c in table)}\n        where: sum(c.n for c in xs) == 7",
    "of one suit": "{xs: 2..3 of set(c in card where c in table)}\n"
    "        where: no(c in xs, d in xs where c.suit != d.suit)",
    "some that are alike": "{xs: 1..5 of set(c in card + coin where c in table)}",
    "of a bag": "{xs: 1..4 of bowl}",
    "a set, then more": "{xs: 2 of set(c in card where c in table), n: 1..3}",
    "more, then a set": "{n: 1..3, xs: n of set(c in card where c in table)}",
}


def game(tmp_path: Path, what: str) -> Play:
    text = CARDS.replace("WHAT", ASKED[what])
    text = text.replace("- DONE", "- set: {bowl: bowl - xs}" if what == "of a bag" else "- {move: xs, to: me.mine}")
    (tmp_path / "game.yaml").write_text(text)
    return ruledsl.load(tmp_path / "game.yaml").start(seed=1)


def element(option: Option) -> str:
    return re.sub(r"^(take )?(1 (?!of))?", "", option.text)


def played(play: Play, seat: int) -> Counter[str]:
    """What the story says that a seat has taken."""
    text = next(event.text for event in reversed(story(play, None, "en")) if event.seat == seat)
    return Counter(text.partition("take ")[2].split(", "))


NUMBERS, SUITS = range(1, 7), ("clubs", "hearts")
NAMES_OF_CARDS = [f"{n} of {suit}" for suit in SUITS for n in NUMBERS]


def whole_sets(what: str) -> set[tuple[str, ...]]:
    """All sets that may be chosen, by what is written above."""

    def of(names: Iterable[str], sizes: Iterable[int]) -> set[tuple[str, ...]]:
        names = list(names)
        return {tuple(sorted(found)) for size in sizes for found in combinations(names, size)}

    match what:
        case "three of them" | "more, then a set":
            return of(NAMES_OF_CARDS, [3 if what == "three of them" else 2])
        case "some of them":
            return of(NAMES_OF_CARDS, range(5))
        case "with a condition":
            return {found for found in of(NAMES_OF_CARDS, range(1, 5)) if sum(int(x.split()[0]) for x in found) == 7}
        case "of one suit":
            return {x for suit in SUITS for x in of([f"{n} of {suit}" for n in NUMBERS], (2, 3))}
        case "some that are alike":
            return of([*NAMES_OF_CARDS, *["coin"] * 4], range(1, 6))
        case "of a bag":
            return of(["clubs"] * 3 + ["hearts"] * 2, range(1, 5))
        case "a set, then more":
            return of(NAMES_OF_CARDS, [2])
    raise AssertionError(what)


@pytest.mark.parametrize("what", ASKED)
def test_what_may_be_picked_is_what_some_whole_set_has(what: str, tmp_path: Path) -> None:
    rng, sets = random.Random(what), [Counter(found) for found in whole_sets(what)]
    for _ in range(6):
        play = game(tmp_path, what)
        seat = play.pending[0]
        if what == "more, then a set":
            play.choose(next(option for option in play.options(seat) if option.words["n"] == "2"), seat)
        picked: tuple[int, ...] = ()
        names = Counter[str]()
        while True:
            options = in_any_order(play, seat, play.options(seat), "en", picked)
            elements = {element(option): option for option in options}
            done = elements.pop("done", None)
            assert set(elements) == {x for found in sets if names <= found for x in found - names}
            assert (done is not None) == (names in sets)
            option = rng.choice(options)
            if option is not done:
                names[element(option)] += 1
            if not option.gathered:
                break
            picked = option.gathered
            assert len(names_of(play, seat, picked, "en").split(", ")) == (
                names.total() if what != "of a bag" else len(names)
            )
        assert names in sets
        for raw in (option.raw, *option.then):
            stop = play.stop_of(seat)
            assert stop is not None
            play.choose(stop.options.index(raw), seat)
        if names and what not in ("of a bag", "a set, then more"):
            assert played(play, seat) == names


def test_elements_are_picked_in_any_order_at_the_prompt(tmp_path: Path) -> None:
    play = game(tmp_path, "three of them")
    shown = answers(play, ["take 6 of hearts", "2 of clubs", "back", "take 1 of hearts", "1 of clubs", "log"])
    assert "Chosen so far: 6 of hearts\n" in shown
    assert "Chosen so far: 2 of clubs, 6 of hearts\n" in shown
    assert "Taken back: 2 of clubs\n" in shown
    assert "player 1: take 1 of clubs, 1 of hearts, 6 of hearts" in shown


def test_several_are_picked_at_once_with_commas(tmp_path: Path) -> None:
    play = game(tmp_path, "three of them")
    shown = answers(play, ["take 6 of hearts, 2 of clubs, 1 of clubs", "3 of clubs", "5 of hearts, 4 of clubs", "log"])
    assert "player 1: take 1 of clubs, 2 of clubs, 6 of hearts" in shown
    assert "player 2: take 3 of clubs, 4 of clubs, 5 of hearts" in shown


def test_what_was_not_named_is_not_taken(tmp_path: Path) -> None:
    """A card's name holds words that other cards have: `6 of hearts` is none of them but itself."""
    for typed in ("take 6 of hearts", "6 of hearts", "take 6 of hearts 5 of hearts"):
        play = game(tmp_path, "three of them")
        answers(play, [typed])
        assert not play.decisions, typed


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_sets_of_shipped_games_are_picked_to_the_end(path: Path, thorough: bool) -> None:
    """Whatever is picked first, in plays at random, the set comes to an end that the rules know."""
    rng, play, asked = random.Random(path.stem), load(path).start(seed=4), 0
    entries = [e for b in play.machine.program.blocks if isinstance(b.end, C.Choice) for e in b.end.entries]
    sets = any(v.fewest is not None and not v.ordered for entry in entries for v in entry.variables)
    for _ in range((400 if thorough else 40) if sets else 0):
        if play.over:
            break
        seat = play.pending[0]
        picked: tuple[int, ...] = ()
        while True:
            options = as_listed(play, seat, picked=picked)
            option = rng.choice(options)
            asked += bool(option.gathered)
            if not option.gathered:
                break
            picked = option.gathered
        for raw in (option.raw, *option.then):
            stop = play.stop_of(seat)
            assert stop is not None
            play.choose(stop.options.index(raw), seat)
    assert asked or path.parent.name != "gem-traders"
