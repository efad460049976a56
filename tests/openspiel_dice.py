"""Backgammon and Yacht beside OpenSpiel's: the same dice are thrown in both, and after them the same can be done.

One action of theirs is what we ask for step by step, so we look at all that our steps can lead to.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from openspiel import Differs, _game

try:
    import pyspiel
except ImportError:  # an extra; what needs it is skipped
    pyspiel = None

from ruledsl.engine.machine import Machine, Stop
from ruledsl.engine.options import DONE

State = list[int]
Position = tuple[int, ...]


def _thrown(state: Any, chance: random.Random) -> int:
    """An outcome of theirs, as likely as it is."""
    outcomes, likely = zip(*state.chance_outcomes(), strict=True)
    return int(chance.choices(outcomes, likely)[0])


def _answer(play: Any, pips: int, dice: int = 6) -> None:
    """Lets a die of ours come out so; any of `dice` numbers must be equally likely."""
    assert play.chance is not None, "ours throws no die here"
    outcomes = {value + 1: weight for value, weight, _ in play.chance.outcomes}
    assert list(outcomes.values()) == [1] * dice, outcomes
    play.answer(pips - 1)


# ------------------------------------------------------------------------------------------------ backgammon

POINTS = 24
WHITE, BLACK = 0, 1  # ours; their first player, x, moves up as our black does
THEIRS = {WHITE: 1, BLACK: 0}


def backgammon(seed: int) -> int:
    """Plays one random play of both to the end; how many points the winner has won."""
    play = _game("backgammon").start(chance="ask")
    state = pyspiel.load_game("backgammon", {"scoring_type": "full_scoring"}).new_initial_state()
    chance = random.Random(seed)
    while not (play.over and state.is_terminal()):
        if play.fault is not None or play.over or state.is_terminal():
            raise Differs(f"seed {seed}: {play.ending}, {play.fault}, theirs:\n{state}")
        if state.is_chance_node():
            _roll(play, state, chance)
        elif _spoken(state, state.legal_actions()[0]) == "Pass":
            state.apply_action(state.legal_actions()[0])
        else:
            _move(play, state, chance, seed)
    won = [state.returns()[THEIRS[seat]] for seat in (WHITE, BLACK)]
    if play.returns() != won:
        raise Differs(f"seed {seed}: our result is {play.returns()}, theirs {won}")
    return int(max(won))


def _spoken(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def _roll(play: Any, state: Any, chance: random.Random) -> None:
    action = _thrown(state, chance)
    spoken = state.action_to_string(pyspiel.PlayerId.CHANCE, action)
    rolled = [int(digit) for digit in spoken[-3:-1]]
    if "starts" in spoken:  # the higher of two different dice
        white, black = sorted(rolled, reverse="O starts" in spoken)
        _answer(play, white)
        _answer(play, black, dice=5)
    else:
        for pips in chance.sample(rolled, 2):
            _answer(play, pips)
    state.apply_action(action)


def _move(play: Any, state: Any, chance: random.Random, seed: int) -> None:
    """One action of theirs: two men, or one if no more can go; of a double this comes twice."""
    if THEIRS[play.pending[0]] != state.current_player():
        raise Differs(f"seed {seed}: another is to move\n{state}")
    mine = dict(reached(play.machine, play.state, play.stop, 2))
    other = {_their_position(state.child(action)): action for action in state.legal_actions()}
    if set(mine) != set(other):
        only = [_spoken(state, other[position]) for position in set(other) - set(mine)]
        raise Differs(f"seed {seed}: {len(set(mine) - set(other))} only ours, only theirs: {only}\n{state}")
    position = chance.choice(sorted(mine))
    for raw in mine[position]:
        play.choose(play.stop.options.index(raw))
    state.apply_action(other[position])


def reached(machine: Machine, v: State, stop: Stop, steps: int) -> Iterator[tuple[Position, tuple[Any, ...]]]:
    """Where so many choices of one turn can lead, and by which options."""
    if stop.kind != "choice" or steps == 0:
        yield position_of(machine, v), ()
        return
    assert stop.choice is not None
    for option in stop.options:
        after = v[:]
        machine.choose(after, stop.choice, option)
        then = machine.run(after, True, [])
        for position, way in reached(machine, after, then, steps - 1):
            yield position, (option, *way)


def position_of(machine: Machine, v: State) -> Position:
    """How many men white and then black have on each point, on the bar and off."""
    spots = machine.program.spots
    found = [0] * (2 * (POINTS + 2))
    for man in range(30):
        spot, seat = v[spots.at + man], man // 15
        place = spot if spot < POINTS else POINTS + ((spot - spots.first_place) // 2)
        found[seat * (POINTS + 2) + place] += 1
    return tuple(found)


def _their_position(state: Any) -> Position:
    """The same, read from the numbers that they give to learning programs: 1, 2, 3 and more men are four of these."""
    found: list[int] = []
    for player in (THEIRS[WHITE], THEIRS[BLACK]):
        numbers = [int(x) for x in state.observation_tensor(player)]
        for point in range(POINTS):
            one, two, three, more = numbers[4 * point : 4 * point + 4]
            found.append(more + 3 if more else one + 2 * two + 3 * three)
        found += numbers[8 * POINTS : 8 * POINTS + 2]
    return tuple(found)


# ----------------------------------------------------------------------------------------------------- Yacht

CATEGORIES = ["ones", "twos", "threes", "fours", "fives", "sixes", "chance", "four_of_a_kind", "full_house"]
CATEGORIES += ["small_straight", "large_straight", "yacht"]


def yacht(seed: int, players: int) -> None:
    """Plays one random play of both to the end."""
    play = _game("yacht").start(players=players, chance="ask")
    state = pyspiel.load_game("yacht", {"players": players}).new_initial_state()
    chance = random.Random(seed)
    while not (play.over and state.is_terminal()):
        if play.fault is not None or play.over or state.is_terminal():
            raise Differs(f"seed {seed}: {play.ending}, {play.fault}, theirs:\n{state}")
        if state.is_chance_node():
            action = _thrown(state, chance)
            for pips in state.action_to_string(pyspiel.PlayerId.CHANCE, action).removeprefix("Roll: ").split(","):
                _answer(play, int(pips))
            state.apply_action(action)
        elif "Score" in _spoken(state, state.legal_actions()[0]):
            _agree(play, state, chance, seed, _our_categories(play), _their_categories(state))
        else:
            _agree(play, state, chance, seed, dict(_our_picks(play)), _their_picks(state))
    ours, theirs = play.returns(), state.returns()  # they share a win and a loss among those who have it
    if [(x > 0) - (x < 0) for x in theirs] != ours:
        raise Differs(f"seed {seed}: our result is {ours}, theirs {theirs}")
    if [sum(row.values()) for row in play.scores()] != _totals(state):
        raise Differs(f"seed {seed}: our points are {play.scores()}, theirs {_totals(state)}")


def _agree(
    play: Any, state: Any, chance: random.Random, seed: int, mine: dict[Any, list[int]], other: dict[Any, int]
) -> None:
    """The same may be done in both; one of it is done."""
    if play.pending != (state.current_player(),):
        raise Differs(f"seed {seed}: another is to move\n{state}")
    if set(mine) != set(other):
        raise Differs(f"seed {seed}: only ours {set(mine) - set(other)}, only theirs {set(other) - set(mine)}\n{state}")
    taken = chance.choice(sorted(mine))
    for number in mine[taken]:
        play.choose(number)
    state.apply_action(other[taken])


def _our_categories(play: Any) -> dict[Any, list[int]]:
    """Each category with what it brings."""
    return {
        (CATEGORIES.index(option.words["c"]), int(option.text.rpartition(": ")[2])): [option.index]
        for option in play.options()
    }


def _their_categories(state: Any) -> dict[Any, int]:
    seat, first = state.current_player(), 32
    return {(a - first, _totals(state.child(a))[seat] - _totals(state)[seat]): a for a in state.legal_actions()}


def _totals(state: Any) -> list[int]:
    return [int(total) for total in re.findall(r"\(total: (\d+)\)", str(state))]


def _our_picks(play: Any, picked: tuple[int, ...] = (), way: tuple[int, ...] = ()) -> Iterator[tuple[Any, list[int]]]:
    """All that may be taken up, as sorted pips, with the numbers of the options that lead there."""
    for option in play.options():
        if option.raw[0] == DONE:
            yield picked, [*way, option.index]
            continue
        twin = play.copy()
        twin.choose(option.index)
        yield from _our_picks(twin, (*picked, option.raw[1] + 1), (*way, option.index))


def _their_picks(state: Any) -> dict[Any, int]:
    """Dice lie in five places there; only their numbers matter."""
    dice = [int(pips) for pips in re.search(r"Dice: (.*)", str(state))[1].split()]  # type: ignore[index]
    return {
        tuple(sorted(pips for i, pips in enumerate(dice) if action >> i & 1)): action
        for action in state.legal_actions()
    }
