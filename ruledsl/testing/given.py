"""The position of a test: `given` puts a state in place of the one that setup left.

Play is started as always and runs through setup; decisions in setup take their first option. Then

- with `phase: name` it stands at the beginning of that phase. How it got there is forgotten: pieces, values and tokens
  are as setup left them, for what earlier phases would have brought is described by the position. `turn` and
  `before` below then mean the turns and rounds within the phase.
- with `turn: player` it runs to where the first turn would begin, the position is put in place, and the turn of that
  player begins: what the rules do at the beginning of a turn happens on the position (a draw of a card, the look
  whether anybody can move). Histories are empty, and the turn has the number 1.
- with `before: round` it runs to where the first round would begin, and the round of `round:` begins: what is rolled
  and drawn then comes out as the test's `chance:` says.
- without these it runs to the first decision. The position is put in place there and the options are worked out
  anew; what the rules did before, such as working out whose turn it is from a value, is not done again.

A place or board that is described holds exactly what is written. What lay there and is named nowhere goes to its
reserve; what is named comes from wherever it is. Places and boards that are not described keep what setup put
there, as do values and tokens. What a player knows of hidden pieces is what the new places show.

Cannot be set: the names of effects that are under way (`let`, `choose`), how often limited actions were used, the
positions in histories, and where in a turn play stands; lead there with `moves`. `leading.py` has the way to where
the position is put in place.

Pieces are named by their own name (`c13`, `white_man_1`), or described by words that are the name of a kind, of a row
or of one of the words among their attributes and state (a flag by its own name), in any order, with `of` and a
player: `king of white`, `man of black`, `crowned man of black`. Of several that fit, those not named elsewhere are
taken in order. A word that is a piece's state at another time (`queen` for a pawn that was promoted) is set where no
fitting piece is left. A number before it takes several, `turned 2` behind it turns a tile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.declarations.cells import cell_value
from ruledsl.analysis.names import BoardInfo, Handle
from ruledsl.analysis.show import show
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, fields, shape_of, unknown_key
from ruledsl.types import NONE, BagOf, Bool, Broken, Elem, ListOf, Num, TableOf, Type, bits

from .asking import Asker
from .grouped import grouped
from .suites import GIVEN

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

State = list[int]
EMPTY = ".·_-"


@dataclass
class _Wanted:
    """A piece that is to lie somewhere."""

    piece: int
    spot: int
    turned: int = 0
    slot: int | None = None


@dataclass
class _Start:
    """The state before anything has happened, in place of a play."""

    state: State


class Position:
    """Puts what `given` says into the state of a play; mistakes are reported."""

    def __init__(self, asker: Asker, letters: list[Map], seats: list[str]) -> None:
        self.asker, self.world, self.machine, self.report = asker, asker.world, asker.machine, asker.report
        self.letters, self.seats = letters, seats
        self.used: set[int] = set()
        self.described: dict[int, Span] = {}  # spots
        self.wanted: list[_Wanted] = []
        self.rest: dict[int, int] = {}  # spots that keep the rest of what they hold: before which of the wanted
        self.changes: list[tuple[int, int]] = []  # state of pieces that letters ask for

    def put(self, play: Play | _Start, node: Map) -> bool:
        """Changes the state of a play that stands where `begin` left it; False with mistakes in the report."""
        before = self.report.errors
        f = fields(grouped(node, self.world, self.report), GIVEN, self.report)
        if f is None:
            return False
        self.state = play.state
        world = self.world
        for entry in f.map("boards") or ():
            board = next((b for b in world.boards if b.name == entry.key.value), None)
            if board is None:
                unknown_key(entry.key, tuple(b.name for b in world.boards), "the boards", self.report)
            else:
                self.board(board, entry.value)
        if f.get("board") is not None:
            key = f.node.key("board")
            assert key is not None
            board = next(
                (b for b in world.boards if b.name == "board"), world.boards[0] if len(world.boards) == 1 else None
            )
            if board is None:
                self.report.error(
                    "Q201",
                    key.span,
                    "this game has no board called `board`",
                    help="use `boards:` with the name of the board",
                )
            else:
                self.board(board, f.get("board"))
        for entry in f.map("places") or ():
            self.place(entry.key, entry.value)
        if self.report.errors == before:
            self._move(play)
        for part in ("values", "state"):
            for entry in f.map(part) or ():
                self.value(play, entry.key, entry.value)
        pools = f.map("pools")
        if pools is not None:
            self.pools(play, pools)
        if f.has("round"):  # where it is to begin, it is counted then
            play.state[C.ROUND] = f.number("round") - int(f.has("before"))
        if f.has("turn") and f.has("before"):
            key = node.key("turn")
            message = "a position stands before a round or at the beginning of a turn, not both"
            self.report.error("Q216", key.span if key else node.span, message, help="remove `turn:` or `before:`")
        elif f.has("turn") and not isinstance(play, _Start):
            self.turn(play, f)
        return self.report.errors == before

    def look_over(self, node: Map) -> None:
        """Finds what is wrong in a position before anything is played: it is put in place of the start of all plays."""
        entries = {name: entry for name, entry in node.entries.items() if name not in ("turn", "round", "phase")}
        start = [*self.machine.program.template, *([0] * self.machine.program.scratch)]
        self.put(_Start(start), Map(node.span, entries, node.flow, node.broken))
        self.has_beginning(node)
        turn = node.get("turn")
        if isinstance(turn, Scalar) and turn.value not in self.seats:
            self._no_player(turn.value, turn.span)
        fields(grouped(node, self.world, self.report), GIVEN, self.report)

    def has_beginning(self, node: Map) -> bool:
        """Whether the game has the turns, rounds or phase at whose beginning a position is to stand."""
        within, phases = node.get("phase"), self.world.phase_names
        if isinstance(within, Scalar) and within.value not in phases:
            near = self._near(within.value, phases)
            known = ", ".join(f"`{name}`" for name in phases)
            help = did_you_mean(near) or (f"the phases are {known}" if known else "this game has no `phase:`")
            said = f"there is no phase `{within.value}`"
            self.report.error("Q216", within.span, said, help=help, suggestions=tuple(near))
            return False
        for key, sort, loops in (("turn", "turns", "turn_loops"), ("before", "rounds", "round_loops")):
            if (named := node.key(key)) is not None and not self.world.data[loops]:
                message = f"this game has no `{sort}:`, so a position cannot stand at the beginning of one"
                help = f"remove `{key}:`; the position then stands before the first decision"
                self.report.error("Q216", named.span, message, help=help)
                return False
        return True

    def _near(self, word: str, known: Iterable[str]) -> list[str]:
        """What a word may have meant, where anybody reads it."""
        return nearest(word, known) if self.report.advises else []

    def _no_player(self, word: str, span: Span) -> None:
        near = self._near(word, self.seats)
        help = did_you_mean(near) or f"they are {', '.join(self.seats)}"
        self.report.error("Q203", span, f"there is no player `{word}`", help=help, suggestions=tuple(near))

    # ------------------------------------------------------------------------------------------- pieces

    def _index(self) -> dict[str, dict[int, int | None]]:
        """Which pieces a word fits, and the slot of the state that says so (None where it never changes)."""
        if self.asker.described is not None:
            return self.asker.described
        found: dict[str, dict[int, int | None]] = {}
        world = self.world
        for kind in world.kinds:
            for piece in range(kind.first, kind.first + kind.count):
                found.setdefault(kind.name, {})[piece] = None
        for name, mask in world.pieces.parts.items():
            found.setdefault(name, {}).update(dict.fromkeys(bits(mask)))
        template = self.machine.program.template
        for attributes in world.pieces.attributes.values():
            for attribute in attributes:
                sort = attribute.type
                if not isinstance(sort, Bool) and not (isinstance(sort, Elem) and sort.root.kind in ("enum", "player")):
                    continue
                for piece in bits(attribute.mask):
                    node = attribute.build(C.Const(piece), None)
                    slot = node.slot if isinstance(node, C.Get) else None
                    value = node.value if isinstance(node, C.Const) else template[slot] if slot is not None else NONE
                    if isinstance(sort, Bool):
                        if value > 0:
                            found.setdefault(attribute.name, {})[piece] = slot
                    elif isinstance(sort, Elem) and value >= 0:
                        found.setdefault(sort.root.names[value], {}).setdefault(piece, slot)
        self.asker.described = found
        return found

    def _states(self, word: str) -> list[tuple[int, int, int]]:
        """Pieces that could be in a state called so: piece, slot, value."""
        if word in self.asker.states:
            return self.asker.states[word]
        found: list[tuple[int, int, int]] = []
        for attributes in self.world.pieces.attributes.values():
            for attribute in attributes:
                kind = attribute.type
                if isinstance(kind, Bool) and attribute.name == word:
                    number = 1
                elif isinstance(kind, Elem) and kind.root.kind in ("enum", "player") and word in kind.root.names:
                    number = kind.root.names.index(word)
                else:
                    continue
                for piece in range(self.world.pieces.size):
                    if attribute.mask >> piece & 1:
                        node = attribute.build(C.Const(piece), None)
                        if isinstance(node, C.Get):
                            found.append((piece, node.slot, number))
        self.asker.states[word] = found
        return found

    def _words_of_states(self) -> set[str]:
        """The words that a piece may be described by at some time."""
        return {a.name for found in self.world.pieces.attributes.values() for a in found if isinstance(a.type, Bool)}

    def pieces(self, text: str, span: Span, spot: int) -> list[_Wanted]:
        """The pieces that a text names or describes, taken up for a spot."""
        text, turned = " ".join(text.split()), 0
        if (turn := re.fullmatch(r"(.+) turned (\d+)", text)) is not None:
            text, turned = turn[1], int(turn[2])
        number = self.world.member_number(self.world.pieces, text)
        if number is not None:
            if number in self.used:
                self.report.error("Q202", span, f"`{text}` is named twice")
                return []
            self.used.add(number)
            return [_Wanted(number, spot, turned)]
        count = 1
        if (several := re.fullmatch(r"(\d+) (.+)", text)) is not None:
            count, text = int(several[1]), several[2]
        found = [self._described(text, span, spot) for _ in range(count)]
        return [_Wanted(piece, spot, turned) for piece in found if piece is not None]

    def _described(self, text: str, span: Span, spot: int) -> int | None:
        words, _, owner = text.partition(" of ")
        index, seat = self._index(), None
        if owner:
            if owner not in self.seats:
                self._no_player(owner, span)
                return None
            seat = self.seats.index(owner)
        owners = self.world.data.get("owners", [])
        fits: Sequence[int] = range(self.world.pieces.size)
        changes: list[tuple[str, list[tuple[int, int, int]]]] = []
        for word in words.split():
            states = self._states(word)
            if word not in index and not states:
                known = self._near(word, {*index, *self.world.pieces.names, *self._words_of_states()})
                self.report.error(
                    "Q204",
                    span,
                    f"no piece is called or described by `{word}`",
                    help=did_you_mean(known),
                    suggestions=tuple(known),
                )
                return None
            if states:
                changes.append((word, states))
            else:
                named = index[word]
                fits = sorted(named) if isinstance(fits, range) else [p for p in fits if p in named]
        if seat is not None:  # the owner for good, or a player among the state of the piece
            owned = [p for p in fits if owners[p] == seat]
            states = self._states(owner)
            if owned or not states:
                fits = owned
            else:
                changes.append((owner, states))
        exact = [p for p in fits if all(p in index.get(word, {}) for word, _ in changes)] if changes else fits
        free = [p for p in exact if p not in self.used]
        if not free and changes:  # another piece, put into this state
            able = [p for p in fits if all(any(q == p for q, _, _ in states) for _, states in changes)]
            free = [p for p in reversed(able) if p not in self.used]
        if not free:
            said = f"there are not that many `{text}`" if fits else f"no piece is `{text}`"
            with self.report.one_slip("pieces of positions"):
                self.report.error("Q205", span, said)
            return None
        piece = next((p for p in free if self.state[self.world.spots.at + p] == spot), free[0])
        self.used.add(piece)
        for _, states in changes:
            self.changes += [(slot, value) for p, slot, value in states if p == piece]
        return piece

    # ------------------------------------------------------------------------------------------- boards

    def board(self, board: BoardInfo, node: Node | None) -> None:
        """A diagram, or a map from spaces to pieces."""
        if node is None:
            return
        self.described |= dict.fromkeys(range(board.first_spot, board.first_spot + board.root.size), node.span)
        if isinstance(node, Scalar):
            if board.board.shape != "grid" or board.copies > 1:
                self.report.error(
                    "Q206",
                    node.span,
                    "only a grid can be drawn",
                    help="write a map from spaces to pieces, as in `{e1: king of white}`",
                )
                return
            self._diagram(board, node)
        elif isinstance(node, Map):
            for entry in node:
                space = self.world.member_number(board.root, entry.key.value)
                if space is None:
                    near = self._near(entry.key.value, board.root.names)
                    self.report.error(
                        "Q207",
                        entry.key.span,
                        f"`{board.name}` has no {board.word} `{entry.key.value}`",
                        help=did_you_mean(near),
                        suggestions=tuple(near),
                    )
                    continue
                self.contents(board.first_spot + space, entry.value)
        else:
            self.report.error(
                "S103", node.span, f"a board is a diagram or a map from spaces to pieces, not {shape_of(node)}"
            )

    def _diagram(self, board: BoardInfo, node: Scalar) -> None:
        """Rows from the top: letters with or without spaces between, digits for so many empty spaces."""
        xs, ys = board.board.coordinates.values()
        at = {(x, y): space for space, (x, y) in enumerate(zip(xs, ys, strict=True))}
        wide = sorted(set(xs))
        high = sorted(set(ys), reverse=True)
        lines = [(line, offset) for line, offset in self._lines(node) if line.strip()]
        known = self._letters()
        rows = [
            self._row(line, len(wide), str(high[i]) if i < len(high) else "", known)
            for i, (line, _) in enumerate(lines)
        ]
        if len(rows) == len(high) + 1 and [cell.lower() for cell in rows[-1]] == [
            chr(ord("a") + i) for i in range(len(wide))
        ]:
            rows.pop()  # the letters below a picture
        if len(rows) != len(high):
            self.report.error(
                "Q208", node.span, f"the diagram has {len(rows)} rows, and `{board.name}` has {len(high)}"
            )
            return
        for y, row, (line, offset) in zip(high, rows, lines, strict=False):
            span = node.span.file.span(offset, offset + len(line)) if offset >= 0 else node.span
            if len(row) != len(wide):
                self.report.error("Q208", span, f"this row has {len(row)} spaces, and `{board.name}` has {len(wide)}")
                continue
            for x, letter in zip(wide, row, strict=True):
                if letter in EMPTY:
                    continue
                described = known.get(letter)
                if described is None:
                    near = ", ".join(f"`{name}`" for name in known) or "none"
                    self.report.error(
                        "Q209",
                        span,
                        f"the diagram has a letter `{letter}` that means nothing",
                        help=f"`letters:` has {near}; an empty space is `.`",
                    )
                elif (x, y) not in at:
                    self.report.error("Q208", span, f"`{board.name}` has no {board.word} where `{letter}` stands")
                else:
                    self.wanted += self.pieces(described.value, described.span, board.first_spot + at[x, y])

    def _lines(self, node: Scalar) -> list[tuple[str, int]]:
        """The rows of a diagram with where they stand in the file; -1 where that is not known."""
        if node.style == "block":
            found, offset = [], node.text_span.start
            for line in node.text_span.text.splitlines(keepends=True):
                start = offset + len(line) - len(line.lstrip())
                found.append((line.strip(), start))
                offset += len(line)
            return found
        return [(line.strip(), -1) for line in re.split(r"[/\n]", node.value)]

    def _row(self, line: str, width: int, rank: str, known: dict[str, Scalar]) -> list[str]:
        cells = line.split()
        if len(cells) > 1:
            if len(cells) == width + 1 and cells[0] == rank:
                cells = cells[1:]
        else:
            cells = list(cells[0])
        found: list[str] = []
        for cell in cells:
            found += ["."] * int(cell) if cell.isdigit() and cell not in known else [cell]
        return found

    def _letters(self) -> dict[str, Scalar]:
        found: dict[str, Scalar] = {}
        for table in self.letters:
            for entry in table:
                if isinstance(entry.value, Scalar):
                    found.setdefault(entry.key.value, entry.value)
        return found

    # ------------------------------------------------------------------------------------------- places

    def place(self, key: Scalar, node: Node) -> None:
        spot = self.spot(key)
        if spot is None:
            return
        self.described[spot] = key.span
        self.contents(spot, node)

    def spot(self, key: Scalar) -> int | None:
        """Where a path leads: a place, a space or a part of a tile."""
        with self.asker.reporting() as elaborator:
            tree = elaborator.read(key, "path")
            typed = elaborator.expr(tree)
            if isinstance(typed.type, Broken):
                return None
            if not isinstance(typed.type, Elem) or typed.type.root.kind not in ("place", "space", "part"):
                help = f"write whose: `{self.seats[0]}.{key.value}`" if show(typed.type) == "places" else ""
                self.report.error("Q210", key.span, f"this cannot hold pieces: it is {show(typed.type)}", help=help)
                return None
            value = self.asker.ask(typed.node, self.asker.plain(self.state))
            return None if value < 0 else int(self.world.first_spot(typed.type.root) + value)

    def contents(self, spot: int, node: Node) -> None:
        """What lies on a spot: from the top of a pile, else from the bottom; `...` is the rest of what lay there."""
        items = list(node.items) if isinstance(node, Seq) else [node]
        listed: list[_Wanted] = []
        slots, number = spot in self.machine.pieces.slots, 0
        rest: int | None = None
        for item in items:
            if not isinstance(item, Scalar):
                self.report.error("S103", item.span, f"a piece must be here, not {shape_of(item)}")
                continue
            if item.value in ("...", "…"):
                rest = len(listed)
                continue
            number += 1
            if item.is_null or item.value in (*EMPTY, "none"):
                if not slots and not item.is_null:
                    self.report.error("Q211", item.span, "only numbered slots can be left free")
                continue
            found = self.pieces(item.value, item.span, spot)
            if slots:
                for one in found:
                    one.slot = number
            listed += found
        if rest is not None:
            self.rest[spot] = rest
        if self._is_pile(spot):
            listed.reverse()
            if rest is not None:
                self.rest[spot] = len(listed) - rest
        self.wanted += listed

    def _is_pile(self, spot: int) -> bool:
        number = spot - self.world.spots.first_place
        info = next((i for i in self.world.place_infos if number >= 0 and i.first <= number < i.first + i.count), None)
        if info is None or not info.ordered:
            return False
        found = self.world.sections.named["places"].get(info.name)
        order = found[1].get("order") if found is not None and isinstance(found[1], Map) else None
        return isinstance(order, Scalar) and order.value == "pile"

    def _move(self, play: Play | _Start) -> None:
        """Takes up what is described or named, and puts it down as wanted."""
        v, spots, pieces = play.state, self.world.spots, self.machine.pieces
        for slot, value in self.changes:
            v[slot] = value
        if not self.world.pieces.size:
            return
        held = set(v[spots.at : spots.at + self.world.pieces.size])  # few, on a board that grows
        lying = {spot: pieces.on(v, spot) for spot in held if spot in self.described}
        moved = self.used | {p for found in lying.values() for p in found}
        watched = not isinstance(play, _Start)  # of what is only looked over nobody asks who knows it
        for piece in sorted(moved):
            pieces.move(v, piece, spots.reserve[piece], watched=watched)
        order: dict[int, list[_Wanted]] = {}
        for want in self.wanted:
            order.setdefault(want.spot, []).append(want)
        for spot, at in self.rest.items():
            kept = [_Wanted(p, spot) for p in lying.get(spot, pieces.on(v, spot)) if p not in self.used]
            order.setdefault(spot, [])[at:at] = kept
        for spot, wants in order.items():
            for want in wants:
                try:
                    if spots.single[spot] and pieces.count(v, spot):
                        name = self.world.pieces.names[want.piece]
                        raise RulesFault(None, f"`{name}` cannot go where there is no room left")
                    pieces.move(v, want.piece, spot, want.slot, watched=watched)
                except RulesFault as fault:
                    with self.report.one_slip("room in positions"):
                        help = "a space holds one piece, unless its board says `holds: any`"
                        self.report.error("Q212", self.described.get(spot), fault.message, help=help)
                if spots.turn >= 0:
                    v[spots.turn + want.piece] = want.turned
        if spots.known >= 0:
            for piece in moved:
                v[spots.known + piece] = pieces.seers(v, v[spots.at + piece])

    # ------------------------------------------------------------------------------------- values, tokens

    def value(self, play: Play | _Start, key: Scalar, node: Node) -> None:
        """A value by its path."""
        with self.asker.reporting() as elaborator:
            tree = elaborator.read(key, "path")
            typed = elaborator.expr(tree)
            if isinstance(typed.type, Broken):
                return
            if isinstance(typed.node, Handle) and isinstance(typed.type, TableOf) and isinstance(node, Map):
                self._table(play, typed.node, typed.type, node)
                return
            found = self._slot(typed.node, play.state)
            if found is None or self.world.field_kind(found) not in ("value", "state"):
                self.report.error(
                    "Q213",
                    key.span,
                    f"this cannot be given: it is {show(typed.type)}",
                    help="values and state can; give pieces under `places:` or `board:`, tokens under `pools:`",
                )
                return
            self._store(play.state, found, typed.type, node, f"`{key.value}`")

    def _table(self, play: Play | _Start, handle: Handle, kind: TableOf, node: Map) -> None:
        """`score: {anna: 12, boris: 3}`."""
        (first, *more) = kind.keys
        for entry in node:
            if isinstance(first, Elem):
                number = self.world.member_number(first.root, entry.key.value)
                known = first.root.names
            else:
                written = entry.key.as_int()
                number = written - first.low if written is not None and first.low <= written <= first.high else None
                known = [str(n) for n in range(first.low, first.high + 1)]
            if number is None or more or handle.index is not None:
                if number is None:
                    unknown_key(entry.key, tuple(known), "this table", self.report)
                else:
                    self.report.error(
                        "Q213",
                        entry.key.span,
                        "a table by several keys is given item by item",
                        help="write `name[a, b]: value`",
                    )
                continue
            self._store(
                play.state,
                handle.base + number * self.world.width(kind.item),
                kind.item,
                entry.value,
                f"`{entry.key.value}`",
            )

    def _slot(self, node: Any, state: State) -> int | None:
        """The first slot of what a path means."""
        if isinstance(node, C.Get):
            return node.slot
        if isinstance(node, C.Cell | C.Several):
            index = self.asker.ask(node.index, self.asker.plain(state)) if node.index is not None else 0
            width = node.count if isinstance(node, C.Several) else 1
            return None if index < 0 else int(node.base + index * width)
        return None

    def _store(self, v: State, slot: int, kind: Type, node: Node, role: str) -> None:
        before = self.report.errors
        value = cell_value(self.world, node, kind, role)
        if self.report.errors > before:
            return
        if isinstance(kind, ListOf):
            items = list(value)
            v[slot : slot + 1 + len(items)] = [len(items), *items]
            v[slot + 1 + len(items) : slot + 1 + kind.most] = [0] * (kind.most - len(items))
        elif isinstance(kind, BagOf):
            v[slot : slot + len(value)] = value
        else:
            v[slot] = +value

    def pools(self, play: Play | _Start, node: Map) -> None:
        """Tokens by holder; what is left of a limited pool lies in the supply."""
        v = play.state
        places: dict[str, Span] = {}
        for entry in node:
            with self.asker.reporting() as elaborator:
                tree = elaborator.read(entry.key, "path")
                typed = elaborator.expr(tree)
                if isinstance(typed.type, Broken):
                    continue
                slot = self._slot(typed.node, v)
                found = (
                    None
                    if slot is None
                    else next(
                        (
                            pool
                            for base, (pool, root) in self.world.holders.items()
                            if base <= slot < base + pool.size * (root.size if root is not None else 1)
                        ),
                        None,
                    )
                )
                if slot is None or found is None:
                    self.report.error("Q214", entry.key.span, f"this cannot hold tokens: it is {show(typed.type)}")
                    continue
                kind: Type = typed.type if isinstance(typed.type, BagOf) else Num(0, found.most)
                self._store(v, slot, kind, entry.value, f"`{entry.key.value}`")
                places[found.name] = entry.key.span
        for pool in self.world.pools:
            if pool.name not in places or pool.supply < 0 or pool.total is None:
                continue
            rest = list(pool.total)
            for _, base, root in pool.holders.values():
                held = v[base : base + pool.size * (root.size if root is not None else 1)]
                rest = [left - sum(held[i :: pool.size]) for i, left in enumerate(rest)]
            if min(rest) < 0:
                self.report.error("Q215", places[pool.name], f"more of `{pool.name}` is given than there is")
                continue
            v[pool.supply : pool.supply + pool.size] = (
                [n if pool.mask >> i & 1 else 0 for i, n in enumerate(rest)] if pool.of else rest
            )

    # --------------------------------------------------------------------------------------------- turns

    def turn(self, play: Play, f: Fields) -> None:
        """Moves the place in the turns to a player."""
        node = f.get("turn")
        if not isinstance(node, Scalar):
            return
        v = play.state
        if node.value not in self.seats:
            self._no_player(node.value, node.span)
            return
        loop = next((x for x in self.world.data["turn_loops"] if x.head == v[C.PC]), None)
        if loop is None:
            self.report.error("Q216", node.span, "play is at no beginning of a turn here", help="remove `turn:`")
            return
        order = v[loop.order + 1 : loop.order + 1 + v[loop.order]]
        seat = self.seats.index(node.value)
        if seat not in order:
            self.report.error("Q216", node.span, f"`{node.value}` takes no part in these turns")
            return
        v[loop.place] = order.index(seat)
