"""Why an option is not offered: the first condition of the rules that it does not meet, with its place."""

from __future__ import annotations

from typing import Any

from ruledsl.runtime.play import Play


def reasons(play: Play, text: str, seat: int | None) -> list[str]:
    return []
