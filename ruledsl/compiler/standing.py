"""Pieces that are gone through though some of them were removed, and asked where they stand: `the(m.square)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.walk import parts, within
from ruledsl.source.text import Span
from ruledsl.types import Elem

_LYING = {"on", "on_set", "on_all", "top_of"}


def standing_nowhere(program: C.Program) -> Iterator[tuple[Span, str, str, str]]:
    """Where a choice takes one of all pieces of a kind, and asks for the space of each, though some may be removed."""
    removed = _removed(program)
    if not removed:
        return
    for block in program.blocks:
        if not isinstance(block.end, C.Choice):
            continue
        for entry in block.end.entries:
            for number, variable in enumerate(entry.variables):
                kind, domain = variable.type, variable.each.domain[0]
                if not isinstance(kind, Elem) or kind.root.kind != "piece" or not kind.mask & removed:
                    continue
                if any(_picks(one) for one in within(domain)):
                    continue
                later = entry.variables[number + 1 :]
                tests = [variable.where, *(t for x in later for t in (*x.each.domain, x.where)), *entry.where]
                if _asked_unasked([t for t in tests if t is not None], variable.slot):
                    span = getattr(domain, "span", None) or block.end.span
                    if span is not None:
                        name = variable.name
                        yield (
                            span,
                            "L544",
                            f"`{name}` may be one that was removed, and it is asked where it stands",
                            f"write `where {name}.{_word(program)}` behind it",
                        )


def _picks(node: Any) -> bool:
    """Whether something is all that lies somewhere, or was picked by a condition."""
    return isinstance(node, C.Fold | C.Invoke) or (isinstance(node, C.Primitive) and node.name in _LYING)


def _word(program: C.Program) -> str:
    """What a space is called."""
    return next((root.name for root in program.roots.values() if root.kind == "space"), "square")


def _removed(program: C.Program) -> int:
    """The pieces that may be removed in play, as a set."""
    found = 0
    for block in program.blocks:
        for op in block.ops:
            if isinstance(op, C.Act) and op.name == "remove":
                kinds = [one.type for one in within(*op.args) if isinstance(getattr(one, "type", None), Elem)]
                masks = [k.mask for k in kinds if isinstance(k, Elem) and k.root.kind == "piece"]
                found |= masks[0] if masks else -1
    return found


def _asked_unasked(tests: list[Any], slot: int) -> bool:
    """Whether it is demanded where a piece stands before it was asked whether it stands anywhere."""
    for test in tests:
        for part in test.args if isinstance(test, C.Both) else (test,):
            if _demands(part, slot):
                return True
            if _asks(part, slot):
                return False
    return False


def _is_standing(node: Any, slot: int) -> bool:
    match node:
        case C.Primitive(name="standing", args=(C.Get(slot=of),)):
            return of == slot
    return False


def _asks(node: Any, slot: int) -> bool:
    """Whether it is asked where a piece stands, here or in a formula that the piece is given to."""
    return any(_is_standing(one, slot) or any(_asks(*given) for given in _given(one, slot)) for one in within(node))


def _given(node: Any, slot: int) -> Iterator[tuple[Any, int]]:
    """The body of a formula that a piece is given to, with the place of the piece in it."""
    if isinstance(node, C.Invoke) and node.formula.body is not None:
        for place, arg in zip(node.formula.slots, node.args, strict=True):
            if isinstance(arg, C.Get) and arg.slot == slot:
                yield node.formula.body, place


def _demands(node: Any, slot: int) -> bool:
    match node:
        case C.Demand(of=of) if _is_standing(of, slot):
            return True
        case C.Both(args=args) | C.Either(args=args):
            return _asked_unasked(list(args), slot)
        case C.Cond(condition=condition) if _asks(condition, slot):
            return False
        case C.Invoke() if any(_demands(*given) for given in _given(node, slot)):
            return True
    return any(_demands(part, slot) for part in parts(node))


__all__ = ["standing_nowhere"]
