"""Going through programs: what an expression has in it, the same with other parts, whether two say the same.

Which fields of a form hold expressions is read off its annotations in `ir.core`, once for each form, so a form that is
new there is known here. Nothing but this module goes through expressions field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from . import core as C

Parts = tuple[Any, ...]
HOLDERS = (C.Each, C.Variable, C.Entry)  # no expressions themselves: what they hold is part of what they stand in


class StuckError(Exception):
    """An expression looks at a variable in such a way that nothing can be put in its place."""


# --------------------------------------------------------------------------------------------------- parts

# How the expressions are had that a field of such an annotation holds.
_READ: dict[str, Callable[[Any], Iterable[Any]]] = {
    "Node": lambda value: (value,),
    "Node | None": lambda value: () if value is None else (value,),
    "Node | str | None": lambda value: () if value is None or isinstance(value, str) else (value,),
    "tuple[Node, ...]": lambda value: value,
    "tuple[Extending | None, ...]": lambda value: [one for one in value if one is not None],
    "Each": lambda value: value.domain,
    "tuple[Each, ...]": lambda value: [part for each in value for part in each.domain],
    "Variable | None": lambda value: () if value is None else parts(value),
    "tuple[Variable, ...]": lambda value: [part for one in value for part in parts(one)],
    "Entry | None": lambda value: () if value is None else parts(value),
    "tuple[Entry, ...]": lambda value: [part for one in value for part in parts(one)],
    "tuple[tuple[int, Node], ...]": lambda value: [part for _, part in value],
}
_READ["Test"] = _READ["Node | None"]
_READ["tuple[Test, ...]"] = _READ["tuple[Extending | None, ...]"]
_WORDS = ("Node", "Each", "Test", "Variable", "Entry", "Extending")


@cache
def _holding(form: Any) -> tuple[tuple[str, str], ...]:
    """The fields of a form that hold expressions, with their annotations."""
    found = []
    for field in fields(form):
        said = str(field.type)
        if "aside" in field.metadata or not any(word in said for word in _WORDS):
            continue
        assert said in _READ, f"{form.__name__}.{field.name}: it is not said how expressions are had from {said}"
        found.append((field.name, said))
    return tuple(found)


@cache
def _reader(form: Any) -> Callable[[Any], Parts]:
    holding = _holding(form) if hasattr(form, "__dataclass_fields__") else ()
    match holding:
        case []:
            return _none
        case [(name, "tuple[Node, ...]")]:
            return lambda node: getattr(node, name)
        case [(name, "Node")]:
            return lambda node: (getattr(node, name),)
    readers = [(name, _READ[said]) for name, said in holding]
    return lambda node: tuple([part for name, read in readers for part in read(getattr(node, name))])


def _none(_: Any) -> Parts:
    return ()


def parts(node: Any) -> Parts:
    """The expressions directly within an expression, operation, terminator, entry or variable."""
    return _reader(node.__class__)(node)


def within(*roots: Any) -> Iterator[Any]:
    """Expressions and all that is within them, each once; formulas, effects and menus that they ask are not entered."""
    seen: set[int] = set()
    work = [root for root in reversed(roots) if root is not None]
    while work:
        node = work.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            work += reversed(parts(node))


def looks_at(node: Any, slot: int) -> bool:
    """Whether an expression may look at a slot. What is tried out, and menus, may look at any that is in the state."""
    match node:
        case C.Get(slot=of) | C.Cell(base=of) | C.Several(base=of) if of == slot:
            return True
        case C.Would() | C.Possible() if slot >= 0:
            return True
    return any(looks_at(part, slot) for part in parts(node))


def bound(node: Any) -> set[int]:
    """The variables of formulas that an expression binds, with all that is within it."""
    found: set[int] = set()
    for one in within(node):
        if isinstance(one, C.Fold):
            found |= {each.slot for each in one.each}
        if isinstance(one, C.With):
            found |= {slot for slot in one.slots if slot < 0}
    return found


def free(node: Any) -> set[int]:
    """The variables of formulas that an expression takes from around it."""
    match node:
        case C.Get(slot=slot):
            return {slot} if slot < 0 else set()
        case C.Fold():
            own = {each.slot for each in node.each}
        case C.With():
            own = set(node.slots)
        case _:
            own = set()
    return {slot for part in parts(node) for slot in free(part)} - own


# --------------------------------------------------------------------------------------------- other parts


def rebuilt(node: Any, of: Callable[[Any], Any]) -> Any:
    """The same with `of(part)` in the place of each part; itself where nothing is different."""
    changed = {}
    for name, _ in _holding(node.__class__):
        value = getattr(node, name)
        new = _changed(value, of)
        if new is not value:
            changed[name] = new
    return replace(node, **changed) if changed else node


def _changed(value: Any, of: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple):
        new = tuple([_changed(item, of) for item in value])
        return value if all(a is b for a, b in zip(new, value, strict=True)) else new
    if isinstance(value, HOLDERS):
        return rebuilt(value, of)
    return value if value is None or isinstance(value, str | int) else of(value)


def put(
    node: Any,
    instead: dict[int, C.Node],
    fresh: Callable[[], int] | None = None,
    whole: Callable[[Any], C.Node | None] = lambda node: None,
) -> Any:
    """An expression with others in the place of variables; `StuckError` where it looks at them in other ways.

    Variables that it binds itself get slots from `fresh`; without it they stay as they are, and it is stuck where they
    would be taken for others. Where `whole` has something to say of an expression, that stands in its place.
    """
    other = whole(node)
    if other is not None:
        return other
    match node:
        case C.Get(slot=slot):
            return instead.get(slot, node)
        case C.Cell(base=base) | C.Several(base=base) if base in instead:
            raise StuckError
        case C.With() | C.Would() | C.Possible():
            if any(looks_at(node, slot) for slot in instead):
                raise StuckError
            return node
        case C.Fold():
            return _put_in_fold(node, instead, fresh, whole)
    return rebuilt(node, lambda part: put(part, instead, fresh, whole))


def _put_in_fold(node: C.Fold, instead: dict[int, C.Node], fresh: Any, whole: Any) -> Any:
    if fresh is None:
        if not any(looks_at(node, slot) for slot in instead):
            return node
        if any(looks_at(value, each.slot) for each in node.each for value in instead.values()):
            raise StuckError  # another variable of that name
        return rebuilt(node, lambda part: put(part, instead, fresh, whole))
    inner, each = dict(instead), []
    for one in node.each:
        domain = tuple(put(part, inner, fresh, whole) for part in one.domain)
        slot = fresh()
        inner[one.slot] = C.Get(slot)
        each.append(C.Each(slot, one.form, domain))
    where, value, keys = _changed((node.where, node.value, node.keys), lambda part: put(part, inner, fresh, whole))
    return replace(node, each=tuple(each), where=where, value=value, keys=keys)


# -------------------------------------------------------------------------------------------- saying the same

_ALONE = C.Formula | C.Procedure | C.Choice  # each is itself alone


def same(one: Any, other: Any) -> bool:
    """Whether two expressions are written alike, wherever they stand."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, _ALONE):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return all(same(getattr(one, name), getattr(other, name)) for name in _telling(one.__class__))
    return bool(one == other)


def key(node: Any) -> Any:
    """What is equal for expressions that say the same, as long as those expressions are kept."""
    if isinstance(node, tuple):
        return tuple(map(key, node)) if node and isinstance(node[0], C.Node | C.Each) else _known(node)
    if isinstance(node, C.Node | C.Each):
        form: Any = type(node)
        return form, *(key(getattr(node, name)) for name in _telling(form))
    return _known(node)


def _known(value: Any) -> Any:
    """Data of an expression as something that can be looked up: itself, or which of all there are it is."""
    try:
        hash(value)
    except TypeError:
        return tuple(map(_known, value)) if isinstance(value, tuple) else ("only", id(value))
    return value


@cache
def _telling(form: Any) -> tuple[str, ...]:
    """The fields that tell what an expression says: all but where it stands."""
    return tuple(field.name for field in fields(form) if field.name not in ("span", "type"))


__all__ = ["HOLDERS", "StuckError", "bound", "free", "key", "looks_at", "parts", "put", "rebuilt", "same", "within"]
