"""A program as JSON, and back: so that an executor needs nothing of ruledsl but `ruledsl.ir`.

The file is a map. `ruledsl program` is the version of its form, which changes whenever a program that was written
before could not be read any more. `things` are all the parts of the program, each behind those that it is made of: a
name of `ir.core` or `types` with the fields that are not as they are by default, or a tuple that stands in several
places. A part is meant by `{"#": number}`, wherever it stands; so what was one thing is one thing again. Places in the
rules are `{"at": [file, start, end]}`, of the `files` at the beginning. `docs/program.md` shows an example.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any

from ruledsl import types as T
from ruledsl.source.text import SourceFile, Span

from . import core as C

FORMAT = 1
MARK = "ruledsl program"
CLASSES: dict[str, type] = {
    name: kind
    for module in (C, T)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and is_dataclass(kind) and kind is not Span and kind is not T.Attribute
}
CLASSES["Root"] = T.Root
ASIDE = {(T.Root, "attributes")}  # what rules may ask of members: expressions hold it already


class SavedError(Exception):
    """This is no program that can be read."""


def write(program: C.Program) -> str:
    """The text of a program."""
    return json.dumps(_Writer().program(program), ensure_ascii=False, separators=(",", ":"))


def read(text: str) -> C.Program:
    """The program of a text; a `SavedError` says why there is none."""
    try:
        whole = json.loads(text)
    except ValueError as problem:
        raise SavedError(f"this is no JSON: {problem}") from None
    if not isinstance(whole, dict) or MARK not in whole:
        raise SavedError(f"this is no program: it lacks `{MARK}`")
    if whole[MARK] != FORMAT:
        raise SavedError(f"this program is of version {whole[MARK]}, and version {FORMAT} can be read")
    try:
        return _Reader(whole["files"]).program(whole["things"])
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise SavedError(f"this program is damaged: {type(problem).__name__} {problem}") from None


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """The fields of a class that are saved, each with what it is by default."""
    found = {}
    for one in fields(kind):
        if (kind, one.name) not in ASIDE:
            found[one.name] = one.default_factory() if one.default_factory is not MISSING else one.default
    return found


class _Writer:
    def __init__(self) -> None:
        self.files: list[SourceFile] = []
        self.things: list[Any] = []
        self.numbers: dict[int, int] = {}  # by the address of a part; the program keeps them alive
        self.places: Counter[int] = Counter()  # in how many places a tuple stands

    def program(self, program: C.Program) -> dict[str, Any]:
        self._count(program, set())
        self.value(program)
        files = [{"path": file.path, "text": file.text} for file in self.files]
        return {MARK: FORMAT, "files": files, "things": self.things}

    def _count(self, value: Any, seen: set[int]) -> None:
        if isinstance(value, tuple):
            self.places[id(value)] += 1
        if id(value) in seen or isinstance(value, str | int | Span) or value is None:
            return
        seen.add(id(value))
        for part in _parts(value):
            self._count(part, seen)

    def value(self, value: Any) -> Any:
        """A value as JSON; what may stand in several places by its number."""
        match value:
            case None | bool() | int() | str():
                return value
            case Span(file=file, start=start, end=end):
                if file not in self.files:
                    self.files.append(file)
                return {"at": [self.files.index(file), start, end]}
            case list():
                return {"list": [self.value(item) for item in value]}
            case dict():
                return {"map": [[self.value(key), self.value(item)] for key, item in value.items()]}
            case set() | frozenset():
                return {"set": sorted(value)}
            case range():
                return {"range": [value.start, value.stop]}
            case tuple() if self.places[id(value)] < 2:
                return [self.value(item) for item in value]
        number = self.numbers.get(id(value))
        if number is None:
            thing = self._thing(value)
            number = self.numbers[id(value)] = len(self.things)
            self.things.append(thing)
        return {"#": number}

    def _thing(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return ["tuple", [self.value(item) for item in value]]
        kind = type(value)
        assert kind.__name__ in CLASSES, f"a program holds something that cannot be saved: {kind.__name__}"
        defaults = _defaults(value.__class__)
        given = {name: getattr(value, name) for name in defaults}
        return [kind.__name__, {name: self.value(x) for name, x in given.items() if not _is(x, defaults[name])}]


def _is(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and not is_dataclass(one) and bool(one == other))


def _parts(value: Any) -> Any:
    match value:
        case tuple() | list():
            return value
        case dict():
            return [*value.keys(), *value.values()]
        case _ if is_dataclass(value):
            return [getattr(value, name) for name in _defaults(value.__class__)]
    return ()


class _Reader:
    def __init__(self, files: list[dict[str, str]]) -> None:
        self.files = [SourceFile(file["path"], file["text"]) for file in files]
        self.things: list[Any] = []

    def program(self, things: list[Any]) -> C.Program:
        for name, held in things:
            self.things.append(tuple(map(self.value, held)) if name == "tuple" else self._made(name, held))
        found = self.things[-1]
        if not isinstance(found, C.Program):
            raise SavedError("this is no program: it ends with something else")
        return found

    def _made(self, name: str, held: dict[str, Any]) -> Any:
        kind: Any = CLASSES.get(name)
        if kind is None:
            raise SavedError(f"programs have nothing called `{name}`")
        strange = [word for word in held if word not in _defaults(kind)]
        if strange:
            raise SavedError(f"`{name}` has no `{strange[0]}`")
        return kind(**{word: self.value(x) for word, x in held.items()})

    def value(self, value: Any) -> Any:
        match value:
            case list():
                return tuple(map(self.value, value))
            case {"#": number}:
                return self.things[number]
            case {"at": [file, start, end]}:
                return Span(self.files[file], start, end)
            case {"list": items}:
                return list(map(self.value, items))
            case {"map": items}:
                return {self.value(key): self.value(item) for key, item in items}
            case {"set": items}:
                return set(items)
            case {"range": [start, stop]}:
                return range(start, stop)
            case dict():
                raise SavedError(f"a value that is no value: {sorted(value)}")
        return value


__all__ = ["FORMAT", "SavedError", "read", "write"]
