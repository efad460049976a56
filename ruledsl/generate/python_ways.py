"""Directions, lines and what is connected, asked in generated Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.engine.primitives import Between
from ruledsl.engine.tiles import Lying
from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER, LIST, Kind, a_set
from ruledsl.ir.lines import all_end, lines
from ruledsl.types import members

from .kept import conjuncts
from .passes import Pass
from .python_texts import bare

if TYPE_CHECKING:
    from .python_words import PythonWords


class PythonWays:
    """Directions, lines and what is connected, asked in generated Python."""

    def __init__(self, out: PythonWords) -> None:
        self.out, self.program, self.kinds = out, out.program, out.kinds

    def prim_turn(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        direction, by = out.simple(out.number(node.args[0])), out.number(node.args[1])
        (known,) = node.data
        if isinstance(known, dict):
            known = tuple(known.get(d, ((d,), 0)) for d in range(max(known, default=0) + 1))
        cycles = tuple((tuple(circle), position) for circle, position in known)
        lengths = {len(circle) for circle, _ in cycles}
        if len(lengths) == 1:
            length = lengths.pop()
            turned = tuple(circle[(position + k) % length] for circle, position in cycles for k in range(length))
            return out.cond(
                f"{direction} >= 0",
                f"{out.constant('TURNED', turned)}[{direction} * {length} + {by} % {length}]",
                "-1",
            )
        circle = out.simple(f"{out.constant('CIRCLES', cycles)}[{direction}]")
        return out.cond(f"{direction} >= 0", f"{circle}[0][({circle}[1] + {by}) % len({circle}[0])]", "-1")

    def prim_step(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        steps, count = node.data
        if len(node.args) == 2 and (spot := out.lying.where_it_is(node.args[0])) is not None:
            way, of = out.value(node.args[1])
            if of.sure:
                if way.isdigit():
                    return f"{out.constant('STEP', out.lying.beyond(steps[int(way) :: count], -1))}[{spot}]"
                return f"{out.constant('STEPS', out.lying.beyond(tuple(steps), -1, count))}[{spot} * {count} + {way}]"
        values = [out.value(arg) for arg in node.args]
        table = out.constant("STEPS", tuple(steps))
        if len(values) == 3:
            return f"steps_away({table}, {count}, {', '.join(text for text, _ in values)})"
        (space, one), (way, other) = values
        unsure = []
        if not one.sure:
            space = out.simple(space)
            unsure.append(f"{space} >= 0")
        if not other.sure:
            way = out.simple(way)
            unsure.append(f"{way} >= 0")
        if way.isdigit():  # a table of its own for one direction
            column = out.constant("STEP", (*steps[int(way) :: count], -1))
            return f"{column}[{bare(space)}]"
        found = f"{table}[{space} * {count} + {way}]"
        return out.cond(out.both(unsure), found, "-1") if unsure else found

    def prim_mask_of(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        steps, count = node.data
        space, ways = out.simple(out.number(node.args[0])), out.number(node.args[1])
        if isinstance(node.args[1], C.Const):
            chosen = members(int(node.args[1].value))
            around = []
            for at in range(len(steps) // count):
                mask = 0
                for d in chosen:
                    if steps[at * count + d] >= 0:
                        mask |= 1 << steps[at * count + d]
                around.append(mask)
            return f"{out.constant('AROUND', (*around, 0))}[{space}]"
        name, item = out.temp("set"), out.temp("to")
        out.line(f"{name} = 0")
        with out.if_(f"{space} >= 0"), out.loop_set(out.temp("way"), ways, a_set(count)):
            way = f"way{out.temps}"
            out.line(f"{item} = {out.constant('STEPS', tuple(steps))}[{space} * {count} + {way}]")
            out.set_add(name, item, 0, False)
        return name

    def _tiles_lying(self, tiles: C.Tiles) -> str:
        return self.out.constant("TILES", Lying(tiles), id(tiles))

    def _near(self, near: tuple[int, ...]) -> str:
        return self.out.constant("NEAR", tuple(near))

    def prim_reachable(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        near = node.data[0]
        start, within = out.set_text(node.args[0]), out.number(node.args[2])
        around = f"{self._near(near)}[x]" if isinstance(near, tuple) else f"{self._tiles_lying(near)}.neighbors(v, x)"
        region = node.args[1]
        if (
            out.on(Pass.STEPWISE_REACH)
            and isinstance(region, C.Fold)
            and region.where is not None
            and is_filter(region)
            and out.absorber.safe(region.where)
            and not self._is_at_hand(region)
        ):
            return self._reach_stepwise(start, region, within, around)
        allowed = out.set_text(region)
        if isinstance(near, tuple) and within == "-1" and out.on(Pass.KEPT_FLOODS):
            known = out.constant("FOUND", {}, id(node))
            return f"reach_on({known}, {self._near(near)}, {bare(start)}, {bare(allowed)})"
        if isinstance(near, tuple):
            return f"reach({self._near(near)}, {start}, {allowed}, {within})"
        return f"reach_parts({self._tiles_lying(near)}, v, {start}, {allowed}, {within})"

    def _is_at_hand(self, filtered: C.Fold) -> bool:
        """Whether the members for which a condition holds are a set that is kept, or made of such."""
        (each,) = filtered.each
        return self.out.on(Pass.WHOLE_SETS) and not self.out.absorber.absorb(each.slot, conjuncts(filtered.where))[1]

    def _reach_stepwise(self, start: str, region: C.Fold, within: str, around: str) -> str:
        """Only the neighbours of what was found are asked whether they are allowed."""
        out = self.out
        (each,) = region.each
        found, edge, open_, near = (out.temp(stem) for stem in ("found", "edge", "open", "near"))
        out.line(f"{found} = {edge} = {bare(start)}")
        out.line(f"{open_} = {out.set_text(each.domain[0])} & ~{found}")
        steps = ""
        if not within.startswith("-"):
            steps = out.held(within, ANY_NUMBER)
        with out.block(f"while {edge} and {steps}" if steps else f"while {edge}"):
            out.line(f"{near} = 0")
            item = out.temp("x")
            with out.block(f"for {item} in members({edge})"):
                out.line(f"{near} |= {around.replace('[x]', f'[{item}]').replace(', x)', f', {item})')}")
            out.line(f"{edge} = 0")
            name = out.slot(each.slot)
            with out.block(f"for {name} in members({near} & {open_})"), out.afresh():
                assert region.where is not None
                with out.if_(out.truth(region.where)):
                    out.line(f"{edge} |= 1 << {name}")
            out.line(f"{open_} &= ~{near}")
            out.line(f"{found} |= {edge}")
            if steps:
                out.line(f"{steps} -= 1")
        return found

    def prim_joined(self, node: C.Primitive, kind: Kind) -> str | None:
        out = self.out
        near = node.data[0]
        if not isinstance(near, tuple):
            return None
        known = out.constant("FOUND", {}, id(node)) if out.on(Pass.KEPT_FLOODS) else "{}"  # what was found last
        return f"joined({known}, {self._near(near)}, {', '.join(bare(out.set_text(arg)) for arg in node.args)})"

    def prim_reachable_by(self, node: C.Primitive, kind: Kind) -> str:
        links = self.out.constant("LINKS", node.data[0])
        start, allowed, within, ways = self._texts(node.args)
        return f"reach_by({links}, {start}, {allowed}, {within}, {ways})"

    def prim_joined_by(self, node: C.Primitive, kind: Kind) -> str:
        links = self.out.constant("LINKS", node.data[0])
        return f"joined_by({links}, {', '.join(self._texts(node.args))})"

    def _texts(self, args: tuple[C.Node, ...]) -> list[str]:
        return [bare(self.out.value(arg)[0]) for arg in args]

    def prim_groups(self, node: C.Primitive, kind: Kind) -> str | None:
        near = node.data[0]
        return f"groups({self._near(near)}, {self.out.set_text(node.args[0])})" if isinstance(near, tuple) else None

    def rays(self, steps: tuple[int, ...], count: int) -> tuple[tuple[int, ...], ...] | None:
        """The way from every space in every direction to the border; None if a way comes back."""
        if not self.out.on(Pass.LINE_SETS):
            return None
        return lines(tuple(steps), count) if all_end(tuple(steps), count) else None

    def ray(self, rays: tuple[tuple[int, ...], ...], count: int, start: C.Node, direction: C.Node) -> str:
        out = self.out
        spot, way = out.lying.where_it_is(start), out.value(direction)
        if spot is not None and way[1].sure:
            return f"{out.constant('RAYS', out.lying.beyond(rays, (), count))}[{spot} * {count} + {way[0]}]"
        space = out.value(start)
        table = out.constant("RAYS", rays)
        if space[1].sure and way[1].sure:
            return f"{table}[{space[0]} * {count} + {way[0]}]"
        at, d = out.simple(space[0]), out.simple(way[0])
        return out.cond(f"{at} >= 0 and {d} >= 0", f"{table}[{at} * {count} + {d}]", "()")

    def prim_ray(self, node: C.Primitive, kind: Kind) -> str | None:
        steps, count = node.data
        rays = self.rays(steps, count)
        if rays is None:
            return None
        return self.ray(rays, count, *node.args)

    def prim_between(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        steps, count = node.data
        known = out.constant("BETWEEN", Between(tuple(steps), count), id(steps))
        ends = [out.value(arg) for arg in node.args]
        texts = [text if of.sure else out.simple(text) for text, of in ends]
        there = [f"{text} >= 0" for text, (_, of) in zip(texts, ends, strict=True) if not of.sure]
        found = f"{known}[{', '.join(texts)}]"
        return out.cond(out.both(there), found, "()") if there else found

    def prim_slide(self, node: C.Primitive, kind: Kind) -> str | None:
        out = self.out
        steps, count, _ = node.data
        if self.rays(steps, count) is None or not out.single:
            return None
        name, at = out.temp("list"), out.temp("at")
        out.line(f"{name} = []")
        with out.loop_through(at, node):
            out.line(f"{name}.append({at})")
        return out.held(f"tuple({name})", Kind(LIST))

    def prim_line(self, node: C.Primitive, kind: Kind) -> str:
        out = self.out
        axes, steps, count = node.data
        space, length, inside = (out.number(arg) for arg in node.args)
        if out.on(Pass.LINE_TESTS) and length.isdigit() and 2 <= int(length) <= 6:
            rows = tuple(self._rows_through(at, axes, steps, count, int(length)) for at in range(len(steps) // count))
            if rows and all(row is not None for row in rows):
                name, at = out.temp("line"), out.simple(space)
                held = out.simple(inside)
                out.line(f"{name} = 0")
                row = out.temp("row")
                through = f"{out.constant('ROWS', (*rows, ()))}[{at}]"
                with out.block(f"for {row} in {through}"), out.if_(f"{held} & {row} == {row}"):
                    out.line(f"{name} = 1")
                    out.break_()
                return name
        known = f"{out.constant('AXES', axes)}, {out.constant('STEPS', tuple(steps))}, {count}"
        return f"in_line({known}, {space}, {length}, {inside})"

    def _rows_through(self, space: int, axes: Any, steps: Any, count: int, length: int) -> tuple[int, ...] | None:
        """All straight rows of a length through a space, as sets; None if a way comes back."""
        found: list[int] = []
        for axis in axes:
            arms: list[list[int]] = []
            for d in axis:
                arm: list[int] = []
                at = steps[space * count + d]
                while at >= 0 and len(arm) < length - 1:
                    if at == space or at in arm:
                        return None
                    arm.append(at)
                    at = steps[at * count + d]
                arms.append(arm)
            if len(arms) == 1:
                arms.append([])
            if len(arms) != 2 or set(arms[0]) & set(arms[1]):
                return None
            line = [*reversed(arms[0]), space, *arms[1]]
            for i in range(len(line) - length + 1):
                row = sum(1 << at for at in line[i : i + length])
                if row >> space & 1:
                    found.append(row)
        return tuple(found)


def is_filter(fold: C.Fold) -> bool:
    """Whether a comprehension is `x in S where c` and nothing more."""
    (first, *rest), value = fold.each, fold.value
    itself = value is None or (isinstance(value, C.Get) and value.slot == first.slot)
    return fold.kind == "set" and not rest and first.form == "set" and itself
