"""Show how the rules are compiled, stage by stage.

document      the files as read, line by line
declarations  every name, with its expressions as they were understood
board         the boards as graphs
types         the type of everything that has a name
layout        what is kept in which slot of the state
ir            the program: formulas and blocks
program       the same; with `--format json` a file that an executor can read, see docs/program.md
python        the program as Python, as plays run on it
plays         the program as Python that plays at random, as `simulate --backend python` runs it
c             the program as C, as `simulate` and `bench` compile it
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ruledsl.cli.common import (
    CLEAN,
    UsageError,
    game_argument,
    load_game,
    passes,
    seating,
    setting_arguments,
    settings,
    without_argument,
)
from ruledsl.cli.telling import as_json, format_argument, tell

GENERATED = ("python", "plays", "c")
STAGES = ("document", "declarations", "board", "types", "layout", "ir", "program", *GENERATED)


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument("--stage", choices=STAGES, default="ir", help="which stage to show (default: ir)")
    without_argument(parser)
    format_argument(parser)
    setting_arguments(parser, seed=False)


def run(args: Namespace) -> int:
    from ruledsl.compiler.dump import STAGES as SHOWN
    from ruledsl.compiler.dump import generated

    if args.without and args.stage not in GENERATED:
        raise UsageError("`--without` needs generated code: use it with `--stage python`, `plays` or `c`")
    off = passes(args, args.stage)
    game = load_game(args.game)
    players, names = seating(args)
    made = game.configured(players, settings(args), names)
    program = made.machine.program
    if args.stage == "program" and as_json(args):
        from ruledsl.ir.saved import write

        print(write(program))  # the program itself, as other programs read it
        return CLEAN
    text = (
        generated(args.stage, program, off)
        if args.stage in GENERATED
        else SHOWN[args.stage](game.blueprint, made.world, program)
    )
    tell({"stage": args.stage, "text": text}) if as_json(args) else print(text, end="")
    return CLEAN
