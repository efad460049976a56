"""How a play ended, as tests ask for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.runtime.typed import LANGUAGES
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax.shapes import scalars, unknown_key

from .failures import Mistaken

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

KEYS = ("win", "because", "ranks")
HOW = "write `{win: [names]}`, `{because: words}`, `tie`, `lost`, `void` or `false`"
_TIES = ("draw", "drawn", "stalemate", "remis", "ничья")
_GOES_ON = ("no", "not", "never", "not yet", "none", "нет")
WORDS = ("tie", "lost", "void", "false", "true", "won", "scored")


_WINS = {"win", "wins", "won", "winner", "winners"}
_TIED = {"tie", "tied", *_TIES}
_SMALL = {"it", "is", "a", "the", "ends", "in", "game", "play"}  # words that change nothing


def as_ends(text: str, seats: list[str]) -> str:
    """`{win: [blue]}` for `blue wins`, `tie` for `it is a tie`: what stands behind `ends:`; else empty."""
    if not re.fullmatch(r"[\w ]+", text) or " " not in text:
        return ""
    words, who = {*text.lower().split()}, [word for word in text.split() if word in seats]
    if len(who) == 1 and words & _WINS and words <= {who[0].lower(), *_WINS, *_SMALL}:
        return f"{{win: [{who[0]}]}}"
    if words & _TIED:
        return "tie" if words <= _TIED | _SMALL else ""
    return (
        "true" if text.lower() in ("game over", "the game is over", "game ends", "the game ends", "play ends") else ""
    )


def look_over(node: Node, seats: list[str], report: Report) -> None:
    """Finds mistakes before anything is played, wherever play leads."""
    if isinstance(node, Scalar) and node.value not in WORDS:
        near = ["tie"] if node.value in _TIES else ["false"] if node.value in _GOES_ON else nearest(node.value, WORDS)
        who = [word for word in re.findall(r"[\w]+", node.value) if word in seats]
        if who and re.search(r"\b(?:wins?|won|winner|victory)\b|^\w+$", node.value):
            near = [f"{{win: [{', '.join(who)}]}}"]
        message = f"a play cannot end like this: `{node.value}`"
        report.error("Q110", node.span, message, help=did_you_mean(near) or HOW, suggestions=tuple(near))
    elif isinstance(node, Seq):
        report.error("Q110", node.span, "a play has one end, and this is a list", help=HOW)
    for entry in node if isinstance(node, Map) else ():
        if entry.key.value not in KEYS:
            unknown_key(entry.key, KEYS, "`ends`", report)
        elif entry.key.value == "win":
            for word in scalars(entry.value):
                _known_seat(word, seats, report)
        elif entry.key.value == "ranks" and isinstance(entry.value, Map):
            for inner in entry.value:
                _known_seat(inner.key, seats, report)


def _known_seat(word: Scalar, seats: list[str], report: Report) -> bool:
    if word.value in seats:
        return True
    near = nearest(word.value, seats)
    help = did_you_mean(near) or f"they are {', '.join(seats)}"
    report.error("Q203", word.span, f"there is no player `{word.value}`", help=help, suggestions=tuple(near))
    return False


class Ending:
    """Holds the end of a play against what a test says of it."""

    def __init__(self, play: Play, seats: list[str], report: Report) -> None:
        self.play, self.seats, self.report = play, seats, report

    def void(self, node: Node) -> bool:
        """Whether a fault of the rules is what the test wants."""
        return isinstance(node, Scalar) and node.value == "void"

    def agrees(self, node: Node) -> bool:
        before = self.report.errors
        look_over(node, self.seats, self.report)
        if self.report.errors > before or (isinstance(node, Map) and not node.entries):
            raise Mistaken
        if isinstance(node, Map):
            return self.play.over and all(getattr(self, f"_{e.key.value}")(e.value) for e in node)
        word = node.value if isinstance(node, Scalar) else ""
        winners, ending = self.play.winners, self.play.ending
        known = {
            "tie": ending == "tied" or (ending == "scored" and len(winners) > 1 and not self.play.one_result),
            "lost": ending == "won" and not winners,
            "void": ending == "void",
            "false": not self.play.over,
            "true": self.play.over,
            "won": ending == "won",
            "scored": ending == "scored",
        }
        return known[word]

    def _win(self, node: Node) -> bool:
        wanted = {self._seat(word) for word in scalars(node)}
        return self.play.ending in ("won", "scored") and set(self.play.winners) == wanted

    def _because(self, node: Node) -> bool:
        return _says(node, [self.play.because(language) for language in LANGUAGES])

    def _ranks(self, node: Node) -> bool:
        if not isinstance(node, Map):
            self.report.error("S103", node.span, "`ranks:` is a map from players to words of their rank")
            raise Mistaken
        return all(
            _says(e.value, [self.play.rank(self._seat(e.key), language) for language in LANGUAGES]) for e in node
        )

    def _seat(self, word: Scalar) -> int:
        if not _known_seat(word, self.seats, self.report):
            raise Mistaken
        return self.seats.index(word.value)


def _says(node: Node, texts: list[str]) -> bool:
    """Whether one of the texts has the words of a test."""
    words = node.value.casefold() if isinstance(node, Scalar) else ""
    return bool(words) and any(words in text.casefold() for text in texts)


def ended(play: Play, seats: list[str]) -> str:
    """How a play ended, for who reads that it should have ended otherwise."""
    if not play.over:
        return f"it goes on: {' and '.join(seats[p] for p in play.pending)} to move"
    winners = [seats[p] for p in play.winners]
    how = {
        "won": "won by " + (", ".join(winners) or "nobody"),
        "tied": "tied",
        "scored": f"on points: won by {', '.join(winners) or 'nobody'}",
        "void": f"void: {play.fault.message if play.fault else ''}",
    }
    parts = [f"it ended {how.get(play.ending, play.ending)}"]
    if because := play.because():
        parts.append(f"because: {because}")
    if any(ranks := [play.rank(seat) for seat in range(len(seats))]):
        parts.append("ranks: " + ", ".join(f"{seat} {rank}" for seat, rank in zip(seats, ranks, strict=True)))
    return "; ".join(parts)
