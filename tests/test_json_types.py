"""Saves, campaigns and replays are files that anybody may have written: whatever stands in the place of whatever value,
they are refused in words, or are played on without breaking."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from games import ROOT, load, playout
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.handout import as_text, handout
from ruledsl.runtime.play import IllegalChoice, Play
from ruledsl.runtime.replay import Recorder, ReplayError, Rerun, parse
from ruledsl.runtime.save import SaveError

# One of every sort that JSON has, at its edges, and what looks like another sort.
OTHERS: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 2**31, -(2**70), 1.0, 1.5, float("inf"), "", "x", "1", "\x1b[2J", [], [1], ["x"],
    [[]], [None], {}, {"a": 1}, {"1": None},
)  # fmt: skip
SHARE, LONG_SHARE = 24, 6  # one of so many changes is tried, daily and with `--long`
LONG = 40  # items of a list, of which only some are replaced
GAMES = (
    "examples/tic-tac-toe.yaml",
    "examples/yacht.yaml",
    "tests/simulate/purse.yaml",
    "tests/simulate/brink.yaml",
    "examples/rock-paper-scissors.yaml",
)


def paths(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in plain data; of long lists the beginning, the end and some between."""
    if at:
        yield at
    if isinstance(data, dict):
        for key in data:
            yield from paths(data[key], (*at, key))
    elif isinstance(data, list):
        numbers = range(len(data))
        chosen = numbers if len(data) <= LONG else [*numbers[:12], *numbers[12:-6:23], *numbers[-6:]]
        for number in chosen:
            yield from paths(data[number], (*at, number))


def spoilt(data: Any, share: int = 1) -> Iterator[tuple[str, Any]]:
    """The data with each value replaced by each other sort, left out, or doubled; `share` of them, by chance."""
    rng = random.Random(str(data)[:200])
    for path in paths(data):
        for other in (*OTHERS, "left out", "twice"):
            if rng.randrange(share):
                continue
            made = copy.deepcopy(data)
            inner = made
            for key in path[:-1]:
                inner = inner[key]
            if other == "left out":
                del inner[path[-1]]
            elif other == "twice":
                if not isinstance(inner, list):
                    continue
                inner.insert(path[-1], copy.deepcopy(inner[path[-1]]))
            else:
                inner[path[-1]] = other
            yield f"{path} = {other!r}", made


def play_on(play: Play, seed: int = 3) -> None:
    """All that can be asked of a play that was resumed, and a few decisions more."""
    rng = random.Random(seed)
    for _ in range(4):
        for seat in (None, *range(len(play.players))):
            as_text(handout(play, seat))
            play.lines(seat, "ru")
        assert json.loads(play.save())
        Recorder(play).text()
        if play.over:
            break
        seat = play.pending[0]
        play.choose(rng.choice(play.options(seat)), seat)
    while play.undo():
        pass


@pytest.fixture
def share(thorough: bool) -> int:
    return LONG_SHARE if thorough else SHARE


def in_words(refused: list[str], least: float) -> None:
    """Messages for people: of any file whatsoever they can be printed on a terminal."""
    assert len(refused) > least
    assert all(5 < len(said) <= 300 and said.isprintable() for said in refused)


@pytest.mark.parametrize("name", GAMES)
def test_every_value_of_a_save_may_be_of_any_sort(name: str, share: int) -> None:
    game = load(ROOT / name)
    play = next(play for i, play in enumerate(playout(game, 2, None, limit=40)) if i == 5)
    refused, taken = list[str](), 0
    for what, data in spoilt(play.to_json(), share=share):
        try:
            resumed = game.resume(json.dumps(data))
        except SaveError as problem:
            refused.append(str(problem))
            continue
        taken += 1
        try:
            play_on(resumed)
        except RulesFault:
            raise AssertionError(what) from None
        except Exception as crash:
            raise AssertionError(f"{what}: {type(crash).__name__}: {crash}") from crash
    in_words(refused, 36 / share * len(play.to_json()))
    assert taken > 0  # a seed may be any number


@pytest.mark.parametrize("name", ["tests/simulate/purse.yaml", "tests/simulate/brink.yaml"])
def test_every_value_of_a_campaign_may_be_of_any_sort(name: str, share: int) -> None:
    game = load(ROOT / name)
    rng = random.Random(1)
    campaign = Campaign(game, seed=4)
    for _ in range(2):
        while not campaign.play.over:
            campaign.play.choose(rng.choice(campaign.play.options()))
        campaign.play.settle()
        campaign.next()
    refused = list[str]()
    for what, data in spoilt(json.loads(campaign.save()), share=share):
        try:
            resumed = Campaign.resume(game, json.dumps(data))
        except SaveError as problem:
            refused.append(str(problem))
            continue
        try:
            play_on(resumed.play)
            assert resumed.save()
            if resumed.play.over and resumed.play.fault is None:
                if not resumed.play.settled:
                    resumed.play.settle()
                resumed.next()
        except SaveError:
            continue
        except Exception as crash:
            raise AssertionError(f"{what}: {type(crash).__name__}: {crash}") from crash
    in_words(refused, 180 / share)


@pytest.mark.parametrize("name", GAMES[:3])
def test_every_value_of_a_replay_may_be_of_any_sort(name: str, share: int) -> None:
    game = load(ROOT / name)
    play = game.start(seed=2)
    recorder, rng = Recorder(play), random.Random(2)
    for _ in range(6):
        if play.over:
            break
        play.choose(rng.choice(play.options()))
        recorder.note()
    rows = [json.loads(line) for line in recorder.text().splitlines()]
    refused = list[str]()
    for what, data in spoilt(rows, share=share):
        try:
            rerun = Rerun(game, parse("\n".join(json.dumps(row) for row in data)))
            while not rerun.done:
                rerun.step()
        except ReplayError as problem:
            refused.append(str(problem))
        except Exception as crash:
            raise AssertionError(f"{what}: {type(crash).__name__}: {crash}") from crash
    in_words(refused, 180 / share)


@pytest.mark.parametrize("name", GAMES[:2])
def test_what_is_chosen_or_answered_may_be_of_any_sort(name: str) -> None:
    play = load(ROOT / name).start(seed=1, chance="ask")
    for _ in range(6):
        for other in OTHERS:
            before = play.state[:]
            if play.chance is not None and not (isinstance(other, int) and not isinstance(other, bool)):
                with pytest.raises(IllegalChoice):
                    play.answer(other)
            elif play.chance is None and not isinstance(other, int | str):
                with pytest.raises(IllegalChoice):
                    play.choose(other)
            assert play.state == before
        if play.chance is not None:
            play.answer(play.chance.outcomes[0][0])
        elif not play.over:
            play.choose(0)


def test_the_sorts_are_told_apart() -> None:
    sorts = {type(other) for other in OTHERS}
    assert sorts == {type(None), bool, int, float, str, list, dict}
    assert all(a is not b for a, b in pairwise(OTHERS))
    assert sum(1 for _ in spoilt({"a": [1], "b": {}})) > 3 * len(OTHERS)
