"""A whole program in C: the state as a struct, pieces, options, one function per procedure, and plays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ruledsl.engine.batch import BOT_STREAM, FOLLOWING, PLAYS, POINTS, SEED_BITS, Shape
from ruledsl.engine.options import BUDGET, DONE, NOTHING, STOP, STRIDE, is_piece, staged
from ruledsl.engine.primitives import mark
from ruledsl.ir import core as C
from ruledsl.ir.core import DRAFT_STEPS, HEADER, STREAMS
from ruledsl.types import NONE, BagOf, ListOf, SetOf, bits

from .c_words import CWords, identifier
from .changes import PIECES, Changes, Reads
from .flow import alone, reached, successors
from .kept import at_start, conjuncts, print_at_start
from .kinds import ANY_NUMBER, SET, Kind, Kinds, a_set, parts
from .writer import Text, remark

MOST_MARKS = 1 << 14  # numbers of a fingerprint in a table
FEW_REMEMBERED = 4  # values that are worth putting back when an effect has been tried out
MOST_REMEMBERED = 256  # arguments, and members of sets, of formulas whose values are kept at hand
MOST_COUNTED = 8  # words of a set that are counted one by one where an option is picked
LIMIT = -9  # what a pick says when no more decisions may be taken
AT_NONE, AT_BOTTOM, AT_TOP = -1000, -1001, -1002
OVER, CHOICE, TOGETHER, DRAFTED, BROKEN = range(5)


class CProgram(CWords):
    """Writes the C file of one program."""

    def __init__(self, program: C.Program) -> None:
        world = program.data["world"]
        scoring = [node for _, node, _ in world.data["scoring"]]
        ties = list(world.data["ties"])
        seen = [node for node in program.spots.seen if node is not None]
        super().__init__(program, Kinds(program, (*scoring, *ties, *seen)))
        self.library: list[str] = []
        self.scoring, self.ties = scoring, ties
        self.lowest = bool(world.data["lowest"])
        procedures = self.kinds.procedures
        self.procedure_names = {p: f"p{i}_{identifier(p.name)}" for i, p in enumerate(procedures)}
        self.alone = alone(program, procedures)
        self.inside = {at for blocks in self.alone.values() for at in blocks}
        self.choices = {i: block.end for i, block in enumerate(program.blocks) if isinstance(block.end, C.Choice)}
        self.shape = Shape(program)
        self._asked: dict[int, str] = {}  # menus asked about by `possible`
        self._pending: list[tuple[str, C.Choice]] = []  # menus whose functions are still to be written
        self._entry_keys: dict[int, str] = {}
        self.hides = program.spots.known >= 0
        self.twins = program.data.get("twins")
        self.current: C.Procedure | None = None
        spots = program.spots
        # Moves between places without order are undone by moving back; all else is copied.
        large = self.pieces + spots.count > 200  # so that copying costs more than going back move by move
        self.journal = (
            large
            and spots.at >= 0
            and not (any(spots.ordered) or self.hides or program.data.get("slots") or spots.growing or spots.turn >= 0)
        )
        self.changes = Changes(program, self.alone)
        self.memos = self._memos()
        self._needs: dict[int, list[C.Node]] = {}
        for choice in self.choices.values():
            for entry in choice.entries:
                self._note_needs(entry)

    # ------------------------------------------------------------------------- formulas that are remembered

    def _memos(self) -> dict[C.Formula, set[int]]:
        """Dear formulas that are asked for in several places, with what they look at.

        Their values stay at hand until something that they look at is changed.
        """
        reads, asked = Reads(self.program, self.alone), Counter[C.Formula]()
        for root in self.kinds.roots:
            _count_calls(root, asked, set())
        often = {call.formula for formula in self.kinds.formulas if formula.slots for call in _same_calls(formula.body)}
        fields = {slot: member.field.kind for slot, (member, _) in self.places.items()}
        found: dict[C.Formula, set[int]] = {}
        tried = self._tried()
        for formula in self.kinds.formulas:
            if asked[formula] < 2 or formula.body is None:
                continue
            if formula in tried and not (formula in often and self._in_trials(formula)):
                continue
            if not _very_dear(formula.body) and not (formula in often and _looped(formula.body)):
                continue
            kind = self.kinds.of(formula.body)
            if kind is None or kind.sort not in ("number", SET) or self.pure.table(formula) is not None:
                continue
            if kind.sort == SET and kind.top > MOST_REMEMBERED:
                continue
            given = [self.kinds.slot(slot) for slot in formula.slots]
            if any(one.sort != "number" or not one.sure for one in given):
                continue
            if math.prod(one.top for one in given) > MOST_REMEMBERED:
                continue
            seen = reads.of(formula.body)
            if seen is None:
                continue
            locals_ = {slot for slot in seen if slot >= 0 and fields[slot] in ("local", "draft", "stream", "history")}
            parameters = {slot for procedure in self.alone for slot in (*procedure.parameters, procedure.back)}
            if locals_ <= parameters:  # those of effects that are tried out
                found[formula] = seen - locals_
        return found

    def _tried(self) -> set[C.Formula]:
        """The formulas that matter where effects are tried out: many values at hand cannot be used there."""
        found: set[C.Formula] = set()
        seen: set[int] = set()
        work: list[tuple[Any, bool]] = [(root, False) for root in self.kinds.roots]
        while work:
            node, trying = work.pop()
            if id(node) in seen and not trying:
                continue
            seen.add(id(node))
            if isinstance(node, C.Invoke) and trying:
                if node.formula in found:
                    continue
                found.add(node.formula)
                work.append((node.formula.body, True))
            if isinstance(node, C.Would):
                work.append((node.condition, True))
                for at in self.alone.get(node.procedure, ()):
                    block = self.program.blocks[at]
                    work += [(op, True) for op in block.ops]
                    work.append((block.end, True))
            work += [(part, trying) for part in parts(node)]
        return found

    def remembered(self, formula: C.Formula) -> bool:
        return formula in self.memos

    def _forget(self, changed: set[int] | None) -> None:
        """Values that are at hand and look at something that was changed are not, any more."""
        for i, seen in enumerate(self.memos.values()):
            if changed is None or changed & seen:
                self.line(f"memset(&s->ready{i}, 0, sizeof s->ready{i});")

    def other_than(self, slots: set[int]) -> None:
        if slots:
            self._forget(slots)

    def _changed(self, op: C.Operation) -> set[int] | None:
        """What an operation changes, each array by its first slot."""
        found = self.changes.operation(op)
        if found is None:
            return None
        return {self.places[slot][0].field.base if slot >= 0 else slot for slot in found} | found

    def _given(self, formula: C.Formula) -> int:
        """How many arguments a remembered formula may have, all of its own taken together."""
        return math.prod(min(self.kinds.slot(slot).top, MOST_REMEMBERED + 1) for slot in formula.slots)

    def _in_trials(self, formula: C.Formula) -> bool:
        """Whether values are remembered while an effect is tried out too: they are few, and put back behind it."""
        return self._given(formula) <= FEW_REMEMBERED

    # ---------------------------------------------------------------------------------------- which blocks

    def _main(self) -> list[int]:
        """The blocks that play may come to, but for those of procedures that are functions of their own."""
        start = [self.program.start]
        if "between" in self.program.data:
            start.append(self.program.data["between"])
        ends = [block.end for block in self.program.blocks]
        return reached(start, lambda at: [*successors(ends[at]), *self._continuations(ends[at])])

    def _continuations(self, end: Any) -> list[int]:
        """Where play goes on after it was asked, and into what asks."""
        match end:
            case C.Choice(entries=entries, stop=stop, stuck=stuck):
                return [*(entry.to for entry in entries), *([stop.to] if stop is not None else []), stuck]
            case C.Together(body=body, then=then):
                return [body, then]
            case C.CallProcedure(procedure=procedure) if procedure not in self.alone:
                return [procedure.entry]
        return []

    # ------------------------------------------------------------------------------------------- the file

    def write(self) -> str:
        functions: list[str] = []
        self._discover()
        for part in (
            self._pieces,
            self._formulas,
            self._options,
            self._procedures,
            self._run,
            self._results,
            self._outside,
        ):
            with self.captured() as lines:
                part()
            functions += lines
        prototypes = sorted(
            {
                line[:-2].replace("static inline", "static").replace("static APART", "static") + ";"
                for line in [*self.library, *functions]
                if line.startswith("static ") and line.endswith(") {")
            }
        )
        support = (Path(__file__).parent / "support.c").read_text(encoding="utf-8")
        name = remark(self.program.name)
        out = [f"/* {name}: made by ruledsl from its rules; not to be changed by hand. */", support]
        out += [f"DEFINE_SET({count}, {'SMALL' if count <= 8 else 'LARGE'})" for count in sorted(self.sizes)]
        out += [f"DEFINE_FIT({one}, {other})" for one, other in sorted(self.fits)]
        kept = [f"    {line}" for line in self._kept_members()]
        for i, formula in enumerate(self.memos):
            count, kind = self._given(formula), self.kinds.of(formula.body)
            form = self.type(kind) if kind is not None else "num"
            name = remark(formula.name)
            kept.append(f"    {self.set_type(count)} ready{i};  /* of which arguments {name} is at hand */")
            kept.append(f"    {form} memo{i}[{count}];")
        out += ["", "typedef struct {", *(f"    {m.declaration()}" for m in self.members), *kept, "} State;", ""]
        out += [*self.definitions, "", *prototypes, "", *self.library, *functions]
        return "\n".join(out) + "\n"

    @contextmanager
    def function(self, head: str) -> Iterator[None]:
        with self.block(f"static {head}"), self.afresh():
            yield
        self.line("")

    # ----------------------------------------------------------------------------------- sets that are kept

    def _discover(self) -> None:
        """Writes everything once to see which sets are asked for, and forgets the text."""
        lines, definitions, tables, library = self.lines, self.definitions, self._tables, self.library
        faults = self.faults, self._faults, self.temps
        self.lines, self.definitions, self._tables, self.library = [], [], {}, []
        self.faults, self._faults = [], {}
        for part in (self._formulas, self._options, self._procedures, self._run, self._results):
            part()
        self.lines, self.definitions, self._tables, self.library = lines, definitions, tables, library
        self.faults, self._faults, self.temps = faults
        self._asked, self.tiles = {}, []

    def _kept_members(self) -> list[str]:
        found = []
        for i, kept in enumerate(self.absorber.found):
            form = self.set_type(self.size_of(kept))
            what = "pieces" if kept.of == "pieces" else "spaces"
            by = "" if kept.plain else " by a value of " + ("pieces" if kept.table is None else "their rows")
            found.append(f"{form} kept{i}{'' if kept.plain else f'[{kept.values}]'};  /* {what}{by} */")
        found += [f"u64 print{i};  /* of what lies on spots {a} to {b - 1} */" for i, (a, b) in enumerate(self.prints)]
        hints = [f"u64 hints{i}[HINTS];  /* of marks that were recorded */" for i in range(len(self.histories))]
        return [*found, *hints]

    def _print_change(self, piece: str, spot: str) -> None:
        """The fingerprints in which a piece on a spot counts; the same when it comes and when it leaves."""
        for i, (first, end) in enumerate(self.prints):
            inside = f"{spot} < {end}" + (f" && {spot} >= {first}" if first else "")
            self.line(f"if ({inside}) s->print{i} ^= {self._mark(first, end, spot, piece)};")

    def _mark(self, first: int, end: int, spot: str, piece: str) -> str:
        """The number of a piece on a spot in a fingerprint: from a table, where pieces look always the same."""
        rows = tuple(self.program.data["rows"])
        kinds = max(rows) + 1
        if self.program.data["piece_state"] or kinds * (end - first) > MOST_MARKS:
            return f"marked({spot}, looks(s, {piece}))"
        key = ("marks", first, end)
        if key not in self._tables:
            name = self._tables[key] = f"MARKS{len(self._tables)}"
            items = ", ".join(f"0x{mark(at, kind):X}ULL" for at in range(first, end) for kind in range(kinds))
            self.definitions.append(f"static const u64 {name}[] = {{{items}}};")
        at = f"({spot} - {first})" if first else spot
        return f"{self._tables[key]}[{at} * {kinds} + {self.numbers(rows)}[{piece}]]"

    def _kept_change(self, piece: str, spot: str, comes: bool) -> None:
        """A piece leaves or comes to a spot: the sets that tell of it."""
        self._print_change(piece, spot)
        for i, kept in enumerate(self.absorber.found):
            if kept.of == "pieces" and kept.state >= 0:
                continue
            inside = f"{spot} < {kept.first + kept.count}" + (f" && {spot} >= {kept.first}" if kept.first else "")
            everything = self.program.roots["piece"].everything
            if kept.kinds != everything:
                inside += f" && {self.set_op('has', [piece, self.set_const(kept.kinds, self.pieces)], self.pieces)}"
            with self.if_(inside):
                name, value = f"s->kept{i}", ""
                if not kept.plain:
                    value = self.temp("v")
                    table = kept.table
                    what = f"{self.numbers(table)}[{piece}]" if table is not None else self.item(kept.state, piece)
                    self.line(f"num {value} = {what};")
                    name += f"[{value}]"
                member = piece if kept.of == "pieces" else f"{spot} - {kept.first}" if kept.first else spot
                size = self.size_of(kept)
                with self.captured() as lines:
                    if comes:
                        self.set_add(name, member, size, True)
                    else:
                        self.set_drop(name, member, size)
                unsure = (kept.table is not None and min(kept.table) < 0) or (
                    kept.state >= 0 and not self.kinds.slot(kept.state).sure
                )
                if unsure:
                    self.line(f"if ({value} >= 0) {lines[0].strip()}")
                else:
                    self.splice(lines)

    def _kept_state(self, base: int, piece: str, comes: bool) -> None:
        """The state of a piece changes: the sets by its value."""
        if base in self.program.data["piece_state"]:
            self._print_change(piece, self.simple(self.item(self.program.spots.at, piece)))
        for i, kept in enumerate(self.absorber.found):
            if kept.state != base:
                continue
            value = self.item(base, piece)
            size, name = self.size_of(kept), f"s->kept{i}[{value}]"
            spot = self.item(self.program.spots.at, piece)
            conditions = [] if self.kinds.slot(base).sure else [f"{value} >= 0"]
            member = piece
            if kept.of == "spaces":
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

    # -------------------------------------------------------------------------------------------- pieces

    def _pieces(self) -> None:
        spots = self.program.spots
        self._memory()
        if spots.at < 0 or not spots.count:
            with self.function("void keep_all(State *s)"):
                self._keep_hints()
            return
        sorts = tuple(
            2 if single else 1 if ordered else 0 for single, ordered in zip(spots.single, spots.ordered, strict=True)
        )
        piles, rows = 1 in sorts, bool(self.program.data.get("slots"))
        sort = self.numbers(sorts)
        form, empty, top = self.set_type(self.pieces), self.set_const(0, self.pieces), self.pieces
        tops, firsts = spots.top, spots.first_place

        def members(spot: str) -> str:
            return self.item(spots.members, f"{spot} - {firsts}")

        walk = (
            f"for (num p = {self.item(spots.bottom, 'spot')}; p >= 0; p = {self.item(spots.over, 'p')})"
            if piles
            else ""
        )
        with self.function(f"{form} lying_set(const State *s, num spot)"):
            self.line(f"if (spot < 0) return {empty};")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"num p = {self.item(tops, 'spot')};")
                self.line(f"return p >= 0 ? {self.set_of('just', ['p'], top)} : {empty};")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line(f"{form} found = {empty};")
                    with self.block(walk):
                        self.set_add("found", "p", top, True)
                    self.line("return found;")
            self.line(f"return {members('spot')};" if spots.members >= 0 else f"return {empty};")
        with self.function("num any_lying(const State *s, num spot)"):
            self.line("if (spot < 0) return 0;")
            self.line(f"if ({sort}[spot]) return {self.item(tops, 'spot')} >= 0;")
            some = self.set_op("unequal", [members("spot"), empty], top) if spots.members >= 0 else "0"
            self.line(f"return {some};")
        with self.function("num count_lying(const State *s, num spot, num most)"):
            self.line("/* How many pieces lie there; if they are more than that, any number of at least so many. */")
            self.line("if (spot < 0) return 0;")
            self.line(f"if ({sort}[spot] == 2) return {self.item(tops, 'spot')} >= 0;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line("num n = 0;")
                    self.line(f"{walk} if (++n >= most) break;")
                    self.line("return n;")
            count = self.set_op("size", [members("spot")], top) if spots.members >= 0 else "0"
            self.line(f"return {count};")
        with self.function("list lying(Context *x, const State *s, num spot)"):
            self.line("list found = list_open(x);")
            self.line("if (spot < 0) return found;")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"num p = {self.item(tops, 'spot')};")
                self.line("if (p >= 0) list_push(x, &found, p);")
                self.line("return found;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line(f"{walk} list_push(x, &found, p);")
                    self.line("return found;")
            if spots.members >= 0:
                if rows:
                    with self.block(f"if ({self._numbered()}[spot])"):
                        with self.loop_set("p", members("spot"), a_set(top)):
                            self.line(f"list_push(x, &found, {self.item(spots.slot, 'p')});")
                            self.line("list_push(x, &found, p);")
                        self.line("return list_sorted(x, found, 1);")
                with self.loop_set("p", members("spot"), a_set(top)):
                    self.line("list_push(x, &found, p);")
            self.line("return found;")
        with self.function(f"list lying_of(Context *x, const State *s, num spot, {form} kinds)"):
            self.line("list all = lying(x, s, spot), found = {0, all.p};")
            with self.block("for (num i = 0; i < all.n; i++)"):
                keep = self.set_op("has", ["all.p[i]", "kinds"], top)
                self.line(f"if ({keep}) ITEMS(found)[found.n++] = all.p[i];")
            self.line("return found;")
        with self.function(f"inline num first_lying(Context *x, const State *s, num spot, {form} kinds)"):
            self.line("if (spot < 0) return -1;")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"num p = {self.item(tops, 'spot')};")
                self.line(f"return p >= 0 && {self.set_op('has', ['p', 'kinds'], top)} ? p : -1;")
            if spots.members >= 0:
                unordered = f"{sort}[spot] == 0" + (f" && !{self._numbered()}[spot]" if rows else "")
                with self.if_(unordered):
                    here = self.set_op("common", [members("spot"), "kinds"], top)
                    self.line(f"return {self.set_op('lowest', [here], top)};")
            self.line("num mark = x->top;")
            self.line("list all = lying(x, s, spot);")
            self.line("x->top = mark;")
            wanted = self.set_op("has", ["all.p[i]", "kinds"], top)
            self.line(f"for (num i = 0; i < all.n; i++) if ({wanted}) return all.p[i];")
            self.line("return -1;")
        with self.function("num any_first(Context *x, const State *s, num spot)"):
            self.line("if (spot < 0) return -1;")
            self.line(f"if ({sort}[spot] == 2) return {self.item(tops, 'spot')};")
            if piles:
                self.line(f"if ({sort}[spot] == 1) return {self.item(spots.bottom, 'spot')};")
            if spots.members >= 0:
                first = f"return {self.set_op('lowest', [members('spot')], top)};"
                self.line(f"if (!{self._numbered()}[spot]) {first}" if rows else first)
            if rows:
                self.line(f"return first_lying(x, s, spot, {self.set_const((1 << top) - 1, top)});")
            elif spots.members < 0:
                self.line("return -1;")
        with self.function("num top_of(Context *x, const State *s, num spot)"):
            self.line("if (spot < 0) return -1;")
            self.line(f"if ({sort}[spot]) return {self.item(tops, 'spot')};")
            self.line("num mark = x->top;")
            self.line("list all = lying(x, s, spot);")
            self.line("x->top = mark;")
            self.line("return list_tail(all, -1);")
        self._knowledge(sort, piles)
        self._moving(sort, piles)

    def _is_single(self, spot: str) -> str:
        """Whether a spot holds at most one piece: mostly those are the spaces of boards, and no others."""
        single, first = self.program.spots.single, self.program.spots.first_place
        if all(single[:first]) and not any(single[first:]):
            return f"{spot} < {first}"
        return f"{self.numbers(tuple(map(int, single)))}[{spot}]"

    def _numbered(self) -> str:
        """Which spots have slots."""
        return self.numbers(tuple(int(i in self.program.data["slots"]) for i in range(self.program.spots.count)))

    def _memory(self) -> None:
        """What a piece looks like, apart from where it is."""
        rows = self.program.data.get("rows") or [0]
        with self.function("u64 looks(const State *s, num piece)"):
            self.line(f"u64 key = (u64){self.numbers(tuple(rows))}[piece];")
            for base in self.program.data["piece_state"]:
                value = self.item(base, "piece")
                if self.kinds.slot(base).sort == SET and "set1" not in self.places[base][0].form:
                    value += ".w[0]"
                self.line(f"key = key * 8191 + (u64){value};")
            self.line("return key;")
        with self.function("num within_or_none(num at, num count)"):
            self.line("return at >= 0 && at < count ? at : -1;")
        with self.function("num steps_away(const int16_t *steps, num count, num at, num way, num times)"):
            self.line("if (way < 0) return -1;")
            self.line("for (; times > 0 && at >= 0; times--) at = steps[at * count + way];")
            self.line("return at;")
        with self.function("list between(Context *x, const int16_t *steps, num count, num a, num b)"):
            self.line("list found = list_open(x);")
            self.line("if (a < 0 || b < 0) return found;")
            with self.block("for (num d = 0; d < count; d++)"):
                self.line("num at = steps[a * count + d];")
                self.line("while (at >= 0 && at != a && at != b) at = steps[at * count + d];")
                self.line("if (at != b || at < 0) continue;")
                self.line(
                    "for (at = steps[a * count + d]; at != b; at = steps[at * count + d]) list_push(x, &found, at);"
                )
                self.line("return found;")
            self.line("return found;")
        with self.function("set1 turned_set(set1 sides, num turn, num count)"):
            self.line("return (sides << turn | sides >> (count - turn)) & below1(count);")
        with self.function("void put_list(Context *x, int32_t *to, list items, num cap, num which)"):
            self.line("if (items.n > cap - 1) fault(x, which, items.n);")
            self.line("memmove(to + 1, items.p, sizeof(int32_t) * (size_t)items.n);")
            self.line("to[0] = (int32_t)items.n;")
            self.line("for (num i = items.n + 1; i < cap; i++) to[i] = 0;")
        with self.function("void put_bag(int32_t *to, list items)"):
            self.line("memmove(to, items.p, sizeof(int32_t) * (size_t)items.n);")
        with self.function("int32_t *row(Context *x)"):
            with self.block("if (x->count == x->room)"):
                self.line("x->room = x->room ? 2 * x->room : 256;")
                self.line("x->rows = realloc(x->rows, sizeof(int32_t) * (size_t)(x->room * x->stride));")
            self.line("return x->rows + x->stride * x->count++;")

    def _knowledge(self, sort: str, piles: bool) -> None:
        spots = self.program.spots
        if not self.hides:
            return
        players = self.program.roots["player"]
        form, everyone = self.set_type(players.size), self.set_const(players.everything, players.size)
        with self.function(f"{form} seers(Context *x, State *s, num spot)"):
            with self.block("switch (spot)"):
                for spot, seen in enumerate(spots.seen):
                    if seen is None:
                        continue
                    with self.block(f"case {spot}:"):
                        self.line(f"return {self.set_text(seen, players.size)};")
            self.line(f"return {everyone};")
        known = self.item(spots.known, "piece")
        with self.function(f"{form} knowers(Context *x, State *s, num piece)"):
            self.line(f"return seers(x, s, {self.item(spots.at, 'piece')}) | {known};")
        tops = tuple(sorted(self.program.data.get("top_seen", ())))
        is_top = self.numbers(tuple(int(i in tops) for i in range(spots.count)))
        pieces = self.set_type(self.pieces)
        with self.function(f"void learn(Context *x, State *s, num piece, num source, num to, num at, {pieces} along)"):
            self.line(f"{form} before = seers(x, s, source), after = seers(x, s, to);")
            if tops:
                self.line(f"if ({is_top}[source] && {self.item(spots.top, 'source')} == piece) before = {everyone};")
                self.line(
                    f"if ({is_top}[to] && (at != {AT_BOTTOM} || {self.item(spots.top, 'to')} < 0)) after = {everyone};"
                )
            self.line(f"{form} lost = {everyone} & ~(before | after);")
            with self.block(f"if (lost && !{sort}[source] && source >= {spots.first_place})"):
                self.line("/* Who sees neither end cannot tell which piece left, unless all go. */")
                members = self.item(spots.members, f"source - {spots.first_place}")
                stay = self.set_op("minus", [members, "along"], self.pieces)
                with (
                    self.if_(self.set_op("unequal", [stay, self.set_const(0, self.pieces)], self.pieces)),
                    self.loop_set("other", members, a_set(self.pieces)),
                ):
                    self.line(f"{self.item(spots.known, 'other')} &= ~lost;")
            self.line(f"show(x, s, {self.set_of('just', ['piece'], self.pieces)}, before | after);")
        ordered = self.numbers(
            tuple(
                int(spots.ordered[i] or spots.single[i] or i in self.program.data.get("slots", {}))
                for i in range(spots.count)
            )
        )
        with self.function(f"void show(Context *x, State *s, {pieces} shown, {form} seats)"):
            self.line("/* Who knew another piece there that looks the same knows of no more than before. */")
            with self.loop_set("piece", "shown", a_set(self.pieces)):
                self.line(f"num spot = {self.item(spots.at, 'piece')};")
                self.line(f"{form} strangers = seats & ~{known};")
                with self.block(f"if (strangers && spot >= {spots.first_place} && !{ordered}[spot])"):
                    self.line("strangers &= ~seers(x, s, spot);")
                    members = self.item(spots.members, f"spot - {spots.first_place}")
                    rest = self.set_op("minus", [members, "shown"], self.pieces)
                    with self.loop_set("other", rest, a_set(self.pieces)):
                        theirs = self.item(spots.known, "other")
                        with self.block(f"if (strangers & {theirs} && looks(s, piece) == looks(s, other))"):
                            self.line(f"{form} both = strangers;")
                            self.line(f"strangers &= ~{theirs};")
                            self.line(f"{theirs} &= ~both;")
                self.line(f"{known} |= seats;")
        shifting = [spot for spot, seen in enumerate(spots.seen) if seen is not None and not isinstance(seen, C.Const)]
        with self.function("void notice(Context *x, State *s)"):
            for spot in shifting:
                with self.block(f"if (any_lying(s, {spot}))"):
                    self.line(f"{form} who = seers(x, s, {spot});")
                    with self.loop_set("piece", f"lying_set(s, {spot})", a_set(self.pieces)):
                        self.line(f"{known} |= who;")
            for spot in tops:
                top = self.item(spots.top, str(spot))
                self.line(f"if ({top} >= 0) {self.item(spots.known, top)} |= {everyone};")
        with self.function("void forget(Context *x, State *s, num spot)"):
            self.line(f"{form} who = seers(x, s, spot);")
            with self.loop_set("piece", "lying_set(s, spot)", a_set(self.pieces)):
                self.line(f"{known} &= who;")
        with self.function("num hidden(Context *x, State *s, num piece)"):
            self.line("return x->seat >= 0 && !(knowers(x, s, piece) >> x->seat & 1);")
        with self.function("list veiled(Context *x, State *s, list pieces)"):
            self.line("/* What the asked player does not know comes last, in an order that says nothing. */")
            first, number, round_ = self.slot(STREAMS), self.slot(C.TURN_NUMBER), self.slot(C.ROUND)
            self.line(f"u64 turn = mixed({first} + (u64){number} * 8191 + (u64){round_});")
            self.line("num n = 0;")
            self.line("list found = list_new(x, pieces.n);")
            self.line("for (num i = 0; i < pieces.n; i++)")
            self.line("    if (!hidden(x, s, pieces.p[i])) ITEMS(found)[n++] = pieces.p[i];")
            self.line("num known = n;")
            with self.block("for (num i = 0; i < pieces.n; i++)"):
                self.line("num piece = pieces.p[i];")
                self.line("if (!hidden(x, s, piece)) continue;")
                self.line("u64 key = mixed(turn ^ (u64)piece * GOLDEN);")
                self.line("num j = n++;")
                self.line("for (; j > known && mixed(turn ^ (u64)found.p[j - 1] * GOLDEN) > key; j--)")
                self.line("    ITEMS(found)[j] = found.p[j - 1];")
                self.line("ITEMS(found)[j] = (int32_t)piece;")
            self.line("return found;")

    def _moving(self, sort: str, piles: bool) -> None:
        spots, data = self.program.spots, self.program.data
        top, empty = self.pieces, self.set_const(0, self.pieces)
        slots, closes = data.get("slots", {}), data.get("closes", {})
        numbered = self.numbers(tuple(slots[i][0] if i in slots else 0 for i in range(spots.count))) if slots else ""
        ways = {"up": 1, "down": 2}
        closing = self.numbers(tuple(ways.get(closes.get(i, ""), 0) for i in range(spots.count))) if slots else ""

        def members(spot: str) -> str:
            return self.item(spots.members, f"{spot} - {spots.first_place}")

        full = self.fault(None, "{piece} cannot go where there is no room left")
        no_slot = self.fault(None, "there is no free slot")

        def slot(piece: str) -> str:
            return self.item(spots.slot, piece)

        for i, board in enumerate(spots.growing):
            near = self.lists(board.near)
            tiles = self.set_const(board.tiles, top)
            tiled, frontier = self.slot(board.tiled), self.slot(board.frontier)
            with self.function(f"void grow{i}(Context *x, State *s, num space)"):
                self.line("/* What a tile that came to a space, or left it, changes there and around. */")
                lies = self.set_op("common", [f"lying_set(s, {board.first} + space)", tiles], top)
                with self.if_(self.set_op("unequal", [lies, self.set_const(0, top)], top)):
                    self.set_add(tiled, "space", board.count, True)
                with self.else_():
                    self.set_drop(tiled, "space", board.count)
                with self.block(f"for (num k = -1; k < {near}[space].n; k++)"):
                    self.line(f"num here = k < 0 ? space : {near}[space].p[k], touching = 0;")
                    self.line(f"list around = {near}[here];")
                    held = self.set_op("has", ["around.p[j]", tiled], board.count)
                    self.line(f"for (num j = 0; j < around.n; j++) touching += {held};")
                    free = self.not_(self.set_op("has", ["here", tiled], board.count))
                    with self.if_(f"{free} && touching >= {board.touching}"):
                        self.set_add(frontier, "here", board.count, True)
                    with self.else_():
                        self.set_drop(frontier, "here", board.count)
        if spots.growing:
            with self.function("void grow(Context *x, State *s, num piece, num spot)"):
                for i, board in enumerate(spots.growing):
                    is_tile = self.set_op("has", ["piece", self.set_const(board.tiles, top)], top)
                    inside = f"spot >= {board.first} && spot < {board.first + board.count}"
                    self.line(f"if ({is_tile} && {inside}) grow{i}(x, s, spot - {board.first});")
        with self.function("inline void take_up(Context *x, State *s, num piece, num spot)"):
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"{self.item(spots.top, 'spot')} = -1;")
                self._kept_change("piece", "spot", False)
                self.line("return;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    self.line(
                        f"num below = {self.item(spots.under, 'piece')}, above = {self.item(spots.over, 'piece')};"
                    )
                    self.line(f"if (below >= 0) {self.item(spots.over, 'below')} = above;")
                    self.line(f"else {self.item(spots.bottom, 'spot')} = above;")
                    self.line(f"if (above >= 0) {self.item(spots.under, 'above')} = below;")
                    self.line(f"else {self.item(spots.top, 'spot')} = below;")
                    self.line(f"{self.item(spots.under, 'piece')} = {self.item(spots.over, 'piece')} = -1;")
                    self.line("return;")
            if spots.members >= 0:
                self.set_drop(members("spot"), "piece", top)
            if slots and spots.members >= 0:
                with self.block(f"if ({numbered}[spot])"):
                    self.line(f"num gap = {slot('piece')};")
                    with self.loop_set("p", members("spot"), a_set(top)):
                        self.line(f"if ({closing}[spot] == 1 && {slot('p')} > gap) {slot('p')}--;")
                        self.line(f"else if ({closing}[spot] == 2 && {slot('p')} < gap) {slot('p')}++;")
                    self.line(f"{slot('piece')} = 0;")
        if slots:
            with self.function("num free_slot(Context *x, State *s, num spot, num at)"):
                self.line("if (at >= 0) return at;")
                self.line("set1 taken = 0;")
                with self.loop_set("p", members("spot"), a_set(top)):
                    self.line(f"taken |= only1({slot('p')});")
                self.line(f"set1 empty = span1(1, {numbered}[spot]) & ~taken;")
                self.line(f"if (!empty) fault(x, {no_slot}, 0);")
                self.line(f"return {closing}[spot] == 2 ? highest1(empty) : lowest1(empty);")
        with self.function("inline void put_down(Context *x, State *s, num piece, num spot, num at)"):
            self.line(f"{self.item(spots.at, 'piece')} = (int16_t)spot;")
            with self.block(f"if ({self._is_single('spot')})"):
                self.line(f"{self.item(spots.top, 'spot')} = (int16_t)piece;")
                self._kept_change("piece", "spot", True)
                self.line("return;")
            if piles:
                with self.block(f"if ({sort}[spot] == 1)"):
                    ends = (
                        (f"if (at == {AT_BOTTOM})", spots.bottom, spots.top, spots.over, spots.under),
                        ("else", spots.top, spots.bottom, spots.under, spots.over),
                    )
                    for condition, one, other, beside, away in ends:
                        with self.block(condition):
                            self.line(f"num next = {self.item(one, 'spot')};")
                            self.line(f"{self.item(beside, 'piece')} = (int16_t)next;")
                            self.line(f"{self.item(away, 'piece')} = -1;")
                            self.line(f"{self.item(one, 'spot')} = (int16_t)piece;")
                            self.line(f"if (next >= 0) {self.item(away, 'next')} = (int16_t)piece;")
                            self.line(f"else {self.item(other, 'spot')} = (int16_t)piece;")
                    self.line("return;")
            if spots.members >= 0:
                if slots:
                    self.line(f"if ({numbered}[spot]) {slot('piece')} = free_slot(x, s, spot, at);")
                self.set_add(members("spot"), "piece", top, True)
        along = f", {self.set_type(top)} along" if self.hides else ""  # the pieces that go there together
        with self.function(f"inline void move(Context *x, State *s, num piece, num to, num at{along})"):
            self.line(f"num source = {self.item(spots.at, 'piece')};")
            self.line(f"if (source == to && at == {AT_NONE}) return;")
            free = self.item(spots.top, "to")
            self.line(f"if ({self._is_single('to')} && {free} >= 0 && source != to) fault(x, {full}, piece);")
            if any(spots.capacity[i] and not spots.single[i] for i in range(spots.count)):
                limits = self.numbers(tuple(spots.capacity))
                self.line(f"num limit = {limits}[to];")
                count = self.set_op("size", ["lying_set(s, to)"], top)
                self.line(f"if (limit && source != to && {count} >= limit) fault(x, {full}, piece);")
            for board in spots.growing:
                far = self.fault(
                    None,
                    f"a tile would lie farther than {board.bound} steps from the middle of `{board.name}`, which is as "
                    "far as it can grow; a `radius:` makes it larger",
                )
                is_tile = self.set_op("has", ["piece", self.set_const(board.tiles, top)], top)
                on_rim = self.set_op(
                    "has", [f"to - {board.first}", self.set_const(board.rim, board.count)], board.count
                )
                inside = f"to >= {board.first} && to < {board.first + board.count}"
                self.line(f"if ({is_tile} && {inside} && {on_rim}) fault(x, {far}, 0);")
            if self.hides:
                self.line("learn(x, s, piece, source, to, at, along);")
            if self.journal:
                with self.block("if (x->trying)"):
                    self.line("if (x->logged == MOST_LOGGED) fault(x, FAULT_LOG, 0);")
                    self.line("x->log[x->logged][0] = (int16_t)piece;")
                    self.line("x->log[x->logged++][1] = (int16_t)source;")
            self.line("take_up(x, s, piece, source);")
            if spots.growing:
                self.line("grow(x, s, piece, source);")
            self.line("put_down(x, s, piece, to, at);")
            if spots.growing:
                self.line("grow(x, s, piece, to);")
        del empty
        if self.journal:
            with self.function("inline void put_back(Context *x, State *s, num logged)"):
                self.line("/* Undoes moves that were tried out, the last first. */")
                with self.block("while (x->logged > logged)"):
                    self.line("num piece = x->log[--x->logged][0];")
                    self.line(f"take_up(x, s, piece, {self.item(spots.at, 'piece')});")
                    self.line(f"put_down(x, s, piece, x->log[x->logged][1], {AT_NONE});")
        with self.function("void keep_all(State *s)"):
            self.line("/* Works the kept sets out afresh. */")
            for i in range(len(self.absorber.found)):
                self.line(f"memset(&s->kept{i}, 0, sizeof s->kept{i});")
            for i in range(len(self.prints)):
                self.line(f"s->print{i} = 0;")
            self._keep_hints()
            if self.absorber.found or self.prints:
                with self.block(f"for (num piece = 0; piece < {self.pieces}; piece++)"):
                    self.line(f"num spot = {self.item(spots.at, 'piece')};")
                    self._kept_change("piece", "spot", True)
                    for base in sorted({k.state for k in self.absorber.found if k.of == "pieces" and k.state >= 0}):
                        for i, kept in enumerate(self.absorber.found):
                            if kept.state == base and kept.of == "pieces":
                                value = self.item(base, "piece")
                                name = f"s->kept{i}[{value}]"
                                self.line(f"if ({value} >= 0) {{")
                                self.set_add(name, "piece", self.size_of(kept), True)
                                self.line("}")
        with self.function("void arrange(State *s, num spot, list order)"):
            if not piles:
                return
            self.line("num below = -1;")
            with self.block("for (num i = 0; i < order.n; i++)"):
                self.line("num piece = order.p[i];")
                self.line(f"{self.item(spots.under, 'piece')} = (int16_t)below;")
                self.line(f"{self.item(spots.over, 'piece')} = i + 1 < order.n ? (int16_t)order.p[i + 1] : -1;")
                self.line("below = piece;")
            self.line(f"{self.item(spots.bottom, 'spot')} = order.n ? (int16_t)order.p[0] : -1;")
            self.line(f"{self.item(spots.top, 'spot')} = (int16_t)below;")

    def _keep_hints(self) -> None:
        for i, base in enumerate(self.histories):
            self.line(f"memset(&s->hints{i}, 0, sizeof s->hints{i});")
            past = self.array(base, "0")
            self.line(f"for (u64 k = 1; k <= *({past}); k++) hint(s->hints{i}, ({past})[k]);")

    def set_drop(self, name: str, value: str, top: int) -> None:
        if self.set_type(top) == "set1":
            self.line(f"{name} &= ~just1({value});")
        else:
            self.line(f"drop{(top + 63) // 64}(&{name}, {value});")

    # ------------------------------------------------------------------------------------------ formulas

    def _formulas(self) -> None:
        for formula in self.kinds.formulas:
            if formula.body is None:
                continue
            kind = self.kind(formula.body)
            given = "".join(f", {self.type(self.kinds.slot(slot))} {self.slot(slot)}" for slot in formula.slots)
            name = self.formula_names[formula]
            if formula in self.memos:
                self._remembering(formula, kind, given)
                name += "_now"
            with self.function(f"{self.type(kind)} {name}(Context *x, State *s{given})"):
                with self.captured() as lines:
                    text = self.as_kind(formula.body, kind)
                if kind.sort != "list" and any("list" in line or "lying" in line for line in [*lines, text]):
                    self.line("num mark = x->top;")
                    self.splice(lines)
                    self.line(f"{self.type(kind)} result = {text};")
                    self.line("x->top = mark;")
                    self.line("return result;")
                else:
                    self.splice(lines)
                    self.line(f"return {text};")

    def _remembering(self, formula: C.Formula, kind: Kind, given: str) -> None:
        """A formula whose value is looked up if it is at hand. What is only tried out is not remembered."""
        i, count, name = list(self.memos).index(formula), self._given(formula), self.formula_names[formula]
        at = ""
        for slot in formula.slots:
            at = f"({at}) * {self.kinds.slot(slot).top} + {self.slot(slot)}" if at else self.slot(slot)
        at = at or "0"
        args = "".join(f", {self.slot(slot)}" for slot in formula.slots)
        with self.function(f"inline {self.type(kind)} {name}(Context *x, State *s{given})"):
            if not self._in_trials(formula):
                self.line(f"if (x->trying) return {name}_now(x, s{args});")
            ready = self.set_op("has", [at, f"s->ready{i}"], count)
            with self.if_(self.not_(ready)):
                self.line(f"s->memo{i}[{at}] = {name}_now(x, s{args});")
                self.set_add(f"s->ready{i}", at, count, True)
            self.line(f"return s->memo{i}[{at}];")

    # ------------------------------------------------------------------------------------------- options

    def _options(self) -> None:
        done: set[int] = set()
        for at, choice in self.choices.items():
            self._choice(at, choice)
            done.add(id(choice))
        while self._pending:
            key, choice = self._pending.pop()
            self._choice_parts(key, choice)

    def possible(self, node: C.Possible) -> str:
        """Asks a menu whether it has an option."""
        choice = node.choice
        key = next((str(at) for at, known in self.choices.items() if known is choice), None)
        if key is None:
            key = self._asked.get(id(choice))
            if key is None:
                key = self._asked[id(choice)] = f"asked{len(self._asked)}"
                self._later.append((key, choice))
        return f"possible_{key}(x, s)"

    @property
    def _later(self) -> list[tuple[str, C.Choice]]:
        return self._pending

    def stride(self, choice: C.Choice) -> int:
        return 1 + max([1, *(len(entry.variables) for entry in choice.entries)])

    def _choice(self, at: int, choice: C.Choice) -> None:
        self._choice_parts(str(at), choice)
        with self.function(f"void options_{at}(Context *x, State *s, num seat)"):
            self.line("x->seat = seat;")
            self.line("x->count = 0;")
            if choice.stage is not None:
                stage = self.slot(choice.stage)
                with self.block(f"if ({stage})"):
                    with self.block(f"switch ({stage} - 1)"):
                        for number, entry in enumerate(choice.entries):
                            if not staged(entry):
                                continue
                            for position in range(len(entry.variables)):
                                if self._starts_step(entry, position):
                                    case = number * STRIDE + position
                                    self.line(f"case {case}: steps_{at}_{number}_{position}(x, s); break;")
                    self.line("return;")
            plain = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is None]
            free = [(n, e) for n, e in enumerate(choice.entries) if e.anytime is not None]
            for number, entry in plain:
                self._list_entry(str(at), number, entry)
            if free:
                self.line("num found = x->count;")
                for number, entry in free:
                    assert entry.anytime is not None
                    with self.if_(self.truth(entry.anytime)):
                        self._list_entry(str(at), number, entry)
                self.line("num free = x->count - found;")
            some = "1" if choice.always else "x->count"
            if choice.stop is not None:
                with self.captured() as lines:
                    opened = self._opened(choice.stop)
                self.line("num stop = 0;")
                with self.if_(some):
                    self.splice(lines, 1)
                    self.assign("stop", opened)
                with self.block("if (stop)"):
                    self.line("int32_t *r = row(x);")
                    if free:
                        self.line("r = x->rows + x->stride * found;")
                        self.line("memmove(r + x->stride, r, sizeof(int32_t) * (size_t)(free * x->stride));")
                    self.line(f"r[0] = {STOP};")
                tail = "else "
            else:
                tail = ""
            if free:
                self.line(f"{tail}if (free && !found) row(x)[0] = {NOTHING};")

    @property
    def widest(self) -> int:
        return max([2, *(self.stride(choice) for choice in self.choices.values())])

    def _opened(self, entry: C.Entry) -> str:
        return self._connected(entry.when, True) if entry.when else "1"

    def _starts_step(self, entry: C.Entry, position: int) -> bool:
        """Whether a choice may stop before this variable."""
        at = 0
        while at < len(entry.variables):
            if at == position:
                return True
            at = self._run_end(entry, at)
        return False

    def _run_end(self, entry: C.Entry, position: int) -> int:
        """Where the step that begins at a position ends (see `engine.options`)."""
        if entry.stepwise or entry.variables[position].fewest is not None:
            return position + 1
        end = position
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def _list_entry(self, key: str, number: int, entry: C.Entry) -> None:
        with self.if_(self._opened(entry)):
            if staged(entry):
                self.line(f"steps_{key}_{number}_0(x, s);")
                return
            last = len(entry.variables)
            self._tuples(entry, 0, last, lambda: self._push(number, entry.variables))
            self._reset(entry.variables)

    def _reset(self, variables: tuple[C.Variable, ...]) -> None:
        for variable in variables:
            self.assign(self.slot(variable.slot), self.zero(variable.slot))

    def zero(self, slot: int) -> str:
        kind = self.kinds.slot(slot)
        return self.set_const(0, kind.top) if kind.sort == SET else "0"

    def _push(self, number: int, variables: tuple[C.Variable, ...]) -> None:
        self.line("int32_t *r = row(x);")
        self.line(f"r[0] = {number};")
        for i, variable in enumerate(variables, 1):
            self.line(f"r[{i}] = (int32_t){self.slot(variable.slot)};")

    def _tuples(self, entry: C.Entry, first: int, last: int, do: Callable[[], None]) -> None:
        """Loops over the values of the variables from `first` up to `last`; `do` if the rest can be completed."""
        if first == last:
            if last == len(entry.variables):
                condition = self._connected(entry.where, True) if entry.where else "1"
            else:
                condition = f"completable_{self._entry_key(entry)}_{last}(x, s)"
            if condition == "1":
                do()
            else:
                with self.if_(condition):
                    do()
            return
        with self._ahead(entry.variables[first:last]), self.values(entry.variables[first]):
            self._tuples(entry, first + 1, last, do)

    @contextmanager
    def _ahead(self, variables: tuple[C.Variable, ...]) -> Iterator[None]:
        """Works out before a loop what later variables run over, where it does not depend on the ones before."""
        before: list[int] = []
        mine: list[int] = []
        for variable in variables:
            domain = variable.each.domain[0]
            plain = isinstance(domain, C.Const | C.Get | C.Look) or variable.each.form != "set"
            if before and not plain and id(domain) not in self.kept_values and self.absorber.safe(domain):
                if not any(self.absorber.uses(domain, slot) for slot in before):
                    text, kind = self.value(domain)
                    self.kept_values[id(domain)] = self.held(text, kind), kind
                    mine.append(id(domain))
            before.append(variable.slot)
        yield
        for key in mine:
            del self.kept_values[key]

    @contextmanager
    def values(self, variable: C.Variable) -> Iterator[None]:
        """Loops over the values of a variable; of pieces that nothing tells apart only the first is taken."""
        name, piece = self.slot(variable.slot), is_piece(variable)
        alone = bool(self._needs_of(variable))  # on a space that holds no other
        twins = piece and self.twins is not None and not alone
        same, count = self.temp("same"), self.temp("n")
        alike = twins and self._alike(variable.each.domain[0])
        spots = self.program.spots
        here, met = self.temp("here"), self.temp("met")  # where pieces were met already
        if twins:
            self.declare(a_set(spots.count), met, self.set_const(0, spots.count))
            if not alike:
                self.line(f"int32_t {same}[{self.pieces}];")
                self.line(f"num {count} = 0;")
        with self._domain(variable, name, piece) as left:
            if twins:
                self.line(f"num {here} = {self.item(spots.at, name)};")
                known = self.set_op("has", [here, met], spots.count)
                if alike:
                    first = self.both([known, f"!{self._ordered()}[{here}]"])
                else:
                    first = self.both([known, f"is_twin(x, s, {same}, {count}, {name})"])
                with self.tidy(), self.if_(self.not_(first)), self.where(left):
                    self.set_add(met, here, spots.count, True)
                    if not alike:
                        self.line(f"{same}[{count}++] = {name};")
                    yield
            else:
                with self.tidy(), self.where(left):
                    yield

    def _ordered(self) -> str:
        """Places where pieces lie in an order that tells them apart."""
        spots = self.program.spots
        return self.numbers(tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered)))

    def _alike(self, domain: C.Node) -> bool:
        """Whether nothing but where they are tells the pieces of a domain apart."""
        if self.hides or self.program.spots.slot >= 0 or self.program.data["piece_state"]:
            return False
        match domain:
            case C.Const(value=value):
                sets = [int(value)]
            case C.Look(table=table, none=none):
                sets = [int(value) for value in (*table, none) if not isinstance(value, tuple)]
            case _:
                return False
        rows = self.program.data.get("rows") or [0]
        return all(len({rows[piece] for piece in bits(one)}) < 2 for one in sets if one >= 0)

    @contextmanager
    def _domain(self, variable: C.Variable, name: str, piece: bool) -> Iterator[list[C.Node]]:
        """Loops over a variable's domain; gives the conditions on it that are left to be tested."""
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        if each.form == "set" and not (piece and self.hides):
            conditions = [*self._needs_of(variable), *conjuncts(variable.where)]
            found, left = self.absorber.absorb(variable.slot, conditions)
            if found:
                text, kind = self.narrow(each, found)
                with self.loop_set(name, text, kind), self.afresh():
                    yield left
                return
        if piece and self.hides:
            if each.form == "list":
                values = self.list_text(each.domain[0])
            else:
                top = self.top_of(each.domain[0])
                values = self.set_op("members", [self.set_text(each.domain[0], top)], top)
            with self.loop_list(name, f"veiled(x, s, {values})"), self.afresh():
                yield conjuncts(variable.where)
        else:
            with self.loop(each), self.afresh():
                yield conjuncts(variable.where)

    def _needs_of(self, variable: C.Variable) -> list[C.Node]:
        return self._needs.get(id(variable), [])

    def _note_needs(self, entry: C.Entry) -> None:
        """What must hold of pieces because of the variables and conditions that come after them."""
        if self.hides or not self.absorber.single:
            return
        later: list[C.Node] = list(entry.where)
        safe = True
        for variable in reversed(entry.variables):
            conditions = [*conjuncts(variable.where), *later]
            domain, single = variable.each.domain, variable.fewest is None and variable.each.form == "set"
            safe = safe and all(map(self.absorber.safe, conditions))
            if safe and single and is_piece(variable):
                each = C.Each(variable.slot, "set", domain)
                self._needs[id(variable)] = self.needed(each, conditions)
            safe = safe and all(map(self.absorber.safe, domain))
            later = [C.Op("unequal", (domain[0], C.Const(0))), *conditions] if single else []

    def _entry_key(self, entry: C.Entry) -> str:
        return self._entry_keys[id(entry)]

    def _choice_parts(self, key: str, choice: C.Choice) -> None:
        """The functions of the steps of a menu, and whether it has an option."""
        for number, entry in enumerate(choice.entries):
            self._entry_keys[id(entry)] = f"{key}_{number}"
            if staged(entry):
                for position in range(len(entry.variables)):
                    self._completing(f"{key}_{number}", entry, position)
                self._complete_at_end(f"{key}_{number}", entry)
                for position in range(len(entry.variables)):
                    if self._starts_step(entry, position):
                        self._steps(f"{key}_{number}", number, entry, position)
        with self.function(f"num possible_{key}(Context *x, State *s)"):
            self.line("num mark = x->top;")
            for number, entry in enumerate(choice.entries):
                if entry.anytime is not None:
                    continue
                with self.if_(self._opened(entry)):
                    if staged(entry):
                        self.line("Context kept = *x;")
                        self.line("x->rows = 0;")
                        self.line("x->count = x->room = 0;")
                        self.line(f"steps_{key}_{number}_0(x, s);")
                        self.line("num some = x->count > 0;")
                        self.line("free(x->rows);")
                        self.line("x->rows = kept.rows, x->count = kept.count, x->room = kept.room;")
                        self.line("if (some) return x->top = mark, 1;")
                        continue

                    def found(entry: C.Entry = entry) -> None:
                        self._reset(entry.variables)
                        self.line("return x->top = mark, 1;")

                    self._tuples(entry, 0, len(entry.variables), found)
                    self._reset(entry.variables)
            self.line("x->top = mark;")
            self.line("return 0;")

    def _steps(self, key: str, number: int, entry: C.Entry, position: int) -> None:
        variable = entry.variables[position]
        with self.function(f"void steps_{key}_{position}(Context *x, State *s)"):
            if variable.fewest is None:
                end = self._run_end(entry, position)
                variables = entry.variables[position:end]
                self._tuples(entry, position, end, lambda: self._push(number, variables))
                self._reset(variables)
                return
            self.line("x->tries = 0;")
            self.line(f"list values = elements_{key}_{position}(x, s);")
            with self.block("for (num i = 0; i < values.n; i++)"):
                self.line("num value = values.p[i];")
                self._with_element(
                    variable, "value", lambda: self.line(f"num fits = {self._fits(key, entry, position)};")
                )
                with self.block("if (fits)"):
                    self.line("int32_t *r = row(x);")
                    self.line(f"r[0] = {number};")
                    self.line("r[1] = (int32_t)value;")
            with self.block(f"if (full_{key}_{position}(x, s))"):
                self.line("int32_t *r = row(x);")
                self.line(f"r[0] = {DONE};")
                self.line(f"r[1] = {number};")

    def _fits(self, key: str, entry: C.Entry, position: int) -> str:
        goes_on = f"set_completable_{key}_{position}(x, s)"
        if entry.so_far is None:
            return goes_on
        return self.both([self.truth(entry.so_far), goes_on])

    def _with_element(self, variable: C.Variable, value: str, do: Callable[[], None]) -> None:
        """Puts an element into a set begun, does something, and takes it out."""
        slot, name = variable.slot, self.slot(variable.slot)
        match variable.type:
            case SetOf():
                kind = self.kinds.slot(slot)
                self.line(f"{self.type(kind)} kept = {name};")
                self.set_add(name, value, kind.top, True)
                do()
                self.line(f"{name} = kept;")
            case BagOf():
                self.line(f"{self.item(slot, value)}++;")
                do()
                self.line(f"{self.item(slot, value)}--;")
            case _:
                items = self.array(slot, "0")
                self.line(f"int32_t *items = {items};")
                self.line(f"items[++items[0]] = (int32_t){value};")
                do()
                self.line("items[items[0]--] = 0;")

    def _size(self, variable: C.Variable) -> str:
        match variable.type:
            case SetOf():
                top = self.kinds.slot(variable.slot).top
                return self.set_op("size", [self.slot(variable.slot)], top)
            case BagOf(root=root):
                return f"list_total({self.several(variable.slot, root.size, None, False)})"
        return f"(num){self.slot(variable.slot)}"

    def _completing(self, key: str, entry: C.Entry, position: int) -> None:
        """Whether values remain for the variables from a position on."""
        variable = entry.variables[position]
        if variable.fewest is None:
            with self.function(f"num completable_{key}_{position}(Context *x, State *s)"):
                self.line(f"num kept_value = {self.slot(variable.slot)};")
                with self.values(variable), self.if_(f"completable_{key}_{position + 1}(x, s)"):
                    self.line(f"{self.slot(variable.slot)} = kept_value;")
                    self.line("return 1;")
                self.line(f"{self.slot(variable.slot)} = kept_value;")
                self.line("return 0;")
            return
        with self.function(f"num completable_{key}_{position}(Context *x, State *s)"):
            self.line("x->tries = 0;")
            self.line(f"return set_completable_{key}_{position}(x, s);")
        with self.function(f"num full_{key}_{position}(Context *x, State *s)"):
            self.line(f"num size = {self._size(variable)};")
            self.line(f"if (size < {self.number(variable.fewest)}) return 0;")
            if variable.most is not None:
                self.line(f"if (size > {self.number(variable.most)}) return 0;")
            self.line(f"return completable_{key}_{position + 1}(x, s);")
        with self.function(f"num set_completable_{key}_{position}(Context *x, State *s)"):
            self.line(f"if (++x->tries > {BUDGET} || full_{key}_{position}(x, s)) return 1;")
            self.line("num mark = x->top;")
            self.line(f"list values = elements_{key}_{position}(x, s);")
            with self.block("for (num i = 0; i < values.n; i++)"):
                self.line("num value = values.p[i];")
                self._with_element(
                    variable, "value", lambda: self.line(f"num fits = {self._fits(key, entry, position)};")
                )
                self.line("if (fits) return x->top = mark, 1;")
            self.line("x->top = mark;")
            self.line("return 0;")
        self._elements(key, variable, position)

    def _complete_at_end(self, key: str, entry: C.Entry) -> None:
        with self.function(f"num completable_{key}_{len(entry.variables)}(Context *x, State *s)"):
            self.line(f"return {self._connected(entry.where, True) if entry.where else '1'};")

    def _elements(self, key: str, variable: C.Variable, position: int) -> None:
        """What may be added to a set begun: in increasing order, so that each set comes once."""
        slot = variable.slot
        with self.function(f"list elements_{key}_{position}(Context *x, State *s)"):
            if variable.most is not None:
                self.line(f"if ({self._size(variable)} >= {self.number(variable.most)}) return (list){{0, 0}};")
            if isinstance(variable.type, BagOf):
                self.line(f"list bag = {self.list_text(variable.each.domain[0])};")
                self.line(f"list partial = {self.several(slot, variable.type.root.size, None, False)};")
                self.line("num last = 0;")
                self.line("for (num i = 0; i < partial.n; i++) if (partial.p[i]) last = i;")
                self.line("list found = list_open(x);")
                self.line("for (num i = last; i < bag.n; i++) if (bag.p[i] > partial.p[i]) list_push(x, &found, i);")
                self.line("return found;")
                return
            self.line("list all = list_open(x);")
            scratch = self.slot(variable.each.slot)
            with self.loop(variable.each):
                if variable.where is None:
                    self.line(f"list_push(x, &all, {scratch});")
                else:
                    with self.if_(self.truth(variable.where)):
                        self.line(f"list_push(x, &all, {scratch});")
            if self.hides and is_piece(variable):
                self.line("all = veiled(x, s, all);")
            if variable.ordered:
                chosen = self.several(slot, 0, None, True)
                self.line(f"return list_without(x, all, {chosen});")
                return
            top = self.kinds.slot(slot).top
            inside = self.set_op("has", ["all.p[i]", self.slot(slot)], top)
            self.line("num last = -1;")
            self.line(f"for (num i = 0; i < all.n; i++) if ({inside}) last = i;")
            self.line("list found = list_open(x);")
            twins = is_piece(variable) and self.twins is not None
            if twins:
                self.line(f"int32_t same[{self.pieces}];")
                self.line("num n = 0;")
            with self.block("for (num i = 0; i < all.n; i++)"):
                self.line(f"if ({inside}) continue;")
                if twins:
                    self.line("if (is_twin(x, s, same, n, all.p[i])) continue;")
                    self.line("same[n++] = all.p[i];")
                self.line("if (i > last) list_push(x, &found, all.p[i]);")
            self.line("return found;")

    # ---------------------------------------------------------------------------------------- operations

    def operation(self, op: C.Operation) -> None:
        with self.captured() as lines, self.afresh():
            self._operation(op)
            if self.memos and not isinstance(op, C.Say):
                self._forget(self._changed(op))
        if not lines:
            return
        if len(lines) == 1:
            self.splice(lines)
            return
        self.line("{")
        self.splice(lines, 1)
        self.line("}")

    def _operation(self, op: C.Operation) -> None:
        match op:
            case C.Put(base=base, index=None, value=node):
                if base in self.places:
                    self.assign(self.slot(base), self._stored(node, base))
                else:
                    raise AssertionError("variables are bound, not put")
            case C.Put(base=base, index=at, value=node, span=span):
                assert at is not None
                value = self.held(self._stored(node, base), self.kinds.slot(base))
                index = self._index(at, span)
                told = self.prints and base in self.program.data["piece_state"]
                if told or any(kept.state == base for kept in self.absorber.found):
                    index = self.simple(index)
                    self._kept_state(base, index, False)
                    self.assign(self.item(base, index), value)
                    self._kept_state(base, index, True)
                else:
                    self.assign(self.item(base, index), value)
            case C.PutSeveral() if self._changes_one(op):
                pass
            case C.PutSeveral(base=base, index=at, count=count, value=node, is_list=is_list, span=span):
                value = self.held(self.list_text(node), Kind("list"))
                to = self.array(base, f"{self.number(at)} * {count}" if at is not None else "0")
                if is_list:
                    self.line(f"put_list(x, {to}, {value}, {count}, {self.too_long(count, span)});")
                else:
                    self.line(f"put_bag({to}, {value});")
            case C.Zero(slots=slots):
                for slot in slots:
                    self.assign(self.slot(slot), self.zero(slot))
            case C.Move():
                self._move(op)
            case C.Act(name=name):
                getattr(self, "act_" + name)(op)
            case C.Say():
                pass

    def _changes_one(self, op: C.PutSeveral) -> bool:
        """A bag to which so many of one sort are added, or from which they are taken: one number changes."""
        match op:
            case C.PutSeveral(
                base=base,
                index=None,
                is_list=False,
                value=C.Op(
                    name="bag_add" | "bag_subtract" as name,
                    args=(C.Several(base=of, index=None, is_list=False), C.Op(name="bag_of", args=(which, many, _))),
                ),
            ) if of == base:
                kind = self.kind(which)
                if kind.top > op.count:
                    return False
                many_, which_ = self.held(self.number(many), ANY_NUMBER), self.simple(self.number(which))
                change = f"{self.item(base, which_)} {'+' if name == 'bag_add' else '-'}= {many_};"
                self.line(change if kind.sure else f"if ({which_} >= 0) {change}")
                return True
        return False

    def _stored(self, node: C.Node, base: int) -> str:
        return self.as_kind(node, self.kinds.slot(base))

    def _index(self, at: C.Node, span: Any) -> str:
        text, kind = self.value(at)
        if kind.sure:
            return text
        text = self.simple(text)
        self.line(f"if ({text} < 0) fault(x, {self.fault(span, 'none has nothing that could be set')}, 0);")
        return text

    def _moved(self, piece: str, to: object, at: object = AT_NONE, along: str = "") -> str:
        """Moves a piece, perhaps with others."""
        if not self.hides:
            return f"move(x, s, {piece}, {to}, {at});"
        return f"move(x, s, {piece}, {to}, {at}, {along or self.set_of('just', [piece], self.pieces)});"

    def _move(self, op: C.Move) -> None:
        turn, along = self.program.spots.turn, ""
        pieces, found = self.value(op.pieces)
        if op.form == "one":
            pieces = self.held(pieces, ANY_NUMBER)
            if not found.sure:
                self.line(f"if ({pieces} < 0) fault(x, {self.fault(op.span, 'there is no piece to move')}, 0);")
        elif op.form == "set":
            pieces = along = self.held(self.as_set(pieces, found, self.pieces), a_set(self.pieces))
        else:
            pieces = self.held(pieces, Kind("list"))
            if self.hides:
                along = self.held(self.set_of("collect", [pieces], self.pieces), a_set(self.pieces))
        spot, to = self.value(op.to)
        spot = self.held(spot, ANY_NUMBER)
        if not to.sure:
            self.line(f"if ({spot} < 0) fault(x, {self.fault(op.span, 'there is nowhere to move to')}, 0);")
        if op.at is None:
            at = str(AT_NONE)
        elif isinstance(op.at, str):
            at = str(AT_BOTTOM if op.at == "bottom" else AT_TOP)
        else:
            at = self.held(self.number(op.at), ANY_NUMBER)

        def each(piece: str) -> None:
            self.line(self._moved(piece, spot, at, along))
            if turn >= 0:
                self.assign(self.item(turn, piece), self.number(op.turned) if op.turned is not None else "0")

        if op.form == "one":
            each(pieces)
        elif op.form == "set":
            with self.loop_set("piece", pieces, a_set(self.pieces)):
                each("piece")
        else:
            with self.loop_list("piece", pieces):
                each("piece")

    def act_remove(self, op: C.Act) -> None:
        gone = self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces))
        with self.loop_set("piece", gone, a_set(self.pieces)):
            self.line(self._moved("piece", self.program.spots.box, along=gone))

    def act_home(self, op: C.Act) -> None:
        home, piles = self.program.data["home"], self.program.data["piles"]
        with self.loop_set(
            "piece", self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces)), a_set(self.pieces)
        ):
            table = self.numbers(tuple(home))
            bottom = self.numbers(tuple(AT_BOTTOM if spot in piles else AT_NONE for spot in home))
            self.line(self._moved("piece", f"{table}[piece]", f"{bottom}[piece]"))

    def act_draw(self, op: C.Act) -> None:
        count = self.held(self.number(op.args[0]), ANY_NUMBER)
        with self.block(f"for (num i = 0; i < {count}; i++)"):
            self.line(f"num piece = top_of(x, s, {self.number(op.args[1])});")
            self.line("if (piece < 0) break;")
            self.line(self._moved("piece", self.number(op.args[2])))

    def act_deal(self, op: C.Act) -> None:
        count, dry = self.held(self.number(op.args[0]), ANY_NUMBER), self.temp("dry")
        self.line(f"num {dry} = 0;")
        with (
            self.block(f"for (num i = 0; i < {count} && !{dry}; i++)"),
            self.loop_list("place", self.list_text(op.args[2])),
        ):
            self.line(f"num piece = top_of(x, s, {self.number(op.args[1])});")
            with self.block("if (piece < 0)"):
                self.line(f"{dry} = 1;")
                self.line("break;")
            self.line(self._moved("piece", "place"))

    def act_swap_pieces(self, op: C.Act) -> None:
        a, b = (self.held(self.number(arg), ANY_NUMBER) for arg in op.args)
        self.line(f"if ({a} < 0 || {b} < 0) fault(x, {self.fault(op.span, 'there is no piece to swap')}, 0);")
        at, box = self.program.spots.at, self.program.spots.box
        self.line(f"num here = {self.item(at, a)}, there = {self.item(at, b)};")
        self.line(self._moved(a, box))
        self.line(self._moved(b, "here"))
        self.line(self._moved(a, "there"))

    def act_swap_contents(self, op: C.Act) -> None:
        a, b = (self.held(self.number(arg), ANY_NUMBER) for arg in op.args)
        self.line(f"if ({a} < 0 || {b} < 0) fault(x, {self.fault(op.span, 'there is nothing to swap with')}, 0);")
        box, known = self.program.spots.box, self.program.spots.known
        with self.block(f"if ({a} != {b})"):
            self.line(f"list first = lying(x, s, {a}), second = lying(x, s, {b}), both = list_join(x, first, second);")
            if known >= 0:
                form = self.type(self.kinds.slot(known))
                self.line(f"{form} kept[{self.pieces}], seen = seers(x, s, {a}) | seers(x, s, {b});")
                self.line(f"for (num i = 0; i < both.n; i++) kept[i] = {self.item(known, 'both.p[i]')};")
            self.line(f"for (num i = 0; i < both.n; i++) {self._moved('both.p[i]', box)}")
            self.line(f"for (num i = 0; i < first.n; i++) {self._moved('first.p[i]', b)}")
            self.line(f"for (num i = 0; i < second.n; i++) {self._moved('second.p[i]', a)}")
            if known >= 0:
                self.line(f"for (num i = 0; i < both.n; i++) {self.item(known, 'both.p[i]')} = kept[i] | seen;")

    def act_transfer(self, op: C.Act) -> None:
        from_base, to_base, size, short = op.data
        wanted = self.held(self.list_text(op.args[0]), Kind("list"))
        source = self.held(self.number(op.args[1]), ANY_NUMBER)
        target = self.held(self.number(op.args[2]), ANY_NUMBER)
        negative = self.fault(op.span, "a negative number of tokens cannot change hands")
        with self.block(f"for (num kind = 0; kind < {wanted}.n; kind++)"):
            self.line(f"num n = {wanted}.p[kind];")
            self.line("if (n == 0) continue;")
            self.line(f"if (n < 0) fault(x, {negative}, 0);")
            if from_base >= 0:
                held = self.item(from_base, f"{source} * {size} + kind")
                with self.block(f"if ({held} < n)"):
                    if short == "clip":
                        self.line(f"n = {held};")
                    else:
                        self.line(f"fault(x, {self.fault(op.span, short)}, 0);")
                self.line(f"{held} -= n;")
            if to_base >= 0:
                self.line(f"{self.item(to_base, f'{target} * {size} + kind')} += n;")

    def act_reveal(self, op: C.Act) -> None:
        known = self.program.spots.known
        if known < 0:
            return
        kind = self.kinds.slot(known)
        pieces = self.held(self.set_text(op.args[0], self.pieces), a_set(self.pieces))
        who = self.held(self.set_text(op.args[1], kind.top), kind)
        self.line(f"show(x, s, {pieces}, {who});")

    def act_copy_start(self, op: C.Act) -> None:
        base, count = op.data
        values = self.program.data["template"][base : base + count]
        for slot in range(base, base + count):
            kind = self.kinds.slot(slot)
            value = values[slot - base]
            self.assign(self.slot(slot), self.set_const(value, kind.top) if kind.sort == SET else str(int(value)))
        told = self.prints and any(base <= state < base + count for state in self.program.data["piece_state"])
        if told or any(base <= kept.state < base + count for kept in self.absorber.found):
            self.line("keep_all(s);")

    def act_count_up(self, op: C.Act) -> None:
        (slot,) = op.data
        limit = self.held(self.number(op.args[0]), ANY_NUMBER)
        which = self.fault(op.span, "this loop ran {} times, which is the most it may")
        self.line(f"if ({self.slot(slot)} >= {limit}) fault(x, {which}, {limit});")
        self.line(f"{self.slot(slot)}++;")

    def act_advance(self, op: C.Act) -> None:
        order, place, forced = (self.slot(slot) for slot in op.data)
        which = self.fault(op.span, "the player named with `next_turn` takes no part in these turns")
        with self.block(f"if ({forced})"):
            self.line(f"num at = list_find({self.several(op.data[0], 0, None, True)}, {forced} - 1);")
            self.line(f"if (at < 0) fault(x, {which}, 0);")
            self.line(f"{place} = at;")
            self.line(f"{forced} = 0;")
        self.line(f"else {place} = {place} + 1 < {order} ? {place} + 1 : 0;")

    def act_mark(self, op: C.Act) -> None:
        pass

    def act_record(self, op: C.Act) -> None:
        base, keep = op.data
        items = self.array(base, "0")
        self.line(f"u64 *past = {items}, now = {self.number(op.args[0])};")
        with self.block(f"if (past[0] == {keep})"):
            self.line(f"memmove(past + 1, past + 2, sizeof(u64) * {keep - 1});")
            self.line("past[0]--;")
        self.line("past[++past[0]] = now;")
        if base in self.histories:
            self.line(f"hint(s->hints{self.histories.index(base)}, now);")

    # --------------------------------------------------------------------------------------- procedures

    def changed_by(self, procedure: C.Procedure) -> list[tuple[str, str, int]] | None:
        changes = self.changes.of(procedure)
        if changes is None:
            return None
        if self.journal and PIECES in changes:
            changes = changes - self.changes.pieces()
            if any(slot in changes for slot in self.program.data["piece_state"]):
                return None  # what is kept by states of pieces would be put back in the wrong order
        members = [
            member for member in self.members if any(member.field.base + i in changes for i in range(member.length))
        ]
        found = [(member.name, member.form, member.length) for member in members]
        if PIECES in changes or any(slot in changes for slot in self.program.data["piece_state"]):
            for i, kept in enumerate(self.absorber.found):
                found.append((f"kept{i}", self.set_type(self.size_of(kept)), kept.values if not kept.plain else 1))
            found += [(f"print{i}", "u64", 1) for i in range(len(self.prints))]
        for i, formula in enumerate(self.memos):
            found.append((f"ready{i}", self.set_type(self._given(formula)), 1))
            if self._in_trials(formula):
                assert formula.body is not None, "only formulas with a body are remembered"
                found.append((f"memo{i}", self.type(self.kind(formula.body)), self._given(formula)))
        return found

    def try_out(self, procedure: C.Procedure) -> str:
        assert procedure in self.alone, "an effect that is tried out neither asks nor rolls"
        return f"{self.procedure_names[procedure]}(x, s, 0)"

    def _procedures(self) -> None:
        for procedure, blocks in self.alone.items():
            self.current = procedure
            with self.function(
                f"inline num {self.procedure_names[procedure]}(Context *x, State *s, const num counting)"
            ):
                self.line("const num mark = x->top;")
                self.line(f"goto b{procedure.entry};")
                for at in blocks:
                    self._block(at)
            self.current = None

    def _block(self, at: int) -> None:
        block = self.program.blocks[at]
        self.line(f"b{at}: {{  /* {remark(block.note)} */")
        self.depth += 1
        self._enters(at)
        with self.captured() as operations:
            for op in block.ops:
                self.operation(op)
        if self._makes_lists(operations):
            self.line("x->top = 0;" if self.current is None else "x->top = mark;")
        self.splice(operations)
        if self.current is None:
            self.line(f"if (counting) x->counts[{at}]++;")
            if at in self.shape.turns:
                self.line("x->turns++;")
            if at in self.shape.rounds:
                self.line("x->rounds++;")
        else:
            self.line(f"if (counting) x->counts[{at}]++;")
        with self.captured() as lines, self.afresh():
            self._end(at, block.end)
        if self._makes_lists(lines):
            self.line("x->top = 0;" if self.current is None else "x->top = mark;")
        self.splice(lines)
        self.depth -= 1
        self.line("}")

    def _enters(self, at: int) -> None:
        """What else is to be done where a block begins."""

    def _makes_lists(self, lines: list[str]) -> bool:
        return any("list" in line or "lying" in line for line in lines)

    @contextmanager
    def tidy(self) -> Iterator[None]:
        """What lists are made inside are forgotten: in a loop they would pile up."""
        with self.captured() as lines:
            yield
        if not self._makes_lists(lines):
            self.splice(lines)
            return
        mark = self.temp("mark")
        self.line(f"num {mark} = x->top;")
        self.splice(lines)
        self.line(f"x->top = {mark};")

    def _go(self, at: int, to: int) -> str:
        """Goes to a block; where that leads back, steps are counted so that no loop is endless."""
        if to > at:
            return f"goto b{to};"
        return f"if (++x->steps > MOST_STEPS) fault(x, FAULT_STEPS, 0); goto b{to};"

    def _end(self, at: int, end: Any) -> None:
        match end:
            case C.Jump(to=to):
                self.line(self._go(at, to))
            case C.Branch(condition=condition, then=then, otherwise=otherwise):
                with self.if_(self.truth(condition)):
                    self.line(self._go(at, then))
                self.line(self._go(at, otherwise))
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                values = [
                    self.held(self.as_kind(arg, self._parameter(slot)), self._parameter(slot))
                    for slot, arg in zip(procedure.parameters, args, strict=True)
                ]
                self.store_arguments(procedure, values)
                back = self.slot(procedure.back)
                self.assign(back, str(then))
                if procedure in self.alone:
                    self.line(f"if ({self.procedure_names[procedure]}(x, s, counting)) return {self._out('1')};")
                    self.assign(back, "0")
                    self.line(self._go(at, then))
                else:
                    self.line(f"goto b{procedure.entry};")
            case C.Return(procedure=procedure):
                if self.current is not None:
                    self.line("return 0;")
                else:
                    back = self.slot(procedure.back)
                    self.line(f"s->pc = {back};")
                    self.line(f"{back} = 0;")
                    self.line("continue;")
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise):
                with self.block(f"switch ({self.number(index)})"):
                    for value, to in cases.items():
                        self.line(f"case {value}: {self._go(at, to)}")
                self.line(self._go(at, otherwise))
            case C.Choice(by=by, stuck=stuck):
                self.line(f"s->pc = {at};")
                self.line(f"num seat = {self.number(by)};")
                if self._direct(end):
                    with self.block("if (x->playing)"):
                        with self.block(f"switch (pick_{at}(x, s, seat, counting))"):
                            for number, entry in enumerate(end.entries):
                                self.line(f"case {number}: {self._go(at, entry.to)}")
                            if end.stop is not None:
                                self.line(f"case {STOP}: {self._go(at, end.stop.to)}")
                            self.line(f"case {LIMIT}: return {BROKEN};")
                        self.line(self._go(at, stuck))
                self.line(f"options_{at}(x, s, seat);")
                with self.block("if (x->count)"):
                    if self.hides:
                        self.line("notice(x, s);")
                    with self.block("if (x->playing)"):
                        self.line(f"if (x->decisions >= x->limit) return {BROKEN};")
                        self.line("take(x, s, x->rows + x->stride * decided(x, x->count), counting);")
                        self.line("continue;")
                    self.line(f"return {CHOICE};")
                self.line(self._go(at, stuck))
            case C.Chance():
                self._chance(at, end)
            case C.Together():
                self.line(f"s->pc = {at};")
                if self.hides:
                    self.line("notice(x, s);")
                self.line(f"return {TOGETHER};")
            case C.Drafted():
                self.line(f"s->pc = {at};")
                self.line(f"return {DRAFTED};")
            case C.Finish(ending=ending, winners=winners):
                self.line(f"s->pc = {at};")
                self.line(f"s->ended = {ending};")
                kind = self.kinds.slot(C.WINNERS)
                text = self.set_text(winners, kind.top) if winners is not None else self.set_const(0, kind.top)
                self.line(f"s->winners = {text};")
                self.line(f"return {self._out(str(OVER))};")
            case None:
                self.line(f"return {self._out(str(OVER))};")
            case _:
                raise AssertionError(end)

    def _parameter(self, slot: int) -> Kind:
        member, _ = self.places[slot]
        if isinstance(member.field.type, ListOf | BagOf):
            return Kind("list")
        return self.kinds.slot(slot)

    def _out(self, value: str) -> str:
        """What a function returns where the play ends: a procedure says so, the program says what play stands at."""
        return "1" if self.current is not None else str(OVER)

    def _chance(self, at: int, chance: C.Chance) -> None:
        stream = self.slot(STREAMS + chance.stream)
        if chance.kind == "shuffle":
            assert chance.place is not None
            spot = self.held(self.number(chance.place), ANY_NUMBER)
            self.line(f"list order = lying(x, s, {spot});")
            with self.block("for (num i = order.n - 1; i > 0; i--)"):
                self.line(f"num j = drawn(&{stream}, i + 1);")
                self.line("int32_t kept = order.p[i];")
                self.line("ITEMS(order)[i] = order.p[j];")
                self.line("ITEMS(order)[j] = kept;")
            ordered = self.numbers(tuple(map(int, self.program.spots.ordered)))
            self.line(f"if ({ordered}[{spot}]) arrange(s, {spot}, order);")
            self._forget({PIECES})
            if self.hides:
                self.line(f"forget(x, s, {spot});")
            self.line("x->top = 0;")
            self.line(self._go(at, chance.then))
            return
        variable = chance.variable
        assert variable is not None
        name = self.slot(variable.slot)
        self.line("num total = 0, values = 0, only = 0;")
        self.line("list picks = list_open(x);")
        each = C.Each(variable.slot, variable.each.form, variable.each.domain)
        with self.loop(each), self.afresh(), self.where(conjuncts(variable.where)):
            weight = self.held(self.number(chance.weight) if chance.weight is not None else "1", ANY_NUMBER)
            with self.block(f"if ({weight} > 0)"):
                self.line(f"list_push(x, &picks, {name});")
                self.line(f"list_push(x, &picks, {weight});")
                self.line(f"total += {weight};")
                self.line("values++;")
        self.line(f"if (!values) fault(x, {self.fault(chance.span, 'there is nothing to pick from')}, 0);")
        self.line(f"num rest = values > 1 ? drawn(&{stream}, total) : 0;")
        self.line("for (only = 0; (rest -= picks.p[2 * only + 1]) >= 0; only++) {}")
        self.line(f"{name} = picks.p[2 * only];")
        self.line("x->top = 0;")
        self.line(self._go(at, chance.then))

    # -------------------------------------------------------------------------------------------- running

    def _run(self) -> None:
        if self.twins is not None and self.program.spots.at >= 0:
            self._twin_functions()
        blocks = self._main()
        for at, choice in self.choices.items():
            if self._direct(choice):
                self._pick(at, choice)
        with self.function("inline num run_any(Context *x, State *s, const num counting)"):
            self.line("x->steps = 0;")
            self.line("x->top = 0;")
            with self.block("for (;;) switch (s->pc)"):
                for at in blocks:
                    self.line(f"case {at}: goto b{at};")
                self.line(f"default: return {OVER};")
                for at in blocks:
                    self._block(at)
        with self.function("num run(Context *x, State *s)"):
            self.line("return run_any(x, s, 0);")
        with self.function("num run_counting(Context *x, State *s)"):
            self.line("return run_any(x, s, 1);")
        with (
            self.function("void take(Context *x, State *s, const int32_t *r, num counting)"),
            self.block("switch (s->pc)"),
        ):
            for at, choice in self.choices.items():
                with self.block(f"case {at}:"):
                    self._take(at, choice)
                    self.line("break;")
        self._draft_functions()

    def _take(self, at: int, choice: C.Choice) -> None:
        count, entries = self.shape.choices[at], len(choice.entries)
        with self.block("if (counting)"):
            self.line(f"x->counts[{count} + (r[0] >= 0 ? r[0] : {entries - 1} - r[0])]++;")
            with self.block("switch (r[0])"):
                for number, entry in enumerate(choice.entries):
                    if not staged(entry):
                        members = self.shape.members(self.program, at, number)
                        lines = [
                            f"x->counts[{base} + r[{i}]]++;" for i, base in enumerate(members, 1) if base is not None
                        ]
                        if lines:
                            self.line(f"case {number}: {' '.join(self._if_there(line) for line in lines)} break;")
        with self.block("switch (r[0])"):
            if choice.stop is not None:
                self.line(f"case {STOP}: s->pc = {choice.stop.to}; break;")
            self.line(f"case {NOTHING}: s->pc = {choice.stuck}; break;")
            if any(staged(entry) for entry in choice.entries):
                with self.block(f"case {DONE}:"):
                    assert choice.stage is not None
                    stage = self.slot(choice.stage)
                    self.line(f"num now = {stage} ? {stage} - 1 : r[1] * {STRIDE};")
                    with self.block("switch (now)"):
                        for number, entry in enumerate(choice.entries):
                            for position, variable in enumerate(entry.variables):
                                if variable.fewest is not None and staged(entry):
                                    with self.block(f"case {number * STRIDE + position}:"):
                                        self._advance(choice, number, entry, position + 1)
                                        self.line("break;")
                    self.line("break;")
            for number, entry in enumerate(choice.entries):
                with self.block(f"case {number}:"):
                    if not staged(entry):
                        for i, variable in enumerate(entry.variables, 1):
                            self.line(f"{self.slot(variable.slot)} = r[{i}];")
                        self.line(f"s->pc = {entry.to};")
                    else:
                        self._take_step(at, choice, number, entry)
                    self.line("break;")

    def _if_there(self, line: str) -> str:
        value = line[line.index("r[") : line.rindex("]++")]
        return f"if ({value} >= 0) {line}"

    def _count_bound(self, base: int | None, value: str) -> None:
        if base is not None:
            self.line(f"if (counting && {value} >= 0) x->counts[{base} + {value}]++;")

    # ------------------------------------------------------------------------- a bot that takes any option

    def _direct(self, choice: C.Choice) -> bool:
        """Whether a bot may pick among the options without a list of them."""
        return not any(staged(entry) or entry.anytime is not None for entry in choice.entries)

    def _pick(self, at: int, choice: C.Choice) -> None:
        """Picks an option, each as likely as the others and the one that the list would have there."""
        with self.function(f"inline num pick_{at}(Context *x, State *s, num seat, const num counting)"):
            self.line("x->seat = seat;")
            self.line("num total = 0;")
            alone = choice.entries[0] if len(choice.entries) == 1 and len(choice.entries[0].variables) == 1 else None
            if alone is not None and self._grouped(alone):
                self._pick_one_of_set(at, choice, alone)
            else:
                self._pick_from_groups(at, choice)

    def _grouped(self, entry: C.Entry) -> bool:
        """Whether the values of the last variable are taken as a set at once."""
        if not entry.variables:
            return False
        last = entry.variables[-1]
        told_apart = not is_piece(last) or (self.twins is None and not self.hides)
        return last.each.form == "set" and told_apart

    def _mask(self, entry: C.Entry) -> Text:
        """The values that the last variable of an entry may have, as a set."""
        last = entry.variables[-1]
        name = self.slot(last.slot)
        conditions = [*conjuncts(last.where), *(part for where in entry.where for part in conjuncts(where))]
        found, left = self.absorber.absorb(last.slot, conditions)
        text, kind = self.narrow(C.Each(last.slot, "set", last.each.domain), found)
        text = self.held(text, kind)
        if not left:
            return text, kind
        mask = self.temp("mask")
        self.declare(kind, mask, self.set_const(0, kind.top))
        with self.loop_set(name, text, kind), self.afresh(), self.tidy(), self.where(left):
            self.set_add(mask, name, kind.top, True)
        self.assign(name, "0")
        return mask, kind

    def _stop_counts(self, choice: C.Choice) -> None:
        """Adds the option of stopping to the total."""
        if choice.stop is None:
            return
        some = "1" if choice.always else "total"
        self.line("num stop = 0;")
        with self.if_(some):
            self.assign("stop", self._opened(choice.stop))
        self.line("total += stop;")

    def _decide(self, at: int, choice: C.Choice) -> None:
        self.line(f"if (!total) return {NOTHING};")
        if self.hides:
            self.line("notice(x, s);")
        self.line(f"if (x->decisions >= x->limit) {{ s->pc = {at}; return {LIMIT}; }}")
        self.line("num k = decided(x, total);")
        if choice.stop is not None:
            with self.block("if (stop && k == total - 1)"):
                self.line(f"if (counting) x->counts[{self.shape.taken(at, len(choice.entries), STOP)}]++;")
                self.line(f"return {STOP};")

    def _pick_one_of_set(self, at: int, choice: C.Choice, entry: C.Entry) -> None:
        last = entry.variables[0]
        kind = a_set(self.top_of(last.each.domain[0]))
        opened = self._opened(entry)
        if opened == "1":
            text, _ = self._mask(entry)
            self.declare(kind, "mask", text)
        else:
            self.declare(kind, "mask", self.set_const(0, kind.top))
            with self.if_(opened):
                text, _ = self._mask(entry)
                self.assign("mask", text)
        count = (kind.top + 63) // 64
        counted = (
            1 < count <= MOST_COUNTED
        )  # how many members the words before each have: for the size and for the pick
        if counted:
            for i in range(count):
                before = f"before{i} + " if i else ""
                self.line(f"num before{i + 1} = {before}size1(mask.w[{i}]);")
            self.line(f"total = before{count};")
        else:
            self.line(f"total = {self.set_op('size', ['mask'], kind.top)};")
        self._stop_counts(choice)
        self._decide(at, choice)
        if counted:
            self.line(f"num before[] = {{{', '.join(['0', *(f'before{i}' for i in range(1, count))])}}};")
            self.line(f"num word = {' + '.join(f'(k >= before{i})' for i in range(1, count))};")
            self.line(f"{self.slot(last.slot)} = 64 * word + nth1(mask.w[word], k - before[word]);")
        else:
            self.line(f"{self.slot(last.slot)} = {self.set_op('nth', ['mask', 'k'], kind.top)};")
        self.line(f"if (counting) x->counts[{self.shape.taken(at, 1, 0)}]++;")
        self._count_bound(self.shape.members(self.program, at, 0)[0], self.slot(last.slot))
        self.line("return 0;")

    def _pick_from_groups(self, at: int, choice: C.Choice) -> None:
        """Groups of options that differ in their last variable only; a group is drawn by its size."""
        widths = [(self.top_of(e.variables[-1].each.domain[0]) + 63) // 64 for e in choice.entries if self._grouped(e)]
        words, bound = max(widths, default=1), max([1, *(len(e.variables) for e in choice.entries)])
        if words > 1:
            self.sizes.add(words)
        self.line(f"typedef struct {{ int32_t entry, bound[{bound}]; num n; set{words} mask; }} Group;")
        self.line("x->picked = 0;")
        for number, entry in enumerate(choice.entries):
            with self.if_(self._opened(entry)):
                self._groups(number, entry, words)
        self._stop_counts(choice)
        self._decide(at, choice)
        self.line("const Group *g = (const Group *)x->picks;")
        self.line("for (; k >= g->n; g++) k -= g->n;")
        with self.block("switch (g->entry)"):
            for number, entry in enumerate(choice.entries):
                with self.block(f"case {number}:"):
                    members = self.shape.members(self.program, at, number)
                    for i, variable in enumerate(entry.variables):
                        name = self.slot(variable.slot)
                        last = i + 1 == len(entry.variables)
                        if last and self._grouped(entry):
                            value = f"nth{words}(g->mask, k)"
                        elif last and self._ranged(entry):
                            value = f"g->bound[{i}] + k"
                        else:
                            value = f"g->bound[{i}]"
                        self.line(f"{name} = {value};")
                        self._count_bound(members[i], name)
                    self.line(f"if (counting) x->counts[{self.shape.taken(at, len(choice.entries), number)}]++;")
                    self.line(f"return {number};")
        self.line(f"return {NOTHING};")

    def _ranged(self, entry: C.Entry) -> bool:
        """Whether the last variable may be any number of a range."""
        if not entry.variables or entry.where:
            return False
        last = entry.variables[-1]
        return last.each.form == "range" and last.where is None

    def _groups(self, number: int, entry: C.Entry, words: int) -> None:
        variables = entry.variables
        end = len(variables) - 1 if self._grouped(entry) or self._ranged(entry) else len(variables)
        inner = C.Entry(entry.name, (), variables[:end], entry.where if end == len(variables) else (), None, None, 0)

        def group() -> None:
            size, mask, low = "1", "", ""
            if end < len(variables) and self._ranged(entry):
                low, high = (self.held(self.number(part), ANY_NUMBER) for part in variables[-1].each.domain)
                size = f"({high} - {low} + 1)"
            elif end < len(variables):
                text, kind = self._mask(entry)
                size = self.set_op("size", [text], kind.top)
                mask = self.as_set(text, kind, 64 * words)
            if size != "1":
                size = self.held(size, ANY_NUMBER)
            with self.if_(f"{size} > 0") if size != "1" else self.scope():
                self.line("Group *g = pick_row(x, sizeof(Group));")
                self.line(f"g->entry = {number};")
                for i, variable in enumerate(variables[:end]):
                    self.line(f"g->bound[{i}] = {self.slot(variable.slot)};")
                if low:
                    self.line(f"g->bound[{end}] = {low};")
                if mask:
                    self.line(f"g->mask = {mask};")
                self.line(f"g->n = {size};")
                self.line(f"total += {size};")

        with self._ahead(variables):
            self._tuples(inner, 0, end, group)
        self._reset(variables)

    def _advance(self, choice: C.Choice, number: int, entry: C.Entry, position: int) -> None:
        assert choice.stage is not None
        if position == len(entry.variables):
            self.line(f"{self.slot(choice.stage)} = 0;")
            self.line(f"s->pc = {entry.to};")
        else:
            self.line(f"{self.slot(choice.stage)} = {1 + number * STRIDE + position};")

    def _take_step(self, at: int, choice: C.Choice, number: int, entry: C.Entry) -> None:
        assert choice.stage is not None
        stage = self.slot(choice.stage)
        with self.block(f"switch ({stage} ? ({stage} - 1) % {STRIDE} : 0)"):
            for position, variable in enumerate(entry.variables):
                if not self._starts_step(entry, position):
                    continue
                with self.block(f"case {position}:"):
                    members = self.shape.members(self.program, at, number)
                    if variable.fewest is not None:
                        self._count_bound(members[position], "r[1]")
                        match variable.type:
                            case SetOf():
                                self.set_add(self.slot(variable.slot), "r[1]", self.kinds.slot(variable.slot).top, True)
                            case BagOf():
                                self.line(f"{self.item(variable.slot, 'r[1]')}++;")
                            case _:
                                self.line(f"int32_t *items = {self.array(variable.slot, '0')};")
                                self.line("items[++items[0]] = r[1];")
                        self.line(f"{stage} = {1 + number * STRIDE + position};")
                        if variable.most is not None:
                            with self.if_(f"{self._size(variable)} == {self.number(variable.most)}"):
                                self._advance(choice, number, entry, position + 1)
                    else:
                        end = self._run_end(entry, position)
                        for i, bound in enumerate(entry.variables[position:end], 1):
                            self.line(f"{self.slot(bound.slot)} = r[{i}];")
                            self._count_bound(members[position + i - 1], f"r[{i}]")
                        self._advance(choice, number, entry, end)
                    self.line("break;")

    def _twin_functions(self) -> None:
        spots = self.program.spots
        with self.function("num same_twin(Context *x, State *s, num a, num b)"):
            self.line(f"num at = {self.item(spots.at, 'a')};")
            self.line(f"if (at != {self.item(spots.at, 'b')} || looks(s, a) != looks(s, b)) return 0;")
            ordered = self.numbers(tuple(int(o and i >= spots.first_place) for i, o in enumerate(spots.ordered)))
            self.line(f"if ({ordered}[at]) return 0;")
            if spots.slot >= 0:
                self.line(f"if ({self.item(spots.slot, 'a')} != {self.item(spots.slot, 'b')}) return 0;")
            if self.hides:
                self.line("if (hidden(x, s, a) || hidden(x, s, b)) return 0;")
            self.line("return 1;")
        single = self.numbers(tuple(map(int, spots.single)))
        with self.function("inline num is_twin(Context *x, State *s, const int32_t *same, num n, num piece)"):
            self.line(f"if (!n || {single}[{self.item(spots.at, 'piece')}]) return 0;  /* alone on its space */")
            self.line("for (num i = 0; i < n; i++)")
            self.line("    if (same_twin(x, s, same[i], piece)) return 1;")
            self.line("return 0;")

    def _draft_functions(self) -> None:
        """Decisions in secret: each player goes through on a copy; then all are carried out."""
        nodes = {i: block.end for i, block in enumerate(self.program.blocks) if isinstance(block.end, C.Together)}
        with self.function("num together(Context *x, State *s, num counting)"):
            if not nodes:
                self.line("return 0;")
                return
            players = self.program.roots["player"].size
            form = self.set_type(players)
            self.line("num at = s->pc, me = s->me, body = 0, then = 0;")
            self.line(f"{form} who = {self.set_const(0, players)};")
            with self.block("switch (at)"):
                for at, node in nodes.items():
                    with self.block(f"case {at}:"):
                        self.line(f"who = {self.set_text(node.players, players)};")
                        self.line(f"body = {node.body}, then = {node.then};")
                        self.line("break;")
            self.line(f"int32_t *kept = malloc(sizeof(int32_t) * {players * DRAFT_STEPS * self.widest});")
            self.line(f"num count[{players}] = {{0}};")
            self.line("x->playing = 0;")
            with self.loop_set("seat", "who", a_set(players)):
                self.line("State copy = *s;")
                self.line("copy.me = (int16_t)seat;")
                self.line("copy.pc = body;")
                for i in range(len(self.memos)):
                    self.line(f"memset(&copy.ready{i}, 0, sizeof copy.ready{i});")
                self.line("num turns = x->turns, rounds = x->rounds;")
                with self.block(f"while (run(x, &copy) == {CHOICE} && count[seat] < {DRAFT_STEPS})"):
                    with self.block("if (x->decisions >= x->limit)"):
                        self.line("free(kept);")
                        self.line("x->playing = 1;")
                        self.line(f"return {BROKEN};")
                    self.line("num k = decided(x, x->count);")
                    self.line(f"int32_t *r = kept + (seat * {DRAFT_STEPS} + count[seat]++) * {self.widest};")
                    self.line("memcpy(r, x->rows + x->stride * k, sizeof(int32_t) * (size_t)x->stride);")
                    self.line("take(x, &copy, r, 0);")
                self.line("x->turns = turns, x->rounds = rounds;")
            with self.loop_set("player", "who", a_set(players)):
                self.line("s->me = (int16_t)player;")
                self._forget({C.ME})
                self.line("s->pc = body;")
                with self.block("for (num i = 0; i < count[player]; i++)"):
                    self.line("if (counting) run_counting(x, s);")
                    self.line("else run(x, s);")
                    self.line(f"take(x, s, kept + (player * {DRAFT_STEPS} + i) * {self.widest}, counting);")
                self.line("if (counting) run_counting(x, s);")
                self.line("else run(x, s);")
            self.line("x->playing = 1;")
            self.line("free(kept);")
            self.line("s->me = me;")
            self._forget({C.ME})
            self.line("s->pc = then;")
            self.line("return 0;")

    # -------------------------------------------------------------------------------------------- results

    def _results(self) -> None:
        players, rows = self.program.roots["player"].size, len(self.scoring)
        with self.function("void scores(Context *x, State *s, num *out)"):
            self.line("num me = s->me;")
            with self.block(f"for (num player = 0; player < {players}; player++)"):
                self.line("s->me = player;")
                self._forget({C.ME})
                for i, node in enumerate(self.scoring):
                    with self.scope():
                        self.line(f"out[player * {max(rows, 1)} + {i}] = {self.number(node)};")
            self.line("s->me = me;")
            self._forget({C.ME})
        ties = len(self.ties)
        with self.function("u64 winners(Context *x, State *s, const num *points)"):
            self.line("/* As told by the rules, or by the points and what breaks ties. */")
            kind = self.kinds.slot(C.WINNERS)
            told = "s->winners" if self.set_type(kind.top) == "set1" else "s->winners.w[0]"
            self.line(f"if (s->ended != {C.SCORED}) return {told};")
            if not rows:
                self.line("return 0;")
            else:
                self.line(f"num keys[{players}][{ties + 1}], me = s->me;")
                with self.block(f"for (num player = 0; player < {players}; player++)"):
                    self.line("num total = 0;")
                    self.line(f"for (num i = 0; i < {rows}; i++) total += points[player * {rows} + i];")
                    self.line(f"keys[player][0] = {'-total' if self.lowest else 'total'};")
                    self.line("s->me = player;")
                    self._forget({C.ME})
                    for i, node in enumerate(self.ties, 1):
                        with self.scope():
                            self.line(f"keys[player][{i}] = {self.number(node)};")
                self.line("s->me = me;")
                self._forget({C.ME})
                self.line("u64 best = 1;")
                self.line("num first = 0;")
                with self.block(f"for (num player = 1; player < {players}; player++)"):
                    self.line("num i = 0;")
                    self.line(f"while (i <= {ties} && keys[player][i] == keys[first][i]) i++;")
                    self.line(f"if (i > {ties}) best |= 1ULL << player;")
                    self.line("else if (keys[player][i] > keys[first][i]) best = 1ULL << player, first = player;")
                self.line("return best;")

    # ------------------------------------------------------------------------------------- what is called

    def _outside(self) -> None:
        self._start()
        self._transport()
        if "between" in self.program.data:
            self._start_after()
        players, rows = self.program.roots["player"].size, max(len(self.scoring), 1)
        self.lines += [
            "/* ---- what is called from outside ---- */",
            "",
            f"enum {{ PLAYERS = {players}, ROWS = {len(self.scoring)} }};",
            f"enum {{ WIDTH = {self.shape.width}, STRIDE = {self.widest} }};",
            "",
            "num game_size(void) { return sizeof(State); }",
            "",
            "/* How much of it follows from the slots; behind it stands what is at hand or not. */",
            f"num game_lasting(void) {{ return {self._lasting()}; }}",
            "",
            "Context *game_open(void) {",
            "    Context *x = calloc(1, sizeof *x);",
            "    if (x) x->arena = malloc(sizeof(int32_t) * ROOM);",
            "    if (x) x->stride = STRIDE, x->enough = INT64_MAX;",
            "    return x;",
            "}",
            "",
            "void game_close(Context *x) {",
            "    free(x->arena);",
            "    free(x->rows);",
            "    free(x->picks);",
            "    free(x);",
            "}",
            "",
            "void game_start(State *s, u64 seed) { start(s, seed); }",
            "",
            "/* Goes on to the next decision: what play stands at, or -1 after a fault. */",
            "num game_run(Context *x, State *s) {",
            "    if (setjmp(x->out)) return -1;",
            "    return run(x, s);",
            "}",
            "",
            "num game_take(Context *x, State *s, num option) {",
            "    if (setjmp(x->out)) return -1;",
            "    take(x, s, x->rows + x->stride * option, 0);",
            "    return 0;",
            "}",
            "",
            "num game_count(Context *x) { return x->count; }",
            "num game_seat(Context *x) { return x->seat; }",
            "const int32_t *game_options(Context *x) { return x->rows; }",
            "num game_fault(Context *x, num *detail) { *detail = x->detail; return x->fault; }",
            "",
            "/* So many copies of a state, each of the one before. */",
            "void game_copies(const State *from, num times) {",
            "    State kept[2];",
            "    begin(&kept[0], from);",
            "    for (num i = 0; i < times; i++) begin(&kept[(i + 1) & 1], &kept[i & 1]);",
            "}",
            "",
            *self._play(),
        ]
        if "between" in self.program.data:
            self._campaigns()
        del rows

    def _lasting(self) -> str:
        behind = "hints0" if self.histories else "ready0" if self.memos else ""
        return f"__builtin_offsetof(State, {behind})" if behind else "sizeof(State)"

    def _play(self) -> list[str]:
        """Random plays, each written down in a row as `engine.batch` says."""
        players, sources = self.shape.players, len(self.shape.sources)
        points = [
            "    scores(x, s, points);",
            "    x->top = 0;",
            f"    for (num player = 0; player < {players}; player++)",
            f"        for (num i = 0; i < {sources}; i++) {{",
            f"            row[{POINTS} + player] += points[player * {sources} + i];",
            f"            row[{POINTS + players} + player * {sources} + i] = points[player * {sources} + i];",
            "        }",
        ]
        return [
            "/* A play to its end, or until it may decide no more. */",
            "static num played(Context *x, State *s) {",
            "    for (;;) {",
            "        num stop = x->counts ? run_counting(x, s) : run(x, s);",
            f"        if (stop == {TOGETHER}) stop = together(x, s, x->counts != 0);",
            "        else return stop;",
            f"        if (stop == {BROKEN}) return stop;",
            "    }",
            "}",
            "",
            "static void settle(Context *x, State *s, num *row) {",
            f"    num points[{max(1, players * sources)}];",
            *(points if sources else []),
            "    row[1] = (num)winners(x, s, points);",
            "    row[0] = s->ended;",
            "}",
            "",
            "static void count_from_here(Context *x) {",
            "    x->fault = -1;",
            "    x->decisions = x->options = x->widest = x->forced = x->turns = x->rounds = 0;",
            "    x->playing = 1, x->trying = x->logged = 0;",
            "}",
            "",
            "static void write_counted(Context *x, num *row) {",
            "    row[2] = x->turns, row[3] = x->rounds, row[4] = x->decisions;",
            "    row[5] = x->options, row[6] = x->widest, row[7] = x->forced;",
            "    x->playing = 0;",
            "}",
            "",
            "static void make_void(num *row) {",
            f"    for (num i = {POINTS}; i < WIDTH; i++) row[i] = 0;",
            f"    row[0] = {C.VOID}, row[1] = 0;",
            "}",
            "",
            "static void play(Context *x, State *s, u64 seed, num *row) {",
            "    count_from_here(x);",
            "    start(s, seed);",
            f"    x->bot = seeded(seed, {BOT_STREAM});",
            "    if (setjmp(x->out)) make_void(row);",
            f"    else if (played(x, s) == {OVER}) settle(x, s, row);",
            "    write_counted(x, row);",
            "}",
            "",
            "/* Plays number `first` and those after it of the run with a seed. */",
            "void game_play(Context *x, State *s, u64 seed, num first, num n, num limit, num *rows, num *counts) {",
            "    x->limit = limit;",
            "    x->counts = counts;",
            "    for (num i = 0; i < n; i++)",
            f"        play(x, s, seeded(seed, {PLAYS} + first + i) >> {64 - SEED_BITS}, rows + i * WIDTH);",
            "    x->counts = 0;",
            "}",
        ]

    def _start_after(self) -> None:
        """What a campaign takes over from play to play: the same as `runtime.campaign` does, which has it by names."""
        spots = self.program.spots
        with self.function("void start_after(Context *x, State *s, const State *last, u64 seed)"):
            self.line("start(s, seed);")
            for sort, data in self.program.data["world"].data["keep"]:
                if sort == "place":
                    first = spots.first_place + data.first
                    with self.block(f"for (num spot = {first}; spot < {first + data.count}; spot++)"):
                        self.line("list kept = lying(x, last, spot);")
                        with self.block("for (num i = 0; i < kept.n; i++)"):
                            self.line("num piece = kept.p[i];")
                            self.line(self._moved("piece", spots.box))
                            self.line(self._moved("piece", "spot"))
                            self._forget({PIECES})
                        self.line("x->top = 0;")
                elif sort == "value":
                    self._take_over(data.base)
                else:
                    for _, base, _ in data.holders.values():
                        self._take_over(base)
                    if data.supply >= 0:
                        self._take_over(data.supply)
            self.line("keep_all(s);")

    def _take_over(self, base: int) -> None:
        member, at = self.places[base]
        assert not at, "values and holders are fields of the layout"
        name = member.name
        if member.length == 1:
            self.line(f"s->{name} = last->{name};")
        else:
            self.line(f"memcpy(s->{name}, last->{name}, sizeof s->{name});")
        self._forget({base})

    def _campaigns(self) -> None:
        """Campaigns at random: in each one bot decides, from its first play to its last."""
        with self.function("num go_on(Context *x, State *s, const State *last, u64 seed, num *row)"):
            self.line("/* The play after `last`, or the first, and what follows on it: 1 if all came to its end. */")
            self.line("num through = 0;")
            self.line("count_from_here(x);")
            with self.block("if (setjmp(x->out))"):
                self.line("make_void(row);")
            with self.block("else"):
                self.line("if (last) start_after(x, s, last, seed);")
                self.line("else start(s, seed);")
                with self.block(f"if (played(x, s) == {OVER})"):
                    self.line("settle(x, s, row);")
                    one = self.set_type(self.kinds.slot(C.WINNERS).top) == "set1"
                    self.line(f"s->winners{'' if one else '.w[0]'} = (u64)row[1];")
                    self._forget({C.WINNERS})
                    self.line(f"s->pc = {self.program.data['between']};")
                    self.line("num stop = played(x, s);")
                    self.line(f"through = stop == {DRAFTED} || stop == {OVER};")
            self.line("write_counted(x, row);")
            self.line("return through;")
        self.lines += [
            "/* One play of a campaign. The stream of the bot is given, and given back. */",
            "num game_go_on(",
            "    Context *x, State *s, const State *last, u64 seed, u64 *bot, num limit, num *row, num *counts",
            ") {",
            "    x->limit = limit, x->counts = counts, x->bot = *bot;",
            "    num through = go_on(x, s, last, seed, row);",
            "    x->counts = 0;",
            "    *bot = x->bot;",
            "    return through;",
            "}",
            "",
            "/* Campaigns number `first` and those after it. `done` says how many plays each has; the rows of all",
            "   first plays stand before those of the second plays. */",
            "void game_campaigns(",
            "    Context *x, State *s, State *last, u64 seed, num first, num n, num plays, num limit,",
            "    num *rows, num *counts, num *done",
            ") {",
            "    x->limit = limit;",
            "    x->counts = counts;",
            "    for (num i = 0; i < n; i++) {",
            f"        u64 own = seeded(seed, {PLAYS} + first + i) >> {64 - SEED_BITS};",
            "        num through = 1;",
            f"        x->bot = seeded(own, {BOT_STREAM});",
            "        for (num k = 0; through && k < plays; k++) {",
            f"            u64 its = k ? seeded(own, {FOLLOWING} + k + 1) : own;",
            "            through = go_on(x, s, k ? last : 0, its, rows + (k * n + i) * WIDTH);",
            "            done[i] = k + 1;",
            "            State *kept = s;",
            "            s = last, last = kept;",
            "        }",
            "    }",
            "    x->counts = 0;",
            "}",
        ]

    def _start(self) -> None:
        template = self.program.data["template"]
        items = []
        for member in self.members:
            values = template[member.field.base : member.field.base + member.length]
            if member.field.base == C.PC:
                values = [self.program.start]
            if member.field.base == C.TURN_PLAYER:
                values = [NONE]
            texts = [self._initial(member, value) for value in values]
            if any(value for value in values):
                items.append(
                    f"    .{member.name} = " + ("{" + ", ".join(texts) + "}" if member.length != 1 else texts[0])
                )
        for i, kept in enumerate(self.absorber.found):
            size = self.size_of(kept)
            words = (size + 63) // 64
            texts = [f"0x{v:X}ULL" if words == 1 else self._words(v, words) for v in at_start(kept, self.program)]
            items.append(f"    .kept{i} = " + (texts[0] if kept.plain else "{" + ", ".join(texts) + "}"))
        for i, (first, end) in enumerate(self.prints):
            items.append(f"    .print{i} = 0x{print_at_start(self.program, first, end):X}ULL")
        self.lines += ["static const State TEMPLATE = {", ",\n".join(items), "};", ""]
        with self.function("APART void begin(State *s, const State *from)"):
            self.line("memcpy(s, from, sizeof *s);")
        with self.function("void start(State *s, u64 seed)"):
            self.line("begin(s, &TEMPLATE);")
            for i in range(HEADER - STREAMS):
                self.line(f"{self.slot(STREAMS + i)} = seeded(seed, {i});")

    def _initial(self, member: Any, value: int) -> str:
        if member.kind.sort == SET:
            count = member.words
            return f"0x{value:X}ULL" if count == 1 else self._words(value, count)
        return str(int(value)) if member.form != "u64" else f"{value}ULL"

    def _transport(self) -> None:
        """The state as 64-bit words in the order of the layout, and back."""
        with self.block("void game_export(const State *s, u64 *out)"):
            for member in self.members:
                self._carry(member, False)
        self.line("")
        with self.block("void game_import(State *s, const u64 *in)"):
            self.line("memset(s, 0, sizeof *s);")
            for member in self.members:
                self._carry(member, True)
            self.line("keep_all(s);")
        self.line("")

    def _carry(self, member: Any, inwards: bool) -> None:
        place = f"s->{member.name}" + ("[i]" if member.length != 1 else "")
        text = []
        for w in range(member.words):
            part = place + (f".w[{w}]" if member.words > 1 else "")
            form = "u64" if member.words > 1 or member.form in ("set1", "u64") else member.form
            text.append(f"{part} = ({form})*in++;" if inwards else f"*out++ = (u64){part};")
        loop = f"for (num i = 0; i < {member.length}; i++) " if member.length != 1 else ""
        body = " ".join(text)
        self.line(f"{loop}{{ {body} }}" if len(text) > 1 else f"{loop}{body}")

    def slots(self) -> list[tuple[int, bool]]:
        """By slot of the layout: how many words it takes outside, and whether they are a signed number."""
        found = []
        for member in self.members:
            signed = member.kind.sort != SET and member.form != "u64"
            found += [(member.words, signed)] * member.length
        return found


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


def _very_dear(node: Any, inside: bool = False) -> bool:
    """Whether working it out means loops in loops, or trying something out."""
    match node:
        case C.Would():
            return True
        case C.Fold():
            if inside:
                return True
            return any(_very_dear(part, True) for part in parts(node))
        case C.Invoke(formula=formula):
            if formula.body is not None and _very_dear(formula.body, inside):
                return True
    return any(_very_dear(part, inside) for part in parts(node))


def to_c(program: C.Program) -> str:
    """The C file of a program."""
    return CProgram(program).write()


__all__ = ["CProgram", "to_c"]
