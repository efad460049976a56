"""A whole program in Python: one function per formula, menu, procedure and tree of blocks, on the state as a list.

Blocks become trees: a block with one way to it is written where it is come to, and where the arms of a branch meet
again, what follows is written behind them. Other blocks are functions of their own; a function of blocks gives the
number of the block that comes next, or what play stands at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.engine import menus
from ruledsl.engine.options import NOTHING, STOP, STRIDE, is_piece, staged
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import ANY_NUMBER
from ruledsl.source.text import Span
from ruledsl.types import ListOf, SetOf, members

from .flow import alone
from .kept import conjuncts
from .late import Entered, asked_for, wide
from .passes import NONE_OFF, PYTHON, Off, Pass
from .python_words import PythonWords, bare, identifier, scratch
from .rewriting import rewritten
from .writer import remark

LATER = "# what is kept:"  # stands for lines that are written at the end
LONGEST = 2000  # characters of a table that are shown
MOST_OPTIONS = 1 << 12  # options of one number are made beforehand, up to so many
RETURNED, ENDED = -1, -2  # what a block of a procedure gives where that comes to its end, or the play does


def to_python(program: C.Program, without: Off = NONE_OFF) -> str:
    """The module of a program as text: what it knows by name, then its functions."""
    return PythonProgram(program, without=without).whole()


def _shown(value: Any) -> str:
    if isinstance(value, int | str | None) or (isinstance(value, tuple | dict) and not _of_rules(value)):
        text = repr(value)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    if isinstance(value, Span):
        return f"<{value.file.path.rsplit('/', 1)[-1]}:{value.line}:{value.column}>"
    name = getattr(value, "name", "") or getattr(value, "__name__", "")
    return f"<{type(value).__name__}{' ' + name if name else ''}>"


def _of_rules(value: Any) -> bool:
    """Whether a part of the rules is in a table."""
    if isinstance(value, dict):
        return any(map(_of_rules, value.values()))
    return any(map(_of_rules, value)) if isinstance(value, tuple) else not isinstance(value, int | str | None)


class PythonProgram(PythonWords):
    """Writes the module of one program. `hooks` are blocks that tell of it when they are entered."""

    def __init__(self, program: C.Program, hooks: tuple[int, ...] = (), without: Off = NONE_OFF) -> None:
        program = rewritten(program, PYTHON, without)
        scoring, ties = [row.node for row in program.scoring], list(program.ties)
        seen = [node for node in program.spots.seen if node is not None]
        super().__init__(program, Kinds(program, (*scoring, *ties, *seen), trusting=True), without)
        self.hooks, self.counting = hooks, False
        self.procedure_names = {p: f"p{i}_{identifier(p.name)}" for i, p in enumerate(self.kinds.procedures)}
        self.alone = alone(program, self.kinds.procedures)
        self.home = {at: procedure for procedure, blocks in self.alone.items() for at in blocks}
        self.ending = self._ending()
        self.choices = {i: block.end for i, block in enumerate(program.blocks) if isinstance(block.end, C.Choice)}
        self.twins = program.twins
        self.current: C.Procedure | None = None
        self.entry = -1  # the block with which the function begins that is being written
        self.menus: dict[int, tuple[str, C.Choice]] = {}  # by id: menus asked about by `possible`
        self.asked: list[tuple[str, C.Choice]] = []
        self.secret = any(isinstance(block.end, C.Together) for block in program.blocks)
        self.block_functions: dict[int, str] = {}
        self.roll_functions: dict[int, str] = {}  # of blocks that decide for themselves
        self.waiting: list[Callable[[], list[str]]] = []  # lines that are written when it is known what is kept
        self.whole_effect = True  # whether the effect that is being written is one function
        self.late_in_effects: dict[int, None] = {}  # the blocks at which code of rows begins in effects
        self.main = self._entered()
        self.at_once = self._at_once([*scoring, *ties, *seen])

    # ---------------------------------------------------------------------------------------- which blocks

    def _ahead(self, at: int) -> list[int]:
        """The blocks to which a block leads without anything being asked or rolled."""
        end = self.program.blocks[at].end
        match end:
            case C.Jump(to=to):
                return [to]
            case C.Branch(then=then, otherwise=otherwise):
                return [then, otherwise]
            case C.CallProcedure(procedure=procedure, then=then):
                return [then if procedure in self.alone else procedure.entry]
            case C.Dispatch(cases=cases, otherwise=otherwise):
                return [otherwise] if wide(end) else [*cases.values(), otherwise]
            case C.Choice(stuck=stuck):
                return [stuck]
        return []

    def _rows(self, at: int) -> list[int]:
        """The blocks with the code of rows of which a block picks one, where they are many."""
        end = self.program.blocks[at].end
        return list(dict.fromkeys(end.cases.values())) if isinstance(end, C.Dispatch) and wide(end) else []

    def _behind(self, at: int) -> list[int]:
        """The blocks at which play goes on after it was left at a block."""
        end = self.program.blocks[at].end
        match end:
            case C.Choice(entries=entries, stop=stop, stuck=stuck):
                return [at, stuck, *(entry.to for entry in entries), *([stop.to] if stop is not None else [])]
            case C.Chance(then=then):
                return [at, then]
            case C.Together(body=body, then=then):
                return [at, body, then]
            case C.Drafted() | C.Finish():
                return [at]
            case C.CallProcedure(procedure=procedure, then=then) if procedure not in self.alone:
                return [then]
        return []

    def _ending(self) -> frozenset[C.Procedure]:
        """Those of them with which the play may end."""
        ending: frozenset[C.Procedure] = frozenset()
        while True:
            found = frozenset(p for p, blocks in self.alone.items() if any(self._ends(at, ending) for at in blocks))
            if found == ending:
                return ending
            ending = found

    def _ends(self, at: int, ending: frozenset[C.Procedure]) -> bool:
        end = self.program.blocks[at].end
        return isinstance(end, C.Finish) or (isinstance(end, C.CallProcedure) and end.procedure in ending)

    def _entered(self) -> Entered:
        """The blocks that play may come to outside of such procedures, and those of them at which it may begin."""
        begin = [self.program.start]
        if self.program.between is not None:
            begin.append(self.program.between)
        return Entered(begin, self._ahead, self._behind, self._rows)

    def _at_once(self, extra: list[C.Node]) -> set[Any]:
        """The formulas, effects and choices that are written before play begins; those of many rows are not."""
        blocks = self.program.blocks

        def code(begin: Iterable[int]) -> list[Any]:
            return [part for at in begin for part in (*blocks[at].ops, blocks[at].end)]

        def code_of(procedure: C.Procedure) -> list[Any]:
            return code(self._entered_of(procedure).blocks) if procedure in self.alone else []

        found, rows = asked_for([*extra, *code(self.main.blocks)], code_of)
        if not rows:
            return {*self.kinds.formulas, *self.alone, *self.choices}
        return {*found, *(at for at in self.choices if at in self.main.blocks)}

    def _entered_of(self, procedure: C.Procedure) -> Entered:
        return Entered([procedure.entry], self._ahead, lambda at: (), self._rows)

    # ---------------------------------------------------------------------------------------- the module

    def whole(self) -> str:
        """The module as a text to be read: what it knows by name, then its functions, those that may come late too."""
        functions = "\n\n".join([self.write().rstrip(), *self._all_that_is_late()])
        known = [f"{name} = {_shown(value)}" for name, value in self.constants.items()]
        head = f"""# {remark(self.program.name)}: made by ruledsl from its rules; not to be changed by hand.
#
# `v` is the state, slot by slot as `ruledsl dump --stage layout` tells; a function of blocks gives the number of the
# block that comes next, or what play stands at. What is in brackets <> the machine puts there: parts of the rules,
# and operations that are the same for every game (ruledsl/generate/python_called.py).
"""
        return "\n".join([head, *known, "", "", functions.rstrip()]) + "\n"

    def write(self) -> str:
        """The functions of the module; what they know by name is in `constants`."""
        out: list[str] = []
        for part in (self._formulas, self._options, self._draws, self._procedures, self._run):
            with self.captured() as lines:
                part()
            out += lines
        out += self._rest()
        self.absorber.frozen = True  # now it is known which sets are kept
        out = self.completed(out)
        with self.captured() as lines:
            self._pieces()
            self._twin()
        return "\n".join([*lines, *out]) + "\n"

    def _rest(self) -> list[str]:
        """The functions that were asked for while others were written."""
        out: list[str] = []
        while self.asked or self.anys_to_write or self.wanted:
            with self.captured() as lines:
                if self.asked:
                    self._possible_function(*self.asked.pop())
                elif self.anys_to_write:
                    self._any_function(self.anys_to_write.pop())
                else:
                    self._wanted(self.wanted.pop())
            out += lines
        out += self.later
        self.later = []
        return out

    def _wanted(self, what: Any) -> None:
        match what:
            case C.Formula():
                self._formula(what)
            case C.Procedure():
                self._procedure(what)
            case _:
                self._choice(what, self.choices[what])

    # -------------------------------------------------------------------------------- what is written late

    def late(self, at: int) -> str:
        """The functions for a block to which play comes for the first time, and for what follows it alone."""
        return self._late(at, self.block_functions, "block")

    def _late(self, at: int, functions: dict[int, str], stem: str) -> str:
        self.current = self.home.get(at)
        behind = self._behind if self.current is None else lambda at: []
        entries, found, edge = {at: None}, {at: None}, [at]
        elsewhere: set[int] = set()
        while edge:
            one = edge.pop()
            after = behind(one)
            for to in [*self._ahead(one), *after]:
                if to in functions or (to != at and (to in self.main.late or to in self.late_in_effects)):
                    elsewhere.add(to)
                elif to not in found:
                    found[to] = None
                    edge.append(to)
            entries |= {to: None for to in after if to in found}
        shapes = Shapes(self, list(found), list(entries), elsewhere)
        name = stem if self.current is None else self.procedure_names[self.current]
        self.whole_effect = False
        with self.captured() as lines:
            for root in sorted(shapes.roots - elsewhere):
                functions[root] = f"{name}_{root}"
                self._tree(f"{functions[root]}(v)", root, shapes, self.note(root))
        self.current = None
        return "\n".join(self.completed([*lines, *self._rest()])) + "\n"

    def late_formula(self, formula: C.Formula) -> str:
        """The function of a formula that is asked for the first time, if it has none yet."""
        self.want(formula)
        return "\n".join(self.completed(self._rest())) + "\n"

    def _all_that_is_late(self) -> list[str]:
        """Everything of which only a part will be written while somebody plays."""
        found = self._late_blocks()
        found += [self.late_formula(formula) for formula in self.kinds.formulas]
        while any(at not in self.block_functions for at in self.late_in_effects):
            found += [self.late(at) for at in list(self.late_in_effects) if at not in self.block_functions]
        return [text.rstrip() for text in found if text.strip()]

    def _late_blocks(self) -> list[str]:
        return [self.late(at) for at in self.main.late if at not in self.block_functions]

    @contextmanager
    def function(self, head: str, says: str = "") -> Iterator[None]:
        self.temps = 0
        self.line(f"def {head}:")
        self.depth += 1
        if says:
            self.line(f'"""{remark(says)}"""')
        with self.afresh():
            yield
        self.depth -= 1
        self.line("")
        self.line("")

    def place(self, span: Any) -> str:
        return f"{span.file.path.rsplit('/', 1)[-1]}:{span.line}" if span is not None else ""

    # -------------------------------------------------------------------------------------------- pieces

    @property
    def moves_plainly(self) -> bool:
        """Whether all there is to moving a piece is to take it up and to put it down."""
        spots = self.program.spots
        odd = self.hides or spots.growing or self.program.slots
        return spots.at >= 0 and spots.count > 0 and self.single and not odd

    def _pieces(self) -> None:
        """Moving a piece, as `engine.pieces` does it, for the sorts of spots that there are."""
        spots = self.program.spots
        if spots.at >= 0 and spots.count and not self.program.slots:
            self._lying()
        if not self.moves_plainly:
            return  # `move` is that of the reference machine
        first = spots.first_place
        piles = any(spots.ordered)
        with self.function("move(v, piece, to, at=None, span=None)", "A piece leaves where it is and goes elsewhere."):
            self.line(f"source = v[{spots.at} + piece]")
            with self.block("if source == to and at is None"):
                self.line("return")
            room = [i for i in range(first, spots.count) if spots.capacity[i]]
            if room:
                limits = self.constant("CAPACITY", tuple(spots.capacity))
                with self.block(f"if {limits}[to] and source != to and PIECES.count(v, to) >= {limits}[to]"):
                    self.line("raise no_room(piece, span)")
            elif first:
                with self.block(f"if to < {first} and v[{spots.top} + to] >= 0 and source != to"):
                    self.line("raise no_room(piece, span)")
            for spot, comes in (("source", False), ("to", True)):
                if comes:
                    self.line(f"v[{spots.at} + piece] = to")
                sorts: list[tuple[str, list[str]]] = []
                if first:
                    top = f"v[{spots.top} + {spot}] = {'piece' if comes else '-1'}"
                    sorts.append((f"{spot} < {first}", [top, *self._kept_changes(spot)]))
                if piles or any(spots.single[first:]):
                    what = f"PIECES._put(v, piece, {spot}, at)" if comes else f"PIECES._take(v, piece, {spot})"
                    kinds = self.constant(
                        "SET_OF_PIECES",
                        tuple(int(not o and not s) for o, s in zip(spots.ordered, spots.single, strict=True)),
                    )
                    sorts.append((f"not {kinds}[{spot}]", [what]))
                change = "|= 1 << piece" if comes else "&= ~(1 << piece)"
                sorts.append(("", [f"v[{spots.members - first} + {spot}] {change}"]))
                if spots.members < 0:
                    sorts.pop()
                for i, (condition, changes) in enumerate(sorts):
                    if i == len(sorts) - 1 and i:
                        head = "else"
                    elif condition:
                        head = f"{'elif' if i else 'if'} {condition}"
                    else:
                        self.lines += ["    " * self.depth + line for line in changes]
                        continue
                    with self.block(head):
                        self.lines += ["    " * self.depth + line for line in changes]

    def _lying(self) -> None:
        """What lies on a spot, as `engine.pieces` tells it, for the sorts of spots that there are."""
        spots = self.program.spots
        sorts = ["single" if s else "ordered" if o else "set" for o, s in zip(spots.ordered, spots.single, strict=True)]
        known: list[str] = [sort for sort in ("single", "set", "ordered") if sort in sorts]
        table = self.constant("SORT", tuple(known.index(sort) for sort in sorts)) if len(known) > 1 else ""
        top = f"v[{spots.top} + spot]"
        lies = f"v[{spots.members - spots.first_place} + spot]"
        ways = {
            "lying(v, spot)": {
                "single": [f"return ({top},) if {top} >= 0 else ()"],
                "set": [f"return members({lies})"],
                "ordered": [
                    "found = []",
                    f"piece = v[{spots.bottom} + spot]",
                    "while piece >= 0:",
                    "    found.append(piece)",
                    f"    piece = v[{spots.over} + piece]",
                    "return tuple(found)",
                ],
            },
            "first_lying(v, spot, kinds)": {
                "single": [f"return {top} if {top} >= 0 and kinds >> {top} & 1 else -1"],
                "set": [f"lies = {lies} & kinds", "return (lies & -lies).bit_length() - 1"],
                "ordered": [
                    f"piece = v[{spots.bottom} + spot]",
                    "while piece >= 0 and not kinds >> piece & 1:",
                    f"    piece = v[{spots.over} + piece]",
                    "return piece",
                ],
            },
        }
        for head, lines in ways.items():
            what = (
                "What lies on a spot, from the bottom up." if "kinds" not in head else "The first of these kinds there."
            )
            with self.function(head, what):
                with self.block("if spot < 0"):
                    self.line("return -1" if "kinds" in head else "return ()")
                for number, sort in enumerate(known):
                    last = number + 1 == len(known)
                    with self.scope() if last else self.block(f"if {table}[spot] == {number}"):
                        for line in lines[sort]:
                            self.line(line)

    def _state_changes(self, base: int, piece: str, now: str) -> list[str]:
        """What changes in the sets that are kept by a state of pieces, before that state of a piece does."""
        found, unsure = [], not self.kinds.slot(base).sure
        spot = self.item(self.program.spots.at, piece)
        for kept, slot in self.absorber.slots.items():
            if kept.state != base:
                continue
            member, inside = piece, []
            if kept.of == "spaces":
                member = f"({spot} - {kept.first})" if kept.first else spot
                inside.append(
                    f"{kept.first} <= {spot} < {kept.first + kept.count}" if kept.first else f"{spot} < {kept.count}"
                )
            if kept.kinds != self.program.roots["piece"].everything:
                inside.append(f"{self.set_const(kept.kinds, 0)} >> {piece} & 1")
            for value in (self.item(base, piece), now):
                if value.startswith("-"):
                    continue  # none
                conditions = [*inside, f"{value} >= 0"] if unsure else inside
                change = f"{self.item(slot, value)} ^= 1 << {member}"
                found += [f"if {' and '.join(conditions)}:", f"    {change}"] if conditions else [change]
        return found

    def _twin(self) -> None:
        """What is equal for two pieces that nothing tells apart."""
        spots = self.program.spots
        if self.twins is None or self.hides or spots.at < 0:
            return
        with self.function("twin(v, piece)", "Equal for two pieces that nothing tells apart."):
            self.line(f"spot = v[{spots.at} + piece]")
            if any(spots.ordered[spots.first_place :]):
                ordered = tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered))
                with self.block(f"if {self.constant('ORDERED', ordered)}[spot]"):
                    self.line("return (piece,)")
            slot = f", v[{spots.slot} + piece]" if spots.slot >= 0 else ""
            self.line(f"return ({bare(self.looks('piece'))}, spot{slot})")

    def kept_changes(self, spot: str, piece: str) -> None:
        """Lines for what changes in sets that are kept; they are written when it is known which those are."""
        self.wait(lambda: self._kept_changes(spot, piece))

    def wait(self, lines: Callable[[], list[str]]) -> None:
        """Lines that depend on what is kept."""
        if self.absorber.frozen:
            self.lines += ["    " * self.depth + line for line in lines()]
        else:
            self.line(f"{LATER} {len(self.waiting)}")
            self.waiting.append(lines)

    def completed(self, lines: list[str]) -> list[str]:
        """Lines with all that had to wait."""
        found: list[str] = []
        for line in lines:
            text = line.lstrip()
            if text.startswith(LATER):
                lines_of = self.waiting[int(text.removeprefix(LATER))]
                found += [line[: len(line) - len(text)] + change for change in lines_of()]
            else:
                found.append(line)
        return found

    def _kept_changes(self, spot: str, piece: str = "piece") -> list[str]:
        """What a piece that comes to a space of a board or leaves it changes in the sets that are kept."""
        found = []
        everything = self.program.roots["piece"].everything if "piece" in self.program.roots else 0
        for kept, slot in self.absorber.slots.items():
            if kept.of == "pieces" and kept.state >= 0:
                continue  # wherever they are
            name, conditions = f"v[{slot}]", []
            if kept.first or kept.first + kept.count < self.program.spots.first_place:
                conditions.append(f"{kept.first} <= {spot} < {kept.first + kept.count}")
            if kept.kinds & everything != everything:
                conditions.append(f"{self.set_const(kept.kinds, 0)} >> {piece} & 1")
            if kept.table is not None:
                table = self.constant("KEPT", tuple(slot + value if value >= 0 else -1 for value in kept.table))
                name = f"v[{table}[{piece}]]"
                if min(kept.table, default=0) < 0:
                    conditions.append(f"{table}[{piece}] >= 0")
            if kept.state >= 0:
                state = self.item(kept.state, piece)
                name = self.item(slot, state)
                if not self.kinds.slot(kept.state).sure:
                    conditions.append(f"{state} >= 0")
            member = piece if kept.of == "pieces" else f"({spot} - {kept.first})" if kept.first else spot
            change = f"{name} ^= 1 << {member}"
            found += [f"if {' and '.join(conditions)}:", f"    {change}"] if conditions else [change]
        return found

    # ------------------------------------------------------------------------------------------ formulas

    def _formulas(self) -> None:
        for formula in self.kinds.formulas:
            if formula.body is not None and formula in self.at_once:
                self.made.add(formula)
                self._formula(formula)

    def _formula(self, formula: C.Formula) -> None:
        given = "".join(f", {self.slot(slot)}" for slot in formula.slots)
        says = f"{formula.name}, {self.place(formula.span)}".strip(", ")
        with self.function(f"{self.formula_names[formula]}(v{given})", says):
            assert formula.body is not None
            self.line(f"return {bare(self.value(formula.body)[0])}")

    def expression(self, name: str, node: C.Node) -> str:
        """A function of its own that works out an expression; variables around it are where the reference has them."""
        with self.captured() as lines, self.function(f"{name}(v)"):
            for slot in sorted(scratch(node)):
                self.line(f"t{-slot} = v[{slot}]")
            self.line(f"return {bare(self.value(node)[0])}")
        return "\n".join([*lines, *self._rest()]) + "\n"

    def _any_function(self, formula: C.Formula) -> None:
        assert isinstance(formula.body, C.Fold)
        given = "".join(f", {self.slot(slot)}" for slot in formula.slots)
        with self.function(f"{self.anys[formula]}(v{given})", f"Whether {formula.name} has any member"):
            self.line(f"return {bare(self.truth(self.any_of(formula.body)))}")

    # ------------------------------------------------------------------------------------------- options

    def _options(self) -> None:
        for at, choice in self.choices.items():
            if at in self.at_once:
                self.made.add(at)
                self._choice(at, choice)

    def _choice(self, at: int, choice: C.Choice) -> None:
        self._step_functions(str(at), choice)
        says = f"What may be chosen{' for ' + choice.name if choice.name else ''}, {self.place(choice.span)}"
        with self.function(f"options_{at}(v, seat)", says.strip(", ")):
            if menus.at_most(choice) > menus.MOST_OPTIONS:  # the reference stops where there are too many
                self.line(f"return OPTIONS.later(v, {self.constant('CHOICE', choice)}, seat)")
                return
            self.line("OPTIONS.seat = seat")
            if choice.stage is not None:
                stage = self.slot(choice.stage)
                for number, entry in enumerate(choice.entries):
                    for position in self._plain_steps(entry):
                        if position:
                            with self.if_(f"{stage} == {1 + number * STRIDE + position}"):
                                self.line(f"return tuple({self.step_name(at, number, position)}(v))")
                with self.if_(stage):
                    self.line(f"return OPTIONS.later(v, {self.constant('CHOICE', choice)}, seat)")
            plain = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is None]
            free = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is not None]
            if len(plain) == 1 and not free and choice.stop is None and self._one_list(*plain[0]):
                return
            self.line("found = []")
            with self.captured() as lines:
                for number, entry in plain:
                    self._list_entry(at, number, entry, "found")
            if any("append(" in line for line in lines):
                self.line("append = found.append")
            self.splice(lines)
            if free:
                self.line("free = []")
                if any(not staged(e) for _, e in free):
                    self.line("append = free.append")
                for number, entry in free:
                    assert entry.anytime is not None
                    with self.if_(self.truth(entry.anytime)):
                        self._list_entry(at, number, entry, "free")
            if choice.stop is not None:
                self.line("stop = False")
                some = "" if choice.always else "found or free" if free else "found"
                with self.if_(some) if some else self.scope():
                    self.line(f"stop = {bare(self._opened(choice.stop))}")
                with self.if_("stop"):
                    self.line(f"found.append(({STOP},))")
                if free:
                    with self.block("elif free and not found"):
                        self.line(f"free.append(({NOTHING},))")
            elif free:
                with self.block("if free and not found"):
                    self.line(f"free.append(({NOTHING},))")
            self.line("return tuple(found + free)" if free else "return tuple(found)")

    def _one_list(self, number: int, entry: C.Entry) -> bool:
        """A menu of one entry with one variable, where its options are those of a set, is one comprehension."""
        if not self.on(Pass.LISTED_MENUS) or staged(entry) or len(entry.variables) != 1 or entry.when or entry.where:
            return False
        (variable,) = entry.variables
        if is_piece(variable) or variable.each.form != "set":
            return False
        name = self.choice_name(variable, set())
        self.alias[variable.slot] = name
        with self.captured() as lines:
            each = C.Each(variable.slot, "set", variable.each.domain)
            found, left = self.absorber.absorb(variable.slot, conjuncts(variable.where))
            domain, kind = self.narrow(each, found)
            through = self.through(domain, kind.top)
            before = len(lines)
            condition = self._connected(tuple(left), True) if left else ""
            simple = len(lines) == before
        del self.alias[variable.slot]
        if simple:
            self.splice(lines)
            test = f" if {bare(condition)}" if condition else ""
            option, top = f"({number}, {name})", self.kinds.slot(variable.slot).top
            if 0 < top <= MOST_OPTIONS:
                option = f"{self.constant('OPTION', tuple((number, value) for value in range(top)))}[{name}]"
            self.line(f"return tuple([{option} for {name} in {through}{test}])")
        return simple

    def _opened(self, entry: C.Entry) -> str:
        return self._connected(entry.when, True) if entry.when else "True"

    def _list_entry(self, key: int, number: int, entry: C.Entry, where: str) -> None:
        with self.where(list(entry.when)):
            if entry.name:
                self.line(f"# {remark(f'{entry.name} {self.place(entry.span)}')}")
            if staged(entry):
                if 0 in self._plain_steps(entry):
                    self.line(f"{where} += {self.step_name(key, number, 0)}(v)")
                else:
                    self.line(f"{where} += OPTIONS.begin(v, {number}, {self.constant('ENTRY', entry)})")
                return
            if not entry.variables:
                with self.where(list(entry.where)):
                    self.line(f"append(({number},))")
                return
            names = self._named_variables(entry)
            with self.captured() as lines:
                self._tuples(entry, 0, lambda: self.line(f"append(({number}, {', '.join(names)}))"))
            self._forget(entry)
            self.splice(self._as_one(lines, where, number, entry, names))

    def _as_one(self, lines: list[str], where: str, number: int, entry: C.Entry, names: list[str]) -> list[str]:
        """A loop that does nothing but list options, as a comprehension."""
        head = lines[0].strip() if self.on(Pass.LISTED_MENUS) else ""
        if len(lines) != 2 or len(names) != 1 or not head.startswith(f"for {names[0]} in "):
            return lines
        top = self.kinds.slot(entry.variables[0].slot).top
        option = f"({number}, {names[0]})"
        if top <= MOST_OPTIONS:
            option = f"{self.constant('OPTION', tuple((number, value) for value in range(top)))}[{names[0]}]"
        return [f"{'    ' * self.depth}{where} += [{option} {head[:-1]}]"]

    def _named_variables(self, entry: C.Entry) -> list[str]:
        names: list[str] = []
        for variable in entry.variables:
            names.append(self.choice_name(variable, set(names)))
            self.alias[variable.slot] = names[-1]
        return names

    def choice_name(self, variable: C.Variable, taken: Any) -> str:
        name = identifier(variable.name)
        while name in taken or name in self.constants:
            name += "_"
        return name

    def _forget(self, entry: C.Entry) -> None:
        for variable in entry.variables:
            del self.alias[variable.slot]

    def _tuples(self, entry: C.Entry, first: int, do: Callable[[], None]) -> None:
        """Loops over the values of the variables from `first` on; `do` where all conditions hold."""
        if first == len(entry.variables):
            with self.where(list(entry.where)):
                do()
            return
        with self.values(entry.variables[first]):
            self._tuples(entry, first + 1, do)

    @contextmanager
    def values(self, variable: C.Variable) -> Iterator[None]:
        """Loops over the values of a variable; of pieces that nothing tells apart only the first is taken."""
        name, piece = self.slot(variable.slot), is_piece(variable)
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        if not piece or (self.twins is None and not self.hides):
            left = conjuncts(variable.where)
            if each.form == "set":
                with self.narrowed(each, left) as left, self.afresh(), self.where(left):
                    yield
            else:
                with self.loop(each), self.afresh(), self.where(left):
                    yield
            return
        domain = each.domain[0]
        values = (
            self.list_text(domain) if each.form == "list" else self.through(self.set_text(domain), self.top_of(domain))
        )
        if self.hides:
            values = f"OPTIONS.veiled(v, {values})"
        seen, key = self.temp("seen"), self.temp("key")
        if self.twins is not None:
            self.line(f"{seen} = set()")
        with self.block(f"for {name} in {values}"), self.afresh():
            if self.twins is None:
                with self.where(conjuncts(variable.where)):
                    yield
                return
            if self.hides:
                self.line(f"{key} = OPTIONS._twin(v, {name})")
            else:  # on a space for one piece nothing is its twin
                self.line(f"{key} = v[{self.program.spots.at} + {name}]")
                first = self.program.spots.first_place if self.single else 0
                with self.block(f"if {key} >= {first}"):
                    self.line(f"{key} = twin(v, {name})")
            if variable.beside:
                told = ", ".join(self._includes(one, name) for one in variable.beside)
                self.line(f"{key} = ({key}, {told})")
            with self.block(f"if {key} not in {seen}"), self.where(conjuncts(variable.where)):
                self.line(f"{seen}.add({key})")
                yield

    def _includes(self, variable: C.Variable, piece: str) -> str:
        """Whether a variable before this one holds a piece."""
        slot = self.slot(variable.slot)
        match variable.type:
            case SetOf():
                return f"{slot} >> {piece} & 1"
            case ListOf():
                return f"{piece} in {bare(self.several(variable.slot, 0, None, True))}"
        return f"{piece} == {slot}"

    def possible(self, node: C.Possible) -> str:
        """Asks a menu whether it has an option."""
        choice = node.choice
        if id(choice) not in self.menus:
            at = next((at for at, known in self.choices.items() if known is choice), None)
            key = str(at) if at is not None else f"asked{len(self.menus)}"
            self.menus[id(choice)] = (key, choice)
            self.asked.append((key, choice))
        return f"possible_{self.menus[id(choice)][0]}(v)"

    # in several steps

    def _plain_steps(self, entry: C.Entry) -> list[int]:
        """The positions at which a step of an entry begins that binds one value for each of its variables."""
        found, at = [], 0
        while staged(entry) and at < len(entry.variables):
            if entry.variables[at].fewest is None:
                found.append(at)
                at = self._step_end(entry, at)
            else:
                at += 1
        return found

    def _step_end(self, entry: C.Entry, position: int) -> int:
        """Where the step that begins at a position ends (see `engine.options`)."""
        if entry.stepwise:
            return position + 1
        end = position
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def step_name(self, key: int | str, number: int, position: int) -> str:
        return f"steps_{key}_{number}_{position}"

    def completable(self, key: str, number: int, entry: C.Entry, position: int) -> str:
        """Whether values remain for the variables of an entry from a position on; those before are in the state."""
        if position == len(entry.variables):
            return self._connected(entry.where, True) if entry.where else "1"
        if entry.variables[position].fewest is None:
            return f"completable_{key}_{number}_{position}(v)"
        return f"OPTIONS.completable(v, {self.constant('ENTRY', entry)}, {position})"

    def _step_functions(self, key: str, choice: C.Choice) -> None:
        for number, entry in enumerate(choice.entries):
            steps = self._plain_steps(entry)
            if not steps:
                continue
            says = f"{entry.name} {self.place(entry.span)}".strip()
            for position, variable in enumerate(entry.variables):
                if variable.fewest is not None:
                    continue
                slot = self.slot(variable.slot)
                with self.function(f"completable_{key}_{number}_{position}(v)", f"{says}: is there a {variable.name}"):
                    self.line(f"before = {slot}")
                    with (
                        self.values(variable),
                        self.where_text(self.completable(key, number, entry, position + 1)),
                    ):
                        self.line(f"{slot} = before")
                        self.line("return True")
                    self.line(f"{slot} = before")
                    self.line("return False")
            for position in steps:
                end = self._step_end(entry, position)
                with self.function(f"{self.step_name(key, number, position)}(v)", f"{says}: what is next"):
                    self.line("found = []")
                    self._step_loops(key, number, entry, position, position, end)
                    for variable in entry.variables[position:end]:
                        self.line(f"{self.slot(variable.slot)} = 0")
                    self.line("return found")

    def _step_loops(self, key: str, number: int, entry: C.Entry, begin: int, at: int, end: int) -> None:
        if at == end:
            with self.where_text(self.completable(key, number, entry, end)):
                values = ", ".join(self.slot(variable.slot) for variable in entry.variables[begin:end])
                self.line(f"found.append(({number}, {values}))")
            return
        with self.values(entry.variables[at]):
            self._step_loops(key, number, entry, begin, at + 1, end)

    @contextmanager
    def where_text(self, condition: str) -> Iterator[None]:
        with self.if_(condition) if condition != "1" else self.scope():
            yield

    def _possible_function(self, key: str, choice: C.Choice) -> None:
        if any(map(self._plain_steps, choice.entries)) and key.isdecimal():
            self.want(int(key))  # its steps are asked
        if key.startswith("asked"):
            self._step_functions(key, choice)
        with self.function(f"possible_{key}(v)", f"Whether there is an option, {self.place(choice.span)}".strip(", ")):
            for number, entry in enumerate(choice.entries):
                if entry.anytime is not None:
                    continue
                with self.where(list(entry.when)):
                    if staged(entry) and 0 in self._plain_steps(entry):
                        if key.startswith("asked"):
                            with self.if_(f"{self.step_name(key, number, 0)}(v)"):
                                self.line("return True")
                        else:
                            with self.if_(self.completable(key, number, entry, 0)):
                                self.line("return True")
                        continue
                    if staged(entry):
                        self.line(f"for _ in OPTIONS.begin(v, {number}, {self.constant('ENTRY', entry)}):")
                        self.line("    return True")
                        continue
                    self._named_variables(entry)
                    self._tuples(entry, 0, lambda: self.line("return True"))
                    self._forget(entry)
            self.line("return False")

    # -------------------------------------------------------------------------------------------- chance

    def _draws(self) -> None:
        """One function for each random pick: an outcome from the stream of the state."""
        for at, block in enumerate(self.program.blocks):
            chance = block.end
            if not isinstance(chance, C.Chance) or chance.kind == "shuffle":
                continue
            variable = chance.variable
            assert variable is not None
            with self.function(f"draw_{at}(v)", f"A random value, {self.place(chance.span)}".strip(", ")):
                stream = C.STREAMS + chance.stream
                constant = variable.each.form == "set" and isinstance(variable.each.domain[0], C.Const)
                if constant and variable.where is None and chance.weight is None:
                    assert isinstance(variable.each.domain[0], C.Const)
                    values = members(int(variable.each.domain[0].value))
                    if len(values) > 1:
                        self.line(f"return {self.constant('VALUES', values)}[drawn(v, {stream}, {len(values)})]")
                        continue
                self.line(f"return MACHINE.drawn_from(v, {self.constant('CHANCE', chance)})")

    # ---------------------------------------------------------------------------------------- operations

    def operation(self, op: C.Operation) -> None:
        with self.captured() as lines, self.afresh():
            self._operation(op)
        if lines and (place := self.place(_dear_part(op))):
            self.line(f"# {place}")
        self.splice(lines)

    def _operation(self, op: C.Operation) -> None:
        match op:
            case C.Put(base=base, index=None, value=node):
                self.line(f"v[{base}] = {self.stored(self.value(node)[0], self.kind(node))}")
            case C.Put(base=base, index=at, value=node, span=span):
                assert at is not None
                index = self._index(at, span, "none has nothing that could be set")
                value = self.stored(self.value(node)[0], self.kind(node))
                if self.absorber.by_state and base in self.program.piece_state:
                    piece, now = self.simple(index), self.simple(value)
                    self.wait(lambda: self._state_changes(base, piece, now))
                    self.line(f"{self.item(base, piece)} = {now}")
                else:
                    self.line(f"{self.item(base, index)} = {value}")
            case C.PutSeveral(base=base, index=at, count=count, value=node, is_list=is_list, span=span):
                start = str(base)
                if at is not None:
                    start = self.simple(f"{base} + {self.number(at)} * {count}")
                value = bare(self.list_text(node))
                if is_list:
                    if isinstance(node, C.Const) and isinstance(node.value, tuple) and len(node.value) < count:
                        whole = (len(node.value), *map(int, node.value), *(0,) * (count - 1 - len(node.value)))
                        end = str(base + count) if at is None else f"{start} + {count}"
                        self.line(f"v[{start}:{end}] = {whole}")
                    else:
                        self.line(f"store_list(v, {start}, {count}, {value}, {self.span(span)})")
                else:
                    end = str(base + count) if at is None else f"{start} + {count}"
                    self.line(f"v[{start}:{end}] = {value}")
            case C.Zero(slots=slots):
                self._zero(slots)
            case C.Move():
                self._move(op)
            case C.Act(name=name):
                method = getattr(self, "act_" + name, None)
                if method is None or method(op) is False:
                    values = [self.value(arg)[0] for arg in op.args]
                    key = self.constant(f"do_{name}_", op, (id(op),))
                    self.line(f"{key}({', '.join(['v', *map(bare, values)])})")
            case C.Say():
                with self.if_("MACHINE.say is not None"):
                    self.line(f"MACHINE.say(v, {self.constant('SAY', op, (id(op),))})")

    def _zero(self, slots: tuple[int, ...]) -> None:
        left = sorted(slot for slot in slots if slot >= 0)
        while left:
            end = 1
            while end < len(left) and left[end] == left[0] + end:
                end += 1
            if end >= 4:
                self.line(f"v[{left[0]}:{left[0] + end}] = {self.constant('ZEROES', (0,) * end)}")
            else:
                self.line(f"{' = '.join(f'v[{slot}]' for slot in left[:end])} = 0")
            left = left[end:]

    def _index(self, at: C.Node, span: Any, message: str) -> str:
        text, kind = self.value(at)
        if kind.sure:
            return text
        text = self.simple(text)
        with self.if_(f"{text} < 0"):
            self.raise_(span, message)
        return text

    def _move(self, op: C.Move) -> None:
        turn = self.program.spots.turn
        if op.form == "one":
            pieces = self._index(op.pieces, op.span, "there is no piece to move")
        else:
            pieces = self.held(self.value(op.pieces)[0], ANY_NUMBER)
        if turn >= 0 or op.form != "one":
            pieces = self.simple(pieces)
        spot = self._index(op.to, op.span, "there is nowhere to move to")
        if op.form != "one":
            spot = self.simple(spot)
        if op.at is None:
            at = "None"
        elif isinstance(op.at, str):
            at = repr(op.at)
        else:
            at = self.number(op.at)

        together = ""
        if self.hides and op.form != "one":  # who sees them leave cannot tell them apart
            along = pieces if op.form == "set" else f"{self.operation_name('collect')}({pieces})"
            together = f", {self.simple(along)}"

        def each(piece: str) -> None:
            self.line(f"move(v, {bare(piece)}, {bare(spot)}, {at}, {self.span(op.span)}{together})")
            if turn >= 0:
                turned = self.value(op.turned)[0] if op.turned is not None else "0"
                self.line(f"{self.item(turn, piece)} = {bare(turned)}")

        if op.form == "one":
            if op.at is not None or turn >= 0 or not self._move_plainly(op, pieces, spot):
                each(pieces)
            return
        piece = self.temp("piece")
        through = f"members({pieces})" if op.form == "set" else pieces
        with self.block(f"for {piece} in {through}"):
            each(piece)

    def _move_plainly(self, op: C.Move, piece: str, spot: str) -> bool:
        """A piece from where such lie in no order to a space that holds one; False if it is another sort of move."""
        spots = self.program.spots
        taken = op.pieces.of if isinstance(op.pieces, C.Demand) else op.pieces
        match taken:
            case C.Primitive(name="first_on", args=(place,)) if self.on(Pass.PLAIN_MOVES):
                pass
            case _:
                return False
        if not self.moves_plainly or not self._in_set(place):
            return False
        low, top = self.bounds(op.to)
        if low < -1 or top > spots.first_place or spots.members < 0 or not _plain(place):
            return False
        piece, spot, source = self.simple(piece), self.simple(spot), self.number(place)
        with self.if_(f"{self.item(spots.top, spot)} >= 0"):
            self.line(f"raise no_room({piece}, {self.span(op.span)})")
        self.line(f"{self.item(spots.members - spots.first_place, source)} ^= 1 << {piece}")
        self.line(f"{self.item(spots.at, piece)} = {spot}")
        self.line(f"{self.item(spots.top, spot)} = {piece}")
        self.kept_changes(spot, piece)
        return True

    def act_remove(self, op: C.Act) -> None:
        match op.args[0]:
            case C.Op(name="only", args=(one,)) if not self.hides:  # it leaves its place alone, if it is there
                piece = self.simple(self.number(one))
                with self.if_(f"{piece} >= 0") if not self.kind(one).sure else self.scope():
                    self.line(f"move(v, {piece}, {self.program.spots.box})")
                return
        piece, gone = self.temp("piece"), self.set_text(op.args[0])
        gone = self.simple(gone) if self.hides else gone
        along = f", along={gone}" if self.hides else ""
        with self.block(f"for {piece} in {self.through(gone, self.pieces)}"):
            self.line(f"move(v, {piece}, {self.program.spots.box}{along})")

    def act_draw(self, op: C.Act) -> bool | None:
        """From a pile the top is taken, and nothing else is looked at."""
        count, source, to = op.args
        if not isinstance(source, C.Const) or not self.program.spots.ordered[int(source.value)]:
            return False
        many, goal, piece = self.number(count), self.simple(self.number(to)), self.temp("piece")
        once = many == "1"
        with self.scope() if once else self.block(f"for _ in range({bare(many)})"):
            self.line(f"{piece} = v[{self.program.spots.top + int(source.value)}]")
            if not once:
                with self.block(f"if {piece} < 0"):
                    self.line("break")
            with self.block(f"if {piece} >= 0") if once else self.scope():
                self.line(f"move(v, {piece}, {goal}, None, {self.span(op.span)})")
        return None

    def act_mark(self, op: C.Act) -> None:
        pass

    def act_count_up(self, op: C.Act) -> None:
        (slot,) = op.data
        limit = self.simple(self.number(op.args[0]))
        with self.if_(f"v[{slot}] >= {limit}"):
            text = f'f"this loop ran {{{limit}}} times, which is the most it may"'
            self.line(f"raise RulesFault({self.span(op.span)}, {text})")
        self.line(f"v[{slot}] += 1")

    def act_advance(self, op: C.Act) -> None:
        order, place, forced = op.data
        with self.block(f"if v[{forced}]"):
            self.line(f"advance_to(v, {order}, {place}, {forced}, {self.span(op.span)})")
        with self.block("else"):
            self.line(f"v[{place}] = v[{place}] + 1 if v[{place}] + 1 < v[{order}] else 0")

    def act_copy_start(self, op: C.Act) -> None:
        base, count = op.data
        values = self.constant("AT_START", tuple(self.program.template[base : base + count]))
        self.line(f"v[{base}:{base + count}] = {values}")

    def act_reveal(self, op: C.Act) -> bool | None:
        return None if self.program.spots.known < 0 else False

    act_hide = act_reveal

    def act_record(self, op: C.Act) -> None:
        base, keep = op.data
        mark = self.held(self.number(op.args[0]), ANY_NUMBER)
        with self.block(f"if v[{base}] == {keep}"):
            self.line(f"v[{base + 1}:{base + keep}] = v[{base + 2}:{base + keep + 1}]")
            self.line(f"v[{base}] -= 1")
        self.line(f"v[{base + 1} + v[{base}]] = {mark}")
        self.line(f"v[{base}] += 1")

    # --------------------------------------------------------------------------------------- procedures

    def try_out(self, procedure: C.Procedure) -> None:
        assert procedure in self.alone, "an effect that is tried out neither asks nor rolls"
        self.want(procedure)
        if self._says_or_loops(procedure):
            self.line(f"tried_out({self.procedure_names[procedure]}, v)")
        else:
            self.line(f"{self.procedure_names[procedure]}(v)")

    def _says_or_loops(self, procedure: C.Procedure) -> bool:
        """Whether an effect, or one that it calls, writes into the log, or might never end."""
        if not self.on(Pass.QUIET_TRIALS):
            return True
        work, seen = [procedure], {procedure}
        while work:
            tried = work.pop()
            if any(map(self._rows, self.alone[tried])) or Shapes(self, self.alone[tried], [tried.entry]).loops:
                return True
            for at in self.alone[tried]:
                block = self.program.blocks[at]
                if any(isinstance(op, C.Say) for op in block.ops) or at in self.hooks or self.counting:
                    return True
                if isinstance(block.end, C.CallProcedure) and block.end.procedure not in seen:
                    seen.add(block.end.procedure)
                    work.append(block.end.procedure)
        return False

    def _procedures(self) -> None:
        for procedure in self.alone:
            if procedure in self.at_once:
                self.made.add(procedure)
                self._procedure(procedure)

    def _procedure(self, procedure: C.Procedure) -> None:
        self.current = procedure
        name, own = self.procedure_names[procedure], self._entered_of(procedure)
        self.late_in_effects |= dict.fromkeys(own.late)
        blocks = [at for at in self.alone[procedure] if at in own.blocks]
        shapes = Shapes(self, blocks, list(own.entries) if self.on(Pass.BLOCK_TREES) else blocks)
        self.whole_effect = len(shapes.roots) == 1 and not own.late
        if self.whole_effect:
            self._tree(f"{name}(v)", procedure.entry, shapes, f"{procedure.name}, {self.place(procedure.span)}")
        else:
            for at in shapes.roots:
                self.block_functions[at] = f"{name}_{at}"
                self._tree(f"{name}_{at}(v)", at, shapes, self.note(at))
            with self.function(f"{name}(v)", f"{procedure.name}, {self.place(procedure.span)}"):
                self.line(f"at = {procedure.entry}")
                with self.block("for _ in MOST_STEPS"):
                    self.line("at = BLOCKS[at](v)")
                    with self.block("if at < 0"):
                        self.line(f"return at == {ENDED}")
                self.line("raise endless()")
        self.current = None

    def note(self, at: int) -> str:
        return remark(self.program.blocks[at].note)

    def _run(self) -> None:
        main = self.main
        shapes = Shapes(self, sorted(main.blocks), sorted(main.entries if self.on(Pass.BLOCK_TREES) else main.blocks))
        for at in shapes.roots:
            self.block_functions[at] = f"block_{at}"
            self._tree(f"block_{at}(v)", at, shapes, self.note(at))

    def _tree(self, head: str, at: int, shapes: Shapes, says: str) -> None:
        self.entry, self.shapes = at, shapes
        with self.function(head, says.strip(", ")):
            self.depth += 1
            with self.captured() as lines:
                self._block(at, None)
            self.depth -= 1
            again = any(line.strip() == "continue" for line in lines)
            if again:
                self.line("for _ in MOST_STEPS:")
                self.splice(lines)
                self._looped(at)
            else:
                self.splice([line[4:] for line in lines])

    def _looped(self, at: int) -> None:
        """What a function does that has come back to its first block too often."""
        self.line("raise endless()")

    def splits(self, at: int) -> bool:
        """Whether a block leads on by several ways that are written in one function."""
        return isinstance(self.program.blocks[at].end, C.Branch)

    def _go(self, to: int, until: int | None) -> None:
        """Goes on at a block: by falling through, in a new round of the function, with it here, or elsewhere."""
        if to == until:
            return
        if to == self.entry:
            self.line("continue")
        elif to in self.shapes.roots and not self.shapes.tiny(to):
            self.line(f"return {to}")
        else:
            self._block(to, until)

    def _block(self, at: int, until: int | None) -> None:
        block = self.program.blocks[at]
        if at != self.entry:
            self.line(f"# {at}: {self.note(at)}")  # `runtime.whereabouts` reads it, and the line of an operation
        if at in self.hooks:
            self.line(f"{self.constant('hook_', at, ('hook', at))}(v)")
        for op in block.ops:
            self.operation(op)
        self.count(at)
        with self.captured() as lines, self.afresh():
            self._end(at, block.end, until)
        self.splice(lines)

    def count(self, at: int) -> None:
        """Notes that a block has run."""

    def _end(self, at: int, end: Any, until: int | None) -> None:
        match end:
            case C.Jump(to=to):
                self._go(to, until)
            case C.Branch():
                self._branch(at, end, until)
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                values = [self.value(arg)[0] for arg in args]
                if len(values) > 1:
                    values = [self.simple(value) for value in values]
                self.store_arguments(procedure, values)
                if procedure not in self.alone:
                    self.line(f"v[{procedure.back}] = {then}")
                    self._go(procedure.entry, until)
                    return
                self.want(procedure)
                call = f"{self.procedure_names[procedure]}(v)"
                if procedure in self.ending:
                    with self.block(f"if {call}"):
                        self.line(f"v[{procedure.back}] = {then}")
                        self._over()
                else:
                    self.line(call)
                self._go(then, until)
            case C.Return(procedure=procedure):
                if self.current is None:
                    at_ = self.temp("at")
                    self.line(f"{at_}, v[{procedure.back}] = v[{procedure.back}], 0")
                    self.line(f"return {at_}")
                elif self.whole_effect:
                    self.line("return False")
                else:
                    self.line(f"return {RETURNED}")
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise) if wide(end):
                ways = self.constant("WAYS", cases, ("ways", at))
                self.line(f"return {ways}.get({bare(self.number(index))}, {otherwise})")
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise):
                text = self.simple(self.number(index))
                after = self.shapes.after(at, until)
                for value, to in cases.items():
                    with self.if_(f"{text} == {value}"), self.afresh():
                        self._go(to, after if after is not None else until)
                        if after is not None:
                            raise AssertionError("cases never meet")
                self._go(otherwise, until)
            case C.Choice(by=by, stuck=stuck):
                seat = self.simple(self.number(by))
                found = self.temp("options")
                self.want(at)
                self.line(f"{found} = options_{at}(v, {seat})")
                with self.if_(found):
                    if self.hides:
                        self.line("PIECES.notice(v)")
                    self.line(f"v[{C.PC}] = {at}")
                    self.line(f"return Stop('choice', {self.constant('CHOICE', end)}, None, None, {seat}, {found})")
                self._go(stuck, until)
            case C.Chance():
                self.line(f"v[{C.PC}] = {at}")
                self.line(f"return {self.constant('CHANCE', end)}")
            case C.Together():
                self.line(f"v[{C.PC}] = {at}")
                if self.hides:
                    self.line("PIECES.notice(v)")
                self.line(f"return {self.constant('STOP', ('together', end), ('together', id(end)))}")
            case C.Drafted():
                self.line(f"v[{C.PC}] = {at}")
                self.line("return DRAFTED")
            case C.Finish(ending=ending, winners=winners):
                self.line(f"v[{C.PC}] = {at}")
                self.line(f"v[{C.ENDED}] = {ending}")
                self.line(f"v[{C.WINNERS}] = {bare(self.set_text(winners)) if winners is not None else 0}")
                self._over()
            case _:
                raise AssertionError(f"block {at} has no end")

    def _over(self) -> None:
        if self.current is None:
            self.line("return OVER")
        elif self.whole_effect:
            self.line("return True")
        else:
            self.line(f"return {ENDED}")

    def _branch(self, at: int, end: C.Branch, until: int | None) -> None:
        condition = self.truth(end.condition)
        after = self.shapes.after(at, until)
        inner = after if after is not None else until
        self.depth += 1
        with self.captured() as then, self.afresh():
            self._go(end.then, inner)
        self.depth -= 1
        meets = inner is not None and self.shapes.meets(at, inner)
        self.depth += meets
        with self.captured() as otherwise, self.afresh():
            self._go(end.otherwise, inner)
        self.depth -= meets
        then, otherwise = _worth_writing(then), _worth_writing(otherwise)
        if then:
            self.line(f"if {bare(condition)}:")
            self.splice(then)
            if meets and otherwise:
                self.line("else:")
            self.splice(otherwise)
        elif otherwise:
            self.line(f"if {bare(self.not_(condition))}:")
            self.splice(otherwise if meets else ["    " + line for line in otherwise])
        else:
            self.line(bare(condition))
        if after is not None:
            self._block(after, until)


def _dear_part(op: C.Operation) -> Any:
    """The place of an operation that may take long: it works something out."""
    value: Any = getattr(op, "value", None)
    cheap = value is None or isinstance(value, C.Const | C.Get | C.Cell)
    return None if cheap else value.span or getattr(op, "span", None)


def _plain(node: C.Node) -> bool:
    """Whether an expression can be worked out twice without harm or much ado."""
    match node:
        case C.Const() | C.Get():
            return True
        case C.Primitive(name="offset", args=(arg,)) | C.Op(name="add", args=(arg, C.Const())):
            return _plain(arg)
    return False


def _worth_writing(lines: list[str]) -> list[str]:
    """No lines at all where there is nothing but remarks."""
    return lines if any(not line.lstrip().startswith("#") for line in lines) else []


class Shapes:
    """How the blocks of a procedure, or of the play outside of such, fall into trees."""

    def __init__(
        self, writer: PythonProgram, blocks: list[int], entries: list[int], elsewhere: Iterable[int] = ()
    ) -> None:
        """`elsewhere` have functions already, or will have their own."""
        self.writer = writer
        self.ahead: dict[int, list[int]] = {at: [] for at in elsewhere}
        self.ahead |= {at: list(dict.fromkeys(writer._ahead(at))) for at in blocks}
        self.entries = entries
        self.loops = self._heads()
        self.roots = set(entries) | self.loops | set(elsewhere)
        self._order()
        # Where ways meet that no branch holds together, a function of its own begins.
        while True:
            self._dominate()
            loose = [at for at in self.cut if self._loose(at)]
            if not loose:
                break
            self.roots |= set(loose)
            self._order()

    def _heads(self) -> set[int]:
        """The blocks to which a loop leads back."""
        heads: set[int] = set()
        state: dict[int, int] = {}
        for entry in self.entries:
            if entry in state:
                continue
            stack = [(entry, iter(self.ahead[entry]))]
            state[entry] = 1
            while stack:
                at, rest = stack[-1]
                to = next(rest, None)
                if to is None:
                    state[at] = 2
                    stack.pop()
                elif state.get(to) == 1:
                    heads.add(to)
                elif to not in state:
                    state[to] = 1
                    stack.append((to, iter(self.ahead[to])))
        return heads

    def _order(self) -> None:
        """The graph cut at the roots, each block before those it leads to."""
        self.cut = {at: [to for to in ahead if to not in self.roots] for at, ahead in self.ahead.items()}
        seen: set[int] = set()
        order: list[int] = []
        for root in sorted(self.roots):
            stack = [(root, iter(self.cut[root]))]
            if root in seen:
                continue
            seen.add(root)
            while stack:
                at, rest = stack[-1]
                to = next(rest, None)
                if to is None:
                    order.append(at)
                    stack.pop()
                elif to not in seen:
                    seen.add(to)
                    stack.append((to, iter(self.cut[to])))
        self.order = order[::-1]

    def _dominate(self) -> None:
        place = {at: i for i, at in enumerate(self.order)}
        self.over: dict[int, int] = {}  # the blocks through which every way to a block leads, as a set
        reached: dict[int, list[int]] = {at: [] for at in self.order}
        for at in self.order:
            for to in self.cut[at]:
                reached[to].append(at)
        for at in self.order:
            common = -1
            for other in reached[at]:
                common &= self.over[other]
            self.over[at] = (0 if at in self.roots else common) | 1 << place[at]
        self.under: dict[int, int] = {}  # the blocks through which every way from a block leads
        for at in reversed(self.order):
            leaves = len(self.cut[at]) < len(self.ahead[at]) or not self.cut[at] or self._leaves(at)
            common = 0 if leaves else -1
            if not leaves:
                for to in self.cut[at]:
                    common &= self.under[to]
            self.under[at] = common | 1 << place[at]
        self.place = place
        self.reached = reached

    def _leaves(self, at: int) -> bool:
        """Whether play may stop in a block, so that what follows it need not come."""
        return False

    def _meeting(self, at: int) -> int | None:
        """The first block through which all ways from a block lead."""
        rest = self.under[at] & ~(1 << self.place[at])
        return self.order[(rest & -rest).bit_length() - 1] if rest else None

    def _loose(self, at: int) -> bool:
        if at in self.roots or at not in self.place or len(self.reached[at]) < 2 or self.tiny(at):
            return False
        # Held together: a branch above from which all ways meet here first.
        rest = self.over[at] & ~(1 << self.place[at])
        while rest:
            above = self.order[rest.bit_length() - 1]
            if len(self.cut[above]) > 1 and self.writer.splits(above) and self._meeting(above) == at:
                return False
            rest &= ~(1 << self.place[above])
        return True

    def _covers(self, above: int, at: int) -> bool:
        return bool(self.over[at] >> self.place[above] & 1) and self.writer.splits(above)

    def after(self, at: int, until: int | None) -> int | None:
        """Where the arms of a branch meet again, if it is to be written behind them."""
        if not self.writer.splits(at):
            return None
        meeting = self._meeting(at)
        if meeting is None or meeting == until or not self._covers(at, meeting):
            return None
        return meeting

    def meets(self, at: int, inner: int) -> bool:
        """Whether a way from a block leads to where it is to fall through to."""
        seen, work = set(), [at]
        while work:
            for to in self.cut[work.pop()]:
                if to == inner:
                    return True
                if to not in seen:
                    seen.add(to)
                    work.append(to)
        return False

    def tiny(self, at: int) -> bool:
        """Whether a block is so small that it is written wherever it is come to."""
        block = self.writer.program.blocks[at]
        if at in self.writer.hooks:
            return False
        if any(not isinstance(op, C.Zero) for op in block.ops) or len(block.ops) > 1:
            return False
        return isinstance(block.end, C.Return | C.Finish | C.Choice | C.Chance | C.Together | C.Drafted)


__all__ = ["PythonProgram", "Shapes", "to_python"]
