"""Board games as data: `load` a game, `start` a play, ask for `options` and `choose`."""

from ruledsl.diagnostics.model import Diagnostic, GameError, Report
from ruledsl.runtime.game import Game, load
from ruledsl.runtime.play import Option, Play

__all__ = ["Diagnostic", "Game", "GameError", "Option", "Play", "Report", "load"]
