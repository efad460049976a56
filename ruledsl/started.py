"""How ruledsl was started, so that a command which is told to the user runs where the user is.

In a clone, `run.py` starts it, and says how in a variable of the environment.
"""

import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

HOW = "RULEDSL_STARTED_AS"


def command() -> str:
    """What stands in front of a command: `ruledsl`, or `python3 run.py`."""
    return os.environ.get(HOW) or "ruledsl"


def installing(extra: str) -> str:
    """The command that brings an extra of the package: with the `pip` beside Python where run.py has made its place."""
    pip = Path(sys.executable).with_name("pip") if HOW in os.environ else Path("pip")
    with suppress(ValueError):
        pip = pip.relative_to(Path.cwd())
    return f"{shlex.quote(str(pip))} install 'ruledsl[{extra}]'"
