"""Game after game of a campaign at one terminal. Its file is written at every decision, whole or not at all, so that
whatever happens to the program nothing is lost but what was just being typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain
from ruledsl.cli.common import CLEAN, FOUND, INTERRUPTED, complain
from ruledsl.runtime.campaign import Campaign

from .session import Session
from .words import NO, say

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

MakeSession = Callable[[Any, Callable[[], None]], Session]


def run(campaign: Campaign, make: MakeSession, write: Callable[[bytes], None], words: tuple[str, str, str]) -> int:
    """Plays on from wherever the campaign stands; `words` are the language, the file and the command to go on.

    A fault of the rules is not kept: the file stays at the last decision before it, where one can go on.
    """
    language, file, command = words

    def keep() -> None:
        if campaign.play.fault is None:
            write(campaign.save())

    keep()
    session, played, told = make(campaign.play, keep), False, False
    session.write(say("campaign_game", language, n=campaign.number))
    while True:
        play = campaign.play
        if not play.over:
            if not session.run():
                session.write(say("campaign_kept", language, file=file, command=command))
                if session.stopped:
                    complain(session.stopped)
                    return INTERRUPTED
                return FOUND if session.refused else CLEAN
            played, told = True, campaign.play.fault is not None
        elif play.fault is not None:
            if not told:  # it is of what comes before the first decision, or between two games
                session.write(session.screen.result())
            session.write(say("campaign_void" if Path(file).exists() else "campaign_none", language, file=file))
            return FOUND
        elif not play.settled:
            since = len(play.log)
            play.settle()
            keep()
            for line in play.lines(None, language, since):
                session.write(session.told(plain(line)))
            goes_on = session.screen.position(_kept(play), everything=True)
            if goes_on:
                session.write("")
                session.write(say("campaign_goes_on", language))
                session.write(goes_on)
        else:
            session.write(say("campaign_won", language, tally=_tally(campaign)))
            players = _next(session, campaign, language, played)
            if players == 0:
                session.write(say("campaign_kept", language, file=file, command=command))
                return CLEAN
            campaign.next(players if players != len(play.players) else None)
            keep()
            session = make(campaign.play, keep)
            session.write("")
            session.write(say("campaign_game", language, n=campaign.number))


def _kept(play: Play) -> dict[str, Any]:
    """What everybody sees of what goes on to the next game."""
    view = play.view(None)
    world = play.world
    kept = [data for _, data in world.data["keep"]]
    places = {world.places.names[data.first + i] for data in kept if hasattr(data, "first") for i in range(data.count)}
    words = {word for data in kept if hasattr(data, "holders") for word in data.holders}
    names = {data.name for data in kept}
    return view | {
        "boards": {},
        "places": {name: lying for name, lying in view["places"].items() if name in places},
        "pools": {name: tokens for name, tokens in view["pools"].items() if name in words},
        "values": {name: value for name, value in view["values"].items() if name in names},
    }


def _tally(campaign: Campaign) -> str:
    """`anna 2, boris 1`: how many games each has won, the one just played among them."""
    play = campaign.play
    won = Counter(name for result in campaign.results for name in result.winners)
    won.update(play.players[seat] for seat in play.winners)
    titles = {name: plain(play.words.title(play.world.players, i, "en")) for i, name in enumerate(play.players)}
    names = list(dict.fromkeys([*play.players, *won]))
    return ", ".join(f"{titles.get(name, name)} {won[name]}" for name in names)


def _next(session: Session, campaign: Campaign, language: str, played: bool) -> int:
    """With how many players the next game is played; 0 if there is none now. Bots alone play one game at a time."""
    here = len(campaign.play.players)
    if session.script is not None:
        return here if session.script.at < len(session.script.lines) else 0
    if not session.people:
        return 0 if played else here
    counts = campaign.game.players
    while True:
        try:
            typed = session.face.read(say("campaign_more", language)).strip().lower()
        except (EOFError, KeyboardInterrupt):
            return 0
        if typed in NO:
            return 0
        if not typed.isdecimal():
            return here
        if int(typed) in counts:
            return int(typed)
        session.write(say("campaign_players", language, fewest=counts[0], most=counts[-1]))
