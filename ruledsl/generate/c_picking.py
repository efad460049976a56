"""A play at random in generated C: an option picked from counts, without a list."""

from __future__ import annotations

from ruledsl.engine.options import NOTHING, STOP, STRIDE, is_piece
from ruledsl.ir import core as C
from ruledsl.ir.core import DRAFT_STEPS
from ruledsl.ir.kinds import ANY_NUMBER, a_set
from ruledsl.types import BagOf, SetOf

from .c_options import COptions
from .c_part import CPart
from .c_settled import CSettled
from .c_shifts import CShifts
from .c_state import BROKEN, CHOICE, LIMIT
from .kept import conjuncts
from .language import Text
from .passes import Pass

MOST_GROUPS = 128  # of options among which one is drawn, for which there is always room


class CPicking(CPart):
    """A play at random in generated C: an option picked from counts, without a list."""

    def __init__(self, out: CSettled, options: COptions, in_secret: str) -> None:
        super().__init__(out)
        self.options = options
        self.shifts = CShifts(out)
        self.in_secret = in_secret  # the number of the option that `seat` takes on `copy`, while all draft

    def pick(self, at: int, choice: C.Choice) -> None:
        """Picks an option, each as likely as the others and the one that the list would have there."""
        out = self.out
        with out.function(f"inline num pick_{at}(Context *x, State *s, num seat, const num counting)"):
            out.line("x->seat = seat;")
            out.line("num total = 0;")
            if all(map(self._counted, choice.entries)) and out.on(Pass.PICKS_IN_PLACE):
                self._pick_one_of_sets(at, choice)
            else:
                self._pick_from_groups(at, choice)

    def tally(self, at: int, choice: C.Choice) -> None:
        """How many options there are, without a list of them."""
        out = self.out
        with out.function(f"num tally_{at}(Context *x, State *s, num seat)"):
            out.line("x->seat = seat;")
            out.line("num total = 0;")
            for number, entry in enumerate(choice.entries):
                with out.if_(self.options.opened(entry)):
                    self._groups(number, entry, 1, True, counted=True)
            self._stop_counts(choice)
            out.line("return total;")

    def _grouped(self, entry: C.Entry) -> bool:
        """Whether the values of the last variable are taken as a set at once."""
        if not entry.variables:
            return False
        last = entry.variables[-1]
        told_apart = not is_piece(last) or (self.out.twins is None and not self.out.hides)
        return last.each.form == "set" and told_apart

    def _mask(self, entry: C.Entry) -> Text:
        """The values that the last variable of an entry may have, as a set."""
        out = self.out
        last = entry.variables[-1]
        name = out.slot(last.slot)
        conditions = [*conjuncts(last.where), *(part for where in entry.where for part in conjuncts(where))]
        found, left = self.absorber.absorb(last.slot, conditions)
        text, kind = out.narrow(C.Each(last.slot, "set", last.each.domain), found)
        text = out.held(text, kind)
        if not left:
            return text, kind
        mask = out.temp("mask")
        out.declare(kind, mask, out.set_const(0, kind.top))
        rest = out.settle(last.slot, left, text, kind, mask)
        with out.loop_set(name, rest, kind), out.afresh(), out.tidy(), out.where(left):
            out.set_add(mask, name, kind.top, True)
        out.assign(name, "0")
        return mask, kind

    def _stop_counts(self, choice: C.Choice) -> None:
        """Adds the option of stopping to the total."""
        out = self.out
        if choice.stop is None:
            return
        some = "1" if choice.always else "total"
        out.line("num stop = 0;")
        with out.if_(some):
            out.assign("stop", self.options.opened(choice.stop))
        out.line("total += stop;")

    def _decide(self, at: int, choice: C.Choice) -> None:
        out = self.out
        out.line(f"if (!total) return {NOTHING};")
        if out.hides:
            out.line("notice(x, s);")
        out.line("if (total > MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
        out.line(f"if (x->decisions >= x->limit) {{ s->pc = {at}; return {LIMIT}; }}")
        out.line("num k = decided(x, total);")
        if choice.stop is not None:
            with out.block("if (stop && k == total - 1)"):
                out.line(f"if (counting) x->counts[{out.shape.taken(at, len(choice.entries), STOP)}]++;")
                out.line(f"return {STOP};")

    def _at_once(self, entry: C.Entry) -> bool:
        """Whether the values of the last variable need not be gone through one by one."""
        return self._grouped(entry) or self._ranged(entry)

    def _counted(self, entry: C.Entry) -> bool:
        """Whether the options of an entry are counted without a loop."""
        one = not entry.variables or (len(entry.variables) == 1 and self._at_once(entry))
        return one or self.shifts.reach(entry) is not None

    def _pick_one_of_sets(self, at: int, choice: C.Choice) -> None:
        """Each entry has one variable whose values are a set or a range, or pieces and spaces: they need no memory."""
        out = self.out
        for number, entry in enumerate(choice.entries):
            self._count_entry(number, entry)
        self._stop_counts(choice)
        self._decide(at, choice)
        for number, entry in enumerate(choice.entries):
            last = number + 1 == len(choice.entries)
            with out.scope() if last else out.if_(f"k < n{number}"):
                if len(entry.variables) == 2:
                    self._take_reached(at, number, entry)
                elif entry.variables:
                    (variable,) = entry.variables
                    top = out.top_of(variable.each.domain[0])
                    nth = (
                        out.op("nth", [f"mask{number}", "k"], top) if self._grouped(entry) else f"smallest{number} + k"
                    )
                    out.line(f"{out.slot(variable.slot)} = {nth};")
                    self._count_bound(out.shape.members(self.program, at, number)[0], out.slot(variable.slot))
                out.line(f"if (counting) x->counts[{out.shape.taken(at, len(choice.entries), number)}]++;")
                out.line(f"return {number};")
            if not last:
                out.line(f"k -= n{number};")

    def _take_reached(self, at: int, number: int, entry: C.Entry) -> None:
        """Takes option `k` of an entry whose options were counted for all pieces at once."""
        out, reach = self.out, self.shifts.reach(entry)
        assert reach is not None
        piece, goal = entry.variables
        conditions = [*self.options.needs_of(piece), *conjuncts(piece.where)]
        found, _ = self.absorber.absorb(piece.slot, conditions)
        self.shifts.find(entry, reach, number, out.narrow(piece.each, found))
        with out.afresh():
            text, kind = self._mask(entry)
            out.line(f"{out.slot(goal.slot)} = {out.op('nth', [text, 'k'], kind.top)};")
        for variable, base in zip(entry.variables, out.shape.members(self.program, at, number), strict=True):
            self._count_bound(base, out.slot(variable.slot))

    def _count_entry(self, number: int, entry: C.Entry) -> None:
        """How many options an entry has, and which."""
        out = self.out
        opened = self.options.opened(entry)
        size = f"n{number}"
        if len(entry.variables) == 1 and self._grouped(entry):
            kind, mask = a_set(out.top_of(entry.variables[0].each.domain[0])), f"mask{number}"
            if opened == "1":
                out.declare(kind, mask, self._mask(entry)[0])
            else:
                out.declare(kind, mask, out.set_const(0, kind.top))
                with out.if_(opened):
                    out.assign(mask, self._mask(entry)[0])
            out.line(f"num {size} = {out.op('size', [mask], kind.top)};")
        elif len(entry.variables) == 2:
            reach = self.shifts.reach(entry)
            assert reach is not None
            out.line(f"num {size} = 0;")
            self.shifts.count(reach, number, opened)
        elif entry.variables:
            out.line(f"num smallest{number} = 0, {size} = 0;")
            with out.if_(opened) if opened != "1" else out.scope():
                low, high = (out.held(out.number(part), ANY_NUMBER) for part in entry.variables[0].each.domain)
                out.assign(f"smallest{number}", low)
                out.assign(size, f"greatest({high} - {low} + 1, 0)")
        else:
            out.line(f"num {size} = {out.connected((*entry.when, *entry.where), True) if entry.where else opened};")
        out.line(f"total += {size};")

    def _pick_from_groups(self, at: int, choice: C.Choice) -> None:
        """Groups of options that differ in their last variable only; a group is drawn by its size."""
        out = self.out
        widths = [(out.top_of(e.variables[-1].each.domain[0]) + 63) // 64 for e in choice.entries if self._grouped(e)]
        words, bound = max(widths, default=1), max([1, *(len(e.variables) for e in choice.entries)])
        if words > 1:
            out.sizes.add(words)
        out.line(f"typedef struct {{ int32_t entry, bound[{bound}]; num n; set{words} mask; }} Group;")
        most = self._most_groups(choice)
        out.line(f"Group groups[{most + 1}], *g = groups;" if most else "x->picked = 0;")
        for number, entry in enumerate(choice.entries):
            with out.if_(self.options.opened(entry)):
                self._groups(number, entry, words, bool(most))
        self._stop_counts(choice)
        self._decide(at, choice)
        out.line("g = groups;" if most else "const Group *g = (const Group *)x->picks;")
        out.line("for (; k >= g->n; g++) k -= g->n;")
        with out.block("switch (g->entry)"):
            for number, entry in enumerate(choice.entries):
                with out.block(f"case {number}:"):
                    members = out.shape.members(self.program, at, number)
                    for i, variable in enumerate(entry.variables):
                        name = out.slot(variable.slot)
                        last = i + 1 == len(entry.variables)
                        if last and self._grouped(entry):
                            value = f"nth{words}(g->mask, k)"
                        elif last and self._ranged(entry):
                            value = f"g->bound[{i}] + k"
                        else:
                            value = f"g->bound[{i}]"
                        out.line(f"{name} = {value};")
                        self._count_bound(members[i], name)
                    out.line(f"if (counting) x->counts[{out.shape.taken(at, len(choice.entries), number)}]++;")
                    out.line(f"return {number};")
        out.line(f"return {NOTHING};")

    def _most_groups(self, choice: C.Choice) -> int:
        """How many groups there can be, if they are so few that there is always room for them; else 0."""
        total = 0
        for entry in choice.entries:
            most = 1
            for variable in entry.variables[: len(entry.variables) - self._at_once(entry)]:
                if variable.each.form != "set":
                    return 0
                most *= self.out.top_of(variable.each.domain[0])
            total += most
        return total if total <= MOST_GROUPS else 0

    def _ranged(self, entry: C.Entry) -> bool:
        """Whether the last variable may be any number of a range."""
        if not entry.variables or entry.where:
            return False
        last = entry.variables[-1]
        return last.each.form == "range" and last.where is None

    def _groups(self, number: int, entry: C.Entry, words: int, roomy: bool, counted: bool = False) -> None:
        """Writes down the groups of an entry; or only adds up how large they are."""
        out = self.out
        variables = entry.variables
        end = len(variables) - 1 if self._at_once(entry) else len(variables)
        inner = C.Entry(entry.name, (), variables[:end], entry.where if end == len(variables) else (), None, None, 0)

        def group() -> None:
            size, mask, low = "1", "", ""
            if end < len(variables) and self._ranged(entry):
                low, high = (out.held(out.number(part), ANY_NUMBER) for part in variables[-1].each.domain)
                size = f"({high} - {low} + 1)"
            elif end < len(variables):
                text, kind = self._mask(entry)
                size = out.op("size", [text], kind.top)
                mask = "" if counted else out.as_set(text, kind, 64 * words)
            if counted:
                out.line(f"total += {size};")
                return
            if size != "1":
                size = out.held(size, ANY_NUMBER)
            # Where there is room, a group without options is written too and overwritten by the next: no branch.
            with out.if_(f"{size} > 0") if size != "1" and not roomy else out.scope():
                if not roomy:
                    out.line("Group *g = pick_row(x, sizeof(Group));")
                out.line(f"g->entry = {number};")
                for i, variable in enumerate(variables[:end]):
                    out.line(f"g->bound[{i}] = {out.slot(variable.slot)};")
                if low:
                    out.line(f"g->bound[{end}] = {low};")
                if mask:
                    out.line(f"g->mask = {mask};")
                out.line(f"g->n = {size};")
                out.line(f"total += {size};")
                if roomy:
                    out.line("g++;" if size == "1" else f"g += {size} > 0;")

        with self.options.prepared(variables):
            self.options.tuples(inner, 0, end, group)
        self.options.reset(variables)

    def advance(self, choice: C.Choice, number: int, entry: C.Entry, position: int) -> None:
        out = self.out
        assert choice.stage is not None
        if position == len(entry.variables):
            out.line(f"{out.slot(choice.stage)} = 0;")
            out.line(f"s->pc = {entry.to};")
        else:
            out.line(f"{out.slot(choice.stage)} = {1 + number * STRIDE + position};")

    def take_step(self, at: int, choice: C.Choice, number: int, entry: C.Entry) -> None:
        out = self.out
        assert choice.stage is not None
        stage = out.slot(choice.stage)
        with out.block(f"switch ({stage} ? ({stage} - 1) % {STRIDE} : 0)"):
            for position, variable in enumerate(entry.variables):
                if not self.options.starts_step(entry, position):
                    continue
                with out.block(f"case {position}:"):
                    members = out.shape.members(self.program, at, number)
                    if variable.fewest is not None:
                        self._count_bound(members[position], "r[1]")
                        match variable.type:
                            case SetOf():
                                out.set_add(out.slot(variable.slot), "r[1]", self.kinds.slot(variable.slot).top, True)
                            case BagOf():
                                out.line(f"{out.item(variable.slot, 'r[1]')}++;")
                            case _:
                                out.line(f"int32_t *items = {out.array(variable.slot, '0')};")
                                out.line("items[++items[0]] = r[1];")
                        out.line(f"{stage} = {1 + number * STRIDE + position};")
                        if variable.most is not None:
                            with out.if_(f"{self.options.size(variable)} == {out.number(variable.most)}"):
                                self.advance(choice, number, entry, position + 1)
                    else:
                        end = self.options.run_end(entry, position)
                        for i, bound in enumerate(entry.variables[position:end], 1):
                            out.line(f"{out.slot(bound.slot)} = r[{i}];")
                            self._count_bound(members[position + i - 1], f"r[{i}]")
                        self.advance(choice, number, entry, end)
                    out.line("break;")

    def twin_functions(self) -> None:
        out = self.out
        spots = self.program.spots
        with out.function("num same_twin(Context *x, State *s, num a, num b)"):
            out.line(f"num at = {out.item(spots.at, 'a')};")
            out.line(f"if (at != {out.item(spots.at, 'b')} || looks(s, a) != looks(s, b)) return 0;")
            ordered = out.numbers(tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered)))
            out.line(f"if ({ordered}[at]) return 0;")
            if spots.slot >= 0:
                out.line(f"if ({out.item(spots.slot, 'a')} != {out.item(spots.slot, 'b')}) return 0;")
            if out.hides:
                out.line("if (hidden(x, s, a) || hidden(x, s, b)) return 0;")
            out.line("return 1;")
        single = out.numbers(tuple(map(int, spots.single)))
        with out.function("inline num is_twin(Context *x, State *s, const int32_t *same, num n, num piece)"):
            out.line(f"num alone = {single}[{out.item(spots.at, 'piece')}];")
            out.line("for (num i = 0; i < n; i++)  /* a list may have the very same piece twice */")
            out.line("    if (same[i] == piece || (!alone && same_twin(x, s, same[i], piece))) return 1;")
            out.line("return 0;")

    def draft_functions(self) -> None:
        """Decisions in secret: each player goes through on a copy; then all are carried out."""
        out = self.out
        nodes = {i: block.end for i, block in enumerate(self.program.blocks) if isinstance(block.end, C.Together)}
        with out.function("num together(Context *x, State *s, num counting)"):
            if not nodes:
                out.line("return 0;")
                return
            players = self.program.roots["player"].size
            form = out.set_type(players)
            out.line("num at = s->pc, me = s->me, body = 0, then = 0, too_many = 0;")
            out.line(f"{form} who = {out.set_const(0, players)};")
            with out.block("switch (at)"):
                for at, node in nodes.items():
                    with out.block(f"case {at}:"):
                        out.line(f"who = {out.set_text(node.players, players)};")
                        out.line(f"body = {node.body}, then = {node.then};")
                        most = out.fault(node.span, f"{DRAFT_STEPS} decisions in secret are the most")
                        out.line(f"too_many = {most};")
                        out.line("break;")
            out.line(f"int32_t *kept = malloc(sizeof(int32_t) * {players * DRAFT_STEPS * self.options.widest});")
            out.line(f"num count[{players}] = {{0}};")
            out.line("x->playing = 0;")
            with out.loop_set("seat", "who", a_set(players)):
                out.line("State copy = *s;")
                out.line("copy.me = (int16_t)seat;")
                out.line("copy.pc = body;")
                for i in range(len(out.memos)):
                    out.line(f"memset(&copy.ready{i}, 0, sizeof copy.ready{i});")
                for i in range(len(out.watched)):
                    out.line(f"memset(&copy.asked{i}, 0, sizeof copy.asked{i});")
                out.line("num turns = x->turns, rounds = x->rounds;")
                with out.block(f"while (run(x, &copy) == {CHOICE})"):
                    with out.block("if (x->decisions >= x->limit)"):
                        out.line("free(kept);")
                        out.line("x->turns = turns, x->rounds = rounds;")
                        out.line("x->playing = 1;")
                        out.line(f"return {BROKEN};")
                    out.line(f"const int32_t *taken = x->rows + x->stride * {self.in_secret};")
                    with out.block(f"if (count[seat] == {DRAFT_STEPS})"):
                        out.line("take(x, &copy, taken, counting);")
                        out.line("free(kept);")
                        out.line("x->turns = turns, x->rounds = rounds;")
                        out.line("x->playing = 1;")
                        out.line("fault(x, too_many, 0);")
                    out.line(f"int32_t *r = kept + (seat * {DRAFT_STEPS} + count[seat]++) * {self.options.widest};")
                    out.line("memcpy(r, taken, sizeof(int32_t) * (size_t)x->stride);")
                    out.line("take(x, &copy, r, counting);  /* counted when it is decided, as other decisions are */")
                out.line("x->turns = turns, x->rounds = rounds;")
            with out.loop_set("player", "who", a_set(players)):
                out.line("s->me = (int16_t)player;")
                out.forget({C.ME})
                out.line("s->pc = body;")
                with out.block("for (num i = 0; i < count[player]; i++)"):
                    out.line("if (counting) run_counting(x, s);")
                    out.line("else run(x, s);")
                    out.line(f"take(x, s, kept + (player * {DRAFT_STEPS} + i) * {self.options.widest}, 0);")
                out.line("if (counting) run_counting(x, s);")
                out.line("else run(x, s);")
            out.line("x->playing = 1;")
            out.line("free(kept);")
            out.line("s->me = me;")
            out.forget({C.ME})
            out.line("s->pc = then;")
            out.line("return 0;")

    def if_there(self, line: str) -> str:
        value = line[line.index("r[") : line.rindex("]++")]
        return f"if ({value} >= 0) {line}"

    def _count_bound(self, base: int | None, value: str) -> None:
        if base is not None:
            self.out.line(f"if (counting && {value} >= 0) x->counts[{base} + {value}]++;")
