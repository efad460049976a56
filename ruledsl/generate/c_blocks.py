"""Blocks of the program in generated C, and going from one to the next."""

from __future__ import annotations

from typing import Any

from ruledsl.engine.menus import TOO_MANY_OUTCOMES
from ruledsl.engine.options import DONE, NOTHING, STOP, STRIDE, staged
from ruledsl.ir import core as C
from ruledsl.ir.core import STREAMS
from ruledsl.ir.kinds import ANY_NUMBER, Kind
from ruledsl.ir.ways import reached, successors, ways_on
from ruledsl.types import BagOf, ListOf

from .c_operations import COperations
from .c_state import BROKEN, CHOICE, DRAFTED, LIMIT, OVER, TOGETHER
from .changes import PIECES
from .flow import circles, parted
from .kept import conjuncts
from .passes import Pass
from .writer import remark

ELSEWHERE = -1  # what a part of the program returns where play goes on in another


class CBlocks(COperations):
    """Blocks of the program in generated C, and going from one to the next."""

    parts: dict[int, int]  # by block: the function it stands in, where one would be too large for all
    _ways_round: tuple[dict[int, int], dict[int, int], set[tuple[int, int]]] | tuple[()] = ()

    def _main(self) -> list[int]:
        """The blocks that play may come to, but for those of procedures that are functions of their own."""
        start = [self.program.start]
        if self.program.between is not None:
            start.append(self.program.between)
        start += self.program.ahead
        ends = [block.end for block in self.program.blocks]
        if not self.on(Pass.DEAD_BLOCKS):
            return list(range(len(ends)))
        return reached(start, lambda at: [*ways_on(ends[at]), *self._called(ends[at])])

    def _called(self, end: Any) -> list[int]:
        called = isinstance(end, C.CallProcedure) and end.procedure not in self.alone
        return [end.procedure.entry] if called else []

    def _procedures(self) -> None:
        for procedure, blocks in self.alone.items():
            self.current = procedure
            with self.function(
                f"inline num {self.procedure_names[procedure]}(Context *x, State *s, const num counting)"
            ):
                self.line("const num mark = x->top;")
                self.line(f"goto b{procedure.entry};")
                for at in blocks:
                    self._block(at)
            self.current = None

    def _block(self, at: int) -> None:
        block = self.program.blocks[at]
        self.line(f"b{at}: {{  /* {remark(block.note)} */")
        self.depth += 1
        self._enters(at)
        with self.captured() as operations:
            for op in block.ops:
                self.operation(op)
        if self._makes_lists(operations):
            self.line("x->top = 0;" if self.current is None else "x->top = mark;")
        self.splice(operations)
        self.line(f"if (counting) x->counts[{at}]++;")
        for what, begins in (("turns", self.shape.turns), ("rounds", self.shape.rounds)):
            if at in begins:  # those of an effect that is only tried out do not count
                self.line(f"x->{what}++;" if self.current is None else f"if (!x->trying) x->{what}++;")
        with self.captured() as lines, self.afresh():
            self._end(at, block.end)
        if self._makes_lists(lines):
            self.line("x->top = 0;" if self.current is None else "x->top = mark;")
        self.splice(lines)
        self.depth -= 1
        self.line("}")

    def _enters(self, at: int) -> None:
        """What else is to be done where a block begins."""

    def _go(self, at: int, to: int) -> str:
        """Goes to a block; where that may go on for ever without a decision, steps are counted."""
        there = self._goto(at, to)
        return f"if (++x->steps > MOST_STEPS) fault(x, FAULT_STEPS, 0); {there}" if self._endless(at, to) else there

    def _goto(self, at: int, to: int) -> str:
        """To a block of the same function by a jump, to another function by way of the one that calls them all."""
        if self.current is not None or self.parts.get(at) == self.parts.get(to):
            return f"goto b{to};"
        return f"{{ s->pc = {to}; return {ELSEWHERE}; }}"

    def _endless(self, at: int, to: int) -> bool:
        """Whether steps are counted from a block to another: somewhere on every way round without a decision.

        Where nobody can do anything is counted there; that is rare.
        """
        if not self.on(Pass.ROUNDS_ALONE):
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
        match end:
            case C.Jump(to=to):
                self.line(self._go(at, to))
            case C.Branch(condition=condition, then=then, otherwise=otherwise):
                with self.if_(self.truth(condition)):
                    self.line(self._go(at, then))
                self.line(self._go(at, otherwise))
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                values = [
                    self.held(self.as_kind(arg, self._parameter(slot)), self._parameter(slot))
                    for slot, arg in zip(procedure.parameters, args, strict=True)
                ]
                self.store_arguments(procedure, values)
                back = self.slot(procedure.back)
                self.assign(back, str(then))
                if procedure in self.alone:
                    self.line(f"if ({self.procedure_names[procedure]}(x, s, counting)) return {self._out('1')};")
                    self.assign(back, "0")
                    self.line(self._go(at, then))
                else:
                    self.line(self._goto(at, procedure.entry))
            case C.Return(procedure=procedure):
                if self.current is not None:
                    self.line("return 0;")
                else:
                    back = self.slot(procedure.back)
                    self.line(f"s->pc = {back};")
                    self.line(f"{back} = 0;")
                    self.line("continue;")
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise):
                with self.block(f"switch ({self.number(index)})"):
                    for value, to in cases.items():
                        self.line(f"case {value}: {self._go(at, to)}")
                self.line(self._go(at, otherwise))
            case C.Choice(by=by, stuck=stuck):
                self.line(f"s->pc = {at};")
                self.line(f"num seat = {self.number(by)};")
                if self._direct(end):
                    with self.block("if (x->playing)"):
                        with self.block(f"switch (pick_{at}(x, s, seat, counting))"):
                            for number, entry in enumerate(end.entries):
                                self.line(f"case {number}: {self._go(at, entry.to)}")
                            if end.stop is not None:
                                self.line(f"case {STOP}: {self._go(at, end.stop.to)}")
                            self.line(f"case {LIMIT}: return {BROKEN};")
                        self.line(self._go(at, stuck))
                self.line(f"options_{at}(x, s, seat);")
                self.line("if (x->count > MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
                with self.block("if (x->count)"):
                    if self.hides:
                        self.line("notice(x, s);")
                    with self.block("if (x->playing)"):
                        self.line(f"if (x->decisions >= x->limit) return {BROKEN};")
                        self.line("take(x, s, x->rows + x->stride * decided(x, x->count), counting);")
                        self.line("continue;")
                    self.line(f"return {CHOICE};")
                self.line(self._go(at, stuck))
            case C.Chance():
                self._chance(at, end)
            case C.Together():
                self.line(f"s->pc = {at};")
                if self.hides:
                    self.line("notice(x, s);")
                self.line(f"return {TOGETHER};")
            case C.Drafted():
                self.line(f"s->pc = {at};")
                self.line(f"return {DRAFTED};")
            case C.Finish(ending=ending, winners=winners):
                self.line(f"s->pc = {at};")
                self.line(f"s->ended = {ending};")
                kind = self.kinds.slot(C.WINNERS)
                text = self.set_text(winners, kind.top) if winners is not None else self.set_const(0, kind.top)
                self.line(f"s->winners = {text};")
                self.line(f"return {self._out(str(OVER))};")
            case None:
                self.line(f"return {self._out(str(OVER))};")
            case _:
                raise AssertionError(end)

    def _parameter(self, slot: int) -> Kind:
        member, _ = self.places[slot]
        if isinstance(member.field.type, ListOf | BagOf):
            return Kind("list")
        return self.kinds.slot(slot)

    def _out(self, value: str) -> str:
        """What a function returns where the play ends: a procedure says so, the program says what play stands at."""
        return "1" if self.current is not None else str(OVER)

    def _chance(self, at: int, chance: C.Chance) -> None:
        stream = self.slot(STREAMS + chance.stream)
        if chance.kind == "shuffle":
            assert chance.place is not None
            spot = self.held(self.number(chance.place), ANY_NUMBER)
            self.line(f"list order = lying(x, s, {spot});")
            self.line(f"shuffle(x, &{stream}, order);")
            ordered = self.numbers(tuple(map(int, self.program.spots.ordered)))
            self.line(f"if ({ordered}[{spot}]) arrange(s, {spot}, order);")
            self._forget({PIECES})
            if self.hides:
                self.line(f"forget(x, s, {spot}, order);")
            self.line("x->top = 0;")
            self.line(self._go(at, chance.then))
            return
        variable = chance.variable
        assert variable is not None
        name = self.slot(variable.slot)
        self.line("num total = 0, values = 0, only = 0;")
        self.line("list picks = list_open(x);")
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        with self.fills(), self.loop(each), self.afresh(), self.where(conjuncts(variable.where)):
            weight = self.held(self.number(chance.weight) if chance.weight is not None else "1", ANY_NUMBER)
            with self.block(f"if ({weight} > 0)"):
                too_many = self.fault(chance.span, TOO_MANY_OUTCOMES)
                self.line(f"if (values >= MOST_OPTIONS) fault(x, {too_many}, 0);")
                self.line(f"list_push(x, &picks, {name});")
                self.line(f"list_push(x, &picks, {weight});")
                self.line(f"total += {weight};")
                self.line("values++;")
        self.line(f"if (!values) fault(x, {self.fault(chance.span, 'there is nothing to pick from')}, 0);")
        self.line(f"num rest = values > 1 ? drawn(&{stream}, total) : 0;")
        self.line("for (only = 0; (rest -= picks.p[2 * only + 1]) >= 0; only++) {}")
        self.line(f"{name} = picks.p[2 * only];")
        self.line("x->top = 0;")
        self.line(self._go(at, chance.then))

    def _run(self) -> None:
        if self.twins is not None and self.program.spots.at >= 0:
            self._twin_functions()
        blocks = self._main()
        for at, choice in self.choices.items():
            if self._direct(choice):
                self._pick(at, choice)
        parts = parted(self.program, blocks, set(self.alone))
        self.parts = {at: number for number, part in enumerate(parts) for at in part}
        if len(parts) == 1:
            with self.function("inline num run_any(Context *x, State *s, const num counting)"):
                self.line("x->steps = 0;")
                self.line("x->top = 0;")
                self._from_block_to_block(blocks, OVER)
        else:
            self._run_in_parts(parts)
        with self.function("num run(Context *x, State *s)"):
            self.line("return run_any(x, s, 0);")
        with self.function("num run_counting(Context *x, State *s)"):
            self.line("return run_any(x, s, 1);")
        for at, choice in self.choices.items():
            with self.function(
                f"{self.seldom(choice)}void take_{at}(Context *x, State *s, const int32_t *r, num counting)"
            ):
                self._take(at, choice)
        with (
            self.function("void take(Context *x, State *s, const int32_t *r, num counting)"),
            self.block("switch (s->pc)"),
        ):
            for at in self.choices:
                self.line(f"case {at}: take_{at}(x, s, r, counting); break;")
        self._draft_functions()

    def _from_block_to_block(self, blocks: list[int], otherwise: int) -> None:
        with self.block("for (;;) switch (s->pc)"):
            for at in blocks:
                self.line(f"case {at}: goto b{at};")
            self.line(f"default: return {otherwise};")
            for at in blocks:
                self._block(at)

    def _run_in_parts(self, parts: list[list[int]]) -> None:
        """A function for each part; what plays goes from one to the next. So no function grows with the rows of a
        table, and compiling takes as long as there is code."""
        for number, part in enumerate(parts):
            with self.function(f"APART num run_{number}(Context *x, State *s, num counting)"):
                self._from_block_to_block(part, ELSEWHERE)
        parts_of = [str(self.parts.get(at, -1)) for at in range(len(self.program.blocks))]
        self.line(f"static const int16_t part_of[] = {{{', '.join(parts_of)}}};")
        with self.function("num run_any(Context *x, State *s, num counting)"):
            self.line("x->steps = 0;")
            self.line("x->top = 0;")
            self.line(f"num found = {ELSEWHERE};")
            with self.block(f"while (found == {ELSEWHERE})"), self.block("switch (part_of[s->pc])"):
                for number in range(len(parts)):
                    self.line(f"case {number}: found = run_{number}(x, s, counting); break;")
                self.line(f"default: return {OVER};")
            self.line("return found;")

    def _take(self, at: int, choice: C.Choice) -> None:
        count, entries = self.shape.choices[at], len(choice.entries)
        with self.block("if (counting)"):
            self.line(f"x->counts[{count} + (r[0] >= 0 ? r[0] : {entries - 1} - r[0])]++;")
            with self.block("switch (r[0])"):
                for number, entry in enumerate(choice.entries):
                    if not staged(entry):
                        members = self.shape.members(self.program, at, number)
                        lines = [
                            f"x->counts[{base} + r[{i}]]++;" for i, base in enumerate(members, 1) if base is not None
                        ]
                        if lines:
                            self.line(f"case {number}: {' '.join(self._if_there(line) for line in lines)} break;")
        with self.block("switch (r[0])"):
            if choice.stop is not None:
                self.line(f"case {STOP}: s->pc = {choice.stop.to}; break;")
            self.line(f"case {NOTHING}: s->pc = {choice.stuck}; break;")
            if any(staged(entry) for entry in choice.entries):
                with self.block(f"case {DONE}:"):
                    assert choice.stage is not None
                    stage = self.slot(choice.stage)
                    self.line(f"num now = {stage} ? {stage} - 1 : r[1] * {STRIDE};")
                    with self.block("switch (now)"):
                        for number, entry in enumerate(choice.entries):
                            for position, variable in enumerate(entry.variables):
                                if variable.fewest is not None and staged(entry):
                                    with self.block(f"case {number * STRIDE + position}:"):
                                        self._advance(choice, number, entry, position + 1)
                                        self.line("break;")
                    self.line("break;")
            for number, entry in enumerate(choice.entries):
                with self.block(f"case {number}:"):
                    if not staged(entry):
                        for i, variable in enumerate(entry.variables, 1):
                            self.line(f"{self.slot(variable.slot)} = r[{i}];")
                        self.line(f"s->pc = {entry.to};")
                    else:
                        self._take_step(at, choice, number, entry)
                    self.line("break;")
