"""Everything that is measured of a game: loading, states, and plays on each executor beside each peer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from types import ModuleType
from typing import Any

from ruledsl import shipped
from ruledsl.analysis.declarations.options import NONE_WORD, may_be_none
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured, load
from ruledsl.simulation.executors import Unavailable
from ruledsl.types import Bool, Elem, Type, none_of

from . import openspiel
from .clock import Rate, Ratio, Subject, interleaved, ratio, timed, with_children
from .executors import Cost, Executor
from .peers import Peer

SHORT = 0.1  # CPU seconds in which the decisions of a peer's play are counted
LOADS = 3


@dataclass(frozen=True)
class Row:
    """One executor or peer in the plays of one game."""

    rate: Rate
    cost: Cost | None = None  # of our own executors
    beside: Ratio | None = None  # how many times as fast as the first peer


@dataclass
class Result:
    """What was measured of a game for one number of players and one set of options."""

    game: str
    path: Path
    players: int
    options: dict[str, Any]
    cold: float  # CPU seconds of a new process from its start until the rules are a program
    load: float  # the same in a process that has loaded games before
    slots: int  # numbers in a state
    rows: list[Row] = field(default_factory=list)
    peer: str = ""  # the name of the peer that the ratios are to
    note: str = ""
    lacking: dict[str, str] = field(default_factory=dict)  # executors that cannot be had, and why

    def row(self, name: str) -> Row | None:
        return next((row for row in self.rows if row.rate.name == name), None)


@dataclass(frozen=True)
class Plan:
    """How to measure: on which executors, for how many CPU seconds each, in how many rounds, beside whom."""

    executors: Sequence[str]
    seconds: float = 2.0
    rounds: int = 5
    spiel: ModuleType | None = None  # OpenSpiel, if its plays are wanted
    others: Sequence[Subject] = ()  # more that take their turns with the rest


def measure(
    plan: Plan, path: Path, peer: Peer | None, players: int | None, options: dict[str, Any], names: list[str] | None
) -> Result:
    """Loads a game and plays it in all ways of the plan, in turns."""
    loading, configured = _load(path, players, options, names)
    ours, lacking = [], {}
    for name in plan.executors:
        try:
            ours.append(Executor(name, configured))
        except Unavailable as problem:
            lacking[name] = str(problem)
    result = Result(
        path.parent.name if path.stem == "game" else path.stem,
        path,
        len(configured.players),
        {name: _plain(kind, value) for name, (kind, value) in configured.world.options.items()},
        _cold(path, players, options, names),
        loading,
        configured.machine.program.layout.size,
    )
    result.lacking = lacking
    theirs: list[Subject] = []
    if plan.spiel is not None and peer is not None:
        theirs = _theirs(plan.spiel, peer, configured)
        result.peer = theirs[0].name if theirs else ""
        result.note = _note(peer, result) if theirs else "OpenSpiel has this game for another number of players"
    rates = interleaved([*ours, *theirs, *plan.others], plan.seconds, plan.rounds)
    first = next((rate for rate in rates if rate.name == result.peer), None)
    costs = [executor.cost() for executor in ours] + [None] * (len(rates) - len(ours))
    for rate, cost in zip(rates, costs, strict=True):
        beside = ratio(rate, first) if first is not None and rate is not first else None
        result.rows.append(Row(rate, cost, beside))
    return result


def _load(
    path: Path, players: int | None, options: dict[str, Any], names: list[str] | None
) -> tuple[float, Configured]:
    """The game worked out, and the shortest time that took."""
    made: list[Configured] = []

    def work_out() -> None:
        made.append(load(path).configured(players, options, names))

    return min(timed(work_out) for _ in range(LOADS)), made[-1]


def _cold(path: Path, *configuration: Any) -> float:
    """What loading takes in a new process."""
    code = "import json, sys, ruledsl; path, *how = json.loads(sys.argv[1]); ruledsl.load(path).configured(*how)"
    where = os.pathsep.join(filter(None, [str(shipped.PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-c", code, json.dumps([str(path), *configuration])]
    environment = os.environ | {"PYTHONPATH": where}
    # Ctrl-C ends that process too; what it says of it is not for the user.
    return with_children(lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL, env=environment))


def _theirs(spiel: ModuleType, peer: Peer, configured: Configured) -> list[Subject]:
    """OpenSpiel in both ways: what it does inside its library first, for that is what counts.

    Nothing, if its game is for another number of players.
    """
    parameters = peer.parameters_for(configured)
    driven = openspiel.Driven(spiel, peer.openspiel, parameters)
    if driven.game.num_players() != len(configured.players):
        return []
    found = driven.run(SHORT)
    return [openspiel.Inside(spiel, peer.openspiel, parameters, found.decisions / found.plays), driven]


def _note(peer: Peer, result: Result) -> str:
    """What to mind in comparing, options that make the games different first."""
    other = [f"{name}={written(value)}" for name, value in peer.options.items() if result.options[name] != value]
    return "; ".join(filter(None, [f"OpenSpiel's game is that of {' '.join(other)}" if other else "", peer.note]))


def _plain(kind: Type, value: Any) -> Any:
    """The value of an option as a number, a boolean or a word."""
    if isinstance(kind, Bool):
        return bool(value)
    if may_be_none(kind) and value == none_of(kind):
        return NONE_WORD
    return kind.root.names[value] if isinstance(kind, Elem) else value


def written(value: Any) -> str:
    """The plain value of an option as the command line takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
