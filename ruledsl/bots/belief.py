"""What is to be believed of pieces that a seat does not see: where they lie more often than by chance.

Players put hidden pieces where it helps them. Who takes all ways in which they may lie for equally likely is wrong, and
the more surely so, the longer it looks. So `train` counts where they lie in plays of bots that search, beside where
guesses put them, and guesses are dealt by that from then on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ruledsl.runtime.play import Play
from ruledsl.runtime.secrecy import tells_apart

from .judge import entries, kept_files, marked, write_entry
from .manner import groups_of
from .outcome import shared

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured, Game

Looked = tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]
FORM = 1  # of what is kept
EVEN = 256  # the weight of a piece that lies at a place as often as by chance
LEAST, MOST = 16, 4_096
ROUNDS = 3  # of plays, each with what was learnt before: players are believed to believe that, too
SEARCH = "40"  # plays for a decision of those who play them
LONGEST = 400  # decisions of a play
UNSURE = 20.0  # looks that speak for chance, against those that were made
FEWEST = 4  # plays of a round


class Belief:
    """How likely a piece of a sort lies at a place, in parts of EVEN."""

    def __init__(self, configured: Configured) -> None:
        spots = configured.machine.program.spots
        self.group = [-1] * spots.count
        groups = groups_of(configured)
        for number, (first, count, _) in enumerate(groups):
            self.group[first : first + count] = [number] * count
        self.sort = sorts(configured)
        self.weights: dict[tuple[int, int], int] = {}
        self.mark = marked(["belief", groups, self.sort, len(configured.players)])

    def weight(self, spot: int, piece: int) -> int:
        return self.weights.get((self.group[spot], self.sort[piece]), EVEN)

    def revise(self, looked: Iterable[Looked]) -> None:
        """What lay somewhere more often than it was guessed is believed more from now on."""
        lay, guessed = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
        for one, other in looked:
            lay.update(one)
            guessed.update(other)
        for key in sorted(lay.keys() | guessed.keys()):
            more = (lay[key] + UNSURE) / (guessed[key] + UNSURE)
            self.weights[key] = max(LEAST, min(MOST, round(self.weights.get(key, EVEN) * more)))


def sorts(configured: Configured) -> list[int]:
    """By piece the first of those that are printed alike, whichever player they belong to."""
    rows, players = configured.machine.program.rows, len(configured.players)
    found = [-1] * configured.world.pieces.size
    for kind in configured.world.kinds:
        own = kind.count // players if kind.per_player else kind.count
        for piece in range(kind.first, kind.first + kind.count):
            found[piece] = rows[kind.first + (piece - kind.first) % own]
    return found


def is_believed(configured: Configured) -> bool:
    """Whether there are pieces that one may put where others do not know them."""
    apart = tells_apart(configured) and not shared(configured) and len(configured.players) > 1
    return apart and configured.machine.program.spots.known >= 0


def learn_belief(
    game: Game, configured: Configured, seconds: float, seed: int, tell: Callable[[int, int], None]
) -> Belief:
    """From plays of bots that search, and guess by what was learnt so far."""
    belief, rng = Belief(configured), random.Random(seed)
    for part in range(ROUNDS):
        looked, begun = list[Looked](), process_time()
        while len(looked) < FEWEST or process_time() - begun < seconds / ROUNDS:
            looked.append(looked_at(game, configured, belief, rng.getrandbits(48)))
        belief.revise(looked)
        tell(part + 1, len(looked))
    return belief


def looked_at(game: Game, configured: Configured, belief: Belief, seed: int) -> Looked:
    """One play of them: by place and sort, how often a piece that a seat did not know lay there, and was guessed to."""
    from .search import SearchBot
    from .seat_view import SeatView

    rng, spots = random.Random(seed), configured.machine.program.spots
    lay, guessed = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    play = Play(game, configured, rng.getrandbits(48), noting=False)
    bots = [SearchBot(rng.getrandbits(48), SEARCH) for _ in configured.players]
    for _ in range(LONGEST):
        if play.over:
            break
        seat = play.pending[0]
        view = SeatView(play, seat)
        view.belief = belief
        guess = view.guess(rng)
        for piece in view.unknown:
            sort = belief.sort[piece]
            lay[belief.group[play.state[spots.at + piece]], sort] += 1
            guessed[belief.group[guess.state[spots.at + piece]], sort] += 1
        play.choose(bots[seat].choose(view) if view.count > 1 else 0, seat)
    return lay, guessed


# ------------------------------------------------------------------------------------------------ what is kept

_BELIEFS: WeakKeyDictionary[Configured, Belief | None] = WeakKeyDictionary()


def believed(configured: Configured, path: Path) -> Belief | None:
    """What was learnt of where hidden pieces lie, in the cache or beside the game."""
    if configured not in _BELIEFS:
        _BELIEFS[configured] = found_belief(configured, path)
    return _BELIEFS[configured]


def found_belief(configured: Configured, path: Path) -> Belief | None:
    files = [file for file in kept_files(path, configured.rules) if file.exists()] if is_believed(configured) else []
    belief = Belief(configured) if files else None
    for file in files:
        assert belief is not None
        kept = entries(file).get(belief.mark)
        try:
            if kept is None or kept["form"] != FORM:
                continue
            weights = {(int(group), int(sort)): int(weight) for group, sort, weight in kept["lies"]}
        except (ValueError, KeyError, TypeError):
            continue
        belief.weights = {key: max(LEAST, min(MOST, weight)) for key, weight in weights.items()}
        return belief
    return None


def keep_belief(file: Path, belief: Belief, players: int) -> None:
    """Writes down where pieces lie, beside what the file holds already."""
    lies = [[*key, weight] for key, weight in sorted(belief.weights.items()) if weight != EVEN]
    write_entry(file, belief.mark, {"form": FORM, "players": players, "lies": lies})


__all__ = ["Belief", "believed", "found_belief", "is_believed", "keep_belief", "learn_belief"]
