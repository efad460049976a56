"""How Python writes the leaves of expressions: sets as integers, lists as tuples, the state as the list `v`."""

from __future__ import annotations

import builtins
import keyword
import re
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.engine.operations import OPERATIONS
from ruledsl.engine.primitives import Between, mark
from ruledsl.engine.tiles import Lying
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER, LIST, SET, TRUTH, Kind, a_set
from ruledsl.ir.ops import OPS, row_of
from ruledsl.ir.walk import bound, parts, within
from ruledsl.records import dataclass
from ruledsl.types import BagOf, ListOf, members

from .kept import Absorber, Kept, conjuncts
from .late import picked
from .passes import NONE_OFF, Off, Pass
from .tabled import Tables
from .writer import LEAVES, Text, Writer

INLINE = 9  # formulas of so few parts are written where they are used
MOST_ROWS = 16  # of pieces, by which fingerprints are worked out from sets
SMALL = 11  # sets of so few members are looked up whole to walk through them

# Names that a module has anyway; local variables must not hide them.
_TAKEN = (
    frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"v", "seat", "found", "free", "append", "stage", "stop"}
)
_HELPERS = frozenset(
    [
        "move",
        "twin",
        "veiled",
        "members",
        "nth",
        "lying",
        "lying_set",
        "lying_of",
        "first_lying",
        "top_of",
        "looks",
        "kept",
        "at",
        "mark",
        "reach",
        "reach_on",
        "reach_parts",
        "reach_by",
        "joined",
        "joined_by",
        "groups",
        "steps_away",
        "in_line",
        "unfit",
        "advance_to",
        "by_key",
        "drawn",
        "store_list",
        "no_room",
        "endless",
        "tried_out",
        "decided",
        "go_on",
        "taken",
    ]
)


def identifier(text: str) -> str:
    """A name of Python that can be recognised."""
    name = re.sub(r"\W+", "_", text).strip("_") or "it"
    if name[0].isdigit():
        name = f"_{name}"
    if name in _TAKEN or name in _HELPERS or name[-1].isdigit() or not name.isidentifier():
        name += "_"
    return name


class Argument(str):
    """The text of an argument, as rows of operations ask for it."""

    @property
    def bare(self) -> str:
        return bare(self)


@dataclass(frozen=True)
class Cases:
    """A table of the functions of formulas, each of which is made when it is first asked for."""

    formulas: tuple[C.Formula, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        return ", ".join(self.names)


class KeptInSlots(Absorber):
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


class PythonWords(Writer):
    """The leaves. `constants` are what a module knows by name: tables, and what it gets from the machine."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self.absorber: KeptInSlots = KeptInSlots(program, kinds, without)
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

    def span(self, span: Any) -> str:
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
            rays = self.rays(steps, count)
            if rays is not None and self.single:
                ray = self._ray(rays, count, *domain.args[:2])
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

    def raise_(self, span: Any, message: str) -> None:
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

    def _fold_set(self, node: C.Fold, kind: Kind) -> str:
        filters = _is_filter(node) and self.on(Pass.WHOLE_SETS)
        if filters and all(map(self.absorber.safe, conjuncts(node.where))):
            (each,) = node.each
            found, left = self.absorber.absorb(each.slot, conjuncts(node.where))
            if not left:
                return self.narrow(each, found)[0]
        return super()._fold_set(node, kind)

    every_piece = -1

    def op_equal(self, node: C.Op, kind: Kind) -> str | None:
        match node.args:
            case (C.Primitive(name="on_set") as lies, C.Const(value=0)) if (pile := self._pile(lies)) is not None:
                bottom = self.item(self.program.spots.bottom, str(pile))
                return f"({bottom} {'<' if node.name == 'equal' else '>='} 0)"
        return super().op_equal(node, kind)

    op_unequal = op_equal

    def _pile(self, lies: C.Primitive) -> int | None:
        """The pile of which all that lies there is asked for."""
        (spot,), (kinds,) = lies.args, lies.data
        if not isinstance(spot, C.Const) or not self._all_pieces(kinds) or not self.on(Pass.WITHOUT_LISTS):
            return None
        at = int(spot.value)
        return at if at >= 0 and self.program.spots.ordered[at] else None

    def where_it_is(self, node: C.Node) -> str | None:
        """The spot of a piece, for tables that go on behind the board it is asked for."""
        if not isinstance(node, C.Primitive) or node.name != "standing" or not self.on(Pass.WIDE_TABLES):
            return None
        first, _, at, tiles = node.data
        if first or tiles or not self.kind(node.args[0]).sure:
            return None
        return self.item(at, self.number(node.args[0]))

    def beyond(self, table: tuple[Any, ...], none: Any, width: int = 1) -> tuple[Any, ...]:
        """A table by spaces that goes on for all other spots."""
        return (*table, *(none,) * (self.program.spots.count * width - len(table)))

    def _look(self, node: C.Look) -> Text:
        spot = self.where_it_is(node.index)
        if spot is None or len(node.table) > self.program.spots.count:
            return super()._look(node)
        kind = self.kind(node)
        return self.table(self.beyond(node.table, node.none), node.none, kind, spot, False), kind

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

    def _all_pieces(self, kinds: int | None) -> bool:
        return kinds is None or kinds == -1 or kinds == self.program.roots["piece"].everything

    def _on_space(self, spot: C.Node) -> bool:
        """Whether a spot is a space that holds at most one piece."""
        return self.single and self.kind(spot).top <= self.program.spots.first_place

    def bounds(self, node: C.Node) -> tuple[int, int]:
        """Between what numbers a spot is, of places that follow one another as players do."""
        kind = self.kind(node)
        match node:
            case C.Primitive(name="offset", args=(arg,), data=(by,)) | C.Op(name="add", args=(arg, C.Const(value=by))):
                of = self.kind(arg)
                if of.sure:
                    return max(kind.low, of.low + by), min(kind.top, of.top + by)
        return kind.low, kind.top

    def _in_set(self, spot: C.Node) -> bool:
        """Whether a spot is a place whose pieces lie in no order."""
        spots, (low, top) = self.program.spots, self.bounds(spot)
        if not spots.first_place <= low or top > spots.count or self.program.slots:
            return False
        return not any(spots.ordered[i] or spots.single[i] for i in range(low, top))

    def prim_on(self, node: C.Primitive, kind: Kind) -> str:
        spot, (kinds,) = self.number(node.args[0]), node.data
        if self._all_pieces(kinds):
            return f"lying(v, {bare(spot)})"
        return f"lying_of(v, {bare(spot)}, {self.set_const(kinds, 0)})"

    def prim_on_set(self, node: C.Primitive, kind: Kind) -> str:
        spot, (kinds,) = self.number(node.args[0]), node.data
        if self._in_set(node.args[0]):
            text = self.item(self.program.spots.members - self.program.spots.first_place, spot)
        else:
            text = f"lying_set(v, {bare(spot)})"
        return text if self._all_pieces(kinds) else f"({text} & {self.set_const(kinds, 0)})"

    def prim_on_all(self, node: C.Primitive, kind: Kind) -> str:
        (spots,), held = node.data, self.program.spots
        texts = []
        for spot in spots:
            plain = spot >= held.first_place and not held.ordered[spot] and not held.single[spot]
            texts.append(f"v[{held.members + spot - held.first_place}]" if plain else f"lying_set(v, {spot})")
        return f"({' | '.join(texts)})" if texts else "0"

    def prim_first_on(self, node: C.Primitive, kind: Kind) -> str:
        (spot, at), (kinds,) = self.value(node.args[0]), node.data
        spots = self.program.spots
        if self._on_space(node.args[0]):
            if at.sure:
                found = self.item(spots.top, spot)
            else:
                spot = self.simple(spot)
                found = self.cond(f"{spot} >= 0", self.item(spots.top, spot), "-1")
            if self._all_pieces(kinds):
                return found
            found = self.simple(found)
            return self.cond(f"{found} >= 0 and {self.set_const(kinds, 0)} >> {found} & 1", found, "-1")
        if self._in_set(node.args[0]):
            found = self.item(spots.members - spots.first_place, spot)
            if not self._all_pieces(kinds):
                found += f" & {self.set_const(kinds, 0)}"
            found = self.simple(found)
            return f"(({found} & -{found}).bit_length() - 1)"
        return f"first_lying(v, {spot}, {self.set_const(kinds, 0) if kinds >= 0 else kinds})"

    def prim_occupied(self, node: C.Primitive, kind: Kind) -> str:
        spot, at = self.value(node.args[0])
        if not self.single:
            return f"(lying_set(v, {bare(spot)}) != 0)"
        top = self.program.spots.top
        if at.sure:
            return f"({self.item(top, spot)} >= 0)"
        spot = self.simple(spot)
        return f"({spot} >= 0 and {self.item(top, spot)} >= 0)"

    def prim_knowers(self, node: C.Primitive, kind: Kind) -> str:
        if self.program.spots.known < 0:
            return self.set_const(self.program.roots["player"].everything, 0)
        return f"PIECES.knowers(v, {self.number(node.args[0])})"

    def prim_standing(self, node: C.Primitive, kind: Kind) -> str:
        if node.data[3]:
            return self._standing_on_tile(node)
        (piece, of), (first, count, at, _) = self.value(node.args[0]), node.data
        if not of.sure:
            piece = self.simple(piece)
        where = self.item(at, piece)
        if first == 0:
            where = self.simple(where)
            inside = f"{where} < {count}"
            if self.program.spots.count == count and of.sure:
                return where
            return self.cond(inside if of.sure else f"{piece} >= 0 and {inside}", where, "-1")
        spot = self.simple(f"{where} - {first}" if of.sure else self.cond(f"{piece} >= 0", f"{where} - {first}", "-1"))
        return self.cond(f"0 <= {spot} < {count}", spot, "-1")

    def _standing_on_tile(self, node: C.Primitive) -> str:
        first, count, at, parts = node.data
        name = self.constant("standing_", node.data, (first, count, at, id(parts)))
        if name not in self.written:
            self.written[name] = None
            tiles = {start + number: tile for start, _, owner in parts for number, tile in enumerate(owner)}
            self.later += [
                f"def {name}(v, piece):",
                '    """The space on which a piece stands, also on a part of a tile; -1 where it stands on none."""',
                "    if piece < 0:",
                "        return -1",
                f"    spot = v[{at} + piece]",
                f"    if {first} <= spot < {first + count}:",
                f"        return spot - {first}",
                f"    tile = {self.constant('TILES_OF_PARTS', tiles, (id(parts),))}.get(spot, -1)",
                f"    if tile >= 0 and {first} <= v[{at} + tile] < {first + count}:",
                f"        return v[{at} + tile] - {first}",
                "    return -1",
                "",
                "",
            ]
        return f"{name}(v, {bare(self.number(node.args[0]))})"

    def prim_space_at(self, node: C.Primitive, kind: Kind) -> str:
        (table,) = node.data
        key = ", ".join(self.number(arg) for arg in node.args)
        name = self.constant("SPACE_AT", table, id(table))
        return f"{name}.get(({key}{',' if len(node.args) == 1 else ''}), -1)"

    def prim_turn(self, node: C.Primitive, kind: Kind) -> str:
        direction, by = self.simple(self.number(node.args[0])), self.number(node.args[1])
        (known,) = node.data
        if isinstance(known, dict):
            known = tuple(known.get(d, ((d,), 0)) for d in range(max(known, default=0) + 1))
        cycles = tuple((tuple(circle), position) for circle, position in known)
        lengths = {len(circle) for circle, _ in cycles}
        if len(lengths) == 1:
            length = lengths.pop()
            turned = tuple(circle[(position + k) % length] for circle, position in cycles for k in range(length))
            return self.cond(
                f"{direction} >= 0",
                f"{self.constant('TURNED', turned)}[{direction} * {length} + {by} % {length}]",
                "-1",
            )
        circle = self.simple(f"{self.constant('CIRCLES', cycles)}[{direction}]")
        return self.cond(f"{direction} >= 0", f"{circle}[0][({circle}[1] + {by}) % len({circle}[0])]", "-1")

    def prim_step(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        if len(node.args) == 2 and (spot := self.where_it_is(node.args[0])) is not None:
            way, of = self.value(node.args[1])
            if of.sure:
                if way.isdigit():
                    return f"{self.constant('STEP', self.beyond(steps[int(way) :: count], -1))}[{spot}]"
                return f"{self.constant('STEPS', self.beyond(tuple(steps), -1, count))}[{spot} * {count} + {way}]"
        values = [self.value(arg) for arg in node.args]
        table = self.constant("STEPS", tuple(steps))
        if len(values) == 3:
            return f"steps_away({table}, {count}, {', '.join(text for text, _ in values)})"
        (space, one), (way, other) = values
        unsure = []
        if not one.sure:
            space = self.simple(space)
            unsure.append(f"{space} >= 0")
        if not other.sure:
            way = self.simple(way)
            unsure.append(f"{way} >= 0")
        if way.isdigit():  # a table of its own for one direction
            column = self.constant("STEP", (*steps[int(way) :: count], -1))
            return f"{column}[{bare(space)}]"
        found = f"{table}[{space} * {count} + {way}]"
        return self.cond(self.both(unsure), found, "-1") if unsure else found

    def prim_mask_of(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        space, ways = self.simple(self.number(node.args[0])), self.number(node.args[1])
        if isinstance(node.args[1], C.Const):
            chosen = members(int(node.args[1].value))
            around = []
            for at in range(len(steps) // count):
                mask = 0
                for d in chosen:
                    if steps[at * count + d] >= 0:
                        mask |= 1 << steps[at * count + d]
                around.append(mask)
            return f"{self.constant('AROUND', (*around, 0))}[{space}]"
        name, item = self.temp("set"), self.temp("to")
        self.line(f"{name} = 0")
        with self.if_(f"{space} >= 0"), self.loop_set(self.temp("way"), ways, a_set(count)):
            way = f"way{self.temps}"
            self.line(f"{item} = {self.constant('STEPS', tuple(steps))}[{space} * {count} + {way}]")
            self.set_add(name, item, 0, False)
        return name

    # connections

    def _tiles_lying(self, tiles: C.Tiles) -> str:
        return self.constant("TILES", Lying(tiles), id(tiles))

    def _near(self, near: tuple[int, ...]) -> str:
        return self.constant("NEAR", tuple(near))

    def prim_reachable(self, node: C.Primitive, kind: Kind) -> str:
        near = node.data[0]
        start, within = self.set_text(node.args[0]), self.number(node.args[2])
        around = f"{self._near(near)}[x]" if isinstance(near, tuple) else f"{self._tiles_lying(near)}.neighbors(v, x)"
        region = node.args[1]
        if (
            self.on(Pass.STEPWISE_REACH)
            and isinstance(region, C.Fold)
            and region.where is not None
            and _is_filter(region)
            and self.absorber.safe(region.where)
            and not self._is_at_hand(region)
        ):
            return self._reach_stepwise(start, region, within, around)
        allowed = self.set_text(region)
        if isinstance(near, tuple) and within == "-1" and self.on(Pass.KEPT_FLOODS):
            known = self.constant("FOUND", {}, id(node))
            return f"reach_on({known}, {self._near(near)}, {bare(start)}, {bare(allowed)})"
        if isinstance(near, tuple):
            return f"reach({self._near(near)}, {start}, {allowed}, {within})"
        return f"reach_parts({self._tiles_lying(near)}, v, {start}, {allowed}, {within})"

    def _is_at_hand(self, filtered: C.Fold) -> bool:
        """Whether the members for which a condition holds are a set that is kept, or made of such."""
        (each,) = filtered.each
        return self.on(Pass.WHOLE_SETS) and not self.absorber.absorb(each.slot, conjuncts(filtered.where))[1]

    def _reach_stepwise(self, start: str, region: C.Fold, within: str, around: str) -> str:
        """Only the neighbours of what was found are asked whether they are allowed."""
        (each,) = region.each
        found, edge, open_, near = (self.temp(stem) for stem in ("found", "edge", "open", "near"))
        self.line(f"{found} = {edge} = {bare(start)}")
        self.line(f"{open_} = {self.set_text(each.domain[0])} & ~{found}")
        steps = ""
        if not within.startswith("-"):
            steps = self.held(within, ANY_NUMBER)
        with self.block(f"while {edge} and {steps}" if steps else f"while {edge}"):
            self.line(f"{near} = 0")
            item = self.temp("x")
            with self.block(f"for {item} in members({edge})"):
                self.line(f"{near} |= {around.replace('[x]', f'[{item}]').replace(', x)', f', {item})')}")
            self.line(f"{edge} = 0")
            name = self.slot(each.slot)
            with self.block(f"for {name} in members({near} & {open_})"), self.afresh():
                assert region.where is not None
                with self.if_(self.truth(region.where)):
                    self.line(f"{edge} |= 1 << {name}")
            self.line(f"{open_} &= ~{near}")
            self.line(f"{found} |= {edge}")
            if steps:
                self.line(f"{steps} -= 1")
        return found

    def prim_joined(self, node: C.Primitive, kind: Kind) -> str | None:
        near = node.data[0]
        if not isinstance(near, tuple):
            return None
        known = self.constant("FOUND", {}, id(node)) if self.on(Pass.KEPT_FLOODS) else "{}"  # what was found last
        return f"joined({known}, {self._near(near)}, {', '.join(bare(self.set_text(arg)) for arg in node.args)})"

    def prim_reachable_by(self, node: C.Primitive, kind: Kind) -> str:
        links = self.constant("LINKS", node.data[0])
        start, allowed, within, ways = self._texts(node.args)
        return f"reach_by({links}, {start}, {allowed}, {within}, {ways})"

    def prim_joined_by(self, node: C.Primitive, kind: Kind) -> str:
        links = self.constant("LINKS", node.data[0])
        return f"joined_by({links}, {', '.join(self._texts(node.args))})"

    def _texts(self, args: tuple[C.Node, ...]) -> list[str]:
        return [bare(self.value(arg)[0]) for arg in args]

    def prim_groups(self, node: C.Primitive, kind: Kind) -> str | None:
        near = node.data[0]
        return f"groups({self._near(near)}, {self.set_text(node.args[0])})" if isinstance(near, tuple) else None

    # lines

    def rays(self, steps: tuple[int, ...], count: int) -> tuple[tuple[int, ...], ...] | None:
        """The way from every space in every direction to the border; None if a way comes back."""
        if not self.on(Pass.LINE_SETS):
            return None
        found = []
        for start in range(len(steps) // count):
            for d in range(count):
                way, at = [], steps[start * count + d]
                while at >= 0:
                    if at == start or at in way:
                        return None
                    way.append(at)
                    at = steps[at * count + d]
                found.append(tuple(way))
        return tuple(found)

    def _ray(self, rays: tuple[tuple[int, ...], ...], count: int, start: C.Node, direction: C.Node) -> str:
        spot, way = self.where_it_is(start), self.value(direction)
        if spot is not None and way[1].sure:
            return f"{self.constant('RAYS', self.beyond(rays, (), count))}[{spot} * {count} + {way[0]}]"
        space = self.value(start)
        table = self.constant("RAYS", rays)
        if space[1].sure and way[1].sure:
            return f"{table}[{space[0]} * {count} + {way[0]}]"
        at, d = self.simple(space[0]), self.simple(way[0])
        return self.cond(f"{at} >= 0 and {d} >= 0", f"{table}[{at} * {count} + {d}]", "()")

    def prim_ray(self, node: C.Primitive, kind: Kind) -> str | None:
        steps, count = node.data
        rays = self.rays(steps, count)
        if rays is None:
            return None
        return self._ray(rays, count, *node.args)

    def prim_between(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        known = self.constant("BETWEEN", Between(tuple(steps), count), id(steps))
        ends = [self.value(arg) for arg in node.args]
        texts = [text if of.sure else self.simple(text) for text, of in ends]
        there = [f"{text} >= 0" for text, (_, of) in zip(texts, ends, strict=True) if not of.sure]
        found = f"{known}[{', '.join(texts)}]"
        return self.cond(self.both(there), found, "()") if there else found

    def prim_slide(self, node: C.Primitive, kind: Kind) -> str | None:
        steps, count, _ = node.data
        if self.rays(steps, count) is None or not self.single:
            return None
        name, at = self.temp("list"), self.temp("at")
        self.line(f"{name} = []")
        with self.loop_through(at, node):
            self.line(f"{name}.append({at})")
        return self.held(f"tuple({name})", Kind(LIST))

    def prim_line(self, node: C.Primitive, kind: Kind) -> str:
        axes, steps, count = node.data
        space, length, inside = (self.number(arg) for arg in node.args)
        if self.on(Pass.LINE_TESTS) and length.isdigit() and 2 <= int(length) <= 6:
            rows = tuple(self._rows_through(at, axes, steps, count, int(length)) for at in range(len(steps) // count))
            if rows and all(row is not None for row in rows):
                name, at = self.temp("line"), self.simple(space)
                held = self.simple(inside)
                self.line(f"{name} = 0")
                row = self.temp("row")
                through = f"{self.constant('ROWS', (*rows, ()))}[{at}]"
                with self.block(f"for {row} in {through}"), self.if_(f"{held} & {row} == {row}"):
                    self.line(f"{name} = 1")
                    self.break_()
                return name
        known = f"{self.constant('AXES', axes)}, {self.constant('STEPS', tuple(steps))}, {count}"
        return f"in_line({known}, {space}, {length}, {inside})"

    def _rows_through(self, space: int, axes: Any, steps: Any, count: int, length: int) -> tuple[int, ...] | None:
        """All straight rows of a length through a space, as sets; None if a way comes back."""
        found: list[int] = []
        for axis in axes:
            arms: list[list[int]] = []
            for d in axis:
                arm: list[int] = []
                at = steps[space * count + d]
                while at >= 0 and len(arm) < length - 1:
                    if at == space or at in arm:
                        return None
                    arm.append(at)
                    at = steps[at * count + d]
                arms.append(arm)
            if len(arms) == 1:
                arms.append([])
            if len(arms) != 2 or set(arms[0]) & set(arms[1]):
                return None
            line = [*reversed(arms[0]), space, *arms[1]]
            for i in range(len(line) - length + 1):
                row = sum(1 << at for at in line[i : i + length])
                if row >> space & 1:
                    found.append(row)
        return tuple(found)

    def prim_owned_spaces(self, node: C.Primitive, kind: Kind) -> str:
        first, count, owned = node.data
        kept = self.absorber.owned(first, count, owned)
        if kept is not None and self.absorber.keeps(kept):
            player, of = self.value(node.args[0])
            player = player if of.sure else self.simple(player)
            text = self.kept_set(kept, player)
            return text if of.sure else self.cond(f"{player} >= 0", text, "0")
        table = self.constant("OWNED", tuple(tuple(pieces) for pieces in (*owned, ())))
        name, piece, at = self.temp("set"), self.temp("i"), self.temp("at")
        player = self.number(node.args[0])
        base = self.program.spots.at
        self.line(f"{name} = 0")
        with self.block(f"for {piece} in {table}[{bare(player)}]"):
            self.line(f"{at} = {self.item(base, piece)}" + (f" - {first}" if first else ""))
            with self.if_(f"0 <= {at} < {count}" if first else f"{at} < {count}"):
                self.line(f"{name} |= 1 << {at}")
        return name

    # tiles

    def prim_as_it_lies(self, node: C.Primitive, kind: Kind) -> str:
        turns, slot, sign = node.data
        way, piece = (self.value(arg) for arg in node.args)
        d, p = self.simple(way[0]), self.simple(piece[0])
        lengths = {len(ways) for ways in turns}
        table = self.constant("TURNS", tuple(map(tuple, turns)))
        by = self.item(slot, p) if sign > 0 else f"-{self.item(slot, p)}"
        turned = f"{table}[{d}][{by} % {lengths.pop() if len(lengths) == 1 else f'len({table}[{d}])'}]"
        sure = [f"{text} >= 0" for text, of in ((d, way[1]), (p, piece[1])) if not of.sure]
        return self.cond(self.both(sure), turned, "-1") if sure else turned

    def prim_first_on_tile(self, node: C.Primitive, kind: Kind) -> str | None:
        kinds, tiles = node.data
        spots = self.program.spots
        name = self.constant("first_on_tile_", (kinds, tiles), (id(node.data),))
        if name not in self.written:
            self.written[name] = None
            spots_of: dict[int, list[int]] = {}
            for first, owner in tiles:
                for number, tile in enumerate(owner):
                    spots_of.setdefault(tile, []).append(first + number)
            parts_of = self.constant("PARTS_OF", tuple(tuple(spots_of.get(i, ())) for i in range(self.pieces)))
            mask = self.set_const(kinds, 0)
            first = self.first_slots()
            self.later += [
                f"def {name}(v, spot):",
                '    """The first such piece on a space, or on a part of a tile that lies there."""',
                "    if spot < 0:",
                "        return -1",
            ]
            self.later += (
                ["    for piece in lying(v, spot):"]
                if first is None
                else [f"    piece = v[{first}[spot]]", "    while piece >= 0:"]
            )
            self.later += [f"        if {mask} >> piece & 1:", "            return piece"]
            some = f"v[{first}[part]] >= 0 and " if first is not None else ""
            self.later += [
                f"        for part in {parts_of}[piece]:",
                f"            if {some}(found := first_lying(v, part, {mask})) >= 0:",
                "                return found",
            ]
            if first is not None:
                if any(spots.single):
                    self.later += [
                        f"        if {self.constant('SINGLE', tuple(map(int, spots.single)))}[spot]:",
                        "            break",
                    ]
                self.later.append(f"        piece = v[{spots.over} + piece]" if any(spots.ordered) else "        break")
            self.later += ["    return -1", "", ""]
        return f"{name}(v, {bare(self.number(node.args[0]))})"

    def first_slots(self) -> str | None:
        """A table by space and part: the slot that says which piece comes first there; None if that is not so."""
        spots = self.program.spots
        if not all(spots.ordered[i] or spots.single[i] for i in range(spots.first_place)):
            return None
        return self.constant(
            "FIRST",
            tuple((spots.top if spots.single[i] else spots.bottom) + i for i in range(spots.first_place)),
        )

    # memory

    def prim_fingerprint(self, node: C.Primitive, kind: Kind) -> str | None:
        spots, slots = node.data
        if not all(self.program.spots.single[spot] for spot in spots):
            return None
        name = self.constant("fingerprint_", (), (id(node.data),))
        if name not in self.written:
            self.written[name] = None
            kept = self._kept_rows(spots)
            if kept is not None:
                self.later += self._fingerprint_kept(name, kept, slots)
                return f"{name}(v)"
            lines = [f"def {name}(v):", '    """64 bits that stand for the position."""', "    found = 0"]
            if spots:
                first, top = spots[0], self.program.spots.top
                last = first + len(spots)
                if tuple(spots) == tuple(range(first, last)):
                    lines.append(f"    for spot, piece in enumerate(v[{top + first}:{top + last}], {first}):")
                else:
                    lines.append(f"    for spot in {self.constant('SPOTS', tuple(spots))}:")
                    lines.append(f"        piece = v[{top} + spot]")
                lines.append("        if piece >= 0:")
                lines.append(f"            found ^= mark(spot, {bare(self.looks('piece'))})")
            for number, slot in enumerate(slots):
                lines.append(f"    found ^= mark({-2 - number}, v[{slot}])")
            self.later += [*lines, "    return found", "", ""]
        return f"{name}(v)"

    def _kept_rows(self, spots: tuple[int, ...]) -> Kept | None:
        """Kept sets of the spaces with pieces of each row, if that is all that tells positions apart."""
        rows, board = self.program.rows, tuple(spots)
        boards, pieces = self.absorber.boards, self.program.roots.get("piece")
        if not self.on(Pass.FINGERPRINTS) or not rows or pieces is None or self.program.piece_state:
            return None
        if not board or board != tuple(range(board[0], board[0] + boards.get(board[0], 0))):
            return None
        kept = Kept("spaces", board[0], len(board), pieces.everything, tuple(rows), -1, max(rows) + 1)
        return kept if kept.values <= MOST_ROWS and self.absorber.keeps(kept) else None

    def _fingerprint_kept(self, name: str, kept: Kept, slots: tuple[int, ...]) -> list[str]:
        """A function that begins with the position that it was asked for last."""
        count = kept.values
        marks = tuple(tuple(mark(kept.first + at, row) for at in range(kept.count)) for row in range(count))
        last = self.constant("LAST", [(0,) * (count + 1)], name)
        now, before = (", ".join(f"{stem}{row}" for row in range(count)) for stem in ("now", "before"))
        slot = self.absorber.slot_of(kept)
        lines = [
            f"def {name}(v):",
            '    """64 bits that stand for the position, found from the one that was asked for last."""',
            f"    found, {before} = {last}[0]",
        ]
        for row in range(count):
            lines += [
                f"    now{row} = v[{slot + row}]",
                f"    other = now{row} ^ before{row}",
                "    while other:",
                "        low = other & -other",
                f"        found ^= {self.constant('MARKS', marks[row])}[low.bit_length() - 1]",
                "        other ^= low",
            ]
        lines.append(f"    {last}[0] = found, {now}")
        for number_, one in enumerate(slots):
            lines.append(f"    found ^= mark({-2 - number_}, v[{one}])")
        return [*lines, "    return found", "", ""]

    def looks(self, piece: str) -> str:
        """What is equal for two pieces of one row in the same state."""
        text = f"{self.constant('ROWS_OF', tuple(self.program.rows))}[{piece}]"
        for base in self.program.piece_state:
            text = f"({text} * 8191 + {self.item(base, piece)})"
        return text

    def prim_repeats(self, node: C.Primitive, kind: Kind) -> str:
        (base,) = node.data
        return f"v[{base + 1}:{base + 1} + v[{base}]].count({self.number(node.args[0])})"


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


def bare(text: str) -> str:
    """A text without the brackets around the whole of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    inner = text[1:-1]
    return text if "," in _outer(inner) or not inner else inner


def _outer(text: str) -> str:
    """What stands within no brackets."""
    found, depth = [], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            found.append(letter)
    return "".join(found)


def _is_filter(fold: C.Fold) -> bool:
    """Whether a comprehension is `x in S where c` and nothing more."""
    (first, *rest), value = fold.each, fold.value
    itself = value is None or (isinstance(value, C.Get) and value.slot == first.slot)
    return fold.kind == "set" and not rest and first.form == "set" and itself


def scratch(node: Any) -> set[int]:
    """The variables of formulas that an expression reads or binds; they lie behind the state."""
    read = {one.slot for one in within(node) if isinstance(one, C.Get) and one.slot < 0}
    return read | {slot for slot in bound(node) if slot < 0}


__all__ = ["SET", "PythonWords", "bare", "identifier", "scratch"]
