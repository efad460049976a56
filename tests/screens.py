"""Ten turns of a game as a person sees them: every question that is asked, at a size and in a language."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from games import NAMES, PATHS, load
from ruledsl.bots.base import make
from ruledsl.bots.laid import as_listed
from ruledsl.bots.seat_view import SeatView
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.rows import row_of
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.runs import amounts
from ruledsl.runtime.typed import pick

SIZES = ((80, 24), (100, 40))
LANGUAGES = ("en", "ru")
TURNS = 10
QUESTIONS = 30  # at the most
FEW = {"holdem": 12}  # where turns are counted anew in every round, and each has one question
TAME = {"holdem": 3}  # games in which some options would end it at once
OPTIONS = {"holdem": {"chips": 200}}  # a bet can be any number
DICE = {"fortress": 7, "court-intrigue": 16, "holdem": 75}  # of the person, where others see more of a game


@dataclass
class Person:
    """Sits in the first seat and takes options by its own dice, so that all sizes and languages see the same play."""

    play: Play
    most: int = 10_000  # it takes one of so many first options
    questions: int = QUESTIONS  # that it answers, at the most
    lines: list[str] = field(default_factory=list)
    screens: list[str] = field(default_factory=list)
    turns: list[tuple[int, int]] = field(default_factory=list)  # the turn in which each question was asked
    dice: random.Random = field(default_factory=random.Random)

    def write(self, text: str) -> None:
        self.lines.append(text)

    def read(self, prompt: str) -> str:
        view = self.play.view(0)
        turn = view["round"], view["turn_number"]  # turns are counted anew in each round
        if (turn not in self.turns and len(set(self.turns)) == TURNS) or len(self.turns) == self.questions:
            raise EOFError
        self.turns.append(turn)
        self.screens.append("\n".join([*self.lines, prompt]))
        self.lines.clear()
        options = self.play.options(0)
        chosen = self.dice.choice(options[: self.most]).index
        fits = [option for option in as_listed(self.play, 0, whole=True) if option.index == chosen]
        wanted = fits[0] if len(fits) == 1 else self.dice.choice(fits)  # sets that begin alike
        number = str(wanted.number)
        shown = self.screens[-1]
        # Else it stands for nothing.
        seen = not shown.strip() or re.search(rf"(?m)(?:^|\s){number}  \S", shown) is not None
        listed = seen and not any(
            run.holds(wanted.index) for run in amounts(self.play, 0)
        )  # those have no numbers in the list
        return number if listed and means(self.play, number, wanted) else wanted.text


@dataclass
class Tame:
    """A bot that takes one of the first options: it does not bet all it has at once."""

    most: int
    dice: random.Random = field(default_factory=lambda: random.Random(3))

    def choose(self, view: SeatView) -> int:
        return self.dice.randrange(min(self.most, len(view.options())))


def seen(game: str, size: tuple[int, int], language: str, seed: int = 2) -> Person:
    """What a person sees who plays ten turns against a bot."""
    play = load(PATHS[NAMES.index(game)]).start(seed=seed, options=OPTIONS.get(game))
    most = TAME.get(game, 10_000)
    person = Person(play, most, FEW.get(game, QUESTIONS), dice=random.Random(DICE.get(game, 5)))
    columns, lines = size
    settings = Settings(language=language, columns=columns, room=(columns, max(24, lines - 12)))
    seats = [None, *(Tame(most) for _ in play.players[1:])]
    Session(play, seats, settings, Face(person.write, person.read)).run()
    return person


# --------------------------------------------------------------------------------------------- key presses


@dataclass
class Typist:
    """Plays a whole game with as few keys as possible: of all texts that mean what it wants, the shortest."""

    play: Play
    dice: random.Random
    keys: dict[tuple[int, int], int] = field(default_factory=dict)  # by turn

    def write(self, text: str) -> None:
        pass

    def read(self, prompt: str) -> str:
        view = self.play.view(0)
        turn = view["round"], view["turn_number"]  # turns are counted anew in each round
        text = self._row()
        self.keys[turn] = self.keys.get(turn, 0) + len(text) + 1  # with Enter
        return text

    def _row(self) -> str:
        """The shortest texts for this decision and those that follow it, as far as they can be typed at once."""
        there, best, texts, raws = self.play, "", [], []
        while True:
            wanted = self.dice.choice(as_listed(there, 0, whole=True))
            texts.append(shortest(there, wanted))
            raws += [wanted.raw, *wanted.then]
            row = " ".join(texts)
            if best and row_of(self.play, 0, row, "en") != raws:
                return best
            best = row
            there = there.copy()
            for raw in (wanted.raw, *wanted.then):
                there.choose(next(o.index for o in there.options(0) if o.raw == raw), 0)
            while not there.over and there.pending == (0,) and len(there.options(0)) == 1:
                raws.append(there.options(0)[0].raw)
                there.choose(0, 0)
            if there.over or there.pending != (0,):
                return best


def shortest(play: Play, wanted: Option) -> str:
    """The shortest text that picks an option: its number, or words of what it says."""
    said = {str(wanted.number), wanted.text, *wanted.text.split(), *play.spelt(wanted, 0)}
    fits = [text for text in said if means(play, text, wanted)]
    return min(fits, key=lambda text: (len(text), text))


def means(play: Play, text: str, wanted: Option) -> bool:
    found = pick(play, 0, text, numbers=True, options=as_listed(play, 0, whole=True))
    return found.one is not None and (found.one.raw, found.one.then) == (wanted.raw, wanted.then)


def keys_a_turn(game: str, seeds: range) -> float:
    """Key presses of a turn in which anything was to be typed, over whole games against random bots."""
    counts: list[int] = []
    for seed in seeds:
        play = load(PATHS[NAMES.index(game)]).start(seed=seed)
        typist = Typist(play, random.Random(seed))
        seats = [None, *(make("random", seed) for _ in play.players[1:])]
        Session(play, seats, Settings(), Face(typist.write, typist.read)).run()
        counts += typist.keys.values()
    return sum(counts) / len(counts)
