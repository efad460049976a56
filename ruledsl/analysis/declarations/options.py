"""`options:`, what may be set before a play."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.document import Node, Seq
from ruledsl.syntax.shapes import Fields, Form, Key, fields, scalars
from ruledsl.types import Bool, Elem, Num, Root, SetOf, Type, every, none_of
from ruledsl.types import Broken as BrokenType

from .titles import titles
from .types import add_members, range_listed

OPTION = Form(
    "an option",
    {
        "is": Key(
            "type",
            "Its type, or a list of words. `maybe player`: a player, by name or as `player_2`, or `none`.",
            required=True,
        ),
        "start": Key("expression", "Its default value."),
        "label": Key("text", "How players see it."),
    },
    section="options",
)

NONE_WORD = "none"


def declare_options(world: World, given: dict[str, Any]) -> None:
    """Options become constants of the play."""
    for name, (key, node) in world.sections.named["options"].items():
        found = fields(node, OPTION, world.report)
        if found is None:
            continue
        if (label := found.get("label")) is not None:
            titles(world, label, name)  # it stands still: nothing is filled in
        kind = _option_type(world, name, found)
        if isinstance(kind, BrokenType):
            continue
        start = found.get("start")
        value = _value(world, name, kind, start, given)
        world.declare(name, "option", key.span, (kind, value))
        world.options[name] = (kind, value)
        world.data.setdefault("starts of options", {})[name] = start


def set_options(world: World, given: dict[str, Any]) -> None:
    """Other values for options that are declared: nothing else of this world depends on them yet."""
    world.effort = 0
    for name, (kind, _) in world.options.items():
        value = _value(world, name, kind, world.data["starts of options"][name], given)
        world.options[name] = world.names[name].data = (kind, value)


def _value(world: World, name: str, kind: Type, start: Node | None, given: dict[str, Any]) -> Any:
    """What an option is set to; else as it starts, which may speak of options before it."""
    value = None
    if name in given:
        value = option_value(world, kind, given[name], name)
    elif start is not None:
        value = world.constant(start, kind, "the start of an option")
        if isinstance(value, int) and isinstance(kind, Num):  # what is too large is told, and read on as it may be
            value = min(max(value, kind.low), kind.high)
    if value is None:
        value = _lowest(kind)
    return sum(1 << x for x in set(value)) if isinstance(value, tuple) else value


def _option_type(world: World, name: str, found: Fields) -> Type:
    node = found.get("is")
    if isinstance(node, Seq) and (numbers := range_listed(node)):
        said, help = "numbers cannot be the words of a type", f"write `{numbers}`; `forbidden:` rules out some of them"
        world.report.error("S103", node.span, said, help=help)
        low, _, high = numbers.partition("..")
        return Num(int(low), int(high))
    if isinstance(node, Seq):
        root = Root(name, "enum")
        world.roots[name] = root
        add_members(world, root, list(scalars(node)))
        return every(root) if root.names else BrokenType()
    return world.written.type_of(world.elaborator.read(node, "type"))


class OptionError(Exception):
    """An option that was set to something it cannot be."""


class ForbiddenError(OptionError):
    """Players and options that a game declares not to go together, with its reason by language."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(self.text_of(texts, "en"))
        self.texts = texts

    @staticmethod
    def text_of(texts: dict[str, str], language: str) -> str:
        return texts.get(language) or next(iter(texts.values()), "")

    def said(self, language: str) -> str:
        return self.text_of(self.texts, language)


def option_value(world: World, kind: Type, given: Any, name: str) -> Any:
    """The value that a text, number or list from outside means for an option."""
    words = (
        given if isinstance(given, list | tuple) else [w for w in str(given).replace("+", ",").split(",") if w.strip()]
    )
    words = [str(w).strip() for w in words]
    if may_be_none(kind) and words == [NONE_WORD]:
        return none_of(kind)
    match kind:
        case Bool():
            if str(given).lower() in ("true", "false", "yes", "no", "1", "0", "on", "off"):
                return int(str(given).lower() in ("true", "yes", "1", "on"))
            raise OptionError(f"`{name}` is true or false, not `{given}`")
        case Num(low, high):
            span = f"a number from {low} to {high}" + _or_none(kind)
            try:
                number = int(str(given))
            except ValueError:
                raise OptionError(f"`{name}` is {span}, not `{given}`") from None
            if not low <= number <= high:
                raise OptionError(f"`{name}` is {span}, not {number}")
            return number
        case Elem(root=root):
            return _member_given(root, str(given), name, _or_none(kind))
        case SetOf(of=Elem(root=root)):
            return sum(1 << n for n in {_member_given(root, w, name) for w in words if w not in (NONE_WORD, "[]")})
    raise OptionError(f"`{name}` is not an option that can be set")


def may_be_none(kind: Type) -> bool:
    """Whether an option can also be set to nothing: `maybe player`."""
    return isinstance(kind, Num | Elem) and kind.maybe


def _or_none(kind: Type) -> str:
    return f", or `{NONE_WORD}`" if may_be_none(kind) else ""


def _member_given(root: Root, word: str, name: str, more: str = "") -> int:
    if root.kind == "player" and word not in root.names:
        seats = [f"player_{seat + 1}" for seat in range(root.size)]  # whatever the players are called
        if word in seats:
            return seats.index(word)
    if word not in root.names:
        hint = (
            did_you_mean(nearest(word, root.names)) or "it is one of " + ", ".join(f"`{n}`" for n in root.names) + more
        )
        raise OptionError(f"`{name}` cannot be `{word}`; {hint}")
    return root.names.index(word)


def _lowest(kind: Type) -> Any:
    if may_be_none(kind):
        return none_of(kind)
    match kind:
        case Num(low, high, _):
            return min(max(low, 0), high)
        case Elem(mask=mask):
            return (mask & -mask).bit_length() - 1
    return 0
