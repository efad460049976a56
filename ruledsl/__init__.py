"""Board games as data: `load` a game, `start` a play, ask for `options` and `choose`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruledsl.diagnostics.model import Diagnostic, GameError, Report
    from ruledsl.runtime.game import Game, load
    from ruledsl.runtime.play import Option, Play

__all__ = ["Diagnostic", "Game", "GameError", "Option", "Play", "Report", "load"]

# Imported at first use, so that the command line answers at once.
_HOMES = {
    "Diagnostic": "ruledsl.diagnostics.model",
    "GameError": "ruledsl.diagnostics.model",
    "Report": "ruledsl.diagnostics.model",
    "Game": "ruledsl.runtime.game",
    "load": "ruledsl.runtime.game",
    "Option": "ruledsl.runtime.play",
    "Play": "ruledsl.runtime.play",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
