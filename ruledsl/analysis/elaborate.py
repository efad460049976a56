"""Expressions: every name resolved, every value typed and bounded, and the code that works it out.

One walk does it all. `expr` gives the code and the type of an expression; `want` is the type that its place
demands, which decides what a bare word such as `pawn` means. A slip is reported where it is found and becomes
`BROKEN`, which fits everywhere, so that one slip gives one finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.operations import OPERATIONS
from ruledsl.ir import core as C
from ruledsl.ir.kinds import NUMBER, Kind
from ruledsl.ir.ops import NO_FACTS, OPS, Given
from ruledsl.source.document import Broken as BrokenNode
from ruledsl.source.document import Node as YamlNode
from ruledsl.source.document import Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import truth_meant
from ruledsl.syntax.parser import parse
from ruledsl.syntax.shapes import shape_of
from ruledsl.types import (
    BOOL,
    BROKEN,
    EMPTY,
    FAR,
    NO_NUMBER,
    NONE,
    NOTHING,
    BagOf,
    Bool,
    Broken,
    Code,
    Elem,
    ListOf,
    Nothing,
    Num,
    SetOf,
    TableOf,
    Type,
    every,
    is_maybe,
    join,
    maybe,
    none_of,
    surely,
)

from .advice import shared_words
from .meant import about_attribute, about_function, about_name, as_number, as_set, one_of_these
from .names import Binding, BoardInfo, Declared, Handle, KindInfo, PlaceInfo, Typed, TypedList, TypedSet
from .prices import amounts_meant, free_sort, is_free, widened
from .show import show, show_mask

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

BAD = Typed(C.Const(0), BROKEN)
MOST_IN_SET = 1_000_000  # a set of numbers takes a bit for each
COMPARE = {row.infix: name for name, row in OPS.items() if row.mirrored}
ARITHMETIC = {row.infix: name for name, row in OPS.items() if row.infix in ("+", "-", "*", "/", "%")}


class Elaborator:
    """Works out expressions in one scope after another; `world` knows all that the game declares."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.report = world.report
        self.scopes: list[dict[str, Binding]] = [{}]
        self.keyed = False  # whether a key follows the name that is read
        self.idle = 0  # above 0 in what these options leave out: others will tell whether it is ever so
        self.no_me = 0  # above 0 where nobody acts: in what is worked out at loading

    # -------------------------------------------------------------------------------------------- scopes

    @contextmanager
    def scope(self) -> Iterator[dict[str, Binding]]:
        self.scopes.append({})
        try:
            yield self.scopes[-1]
        finally:
            self.close_scope()

    def close_scope(self) -> None:
        for binding in self.scopes.pop().values():
            if not binding.used and binding.span is not None and not binding.name.startswith("_"):
                self.world.unused(binding)

    def bind(self, name: E.Name | str, value: Typed, span: Span | None = None, quiet: bool = False) -> Binding:
        word, place = (name, span) if isinstance(name, str) else (name.name, name.span)
        if place is not None and any(word in scope for scope in self.scopes):
            first = next(scope[word] for scope in reversed(self.scopes) if word in scope)
            notes = ((first.span, "first declared here"),) if first.span else ()
            self.report.error(
                "N104", place, f"`{word}` is already a name here", notes=notes, help="choose another name"
            )
        elif place is not None and word in RESERVED:
            self.report.error("N105", place, f"`{word}` has a meaning of its own", help="choose another name")
        if isinstance(value.type, Broken):  # unknown wherever it is spoken of
            self.world.data.setdefault("broken names", set()).add(word)
        binding = Binding(word, value, place, used=quiet)
        self.scopes[-1][word] = binding
        return binding

    def local(self, name: str) -> Binding | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Nothing local is known inside: for the body of a formula."""
        kept, self.scopes = self.scopes, [{}]
        try:
            yield
        finally:
            while self.scopes:
                self.close_scope()
            self.scopes = kept

    # ------------------------------------------------------------------------------------ from the document

    def read(self, node: YamlNode | None, start: str = "expr") -> Any:
        """The tree of an expression in the document; a list of the file is a list of expressions."""
        if node is None or isinstance(node, BrokenNode):
            return E.Bad(node.span if node else self.world.span)
        known = self.world.trees.get((node, start))
        if known is None:
            known = self.world.trees[node, start] = self._read(node, start)
        return known

    def _read(self, node: YamlNode, start: str) -> Any:
        if isinstance(node, Scalar):
            return parse(node, start, self.report)
        if isinstance(node, Seq) and start in ("expr", "domain"):
            items = E.Items(node.span, tuple(self.read(item) for item in node.items))
            return E.Domain(node.span, items) if start == "domain" else items
        if not self.report.tells_of(node.span):
            help = amounts_meant(self.world, node)
            self.report.error("S103", node.span, f"an expression must be here, not {shape_of(node)}", help=help)
        return E.Bad(node.span)

    def value(self, node: YamlNode | None, want: Type | None = None, role: str = "this") -> Typed:
        """The expression of a place that demands a type."""
        tree = self.read(node)
        typed = self.expr(tree, want)
        if want is None:
            return typed
        return Typed(self.coerce(typed, want, tree.span, role), want if not isinstance(typed.type, Broken) else BROKEN)

    def condition_of(self, node: YamlNode | None, role: str = "this") -> C.Node:
        tree = self.read(node)
        before = self.report.errors
        found = self.condition(self.expr(tree, BOOL), tree.span, role)
        written = isinstance(tree, E.Literal) and (tree.value or role == "`done`")  # `true` is written on purpose
        if isinstance(found, C.Const) and not written and self.report.errors == before and not self.no_me:
            self.world.settled(tree, bool(found.value))
        return found

    # --------------------------------------------------------------------------------------------- forms

    def expr(self, tree: E.Expr, want: Type | None = None) -> Typed:
        """The code and type of an expression."""
        match tree:
            case E.Num(value=value):
                if value > FAR:
                    return self.fail("R301", tree.span, f"{value} is too large a number", f"{FAR} is the largest")
                return Typed(C.Const(value, tree.span), Num(value, value))
            case E.Literal(value=None):
                return Typed(C.Const(NO_NUMBER if isinstance(want, Num) else NONE, tree.span), NOTHING)
            case E.Literal(value=value):
                return Typed(C.Const(int(bool(value)), tree.span), BOOL)
            case E.Name():
                return self.name(tree, want)
            case E.Items():
                return self.items(tree, want)
            case E.Attribute():
                return self.attribute(tree, want)
            case E.Index():
                return self.index(tree)
            case E.Call():
                return self.call(tree, want)
            case E.Unary(op="not"):
                inner = self.condition(self.expr(tree.of, BOOL), tree.of.span, "what `not` turns around")
                return Typed(self.op("not", (inner,), tree.span), BOOL)
            case E.Unary():
                return self.negative(tree)
            case E.Binary():
                return self.binary(tree, want)
            case E.If():
                return self.choice(tree, want)
            case E.Bad():
                return BAD
        raise AssertionError(tree)

    def op(self, name: str, args: tuple[C.Node, ...], span: Span | None = None) -> C.Node:
        """An operation, worked out now where all its arguments are known."""
        if all(isinstance(arg, C.Const) for arg in args):
            values = [arg.value for arg in args if isinstance(arg, C.Const)]
            row = OPS[name]
            if row.fails is None or not row.fails_with(values):
                value = OPERATIONS[name](*values)
                return C.Const(int(value) if isinstance(value, bool) else value, span)
        return C.Op(name, args, span)

    def fail(self, code: str, span: Span, message: str, help: str = "", suggestions: tuple[str, ...] = ()) -> Typed:
        self.report.error(code, span, message, help=help, suggestions=suggestions)
        return BAD

    # --------------------------------------------------------------------------------------------- names

    def name(self, tree: E.Name, want: Type | None) -> Typed:
        word = tree.name
        binding = self.local(word)
        if binding is not None:
            binding.used = True
            return binding.value
        if is_free(word):
            free = free_sort(self, tree, want)
            if free is not None:
                return free
        member = self.member(word, want, tree.span)
        if member is not None:
            return member
        special = self.special(word, tree.span)
        if special is not None:
            return special
        declared = self.world.names.get(word)
        if declared is not None:
            found = self.declared(declared, tree.span, want)
            if found is not None:
                return found
        board = next((b for b in self.world.boards if b.word == word), None)
        if board is not None:  # as for every type, the name stands for all its members
            if board.name in self.world.names:
                self.world.names[board.name].used = True
            return Typed(C.Const(board.root.everything, tree.span), SetOf(every(board.root)))
        found = self.member_anywhere(word, tree.span, want) or self.by_points(tree)
        if found is not None:
            return found
        if word in self.world.builtins and isinstance(want, Bool) and (truth := truth_meant(word)):
            return self.fail("N107", tree.span, f"`{word}` is a function", f"write `{truth}`", (truth,))
        if word in self.world.builtins:
            signature = self.world.builtins[word].signature
            return self.fail("N107", tree.span, f"`{word}` is a function and needs brackets", f"it is `{signature}`")
        return self.unknown(word, tree.span, want)

    def by_points(self, tree: E.Name) -> Typed | None:
        """`ranking` of a game with points, unless the game has such a name itself."""
        from .declarations.scoring import ranking

        if tree.name != "ranking" or not self.world.sections.scoring:
            return None
        made = ranking(self.world, tree.span)
        return BAD if made is None else Typed(*made)

    def score(self, player: Typed, span: Span) -> Typed:
        """The total of a player as it stands."""
        from .declarations.scoring import score_of

        one = self.coerce(player, every(self.world.players), span, "whose score this is")
        made = score_of(self.world, one, span)
        return BAD if made is None else Typed(*made)

    def unknown(self, word: str, span: Span, want: Type | None) -> Typed:
        if self.world.failed(word) or isinstance(want, Broken):  # it may be a word of what could not be made
            return BAD
        help, known = about_name(self, word, span, want)
        role = (
            f"there is no {self.noun(want)} `{word}`"
            if want is not None and self.noun(want)
            else f"nothing is called `{word}`"
        )
        return self.fail("N101", span, "there is no `this` here" if word == "this" else role, help, known)

    def noun(self, want: Type | None) -> str:
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        return show_mask(inner.root, inner.mask) if isinstance(inner, Elem) and inner.root.kind != "piece" else ""

    def member(self, word: str, want: Type | None, span: Span) -> Typed | None:
        """A member of the type that the place demands."""
        inner = want
        while isinstance(inner, SetOf | ListOf):
            inner = inner.of
        if isinstance(inner, BagOf):
            inner = every(inner.root)
        if not isinstance(inner, Elem) or inner.root.kind in ("piece", "place"):
            return None
        number = self.world.member_number(inner.root, word)
        if number is None:
            return None
        self.world.use_member(inner.root, number)
        return Typed(C.Const(number, span), Elem(inner.root, 1 << number))

    def me(self, span: Span) -> Typed:
        """Who acts, where somebody does."""
        found = self.special("me", span)
        assert found is not None, "`me` means something everywhere"
        return found

    def special(self, word: str, span: Span) -> Typed | None:
        player = every(self.world.players)
        match word:
            case "me":
                if self.no_me:
                    return self.fail("N108", span, "nobody acts here, so there is no `me`")
                return Typed(C.Get(C.ME, span), player)
            case "turn_player" | "turn_number" | "round" if self.no_me:
                return self.fail("R307", span, f"this must be fixed before play begins, and `{word}` is not")
            case "turn_player":
                return Typed(C.Get(C.TURN_PLAYER, span), maybe(player))
            case "players" | "player":
                return Typed(C.Const(player.mask, span), SetOf(player))
            case "direction" if self.world.directions.size:
                directions = every(self.world.directions)
                return Typed(C.Const(directions.mask, span), SetOf(directions))
            case "opponent":
                if self.world.players.size != 2:
                    return self.fail(
                        "N109",
                        span,
                        f"`opponent` needs exactly two players, not {self.world.players.size}",
                        "write `players except me`, or `next(me)`",
                    )
                me = self.special("me", span)
                assert me is not None
                return me if me is BAD else Typed(self.op("subtract", (C.Const(1), me.node), span), player)
            case "turn_number":
                return Typed(C.Get(C.TURN_NUMBER, span), Num(0, FAR))
            case "round":
                return Typed(C.Get(C.ROUND, span), Num(0, self.world.rounds))
        return None

    def declared(self, declared: Declared, span: Span, want: Type | None) -> Typed | None:
        declared.used = True
        data = declared.data
        match declared.sort:
            case "option":
                return Typed(C.Const(data[1], span), _exactly(data[0], data[1]))
            case "type" if isinstance(data.type, Num):
                low, high = data.type.low, data.type.high
                return Typed(C.Op("span", (C.Const(low), C.Const(high)), span), SetOf(data.type))
            case "type" | "part":
                root_type = data.type if declared.sort == "type" else every(data.root)
                return Typed(C.Const(root_type.mask, span), SetOf(root_type))
            case "board":
                return Typed(C.Const(data.root.everything, span), SetOf(every(data.root)))
            case "kind":
                return self.kind(data, span)
            case "place":
                return self.place(data, span)
            case "pool":
                return None
            case "holder":  # a word for tokens that lie in common, or in the supply
                pool, base, root = data
                self.world.names[pool.name].used = True
                return self.world.tokens(pool, base, root, None, span) if root is None else None
            case "value":
                if data.keys:
                    return Typed(Handle(data.base, (), None, span), TableOf(data.keys, data.type))
                return Typed(self.world.load(data.base, None, data.type, span), data.type)
            case "formula":
                if any(isinstance(kind, Broken) for _, kind in data.parameters):
                    return BAD
                if data.parameters:
                    return self.fail(
                        "N107", span, f"`{declared.name}` needs its arguments", f"it is `{data.signature}`"
                    )
                return self.invoke(data, (), span)
            case "effect" | "action":
                return self.fail(
                    "T219",
                    span,
                    f"`{declared.name}` is an {declared.sort}, which has no value",
                    "call it in a block, as a statement of its own",
                )
        return None

    def kind(self, kind: KindInfo, span: Span) -> Typed:
        pieces = self.world.pieces
        if kind.count == 1 and not kind.per_player:
            return Typed(C.Const(kind.first, span), Elem(pieces, kind.mask))
        return Typed(C.Const(kind.mask, span), SetOf(Elem(pieces, kind.mask)))

    def place(self, place: PlaceInfo, span: Span) -> Typed:
        mask = ((1 << place.count) - 1) << place.first
        if place.per is None:
            return Typed(C.Const(place.first, span), Elem(self.world.places, mask))
        return Typed(C.Const(mask, span), SetOf(Elem(self.world.places, mask)))

    def member_anywhere(self, word: str, span: Span, want: Type | None) -> Typed | None:
        """A word that one type alone has."""
        homes = self.world.homes(word)
        if not homes:
            return None
        if len(homes) > 1 and want is not None and not isinstance(want, Broken):
            fitting = [(root, n) for root, n in homes if isinstance(want, Elem) and want.root is root]
            homes = fitting or homes
        # A piece and the name of its row share a word: where nothing demands a name, the piece is meant.
        homes = [home for home in homes if not home[0].name.startswith("name of ")] or homes
        if len({root for root, _ in homes}) > 1:
            if isinstance(want, Broken):
                return BAD
            names = ", ".join(f"`{root.name}.{word}`" for root, _ in homes if root.name.isidentifier())
            help = f"write one of {names}" if names else "compare it with something that has such a name"
            return self.fail("N106", span, f"`{word}` could be a word of several types", help)
        root, number = homes[0]
        self.world.use_member(root, number)
        return Typed(C.Const(number, span), Elem(root, 1 << number))

    def items(self, tree: E.Items, want: Type | None) -> Typed:
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        if not tree.items:
            return Typed(C.Const((), tree.span), EMPTY)
        if nothing := next((item for item in tree.items if isinstance(item, E.Literal) and item.value is None), None):
            rest = ", ".join(item.span.text for item in tree.items if item is not nothing)
            help = f"ask for it beside the list: `x == none or x in [{rest}]`" if rest else "an empty list is `[]`"
            return self.fail("T203", nothing.span, "a list cannot hold `none`", help)
        typed = [self.expr(item, inner) for item in tree.items]
        kind: Type | None = typed[0].type
        for item, found in zip(tree.items[1:], typed[1:], strict=True):
            kind = join(kind, found.type) if kind is not None else None
            if kind is None:
                if isinstance(want, Broken):
                    return BAD
                return self.fail(
                    "T203", item.span, f"{show(found.type)} does not go with {show(typed[0].type)} in one list"
                )
        if isinstance(kind, Broken) or kind is None:
            return BAD
        if isinstance(kind, SetOf | ListOf | BagOf | TableOf) or EMPTY in [found.type for found in typed]:
            return self.fail("T203", tree.span, f"a list cannot hold {show(kind)}", "join sets with `+`")
        return Typed(self.op("make", tuple(t.node for t in typed), tree.span), ListOf(kind, len(typed)))

    # ---------------------------------------------------------------------------------------- attributes

    def attribute(self, tree: E.Attribute, want: Type | None) -> Typed:
        if isinstance(tree.of, E.Name) and self._may_qualify(tree.of, tree.name.name):
            qualified = self.qualified(tree.of, tree.name)
            if qualified is not None:
                return qualified
        return self.attribute_of(self.expr(tree.of), tree)

    def _may_qualify(self, of: E.Name, word: str) -> bool:
        """Whether `file.e` may be the member of a type: not if `file` is a name here, of something that has an `e`."""
        local = self.local(of.name)
        if local is None:
            return True
        kind = local.value.type
        return isinstance(kind, Elem) and kind.root.name == of.name and word not in kind.root.attributes

    def qualified(self, of: E.Name, name: E.Name) -> Typed | None:
        """`item.horse`: a member by its type; `supply.gold`: the tokens that nobody has."""
        if of.name == "supply":
            return self.world.supply(name, self)
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
        name = tree.name
        match of.type:
            case Broken():
                return BAD
            case BagOf(root=root):
                number = self.world.member_number(root, name.name)
                if number is None:
                    known = nearest(name.name, root.names)
                    return self.fail(
                        "N102", name.span, f"`{name.name}` is no {root.name}", did_you_mean(known), tuple(known)
                    )
                return self.bag_item(of, Typed(C.Const(number), Elem(root, 1 << number)), tree.span)
            case Elem():
                return self.attribute_of_element(of, of.type, tree)
            case SetOf(of=Elem(root=root)) if root.kind in ("piece", "space", "part", "place", "player"):
                example = f"set(x.{name.name} for x in …)"
                return self.fail(
                    "T204",
                    name.span,
                    f"this is {show(of.type)}, and only one of them has `{name.name}`",
                    f"write `{example}`, or `first(…)` for the first of them",
                )
        return self.fail("T205", name.span, f"{show(of.type)} has no `{name.name}`")

    def attribute_of_element(self, of: Typed, kind: Elem, tree: E.Attribute) -> Typed:
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
                    return self.world.call_row_code(self, of, attribute, (), tree.span)
                node = attribute.build(of.node, tree.span)
                return Typed(node, maybe(attribute.type) if kind.maybe else attribute.type)
        partial = [a for a in kind.root.attributes.get(name.name, ()) if a.mask & kind.mask]
        if partial:
            owner = show_mask(kind.root, partial[0].mask)
            return self.fail(
                "T206", name.span, f"not every {show_mask(kind.root, kind.mask)} has `{name.name}`; only {owner} has"
            )
        if self.world.attribute_failed(name.name):
            return BAD
        if name.name == "score" and kind.root is self.world.players and self.world.sections.scoring:
            return self.score(of, tree.span)
        if (owner_of := self.owner_of_place(of, kind)) is not None and name.name in owner_of.type.root.attributes:
            return self.attribute_of(owner_of, tree)
        names = [a for a, found in kind.root.attributes.items() if any(kind.mask & ~f.mask == 0 for f in found)]
        hint, known = about_attribute(self, kind, tree, names)
        hint = hint or ("it has " + ", ".join(f"`{n}`" for n in names[:12]) if names else "")
        return self.fail("N122", name.span, f"{show_mask(kind.root, kind.mask)} has no `{name.name}`", hint, known)

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
        if isinstance(tree.of, E.Name) and self.local(tree.of.name) is None:
            declared = self.world.names.get(tree.of.name)
            if declared is not None and declared.sort == "board":
                declared.used = True
                return self.space_at(declared.data, tree)
            if declared is not None and declared.sort == "place" and declared.data.per is not None:
                declared.used = True
                return self.place_at(declared.data, tree)
            if tree.of.name == "score" and declared is None and self.world.sections.scoring and len(tree.keys) == 1:
                return self.score(self.expr(tree.keys[0], every(self.world.players)), tree.keys[0].span)
        if isinstance(tree.of, E.Attribute) and any(part.name == tree.of.name.name for part in self.world.parts):
            tile = self.expr(tree.of.of)
            shown = self.part_towards(tile, tree.of.name, tree)
            if shown is not None:
                return shown
            of = self.attribute_of(tile, tree.of)
        else:
            self.keyed = isinstance(tree.of, E.Name)
            of = self.expr(tree.of)
            self.keyed = False
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
        way = self.coerce(self.expr(tree.keys[0], directions), maybe(directions), tree.keys[0].span, "the direction")
        return Typed(C.Primitive("part_facing", (tile.node, way), (part.tiles,), tree.span), maybe(every(part.root)))

    def at_key(self, of: Typed, key: E.Expr, tree: E.Index) -> Typed:
        match of.type:
            case Broken():
                self.expr(key)
                return BAD
            case TableOf(keys=keys, item=item):
                node = self.coerce(self.expr(key, keys[0]), maybe(keys[0]), key.span, "the key")
                return self.world.look_up(of.node, node, keys, item, tree.span)
            case BagOf(root=root):
                typed = self.expr(key, every(root))
                return self.bag_item(
                    of, Typed(self.coerce(typed, maybe(every(root)), key.span, "the key"), every(root)), tree.span
                )
            case ListOf(of=item):
                node = self.coerce(self.expr(key), Num(-FAR, FAR), key.span, "the position")
                return Typed(self.op("item", (of.node, node, C.Const(none_of(item))), tree.span), maybe(item))
        name = tree.of.name if isinstance(tree.of, E.Name) else ""
        declared = self.world.names.get(name)
        value = declared is not None and declared.sort == "value"
        help = f"`per:` makes one for each, as in `{name}: {{per: player, …}}`" if value else ""
        with self.report.one_slip(("looked up", name or tree.span)):
            return self.fail("T207", tree.span, f"{show(of.type)} has nothing to look up with `[…]`", help)

    def bag_item(self, of: Typed, key: Typed, span: Span) -> Typed:
        assert isinstance(of.type, BagOf)
        if isinstance(of.node, C.Several) and isinstance(of.node.base, int):
            index = key.node
            if of.node.index is not None:
                start = self.op("multiply", (of.node.index, C.Const(of.node.count)))
                index = self.op("add", (start, index))
            elif isinstance(index, C.Const):
                return Typed(C.Get(of.node.base + index.value, span), Num(0, of.type.most))
            return Typed(C.Cell(of.node.base, index, 0, span), Num(0, of.type.most))
        return Typed(self.op("bag_item", (of.node, key.node), span), Num(0, of.type.most))

    def space_at(self, board: BoardInfo, tree: E.Index) -> Typed:
        names = board.board.coordinate_names
        if len(tree.keys) != len(names) or board.per_player:
            wanted = ", ".join(names)
            return self.fail("T208", tree.span, f"a space of `{board.name}` is found by `[{wanted}]`")
        keys = tuple(
            self.coerce(self.expr(key, Num(-FAR, FAR)), Num(-FAR, FAR, True), key.span, "a coordinate")
            for key in tree.keys
        )
        if all(isinstance(key, C.Const) for key in keys):
            space = board.board.at.get(tuple(key.value for key in keys if isinstance(key, C.Const)))
            if space is None:
                return self.fail("R305", tree.span, f"`{board.name}` has no such space")
            return Typed(C.Const(space, tree.span), Elem(board.root, 1 << space))
        return Typed(C.Primitive("space_at", keys, (board.board.at,), tree.span), maybe(every(board.root)))

    def place_at(self, place: PlaceInfo, tree: E.Index) -> Typed:
        assert place.per is not None
        if len(tree.keys) != 1:
            return self.fail("T208", tree.span, f"`{place.name}` takes one key")
        key = self.expr(tree.keys[0], place.per)
        offset = place.first - (place.per.low if isinstance(place.per, Num) else 0)
        node = self.coerce(key, surely(place.per), tree.keys[0].span, "the key")
        mask = ((1 << place.count) - 1) << place.first
        return Typed(self.op("add", (node, C.Const(offset)), tree.span), Elem(self.world.places, mask))

    # ------------------------------------------------------------------------------------------ operators

    def negative(self, tree: E.Unary) -> Typed:
        typed = self.expr(tree.of)
        if isinstance(typed.type, Broken):
            return BAD
        number = self.number(typed, tree.of.span, "what `-` turns around")
        if number is None:
            return BAD
        kind = number.type
        assert isinstance(kind, Num)
        return Typed(self.op("negative", (number.node,), tree.span), Num(-kind.high, -kind.low))

    def number(self, typed: Typed, span: Span, role: str) -> Typed | None:
        """A value as a number to calculate with; none is a fault in play."""
        match typed.type:
            case Num(low, high, True):
                return Typed(C.Demand(typed.node, NO_NUMBER, f"{role} is none", span), Num(low, high))
            case Num():
                return typed
            case Broken():
                return None
            case Nothing():
                self.fail("T209", span, f"{role} must be a number, not {show(typed.type)}")
                return None
        self.fail("T209", span, f"{role} must be a number, not {show(typed.type)}", as_number(typed.type, span))
        return None

    def binary(self, tree: E.Binary, want: Type | None) -> Typed:
        op = tree.op
        if op in ("and", "or"):
            return self.connective(tree)
        if op in COMPARE:
            return self.compare(tree)
        if op in ("in", "not in"):
            found = self.membership(tree)
            return found if op == "in" or found is BAD else Typed(self.op("not", (found.node,), tree.span), BOOL)
        if op == "..":
            return self.range(tree)
        if op in ("from", "after", "except"):
            return self.circle(tree)
        if op == "otherwise":
            return self.fallback(tree, want)
        return self.arithmetic(tree, want)

    def connective(self, tree: E.Binary) -> Typed:
        parts: list[E.Expr] = []

        def flatten(side: E.Expr) -> None:
            if isinstance(side, E.Binary) and side.op == tree.op:
                flatten(side.left)
                flatten(side.right)
            else:
                parts.append(side)

        flatten(tree)
        nodes: list[C.Node] = []
        broken = False
        settled = any(self._by_options(part) == (tree.op == "or") for part in parts)
        for part in parts:
            before = self.report.errors
            with self.left_out(settled and self._by_options(part) is None):
                role, typed = f"each side of `{tree.op}`", self.expr(part, BOOL)
            node = self.condition(typed, part.span, role, one_of_these(parts[0], part))
            broken = broken or self.report.errors > before
            if isinstance(node, C.Const):
                if bool(node.value) == (tree.op == "or"):
                    nodes.append(node)
                    with self.left_out():
                        for rest in parts[parts.index(part) + 1 :]:
                            self.condition(self.expr(rest, BOOL), rest.span, f"each side of `{tree.op}`")
                    break
                continue
            nodes.append(node)
        if broken:
            return BAD  # nobody knows what it was to be
        if not nodes:
            return Typed(C.Const(int(tree.op == "and"), tree.span), BOOL)
        if len(nodes) == 1:
            return Typed(nodes[0], BOOL)
        return Typed((C.Both if tree.op == "and" else C.Either)(tuple(nodes), tree.span), BOOL)

    def _by_options(self, tree: E.Expr) -> bool | None:
        """What a condition on options alone comes to; None if it is none."""
        match tree:
            case E.Name(name=name):
                declared = self.world.names.get(name)
                bound = any(name in scope for scope in self.scopes)
                if not bound and declared is not None and declared.sort == "option":
                    found = self.expr(tree, BOOL)
                    return bool(found.node.value) if isinstance(found.node, C.Const) and found.type == BOOL else None
            case E.Unary(op="not", of=inner):
                found_inside = self._by_options(inner)
                return None if found_inside is None else not found_inside
        return None

    @contextmanager
    def left_out(self, really: bool = True) -> Iterator[None]:
        """While what these options leave out is worked out."""
        self.idle += really
        yield
        self.idle -= really

    def condition(self, typed: Typed, span: Span, role: str, meant: str = "") -> C.Node:
        """A value as a condition: true or false, or whether something is there."""
        match typed.type:
            case Bool() | Broken():
                return typed.node
            case Elem(maybe=True):
                return self.op("is_there", (typed.node,), span)
            case Num(maybe=True):
                return self.op("is_number", (typed.node,), span)
            case Elem(root=root) if root.kind == "place":
                self.fail(
                    "T210",
                    span,
                    f"{role} must be a condition, not {show(typed.type)}",
                    "ask `any(…)` whether something is in it",
                )
            case SetOf() | ListOf() | BagOf():
                self.fail(
                    "T210",
                    span,
                    f"{role} must be a condition, not {show(typed.type)}",
                    "ask `any(…)` whether something is in it",
                )
            case Elem():
                self.fail(
                    "T211",
                    span,
                    f"this is always there: {show(typed.type)}, never none",
                    meant or "compare it with something",
                )
            case Num():
                help = meant or "compare it, as in `x > 0`"
                self.fail("T210", span, f"{role} must be a condition, not a number", help)
            case _:
                self.fail("T210", span, f"{role} must be a condition, not {show(typed.type)}")
        return C.Const(0)

    def compare(self, tree: E.Binary) -> Typed:
        left, right = self.two_sides(tree)
        if isinstance(left.type, Broken) or isinstance(right.type, Broken):
            return BAD
        name = COMPARE[tree.op]
        if isinstance(left.type, Nothing) or isinstance(right.type, Nothing):
            return self.compare_none(tree, left, right, name)
        l_type, r_type = left.type, right.type
        if (
            isinstance(l_type, SetOf | ListOf)
            and isinstance(r_type, SetOf | ListOf)
            and not (isinstance(l_type, ListOf) and isinstance(r_type, ListOf))
        ):
            return self.compare_sets(tree, left, right, name)
        if isinstance(l_type, BagOf) and isinstance(r_type, BagOf):
            if name == "at_least":
                left, right, name = right, left, "at_most"
            if name not in ("equal", "unequal", "at_most"):
                return self.fail("T212", tree.span, "bags are compared with `==`, `!=` and `<=`")
            together = join(left.type, right.type)
            if not isinstance(together, BagOf):
                return self.fail("T213", tree.span, f"{show(l_type)} cannot be compared with {show(r_type)}")
            if name == "at_most" and together.root.whole is not None:
                asked = tree.left if left.type is l_type else tree.right
                help = f"ask `payable({' '.join(asked.span.text.split())})`"
                return self.fail("T212", tree.span, "a price is not compared with what there is to pay it", help)
            both = (widened(left, together.root), widened(right, together.root))
            return Typed(self.op("bag_within" if name == "at_most" else name, both, tree.span), BOOL)
        together = join(l_type, r_type)
        if together is None or isinstance(together, TableOf | Code):
            sides = (l_type, r_type, tree.left), (r_type, l_type, tree.right)
            numbers = (as_number(a, side.span) for a, b, side in sides if isinstance(b, Num) > isinstance(a, Num))
            help = shared_words(l_type, r_type) or next(numbers, "")
            return self.fail("T213", tree.span, f"{show(l_type)} cannot be compared with {show(r_type)}", help)
        if name in ("less", "at_most", "greater", "at_least"):
            return self.compare_order(tree, left, right, name, together)
        fixed = isinstance(left.node, C.Const) and isinstance(right.node, C.Const)
        if not fixed and self.never_equal(l_type, r_type):
            word = "never" if name == "equal" else "always"
            if self.idle:
                return Typed(C.Const(int(name != "equal"), tree.span), BOOL)
            return self.fail("T214", tree.span, f"this is {word} so: {show(l_type)} is not {show(r_type)}")
        return Typed(self.op(name, (left.node, right.node), tree.span), BOOL)

    def two_sides(self, tree: E.Binary) -> tuple[Typed, Typed]:
        """Both sides of a comparison; a bare word is read as a member of the other side's type."""
        if self.needs_help(tree.left) and not self.needs_help(tree.right):
            right = self.expr(tree.right)
            return self.expr(tree.left, right.type), right
        left = self.expr(tree.left)
        inner = left.type
        return left, self.expr(tree.right, inner)

    def needs_help(self, tree: E.Expr) -> bool:
        """Whether a bare word may mean different things by what its place demands."""
        match tree:
            case E.Literal(value=None):
                return True
            case E.Name(name=name):
                if self.local(name) is not None or name in RESERVED:
                    return False
                return bool(self.world.homes(name)) or name not in self.world.names
            case E.Items(items=items):
                return any(self.needs_help(item) for item in items)
            case E.If(then=then, otherwise=otherwise):
                return self.needs_help(then) and self.needs_help(otherwise)
        return False

    def compare_none(self, tree: E.Binary, left: Typed, right: Typed, name: str) -> Typed:
        other = right if isinstance(left.type, Nothing) else left
        literal = tree.left if isinstance(left.type, Nothing) else tree.right
        if isinstance(literal, E.Items):  # compared with []
            if isinstance(other.type, SetOf | ListOf):
                empty: C.Node = C.Const(0 if isinstance(other.type, SetOf) else ())
                return Typed(self.op(name, (other.node, empty), tree.span), BOOL)
        if name not in ("equal", "unequal"):
            return self.fail("T212", tree.span, "none has no order")
        if isinstance(other.type, Num | Elem) and not other.type.maybe:
            word = "never" if name == "equal" else "always"
            if self.idle:
                return Typed(C.Const(int(name != "equal"), tree.span), BOOL)
            return self.fail("T214", tree.span, f"this is {word} so: {show(other.type)} is never none")
        if not isinstance(other.type, Num | Elem | Nothing):
            return self.fail("T214", tree.span, f"{show(other.type)} is never none", "an empty one is found by `no(…)`")
        return Typed(self.op(name, (other.node, C.Const(none_of(other.type))), tree.span), BOOL)

    def compare_sets(self, tree: E.Binary, left: Typed, right: Typed, name: str) -> Typed:
        a, b = self.as_set(left, tree.left.span), self.as_set(right, tree.right.span)
        if a is None or b is None:
            return BAD
        if join(a.type, b.type) is None:
            return self.fail("T213", tree.span, f"{show(left.type)} cannot be compared with {show(right.type)}")
        if name in ("equal", "unequal"):
            return Typed(self.op(name, (a.node, b.node), tree.span), BOOL)
        if name == "at_most":
            return Typed(self.op("within", (a.node, b.node), tree.span), BOOL)
        if name == "at_least":
            return Typed(self.op("within", (b.node, a.node), tree.span), BOOL)
        return self.fail(
            "T212",
            tree.span,
            "sets are compared with `==`, `!=`, `<=` and `>=`",
            "compare `count(…)` of both for their size",
        )

    def compare_order(self, tree: E.Binary, left: Typed, right: Typed, name: str, together: Type) -> Typed:
        if isinstance(together, ListOf):
            return Typed(self.op(name, (left.node, right.node), tree.span), BOOL)
        if isinstance(together, Bool):
            return self.fail("T212", tree.span, "conditions have no order")
        if isinstance(together, Elem) and together.root.kind in ("player", "place", "direction"):
            return self.fail("T212", tree.span, f"{show(together)} has no order")
        nodes = [
            C.Demand(side.node, none_of(side.type), "this is none, and none has no order", part.span)
            if is_maybe(side.type)
            else side.node
            for side, part in ((left, tree.left), (right, tree.right))
        ]
        settled = _settled(left.type, right.type, name)
        if settled is not None and not (isinstance(left.node, C.Const) and isinstance(right.node, C.Const)):
            if not self.world.by_configuration(tree):
                sides = [f"the {where} side is {show(side.type)}" for where, side in (("left", left), ("right", right))]
                self.report.warn(
                    "L508", tree.span, f"this is {'always' if settled else 'never'} so: {', '.join(sides)}"
                )
        return Typed(self.op(name, tuple(nodes), tree.span), BOOL)

    def never_equal(self, a: Type, b: Type) -> bool:
        """Whether no value of one type is a value of the other."""
        if isinstance(a, Elem) and isinstance(b, Elem):
            return a.mask & b.mask == 0 and a.mask != 0 and b.mask != 0 and not (a.maybe and b.maybe)
        if isinstance(a, Num) and isinstance(b, Num):
            return (a.high < b.low or b.high < a.low) and not (a.maybe and b.maybe)
        return False

    def membership(self, tree: E.Binary) -> Typed:
        right_first = self.needs_help(tree.left)
        if right_first:
            right = self.expr(tree.right)
            inner = self.item_type(right.type)
            left = self.expr(tree.left, inner)
        else:
            left = self.expr(tree.left)
            want = SetOf(left.type) if isinstance(left.type, Elem | Num) else None
            right = self.expr(tree.right, left.type if isinstance(left.type, Broken) else want)
        if isinstance(left.type, Broken) or isinstance(right.type, Broken):
            return BAD
        if isinstance(right.type, ListOf) and not isinstance(right.type.of, Elem):
            if join(left.type, right.type.of) is None:
                return self.fail("T213", tree.span, f"{show(left.type)} cannot be in {show(right.type)}")
            return Typed(self.op("in_list", (left.node, right.node), tree.span), BOOL)
        if isinstance(right.node, C.Op) and right.node.name == "span" and isinstance(left.type, Num):
            low, high = right.node.args
            return self.in_range(tree, left, low, high)
        if isinstance(left.type, Elem) and left.type.root.kind == "piece" and self.is_place(right.type):
            return self.lies_in(tree, left, right)
        found = self.as_set(right, tree.right.span)
        if found is None:
            return BAD
        assert isinstance(found.type, SetOf)
        if isinstance(left.type, Nothing) or (isinstance(left.type, Bool) and isinstance(found.type.of, Num)):
            return Typed(C.Const(0, tree.span), BOOL)
        if not isinstance(left.type, Elem | Num) or join(left.type, found.type.of) is None:
            help = shared_words(left.type, found.type)
            return self.fail("T213", tree.span, f"{show(left.type)} cannot be in {show(right.type)}", help)
        fixed = isinstance(left.node, C.Const) and isinstance(found.node, C.Const)
        if not fixed and isinstance(left.type, Elem) and self.never_equal(left.type, found.type.of):
            if self.idle:
                return Typed(C.Const(0, tree.span), BOOL)
            return self.fail("T214", tree.span, f"this is never so: {show(left.type)} is not in {show(right.type)}")
        return Typed(self.op("holds", (left.node, found.node), tree.span), BOOL)

    def is_place(self, type: Type) -> bool:
        inner = type.of if isinstance(type, SetOf) else type
        return isinstance(inner, Elem) and inner.root.kind == "place"

    def lies_in(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        """Whether a piece lies in a place: one look at where it is."""
        spot = C.Cell(self.world.spots.at, left.node, NONE, tree.span)
        if isinstance(right.type, SetOf):
            where = self.op("subtract", (spot, C.Const(self.world.spots.first_place)))
            return Typed(C.Op("holds", (where, right.node), tree.span), BOOL)
        return Typed(C.Op("equal", (spot, self.world.spot_of_place(right.node)), tree.span), BOOL)

    def in_range(self, tree: E.Binary, left: Typed, low: C.Node, high: C.Node) -> Typed:
        if isinstance(left.node, C.Get | C.Const):
            node: C.Node = C.Both(
                (self.op("at_least", (left.node, low)), self.op("at_most", (left.node, high))), tree.span
            )
            return Typed(node, BOOL)
        slot = self.world.scratch()
        tests = C.Both((C.Op("at_least", (C.Get(slot), low)), C.Op("at_most", (C.Get(slot), high))), tree.span)
        return Typed(C.With((slot,), (left.node,), tests, tree.span), BOOL)

    def item_type(self, type: Type) -> Type | None:
        match type:
            case SetOf(of=inner):
                return self.pieces_type(inner) if isinstance(inner, Elem) and inner.root.kind == "place" else inner
            case ListOf(of=item):
                return item
            case BagOf(root=root):
                return every(root)
            case Elem() if type.root.kind == "place":
                return self.pieces_type(type)
        return None

    def range(self, tree: E.Binary) -> Typed:
        low = self.number(self.expr(tree.left), tree.left.span, "the start of a range")
        high = self.number(self.expr(tree.right), tree.right.span, "the end of a range")
        if low is None or high is None:
            return BAD
        assert isinstance(low.type, Num)
        assert isinstance(high.type, Num)
        inner = Num(low.type.low, max(high.type.high, low.type.low))
        return Typed(C.Op("span", (low.node, high.node), tree.span), SetOf(inner))

    def circle(self, tree: E.Binary) -> Typed:
        of = self.expr(tree.left)
        inner = self.item_type(of.type)
        if isinstance(of.type, Broken):
            self.expr(tree.right)
            return BAD
        if inner is None:
            return self.fail(
                "T215", tree.left.span, f"`{tree.op}` needs a set or a list before it, not {show(of.type)}"
            )
        x = self.expr(tree.right, inner)
        if isinstance(x.type, Broken):
            return BAD
        if tree.op == "except":
            return self.without(tree, of, x)
        if join(x.type, inner) is None:
            return self.fail("T213", tree.right.span, f"{show(x.type)} is not one of {show(of.type)}")
        sequence = self.as_list(of, tree.left.span)
        if sequence is None:
            return BAD
        node = self.op(
            tree.op, (sequence.node, self.coerce(x, maybe(surely(x.type)), tree.right.span, "this")), tree.span
        )
        return Typed(node, sequence.type)

    def without(self, tree: E.Binary, of: Typed, x: Typed) -> Typed:
        if isinstance(of.type, ListOf):
            gone = self.as_set(x, tree.right.span, single=True)
            return BAD if gone is None else Typed(self.op("without_set", (of.node, gone.node), tree.span), of.type)
        found, gone = self.as_set(of, tree.left.span), self.as_set(x, tree.right.span, single=True)
        if found is None or gone is None:
            return BAD
        if join(found.type, gone.type) is None:
            return self.fail("T213", tree.right.span, f"{show(x.type)} is not one of {show(of.type)}")
        return Typed(self.op("minus", (found.node, gone.node), tree.span), found.type)

    def fallback(self, tree: E.Binary, want: Type | None) -> Typed:
        first = self.expr(tree.left, want)
        second = self.expr(tree.right, first.type if want is None else want)
        if isinstance(first.type, Broken) or isinstance(second.type, Broken):
            return BAD
        if isinstance(first.type, Num | Elem) and not first.type.maybe:
            return self.fail(
                "T216", tree.span, f"this is never none: {show(first.type)}", "leave out `otherwise` and what follows"
            )
        if not isinstance(first.type, Num | Elem):
            return self.fail("T216", tree.left.span, f"`otherwise` replaces none, and {show(first.type)} is never none")
        together = join(surely(first.type), second.type)
        if together is None:
            return self.fail(
                "T203", tree.right.span, f"{show(second.type)} cannot stand in for {show(surely(first.type))}"
            )
        return Typed(C.Otherwise(first.node, none_of(first.type), second.node, tree.span), together)

    def arithmetic(self, tree: E.Binary, want: Type | None) -> Typed:
        op = tree.op
        left = self.expr(tree.left, want if isinstance(want, SetOf | ListOf | BagOf) else None)
        right = self.expr(tree.right, left.type if isinstance(left.type, SetOf | ListOf | BagOf) else None)
        if isinstance(left.type, Broken) or isinstance(right.type, Broken):
            return BAD
        if op in "+-" and isinstance(left.type, Elem) and left.type.root.kind == "direction":
            return self.rotate(tree, left, right)
        if op in "+-" and (self.is_many(left.type) or self.is_many(right.type)):
            return self.join_many(tree, left, right)
        if isinstance(left.type, BagOf) or isinstance(right.type, BagOf):
            return self.bag_arithmetic(tree, left, right)
        one = self.number(left, tree.left.span, f"the left side of `{op}`")
        two = self.number(right, tree.right.span, f"the right side of `{op}`")
        if one is None or two is None:
            return BAD
        assert isinstance(one.type, Num)
        assert isinstance(two.type, Num)
        if op in "/%" and two.type.low == two.type.high == 0:
            return self.fail("R302", tree.span, "this divides by 0")
        kind = interval(op, one.type, two.type)
        if kind.high > FAR or kind.low < -FAR:
            return self.fail(
                "R303",
                tree.span,
                f"this could become as large as {max(kind.high, -kind.low)}",
                f"numbers go up to {FAR}; give the parts smaller ranges, or cut them with `clip`",
            )
        return Typed(self.op(ARITHMETIC[op], (one.node, two.node), tree.span), kind)

    def is_many(self, type: Type) -> bool:
        return isinstance(type, SetOf | ListOf | Nothing) or self.is_place(type)

    def join_many(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        if tree.op == "+" and isinstance(left.type, ListOf) and isinstance(right.type, ListOf):
            together = join(left.type, right.type)
            if isinstance(together, ListOf):
                return Typed(
                    self.op("join", (left.node, right.node), tree.span),
                    ListOf(together.of, left.type.most + right.type.most),
                )
        a = self.as_set(left, tree.left.span, single=True)
        b = self.as_set(right, tree.right.span, single=True)
        if a is None or b is None:
            return BAD
        together = join(a.type, b.type)
        if together is None:
            sides = (left.type, right.type, tree.left), (right.type, left.type, tree.right)
            numbers = (as_number(k, s.span) for k, other, s in sides if isinstance(other, Num) > isinstance(k, Num))
            said = f"{show(right.type)} does not go with {show(left.type)}"
            return self.fail("T203", tree.right.span, said, next(numbers, ""))
        if tree.op == "+":
            return Typed(self.op("union", (a.node, b.node), tree.span), together)
        return Typed(self.op("minus", (a.node, b.node), tree.span), a.type)

    def bag_arithmetic(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        if tree.op in "+-" and isinstance(left.type, BagOf) and isinstance(right.type, BagOf):
            together = join(left.type, right.type)
            if not isinstance(together, BagOf):
                return self.fail("T203", tree.span, f"{show(right.type)} does not go with {show(left.type)}")
            most = left.type.most + (right.type.most if tree.op == "+" else 0)
            sides = (widened(left, together.root), widened(right, together.root))
            kind = BagOf(together.root, together.mask, most)
            return Typed(self.op("bag_add" if tree.op == "+" else "bag_subtract", sides, tree.span), kind)
        if tree.op == "*":
            bag, times = (left, right) if isinstance(left.type, BagOf) else (right, left)
            n = self.number(times, tree.span, "how many times the bag is taken")
            if n is None:
                return BAD
            assert isinstance(bag.type, BagOf)
            assert isinstance(n.type, Num)
            kind = BagOf(bag.type.root, bag.type.mask, bag.type.most * max(1, n.type.high))
            return Typed(self.op("bag_times", (bag.node, n.node), tree.span), kind)
        return self.fail("T203", tree.span, f"`{tree.op}` does not work on {show(left.type)} and {show(right.type)}")

    def bags_together(self, left: Typed, right: Typed) -> Typed:
        """Two bags as one; a price if one of them is."""
        kind = join(left.type, right.type)
        assert isinstance(kind, BagOf)
        assert isinstance(left.type, BagOf)
        assert isinstance(right.type, BagOf)
        sides = (widened(left, kind.root), widened(right, kind.root))
        return Typed(self.op("bag_add", sides), BagOf(kind.root, kind.mask, left.type.most + right.type.most))

    def rotate(self, tree: E.Binary, left: Typed, right: Typed) -> Typed:
        n = self.number(right, tree.right.span, "how far a direction is turned")
        if n is None:
            return BAD
        assert isinstance(left.type, Elem)
        table = self.world.turning(left.type.mask)
        if table is None:
            return self.fail("T217", tree.span, "these directions belong to different boards, so turning is not clear")
        node = n.node if tree.op == "+" else self.op("negative", (n.node,))
        kind = Elem(left.type.root, self.world.turned_mask(left.type.mask), left.type.maybe)
        if table == tuple(range(len(table))):
            return Typed(self.op("rotate", (left.node, node, C.Const(len(table))), tree.span), kind)
        places = {d: (table, place) for place, d in enumerate(table)}
        return Typed(C.Primitive("turn", (left.node, node), (places,), tree.span), kind)

    def choice(self, tree: E.If, want: Type | None) -> Typed:
        condition = self.condition(self.expr(tree.condition, BOOL), tree.condition.span, "the condition of `if`")
        if isinstance(condition, C.Const):  # an option decides: only one side is ever used
            kept, other = (tree.then, tree.otherwise) if condition.value else (tree.otherwise, tree.then)
            with self.left_out():
                self.expr(other, want)
            return self.expr(kept, want)
        if want is None and self.needs_help(tree.then) and not self.needs_help(tree.otherwise):
            second = self.expr(tree.otherwise)
            first = self.expr(tree.then, second.type)
        else:
            first = self.expr(tree.then, want)
            second = self.expr(tree.otherwise, first.type if want is None else want)
        if isinstance(first.type, Broken) or isinstance(second.type, Broken):
            return BAD
        together = join(first.type, second.type)
        if together is None:
            return self.fail(
                "T203", tree.otherwise.span, f"{show(second.type)} does not go with {show(first.type)} before `else`"
            )
        a, b = (
            self.reconcile(side, together, part.span) for side, part in ((first, tree.then), (second, tree.otherwise))
        )
        return Typed(C.Cond(condition, a, b, tree.span), together)

    def reconcile(self, typed: Typed, together: Type, span: Span) -> C.Node:
        """The code of one side as a value of the common type."""
        if isinstance(together, SetOf) and not isinstance(typed.type, SetOf):
            found = self.as_set(typed, span)
            return found.node if found is not None else C.Const(0)
        if isinstance(typed.type, Nothing):
            if isinstance(together, ListOf):
                return C.Const(())
            return C.Const((0,) * together.root.size if isinstance(together, BagOf) else none_of(together))
        return widened(typed, together.root) if isinstance(together, BagOf) else typed.node

    # ------------------------------------------------------------------------------------------ calls

    def call(self, tree: E.Call, want: Type | None) -> Typed:
        if isinstance(tree.of, E.Attribute):
            return self.call_code(tree, tree.of)
        if not isinstance(tree.of, E.Name):
            return self.fail("T218", tree.of.span, "this cannot be called")
        word = tree.of.name
        declared = self.world.names.get(word)
        if declared is not None and declared.sort == "formula":
            declared.used = True
            return self.call_formula(tree, declared.data)
        if declared is not None and declared.sort in ("effect", "action"):
            return self.fail(
                "T219",
                tree.span,
                f"`{word}` is an {declared.sort}, which has no value",
                "call it in a block, as a statement of its own",
            )
        builtin = self.world.builtins.get(word)
        if builtin is not None:
            return builtin.call(self, tree, want)
        if declared is not None or self.local(word) is not None:
            return self.fail("T218", tree.of.span, f"`{word}` is not a function")
        if self.world.failed(word):
            return BAD
        help, known = about_function(self, tree, word)
        return self.fail("N103", tree.of.span, f"there is no function `{word}`", help, known)

    def call_formula(self, tree: E.Call, formula: Any) -> Typed:
        args = self.arguments(tree, formula.parameters, formula.signature)
        return BAD if args is None else self.invoke(formula, args, tree.span)

    def arguments(self, tree: E.Call, parameters: list[tuple[str, Type]], signature: str) -> tuple[C.Node, ...] | None:
        """The arguments of a declared formula, effect or action, in the order of its parameters."""
        given = tree.arguments
        if given.sources or given.where is not None or given.keys:
            self.fail("T220", tree.span, "this takes plain arguments", f"it is `{signature}`")
            return None
        by_name = {name.name: (name, value) for name, value in given.named}
        nodes: list[C.Node] = []
        plain = list(given.plain)
        ok = True
        for i, (name, kind) in enumerate(parameters):
            if i < len(plain):
                value = plain[i]
            elif name in by_name:
                value = by_name.pop(name)[1]
            else:
                self.fail(
                    "T221",
                    tree.span,
                    f"`{name}` is missing: {_counted(len(parameters), 'argument')} needed, {len(plain)} given",
                    f"it is `{signature}`",
                )
                return None
            typed = self.expr(value, kind)
            ok = ok and not isinstance(typed.type, Broken)
            nodes.append(self.coerce(typed, kind, value.span, f"`{name}`"))
        if len(plain) > len(parameters):
            self.fail(
                "T221",
                plain[len(parameters)].span,
                f"{_counted(len(parameters), 'argument')} needed, {len(plain)} given",
                f"it is `{signature}`",
            )
            return None
        for name, (where, _) in by_name.items():
            known = nearest(name, [p for p, _ in parameters])
            self.fail(
                "N110",
                where.span,
                f"there is no argument `{name}`",
                did_you_mean(known) or f"it is `{signature}`",
                tuple(known),
            )
            ok = False
        return tuple(nodes) if ok else None

    def invoke(self, formula: Any, args: tuple[C.Node, ...], span: Span) -> Typed:
        result = self.world.formula_type(formula, span)
        if isinstance(result, Broken):
            return BAD
        body = formula.code.body
        if isinstance(body, C.Const):
            return Typed(body, result)
        return Typed(C.Invoke(formula.code, args, span), result)

    def call_code(self, tree: E.Call, of: E.Attribute) -> Typed:
        """`card.formula(x)`: code that stands in the row of a table."""
        typed = self.expr(of.of)
        if isinstance(typed.type, Broken):
            return BAD
        if not isinstance(typed.type, Elem):
            return self.fail("T205", of.name.span, f"{show(typed.type)} has no `{of.name.name}`")
        attribute = self.code_attribute(typed.type, of.name)
        if attribute is None:
            found = self.attribute_of_element(typed, typed.type, of)
            if isinstance(found.type, Broken):
                return BAD
            return self.fail("T218", of.name.span, f"`{of.name.name}` is {show(found.type)}, not code to be called")
        if attribute.type.kind == "effect":
            return self.fail(
                "T219",
                tree.span,
                f"`{of.name.name}` is an effect, which has no value",
                "call it in a block, as a statement of its own",
            )
        args = self.arguments(tree, attribute.origin.parameters, attribute.origin.signature)
        return BAD if args is None else self.world.call_row_code(self, typed, attribute, args, tree.span)

    def code_attribute(self, kind: Elem, name: E.Name) -> Any:
        """The attribute of this name, if it is code and all these members have it."""
        for attribute in kind.root.attributes.get(name.name, ()):
            if kind.mask & ~attribute.mask == 0 and isinstance(attribute.type, Code):
                return attribute
        return None

    # --------------------------------------------------------------------------------------- conversions

    def pieces_type(self, place: Elem) -> Elem:
        """What may lie in a place."""
        return Elem(self.world.pieces, self.world.kinds_of_places(place.mask))

    def as_set(self, typed: Typed, span: Span, single: bool = False) -> TypedSet | None:
        """A value as a set; with `single`, one member counts as the set of it."""
        match typed.type:
            case Broken():
                return None
            case Nothing():
                return (
                    TypedSet(C.Const(0), SetOf(Num(0, 0)))
                    if not isinstance(typed.node, C.Const)
                    else TypedSet(C.Const(0), _any_set())
                )
            case SetOf(of=Elem() as inner) if inner.root.kind == "place":
                spots = tuple(self.world.spots.first_place + i for i in range(inner.root.size) if inner.mask >> i & 1)
                return TypedSet(C.Primitive("on_all", (), (spots,), span), SetOf(self.pieces_type(inner)))
            case SetOf(of=Num(low=low, high=high)) if (
                isinstance(typed.node, C.Op) and typed.node.name == "span" and not 0 <= low <= high <= MOST_IN_SET
            ):
                self.fail(
                    "R315",
                    span,
                    f"a set of numbers holds those from 0 to {MOST_IN_SET:,}, and these go from {low:,} to {high:,}",
                    "run over them in a loop, or use a smaller range",
                )
                return None
            case SetOf():
                return TypedSet(typed.node, typed.type)
            case ListOf(of=Elem() | Num() as inner):
                return TypedSet(self.op("collect", (typed.node,), span), SetOf(surely(inner)))
            case ListOf(of=Bool()):
                return TypedSet(self.op("collect", (typed.node,), span), SetOf(Num(0, 1)))
            case Elem() if typed.type.root.kind == "place":
                spot = self.world.spot_of_place(typed.node)
                return TypedSet(C.Primitive("on_set", (spot,), (None,), span), SetOf(self.pieces_type(typed.type)))
            case BagOf(root=root, mask=mask):
                return TypedSet(self.op("bag_kinds", (typed.node,), span), SetOf(Elem(root, mask)))
            case Elem() | Num() if single:
                return TypedSet(self.op("only", (typed.node,), span), SetOf(surely(typed.type)))
        text = " ".join(span.text.split())
        shown = f"`{text}`, which is {show(typed.type)}" if re.fullmatch(r"\d+ *- *\d+", text) else show(typed.type)
        self.fail("T222", span, f"this must be a set, not {shown}", as_set(typed.type, span))
        return None

    def as_list(self, typed: Typed, span: Span) -> TypedList | None:
        """A value as a list in its order."""
        if isinstance(typed.type, ListOf):
            return TypedList(typed.node, typed.type)
        if isinstance(typed.type, Elem) and typed.type.root.kind == "place":
            inner = self.pieces_type(typed.type)
            node = C.Primitive("on", (self.world.spot_of_place(typed.node),), (None,), span)
            return TypedList(node, ListOf(inner, inner.mask.bit_count()))
        found = self.as_set(typed, span)
        if found is None:
            return None
        size = (
            found.type.of.mask.bit_count()
            if isinstance(found.type.of, Elem)
            else found.type.of.high - found.type.of.low + 1
        )
        if isinstance(found.node, C.Op) and found.node.name == "span":
            return TypedList(self.op("upto", found.node.args, span), ListOf(found.type.of, size))
        return TypedList(self.op("members", (found.node,), span), ListOf(found.type.of, size))

    def each(self, typed: Typed, slot: int, span: Span) -> tuple[C.Each, Elem | Num] | None:
        """How a variable runs over a value, and what it is then."""
        if isinstance(typed.type, Broken):
            return None
        if isinstance(typed.type, SetOf) and isinstance(typed.node, C.Op) and typed.node.name == "span":
            inner = typed.type.of
            return C.Each(slot, "range", typed.node.args), inner
        if isinstance(typed.type, ListOf):
            if not isinstance(typed.type.of, Elem | Num):
                self.fail("T222", span, f"a loop or set cannot run over {show(typed.type)}")
                return None
            return C.Each(slot, "list", (typed.node,)), surely(typed.type.of)
        if isinstance(typed.type, Elem) and typed.type.root.kind == "place" and self.world.is_ordered(typed.type.mask):
            row = self.as_list(typed, span)
            assert row is not None, "the pieces in a place are a list"
            assert isinstance(row.type.of, Elem), "what lies in a place is pieces"
            return C.Each(slot, "list", (row.node,)), row.type.of
        found = self.as_set(typed, span)
        if found is None:
            return None
        return C.Each(slot, "set", (found.node,)), found.type.of

    def coerce(self, typed: Typed, want: Type, span: Span, role: str) -> C.Node:
        """The code of a value where a type is demanded, with checks for what only play can show."""
        have = typed.type
        if isinstance(have, Broken) or isinstance(want, Broken):
            return C.Const(0)
        match want:
            case Bool():
                return self.condition(typed, span, role)
            case Num():
                return self.coerce_number(typed, want, span, role)
            case Elem():
                return self.coerce_element(typed, want, span, role)
            case SetOf():
                found = self.as_set(typed, span)
                if found is None:
                    return C.Const(0)
                if found.type != _any_set() and join(found.type, want) is None:
                    self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}")
                elif self.strays(found.type, want):
                    self.fail("T202", span, f"{role} must be {show(want)}, and {show(have)} is none of these")
                return found.node
            case ListOf():
                if isinstance(have, Nothing):
                    return C.Const(())
                listed = self.as_list(typed, span) if isinstance(have, SetOf | ListOf) else None
                if listed is None or join(listed.type, want) is None:
                    self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}")
                    return C.Const(())
                return listed.node
            case BagOf():
                if isinstance(have, Nothing):
                    return C.Const((0,) * want.root.size)
                if isinstance(have, BagOf) and have.root in (want.root, want.root.whole):
                    return widened(typed, want.root)
                if isinstance(have, BagOf) and have.root.whole is want.root:
                    help = "a price is asked for with `payable(…)` and paid with `pay:`"
                    self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}", help)
                    return typed.node
        if join(have, want) is None:
            self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}")
        return typed.node

    def strays(self, have: Type, want: SetOf) -> bool:
        """Whether no member of a set could be one that is wanted."""
        if not isinstance(have, SetOf) or not isinstance(have.of, Elem) or not isinstance(want.of, Elem):
            return False
        return have.of.mask != 0 and have.of.root is want.of.root and have.of.mask & want.of.mask == 0

    def coerce_number(self, typed: Typed, want: Num, span: Span, role: str) -> C.Node:
        have = typed.type
        if isinstance(have, Nothing):
            if have.listed or not want.maybe:
                self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}")
            return C.Const(NO_NUMBER)
        if not isinstance(have, Num):
            self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}", as_number(have, span))
            return C.Const(0)
        node: C.Node = typed.node
        if have.maybe and not want.maybe:
            node = C.Demand(node, NO_NUMBER, f"{role} is none", span)
        if have.high < want.low or have.low > want.high:
            self.fail("R304", span, f"{role} must be {show(want)}, and this is {show(have)}")
        elif have.low < want.low or have.high > want.high:
            node = C.Fit(node, want.low, want.high, role, want.maybe, span)
        return node

    def coerce_element(self, typed: Typed, want: Elem, span: Span, role: str) -> C.Node:
        have = typed.type
        if isinstance(have, Nothing):
            if have.listed or not want.maybe:
                self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}")
            return C.Const(NONE)
        if isinstance(have, Elem) and want.root.whole is have.root:  # a sort of tokens is one of a price, too
            have = Elem(want.root, have.mask, have.maybe)
        if not isinstance(have, Elem) or have.root is not want.root:
            help = ""
            if isinstance(have, SetOf) and join(have.of, want) is not None:
                help = "`first(…)` gives the first of them"
            self.fail("T201", span, f"{role} must be {show(want)}, not {show(have)}", help)
            return C.Const(0)
        node: C.Node = typed.node
        if have.maybe and not want.maybe:
            node = C.Demand(node, NONE, f"{role} is none", span)
        if have.mask & ~want.mask:
            if have.mask & want.mask == 0:
                self.fail("T202", span, f"{role} must be {show(want)}, and {show(have)} is none of these")
            else:
                node = C.Primitive("belongs", (node,), (want.mask, f"{role} must be {show(want)}"), span)
        return node


RESERVED = ("me", "turn_player", "players", "opponent", "turn_number", "round", "supply", "this")


def interval(op: str, *of: Num) -> Num:
    """The range of a sum, difference, product, quotient or remainder, as its row tells it."""
    kinds = tuple(Kind(NUMBER, one.low, one.high + 1) for one in of)
    found = OPS[ARITHMETIC[op]].kind(Given(kinds, (), (), NO_FACTS))
    return Num(found.low, found.top - 1)


def _settled(a: Type, b: Type, name: str) -> bool | None:
    """Whether an order comparison has the same answer for all values."""
    if not isinstance(a, Num) or not isinstance(b, Num):
        return None
    if name in ("greater", "at_least"):
        a, b, name = b, a, {"greater": "less", "at_least": "at_most"}[name]
    if name == "less":
        return True if a.high < b.low else False if a.low >= b.high else None
    return True if a.high <= b.low else False if a.low > b.high else None


def _exactly(type: Type, value: int) -> Type:
    """The type of an option in this play: the one value it has. One that may be nothing stays so in every play, so
    that rules that are right for one value are right for all."""
    match type:
        case Num(maybe=True) | Elem(maybe=True):
            return type
        case Num():
            return Num(value, value)
        case Elem(root=root):
            return Elem(root, 1 << value)
    return type


def _any_set() -> SetOf:
    return SetOf(Num(0, 0))


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


Builder = Callable[[C.Node, Span | None], C.Node]
