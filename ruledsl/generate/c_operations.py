"""Operations and effects in generated C."""

from __future__ import annotations

from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER, SET, Kind, a_set

from .c_picking import CPicking
from .c_state import AT_BOTTOM, AT_NONE, AT_TOP
from .changes import PIECES
from .kept import Kept
from .passes import Pass


class COperations(CPicking):
    """Operations and effects in generated C."""

    def operation(self, op: C.Operation) -> None:
        with self.captured() as lines, self.afresh():
            self._operation(op)
            if (self.memos or self.watched) and not isinstance(op, C.Say):
                self._forget(self._changed(op))
        if not lines:
            return
        if len(lines) == 1:
            self.splice(lines)
            return
        self.line("{")
        self.splice(lines, 1)
        self.line("}")

    def _operation(self, op: C.Operation) -> None:
        match op:
            case C.Put(base=base, index=None, value=node):
                kept = next((kept.state for kept in self._kept_by_member() if 0 <= base - kept.state < kept.count), -1)
                if kept >= 0:
                    value, at = self.held(self._stored(node, base), self.kinds.slot(base)), str(base - kept)
                    self._kept_state(kept, at, False)
                    self.assign(self.item(kept, at), value)
                    self._kept_state(kept, at, True)
                elif base in self.places:
                    self.assign(self.slot(base), self._stored(node, base))
                else:
                    raise AssertionError("variables are bound, not put")
            case C.Put(base=base, index=at, value=node, span=span):
                assert at is not None
                value = self.held(self._stored(node, base), self.kinds.slot(base))
                index = self._index(at, span)
                told = self.prints and base in self.program.piece_state
                if told or any(kept.state == base for kept in self.absorber.found):
                    index = self.simple(index)
                    self._kept_state(base, index, False)
                    self.assign(self.item(base, index), value)
                    self._kept_state(base, index, True)
                else:
                    self.assign(self.item(base, index), value)
            case C.PutSeveral() if self._changes_one(op):
                pass
            case C.PutSeveral(base=base, index=at, count=count, value=node, is_list=is_list, span=span):
                value = self.held(self.list_text(node), Kind("list"))
                to = self.array(base, f"{self.number(at)} * {count}" if at is not None else "0")
                if is_list:
                    self.line(f"put_list(x, {to}, {value}, {count}, {self.too_long(count, span)});")
                else:
                    self.line(f"put_bag({to}, {value});")
            case C.Zero(slots=slots):
                for slot in slots:
                    self.assign(self.slot(slot), self.zero(slot))
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
        if not self.on(Pass.ONE_COUNT):
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
                kind = self.kind(which)
                if kind.top > op.count:
                    return False
                many_, which_ = self.held(self.number(many), ANY_NUMBER), self.simple(self.number(which))
                change = f"{self.item(base, which_)} {'+' if name == 'bag_add' else '-'}= {many_};"
                self.line(change if kind.sure else f"if ({which_} >= 0) {change}")
                return True
        return False

    def _stored(self, node: C.Node, base: int) -> str:
        return self.as_kind(node, self.kinds.slot(base))

    def _index(self, at: C.Node, span: Any) -> str:
        text, kind = self.value(at)
        if kind.sure:
            return text
        text = self.simple(text)
        self.line(f"if ({text} < 0) fault(x, {self.fault(span, 'none has nothing that could be set')}, 0);")
        return text

    def _moved(self, piece: str, to: object, at: object = AT_NONE, along: str = "") -> str:
        """Moves a piece, perhaps with others."""
        if not self.hides:
            return f"move(x, s, {piece}, {to}, {at});"
        return f"move(x, s, {piece}, {to}, {at}, {along or self.op('just', [piece], self.pieces)});"

    def _move(self, op: C.Move) -> None:
        turn, along = self.program.spots.turn, ""
        pieces, found = self.value(op.pieces)
        if op.form == "one":
            pieces = self.held(pieces, ANY_NUMBER)
            if not found.sure:
                self.line(f"if ({pieces} < 0) fault(x, {self.fault(op.span, 'there is no piece to move')}, 0);")
        elif op.form == "set":
            pieces = along = self.held(self.as_set(pieces, found, self.pieces), a_set(self.pieces))
        else:
            pieces = self.held(pieces, Kind("list"))
            if self.hides:
                along = self.held(self.op("collect", [pieces], self.pieces), a_set(self.pieces))
        spot, to = self.value(op.to)
        spot = self.held(spot, ANY_NUMBER)
        if not to.sure:
            self.line(f"if ({spot} < 0) fault(x, {self.fault(op.span, 'there is nowhere to move to')}, 0);")
        if op.at is None:
            at = str(AT_NONE)
        elif isinstance(op.at, str):
            at = str(AT_BOTTOM if op.at == "bottom" else AT_TOP)
        else:
            at = self.held(self.number(op.at), ANY_NUMBER)

        def each(piece: str) -> None:
            self.line(self._moved(piece, spot, at, along))
            if turn >= 0:
                self.assign(self.item(turn, piece), self.number(op.turned) if op.turned is not None else "0")

        if op.form == "one":
            if self.alike.fair is not None:
                for slot in sorted(self.alike.fair.watched.get(op, ())):
                    here, there = (self.item(self.program.spots.at, one) for one in (pieces, self.slot(slot)))
                    self.line(f"if (x->trying && {here} == {there}) s->unlike = 1;  /* taken from its pile */")
            each(pieces)
        elif op.form == "set":
            with self.loop_set("piece", pieces, a_set(self.pieces)):
                each("piece")
        else:
            with self.loop_list("piece", pieces):
                each("piece")

    def act_remove(self, op: C.Act) -> None:
        gone = self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces))
        with self.loop_set("piece", gone, a_set(self.pieces)):
            self.line(self._moved("piece", self.program.spots.box, along=gone))

    def act_home(self, op: C.Act) -> None:
        home, piles = self.program.home, self.program.piles
        with self.loop_set(
            "piece", self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces)), a_set(self.pieces)
        ):
            table = self.numbers(tuple(home))
            bottom = self.numbers(tuple(AT_BOTTOM if spot in piles else AT_NONE for spot in home))
            self.line(self._moved("piece", f"{table}[piece]", f"{bottom}[piece]"))

    def act_draw(self, op: C.Act) -> None:
        count = self.held(self.number(op.args[0]), ANY_NUMBER)
        with self.block(f"for (num i = 0; i < {count}; i++)"):
            self.line(f"num piece = top_of(x, s, {self.number(op.args[1])});")
            self.line("if (piece < 0) break;")
            self.line(self._moved("piece", self.number(op.args[2])))

    def act_deal(self, op: C.Act) -> None:
        count, dry = self.held(self.number(op.args[0]), ANY_NUMBER), self.temp("dry")
        self.line(f"num {dry} = 0;")
        with (
            self.block(f"for (num i = 0; i < {count} && !{dry}; i++)"),
            self.loop_list("place", self.list_text(op.args[2])),
        ):
            self.line(f"num piece = top_of(x, s, {self.number(op.args[1])});")
            with self.block("if (piece < 0)"):
                self.line(f"{dry} = 1;")
                self.line("break;")
            self.line(self._moved("piece", "place"))

    def act_swap_pieces(self, op: C.Act) -> None:
        a, b = (self.held(self.number(arg), ANY_NUMBER) for arg in op.args)
        self.line(f"if ({a} < 0 || {b} < 0) fault(x, {self.fault(op.span, 'there is no piece to swap')}, 0);")
        self.line(f"if ({a} != {b}) exchange(x, s, {a}, {b});")

    def act_swap_contents(self, op: C.Act) -> None:
        a, b = (self.held(self.number(arg), ANY_NUMBER) for arg in op.args)
        self.line(f"if ({a} < 0 || {b} < 0) fault(x, {self.fault(op.span, 'there is nothing to swap with')}, 0);")
        known = self.program.spots.known
        with self.block(f"if ({a} != {b})"):
            self.line(f"list first = lying(x, s, {a}), second = lying(x, s, {b});")
            if known >= 0:
                form = self.type(self.kinds.slot(known))
                self.line(f"{form} seen = seers(x, s, {a}) | seers(x, s, {b});")
                for side in ("first", "second"):
                    self.line(f"for (num i = 0; i < {side}.n; i++) {self.item(known, f'{side}.p[i]')} |= seen;")
            self.line(f"trade(x, s, first, {a}, second, {b});")

    def act_transfer(self, op: C.Act) -> None:
        from_base, to_base, size, short = op.data
        wanted = self.held(self.list_text(op.args[0]), Kind("list"))
        source = self.held(self.number(op.args[1]), ANY_NUMBER)
        target = self.held(self.number(op.args[2]), ANY_NUMBER)
        negative = self.fault(op.span, "a negative number of tokens cannot change hands")
        with self.block(f"for (num kind = 0; kind < {wanted}.n; kind++)"):
            self.line(f"num n = {wanted}.p[kind];")
            self.line("if (n == 0) continue;")
            self.line(f"if (n < 0) fault(x, {negative}, 0);")
            if from_base >= 0:
                held = self.item(from_base, f"{source} * {size} + kind")
                with self.block(f"if ({held} < n)"):
                    if short == "clip":
                        self.line(f"n = {held};")
                    else:
                        self.line(f"fault(x, {self.fault(op.span, short)}, 0);")
                self.line(f"{held} -= n;")
            if to_base >= 0:
                self.line(f"{self.item(to_base, f'{target} * {size} + kind')} += n;")

    def act_reveal(self, op: C.Act) -> None:
        known = self.program.spots.known
        if known < 0:
            return
        kind = self.kinds.slot(known)
        pieces = self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces))
        who = self.held(self.set_text(op.args[1], kind.top), kind)
        self.line(f"show(x, s, {pieces}, {who});")

    def act_hide(self, op: C.Act) -> None:
        spots = self.program.spots
        if spots.known < 0:
            return
        pieces = self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces))
        with self.loop_set("piece", pieces, a_set(self.pieces)):
            where = self.item(spots.at, "piece")
            self.line(f"{self.item(spots.known, 'piece')} &= seers(x, s, {where});")

    def act_copy_start(self, op: C.Act) -> None:
        base, count = op.data
        values = self.program.template[base : base + count]
        for slot in range(base, base + count):
            kind = self.kinds.slot(slot)
            value = values[slot - base]
            self.assign(self.slot(slot), self.set_const(value, kind.top) if kind.sort == SET else str(int(value)))
        told = self.prints and any(base <= state < base + count for state in self.program.piece_state)
        if told or any(base <= kept.state < base + count for kept in self.absorber.found):
            self.line("keep_all(s);")

    def act_count_up(self, op: C.Act) -> None:
        (slot,) = op.data
        limit = self.held(self.number(op.args[0]), ANY_NUMBER)
        which = self.fault(op.span, "this loop ran {} times, which is the most it may")
        self.line(f"if ({self.slot(slot)} >= {limit}) fault(x, {which}, {limit});")
        self.line(f"{self.slot(slot)}++;")

    def act_advance(self, op: C.Act) -> None:
        order, place, forced = (self.slot(slot) for slot in op.data)
        which = self.fault(op.span, "the player named with `next_turn` takes no part in these turns")
        with self.block(f"if ({forced})"):
            self.line(f"num at = list_find({self.several(op.data[0], 0, None, True)}, {forced} - 1);")
            self.line(f"if (at < 0) fault(x, {which}, 0);")
            self.line(f"{place} = at;")
            self.line(f"{forced} = 0;")
        self.line(f"else {place} = {place} + 1 < {order} ? {place} + 1 : 0;")

    def act_mark(self, op: C.Act) -> None:
        pass

    def act_record(self, op: C.Act) -> None:
        base, keep = op.data
        items = self.array(base, "0")
        self.line(f"u64 *past = {items}, now = {self.number(op.args[0])};")
        with self.block(f"if (past[0] == {keep})"):
            self.line(f"memmove(past + 1, past + 2, sizeof(u64) * {keep - 1});")
            self.line("past[0]--;")
        self.line("past[++past[0]] = now;")
        if base in self.histories:
            self.line(f"hint(s->hints{self.histories.index(base)}, now);")

    def changed_by(self, procedure: C.Procedure) -> list[tuple[str, str, int]] | None:
        changes = self.changes.of(procedure) if self.on(Pass.CHEAP_WOULD) else None
        if changes is None:
            return None
        changes = changes - {procedure.back}  # it is a function here, and returns as one
        if not self.changes.may_finish(procedure):
            changes -= {C.PC, C.ENDED, C.WINNERS}
        if self.journal and PIECES in changes:
            changes = changes - self.changes.pieces()
            if any(slot in changes for slot in self.program.piece_state):
                return None  # what is kept by states of pieces would be put back in the wrong order
        members = [
            member for member in self.members if any(member.field.base + i in changes for i in range(member.length))
        ]
        found = [(member.name, member.form, member.length) for member in members]
        for i, kept in enumerate(self.absorber.found):
            if kept.of == "members" and any(kept.state <= slot < kept.state + kept.count for slot in changes):
                found.append((f"kept{i}", self.set_type(self.size_of(kept)), kept.values))
        if PIECES in changes or any(slot in changes for slot in self.program.piece_state):
            for i, kept in enumerate(self.absorber.found):
                if kept.of != "members":
                    found.append((f"kept{i}", self.set_type(self.size_of(kept)), kept.values if not kept.plain else 1))
            found += [(f"print{i}", "u64", 1) for i in range(len(self.prints))]
        if PIECES in changes and self.alike.asked:
            found += [("heaps", "set1", self.program.spots.count), ("firsts", "set1", 1)]
            found += [("mixed", "set1", 1)] if self.alike.tries else []
        for i, formula in enumerate(self.memos):
            if self._in_trials(formula):
                found.append((f"ready{i}", self.set_type(self._given(formula)), 1))
                assert formula.body is not None, "only formulas with a body are remembered"
                found.append((f"memo{i}", self.type(self.kind(formula.body)), self._given(formula)))
        found += [(f"asked{i}", self.set_type(self._given(w.formula)), 1) for i, w in enumerate(self.watched.values())]
        return found

    def try_out(self, procedure: C.Procedure) -> str:
        assert procedure in self.alone, "an effect that is tried out neither asks nor rolls"
        return f"{self.procedure_names[procedure]}(x, s, 0)"
