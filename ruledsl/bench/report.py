"""Results as tables for people, and as plain data for programs."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from .measure import Result, Row
from .passes import PassesResult


def table(result: Result) -> str:
    """One game: what it is, then a line for every executor and peer."""
    head = ["", "plays/s", "decisions/s", "per play"]
    lines = [[f"  {r.rate.name}", *_rates(r)] for r in result.rows]
    if result.peer:
        head += [f"to {result.peer}", "over the rounds"]
        for line, row in zip(lines, result.rows, strict=True):
            line += _beside(row, result.peer)
    head += ["state", "copy", "ready"]
    for line, row in zip(lines, result.rows, strict=True):
        line += _cost(row)
    if any(row.cost is not None and row.cost.cold is not None for row in result.rows):
        head.append("cold")
        for line, row in zip(lines, result.rows, strict=True):
            line.append(duration(row.cost.cold) if row.cost is not None and row.cost.cold is not None else "")
    told = [title(result), *_aligned([head, *lines])]
    told += [f"  {line}" for row in result.rows for line in _unfinished(row)]
    told += [f"  {name} is left out: {why}" for name, why in result.lacking.items()]
    if result.note:
        told.append(f"  note: {result.note}")
    return "\n".join(told)


def title(result: Result) -> str:
    """`hex, 2 players, size=11 swap=false: 393 numbers in a state, loaded in 0.4 s, then 6 ms`."""
    options = " ".join(f"{name}={value}" for name, value in result.options.items())
    players = "1 player" if result.players == 1 else f"{result.players} players"
    about = ", ".join(filter(None, [result.game, players, options]))
    return (
        f"{about}: {result.slots} numbers in a state, loaded in {duration(result.cold)}, then {duration(result.load)}"
    )


def growth(name: str, values: Sequence[str], results: Sequence[Result]) -> str:
    """How the plays per second go with an option or the number of players."""
    subjects = [row.rate.name for row in results[0].rows]
    head = [name, "numbers", "per play", *(f"{subject}, plays/s" for subject in subjects)]
    if results[0].peer:
        head += [f"{row.rate.name} to {results[0].peer}" for row in results[0].rows if row.cost is not None]
    lines = []
    for value, result in zip(values, results, strict=True):
        line = [value, str(result.slots), length(result.rows[0].rate.decisions_per_play)]
        line += [number(row.rate.plays_per_second) for row in result.rows]
        line += [times(row.beside.middle) for row in result.rows if row.cost is not None and row.beside is not None]
        lines.append(line)
    return "\n".join([f"{results[0].game} by {name}", *_aligned([head, *lines])])


def passes_table(result: PassesResult) -> str:
    """What each pass brings: how fast plays are without it, to how fast they are."""
    head = ["", "plays/s", "without it", "over the rounds"]
    lines = [[f"  {result.language}", number(result.whole.plays_per_second)]]
    for name, rate, beside in result.rows:
        spread = f"{times(beside.low)} to {times(beside.high)}"
        lines.append([f"  {name}", number(rate.plays_per_second), times(beside.middle), spread])
    told = [f"{result.game}: plays without a pass of the generator, to plays with all", *_aligned([head, *lines])]
    if result.idle:
        told += wrap(f"  no use here: {', '.join(result.idle)}", 100, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(told)


def to_json(results: Sequence[Result], seconds: float, rounds: int, version: str) -> dict[str, Any]:
    """All results with the machine they were measured on."""
    return {
        "ruledsl": version,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "seconds": seconds,
        "rounds": rounds,
        "results": [_result(result) for result in results],
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "game": result.game,
        "file": result.path.as_posix(),
        "players": result.players,
        "options": result.options,
        "cold_load_seconds": result.cold,
        "load_seconds": result.load,
        "state_numbers": result.slots,
        "peer": result.peer or None,
        "note": result.note or None,
        "lacking": result.lacking,
        "rows": [_row(row) for row in result.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    total = row.rate.total
    found: dict[str, Any] = {
        "name": row.rate.name,
        "plays": total.plays,
        "decisions": total.decisions,
        "void": total.void,
        "broken_off": total.broken_off,
        "cpu_seconds": total.seconds,
        "plays_per_second": row.rate.plays_per_second,
        "decisions_per_second": row.rate.decisions_per_second,
        "decisions_per_play": row.rate.decisions_per_play,
        "rounds": [{"plays": ran.plays, "cpu_seconds": ran.seconds} for ran in row.rate.rounds],
    }
    if row.cost is not None:
        cost = row.cost
        found |= {
            "state_bytes": cost.state,
            "copy_seconds": cost.copy,
            "ready_seconds": cost.ready,
            "cold_seconds": cost.cold,
        }
    if row.beside is not None:
        found["to_peer"] = {"middle": row.beside.middle, "low": row.beside.low, "high": row.beside.high}
    return found


def _rates(row: Row) -> list[str]:
    rate = row.rate
    return [number(rate.plays_per_second), number(rate.decisions_per_second), length(rate.decisions_per_play)]


def _beside(row: Row, peer: str) -> list[str]:
    if row.beside is None:
        return ["1" if row.rate.name == peer else "", ""]
    return [times(row.beside.middle), f"{times(row.beside.low)} to {times(row.beside.high)}"]


def _cost(row: Row) -> list[str]:
    if row.cost is None:
        return ["", "", ""]
    return [f"{row.cost.state:,} B", duration(row.cost.copy), duration(row.cost.ready)]


def _unfinished(row: Row) -> list[str]:
    """What was no whole play, and so makes the rate worth less."""
    total = row.rate.total
    said = {"ended in a fault of the rules": total.void, "were broken off, having too many decisions": total.broken_off}
    return [f"{row.rate.name}: {count} of {total.plays} plays {what}" for what, count in said.items() if count]


def number(value: float) -> str:
    """Three digits that count, or all before the point: `0.0123`, `62.8`, `26,814`."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def length(value: float) -> str:
    """Decisions of a play: `7.63`, `107.5`."""
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def times(value: float) -> str:
    """A ratio: `0.0024`, `0.3`, `12`."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value < 10 else f"{value:.3g}"


def duration(seconds: float) -> str:
    """`80 ns`, `1.2 us`, `61 ms`, `2.1 s`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _aligned(rows: list[list[str]]) -> list[str]:
    """Columns under each other: the first to the left, numbers to the right; columns with nothing are left out."""
    width = max(len(row) for row in rows)
    rows = [row + [""] * (width - len(row)) for row in rows]
    kept = [i for i in range(width) if i == 0 or any(row[i] for row in rows[1:])]
    wide = {i: max(len(row[i]) for row in rows) for i in kept}
    return [
        "  ".join(f"{row[i]:<{wide[i]}}" if i == 0 else f"{row[i]:>{wide[i]}}" for i in kept).rstrip() for row in rows
    ]


def _processor() -> str:
    """What the processor calls itself."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
