"""Trials in generated C that are not carried out, since nothing is touched that matters (see `trials`).

The condition of a trial is asked once for the state as it is, by functions that write down where they look: the same
formulas, written once more, with every look at a piece or a space noted. What cannot be noted (a whole set that is
kept) is asked piece by piece; where that is not possible either, the trial is carried out as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import TOO_FAR
from ruledsl.ir.kinds import TRUTH, Kind, number
from ruledsl.ir.ops import NOTHING, looks_at

from .c_state import CState
from .changes import PIECES
from .kept import Kept, Region
from .language import Text
from .passes import NONE_OFF, Off, Pass
from .trials import Touch, Trials, Watch

NOTED = {"first_on", "occupied", "standing", "slide"}  # what looks at pieces, and can write down where


class _UnnotedError(Exception):
    """Something is looked at in a way that cannot be written down."""


class CTrials(CState):
    """Trials in generated C that need not be carried out."""

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        super().__init__(program, without)
        self.tries = False  # whether effects are tried out at all
        self.goes_through = False  # whether rules look ahead through choices
        self.noting = False  # it is written down where formulas look
        trials = Trials(program, self.kinds, self.absorber, self.alone)
        self.places_of_pieces = trials.places
        self.base = trials.base
        self.watched: dict[C.Would, Watch] = {}
        if self.on(Pass.UNTOUCHED_TRIALS):
            self.watched = trials.all(self.new_slot)

    def keep_possible(self) -> None:
        """Leaves only those trials of which everything that they look at can be written down."""
        for node, watch in list(self.watched.items()):
            with self.captured():
                try:
                    self._ask(watch)
                except _UnnotedError:
                    del self.watched[node]
                self.noting = self.absorber.steady = False

    # ------------------------------------------------------------------------------------------- the state

    def watch_members(self) -> list[str]:
        found = []
        for i, watch in enumerate(self.watched.values()):
            count = self.arguments_of(watch.formula)
            found.append(f"{self.set_type(count)} asked{i};  /* for which arguments it is known what a trial asks, */")
            found.append(f"int16_t answer{i}[{count}];  /* as things stand, */")
            found.append(f"{self.set_type(self.program.spots.first_place)} seen{i}[{count}];  /* and where it looks */")
        return found

    def forget(self, changed: set[int] | None) -> None:
        super().forget(changed)
        for i, watch in enumerate(self.watched.values()):
            if changed is None or changed & watch.reads:
                self.line(f"memset(&s->asked{i}, 0, sizeof s->asked{i});")

    def changed_by(self, procedure: C.Procedure) -> list[tuple[str, str, int]] | None:
        """What an effect may change: name, type and length of members of the state; none if that cannot be told."""
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
            found += [(f"print{i}", "u64", 1) for i in range(len(self.prints.kept))]
        if PIECES in changes and self.alike.asked:
            found += [("heaps", "set1", self.program.spots.count), ("firsts", "set1", 1)]
            found += [("mixed", "set1", 1)] if self.alike.tries else []
        for i, formula in enumerate(self.memos):
            if self.in_trials(formula):
                found.append((f"ready{i}", self.set_type(self.arguments_of(formula)), 1))
                assert formula.body is not None, "only formulas with a body are remembered"
                found.append((f"memo{i}", self.type(self.kind(formula.body)), self.arguments_of(formula)))
        found += [
            (f"asked{i}", self.set_type(self.arguments_of(w.formula)), 1) for i, w in enumerate(self.watched.values())
        ]
        return found

    def try_out(self, procedure: C.Procedure) -> str:
        """The call of an effect that is tried out."""
        assert procedure in self.alone, "an effect that is tried out neither asks nor rolls"
        return f"{self.procedure_names[procedure]}(x, s, 0)"

    # --------------------------------------------------------------------------------------------- a trial

    def would(self, node: C.Would, args: list[str]) -> str:
        if self.noting:
            raise _UnnotedError
        watch = self.watched.get(node)
        if watch is None:
            return self._tried_out(node, args)
        result, touches = self.temp("would"), self.temp("touches")
        seen = f"s->seen{list(self.watched).index(node)}"
        values = [self.held(arg, self.kinds.slot(slot)) for arg, slot in zip(args, watch.arguments, strict=True)]
        at = self.held(self._number_of(watch.formula, [self.number(one) for one in watch.given]), number(0, 1))
        self.declare(TRUTH, result, "")
        self.line(f"num {touches} = x->trying;  /* what is only tried out is not remembered */")
        with self.if_(self.not_(touches)), self.afresh():
            for slot, value in zip(watch.arguments, values, strict=True):
                self.declare(self.kinds.slot(slot), self.slot(slot), value)
            self.line(f"{self._asking(watch)}(x, s, {at});")
            if not watch.safe:
                self.line(f"{touches} = s->answer{list(self.watched).index(node)}[{at}] < 0;")
            for touch in watch.touches:
                with self.where(list(touch.when)):
                    self._touch(touch, touches, f"{seen}[{at}]")
        with self.if_(touches):
            self.assign(result, self._tried_out(node, values))
        with self.else_():
            self.assign(result, f"s->answer{list(self.watched).index(node)}[{at}]")
        return result

    def _tried_out(self, node: C.Would, args: list[str]) -> str:
        """Tries an effect: on the state itself, which is put right again, or on a copy."""
        self.tries = True
        result = self.temp("would")
        self.line(f"num {result};")
        values = [
            self.held(arg, self.kinds.slot(slot)) for arg, slot in zip(args, node.procedure.parameters, strict=True)
        ]
        changed = self.changed_by(node.procedure)
        with self.scope():
            if changed is None:
                self.line("State copy = *s, *kept = s;")
                self.line("s = &copy;")
            else:  # what it may change is put back behind it
                for name, form, length in changed:
                    self.line(f"{form} kept_{name}{f'[{length}]' if length != 1 else ''};")
                    self.line(f"memcpy(&kept_{name}, &s->{name}, sizeof kept_{name});")
            self.line("num mark = x->top;")
            if self.journal:
                self.line("num logged = x->logged;")
            self.bring_up_to_date()
            self.line("x->trying++;")
            self.store_arguments(node.procedure, values)
            self.line(f"{self.try_out(node.procedure)};")
            with self.afresh():
                self.line(f"{result} = {self.truth(node.condition)};")
            self.line("x->trying--;")
            self.line("x->top = mark;")
            if changed is None:
                if self.alike.tries:
                    self.line("kept->unlike |= s->unlike;")
                self.line("s = kept;")
                if self.journal:
                    self.line("x->logged = logged;")
            else:
                if self.journal:
                    self.line("if (x->logged > logged) put_back(x, s, logged);")
                for name, _, _ in changed:
                    self.line(f"memcpy(&s->{name}, &kept_{name}, sizeof kept_{name});")
        return result

    def ways(self, node: C.Lookahead, args: list[str]) -> str:
        """Goes through all ways of an effect; `s` is the state in which one ends meanwhile."""
        if self.noting:
            raise _UnnotedError
        self.goes_through = True
        result = self.temp("possible")
        self.line(f"num {result} = 0;")
        values = [
            self.held(arg, self.kinds.slot(slot)) for arg, slot in zip(args, node.procedure.parameters, strict=True)
        ]
        with self.scope():
            too_far = self.fault(node.span, TOO_FAR.format(node.most))
            self.line("Through *through = through_begin(x, s);")
            self.line("State *kept = s;")
            self.line("s = through_state(through);")
            self.store_arguments(node.procedure, values)
            self.line(f"{self.slot(node.procedure.back)} = {node.end};")
            self.line(f"s->pc = {node.procedure.entry};")
            self.line("num mark = x->top;")
            self.line("x->trying++;")
            with self.block(f"while ((s = through_next(x, through, {node.most}, {too_far})))"):
                with self.afresh():
                    asked = self.truth(node.condition)
                    self.line(f"if ({asked}) {result} = 1;")
                self.line("x->top = mark;")
                self.line(f"if ({result}) break;")
            self.line("x->trying--;")
            self.line("x->top = mark;")
            self.line("through_end(x, through);")
            self.line("s = kept;")
        return result

    def _touch(self, touch: Touch, touches: str, seen: str) -> None:
        """Notes that something is touched that matters, or that it must be tried out what happens."""
        spots = self.program.spots
        asked = touch.piece if touch.piece is not None else touch.spot
        assert asked is not None, "a touch is of a piece or of a space"
        text, kind = self.value(asked)
        text = self.simple(text)
        none = f"{text} < 0" if not kind.sure else "0"
        space = text
        if touch.piece is not None:
            space, at = self.temp("from"), self.item(spots.at, text)
            self.line(f"num {space} = {at if kind.sure else self.cond(none, '-1', at)};")
        top = spots.first_place
        outside = f"{space} >= {top}" if touch.piece is not None else "0"
        matters = [none if touch.must else "0", outside, self.op("has", [space, seen], top)]
        if touch.free:
            matters.append(f"{self.item(spots.top, space)} >= 0")
        inner = self.either(matters)
        if none != "0" and not touch.must:
            inner = self.both([self.not_(f"({none})"), inner])
        self.line(f"{touches} |= {inner};")

    def _number_of(self, formula: C.Formula, args: list[str]) -> str:
        """Which of all arguments that a formula may have these are."""
        at = ""
        for slot, text in zip(formula.slots, args, strict=True):
            at = f"({at}) * {self.kinds.slot(slot).top} + {text}" if at else text
        return at or "0"

    # ---------------------------------------------------------------------------- what is asked, and where it looks

    def _asking(self, watch: Watch) -> str:
        return self.once(("asking", watch), "ask", lambda name: self._ask(watch, name))

    def _ask(self, watch: Watch, name: str = "ask") -> None:
        i, formula = list(self.watched.values()).index(watch), watch.formula
        assert formula.body is not None, "it was made with one"
        count = self.arguments_of(formula)
        with self.block(f"static void {name}_now(Context *x, State *s, num at)"), self.afresh():
            self.line("num mark = x->top, rest = at;")
            for slot in reversed(formula.slots):
                top = self.kinds.slot(slot).top
                self.declare(self.kinds.slot(slot), self.slot(slot), f"rest % {top}")
                self.line(f"rest /= {top};")
            self.line("memset(x->seen, 0, sizeof x->seen);")
            if watch.safe:
                self._answer(formula.body, i)
            else:
                self.line("jmp_buf out;")
                self.line("memcpy(&out, &x->out, sizeof out);")
                self.line("const num searching = x->searching, asking = x->asking;")
                with self.block("if (setjmp(x->out))"):
                    self.line("x->searching = searching, x->asking = asking;")
                    self.line("/* There is no answer as things stand: whatever it is that is tried, it matters. */")
                    self.line("x->fault = -1;")
                    self.line(f"s->answer{i}[at] = -1;")
                with self.block("else"):
                    self._answer(formula.body, i)
                self.line("memcpy(&x->out, &out, sizeof out);")
            self.line(f"memcpy(&s->seen{i}[at], x->seen, sizeof s->seen{i}[at]);")
            self.set_add(f"s->asked{i}", "at", count, True)
            self.line("x->top = mark;")
        with self.block(f"static inline void {name}(Context *x, State *s, num at)"):
            self.line(f"if (!{self.op('has', ['at', f's->asked{i}'], count)}) {name}_now(x, s, at);")

    def _answer(self, condition: C.Node, i: int) -> None:
        with self._noted():
            text = self.truth(condition)
        self.line(f"s->answer{i}[at] = (int16_t){text};")

    @contextmanager
    def _noted(self, noting: bool = True) -> Iterator[None]:
        """Within, it is written down where formulas look (or not)."""
        kept, values = (self.noting, self.absorber.steady), self.kept_values
        self.noting = self.absorber.steady = noting
        self.kept_values = {}
        yield
        self.noting, self.absorber.steady = kept
        self.kept_values = values

    def _looks_at_pieces(self, node: Any) -> bool:
        read = self.reads.of(node)
        return read is None or bool({self.base.get(slot, slot) for slot in read} & self.places_of_pieces)

    def call(self, formula: C.Formula, args: list[str]) -> str:
        if not self.noting or formula.body is None or not self._looks_at_pieces(formula.body):
            return super().call(formula, args)
        name = self.once(
            ("noting", formula), f"seen_{self.formula_names[formula]}_", lambda n: self._noting_function(n, formula)
        )
        return f"{name}({', '.join(['x', 's', *args])})"

    def _noting_function(self, name: str, formula: C.Formula) -> None:
        assert formula.body is not None, "asked before"
        kind = self.kind(formula.body)
        given = "".join(f", {self.type(self.kinds.slot(slot))} {self.slot(slot)}" for slot in formula.slots)
        with self.block(f"static {self.type(kind)} {name}(Context *x, State *s{given})"), self.afresh():
            self.line(f"return {self.as_kind(formula.body, kind)};")

    def once(self, key: Any, stem: str, define: Callable[[str], None]) -> str:
        if self.noting and key[0] in ("any", "in"):
            key, stem = (*key, "noting"), f"seen_{stem}"
        if self.noting and key[0] not in ("any", "in", "noting"):
            with self._noted(False):
                return super().once(key, stem, define)
        return super().once(key, stem, define)

    def remembered(self, formula: C.Formula) -> bool:
        return not self.noting and super().remembered(formula)

    def _possible(self, node: C.Possible) -> Text:
        if self.noting:
            raise _UnnotedError
        return super()._possible(node)

    # ------------------------------------------------------------------------------------------ the leaves

    def item(self, base: int, index: str) -> str:
        text = super().item(base, index)
        if not self.noting or self.base[base] not in self.places_of_pieces:
            return text
        spots = self.program.spots
        if base == spots.at:
            return f"{self.once(('seen', 'at'), 'seen_at', self._seen_at)}(x, s, {index})"
        if base == spots.top:
            return f"{self.once(('seen', 'on'), 'seen_on', self._seen_on)}(x, s, {index})"
        raise _UnnotedError

    def _seen_at(self, name: str) -> None:
        top = self.program.spots.first_place
        with self.block(f"static inline num {name}(Context *x, const State *s, num piece)"):
            self.line(f"num spot = {self.item(self.program.spots.at, 'piece')};")
            self.line(f"if (spot < {top}) x->seen[spot >> 6] |= 1ULL << (spot & 63);")
            self.line("return spot;")

    def _seen_on(self, name: str) -> None:
        with self.block(f"static inline num {name}(Context *x, const State *s, num spot)"):
            self.line("x->seen[spot >> 6] |= 1ULL << (spot & 63);")
            self.line(f"return {self.item(self.program.spots.top, 'spot')};")

    def slot(self, slot: int) -> str:
        if self.noting and slot >= 0 and self.base[slot] in self.places_of_pieces:
            raise _UnnotedError
        return super().slot(slot)

    def array(self, base: int, index: str) -> str:
        if self.noting and self.base[base] in self.places_of_pieces:
            raise _UnnotedError
        return super().array(base, index)

    def kept_set(self, kept: Kept, index: str | None) -> str:
        if self.noting and (kept.of != "pieces" or kept.state < 0):
            raise _UnnotedError
        return super().kept_set(kept, index)

    def _primitive(self, node: C.Primitive) -> Text:
        if self.noting and node.name not in NOTED and looks_at(node) != NOTHING:
            raise _UnnotedError
        if self.noting and node.name == "standing" and node.data[3]:
            raise _UnnotedError
        if self.noting and node.name in ("first_on", "occupied") and not self.on_space(node.args[0]):
            raise _UnnotedError
        return super()._primitive(node)

    def something_on(self, spot: C.Node) -> str:
        if self.noting:
            return self.truth(C.Primitive("occupied", (spot,), ()))
        return super().something_on(spot)

    def _counted(self, node: C.Node) -> C.Node | None:
        return None if self.noting else super()._counted(node)

    def op_length(self, node: C.Op, kind: Kind) -> str | None:
        if self.noting and (spot := super()._counted(node)) is not None:
            return self.truth(C.Primitive("occupied", (spot,), ()))
        return super().op_length(node, kind)

    def _touched(self, node: C.Fold) -> tuple[C.Fold, Region] | None:
        return None if self.noting else super()._touched(node)

    def _spread_from(self, node: C.Primitive, goal: Callable[[], str] | None) -> str | None:
        return None if self.noting else super()._spread_from(node, goal)

    def slid(self, domain: C.Primitive) -> str:
        if not self.noting:
            return super().slid(domain)
        with self._noted(False):
            plain = super().slid(domain)
        name = self.once(("seen", domain.data), "seen_slide", lambda n: self._seen_slide(n, domain, plain))
        return f"{name}(x, s"

    def _seen_slide(self, name: str, domain: C.Primitive, plain: str) -> None:
        """What is looked at in a direction are the very spaces that are come to."""
        steps, count, first = domain.data
        top = len(steps) // count
        form = self.set_type(top)
        with self.block(f"static inline {form} {name}(Context *x, const State *s, num space, num way, num most)"):
            self.line(f"{form} found = {plain}, space, way, most);")
            with self.loop_set("at", "found", Kind("set", 0, top)):
                self.line(f"x->seen[(at + {first}) >> 6] |= 1ULL << ((at + {first}) & 63);")
            self.line("return found;")


__all__ = ["CTrials"]
