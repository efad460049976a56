"""Format files in one style: indentation, spaces and empty lines. Meaning and comments stay the same.

A file is formatted alone; a folder with game.yaml means all files of the game and its tests. `-` reads the standard
input and writes the standard output, for editors. A file that cannot be read is left as it is, and you see why.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from difflib import unified_diff
from pathlib import Path

from ruledsl import shipped
from ruledsl.cli.common import CLEAN, FOUND, UsageError, find_game, near, plural, print_report, read_given, use_colour
from ruledsl.cli.telling import as_json, format_argument, tell
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import to_json, visible
from ruledsl.records import dataclass
from ruledsl.source.scan import MAX_RULES_BYTES
from ruledsl.source.text import SourceFile

YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class Formatted:
    """A file as it was and as it is in style; the same where it could not be read, and `report` says why."""

    path: Path
    before: str
    after: str
    report: Report

    @property
    def changed(self) -> bool:
        return self.before != self.after


def arguments(parser: ArgumentParser) -> None:
    what = "a file, a folder with game.yaml, or `-` for the standard input"
    parser.add_argument("paths", nargs="+", metavar="PATH", help=what)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is not in style")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    format_argument(parser)


def run(args: Namespace) -> int:
    """0 if all is well, 1 if a file cannot be read, or with `--check` is not in style."""
    if "-" in args.paths:
        return _between(args)
    dry = args.check or args.diff
    for word in args.paths if not dry else ():
        if not Path(word).exists() and shipped.find_game(word) is not None:
            raise UsageError(f"`{word}` comes with ruledsl and is not changed; copy it to your own folder first")
    paths = list({path.resolve(): path for word in args.paths for path in _files(word)}.values())
    found = [_formatted(near(path)) for path in paths]
    changed = [one for one in found if one.changed]
    if not dry:
        _write(changed)
    if as_json(args):
        _tell(found, not dry)
    else:
        _show(found, args, dry)
    broken = any(one.report.mistakes for one in found)
    return FOUND if broken or (args.check and changed) else CLEAN


def _between(args: Namespace) -> int:
    """What came on the standard input, in style; as it came if it cannot be read."""
    if len(args.paths) > 1 or args.check or args.diff or as_json(args):
        raise UsageError("`-` formats the standard input: it stands alone, without other files and options")
    data = read_given(Path("-"), MAX_RULES_BYTES, "a game")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("the standard input is not UTF-8 text") from None
    found = _as_styled(Path("-"), SourceFile("<stdin>", text), Report())
    sys.stdout.buffer.write(found.after.encode())
    print_report(found.report, sys.stderr)
    return FOUND if found.report.mistakes else CLEAN


# ----------------------------------------------------------------------------------------------- which files


def _files(word: str) -> list[Path]:
    """A file alone; of a game in a folder, or of one that comes with ruledsl, everything that is written in YAML."""
    path = Path(word)
    if path.is_file():
        if path.suffix not in YAML:
            raise UsageError(f"`{word}` is not written in YAML: only .yaml files are formatted")
        return [path]
    if path.is_dir() and not (path / shipped.GAME_FILE).is_file():
        raise UsageError(f"the folder `{word}` has no `{shipped.GAME_FILE}`; name the files, as in `{word}/*.yaml`")
    return _of_game(find_game(word))


def _of_game(main: Path) -> list[Path]:
    from ruledsl.compiler.pipeline import read
    from ruledsl.testing.suites import files_of

    blueprint = read(main, Report())
    sources = [Path(file.path) for file in blueprint.source.files] if blueprint is not None else []
    return [path for path in [main, *sources, *files_of(main)] if path.suffix in YAML]


# ------------------------------------------------------------------------------------------------ formatting


def _formatted(path: Path) -> Formatted:
    from ruledsl.source.scan import read_file

    report = Report()
    file = read_file(path, report)
    return _as_styled(path, file, report) if file is not None else Formatted(path, "", "", report)


def _as_styled(path: Path, file: SourceFile, report: Report) -> Formatted:
    """Only what keeps a file from being read is told; other findings are for `check`."""
    from ruledsl.source.document import as_told, read_document
    from ruledsl.source.style import styled

    found = Report()
    # A file of which `check` passes over what stands in some brackets cannot be read as it stands.
    readable = not file.text.strip() or (read_document(file, found) is not None and as_told(file.text) is not None)
    return Formatted(path, file.text, styled(file.text) if readable else file.text, report if readable else found)


def _write(changed: list[Formatted]) -> None:
    from ruledsl.cli.writing import write

    for one in changed:
        if not os.access(one.path, os.W_OK):
            raise UsageError(f"`{one.path}` cannot be written")
    for one in changed:
        write(one.path, one.after.encode())


# ------------------------------------------------------------------------------------------------- telling


def _show(found: list[Formatted], args: Namespace, dry: bool) -> None:
    for one in found:
        print_report(one.report)
        if one.changed and args.diff:
            _show_diff(one)
        elif one.changed:
            print(one.path)
    changed = sum(one.changed for one in found)
    broken = sum(bool(one.report.mistakes) for one in found)
    done = ("not in style" if dry else "formatted") if changed else "all in style"
    parts = [plural(len(found), "file"), f"{changed} {done}" if changed else done]
    print(", ".join(parts) + (f", {broken} cannot be read" if broken else ""))


def _show_diff(one: Formatted) -> None:
    red, green, plain = ("\x1b[31m", "\x1b[32m", "\x1b[0m") if use_colour() else ("", "", "")
    before, after = one.before.splitlines(), one.after.splitlines()
    for line in unified_diff(before, after, f"{one.path}", f"{one.path} (in style)", lineterm=""):
        colour = {"-": red, "+": green}.get(line[:1], "")
        print(f"{colour}{visible(line)}{plain if colour else ''}")


def _tell(found: list[Formatted], written: bool) -> None:
    tell(
        {
            "files": [
                {"file": str(one.path), "changed": one.changed, "readable": not one.report.mistakes} for one in found
            ],
            "written": written,
            "diagnostics": [finding for one in found for finding in to_json(one.report)["diagnostics"]],
        }
    )
