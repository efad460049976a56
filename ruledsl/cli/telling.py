"""`--format json`: answers for programs. What stands in them is in `answers.py`."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import to_json
from ruledsl.source.text import Span

OLD = "--json"  # how some commands once called it


_FORMATS = {"github": "`github` for marks beside the lines of a pull request"}


def format_argument(parser: ArgumentParser, *more: str) -> None:
    """`--format`: for people, or for programs."""
    more_help = "".join(f", {_FORMATS[one]}" for one in more)
    help = f"output format: `text` for people, `json` for programs{more_help}"
    parser.add_argument("--format", choices=("text", "json", *more), default="text", help=help)


def as_json(args: Namespace) -> bool:
    return getattr(args, "format", "text") == "json"


def tell(answer: Any) -> None:
    """An answer for a program, whole and alone on the standard output."""
    sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")


def tell_mistakes(report: Report) -> None:
    """The answer of any command about a game that has mistakes: that of `check`."""
    tell(to_json(report))


def where(span: Span | None) -> dict[str, Any]:
    """A place of the rules or tests."""
    return {"file": span.file.path if span is not None else None, "line": span.line if span is not None else None}


def cases_as_data(cases: list[Any]) -> list[dict[str, Any]]:
    """Tests by name and place."""
    return [{"test": case.name, "file": case.span.file.path, "line": case.line} for case in cases]


def fault_as_data(fault: Any) -> dict[str, Any] | None:
    """Where and why the rules end in a fault; None if they do not."""
    return None if fault is None else {**where(fault.span), "message": fault.message}
