"""`show:`, what a player sees of pieces, of places, of players and of the game.

What a text of `show:` says is worked out by `runtime.table` when somebody looks, so it is no part of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruledsl.analysis.build import Builder
from ruledsl.analysis.names import BoardInfo, Shown, Typed
from ruledsl.analysis.needs import SHOWN
from ruledsl.analysis.show import show as show_type
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import BagOf, Bool, Broken, Elem, ListOf, Num, Root, SetOf, Type, every

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld


def declare_shown(world: GameWorld) -> None:
    """What is shown, by the sort and name of what shows it."""
    with world.needs.within(SHOWN):
        _declare(world)


def _declare(world: GameWorld) -> None:
    shown = world.data["shown"] = {"player": None, "game": None, "score": True}
    for sort in ("places", "values", "pools"):
        shown[sort] = {
            name: word.value
            for name, (_, node) in world.sections.named[sort].items()
            if isinstance(node, Map) and isinstance(word := world.report.looked_at(node, "show"), Scalar)
        }
    shown["places"] |= {
        f"reserve {kind.name}": _reserve(world, world.sections.named["pieces"].get(kind.name, (None, None))[1])
        for kind in world.kinds
    }
    for part in world.sections.show:
        for key in ("player", "game"):
            if part.has(key):
                items = [_item(world, node, None, key) for node in _items(part.get(key))]
                _shown_twice(world, part.get(key))
                shown[key] = [*(shown[key] or ()), *(item for item in items if item is not None)]
        shown["score"] = part.truth("score", shown["score"])
    shown["pieces"] = {kind.name: _of_kind(world, kind.name) for kind in world.kinds}
    shown["boards"] = {info.name: list(_of_spaces(world, info)) for info in world.boards}


def _shown_twice(world: GameWorld, written: Node | None) -> None:
    told: set[str] = set()
    for node in _items(written):
        if isinstance(node, Scalar) and node.value in told:
            world.idle(node.span, f"`{node.value}` is shown already")
        told |= {node.value} if isinstance(node, Scalar) else set()


def _of_spaces(world: GameWorld, info: BoardInfo) -> Iterator[Shown]:
    """What is shown of each space of a board: values, each of which has a sign."""
    _, node = world.sections.named["boards"].get(info.name, (None, None))
    written = world.report.looked_at(node, "show") if isinstance(node, Map) else None
    for item in _items(written):
        if isinstance(item, Map) or (isinstance(item, Scalar) and "{" in item.value):
            message = "a space shows signs, not texts"
            world.report.error("T259", item.span, message, help="write attributes and formulas, as in `terrain(this)`")
            continue
        shown = _item(world, item, every(info.root), info.word)
        if shown is None or shown.value is None:
            continue
        kind = shown.value.type.of if isinstance(shown.value.type, SetOf) else shown.value.type
        signed = isinstance(kind, Elem) and kind.root.kind in ("enum", "player", "space")
        if signed or isinstance(kind, Bool | Num):
            yield shown
        else:
            message = f"only a word, a number or a condition has a sign, and this is {show_type(shown.value.type)}"
            world.report.error("T259", item.span, message)


def _reserve(world: GameWorld, node: Node | None) -> str:
    word = world.report.looked_at(node, "reserve") if isinstance(node, Map) else None
    return word.value if isinstance(word, Scalar) else "never"


_TOLD_APART = ("each", "rows", "from", "attributes", "title", "about", "names")


def _of_kind(world: GameWorld, name: str) -> list[Shown]:
    _, node = world.sections.named["pieces"].get(name, (None, None))
    written = world.report.looked_at(node, "show") if isinstance(node, Map) else None
    mask = world.pieces.parts.get(name, 0)
    if not mask:
        return []
    if written is None:
        return _of_alike(world, node, Elem(world.pieces, mask), name)
    items = [_item(world, item, Elem(world.pieces, mask), name) for item in _items(written)]
    return [item for item in items if item is not None]


def _of_alike(world: GameWorld, node: Node | None, of: Elem, name: str) -> list[Shown]:
    """The state of pieces that nothing else tells apart, such as faces of dice. That it is shown is no use of it."""
    state = node.get("state") if isinstance(node, Map) else None
    if not isinstance(node, Map) or not isinstance(state, Map) or any(key in node.entries for key in _TOLD_APART):
        return []
    origins = [origin for _, origin in world.data.get("attributes", ())]
    used = [origin.used for origin in origins]
    items = [_item(world, entry.key, of, name) for entry in state if entry.key.value in world.pieces.attributes]
    for origin, before in zip(origins, used, strict=True):
        origin.used = before
    return [item for item in items if item is not None and item.value is not None and _is_short(item.value.type)]


def _is_short(kind: Type | None) -> bool:
    return isinstance(kind, Bool | Num | Elem)


def _items(node: Node | None) -> list[Node]:
    """A list of things to show, or a single one."""
    if isinstance(node, Seq):
        return list(node.items)
    return [node] if node is not None else []


def _item(world: GameWorld, node: Node, of: Elem | None, what: str) -> Shown | None:
    """One thing to show: a text with values in it, or a value by its name."""
    slot = world.scratch() if of is not None else 0
    with world.elaborator.scope():
        if of is not None:
            world.elaborator.bind("this", Typed(C.Get(slot), of), quiet=True)
        if isinstance(node, Map) or (isinstance(node, Scalar) and "{" in node.value):
            words = Builder(world).words(node)
            return Shown(slot, words) if words is not None else None
        return _named(world, node, slot, of, what)


def _named(world: GameWorld, node: Node, slot: int, of: Elem | None, what: str) -> Shown | None:
    tree = world.elaborator.read(node)
    if isinstance(tree, E.Bad):
        return None
    own: Root | None = of.root if of is not None else world.players if what == "player" else None
    if isinstance(tree, E.Name) and own is not None and tree.name in own.attributes:
        holder = E.Name(tree.span, "this" if of is not None else "me")
        tree = E.Attribute(tree.span, holder, tree)
    name = _name_of(tree)
    if name == "about" and own is world.pieces and isinstance(tree, E.Name):  # what is printed on them
        return Shown(slot, None, name)
    if not name and (own is None or own.kind != "space"):  # signs stand without a word
        world.report.error(
            "S123",
            tree.span,
            "players would not know what this number or word means",
            help='write it as a text, as in `"cards: {count(me.hand)}"`',
        )
        return None
    if of is not None and isinstance(tree, E.Name) and _misses(world, tree, of):
        return None
    typed = world.elaborator.expr(tree)
    if isinstance(typed.type, Broken):
        return None
    if isinstance(typed.type, Elem) and typed.type.root.kind == "place":
        place = getattr(tree.name, "name", tree.name) if isinstance(tree, E.Name | E.Attribute) else "this place"
        world.idle(tree.span, f"a place is shown with what lies in it, by its own `show:`; `{place}` adds nothing here")
        return None
    if not _can_be_read(typed.type):
        _refuse(world, tree.span, typed.type, own, name)
        return None
    return Shown(slot, None, name, C.Hole(typed.node, typed.type))


def _misses(world: GameWorld, tree: E.Name, of: Elem) -> bool:
    """Says so where a name is neither an attribute of the pieces nor anything else."""
    if tree.name in world.names:
        return False
    known = nearest(
        tree.name, [name for name, found in of.root.attributes.items() if any(a.mask & of.mask for a in found)]
    )
    world.report.error(
        "N123",
        tree.span,
        f"these {'spaces' if of.root.kind == 'space' else 'pieces'} have no `{tree.name}`",
        help=did_you_mean(known) or 'an attribute, a value, or a text such as `"{this.cost} coins"`',
        suggestions=tuple(known),
    )
    return True


def _name_of(tree: E.Expr) -> str:
    """The word by which people may call what an expression gives."""
    match tree:
        case E.Name(name=name):
            return name
        case E.Attribute(name=E.Name(name=name)):
            return name
        case E.Call(of=of):
            return _name_of(of)
    return ""


def _can_be_read(kind: Type) -> bool:
    return isinstance(kind, Bool | Num | Elem | SetOf | ListOf | BagOf)


def _refuse(world: GameWorld, span: Span, kind: Type, own: Root | None, name: str) -> None:
    help = (
        f"say whose it is, as in `{'me' if own is not None else name}.{name}`" if own is not None else "say whose it is"
    )
    world.report.error("T259", span, f"only a value can be shown, and this is {show_type(kind)}", help=help)


__all__ = ["declare_shown"]
