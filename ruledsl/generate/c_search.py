"""Search in compiled code: the program of a game, and `search.c` behind it, in a library of its own."""

from __future__ import annotations

from pathlib import Path

from ruledsl.engine.options import STRIDE, names_pieces, staged
from ruledsl.ir import core as C
from ruledsl.ir.core import STREAM_NAMES, STREAMS
from ruledsl.types import Bool, Elem, Num

from .c_program import CProgram
from .c_state import BROKEN, CHOICE, DRAFTED, OVER, TOGETHER

POINTS_COUNT = 1  # eighths of what a play is worth that its points decide; the rest is who wins


class SearchProgram(CProgram):
    """The C file of a program that also finds out which option is best, by many plays on from a state."""

    whole_rows = True
    decided_in_secret = "(x->tree ? chosen_in_secret(x, &copy, seat) : decided(x, x->count))"

    def _outside(self) -> None:
        super()._outside()
        streams = [self.slot(STREAMS + i) for i in range(len(STREAM_NAMES))]
        chances = any(isinstance(block.end, C.Chance) for block in self.program.blocks)
        self.definitions += [
            "typedef struct Tree Tree;",
            "typedef struct Node Node;",
            "typedef struct Edge Edge;",
            "typedef struct Habit Habit;",
            "typedef struct Judge Judge;",
        ]
        self.lines += [
            f"enum {{ STOP_CHOICE = {CHOICE}, STOP_OVER = {OVER}, STOP_TOGETHER = {TOGETHER} }};",
            f"enum {{ STOP_DRAFTED = {DRAFTED}, BROKEN_OFF = {BROKEN} }};",
            f"enum {{ ENDED_WON = {C.WON} }};",
            f"enum {{ LOWEST = {int(self.lowest)}, CHANCES = {int(chances)}, POINTS_COUNT = {POINTS_COUNT} }};",
            f"#define LASTING {self._lasting()}",
        ]
        with self.function("inline void streams_apart(State *s, u64 seed)"):
            self.line("/* Chance of its own; the first stream only puts in order what is hidden. */")
            for i, stream in enumerate(streams[1:], 1):
                self.line(f"{stream} = seed ? seeded(seed, {i}) : 0;")
        with self.function("inline u64 chance_of(const State *s)"):
            self.line("/* Another number once something was drawn. */")
            self.line(f"return {' + '.join(streams[1:])};")
        self._told()
        self._judged()
        self.lines += (Path(__file__).parent / "search.c").read_text(encoding="utf-8").split("\n")

    def _judged(self) -> None:
        """What a position is judged by: where pieces are, and what fields hold that are numbers."""
        spots = self.program.spots
        pieces = self.program.roots["piece"].size
        self.line(f"enum {{ PIECES = {pieces} }};")
        with self.function("inline num lies_at(const State *s, num piece)"):
            self.line(f"return {self.item(spots.at, 'piece')};" if pieces else "return 0;")
        with self.function("num field_at(const State *s, num field, num i)"), self.block("switch (field)"):
            for number, field in enumerate(self.program.layout.fields):
                if counted(field):
                    self.line(f"case {number}: return (num){self.item(field.base, 'i')};")
            self.line("default: return 0;")

    def _told(self) -> None:
        """What others are told of an option: which of its numbers are pieces, where those are, and who knows them."""
        with self.function("num piece_columns(const State *s, const int32_t *row)"):
            self.line("/* A bit for each number of an option that is a piece. */")
            if self.hides:
                with self.block("switch (s->pc)"):
                    for at, choice in self.choices.items():
                        self._columns(at, choice)
            self.line("return 0;")
        spots = self.program.spots
        with self.function("inline num spot_of(const State *s, num piece)"):
            self.line(f"return {self.item(spots.at, 'piece')};" if self.hides else "return 0;")
        with self.function("inline num row_of_piece(num piece)"):
            rows = self.numbers(tuple(self.program.rows)) if self.hides else ""
            self.line(f"return {rows}[piece];" if rows else "return piece;")
        with self.function("inline num known_to(Context *x, State *s, num piece, num player)"):
            if not self.hides:
                self.line("return 1;")
            else:
                seers = "knowers(x, s, piece)"
                self.line(f"return {self.op('has', ['player', seers], self.program.roots['player'].size)};")

    def _columns(self, at: int, choice: C.Choice) -> None:
        masks = []
        for entry in choice.entries:
            pieces = [bool(names_pieces(variable)) for variable in entry.variables]
            if any(pieces):
                masks.append((entry, pieces))
        if not masks:
            return
        with self.block(f"case {at}:"), self.block("switch (row[0])"):
            for number, entry in enumerate(choice.entries):
                pieces = [names_pieces(variable) for variable in entry.variables]
                if not any(pieces):
                    continue
                if staged(entry):
                    assert choice.stage is not None
                    stage = self.slot(choice.stage)
                    mask = sum(2 << i for i, piece in enumerate(pieces) if piece)
                    position = f"({stage} ? ({stage} - 1) % {STRIDE} : 0)"
                    self.line(f"case {number}: return 0x{mask:X} >> {position} & ~1;")
                else:
                    self.line(f"case {number}: return 0x{sum(2 << i for i, piece in enumerate(pieces) if piece):X};")
        # other options name no pieces


def counted(field: C.Field) -> bool:
    """Whether a field holds numbers that say what somebody has, or how a piece is."""
    if field.kind == "pool":
        return field.count * field.width > 1
    return field.kind in ("value", "state") and field.width == 1 and isinstance(field.type, Num | Bool | Elem)


__all__ = ["POINTS_COUNT", "SearchProgram", "counted"]
