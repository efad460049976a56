"""Pieces in generated C: what lies where, who knows it, and moving."""

from __future__ import annotations

from contextlib import nullcontext

from ruledsl.ir import core as C
from ruledsl.ir.core import MOST_SLOTS, STREAMS
from ruledsl.ir.kinds import SET, a_set

from .c_ahead import CAhead
from .c_state import AT_BOTTOM, AT_NONE


class CPieces(CAhead):
    """Pieces in generated C: what lies where, who knows it, and moving."""

    whole_rows = False  # whether what stands behind a short option in its row is zero, so that rows can be compared

    def _keep_members(self) -> None:
        """Works out afresh what is kept by the state of spaces; all else that is kept is empty."""
        for i, kept in enumerate(self.absorber.found):
            self.line(f"memset(&s->kept{i}, 0, sizeof s->kept{i});")
            if kept.of == "members":
                with self.block(f"for (num at = 0; at < {kept.count}; at++)"):
                    value = self.item(kept.state, "at")
                    self.line(f"if ({value} >= 0) {{")
                    self.set_add(f"s->kept{i}[{value}]", "at", kept.count, True)
                    self.line("}")

    def _pieces(self) -> None:
        """What lies where, who knows it, and how it is moved."""
        spots = self.program.spots
        self._memory()
        if spots.at < 0 or not spots.count:
            with self.function("void keep_all(State *s)"):
                self._keep_members()
                self._keep_hints()
            return
        sorts = tuple(
            2 if single else 1 if ordered else 0 for single, ordered in zip(spots.single, spots.ordered, strict=True)
        )
        piles = 1 in sorts
        sort = self.numbers(sorts)
        walk = (
            f"for (num p = {self.item(spots.bottom, 'spot')}; p >= 0; p = {self.item(spots.over, 'p')})"
            if piles
            else ""
        )
        self._lying(sort, walk)
        self._lying_in_order(sort, piles)
        self._first_lying(sort, walk)
        self._knowledge(sort, piles)
        self._moving(sort, piles)

    def _lying(self, sort: str, walk: str) -> None:
        """What lies on a spot: as a set, whether there is any, how many there are."""
        spots, top = self.program.spots, self.pieces
        form, empty = self.set_type(top), self.set_const(0, top)
        with self.function(f"{form} lying_set(const State *s, num spot)"):
            self.line(f"if (spot < 0) return {empty};")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"num p = {self.item(spots.top, 'spot')};")
                self.line(f"return p >= 0 ? {self.op('just', ['p'], top)} : {empty};")
            if walk:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line(f"{form} found = {empty};")
                    with self.block(walk):
                        self.set_add("found", "p", top, True)
                    self.line("return found;")
            self.line(f"return {self._lying_in('spot')};" if spots.members >= 0 else f"return {empty};")
        with self.function("num any_lying(const State *s, num spot)"):
            self.line("if (spot < 0) return 0;")
            self.line(f"if ({sort}[spot]) return {self.item(spots.top, 'spot')} >= 0;")
            some = self.op("unequal", [self._lying_in("spot"), empty], top) if spots.members >= 0 else "0"
            self.line(f"return {some};")
        with self.function("num count_lying(const State *s, num spot, num most)"):
            self.line("/* How many pieces lie there; if they are more than that, any number of at least so many. */")
            self.line("if (spot < 0) return 0;")
            self.line(f"if ({sort}[spot] == 2) return {self.item(spots.top, 'spot')} >= 0;")
            if walk:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line("num n = 0;")
                    self.line(f"{walk} if (++n >= most) break;")
                    self.line("return n;")
            count = self.op("size", [self._lying_in("spot")], top) if spots.members >= 0 else "0"
            self.line(f"return {count};")

    def _lying_in_order(self, sort: str, piles: bool) -> None:
        """What lies on a spot, as a list."""
        spots, top = self.program.spots, self.pieces
        rows = bool(self.program.slots)
        with self.function("list lying(Context *x, const State *s, num spot)"):
            self.line("list found = list_open(x);")
            self.line("if (spot < 0) return found;")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"num p = {self.item(spots.top, 'spot')};")
                self.line("if (p >= 0) list_push(x, &found, p);")
                self.line("return found;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line("/* From both ends at once, for each piece only says which is the next. */")
                    self.line(f"num low = {self.item(spots.bottom, 'spot')}, high = {self.item(spots.top, 'spot')};")
                    with self.block("if (low == high)"):
                        self.line("if (low >= 0) list_push(x, &found, low);")
                        self.line("return found;")
                    self.line(f"allot(x, {2 * self.pieces});")
                    self.line(f"int32_t *front = ITEMS(found), *back = front + {2 * self.pieces}, *end = back;")
                    with self.block("for (;;)"):
                        self.line("front[found.n++] = (int32_t)low;")
                        self.line("if (low == high) break;")
                        self.line("*--back = (int32_t)high;")
                        self.line(f"num next = {self.item(spots.over, 'low')};")
                        self.line("if (next == high) break;")
                        self.line(f"low = next, high = {self.item(spots.under, 'high')};")
                    self.line("memmove(front + found.n, back, sizeof(int32_t) * (size_t)(end - back));")
                    self.line("found.n += end - back;")
                    self.line("x->top += found.n;")
                    self.line("return found;")
            if spots.members >= 0:
                if rows:
                    with self.block(f"if ({self._numbered()}[spot])"):
                        with self.loop_set("p", self._lying_in("spot"), a_set(top)):
                            self.line(f"list_push(x, &found, {self.item(spots.slot, 'p')});")
                            self.line("list_push(x, &found, p);")
                        self.line("return list_sorted(x, found, 1);")
                with self.loop_set("p", self._lying_in("spot"), a_set(top)):
                    self.line("list_push(x, &found, p);")
            self.line("return found;")

    def _first_lying(self, sort: str, walk: str) -> None:
        """The pieces on a spot that are of some kinds, the first of them, and the ends."""
        spots, top = self.program.spots, self.pieces
        form = self.set_type(top)
        rows = bool(self.program.slots)
        with self.function(f"list lying_of(Context *x, const State *s, num spot, {form} kinds)"):
            self.line("list all = lying(x, s, spot), found = {0, all.p};")
            with self.block("for (num i = 0; i < all.n; i++)"):
                keep = self.op("has", ["all.p[i]", "kinds"], top)
                self.line(f"if ({keep}) ITEMS(found)[found.n++] = all.p[i];")
            self.line("return found;")
        with self.function(f"inline num first_lying(Context *x, const State *s, num spot, {form} kinds)"):
            self.line("if (spot < 0) return -1;")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"num p = {self.item(spots.top, 'spot')};")
                self.line(f"return p >= 0 && {self.op('has', ['p', 'kinds'], top)} ? p : -1;")
            if spots.members >= 0:
                unordered = f"{sort}[spot] == 0" + (f" && !{self._numbered()}[spot]" if rows else "")
                with self.if_(unordered):
                    here = self.op("common", [self._lying_in("spot"), "kinds"], top)
                    self.line(f"return {self.op('lowest', [here], top)};")
            if walk:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line(f"{walk} if ({self.op('has', ['p', 'kinds'], top)}) return p;")
                    self.line("return -1;")
            self.line("num mark = x->top;")
            self.line("list all = lying(x, s, spot);")
            self.line("x->top = mark;")
            wanted = self.op("has", ["all.p[i]", "kinds"], top)
            self.line(f"for (num i = 0; i < all.n; i++) if ({wanted}) return all.p[i];")
            self.line("return -1;")
        with self.function("num any_first(Context *x, const State *s, num spot)"):
            self.line("if (spot < 0) return -1;")
            self.line(f"if ({sort}[spot] == 2) return {self.item(spots.top, 'spot')};")
            if walk:
                self.line(f"if ({sort}[spot] == 1) return {self.item(spots.bottom, 'spot')};")
            if spots.members >= 0:
                first = f"return {self.op('lowest', [self._lying_in('spot')], top)};"
                self.line(f"if (!{self._numbered()}[spot]) {first}" if rows else first)
            if rows:
                self.line(f"return first_lying(x, s, spot, {self.set_const((1 << top) - 1, top)});")
            elif spots.members < 0:
                self.line("return -1;")
        with self.function("num top_of(Context *x, const State *s, num spot)"):
            self.line("if (spot < 0) return -1;")
            self.line(f"if ({sort}[spot]) return {self.item(spots.top, 'spot')};")
            self.line("num mark = x->top;")
            self.line("list all = lying(x, s, spot);")
            self.line("x->top = mark;")
            self.line("return list_tail(all, -1);")

    def _is_single(self, spot: str) -> str:
        """Whether a spot holds at most one piece: mostly those are the spaces of boards, and no others."""
        single, first = self.program.spots.single, self.program.spots.first_place
        if all(single[:first]) and not any(single[first:]):
            return f"{spot} < {first}"
        if not any(single):
            return "0"
        return f"{self.numbers(tuple(map(int, single)))}[{spot}]"

    def _numbered(self) -> str:
        """Which spots have slots."""
        return self.numbers(tuple(int(i in self.program.slots) for i in range(self.program.spots.count)))

    def _memory(self) -> None:
        """What a piece looks like, apart from where it is."""
        rows = self.program.rows or [0]
        with self.function("u64 looks(const State *s, num piece)"):
            self.line(f"u64 key = (u64){self.numbers(tuple(rows))}[piece];")
            for base in self.program.piece_state:
                value = self.item(base, "piece")
                if self.kinds.slot(base).sort == SET and "set1" not in self.places[base][0].form:
                    value += ".w[0]"
                self.line(f"key = key * 8191 + (u64){value};")
            self.line("return key;")
        with self.function("num within_or_none(num at, num count)"):
            self.line("return at >= 0 && at < count ? at : -1;")
        with self.function("num steps_away(const int16_t *steps, num count, num at, num way, num times)"):
            self.line("if (way < 0) return -1;")
            self.line("for (; times > 0 && at >= 0; times--) at = steps[at * count + way];")
            self.line("return at;")
        with self.function("list between(Context *x, const int16_t *steps, num count, num a, num b)"):
            self.line("list found = list_open(x);")
            self.line("if (a < 0 || b < 0) return found;")
            with self.block("for (num d = 0; d < count; d++)"):
                self.line("num at = steps[a * count + d];")
                self.line("while (at >= 0 && at != a && at != b) at = steps[at * count + d];")
                self.line("if (at != b || at < 0) continue;")
                self.line(
                    "for (at = steps[a * count + d]; at != b; at = steps[at * count + d]) list_push(x, &found, at);"
                )
                self.line("return found;")
            self.line("return found;")
        with self.function("set1 turned_set(set1 sides, num turn, num count)"):
            self.line("return (sides << turn | sides >> (count - turn)) & below1(count);")
        with self.function("void put_list(Context *x, int32_t *to, list items, num cap, num which)"):
            self.line("if (items.n > cap - 1) fault(x, which, items.n);")
            self.line("if (items.n > 8) memmove(to + 1, items.p, sizeof(int32_t) * (size_t)items.n);")
            self.line("else for (num i = 0; i < items.n; i++) to[i + 1] = items.p[i];")
            self.line("to[0] = (int32_t)items.n;")
            self.line("for (num i = items.n + 1; i < cap; i++) to[i] = 0;")
        with self.function("void put_bag(int32_t *to, list items)"):
            self.line("memmove(to, items.p, sizeof(int32_t) * (size_t)items.n);")
        with self.function("int32_t *row(Context *x)"):
            with self.block("if (x->count == x->room)"):
                self.line("if (x->count >= MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
                self.line("x->room = x->room ? 2 * x->room : 256;")
                self.line("x->rows = realloc(x->rows, sizeof(int32_t) * (size_t)(x->room * x->stride));")
            if self.whole_rows:
                self.line("memset(x->rows + x->stride * x->count, 0, sizeof(int32_t) * (size_t)x->stride);")
            self.line("return x->rows + x->stride * x->count++;")

    def _knowledge(self, sort: str, piles: bool) -> None:
        spots = self.program.spots
        if not self.hides:
            return
        players = self.program.roots["player"]
        form, everyone = self.set_type(players.size), self.set_const(players.everything, players.size)
        with self.function(f"{form} seers(Context *x, State *s, num spot)"):
            with self.block("switch (spot)"):
                for spot, seen in enumerate(spots.seen):
                    if seen is None:
                        continue
                    with self.block(f"case {spot}:"):
                        self.line(f"return {self.set_text(seen, players.size)};")
            self.line(f"return {everyone};")
        known = self.item(spots.known, "piece")
        with self.function(f"{form} knowers(Context *x, State *s, num piece)"):
            self.line(f"return seers(x, s, {self.item(spots.at, 'piece')}) | {known};")
        tops = tuple(sorted(self.program.top_seen))
        is_top = self.numbers(tuple(int(i in tops) for i in range(spots.count)))
        pieces = self.set_type(self.pieces)
        with self.function(f"void learn(Context *x, State *s, num piece, num source, num to, num at, {pieces} along)"):
            self.line(f"{form} before = seers(x, s, source), after = seers(x, s, to);")
            if tops:
                self.line(f"if ({is_top}[source] && {self.item(spots.top, 'source')} == piece) before = {everyone};")
                self.line(
                    f"if ({is_top}[to] && (at != {AT_BOTTOM} || {self.item(spots.top, 'to')} < 0)) after = {everyone};"
                )
            self.line(f"{form} lost = {everyone} & ~(before | after);")
            with self.block(f"if (lost && !{sort}[source] && source >= {spots.first_place})"):
                self.line("/* Who sees neither end cannot tell which piece left, unless all go. */")
                members = self.item(spots.members, f"source - {spots.first_place}")
                stay = self.op("minus", [members, "along"], self.pieces)
                with (
                    self.if_(self.op("unequal", [stay, self.set_const(0, self.pieces)], self.pieces)),
                    self.loop_set("other", members, a_set(self.pieces)),
                ):
                    self.line(f"{self.item(spots.known, 'other')} &= ~lost;")
            self.line(f"show(x, s, {self.op('just', ['piece'], self.pieces)}, before | after);")
        ordered = self.numbers(
            tuple(int(spots.ordered[i] or spots.single[i] or i in self.program.slots) for i in range(spots.count))
        )
        with self.function(f"void show(Context *x, State *s, {pieces} shown, {form} seats)"):
            self.line("/* Who knew another piece there that looks the same knows of no more than before. */")
            with self.loop_set("piece", "shown", a_set(self.pieces)):
                self.line(f"num spot = {self.item(spots.at, 'piece')};")
                self.line(f"{form} strangers = seats & ~{known};")
                with self.block(f"if (strangers && spot >= {spots.first_place} && !{ordered}[spot])"):
                    self.line("strangers &= ~seers(x, s, spot);")
                    members = self.item(spots.members, f"spot - {spots.first_place}")
                    rest = self.op("minus", [members, "shown"], self.pieces)
                    with self.loop_set("other", rest, a_set(self.pieces)):
                        theirs = self.item(spots.known, "other")
                        with self.block(f"if (strangers & {theirs} && looks(s, piece) == looks(s, other))"):
                            self.line(f"{form} both = strangers;")
                            self.line(f"strangers &= ~{theirs};")
                            self.line(f"{theirs} &= ~both;")
                self.line(f"{known} |= seats;")
        shifting = [spot for spot, seen in enumerate(spots.seen) if seen is not None and not isinstance(seen, C.Const)]
        with self.function("void notice(Context *x, State *s)"):
            for spot in shifting:
                with self.block(f"if (any_lying(s, {spot}))"):
                    self.line(f"{form} who = seers(x, s, {spot});")
                    with self.loop_set("piece", f"lying_set(s, {spot})", a_set(self.pieces)):
                        self.line(f"{known} |= who;")
            for spot in tops:
                top = self.item(spots.top, str(spot))
                self.line(f"if ({top} >= 0) {self.item(spots.known, top)} |= {everyone};")
        with self.function("void forget(Context *x, State *s, num spot, list lying)"):
            self.line(f"{form} who = seers(x, s, spot);")
            with self.loop_list("piece", "lying"):
                self.line(f"{known} &= who;")
        with self.function("num hidden(Context *x, State *s, num piece)"):
            self.line("return x->seat >= 0 && !(knowers(x, s, piece) >> x->seat & 1);")
        with self.function("list veiled(Context *x, State *s, list pieces)"):
            self.line("/* What the asked player does not know comes last, in an order that says nothing. */")
            first, number, round_ = self.slot(STREAMS), self.slot(C.TURN_NUMBER), self.slot(C.ROUND)
            self.line(f"u64 turn = mixed({first} + (u64){number} * 8191 + (u64){round_});")
            self.line("num n = 0;")
            self.line("list found = list_new(x, pieces.n);")
            self.line("for (num i = 0; i < pieces.n; i++)")
            self.line("    if (!hidden(x, s, pieces.p[i])) ITEMS(found)[n++] = pieces.p[i];")
            self.line("num known = n;")
            with self.block("for (num i = 0; i < pieces.n; i++)"):
                self.line("num piece = pieces.p[i];")
                self.line("if (!hidden(x, s, piece)) continue;")
                self.line("u64 key = mixed(turn ^ (u64)piece * GOLDEN);")
                self.line("num j = n++;")
                self.line("for (; j > known && mixed(turn ^ (u64)found.p[j - 1] * GOLDEN) > key; j--)")
                self.line("    ITEMS(found)[j] = found.p[j - 1];")
                self.line("ITEMS(found)[j] = (int32_t)piece;")
            self.line("return found;")

    def _one_or_other(self, piece: str, of_piece: int, of_spot: int, value: str) -> str:
        """Stores beside a piece of a pile, or as the end of the pile: nobody could foretell a branch."""
        one, other = self.item(of_piece, piece), self.item(of_spot, "spot")
        return f"*({piece} >= 0 ? &{one} : &{other}) = (int16_t){value};"

    def _put_between(self, sort: str) -> None:
        """Puts a piece back into a pile, where it was."""
        spots = self.program.spots
        self.line("num spot = x->log[x->logged][1];")
        with self.block(f"if ({sort}[spot] == 1)"):
            self.line("num below = x->log[x->logged][2];")
            under, over = self.item(spots.under, "piece"), self.item(spots.over, "piece")
            beneath, bottom = self.item(spots.over, "below"), self.item(spots.bottom, "spot")
            self.line(f"{self.places[spots.over][0].form} *lower = below >= 0 ? &{beneath} : &{bottom};")
            self.line("num above = *lower;")
            self.line(f"{self.item(spots.at, 'piece')} = (int16_t)spot;")
            self._heap_change("piece", "spot", True)
            self.line(f"{under} = (int16_t)below;")
            self.line(f"{over} = (int16_t)above;")
            self.line("*lower = (int16_t)piece;")
            self.line(self._one_or_other("above", spots.under, spots.top, "piece"))
            self.line("continue;")

    def _slot_of_a_newcomer(self, members: str, slot: str, numbered: str, closing: str) -> None:
        """As `engine.pieces` finds it; a fault is told with the spot and the slot in one number."""
        program = self.program
        most = max(count for count, _ in program.slots.values())
        shared = self.numbers(tuple(int(program.slots.get(i, (0, False))[1]) for i in range(program.spots.count)))
        missing, taken, full = (
            self.fault(None, text)
            for text in ("{place} has no slot {slot}", "slot {slot} of {place} is taken", "{place} has no free slot")
        )
        with self.function("num slot_for(Context *x, State *s, num spot, num at)"):
            self.line(f"num count = {numbered}[spot], way = {closing}[spot], free = at;")
            self.line(f"char taken[{most + 2}] = {{0}};")
            with self.loop_set("p", members, a_set(self.pieces)):
                self.line(f"taken[{slot}] = 1;")
            with self.block("if (at < 0)"):
                self.line("for (free = way < 0 ? count : 1; free >= 1 && free <= count && taken[free];)")
                self.line("    free += way < 0 ? -1 : 1;")
                self.line(f"if (free < 1 || free > count) fault(x, {full}, spot * {MOST_SLOTS + 1});")
                self.line("return free;")
            self.line(f"num where = spot * {MOST_SLOTS + 1} + at;")
            self.line(f"if (at < 1 || at > count) fault(x, {missing}, where);")
            self.line(f"if (!taken[at] || {shared}[spot]) return at;")
            self.line("while (way && free >= 1 && free <= count && taken[free]) free += way;")
            self.line(f"if (!way || free < 1 || free > count) fault(x, {taken}, where);")
            with self.loop_set("p", members, a_set(self.pieces)):
                self.line(
                    f"if (way > 0 ? {slot} >= at && {slot} <= free : {slot} <= at && {slot} >= free) {slot} += way;"
                )
            self.line("return at;")

    def _trading(self) -> None:
        """Pieces, and all that lies on two spots, trade places, as `engine.pieces` has it."""
        if not self._trades():
            return
        spots = self.program.spots
        put = ["take_up(x, s, {p}, {spot});", "put_down(x, s, {p}, {spot}, {at});"]
        if spots.growing:
            put = [f"{line} grow(x, s, {{p}}, {{spot}});" for line in put]
        take, put_at = put

        def within(piece: str, to: str) -> None:
            for i in range(len(spots.growing)):
                self.line(f"within{i}(x, {piece}, {to});")

        self._rims()
        full = self.fault(None, "{piece} cannot go where there is no room left")
        with self.function("void trade(Context *x, State *s, list ours, num here, list theirs, num there)"):
            for side, to in (("ours", "there"), ("theirs", "here")):
                with self.block(f"for (num i = 0; i < {side}.n; i++)") if spots.growing else nullcontext():
                    within(f"{side}.p[i]", to)
            for side, spot in (("ours", "here"), ("theirs", "there")):
                self.line(f"for (num i = 0; i < {side}.n; i++) {{ {take.format(p=f'{side}.p[i]', spot=spot)} }}")
            limits = self.numbers(tuple(spots.capacity))
            for side, spot in (("theirs", "here"), ("ours", "there")):
                with self.block(f"for (num i = 0; i < {side}.n; i++)"):
                    count = f"count_lying(s, {spot}, {limits}[{spot}])"
                    self.line(f"if ({limits}[{spot}] && {count} >= {limits}[{spot}]) fault(x, {full}, {side}.p[i]);")
                    self.line(put_at.format(p=f"{side}.p[i]", spot=spot, at=AT_NONE))
        with self.function("void exchange(Context *x, State *s, num a, num b)"):
            self.line(f"num here = {self.item(spots.at, 'a')}, there = {self.item(spots.at, 'b')};")
            if self.hides:
                with self.block("if (here != there)"):
                    for piece, source, to in (("a", "here", "there"), ("b", "there", "here")):
                        along = self.op("just", [piece], self.pieces)
                        self.line(f"learn(x, s, {piece}, {source}, {to}, {AT_NONE}, {along});")
            self.line("int32_t one = (int32_t)a, other = (int32_t)b;")
            self.line("trade(x, s, (list){1, &one}, here, (list){1, &other}, there);")

    def _rims(self) -> None:
        """That a tile comes to lie beyond what a board that grows was laid out for is a fault."""
        for i, board in enumerate(self.program.spots.growing):
            with self.function(f"void within{i}(Context *x, num piece, num to)"):
                self.line(self._beyond(board))

    def _beyond(self, board: C.Growing) -> str:
        far = self.fault(
            None,
            f"a tile would lie farther than {board.bound} steps from the middle of `{board.name}`, which is as far as "
            "it can grow; a `radius:` makes it larger",
        )
        is_tile = self.op("has", ["piece", self.set_const(board.tiles, self.pieces)], self.pieces)
        on_rim = self.op("has", [f"to - {board.first}", self.set_const(board.rim, board.count)], board.count)
        inside = f"to >= {board.first} && to < {board.first + board.count}"
        return f"if ({is_tile} && {inside} && {on_rim}) fault(x, {far}, 0);"

    def _moving(self, sort: str, piles: bool) -> None:
        """How a piece comes from one spot to another, forwards and, where effects are tried out, back again."""
        spots, slots, closes = self.program.spots, self.program.slots, self.program.closes
        numbered = self.numbers(tuple(slots[i][0] if i in slots else 0 for i in range(spots.count))) if slots else ""
        ways = {"to first": 1, "to last": -1}
        closing = self.numbers(tuple(ways.get(closes.get(i, ""), 0) for i in range(spots.count))) if slots else ""
        full = self.fault(None, "{piece} cannot go where there is no room left")
        self._growing()
        self._take_up(sort, piles, numbered, closing)
        if slots:
            self._slot_of_a_newcomer(self._lying_in("spot"), self._slot_of("p"), numbered, closing)
        self._put_down(sort, piles, numbered)
        self._going(full)
        self._trading()
        self._put_back(sort)
        self._keep_all()
        self._arrange(piles)

    def _lying_in(self, spot: str) -> str:
        """The pieces that lie in a place without order."""
        return self.item(self.program.spots.members, f"{spot} - {self.program.spots.first_place}")

    def _slot_of(self, piece: str) -> str:
        """At which number a piece lies, in a place with slots."""
        return self.item(self.program.spots.slot, piece)

    def _growing(self) -> None:
        """What a tile that came to a space, or left it, changes on boards that grow."""
        spots, top = self.program.spots, self.pieces
        for i, board in enumerate(spots.growing):
            near = self.lists(board.near)
            tiles = self.set_const(board.tiles, top)
            tiled, frontier = self.slot(board.tiled), self.slot(board.frontier)
            with self.function(f"void grow{i}(Context *x, State *s, num space)"):
                self.line("/* What a tile that came to a space, or left it, changes there and around. */")
                lies = self.op("common", [f"lying_set(s, {board.first} + space)", tiles], top)
                with self.if_(self.op("unequal", [lies, self.set_const(0, top)], top)):
                    self.set_add(tiled, "space", board.count, True)
                with self.else_():
                    self.set_drop(tiled, "space", board.count)
                with self.block(f"for (num k = -1; k < {near}[space].n; k++)"):
                    self.line(f"num here = k < 0 ? space : {near}[space].p[k], touching = 0;")
                    self.line(f"list around = {near}[here];")
                    held = self.op("has", ["around.p[j]", tiled], board.count)
                    self.line(f"for (num j = 0; j < around.n; j++) touching += {held};")
                    free = self.not_(self.op("has", ["here", tiled], board.count))
                    with self.if_(f"{free} && touching >= {board.touching}"):
                        self.set_add(frontier, "here", board.count, True)
                    with self.else_():
                        self.set_drop(frontier, "here", board.count)
        if spots.growing:
            with self.function("void grow(Context *x, State *s, num piece, num spot)"):
                for i, board in enumerate(spots.growing):
                    is_tile = self.op("has", ["piece", self.set_const(board.tiles, top)], top)
                    inside = f"spot >= {board.first} && spot < {board.first + board.count}"
                    self.line(f"if ({is_tile} && {inside}) grow{i}(x, s, spot - {board.first});")

    def _take_up(self, sort: str, piles: bool, numbered: str, closing: str) -> None:
        """Takes a piece from the spot where it lies."""
        spots, top = self.program.spots, self.pieces
        with self.function("inline void take_up(Context *x, State *s, num piece, num spot)"):
            self._heap_change("piece", "spot", False)
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"{self.item(spots.top, 'spot')} = -1;")
                self.kept_change("piece", "spot", False)
                self.line("return;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line(
                        f"num below = {self.item(spots.under, 'piece')}, above = {self.item(spots.over, 'piece')};"
                    )
                    self.line(self._one_or_other("below", spots.over, spots.bottom, "above"))
                    self.line(self._one_or_other("above", spots.under, spots.top, "below"))
                    self.line(f"{self.item(spots.under, 'piece')} = {self.item(spots.over, 'piece')} = -1;")
                    self.line("return;")
            if spots.members >= 0:
                self.set_drop(self._lying_in("spot"), "piece", top)
            if self.program.slots and spots.members >= 0:
                with self.block(f"if ({numbered}[spot])"):
                    self.line(f"num gap = {self._slot_of('piece')};")
                    with self.loop_set("p", self._lying_in("spot"), a_set(top)):
                        self.line(f"if ({closing}[spot] == 1 && {self._slot_of('p')} > gap) {self._slot_of('p')}--;")
                        self.line(
                            f"else if ({closing}[spot] == -1 && {self._slot_of('p')} < gap) {self._slot_of('p')}++;"
                        )
                    self.line(f"{self._slot_of('piece')} = 0;")

    def _put_down(self, sort: str, piles: bool, numbered: str) -> None:
        """Puts a piece that lies nowhere on a spot."""
        spots, top = self.program.spots, self.pieces
        with self.function("inline void put_down(Context *x, State *s, num piece, num spot, num at)"):
            self.line(f"{self.item(spots.at, 'piece')} = (int16_t)spot;")
            self._heap_change("piece", "spot", True)
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"{self.item(spots.top, 'spot')} = (int16_t)piece;")
                self.kept_change("piece", "spot", True)
                self.line("return;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    ends = (
                        (f"if (at == {AT_BOTTOM})", spots.bottom, spots.top, spots.over, spots.under),
                        ("else", spots.top, spots.bottom, spots.under, spots.over),
                    )
                    for condition, one, other, beside, away in ends:
                        with self.block(condition):
                            self.line(f"num next = {self.item(one, 'spot')};")
                            self.line(f"{self.item(beside, 'piece')} = (int16_t)next;")
                            self.line(f"{self.item(away, 'piece')} = -1;")
                            self.line(f"{self.item(one, 'spot')} = (int16_t)piece;")
                            self.line(self._one_or_other("next", away, other, "piece"))
                    self.line("return;")
            if spots.members >= 0:
                if self.program.slots:
                    self.line(f"if ({numbered}[spot]) {self._slot_of('piece')} = slot_for(x, s, spot, at);")
                self.set_add(self._lying_in("spot"), "piece", top, True)

    def _going(self, full: int) -> None:
        """Both, where that may be; what is tried out is noted."""
        spots, top = self.program.spots, self.pieces
        along = f", {self.set_type(top)} along" if self.hides else ""  # the pieces that go there together
        with self.function(f"inline void move(Context *x, State *s, num piece, num to, num at{along})"):
            self.line(f"num source = {self.item(spots.at, 'piece')};")
            self.line(f"if (source == to && at == {AT_NONE}) return;")
            free = self.item(spots.top, "to")
            self.line(f"if ({self._is_single('to')} && {free} >= 0 && source != to) fault(x, {full}, piece);")
            if any(spots.capacity[i] and not spots.single[i] for i in range(spots.count)):
                limits = self.numbers(tuple(spots.capacity))
                self.line(f"num limit = {limits}[to];")
                count = self.op("size", ["lying_set(s, to)"], top)
                self.line(f"if (limit && source != to && {count} >= limit) fault(x, {full}, piece);")
            for board in spots.growing:
                self.line(self._beyond(board))
            if self.hides:
                self.line("learn(x, s, piece, source, to, at, along);")
            if self.journal and self.tries:
                with self.block("if (x->trying)"):
                    self.line("if (x->logged == MOST_LOGGED) fault(x, FAULT_LOG, 0);")
                    self.line("x->log[x->logged][0] = (int16_t)piece;")
                    if self.piles:  # the place in a pile is known by the piece below
                        self.line(f"x->log[x->logged][2] = {self.item(spots.under, 'piece')};")
                    self.line("x->log[x->logged++][1] = (int16_t)source;")
            self.line("take_up(x, s, piece, source);")
            if spots.growing:
                self.line("grow(x, s, piece, source);")
            self.line("put_down(x, s, piece, to, at);")
            if spots.growing:
                self.line("grow(x, s, piece, to);")

    def _put_back(self, sort: str) -> None:
        """Undoes moves that were tried out."""
        spots = self.program.spots
        if self.journal and self.tries:
            with self.function("inline void put_back(Context *x, State *s, num logged)"):
                self.line("/* Undoes moves that were tried out, the last first. */")
                with self.block("while (x->logged > logged)"):
                    self.line("num piece = x->log[--x->logged][0];")
                    self.line(f"take_up(x, s, piece, {self.item(spots.at, 'piece')});")
                    if self.piles:
                        self._put_between(sort)
                    self.line(f"put_down(x, s, piece, x->log[x->logged][1], {AT_NONE});")

    def _keep_all(self) -> None:
        """Works the kept sets out afresh."""
        spots = self.program.spots
        with self.function("void keep_all(State *s)"):
            self.line("/* Works the kept sets out afresh. */")
            for i in range(len(self.prints)):
                self.line(f"s->print{i} = 0;")
            self._keep_hints()
            if self.alike.asked:
                self.line("memset(&s->heaps, 0, sizeof s->heaps);")
                self.line("s->firsts = 0;")
                if self.alike.tries:
                    self.line("s->mixed = 0;")
                with self.block(f"for (num piece = 0; piece < {self.program.roots['piece'].size}; piece++)"):
                    self._heap_change("piece", self.item(spots.at, "piece"), True)
            self._keep_members()
            if any(kept.of != "members" for kept in self.absorber.found) or self.prints:
                with self.block(f"for (num piece = 0; piece < {self.program.roots['piece'].size}; piece++)"):
                    self.line(f"num spot = {self.item(spots.at, 'piece')};")
                    self.making_afresh = True
                    self.kept_change("piece", "spot", True)
                    self.making_afresh = False
                    for base in sorted({k.state for k in self.absorber.found if k.of == "pieces" and k.state >= 0}):
                        for i, kept in enumerate(self.absorber.found):
                            if kept.state == base and kept.of == "pieces":
                                value = self.item(base, "piece")
                                name = f"s->kept{i}[{value}]"
                                self.line(f"if ({value} >= 0) {{")
                                self.set_add(name, "piece", self.size_of(kept), True)
                                self.line("}")

    def _arrange(self, piles: bool) -> None:
        """Gives the pieces of a pile their order."""
        spots = self.program.spots
        with self.function("void arrange(State *s, num spot, list order)"):
            if not piles:
                return
            self.line("num below = -1;")
            with self.block("for (num i = 0; i < order.n; i++)"):
                self.line("num piece = order.p[i];")
                self.line(f"{self.item(spots.under, 'piece')} = (int16_t)below;")
                self.line(f"{self.item(spots.over, 'piece')} = i + 1 < order.n ? (int16_t)order.p[i + 1] : -1;")
                self.line("below = piece;")
            self.line(f"{self.item(spots.bottom, 'spot')} = order.n ? (int16_t)order.p[0] : -1;")
            self.line(f"{self.item(spots.top, 'spot')} = (int16_t)below;")
