"""How Python writes the leaves of expressions: sets as integers, lists as tuples, the state as the list `v`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.engine.operations import OPERATIONS
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER, SET, TRUTH, Kind
from ruledsl.ir.ops import OPS, row_of
from ruledsl.ir.walk import bound, parts, within
from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.types import BagOf, ListOf, members

from .folds import Folds
from .kept import Kept, conjuncts
from .language import LEAVES, Text
from .late import picked
from .passes import NONE_OFF, Off, Pass
from .python_places import PythonPlaces
from .python_prints import PythonPrints
from .python_texts import Argument, bare, identifier
from .python_ways import PythonWays, is_filter
from .reaching import Reaching
from .tabled import Tables
from .writer import Writer

INLINE = 9  # formulas of so few parts are written where they are used
SMALL = 11  # sets of so few members are looked up whole to walk through them


@dataclass(frozen=True)
class Cases:
    """A table of the functions of formulas, each of which is made when it is first asked for."""

    formulas: tuple[C.Formula, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        return ", ".join(self.names)


class KeptInSlots(Reaching):
    """Sets kept in slots behind the layout, before those of formulas: which spaces are taken, by pieces of what sort,
    and which pieces are on a board.

    They change where pieces are moved (see `python_machine.KeepingPieces`); sets by a state of pieces change with every
    such state, too, which only plays at random take care of. Where pieces are hidden, bots deal them anew behind our
    back.
    """

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.base = program.layout.size + 1  # behind a mark
        self.slots: dict[Kept, int] = {}
        self.frozen = False  # no more slots can be had
        self.by_state = False  # whether there may be sets by a state of pieces
        self.possible = self.single and program.spots.known < 0 and bool(self.boards)

    @property
    def count(self) -> int:
        """How many slots they take, with the mark; none where nothing is kept."""
        return sum(kept.values for kept in self.slots) + 1 if self.slots else 0

    def keeps(self, kept: Kept) -> bool:
        if not super().keeps(kept) or not self.possible or (self.frozen and kept not in self.slots):
            return False
        if kept.state >= 0 and not self.by_state:
            return False
        return kept.table is None or all(value < kept.values for value in kept.table)

    def slot_of(self, kept: Kept) -> int:
        if kept not in self.slots:
            assert not self.frozen
            self.slots[kept] = self.base + sum(other.values for other in self.slots)
        return self.slots[kept]


class PythonFolds(Folds):
    """A method for each kind of fold for which Python has better words."""

    def fold_set(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        filters = is_filter(node) and out.on(Pass.WHOLE_SETS)
        if filters and all(map(out.absorber.safe, conjuncts(node.where))):
            (each,) = node.each
            found, left = out.absorber.absorb(each.slot, conjuncts(node.where))
            if not left:
                return out.narrow(each, found)[0]
        return super().fold_set(node, kind)


class PythonWords(Writer):
    """The leaves. `constants` are what a module knows by name: tables, and what it gets from the machine."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.absorber: KeptInSlots = KeptInSlots(program, kinds, without)
        self.folds = PythonFolds(self)
        self.tables: Tables | None = None  # of expressions with few inputs, where it pays to make them
        self.constants: dict[str, Any] = {}
        self.alias: dict[int, str] = {}  # variables of a choice that are being tried: names for their slots
        self.anys: dict[C.Formula, str] = {}  # formulas asked whether they give any member, and by what function
        self.anys_to_write: list[C.Formula] = []
        self.made: set[Any] = set()  # formulas, effects and choices (by block) that have functions
        self.wanted: list[Any] = []  # those that will have some, because they were asked for
        self.written: dict[str, None] = {}  # functions of the library that were asked for
        self.later: list[str] = []  # their lines
        self._named: dict[Any, str] = {}
        self._numbers: dict[str, int] = {}  # of constants, by the beginning of their names
        self.formula_names = {f: f"f{i}_{identifier(f.name)}" for i, f in enumerate(kinds.formulas)}
        self.fields = {
            slot: field
            for field in program.layout.fields
            for slot in range(field.base, field.base + field.count * field.width)
        }
        spots = program.spots
        self.lying, self.roads, self.prints = PythonPlaces(self), PythonWays(self), PythonPrints(self)
        self.parts = [self.lying, self.roads, self.prints]
        self.single = spots.at >= 0 and all(spots.single[: spots.first_place])
        self.hides = spots.known >= 0

    # ------------------------------------------------------------------------- what is worked out beforehand

    def value(self, node: C.Node) -> Text:
        if self.tables is not None and not isinstance(node, C.Const | C.Get | C.Cell):
            table = self.tables.of(node)
            if table is not None:
                return self.looked_up(node, table)
        return super().value(node)

    def needed(self, each: C.Each, conditions: list[C.Node]) -> list[C.Node]:
        if self.tables is None or not self.absorber.possible or not self.on(Pass.ON_BOARD):
            return []
        safe = [condition for condition in conditions if self.absorber.safe(condition)]
        return [need for part in safe if (need := self.tables.need(each.slot, part)) is not None][:1]

    def some_of(self, one: C.Node, nothing: C.Node) -> str | None:
        known = self.tables is not None and self.tables.of(one) is not None
        return None if known else super().some_of(one, nothing)

    def membership(self, item: C.Node, node: C.Node) -> str | None:
        known = self.tables is not None and self.tables.of(node) is not None
        return None if known else super().membership(item, node)

    def shifted(self, text: str, by: int, top: int) -> str:
        return f"({text} {'<<' if by > 0 else '>>'} {abs(by)})"

    # ------------------------------------------------------------------------------------------ constants

    def constant(self, stem: str, value: Any, key: Any = None) -> str:
        """The name by which the module knows a value."""
        key = (stem, value if key is None else key)
        if key not in self._named:
            number = self._numbers.get(stem)
            if number is None:
                number = sum(known.startswith(stem) for known in self.constants)
            while (name := f"{stem}{number}") in self.constants:
                number += 1
            self._numbers[stem] = number + 1
            self._named[key] = name
            self.constants[name] = value
        return self._named[key]

    def given(self, name: str) -> str:
        """What the machine gives under this name."""
        self.constants.setdefault(name, None)
        return name

    def span(self, span: Span | None) -> str:
        return "None" if span is None else self.constant("SPAN", span, (id(span),))

    def operation_name(self, name: str) -> str:
        self.constants.setdefault(f"op_{name}", OPERATIONS[name])
        return f"op_{name}"

    # ------------------------------------------------------------------------------------------ the state

    def slot(self, slot: int) -> str:
        if slot in self.alias:
            return self.alias[slot]
        return f"t{-slot}" if slot < 0 else f"v[{slot}]"

    def item(self, base: int, index: str) -> str:
        if index.isdigit():
            return f"v[{base + int(index)}]"
        moved = re.fullmatch(r"\(([\w\[\]]+) \+ (\d+)\)", index)
        if moved is not None:
            base, index = base + int(moved[2]), moved[1]
        return f"v[{base} + {index}]" if base else f"v[{index}]"

    def several(self, base: int, count: int, index: str | None, is_list: bool) -> str:
        if index is None:
            if is_list:
                return f"tuple(v[{base + 1}:{base + 1} + v[{base}]])"
            return f"tuple(v[{base}:{base + count}])"
        start = self.simple(f"{base} + {index} * {count}")
        if is_list:
            return f"tuple(v[{start} + 1:{start} + 1 + v[{start}]])"
        return f"tuple(v[{start}:{start} + {count}])"

    # --------------------------------------------------------------------------------------------- lines

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head + ":")
        self.depth += 1
        before = len(self.lines)
        self.known.append({})
        yield
        self.known.pop()
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def if_(self, condition: str) -> Iterator[None]:
        with self.block(f"if {bare(condition)}"):
            yield

    @contextmanager
    def scope(self) -> Iterator[None]:
        yield

    def through(self, domain: str, top: int) -> str:
        """The members of a set, to be walked through."""
        if domain.isdigit() or domain.startswith("0x"):
            walked = members(int(domain, 0))
            return str(walked) if len(walked) <= 8 else self.constant("MEMBERS", walked)
        if top <= SMALL:
            return f"MEMBERS_OF[{bare(domain)}]"
        return f"members({bare(domain)})"

    @contextmanager
    def loop_set(self, variable: str, domain: str, kind: Kind) -> Iterator[None]:
        with self.block(f"for {variable} in {self.through(domain, kind.top)}"):
            yield

    @contextmanager
    def loop_list(self, variable: str, domain: str) -> Iterator[None]:
        with self.block(f"for {variable} in {domain}"):
            yield

    @contextmanager
    def loop_range(self, variable: str, low: str, high: str) -> Iterator[None]:
        end = str(int(high) + 1) if high.lstrip("-").isdigit() else f"{high} + 1"
        with self.block(f"for {variable} in range({low}, {end})"):
            yield

    @contextmanager
    def loop(self, each: C.Each) -> Iterator[None]:
        if each.form == "set" and isinstance(each.domain[0], C.Look) and self.on(Pass.MEMBER_TABLES):
            look = each.domain[0]
            if not any(isinstance(value, tuple) for value in (*look.table, look.none)):
                # One of a few sets that never change: their members are at hand.
                index, at = self.value(look.index)
                table = tuple(members(int(value)) for value in (*look.table, look.none))
                if at.low < -1:
                    index = self.simple(index)
                    index = self.cond(f"{index} >= 0", index, "-1")
                with self.block(f"for {self.slot(each.slot)} in {self.constant('MEMBERS', table)}[{index}]"):
                    yield
                return
        with super().loop(each):
            yield

    @contextmanager
    def loop_through(self, name: str, domain: C.Node) -> Iterator[None]:
        if isinstance(domain, C.Primitive) and domain.name == "slide":
            steps, count, first = domain.data
            rays = self.roads.rays(steps, count)
            if rays is not None and self.single:
                ray = self.roads.ray(rays, count, *domain.args[:2])
                most = self.number(domain.args[2])
                if not (most.isdigit() and int(most) >= count_longest(rays)):
                    ray += f"[:{bare(most)}]" if self.kind(domain.args[2]).sure else f"[:max(0, {most})]"
                with self.block(f"for {name} in {ray}"):
                    yield
                    with self.if_(f"{self.item(self.program.spots.top + first, name)} >= 0"):
                        self.break_()
                return
        with super().loop_through(name, domain):
            yield

    def break_(self) -> None:
        self.line("break")

    def declare(self, kind: Kind, name: str, value: str) -> None:
        if value:
            self.line(f"{name} = {bare(value)}")

    def assign(self, name: str, value: str) -> None:
        if value.startswith(f"{name} + ") and value[len(name) + 3 :].isalnum():
            self.line(f"{name} += {value[len(name) + 3 :]}")
        else:
            self.line(f"{name} = {bare(value)}")

    def raise_(self, span: Span | None, message: str) -> None:
        self.line(f"raise RulesFault({self.span(span)}, {message!r})")

    def stop_with(self, fault: int) -> None:
        self.raise_(*self.faults[fault])

    # ----------------------------------------------------------------------------------------- expressions

    def demand(self, value: str, none: int, fault: int) -> str:
        value = self.simple(value)
        with self.if_(f"{value} == {none}"):
            self.stop_with(fault)
        return value

    def fit(self, value: str, low: int, high: int, none: int | None, fault: int) -> str:
        value = self.simple(value)
        outside = f"not {low} <= {value} <= {high}"
        with self.if_(outside if none is None else f"{outside} and {value} != {none}"):
            span, message = self.faults[fault]
            self.line(f"raise unfit({self.span(span)}, {message!r}, {value})")
        return value

    def cond(self, condition: str, then: str, otherwise: str) -> str:
        return f"({then} if {bare(condition)} else {otherwise})"

    def both(self, texts: list[str]) -> str:
        if "0" in texts:
            return "0"
        texts = [text for text in texts if text != "1"]
        return f"({' and '.join(texts)})" if len(texts) > 1 else texts[0] if texts else "1"

    def either(self, texts: list[str]) -> str:
        if "1" in texts:
            return "1"
        texts = [text for text in texts if text != "0"]
        return f"({' or '.join(texts)})" if len(texts) > 1 else texts[0] if texts else "0"

    def not_(self, text: str) -> str:
        return f"(not {text})"

    def divide(self, name: str, left: str, right: str, fault: int) -> str:
        sign = "//" if name == "divide" else "%"
        if right == "0" or not right.isdigit():
            right = self.simple(right)
            with self.if_(f"{right} == 0"):
                self.stop_with(fault)
        return f"({left} {sign} {right})"

    def rotate(self, where: Text, by: Text, count: str) -> str:
        if where[1].sure:
            return f"(({where[0]} + {by[0]}) % {count})"
        at = self.simple(where[0])
        return self.cond(f"{at} < 0", at, f"({at} + {by[0]}) % {count}")

    def set_const(self, value: int, top: int) -> str:
        return str(value) if value < 1 << 16 else hex(value)

    def list_const(self, value: tuple[int, ...]) -> str:
        value = tuple(map(int, value))
        return repr(value) if len(value) <= 8 else self.constant("LIST", value)

    def table(self, table: tuple[Any, ...], none: Any, kind: Kind, index: str, sure: bool) -> str:
        items = tuple(item if isinstance(item, tuple) else int(item) for item in (*table, none))
        return f"{self.constant('TABLE', items)}[{bare(index)}]"  # none is -1: the last one

    def op(self, name: str, args: list[str], top: int = 0) -> str:
        row = LEAVES.get(name) or OPS[name]
        if not row.python:
            return f"{self.operation_name(name)}({', '.join(args)})"
        if name == "just" and args[0].isdigit():
            return self.set_const(1 << int(args[0]), top)
        several = [self.simple(arg) if row.python.count(f"{{{at}}}") > 1 else arg for at, arg in enumerate(args)]
        return row.python.format(*map(Argument, several))

    def op_make(self, node: C.Op, kind: Kind) -> str:
        texts = [self.value(arg)[0] for arg in node.args]
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"

    def same_lists(self, name: str, one: str, other: str) -> str:
        return self.op(name, [one, other])

    def as_set(self, text: str, have: Kind, top: int) -> str:
        return text

    def set_add(self, name: str, value: str, top: int, sure: bool) -> None:
        if sure:
            self.line(f"{name} |= 1 << {value}")
            return
        value = self.simple(value)
        with self.if_(f"{value} >= 0"):
            self.line(f"{name} |= 1 << {value}")

    def compared(self, one: str, how: str, other: str, kind: Kind) -> str:
        return f"{one} {how} {other}"

    def list_begin(self, name: str, keys: int) -> None:
        self.line(f"{name} = []")

    def list_push(self, name: str, value: str, none: int, keys: list[str]) -> None:
        value = self.simple(value)
        with self.if_(f"{value} != {none}"):
            row = f"(({', '.join(keys)}{',' if len(keys) == 1 else ''}), {value})" if keys else value
            self.line(f"{name}.append({row})")

    def list_end(self, name: str, keys: int) -> None:
        if keys:
            self.line(f"{name}.sort(key=by_key)")
            self.line(f"{name} = tuple([x for _, x in {name}])")
        else:
            self.line(f"{name} = tuple({name})")

    def call(self, formula: C.Formula, args: list[str]) -> str:
        if self.on(Pass.INLINED_FORMULAS) and formula.body is not None and _weight(formula.body) <= INLINE:
            args = [self.simple(arg) for arg in args]
            kept, self.alias = self.alias, self.alias | dict(zip(formula.slots, args, strict=True))
            with self.captured() as lines, self.afresh():
                text = self.value(formula.body)[0]
            self.alias = kept
            self.splice(lines)
            return text
        self.want(formula)
        return f"{self.formula_names[formula]}({', '.join(['v', *map(bare, args)])})"

    def knows(self, node: C.Node) -> bool:
        """Whether all formulas that an expression asks for are those of play: tests may ask for others, too."""
        return all(one.formula in self.formula_names for one in within(node) if isinstance(one, C.Invoke))

    def want(self, what: Any) -> None:
        """Sees to it that a formula, an effect or a choice has its function."""
        if what not in self.made and not (isinstance(what, C.Formula) and what.body is None):
            self.made.add(what)
            self.wanted.append(what)

    def _select(self, node: C.Select) -> Text:
        formulas = picked(node)
        if formulas is None:
            return super()._select(node)
        kind, (first, *_) = self.kind(node), node.cases
        assert isinstance(first, C.Invoke)
        args = [
            self.as_kind(arg, self.kinds.slot(slot)) for slot, arg in zip(first.formula.slots, first.args, strict=True)
        ]
        index, at = self.value(node.index)
        names = tuple(self.formula_names[formula] for formula in formulas)
        call = f"[{{}}]({', '.join(['v', *map(bare, args)])})"
        table = self.constant("CASES", Cases(formulas, names), ("cases", names))
        if at.sure:
            return table + call.format(bare(index)), kind
        index = self.simple(index)
        return self.held(self.cond(f"{index} >= 0", table + call.format(index), str(int(node.none))), kind), kind

    def call_any(self, node: C.Invoke) -> str | None:
        """Asks whether the set that a formula gives has any member; the function for it is written later."""
        formula = node.formula
        args = [self.number(arg) for arg in node.args]
        if formula not in self.anys:
            self.anys[formula] = f"some_{self.formula_names[formula]}"
            self.anys_to_write.append(formula)
        return f"{self.anys[formula]}({', '.join(['v', *map(bare, args)])})"

    def would(self, node: C.Would, args: list[str]) -> str:
        """Tries an effect on a copy of the state; `v` is the copy meanwhile."""
        result, kept = self.temp("would"), self.temp("kept")
        values = [self.simple(arg) for arg in args]
        self.line(f"{kept}, v = v, v[:]")
        self.store_arguments(node.procedure, values)
        self.try_out(node.procedure)
        with self.afresh():
            self.line(f"{result} = {bare(self.truth(node.condition))}")
        self.line(f"v = {kept}")
        return result

    def ways(self, node: C.Lookahead, args: list[str]) -> str:
        """Goes through all ways of an effect; `v` is the state in which one ends meanwhile."""
        result, kept = self.temp("possible"), self.temp("kept")
        values = [self.simple(arg) for arg in args]
        self.line(f"{kept}, {result} = v, False")
        ways = f"MACHINE.ways({kept}, {self.constant('WAYS', node)}, [{', '.join(values)}])"
        with self.block(f"for v in {ways}"), self.afresh():
            asked = bare(self.truth(node.condition))
            with self.if_(asked):
                self.line(f"{result} = True")
                self.line("break")
        self.line(f"v = {kept}")
        return result

    @abstractmethod
    def try_out(self, procedure: C.Procedure) -> None:
        """Writes the call of an effect that is tried out."""

    def store_arguments(self, procedure: C.Procedure, values: list[str]) -> None:
        for slot, value in zip(procedure.parameters, values, strict=True):
            self.store(slot, value)

    def store(self, slot: int, value: str) -> None:
        """A value into the slots of a parameter."""
        field = self.fields[slot]
        if isinstance(field.type, ListOf | BagOf):
            cap = self.program.wide.get(slot)
            if cap is None:
                self.line(f"v[{slot}:{slot + field.width}] = {value}")
            else:
                self.line(f"store_list(v, {slot}, {cap}, {value}, None)")
        else:
            self.line(f"v[{slot}] = {self.stored(value, self.kinds.slot(slot))}")

    def stored(self, text: str, kind: Kind) -> str:
        """The text of a value that is put into the state: truth values are numbers there."""
        if kind == TRUTH and not text.isdigit() and not text.startswith("v["):
            return f"+{text}" if text.startswith("(") or text.isidentifier() else f"+({text})"
        return bare(text)

    def _with(self, node: C.With) -> Text:
        kind = self.kind(node)
        values = [self.held(self.number(arg), ANY_NUMBER) for arg in node.args]
        result = self.temp()
        inside = [slot for slot in node.slots if slot >= 0]
        aliases = {slot: self.alias.pop(slot) for slot in inside if slot in self.alias}
        kept = [(slot, self.held(f"v[{slot}]", ANY_NUMBER)) for slot in inside]
        with self.afresh():
            for slot, value in zip(node.slots, values, strict=True):
                name = self.slot(slot)
                self.line(f"{name} = {self.stored(value, self.kinds.slot(slot)) if slot >= 0 else value}")
            self.line(f"{result} = {bare(self.number(node.body))}")
            for slot, value in kept:
                self.line(f"v[{slot}] = {value}")
        self.alias |= aliases
        return result, kind

    every_piece = -1

    def op_equal(self, node: C.Op, kind: Kind) -> str | None:
        match node.args:
            case (C.Primitive(name="on_set") as lies, C.Const(value=0)) if (pile := self.lying.pile(lies)) is not None:
                bottom = self.item(self.program.spots.bottom, str(pile))
                return f"({bottom} {'<' if node.name == 'equal' else '>='} 0)"
        return super().op_equal(node, kind)

    op_unequal = op_equal

    def _look(self, node: C.Look) -> Text:
        spot = self.lying.where_it_is(node.index)
        if spot is None or len(node.table) > self.program.spots.count:
            return super()._look(node)
        kind = self.kind(node)
        return self.table(self.lying.beyond(node.table, node.none), node.none, kind, spot, False), kind

    # ------------------------------------------------------------------------------------------ primitives

    def kept_set(self, kept: Kept, index: str | None) -> str:
        slot = self.absorber.slot_of(kept)
        return self.item(slot, index) if index is not None and not kept.plain else f"v[{slot}]"

    def prim_as_told(self, node: C.Primitive) -> str:
        """As its row says it, or what the reference machine works out."""
        said = row_of(node).python
        if said:
            return said.format(*[Argument(self.number(arg)) for arg in node.args])
        name = self.constant(f"ask_{node.name}_", node, (node.name, id(node.data), len(node.args)))
        return f"{name}({', '.join(['v', *(self.number(arg) for arg in node.args)])})"

    @property
    def pieces(self) -> int:
        return max(1, self.program.roots["piece"].size) if "piece" in self.program.roots else 1

    def all_pieces(self, kinds: int | None) -> bool:
        return kinds is None or kinds == -1 or kinds == self.program.roots["piece"].everything

    # connections

    # lines

    # tiles

    # memory

    def looks(self, piece: str) -> str:
        """What is equal for two pieces of one row in the same state."""
        text = f"{self.constant('ROWS_OF', tuple(self.program.rows))}[{piece}]"
        for base in self.program.piece_state:
            text = f"({text} * 8191 + {self.item(base, piece)})"
        return text


def _weight(node: Any) -> int:
    """How much there is in an expression; what loops, tries or asks is too much to be written where it is used.

    Counting stops when it is too much: formulas that ask each other twice, level by level, have no end otherwise.
    """
    weight, waiting = 0, [node]
    while waiting and weight <= INLINE:
        part = waiting.pop()
        weight += 1
        match part:
            case C.Fold() | C.Would() | C.Possible() | C.Select() | C.With() | C.Demand() | C.Fit():
                return INLINE + 1
            case C.Primitive() if not row_of(part).light:
                return INLINE + 1
            case C.Invoke(formula=formula):
                if formula.body is None:
                    return INLINE + 1
                waiting.append(formula.body)
        waiting.extend(parts(part))
    return weight


def count_longest(rays: tuple[tuple[int, ...], ...]) -> int:
    return max(map(len, rays), default=0)


def scratch(node: Any) -> set[int]:
    """The variables of formulas that an expression reads or binds; they lie behind the state."""
    read = {one.slot for one in within(node) if isinstance(one, C.Get) and one.slot < 0}
    return read | {slot for slot in bound(node) if slot < 0}


__all__ = ["SET", "PythonWords", "scratch"]
