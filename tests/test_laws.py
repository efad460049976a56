"""What holds in every position of every game."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

import ruledsl
from games import NAMES, PATHS, ROOT, load, playout
from ruledsl.ir import core as C
from ruledsl.runtime.play import Play
from ruledsl.runtime.save import check_state

every_game = pytest.mark.parametrize("path", PATHS, ids=NAMES)
SEEDS = range(3)
LOOKED_AT = 150  # decisions of a play whose options are looked at


def plays(game: ruledsl.Game) -> list[tuple[int, int]]:
    """Seeds, spread over the numbers of players."""
    counts = list(game.players)
    return [(seed, counts[seed % len(counts)]) for seed in range(max(len(SEEDS), len(counts)))]


def core(play: Play) -> list[int]:
    """The state without the scratch space behind it."""
    return play.state[: play.machine.program.layout.size]


# What is asked of every position of the same plays, so that each is played once.


def no_fault_and_somebody_is_asked(play: Play) -> None:
    assert play.fault is None, (play.fault.message, play.fault.span and play.fault.span.line, play.lines()[-5:])
    assert play.over or play.pending, "nobody is asked and it is not over"


def no_piece_is_lost_or_doubled_and_no_value_leaves_its_range(play: Play) -> None:
    check_state(play.configured, core(play))


def tokens_of_a_limited_pool_stay_as_many_as_they_are(play: Play) -> None:
    for pool in play.world.pools:
        if pool.total is None:
            continue
        for sort in range(pool.size):
            held = sum(
                play.state[base + i * pool.size + sort]
                for _, base, root in pool.holders.values()
                for i in range(root.size if root else 1)
            )
            assert held + play.state[pool.supply + sort] == (pool.total[sort] if pool.mask >> sort & 1 else held), (
                pool.name
            )


def options_are_distinct_and_in_declared_order(play: Play) -> None:
    for seat in play.pending if len(play.decisions) < LOOKED_AT else ():
        options = play.options(seat)
        assert options, play.lines()[-5:]
        raws = [option.raw for option in options]
        assert len(set(raws)) == len(raws), raws
        entries = [raw[0] for raw in raws if raw[0] >= 0]
        assert entries == sorted(entries), raws
        texts = [(option.action, option.text, option.notation) for option in options]
        assert len(set(texts)) == len(texts), [t for t in texts if texts.count(t) > 1][:4]


def names_that_are_out_of_scope_are_zero_so_that_equal_positions_are_equal_states(play: Play) -> None:
    """Between two plays of a block its names leave nothing behind: at the end all of them are 0.

    A play that is ended in the midst of a block keeps its names: the reason that is told may need them.
    """
    last = play.machine.program.blocks[play.state[C.PC]].end
    if play.over and isinstance(last, C.Finish) and last.span == play.world.span:
        left = [
            f.name
            for f in play.machine.program.layout.fields
            if f.kind == "local" and any(play.state[f.base : f.base + f.count * f.width])
        ]
        assert not left, left


LAWS = (
    no_fault_and_somebody_is_asked,
    no_piece_is_lost_or_doubled_and_no_value_leaves_its_range,
    tokens_of_a_limited_pool_stay_as_many_as_they_are,
    options_are_distinct_and_in_declared_order,
    names_that_are_out_of_scope_are_zero_so_that_equal_positions_are_equal_states,
)


@every_game
def test_every_position_of_random_plays_is_sound(path: Path) -> None:
    game = load(path)
    for seed, players in plays(game):
        for play in playout(game, seed, players):
            for law in LAWS:
                try:
                    law(play)
                except AssertionError as wrong:
                    told = f"{law.__name__}, seed {seed}, {players} players, after {len(play.decisions)} decisions"
                    raise AssertionError(f"{told}: {wrong}") from wrong


@every_game
def test_plays_are_the_same_on_the_interpreter_and_on_python_made_for_the_game(path: Path) -> None:
    counts = list(load(path).players)
    for players in sorted({counts[0], counts[-1]}):
        both = [ruledsl.load(path, backend=backend) for backend in ("interpreter", "python")]
        for mine, theirs in zip(*(playout(game, 7, players, 120) for game in both), strict=True):
            assert core(mine) == core(theirs)
            assert (mine.pending, mine.ending) == (theirs.pending, theirs.ending)
            assert mine.stop.options == theirs.stop.options
        assert (mine.lines(0), mine.view(0)) == (theirs.lines(0), theirs.view(0))


@every_game
def test_saving_and_resuming_at_any_decision_changes_nothing(path: Path, thorough: bool) -> None:
    """Daily every third position is saved, another third of each play."""
    game = load(path)
    every = 1 if thorough else 3
    for seed, players in plays(game)[:2]:
        for number, play in enumerate(playout(game, seed, players, limit=120), seed):
            if play.fault is not None:
                break
            if number % every and not play.over:
                continue
            twin = game.resume(play.save())
            assert core(twin) == core(play), seed
            assert twin.pending == play.pending
            assert [o.raw for s in play.pending for o in twin.options(s)] == [
                o.raw for s in play.pending for o in play.options(s)
            ]
            assert json.loads(play.save()) == game.resume(play.to_json()).to_json()


@every_game
def test_undo_then_redo_is_the_identity_and_copies_go_their_own_way(path: Path) -> None:
    game = load(path)
    rng = random.Random(5)
    for play in playout(game, 1, None, limit=60):
        if play.over:
            break
        seat = rng.choice(play.pending)
        before, lines = core(play), play.lines(seat)
        number = rng.randrange(len(play.options(seat)))
        twin = play.copy()
        twin.choose(number, seat)
        assert core(play) == before, "a copy changed its original"
        after = core(twin)
        assert twin.undo()
        assert core(twin) == before
        assert twin.lines(seat) == lines
        twin.choose(number, seat)
        assert core(twin) == after


@every_game
def test_a_view_never_shows_what_is_hidden(path: Path, thorough: bool) -> None:
    """Hidden pieces trade places within what the viewer knows: view, options and log must not change.

    Daily every third position is looked at, another third of each play.
    """
    game = load(path)
    rng = random.Random(11)
    every = 1 if thorough else 3
    for seed, players in plays(game):
        if game.configured(players).machine.program.spots.known < 0:
            continue
        for number, play in enumerate(playout(game, seed, players, limit=120), seed):
            if number % every or play.over or play.together is not None:
                continue
            for seat in range(len(play.players)):
                hidden = [p for p in range(play.world.pieces.size) if not play.viewer.knows(play.state, p, seat)]
                if (pair := _pair(play, hidden, rng)) is None:
                    continue
                a, b = pair
                twin = play.copy()
                twin.log = play.log
                _trade(twin, a, b)
                twin.go_on()
                if seat not in play.pending and twin.pending != play.pending:
                    continue  # whether others can do anything depends on what they hold, and all see it
                assert twin.view(seat) == play.view(seat), (
                    seed,
                    seat,
                    play.world.pieces.names[a],
                    play.world.pieces.names[b],
                )
                assert twin.pending == play.pending
                if seat in play.pending:
                    mine, theirs = ([(o.text, o.notation) for o in p.options(seat)] for p in (play, twin))
                    assert mine == theirs, (seed, seat, play.world.pieces.names[a], play.world.pieces.names[b])
                assert twin.lines(seat) == play.lines(seat)


def _pair(play: Play, hidden: list[int], rng: random.Random) -> tuple[int, int] | None:
    """Any two of these pieces that may trade places, each two as likely as others.

    They are tried in an order by chance: where many are hidden, nearly any two will do.
    """
    pairs = list(combinations(hidden, 2))
    for _ in range(len(pairs)):
        at = rng.randrange(len(pairs))
        pairs[at], pairs[-1] = pairs[-1], pairs[at]
        if _may_trade(play, *pairs[-1]):
            return pairs[-1]
        pairs.pop()
    return None


def _may_trade(play: Play, a: int, b: int) -> bool:
    """Whether both pieces are of kinds that both places may hold."""
    spots = play.machine.program.spots
    places = [play.state[spots.at + p] - spots.first_place for p in (a, b)]
    if min(places) < 0 or (places[0] == places[1] and not spots.ordered[places[0] + spots.first_place]):
        return False
    holds = [play.world.kinds_of_places(1 << place) for place in places]
    return all(held >> p & 1 for held in holds for p in (a, b))


def _trade(play: Play, a: int, b: int) -> None:
    """Two pieces change roles in every array that says where pieces are."""
    spots, v, total = play.machine.program.spots, play.state, play.world.pieces.size
    for base in (spots.at, spots.slot, spots.known, spots.under, spots.over):
        if base >= 0:
            v[base + a], v[base + b] = v[base + b], v[base + a]
    other = {a: b, b: a}
    for base, count in (
        (spots.top, spots.count),
        (spots.bottom, spots.count),
        (spots.under, total),
        (spots.over, total),
    ):
        for i in range(base, base + count) if base >= 0 else ():
            v[i] = other.get(v[i], v[i])
    for i in range(spots.members, spots.members + play.world.places.size):
        if v[i] >> a & 1 != v[i] >> b & 1:
            v[i] ^= 1 << a | 1 << b


DIGEST = """
import sys, hashlib
sys.path[:0] = [{root!r}, {tests!r}]
from games import PATHS, load, playout
for path in PATHS:
    game, digest = load(path), hashlib.sha256()
    for play in playout(game, 7, None, limit=60):
        digest.update(repr(play.state).encode())
        digest.update(repr([o.notation for s in play.pending for o in play.options(s)]).encode())
    print(path.name, digest.hexdigest())
"""


def test_the_same_seed_gives_the_same_states_in_processes_with_different_hash_seeds() -> None:
    program = DIGEST.format(root=str(ROOT), tests=str(ROOT / "tests"))
    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == len(PATHS)
