"""What a seat may see: worked out from what places and values declare, never written by hand.

A view is plain data with names: public things, what the seat owns or has been shown, and the number of what it
does not know. States that differ in nothing but what is hidden from the seat give the same view.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import BoardInfo, PoolInfo
from ruledsl.ir import core as C
from ruledsl.types import NO_NUMBER, BagOf, Elem, ListOf, Num, Root, SetOf, Type, bits, every

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.engine.machine import Machine

State = list[int]
HIDDEN = None  # what stands for a piece that the viewer does not know


class Viewer:
    """Views of the states of one configured game."""

    def __init__(self, world: GameWorld, machine: Machine) -> None:
        self.world, self.machine = world, machine
        self.spots = machine.program.spots
        self.everyone = world.players.everything
        self._seen: dict[str, Any] = {}

    def view(self, v: State, seat: int | None, pending: tuple[int, ...] = ()) -> dict[str, Any]:
        """All that a seat may see; with no seat, what a bystander may see."""
        world = self.world
        phases = world.phase_names
        phase = v[world.data["phase_slot"]]
        return {
            "game": self.machine.program.name,
            "seat": world.players.names[seat] if seat is not None else None,
            "players": list(world.players.names),
            "to_move": [world.players.names[p] for p in pending],
            "turn_player": world.players.names[v[C.TURN_PLAYER]] if v[C.TURN_PLAYER] >= 0 else None,
            "turn_number": v[C.TURN_NUMBER],
            "round": v[C.ROUND],
            "phase": phases[phase - 1] if phase else None,
            "boards": {board.name: self._board(v, board, seat) for board in world.boards},
            "places": self._places(v, seat),
            "pools": self._pools(v, seat),
            "values": self._values(v, seat),
            "pieces": self._pieces(v, seat),
            **self._backs(v, seat),
        }

    # ------------------------------------------------------------------------------------------ knowledge

    def knows(self, v: State, piece: int, seat: int | None) -> bool:
        """Whether a seat knows which piece this is."""
        if self.spots.known < 0:
            return True
        spot = v[self.spots.at + piece]
        if spot in self.machine.program.top_seen and self.machine.pieces.on(v, spot)[-1] == piece:
            return True
        return self.among(self.machine.pieces.knowers(v, piece), seat)

    def among(self, players: int, seat: int | None) -> bool:
        """Whether a seat is one of these players; a bystander knows what all of them know."""
        return players & self.everyone == self.everyone if seat is None else bool(players >> seat & 1)

    def name(self, piece: int) -> str:
        """The name of a piece; pieces of one row are called alike, for nothing tells them apart."""
        return str(self.world.data["public_names"][piece])

    # ---------------------------------------------------------------------------------------------- parts

    def _lying(self, v: State, spot: int, seat: int | None) -> list[Any]:
        """What lies on a spot, unknown pieces as None; where there is no order the known come first."""
        pieces = self.machine.pieces.on(v, spot)
        names = [self.name(p) if self.knows(v, p, seat) else HIDDEN for p in pieces]
        if spot >= self.spots.first_place and not self.spots.ordered[spot] and spot not in self.machine.pieces.slots:
            names.sort(key=lambda name: (name is HIDDEN, name or ""))
        return names

    def backs(self, v: State, piece: int) -> dict[str, Any]:
        """What everybody sees of a piece though it lies hidden, by name."""
        found: dict[str, Any] = {}
        for f in self.open_fields:
            kind, _, name = f.name.partition(".")
            if self.world.pieces.parts.get(kind, 0) >> piece & 1:
                found[name] = self.plain(v, f.base + piece, f.type)
        return found

    @cached_property
    def open_fields(self) -> list[C.Field]:
        return [f for f in self.machine.program.layout.fields if f.base in self.world.open_state]

    def _backs(self, v: State, seat: int | None) -> dict[str, Any]:
        """By place, what is seen of pieces there that the seat does not know; only in games with such state."""
        found: dict[str, Any] = {}
        if not self.open_fields or self.spots.known < 0:
            return found
        for number, name in enumerate(self.world.places.names):
            spot = self.spots.first_place + number
            lying = self.machine.pieces.on(v, spot)
            backs = [self.backs(v, p) if not self.knows(v, p, seat) else None for p in lying]
            if not self.spots.ordered[spot] and spot not in self.machine.pieces.slots:
                backs.sort(key=lambda back: (back is not None, str(back)))  # as the names of what lies there
            if any(back is not None for back in backs):
                found[name] = backs
        return {"backs": found}

    def _board(self, v: State, board: BoardInfo, seat: int | None) -> dict[str, Any]:
        total = self.world.pieces.size
        held = set(v[self.spots.at : self.spots.at + total]) if total else set()  # few, on a board that grows
        found = self._on(v, board.root.names, board.first_spot, held, seat)
        for part in self.world.parts:
            if part.kind.tile == board.name:
                found |= self._on(v, part.root.names, part.first_spot, held, seat)
        return found

    def _on(self, v: State, names: list[str], first: int, held: set[int], seat: int | None) -> dict[str, Any]:
        """What lies on spots in a row, of those on which something lies."""
        there = sorted(spot for spot in held if first <= spot < first + len(names))
        return {names[spot - first]: self._lying(v, spot, seat) for spot in there}

    def _places(self, v: State, seat: int | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for info in self.world.place_infos:
            for i in range(info.count):
                if isinstance(info.per, Elem) and not info.per.mask >> i & 1:
                    continue  # one of those that only some members have
                number = info.first + i
                lying = self._lying(v, self.spots.first_place + number, seat)
                found[self.world.places.names[number]] = lying
        return found

    def _pools(self, v: State, seat: int | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for pool in self.world.pools:
            for word, (_, base, root) in pool.holders.items():
                if root is None:
                    found[word] = self._tokens(v, pool, base)
                elif root is self.world.pieces:
                    counts = {
                        root.names[i]: self._tokens(v, pool, base + i * pool.size)
                        for i in range(root.size)
                        if self.knows(v, i, seat)
                    }
                    found[word] = {name: tokens for name, tokens in counts.items() if tokens and any(_numbers(tokens))}
                else:
                    hidden = next((one for one in pool.secrets if one.name == word), None)
                    found[word] = {
                        root.names[i]: self._tokens(v, pool, base + i * pool.size)
                        for i in range(root.size)
                        if hidden is None or self.sees_value(v, hidden, seat, i)
                    }
            if pool.supply >= 0:
                found[f"supply.{pool.name}"] = self._tokens(v, pool, pool.supply)
        return found

    def _tokens(self, v: State, pool: PoolInfo, base: int) -> Any:
        if pool.of is None:
            return v[base]
        return {pool.of.names[i]: v[base + i] for i in bits(pool.mask)}

    def _values(self, v: State, seat: int | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        knows = self._knowing(v, seat)
        for value in self.world.values:
            if not value.keys:
                if self.sees_value(v, value, seat, None):
                    found[value.name] = self.plain(v, value.base, value.type, knows)
                continue
            table = {}
            for i in range(value.count):
                names, numbers = item_key(value, i)
                of_pieces = (n for n, key in zip(numbers, value.keys, strict=True) if self._is_piece(key))
                if self.sees_value(v, value, seat, numbers[0]) and all(map(knows, of_pieces)):
                    table[" ".join(names)] = self.plain(v, value.base + i * value.width, value.type, knows)
            found[value.name] = table
        return found

    def sees_value(self, v: State, value: Any, seat: int | None, owner: int | None) -> bool:
        node = value.seen
        if node is None:
            return True
        word = getattr(node, "value", "")
        if word in ("all", "none"):
            return bool(word == "all")
        if word == "owner":
            return seat is not None and seat == owner
        if word == "others":
            return seat is not None and seat != owner
        if value.name not in self._seen:
            elaborator = self.world.elaborator
            tree = elaborator.read(node)
            typed = elaborator.fitting.as_set(
                elaborator.expr(tree, SetOf(every(self.world.players))), tree.span, single=True
            )
            self._seen[value.name] = typed.node if typed is not None else C.Const(0)
        return seat is not None and bool(self.machine.evaluator.of(self._seen[value.name])(v) >> seat & 1)

    def _pieces(self, v: State, seat: int | None) -> dict[str, Any]:
        """The state of the pieces that the seat knows; how tiles lie on their board, and in which slot others lie."""
        found: dict[str, Any] = {}
        knows = self._knowing(v, seat)
        fields = [f for f in self.machine.program.layout.fields if f.kind == "state" and f.owner is self.world.pieces]
        slotted = self.machine.pieces.slots
        if not fields and self.spots.turn < 0 and not slotted:
            return found
        for piece in range(self.world.pieces.size):
            if not knows(piece):
                continue
            state = {}
            for f in fields:
                kind, _, name = f.name.partition(".")
                if self.world.pieces.parts.get(kind, 0) >> piece & 1:
                    state[name] = self.plain(v, f.base + piece * f.width, f.type, knows)
            at = v[self.spots.at + piece]
            for board in self._laid_on(piece):
                if 0 <= at - board.first_spot < board.root.size:
                    state |= {"at": board.root.names[at - board.first_spot], "turn": v[self.spots.turn + piece]}
            if at in slotted:
                state |= {
                    "at": self.world.places.names[at - self.spots.first_place],
                    "slot": v[self.spots.slot + piece],
                }
            if state:
                found[self.world.pieces.names[piece]] = state
        return found

    def _laid_on(self, piece: int) -> list[Any]:
        """The board on which a piece is laid as a tile, if it is one."""
        tiles = {kind.tile for kind in self.world.kinds if kind.tile is not None and kind.mask >> piece & 1}
        return [board for board in self.world.boards if board.name in tiles]

    def _knowing(self, v: State, seat: int | None) -> Callable[[int], bool]:
        return lambda piece: self.knows(v, piece, seat)

    def _is_piece(self, kind: Type | None) -> bool:
        return isinstance(kind, Elem) and kind.root is self.world.pieces

    def plain(self, v: State, slot: int, kind: Type | None, knows: Callable[[int], bool] = lambda piece: True) -> Any:
        """A value of the state by names; of pieces those that are known."""

        def name(root: Root, member: int) -> Any:
            if root.kind != "piece":
                return root.names[member]
            return self.name(member) if knows(member) else HIDDEN

        match kind:
            case Num():
                return None if v[slot] == NO_NUMBER else v[slot]
            case Elem(root=root):
                return None if v[slot] < 0 else name(root, v[slot])
            case SetOf(of=Elem(root=root)):
                return sorted((name(root, i) for i in bits(v[slot])), key=lambda word: word is HIDDEN)
            case SetOf():
                return list(bits(v[slot]))
            case BagOf(root=root):
                return {root.names[i]: v[slot + i] for i in range(root.size) if v[slot + i]}
            case ListOf(of=Elem(root=root)):
                return [name(root, x) for x in v[slot + 1 : slot + 1 + v[slot]]]
            case ListOf():
                return v[slot + 1 : slot + 1 + v[slot]]
        return bool(v[slot])


def item_key(value: Any, number: int) -> tuple[list[str], list[int]]:
    """The keys of an item of a value: as names and as numbers."""
    names: list[str] = []
    numbers: list[int] = []
    for key in reversed(value.keys):
        size = key.root.size if isinstance(key, Elem) else key.high - key.low + 1
        number, k = divmod(number, size)
        numbers.insert(0, k)
        names.insert(0, key.root.names[k] if isinstance(key, Elem) else str(key.low + k))
    return names, numbers


def _numbers(tokens: Any) -> list[int]:
    return list(tokens.values()) if isinstance(tokens, dict) else [tokens]


__all__ = ["HIDDEN", "Viewer", "item_key"]
