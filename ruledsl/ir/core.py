"""The program that a game becomes: expressions, operations and blocks over one vector of integers.

A state is a list `v`. The first slots say where play stands (`PC` and its neighbours), then come the declared
things, then the locals of effects. Behind the state lies scratch space for the variables of formulas, which
live only while one expression is worked out. A set is one integer with a bit per member; a list is a length
and its items; a bag is a number per member.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.types import Root, Type

# The first slots of every state.
PC = 0  # the block that comes next
ME = 1  # who acts
TURN_PLAYER = 2  # whose turn it is, or none
TURN_NUMBER = 3
ROUND = 4
ENDED = 5  # how the play ended: one of the numbers below
WINNERS = 6  # a set of players
STREAMS = 7  # the first of the random streams
STREAM_NAMES = ("setup", "shuffle", "random")
HEADER = STREAMS + len(STREAM_NAMES)

RUNNING, WON, TIED, SCORED, VOID = range(5)
ENDINGS = ("running", "won", "tied", "scored", "void")


class RulesFault(Exception):
    """What a rule did in play that it must not: the place in the rules, and why."""

    def __init__(self, span: Span | None, message: str) -> None:
        super().__init__(message)
        self.span, self.message = span, message


class Endless(RulesFault):
    """So much was done without a decision that a loop of the rules never ends. Code made for a game does not know
    which loop; the reference finds out."""


# ---------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """What all expressions have: the type of their value, if whoever made them knew it."""

    type: Type | None = field(default=None, kw_only=True, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Const(Expression):
    """A value that is known when the game is loaded."""

    value: Any
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Get(Expression):
    """The slot of a value or variable."""

    slot: int
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Cell(Expression):
    """An item of an array of the state; `none` if the index is none."""

    base: int
    index: Node
    none: int = -1
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Look(Expression):
    """An item of an array fixed at loading; `none` if the index is none."""

    table: tuple[Any, ...]
    index: Node
    none: Any = -1
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Several(Expression):
    """`count` slots from `base + index * count` on, as a tuple: a bag, or a list behind its length."""

    base: int
    index: Node | None
    count: int
    is_list: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Op(Expression):
    """An operation that works out all its arguments first; named as in `engine.operations`."""

    name: str
    args: tuple[Node, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Both(Expression):
    """Whether all arguments hold: they are asked in their order, up to the first that does not."""

    args: tuple[Node, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Either(Expression):
    """Whether any argument holds: they are asked in their order, up to the first that does."""

    args: tuple[Node, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Cond(Expression):
    """One of two values, as a condition tells; the other is not worked out."""

    condition: Node
    then: Node
    otherwise: Node
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Otherwise(Expression):
    """The first value unless it is `none`, then the second."""

    of: Node
    none: int
    otherwise: Node
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """One variable of a comprehension or choice and what it runs over: a set, a list or a range."""

    slot: int
    form: str  # set, list, range
    domain: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fold(Expression):
    """A comprehension: `kind` of `value` over all combinations for which `where` holds."""

    kind: str  # count any all sum min max first last set list most least
    each: tuple[Each, ...]
    where: Node | None
    value: Node | None
    keys: tuple[Node, ...] = ()
    none: int = -1
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Invoke(Expression):
    """A formula with its arguments."""

    formula: Formula
    args: tuple[Node, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Select(Expression):
    """One of several pieces of code by an index: the code of a row."""

    index: Node
    cases: tuple[Node, ...]
    none: Any = -1
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class With(Expression):
    """The value of `body` with the slots set to the arguments meanwhile."""

    slots: tuple[int, ...]
    args: tuple[Node, ...]
    body: Node
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Would(Expression):
    """Whether `condition` would hold after running a procedure on a copy of the state."""

    procedure: Procedure
    args: tuple[Node, ...]
    condition: Node
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lookahead(Would):
    """Whether `condition` would hold at the end of some way through a procedure, whatever is answered on the way.

    A trial comes to its end at the block `end`, where play stands still. To have to look at more than `most` positions
    is a fault.
    """

    end: int = -1
    most: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Demand(Expression):
    """A value that must not be none."""

    of: Node
    none: int
    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Fit(Expression):
    """A number that must lie in a range."""

    of: Node
    low: int
    high: int
    what: str
    none: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Primitive(Expression):
    """What needs the board, the pieces or the program as a whole; named as in `engine.primitives`."""

    name: str
    args: tuple[Node, ...]
    data: tuple[Any, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Possible(Expression):
    """Whether a choice has an option."""

    choice: Choice
    span: Span | None = None


Node = (
    Const
    | Get
    | Cell
    | Look
    | Several
    | Op
    | Both
    | Either
    | Cond
    | Otherwise
    | Fold
    | Invoke
    | Select
    | With
    | Would
    | Lookahead
    | Demand
    | Fit
    | Primitive
    | Possible
)


@dataclass(eq=False)
class Formula:
    """A defined formula: where its arguments go, and its body (filled in when it is worked out)."""

    name: str
    slots: tuple[int, ...]
    body: Node | None
    span: Span | None
    type: Type | None = None  # of its value


# --------------------------------------------------------------------------------------------------- texts


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in a text that shows a value, or what is printed on a piece, or the word that goes with a number."""

    node: Node
    type: Type
    about: bool = False
    case: str = ""  # in which the names of a language that has cases are said
    forms: tuple[str, ...] = ()  # of a word, by number: the number itself is not shown
    half: str = ""  # of the name of a square: its column, or its row


@dataclass(frozen=True, slots=True)
class Words:
    """A text for people, by language: pieces of text and holes."""

    by_language: tuple[tuple[str, tuple[str | Hole, ...]], ...]

    def parts(self, language: str) -> tuple[str | Hole, ...]:
        table = dict(self.by_language)
        return table.get(language) or next(iter(table.values()), ())


# -------------------------------------------------------------------------------------------- operations


@dataclass(frozen=True, slots=True, eq=False)
class Put:
    """v[base + index] = value."""

    base: int
    index: Node | None
    value: Node
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PutSeveral:
    """A bag or a list into its slots."""

    base: int
    index: Node | None
    count: int
    value: Node
    is_list: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Zero:
    """Locals out of scope are zero, so that equal positions are equal states."""

    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """Pieces (one, a set as a tuple in order) to a spot."""

    pieces: Node
    form: str  # one, set, list
    to: Node
    at: Node | str | None = None
    turned: Node | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """An operation that is done by a function of `engine.actions`."""

    name: str
    args: tuple[Node, ...]
    data: tuple[Any, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Say:
    """A line of the log, for the players in a set, or for all."""

    words: Words
    to: Node | None
    span: Span | None = None


Operation = Put | PutSeveral | Zero | Move | Act | Say


# ------------------------------------------------------------------------------------------- terminators


@dataclass(slots=True, eq=False)
class Jump:
    """Goes on at another block."""

    to: int


@dataclass(slots=True, eq=False)
class Branch:
    """Goes on at one of two blocks, as a condition tells."""

    condition: Node
    then: int
    otherwise: int
    span: Span | None = None


@dataclass(slots=True, eq=False)
class CallProcedure:
    """Store the arguments, remember `then`, go to the procedure's first block."""

    procedure: Procedure
    args: tuple[Node, ...]
    then: int
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Return:
    """Back to the block that the call of the procedure remembered."""

    procedure: Procedure


@dataclass(slots=True, eq=False)
class Dispatch:
    """To one of several blocks by an index; none goes to `otherwise`."""

    index: Node
    cases: dict[int, int]
    otherwise: int


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A name that an option binds: one value of its domain, or several (`fewest` is set then)."""

    name: str
    slot: int
    type: Type
    each: Each
    where: Node | None = None
    fewest: Node | None = None
    most: Node | None = None
    ordered: bool = False
    cap: int = 0
    # Those before it that conditions compare it with: they tell pieces apart.
    beside: tuple[Variable, ...] = field(default=(), metadata={"aside": True})


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A test of what is chosen: a sum to which each element adds `weight`, compared with `bound`."""

    weight: Node
    relation: str  # at_least, at_most, equal, unequal
    bound: Node


@dataclass(frozen=True, slots=True, eq=False)
class Passing:
    """A test of what is chosen: for how many combinations of variables `test` holds, compared with `bound`."""

    each: tuple[Each, ...]
    where: Node | None
    test: Test
    relation: str  # at_least, at_most, equal
    bound: Node


@dataclass(frozen=True, slots=True, eq=False)
class Every:
    """Whether `test` holds for every combination of variables, or for some; with no variables, the tests of `tests`."""

    all: bool
    tests: tuple[Test, ...]
    each: tuple[Each, ...] = ()
    where: Node | None = None


# What else may stand there: a node that does not look at what is chosen; None for what cannot be told before the end.
Test = Tally | Passing | Every | Node | None


@dataclass(frozen=True, slots=True, eq=False)
class Extending:
    """What an entry asks of several things that are chosen one after the other, so that `engine.extending` can tell
    whether what was begun can be completed. Elements are numbers, in the slot `element` while one is looked at.

    `must` follows from what the entry asks. `adds` and `sees` are numbers for each element: nothing that the entry asks
    tells two choices of the same size apart that have the same sums of `adds`, and for all numbers of `sees` together
    equally many elements that have them, apart from what `must` says itself. With `whole` there is no telling.
    """

    element: int
    must: Test
    adds: tuple[Node, ...]
    sees: tuple[Node, ...]
    whole: bool
    in_order: bool  # it matters in which order they were taken
    span: Span | None  # the condition that is hardest to foresee


@dataclass(slots=True, eq=False)
class Entry:
    """One line of a menu: when it is offered, what is to be chosen with it, where it leads."""

    name: str
    when: tuple[Node, ...]
    variables: tuple[Variable, ...]
    where: tuple[Node, ...]
    so_far: Node | None
    label: Words | None
    to: int
    stepwise: bool = False
    anytime: Node | None = None
    span: Span | None = None
    stored: tuple[tuple[int, Node], ...] = ()  # parameters set before the rest is worked out
    extending: tuple[Extending | None, ...] = ()  # by variable, for those that take several


@dataclass(slots=True, eq=False)
class Choice:
    """Play stops here and asks. `stop` leads on without choosing; `stuck` is for when there is no option."""

    by: Node
    entries: tuple[Entry, ...]
    stop: Entry | None
    stuck: int
    stage: int | None  # the slot that counts the steps of a choice made in several
    name: str = ""
    span: Span | None = None
    block: int = -1
    always: bool = False  # asked even where nothing but `stop` is possible


@dataclass(slots=True, eq=False)
class Chance:
    """Something random: a shuffle of a place, or a value of a domain."""

    kind: str  # shuffle, random
    then: int
    stream: int
    place: Node | None = None
    variable: Variable | None = None
    weight: Node | None = None
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Together:
    """Players do `body` in secret, each on their own; play goes on when all have finished.

    What a player has drafted is the list of the options taken, by number, in the state from `drafts` on (a count
    and `DRAFT_STEPS` numbers for each player). The rest of the state stays as it was until all have finished; then
    the drafts are carried out one after the other. So nothing of a draft can show, and taking back is easy.
    """

    players: Node
    body: int
    then: int
    drafts: int
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Drafted:
    """The end of what one player does in secret."""


DRAFT_STEPS = 100
MOST_SLOTS = 1000  # numbered positions of a place
MOST_TRIED = 200_000  # ways that are tried to complete what is chosen in several steps
MOST_POSITIONS = 20_000  # decisions that are gone through to answer what is possible
TOO_FAR = "`possible` looked at {:,} positions: there are too many ways"
MOST_STORED = 4_000_000  # numbers that are kept of ways that led nowhere


@dataclass(slots=True, eq=False)
class Finish:
    """The end of the play."""

    ending: int
    winners: Node | None
    span: Span | None = None


Terminator = Jump | Branch | CallProcedure | Return | Dispatch | Choice | Chance | Together | Drafted | Finish


@dataclass(slots=True, eq=False)
class Block:
    ops: list[Operation] = field(default_factory=list)
    end: Terminator | None = None
    note: str = ""
    span: Span | None = None  # of the statement that comes round to this block again and again
    rounds: int = 0  # how often play comes round to it for certain, before it leaves the loop
    place: Span | None = None  # of the first statement in it, or of that in the midst of which it begins


@dataclass(eq=False)
class Procedure:
    """An effect: its parameters' slots, the slot of its return address, its first block."""

    name: str
    parameters: tuple[int, ...] = ()
    back: int = -1
    entry: int = -1
    span: Span | None = None
    slots: set[int] = field(default_factory=set)
    asks: bool = False  # it chooses or rolls, itself or through what it calls


# --------------------------------------------------------------------------------------------- the layout


@dataclass(frozen=True)
class Field:
    """A named part of the state: `count` items from `base` on, each of `width` slots."""

    name: str
    base: int
    count: int
    width: int
    type: Type | None
    kind: str  # header, stream, value, state, local, piece, spot, pool, counter, history, draft
    owner: Any = None


@dataclass(eq=False)
class Layout:
    fields: list[Field] = field(default_factory=list)
    size: int = 0

    def base(self, name: str) -> int | None:
        """The first slot of a field of every program that has it, such as `chosen`."""
        return next((one.base for one in self.fields if one.name == name and one.kind == "header"), None)

    def add(self, name: str, count: int, width: int, type: Type | None, kind: str, owner: Any = None) -> int:
        base, count = self.size, max(1, count)  # of nothing there is one, too, so that each slot is of one field alone
        self.fields.append(Field(name, base, count, width, type, kind, owner))
        self.size += count * width
        return base


@dataclass(frozen=True)
class Growing:
    """A board that tiles make. Two slots are kept up to date wherever a tile enters or leaves one of its spaces:

    `tiled`, the set of spaces with a tile, and `frontier`, the set of those without one that have at least `touching`
    neighbours with one. A tile on a space of `rim` is a fault: the board would grow beyond what was laid out for it.
    """

    name: str
    first: int  # the spot of its first space
    count: int
    tiles: int  # the set of pieces that are its tiles
    near: tuple[tuple[int, ...], ...]  # neighbours by space
    touching: int
    rim: int
    bound: int  # how far from the middle a tile may lie
    tiled: int  # slots
    frontier: int


@dataclass(eq=False)
class Spots:
    """Where pieces may be: spaces, then parts of tiles, then places; as numbers in one row.

    `at` is an array by piece: its spot. `top` and `bottom` are arrays by spot, `under` and `over` by piece: the
    order of what lies on a spot. `members` is an array by place: the set of its pieces (places without order).
    """

    count: int = 0
    first_place: int = 0
    roots: list[tuple[int, Root]] = field(default_factory=list)  # first spot and root of each sort
    capacity: list[int] = field(default_factory=list)  # by spot, 0 = no limit
    ordered: list[bool] = field(default_factory=list)  # by spot
    single: list[bool] = field(default_factory=list)  # by spot: holds at most one
    seen: list[Any] = field(default_factory=list)  # by spot: None = all, else a Node giving a set of players
    box: int = -1
    reserve: list[int] = field(default_factory=list)  # by piece: its spot before the game
    at: int = -1
    top: int = -1
    bottom: int = -1
    under: int = -1
    over: int = -1
    members: int = -1
    known: int = -1  # by piece: the set of players who know it; -1 where nothing is ever hidden
    slot: int = -1  # by piece: its numbered position in a place with slots
    turn: int = -1  # by piece: how a tile lies
    growing: list[Growing] = field(default_factory=list)


@dataclass(eq=False)
class Tiles:
    """Parts of tiles, and what tells which are neighbours as the tiles lie in a state (see `engine.tiles`)."""

    steps: tuple[int, ...]  # by space and direction
    count: int  # of directions
    first_part: int  # the spot of the first part
    owner: list[int]  # by part, its tile
    sides: list[int]  # by part, a set of directions, as the tile lies unturned
    at: int  # where pieces are, and how tiles are turned: arrays by piece
    turn: int
    first_space: int  # the spot of the first space
    turns: tuple[tuple[int, ...], ...]  # by direction, what it becomes by so many turns
    opposite: tuple[int, ...]  # by direction
    spaces: int
    parts_of: dict[int, list[int]]  # by tile
    top: int  # what lies on top of a spot, and at its bottom: arrays by spot
    bottom: int

    def __repr__(self) -> str:
        """For the dump of a program: how many parts, of how many tiles, and the spot of the first."""
        return f"{len(self.owner)} parts of {len(self.parts_of)} tiles from spot {self.first_part}"


# ----------------------------------------------------------------------------------------------- programs


@dataclass(frozen=True)
class TurnLoop:
    """Where a `turns` statement became blocks: for tests that set whose turn it is, and for counting turns."""

    head: int  # the block before every turn
    inside: int  # the block where a turn begins
    advance: int  # the block behind every turn that is not left by ending more than the turn
    order: int  # the slot of the players in order: their number, then they
    place: int  # the slot of the position among them
    outer: int  # the slot of the turn player outside; none in the outermost turns


@dataclass(frozen=True)
class Score:
    """Points from one source, worked out for every player as `me` when the play has ended."""

    name: str
    node: Node
    span: Span | None = None


@dataclass(frozen=True)
class Keep:
    """What goes on to the next play of a campaign: the pieces of some places, or arrays of the state."""

    sort: str  # place, value, pool
    name: str
    places: range = range(0)  # spots
    bases: tuple[int, ...] = ()


@dataclass(eq=False)
class Program:
    """All that an executor needs, for one set of options and number of players.

    Pieces of one row are those that nothing printed on them tells apart. `wide` are the lists of effects, by their
    first slot, with the slots they take; `slots` the places whose positions are numbered, with how many there are and
    whether each holds one piece; `closes` those whose gaps are closed, and how. A play of a campaign is followed by
    the block `between`, and by the next play with all that is in `keep`.
    """

    name: str
    layout: Layout
    scratch: int
    blocks: list[Block]
    start: int
    spots: Spots
    roots: dict[str, Root]
    procedures: list[Procedure] = field(default_factory=list)
    formulas: list[Formula] = field(default_factory=list)
    template: list[int] = field(default_factory=list)  # what slots hold before the first block
    rows: list[int] = field(default_factory=list)  # by piece
    piece_state: list[int] = field(default_factory=list)  # arrays by piece: what rules say of each piece
    backs: tuple[int, ...] = ()  # of these, what all see of a piece though it lies hidden
    home: tuple[int, ...] = ()  # by piece, where it starts
    piles: set[int] = field(default_factory=set)  # spots
    slots: dict[int, tuple[int, bool]] = field(default_factory=dict)
    closes: dict[int, str] = field(default_factory=dict)
    top_seen: set[int] = field(default_factory=set)  # piles of which all see the top
    wide: dict[int, int] = field(default_factory=dict)
    scoring: list[Score] = field(default_factory=list)
    ties: list[Node] = field(default_factory=list)  # what decides between equal totals: more is better
    heuristic: Node | None = None  # what is good for a player before play is over: for bots, never for play itself
    lowest: bool = False  # the lowest total wins
    only_ranked: bool = False  # who plays alone has a rank, and no win
    stakes: bool = False  # it matters by how much one wins
    between: int | None = None
    keep: list[Keep] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)  # numbered from 1
    areas: tuple[int, ...] = ()  # by spot the board or sort of place it belongs to, in games with draw piles
    turn_loops: list[TurnLoop] = field(default_factory=list)
    ahead: tuple[int, ...] = ()  # blocks from which rules look ahead through choices, and where that ends

    @property
    def twins(self) -> tuple[int, ...] | None:
        """The rows of pieces, if some have several."""
        return tuple(self.rows) if len(set(self.rows)) < len(self.rows) else None
