"""Texts that people read: what in them was likely meant otherwise, whatever they are about."""

from __future__ import annotations

import re
from functools import lru_cache

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.text import Span

HOLE = re.compile(r"\{([^{}]*)\}")
# A note of the designer begins with `# `; `#2`, `# 2` and `# {n}` go on with the text.
_STRANGE_QUOTES = re.compile("[“”„‟«»‘’‚‛]([^“”„‟«»‘’‚‛]*)[“”„‟«»‘’‚‛]")
_CUT = re.compile(r" (#(?:[^\s#]| ?[\d{])[^\r\n]*)")


def asked(hole: str) -> tuple[str, str]:
    """What stands in a hole: the expression, and how its value is said (`acc`, `coin|coins`), if that is asked for.

    >>> asked("c:acc"), asked("n: coin|coins"), asked("n")
    (('c', 'acc'), ('n', 'coin|coins'), ('n', ''))
    """
    expression, _, how = hole.partition(":")
    return expression, how.strip()


@lru_cache(10_000)
def holes(text: str) -> tuple[str, ...]:
    """The expressions in a text: the titles of all cards of a table are one text, in every configuration."""
    return tuple(asked(hole)[0] for hole in HOLE.findall(text)) if "{" in text else ()


def sound_texts(report: Report, node: Node | None) -> None:
    """Looks over a text, or one by language, once."""
    for text in [node] if isinstance(node, Scalar) else [e.value for e in node] if isinstance(node, Map) else []:
        if isinstance(text, Scalar) and text not in report.sounded:
            report.sounded.add(text)
            lone_brace(report, text)
            cut_short(report, text)
            strange_quotes(report, text)


def lone_brace(report: Report, node: Scalar) -> None:
    """Says where a text has a brace that shows no value."""
    raw = node.text_span
    rest = HOLE.sub(lambda hole: " " * len(hole.group()), raw.text)
    found = re.search("[{}]", rest)
    if found:
        missing = "`}` is missing after it" if found.group() == "{" else "`{` is missing before it"
        span = Span(raw.file, raw.start + found.start(), raw.start + found.end())
        report.error("E110", span, f"a single brace: {missing}", help="show a value with `{x}`")


def strange_quotes(report: Report, node: Scalar) -> None:
    """Says where quotes of a word processor stand around a text, where those of the keyboard were likely meant."""
    found = _STRANGE_QUOTES.fullmatch(node.text_span.text) if node.style == "plain" else None
    if found and not report.tells_of(node.span):
        message = "players will see these quotes: they are not keyboard quotes"
        help = f'write `"{found[1]}"`; if players are to read them, put these around all of it'
        report.warn("L526", node.span, message, help=help)


def cut_short(report: Report, node: Scalar) -> None:
    """Says where ` #` has ended a text that seems to go on."""
    if node.style != "plain" or not node.value:
        return
    found = _CUT.match(node.span.file.text, node.span.end)
    if found:
        report.warn(
            "L520",
            node.span.file.span(*found.span(1)),
            "a comment starts at this `#`, so players do not see it",
            help="write the whole text in quotes; put two spaces before a comment",
        )
