"""Search in compiled code: the program of a game, and `search.c` and what follows on it, in a library of its own."""

from __future__ import annotations

from pathlib import Path

from ruledsl.engine import amounts
from ruledsl.engine.options import STRIDE, names_pieces, staged
from ruledsl.ir import core as C
from ruledsl.ir.core import STREAM_NAMES, STREAMS
from ruledsl.types import Bool, Elem, Num

from .c_program import CProgram
from .c_state import BROKEN, CHOICE, DRAFTED, OVER, TOGETHER

# By what each value of an option is multiplied in the hash by which the option is found again: powers of an odd number.
FACTORS = [pow(0x9FB21C651E98DF25, i + 1, 1 << 64) for i in range(STRIDE)]
FILES = ("manner.c", "search.c", "amounts.c", "judged.c", "tree.c", "guessed.c", "mixed.c", "learning.c")
POINTS_COUNT = 1  # eighths of what a play is worth that its points decide; the rest is who wins


class SearchProgram(CProgram):
    """The C file of a program that also finds out which option is best, by many plays on from a state."""

    whole_rows = judges = lists = True
    in_secret = "(x->tree ? chosen_in_secret(x, &copy, seat) : decided(x, x->count))"

    def _outside(self) -> None:
        out = self.out
        super()._outside()
        streams = [out.slot(STREAMS + i) for i in range(len(STREAM_NAMES))]
        chances = any(isinstance(block.end, C.Chance) for block in self.program.blocks)
        out.definitions += [  # the files below use each other's types
            "typedef struct Tree Tree;",
            "typedef struct Node Node;",
            "typedef struct Edge Edge;",
            "typedef struct Habit Habit;",
            "typedef struct Judge Judge;",
            "typedef struct Alpha Alpha;",
            "typedef struct Entry Entry;",
            "typedef struct Level Level;",
            "typedef struct Manner Manner;",
            "typedef struct Amounts Amounts;",
            "typedef struct Lesson Lesson;",
            "typedef struct Mixed Mixed;",
            "typedef struct Mix Mix;",
            "typedef struct Later Later;",
            "typedef struct Laters Laters;",
            "typedef struct Named Named;",
            "static u64 key_of(num at, num seat, const int32_t *row);",
        ]
        out.lines += [
            f"enum {{ STOP_CHOICE = {CHOICE}, STOP_OVER = {OVER}, STOP_TOGETHER = {TOGETHER} }};",
            f"enum {{ STOP_DRAFTED = {DRAFTED}, BROKEN_OFF = {BROKEN} }};",
            f"enum {{ ENDED_WON = {C.WON} }};",
            f"enum {{ LOWEST = {int(out.lowest)}, CHANCES = {int(chances)}, POINTS_COUNT = {POINTS_COUNT} }};",
            f"#define LASTING {self.lasting()}",
        ]
        with out.function("inline void streams_apart(State *s, u64 seed)"):
            out.line("/* Chance of its own; the first stream only puts in order what is hidden. */")
            for i, stream in enumerate(streams[1:], 1):
                out.line(f"{stream} = seed ? seeded(seed, {i}) : 0;")
        with out.function("inline u64 chance_of(const State *s)"):
            out.line("/* Another number once something was drawn. */")
            out.line(f"return {' + '.join(streams[1:])};")
        factors = ", ".join(f"{factor}u" for factor in FACTORS[: self.options.widest])
        out.line(f"static const u64 factors[] = {{{factors}}};  /* of the values of an option, in what finds it */")
        self._told()
        self._amounts()
        self._judged()
        ahead = ["alphabeta.c"] if against_each_other(self.program) else []
        for name in (*FILES, *ahead):
            out.lines += (Path(__file__).parent / name).read_text(encoding="utf-8").split("\n")

    def _amounts(self) -> None:
        """In which number options differ that are alike but for an amount."""
        out = self.out
        found = {at: amounts.columns(choice) for at, choice in out.choices.items()}
        out.line(f"enum {{ AMOUNTS = {int(any(found.values()))}, MANY_AMOUNTS = {amounts.MANY} }};")
        with out.function("inline num amount_column(const State *s, const int32_t *row)"):
            for at, columns in found.items():
                for entry, column in columns.items():
                    out.line(f"if (s->pc == {at} && row[0] == {entry}) return {column};")
            out.line("return 0;")

    def _judged(self) -> None:
        """What a position is judged by: where pieces are, what fields hold that are numbers, and what the rules say is
        good for a player."""
        out = self.out
        out.line(f"enum {{ SAID_GOOD = {len(out.heuristic)} }};")
        self.for_each_player("said_good", out.heuristic)
        spots = self.program.spots
        pieces = self.program.roots["piece"].size
        out.line(f"enum {{ PIECES = {pieces}, FIRST_PLACE = {spots.first_place} }};")
        with out.function("inline num lies_at(const State *s, num piece)"):
            out.line(f"return {out.item(spots.at, 'piece')};" if pieces else "return 0;")
        with out.function("num field_at(const State *s, num field, num i)"), out.block("switch (field)"):
            for number, field in enumerate(self.program.layout.fields):
                if counted(field):
                    out.line(f"case {number}: return (num){out.item(field.base, 'i')};")
            out.line("default: return 0;")

    def _decides(self, at: int, number: int | None) -> None:
        """What is taken behind the tree is noted, by what finds it again."""
        out = self.out
        if number is None:
            out.line("note_option(x, key_of(s->pc, seat, row), seat);")
            return
        variables = out.choices[at].entries[number].variables if number >= 0 else ()
        parts = [f"{at * 64 + 1}u + (u64)seat + {(number % (1 << 32)) * FACTORS[0] % (1 << 64)}u"]
        parts += [f"(u64)(uint32_t){out.slot(one.slot)} * {FACTORS[i]}u" for i, one in enumerate(variables, 1)]
        out.line(f"if (x->noting) note_option(x, mixed({' + '.join(parts)}) | 1, seat);")

    def _told(self) -> None:
        """What others are told of an option: which of its numbers are pieces, where those are, and who knows them."""
        out = self.out
        with out.function("num piece_columns(const State *s, const int32_t *row)"):
            out.line("/* A bit for each number of an option that is a piece. */")
            with out.block("switch (s->pc)"):
                for at, choice in out.choices.items():
                    self._columns(at, choice)
            out.line("return 0;")
        spots = self.program.spots
        with out.function("inline num spot_of(const State *s, num piece)"):
            out.line(f"return {out.item(spots.at, 'piece')};" if out.hides else "return 0;")
        with out.function("inline num row_of_piece(num piece)"):
            rows = out.numbers(tuple(self.program.rows)) if out.hides else ""
            out.line(f"return {rows}[piece];" if rows else "return piece;")
        with out.function("inline num known_to(Context *x, State *s, num piece, num player)"):
            if not out.hides:
                out.line("return 1;")
            else:
                seers = "knowers(x, s, piece)"
                out.line(f"return {out.op('has', ['player', seers], self.program.roots['player'].size)};")

    def _columns(self, at: int, choice: C.Choice) -> None:
        """The case of one menu: its entries with pieces among their values."""
        out = self.out
        masks = [
            sum(2 << i for i, variable in enumerate(entry.variables) if names_pieces(variable))
            for entry in choice.entries
        ]
        if not any(masks):
            return
        with out.block(f"case {at}:"):
            with out.block("switch (row[0])"):
                for number, (entry, mask) in enumerate(zip(choice.entries, masks, strict=True)):
                    if not mask:
                        continue
                    if staged(entry):
                        assert choice.stage is not None
                        stage = out.slot(choice.stage)
                        position = f"({stage} ? ({stage} - 1) % {STRIDE} : 0)"
                        out.line(f"case {number}: return 0x{mask:X} >> {position} & ~1;")
                    else:
                        out.line(f"case {number}: return 0x{mask:X};")
            out.line("return 0;  /* other options name no pieces */")


def against_each_other(program: C.Program) -> bool:
    """Whether two players decide one after the other, with nothing hidden and no chance once play has begun."""
    ends = [block.end for block in program.blocks]
    chances = any(isinstance(end, C.Chance) for end in ends)
    at_once = any(isinstance(end, C.Together) for end in ends)
    return program.roots["player"].size == 2 and program.spots.known < 0 and not chances and not at_once


def counted(field: C.Field) -> bool:
    """Whether a field holds numbers that say what somebody has, or how a piece is."""
    if field.kind == "pool":
        return field.count * field.width > 1
    return field.kind in ("value", "state") and field.width == 1 and isinstance(field.type, Num | Bool | Elem)


__all__ = ["POINTS_COUNT", "SearchProgram", "against_each_other", "counted"]
