"""How C writes the leaves of expressions: sets in machine words, lists in an arena, a struct for the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER, LIST, SET, TRUTH, WORD, Kind, number
from ruledsl.ir.lines import all_end, lines
from ruledsl.ir.once import once
from ruledsl.ir.ops import OPS, row_of
from ruledsl.ir.walk import parts
from ruledsl.source.text import Span
from ruledsl.types import BagOf, ListOf

from .alike import Alike
from .c_folds import CFolds
from .c_places import CPlaces
from .c_prints import CPrints
from .c_texts import Member, identifier, words
from .c_tiles import CTiles
from .kept import Kept, Region
from .language import LEAVES, Text
from .passes import NONE_OFF, Off, Pass
from .tabled import REBUILT, Tables, conjuncts, mapped
from .writer import Writer

MOST_IN_VECTORS = 8  # words of a set; larger ones are arrays


def _replaced(node: C.Node, one: C.Node, other: C.Node) -> C.Node:
    """An expression with another in the place of a part of it, as far as it is made of simple forms."""
    if node is one:
        return other
    if isinstance(node, REBUILT):
        found: C.Node = mapped(node, lambda part: _replaced(part, one, other))
        return found
    return node


class CWords(Writer):
    """The leaves. `definitions` collects tables and constants that come before the functions."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.lying = CPlaces(self)
        self.folds: CFolds = CFolds(self)
        self.prints = CPrints(self)
        self.tiles = CTiles(self)
        self.parts = [self.lying, self.prints, self.tiles]
        self.absorber.of_members = self.absorber.asked_back = True
        self.definitions: list[str] = []
        self.sizes: set[int] = set()  # of sets
        self.fits: set[tuple[int, int]] = set()
        self._tables: dict[Any, str] = {}
        self.members: list[Member] = []
        self.places: dict[int, tuple[Member, int]] = {}  # by slot
        self._lay_out()
        self.formula_names = {f: f"f{i}_{identifier(f.name)}" for i, f in enumerate(kinds.formulas)}
        self.filling = 0  # how many lists are being filled
        self.kept_values: dict[int, Text] = {}  # what was worked out before a loop, by expression
        self.tables = self.absorber.tables = Tables(program, kinds, self.remembered, without)
        self.alike = Alike(program, without)

    # ------------------------------------------------------------------------- what is worked out beforehand

    def value(self, node: C.Node) -> Text:
        if id(node) in self.kept_values:
            return self.kept_values[id(node)]
        if not isinstance(node, C.Const | C.Get | C.Cell):
            table = self.tables.of(node)
            if table is not None:
                return self.looked_up(node, table)
        return super().value(node)

    def op_equal(self, node: C.Op, kind: Kind) -> str | None:
        for one, other in (node.args, node.args[::-1]) if self.on(Pass.WITHOUT_LISTS) else ():
            nothing = isinstance(other, C.Const) and other.value == 0
            if nothing and isinstance(one, C.Primitive) and one.name == "on_set" and self.lying.all_pieces(one.data[0]):
                some = self.something_on(one.args[0])
                return some if node.name == "unequal" else self.not_(some)
        return self._told_by_count(node) or super().op_equal(node, kind)

    op_unequal = op_equal

    def op_less(self, node: C.Op, kind: Kind) -> str | None:
        return self._told_by_count(node) or super().op_less(node, kind)

    op_at_most = op_greater = op_at_least = op_less

    def op_length(self, node: C.Op, kind: Kind) -> str | None:
        spot = self._counted(node)
        return f"count_lying(s, {self.number(spot)}, INT32_MAX)" if spot is not None else None

    def _told_by_count(self, node: C.Op) -> str | None:
        """A comparison of how many lie on a place: no more are counted than matter."""
        counted, other = node.args
        spot = self._counted(counted) if isinstance(other, C.Const) and self.kind(other).sort == "number" else None
        if spot is None:
            return None
        assert isinstance(other, C.Const)
        many = int(other.value)
        if many == 1 and node.name == "equal" and self.all_piles(spot):  # the first is the last
            place, at = self.value(spot)
            place, spots = self.simple(place), self.program.spots
            low, high = self.item(spots.bottom, place), self.item(spots.top, place)
            there = [] if at.sure else [f"{place} >= 0"]
            return self.both([*there, f"{low} >= 0", f"{low} == {high}"])
        return f"(count_lying(s, {self.number(spot)}, {many + 1}) {OPS[node.name].infix} {many})"

    def something_on(self, spot: C.Node) -> str:
        """Whether anything lies on a spot."""
        text, kind = self.value(spot)
        lying = self.pieces_as_set(text, kind)
        if lying is not None:
            return f"({self.op('unequal', [lying, self.set_const(0, self.pieces)], self.pieces)})"
        return f"any_lying(s, {text})"

    def pieces_as_set(self, spot: str, kind: Kind) -> str | None:
        """The pieces on a spot as a set, if it is surely a place without order."""
        spots = self.program.spots
        plain = not any(spots.single[kind.low : kind.top]) and not any(spots.ordered[kind.low : kind.top])
        if kind.sure and kind.low >= spots.first_place and kind.top <= spots.count and plain and spots.members >= 0:
            return self.item(spots.members, f"{spot} - {spots.first_place}")
        return None

    def all_piles(self, spot: C.Node) -> bool:
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
                return spot if self.lying.all_pieces(kinds) and self.on(Pass.WITHOUT_LISTS) else None
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
        both = self.op("common", [self.set_text(image, top), self.region_set(region, top)], top)
        with self.if_(self.op("unequal", [both, self.set_const(0, top)], top)):
            super().tested(node, do)

    @once()
    def _touched(self, node: C.Fold) -> tuple[C.Fold, Region] | None:
        """All spaces that a loop looks at for pieces, if they are a table, and where the pieces are that it wants.

        If there are none of them there, nothing of the loop needs to be done.
        """
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
            members = self.held(domain, kind)
            some = f"if (some{count}({members}))"  # there often is none, and to look through all words takes longer
            head = f"{some} for (walk{count} {walk} = begin{count}({members}); more{count}(&{walk});)"
            with self.block(head):
                self.line(f"{declared} = next{count}(&{walk});")
                yield

    @contextmanager
    def loop_list(self, variable: str, domain: str) -> Iterator[None]:
        items, at = self.temp("l"), self.temp("i")
        self.line(f"list {items} = {domain};")
        if self.filling:  # what is put into the list that is being filled would be written over this one
            kept = self.temp("kept")
            self.line(f"int32_t {kept}[{items}.n + 1];")
            self.line(f"memcpy({kept}, {items}.p, sizeof(int32_t) * (size_t){items}.n);")
            self.line(f"{items}.p = {kept};")
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
            if not all_end(tuple(steps), count):  # once round at the most
                longest = self.numbers(tuple(map(len, lines(tuple(steps), count))))
                whole = f"{longest}[{space} * {count} + {way}]"
                self.line(f"if ({space} >= 0 && {way} >= 0 && {left} > {whole}) {left} = {whole};")
                start = start.replace(f"{most} > 0", f"{left} > 0")
            occupied = self.occupied(first, at)
            step = f"{at} = --{left} > 0 && !{occupied} ? {table}[{at} * {count} + {way}] : -1"
            with self.block(f"for (num {at} = {start}; {at} >= 0; {step})"):
                declared = name if name.startswith("s->") else f"num {name}"
                self.line(f"{declared} = {at};")
                yield
            return
        with super().loop_through(name, domain):
            yield

    def words_of(self, top: int) -> str:
        self.set_type(top)
        return str(words(top))

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
        name = self.once(
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
        name = self.once(
            ("in", formula, *self.mode()),
            f"in_{self.formula_names[formula]}_",
            lambda n: self._in_function(n, formula),
        )
        called = f"{name}({', '.join([*self.passed, *args, text])})"
        at_most = self.tables.at_most(node) if self.on(Pass.AT_MOST) and self.absorber.safe(node) else None
        if at_most is not None:  # mostly it is not even there
            kind = self.kind(node)
            called = self.both([self.op("has", [text, self.looked_up(node, at_most)[0]], kind.top), called])
        return called if sure else self.both([f"{text} >= 0", called])

    def asked_at_once(self, node: C.Fold, kind: Kind) -> str | None:
        """The members of which an effect may be tried, where most need not be asked one by one."""
        return None

    def _in_function(self, name: str, formula: C.Formula) -> None:
        assert formula.body is not None
        slot = self.new_slot(Kind("number", 0, self.kind(formula.body).members))
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
            self.definitions.append(f"static const set{count} {name} = {self.words_literal(value, count)};")
        return self._tables[key]

    def words_literal(self, value: int, count: int) -> str:
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
                f"0x{item & ((1 << 64) - 1):X}ULL" if count == 1 else self.words_literal(item, count) for item in table
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

    def op(self, name: str, args: list[str], top: int = 0) -> str:
        row, count = LEAVES.get(name) or OPS[name], words(top)
        if name == "just" and args[0].isdigit():
            return self.set_const(1 << int(args[0]), top)
        if "{w}" in row.c:
            self.set_type(top)
        if name == "has" and count > MOST_IN_VECTORS:
            return f"IN_ARRAY({args[0]}, {args[1]})"
        assert row.c, f"C has neither a method nor words in a row for `{name}`"
        return (row.c_word if count == 1 and row.c_word else row.c).format(*args, w=count)

    def op_make(self, node: C.Op, kind: Kind) -> str:
        texts = [self.value(arg)[0] for arg in node.args]
        return f"list_of(x, {len(texts)}, (num[]){{{', '.join(texts)}}})" if texts else "(list){0, 0}"

    def same_lists(self, name: str, one: str, other: str) -> str:
        return f"{'' if name == 'equal' else '!'}list_equal({one}, {other})"

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

    def compared(self, one: str, how: str, other: str, kind: Kind) -> str:
        return f"list_compare({one}, {other}) {how} 0" if kind.sort == LIST else f"{one} {how} {other}"

    @contextmanager
    def fills(self) -> Iterator[None]:
        """A list grows at the end of the arena; lists that are run through meanwhile must not lie there."""
        self.filling += 1
        yield
        self.filling -= 1

    def list_begin(self, name: str, keys: int) -> None:
        self.line(f"list {name} = list_open(x);")

    def list_push(self, name: str, value: str, none: int, keys: list[str]) -> None:
        value = self.simple(value)
        keys = [self.held(key, ANY_NUMBER) for key in keys]
        with self.if_(f"{value} != {none}"):
            for text in (*keys, value):
                self.line(f"list_push(x, &{name}, {text});")

    def list_end(self, name: str, keys: int) -> None:
        if self.folds.downwards.pop():
            self.line(f"list_reverse({name}, {keys});")
        if keys:
            self.line(f"{name} = list_sorted(x, {name}, {keys});")

    def call(self, formula: C.Formula, args: list[str]) -> str:
        return f"{self.formula_names[formula]}({', '.join(['x', 's', *args])})"

    def store_arguments(self, procedure: C.Procedure, values: list[str]) -> None:
        for slot, value in zip(procedure.parameters, values, strict=True):
            self.store(slot, value)

    def store(self, slot: int, value: str) -> None:
        """A value into the slots of a parameter."""
        member, _ = self.places[slot]
        if isinstance(member.field.type, ListOf):
            cap = self.program.wide.get(slot, member.field.width)
            self.line(f"put_list(x, {self.array(slot, '0')}, {value}, {cap}, {self.too_long(cap)});")
        elif isinstance(member.field.type, BagOf):
            self.line(f"put_bag({self.array(slot, '0')}, {value});")
        else:
            self.assign(self.slot(slot), value)

    def too_long(self, cap: int, span: Span | None = None) -> int:
        return self.fault(span, f"this list would have {{}} items, and {cap - 1} are the most")

    # ------------------------------------------------------------------------------------------ primitives

    def shifted(self, text: str, by: int, top: int) -> str:
        if words(top) == 1:
            return f"({text} {'<<' if by > 0 else '>>'} {abs(by)})"
        self.set_type(top)
        return f"shift{words(top)}({text}, {by})"

    def kept_set(self, kept: Kept, index: str | None) -> str:
        name = f"s->kept{self.absorber.found.index(self.absorber.keep(kept))}"
        return name if kept.plain else f"{name}[{index}]"

    def prim_as_told(self, node: C.Primitive) -> str:
        said = row_of(node).c
        assert said, f"C has neither a method nor words in a row for `{node.name}`"
        return said.format(*[self.number(arg) for arg in node.args])

    def on_space(self, spot: C.Node) -> bool:
        """Whether a spot is a space that holds at most one piece."""
        spots, kind = self.program.spots, self.kind(spot)
        return kind.top <= spots.first_place and all(spots.single[: spots.first_place])

    @property
    def pieces(self) -> int:
        return max(1, self.program.roots["piece"].size) if "piece" in self.program.roots else 1

    def once(self, key: Any, stem: str, define: Any) -> str:
        """The name of a function that is written when it is first asked for."""
        if key not in self._tables:
            name = self._tables[key] = f"{stem}{len(self._tables)}"
            kept, self.lines, depth, self.depth = self.lines, [], self.depth, 0
            keeps, self.keeps_lists, filling, self.filling = self.keeps_lists, False, self.filling, 0
            define(name)
            self.keeps_lists, self.filling = keeps, filling
            self.library += self.lines
            self.lines, self.depth = kept, depth
        return self._tables[key]

    library: list[str]
