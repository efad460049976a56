"""What may be handed to a player of a play: all that the seat may know, and nothing that would betray the rest.

A save holds the whole state, and the seed from which all chance follows; whoever has it can see everything. A handout
is made of what is written for one seat anyway: its view, its options, its log.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .save import FORMAT

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


def handout(play: Play, seat: int | None, language: str = "en") -> dict[str, Any]:
    """A play as one seat may know it, as plain data; without a seat, as a bystander may."""
    found = {
        "ruledsl": FORMAT,
        "handout": play.game.name,
        "title": play.game.title(language),
        "view": play.view(seat),
        "options": [
            {"text": option.text, "notation": option.notation}
            for option in (play.options(seat, language) if seat is not None else [])
        ],
        "log": play.lines(seat, language),
        "printed": printed(play, seat, language),
        "ending": play.ending,
    }
    if play.over and play.fault is None:
        if because := play.because(language, seat):
            found["because"] = because
        found["winners"] = [play.players[winner] for winner in play.winners]
        found["scores"] = dict(zip(play.players, play.scores(), strict=True))
    return found


def printed(play: Play, seat: int | None, language: str = "en") -> dict[str, str]:
    """What is printed on the pieces that a seat knows and that are in play, by their titles."""
    world, found = play.world, dict[str, str]()
    for piece, texts in enumerate(world.data["about"]):
        off = play.state[world.spots.at + piece] == world.spots.reserve[piece]
        if texts and not off and play.viewer.knows(play.state, piece, seat):
            title = str(play.words.title(world.pieces, piece, language))
            found.setdefault(title, str(play.words.about(piece, language)))
    return found


def as_text(found: dict[str, Any]) -> str:
    """A handout as it is written to a file."""
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
