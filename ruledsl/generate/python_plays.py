"""Python that plays at random from the start to the end: what `simulation.generated` runs.

Beside the functions that stop where somebody is asked there are such that decide there and go on. Who decides takes
any option, each as likely as the others: so where all options but their last value are few, they are not listed, but
counted, and the one is found that the list would have at that place. Every block counts how often it runs (see
`engine.batch`), unless that is told by the counts of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.engine import menus
from ruledsl.engine.batch import Shape
from ruledsl.engine.options import STOP, is_piece, staged
from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER
from ruledsl.ir.walk import parts
from ruledsl.records import dataclass

from .kept import conjuncts
from .language import remark
from .passes import NONE_OFF, PLAYS, Off, Pass
from .python_program import PythonProgram, Shapes
from .python_texts import bare
from .python_words import SMALL
from .rewriting import rewritten
from .tabled import Tables


@dataclass(frozen=True)
class Group:
    """Options that differ in one value only: how many there are, and the text of that value at a place `k`."""

    size: str
    what: str  # what the value is found from; "" where there is none
    form: str  # of it: set, small (set), list, low (of numbers one after the other)


class PlaysProgram(PythonProgram):
    """Writes the module of a program that is played at random."""

    rolling = False  # whether the functions are being written that decide for themselves

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        super().__init__(rewritten(program, PLAYS, without), without=without)
        program = self.program
        self.tables = self.absorber.tables = Tables(program, self.kinds, self.remembered, without)
        self.counting = True
        self.absorber.by_state = self._states_are_put()
        self.shape = Shape(program)
        self.quiet_names: dict[C.Procedure, str] = {}
        self.guarded = self._guarded()
        self.told = self._told_by_others()

        self.needs: dict[int, list[C.Node]] = {}  # by variable: what must hold of it for what comes after it
        if not self.hides and self.absorber.single and self.absorber.possible:
            for choice in self.choices.values():
                for entry in choice.entries:
                    self._note_needs(entry)

    # ------------------------------------------------------------------------------------------- pieces

    def _states_are_put(self) -> bool:
        """Whether states of pieces change by nothing but that they are set, piece by piece."""
        count = self.program.roots["piece"].size if "piece" in self.program.roots else 0
        slots = {slot for state in self.program.piece_state for slot in range(state, state + count)}
        for block in self.program.blocks:
            for op in block.ops:
                match op:
                    case C.Act(name="copy_start", data=(base, many)) | C.PutSeveral(base=base, count=many):
                        changed = set(range(base, base + many))
                    case C.Put(base=base, index=None):
                        changed = {base}
                    case C.Zero(slots=zeroes):
                        changed = set(zeroes)
                    case _:
                        changed = set()
                if changed & slots:
                    return False
        return True

    def _note_needs(self, entry: C.Entry) -> None:
        """That pieces stand on a board, where the variables and conditions that come after them ask for it."""
        later: list[C.Node] = list(entry.where)
        safe = True
        for variable in reversed(entry.variables):
            conditions = [*conjuncts(variable.where), *later]
            domain, single = variable.each.domain, variable.fewest is None and variable.each.form == "set"
            safe = safe and all(map(self.absorber.safe, conditions))
            if safe and single and is_piece(variable):
                self.needs[id(variable)] = self.needed(C.Each(variable.slot, "set", domain), conditions)
            safe = safe and all(map(self.absorber.safe, domain))
            later = [C.Op("unequal", (domain[0], C.Const(0))), *conditions] if single else []

    @contextmanager
    def values(self, variable: C.Variable) -> Iterator[None]:
        needs = self.needs.get(id(variable))
        if not needs:
            with super().values(variable):
                yield
            return
        # Each of them is alone on its space: none is the twin of another.
        each = C.Each(variable.slot, "set", variable.each.domain)
        with self.narrowed(each, [*needs, *conjuncts(variable.where)]) as left, self.afresh(), self.where(left):
            yield

    # ------------------------------------------------------------------------------------------- counts

    def _guarded(self) -> frozenset[C.Procedure]:
        """The effects that may be run to try them out, and must ask whether they are to count.

        Others that are tried out are written a second time for that.
        """
        seen: set[int] = set()
        tried: dict[C.Procedure, None] = {}
        work: list[Any] = list(self.kinds.roots)
        while work:
            node = work.pop()
            if id(node) not in seen:
                seen.add(id(node))
                if isinstance(node, C.Would) and not isinstance(node, C.Lookahead):
                    tried[node.procedure] = None
                work += parts(node)
        guarded: set[C.Procedure] = set()
        for procedure in tried:
            reached = self._called(procedure)
            if self.on(Pass.QUIET_TRIALS) and all(map(self._in_one_function, reached)):
                self.quiet_names |= {one: f"tried_{self.procedure_names[one]}" for one in reached}
            else:
                guarded |= set(reached)
        return frozenset(guarded)

    def _called(self, procedure: C.Procedure) -> list[C.Procedure]:
        """An effect, and all that it calls."""
        found = [procedure]
        for one in found:
            for at in self.alone[one]:
                end = self.program.blocks[at].end
                if isinstance(end, C.CallProcedure) and end.procedure not in found:
                    found.append(end.procedure)
        return found

    def _in_one_function(self, procedure: C.Procedure) -> bool:
        if any(map(self._rows, self.alone[procedure])):
            return False
        shapes = Shapes(self, self.alone[procedure], [procedure.entry])
        return len(shapes.roots) == 1 and not shapes.loops and self.on(Pass.BLOCK_TREES)

    def _procedures(self) -> None:
        super()._procedures()
        for procedure in self.quiet_names:
            if procedure in self.at_once:
                self.made.add(("tried", procedure))
                self._quietly(procedure)

    def _quietly(self, procedure: C.Procedure) -> None:
        """An effect as it is tried out."""
        names = self.procedure_names
        self.quiet, self.procedure_names = True, names | self.quiet_names
        self.current, self.whole_effect = procedure, True
        shapes = Shapes(self, self.alone[procedure], [procedure.entry])
        self._tree(f"{self.quiet_names[procedure]}(v)", procedure.entry, shapes, f"{procedure.name}, tried out")
        self.quiet, self.procedure_names, self.current = False, names, None

    def want(self, what: Any) -> None:
        super().want(("tried", what) if self.quiet and what in self.quiet_names else what)

    def _wanted(self, what: Any) -> None:
        match what:
            case ("tried", procedure):
                self._quietly(procedure)
            case _:
                super()._wanted(what)

    def try_out(self, procedure: C.Procedure) -> None:
        if procedure in self.quiet_names:
            super().want(("tried", procedure))
            self.line(f"{self.quiet_names[procedure]}(v)")
        else:
            super().try_out(procedure)

    def _told_by_others(self) -> dict[int, int]:
        """By block: the place of the count that is always equal to its own.

        It is that of the block before, if nothing else leads to this one, and nothing on the way to it can fail; or
        that of the option with which one comes to it.
        """
        if not self.on(Pass.TOLD_COUNTS):
            return {}
        before: dict[int, list[int]] = {}
        for at, block in enumerate(self.program.blocks):
            for to in _leads_to(block.end):
                before.setdefault(to, []).append(at)
        begun = {
            self.program.start,
            *([] if self.program.between is None else [self.program.between]),
            *self.shape.turns,
            *self.shape.rounds,
        }
        begun |= {procedure.entry for procedure in self.kinds.procedures}
        begun |= {at for at, choice in self.choices.items() if not self.direct(choice)}  # they run at every step
        told: dict[int, int] = {}
        for at, block in enumerate(self.program.blocks):
            origin = before.get(at, [])
            if len(origin) != 1 or at in begun or not all(map(self._cannot_fail, block.ops)):
                continue
            match self.program.blocks[origin[0]].end:
                case C.Jump():
                    told[at] = origin[0]
                case C.Choice() as choice if self.direct(choice) and not self.secret:
                    numbers = [number for number, entry in enumerate(choice.entries) if entry.to == at]
                    if len(numbers) == 1:
                        told[at] = self.shape.taken(origin[0], len(choice.entries), numbers[0])
        return told

    def _cannot_fail(self, op: C.Operation) -> bool:
        match op:
            case C.Zero() | C.Say():
                return True
            case C.Put(index=index, value=value):
                return self.absorber.safe(value) and (index is None or self.kind(index).sure)
        return False

    def count(self, at: int) -> None:
        if at in self.told or self.quiet:
            return
        trial = self.secret or self.current in self.guarded
        if trial and not (self.rolling and self.current is None):
            with self.if_("MACHINE.say is not None"):  # not while something is only tried out
                self.line(f"RAN[{at}] += 1")
        else:
            self.line(f"RAN[{at}] += 1")

    # ------------------------------------------------------------------------------------------ functions

    def direct(self, choice: C.Choice) -> bool:
        """Whether one may pick among the options without a list of them."""
        if not self.on(Pass.PICKS_FROM_COUNTS) or menus.at_most(choice) > menus.MOST_OPTIONS:
            return False  # of what may be too many, the reference lists no more than it must to see that
        return not any(staged(entry) or entry.anytime is not None for entry in choice.entries)

    def _options(self) -> None:
        for at, choice in self.choices.items():
            if at in self.at_once and (self.secret or not self.direct(choice)):
                self.made.add(at)
                self._choice(at, choice)

    def _run(self) -> None:
        if self.secret:
            super()._run()
        self.rolling = True
        self.rolled = self._entered()
        blocks, entries = self.rolled.blocks, self.rolled.entries
        shapes = Shapes(self, sorted(blocks), sorted(entries if self.on(Pass.BLOCK_TREES) else blocks))
        for at in shapes.roots:
            self.roll_functions[at] = f"roll_{at}"
            self._tree(f"roll_{at}(v)", at, shapes, self.note(at))
        self.rolling = False

    def late_roll(self, at: int) -> str:
        """As `late`, for what decides for itself."""
        main, self.main, self.rolling = self.main, self.rolled, True
        found = self._late(at, self.roll_functions, "roll")
        self.main, self.rolling = main, False
        return found

    def _late_blocks(self) -> list[str]:
        return [self.late_roll(at) for at in self.rolled.late if at not in self.roll_functions]

    def _rest(self) -> list[str]:
        rolling, self.rolling = self.rolling, False
        found = super()._rest()
        self.rolling = rolling
        return found

    def _decides(self, at: int) -> C.Choice | None:
        """The choice of a block that is decided where it is met."""
        end = self.program.blocks[at].end
        return end if self.rolling and isinstance(end, C.Choice) and self.direct(end) else None

    def _ahead(self, at: int) -> list[int]:
        end, choice = self.program.blocks[at].end, self._decides(at)
        if choice is not None:
            stop = [choice.stop.to] if choice.stop is not None else []
            return [choice.stuck, *(entry.to for entry in choice.entries), *stop]
        if self.rolling and isinstance(end, C.Chance):
            return [end.then]
        return super()._ahead(at)

    def _behind(self, at: int) -> list[int]:
        if not self.rolling:
            return super()._behind(at)
        match self.program.blocks[at].end:
            case C.Chance() | C.Finish() | C.Drafted():
                return []
            case C.Together(then=then):  # what is done in secret stops at every decision
                return [then]
        return [] if self._decides(at) is not None else super()._behind(at)

    def splits(self, at: int) -> bool:
        return super().splits(at) or self._decides(at) is not None

    def _looped(self, at: int) -> None:
        if not self.rolling:
            super()._looped(at)
            return
        self.line("go_on()")  # a fault, if nothing was decided
        self.line(f"return {at}")

    def _end(self, at: int, end: Any, until: int | None) -> None:
        if not self.rolling:
            super()._end(at, end, until)
            return
        match end:
            case C.Choice() if self.direct(end):
                self._decide(at, end, until)
            case C.Choice():
                options = self.temp("options")
                seat = self.simple(self.number(end.by))
                self.want(at)
                self.line(f"{options} = options_{at}(v, {seat})")
                with self.if_(options):
                    if self.hides:
                        self.line("PIECES.notice(v)")
                    self.line(f"v[{C.PC}] = {at}")
                    self.line(f"return taken(v, {self.constant('CHOICE', end)}, {options})")
                self._go(end.stuck, until)
            case C.Chance(kind="shuffle", then=then):
                chance = self.constant("CHANCE", end)
                self.line(f"MACHINE.answer(v, {chance}, MACHINE.draw(v, {chance}))")
                self._go(then, until)
            case C.Chance(variable=variable, then=then):
                assert variable is not None
                self.line(f"v[{variable.slot}] = draw_{at}(v)")
                self._go(then, until)
            case _:
                super()._end(at, end, until)

    # ------------------------------------------------------------------------- a bot that takes any option

    def _decide(self, at: int, choice: C.Choice, until: int | None) -> None:
        """Counts the options, picks one, and goes on with it."""
        seat = self.number(choice.by)
        if self.hides:
            self.line(f"OPTIONS.seat = {bare(seat)}")
        picks: list[Callable[[], None]] = []
        sizes: list[str] = []
        for number, entry in enumerate(choice.entries):
            if entry.name and len(choice.entries) > 1:
                self.line(f"# {remark(f'{entry.name} {self.place(entry.span)}')}")
            size, pick = self._sized(at, choice, number, entry)
            sizes.append(size)
            picks.append(pick)
        ways = [entry.to for entry in choice.entries]
        if choice.stop is not None:
            stop = self.temp("stop")
            with self.captured() as lines:
                opened = bare(self._opened(choice.stop))
                self.line(f"{stop} = 1" if opened == "True" else f"{stop} = 1 if {opened} else 0")
            if choice.always:
                self.splice(lines)
            else:
                self.line(f"{stop} = 0")
                with self.if_(" or ".join(sizes) or "0"):
                    self.splice(lines, 1)
            sizes.append(stop)
            picks.append(lambda: self.line(f"RAN[{self.shape.taken(at, len(choice.entries), STOP)}] += 1"))
            ways.append(choice.stop.to)
        total = sizes[0] if len(sizes) == 1 else self.held(" + ".join(sizes) or "0", ANY_NUMBER)
        after = self.shapes.after(at, until)
        inner = after if after is not None else until
        self.depth += 1
        with self.captured() as stuck, self.afresh():
            self._go(choice.stuck, inner)
        self.depth -= 1
        meets = inner is not None and self.shapes.meets(at, inner)
        if not meets or stuck:
            self.line(f"if not {total}:")
            self.splice(stuck or ["    " * (self.depth + 1) + "pass"])
        with self.scope() if not meets else self.block("else") if stuck else self.if_(total):
            if self.hides:
                self.line("PIECES.notice(v)")
            self._arms(total, sizes, picks, ways, inner)
        if after is not None:
            self._block(after, until)

    def _arms(
        self, total: str, sizes: list[str], picks: list[Callable[[], None]], ways: list[int], inner: int | None
    ) -> None:
        """What follows each sort of options. Their order is that of the list."""
        if len(sizes) == 1:
            self.line(f"k = decided({total})")
            with self.afresh():
                picks[0]()
                self._go(ways[0], inner)
            return
        self.line(f"k = decided({total})")
        before: list[str] = []
        for i, (size, pick, way) in enumerate(zip(sizes, picks, ways, strict=True)):
            last = i + 1 == len(sizes)
            ahead = " + ".join([*before, size])
            head = "else" if last else f"{'elif' if i else 'if'} k < {ahead}"
            with self.block(head), self.afresh():
                if before:
                    self.line(f"k -= {' + '.join(before)}")
                pick()
                self._go(way, inner)
            before.append(size)

    def _sized(self, at: int, choice: C.Choice, number: int, entry: C.Entry) -> tuple[str, Callable[[], None]]:
        """How many options an entry has, and what binds the one at the place `k` among them."""
        names = self.named_variables(entry)
        outer = entry.variables[:-1]
        taken = self.shape.taken(at, len(choice.entries), number)
        members = self.shape.members(self.program, at, number)
        size, groups = self.temp("n"), self.temp("groups")
        opened = self._opened(entry)
        found: list[Group] = []

        def collect() -> None:
            """One group for all values of the variables before the last."""
            if not entry.variables:
                self.line(f"{size} = 1")
                return
            group = self._group(entry)
            found.append(group)
            if not outer:
                self.line(f"{size} = {bare(group.size)}")
                return
            many = self.simple(group.size)
            with self.if_(f"{many} > 0" if group.form == "low" else many):
                self.line(f"{size} += {many}")
                self.line(f"{groups}.append(({many}, {group.what}, {', '.join(names[:-1])}))")

        def loops() -> None:
            if not entry.variables:
                with self.where(list(entry.where)):
                    collect()
            elif not outer:
                with self.where(self._before(entry)):
                    collect()
            else:
                inner = C.Entry(entry.name, (), outer, (), None, None, 0)
                self.tuples(inner, 0, lambda: self._collected(entry, collect))

        with self.captured() as lines:
            loops()
        plain = opened == "True" and bool(lines) and lines[-1].startswith(f"{'    ' * self.depth}{size} = ")
        if not plain:
            self.line(f"{size} = 0")
        if outer:
            self.line(f"{groups} = []")
        if opened == "True":
            self.splice(lines)
        else:
            with self.if_(opened):
                self.splice(lines, 1)
        self.forget(entry)

        def pick() -> None:
            self.line(f"RAN[{taken}] += 1")
            if not entry.variables:
                return
            (group,) = found
            what = group.what
            if outer:
                many, what = self.temp("n"), self.temp("x")
                bound = [self.temp("y") for _ in outer]
                with self.block(f"for {', '.join([many, what, *bound])} in {groups}"):
                    with self.if_(f"k < {many}"):
                        self.break_()
                    self.line(f"k -= {many}")
            else:
                bound = []
            value = {
                "set": f"nth({what}, k)",
                "small": f"MEMBERS_OF[{what}][k]",
                "list": f"{what}[k]",
                "low": f"{what} + k",
            }[group.form]
            for variable, text, base in zip(entry.variables, [*bound, value], members, strict=True):
                name = text
                if base is not None:
                    name = self.simple(text)
                    sure = self.kinds.slot(variable.slot).sure and self.kinds.slot(variable.slot).low >= 0
                    with self.scope() if sure else self.if_(f"{name} >= 0"):
                        self.line(f"RAN[{base} + {name}] += 1")
                self.line(f"v[{variable.slot}] = {name}")

        return size, pick

    def _collected(self, entry: C.Entry, collect: Callable[[], None]) -> None:
        with self.where(self._before(entry)):
            collect()

    def _conditions(self, entry: C.Entry) -> list[C.Node]:
        last = entry.variables[-1]
        return [*conjuncts(last.where), *(part for where in entry.where for part in conjuncts(where))]

    def _before(self, entry: C.Entry) -> list[C.Node]:
        """Conditions that can be tested before the last variable is bound."""
        slot, found = entry.variables[-1].slot, []
        for condition in self._conditions(entry):
            if not self.absorber.safe(condition):
                break
            if not self.absorber.uses(condition, slot):
                found.append(condition)
        return found

    def _group(self, entry: C.Entry) -> Group:
        """The values of the last variable."""
        last, before = entry.variables[-1], self._before(entry)
        conditions = [condition for condition in self._conditions(entry) if condition not in before]
        name = self.slot(last.slot)
        if last.each.form == "range" and not conditions:
            low, high = (self.number(part) for part in last.each.domain)
            low = self.held(low, ANY_NUMBER)
            size = f"{high} - {low} + 1"
            return Group(size if len(entry.variables) > 1 else f"max(0, {size})", low, "low")
        told_apart = not is_piece(last) or (self.twins is None and not self.hides)
        if last.each.form == "set" and told_apart:
            found, left = self.absorber.absorb(last.slot, conditions)
            domain, kind = self.narrow(C.Each(last.slot, "set", last.each.domain), found)
            if not left:
                held = self.held(domain, kind)
                return Group(f"{held}.bit_count()", held, "small" if kind.top <= SMALL else "set")
            values = self.temp("list")
            through = self.through(domain, kind.top)
            with self.captured() as lines, self.afresh():
                condition = self.connected(tuple(left), True)
            if not lines:
                self.line(f"{values} = [{name} for {name} in {through} if {bare(condition)}]")
            else:
                self.line(f"{values} = []")
                with self.block(f"for {name} in {through}"), self.afresh(), self.where(left):
                    self.line(f"{values}.append({name})")
            return Group(f"len({values})", values, "list")
        values = self.temp("list")
        self.line(f"{values} = []")
        rest = [condition for condition in conditions if condition not in conjuncts(last.where)]
        with self.values(last), self.where(rest):
            self.line(f"{values}.append({name})")
        return Group(f"len({values})", values, "list")


def _leads_to(end: Any) -> Iterator[int]:
    """All blocks to which play may go from the end of one."""
    match end:
        case C.Jump(to=to):
            yield to
        case C.Branch(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case C.CallProcedure(procedure=procedure, then=then):
            yield from (procedure.entry, then)
        case C.Dispatch(cases=cases, otherwise=otherwise):
            yield from (*cases.values(), otherwise)
        case C.Choice(entries=entries, stop=stop, stuck=stuck):
            yield from (*(entry.to for entry in entries), stuck, *([stop.to] if stop is not None else []))
        case C.Chance(then=then):
            yield then
        case C.Together(body=body, then=then):
            yield from (body, then)


__all__ = ["PlaysProgram"]
