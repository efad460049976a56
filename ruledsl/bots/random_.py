"""Takes any option, each as likely as the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.engine.batch import BOT_STREAM
from ruledsl.engine.random import draw, seeded

from .base import bot

if TYPE_CHECKING:
    from .seat_view import SeatView


@bot("random")
class RandomBot:
    """Takes any option, each as likely as the others.

    Its draws are defined bit for bit (see `engine.batch`), so that plays at random are the same everywhere.
    """

    def __init__(self, seed: int = 0) -> None:
        self._stream = [seeded(seed, BOT_STREAM)]

    def choose(self, view: SeatView) -> int:
        return draw(self._stream, 0, view.count) if view.count > 1 else 0
