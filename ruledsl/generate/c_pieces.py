"""Pieces in generated C: what lies where, who knows it, and moving."""

from __future__ import annotations

from contextlib import nullcontext

from ruledsl.ir import core as C
from ruledsl.ir.core import MOST_SLOTS, STREAMS
from ruledsl.ir.kinds import SET, a_set

from .c_part import CPart
from .c_settled import CSettled
from .c_state import AT_BOTTOM, AT_NONE


class CPieces(CPart):
    """Pieces in generated C: what lies where, who knows it, and moving."""

    def __init__(self, out: CSettled, whole_rows: bool) -> None:
        super().__init__(out)
        self.whole_rows = (
            whole_rows  # what stands behind a short option in its row is zero, so that rows can be compared
        )

    def _keep_members(self) -> None:
        """Works out afresh what is kept by the state of spaces; all else that is kept is empty."""
        out = self.out
        for i, kept in enumerate(self.absorber.found):
            out.line(f"memset(&s->kept{i}, 0, sizeof s->kept{i});")
            if kept.of == "members":
                with out.block(f"for (num at = 0; at < {kept.count}; at++)"):
                    value = out.item(kept.state, "at")
                    out.line(f"if ({value} >= 0) {{")
                    out.set_add(f"s->kept{i}[{value}]", "at", kept.count, True)
                    out.line("}")

    def write_pieces(self) -> None:
        """What lies where, who knows it, and how it is moved."""
        out = self.out
        spots = self.program.spots
        self._memory()
        if spots.at < 0 or not spots.count:
            with out.function("void keep_all(State *s)"):
                self._keep_members()
                out.keep_hints()
            return
        sorts = tuple(
            2 if single else 1 if ordered else 0 for single, ordered in zip(spots.single, spots.ordered, strict=True)
        )
        piles = 1 in sorts
        sort = out.numbers(sorts)
        walk = (
            f"for (num p = {out.item(spots.bottom, 'spot')}; p >= 0; p = {out.item(spots.over, 'p')})" if piles else ""
        )
        self._lying(sort, walk)
        self._lying_in_order(sort, piles)
        self._first_lying(sort, walk)
        self._knowledge(sort, piles)
        self._moving(sort, piles)

    def _lying(self, sort: str, walk: str) -> None:
        """What lies on a spot: as a set, whether there is any, how many there are."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        form, empty = out.set_type(top), out.set_const(0, top)
        with out.function(f"{form} lying_set(const State *s, num spot)"):
            out.line(f"if (spot < 0) return {empty};")
            with out.block(f"if ({self._is_single('spot')})"):
                out.line(f"num p = {out.item(spots.top, 'spot')};")
                out.line(f"return p >= 0 ? {out.op('just', ['p'], top)} : {empty};")
            if walk:
                with out.block(f"if ({sort}[spot] == 1)"):
                    out.line(f"{form} found = {empty};")
                    with out.block(walk):
                        out.set_add("found", "p", top, True)
                    out.line("return found;")
            out.line(f"return {self._lying_in('spot')};" if spots.members >= 0 else f"return {empty};")
        with out.function("num any_lying(const State *s, num spot)"):
            out.line("if (spot < 0) return 0;")
            out.line(f"if ({sort}[spot]) return {out.item(spots.top, 'spot')} >= 0;")
            some = out.op("unequal", [self._lying_in("spot"), empty], top) if spots.members >= 0 else "0"
            out.line(f"return {some};")
        with out.function("num count_lying(const State *s, num spot, num most)"):
            out.line("/* How many pieces lie there; if they are more than that, any number of at least that many. */")
            out.line("if (spot < 0) return 0;")
            out.line(f"if ({sort}[spot] == 2) return {out.item(spots.top, 'spot')} >= 0;")
            if walk:
                with out.block(f"if ({sort}[spot] == 1)"):
                    out.line("num n = 0;")
                    out.line(f"{walk} if (++n >= most) break;")
                    out.line("return n;")
            count = out.op("size", [self._lying_in("spot")], top) if spots.members >= 0 else "0"
            out.line(f"return {count};")

    def _lying_in_order(self, sort: str, piles: bool) -> None:
        """What lies on a spot, as a list."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        rows = bool(self.program.slots)
        with out.function("list lying(Context *x, const State *s, num spot)"):
            out.line("list found = list_open(x);")
            out.line("if (spot < 0) return found;")
            with out.block(f"if ({self._is_single('spot')})"):
                out.line(f"num p = {out.item(spots.top, 'spot')};")
                out.line("if (p >= 0) list_push(x, &found, p);")
                out.line("return found;")
            if piles:
                with out.block(f"if ({sort}[spot] == 1)"):
                    out.line("/* From both ends at once, for each piece only says which is the next. */")
                    out.line(f"num low = {out.item(spots.bottom, 'spot')}, high = {out.item(spots.top, 'spot')};")
                    with out.block("if (low == high)"):
                        out.line("if (low >= 0) list_push(x, &found, low);")
                        out.line("return found;")
                    out.line(f"allot(x, {2 * out.pieces});")
                    out.line(f"int32_t *front = ITEMS(found), *back = front + {2 * out.pieces}, *end = back;")
                    with out.block("for (;;)"):
                        out.line("front[found.n++] = (int32_t)low;")
                        out.line("if (low == high) break;")
                        out.line("*--back = (int32_t)high;")
                        out.line(f"num next = {out.item(spots.over, 'low')};")
                        out.line("if (next == high) break;")
                        out.line(f"low = next, high = {out.item(spots.under, 'high')};")
                    out.line("memmove(front + found.n, back, sizeof(int32_t) * (size_t)(end - back));")
                    out.line("found.n += end - back;")
                    out.line("x->top += found.n;")
                    out.line("return found;")
            if spots.members >= 0:
                if rows:
                    with out.block(f"if ({self._numbered()}[spot])"):
                        with out.loop_set("p", self._lying_in("spot"), a_set(top)):
                            out.line(f"list_push(x, &found, {out.item(spots.slot, 'p')});")
                            out.line("list_push(x, &found, p);")
                        out.line("return list_sorted(x, found, 1);")
                with out.loop_set("p", self._lying_in("spot"), a_set(top)):
                    out.line("list_push(x, &found, p);")
            out.line("return found;")

    def _first_lying(self, sort: str, walk: str) -> None:
        """The pieces on a spot that are of some kinds, the first of them, and the ends."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        form = out.set_type(top)
        rows = bool(self.program.slots)
        with out.function(f"list lying_of(Context *x, const State *s, num spot, {form} kinds)"):
            out.line("list all = lying(x, s, spot), found = {0, all.p};")
            with out.block("for (num i = 0; i < all.n; i++)"):
                keep = out.op("has", ["all.p[i]", "kinds"], top)
                out.line(f"if ({keep}) ITEMS(found)[found.n++] = all.p[i];")
            out.line("return found;")
        with out.function(f"inline num first_lying(Context *x, const State *s, num spot, {form} kinds)"):
            out.line("if (spot < 0) return -1;")
            with out.block(f"if ({self._is_single('spot')})"):
                out.line(f"num p = {out.item(spots.top, 'spot')};")
                out.line(f"return p >= 0 && {out.op('has', ['p', 'kinds'], top)} ? p : -1;")
            if spots.members >= 0:
                unordered = f"{sort}[spot] == 0" + (f" && !{self._numbered()}[spot]" if rows else "")
                with out.if_(unordered):
                    here = out.op("common", [self._lying_in("spot"), "kinds"], top)
                    out.line(f"return {out.op('lowest', [here], top)};")
            if walk:
                with out.block(f"if ({sort}[spot] == 1)"):
                    out.line(f"{walk} if ({out.op('has', ['p', 'kinds'], top)}) return p;")
                    out.line("return -1;")
            out.line("num mark = x->top;")
            out.line("list all = lying(x, s, spot);")
            out.line("x->top = mark;")
            wanted = out.op("has", ["all.p[i]", "kinds"], top)
            out.line(f"for (num i = 0; i < all.n; i++) if ({wanted}) return all.p[i];")
            out.line("return -1;")
        with out.function("num any_first(Context *x, const State *s, num spot)"):
            out.line("if (spot < 0) return -1;")
            out.line(f"if ({sort}[spot] == 2) return {out.item(spots.top, 'spot')};")
            if walk:
                out.line(f"if ({sort}[spot] == 1) return {out.item(spots.bottom, 'spot')};")
            if spots.members >= 0:
                first = f"return {out.op('lowest', [self._lying_in('spot')], top)};"
                out.line(f"if (!{self._numbered()}[spot]) {first}" if rows else first)
            if rows:
                out.line(f"return first_lying(x, s, spot, {out.set_const((1 << top) - 1, top)});")
            elif spots.members < 0:
                out.line("return -1;")
        with out.function("num top_of(Context *x, const State *s, num spot)"):
            out.line("if (spot < 0) return -1;")
            out.line(f"if ({sort}[spot]) return {out.item(spots.top, 'spot')};")
            out.line("num mark = x->top;")
            out.line("list all = lying(x, s, spot);")
            out.line("x->top = mark;")
            out.line("return list_tail(all, -1);")

    def _is_single(self, spot: str) -> str:
        """Whether a spot holds at most one piece: mostly those are the spaces of boards, and no others."""
        single, first = self.program.spots.single, self.program.spots.first_place
        if all(single[:first]) and not any(single[first:]):
            return f"{spot} < {first}"
        if not any(single):
            return "0"
        return f"{self.out.numbers(tuple(map(int, single)))}[{spot}]"

    def _numbered(self) -> str:
        """Which spots have slots."""
        return self.out.numbers(tuple(int(i in self.program.slots) for i in range(self.program.spots.count)))

    def _memory(self) -> None:
        """What a piece looks like, apart from where it is."""
        out = self.out
        rows = self.program.rows or [0]
        with out.function("u64 looks(const State *s, num piece)"):
            out.line(f"u64 key = (u64){out.numbers(tuple(rows))}[piece];")
            for base in self.program.piece_state:
                value = out.item(base, "piece")
                if self.kinds.slot(base).sort == SET and "set1" not in out.places[base][0].form:
                    value += ".w[0]"
                out.line(f"key = key * 8191 + (u64){value};")
            out.line("return key;")
        with out.function("num within_or_none(num at, num count)"):
            out.line("return at >= 0 && at < count ? at : -1;")
        with out.function("num steps_away(const int16_t *steps, num count, num at, num way, num times)"):
            out.line("if (way < 0) return -1;")
            out.line("for (; times > 0 && at >= 0; times--) at = steps[at * count + way];")
            out.line("return at;")
        with out.function("list between(Context *x, const int16_t *steps, num count, num spaces, num a, num b)"):
            out.line("list found = list_open(x);")
            out.line("if (a < 0 || b < 0) return found;")
            with out.block("for (num d = 0; d < count; d++)"):
                out.line("num at = steps[a * count + d];")
                out.line("num left = spaces;")
                out.line("while (left-- > 0 && at >= 0 && at != a && at != b) at = steps[at * count + d];")
                out.line("if (at != b || at < 0) continue;")
                out.line(
                    "for (at = steps[a * count + d]; at != b; at = steps[at * count + d]) list_push(x, &found, at);"
                )
                out.line("return found;")
            out.line("return found;")
        with out.function("set1 turned_set(set1 sides, num turn, num count)"):
            out.line("return (sides << turn | sides >> (count - turn)) & below1(count);")
        with out.function("void put_list(Context *x, int32_t *to, list items, num cap, num which)"):
            out.line("if (items.n > cap - 1) fault(x, which, items.n);")
            out.line("if (items.n > 8) memmove(to + 1, items.p, sizeof(int32_t) * (size_t)items.n);")
            out.line("else for (num i = 0; i < items.n; i++) to[i + 1] = items.p[i];")
            out.line("to[0] = (int32_t)items.n;")
            out.line("for (num i = items.n + 1; i < cap; i++) to[i] = 0;")
        with out.function("void put_bag(int32_t *to, list items)"):
            out.line("memmove(to, items.p, sizeof(int32_t) * (size_t)items.n);")
        with out.function("int32_t *row(Context *x)"):
            with out.block("if (x->count == x->room)"):
                out.line("if (x->count >= MOST_OPTIONS) fault(x, FAULT_MENU, 0);")
                out.line("x->room = x->room ? 2 * x->room : 256;")
                out.line("x->rows = realloc(x->rows, sizeof(int32_t) * (size_t)(x->room * x->stride));")
            if self.whole_rows:
                out.line("memset(x->rows + x->stride * x->count, 0, sizeof(int32_t) * (size_t)x->stride);")
            out.line("return x->rows + x->stride * x->count++;")

    def _knowledge(self, sort: str, piles: bool) -> None:
        out = self.out
        spots = self.program.spots
        if not out.hides:
            return
        players = self.program.roots["player"]
        form, everyone = out.set_type(players.size), out.set_const(players.everything, players.size)
        with out.function(f"{form} seers(Context *x, State *s, num spot)"):
            with out.block("switch (spot)"):
                for spot, seen in enumerate(spots.seen):
                    if seen is None:
                        continue
                    with out.block(f"case {spot}:"):
                        out.line(f"return {out.set_text(seen, players.size)};")
            out.line(f"return {everyone};")
        known = out.item(spots.known, "piece")
        with out.function(f"{form} knowers(Context *x, State *s, num piece)"):
            out.line(f"return seers(x, s, {out.item(spots.at, 'piece')}) | {known};")
        tops = tuple(sorted(self.program.top_seen))
        is_top = out.numbers(tuple(int(i in tops) for i in range(spots.count)))
        pieces = out.set_type(out.pieces)
        with out.function(f"void learn(Context *x, State *s, num piece, num source, num to, num at, {pieces} along)"):
            out.line(f"{form} before = seers(x, s, source), after = seers(x, s, to);")
            if tops:
                out.line(f"if ({is_top}[source] && {out.item(spots.top, 'source')} == piece) before = {everyone};")
                out.line(
                    f"if ({is_top}[to] && (at != {AT_BOTTOM} || {out.item(spots.top, 'to')} < 0)) after = {everyone};"
                )
            out.line(f"{form} lost = {everyone} & ~(before | after);")
            with out.block(f"if (lost && !{sort}[source] && source >= {spots.first_place})"):
                out.line("/* Who sees neither end cannot tell which piece left, unless all go. */")
                members = out.item(spots.members, f"source - {spots.first_place}")
                stay = out.op("minus", [members, "along"], out.pieces)
                with (
                    out.if_(out.op("unequal", [stay, out.set_const(0, out.pieces)], out.pieces)),
                    out.loop_set("other", members, a_set(out.pieces)),
                ):
                    out.line(f"{out.item(spots.known, 'other')} &= ~lost;")
            out.line(f"show(x, s, {out.op('just', ['piece'], out.pieces)}, before | after);")
        ordered = out.numbers(
            tuple(int(spots.ordered[i] or spots.single[i] or i in self.program.slots) for i in range(spots.count))
        )
        with out.function(f"void show(Context *x, State *s, {pieces} shown, {form} seats)"):
            out.line("/* Who knew another piece there that looks the same knows of no more than before. */")
            with out.loop_set("piece", "shown", a_set(out.pieces)):
                out.line(f"num spot = {out.item(spots.at, 'piece')};")
                out.line(f"{form} strangers = seats & ~{known};")
                with out.block(f"if (strangers && spot >= {spots.first_place} && !{ordered}[spot])"):
                    out.line("strangers &= ~seers(x, s, spot);")
                    members = out.item(spots.members, f"spot - {spots.first_place}")
                    rest = out.op("minus", [members, "shown"], out.pieces)
                    with out.loop_set("other", rest, a_set(out.pieces)):
                        theirs = out.item(spots.known, "other")
                        with out.block(f"if (strangers & {theirs} && looks(s, piece) == looks(s, other))"):
                            out.line(f"{form} both = strangers;")
                            out.line(f"strangers &= ~{theirs};")
                            out.line(f"{theirs} &= ~both;")
                out.line(f"{known} |= seats;")
        shifting = [spot for spot, seen in enumerate(spots.seen) if seen is not None and not isinstance(seen, C.Const)]
        with out.function("void notice(Context *x, State *s)"):
            for spot in shifting:
                with out.block(f"if (any_lying(s, {spot}))"):
                    out.line(f"{form} who = seers(x, s, {spot});")
                    with out.loop_set("piece", f"lying_set(s, {spot})", a_set(out.pieces)):
                        out.line(f"{known} |= who;")
            for spot in tops:
                top = out.item(spots.top, str(spot))
                out.line(f"if ({top} >= 0) {out.item(spots.known, top)} |= {everyone};")
        with out.function("void forget(Context *x, State *s, num spot, list lying)"):
            out.line(f"{form} who = seers(x, s, spot);")
            with out.loop_list("piece", "lying"):
                out.line(f"{known} &= who;")
        with out.function("num hidden(Context *x, State *s, num piece)"):
            out.line("return x->seat >= 0 && !(knowers(x, s, piece) >> x->seat & 1);")
        self._veiling()

    def _veiling(self) -> None:
        """The order in which pieces are offered that the asked player does not know."""
        out, spots = self.out, self.program.spots
        row = out.numbers(tuple(int(spots.ordered[i] and i >= spots.first_place) for i in range(spots.count)))
        placed = any(spots.ordered[i] for i in range(spots.first_place, spots.count)) and spots.under >= 0
        with out.function("num place_in_row(State *s, num piece)"):
            out.line("/* How many lie below a piece in a pile or row, or its slot; 0 in places without order. */")
            if placed:
                with out.block(f"if ({row}[{out.item(spots.at, 'piece')}])"):
                    out.line("num below = 1;")
                    out.line(f"while ((piece = {out.item(spots.under, 'piece')}) >= 0) below++;")
                    out.line("return below;")
            out.line(f"return {out.item(spots.slot, 'piece') if spots.slot >= 0 else '0'};")
        with out.function("list veiled(Context *x, State *s, list pieces)"):
            out.line("/* What the asked player does not know comes last, in an order that says nothing. */")
            first, number, round_ = out.slot(STREAMS), out.slot(C.TURN_NUMBER), out.slot(C.ROUND)
            out.line(f"u64 turn = mixed({first} + (u64){number} * 8191 + (u64){round_});")
            out.line("num n = 0;")
            out.line("list found = list_new(x, pieces.n);")
            out.line("for (num i = 0; i < pieces.n; i++)")
            out.line("    if (!hidden(x, s, pieces.p[i])) ITEMS(found)[n++] = pieces.p[i];")
            out.line("num known = n;")
            with out.block("for (num i = 0; i < pieces.n; i++)"):
                out.line("num piece = pieces.p[i];")
                out.line("if (!hidden(x, s, piece)) continue;")
                out.line("u64 key = mixed(turn ^ (u64)piece * GOLDEN);")
                out.line("num j = n++;")
                later = "mixed(turn ^ (u64)found.p[j - 1] * GOLDEN) > key"
                for base in reversed(self.program.backs):  # what all see of a piece comes first
                    mine, other = (out.item(base, which) for which in ("piece", "found.p[j - 1]"))
                    later = f"({other} > {mine} || ({other} == {mine} && {later}))"
                if placed or spots.slot >= 0:
                    out.line("num place = place_in_row(s, piece);")
                    other = "place_in_row(s, found.p[j - 1])"
                    later = f"({other} > place || ({other} == place && {later}))"
                out.line(f"for (; j > known && {later}; j--)")
                out.line("    ITEMS(found)[j] = found.p[j - 1];")
                out.line("ITEMS(found)[j] = (int32_t)piece;")
            out.line("return found;")

    def _one_or_other(self, piece: str, of_piece: int, of_spot: int, value: str) -> str:
        """Stores beside a piece of a pile, or as the end of the pile: nobody could foretell a branch."""
        one, other = self.out.item(of_piece, piece), self.out.item(of_spot, "spot")
        return f"*({piece} >= 0 ? &{one} : &{other}) = (int16_t){value};"

    def _put_between(self, sort: str) -> None:
        """Puts a piece back into a pile, where it was."""
        out = self.out
        spots = self.program.spots
        out.line("num spot = x->log[x->logged][1];")
        with out.block(f"if ({sort}[spot] == 1)"):
            out.line("num below = x->log[x->logged][2];")
            under, over = out.item(spots.under, "piece"), out.item(spots.over, "piece")
            beneath, bottom = out.item(spots.over, "below"), out.item(spots.bottom, "spot")
            out.line(f"{out.places[spots.over][0].form} *lower = below >= 0 ? &{beneath} : &{bottom};")
            out.line("num above = *lower;")
            out.line(f"{out.item(spots.at, 'piece')} = (int16_t)spot;")
            out.heap_change("piece", "spot", True)
            out.line(f"{under} = (int16_t)below;")
            out.line(f"{over} = (int16_t)above;")
            out.line("*lower = (int16_t)piece;")
            out.line(self._one_or_other("above", spots.under, spots.top, "piece"))
            out.line("continue;")

    def _slot_of_a_newcomer(self, members: str, slot: str, numbered: str, closing: str) -> None:
        """As `engine.pieces` finds it; a fault is told with the spot and the slot in one number."""
        out = self.out
        program = self.program
        most = max(count for count, _ in program.slots.values())
        shared = out.numbers(tuple(int(program.slots.get(i, (0, False))[1]) for i in range(program.spots.count)))
        missing, taken, full = (
            out.fault(None, text)
            for text in ("{place} has no slot {slot}", "slot {slot} of {place} is taken", "{place} has no free slot")
        )
        with out.function("num slot_for(Context *x, State *s, num spot, num at)"):
            out.line(f"num count = {numbered}[spot], way = {closing}[spot], free = at;")
            out.line(f"char taken[{most + 2}] = {{0}};")
            with out.loop_set("p", members, a_set(out.pieces)):
                out.line(f"taken[{slot}] = 1;")
            with out.block("if (at < 0)"):
                out.line("for (free = way < 0 ? count : 1; free >= 1 && free <= count && taken[free];)")
                out.line("    free += way < 0 ? -1 : 1;")
                out.line(f"if (free < 1 || free > count) fault(x, {full}, spot * {MOST_SLOTS + 1});")
                out.line("return free;")
            out.line(f"num where = spot * {MOST_SLOTS + 1} + at;")
            out.line(f"if (at < 1 || at > count) fault(x, {missing}, where);")
            out.line(f"if (!taken[at] || {shared}[spot]) return at;")
            out.line("while (way && free >= 1 && free <= count && taken[free]) free += way;")
            out.line(f"if (!way || free < 1 || free > count) fault(x, {taken}, where);")
            with out.loop_set("p", members, a_set(out.pieces)):
                out.line(
                    f"if (way > 0 ? {slot} >= at && {slot} <= free : {slot} <= at && {slot} >= free) {slot} += way;"
                )
            out.line("return at;")

    def _trading(self) -> None:
        """Pieces, and all that lies on two spots, trade places, as `engine.pieces` has it."""
        out = self.out
        if not out.trades():
            return
        spots = self.program.spots
        put = ["take_up(x, s, {p}, {spot});", "put_down(x, s, {p}, {spot}, {at});"]
        if spots.growing:
            put = [f"{line} grow(x, s, {{p}}, {{spot}});" for line in put]
        take, put_at = put

        def within(piece: str, to: str) -> None:
            for i in range(len(spots.growing)):
                out.line(f"within{i}(x, {piece}, {to});")

        self._rims()
        full = out.fault(None, "{piece} cannot go where there is no room left")
        with out.function("void trade(Context *x, State *s, list ours, num here, list theirs, num there)"):
            for side, to in (("ours", "there"), ("theirs", "here")):
                with out.block(f"for (num i = 0; i < {side}.n; i++)") if spots.growing else nullcontext():
                    within(f"{side}.p[i]", to)
            for side, spot in (("ours", "here"), ("theirs", "there")):
                out.line(f"for (num i = 0; i < {side}.n; i++) {{ {take.format(p=f'{side}.p[i]', spot=spot)} }}")
            limits = out.numbers(tuple(spots.capacity))
            for side, spot in (("theirs", "here"), ("ours", "there")):
                with out.block(f"for (num i = 0; i < {side}.n; i++)"):
                    count = f"count_lying(s, {spot}, {limits}[{spot}])"
                    out.line(f"if ({limits}[{spot}] && {count} >= {limits}[{spot}]) fault(x, {full}, {side}.p[i]);")
                    out.line(put_at.format(p=f"{side}.p[i]", spot=spot, at=AT_NONE))
        with out.function("void exchange(Context *x, State *s, num a, num b)"):
            out.line(f"num here = {out.item(spots.at, 'a')}, there = {out.item(spots.at, 'b')};")
            if out.hides:
                with out.block("if (here != there)"):
                    for piece, source, to in (("a", "here", "there"), ("b", "there", "here")):
                        along = out.op("just", [piece], out.pieces)
                        out.line(f"learn(x, s, {piece}, {source}, {to}, {AT_NONE}, {along});")
            out.line("int32_t one = (int32_t)a, other = (int32_t)b;")
            out.line("trade(x, s, (list){1, &one}, here, (list){1, &other}, there);")

    def _rims(self) -> None:
        """That a tile comes to lie beyond what a board that grows was laid out for is a fault."""
        for i, board in enumerate(self.program.spots.growing):
            with self.out.function(f"void within{i}(Context *x, num piece, num to)"):
                self.out.line(self._beyond(board))

    def _beyond(self, board: C.Growing) -> str:
        out = self.out
        far = out.fault(
            None,
            f"a tile would lie farther than {board.bound} steps from the middle of `{board.name}`, which is as far as "
            "it can grow; a `radius:` makes it larger",
        )
        is_tile = out.op("has", ["piece", out.set_const(board.tiles, out.pieces)], out.pieces)
        on_rim = out.op("has", [f"to - {board.first}", out.set_const(board.rim, board.count)], board.count)
        inside = f"to >= {board.first} && to < {board.first + board.count}"
        return f"if ({is_tile} && {inside} && {on_rim}) fault(x, {far}, 0);"

    def _moving(self, sort: str, piles: bool) -> None:
        """How a piece comes from one spot to another, forwards and, where effects are tried out, back again."""
        out = self.out
        spots, slots, closes = self.program.spots, self.program.slots, self.program.closes
        numbered = out.numbers(tuple(slots[i][0] if i in slots else 0 for i in range(spots.count))) if slots else ""
        ways = {"to first": 1, "to last": -1}
        closing = out.numbers(tuple(ways.get(closes.get(i, ""), 0) for i in range(spots.count))) if slots else ""
        full = out.fault(None, "{piece} cannot go where there is no room left")
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
        return self.out.item(self.program.spots.members, f"{spot} - {self.program.spots.first_place}")

    def _slot_of(self, piece: str) -> str:
        """At which number a piece lies, in a place with slots."""
        return self.out.item(self.program.spots.slot, piece)

    def _growing(self) -> None:
        """What a tile that came to a space, or left it, changes on boards that grow."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        for i, board in enumerate(spots.growing):
            near = out.lists(board.near)
            tiles = out.set_const(board.tiles, top)
            tiled, frontier = out.slot(board.tiled), out.slot(board.frontier)
            with out.function(f"void grow{i}(Context *x, State *s, num space)"):
                out.line("/* What a tile that came to a space, or left it, changes there and around. */")
                lies = out.op("common", [f"lying_set(s, {board.first} + space)", tiles], top)
                with out.if_(out.op("unequal", [lies, out.set_const(0, top)], top)):
                    out.set_add(tiled, "space", board.count, True)
                with out.else_():
                    out.set_drop(tiled, "space", board.count)
                with out.block(f"for (num k = -1; k < {near}[space].n; k++)"):
                    out.line(f"num here = k < 0 ? space : {near}[space].p[k], touching = 0;")
                    out.line(f"list around = {near}[here];")
                    held = out.op("has", ["around.p[j]", tiled], board.count)
                    out.line(f"for (num j = 0; j < around.n; j++) touching += {held};")
                    free = out.not_(out.op("has", ["here", tiled], board.count))
                    with out.if_(f"{free} && touching >= {board.touching}"):
                        out.set_add(frontier, "here", board.count, True)
                    with out.else_():
                        out.set_drop(frontier, "here", board.count)
        if spots.growing:
            with out.function("void grow(Context *x, State *s, num piece, num spot)"):
                for i, board in enumerate(spots.growing):
                    is_tile = out.op("has", ["piece", out.set_const(board.tiles, top)], top)
                    inside = f"spot >= {board.first} && spot < {board.first + board.count}"
                    out.line(f"if ({is_tile} && {inside}) grow{i}(x, s, spot - {board.first});")

    def _take_up(self, sort: str, piles: bool, numbered: str, closing: str) -> None:
        """Takes a piece from the spot where it lies."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        with out.function("inline void take_up(Context *x, State *s, num piece, num spot)"):
            out.heap_change("piece", "spot", False)
            with out.block(f"if ({self._is_single('spot')})"):
                out.line(f"{out.item(spots.top, 'spot')} = -1;")
                out.kept_change("piece", "spot", False)
                out.line("return;")
            if piles:
                with out.block(f"if ({sort}[spot] == 1)"):
                    out.line(f"num below = {out.item(spots.under, 'piece')}, above = {out.item(spots.over, 'piece')};")
                    out.line(self._one_or_other("below", spots.over, spots.bottom, "above"))
                    out.line(self._one_or_other("above", spots.under, spots.top, "below"))
                    out.line(f"{out.item(spots.under, 'piece')} = {out.item(spots.over, 'piece')} = -1;")
                    out.line("return;")
            if spots.members >= 0:
                out.set_drop(self._lying_in("spot"), "piece", top)
            if self.program.slots and spots.members >= 0:
                with out.block(f"if ({numbered}[spot])"):
                    out.line(f"num gap = {self._slot_of('piece')};")
                    with out.loop_set("p", self._lying_in("spot"), a_set(top)):
                        out.line(f"if ({closing}[spot] == 1 && {self._slot_of('p')} > gap) {self._slot_of('p')}--;")
                        out.line(
                            f"else if ({closing}[spot] == -1 && {self._slot_of('p')} < gap) {self._slot_of('p')}++;"
                        )
                    out.line(f"{self._slot_of('piece')} = 0;")

    def _put_down(self, sort: str, piles: bool, numbered: str) -> None:
        """Puts a piece that lies nowhere on a spot."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        with out.function("inline void put_down(Context *x, State *s, num piece, num spot, num at)"):
            out.line(f"{out.item(spots.at, 'piece')} = (int16_t)spot;")
            out.heap_change("piece", "spot", True)
            with out.block(f"if ({self._is_single('spot')})"):
                out.line(f"{out.item(spots.top, 'spot')} = (int16_t)piece;")
                out.kept_change("piece", "spot", True)
                out.line("return;")
            if piles:
                with out.block(f"if ({sort}[spot] == 1)"):
                    ends = (
                        (f"if (at == {AT_BOTTOM})", spots.bottom, spots.top, spots.over, spots.under),
                        ("else", spots.top, spots.bottom, spots.under, spots.over),
                    )
                    for condition, one, other, beside, away in ends:
                        with out.block(condition):
                            out.line(f"num next = {out.item(one, 'spot')};")
                            out.line(f"{out.item(beside, 'piece')} = (int16_t)next;")
                            out.line(f"{out.item(away, 'piece')} = -1;")
                            out.line(f"{out.item(one, 'spot')} = (int16_t)piece;")
                            out.line(self._one_or_other("next", away, other, "piece"))
                    out.line("return;")
            if spots.members >= 0:
                if self.program.slots:
                    out.line(f"if ({numbered}[spot]) {self._slot_of('piece')} = slot_for(x, s, spot, at);")
                out.set_add(self._lying_in("spot"), "piece", top, True)

    def _going(self, full: int) -> None:
        """Both, where that may be; what is tried out is noted."""
        out = self.out
        spots, top = self.program.spots, out.pieces
        along = f", {out.set_type(top)} along" if out.hides else ""  # the pieces that go there together
        with out.function(f"inline void move(Context *x, State *s, num piece, num to, num at{along})"):
            out.line(f"num source = {out.item(spots.at, 'piece')};")
            out.line(f"if (source == to && at == {AT_NONE}) return;")
            free = out.item(spots.top, "to")
            out.line(f"if ({self._is_single('to')} && {free} >= 0 && source != to) fault(x, {full}, piece);")
            if any(spots.capacity[i] and not spots.single[i] for i in range(spots.count)):
                limits = out.numbers(tuple(spots.capacity))
                out.line(f"num limit = {limits}[to];")
                count = out.op("size", ["lying_set(s, to)"], top)
                out.line(f"if (limit && source != to && {count} >= limit) fault(x, {full}, piece);")
            for board in spots.growing:
                out.line(self._beyond(board))
            if out.hides:
                out.line("learn(x, s, piece, source, to, at, along);")
            if out.journal and out.tries:
                with out.block("if (x->trying)"):
                    out.line("if (x->logged == MOST_LOGGED) fault(x, FAULT_LOG, 0);")
                    out.line("x->log[x->logged][0] = (int16_t)piece;")
                    if out.piles:  # the place in a pile is known by the piece below
                        out.line(f"x->log[x->logged][2] = {out.item(spots.under, 'piece')};")
                    out.line("x->log[x->logged++][1] = (int16_t)source;")
            out.line("take_up(x, s, piece, source);")
            if spots.growing:
                out.line("grow(x, s, piece, source);")
            out.line("put_down(x, s, piece, to, at);")
            if spots.growing:
                out.line("grow(x, s, piece, to);")

    def _put_back(self, sort: str) -> None:
        """Undoes moves that were tried out."""
        out = self.out
        spots = self.program.spots
        if out.journal and out.tries:
            with out.function("inline void put_back(Context *x, State *s, num logged)"):
                out.line("/* Undoes moves that were tried out, the last first. */")
                with out.block("while (x->logged > logged)"):
                    out.line("num piece = x->log[--x->logged][0];")
                    out.line(f"take_up(x, s, piece, {out.item(spots.at, 'piece')});")
                    if out.piles:
                        self._put_between(sort)
                    out.line(f"put_down(x, s, piece, x->log[x->logged][1], {AT_NONE});")

    def _keep_all(self) -> None:
        """Works the kept sets out afresh."""
        out = self.out
        spots = self.program.spots
        with out.function("void keep_all(State *s)"):
            out.line("/* Works the kept sets out afresh. */")
            for i in range(len(out.prints.kept)):
                out.line(f"s->print{i} = 0;")
            out.keep_hints()
            if out.alike.asked:
                out.line("memset(&s->heaps, 0, sizeof s->heaps);")
                out.line("s->firsts = 0;")
                if out.alike.tries:
                    out.line("s->mixed = 0;")
                with out.block(f"for (num piece = 0; piece < {self.program.roots['piece'].size}; piece++)"):
                    out.heap_change("piece", out.item(spots.at, "piece"), True)
            self._keep_members()
            if any(kept.of != "members" for kept in self.absorber.found) or out.prints.kept:
                with out.block(f"for (num piece = 0; piece < {self.program.roots['piece'].size}; piece++)"):
                    out.line(f"num spot = {out.item(spots.at, 'piece')};")
                    out.making_afresh = True
                    out.kept_change("piece", "spot", True)
                    out.making_afresh = False
                    for base in sorted({k.state for k in self.absorber.found if k.of == "pieces" and k.state >= 0}):
                        for i, kept in enumerate(self.absorber.found):
                            if kept.state == base and kept.of == "pieces":
                                value = out.item(base, "piece")
                                name = f"s->kept{i}[{value}]"
                                out.line(f"if ({value} >= 0) {{")
                                out.set_add(name, "piece", out.size_of(kept), True)
                                out.line("}")

    def _arrange(self, piles: bool) -> None:
        """Gives the pieces of a pile their order."""
        out = self.out
        spots = self.program.spots
        with out.function("void arrange(State *s, num spot, list order)"):
            if not piles:
                return
            out.line("num below = -1;")
            with out.block("for (num i = 0; i < order.n; i++)"):
                out.line("num piece = order.p[i];")
                out.line(f"{out.item(spots.under, 'piece')} = (int16_t)below;")
                out.line(f"{out.item(spots.over, 'piece')} = i + 1 < order.n ? (int16_t)order.p[i + 1] : -1;")
                out.line("below = piece;")
            out.line(f"{out.item(spots.bottom, 'spot')} = order.n ? (int16_t)order.p[0] : -1;")
            out.line(f"{out.item(spots.top, 'spot')} = (int16_t)below;")
