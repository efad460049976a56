"""Let your shell complete commands, options and names of games.

The script is written to the standard output. bash: put `eval "$(ruledsl completion bash)"` into ~/.bashrc.
zsh: the same with zsh into ~/.zshrc. fish: `ruledsl completion fish > ~/.config/fish/completions/ruledsl.fish`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ruledsl.cli.common import CLEAN

SHELLS = ("bash", "zsh", "fish")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")


def run(args: Namespace) -> int:
    """Writes the script."""
    from ruledsl.cli import completing

    print(completing.SHELLS[args.shell](), end="")
    return CLEAN
