"""Replay a recorded play, and show the first place where the current rules give something else."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.common import CLEAN, FOUND, UsageError, language_argument, load_game, read_given, seat_of, use_colour
from ruledsl.cli.telling import as_json, fault_as_data, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play
    from ruledsl.runtime.replay import Divergence, Replay, Rerun


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a replay, as `ruledsl play --record FILE` writes it")
    parser.add_argument("--game", metavar="GAME", help="the game, if it does not come with ruledsl")
    parser.add_argument("--until", type=_number, metavar="N", help="stop after this many decisions")
    parser.add_argument("--show", action="store_true", help="show the position at the end, or where the replay differs")
    parser.add_argument("--seat", metavar="NAME", help="show only what this player may know, with the log of the play")
    language_argument(parser)
    format_argument(parser)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ArgumentTypeError(f"a number of decisions, not `{text}`")
    return int(text)


def run(args: Namespace) -> int:
    """0 if the replay can be played to its end, 1 where the rules part from it, or end in a fault as they did."""
    from ruledsl.runtime.replay import MOST_BYTES, ReplayError, Rerun, parse

    try:
        replay = parse(read_given(args.file, MOST_BYTES, "a replay").decode())
    except UnicodeDecodeError:
        raise UsageError(f"`{args.file}` is not a text in UTF-8") from None
    except ReplayError as problem:
        raise UsageError(f"{args.file}: {problem}") from None
    game = load_game(args.game or _beside(args.file, replay))
    try:
        rerun = Rerun(game, replay)
    except ReplayError as problem:
        raise UsageError(f"{args.file}: {problem}") from None
    return _run(rerun, args)


def _beside(file: Path, replay: Replay) -> str:
    """The game of a replay: a file of its name beside the replay, else the one that comes with ruledsl."""
    name = replay.header["game"]
    if not re.fullmatch(r"\w[\w-]{0,80}", name):
        raise UsageError(f"{file}: the replay does not name its game; give it with --game")
    beside = file.parent / f"{name}.yaml"
    return str(beside) if beside.is_file() else str(name)


def _run(rerun: Rerun, args: Namespace) -> int:
    from ruledsl.cli.terminal.words import say

    seat_of(rerun.play, args.seat)
    until = len(rerun.replay.records) if args.until is None else min(args.until, len(rerun.replay.records))
    while not rerun.done and rerun.at < until:
        rerun.step()
    if as_json(args):
        tell(_as_data(rerun, args))
        return CLEAN if rerun.parted is None and rerun.play.fault is None else FOUND
    if not rerun.same_rules:
        print(say("replay_changed", args.lang, files=", ".join(_changed(rerun)) or "?"))
    if rerun.parted is None:
        print(say("replay_same", args.lang, n=rerun.at))
        if args.show or args.seat is not None or rerun.play.over:
            _show(rerun.play, args)
        return CLEAN if rerun.play.fault is None else FOUND
    for line in _parted(rerun.parted, args.lang, args.seat):
        print(line)
    if args.show or args.seat is not None:
        _show(rerun.play, args)
    return FOUND


def _as_data(rerun: Rerun, args: Namespace) -> dict[str, Any]:
    from ruledsl.runtime.handout import handout

    play, parted = rerun.play, rerun.parted
    seen = args.show or args.seat is not None
    return {
        "game": play.game.name,
        "decisions": rerun.at,
        "same_rules": rerun.same_rules,
        "changed": [] if rerun.same_rules else _changed(rerun),
        "parted": None if parted is None else _parted_as_data(parted, args.seat),
        "over": play.over,
        "ending": play.ending,
        "winners": [play.players[winner] for winner in play.winners] if play.over else [],
        "fault": fault_as_data(play.fault),
        "view": handout(play, seat_of(play, args.seat), args.lang) if seen else None,
    }


def _is_secret(parted: Divergence, seat: str | None) -> bool:
    """Whether what was decided then is not for the eyes of a player: what others chose, and what chance hid."""
    return seat is not None and (parted.kind in ("chance", "state") or parted.player != seat)


def _parted_as_data(parted: Divergence, seat: str | None) -> dict[str, Any]:
    secret = _is_secret(parted, seat)
    return {
        "number": parted.number,
        "kind": parted.kind,
        "player": parted.player,
        "recorded": "?" if secret else parted.recorded,
        "now": "?" if secret and parted.kind != "player" else parted.now,
        "offered": [] if secret else list(parted.offered),
    }


def _changed(rerun: Rerun) -> list[str]:
    """The rules files that have changed."""
    from ruledsl.runtime.replay import files_of

    then, now = rerun.replay.header.get("files"), dict(files_of(rerun.game))
    if not isinstance(then, dict):
        return []
    return sorted(str(name) for name in {*then, *now} if then.get(name) != now.get(name))


def _parted(parted: Divergence, language: str, seat: str | None) -> list[str]:
    """What was decided then, and what there is now; for one player without what others chose, and what chance hid."""
    from ruledsl.boards.marks import plain
    from ruledsl.cli.terminal.words import say

    secret = _is_secret(parted, seat)
    holes: dict[str, Any] = {
        "n": parted.number,
        "player": parted.player,
        "recorded": "?" if secret else parted.recorded,
        "now": "?" if secret and parted.kind != "player" else parted.now or "-",
    }
    lines = [say("replay_parted" if parted.number else "replay_parted_start", language, **holes)]
    lines.append("  " + say(f"replay_{parted.kind}", language, **holes))
    if parted.offered and not secret:
        lines.append("  " + say("replay_offered", language, offered=", ".join(f"`{o}`" for o in parted.offered)))
    return [plain(line) for line in lines]


def _show(play: Play, args: Namespace) -> None:
    from ruledsl.boards.marks import plain
    from ruledsl.cli.terminal.screen import Screen, width
    from ruledsl.cli.terminal.words import say

    screen, seat = Screen(play, args.lang, use_colour(), width()), seat_of(play, args.seat)
    view = play.view(seat)
    print()
    print(screen.head(view, play.game.title(args.lang)))
    parts = [screen.position(view)]
    if args.seat is not None and (lines := play.lines(seat, args.lang)):
        parts.append("\n".join([say("log", args.lang), *(f"  {plain(line)}" for line in lines)]))
    if play.over:
        parts.append(screen.result())
    for part in parts:
        if part:
            print(f"\n{part}")
