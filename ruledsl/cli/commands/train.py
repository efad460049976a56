"""Learn to judge positions of a game, so that the bot `search` plays better.

It plays practice games, learns from how they end, and measures whether `search` is stronger with what it has learnt.
Only then is the result kept: in the user's cache, or in the file that you name with -o. `search` finds it in the
cache, or beside the game as `NAME.learnt.json` (`learnt.json` in the folder of a game).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.cli.clustered import cluster, cluster_argument
from ruledsl.cli.common import CLEAN, FOUND, UsageError, game_argument, load_game, seating, setting_arguments, settings
from ruledsl.cli.telling import as_json, format_argument, tell

if TYPE_CHECKING:
    from ruledsl.bots.judge import Judge
    from ruledsl.bots.lessons import Hands, Lesson, Table
    from ruledsl.bots.manner import Manner
    from ruledsl.bots.measuring import Measured, Way
    from ruledsl.bots.training import Pupil
    from ruledsl.generate.native import Library
    from ruledsl.runtime.game import Configured, Game
    from ruledsl.simulation.cluster import Shipped

SECONDS = 30.0
PLAYS, MOST_PLAYS = 20_000, 100_000_000


def arguments(parser: ArgumentParser) -> None:
    game_argument(parser)
    parser.add_argument(
        "--seconds",
        type=_positive,
        metavar="T",
        help=f"CPU seconds: half for practice, half to measure (default: {SECONDS:.0f})",
    )
    parser.add_argument(
        "-n",
        "--plays",
        type=int,
        metavar="N",
        help=f"practise in so many plays, not by time: the same seed then learns the same (with --cluster: {PLAYS:,})",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="how many processes work with `--cluster local` (default: one for each core)",
    )
    cluster_argument(parser)
    parser.add_argument("--from-scratch", action="store_true", help="do not use what was learnt before")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="keep what was learnt in this file")
    setting_arguments(parser)
    format_argument(parser)


def _positive(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 86_400:
        raise ValueError
    return seconds


def run(args: Namespace) -> int:
    """0 when something was learnt that helps, 1 when nothing did."""
    from ruledsl.bots.belief import is_believed, keep_belief
    from ruledsl.bots.judge import keep, kept_files
    from ruledsl.bots.manner import found_manner, keep_manner
    from ruledsl.bots.measuring import Way
    from ruledsl.bots.native_tree import library
    from ruledsl.started import installing

    _check(args)
    game = load_game(args.game)
    count, names = seating(args)
    configured = game.configured(count, settings(args), names)
    made = library(configured)
    if made is None:
        raise UsageError(
            "learning takes thousands of plays, which need a C compiler: "
            f"install gcc or clang, or `{installing('native')}`"
        )
    known = None if args.from_scratch else found_manner(configured, game.path)
    with _school(args, game, configured, made) as school:
        lies, believed = school.believed() if is_believed(configured) else ([], [])
        ways, aheads = _learnt(configured, school, known)
        found = school.measured(ways, len(aheads))
        kept, where = _surest(ways, found), _surest(lies, believed)
        ahead = school.measured_ahead(aheads, kept or Way(), len(ways))
    kept = _surest([Way(judge=judge) for judge in aheads], ahead) or kept
    file = args.output or kept_files(game.path, configured.rules)[0]
    if kept is not None and kept.judge is not None:
        keep(file, kept.judge)
    if kept is not None and kept.manner is not None:
        keep_manner(file, kept.manner, configured)
    if where is not None and where.belief is not None:
        keep_belief(file, where.belief, len(configured.players))
    better = kept is not None or where is not None
    answer: dict[str, Any] = {
        "game": game.name,
        "players": len(configured.players),
        "measured": [one._asdict() for one in (*believed, *found, *ahead)],
        "kept": str(file) if better else None,
    }
    if as_json(args):
        tell(answer)
    else:
        _write(answer, "time" if isinstance(school, ByTheClock) else "number of positions")
    return CLEAN if better else FOUND


def _check(args: Namespace) -> None:
    if args.plays is not None and args.seconds is not None:
        raise UsageError("`--plays` and `--seconds` both say when it is enough: leave one of them out")
    if args.cluster is not None and args.seconds is not None:
        raise UsageError(
            "on a cluster it is enough after `--plays N`: how much is done in `--seconds` differs by machine"
        )
    if args.plays is not None and not 1 <= args.plays <= MOST_PLAYS:
        raise UsageError(f"there may be 1 to {MOST_PLAYS:,} plays for practice, not {args.plays:,}")
    if args.jobs is not None and args.cluster is None:
        raise UsageError(
            "`--jobs` is for `--cluster local`: several processes learn together as a cluster of one machine"
        )
    if args.jobs is not None and args.jobs < 1:
        raise UsageError(f"at least one process is needed, not {args.jobs}")


class ByTheClock:
    """Half of the time goes into practice, half into measuring."""

    def __init__(self, args: Namespace, game: Game, configured: Configured, made: Library) -> None:
        self.game, self.configured, self.made = game, configured, made
        self.seconds, self.seed = (args.seconds or SECONDS) / 2, args.seed or 0

    def pupil(self) -> Pupil:
        from ruledsl.bots.training import train

        return train(self.configured, self.made, self.seconds / 2, self.seed, _progress)

    def manner(self, share: float, paired: bool, known: Manner | None) -> Manner:
        from ruledsl.bots.training import learn_manner

        return learn_manner(self.configured, self.made, self.seconds * share, self.seed, _progress, paired, known)

    def believed(self) -> tuple[list[Way], list[Measured]]:
        """Where hidden pieces lie, and whether it helps to know that: a third of all the time."""
        from ruledsl.bots.belief import learn_belief
        from ruledsl.bots.measuring import Way

        ways = [Way(belief=learn_belief(self.game, self.configured, self.seconds / 3, self.seed, _progress))]
        found = self.measured(ways, 2)
        self.seconds *= 2 / 3
        return ways, found

    def measured(self, ways: list[Way], others: int) -> list[Measured]:
        from ruledsl.bots.measuring import measured

        each = self.seconds / (len(ways) + others)
        return [measured(self.game, self.configured, self.made, way, each, self.seed) for way in ways]

    def measured_ahead(self, judges: list[Judge], tree: Way, others: int) -> list[Measured]:
        from ruledsl.bots.measuring import measured_ahead

        each = self.seconds / (len(judges) + others)
        return [measured_ahead(self.game, self.configured, self.made, one, tree, each, self.seed) for one in judges]


class InPieces:
    """So many plays, whoever plays them."""

    def __init__(self, table: Table, hands: Hands, args: Namespace) -> None:
        self.table, self.hands, self.plays, self.seed = table, hands, args.plays or PLAYS, args.seed or 0

    def pupil(self) -> Pupil:
        from ruledsl.bots.lessons import taught

        return taught(self.table, self.hands, self.plays // 2, self.seed, _progress)

    def manner(self, share: float, paired: bool, known: Manner | None) -> Manner:
        from ruledsl.bots.lessons import manner_taught

        return manner_taught(self.table, self.hands, round(self.plays * share), self.seed, _progress, paired, known)

    def believed(self) -> tuple[list[Way], list[Measured]]:
        from ruledsl.bots.lessons import belief_taught
        from ruledsl.bots.measuring import Way

        ways = [Way(belief=belief_taught(self.table, self.hands, self.plays, self.seed, _progress))]
        return ways, self.measured(ways, 0)

    def measured(self, ways: list[Way], others: int) -> list[Measured]:
        from ruledsl.bots.lessons import ways_measured

        return [ways_measured(self.table, self.hands, way, self.plays, self.seed) for way in ways]

    def measured_ahead(self, judges: list[Judge], tree: Way, others: int) -> list[Measured]:
        from ruledsl.bots.lessons import ahead_measured

        return [ahead_measured(self.table, self.hands, one, tree, self.plays, self.seed) for one in judges]


@contextmanager
def _school(args: Namespace, game: Game, configured: Configured, made: Library) -> Iterator[ByTheClock | InPieces]:
    """Where it is learnt: here by the clock, here in pieces, or in pieces by a cluster."""
    from ruledsl.simulation.run import cores_of

    if args.plays is None and args.cluster is None:
        yield ByTheClock(args, game, configured, made)
        return
    from ruledsl.bots.lessons import Table

    table = Table(game, configured, made)

    def here(lesson: Lesson, numbers: Iterable[int]) -> list[Any]:
        return [lesson.piece(table, number) for number in numbers]

    with cluster(args, cores_of(args.jobs)) as workers:
        if workers is None:
            yield InPieces(table, here, args)
            return
        from ruledsl.simulation.cluster import shipped

        crew = workers.crew(_away, (shipped(game), args))

        def away(lesson: Lesson, numbers: Iterable[int]) -> list[Any]:
            found = dict(crew.answers(_piece_away, ((lesson, number) for number in numbers)))
            return [found[number] for number in sorted(found)]

        yield InPieces(table, away, args)


def _away(given: tuple[Shipped, Namespace]) -> Table:
    """What a worker on another machine needs to do pieces."""
    from ruledsl.bots.lessons import Table
    from ruledsl.bots.native_tree import library

    rules, args = given
    with rules.game() as game:
        count, names = seating(args)
        configured = game.configured(count, settings(args), names)
    made = library(configured)
    if made is None:
        raise RuntimeError("a machine of the cluster has no C compiler")
    return Table(game, configured, made)


def _piece_away(table: Table, wanted: tuple[Lesson, int]) -> tuple[int, Any]:
    lesson, number = wanted
    return number, lesson.piece(table, number)


def _surest(ways: list[Way], found: list[Measured]) -> Way | None:
    """Who is surely stronger than what it was measured against, and most surely of all."""
    best = max(range(len(found)), key=lambda number: found[number].low, default=None)
    return ways[best] if best is not None and found[best].low > 0.5 else None


def _learnt(
    configured: Configured, school: ByTheClock | InPieces, known: Manner | None
) -> tuple[list[Way], list[Judge]]:
    """All ways to search with what was learnt, and judges with which to look ahead. Where all win or lose together,
    nobody has more than others: then only a manner is learnt. A manner that is `known` is learnt on with."""
    from ruledsl.bots.judge import Judge, Signs, only_said
    from ruledsl.bots.measuring import CUTS, Way
    from ruledsl.bots.outcome import shared
    from ruledsl.bots.training import ahead_candidates

    signs, apart, aheads = Signs(configured), shared(configured), list[Judge]()
    ways = [Way(judge=Judge(configured, signs, only_said(cut))) for cut in CUTS if signs.says]
    if not apart:
        pupil = school.pupil()
        ways += [Way(judge=pupil.judge(cut)) for cut in CUTS]
        aheads = ahead_candidates(pupil)
    share = 0.5 if apart else 0.25
    if known is not None:
        manners = [school.manner(2 * share, True, known)]
    else:
        manners = [school.manner(share, paired, None) for paired in (True, False)]
    return [*ways, *(Way(manner=manner) for manner in manners)], aheads


def _progress(number: int, seen: int) -> None:
    if sys.stderr.isatty():
        print(f"round {number}: {seen:,} positions or plays", file=sys.stderr)


def _write(answer: dict[str, Any], even: str) -> None:
    told = False
    print(f"{answer['game']}, {answer['players']} players: what searching with what was learnt wins against searching")
    print(
        "without it, with 95 % confidence. Random plays are judged after this many decisions, or played in the manner"
    )
    print("of players who do well, or hidden pieces are dealt as they mostly lie:")
    for one in answer["measured"]:
        if one["ahead"] and not told:
            print(f"What looking ahead (`alphabeta`) wins against the best of these, in the same {even}:")
            told = True
        share, low, high = (f"{100 * one[name]:.0f}" for name in ("share", "low", "high"))
        by = {"heuristic": ", by `heuristic:` alone", "pieces": ", by pieces and points alone"}.get(one["by"], "")
        how = {"manner": "in the manner", "belief": "dealt so"}.get(one["by"], f"after {one['cut']}")
        how = "" if one["ahead"] else how
        print(f"{how:>13}  {share:>3} % ({low} to {high}) of {one['plays']} plays{by}")
    print(f"Kept in {answer['kept']}." if answer["kept"] else "Nothing was kept: it may not be stronger.")
