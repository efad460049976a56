"""Choices of several things in generated C: what `extending.c` is told to find whether one begun can be completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property

from ruledsl.engine.extending import GAVE_UP
from ruledsl.engine.options import is_piece
from ruledsl.ir import core as C
from ruledsl.types import BagOf, ListOf, SetOf

from .c_part import CPart


class CExtending(CPart):
    """Choices of several things in generated C."""

    @cached_property
    def extends(self) -> bool:
        """Whether several things are chosen anywhere."""
        return any(
            variable.fewest is not None
            for choice in self.out.choices.values()
            for entry in choice.entries
            for variable in entry.variables
        )

    def with_element(self, variable: C.Variable, value: str, do: Callable[[], None]) -> None:
        """Puts an element into a set begun, does something, and takes it out."""
        out = self.out
        slot, name = variable.slot, out.slot(variable.slot)
        match variable.type:
            case SetOf():
                kind = self.kinds.slot(slot)
                out.line(f"{out.type(kind)} kept = {name};")
                out.set_add(name, value, kind.top, True)
                do()
                out.line(f"{name} = kept;")
            case BagOf():
                out.line(f"{out.item(slot, value)}++;")
                do()
                out.line(f"{out.item(slot, value)}--;")
            case _:
                items = out.array(slot, "0")
                out.line(f"int32_t *items = {items};")
                out.line(f"items[++items[0]] = (int32_t){value};")
                do()
                out.line("items[items[0]--] = 0;")

    def searching(self, key: str, entry: C.Entry, position: int) -> None:
        """The functions that a search calls, and the one that begins it."""
        out = self.out
        variable, extending = entry.variables[position], entry.extending[position]
        assert extending is not None
        assert variable.fewest is not None
        name = f"{key}_{position}"
        self._changing(name, variable)
        if entry.so_far is not None:
            with out.function(f"num so_far_{name}(Context *x, State *s)"):
                out.line(f"return {out.truth(entry.so_far)};")
        with out.function(f"Search *search_{name}(Context *x, State *s)"):
            out.line("num mark = x->top;")
            form = "A_SET" if isinstance(variable.type, SetOf) else "A_BAG" if self._is_bag(variable) else "A_LIST"
            out.line(f"Search *q = search_begin(x, {form});")
            out.line(f"q->in_order = {int(extending.in_order)}, q->whole = {int(extending.whole)};")
            out.line(f"q->gave_up = {out.fault(extending.span, GAVE_UP)};")
            out.line(f"q->taken = taken_{name}, q->put = put_{name};")
            so_far = f"so_far_{name}" if entry.so_far is not None else "0"
            out.line(f"q->so_far = {so_far}, q->goes_on = completable_{key}_{position + 1};")
            out.line(f"q->fewest = {out.number(variable.fewest)};")
            out.line(f"q->most = {out.number(variable.most) if variable.most is not None else 'INT64_MAX'};")
            if self._is_bag(variable):
                out.line(f"search_values(q, {out.list_text(variable.each.domain[0])});")
            else:
                out.line(f"search_values(q, offered_{name}(x, s));")
                if is_piece(variable) and out.twins is not None and form == "A_SET":
                    self._twins_among(variable)
            self._ground(extending.must, extending.element)
            for node in extending.adds:
                self._column(node, extending.element)
                out.line("q->columns++;")
            if extending.sees:
                with self._elements_of(extending.element):
                    for node in extending.sees:
                        out.line(f"numbers_push(&q->keys, {out.number(node)});")
                out.line(f"search_kinds(q, {len(extending.sees)});")
            out.line("search_ready(q);")
            out.line("x->top = mark;")
            out.line("return q;")

    def _is_bag(self, variable: C.Variable) -> bool:
        return isinstance(variable.type, BagOf)

    def _changing(self, name: str, variable: C.Variable) -> None:
        """What of an element is chosen, and one more or less of it."""
        out = self.out
        slot, text = variable.slot, out.slot(variable.slot)
        put = f"void put_{name}(Context *x, State *s, num value, num in)"
        with out.function(f"num taken_{name}(Context *x, State *s, num value)"):
            match variable.type:
                case SetOf():
                    out.line(f"return {out.op('has', ['value', text], self.kinds.slot(slot).top)};")
                case BagOf():
                    out.line(f"return {out.item(slot, 'value')};")
                case _:
                    out.line(f"const int32_t *items = {out.array(slot, '0')};")
                    out.line("for (num i = 1; i <= items[0]; i++) if (items[i] == value) return 1;")
                    out.line("return 0;")
        with out.function(put):
            match variable.type:
                case SetOf():
                    top = self.kinds.slot(slot).top
                    one = out.temp("one")
                    out.declare(self.kinds.slot(slot), one, out.set_const(0, top))
                    out.set_add(one, "value", top, True)
                    out.line(f"{text} = {out.op('union', [text, one], top)};")
                    with out.block("if (!in)"):
                        out.line(f"{text} = {out.op('minus', [text, one], top)};")
                case BagOf():
                    out.line(f"{out.item(slot, 'value')} += in ? 1 : -1;")
                case _:
                    out.line(f"int32_t *items = {out.array(slot, '0')};")
                    out.line("if (in) items[++items[0]] = (int32_t)value;")
                    out.line("else items[items[0]--] = 0;")

    def told_alike(self, variable: C.Variable, one: str, other: str) -> str:
        """Whether the variables before that it is compared with hold both of two pieces, or none of them."""
        out = self.out
        texts = []
        for before in variable.beside:
            slot = out.slot(before.slot)
            match before.type:
                case SetOf():
                    top = self.kinds.slot(before.slot).top
                    inside = [out.op("has", [piece, slot], top) for piece in (one, other)]
                case ListOf():
                    held = out.several(before.slot, 0, None, True)
                    inside = [out.op("in_list", [piece, held]) for piece in (one, other)]
                case _:
                    inside = [f"({piece} == {slot})" for piece in (one, other)]
            texts.append(f"!{inside[0]} == !{inside[1]}")
        return " && ".join(texts) or "1"

    def _twins_among(self, variable: C.Variable) -> None:
        """Of each element the first that nothing tells apart from it."""
        out = self.out
        with out.block("for (num i = 0; i < q->values.n; i++)"):
            out.line("num j = 0;")
            told = self.told_alike(variable, "q->values.p[j]", "q->values.p[i]")
            alike = f"q->twins.p[j] == j && same_twin(x, s, q->values.p[j], q->values.p[i]) && {told}"
            out.line(f"while (j < i && !({alike})) j++;")
            out.line("numbers_push(&q->twins, j);")

    @contextmanager
    def _elements_of(self, element: int) -> Iterator[None]:
        out = self.out
        with out.block("for (num i = 0; i < q->values.n; i++)"), out.afresh():
            out.line(f"num {out.slot(element)} = q->values.p[i];")
            yield

    def _column(self, weight: C.Node, element: int) -> None:
        with self._elements_of(element):
            self.out.line(f"numbers_push(&q->adds, {self.out.number(weight)});")

    def _ground(self, test: C.Test, element: int) -> None:
        """Writes a test down in numbers."""
        out = self.out
        match test:
            case None:
                out.line("numbers_push(&q->must, MAYBE);")
            case C.Tally(weight=weight, relation=relation, bound=bound):
                out.line(f"search_sum(q, {relation.upper()}, {out.number(bound)});")
                self._column(weight, element)
            case C.Every(all=every, tests=tests, each=each, where=where):
                out.line(f"search_open(q, {'ALL' if every else 'SOME'});")
                with self._combinations(each, where):
                    for one in tests:
                        self._ground(one, element)
                out.line("search_close(q);")
            case C.Passing(each=each, where=where, test=one, relation=relation, bound=bound):
                out.line(f"search_passing(q, {relation.upper()}, {out.number(bound)});")
                with self._combinations(each, where):
                    self._ground(one, element)
                out.line("search_close(q);")
            case _:
                out.line(f"numbers_push(&q->must, {out.truth(test)} ? HOLDS : FAILS);")

    @contextmanager
    def _combinations(self, each: tuple[C.Each, ...], where: C.Node | None) -> Iterator[None]:
        out = self.out
        with ExitStack() as stack:
            for one in each:
                stack.enter_context(out.loop(one))
                stack.enter_context(out.afresh())
            if where is not None:
                stack.enter_context(out.where([where]))
            yield
