"""A play at random in generated C: an option picked from counts, without a list."""

from __future__ import annotations

from ruledsl.engine.options import NOTHING, STOP, STRIDE, is_piece
from ruledsl.ir import core as C
from ruledsl.ir.core import DRAFT_STEPS
from ruledsl.ir.kinds import ANY_NUMBER, a_set
from ruledsl.types import BagOf, SetOf

from .c_options import COptions
from .c_state import BROKEN, CHOICE, LIMIT
from .kept import conjuncts
from .passes import Pass
from .writer import Text

MOST_GROUPS = 128  # of options among which one is drawn, for which there is always room


class CPicking(COptions):
    """A play at random in generated C: an option picked from counts, without a list."""

    def _pick(self, at: int, choice: C.Choice) -> None:
        """Picks an option, each as likely as the others and the one that the list would have there."""
        with self.function(f"inline num pick_{at}(Context *x, State *s, num seat, const num counting)"):
            self.line("x->seat = seat;")
            self.line("num total = 0;")
            plain = all(not e.variables or (len(e.variables) == 1 and self._at_once(e)) for e in choice.entries)
            if plain and self.on(Pass.PICKS_IN_PLACE):
                self._pick_one_of_sets(at, choice)
            else:
                self._pick_from_groups(at, choice)

    def _grouped(self, entry: C.Entry) -> bool:
        """Whether the values of the last variable are taken as a set at once."""
        if not entry.variables:
            return False
        last = entry.variables[-1]
        told_apart = not is_piece(last) or (self.twins is None and not self.hides)
        return last.each.form == "set" and told_apart

    def _mask(self, entry: C.Entry) -> Text:
        """The values that the last variable of an entry may have, as a set."""
        last = entry.variables[-1]
        name = self.slot(last.slot)
        conditions = [*conjuncts(last.where), *(part for where in entry.where for part in conjuncts(where))]
        found, left = self.absorber.absorb(last.slot, conditions)
        text, kind = self.narrow(C.Each(last.slot, "set", last.each.domain), found)
        text = self.held(text, kind)
        if not left:
            return text, kind
        mask = self.temp("mask")
        self.declare(kind, mask, self.set_const(0, kind.top))
        with self.loop_set(name, text, kind), self.afresh(), self.tidy(), self.where(left):
            self.set_add(mask, name, kind.top, True)
        self.assign(name, "0")
        return mask, kind

    def _stop_counts(self, choice: C.Choice) -> None:
        """Adds the option of stopping to the total."""
        if choice.stop is None:
            return
        some = "1" if choice.always else "total"
        self.line("num stop = 0;")
        with self.if_(some):
            self.assign("stop", self._opened(choice.stop))
        self.line("total += stop;")

    def _decide(self, at: int, choice: C.Choice) -> None:
        self.line(f"if (!total) return {NOTHING};")
        if self.hides:
            self.line("notice(x, s);")
        self.line("if (total > MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
        self.line(f"if (x->decisions >= x->limit) {{ s->pc = {at}; return {LIMIT}; }}")
        self.line("num k = decided(x, total);")
        if choice.stop is not None:
            with self.block("if (stop && k == total - 1)"):
                self.line(f"if (counting) x->counts[{self.shape.taken(at, len(choice.entries), STOP)}]++;")
                self.line(f"return {STOP};")

    def _at_once(self, entry: C.Entry) -> bool:
        """Whether the values of the last variable need not be gone through one by one."""
        return self._grouped(entry) or self._ranged(entry)

    def _pick_one_of_sets(self, at: int, choice: C.Choice) -> None:
        """Each entry has no more than one variable, whose values are a set or a range: they need no memory."""
        for number, entry in enumerate(choice.entries):
            self._count_entry(number, entry)
        self._stop_counts(choice)
        self._decide(at, choice)
        for number, entry in enumerate(choice.entries):
            last = number + 1 == len(choice.entries)
            with self.scope() if last else self.if_(f"k < n{number}"):
                if entry.variables:
                    (variable,) = entry.variables
                    top = self.top_of(variable.each.domain[0])
                    nth = (
                        self.op("nth", [f"mask{number}", "k"], top) if self._grouped(entry) else f"smallest{number} + k"
                    )
                    self.line(f"{self.slot(variable.slot)} = {nth};")
                    self._count_bound(self.shape.members(self.program, at, number)[0], self.slot(variable.slot))
                self.line(f"if (counting) x->counts[{self.shape.taken(at, len(choice.entries), number)}]++;")
                self.line(f"return {number};")
            if not last:
                self.line(f"k -= n{number};")

    def _count_entry(self, number: int, entry: C.Entry) -> None:
        """How many options an entry has, and which."""
        opened = self._opened(entry)
        size = f"n{number}"
        if entry.variables and self._grouped(entry):
            kind, mask = a_set(self.top_of(entry.variables[0].each.domain[0])), f"mask{number}"
            if opened == "1":
                self.declare(kind, mask, self._mask(entry)[0])
            else:
                self.declare(kind, mask, self.set_const(0, kind.top))
                with self.if_(opened):
                    self.assign(mask, self._mask(entry)[0])
            self.line(f"num {size} = {self.op('size', [mask], kind.top)};")
        elif entry.variables:
            self.line(f"num smallest{number} = 0, {size} = 0;")
            with self.if_(opened) if opened != "1" else self.scope():
                low, high = (self.held(self.number(part), ANY_NUMBER) for part in entry.variables[0].each.domain)
                self.assign(f"smallest{number}", low)
                self.assign(size, f"greatest({high} - {low} + 1, 0)")
        else:
            self.line(f"num {size} = {self._connected((*entry.when, *entry.where), True) if entry.where else opened};")
        self.line(f"total += {size};")

    def _pick_from_groups(self, at: int, choice: C.Choice) -> None:
        """Groups of options that differ in their last variable only; a group is drawn by its size."""
        widths = [(self.top_of(e.variables[-1].each.domain[0]) + 63) // 64 for e in choice.entries if self._grouped(e)]
        words, bound = max(widths, default=1), max([1, *(len(e.variables) for e in choice.entries)])
        if words > 1:
            self.sizes.add(words)
        self.line(f"typedef struct {{ int32_t entry, bound[{bound}]; num n; set{words} mask; }} Group;")
        most = self._most_groups(choice)
        self.line(f"Group groups[{most + 1}], *g = groups;" if most else "x->picked = 0;")
        for number, entry in enumerate(choice.entries):
            with self.if_(self._opened(entry)):
                self._groups(number, entry, words, bool(most))
        self._stop_counts(choice)
        self._decide(at, choice)
        self.line("g = groups;" if most else "const Group *g = (const Group *)x->picks;")
        self.line("for (; k >= g->n; g++) k -= g->n;")
        with self.block("switch (g->entry)"):
            for number, entry in enumerate(choice.entries):
                with self.block(f"case {number}:"):
                    members = self.shape.members(self.program, at, number)
                    for i, variable in enumerate(entry.variables):
                        name = self.slot(variable.slot)
                        last = i + 1 == len(entry.variables)
                        if last and self._grouped(entry):
                            value = f"nth{words}(g->mask, k)"
                        elif last and self._ranged(entry):
                            value = f"g->bound[{i}] + k"
                        else:
                            value = f"g->bound[{i}]"
                        self.line(f"{name} = {value};")
                        self._count_bound(members[i], name)
                    self.line(f"if (counting) x->counts[{self.shape.taken(at, len(choice.entries), number)}]++;")
                    self.line(f"return {number};")
        self.line(f"return {NOTHING};")

    def _most_groups(self, choice: C.Choice) -> int:
        """How many groups there can be, if they are so few that there is always room for them; else 0."""
        total = 0
        for entry in choice.entries:
            most = 1
            for variable in entry.variables[: len(entry.variables) - self._at_once(entry)]:
                if variable.each.form != "set":
                    return 0
                most *= self.top_of(variable.each.domain[0])
            total += most
        return total if total <= MOST_GROUPS else 0

    def _ranged(self, entry: C.Entry) -> bool:
        """Whether the last variable may be any number of a range."""
        if not entry.variables or entry.where:
            return False
        last = entry.variables[-1]
        return last.each.form == "range" and last.where is None

    def _groups(self, number: int, entry: C.Entry, words: int, roomy: bool) -> None:
        variables = entry.variables
        end = len(variables) - 1 if self._at_once(entry) else len(variables)
        inner = C.Entry(entry.name, (), variables[:end], entry.where if end == len(variables) else (), None, None, 0)

        def group() -> None:
            size, mask, low = "1", "", ""
            if end < len(variables) and self._ranged(entry):
                low, high = (self.held(self.number(part), ANY_NUMBER) for part in variables[-1].each.domain)
                size = f"({high} - {low} + 1)"
            elif end < len(variables):
                text, kind = self._mask(entry)
                size = self.op("size", [text], kind.top)
                mask = self.as_set(text, kind, 64 * words)
            if size != "1":
                size = self.held(size, ANY_NUMBER)
            # Where there is room, a group without options is written too and overwritten by the next: no branch.
            with self.if_(f"{size} > 0") if size != "1" and not roomy else self.scope():
                if not roomy:
                    self.line("Group *g = pick_row(x, sizeof(Group));")
                self.line(f"g->entry = {number};")
                for i, variable in enumerate(variables[:end]):
                    self.line(f"g->bound[{i}] = {self.slot(variable.slot)};")
                if low:
                    self.line(f"g->bound[{end}] = {low};")
                if mask:
                    self.line(f"g->mask = {mask};")
                self.line(f"g->n = {size};")
                self.line(f"total += {size};")
                if roomy:
                    self.line("g++;" if size == "1" else f"g += {size} > 0;")

        with self._ahead(variables):
            self._tuples(inner, 0, end, group)
        self._reset(variables)

    def _advance(self, choice: C.Choice, number: int, entry: C.Entry, position: int) -> None:
        assert choice.stage is not None
        if position == len(entry.variables):
            self.line(f"{self.slot(choice.stage)} = 0;")
            self.line(f"s->pc = {entry.to};")
        else:
            self.line(f"{self.slot(choice.stage)} = {1 + number * STRIDE + position};")

    def _take_step(self, at: int, choice: C.Choice, number: int, entry: C.Entry) -> None:
        assert choice.stage is not None
        stage = self.slot(choice.stage)
        with self.block(f"switch ({stage} ? ({stage} - 1) % {STRIDE} : 0)"):
            for position, variable in enumerate(entry.variables):
                if not self._starts_step(entry, position):
                    continue
                with self.block(f"case {position}:"):
                    members = self.shape.members(self.program, at, number)
                    if variable.fewest is not None:
                        self._count_bound(members[position], "r[1]")
                        match variable.type:
                            case SetOf():
                                self.set_add(self.slot(variable.slot), "r[1]", self.kinds.slot(variable.slot).top, True)
                            case BagOf():
                                self.line(f"{self.item(variable.slot, 'r[1]')}++;")
                            case _:
                                self.line(f"int32_t *items = {self.array(variable.slot, '0')};")
                                self.line("items[++items[0]] = r[1];")
                        self.line(f"{stage} = {1 + number * STRIDE + position};")
                        if variable.most is not None:
                            with self.if_(f"{self._size(variable)} == {self.number(variable.most)}"):
                                self._advance(choice, number, entry, position + 1)
                    else:
                        end = self._run_end(entry, position)
                        for i, bound in enumerate(entry.variables[position:end], 1):
                            self.line(f"{self.slot(bound.slot)} = r[{i}];")
                            self._count_bound(members[position + i - 1], f"r[{i}]")
                        self._advance(choice, number, entry, end)
                    self.line("break;")

    def _twin_functions(self) -> None:
        spots = self.program.spots
        with self.function("num same_twin(Context *x, State *s, num a, num b)"):
            self.line(f"num at = {self.item(spots.at, 'a')};")
            self.line(f"if (at != {self.item(spots.at, 'b')} || looks(s, a) != looks(s, b)) return 0;")
            ordered = self.numbers(tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered)))
            self.line(f"if ({ordered}[at]) return 0;")
            if spots.slot >= 0:
                self.line(f"if ({self.item(spots.slot, 'a')} != {self.item(spots.slot, 'b')}) return 0;")
            if self.hides:
                self.line("if (hidden(x, s, a) || hidden(x, s, b)) return 0;")
            self.line("return 1;")
        single = self.numbers(tuple(map(int, spots.single)))
        with self.function("inline num is_twin(Context *x, State *s, const int32_t *same, num n, num piece)"):
            self.line(f"num alone = {single}[{self.item(spots.at, 'piece')}];")
            self.line("for (num i = 0; i < n; i++)  /* a list may have the very same piece twice */")
            self.line("    if (same[i] == piece || (!alone && same_twin(x, s, same[i], piece))) return 1;")
            self.line("return 0;")

    decided_in_secret = (
        "(x->tree ? answered(x) : decided(x, x->count))"  # the number of the option that `seat` takes on `copy`
    )

    def _draft_functions(self) -> None:
        """Decisions in secret: each player goes through on a copy; then all are carried out."""
        nodes = {i: block.end for i, block in enumerate(self.program.blocks) if isinstance(block.end, C.Together)}
        with self.function("num together(Context *x, State *s, num counting)"):
            if not nodes:
                self.line("return 0;")
                return
            players = self.program.roots["player"].size
            form = self.set_type(players)
            self.line("num at = s->pc, me = s->me, body = 0, then = 0, too_many = 0;")
            self.line(f"{form} who = {self.set_const(0, players)};")
            with self.block("switch (at)"):
                for at, node in nodes.items():
                    with self.block(f"case {at}:"):
                        self.line(f"who = {self.set_text(node.players, players)};")
                        self.line(f"body = {node.body}, then = {node.then};")
                        most = self.fault(node.span, f"{DRAFT_STEPS} decisions in secret are the most")
                        self.line(f"too_many = {most};")
                        self.line("break;")
            self.line(f"int32_t *kept = malloc(sizeof(int32_t) * {players * DRAFT_STEPS * self.widest});")
            self.line(f"num count[{players}] = {{0}};")
            self.line("x->playing = 0;")
            with self.loop_set("seat", "who", a_set(players)):
                self.line("State copy = *s;")
                self.line("copy.me = (int16_t)seat;")
                self.line("copy.pc = body;")
                for i in range(len(self.memos)):
                    self.line(f"memset(&copy.ready{i}, 0, sizeof copy.ready{i});")
                for i in range(len(self.watched)):
                    self.line(f"memset(&copy.asked{i}, 0, sizeof copy.asked{i});")
                self.line("num turns = x->turns, rounds = x->rounds;")
                with self.block(f"while (run(x, &copy) == {CHOICE})"):
                    with self.block("if (x->decisions >= x->limit)"):
                        self.line("free(kept);")
                        self.line("x->turns = turns, x->rounds = rounds;")
                        self.line("x->playing = 1;")
                        self.line(f"return {BROKEN};")
                    self.line(f"const int32_t *taken = x->rows + x->stride * {self.decided_in_secret};")
                    with self.block(f"if (count[seat] == {DRAFT_STEPS})"):
                        self.line("take(x, &copy, taken, counting);")
                        self.line("free(kept);")
                        self.line("x->turns = turns, x->rounds = rounds;")
                        self.line("x->playing = 1;")
                        self.line("fault(x, too_many, 0);")
                    self.line(f"int32_t *r = kept + (seat * {DRAFT_STEPS} + count[seat]++) * {self.widest};")
                    self.line("memcpy(r, taken, sizeof(int32_t) * (size_t)x->stride);")
                    self.line("take(x, &copy, r, counting);  /* counted when it is decided, as other decisions are */")
                self.line("x->turns = turns, x->rounds = rounds;")
            with self.loop_set("player", "who", a_set(players)):
                self.line("s->me = (int16_t)player;")
                self._forget({C.ME})
                self.line("s->pc = body;")
                with self.block("for (num i = 0; i < count[player]; i++)"):
                    self.line("if (counting) run_counting(x, s);")
                    self.line("else run(x, s);")
                    self.line(f"take(x, s, kept + (player * {DRAFT_STEPS} + i) * {self.widest}, 0);")
                self.line("if (counting) run_counting(x, s);")
                self.line("else run(x, s);")
            self.line("x->playing = 1;")
            self.line("free(kept);")
            self.line("s->me = me;")
            self._forget({C.ME})
            self.line("s->pc = then;")
            self.line("return 0;")

    def _if_there(self, line: str) -> str:
        value = line[line.index("r[") : line.rindex("]++")]
        return f"if ({value} >= 0) {line}"

    def _count_bound(self, base: int | None, value: str) -> None:
        if base is not None:
            self.line(f"if (counting && {value} >= 0) x->counts[{base} + {value}]++;")
