"""Counting turns in compiled code: what `runtime.perft` counts, and as it does, in a library of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ruledsl.engine.batch import DEEPEST
from ruledsl.ir import core as C
from ruledsl.types import NONE

from .c_program import CProgram
from .c_state import BROKEN, CHOICE, OVER, TOGETHER
from .passes import NONE_OFF, Off, Pass

REACHED = BROKEN + 1  # what a run says when so many turns have passed that what comes next does not matter
FAULT, SECRET, ENDLESS = -1, -2, -3  # what a count says when it cannot go on


class CannotCount(Exception):
    """A game of which this cannot count the turns; the message says why."""


class PerftProgram(CProgram):
    """The C file of a program that also counts turns and decisions.

    A turn that is sure to end with a decision, without another one, need not be gone through when it is the last that
    counts: it is one way, whatever comes of it. (A rule that faults there is not noticed.)
    """

    lists = True

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        super().__init__(program, without)
        self.loops = program.turn_loops
        self.beginnings = {loop.inside: loop for loop in self.loops}
        self.ends = {loop.advance: loop for loop in self.loops}
        for procedure, blocks in self.out.alone.items():
            if not {*self.beginnings, *self.ends}.isdisjoint(blocks):
                raise CannotCount(f"`{procedure.name}` has turns in which nobody decides anything")
        self._sure: dict[int, bool] = {}

    def _enters(self, at: int) -> None:
        """Notices that a turn of the outermost turns ends or begins, before a block does anything."""
        out = self.out
        if at in self.beginnings:
            outer = out.slot(self.beginnings[at].outer)
            with out.block(f"if ({outer} == {NONE})"):
                out.line(f"if (x->within && ++x->passed >= x->enough) return {REACHED};")
                out.line("x->within = 1;")
        if at in self.ends:
            outer = out.slot(self.ends[at].outer)
            with out.block(f"if ({outer} == {NONE} && x->within == 1)"):
                out.line("x->within = 0;")
                out.line(f"if (++x->passed >= x->enough) return {REACHED};")

    def _asks(self, at: int) -> None:
        """Of the last turns only their number matters."""
        out = self.out
        if at in self._told():
            with out.block("if (x->enough - x->passed == 1 && in_turn(s) == 1)"):
                out.line(f"x->count = tally_{at}(x, s, seat);")
                out.line("if (x->count > MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
                out.line(f"if (x->count) return {CHOICE};")

    # ------------------------------------------------------------------------------------ turns that surely end

    def _ends_turn(self, at: int) -> bool:
        """Whether, from a block on, the turn or the play ends before anybody decides anything."""
        if at not in self._sure:
            self._sure[at] = False  # a loop is not sure to end
            self._sure[at] = at in self.ends or at in self.beginnings or self._ends(self.program.blocks[at].end)
        return self._sure[at]

    def _ends(self, end: Any) -> bool:
        match end:
            case C.Finish():
                return True
            case C.CallProcedure(procedure=procedure, then=then):
                # A procedure may end the play, or the turn by going on elsewhere, but not make anybody decide.
                return procedure in self.out.alone and self._ends_turn(then)
            case C.Jump() | C.Branch() | C.Dispatch() | C.Chance():
                return all(self._ends_turn(to) for to in self._successors_of(end))
        return False

    def _successors_of(self, end: Any) -> list[int]:
        match end:
            case C.Jump(to=to) | C.Chance(then=to):
                return [to]
            case C.Branch(then=then, otherwise=otherwise):
                return [then, otherwise]
            case C.Dispatch(cases=cases, otherwise=otherwise):
                return [*cases.values(), otherwise]
        return []

    def _sure_entries(self) -> Iterator[tuple[int, int]]:
        """The block of a choice, and the entry of it with which the turn is over."""
        if len(self.loops) != 1 or not self.out.on(Pass.LAST_TURNS):
            return
        for at, choice in self.out.choices.items():
            if choice.stage is None:
                for number, entry in enumerate(choice.entries):
                    if self._ends_turn(entry.to):
                        yield at, number

    def _whole(self) -> list[int]:
        """The choices with all of whose options the turn is over, and that have none but those of their entries."""
        sure, choices = Counter(at for at, _ in self._sure_entries()), self.out.choices
        whole = sorted(at for at, number in sure.items() if number == len(choices[at].entries))
        return [at for at in whole if choices[at].stop is None and not self._free(at)]

    def _told(self) -> list[int]:
        """Those of which it can be told how many options they have, without a list."""
        return [at for at in self._whole() if self.options.direct(self.out.choices[at])]

    # ------------------------------------------------------------------------------------------------ the count

    def _outside(self) -> None:
        out = self.out
        super()._outside()
        sure: dict[int, list[int]] = {}
        for at, number in self._sure_entries():
            sure.setdefault(at, []).append(number)
        inside = " || ".join(f"({out.slot(loop.order)} && {out.slot(loop.outer)} == {NONE})" for loop in self.loops)
        with out.function("num ends_turn(const State *s, num entry)"):
            out.line("/* Whether the turn is over with an option of the decision at which play stands. */")
            out.line("if (in_turn(s) != 1) return 0;")
            with out.block("switch (s->pc)"):
                for at, numbers in sure.items():
                    if len(numbers) == len(out.choices[at].entries):
                        out.line(f"case {at}: return entry >= 0;")
                    else:
                        out.line(f"case {at}: return {' || '.join(f'entry == {number}' for number in numbers)};")
            out.line("return 0;")
        with out.function("num in_turn(const State *s)"):
            out.line(f"return {inside or '0'} ? 1 : -1;")
        with out.function("num all_end_turns(const State *s)"):
            out.line("/* Whether it is over with whatever is decided here. */")
            out.line(f"return in_turn(s) == 1 && ({' || '.join(f's->pc == {at}' for at in self._whole()) or '0'});")
        for at in self._told():
            self.picking.tally(at, out.choices[at])
        out.definitions += [
            "/* What each decision on the way to a count works with. */",
            "typedef struct { State s; int32_t *rows; num room; } Step;",
            "typedef struct { Context *x; Step **steps; num size, by_decision; } Count;",
        ]
        out.lines += _COUNT.split("\n")

    def _free(self, at: int) -> bool:
        """Whether a menu may have an option that is no entry."""
        return any(entry.anytime is not None for entry in self.out.choices[at].entries)


_COUNT = f"""\
/* The ways behind an option of the state of a step. */
static num ways_behind(Count *c, num step, const int32_t *row, num depth, num before) {{
    Context *x = c->x;
    if (c->by_decision && depth == 1) return 1;
    if (before >= {DEEPEST}) fault(x, {ENDLESS} - 100, 0);
    if (!c->by_decision && depth == 1 && ends_turn(&c->steps[step]->s, row[0])) return 1;
    if (step + 1 == c->size) {{
        c->steps = realloc(c->steps, sizeof(Step *) * (size_t)(2 * c->size));
        memset(c->steps + c->size, 0, sizeof(Step *) * (size_t)c->size);
        c->size *= 2;
    }}
    if (!c->steps[step + 1]) c->steps[step + 1] = calloc(1, sizeof(Step));
    Step *next = c->steps[step + 1];
    begin(&next->s, &c->steps[step]->s);
    take(x, &next->s, row, 0);
    x->passed = 0;
    x->enough = c->by_decision ? INT64_MAX : depth;
    x->within = in_turn(&next->s);
    x->rows = next->rows, x->room = next->room;
    num stop = run(x, &next->s);
    next->rows = x->rows, next->room = x->room;
    if (stop == {REACHED}) return 1;
    num left = depth - (c->by_decision ? 1 : x->passed);
    if (stop == {TOGETHER}) fault(x, {SECRET} - 100, 0);
    if (stop != {CHOICE}) return left == 1 && !c->by_decision && x->passed == 0;
    if (c->by_decision && left == 1) return x->count;
    return ways(c, step + 1, left, before + 1);
}}

/* The ways from a step at which play stands at a decision, its options worked out. */
static num ways(Count *c, num step, num depth, num before) {{
    num total = 0, count = c->x->count;
    if (!c->by_decision && depth == 1 && all_end_turns(&c->steps[step]->s)) return count;
    for (num i = 0; i < count; i++)
        total += ways_behind(c, step, c->steps[step]->rows + STRIDE * i, depth, before);
    return total;
}}

static void put_away(Count *c) {{
    for (num i = 0; i < c->size; i++)
        if (c->steps[i]) free(c->steps[i]->rows), free(c->steps[i]);
    free(c->steps);
    free(c);
}}

/* How many ways there are behind an option of a state at which play stands at a decision; or why that is not known. */
num game_perft(const State *s, num option, num depth, num by_decision, num *which, num *detail) {{
    Count *c = calloc(1, sizeof *c);
    Context *x = c->x = game_open();
    c->size = 64, c->by_decision = by_decision;
    c->steps = calloc((size_t)c->size, sizeof(Step *));
    Step *first = c->steps[0] = calloc(1, sizeof(Step));
    num total;
    begin(&first->s, s);
    if (setjmp(x->out)) {{
        *which = x->fault, *detail = x->detail;
        total = x->fault <= -100 ? x->fault + 100 : {FAULT};
    }} else {{
        x->enough = INT64_MAX;
        num stop = run(x, &first->s);
        first->rows = x->rows, first->room = x->room;
        total = stop == {CHOICE} && option < x->count
            ? ways_behind(c, 0, first->rows + STRIDE * option, depth, 0) : 0;
    }}
    x->rows = 0;
    put_away(c);
    game_close(x);
    return total;
}}
"""

__all__ = ["DEEPEST", "ENDLESS", "FAULT", "OVER", "SECRET", "CannotCount", "PerftProgram"]
