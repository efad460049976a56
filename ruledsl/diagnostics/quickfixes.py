"""What can be changed safely for a finding: one function for each sort of slip.

An edit is made only where there is one way to mend the slip. Whoever applies it checks the file again all the same:
`compiler/fixing.py` takes back what did not help.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ruledsl.source import flows
from ruledsl.source.letters import in_latin
from ruledsl.source.text import Span

from .edits import Edit

if TYPE_CHECKING:
    from .model import Diagnostic

Quickfix = Callable[["Diagnostic", Span], "list[Edit]"]
QUICKFIXES: dict[str, Quickfix] = {}
# What may be a misspelt name, or a verb of two words (`choose one`).
_WORD = re.compile(r"[^\s\"'`{}\[\]():,#]+(?: [a-z]+)?")
_OPERATORS = {
    "&&": "and",
    "||": "or",
    "<>": "!=",
    "===": "==",
    "=<": "<=",
    "=>": ">=",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}


def quickfix(*codes: str) -> Callable[[Quickfix], Quickfix]:
    """Registers how findings of some codes are mended."""

    def keep(found: Quickfix) -> Quickfix:
        for code in codes:
            assert code not in QUICKFIXES, f"two quick fixes are for {code}"
            QUICKFIXES[code] = found
        return found

    return keep


def edits_of(found: Diagnostic) -> tuple[Edit, ...]:
    """The edits that mend a finding; none where there is no safe way, or more than one."""
    if found.span is None:
        return ()
    own = QUICKFIXES.get(found.code)
    edits = own(found, found.span) if own is not None else []
    return tuple(edits or _another_word(found))


def _another_word(found: Diagnostic) -> list[Edit]:
    """A misspelt word with one candidate: in all places where it is written so."""
    if len(found.suggestions) != 1:
        return []
    word, meant = found.span.text if found.span is not None else "", found.suggestions[0]
    if not word or word == meant or not _WORD.fullmatch(word) or not _WORD.fullmatch(meant):
        return []
    if f"`{word}`" not in found.message or any(place.text != word for place in found.places):
        return []
    return [Edit(place, meant) for place in found.places]


@quickfix("Y301", "Y302")
def braces_to_lines(found: Diagnostic, span: Span) -> list[Edit]:
    """A map or list in brackets whose text has commas or brackets of its own: written on lines."""
    return flows.on_lines(span.file, span.start)


@quickfix("S127")
def whole_text_in_quotes(found: Diagnostic, span: Span) -> list[Edit]:
    """A text that a comma has cut, in quotes."""
    return [Edit(span, quoted) for quoted in found.suggestions]


@quickfix("Y106")
def colon_in_text(found: Diagnostic, span: Span) -> list[Edit]:
    """A text with `: ` in it, in quotes; in brackets the other parts go on lines of their own first."""
    return flows.on_lines(span.file, span.start) or flows.in_quotes(span.file, span.start, first=True)


@quickfix("Y107", "Y204", "Y206")
def strange_beginning(found: Diagnostic, span: Span) -> list[Edit]:
    """A text that starts with a sign that means something to YAML, in quotes."""
    return flows.in_quotes(span.file, span.start)


@quickfix("Y303")
def cut_by_comment(found: Diagnostic, span: Span) -> list[Edit]:
    """A text that `#` has ended, whole and in quotes."""
    return flows.in_quotes(span.file, span.start, through=span.end)


@quickfix("Y304")
def space_after_colon(found: Diagnostic, span: Span) -> list[Edit]:
    """`key:value`, with the space that YAML needs."""
    return [Edit(Span(span.file, span.end, span.end), " ")]


@quickfix("Y103")
def tab(found: Diagnostic, span: Span) -> list[Edit]:
    """Tabs at the beginning of a line, as two spaces each."""
    text = span.file.text
    start = span.file.line_start(span.line)
    blank = re.match(r"[ \t]*", text[start:])
    assert blank is not None
    if not start <= span.start < start + blank.end():
        return []
    return [Edit(Span(span.file, start, start + blank.end()), blank[0].replace("\t", "  "))]


@quickfix("E102", "Y112")
def letters_that_look_alike(found: Diagnostic, span: Span) -> list[Edit]:
    """Letters, quotes and spaces that are not what they look like."""
    if len(found.suggestions) == 1:
        return [Edit(place, found.suggestions[0]) for place in found.places]
    meant = in_latin(span.text)
    return [Edit(span, meant)] if meant != span.text and meant.isascii() else []


@quickfix("E106")
def single_equals(found: Diagnostic, span: Span) -> list[Edit]:
    """`=` where two things are compared."""
    text = span.file.text
    alone = text[span.start : span.end] == "=" and text[span.start - 1 : span.start] not in ("=", "!", "<", ">")
    return [Edit(span, "==")] if alone else []


@quickfix("E108")
def operator_of_another_language(found: Diagnostic, span: Span) -> list[Edit]:
    """`&&`, `<>` and the like, as this language has them."""
    meant = found.suggestions[0] if len(found.suggestions) == 1 else _OPERATORS.get(span.text)
    return [Edit(span, meant)] if meant is not None else []


@quickfix("R308")
def range_backwards(found: Diagnostic, span: Span) -> list[Edit]:
    """`5..1`, the other way round."""
    low, dots, high = span.text.partition("..")
    return [Edit(span, f"{high.strip()}..{low.strip()}")] if dots and low.strip() and high.strip() else []
