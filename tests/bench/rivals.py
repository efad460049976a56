"""How strong our search is beside the programs of others, in figures with intervals.

    .venv/bin/python tests/bench/rivals.py spiel [GAME …] [--bot search:300] [--bare] [--plays N]  # OpenSpiel's MCTSBot
    .venv/bin/python tests/bench/rivals.py speed [GAME …]        # plays on from the start, a second of CPU time
    .venv/bin/python tests/bench/rivals.py gnuchess [--bot search:1s] [--depth 2] [--plays N]
    .venv/bin/python tests/bench/rivals.py gnugo [--bot search:1s] [--depth 1] [--size 9] [--plays N]
    .venv/bin/python tests/bench/rivals.py gnubg [--bot search:1s] [--depth 0] [--plays N]

`spiel` gives both the same number of plays on from a position; `--bare` takes from ours what was learnt, so that both
judge by one random play to the end. Seats are taken in turn, a draw is a half, the interval is Wilson's. `--depth`
is the depth of gnuchess, the level of gnugo, and how many plies gnubg looks ahead (backgammon, without the cube).
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import pyspiel  # noqa: E402
from openspiel import EXAMPLES, Rival, _lan, _pass, rivals  # noqa: E402
from openspiel_dice import POINTS, position_of, reached  # noqa: E402

import ruledsl  # noqa: E402
from ruledsl.bots import search  # noqa: E402
from ruledsl.bots.base import ask, make  # noqa: E402
from ruledsl.bots.measuring import interval  # noqa: E402
from ruledsl.bots.native_tree import NativeTree, library  # noqa: E402
from ruledsl.runtime.play import Play  # noqa: E402

LONGEST = 600  # moves of a play; one that goes on for longer is a draw
CHOSEN = ("tic-tac-toe", "connect-four", "reversi", "draughts", "nine-mens-morris", "oware", "chess", "hex",
          "breakthrough", "amazons", "gomoku", "go")  # fmt: skip
SIZES: dict[str, tuple[int, ...]] = {"hex": (9,), "breakthrough": (8,), "gomoku": (15,), "go": (9,)}


def chosen(names: list[str]) -> list[Rival]:
    """A rival for each game, at one size."""
    wanted = names or list(CHOSEN)
    return [
        one
        for one in rivals()
        if one.example in wanted and one.options.get("size", 0) in SIZES.get(one.example, (one.options.get("size", 0),))
    ]


def told(won: float, plays: int) -> str:
    low, high = interval(won / plays, plays)
    return f"{100 * won / plays:5.1f} % ({100 * low:.0f} to {100 * high:.0f}) of {plays} plays"


def of_two(play: Play, mine: int) -> float:
    """What a seat got of a play of two."""
    won = play.winners if play.over else []
    return 0.5 if len(won) != 1 else float(won[0] == mine)


# ------------------------------------------------------------------------------------------------ OpenSpiel


def against_spiel(rival: Rival, bot: str, number: int) -> tuple[float, float, float]:
    """What our bot gets of a play, and the CPU seconds of both."""
    game = ruledsl.load(EXAMPLES / f"{rival.example}.yaml")
    play, ours = game.start(options=rival.options, seed=number), make(bot, number)
    theirs_game = pyspiel.load_game(rival.spiel, rival.parameters)
    state, mine = theirs_game.new_initial_state(), number % 2
    plays = int(bot.rpartition(":")[2])
    theirs = pyspiel.MCTSBot(
        theirs_game, pyspiel.RandomRolloutEvaluator(1, number), 2.0, plays, 500, True, number, False
    )
    spent, chance = [0.0, 0.0], random.Random(number)
    for _ in range(LONGEST):
        _pass(rival, state)
        if play.over or state.is_terminal():
            break
        begun, seat = process_time(), play.pending[0]
        mine_named = {rival.ours(play, option): i for i, option in enumerate(play.options())}
        theirs_named = {rival.theirs(state, action): action for action in state.legal_actions()}
        both = [name for name in mine_named if name in theirs_named]
        if seat == mine:
            begun = process_time()
            which = ask(ours, play, seat)
            move = next(name for name, i in mine_named.items() if i == which)
        else:
            action = theirs.step(state)
            move = next(name for name, i in theirs_named.items() if i == action)
        spent[seat != mine] += process_time() - begun
        if move not in mine_named or move not in theirs_named:
            move = chance.choice(both)
        play.choose(mine_named[move])
        state.apply_action(theirs_named[move])
    if not play.over and state.is_terminal():
        theirs_result = state.returns()[rival.seats[mine]]
        result = (theirs_result + 1) / 2 if abs(theirs_result) <= 1 else float(theirs_result > 0)
    else:
        result = of_two(play, mine)
    return result, spent[0], spent[1]


def spiel(rival: Rival, bot: str, plays: int, most: float) -> str:
    won, number, begun, ours, theirs = 0.0, 0, process_time(), 0.0, 0.0
    while number < plays and (process_time() - begun < most or number < 4):
        got, mine, other = against_spiel(rival, bot, number)
        won, ours, theirs, number = won + got, ours + mine, theirs + other, number + 1
    return f"{told(won, number)}, {ours / number:.2f} s of ours to {theirs / number:.2f} s of theirs a play"


def speed(rival: Rival, rounds: int = 5) -> str:
    """Plays on from the start in a second of CPU time, both in turns; the middle ratio."""
    game = ruledsl.load(EXAMPLES / f"{rival.example}.yaml")
    play = game.start(options=rival.options, seed=1)
    built = library(play.configured)
    assert built is not None
    theirs_game = pyspiel.load_game(rival.spiel, rival.parameters)
    found = []
    for number in range(rounds):
        ours = timed(partial(tree_of, built, play, number))
        theirs = timed(partial(spiel_of, theirs_game, number))
        found.append((ours / theirs, ours, theirs))
    found.sort()
    ratio, ours, theirs = found[len(found) // 2]
    return f"{ratio:5.1f} times ({found[0][0]:.1f} to {found[-1][0]:.1f}): {ours:,.0f} to {theirs:,.0f} plays a second"


def tree_of(built: Any, play: Play, seed: int, plays: int) -> int:
    """Fewer where it is certain before what is best: then there is nothing to play on for."""
    tree = NativeTree(built, play.state, 0, seed, None)
    tree.more(plays)
    tree.close()
    return tree.plays


def spiel_of(game: Any, seed: int, plays: int) -> int:
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, plays, 500, False, seed, False)
    bot.step(game.new_initial_state())
    return plays


def timed(work: Callable[[int], int]) -> float:
    """How many a second, from a fifth of a second, a thousand at a time."""
    plays, begun = 0, process_time()
    while process_time() - begun < 0.2:
        plays += work(1_000)
    return plays / (process_time() - begun)


# ------------------------------------------------------------------------------------------------ other programs


@contextmanager
def program(*words: str) -> Iterator[subprocess.Popen[str]]:
    running = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def say(running: subprocess.Popen[str], line: str) -> None:
    assert running.stdin is not None
    running.stdin.write(line + "\n")
    running.stdin.flush()


def answer(running: subprocess.Popen[str], begins: str) -> str:
    """What stands behind the first line that begins so."""
    assert running.stdout is not None
    for line in running.stdout:
        if line.startswith(begins):
            return line[len(begins) :].strip()
    raise RuntimeError("the program said nothing more")


def against_gnuchess(bot: str, depth: int, number: int, folder: str) -> float:
    """gnuchess takes moves as we write them, and tells its own in the same way (protocol of xboard)."""
    play, ours, mine = (
        ruledsl.load(EXAMPLES / "chess.yaml").start(options={"draws": "automatic"}),
        make(bot, number),
        number % 2,
    )
    with program(f"{folder}gnuchess", "--xboard") as theirs:
        for line in ("new", "easy", f"depth {depth}", "force"):
            say(theirs, line)
        for move_number in range(LONGEST):
            if play.over:
                break
            seat = play.pending[0]
            named = {_lan(play, option) if "to" in option.words or "side" in option.words else "": i
                     for i, option in enumerate(play.options())}  # fmt: skip
            if seat == mine or move_number < 2:
                which = (
                    ask(ours, play, seat)
                    if move_number >= 2
                    else random.Random(number * 2 + move_number).randrange(len(named))
                )
                play.choose(which)
                move = next(name for name, i in named.items() if i == which)
                if move:
                    say(theirs, move)
            elif "" in named and len(named) == 1:
                play.choose(named[""])
            else:
                say(theirs, "go")
                move = answer(theirs, "My move is : ")
                say(theirs, "force")
                play.choose(named[move])
    return of_two(play, mine)


def against_gnugo(bot: str, level: int, size: int, number: int, folder: str) -> float:
    """GTP, area scoring and 7.5 komi as in our rules."""
    play, ours, mine = ruledsl.load(EXAMPLES / "go.yaml").start(options={"size": size}), make(bot, number), number % 2
    colors = "black", "white"
    with program(
        f"{folder}gnugo", "--mode", "gtp", "--level", str(level), "--chinese-rules", "--seed", str(number)
    ) as theirs:
        for line in (f"boardsize {size}", "komi 7.5", "clear_board"):
            say(theirs, line)
            answer(theirs, "=")
        for _ in range(LONGEST):
            if play.over:
                break
            seat = play.pending[0]
            named = {}
            for i, option in enumerate(play.options()):
                point = str(option.words.get("p", "pass"))
                named[point if point == "pass" else point.upper()] = i
            if seat == mine:
                which = ask(ours, play, seat)
                move = next(name for name, i in named.items() if i == which)
                say(theirs, f"play {colors[seat]} {move}")
                answer(theirs, "=")
            else:
                say(theirs, f"genmove {colors[seat]}")
                move = answer(theirs, "=").replace("PASS", "pass")
                if move == "resign":
                    return 1.0
                which = named.get(move, named["pass"])
            play.choose(which)
    return of_two(play, mine)


BAR, OFF = POINTS, POINTS + 1  # behind the points of a side, in what `position_of` tells


def point_of(seat: int, way: int) -> int:
    """Where in a position a point lies that is so far from the end of a seat's way; its bar is the 25th, 0 is off."""
    return OFF if not way else BAR if way > POINTS else way - 1 if seat == 0 else POINTS - way


def gnubg_id(position: Sequence[int], seat: int) -> str:
    """A position as gnubg writes it: for each side and point a one for each man and a zero, the side on roll last."""
    bits = ""
    for side in (1 - seat, seat):
        men = position[side * (POINTS + 2) : (side + 1) * (POINTS + 2)]
        bits += "".join("1" * men[point_of(side, way)] + "0" for way in range(1, POINTS + 2))
    packed = int(bits.ljust(80, "0")[::-1], 2).to_bytes(10, "little")
    return b64encode(packed).decode().rstrip("=")


def after_gnubg(position: Sequence[int], seat: int, move: str) -> tuple[int, ...]:
    """Where a move of gnubg leads: `24/18*/13 8/3(2)`, in points of whoever moves."""
    found, own, other = [*position], seat * (POINTS + 2), (1 - seat) * (POINTS + 2)
    for part in move.split():
        way, _, times = part.rstrip(")").partition("(")
        stops = [word.replace("bar", str(POINTS + 1)).replace("off", "0") for word in way.split("/")]
        first, last = int(stops[0]), int(stops[-1].rstrip("*"))
        found[own + point_of(seat, first)] -= int(times or 1)
        found[own + point_of(seat, last)] += int(times or 1)
        for hit in (word for word in stops if word.endswith("*")):
            found[other + point_of(seat, int(hit.rstrip("*")))] -= 1
            found[other + BAR] += 1
    return tuple(found)


def against_gnubg(bot: str, plies: int, number: int, folder: str) -> float:
    """gnubg is told the position and the dice, and asked for a hint."""
    play, ours, mine = ruledsl.load(EXAMPLES / "backgammon.yaml").start(seed=number), make(bot, number), number % 2
    dice = next(field.base for field in play.machine.program.layout.fields if field.name == "dice")
    with program(f"{folder}gnubg", "-t", "-q") as theirs:
        for line in (
            "set player 0 human",
            "set player 1 human",
            "set automatic roll off",
            "set automatic game off",
            "set cube use off",
            f"set seed {number}",
            f"set evaluation chequer eval plies {plies}",
            "new game",
            "set turn 1",
        ):
            say(theirs, line)
        while not play.over:
            seat = play.pending[0]
            if seat == mine:
                play.choose(ask(ours, play, seat))
                continue
            position = position_of(play.machine, play.state)
            left = [pips + 1 for pips in range(6) for _ in range(play.state[dice + pips])]
            for line in (
                f"set board {gnubg_id(position, seat)}",
                "set turn 1",
                f"set dice {left[0]} {left[-1]}",
                "hint 1",
            ):
                say(theirs, line)
            move = hinted(theirs)
            ways = dict(reached(play.machine, play.state, play.stop, len(left)))
            for raw in ways[after_gnubg(position, seat, move)]:
                play.choose(play.stop.options.index(raw))
    return of_two(play, mine)


def hinted(theirs: subprocess.Popen[str]) -> str:
    """The first move of a hint."""
    assert theirs.stdout is not None
    for line in theirs.stdout:
        found = re.search(r"\b1\. Cube\w+ \d-ply +(.+?) +(Eq|MWC)", line)
        if found is not None:
            return found[1]
    raise RuntimeError("the program said nothing more")


def several(one: Callable[[int], float], plays: int, most: float) -> str:
    won, number, begun = 0.0, 0, process_time()
    while number < plays and (process_time() - begun < most or number < 4):
        won += one(number)
        number += 1
    return told(won, number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=("spiel", "speed", "gnuchess", "gnugo", "gnubg"))
    parser.add_argument("games", nargs="*")
    parser.add_argument("--bot", default="search:300")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--plays", type=int, default=40)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--folder", default="/usr/games/", help="where the other program lies")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds for a game, at most")
    args = parser.parse_args()
    if args.bare:
        search.judge_of = lambda view: None
    if args.mode == "gnuchess":
        print(several(lambda n: against_gnuchess(args.bot, args.depth, n, args.folder), args.plays, args.seconds))
    elif args.mode == "gnubg":
        print(several(lambda n: against_gnubg(args.bot, args.depth, n, args.folder), args.plays, args.seconds))
    elif args.mode == "gnugo":
        print(
            several(lambda n: against_gnugo(args.bot, args.depth, args.size, n, args.folder), args.plays, args.seconds)
        )
    else:
        for rival in chosen(args.games):
            found = speed(rival) if args.mode == "speed" else spiel(rival, args.bot, args.plays, args.seconds)
            print(f"{rival.name:20} {found}", flush=True)


if __name__ == "__main__":
    main()
