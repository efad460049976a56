"""Plays by any bots, and campaigns: slower, through `Play`, but written down and counted like plays at random."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from ruledsl.bots.base import Bot, ask, seated
from ruledsl.engine.batch import DECISIONS, Shape, play_seed
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play

from .interpreter import Census, Row, decided, result, void


class Played:
    """Lets bots play one configured game."""

    def __init__(
        self, game: Game, players: int, options: dict[str, Any], names: list[str] | None, bots: Sequence[str]
    ) -> None:
        self.game, self.players, self.options, self.names, self.bots = game, players, options, names, list(bots)
        self.configured = game.configured(players, options, names)
        self.shape = Shape(self.configured.machine.program)
        self.census = Census(self.configured, self.shape)

    def run(
        self, seed: int, first: int, count: int, counts: array[int], limit: int, campaign: int = 0
    ) -> Iterator[tuple[int, int, int, Row, RulesFault | None]]:
        """Rows of plays: which play or campaign, which play of it, its seed, the row, and the fault if it is void."""
        for number in range(first, first + count):
            start = play_seed(seed, number)
            plays = self._campaign(start, campaign, limit) if campaign else self._single(start, limit)
            for at, (own, row, fault) in enumerate(plays):
                yield number, at, own, row, fault
        for i, n in enumerate(self.census.counts):
            counts[i] += n
        self.census.counts[:] = [0] * self.shape.counts

    def _single(self, seed: int, limit: int) -> Iterator[tuple[int, Row, RulesFault | None]]:
        with self.census:
            before = self.census.turns()
            play = self.game.start(self.players, seed, self.options, self.names)
            row = self._play(play, seated(self.bots, seed), limit)
            self.census.lengths(row, before)
        yield seed, row, play.fault

    def _campaign(self, seed: int, plays: int, limit: int) -> Iterator[tuple[int, Row, RulesFault | None]]:
        """Plays that follow one another, as `play --campaign` has them; one without an end that counts is the last."""
        with self.census:
            before = self.census.turns()
            campaign = Campaign(self.game, self.players, seed, self.options, self.names)
            while True:
                play = campaign.play
                bots = seated(self.bots, play.seed)
                row = self._play(play, bots, limit)
                if play.over and play.fault is None:
                    play.settle()
                    self._decisions(play, bots, row, limit)
                if play.fault is not None:
                    void(self.shape, row)
                self.census.lengths(row, before)
                before = self.census.turns()
                yield play.seed, row, play.fault
                if not play.over or play.fault is not None or campaign.number == plays:
                    return
                campaign.next()

    def _play(self, play: Play, bots: list[Bot], limit: int) -> Row:
        row = [0] * self.shape.width
        self._decisions(play, bots, row, limit)
        if play.over and play.fault is None:
            try:
                result(self.configured, self.shape, play.state, row)
                self.census.ended(play.state)
            except RulesFault as fault:
                play.fault = fault
        if play.fault is not None:
            void(self.shape, row)
        return row

    def _decisions(self, play: Play, bots: list[Bot], row: Row, limit: int) -> None:
        """Lets bots decide until the play is over or has taken as many decisions as it may."""
        while not play.over and row[DECISIONS] < limit:
            seat = play.pending[0]
            stop = play.stop_of(seat)
            assert stop is not None
            assert stop.choice is not None
            with self.census.aside():
                number = ask(bots[seat], play, seat)
            decided(row, len(stop.options))
            state = play.state_of(seat)
            self.census.note(state, stop.choice, stop.options[number])
            play.choose(number, seat)
            play.undo_points.clear()
            play.log.clear()
            play.decisions.clear()


__all__ = ["Played"]
