"""Trials of many candidates in generated C: those that touch nothing that matters are found for all at once.

`set(t in moves(m) where would(go(m, t), safe))` asks for every space whether a move there touches what the condition
looks at. Mostly the piece stands apart, and then only the spaces matter that are looked at, and those for which the
effect does something else: what is left is as it is now, for all of them together.
"""

from __future__ import annotations

from dataclasses import replace

from ruledsl.ir import core as C
from ruledsl.ir.kinds import Kind, a_set, number
from ruledsl.ir.walk import StuckError, put
from ruledsl.records import dataclass

from .c_trials import CTrials
from .kept import conjuncts
from .trials import Touch, Watch


@dataclass(frozen=True, eq=False)
class Many:
    """Trials for each value of a variable: what they touch whatever the value, what they touch if it is that very
    space, and under which conditions they touch something else."""

    watch: Watch
    given: tuple[C.Node, ...]
    fixed: tuple[Touch, ...]
    own: tuple[Touch, ...]
    apart: tuple[tuple[C.Node, ...], ...]


class CUntouched(CTrials):
    """Trials that need not be carried out, for all candidates at once."""

    def asked_at_once(self, node: C.Fold, kind: Kind) -> str | None:
        each, slot = node.each[-1], node.each[-1].slot
        itself = node.value is None or (isinstance(node.value, C.Get) and node.value.slot == slot)
        if self.noting or self.mode() or len(node.each) > 1 or each.form != "set" or not itself or slot >= 0:
            return None
        found, left = self.absorber.absorb(slot, conjuncts(node.where))
        many = self._many(left[0], slot) if len(left) == 1 else None
        top = self.top_of(each.domain[0])
        if many is None or top != self.program.spots.first_place:
            return None
        some = a_set(top)
        name, hard, all_ = self.temp("among"), self.temp("hard"), self.new_slot(some)
        self.declare(kind, name, self.set_const(0, kind.top))
        self.declare(some, self.slot(all_), self.narrow(each, found)[0])
        self.declare(some, hard, self.slot(all_))
        with self.if_("!x->trying"), self.afresh():
            self._find_hard(many, name, hard, all_, replace(each, domain=(C.Get(all_),)), kind)
        with self.loop_set(self.slot(slot), hard, some), self.afresh(), self.where(left):
            self.set_add(name, self.slot(slot), kind.top, True)
        return name

    def _find_hard(self, many: Many, name: str, hard: str, all_: int, each: C.Each, kind: Kind) -> None:
        """The candidates that have to be asked one by one; the others are added, if things are well as they stand."""
        some, candidates = self.kinds.slot(all_), self.slot(all_)
        i, touches = list(self.watched.values()).index(many.watch), self.temp("touches")
        at = self.held(self._number_of(many.watch.formula, [self.number(one) for one in many.given]), number(0, 1))
        self.line(f"{self._asking(many.watch)}(x, s, {at});")
        self.line(f"num {touches} = {'0' if many.watch.safe else f's->answer{i}[{at}] < 0'};")
        for touch in many.fixed:
            with self.where(list(touch.when)):
                self._touch(touch, touches, f"s->seen{i}[{at}]")
        with self.if_(self.not_(touches)):
            self.assign(hard, self.set_const(0, some.top))
            for touch in many.own:
                with self.where(list(touch.when)):
                    seen = self.op("common", [candidates, f"s->seen{i}[{at}]"], some.top)
                    self.assign(hard, self.op("union", [hard, seen], some.top))
            for when in many.apart:
                there = self.set_text(C.Fold("set", (each,), C.Both(when), None), some.top)
                self.assign(hard, self.op("union", [hard, there], some.top))
            with self.if_(f"s->answer{i}[{at}]"):
                self.assign(name, self.as_set(self.op("minus", [candidates, hard], some.top), some, kind.top))

    def _many(self, condition: C.Node, slot: int) -> Many | None:
        """The trials that a condition on a variable is."""
        match condition:
            case C.Would() as trial:
                outer: dict[int, C.Node] = {}
            case C.Invoke(formula=formula, args=args) if isinstance(formula.body, C.Would):
                trial, outer = formula.body, dict(zip(formula.slots, args, strict=True))
            case _:
                return None
        watch = self.watched.get(trial)
        if watch is None:
            return None
        try:
            given = tuple(put(one, outer) for one in watch.given)
            meant = dict(zip(watch.arguments, (put(arg, outer) for arg in trial.args), strict=True))
            touches = [
                Touch(
                    tuple(put(one, meant) for one in touch.when),
                    touch.piece and put(touch.piece, meant),
                    touch.spot and put(touch.spot, meant),
                    touch.must,
                    touch.free,
                )
                for touch in watch.touches
            ]
        except StuckError:
            return None

        def uses(*nodes: C.Node | None) -> bool:
            return any(self.absorber.uses(one, slot) for one in nodes if one is not None)

        fixed = [one for one in touches if not uses(*one.when, one.piece, one.spot)]
        own = [one for one in touches if one not in fixed and _is_it(one, slot) and not uses(*one.when)]
        apart = [one.when for one in touches if one not in fixed and one not in own]
        # Where a space must be free, what is not is asked by itself: it is a fault.
        taken = C.Primitive("occupied", (C.Get(slot),), ())
        apart += [(*one.when, taken) for one in own if one.free]
        if uses(*given) or not all(uses(*when) for when in apart):
            return None
        return Many(watch, given, tuple(fixed), tuple(own), tuple(apart))


def _is_it(touch: Touch, slot: int) -> bool:
    """Whether what is touched is the space that a variable holds."""
    return isinstance(touch.spot, C.Get) and touch.spot.slot == slot and touch.piece is None


__all__ = ["CUntouched"]
