"""Why something is not offered, in words: what was meant by a text, and which rule refuses it.

`meaning` finds what a text would mean if everything could be chosen; `asking` tries that, condition by condition;
`failing` looks for the part of a condition that decides; `wording` says it, as the rules do (`because:`) or from names
and values; `deciding` knows who is asked what; `answering` puts it together. The answer never goes beyond what the seat
may know (`runtime.knowing`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..typed import LANGUAGES, pick
from .answering import Answer, Answering
from .deciding import Deciding

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


def why(play: Play, seat: int | None, text: str, language: str = "en") -> Answer:
    """Why what a text means is not offered to a seat, or to whoever is to decide; where it is offered, that it is."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None:
        return Answer(text, text, (Deciding(play, seat, language).not_asked(),))
    for each in dict.fromkeys((language, *LANGUAGES)):
        options = pick(play, stop.seat, text, each).options
        if options:
            return Answer(text, offered=options)
    return Answering(play, stop, stop.choice, language).answer(text)


__all__ = ["Answer", "why"]
