"""`types:`, enumerations and ranges with a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruledsl.analysis.elaborate import RESERVED
from ruledsl.analysis.show import show
from ruledsl.analysis.world import MOST_MEMBERS, World
from ruledsl.diagnostics.suggest import nearest
from ruledsl.source.document import Broken, Entry, Map, Scalar, Seq, word_at
from ruledsl.syntax.shapes import Fields, Form, Key, fields, shape_of, sound_word, unknown_key
from ruledsl.types import Broken as BrokenType
from ruledsl.types import Elem, Num, Root, every

from .attributes import add_attributes
from .fixed import mask_where
from .rows import Row, type_of_cells

TYPE = Form(
    "a type",
    {
        "some": Key("word", "The type whose members these are a part of."),
        "where": Key("scalar", "Which of them, as a condition on `this`."),
        "attributes": Key("map", "What every member has."),
        "values": Key("map", "The members with their attributes."),
    },
    wraps="values",
    section="types",
)


def declare_types(world: World) -> None:
    for name, (key, node) in world.sections.named["types"].items():
        if isinstance(node, Broken):
            continue
        if isinstance(node, Scalar) and (listed := _listed(node.value)):
            help = f"write `[{', '.join(listed)}]`"
            world.report.error("S103", node.span, "write a list of words in square brackets", help=help)
            node = Seq(node.span, tuple(word_at(word, node.span) for word in listed), True)
        if isinstance(node, Seq) and (numbers := range_listed(node)):
            said = "numbers cannot be the words of a type"
            world.report.error("S103", node.span, said, help=f"write `{numbers}`", suggestions=(numbers,))
            low, _, high = numbers.partition("..")
            bounds = Num(int(low), int(high))
            world.declare(name, "type", key.span, world.named(name, bounds))
            continue
        if isinstance(node, Seq) and (help := _numbers_among_words(node)):
            world.report.error("S103", node.span, "numbers cannot be the words of a type", help=help)
            continue
        if isinstance(node, Seq) and (named := members_named(node)):
            said = "the members of a type are words, not maps"
            world.report.error("S103", node.span, said, help=f"write `[{', '.join(w.value for w in named)}]`")
            node = Seq(node.span, named, node.flow)
        if isinstance(node, Seq):
            root = Root(name, "enum")
            world.roots[name] = root
            for item in node.items:
                if not isinstance(item, Scalar | Broken):
                    world.report.error("S103", item.span, f"a member of a type must be a word, not {shape_of(item)}")
            words = [sound_word(item, world.report) for item in node.items if isinstance(item, Scalar)]
            add_members(world, root, words)
            if not root.names:
                continue  # reported; what uses it is silent
            world.declare(name, "type", key.span, world.named(name, every(root)))
        elif isinstance(node, Map):
            found = fields(_as_members(world, node), TYPE, world.report)
            if found is None:
                continue
            if found.has("some"):
                _part_of_type(world, name, key, found)
            else:
                _type_with_attributes(world, name, key, found)
        else:
            kind = world.written.type_of(world.elaborator.read(node, "type"))
            if isinstance(kind, Num | Elem):
                world.declare(name, "type", key.span, world.named(name, kind))
            elif not isinstance(kind, BrokenType):
                world.report.error("T237", node.span, f"a type is a list of words or a range, not {show(kind)}")
    world.data["types"] = True  # all of them: what is missing now has been reported


def _as_members(world: World, node: Map) -> Map:
    """`sign: {rock: scissors, paper: rock}`, `values: {far: 0..7, king: {far: 1}}`: what is no member."""
    if node.entries and node.entries.keys().isdisjoint(TYPE.known) and _all_words(node):
        words = ", ".join(node.entries)
        help = f"write `[{words}]`; what each has besides is an attribute: `attributes: {{…}}`, `values: {{…}}`"
        world.report.error("S103", node.span, "the members of a type are a list of words", help=help)
        members = {name: Entry(e.key, Map(e.key.span, {})) for name, e in node.entries.items()}
        return Map(node.span, {"values": Entry(word_at("values", node.span), Map(node.span, members))}, node.flow)
    values = node.get("values")
    if not isinstance(values, Map) or "attributes" in node.entries or "some" in node.entries:
        return node
    said = {name for e in values if isinstance(e.value, Map) for name in e.value.entries}
    out = {name: e for name, e in values.entries.items() if isinstance(e.value, Scalar) and name in said}
    if not out:
        return node
    first, whole = next(iter(out.values())).key, ", ".join(f"{n}: {e.value.span.one_line}" for n, e in out.items())
    said_so = f"`{first.value}` is no member, but what members have"
    help = f"declare it above `values:`: `attributes: {{{whole}}}`"
    world.report.error("S125", first.span, said_so, help=help)
    rest = {name: e for name, e in values.entries.items() if name not in out}
    entries = {**node.entries, "values": Entry(node.entries["values"].key, Map(values.span, rest, values.flow))}
    return Map(node.span, {"attributes": Entry(word_at("attributes", first.span), Map(first.span, out)), **entries})


def _all_words(node: Map) -> bool:
    return all(isinstance(e.value, Scalar) and not e.value.is_null and e.value.value.isidentifier() for e in node)


def members_named(node: Seq) -> tuple[Scalar, ...]:
    """`[{name: red}, {name: blue}]`: words that stand as rows with nothing else in them."""
    names = [item.get("name") for item in node.items if isinstance(item, Map) and len(item.entries) == 1]
    words = tuple(name for name in names if isinstance(name, Scalar))
    return words if len(words) == len(node.items) else ()


def range_listed(node: Seq) -> str:
    """`1..3` for `[1, 2, 3]`; empty if these are no numbers in their order."""
    found = [item.as_int() if isinstance(item, Scalar) else None for item in node.items]
    numbers = [number for number in found if number is not None]
    if len(numbers) < 2 or len(numbers) < len(found) or numbers != sorted(set(numbers)):
        return ""
    return f"{numbers[0]}..{numbers[-1]}"


def _numbers_among_words(node: Seq) -> str:
    """What to write for `[2, 3, 4, J, Q]`; empty if most of them are words."""
    words = [item.value for item in node.items if isinstance(item, Scalar)]
    numbers = sorted({int(word) for word in words if word.isdecimal()})
    if len(numbers) < 2:
        return ""
    if len(numbers) == len(words):
        named = f"`attributes: {{value: 1..{numbers[-1]}}}`, `values: {{v{numbers[0]}: {{value: {numbers[0]}}}, …}}`"
        return f"write `{numbers[0]}..{numbers[-1]}`; if there are only these, name them: {named}"
    whole = f"{numbers[0]}..{numbers[-1] + len(words) - len(numbers)}"
    high = f"`{whole}`, where `{words[-1]}` is the highest"
    return f"write numbers alone, as in {high}; or words alone, as in `two`, `three`"


def _listed(text: str) -> list[str]:
    """The words of a list that has no brackets, as in `red, blue`."""
    words = [word.strip() for word in re.split("[,;/]", text.strip("{}()"))]
    return words if len(words) > 1 and all(word.isidentifier() for word in words) else []


def _names_meant(text: str) -> str:
    """Several words without commas, or one with a hyphen or blank."""
    words = text.split()
    if len(words) > 2 and all(word.isidentifier() for word in words):
        return f"commas are missing: `[{', '.join(words)}]`"
    right = re.sub(r"[\s-]+", "_", text.strip())
    return f"write `{right}`; what players read goes under `text:`" if right.isidentifier() and right != text else ""


def add_members(world: World, root: Root, words: list[Scalar]) -> None:
    if not words:
        declared = world.sections.named["types"].get(root.name)
        span = declared[0].span if declared is not None else world.span
        world.report.error("S107", span, f"`{root.name}` has no members", help="write its words, as in `[red, blue]`")
    if len(words) > MOST_MEMBERS:
        world.report.error(
            "R316", words[MOST_MEMBERS].span, f"`{root.name}` has {len(words):,} members; {MOST_MEMBERS:,} are the most"
        )
    known: set[str] = set()
    for word in words[:MOST_MEMBERS]:
        if word.value in known:
            said = f"`{word.value}` is in `{root.name}` twice"
            world.report.error("N203", word.span, said, help="remove one of them, or correct it")
        elif sound_name(world, word):
            known.add(word.value)
            root.names.append(word.value)
            root.titles.append(world.title_of_word(word.value))


def sound_name(world: World, word: Scalar) -> bool:
    """Whether a word can be a name; else it is reported."""
    if word.value.isidentifier() and word.value not in RESERVED:
        return True
    help = _names_meant(word.value) or "use letters, digits and `_`, with a letter first"
    world.report.error("N204", word.span, f"`{word.value}` cannot be a name", help=help)
    world.data.setdefault("broken names", set()).add(re.sub(r"[\s-]+", "_", word.value.strip()))
    return False


def _part_of_type(world: World, name: str, key: Scalar, found: Fields) -> None:
    some = found.get("some")
    if some is None:
        return  # reported; what uses it is silent
    whole = world.written.named_type(found.word("some"), some.span)
    if not isinstance(whole, Elem):
        if not isinstance(whole, BrokenType):
            world.report.error(
                "T237",
                some.span,
                f"`some:` takes a part of a type that has members, not of {show(whole)}",
                help="a part of a range is a smaller range, as in `3..5`",
            )
        return
    where = found.get("where")
    mask = mask_where(world, whole, where)
    if mask == 0 and where is not None and world.report.tells_within(where.span):
        return  # what is wrong with the condition is told there
    if mask == 0:
        world.report.error("T238", key.span, f"no member of `{found.word('some')}` is left for `{name}`")
        mask = whole.mask
    if mask == whole.mask and where is not None and not world.report.tells_within(where.span):
        world.idle(where.span, f"this leaves out no member of `{found.word('some')}`")
    world.declare(name, "type", key.span, world.named(name, Elem(whole.root, mask)))


def _declaration(world: World, column: str, rows: Iterable[Row], known: tuple[str, ...]) -> str:
    """How an attribute is declared that members have and the type does not."""
    kind = type_of_cells(world, (row.get(column) for row in rows)) or "…"
    if known:
        others = ", ".join(f"`{name}`" for name in known)
        return f"it takes {others}; another is declared under `attributes:`, as in `{column}: {kind}`"
    return f"declare it above `values:`, with its type: `attributes: {{{column}: {kind}}}`"


def _type_with_attributes(world: World, name: str, key: Scalar, found: Fields) -> None:
    values = found.map("values")
    root = Root(name, "enum")
    world.roots[name] = root
    if values is None and found.has("values"):
        return  # what stands there was reported
    if values is None:
        world.report.error("S102", key.span, "a type needs `values:`, `some:`, or a list of words")
        return
    add_members(world, root, [entry.key for entry in values])
    world.declare(name, "type", key.span, world.named(name, every(root)))
    rows = {i: Row.of(values.entries[member].value) for i, member in enumerate(root.names)}
    known = tuple(entry.key.value for entry in found.map("attributes") or ())
    for row in rows.values():
        for column, at in row.keys.items():
            if column not in known and column != "covers":
                keys = (*known, "covers")
                advice = "" if nearest(column, keys) else _declaration(world, column, rows.values(), known)
                unknown_key(at, keys, f"a member of `{name}`", world.report, advice=advice)
                for meant in nearest(column, known)[:1]:  # one slip is told once
                    row.cells.setdefault(meant, row.cells[column])
    world.data.setdefault("later", []).append(
        lambda: add_attributes(world, every(root), found.map("attributes"), rows, name)
    )
