"""Where pieces are: taking them up, putting them down, and who knows them meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import Const, Program, RulesFault
from ruledsl.source.text import Span
from ruledsl.types import NONE, bits

State = list[int]


class Pieces:
    """Reads and writes the part of a state that says where every piece is (see `ir.core.Spots`)."""

    def __init__(self, program: Program, evaluator: Any) -> None:
        spots = program.spots
        self.spots, self.evaluator = spots, evaluator
        self.at, self.top, self.bottom = spots.at, spots.top, spots.bottom
        self.under, self.over, self.members = spots.under, spots.over, spots.members
        self.first_place = spots.first_place
        self.names = program.roots["piece"].names if "piece" in program.roots else []
        self.places = program.roots["place"].names if "place" in program.roots else []
        self.everyone = program.roots["player"].everything
        self.closes: dict[int, str] = program.closes
        self.slots: dict[int, tuple[int, bool]] = program.slots
        hidden = spots.known >= 0
        # Places that not always the same players see, and piles of which all see the top.
        self.shifting = tuple(
            spot for spot, seen in enumerate(spots.seen) if hidden and seen is not None and not isinstance(seen, Const)
        )
        self.growing: dict[int, C.Growing] = {piece: board for board in spots.growing for piece in bits(board.tiles)}
        self.tops: tuple[int, ...] = tuple(sorted(program.top_seen)) if hidden else ()
        self.rows, self.states = program.rows, program.piece_state
        # Told which piece is moved or shown, to whom, and whether it is moved.
        self.watch: Callable[[State, int, int, bool], None] | None = None

    def on(self, v: State, spot: int) -> tuple[int, ...]:
        """What lies on a spot: from the bottom up, by slot, or in the order of the pieces."""
        if spot < 0:
            return ()
        spots = self.spots
        if spots.ordered[spot]:
            piece = v[self.bottom + spot]
            found = []
            while piece >= 0:
                found.append(piece)
                piece = v[self.over + piece]
            return tuple(found)
        if spots.single[spot]:
            piece = v[self.top + spot]
            return (piece,) if piece >= 0 else ()
        found = list(bits(v[self.members + spot - self.first_place]))
        if spot in self.slots:
            found.sort(key=lambda p: (v[spots.slot + p], p))
        return tuple(found)

    def mask(self, v: State, spot: int) -> int:
        """What lies on a spot, as a set."""
        if spot < 0:
            return 0
        spots = self.spots
        if spots.single[spot]:
            piece = v[self.top + spot]
            return 1 << piece if piece >= 0 else 0
        if not spots.ordered[spot]:
            return v[self.members + spot - self.first_place]
        found = 0
        piece = v[self.bottom + spot]
        while piece >= 0:
            found |= 1 << piece
            piece = v[self.over + piece]
        return found

    def count(self, v: State, spot: int) -> int:
        return self.mask(v, spot).bit_count()

    def first_of(self, v: State, spot: int, kinds: int) -> int:
        """The first piece of these kinds on a spot."""
        if spot < 0:
            return NONE
        if self.spots.single[spot]:
            piece = v[self.top + spot]
            return piece if piece >= 0 and kinds >> piece & 1 else NONE
        if not self.spots.ordered[spot] and spot not in self.slots:
            lying = v[self.members + spot - self.first_place] & kinds
            return (lying & -lying).bit_length() - 1  # -1 is none
        return next((p for p in self.on(v, spot) if kinds >> p & 1), NONE)

    def move(
        self,
        v: State,
        piece: int,
        to: int,
        at: int | str | None = None,
        span: Span | None = None,
        along: int = 0,
        watched: bool = True,
    ) -> None:
        """Takes a piece up and puts it down elsewhere; to where it is already: nothing.

        `along` is the set of pieces that go there together. Where nobody has `watched`, nobody knows more or less.
        """
        spots, source = self.spots, v[self.at + piece]
        if source == to and at is None:
            return
        limit = spots.capacity[to]
        if limit and source != to and self.count(v, to) >= limit:
            raise RulesFault(span, f"{self.names[piece]} cannot go where there is no room left")
        if piece in self.growing:
            self._within(self.growing[piece], to, span)
        if watched and spots.known >= 0:
            self.learn(v, piece, source, to, at, along | 1 << piece)
        self._take(v, piece, source)
        self._put(v, piece, to, at, span)

    def trade(
        self, v: State, ours: tuple[int, ...], here: int, theirs: tuple[int, ...], there: int, span: Span | None
    ) -> None:
        """Pieces of two spots trade places. Who comes to know them is for the caller to say."""
        for piece, spot in (*((p, there) for p in ours), *((p, here) for p in theirs)):
            if piece in self.growing:
                self._within(self.growing[piece], spot, span)
        for pieces, spot in ((ours, here), (theirs, there)):
            for piece in pieces:
                self._take(v, piece, spot)
        for pieces, spot in ((theirs, here), (ours, there)):
            for piece in pieces:
                limit = self.spots.capacity[spot]
                if limit and self.count(v, spot) >= limit:
                    raise RulesFault(span, f"{self.names[piece]} cannot go where there is no room left")
                self._put(v, piece, spot, None, span)

    def _within(self, board: C.Growing, spot: int, span: Span | None) -> None:
        space = spot - board.first
        if 0 <= space < board.count and board.rim >> space & 1:
            raise RulesFault(
                span,
                f"a tile would lie farther than {board.bound} steps from the middle of `{board.name}`, which is as far "
                "as it can grow; a `radius:` makes it larger",
            )

    def grow(self, v: State, board: C.Growing, space: int) -> None:
        """Works out anew what a tile that came to a space, or left it, changes there and around."""
        tiled = v[board.tiled] & ~(1 << space)
        if self.mask(v, board.first + space) & board.tiles:
            tiled |= 1 << space
        v[board.tiled] = tiled
        frontier = v[board.frontier]
        for here in (space, *board.near[space]):
            if not tiled >> here & 1 and sum(tiled >> x & 1 for x in board.near[here]) >= board.touching:
                frontier |= 1 << here
            else:
                frontier &= ~(1 << here)
        v[board.frontier] = frontier

    def grown(self, v: State, board: C.Growing) -> tuple[int, int]:
        """The two sets that are kept of a board, worked out from where its tiles lie."""
        spots = {v[self.at + tile] - board.first for tile in bits(board.tiles)}
        there = {space for space in spots if 0 <= space < board.count}
        tiled, frontier = sum(1 << space for space in there), 0
        for here in {space for tile in there for space in board.near[tile]} - there:
            if sum(space in there for space in board.near[here]) >= board.touching:
                frontier |= 1 << here
        return tiled, frontier

    def _take(self, v: State, piece: int, spot: int) -> None:
        if self.spots.single[spot]:
            v[self.top + spot] = NONE
        elif self.spots.ordered[spot]:
            below, above = v[self.under + piece], v[self.over + piece]
            if below >= 0:
                v[self.over + below] = above
            else:
                v[self.bottom + spot] = above
            if above >= 0:
                v[self.under + above] = below
            else:
                v[self.top + spot] = below
            v[self.under + piece] = v[self.over + piece] = NONE
        else:
            v[self.members + spot - self.first_place] &= ~(1 << piece)
            if spot in self.slots:
                self._close(v, spot, v[self.spots.slot + piece])
                v[self.spots.slot + piece] = 0
        self._grow(v, piece, spot)

    def _grow(self, v: State, piece: int, spot: int) -> None:
        board = self.growing.get(piece)
        if board is not None and 0 <= spot - board.first < board.count:
            self.grow(v, board, spot - board.first)

    def _put(self, v: State, piece: int, spot: int, at: int | str | None, span: Span | None = None) -> None:
        v[self.at + piece] = spot
        if self.spots.single[spot]:
            v[self.top + spot] = piece
        elif self.spots.ordered[spot]:
            if at == "bottom":
                first = v[self.bottom + spot]
                v[self.over + piece], v[self.under + piece] = first, NONE
                v[self.bottom + spot] = piece
                if first >= 0:
                    v[self.under + first] = piece
                else:
                    v[self.top + spot] = piece
            else:
                last = v[self.top + spot]
                v[self.under + piece], v[self.over + piece] = last, NONE
                v[self.top + spot] = piece
                if last >= 0:
                    v[self.over + last] = piece
                else:
                    v[self.bottom + spot] = piece
        else:
            if spot in self.slots:
                v[self.spots.slot + piece] = self._slot(v, spot, at, span)
            v[self.members + spot - self.first_place] |= 1 << piece
        self._grow(v, piece, spot)

    def _slot(self, v: State, spot: int, at: int | str | None, span: Span | None) -> int:
        """The slot for a newcomer: as asked, else the free one that is nearest to where the row closes up."""
        count, shared = self.slots[spot]
        lying = tuple(bits(v[self.members + spot - self.first_place]))
        taken = {v[self.spots.slot + p] for p in lying}
        if isinstance(at, int):
            if not 1 <= at <= count:
                raise RulesFault(span, f"{self._place(spot)} has no slot {at}")
            if at in taken and not shared:
                self._push(v, spot, at, taken, span)
            return at
        free = [i for i in range(1, count + 1) if i not in taken]
        if not free:
            raise RulesFault(span, f"{self._place(spot)} has no free slot")
        return free[-1] if self.closes.get(spot) == "to last" else free[0]

    def _push(self, v: State, spot: int, at: int, taken: set[int], span: Span | None) -> None:
        """Makes room on a taken slot: in a row that closes up, pieces move on to the next free slot at its open end."""
        way = {"to first": 1, "to last": -1}.get(self.closes.get(spot, ""), 0)
        free = at
        while way and free in taken:
            free += way
        if not way or not 1 <= free <= self.slots[spot][0]:
            raise RulesFault(span, f"slot {at} of {self._place(spot)} is taken")
        for p in bits(v[self.members + spot - self.first_place]):
            if min(at, free) <= v[self.spots.slot + p] <= max(at, free):
                v[self.spots.slot + p] += way

    def _place(self, spot: int) -> str:
        return self.places[spot - self.first_place]

    def _close(self, v: State, spot: int, gap: int) -> None:
        way = self.closes.get(spot)
        if way is None:
            return
        for p in bits(v[self.members + spot - self.first_place]):
            position = v[self.spots.slot + p]
            if way == "to first" and position > gap:
                v[self.spots.slot + p] = position - 1
            elif way == "to last" and position < gap:
                v[self.spots.slot + p] = position + 1

    def arrange(self, v: State, spot: int, order: tuple[int, ...]) -> None:
        """Lays the pieces of an ordered spot in this order, from the bottom up."""
        below = NONE
        for i, piece in enumerate(order):
            v[self.under + piece] = below
            v[self.over + piece] = order[i + 1] if i + 1 < len(order) else NONE
            below = piece
        v[self.bottom + spot] = order[0] if order else NONE
        v[self.top + spot] = order[-1] if order else NONE

    # ------------------------------------------------------------------------------------------ knowledge

    def seers(self, v: State, spot: int) -> int:
        """The players who see what lies on a spot."""
        seen = self.spots.seen[spot]
        return self.everyone if seen is None else int(self.evaluator.of(seen)(v))

    def knowers(self, v: State, piece: int) -> int:
        """The players who see a piece, or saw it and could follow it since."""
        if self.spots.known < 0:
            return self.everyone
        return self.seers(v, v[self.at + piece]) | v[self.spots.known + piece]

    def learn(self, v: State, piece: int, source: int, to: int, at: int | str | None, along: int) -> None:
        """Players come to know a piece, or lose sight of it, as it is about to be moved."""
        before, after = self.seers(v, source), self.seers(v, to)
        if source in self.tops and v[self.top + source] == piece:
            before = self.everyone
        if to in self.tops and (at != "bottom" or v[self.top + to] < 0):
            after = self.everyone
        lost = self.everyone & ~(before | after)
        known = self.spots.known
        if lost and not self.spots.ordered[source] and not self.spots.single[source] and source >= self.first_place:
            # Who sees neither end cannot tell which piece left, so all of the place are forgotten, unless all go.
            lying = v[self.members + source - self.first_place]
            for other in bits(lying if lying & ~along else 0):
                v[known + other] &= ~lost
        self.show(v, 1 << piece, before | after)
        if self.watch is not None:
            self.watch(v, piece, before | after, True)

    def show(self, v: State, shown: int, seats: int) -> None:
        """Players see pieces (a set). Who knew another one in the same hand that looks the same cannot tell whether
        it was that one, and knows of no more such pieces there than before."""
        known = self.spots.known
        for piece in bits(shown):
            spot, strangers = v[self.at + piece], seats & ~v[known + piece]
            if strangers and spot >= self.first_place and not self._told_apart(spot):
                strangers &= ~self.seers(v, spot)
                for other in bits(v[self.members + spot - self.first_place] & ~shown):
                    if strangers & v[known + other] and self._alike(v, piece, other):
                        strangers, v[known + other] = strangers & ~v[known + other], v[known + other] & ~strangers
            v[known + piece] |= seats

    def _told_apart(self, spot: int) -> bool:
        """Whether pieces there are told apart by where they lie."""
        return self.spots.ordered[spot] or self.spots.single[spot] or spot in self.slots

    def _alike(self, v: State, a: int, b: int) -> bool:
        return bool(self.rows[a] == self.rows[b]) and all(v[base + a] == v[base + b] for base in self.states)

    def notice(self, v: State) -> None:
        """Whoever sees a piece while play stands at a decision knows it later, even where the view of its place
        changes without the piece being moved: with who holds the place, whose turn it is, or what covers it."""
        known = self.spots.known
        for spot in self.shifting:
            if v[self.top + spot] >= 0 if self.spots.ordered[spot] else v[self.members + spot - self.first_place]:
                seers = self.seers(v, spot)
                for piece in self.on(v, spot):
                    v[known + piece] |= seers
        for spot in self.tops:
            if (piece := v[self.top + spot]) >= 0:
                v[known + piece] |= self.everyone

    def forget(self, v: State, spot: int) -> None:
        """After a shuffle only those know the pieces who see them."""
        if self.spots.known >= 0:
            seers = self.seers(v, spot)
            for piece in self.on(v, spot):
                v[self.spots.known + piece] &= seers

    def hide(self, v: State, hidden: int) -> None:
        """Of pieces (a set) only those know what they are who see them where they lie."""
        if self.spots.known >= 0:
            for piece in bits(hidden):
                v[self.spots.known + piece] &= self.seers(v, v[self.at + piece])
