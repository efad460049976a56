"""Choices of several things in generated C: what `extending.c` is told to find whether one begun can be completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property

from ruledsl.engine.extending import GAVE_UP
from ruledsl.engine.options import is_piece
from ruledsl.ir import core as C
from ruledsl.types import BagOf, ListOf, SetOf

from .c_pieces import CPieces


class CExtending(CPieces):
    """Choices of several things in generated C."""

    @cached_property
    def extends(self) -> bool:
        """Whether several things are chosen anywhere."""
        return any(
            variable.fewest is not None
            for choice in self.choices.values()
            for entry in choice.entries
            for variable in entry.variables
        )

    def with_element(self, variable: C.Variable, value: str, do: Callable[[], None]) -> None:
        """Puts an element into a set begun, does something, and takes it out."""
        slot, name = variable.slot, self.slot(variable.slot)
        match variable.type:
            case SetOf():
                kind = self.kinds.slot(slot)
                self.line(f"{self.type(kind)} kept = {name};")
                self.set_add(name, value, kind.top, True)
                do()
                self.line(f"{name} = kept;")
            case BagOf():
                self.line(f"{self.item(slot, value)}++;")
                do()
                self.line(f"{self.item(slot, value)}--;")
            case _:
                items = self.array(slot, "0")
                self.line(f"int32_t *items = {items};")
                self.line(f"items[++items[0]] = (int32_t){value};")
                do()
                self.line("items[items[0]--] = 0;")

    def searching(self, key: str, entry: C.Entry, position: int) -> None:
        """The functions that a search calls, and the one that begins it."""
        variable, extending = entry.variables[position], entry.extending[position]
        assert extending is not None
        assert variable.fewest is not None
        name = f"{key}_{position}"
        self._changing(name, variable)
        if entry.so_far is not None:
            with self.function(f"num so_far_{name}(Context *x, State *s)"):
                self.line(f"return {self.truth(entry.so_far)};")
        with self.function(f"Search *search_{name}(Context *x, State *s)"):
            self.line("num mark = x->top;")
            form = "A_SET" if isinstance(variable.type, SetOf) else "A_BAG" if self._is_bag(variable) else "A_LIST"
            self.line(f"Search *q = search_begin(x, {form});")
            self.line(f"q->in_order = {int(extending.in_order)}, q->whole = {int(extending.whole)};")
            self.line(f"q->gave_up = {self.fault(extending.span, GAVE_UP)};")
            self.line(f"q->taken = taken_{name}, q->put = put_{name};")
            so_far = f"so_far_{name}" if entry.so_far is not None else "0"
            self.line(f"q->so_far = {so_far}, q->goes_on = completable_{key}_{position + 1};")
            self.line(f"q->fewest = {self.number(variable.fewest)};")
            self.line(f"q->most = {self.number(variable.most) if variable.most is not None else 'INT64_MAX'};")
            if self._is_bag(variable):
                self.line(f"search_values(q, {self.list_text(variable.each.domain[0])});")
            else:
                self.line(f"search_values(q, offered_{name}(x, s));")
                if is_piece(variable) and self.twins is not None and form == "A_SET":
                    self._twins_among(variable)
            self._ground(extending.must, extending.element)
            for node in extending.adds:
                self._column(node, extending.element)
                self.line("q->columns++;")
            if extending.sees:
                with self._elements_of(extending.element):
                    for node in extending.sees:
                        self.line(f"numbers_push(&q->keys, {self.number(node)});")
                self.line(f"search_kinds(q, {len(extending.sees)});")
            self.line("search_ready(q);")
            self.line("x->top = mark;")
            self.line("return q;")

    def _is_bag(self, variable: C.Variable) -> bool:
        return isinstance(variable.type, BagOf)

    def _changing(self, name: str, variable: C.Variable) -> None:
        """What of an element is chosen, and one more or less of it."""
        slot, text = variable.slot, self.slot(variable.slot)
        put = f"void put_{name}(Context *x, State *s, num value, num in)"
        with self.function(f"num taken_{name}(Context *x, State *s, num value)"):
            match variable.type:
                case SetOf():
                    self.line(f"return {self.op('has', ['value', text], self.kinds.slot(slot).top)};")
                case BagOf():
                    self.line(f"return {self.item(slot, 'value')};")
                case _:
                    self.line(f"const int32_t *items = {self.array(slot, '0')};")
                    self.line("for (num i = 1; i <= items[0]; i++) if (items[i] == value) return 1;")
                    self.line("return 0;")
        with self.function(put):
            match variable.type:
                case SetOf():
                    top = self.kinds.slot(slot).top
                    one = self.temp("one")
                    self.declare(self.kinds.slot(slot), one, self.set_const(0, top))
                    self.set_add(one, "value", top, True)
                    self.line(f"{text} = {self.op('union', [text, one], top)};")
                    with self.block("if (!in)"):
                        self.line(f"{text} = {self.op('minus', [text, one], top)};")
                case BagOf():
                    self.line(f"{self.item(slot, 'value')} += in ? 1 : -1;")
                case _:
                    self.line(f"int32_t *items = {self.array(slot, '0')};")
                    self.line("if (in) items[++items[0]] = (int32_t)value;")
                    self.line("else items[items[0]--] = 0;")

    def told_alike(self, variable: C.Variable, one: str, other: str) -> str:
        """Whether the variables before that it is compared with hold both of two pieces, or none of them."""
        texts = []
        for before in variable.beside:
            slot = self.slot(before.slot)
            match before.type:
                case SetOf():
                    top = self.kinds.slot(before.slot).top
                    inside = [self.op("has", [piece, slot], top) for piece in (one, other)]
                case ListOf():
                    held = self.several(before.slot, 0, None, True)
                    inside = [self.op("in_list", [piece, held]) for piece in (one, other)]
                case _:
                    inside = [f"({piece} == {slot})" for piece in (one, other)]
            texts.append(f"!{inside[0]} == !{inside[1]}")
        return " && ".join(texts) or "1"

    def _twins_among(self, variable: C.Variable) -> None:
        """Of each element the first that nothing tells apart from it."""
        with self.block("for (num i = 0; i < q->values.n; i++)"):
            self.line("num j = 0;")
            told = self.told_alike(variable, "q->values.p[j]", "q->values.p[i]")
            alike = f"q->twins.p[j] == j && same_twin(x, s, q->values.p[j], q->values.p[i]) && {told}"
            self.line(f"while (j < i && !({alike})) j++;")
            self.line("numbers_push(&q->twins, j);")

    @contextmanager
    def _elements_of(self, element: int) -> Iterator[None]:
        with self.block("for (num i = 0; i < q->values.n; i++)"), self.afresh():
            self.line(f"num {self.slot(element)} = q->values.p[i];")
            yield

    def _column(self, weight: C.Node, element: int) -> None:
        with self._elements_of(element):
            self.line(f"numbers_push(&q->adds, {self.number(weight)});")

    def _ground(self, test: C.Test, element: int) -> None:
        """Writes a test down in numbers."""
        match test:
            case None:
                self.line("numbers_push(&q->must, MAYBE);")
            case C.Tally(weight=weight, relation=relation, bound=bound):
                self.line(f"search_sum(q, {relation.upper()}, {self.number(bound)});")
                self._column(weight, element)
            case C.Every(all=every, tests=tests, each=each, where=where):
                self.line(f"search_open(q, {'ALL' if every else 'SOME'});")
                with self._combinations(each, where):
                    for one in tests:
                        self._ground(one, element)
                self.line("search_close(q);")
            case C.Passing(each=each, where=where, test=one, relation=relation, bound=bound):
                self.line(f"search_passing(q, {relation.upper()}, {self.number(bound)});")
                with self._combinations(each, where):
                    self._ground(one, element)
                self.line("search_close(q);")
            case _:
                self.line(f"numbers_push(&q->must, {self.truth(test)} ? HOLDS : FAILS);")

    @contextmanager
    def _combinations(self, each: tuple[C.Each, ...], where: C.Node | None) -> Iterator[None]:
        with ExitStack() as stack:
            for one in each:
                stack.enter_context(self.loop(one))
                stack.enter_context(self.afresh())
            if where is not None:
                stack.enter_context(self.where([where]))
            yield
