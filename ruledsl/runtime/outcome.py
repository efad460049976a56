"""How a play ended, as people read it: who won, and the points by their source. A terminal and a page show the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.boards.marks import plain
from ruledsl.records import dataclass

from .table import names_of

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

TEXTS: dict[str, dict[str, str]] = {
    "over": {"en": "The game is over.", "ru": "Игра окончена."},
    "winner": {"en": "{players} wins.", "ru": "Победа: {players}."},
    "winners": {"en": "{players} win together.", "ru": "Общая победа: {players}."},
    "tied": {"en": "A draw between {players}.", "ru": "Ничья: {players}."},
    "nobody": {"en": "Nobody wins.", "ru": "Победителя нет."},
    "you_lost": {"en": "All players lose.", "ru": "Все игроки проиграли."},
    "you_won": {"en": "All players win.", "ru": "Все игроки победили."},
    "void": {
        "en": "There is a mistake in the rules of this game. The game cannot continue, and the result does not count:",
        "ru": "В правилах этой игры ошибка. Партию нельзя продолжить, и она не засчитывается:",
    },
    "void_help": {
        "en": "You did nothing wrong. Please tell the author of the game. You can continue from an earlier save.",
        "ru": "Вы ни в чём не ошиблись. Сообщите автору игры. Можно продолжить с более раннего сохранения.",
    },
    "total": {"en": "total", "ru": "итого"},
    "place_n": {"en": "place", "ru": "место"},
    "rank_n": {"en": "rank", "ru": "звание"},
    "ranked": {"en": "Your rank: {rank}.", "ru": "Ваше звание: {rank}."},
    "one_result": {"en": "Points of all together: {points}.", "ru": "Общий результат в очках: {points}."},
    "tie_breaks": {
        "en": "Ties in the total were decided by the tie-breaks.",
        "ru": "При равных суммах решили дополнительные правила.",
    },
    "and": {"en": "and", "ru": "и"},
}


@dataclass(frozen=True)
class Outcome:
    """The end of a play in words, and a table of points with a column for each seat in `order`, best first."""

    lines: tuple[str, ...]
    order: tuple[int, ...] = ()
    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what it is, and each seat's
    note: str = ""


def outcome(play: Play, language: str = "en") -> Outcome:
    """How a play that is over ended."""
    return _Teller(play, language).outcome()


class _Teller:
    def __init__(self, play: Play, language: str) -> None:
        self.play, self.language = play, language
        self.names = names_of(play, language)

    def say(self, key: str, **holes: str) -> str:
        return TEXTS[key].get(self.language, TEXTS[key]["en"]).format(**holes)

    def outcome(self) -> Outcome:
        play = self.play
        if play.fault is not None:
            span = play.fault.span
            place = f"{span.file.path}:{span.line}: " if span is not None else ""
            message = f"  {plain(place + play.fault.message)}"
            return Outcome((self.say("void"), message, self.say("void_help")))
        lines = [self.say("over"), self.headline()]
        if because := play.because(self.language):
            lines.append(f"  {because}")
        return self.with_points(tuple(lines))

    def headline(self) -> str:
        """Who won."""
        play, winners = self.play, self.play.winners
        everyone = len(play.players) > 1 and len(winners) == len(play.players)
        if play.ending == "tied":
            return self.say("tied", players=self.players(winners)) if winners else self.say("nobody")
        if play.ending == "scored" and (len(play.players) == 1 or play.one_result):
            if rank := play.rank(0, self.language):
                return self.say("ranked", rank=rank)
            if play.one_result:
                return self.say("one_result", points=str(sum(play.scores()[0].values())))
        if not winners:
            return self.say("you_lost" if play.ending == "won" else "nobody")
        if everyone:
            return self.say("you_won") if play.ending == "won" else self.say("tied", players=self.players(winners))
        return self.say("winners" if len(winners) > 1 else "winner", players=self.players(winners))

    def players(self, seats: list[int]) -> str:
        """`anna, boris and clara`."""
        *most, last = [self.names.player(seat) for seat in seats]
        return f"{', '.join(most)} {self.say('and')} {last}" if most else last

    def with_points(self, lines: tuple[str, ...]) -> Outcome:
        """With the points by source, and with places in scored plays."""
        play = self.play
        scores = play.scores()
        if not scores or not scores[0]:
            return Outcome(lines)
        scored, sources = play.ending == "scored", list(scores[0])
        keys = play.ranking_keys()
        seats = range(len(scores))
        order = sorted(seats, key=lambda seat: keys[seat], reverse=True) if scored else list(seats)
        rows = [(self.names.word(name), tuple(str(scores[seat][name]) for seat in order)) for name in sources]
        totals = [sum(scores[seat].values()) for seat in order]
        if len(sources) > 1:
            rows.append((self.say("total"), tuple(map(str, totals))))
        if scored and not play.one_result:
            places = (1 + sum(other > keys[seat] for other in keys) for seat in order)
            rows.append((self.say("place_n"), tuple(map(str, places))))
        if len(order) > 1 and play.rank(order[0], self.language):
            rows.append((self.say("rank_n"), tuple(play.rank(seat, self.language) for seat in order)))
        decided = scored and len(set(totals)) < len(set(keys))
        return Outcome(lines, tuple(order), tuple(rows), self.say("tie_breaks") if decided else "")


__all__ = ["TEXTS", "Outcome", "outcome"]
