"""A hint: what a bot that searches would do, what it expects of it, and what may follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ruledsl.bots.search import SearchBot, Thought
from ruledsl.bots.seat_view import SeatView
from ruledsl.bots.tree import WHOLE, Found

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

DIAL = "1000/2s"  # so many plays on from here, or as many as are played in so long


def advice(play: Play, seat: int, language: str, say: Callable[..., str]) -> tuple[list[int], list[str]]:
    """The option to take, with what may follow, and lines that tell why."""
    bot = SearchBot(len(play.decisions), DIAL)
    view = SeatView(play, seat)
    if view.count == 1 or play.settled:
        return [bot.choose(view)], []
    thought = bot.think(view)
    best = thought.found[thought.best]
    lines = [_expected(thought, best, say)]
    follows = in_words(play, thought.line, language)[1:]
    if follows:
        lines.append(say("hint_line", line=", ".join(follows)))
    return [thought.best, *thought.line[1:]], lines


def _expected(thought: Thought, best: Found, say: Callable[..., str]) -> str:
    if best.sure and best.worth in (0, WHOLE):
        return say("hint_wins" if best.worth else "hint_loses")
    share = (best.worth * 100 + WHOLE // 2) // WHOLE
    if thought.ahead is not None:
        return say("hint_ahead", worth=share, far=thought.far)
    return say("hint_worth", worth=share, plays=thought.plays)


def in_words(play: Play, line: Sequence[int], language: str) -> list[str]:
    """Options that are taken one after the other."""
    after, found = play.copy(), list[str]()
    for number in line:
        found.append(after.options(None, language)[number].text)
        after.choose(number)
    return found


__all__ = ["advice", "in_words"]
