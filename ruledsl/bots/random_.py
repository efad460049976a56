"""Takes any option, each as likely as the others."""

from __future__ import annotations

import random
from typing import Any

from .base import bot, question


@bot("random")
class RandomBot:
    """Takes any option, each as likely as the others."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, play: Any, seat: int) -> int:
        return self._random.randrange(len(question(play, seat).options))
