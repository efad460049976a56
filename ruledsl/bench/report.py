"""Results as tables for people, and as plain data for programs."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from .clock import Ratio
from .measure import Result, Row, written
from .passes import PassesResult

WIDEST = 100  # letters of a line


def table(result: Result) -> str:
    """One game: what it is, then a line for every executor and peer; what they cost is told below if it is too wide."""
    rates, costs = [["", "plays/s", "decisions/s", "per play"]], [["", "state", "copy", "ready", "cold"]]
    if result.peer:
        rates[0] += [f"plays to {result.peer}", "over the rounds"]
    for row in result.rows:
        rates.append([f"  {row.rate.name}", *_rates(row), *(_beside(row, result.peer) if result.peer else [])])
        costs.append([f"  {row.rate.name}", *_cost(row)])
    lines = _aligned([[*rate, *cost[1:]] for rate, cost in zip(rates, costs, strict=True)])
    if max(map(len, lines)) > WIDEST:
        lines = [*_aligned(rates), "", *_aligned([cost for cost in costs if any(cost[1:])])]
    said = [line for row in result.rows for line in _unfinished(row)]
    said += [f"{name} is left out: {why}" for name, why in result.lacking.items()]
    if result.note:
        said.append(f"note: {result.note}")
    told = [*_title(result), *lines]
    return "\n".join([*told, *(line for text in said for line in _wrapped(f"  {text}"))])


def _title(result: Result) -> list[str]:
    line = title(result)
    if len(line) <= WIDEST:
        return [line]
    what, how = line.rsplit(": ", 1)
    return [*_wrapped(f"{what}:"), f"  {how}"]


def title(result: Result) -> str:
    """`hex, 2 players, size=11 swap=false: 393 numbers in a state, loaded in 0.4 s, then 6 ms`."""
    options = " ".join(f"{name}={written(value)}" for name, value in result.options.items())
    players = "1 player" if result.players == 1 else f"{result.players} players"
    about = ", ".join(filter(None, [result.game, players, options]))
    return (
        f"{about}: {result.slots} numbers in a state, loaded in {duration(result.cold)}, then {duration(result.load)}"
    )


def growth(name: str, values: Sequence[str], results: Sequence[Result]) -> str:
    """How the plays per second go with an option or the number of players; then the same beside the first peer."""
    subjects = list(dict.fromkeys(row.rate.name for result in results for row in result.rows))
    rates, ratios = [[name, "numbers", "per play", *subjects]], [[name, *subjects]]
    for value, result in zip(values, results, strict=True):
        rows = [result.row(subject) for subject in subjects]
        told = [number(row.rate.plays_per_second) if row is not None else "" for row in rows]
        rates.append([value, str(result.slots), length(result.rows[0].rate.decisions_per_play), *told])
        ratios.append([value, *(times(row.beside.middle) if row is not None and row.beside else "" for row in rows)])
    lines = [f"{results[0].game} by {name}, plays/s", *_aligned(rates)]
    if peer := next((result.peer for result in results if result.peer), None):
        lines += ["", f"{results[0].game} by {name}, plays to {peer}", *_aligned(ratios)]
    return "\n".join(lines)


def passes_table(result: PassesResult) -> str:
    """What each pass brings: how fast plays are without it, to how fast they are."""
    head = ["", "plays/s", "without it", "over the rounds"]
    lines = [[f"  {result.language}", number(result.whole.plays_per_second)]]
    for name, rate, beside in result.rows:
        spread = f"{times(beside.low)} to {times(beside.high)}"
        lines.append([f"  {name}", number(rate.plays_per_second), times(beside.middle), spread])
    told = [f"{result.game}: speed without one pass, compared with all passes", *_aligned([head, *lines])]
    if result.idle:
        told += _wrapped(f"  no use here: {', '.join(result.idle)}")
    return "\n".join(told)


def to_json(
    results: Sequence[Result | PassesResult], seconds: float, rounds: int, version: str, complete: bool = True
) -> dict[str, Any]:
    """All results with the machine they were measured on; they are not complete if measuring was stopped."""
    return {
        "ruledsl": version,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "seconds": seconds,
        "rounds": rounds,
        "complete": complete,
        "results": [_result(result) if isinstance(result, Result) else _of_passes(result) for result in results],
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


def _of_passes(result: PassesResult) -> dict[str, Any]:
    rows = [
        {"without": name, "plays_per_second": rate.plays_per_second, "to_whole": _ratio(beside)}
        for name, rate, beside in result.rows
    ]
    return {
        "game": result.game,
        "backend": result.language,
        "plays_per_second": result.whole.plays_per_second,
        "no_use": result.idle,
        "rows": rows,
    }


def _ratio(ratio: Ratio) -> dict[str, float]:
    return {"middle": ratio.middle, "low": ratio.low, "high": ratio.high}


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
        found["to_peer"] = _ratio(row.beside)
    return found


def _rates(row: Row) -> list[str]:
    rate = row.rate
    return [number(rate.plays_per_second), number(rate.decisions_per_second), length(rate.decisions_per_play)]


def _beside(row: Row, peer: str) -> list[str]:
    if row.beside is None:
        return ["1" if row.rate.name == peer else "", ""]
    return [times(row.beside.middle), f"{times(row.beside.low)} to {times(row.beside.high)}"]


def _cost(row: Row) -> list[str]:
    cost = row.cost
    if cost is None:
        return ["", "", "", ""]
    cold = duration(cost.cold) if cost.cold is not None else ""
    return [f"{cost.state:,} B", duration(cost.copy), duration(cost.ready), cold]


def _unfinished(row: Row) -> list[str]:
    """What was no whole play, and so makes the rate worth less."""
    total = row.rate.total
    said = {"ended in a fault of the rules": total.void, "were cut off after too many decisions": total.broken_off}
    return [f"{row.rate.name}: {count:,} of {total.plays:,} plays {what}" for what, count in said.items() if count]


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


def _wrapped(line: str) -> list[str]:
    """A line as several that are narrow enough."""
    return wrap(line, WIDEST, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


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
