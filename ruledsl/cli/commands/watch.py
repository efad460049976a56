"""Watch a game while you write it: at every save its errors, its tests, and what the change does to plays.

After every save of a file of the game, one screen shows what `check` finds, the results of the tests (those affected by
the change first), and 1,000 random plays compared with as many of the last version without errors: who wins, how long
it takes, how many points. Press Ctrl-C to stop.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledsl.cli.common import (
    CLEAN,
    UsageError,
    find_game,
    game_argument,
    near,
    seating,
    setting_arguments,
    settings,
    use_colour,
)
from ruledsl.cli.telling import as_json, format_argument

if TYPE_CHECKING:
    from ruledsl.workbench.watching import Answer, Watcher

LOOK = 0.03  # seconds between two looks at the files
DRAW = 0.1  # seconds between two drawings of the same answer


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("-n", "--plays", type=int, default=1000, metavar="N", help="how many plays (default: 1000)")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="stop after this many answers (for scripts)")
    setting_arguments(parser)
    format_argument(parser)


def run(args: Namespace) -> int:
    """Answers to every save until it is stopped."""
    from ruledsl.workbench.watching import Watcher

    if args.plays < 1:
        raise UsageError(f"the number of plays must be at least 1, not {args.plays}")
    players, names = seating(args)
    if names is not None:
        raise UsageError("`watch` takes the number of players, not their names")
    task = {"players": players, "options": settings(args)}
    watcher = Watcher(near(find_game(args.game)), args.plays, args.seed or 0, task)
    try:
        _watch(watcher, args)
    except KeyboardInterrupt:
        pass  # that is how it ends
    finally:
        watcher.close()
    return CLEAN


def _watch(watcher: Watcher, args: Namespace) -> None:
    show = _Json() if as_json(args) else _Screens(str(watcher.path))
    while True:
        answer = None
        for answer in watcher.answer():
            show.so_far(answer)
            if not answer.complete and watcher.saved():
                break  # that is about files as they no longer are
        assert answer is not None
        if answer.complete:
            show.whole(answer)
            if answer.number >= args.rounds > 0:
                return
        while not watcher.saved():
            time.sleep(LOOK)


class _Screens:
    """Draws answers over each other on a terminal; elsewhere each is written once, when it is whole."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.stays = sys.stdout.isatty()
        self.drawn = 0.0
        self.saved, self.number = "", 0

    def so_far(self, answer: Answer) -> None:
        if answer.number != self.number:
            self.number, self.drawn = answer.number, 0.0
            self.saved = time.strftime("%H:%M:%S")
        if self.stays and time.perf_counter() - self.drawn > DRAW:
            self._draw(answer)

    def whole(self, answer: Answer) -> None:
        self._draw(answer)

    def _draw(self, answer: Answer) -> None:
        from ruledsl.workbench.screen import Screen

        size = shutil.get_terminal_size()
        screen = Screen(self.title, use_colour(), size.lines - 1 if self.stays else 0)
        lines = screen.lines(answer, self.saved if self.stays else f"answer {answer.number}")
        text = "\n".join(line + "\x1b[K" for line in lines) if self.stays else "\n".join(lines) + "\n"
        sys.stdout.write(f"\x1b[H{text}\x1b[J" if self.stays else text + "\n")
        sys.stdout.flush()
        self.drawn = time.perf_counter()


class _Json:
    """One line for each answer, when it is whole."""

    def so_far(self, answer: Answer) -> None:
        """Nothing is told of a part."""

    def whole(self, answer: Answer) -> None:
        from ruledsl.workbench.screen import as_data

        sys.stdout.write(json.dumps(as_data(answer), ensure_ascii=False) + "\n")
        sys.stdout.flush()
