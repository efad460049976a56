"""Expressions: every name resolved, every value typed and bounded, and the code that works it out.

One walk does it all. `expr` gives the code and the type of an expression; `want` is the type that its place
demands, which decides what a bare word such as `pawn` means. A slip is reported where it is found and becomes
`BROKEN`, which fits everywhere, so that one slip gives one finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ruledsl.engine.operations import OPERATIONS
from ruledsl.ir import core as C
from ruledsl.ir.ops import OPS
from ruledsl.source.document import Broken as BrokenNode
from ruledsl.source.document import Map, Scalar, Seq
from ruledsl.source.document import Node as YamlNode
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import number_meant, truth_meant
from ruledsl.syntax.parser import is_amount, parse
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
    Elem,
    ListOf,
    Nothing,
    Num,
    SetOf,
    TableOf,
    Type,
    every,
    join,
    maybe,
    surely,
)

from .advice import attribute_asked
from .belonging import Belonging
from .calculating import Calculating
from .calling import Calling
from .comparing import COMPARE, Comparing
from .connecting import Connecting
from .doubts import none_of_two
from .fitting import Fitting
from .meant import about_name, as_number
from .names import BAD, Binding, Declared, Handle, KindInfo, PlaceInfo, Typed
from .narrowing import Narrowing
from .prices import are_amounts, free_sort, is_free
from .show import show, show_mask

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

    from .unread import Unread


class Scope:
    """Where names are bound; what is entered thousands of times for one game is no generator."""

    __slots__ = ("elaborator",)

    def __init__(self, elaborator: Elaborator) -> None:
        self.elaborator = elaborator

    def __enter__(self) -> dict[str, Binding]:
        opened: dict[str, Binding] = {}
        self.elaborator.scopes.append(opened)
        return opened

    def __exit__(self, *_: object) -> None:
        self.elaborator.close_scope()


class Elaborator:
    """Works out expressions in one scope after another; `world` knows all that the game declares."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.report = world.report
        self.belonging = Belonging(self)
        self.comparing = Comparing(self)
        self.calculating = Calculating(self)
        self.calling = Calling(self)
        self.fitting = Fitting(self)
        self.narrowing = Narrowing(self)
        self.connecting = Connecting(self)
        self.scopes: list[dict[str, Binding]] = [{}]
        self.changing: E.Expr | None = None  # what a statement changes
        self.keyed = False  # whether a key follows the name that is read
        self.idle = 0  # above 0 in what these options leave out: others will tell whether it is ever so
        self.no_me = 0  # above 0 where nobody acts: in what is worked out at loading

    # -------------------------------------------------------------------------------------------- scopes

    def scope(self) -> Scope:
        """Names that are bound inside are known there alone."""
        return Scope(self)

    def close_scope(self) -> None:
        for binding in self.scopes.pop().values():
            if not binding.used and binding.span is not None and not binding.name.startswith("_"):
                self.world.unused(binding)

    def bind(self, name: E.Name | str, value: Typed, span: Span | None = None, quiet: bool = False) -> Binding:
        word, place = (name, span) if isinstance(name, str) else (name.name, name.span)
        if place is not None and any(word in scope for scope in self.scopes):
            first = next(scope[word] for scope in reversed(self.scopes) if word in scope)
            notes = ((first.span, "first declared here"),) if first.span else ()
            help = "choose another name"
            if isinstance(first.value.type, SetOf | ListOf):
                help = f"choose another name, as in `x in {word}`"
            self.report.error("N104", place, f"`{word}` is already a name here", notes=notes, help=help)
        elif place is not None and not word.isidentifier() and (" " not in word or place.text == word):
            # Some that are made have a space, and stand nowhere.
            help = "use letters, digits and `_`, with a letter first"
            if (parts := word.split()) and parts[0].isidentifier() and len(parts) > 1:
                alone = parts[-1] in ("from", "in", "of", "is")
                help = f"write `{parts[0] if alone else '_'.join(parts)}`"
                self.scopes[-1][parts[0]] = Binding(parts[0], BAD, place, used=True)
            if "." in word:
                help = f"write a new name, such as `n`, and then `set: {{{word}: n}}`"
            self.report.error("N204", place, f"`{word}` cannot be a name", help=help)
        elif place is not None and word in RESERVED:
            help = "`rounds: 6` repeats, and counts in `round`; or choose another name" if word == "round" else ""
            said = f"`{word}` has a meaning of its own"
            self.report.error("N105", place, said, help=help or "choose another name")
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

    def read(self, node: YamlNode | None, start: str = "expr", wanted: str = "") -> Any:
        """The tree of an expression in the document; a list of the file is a list of expressions.

        `wanted` says what the place needs, for advice where the text cannot be read.
        """
        if node is None or isinstance(node, BrokenNode):
            return E.Bad(node.span if node else self.world.span)
        known = self.world.trees.get((node, start))
        if known is None:
            known = self.world.trees[node, start] = self._read(node, start, wanted)
        return known

    def _unread(self, start: str, wanted: str, node: Scalar) -> Unread:
        from .unread import Unread  # nothing in it is needed where all can be read

        return Unread(self, start, wanted, node)

    def _read(self, node: YamlNode, start: str, wanted: str) -> Any:
        if isinstance(node, Scalar):
            return parse(node, start, self.report, wanted, partial(self._unread, start, wanted, node))
        if isinstance(node, Seq) and start in ("expr", "domain"):
            items = self._listed(node)
            return E.Domain(node.span, items) if start == "domain" else items
        if isinstance(node, Map) and start == "expr" and are_amounts(self.world, node):
            return E.bag(node.span, [E.amount(e.key.span, self.read(e.key), self.read(e.value)) for e in node])
        if not self.report.tells_of(node.span):
            help = _value_inside(node)
            if start == "type":
                help = "a type by its name must be here; the words of a type are listed under `types:`"
                words = [item.value for item in node.items if isinstance(item, Scalar)] if isinstance(node, Seq) else []
                if words and all(word.isdecimal() for word in words):
                    help = f"numbers are a range: write `{min(map(int, words))}..{max(map(int, words))}`"
                elif words:
                    help = (
                        f"declare the words under `types:`, as in `sort: {node.span.one_line}`, and write `sort` here"
                    )
                help = "write `player`" if words and {*words} <= {*self.world.players.names} else help
            self.report.error("S103", node.span, f"an expression must be here, not {shape_of(node)}", help=help)
        return E.Bad(node.span)

    def _listed(self, node: Seq) -> E.Expr:
        """A list of the file, which is a bag if it says how many of what."""
        if not any(map(is_amount, node.items)):
            return E.Items(node.span, tuple(self.read(item) for item in node.items))
        read = ((self.read(item, "item" if is_amount(item) else "expr"), is_amount(item)) for item in node.items)
        return E.bag(node.span, [tree if of else E.amount(tree.span, tree) for tree, of in read])

    def value(self, node: YamlNode | None, want: Type | None = None, role: str = "this") -> Typed:
        """The expression of a place that demands a type."""
        tree = self.read(node, wanted=_wanted(want))
        typed = self.expr(tree, want)
        if want is None:
            return typed
        return Typed(
            self.fitting.coerce(typed, want, tree.span, role), want if not isinstance(typed.type, Broken) else BROKEN
        )

    def condition_of(self, node: YamlNode | None, role: str = "this") -> C.Node:
        tree = self.read(node, wanted="condition")
        before = self.report.errors
        found = self.condition(self.expr(tree, BOOL), tree.span, role)
        written = isinstance(tree, E.Literal) and (tree.value or role == "`done`")  # `true` is written on purpose
        if isinstance(found, C.Const) and not written and self.report.errors == before and not self.no_me:
            self.world.settled(tree, bool(found.value))
        return found

    # --------------------------------------------------------------------------------------------- forms

    def expr(self, tree: E.Expr, want: Type | None = None) -> Typed:
        """The code and type of an expression."""
        sort = tree.__class__  # the most frequent are asked for first
        if sort is E.Name:
            return self.name(tree, want)  # type: ignore[arg-type]
        if sort is E.Binary:
            return self.binary(tree, want)  # type: ignore[arg-type]
        if sort is E.Attribute:
            return self.attribute(tree, want)  # type: ignore[arg-type]
        if sort is E.Call:
            return self.call(tree, want)  # type: ignore[arg-type]
        match tree:
            case E.Num(value=value):
                if value > FAR:
                    return self.fail("R301", tree.span, f"{value} is too large a number", f"{FAR} is the largest")
                return Typed(C.Const(value, tree.span), Num(value, value))
            case E.Literal(value=None):
                return Typed(C.Const(NO_NUMBER if isinstance(want, Num) else NONE, tree.span), NOTHING)
            case E.Literal(value=value):
                return Typed(C.Const(int(bool(value)), tree.span), BOOL)
            case E.Items():
                return self.items(tree, want)
            case E.Index():
                return self.belonging.index(tree)
            case E.Unary(op="not"):
                asked, whole = self.expr(tree.of, BOOL), tree.of.span.one_line
                empty = f"`no({whole})` asks whether it is empty; whether one is not in it, `me not in {whole}`"
                help = empty if isinstance(asked.type, SetOf | ListOf) or self.is_place(asked.type) else ""
                inner = self.condition(asked, tree.of.span, "what `not` turns around", help)
                return Typed(self.op("not", (inner,), tree.span), BOOL)
            case E.Unary():
                return self.calculating.negative(tree)
            case E.If():
                return self.choice(tree, want)
            case E.Bad():
                return BAD
        raise AssertionError(tree)

    def op(self, name: str, args: tuple[C.Node, ...], span: Span | None = None) -> C.Node:
        """An operation, worked out now where all its arguments are known."""
        row = OPS[name]
        assert row.takes_many() or len(args) == len(row.takes), f"`{name}` does not take {len(args)} arguments"
        if all(isinstance(arg, C.Const) for arg in args):
            values = [arg.value for arg in args if isinstance(arg, C.Const)]
            if row.fails is None or not row.fails_with(values):
                value = OPERATIONS[name](*values)
                return C.Const(int(value) if isinstance(value, bool) else value, span)
        return C.Op(name, args, span)

    def fail(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        suggestions: tuple[str, ...] = (),
        about: tuple[str, ...] = (),
    ) -> Typed:
        self.report.error(code, span, message, help=help, suggestions=suggestions, about=about)
        return BAD

    # --------------------------------------------------------------------------------------------- names

    def name(self, tree: E.Name, want: Type | None) -> Typed:
        word = tree.name
        binding = self.local(word)
        if binding is not None:
            binding.used = True
            return self.narrowing.read(binding, want) if self.narrowing.known else binding.value
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
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        if word == "all" and isinstance(inner, Elem) and inner.root is self.world.players:
            return self.fail("N107", tree.span, "`all` is a function", "all players are `players`", ("players",))
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

        one = self.fitting.coerce(player, every(self.world.players), span, "whose score this is")
        made = score_of(self.world, one, span)
        return BAD if made is None else Typed(*made)

    def is_known(self, word: str) -> bool:
        """Whether a name means anything here, be it right or wrong in its place."""
        return self.local(word) is not None or word in self.world.names or self.world.failed(word)

    def spoken_of(self, word: str, span: Span) -> None:
        """Called for the names of types, and of effects that are called: who notes names does it here."""

    def unknown(self, word: str, span: Span, want: Type | None) -> Typed:
        if self.world.failed(word) or isinstance(want, Broken):  # it may be a word of what could not be made
            return BAD
        help, known = about_name(self, word, span, want)
        if not known and (self.world.data.get("stand-ins") or self.world.data.get("nameless")):
            return BAD  # it may be a space of a board, or a name of a statement, that cannot be made
        role = (
            f"there is no {self.noun(want)} `{word}`"
            if want is not None and self.noun(want)
            else f"nothing is called `{word}`"
        )
        help = help or f"a formula of your own is declared under `define:`, as in `{word}: …`"
        return self.fail("N101", span, "there is no `this` here" if word == "this" else role, help, known)

    def noun(self, want: Type | None) -> str:
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        if not isinstance(inner, Elem) or inner.root.kind == "piece":
            return ""
        if inner.root.kind == "direction":
            return "direction"
        # one member alone is what an option is now: the word was to be another of them
        return inner.root.name if inner.mask.bit_count() == 1 else show_mask(inner.root, inner.mask)

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
        assert found is not None, "`me` already has a meaning everywhere"
        return found

    def special(self, word: str, span: Span) -> Typed | None:
        if word not in _SPECIAL:
            return None
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
                self.world.needs.asked(declared.name)
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
                        "N107", span, f"`{declared.name}` needs its arguments", self.calling.whole_call(data)
                    )
                return self.calling.invoke(data, (), span)
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
            help = f"write one of {names}" if names else "compare it with something of that type"
            return self.fail("N106", span, f"`{word}` could be a word of several types", help)
        root, number = homes[0]
        self.world.use_member(root, number)
        return Typed(C.Const(number, span), Elem(root, 1 << number))

    def items(self, tree: E.Items, want: Type | None) -> Typed:
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        if not tree.items:
            return Typed(C.Const((), tree.span), EMPTY)
        if isinstance(want, BagOf):
            return self.expr(E.bag(tree.span, [E.amount(item.span, item) for item in tree.items]), want)
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
            alone = f"leave out the brackets: `{tree.items[0].span.text}`" if len(tree.items) == 1 else ""
            return self.fail("T203", tree.span, f"a list cannot hold {show(kind)}", alone or "join sets with `+`")
        return Typed(self.op("make", tuple(t.node for t in typed), tree.span), ListOf(kind, len(typed)))

    def call(self, tree: E.Call, want: Type | None) -> Typed:
        return self.calling.call(tree, want)

    # ---------------------------------------------------------------------------------------- attributes

    def attribute(self, tree: E.Attribute, want: Type | None) -> Typed:
        if isinstance(tree.of, E.Name) and self.belonging.may_qualify(tree.of, tree.name.name):
            qualified = self.belonging.qualified(tree.of, tree.name)
            if qualified is not None:
                return qualified
        return self.belonging.attribute_of(self.expr(tree.of), tree)

    # ------------------------------------------------------------------------------------------ operators

    def number(self, typed: Typed, span: Span, role: str) -> Typed | None:
        """A value as a number to calculate with; none is a fault in play."""
        match typed.type:
            case Num(low, high, True):
                none_of_two(self.world, typed.node, span, role, NO_NUMBER)
                return Typed(C.Demand(typed.node, NO_NUMBER, f"{role} is none", span), Num(low, high))
            case Num():
                return typed
            case Broken():
                return None
            case Nothing():
                self.fail("T209", span, f"{role} must be a number, not {show(typed.type)}")
                return None
        help = as_number(typed.type, span, self)
        if span.file.text[span.start - 1 : span.start] == "-" and isinstance(typed.type, SetOf | ListOf):
            help = f"for the opposite order write `reversed({span.one_line})`; {help}"
        self.fail("T209", span, f"{role} must be a number, not {show(typed.type)}", help)
        return None

    def binary(self, tree: E.Binary, want: Type | None) -> Typed:
        op = tree.op
        if op in ("and", "or"):
            return self.connecting.connective(tree)
        if op in COMPARE:
            return self.comparing.compare(tree)
        if op in ("in", "not in"):
            found = self.comparing.membership(tree)
            return found if op == "in" or found is BAD else Typed(self.op("not", (found.node,), tree.span), BOOL)
        if op == "..":
            return self.calculating.range(tree)
        if op in ("from", "after", "except"):
            return self.calculating.circle(tree)
        if op == "otherwise":
            return self.calculating.fallback(tree, want)
        return self.calculating.arithmetic(tree, want)

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
                    meant or "ask `any(…)` whether something is in it",
                )
            case SetOf() | ListOf() | BagOf():
                self.fail(
                    "T210",
                    span,
                    f"{role} must be a condition, not {show(typed.type)}",
                    meant or "ask `any(…)` whether something is in it",
                )
            case Elem():
                self.fail(
                    "T211",
                    span,
                    f"this is always there: {show(typed.type)}, never none",
                    meant or self._asked_of(typed.type, span),
                )
            case Num():
                help = meant or "compare it, as in `x > 0`"
                self.fail("T210", span, f"{role} must be a condition, not a number", help)
            case _:
                help = as_number(typed.type, span, self)
                self.fail("T210", span, f"{role} must be a condition, not {show(typed.type)}", help)
        return C.Const(0)

    def _asked_of(self, kind: Type, span: Span) -> str:
        """What may be asked of a thing that is always there."""
        text = span.one_line
        if isinstance(kind, Elem) and kind.root is self.world.players and text in kind.root.names:
            return f"`me == {text}` asks whether it is this one"
        return attribute_asked(self, kind, text) or "compare it with something"

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

    def is_place(self, type: Type) -> bool:
        inner = type.of if isinstance(type, SetOf) else type
        return isinstance(inner, Elem) and inner.root.kind == "place"

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

    def is_many(self, type: Type) -> bool:
        return isinstance(type, SetOf | ListOf | Nothing) or self.is_place(type)

    def choice(self, tree: E.If, want: Type | None) -> Typed:
        before, asked = self.report.errors, self.expr(tree.condition, BOOL)
        condition = self.condition(asked, tree.condition.span, "the condition of `if`")
        is_known = self.report.errors == before and not isinstance(asked.type, Broken)
        if isinstance(condition, C.Const) and is_known:  # an option decides: only one side is ever used
            kept, other = (tree.then, tree.otherwise) if condition.value else (tree.otherwise, tree.then)
            with self.left_out():
                self.expr(other, want)
            return self.expr(kept, want)
        if want is None and self.needs_help(tree.then) and not self.needs_help(tree.otherwise):
            second = self._side(tree, tree.otherwise, None)
            first = self._side(tree, tree.then, second.type)
        else:
            first = self._side(tree, tree.then, want)
            second = self._side(tree, tree.otherwise, first.type if want is None else want)
        if isinstance(first.type, Broken) or isinstance(second.type, Broken):
            return BAD
        together = join(first.type, second.type)
        if together is None:
            return self.fail(
                "T203", tree.otherwise.span, f"{show(second.type)} does not go with {show(first.type)} before `else`"
            )
        a, b = (
            self.fitting.reconcile(side, together, part.span)
            for side, part in ((first, tree.then), (second, tree.otherwise))
        )
        return Typed(C.Cond(condition, a, b, tree.span), together)

    def _side(self, tree: E.If, side: E.Expr, want: Type | None) -> Typed:
        with self.narrowing.holding(self.narrowing.facts(tree.condition, side is tree.then)):
            return self.expr(side, want)

    # --------------------------------------------------------------------------------------- conversions

    def pieces_type(self, place: Elem) -> Elem:
        """What may lie in a place."""
        return Elem(self.world.pieces, self.world.kinds_of_places(place.mask))

    def each(self, typed: Typed, slot: int, span: Span) -> tuple[C.Each, Elem | Num] | None:
        """How a variable runs over a value, and what it is then."""
        if isinstance(typed.type, Broken):
            return None
        if isinstance(typed.type, SetOf) and isinstance(typed.node, C.Op) and typed.node.name == "span":
            inner = typed.type.of
            return C.Each(slot, "range", typed.node.args), inner
        if isinstance(typed.type, ListOf):
            if not isinstance(typed.type.of, Elem | Num):
                help = "write numbers, as in `n: 0..1`, and ask `n == 1`" if isinstance(typed.type.of, Bool) else ""
                self.fail("T222", span, f"a loop or a set cannot go through {show(typed.type)}", help)
                return None
            return C.Each(slot, "list", (typed.node,)), surely(typed.type.of)
        if isinstance(typed.type, Elem) and typed.type.root.kind == "place" and self.world.is_ordered(typed.type.mask):
            row = self.fitting.as_list(typed, span)
            assert row is not None, "the pieces in a place are a list"
            assert isinstance(row.type.of, Elem), "what lies in a place is pieces"
            return C.Each(slot, "list", (row.node,)), row.type.of
        found = self.fitting.as_set(typed, span)
        if found is None:
            return None
        return C.Each(slot, "set", (found.node,)), found.type.of


_SPECIAL = frozenset(("me", "turn_player", "turn_number", "round", "players", "player", "direction", "opponent"))
RESERVED = ("me", "turn_player", "players", "opponent", "turn_number", "round", "supply", "this")


def _wanted(want: Type | None) -> str:
    """What a place needs, in a word: for advice."""
    match want:
        case Bool():
            return "condition"
        case Num():
            return "number"
        case Elem(maybe=maybe):
            return "one or none" if maybe else "one"
    return ""


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


Builder = Callable[[C.Node, Span | None], C.Node]


def _value_inside(node: YamlNode) -> str:
    """For `{length: 12}` and `{24}`, where the one number in it is meant."""
    entries = list(node) if isinstance(node, Map) else []
    if len(entries) != 1:
        return ""
    key, value = entries[0].key, entries[0].value
    if key.value.isidentifier() and isinstance(value, Scalar) and value.is_null:
        return f"write `{key.value}`, without braces"
    meant = value if isinstance(value, Scalar) and value.as_int() is not None else key
    return f"write `{meant.value}`, without braces" if number_meant(meant.value) is not None else ""
