"""How those tend to decide who do well: weights of the traits of options, learnt from plays.

Traits of an option are what it is, each of its values, and what it is while who decides has so much of this or that.
`generate/manner.c` decides the same way, number for number.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ruledsl.engine.options import DONE, NOTHING, STOP, STRIDE, piece_columns, staged
from ruledsl.engine.random import draw, scrambled
from ruledsl.generate.c_search import FACTORS, counted
from ruledsl.ir import core as C
from ruledsl.types import Elem, bits

from .judge import POWERS, entries, kept_files, marked, write_entry
from .practice import printed_on, what_is_printed

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

State = list[int]
Raw = tuple[Any, ...]
FORM, FORM_OF_PAIRS, FORM_OF_PARTS = 1, 2, 3  # of what is kept
MANNERED = 1 << 13  # traits are told apart by so many numbers
PAIRED = 1 << 16  # and those that are made of a value and an amount by so many
MOST_LAID, MOST_PARTS = 24, 32  # kinds of pieces that are counted where they lie, and parts of kinds
MOST_PRINTS, MOST_WORDS = 3, 8  # words that are printed on a piece, of so many that there are
SORTS = 1 + MOST_PRINTS  # a piece is of its kind, and of those of its kind on which the same word is printed
MOST_AMOUNTS = 40
SO_MUCH, MOST_ROUNDS, LONGEST_MENU = 6, 15, 1024
LEAST_SHARE = 600  # of the attention that the likeliest option has 65536 of, each has so much at least
OTHERS = (NOTHING, DONE, STOP)  # options that are none of a menu
_MASK = (1 << 64) - 1


class Traits:
    """How the options of a configured game are looked at."""

    def __init__(self, configured: Configured) -> None:
        self.program = configured.machine.program
        self.players = len(configured.players)
        self.first: list[int] = []
        self.code: list[int] = []
        self.length: list[int] = []
        self._lines()
        self.amount = self._amounts()[:MOST_AMOUNTS]
        self.mark = self._mark()
        self.counted: list[tuple[int, int]] | None = None
        self.columns, self.spots = -1, configured.machine.program.spots.count
        self.apart = 0  # columns of parts of kinds; they come last
        self.laid: list[int] = []
        self.whose = [-1] * self.spots
        self.sorts: list[int] = []

    def _mark(self) -> str:
        """The same for rules under which options are looked at in the same way."""
        fields = self.program.layout.fields
        amounts = [[(fields[field].name, index) for field, index in each] for each in self.amount]
        return marked(["manner", self.code, self.length, amounts, self.players])

    def _lines(self) -> None:
        """By decision of the rules and entry of its menu: what it is called, and how many values it has."""
        times: dict[str, int] = {}
        for block in self.program.blocks:
            self.first.append(len(self.code) + len(OTHERS))
            if not isinstance(block.end, C.Choice):
                continue
            choice = block.end
            called = [("", 1)] * len(OTHERS) + [
                (entry.name, 1 if staged(entry) else len(entry.variables)) for entry in choice.entries
            ]
            menu = f"{choice.name}/{'/'.join(entry.name for entry in choice.entries)}"
            times[menu] = times.get(menu, 0) + 1
            for number, (name, length) in enumerate(called):
                code = crc32(f"{menu}:{times[menu]}:{number}:{name}".encode())
                self.code.append(code - (1 << 32) if code >> 31 else code)
                self.length.append(length if number >= len(OTHERS) else 0)

    def _amounts(self) -> list[list[tuple[int, int]]]:
        """What may matter for a decision: numbers that all share, and those of each player."""
        found = []
        for number, field in enumerate(self.program.layout.fields):
            if field.kind == "state" or not counted(field) or isinstance(field.type, Elem):
                continue
            items = field.width if field.kind == "pool" else 1
            if field.count == 1 and self.players > 1 and field.kind == "value" and field.width == 1:
                found.append([(number, 0)] * self.players)
            elif field.count == self.players and (field.kind == "pool" or field.width == 1):
                for item in range(items):
                    found.append([(number, player * field.width + item) for player in range(self.players)])
        return found

    def pair(self, configured: Configured, counted: Sequence[tuple[int, int]]) -> None:
        """From here on pairs of a value and an amount count, too, and how many pieces of a sort lie somewhere."""
        kinds, groups = len(configured.world.kinds), groups_of(configured)
        sorts, self.sorts = sorts_of(configured)
        self.counted = [*counted]
        self.columns, self.laid = len(counted), [-1] * self.spots * sorts
        self.apart = sum(sort >= kinds for sort, _ in counted)
        for first, count, per_player in groups:
            for i in range(count if per_player else 0):
                self.whose[first + i] = i // (count // self.players)
        for column, (sort, group) in enumerate(counted):
            first, count, _ = groups[group]
            self.laid[sort * self.spots + first : sort * self.spots + first + count] = [column] * count

    def amounts(self, v: State, seat: int) -> list[tuple[int, int]]:
        """What who decides has of all that may matter."""
        fields = self.program.layout.fields
        found = [(64, min(max(v[C.ROUND], 0), MOST_ROUNDS))]
        for number, each in enumerate(self.amount):
            field, index = each[seat]
            found.append((65 + number, min(max(v[fields[field].base + index], 0), SO_MUCH)))
        return found + self._lying(v, seat)

    def _lying(self, v: State, seat: int) -> list[tuple[int, int]]:
        """How many pieces of a kind lie somewhere, where that counts."""
        if self.columns <= 0:
            return []
        lying, at = [0] * self.columns, self.program.spots.at
        for number, sort in enumerate(self.sorts):
            spot = v[at + number // SORTS]
            column = self.laid[sort * self.spots + spot] if sort >= 0 else -1
            if column >= 0 and self.whose[spot] in (-1, seat):
                lying[column] += 1
        return [
            (65 + MOST_AMOUNTS + column, many if many < 8 else min(7 + many // 8, 15))
            for column, many in enumerate(lying)
        ]

    def of(self, v: State, raw: Raw, amounts: Sequence[tuple[int, int]]) -> list[int]:
        """The traits of an option."""
        line = self.first[v[C.PC]] + raw[0]
        code = everything = self.code[line] & 0xFFFFFFFF
        length = self.length[line]
        found = [_trait(code, 0, 0)]
        for i in range(1, length + 1):
            value = raw[i] & 0xFFFFFFFF
            found.append(_trait(code, i, value))
            everything = scrambled(everything ^ value)
        if length > 1:
            found.append(_trait(everything, STRIDE + 8, 0))
        found += [_trait(code, sort, value) for sort, value in amounts]
        return found + (self._pairs(v, raw, length, code, amounts) if self.columns >= 0 and length else [])

    def _pairs(self, v: State, raw: Raw, length: int, code: int, amounts: Sequence[tuple[int, int]]) -> list[int]:
        """What each value of an option means while one has so much of this or that. A piece counts as those like it,
        and by each word that is printed on it; only those words go with parts of kinds, or there would be no end."""
        found = []
        whole = amounts[: len(amounts) - self.apart]
        choice = self.program.blocks[v[C.PC]].end
        assert isinstance(choice, C.Choice)
        pieces = piece_columns(v, choice, raw)
        for i in range(1, length + 1):
            piece = raw[i] >= 0 and i in pieces
            value = self.program.rows[raw[i]] + (1 << 20) if piece else raw[i] & 0xFFFFFFFF
            value = scrambled(code * 64 + i + value * FACTORS[0] & _MASK)
            found += [_pair(value, 0), *(_pair(value, sort << 8 | much) for sort, much in whole)]
            for sort_of_it in self.sorts[raw[i] * SORTS + 1 : (raw[i] + 1) * SORTS] if piece and self.apart else ():
                if sort_of_it >= 0:
                    value = scrambled(code * 64 + i + (sort_of_it + (1 << 21)) * FACTORS[0] & _MASK)
                    found += [_pair(value, 0), *(_pair(value, sort << 8 | much) for sort, much in amounts)]
        return found


def groups_of(configured: Configured) -> list[tuple[int, int, bool]]:
    """The spots of each board and place: the first, how many there are, and whether each player has as many."""
    world, places = configured.world, configured.machine.program.spots.first_place
    boards = [(board.first_spot, board.root.size, board.per_player) for board in world.boards]
    return boards + [(places + one.first, one.count, one.key == "player") for one in world.place_infos]


def sorts_of(configured: Configured) -> tuple[int, list[int]]:
    """How many sorts of pieces there are: kinds first, then those of a kind with the same word on them, or in the same
    row of few. And of each piece its sorts, SORTS of them, -1 where it has fewer."""
    world, number = configured.world, len(configured.world.kinds)
    printed = [one for one in printed_on(world.pieces) if isinstance(one.type, Elem) and one.type.root.kind == "enum"]
    found = [-1] * (world.pieces.size * SORTS)
    for kind, each in enumerate(world.kinds):
        at, parts, rows = 1, list[dict[int, int]](), configured.machine.program.rows
        own = each.count // len(configured.players) if each.per_player else each.count  # each player has the same ones
        ways = list[dict[int, int | None]]()
        for attribute in printed:
            ways.append({piece: what_is_printed(attribute, piece) for piece in bits(each.mask)})
        ways.append({piece: rows[each.first + (piece - each.first) % own] for piece in bits(each.mask)})
        for words in ways:
            told = sorted({word for word in words.values() if word is not None})
            part = {piece: number + told.index(word) for piece, word in words.items() if word is not None}
            alike = {piece: sort - number for piece, sort in part.items()}
            if at < SORTS and 1 < len(told) <= MOST_WORDS and alike not in parts:
                parts.append(alike)
                for piece, sort in part.items():
                    found[piece * SORTS + at] = sort
                at, number = at + 1, number + len(told)
        for piece in bits(each.mask):
            found[piece * SORTS] = kind
    return number, found


def _pair(value: int, amount: int) -> int:
    return MANNERED + (scrambled(value * 0x100000001B3 + amount & _MASK) & (PAIRED - 1))


def _trait(code: int, sort: int, value: int) -> int:
    return scrambled((code * 0x100000001B3 + sort * 0x10001 + value) & _MASK) & (MANNERED - 1)


class Manner:
    """Decides as was learnt."""

    def __init__(self, traits: Traits, weights: list[int]) -> None:
        self.traits, self.weights = traits, weights
        self._kept: list[Any] = []

    def likely(self, v: State, seat: int, options: Sequence[Raw]) -> list[int] | None:
        """How likely each option is, against the likeliest, which has WHOLE; nothing is told of very long menus."""
        if len(options) > LONGEST_MENU:
            return None
        traits, weights = self.traits, self.weights
        amounts = traits.amounts(v, seat)
        stands = [sum(weights[trait] for trait in traits.of(v, raw, amounts)) for raw in options]
        best = max(stands)
        return [POWERS[min(best - one, len(POWERS) - 1)] for one in stands]

    def take(self, v: State, seat: int, options: Sequence[Raw], stream: list[int]) -> int:
        """Which of the options is taken, by chance."""
        if len(options) == 1:
            return 0
        likely = self.likely(v, seat, options)
        if likely is None:
            return draw(stream, 0, len(options))
        left, i = draw(stream, 0, sum(likely)), 0
        while left >= likely[i]:
            left -= likely[i]
            i += 1
        return i

    def shares(self, v: State, seat: int, options: Sequence[Raw]) -> list[int] | None:
        """What part of the attention each option is due: all together WHOLE. It is how likely they are, and a little
        for each, for who looks ahead shall see what is seldom taken, too."""
        likely = self.likely(v, seat, options)
        if likely is None:
            return None
        total = sum(likely) + LEAST_SHARE * len(likely)
        return [(one + LEAST_SHARE << 16) // total for one in likely]

    def native(self) -> Any:
        """The same for compiled code; what it points to lives as long as this."""
        traits = self.traits
        if not self._kept:
            amounts = [x for each in traits.amount for one in each for x in one]
            tables: list[Sequence[int]] = [traits.first, traits.code, traits.length, amounts, self.weights, POWERS]
            tables += [traits.laid, traits.whose, traits.sorts, traits.program.rows]
            arrays = [array("i", [*table, 0]) for table in tables]
            head = array("q", [one.buffer_info()[0] for one in arrays])
            head.extend([len(traits.amount), traits.columns, traits.apart, traits.spots])
            self._kept = [head, *arrays]
        return ctypes.c_void_p(self._kept[0].buffer_info()[0])


# ------------------------------------------------------------------------------------------------ what is kept


def found_manner(configured: Configured, path: Path) -> Manner | None:
    """The manner that was learnt of a game under these rules, if one was."""
    files = [file for file in kept_files(path, configured.rules) if file.exists()]
    traits = Traits(configured) if files else None
    for file in files:
        assert traits is not None
        kept = entries(file).get(traits.mark)
        try:
            if kept is None or kept["form"] not in (FORM, FORM_OF_PAIRS, FORM_OF_PARTS):
                continue
            weights = [0] * (MANNERED + PAIRED)
            if kept["form"] == FORM_OF_PARTS and kept["sorts"] != marked(sorts_of(configured)):
                continue
            if kept["form"] != FORM:
                traits.pair(configured, [(sort, group) for sort, group in kept["laid"]])
            for trait, weight in kept["manner"]:
                weights[trait] = weight
        except (ValueError, KeyError, TypeError, IndexError):
            continue
        return Manner(traits, weights)
    return None


def keep_manner(file: Path, manner: Manner, configured: Configured) -> None:
    """Writes a manner down, beside what the file holds already."""
    counted, apart = manner.traits.counted, manner.traits.apart
    kept = {
        "form": FORM if counted is None else FORM_OF_PARTS if apart else FORM_OF_PAIRS,
        "players": manner.traits.players,
        **({} if counted is None else {"laid": counted}),
        **({"sorts": marked(sorts_of(configured))} if apart else {}),
        "manner": [[trait, weight] for trait, weight in enumerate(manner.weights) if weight],
    }
    write_entry(file, manner.traits.mark, kept)


__all__ = ["MANNERED", "Manner", "Traits", "found_manner", "groups_of", "keep_manner", "sorts_of"]
