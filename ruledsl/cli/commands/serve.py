"""Play a game in the browser: alone against bots, around one screen, or each on their own device.

It prints an address; open that in a browser on this machine. Every decision is kept on disk, and plays go on where
they were when the server is started again. Needs the extra `web`: pip install 'ruledsl[web]'.
"""

from __future__ import annotations

import hashlib
import os
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ruledsl.cli.common import CLEAN, UsageError, complain, game_argument, load_game

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

HERE = "127.0.0.1"
PORT = 8000
_PORTS_TRIED = 20
_MOST_WORKERS = 64
PASSWORD = "RULEDSL_PASSWORD"


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "--host",
        default=HERE,
        metavar="ADDRESS",
        help="listen at this address instead of this machine alone; `0.0.0.0` is every address of this machine",
    )
    parser.add_argument("--port", type=int, metavar="N", help=f"listen at this port ({PORT}, or the next that is free)")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="also answer requests for this host name; can be given several times",
    )
    parser.add_argument(
        "--password",
        metavar="WORD",
        help=f"ask everybody for this password; the environment variable {PASSWORD} sets it, too",
    )
    parser.add_argument("--plays", type=Path, metavar="FILE", help="keep the plays in this file")
    parser.add_argument("--most-plays", type=int, default=1_000, metavar="N", help="the most plays to keep (1000)")
    parser.add_argument(
        "--watch",
        action="store_true",
        help="while you write the game: show mistakes beside the table, and continue under the rules as last saved",
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes in which bots think (one for each core)")


def run(args: Namespace) -> int:
    """0 when the server was stopped."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise UsageError("`serve` needs the extra `web`; install it with: pip install 'ruledsl[web]'")
    from ruledsl.web.house import Limits
    from ruledsl.web.launch import listen
    from ruledsl.web.launch import run as run_server
    from ruledsl.web.server import Server, Serving
    from ruledsl.web.store import StoreError

    _check(args)
    game = load_game(args.game)
    password = args.password or os.environ.get(PASSWORD) or None
    try:
        at = listen(args.host, PORT if args.port is None else args.port, _PORTS_TRIED if args.port is None else 1)
    except (OSError, OverflowError) as problem:
        raise UsageError(f"cannot listen at {args.host}: {getattr(problem, 'strerror', None) or problem}") from None
    limits = Limits(plays=args.most_plays)
    plays, workers = args.plays or _usual_file(game), args.workers or _cores()
    serving = Serving(game, plays, limits, workers, watch=args.watch, warm=True)
    serving = serving.open_to({args.host, *args.allow_host}, args.host != HERE, password)
    try:
        server = Server(serving)
    except StoreError as problem:
        raise UsageError(str(problem)) from None
    _tell(args, at.getsockname()[1], password)
    run_server(server, at)
    print("stopped; every play is kept")
    return CLEAN


def _check(args: Namespace) -> None:
    if args.port is not None and not 0 <= args.port < 65_536:
        raise UsageError("--port takes a number from 0 to 65535; 0 is any port that is free")
    if args.most_plays < 1:
        raise UsageError("--most-plays takes a number from 1 up")
    if args.workers is not None and not 1 <= args.workers <= _MOST_WORKERS:
        raise UsageError(f"--workers takes a number from 1 to {_MOST_WORKERS}")


def _cores() -> int:
    return min(_MOST_WORKERS, os.cpu_count() or 1)


def _usual_file(game: Game) -> Path:
    """Where the plays of a game are kept: by its name and its file, for two games may be called alike."""
    from ruledsl.web.store import data_folder

    where = hashlib.sha256(str(game.path.resolve()).encode()).hexdigest()[:8]
    return data_folder() / "plays" / f"{game.name}-{where}.sqlite"


def _tell(args: Namespace, port: int, password: str | None) -> None:
    name = "localhost" if args.host in (HERE, "0.0.0.0", "::") else f"[{args.host}]" if ":" in args.host else args.host
    print(f"play at http://{name}:{port}/    (Ctrl-C stops the server; plays are kept)", flush=True)
    if args.host == HERE:
        return
    complain(f"everybody who reaches {args.host} can use this server, and what is sent is not encrypted")
    if password is None:
        complain("no password is set; --password WORD sets one")
