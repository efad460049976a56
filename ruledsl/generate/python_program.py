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
from ruledsl.source.text import Span
from ruledsl.types import ListOf, SetOf, members

from .flow import alone
from .kept import conjuncts
from .language import remark
from .late import Entered, asked_for, wide
from .passes import NONE_OFF, PYTHON, Off, Pass
from .python_operations import PythonOperations
from .python_pieces import PythonPieces
from .python_shapes import Shapes
from .python_steps import PythonSteps
from .python_texts import bare, identifier
from .python_words import PythonWords, scratch
from .rewriting import rewritten

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
        self.quiet = False  # whether effects are being written as they are tried out: nothing counts or is said
        self.whole_effect = True  # whether the effect that is being written is one function
        self.late_in_effects: dict[int, None] = {}  # the blocks at which code of rows begins in effects
        self.moving = PythonPieces(self)
        self.operations = PythonOperations(self)
        self.steps = PythonSteps(self)
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
            self.moving.pieces()
            self.moving.twin()
        return "\n".join([*lines, *out]) + "\n"

    def _rest(self) -> list[str]:
        """The functions that were asked for while others were written."""
        out: list[str] = []
        while self.asked or self.anys_to_write or self.wanted:
            with self.captured() as lines:
                if self.asked:
                    self.steps.possible_function(*self.asked.pop())
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

    def place(self, span: Span | None) -> str:
        return f"{span.file.path.rsplit('/', 1)[-1]}:{span.line}" if span is not None else ""

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
        self.steps.step_functions(str(at), choice)
        says = f"What may be chosen{' for ' + choice.name if choice.name else ''}, {self.place(choice.span)}"
        with self.function(f"options_{at}(v, seat)", says.strip(", ")):
            if menus.at_most(choice) > menus.MOST_OPTIONS:  # the reference stops where there are too many
                self.line(f"return OPTIONS.later(v, {self.constant('CHOICE', choice)}, seat)")
                return
            self.line("OPTIONS.seat = seat")
            if choice.stage is not None:
                stage = self.slot(choice.stage)
                for number, entry in enumerate(choice.entries):
                    for position in self.steps.plain_steps(entry):
                        if position:
                            with self.if_(f"{stage} == {1 + number * STRIDE + position}"):
                                self.line(f"return tuple({self.steps.step_name(at, number, position)}(v))")
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
            condition = self.connected(tuple(left), True) if left else ""
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
        return self.connected(entry.when, True) if entry.when else "True"

    def _list_entry(self, key: int, number: int, entry: C.Entry, where: str) -> None:
        with self.where(list(entry.when)):
            if entry.name:
                self.line(f"# {remark(f'{entry.name} {self.place(entry.span)}')}")
            if staged(entry):
                if 0 in self.steps.plain_steps(entry):
                    self.line(f"{where} += {self.steps.step_name(key, number, 0)}(v)")
                else:
                    self.line(f"{where} += OPTIONS.begin(v, {number}, {self.constant('ENTRY', entry)})")
                return
            if not entry.variables:
                with self.where(list(entry.where)):
                    self.line(f"append(({number},))")
                return
            names = self.named_variables(entry)
            with self.captured() as lines:
                self.tuples(entry, 0, lambda: self.line(f"append(({number}, {', '.join(names)}))"))
            self.forget(entry)
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

    def named_variables(self, entry: C.Entry) -> list[str]:
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

    def forget(self, entry: C.Entry) -> None:
        for variable in entry.variables:
            del self.alias[variable.slot]

    def tuples(self, entry: C.Entry, first: int, do: Callable[[], None]) -> None:
        """Loops over the values of the variables from `first` on; `do` where all conditions hold."""
        if first == len(entry.variables):
            with self.where(list(entry.where)):
                do()
            return
        with self.values(entry.variables[first]):
            self.tuples(entry, first + 1, do)

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
            self.operations.operation(op)
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


def _worth_writing(lines: list[str]) -> list[str]:
    """No lines at all where there is nothing but remarks."""
    return lines if any(not line.lstrip().startswith("#") for line in lines) else []


__all__ = ["PythonProgram", "Shapes", "to_python"]
