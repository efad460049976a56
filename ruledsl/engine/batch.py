"""Many random plays at a stretch: what every executor writes down of each of them, and counts over all of them.

Everything is a flat array of signed 64-bit integers, so that an executor outside Python can fill it. A play is one
row: the fields below, then the points of every player, then the points of every player by their source. The counts
are one array for all plays; `Shape` says what stands where. Three rules make executors agree to the last bit:

- Play number i of a run with seed S has the seed `play_seed(S, i)`; from there on it is the play that
  `Machine.start` begins with that seed.
- Decisions are made by one stream, `seeded(play seed, BOT_STREAM)`: an option is the one at `draw(n)` in the list of
  the n options in order, and nothing is drawn where n is 1. Where players decide in secret at once, the first of them
  (in the order of seats) makes all its decisions, then the next.
- A decision counts when it is taken, whatever comes of it. A block counts when its operations have run, each time;
  what is only tried out, by `would` or in secret before it is carried out, counts for no block. Where pieces are
  counts at the end of a play that came to its end, before what follows on it in a campaign.
"""

from __future__ import annotations

from array import array
from typing import Protocol

from ruledsl.ir import core as C
from ruledsl.types import BagOf, Elem, ListOf, Root, SetOf, Type

from .random import seeded

# The fields of a row. A play that is void or was broken off has no winners and no points.
ENDING = 0  # as in `ir.core.ENDINGS`; RUNNING where the play was broken off at the limit of decisions
WINNERS = 1  # a set of seats, as `Play.winners` gives them: of a scored play, those with the best points
TURNS = 2  # how often a block of `Shape.turns` ran in this play: the slots of the state begin anew with each loop
ROUNDS = 3  # how often a block of `Shape.rounds` ran
DECISIONS = 4
OPTIONS = 5  # of all decisions together
MOST_OPTIONS = 6
FORCED = 7  # decisions with a single option
POINTS = 8  # of the first player; only in games with scoring

DEEPEST = 300  # decisions after one another, for those who count turns: a turn may have any number of them
BOT_STREAM = 100
PLAYS = 1 << 20  # plays of a run take their seeds from streams far behind those that a play itself uses
FOLLOWING = 1000  # play n of a campaign (the first is 1) takes its seed from stream 1000 + n; the first has its own
SEED_BITS = 48  # so that the seed of a play survives spreadsheets and JSON

BESIDE = 3  # what may be taken that is no entry of the menu: STOP, DONE and NOTHING of `engine.options`, in this order


def play_seed(seed: int, number: int) -> int:
    """The seed of play `number` (the first is 0) of a run."""
    return seeded(seed, PLAYS + number) >> (64 - SEED_BITS)


def following_seed(seed: int, number: int) -> int:
    """The seed of play `number` (the first is 1) of the campaign with a seed."""
    return seed if number == 1 else seeded(seed, FOLLOWING + number)


class Shape:
    """What stands where in the rows and counts of one program."""

    def __init__(self, program: C.Program) -> None:
        self.players = program.roots["player"].size
        self.sources = [row.name for row in program.scoring]
        self.width = POINTS + (self.players * (1 + len(self.sources)) if self.sources else 0)
        self.blocks = len(program.blocks)  # how often block i ran is counts[i]
        self.choices: dict[int, int] = {}  # block of a choice: where the counts of its entries begin
        self.roots: dict[str, int] = {}  # name of a root: where the counts of its members begin
        self.turns = _counting(program, C.TURN_NUMBER)  # the blocks with which a turn begins
        self.rounds = _counting(program, C.ROUND)
        self.counts = self.blocks
        for number, block in enumerate(program.blocks):
            if isinstance(block.end, C.Choice):
                self.choices[number] = self.counts
                self.counts += len(block.end.entries) + BESIDE
        bound = {
            id(root)
            for number in self.choices
            for entry in _choice(program, number).entries
            for variable in entry.variables
            if (root := root_of(variable)) is not None
        }
        for name, root in program.roots.items():
            if id(root) in bound:
                self.roots[name] = self.counts
                self.counts += root.size
        self.lying = self.counts  # where a piece is at the end, by its row and by the area of its spot
        self.areas = max(program.areas, default=-1) + 1
        self.lines = {row: i for i, row in enumerate(sorted(set(program.rows)))} if self.areas else {}
        self.counts += len(self.lines) * self.areas

    def points(self, seat: int) -> int:
        """The field with the points of a player."""
        return POINTS + seat

    def source(self, seat: int, source: int) -> int:
        """The field with the points of a player from one row of `scoring`."""
        return POINTS + self.players + seat * len(self.sources) + source

    def taken(self, block: int, entries: int, number: int) -> int:
        """The count of an option by the first number of it: an entry, or one of those beside the menu."""
        return self.choices[block] + (number if number >= 0 else entries - 1 - number)

    def line(self, row: int) -> int:
        """Where the counts of the areas begin in which pieces of a row are at the end of plays."""
        return self.lying + self.lines[row] * self.areas

    def members(self, program: C.Program, block: int, entry: int) -> list[int | None]:
        """For every variable of an entry where the counts of the members it may bind begin; None for numbers."""
        bases = {id(program.roots[name]): base for name, base in self.roots.items()}
        found = []
        for variable in _choice(program, block).entries[entry].variables:
            root = root_of(variable)
            found.append(bases[id(root)] if root is not None and id(root) in bases else None)
        return found


class Executor(Protocol):
    """Runs random plays of one configured game."""

    shape: Shape
    threads: bool  # whether plays run with the interpreter lock released: threads share the work then, not processes

    def run(self, seed: int, first: int, rows: array[int], counts: array[int], limit: int) -> None:
        """Plays number `first` and those after it, as many as `rows` has room for, each a row of `shape.width`.

        `rows` holds zeroes and is filled; `counts` is added to. `limit` is how many decisions a play may take.
        """
        ...


def root_of(variable: C.Variable) -> Root | None:
    """The finite set from which a variable takes its values, one by one or several; None for numbers."""
    if variable.each.form == "range":
        return None
    kind: Type = variable.type
    if isinstance(kind, SetOf | ListOf):
        kind = kind.of
    return kind.root if isinstance(kind, Elem | BagOf) else None


def _counting(program: C.Program, slot: int) -> tuple[int, ...]:
    """The blocks that add 1 to a slot."""
    return tuple(
        number
        for number, block in enumerate(program.blocks)
        for op in block.ops
        if isinstance(op, C.Put) and op.base == slot and isinstance(op.value, C.Op) and op.value.name == "add"
    )


def _choice(program: C.Program, block: int) -> C.Choice:
    end = program.blocks[block].end
    assert isinstance(end, C.Choice)
    return end
