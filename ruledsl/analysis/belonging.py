"""What belongs to something: attributes, values by key, items of lists and bags, spaces at a place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import (
    FAR,
    Attribute,
    BagOf,
    Bool,
    Broken,
    Code,
    Elem,
    ListOf,
    Num,
    SetOf,
    TableOf,
    Type,
    every,
    join,
    maybe,
    none_of,
    surely,
)

from .advice import of_an_edge
from .meant import about_attribute, held_by_names
from .names import BAD, BoardInfo, Declared, PlaceInfo, Typed
from .show import concerned, show, show_mask
from .ways import of_one_at_hand

if TYPE_CHECKING:
    from .elaborate import Elaborator


class Belonging:
    """What belongs to something: attributes, values by key, items of lists and bags, spaces at a place."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab, self.world = elab, elab.world

    def may_qualify(self, of: E.Name, word: str) -> bool:
        """Whether `file.e` may be the member of a type: not if `file` is a name here, of something that has an `e`."""
        local = self.elab.local(of.name)
        if local is None:
            return True
        kind = local.value.type
        return isinstance(kind, Elem) and kind.root.name == of.name and word not in kind.root.attributes

    def qualified(self, of: E.Name, name: E.Name) -> Typed | None:
        """`item.horse`: a member by its type; `supply.gold`: the tokens that nobody has."""
        if of.name == "supply":
            return self.world.supply(name, self.elab)
        declared = self.world.names.get(of.name)
        if declared is not None and declared.sort == "type" and isinstance(declared.data.type, Elem):
            number = self.world.member_number(declared.data.type.root, name.name)
            if number is not None:
                declared.used = True
                return Typed(C.Const(number, name.span), Elem(declared.data.type.root, 1 << number))
        if declared is not None and declared.sort == "board":
            number = self.world.member_number(declared.data.root, name.name)
            if number is not None:  # `garden.a1`: a space by the name of its board
                declared.used = True
                return Typed(C.Const(number, name.span), Elem(declared.data.root, 1 << number))
        for root, number in self.world.homes(name.name):
            if root.name == of.name:  # `cell.a1`, `piece.king`, `player.anna`
                self.world.use_member(root, number)
                return Typed(C.Const(number, name.span), Elem(root, 1 << number))
        return None

    def attribute_of(self, of: Typed, tree: E.Attribute) -> Typed:
        elab = self.elab
        name = tree.name
        match of.type:
            case Broken():
                return BAD
            case BagOf(root=root):
                number = self.world.member_number(root, name.name)
                if number is None:
                    known = nearest(name.name, root.names)
                    return elab.fail(
                        "N102", name.span, f"`{name.name}` is no {root.name}", did_you_mean(known), tuple(known)
                    )
                return self.bag_item(of, Typed(C.Const(number), Elem(root, 1 << number)), tree.span)
            case Elem():
                return self.attribute_of_element(of, of.type, tree)
            case SetOf(of=Elem(root=root)) if root.kind in ("piece", "space", "part", "place", "player"):
                whole = tree.of.span.one_line
                held = held_by_names(elab, whole, name.name)
                mine = of_one_at_hand(elab, of.type.of) if whole.isidentifier() and elab.local(whole) is None else ""
                if mine and mine != whole and not held and whole in concerned(of.type):
                    help = f"`{whole}` are all of them: did you mean `{mine}.{name.name}`?"
                    said = f"this is {show(of.type)}, and only one of them has `{name.name}`"
                    return elab.fail("T204", name.span, said, help, about=concerned(of.type))
                if tree is elab.changing and not held:
                    help = f"for all of them: `for: {{x: {whole}}}`, and below it `do:` with `x.{name.name}`"
                    if (one := of_one_at_hand(elab, of.type.of)) and one != "me":
                        help = did_you_mean([f"{one}.{name.name}"])
                    return elab.fail(
                        "T204",
                        name.span,
                        f"this is {show(of.type)}, and one is changed at a time",
                        help,
                        about=concerned(of.type),
                    )
                meant = did_you_mean(held[:1])
                if name.name in self.world.builtins and name.name not in root.attributes:
                    meant = f"write `{name.name}({whole})`"
                keys = elab.local(name.name)
                if root.kind == "place" and keys is not None and isinstance(tree.of, E.Name):
                    meant = f"say which one in square brackets: `{whole}[{name.name}]`"
                each = f"x.{name.name} for x in {whole if len(whole) <= 30 else '…'}"
                told = any(isinstance(a.type, Bool) for a in root.attributes.get(name.name, ()))
                compared = re.match(
                    r"\s*(?:[=!<>]=|<|>)\s*[\w.]+", name.span.file.text[name.span.end : name.span.end + 60]
                )
                if compared and len(whole) <= 30:
                    x, over = ("p", "players") if root.kind == "player" else ("x", whole)
                    meant = meant or f"write `any({x} in {over} where {x}.{name.name}{compared[0].rstrip()})`"
                asked = f"write `any({each})` or `all({each})`; or `first(…)` for the first of them"
                return elab.fail(
                    "T204",
                    name.span,
                    f"this is {show(of.type)}, and only one of them has `{name.name}`",
                    meant
                    or (asked if told else "")
                    or f"write `sum({each})`, `set({each})` or the like; or `first(…)` for the first of them",
                    about=concerned(of.type),
                )
        help = ""
        if isinstance(of.type, ListOf | SetOf) and name.name in self.world.builtins:  # `ranking.last`
            help = f"write `{name.name}({tree.of.span.one_line})`"
        help = help or of_an_edge(self.world, name.name)
        if isinstance(of.type, TableOf) and elab.local(name.name) is not None:
            help = f"say which one in square brackets: `{tree.of.span.one_line}[{name.name}]`"
        return elab.fail("T205", name.span, f"{show(of.type)} has no `{name.name}`", help, about=concerned(of.type))

    def _by_kind(self, of: Typed, kind: Elem, tree: E.Attribute, found: list[Attribute]) -> Typed | None:
        """An attribute that all of several kinds have, each one of its own: that of the kind which a piece is of."""
        missing = kind.mask
        together: Type | None = found[0].type
        for attribute in found:
            missing &= ~attribute.mask
            together = join(together, attribute.type) if together is not None else None
        if missing or together is None or any(isinstance(a.type, Code | TableOf) for a in found):
            return None
        slot = None if isinstance(of.node, C.Get) else self.world.scratch()
        piece = of.node if slot is None else C.Get(slot)
        node: C.Node | None = None
        for attribute in reversed(found):
            if isinstance(attribute.origin, Declared):
                attribute.origin.used = True
            typed = Typed(attribute.build(piece, tree.span), attribute.type)
            own = self.elab.fitting.reconcile(typed, together, tree.span)
            is_one = C.Op("holds", (piece, C.Const(attribute.mask)), tree.span)
            node = own if node is None else C.Cond(is_one, own, node, tree.span)
        assert node is not None, "there are some"
        whole = node if slot is None else C.With((slot,), (of.node,), node, tree.span)
        return Typed(whole, maybe(together) if kind.maybe else together)

    def _not_of_all(self, kind: Elem, tree: E.Attribute, found: list[Attribute]) -> Typed:
        """Says who has an attribute, and how it is read where not every kind has it."""
        name, owners = tree.name, 0
        for attribute in found:
            owners |= attribute.mask & kind.mask
        whole = show_mask(kind.root, kind.mask)
        if owners == kind.mask:
            said = f"`{name.name}` of one kind has a different type from `{name.name}` of another"
            return self.elab.fail("T206", name.span, said, "give both the same type, or rename one", about=(whole,))
        having = [show_mask(kind.root, attribute.mask & kind.mask) for attribute in found]
        said = f"only {having[0]} has" if len(having) == 1 else f"only {', '.join(having[:-1])} and {having[-1]} have"
        return self.elab.fail(
            "T206",
            name.span,
            f"not every {whole} has `{name.name}`; {said}",
            _those_alone(kind, having[0], tree),
            about=(whole, *having),
        )

    def attribute_of_element(self, of: Typed, kind: Elem, tree: E.Attribute) -> Typed:
        elab = self.elab
        name = tree.name
        for attribute in kind.root.attributes.get(name.name, ()):
            if kind.mask & ~attribute.mask == 0:
                if isinstance(attribute.origin, Declared):
                    attribute.origin.used = True
                if (
                    isinstance(attribute.type, Code)
                    and attribute.type.kind != "effect"
                    and not attribute.type.parameters
                ):
                    return self.world.making.call_row_code(self.elab, of, attribute, (), tree.span)
                node = attribute.build(of.node, tree.span)
                return Typed(node, maybe(attribute.type) if kind.maybe else attribute.type)
        partial = [a for a in kind.root.attributes.get(name.name, ()) if a.mask & kind.mask]
        if partial and tree is not elab.changing and (by_kind := self._by_kind(of, kind, tree, partial)) is not None:
            return by_kind
        narrow = elab.narrowing.of(tree.of) if partial else None
        told = narrow.type if narrow is not None else None
        if isinstance(told, Elem) and told.mask != kind.mask and any(a.mask & told.mask for a in partial):
            assert narrow is not None, "its type is known"
            return self.attribute_of_element(narrow, told, tree)
        if partial:
            return self._not_of_all(kind, tree, partial)
        if self.world.attribute_failed(name.name):
            return BAD
        if name.name == "score" and kind.root is self.world.players and self.world.sections.scoring:
            return elab.score(of, tree.span)
        if (owner_of := self.owner_of_place(of, kind)) is not None and name.name in owner_of.type.root.attributes:
            return self.attribute_of(owner_of, tree)
        names = [a for a, found in kind.root.attributes.items() if any(kind.mask & ~f.mask == 0 for f in found)]
        hint, known = about_attribute(self.elab, kind, tree, names)
        hint = hint or ("it has " + ", ".join(f"`{n}`" for n in names[:12]) if names else "")
        return elab.fail("N122", name.span, f"{show_mask(kind.root, kind.mask)} has no `{name.name}`", hint, known)

    def owner_of_place(self, of: Typed, kind: Elem) -> Any:
        """`lot.spot`, for a place of which there is one for each spot; None for other things."""
        if kind.root.kind != "place":
            return None
        infos = [i for i in self.world.place_infos if kind.mask & ((1 << i.count) - 1) << i.first]
        if len({i.key for i in infos}) != 1 or not isinstance(infos[0].per, Elem):
            return None
        found = next(a for a in kind.root.attributes[infos[0].key] if kind.mask & ~a.mask == 0)
        return Typed(found.build(of.node, None), maybe(found.type) if kind.maybe else found.type)

    def index(self, tree: E.Index) -> Typed:
        elab = self.elab
        if isinstance(tree.of, E.Name) and elab.local(tree.of.name) is None:
            declared = self.world.names.get(tree.of.name)
            if declared is not None and declared.sort == "board":
                declared.used = True
                return self.space_at(declared.data, tree)
            if declared is not None and declared.sort == "place" and declared.data.per is not None:
                declared.used = True
                return self.place_at(declared.data, tree)
            if tree.of.name == "score" and declared is None and self.world.sections.scoring and len(tree.keys) == 1:
                return elab.score(elab.expr(tree.keys[0], every(self.world.players)), tree.keys[0].span)
        if isinstance(tree.of, E.Attribute) and any(part.name == tree.of.name.name for part in self.world.parts):
            tile = elab.expr(tree.of.of)
            shown = self.part_towards(tile, tree.of.name, tree)
            if shown is not None:
                return shown
            of = self.attribute_of(tile, tree.of)
        else:
            elab.keyed = isinstance(tree.of, E.Name)
            of = elab.expr(tree.of)
            elab.keyed = False
        for key in tree.keys:
            of = self.at_key(of, key, tree)
        return of

    def part_towards(self, tile: Typed, name: E.Name, tree: E.Index) -> Typed | None:
        """`tile.area[d]`: the part that a tile shows towards a direction, as it lies."""
        part = next(part for part in self.world.parts if part.name == name.name)
        kind = tile.type
        if (
            not isinstance(kind, Elem)
            or kind.root is not self.world.pieces
            or kind.mask & ~part.kind.mask
            or len(tree.keys) != 1
        ):
            return None
        directions = every(self.world.directions)
        way = self.elab.fitting.coerce(
            self.elab.expr(tree.keys[0], directions), maybe(directions), tree.keys[0].span, "the direction"
        )
        return Typed(C.Primitive("part_facing", (tile.node, way), (part.tiles,), tree.span), maybe(every(part.root)))

    def at_key(self, of: Typed, key: E.Expr, tree: E.Index) -> Typed:
        elab = self.elab
        match of.type:
            case Broken():
                elab.expr(key)
                return BAD
            case TableOf(keys=keys, item=item):
                node = elab.fitting.coerce(elab.expr(key, keys[0]), maybe(keys[0]), key.span, "the key")
                return self.world.look_up(of.node, node, keys, item, tree.span)
            case BagOf(root=root):
                typed = elab.expr(key, every(root))
                return self.bag_item(
                    of,
                    Typed(elab.fitting.coerce(typed, maybe(every(root)), key.span, "the key"), every(root)),
                    tree.span,
                )
            case ListOf(of=item):
                node = elab.fitting.coerce(elab.expr(key), Num(-FAR, FAR), key.span, "the position")
                return Typed(elab.op("item", (of.node, node, C.Const(none_of(item))), tree.span), maybe(item))
        name = tree.of.name if isinstance(tree.of, E.Name) else ""
        if isinstance(tree.of, E.Attribute):
            name = tree.of.name.name
        declared = self.world.names.get(name)
        value = declared is not None and declared.sort == "value"
        keys = declared.data.keys if declared is not None and value else ()
        shown = [show_mask(key.root, key.mask) if isinstance(key, Elem) else show(key) for key in keys]
        per = f"[{', '.join(shown)}, …]" if shown else "player"
        help = f"`per:` makes one for each, as in `{name}: {{per: {per}, …}}`" if value else ""
        if isinstance(of.type, SetOf) and len(whole := tree.of.span.one_line) <= 30:
            help = f"a set has no numbers: `first({whole})` is the first of them, `list({whole})[2]` the second"
        if elab.is_place(of.type) and (of_tree := tree.of.span.one_line) and len(of_tree) <= 40:
            help = f"this is already one place: write `{of_tree}`; `first(…)` and `top(…)` give a piece in it"
            if isinstance(of.type, SetOf):
                help = f"there is one for each: write `x.{name}`, or `first({of_tree})`"
        if isinstance(of.type, Elem) and of.type.root.kind == "space" and not help:
            board = next((one.name for one in self.world.boards if one.root is of.type.root), "board")
            one = tree.of.span.one_line
            help = f"a {of.type.root.name} by its number is `{board}[…]`; beside another it is `step({one}, …)`"
        elif isinstance(of.type, Elem) and not help:
            help = f"this is one {of.type.root.name}: what it has follows a dot"
        if isinstance(of.type, Num | Bool) and not help:
            help = "only a value with `per:`, a bag or a list has several entries"
        with elab.report.one_slip(("looked up", name or tree.span)):
            return elab.fail("T207", tree.span, f"{show(of.type)} has no entries to look up with `[…]`", help)

    def bag_item(self, of: Typed, key: Typed, span: Span) -> Typed:
        elab = self.elab
        assert isinstance(of.type, BagOf)
        if isinstance(of.node, C.Several) and isinstance(of.node.base, int):
            index = key.node
            if of.node.index is not None:
                start = elab.op("multiply", (of.node.index, C.Const(of.node.count)))
                index = elab.op("add", (start, index))
            elif isinstance(index, C.Const):
                return Typed(C.Get(of.node.base + index.value, span), Num(0, of.type.most))
            return Typed(C.Cell(of.node.base, index, 0, span), Num(0, of.type.most))
        return Typed(elab.op("bag_item", (of.node, key.node), span), Num(0, of.type.most))

    def space_at(self, board: BoardInfo, tree: E.Index) -> Typed:
        elab = self.elab
        names = board.board.coordinate_names
        if len(tree.keys) != len(names) or board.per_player:
            wanted = ", ".join(names)
            return elab.fail("T208", tree.span, f"a space of `{board.name}` is found by `[{wanted}]`")
        given = [elab.expr(key, Num(-FAR, FAR)) for key in tree.keys]
        if any(isinstance(typed.type, Broken) for typed in given):
            return BAD
        keys = tuple(
            elab.fitting.coerce(typed, Num(-FAR, FAR, True), key.span, "a coordinate")
            for typed, key in zip(given, tree.keys, strict=True)
        )
        if all(isinstance(key, C.Const) for key in keys):
            space = board.board.at.get(tuple(key.value for key in keys if isinstance(key, C.Const)))
            if space is None:
                return elab.fail("R305", tree.span, f"`{board.name}` has no such space")
            return Typed(C.Const(space, tree.span), Elem(board.root, 1 << space))
        return Typed(C.Primitive("space_at", keys, (board.board.at,), tree.span), maybe(every(board.root)))

    def place_at(self, place: PlaceInfo, tree: E.Index) -> Typed:
        elab = self.elab
        assert place.per is not None
        if len(tree.keys) != 1:
            return elab.fail("T208", tree.span, f"`{place.name}` takes one key")
        key = elab.expr(tree.keys[0], place.per)
        offset = place.first - (place.per.low if isinstance(place.per, Num) else 0)
        node = elab.fitting.coerce(key, surely(place.per), tree.keys[0].span, "the key")
        mask = ((1 << place.count) - 1) << place.first
        return Typed(elab.op("add", (node, C.Const(offset)), tree.span), Elem(self.world.places, mask))


def _those_alone(kind: Elem, having: str, tree: E.Attribute) -> str:
    """How only the pieces of a kind are spoken of."""
    if kind.root.kind != "piece":
        return ""
    if isinstance(tree.of, E.Name) and having.isidentifier():
        one, what = tree.of.name, tree.name.name
        return (
            f"ask first, as in `{one} in {having} and {one}.{what} …`; or take these alone: `pieces(PLACE, {having})`"
        )
    return f"only these: `pieces(PLACE, {having})` in a place, or `x in {having} where …` of all"
