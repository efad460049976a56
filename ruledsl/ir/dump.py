"""A program as text: its state slot by slot, its formulas, its blocks; for people who look at what rules became."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.ops import OPS
from ruledsl.source.text import Span

_INFIX = {name: row.infix for name, row in OPS.items() if row.infix}
_MOST_SHOWN = 12


def dump(program: C.Program) -> str:
    """The whole program."""
    return "\n".join(_Writer(program).program()) + "\n"


def dump_layout(program: C.Program) -> str:
    """The state: from which slot on what is kept, and what it holds at the start where that is not 0."""
    return "\n".join(_Writer(program).layout()) + "\n"


class _Writer:
    """Knows the name of every slot."""

    def __init__(self, program: C.Program) -> None:
        self.code = program
        shared = Counter(field.name for field in program.layout.fields)
        self.fields: dict[int, tuple[str, int, int]] = {}  # by slot: name, place among the items, part of the item
        for field in program.layout.fields:
            name = field.name.replace(" ", "_")
            name = name if shared[field.name] == 1 else f"{name}@{field.base}"
            for slot in range(field.count * field.width):
                self.fields[field.base + slot] = (name, *divmod(slot, max(field.width, 1)))
        self.single = {field.base for field in program.layout.fields if field.count * field.width == 1}
        self.procedures = {p.entry: p for p in program.procedures}

    def slot(self, slot: int) -> str:
        """`score`, `score[2]`, `order[0].1`; variables of formulas are numbered behind the state."""
        if slot not in self.fields:
            return f"t{-slot}" if slot < 0 else f"t{slot - self.code.layout.size}"
        name, item, part = self.fields[slot]
        if slot in self.single:
            return name
        return f"{name}[{item}]" + (f".{part}" if part else "")

    def array(self, base: int, index: str) -> str:
        name, item, part = self.fields.get(base, (self.slot(base), 0, 0))
        inside = f"{item} + {index}" if item else index
        return f"{name}[{inside}]" + (f".{part}" if part else "")

    # ----------------------------------------------------------------------------------------------- parts

    def program(self) -> Iterator[str]:
        code = self.code
        yield (
            f"program {code.name}: {code.layout.size} slots and {code.scratch} behind them, "
            f"{len(code.blocks)} blocks, {len(code.procedures)} procedures, {len(code.formulas)} formulas"
        )
        yield f"begins at block {code.start}"
        if code.formulas:
            yield ""
            yield "formulas"
        for formula in code.formulas:
            yield f"  {formula.name}({', '.join(map(self.slot, formula.slots))}){_place(formula.span)}"
            if formula.body is not None:
                yield f"    = {self.node(formula.body)}"
        yield ""
        yield "blocks"
        for number, block in enumerate(code.blocks):
            yield from self.block(number, block)

    def layout(self) -> Iterator[str]:
        code = self.code
        start = code.template
        yield f"{code.layout.size} slots"
        yield f"{'slot':>6}  {'items':>5}  {'each':>4}  {'sort':<8}  name"
        for field in code.layout.fields:
            held = start[field.base : field.base + field.count * field.width]
            note = f" = {_value(held[0]) if len(held) == 1 else _values(held)}" if any(held) else ""
            whose = f" of every {field.owner.name}" if field.owner is not None and field.count > 1 else ""
            yield f"{field.base:>6}  {field.count:>5}  {field.width:>4}  {field.kind:<8}  {field.name}{whose}{note}"

    def block(self, number: int, block: C.Block) -> Iterator[str]:
        procedure = self.procedures.get(number)
        if procedure is not None:
            yield f"{procedure.name}({', '.join(map(self.slot, procedure.parameters))}):{_place(procedure.span)}"
        yield f"{number:>5}: {block.note}".rstrip(" ")
        for op in block.ops:
            yield f"        {self.operation(op)}"
        for line in self.end(block.end):
            yield f"        {line}"

    # ------------------------------------------------------------------------------------------ operations

    def operation(self, op: C.Operation) -> str:
        match op:
            case C.Put(base=base, index=None, value=value):
                return f"{self.slot(base)} := {self.node(value)}"
            case C.Put(base=base, index=index, value=value):
                assert index is not None
                return f"{self.array(base, self.node(index))} := {self.node(value)}"
            case C.PutSeveral(base=base, index=index, count=count, value=value, is_list=is_list):
                where = self.slot(base) if index is None else self.array(base, self.node(index))
                return f"{where} :={'list' if is_list else 'bag'}({count}) {self.node(value)}"
            case C.Zero(slots=slots):
                return f"clear {', '.join(map(self.slot, slots))}"
            case C.Move(pieces=pieces, form=form, to=to, at=at, turned=turned):
                text = f"move {form} {self.node(pieces)} to {self.node(to)}"
                if at is not None:
                    text += f" at {at if isinstance(at, str) else self.node(at)}"
                return text + (f" turned {self.node(turned)}" if turned is not None else "")
            case C.Act(name=name, args=args, data=data):
                return f"{name}({self.call(args, data)})"
            case C.Say(words=words, to=to):
                return f"say {self.words(words)}" + (f" to {self.node(to)}" if to is not None else "")

    def words(self, words: C.Words) -> str:
        language = words.by_language[0][0] if words.by_language else "en"
        parts = words.parts(language)
        return repr("".join(p if isinstance(p, str) else "{" + self.node(p.node) + "}" for p in parts))

    def call(self, args: tuple[C.Node, ...], data: tuple[Any, ...] = ()) -> str:
        shown = [self.node(arg) for arg in args]
        return ", ".join(shown) + (f"; {', '.join(map(_value, data))}" if data else "")

    # ------------------------------------------------------------------------------------------------ ends

    def end(self, end: C.Terminator | None) -> Iterator[str]:
        match end:
            case None:
                yield "(nothing leads on)"
            case C.Jump(to=to):
                yield f"go {to}"
            case C.Branch(condition=condition, then=then, otherwise=otherwise):
                yield f"if {self.node(condition)} go {then} else {otherwise}"
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                yield f"call {procedure.name}({self.call(args)}) at {procedure.entry}, go {then}"
            case C.Return(procedure=procedure):
                yield f"return from {procedure.name}"
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise):
                listed = ", ".join(f"{case}: {to}" for case, to in cases.items())
                yield f"by {self.node(index)} go {{{listed}}} else {otherwise}"
            case C.Choice():
                yield from self.choice(end)
            case C.Chance():
                yield from self.chance(end)
            case C.Together(players=players, body=body, then=then):
                yield f"together {self.node(players)} do {body}, go {then}"
            case C.Finish(ending=ending, winners=winners):
                whose = f": {self.node(winners)}" if winners is not None else ""
                yield f"end {C.ENDINGS[ending]}{whose}"

    def choice(self, choice: C.Choice) -> Iterator[str]:
        stage = "" if choice.stage is None else f" in steps counted by {self.slot(choice.stage)}"
        yield f"choose {choice.name!r} by {self.node(choice.by)}{stage}, else {choice.stuck}{_place(choice.span)}"
        for entry in choice.entries:
            yield f"  {entry.name or 'option'!r} go {entry.to}{' stepwise' if entry.stepwise else ''}"
            yield from (f"    {line}" for line in self.entry(entry))
        if choice.stop is not None:
            when = f" if {self.all(choice.stop.when)}" if choice.stop.when else ""
            yield f"  or {choice.stop.name or 'stop'!r}{when} go {choice.stop.to}"

    def entry(self, entry: C.Entry) -> Iterator[str]:
        if entry.anytime is not None:
            yield f"anytime {self.node(entry.anytime)}"
        for slot, node in entry.stored:
            yield f"{self.slot(slot)} := {self.node(node)}"
        if entry.when:
            yield f"when {self.all(entry.when)}"
        for variable in entry.variables:
            yield self.variable(variable)
        if entry.where:
            yield f"where {self.all(entry.where)}"
        if entry.so_far is not None:
            yield f"so far {self.node(entry.so_far)}"
        if entry.label is not None:
            yield f"label {self.words(entry.label)}"

    def variable(self, variable: C.Variable) -> str:
        text = f"{variable.name} = {self.each(variable.each)}"
        if variable.fewest is not None and variable.most is not None:
            order = "in order" if variable.ordered else "as a set"
            text += f", {self.node(variable.fewest)}..{self.node(variable.most)} of them {order}"
        return text + (f" where {self.node(variable.where)}" if variable.where is not None else "")

    def chance(self, chance: C.Chance) -> Iterator[str]:
        stream = C.STREAM_NAMES[chance.stream]
        if chance.place is not None:
            yield f"{chance.kind} {self.node(chance.place)} by stream {stream}, go {chance.then}"
        elif chance.variable is not None:
            weight = f" weighing {self.node(chance.weight)}" if chance.weight is not None else ""
            yield f"{chance.kind} {self.variable(chance.variable)}{weight} by stream {stream}, go {chance.then}"

    # ----------------------------------------------------------------------------------------- expressions

    def all(self, nodes: tuple[C.Node, ...]) -> str:
        return " and ".join(self.inner(node) for node in nodes)

    def inner(self, node: C.Node) -> str:
        """A part of a larger expression, in brackets where it could be misread."""
        text = self.node(node)
        plain = (C.Const, C.Get, C.Cell, C.Look, C.Several, C.Fold, C.Invoke, C.Primitive, C.Would, C.Possible)
        infix = isinstance(node, C.Op) and node.name not in _INFIX and node.name != "not"
        return text if isinstance(node, plain) or infix else f"({text})"

    def node(self, node: C.Node) -> str:
        match node:
            case C.Const(value=value):
                return _value(value)
            case C.Get(slot=slot):
                return self.slot(slot)
            case C.Cell(base=base, index=index):
                return self.array(base, self.node(index))
            case C.Look(table=table, index=index):
                return f"{_values(table)}[{self.node(index)}]"
            case C.Several(base=base, index=index, count=count, is_list=is_list):
                where = self.slot(base) if index is None else self.array(base, self.node(index))
                return f"{'list' if is_list else 'bag'}({where}, {count})"
            case C.Op(name="not", args=(of,)):
                return f"not {self.inner(of)}"
            case C.Op(name=name, args=(left, right)) if name in _INFIX:
                return f"{self.inner(left)} {_INFIX[name]} {self.inner(right)}"
            case C.Op(name=name, args=args):
                return f"{name}({self.call(args)})"
            case C.Both(args=args):
                return self.all(args) or "true"
            case C.Either(args=args):
                return " or ".join(self.inner(arg) for arg in args) or "false"
            case C.Cond(condition=condition, then=then, otherwise=otherwise):
                return f"if {self.inner(condition)} then {self.inner(then)} else {self.inner(otherwise)}"
            case C.Otherwise(of=of, otherwise=otherwise):
                return f"{self.inner(of)} otherwise {self.inner(otherwise)}"
            case C.Fold():
                return self.fold(node)
            case C.Invoke(formula=formula, args=args):
                return f"{formula.name}({self.call(args)})"
            case C.Select(index=index, cases=cases):
                listed = ", ".join(self.node(case) for case in cases[:_MOST_SHOWN])
                more = f", … {len(cases)} in all" if len(cases) > _MOST_SHOWN else ""
                return f"select {self.inner(index)} of [{listed}{more}]"
            case C.With(slots=slots, args=args, body=body):
                set_to = ", ".join(f"{self.slot(s)} = {self.node(a)}" for s, a in zip(slots, args, strict=True))
                return f"with {set_to}: {self.node(body)}"
            case C.Would(procedure=procedure, args=args, condition=condition):
                return f"would({procedure.name}({self.call(args)}), {self.node(condition)})"
            case C.Demand(of=of):
                return f"the({self.node(of)})"
            case C.Fit(of=of, low=low, high=high):
                return f"fit({self.node(of)}, {low}..{high})"
            case C.Primitive(name=name, args=args, data=data):
                return f"{name}({self.call(args, data)})"
            case C.Possible(choice=choice):
                return f"possible({choice.name!r})"

    def fold(self, fold: C.Fold) -> str:
        text = ", ".join(self.each(each) for each in fold.each)
        if fold.value is not None:
            text = f"{self.node(fold.value)} for {text}"
        if fold.where is not None:
            text += f" where {self.node(fold.where)}"
        if fold.keys:
            text += f" by {', '.join(self.node(key) for key in fold.keys)}"
        return f"{fold.kind}({text})"

    def each(self, each: C.Each) -> str:
        shown = [self.inner(node) for node in each.domain]
        return f"{self.slot(each.slot)} in {'..'.join(shown) if each.form == 'range' else ', '.join(shown)}"


def _value(value: Any) -> str:
    """A constant: long tables cut short, sets of many members by their number, things by their names."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value) if abs(value) < 1 << 32 else f"{{{value.bit_count()} members}}"
        case tuple() | list():
            return _values(value)
        case dict():
            return f"{{{len(value)} entries}}"
        case str():
            return repr(value)
    return str(getattr(value, "name", None) or value)


def _values(table: tuple[Any, ...] | list[Any]) -> str:
    shown = ", ".join(_value(item) for item in table[:_MOST_SHOWN])
    return f"[{shown}, … {len(table)} in all]" if len(table) > _MOST_SHOWN else f"[{shown}]"


def _place(span: Span | None) -> str:
    return f"  # {span.file.path}:{span.line}" if span is not None else ""


__all__ = ["dump", "dump_layout"]
