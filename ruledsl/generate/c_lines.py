"""Lines of spaces in generated C: steps, rays, slides, what lies between, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER, Kind, a_set
from ruledsl.ir.lines import line, lines, merge
from ruledsl.records import dataclass

from .c_texts import words
from .c_words import CWords
from .kept import Kept
from .language import Text
from .passes import NONE_OFF, Off, Pass

MOST_SPACES = 200  # of a board whose lines are tables of sets


def _beside(space: int, axis: tuple[int, int], steps: tuple[int, ...], count: int) -> Iterator[int]:
    """The next space and the one after it in both directions; a number beyond all spaces where there is none."""
    beyond = len(steps) // count
    for way in axis:
        at = space
        for _ in range(2):
            at = steps[at * count + way] if at != beyond else beyond
            at = beyond if at in (-1, space) else at
            yield at


@dataclass(frozen=True)
class Star:
    """Spaces around one, by how far their numbers are: the axis and how many steps; for each space, which it has."""

    most: int  # steps
    far: dict[int, tuple[int, int]]
    there: list[int]


def _run(axis: int, most: int, length: int, taken: set[tuple[int, int]]) -> int:
    """How many spaces follow each other on an axis; so many that they suffice, if more may follow than is seen."""
    run = next((n - 1 for n in range(1, most + 1) if (axis, n) not in taken), most)
    return length - 1 if run == most else run


class CLines(CWords):
    """Lines of spaces in generated C: steps, rays, slides, what lies between, rows."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        super().__init__(program, kinds, without)
        self._ways: dict[Any, tuple[int, ...] | None] = {}

    def op_collect(self, node: C.Op, kind: Kind) -> str | None:
        each = C.Each(0, "list", node.args)
        line = self.set_form(each)
        return self.as_set(*line, kind.top) if line is not None else None

    def op_holds(self, node: C.Op, kind: Kind) -> str:
        match node.args:
            case (item, C.Op(name="collect", args=(of, *_))) if (on_line := self._on_line(item, of)) is not None:
                return on_line
        return super().op_holds(node, kind)

    def _on_line(self, item: C.Node, line: C.Node) -> str | None:
        """Whether a space is on a line of spaces."""
        each, kind = C.Each(0, "list", (line,)), self.kind(item)
        if self._line_form(each) is None or kind.sort != "number":
            return None
        space = self.simple(self.number(item))
        found = self.set_form(each, None if not kind.sure else space)
        assert found is not None, "asked before"
        top = found[1].top
        if kind.sure and kind.top <= top:
            return self.op("has", [space, found[0]], top)
        return self.op("holds", [space, found[0]], top)

    def has_set_form(self, each: C.Each) -> bool:
        if each.form == "set":
            return True
        return self._line_form(each) is not None

    def _line_form(self, each: C.Each) -> C.Primitive | None:
        """A domain that is a line of spaces in one direction."""
        domain = each.domain[0]
        if each.form != "list" or not isinstance(domain, C.Primitive) or not self.on(Pass.LINE_SETS):
            return None
        if domain.name in ("ray", "slide"):
            steps, count = domain.data[:2]
            if self._upwards(steps, count) is None or len(steps) // count > MOST_SPACES:
                return None
            if domain.name == "slide" and (not self.absorber.single or domain.data[2] not in self.absorber.boards):
                return None
            if domain.name == "slide" and not self.on(Pass.KEPT_SETS):
                return None
            return domain
        if domain.name == "between" and len(domain.data[0]) // domain.data[1] <= MOST_SPACES // 2:
            return domain
        return None

    def _upwards(self, steps: tuple[int, ...], count: int) -> tuple[int, ...] | None:
        """For each direction whether the numbers of spaces grow in it; none if that is not the same everywhere."""
        key = ("upwards", steps, count)
        if key not in self._ways:
            signs: list[set[bool]] = [set() for _ in range(count)]
            for i, to in enumerate(steps):
                if to >= 0:
                    signs[i % count].add(to > i // count)
            fits = all(len(sign) < 2 for sign in signs)
            self._ways[key] = tuple(int(sign != {False}) for sign in signs) if fits else None
        return self._ways[key]

    def set_form(self, each: C.Each, goal: str | None = None) -> Text | None:
        domain = self._line_form(each)
        if domain is None:
            return None
        steps, count = domain.data[:2]
        kind = a_set(len(steps) // count)
        if domain.name == "between":
            one, other = (self.simple(self.number(arg)) for arg in domain.args)
            table = self.once(("betweens", steps, count), "BETWEEN", lambda n: self._betweens(n, steps, count))
            there = f"({one} >= 0 && {other} >= 0)"
            return self.cond(there, f"{table}[{one} * {kind.top} + {other}]", self.set_const(0, kind.top)), kind
        (space, a), (way, b) = (self.value(arg) for arg in domain.args[:2])
        rays = self.sets(self._rays(steps, count), words(kind.top))
        if domain.name == "ray":
            if a.sure and b.sure:
                return f"{rays}[{space} * {count} + {way}]", kind
            space, way = self.simple(space), self.simple(way)
            there = f"({space} >= 0 && {way} >= 0)"
            return self.cond(there, f"{rays}[{space} * {count} + {way}]", self.set_const(0, kind.top)), kind
        slid = self.slid(domain)
        if goal is not None:
            space, way, most = self.simple(space), self.simple(way), self.number(domain.args[2])
            there = self.both([f"{space} >= 0", f"{way} >= 0"])
            ahead = self.op("has", [goal, f"{rays}[{space} * {count} + {way}]"], kind.top)
            whole = f"{slid}, {space}, {way}, {most})"
            return self.cond(self.both([there, ahead]), whole, self.set_const(0, kind.top)), kind
        return f"{slid}, {space}, {way}, {self.number(domain.args[2])})", kind

    def slid(self, domain: C.Primitive) -> str:
        """The call of what finds the spaces of a slide, up to the first of its arguments."""
        return self.once(("slides", domain.data), "slide_set", lambda n: self._slide_function(n, domain)) + "(s"

    def _rays(self, steps: tuple[int, ...], count: int) -> tuple[int, ...]:
        key = ("rays", steps, count)
        if key not in self._ways:
            self._ways[key] = tuple(sum(1 << at for at in line) for line in lines(tuple(steps), count))
        return self._ways[key] or ()

    def _betweens(self, name: str, steps: tuple[int, ...], count: int) -> None:
        total = len(steps) // count
        table = [0] * (total * total)
        for start in range(total):
            for way in reversed(range(count)):  # the first direction that leads there is the one that counts
                found = 0
                for at in line(steps, count, start, way):
                    table[start * total + at] = found
                    found |= 1 << at
        self.line(f"#define {name} {self.sets(tuple(table), words(total))}")

    def _slide_function(self, name: str, domain: C.Primitive, given: str = "const State *s") -> None:
        """The spaces in a direction up to the first that is taken, as a set."""
        steps, count, first = domain.data
        total = len(steps) // count
        top, form = total, self.set_type(total)
        rays = self._rays(steps, count)
        table = self.sets(rays, words(top))
        kept = Kept("spaces", first, total, self.absorber.pieces.everything if self.absorber.pieces else 0)
        filled = self.kept_set(kept, None)
        longest = max((ray.bit_count() for ray in rays), default=0)
        upwards = self.numbers(self._upwards(steps, count) or ())
        nothing = self.set_const(0, top)
        with self.block(f"static inline {form} {name}({given}, num space, num way, num most)"):
            self.line(f"if (space < 0 || way < 0 || most <= 0) return {nothing};")
            with self.block(f"if (most < {longest})"):
                self.line(f"{form} found = {nothing};")
                self.line(f"num at = {self.numbers(steps)}[space * {count} + way];")
                with self.block("while (at >= 0 && most-- > 0)"):
                    self.set_add("found", "at", top, True)
                    self.line(f"if ({self.op('has', ['at', filled], top)}) break;")
                    self.line(f"at = {self.numbers(steps)}[at * {count} + way];")
                self.line("return found;")
            self.line(f"{form} ray = {table}[space * {count} + way];")
            self.line(f"{form} taken = {self.op('common', ['ray', filled], top)};")
            with self.if_(self.op("equal", ["taken", nothing], top)):
                self.line("return ray;")
            low, high = self.op("lowest", ["taken"], top), self.op("highest", ["taken"], top)
            self.line(f"num stop = {upwards}[way] ? {low} : {high};")
            self.line(f"return {self.op('minus', ['ray', f'{table}[stop * {count} + way]'], top)};")

    def which_end(self, each: C.Each) -> str | None:
        if each.form == "set":
            return "lowestWORDS(SET)"
        domain = self._line_form(each)
        if domain is None or domain.name == "between":
            return None
        upwards = self.numbers(self._upwards(*domain.data[:2]) or ())
        way, _ = self.value(domain.args[1])
        way = self.simple(way)
        return f"({upwards}[{way}] ? lowestWORDS(SET) : highestWORDS(SET))"

    def prim_turn(self, node: C.Primitive, kind: Kind) -> str:
        direction, by = self.simple(self.number(node.args[0])), self.number(node.args[1])
        (cycles,) = node.data
        turning = [cycles.get(way, ((way,), 0)) for way in range(max(cycles) + 1)]
        circles = self.lists(tuple(tuple(circle) for circle, _ in turning))
        places = self.numbers(tuple(position for _, position in turning))
        turned = f"{circles}[{direction}].p[modulo({places}[{direction}] + {by}, {circles}[{direction}].n)]"
        return self.cond(f"{direction} >= 0", turned, "-1")

    def prim_step(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        values = [self.value(arg) for arg in node.args]
        if len(values) == 2:
            (space, one), (way, other) = values
            table = self.numbers(steps)
            unsure = []
            if not one.sure:
                space = self.simple(space)
                unsure.append(f"{space} >= 0")
            if not other.sure:
                way = self.simple(way)
                unsure.append(f"{way} >= 0")
            found = f"{table}[{space} * {count} + {way}]"
            return self.cond(self.both(unsure), found, "-1") if unsure else found
        return f"steps_away({self.numbers(tuple(steps))}, {count}, {', '.join(text for text, _ in values)})"

    def prim_mask_of(self, node: C.Primitive, kind: Kind) -> str:
        steps, count = node.data
        space = self.simple(self.number(node.args[0]))
        name, item = self.temp("among"), self.temp("to")
        self.declare(kind, name, self.set_const(0, kind.top))
        with self.if_(f"{space} >= 0"):
            way = self.temp("way")
            top = self.top_of(node.args[1])
            with self.loop_set(way, self.set_text(node.args[1], top), a_set(top)):
                self.line(f"num {item} = {self.numbers(steps)}[{space} * {count} + {way}];")
                self.set_add(name, item, kind.top, False)
        return name

    # tiles

    def prim_ray(self, node: C.Primitive, kind: Kind) -> str:
        (space, one), (way, other) = (self.value(arg) for arg in node.args)
        steps, count = node.data
        if not self.on(Pass.LINE_SETS) and not merge(tuple(steps), count):
            return f"{self.once('ray', 'ray', self._ray_function)}(x, {self.numbers(steps)}, {count}, {space}, {way})"
        table = self.lists(lines(tuple(steps), count))
        if one.sure and other.sure:
            return f"{table}[{space} * {count} + {way}]"
        space, way = self.simple(space), self.simple(way)
        return self.cond(f"{space} >= 0 && {way} >= 0", f"{table}[{space} * {count} + {way}]", "(list){0, 0}")

    def _ray_function(self, name: str) -> None:
        with self.block(f"static list {name}(Context *x, const int16_t *steps, num count, num space, num way)"):
            self.line("list found = list_open(x);")
            self.line("if (space < 0 || way < 0) return found;")
            self.line("num at = steps[space * count + way];")
            self.line("for (; at >= 0 && at != space; at = steps[at * count + way]) list_push(x, &found, at);")
            self.line("return found;")

    def prim_slide(self, node: C.Primitive, kind: Kind) -> str:
        name, at = self.temp("list"), self.temp("at")
        keeps, self.keeps_lists = self.keeps_lists, False
        self.line(f"list {name} = list_open(x);")
        with self.loop_through(at, node):
            self.line(f"list_push(x, &{name}, {at});")
        self.keeps_lists = keeps
        return name

    def prim_between(self, node: C.Primitive, kind: Kind) -> str:
        one, other = (self.number(arg) for arg in node.args)
        steps, count = node.data
        return f"between(x, {self.numbers(steps)}, {count}, {len(steps) // count}, {one}, {other})"

    def prim_line(self, node: C.Primitive, kind: Kind) -> str:
        axes, steps, count = node.data
        top = len(steps) // count
        space, length = self.simple(self.number(node.args[0])), self.simple(self.number(node.args[1]))
        several = words(top) > 1
        inside, within = self.set_text(node.args[2], top), self.temp("inside")
        if not (several and re.fullmatch(r"s->kept\d+(\[[\w>-]+\])?", inside)):
            inside = self.held(inside, a_set(top))
        name, table = self.temp("line"), self.numbers(steps)
        self.declare(ANY_NUMBER, name, "0")
        if several:
            self.line(f"const u64 *{within} = (const u64 *)&{inside}.w;")

        def has(at: str) -> str:
            return f"in_words({at}, {within})" if several else self.op("has", [at, inside], top)

        start = self.both([f"{space} >= 0", has(space)])
        fixed = int(node.args[1].value) if isinstance(node.args[1], C.Const) and self.on(Pass.LINE_TESTS) else 0
        if fixed and not several:
            rows = [self._rows(inside, axis[0], steps, count, fixed, top) for axis in axes]
            if None not in rows:  # hardly ever is there a row at all
                nothing = self.set_const(0, top)
                some = [self.op("unequal", [row, nothing], top) for row in rows if row]
                start = self.both([self.either(some), start])
        near, stars = "", self._stars(axes, steps, count, fixed) if fixed > 2 and several else None
        if fixed > 2 and several and top < 64 * words(top) and all(len(axis) == 2 for axis in axes) and not stars:
            near = self.numbers(tuple(at for i in range(top) for axis in axes for at in _beside(i, axis, steps, count)))
        with self.if_(start):
            close = self._near_rows(stars, space, within, words(top) - 1, fixed) if stars else ""
            if stars and stars[0].most == fixed - 1:  # then it is a row
                self.line(f"{name} = {close} != 0;")
                return name
            with self.if_(close) if close else nullcontext():
                for number_, axis in enumerate(axes):
                    tests = [self.not_(name)]
                    if close:
                        tests.append(f"{close} >> {4 * number_ + 3} & 1")
                    if near:  # a row of three has two of these four spaces
                        four = [has(f"{near}[{space} * {4 * len(axes)} + {4 * number_ + i}]") for i in range(4)]
                        tests.append(f"(({four[0]} & ({four[1]} | {four[2]})) | ({four[2]} & {four[3]}))")
                    with self.if_(self.both(tests)):
                        self.line("num in_row = 1;")
                        for d in axis:
                            head, step = (f"{table}[{at} * {count} + {d}]" for at in (space, "at"))
                            if merge(tuple(steps), count):  # to go on step by step might never end
                                ray = f"{self.lists(lines(tuple(steps), count))}[{space} * {count} + {d}]"
                                goes_on = f"i < {ray}.n && {has(f'{ray}.p[i]')}"
                                self.line(f"for (num i = 0; {goes_on}; i++) in_row++;")
                                continue
                            goes_on = f"at >= 0 && at != {space} && {has('at')}"
                            self.line(f"for (num at = {head}; {goes_on}; at = {step}) in_row++;")
                        self.line(f"{name} = in_row >= {length};")
        return name

    def _stars(self, axes: Any, steps: tuple[int, ...], count: int, length: int) -> tuple[Star, Star] | None:
        """The next spaces in all directions in which numbers become less, and in which they grow.

        They are among the 63 numbers before a space and behind it, always at the same distances; none if not.
        """
        total = len(steps) // count
        if len(axes) > 4 or length > 8 or any(len(axis) != 2 for axis in axes):
            return None
        ways = [(way, number_) for number_, axis in enumerate(axes) for way in axis]
        by = {way: {to - i // count for i, to in enumerate(steps) if i % count == way and to >= 0} for way, _ in ways}
        if any(len(shifts) != 1 for shifts in by.values()):
            return None
        for most in range(min(length - 1, 12 // len(axes)), 1, -1):
            stars = Star(most, {}, [0] * total), Star(most, {}, [0] * total)
            for way, axis in ways:
                (shift,) = by[way]
                star = stars[shift > 0]
                star.far.update({abs(shift) * times: (axis, times) for times in range(1, most + 1)})
                for space in range(total):
                    reach = next((n for n in range(most, 0, -1) if self._reaches(space, way, n, steps, count)), 0)
                    star.there[space] |= sum(1 << abs(shift) * times for times in range(1, reach + 1))
            if all(len(star.far) == most * len(axes) and max(star.far) < 64 for star in stars):
                return stars
        return None

    def _near_rows(self, stars: tuple[Star, Star], space: str, within: str, last: int, length: int) -> str:
        """On which axes there may be a row through a space: all of them at once, from two tables, without a branch.

        Each axis has four bits, in which the runs to both sides are added up; the highest says that they are enough.
        """
        at, bit, near, found = (self.temp(stem) for stem in ("word", "bit", "near", "rows"))
        self.line(f"num {at} = {space} >> 6, {bit} = {space} & 63;")
        lower, upper = f"{within}[{at} - ({at} > 0)]", f"{within}[{at} + ({at} < {last})]"
        windows = (  # with the space itself as the highest bit, and as the lowest
            f"{within}[{at}] << (63 - {bit}) | {lower} >> 1 >> {bit}",
            f"{within}[{at}] >> {bit} | {upper} << 1 << (63 - {bit})",
        )
        for side, (star, window) in enumerate(zip(stars, windows, strict=True)):
            order = sorted(star.far, reverse=not side)
            mask = sum(1 << (far if side else 63 - far) for far in order)
            there = tuple(sum(1 << n for n, far in enumerate(order) if here >> far & 1) for here in star.there)
            table = []
            for value in range(1 << len(order)):
                taken = {star.far[far] for n, far in enumerate(order) if value >> n & 1}
                table.append(sum(_run(axis, star.most, length, taken) << 4 * axis for axis in range(4)))
                table[-1] += 0 if side else sum(9 - length << 4 * axis for axis in range(4))
            seen = f"gathered({window}, 0x{mask:X}ULL) & {self.numbers(there)}[{space}]"
            self.line(f"num {near}{side} = {self.numbers(tuple(table))}[{seen}];")
        self.line(f"num {found} = ({near}0 + {near}1) & 0x8888;")
        return found

    def _rows(self, inside: str, way: int, steps: tuple[int, ...], count: int, length: int, top: int) -> str | None:
        """The spaces at which a row of so many begins in a direction, by shifting all at once; none if that is not
        possible on this board."""
        by = {to - i // count for i, to in enumerate(steps) if i % count == way and to >= 0}
        if len(by) != 1 or length < 2:
            return None
        (shift,) = by
        row, long = inside, 1
        while long < length:
            more = min(long, length - long)
            further = self.shifted(row, -shift * more, top)
            can = sum(1 << i for i in range(top) if self._reaches(i, way, more, steps, count))
            both = self.op("common", [row, self.op("common", [further, self.set_const(can, top)], top)], top)
            row, long = self.held(both, a_set(top)), long + more
        return row

    def _reaches(self, space: int, way: int, times: int, steps: tuple[int, ...], count: int) -> bool:
        """Whether so many steps in a direction stay on the board."""
        for _ in range(times):
            space = steps[space * count + way]
            if space < 0:
                return False
        return True
