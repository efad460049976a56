"""What names stand for."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ruledsl.boards.base import Board
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.types import BROKEN, Bool, Elem, ListOf, Num, Root, SetOf, Type

# Words of expressions: nothing declared and nobody who plays is called so.
RESERVED = frozenset(
    {
        "me",
        "turn_player",
        "players",
        "opponent",
        "turn_number",
        "round",
        "supply",
        "this",
        "none",
        "true",
        "false",
        "if",
        "then",
        "else",
        "and",
        "or",
        "not",
        "in",
        "for",
        "where",
        "by",
        "of",
        "from",
        "after",
        "except",
        "otherwise",
        "player",
        "direction",
        "piece",
        "place",
        "bool",
        "maybe",
        "set",
        "list",
    }
)

_STAY = frozenset([Num, Elem, Bool, SetOf, ListOf])
_FORMS = frozenset(C.Node.__args__) - {C.Const}  # of a constant its value says all


@dataclass(frozen=True, slots=True)
class Typed:
    """The code of an expression and the type of its value."""

    node: Any
    type: Type

    def __post_init__(self) -> None:
        """The type stays on the expression: what was known first was known where it was made."""
        node = self.node
        if node.__class__ in _FORMS and node.type is None and self.type.__class__ in _STAY:
            object.__setattr__(node, "type", self.type)


BAD = Typed(C.Const(0), BROKEN)  # what was reported already


@dataclass(frozen=True, slots=True)
class TypedSet(Typed):
    type: SetOf


@dataclass(frozen=True, slots=True)
class TypedList(Typed):
    type: ListOf


@dataclass(frozen=True, slots=True)
class Handle:
    """A table before all its keys are given: no value yet, only a place to look."""

    base: int  # of an array of the state; -1 for a table fixed at loading
    table: tuple[Any, ...]
    index: C.Node | None
    span: Span | None = None
    tile: Any = None  # ((slots of turns, directions), the tile): the key is a direction, read as the tile lies


@dataclass(slots=True)
class Binding:
    """A local name: a variable of a comprehension, a parameter, a choice or a `let`."""

    name: str
    value: Typed
    span: Span | None
    used: bool = False


@dataclass(eq=False)
class Declared:
    """A name of the game: what sort of thing it is, where it is declared, what it stands for."""

    name: str
    sort: str  # option type board kind part place pool value formula effect action trigger history menu player
    span: Span | None
    data: Any = None
    used: bool = False


@dataclass(eq=False)
class NamedType:
    """A type that was given a name: its values are members of a root, or numbers."""

    name: str
    type: Elem | Num
    span: Span | None = None


@dataclass(eq=False)
class BoardInfo:
    name: str
    word: str  # what one of its spaces is called
    root: Root
    board: Board
    copies: int  # one for each player, or 1
    first_spot: int = 0
    holds_one: bool = True
    tiles: str | None = None
    per_player: bool = False
    ground: str = ""
    between: BoardInfo | None = None  # of edges: the board whose spaces they join
    edges: BoardInfo | None = None  # the edges of this board, if they are declared
    boxes: bool = False  # its spaces are drawn as boxes with words in them
    drawn_on: BoardInfo | None = None  # the board in whose picture this one is drawn

    @property
    def spaces(self) -> int:
        return len(self.board.spaces)

    @property
    def sheet(self) -> BoardInfo:
        """The board in whose picture it is drawn, if only its own; a circle of boards goes by the first that comes
        again."""
        info, met = self, list[BoardInfo]()
        while info.drawn_on is not None and info not in met:
            met.append(info)
            info = info.drawn_on
        return info


@dataclass(eq=False)
class KindInfo:
    """A kind of piece: its pieces stand in a row, by player where each player has some."""

    name: str
    first: int
    count: int
    per_player: bool
    mask: int
    tile: str | None = None
    parts: list[PartInfo] = field(default_factory=list)

    def of_player(self, player: int, players: int) -> int:
        each = self.count // players
        return ((1 << each) - 1) << (self.first + player * each)


@dataclass(eq=False)
class PartInfo:
    """The parts that the tiles of a kind are split into."""

    name: str
    kind: KindInfo
    root: Root
    owner: list[int] = field(default_factory=list)  # the tile of each part
    sides: list[int] = field(default_factory=list)  # a set of directions, as the tile lies unturned
    first_spot: int = 0
    tiles: Any = None


@dataclass(eq=False)
class PlaceInfo:
    """A place, or one for each member of a root: `first` and on in the root of all places."""

    name: str
    first: int
    count: int
    per: Elem | Num | None
    kinds: int
    ordered: bool
    slots: int = 0
    key: str = ""  # the word for the member whose place it is, as written behind `per:`
    row: bool = False  # of what is ordered: shown from the first piece on, not from the top down


@dataclass(eq=False)
class PoolInfo:
    """Tokens: what sorts there are, and who may hold them under which word."""

    name: str
    of: Root | None
    mask: int
    total: list[int] | None  # by sort; None where the supply has no end
    holders: dict[str, tuple[str, int, Root | None]] = field(default_factory=dict)  # word: (sort, base, root)
    supply: int = -1
    paid: str | None = None
    unsure: bool = False  # who holds it could not be read
    most: int = 0
    secrets: list[ValueInfo] = field(default_factory=list)  # what players hold, where not everybody sees it

    @property
    def size(self) -> int:
        return self.of.size if self.of is not None else 1


@dataclass(eq=False)
class ValueInfo:
    name: str
    type: Type
    keys: tuple[Elem | Num, ...]
    base: int
    width: int
    count: int
    seen: Any = None


@dataclass(eq=False)
class Shown:
    """Something that `show:` says: a text, or a value with the word that people call it by."""

    slot: int  # where the piece stands that it is about; 0 where it is about players or the game
    words: C.Words | None
    name: str = ""
    value: C.Hole | None = None


@dataclass(eq=False)
class Notation:
    """Another way to type an option: a text, and the condition under which the option may be typed so."""

    words: C.Words
    when: C.Node | None
    chain: str = ""  # between the parts of several such options, each of which begins where the one before ended


@dataclass(eq=False)
class HistoryInfo:
    name: str
    base: int
    keep: int
    fingerprint: Any = None


class NotFixed(Exception):
    """A value that depends on the state was asked for at loading."""
