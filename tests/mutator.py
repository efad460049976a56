"""Slips of the pen in game files, made by the hundred: what the checker finds of them, where, and what it suggests.

A mutant is a game with one slip. It counts if the slip changes the game: the program that is made from it, or
whether it is accepted. What only people read (titles, labels) is left alone, and so are names in the dump of a
program: a game with another word for a thing is the same game. Slips that make a different but sensible game
(an optional key left out, a number changed) are not made: no checker could know them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ruledsl.analysis import choosing as choices
from ruledsl.analysis import sections
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.declarations.boards import BOARD
from ruledsl.analysis.declarations.formulas import FORMULA
from ruledsl.analysis.declarations.history import HISTORY
from ruledsl.analysis.declarations.options import OPTION
from ruledsl.analysis.declarations.pieces import KIND
from ruledsl.analysis.declarations.places import PLACE
from ruledsl.analysis.declarations.pools import POOL
from ruledsl.analysis.declarations.scoring import SCORING
from ruledsl.analysis.declarations.triggers import TRIGGER
from ruledsl.analysis.declarations.types import TYPE
from ruledsl.analysis.declarations.values import VALUE
from ruledsl.builtins import BUILTINS
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar, Seq, read_document
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax.shapes import Form
from ruledsl.types import Root

EXAMPLES = [
    path
    for path in sorted((Path(__file__).parent.parent / "examples").glob("*.yaml"))
    if not path.stem.endswith(".test")
]
SECONDS = 20  # for one mutant; more is a hang
HUMAN = {
    "title",
    "label",
    "about",
    "say",
    "text",
    "letters",
    "tests",
    "game",
    "covers",
    "en",
    "ru",
    "name",
    "include",
    "from",
}
DECLARED = {*sections.NAMED, "modules"}
FORMS: list[Form] = [
    sections.GAME, sections.MODULE, SCORING, OPTION, TYPE, BOARD, KIND, PLACE, POOL, VALUE, FORMULA,
    TRIGGER, HISTORY, choices.ENTRY,
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A game with one slip: the lines where it may be reported, the words that a typo may be mended with."""

    sort: str
    text: str
    lines: frozenset[int]
    meant: frozenset[str] = frozenset()
    note: str = ""


@dataclass
class Tally:
    made: int = 0
    counted: int = 0
    found: int = 0
    placed: int = 0
    typos: int = 0
    suggested: int = 0
    crashes: list[tuple[str, Mutant]] = field(default_factory=list)
    missed: list[tuple[str, Mutant, list[Diagnostic]]] = field(default_factory=list)

    @property
    def shares(self) -> tuple[float, float, float]:
        return (
            self.found / max(1, self.counted),
            self.placed / max(1, self.found),
            self.suggested / max(1, self.typos),
        )


# ------------------------------------------------------------------------------------------ the file as a tree


@dataclass(frozen=True)
class Spot:
    """A node with the keys that lead to it."""

    node: Node
    path: tuple[str, ...]

    @property
    def human(self) -> bool:
        return any(key in HUMAN for key in self.path)


def walk(node: Node | None, path: tuple[str, ...] = ()) -> Iterator[Spot]:
    if node is None:
        return
    yield Spot(node, path)
    if isinstance(node, Map):
        for entry in node:
            yield from walk(entry.value, (*path, entry.key.value))
    elif isinstance(node, Seq):
        for item in node.items:
            yield from walk(item, path)


class Text:
    """A game file, parsed once, from which mutants are made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = path.read_text(encoding="utf-8")
        self.file = SourceFile(path.name, self.source)
        self.root = read_document(self.file, Report())
        self.spots = list(walk(self.root))
        self.maps = [(s, s.node) for s in self.spots if isinstance(s.node, Map) and not s.human]
        self.scalars = [
            (s, s.node)
            for s in self.spots
            if isinstance(s.node, Scalar) and not s.human and s.node.text_span.text.strip()
        ]
        self.structural = {key for form in [*FORMS, *(v.form for v in STATEMENTS.values())] for key in form.keys}

    def cut(self, span: Span, new: str) -> str:
        return self.source[: span.start] + new + self.source[span.end :]

    def line_of(self, offset: int) -> int:
        return self.file.line_col(offset)[0]

    def lines_with(self, word: str) -> set[int]:
        found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        return {n for n, line in enumerate(self.source.split("\n"), 1) if found.search(line)}

    def uses(self, name: str) -> set[int]:
        """The lines that speak of a name, and of the formulas and bound names that are made of it."""
        names, lines = [name], set[int]()
        for one in names:
            here = self.lines_with(one)
            lines |= here
            for spot, node in self.maps:
                for entry in node:
                    if here & set(
                        range(self.line_of(entry.key.span.start), self.line_of(entry.value.span.end) + 1)
                    ) and ("(" in entry.key.value or spot.path[-1:] in _BINDING):
                        more = entry.key.value.split("(")[0]
                        names += [more] if more not in names else []
        return lines

    def is_key(self, path: tuple[str, ...], key: str) -> bool:
        """Whether a key is one of the language, not a name that the game gives."""
        return key in self.structural and (
            not path
            or path[-1]
            not in {
                *DECLARED,
                "choose",
                "let",
                "for",
                "attributes",
                "state",
                "rows",
                "values",
                "set",
                "add",
                "subtract",
                "gain",
                "pay",
                "random",
                "each",
                "options",
            }
        )


def words_of(scalar: Scalar) -> list[Span]:
    start = scalar.text_span.start
    return [
        Span(scalar.span.file, start + m.start(), start + m.end())
        for m in re.finditer(r"[^\W\d]\w*", scalar.text_span.text)
    ]


def slip(word: str, rng: Random) -> str:
    """One letter added, dropped, replaced or swapped with its neighbour; now and then another case or a plural."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for _ in range(20):
        at = rng.randrange(len(word))
        sort = rng.randrange(7)
        new = word
        if sort == 0:
            new = word[:at] + rng.choice(letters) + word[at:]
        elif sort == 1 and len(word) > 2:
            new = word[:at] + word[at + 1 :]
        elif sort == 2:
            new = word[:at] + rng.choice(letters) + word[at + 1 :]
        elif sort in (3, 4) and len(word) > 2:
            at = min(at, len(word) - 2)
            new = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif sort == 5:
            new = word.capitalize()
        elif sort == 6:
            new = word[:-1] if word.endswith("s") else word + "s"
        if new != word and re.fullmatch(r"[^\W\d]\w*", new):
            return new
    return word + "x"


# ---------------------------------------------------------------------------------------------- kinds of slips

_BINDING = [("choose",), ("let",), ("for",), ("define",)]
_WORDS = """
if then else and or not in for where by of from after except otherwise none true false maybe set list bag up to all any
pass once first last
"""
KEYWORDS = set(_WORDS.split())
Maker = Callable[[Text, Random], "Mutant | None"]


def typo_in_name(text: Text, rng: Random) -> Mutant | None:
    """A letter wrong in a word of an expression, or in the declaration of a name."""
    spots = [
        (s, span)
        for s, scalar in text.scalars
        for span in words_of(scalar)
        if len(span.text) >= 3 and span.text not in KEYWORDS
    ]
    spots += [
        (s, entry.key.span) for s, node in text.maps for entry in node
        if not text.is_key(s.path, entry.key.value) and entry.key.span.text.isidentifier() and len(entry.key.value) >= 3
    ]  # fmt: skip
    if not spots:
        return None
    _, span = rng.choice(spots)
    word = span.text
    new = slip(word, rng)
    if text.lines_with(new):
        return None  # another name of the game: no typo that could be known
    lines = {text.line_of(span.start)} | text.lines_with(word)
    return Mutant("typo in a name", text.cut(span, new), frozenset(lines), frozenset({word, new}), f"{word} → {new}")


def typo_in_key(text: Text, rng: Random) -> Mutant | None:
    keys = [
        entry.key
        for s, node in text.maps
        for entry in node
        if text.is_key(s.path, entry.key.value) and len(entry.key.value) >= 3
    ]
    key = rng.choice(keys)
    new = slip(key.value, rng)
    if new in text.structural:
        return None
    line = text.line_of(key.span.start)
    return Mutant(
        "typo in a key", text.cut(key.span, new), frozenset({line}), frozenset({key.value}), f"{key.value} → {new}"
    )


def unknown_key(text: Text, rng: Random) -> Mutant | None:
    """A key that means nothing, in a map that has keys of the language."""
    places = [(s, node) for s, node in text.maps if len(node) and all(text.is_key(s.path, e.key.value) for e in node)]
    _, node = rng.choice(places)
    entry = rng.choice(list(node))
    word = rng.choice(["colour", "weight_of", "note", "speed", "owner_of", "background", "priority", "effect_of"])
    line = text.line_of(entry.key.span.start)
    if node.flow:
        return Mutant(
            "unknown key",
            text.source[: entry.key.span.start] + f"{word}: 1, " + text.source[entry.key.span.start :],
            frozenset({line}),
        )
    if entry is next(iter(node)):
        return None
    start = text.file.line_start(line)
    indent = " " * (entry.key.span.start - start)
    return Mutant(
        "unknown key", text.source[:start] + f"{indent}{word}: 1\n" + text.source[start:], frozenset({line}), note=word
    )


def entry_lines(text: Text, node: Map, entry: Any) -> tuple[int, int] | None:
    """The first and last line of an entry that has whole lines to itself."""
    if node.flow:
        return None
    first = text.line_of(entry.key.span.start)
    last = text.line_of(max(entry.key.span.end, entry.value.span.end - 1))
    head = text.source[text.file.line_start(first) : entry.key.span.start]
    return (first, last) if not head.strip() else None


def without(text: Text, first: int, last: int) -> str:
    lines = text.source.split("\n")
    return "\n".join(lines[: first - 1] + lines[last:])


def missing_key(text: Text, rng: Random) -> Mutant | None:
    """A key that must be there is not."""
    required = {
        "players",
        "play",
        "ruledsl",
        "game",
        "width",
        "height",
        "is",
        "start",
        "do",
        "to",
        "holds",
        "keep",
        "of",
        "then",
        "most",
    }
    options = []
    for s, node in text.maps:
        verb = next((v for v in STATEMENTS if v in node.entries), None)
        needed = (
            {n for n, k in STATEMENTS[verb].form.keys.items() if k.required} - {verb}
            if verb
            else required & {"width", "height", "is", "holds", "keep", "of"}
        )
        if not s.path:
            needed = {"players", "play", "ruledsl", "game"}
        if s.path and s.path[-1] in ("attributes", "state", "values", "rows", "each"):
            continue
        options += [(node, entry) for entry in node if entry.key.value in needed]
    if not options:
        return None
    node, entry = rng.choice(options)
    first = text.line_of(node.span.start)
    if node.flow:
        inner = text.source[entry.key.span.start : entry.value.span.end]
        new = re.sub(r"\{\s*,\s*", "{", text.source.replace(inner, "", 1).replace(", ,", ",").replace(", }", "}"))
        return (
            Mutant("missing key", new, frozenset({first}), note=entry.key.value)
            if text.source.count(inner) == 1
            else None
        )
    found = entry_lines(text, node, entry)
    if found is None:
        return None
    around = {first, found[0] - 1, found[0]} if node.span.start else set(range(1, 4))
    return Mutant("missing key", without(text, *found), frozenset(around), note=entry.key.value)


def doubled_key(text: Text, rng: Random) -> Mutant | None:
    options = [(entry, found) for s, node in text.maps for entry in node if (found := entry_lines(text, node, entry))]
    entry, (first, last) = rng.choice(options)
    lines = text.source.split("\n")
    new = "\n".join(lines[:last] + lines[first - 1 : last] + lines[last:])
    return Mutant("doubled key", new, frozenset({first, last + 1}), note=entry.key.value)


def wrong_type(text: Text, rng: Random) -> Mutant | None:
    """A number for a name, a list for a text, a name for a number."""
    spot, scalar = rng.choice(text.scalars)
    if scalar.style == "block" or not spot.path:
        return None
    number = scalar.as_int()
    if spot.path[-1] in ("menu", "space", "phase", "until") or (
        len(spot.path) >= 2 and spot.path[-2] in ("text", "values", "from")
    ):
        return None
    if number is not None:
        new = rng.choice(["[many]", "yellowish", "true"]) if spot.path[-1] != "ruledsl" else "first"
    elif scalar.as_bool() is not None:
        new = rng.choice(["7", "[true]", "perhaps"])
    else:
        new = (
            rng.choice(["77777", "[77777]"])
            if spot.path[-1] not in ("count", "size", "keep", "repeat", "most")
            else "many_of_them"
        )
    lines = range(text.line_of(scalar.span.start), text.line_of(scalar.span.end) + 1)
    key = text.line_of(scalar.span.start) - 1
    # A value of another type is a contradiction only where it is used.
    uses = text.uses(spot.path[-1].split("(")[0]) if not text.is_key(spot.path[:-1], spot.path[-1]) else set()
    return Mutant(
        "wrong type", text.cut(scalar.span, new), frozenset({*lines, key, *uses}), note=f"{scalar.value[:30]} → {new}"
    )


def wrong_arity(text: Text, rng: Random) -> Mutant | None:
    """One argument too many, or none at all, in a call of a function, formula or effect."""
    calls = []
    for _, scalar in text.scalars:
        for m in re.finditer(r"([^\W\d]\w*)\(([^()]*)\)", scalar.text_span.text):
            if (
                m[1] not in ("min", "max", "set", "list", "first", "last", "most", "least")
                and " in " not in m[2]
                and m[1] not in KEYWORDS
            ):
                calls.append((scalar, m))
    if not calls:
        return None
    scalar, m = rng.choice(calls)
    fewest = BUILTINS[m[1]].signature.split("(")[1] if m[1] in BUILTINS else ""
    many = m[2].count(",") + 1 if m[2].strip() else 0
    if rng.random() < 0.5 and many and not fewest.startswith(")"):
        inner = ""
    else:
        inner = ", ".join([m[2], "1", "1", "1", "1"]) if m[2].strip() else "1, 1, 1"
    start = scalar.text_span.start + m.start(2)
    span = Span(text.file, start, start + len(m[2]))
    return Mutant(
        "wrong arity", text.cut(span, inner), frozenset({text.line_of(start)}), note=f"{m[0]} → {m[1]}({inner})"
    )


def non_member(text: Text, rng: Random) -> Mutant | None:
    """A word that is no member where a member of a type stands."""
    members = set()
    if isinstance(text.root, Map):
        for s, scalar in text.scalars:
            if s.path[:1] in (("types",), ("players",)) and scalar.value.isidentifier():
                members.add(scalar.value)
    members |= {"n", "ne", "e", "se", "s", "sw", "w", "nw", "orthogonal", "diagonal"}
    spots = [
        span
        for s, scalar in text.scalars
        if s.path[:1] not in (("types",), ("players",), ("options",))
        for span in words_of(scalar)
        if span.text in members
    ]
    if not spots:
        return None
    span = rng.choice(spots)
    new = rng.choice(["purple", "northish", "banker", "knave", "sideways"])
    if text.lines_with(new):
        return None
    return Mutant("no member", text.cut(span, new), frozenset({text.line_of(span.start)}), note=f"{span.text} → {new}")


def deleted_declaration(text: Text, rng: Random) -> Mutant | None:
    """A declaration goes, what uses it stays."""
    options = []
    for s, node in text.maps:
        if len(s.path) == 1 and s.path[0] in (
            "options",
            "types",
            "boards",
            "pieces",
            "places",
            "pools",
            "values",
            "define",
            "effects",
            "history",
        ):
            for entry in node:
                found = entry_lines(text, node, entry)
                name = entry.key.value.split("(")[0].strip()
                if found and text.lines_with(name) - set(range(found[0], found[1] + 1)):
                    options.append((name, found, len(node)))
    if not options:
        return None
    name, (first, last), _ = rng.choice(options)
    new = without(text, first, last)
    lines = {n for n, line in enumerate(new.split("\n"), 1) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)}
    return Mutant("deleted declaration", new, frozenset(lines | {first - 1}), note=name)


def broken_indentation(text: Text, rng: Random) -> Mutant | None:
    lines = text.source.split("\n")
    options = [n for n, line in enumerate(lines) if line.strip() and not line.strip().startswith("#")]
    at = rng.choice(options)
    by = rng.choice([-1, 1, 1, 3, -2, 2])
    line = lines[at]
    indent = len(line) - len(line.lstrip())
    if indent + by < 0:
        return None
    new = [*lines[:at], " " * (indent + by) + line.lstrip(), *lines[at + 1 :]]
    # The line before ends where this one does not fit, the line after may seem the one that is out of place.
    around = {at, at + 1, at + 2} | ({n for n in (at - 1,) if n > 0})
    return Mutant(
        "broken indentation", "\n".join(new), frozenset(around), note=f"line {at + 1} by {by}: {line.strip()[:40]}"
    )


def broken_bracket(text: Text, rng: Random) -> Mutant | None:
    human = [s.node.span for s in text.spots if s.human and isinstance(s.node, Scalar)]
    places = [
        m.start()
        for m in re.finditer(r"[()\[\]{}]", text.source)
        if not any(span.start <= m.start() < span.end for span in human)
    ]
    places = [
        p
        for p in places
        if "#" not in text.file.line_text(text.line_of(p))[: p - text.file.line_start(text.line_of(p))]
    ]
    if not places:
        return None
    at = rng.choice(places)
    sign = text.source[at]
    new = rng.choice(["", sign * 2, {"(": "[", ")": "]", "[": "(", "]": ")", "{": "(", "}": ")"}[sign]])
    line = text.line_of(at)
    inside = {line}
    for s in text.spots:  # an expression over several lines: the place of a missing bracket is anywhere in it
        if isinstance(s.node, Scalar) and s.node.span.start <= at < s.node.span.end:
            inside |= set(range(text.line_of(s.node.span.start), text.line_of(s.node.span.end) + 1))
    return Mutant(
        "broken bracket", text.source[:at] + new + text.source[at + 1 :], frozenset(inside), note=f"{sign} → {new!r}"
    )


MAKERS: dict[str, Maker] = {
    "typo in a name": typo_in_name,
    "typo in a key": typo_in_key,
    "unknown key": unknown_key,
    "missing key": missing_key,
    "doubled key": doubled_key,
    "wrong type": wrong_type,
    "wrong arity": wrong_arity,
    "no member": non_member,
    "deleted declaration": deleted_declaration,
    "broken indentation": broken_indentation,
    "broken bracket": broken_bracket,
}


# ------------------------------------------------------------------------------------------------ the program


class Dump:
    """A program as one number: names, places in files and texts for people do not count."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=16)
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []

    def add(self, value: Any) -> None:
        if value is None or isinstance(value, (bool, int)):
            self.hash.update((hex(value) if value else repr(value)).encode())
        elif isinstance(value, str):
            self.hash.update(value.encode())
        elif isinstance(value, (Span, C.Words)):
            return
        elif isinstance(value, Root):
            self.hash.update(f"root {value.kind} {value.size}".encode())
        elif isinstance(value, (list, tuple)):
            self.hash.update(b"[")
            for item in value:
                self.add(item)
                self.hash.update(b",")
        elif isinstance(value, dict):
            self.add(sorted(((repr(k), v) for k, v in value.items()), key=lambda pair: pair[0]))
        elif isinstance(value, (set, frozenset)):
            self.add(sorted(value, key=repr))
        elif dataclasses.is_dataclass(value):
            self.add_data(value)
        else:
            self.hash.update(type(value).__name__.encode())

    def add_data(self, value: Any) -> None:
        if id(value) in self.numbers:
            self.hash.update(f"#{self.numbers[id(value)]}".encode())
            return
        self.numbers[id(value)] = len(self.numbers)
        self.kept.append(value)
        self.hash.update(type(value).__name__.encode())
        for one in dataclasses.fields(value):
            if one.name not in ("span", "name", "note", "message", "what", "origin", "label", "words"):
                self.add(getattr(value, one.name))


def fingerprint(path: Path) -> tuple[str, Report]:
    """The programs of a game in a few configurations, as a number; empty if it is refused."""
    report = Report()
    blueprint = pipeline.read(path, report)
    dump = Dump()
    if blueprint is None or report.errors:
        return "", report
    for one in pipeline.configurations(blueprint)[:4]:
        world, program = pipeline.work_out(blueprint, one.players, dict(one.options), report)
        if report.errors:
            return "", report
        dump.add(program.blocks)
        dump.add(program.data["template"])
        dump.add([f.body for f in program.formulas])
        dump.add([(r.kind, r.size) for r in program.roots.values()])
        dump.add([(f.base, f.count, f.width) for f in program.layout.fields])
        dump.add([node for _, node, _ in program.data["scoring"]])
        dump.add(program.data["ties"])
        dump.add((program.data["lowest"], program.data["stakes"]))
        dump.add([(s.capacity, s.ordered, s.single, s.seen) for s in [program.spots]])
        dump.add(world.players.size)
    return dump.hash.hexdigest(), report


# ------------------------------------------------------------------------------------------------- judging


class Hang(BaseException):
    """A mutant that took too long."""


def _too_long(*_: Any) -> None:
    raise Hang


def findings(path: Path) -> list[Diagnostic]:
    """What `check` says; a mutant that takes too long or crashes raises."""
    old = signal.signal(signal.SIGALRM, _too_long) if hasattr(signal, "SIGALRM") else None
    if old is not None:
        signal.alarm(SECONDS)
    try:
        return pipeline.check(path).sorted()
    finally:
        if old is not None:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, old)


def lines_said(found: list[Diagnostic], name: str) -> set[int]:
    said: set[int] = set()
    for d in found:
        for span in [d.span, *d.more, *(span for span, _ in d.notes)]:
            if span is not None and span.file.path.endswith(name):
                said.add(span.line)
    return said


def judge(text: Text, mutant: Mutant, place: Path, original: str, before: set[tuple[str, str]], tally: Tally) -> None:
    tally.made += 1
    place.write_text(mutant.text, encoding="utf-8")
    try:
        found = [d for d in findings(place) if (d.code, d.message) not in before]
    except (Exception, Hang) as crash:
        tally.counted += 1
        tally.crashes.append((f"{type(crash).__name__}: {crash}", mutant))
        return
    if not found:
        if fingerprint(place)[0] == original:
            return
        tally.counted += 1
        tally.missed.append(("not found", mutant, found))
        return
    tally.counted += 1
    tally.found += 1
    errors = [d for d in found if d.severity == "error"] or found
    if lines_said(errors, place.name) & mutant.lines:
        tally.placed += 1
    else:
        tally.missed.append(("wrong line", mutant, found))
    if mutant.meant:
        tally.typos += 1
        if any(set(d.suggestions) & mutant.meant or any(f"`{w}" in d.help for w in mutant.meant) for d in found):
            tally.suggested += 1
        else:
            tally.missed.append(("no suggestion", mutant, found))


def run(paths: list[Path], many: int, seed: int, folder: Path, only: str = "") -> dict[str, Tally]:
    """`many` mutants of each class over all games, in `folder` (where tables of the games are found too)."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    rng = Random(seed)
    texts = []
    for path in paths:
        original, _ = fingerprint(path)
        if not original:
            continue  # a game that is being written: its own test will say so
        before = {(d.code, d.message) for d in pipeline.check(path).findings}
        texts.append((Text(path), original, before))
    for sort, maker in MAKERS.items():
        if only and only != sort:
            continue
        tries = 0
        while texts and tallies[sort].made < many and tries < many * 20:
            tries += 1
            text, original, before = texts[tries % len(texts)]
            mutant = maker(text, rng)
            if mutant is None or mutant.text == text.source:
                continue
            judge(text, mutant, folder / text.path.name, original, before, tallies[sort])
    return dict(tallies)


def table(tallies: dict[str, Tally]) -> str:
    lines = [f"{'class':22} {'made':>6} {'counted':>8} {'found':>8} {'line':>8} {'suggested':>10}"]
    for sort, t in tallies.items():
        found, placed, suggested = t.shares
        shown = f"{suggested:10.1%}" if t.typos else f"{'':10}"
        lines.append(f"{sort:22} {t.made:6} {t.counted:8} {found:8.1%} {placed:8.1%} {shown}")
    return "\n".join(lines)


def summary(tallies: dict[str, Tally]) -> str:
    """The mutants that slipped through, most frequent first."""
    said = Counter(f"{sort}: {why}: {m.note}" for sort, t in tallies.items() for why, m, _ in t.missed)
    return "\n".join(f"{n:4} {what}" for what, n in said.most_common(40))


def main() -> None:
    """`python -m tests.mutator [many] [class] [files]`: the table, and what was missed."""
    import sys
    from tempfile import TemporaryDirectory

    from ruledsl.diagnostics.render import render_line

    many = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    paths = [Path(p) for p in sys.argv[3:]] or EXAMPLES
    with TemporaryDirectory() as folder:
        tallies = run(paths, many, 7, Path(folder), only)
    sys.stdout.write(table(tallies) + "\n")
    for sort, t in tallies.items():
        for crash, m in t.crashes:
            sys.stdout.write(f"{sort}: CRASH: {m.note} {sorted(m.lines)[:8]} {crash[:300]}" + "\n")
        for why, m, found in t.missed:
            sys.stdout.write(f"{sort}: {why}: {m.note} {sorted(m.lines)[:8]}" + "\n")
            for d in found[:3]:
                sys.stdout.write(f"      {render_line(d)} | {d.help}\n")


if __name__ == "__main__":
    main()
