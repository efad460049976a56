"""How C writes the leaves of expressions: sets in machine words, lists in an arena, a struct for the state."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from ruledsl.engine.primitives import MOST_FILLS
from ruledsl.engine.tiles import Tiles
from ruledsl.ir import core as C
from ruledsl.types import BagOf, ListOf

from .alike import Alike
from .clusters import Clusters, flooded
from .kept import Kept, Region
from .kinds import ANY_NUMBER, LIST, SET, TRUTH, WORD, Kind, Kinds, a_set, members, number, parts
from .passes import NONE_OFF, Off, Pass
from .tabled import REBUILT, Table, Tables, conjuncts, mapped
from .writer import INFIX, Text, Writer, is_only

COMPARED = ("equal", "unequal", "less", "at_most", "greater", "at_least")
MOST_SPACES = 200  # of a board whose lines are tables of sets

_FIXED = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "num",
        "list",
        "s",
        "x",
        "main",
        "errno",
    ]
)


def identifier(text: str) -> str:
    """A name of C that can be recognised."""
    name = re.sub(r"\W+", "_", text).strip("_") or "it"
    return f"_{name}" if name[0].isdigit() else f"{name}_" if name in _FIXED else name


def _replaced(node: C.Node, one: C.Node, other: C.Node) -> C.Node:
    """An expression with another in the place of a part of it, as far as it is made of simple forms."""
    if node is one:
        return other
    if isinstance(node, REBUILT):
        found: C.Node = mapped(node, lambda part: _replaced(part, one, other))
        return found
    return node


def _beside(space: int, axis: tuple[int, int], steps: tuple[int, ...], count: int) -> Iterator[int]:
    """The next space and the one after it in both directions; a number beyond all spaces where there is none."""
    beyond = len(steps) // count
    for way in axis:
        at = space
        for _ in range(2):
            at = steps[at * count + way] if at != beyond else beyond
            at = beyond if at in (-1, space) else at
            yield at


def words(top: int) -> int:
    """How many machine words a set of members below `top` takes."""
    return max(1, (top + 63) // 64)


class Member:
    """A field of the state as a member of the struct."""

    def __init__(self, field: C.Field, name: str, kind: Kind, form: str) -> None:
        self.field, self.name, self.kind, self.form = field, name, kind, form
        self.length = field.count * field.width

    @property
    def words(self) -> int:
        return words(self.kind.top) if self.kind.sort == SET else 1

    def declaration(self) -> str:
        return f"{self.form} {self.name}" + (f"[{self.length}]" if self.length != 1 else "") + ";"


@dataclass(frozen=True)
class Star:
    """Spaces around one, by how far their numbers are: the axis and how many steps; for each space, which it has."""

    most: int  # steps
    far: dict[int, tuple[int, int]]
    there: list[int]


def _run(axis: int, most: int, length: int, taken: set[tuple[int, int]]) -> int:
    """How many spaces follow each other on an axis; so many that they suffice, if more may follow than is seen."""
    run = next((n - 1 for n in range(1, most + 1) if (axis, n) not in taken), most)
    return length - 1 if run == most else run


def _alike(one: Region, other: Region) -> bool:
    """Whether two kept sets are the same."""
    if one.sort != "kept" or one.kept != other.kept or one.none is not None or other.none is not None:
        return False
    match one.index, other.index:
        case (None, None):
            return True
        case (C.Get(slot=a), C.Get(slot=b)):
            return a == b
        case (C.Const(value=a), C.Const(value=b)):
            return bool(a == b)
    return False


class CWords(Writer):
    """The leaves. `definitions` collects tables and constants that come before the functions."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.definitions: list[str] = []
        self.sizes: set[int] = set()  # of sets
        self.fits: set[tuple[int, int]] = set()
        self._tables: dict[Any, str] = {}
        self.histories: list[int] = []  # of which it is asked whether a position was there before
        self.prints: list[tuple[int, int]] = []  # spots of which a fingerprint is kept: the first, and the end
        self._ways: dict[Any, tuple[int, ...] | None] = {}
        self.members: list[Member] = []
        self.places: dict[int, tuple[Member, int]] = {}  # by slot
        self._lay_out()
        self.formula_names = {f: f"f{i}_{identifier(f.name)}" for i, f in enumerate(kinds.formulas)}
        self.tiles: list[Tiles] = []
        self._sorted: dict[int, tuple[C.Fold, C.Fold]] = {}  # lists, and by which keys it suffices to sort them
        self._downwards: list[bool] = []
        self.kept_values: dict[int, Text] = {}  # what was worked out before a loop, by expression
        self._looks: dict[int, tuple[C.Fold, tuple[C.Fold, Region] | None]] = {}
        self.spreads: list[
            tuple[str, int, bool]
        ] = []  # what spread from a start: type, how many, whether it may change
        self._spread: dict[int, tuple[C.Node, int]] = {}
        self.tables = self.absorber.tables = Tables(program, kinds, self.remembered, without)
        self.alike = Alike(program, without)
        self.absorber.lacking = self.lacking

    # ------------------------------------------------------------------------- what is worked out beforehand

    def value(self, node: C.Node) -> Text:
        if id(node) in self.kept_values:
            return self.kept_values[id(node)]
        if not isinstance(node, C.Const | C.Get | C.Cell):
            table = self.tables.of(node)
            if table is not None:
                return self.looked_up(node, table)
        return super().value(node)

    def looked_up(self, node: C.Node, table: Table) -> Text:
        """A value that few inputs decide."""
        kind = self.kind(node)
        if kind.sort != SET:
            kind = number(min(table.values), max(table.values) + 1)
        if len(set(table.values)) == 1:
            value = table.values[0]
            return (self.set_const(value, kind.top) if kind.sort == SET else str(value)), kind
        index = ""
        for leaf, of in table.inputs:
            text = self.number(leaf)
            text = f"({text} + {-of.low})" if of.low else text
            index = f"({index}) * {of.top - of.low} + {text}" if index else text
        return self.table(table.values, 0, kind, index, True), kind

    def _op(self, node: C.Op) -> Text:
        if not self.on(Pass.WITHOUT_LISTS):
            return super()._op(node)
        name, args, kind = node.name, node.args, self.kind(node)
        if name == "collect" and self._line_form(C.Each(0, "list", args)) is not None:
            line = self.set_form(C.Each(0, "list", args))
            assert line is not None, "asked before"
            return self.as_set(*line, kind.top), kind
        if name == "holds" and isinstance(args[1], C.Op) and args[1].name == "collect":
            on_line = self._on_line(args[0], args[1].args[0])
            if on_line is not None:
                return on_line, kind
        if name in ("equal", "unequal"):
            for one, other in (args, args[::-1]):
                nothing = isinstance(other, C.Const) and other.value == 0
                if nothing and isinstance(one, C.Primitive) and one.name == "on_set" and self._all_pieces(one.data[0]):
                    some = self.something_on(one.args[0])
                    return (some if name == "unequal" else self.not_(some)), kind
        if name == "length" and (spot := self._counted(node)) is not None:
            return f"count_lying(s, {self.number(spot)}, INT32_MAX)", kind
        if name in COMPARED and len(args) == 2 and isinstance(args[1], C.Const) and self.kind(args[1]).sort == "number":
            spot = self._counted(args[0])
            if spot is not None:  # no more are counted than matter
                number_ = int(args[1].value)
                if number_ == 1 and name == "equal" and self._all_piles(spot):  # the first is the last
                    place, at = self.value(spot)
                    place, spots = self.simple(place), self.program.spots
                    low, high = self.item(spots.bottom, place), self.item(spots.top, place)
                    there = [] if at.sure else [f"{place} >= 0"]
                    return self.both([*there, f"{low} >= 0", f"{low} == {high}"]), kind
                return f"(count_lying(s, {self.number(spot)}, {number_ + 1}) {INFIX[name]} {number_})", kind
        return super()._op(node)

    def _on_line(self, item: C.Node, line: C.Node) -> str | None:
        """Whether a space is on a line of spaces."""
        each, kind = C.Each(0, "list", (line,)), self.kind(item)
        if self._line_form(each) is None or kind.sort != "number":
            return None
        space = self.simple(self.number(item))
        found = self.set_form(each, None if not kind.sure else space)
        assert found is not None, "asked before"
        top = found[1].top
        if kind.sure and kind.top <= top:
            return self.set_op("has", [space, found[0]], top)
        return self.set_op("holds", [space, found[0]], top)

    def something_on(self, spot: C.Node) -> str:
        """Whether anything lies on a spot."""
        text, kind = self.value(spot)
        lying = self._members(text, kind)
        if lying is not None:
            return f"({self.set_op('unequal', [lying, self.set_const(0, self.pieces)], self.pieces)})"
        return f"any_lying(s, {text})"

    def _members(self, spot: str, kind: Kind) -> str | None:
        """The pieces on a spot as a set, if it is surely a place without order."""
        spots = self.program.spots
        plain = not any(spots.single[kind.low : kind.top]) and not any(spots.ordered[kind.low : kind.top])
        if kind.sure and kind.low >= spots.first_place and kind.top <= spots.count and plain and spots.members >= 0:
            return self.item(spots.members, f"{spot} - {spots.first_place}")
        return None

    def _all_piles(self, spot: C.Node) -> bool:
        """Whether the pieces of all places that a spot may be lie in an order."""
        spots, kind = self.program.spots, self.kind(spot)
        if not -1 <= kind.low < kind.top <= spots.count:
            return False
        low = max(kind.low, 0)
        return all(spots.ordered[low : kind.top]) and not any(spots.single[low : kind.top])

    def _counted(self, node: C.Node) -> C.Node | None:
        """The place whose pieces are counted."""
        match node:
            case C.Op(name="length", args=(C.Primitive(name="on", args=(spot,), data=(kinds,)),)):
                return spot if self._all_pieces(kinds) else None
        return None

    def needed(self, each: C.Each, conditions: list[C.Node]) -> list[C.Node]:
        if not self.absorber.single or not self.on(Pass.ON_BOARD):
            return []
        for condition in conditions:
            asked: C.Node | None = condition
            if not self.absorber.safe(condition):
                asked = self.begins(condition)
            if asked is not None and (need := self.tables.need(each.slot, asked)) is not None:
                return [need]
            if asked is not condition:  # it might have been a fault to ask for it
                break
        return []

    def begins(self, condition: C.Node) -> C.Node | None:
        """What must hold for anything of a condition to be asked that might be a fault."""
        match condition:
            case C.Op(name="unequal", args=(whole, C.Const(value=0))) if self.kind(whole).sort == SET:
                begun = self.tables.begun(whole)
                if begun is not None and self.absorber.safe(begun):
                    return C.Op("unequal", (begun, C.Const(0)))
        return None

    def tested(self, node: C.Fold, do: Callable[[], str | None]) -> None:
        touched = self._touched(node)
        if touched is None:
            super().tested(node, do)
            return
        image, region = touched
        top = self.top_of(image)
        both = self.set_op("common", [self.set_text(image, top), self.region_set(region, top)], top)
        with self.if_(self.set_op("unequal", [both, self.set_const(0, top)], top)):
            super().tested(node, do)

    def _touched(self, node: C.Fold) -> tuple[C.Fold, Region] | None:
        """All spaces that a loop looks at for pieces, if they are a table, and where the pieces are that it wants.

        If there are none of them there, nothing of the loop needs to be done.
        """
        if id(node) not in self._looks:
            self._looks[id(node)] = node, None
            self._looks[id(node)] = node, self._find_touched(node)
        return self._looks[id(node)][1]

    def _find_touched(self, node: C.Fold) -> tuple[C.Fold, Region] | None:
        conditions = conjuncts(node.where)
        if not self.on(Pass.NOTHING_NEAR):
            return None
        if len(node.each) != 1 or node.each[0].form != "set" or not all(map(self.absorber.safe, conditions)):
            return None
        (each,) = node.each
        for condition in conditions:
            for space in self._spaces_asked(condition, each.slot):
                kind = self.kind(space)
                image = C.Fold("set", node.each, None, space)
                if kind.sort != "number" or kind.low < -1 or self.tables.of(image) is None:
                    continue
                slot = self.new_slot(number(0, kind.top))
                asked = _replaced(condition, space, C.Get(slot))
                if self.absorber.uses(asked, each.slot):
                    continue
                region = self.absorber.region(slot, asked)
                if region is not None and region.sort == "kept" and region.none is None:
                    return image, region
        return None

    def _spaces_asked(self, node: C.Node, slot: int) -> Iterator[C.Node]:
        """The spaces of which an expression asks what lies there, that depend on a variable."""
        if isinstance(node, C.Primitive) and node.name in ("first_on", "occupied"):
            (spot,) = node.args
            space = spot.args[0] if isinstance(spot, C.Primitive) and spot.name == "offset" else spot
            if not isinstance(space, C.Get) and self.absorber.uses(space, slot):
                yield space
        for part in parts(node):
            yield from self._spaces_asked(part, slot)

    def _fold(self, node: C.Fold) -> Text:
        first, whole = self.alike.loop(node)
        text, kind = super()._fold(first)
        if whole is None:
            return text, kind
        name = self.held(text, kind)
        with self.if_("s->unlike"):
            self.assign(name, super()._fold(whole)[0])
        return name, kind

    def some_of(self, one: C.Node, nothing: C.Node) -> str | None:
        return None if self.tables.of(one) is not None else super().some_of(one, nothing)

    def membership(self, item: C.Node, node: C.Node) -> str | None:
        return None if self.tables.of(node) is not None else super().membership(item, node)

    # ------------------------------------------------------------------------------------------ the state

    def _lay_out(self) -> None:
        used: set[str] = set()
        for field in self.program.layout.fields:
            name = identifier(field.name)
            while name in used:
                name = f"{name}_{field.base}" if f"{name}_{field.base}" not in used else name + "_"
            used.add(name)
            if field.kind == "history":
                kind, form = Kind(WORD), "u64"
            else:
                kind = self.kinds.slot(field.base)
                form = self._form(field, kind)
            member = Member(field, name, kind, form)
            self.members.append(member)
            for i in range(member.length):
                self.places[field.base + i] = (member, i)

    def _form(self, field: C.Field, kind: Kind) -> str:
        if kind.sort == SET:
            return self.set_type(kind.top)
        if kind.sort == WORD:
            return "u64"
        if field.width > 1 or isinstance(field.type, ListOf | BagOf) or field.kind in ("draft", "pool"):
            return "int32_t"
        if kind.low >= -(2**15) and kind.top <= 2**15:
            return "int16_t"
        return "int32_t"

    def set_type(self, top: int) -> str:
        count = words(top)
        if count > 1:
            self.sizes.add(count)
        return f"set{count}"

    def type(self, kind: Kind) -> str:
        if kind.sort == SET:
            return self.set_type(kind.top)
        return {LIST: "list", WORD: "u64"}.get(kind.sort, "num")

    def slot(self, slot: int) -> str:
        if slot < 0:
            return f"t{-slot}"
        member, at = self.places[slot]
        return f"s->{member.name}" + (f"[{at}]" if member.length != 1 else "")

    def item(self, base: int, index: str) -> str:
        member, at = self.places[base]
        if member.length == 1:
            return f"s->{member.name}"
        return f"s->{member.name}[{index}]" if not at else f"s->{member.name}[{at} + {index}]"

    def several(self, base: int, count: int, index: str | None, is_list: bool) -> str:
        start = self.array(base, f"{index} * {count}" if index is not None else "0")
        if is_list:
            start = start if start.isidentifier() else f"({start})"
            return f"(list){{*{start}, {start} + 1}}"
        return f"(list){{{count}, {start}}}"

    def array(self, base: int, index: str) -> str:
        """A pointer into the state."""
        member, at = self.places[base]
        whole = f"s->{member.name}" if member.length != 1 else f"&s->{member.name}"
        parts = [part for part in (str(at) if at else "", index if index != "0" else "") if part]
        return " + ".join([whole, *parts])

    # --------------------------------------------------------------------------------------------- lines

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[None]:
        self.line(head + " {")
        self.depth += 1
        self.known.append({})
        yield
        self.known.pop()
        self.depth -= 1
        self.line(tail)

    @contextmanager
    def if_(self, condition: str) -> Iterator[None]:
        with self.block(f"if ({condition})"):
            yield

    @contextmanager
    def scope(self) -> Iterator[None]:
        with self.block(""):
            yield

    @contextmanager
    def loop_set(self, variable: str, domain: str, kind: Kind) -> Iterator[None]:
        count = words(kind.top)
        walk = self.temp("m")
        declared = variable if variable.startswith("s->") else f"num {variable}"
        if count == 1:
            with self.block(f"for (set1 {walk} = {domain}; {walk}; {walk} &= {walk} - 1)"):
                self.line(f"{declared} = low1({walk});")
                yield
        else:
            self.set_type(kind.top)
            head = f"for (walk{count} {walk} = begin{count}({domain}); more{count}(&{walk});)"
            with self.block(head):
                self.line(f"{declared} = next{count}(&{walk});")
                yield

    @contextmanager
    def loop_list(self, variable: str, domain: str) -> Iterator[None]:
        items, at = self.temp("l"), self.temp("i")
        self.line(f"list {items} = {domain};")
        with self.block(f"for (num {at} = 0; {at} < {items}.n; {at}++)"):
            declared = variable if variable.startswith("s->") else f"num {variable}"
            self.line(f"{declared} = {items}.p[{at}];")
            yield

    @contextmanager
    def loop_range(self, variable: str, low: str, high: str) -> Iterator[None]:
        at, last = self.temp("i"), self.temp("last")
        with self.block(f"for (num {at} = {low}, {last} = {high}; {at} <= {last}; {at}++)"):
            declared = variable if variable.startswith("s->") else f"num {variable}"
            self.line(f"{declared} = {at};")
            yield

    @contextmanager
    def loop(self, each: C.Each) -> Iterator[None]:
        domain = each.domain[0]
        if each.form == "set" and isinstance(domain, C.Const):
            value = int(domain.value)
            low, high = (value & -value).bit_length() - 1, value.bit_length() - 1
            if value and value == ((1 << (high - low + 1)) - 1) << low:
                with self.loop_range(self.slot(each.slot), str(low), str(high)):
                    yield
                return
        with super().loop(each):
            yield

    @contextmanager
    def loop_through(self, name: str, domain: C.Node) -> Iterator[None]:
        if isinstance(domain, C.Primitive) and domain.name == "slide":
            space, way, most = (self.simple(self.number(arg)) for arg in domain.args)
            steps, count, first = domain.data
            table = self.numbers(steps)
            at, left = self.temp("i"), self.temp("left")
            start = f"{space} >= 0 && {way} >= 0 && {most} > 0 ? {table}[{space} * {count} + {way}] : -1"
            self.line(f"num {left} = {most};")
            occupied = self.occupied(first, at)
            step = f"{at} = --{left} > 0 && !{occupied} ? {table}[{at} * {count} + {way}] : -1"
            with self.block(f"for (num {at} = {start}; {at} >= 0; {step})"):
                declared = name if name.startswith("s->") else f"num {name}"
                self.line(f"{declared} = {at};")
                yield
            return
        with super().loop_through(name, domain):
            yield

    def has_set_form(self, each: C.Each) -> bool:
        if each.form == "set":
            return True
        return self._line_form(each) is not None

    def _line_form(self, each: C.Each) -> C.Primitive | None:
        """A domain that is a line of spaces in one direction."""
        domain = each.domain[0]
        if each.form != "list" or not isinstance(domain, C.Primitive) or not self.on(Pass.LINE_SETS):
            return None
        if domain.name in ("ray", "slide"):
            steps, count = domain.data[:2]
            if self._upwards(steps, count) is None or len(steps) // count > MOST_SPACES:
                return None
            if domain.name == "slide" and (not self.absorber.single or domain.data[2] not in self.absorber.boards):
                return None
            if domain.name == "slide" and not self.on(Pass.KEPT_SETS):
                return None
            return domain
        if domain.name == "between" and len(domain.data[0]) // domain.data[1] <= MOST_SPACES // 2:
            return domain
        return None

    def _upwards(self, steps: tuple[int, ...], count: int) -> tuple[int, ...] | None:
        """For each direction whether the numbers of spaces grow in it; none if that is not the same everywhere."""
        key = ("upwards", steps, count)
        if key not in self._ways:
            signs: list[set[bool]] = [set() for _ in range(count)]
            for i, to in enumerate(steps):
                if to >= 0:
                    signs[i % count].add(to > i // count)
            fits = all(len(sign) < 2 for sign in signs)
            self._ways[key] = tuple(int(sign != {False}) for sign in signs) if fits else None
        return self._ways[key]

    def set_form(self, each: C.Each, goal: str | None = None) -> Text | None:
        domain = self._line_form(each)
        if domain is None:
            return None
        steps, count = domain.data[:2]
        kind = a_set(len(steps) // count)
        if domain.name == "between":
            one, other = (self.simple(self.number(arg)) for arg in domain.args)
            table = self._once(("betweens", steps, count), "BETWEEN", lambda n: self._betweens(n, steps, count))
            there = f"({one} >= 0 && {other} >= 0)"
            return self.cond(there, f"{table}[{one} * {kind.top} + {other}]", self.set_const(0, kind.top)), kind
        (space, a), (way, b) = (self.value(arg) for arg in domain.args[:2])
        rays = self.sets(self._rays(steps, count), words(kind.top))
        if domain.name == "ray":
            if a.sure and b.sure:
                return f"{rays}[{space} * {count} + {way}]", kind
            space, way = self.simple(space), self.simple(way)
            there = f"({space} >= 0 && {way} >= 0)"
            return self.cond(there, f"{rays}[{space} * {count} + {way}]", self.set_const(0, kind.top)), kind
        slid = self.slid(domain)
        if goal is not None:
            space, way, most = self.simple(space), self.simple(way), self.number(domain.args[2])
            there = self.both([f"{space} >= 0", f"{way} >= 0"])
            ahead = self.set_op("has", [goal, f"{rays}[{space} * {count} + {way}]"], kind.top)
            whole = f"{slid}, {space}, {way}, {most})"
            return self.cond(self.both([there, ahead]), whole, self.set_const(0, kind.top)), kind
        return f"{slid}, {space}, {way}, {self.number(domain.args[2])})", kind

    def slid(self, domain: C.Primitive) -> str:
        """The call of what finds the spaces of a slide, up to the first of its arguments."""
        return self._once(("slides", domain.data), "slide_set", lambda n: self._slide_function(n, domain)) + "(s"

    def _rays(self, steps: tuple[int, ...], count: int) -> tuple[int, ...]:
        key = ("rays", steps, count)
        if key not in self._ways:
            rays = []
            for start in range(len(steps) // count):
                for way in range(count):
                    found, at = 0, steps[start * count + way]
                    while at >= 0 and at != start:
                        found |= 1 << at
                        at = steps[at * count + way]
                    rays.append(found)
            self._ways[key] = tuple(rays)
        return self._ways[key] or ()

    def _betweens(self, name: str, steps: tuple[int, ...], count: int) -> None:
        total = len(steps) // count
        table = [0] * (total * total)
        for start in range(total):
            for way in reversed(range(count)):  # the first direction that leads there is the one that counts
                found, at = 0, steps[start * count + way]
                while at >= 0 and at != start:
                    table[start * total + at] = found
                    found |= 1 << at
                    at = steps[at * count + way]
        self.line(f"#define {name} {self.sets(tuple(table), words(total))}")

    def _slide_function(self, name: str, domain: C.Primitive) -> None:
        """The spaces in a direction up to the first that is taken, as a set."""
        steps, count, first = domain.data
        total = len(steps) // count
        top, form = total, self.set_type(total)
        rays = self._rays(steps, count)
        table = self.sets(rays, words(top))
        kept = Kept("spaces", first, total, self.absorber.pieces.everything if self.absorber.pieces else 0)
        filled = self.kept_set(kept, None)
        longest = max((ray.bit_count() for ray in rays), default=0)
        upwards = self.numbers(self._upwards(steps, count) or ())
        nothing = self.set_const(0, top)
        with self.block(f"static inline {form} {name}(const State *s, num space, num way, num most)"):
            self.line(f"if (space < 0 || way < 0 || most <= 0) return {nothing};")
            with self.block(f"if (most < {longest})"):
                self.line(f"{form} found = {nothing};")
                self.line(f"num at = {self.numbers(steps)}[space * {count} + way];")
                with self.block("while (at >= 0 && most-- > 0)"):
                    self.set_add("found", "at", top, True)
                    self.line(f"if ({self.set_op('has', ['at', filled], top)}) break;")
                    self.line(f"at = {self.numbers(steps)}[at * {count} + way];")
                self.line("return found;")
            self.line(f"{form} ray = {table}[space * {count} + way];")
            self.line(f"{form} taken = {self.set_op('common', ['ray', filled], top)};")
            with self.if_(self.set_op("equal", ["taken", nothing], top)):
                self.line("return ray;")
            low, high = self.set_op("lowest", ["taken"], top), self.set_op("highest", ["taken"], top)
            self.line(f"num stop = {upwards}[way] ? {low} : {high};")
            self.line(f"return {self.set_op('minus', ['ray', f'{table}[stop * {count} + way]'], top)};")

    def which_end(self, each: C.Each) -> str | None:
        if each.form == "set":
            return "lowestWORDS(SET)"
        domain = self._line_form(each)
        if domain is None or domain.name == "between":
            return None
        upwards = self.numbers(self._upwards(*domain.data[:2]) or ())
        way, _ = self.value(domain.args[1])
        way = self.simple(way)
        return f"({upwards}[{way}] ? lowestWORDS(SET) : highestWORDS(SET))"

    def words_of(self, top: int) -> str:
        self.set_type(top)
        return str(words(top))

    def touches(self, last: C.Each, found: list[Region]) -> str | None:
        """Whether a group that is flooded has a neighbour of some sort: the flood ends at the first.

        The domain is `neighbors(g)` with `g` reached through allowed spaces, itself or by a formula.
        """
        if not self.on(Pass.FLOOD_ENDS):
            return None
        asked = flooded(last)
        if asked is None:
            return None
        near, made, formula, flood = asked.near, asked.made, asked.formula, asked.reach
        top = len(near)
        wanted, _ = self.narrow(last, found, (self.set_const((1 << top) - 1, top), a_set(top)))
        wanted = self.held(wanted, a_set(top))
        result = self.temp("touches")
        self.declare(TRUTH, result, "0")
        if formula is not None:
            assert isinstance(made, C.Invoke)
            values = [
                (slot, self.held(self.as_kind(arg, self.kinds.slot(slot)), self.kinds.slot(slot)))
                for slot, arg in zip(formula.slots, made.args, strict=True)
            ]
        else:
            values = []
        with self.scope(), self.afresh():
            for slot, value in values:
                self.declare(self.kinds.slot(slot), self.slot(slot), value)
            start, clusters = flood.args[0], self._clusters(flood, (last, found))
            allowed = self.held(clusters[1] if clusters else self.set_text(flood.args[1], top), a_set(top))
            whole = f"touches{words(top)}({self._near(near, top)}, {self.set_text(start, top)}, {allowed}, {wanted})"
            if clusters is not None and isinstance(start, C.Op):
                at = self.number(start.args[0])
                beside = f"beside{words(top)}({clusters[0]}, {self._near(near, top)}, {at}, {allowed}, {wanted})"
                whole = self.cond(clusters[2], beside, whole)
            elif isinstance(start, C.Op) and start.name == "only" and self.kind(start.args[0]).sure:
                # Most groups touch it where they begin.
                at_once = self.set_op("common", [f"{self._near(near, top)}[{self.number(start.args[0])}]", wanted], top)
                at_once = self.set_op("minus", [at_once, allowed], top)
                whole = self.either([self.set_op("unequal", [at_once, self.set_const(0, top)], top), whole])
            self.assign(result, whole)
        return result

    def _clusters(
        self, flood: C.Primitive, wanted: tuple[C.Each, list[Region]] | None = None
    ) -> tuple[str, str, str] | None:
        """The groups that are kept for a flood from one space, the set they are groups of, and whether there is one."""
        found = self.clusters.of(flood, wanted)
        if found is None or not self.kind(flood.args[0]).sure:
            return None
        number, _, region = found
        assert region.kept is not None
        there, at, index = "1", "", None
        if region.index is not None:
            index = self.simple(self.number(region.index))
            at = f" + {index}"
            if region.none is not None or not self.kind(region.index).sure:
                there = f"{index} >= 0"
        among = self.kept_set(region.kept, index)
        if region.none is not None:
            among = self.cond(there, among, self.region_set(region.none, region.kept.count))
        return f"CLUSTERS(x)->of{number}{at}", among, there

    def lacking(self, slot: int, condition: C.Node) -> Region | None:
        """Where groups may be that lack some neighbours, if a condition asks for those: most groups surely have two."""
        match condition:
            case C.Op(name="equal", args=(C.Invoke(formula=formula, args=(C.Get(slot=s),)), C.Const(value=0))) if (
                s == slot
            ):
                body = formula.body
            case _:
                return None
        if not isinstance(body, C.Fold) or body.kind != "set" or body.value is not None or len(body.each) != 1:
            return None
        asked = flooded(body.each[0])
        if asked is None or not self.on(Pass.FLOOD_ENDS):
            return None
        if asked.formula is None or not isinstance(asked.made, C.Invoke) or len(asked.made.args) != 1:
            return None
        (given,), (start,) = asked.made.args, asked.reach.args[:1]
        seed = start.args[0] if isinstance(start, C.Op) and start.name == "only" else None
        if not (isinstance(given, C.Get) and given.slot == formula.slots[0]):
            return None
        if not (isinstance(seed, C.Get) and seed.slot == asked.formula.slots[0]):
            return None
        found, left = self.absorber.absorb(body.each[0].slot, conjuncts(body.where))
        family = None if left else self.clusters.of(asked.reach, (body.each[0], found))
        return Region("unsure", by=family[0]) if family is not None and family[1].wanted is not None else None

    def region_set(self, region: Region, top: int) -> str:
        if region.sort != "unsure":
            return super().region_set(region, top)
        at = f"CLUSTERS(x)->of{region.by}"
        known = f"CLUSTERS(x)->sure{region.by}, CLUSTERS(x)->wanted{region.by}"
        return f"unsure{words(top)}({at}, {self.clusters_now(region.by)}, {self.clusters_wanted(region.by)}, {known})"

    def clusters_now(self, number: int) -> str:
        """How many sets there are whose groups are kept, and where they begin."""
        kept = self.clusters.found[number].kept
        return f"{kept.values}, &{self.kept_set(kept, None if kept.plain else '0')}"

    def clusters_wanted(self, number: int) -> str:
        """What groups are asked for as their neighbours."""
        family = self.clusters.found[number]
        top = family.kept.count
        if family.wanted is None:
            return self.set_const(0, top)
        last, found = family.wanted
        return self.narrow(last, found, (self.set_const((1 << top) - 1, top), a_set(top)))[0]

    @property
    def given(self) -> str:
        """What functions of formulas are given, besides their arguments."""
        return "Context *x, State *s"

    @property
    def inlined(self) -> str:
        """Whether functions of formulas are written where they are asked for, as the C compiler does it if told so."""
        return ""

    @property
    def passed(self) -> list[str]:
        return ["x", "s"]

    def mode(self) -> tuple[str, ...]:
        """What tells functions apart that are written for different purposes."""
        return ()

    def call_any(self, node: C.Invoke) -> str | None:
        formula = node.formula
        args = [self.as_kind(arg, self.kinds.slot(slot)) for slot, arg in zip(formula.slots, node.args, strict=True)]
        name = self._once(
            ("any", formula, *self.mode()),
            f"some_{self.formula_names[formula]}_",
            lambda n: self._any_function(n, formula),
        )
        key = (name, *args)
        known = self.at_hand(key)
        if known is not None:
            return known[0]
        held = self.held(f"{name}({', '.join([*self.passed, *args])})", TRUTH)
        self.known[-1][key] = held, TRUTH
        return held

    def call_in(self, item: C.Node, node: C.Invoke) -> str | None:
        formula = node.formula
        assert formula.body is not None
        args = [self.as_kind(arg, self.kinds.slot(slot)) for slot, arg in zip(formula.slots, node.args, strict=True)]
        sure = self.kind(item).sure
        text = self.number(item) if sure else self.simple(self.number(item))
        name = self._once(
            ("in", formula, *self.mode()),
            f"in_{self.formula_names[formula]}_",
            lambda n: self._in_function(n, formula),
        )
        called = f"{name}({', '.join([*self.passed, *args, text])})"
        at_most = self.tables.at_most(node) if self.on(Pass.AT_MOST) and self.absorber.safe(node) else None
        if at_most is not None:  # mostly it is not even there
            kind = self.kind(node)
            called = self.both([self.set_op("has", [text, self.looked_up(node, at_most)[0]], kind.top), called])
        return called if sure else self.both([f"{text} >= 0", called])

    def _in_function(self, name: str, formula: C.Formula) -> None:
        assert formula.body is not None
        slot = self.new_slot(Kind("number", 0, members(self.kind(formula.body))))
        given = "".join(f", {self.type(self.kinds.slot(s))} {self.slot(s)}" for s in (*formula.slots, slot))
        inside = self.pushed(C.Get(slot), formula.body)
        assert inside is not None
        with self.block(f"static {self.inlined}num {name}({self.given}{given})"), self.afresh():
            self.line("num mark = x->top;")
            self.line(f"num found = {self.truth(inside)};")
            self.line("x->top = mark;")
            self.line("return found;")

    def _any_function(self, name: str, formula: C.Formula) -> None:
        given = "".join(f", {self.type(self.kinds.slot(slot))} {self.slot(slot)}" for slot in formula.slots)
        assert isinstance(formula.body, C.Fold)
        with self.block(f"static {self.inlined}num {name}({self.given}{given})"), self.afresh():
            self.line("num mark = x->top;")
            self.line(f"num some = {self.truth(self.any_of(formula.body))};")
            self.line("x->top = mark;")
            self.line("return some;")

    def occupied(self, first: int, at: str) -> str:
        """Whether something lies on a space of a board whose first spot is `first`."""
        spots = self.program.spots
        if all(spots.single[: spots.first_place]):
            place = f"{at} + {first}" if first else at
            return f"({self.item(spots.top, place)} >= 0)"
        return f"any_lying(s, {at} + {first})"

    def break_(self) -> None:
        self.line("break;")

    def declare(self, kind: Kind, name: str, value: str) -> None:
        self.line(f"{self.type(kind)} {name} = {value};" if value else f"{self.type(kind)} {name};")

    def assign(self, name: str, value: str) -> None:
        if value.startswith(f"{name} + ") and value[len(name) + 3 :].isalnum():
            self.line(f"{name} += {value[len(name) + 3 :]};")
        else:
            self.line(f"{name} = {value};")

    def stop_with(self, fault: int) -> None:
        self.line(f"fault(x, {fault}, 0);")

    # ----------------------------------------------------------------------------------------- expressions

    def demand(self, value: str, none: int, fault: int) -> str:
        return f"demand(x, {value}, {none}, {fault})"

    def fit(self, value: str, low: int, high: int, none: int | None, fault: int) -> str:
        return f"{'fit' if none is None else 'fit_or_none'}(x, {value}, {low}, {high}, {fault})"

    def cond(self, condition: str, then: str, otherwise: str) -> str:
        return f"({condition} ? {then} : {otherwise})"

    def both(self, texts: list[str]) -> str:
        if "0" in texts:
            return "0"
        texts = [text for text in texts if text != "1"]
        return f"({' && '.join(texts)})" if len(texts) > 1 else texts[0] if texts else "1"

    def either(self, texts: list[str]) -> str:
        if "1" in texts:
            return "1"
        texts = [text for text in texts if text != "0"]
        return f"({' || '.join(texts)})" if len(texts) > 1 else texts[0] if texts else "0"

    def not_(self, text: str) -> str:
        return f"!{text}" if text.startswith("(") or text.isidentifier() else f"!({text})"

    def plain_op(self, name: str, args: list[str]) -> str:
        if name == "negative":
            return f"(-{args[0]})"
        return f"{name}({', '.join(args)})"

    def divide(self, name: str, left: str, right: str, fault: int) -> str:
        if right.isdigit() and int(right) > 0:
            return f"{'floored' if name == 'divide' else 'modulo'}({left}, {right})"
        return f"{'divide' if name == 'divide' else 'remain'}(x, {left}, {right}, {fault})"

    def rotate(self, where: Text, by: Text, count: str) -> str:
        if where[1].sure and by[1].sure:
            return f"(({where[0]} + {by[0]}) % {count})"
        return f"rotated({where[0]}, {by[0]}, {count})"

    def set_const(self, value: int, top: int) -> str:
        count = words(top)
        if count == 1:
            return f"0x{value & ((1 << 64) - 1):X}ULL" if value > 9 else f"{value}ULL"
        self.set_type(top)
        key = ("set", count, value)
        if key not in self._tables:
            name = self._tables[key] = f"SET{len(self._tables)}"
            self.definitions.append(f"static const set{count} {name} = {self._words(value, count)};")
        return self._tables[key]

    def _words(self, value: int, count: int) -> str:
        mask = (1 << 64) - 1
        return "{{" + ", ".join(f"0x{value >> 64 * i & mask:X}ULL" for i in range(count)) + "}}"

    def list_const(self, value: tuple[int, ...]) -> str:
        if not value:
            return "(list){0, 0}"
        key = ("list", tuple(map(int, value)))
        if key not in self._tables:
            name = self._tables[key] = f"LIST{len(self._tables)}"
            self.definitions.append(f"static const int32_t {name}[] = {{{', '.join(map(str, key[1]))}}};")
        return f"(list){{{len(value)}, {self._tables[key]}}}"

    def numbers(self, table: tuple[int, ...], guard: int | None = None) -> str:
        """The name of an array of numbers; with a guard, of its second item, so that none may be looked up."""
        table = tuple(map(int, table))
        key = ("numbers", table, guard)
        if key not in self._tables:
            name = f"TABLE{len(self._tables)}"
            items = table if guard is None else (guard, *table)
            form = "int16_t" if all(-(2**15) <= i < 2**15 for i in items) else "int32_t"
            form = "uint16_t" if all(0 <= i < 2**16 for i in items) and form == "int32_t" else form
            if any(not -(2**31) <= i < 2**31 for i in items):
                form = "int64_t"
            text = ", ".join(map(str, items)) or "0"
            self.definitions.append(f"static const {form} {name}[] = {{{text}}};")
            self._tables[key] = name if guard is None else f"({name} + 1)"
        return self._tables[key]

    def sets(self, table: tuple[int, ...], count: int) -> str:
        key = ("sets", table, count)
        if key not in self._tables:
            if count > 1:
                self.sizes.add(count)
            name = self._tables[key] = f"SETS{len(self._tables)}"
            items = ", ".join(
                f"0x{item & ((1 << 64) - 1):X}ULL" if count == 1 else self._words(item, count) for item in table
            )
            self.definitions.append(f"static const set{count} {name}[] = {{{items}}};")
        return self._tables[key]

    def lists(self, table: tuple[tuple[int, ...], ...]) -> str:
        key = ("lists", table)
        if key not in self._tables:
            name = self._tables[key] = f"LISTS{len(self._tables)}"
            items = tuple(item for row in table for item in row)
            flat = f"{name}_items"
            self.definitions.append(f"static const int32_t {flat}[] = {{{', '.join(map(str, items)) or '0'}}};")
            rows, at = [], 0
            for row in table:
                rows.append(f"{{{len(row)}, {flat} + {at}}}")
                at += len(row)
            self.definitions.append(f"static const list {name}[] = {{{', '.join(rows)}}};")
        return self._tables[key]

    def table(self, table: tuple[Any, ...], none: Any, kind: Kind, index: str, sure: bool) -> str:
        if kind.sort == SET:
            count = words(kind.top)
            items = tuple(map(int, table))
            if sure:
                return f"{self.sets(items, count)}[{index}]"
            return f"{self.sets((int(none), *items), count)}[1 + {index}]"
        if kind.sort == LIST:
            return f"{self.lists(table)}[{index}]" if sure else f"{self.lists((none, *table))}[1 + {index}]"
        return f"{self.numbers(table, None if sure else int(none))}[{index}]"

    def set_op(self, name: str, args: list[str], top: int) -> str:
        count = words(top)
        if count == 1:
            a, b = args[0], args[-1]
            match name:
                case "union":
                    return f"({a} | {b})"
                case "common":
                    return f"({a} & {b})"
                case "minus":
                    return f"({a} & ~{b})"
                case "equal":
                    return f"({a} == {b})"
                case "unequal":
                    return f"({a} != {b})"
                case "within":
                    return f"(({a} & ~{b}) == 0)"
                case "members":
                    return f"members1(x, {a})"
            return f"{name}1({', '.join(args)})"
        self.set_type(top)
        if name == "equal":
            return f"same{count}({', '.join(args)})"
        if name == "unequal":
            return f"!same{count}({', '.join(args)})"
        if name == "members":
            return f"members{count}(x, {args[0]})"
        return f"{name}{count}({', '.join(args)})"

    def set_of(self, name: str, args: list[str], top: int) -> str:
        count = words(top)
        self.set_type(top)
        if name == "just" and args[0].isdigit():
            return self.set_const(1 << int(args[0]), top)
        return f"{name}{count}({', '.join(args)})"

    def as_set(self, text: str, have: Kind, top: int) -> str:
        count = words(top)
        self.set_type(top)
        if have.sort != SET:
            if text.isdigit():
                return self.set_const(int(text), top)
            return f"(set1)({text})" if count == 1 else f"from{count}((u64)({text}))"
        mine = words(have.top)
        if mine == count:
            return text
        if count == 1:
            return f"({text}).w[0]"
        if mine == 1:
            return f"from{count}({text})"
        self.fits.add((count, mine))
        return f"fit{count}_{mine}({text})"

    def set_add(self, name: str, value: str, top: int, sure: bool) -> None:
        count = words(top)
        if not sure:
            value = self.simple(value)
        line = f"{name} |= just1({value});" if count == 1 else f"add{count}(&{name}, {value});"
        self.line(line if sure else f"if ({value} >= 0) {line}")

    _IN_ARENA = frozenset(
        [
            "join",
            "without",
            "without_set",
            "upto",
            "from",
            "after",
            "bag_add",
            "bag_subtract",
            "bag_times",
            "bag_of",
            "bag_clip",
            "make",
        ]
    )

    def list_op(self, name: str, args: list[str]) -> str:
        match name:
            case "make":
                return f"list_of(x, {len(args)}, (num[]){{{', '.join(args)}}})" if args else "(list){0, 0}"
            case "in_list":
                return f"in_list({', '.join(args)})"
            case "equal":
                return f"list_equal({', '.join(args)})"
            case "unequal":
                return f"!list_equal({', '.join(args)})"
            case "length":
                return f"({args[0]}).n"
            case "from" | "after":
                return f"list_circle(x, {args[0]}, {args[1]}, {int(name == 'after')})"
            case "next_of" | "previous_of":
                return f"list_{name.removesuffix('_of')}({', '.join(args)})"
            case "total_of" | "bag_total":
                return f"list_total({args[0]})"
            case "without_set":
                self.set_type(int(args[2]))
                return f"without_set{words(int(args[2]))}(x, {args[0]}, {args[1]})"
        prefix = "" if name.startswith("bag_") else "list_"
        inside = ["x", *args] if name in self._IN_ARENA else args
        return f"{prefix}{name}({', '.join(inside)})"

    def compared(self, one: str, how: str, other: str, kind: Kind) -> str:
        return f"list_compare({one}, {other}) {how} 0" if kind.sort == LIST else f"{one} {how} {other}"

    def _fold_list(self, node: C.Fold, kind: Kind) -> str:
        """While a list grows, it takes the room of all lists that are made meanwhile."""
        keys, down = self._keys_that_matter(node)
        if keys != node.keys:
            node = self._sorted.setdefault(id(node), (node, replace(node, keys=keys)))[1]
        keeps, self.keeps_lists = self.keeps_lists, False
        self._downwards.append(down)  # until its end is written
        name = super()._fold_list(node, kind)
        self.keeps_lists = keeps
        return name

    def _keys_that_matter(self, node: C.Fold) -> tuple[tuple[C.Node, ...], bool]:
        """The keys by which a list is sorted, without those that its variable has already; and whether it goes down.

        The members of a set come in their order, and what ties stays as it was.
        """
        if len(node.each) != 1 or node.each[0].form not in ("set", "range") or not self.on(Pass.SORTED_ALREADY):
            return node.keys, False
        slot = node.each[0].slot
        for i, key in enumerate(node.keys):
            match key:
                case C.Get(slot=of) if of == slot:
                    return node.keys[:i], False
                case C.Op(name="negative", args=(C.Get(slot=of),)) if of == slot:
                    return node.keys[:i], True
        return node.keys, False

    def list_begin(self, name: str, keys: int) -> None:
        self.line(f"list {name} = list_open(x);")

    def list_push(self, name: str, value: str, none: int, keys: list[str]) -> None:
        value = self.simple(value)
        keys = [self.held(key, ANY_NUMBER) for key in keys]
        with self.if_(f"{value} != {none}"):
            for text in (*keys, value):
                self.line(f"list_push(x, &{name}, {text});")

    def list_end(self, name: str, keys: int) -> None:
        if self._downwards.pop():
            self.line(f"list_reverse({name}, {keys});")
        if keys:
            self.line(f"{name} = list_sorted(x, {name}, {keys});")

    def call(self, formula: C.Formula, args: list[str]) -> str:
        return f"{self.formula_names[formula]}({', '.join(['x', 's', *args])})"

    def would(self, node: C.Would, args: list[str]) -> str:
        """Tries an effect: on the state itself, which is put right again, or on a copy."""
        self.tries = True
        result = self.temp("would")
        self.line(f"num {result};")
        values = [
            self.held(arg, self.kinds.slot(slot)) for arg, slot in zip(args, node.procedure.parameters, strict=True)
        ]
        changed = self.changed_by(node.procedure)
        with self.scope():
            if changed is None:
                self.line("State copy = *s, *kept = s;")
                self.line("s = &copy;")
            else:  # what it may change is put back behind it
                for name, form, length in changed:
                    self.line(f"{form} kept_{name}{f'[{length}]' if length != 1 else ''};")
                    self.line(f"memcpy(&kept_{name}, &s->{name}, sizeof kept_{name});")
            self.line("num mark = x->top;")
            if self.journal:
                self.line("num logged = x->logged;")
            self.bring_up_to_date()
            self.line("x->trying++;")
            self.store_arguments(node.procedure, values)
            self.line(f"{self.try_out(node.procedure)};")
            with self.afresh():
                self.line(f"{result} = {self.truth(node.condition)};")
            self.line("x->trying--;")
            self.line("x->top = mark;")
            if changed is None:
                if self.alike.tries:
                    self.line("kept->unlike |= s->unlike;")
                self.line("s = kept;")
                if self.journal:
                    self.line("x->logged = logged;")
            else:
                if self.journal:
                    self.line("if (x->logged > logged) put_back(x, s, logged);")
                for name, _, _ in changed:
                    self.line(f"memcpy(&s->{name}, &kept_{name}, sizeof kept_{name});")
        return result

    tries = False  # whether effects are tried out at all

    @abstractmethod
    def bring_up_to_date(self) -> None:
        """Before something is tried out."""

    clusters: Clusters  # groups that are kept
    journal = False  # whether moves that are tried out are written down, to be put back one by one

    @abstractmethod
    def changed_by(self, procedure: C.Procedure) -> list[tuple[str, str, int]] | None:
        """What an effect may change: name, type and length of members of the state; none if that cannot be told."""

    def store_arguments(self, procedure: C.Procedure, values: list[str]) -> None:
        for slot, value in zip(procedure.parameters, values, strict=True):
            self.store(slot, value)

    def store(self, slot: int, value: str) -> None:
        """A value into the slots of a parameter."""
        member, _ = self.places[slot]
        if isinstance(member.field.type, ListOf):
            cap = self.program.data["wide"].get(slot, member.field.width)
            self.line(f"put_list(x, {self.array(slot, '0')}, {value}, {cap}, {self.too_long(cap)});")
        elif isinstance(member.field.type, BagOf):
            self.line(f"put_bag({self.array(slot, '0')}, {value});")
        else:
            self.assign(self.slot(slot), value)

    def too_long(self, cap: int, span: Any = None) -> int:
        return self.fault(span, f"this list would have {{}} items, and {cap - 1} are the most")

    @abstractmethod
    def try_out(self, procedure: C.Procedure) -> str:
        """The call of an effect that is tried out."""

    # ------------------------------------------------------------------------------------------ primitives

    def shifted(self, text: str, by: int, top: int) -> str:
        if words(top) == 1:
            return f"({text} {'<<' if by > 0 else '>>'} {abs(by)})"
        self.set_type(top)
        return f"shift{words(top)}({text}, {by})"

    def kept_set(self, kept: Kept, index: str | None) -> str:
        name = f"s->kept{self.absorber.found.index(self.absorber.keep(kept))}"
        return name if kept.plain else f"{name}[{index}]"

    def primitive(self, node: C.Primitive, name: str) -> Text:
        method = getattr(self, "prim_" + name)
        return method(node, self.kind(node)), self.kind(node)

    def _on_space(self, spot: C.Node) -> bool:
        """Whether a spot is a space that holds at most one piece."""
        spots, kind = self.program.spots, self.kind(spot)
        return kind.top <= spots.first_place and all(spots.single[: spots.first_place])

    def _all_pieces(self, kinds: int | None) -> bool:
        return kinds is None or kinds == self.program.roots["piece"].everything

    @property
    def pieces(self) -> int:
        return max(1, self.program.roots["piece"].size) if "piece" in self.program.roots else 1

    def prim_on(self, node: C.Primitive, kind: Kind) -> str:
        spot, (kinds,) = self.number(node.args[0]), node.data
        if self._all_pieces(kinds):
            return f"lying(x, s, {spot})"
        return f"lying_of(x, s, {spot}, {self.set_const(kinds, self.pieces)})"

    def prim_on_set(self, node: C.Primitive, kind: Kind) -> str:
        spot, (kinds,) = self.number(node.args[0]), node.data
        text = f"lying_set(s, {spot})"
        if self._all_pieces(kinds):
            return text
        return self.set_op("common", [text, self.set_const(kinds, kind.top)], kind.top)

    def prim_on_all(self, node: C.Primitive, kind: Kind) -> str:
        (spots,) = node.data
        if not spots:
            return self.set_const(0, kind.top)
        text = f"lying_set(s, {spots[0]})"
        for spot in spots[1:]:
            text = self.set_op("union", [text, f"lying_set(s, {spot})"], kind.top)
        return text

    def prim_first_on(self, node: C.Primitive, kind: Kind) -> str:
        (spot, at), (kinds,) = self.value(node.args[0]), node.data
        if self._on_space(node.args[0]):
            if not at.sure:
                spot = self.simple(spot)
            top = self.item(self.program.spots.top, spot)
            found = top if at.sure else f"({spot} >= 0 ? {top} : -1)"
            if self._all_pieces(kinds):
                return found
            found = self.simple(found)
            return self.cond(
                self.set_op("holds", [found, self.set_const(kinds, self.pieces)], self.pieces), found, "-1"
            )
        if self._all_pieces(kinds) and self._all_piles(node.args[0]):
            if at.sure:
                return self.item(self.program.spots.bottom, spot)
            spot = self.simple(spot)
            return self.cond(f"{spot} >= 0", self.item(self.program.spots.bottom, spot), "-1")
        if self._all_pieces(kinds):
            numbered = any(at.low <= place < at.top for place in self.program.data.get("slots", ()))
            lying = self._members(spot, at) if not numbered else None  # by their numbers
            return self.set_op("lowest", [lying], self.pieces) if lying is not None else f"any_first(x, s, {spot})"
        return f"first_lying(x, s, {spot}, {self.set_const(kinds, self.pieces)})"

    def prim_firsts(self, node: C.Primitive, kind: Kind) -> str:
        """The pieces that are the first of their looks where they lie."""
        return "s->firsts"

    def prim_firsts_unmixed(self, node: C.Primitive, kind: Kind) -> str:
        """The same, and all pieces that lie among others of different looks."""
        return "(s->firsts | s->mixed)"

    def prim_all_alike(self, node: C.Primitive, kind: Kind) -> str:
        """Whether all trials were the same for alike pieces, so far."""
        return "!s->unlike"

    def prim_top_of(self, node: C.Primitive, kind: Kind) -> str:
        return f"top_of(x, s, {self.number(node.args[0])})"

    def prim_occupied(self, node: C.Primitive, kind: Kind) -> str:
        spot, at = self.value(node.args[0])
        if self._on_space(node.args[0]):
            if at.sure:
                return f"({self.item(self.program.spots.top, spot)} >= 0)"
            spot = self.simple(spot)
            return f"({spot} >= 0 && {self.item(self.program.spots.top, spot)} >= 0)"
        return f"any_lying(s, {spot})"

    def prim_knowers(self, node: C.Primitive, kind: Kind) -> str:
        return f"knowers(x, s, {self.number(node.args[0])})"

    def prim_standing(self, node: C.Primitive, kind: Kind) -> str:
        (piece, of), (first, count, at, parts) = self.value(node.args[0]), node.data
        if not parts:
            if first == 0 and of.sure:
                where = self.simple(self.item(at, piece))
                return where if self.program.spots.count == count else f"({where} < {count} ? {where} : -1)"
            piece = self.simple(piece)
            where = f"{self.item(at, piece)}" + (f" - {first}" if first else "")
            if not of.sure:
                where = f"{piece} >= 0 ? {where} : -1"
            return f"within_or_none({where}, {count})"
        name = self._once(("standing", node.data), "standing_at", lambda n: self._standing_function(n, node.data))
        return f"{name}(s, {piece})"

    def _once(self, key: Any, stem: str, define: Any) -> str:
        """The name of a function that is written when it is first asked for."""
        if key not in self._tables:
            name = self._tables[key] = f"{stem}{len(self._tables)}"
            kept, self.lines, depth, self.depth = self.lines, [], self.depth, 0
            keeps, self.keeps_lists = self.keeps_lists, False
            define(name)
            self.keeps_lists = keeps
            self.library += self.lines
            self.lines, self.depth = kept, depth
        return self._tables[key]

    library: list[str]

    def _standing_function(self, name: str, data: Any) -> None:
        first, count, at, parts = data
        with self.block(f"static num {name}(const State *s, num piece)"):
            self.line("if (piece < 0) return -1;")
            self.line(f"num spot = {self.item(at, 'piece')};")
            self.line(f"if (spot >= {first} && spot < {first + count}) return spot - {first};")
            for first_part, size, owner in parts:
                tile = f"{self.numbers(tuple(owner))}[spot - {first_part}]"
                with self.if_(f"spot >= {first_part} && spot < {first_part + size}"):
                    self.line(f"return within_or_none({self.item(at, tile)} - {first}, {count});")
            self.line("return -1;")

    def prim_first_on_tile(self, node: C.Primitive, kind: Kind) -> str:
        kinds, parts = node.data
        name = self._once(
            ("first_on_tile", kinds, parts), "first_on_tile", lambda n: self._first_on_tile_function(n, kinds, parts)
        )
        key = name, self.simple(self.number(node.args[0]))
        known = self.at_hand(key)
        if known is None:  # mostly it is asked several times what lies on a tile
            known = self.held(f"{name}(x, s, {key[1]})", kind), kind
            self.known[-1][key] = known
        return known[0]

    def _first_on_tile_function(self, name: str, kinds: int, parts: Any) -> None:
        spots_of: dict[int, list[int]] = {}
        for first, owner in parts:
            for part, tile in enumerate(owner):
                spots_of.setdefault(tile, []).append(first + part)
        table = self.lists(tuple(tuple(spots_of.get(piece, ())) for piece in range(self.pieces)))
        mask = self.set_const(kinds, self.pieces)
        with self.block(f"static num {name}(Context *x, const State *s, num spot)"):

            def look(piece: str) -> None:
                self.line(f"if ({self.set_op('has', [piece, mask], self.pieces)}) return {piece};")
                with self.block(f"for (num k = 0; k < {table}[{piece}].n; k++)"):
                    self.line(f"num found = first_lying(x, s, {table}[{piece}].p[k], {mask});")
                    self.line("if (found >= 0) return found;")

            spots = self.program.spots
            piled = tuple(int(a and not b) for a, b in zip(spots.ordered, spots.single, strict=True))
            self.line("if (spot < 0) return -1;")
            if any(piled):
                with self.block(f"if ({self.numbers(piled)}[spot])"):
                    first, over = self.item(spots.bottom, "spot"), self.item(spots.over, "p")
                    with self.block(f"for (num p = {first}; p >= 0; p = {over})"):
                        look("p")
                    self.line("return -1;")
            self.line("num mark = x->top;")
            self.line("list lies = lying(x, s, spot);")
            self.line("x->top = mark;")
            with self.block("for (num i = 0; i < lies.n; i++)"):
                look("lies.p[i]")
            self.line("return -1;")

    def prim_space_at(self, node: C.Primitive, kind: Kind) -> str:
        (table,) = node.data
        args = [self.simple(self.number(arg)) for arg in node.args]
        if not table:
            return "-1"
        lows = [min(key[i] for key in table) for i in range(len(args))]
        highs = [max(key[i] for key in table) for i in range(len(args))]
        sizes = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        total = 1
        for size in sizes:
            total *= size
        dense = [-1] * total
        for key, space in table.items():
            at = 0
            for value, low, size in zip(key, lows, sizes, strict=True):
                at = at * size + value - low
            dense[at] = space
        index = ""
        for arg, low, size in zip(args, lows, sizes, strict=True):
            index = f"({index}) * {size} + {arg} - {low}" if index else f"{arg} - {low}"
        index = index.replace("- -", "+ ")
        inside = self.both(
            [f"{arg} >= {low} && {arg} <= {high}" for arg, low, high in zip(args, lows, highs, strict=True)]
        )
        return self.cond(inside, f"{self.numbers(tuple(dense))}[{index}]", "-1")

    def prim_turn(self, node: C.Primitive, kind: Kind) -> str:
        direction, by = self.simple(self.number(node.args[0])), self.number(node.args[1])
        (cycles,) = node.data
        circles = self.lists(tuple(tuple(circle) for circle, _ in cycles))
        places = self.numbers(tuple(position for _, position in cycles))
        turned = f"{circles}[{direction}].p[modulo({places}[{direction}] + {by}, {circles}[{direction}].n)]"
        return self.cond(f"{direction} >= 0", turned, "-1")

    def prim_step(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        values = [self.value(arg) for arg in node.args]
        if len(values) == 2:
            (space, one), (way, other) = values
            table = self.numbers(steps)
            unsure = []
            if not one.sure:
                space = self.simple(space)
                unsure.append(f"{space} >= 0")
            if not other.sure:
                way = self.simple(way)
                unsure.append(f"{way} >= 0")
            found = f"{table}[{space} * {count} + {way}]"
            return self.cond(self.both(unsure), found, "-1") if unsure else found
        return f"steps_away({self.numbers(tuple(steps))}, {count}, {', '.join(text for text, _ in values)})"

    def prim_mask_of(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        space = self.simple(self.number(node.args[0]))
        name, item = self.temp("among"), self.temp("to")
        self.declare(kind, name, self.set_const(0, kind.top))
        with self.if_(f"{space} >= 0"):
            way = self.temp("way")
            top = self.top_of(node.args[1])
            with self.loop_set(way, self.set_text(node.args[1], top), a_set(top)):
                self.line(f"num {item} = {self.numbers(steps)}[{space} * {count} + {way}];")
                self.set_add(name, item, kind.top, False)
        return name

    # tiles

    def _tiles(self, tiles: Tiles) -> int:
        if tiles not in self.tiles:
            self.tiles.append(tiles)
            number = len(self.tiles) - 1
            self._once(("tiles", number), "tiles", lambda _: self._tile_functions(number, tiles))
        return self.tiles.index(tiles)

    def _tile_functions(self, number: int, tiles: Tiles) -> None:
        pieces, count, sides = self.pieces, len(tiles.owner), len(tiles.turns)
        shown = [
            next((part for part in tiles.parts_of.get(piece, ()) if tiles.sides[part] >> side & 1), -1)
            for piece in range(pieces)
            for side in range(sides)
        ]
        table, turned = self.numbers(tuple(shown)), self.turned(tiles.turns)
        with self.block(f"static num part_facing{number}(const State *s, num piece, num way)"):
            self.line("if (piece < 0 || way < 0) return -1;")
            self.line(f"return {table}[piece * {sides} + {turned}(way, -{self.item(tiles.turn, 'piece')})];")
        form = self.type(a_set(count))
        owner, printed = self.numbers(tuple(tiles.owner)), self.sets(tuple(tiles.sides), 1)
        is_tile = self.set_const(sum(1 << piece for piece in tiles.parts_of), pieces)
        with self.block(f"static num tile_on{number}(const State *s, num spot)"):
            for lying in (tiles.bottom, tiles.top):
                if lying >= 0:
                    self.line(f"num at{lying} = {self.item(lying, 'spot')};")
                    tile = self.set_op("has", [f"at{lying}", is_tile], pieces)
                    self.line(f"if (at{lying} >= 0 && {tile}) return at{lying};")
            self.line("return -1;")
        with self.block(f"static {form} parts_near{number}(const State *s, num part)"):
            self.declare(a_set(count), "found", self.set_const(0, count))
            self.line("if (part < 0) return found;")
            self.line(f"num piece = {owner}[part];")
            self.line(f"num space = {self.item(tiles.at, 'piece')} - {tiles.first_space};")
            self.line(f"if (space < 0 || space >= {tiles.spaces}) return found;")
            self.line(f"num turn = {self.item(tiles.turn, 'piece')};")
            with self.loop_set("side", f"{printed}[part]", a_set(sides)):
                self.line(f"num way = {turned}(side, turn);")
                self.line(f"num there = {self.numbers(tuple(tiles.steps))}[space * {tiles.count} + way];")
                self.line("if (there < 0) continue;")
                self.line(f"num other = tile_on{number}(s, there + {tiles.first_space});")
                self.line("if (other < 0) continue;")
                opposite = self.numbers(tuple(tiles.opposite))
                self.line(f"num met = part_facing{number}(s, other, {opposite}[way]);")
                self.set_add("found", "met", count, False)
            self.line("return found;")

    def turned(self, turns: tuple[tuple[int, ...], ...]) -> str:
        """The name of a function that turns a direction."""
        return self._once(("turned", turns), "turned", lambda name: self._turned_function(name, turns))

    def _turned_function(self, name: str, turns: tuple[tuple[int, ...], ...]) -> None:
        ways = self.lists(turns)
        with self.block(f"static num {name}(num way, num by)"):
            self.line(f"return {ways}[way].p[modulo(by, {ways}[way].n)];")

    def prim_part_neighbors(self, node: C.Primitive, kind: Kind) -> str:
        return f"parts_near{self._tiles(node.data[0])}(s, {self.number(node.args[0])})"

    def prim_part_facing(self, node: C.Primitive, kind: Kind) -> str:
        piece, way = (self.number(arg) for arg in node.args)
        return f"part_facing{self._tiles(node.data[0])}(s, {piece}, {way})"

    def prim_as_it_lies(self, node: C.Primitive, kind: Kind) -> str:
        way, piece = (self.simple(self.number(arg)) for arg in node.args)
        turns, slot, sign = node.data
        turned = f"{self.turned(turns)}({way}, {'' if sign > 0 else '-'}{self.item(slot, piece)})"
        return self.cond(f"{way} >= 0 && {piece} >= 0", turned, "-1")

    def prim_turned_set(self, node: C.Primitive, kind: Kind) -> str:
        turns, slot = node.data
        sides, piece = self.set_text(node.args[0], kind.top), self.simple(self.number(node.args[1]))
        name, turn = self.temp("among"), self.temp("turn")
        self.declare(kind, name, self.set_const(0, kind.top))
        with self.if_(f"{piece} >= 0"):
            self.line(f"num {turn} = {self.item(slot, piece)};")
            with self.loop_set("side", sides, kind):
                self.set_add(name, f"{self.turned(turns)}(side, {turn})", kind.top, True)
        return name

    # connections

    def _near(self, near: Any, top: int) -> str:
        return self.sets(tuple(near), words(top))

    def prim_reachable(self, node: C.Primitive, kind: Kind) -> str:
        near, top = node.data[0], kind.top
        clusters = self._clusters(node)
        if clusters is not None:
            groups, among, there = clusters
            (begun,) = node.args[0].args if isinstance(node.args[0], C.Op) else ()
            near_text, at, among = self._near(near, top), self.simple(self.number(begun)), self.held(among, kind)
            whole = f"cluster{words(top)}({groups}, {near_text}, {at}, {among})"
            return self.cond(
                there, whole, f"reach{words(top)}({near_text}, {self.set_of('just', [at], top)}, {among}, -1)"
            )
        if isinstance(near, tuple):
            spread = self._spread_from(node, None)
            if spread is not None:
                return spread
        start, allowed = self.set_text(node.args[0], top), self.set_text(node.args[1], top)
        within = self.number(node.args[2])
        if isinstance(near, tuple):
            return f"reach{words(top)}({self._near(near, top)}, {start}, {allowed}, {within})"
        number = self._tiles(near)
        name = self._once(("reach", number), "reach_parts", lambda n: self._reach_parts(n, number, top))
        return f"{name}(s, {start}, {allowed}, {within})"

    def prim_reachable_once(self, node: C.Primitive, kind: Kind) -> str:
        near, keys, top = node.data[0], node.data[1], kind.top
        start, allowed = self.set_text(node.args[0], top), self.set_text(node.args[1], top)
        which = self.fault(node.span, f"there are more than {MOST_FILLS} ways to choose which way to go")
        if isinstance(near, tuple):
            fill = f"reach{words(top)}({self._near(near, top)}, "
        else:
            number = self._tiles(near)
            fill = self._once(("reach", number), "reach_parts", lambda n: self._reach_parts(n, number, top)) + "(s, "
        name = self._once(
            ("once", near, keys, which), "reach_once", lambda n: self._reach_once(n, fill, keys, top, which)
        )
        return f"{name}(x, s, {start}, {allowed})"

    def _reach_once(self, name: str, fill: str, keys: tuple[int, ...], top: int, which: int) -> None:
        shared: dict[int, int] = {}
        for member, key in enumerate(keys):
            shared[key] = shared.get(key, 0) | 1 << member
        rivals = tuple(shared[key] & ~(1 << member) if key >= 0 else 0 for member, key in enumerate(keys))
        form, table, nothing = self.set_type(top), self.sets(rivals, words(top)), self.set_const(0, top)
        op = self.set_op
        with self.block(f"static {form} {name}(Context *x, State *s, {form} begun, {form} inside)"):
            self.line(f"{form} result = {nothing};")
            with self.loop_set("at", "begun", a_set(top)):
                self.line(f"inside = {op('minus', ['inside', f'{table}[at]'], top)};")
            self.line(f"{form} todo[{MOST_FILLS} + 64];")
            self.line("num waiting = 1, fills = 0;")
            self.line("todo[0] = inside;")
            with self.block("while (waiting)"):
                self.line("inside = todo[--waiting];")
                self.line(f"{form} found = {fill}begun, inside, -1), fresh = {op('minus', ['found', 'begun'], top)};")
                self.line("num doubled = -1;")
                with self.loop_set("at", "fresh", a_set(top)):
                    meet = op("common", [f"{table}[at]", "fresh"], top)
                    with self.if_(op("unequal", [meet, nothing], top)):
                        self.line("doubled = at;")
                        self.line("break;")
                with self.block("if (doubled < 0)"):
                    self.line(f"result = {op('union', ['result', 'found'], top)};")
                    self.line("continue;")
                whole = op("union", [f"{table}[doubled]", self.set_of("just", ["doubled"], top)], top)
                self.line(f"{form} together = {op('common', [whole, 'inside'], top)};")
                self.line(f"{form} rest = {op('minus', ['inside', 'together'], top)};")
                with self.loop_set("at", op("common", ["together", "found"], top), a_set(top)):
                    self.line(f"if (waiting >= {MOST_FILLS}) fault(x, {which}, 0);")
                    self.line(f"todo[waiting] = {op('union', ['rest', self.set_of('just', ['at'], top)], top)};")
                    self.line("waiting++;")
                self.line(f"if (++fills > {MOST_FILLS}) fault(x, {which}, 0);")
            self.line("return result;")

    def _reach_parts(self, name: str, number: int, top: int) -> None:
        form = self.set_type(top)
        nothing = self.set_const(0, top)
        with self.block(f"static {form} {name}(const State *s, {form} start, {form} allowed, num within)"):
            self.line(f"{form} found = start, edge = start;")
            some = self.set_op("unequal", ["edge", nothing], top)
            with self.block(f"while (within-- && {some})"):
                self.line(f"{form} around = {nothing};")
                with self.loop_set("part", "edge", a_set(top)):
                    near = f"parts_near{number}(s, part)"
                    self.line(f"around = {self.set_op('union', ['around', near], top)};")
                inside = self.set_op("common", ["around", "allowed"], top)
                self.line(f"edge = {self.set_op('minus', [inside, 'found'], top)};")
                self.line(f"found = {self.set_op('union', ['found', 'edge'], top)};")
            self.line("return found;")

    def prim_joined(self, node: C.Primitive, kind: Kind) -> str:
        near = node.data[0]
        assert isinstance(near, tuple), "only spaces of boards are joined"
        top = len(near)
        spread = self._spread_from(node, lambda: self.set_text(node.args[1], top))
        if spread is not None:
            return spread
        one, other, allowed = (self.set_text(arg, top) for arg in node.args)
        return f"joined{words(top)}({self._near(near, top)}, {one}, {other}, {allowed})"

    def _spread_from(self, node: C.Primitive, goal: Callable[[], str] | None) -> str | None:
        """What spreads from a start through spaces where pieces lie: kept from one question to the next.

        Where pieces come to such spaces and seldom leave them, a question is answered by what came since the one
        before it. With a goal it is asked whether that was reached. `reachable` starts within the allowed spaces.
        """
        if not self.on(Pass.KEPT_FLOODS):
            return None
        near, top, joined = node.data[0], len(node.data[0]), node.name == "joined"
        one, allowed = node.args[0], node.args[-1] if joined else node.args[1]
        if not joined and not (isinstance(node.args[2], C.Const) and node.args[2].value < 0):
            return None
        spaces, begin = self.absorber.made_of(allowed), self.absorber.made_of(one)
        if spaces is None or begin is None:
            return None
        grown = next((region for region in spaces if region.sort == "kept" and region.none is None), None)
        if grown is None or grown.kept is None or (not joined and len(spaces) > 1):
            return None
        inside = [region for region in begin if _alike(region, grown)]
        rest = [region for region in begin if region not in inside]
        if not rest or (not joined and not inside):
            return None
        asked = {slot for region in rest for slot in self._asked_by(region)}
        given = set() if grown.index is None else self.pure.asked(grown.index)
        fixed = asked <= given and (not given or isinstance(grown.index, C.Get))
        if not fixed and any(region.sort == "given" and is_only(region.given) for region in rest):
            return None  # another start each time
        if id(node) not in self._spread:
            self._spread[id(node)] = node, len(self.spreads)
            self.spreads.append((self.set_type(top), grown.kept.values, not fixed))
        at = self.simple(self.number(grown.index)) if grown.index is not None else "0"
        number = self._spread[id(node)][1]
        found, around, begun = (f"s->{name}{number}[{at}]" for name in ("spread", "around", "begun"))
        if inside:
            start, *others = (self.region_set(region, top) for region in rest)
            for other in others:
                start = self.set_op("common", [start, other], top)
        else:
            start = self.set_text(one, top)
        start, through = self.held(start, a_set(top)), self.held(self.set_text(allowed, top), a_set(top))
        wanted = self.held(goal(), a_set(top)) if goal is not None else self.set_const(0, top)
        kept = "0" if fixed else f"&{begun}"
        args = [self._near(near, top), f"&{found}", f"&{around}", kept, start, through, wanted]
        self.line(f"spread{words(top)}({', '.join(args)});")
        if goal is None:
            return self.held(found, a_set(top))
        met = self.set_op("common", [found, wanted], top)
        return self.held(self.set_op("unequal", [met, self.set_const(0, top)], top), TRUTH)

    def _asked_by(self, region: Region) -> set[int]:
        """The slots and variables on which a region depends; -1 for what lies where."""
        if region.sort == "kept":
            return {-1}
        found = set[int]().union(*map(self._asked_by, region.parts))
        for node in (region.index, region.given):
            if node is not None:
                found |= self.pure.asked(node)
        return found

    def spread_members(self) -> list[str]:
        """What is at hand of what spread, in the state."""
        found = []
        for i, (form, count, moves) in enumerate(self.spreads):
            found.append(f"{form} spread{i}[{count}], around{i}[{count}];  /* what was reached, and its neighbours */")
            if moves:
                found.append(f"{form} begun{i}[{count}];  /* from where */")
        return found

    def meets(self, last: C.Each, found: list[Region]) -> str | None:
        """Whether anything that is reached is of some sort: the flood ends at the first."""
        domain = last.domain[0]
        if isinstance(domain, C.Invoke):
            if self.remembered(domain.formula):
                return None
            domain = self.absorber.seen_through(domain) or domain
        match domain:
            case C.Primitive(name="reachable", args=(one, through, C.Const(value=-1)), data=(tuple() as near, *_)):
                pass
            case _:
                return None
        top = len(near)
        if not found or not self.on(Pass.FLOOD_ENDS):
            return None

        def goal() -> str:
            return self.narrow(last, found, (self.set_const((1 << top) - 1, top), a_set(top)))[0]

        spread = self._spread_from(domain, goal)
        if spread is not None:
            return spread
        start, allowed = (self.held(self.set_text(arg, top), a_set(top)) for arg in (one, through))
        return self.held(f"meets{words(top)}({self._near(near, top)}, {start}, {allowed}, {goal()})", TRUTH)

    def prim_groups(self, node: C.Primitive, kind: Kind) -> str:
        near = node.data[0]
        top = len(near) if isinstance(near, tuple) else len(near.owner)
        inside = self.set_text(node.args[0], top)
        if isinstance(near, tuple):
            return f"groups{words(top)}({self._near(near, top)}, {inside})"
        number = self._tiles(near)
        reach = self._once(("reach", number), "reach_parts", lambda n: self._reach_parts(n, number, top))
        rest, count = self.temp("rest"), self.temp("n")
        self.declare(a_set(top), rest, inside)
        self.declare(ANY_NUMBER, count, "0")
        some = self.set_op("unequal", [rest, self.set_const(0, top)], top)
        with self.block(f"while ({some})"):
            first = self.set_of("just", [self.set_op("lowest", [rest], top)], top)
            self.line(f"{rest} = {self.set_op('minus', [rest, f'{reach}(s, {first}, {rest}, -1)'], top)};")
            self.line(f"{count}++;")
        return count

    def prim_distance(self, node: C.Primitive, kind: Kind) -> str:
        near: tuple[int, ...] = node.data[0]
        one, other = (self.number(arg) for arg in node.args)
        name = self._once(("distance", near), "distance", lambda n: self._distance_function(n, near))
        return f"{name}({one}, {other})"

    def _distance_function(self, name: str, near: tuple[int, ...]) -> None:
        top = len(near)
        form, table = self.set_type(top), self._near(near, top)
        with self.block(f"static num {name}(num a, num b)"):
            self.line("if (a < 0 || b < 0) return INT32_MIN;")
            self.line(f"{form} found = {self.set_of('just', ['a'], top)}, edge = found;")
            some = self.set_op("unequal", ["edge", self.set_const(0, top)], top)
            with self.block(f"for (num steps = 0; {some}; steps++)"):
                self.line(f"if ({self.set_op('has', ['b', 'found'], top)}) return steps;")
                self.line(f"{form} around = {self.set_const(0, top)};")
                with self.loop_set("at", "edge", a_set(top)):
                    self.line(f"around = {self.set_op('union', ['around', f'{table}[at]'], top)};")
                self.line(f"edge = {self.set_op('minus', ['around', 'found'], top)};")
                self.line(f"found = {self.set_op('union', ['found', 'edge'], top)};")
            self.line("return INT32_MIN;")

    # lines

    def prim_ray(self, node: C.Primitive, kind: Kind) -> str:
        (space, one), (way, other) = (self.value(arg) for arg in node.args)
        steps, count = node.data
        if not self.on(Pass.LINE_SETS):
            return f"{self._once('ray', 'ray', self._ray_function)}(x, {self.numbers(steps)}, {count}, {space}, {way})"
        rays = []
        for start in range(len(steps) // count):
            for d in range(count):
                found, at = [], steps[start * count + d]
                while at >= 0 and at != start:
                    found.append(at)
                    at = steps[at * count + d]
                rays.append(tuple(found))
        table = self.lists(tuple(rays))
        if one.sure and other.sure:
            return f"{table}[{space} * {count} + {way}]"
        space, way = self.simple(space), self.simple(way)
        return self.cond(f"{space} >= 0 && {way} >= 0", f"{table}[{space} * {count} + {way}]", "(list){0, 0}")

    def _ray_function(self, name: str) -> None:
        with self.block(f"static list {name}(Context *x, const int16_t *steps, num count, num space, num way)"):
            self.line("list found = list_open(x);")
            self.line("if (space < 0 || way < 0) return found;")
            self.line("num at = steps[space * count + way];")
            self.line("for (; at >= 0 && at != space; at = steps[at * count + way]) list_push(x, &found, at);")
            self.line("return found;")

    def prim_slide(self, node: C.Primitive, kind: Kind) -> str:
        name, at = self.temp("list"), self.temp("at")
        keeps, self.keeps_lists = self.keeps_lists, False
        self.line(f"list {name} = list_open(x);")
        with self.loop_through(at, node):
            self.line(f"list_push(x, &{name}, {at});")
        self.keeps_lists = keeps
        return name

    def prim_between(self, node: C.Primitive, kind: Kind) -> str:
        one, other = (self.number(arg) for arg in node.args)
        steps, count = node.data
        return f"between(x, {self.numbers(steps)}, {count}, {one}, {other})"

    def prim_line(self, node: C.Primitive, kind: Kind) -> str:
        axes, steps, count = node.data
        top = len(steps) // count
        space, length = self.simple(self.number(node.args[0])), self.simple(self.number(node.args[1]))
        several = words(top) > 1
        inside, within = self.set_text(node.args[2], top), self.temp("inside")
        if not (several and re.fullmatch(r"s->kept\d+(\[[\w>-]+\])?", inside)):
            inside = self.held(inside, a_set(top))
        name, table = self.temp("line"), self.numbers(steps)
        self.declare(ANY_NUMBER, name, "0")
        if several:
            self.line(f"const u64 *{within} = {inside}.w;")

        def has(at: str) -> str:
            return f"in_words({at}, {within})" if several else self.set_op("has", [at, inside], top)

        start = self.both([f"{space} >= 0", has(space)])
        fixed = int(node.args[1].value) if isinstance(node.args[1], C.Const) and self.on(Pass.LINE_TESTS) else 0
        if fixed and not several:
            rows = [self._rows(inside, axis[0], steps, count, fixed, top) for axis in axes]
            if None not in rows:  # hardly ever is there a row at all
                nothing = self.set_const(0, top)
                some = [self.set_op("unequal", [row, nothing], top) for row in rows if row]
                start = self.both([self.either(some), start])
        near, stars = "", self._stars(axes, steps, count, fixed) if fixed > 2 and several else None
        if fixed > 2 and several and top < 64 * words(top) and all(len(axis) == 2 for axis in axes) and not stars:
            near = self.numbers(tuple(at for i in range(top) for axis in axes for at in _beside(i, axis, steps, count)))
        with self.if_(start):
            close = self._near_rows(stars, space, within, words(top) - 1, fixed) if stars else ""
            if stars and stars[0].most == fixed - 1:  # then it is a row
                self.line(f"{name} = {close} != 0;")
                return name
            with self.if_(close) if close else nullcontext():
                for number_, axis in enumerate(axes):
                    tests = [self.not_(name)]
                    if close:
                        tests.append(f"{close} >> {4 * number_ + 3} & 1")
                    if near:  # a row of three has two of these four spaces
                        four = [has(f"{near}[{space} * {4 * len(axes)} + {4 * number_ + i}]") for i in range(4)]
                        tests.append(f"(({four[0]} & ({four[1]} | {four[2]})) | ({four[2]} & {four[3]}))")
                    with self.if_(self.both(tests)):
                        self.line("num run = 1;")
                        for d in axis:
                            head, step = (f"{table}[{at} * {count} + {d}]" for at in (space, "at"))
                            goes_on = f"at >= 0 && at != {space} && {has('at')}"
                            self.line(f"for (num at = {head}; {goes_on}; at = {step}) run++;")
                        self.line(f"{name} = run >= {length};")
        return name

    def _stars(self, axes: Any, steps: tuple[int, ...], count: int, length: int) -> tuple[Star, Star] | None:
        """The next spaces in all directions in which numbers become less, and in which they grow.

        They are among the 63 numbers before a space and behind it, always at the same distances; none if not.
        """
        total = len(steps) // count
        if len(axes) > 4 or length > 8 or any(len(axis) != 2 for axis in axes):
            return None
        ways = [(way, number_) for number_, axis in enumerate(axes) for way in axis]
        by = {way: {to - i // count for i, to in enumerate(steps) if i % count == way and to >= 0} for way, _ in ways}
        if any(len(shifts) != 1 for shifts in by.values()):
            return None
        for most in range(min(length - 1, 12 // len(axes)), 1, -1):
            stars = Star(most, {}, [0] * total), Star(most, {}, [0] * total)
            for way, axis in ways:
                (shift,) = by[way]
                star = stars[shift > 0]
                star.far.update({abs(shift) * times: (axis, times) for times in range(1, most + 1)})
                for space in range(total):
                    reach = next((n for n in range(most, 0, -1) if self._reaches(space, way, n, steps, count)), 0)
                    star.there[space] |= sum(1 << abs(shift) * times for times in range(1, reach + 1))
            if all(len(star.far) == most * len(axes) and max(star.far) < 64 for star in stars):
                return stars
        return None

    def _near_rows(self, stars: tuple[Star, Star], space: str, within: str, last: int, length: int) -> str:
        """On which axes there may be a row through a space: all of them at once, from two tables, without a branch.

        Each axis has four bits, in which the runs to both sides are added up; the highest says that they are enough.
        """
        at, bit, near, found = (self.temp(stem) for stem in ("word", "bit", "near", "rows"))
        self.line(f"num {at} = {space} >> 6, {bit} = {space} & 63;")
        lower, upper = f"{within}[{at} - ({at} > 0)]", f"{within}[{at} + ({at} < {last})]"
        windows = (  # with the space itself as the highest bit, and as the lowest
            f"{within}[{at}] << (63 - {bit}) | {lower} >> 1 >> {bit}",
            f"{within}[{at}] >> {bit} | {upper} << 1 << (63 - {bit})",
        )
        for side, (star, window) in enumerate(zip(stars, windows, strict=True)):
            order = sorted(star.far, reverse=not side)
            mask = sum(1 << (far if side else 63 - far) for far in order)
            there = tuple(sum(1 << n for n, far in enumerate(order) if here >> far & 1) for here in star.there)
            table = []
            for value in range(1 << len(order)):
                taken = {star.far[far] for n, far in enumerate(order) if value >> n & 1}
                table.append(sum(_run(axis, star.most, length, taken) << 4 * axis for axis in range(4)))
                table[-1] += 0 if side else sum(9 - length << 4 * axis for axis in range(4))
            seen = f"gathered({window}, 0x{mask:X}ULL) & {self.numbers(there)}[{space}]"
            self.line(f"num {near}{side} = {self.numbers(tuple(table))}[{seen}];")
        self.line(f"num {found} = ({near}0 + {near}1) & 0x8888;")
        return found

    def _rows(self, inside: str, way: int, steps: tuple[int, ...], count: int, length: int, top: int) -> str | None:
        """The spaces at which a row of so many begins in a direction, by shifting all at once; none if that is not
        possible on this board."""
        by = {to - i // count for i, to in enumerate(steps) if i % count == way and to >= 0}
        if len(by) != 1 or length < 2:
            return None
        (shift,) = by
        row, long = inside, 1
        while long < length:
            more = min(long, length - long)
            further = self.shifted(row, -shift * more, top)
            can = sum(1 << i for i in range(top) if self._reaches(i, way, more, steps, count))
            both = self.set_op("common", [row, self.set_op("common", [further, self.set_const(can, top)], top)], top)
            row, long = self.held(both, a_set(top)), long + more
        return row

    def _reaches(self, space: int, way: int, times: int, steps: tuple[int, ...], count: int) -> bool:
        """Whether so many steps in a direction stay on the board."""
        for _ in range(times):
            space = steps[space * count + way]
            if space < 0:
                return False
        return True

    def prim_owned_spaces(self, node: C.Primitive, kind: Kind) -> str:
        first, count, owned = node.data
        kept = self.absorber.owned(first, count, owned)
        if kept is not None and self.kind(node.args[0]).sure:
            return self.as_set(self.kept_set(kept, self.number(node.args[0])), a_set(count), kind.top)
        player = self.simple(self.number(node.args[0]))
        name, piece, at = self.temp("among"), self.temp("i"), self.temp("at")
        self.declare(kind, name, self.set_const(0, kind.top))
        table = self.lists(tuple(tuple(pieces) for pieces in owned))
        with self.block(f"if ({player} >= 0) for (num {piece} = 0; {piece} < {table}[{player}].n; {piece}++)"):
            self.line(f"num {at} = {self.item(self.program.spots.at, f'{table}[{player}].p[{piece}]')} - {first};")
            with self.if_(f"{at} >= 0 && {at} < {count}"):
                self.set_add(name, at, kind.top, True)
        return name

    # memory

    def prim_fingerprint(self, node: C.Primitive, kind: Kind) -> str:
        spots, slots = node.data
        single = bool(spots) and all(self.program.spots.single[spot] for spot in spots)
        if self.on(Pass.FINGERPRINTS) and single and tuple(spots) == tuple(range(spots[0], spots[-1] + 1)):
            board = (spots[0], spots[-1] + 1)
            if board not in self.prints:
                self.prints.append(board)
            text = f"s->print{self.prints.index(board)}"
        else:
            name = self._once(("fingerprint", spots), "fingerprint", lambda n: self._fingerprint(n, spots))
            text = f"{name}(x, s)"
        for at, slot in enumerate(slots):
            value, of = self.slot(slot), self.kinds.slot(slot)
            if of.sort == SET and words(of.top) > 1:
                value += ".w[0]"
            text += f" ^ marked({-2 - at}, (u64){value})"
        return f"({text})"

    def _fingerprint(self, name: str, spots: Any) -> None:
        with self.block(f"static u64 {name}(Context *x, const State *s)"):
            self.line("u64 h = 0;")
            places = self.numbers(tuple(spots))
            with self.block(f"for (num i = 0; i < {len(spots)}; i++)"):
                self.line(f"num spot = {places}[i], mark = x->top;")
                self.line("list lies = lying(x, s, spot);")
                self.line("for (num k = 0; k < lies.n; k++) h ^= marked(spot + (k << 32), looks(s, lies.p[k]));")
                self.line("x->top = mark;")
            self.line("return h;")

    def prim_repeats(self, node: C.Primitive, kind: Kind) -> str:
        (base,) = node.data
        mark, count, past = self.temp("mark"), self.temp("n"), self.array(base, "0")
        self.line(f"u64 {mark} = {self.number(node.args[0])};")
        if not self.on(Pass.SEEN_BITS):
            self.line(f"num {count} = repeated({past}, {mark});")
            return count
        if base not in self.histories:
            self.histories.append(base)
        hints = f"s->hints{self.histories.index(base)}"
        self.line(f"num {count} = hinted({hints}, {mark}) ? repeated({past}, {mark}) : 0;")
        return count
