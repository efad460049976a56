"""What the passes of a generator bring: plays with each of them left out, beside plays with all."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.compiler.dump import generated
from ruledsl.engine.batch import Executor
from ruledsl.generate.passes import NONE_OFF, Off, passes
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured
from ruledsl.simulation.generated import Generated
from ruledsl.simulation.native import Native

from .clock import Rate, Ratio, Subject, interleaved, ratio
from .executors import Run

# By backend: what of the program it runs, and what makes it.
LANGUAGES: dict[str, tuple[str, Callable[[Configured, Off], Executor]]] = {
    "c": ("c", Native),
    "python": ("plays", Generated),
}
ALL = "all of them"


@dataclass(frozen=True)
class PassesResult:
    """The speed of a game with all passes, and without: by name, with the ratio to all."""

    game: str
    language: str
    whole: Rate
    rows: list[tuple[str, Rate, Ratio]]
    idle: list[str]  # passes that change nothing in the code of this game


def measure_passes(game: str, configured: Configured, language: str, seconds: float, rounds: int) -> PassesResult:
    """Plays a game with all passes, without each that matters to its code, and without all, in turns."""
    program, (written, make) = configured.machine.program, LANGUAGES[language]
    whole = generated(written, program)
    mine = [one for one in passes() if one.serves(written)]
    used = [one for one in mine if generated(written, program, frozenset([one])) != whole]
    subjects: list[Subject] = [Run(language, make(configured, NONE_OFF))]
    subjects += [Run(one.label, make(configured, frozenset([one]))) for one in used]
    if len(used) > 1:
        subjects.append(Run(ALL, make(configured, frozenset(mine))))
    first, *others = interleaved(subjects, seconds, rounds)
    rows = [(rate.name, rate, ratio(rate, first)) for rate in others]
    rows.sort(key=lambda row: row[2].middle)
    return PassesResult(game, language, first, rows, [one.label for one in mine if one not in used])


__all__ = ["LANGUAGES", "PassesResult", "measure_passes"]
