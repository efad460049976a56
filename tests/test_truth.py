"""Truth from outside: how many ways known games can go, as published.

Chess: the Chess Programming Wiki, "Perft Results". Reversi, English draughts: perft lists of Aart Bik and others.
Connect four, tic-tac-toe, Breakthrough: counted by hand at these depths (nothing can end or be blocked yet), and
the 255,168 games of tic-tac-toe are folklore. A turn counts once, however many decisions it takes. The 2,176 first
turns of Amazons stand in most papers about it; those of gomoku are counted by hand.

Go: the number of positions is A094777 of the OEIS (Tromp and Farnebäck, "Combinatorics of Go"); who gives the ending
positions and their areas stands beside them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from backgammon_oracle import plays
from openspiel_dice import reached

import ruledsl
from ruledsl.engine.machine import Machine, Stop
from ruledsl.ir.core import ME, TURN_NUMBER

EXAMPLES = Path(__file__).parent.parent / "examples"


@cache
def game(name: str) -> Any:
    return ruledsl.load(EXAMPLES / f"{name}.yaml")


def perft(machine: Machine, state: list[int], stop: Stop, depth: int, single: bool = True) -> int:
    """In how many ways `depth` whole turns can go; `single`: every option is a turn, so the last need not be played."""
    if depth == 0:
        return 1
    if stop.kind == "over":
        return 0
    if depth == 1 and single:
        return len(stop.options)
    assert stop.choice is not None
    found = 0
    for option in stop.options:
        after = state[:]
        machine.choose(after, stop.choice, option)
        then = machine.run(after)
        turned = then.kind == "over" or after[TURN_NUMBER] != state[TURN_NUMBER]
        found += perft(machine, after, then, depth - 1 if turned else depth, single)
    return found


def from_start(name: str, depth: int, **options: Any) -> int:
    play = game(name).start(options=options)
    return perft(play.machine, play.state, play.stop, depth, single=name not in ("draughts", "amazons"))


def long(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("name", "depth", "published"),
    [
        ("tic-tac-toe", 1, 9),
        ("tic-tac-toe", 2, 72),
        ("tic-tac-toe", 3, 504),
        ("tic-tac-toe", 4, 3_024),
        ("connect-four", 1, 7),
        ("connect-four", 2, 49),
        ("connect-four", 3, 343),
        ("connect-four", 4, 2_401),
        ("breakthrough", 1, 22),
        ("breakthrough", 2, 484),
        ("reversi", 1, 4),
        ("reversi", 2, 12),
        ("reversi", 3, 56),
        ("reversi", 4, 244),
        ("reversi", 5, 1_396),
        long("reversi", 6, 8_200),
        long("reversi", 7, 55_092),
        ("draughts", 1, 7),
        ("draughts", 2, 49),
        ("draughts", 3, 302),
        ("draughts", 4, 1_469),
        long("draughts", 5, 7_361),
        long("draughts", 6, 36_768),
        long("draughts", 7, 179_740),
        ("chess", 1, 20),
        ("chess", 2, 400),
        ("chess", 3, 8_902),
        long("chess", 4, 197_281),
        ("amazons", 1, 2_176),
        ("gomoku", 1, 225),
        ("gomoku", 2, 50_400),
    ],
)
def test_as_many_ways_as_published(name: str, depth: int, published: int) -> None:
    assert from_start(name, depth) == published


@pytest.mark.long
def test_tic_tac_toe_has_255168_games() -> None:
    play = game("tic-tac-toe").start()
    machine = play.machine

    def games(state: list[int], stop: Stop) -> int:
        if stop.kind == "over":
            return 1
        found = 0
        for option in stop.options:
            after = state[:]
            assert stop.choice is not None
            machine.choose(after, stop.choice, option)
            found += games(after, machine.run(after))
        return found

    assert games(play.state, play.stop) == 255_168


# ----------------------------------------------------------------------------------------------- backgammon

FACES = ("one", "two", "three", "four", "five", "six")


@pytest.mark.parametrize("roll", [(a, b) for a in range(1, 7) for b in range(1, a + 1)], ids=str)
def test_each_roll_has_as_many_plays_from_the_start_of_backgammon(roll: tuple[int, int]) -> None:
    """A play is where it leads to, as in books on openings; no double comes first, so the dice are put there."""
    play = game("backgammon").start(chance="ask")
    play.answer(FACES.index("two"))
    play.answer(FACES.index("one"))
    machine, state = play.machine, play.state
    dice = next(field.base for field in machine.program.layout.fields if field.name == "dice")
    state[dice : dice + 6] = [0] * 6
    for pips in roll * (2 if roll[0] == roll[1] else 1):
        state[dice + pips - 1] += 1
    assert len({position for position, _ in reached(machine, state, machine.run(state, True, []), 4)}) == plays(roll)


# ------------------------------------------------------------------------------------------- chess positions

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
THIRD = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
FOURTH = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
FIFTH = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
SIXTH = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

LETTERS = dict(zip("kqrbnp", ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))
CORNERS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}


def from_fen(fen: str) -> Any:
    """A play of chess that stands at a position with white to move."""
    rows, turn, rights, passed, quiet, _ = fen.split()
    assert turn == "w", "a new play stands at a choice of white"
    play = game("chess").start()
    state, machine, world = play.state, play.machine, play.world
    program = machine.program
    slot = {field.name: field.base for field in program.layout.fields}
    squares = {name: number for number, name in enumerate(program.roots["square"].names)}
    kinds = program.roots["kind"].names
    owners = world.data["owners"]
    for piece in range(len(owners)):
        machine.pieces.move(state, piece, program.spots.box)
    free = {owner: [piece for piece in range(len(owners)) if owners[piece] == owner] for owner in (0, 1)}
    first = program.spots.roots[0][0]
    # Kings are the first pieces, so none of them stays in the box.
    for y, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        x = 0
        for sign in row:
            if sign.isdigit():
                x += int(sign)
                continue
            piece = free[0 if sign.isupper() else 1].pop(0)
            machine.pieces.move(state, piece, first + squares[f"{'abcdefgh'[x]}{y}"])
            state[slot["man.kind"] + piece] = kinds.index(LETTERS[sign.lower()])
            x += 1
    state[slot["rights"]] = sum(1 << squares[CORNERS[right]] for right in rights if right != "-")
    state[slot["passed"]] = squares[passed] if passed != "-" else -1
    state[slot["quiet"]] = int(quiet)
    play.stop = machine.run(state)
    return play


@pytest.mark.parametrize(
    ("fen", "depth", "published"),
    [
        (KIWIPETE, 1, 48),
        (KIWIPETE, 2, 2_039),
        (THIRD, 1, 14),
        (THIRD, 2, 191),
        (THIRD, 3, 2_812),
        (FOURTH, 1, 6),
        (FOURTH, 2, 264),
        (FIFTH, 1, 44),
        (FIFTH, 2, 1_486),
        (SIXTH, 1, 46),
        (SIXTH, 2, 2_079),
        long(KIWIPETE, 3, 97_862),
        long(THIRD, 4, 43_238),
        long(FOURTH, 3, 9_467),
        long(FIFTH, 3, 62_379),
        long(SIXTH, 3, 89_890),
    ],
)
def test_chess_positions_have_as_many_moves_as_published(fen: str, depth: int, published: int) -> None:
    play = from_fen(fen)
    assert perft(play.machine, play.state, play.stop, depth) == published


# ------------------------------------------------------------------------------------------------------- Go


@pytest.mark.parametrize(("size", "first"), [(9, 82), (13, 170), (19, 362)])
def test_go_has_a_first_move_for_every_point_and_the_pass(size: int, first: int) -> None:
    assert from_start("go", 1, size=size) == first


@pytest.mark.parametrize(("size", "published"), [(2, 57), long(3, 12_675)])
def test_go_reaches_as_many_positions_as_are_legal(size: int, published: int) -> None:
    """Every legal position can be built stone by stone, with passes; and no other can come about."""
    play = game("go").start(options={"size": size})
    machine, owners = play.machine, play.world.data["owners"]
    board = machine.program.spots.top + machine.program.spots.roots[0][0]
    found, waiting = set(), [(play.state, play.stop)]
    while waiting:
        state, stop = waiting.pop()
        position = tuple(owners[piece] if piece >= 0 else -1 for piece in state[board : board + size * size])
        if stop.kind == "over" or (position, state[ME]) in found:
            continue
        found.add((position, state[ME]))
        for option in stop.options:
            after = state[:]
            machine.choose(after, stop.choice, option)
            waiting.append((after, machine.run(after)))
    assert len({position for position, _ in found}) == published


# Whole boards after two passes, and the areas of both. The first stands in Robert Jasiek's "Area Scoring
# Introduction" (three points are shared), it and the second in the tests of dlgo; the third in those of KataGo; the
# others, as Chinese scores, in those of OpenKaya.
ENDINGS = {
    "area scoring": (
        """
        .x.xxxoox
        xxxxoxo.x
        oooooxo.x
        .o.oxxoxx
        ooox.xxoo
        oxxxxxoo.
        xxooooo..
        ooxxxxooo
        .o.x.xo..
        """,
        37,
        41,
    ),
    "everything alive": (".xxo.o. x.xoooo xxxxxxx xoox... oo.ox.. .o.ox.. ..oxx..", 28, 21),
    "two walls": (".xo. .xo. .xoo .xo.", 8, 8),
    "an empty board": ("...... " * 6, 0, 0),
    "one stone has the board": ("x..... " + "...... " * 5, 36, 0),
    "two stones have themselves": ("xo.... " + "...... " * 5, 1, 1),
    "a stone that shares": (".x.... " * 3 + ".x.o.. " + ".x.... " * 2, 12, 1),
    "a strip between walls": (".x.o.. " * 6, 12, 18),
    "two eyes each": (".xxooo x.xooo xxxooo xxxooo xxxo.o xxxoo.", 18, 18),
    "seki with an eye each": ("xx.ooo " + "xxxooo " * 4 + ".xxoo.", 17, 18),
    "seki around a wall": ("xx.o.x " + "xxxoxx " * 4 + ".xxox.", 28, 6),
    "seki of three chains each": ("..x.o. ..xoo. xxxoo. ..oxoo oo.xxx .o.x..", 16, 15),
    "a chequered board": (".o.o.o o.o.o. " * 3, 0, 36),
}


@pytest.mark.parametrize(("diagram", "black", "white"), ENDINGS.values(), ids=ENDINGS)
def test_go_ends_with_the_published_areas(diagram: str, black: int, white: int) -> None:
    """The stones are laid one by one, which takes none of them; then both pass."""
    rows = diagram.split()
    stones = {
        sign: [f"{'abcdefghj'[x]}{len(rows) - y}" for y, row in enumerate(rows) for x, c in enumerate(row) if c == sign]
        for sign in "xo"
    }
    play = game("go").start(options={"size": len(rows), "komi": 0})
    while not play.over:
        mine = stones["xo"[play.pending[0]]]
        play.choose(play.find(f"place at {mine.pop()}" if mine else "pass"))
    assert not any(stones.values())
    assert [row["area"] for row in play.scores()] == [black, white]
    assert play.returns() == ([1, -1] if black > white else [-1, 1])
