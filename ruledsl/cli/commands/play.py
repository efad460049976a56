"""Play a game in this terminal: people, bots, or both.

Without --seats one person plays in the first seat and bots in the others.
Type `help` at the prompt to see the commands.
"""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ruledsl import started
from ruledsl.cli.common import (
    CLEAN,
    FOUND,
    INTERRUPTED,
    UsageError,
    complain,
    game_argument,
    language_argument,
    load_game,
    read_given,
    seating,
    setting_arguments,
    settings,
    start,
    use_colour,
)
from ruledsl.cli.writing import CAMPAIGN, REPLAY, SAVE, force_argument, place, write

if TYPE_CHECKING:
    from ruledsl.bots.base import Bot
    from ruledsl.cli.terminal.face import Face
    from ruledsl.cli.terminal.session import Script, Session
    from ruledsl.runtime.campaign import Campaign
    from ruledsl.runtime.game import Game
    from ruledsl.runtime.play import Play
    from ruledsl.runtime.replay import Recorder

HUMAN = "human"
SMALLEST = (60, 18)  # columns and lines below which no live screen is drawn
_MOST_MOVES = 5_000_000  # bytes of a file of moves


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    setting_arguments(parser)
    parser.add_argument("--names", metavar="A,B", help="the players' names, as in `anna,boris`")
    parser.add_argument(
        "--seats", metavar="WHO,WHO", help="who sits where: `human` or a bot, as in `human,search:2s,random`"
    )
    parser.add_argument(
        "--bot",
        metavar="NAME",
        help="the bot of the seats that --seats does not name: `search`, or `careful` where there is no C compiler",
    )
    language_argument(parser)
    parser.add_argument(
        "--moves", metavar="FILE", help="read the moves from a file, one option per line; `-` reads standard input"
    )
    parser.add_argument("--from", dest="resume", metavar="SAVE", type=Path, help="continue a saved play")
    parser.add_argument(
        "--carry-over",
        action="store_true",
        help="continue a save after a change of the rules, without asking; the old file is kept as FILE.old",
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="save the play to this file when you leave it")
    parser.add_argument(
        "--campaign",
        metavar="FILE",
        type=Path,
        help="play a campaign, game after game; the file is saved at every decision",
    )
    parser.add_argument("--record", metavar="FILE", type=Path, help="write a replay, for `ruledsl replay`")
    force_argument(parser)
    parser.add_argument("--no-colour", "--no-color", action="store_true", help="no colours")
    parser.add_argument("--plain", action="store_true", help="no colours, line by line, never clear the screen")
    parser.add_argument("--lines", action="store_true", help="line by line, without the live screen")


def run(args: Namespace) -> int:
    """0 when the play ended or was left, 1 if a move of `--moves` was not possible, or the rules end in a fault."""
    from ruledsl.cli.terminal.words import say
    from ruledsl.runtime.replay import Recorder

    for path, sort in ((args.save, SAVE), (args.record, REPLAY), (args.campaign, CAMPAIGN)):
        if path is not None:
            place(path, sort, args.force or sort is CAMPAIGN)  # what a campaign holds is read before it is written
    script = _script(args.moves)
    game = load_game(args.game)
    if args.campaign is not None:
        return _play_campaign(args, _campaign(game, args, script), script)
    play = _play(game, args, script)
    recorder = Recorder(play) if args.record else None
    noted = (lambda: _note(args.record, recorder)) if recorder is not None else None
    if recorder is not None:
        write(args.record, recorder.text())

    def sit_down(face: Face) -> Session:
        session = _session(args, play, script, noted, face)
        if args.resume:
            face.write(say("resumed", args.lang))
        if not session.run():
            _leave(session, args, script)
        elif play.machine.program.between is not None and play.fault is None:
            command = f"{started.command()} play {shlex.quote(args.game)}"
            face.write(say("campaign_hint", args.lang, command=command))
        return session

    session = _at_terminal(args, script, sit_down)
    if recorder is not None:
        print(say("recorded", args.lang, file=args.record))
    if session.stopped:
        complain(session.stopped)
        return INTERRUPTED
    return FOUND if session.refused or play.fault is not None else CLEAN


def _play_campaign(args: Namespace, campaign: Campaign, script: Script | None) -> int:
    from ruledsl.cli.terminal.campaigns import run as run_campaign

    command = f"{started.command()} {shlex.join(['play', args.game, '--campaign', str(args.campaign)])}"

    def go(face: Face) -> int:
        return run_campaign(
            campaign,
            lambda play, noted: _session(args, play, script, noted, face),
            lambda data: write(args.campaign, data),
            (args.lang, str(args.campaign), command),
        )

    return _at_terminal(args, script, go)


Sat = TypeVar("Sat")


def _at_terminal(args: Namespace, script: Script | None, go: Callable[[Face], Sat]) -> Sat:
    """Does what shows and asks: on a live screen where there is one, else line by line."""
    from ruledsl.cli.terminal.face import Face

    interactive = _interactive(script)
    if not interactive or args.plain or args.lines or not _live():
        return go(Face(print, _reader(interactive), interactive))
    from ruledsl.cli.terminal.live import run as run_live

    found: list[Sat] = []
    run_live(lambda face: found.append(go(face)), args.lang)
    return found[0]


def _interactive(script: Script | None) -> bool:
    return script is None and sys.stdin.isatty() and sys.stdout.isatty()


def _live() -> bool:
    """Whether a live screen can be drawn: by the extra that draws it, on a terminal that is large enough."""
    size = shutil.get_terminal_size()
    fits = size.columns >= SMALLEST[0] and size.lines >= SMALLEST[1]
    return fits and os.environ.get("TERM", "dumb") != "dumb" and find_spec("textual") is not None


def _session(
    args: Namespace, play: Play, script: Script | None, noted: Callable[[], None] | None, face: Face
) -> Session:
    from ruledsl.cli.terminal.screen import room, width
    from ruledsl.cli.terminal.session import Session, Settings

    interactive = _interactive(script)
    settings = Settings(
        language=args.lang,
        colour=use_colour() and not args.no_colour and not args.plain,
        columns=width() if sys.stdout.isatty() else 80,
        room=room() if sys.stdout.isatty() else None,
        waits=interactive,
        secret=interactive and not args.plain,
        save=args.save,
        own=args.resume,
        kept=args.campaign is not None,
        resume=lambda path: f"{started.command()} {shlex.join(['play', args.game, '--from', str(path)])}",
        noted=noted or (lambda: None),
        forget=_forget,
    )
    return Session(play, _seats(args, play, script), settings, face, script)


def _leave(session: Session, args: Namespace, script: Script | None) -> None:
    """A play that did not end is saved if a place for it was given."""
    if session.settings.save is not None:
        session.save(session.settings.save, agreed=True)
    elif script is None and not session.settings.kept:
        session.write(session.say("left"))
        session.paragraph(session.say("left_hint"))


# ------------------------------------------------------------------------------------------------ starting


def _campaign(game: Game, args: Namespace, script: Script | None) -> Campaign:
    """The campaign of the file, or a new one."""
    from ruledsl.analysis.declarations.options import ForbiddenError
    from ruledsl.cli.carrying import resumed
    from ruledsl.runtime.campaign import Campaign
    from ruledsl.runtime.save import MOST_BYTES

    if args.resume or args.save or args.record:
        raise UsageError("a campaign keeps everything in its own file: remove --from, --save and --record")
    if game.configured().machine.program.between is None:
        raise UsageError(f"{game.name} has no campaign: `campaign:` in a game says what is kept for the next play")
    _named(args)
    if not args.campaign.exists():
        players, names = seating(args)
        seed = args.seed if args.seed is not None else 0 if script is not None else secrets.randbelow(1_000_000)
        try:
            return Campaign(game, players, seed, settings(args), names)
        except ForbiddenError as problem:
            raise UsageError(problem.said(args.lang)) from None
    if args.option or args.preset or args.seed is not None:
        raise UsageError(f"the campaign in `{args.campaign}` already has its options and seed")
    data = read_given(args.campaign, MOST_BYTES, "a campaign")
    campaign = resumed(
        args.campaign,
        lambda: Campaign.resume(game, data),
        lambda: Campaign.carry_over(game, data),
        Campaign.save,
        args.carry_over,
        args.lang,
    )
    _other_players(campaign, args)
    return campaign


def _other_players(campaign: Campaign, args: Namespace) -> None:
    """Between two games others may sit down: as many as --players or --seats say, known names first."""
    here = len(campaign.play.players)
    count, names = seating(args)
    if names is None and count is None and args.seats and len(args.seats.split(",")) > here:
        count = len(args.seats.split(","))
    if names is None and count is None:
        return
    if not (campaign.play.over and campaign.play.settled):
        raise UsageError(
            f"a game of the campaign in `{args.campaign}` is still going on with {', '.join(campaign.play.players)}; "
            f"other players can join after it"
        )
    if (len(names) if names else count) not in campaign.game.players:
        fewest, most = campaign.game.players[0], campaign.game.players[-1]
        raise UsageError(f"{campaign.game.name} is for {fewest} to {most} players")
    if names or count != here:
        campaign.next(count, names)


def _play(game: Game, args: Namespace, script: Script | None) -> Any:
    from ruledsl.analysis.declarations.options import ForbiddenError
    from ruledsl.cli.carrying import resumed
    from ruledsl.runtime.play import Play
    from ruledsl.runtime.save import MOST_BYTES

    _named(args)
    seats = game.blueprint.seats
    if isinstance(args.players, list) and seats and args.players != seats:
        raise UsageError(f"the players of {game.name} have names of their own: {', '.join(seats)}")
    if args.resume is None:
        try:
            return start(game, args, 0 if script is not None else secrets.randbelow(1_000_000))
        except ForbiddenError as problem:
            raise UsageError(problem.said(args.lang)) from None
    if args.players is not None or args.option or args.preset or args.seed is not None:
        raise UsageError("a saved play already has its players, options and seed: use only --from")
    data = read_given(args.resume, MOST_BYTES, "a save")
    return resumed(
        args.resume, lambda: game.resume(data), lambda: game.carry_over(data), Play.save, args.carry_over, args.lang
    )


def _named(args: Namespace) -> None:
    """Players may be named by --names, too."""
    if args.names:
        if args.players is not None and not (
            isinstance(args.players, int) and args.players == len(args.names.split(","))
        ):
            raise UsageError("use either --players or --names, not both")
        args.players = [name.strip() for name in args.names.split(",")]
        if len(set(args.players)) != len(args.players) or not all(name.isidentifier() for name in args.players):
            raise UsageError(f"--names takes different names, as in `anna,boris`, not `{args.names}`")


def _seats(args: Namespace, play: Play, script: Script | None) -> list[Bot | None]:
    """Who sits where: None for a person."""
    from ruledsl.bots.base import UnknownBot, make, seated

    count, bot = len(play.players), args.bot or _usual_bot()
    words = [word.strip() for word in args.seats.split(",")] if args.seats else []
    if len(words) > count:
        there = f"there {'is one player' if count == 1 else f'are {count} players'}: {', '.join(play.players)}"
        raise UsageError(f"--seats names {len(words)} seats, and {there}; set the number with `--players`")
    if not words:
        words = [HUMAN] * count if script is not None else [HUMAN]
    words += [bot] * (count - len(words))
    try:
        make(bot)
        bots = iter(seated([word for word in words if word != HUMAN], play.seed))
        return [None if word == HUMAN else next(bots) for word in words]
    except UnknownBot as problem:
        raise UsageError(f"{problem}; `{HUMAN}` is a person") from None


def _usual_bot() -> str:
    """The strongest that answers in about a second."""
    from ruledsl.generate.native import compiler

    return "search" if compiler() is not None else "careful"


def _script(name: str | None) -> Script | None:
    from ruledsl.cli.terminal.session import Script

    if name is None:
        return None
    if name == "-":
        return Script.read(sys.stdin.read(_MOST_MOVES), "-")
    try:
        return Script.read(read_given(Path(name), _MOST_MOVES, "a file of moves").decode(), name)
    except UnicodeDecodeError:
        raise UsageError(f"`{name}` is not a text in UTF-8") from None


def _forget() -> None:
    """Lines that were typed by one person are not called back by the next."""
    if "readline" in sys.modules:
        sys.modules["readline"].clear_history()


def _reader(interactive: bool) -> Any:
    """Reads a line after a prompt; where the input is no terminal, what was read is written after the prompt."""
    if interactive:
        with suppress(ImportError):
            import readline  # noqa: F401  lines can be edited and called back with it
        return input

    def read(prompt: str) -> str:
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(line.rstrip("\r\n"))
        return line

    return read


# ------------------------------------------------------------------------------------------------- writing


def _note(path: Path, recorder: Recorder) -> None:
    recorder.note()
    write(path, recorder.text())
