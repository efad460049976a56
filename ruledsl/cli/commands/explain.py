"""Explain the code of a message, with a wrong and a right example."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ruledsl import started
from ruledsl.cli.common import CLEAN, UsageError
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.diagnostics import codes
from ruledsl.diagnostics.suggest import did_you_mean, nearest


def arguments(parser: ArgumentParser) -> None:
    what = "the code of a message, as in `error[CODE]`; without it, all codes are listed"
    parser.add_argument("code", nargs="?", metavar="CODE", help=what)
    format_argument(parser)


def run(args: Namespace) -> int:
    """The page of one code, or one line for each of them."""
    if args.code is None and as_json(args):
        tell({"codes": [{"code": code, "title": codes.CODES[code].title} for code in sorted(codes.CODES)]})
        return CLEAN
    if args.code is None:
        for code in sorted(codes.CODES):
            print(f"{code}  {codes.CODES[code].title}")
        return CLEAN
    word = args.code.strip().strip("[]").upper()
    if word not in codes.CODES:
        raise UsageError(f"there is no code `{args.code}`; {_advice(word)}")
    if as_json(args):
        known = codes.CODES[word]
        tell({key: getattr(known, key) for key in ("code", "title", "explanation", "wrong", "right")})
    else:
        print(codes.explain(word), end="")
    return CLEAN


def _advice(word: str) -> str:
    # A digit more or less leads elsewhere, so codes of the same family are the better guess.
    family = [code for code in codes.CODES if len(word) > 2 and code.startswith(word[:3])]
    return did_you_mean(nearest(word, codes.CODES) or sorted(family)[:3]) or f"`{started.command()} explain` lists all"
