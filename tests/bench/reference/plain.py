"""Four games in plain Python, as one writes them by hand: what the generated Python is measured against.

They draw from the same generator as the random bot, from lists of options in the same order as the rules offer them.
So a seed gives the same play as the declared game does, which proves them right. `python plain.py hex 2` prints plays
per CPU second over two seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
BOT_STREAM = 100


def mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class SplitMix:
    """The stream of the random bot in the play of a seed."""

    def __init__(self, seed: int) -> None:
        self.state = mix((mix(seed & MASK) + (BOT_STREAM + 1) * STEP) & MASK)

    def below(self, n: int) -> int:
        """A number below n, without bias; nothing is drawn where there is no choice."""
        if n == 1:
            return 0
        rejected = (1 << 32) % n
        while True:
            self.state = (self.state + STEP) & MASK
            product = (mix(self.state) >> 32) * n
            if product & 0xFFFFFFFF >= rejected:
                return product >> 32


Played = tuple[int, int]  # how many plies, and who won: 0, 1, or -1 for nobody

# ------------------------------------------------------------------------------------------------ tic-tac-toe

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
ROWS_OF = [[row for row in ROWS if cell in row] for cell in range(9)]


def tic_tac_toe(seed: int) -> Played:
    random = SplitMix(seed)
    board: list[int | None] = [None] * 9
    empty = list(range(9))
    for ply in range(9):
        player = ply % 2
        cell = empty.pop(random.below(len(empty)))
        board[cell] = player
        if any(board[a] == board[b] == board[c] for a, b, c in ROWS_OF[cell]):
            return ply + 1, player
    return 9, -1


# ----------------------------------------------------------------------------------------------- connect four

WIDTH, HEIGHT = 7, 6


def connect_four(seed: int) -> Played:
    random = SplitMix(seed)
    board: list[int | None] = [None] * (WIDTH * HEIGHT)
    landing = list(range(WIDTH))  # where a disc can come to lie, from the lowest row up
    for ply in range(WIDTH * HEIGHT):
        player = ply % 2
        cell = landing.pop(random.below(len(landing)))
        board[cell] = player
        if four(board, cell, player):
            return ply + 1, player
        if cell + WIDTH < len(board):
            landing.append(cell + WIDTH)
            landing.sort()
    return WIDTH * HEIGHT, -1


def four(board: list[int | None], cell: int, player: int) -> bool:
    """Whether four in a row go through a cell."""
    y, x = divmod(cell, WIDTH)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            cx, cy = x + sign * dx, y + sign * dy
            while 0 <= cx < WIDTH and 0 <= cy < HEIGHT and board[cy * WIDTH + cx] == player:
                length += 1
                cx, cy = cx + sign * dx, cy + sign * dy
        if length >= 4:
            return True
    return False


# ----------------------------------------------------------------------------------------------- Breakthrough


def _ways(square: int, up: int) -> list[tuple[int, bool]]:
    """Where a pawn may go, in the order of the board, and whether it may take there."""
    y, x = divmod(square, 8)
    return [((y + up) * 8 + x + side, side != 0) for side in (-1, 0, 1) if 0 <= x + side < 8 and 0 <= y + up < 8]


WAYS = [[_ways(square, up) for square in range(64)] for up in (1, -1)]


def breakthrough(seed: int) -> Played:
    random = SplitMix(seed)
    board: list[int | None] = [0] * 16 + [None] * 32 + [1] * 16
    pawns: list[list[int | None]] = [list(range(16)), list(range(48, 64))]  # where each is; none if it was taken
    ply = 0
    while True:
        player = ply % 2
        moves = []
        for pawn, square in enumerate(pawns[player]):
            if square is not None:
                for to, takes in WAYS[player][square]:
                    if board[to] is None or (takes and board[to] != player):
                        moves.append((pawn, square, to))
        pawn, square, to = moves[random.below(len(moves))]
        foes = pawns[1 - player]
        if board[to] is not None:
            foes[foes.index(to)] = None
        board[square], board[to] = None, player
        pawns[player][pawn] = to
        ply += 1
        if to // 8 == (7, 0)[player] or all(foe is None for foe in foes):
            return ply, player


# -------------------------------------------------------------------------------------------------------- Hex

SIZE = 11
LOW, HIGH = SIZE * SIZE, SIZE * SIZE + 1  # the two sides of a player, as if they were cells


def _beside(cell: int) -> list[int]:
    r, q = divmod(cell, SIZE)
    around = ((r - 1, q), (r - 1, q + 1), (r, q - 1), (r, q + 1), (r + 1, q - 1), (r + 1, q))
    return [r * SIZE + q for r, q in around if 0 <= r < SIZE and 0 <= q < SIZE]


BESIDE = [_beside(cell) for cell in range(SIZE * SIZE)]


def hex(seed: int) -> Played:
    random = SplitMix(seed)
    board: list[int | None] = [None] * (SIZE * SIZE)
    empty = list(range(SIZE * SIZE))
    groups = [list(range(SIZE * SIZE + 2)) for _ in range(2)]  # the parent of each cell, for each player

    def root(parent: list[int], cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    ply = 0
    while True:
        player = ply % 2
        cell = empty.pop(random.below(len(empty)))
        board[cell] = player
        ply += 1
        parent = groups[player]
        height = divmod(cell, SIZE)[player]
        if height == 0:
            parent[root(parent, cell)] = root(parent, LOW)
        if height == SIZE - 1:
            parent[root(parent, cell)] = root(parent, HIGH)
        for other in BESIDE[cell]:
            if board[other] == player:
                parent[root(parent, other)] = root(parent, cell)
        if root(parent, LOW) == root(parent, HIGH):
            return ply, player


GAMES: dict[str, Callable[[int], Played]] = {
    "tic-tac-toe": tic_tac_toe,
    "connect-four": connect_four,
    "breakthrough": breakthrough,
    "hex": hex,
}


def main() -> None:
    play, most = GAMES[sys.argv[1]], float(sys.argv[2])
    start, plays = time.process_time(), 0
    while time.process_time() - start < most:
        play(plays)
        plays += 1
    sys.stdout.write(f"{plays / (time.process_time() - start):.0f} plays per second\n")


if __name__ == "__main__":
    main()
