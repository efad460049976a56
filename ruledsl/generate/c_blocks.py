"""Blocks of the program in generated C, and going from one to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.engine.menus import TOO_MANY_OUTCOMES
from ruledsl.engine.options import DONE, NOTHING, STOP, STRIDE, staged
from ruledsl.ir import core as C
from ruledsl.ir.core import STREAMS
from ruledsl.ir.kinds import ANY_NUMBER, Kind
from ruledsl.ir.ways import reached, successors, ways_on
from ruledsl.types import BagOf, ListOf

from .c_operations import COperations
from .c_options import COptions
from .c_part import CPart
from .c_picking import CPicking
from .c_settled import CSettled
from .c_state import BROKEN, CHOICE, DRAFTED, LIMIT, OVER, TOGETHER
from .changes import PIECES
from .flow import circles, parted
from .kept import conjuncts
from .language import remark
from .passes import Pass

ELSEWHERE = -1  # what a part of the program returns where play goes on in another


class CBlocks(CPart):
    """Blocks of the program in generated C, and going from one to the next."""

    def __init__(
        self,
        out: CSettled,
        options: COptions,
        picking: CPicking,
        operations: COperations,
        enters: Callable[[int], None],
        asks: Callable[[int], None],
        decides: Callable[[int, int | None], None],
    ) -> None:
        super().__init__(out)
        self.options, self.picking, self.operations = options, picking, operations
        self.enters = enters  # writes what is to be noticed before a block does anything
        self.asks = asks  # writes what is done before options are listed
        self.decides = decides  # writes what is done where a bot has picked an option

    parts: dict[int, int]  # by block: the function it stands in, where one would be too large for all
    _ways_round: tuple[dict[int, int], dict[int, int], set[tuple[int, int]]] | tuple[()] = ()

    def _main(self) -> list[int]:
        """The blocks that play may come to, but for those of procedures that are functions of their own."""
        start = [self.program.start]
        if self.program.between is not None:
            start.append(self.program.between)
        start += self.program.ahead
        ends = [block.end for block in self.program.blocks]
        if not self.out.on(Pass.DEAD_BLOCKS):
            return list(range(len(ends)))
        return reached(start, lambda at: [*ways_on(ends[at]), *self._called(ends[at])])

    def _called(self, end: Any) -> list[int]:
        called = isinstance(end, C.CallProcedure) and end.procedure not in self.out.alone
        return [end.procedure.entry] if called else []

    def procedures(self) -> None:
        out = self.out
        for procedure, blocks in out.alone.items():
            out.current = procedure
            with out.function(f"inline num {out.procedure_names[procedure]}(Context *x, State *s, const num counting)"):
                out.line("const num mark = x->top;")
                out.line(f"goto b{procedure.entry};")
                for at in blocks:
                    self._block(at)
            out.current = None

    def _block(self, at: int) -> None:
        out = self.out
        block = self.program.blocks[at]
        out.line(f"b{at}: {{  /* {remark(block.note)} */")
        out.depth += 1
        self.enters(at)
        with out.captured() as operations:
            for op in block.ops:
                self.operations.operation(op)
        if out.makes_lists(operations):
            out.line("x->top = 0;" if out.current is None else "x->top = mark;")
        out.splice(operations)
        out.line(f"if (counting) x->counts[{at}]++;")
        for what, begins in (("turns", out.shape.turns), ("rounds", out.shape.rounds)):
            if at in begins:  # those of an effect that is only tried out do not count
                out.line(f"x->{what}++;" if out.current is None else f"if (!x->trying) x->{what}++;")
        with out.captured() as lines, out.afresh():
            self._end(at, block.end)
        if out.makes_lists(lines):
            out.line("x->top = 0;" if out.current is None else "x->top = mark;")
        out.splice(lines)
        out.depth -= 1
        out.line("}")

    def _go(self, at: int, to: int) -> str:
        """Goes to a block; where that may go on for ever without a decision, steps are counted."""
        there = self._goto(at, to)
        return f"if (++x->steps > MOST_STEPS) fault(x, FAULT_STEPS, 0); {there}" if self._endless(at, to) else there

    def _goto(self, at: int, to: int) -> str:
        """To a block of the same function by a jump, to another function by way of the one that calls them all."""
        if self.out.current is not None or self.parts.get(at) == self.parts.get(to):
            return f"goto b{to};"
        return f"{{ s->pc = {to}; return {ELSEWHERE}; }}"

    def _endless(self, at: int, to: int) -> bool:
        """Whether steps are counted from a block to another: somewhere on every way round without a decision.

        Where nobody can do anything is counted there; that is rare.
        """
        if not self.out.on(Pass.ROUNDS_ALONE):
            return to <= at
        if not self._ways_round:
            ends = [block.end for block in self.program.blocks]
            stuck = {(i, end.stuck) for i, end in enumerate(ends) if isinstance(end, C.Choice)}
            back: dict[C.Procedure, list[int]] = {}
            for end in ends:
                if isinstance(end, C.CallProcedure):
                    back.setdefault(end.procedure, []).append(end.then)
            edges = {i: successors(end) for i, end in enumerate(ends)}
            for i, end in enumerate(ends):
                if isinstance(end, C.CallProcedure):
                    edges[i] = [*edges[i], end.procedure.entry]
                elif isinstance(end, C.Return):
                    edges[i] = back.get(end.procedure, [])
            whole = {i: [*to, *(end for start, end in stuck if start == i)] for i, to in edges.items()}
            self._ways_round = circles(edges), circles(whole), stuck
        plain, whole_, stuck = self._ways_round
        found = whole_ if (at, to) in stuck else plain if to <= at else {}
        return at in found and found[at] == found.get(to)

    def _end(self, at: int, end: Any) -> None:
        out = self.out
        match end:
            case C.Jump(to=to):
                out.line(self._go(at, to))
            case C.Branch(condition=condition, then=then, otherwise=otherwise):
                with out.if_(out.truth(condition)):
                    out.line(self._go(at, then))
                out.line(self._go(at, otherwise))
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                values = [
                    out.held(out.as_kind(arg, self._parameter(slot)), self._parameter(slot))
                    for slot, arg in zip(procedure.parameters, args, strict=True)
                ]
                out.store_arguments(procedure, values)
                back = out.slot(procedure.back)
                out.assign(back, str(then))
                if procedure in out.alone:
                    out.line(f"if ({out.procedure_names[procedure]}(x, s, counting)) return {self._out('1')};")
                    out.assign(back, "0")
                    out.line(self._go(at, then))
                else:
                    out.line(self._goto(at, procedure.entry))
            case C.Return(procedure=procedure):
                if out.current is not None:
                    out.line("return 0;")
                else:
                    back = out.slot(procedure.back)
                    out.line(f"s->pc = {back};")
                    out.line(f"{back} = 0;")
                    out.line("continue;")
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise):
                with out.block(f"switch ({out.number(index)})"):
                    for value, to in cases.items():
                        out.line(f"case {value}: {self._go(at, to)}")
                out.line(self._go(at, otherwise))
            case C.Choice(by=by, stuck=stuck):
                out.line(f"s->pc = {at};")
                out.line(f"num seat = {out.number(by)};")
                if self.options.direct(end):
                    with out.block("if (x->playing)"):
                        with out.block(f"switch (pick_{at}(x, s, seat, counting))"):
                            for number, entry in enumerate(end.entries):
                                self._picked(at, number, entry.to)
                            if end.stop is not None:
                                self._picked(at, STOP, end.stop.to)
                            out.line(f"case {LIMIT}: return {BROKEN};")
                        out.line(self._go(at, stuck))
                self.asks(at)
                out.line(f"options_{at}(x, s, seat);")
                out.line("if (x->count > MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
                with out.block("if (x->count)"):
                    if out.hides:
                        out.line("notice(x, s);")
                    with out.block("if (x->playing)"):
                        out.line(f"if (x->decisions >= x->limit) return {BROKEN};")
                        out.line("const int32_t *row = x->rows + x->stride * decided(x, x->count);")
                        self.decides(at, None)
                        out.line("take(x, s, row, counting);")
                        out.line("continue;")
                    out.line(f"return {CHOICE};")
                out.line(self._go(at, stuck))
            case C.Chance():
                self._chance(at, end)
            case C.Together():
                out.line(f"s->pc = {at};")
                if out.hides:
                    out.line("notice(x, s);")
                out.line(f"return {TOGETHER};")
            case C.Drafted():
                out.line(f"s->pc = {at};")
                out.line(f"return {DRAFTED};")
            case C.Finish(ending=ending, winners=winners):
                out.line(f"s->pc = {at};")
                out.line(f"s->ended = {ending};")
                kind = self.kinds.slot(C.WINNERS)
                text = out.set_text(winners, kind.top) if winners is not None else out.set_const(0, kind.top)
                out.line(f"s->winners = {text};")
                out.line(f"return {self._out(str(OVER))};")
            case None:
                out.line(f"return {self._out(str(OVER))};")
            case _:
                raise AssertionError(end)

    def _picked(self, at: int, number: int, to: int) -> None:
        """Goes on where a bot picked an entry."""
        out = self.out
        with out.captured() as lines:
            self.decides(at, number)
        out.line(f"case {number}: {' '.join(line.strip() for line in lines)}{' ' if lines else ''}{self._go(at, to)}")

    def _parameter(self, slot: int) -> Kind:
        member, _ = self.out.places[slot]
        if isinstance(member.field.type, ListOf | BagOf):
            return Kind("list")
        return self.kinds.slot(slot)

    def _out(self, value: str) -> str:
        """What a function returns where the play ends: a procedure says so, the program says what play stands at."""
        return "1" if self.out.current is not None else str(OVER)

    def _chance(self, at: int, chance: C.Chance) -> None:
        out = self.out
        stream = out.slot(STREAMS + chance.stream)
        if chance.kind == "shuffle":
            assert chance.place is not None
            spot = out.held(out.number(chance.place), ANY_NUMBER)
            out.line(f"list order = lying(x, s, {spot});")
            out.line(f"shuffle(x, &{stream}, order);")
            ordered = out.numbers(tuple(map(int, self.program.spots.ordered)))
            out.line(f"if ({ordered}[{spot}]) arrange(s, {spot}, order);")
            out.forget({PIECES})
            if out.hides:
                out.line(f"forget(x, s, {spot}, order);")
            out.line("x->top = 0;")
            out.line(self._go(at, chance.then))
            return
        variable = chance.variable
        assert variable is not None
        name = out.slot(variable.slot)
        out.line("num total = 0, values = 0, only = 0;")
        out.line("list picks = list_open(x);")
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        with out.fills(), out.loop(each), out.afresh(), out.where(conjuncts(variable.where)):
            weight = out.held(out.number(chance.weight) if chance.weight is not None else "1", ANY_NUMBER)
            with out.block(f"if ({weight} > 0)"):
                too_many = out.fault(chance.span, TOO_MANY_OUTCOMES)
                out.line(f"if (values >= MOST_OPTIONS) fault(x, {too_many}, 0);")
                out.line(f"list_push(x, &picks, {name});")
                out.line(f"list_push(x, &picks, {weight});")
                out.line(f"total += {weight};")
                out.line("values++;")
        out.line(f"if (!values) fault(x, {out.fault(chance.span, 'there is nothing to pick from')}, 0);")
        out.line(f"num rest = values > 1 ? drawn(&{stream}, total) : 0;")
        out.line("for (only = 0; (rest -= picks.p[2 * only + 1]) >= 0; only++) {}")
        out.line(f"{name} = picks.p[2 * only];")
        out.line("x->top = 0;")
        out.line(self._go(at, chance.then))

    def run(self) -> None:
        out = self.out
        if out.twins is not None and self.program.spots.at >= 0:
            self.picking.twin_functions()
        blocks = self._main()
        for at, choice in out.choices.items():
            if self.options.direct(choice):
                self.picking.pick(at, choice)
        parts = parted(self.program, blocks, set(out.alone))
        self.parts = {at: number for number, part in enumerate(parts) for at in part}
        if len(parts) == 1:
            with out.function("inline num run_any(Context *x, State *s, const num counting)"):
                out.line("x->steps = 0;")
                out.line("x->top = 0;")
                self._from_block_to_block(blocks, OVER)
        else:
            self._run_in_parts(parts)
        with out.function("ONCE num run(Context *x, State *s)"):
            out.line("return run_any(x, s, 0);")
        with out.function("ONCE num run_counting(Context *x, State *s)"):
            out.line("return run_any(x, s, 1);")
        for at, choice in out.choices.items():
            with out.function(
                f"{self.options.seldom(choice)}void take_{at}(Context *x, State *s, const int32_t *r, num counting)"
            ):
                self._take(at, choice)
        with (
            out.function("void take(Context *x, State *s, const int32_t *r, num counting)"),
            out.block("switch (s->pc)"),
        ):
            for at in out.choices:
                out.line(f"case {at}: take_{at}(x, s, r, counting); break;")
        self.picking.draft_functions()

    def _from_block_to_block(self, blocks: list[int], otherwise: int) -> None:
        out = self.out
        with out.block("for (;;) switch (s->pc)"):
            for at in blocks:
                out.line(f"case {at}: goto b{at};")
            out.line(f"default: return {otherwise};")
            for at in blocks:
                self._block(at)

    def _run_in_parts(self, parts: list[list[int]]) -> None:
        """A function for each part; what plays goes from one to the next. So no function grows with the rows of a
        table, and compiling takes as long as there is code."""
        out = self.out
        for number, part in enumerate(parts):
            with out.function(f"APART num run_{number}(Context *x, State *s, num counting)"):
                self._from_block_to_block(part, ELSEWHERE)
        parts_of = [str(self.parts.get(at, -1)) for at in range(len(self.program.blocks))]
        out.line(f"static const int16_t part_of[] = {{{', '.join(parts_of)}}};")
        with out.function("num run_any(Context *x, State *s, num counting)"):
            out.line("x->steps = 0;")
            out.line("x->top = 0;")
            out.line(f"num found = {ELSEWHERE};")
            with out.block(f"while (found == {ELSEWHERE})"), out.block("switch (part_of[s->pc])"):
                for number in range(len(parts)):
                    out.line(f"case {number}: found = run_{number}(x, s, counting); break;")
                out.line(f"default: return {OVER};")
            out.line("return found;")

    def _take(self, at: int, choice: C.Choice) -> None:
        out = self.out
        count, entries = out.shape.choices[at], len(choice.entries)
        with out.block("if (counting)"):
            out.line(f"x->counts[{count} + (r[0] >= 0 ? r[0] : {entries - 1} - r[0])]++;")
            with out.block("switch (r[0])"):
                for number, entry in enumerate(choice.entries):
                    if not staged(entry):
                        members = out.shape.members(self.program, at, number)
                        lines = [
                            f"x->counts[{base} + r[{i}]]++;" for i, base in enumerate(members, 1) if base is not None
                        ]
                        if lines:
                            out.line(f"case {number}: {' '.join(self.picking.if_there(line) for line in lines)} break;")
        with out.block("switch (r[0])"):
            if choice.stop is not None:
                out.line(f"case {STOP}: s->pc = {choice.stop.to}; break;")
            out.line(f"case {NOTHING}: s->pc = {choice.stuck}; break;")
            if any(staged(entry) for entry in choice.entries):
                with out.block(f"case {DONE}:"):
                    assert choice.stage is not None
                    stage = out.slot(choice.stage)
                    out.line(f"num now = {stage} ? {stage} - 1 : r[1] * {STRIDE};")
                    with out.block("switch (now)"):
                        for number, entry in enumerate(choice.entries):
                            for position, variable in enumerate(entry.variables):
                                if variable.fewest is not None and staged(entry):
                                    with out.block(f"case {number * STRIDE + position}:"):
                                        self.picking.advance(choice, number, entry, position + 1)
                                        out.line("break;")
                    out.line("break;")
            for number, entry in enumerate(choice.entries):
                with out.block(f"case {number}:"):
                    if not staged(entry):
                        for i, variable in enumerate(entry.variables, 1):
                            out.line(f"{out.slot(variable.slot)} = r[{i}];")
                        out.line(f"s->pc = {entry.to};")
                    else:
                        self.picking.take_step(at, choice, number, entry)
                    out.line("break;")
