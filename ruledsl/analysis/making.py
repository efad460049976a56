"""Formulas, worked out when they are first used, and code in rows."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.document import Node
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BROKEN,
    NONE,
    Attribute,
    Broken,
    Code,
    Elem,
    Num,
    TableOf,
    Type,
    join,
    maybe,
)

from .elaborate import Elaborator
from .names import (
    BAD,
    Handle,
    Typed,
)
from .show import show

if TYPE_CHECKING:
    from .world import World

MOST_DEPTH = 100  # of calls within calls
FEW_ROWS = 6  # different pieces of code that are written where one is picked; of more there is a formula


@dataclass(eq=False)
class FormulaInfo:
    """A formula as declared: worked out when it is first used."""

    name: str
    signature: str
    parameters: list[tuple[str, Type]]
    header: E.Header | None
    node: Node
    code: C.Formula
    state: str = "new"  # new, busy, done
    type: Type = BROKEN
    covers: list[str] = field(default_factory=list)
    row: CodeInfo | None = None  # of code in a row of a table


@dataclass(eq=False)
class CodeInfo:
    """Code in the rows of a table: one formula or effect for each different row."""

    name: str
    parameters: list[tuple[str, Type]]
    signature: str
    rows: dict[int, Node]  # by member
    owner: Elem
    kind: str
    made: dict[Node, Any] = field(default_factory=dict)
    chosen: dict[int, C.Formula] = field(default_factory=dict)  # by members: what picks the code of one by its row
    used: bool = False
    span: Span | None = None

    def of_row(self, node: Node) -> Elem:
        """The members whose row says this: what `this` can be there."""
        mask = sum(1 << member for member, other in self.rows.items() if other is node)
        return Elem(self.owner.root, mask & self.owner.mask)


class Making:
    """Formulas, worked out when they are first used, and code in rows."""

    def __init__(self, world: World) -> None:
        self.world = world

    def formula_type(self, formula: FormulaInfo, span: Span) -> Type:
        """The type of a formula's value; its body is worked out at the first call."""
        world = self.world
        world.needs.asked(formula)
        if formula.state == "busy":
            start = next((i for i, f in enumerate(world.busy) if f is formula), 0)
            way = " → ".join(f"`{f.name}`" for f in [*world.busy[start:], formula])
            self.world.report.error(
                "F401",
                span,
                f"`{formula.name}` needs itself: {way}",
                notes=((formula.code.span, "declared here"),) if formula.code.span else (),
                help="rules cannot be recursive; count in a `value`, or give the formulas levels",
            )
            formula.type = BROKEN
            return BROKEN
        if formula.state == "new":
            if self.too_deep(len(world.busy), span):
                return BROKEN
            self.make_formula(formula)
        return formula.type

    def too_deep(self, depth: int, span: Span) -> bool:
        """Whether rules call each other in too long a chain, which is said once."""
        if depth <= MOST_DEPTH:
            return False
        if not self.world.data.get("too deep"):
            self.world.data["too deep"] = True
            self.world.report.error(
                "S119", span, f"rules call each other in a chain of more than {MOST_DEPTH}", help="shorten the chain"
            )
        return True

    def make_formula(self, formula: FormulaInfo) -> None:
        world = self.world
        formula.state = "busy"
        world.busy.append(formula)
        elaborator = world.elaborator
        no_me, elaborator.no_me = elaborator.no_me, 0
        with elaborator.fresh(), world.needs.within(formula):
            if formula.header is not None:
                for (name, kind), slot, parameter in zip(
                    formula.parameters, formula.code.slots, formula.header.parameters, strict=True
                ):
                    elaborator.bind(parameter.name, Typed(C.Get(slot), kind))
                    assert parameter.name.name == name
            typed = self.formula_body(formula)
        elaborator.no_me = no_me
        world.busy.pop()
        formula.state = "done"
        if isinstance(typed.type, TableOf | Code) or isinstance(typed.node, Handle):
            self.world.report.error("T236", formula.node.span, f"a formula cannot give {show(typed.type)}")
            typed = BAD
        formula.code.body, formula.type = typed.node, typed.type
        formula.code.type = typed.type

    def formula_body(self, formula: FormulaInfo) -> Typed:
        from .declarations.formulas import body_of

        return body_of(self.world, formula)

    def call_row_code(
        self, elaborator: Elaborator, of: Typed, attribute: Attribute, args: tuple[C.Node, ...], span: Span
    ) -> Typed:
        """A number or condition that stands in a row, worked out for the row of a member."""
        info: CodeInfo = attribute.origin
        info.used = True
        kind = of.type
        assert isinstance(kind, Elem)
        cases: list[C.Invoke] = []
        numbers: dict[Node, int] = {}
        together: Type | None = None
        for member, node in info.rows.items():
            if not kind.mask >> member & 1 or node in numbers:
                continue
            formula = self.row_formula(info, node)
            result = self.formula_type(formula, span)
            if isinstance(result, Broken):
                return BAD
            together = result if together is None else join(together, result)
            numbers[node] = len(cases)
            cases.append(C.Invoke(formula.code, (of.node, *args), span))
        if together is None:
            return BAD
        table = tuple(numbers.get(info.rows[m], 0) if m in info.rows else 0 for m in range(kind.root.size))
        none = self.world.none_in(together)
        result = maybe(together) if kind.maybe and isinstance(together, Num | Elem) else together
        if len(cases) == 1 and not kind.maybe:
            return Typed(cases[0], result)
        if len(cases) <= FEW_ROWS:
            return Typed(C.Select(C.Look(table, of.node, NONE), tuple(cases), none, span), result)
        if kind.mask not in info.chosen:
            slots = tuple(self.world.scratch() for _ in range(len(args) + 1))
            own = tuple(C.Invoke(case.formula, tuple(map(C.Get, slots)), span) for case in cases)
            body = C.Select(C.Look(table, C.Get(slots[0]), NONE), own, none, span)
            name = f"{info.owner.root.name}.{info.name}"
            info.chosen[kind.mask] = C.Formula(name, slots, body, span, maybe(together))
        return Typed(C.Invoke(info.chosen[kind.mask], (of.node, *args), span), result)

    def row_formula(self, info: CodeInfo, node: Node) -> FormulaInfo:
        found = info.made.get(node)
        if found is None:
            slots = tuple(self.world.scratch() for _ in range(len(info.parameters) + 1))
            code = C.Formula(f"{info.owner.root.name}.{info.name}", slots, None, node.span)
            parameters = [("this", info.of_row(node)), *info.parameters]
            found = FormulaInfo(info.name, info.signature, parameters, None, node, code)
            found.row = info
            info.made[node] = found
        return found
