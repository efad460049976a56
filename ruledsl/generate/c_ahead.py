"""Effects that are looked ahead in generated C: what they would change is changed in a copy of the sets that are kept.

`would(put(p), …)` asks what holds after an effect. Mostly the effect moves a piece, perhaps takes others away, and the
question looks at nothing but sets that are kept anyway. Then no piece is moved, and nothing has to be put back: the
sets are copied, changed, and asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER, Kind, a_set, number
from ruledsl.ir.walk import parts, within
from ruledsl.records import dataclass
from ruledsl.types import bits

from .c_untouched import CUntouched
from .kept import Kept, Region
from .language import Text
from .passes import NONE_OFF, Off, Pass

Moves = list[C.Move]


@dataclass(frozen=True, eq=False)
class Fork:
    """An effect that does one thing or another, as a condition on the state before it tells."""

    condition: C.Node
    then: Moves | Fork
    otherwise: Moves | Fork


MOST_WAYS = 4  # through an effect with conditions: each is written out
MOST_ASKED = 3  # sets that are asked one after the other what lies on a space
AHEAD = "ahead"  # the last part of the key of a function that looks ahead


class CAhead(CUntouched):
    """Looks ahead where that is enough; what it cannot tell without moving pieces is left to be tried out."""

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        super().__init__(program, without)
        self.looking = False  # whether what is written looks ahead: at `v` instead of `s`
        self.ahead_sets: set[str] | None = None  # the sets that are looked at ahead; all while they are not known yet
        self._mentioned: set[str] = set()
        self._refused: set[int] = set()
        self._spaces: dict[int, C.Node] = {}  # by operation: where the pieces lie that it moves
        self._renamed: dict[int, str] = {}  # parameters of the effect that is looked ahead
        self._found_ahead = False
        self._to_box: bool | None = None  # whether pieces that leave the board in trials always go to the box

    # ----------------------------------------------------------------------- the leaves, while looking ahead

    @property
    def given(self) -> str:
        return "Context *x, State *s" + (", const Ahead *v" if self.looking else "")

    @property
    def inlined(self) -> str:
        return "INLINED " if self.looking else ""

    @property
    def passed(self) -> list[str]:
        return ["x", "s", "v"] if self.looking else ["x", "s"]

    def mode(self) -> tuple[str, ...]:
        return (AHEAD,) if self.looking else ()

    def kept_set(self, kept: Kept, index: str | None) -> str:
        text = super().kept_set(kept, index)
        return "v" + text[1:] if self.looking and _moves_on(kept) else text

    def prim_fingerprint(self, node: C.Primitive, kind: Kind) -> str:
        text = self.prints.prim_fingerprint(node, kind)
        return text.replace("s->print", "v->print") if self.looking else text

    def slot(self, slot: int) -> str:
        return self._renamed[slot] if slot in self._renamed else super().slot(slot)

    def item(self, base: int, index: str) -> str:
        if self.looking and base == self.program.spots.top:
            return f"lying_ahead(s, v, {index})"
        if self.looking and base == self.program.spots.at and self._leave_for_good():
            return f"at_ahead(s, v, {index})"
        return super().item(base, index)

    def region_set(self, region: Region, top: int) -> str:
        if region.sort != "unsure" or not self.looking:
            return super().region_set(region, top)
        sure = f"CLUSTERS(x)->sure{region.by}"  # true for the state as it is, and still so when one space has changed
        return self.cond("v->changed > 1", self.set_const((1 << top) - 1, top), self.op("others", [sure], top))

    def value(self, node: C.Node) -> Text:
        match node:
            case C.Look(table=table, index=C.Primitive(name="first_on", args=(spot,), data=(kinds,)), none=-1) if (
                self.looking
            ):
                text = self._told_by_sets(table, spot, kinds)
                if text is not None:
                    return text, self.kind(node)
        return super().value(node)

    def _told_by_sets(self, table: tuple[Any, ...], spot: C.Node, kinds: int) -> str | None:
        """What a piece on a space is, by the sets of spaces with such pieces: they are at hand."""
        of = [
            kept for kept in self.absorber.found if kept.table == table and (kept.of, kept.kinds) == ("spaces", kinds)
        ]
        if not of or of[0].values > MOST_ASKED or min(table[piece] for piece in bits(kinds)) < 0:
            return None
        space = self.simple(self.number(_space(spot)))
        sure, text = self.kind(_space(spot)).sure, "-1"
        for value in range(of[0].values):
            here = self.op("has", [space, self.kept_set(of[0], str(value))], of[0].count)
            text = f"({here} ? {value} : {text})"
        return text if sure else self.cond(f"{space} >= 0", text, "-1")

    def call(self, formula: C.Formula, args: list[str]) -> str:
        if not self.looking:
            return super().call(formula, args)
        name = f"{self.formula_names[formula]}_{AHEAD}"
        name = self.once(("formula", formula, AHEAD), name, lambda n: self.formula_function(n, formula))
        return f"{name}({', '.join([*self.passed, *args])})"

    def once(self, key: Any, stem: str, define: Any) -> str:
        if self.looking and not (isinstance(key, tuple) and key[-1] == AHEAD):
            with self._plainly():
                return super().once(key, stem, define)
        return super().once(key, stem, define)

    @contextmanager
    def _plainly(self, looking: bool = False) -> Iterator[None]:
        before, self.looking = self.looking, looking
        try:
            yield
        finally:
            self.looking = before

    # ------------------------------------------------------------------------------------------ looking ahead

    def would(self, node: C.Would, args: list[str]) -> str:
        if self.looking or node in self.watched or id(node) in self._refused or not self.on(Pass.LOOKED_AHEAD):
            return super().would(node, args)
        text = self._ahead_of(node, args)
        return super().would(node, args) if text is None else text

    def _tried_out(self, node: C.Would, args: list[str]) -> str:
        """What touches something that its condition looks at need not be tried, either."""
        text = None
        if node in self.watched and id(node) not in self._refused and self.on(Pass.LOOKED_AHEAD):
            text = self._ahead_of(node, args)
        return super()._tried_out(node, args) if text is None else text

    def _ahead_of(self, node: C.Would, args: list[str]) -> str | None:
        moves = self._moves(node.procedure)
        text = self._looked_ahead(node, args, moves) if moves is not None else None
        if text is None:
            self._refused.add(id(node))
        return text

    def _moves(self, procedure: C.Procedure) -> Moves | Fork | None:
        """What an effect does, if all that it does is to move a piece and to take others away."""
        spots = self.program.spots
        if not self.absorber.single or self.absorber.boards != {0: spots.first_place} or not self._keeps_all():
            return None
        if self.hides or self.program.slots or spots.growing or spots.turn >= 0:
            return None
        found = self._way(procedure.entry, {*procedure.parameters, procedure.back})
        return found if _ways(found) <= MOST_WAYS else None

    def _way(self, at: int, own: set[int]) -> Moves | Fork | None:
        """The same of an effect from one of its blocks on."""
        spots, found, seen = self.program.spots, list[C.Move](), set[int]()
        while at not in seen:
            seen.add(at)
            block = self.program.blocks[at]
            for op in block.ops:
                match op:
                    case C.Say():
                        pass
                    case C.Zero(slots=slots) if set(slots) <= own:
                        pass
                    case C.Move(turned=None) if op.at is None or isinstance(op.at, str):
                        found.append(op)
                    case C.Act(name="remove", args=(gone,)):
                        found.append(C.Move(gone, "set", C.Const(spots.box), span=op.span))
                    case _:
                        return None
            match block.end:
                case C.Jump(to=to):
                    at = to
                case C.Branch(condition=condition, then=then, otherwise=otherwise) if not found:
                    one, other = self._way(then, own), self._way(otherwise, own)
                    return Fork(condition, one, other) if one is not None and other is not None else None
                case C.Return():
                    return found if self._can_look(found) else None
                case _:
                    return None
        return None

    def _leave_for_good(self) -> bool:
        """Whether a piece that leaves the board while something is tried is in the box: so it is known where it is."""
        if self._to_box is None:
            box, self._to_box = self.program.spots.box, True
            found = [self._moves(node.procedure) for node in within(*self.kinds.roots) if isinstance(node, C.Would)]
            for move in (move for moves in found if moves is not None for move in _all_of(moves)):
                kind = self._spot(move.to)
                at_box = isinstance(move.to, C.Const) and move.to.value == box
                self._to_box = self._to_box and (kind.top <= self.program.spots.first_place or at_box)
        return self._to_box

    def _keeps_all(self) -> bool:
        return self.absorber.keeps(self._taken())

    def _taken(self) -> Kept:
        assert self.absorber.pieces is not None
        return Kept("spaces", 0, self.program.spots.first_place, self.absorber.pieces.everything)

    def _can_look(self, moves: list[C.Move]) -> bool:
        spots = self.program.spots
        for i, move in enumerate(moves):
            kind = self._spot(move.to)
            if not (kind.low >= spots.first_place or kind.top <= spots.first_place):
                return False
            if kind.low >= spots.first_place and any(spots.capacity[kind.low : kind.top]):
                return False
            if move.form == "one" and not (
                i and (self._looks_at_pieces(move.pieces) or self._looks_at_pieces(move.to))
            ):
                continue
            leaves = kind.low >= spots.first_place
            if move.form != "set" or not leaves or self._lying_on(move) is None:
                return False
        return bool(moves) and sum(move.form == "one" for move in moves) <= 1

    def _spot(self, node: C.Node) -> Kind:
        """Which spots a place to move to may be."""
        table = self.tables.of(node)
        return number(min(table.values), max(table.values) + 1) if table is not None else self.kinds.of(node)

    def _lying_on(self, move: C.Move) -> C.Node | None:
        """The spaces on which the pieces lie that are moved, if they are told by them."""
        if id(move.pieces) not in self._spaces:
            match move.pieces:
                case C.Fold(
                    kind="set",
                    value=C.Primitive(name="first_on", args=(spot,), data=(kinds,)),
                ) if self.absorber.pieces is not None and kinds == self.absorber.pieces.everything:
                    self._spaces[id(move.pieces)] = replace(move.pieces, value=_space(spot))
                case C.Op(name="only", args=(C.Primitive(name="first_on", args=(spot,), data=(kinds,)),)) if (
                    self.absorber.pieces is not None and kinds == self.absorber.pieces.everything
                ):
                    self._spaces[id(move.pieces)] = C.Op("only", (_space(spot),))
        return self._spaces.get(id(move.pieces))

    def _looked_ahead(self, node: C.Would, args: list[str], moves: Moves | Fork) -> str | None:
        kept = dict(self._tables), len(self.definitions), len(self.library), list(self.faults), dict(self._faults)
        result = self.temp("would")
        parameters = node.procedure.parameters
        with self.captured() as lines:
            values = [self.held(arg, self.kinds.slot(slot)) for arg, slot in zip(args, parameters, strict=True)]
            self.line(f"num {result};")
            with self.scope(), self.tidy():
                self._renamed = {slot: f"ahead_{-slot if slot < 0 else slot}" for slot in parameters}
                for slot, value in zip(parameters, values, strict=True):
                    self.declare(self.kinds.slot(slot), self._renamed[slot], value)
                self.bring_up_to_date()
                self.line("Ahead ahead, *v = &ahead;")
                self.line("ahead_of(x, s, v);")
                looks = self._all_move(moves)
                with self._plainly(True), self.captured() as asked, self.afresh():
                    self.line(f"{result} = {self.truth(node.condition)};")
                self.splice(asked)
                self._renamed = {}
        functions = self.library[kept[2] :]
        if not self._sees(looks + asked) or not self._sees(_with_view(functions)):
            self._tables, self.faults, self._faults = kept[0], kept[3], kept[4]
            del self.definitions[kept[1] :], self.library[kept[2] :]
            return None
        self._mentioned |= set(re.findall(r"\bv->(\w+)", "\n".join([*lines, *functions])))
        self._found_ahead = True
        self.splice(lines)
        return result

    def _all_move(self, moves: Moves | Fork) -> list[str]:
        """All pieces move; gives the lines that look ahead."""
        looks: list[str] = []
        if isinstance(moves, Fork):
            with self.if_(self.truth(moves.condition)), self.afresh():
                looks += self._all_move(moves.then)
            with self.else_(), self.afresh():
                return looks + self._all_move(moves.otherwise)
        for i, move in enumerate(moves):
            if move.form == "one":
                self._one_moves(move, bool(i))
            else:
                looks += self._some_leave(move)
        return looks

    def _one_moves(self, move: C.Move, after: bool) -> None:
        """A piece moves, perhaps after others have left: all that tells which and where is the state as it is."""
        spots = self.program.spots
        with self._before_all(move.pieces):
            text, found = self.value(move.pieces)
            piece = self.held(text, ANY_NUMBER)
            at = self.item(spots.at, piece)
            source = self.held(at if found.sure else self.cond(f"{piece} >= 0", at, "-1"), ANY_NUMBER)
        if after:  # it may be one of those that have left
            gone = f"{source} < {spots.first_place} && lying_ahead(s, v, {source}) != {piece}"
            self.line(f"if ({gone}) {source} = {spots.first_place};")
        if not found.sure:
            self.line(f"if ({piece} < 0) fault(x, {self.fault(move.span, 'there is no piece to move')}, 0);")
        text, to = self.value(move.to)
        spot = self.held(text, ANY_NUMBER)
        if not to.sure:
            self.line(f"if ({spot} < 0) fault(x, {self.fault(move.span, 'there is nowhere to move to')}, 0);")
        on_board = to.top <= spots.first_place
        with self.if_(f"{source} != {spot}"):
            if on_board:
                full = self.fault(None, "{piece} cannot go where there is no room left")
                there = f"lying_ahead(s, v, {spot})" if after else self.item(spots.top, spot)
                self.line(f"if ({there} >= 0) fault(x, {full}, {piece});")
            with self.if_(f"{source} < {spots.first_place}"):
                self.kept_change(piece, source, False, "v", self.ahead_sets)
                self.line("v->changed++;")
            if on_board:
                self.kept_change(piece, spot, True, "v", self.ahead_sets)
                self.line(f"v->piece = {piece}, v->spot = {spot}, v->changed++;")

    @contextmanager
    def _before_all(self, node: C.Node) -> Iterator[None]:
        """In a menu, what is the same for all candidates is worked out once, where the function begins."""
        if not self.menu or not self.absorber.safe(node) or not self._same_for_all(node):
            yield
            return
        depth, self.depth, lines, self.lines = self.depth, 1, self.lines, []
        with self.afresh():
            yield
        self.heads += [line.removeprefix("    ") for line in self.lines]
        self.depth, self.lines = depth, lines

    def _same_for_all(self, node: Any) -> bool:
        """Whether an expression looks at no variable of a menu or formula, nor at a parameter."""
        match node:
            case C.Get(slot=slot):
                return slot >= 0 and slot not in self._renamed and self.places[slot][0].field.kind != "local"
            case C.Invoke() | C.Fold() | C.Would() | C.Possible():
                return False
        return all(map(self._same_for_all, parts(node)))

    def _some_leave(self, move: C.Move) -> list[str]:
        """Pieces leave the spaces on which they lie; gives the lines that look ahead."""
        top, spaces = self.program.spots.first_place, self._lying_on(move)
        assert spaces is not None, "asked before"
        with self._plainly(True), self.captured() as lines, self.afresh():
            taken = self.kept_set(self._taken(), None)
            gone = self.held(self.op("common", [self.set_text(spaces, top), taken], top), a_set(top))
        self.splice(lines)
        with self.loop_set("spot", gone, a_set(top)):
            self.line("num piece = lying_ahead(s, v, spot);")
            self.line("v->changed = 2;")
            self.kept_change("piece", "spot", False, "v", self.ahead_sets)
        return lines

    def slid(self, domain: C.Primitive) -> str:
        if not self.looking:
            return super().slid(domain)
        given = "const State *s, const Ahead *v"
        name = self.once(
            ("slides", domain.data, AHEAD), "slide_ahead", lambda n: self._slide_function(n, domain, given)
        )
        return f"{name}(s, v"

    def _sees(self, lines: list[str]) -> bool:
        """Whether lines look at nothing that the effect would have changed, but for what is in the copy."""
        spots, places = self.program.spots, self.places
        arrays = (spots.at, spots.top, spots.bottom, spots.under, spots.over, spots.members)
        moving = {places[base][0].name for base in arrays if base in places}
        still = {member.name for member in self.members} - moving
        still |= {f"kept{i}" for i, kept in enumerate(self.absorber.found) if not _moves_on(kept)}
        text = re.sub(r"\bs, v\b|\*s, const Ahead \*v\b", "", "\n".join(lines))
        if any(name not in still and not re.fullmatch(r"hints\d+", name) for name in re.findall(r"\bs->(\w+)", text)):
            return False
        return not re.search(r"\bs\b", re.sub(r"\bs->\w+|/\*.*?\*/", "", text))

    @contextmanager
    def rehearsed(self) -> Iterator[None]:
        """What is written within is forgotten, but for what was found out by it: which sets are asked for."""
        text = self.lines, self.definitions, self._tables, self.library, self.faults, self._faults, self.temps
        self.lines, self.definitions, self._tables, self.library = [], [], {}, []
        self.faults, self._faults = [], {}
        self.keep_possible()
        yield
        self.lines, self.definitions, self._tables, self.library, self.faults, self._faults, self.temps = text
        self.asked, self.tiles.found = {}, []
        self.spreads, self._spread = [], {}
        self._settle_ahead()

    def _settle_ahead(self) -> None:
        """All is known that is looked at ahead: from now on nothing else is copied."""
        if self._found_ahead:
            self.ahead_sets = self._mentioned | {self.kept_set(self._taken(), None).removeprefix("s->")}

    def ahead_functions(self) -> list[str]:
        if not self._found_ahead or self.ahead_sets is None:
            return []
        taken = self.kept_set(self._taken(), None).replace("s->", "v->", 1)
        with self.captured() as lines:
            with self.block("typedef struct", "} Ahead;  /* the sets that are kept, as an effect would leave them */"):
                for line in self.kept_members():
                    named = re.search(r"\b(?:kept|print)\d+\b", line)
                    if named is not None and named.group() in self.ahead_sets:
                        self.line(line)
                self.line("num piece, spot;  /* the piece that would move, and where to */")
                self.line("num changed;  /* how many spaces hold something else; 2 if more, or if that is not known */")
            self.line("")
            with self.block("static inline void ahead_of(const Context *x, const State *s, Ahead *v)"):
                self.line("v->piece = v->spot = -1, v->changed = x->trying ? 2 : 0;")
                for name in sorted(self.ahead_sets):
                    if name.startswith(("kept", "print")):
                        self.line(f"memcpy(&v->{name}, &s->{name}, sizeof v->{name});")
            self.line("")
            with self.block("static inline num lying_ahead(const State *s, const Ahead *v, num spot)"):
                top = super().item(self.program.spots.top, "spot")
                there = self.op("has", ["spot", taken], self.program.spots.first_place)
                self.line(f"return !{there} ? -1 : spot == v->spot ? v->piece : {top};")
            self.line("")
            if self._leave_for_good():
                with self.block("static inline num at_ahead(const State *s, const Ahead *v, num piece)"):
                    self.line("if (piece == v->piece) return v->spot;")
                    self.line(f"num spot = {super().item(self.program.spots.at, 'piece')};")
                    gone = f"spot < {self.program.spots.first_place} && lying_ahead(s, v, spot) != piece"
                    self.line(f"return {gone} ? {self.program.spots.box} : spot;")
                self.line("")
        return lines


def _moves_on(kept: Kept) -> bool:
    """Whether a kept set changes as pieces move."""
    return kept.of == "spaces" or (kept.of == "pieces" and kept.state < 0)


def _ways(moves: Moves | Fork | None) -> int:
    return _ways(moves.then) + _ways(moves.otherwise) if isinstance(moves, Fork) else 1


def _all_of(moves: Moves | Fork) -> Moves:
    """The moves on all ways."""
    return [*_all_of(moves.then), *_all_of(moves.otherwise)] if isinstance(moves, Fork) else moves


def _space(spot: C.Node) -> C.Node:
    """The space of the only board as which a spot is told."""
    while isinstance(spot, C.Primitive) and spot.name == "offset" and spot.data == (0,):
        (spot,) = spot.args
    return spot


def _with_view(lines: list[str]) -> list[str]:
    """The functions among those written that look ahead."""
    found: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("static"):
            inside = "const Ahead *v" in line
        if inside:
            found.append(line)
    return found
