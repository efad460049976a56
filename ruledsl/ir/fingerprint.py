"""One fingerprint of what the rules became: the same for programs that do the same, whatever the files look like.

Comments, the layout of files, titles and texts for people do not count, nor where in a file something stands.
Everything else does: a number in a table, a row more or less, the order of options. Caches, saves, replays and
reports all ask this, so that none of them can take old rules for new ones or new ones for old.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any

from ruledsl.source.text import Span
from ruledsl.types import Root

from . import core as C

# What of a program's data its executors look at; the rest is for checks, tests and people.
COUNTS = (
    "backs",
    "between",
    "closes",
    "home",
    "lowest",
    "piece_state",
    "piles",
    "rows",
    "slots",
    "stakes",
    "template",
    "ties",
    "top_seen",
    "turn_loops",
    "twins",
    "wide",
)
PASSING = "local"  # the kind of fields whose names are those of variables inside of effects
# Names of effects and actions, places in files, texts for people: what a program does is the same with others.
SILENT = {
    C.Procedure: {"name", "span", "slots"},
    C.Formula: {"name", "span", "type"},
    C.Variable: {"name"},
    C.Entry: {"name", "label", "span"},
    C.Choice: {"name", "span"},
    C.Block: {"note"},
}


def fingerprint(program: C.Program) -> str:
    """Sixteen letters that stand for what a program does."""
    pupil = _Pupil()
    pupil.learn([program.blocks, program.start, program.spots])
    pupil.learn([program.layout.size, *map(_field, program.layout.fields)])
    pupil.learn([_root(root) for root in program.roots.values()])
    pupil.learn([(name, _said(program, name)) for name in COUNTS])
    pupil.learn([(row.name, row.node) for row in program.scoring])
    pupil.learn([(keep.sort, keep.name) for keep in program.keep])
    return pupil.digest()


def fingerprint_of(node: C.Node) -> str:
    """Sixteen letters that stand for what an expression asks."""
    pupil = _Pupil()
    pupil.learn(node)
    return pupil.digest()


def _said(program: C.Program, name: str) -> Any:
    """Where no pile shows its top, or pieces have nowhere to be, it is none: so fingerprints stay what they were."""
    value, nowhere = getattr(program, name), not program.spots.count
    return None if not value and (name == "top_seen" or (name == "home" and nowhere)) else value


def _field(field: C.Field) -> tuple[Any, ...]:
    name = "" if field.kind == PASSING else field.name
    return name, field.kind, field.base, field.count, field.width, field.type


def _root(root: Root) -> tuple[Any, ...]:
    return root.name, root.kind, root.size, root.names if root.kind != "player" else ()


class _Pupil:
    """Writes down each different thing once, in the order in which it is met: shared or copied makes no difference."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}  # by what a thing is made of
        self.known: dict[int, int] = {}  # by the address of a thing; `alive` keeps it from being used again
        self.alive: list[Any] = []
        self.deep = 0  # how many things are being learnt, one inside of another

    def learn(self, x: Any) -> Any:
        """A thing as what it is made of, with a number for each part that is more than a number or a word."""
        if type(x) in _PLAIN or isinstance(x, int | str):
            return x
        number = self.known.get(id(x))
        if number is None:
            self.alive.append(x)
            self.deep += 1
            self.known[id(x)] = -self.deep  # a formula that asks itself is met again inside of itself
            number = self.known[id(x)] = self.numbers.setdefault(self._parts(x), len(self.numbers))
            self.deep -= 1
        return ("#", number)

    def _parts(self, x: Any) -> Any:
        learn, kind = self.learn, type(x)
        if kind in _OF_FIELDS:
            return (kind.__name__, *map(learn, _OF_FIELDS[kind](x)))
        if isinstance(x, tuple | list):
            return ("list", *map(learn, x))
        if isinstance(x, dict):
            return ("map", *((learn(key), learn(value)) for key, value in x.items()))
        if isinstance(x, set | frozenset):
            return ("set", *sorted(map(repr, map(learn, x))))
        if isinstance(x, Root):
            return ("root", x.name)
        if isinstance(x, C.Words | Span):
            return ("words",)
        if is_dataclass(x):
            _OF_FIELDS[kind] = _values(kind)
            return self._parts(x)
        raise TypeError(f"a program has something without a fingerprint: {type(x).__name__}")

    def digest(self) -> str:
        return hashlib.sha256(repr(list(self.numbers)).encode()).hexdigest()[:16]


_PLAIN = frozenset([type(None), int, str, bool])
_OF_FIELDS: dict[Any, Callable[[Any], Sequence[Any]]] = {}  # by type, what gives all that counts of a thing


def _values(kind: Any) -> Callable[[Any], Sequence[Any]]:
    silent = {"span", "type"} if issubclass(kind, C.Expression) else SILENT.get(kind, {"span"})
    names = [f.name for f in fields(kind) if f.name not in silent]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda x: [getattr(x, name) for name in names]
