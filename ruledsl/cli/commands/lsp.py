"""Serve an editor: errors as you type, completion, what a word means, renaming, quick fixes.

This is a language server: an editor starts it and talks to it over the standard input and output. docs/workbench.md
explains how to set up VS Code, Neovim, Helix and Emacs.
"""

from __future__ import annotations

import gc
import sys
from argparse import ArgumentParser, Namespace

from ruledsl import started
from ruledsl.cli.common import CLEAN, UsageError


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="use standard input and output (always on)")


def run(args: Namespace) -> int:
    """Serves until the editor says that it is over."""
    from ruledsl.cli.main import version

    try:
        from ruledsl.workbench.server import create, serve
    except ImportError:
        raise UsageError(f"`lsp` needs the extra `lsp`; install it with: {started.installing('lsp')}") from None
    gc.set_threshold(100_000, 20, 20)
    serve(create(version()))
    sys.stdout = None  # the connection has closed it
    return CLEAN
