"""Prices: amounts of sorts of tokens, parts of which may be paid with any of several sorts.

A price of `resource` is a bag whose sorts are the members of `resource`, and behind them `any basic` for every part
of that type, and `any` for the whole. So it is kept, shown and added up as every bag is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import FAR, BagOf, Broken, Elem, Num, Root, Type

from .names import PoolInfo, Typed

if TYPE_CHECKING:
    from ruledsl.analysis.elaborate import Elaborator

    from .world import World

ANY = "any"
MOST_SORTS = 30  # they are bits of one number
MOST_FREE = 8  # all ways to join them are gone through


def price_root(world: World, root: Root, span: Span | None = None) -> Root | None:
    """The sorts of a price that is paid with members of a type; None if there are too many of them."""
    known: dict[Root, Root | None] = world.data.setdefault("prices", {})
    if root not in known:
        known[root] = _made(world, root, span)
    return known[root]


def _made(world: World, root: Root, span: Span | None) -> Root | None:
    parts = _parts(root)
    if root.size > MOST_SORTS or len(parts) >= MOST_FREE:
        message = f"a price goes with a type of at most {MOST_SORTS} words and {MOST_FREE - 1} parts"
        world.report.error("R316", span or world.span, f"{message}, and `{root.name}` has more")
        return None
    made = Root(f"price of {root.name}", "enum", [*root.names, *free_names(root)])
    made.titles = [*root.titles, *(_title(world, name) for name in [*parts, root.name])]
    made.whole, made.free = root, (*parts.values(), root.everything)
    made.parts = {name: mask for name, mask in root.parts.items() if name != root.name}
    return made


def _parts(root: Root) -> dict[str, int]:
    return {name: mask for name, mask in root.parts.items() if mask != root.everything}


def free_names(root: Root) -> list[str]:
    """What may stand in a price for any of several sorts."""
    return [f"{ANY} {name}" for name in _parts(root)] + [ANY]


def price_of(world: World, kind: Elem, name: str, span: Span) -> Type:
    """The type `price of resource`. Of a part of a type, `any` is any of that part."""
    sorts = price_root(world, kind.root, span)
    if sorts is None:
        return Broken()
    if kind.mask != kind.root.everything:  # tokens are only of that part
        sorts.titles[-1] = _title(world, name)
    return BagOf(sorts, kind.mask | sorts.everything & ~kind.root.everything, FAR // 1000)


def _title(world: World, name: str) -> dict[str, str]:
    """How people read what stands for any of several sorts."""
    said = world.title_of_word(name)
    own = {"en": f"{ANY} {{}}", "ru": "{} на выбор"}
    return {language: own.get(language, own["en"]).format(word) for language, word in said.items()}


def is_free(word: str) -> bool:
    """Whether a word is a sort of a price that any of several pay."""
    return word == ANY or word.startswith(f"{ANY} ")


def free_sort(elab: Elaborator, tree: E.Name, want: Type | None) -> Typed | None:
    """`any basic`, or `any`: a sort of a price. None where a bare `any` means something else."""
    world, part = elab.world, tree.name.removeprefix(ANY).strip()
    if not part:
        root = want.root if isinstance(want, Elem | BagOf) else None
        root = root if root is not None and (root.whole is not None or _is_paid_with(world, root)) else None
        if root is None:
            return None
        whole = root.whole or root
        name = ANY
    else:
        declared = world.names.get(part)
        kind = declared.data.type if declared is not None and declared.sort == "type" else None
        if not isinstance(kind, Elem):
            types = [d.name for d in world.names.values() if d.sort == "type" and isinstance(d.data.type, Elem)]
            known = nearest(part, types)
            help = did_you_mean([f"{ANY} {word}" for word in known]) or "`any` stands before the name of a type"
            if not known and part in elab.world.known_words(elab.scopes, None):  # `any plot`: one of a set
                letter = part[0]
                help = f"write `{part}` to choose among them, and `any({letter} in {part} where …)` to ask for one"
            said = f"no tokens are of type `{part}`" if declared is not None else f"there is no type `{part}`"
            elab.fail("N111", tree.span, said, help, tuple(f"{ANY} {word}" for word in known))
            return Typed(C.Const(0), Broken())
        assert declared is not None, "it has a type"
        declared.used = True
        whole = kind.root
        name = ANY if kind.mask == whole.everything else tree.name
    sorts = price_root(world, whole, tree.span)
    number = world.member_number(sorts, name) if sorts is not None else None
    if sorts is None or number is None:
        return Typed(C.Const(0), Broken())
    return Typed(C.Const(number, tree.span), Elem(sorts, 1 << number))


def _is_paid_with(world: World, root: Root) -> bool:
    return any(pool.of is root for pool in world.pools)


def are_amounts(world: World, node: Any) -> bool:
    """Whether a map says how many there are of sorts: `{clay: 2, any basic: 1}`."""
    if not isinstance(node, Map) or not node.entries:
        return False
    types = (one.data.type for one in world.names.values() if one.sort == "type")
    sorts = {name for kind in types if isinstance(kind, Elem) for name in kind.root.names}
    return all(isinstance(e.value, Scalar) and (e.key.value in sorts or is_free(e.key.value)) for e in node)


def only_sorts(world: World) -> Type | None:
    """The type of which tokens are, if all are of one: what `any` means where nothing else says it."""
    roots = {pool.of for pool in world.pools if pool.of is not None}
    root = next(iter(roots)) if len(roots) == 1 else None
    return Elem(root, root.everything) if root is not None else None


def widened(typed: Typed, root: Root) -> C.Node:
    """A bag as a bag of other sorts: as a price, where it is none yet."""
    kind = typed.type
    if not isinstance(kind, BagOf) or kind.root is root or root.whole is not kind.root:
        return typed.node
    if isinstance(typed.node, C.Const):
        return C.Const((*typed.node.value, *(0,) * len(root.free)), typed.node.span)
    return C.Op("bag_widen", (typed.node, C.Const(root.size)), getattr(typed.node, "span", None))


def as_price(world: World, typed: Typed, span: Span) -> Typed | None:
    """A bag as a price."""
    kind = typed.type
    assert isinstance(kind, BagOf)
    root = kind.root if kind.root.whole is not None else price_root(world, kind.root, span)
    return None if root is None else Typed(widened(typed, root), BagOf(root, kind.mask, kind.most))


def free_of(kind: Type) -> C.Node:
    """Which sorts pay for each free part of a price."""
    assert isinstance(kind, BagOf)
    return C.Const(kind.root.free)


def due(elab: Elaborator, price: C.Node, less: C.Node | None, least: C.Node | None, span: Span | None) -> C.Node:
    """How many tokens a price asks for, less a discount that leaves so many at the least."""
    total: C.Node = elab.op("bag_total", (price,), span)
    if less is None:
        return total
    rest = elab.op("greatest", (elab.op("subtract", (total, less)), least if least is not None else C.Const(0)))
    found: C.Node = elab.op("least", (total, rest))
    return found


def discount(elab: Elaborator, read: Callable[[str], Any]) -> tuple[C.Node | None, C.Node | None]:
    """`less` and `least`, as numbers from 0."""
    found: list[C.Node | None] = []
    for name in ("less", "least"):
        tree = read(name)
        if tree is None:
            found.append(None)
            continue
        typed = elab.expr(tree)
        found.append(elab.fitting.coerce(typed, Num(0, FAR), tree.span, f"`{name}`"))
    if found[1] is not None and found[0] is None:
        elab.fail("T221", read("least").span, "`least` needs `less`: it says how much `less` leaves", "add `less`")
    return found[0], found[1]


def met(price: Typed, have: C.Node, span: Span | None) -> C.Op:
    """How many tokens of a price can be paid out of a bag."""
    return C.Op("price_met", (price.node, have, free_of(price.type)), span)


def own_tokens(world: World, pool: PoolInfo, player: C.Node, span: Span) -> Typed | None:
    """What a player has of a pool."""
    for owner, base, root in pool.holders.values():
        if owner == "player" or (root is not None and root is world.players):
            return world.tokens(pool, base, root, player, span)
    return None
