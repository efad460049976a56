"""What a seat sees of a play, as a table has it: boards, places, players, and what is counted, as plain data.

A terminal draws this, and so may a page in a browser (`as_data`). It is made of the view of the seat; what `show:` of
the game works out besides is asked through `knowing`, so that nothing hidden is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from ruledsl.boards.marks import Mark, plain
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.types import NO_NUMBER, NONE, BagOf, Bool, Elem, ListOf, Num, SetOf
from ruledsl.wording.cases import amount, counted, declined, repeated

from .counting import turn_shown
from .picture import Sheet, artist_of, sheets
from .words import Words

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

State = list[int]
_SHAPES = {"lines": "lines", "count": "count", "known": "lines"}  # by the word of `show:`


@dataclass(frozen=True)
class Thing:
    """A piece that lies in a place, or several that the seat does not know."""

    name: str | None  # as rules and views call it; None if the seat does not know it
    title: str
    facts: tuple[str, ...] = ()  # what `show:` says of it
    count: int = 1
    face: tuple[tuple[str, str], ...] = ()  # what stands on it as a card: the part, and its text


Lying: TypeAlias = tuple[Thing, tuple[int, ...]]  # with the pieces that it stands for


@dataclass(frozen=True)
class Tokens:
    """Tokens of several sorts: what they are called together, the word of each sort, and how many there are."""

    title: str
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Panel:
    """One place, or one line of what is counted: whose it is, what it is called, and what is in it."""

    sort: str  # place, pool, value, text or score
    name: str
    title: str
    seat: int | None = None
    shape: str = "text"  # for places: row, lines, pile or count
    things: tuple[Thing, ...] = ()
    text: str = ""
    phrase: str = ""  # title and text in one, where the title is counted: `5 coins`
    tokens: Tokens | None = None  # what the text tells, where it tells of tokens
    number: int | None = None  # what the text tells, where it tells one number
    place: str = ""  # of several of one sort, which
    pieces: tuple[tuple[int, ...], ...] = ()  # by thing, for who draws them; their numbers would tell secrets
    under: int = NONE  # the piece whose place it is, where each of some pieces has one, and the seat knows it
    of_each: str = ""  # what such a place is called without its piece


@dataclass(frozen=True)
class Table:
    """All that a seat sees."""

    title: str
    round: int
    turn: int
    phase: str
    seat: int | None
    players: tuple[str, ...]
    acting: tuple[int, ...]
    sheets: tuple[Sheet, ...]
    panels: tuple[Panel, ...]
    signs: tuple[tuple[Mark, str], ...] = ()  # of tokens that are written as signs, and what they stand for

    def of(self, seat: int | None) -> list[Panel]:
        """The panels of a player; without one, those of nobody."""
        return [panel for panel in self.panels if panel.seat == seat]


def table(
    play: Play,
    seat: int | None,
    language: str = "en",
    view: dict[str, Any] | None = None,
    everything: bool = False,
    brief: bool = False,
) -> Table:
    """What a seat sees of a play; without a seat, what a bystander may.

    With `everything` values are told, too, that the game does not show by itself. A `brief` table writes tokens as
    signs: `2R 1G`.
    """
    return _Tabler(play, seat, language, play.view(seat) if view is None else view, everything, brief).table()


def things_of(play: Play, seat: int | None, language: str, view: dict[str, Any]) -> Callable[[int], Thing]:
    """What a seat reads of any piece that it knows, wherever the piece lies."""
    return _Tabler(play, seat, language, view, False, False).thing


def all_printed(play: Play, seat: int | None, language: str) -> Iterator[tuple[str, str]]:
    """The title of every piece of a game, wherever it lies, and what is printed on it or else what `show:` says of it.

    What a seat may not know is left out, so nothing tells it where a piece is.
    """
    tabler = _Tabler(play, seat, language, play.view(seat), False, False)
    for piece, texts in enumerate(play.world.data["about"]):
        title = plain(str(play.words.title(play.world.pieces, piece, language)))
        yield title, plain(str(play.words.about(piece, language))) if texts else ", ".join(tabler.facts(piece))


def as_data(found: Table) -> dict[str, Any]:
    """A table as JSON has it; of boards their spaces, and where they lie."""
    data = {name: value for name, value in vars(found).items() if name not in ("sheets", "panels", "signs")}
    return data | {
        "boards": [_board(sheet) for sheet in found.sheets],
        "panels": [_panel(panel) for panel in found.panels],
    }


def _panel(panel: Panel) -> dict[str, Any]:
    data = asdict(panel)
    del data["tokens"], data["place"], data["pieces"], data["phrase"], data["under"], data["of_each"], data["number"]
    for thing in data["things"]:
        del thing["face"]
    return data


def _board(sheet: Sheet) -> dict[str, Any]:
    board = sheet.board
    shown = {
        space: {
            key: mark.text
            for key, marks in (("piece", sheet.marks), ("ground", sheet.ground))
            if (mark := marks[number]) is not None
        }
        | {told.title: mark.text for told in sheet.told if (mark := told.marks[number]) is not None}
        for number, space in enumerate(board.spaces)
    }
    return {
        "name": sheet.board_name,
        "title": sheet.name,
        "owner": sheet.owner,
        "shape": board.shape,
        "positions": [list(point) for point in board.positions],
        "edges": sorted({(min(link.start, link.end), max(link.start, link.end)) for link in board.links}),
        "spaces": shown,
    }


class _Tabler:
    """Lays the table of one seat."""

    def __init__(
        self, play: Play, seat: int | None, language: str, view: dict[str, Any], everything: bool, brief: bool
    ) -> None:
        self.everything, self.brief = everything, brief
        self.signs: dict[str, tuple[Mark, str]] = {}  # those that stand somewhere, by their word
        self.play, self.seat, self.language, self.view = play, seat, language, view
        self.world, self.words = play.world, play.words
        self.shown: dict[str, Any] = play.world.data["shown"]
        self.faces: dict[str, Any] = play.world.data["faces"]
        self.state: State = play.state_of(seat)
        self.people = names_of(play, language)
        self.bags = {info.name for info in play.world.values if isinstance(info.type, BagOf)}

    def table(self) -> Table:
        view, world = self.view, self.world
        panels = (*self._places(), *self._items(), *self._pools(), *self._values(), *self._scores())
        return Table(
            title=plain(self.play.game.title(self.language)),
            round=view["round"],
            turn=turn_shown(self.play, view),
            phase=self.people.word(view["phase"]) if view["phase"] else "",
            seat=self.seat,
            players=tuple(self.people.player(i) for i in range(world.players.size)),
            acting=tuple(self.play.pending),
            sheets=tuple(sheets(self.play, self.language, view, edges=True)),
            panels=panels,
            signs=tuple(self.signs[word] for word in self.signs_of_words if word in self.signs),
        )

    # ----------------------------------------------------------------------------------------------- places

    def _places(self) -> Iterator[Panel]:
        for info in self.world.place_infos:
            if info.name == "box":
                continue
            kind = info.name.removeprefix("reserve ") if info.name.startswith("reserve ") else ""
            when = self.shown["places"].get(info.name, "some")
            if when == "never":
                continue
            of_players = isinstance(info.per, Elem) and info.per.root is self.world.players
            for i in range(info.count):
                lying = self.view["places"].get(self.world.places.names[info.first + i])
                if lying is None or (not lying and when != "always"):
                    continue
                title = plain(self.words.title(self.world.places, info.first + i, self.language))
                title = each = self.people.word(kind) if kind else title
                if info.per is not None and not of_players:
                    title = f"{title} ({self.people.member(info.per, i)})"
                shape = _SHAPES.get(when) or ("pile" if info.ordered and not info.row else "row")
                lies = list(self._things(info, i))
                if when == "known":
                    lies = [(thing, pieces) for thing, pieces in lies if thing.name is not None]
                    if not lies:
                        continue
                if kind:
                    lies = _counted(lies)
                things, pieces = tuple(thing for thing, _ in lies), tuple(pieces for _, pieces in lies)
                place = self.world.places.names[info.first + i]
                seat = i if of_players else None
                phrase = self.people.amount(title, len(lying), things=True) if kind and shape == "count" else ""
                yield Panel(
                    "place", info.name, title, seat, shape, things, phrase=phrase, place=place, pieces=pieces,
                    under=self._piece_of(info, i), of_each=each,
                )  # fmt: skip

    def _piece_of(self, info: Any, number: int) -> int:
        """The piece whose place it is, if it has one and the seat knows which it is."""
        of_pieces = isinstance(info.per, Elem) and info.per.root is self.world.pieces
        return number if of_pieces and self.play.viewer.knows(self.state, number, self.seat) else NONE

    def _things(self, info: Any, number: int) -> Iterator[Lying]:
        """The pieces of a place: of a pile from the top down, of a row from the first on, else as the game declares
        them, and the unknown last.
        """
        machine, viewer = self.play.machine, self.play.viewer
        spot = machine.program.spots.first_place + info.first + number
        pieces = list(machine.pieces.on(self.state, spot))
        known = [
            (self.thing(piece) if viewer.knows(self.state, piece, self.seat) else self._back(piece), (piece,))
            for piece in pieces
        ]
        if info.ordered or info.slots:
            yield from reversed(known) if info.ordered and not info.row else known
            return
        # In an order that says nothing of who came first, not even of pieces that are called alike.
        seen = [(thing, piece) for thing, piece in known if thing.name is not None]
        yield from sorted(seen, key=lambda lies: (self.people.numbers[lies[0].name or ""], lies[0].facts))
        hidden: dict[tuple[str, ...], list[int]] = {}
        for thing, (piece,) in known:
            if thing.name is None:
                hidden.setdefault(thing.facts, []).append(piece)
        for facts in sorted(hidden):
            yield Thing(None, "", facts, len(hidden[facts])), tuple(hidden[facts])

    def _back(self, piece: int) -> Thing:
        """A piece that the seat does not know: no more than what everybody sees of it."""
        return Thing(None, "", tuple(self._on_back(piece)))

    def _on_back(self, piece: int) -> Iterator[str]:
        for f in self.play.viewer.open_fields:
            kind, _, name = f.name.partition(".")
            if self.world.pieces.parts.get(kind, 0) >> piece & 1:
                if fact := self._fact(self.people.word(name), f.type, self.state[f.base + piece], self.state, True):
                    yield fact

    def thing(self, piece: int) -> Thing:
        """A piece that the seat knows."""
        name = self.play.viewer.name(piece)
        facts, face = [], {}
        for kind in self.world.kinds:
            if kind.mask >> piece & 1:
                facts = [self._said(item, piece) for item in self.shown["pieces"][kind.name]]
                face = {part: self._said(item, piece) for part, item in self.faces.get(kind.name, {}).items()}
        facts += [fact for fact in self._on_back(piece) if fact not in facts]
        return Thing(name, self.people.word(name), (*facts, *self._tokens_on(piece)), face=tuple(face.items()))

    def facts(self, piece: int) -> Iterator[str]:
        """What `show:` says of a piece as far as the seat may know it, wherever the piece lies."""
        unknown = str(self.words.fixed("unknown", self.language))
        for kind in self.world.kinds:
            if kind.mask >> piece & 1:
                said = (self._said(item, piece) for item in self.shown["pieces"][kind.name])
                yield from (fact for fact in said if fact and unknown not in fact and not fact.endswith(" ?"))

    def _tokens_on(self, piece: int) -> Iterator[str]:
        """The tokens that lie on a piece."""
        name = self.world.pieces.names[piece]
        for pool in self.world.pools:
            for word, (_, _, root) in pool.holders.items():
                held = self.view["pools"].get(word, {}) if root is self.world.pieces else {}
                if name in held and self.shown["pools"].get(pool.name) != "never":
                    yield self.people.amount(self.people.word(word), held[name])

    # ------------------------------------------------------------------------------------------ what is said

    def _items(self) -> Iterator[Panel]:
        """What `show:` says of players and of the game."""
        for number, item in enumerate(self.shown["game"] or ()):
            if text := self._said(item, None):
                told = self._number_said(item, None)
                tokens = self._tokens_said(item)
                yield Panel("text", f"game {number}", "", None, text=text, tokens=tokens, number=told)
        for seat in range(self.world.players.size):
            for number, item in enumerate(self.shown["player"] or ()):
                if text := self._said(item, None, me=seat):
                    told = self._number_said(item, seat)
                    tokens = self._tokens_said(item, seat)
                    yield Panel("text", f"player {number}", "", seat, text=text, tokens=tokens, number=told)

    def _number_said(self, item: Any, me: int | None) -> int | None:
        """The number that an item of `show:` tells, if it tells one: `stack 1490`, `pot: {staked}`."""
        if item.words is not None:
            holes = [part for part in item.words.parts(self.language) if isinstance(part, C.Hole) and not part.forms]
            node, kind = (holes[0].node, holes[0].type) if len(holes) == 1 else (None, None)
        else:
            node, kind = (item.value.node, item.value.type) if item.value is not None else (None, None)
        if node is None or not isinstance(kind, Num):
            return None
        v = self.state[:]
        v[C.ME] = v[C.ME] if me is None else me
        value, told = self._ask(v, node, item.slot, None)
        return int(value) if told and value != NO_NUMBER else None

    def _tokens_said(self, item: Any, me: int | None = None) -> Tokens | None:
        """The tokens that an item of `show:` tells of, if it does."""
        if item.words is not None or item.value is None or not isinstance(item.value.type, BagOf):
            return None
        v = self.state[:]
        v[C.ME] = v[C.ME] if me is None else me
        value, told = self._ask(v, item.value.node, item.slot, None)
        names = item.value.type.root.names
        counts = tuple((str(names[i]), int(n)) for i, n in enumerate(value) if n) if told else ()
        return Tokens(self.people.word(item.name), counts) if counts else None

    def _said(self, item: Any, piece: int | None, me: int | None = None) -> str:
        """What an item of `show:` says; nothing where its value says nothing."""
        v = self.state
        if me is not None:
            v = v[:]
            v[C.ME] = me
        if item.words is None and item.value is None:
            assert piece is not None, "what says nothing of its own is the face of a piece"
            return plain(self.words.about(piece, self.language))
        if item.words is not None:
            parts = (self._part(v, part, item.slot, piece) for part in item.words.parts(self.language))
            return " ".join(plain("".join(parts)).split())
        value, told = self._ask(v, item.value.node, item.slot, piece)
        title = self.people.word(item.name)
        if not told:
            return f"{title} ?"
        return self._fact(title, item.value.type, value, v, piece is not None)

    def _fact(self, title: str, kind: Any, value: Any, v: State, of_piece: bool) -> str:
        """A value with what it is called; nothing where it says nothing."""
        if isinstance(kind, Bool):
            return title if value else ""
        if value == NO_NUMBER or (isinstance(kind, Elem) and value < 0):
            return ""
        if of_piece and not _says(kind, value):
            return ""
        text = plain(self._name(v, value, kind))
        if isinstance(kind, Elem) and of_piece:
            return text  # `red`, not `color red`
        if isinstance(kind, Num):
            return self.people.amount(title, int(value))
        if isinstance(kind, Elem):
            return f"{title} {text}"
        return f"{title}: {text if _says(kind, value) else self.people.say('empty')}"

    def _part(self, v: State, part: Any, slot: int, piece: int | None) -> str:
        if isinstance(part, str):
            return part
        value, told = self._ask(v, part.node, slot, piece)
        if not told:
            return str(self.words.fixed("unknown", self.language))
        return self._name(v, value, part.type)

    def _name(self, v: State, value: Any, kind: Any) -> str:
        if isinstance(kind, BagOf):
            return self._held({kind.root.names[i]: n for i, n in enumerate(value)})
        return self.words.name(value, kind, self.language, (v, self.seat))

    def _held(self, held: dict[str, int]) -> str:
        """Tokens by their sorts; on a brief table as signs, if each of them has one."""
        some = {word: number for word, number in held.items() if number}
        if not self.brief or not some or not all(word in self.signs_of_words for word in some):
            return self.people.tokens(held)
        self.signs |= {word: (self.signs_of_words[word], self.people.word(word)) for word in some}
        return " ".join(f"{number}{self.signs_of_words[word].text}" for word, number in some.items())

    @cached_property
    def signs_of_words(self) -> dict[str, Mark]:
        """The signs of the sorts of tokens."""
        artist = artist_of(self.play, self.language)
        roots = {pool.of: None for pool in self.world.pools if pool.of is not None}
        return {name: artist.member(root, i) for root in roots for i, name in enumerate(root.names)}

    def _ask(self, v: State, node: C.Node, slot: int, piece: int | None) -> tuple[Any, bool]:
        if piece is not None:
            node = self.people.about(node, slot, piece)
        try:
            value, told = self.words.knowing.ask(node, v, self.seat)
        except RulesFault:
            return None, False
        return value, told

    # ------------------------------------------------------------------------------------ what is counted

    def _pools(self) -> Iterator[Panel]:
        for pool in self.world.pools:
            when = self.shown["pools"].get(pool.name, "some")
            if when == "never":
                continue
            for word, (_, _, root) in pool.holders.items():
                held = self.view["pools"].get(word)
                if root is self.world.players:
                    if self.shown["player"] is None:
                        yield from self._counted("pool", word, held, when)
                elif root is None:
                    yield from self._one("pool", word, self.people.word(word), held, when)
                elif root.kind not in ("piece", "space"):  # these show what lies on them
                    for name, tokens in (held or {}).items():
                        title = f"{self.people.word(word)} ({self.people.word(name)})"
                        yield from self._one("pool", word, title, tokens, when)
            if pool.supply >= 0 and (supply := f"supply.{pool.name}") in self.view["pools"]:
                title = self.people.supply(pool.name)
                yield from self._one("pool", supply, title, self.view["pools"][supply], when)

    def _values(self) -> Iterator[Panel]:
        for value in self.world.values:
            if value.name not in self.view["values"]:
                continue
            held = self.view["values"][value.name]
            own = bool(value.keys) and _root(value.keys[0]) is self.world.players
            when = self.shown["values"].get(value.name)
            if when is None:
                counter = (
                    own
                    and len(value.keys) == 1
                    and isinstance(value.type, Num | BagOf)
                    and self.shown["player"] is None
                )
                when = "some" if counter or self.everything else "never"
            if when == "never" or any(_on_boards(key) for key in value.keys):
                continue  # what spaces have is drawn on them
            if own:
                yield from self._counted("value", value.name, _by_first(held) if len(value.keys) > 1 else held, when)
            else:
                yield from self._one("value", value.name, self.people.word(value.name), held, when)

    def _counted(self, sort: str, name: str, held: Any, when: str) -> Iterator[Panel]:
        """What every player has; zeros too, where somebody has some."""
        if when != "always" and all(_empty(x) for x in (held or {}).values()):
            return
        for player, x in (held or {}).items():
            if isinstance(x, bool):
                if x:
                    yield Panel(sort, name, self.people.word(name), self.world.players.names.index(player))
            elif x is not None and (when == "always" or x not in ([], {})):
                seat, title = self.world.players.names.index(player), self.people.word(name)
                yield self._line(sort, name, title, seat, x)

    def _one(self, sort: str, name: str, title: str, held: Any, when: str) -> Iterator[Panel]:
        if when == "always" or not _empty(held):
            yield self._line(sort, name, title, None, held)

    def _line(self, sort: str, name: str, title: str, seat: int | None, held: Any) -> Panel:
        tokens = _tokens(title, held)
        if tokens and (sort == "pool" or name in self.bags):
            text = self._held(dict(tokens.counts))
            phrase = f"{title}: {text}"
        else:
            text = "" if held is True else self.people.plain(held)
            phrase = self.people.amount(title, held)
            if seat is None and phrase.startswith(title):
                phrase = ""  # with a colon, as all that is nobody's
        return Panel(sort, name, title, seat, text=text, phrase=phrase, tokens=tokens)

    # ------------------------------------------------------------------------------------------ the score

    def _scores(self) -> Iterator[Panel]:
        """The rows of `scoring` as they stand, where anybody has points."""
        rows = self.play.machine.program.scoring
        if not rows or not self.shown["score"] or self.play.over:
            return
        found = [self._points(seat, rows) for seat in range(self.world.players.size)]
        if not any(points for scored in found for points in scored.values()):
            return
        for seat, scored in enumerate(found):
            known = [points for points in scored.values() if points is not None]
            total = str(sum(known)) + (" + ?" if len(known) < len(scored) else "")
            title = self.people.word(rows[0].name) if len(rows) == 1 else self.people.say("points")
            text = total if known else "?"
            phrase = self.people.amount(title, int(total)) if len(known) == len(scored) else f"{title} {text}"
            if len(rows) > 1 and any(known):
                parts = ", ".join(f"{self.people.word(name)}: {points}" for name, points in scored.items() if points)
                text, phrase = f"{text} ({parts})", f"{phrase} ({parts})"
            yield Panel("score", "score", title, seat, text=text, phrase=phrase)

    def _points(self, seat: int, rows: list[C.Score]) -> dict[str, int | None]:
        v = self.state[:]
        v[C.ME] = seat
        found: dict[str, int | None] = {}
        for row in rows:
            value, told = self._ask(v, row.node, 0, None)
            found[row.name] = int(value) if told else None
        return found


def _tokens(title: str, held: Any) -> Tokens | None:
    """Tokens that a view has by their sorts."""
    if not isinstance(held, dict) or not held or not all(type(n) is int for n in held.values()):
        return None
    return Tokens(title, tuple((str(word), n) for word, n in held.items()))


def _by_first(held: dict[str, Any]) -> dict[str, Any]:
    """What stands under several keys, by the first of them."""
    found: dict[str, Any] = {}
    for key, x in held.items():
        first, _, rest = key.partition(" ")
        found.setdefault(first, {})[rest] = x
    return found


def _counted(lies: Sequence[Lying]) -> list[Lying]:
    """Equal ones as one with their number."""
    found: dict[Thing, tuple[int, ...]] = {}
    for thing, pieces in lies:
        found[thing] = (*found.get(thing, ()), *pieces)
    return [(replace(thing, count=len(pieces)), pieces) for thing, pieces in found.items()]


class Names:
    """Names of views as people read them in one language."""

    def __init__(self, play: Play, language: str) -> None:
        self.world, self.language = play.world, language
        self.words: Words = play.words
        world = play.world
        public = world.data.get("public_names", world.pieces.names)
        self.numbers = {name: i for i, name in reversed(list(enumerate(public)))}
        self.titles: dict[str, str] = {}
        for root in world.roots.values():
            if root.kind not in ("place", "space", "piece", "part"):
                self.titles |= {name: plain(play.words.title(root, i, language)) for i, name in enumerate(root.names)}
        self.pieces = {name: plain(play.words.title(world.pieces, i, language)) for name, i in self.numbers.items()}

    def word(self, name: str) -> str:
        """A declared word."""
        if name in self.pieces:
            return self.pieces[name]
        if name in self.titles:
            return self.titles[name]
        found = self.world.title_of_word(name)
        return plain(str(found.get(self.language) or found["en"]))

    def player(self, seat: int) -> str:
        return plain(str(self.words.title(self.world.players, seat, self.language)))

    def member(self, per: Elem | Num, number: int) -> str:
        """What one of several places is for."""
        if isinstance(per, Num):
            return str(per.low + number)
        if per.root is self.world.pieces:
            return self.word(str(self.world.data["public_names"][number]))
        return plain(self.words.title(per.root, number, self.language))

    def plain(self, value: Any) -> str:
        """A value of a view."""
        if isinstance(value, bool):
            return str(self.words.fixed("yes" if value else "no", self.language))
        if value is None:
            return str(self.words.fixed("none", self.language))
        if isinstance(value, dict):
            if all(isinstance(x, bool) for x in value.values()):
                value = [key for key, holds in value.items() if holds]
                return self.plain(value)
            # `2 = red`, for two numbers side by side would say nothing.
            parts = [
                f"{self._key(key)}{' =' if key[-1:].isdigit() else ''} {self.plain(x)}"
                for key, x in value.items()
                if not _empty(x)
            ]
            if signs := repeated([(self._key(key), x) for key, x in value.items() if isinstance(x, int)]):
                return signs
            lists = any(isinstance(x, list) for x in value.values())
            return ("; " if lists else ", ").join(parts) or self.say("empty")
        if isinstance(value, list):
            return ", ".join(self.plain(x) for x in value) or str(self.words.fixed("none", self.language))
        return self.word(value) if isinstance(value, str) else str(value)

    def amount(self, title: str, value: Any, things: bool = False) -> str:
        """A title with its value: `5 coins`, `stake 40`; with `things` the title names one of them: `2 houses`."""
        if type(value) is int:
            return amount(value, title, self.language, self._forms(title), things)
        return f"{title}{':' if isinstance(value, dict) else ''} {self.plain(value)}"

    def tokens(self, held: dict[str, int]) -> str:
        """Tokens by their sorts: `2 pearls, 1 gold`; in Russian as a list, for not all of them are counted."""
        found = [(self._key(key), number) for key, number in held.items() if number]
        told = []
        for title, number in found:
            forms = self._forms(title)
            case = "nom" if self.language != "ru" or "many" in forms else ""
            told.append(counted(number, title, case, self.language, forms))
        return repeated(found) or ", ".join(told) or self.say("empty")

    def _forms(self, title: str) -> dict[str, str]:
        return self.world.cases.get(self.language, {}).get(title, {})

    def _key(self, key: str) -> str:
        return " ".join(self.word(part) for part in key.split(" "))

    def say(self, key: str, *parts: str) -> str:
        return str(self.words.fixed(key, self.language)).format(*parts)

    def supply(self, pool: str) -> str:
        """What tokens that nobody has are called."""
        title = self.word(pool)
        form = declined(title, "gen", self.language, self._forms(title))
        return self.say("supply", form) if form else self.say("supply as it is", title)

    def about(self, node: C.Node, slot: int, piece: int) -> C.Node:
        """An expression about `this`, of one piece."""
        made: dict[Any, C.Node] = self.world.data.setdefault("shown of pieces", {})
        key = (id(node), piece)
        if key not in made:
            made[key] = C.With((slot,), (C.Const(piece),), node)
        return made[key]


def names_of(play: Play, language: str) -> Names:
    """The names of a play's game; worked out once for all its plays."""
    known = play.configured.names
    if language not in known:
        known[language] = Names(play, language)
    return known[language]


def _says(kind: Any, value: Any) -> bool:
    """Whether a value is worth a word."""
    match kind:
        case SetOf() | ListOf():
            return bool(value)
        case BagOf():
            return any(value)
        case Num():
            return value not in (0, NO_NUMBER)
    return True


def _empty(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_empty(x) for x in value.values())
    return value is None or value is False or value == [] or (value == 0 and not isinstance(value, str))


def _root(key: Any) -> Any:
    return key.root if isinstance(key, Elem) else None


def _on_boards(key: Any) -> bool:
    root = _root(key)
    return root is not None and root.kind == "space"


__all__ = ["Names", "Panel", "Table", "Thing", "Tokens", "all_printed", "as_data", "names_of", "table", "things_of"]
