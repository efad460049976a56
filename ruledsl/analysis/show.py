"""Types in the words of a designer."""

from __future__ import annotations

from ruledsl.types import (
    FAR,
    BagOf,
    Bool,
    Code,
    Elem,
    ListOf,
    Nothing,
    Num,
    Root,
    SetOf,
    TableOf,
    Type,
)


def show(type: Type) -> str:
    """As in: the site must be *a square*, not *a set of man*."""
    match type:
        case Bool():
            return "a condition"
        case Num(low, high, maybe):
            shown = "a number" if low <= -FAR or high >= FAR else str(low) if low == high else f"a number {low}..{high}"
            return shown + (" or none" if maybe else "")
        case Elem(root, mask, maybe):
            return _article(show_mask(root, mask)) + (" or none" if maybe else "")
        case SetOf(of=Elem() as inner) if inner.root.kind in _SEVERAL:
            return _several(inner)
        case SetOf(of=inner):
            return f"a set of {_several(inner)}"
        case ListOf(of=inner):
            return f"a list of {_several(inner)}"
        case BagOf(root=root) if root.whole is not None:
            return f"a {root.name}"
        case BagOf(root=root):
            return f"a bag of {root.name}"
        case TableOf(keys=keys, item=item):
            return f"{show(item)} by {_plain(keys[0])}"
        case Code(kind=kind):
            return f"the code of {_article(kind)}"
        case Nothing(listed=listed):
            return "an empty list" if listed else "none"
    return "something"


def concerned(*types: Type) -> tuple[str, ...]:
    """The names under which types are declared: what an error about them may follow from."""
    found: list[str] = []
    for type in types:
        match type:
            case Elem(root, mask):
                found.append(show_mask(root, mask).strip("`"))
            case BagOf(root=root):
                found.append(root.name)
            case SetOf(of=inner) | ListOf(of=inner):
                found += concerned(inner)
            case TableOf(keys=keys, item=item):
                found += concerned(*keys, item)
    return tuple(found)


def show_mask(root: Root, mask: int) -> str:
    """The narrowest name for some members of a root."""
    if mask.bit_count() == 1 and root.kind in ("enum", "direction"):
        return f"`{root.names[mask.bit_length() - 1]}`"
    named = getattr(root, "parts", None) or {}
    fitting = [(part.bit_count(), name) for name, part in named.items() if mask & ~part == 0]
    return min(fitting)[1] if fitting else root.name


_SEVERAL = {"player": "players", "place": "places"}  # the kinds of types of which people speak in the plural


def _several(type: Type) -> str:
    """What a set or list consists of: a name that a designer gave has no plural."""
    if isinstance(type, Elem):
        return _SEVERAL.get(type.root.kind) or f"`{show_mask(type.root, type.mask).strip('`')}`"
    return "numbers" if isinstance(type, Num) else show(type)


def _plain(type: Type) -> str:
    if isinstance(type, Elem):
        return show_mask(type.root, type.mask)
    return "number" if isinstance(type, Num) else show(type)


def _article(noun: str) -> str:
    if noun.startswith("`"):
        return noun
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
