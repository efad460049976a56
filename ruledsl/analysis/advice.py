"""What to write instead: advice for words that one may try first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.syntax import expr as E
from ruledsl.types import Elem, ListOf, SetOf, Type

if TYPE_CHECKING:
    from ruledsl.analysis.world import World


def way_through_place(world: World, kind: Elem, tree: E.Attribute) -> str:
    """For who looks for the place of a piece, or for whose place it is, under another word."""
    asked, written = tree.name.name, " ".join(tree.of.span.text.split())
    keyed = [i for i in world.place_infos if i.key]
    if kind.root.kind == "piece":
        places = [i for i in keyed if kind.mask & ~i.kinds == 0]
        for info in places:
            has = info.per.root.attributes if isinstance(info.per, Elem) else {}
            if asked == info.key or asked in has:
                return f"write `{written}.{info.name}.{asked}`: by way of the place `{info.name}` that it lies in"
        if asked in _WHERE and places:
            return f"`{written}.{places[0].name}` is the `{places[0].name}` that it lies in"
    if kind.root.kind == "place" and asked in ("key", "owner", "holder", "of"):
        found = [i for i in keyed if kind.mask & ((1 << i.count) - 1) << i.first]
        return f"write `{written}.{found[0].key}`" if found else ""
    if kind.root.kind == "place" and asked in ("card", "piece", "content", "contents"):
        held = [word.name for i in keyed for word in world.kinds if kind.mask >> i.first & 1 and i.kinds & word.mask]
        return f"`{written}.{held[0]}` is the first {held[0]} in it, or none" if held else ""
    return ""


def place_called(world: World, tree: E.Call, kind: Type) -> str:
    """For who asks for the place of a piece by a function: `lot(c)`, `place_of(c)`."""
    assert isinstance(tree.of, E.Name)
    if not isinstance(kind, Elem) or kind.root.kind != "piece":
        return ""
    asked, written = tree.of.name, " ".join(tree.arguments.plain[0].span.text.split())
    places = [i.name for i in world.place_infos if i.key and kind.mask & ~i.kinds == 0]
    wanted = [name for name in places if name == asked] or (places if asked.removesuffix("_of") in _WHERE else [])
    return f"`{written}.{wanted[0]}` is the `{wanted[0]}` that it lies in" if wanted else ""


_WHERE = ("place", "where", "location", "lies_in", "in", "at", "position", "lies")


def shared_words(a: Type, b: Type) -> str:
    """For two enumerations with the same words: one can be a part of the other, and then they are compared."""
    one, other = (t.of if isinstance(t, SetOf | ListOf) else t for t in (a, b))
    if not isinstance(one, Elem) or not isinstance(other, Elem) or {one.root.kind, other.root.kind} != {"enum"}:
        return ""
    small, large = sorted((one.root, other.root), key=lambda root: root.size)
    both = [word for word in small.names if word in large.names]
    if not both or " " in small.name + large.name:
        return ""
    if len(both) < small.size:
        return f"both have the word `{both[0]}`; words that are to be compared are members of one type"
    some = f"{', '.join(both[:6])}{', …' if both[6:] else ''}"
    return (
        f"to compare them, make one a part of the other: "
        f'`{small.name}: {{some: {large.name}, where: "this in [{some}]"}}`'
    )


_RANKINGS = ("ranking", "rankings", "standings", "leaderboard", "order_of_points")
_SCORES = ("score", "scores", "points", "totals", "victory_points", "vp")


def about_points(world: World, word: str) -> str:
    """For who asks for the points of `scoring:` in the rules."""
    if not world.sections.scoring:
        return ""
    if word in _RANKINGS:
        return "`ranking` is the list of all players, the best first; write it without brackets"
    return "`score[p]` is the current total of a player under `scoring:`" if word in _SCORES else ""
