"""The command `ruledsl`: finds the command that is meant, runs it, and turns every outcome into an exit code.

The commands are the files of `commands/`. Only the one that is run is imported, for a command line has to answer
at once; the help of the others is read from the first lines of their files.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
import sys
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from ruledsl import shipped, started
from ruledsl.cli.common import CLEAN, FOUND, INTERRUPTED, USAGE, UsageError, complain, print_report
from ruledsl.cli.telling import OLD, as_json, tell_mistakes
from ruledsl.diagnostics.model import GameError
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.memory import search_seldom

COMMANDS = Path(__file__).resolve().parent / "commands"
UNHEARD = 141  # what shells report for a program whose reader went away


def main(argv: list[str] | None = None) -> int:
    """Runs one command line and returns its exit code."""
    if argv is not None:
        return _outcome(argv)
    search_seldom()
    try:
        return _outcome(sys.argv[1:])
    finally:
        gc.freeze()  # the process ends: what it has made need not be gone through once more


def _outcome(words: list[str]) -> int:
    _speak_any_letter()
    try:
        code = _main(words)
        if sys.stdout is not None:  # it is None where it was closed from the start
            sys.stdout.flush()
        return code
    except OSError as problem:
        if not isinstance(problem, BrokenPipeError):
            complain(_unusable(problem))
        _leave_the_pipe()
        return UNHEARD if isinstance(problem, BrokenPipeError) else USAGE
    except KeyboardInterrupt as stop:
        from ruledsl.cli.watch import stopped

        complain(stopped(stop.__traceback__))
        return INTERRUPTED


def commands() -> dict[str, str]:
    """Every command with what it does."""
    found = {}
    for path in sorted(COMMANDS.glob("[!_]*.py")):
        with path.open(encoding="utf-8") as file:
            found[path.stem] = file.readline().strip().strip('"').strip()
    return found


def version() -> str:
    """The version of the installed package; of a clone that was not installed, the one that it declares."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    with suppress(PackageNotFoundError):
        return installed("ruledsl")
    with suppress(OSError):
        text = (shipped.PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
        if declared := re.search(r'^version = "(.+)"$', text, re.MULTILINE):
            return declared[1]
    return "(unknown version)"


def _main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        if len(words) == 2 and words[0] == "help":
            return _main([words[1], "--help"])
        print(overview())
        return CLEAN
    if words[0] in ("-V", "--version", "version"):
        print(f"ruledsl {version()}")
        return CLEAN
    known = commands()
    if words[0] not in known:
        advice = did_you_mean(nearest(words[0], known)) or f"`{started.command()} --help` lists the commands"
        what = "option" if words[0].startswith("-") else "command"
        complain(f"there is no {what} `{words[0]}`; {advice}")
        return USAGE
    return _run(words[0], known[words[0]], words)


def _run(name: str, does: str, words: list[str]) -> int:
    args = Namespace()
    try:
        command = import_module(f"ruledsl.cli.commands.{name}")
        parser = _parser(name, does, command)
        _refuse_old_words(parser, words[1:])
        parser.parse_args(words[1:], args)
        from ruledsl.cli.watch import watching

        with watching(name):
            return int(command.run(args))
    except SystemExit as left:  # argparse has said why
        return left.code if isinstance(left.code, int) else CLEAN if left.code is None else USAGE
    except UsageError as problem:
        complain(str(problem))
        return USAGE
    except GameError as problem:
        print_report(problem.report, sys.stderr)
        complain("fix these errors first")
        if as_json(args):
            tell_mistakes(problem.report)
        return FOUND
    except BrokenPipeError:
        raise
    except Exception as problem:
        return _unexpected(problem, words)


def _refuse_old_words(parser: ArgumentParser, words: list[str]) -> None:
    """There is one name for answers to programs, and whoever knows another is told it."""
    if any(word == OLD or word.startswith(f"{OLD}=") for word in words):
        if not any("--format" in action.option_strings for action in parser._actions):
            raise UsageError(f"there is no `{OLD}` here: this command cannot write JSON")
        file = "; `-o FILE` writes it to a file" if any("-o" in one.option_strings for one in parser._actions) else ""
        raise UsageError(f"`{OLD}` is now written `--format json`{file}")


def _unusable(problem: OSError) -> str:
    """What the system has against a file; without a name it is about what was printed, on a full disk say."""
    what = f"cannot use `{problem.filename}`" if problem.filename else "cannot write"
    return f"{what}: {(problem.strerror or str(problem)).lower()}"


class _Advising(ArgumentParser):
    """Says which word or option was meant, where one of them is written nearly so."""

    def error(self, message: str) -> NoReturn:
        wrong = re.search(r"argument ([^\s/:]+).*?: invalid choice: '(.*?)'", message)
        choices = [
            str(word) for one in self._actions for word in one.choices or () if wrong and _is_called(one, wrong[1])
        ]
        strange = re.match(r"unrecognized arguments: (--[\w-]+)", message)
        options = [option for one in self._actions for option in one.option_strings if option.startswith("--")]
        near = nearest(wrong[2], choices) if wrong else nearest(strange[1], options) if strange else []
        super().error(f"{message}; {did_you_mean(near)}" if near else message)


def _is_called(action: Action, name: str) -> bool:
    return name in (*action.option_strings, action.metavar, action.dest)


def _parser(name: str, does: str, command: Any) -> ArgumentParser:
    about = (command.__doc__ or does).strip()
    called = f"{started.command()} {name}"
    parser = _Advising(called, description=about, formatter_class=RawDescriptionHelpFormatter)
    command.arguments(parser)
    return parser


def _unexpected(problem: Exception, words: list[str]) -> int:
    """The one line for what should never happen; but wrong options and unreadable files are known only here, and
    faults of rules outside of a play: of a label that is shown, say."""
    from ruledsl.analysis.declarations.options import OptionError
    from ruledsl.generate.native import Miscompiled
    from ruledsl.ir.core import RulesFault
    from ruledsl.runtime.save import SaveError

    if isinstance(problem, RulesFault):
        place = f"{problem.span.file.path}:{problem.span.line}: " if problem.span is not None else ""
        complain(f"{place}the rules end in a fault: {problem.message}")
        return FOUND
    if isinstance(problem, OptionError | SaveError):
        complain(str(problem))
        return USAGE
    if isinstance(problem, OSError):
        complain(_unusable(problem))
        return USAGE
    if os.environ.get("RULEDSL_DEBUG") == "1":
        from traceback import print_exception

        print_exception(problem)
    if isinstance(problem, Miscompiled):
        complain(
            f"a bug in ruledsl: {problem}; please report it with this command: {started.command()} "
            f"{shlex.join(words)}\nUntil this is fixed, use `--backend python`, which works without C."
        )
        return USAGE
    said = " ".join(str(problem).split())[:200]
    complain(
        f"a bug in ruledsl ({type(problem).__name__}{': ' + said if said else ''}); please report it with "
        f"this command: {started.command()} {shlex.join(words)}"
    )
    return USAGE


def overview() -> str:
    """What `ruledsl` says when nothing is asked of it."""
    known, ruledsl = commands(), started.command()
    width = max(map(len, known), default=0)
    listed = [f"  {name:{width}}  {does}" for name, does in known.items()]
    games = shipped.names()
    return "\n".join(
        [
            "ruledsl: write board games as YAML; check, play and test them.",
            "",
            f"usage: {ruledsl} COMMAND ...",
            "",
            "commands:",
            *listed,
            "",
            "a first game:",
            f"  {ruledsl} new my-game      makes a folder with a small game in it",
            f"  {ruledsl} check my-game    finds all its mistakes at once",
            f"  {ruledsl} play my-game     plays it",
            "",
            *([f"games that come with it (use them by name): {', '.join(games)}", ""] if games else []),
            f"`{ruledsl} COMMAND --help` shows more; `{ruledsl} --version` shows the version.",
        ]
    )


def _speak_any_letter() -> None:
    """A console that lacks a letter gets a substitute for it, never an error."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _leave_the_pipe() -> None:
    """Nobody reads any more: what is still buffered goes nowhere, so that closing says nothing either."""
    with suppress(AttributeError, ValueError, OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
