"""Work on many machines, through Ray: pieces of one piece of work are done wherever there is room.

What a piece comes to does not depend on who does it, nor how often it was begun: if a worker dies, its piece is
done again by another. The rules travel with the work, so machines need ruledsl, and no files.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from ruledsl.analysis.declarations.looks import pictures_of
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.records import dataclass
from ruledsl.runtime.game import Game
from ruledsl.source.scan import shown_path, unsaved
from ruledsl.started import installing

HERE = "local"  # instead of an address: workers on this machine, which end with this process
RUNNING = "auto"  # the cluster that this machine is part of
STORE = 100 << 20  # bytes for what local workers share
PATIENCE = 10  # seconds to wait for an address
AHEAD = 2  # pieces for each worker that are asked for before they are needed


class NoCluster(Exception):
    """There is nobody to work; the message says why."""


class Cluster:
    """Workers. `cores` of them work at once."""

    def __init__(self, address: str, cores: int) -> None:
        try:
            self.ray: Any = import_module("ray")
        except ImportError:
            raise NoCluster(f"working on a cluster needs Ray: {installing('cluster')}") from None
        _reachable(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        own = {"num_cpus": cores, "object_store_memory": STORE, "include_dashboard": False} if address == HERE else {}
        try:
            self.ray.init(address, log_to_driver=False, logging_level="ERROR", **own)
        except (ConnectionError, ValueError, RuntimeError, OSError) as problem:
            raise NoCluster(_why(address, problem)) from None
        self.cores = int(self.ray.cluster_resources().get("CPU", 0))
        if not self.cores:
            self.close()
            raise NoCluster("the cluster has no processor to work on")

    def close(self) -> None:
        self.ray.shutdown()

    def crew(self, prepare: Callable[[Any], Any], given: Any) -> Crew:
        """Workers with `prepare(given)` at hand, which each of them works out once. Functions are those of a module."""
        return Crew(self, prepare, given)

    def answers(
        self, prepare: Callable[[Any], Any], given: Any, do: Callable[[Any, Any], Any], items: Iterable[Any]
    ) -> Iterator[Any]:
        """What `do(prepare(given), item)` gives for each item, as it comes: in no order."""
        return self.crew(prepare, given).answers(do, items)


class Crew:
    """Workers who are prepared for one sort of work, and may be asked for more of it again and again."""

    def __init__(self, cluster: Cluster, prepare: Callable[[Any], Any], given: Any) -> None:
        self.cluster, self.prepare, self.name = cluster, prepare, uuid4().hex
        self.place = [cluster.ray.put(given)]

    def answers(self, do: Callable[[Any, Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """What `do` gives for each item, as it comes: in no order."""
        ray = self.cluster.ray
        piece = ray.remote(max_retries=-1, num_cpus=1)(_piece)
        busy: list[Any] = []
        try:
            for item in items:
                busy.append(piece.remote(self.name, self.place, self.prepare, do, item))
                if len(busy) >= AHEAD * self.cluster.cores:
                    yield self._next(busy)
            while busy:
                yield self._next(busy)
        except ray.exceptions.RaySystemError as problem:
            raise NoCluster(f"the cluster is gone: {problem}") from None
        finally:
            for one in busy:
                ray.cancel(one, force=True)

    def _next(self, busy: list[Any]) -> Any:
        """The first that is done; a mistake of a piece is raised as if it had been made here."""
        ray = self.cluster.ray
        (done, *_), busy[:] = ray.wait(busy)
        try:
            return ray.get(done)
        except ray.exceptions.RayTaskError as problem:
            raise RuntimeError(f"{type(problem.cause).__name__}: {problem.cause}") from None


def _reachable(address: str) -> None:
    """Ray goes on trying for minutes where nobody answers."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as problem:
        raise NoCluster(_why(address, problem)) from None


def _why(address: str, problem: Exception) -> str:
    if address == RUNNING:
        return (
            "this machine is part of no cluster: `ray start --head` begins one, `--cluster ADDRESS` names another, "
            f"`--cluster {HERE}` works with processes on this machine"
        )
    return f"no cluster can be reached at `{address}`: {str(problem).splitlines()[0]}"


# ------------------------------------------------------------------------------------------- in the worker

_PREPARED: dict[str, Any] = {}


def _piece(name: str, place: list[Any], prepare: Callable[[Any], Any], do: Callable[[Any, Any], Any], item: Any) -> Any:
    if name not in _PREPARED:
        _PREPARED.clear()
        _PREPARED[name] = prepare(import_module("ray").get(place[0]))
    return do(_PREPARED[name], item)


# ------------------------------------------------------------------------------------------- rules that travel


@dataclass(frozen=True)
class Shipped:
    """The files of a game as they were read: where each lies, how the user knows it, and what it holds."""

    path: str
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)

    @contextmanager
    def game(self) -> Iterator[Game]:
        """The game, on a machine that need not have its files. They are at hand inside: what is to be played is
        configured there."""
        with unsaved({Path(path): text for path, (_, text) in self.files.items()}):
            yield Game(load_blueprint(Path(self.path)))

    def known(self) -> dict[str, str]:
        """How the user knows each file, by what it is called here."""
        return {shown_path(Path(path)): known for path, (known, _) in self.files.items()}


def shipped(game: Game) -> Shipped:
    """All that a game is read from; pictures too, for they are looked at when rules are worked out."""
    files = {str(Path(file.path).resolve()): (file.path, file.text.encode()) for file in game.blueprint.source.files}
    for name in pictures_of(game.blueprint):
        path = (game.blueprint.source.root / name).resolve()
        files[str(path)] = (name, path.read_bytes())
    return Shipped(str(game.path.resolve()), files)


__all__ = ["HERE", "RUNNING", "Cluster", "Crew", "NoCluster", "Shipped", "shipped"]
