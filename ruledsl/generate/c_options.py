"""Menus in generated C: their options in the order of the declaration, step by step where they have steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ruledsl.engine.options import DONE, NOTHING, STOP, STRIDE, is_piece, staged
from ruledsl.ir import core as C
from ruledsl.ir.kinds import a_set
from ruledsl.types import BagOf, SetOf, bits

from .c_extending import CExtending
from .kept import conjuncts
from .passes import NONE_OFF, Off, Pass


class COptions(CExtending):
    """Menus in generated C: their options in the order of the declaration, step by step where they have steps."""

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        super().__init__(program, without)
        self._needs: dict[int, list[C.Node]] = {}
        for choice in self.choices.values():
            for entry in choice.entries:
                self._note_needs(entry)

    def _options(self) -> None:
        done: set[int] = set()
        for at, choice in self.choices.items():
            self._choice(at, choice)
            done.add(id(choice))
        while self._pending:
            key, choice = self._pending.pop()
            self._choice_parts(key, choice)

    def possible(self, node: C.Possible) -> str:
        """Asks a menu whether it has an option."""
        choice = node.choice
        key = next((str(at) for at, known in self.choices.items() if known is choice), None)
        if key is None:
            key = self._asked.get(id(choice))
            if key is None:
                key = self._asked[id(choice)] = f"asked{len(self._asked)}"
                self._later.append((key, choice))
        return f"possible_{key}(x, s)"

    def _direct(self, choice: C.Choice) -> bool:
        """Whether a bot may pick among the options without a list of them."""
        if not self.on(Pass.PICKS_FROM_COUNTS):
            return False
        return not any(staged(entry) or entry.anytime is not None for entry in choice.entries)

    def seldom(self, choice: C.Choice) -> str:
        """Marks what lists the options of a choice, or takes one of the list, where plays at random do without."""
        return "SELDOM " if self._direct(choice) else ""

    @property
    def _later(self) -> list[tuple[str, C.Choice]]:
        return self._pending

    def stride(self, choice: C.Choice) -> int:
        return 1 + max([1, *(len(entry.variables) for entry in choice.entries)])

    def _choice(self, at: int, choice: C.Choice) -> None:
        self._choice_parts(str(at), choice)
        with self.function(f"{self.seldom(choice)}void options_{at}(Context *x, State *s, num seat)"):
            self.line("x->seat = seat;")
            self.line("x->count = 0;")
            if choice.stage is not None:
                stage = self.slot(choice.stage)
                with self.block(f"if ({stage})"):
                    with self.block(f"switch ({stage} - 1)"):
                        for number, entry in enumerate(choice.entries):
                            if not staged(entry):
                                continue
                            for position in range(len(entry.variables)):
                                if self._starts_step(entry, position):
                                    case = number * STRIDE + position
                                    self.line(f"case {case}: steps_{at}_{number}_{position}(x, s); break;")
                    self.line("return;")
            plain = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is None]
            free = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is not None]
            for number, entry in plain:
                self._list_entry(str(at), number, entry)
            if free:
                self.line("num found = x->count;")
                for number, entry in free:
                    assert entry.anytime is not None
                    with self.if_(self.truth(entry.anytime)):
                        self._list_entry(str(at), number, entry)
                self.line("num free = x->count - found;")
            some = "1" if choice.always else "x->count"
            if choice.stop is not None:
                with self.captured() as lines:
                    opened = self._opened(choice.stop)
                self.line("num stop = 0;")
                with self.if_(some):
                    self.splice(lines, 1)
                    self.assign("stop", opened)
                with self.block("if (stop)"):
                    self.line("int32_t *r = row(x);")
                    if free:
                        self.line("r = x->rows + x->stride * found;")
                        self.line("memmove(r + x->stride, r, sizeof(int32_t) * (size_t)(free * x->stride));")
                    self.line(f"r[0] = {STOP};")
                tail = "else "
            else:
                tail = ""
            if free:
                self.line(f"{tail}if (free && !found) row(x)[0] = {NOTHING};")

    @property
    def widest(self) -> int:
        return max([2, *(self.stride(choice) for choice in self.choices.values())])

    def _opened(self, entry: C.Entry) -> str:
        return self._connected(entry.when, True) if entry.when else "1"

    def _starts_step(self, entry: C.Entry, position: int) -> bool:
        """Whether a choice may stop before this variable."""
        at = 0
        while at < len(entry.variables):
            if at == position:
                return True
            at = self._run_end(entry, at)
        return False

    def _run_end(self, entry: C.Entry, position: int) -> int:
        """Where the step that begins at a position ends (see `engine.options`)."""
        if entry.stepwise or entry.variables[position].fewest is not None:
            return position + 1
        end = position
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def _list_entry(self, key: str, number: int, entry: C.Entry) -> None:
        with self.if_(self._opened(entry)):
            if staged(entry):
                self.line(f"steps_{key}_{number}_0(x, s);")
                return
            last = len(entry.variables)
            self._tuples(entry, 0, last, lambda: self._push(number, entry.variables))
            self._reset(entry.variables)

    def _reset(self, variables: tuple[C.Variable, ...]) -> None:
        for variable in variables:
            self.assign(self.slot(variable.slot), self.zero(variable.slot))

    def _push(self, number: int, variables: tuple[C.Variable, ...]) -> None:
        self.line("int32_t *r = row(x);")
        self.line(f"r[0] = {number};")
        for i, variable in enumerate(variables, 1):
            self.line(f"r[{i}] = (int32_t){self.slot(variable.slot)};")

    def _tuples(self, entry: C.Entry, first: int, last: int, do: Callable[[], None]) -> None:
        """Loops over the values of the variables from `first` up to `last`; `do` if the rest can be completed."""
        if first == last:
            if last == len(entry.variables):
                condition = self._connected(entry.where, True) if entry.where else "1"
            else:
                condition = f"completable_{self._entry_key(entry)}_{last}(x, s)"
            if condition == "1":
                do()
            else:
                with self.if_(condition):
                    do()
            return
        with self._ahead(entry.variables[first:last]), self.values(entry.variables[first]):
            self._tuples(entry, first + 1, last, do)

    @contextmanager
    def _ahead(self, variables: tuple[C.Variable, ...]) -> Iterator[None]:
        """Works out before a loop what later variables run over, where it does not depend on the ones before."""
        before: list[int] = []
        mine: list[int] = []
        for variable in variables:
            domain = variable.each.domain[0]
            plain = isinstance(domain, C.Const | C.Get | C.Look) or variable.each.form != "set"
            plain = plain or not self.on(Pass.HOISTED_DOMAINS)
            if before and not plain and id(domain) not in self.kept_values and self.absorber.safe(domain):
                if not any(self.absorber.uses(domain, slot) for slot in before):
                    text, kind = self.value(domain)
                    self.kept_values[id(domain)] = self.held(text, kind), kind
                    mine.append(id(domain))
            before.append(variable.slot)
        yield
        for key in mine:
            del self.kept_values[key]

    @contextmanager
    def values(self, variable: C.Variable) -> Iterator[None]:
        """Loops over the values of a variable; of pieces that nothing tells apart only the first is taken."""
        name, piece = self.slot(variable.slot), is_piece(variable)
        if self._firsts_only(variable):
            few = replace(variable, each=self.alike.of(variable.each))
            with self._domain(few, name, piece) as left, self.tidy(), self.where(left):
                yield
            return
        once = variable.each.form == "set"  # else the very same piece may come again
        alone = once and bool(self._needs_of(variable))  # on a space that holds no other
        twins = piece and self.twins is not None and not alone
        same, count = self.temp("same"), self.temp("n")
        alike = twins and once and not variable.beside and self._alike(variable.each.domain[0])
        spots = self.program.spots
        here, met = self.temp("here"), self.temp("met")  # where pieces were met already
        if twins:
            self.declare(a_set(spots.count), met, self.set_const(0, spots.count))
            if not alike:
                self.line(f"int32_t {same}[{self.pieces}];")
                self.line(f"num {count} = 0;")
        with self._domain(variable, name, piece) as left:
            if twins:
                self.line(f"num {here} = {self.item(spots.at, name)};")
                known = self.op("has", [here, met], spots.count)
                if alike:
                    first = self.both([known, f"!{self._ordered()}[{here}]"])
                elif variable.beside:
                    again = self.temp("again")
                    alike_so_far = (
                        f"same_twin(x, s, {same}[i], {name}) && {self.told_alike(variable, f'{same}[i]', name)}"
                    )
                    self.line(f"num {again} = 0;")
                    self.line(f"for (num i = 0; i < {count} && !{again}; i++) {again} = {alike_so_far};")
                    first = self.both([known, again])
                else:
                    first = self.both([known, f"is_twin(x, s, {same}, {count}, {name})"])
                with self.tidy(), self.if_(self.not_(first)), self.where(left):
                    self.set_add(met, here, spots.count, True)
                    if not alike:
                        self.line(f"{same}[{count}++] = {name};")
                    yield
            else:
                with self.tidy(), self.where(left):
                    yield

    def _firsts_only(self, variable: C.Variable) -> bool:
        """Whether the values are those pieces that are the first of their looks where they lie."""
        if (
            variable.beside
            or not self.alike.fits
            or not is_piece(variable)
            or self._needs_of(variable)
            or variable.each.form != "set"
        ):
            return False
        where = variable.where
        return self.alike.closed(variable.each.domain[0]) and (where is None or self.alike.placed(where, variable.slot))

    def _ordered(self) -> str:
        """Places where pieces lie in an order that tells them apart."""
        spots = self.program.spots
        return self.numbers(tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered)))

    def _alike(self, domain: C.Node) -> bool:
        """Whether nothing but where they are tells the pieces of a domain apart."""
        if not self.on(Pass.ALIKE_PIECES):
            return False
        if self.hides or self.program.spots.slot >= 0 or self.program.piece_state:
            return False
        match domain:
            case C.Const(value=value):
                sets = [int(value)]
            case C.Look(table=table, none=none):
                sets = [int(value) for value in (*table, none) if not isinstance(value, tuple)]
            case _:
                return False
        rows = self.program.rows or [0]
        return all(len({rows[piece] for piece in bits(one)}) < 2 for one in sets if one >= 0)

    @contextmanager
    def _domain(self, variable: C.Variable, name: str, piece: bool) -> Iterator[list[C.Node]]:
        """Loops over a variable's domain; gives the conditions on it that are left to be tested."""
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        if each.form == "set" and not (piece and self.hides):
            conditions = [*self._needs_of(variable), *conjuncts(variable.where)]
            found, left = self.absorber.absorb(variable.slot, conditions)
            if found:
                text, kind = self.narrow(each, found)
                with self.loop_set(name, text, kind), self.afresh():
                    yield left
                return
        if piece and self.hides:
            if each.form == "list":
                values = self.list_text(each.domain[0])
            else:
                top = self.top_of(each.domain[0])
                values = self.op("members", [self.set_text(each.domain[0], top)], top)
            with self.loop_list(name, f"veiled(x, s, {values})"), self.afresh():
                yield conjuncts(variable.where)
        else:
            with self.loop(each), self.afresh():
                yield conjuncts(variable.where)

    def _needs_of(self, variable: C.Variable) -> list[C.Node]:
        return self._needs.get(id(variable), [])

    def _note_needs(self, entry: C.Entry) -> None:
        """What must hold of pieces because of the variables and conditions that come after them."""
        if self.hides or not self.absorber.single:
            return
        later: list[C.Node] = list(entry.where)
        safe = True
        for variable in reversed(entry.variables):
            conditions = [*conjuncts(variable.where), *later]
            domain, single = variable.each.domain, variable.fewest is None and variable.each.form == "set"
            safe = safe and all(map(self.absorber.safe, conditions))
            if safe and single and is_piece(variable):
                each = C.Each(variable.slot, "set", domain)
                self._needs[id(variable)] = self.needed(each, conditions)
            some = C.Op("unequal", (domain[0], C.Const(0)))
            safe = safe and all(map(self.absorber.safe, domain))
            later = [some, *conditions] if single else []
            if single and not safe:  # without a value, nothing of what comes after it is asked
                begun = self.begins(some)
                later, safe = ([begun], True) if begun is not None else ([], False)

    def _entry_key(self, entry: C.Entry) -> str:
        return self._entry_keys[id(entry)]

    def _choice_parts(self, key: str, choice: C.Choice) -> None:
        """The functions of the steps of a menu, and whether it has an option."""
        for number, entry in enumerate(choice.entries):
            self._entry_keys[id(entry)] = f"{key}_{number}"
            if staged(entry):
                for position in range(len(entry.variables)):
                    self._completing(f"{key}_{number}", entry, position)
                self._complete_at_end(f"{key}_{number}", entry)
                for position in range(len(entry.variables)):
                    if self._starts_step(entry, position):
                        self._steps(f"{key}_{number}", number, entry, position)
        with self.function(f"num possible_{key}(Context *x, State *s)"):
            self.line("num mark = x->top;")
            for number, entry in enumerate(choice.entries):
                if entry.anytime is not None:
                    continue
                with self.if_(self._opened(entry)):
                    if staged(entry):
                        self.line("Context kept = *x;")
                        self.line("x->rows = 0;")
                        self.line("x->count = x->room = 0;")
                        self.line(f"steps_{key}_{number}_0(x, s);")
                        self.line("num some = x->count > 0;")
                        self.line("free(x->rows);")
                        self.line("x->rows = kept.rows, x->count = kept.count, x->room = kept.room;")
                        self.line("if (some) return x->top = mark, 1;")
                        continue

                    def found(entry: C.Entry = entry) -> None:
                        self._reset(entry.variables)
                        self.line("return x->top = mark, 1;")

                    self._tuples(entry, 0, len(entry.variables), found)
                    self._reset(entry.variables)
            self.line("x->top = mark;")
            self.line("return 0;")

    def _steps(self, key: str, number: int, entry: C.Entry, position: int) -> None:
        variable = entry.variables[position]
        with self.function(f"void steps_{key}_{position}(Context *x, State *s)"):
            if variable.fewest is None:
                end = self._run_end(entry, position)
                variables = entry.variables[position:end]
                self._tuples(entry, position, end, lambda: self._push(number, variables))
                self._reset(variables)
                return
            self.line("if (!x->asking) x->tries = 0;")
            self.line("Search *q = 0;")
            self.line(f"list values = elements_{key}_{position}(x, s);")
            with self.block("for (num i = 0; i < values.n; i++)"):
                self.line("num value = values.p[i];")

                def fits() -> None:
                    so_far = self.truth(entry.so_far) if entry.so_far is not None else "1"
                    self.line(f"num fits = {so_far};")
                    with self.block(f"if (fits && !full_{key}_{position}(x, s))"):
                        self.line(f"if (!q) q = search_{key}_{position}(x, s);")
                        self.line("fits = search_extended(x, s, q);")

                self.with_element(variable, "value", fits)
                with self.block("if (fits)"):
                    self.line("int32_t *r = row(x);")
                    self.line(f"r[0] = {number};")
                    self.line("r[1] = (int32_t)value;")
            self.line("if (q) search_end(x);")
            with self.block(f"if (full_{key}_{position}(x, s))"):
                self.line("int32_t *r = row(x);")
                self.line(f"r[0] = {DONE};")
                self.line(f"r[1] = {number};")

    def _size(self, variable: C.Variable) -> str:
        match variable.type:
            case SetOf():
                top = self.kinds.slot(variable.slot).top
                return self.op("size", [self.slot(variable.slot)], top)
            case BagOf(root=root):
                return f"list_total({self.several(variable.slot, root.size, None, False)})"
        return f"(num){self.slot(variable.slot)}"

    def _completing(self, key: str, entry: C.Entry, position: int) -> None:
        """Whether values remain for the variables from a position on."""
        variable = entry.variables[position]
        if variable.fewest is None:
            with self.function(f"num completable_{key}_{position}(Context *x, State *s)"):
                self.line(f"num kept_value = {self.slot(variable.slot)};")
                with self.values(variable), self.if_(f"completable_{key}_{position + 1}(x, s)"):
                    self.line(f"{self.slot(variable.slot)} = kept_value;")
                    self.line("return 1;")
                self.line(f"{self.slot(variable.slot)} = kept_value;")
                self.line("return 0;")
            return
        with self.function(f"num completable_{key}_{position}(Context *x, State *s)"):
            self.line("if (!x->asking) x->tries = 0;")
            self.line(f"if (full_{key}_{position}(x, s)) return 1;")
            self.line("num mark = x->top;")
            self.line(f"list values = elements_{key}_{position}(x, s);")
            with self.block("for (num i = 0; i < values.n; i++)"):  # most are complete with one more
                self.line("num value = values.p[i];")

                def fits() -> None:
                    so_far = self.truth(entry.so_far) if entry.so_far is not None else "1"
                    self.line(f"num fits = {so_far};")
                    self.line(f"if (fits) fits = full_{key}_{position}(x, s);")

                self.with_element(variable, "value", fits)
                self.line("if (fits) return x->top = mark, 1;")
            self.line("x->top = mark;")
            self.line(f"num found = search_extended(x, s, search_{key}_{position}(x, s));")
            self.line("search_end(x);")
            self.line("return found;")
        with self.function(f"num full_{key}_{position}(Context *x, State *s)"):
            self.line(f"num size = {self._size(variable)};")
            self.line(f"if (size < {self.number(variable.fewest)}) return 0;")
            if variable.most is not None:
                self.line(f"if (size > {self.number(variable.most)}) return 0;")
            self.line(f"return completable_{key}_{position + 1}(x, s);")
        self.searching(key, entry, position)
        self._elements(key, variable, position)

    def _complete_at_end(self, key: str, entry: C.Entry) -> None:
        with self.function(f"num completable_{key}_{len(entry.variables)}(Context *x, State *s)"):
            self.line(f"return {self._connected(entry.where, True) if entry.where else '1'};")

    def _elements(self, key: str, variable: C.Variable, position: int) -> None:
        """What may be added to a set begun: in increasing order, so that each set comes once."""
        slot = variable.slot
        if not isinstance(variable.type, BagOf):
            with self.function(f"list offered_{key}_{position}(Context *x, State *s)"):
                self.line("list all = list_open(x);")
                scratch = self.slot(variable.each.slot)
                with self.fills(), self.loop(variable.each):
                    if variable.where is None:
                        self.line(f"list_push(x, &all, {scratch});")
                    else:
                        with self.if_(self.truth(variable.where)):
                            self.line(f"list_push(x, &all, {scratch});")
                if self.hides and is_piece(variable):
                    self.line("all = veiled(x, s, all);")
                self.line("return all;")
        with self.function(f"list elements_{key}_{position}(Context *x, State *s)"):
            if variable.most is not None:
                self.line(f"if ({self._size(variable)} >= {self.number(variable.most)}) return (list){{0, 0}};")
            if isinstance(variable.type, BagOf):
                self.line(f"list bag = {self.list_text(variable.each.domain[0])};")
                self.line(f"list partial = {self.several(slot, variable.type.root.size, None, False)};")
                self.line("num last = 0;")
                self.line("for (num i = 0; i < partial.n; i++) if (partial.p[i]) last = i;")
                self.line("list found = list_open(x);")
                self.line("for (num i = last; i < bag.n; i++) if (bag.p[i] > partial.p[i]) list_push(x, &found, i);")
                self.line("return found;")
                return
            self.line(f"list all = offered_{key}_{position}(x, s);")
            if variable.ordered:
                chosen = self.several(slot, 0, None, True)
                self.line(f"return list_without(x, all, {chosen});")
                return
            top = self.kinds.slot(slot).top
            inside = self.op("has", ["all.p[i]", self.slot(slot)], top)
            self.line("num last = -1;")
            self.line(f"for (num i = 0; i < all.n; i++) if ({inside}) last = i;")
            self.line("list found = list_open(x);")
            twins = is_piece(variable) and self.twins is not None
            if twins:
                self.line(f"int32_t same[{self.pieces}];")
                self.line("num n = 0;")
            with self.block("for (num i = 0; i < all.n; i++)"):
                self.line(f"if ({inside}) continue;")
                if twins:
                    told = self.told_alike(variable, "same[j]", "all.p[i]")
                    self.line("num twin = 0;")
                    self.line(
                        f"for (num j = 0; j < n && !twin; j++) twin = same_twin(x, s, same[j], all.p[i]) && {told};"
                    )
                    self.line("if (twin) continue;")
                    self.line("same[n++] = all.p[i];")
                self.line("if (i > last) list_push(x, &found, all.p[i]);")
            self.line("return found;")
