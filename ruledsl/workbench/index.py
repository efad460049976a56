"""What every name in the expressions of a game stands for, and what could stand in a place where one is typed.

Names are looked up by the very elaborator that works out the rules, which writes down what it finds; so there is no
second notion of what a name means. For completion a word that is no name (`PLACEHOLDER`) is written at the
cursor; where the elaborator comes to it, everything is known that may stand there, and what is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ruledsl.analysis.elaborate import Elaborator
from ruledsl.analysis.names import BAD, Binding, Declared, Typed, ValueInfo
from ruledsl.analysis.notes import Notes, NotingElaborator
from ruledsl.analysis.world import World
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.text import Filled, Span, as_written, words_of_copy
from ruledsl.syntax import expr as E
from ruledsl.syntax.copies import HOLE
from ruledsl.syntax.parser import parse_text
from ruledsl.types import BagOf, Elem, ListOf, SetOf, Type

PLACEHOLDER = "zz_here_zz"
NO_STATEMENT = "S113"  # a statement by no key of it
_OPEN = {"(": ")", "[": "]"}
# What may have to follow for an expression to be whole.
_ENDS = ("", " then 1 else 1", " else 1", " in players", " for q in players", "()", ": 1")


@dataclass(frozen=True)
class Target:
    """What a name stands for: its sort, the name, and where it is declared, if in the files."""

    sort: str
    name: str
    span: Span | None = None
    home: str = ""  # of a member the type, of an attribute the thing that has it
    kinds: tuple[str, ...] = ()  # of an attribute the kinds of pieces it is asked of here


@dataclass(frozen=True)
class Use:
    """A name, where it is written; of a copy that `each:` makes the words that are filled in there."""

    span: Span
    target: Target
    type: Type | None
    row: tuple[tuple[str, str], ...] = ()

    @property
    def reads(self) -> str:
        """The name as it reads in its copy."""
        return filled(self.span.text, dict(self.row))


def filled(text: str, row: Mapping[str, str]) -> str:
    """`strength_rune` for `<rune>_rune`."""
    return HOLE.sub(lambda hole: row.get(hole[1], hole[0]), text)


class Enough(Exception):
    """It is known what may stand at the placeholder."""


class UpToKey(Report):
    """What is reported until it is known which map has the placeholder as a key."""

    def asked_of(self, node: Any, form: Any) -> set[str]:
        found = super().asked_of(node, form)
        if isinstance(node, Map) and PLACEHOLDER in node.entries:
            raise Enough
        return found

    def add(self, found: Diagnostic) -> None:
        super().add(found)
        if found.code == NO_STATEMENT and PLACEHOLDER in found.message:
            raise Enough


class Index(Notes):
    """The uses of names, in the order in which they were worked out; or, if asked, up to the placeholder."""

    def __init__(self, up_to_placeholder: bool = False) -> None:
        super().__init__()
        self.up_to_placeholder = up_to_placeholder
        self.awaited = PLACEHOLDER if up_to_placeholder else ""
        self.uses: dict[tuple[str, int, int, str], Use] = {}  # in copies one place has several names
        self.world: World | None = None
        self.offered: Offered | None = None

    def elaborator(self, world: World) -> Elaborator:
        self.world = world
        return _Indexing(world, self)

    def enough(self) -> None:
        raise Enough

    def use(self, span: Span, target: Target, kind: Type | None) -> None:
        if span.text != target.name:  # made for what is written: `show: price` is worked out as `this.price`
            return
        row: tuple[tuple[str, str], ...] = ()
        if isinstance(span.file, Filled):
            row, span = tuple(words_of_copy(span).items()), as_written(span)
        if target.span is not None and isinstance(target.span.file, Filled):
            target = replace(target, span=as_written(target.span))
        name = target.name if span.text != target.name else ""
        self.uses.setdefault((span.file.path, span.start, span.end, name), Use(span, target, kind, row if name else ()))

    def at(self, path: str, offset: int) -> Use | None:
        """The name at a place; the first of them, where copies are made of it."""
        return next(iter(self.all_at(path, offset)), None)

    def all_at(self, path: str, offset: int) -> list[Use]:
        """The name at a place, in each copy that is made of it."""
        here = [use for use in self.uses.values() if use.span.file.path == path]
        found = [use for use in here if use.span.start <= offset <= use.span.end]
        first = min(found, key=lambda use: use.span.end - use.span.start, default=None)
        return [use for use in found if first is not None and use.span == first.span]

    def of(self, target: Target) -> list[Use]:
        return [use for use in self.uses.values() if same(use.target, target)]


def same(one: Target, other: Target) -> bool:
    """Whether two names stand for the same; files are read anew for every version, so places are compared."""
    if (one.sort, one.name) != (other.sort, other.name):
        return False
    if one.span is not None and other.span is not None:
        return spot(one.span) == spot(other.span)
    return one.span is other.span and one.home == other.home


def spot(span: Span) -> tuple[str, int]:
    """Where something begins, whatever the file was called when it was read."""
    return _resolved(span.file.path), span.start


@lru_cache(maxsize=256)
def _resolved(path: str) -> str:
    return str(Path(path).resolve())


@dataclass
class Offered:
    """What may stand at the placeholder: local names, what is wanted, or attributes of something."""

    locals: dict[str, Type]
    want: Type | None = None
    of: Type | None = None  # in front of the dot
    of_name: str = ""
    names: bool = True


class _Indexing(NotingElaborator):
    """Works out expressions as ever, and notes every name with what it stands for."""

    notes: Index

    def bind(self, name: E.Name | str, value: Typed, span: Span | None = None, quiet: bool = False) -> Binding:
        binding = super().bind(name, value, span, quiet)
        if binding.span is not None:
            self.notes.use(binding.span, Target("local", binding.name, binding.span), value.type)
        return binding

    def name(self, tree: E.Name, want: Type | None) -> Typed:
        if tree.name == PLACEHOLDER:
            self._offer(want)
            return BAD
        binding = self.local(tree.name)
        typed = super().name(tree, want)
        self.notes.use(tree.span, self._target(tree.name, binding, typed), typed.type)
        return typed

    def _target(self, word: str, binding: Binding | None, typed: Typed) -> Target:
        if binding is not None:
            return Target("local", word, binding.span)
        declared = self.world.names.get(word)
        kind = typed.type
        if isinstance(kind, Elem) and kind.root.kind not in ("piece", "place") and word in kind.root.names:
            if declared is None or declared.sort not in ("player", "option", "value", "formula"):
                return Target("member", word, None, kind.root.name)
        if declared is not None:
            return Target(declared.sort, word, declared.span)
        return Target("word", word)

    def attribute(self, tree: E.Attribute, want: Type | None) -> Typed:
        if tree.name.name == PLACEHOLDER:
            named = tree.of.name if isinstance(tree.of, E.Name) else ""
            known = self.local(named) or self.world.names.get(named)
            kind = None if known is None and named == "supply" else self.expr(tree.of).type
            self._offer(None, kind, named)
            return BAD
        typed = super().attribute(tree, want)
        of = self.notes.typed(tree.of)
        home = of.type.root.name if of is not None and isinstance(of.type, Elem) else ""
        word = tree.name.name
        if of is not None and isinstance(of.type, BagOf) and word in of.type.root.names:
            target = Target("member", word, None, of.type.root.name)
        elif isinstance(typed.type, Elem) and word in typed.type.root.names and of is None:
            target = Target("member", word, None, typed.type.root.name)
        else:
            target = Target("attribute", word, self._declared_of(of, word), home, self._kinds(of))
        self.notes.use(tree.name.span, target, typed.type)
        return typed

    def _declared_of(self, of: Typed | None, word: str) -> Span | None:
        """Values of players and spaces are attributes that are declared under their own name."""
        declared = self.world.names.get(word)
        if declared is None or declared.sort not in ("value", "place", "kind", "pool"):
            return None
        if isinstance(declared.data, ValueInfo) and of is not None and isinstance(of.type, Elem):
            if not any(isinstance(key, Elem) and key.root is of.type.root for key in declared.data.keys):
                return None  # an attribute of the same name: `c.coins` of a card, where players have `coins`, too
        return declared.span

    def _kinds(self, of: Typed | None) -> tuple[str, ...]:
        kind = of.type if of is not None else None
        if not isinstance(kind, Elem) or kind.root.kind != "piece":
            return ()
        return tuple(name for name, part in self.world.pieces.parts.items() if part & kind.mask)

    def call(self, tree: E.Call, want: Type | None) -> Typed:
        if isinstance(tree.of, E.Name) and tree.of.name == PLACEHOLDER:
            self._offer(want)
            return BAD
        typed = super().call(tree, want)
        if isinstance(tree.of, E.Name):
            declared = self.world.names.get(tree.of.name)
            target = Target(declared.sort, tree.of.name, declared.span) if declared else Target("word", tree.of.name)
            self.notes.use(tree.of.span, target, typed.type)
        return typed

    def spoken_of(self, word: str, span: Span) -> None:
        found = list(re.finditer(rf"\b{re.escape(word)}\b", span.text))[-1:]  # `bag of gem`: the type comes last
        declared = self.world.names.get(word) or next((one for one in self.world.boards if one.word == word), None)
        if found and declared is not None:
            place = span.file.span(span.start + found[0].start(), span.start + found[0].end())
            target = self._target(word, None, BAD) if isinstance(declared, Declared) else Target("board", word)
            self.notes.use(place, target, None)

    def _offer(self, want: Type | None, of: Type | None = None, of_name: str = "") -> None:
        if self.notes.offered is None:
            found = {name: binding.value.type for scope in self.scopes for name, binding in scope.items()}
            self.notes.offered = Offered(found, want, of, of_name)
            if self.notes.up_to_placeholder:
                raise Enough

    # -------------------------------------------------------------------------------- expressions half typed

    def _read(self, node: Node, start: str, wanted: str) -> Any:
        if isinstance(node, Scalar) and PLACEHOLDER in node.text_span.text:
            for text in _wholes(node.text_span.text):
                report = Report()
                tree = parse_text(text, node.text_span.file, node.text_span.start, start, report)
                if not report.errors:
                    return tree
        return super()._read(node, start, wanted)


def _wholes(text: str) -> Iterator[str]:
    """The text, and ways to make a whole expression of its beginning, up to the word that is typed."""
    yield text
    before = text[: text.index(PLACEHOLDER)] + PLACEHOLDER
    stack: list[str] = []
    for sign in re.sub(r'"[^"]*"', "", before):
        if sign in _OPEN:
            stack.append(_OPEN[sign])
        elif stack and sign == stack[-1]:
            stack.pop()
    closed = "".join(reversed(stack))
    for end in _ENDS:
        yield before + end + closed
        if closed:
            yield before + closed + end


def members_wanted(want: Type | None) -> list[str]:
    """The words of the type that a place demands."""
    while isinstance(want, SetOf | ListOf):
        want = want.of
    if isinstance(want, BagOf):
        return list(want.root.names)
    if isinstance(want, Elem) and want.root.kind not in ("piece", "place"):
        return [name for number, name in enumerate(want.root.names) if want.mask >> number & 1]
    return []


def members_of(kind: Type | None) -> dict[str, Type | None]:
    """What may stand behind the dot."""
    match kind:
        case BagOf(root=root):
            return dict.fromkeys(root.names)
        case Elem(root=root, mask=mask):
            fitting = {
                name: next((one.type for one in alike if mask & ~one.mask == 0), None)
                for name, alike in root.attributes.items()
            }
            return {name: found for name, found in fitting.items() if found is not None}
    return {}
