"""What several commands share: finding games, settings of a play, colours, reports.

Nothing heavy is imported here before it is needed, so that a wrong command line is answered at once.
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TextIO

from ruledsl import shipped
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.render import render
from ruledsl.diagnostics.suggest import did_you_mean, nearest

if TYPE_CHECKING:
    from ruledsl.generate.passes import AnyPass
    from ruledsl.runtime.game import Game
    from ruledsl.runtime.play import Play
    from ruledsl.testing.suites import Case

CLEAN, FOUND, USAGE = 0, 1, 2  # what commands return
INTERRUPTED = 130  # what shells report for a program that was interrupted
LANGUAGES = ("en", "ru")
SOME_TIME = 5.0  # seconds after which people are told how long something will take


class UsageError(Exception):
    """A command line that cannot be followed; the message tells the user what to do."""


# ------------------------------------------------------------------------------------------- finding games


def find_game(word: str) -> Path:
    """The main file of a game, given as a file, as a folder with `game.yaml`, or as the name of a shipped game."""
    path = Path(word)
    if path.is_dir():
        if (path / shipped.GAME_FILE).is_file():
            return path / shipped.GAME_FILE
    elif path.exists():
        return path
    found = shipped.find_game(word)
    if found is not None:
        return near(found)
    raise UsageError(_no_game(word, path))


def without_tests(words: list[str]) -> list[str]:
    """The games among the words: where the shell has filled in `*.yaml`, tests lie among them."""
    return [word for word in words if not Path(word).stem.endswith(".test")] or words


def _no_game(word: str, path: Path) -> str:
    if path.is_dir():
        return f"the folder `{word}` has no `{shipped.GAME_FILE}`"
    known = shipped.names()
    if path.suffix in (".yaml", ".yml") or len(path.parts) > 1:
        beside = sorted(p.name for p in path.parent.iterdir() if p.suffix == ".yaml") if path.parent.is_dir() else []
        advice = did_you_mean(str(path.with_name(name)) for name in nearest(path.name, beside))
        return f"there is no file `{word}`" + (f"; {advice}" if advice else "")
    advice = did_you_mean(nearest(word, known))
    lines = [f"there is no game and no file called `{word}`" + (f"; {advice}" if advice else "")]
    if known:
        lines.append(f"games that come with ruledsl: {', '.join(known)}")
    return "\n".join(lines)


def near(path: Path) -> Path:
    """The path as seen from the current folder, if it is inside; paths in messages are short then."""
    try:
        return path.resolve().relative_to(Path.cwd())
    except (ValueError, OSError):
        return path


def load_game(word: str, backend: str | None = None, marks: bool = False) -> Game:
    """The game of a path or name; `GameError` if it has mistakes."""
    from ruledsl.compiler.pipeline import load_blueprint
    from ruledsl.runtime.game import Game

    return Game(load_blueprint(find_game(word)), marks, backend)


# ---------------------------------------------------------------------------------------------- arguments


GAME_HELP = "a file, a folder with game.yaml, or the name of a shipped game"


def game_argument(parser: ArgumentParser, help: str = GAME_HELP) -> None:
    parser.add_argument("game", metavar="GAME", help=help)


def setting_arguments(parser: ArgumentParser, seed: bool = True) -> None:
    """`--players`, `--option`, `--preset` and `--seed`: what a play is started with."""
    parser.add_argument(
        "-p", "--players", type=_players, metavar="N|NAMES", help="the number of players, or their names: `anna,boris`"
    )
    parser.add_argument(
        "--option",
        type=_setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of the game; can be given several times",
    )
    parser.add_argument("--preset", metavar="NAME", help="a named set of options")
    if seed:
        parser.add_argument(
            "-s",
            "--seed",
            type=int,
            default=None,
            metavar="N",
            help="the random seed: the same seed gives the same play",
        )


def language_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of the game's texts")


def _players(text: str) -> int | list[str]:
    if text.strip().isdigit():
        return int(text)
    names = [name.strip() for name in text.split(",")]
    if len(set(names)) != len(names) or not all(name.isidentifier() for name in names):
        raise ArgumentTypeError(f"a number, or different names as in `anna,boris`, not `{text}`")
    return names


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ArgumentTypeError(f"write an option as `name=value`, not `{text}`")
    return name.strip(), value.strip()


def settings(args: Namespace) -> dict[str, Any]:
    """The options of the command line, as `Game.start` takes them; single options count more than the preset."""
    preset = {"preset": args.preset} if getattr(args, "preset", None) else {}
    return {**preset, **dict(args.option)}


def seating(args: Namespace) -> tuple[int | None, list[str] | None]:
    """The number of players and their names, as far as they were given."""
    if isinstance(args.players, list):
        return None, args.players
    return args.players, None


def start(game: Game, args: Namespace, seed: int = 0, chance: str = "stream") -> Play:
    """A play with the players, options and seed of the command line; without `--seed` the given one counts."""
    players, names = seating(args)
    given = getattr(args, "seed", None)
    return game.start(players, seed if given is None else given, settings(args), names, chance)


def read_given(path: Path, most: int, what: str) -> bytes:
    """A file that the user names, `-` for the standard input; never more of it than it may have, for devices never
    end and what they are does not tell how much they hold."""
    if str(path) == "-":
        data = sys.stdin.buffer.read(most + 1)
    else:
        with path.open("rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise UsageError(f"`{path}` is too large to be {what}")
    return data


def resume(game: Game, word: str) -> Play:
    """The play of a save, given as a file; `-` is the standard input."""
    from ruledsl.runtime.save import MOST_BYTES, SaveError

    try:
        return game.resume(read_given(Path(word), MOST_BYTES, "a save"))
    except SaveError as problem:
        raise UsageError(f"{word}: {problem}") from None


def seat_of(play: Play, name: str | None) -> int | None:
    """The seat of a player by name; no name stands for a bystander."""
    if name is None:
        return None
    if name not in play.players:
        advice = did_you_mean(nearest(name, play.players)) or f"there are {', '.join(play.players)}"
        raise UsageError(f"there is no player `{name}`; {advice}")
    return play.players.index(name)


# ------------------------------------------------------------------------------------------------- output


def use_colour(stream: TextIO | None = None) -> bool:
    """Whether a stream is a terminal whose user has nothing against colours."""
    stream = stream or sys.stdout
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None] | None]:
    """Tells people at a terminal how far a long piece of work is, and soon how long it will take; nothing in files."""
    if not sys.stderr.isatty():
        yield None
        return

    began = time.monotonic()

    def tell(done: int, of: int) -> None:
        width, taken = 30 * done // max(1, of), time.monotonic() - began
        left = f", {_time_left(taken / done * (of - done))} left\x1b[K" if taken > SOME_TIME and 0 < done < of else ""
        print(f"\r[{'#' * width}{'.' * (30 - width)}] {done}/{of}{left}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _time_left(seconds: float) -> str:
    """`40 s`, `3 min`, `2 h 10 min`."""
    minutes = round(seconds / 60)
    if minutes < 2:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def print_failing(word: str, cases: list[Case]) -> None:
    """Why rules are not changed: tests that fail anyway say nothing about it."""
    fail = "1 test fails" if len(cases) == 1 else f"{len(cases)} tests fail"
    complain(f"{word}: {fail} with the rules unchanged; fix the rules or the tests first")
    for case in cases:
        print(f"  {case.name} ({case.span.file.path}:{case.line})", file=sys.stderr)


def print_report(report: Report, stream: TextIO | None = None) -> None:
    """All findings with their lines, an empty line after each."""
    stream = stream or sys.stdout
    colour = use_colour(stream)
    for found in report.sorted():
        print(render(found, colour), end="\n\n", file=stream)
    if report.dropped:
        print(f"and {report.dropped} more", end="\n\n", file=stream)


def summary(reports: Iterable[Report], noun: str = "game") -> str:
    """`3 games checked, 2 errors, 1 warning`."""
    reports = list(reports)
    errors, warnings = sum(r.mistakes for r in reports), sum(r.warnings for r in reports)
    return f"{plural(len(reports), noun)} checked, {plural(errors, 'error')}, {plural(warnings, 'warning')}"


def without_argument(parser: ArgumentParser) -> None:
    from ruledsl.generate.passes import passes as every

    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PASS",
        help="leave out this optimization pass; can be given several times; the names are below",
    )
    wide = max(len(one.label) for one in every()) + 4
    lines = ["optimization passes, by the names that `--without` takes:", ""]
    for one in every():
        text = f"{one.does} ({', '.join(one.languages)})"
        lines += wrap(text, 100, initial_indent=f"  {one.label}".ljust(wide), subsequent_indent=" " * wide)
    parser.epilog = "\n".join(lines)


def passes(args: Namespace, language: str) -> frozenset[AnyPass]:
    """The passes that `--without` names, of a language."""
    from ruledsl.generate.passes import named

    try:
        found = frozenset(map(named, args.without))
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    for one in found:
        if not one.serves(language):
            raise UsageError(f"`{one.label}` is no pass of `{language}`, but of `{'`, `'.join(one.languages)}`")
    return found


def complain(message: str) -> None:
    """A line for the user that is no result."""
    print(f"ruledsl: {message}", file=sys.stderr)


__all__ = [
    "CLEAN",
    "FOUND",
    "INTERRUPTED",
    "LANGUAGES",
    "USAGE",
    "GameError",
    "UsageError",
    "complain",
    "find_game",
    "game_argument",
    "language_argument",
    "load_game",
    "near",
    "passes",
    "plural",
    "print_report",
    "read_given",
    "resume",
    "seating",
    "setting_arguments",
    "settings",
    "start",
    "summary",
    "use_colour",
    "without_argument",
]
