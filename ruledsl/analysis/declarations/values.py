"""`values:`, what else changes in play."""

from __future__ import annotations

from ruledsl.analysis.names import Declared, Handle, ValueInfo
from ruledsl.analysis.show import show
from ruledsl.analysis.world import LONGEST_STATE, World
from ruledsl.source.document import Map, Scalar
from ruledsl.syntax.reshaped import of_each_player
from ruledsl.syntax.shapes import Fields, Form, Key, fields
from ruledsl.types import Broken as BrokenType
from ruledsl.types import Code as CodeType
from ruledsl.types import Elem, Num, TableOf, Type

from .cells import cell_value, put, start_of
from .columns import says_start_too
from .shown import SEERS, WHEN

_HOW = {
    "number": "a number is written with its bounds, as in `0..100`",
    "condition": "write `bool`; a condition that is asked again each time stands under `define:`",
    "": "write `{is: type, per: key}`",
}

VALUE = Form(
    "a value",
    {
        "is": Key("type", "Its type.", required=True, sample="0..9"),
        "per": Key("words", "One for each member of a type, or of several."),
        "start": Key("expression", "What it is at first.", tried=("default", "otherwise", "initial")),
        "seen": Key(
            "any",
            "Who sees it: `all` (the default), `none`, `owner`, `others` (all but the owner), or players.",
            takes=SEERS,
        ),
        "show": Key(
            "word",
            "`some`: if there is something to show; `always`, `never`. The default is `some` for numbers and bags "
            "that every player has and for values of spaces, otherwise `never`.",
            words=WHEN,
        ),
    },
    numbered=True,
    tried=dict.fromkeys(
        ("player", "players", "for", "each", "for_each", "of"),
        "who has one each is said by `per:`: write `per: player`, and the type behind `is:`",
    ),
    section="values",
)


def declare_values(world: World) -> None:
    for name, (key, node) in of_each_player(world.sections.named["values"], VALUE, world.report).items():
        if isinstance(node, Map):
            found = fields(node, VALUE, world.report)
            if found is None or found.get("is") is None:
                continue
            kind = world.written.type_of(world.elaborator.read(found.get("is"), "type"))
        else:
            if says_start_too(world, node, "start"):
                world.names.setdefault(name, Declared(name, "broken", key.span, None, True))
                continue
            found = None
            kind = world.written.type_of(world.elaborator.read(node, "type"))
        if isinstance(kind, BrokenType):
            world.names.setdefault(name, Declared(name, "broken", key.span, None, True))
            continue
        if isinstance(kind, TableOf | CodeType):
            world.report.error(
                "T239", node.span, f"a value cannot be {show(kind)}", help=_HOW.get(getattr(kind, "kind", ""), _HOW[""])
            )
            continue
        _value(world, name, key, kind, found)


def _value(world: World, name: str, key: Scalar, kind: Type, found: Fields | None) -> None:
    keys: list[Elem | Num] = []
    if found is not None and found.has("per") and not found.words("per"):  # what stands there was reported
        world.data.setdefault("broken attributes", set()).add(name)
        world.data.setdefault("broken names", set()).add(name)
    for word in found.words("per") if found is not None else ():
        owner = world.written.named_type(word.value, word.span)
        if isinstance(owner, Elem | Num):
            keys.append(owner)
            continue
        if not isinstance(owner, BrokenType):
            world.report.error("T239", word.span, f"there cannot be one for each of {show(owner)}")
        world.names.setdefault(name, Declared(name, "broken", key.span, None, True))
        return
    count = 1
    for owner in keys:
        count *= owner.root.size if isinstance(owner, Elem) else owner.high - owner.low + 1
    width = world.width(kind)
    if world.layout.size + count * width > LONGEST_STATE:
        world.report.error(
            "R311", key.span, f"`{name}` would take {count * width} slots; the state has room for {LONGEST_STATE}"
        )
        return
    base = world.layout.add(
        name, count, width, kind, "value", keys[0].root if keys and isinstance(keys[0], Elem) else None
    )
    info = ValueInfo(name, kind, tuple(keys), base, width, count)
    world.values.append(info)
    declared = world.declare(name, "value", key.span, info)
    start = found.get("start") if found is not None else None
    value = cell_value(world, start, kind, f"the start of `{name}`") if start is not None else start_of(world, kind)
    for i in range(count):
        put(world, base + i * width, kind, value)
    if keys and isinstance(keys[0], Elem):
        owner_kind = keys[0]
        rest = tuple(keys[1:])
        if rest:
            world.attribute(
                owner_kind.root,
                name,
                owner_kind.mask,
                TableOf(rest, kind),
                lambda node, span: Handle(base, (), node, span),
                declared,
            )
        else:
            world.state_attribute(owner_kind.root, name, owner_kind.mask, kind, base, declared)
    info.seen = found.get("seen") if found is not None else None
    if found is not None and found.word("seen") == "none" and found.word("show") in ("always", "some"):
        shown = found.get("show")
        assert shown is not None, "it has a word"
        world.idle(shown.span, f"nobody sees `{name}`, so it is never shown")
