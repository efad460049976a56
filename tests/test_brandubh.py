"""Brandubh a second time, in plain Python: the same moves, captures and ends over random plays."""

from __future__ import annotations

import random

import pytest

import ruledsl
from games import ROOT

THRONE = (3, 3)
CORNERS = {(0, 0), (0, 6), (6, 0), (6, 6)}
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BOARD = {(3, y): "a" for y in (0, 1, 5, 6)} | {(x, 3): "a" for x in (0, 1, 5, 6)}
BOARD |= {(3, 2): "d", (3, 4): "d", (2, 3): "d", (4, 3): "d", THRONE: "k"}


class Told:
    """A position: what stands where (a, d or k), and whose turn it is."""

    def __init__(self) -> None:
        self.at, self.mover, self.quiet = dict(BOARD), "a", 0
        self.past: list[tuple[str, frozenset[tuple[tuple[int, int], str]]]] = []
        self.winner = ""

    def mine(self, square: tuple[int, int]) -> bool:
        return square in self.at and (self.at[square] == "a") == (self.mover == "a")

    def moves(self) -> set[tuple[tuple[int, int], tuple[int, int]]]:
        found = set()
        for start in filter(self.mine, self.at):
            for dx, dy in STEPS:
                x, y = start[0] + dx, start[1] + dy
                while 0 <= x <= 6 and 0 <= y <= 6 and (x, y) not in self.at:
                    if self.at[start] == "k" or (x, y) not in CORNERS | {THRONE}:
                        found.add((start, (x, y)))
                    x, y = x + dx, y + dy
        return found

    def hostile(self, square: tuple[int, int]) -> bool:
        return self.mine(square) or square in CORNERS or (square == THRONE and square not in self.at)

    def go(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.at[end] = self.at.pop(start)
        self.quiet += 1
        beside = [((end[0] + dx, end[1] + dy), (end[0] + 2 * dx, end[1] + 2 * dy)) for dx, dy in STEPS]
        enemy = "d" if self.mover == "a" else "a"
        taken = [one for one, behind in beside if self.at.get(one) == enemy and self.hostile(behind)]
        for one in taken:
            del self.at[one]
            self.quiet = 0
        caught = self.mover == "a" and any(
            self.at.get(one) == "k" and (self.surrounded(one) if self.sheltered(one) else self.hostile(behind))
            for one, behind in beside
        )
        if caught or CORNERS & {square for square, what in self.at.items() if what == "k"}:
            self.winner = self.mover
        self.mover = enemy

    def sheltered(self, king: tuple[int, int]) -> bool:
        return abs(king[0] - 3) + abs(king[1] - 3) <= 1

    def surrounded(self, king: tuple[int, int]) -> bool:
        return all(self.hostile((king[0] + dx, king[1] + dy)) for dx, dy in STEPS)

    def drawn(self) -> bool:
        """Asked before each turn: the third time the same, or a hundred moves without a capture."""
        now = (self.mover, frozenset(self.at.items()))
        self.past.append(now)
        return self.past.count(now) == 3 or self.quiet == 100


def named(square: tuple[int, int]) -> str:
    return f"{'abcdefg'[square[0]]}{square[1] + 1}"


@pytest.mark.parametrize("seed", range(40))
def test_both_tellings_agree(seed: int) -> None:
    play, told, chance = ruledsl.load(ROOT / "examples/brandubh.yaml").start(), Told(), random.Random(seed)
    while True:
        drawn = not told.winner and told.drawn()
        moves = {f"{named(start)}-{named(end)}": (start, end) for start, end in told.moves()}
        if told.winner or drawn or not moves:
            break
        options = {str(option.text): option for option in play.options()}
        assert set(options) == set(moves)
        move = chance.choice(sorted(moves))
        play.choose(options[move])
        told.go(*moves[move])
    assert play.over
    if drawn:
        assert play.ending == "tied"
    else:
        loser = "" if told.winner else told.mover
        assert play.winners == [0 if told.winner == "a" or loser == "d" else 1]
