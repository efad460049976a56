"""What a position seems to be worth before it is over: weights of what each player has, and where it lies.

A position is looked at as numbers: for each piece which weight holds for it where it lies (by its sort and state, by
the space or place, by whose it is), pools and values of players, points, and whose turn it is. What all of that weighs
for a player, against the others, tells how likely it wins. `generate/judged.c` judges the same way, number for number.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from array import array
from collections.abc import Sequence
from contextlib import suppress
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.generate.c_search import counted
from ruledsl.generate.native import cache_folder
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.fingerprint import fingerprint_of
from ruledsl.types import Bool, Elem, Num, bits

from .outcome import SAID_OFFSET, Outcome, for_all_alike
from .practice import printed_on, what_is_printed

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.runtime.game import Configured

State = list[int]
FORM = 1  # of what is kept
UNIT = 256  # weights are whole numbers of so many parts of a logarithm
POWERS = [round(65536 * exp(-i / UNIT)) for i in range(4096)]
MOST_CELLS = 60_000  # of more, spaces of a board count as one
MOST_VALUES = 12  # of a state of a piece
MOST_TRAITS = 4
MOST_ROWS = 80  # sorts of pieces that are told apart by what is printed on them
WHOLE, SHARP = 1 << 16, 16
SAID_NOTHING, SAID_WEIGHED, SAID_APART, SAID_TOGETHER = range(4)  # how `heuristic:` counts
SAID_SEEN = 4096  # judgements after which those before count half
SAID_CUT = 4  # decisions at random before `heuristic:` is asked, where nothing was measured
SAID_MANNERED_CUT = 24  # decisions in a manner that was learnt: they make sense, so the answer is better after more


class Signs:
    """How positions of a configured game are looked at."""

    def __init__(self, configured: Configured) -> None:
        world, program = configured.world, configured.machine.program
        self.program, self.players = program, len(configured.players)
        self.pieces, self.spots = world.pieces.size, program.spots
        self.owner = [-1] * self.pieces
        self.sort = [-1] * self.pieces
        self.trait: list[tuple[int, int, int]] = []  # field, how many values, the least
        self.side = -1
        self._sorts(world)
        self._states(world)
        self.group = [-1] * self.spots.count
        self.holder = [-1] * self.spots.count
        self._places(world)
        self.number: list[tuple[int, int, int, int]] = []  # field, index, player, column
        self.columns = 0
        self._numbers(world)
        self.combined = (max(self.sort, default=-1) + 1) * self._values()
        self.mark = self._mark(world)
        self.says = program.heuristic is not None
        self.width = self.pieces + len(self.number) + 1 + self.players * (2 if self.says else 1)

    def _mark(self, world: GameWorld) -> str:
        """The same for rules under which positions are looked at in the same way."""
        fields = self.program.layout.fields
        told = [
            [*world.pieces.names],
            [*self.owner, *self.sort, *self.whole, *self.holder],
            [board.name for board in world.boards] + [info.name for info in world.place_infos],
            [[fields[field].name, *rest] for field, *rest in (*self.trait, *self.number)],
            [row.name for row in self.program.scoring],
            self.players,
        ]
        if self.program.heuristic is not None:
            told.append([fingerprint_of(self.program.heuristic)])
        return marked(told)

    def _values(self) -> int:
        product = 1
        for _, size, _ in self.trait:
            product *= size
        return product

    def _sorts(self, world: GameWorld) -> None:
        numbers: dict[Any, int] = {}
        printed = list(printed_on(world.pieces)) if len(set(self.program.rows)) <= MOST_ROWS else []
        for kind in world.kinds:
            for piece in bits(kind.mask):
                if kind.per_player:
                    self.owner[piece] = next(
                        p for p in range(self.players) if kind.of_player(p, self.players) >> piece & 1
                    )
                key = (kind.name, *(what_is_printed(one, piece) for one in printed))
                self.sort[piece] = numbers.setdefault(key, len(numbers))

    def _states(self, world: GameWorld) -> None:
        for number, field in enumerate(self.program.layout.fields):
            if field.kind != "state" or field.owner is not world.pieces or field.width != 1:
                continue
            match field.type:
                case Elem(root=root) if root is world.players:
                    self.side = number if self.side < 0 else self.side
                case Elem(root=root) if root.kind == "enum" and root.size <= MOST_VALUES:
                    self.trait.append((number, root.size + 1, -1))
                case Bool():
                    self.trait.append((number, 2, 0))
                case Num(low=low, high=high) if high - low < MOST_VALUES:
                    self.trait.append((number, high - low + 1, low))
        del self.trait[MOST_TRAITS:]

    def _places(self, world: GameWorld) -> None:
        self.groups = 0
        sorts = (max(self.sort, default=-1) + 1) * self._values() * self.players
        spaces = sum(board.root.size for board in world.boards)
        apart = sorts * (spaces + len(world.place_infos)) <= MOST_CELLS
        self.whole: list[int] = []  # by group, the first one that it is like: a board as a whole
        for board in world.boards:
            first = self.groups
            for i in range(board.root.size):
                if apart or not i:
                    self.whole.append(first)
                    self.groups += 1
                self.group[board.first_spot + i] = self.groups - 1
        for info in world.place_infos:
            per = info.per if isinstance(info.per, Elem) and info.per.root.kind == "player" else None
            for i in range(info.count):
                spot = self.spots.first_place + info.first + i
                self.group[spot] = self.groups
                if per is not None:
                    self.holder[spot] = i
            self.whole.append(self.groups)
            self.groups += 1

    def _numbers(self, world: GameWorld) -> None:
        for number, field in enumerate(self.program.layout.fields):
            if not counted(field) or field.owner is not world.players:
                continue
            if field.kind == "value" and not isinstance(field.type, Num | Bool):
                continue
            if field.kind == "state":
                continue
            for item in range(field.width if field.kind == "pool" else 1):
                for player in range(self.players):
                    index = player * field.width + item
                    if index < field.count * field.width:
                        self.number.append((number, index, player, self.columns))
                self.columns += 1

    def look(self, v: State, points: Sequence[int]) -> list[int]:
        """A position as numbers: a cell for each piece, the numbers, whose turn it is, the points of each player."""
        fields = self.program.layout.fields
        row = [self.cell(v, piece) for piece in range(self.pieces)]
        row += [v[fields[field].base + index] for field, index, _, _ in self.number]
        return [*row, v[C.TURN_PLAYER], *(points or [0] * self.players)]

    def cell(self, v: State, piece: int) -> int:
        """Which weight holds for a piece where it lies: its number, or -1."""
        spot, fields = v[self.spots.at + piece], self.program.layout.fields
        group, combined = self.group[spot], self.sort[piece]
        if group < 0 or combined < 0:
            return -1
        whose = self.holder[spot]
        if whose < 0:
            whose = v[fields[self.side].base + piece] if self.side >= 0 else self.owner[piece]
        if not 0 <= whose < self.players:
            return -1
        for field, size, low in self.trait:
            combined = combined * size + min(max(v[fields[field].base + piece] - low, 0), size - 1)
        return (combined * self.groups + group) * self.players + whose


class Weights:
    """What was learnt of a game: what everything weighs, and after how many decisions a play is broken off for that.
    `per_said` is for one of what `heuristic:` says, in parts of WHOLE; None where that is all there is. `taking` is for
    games in which looking ahead is stronger than a tree: how things are taken there (see `ahead`), None elsewhere."""

    def __init__(
        self,
        cells: list[int],
        columns: list[int],
        tempo: list[int],
        per_point: int,
        cut: int,
        per_said: int | None = 0,
        taking: int | None = None,
    ) -> None:
        self.cells, self.columns, self.tempo, self.per_point, self.cut = cells, columns, tempo, per_point, cut
        self.per_said, self.taking = per_said, taking
        self.by = "learnt"


def plain(configured: Configured) -> Judge:
    """Where nothing is known: each piece on a board counts alike, and each point."""
    signs = Signs(configured)
    there = {signs.group[spot] for spot in range(signs.spots.first_place)}
    cells = [
        UNIT * (cell // signs.players % signs.groups in there)
        for cell in range(signs.combined * signs.groups * signs.players)
    ]
    point = -UNIT if signs.program.lowest else UNIT
    weights = Weights(cells, [0] * signs.columns, [0] * signs.players, point, 0)
    weights.by = "pieces"
    return Judge(configured, signs, weights)


def only_said(cut: int) -> Weights:
    """Nothing but what `heuristic:` says."""
    weights = Weights([], [], [], 0, cut, None)
    weights.by = "heuristic"
    return weights


class Spread:
    """By how much what `heuristic:` says mostly differs, as a search has seen it so far: what it is measured by."""

    def __init__(self) -> None:
        self.seen = self.sum = self.whole = 0
        self.first: int | None = None  # what was said where the search began, if one plays alone

    def note(self, level: int, spread: int | None) -> int:
        """Notes what was said; `seen` times the usual spread."""
        if self.seen == SAID_SEEN:
            self.seen, self.sum, self.whole = self.seen // 2, self.sum // 2, self.whole // 2
        self.seen += 1
        self.sum += level
        self.whole += abs(level - self.sum // self.seen) if spread is None else spread
        return max(self.whole, 1)


class Judge:
    """Judges positions of a configured game by weights."""

    def __init__(self, configured: Configured, signs: Signs, weights: Weights) -> None:
        self.signs, self.weights, self.cut = signs, weights, weights.cut
        self.outcome = Outcome(configured)
        self._kept: list[Any] = []
        self.said = SAID_NOTHING
        if signs.says and weights.per_said is None:
            self.said = SAID_TOGETHER if for_all_alike(signs.program) else SAID_APART
        elif signs.says and weights.per_said:
            self.said = SAID_WEIGHED

    def begin(self, v: State, usual: Spread) -> None:
        """Who plays alone compares with where the search began: what was certain early stays as it was told then."""
        if self.said == SAID_TOGETHER and self.signs.players == 1 and usual.first is None:
            usual.first = SAID_OFFSET
            with suppress(RulesFault, LookupError, AssertionError):
                usual.first = self.outcome.said_good(v)[0]

    def judge(self, v: State, usual: Spread) -> tuple[int, ...]:
        """What a position seems to be worth to each player: the shares of WHOLE."""
        if self.said == SAID_TOGETHER:
            return self._judge_together(v, usual)
        stands = self._stand_apart(v, usual) if self.said == SAID_APART else self.stands(v)
        best = max(stands)
        powers = [POWERS[min(best - one, len(POWERS) - 1)] for one in stands]
        return tuple(power * WHOLE // sum(powers) for power in powers)

    def _judge_together(self, v: State, usual: Spread) -> tuple[int, ...]:
        """All fare alike: better than this position mostly is, or worse."""
        level = self.outcome.said_good(v)[0]
        if usual.first is not None:
            ahead = level - usual.first
            spread = usual.note(level, abs(ahead))
        else:
            spread = usual.note(level, None)
            ahead = level - usual.sum // usual.seen
        far = POWERS[min(abs(ahead) * UNIT * usual.seen // spread, len(POWERS) - 1)]
        worth = WHOLE * (POWERS[0] if ahead >= 0 else far) // (POWERS[0] + far)
        return (worth // self.signs.players,) * self.signs.players

    def _stand_apart(self, v: State, usual: Spread) -> list[int]:
        """Nothing but what `heuristic:` says tells how each player stands."""
        said = self.outcome.said_good(v)
        spread = usual.note(0, max(said) - min(said))
        return [(one - min(said)) * UNIT * usual.seen // spread for one in said]

    def stands(self, v: State) -> list[int]:
        """How each player stands, in parts of a logarithm of the odds."""
        stands = [0] * self.signs.players
        if self.said == SAID_WEIGHED:
            assert self.weights.per_said is not None
            stands = [self.weights.per_said * (one - SAID_OFFSET) >> SHARP for one in self.outcome.said_good(v)]
        self._weigh(v, stands)
        return stands

    def _weigh(self, v: State, stands: list[int]) -> None:
        """What pieces, numbers and points weigh, where they are."""
        signs, weights = self.signs, self.weights
        row = signs.look(v, self.outcome.points(v) if weights.per_point else ())
        for cell in row[: signs.pieces]:
            if cell >= 0:
                stands[cell % signs.players] += weights.cells[cell]
        for (_, _, player, column), value in zip(signs.number, row[signs.pieces :], strict=False):
            stands[player] += weights.columns[column] * value
        turn = v[C.TURN_PLAYER]
        if 0 <= turn < signs.players:
            stands[turn] += weights.tempo[turn]
        if weights.per_point:
            for player, total in enumerate(row[-signs.players :]):
                stands[player] += weights.per_point * total

    def native(self) -> Any:
        """The same for compiled code; what it points to lives as long as the judge."""
        signs, weights = self.signs, self.weights
        if not self._kept:
            tables: list[Sequence[int]] = [
                signs.owner,
                signs.sort,
                signs.group,
                signs.holder,
                [x for one in signs.trait for x in one],
                [x for one in signs.number for x in one],
                weights.cells,
                weights.columns,
                weights.tempo or [0] * signs.players,
                POWERS,
            ]
            arrays = [array("i", [*table, 0]) for table in tables]
            plain = self.said in (SAID_APART, SAID_TOGETHER)
            counts = [0, 0, 0, 0] if plain else [signs.pieces, signs.groups, len(signs.trait), len(signs.number)]
            head = array("q", [self.cut, *counts, signs.side, weights.per_point, self.said, weights.per_said or 0])
            head.extend(one.buffer_info()[0] for one in arrays)
            self._kept = [head, *arrays]
        return ctypes.c_void_p(self._kept[0].buffer_info()[0])


# ------------------------------------------------------------------------------------------------ what is kept


def marked(told: Any) -> str:
    """A short name that something else would not have."""
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24]


def beside(path: Path) -> Path:
    """The file beside a game that holds what was learnt of it."""
    return path / "learnt.json" if path.is_dir() else path.with_name(f"{path.stem.removesuffix('.game')}.learnt.json")


def kept_files(path: Path, rules: str) -> list[Path]:
    """Where to look for what was learnt: in the cache, then beside the game."""
    folder = path.parent if path.name == "game.yaml" else path
    return [cache_folder() / f"learnt-{rules[:32]}.json", beside(folder)]


def entries(file: Path) -> dict[str, Any]:
    """What a file holds of what was learnt, by what it is of; nothing if it cannot be read."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def write_entry(file: Path, mark: str, entry: dict[str, Any]) -> None:
    """Writes something down that was learnt, beside what the file holds for other numbers of players or options."""
    kept = {**entries(file), mark: entry}
    file.parent.mkdir(parents=True, exist_ok=True)
    text = ",\n".join(f"{json.dumps(mark)}: {json.dumps(one, separators=(',', ':'))}" for mark, one in kept.items())
    file.write_text("{\n" + text + "\n}\n", encoding="utf-8")


def found(configured: Configured, path: Path) -> Judge | None:
    """What was learnt of a game under these rules; else what its `heuristic:` says, if it has one."""
    says = configured.machine.program.heuristic is not None
    files = [file for file in kept_files(path, configured.rules) if file.exists()]
    signs = Signs(configured) if files or says else None
    for file in files:
        assert signs is not None
        kept = entries(file).get(signs.mark)
        try:
            if kept is None or kept["form"] != FORM:
                continue
            cells = [0] * (signs.combined * signs.groups * signs.players)
            for number, weight in kept["cells"]:
                cells[number] = weight
            weights = Weights(
                cells, kept["columns"], kept["tempo"], kept["per_point"], kept["cut"], kept.get("per_said", 0)
            )
            weights.taking = kept.get("taking")
        except (ValueError, KeyError, TypeError, IndexError):
            continue
        return Judge(configured, signs, weights)
    return Judge(configured, signs, only_said(SAID_CUT)) if says and signs is not None else None


def keep(file: Path, judge: Judge) -> None:
    """Writes down how positions are judged."""
    weights = judge.weights
    entry = {
        "form": FORM,
        "players": judge.signs.players,
        "cells": [[number, weight] for number, weight in enumerate(weights.cells) if weight],
        "columns": weights.columns,
        "tempo": weights.tempo,
        "per_point": weights.per_point,
        "cut": weights.cut,
        **({"per_said": weights.per_said} if judge.signs.says else {}),
        **({"taking": weights.taking} if weights.taking is not None else {}),
    }
    write_entry(file, judge.signs.mark, entry)


__all__ = [
    *("Judge", "Signs", "Spread", "Weights", "beside", "entries", "found"),
    *("keep", "kept_files", "marked", "only_said", "plain", "write_entry"),
]
