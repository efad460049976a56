"""Replays: a play written down decision by decision, and played again, to see where changed rules part from it.

A replay is JSON Lines: a header, then a line for each decision with what chance brought after it and a short
hash of the state. What was decided is the truth; the hashes only tell where two plays part.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.options import OptionError
from ruledsl.boards.marks import plain
from ruledsl.diagnostics.model import GameError
from ruledsl.ir import core as C
from ruledsl.records import dataclass

from .save import MOST_SAID
from .typed import NEAREST, nearest, told

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

    from .play import Play

FORMAT = 1
MOST_BYTES = 50_000_000


class ReplayError(Exception):
    """A file that is no replay, or none of this game; in words for the one who tried, never raw ones of the file."""

    def __init__(self, message: str) -> None:
        super().__init__(plain(message)[:MOST_SAID])


@dataclass(frozen=True)
class Record:
    """One decision: whose, which option, what chance brought after it, the state then."""

    number: int
    player: str
    option: str
    chance: tuple[Any, ...]
    state: str
    text: str = ""


@dataclass(frozen=True)
class Replay:
    """A replay as read from a file."""

    header: dict[str, Any]
    records: tuple[Record, ...]
    kept: dict[str, Any] | None = None  # what a game of a campaign began with
    settled: bool = False  # whether what happens between two games of a campaign had happened


@dataclass(frozen=True)
class Divergence:
    """Where the rules of today part from a replay."""

    number: int  # of the decision, from 1; 0 for what comes before the first
    player: str
    kind: str  # option, player, chance, state, over, unfinished, fault
    recorded: str
    now: str = ""
    offered: tuple[str, ...] = ()  # what is offered now, nearest first


def short_hash(play: Play) -> str:
    """Stands for the state; the streams of chance are left out, for a replay answers chance itself."""
    state = play.state[: play.machine.program.layout.size]
    state[C.STREAMS : C.STREAMS + len(C.STREAM_NAMES)] = [0] * len(C.STREAM_NAMES)
    return hashlib.sha256(",".join(map(str, map(int, state))).encode()).hexdigest()[:10]


# ----------------------------------------------------------------------------------------------- writing


@dataclass
class Recorder:
    """Follows a play and can write it down; told by `note` after every change of the play."""

    play: Play
    hashes: dict[int, str] = field(default_factory=dict)  # by the number of decisions and chance outcomes so far

    def __post_init__(self) -> None:
        self.note()

    def note(self) -> None:
        count = len(self.play.decisions)
        self.hashes = {n: found for n, found in self.hashes.items() if n < count}
        self.hashes[count] = short_hash(self.play)

    def text(self) -> str:
        """The replay of the play up to now."""
        play = self.play
        rows: list[dict[str, Any]] = [_header(play)]
        chance: list[Any] = []
        rows[0]["chance"] = chance
        for at, decision in enumerate(play.decisions):
            if decision.seat < 0:
                chance.append(_chance(play, decision.choice))
            else:
                chance = []
                rows.append(
                    {"n": len(rows), "player": play.players[decision.seat], "option": decision.text, "chance": chance}
                )
            known = self.hashes.get(at + 1)
            if known is not None:
                rows[-1]["state"] = known
        return "".join(json.dumps(row, ensure_ascii=False, separators=(", ", ": ")) + "\n" for row in rows)


def _header(play: Play) -> dict[str, Any]:
    try:
        engine = version("ruledsl")
    except PackageNotFoundError:
        engine = "unknown"
    return {
        "replay": FORMAT,
        "engine": engine,
        "game": play.game.name,
        "rules": play.configured.rules,
        "files": dict(files_of(play.game)),
        "players": play.players,
        "options": play.configured.options,
        "seed": play.seed,
    }


def files_of(game: Game) -> list[tuple[str, str]]:
    """The files of the rules, each with a hash, so that one sees which was changed."""
    found: dict[str, str] = {}
    source = game.blueprint.source
    tables = [rows[0] for rows in source.tables.values() if isinstance(rows, list) and rows]
    for node in [*(part.node for part in source.parts), *tables]:
        file = node.span.file
        name = file.path.replace("\\", "/").rsplit("/", 1)[-1]
        found[name] = hashlib.sha256(file.text.encode()).hexdigest()[:10]
    return sorted(found.items())


def _chance(play: Play, outcome: Any) -> Any:
    """An outcome as it is written: the pieces of a shuffle by name, from the bottom up; else its number."""
    if isinstance(outcome, tuple):
        return [play.world.pieces.names[piece] for piece in outcome]
    return int(outcome)


# ----------------------------------------------------------------------------------------------- reading


def parse(text: str) -> Replay:
    """The replay in the text of a file, checked line by line."""
    if len(text) > MOST_BYTES:
        raise ReplayError("this file is too large to be a replay")
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise ReplayError(f"line {number} of this replay cannot be read as JSON") from None
        if not isinstance(row, dict):
            raise ReplayError(f"line {number} of this replay is not a record")
        rows.append(row)
    if len(rows) == 1 and "ruledsl" in rows[0]:
        return _of_save(rows[0])
    if not rows or "replay" not in rows[0]:
        raise ReplayError("this is not a replay: its first line must be the header that `ruledsl play --record` writes")
    header = rows[0]
    if header["replay"] != FORMAT:
        raise ReplayError(f"this replay has format {header['replay']}, and this program reads format {FORMAT}")
    sorts = {"game": str, "rules": str, "players": list, "options": dict, "seed": int, "chance": list}
    for key, sort in sorts.items():
        if not isinstance(header.get(key), sort) or isinstance(header.get(key), bool):
            raise ReplayError(f"`{key}` is missing in the header of this replay, or wrong")
    if not header["players"] or not all(isinstance(name, str) for name in header["players"]):
        raise ReplayError("`players` is wrong in the header of this replay")
    return Replay(header, tuple(_record(row, number) for number, row in enumerate(rows[1:], 1)))


def _of_save(found: dict[str, Any]) -> Replay:
    """A save as a replay, or the game of a campaign that is under way."""
    from .save import SaveError
    from .save import parse as parse_save

    kept = found.get("kept") if "campaign" in found else None
    try:
        save = parse_save(found["play"] if isinstance(found.get("play"), dict) else found)
    except SaveError as problem:
        raise ReplayError(str(problem)) from None
    named = save.get("named")
    pieces = list(named["rows"]) if isinstance(named, dict) and isinstance(named.get("rows"), dict) else []
    rows: list[dict[str, Any]] = [{"chance": []}]
    for seat, choice, text in save["decisions"]:
        if seat >= 0:
            rows.append({"player": save["players"][seat], "option": text, "chance": []})
        elif isinstance(choice, list) and not all(0 <= piece < len(pieces) for piece in choice):
            raise ReplayError("a decision of this save is about pieces that are not there")
        else:
            rows[-1]["chance"].append([pieces[piece] for piece in choice] if isinstance(choice, list) else choice)
    header = {key: save[key] for key in ("game", "rules", "players", "options", "seed")}
    records = tuple(_record(row, number) for number, row in enumerate(rows[1:], 1))
    return Replay(header | rows[0], records, kept if isinstance(kept, dict) else None, save["settled"])


def _record(row: dict[str, Any], number: int) -> Record:
    player, option, chance = row.get("player"), row.get("option"), row.get("chance", [])
    if not isinstance(player, str) or not isinstance(option, str) or not isinstance(chance, list):
        raise ReplayError(f"decision {number} of this replay is not a record of a decision")
    state = row.get("state", "")
    return Record(number, player, option, tuple(chance), state if isinstance(state, str) else "")


def options_of(replay: Replay) -> dict[str, Any]:
    """The options that a replay was made with, as texts, as `Game.start` takes them."""
    found: dict[str, Any] = {}
    for name, value in replay.header["options"].items():
        found[str(name)] = [str(x) for x in value] if isinstance(value, list) else value
    return found


# ---------------------------------------------------------------------------------------------- replaying


class Rerun:
    """Plays a replay again with the rules of now, step by step, until they part."""

    def __init__(self, game: Game, replay: Replay) -> None:
        self.game, self.replay = game, replay
        header = replay.header
        if header["game"] != game.name:
            raise ReplayError(f"this is a replay of `{header['game']}`, not of `{game.name}`")
        players: list[str] = header["players"]
        from .save import default_names

        count = len(players)
        names = None if count in game.players and players == default_names(game, count) else players
        try:
            self.play = self._begun(count, names)
        except (OptionError, GameError, TypeError, ValueError) as problem:
            raise ReplayError(f"the players and options of this replay do not fit the rules: {problem}") from None
        self.at = 0
        self.same_rules = header["rules"] == self.play.configured.rules
        self.parted: Divergence | None = self._chance(0, header["chance"], 0)

    def _begun(self, count: int, names: list[str] | None) -> Any:
        """The play at its start; a game of a campaign with what was kept from those before it."""
        seed, options = self.replay.header["seed"], options_of(self.replay)
        if not self.replay.kept:
            return self.game.start(count, seed, options, names, chance="ask")
        from .campaign import restore
        from .play import Play
        from .save import SaveError

        configured = self.game.configured(count, options, names)
        state = configured.machine.start(seed)
        try:
            restore(configured, state, self.replay.kept)
        except SaveError as problem:
            raise ReplayError(f"what this game of a campaign began with does not fit the rules: {problem}") from None
        return Play(self.game, configured, seed, ask_chance=True, state=state)

    @property
    def done(self) -> bool:
        return self.parted is not None or self.at == len(self.replay.records)

    def step(self) -> None:
        """The next decision."""
        record = self.replay.records[self.at]
        self.parted = self._step(record)
        if self.parted is None:
            self.at += 1

    def _step(self, record: Record) -> Divergence | None:
        play = self.play
        if play.over:
            if play.fault is not None:
                return Divergence(record.number, record.player, "fault", record.option, play.fault.message)
            return Divergence(record.number, record.player, "over", record.option, play.ending)
        if record.player not in play.players or play.players.index(record.player) not in play.pending:
            asked = ", ".join(play.players[seat] for seat in play.pending)
            return Divergence(record.number, record.player, "player", record.option, asked)
        seat = play.players.index(record.player)
        options = play.options(seat)
        names = told(options)
        chosen = options[names.index(record.option)] if record.option in names else None
        if chosen is None:
            near = tuple(names[o.index] for o in nearest(options, record.option)) or tuple(names[:NEAREST])
            return Divergence(record.number, record.player, "option", record.option, "", near)
        before = len(play.decisions)
        play.choose(chosen, seat)
        parted = self._chance(record.number, record.chance, before + 1)
        if parted is None and record.state and record.state != short_hash(play) and self.same_rules:
            return Divergence(record.number, record.player, "state", record.option, short_hash(play))
        return parted

    def _to_settle(self) -> bool:
        return self.replay.settled and self.play.over and not self.play.settled and self.play.fault is None

    def _chance(self, number: int, recorded: Sequence[Any], since: int) -> Divergence | None:
        """Answers what is random with what was recorded, until somebody has to decide."""
        play = self.play
        player = self.replay.records[number - 1].player if number else ""
        while play.chance is not None or self._to_settle():
            if play.chance is None:
                play.settle()
                continue
            used = sum(decision.seat < 0 for decision in play.decisions[since:])
            if used >= len(recorded):
                return Divergence(number, player, "chance", "", _point(play))
            outcome = _outcome(play, recorded[used])
            if outcome is None:
                return Divergence(number, player, "chance", _written(recorded[used]), _point(play))
            play.answer(outcome)
        return None


def _outcome(play: Play, recorded: Any) -> Any:
    """A recorded outcome as `Play.answer` takes it; None if it cannot come about here."""
    point = play.chance
    assert point is not None, "an outcome is recorded where chance was asked"
    known = [value for value, _, _ in point.outcomes]
    if point.kind == "shuffle":
        numbers = {play.world.pieces.names[piece]: piece for piece in known}
        if not isinstance(recorded, list) or not all(isinstance(x, str) for x in recorded):
            return None
        if set(recorded) != set(numbers) or len(recorded) != len(numbers):
            return None
        return [numbers[name] for name in reversed(recorded)]
    if isinstance(recorded, bool) or not isinstance(recorded, int):
        return None
    return recorded if recorded in known else None


def _point(play: Play) -> str:
    point = play.chance
    assert point is not None, "play stands where chance is asked"
    names = ", ".join(name for _, _, name in point.outcomes[:6])
    return f"{point.kind}: {names}{', …' if len(point.outcomes) > 6 else ''}"


def _written(outcome: Any) -> str:
    text = ", ".join(map(str, outcome)) if isinstance(outcome, list) else str(outcome)
    return text if len(text) <= 80 else text[:79] + "…"


__all__ = ["FORMAT", "Divergence", "Record", "Recorder", "Replay", "ReplayError", "Rerun", "parse", "short_hash"]
