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
from .c_part import CPart
from .c_settled import CSettled
from .kept import conjuncts
from .passes import Pass


class COptions(CPart):
    """Menus in generated C: their options in the order of the declaration, step by step where they have steps."""

    def __init__(self, out: CSettled, extending: CExtending) -> None:
        super().__init__(out)
        self.extending = extending
        self._needs: dict[int, list[C.Node]] = {}
        for choice in self.out.choices.values():
            for entry in choice.entries:
                self._note_needs(entry)

    lists = False  # whether options are listed again and again, not only picked

    def menus(self) -> None:
        out = self.out
        done: set[int] = set()
        for at, choice in out.choices.items():
            self._choice(at, choice)
            done.add(id(choice))
        while out.pending:
            key, choice = out.pending.pop()
            self._choice_parts(key, choice)

    def direct(self, choice: C.Choice) -> bool:
        """Whether a bot may pick among the options without a list of them."""
        if not self.out.on(Pass.PICKS_FROM_COUNTS):
            return False
        return not any(staged(entry) or entry.anytime is not None for entry in choice.entries)

    def seldom(self, choice: C.Choice) -> str:
        """Marks what lists the options of a choice, or takes one of the list, where plays at random do without."""
        return "SELDOM " if self.direct(choice) and not self.lists else ""

    def stride(self, choice: C.Choice) -> int:
        return 1 + max([1, *(len(entry.variables) for entry in choice.entries)])

    def _choice(self, at: int, choice: C.Choice) -> None:
        out = self.out
        self._choice_parts(str(at), choice)
        with out.function(f"{self.seldom(choice)}void options_{at}(Context *x, State *s, num seat)"):
            out.line("x->seat = seat;")
            out.line("x->count = 0;")
            if choice.stage is not None:
                stage = out.slot(choice.stage)
                with out.block(f"if ({stage})"):
                    with out.block(f"switch ({stage} - 1)"):
                        for number, entry in enumerate(choice.entries):
                            if not staged(entry):
                                continue
                            for position in range(len(entry.variables)):
                                if self.starts_step(entry, position):
                                    case = number * STRIDE + position
                                    out.line(f"case {case}: steps_{at}_{number}_{position}(x, s); break;")
                    out.line("return;")
            plain = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is None]
            free = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is not None]
            for number, entry in plain:
                self._list_entry(str(at), number, entry)
            if free:
                out.line("num found = x->count;")
                for number, entry in free:
                    assert entry.anytime is not None
                    with out.if_(out.truth(entry.anytime)):
                        self._list_entry(str(at), number, entry)
                out.line("num free = x->count - found;")
            some = "1" if choice.always else "x->count"
            if choice.stop is not None:
                with out.captured() as lines:
                    opened = self.opened(choice.stop)
                out.line("num stop = 0;")
                with out.if_(some):
                    out.splice(lines, 1)
                    out.assign("stop", opened)
                with out.block("if (stop)"):
                    out.line("int32_t *r = row(x);")
                    if free:
                        out.line("r = x->rows + x->stride * found;")
                        out.line("memmove(r + x->stride, r, sizeof(int32_t) * (size_t)(free * x->stride));")
                    out.line(f"r[0] = {STOP};")
                tail = "else "
            else:
                tail = ""
            if free:
                out.line(f"{tail}if (free && !found) row(x)[0] = {NOTHING};")

    @property
    def widest(self) -> int:
        return max([2, *(self.stride(choice) for choice in self.out.choices.values())])

    def opened(self, entry: C.Entry) -> str:
        return self.out.connected(entry.when, True) if entry.when else "1"

    def starts_step(self, entry: C.Entry, position: int) -> bool:
        """Whether a choice may stop before this variable."""
        at = 0
        while at < len(entry.variables):
            if at == position:
                return True
            at = self.run_end(entry, at)
        return False

    def run_end(self, entry: C.Entry, position: int) -> int:
        """Where the step that begins at a position ends (see `engine.options`)."""
        if entry.stepwise or entry.variables[position].fewest is not None:
            return position + 1
        end = position
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def _list_entry(self, key: str, number: int, entry: C.Entry) -> None:
        with self.out.if_(self.opened(entry)):
            if staged(entry):
                self.out.line(f"steps_{key}_{number}_0(x, s);")
                return
            last = len(entry.variables)
            self.tuples(entry, 0, last, lambda: self._push(number, entry.variables))
            self.reset(entry.variables)

    def reset(self, variables: tuple[C.Variable, ...]) -> None:
        out = self.out
        for variable in variables:
            out.assign(out.slot(variable.slot), out.zero(variable.slot))

    def _push(self, number: int, variables: tuple[C.Variable, ...]) -> None:
        out = self.out
        out.line("int32_t *r = row(x);")
        out.line(f"r[0] = {number};")
        for i, variable in enumerate(variables, 1):
            out.line(f"r[{i}] = (int32_t){out.slot(variable.slot)};")

    def tuples(self, entry: C.Entry, first: int, last: int, do: Callable[[], None]) -> None:
        """Loops over the values of the variables from `first` up to `last`; `do` if the rest can be completed."""
        if first == last:
            if last == len(entry.variables):
                condition = self.out.connected(entry.where, True) if entry.where else "1"
            else:
                condition = f"completable_{self._entry_key(entry)}_{last}(x, s)"
            if condition == "1":
                do()
            else:
                with self.out.if_(condition):
                    do()
            return
        with self.prepared(entry.variables[first:last]), self.values(entry.variables[first]):
            self.tuples(entry, first + 1, last, do)

    @contextmanager
    def prepared(self, variables: tuple[C.Variable, ...]) -> Iterator[None]:
        """Works out before a loop what later variables run over, where it does not depend on the ones before."""
        out = self.out
        before: list[int] = []
        mine: list[int] = []
        for variable in variables:
            domain = variable.each.domain[0]
            plain = isinstance(domain, C.Const | C.Get | C.Look) or variable.each.form != "set"
            plain = plain or not out.on(Pass.HOISTED_DOMAINS)
            if before and not plain and id(domain) not in out.kept_values and self.absorber.safe(domain):
                if not any(self.absorber.uses(domain, slot) for slot in before):
                    text, kind = out.value(domain)
                    out.kept_values[id(domain)] = out.held(text, kind), kind
                    mine.append(id(domain))
            before.append(variable.slot)
        yield
        for key in mine:
            del out.kept_values[key]

    @contextmanager
    def values(self, variable: C.Variable) -> Iterator[None]:
        """Loops over the values of a variable; of pieces that nothing tells apart only the first is taken."""
        out = self.out
        name, piece = out.slot(variable.slot), is_piece(variable)
        if self._firsts_only(variable):
            few = replace(variable, each=out.alike.of(variable.each))
            with self._domain(few, name, piece) as left, out.tidy(), out.where(left):
                yield
            return
        once = variable.each.form == "set"  # else the very same piece may come again
        alone = once and bool(self.needs_of(variable))  # on a space that holds no other
        twins = piece and out.twins is not None and not alone
        same, count = out.temp("same"), out.temp("n")
        alike = twins and once and not variable.beside and self._alike(variable.each.domain[0])
        spots = self.program.spots
        here, met = out.temp("here"), out.temp("met")  # where pieces were met already
        if twins:
            out.declare(a_set(spots.count), met, out.set_const(0, spots.count))
            if not alike:
                out.line(f"int32_t {same}[{out.pieces}];")
                out.line(f"num {count} = 0;")
        with self._domain(variable, name, piece) as left:
            if twins:
                out.line(f"num {here} = {out.item(spots.at, name)};")
                known = out.op("has", [here, met], spots.count)
                if alike:
                    first = out.both([known, f"!{self._ordered()}[{here}]"])
                elif variable.beside:
                    again = out.temp("again")
                    told_alike = self.extending.told_alike(variable, f"{same}[i]", name)
                    alike_so_far = f"same_twin(x, s, {same}[i], {name}) && {told_alike}"
                    out.line(f"num {again} = 0;")
                    out.line(f"for (num i = 0; i < {count} && !{again}; i++) {again} = {alike_so_far};")
                    first = out.both([known, again])
                else:
                    first = out.both([known, f"is_twin(x, s, {same}, {count}, {name})"])
                with out.tidy(), out.if_(out.not_(first)), out.where(left):
                    out.set_add(met, here, spots.count, True)
                    if not alike:
                        out.line(f"{same}[{count}++] = {name};")
                    yield
            else:
                with out.tidy(), out.where(left):
                    yield

    def _firsts_only(self, variable: C.Variable) -> bool:
        """Whether the values are those pieces that are the first of their looks where they lie."""
        out = self.out
        if (
            variable.beside
            or not out.alike.fits
            or not is_piece(variable)
            or self.needs_of(variable)
            or variable.each.form != "set"
        ):
            return False
        where = variable.where
        return out.alike.closed(variable.each.domain[0]) and (where is None or out.alike.placed(where, variable.slot))

    def _ordered(self) -> str:
        """Places where pieces lie in an order that tells them apart."""
        spots = self.program.spots
        return self.out.numbers(tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered)))

    def _alike(self, domain: C.Node) -> bool:
        """Whether nothing but where they are tells the pieces of a domain apart."""
        if not self.out.on(Pass.ALIKE_PIECES):
            return False
        if self.out.hides or self.program.spots.slot >= 0 or self.program.piece_state:
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
        out = self.out
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        if each.form == "set" and not (piece and out.hides):
            conditions = [*self.needs_of(variable), *conjuncts(variable.where)]
            found, left = self.absorber.absorb(variable.slot, conditions)
            if found:
                text, kind = out.narrow(each, found)
                with out.loop_set(name, text, kind), out.afresh():
                    yield left
                return
        if piece and out.hides:
            if each.form == "list":
                values = out.list_text(each.domain[0])
            else:
                top = out.top_of(each.domain[0])
                values = out.op("members", [out.set_text(each.domain[0], top)], top)
            with out.loop_list(name, f"veiled(x, s, {values})"), out.afresh():
                yield conjuncts(variable.where)
        else:
            with out.loop(each), out.afresh():
                yield conjuncts(variable.where)

    def needs_of(self, variable: C.Variable) -> list[C.Node]:
        return self._needs.get(id(variable), [])

    def _note_needs(self, entry: C.Entry) -> None:
        """What must hold of pieces because of the variables and conditions that come after them."""
        out = self.out
        if out.hides or not self.absorber.single:
            return
        later: list[C.Node] = list(entry.where)
        safe = True
        for variable in reversed(entry.variables):
            conditions = [*conjuncts(variable.where), *later]
            domain, single = variable.each.domain, variable.fewest is None and variable.each.form == "set"
            safe = safe and all(map(self.absorber.safe, conditions))
            if safe and single and is_piece(variable):
                each = C.Each(variable.slot, "set", domain)
                self._needs[id(variable)] = out.needed(each, conditions)
            some = C.Op("unequal", (domain[0], C.Const(0)))
            safe = safe and all(map(self.absorber.safe, domain))
            later = [some, *conditions] if single else []
            if single and not safe:  # without a value, nothing of what comes after it is asked
                begun = out.begins(some)
                later, safe = ([begun], True) if begun is not None else ([], False)

    def _entry_key(self, entry: C.Entry) -> str:
        return self.out.entry_keys[id(entry)]

    def _choice_parts(self, key: str, choice: C.Choice) -> None:
        """The functions of the steps of a menu, and whether it has an option."""
        out = self.out
        for number, entry in enumerate(choice.entries):
            out.entry_keys[id(entry)] = f"{key}_{number}"
            if staged(entry):
                for position in range(len(entry.variables)):
                    self._completing(f"{key}_{number}", entry, position)
                self._complete_at_end(f"{key}_{number}", entry)
                for position in range(len(entry.variables)):
                    if self.starts_step(entry, position):
                        self._steps(f"{key}_{number}", number, entry, position)
        with out.function(f"num possible_{key}(Context *x, State *s)"):
            out.line("num mark = x->top;")
            for number, entry in enumerate(choice.entries):
                if entry.anytime is not None:
                    continue
                with out.if_(self.opened(entry)):
                    if staged(entry):
                        out.line("Context kept = *x;")
                        out.line("x->rows = 0;")
                        out.line("x->count = x->room = 0;")
                        out.line(f"steps_{key}_{number}_0(x, s);")
                        out.line("num some = x->count > 0;")
                        out.line("free(x->rows);")
                        out.line("x->rows = kept.rows, x->count = kept.count, x->room = kept.room;")
                        out.line("if (some) return x->top = mark, 1;")
                        continue

                    def found(entry: C.Entry = entry) -> None:
                        self.reset(entry.variables)
                        out.line("return x->top = mark, 1;")

                    self.tuples(entry, 0, len(entry.variables), found)
                    self.reset(entry.variables)
            out.line("x->top = mark;")
            out.line("return 0;")

    def _steps(self, key: str, number: int, entry: C.Entry, position: int) -> None:
        out = self.out
        variable = entry.variables[position]
        with out.function(f"void steps_{key}_{position}(Context *x, State *s)"):
            if variable.fewest is None:
                end = self.run_end(entry, position)
                variables = entry.variables[position:end]
                self.tuples(entry, position, end, lambda: self._push(number, variables))
                self.reset(variables)
                return
            out.line("if (!x->asking) x->tries = 0;")
            out.line("Search *q = 0;")
            out.line(f"list values = elements_{key}_{position}(x, s);")
            with out.block("for (num i = 0; i < values.n; i++)"):
                out.line("num value = values.p[i];")

                def fits() -> None:
                    so_far = out.truth(entry.so_far) if entry.so_far is not None else "1"
                    out.line(f"num fits = {so_far};")
                    with out.block(f"if (fits && !full_{key}_{position}(x, s))"):
                        out.line(f"if (!q) q = search_{key}_{position}(x, s);")
                        out.line("fits = search_extended(x, s, q);")

                self.extending.with_element(variable, "value", fits)
                with out.block("if (fits)"):
                    out.line("int32_t *r = row(x);")
                    out.line(f"r[0] = {number};")
                    out.line("r[1] = (int32_t)value;")
            out.line("if (q) search_end(x);")
            with out.block(f"if (full_{key}_{position}(x, s))"):
                out.line("int32_t *r = row(x);")
                out.line(f"r[0] = {DONE};")
                out.line(f"r[1] = {number};")

    def size(self, variable: C.Variable) -> str:
        out = self.out
        match variable.type:
            case SetOf():
                top = self.kinds.slot(variable.slot).top
                return out.op("size", [out.slot(variable.slot)], top)
            case BagOf(root=root):
                return f"list_total({out.several(variable.slot, root.size, None, False)})"
        return f"(num){out.slot(variable.slot)}"

    def _completing(self, key: str, entry: C.Entry, position: int) -> None:
        """Whether values remain for the variables from a position on."""
        out = self.out
        variable = entry.variables[position]
        if variable.fewest is None:
            with out.function(f"num completable_{key}_{position}(Context *x, State *s)"):
                out.line(f"num kept_value = {out.slot(variable.slot)};")
                with self.values(variable), out.if_(f"completable_{key}_{position + 1}(x, s)"):
                    out.line(f"{out.slot(variable.slot)} = kept_value;")
                    out.line("return 1;")
                out.line(f"{out.slot(variable.slot)} = kept_value;")
                out.line("return 0;")
            return
        with out.function(f"num completable_{key}_{position}(Context *x, State *s)"):
            out.line("if (!x->asking) x->tries = 0;")
            out.line(f"if (full_{key}_{position}(x, s)) return 1;")
            out.line("num mark = x->top;")
            out.line(f"list values = elements_{key}_{position}(x, s);")
            with out.block("for (num i = 0; i < values.n; i++)"):  # most are complete with one more
                out.line("num value = values.p[i];")

                def fits() -> None:
                    so_far = out.truth(entry.so_far) if entry.so_far is not None else "1"
                    out.line(f"num fits = {so_far};")
                    out.line(f"if (fits) fits = full_{key}_{position}(x, s);")

                self.extending.with_element(variable, "value", fits)
                out.line("if (fits) return x->top = mark, 1;")
            out.line("x->top = mark;")
            out.line(f"num found = search_extended(x, s, search_{key}_{position}(x, s));")
            out.line("search_end(x);")
            out.line("return found;")
        with out.function(f"num full_{key}_{position}(Context *x, State *s)"):
            out.line(f"num size = {self.size(variable)};")
            out.line(f"if (size < {out.number(variable.fewest)}) return 0;")
            if variable.most is not None:
                out.line(f"if (size > {out.number(variable.most)}) return 0;")
            out.line(f"return completable_{key}_{position + 1}(x, s);")
        self.extending.searching(key, entry, position)
        self._elements(key, variable, position)

    def _complete_at_end(self, key: str, entry: C.Entry) -> None:
        out = self.out
        with out.function(f"num completable_{key}_{len(entry.variables)}(Context *x, State *s)"):
            out.line(f"return {out.connected(entry.where, True) if entry.where else '1'};")

    def _elements(self, key: str, variable: C.Variable, position: int) -> None:
        """What may be added to a set begun: in increasing order, so that each set comes once."""
        out = self.out
        slot = variable.slot
        if not isinstance(variable.type, BagOf):
            with out.function(f"list offered_{key}_{position}(Context *x, State *s)"):
                out.line("list all = list_open(x);")
                scratch = out.slot(variable.each.slot)
                with out.fills(), out.loop(variable.each):
                    if variable.where is None:
                        out.line(f"list_push(x, &all, {scratch});")
                    else:
                        with out.if_(out.truth(variable.where)):
                            out.line(f"list_push(x, &all, {scratch});")
                if out.hides and is_piece(variable):
                    out.line("all = veiled(x, s, all);")
                out.line("return all;")
        with out.function(f"list elements_{key}_{position}(Context *x, State *s)"):
            if variable.most is not None:
                out.line(f"if ({self.size(variable)} >= {out.number(variable.most)}) return (list){{0, 0}};")
            if isinstance(variable.type, BagOf):
                out.line(f"list bag = {out.list_text(variable.each.domain[0])};")
                out.line(f"list partial = {out.several(slot, variable.type.root.size, None, False)};")
                out.line("num last = 0;")
                out.line("for (num i = 0; i < partial.n; i++) if (partial.p[i]) last = i;")
                out.line("list found = list_open(x);")
                out.line("for (num i = last; i < bag.n; i++) if (bag.p[i] > partial.p[i]) list_push(x, &found, i);")
                out.line("return found;")
                return
            out.line(f"list all = offered_{key}_{position}(x, s);")
            if variable.ordered:
                chosen = out.several(slot, 0, None, True)
                out.line(f"return list_without(x, all, {chosen});")
                return
            top = self.kinds.slot(slot).top
            inside = out.op("has", ["all.p[i]", out.slot(slot)], top)
            out.line("num last = -1;")
            out.line(f"for (num i = 0; i < all.n; i++) if ({inside}) last = i;")
            out.line("list found = list_open(x);")
            twins = is_piece(variable) and out.twins is not None
            if twins:
                out.line(f"int32_t same[{out.pieces}];")
                out.line("num n = 0;")
            with out.block("for (num i = 0; i < all.n; i++)"):
                out.line(f"if ({inside}) continue;")
                if twins:
                    told = self.extending.told_alike(variable, "same[j]", "all.p[i]")
                    out.line("num twin = 0;")
                    out.line(
                        f"for (num j = 0; j < n && !twin; j++) twin = same_twin(x, s, same[j], all.p[i]) && {told};"
                    )
                    out.line("if (twin) continue;")
                    out.line("same[n++] = all.p[i];")
                out.line("if (i > last) list_push(x, &found, all.p[i]);")
            out.line("return found;")
