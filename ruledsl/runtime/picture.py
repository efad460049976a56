"""What lies on the spaces of a board, as marks for pictures: a sign for each sort of piece, in its owner's colour.

A game may say how its pieces look: `letters: {K: king of white}`, or a `symbol` of a kind or of a row. For the
others letters are found in their names: one for every word that pieces of the game are told apart by. Where
letters alone tell two owners apart, the first has capitals; so nothing is known by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

from ruledsl.analysis.names import BoardInfo, PoolInfo
from ruledsl.boards.base import Board, Outline
from ruledsl.boards.between import Between
from ruledsl.boards.boxes import Box
from ruledsl.boards.faces import Cell, Face, turned
from ruledsl.boards.marks import COLOURS, HIDDEN, Look, Mark, plain
from ruledsl.boards.painting import Painting
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.types import NO_NUMBER, Attribute, Bool, Elem, Num, Root, bits
from ruledsl.wording.columns import columns

from .boxed import boxes
from .piled import owned_by, piled
from .signs import Legend, labels, signs
from .tiled import Faces

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.engine.machine import Machine
    from ruledsl.runtime.game import Configured
    from ruledsl.runtime.play import Play

State = list[int]
Cells: TypeAlias = list[Cell | None]
SEATS = ("red", "blue", "green", "yellow", "purple", "orange", "cyan", "pink", "brown", "grey")
_FEW = 12  # more words than these get two letters each
_WIDEST = 3


@dataclass(frozen=True)
class Told:
    """Something that the spaces of a board tell, tokens or a value, with its title."""

    title: str
    marks: list[Mark | None]
    bar: bool = False  # it is there or not, and on an edge it is drawn across the way


@dataclass(frozen=True)
class Sheet:
    """One board to be drawn: what players call it, whose it is (if all have one), its shape and what is on it."""

    board_name: str
    name: str
    owner: int | None
    board: Board
    marks: list[Mark | None]
    ground: list[Mark | None]
    cells: list[Cell | None] | None = None  # where tiles are laid
    names: tuple[str, ...] = ()  # what players call the spaces
    told: tuple[Told, ...] = ()  # what the spaces tell, beside what lies on them
    legend: Legend = ()  # what the signs of the spaces stand for, where the game says what is shown of them

    between: Between | None = None  # what is on the edges, where these are declared
    boxes: tuple[Box, ...] = ()  # its spaces in words, where the board says so
    joins: tuple[Sheet, ...] = ()  # of several boards in one picture, each by itself
    signed: bool = False  # whether the game says what is shown of the spaces
    painting: Painting | None = None  # the picture on which the page draws it
    piles: tuple[tuple[Mark, ...], ...] = ()  # all that lies on each space, where there is room for it
    belongs: tuple[tuple[str, int] | None, ...] = ()  # the space of another board that each belongs to
    regions: tuple[tuple[int, ...], ...] = ()  # spaces of one picture that belong together, after that which has them

    @property
    def flat(self) -> list[Mark | None]:
        """One mark for each space: what lies there, else the first thing that the space tells."""
        first = self.told[0].marks if self.told else [None] * len(self.marks)
        return [mark or told for mark, told in zip(self.marks, first, strict=True)]

    @property
    def aside(self) -> list[Mark | None]:
        """What the game shows of spaces on which something lies."""
        if self.joins:
            return [mark for part in self.joins for mark in part.aside]
        shown = zip(self.flat, self.ground, strict=True)
        return [sign if self.signed and mark is not None else None for mark, sign in shown]

    @property
    def rim(self) -> list[Mark | None]:
        """The first thing that each space tells, where something else lies on it."""
        first = self.told[0].marks if self.told else [None] * len(self.marks)
        return [told if mark is not None else None for mark, told in zip(self.marks, first, strict=True)]


def marks(play: Play, board_name: str, language: str = "en", view: dict[str, Any] | None = None) -> list[Mark | None]:
    """A mark for every space of a board (of all its copies, where every player has one), nothing where nothing is.

    With a `view` only what the view shows is drawn; pieces that it does not know are question marks.
    """
    artist = _artist(play.configured, language)
    info = next(board for board in play.world.boards if board.name == board_name)
    return artist.marks(_state(play, view), info, None if view is None else view["boards"].get(board_name, {}))


def ground(
    play: Play, board_name: str, language: str = "en", view: dict[str, Any] | None = None
) -> tuple[list[Mark | None], Legend]:
    """What the spaces of a board are, where they are of several sorts, and what its signs stand for."""
    artist = _artist(play.configured, language)
    info = next(board for board in play.world.boards if board.name == board_name)
    if not play.world.data["shown"]["boards"][board_name]:
        return artist.ground(play.state, info), ()
    seat = play.world.players.names.index(view["seat"]) if view is not None and view["seat"] is not None else None
    return signs(play, info, artist, _state(play, view), seat)


def sheets(play: Play, language: str = "en", view: dict[str, Any] | None = None, edges: bool = False) -> list[Sheet]:
    """All boards of a play with what is on them, in the order of the game; edges as boards only if asked for."""
    found = []
    seat = play.world.players.names.index(view["seat"]) if view is not None and view["seat"] is not None else None
    for info in play.world.boards:
        if info.between is not None and not edges:
            continue  # they are drawn between the spaces of their board
        here, (below, legend) = marks(play, info.name, language, view), ground(play, info.name, language, view)
        if legend:
            roomy = info.drawn_on is not None or any(other.drawn_on is info for other in play.world.boards)
            below = [_beside(sign, mark, roomy) for mark, sign in zip(here, below, strict=True)]
        tiles = cells(play, info, language, view) if drawn_as_tiles(info) else None
        told = _artist(play.configured, language).told(_state(play, view), info)
        names = labels(play, info, language, _state(play, view), seat) or _artist(play.configured, language).names_of(
            info.root
        )
        between = _between(play, info.edges, language, view) if info.edges is not None else [None] * info.copies
        artist = _artist(play.configured, language)
        boxed = boxes(play, info, artist, _state(play, view), view) if info.boxes else []
        painting = play.world.data.get("paintings", {}).get(info.name)
        known = None if view is None else view["boards"].get(info.name, {})
        side_by_side = painting.has_rows if painting else tiles is None and info.board.outline == "circle"
        piles = piled(artist, _state(play, view), info, known) if side_by_side else ()
        belongs = owned_by(artist, info, play.world.boards)
        for copy in range(info.copies):
            part = slice(copy * info.spaces, (copy + 1) * info.spaces)
            laid = tiles[part] if tiles is not None else None
            owner = copy if info.copies > 1 else None
            name = play.world.title_of_word(info.name).get(language) or info.name
            own = tuple(Told(one.title, one.marks[part]) for one in told)
            found.append(
                Sheet(
                    info.name, name, owner, info.board, here[part], below[part], laid, names[part], own, legend,
                    between[copy], tuple(boxed[part]), signed=bool(play.world.data["shown"]["boards"][info.name]),
                    painting=painting, piles=piles[part], belongs=belongs[part],
                )
            )  # fmt: skip
    return found


def _beside(sign: Mark | None, mark: Mark | None, roomy: bool) -> Mark | None:
    """The signs of a space, where something lies there only the first, and none where there is no room for it."""
    if sign is None or mark is None or roomy:
        return sign
    return Mark(sign.text[:1], sign.colour) if columns(mark.text) < _WIDEST else None


def _between(play: Play, edges: Any, language: str, view: dict[str, Any] | None) -> list[Between]:
    """What is on the edges of a board, for each copy of it: what lies there, else the first thing that they tell."""
    artist = _artist(play.configured, language)
    lying = marks(play, edges.name, language, view)
    told = artist.told(_state(play, view), edges)
    own = [next((one.marks[n] for one in told if one.marks[n]), None) for n in range(edges.root.size)]
    names = [str(play.words.title(edges.root, n, language)) for n in range(edges.root.size)]
    bar = {one.title for one in told if one.bar}
    bars = [mark is None and any(one.marks[n] for one in told if one.title in bar) for n, mark in enumerate(lying)]
    shown = [mark or tells for mark, tells in zip(lying, own, strict=True)]
    parts = (slice(copy * edges.spaces, (copy + 1) * edges.spaces) for copy in range(edges.copies))
    return [Between(edges.board.joins, shown[part], bars[part], names[part]) for part in parts]


def drawn_as_tiles(info: BoardInfo) -> bool:
    """Whether the picture of a board is made of tiles."""
    return info.tiles is not None and info.board.outline != "circle" and len(info.board.coordinates) == 2


def cells(play: Play, info: BoardInfo, language: str = "en", view: dict[str, Any] | None = None) -> list[Cell | None]:
    """What is on every space of a board on which tiles are laid; with a `view` only what the view shows."""
    artist = _artist(play.configured, language)
    shown = None if view is None else view["boards"].get(info.name, {})
    return artist.faces.cells(_state(play, view), info, shown)


def tile_legend(
    play: Play, language: str = "en", view: dict[str, Any] | None = None, drawn: Mapping[str, Cells] | None = None
) -> list[tuple[Mark, str]]:
    """What the signs on tiles stand for, each with its title: the grounds, then signs and pieces as they come.

    Of boards that are `drawn` already their cells need not be found again.
    """
    artist = _artist(play.configured, language)
    found: dict[tuple[str, str | None], tuple[Mark, str]] = {}
    for info in play.world.boards:
        if drawn_as_tiles(info):
            shown = None if view is None else view["boards"].get(info.name, {})
            lying = {name for names in (view or {}).get("places", {}).values() for name in names}
            laid = (drawn or {}).get(info.name) or cells(play, info, language, view)
            for mark, title in artist.faces.legend(_state(play, view), info, laid, shown, lying):
                found.setdefault((mark.text, mark.colour), (mark, title))
    return list(found.values())


def face(play: Play, piece: int, language: str = "en", turn: int = 0) -> Face:
    """A tile by itself."""
    faces = _artist(play.configured, language).faces
    count = len(faces.board_of(faces.artist.kind_of[piece]).board.sides)
    return turned(faces.printed(piece), turn, count)


def piece_marks(play: Play, language: str = "en") -> list[tuple[str, Mark, str]]:
    """How the pieces of every kind look on a board, each look once: the kind, the mark, what it stands for."""
    artist = _artist(play.configured, language)
    found: dict[tuple[str, str, str | None], tuple[str, Mark, str]] = {}
    tiles = {kind.name for kind in play.world.kinds if kind.tile is not None}
    for piece, kind in artist.kind_of.items():
        if kind.name not in tiles:
            mark = artist.piece(play.state, piece)
            title = artist.titled(play.state, piece)
            owner = artist.owner(play.state, piece)
            if owner >= 0:
                title += f" ({play.words.title(play.world.players, owner, language)})"
            found.setdefault((kind.name, mark.text, mark.colour), (kind.name, mark, title))
    return list(found.values())


def tile_sets(play: Play, language: str = "en") -> dict[Outline, list[tuple[Face, str, int]]]:
    """All tiles of a game by the outline of their spaces: each design with its name and how many there are."""
    artist = _artist(play.configured, language)
    found: dict[Outline, list[tuple[Face, str, int]]] = {}
    public = play.world.data.get("public_names", play.world.pieces.names)
    for kind in play.world.kinds:
        info = next((board for board in play.world.boards if board.name == kind.tile), None)
        if info is None or not drawn_as_tiles(info):
            continue
        pieces = range(kind.first, kind.first + kind.count)
        for name, alike in _alike(pieces, public).items():
            title = play.words.title(play.world.pieces, alike[0], language)
            designs = found.setdefault(info.board.outline, [])
            designs.append((artist.faces.printed(alike[0]), str(title or name), len(alike)))
    return found


def _alike(pieces: Iterable[int], names: Sequence[str]) -> dict[str, list[int]]:
    """Pieces by the name that players see: those of one row are alike."""
    found: dict[str, list[int]] = {}
    for piece in pieces:
        found.setdefault(str(names[piece]), []).append(piece)
    return found


def player_colour(world: GameWorld, seat: int) -> str:
    """The colour that the game gives to a seat or that it is named after, else one of its own."""
    looks = [world.looks.get(name, Look()).color for name in world.players.names]
    if looks[seat]:
        return str(looks[seat])
    named: list[str] = [look or name.lower() for name, look in zip(world.players.names, looks, strict=True)]
    if named[seat] in COLOURS:
        return named[seat]
    free = [colour for colour in SEATS if colour not in named]
    return free[seat % len(free)]


def _state(play: Play, view: dict[str, Any] | None) -> State:
    """The state that a view was made of: who plans in secret sees their own draft."""
    seat = play.world.players.names.index(view["seat"]) if view is not None and view["seat"] is not None else None
    return play.state_of(seat)


def artist_of(play: Play, language: str) -> _Artist:
    """What finds the marks of a play's pieces, and whose they are."""
    return _artist(play.configured, language)


def _artist(configured: Configured, language: str) -> _Artist:
    known = configured.artists
    if language not in known:
        known[language] = _Artist(configured.world, configured.machine, language)
    return known[language]


# ------------------------------------------------------------------------------------------------ words


@dataclass(frozen=True)
class _Sort:
    """What tells the pieces of a kind apart: names of their own, else an enumeration, else flags."""

    name: str
    named: bool
    enum: Attribute | None
    flags: tuple[Attribute, ...]


class _Artist:
    """Finds the marks of one configured game in one language."""

    def __init__(self, world: GameWorld, machine: Machine, language: str) -> None:
        self.world, self.machine, self.language = world, machine, language
        self.spots = machine.program.spots
        self.stocks = world.data.get("stocks", [])
        self.sorts = {kind.name: self._sort(kind) for kind in world.kinds}
        self.kind_of = {p: kind for kind in world.kinds for p in range(kind.first, kind.first + kind.count)}
        self.piece_titles = self._titles_of_pieces()
        self.signs = [self._declared_sign(piece) for piece in range(world.pieces.size)]
        words = list(dict.fromkeys(word for kind in world.kinds for word in self._words_of(kind)))
        owned = {word for kind in world.kinds if self._has_owner(kind) for word in self._words_of(kind)}
        self.alone = next(iter(owned)) if len(owned) == 1 else ""  # then its pieces go by their owners
        titles = {word: self._title(word) for word in words if word != self.alone}
        self.letters = letters_for(titles, self._declared())
        seats = {name: self._title(name) for name in world.players.names}
        found = letters_for(seats, set(self.letters.values()) if self.alone else ())
        self.seat_letters = [self._sign(name) or letter for name, letter in found.items()]
        self._readers: dict[Any, Any] = {}
        self._letters_of_spaces: dict[Any, list[str]] = {}
        self._names_of_spaces: dict[Any, tuple[str, ...]] = {}
        self._members: dict[tuple[Any, int], Mark] = {}
        self.blank: State = machine.start(0)  # what is printed on tiles is read here: none is turned
        self._owning = [self._owns(piece) for piece in range(world.pieces.size)]
        self.pictured = any(look.picture for look in world.looks.values())
        self.faces = Faces(self)

    def _sign(self, word: str) -> str:
        """The sign that the game gives to a word."""
        return _cut(self.world.looks.get(word, Look()).sign(self.language))

    def colour_of(self, word: str) -> str | None:
        """The colour that the game gives to a word, or that it is named after."""
        return self.world.looks.get(word, Look()).color or (word if word in COLOURS else None)

    def _titles_of_pieces(self) -> dict[str, str]:
        """What players call the pieces of a row or kind, where all of them are called the same."""
        found: dict[str, set[str]] = {}
        for piece, titles in enumerate(self.world.pieces.titles):
            title = str((titles or {}).get(self.language) or (titles or {}).get("en") or "")
            for word in {self._row_name(piece), self.kind_of[piece].name}:
                found.setdefault(word, set()).add(title)
        return {word: titles.pop() for word, titles in found.items() if len(titles) == 1 and "" not in titles}

    def names_of(self, root: Root) -> tuple[str, ...]:
        """What players call the spaces of a board."""
        if root not in self._names_of_spaces:
            names = []
            for name, titles in zip_longest(root.names, root.titles):
                title = (titles or {}).get(self.language) or (titles or {}).get("en") or name
                names.append(str(title).replace("_", " "))
            self._names_of_spaces[root] = tuple(names)
        return self._names_of_spaces[root]

    def _title(self, word: str) -> str:
        if word in self.piece_titles:
            return self.piece_titles[word]
        return str(self.world.title_of_word(word).get(self.language) or word)

    def _sort(self, kind: Any) -> _Sort:
        own = [a for found in self.world.pieces.attributes.values() for a in found if a.mask & kind.mask]
        named = any(stock.row.word("name") for stock in self.stocks[kind.first : kind.first + kind.count])
        enums = [a for a in own if isinstance(a.type, Elem) and a.type.root.kind == "enum"]
        return _Sort(kind.name, named, enums[0] if enums else None, tuple(a for a in own if isinstance(a.type, Bool)))

    def _has_owner(self, kind: Any) -> bool:
        players = self.world.players
        own = (a for found in self.world.pieces.attributes.values() for a in found if a.mask & kind.mask)
        return any(isinstance(a.type, Elem) and a.type.root is players for a in own)

    def _words_of(self, kind: Any) -> Iterator[str]:
        """All words that a piece of a kind may go by."""
        sort = self.sorts[kind.name]
        if sort.named:
            yield from (self._row_name(p) for p in range(kind.first, kind.first + kind.count))
        elif sort.enum is not None and isinstance(sort.enum.type, Elem):
            names = sort.enum.type.root.names
            yield from (names[i] for i in bits(sort.enum.type.mask))
        else:
            yield kind.name
            yield from (flag.name for flag in sort.flags)

    def _row_name(self, piece: int) -> str:
        return str(self.stocks[piece].row.word("name") or self.kind_of[piece].name)

    def _word(self, v: State, piece: int) -> str:
        """The word that a piece goes by now."""
        sort = self.sorts[self.kind_of[piece].name]
        if sort.named:
            return self._row_name(piece)
        if sort.enum is not None and isinstance(sort.enum.type, Elem):
            value = self.read(v, sort.enum, piece)
            return str(sort.enum.type.root.names[value]) if value >= 0 else sort.name
        return next((flag.name for flag in sort.flags if self.read(v, flag, piece)), sort.name)

    def read(self, v: State, attribute: Attribute, member: int) -> int:
        """An attribute of a piece or space in a state; none where it has no such attribute."""
        if not attribute.mask >> member & 1:
            return -1
        key = (id(attribute), member)
        if key not in self._readers:
            self._readers[key] = self.machine.evaluator.of(attribute.build(C.Const(member), None))
        value = self._readers[key](v)
        return int(value) if isinstance(value, int) else -1

    # ------------------------------------------------------------------------------------- what is declared

    def _declared_sign(self, piece: int) -> str:
        """The `symbol` of the piece's row or kind; not where an attribute has taken the word."""
        kind = self.kind_of[piece]
        if any(a.mask >> piece & 1 for a in self.world.pieces.attributes.get("symbol", ())):
            return ""
        sign = self._text(self.stocks[piece].row.get("symbol")) if piece < len(self.stocks) else ""
        if not sign:
            _, node = self.world.sections.named["pieces"].get(kind.name, (None, None))
            sign = self._text(node.get("symbol")) if isinstance(node, Map) else ""
        return _cut(sign)

    def _text(self, node: Node | None) -> str:
        if isinstance(node, Map):
            node = node.get(self.language) or next((entry.value for entry in node), None)
        return node.value if isinstance(node, Scalar) and not node.is_null else ""

    def _lettered(self, v: State, piece: int, owner: int) -> str:
        """The letter that `letters:` gives to such a piece: the most exact line counts."""
        best = ("", 0)
        for letter, node in self.world.sections.letters.items():
            if not isinstance(node, Scalar):
                continue
            what, _, whose = node.value.partition(" of ")
            wanted = what.split()
            if whose and (owner < 0 or whose.strip() != self.world.players.names[owner]):
                continue
            has = {self.kind_of[piece].name, self.world.pieces.names[piece], self._row_name(piece)}
            has |= {self._word(v, piece), *self._values(v, piece)}
            if all(word in has for word in wanted) and len(wanted) > best[1]:
                best = (letter, len(wanted))
        return _cut(best[0])

    def _values(self, v: State, piece: int) -> set[str]:
        """The names of all enumeration members and flags that the piece has now."""
        found = set()
        for attributes in self.world.pieces.attributes.values():
            for a in attributes:
                if not isinstance(a.type, Bool | Elem):
                    continue
                value = self.read(v, a, piece)
                if isinstance(a.type, Bool) and value > 0:
                    found.add(a.name)
                elif isinstance(a.type, Elem) and a.type.root.kind == "enum" and value >= 0:
                    found.add(str(a.type.root.names[value]))
        return found

    # --------------------------------------------------------------------------------------------- pieces

    def owner(self, v: State, piece: int) -> int:
        """Whose piece it is: who has such pieces, else the first player among its attributes; -1 for nobody."""
        owning = self._owning[piece]
        return self.read(v, owning, piece) if owning is not None else -1

    def _owns(self, piece: int) -> Attribute | None:
        """The attribute that says whose piece it is."""
        attributes = self.world.pieces.attributes
        named = (*attributes.get("owner", ()), *(a for found in attributes.values() for a in found))
        return next(
            (
                a
                for a in named
                if isinstance(a.type, Elem) and a.type.root is self.world.players and a.mask >> piece & 1
            ),
            None,
        )

    def piece(self, v: State, piece: int) -> Mark:
        """The mark of one piece."""
        owner = self.owner(v, piece)
        colour = self.colour_of_player(v, owner) if owner >= 0 else self._own_colour(v, piece)
        text = self._signed(v, piece, owner) or self.signs[piece] or self._letter(v, piece, owner)
        return Mark(text, colour, owner >= 0, *self._picture(v, piece, owner))

    def _signed(self, v: State, piece: int, owner: int) -> str:
        """What `looks:` gives such a piece in the reader's language, else its letter in `letters:`."""
        words = self._names_of(v, piece)
        whose = f" of {self.world.players.names[owner]}" if owner >= 0 else ""
        owned = [word + whose for word in words if whose]
        for word in (*owned, *(() if self.signs[piece] else words)):
            if sign := _cut(self.world.looks.get(word, Look()).symbol.get(self.language, "")):
                return sign if word in owned else self._of_owner(sign, owner)
        return self._lettered(v, piece, owner)

    def _names_of(self, v: State, piece: int) -> list[str]:
        """What `looks:` may call a piece, the most exact first."""
        return list(dict.fromkeys((self._word(v, piece), self._row_name(piece), self.kind_of[piece].name)))

    def _picture(self, v: State, piece: int, owner: int) -> tuple[str, bool]:
        """The picture of a piece, and whether it says whose it is."""
        if not self.pictured:
            return "", False
        words = self._names_of(v, piece)
        whose = f" of {self.world.players.names[owner]}" if owner >= 0 else ""
        for word, alone in [(word + whose, True) for word in words if whose] + [(word, False) for word in words]:
            if picture := self.world.looks.get(word, Look()).picture:
                return picture, alone
        return "", False

    def own_colour(self, v: State, piece: int) -> str | None:
        """The colour of what a piece is, whoever has it."""
        return self._own_colour(v, piece)

    def _letter(self, v: State, piece: int, owner: int) -> str:
        word = self._word(v, piece)
        letter = self._sign(word) or self._sign(self._row_name(piece)) or self._sign(self.kind_of[piece].name)
        if word == self.alone and not letter:
            return self.seat_letters[owner] if owner >= 0 else "*"
        return self._of_owner(letter or self.letters.get(word, "*"), owner)

    def _of_owner(self, letter: str, owner: int) -> str:
        """The letter so that one sees whose it is: small for the second of two, else with the owner's."""
        if owner < 0 or self.world.players.size < 2:
            return letter
        if self.world.players.size == 2 and letter.upper() != letter.lower():
            return letter if owner == 0 else letter.lower()
        return letter + self.seat_letters[owner].lower()

    def marked(self, v: State, pieces: Sequence[int]) -> Iterator[Mark]:
        """The marks of pieces, those that nobody may know as hidden; several alike are one with their number."""
        counted: dict[Mark, int] = {}
        for piece in pieces:
            mark = HIDDEN if piece < 0 else self.piece(v, piece)
            counted[mark] = counted.get(mark, 0) + 1
        for mark, count in counted.items():
            yield mark.times(count)

    def colour_of_player(self, v: State, seat: int) -> str:
        """A colour that a player has in play, as a value; else the one of the seat."""
        for value in self.world.values:
            own = len(value.keys) == 1 and isinstance(value.keys[0], Elem) and value.keys[0].root is self.world.players
            if not own or value.seen is not None or not isinstance(value.type, Elem):
                continue
            member = v[value.base + seat * value.width]
            if value.type.root.kind == "enum" and member >= 0:
                colour = self.colour_of(str(value.type.root.names[member]))
                if colour:
                    return colour
        return player_colour(self.world, seat)

    def _own_colour(self, v: State, piece: int) -> str | None:
        words = [self._row_name(piece), *sorted(self._values(v, piece)), self.kind_of[piece].name]
        return next((colour for word in words if (colour := self.colour_of(word))), None)

    # --------------------------------------------------------------------------------------------- spaces

    def marks(self, v: State, info: BoardInfo, shown: dict[str, Any] | None) -> list[Mark | None]:
        """What is on every space of a board; `shown` is the board as a view has it."""
        parts = [part for part in self.world.parts if part.kind.tile == info.name]
        found: list[Mark | None] = [None] * info.root.size
        for space in self.used(v, info):
            name = info.root.names[space]
            lying = self.lying(v, info.first_spot + space, None if shown is None else shown.get(name, []))
            for part in parts if lying else ():
                for number, tile in enumerate(part.owner):
                    if tile in lying:
                        known = None if shown is None else shown.get(part.root.names[number], [])
                        lying += self.lying(v, part.first_spot + number, known)
            found[space] = self._heap(v, lying) if lying else None
        return found

    def used(self, v: State, info: BoardInfo) -> set[int]:
        """The spaces of a board with something on them; large boards are mostly empty."""
        at, first, count = self.spots.at, info.first_spot, info.root.size
        return {spot - first for spot in v[at : at + self.world.pieces.size] if 0 <= spot - first < count}

    def told(self, v: State, info: BoardInfo, tokens: bool = True) -> list[Told]:
        """What the spaces of a board tell: their tokens, their state, then values that all see."""
        shown, spaces = self.world.data["shown"], range(info.root.size)
        signs_of = {item.name for item in shown["boards"][info.name]}  # these stand there already
        found = []
        for pool in self.world.pools if tokens else ():
            for word, (_, base, holder) in pool.holders.items():
                if holder is info.root and shown["pools"].get(pool.name) != "never":
                    marks = [self._held(v, pool, base + space * pool.size) for space in spaces]
                    found.append(Told(self._title(word), marks))
        for field in self.machine.program.layout.fields:
            if field.kind == "state" and field.owner is info.root and field.width == 1:
                name = field.name.partition(".")[2]
                if name not in signs_of:
                    found.append(self._told(v, name, field.type, [field.base + space for space in spaces]))
        for value in self.world.values:
            keyed = value.keys[0] if len(value.keys) == 1 else None
            own = isinstance(keyed, Elem) and keyed.root is info.root and value.seen is None and value.width == 1
            if own and shown["values"].get(value.name) != "never" and value.name not in signs_of:
                found.append(self._told(v, value.name, value.type, [value.base + space for space in spaces]))
            found += self._told_by_player(v, value, info.root)
        return [one for one in found if any(one.marks)]

    def _told_by_player(self, v: State, value: Any, root: Root) -> Iterator[Told]:
        """A value that each player has of each space, where it is shown and all see it."""
        roots = [key.root for key in value.keys if isinstance(key, Elem)]
        when = self.world.data["shown"]["values"].get(value.name, "never")
        if roots != [self.world.players, root] or value.seen is not None or value.width != 1 or when == "never":
            return
        for seat in range(self.world.players.size):
            slots = [value.base + seat * root.size + space for space in range(root.size)]
            told = self._told(v, value.name, value.type, slots)
            yield Told(f"{told.title} ({self.titled_member(self.world.players, seat)})", told.marks)

    def _told(self, v: State, name: str, kind: Any, slots: list[int]) -> Told:
        bar = isinstance(kind, Bool) and not self._sign(name)
        return Told(self._title(name), [self._scalar(v[slot], kind, name) for slot in slots], bar)

    def _held(self, v: State, pool: PoolInfo, base: int) -> Mark | None:
        """The tokens on a space: how many, and of which sort where there is only one there."""
        sorts = [i for i in range(pool.size) if v[base + i]]
        total = sum(v[base + i] for i in sorts)
        if pool.of is not None and len(sorts) == 1:
            mark = self.member(pool.of, sorts[0])
            return Mark(_cut(f"{mark.text}{total}" if total > 1 else mark.text), mark.colour)
        return Mark(str(total)[:_WIDEST]) if total else None

    def lying(self, v: State, spot: int, shown: Sequence[Any] | None) -> list[int]:
        """The pieces on a spot, from the bottom up; -1 for those that the view does not know."""
        pieces = list(self.machine.pieces.on(v, spot)) if self.world.pieces.size else []
        if shown is None:
            return pieces
        known = [name is not None for name in shown]
        return [p if seen else -1 for p, seen in zip(pieces, known, strict=False)]

    def _heap(self, v: State, lying: Sequence[int]) -> Mark:
        """The topmost piece; of several one sees how many they are."""
        top = HIDDEN if lying[-1] < 0 else self.piece(v, lying[-1])
        tiles = [p for p in lying if p >= 0 and self.kind_of[p].tile]
        count = len(lying) - (len(tiles) if len(tiles) < len(lying) else 0)
        if count < 2:
            return top
        more = str(count) if columns(top.text) + len(str(count)) <= _WIDEST else "+"
        return Mark(_cut(top.text, _WIDEST - len(more)) + more, top.colour, top.bold)

    def tells(self, info: BoardInfo) -> bool:
        """Whether the spaces of a board may have something to tell by themselves."""
        fields = self.machine.program.layout.fields
        return (
            any(holder is info.root for pool in self.world.pools for _, _, holder in pool.holders.values())
            or any(field.kind == "state" and field.owner is info.root for field in fields)
            or any(isinstance(key, Elem) and key.root is info.root for value in self.world.values for key in value.keys)
        )

    def value(self, v: State, info: BoardInfo, space: int) -> Mark | None:
        """Tokens on a space without pieces, else the first thing that the space itself tells."""
        if (tokens := self._tokens(v, info.root, space)) is not None:
            return Mark(str(tokens)[:_WIDEST]) if tokens else None
        for field in self.machine.program.layout.fields:
            if field.kind == "state" and field.owner is info.root and field.width == 1:
                return self._scalar(v[field.base + space], field.type, field.name.partition(".")[2])
        for value in self.world.values:
            keyed = value.keys[0] if len(value.keys) == 1 else None
            if isinstance(keyed, Elem) and keyed.root is info.root and value.seen is None and value.width == 1:
                return self._scalar(v[value.base + space], value.type, value.name)
        return None

    def _tokens(self, v: State, root: Root, space: int) -> int | None:
        """How many tokens are on a space; None where there are never any."""
        total = None
        for pool in self.world.pools:
            for _, base, holder in pool.holders.values():
                if holder is root:
                    total = (total or 0) + sum(v[base + space * pool.size : base + (space + 1) * pool.size])
        return total

    def sign_of(self, value: Any, kind: Any, name: str) -> Mark | None:
        """A value as the sign of a space that shows it; nothing where it says nothing."""
        if isinstance(kind, Elem) and kind.root.kind == "space" and value >= 0:
            return Mark(self._space_letters(kind.root)[value], bold=True)
        return self._scalar(value, kind, name)

    def _space_letters(self, root: Root) -> list[str]:
        """Two letters for each space."""
        if root not in self._letters_of_spaces:
            titles = {name: self.titled_member(root, value) for value, name in enumerate(root.names)}
            self._letters_of_spaces[root] = list(letters_for(titles, self._declared(), two=True).values())
        return self._letters_of_spaces[root]

    def _scalar(self, value: int, kind: Any, name: str) -> Mark | None:
        match kind:
            case Num():
                return Mark(str(value)[:_WIDEST]) if value not in (0, NO_NUMBER) else None
            case Bool():
                return Mark(self._title(name)[:1].upper()) if value else None
            case Elem(root=root) if value >= 0 and root.kind == "player":
                return Mark(self.seat_letters[value], player_colour(self.world, value), True)
            case Elem(root=root) if value >= 0 and root.kind == "enum":
                return self.member(root, value)
        return None

    def titled(self, v: State, piece: int) -> str:
        """What a piece is called, with its owner."""
        owner = self.owner(v, piece)
        title = self._title(self._word(v, piece))
        return f"{title} ({self.titled_member(self.world.players, owner)})" if owner >= 0 else title

    def letter(self, root: Root, value: int, v: State) -> str:
        """The sign of a piece, or the one that `looks:` gives to a word."""
        return self.piece(v, value).text if root is self.world.pieces else self._sign(str(root.names[value]))

    def called(self, v: State, piece: int) -> str:
        """What a piece is called, without its owner."""
        return self._title(self._word(v, piece))

    def called_word(self, word: str) -> str:
        """What a word of the rules is called."""
        return self._title(word)

    def titled_member(self, root: Root, value: int) -> str:
        return str((root.titles[value] or {}).get(self.language) or self._title(str(root.names[value])))

    def member(self, root: Root, value: int) -> Mark:
        if (root, value) not in self._members:
            word = str(root.names[value])
            mark = Mark(self._sign(word) or self._member_letters(root)[word], self.colour_of(word))
            self._members[root, value] = mark
        return self._members[root, value]

    def _member_letters(self, root: Root) -> dict[str, str]:
        """A letter for each member without a sign of its own, different from those signs."""
        signs = {name: self._sign(name) for name in root.names}
        without = {name: self._title(name) for name, sign in signs.items() if not sign}
        return signs | letters_for(without, self._declared())

    def _declared(self) -> set[str]:
        """The signs that the game gives to words, which letters that are found must not be taken for."""
        return {_cut(look.sign(self.language)).upper() for look in self.world.looks.values() if look.symbol}

    def ground(self, v: State, info: BoardInfo) -> list[Mark | None]:
        """The first enumeration that the spaces have as a fixed attribute."""
        fixed = {name for name, _ in self._fixed_names(info)}
        for name, found in info.root.attributes.items():
            for a in found:
                if name in fixed and isinstance(a.type, Elem) and a.type.root.kind == "enum":
                    values = [self.read(v, a, space) for space in range(info.root.size)]
                    return [self._under(a.type.root, value) if value >= 0 else None for value in values]
        return [None] * info.root.size

    def _under(self, root: Root, value: int) -> Mark:
        """Small letters, so that ground is never taken for a piece."""
        mark = self.member(root, value)
        return Mark(mark.text.lower(), mark.colour)

    def _fixed_names(self, info: BoardInfo) -> Iterable[tuple[str, Node]]:
        for key, (_, node) in self.world.sections.named["boards"].items():
            written = node.get("attributes") if key == info.name and isinstance(node, Map) else None
            if isinstance(written, Map):
                yield from ((entry.key.value, entry.value) for entry in written)


# ---------------------------------------------------------------------------------------------- letters


def letters_for(titles: dict[str, str], taken: Iterable[str] = (), two: bool = False) -> dict[str, str]:
    """A short sign for every word, each different: letters of its title, the first that is free.

    >>> letters_for({"king": "king", "knight": "knight", "pawn": "pawn"})
    {'king': 'K', 'knight': 'N', 'pawn': 'P'}
    """
    found: dict[str, str] = {}
    used = set(taken)
    for word, title in titles.items():
        several = two or len(titles) > _FEW
        sign = next((s for s in _signs(title, several) if s not in used), _cut(title.upper()) or "*")
        used.add(sign)
        found[word] = sign
    return found


def _signs(title: str, two: bool) -> Iterator[str]:
    letters = [char.upper() for char in plain(title) if char.isalnum() and columns(char.upper()) == 1]
    if not letters:
        return
    digits = "".join(char for char in letters if char.isdigit())
    if digits and len(digits) <= _WIDEST - 1:  # `player_2` is 2, and `c13` is 13
        yield digits
    if not two:
        yield from letters
    yield from (letters[0] + char.lower() for char in letters[1:])


def _cut(text: str, width: int = _WIDEST) -> str:
    """As much of a text as fits."""
    text = plain(text)
    while columns(text) > width:
        text = text[:-1]
    return text


__all__ = ["Sheet", "Told", "artist_of", "ground", "letters_for", "marks", "player_colour", "sheets"]
