"""What a board is, how shapes of boards register themselves, and what may be wrong with a graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from inspect import cleandoc
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal, TypeAlias

from ruledsl.records import dataclass
from ruledsl.wording.templates import Words

if TYPE_CHECKING:
    import networkx

_LETTERED = re.compile(r"([a-z]+)(\d+)")
OFF = -1  # where a step leads that leaves the board
MOST_SPACES = 20_000

Coordinates: TypeAlias = tuple[int, ...]
Only: TypeAlias = Callable[[dict[str, int]], bool]
Row: TypeAlias = Mapping[str, object]
Table: TypeAlias = Sequence[Row]
Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = Literal["square", "hex-flat", "hex-pointy", "circle"]


class BoardError(Exception):
    """A parameter of a board that cannot be met, said in the words of a designer."""

    def __init__(
        self,
        message: str,
        parameter: str,
        row: Row | None = None,
        column: str = "",
        known: Iterable[str] = (),
        is_unmade: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.parameter = parameter
        self.row, self.column = row, column  # where in the table of the parameter
        self.known = tuple(known)  # what could stand there
        self.is_unmade = is_unmade  # whether something is missing without which there are no spaces


@dataclass(frozen=True)
class Edge:
    """A way from one space to another; a way back is an edge of its own."""

    start: int
    end: int
    label: str | None = None
    one_way: bool = False


@dataclass(frozen=True)
class Board:
    """Spaces in their natural order, and where each direction leads from each of them.

    Labelled edges are in `steps` too; `edges` has those that no direction reaches. `positions` is empty for a graph
    that nobody has laid out (see `layout.py`).
    """

    shape: str
    spaces: tuple[str, ...]
    coordinates: dict[str, tuple[int, ...]]
    directions: tuple[str, ...]
    steps: dict[str, tuple[int, ...]]
    opposite: dict[str, str]
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    border: tuple[str, ...] = ()
    meeting: tuple[str, ...] | None = None  # the directions in which neighbours lie, if not in all
    positions: tuple[Point, ...] = ()
    outline: Outline = "circle"
    joins: tuple[tuple[int, int], ...] = ()  # of the edges of another board: the two spaces of each
    unit: float = 1.0  # how long a distance of one is in the table that says where the spaces lie
    touching: int = 0  # of a growing board: how many tiles lie around a space of its frontier

    def __len__(self) -> int:
        return len(self.spaces)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of the numbers by which `at` finds a space, in their order."""
        return tuple(self.coordinates)

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The space of each name."""
        return {name: space for space, name in enumerate(self.spaces)}

    @cached_property
    def halves(self) -> tuple[tuple[str, str], ...]:
        """The column and the row that each space is named after, as e and 4 of e4; nothing if they are not."""
        found = [_LETTERED.fullmatch(name) for name in self.spaces]
        return tuple((one[1], one[2]) for one in found if one) if all(found) else ()

    @cached_property
    def at(self) -> dict[Coordinates, int]:
        """The space at each combination of coordinates; empty if the board has none."""
        return {here: space for space, here in enumerate(zip(*self.coordinates.values(), strict=True))}

    @cached_property
    def _turn(self) -> dict[str, int]:
        return {direction: place for place, direction in enumerate(self.directions)}

    @property
    def sides(self) -> tuple[str, ...]:
        """The directions that lead across a side of a space, clockwise: a square has four, though eight neighbours."""
        return self.border or self.directions

    @cached_property
    def circles(self) -> tuple[tuple[str, ...], ...]:
        """The circles in which directions turn: sides into sides, corners into corners, where both are directions."""
        grouped = [direction for group in self.groups.values() for direction in group]
        return tuple(self.groups.values()) if sorted(grouped) == sorted(self.directions) else (self.directions,)

    @cached_property
    def axes(self) -> tuple[tuple[str, str], ...]:
        """Pairs of opposite directions, each once; rows of like pieces run along them."""
        pairs = [(direction, self.opposite.get(direction)) for direction in self.directions]
        return tuple((d, back) for d, back in pairs if back and self._turn[d] < self._turn[back])

    @cached_property
    def links(self) -> tuple[Edge, ...]:
        """All edges, those of directions included, each once."""
        written = {(edge.start, edge.label) for edge in self.edges}
        stepped = (
            Edge(space, near, direction)
            for direction in self.directions
            for space, near in enumerate(self.steps[direction])
            if near != OFF and (space, direction) not in written
        )
        return self.edges + tuple(stepped)

    @cached_property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each space, in natural order."""
        near: list[set[int]] = [set() for _ in self.spaces]
        for direction in self.directions:
            if self.meeting is None or direction in self.meeting:
                for spaces, to in zip(near, self.steps[direction], strict=True):
                    spaces.add(to)
        for edge in self.edges:
            if self.meeting is None or edge.label in self.meeting:
                near[edge.start].add(edge.end)
        return tuple(tuple(sorted(spaces - {OFF})) for spaces in near)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """The neighbours of each space as a set: a number with a bit for each."""
        return tuple(sum([1 << space for space in spaces]) for spaces in self.adjacent)

    def neighbors(self, space: int, directions: Sequence[str] | None = None) -> tuple[int, ...]:
        """The spaces one step away, in natural order: those that count as neighbours, or in the given directions."""
        if directions is None:
            return self.adjacent[space]
        return tuple(sorted({self.steps[direction][space] for direction in directions} - {OFF}))

    @cached_property
    def _rim(self) -> tuple[str, ...]:
        """The directions that must all lead on for a space to be inside.

        On the dark squares of a chequered board no orthogonal step exists, so there the diagonals decide.
        """
        used = tuple(d for d, near in self.steps.items() if any(space != OFF for space in near))
        void = not set(used).intersection(self.border)
        return used if self.border and used and void else self.border

    @cached_property
    def edge(self) -> tuple[bool, ...]:
        """Of each space whether a neighbour is missing; never so on rings and on graphs, where none is expected."""
        rows = [self.steps[direction] for direction in self._rim]
        return tuple(OFF in here for here in zip(*rows, strict=True)) if rows else (False,) * len(self)

    def locate(self, row: Row) -> int | None:
        """The space that a table row is about: by `name` or `id`, an edge by its ends, else by coordinates."""
        name = row_name(row)
        if name is not None:
            return self.index_of.get(name)
        if self.joins:
            one, other = row.get("from"), row.get("to")
            return self.index_of.get(f"{one}_{other}", self.index_of.get(f"{other}_{one}"))
        try:
            return self.at.get(tuple(int(str(row[name])) for name in self.coordinate_names))
        except (KeyError, ValueError):
            return None


# ---------------------------------------------------------------------------------- building


def from_cells(
    shape: str,
    cells: Mapping[Coordinates, str],
    names: Sequence[str],
    offsets: Mapping[str, Coordinates],
    position: Callable[..., Point],
    *,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    border: tuple[str, ...],
    meeting: tuple[str, ...] | None = None,
    outline: Outline,
) -> Board:
    """A board of cells (coordinates to name) whose neighbours differ by the offset of a direction."""
    at = {cell: space for space, cell in enumerate(cells)}
    columns = list(zip(*cells, strict=True))  # each coordinate of all cells
    steps = {}
    for direction, offset in offsets.items():
        moved = ([x + by for x in column] for column, by in zip(columns, offset, strict=True))
        steps[direction] = tuple(at.get(cell, OFF) for cell in zip(*moved, strict=True))
    toward = {offset: direction for direction, offset in offsets.items()}
    return Board(
        shape=shape,
        spaces=tuple(cells.values()),
        coordinates=dict(zip(names, columns, strict=True)),
        directions=tuple(offsets),
        steps=steps,
        opposite={d: toward[tuple(-part for part in offset)] for d, offset in offsets.items()},
        groups=dict(groups or {}),
        border=border,
        meeting=meeting,
        positions=tuple(position(*cell) for cell in cells),
        outline=outline,
    )


def restrict(board: Board, kept: Sequence[int]) -> Board:
    """The board without the spaces that are not kept; names and coordinates stay as they were."""
    new = {space: place for place, space in enumerate(kept)}
    return replace(
        board,
        spaces=tuple(board.spaces[space] for space in kept),
        coordinates={name: tuple(values[s] for s in kept) for name, values in board.coordinates.items()},
        steps={d: tuple(new.get(near[s], OFF) for s in kept) for d, near in board.steps.items()},
        edges=tuple(
            replace(edge, start=new[edge.start], end=new[edge.end])
            for edge in board.edges
            if edge.start in new and edge.end in new
        ),
        positions=tuple(board.positions[space] for space in kept) if board.positions else (),
    )


def letters(number: int, skipped: str = "") -> str:
    """1 is a, 26 is z, 27 is aa; some letters may be left out.

    >>> letters(28), letters(9, "i")
    ('ab', 'j')
    """
    used = [letter for letter in ascii_lowercase if letter not in skipped]
    text = ""
    while number:
        number, rest = divmod(number - 1, len(used))
        text = used[rest] + text
    return text


def files(board: Board) -> dict[int, str]:
    """What the columns of a grid are called: `a` where the squares are called `a1`, `a2` …"""
    places = zip(board.spaces, board.coordinates["x"], board.coordinates["y"], strict=True)
    return {x: name.removesuffix(str(y)) if "," not in name else str(x) for name, x, y in places}


def row_name(row: Row) -> str | None:
    """The name that a table row gives, in its column `name` or `id`."""
    return next((str(row[column]) for column in ("name", "id") if row.get(column) not in (None, "")), None)


def row_number(row: Row, column: str, parameter: str) -> int:
    """The whole number in a column of a table row."""
    try:
        text = str(row[column])
        return int(text.replace("_", "x"))  # `3_000` is Python's, not ours
    except KeyError:
        raise BoardError(f"a row of `{parameter}` has no `{column}`", parameter, row) from None
    except ValueError:
        message = f"`{column}` must be a whole number, not `{row[column]}`"
        raise BoardError(message, parameter, row, column) from None


def first_repeated(names: Sequence[str]) -> str | None:
    """The first name that stands more than once."""
    return next((name for name, times in Counter(names).items() if times > 1), None)


# ---------------------------------------------------------------------------------- registry


@dataclass(frozen=True)
class Parameter:
    """What a designer may write for a shape; `words` lists the choices of a `word`."""

    type: Literal["int", "word", "table", "graph", "name", "truth", "board"]
    doc: str
    required: bool = True
    minimum: int | None = None
    maximum: int | None = None
    words: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # of a table: those that the shape asks for
    of: Literal["spaces", "edges"] = "spaces"  # of a table: what its rows are

    def problem(self, value: object) -> str | None:
        """What is wrong with a value, to be read after the name of the parameter."""
        match self.type:
            case "int":
                return self._number_problem(value)
            case "word" if value not in self.words:
                return f"must be {' or '.join(self.words)}, not `{value}`"
            case "truth" if not isinstance(value, bool):
                return f"must be true or false, not `{value}`"
            case "name" if not isinstance(value, str) or not value.strip():
                return f"must be a name, not `{value}`"
            case "graph" if isinstance(value, str):
                return f"must be a graph that was read, not `{value}`"
            case "table" if not _is_table(value):
                return "must be a table: a list of rows"
            case "table" if len(value) > MOST_SPACES:  # type: ignore[arg-type]
                return f"has more than {MOST_SPACES} rows"
            case _:
                return None

    def _number_problem(self, value: object) -> str | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"must be a whole number, not `{value}`"
        if self.minimum is not None and value < self.minimum:
            return f"must be at least {self.minimum}, not {value}"
        if self.maximum is not None and value > self.maximum:
            return f"must be at most {self.maximum}, not {value}"
        return None


def _is_table(value: object) -> bool:
    return isinstance(value, Sequence) and all(isinstance(row, Mapping) for row in value)


@dataclass(frozen=True)
class Shape:
    """A registered shape: what it is called, what it takes, what it is about, and how it is built.

    A nested shape has its parameters in a map of its own (`grid: {width: 3, height: 3}`); those of the
    others are keys of the board itself (`ring: 6, hub: keep`). `key` is the word that announces the shape.
    """

    name: str
    parameters: dict[str, Parameter]
    coordinates: tuple[str, ...]
    nested: bool
    one_of: tuple[str, ...]
    doc: str
    build: Callable[..., Board]
    words: Words
    nearer: int = 0  # of a shape that can grow: how many neighbours of a space lie one step nearer a side
    tried: tuple[str, ...] = ()  # other words for its key that one might try first

    @property
    def of_another(self) -> bool:
        """Whether such a board is made from another board of the game."""
        return any(parameter.type == "board" for parameter in self.parameters.values())

    @property
    def key(self) -> str:
        """The key of a board by which the shape is known."""
        return self.name if self.nested else next(iter(self.parameters))

    def make(self, params: Mapping[str, object], only: Only | None = None) -> Board:
        """The board with these parameters, and of its spaces those that `only` approves by coordinates."""
        self._check(params)
        board = self._built(params)
        return board if only is None else self._filtered(board, only)

    def _built(self, params: Mapping[str, object]) -> Board:
        """The whole board; the last ones are kept, for most options of a game change nothing about its board."""
        given = {_python_name(name): value for name, value in params.items()}
        if any(parameter.type in ("table", "board") for name, parameter in self.parameters.items() if name in params):
            return self.build(**given)
        key = self.name, *sorted(given.items())
        if key not in _BUILT:
            while len(_BUILT) >= _MOST_BUILT:
                del _BUILT[next(iter(_BUILT))]
            _BUILT[key] = self.build(**given)
        return _BUILT[key]

    def _check(self, params: Mapping[str, object]) -> None:
        for name, value in params.items():
            if name not in self.parameters:
                raise BoardError(f"`{self.key}` has no `{name}`; it takes {_listed(self.parameters)}", name)
            problem = self.parameters[name].problem(value)
            if problem:
                raise BoardError(f"`{name}` {problem}", name)
        for name, parameter in self.parameters.items():
            if parameter.required and name not in params and not params.get("growing"):
                raise BoardError(f"`{self.key}` needs `{name}`: {parameter.doc}", name, is_unmade=True)
        given = [name for name in self.one_of if name in params]
        if self.one_of and len(given) != 1 and not params.get("growing"):
            name = given[1] if given else self.one_of[0]
            raise BoardError(f"`{self.key}` takes exactly one of {_listed(self.one_of)}", name, is_unmade=True)

    def _filtered(self, board: Board, only: Only) -> Board:
        if not self.coordinates:
            raise BoardError(f"`only` needs coordinates, and the spaces of `{self.key}` have none", "only")
        here = zip(*board.coordinates.values(), strict=True)
        kept = [s for s, c in enumerate(here) if only(dict(zip(board.coordinates, c, strict=True)))]
        if not kept:
            raise BoardError("`only` leaves no spaces: it is false for all of them", "only", is_unmade=True)
        return restrict(board, kept)


SHAPES: dict[str, Shape] = {}
_BUILT: dict[tuple[object, ...], Board] = {}
_MOST_BUILT = 8


# ---------------------------------------------------------------------------------- growing

FARTHEST_TILE = 40  # a window that is worked out is no larger: who lays more tiles in one line gives a radius


def growing_parameters(radius: str) -> dict[str, Parameter]:
    """What a shape takes that can grow; `radius` documents how far from the middle tiles may lie."""
    return {
        "growing": Parameter("truth", "`true`: there is no border, tiles make the board", required=False),
        "touching": Parameter("int", "how many tiles must touch a space of the frontier (default: 1)", False, 1, 6),
        "radius": Parameter("int", radius, required=False, minimum=0, maximum=81),
    }


def window(tiles: int, start: int, touching: int, nearer: int) -> int:
    """How far from the middle a tile can come to lie.

    The first tile in a row of spaces farther out than all before touches only tiles of the row behind it, and no more
    than `nearer` of them. So the row behind has at least `touching` tiles before the next row is begun.
    """
    if touching > nearer or not tiles:
        return start
    return min(FARTHEST_TILE, start + 1 + (tiles - 1) // touching)


def check_growing(growing: bool, touching: int | None, given: Mapping[str, object]) -> None:
    """Refuse what does not go together with a board that grows, or only with one."""
    if growing:
        for name, value in given.items():
            if value is not None:
                raise BoardError(f"a growing board has no `{name}`", name)
    elif touching is not None:
        raise BoardError("`touching` goes with `growing: true`", "touching")


def board_shape(
    name: str,
    parameters: dict[str, Parameter],
    words: Words,
    *,
    coordinates: tuple[str, ...] = (),
    nested: bool = False,
    one_of: tuple[str, ...] = (),
    nearer: int = 0,
    tried: tuple[str, ...] = (),
) -> Callable[[Callable[..., Board]], Callable[..., Board]]:
    """Register a function as the builder of a shape; a parameter `from` reaches it as `from_`.

    `words` tell such a board: `{spaces}` is how many spaces it has, `{names}` what they are called, a coordinate
    (`{x}`) how many different ones there are, and a parameter that names something (`{hub}`) is that name. A number
    that is given (`{ring}`) is told as it is written.
    """

    def register(build: Callable[..., Board]) -> Callable[..., Board]:
        assert name not in SHAPES, f"two shapes are called {name}"
        doc = cleandoc(build.__doc__ or "")
        SHAPES[name] = Shape(name, parameters, coordinates, nested, one_of, doc, build, words, nearer, tried)
        for known in sorted(SHAPES):  # in the same order whoever is imported first
            SHAPES[known] = SHAPES.pop(known)
        return build

    return register


def _python_name(name: str) -> str:
    return "from_" if name == "from" else name


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def check_size(spaces: int, parameter: str) -> None:
    """Refuse a board of too many spaces before it is built."""
    if spaces > MOST_SPACES:
        raise BoardError(f"the board has {spaces} spaces; at most {MOST_SPACES} are possible", parameter)


# ---------------------------------------------------------------------------------- analysis


@dataclass(frozen=True)
class Problem:
    """What is odd about a board: `kind` is disconnected, one-way or lonely."""

    kind: Literal["disconnected", "one-way", "lonely"]
    spaces: tuple[int, ...]
    message: str


def check_graph(board: Board) -> list[Problem]:
    """What a designer may not have meant: parts that do not meet, edges without return, lonely spaces."""
    return [*_lonely(board), *_disconnected(board), *_one_way(board)]


def _lonely(board: Board) -> Iterator[Problem]:
    met = {space for link in board.links for space in (link.start, link.end)}
    alone = tuple(space for space in range(len(board)) if space not in met)
    if alone and len(board) > 1:
        verb = "has" if len(alone) == 1 else "have"
        yield Problem("lonely", alone, f"{_some(board, alone)} {verb} no neighbours")


def _is_connected(board: Board) -> bool:
    """Whether all spaces that have neighbours are joined. networkx would tell, too, and takes longer to load than most
    games to check; so it is asked only where there are parts to be told of."""
    near: dict[int, set[int]] = {}
    for link in board.links:
        near.setdefault(link.start, set()).add(link.end)
        near.setdefault(link.end, set()).add(link.start)
    reached: set[int] = set()
    waiting = [*near][:1]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += near[here] - reached
    return len(reached) == len(near)


def _disconnected(board: Board) -> Iterator[Problem]:
    if _is_connected(board):
        return
    from networkx import DiGraph, weakly_connected_components

    ways: networkx.DiGraph[int] = DiGraph([(link.start, link.end) for link in board.links])
    parts = sorted(sorted(part) for part in weakly_connected_components(ways))
    for part in parts[1:]:
        origin = board.spaces[parts[0][0]]
        yield Problem("disconnected", tuple(part), f"there is no path from `{origin}` to {_some(board, part)}")


def _one_way(board: Board) -> Iterator[Problem]:
    there = {(link.start, link.end) for link in board.links}
    for edge in board.edges:
        if not edge.one_way and (edge.end, edge.start) not in there:
            start, end = board.spaces[edge.start], board.spaces[edge.end]
            message = f"an edge leads from `{start}` to `{end}`, but none back"
            yield Problem("one-way", (edge.start, edge.end), f"{message}; is it `one_way: true`?")


def _some(board: Board, spaces: Sequence[int], most: int = 3) -> str:
    names = ", ".join(f"`{board.spaces[space]}`" for space in spaces[:most])
    more = len(spaces) - most
    return f"{names} and {more} more" if more > 0 else names
