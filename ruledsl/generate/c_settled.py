"""Candidates whose trial is settled for all of them at once in generated C, by sets that are shifted.

`choose: {p: point where empty(p)}, where: would(put(p), breathes(p) and is_new)` tries a stone on every point. Mostly
the outcome is plain: no group beside the point is short of breath, so nothing will be taken; the point has a free
neighbour, or one of a friend's group that has another free one, so the stone will breathe. Both are asked of all points
at once: where groups stand that may be short (`clusters.py` keeps them apart), and what is free, are sets, and what
lies beside a set is that set, shifted. For these points the effect is that a piece comes, and only what is left of the
condition is asked; the others are tried one by one.
"""

from __future__ import annotations

from dataclasses import replace

from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER, Kind, a_set
from ruledsl.ir.once import once
from ruledsl.ir.walk import StuckError, put
from ruledsl.records import dataclass
from ruledsl.types import bits

from .c_ahead import CAhead
from .c_texts import words
from .clusters import flooded
from .kept import Kept, Region, conjuncts
from .passes import NONE_OFF, Off, Pass

MOST_WAYS = 8  # distances to what is near, up to which a set is shifted for each
LEVELS = 6  # of formulas within formulas that are looked through
Near = tuple[int, ...]  # what is near, by space


@dataclass(frozen=True, eq=False)
class Beside:
    """The spaces with one beside them that is in all of some sets."""

    near: Near
    regions: tuple[Region, ...]


@dataclass(frozen=True, eq=False)
class Breathing:
    """Where a piece that comes has a wanted neighbour, or joins a group that has two: of which family of groups, and
    what the piece is there, by a table."""

    near: Near
    wanted: tuple[Region, ...]
    family: int
    sort: tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class Settled:
    """A trial in which a piece comes to the candidate: beside what others may leave, where conditions surely hold, and
    what has to be asked then."""

    trial: C.Would
    leaving: tuple[Beside, ...]
    sure: tuple[Breathing, ...]
    rest: tuple[C.Node, ...]


class CSettled(CAhead):
    """Trials that are settled for many candidates at once."""

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        super().__init__(program, without)
        self._coming = ""  # the piece that surely comes to a free space, while that is looked ahead

    def asked_at_once(self, node: C.Fold, kind: Kind) -> str | None:
        found = super().asked_at_once(node, kind)
        each, slot = node.each[-1], node.each[-1].slot
        itself = node.value is None or (isinstance(node.value, C.Get) and node.value.slot == slot)
        if found is not None or self.noting or self.mode() or len(node.each) > 1 or each.form != "set" or not itself:
            return found
        regions, left = self.absorber.absorb(slot, conjuncts(node.where))
        if slot >= 0 or self._settled(slot, tuple(left)) is None:
            return None
        text, some = self.narrow(each, regions)
        text, name = self.held(text, some), self.temp("among")
        self.declare(kind, name, self.set_const(0, kind.top))
        rest = self.settle(slot, left, text, some, name)
        with self.loop_set(self.slot(slot), rest, some), self.afresh(), self.tidy(), self.where(left):
            self.set_add(name, self.slot(slot), kind.top, True)
        return name

    def settle(self, slot: int, left: list[C.Node], candidates: str, kind: Kind, found: str) -> str:
        """Adds to a set what is settled of some candidates; the set of those that have to be tried."""
        top = self.program.spots.first_place
        plan = self._settled(slot, tuple(left)) if words(kind.top) == words(top) else None
        if plan is None or self.looking:
            return candidates
        easy = self.temp("easy")
        with self.captured() as lines:
            self.declare(kind, easy, self.set_const(0, top))
            self.bring_up_to_date()
            with self.if_("!x->trying"), self.afresh():
                seen = self._write(plan, slot, candidates, easy, found, top)
        if not seen:
            return candidates
        self.splice(lines)
        return self.held(self.op("minus", [candidates, easy], kind.top), kind)

    def _write(self, plan: Settled, slot: int, candidates: str, easy: str, found: str, top: int) -> bool:
        """Finds the easy ones, and of them those that belong to what is found; whether that can be written."""
        moves = self._moves(plan.trial.procedure)
        assert isinstance(moves, list)
        kind, spots = a_set(top), self.program.spots
        piece = self.held(self.number(moves[0].pieces), ANY_NUMBER)
        source = self.cond(f"{piece} >= 0", self.item(spots.at, piece), "-1")
        written = False
        with self.if_(f"{source} >= {spots.first_place}"):
            taken = self.kept_set(self._taken(), None)
            self.assign(easy, self.op("minus", [candidates, taken], top))
            for one in plan.leaving:
                self.assign(easy, self.op("minus", [easy, self._beside(one.near, self._common(one.regions, top))], top))
            for sure in plan.sure:
                self.assign(easy, self.op("common", [easy, self._breathing(sure, piece, top)], top))
            self.assign(found, self.op("union", [found, easy], top))
            if not plan.rest:
                return True
            whole = plan.rest[0] if len(plan.rest) == 1 else C.Both(plan.rest)
            trial = replace(plan.trial, condition=whole)
            with self.loop_set(self.slot(slot), easy, kind), self.afresh(), self.tidy():
                parameters = zip(trial.procedure.parameters, trial.args, strict=True)
                args = [self.as_kind(arg, self.kinds.slot(one)) for one, arg in parameters]
                self._coming = piece
                would = self._looked_ahead(trial, args, moves[:1])
                self._coming = ""
                written = would is not None
                with self.if_(self.not_(would or "0")):
                    self.set_drop(found, self.slot(slot), top)
        return written

    def _one_moves(self, move: C.Move, after: bool) -> None:
        if not self._coming:
            super()._one_moves(move, after)
            return
        spot = self.held(self.number(move.to), ANY_NUMBER)  # it is free, and the piece was on no space
        self.kept_change(self._coming, spot, True, "v", self.ahead_sets)
        self.line(f"v->piece = {self._coming}, v->spot = {spot}, v->changed++;")

    def _common(self, regions: tuple[Region, ...], top: int) -> str:
        first, *others = (self._now(region, top) for region in regions)
        for other in others:
            first = self.op("common", [first, other], top)
        return self.held(first, a_set(top))

    def _now(self, region: Region, top: int) -> str:
        """A region as things stand; of groups that may be short those that are while one space more is taken."""
        if region.sort == "unsure":
            return self.op("others", [f"CLUSTERS(x)->sure{region.by}"], top)
        return self.region_set(region, top)

    def _breathing(self, sure: Breathing, piece: str, top: int) -> str:
        kept = self.clusters.found[sure.family].kept
        mine = self.kept_set(kept, None if sure.sort is None else f"{self.numbers(sure.sort)}[{piece}]")
        mine, wanted = self.held(mine, a_set(top)), self._common(sure.wanted, top)
        friends = self.op("common", [mine, f"CLUSTERS(x)->sure{sure.family}"], top)
        free = self.op("minus", [wanted, mine], top)
        return self._beside(sure.near, self.held(self.op("union", [free, friends], top), a_set(top)))

    def _beside(self, near: Near, text: str) -> str:
        """The spaces near which a member of a set is: for each distance the set, shifted; or, where there are many
        distances, what is near each member."""
        top = len(near)
        ways = _distances(near)
        if ways is None:
            found, member, text = self.temp("near"), self.temp("q"), self.simple(text)
            self.declare(a_set(top), found, self.set_const(0, top))
            with self.loop_set(member, text, a_set(top)):
                self.assign(found, self.op("union", [found, f"{self._near(near, top)}[{member}]"], top))
            return found
        found = ""
        for by, from_ in ways:
            inside = self.op("common", [text, self.set_const(from_, top)], top)
            one = self.shifted(inside, -by, top)
            found = self.op("union", [found, one], top) if found else one
        return self.held(found, a_set(top))

    # ------------------------------------------------------------------------------------------- what is plain

    @once()
    def _settled(self, slot: int, left: tuple[C.Node, ...]) -> Settled | None:
        if not self.on(Pass.SETTLED_AT_ONCE) or not self.on(Pass.LOOKED_AHEAD) or len(left) != 1:
            return None
        (trial,) = left
        if not isinstance(trial, C.Would) or trial in self.watched or id(trial) in self._refused:
            return None
        moves = self._moves(trial.procedure)
        if not isinstance(moves, list) or not moves or moves[0].form != "one" or self.clusters is None:
            return None
        meant = dict(zip(trial.procedure.parameters, trial.args, strict=True))
        first, *others = moves
        to = meant.get(first.to.slot) if isinstance(first.to, C.Get) else None
        if self.kinds.slot(slot).top > self.program.spots.first_place:
            return None
        if not (isinstance(to, C.Get) and to.slot == slot) or not self._same_for_all(first.pieces):
            return None
        leaving = [self._leaving(move, meant, slot) for move in others]
        known = tuple(one for one in leaving if one is not None)
        sure, rest = list[Breathing](), list[C.Node]()
        for condition in conjuncts(trial.condition):
            breathing = self._sure(condition, slot) if self.absorber.safe(condition) else None
            if breathing is not None:
                sure.append(breathing)
            else:
                rest.append(condition)
        if len(known) < len(others) or not (others or sure) or not all(map(self.absorber.safe, rest)):
            return None
        return Settled(trial, known, tuple(sure), tuple(rest))

    def _through(self, node: C.Node) -> C.Node:
        """What formulas say, one within the other."""
        for _ in range(LEVELS):
            body = self.absorber.seen_through(node) if isinstance(node, C.Invoke) else None
            if body is None:
                break
            node = body
        return node

    def _leaving(self, move: C.Move, meant: dict[int, C.Node], slot: int) -> Beside | None:
        """Beside what the candidates are for which pieces may leave: those that leave are told by what is near."""
        pieces = move.pieces
        if move.form != "set" or not isinstance(pieces, C.Fold) or pieces.each[0].form != "set":
            return None
        try:
            domain = self._through(put(pieces.each[0].domain[0], meant))
        except StuckError:
            return None
        if not isinstance(domain, C.Fold) or domain.kind != "set" or len(domain.each) != 1:
            return None
        (each,) = domain.each
        itself = domain.value is None or (isinstance(domain.value, C.Get) and domain.value.slot == each.slot)
        match each:
            case C.Each(form="set", domain=(C.Look(table=near, index=C.Get(slot=at)),)) if at == slot and itself:
                pass
            case _:
                return None
        found, _ = self.absorber.absorb(each.slot, conjuncts(domain.where))
        regions = tuple(region for region in found if region.sort == "unsure" or self._by_space(region, slot))
        near = tuple(near)
        return Beside(near, regions) if regions and self._is_mutual(near) else None

    def _by_space(self, region: Region, slot: int) -> bool:
        """Whether a region tells of each space by what lies there alone, and is the same for all candidates."""
        if region.sort in ("not", "and", "or"):
            return all(self._by_space(part, slot) for part in region.parts)
        if region.sort == "kept":
            kept, index = region.kept, region.index
            if kept is None or kept.of != "spaces" or kept.first or region.none is not None:
                return False
            return index is None or (self._same_for_all(index) and self.kind(index).sure)
        return region.sort == "whole"

    def _is_mutual(self, near: Near) -> bool:
        """Whether what is near is so from both sides, and never the space itself."""
        top = len(near)
        if top != self.program.spots.first_place or not all(isinstance(whole, int) for whole in near):
            return False
        pairs = ((space, to) for space, whole in enumerate(near) for to in bits(whole))
        return all(to < top and to != space and near[to] >> space & 1 for space, to in pairs)

    def _sure(self, condition: C.Node, slot: int) -> Breathing | None:
        """Where it is plain that a group has a wanted neighbour, if a condition asks for one of the group that the
        candidate will belong to."""
        match self._through(condition):
            case C.Op(name="unequal", args=(members, C.Const(value=0))):
                fold, meant = self._opened(members, slot)
            case C.Fold(kind="any") as fold:
                meant = slot
            case _:
                return None
        if not isinstance(fold, C.Fold) or fold.kind not in ("set", "any") or len(fold.each) != 1:
            return None
        (each,) = fold.each
        asked = flooded(each) if fold.value is None and each.form == "set" else None
        if asked is None or asked.formula is None or not isinstance(asked.made, C.Invoke):
            return None
        match asked.made.args, asked.formula.slots, asked.reach.args[0]:
            case (C.Get(slot=given),), (own,), C.Op(name="only", args=(C.Get(slot=start),)) if (
                given == meant and start == own
            ):
                pass
            case _:
                return None
        wanted, left = self.absorber.absorb(each.slot, conjuncts(fold.where))
        if left or not wanted or not all(self._by_space(region, slot) for region in wanted):
            return None
        family = self.clusters.of(asked.reach, (each, wanted))
        near = tuple(asked.near)
        if family is None or family[1].wanted is None or not self._is_mutual(near):
            return None
        number, _, region = family
        if region.kept is None or not self._is_its(region, region.kept, own):
            return None
        return Breathing(near, tuple(wanted), number, region.kept.table)

    def _opened(self, members: C.Node, slot: int) -> tuple[C.Node | None, int]:
        """What a formula of the candidate says, and what the candidate is called there: groups are known by where they
        are written, so it is read as it stands."""
        members = self._through(members)
        match members:
            case C.Invoke(formula=formula, args=(C.Get(slot=given),)) if given == slot:
                return formula.body, formula.slots[0]
        return members, slot

    def _is_its(self, region: Region, kept: Kept, own: int) -> bool:
        """Whether the set that a group is of is that of the sort of the piece on a space: so it is known what it will
        be when a piece has come."""
        if kept.of != "spaces" or kept.first or self.absorber.pieces is None:
            return False
        if kept.kinds != self.absorber.pieces.everything or kept.state >= 0:
            return False
        match region.index:
            case None:
                return kept.plain
            case C.Look(table=table, index=C.Primitive(name="first_on", args=(spot,), data=(kinds,))):
                while isinstance(spot, C.Primitive) and spot.name == "offset" and spot.data == (0,):
                    (spot,) = spot.args
                here = isinstance(spot, C.Get) and spot.slot == own
                return here and table == kept.table and kinds == kept.kinds and min(table) >= 0
        return False


def _distances(near: Near) -> list[tuple[int, int]] | None:
    """What is near as a few distances, and for each the spaces that are so far from one; nothing if there are many."""
    found: dict[int, int] = {}
    for space, whole in enumerate(near):
        for to in bits(whole):
            found[to - space] = found.get(to - space, 0) | 1 << to
            if len(found) > MOST_WAYS:
                return None
    return sorted(found.items())


__all__ = ["CSettled"]
