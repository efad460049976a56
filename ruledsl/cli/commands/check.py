"""Find all mistakes in games at once, with places and suggestions."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from ruledsl import shipped
from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    INTERRUPTED,
    UsageError,
    complain,
    find_game,
    language_argument,
    load_game,
    near,
    plural,
    print_report,
    progress_bar,
    summary,
    use_colour,
    without_tests,
)
from ruledsl.cli.telling import format_argument, tell
from ruledsl.cli.watch import stopped
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render_github, to_json, visible
from ruledsl.memory import kept_to_the_end, uncollected

if TYPE_CHECKING:
    from ruledsl.compiler.fixing import Fixed

_MENUS = 10  # that are told of a game


def arguments(parser: ArgumentParser) -> None:
    what = "a file, a folder with game.yaml, a folder of games, a pattern, or the name of a shipped game"
    parser.add_argument("paths", nargs="+", metavar="PATH", help=what)
    format_argument(parser, "github")
    parser.add_argument("--fix", action="store_true", help="fix in the files what can be fixed safely")
    parser.add_argument("--dry-run", action="store_true", help="with --fix: show the changes but write nothing")
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    parser.add_argument(
        "--explain", action="store_true", help="describe the games in plain sentences, as `describe` does"
    )
    language_argument(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="also show how many options each choice can have")


def run(args: Namespace) -> int:
    """0 if every game is sound, 1 if any is not."""
    paths = list(unique(path for word in without_tests(args.paths) for path in games(word)))
    if args.dry_run and not args.fix:
        raise UsageError("`--dry-run` needs `--fix`: it shows what would be changed")
    for word in args.paths if args.fix and not args.dry_run else ():
        if not Path(word).exists() and shipped.find_game(word) is not None:
            raise UsageError(f"`{word}` comes with ruledsl and is not changed; copy it to your own folder first")
    mended = [_mended(path, args.dry_run) for path in paths] if args.fix else []
    reports, left = ([one.report for one in mended], 0) if args.fix else _checked(paths)
    if left and not reports:
        return INTERRUPTED
    if args.format == "json":
        changes = {"changes": [change.data() for one in mended for change in one.changes]} if args.fix else {}
        tell({**_together(reports), **changes})
    else:
        for one in mended:
            _print_changes(one, args.dry_run)
        for report in reports:
            _print(report, args.format)
            if args.verbose and args.format == "text":
                _print_menus(report)
        print(summary(reports) + (f"; stopped: {plural(left, 'game')} not checked" if left else ""))
    if args.explain and args.format == "text":
        _explain([path for path, report in zip(paths, reports, strict=False) if not report.errors], args.lang)
    mistakes = sum(report.errors + (report.warnings if args.strict else 0) for report in reports)
    return INTERRUPTED if left else FOUND if mistakes else CLEAN


def _checked(paths: list[Path]) -> tuple[list[Report], int]:
    """What is found in each game, and how many are left where somebody has stopped it."""
    from ruledsl.compiler.pipeline import check
    from ruledsl.testing.looking import Tests

    reports: list[Report] = []
    try:
        with progress_bar() as progress:
            for path in paths:
                with uncollected():
                    reports.append(check(path, beside=Tests))
                    if len(reports) == len(paths):
                        kept_to_the_end()
                if progress is not None and len(paths) > 1:
                    progress(len(reports), len(paths))
    except KeyboardInterrupt as stop:
        complain(stopped(stop.__traceback__))
    return reports, len(paths) - len(reports)


def _mended(path: Path, dry: bool) -> Fixed:
    """A game with all that can be mended safely; its files are written unless that is only to be shown."""
    from ruledsl.cli.writing import write
    from ruledsl.compiler.fixing import fix
    from ruledsl.testing.looking import Tests

    found = fix(path, Tests)
    if not dry:
        for file in found.texts:
            if not os.access(file, os.W_OK):
                raise UsageError(f"`{near(file)}` cannot be written")
        for file, data in found.texts.items():
            write(file, data)
    return found


def _print_changes(found: Fixed, dry: bool) -> None:
    """What was changed, finding by finding, as lines before and after."""
    colour = use_colour()
    red, green, plain = ("\x1b[31m", "\x1b[32m", "\x1b[0m") if colour else ("", "", "")
    for change in found.changes:
        print(f"{change.file}:{change.line}: {visible(change.message)} [{change.code}]")
        for line in change.before:
            print(f"{red}- {visible(line)}{plain}")
        for line in change.after:
            print(f"{green}+ {visible(line)}{plain}")
        print()
    if found.changes:
        done = "nothing was written" if dry else "written"
        print(f"{plural(len(found.changes), 'change')} in {plural(len(found.texts), 'file')}, {done}\n")


def _explain(paths: list[Path], language: str) -> None:
    """The games without mistakes in plain sentences, as `describe` tells them."""
    from ruledsl.cli.commands.describe import show
    from ruledsl.telling.describe import describe

    for path in paths:
        print()
        show(describe(load_game(str(path)), language), "text")


def _print(report: Report, form: str) -> None:
    if form == "text":
        print_report(report)
        return
    for found in report.sorted():
        print(render_github(found))


def _print_menus(report: Report) -> None:
    """How many options there can be at once, as far as the rules tell: the largest menus first."""
    menus = sorted(report.menus.items(), key=lambda menu: (-menu[1], menu[0].file.path, menu[0].start))
    for span, most in menus[:_MENUS]:
        print(f"{span.file.path}:{span.line}: at most {plural(most, 'option')} at once")
    if len(menus) > _MENUS:
        print(f"and {plural(len(menus) - _MENUS, 'smaller menu')}")
    if menus:
        print()


def _together(reports: list[Report]) -> dict[str, object]:
    parts = [to_json(report) for report in reports]
    return {
        "diagnostics": [found for part in parts for found in part["diagnostics"]],
        "errors": sum(part["errors"] for part in parts),
        "warnings": sum(part["warnings"] for part in parts),
        "menus": [menu for part in parts for menu in part["menus"]],
    }


# ---------------------------------------------------------------------------------------- which files are meant


def games(word: str) -> list[Path]:
    """The main files of all games that a word of the command line means; at least one."""
    path = Path(word)
    if has_magic(word) and not path.exists():
        found = [
            game
            for match in sorted(glob(word, recursive=True))  # noqa: PTH207 (Path.glob refuses absolute patterns)
            for game in _in_match(Path(match))
        ]
        what = f"no game matches the pattern `{word}`"
    elif path.is_dir() and not (path / shipped.GAME_FILE).is_file():
        found = list(_in_folder(path))
        what = f"there is no game in the folder `{word}`"
    else:
        return [find_game(word)]
    if not found:
        raise UsageError(f"{what}; a game is a folder with `{shipped.GAME_FILE}`, or a file with `ruledsl:` in it")
    return found


def unique(paths: Iterator[Path]) -> list[Path]:
    """Each game once, in the order in which they were named."""
    return list({path.resolve(): path for path in paths}.values())


def _in_match(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from _in_folder(path)
    elif path.suffix in (".yaml", ".yml") and _is_game(path):
        yield path


def _in_folder(folder: Path) -> Iterator[Path]:
    """The games of a folder and of those below; inside a game's own folder there are no others."""
    for place, folders, files in os.walk(folder):
        if shipped.GAME_FILE in files:
            folders.clear()
            yield Path(place) / shipped.GAME_FILE
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (path for name in sorted(files) if _is_game(path := Path(place) / name))


def _is_game(path: Path) -> bool:
    """Whether a file looks like a game: tables, parts and tests lie beside games too."""
    if path.suffix not in (".yaml", ".yml") or "." in path.stem or path.name.startswith("."):
        return False
    try:
        if not path.is_file():  # to open a pipe would wait for its writer
            return False
        with path.open("rb") as file:
            head = file.read(8192)
    except OSError:
        return False
    return path.name == shipped.GAME_FILE or re.search(rb"^(ruledsl|game)\s*:", head, re.MULTILINE) is not None
