"""Texts for people: pieces of text and the values shown between them, by language."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ruledsl.analysis.declarations.cases import DECLINED
from ruledsl.analysis.meant import as_number
from ruledsl.analysis.show import show
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax.expr import Expr, Name
from ruledsl.syntax.parser import parse_text
from ruledsl.syntax.texts import HOLE, asked, sound_texts
from ruledsl.types import Broken, Elem, Num, SetOf, TableOf, Type
from ruledsl.wording.cases import CASES, MANY, NUMBERS

if TYPE_CHECKING:
    from ruledsl.analysis.elaborate import Elaborator
    from ruledsl.analysis.names import Typed

MOST_PARTS = 200  # of a text with values in it
HALVES = ("column", "row")  # of the name of a square


def words(elab: Elaborator, node: Node | None) -> C.Words | None:
    """A text with holes, by language; its expressions may use the names that are bound here."""
    for text in [node] if isinstance(node, Scalar) else [e.value for e in node] if isinstance(node, Map) else []:
        if isinstance(text, Scalar) and not text.value.strip():
            elab.world.idle(text.span, "the text is empty, so nobody reads anything")
    if isinstance(node, Scalar):
        return _by_name(elab, node) or C.Words((("en", _parts(elab, node)),))
    if isinstance(node, Map):
        texts = ((entry.key.value, entry.value) for entry in node)
        return C.Words(tuple((key, _parts(elab, text, key)) for key, text in texts if isinstance(text, Scalar)))
    return None


def _by_name(elab: Elaborator, node: Scalar) -> C.Words | None:
    """A text that stands under `text:` by the word that is written here: in all its languages, with its holes."""
    tables = elab.world.sections.texts
    word = node.value.strip()
    found = {language: table[word] for language, table in tables.items() if word in table}
    if not found or not word.isidentifier():
        return None
    texts = {language: _parts(elab, text, language) for language, text in found.items() if isinstance(text, Scalar)}
    return C.Words((*({"en": (word.replace("_", " "),)} | texts).items(),))


def _parts(elab: Elaborator, node: Scalar, language: str = "en") -> tuple[str | C.Hole, ...]:
    """`place at {cell}`: pieces of text and the values between them."""
    raw = node.text_span
    text = raw.text if not node.is_escaped else node.value
    parts: list[str | C.Hole] = []
    end = 0
    for hole in HOLE.finditer(text):
        if len(parts) > MOST_PARTS:
            help = f"{MOST_PARTS // 2} are the most"
            elab.report.error("E103", node.span, "this text shows too many values", help=help)
            break
        if hole.start() > end:
            parts.append(_fold(text[end : hole.start()]))
        start = raw.start + hole.start(1) if not node.is_escaped else raw.start
        expression, how = asked(hole.group(1))
        tree = _tree(elab, node, expression, start)
        typed = elab.expr(tree)
        _no_type(elab, tree, typed)
        if not isinstance(typed.type, Broken):
            at = Span(raw.file, start, start + len(hole.group(1))) if not node.is_escaped else node.span
            parts.append(_said(elab, typed, how, language, at))
        end = hole.end()
    if end < len(text):
        parts.append(_fold(text[end:]))
    sound_texts(elab.report, node)
    return tuple(parts)


def _no_type(elab: Elaborator, tree: Expr, typed: Typed) -> None:
    """`{player}` in a text: the name of a type stands for all of its members, and one of them was meant."""
    kind = typed.type
    if not isinstance(tree, Name) or elab.local(tree.name) is not None or not isinstance(kind, SetOf):
        return
    if not isinstance(kind.of, Elem) or not _is_type(elab, tree.name):
        return
    alike = [name for scope in elab.scopes for name, b in scope.items() if _is_one(b.value.type, kind.of)]
    if tree.name == "player" and not elab.no_me:
        alike.append("me")
    help = did_you_mean([f"{{{name}}}" for name in alike]) or "write a name that stands for one of them"
    said = f"`{tree.name}` is a type: this would show all of its members"
    elab.report.warn("L532", tree.span, said, help=help, suggestions=tuple(f"{{{name}}}" for name in alike))


def _is_type(elab: Elaborator, word: str) -> bool:
    declared = elab.world.names.get(word)
    if word == "player" or any(board.word == word for board in elab.world.boards):
        return True
    return declared is not None and declared.sort in ("type", "kind")


def _is_one(kind: Type, of: Elem) -> bool:
    return isinstance(kind, Elem) and kind.root is of.root and kind.mask & of.mask != 0


def _tree(elab: Elaborator, node: Scalar, expression: str, start: int) -> Expr:
    """The tree of what stands in a hole, which is parsed once for all configurations."""
    trees, place = elab.world.trees, (node, f"{{{start}:{expression}}}")
    if place not in trees:
        trees[place] = parse_text(expression, node.text_span.file, start, "expr", elab.report)
    found: Expr = trees[place]
    return found


def _said(elab: Elaborator, typed: Typed, how: str, language: str, at: Span) -> C.Hole:
    """A hole whose value is said in a case or as several (`{c:acc}`, `{c:many}`), or as a word behind a number."""
    forms = tuple(form.strip() for form in how.split("|"))
    if not how:
        return C.Hole(typed.node, typed.type)
    if how in HALVES:
        return _half(elab, typed, how, at)
    if len(forms) == 1:
        if how not in (*CASES, MANY):
            known = nearest(how, (*CASES, *HALVES))
            help = did_you_mean(known) or f"the cases are {', '.join(CASES)}; a word by number is `{{n:coin|coins}}`"
            elab.report.error("E114", at, f"there is no case `{how}`", help=help, suggestions=tuple(known))
        elif language not in DECLINED and how != MANY:
            help = "write it without `:`, or write the text by language: `{en: …, ru: …}`"
            elab.report.error("E114", at, "only Russian texts have cases", help=help)
        hole = C.Hole(typed.node, typed.type, case=how)
        elab.world.data.setdefault("declined", []).append((hole, language, at))
        return hole
    wanted = NUMBERS.get(language, 2)
    if len(forms) != wanted:
        example = "{n:монета|монеты|монет}" if wanted == 3 else "{n:coin|coins}"
        message = f"here a word has {wanted} forms by number, not {len(forms)}"
        elab.report.error("E114", at, message, help=f"write as in `{example}`")
        return C.Hole(typed.node, typed.type)
    if not isinstance(typed.type, Num):
        message = f"the form of a word goes by a number, not by {show(typed.type)}"
        word = replace(at, end=at.start + len(at.text.partition(":")[0]))
        help = as_number(typed.type, word, elab) if isinstance(typed.type, TableOf) else ""
        elab.report.error("E114", at, message, help=help or "count something: `{count(cards):card|cards}`")
    return C.Hole(typed.node, typed.type, forms=forms)


def _half(elab: Elaborator, typed: Typed, how: str, at: Span) -> C.Hole:
    """A hole that shows one half of the name of a square: `{m.square:column}` is the e of e4."""
    kind = typed.type
    board = next((b for b in elab.world.boards if isinstance(kind, Elem) and kind.root is b.root), None)
    if board is None or not board.board.halves:
        said = f"only a square such as e4 has a {how}, not {show(kind)}"
        help = "write a space of a `grid:`, as in `{m.square:column}`; a number stands alone: `{m.square.x}`"
        elab.report.error("E114", at, said, help=help)
        return C.Hole(typed.node, kind)
    return C.Hole(typed.node, kind, half=how)


def _fold(text: str) -> str:
    """Line breaks of a text in the file are spaces."""
    return re.sub(r"\s*\n\s*", " ", text)
