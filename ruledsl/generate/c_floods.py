"""What is connected in generated C: floods, those that go on from the last, and groups that are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.engine.connections import MOST_FILLS, Links
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER, TRUTH, Kind, a_set

from .c_lines import CLines
from .c_texts import words
from .clusters import Clusters, flooded
from .kept import Region
from .passes import NONE_OFF, Off, Pass
from .tabled import conjuncts
from .writer import is_only


def _alike(one: Region, other: Region) -> bool:
    """Whether two kept sets are the same."""
    if one.sort != "kept" or one.kept != other.kept or one.none is not None or other.none is not None:
        return False
    match one.index, other.index:
        case (None, None):
            return True
        case (C.Get(slot=a), C.Get(slot=b)):
            return a == b
        case (C.Const(value=a), C.Const(value=b)):
            return bool(a == b)
    return False


_BUCKETS, _IN_BUCKET = 16, 16  # ways that are remembered, by where they begin and end


def _steps_of(links: Links) -> int:
    """How many numbers steps have."""
    return 1 + max((number for found in links for _, number in found), default=0)


class CFloods(CLines):
    """What is connected in generated C: floods, those that go on from the last, and groups that are kept."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        # What spread from a start: the type of its set, how many there are, and whether the start may change.
        self.spreads: list[tuple[str, int, bool]] = []
        self._spread: dict[int, tuple[C.Node, int]] = {}
        self.absorber.lacking = self.lacking

    clusters: Clusters  # groups that are kept

    def touches(self, last: C.Each, found: list[Region]) -> str | None:
        """Whether a group that is flooded has a neighbour of some sort: the flood ends at the first.

        The domain is `neighbors(g)` with `g` reached through allowed spaces, itself or by a formula.
        """
        if not self.on(Pass.FLOOD_ENDS):
            return None
        asked = flooded(last)
        if asked is None:
            return None
        near, made, formula, flood = asked.near, asked.made, asked.formula, asked.reach
        top = len(near)
        wanted, _ = self.narrow(last, found, (self.set_const((1 << top) - 1, top), a_set(top)))
        wanted = self.held(wanted, a_set(top))
        result = self.temp("touches")
        self.declare(TRUTH, result, "0")
        if formula is not None:
            assert isinstance(made, C.Invoke)
            values = [
                (slot, self.held(self.as_kind(arg, self.kinds.slot(slot)), self.kinds.slot(slot)))
                for slot, arg in zip(formula.slots, made.args, strict=True)
            ]
        else:
            values = []
        with self.scope(), self.afresh():
            for slot, value in values:
                self.declare(self.kinds.slot(slot), self.slot(slot), value)
            start, clusters = flood.args[0], self._clusters(flood, (last, found))
            allowed = self.held(clusters[1] if clusters else self.set_text(flood.args[1], top), a_set(top))
            whole = f"touches{words(top)}({self._near(near, top)}, {self.set_text(start, top)}, {allowed}, {wanted})"
            if clusters is not None and isinstance(start, C.Op):
                at = self.number(start.args[0])
                beside = f"beside{words(top)}({clusters[0]}, {self._near(near, top)}, {at}, {allowed}, {wanted})"
                whole = self.cond(clusters[2], beside, whole)
            elif isinstance(start, C.Op) and start.name == "only" and self.kind(start.args[0]).sure:
                # Most groups touch it where they begin.
                at_once = self.op("common", [f"{self._near(near, top)}[{self.number(start.args[0])}]", wanted], top)
                at_once = self.op("minus", [at_once, allowed], top)
                whole = self.either([self.op("unequal", [at_once, self.set_const(0, top)], top), whole])
            self.assign(result, whole)
        return result

    def _clusters(
        self, flood: C.Primitive, wanted: tuple[C.Each, list[Region]] | None = None
    ) -> tuple[str, str, str] | None:
        """The groups that are kept for a flood from one space, the set they are groups of, and whether there is one."""
        found = self.clusters.of(flood, wanted)
        if found is None or not self.kind(flood.args[0]).sure:
            return None
        number, _, region = found
        assert region.kept is not None
        there, at, index = "1", "", None
        if region.index is not None:
            index = self.simple(self.number(region.index))
            at = f" + {index}"
            if region.none is not None or not self.kind(region.index).sure:
                there = f"{index} >= 0"
        among = self.kept_set(region.kept, index)
        if region.none is not None:
            among = self.cond(there, among, self.region_set(region.none, region.kept.count))
        return f"CLUSTERS(x)->of{number}{at}", among, there

    def lacking(self, slot: int, condition: C.Node) -> Region | None:
        """Where groups may be that lack some neighbours, if a condition asks for those: most groups surely have two."""
        match condition:
            case C.Op(name="equal", args=(C.Invoke(formula=formula, args=(C.Get(slot=s),)), C.Const(value=0))) if (
                s == slot
            ):
                body = formula.body
            case _:
                return None
        if not isinstance(body, C.Fold) or body.kind != "set" or body.value is not None or len(body.each) != 1:
            return None
        asked = flooded(body.each[0])
        if asked is None or not self.on(Pass.FLOOD_ENDS):
            return None
        if asked.formula is None or not isinstance(asked.made, C.Invoke) or len(asked.made.args) != 1:
            return None
        (given,), (start,) = asked.made.args, asked.reach.args[:1]
        seed = start.args[0] if isinstance(start, C.Op) and start.name == "only" else None
        if not (isinstance(given, C.Get) and given.slot == formula.slots[0]):
            return None
        if not (isinstance(seed, C.Get) and seed.slot == asked.formula.slots[0]):
            return None
        found, left = self.absorber.absorb(body.each[0].slot, conjuncts(body.where))
        family = None if left else self.clusters.of(asked.reach, (body.each[0], found))
        return Region("unsure", by=family[0]) if family is not None and family[1].wanted is not None else None

    def region_set(self, region: Region, top: int) -> str:
        if region.sort != "unsure":
            return super().region_set(region, top)
        at = f"CLUSTERS(x)->of{region.by}"
        known = f"CLUSTERS(x)->sure{region.by}, CLUSTERS(x)->wanted{region.by}"
        return f"unsure{words(top)}({at}, {self.clusters_now(region.by)}, {self.clusters_wanted(region.by)}, {known})"

    def clusters_now(self, number: int) -> str:
        """How many sets there are whose groups are kept, and where they begin."""
        kept = self.clusters.found[number].kept
        return f"{kept.values}, &{self.kept_set(kept, None if kept.plain else '0')}"

    def clusters_wanted(self, number: int) -> str:
        """What groups are asked for as their neighbours."""
        family = self.clusters.found[number]
        top = family.kept.count
        if family.wanted is None:
            return self.set_const(0, top)
        last, found = family.wanted
        return self.narrow(last, found, (self.set_const((1 << top) - 1, top), a_set(top)))[0]

    def _near(self, near: Any, top: int) -> str:
        return self.sets(tuple(near), words(top))

    def prim_reachable(self, node: C.Primitive, kind: Kind) -> str:
        near, top = node.data[0], kind.top
        clusters = self._clusters(node)
        if clusters is not None:
            groups, among, there = clusters
            (begun,) = node.args[0].args if isinstance(node.args[0], C.Op) else ()
            near_text, at, among = self._near(near, top), self.simple(self.number(begun)), self.held(among, kind)
            whole = f"cluster{words(top)}({groups}, {near_text}, {at}, {among})"
            return self.cond(there, whole, f"reach{words(top)}({near_text}, {self.op('just', [at], top)}, {among}, -1)")
        if isinstance(near, tuple):
            spread = self._spread_from(node, None)
            if spread is not None:
                return spread
        start, allowed = self.set_text(node.args[0], top), self.set_text(node.args[1], top)
        within = self.number(node.args[2])
        if isinstance(near, tuple):
            return f"reach{words(top)}({self._near(near, top)}, {start}, {allowed}, {within})"
        number = self.tiles.number_of(near)
        name = self.once(("reach", number), "reach_parts", lambda n: self._reach_parts(n, number, top))
        return f"{name}(s, {start}, {allowed}, {within})"

    def prim_reachable_once(self, node: C.Primitive, kind: Kind) -> str:
        near, keys, top = node.data[0], node.data[1], kind.top
        start, allowed = self.set_text(node.args[0], top), self.set_text(node.args[1], top)
        which = self.fault(node.span, f"there are more than {MOST_FILLS} ways to choose which way to go")
        if isinstance(near, tuple):
            fill = f"reach{words(top)}({self._near(near, top)}, "
        else:
            number = self.tiles.number_of(near)
            fill = self.once(("reach", number), "reach_parts", lambda n: self._reach_parts(n, number, top)) + "(s, "
        name = self.once(
            ("once", near, keys, which), "reach_once", lambda n: self._reach_once(n, fill, keys, top, which)
        )
        return f"{name}(x, s, {start}, {allowed})"

    def _reach_once(self, name: str, fill: str, keys: tuple[int, ...], top: int, which: int) -> None:
        shared: dict[int, int] = {}
        for member, key in enumerate(keys):
            shared[key] = shared.get(key, 0) | 1 << member
        rivals = tuple(shared[key] & ~(1 << member) if key >= 0 else 0 for member, key in enumerate(keys))
        form, table, nothing = self.set_type(top), self.sets(rivals, words(top)), self.set_const(0, top)
        op = self.op
        with self.block(f"static {form} {name}(Context *x, State *s, {form} begun, {form} inside)"):
            self.line(f"{form} result = {nothing};")
            with self.loop_set("at", "begun", a_set(top)):
                self.line(f"inside = {op('minus', ['inside', f'{table}[at]'], top)};")
            self.line(f"{form} todo[{MOST_FILLS} + 64];")
            self.line("num waiting = 1, fills = 0;")
            self.line("todo[0] = inside;")
            with self.block("while (waiting)"):
                self.line("inside = todo[--waiting];")
                self.line(f"{form} found = {fill}begun, inside, -1), fresh = {op('minus', ['found', 'begun'], top)};")
                self.line("num doubled = -1;")
                with self.loop_set("at", "fresh", a_set(top)):
                    meet = op("common", [f"{table}[at]", "fresh"], top)
                    with self.if_(op("unequal", [meet, nothing], top)):
                        self.line("doubled = at;")
                        self.line("break;")
                with self.block("if (doubled < 0)"):
                    self.line(f"result = {op('union', ['result', 'found'], top)};")
                    self.line("continue;")
                whole = op("union", [f"{table}[doubled]", self.op("just", ["doubled"], top)], top)
                self.line(f"{form} grouped = {op('common', [whole, 'inside'], top)};")
                self.line(f"{form} rest = {op('minus', ['inside', 'grouped'], top)};")
                with self.loop_set("at", op("common", ["grouped", "found"], top), a_set(top)):
                    self.line(f"if (waiting >= {MOST_FILLS}) fault(x, {which}, 0);")
                    self.line(f"todo[waiting] = {op('union', ['rest', self.op('just', ['at'], top)], top)};")
                    self.line("waiting++;")
                self.line(f"if (++fills > {MOST_FILLS}) fault(x, {which}, 0);")
            self.line("return result;")

    def _reach_parts(self, name: str, number: int, top: int) -> None:
        form = self.set_type(top)
        nothing = self.set_const(0, top)
        with self.block(f"static {form} {name}(const State *s, {form} start, {form} allowed, num within)"):
            self.line(f"{form} found = start, edge = start;")
            some = self.op("unequal", ["edge", nothing], top)
            with self.block(f"while (within-- && {some})"):
                self.line(f"{form} around = {nothing};")
                with self.loop_set("part", "edge", a_set(top)):
                    near = f"parts_near{number}(s, part)"
                    self.line(f"around = {self.op('union', ['around', near], top)};")
                inside = self.op("common", ["around", "allowed"], top)
                self.line(f"edge = {self.op('minus', [inside, 'found'], top)};")
                self.line(f"found = {self.op('union', ['found', 'edge'], top)};")
            self.line("return found;")

    def prim_joined(self, node: C.Primitive, kind: Kind) -> str:
        near = node.data[0]
        assert isinstance(near, tuple), "only spaces of boards are joined"
        top = len(near)
        spread = self._spread_from(node, lambda: self.set_text(node.args[1], top))
        if spread is not None:
            return spread
        one, other, allowed = (self.set_text(arg, top) for arg in node.args)
        return f"joined{words(top)}({self._near(near, top)}, {one}, {other}, {allowed})"

    def _spread_from(self, node: C.Primitive, goal: Callable[[], str] | None) -> str | None:
        """What spreads from a start through spaces where pieces lie: kept from one question to the next.

        Where pieces come to such spaces and seldom leave them, a question is answered by what came since the one
        before it. With a goal it is asked whether that was reached. `reachable` starts within the allowed spaces.
        """
        if not self.on(Pass.KEPT_FLOODS):
            return None
        near, top, joined = node.data[0], len(node.data[0]), node.name == "joined"
        one, allowed = node.args[0], node.args[-1] if joined else node.args[1]
        if not joined and not (isinstance(node.args[2], C.Const) and node.args[2].value < 0):
            return None
        spaces, begin = self.absorber.made_of(allowed), self.absorber.made_of(one)
        if spaces is None or begin is None:
            return None
        grown = next((region for region in spaces if region.sort == "kept" and region.none is None), None)
        if grown is None or grown.kept is None or (not joined and len(spaces) > 1):
            return None
        inside = [region for region in begin if _alike(region, grown)]
        rest = [region for region in begin if region not in inside]
        if not rest or (not joined and not inside):
            return None
        asked = {slot for region in rest for slot in self._asked_by(region)}
        given = set() if grown.index is None else self.pure.asked(grown.index)
        fixed = asked <= given and (not given or isinstance(grown.index, C.Get))
        if not fixed and any(region.sort == "given" and is_only(region.given) for region in rest):
            return None  # another start each time
        if id(node) not in self._spread:
            self._spread[id(node)] = node, len(self.spreads)
            self.spreads.append((self.set_type(top), grown.kept.values, not fixed))
        at = self.simple(self.number(grown.index)) if grown.index is not None else "0"
        number = self._spread[id(node)][1]
        found, around, begun = (f"s->{name}{number}[{at}]" for name in ("spread", "around", "begun"))
        if inside:
            start, *others = (self.region_set(region, top) for region in rest)
            for other in others:
                start = self.op("common", [start, other], top)
        else:
            start = self.set_text(one, top)
        start, through = self.held(start, a_set(top)), self.held(self.set_text(allowed, top), a_set(top))
        wanted = self.held(goal(), a_set(top)) if goal is not None else self.set_const(0, top)
        kept = "0" if fixed else f"&{begun}"
        args = [self._near(near, top), f"&{found}", f"&{around}", kept, start, through, wanted]
        self.line(f"spread{words(top)}({', '.join(args)});")
        if goal is None:
            return self.held(found, a_set(top))
        met = self.op("common", [found, wanted], top)
        return self.held(self.op("unequal", [met, self.set_const(0, top)], top), TRUTH)

    def _asked_by(self, region: Region) -> set[int]:
        """The slots and variables on which a region depends; -1 for what lies where."""
        if region.sort == "kept":
            return {-1}
        found = set[int]().union(*map(self._asked_by, region.parts))
        for node in (region.index, region.given):
            if node is not None:
                found |= self.pure.asked(node)
        return found

    def spread_members(self) -> list[str]:
        """What is at hand of what spread, in the state."""
        found = []
        for i, (form, count, moves) in enumerate(self.spreads):
            found.append(f"{form} spread{i}[{count}], around{i}[{count}];  /* what was reached, and its neighbours */")
            if moves:
                found.append(f"{form} begun{i}[{count}];  /* from where */")
        return found

    def meets(self, last: C.Each, found: list[Region]) -> str | None:
        """Whether anything that is reached is of some sort: the flood ends at the first."""
        domain = last.domain[0]
        if isinstance(domain, C.Invoke):
            if self.remembered(domain.formula):
                return None
            domain = self.absorber.seen_through(domain) or domain
        match domain:
            case C.Primitive(name="reachable", args=(one, through, C.Const(value=-1)), data=(tuple() as near, *_)):
                pass
            case _:
                return None
        top = len(near)
        if not found or not self.on(Pass.FLOOD_ENDS):
            return None

        def goal() -> str:
            return self.narrow(last, found, (self.set_const((1 << top) - 1, top), a_set(top)))[0]

        spread = self._spread_from(domain, goal)
        if spread is not None:
            return spread
        start, allowed = (self.held(self.set_text(arg, top), a_set(top)) for arg in (one, through))
        return self.held(f"meets{words(top)}({self._near(near, top)}, {start}, {allowed}, {goal()})", TRUTH)

    def prim_groups(self, node: C.Primitive, kind: Kind) -> str:
        near = node.data[0]
        top = len(near) if isinstance(near, tuple) else len(near.owner)
        inside = self.set_text(node.args[0], top)
        if isinstance(near, tuple):
            return f"groups{words(top)}({self._near(near, top)}, {inside})"
        number = self.tiles.number_of(near)
        reach = self.once(("reach", number), "reach_parts", lambda n: self._reach_parts(n, number, top))
        rest, count = self.temp("rest"), self.temp("n")
        self.declare(a_set(top), rest, inside)
        self.declare(ANY_NUMBER, count, "0")
        some = self.op("unequal", [rest, self.set_const(0, top)], top)
        with self.block(f"while ({some})"):
            first = self.op("just", [self.op("lowest", [rest], top)], top)
            self.line(f"{rest} = {self.op('minus', [rest, f'{reach}(s, {first}, {rest}, -1)'], top)};")
            self.line(f"{count}++;")
        return count

    # steps whose numbers are in a set

    def prim_reachable_by(self, node: C.Primitive, kind: Kind) -> str:
        links, top = node.data[0], kind.top
        start, allowed = (self.set_text(arg, top) for arg in node.args[:2])
        within, ways = self.number(node.args[2]), self._open_ways(node.args[3], links)
        name = self.once(("reach by", links), "reach_by", lambda n: self._reach_by(n, links))
        return f"{name}({start}, {allowed}, {within}, {ways})"

    def prim_joined_by(self, node: C.Primitive, kind: Kind) -> str:
        links = node.data[0]
        one, other, allowed = (self.set_text(arg, len(links)) for arg in node.args[:3])
        name = self.once(("joined by", links), "joined_by", lambda n: self._joined_by(n, links))
        return f"{name}({one}, {other}, {allowed}, {self._open_ways(node.args[3], links)})"

    def prim_distance_by(self, node: C.Primitive, kind: Kind) -> str:
        links = node.data[0]
        one, other = (self.number(arg) for arg in node.args[:2])
        allowed, ways = self.set_text(node.args[2], len(links)), self._open_ways(node.args[3], links)
        name = self.once(("distance by", links), "distance_by", lambda n: self._distance_by(n, links))
        return f"{name}({one}, {other}, {allowed}, {ways})"

    def _open_ways(self, node: C.Node, links: Links) -> str:
        return self.set_text(node, _steps_of(links))

    def _steps_around(self, links: Links, edge: str) -> None:
        """The lines that find `around`, where the open steps from some spaces end."""
        top, ways = len(links), _steps_of(links)
        at, ends, numbers = self._links(links)
        self.line(f"{self.set_type(top)} around = {self.set_const(0, top)};")
        with self.loop_set("at", edge, a_set(top)), self.block(f"for (num i = {at}[at]; i < {at}[at + 1]; i++)"):
            self.line(f"if ({self.op('has', [f'{numbers}[i]', 'ways'], ways)})")
            with self.captured() as lines:
                self.set_add("around", f"{ends}[i]", top, True)
            self.line(f"    {lines[0].strip()}")

    def _reach_by(self, name: str, links: Links) -> None:
        top, op = len(links), self.op
        form, ways = self.set_type(top), self.set_type(_steps_of(links))
        with self.block(f"static {form} {name}({form} start, {form} allowed, num within, {ways} ways)"):
            self.line(f"{form} found = start, edge = start;")
            with self.block(f"while (within-- && {op('unequal', ['edge', self.set_const(0, top)], top)})"):
                self._steps_around(links, "edge")
                self.line(f"edge = {op('minus', [op('common', ['around', 'allowed'], top), 'found'], top)};")
                self.line(f"found = {op('union', ['found', 'edge'], top)};")
            self.line("return found;")

    def _joined_by(self, name: str, links: Links) -> None:
        """Whether a way leads through open steps; where one was found, it is looked at first the next time.

        A way that was found before is still one while its spaces are allowed and its steps open, whatever else has
        changed. So candidates that are tried one after the other, such as walls, seldom need a search.
        """
        top, op, known = len(links), self.op, self.on(Pass.KNOWN_WAYS)
        form, ways, nothing = self.set_type(top), self.set_type(_steps_of(links)), self.set_const(0, top)
        ends = self._links(links)
        if known:
            kept = f"struct {name}_way {{ {form} spaces; {ways} ways; int16_t first, last, is; }}"
            self.definitions.append(f"{kept};  /* a way that was found */")
            self.definitions.append(f"static _Thread_local struct {name}_way {name}_known[{_BUCKETS}][{_IN_BUCKET}];")
            self.definitions.append(f"static _Thread_local unsigned {name}_turn;")
        with self.block(f"static num {name}({form} one, {form} other, {form} allowed, {ways} ways)"):
            self.line(f"{form} goal = {op('common', ['other', 'allowed'], top)};")
            self.line(f"{form} found = {op('common', ['one', 'allowed'], top)};")
            none = [op("equal", [one, nothing], top) for one in ("goal", "found")]
            self.line(f"if ({none[0]} || {none[1]}) return 0;")
            self.line(f"if ({op('unequal', [op('common', ['found', 'goal'], top), nothing], top)}) return 1;")
            if known:
                self._ask_known(name, links)
            self.line(f"int16_t queue[{top}], from[{top}], by[{top}];")
            self.line("num head = 0, tail = 0;")
            with self.loop_set("at", "found", a_set(top)):
                self.line("queue[tail++] = (int16_t)at;")
                self.line("from[at] = -1;")
            with self.block("while (head < tail)"):
                self.line("num at = queue[head++];")
                with self.block(f"for (num i = {ends[0]}[at]; i < {ends[0]}[at + 1]; i++)"):
                    self.line(f"num to = {ends[1]}[i];")
                    shut = op("has", [f"{ends[2]}[i]", "ways"], _steps_of(links))
                    self.line(f"if (!{shut} || !{op('has', ['to', 'allowed'], top)}) continue;")
                    self.line(f"if ({op('has', ['to', 'found'], top)}) continue;")
                    self.line(f"from[to] = (int16_t)at, by[to] = (int16_t){ends[2]}[i];")
                    self.set_add("found", "to", top, True)
                    with self.block(f"if ({op('has', ['to', 'goal'], top)})"):
                        if known:
                            self._note_known(name, links)
                        self.line("return 1;")
                    self.line("queue[tail++] = (int16_t)to;")
            self.line("return 0;")

    def _ask_known(self, name: str, links: Links) -> None:
        """The lines that look whether a way that was found is one now."""
        top, steps, op = len(links), _steps_of(links), self.op
        self.line(f"num bucket = ({op('lowest', ['found'], top)} + 7 * {op('lowest', ['goal'], top)}) % {_BUCKETS};")
        with self.block(f"for (num i = 0; i < {_IN_BUCKET}; i++)"):
            way = f"{name}_known[bucket][i]"
            tests = [
                f"{way}.is",
                op("equal", [op("minus", [f"{way}.ways", "ways"], steps), self.set_const(0, steps)], steps),
                op("equal", [op("minus", [f"{way}.spaces", "allowed"], top), self.set_const(0, top)], top),
                op("has", [f"{way}.first", "found"], top),
                op("has", [f"{way}.last", "goal"], top),
            ]
            self.line(f"if ({' && '.join(tests)}) return 1;")

    def _note_known(self, name: str, links: Links) -> None:
        """The lines that keep the way that was found to `to`."""
        top, steps = len(links), _steps_of(links)
        self.line(f"{self.set_type(top)} spaces = {self.set_const(0, top)};")
        self.line(f"{self.set_type(steps)} taken = {self.set_const(0, steps)};")
        self.line("num last = to;")
        with self.block("for (;;)"):
            self.set_add("spaces", "to", top, True)
            self.line("if (from[to] < 0) break;")
            self.set_add("taken", "by[to]", steps, True)
            self.line("to = from[to];")
        self.line(f"struct {name}_way *way = &{name}_known[bucket][{name}_turn++ % {_IN_BUCKET}];")
        self.line("way->spaces = spaces, way->ways = taken, way->is = 1;")
        self.line("way->first = (int16_t)to, way->last = (int16_t)last;")

    def _links(self, links: Links) -> tuple[str, str, str]:
        """Tables of the steps of each space: where those of a space begin, where each ends, and its number."""
        first = [0]
        for found in links:
            first.append(first[-1] + len(found))
        ends = [end for found in links for end, _ in found]
        numbers = [number for found in links for _, number in found]
        return self.numbers(tuple(first)), self.numbers(tuple(ends)), self.numbers(tuple(numbers))

    def _distance_by(self, name: str, links: Links) -> None:
        top, op = len(links), self.op
        form, ways, nothing = self.set_type(top), self.set_type(_steps_of(links)), self.set_const(0, top)
        with self.block(f"static num {name}(num a, num b, {form} allowed, {ways} ways)"):
            self.line("if (a < 0 || b < 0) return INT32_MIN;")
            self.line(f"{form} found = {op('just', ['a'], top)}, edge = found;")
            with self.block(f"for (num steps = 0; {op('unequal', ['edge', nothing], top)}; steps++)"):
                self.line(f"if ({op('has', ['b', 'edge'], top)}) return steps;")
                self._steps_around(links, "edge")
                self.line(f"edge = {op('minus', [op('common', ['around', 'allowed'], top), 'found'], top)};")
                self.line(f"found = {op('union', ['found', 'edge'], top)};")
            self.line("return INT32_MIN;")

    def prim_distance(self, node: C.Primitive, kind: Kind) -> str:
        near: tuple[int, ...] = node.data[0]
        one, other = (self.number(arg) for arg in node.args)
        name = self.once(("distance", near), "distance", lambda n: self._distance_function(n, near))
        return f"{name}({one}, {other})"

    def _distance_function(self, name: str, near: tuple[int, ...]) -> None:
        top = len(near)
        form, table = self.set_type(top), self._near(near, top)
        with self.block(f"static num {name}(num a, num b)"):
            self.line("if (a < 0 || b < 0) return INT32_MIN;")
            self.line(f"{form} found = {self.op('just', ['a'], top)}, edge = found;")
            some = self.op("unequal", ["edge", self.set_const(0, top)], top)
            with self.block(f"for (num steps = 0; {some}; steps++)"):
                self.line(f"if ({self.op('has', ['b', 'found'], top)}) return steps;")
                self.line(f"{form} around = {self.set_const(0, top)};")
                with self.loop_set("at", "edge", a_set(top)):
                    self.line(f"around = {self.op('union', ['around', f'{table}[at]'], top)};")
                self.line(f"edge = {self.op('minus', ['around', 'found'], top)};")
                self.line(f"found = {self.op('union', ['found', 'edge'], top)};")
            self.line("return INT32_MIN;")
