"""Show what the rules become on their way to a program, stage by stage.

document      the files as read, line by line
declarations  every name in force, with its expressions as they were understood
board         the boards as graphs
types         the type of everything that has a name
layout        what is kept in which slot of the state
ir            the program: formulas and blocks
python        the program as Python, as plays run on it
c             the program as C, as `simulate` and `bench` compile it
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ruledsl.cli.common import CLEAN, game_argument, load_game, seating, setting_arguments, settings

STAGES = ("document", "declarations", "board", "types", "layout", "ir", "python", "c")


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("--stage", choices=STAGES, default="ir", help="which form is shown; `ir` if nothing is said")
    setting_arguments(parser, seed=False)


def run(args: Namespace) -> int:
    from ruledsl.compiler.dump import STAGES as SHOWN

    game = load_game(args.game)
    players, names = seating(args)
    made = game.configured(players, settings(args), names)
    print(SHOWN[args.stage](game.blueprint, made.world, made.machine.program), end="")
    return CLEAN
