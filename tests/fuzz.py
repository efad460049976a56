"""Random games on all executors: what `check` accepts must load, play alike everywhere, and be shown and saved.

    python tests/fuzz.py --seed 7 --count 1000

makes the games 7 to 1006 from the registries of the language (`fuzz_games.py`, `fuzz_rules.py`, `fuzz_words.py`),
checks and plays them, and prints the smallest game that still fails (`fuzz_shrink.py`) for each sort of failure, with
the number that makes it again. Games that the checker refuses are counted by its codes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import agreement  # noqa: E402
from agreement import Compiled, Difference, Variant  # noqa: E402
from fuzz_games import game_of  # noqa: E402
from fuzz_shrink import shrunk  # noqa: E402
from test_generated import Pair  # noqa: E402
from test_generated_c import campaigns_agree  # noqa: E402

import ruledsl  # noqa: E402
from ruledsl.cli.main import main as command  # noqa: E402
from ruledsl.compiler import pipeline  # noqa: E402
from ruledsl.compiler.dump import STAGES as DUMPED  # noqa: E402
from ruledsl.compiler.dump import generated as dumped_code  # noqa: E402
from ruledsl.generate.native import Library, compiler  # noqa: E402
from ruledsl.runtime.picture import sheets  # noqa: E402
from ruledsl.simulation.generated import Generated  # noqa: E402
from ruledsl.simulation.interpreter import Interpreter  # noqa: E402

QUICK = ("-O0", "-std=gnu11", "-shared", "-fPIC", "-fno-strict-overflow", "-w")
SHORT = 60  # decisions of a play
SECONDS = 60  # for all that is done with one game; more is a hang
Data = dict[str, Any]
Way = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class Failure:
    """What went wrong: `sort` is the same where the cause most likely is."""

    stage: str
    sort: str
    text: str
    way: Way | None  # the players and options with which it did


@dataclass
class Tally:
    made: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failures: dict[str, tuple[int, Failure]] = field(default_factory=dict)  # by sort: the first game
    again: Counter[str] = field(default_factory=Counter)
    voids: int = 0
    plays: int = 0

    @property
    def accepted(self) -> int:
        return self.made - sum(self.refused.values())


class Refused(Exception):
    """The checker finds mistakes; by their codes."""


class TookTooLong(Exception):
    pass


def text_of(data: Data) -> str:
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Breaks off what takes longer, in time of this process, where the system can."""

    def stop(*_: object) -> None:
        raise TookTooLong(f"more than {seconds} seconds")

    if not hasattr(signal, "SIGPROF"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ------------------------------------------------------------------------------------------------- what is tried


def checked(path: Path) -> None:
    report = pipeline.check(path)
    if report.errors:
        raise Refused(" ".join(sorted({d.code for d in report.findings if d.severity == "error"})))


def ways(path: Path, seed: int) -> list[Way]:
    """The fewest players as the options are, and one of the other ways to play."""
    game = agreement.load(path)
    first: tuple[int, dict[str, Any]] = (game.players[0], {})
    others = [(one.players, one.options) for one in agreement.variants(path)]
    others = [way for way in others if way != first]
    return ([] if _forbidden(game) else [first]) + random.Random(seed).sample(others, min(1, len(others)))


def _forbidden(game: ruledsl.Game) -> bool:
    from ruledsl.analysis.declarations.options import ForbiddenError

    try:
        game.configured(game.players[0], {})
    except ForbiddenError:
        return True
    return False


def python(path: Path, variant: Variant, seed: int) -> None:
    """Generated Python, decision by decision, and whole plays."""
    pair = Pair(variant)
    for number in range(2):
        pair._steps(seed + number, SHORT)
    configured = variant.configured()
    mine, theirs = (_rows(make(configured), seed) for make in (Interpreter, Generated))
    if mine != theirs:
        raise Difference(f"{variant.name}: whole plays are written down otherwise")


def _rows(executor: Any, seed: int, count: int = 3) -> tuple[list[int], list[int]]:
    rows = array("q", bytes(8 * count * executor.shape.width))
    counts = array("q", bytes(8 * executor.shape.counts))
    executor.run(seed, 0, rows, counts, SHORT)
    return rows.tolist(), counts.tolist()


def compiled(path: Path, variant: Variant, seed: int) -> None:
    """Generated C, decision by decision, whole plays, and campaigns."""
    if compiler() is None:
        return
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    try:
        for number in range(2):
            pair.steps(seed + number, SHORT)
            pair.run(seed, number, SHORT)
        if configured.machine.program.between is not None and not variant.options:
            campaigns_agree(pair.library, path, variant.players, 1, 3, 10 * SHORT)
    finally:
        pair.close()


def shown(path: Path, variant: Variant, seed: int) -> None:
    """All that people see of a play: options, views, the log, pictures, saves; in both languages, for every seat."""
    game, rng = ruledsl.load(path, backend="interpreter"), random.Random(seed)
    play = game.start(players=variant.players, seed=seed, options=variant.options)
    for step in range(12):
        seats = (None, *range(len(play.players)))
        for language, seat in product(("en", "ru"), seats):
            play.lines(seat, language)
            for option in play.options(seat, language) if seat in play.pending else ():
                assert option.text or option.notation
        sheets(play, ("en", "ru")[step % 2], play.view(seats[step % len(seats)]))
        if play.fault is not None:
            break
        twin = game.resume(play.save())
        assert twin.to_json() == play.to_json(), "a save that is taken up again differs"
        if play.over:
            assert len(play.scores()) == len(play.returns()) == len(play.players)
            break
        seat = rng.choice(play.pending)
        play.choose(rng.randrange(len(play.options(seat))), seat)


def dumped(path: Path, variant: Variant, seed: int) -> None:
    """Every form of the game as text, and what the commands say of it."""
    game = agreement.load(path)
    made = game.configured(variant.players, variant.options)
    for stage in DUMPED.values():
        assert stage(game.blueprint, made.world, made.machine.program) is not None
    assert dumped_code("plays", made.machine.program)
    for words in (["draw", str(path)],):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            command(words)
        if "a bug in ruledsl" in err.getvalue():
            raise AssertionError(f"{words[0]}: {err.getvalue()}")


STAGES: dict[str, Callable[[Path, Variant, int], None]] = {
    "python": python, "c": compiled, "shown": shown, "dump": dumped,
}  # fmt: skip


def examine(data: Data, seed: int, only: Failure | None = None) -> Failure | None:
    """What is wrong with the executors, as a game shows it; raises `Refused` where the game is at fault."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        path.write_text(text_of(data), encoding="utf-8")
        return examine_file(path, seed, only)


def examine_file(path: Path, seed: int, only: Failure | None = None) -> Failure | None:
    """The same of a file; where `only` is known, no more than what shows it again."""
    agreement.load.cache_clear()
    found: list[Way] = []
    if only is None or only.way is None:
        failure = _tried("check", None, lambda: checked(path)) or _tried(
            "ways", None, lambda: found.extend(ways(path, seed))
        )
        if failure is not None or only is not None:
            return failure
    else:
        found.append(only.way)
    for (players, options), (name, stage) in product(found, STAGES.items()):
        if only is None or name == only.stage:
            variant = Variant(path, players, options)
            seconds = SECONDS if only is None else SECONDS / 6
            failure = _tried(name, (players, options), lambda: stage(path, variant, seed), seconds)  # noqa: B023
            if failure is not None:
                return failure
    return None


def _tried(stage: str, way: Way | None, act: Callable[[], None], seconds: float = SECONDS) -> Failure | None:
    try:
        with within(seconds):
            act()
    except Refused:
        raise
    except Difference as difference:
        said = str(difference)
        return Failure(stage, f"{stage}: {_plain(said.splitlines()[0].split(': ', 1)[-1])}", said, way)
    except Exception as problem:
        return Failure(stage, f"{stage}: {_where(problem)}", traceback.format_exc(limit=-6), way)
    return None


def _where(problem: Exception) -> str:
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if "ruledsl" in f.filename]
    last = frames[-1] if frames else None
    place = f"{Path(last.filename).name} {last.name}" if last is not None else ""
    return f"{type(problem).__name__} {place} {_plain(str(problem))[:100]}"


def _plain(text: str) -> str:
    """Without what differs from game to game."""
    return re.sub(r"\d+|‘\w+’|'\w+'|game\.yaml\S*", "_", text)


# --------------------------------------------------------------------------------------------------- many games


def smallest(data: Data, seed: int, failure: Failure, seconds: float) -> Data:
    def fails(candidate: Data) -> bool:
        try:
            found = examine(candidate, seed, failure)
            if found is None or found.sort != failure.sort:
                return False
            with tempfile.TemporaryDirectory() as folder:  # what `check` refuses shows nothing
                path = Path(folder) / "game.yaml"
                path.write_text(text_of(candidate), encoding="utf-8")
                return failure.stage == "check" or not pipeline.check(path).errors
        except Exception:
            return False

    return shrunk(data, fails, seconds)


def run(seeds: range, tally: Tally, each: Callable[[int, Data, Failure], None], until: float = float("inf")) -> None:
    for seed in seeds:
        if time.monotonic() > until:
            return
        tally.made += 1
        data = game_of(seed)
        try:
            failure = examine(data, seed)
        except Refused as refused:
            tally.refused[str(refused)] += 1
            continue
        if failure is None:
            continue
        tally.again[failure.sort] += 1
        if failure.sort not in tally.failures:
            tally.failures[failure.sort] = (seed, failure)
            each(seed, data, failure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument(
        "--shrink", type=float, default=90, metavar="SECONDS", help="for each find; 0 shows it as it is"
    )
    parser.add_argument("--show", action="store_true", help="print the games instead")
    words = parser.parse_args()
    if words.show:
        for seed in range(words.seed, words.seed + words.count):
            print(text_of(game_of(seed)))
        return 0
    tally, begun = Tally(), time.monotonic()

    def tell(seed: int, data: Data, failure: Failure) -> None:
        small = smallest(data, seed, failure, words.shrink) if words.shrink else data
        print(f"\n# {failure.sort}\n# again with: python tests/fuzz.py --seed {seed} --count 1")
        print("\n".join(f"#   {line}" for line in failure.text.splitlines()[-12:]))
        print(text_of(small), flush=True)

    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        os.environ["RULEDSL_CACHE"] = str(cache)
        for start in range(words.seed, words.seed + words.count, 50):
            run(range(start, min(start + 50, words.seed + words.count)), tally, tell)
            shutil.rmtree(cache, ignore_errors=True)  # it is made again where it is needed
            print(
                f"# {tally.made} games, {tally.accepted} accepted, {len(tally.failures)} sorts of failures "
                f"({sum(tally.again.values())}), {time.monotonic() - begun:.0f} s",
                file=sys.stderr, flush=True,
            )  # fmt: skip
    print(f"# refused: {tally.refused.most_common(20)}\n# failed: {tally.again.most_common()}")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
