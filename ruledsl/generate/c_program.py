"""A whole program in C: the file, results, what is called from outside, and plays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

from ruledsl.engine.batch import BOT_STREAM, FOLLOWING, PLAYS, POINTS, SEED_BITS
from ruledsl.ir import core as C
from ruledsl.ir.core import DRAFT_STEPS, HEADER, MOST_STORED, MOST_TRIED, STREAMS
from ruledsl.ir.kinds import NUMBER, SET, Kind
from ruledsl.types import NONE

from .asked import ByHeart, Latest
from .c_blocks import CBlocks
from .c_extending import CExtending
from .c_operations import COperations
from .c_options import COptions
from .c_picking import CPicking
from .c_pieces import CPieces
from .c_settled import CSettled
from .c_state import BROKEN, CHOICE, DRAFTED, OVER, TOGETHER, very_dear
from .c_words import MOST_IN_VECTORS
from .changes import PIECES
from .kept import at_start, print_at_start
from .language import remark
from .passes import NONE_OFF, Off, Pass
from .passes import C as IN_C
from .rewriting import rewritten

MOST_BY_HEART = 15  # members of a set whose every value has a place in a table
LATEST = 32  # arguments asked last whose values stay at hand, by what their numbers leave when divided by this
MOST_COMBINED = 1 << 14  # combinations of numbers that have one


class CProgram:
    """A whole program in C: the file, results, what is called from outside, and plays."""

    # What a program that does more sets otherwise; `CPieces` and `CPicking` say what it is.
    whole_rows = False
    lists = False  # whether options are mostly listed, not picked
    judges = False  # whether `heuristic:` is asked
    in_secret = "(x->tree ? answered(x) : decided(x, x->count))"

    def __init__(self, program: C.Program, without: Off = NONE_OFF) -> None:
        asked = program if self.judges or program.heuristic is None else replace(program, heuristic=None)
        self.out = out = CSettled(rewritten(asked, IN_C, without), without)
        self.program, self.kinds, self.absorber = out.program, out.kinds, out.absorber
        self.pieces = CPieces(out, self.whole_rows)
        self.extending = CExtending(out)
        self.options = COptions(out, self.extending)
        self.picking = CPicking(out, self.options, self.in_secret)
        self.operations = COperations(out)
        self.options.lists = self.lists
        self.blocks = CBlocks(out, self.options, self.picking, self.operations, self._enters, self._asks, self._decides)

    def _enters(self, at: int) -> None:
        """Before a block does anything."""

    def _asks(self, at: int) -> None:
        """Before the options of a decision are listed for `seat`."""

    def _decides(self, at: int, number: int | None) -> None:
        """Where a bot that takes any option has taken one of an entry; of any, with no number, before it is done."""

    def write(self) -> str:
        out, functions = self.out, list[str]()
        with out.rehearsed():  # everything is written once to see which sets are asked for
            for part in (self._formulas, self.options.menus, self.blocks.procedures, self.blocks.run, self._results):
                part()
        for part in (
            self.pieces.write_pieces,
            self._formulas,
            self.options.menus,
            self.blocks.procedures,
            self.blocks.run,
            self._results,
            self._outside,
        ):
            with out.captured() as lines:
                part()
            functions += lines
        prototypes = sorted(
            {
                re.sub("^static (inline|APART|ONCE|INLINED|SELDOM) ", "static ", line[:-2]) + ";"
                for line in [*out.library, *functions]
                if line.startswith("static ") and line.endswith(") {")
            }
        )
        file = [*self._words(), *self._state()]
        if self.program.ahead:
            slots = sum(member.words * member.length for member in out.members)
            file += [_THROUGH.format(slots=slots, asked=CHOICE)]
        clusters, ahead = out.cluster_functions(), out.ahead_functions()
        file += [*out.definitions, "", *ahead, *prototypes, "", *clusters, *out.library, *functions]
        return "\n".join(file) + "\n"

    def _words(self) -> list[str]:
        """What needs no rules: the C files, and sets of as many words as the rules have."""
        file = [f"/* {remark(self.program.name)}: made by ruledsl from its rules; not to be changed by hand. */"]
        file += [f"#define HINTS {words}\n" for words in self.out.hint_words()]
        file += ["".join(map(_c_file, ("support.c", "payments.c", "sets.c")))]
        if self.extending.extends:
            file += [f"enum {{ MOST_TRIED = {MOST_TRIED}, MOST_STORED = {MOST_STORED} }};", _c_file("extending.c")]
        for count in sorted(self.out.sizes):
            how = "SMALL" if count <= 8 else "LARGE"
            in_vectors = next((most for most in (4, MOST_IN_VECTORS) if 3 <= count <= most), None)
            file.append(f"DEFINE_VECTORS({count}, {in_vectors})" if in_vectors else f"DEFINE_WORDS({count}, {how})")
            file.append(f"DEFINE_SET({count}, {how})")
        return [*file, *(f"DEFINE_FIT({one}, {other})" for one, other in sorted(self.out.fits))]

    def _state(self) -> list[str]:
        """The struct with the fields of the layout, and what is kept at hand behind them."""
        out = self.out
        members = [member.declaration() for member in out.members] + out.kept_members()
        for i, formula in enumerate(out.memos):
            latest, count = isinstance(formula, Latest), out.arguments_of(formula)
            form, which = ("int32_t" if latest else out.set_type(count)), "one more than " if latest else ""
            many = f"[{LATEST}]" if latest else ""
            members.append(f"{form} ready{i}{many};  /* {which}of which arguments {remark(formula.name)} is at hand */")
            members.append(f"{out.type(self.kinds.of(formula.body))} memo{i}[{LATEST if latest else count}];")
        members += [*out.spread_members(), *out.watch_members()]
        return ["", "typedef struct State {", *(f"    {member}" for member in members), "} State;", ""]

    def _formulas(self) -> None:
        out = self.out
        for formula in self.kinds.formulas:
            if formula.body is None:
                continue
            kind = out.kind(formula.body)
            given = "".join(f", {out.type(self.kinds.slot(slot))} {out.slot(slot)}" for slot in formula.slots)
            name = out.formula_names[formula]
            if formula in out.memos:
                self._remembering(formula, kind, given)
                name += "_now"
            elif isinstance(formula, ByHeart) and self._few_numbers(formula):
                self._learning_numbers(formula, kind, given)
                name += "_now"
            elif self._by_heart(formula):
                self._learning(formula, kind, given)
                name += "_now"
            out.formula_function(name, formula)

    def _by_heart(self, formula: C.Formula) -> bool:
        """Whether a dear formula depends on a set of few members alone: it is worked out once for each set."""
        kind, given = self.kinds.of(formula.body), [self.kinds.slot(slot) for slot in formula.slots]
        if not self.out.on(Pass.SETS_BY_HEART) or kind.sort != NUMBER or len(given) != 1:
            return False
        few = given[0].sort == SET and given[0].top <= MOST_BY_HEART and 0 <= kind.low < kind.top < 2**15 - 1
        return few and very_dear(formula.body) and not self.out.pure.reads(formula.body)

    def _learning(self, formula: C.Formula, kind: Kind, given: str) -> None:
        """A formula whose value is looked up by its argument, if it was asked before, in whatever play."""
        out = self.out
        (slot,), name = formula.slots, out.formula_names[formula]
        at = f"{name}_of[{out.slot(slot)}]"
        number_of = 1 << self.kinds.slot(slot).top
        out.line(f"static int16_t {name}_of[{number_of}];  /* and one more; 0 where it was not asked yet */")
        with out.function(f"inline {out.type(kind)} {name}(Context *x, State *s{given})"):
            out.line(f"num known = __atomic_load_n(&{at}, __ATOMIC_RELAXED);  /* by several threads, perhaps */")
            with out.block("if (!known)"):
                out.line(f"known = {name}_now(x, s, {out.slot(slot)}) + 1;")
                out.line(f"__atomic_store_n(&{at}, (int16_t)known, __ATOMIC_RELAXED);")
            out.line("return known - 1;")

    def _few_numbers(self, formula: ByHeart) -> bool:
        """Whether a value that never changes can be looked up by the arguments."""
        kind, given = self.kinds.of(formula.body), [self.kinds.slot(slot) for slot in formula.slots]
        few = all(one.sort == NUMBER for one in given) and prod(one.top - one.low for one in given) <= MOST_COMBINED
        return few and kind.sort == SET and kind.top < 64

    def _learning_numbers(self, formula: ByHeart, kind: Kind, given: str) -> None:
        """A set that is looked up by numbers, if it was asked before, in whatever play."""
        out, name = self.out, self.out.formula_names[formula]
        at, count = "0", 1
        for slot in formula.slots:
            of = self.kinds.slot(slot)
            count *= of.top - of.low
            at = f"({at}) * {of.top - of.low} + {out.slot(slot)}" + (f" + {-of.low}" if of.low else "")
        out.line(f"static u64 {name}_of[{count}];  /* and one more; 0 where it was not asked yet */")
        with out.function(f"inline {out.type(kind)} {name}(Context *x, State *s{given})"):
            out.line(f"num at = {at};")
            out.line(
                f"u64 known = __atomic_load_n(&{name}_of[at], __ATOMIC_RELAXED);  /* by several threads, perhaps */"
            )
            with out.block("if (!known)"):
                out.line(f"known = {name}_now(x, s{''.join(f', {out.slot(slot)}' for slot in formula.slots)}) + 1;")
                out.line(f"__atomic_store_n(&{name}_of[at], known, __ATOMIC_RELAXED);")
            out.line("return known - 1;")

    def _remembering(self, formula: C.Formula, kind: Kind, given: str) -> None:
        """A formula whose value is looked up if it is at hand. What is only tried out is not remembered."""
        out = self.out
        i, count, name = list(out.memos).index(formula), out.arguments_of(formula), out.formula_names[formula]
        at = ""
        for slot in formula.slots:
            at = f"({at}) * {self.kinds.slot(slot).top} + {out.slot(slot)}" if at else out.slot(slot)
        at = at or "0"
        args = "".join(f", {out.slot(slot)}" for slot in formula.slots)
        with out.function(f"inline {out.type(kind)} {name}(Context *x, State *s{given})"):
            if not out.in_trials(formula):
                out.line(f"if (x->trying) return {name}_now(x, s{args});")
            if isinstance(formula, Latest):
                place = f"({at}) % {LATEST}"
                with out.if_(f"s->ready{i}[{place}] != {at} + 1"):
                    out.line(f"s->memo{i}[{place}] = {name}_now(x, s{args});")
                    out.line(f"s->ready{i}[{place}] = (int32_t)({at} + 1);")
                out.line(f"return s->memo{i}[{place}];")
                return
            ready = out.op("has", [at, f"s->ready{i}"], count)
            with out.if_(out.not_(ready)):
                out.line(f"s->memo{i}[{at}] = {name}_now(x, s{args});")
                out.set_add(f"s->ready{i}", at, count, True)
            out.line(f"return s->memo{i}[{at}];")

    def for_each_player(self, name: str, nodes: Sequence[C.Node]) -> None:
        """A function that works numbers out for each player in turn."""
        out = self.out
        with out.function(f"void {name}(Context *x, State *s, num *out)"):
            out.line("num me = s->me;")
            with out.block(f"for (num player = 0; player < {self.program.roots['player'].size}; player++)"):
                out.line("s->me = player;")
                out.forget({C.ME})
                for i, node in enumerate(nodes):
                    with out.scope():
                        out.line(f"out[player * {max(len(nodes), 1)} + {i}] = {out.number(node)};")
            out.line("s->me = me;")
            out.forget({C.ME})

    def _results(self) -> None:
        out = self.out
        players, rows = self.program.roots["player"].size, len(out.scoring)
        self.for_each_player("scores", out.scoring)
        ties = len(out.ties)
        with out.function("u64 winners(Context *x, State *s, const num *points)"):
            out.line("/* As told by the rules, or by the points and what breaks ties. */")
            kind = self.kinds.slot(C.WINNERS)
            told = "s->winners" if out.set_type(kind.top) == "set1" else "s->winners.w[0]"
            out.line(f"if (s->ended != {C.SCORED}) return {told};")
            if not rows or self.program.only_ranked:
                out.line("return 0;")
            else:
                out.line(f"num keys[{players}][{ties + 1}], me = s->me;")
                with out.block(f"for (num player = 0; player < {players}; player++)"):
                    out.line("num total = 0;")
                    out.line(f"for (num i = 0; i < {rows}; i++) total += points[player * {rows} + i];")
                    out.line(f"keys[player][0] = {'-total' if out.lowest else 'total'};")
                    out.line("s->me = player;")
                    out.forget({C.ME})
                    for i, node in enumerate(out.ties, 1):
                        with out.scope():
                            out.line(f"keys[player][{i}] = {out.number(node)};")
                out.line("s->me = me;")
                out.forget({C.ME})
                out.line("u64 best = 1;")
                out.line("num first = 0;")
                with out.block(f"for (num player = 1; player < {players}; player++)"):
                    out.line("num i = 0;")
                    out.line(f"while (i <= {ties} && keys[player][i] == keys[first][i]) i++;")
                    out.line(f"if (i > {ties}) best |= 1ULL << player;")
                    out.line("else if (keys[player][i] > keys[first][i]) best = 1ULL << player, first = player;")
                out.line("return best;")

    def _outside(self) -> None:
        out = self.out
        out.definitions += [
            "typedef struct Door Door;",
            "typedef struct Table Table;",
            "typedef struct Lines Lines;",
            "static num answered(Context *x);",
        ]
        self._start()
        self._transport()
        if self.program.between is not None:
            self._start_after()
        players = self.program.roots["player"].size
        out.lines += [
            "/* ---- what is called from outside ---- */",
            "",
            f"enum {{ PLAYERS = {players}, ROWS = {len(out.scoring)} }};",
            f"enum {{ WIDTH = {out.shape.width}, STRIDE = {self.options.widest} }};",
            "",
            "num game_size(void) { return sizeof(State); }",
            "",
            "/* How much of it follows from the slots; behind it stands what is at hand or not. */",
            f"num game_lasting(void) {{ return {self.lasting()}; }}",
            "",
            "Context *game_open(void) {",
            "    Context *x = calloc(1, sizeof *x);",
            "    if (x) x->arena = malloc(sizeof(int32_t) * ROOM);",
            "    if (x) x->stride = STRIDE, x->enough = INT64_MAX;",
            *(["    if (x) x->clusters = calloc(1, sizeof(Clusters));"] if out.clusters.found else []),
            "    return x;",
            "}",
            "",
            "void game_close(Context *x) {",
            *(
                ["    for (num i = 0; i < MOST_WITHIN; i++) search_free(x->searches[i]);"]
                if self.extending.extends
                else []
            ),
            "    free(x->arena);",
            "    free(x->rows);",
            "    free(x->picks);",
            "    free(x->clusters);",
            "    exchanges_free(x->exchanges);",
            *(
                ["    for (num i = 0; i < MOST_WITHIN; i++) through_free(x->throughs[i]);"]
                if self.program.ahead
                else []
            ),
            "    free(x);",
            "}",
            "",
            "void game_start(State *s, u64 seed) { start(s, seed); }",
            "",
            "/* Goes on to the next decision: what play stands at, or -1 after a fault. */",
            "num game_run(Context *x, State *s) {",
            "    x->searching = x->asking = x->looking = 0;",
            "    if (setjmp(x->out)) return -1;",
            "    return run(x, s);",
            "}",
            "",
            "num game_take(Context *x, State *s, num option) {",
            "    x->searching = x->asking = x->looking = 0;",
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
        if self.program.ahead:
            out.lines += _c_file("through.c").split("\n")
        if self.program.between is not None:
            self._campaigns()
        self._door()

    def _door(self) -> None:
        """What drives plays from outside, decision by decision, and what counts them and writes them down."""
        out = self.out
        out.lines += [
            f"enum {{ STOPS_CHOICE = {CHOICE}, STOPS_OVER = {OVER}, STOPS_TOGETHER = {TOGETHER} }};",
            f"enum {{ STOPS_BROKEN = {BROKEN}, MOST_DRAFTED = {DRAFT_STEPS}, OF_BOTS = {BOT_STREAM} }};",
            f"enum {{ ENDED_VOID = {C.VOID}, ENDED_TIED = {C.TIED}, ENDED_SCORED = {C.SCORED} }};",
            f"enum {{ STILL_RUNNING = {C.RUNNING} }};",
            f"enum {{ STAKES = {int(self.program.stakes)}, AT_POINTS = {POINTS} }};",
            "",
        ]
        with out.function("inline u64 play_seed_of(u64 seed, num number)"):
            out.line(f"return seeded(seed, {PLAYS} + number) >> {64 - SEED_BITS};")
        with out.function("inline void chance_apart(State *s, u64 seed)"):
            out.line("/* Chance of its own; the first stream only puts in order what is hidden. */")
            for i in range(1, HEADER - STREAMS):
                out.line(f"{out.slot(STREAMS + i)} = seeded(seed, {i});")
        out.lines += [*_c_file("door.c").split("\n"), *_c_file("rows.c").split("\n")]

    def lasting(self) -> str:
        out = self.out
        begun = (
            ("unlike", out.alike.tries),
            ("hints0", out.prints.histories),
            ("ready0", out.memos),
            ("spread0", out.spreads),
            ("asked0", out.watched),
        )
        behind = next((name for name, some in begun if some), "")
        return f"__builtin_offsetof(State, {behind})" if behind else "sizeof(State)"

    def _play(self) -> list[str]:
        """Random plays, each written down in a row as `engine.batch` says."""
        players, sources = self.out.shape.players, len(self.out.shape.sources)
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
            *self._whereabouts(),
            "static void settle(Context *x, State *s, num *row) {",
            f"    num points[{max(1, players * sources)}];",
            *(points if sources else []),
            "    row[1] = (num)winners(x, s, points);",
            "    row[0] = s->ended;",
            *(["    if (x->counts) count_whereabouts(x, s);"] if self.program.areas else []),
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
            "    x->searching = x->asking = x->looking = 0;",
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

    def _whereabouts(self) -> list[str]:
        """Where pieces are at the end of a play, counted as `engine.batch` says."""
        out, program = self.out, self.program
        if not program.areas:
            return []
        lines = out.numbers(tuple(out.shape.line(row) for row in program.rows))
        area = f"{out.numbers(program.areas)}[{out.item(program.spots.at, 'piece')}]"
        return [
            "static void count_whereabouts(Context *x, const State *s) {",
            f"    for (num piece = 0; piece < {len(program.rows)}; piece++)",
            f"        x->counts[{lines}[piece] + {area}]++;",
            "}",
            "",
        ]

    def _start_after(self) -> None:
        """What a campaign takes over from play to play: the same as `runtime.campaign` does, which has it by names."""
        out = self.out
        spots = self.program.spots
        with out.function("void start_after(Context *x, State *s, const State *last, u64 seed)"):
            out.line("start(s, seed);")
            for keep in self.program.keep:
                if keep.sort == "place":
                    places = keep.places
                    with out.block(f"for (num spot = {places.start}; spot < {places.stop}; spot++)"):
                        out.line("list kept = lying(x, last, spot);")
                        with out.block("for (num i = 0; i < kept.n; i++)"):
                            out.line("num piece = kept.p[i];")
                            out.line(self.operations.moved("piece", spots.box))
                            out.line(self.operations.moved("piece", "spot"))
                            out.forget({PIECES})
                        out.line("x->top = 0;")
                for base in keep.bases:
                    self._take_over(base)
            out.line("keep_all(s);")

    def _take_over(self, base: int) -> None:
        out = self.out
        member, at = out.places[base]
        assert not at, "values and holders are fields of the layout"
        name = member.name
        if member.length == 1:
            out.line(f"s->{name} = last->{name};")
        else:
            out.line(f"memcpy(s->{name}, last->{name}, sizeof s->{name});")
        out.forget({base})

    def _campaigns(self) -> None:
        """Campaigns at random: each play has chance and a bot of its own, as if it were taken up from a file."""
        out = self.out
        with out.function("num go_on(Context *x, State *s, const State *last, u64 seed, num *row)"):
            out.line("/* The play after `last`, or the first, and what follows on it: 1 if all came to its end. */")
            out.line("num through = 0;")
            out.line(f"x->bot = seeded(seed, {BOT_STREAM});")
            out.line("count_from_here(x);")
            out.line("x->searching = x->asking = x->looking = 0;")
            with out.block("if (setjmp(x->out))"):
                out.line("make_void(row);")
            with out.block("else"):
                out.line("if (last) start_after(x, s, last, seed);")
                out.line("else start(s, seed);")
                with out.block(f"if (played(x, s) == {OVER})"):
                    out.line("settle(x, s, row);")
                    one = out.set_type(self.kinds.slot(C.WINNERS).top) == "set1"
                    out.line(f"s->winners{'' if one else '.w[0]'} = (u64)row[1];")
                    out.forget({C.WINNERS})
                    out.line(f"s->pc = {self.program.between};")
                    out.line("num stop = played(x, s);")
                    out.line(f"through = stop == {DRAFTED} || stop == {OVER};")
            out.line("write_counted(x, row);")
            out.line("return through;")
        out.lines += [
            "/* One play of a campaign. */",
            "num game_go_on(Context *x, State *s, const State *last, u64 seed, num limit, num *row, num *counts) {",
            "    x->limit = limit, x->counts = counts;",
            "    num through = go_on(x, s, last, seed, row);",
            "    x->counts = 0;",
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
        out = self.out
        template = self.program.template
        items = []
        for member in out.members:
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
            size = out.size_of(kept)
            words = (size + 63) // 64
            texts = [f"0x{v:X}ULL" if words == 1 else out.words_literal(v, words) for v in at_start(kept, self.program)]
            items.append(f"    .kept{i} = " + (texts[0] if kept.plain else "{" + ", ".join(texts) + "}"))
        if out.alike.asked:
            heaps, firsts, mixed = out.alike.at_start()
            items.append("    .heaps = {" + ", ".join(f"0x{heap:X}ULL" for heap in heaps) + "}")
            items.append(f"    .firsts = 0x{firsts:X}ULL")
            if out.alike.tries:
                items.append(f"    .mixed = 0x{mixed:X}ULL")
        for i, (first, end) in enumerate(out.prints.kept):
            items.append(f"    .print{i} = 0x{print_at_start(self.program, first, end):X}ULL")
        out.lines += ["static const State TEMPLATE = {", ",\n".join(items), "};", ""]
        with out.function("APART void begin(State *s, const State *from)"):
            out.line("memcpy(s, from, sizeof *s);")
        with out.function("void start(State *s, u64 seed)"):
            out.line("begin(s, &TEMPLATE);")
            for i in range(HEADER - STREAMS):
                out.line(f"{out.slot(STREAMS + i)} = seeded(seed, {i});")

    def _initial(self, member: Any, value: int) -> str:
        if member.kind.sort == SET:
            count = member.words
            return f"0x{value:X}ULL" if count == 1 else self.out.words_literal(value, count)
        return str(int(value)) if member.form != "u64" else f"{value}ULL"

    def _transport(self) -> None:
        """The state as 64-bit words in the order of the layout, and back."""
        out = self.out
        with out.block("void game_export(const State *s, u64 *out)"):
            for member in out.members:
                self._carry(member, False)
        out.line("")
        with out.block("void game_import(State *s, const u64 *in)"):
            out.line("memset(s, 0, sizeof *s);")
            for member in out.members:
                self._carry(member, True)
            out.line("keep_all(s);")
        out.line("")

    def _carry(self, member: Any, inwards: bool) -> None:
        place = f"s->{member.name}" + ("[i]" if member.length != 1 else "")
        text = []
        for w in range(member.words):
            part = place + (f".w[{w}]" if member.words > 1 else "")
            form = "u64" if member.words > 1 or member.form in ("set1", "u64") else member.form
            text.append(f"{part} = ({form})*in++;" if inwards else f"*out++ = (u64){part};")
        loop = f"for (num i = 0; i < {member.length}; i++) " if member.length != 1 else ""
        body = " ".join(text)
        self.out.line(f"{loop}{{ {body} }}" if len(text) > 1 else f"{loop}{body}")

    def slots(self) -> list[tuple[int, bool]]:
        """By slot of the layout: how many words it takes outside, and whether they are a signed number."""
        found = []
        for member in self.out.members:
            signed = member.kind.sort != SET and member.form != "u64"
            found += [(member.words, signed)] * member.length
        return found


def _c_file(name: str) -> str:
    """C that is the same for all games."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def to_c(program: C.Program, without: Off = NONE_OFF) -> str:
    """The C file of a program."""
    return CProgram(program, without).write()


__all__ = ["CProgram", "to_c"]

_THROUGH = """\
enum {{ SLOTS = {slots}, ASKED = {asked} }};
typedef struct Stage Stage;
Context *game_open(void);
void game_close(Context *x);
void game_export(const State *s, u64 *out);
static Through *through_begin(Context *x, const State *s);
static State *through_state(Through *t);
static State *through_next(Context *x, Through *t, num most, num too_far);
static void through_end(Context *x, Through *t);
static void through_free(Through *t);
"""
