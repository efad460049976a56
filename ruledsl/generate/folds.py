"""Folds of loops as text of another language: counts, sums, sets, lists and what is first or most of a domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER, LIST, TRUTH, Kind, a_set
from ruledsl.types import NO_NUMBER

from .kept import conjuncts

if TYPE_CHECKING:
    from .language import Text
    from .writer import Writer


class Folds:
    """A method for each kind of fold, on a writer. Languages may have better words for some."""

    def __init__(self, out: Writer) -> None:
        self.out = out

    def text(self, node: C.Fold) -> Text:
        kind = self.out.kind(node)
        return getattr(self, "fold_" + node.kind, self.fold_extreme)(node, kind), kind

    def shown(self, node: C.Fold) -> Text:
        out = self.out
        if node.value is not None:
            return out.value(node.value)
        slot = node.each[0].slot
        return out.slot(slot), out.kinds.slot(slot)

    def fold_count(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        name = out.temp("n")
        out.declare(ANY_NUMBER, name, "0")
        if not out.by_sets(node, lambda text, top: out.assign(name, f"{name} + {out.op('size', [text], top)}")):
            out.tested(node, lambda: out.assign(name, f"{name} + 1"))
        return name

    def fold_any(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        name = out.temp("found")
        out.declare(TRUTH, name, "0")

        def some(text: str, top: int) -> str:
            out.assign(name, out.op("unequal", [text, out.set_const(0, top)], top))
            return name

        def do() -> str:
            if node.value is None:
                out.assign(name, "1")
            else:
                out.assign(name, out.truth(node.value))
            return name

        if node.value is None and len(node.each) == 1 and node.each[0].form == "set":
            last = node.each[0]
            conditions = conjuncts(node.where)
            if all(map(out.absorber.safe, conditions)):
                found, left = out.absorber.absorb(last.slot, conditions)
                if last.slot < 0 and not left and any(_is_fold(region.given) for region in found):
                    for at, condition in enumerate(conditions):
                        other = is_one(condition, last.slot)
                        if other is not None and not out.absorber.uses(other, last.slot):
                            self._one_member(name, last, other, [*conditions[:at], *conditions[at + 1 :]])
                            return name
                touched = (out.touches(last, found) or out.meets(last, found)) if not left else None
                if touched is not None:
                    return touched
        if node.value is not None or not out.by_sets(node, some):
            out.tested(node, do)
        return name

    def _one_member(self, name: str, each: C.Each, item: C.Node, conditions: list[C.Node]) -> None:
        """Whether a certain member of a domain fulfils conditions."""
        out = self.out
        kind = out.kinds.slot(each.slot)
        text, there = out.simple(out.number(item)), out.kind(item)
        inside = out.op("holds", [text, out.set_text(each.domain[0], kind.top)], kind.top)
        with out.if_(out.both([*([] if there.sure else [f"{text} >= 0"]), inside])):
            out.declare(kind, out.slot(each.slot), text)
            out.assign(name, out.connected(tuple(conditions), True) if conditions else "1")

    def fold_all(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        assert node.value is not None
        name = out.temp("good")
        out.declare(TRUTH, name, "1")

        def do() -> str:
            assert node.value is not None
            out.assign(name, out.truth(node.value))
            return out.not_(name)

        out.tested(node, do)
        return name

    def fold_sum(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        name = out.temp("sum")
        out.declare(ANY_NUMBER, name, "0")
        out.tested(node, lambda: out.assign(name, f"{name} + {self.shown(node)[0]}"))
        return name

    def fold_bagsum(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        name = out.temp("sum")
        out.declare(kind, name, out.list_const((0,) * node.none))
        out.tested(node, lambda: out.assign(name, out.op("bag_add", [name, self.shown(node)[0]])))
        return name

    def fold_set(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        node = out.absorber.as_spaces(node) or node
        name = out.temp("among")
        out.declare(kind, name, out.set_const(0, kind.top))
        last = node.each[-1]
        itself = (node.value is None and len(node.each) == 1) or (node.value is not None and _is(node.value, last.slot))

        def add(text: str, top: int) -> None:
            text = out.as_set(text, a_set(top), kind.top)
            out.assign(name, out.op("union", [name, text], kind.top) if len(node.each) > 1 else text)

        if itself and out.by_sets(node, add):
            return name

        def do() -> None:
            text, item = self.shown(node)
            out.set_add(name, text, kind.top, item.sure)

        out.tested(node, do)
        return name

    def fold_union(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        name = out.temp("among")
        out.declare(kind, name, out.set_const(0, kind.top))

        def do() -> None:
            text, item = self.shown(node)
            out.assign(name, out.op("union", [name, out.as_set(text, item, kind.top)], kind.top))

        out.tested(node, do)
        return name

    def fold_extreme(self, node: C.Fold, kind: Kind) -> str:
        """max and min."""
        out = self.out
        name = out.temp("best")
        out.declare(kind, name, str(node.none))

        def do() -> None:
            text = out.simple(self.shown(node)[0])
            better = f"{text} {'>' if node.kind == 'max' else '<'} {name}"
            with out.if_(out.both([f"{text} != {node.none}", out.either([f"{name} == {node.none}", better])])):
                out.assign(name, text)

        out.tested(node, do)
        return name

    def fold_first(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        if node.keys:
            return out.op("head", [self.fold_list(node, kind), str(node.none)])
        name = out.temp("first")
        out.declare(kind, name, str(node.none))
        (last,) = node.each if len(node.each) == 1 else (None,)
        if last is not None and node.none == -1 and (node.value is None or _is(node.value, last.slot)):
            lowest = out.which_end(last)
            if lowest is not None and out.by_sets(
                node,
                lambda text, top: out.assign(name, lowest.replace("SET", text).replace("WORDS", out.words_of(top))),
            ):
                return name

        def do() -> str:
            out.assign(name, self.shown(node)[0])
            return f"{name} != {node.none}"

        out.tested(node, do)
        return name

    def fold_last(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        return out.op("tail", [self.fold_list(node, kind), str(node.none)])

    def fold_list(self, node: C.Fold, kind: Kind) -> str:
        out = self.out
        name = out.temp("list")
        none = NO_NUMBER if node.none == NO_NUMBER else -1
        out.list_begin(name, len(node.keys))

        def do() -> None:
            keys = [out.number(key) for key in node.keys]
            out.list_push(name, self.shown(node)[0], none, keys)

        out.tested(node, do)
        out.list_end(name, len(node.keys))
        return name

    def fold_most(self, node: C.Fold, kind: Kind) -> str:
        return self._top(node, kind, ">")

    def fold_least(self, node: C.Fold, kind: Kind) -> str:
        return self._top(node, kind, "<")

    def _top(self, node: C.Fold, kind: Kind, better: str) -> str:
        """The members with the greatest or smallest keys."""
        out = self.out
        name = out.temp("among")
        out.declare(kind, name, out.set_const(0, kind.top))
        kinds = [out.kind(key) if out.kind(key).sort == LIST else ANY_NUMBER for key in node.keys]
        best = [out.temp("key") for _ in node.keys]
        for key, sort in zip(best, kinds, strict=True):
            out.declare(sort, key, out.list_const(()) if sort.sort == LIST else "0")
        any_ = out.temp("any")
        out.declare(TRUTH, any_, "0")
        slot = out.slot(node.each[0].slot)

        def do() -> None:
            keys = [out.held(out.value(key)[0], sort) for key, sort in zip(node.keys, kinds, strict=True)]
            ahead, level = "0", "1"
            for new, old, sort in reversed(list(zip(keys, best, kinds, strict=True))):
                same, first = out.compared(new, "==", old, sort), out.compared(new, better, old, sort)
                ahead = out.either([first, out.both([same, ahead])])
                level = out.both([same, level])
            with out.if_(out.either([out.not_(any_), ahead])):
                out.assign(any_, "1")
                for new, old in zip(keys, best, strict=True):
                    out.assign(old, new)
                out.assign(name, out.op("just", [slot], kind.top))
            with out.else_(), out.if_(level):
                out.set_add(name, slot, kind.top, True)

        out.tested(node, do)
        return name


def _is_fold(node: C.Node | None) -> bool:
    return isinstance(node, C.Fold)


def is_one(condition: C.Node, slot: int) -> C.Node | None:
    """What a variable must be, if a condition says so."""
    match condition:
        case C.Op(name="equal", args=(C.Get(slot=of), other)) if of == slot:
            return other
        case C.Op(name="equal", args=(other, C.Get(slot=of))) if of == slot:
            return other
    return None


def _is(node: C.Node, slot: int) -> bool:
    return isinstance(node, C.Get) and node.slot == slot
