"""Single plays as a table: a line for each, in CSV or JSON Lines.

How a line is written is data (`Line`): texts, and between them what differs from play to play. Here lines are made of
rows in Python; `native_rows.py` lets compiled code do the same with the same data.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence

from ruledsl.engine.batch import (
    DECISIONS,
    ENDING,
    FORCED,
    MOST_OPTIONS,
    OPTIONS,
    ROUNDS,
    TURNS,
    WINNERS,
    Shape,
    play_seed,
)
from ruledsl.ir.core import ENDINGS
from ruledsl.records import dataclass
from ruledsl.types import bits

from .digest import Fault

KINDS = (".csv", ".jsonl")
_NUMBERS = {
    "turns": TURNS,
    "rounds": ROUNDS,
    "decisions": DECISIONS,
    "options": OPTIONS,
    "most_options": MOST_OPTIONS,
    "forced": FORCED,
}

# Parts of a line that are no text and no field of the row. Plays are counted from 1, as people count. The seed is that
# of the play, or of its campaign: `play --campaign` takes it, and it survives spreadsheets, which the numbers made of
# it for the plays of a campaign do not.
NUMBER, OF_CAMPAIGN, SEED, RESULT, FAULT = -1, -2, -3, -4, -5

Part = str | int  # a text, a field of the row, or one of those above


@dataclass(frozen=True)
class Line:
    """How every play is written down."""

    head: str  # the line before the first
    parts: tuple[Part, ...]
    result: Callable[[int, int], str]  # by ending and winners
    fault: Callable[[Fault | None], str]

    def write(self, number: int, play: int, seed: int, row: Sequence[int], fault: Fault | None) -> str:
        """The line of a play. `number` is of the play, or of the campaign in which it is number `play`; both from 0."""
        of = {
            NUMBER: lambda: str(number + 1),
            OF_CAMPAIGN: lambda: str(play + 1),
            SEED: lambda: str(play_seed(seed, number)),
            RESULT: lambda: self.result(row[ENDING], row[WINNERS]),
            FAULT: lambda: self.fault(fault),
        }
        return "".join(
            part if isinstance(part, str) else of[part]() if part < 0 else str(row[part]) for part in self.parts
        )


def line(kind: str, shape: Shape, players: list[str], campaign: bool) -> Line:
    """How plays of a game are written in a file that ends in `kind`."""
    first: dict[str, Part] = {"play": NUMBER, "seed": SEED}
    if campaign:
        first = {"campaign": NUMBER, "play": OF_CAMPAIGN, "seed": SEED}
    return (_csv if kind == ".csv" else _jsonl)(first, shape, players)


def _jsonl(first: dict[str, Part], shape: Shape, players: list[str]) -> Line:
    parts: list[Part] = ["{"]
    for name, part in first.items():
        parts += [f"{_json(name)}:", part, ","]
    parts += [RESULT, ","]
    if shape.sources:
        parts.append('"points":{')
        for seat, player in enumerate(players):
            parts += ["," if seat else "", _json(player), ':{"total":', shape.points(seat)]
            for at, name in enumerate(shape.sources):
                parts += [f",{_json(name)}:", shape.source(seat, at)]
            parts.append("}")
        parts.append("},")
    for name, column in _NUMBERS.items():
        parts += [f"{_json(name)}:", column, ","]
    parts += ['"fault":', FAULT, "}\n"]

    def result(ending: int, winners: int) -> str:
        told = {"ending": ENDINGS[ending], "winners": [players[seat] for seat in bits(winners)]}
        return _json(told)[1:-1]

    def fault(one: Fault | None) -> str:
        return _json({"message": one.message, "file": one.path, "line": one.line} if one is not None else None)

    return Line("", tuple(parts), result, fault)


def _json(told: object) -> str:
    """Without blanks: they would be an eighth of a file of a million plays."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _csv(first: dict[str, Part], shape: Shape, players: list[str]) -> Line:
    columns = dict(_columns(shape, players))
    parts: list[Part] = []
    for part in (*first.values(), RESULT, *columns.values()):
        parts += [part, ","]
    parts += [FAULT, "\n"]

    def result(ending: int, winners: int) -> str:
        return f"{_field(ENDINGS[ending])},{_field(' '.join(players[seat] for seat in bits(winners)))}"

    def fault(one: Fault | None) -> str:
        if one is None:
            return ""
        return _field(f"{one.path}:{one.line}: {one.message}" if one.path else one.message)

    head = ",".join(_field(name) for name in (*first, "ending", "winners", *columns, "fault"))
    return Line(head + "\n", tuple(parts), result, fault)


def _field(text: str) -> str:
    """A field of a line of several, in quotation marks where it needs them."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow([text, ""])
    return file.getvalue()[: -len(",\n")]


def _columns(shape: Shape, players: list[str]) -> Iterator[tuple[str, int]]:
    """The numbers of a line by their names."""
    for seat, player in enumerate(players if shape.sources else ()):
        yield f"points {player}", shape.points(seat)
    for seat, player in enumerate(players):
        for at, name in enumerate(shape.sources if len(shape.sources) > 1 else ()):
            yield f"{name} {player}", shape.source(seat, at)
    yield from _NUMBERS.items()
