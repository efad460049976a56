"""Types as they are written in a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import GameError
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir.core import RulesFault
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BOOL,
    BROKEN,
    FAR,
    BagOf,
    Broken,
    Code,
    Elem,
    ListOf,
    Num,
    SetOf,
    TableOf,
    Type,
    every,
    maybe,
)

from .fitting import MOST_IN_SET
from .meant import about_type
from .names import NotFixed
from .prices import price_of
from .show import show

if TYPE_CHECKING:
    from .world import World

MOST_KEYS = 10_000  # of a table by numbers


# What a parameter is, instead of code.
_VALUES = {"number": "a number is written with its bounds, as in `0..100 n`", "condition": "write `bool`"}


class WrittenTypes:
    """Types as they are written in a game."""

    def __init__(self, world: World) -> None:
        self.world = world

    def type_of(self, tree: E.TypeExpr, role: str = "this") -> Type:
        """A type as written."""
        match tree:
            case E.Bad():
                return BROKEN
            case E.MaybeType(of=of):
                inner = self.type_of(of)
                if isinstance(inner, Num | Elem):
                    return maybe(inner)
                if not isinstance(inner, Broken):
                    self.world.report.error(
                        "T231",
                        tree.span,
                        f"`maybe` goes with a number or one thing, not with {show(inner)}",
                        help="use an empty set or list instead",
                    )
                return inner
            case E.NamedType(name="bool"):
                return BOOL
            case E.NamedType(name=name):
                return self.named_type(name, tree.span, alone=True)
            case E.RangeType(low=low, high=high):
                return self.range_type(tree, low, high)
            case E.SetType(of=name):
                inner = self.named_type(name, tree.span)
                if isinstance(inner, Num) and (inner.low < 0 or inner.high > MOST_IN_SET):
                    self.world.report.error(
                        "R315",
                        tree.span,
                        f"a set of numbers holds those from 0 to {MOST_IN_SET:,}, not {inner.low:,}..{inner.high:,}",
                        help="use a smaller range, or a list",
                    )
                    return BROKEN
                return SetOf(inner) if isinstance(inner, Elem | Num) else inner
            case E.BagType(of=name, free=free):
                inner = self.named_type(name, tree.span)
                if isinstance(inner, Elem) and free:
                    return price_of(self.world, inner, name, tree.span)
                if isinstance(inner, Elem):
                    return BagOf(inner.root, inner.mask, FAR // 1000)
                if not isinstance(inner, Broken):
                    what = "price" if free else "bag"
                    help = f"name them: `{name}: [one, two, three]`" if isinstance(inner, Num) else ""
                    said = f"a {what} counts members of a type, not {show(inner)}"
                    self.world.report.error("T232", tree.span, said, help=help)
                return BROKEN
            case E.ListType(of=of, most=most):
                inner = self.type_of(of)
                size = self.fixed_number(most)
                return BROKEN if size is None or isinstance(inner, Broken) else ListOf(inner, size)
            case E.TableType(of=of, by=by):
                inner, key = self.type_of(of), self.named_type(by, tree.span)
                if not self.few_keys(key, tree.span):
                    return BROKEN
                return (
                    TableOf((key,), inner) if isinstance(key, Elem | Num) and not isinstance(inner, Broken) else BROKEN
                )
            case E.CodeType(kind=kind, parameters=parameters):
                if kind not in ("number", "condition", "effect"):
                    known = nearest(kind, ["number", "condition", "effect"])
                    self.world.report.error(
                        "T233",
                        tree.span,
                        f"`{kind}` is not a kind of code",
                        help=did_you_mean(known),
                        suggestions=tuple(known),
                    )
                    return BROKEN
                return Code(kind, tuple(self.type_of(p.type) for p in parameters), None)
        raise AssertionError(tree)

    def few_keys(self, key: Type, span: Span) -> bool:
        """Whether there can be one of something for each number of a range."""
        if isinstance(key, Num) and key.high - key.low >= MOST_KEYS:
            self.world.report.error(
                "R316",
                span,
                f"one for each number from {key.low:,} to {key.high:,} are too many; {MOST_KEYS:,} are the most",
            )
            return False
        return True

    def fixed_number(self, tree: E.Expr) -> int | None:
        world = self.world
        world.elaborator.no_me += 1
        typed = world.elaborator.number(world.elaborator.expr(tree), tree.span, "a bound")
        world.elaborator.no_me -= 1
        if typed is None:
            return None
        try:
            return int(world.evaluate(typed.node))
        except (RulesFault, NotFixed) as problem:
            self.world.report.error(
                "R307", tree.span, f"a bound must be fixed before play begins, and {problem} is not"
            )
            return None

    def parameter_type(self, one: E.Parameter) -> Type:
        """The type of a parameter; one word alone is both type and name: `claim(role)`."""
        report, tree = self.world.report, one.type
        if isinstance(tree, E.CodeType):
            said = f"a parameter is a value, and `{tree.kind}` is code"
            report.error("N111", tree.span, said, help=_VALUES.get(tree.kind, "call the effect where it is wanted"))
            return BROKEN
        alone = isinstance(tree, E.NamedType) and tree.span == one.name.span
        if alone and not nearest(one.name.name, self.type_names()) and one.name.name not in self.world.names:
            word = one.name.name
            if any(board.word == word for board in self.world.boards):
                said = f"`{word}` is a type, and the name is missing behind it"
                report.error("N111", tree.span, said, help=f"write `{word} {word[0]}`")
                return every(next(board.root for board in self.world.boards if board.word == word))
            help = f"write the type of a parameter before its name, as in `player {word}` or `0..10 {word}`"
            report.error("N111", tree.span, f"there is no type `{word}`", help=help)
            return BROKEN
        return self.type_of(tree)

    def range_type(self, tree: E.RangeType, low: E.Expr, high: E.Expr) -> Type:
        a, b = self.fixed_number(low), self.fixed_number(high)
        if a is None or b is None:
            return BROKEN
        if a > b:
            self.world.report.error("R308", tree.span, f"the range {a}..{b} is empty", help=f"write `{b}..{a}`")
            return BROKEN
        return Num(a, b)

    def named_type(self, name: str, span: Span, alone: bool = False) -> Type:
        world = self.world
        world.elaborator.spoken_of(name, span)
        if name == "player":
            return every(world.players)
        if name == "direction":
            if not world.boards:
                help = "`board:` declares the board of a game"
                self.world.report.error("B212", span, "there are no directions without a board", help=help)
                raise GameError(self.world.report)  # nothing can stand in for what spaces and directions are called
            return every(world.directions)
        if name == "piece":
            return every(world.pieces)
        if name == "place":
            return every(world.places)
        declared = world.names.get(name)
        if declared is not None and declared.sort == "type":
            declared.used = True
            return declared.data.type
        if declared is not None and declared.sort == "kind":
            declared.used = True
            return Elem(world.pieces, declared.data.mask)
        if declared is not None and declared.sort == "part":
            declared.used = True
            return every(declared.data.root)
        for board in world.boards:
            if board.word == name:
                return every(board.root)
        if name in world.sections.named["types"] and "types" not in world.data:
            self.world.report.error(
                "N205",
                span,
                f"`{name}` is declared further down",
                help="declare a type before the types that use it",
            )
            return BROKEN
        if world.failed(name):
            return BROKEN
        help, known = about_type(name, self.type_names())
        if alone and name.endswith("s") and known == (name[:-1],):
            help = f"did you mean `{name[:-1]}`, or `set of {name[:-1]}` for several?"
        own = [d.name for d in world.names.values() if d.sort in ("kind", "type")]
        help = help or (f"this game has {', '.join(f'`{word}`' for word in own)}" if 0 < len(own) <= 8 else "")
        self.world.report.error("N111", span, f"there is no type `{name}`", help=help, suggestions=known)
        return BROKEN

    def type_names(self) -> list[str]:
        found = ["bool", "player", "direction", *(b.word for b in self.world.boards)]
        return found + [d.name for d in self.world.names.values() if d.sort in ("type", "kind", "part")]
