"""Findings as plain data, for programs: what stands in it is in `ruledsl/cli/answers.py`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .findings import Findings, Outcome, Tally
from .statistics import Measure
from .work import RANDOM


def as_data(found: Findings) -> dict[str, Any]:
    """All that a simulation found."""
    result, task = found.result, found.result.task
    return {
        "game": found.game,
        "players": found.configured.players,
        "options": task.options,
        "seed": task.seed,
        "title": found.title,
        "bots": list(task.bots or (RANDOM,) * len(found.configured.players)),
        "first": result.first,
        "wanted": result.wanted,
        "done": result.done,
        "stopped": result.interrupted,
        "rules": found.configured.rules,
        "seconds": round(result.seconds, 3),
        "outcomes": [_outcome(outcome) for outcome in found.outcomes],
        "ended": _tallies(found.ended),
        "taken": _tallies(found.taken),
        "chosen": [{"what": one.label, "members": _tallies(one.tallies)} for one in found.chosen],
        "lying": [
            {
                "what": kind.label,
                "places": kind.places,
                "pieces": [{"what": label, "times": times} for label, times in kind.rows],
            }
            for kind in found.lying
        ],
        "statements": _tallies(found.rules),
        "never": _tallies(found.never),
        "faults": [
            {"message": one.message, "at": one.place, "plays": one.plays, "again": one.again} for one in found.failures
        ],
        "command": found.command,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    options = None
    if outcome.options is not None:
        mean, most, forced = outcome.options
        options = {"mean": mean, "most": most, "forced": forced}
    return {
        "plays": outcome.plays,
        "ended": outcome.ended,
        "void": outcome.void,
        "broken_off": outcome.broken_off,
        "shared": outcome.shared,
        "results": [
            {"what": label, "count": share.count, "share": share.value, "low": share.low, "high": share.high}
            for label, share in outcome.results
        ],
        "length": [{"what": spread.label, **_measure(spread.measure)} for spread in outcome.length],
        "options": options,
        "points": [{"player": spread.label, **_measure(spread.measure)} for spread in outcome.points],
        "sources": [{"what": name, "players": [_measure(one) for one in each]} for name, each in outcome.sources],
    }


def _measure(one: Measure) -> dict[str, Any]:
    return {"mean": one.mean, "within": one.within, "median": one.median, "least": one.least, "most": one.most}


def _tallies(tallies: Iterable[Tally]) -> list[dict[str, Any]]:
    return [{"what": tally.label, "times": tally.times, "at": tally.place} for tally in tallies]
