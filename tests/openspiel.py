"""Our games beside OpenSpiel's: the same options at every step, and the same result.

A `Rival` says how the options of both are written alike. `walk` plays one random play of both at once and tells
the first thing in which they differ, with the moves that led there.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ruledsl

try:
    import pyspiel
except ImportError:  # an extra; `test_openspiel` is skipped without it
    pyspiel = None

EXAMPLES = Path(__file__).parent.parent / "examples"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Ours = Callable[[Any, Any], str]  # a play and an option as both write it
Theirs = Callable[[Any, int], str]  # a state and an action as both write it


@dataclass
class Rival:
    """One game of ours and the same game of theirs."""

    example: str
    spiel: str
    ours: Ours
    theirs: Theirs
    options: dict[str, Any] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    other_rule: Callable[[Any, Any, list[str]], str] = lambda play, state, moves: ""  # why only one of the two is over
    only_theirs: Callable[[Any, int], bool] = lambda state, action: False  # what our rules forbid on purpose
    seats: tuple[int, int] = (0, 1)  # their seats for ours

    @property
    def name(self) -> str:
        sizes = "-".join(str(v) for v in self.options.values() if not isinstance(v, bool))
        return f"{self.example}-{sizes}".strip("-")


class Differs(AssertionError):
    """The two do not agree; the text has the moves that led there."""


@cache
def _game(example: str) -> Any:
    return ruledsl.load(EXAMPLES / f"{example}.yaml")


def walk(rival: Rival, seed: int, most: int = 2000) -> str:
    """Plays one random play of both; how it ended: `result`, or the rule in which the two differ on purpose."""
    play = _game(rival.example).start(options=rival.options)
    state = pyspiel.load_game(rival.spiel, rival.parameters).new_initial_state()
    chance = random.Random(seed)
    moves: list[str] = []

    def differ(what: str) -> Differs:
        return Differs(f"{rival.name}, seed {seed}: {what}\nafter: {' '.join(moves) or 'nothing'}\ntheirs:\n{state}")

    for _ in range(most):
        _pass(rival, state)
        if play.over or state.is_terminal():
            if not (play.over and state.is_terminal()):
                rule = rival.other_rule(play, state, moves)
                if rule:
                    return rule
                raise differ(f"only {'ours' if play.over else 'theirs'} is over ({play.ending}, {state.returns()})")
            if play.fault is not None:
                raise differ(f"a fault: {play.fault.message}")
            theirs = [state.returns()[seat] for seat in rival.seats]
            if play.returns() != theirs:
                raise differ(f"our result is {play.returns()}, theirs {theirs}")
            return "result"
        if rival.seats[play.pending[0]] != state.current_player():
            raise differ("another is to move")
        mine = {rival.ours(play, option): option for option in play.options()}
        other = {rival.theirs(state, action): action for action in state.legal_actions()}
        for name in set(other) - set(mine):
            if rival.only_theirs(state, other[name]):
                del other[name]
        if set(mine) != set(other):
            raise differ(f"only ours: {sorted(set(mine) - set(other))}, only theirs: {sorted(set(other) - set(mine))}")
        if len(mine) != len(play.options()):
            raise differ("two options of ours mean the same")
        move = chance.choice(sorted(mine))
        moves.append(move)
        play.choose(mine[move])
        state.apply_action(other[move])
    raise differ(f"no end after {most} moves")


def _pass(rival: Rival, state: Any) -> None:
    """With us nobody is asked when there is nothing to do."""
    while not state.is_terminal():
        actions = state.legal_actions()
        if len(actions) != 1 or state.action_to_string(state.current_player(), actions[0]) != "pass":
            return
        state.apply_action(actions[0])


# ------------------------------------------------------------------------------------------ how moves are written


def _spoken(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def _tic_tac_toe(state: Any, action: int) -> str:
    row, column = _spoken(state, action)[2:-1].split(",")
    return f"{LETTERS[int(column)]}{3 - int(row)}"


def _connect_four(state: Any, action: int) -> str:
    return LETTERS[int(_spoken(state, action)[1:])]


def _turned(size: int) -> Theirs:
    """Their first player comes from above."""

    def theirs(state: Any, action: int) -> str:
        a, b, c, d = tuple(_spoken(state, action).rstrip("*"))
        return f"{a}{size + 1 - int(b)}{c}{size + 1 - int(d)}"

    return theirs


def _chess(state: Any, action: int) -> str:
    return str(pyspiel.chess.action_to_move(action, state.board()).to_lan())


def _one(name: str) -> Ours:
    return lambda play, option: str(option.words[name])


def _from_to(play: Any, option: Any) -> str:
    return str(option.text).replace("-", "").replace("x", "")


def _lan(play: Any, option: Any) -> str:
    """A move of chess as engines write it: from, to, and what a pawn becomes."""
    if "side" in option.words:
        rank = (1, 8)[play.pending[0]]
        return f"e{rank}{'g' if option.words['side'] == 'kings_side' else 'c'}{rank}"
    last = option.text.split()[-1]
    if "becomes" in option.words:
        return str(option.text.split()[1].strip(",").replace("-", "") + SIGNS[last])
    return str(last.replace("-", ""))


def _amazons(state: Any, action: int) -> str:
    row, column = _spoken(state, action).split("(")[1][:-1].split(",")
    return f"{LETTERS[int(column) - 1]}{11 - int(row)}"


def _gomoku(state: Any, action: int) -> str:
    row, column = _spoken(state, action).split(",")
    return f"{LETTERS[int(column)]}{int(row) + 1}"


def _go(state: Any, action: int) -> str:
    return _spoken(state, action).split()[1].lower()


def _brings_back(state: Any, action: int) -> bool:
    """Whether their play ends as a draw because a move brings back a position; such a move is none with us."""
    after = state.child(action)
    return after.is_terminal() and not any(after.returns()) and _go(state, action) != "pass"


def _oware(play: Any, option: Any) -> str:
    """Their houses have letters, large for the first player and small for the second."""
    return str("ABCDEFabcdef"[int(option.words["h"]) - 1])


MORRIS = ("adg", "bdf", "cde", "abcefg", "cde", "bdf", "adg")  # the points of each line, from above


def _morris(play: Any, option: Any) -> str:
    return str(option.text.split()[-1])


def _their_morris(state: Any, action: int) -> str:
    """Their points are numbered from above, line by line."""
    points = [f"{x}{y}" for y, line in zip(range(7, 0, -1), MORRIS, strict=True) for x in line]
    return "-".join(points[int(number)] for number in re.findall(r"\d+", _spoken(state, action)))


def _morris_rule(play: Any, state: Any, moves: list[str]) -> str:
    """They draw after 200 turns; we by repetition or without a mill."""
    if play.over:
        return "repetition or no mill" if play.ending == "tied" else ""
    return "200 turns" if not any(state.returns()) and "Turn number: 200" in str(state) else ""


SIGNS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


def _checkers_rule(play: Any, state: Any, moves: list[str]) -> str:
    """They draw after 40 moves without a capture; we after 80 with no move of a man either, or by repetition."""
    if state.is_terminal() and all(abs(ord(move[0]) - ord(move[2])) == 1 for move in moves[-40:]):
        return "40 moves without a capture"
    if play.ending == "tied" and _repeated(state) >= 3:
        return "repetition"
    return ""


def _repeated(state: Any) -> int:
    """How often the position they stand at has come about in their play."""
    again, count = state.get_game().new_initial_state(), 1
    for action in state.history():
        if str(again) == str(state) and again.current_player() == state.current_player():
            count += 1
        again.apply_action(action)
    return count


def rivals() -> list[Rival]:
    found = [
        Rival("tic-tac-toe", "tic_tac_toe", _one("cell"), _tic_tac_toe),
        Rival("connect-four", "connect_four", lambda play, option: str(option.words["cell"][0]), _connect_four),
        Rival("reversi", "othello", _one("to"), _spoken),
        Rival("draughts", "checkers", _from_to, _spoken, other_rule=_checkers_rule),
        Rival("nine-mens-morris", "nine_mens_morris", _morris, _their_morris, other_rule=_morris_rule),
        Rival("oware", "oware", _oware, _spoken),
        Rival("chess", "chess", _lan, _chess, {"draws": "automatic"}, seats=(1, 0)),
    ]
    found += [Rival("hex", "hex", _one("c"), _spoken, {"size": n, "swap": False}, {"board_size": n}) for n in (3, 5, 9)]
    found += [
        Rival("breakthrough", "breakthrough", _from_to, _turned(n), {"size": n}, {"rows": n, "columns": n})
        for n in (6, 7, 8)
    ]
    found.append(Rival("amazons", "amazons", lambda play, option: next(iter(option.words.values())), _amazons))
    found += [Rival("gomoku", "gomoku", _one("p"), _gomoku, {"size": n}, {"size": n}) for n in (7, 15)]
    found += [
        Rival(
            "go",
            "go",
            lambda play, option: str(option.words.get("p", "pass")),
            _go,
            {"size": n},
            {"board_size": n, "komi": 7.5, "max_game_length": 100_000},
            only_theirs=_brings_back,
        )
        for n in (3, 5, 9)
    ]
    return found
