"""Single plays as a table: a line for each, in CSV or JSON Lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from typing import Any, TextIO

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
from ruledsl.types import bits

from .work import One, Task

KINDS = (".csv", ".jsonl")
_NUMBERS = {
    "turns": TURNS,
    "rounds": ROUNDS,
    "decisions": DECISIONS,
    "options": OPTIONS,
    "most_options": MOST_OPTIONS,
    "forced": FORCED,
}


Head = Callable[[One], dict[str, Any]]


def writer(kind: str, file: TextIO, shape: Shape, players: list[str], task: Task) -> Callable[[One], None]:
    """What writes a play as the next line of a file."""
    return (_csv if kind == ".csv" else _jsonl)(file, shape, players, _head(task))


def _jsonl(file: TextIO, shape: Shape, players: list[str], head: Head) -> Callable[[One], None]:
    def write(one: One) -> None:
        line = head(one)
        line["ending"] = ENDINGS[one.row[ENDING]]
        line["winners"] = [players[seat] for seat in bits(one.row[WINNERS])]
        if shape.sources:
            line["points"] = {
                player: {
                    "total": one.row[shape.points(seat)],
                    **{name: one.row[shape.source(seat, at)] for at, name in enumerate(shape.sources)},
                }
                for seat, player in enumerate(players)
            }
        line |= {name: one.row[column] for name, column in _NUMBERS.items()}
        line["fault"] = None
        if one.fault is not None:
            line["fault"] = {"message": one.fault.message, "file": one.fault.path, "line": one.fault.line}
        file.write(json.dumps(line, ensure_ascii=False) + "\n")

    return write


def _csv(file: TextIO, shape: Shape, players: list[str], head: Head) -> Callable[[One], None]:
    columns = dict(_columns(shape, players))
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow([*head(One(0, 0, 0, [], None)), "ending", "winners", *columns, "fault"])

    def write(one: One) -> None:
        winners = " ".join(players[seat] for seat in bits(one.row[WINNERS]))
        fault = ""
        if one.fault is not None:
            fault = f"{one.fault.path}:{one.fault.line}: {one.fault.message}" if one.fault.path else one.fault.message
        numbers = [one.row[column] for column in columns.values()]
        lines.writerow([*head(one).values(), ENDINGS[one.row[ENDING]], winners, *numbers, fault])

    return write


def _columns(shape: Shape, players: list[str]) -> Iterator[tuple[str, int]]:
    """The numbers of a line by their names."""
    for seat, player in enumerate(players if shape.sources else ()):
        yield f"points {player}", shape.points(seat)
    for seat, player in enumerate(players):
        for at, name in enumerate(shape.sources if len(shape.sources) > 1 else ()):
            yield f"{name} {player}", shape.source(seat, at)
    yield from _NUMBERS.items()


def _head(task: Task) -> Head:
    """Plays are counted from 1, as people count. In a campaign the seed of all its plays is the one that it begins
    with: `play --campaign` takes it, and it survives spreadsheets, which the numbers made of it do not."""

    def campaign(one: One) -> dict[str, Any]:
        return {"campaign": one.number + 1, "play": one.play + 1, "seed": play_seed(task.seed, one.number)}

    def single(one: One) -> dict[str, Any]:
        return {"play": one.number + 1, "seed": one.seed}

    return campaign if task.campaign else single
