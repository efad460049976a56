"""What stands in the state of generated C: members, values at hand, sets and fingerprints that are kept."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.engine.batch import Shape
from ruledsl.engine.primitives import mark
from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import SET, a_set
from ruledsl.ir.walk import parts

from .asked import ByHeart, Latest
from .c_floods import CFloods
from .c_texts import identifier, words
from .changes import Changes, Reads
from .clusters import Clusters
from .fair import Fair
from .flow import alone, tried
from .kept import Absorber
from .passes import NONE_OFF, Off, Pass

TRADES = ("swap_pieces", "swap_contents")
MOST_MARKS = 1 << 14  # numbers of a fingerprint in a table
FEW_REMEMBERED = 4  # values that are worth putting back when an effect has been tried out
MOST_COPIED = 140  # numbers that are sooner copied before an effect is tried out than put back move by move
MOST_REMEMBERED = 256  # arguments, and members of sets, of formulas whose values are kept at hand
MENUS = re.compile(r"(inline )?(num|void) (pick|options|possible|steps|completable|full|so_far)_")
POSITIONS_A_WORD = 16  # that are kept, of 64 bits that tell most others from them
FEWEST_HINTS, MOST_HINTS = 32, 256  # words of such bits
LIMIT = -9  # what a pick says when no more decisions may be taken
AT_NONE, AT_BOTTOM, AT_TOP = -1000, -1001, -1002
OVER, CHOICE, TOGETHER, DRAFTED, BROKEN = range(5)


class CState(CFloods):
    """What stands in the state of generated C: members, values at hand, sets and fingerprints that are kept."""

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        scoring, ties = [row.node for row in program.scoring], list(program.ties)
        self.heuristic = [program.heuristic] if program.heuristic is not None else []
        seen = [node for node in program.spots.seen if node is not None]
        super().__init__(program, Kinds(program, (*scoring, *ties, *self.heuristic, *seen)), without)
        self.library: list[str] = []
        self.scoring, self.ties = scoring, ties
        self.lowest = program.lowest
        procedures = self.kinds.procedures
        self.procedure_names = {p: f"p{i}_{identifier(p.name)}" for i, p in enumerate(procedures)}
        self.alone = alone(program, procedures)
        self.inside = {at for blocks in self.alone.values() for at in blocks}
        self.choices = {i: block.end for i, block in enumerate(program.blocks) if isinstance(block.end, C.Choice)}
        self.shape = Shape(program)
        self.asked: dict[int, str] = {}  # menus asked about by `possible`
        self.pending: list[tuple[str, C.Choice]] = []  # menus whose functions are still to be written
        self.entry_keys: dict[int, str] = {}
        self.hides = program.spots.known >= 0
        self.twins = program.twins
        self.current: C.Procedure | None = None
        spots = program.spots
        self.piles = any(ordered and not single for ordered, single in zip(spots.ordered, spots.single, strict=True))
        # Moves are undone by moving back, where that costs less than a copy of all that tells what lies where.
        copied = 3 * self.pieces + 2 * spots.count if self.piles else self.pieces + spots.count
        self.journal = (
            self.on(Pass.MOVES_BACK)
            and copied > MOST_COPIED
            and spots.at >= 0
            and not (self.hides or program.slots or spots.growing or spots.turn >= 0 or self.trades())
        )
        self.menu = False  # whether a function of a menu is written, which changes nothing
        self.heads: list[str] = []  # what such a function begins with
        self.changes = Changes(program, self.alone)
        # Fingerprints need not be right where effects are tried out and nobody asks for them; they are put back.
        self.unprinted = self.on(Pass.UNPRINTED_TRIALS) and not self.journal and self._trials_print_nothing()
        self.making_afresh = False
        self.reads = Reads(program, self.alone)
        if self.on(Pass.TRIED_ONCE):
            self.alike.fair = Fair(self.alike, self.kinds, self.alone, self.absorber.safe)
        self._tries_effects = bool(tried(program, self.kinds.roots, self.alone))
        self.memos = self._memos() if self.on(Pass.MEMOS) else {}
        self.clusters = Clusters(
            program, self.kinds, self.absorber, self.alone, self.on(Pass.KEPT_GROUPS) and not program.ahead
        )

    def trades(self) -> bool:
        """Whether pieces trade places, which is no move that could be put back."""
        return any(isinstance(op, C.Act) and op.name in TRADES for block in self.program.blocks for op in block.ops)

    def _trials_print_nothing(self) -> bool:
        """Whether no effect that is tried out, and nothing that is asked of it, has to do with fingerprints."""
        seen: set[int] = set()
        work: list[tuple[Any, bool]] = [(root, False) for root in self.kinds.roots]
        while work:
            node, trying = work.pop()
            if id(node) in seen and not trying:
                continue
            if (id(node) | trying << 64) in seen:
                continue
            seen |= {id(node), id(node) | trying << 64}
            match node:
                case C.Primitive(name="fingerprint" | "repeats") | C.Act(name="record") if trying:
                    return False
                case C.Invoke(formula=formula) if trying:
                    work.append((formula.body, True))
                case C.Possible(choice=choice):
                    work.append((choice, trying))
                case C.Would(condition=condition):
                    work.append((condition, True))
            procedure = node.procedure if isinstance(node, C.Would | C.CallProcedure) else None
            if procedure is not None and (trying or isinstance(node, C.Would)):
                for at in self.alone.get(procedure, ()):
                    block = self.program.blocks[at]
                    work += [(part, True) for part in (*block.ops, block.end)]
            work += [(part, trying) for part in parts(node)]
        return True

    def _memos(self) -> dict[C.Formula, set[int]]:
        """Dear formulas that are asked for in several places, with what they look at.

        Their values stay at hand until something that they look at is changed.
        """
        asked = Counter[C.Formula]()
        for root in self.kinds.roots:
            _count_calls(root, asked, set())
        often = {call.formula for formula in self.kinds.formulas if formula.slots for call in _same_calls(formula.body)}
        fields = {slot: member.field.kind for slot, (member, _) in self.places.items()}
        found: dict[C.Formula, set[int]] = {}
        trials = tried(self.program, self.kinds.roots, self.alone)
        in_trials = {node.formula for node in trials if isinstance(node, C.Invoke)}
        kept = Absorber(self.program, self.kinds, self.without)  # without tables, which ask what is remembered
        kept.of_members = True
        for formula in self.kinds.formulas:
            if isinstance(formula, Latest) and (looked_at := self._looked_at(formula, fields)) is not None:
                found[formula] = looked_at
            if asked[formula] < 2 or formula.body is None or isinstance(formula, Latest | ByHeart):
                continue
            if formula in in_trials and not (formula in often and self.in_trials(formula)):
                continue
            if not very_dear(formula.body) and not (formula in often and _looped(formula.body)):
                continue
            kind = self.kinds.of(formula.body)
            if kind.sort == SET and kept.at_hand(formula.body):
                continue
            if kind.sort not in ("number", SET) or self.pure.table(formula) is not None:
                continue
            if kind.sort == SET and kind.top > MOST_REMEMBERED:
                continue
            if math.prod(self.kinds.slot(slot).top for slot in formula.slots) > MOST_REMEMBERED:
                continue
            looked_at = self._looked_at(formula, fields)
            if looked_at is not None:
                found[formula] = looked_at
        return found

    def _looked_at(self, formula: C.Formula, fields: dict[int, str]) -> set[int] | None:
        """What a formula looks at, if its value may be kept."""
        seen, given = self.reads.of(formula.body), [self.kinds.slot(slot) for slot in formula.slots]
        if seen is None or any(one.sort != "number" or not one.sure for one in given):
            return None
        if math.prod(one.top for one in given) >= 1 << 31:
            return None
        locals_ = {slot for slot in seen if slot >= 0 and fields[slot] in ("local", "draft", "stream", "history")}
        parameters = {slot for procedure in self.alone for slot in (*procedure.parameters, procedure.back)}
        return seen - locals_ if locals_ <= parameters else None  # those of effects that are tried out

    def remembered(self, formula: C.Formula) -> bool:
        return formula in self.memos or isinstance(formula, ByHeart)

    def forget(self, changed: set[int] | None) -> None:
        """Values that are at hand and look at something that was changed are not, any more."""
        for i, (formula, seen) in enumerate(self.memos.items()):
            if changed is None or changed & seen:
                # What is not asked for in trials is as it was when they are over.
                when = "" if self.in_trials(formula) or not self._tries_effects else "if (!x->trying) "
                self.line(f"{when}memset(&s->ready{i}, 0, sizeof s->ready{i});")

    def other_than(self, slots: set[int]) -> None:
        if slots:
            self.forget(slots)

    def changed(self, op: C.Operation) -> set[int] | None:
        """What an operation changes, each array by its first slot."""
        found = self.changes.operation(op)
        if found is None:
            return None
        return {self.places[slot][0].field.base if slot >= 0 else slot for slot in found} | found

    def arguments_of(self, formula: C.Formula) -> int:
        """How many arguments a remembered formula may have, all of its own taken together."""
        return math.prod(min(self.kinds.slot(slot).top, MOST_REMEMBERED + 1) for slot in formula.slots)

    def in_trials(self, formula: C.Formula) -> bool:
        """Whether values are remembered while an effect is tried out too: they are few, and put back behind it."""
        return self.arguments_of(formula) <= FEW_REMEMBERED and not isinstance(formula, Latest)

    def possible(self, node: C.Possible) -> str:
        """Asks a menu whether it has an option."""
        choice = node.choice
        key = next((str(at) for at, known in self.choices.items() if known is choice), None)
        if key is None:
            key = self.asked.get(id(choice))
            if key is None:
                key = self.asked[id(choice)] = f"asked{len(self.asked)}"
                self.pending.append((key, choice))
        return f"possible_{key}(x, s)"

    def cluster_functions(self) -> list[str]:
        """The groups that are kept, and bringing them up to date."""
        found = self.clusters.found
        if not found:
            return []
        with self.captured() as lines:
            for size in sorted({words(family.kept.count) for family in found}):
                self.line(f"DEFINE_CLUSTERS({size})")
            with self.block("typedef struct", "} Clusters;"):
                for i, family in enumerate(found):
                    form = self.set_type(family.kept.count)
                    self.line(f"clusters{words(family.kept.count)} of{i}[{family.kept.values}];")
                    self.line(f"{form} sure{i}, wanted{i};")
            self.line("#define CLUSTERS(x) ((Clusters *)(x)->clusters)")
            with self.block("static inline void keep_clusters(Context *x, State *s)"):
                for i, family in enumerate(found):
                    size, table = words(family.kept.count), self._near(family.near, family.kept.count)
                    given = f"{table}, {self.clusters_now(i).split(', ')[1]}, {self.clusters_wanted(i)}"
                    kept = f"CLUSTERS(x)->of{i}, {family.kept.values}"
                    self.line(f"keep{size}({kept}, {given}, &CLUSTERS(x)->sure{i}, &CLUSTERS(x)->wanted{i});")
        return [*lines, ""]

    def formula_function(self, name: str, formula: C.Formula) -> None:
        """A formula as a function."""
        assert formula.body is not None
        kind = self.kind(formula.body)
        given = "".join(f", {self.type(self.kinds.slot(slot))} {self.slot(slot)}" for slot in formula.slots)
        with self.function(f"{self.inlined}{self.type(kind)} {name}({self.given}{given})"):
            keeps, self.keeps_lists = self.keeps_lists, self.on(Pass.VALUES_AT_HAND)
            with self.captured() as lines:
                text = self.as_kind(formula.body, kind)
            self.keeps_lists = keeps
            if kind.sort != "list" and any("list" in line or "lying" in line for line in [*lines, text]):
                self.line("num mark = x->top;")
                self.splice(lines)
                self.line(f"{self.type(kind)} result = {text};")
                self.line("x->top = mark;")
                self.line("return result;")
            else:
                self.splice(lines)
                self.line(f"return {text};")

    @contextmanager
    def function(self, head: str) -> Iterator[None]:
        before = self.menu, self.heads
        self.menu, self.heads = bool(MENUS.match(head)), []
        with self.block(f"static {head}"), self.afresh():
            with self.captured() as lines:
                yield
            for line in self.heads:
                self.line(line)
            self.splice(lines)
        self.menu, self.heads = before
        self.line("")

    def bring_up_to_date(self) -> None:
        """Before something is tried out: the groups that are kept. Menus change nothing, so there once is enough."""
        line = "if (!x->trying) keep_clusters(x, s);"
        if not self.clusters.found or line in self.heads:
            return
        if self.menu:
            self.heads.append(line)
        else:
            self.line(line)

    def makes_lists(self, lines: list[str]) -> bool:
        return any("list" in line or "lying" in line for line in lines)

    @contextmanager
    def tidy(self) -> Iterator[None]:
        """What lists are made inside are forgotten: in a loop they would pile up."""
        with self.captured() as lines:
            yield
        if not self.makes_lists(lines):
            self.splice(lines)
            return
        mark = self.temp("mark")
        self.line(f"num {mark} = x->top;")
        self.splice(lines)
        self.line(f"x->top = {mark};")

    def zero(self, slot: int) -> str:
        kind = self.kinds.slot(slot)
        return self.set_const(0, kind.top) if kind.sort == SET else "0"

    def set_drop(self, name: str, value: str, top: int) -> None:
        if self.set_type(top) == "set1":
            self.line(f"{name} &= ~just1({value});")
        else:
            self.line(f"drop{(top + 63) // 64}(&{name}, {value});")

    def kept_members(self) -> list[str]:
        found = []
        for i, kept in enumerate(self.absorber.found):
            form = self.set_type(self.size_of(kept))
            what = kept.of
            by = "" if kept.plain else " by a value of " + ("their rows" if kept.table is not None else "pieces")
            if kept.of == "members":
                by = f" by {self.places[kept.state][0].name}"
            found.append(f"{form} kept{i}{'' if kept.plain else f'[{kept.values}]'};  /* {what}{by} */")
        found += [
            f"u64 print{i};  /* of what lies on spots {a} to {b - 1} */" for i, (a, b) in enumerate(self.prints.kept)
        ]
        if self.alike.asked:
            found.append(f"set1 heaps[{self.program.spots.count}];  /* the pieces on each spot */")
            found.append("set1 firsts;  /* pieces that are the first of their looks there */")
        if self.alike.tries:
            found.append("set1 mixed;  /* pieces that lie among others of different looks */")
            found.append("num unlike;  /* whether a trial was not the same for alike pieces */")
        hints = [
            f"u64 hints{i}[2 * HINTS];  /* of marks that were recorded */" for i in range(len(self.prints.histories))
        ]
        return [*found, *hints]

    def heap_change(self, piece: str, spot: str, comes: bool) -> None:
        """A piece leaves or comes to a spot: another may be the first of its looks there."""
        if not self.alike.asked:
            return
        heap, one = f"s->heaps[{spot}]", f"just1({piece})"
        self.line(f"{heap} {'|=' if comes else '&='} {one if comes else f'~{one}'};")

        likes = self.sets(self.alike.like, 1)

        def first() -> None:
            name = self.held(f"{heap} & {likes}[{piece}]", a_set(self.pieces))
            self.line(f"s->firsts = (s->firsts & ~({name} | {one})) | ({name} & -{name});")

        if self.alike.tries and comes:
            self.line(f"if ({heap} & ~{likes}[{piece}]) s->mixed |= {heap};")
        elif self.alike.tries:
            with self.block(f"if (s->mixed & {one})"):
                self.line(f"s->mixed &= ~({heap} | {one});")
                self.line(f"if ({heap} & ~{likes}[low1({heap})]) s->mixed |= {heap};")
        if all(self.alike.shared):
            first()
            return
        with self.if_(f"{self.numbers(tuple(map(int, self.alike.shared)))}[{spot}]"):
            first()
        with self.else_():
            self.line(f"s->firsts {'|=' if comes else '&='} {one if comes else f'~{one}'};")

    def _print_change(self, piece: str, spot: str, of: str = "s", needed: set[str] | None = None) -> None:
        """The fingerprints in which a piece on a spot counts; the same when it comes and when it leaves."""
        for i, (first, end) in enumerate(self.prints.kept):
            if needed is not None and f"print{i}" not in needed:
                continue
            inside = f"{spot} < {end}" + (f" && {spot} >= {first}" if first else "")
            if of == "s" and self.unprinted and not self.making_afresh:
                inside = f"!x->trying && {inside}"
            self.line(f"if ({inside}) {of}->print{i} ^= {self._mark(first, end, spot, piece)};")

    def _mark(self, first: int, end: int, spot: str, piece: str) -> str:
        """The number of a piece on a spot in a fingerprint: from a table, where pieces look always the same."""
        rows = tuple(self.program.rows)
        kinds = max(rows, default=0) + 1
        if self.program.piece_state or kinds * (end - first) > MOST_MARKS:
            return f"marked({spot}, looks(s, {piece}))"
        key = ("marks", first, end)
        if key not in self._tables:
            name = self._tables[key] = f"MARKS{len(self._tables)}"
            items = ", ".join(f"0x{mark(at, kind):X}ULL" for at in range(first, end) for kind in range(kinds))
            self.definitions.append(f"static const u64 {name}[] = {{{items}}};")
        at = f"({spot} - {first})" if first else spot
        return f"{self._tables[key]}[{at} * {kinds} + {self.numbers(rows)}[{piece}]]"

    def kept_change(self, piece: str, spot: str, comes: bool, of: str = "s", needed: set[str] | None = None) -> None:
        """A piece leaves or comes to a spot: the sets that tell of it; perhaps only those that are needed."""
        self._print_change(piece, spot, of, needed)
        for i, kept in enumerate(self.absorber.found):
            if (kept.of != "spaces" and kept.state >= 0) or (needed is not None and f"kept{i}" not in needed):
                continue
            inside = f"{spot} < {kept.first + kept.count}" + (f" && {spot} >= {kept.first}" if kept.first else "")
            everything = self.program.roots["piece"].everything
            if kept.kinds != everything:
                inside += f" && {self.op('has', [piece, self.set_const(kept.kinds, self.pieces)], self.pieces)}"
            with self.if_(inside):
                name, value = f"{of}->kept{i}", ""
                if not kept.plain:
                    value = self.temp("v")
                    table = kept.table
                    what = f"{self.numbers(table)}[{piece}]" if table is not None else self.item(kept.state, piece)
                    self.line(f"num {value} = {what};")
                member = piece if kept.of == "pieces" else f"{spot} - {kept.first}" if kept.first else spot
                size = self.size_of(kept)
                if of != "s":  # in a copy, which need not be in memory if every set is named and changed as a whole
                    one = self.op("just", [member], size)
                    for k in range(kept.values):
                        whole = name if kept.plain else f"{name}[{k}]"
                        changed = self.op("union" if comes else "minus", [whole, one], size)
                        test = "" if kept.plain else f"if ({value} == {k}) "
                        self.line(f"{test}{whole} = {changed};")
                    continue
                if not kept.plain:
                    name += f"[{value}]"
                with self.captured() as lines:
                    if comes:
                        self.set_add(name, member, size, True)
                    else:
                        self.set_drop(name, member, size)
                unsure = (kept.table is not None and min(kept.table, default=0) < 0) or (
                    kept.state >= 0 and not self.kinds.slot(kept.state).sure
                )
                if unsure:
                    self.line(f"if ({value} >= 0) {lines[0].strip()}")
                else:
                    self.splice(lines)

    def kept_state(self, base: int, piece: str, comes: bool) -> None:
        """The state of a piece, or of a space, changes: the sets by its value."""
        if base in self.program.piece_state:
            self._print_change(piece, self.simple(self.item(self.program.spots.at, piece)))
        for i, kept in enumerate(self.absorber.found):
            if kept.state != base:
                continue
            value = self.item(base, piece)
            size, name = self.size_of(kept), f"s->kept{i}[{value}]"
            conditions = [] if self.kinds.slot(base).sure else [f"{value} >= 0"]
            member = piece
            if kept.of == "spaces":
                spot = self.item(self.program.spots.at, piece)
                member = f"{spot} - {kept.first}" if kept.first else spot
                conditions.append(f"{spot} >= {kept.first} && {spot} < {kept.first + kept.count}")
            with self.captured() as lines:
                if comes:
                    self.set_add(name, member, size, True)
                else:
                    self.set_drop(name, member, size)
            if conditions:
                self.line(f"if ({' && '.join(conditions)}) {lines[0].strip()}")
            else:
                self.splice(lines)

    def hint_words(self) -> list[int]:
        """How many words of bits tell that a position was never there, where those of most games are too few."""
        fields, histories = self.program.layout.fields, self.prints.histories
        kept = [field.count * field.width for field in fields if field.base in histories]
        words = min(1 << (max(kept, default=0) // POSITIONS_A_WORD).bit_length(), MOST_HINTS)
        return [words] if words > FEWEST_HINTS else []

    def keep_hints(self) -> None:
        for i, base in enumerate(self.prints.histories):
            self.line(f"memset(&s->hints{i}, 0, sizeof s->hints{i});")
            past = self.array(base, "0")
            self.line(f"for (u64 k = 1; k <= *({past}); k++) hint(s->hints{i}, ({past})[k]);")


def _count_calls(node: Any, asked: Counter[C.Formula], seen: set[int]) -> None:
    """In how many places each formula is asked for."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, C.Invoke):
        asked[node.formula] += 1
    if isinstance(node, C.Possible):
        _count_calls(node.choice, asked, seen)
    for part in parts(node):
        _count_calls(part, asked, seen)


def _same_calls(node: Any) -> Iterator[C.Invoke]:
    """Calls within an expression whose arguments are the same whatever its variables are."""
    if isinstance(node, C.Invoke) and all(isinstance(arg, C.Const) or _in_state(arg) for arg in node.args):
        yield node
    for part in parts(node) if node is not None else ():
        yield from _same_calls(part)


def _in_state(node: C.Node) -> bool:
    return isinstance(node, C.Get) and node.slot >= 0


def _looped(node: Any) -> bool:
    return isinstance(node, C.Fold) or any(map(_looped, parts(node)))


def very_dear(node: Any, inside: bool = False, seen: set[tuple[C.Formula, bool]] | None = None) -> bool:
    """Whether working it out means loops in loops, or trying something out; `seen` are formulas found to be cheap."""
    seen = set() if seen is None else seen
    match node:
        case C.Would():
            return True
        case C.Fold():
            if inside:
                return True
            return any(very_dear(part, True, seen) for part in parts(node))
        case C.Invoke(formula=formula):
            if formula.body is not None and (formula, inside) not in seen:
                seen.add((formula, inside))
                if very_dear(formula.body, inside, seen):
                    return True
    return any(very_dear(part, inside, seen) for part in parts(node))
