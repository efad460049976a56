"""Results as files, and several of them put together: what parts of a run come to is what the whole comes to.

A file holds whole numbers only, in an order of its own: the same plays give the same bytes, whoever played them and in
however many parts. How long it took is not in it.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from typing import Any, NamedTuple

from ruledsl.records import dataclass

from .digest import Digest, Fault, merged
from .run import Result
from .work import Task

VERSION = 2
MOST_BYTES = 1 << 30


class NotSaved(Exception):
    """A file holds no result of a simulation."""


class Apart(Exception):
    """Results do not belong together; the message says why."""


@dataclass(frozen=True)
class Saved:
    """A result as a file has it. `game` is how the user calls the game; `rules` stands for its rules."""

    game: str
    rules: str
    result: Result


class _Setting(NamedTuple):
    """What results have in common that belong together."""

    game: str
    players: int
    seed: int
    options: dict[str, Any]
    names: list[str] | None
    bots: tuple[str, ...]
    campaign: int
    limit: int
    rules: str  # last: other options make other rules, and are the better reason


_CALLED = {"names": "names of the players", "bots": "bots", "limit": "most decisions of a play", "rules": "rules"}


def _setting(saved: Saved) -> _Setting:
    task = saved.result.task
    own = (task.players, task.seed, task.options, task.names, task.bots, task.campaign, task.limit)
    return _Setting(saved.game, *own, saved.rules)


def write(saved: Saved) -> str:
    """The file of a result."""
    result = saved.result
    data = {
        "ruledsl": VERSION,
        "simulation": _setting(saved)._asdict(),
        "first": result.first,
        "plays": result.done,
        "digests": [_digest(one) for one in result.digests],
        "counts": list(result.counts),
        "faults": [[one.number, one.seed, one.message, one.path, one.line, one.play] for one in result.faults],
    }
    return json.dumps(data, ensure_ascii=False) + "\n"


def _digest(one: Digest) -> dict[str, Any]:
    return {
        "results": [[*result, n] for result, n in sorted(one.results.items()) if n],
        "spread": {
            str(column): sorted((value, n) for value, n in values.items() if n)
            for column, values in sorted(one.spread.items())
        },
        "options": one.options,
        "forced": one.forced,
        "decisions": one.decisions,
    }


def read(text: str) -> Saved:
    """What a file holds."""
    try:
        data = json.loads(text)
        if data["ruledsl"] != VERSION:
            raise NotSaved(f"is of another version of ruledsl: {data['ruledsl']}, and this one reads {VERSION}")
        setting = _Setting(**data["simulation"])
        task = Task(
            setting.game,
            _whole(setting.players),
            _whole(setting.seed),
            dict(setting.options),
            setting.names,
            tuple(map(str, setting.bots)),
            campaign=_whole(setting.campaign),
            limit=_whole(setting.limit),
        )
        digests = [_digest_of(one) for one in data["digests"]]
        faults = [Fault(*one) for one in data["faults"]]
        done, first = _whole(data["plays"]), _whole(data["first"])
        result = Result(task, done, "", [], digests, array("q", data["counts"]), done, faults, first=first)
        fits = len(digests) == (task.campaign or 1) and first >= 0 and digests[0].plays == done
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        fits = False
    if not fits:
        raise NotSaved("was not written by `simulate --save`")
    return Saved(str(setting.game), str(setting.rules), result)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError
    return value


def _digest_of(data: dict[str, Any]) -> Digest:
    results = Counter({(_whole(ending), _whole(winners)): _whole(n) for ending, winners, n in data["results"]})
    spread = {
        int(column): Counter({_whole(value): _whole(n) for value, n in values})
        for column, values in data["spread"].items()
    }
    return Digest(results, spread, *(_whole(data[name]) for name in ("options", "forced", "decisions")))


def merge(parts: dict[str, Saved]) -> Saved:
    """One result of several by the names of their files: the plays of all, which must follow on one another."""
    (name, first), *others = sorted(parts.items(), key=lambda part: part[1].result.first)
    before, whole = name, first.result
    for other, saved in others:
        apart = [
            field
            for field, one, two in zip(_Setting._fields, _setting(first), _setting(saved), strict=True)
            if one != two
        ]
        if apart:
            raise Apart(f"`{name}` and `{other}` differ in the {_CALLED.get(apart[0], apart[0])}")
        end, start = whole.first + whole.done, saved.result.first
        if start < end:
            raise Apart(f"`{before}` and `{other}` both have play {start + 1:,}")
        if start > end:
            raise Apart(f"plays are missing between `{before}` and `{other}`: from {end + 1:,} to {start:,}")
        whole, before = _both(whole, saved.result), other
    return Saved(first.game, first.rules, whole)


def _both(one: Result, other: Result) -> Result:
    done = one.done + other.done
    digests = [merged(pair) for pair in zip(one.digests, other.digests, strict=True)]
    if len(one.counts) != len(other.counts):
        raise Apart("the results count different things: one of them is damaged")
    counts = array("q", map(int.__add__, one.counts, other.counts))
    return Result(one.task, done, "", [], digests, counts, done, one.faults + other.faults, first=one.first)


__all__ = ["MOST_BYTES", "Apart", "NotSaved", "Saved", "merge", "read", "write"]
