"""What players read in place of a word, by language."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ruledsl.analysis.names import NotFixed, Typed
from ruledsl.analysis.world import World
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax.parser import parse_text
from ruledsl.syntax.shapes import by_language
from ruledsl.syntax.texts import HOLE, asked, holes, sound_texts
from ruledsl.types import NO_NUMBER, BagOf, Broken, Elem, ListOf, Num, Root, SetOf, Type, bits, every
from ruledsl.wording.cases import CASES, by_number, in_case

from .rows import Row


def titles(
    world: World, node: Node | None, word: str, row: Row | None = None, piece: int | None = None
) -> dict[str, str]:
    """A title by language: as written, with what stands in the row filled in, or the word with its translations.

    In the title of a `piece` expressions may stand; they are worked out when all is declared (`finish_titles`).
    """
    found: dict[str, str] = {}

    def text(node: Scalar, language: str) -> str:
        if piece is not None and not all(_of_row(row, hole) for hole in holes(node.value)):
            kind = next((mask for mask in world.pieces.parts.values() if mask >> piece & 1), world.pieces.everything)
            late = _Late(found, node, language, Elem(world.pieces, kind), piece, row)
            world.data.setdefault("late_titles", []).append(late)
            return ""
        return filled(world, node, language, row)

    if isinstance(node, Scalar) and not node.is_null:
        languages = ("en", *world.sections.texts) if row is not None and "{" in node.value else ("en",)
        found.update({language: text(node, language) for language in languages})
        return found
    if isinstance(node, Map):
        by_word = by_language(node, world.report)
        found.update({e.key.value: text(e.value, e.key.value) for e in by_word if isinstance(e.value, Scalar)})
        return found
    return world.title_of_word(word)


def _of_row(row: Row | None, hole: str) -> str:
    """What a row says as one word or number under the name in a hole."""
    word = row.word(_column(hole)) if row is not None else ""
    return word if word.removeprefix("-").replace("_", "a").isalnum() else ""


def _column(hole: str) -> str:
    return hole.strip().removeprefix("this.").strip()


def _told(world: World, hole: str) -> None:
    """An attribute that a title tells is used."""
    world.data.setdefault("told", set()).add(_column(hole))


def title_spaces(world: World, root: Root, node: Node | None) -> None:
    """Notes a title for every space of a board, to be worked out by `finish_titles`."""
    texts: dict[str, Node] = {}
    if isinstance(node, Map):
        texts = {entry.key.value: entry.value for entry in by_language(node, world.report)}
    elif isinstance(node, Scalar):
        texts = dict.fromkeys(("en", *world.sections.texts), node)
    late = world.data.setdefault("late_titles", [])
    for space in range(root.size):
        found: dict[str, str] = {}
        kind = every(root)
        written = [(language, text) for language, text in texts.items() if isinstance(text, Scalar)]
        late += [_Late(found, text, language, kind, space) for language, text in written]
        world.data.setdefault("titled spaces", []).append((root, space, found))


def finish_titles(world: World) -> None:
    """Titles of pieces and spaces in which expressions stand, once everything is declared."""
    holes: _Holes = {}
    for late in world.data.pop("late_titles", []):
        with world.report.one_slip(late.node):
            late.found[late.language] = _worked_out(world, late, holes)
    for root, space, found in world.data.pop("titled spaces", []):
        root.titles[space] = {language: " ".join(text.split()) for language, text in found.items()}


def _worked_out(world: World, late: _Late, holes: _Holes) -> str:
    sound_texts(world.report, late.node)

    def one(hole: re.Match[str]) -> str:
        expression, how = asked(hole.group(1))
        word = _of_row(late.row, expression)
        if word:
            _told(world, expression)
            return _word_said(world, word, how, late.language)
        key = (late.node, hole.start(), late.kind)
        if key not in holes:
            holes[key] = _Hole.read(world, late.node, hole, late.kind)
        read = holes[key]
        return "" if read is None else read.text(world, late)

    return HOLE.sub(one, late.node.value)


@dataclass(frozen=True)
class _Late:
    """A title that waits until all is declared: where it goes, how it is written and of what it is."""

    found: dict[str, str]
    node: Scalar
    language: str
    kind: Elem
    this: int
    row: Row | None = None


@dataclass(frozen=True)
class _Hole:
    """An expression in a title, read once for all that have this title."""

    type: Type
    span: Span
    value: Callable[[int], Any]
    how: str = ""  # in which case it is said, or with which word

    @classmethod
    def read(cls, world: World, node: Scalar, hole: re.Match[str], kind: Elem) -> _Hole | None:
        """The expression as it is written; None if it has a mistake, which is reported."""
        expression, how = asked(hole.group(1))
        tree = parse_text(expression, node.span.file, _at(node, hole.group()).start + 1, "expr", world.report)
        slot = world.scratch()
        with world.elaborator.scope():
            world.elaborator.bind("this", Typed(C.Get(slot), kind), quiet=True)
            world.elaborator.no_me += 1
            typed = world.elaborator.expr(tree)
            world.elaborator.no_me -= 1
        if isinstance(typed.type, Broken):
            return None
        return cls(typed.type, tree.span, world.still(typed.node, slot), how)

    def text(self, world: World, late: _Late) -> str:
        """What it says of one piece or space."""
        try:
            value = self.value(late.this)
            if "|" in self.how:
                return _by_number(value, self.how)
            return _in_case(world, _said(value, self.type, late.language), self.how, late.language)
        except C.RulesFault as fault:
            world.report.error("R306", fault.span or self.span, fault.message)
        except NotFixed as problem:
            world.report.error(
                "E110",
                self.span,
                f"a title is fixed and cannot contain {problem}",
                help="what changes in play goes into `show:`",
            )
        return ""


_Holes = dict[tuple[Scalar, int, Elem], _Hole | None]


def _word_said(world: World, word: str, how: str, language: str) -> str:
    """A word of a row as people read it, in the form that a text asks for."""
    if "|" in how and word.lstrip("-").isdecimal():
        return _by_number(int(word), how)
    found = world.title_of_word(word)
    return _in_case(world, found.get(language, found["en"]), how, language)


def _in_case(world: World, title: str, how: str, language: str) -> str:
    known = world.cases.get(language, {}).get(title)
    return in_case(title, how, language, known) if how in CASES else title


def _by_number(value: Any, how: str) -> str:
    return by_number(int(value), tuple(form.strip() for form in how.split("|")))


def _said(value: Any, kind: Type, language: str) -> str:
    """A value that is known before play, as people read it."""
    match kind:
        case Elem(root=root):
            if value < 0:
                return ""
            titles = root.titles[value] if value < len(root.titles) else None
            return str((titles or {}).get(language) or (titles or {}).get("en") or root.names[value])
        case SetOf(of=inner):
            return ", ".join(_said(member, inner, language) for member in bits(value))
        case ListOf(of=inner):
            return ", ".join(_said(member, inner, language) for member in value)
        case BagOf(root=root):
            counted = ((_said(i, Elem(root, root.everything), language), n) for i, n in enumerate(value) if n)
            return ", ".join(f"{n} {title}" if language == "en" else f"{title} {n}" for title, n in counted)
        case Num():
            return "" if value == NO_NUMBER else str(value)
    return str(value)


def filled(world: World, node: Scalar, language: str, row: Row | None = None) -> str:
    """A text that stands still: `{this.bonus}` is filled in where the row says it as one word or number."""

    sound_texts(world.report, node)
    if not holes(node.value):
        return node.value

    def one(hole: re.Match[str]) -> str:
        expression, how = asked(hole.group(1))
        word = _of_row(row, expression)
        if not word:
            constant = f"as `{{this.{next(iter(row.cells), 'name')}}}`" if row is not None else ""
            help = (
                f"it can show only a single word or number from the row, {constant}"
                if constant
                else "what changes in play goes into a `label:` or `say:`"
            )
            world.report.error("E110", _at(node, hole.group()), "this text is fixed: nothing is filled in", help=help)
            return ""
        _told(world, expression)
        return _word_said(world, word, how, language)

    return HOLE.sub(one, node.value)


def _at(node: Scalar, part: str) -> Span:
    """Where a part of a text stands, if it stands there as it is read."""
    raw = node.text_span
    at = raw.text.find(part)
    return Span(raw.file, raw.start + at, raw.start + at + len(part)) if at >= 0 else node.span


def still_texts(world: World) -> None:
    """Titles and translations are shown as they are written; texts that labels name are not."""
    titled = world.data["titled"]
    texts = [node for table in world.sections.texts.values() for word, node in table.items() if word in titled]
    for node in [world.sections.single.get("title"), world.sections.single.get("about"), *texts]:
        for text in [node] if isinstance(node, Scalar) else [e.value for e in node] if isinstance(node, Map) else []:
            if isinstance(text, Scalar):
                filled(world, text, "en")


def written_name(row: Row) -> Node | None:
    """A name that is written by language is a title as well."""
    node = row.get("name")
    return node if isinstance(node, Map) else None


def joined_title(world: World, row: Row, each: Map) -> dict[str, str]:
    """The title of one of every combination, and of a row of it: its own translation, else those of its parts (four
    for four suits)."""
    words = [(row.word(entry.key.value), entry.key.value) for entry in each]
    parts = [world.title_of_word(key if word == "true" else word) for word, key in words if word != "false"]
    parts += [world.title_of_word(word) for word in row.words]
    joined = {
        language: " ".join(part.get(language, part["en"]) for part in parts)
        for language in ("en", *world.sections.texts)
    }
    own = world.title_of_word(row.word("name"))
    return joined | {language: text for language, text in own.items() if text != row.word("name").replace("_", " ")}
