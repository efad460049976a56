"""How a play ended, in words: winners, ranks, points by their source."""

from __future__ import annotations

from ruledsl.boards.marks import pad, plain
from ruledsl.wording.columns import columns

from .drawing import Drawing
from .words import say


class Ending(Drawing):
    """Tells the end of one play; part of a `Screen`."""

    def players(self, seats: list[int]) -> str:
        """`anna, boris and clara`."""
        *most, last = [self.names.player(seat) for seat in seats]
        return f"{', '.join(most)} {say('and', self.language)} {last}" if most else last

    def result(self) -> str:
        """How the play ended: winners, ranks, points by their source."""
        play, language = self.play, self.language
        lines = [say("over", language)]
        if play.fault is not None:
            span = play.fault.span
            place = f"{span.file.path}:{span.line}: " if span is not None else ""
            return "\n".join(
                [say("void", language), f"  {plain(place + play.fault.message)}", say("void_help", language)]
            )
        winners = play.winners
        everyone = len(play.players) > 1 and len(winners) == len(play.players)
        if play.ending == "tied":
            lines.append(say("tied", language, players=self.players(winners)) if winners else say("nobody", language))
        elif play.ending == "scored" and len(play.players) == 1 and (rank := play.rank(0, language)):
            lines.append(say("ranked", language, rank=rank))
        elif not winners:
            lines.append(say("you_lost" if play.ending == "won" else "nobody", language))
        elif everyone and play.ending == "won":
            lines.append(say("you_won", language))
        elif len(winners) > 1:
            lines.append(say("winners", language, players=self.players(winners)))
        else:
            lines.append(say("winner", language, players=self.names.player(winners[0])))
        if because := play.because(language):
            lines.append(f"  {because}")
        lines += self.score_table()
        return "\n".join(lines)

    def score_table(self) -> list[str]:
        """Points by source, best first, with ranks in scored plays."""
        scores = self.play.scores()
        if not scores or not scores[0]:
            return []
        language, scored = self.language, self.play.ending == "scored"
        sources = list(scores[0])
        keys = self.play.ranking_keys()
        order = (
            sorted(range(len(scores)), key=lambda seat: keys[seat], reverse=True)
            if scored
            else list(range(len(scores)))
        )
        head = ["", *[self.names.player(seat) for seat in order]]
        rows = [[self.names.word(name), *[str(scores[seat][name]) for seat in order]] for name in sources]
        totals = [sum(scores[seat].values()) for seat in order]
        if len(sources) > 1:
            rows.append([say("total", language), *map(str, totals)])
        if scored:
            ranks = [1 + sum(other > keys[seat] for other in keys) for seat in order]
            rows.append([say("place_n", language), *map(str, ranks)])
        if len(order) > 1 and self.play.rank(order[0], language):
            rows.append([say("rank_n", language), *[self.play.rank(seat, language) for seat in order]])
        widths = [max(columns(row[i]) for row in [head, *rows]) for i in range(len(head))]
        table = [
            "  ".join(
                [
                    pad(row[0], widths[0]),
                    *[" " * (w - columns(c)) + c for c, w in zip(row[1:], widths[1:], strict=True)],
                ]
            ).rstrip()
            for row in [head, *rows]
        ]
        if scored and len(set(totals)) < len(set(keys)):
            table.append(say("tie_breaks", language))
        return ["", *table]
