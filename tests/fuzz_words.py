"""Expressions at random, typed by what is asked for: one part of the fuzzer, see `fuzz.py`.

`Words.of(type, depth)` gives the text of an expression that has that type in the scope as it stands. Whoever knows a
new function of the language adds a line to one of the `_number`, `_truth`, `_element` … lists here; the test of
completeness in `test_fuzz.py` names the functions that no game ever uses.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class T:
    """A type as the fuzzer has it: `of` is the name of a finite set, or `number`."""

    sort: str  # truth, number, one, set, list, bag
    of: str = ""
    low: int = 0
    high: int = 0
    maybe: bool = False


TRUTH, NUMBER = T("truth"), T("number", "number", 0, 9)


def one(of: str, maybe: bool = False) -> T:
    return T("one", of, maybe=maybe)


def set_of(of: str) -> T:
    return T("set", of)


def list_of(of: str) -> T:
    return T("list", of)


@dataclass
class Kind:
    """A finite set: players, the members of a type, the spaces of a board, the pieces of a kind, directions."""

    name: str  # the word for one of them, which is a type
    sort: str  # player, enum, space, piece, part, direction
    members: list[str] = field(default_factory=list)  # those that can be named
    whole: str = ""  # all of them, as an expression
    has: dict[str, T] = field(default_factory=dict)  # what can be asked of each: attributes, state, values
    kept: dict[str, T] = field(default_factory=dict)  # of these, what can be set
    codes: dict[str, T] = field(default_factory=dict)  # formulas in rows: what they give, where they take nothing
    board: Any = None  # of spaces: what is known of the board
    shows: str = ""  # of tiles: what each shows to its sides
    made_of: str = ""  # of tiles: the word for their parts
    owned: bool = False  # of pieces: each player has some


@dataclass
class Board:
    name: str
    word: str
    shape: str  # grid, hexes, ring, track, spaces, edges
    directions: list[str]
    several: bool  # holds any number of pieces
    growing: bool = False
    per_player: bool = False
    own: list[str] = field(default_factory=list)  # names of spaces
    of: Board | None = None  # of edges: the board whose spaces they join
    edges: Board | None = None


@dataclass
class Place:
    name: str
    holds: str
    per: str = ""
    pile: bool = False
    row: bool = False
    slots: int = 0
    most: int = 0  # how many it holds, where that is said

    @property
    def ordered(self) -> bool:
        return self.pile or self.row or self.slots > 0


@dataclass
class Pool:
    name: str
    of: str
    mine: str
    common: str = ""
    limited: bool = False
    trade: str = ""  # an exchange of its tokens


@dataclass
class Formula:
    name: str
    takes: list[T]
    gives: T


@dataclass
class Effect:
    name: str
    takes: list[T]
    quiet: bool  # it neither asks nor rolls


@dataclass
class World:
    """What a game at random has declared so far."""

    rng: random.Random
    players: tuple[int, int] = (2, 2)
    seats: list[str] = field(default_factory=list)
    kinds: dict[str, Kind] = field(default_factory=dict)
    boards: list[Board] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    pools: list[Pool] = field(default_factory=list)
    values: dict[str, tuple[T, list[str]]] = field(default_factory=dict)  # type, and what they are per
    formulas: list[Formula] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    histories: list[str] = field(default_factory=list)
    limited: list[str] = field(default_factory=list)  # actions with a limit
    _names: int = 0

    def name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def sorted(self, *sorts: str) -> list[Kind]:
        return [kind for kind in self.kinds.values() if kind.sort in sorts]


class Words:
    """Writes expressions in a scope of local names."""

    def __init__(self, world: World) -> None:
        self.world, self.rng = world, world.rng
        self.scope: dict[str, T] = {}
        self.me = True  # whether somebody acts
        self.fixed = False  # before play: neither values nor pieces are anywhere yet

    @contextmanager
    def inner(self, **names: T) -> Iterator[None]:
        before = dict(self.scope)
        self.scope |= names
        try:
            yield
        finally:
            self.scope = before

    def of(self, kind: T, depth: int = 2) -> str:
        match kind.sort:
            case "truth":
                return self.truth(depth)
            case "number":
                return self.number(depth, kind)
            case "one":
                return self.maybe(kind.of, depth) if kind.maybe else self.one(kind.of, depth)
            case "set":
                return self.set(kind.of, depth)
            case "list":
                return self.list(kind.of, depth)
            case "bag":
                return self.bag(kind.of, depth)
        raise AssertionError(kind)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def _pick(self, ways: list[Callable[[], str | None]], tries: int = 8) -> str | None:
        for _ in range(tries):
            if not ways:
                return None
            found = self.rng.choice(ways)()
            if found is not None:
                return found
        return None

    def locals(self, sort: str, of: str, maybe: bool = False) -> list[str]:
        return [n for n, t in self.scope.items() if (t.sort, t.of, t.maybe) == (sort, of, maybe)]

    # ------------------------------------------------------------------------------ what everything can be

    def _common(self, kind: T, depth: int) -> list[Callable[[], str | None]]:
        """Local names, values, attributes, formulas: whatever has a type."""

        def local() -> str | None:
            found = self.locals(kind.sort, kind.of, kind.maybe)
            return self.rng.choice(found) if found else None

        def value() -> str | None:
            found = [(n, per) for n, (t, per) in self.world.values.items() if _same(t, kind)]
            if not found or self.fixed:
                return None
            name, per = self.rng.choice(found)
            return self.at(name, per, depth - 1)

        def attribute() -> str | None:
            found = [(k, n) for k in self.world.kinds.values() for n, t in k.has.items() if _same(t, kind)]
            if not found or depth <= 0 or self.fixed:
                return None
            owner, name = self.rng.choice(found)
            return f"{self.one(owner.name, depth - 1)}.{name}"

        def formula() -> str | None:
            found = [f for f in self.world.formulas if _same(f.gives, kind)]
            if not found or self.fixed or not self.me:
                return None
            f = self.rng.choice(found)
            return f"{f.name}({', '.join(self.of(t, depth - 1) for t in f.takes)})" if f.takes else f.name

        def code() -> str | None:
            found = [(k, n) for k in self.world.kinds.values() for n, t in k.codes.items() if _same(t, kind)]
            if not found or depth <= 0 or self.fixed or not self.me:
                return None
            owner, name = self.rng.choice(found)
            return f"{self.one(owner.name, 0)}.{name}"

        def either() -> str | None:
            if depth <= 1:
                return None
            return f"(if {self.truth(depth - 1)} then {self.of(kind, depth - 1)} else {self.of(kind, depth - 1)})"

        return [local, local, local, value, value, attribute, formula, code, either]

    def at(self, name: str, per: list[str], depth: int) -> str:
        """A value: by its key in brackets, or behind the member."""
        if not per:
            return name
        keys = [self.number(0, T("number", "number", 0, 2)) if k == "number" else self.one(k, depth) for k in per]
        if len(per) == 1 and per[0] != "number" and self.chance(0.5):
            return f"{keys[0]}.{name}"
        if len(per) == 2 and self.chance(0.4):
            return f"{keys[0]}.{name}[{keys[1]}]"
        return f"{name}[{', '.join(keys)}]"

    # -------------------------------------------------------------------------------------------- numbers

    def number(self, depth: int, kind: T = NUMBER) -> str:
        """A number; where a range is wanted one within it, mostly by `clip`."""
        text, low, high = self._number(depth), kind.low, kind.high
        if text.isdecimal() and not low <= int(text) <= high:
            return str(self.rng.randint(low, high))
        if text.isdecimal() or self.chance(0.04):
            return text
        if low == 0 and high == 9 and self.chance(0.3):
            return f"min(9, max(0, {text}))"
        return f"clip({text}, {low}, {high})"

    def _number(self, depth: int) -> str:
        rng, lesser = self.rng, depth - 1
        if depth <= 0 or self.fixed:
            names = self.locals("number", "number")
            return rng.choice(names) if names and self.chance(0.6) else str(rng.choice([0, 1, 1, 2, 3, 5, 12]))

        def any_root() -> str:
            return self.root()

        def piece_count() -> str | None:
            place = self.place(lesser)
            return f"count({place})" if place else None

        def counting() -> str:
            return f"count({self.source(any_root(), lesser)})"

        def summing() -> str:
            x, root = self.world.name("n"), any_root()
            domain = self.set(root, lesser)
            with self.inner(**{x: one(root)}):
                where = f" where {self.truth(lesser)}" if self.chance(0.4) else ""
                return f"sum({self._number(lesser)} for {x} in {domain}{where})"

        def extreme() -> str:
            x, root = self.world.name("n"), any_root()
            domain = self.set(root, lesser)
            with self.inner(**{x: one(root)}):
                return f"({rng.choice(['max', 'min'])}({self._number(lesser)} for {x} in {domain}) otherwise 0)"

        def plain_extreme() -> str:
            numbers = [self._number(lesser) for _ in range(rng.choice([2, 2, 3]))]
            return f"{rng.choice(['max', 'min', 'gcd'])}({', '.join(numbers)})"

        def cut() -> str:
            return f"clip({self._number(lesser)}, {self._number(0)}, {self._number(0)})"

        def arithmetic() -> str:
            op = rng.choice(["+", "-", "*", "+", "-"])
            return f"({self._number(lesser)} {op} {self._number(lesser)})"

        def dividing() -> str:
            by = rng.choice(["2", "3", f"(1 + abs({self._number(0)}))"])
            return f"({self._number(lesser)} {rng.choice(['/', '%'])} {by})"

        def header() -> str:
            return rng.choice(["round", "turn_number", f"abs({self._number(lesser)})", f"-{self._number(0)}"])

        def position() -> str:
            root = any_root()
            return f"(position({self.list(root, lesser)}, {self.one(root, lesser)}) otherwise 0)"

        def distance() -> str | None:
            board = self.board()
            if board is None:
                return None
            by = self.stepping(board, lesser)
            return f"(distance({self.one(board.word, lesser)}, {self.one(board.word, lesser)}{by}) otherwise 3)"

        def groups() -> str | None:
            board = self.board()
            return f"groups({self.source(board.word, lesser)})" if board else None

        def repeats() -> str | None:
            return f"repeats({rng.choice(self.world.histories)})" if self.world.histories and self.me else None

        def used() -> str | None:
            return f"used({rng.choice(self.world.limited)})" if self.world.limited and self.me else None

        def totals() -> str | None:
            bags = self.world.sorted("enum")
            if not bags:
                return None
            of = rng.choice(bags)
            if self.chance(0.5):
                return f"total({self.bag(of.name, lesser)})"
            return f"({self.bag(of.name, lesser)}).{rng.choice(of.members)}"

        def tokens() -> str | None:
            if not self.world.pools:
                return None
            pool = rng.choice(self.world.pools)
            item = f".{rng.choice(self.world.kinds[pool.of].members)}" if pool.of else ""
            who = [f"{self.one('player', lesser)}.{pool.mine}{item}"]
            if pool.common:
                who.append(f"{pool.common}{item}")
            if pool.limited:
                who.append(f"supply.{pool.name}{item}")
            return rng.choice(who)

        def listed() -> str:
            return f"sum([{self._number(0)}, {self._number(lesser)}])"

        def middle() -> str:
            x, root = self.world.name("n"), any_root()
            domain = self.set(root, lesser)
            with self.inner(**{x: one(root)}):
                of = f"{self._number(lesser)} for {x} in {domain}"
            return f"(median({rng.choice([of, f'[{self._number(0)}, 3, {self._number(0)}]'])}) otherwise 1)"

        def ended() -> str:
            return f"({rng.choice(['first', 'last'])}({self.set('number', lesser)}) otherwise 1)"

        def item() -> str:
            return f"({self.list('number', lesser)}[{rng.randint(1, 3)}] otherwise 2)"

        ways = [
            counting, counting, piece_count, summing, extreme, plain_extreme, cut, arithmetic, arithmetic, dividing,
            header, position, distance, groups, repeats, used, totals, tokens, listed, middle, ended, item,
            *self._common(T("number", "number"), depth),
        ]  # fmt: skip
        return self._pick(ways) or "1"

    # ------------------------------------------------------------------------------------------ conditions

    def truth(self, depth: int) -> str:
        rng, lesser = self.rng, depth - 1

        def comparing() -> str:
            op = rng.choice(["==", "!=", "<", "<=", ">", ">="])
            return f"{self._number(lesser)} {op} {self._number(lesser)}"

        def same() -> str:
            root = self.root()
            maybe = self.maybe if self.chance(0.3) else self.one
            op = rng.choice(["==", "!="])
            return f"{maybe(root, lesser)} {op} {self.one(root, lesser)}"

        def among() -> str:
            root = self.root()
            return f"{self.one(root, lesser)} {rng.choice(['in', 'not in'])} {self.set(root, lesser)}"

        def in_range() -> str:
            return f"{self._number(lesser)} in {rng.randint(0, 2)}..{rng.randint(2, 6)}"

        if depth <= 0:
            return rng.choice([comparing, same, comparing, in_range])() if not self.fixed else "1 == 1"

        def joining() -> str:
            return f"({self.truth(lesser)} {rng.choice(['and', 'or'])} {self.truth(lesser)})"

        def denying() -> str:
            return f"not ({self.truth(lesser)})"

        def there() -> str:
            return f"{rng.choice(['any', 'no'])}({self.source(self.root(), lesser)})"

        def pair() -> str:
            x, y, a, b = self.world.name("a"), self.world.name("b"), self.root(), self.root()
            first, second = self.set(a, lesser), self.set(b, 0)
            with self.inner(**{x: one(a), y: one(b)}):
                return f"any({x} in {first}, {y} in {second} where {self.truth(lesser)})"

        def throughout() -> str:
            x, root = self.world.name("e"), self.root()
            domain = self.set(root, lesser)
            with self.inner(**{x: one(root)}):
                return f"all({self.truth(lesser)} for {x} in {domain})"

        def plain() -> str:
            return f"{rng.choice(['any', 'no'])}({self.set(self.root(), lesser)})"

        def exists() -> str:
            return self.maybe(self.root(), lesser)

        def empty() -> str | None:
            board = self.board()
            if board is None:
                return None
            return f"empty({self.maybe(board.word, lesser) if self.chance(0.2) else self.one(board.word, lesser)})"

        def line() -> str | None:
            board = self.board("grid", "hexes")
            if board is None:
                return None
            space, n = self.one(board.word, lesser), rng.randint(2, 3)
            if self.chance(0.5):
                return f"line({space}, {n}, of={self.one('player', lesser)})"
            return f"line({space}, {n}, {self.source(board.word, lesser)})"

        def joined() -> str | None:
            board = self.board()
            if board is None:
                return None
            ends = f"{self.set(board.word, lesser)}, {self.set(board.word, lesser)}"
            return f"joined({ends}{self.stepping(board, lesser)}, {self.source(board.word, lesser)})"

        def would() -> str | None:
            quiet = [e for e in self.world.effects if e.quiet]
            if not quiet or not self.me:
                return None
            word = rng.choice(["would", "would", "possible"])
            return f"{word}({self.call(rng.choice(quiet), lesser)}, {self.truth(lesser)})"

        def payable() -> str | None:
            found = [pool for pool in self.world.pools if pool.of]
            if not found or not self.me or self.fixed:
                return None
            pool = rng.choice(found)
            price = f"amount(any {pool.of}, {rng.randint(0, 3)}) + {self.bag(pool.of, lesser)}"
            more = rng.choice(["", "", f", by={self.one('player', lesser)}", f", less={rng.randint(0, 2)}, least=1"])
            if "by" not in more and rng.random() < 0.2:
                return f"missing({price}{more}) <= {self.number(lesser)}"
            return f"payable({price}{more}{', after=exchanges' if pool.trade and rng.random() < 0.5 else ''})"

        def fitting() -> str | None:
            tiles = [k for k in self.world.sorted("piece") if k.made_of or k.shows]
            board = self.board()
            if not tiles or board is None or not board.growing:
                return None
            tile = rng.choice(tiles)
            name, at = self.one(tile.name, lesser), self.one(board.word, lesser)
            turn = rng.choice(["", f", {rng.randint(0, 5)}", f", {self.number(0, T('number', 'number', 0, 3))}"])
            ways = [f"edges_match({name}.{tile.shows}, {at}{turn})"] * bool(tile.shows)
            ways += [f"parts_meet({name}.{tile.made_of}, {at}{turn})"] * bool(tile.made_of)
            return rng.choice(ways)

        def bags() -> str | None:
            of = self.world.sorted("enum")
            if not of:
                return None
            name = rng.choice(of).name
            return f"{self.bag(name, lesser)} {rng.choice(['<=', '>=', '=='])} {self.bag(name, lesser)}"

        def sets() -> str:
            root = self.root()
            return f"{self.set(root, lesser)} {rng.choice(['==', '!=', '<='])} {self.set(root, lesser)}"

        def lists() -> str:
            return f"{self.list('number', lesser)} {rng.choice(['==', '<', '>='])} {self.list('number', lesser)}"

        ways = [
            comparing, comparing, same, same, among, in_range, joining, joining, denying, there, there,
            pair, throughout, plain, exists, empty, empty, line, joined, would, payable, bags, sets, lists, fitting,
            *self._common(TRUTH, depth),
        ]  # fmt: skip
        return self._pick(ways) or "1 == 1"

    def call(self, effect: Effect, depth: int) -> str:
        return f"{effect.name}({', '.join(self.of(kind, depth) for kind in effect.takes)})"

    # -------------------------------------------------------------------------------------------- members

    def root(self) -> str:
        """The name of some finite set that a rule could be about."""
        names = ["player", *self.world.kinds]
        used = [t.of for t in self.scope.values() if t.of in self.world.kinds]
        return self.rng.choice(used if used and self.chance(0.5) else names)

    def stepping(self, board: Board, depth: int) -> str:
        """Perhaps a condition on steps."""
        if not self.chance(0.4) or board.growing:
            return ""
        names = {"from": one(board.word), "to": one(board.word)}
        if board.edges is not None:
            names["edge"] = one(board.edges.word)
        with self.inner(**names):
            return f", step={self.truth(depth)}"

    def board(self, *shapes: str) -> Board | None:
        found = [b for b in self.world.boards if not shapes or b.shape in shapes]
        return self.rng.choice(found) if found else None

    def place(self, depth: int, ordered: bool = False, holds: str = "") -> str | None:
        """A place, as an expression."""
        found = [p for p in self.world.places if (not ordered or p.ordered) and (not holds or p.holds == holds)]
        if not found:
            return None
        place = self.rng.choice(found)
        if not place.per:
            return place.name
        key = self.one(place.per, depth)
        return f"{place.name}[{key}]" if self.chance(0.3) else f"{key}.{place.name}"

    def one(self, of: str, depth: int) -> str:
        """A member that is surely there."""
        kind, rng, lesser = self.world.kinds[of], self.rng, depth - 1
        names = self.locals("one", of)
        if names and (depth <= 0 or self.chance(0.5)):
            return rng.choice(names)
        certain = ["me"] if of == "player" and self.me and not self.fixed else []
        certain += kind.members if kind.sort != "piece" else []
        if depth <= 0 and certain:
            return rng.choice(certain)

        def otherwise() -> str | None:
            default = rng.choice(certain or names) if certain or names else None
            return f"({self.maybe(of, lesser)} otherwise {default})" if default else None

        def beside() -> str | None:
            return f"{rng.choice(['next', 'previous'])}({self.one(of, lesser)})" if of == "player" else None

        def turned() -> str | None:
            if kind.sort != "direction" or len(self.world.boards) != 1:
                return None
            board = self.world.boards[0]
            if board.shape == "spaces" or (board.growing and self.chance(0.5)):
                return None
            return rng.choice([f"opposite({self.one(of, lesser)})", f"({self.one(of, lesser)} + 1)"])

        def opponent() -> str | None:
            return "opponent" if of == "player" and self.world.players == (2, 2) and self.me else None

        ways = [otherwise, otherwise, beside, turned, opponent, *self._common(one(of), depth)]
        if certain:
            ways += [lambda: rng.choice(certain)] * 3
        found = self._pick(ways) if depth > 0 and not self.fixed else None
        return found or (rng.choice(certain) if certain else f"the({self.maybe(of, 0)})")

    def maybe(self, of: str, depth: int) -> str:
        """A member, or none."""
        kind, rng, lesser = self.world.kinds[of], self.rng, depth - 1

        def ended() -> str:
            return f"{rng.choice(['first', 'last'])}({self.source(of, lesser, order=True)})"

        def plain_end() -> str:
            return f"{rng.choice(['first', 'last'])}({self.set(of, lesser)})"

        if depth <= 0:
            return plain_end()

        def beside() -> str | None:
            if kind.sort not in ("space", "enum", "direction"):
                return None
            return f"{rng.choice(['next', 'previous'])}({self.one(of, lesser)})"

        def step() -> str | None:
            if kind.sort != "space" or not kind.board.directions:
                return None
            times = rng.choice(["", "", ", 2", f", {self.number(0, T('number', 'number', 0, 3))}"])
            return f"step({self.one(of, lesser)}, {self.direction(kind.board, lesser)}{times})"

        def lying() -> str | None:
            if kind.sort != "piece":
                return None
            place = self.place(lesser, ordered=True, holds=of)
            if place is not None and self.chance(0.6):
                return f"{rng.choice(['top', 'bottom'])}({place})"
            board = self.board()
            return f"{self.one(board.word, lesser)}.{of}" if board is not None else None

        def between() -> str | None:
            if kind.sort != "space" or kind.board.of is None:
                return None
            board = kind.board.of
            other = (
                self.direction(board, lesser) if board.directions and self.chance(0.4) else self.one(board.word, lesser)
            )
            return f"edge({self.one(board.word, lesser)}, {other})"

        def standing() -> str | None:
            pieces = self.world.sorted("piece")
            if not pieces or kind.sort not in ("space", "player"):
                return None
            piece = rng.choice(pieces)
            if kind.sort == "space":
                return f"{self.one(piece.name, lesser)}.{of}"
            if any(place.per != "player" for place in self.world.places if place.holds == piece.name):
                return None
            return f"{self.one(piece.name, lesser)}.holder" if self.world.places and self.holder(piece.name) else None

        def item() -> str:
            return f"{self.list(of, lesser)}[{rng.randint(1, 2)}]"

        def turn_player() -> str | None:
            return "turn_player" if of == "player" else None

        ways = [ended, ended, plain_end, beside, step, step, lying, lying, standing, item, turn_player, between]
        return self._pick([*ways, *self._common(one(of, True), depth)]) or plain_end()

    def holder(self, piece: str) -> bool:
        return any(place.per == "player" and place.holds == piece for place in self.world.places)

    def direction(self, board: Board, depth: int) -> str:
        names = self.locals("one", "direction")
        return self.rng.choice(names) if names and self.chance(0.6) else self.rng.choice(board.directions)

    # ------------------------------------------------------------------------------------- sets and lists

    def source(self, of: str, depth: int, order: bool = False) -> str:
        """`x in S where …`, perhaps with an order."""
        x = self.world.name("x")
        domain = self.set(of, depth - 1)
        with self.inner(**{x: one(of) if of != "number" else T("number", "number")}):
            where = f" where {self.truth(depth)}" if self.chance(0.8) or not order else ""
            by = f" by {self._number(max(depth, 1))}" if order and self.chance(0.6) else ""
            by += f", -{self._number(0)}" if by and self.chance(0.3) else ""
            return f"{x} in {domain}{where}{by}"

    def set(self, of: str, depth: int) -> str:
        rng, lesser = self.rng, depth - 1
        if of == "number":
            ways: list[Callable[[], str | None]] = [
                lambda: f"{rng.randint(0, 2)}..{rng.randint(2, 6)}",
                lambda: f"[{rng.randint(0, 4)}, {rng.randint(0, 9)}]",
            ]
            if depth > 0:
                ways += [self._numbers(lesser), *self._common(set_of("number"), depth)]
            return f"({self._pick(ways) or '1..3'})"
        kind = self.world.kinds[of]
        whole = kind.whole or of
        if depth <= 0:
            names = self.locals("set", of)
            return rng.choice(names) if names and self.chance(0.5) else whole

        def filtered() -> str:
            return f"set({self.source(of, lesser)})"

        def mapped() -> str:
            x, root = self.world.name("m"), self.root()
            domain = self.set(root, lesser)
            with self.inner(**{x: one(root)}):
                value = self.maybe(of, lesser) if self.chance(0.5) else self.one(of, lesser)
                return f"set({value} for {x} in {domain})"

        def algebra() -> str:
            return f"({self.set(of, lesser)} {rng.choice(['+', '-'])} {self.set(of, lesser)})"

        def without() -> str:
            return f"({self.set(of, lesser)} except {self.one(of, lesser)})"

        def top() -> str:
            x = self.world.name("t")
            domain = self.set(of, lesser)
            with self.inner(**{x: one(of)}):
                return f"{rng.choice(['most', 'least'])}({x} in {domain} by {self._number(lesser)})"

        def written() -> str:
            return f"[{self.one(of, lesser)}, {self.one(of, 0)}]"

        def around() -> str | None:
            if kind.sort != "space":
                return None
            board: Board = kind.board
            space = self.one(of, lesser) if self.chance(0.8) else self.set(of, lesser)
            if board.shape == "grid" and not board.growing and self.chance(0.4):
                if self.chance(0.5):
                    return f"leaps({self.one(of, lesser)}, {rng.choice(['1, 2', '0, 1', '2, 2'])})"
                return f"neighbors({self.one(of, lesser)}, {rng.choice(['orthogonal', 'diagonal'])})"
            if board.growing and self.chance(0.7):
                return f"frontier({board.name})"
            if board.of is not None and self.chance(0.7):
                return f"edges_of({self.one(board.of.word, lesser)})"
            if board.edges is not None and self.chance(0.3):
                return f"ends({self.one(board.edges.word, lesser)})"
            return f"neighbors({space})"

        def reached() -> str | None:
            if kind.sort != "space":
                return None
            within = rng.choice(["", "", ", within=2", f", within={self.number(0, T('number', 'number', 0, 3))}"])
            start = self.one(of, lesser) if self.chance(0.7) else self.set(of, lesser)
            by = self.stepping(kind.board, lesser)
            over = f", {self.source(of, lesser)}" if not by or self.chance(0.5) else ""
            return f"reachable({start}{within}{by}{over})"

        def held() -> str | None:
            if kind.sort != "piece":
                return None
            place = self.place(lesser, holds=of)
            ways = [f"set({place})"] if place is not None else []
            ways.append(f"reserve({of})")
            if kind.owned:
                ways += [f"{self.one('player', lesser)}.{of}", f"reserve({of}, of={self.one('player', lesser)})"]
            return rng.choice(ways)

        def as_set() -> str:
            return f"set({self.list(of, lesser)})"

        ways = [filtered, filtered, mapped, algebra, without, top, written, *[around] * 4, reached, held, as_set]
        return self._pick([*ways, lambda: whole, *self._common(set_of(of), depth)]) or whole

    def _numbers(self, depth: int) -> Callable[[], str]:
        def made() -> str:
            x, root = self.world.name("k"), self.root()
            domain = self.set(root, depth)
            with self.inner(**{x: one(root)}):
                return f"set({self.number(depth)} for {x} in {domain})"

        return made

    def list(self, of: str, depth: int) -> str:
        rng, lesser = self.rng, depth - 1
        if of == "number":
            some = ", ".join(str(rng.randint(0, 9)) for _ in range(rng.randint(1, 3)))
            if depth <= 0:
                return f"[{some}]"

            def made() -> str:
                x, root = self.world.name("l"), self.root()
                domain = self.set(root, lesser)
                with self.inner(**{x: one(root)}):
                    return f"list({self.number(lesser)} for {x} in {domain})"

            ways: list[Callable[[], str | None]] = [made, lambda: f"[{some}]", lambda: f"([{some}] + {made()})"]
            return self._pick([*ways, *self._common(list_of("number"), depth)]) or f"[{some}]"
        kind = self.world.kinds[of]

        def ordered() -> str:
            return f"list({self.source(of, lesser, order=True)})"

        if depth <= 0:
            return f"list({kind.whole or of})"

        def circle() -> str | None:
            word = rng.choice(["from", "after"])
            return f"({kind.whole or of} {word} {self.one(of, lesser)})" if kind.sort in ("player", "space") else None

        def lines() -> str | None:
            if kind.sort != "space" or not kind.board.directions:
                return None
            space, way = self.one(of, lesser), self.direction(kind.board, lesser)
            return rng.choice(
                [f"ray({space}, {way})", f"slide({space}, {way})", f"slide({space}, {way}, 2)",
                 f"between({space}, {self.one(of, lesser)})", f"ray({space}, {way}, {self.source(of, lesser)})"]
            )  # fmt: skip

        def back() -> str:
            return f"reversed({self.list(of, lesser)})"

        def lying() -> str | None:
            board = self.board()
            if kind.sort != "piece" or board is None:
                return None
            return f"pieces({self.one(board.word, lesser)}, {of})"

        def taken() -> str:
            return f"take({self.list(of, lesser)}, {rng.randint(1, 3)})"

        def written() -> str:
            return f"[{self.one(of, lesser)}, {self.one(of, lesser)}]"

        ways = [ordered, ordered, circle, *[lines] * 6, lying, lying, taken, written, back]
        return self._pick([*ways, *self._common(list_of(of), depth)]) or f"list({kind.whole or of})"

    # ----------------------------------------------------------------------------------------------- bags

    def bag(self, of: str, depth: int) -> str:
        rng, lesser = self.rng, depth - 1
        kind = self.world.kinds[of]

        def amount() -> str:
            return f"amount({self.one(of, lesser)}, {self.number(lesser)})"

        if depth <= 0:
            return amount()

        def tokens() -> str | None:
            found = [pool for pool in self.world.pools if pool.of == of]
            if not found or self.fixed:
                return None
            pool = rng.choice(found)
            return rng.choice([f"{self.one('player', lesser)}.{pool.mine}", pool.common or f"me.{pool.mine}"])

        def added() -> str:
            return f"({self.bag(of, lesser)} + {self.bag(of, lesser)})"

        def summed() -> str:
            x, root = self.world.name("g"), self.root()
            domain = self.set(root, lesser)
            with self.inner(**{x: one(root)}):
                return f"sum({self.bag(of, lesser)} for {x} in {domain})"

        ways = [amount, tokens, added, summed, lambda: f"each({of})", *self._common(T("bag", of), depth)]
        return self._pick(ways) or f"each({kind.name})"


def _same(a: T, b: T) -> bool:
    return (a.sort, a.of, a.maybe) == (b.sort, b.of, b.maybe)
