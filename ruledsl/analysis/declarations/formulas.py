"""`define:`, formulas by name, and their bodies with what triggers modify about them."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.calculating import interval
from ruledsl.analysis.making import CodeInfo, FormulaInfo
from ruledsl.analysis.names import BAD, Handle, Typed
from ruledsl.analysis.reasons import CONDITION, explained, with_reason
from ruledsl.analysis.show import show
from ruledsl.analysis.world import World
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Seq
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields, Form, Key, fields
from ruledsl.types import Bool, Broken, Code, Nothing, Num, TableOf, join

FORMULA = Form(
    "a formula",
    {
        "let": Key(
            "map",
            "Names for steps of the formula and their values, in order; known only in `let` and `is`.",
            tried=("where", "with", "steps", "given"),
        ),
        "is": Key("expression", "The formula.", required=True, tried=("then", "value", "result", "in")),
        "least": Key("scalar", "It is never less."),
        "most": Key("scalar", "It is never more."),
        "because": Key("text", "What players read when it refuses what they want; for a condition or a set."),
        "covers": Key("words", "The numbered rules that it implements."),
    },
    section="define",
)


def declare_formulas(world: World) -> None:
    for key, node in world.sections.named["define"].values():
        header = world.elaborator.read(key, "header")
        if isinstance(header, E.Bad):
            world.broken_header(key.value)
            continue
        parameters = [(p.name.name, world.written.parameter_type(p)) for p in header.parameters]
        slots = tuple(world.scratch() for _ in parameters)
        formula = FormulaInfo(
            header.name.name, key.value, parameters, header, node, C.Formula(header.name.name, slots, None, key.span)
        )
        if any(isinstance(kind, Broken) for _, kind in parameters):
            formula.state = "done"
        world.formulas.append(formula)
        world.declare(header.name.name, "formula", header.name.span, formula)


def _no_table(world: World, formula: FormulaInfo, node: Map) -> str:
    """For `goal: {2: 7, 3: 5}` and `goal: {white: 9, black: 1}`: what goes by a number or a word, as an expression."""
    keys = list(node.entries)
    if all(key.isdecimal() for key in keys):
        return "write `if count(players) == 2 then … else …`, or a list with a number in it: `[7, 5][n]`"
    root = next((root for root in world.roots.values() if root.kind != "place" and {*keys} <= {*root.names}), None)
    if root is None or len(keys) < 2:
        return ""
    name = formula.parameters[0][0] if formula.parameters else "x"
    values = [entry.value.span.one_line for entry in node]
    values = values if all(len(value) <= 20 for value in values) else ["…"] * len(values)
    asked = "".join(f"if {name} == {key} then {value} else " for key, value in zip(keys[:-1], values, strict=False))
    given = "" if formula.parameters else f", with `{formula.name}({root.name} {name}):` before it"
    return f"write `{asked}{values[-1]}`{given}"


def body_of(world: World, formula: FormulaInfo) -> Typed:
    """The code of a formula's body, its parameters being bound."""
    if formula.row is not None:
        return _row_body(world, formula, formula.row)
    node = formula.node
    bounds = None
    if isinstance(node, Map) and node.entries and FORMULA.known.keys().isdisjoint(node.entries):
        help = _no_table(world, formula, node)
        if help:
            world.report.error("S101", node.span, "a formula is an expression, and not a table", help=help)
            return BAD
    if isinstance(node, Seq) and any(isinstance(one, Map) and {*one.entries} & {*FORMULA.keys} for one in node.items):
        help = "write `let:` and `is:` without the dashes"
        world.report.error("S103", node.span, "a formula is a map of keys, and not a list", help=help)
        return BAD
    if isinstance(node, Map):
        bounds = fields(node, FORMULA, world.report)
        if bounds is None or bounds.get("is") is None:
            return BAD
        node = bounds.get("is")  # type: ignore[assignment]
    typed = _by_steps(world, bounds, node)
    typed = _modified(world, formula, typed)
    if bounds is not None:
        for key, op in (("least", "greatest"), ("most", "least")):
            if bounds.has(key):
                typed = _bounded(world, typed, bounds, key, op)
    return typed


def _by_steps(world: World, f: Fields | None, node: Any) -> Typed:
    """The value of a formula, whose steps are worked out before it, in order; its reason may speak of them, too."""
    elaborator = world.elaborator
    made: list[tuple[int, C.Node]] = []
    sound = True
    with elaborator.scope():
        for entry in (f.map("let") if f is not None else None) or ():
            tree = elaborator.read(entry.value)
            value = elaborator.expr(tree)
            if isinstance(value.type, TableOf | Code | Nothing) or isinstance(value.node, Handle):
                what = "none" if isinstance(value.type, Nothing) else show(value.type)
                value = elaborator.fail("T236", tree.span, f"a step of a formula cannot be {what}")
            sound = sound and not isinstance(value.type, Broken)
            in_scratch = isinstance(value.node, C.Get) and value.node.slot < 0
            if not in_scratch and not isinstance(value.node, C.Const):
                slot = world.scratch()
                made.append((slot, value.node))
                value = Typed(C.Get(slot), value.type)
                world.steps[slot] = entry.key.value, value  # `why` may speak of it
            elaborator.bind(entry.key.value, value, entry.key.span)
        typed = elaborator.expr(elaborator.read(node))
        if f is not None and f.has("because"):
            typed = _explained(world, typed, f)
    if not sound or isinstance(typed.type, Broken):
        return BAD
    code = typed.node
    for slot, value_of in reversed(made):
        code = C.With((slot,), (value_of,), code)
    return Typed(code, typed.type)


def _explained(world: World, typed: Typed, f: Fields) -> Typed:
    """A formula with its reason. Triggers that modify it have reasons of their own, so it is for what is written."""
    if isinstance(typed.type, Num) and not typed.type.maybe:
        key = f.node.key("because")
        assert key is not None
        advice = "`because:` goes with a condition, or with a set to choose from"
        world.report.error("S126", key.span, f"{show(typed.type)} cannot refuse anything", help=advice)
        return typed
    return Typed(explained(world.elaborator, typed.node, f.get("because")), typed.type)


def _bounded(world: World, typed: Typed, bounds: Any, key: str, op: str) -> Typed:
    tree = world.elaborator.read(bounds.get(key))
    limit = world.elaborator.number(world.elaborator.expr(tree), tree.span, f"`{key}`")
    number = world.elaborator.number(typed, tree.span, "the formula")
    if limit is None or number is None:
        return BAD
    return world.elaborator.calculating.of_numbers(op, [number, limit])


def _row_body(world: World, formula: FormulaInfo, row: CodeInfo) -> Typed:
    elaborator = world.elaborator
    for (name, kind), slot in zip(formula.parameters, formula.code.slots, strict=True):
        elaborator.bind(name, Typed(C.Get(slot), kind), quiet=True)
    if row.kind == "condition":
        from ruledsl.types import BOOL

        asked, because = with_reason(elaborator, formula.node, CONDITION)
        tree = elaborator.read(asked)
        typed = elaborator.expr(tree, BOOL)
        if isinstance(typed.type, Broken):
            return BAD
        node = elaborator.condition(typed, tree.span, f"`{row.name}`")
        return Typed(explained(elaborator, node, because), BOOL)
    tree = elaborator.read(formula.node)
    number = elaborator.number(elaborator.expr(tree), tree.span, f"`{row.name}`")
    return BAD if number is None else number


def _modified(world: World, formula: FormulaInfo, typed: Typed) -> Typed:
    """First `is` (the result so far is `value`), then every `add`; of conditions `forbid` beats `allow`."""
    modifiers = world.modifiers_of(formula.name)  # type: ignore[attr-defined]
    if not modifiers or isinstance(typed.type, Broken):
        return typed
    for key in ("is", "add", "allow", "forbid"):
        for trigger in modifiers:
            if trigger.fields.has(key):
                typed = _modify(world, formula, typed, trigger, key)
                if isinstance(typed.type, Broken):
                    return BAD
    return typed


def _modify(world: World, formula: FormulaInfo, typed: Typed, trigger: Any, key: str) -> Typed:
    elaborator, f = world.elaborator, trigger.fields
    trigger.used = True
    when = elaborator.condition_of(f.get("when"), "the condition of `when`") if f.has("when") else C.Const(1)
    tree = elaborator.read(f.get(key))
    if key in ("allow", "forbid"):
        if not isinstance(typed.type, Bool):
            return elaborator.fail(
                "T255",
                tree.span,
                f"`{key}` modifies conditions, and `{formula.name}` gives {show(typed.type)}",
                "use `add:` or `is:`",
            )
        node = elaborator.condition(elaborator.expr(tree), tree.span, f"`{key}`")
        applies = C.Both((when, node))
        if key == "allow":
            return Typed(C.Either((typed.node, applies)), typed.type)
        refusing = explained(elaborator, C.Op("not", (applies,)), f.get("because"))
        return Typed(C.Both((typed.node, refusing)), typed.type)
    if key == "is":
        slot = world.scratch()
        with elaborator.scope():
            elaborator.bind("value", Typed(C.Get(slot), typed.type), quiet=True)
            new = elaborator.expr(tree, typed.type)
        together = join(new.type, typed.type)
        if together is None:
            return elaborator.fail("T203", tree.span, "this does not have the type that the formula gives")
        before = elaborator.fitting.reconcile(Typed(C.Get(slot), typed.type), together, tree.span)
        after = elaborator.fitting.reconcile(new, together, tree.span)
        return Typed(C.With((slot,), (typed.node,), C.Cond(when, after, before)), together)
    number = elaborator.number(elaborator.expr(tree), tree.span, "`add`")
    if number is None or not isinstance(typed.type, Num):
        return (
            BAD
            if number is None
            else elaborator.fail(
                "T255",
                tree.span,
                f"`add` modifies numbers, and `{formula.name}` gives {show(typed.type)}",
                "use `allow:` or `forbid:`",
            )
        )
    assert isinstance(number.type, Num)
    more = C.Cond(when, number.node, C.Const(0))
    kind = interval("add", typed.type, Num(min(0, number.type.low), max(0, number.type.high)))
    return Typed(C.Op("add", (typed.node, more)), kind)
