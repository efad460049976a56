"""Operations and effects in generated C."""

from __future__ import annotations

from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER, SET, Kind, a_set
from ruledsl.source.text import Span

from .c_part import CPart
from .c_state import AT_BOTTOM, AT_NONE, AT_TOP
from .kept import Kept
from .passes import Pass


class COperations(CPart):
    """Operations and effects in generated C."""

    def operation(self, op: C.Operation) -> None:
        out = self.out
        with out.captured() as lines, out.afresh():
            self._operation(op)
            if (out.memos or out.watched) and not isinstance(op, C.Say):
                out.forget(out.changed(op))
        if not lines:
            return
        if len(lines) == 1:
            out.splice(lines)
            return
        out.line("{")
        out.splice(lines, 1)
        out.line("}")

    def _operation(self, op: C.Operation) -> None:
        out = self.out
        match op:
            case C.Put(base=base, index=None, value=node):
                kept = next((kept.state for kept in self._kept_by_member() if 0 <= base - kept.state < kept.count), -1)
                if kept >= 0:
                    value, at = out.held(self._stored(node, base), self.kinds.slot(base)), str(base - kept)
                    out.kept_state(kept, at, False)
                    out.assign(out.item(kept, at), value)
                    out.kept_state(kept, at, True)
                elif base in out.places:
                    out.assign(out.slot(base), self._stored(node, base))
                else:
                    raise AssertionError("variables are bound, not put")
            case C.Put(base=base, index=at, value=node, span=span):
                assert at is not None
                value = out.held(self._stored(node, base), self.kinds.slot(base))
                index = self._index(at, span)
                told = out.prints.kept and base in self.program.piece_state
                if told or any(kept.state == base for kept in self.absorber.found):
                    index = out.simple(index)
                    out.kept_state(base, index, False)
                    out.assign(out.item(base, index), value)
                    out.kept_state(base, index, True)
                else:
                    out.assign(out.item(base, index), value)
            case C.PutSeveral() if self._changes_one(op):
                pass
            case C.PutSeveral(base=base, index=at, count=count, value=node, is_list=is_list, span=span):
                value = out.held(out.list_text(node), Kind("list"))
                to = out.array(base, f"{out.number(at)} * {count}" if at is not None else "0")
                if is_list:
                    out.line(f"put_list(x, {to}, {value}, {count}, {out.too_long(count, span)});")
                else:
                    out.line(f"put_bag({to}, {value});")
            case C.Zero(slots=slots):
                for slot in slots:
                    out.assign(out.slot(slot), out.zero(slot))
            case C.Move():
                self._move(op)
            case C.Act(name=name):
                getattr(self, "act_" + name)(op)
            case C.Say():
                pass

    def _kept_by_member(self) -> list[Kept]:
        """The sets that are kept by the state of spaces."""
        return [kept for kept in self.absorber.found if kept.of == "members"]

    def _changes_one(self, op: C.PutSeveral) -> bool:
        """A bag to which so many of one sort are added, or from which they are taken: one number changes."""
        out = self.out
        if not out.on(Pass.ONE_COUNT):
            return False
        match op:
            case C.PutSeveral(
                base=base,
                index=None,
                is_list=False,
                value=C.Op(
                    name="bag_add" | "bag_subtract" as name,
                    args=(C.Several(base=of, index=None, is_list=False), C.Op(name="bag_of", args=(which, many, _))),
                ),
            ) if of == base:
                kind = out.kind(which)
                if kind.top > op.count:
                    return False
                many_, which_ = out.held(out.number(many), ANY_NUMBER), out.simple(out.number(which))
                change = f"{out.item(base, which_)} {'+' if name == 'bag_add' else '-'}= {many_};"
                out.line(change if kind.sure else f"if ({which_} >= 0) {change}")
                return True
        return False

    def _stored(self, node: C.Node, base: int) -> str:
        return self.out.as_kind(node, self.kinds.slot(base))

    def _index(self, at: C.Node, span: Span | None) -> str:
        out = self.out
        text, kind = out.value(at)
        if kind.sure:
            return text
        text = out.simple(text)
        out.line(f"if ({text} < 0) fault(x, {out.fault(span, 'this is none, so there is nothing to set')}, 0);")
        return text

    def moved(self, piece: str, to: object, at: object = AT_NONE, along: str = "") -> str:
        """Moves a piece, perhaps with others."""
        out = self.out
        if not out.hides:
            return f"move(x, s, {piece}, {to}, {at});"
        return f"move(x, s, {piece}, {to}, {at}, {along or out.op('just', [piece], out.pieces)});"

    def _move(self, op: C.Move) -> None:
        out = self.out
        turn, along = self.program.spots.turn, ""
        pieces, found = out.value(op.pieces)
        if op.form == "one":
            pieces = out.held(pieces, ANY_NUMBER)
            if not found.sure:
                out.line(f"if ({pieces} < 0) fault(x, {out.fault(op.span, 'there is no piece to move')}, 0);")
        elif op.form == "set":
            pieces = along = out.held(out.as_set(pieces, found, out.pieces), a_set(out.pieces))
        else:
            pieces = out.held(pieces, Kind("list"))
            if out.hides:
                along = out.held(out.op("collect", [pieces], out.pieces), a_set(out.pieces))
        spot, to = out.value(op.to)
        spot = out.held(spot, ANY_NUMBER)
        if not to.sure:
            out.line(f"if ({spot} < 0) fault(x, {out.fault(op.span, 'there is nowhere to move to')}, 0);")
        if op.at is None:
            at = str(AT_NONE)
        elif isinstance(op.at, str):
            at = str(AT_BOTTOM if op.at == "bottom" else AT_TOP)
        else:
            at = out.held(out.number(op.at), ANY_NUMBER)

        def each(piece: str) -> None:
            out.line(self.moved(piece, spot, at, along))
            if turn >= 0:
                out.assign(out.item(turn, piece), out.number(op.turned) if op.turned is not None else "0")

        if op.form == "one":
            if out.alike.fair is not None:
                for slot in sorted(out.alike.fair.watched.get(op, ())):
                    here, there = (out.item(self.program.spots.at, one) for one in (pieces, out.slot(slot)))
                    out.line(f"if (x->trying && {here} == {there}) s->unlike = 1;  /* taken from its pile */")
            each(pieces)
        elif op.form == "set":
            with out.loop_set("piece", pieces, a_set(out.pieces)):
                each("piece")
        else:
            with out.loop_list("piece", pieces):
                each("piece")

    def act_remove(self, op: C.Act) -> None:
        out = self.out
        gone = out.held(out.set_text(op.args[0], out.pieces), a_set(out.pieces))
        with out.loop_set("piece", gone, a_set(out.pieces)):
            out.line(self.moved("piece", self.program.spots.box, along=gone))

    def act_home(self, op: C.Act) -> None:
        out = self.out
        home, piles, spots = self.program.home, self.program.piles, self.program.spots
        back, table = out.held(out.set_text(op.args[0], out.pieces), a_set(out.pieces)), out.numbers(tuple(home))
        limited = {spot for spot in home if spot < spots.first_place and spots.capacity[spot]}
        if limited:  # first those leave the board that may be in the way of others
            may_block = out.numbers(tuple(int(spot in limited) for spot in range(spots.count)))
            with out.loop_set("piece", back, a_set(out.pieces)):
                here = out.item(spots.at, "piece")
                with out.block(f"if ({may_block}[{here}] && {here} != {table}[piece])"):
                    out.line(self.moved("piece", spots.box))
        with out.loop_set("piece", back, a_set(out.pieces)):
            bottom = out.numbers(tuple(AT_BOTTOM if spot in piles else AT_NONE for spot in home))
            out.line(self.moved("piece", f"{table}[piece]", f"{bottom}[piece]"))

    def act_draw(self, op: C.Act) -> None:
        out = self.out
        count = out.held(out.number(op.args[0]), ANY_NUMBER)
        with out.block(f"for (num i = 0; i < {count}; i++)"):
            out.line(f"num piece = top_of(x, s, {out.number(op.args[1])});")
            out.line("if (piece < 0) break;")
            out.line(self.moved("piece", out.number(op.args[2])))

    def act_deal(self, op: C.Act) -> None:
        out = self.out
        count, dry = out.held(out.number(op.args[0]), ANY_NUMBER), out.temp("dry")
        out.line(f"num {dry} = 0;")
        with (
            out.block(f"for (num i = 0; i < {count} && !{dry}; i++)"),
            out.loop_list("place", out.list_text(op.args[2])),
        ):
            out.line(f"num piece = top_of(x, s, {out.number(op.args[1])});")
            with out.block("if (piece < 0)"):
                out.line(f"{dry} = 1;")
                out.line("break;")
            out.line(self.moved("piece", "place"))

    def act_swap_pieces(self, op: C.Act) -> None:
        out = self.out
        a, b = (out.held(out.number(arg), ANY_NUMBER) for arg in op.args)
        out.line(f"if ({a} < 0 || {b} < 0) fault(x, {out.fault(op.span, 'there is no piece to swap')}, 0);")
        out.line(f"if ({a} != {b}) exchange(x, s, {a}, {b});")

    def act_swap_contents(self, op: C.Act) -> None:
        out = self.out
        a, b = (out.held(out.number(arg), ANY_NUMBER) for arg in op.args)
        out.line(f"if ({a} < 0 || {b} < 0) fault(x, {out.fault(op.span, 'there is nothing to swap with')}, 0);")
        known = self.program.spots.known
        with out.block(f"if ({a} != {b})"):
            out.line(f"list first = lying(x, s, {a}), second = lying(x, s, {b});")
            if known >= 0:
                form = out.type(self.kinds.slot(known))
                out.line(f"{form} seen = seers(x, s, {a}) | seers(x, s, {b});")
                for side in ("first", "second"):
                    out.line(f"for (num i = 0; i < {side}.n; i++) {out.item(known, f'{side}.p[i]')} |= seen;")
            out.line(f"trade(x, s, first, {a}, second, {b});")

    def act_transfer(self, op: C.Act) -> None:
        out = self.out
        from_base, to_base, size, short = op.data
        wanted = out.held(out.list_text(op.args[0]), Kind("list"))
        source = out.held(out.number(op.args[1]), ANY_NUMBER)
        target = out.held(out.number(op.args[2]), ANY_NUMBER)
        negative = out.fault(op.span, "a negative number of tokens cannot change hands")
        with out.block(f"for (num kind = 0; kind < {wanted}.n; kind++)"):
            out.line(f"num n = {wanted}.p[kind];")
            out.line("if (n == 0) continue;")
            out.line(f"if (n < 0) fault(x, {negative}, 0);")
            if from_base >= 0:
                held = out.item(from_base, f"{source} * {size} + kind")
                with out.block(f"if ({held} < n)"):
                    if short == "clip":
                        out.line(f"n = {held};")
                    else:
                        out.line(f"fault(x, {out.fault(op.span, short)}, 0);")
                out.line(f"{held} -= n;")
            if to_base >= 0:
                out.line(f"{out.item(to_base, f'{target} * {size} + kind')} += n;")

    def act_reveal(self, op: C.Act) -> None:
        out = self.out
        known = self.program.spots.known
        if known < 0:
            return
        kind = self.kinds.slot(known)
        pieces = out.held(out.set_text(op.args[0], out.pieces), a_set(out.pieces))
        who = out.held(out.set_text(op.args[1], kind.top), kind)
        out.line(f"show(x, s, {pieces}, {who});")

    def act_hide(self, op: C.Act) -> None:
        out = self.out
        spots = self.program.spots
        if spots.known < 0:
            return
        pieces = out.held(out.set_text(op.args[0], out.pieces), a_set(out.pieces))
        with out.loop_set("piece", pieces, a_set(out.pieces)):
            where = out.item(spots.at, "piece")
            out.line(f"{out.item(spots.known, 'piece')} &= seers(x, s, {where});")

    def act_copy_start(self, op: C.Act) -> None:
        out = self.out
        base, count = op.data
        values = self.program.template[base : base + count]
        for slot in range(base, base + count):
            kind = self.kinds.slot(slot)
            value = values[slot - base]
            out.assign(out.slot(slot), out.set_const(value, kind.top) if kind.sort == SET else str(int(value)))
        told = out.prints.kept and any(base <= state < base + count for state in self.program.piece_state)
        if told or any(base <= kept.state < base + count for kept in self.absorber.found):
            out.line("keep_all(s);")

    def act_count_up(self, op: C.Act) -> None:
        out = self.out
        (slot,) = op.data
        limit = out.held(out.number(op.args[0]), ANY_NUMBER)
        which = out.fault(op.span, "this loop ran {} times, which is the most it may")
        out.line(f"if ({out.slot(slot)} >= {limit}) fault(x, {which}, {limit});")
        out.line(f"{out.slot(slot)}++;")

    def act_advance(self, op: C.Act) -> None:
        out = self.out
        order, place, forced = (out.slot(slot) for slot in op.data)
        which = out.fault(op.span, "the player named with `next_turn` takes no part in these turns")
        with out.block(f"if ({forced})"):
            out.line(f"num at = list_find({out.several(op.data[0], 0, None, True)}, {forced} - 1);")
            out.line(f"if (at < 0) fault(x, {which}, 0);")
            out.line(f"{place} = at;")
            out.line(f"{forced} = 0;")
        out.line(f"else {place} = {place} + 1 < {order} ? {place} + 1 : 0;")

    def act_mark(self, op: C.Act) -> None:
        pass

    def act_record(self, op: C.Act) -> None:
        out = self.out
        base, keep = op.data
        items = out.array(base, "0")
        out.line(f"u64 *past = {items}, now = {out.number(op.args[0])};")
        with out.block(f"if (past[0] == {keep})"):
            out.line(f"memmove(past + 1, past + 2, sizeof(u64) * {keep - 1});")
            out.line("past[0]--;")
        out.line("past[++past[0]] = now;")
        if base in out.prints.histories:
            out.line(f"hint(s->hints{out.prints.histories.index(base)}, now);")
