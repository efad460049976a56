"""What a function of the rule language is: its signature, its documentation, and how a call is worked out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, cast

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.asked import of_each, some_of
from ruledsl.syntax.stopped import FUNCTIONS
from ruledsl.types import (
    NO_NUMBER,
    NONE,
    BagOf,
    Bool,
    Broken,
    Elem,
    ListOf,
    Num,
    SetOf,
    Type,
)
from ruledsl.wording.templates import Words

from .advice import attributes_like
from .doubts import speaks_of_others
from .overset import OF_VALUES, asked_of_each, ordered_meant, values_of
from .ways import of_one_at_hand

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.analysis.elaborate import Elaborator
    from ruledsl.analysis.world import World

# Other words for a named argument that one might try first.
ARGUMENTS_TRIED = dict.fromkeys(
    ("along", "by", "edge", "edges", "if", "over", "passable", "through", "unless", "via", "when", "where"),
    "step",
) | dict.fromkeys(
    ("depth", "distance", "limit", "max", "most", "radius", "range", "steps", "steps_at_most", "up_to", "upto"),
    "within",
)
ORDERED = ("list", "first", "last", "most", "least")  # comprehensions in which `by` says something


@dataclass(frozen=True)
class Builtin:
    """One function; `most` counts its plain arguments, `named` are those that may be given by name."""

    name: str
    signature: str
    topic: str
    doc: str
    build: Callable[[Call], Any]
    fewest: int
    most: int
    named: tuple[str, ...]
    comprehension: bool
    tried: tuple[str, ...] = ()  # other words for it that one might try first
    words: Words | None = None  # how a call of it is told

    def call(self, elaborator: Elaborator, tree: E.Call, want: Type | None) -> Any:
        """The code and type of a call."""
        call = Call(self, elaborator, tree, want)
        if not call.sound():
            return call.bad
        return self.build(call)


BUILTINS: dict[str, Builtin] = {}


def looked_ahead(world: World, plain: Sequence[E.Expr], name: str = "") -> str:
    """For `exists(press(), n > 3)` and `possible(n > 3 after press())`: what would hold after an effect."""
    called = next((one for one in plain if isinstance(one, E.Call) and _is_effect(world, one.of)), None)
    rest = [one.span.one_line for one in plain if one is not called]
    asked = f"{called.span.one_line}, {rest[0] if len(rest) == 1 else 'condition'}" if called is not None else ""
    if len(plain) == 1 and (after := re.fullmatch(r"(.*\S)\s+after\s+((\w+)\(.*\))", rest[0] if rest else "")):
        asked = f"{after[2]}, {after[1]}" if _is_effect(world, E.Name(plain[0].span, after[3])) else ""
    if not asked:
        return ""
    if name:
        return f"say what should hold after it: `{name}({asked})`"
    return f"what would hold after an effect is `would({asked})`; if the effect asks players, `possible({asked})`"


def _is_effect(world: World, called: E.Expr) -> bool:
    declared = world.names.get(called.name) if isinstance(called, E.Name) else None
    return declared is not None and declared.sort in ("effect", "action")


def meant_by(word: str) -> list[str]:
    """The function that another word for it means."""
    return [name for name, known in BUILTINS.items() if word in known.tried]


def builtin(
    signature: str, words: Words | None = None, tried: tuple[str, ...] = ()
) -> Callable[[Callable[[Call], Any]], Callable[[Call], Any]]:
    """Registers a function by its signature; `*` behind the name allows the forms of a comprehension.

    `words` tell a call of it in sentences: `{0}` is its first argument, `{things}` what a comprehension runs over.
    `tried` are other words for it.
    """
    name, star, inside = re.fullmatch(r"(\w+)(\*?)\((.*?)\)(?: .*)?", signature).groups()  # type: ignore[union-attr]
    parameters = [p.strip() for p in inside.split(",") if p.strip()]
    named = tuple(p.split("=")[0].strip() for p in parameters if "=" in p)
    required = [p for p in parameters if "=" not in p and not p.endswith("…")]

    def keep(build: Callable[[Call], Any]) -> Callable[[Call], Any]:
        assert name not in BUILTINS, f"two functions are called {name}"
        FUNCTIONS.add(name)
        most = 1000 if any(p.endswith("…") for p in parameters) else len(parameters)
        topic = build.__module__.rsplit(".", 1)[-1]
        BUILTINS[name] = Builtin(
            name,
            signature.replace("*(", "("),
            topic,
            cleandoc(build.__doc__ or ""),
            build,
            len(required),
            most,
            named,
            bool(star),
            tried,
            words,
        )
        return build

    return keep


@dataclass
class Call:
    """A call being worked out: its arguments, and the services of the elaborator."""

    builtin: Builtin
    elaborator: Elaborator
    tree: E.Call
    want: Type | None
    plain: list[E.Expr] = field(default_factory=list)
    sources: list[E.Source] = field(default_factory=list)
    named: dict[str, E.Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = self.tree.arguments
        self.plain, self.sources = list(given.plain), list(given.sources)
        self.value_form = bool(self.sources)
        self.turned = False  # whether its arguments are in another order, which was told
        if self.builtin.comprehension:
            self.plain, self.sources = E.opened(given)
        self.named = {name.name: value for name, value in given.named}
        self.world = cast("GameWorld", self.elaborator.world)

    @property
    def span(self) -> Span:
        return self.tree.span

    @property
    def bad(self) -> Any:
        from .names import BAD

        return BAD

    def _some_of(self, whole: str, where: E.Expr) -> str:
        """`d in disc where d.side == me` for `disc where side == me`."""
        said, has, elab = where.span.text, self.world.pieces.attributes, self.elaborator
        types = {name for name, declared in self.world.names.items() if declared.sort == "type"}
        free = types | (has.keys() - self.world.names.keys())
        if isinstance(where, E.Binary) and where.op == "in":  # `any(empty(p) where p in plot)`
            return some_of(None, whole, said)
        names = [name for name in E.names_in(where) if name != whole]
        bare = [name for name in names if name in has and name in free and elab.local(name) is None]
        kind = next((kind.name for kind in self.world.kinds if kind.name == whole), "")
        one = kind[:1] if kind and elab.local(kind[:1]) is None else "x"
        for name in {*bare}:
            said = re.sub(rf"(?<![.\w]){name}(?!\w)", f"{one}.{name}", said)
        return some_of(one if bare else None, whole, said)

    def sound(self) -> bool:
        """Whether the arguments fit the signature; else it is reported."""
        builtin, given = self.builtin, self.tree.arguments
        if not builtin.comprehension and (given.sources or given.where is not None or given.keys):
            self.fail("T220", self.span, f"`{builtin.name}` takes plain arguments", f"it is `{builtin.signature}`")
            return False
        if given.where is not None and not self.sources:
            own = f"it is `{builtin.signature}`" if "x in S" in builtin.signature else ""
            whole = self.plain[-1].span.text if self.plain else "…"
            if re.match(r"\w+\s+in\b.*\band\s+\w+\s+in\b", whole):  # `m in S and d in T where …`
                listed = re.sub(r"\s+and\s+", ", ", whole)
                own = f"write `{builtin.name}({listed} where {given.where.span.text})`"
            if len(self.plain) > 1 and (named := re.fullmatch(r"(\w+)\s+in\s+(.+)", self.plain[0].span.text)):
                items = ", ".join([named[2], *(one.span.text for one in self.plain[1:])])  # `s in a1, b1 where …`
                own = f"write `{builtin.name}({named[1]} in [{items}] where {given.where.span.text})`"
            help = own or f"write `{builtin.name}({self._some_of(whole, given.where)})`"
            self.fail("T223", given.where.span, "`where` needs a name", help)
            return False
        meant = values_of(builtin.name, given, self.plain, self.sources) if builtin.comprehension else ""
        if meant and not (builtin.name in ("max", "min") and given.keys):
            said = (
                f"`{builtin.name}` needs a {'condition' if builtin.name in ('any', 'all', 'no') else 'value'} of each"
            )
            self.fail("T224", self.span, said, f"write `{meant}`")
            return False
        if given.keys and (not self.sources or builtin.name not in ORDERED):
            if builtin.name in ORDERED and (meant := self.ordered_meant(builtin.name)):
                self.fail("T223", given.keys[0].span, "`by` needs a name", f"write `{meant}`")
                return False
            message = f"`{builtin.name}` does not sort, so `by` has no effect"
            self.fail("T258", given.keys[0].span, message, self._order())
            return False
        beside = self.plain[:-1] if self.value_form else self.plain if self.sources else []
        if beside and re.search(r"\((S\)|e for|a, …|x in)", builtin.signature):
            help = f"write `{builtin.name}(…)` for each, and combine the results"
            if builtin.name in ("first", "last") and len(beside) == 1:
                help = "`take(list(…), n)` gives the first n of them; `reversed(…)` the other way round"
            self.fail("T258", beside[0].span, f"with names, `{builtin.name}` takes no other arguments", help)
            return False
        for name, _ in given.named:
            if name.name not in builtin.named:
                other = ARGUMENTS_TRIED.get(name.name)
                help = f"did you mean `{other}=`? " if other in builtin.named else ""
                message = f"`{builtin.name}` has no argument `{name.name}`"
                self.fail("N110", name.span, message, f"{help}it is `{builtin.signature}`")
                return False
        count = len(self.plain) + (1 if self.sources and not self.value_form else 0)
        fewest = max(0, builtin.fewest - sum(1 for name in self.named if name in builtin.signature))
        if not fewest <= count <= builtin.most:
            wanted = f"{builtin.fewest}" if builtin.fewest == builtin.most else f"{builtin.fewest} to {builtin.most}"
            if builtin.most >= 1000:
                wanted = f"at least {builtin.fewest}"
            last = self.plain[-1] if self.plain else None
            named = re.match(r"(\w+)\s+in\s+(.+)", self.plain[0].span.one_line) if count == 2 else None
            if named is not None and builtin.name in OF_VALUES and last is not None:
                help = f"write `{builtin.name}({of_each(named[1], named[2], last.span.one_line)})`"
                self.fail("T221", last.span, "the value of each stands before `for`", help)
                return False
            if count == 2 and builtin.comprehension and re.match(r"\w+\s+in\b", self.plain[0].span.text) and last:
                help = f"write `{builtin.name}({self.plain[0].span.one_line} where {last.span.one_line})`"
                self.fail("T221", last.span, "a condition follows `where`, without a comma", help)
                return False
            if help := self._compared(last):
                self.fail("T221", self.span, f"`{builtin.name}` takes {builtin.most} argument, not {count}", help)
                return False
            if given.sources and isinstance(last, E.Binary):
                help = f"a condition follows `where`, without a comma: `where {last.span.one_line}`"
                self.fail("T221", last.span, "this is no argument of its own", help)
                return False
            self.fail(
                "T221",
                self.span,
                f"`{builtin.name}` takes {wanted} argument{'' if wanted == '1' else 's'}, not {count}",
                self._tried_out() or f"it is `{builtin.signature}`",
            )
            return False
        return True

    def _compared(self, last: E.Expr | None) -> str:
        """For `repeats(situation, 3)`: the number that is compared with it is no argument."""
        numbers = isinstance(last, E.Num) and self.builtin.signature.endswith("→ number")
        if not numbers or last is None or len(self.plain) != self.builtin.most + 1 or isinstance(self.plain[0], E.Num):
            return ""
        call = f"{self.builtin.name}({', '.join(one.span.one_line for one in self.plain[:-1])})"
        return f"it gives a number: compare it, as in `{call} == {last.span.one_line}` or `>=`"

    def _tried_out(self) -> str:
        """For `possible(attack)`: what is tried, and what is to hold then, are two things. For `count(dice, six)`: how
        many there are of one sort, or in a set."""
        if self.builtin.name in ("count", "total") and len(self.plain) == 2:
            whole, one = (part.span.one_line for part in self.plain)
            kind = self.elaborator.expr(self.plain[0]).type
            if isinstance(kind, BagOf):
                return f"how many there are of one sort is `{whole}[{one}]`"
            return f"how many of them are so is `count(x in {whole} where x == {one})`, or `where` with what is asked"
        if self.builtin.name not in ("possible", "would") or len(self.plain) != 1:
            return ""
        if help := looked_ahead(self.elaborator.world, self.plain, self.builtin.name):
            return help
        tried = self.plain[0].span.one_line
        declared = self.elaborator.world.names.get(tried.partition("(")[0])
        if declared is None or declared.sort not in ("effect", "action"):
            return ""
        called = tried if "(" in tried else f"{tried}(…)"
        return f"say what should hold after it: `{self.builtin.name}({called}, condition)`"

    def ordered_meant(self, name: str) -> str:
        """What was meant by an order without a name; formulas of one thing are asked of each."""
        known = (d for d in self.world.names.values() if d.sort == "formula")
        formulas = [one.name for one in known if len(one.data.parameters) == 1]
        return ordered_meant(name, self.tree.arguments, self.plain, self.sources, formulas)

    def _order(self) -> str:
        """What may have been meant by `by` in a call that has no order."""
        other = {"max": "most", "min": "least"}.get(self.builtin.name)
        if other is None:
            return f"it is `{self.builtin.signature}`; `list`, `first`, `last`, `most` and `least` have an order"
        number = f"the number itself is `{self.builtin.name}(… for x in …)`"
        meant = self.ordered_meant(other) or f"{other}(x in … by …)"
        return f"did you mean `{meant}`, all that have it? {number}"

    def fail(self, code: str, span: Span, message: str, help: str = "") -> Any:
        return self.elaborator.fail(code, span, message, help)

    # ----------------------------------------------------------------------------------------- arguments

    def tree_of(self, position: int, name: str = "") -> E.Expr | None:
        if position < len(self.plain):
            return self.plain[position]
        return self.named.get(name)

    def typed(self, position: int, name: str = "", want: Type | None = None) -> Any:
        """An argument as it is, or None where it was left out."""
        tree = self.tree_of(position, name)
        return None if tree is None else self.elaborator.expr(tree, want)

    def node(self, position: int, want: Type, role: str, name: str = "") -> C.Node | None:
        """An argument as a value of a type."""
        tree = self.tree_of(position, name)
        if tree is None:
            return None
        return self.elaborator.fitting.coerce(self.elaborator.expr(tree, want), want, tree.span, role)

    def declared(self, tree: E.Expr, sort: str, what: str) -> Any:
        """What an argument names; else it is reported, with the names that there are."""
        found = self.world.names.get(tree.name) if isinstance(tree, E.Name) else None
        if found is not None and found.sort == sort:
            found.used = True
            return found
        if isinstance(tree, E.Name) and self.world.failed(tree.name):
            return None
        names = [d.name for d in self.world.names.values() if d.sort == sort]
        word = tree.name if isinstance(tree, E.Name) else ""
        known = nearest(word, names) or (names if word and len(names) == 1 else [])
        row = next((k for k in self.world.kinds if sort == "kind" and word in self._rows_of(k)), None)
        if row is not None:
            letter, call = row.name[0], self.builtin.name
            right = f"set({letter} in {call}({row.name}) where {letter}.name == {word})"
            help = f"`{word}` is a row of `{row.name}`: write `{right}`"
            self.elaborator.fail("T229", tree.span, f"`{word}` is one sort of `{row.name}`, and no kind", help)
            return None
        help = did_you_mean(known) or (
            "there is none: declare it" if not names else f"it is one of {', '.join(f'`{n}`' for n in names[:12])}"
        )
        said = f"there is no {what} `{word}`" if word else f"this must be the name of a {what}"
        self.elaborator.fail("T229", tree.span, said, help, tuple(known))
        return None

    def _rows_of(self, kind: Any) -> list[str]:
        """What the rows of a kind are called."""
        ways = self.world.pieces.attributes.get("name", ())
        of_it = [way.type for way in ways if kind.mask & ~way.mask == 0]
        return [name for one in of_it if isinstance(one, Elem) for name in one.root.names]

    def number(self, position: int, role: str, name: str = "") -> Any:
        tree = self.tree_of(position, name)
        if tree is None or self.turned:
            return None
        return self.elaborator.number(self.elaborator.expr(tree), tree.span, role)

    def numbers(self, role: str = "this") -> list[Any] | None:
        """All plain arguments as numbers."""
        found = [self.number(position, role) for position in range(len(self.plain))]
        return None if None in found else found

    def of_numbers(self, name: str, role: str = "this") -> Any:
        """An operation on all plain arguments, which are numbers; its row tells its bounds."""
        numbers = self.numbers(role)
        return self.bad if numbers is None else self.elaborator.calculating.of_numbers(name, numbers, self.span)

    def element(self, position: int, kinds: tuple[str, ...], role: str) -> Any:
        """An argument that is one space, piece, part or player; none is allowed."""
        return self.element_of(self.elaborator.expr(self.plain[position]), position, kinds, role)

    def element_of(self, typed: Any, position: int, kinds: tuple[str, ...], role: str) -> Any:
        """As `element`, of an argument that was worked out already."""
        tree = self.plain[position]
        if isinstance(typed.type, Broken):
            return None
        if isinstance(typed.type, Elem) and typed.type.root.kind in kinds:
            return typed
        from .show import show

        wanted = " or ".join(f"a {kind}" for kind in kinds)
        from .meant import way_to

        help = "`first(…)` gives the first of them" if isinstance(typed.type, SetOf | ListOf) else ""
        if isinstance(typed.type, ListOf | BagOf) and self.builtin.name == "empty":
            help = f"ask `no({tree.span.one_line})`"
        elif isinstance(typed.type, Elem) and typed.type.root.kind == "piece" and self.builtin.name == "empty":
            help = "a loop over a place runs over its pieces; `no(…)` asks whether there are none, as in `no(me.hand)`"
        elif isinstance(typed.type, SetOf) and self.builtin.signature.endswith("condition"):
            help = asked_of_each(self.builtin.name, tree.span) or help
            if isinstance(typed.type.of, Elem) and typed.type.of.root.kind == "place":
                owner = of_one_at_hand(self.elaborator, Elem(self.elaborator.world.players, 0)) or "p"
                help = f"every player has one: `{self.builtin.name}({owner}.{tree.span.one_line})`"
        others = [self.elaborator.expr(one) for i, one in enumerate(self.plain) if i != position]
        turned = isinstance(typed.type, Num | Bool) and any(
            isinstance(o.type, Elem) and o.type.root.kind in kinds for o in others
        )
        if turned and not self.turned:
            self.turned = True
            said = "the arguments are not in this order"
            self.fail("T201", self.span, said, f"it is `{self.builtin.signature}`")
            return None
        help = help or way_to(self.world, typed.type, kinds, tree.span)
        self.fail("T201", tree.span, f"{role} must be {wanted}, not {show(typed.type)}", help)
        return None

    def set(self, position: int) -> Any:
        """An argument as a set; one member counts as the set of it."""
        tree = self.plain[position]
        return self.elaborator.fitting.as_set(self.elaborator.expr(tree), tree.span, single=True)

    def to_spaces(self, position: int) -> str:
        """How spaces are asked for where an argument is something else, one or several of it."""
        from .ways import way

        kind, text = self.typed(position).type, self.plain[position].span.one_line
        spaces = [Elem(board.root, board.root.everything) for board in self.world.boards]
        sets: list[Type] = [SetOf(space) for space in spaces]
        wanted = [*spaces, *sets] if isinstance(kind, Elem) else sets
        right = next(filter(None, (way(self.elaborator, kind, want, text) for want in wanted)), "")
        if not right and isinstance(kind, Elem) and kind.root is self.world.players:
            return "a player is not on a space: name one of their pieces and where it is"
        return f"did you mean `{right}`?" if right else ""

    def result(self, node: Any, type: Type) -> Any:
        from .names import Typed

        return Typed(node, type)

    def op(self, name: str, *args: C.Node) -> C.Node:
        return self.elaborator.op(name, args, self.span)

    def primitive(self, name: str, args: tuple[C.Node, ...], *data: Any) -> C.Node:
        return C.Primitive(name, args, data, self.span)

    # ------------------------------------------------------------------------------------ comprehensions

    def fold(self, kind: str, result: Callable[[Type, Type | None], Type | None], needs_value: bool = False) -> Any:
        """The comprehension of this call: `result` gives its type from those of the variable and the value."""
        elaborator = self.elaborator
        given = self.tree.arguments
        with elaborator.scope():
            each = self.variables()
            if each is None:
                return self.bad
            where = None
            if given.where is not None:
                where = elaborator.condition(elaborator.expr(given.where), given.where.span, "the condition of `where`")
                speaks_of_others(elaborator.world, [source.name.name for source in self.sources], given.where)
            value = elaborator.expr(self.plain[-1]) if self.value_form else None
            if value is not None and isinstance(value.type, Broken):
                return self.bad
            if kind == "sum" and value is not None and isinstance(value.type, Num):
                value = elaborator.number(value, self.plain[-1].span, "what is added up")  # none is no number
            keys = self.keys()
            if keys is None:
                return self.bad
            inner = self.variable_type
            if value is None and len(each) > 1 and kind not in ("count", "any"):
                return self.fail(
                    "T224",
                    self.span,
                    f"`{self.builtin.name}` over several names needs a value before `for`",
                    f"write `{self.builtin.name}(… for x in … for y in …)`",
                )
            if needs_value and value is None and not isinstance(inner, Num):
                return self.fail(
                    "T224",
                    self.span,
                    f"`{self.builtin.name}` needs a value before `for`",
                    f"write `{self.builtin.name}(… for x in …)`",
                )
            type = result(inner, value.type if value is not None else None)
            if type is None:
                return self.bad
            node = value.node if value is not None else None
            if value is not None and kind in ("any", "all"):
                node = elaborator.condition(value, self.plain[-1].span, "the value")
            none = (
                NO_NUMBER if isinstance(type, Num) or (isinstance(type, ListOf) and isinstance(type.of, Num)) else NONE
            )
            if kind == "bagsum":
                assert isinstance(type, BagOf)
                none = type.root.size
            return self.result(C.Fold(kind, tuple(each), where, node, keys, none, self.span), type)

    def _asked_for(self, source: E.Source, inner: Type) -> str:
        """For `count(s in me.hand)`, where `s` is what those that are counted have."""
        known = self.elaborator.local(source.name.name)
        if known is None or not isinstance(known.value.type, Elem) or not isinstance(inner, Elem):
            return ""
        if known.value.type.root is inner.root:
            return ""
        x = "c" if source.name.name != "c" else "x"
        for asked in attributes_like(inner, known.value.type):
            some = f"{x} in {source.domain.span.one_line} where {x}.{asked} == {source.name.name}"
            return f"write `{self.builtin.name}({some})`"
        return ""

    def variables(self) -> list[C.Each] | None:
        """Binds the names of the sources and says what each runs over."""
        each: list[C.Each] = []
        self.variable_type: Type = Bool()
        for source in self.sources:
            slot = self.world.scratch()
            typed = self.elaborator.expr(source.domain)
            found = self.elaborator.each(typed, slot, source.domain.span)
            if found is not None and (help := self._asked_for(source, found[1])):
                name = source.name
                self.fail("N104", name.span, f"`{name.name}` is already a name here", help)
                return None
            if found is None:
                self.elaborator.bind(source.name, self.bad, quiet=True)
                return None
            one, inner = found
            each.append(one)
            self.elaborator.bind(source.name, self.result(C.Get(slot, source.name.span), inner), quiet=True)
            self.variable_type = inner
        return each

    def keys(self) -> tuple[C.Node, ...] | None:
        nodes = []
        for key in self.tree.arguments.keys:
            typed = self.elaborator.expr(key)
            match typed.type:
                case Broken():
                    return None
                case Num() | Elem() | Bool() | ListOf():
                    nodes.append(typed.node)
                case _:
                    from .show import show

                    self.fail("T225", key.span, f"{show(typed.type)} has no order to sort by")
                    return None
        return tuple(nodes)

    def over(self) -> bool:
        """Whether this call is a comprehension."""
        return bool(self.sources)
