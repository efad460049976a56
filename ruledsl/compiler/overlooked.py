"""What a designer likely forgot: values never set, piles never shuffled, options and rows that read the same."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.extending import reads, slots_of
from ruledsl.analysis.names import NotFixed
from ruledsl.engine.menus import at_most
from ruledsl.generate.changes import Changes
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.effort import effort
from ruledsl.ir.ops import OPS
from ruledsl.ir.walk import same
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.types import BagOf, Elem, ListOf, SetOf, bits
from ruledsl.wording.cases import declined

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

_MOST_STEPS = 100_000  # to find out which members fit

Finding = tuple[Span | None, str, str, str]  # where, the code, what is wrong, advice


def overlooked(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    yield from _never_recorded(world)
    yield from _never_set(world, program)
    yield from _never_read(world)
    yield from _never_shuffled(world, program)
    yield from _shuffled_openly(world, program)
    yield from _alike(world, program)
    yield from _all_alike(world, program)
    yield from _not_declined(world, program)
    for first, key, name in world.data.get("same rows", ()):
        help = "give each its own name; if they are equal, write one of them with `copies: 2`"
        yield key, "L519", f"another row with different values is also called `{name}` (line {first.line})", help


# ----------------------------------------------------------------------------------------------- values


def _never_set(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    """Values that are asked for and always are what they are at first."""
    changes, written = Changes(program, {}), set[int]()
    for block in program.blocks:
        for op in block.ops:
            slots = changes.operation(op)
            if slots is None:
                return  # nobody can tell
            written |= slots
    for info in world.values:
        declared = world.names.get(info.name)
        if declared is None or not declared.used or declared.span is None:
            continue
        if not any(info.base <= slot < info.base + info.count * info.width for slot in written):
            yield (
                declared.span,
                "L522",
                f"nothing ever changes the value `{info.name}`: it stays as it is at the start",
                f"change it with `set:` or `add:`; if it never changes, write `{info.name}: …` under `define:`",
            )


def _never_read(world: GameWorld) -> Iterator[Finding]:
    """Values that are set, and that nothing asks for and nobody is shown: what sets them does nothing."""
    hidden = [info for info in world.values if info.base >= 0 and _is_never_shown(world, info)]
    for info in hidden if hidden else ():
        declared = world.names.get(info.name)
        if declared is not None and declared.used and declared.span is not None and info.name not in _asked(world):
            yield (
                declared.span,
                "L553",
                f"`{info.name}` is set, but nothing asks for it and nobody is shown it",
                f"ask for it in a condition or under `scoring:`, show it (`show: always`), or remove `{info.name}`",
            )


def _is_never_shown(world: GameWorld, info: Any) -> bool:
    written = world.data["shown"]["values"].get(info.name)
    if written is not None:
        return bool(written == "never")
    return all(not isinstance(key, Elem) or key.root.kind not in ("player", "space") for key in info.keys)


_NO_RULES = ("text", "cases", "letters", "looks", "title", "about")
_SETS = ("set", "add", "subtract")


def _asked(world: GameWorld) -> frozenset[str]:
    """All words of the rules that stand where something is asked for, in any file and module."""
    known: frozenset[str] | None = world.source.data.get("words that are asked")
    if known is None:
        found: set[str] = set()
        for part in world.source.parts:
            _collect(part.node, found, _NO_RULES)
        beside = [*world.source.root.glob("*.test.yaml"), *world.source.root.glob("tests/*.yaml")]
        for path in beside:  # what is there for tests to look at is asked for, too
            found |= set(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
        yaml = {part.node.span.file for part in world.source.parts}
        for file in world.source.files:
            if file not in yaml:
                found |= set(re.findall(r"\w+", file.text))
        known = world.source.data["words that are asked"] = frozenset(found)
    return known


def _collect(node: Node, found: set[str], without: tuple[str, ...] = ()) -> None:
    """The words of texts, and those of keys that say what is changed only behind what comes before it."""
    if isinstance(node, Map):
        for name, entry in node.entries.items():
            if name in without:
                continue
            if name in _SETS and isinstance(entry.value, Map):
                for one in entry.value:
                    path = re.findall(r"\w+", one.key.value)
                    found.update(path[:-1] if "[" not in one.key.value else path[1:])
                    _collect(one.value, found)
            else:
                _collect(entry.value, found)
    elif isinstance(node, Seq):
        for item in node.items:
            _collect(item, found)
    elif isinstance(node, Scalar):
        found.update(re.findall(r"\w+", node.value))


def _never_recorded(world: GameWorld) -> Iterator[Finding]:
    """Histories that are asked, and nothing was ever written into."""
    recorded = world.data.get("recorded histories", set())
    for name in world.data.get("asked histories", {}):
        declared = world.names.get(name)
        if name not in recorded and declared is not None:
            message = f"no position is ever recorded in `{name}`, so `repeats({name})` is always 0"
            yield declared.span, "L522", message, f"write `- record: {name}` at the start of a turn"


# ------------------------------------------------------------------------------------------------ piles


def _never_shuffled(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    """Hidden piles that cards are drawn from in the order in which the file lists them."""
    spots, rows = program.spots, world.data["rows"]
    filled: dict[int, set[int]] = {}
    for piece, spot in enumerate(world.data.get("home", ())):
        filled.setdefault(spot, set()).add(rows[piece])
    shuffled, filled_later = world.data.get("shuffled", set()), world.data.get("filled", set())
    for info, to, span in world.data.get("drawn", ()):
        piles = range(spots.first_place + info.first, spots.first_place + info.first + info.count)
        if info in shuffled or shuffled.intersection(to) or not all(_is_hidden(spots.seen[pile]) for pile in piles):
            continue  # what is drawn into a place that is shuffled need not have been in any order
        if any(len(filled.get(pile, ())) > 1 for pile in piles) or (info in filled_later and _differ(info, rows)):
            yield (
                span,
                "L521",
                f"`{info.name}` is never shuffled, so pieces are always drawn in the order of the file",
                f"write `- shuffle: {info.name}` under `setup:`; if this order is meant, write `seen: all`",
            )


def _shuffled_openly(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    """Piles that are shuffled and drawn from, while everybody sees how they lie."""
    spots, drawn = program.spots, {info for info, _, _ in world.data.get("drawn", ())}
    for info in world.data.get("shuffled", ()):
        pile, declared = spots.first_place + info.first, world.names.get(info.name)
        if info.ordered and info in drawn and spots.seen[pile] is None and declared is not None:
            yield (
                declared.span,
                "L533",
                f"everybody sees the order of `{info.name}`, which is shuffled",
                "write `seen: none`, or `seen: top` if the first one lies open",
            )


def _differ(info: Any, rows: list[int]) -> bool:
    """Whether a place holds pieces that are not all alike."""
    return len({row for piece, row in enumerate(rows) if info.kinds >> piece & 1}) > 1


def _is_hidden(seen: Any) -> bool:
    return isinstance(seen, C.Const) and seen.value == 0


# ---------------------------------------------------------------------------------------------- options


def _all_alike(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    """Entries that ask for something, and read the same whatever it is."""
    for choice in (block.end for block in program.blocks):
        for entry in choice.entries if isinstance(choice, C.Choice) else ():
            if entry.label is None or not entry.variables or entry.span is None:
                continue
            texts = ["".join(map(str, parts)) for _, parts in entry.label.by_language if not any(map(_is_hole, parts))]
            if _all_the_same(entry) or all(_of_one_stock(world, variable) for variable in entry.variables):
                continue
            alone = dataclasses.replace(choice, entries=(entry,), stop=None) if isinstance(choice, C.Choice) else None
            if texts and alone is not None and at_most(alone) > 1:
                yield (
                    _label(world, entry, texts[0]),
                    "L519",
                    f"all options of this choice read `{texts[0]}`, whatever is chosen",
                    f"show in the label what is chosen, by `{{{entry.variables[0].name}}}`",
                )


def _is_hole(part: Any) -> bool:
    return isinstance(part, C.Hole)


def _of_one_stock(world: GameWorld, variable: Any) -> bool:
    """Whether pieces are chosen that lie together and are alike: all of them are one option, as in `reserve(snail)`."""
    asked = variable.each.domain[0] if variable.each.domain else None
    if not isinstance(asked, C.Primitive) or asked.name != "on_set" or not isinstance(asked.data[0], int):
        return False
    kind = next((kind for kind in world.kinds if asked.data[0] & ~kind.mask == 0), None)
    if kind is None:
        return False
    seats = world.players.size if kind.per_player else 1
    rows, own = world.data["rows"], kind.of_player(0, seats) if kind.per_player else kind.mask
    return len({rows[piece] for piece in bits(own & asked.data[0])}) == 1


def _all_the_same(entry: C.Entry) -> bool:
    """Whether what may be chosen is alike, by a condition that says what it must equal: any of my guards."""
    slots = {slot for variable in entry.variables for slot in slots_of(variable)}
    asked = [*_conditions(entry), *(variable.where for variable in entry.variables)]
    inner = [part for node in asked for part in (node.args if isinstance(node, C.Both) else (node,))]
    return any(isinstance(node, C.Op) and node.name == "equal" and reads(node, slots) for node in inner)


def _alike(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    """Entries of one menu that read the same, where they may be offered at once."""
    for choice in (block.end for block in program.blocks):
        if not isinstance(choice, C.Choice):
            continue
        entries = [*choice.entries, *([choice.stop] if choice.stop is not None else [])]
        for one, other in combinations(entries, 2):
            text = _both_read(one, other)
            if text and not _exclude(one, other):
                yield (
                    _label(world, other if other.span is not None else one, text),
                    "L519",
                    f"two options of one choice read `{text}`, and nobody can tell which is which",
                    "write the difference into their labels",
                )


# ------------------------------------------------------------------------------------------------ texts


def _not_declined(world: GameWorld, program: C.Program) -> Iterator[Finding]:
    """Names whose form a text asks for, and nobody knows it; each is told once."""
    told: set[tuple[str, str]] = set()
    chosen, wanted = _chosen(world, program, fits=True), dict[int, int]()
    reasons = {id(hole) for words in world.reasons.values() for _, parts in words.by_language for hole in parts}
    for hole, language, span in world.data.get("declined", ()):
        if id(hole) in reasons and not wanted:  # a reason speaks of what does not fit
            wanted = _chosen(world, program, fits=False)
        forms = _forms(world, hole, language, wanted if id(hole) in reasons else chosen)
        asked = [title for title, form in forms if form is None]
        unknown = [title for title in asked if (title, hole.case) not in told]
        told.update((title, hole.case) for title in unknown)
        if unknown:
            named = ", ".join(f"`{title}`" for title in unknown[:3])
            more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
            yield (
                span,
                "L531",
                f"players read {named}{more} unchanged: the form `{hole.case}` is not known",
                f"write it: `cases: {{{language}: {{{unknown[0]}: {{{hole.case}: …}}}}}}`",
            )


def _forms(world: GameWorld, hole: C.Hole, language: str, chosen: dict[int, int]) -> Iterator[tuple[str, str | None]]:
    """What a hole may name, each as the text asks for it."""
    kind = hole.type.of if isinstance(hole.type, SetOf | ListOf) else hole.type
    if not isinstance(kind, Elem | BagOf) or getattr(kind.root, "kind", "") == "part":
        return
    root, mask = kind.root, kind.mask
    if isinstance(hole.node, C.Get):
        mask &= chosen.get(hole.node.slot, mask)
    elif isinstance(hole.node, C.Const) and isinstance(hole.type, Elem) and hole.node.value >= 0:
        mask = 1 << hole.node.value
    known = world.cases.get(language, {})
    for title in {(titles or {}).get(language, ""): None for titles in (root.titles[i] for i in bits(mask))}:
        if title:
            yield title, declined(title, hole.case, language, known.get(title), root.kind == "player")


def _chosen(world: GameWorld, program: C.Program, fits: bool) -> dict[int, int]:
    """By slot, the members that choices can put there, or only try; just for slots in which nothing else is put."""
    found: dict[int, int] = {}
    for block in program.blocks:
        for entry in block.end.entries if isinstance(block.end, C.Choice) else ():
            for variable in entry.variables:
                found[variable.slot] = found.get(variable.slot, 0) | _members(world, variable, fits)
    put = {op.base for block in program.blocks for op in block.ops if isinstance(op, C.Put)}
    return {slot: mask for slot, mask in found.items() if slot not in put and mask}


def _members(world: GameWorld, variable: C.Variable, fits: bool) -> int:
    """The members that a variable runs over, or only those that fit, as far as nothing in play changes that."""
    kind = variable.type.of if isinstance(variable.type, SetOf | ListOf) else variable.type
    domain, where = variable.each.domain[0], variable.where
    mask: int = getattr(kind, "mask", -1)
    if not isinstance(kind, Elem):
        return mask
    if isinstance(domain, C.Const):
        mask = domain.value if variable.each.form == "set" else sum({1 << member for member in domain.value})
    if not fits or where is None or effort(where, {}) * mask.bit_count() > _MOST_STEPS:
        return mask
    try:
        holds = world.by_slot(where, variable.each.slot)
        return sum(1 << member for member in bits(mask) if holds(member))
    except (NotFixed, RulesFault):
        return mask


def _both_read(one: C.Entry, other: C.Entry) -> str:
    """What two entries always read, in some language; empty if they do not read the same."""
    if one.label is None or other.label is None:
        return ""
    for language in dict((*one.label.by_language, *other.label.by_language)):
        parts = one.label.parts(language)
        if parts == other.label.parts(language) and all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
    return ""


def _label(world: GameWorld, entry: C.Entry, text: str) -> Span | None:
    """Where the label stands in an entry."""
    procedure = world.procedures.get(entry.name)
    node = procedure.node.get("label") if procedure is not None and isinstance(procedure.node, Map) else None
    span = node.span if node is not None else entry.span
    if span is None:
        return None
    at = span.text.find(text)
    return Span(span.file, span.start + at, span.start + at + len(text)) if at >= 0 else span


def _exclude(one: C.Entry, other: C.Entry) -> bool:
    """Whether a condition of one entry is the opposite of a condition of the other."""
    return any(_opposite(a, b) or _opposite(b, a) for a in _conditions(one) for b in _conditions(other))


def _conditions(entry: C.Entry) -> list[C.Node]:
    asked = [*entry.when, *entry.where]
    return [part for node in asked for part in (node.args if isinstance(node, C.Both) else (node,))]


def _opposite(one: C.Node, other: C.Node) -> bool:
    if isinstance(one, C.Op) and one.name == "not":
        return same(one.args[0], other)
    if isinstance(one, C.Op) and isinstance(other, C.Op) and len(one.args) == len(other.args) == 2:
        if OPS[one.name].opposite == other.name and same(one.args, other.args):
            return True
        (a, b), (x, y) = one.args, other.args
        if isinstance(b, C.Const) and isinstance(y, C.Const) and same(a, x):  # the same thing in two ranges
            return not _may_both(one.name, b.value, other.name, y.value)
    return False


def _may_both(one: str, a: Any, other: str, b: Any) -> bool:
    """Whether something can be both: `less` than 3, say, and `equal` to 5."""
    if not isinstance(a, int) or not isinstance(b, int):
        return True
    bounds = {"equal": (0, 0), "less": (-(10**12), -1), "at_most": (-(10**12), 0)}
    bounds |= {"greater": (1, 10**12), "at_least": (0, 10**12)}
    if one not in bounds or other not in bounds:
        return True
    (low, high), (least, most) = bounds[one], bounds[other]
    return max(a + low, b + least) <= min(a + high, b + most)
