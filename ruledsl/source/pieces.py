"""What reading a file and explaining its mistakes have in common."""

from __future__ import annotations

import re

from ruledsl.diagnostics.model import Report
from ruledsl.source.text import Span

NO_SPACE = re.compile(r"[\w-]+(:)[^\s:]")


def report_comment(report: Report, comment: Span, after_text: bool) -> None:
    what = "ended the text before it" if after_text else "is where a text was meant"
    message = f"a comment starts at this `#` and {what}"
    report.error("Y303", comment, message, help="write the whole text in quotes")


def open_brackets(text: str) -> int:
    """How many brackets the text leaves open; negative if it closes more than it opens."""
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
