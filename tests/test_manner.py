"""How those tend to decide who do well: the same on both executors, learnt from plays, kept and found again."""

from __future__ import annotations

import json
import random
from ctypes import c_double
from pathlib import Path
from typing import Any

import pytest
from test_search import grown

from games import ROOT, load
from ruledsl.bots.judge import beside
from ruledsl.bots.manner import MANNERED, PAIRED, SORTS, Manner, Traits, found_manner, keep_manner, sorts_of
from ruledsl.bots.native_tree import NativeTree, library
from ruledsl.bots.outcome import shared
from ruledsl.bots.training import learn_manner, what_lies
from ruledsl.bots.tree import WHOLE, Tree
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import Configured, Game

compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
# Without chance, with dice, with hidden cards, decided at once, several values in an option, and won together.
# In the last one words are printed on cards.
SAMPLE = ["breakthrough", "backgammon", "love-letter", "thorns", "yacht", "dike-watch", "gem-traders"]


def example(name: str) -> Game:
    folder = ROOT / "examples" / name
    return load(folder if folder.is_dir() else folder.with_suffix(".yaml"))


def any_manner(configured: Configured, laid: list[tuple[int, int]] | None = None) -> Manner:
    rng, traits = random.Random(3), Traits(configured)
    if laid is not None:
        traits.pair(configured, laid)
    return Manner(traits, [rng.randint(-300, 300) for _ in range(MANNERED + PAIRED)])


@compiled
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("name", SAMPLE)
def test_a_manner_is_the_same_on_both_executors(name: str, paired: bool) -> None:
    play, rng = example(name).start(seed=5), random.Random(5)
    built = library(play.configured)
    assert built is not None
    manner = any_manner(play.configured, what_lies(play.configured, built, 1) if paired else None)
    for _ in range(3):
        seat = play.pending[-1]
        stop = play.stop_of(seat)
        assert stop is not None

        def tree(maker: Any, first: Any, at: int = seat) -> Any:
            return lambda state: maker(first, state, at, 7, None, manner)

        assert grown(tree(Tree, play.configured), play, seat, 9) == grown(tree(NativeTree, built), play, seat, 9)
        play.choose(rng.randrange(len(stop.options)), seat)


@compiled
@pytest.mark.parametrize("name", ["dike-watch", "yacht", "love-letter"])
def test_a_search_of_few_plays_takes_what_the_manner_takes(name: str) -> None:
    """While hardly anything is known of options, most attention is due to what is likely by far, from the first on."""
    play, rng = example(name).start(seed=5), random.Random(6)
    built = library(play.configured)
    assert built is not None
    manner, seen = any_manner(play.configured), 0
    manner = Manner(manner.traits, [4 * weight for weight in manner.weights])
    while seen < 3 and not play.over:
        seat = play.pending[0]
        stop = play.stop_of(seat)
        assert stop is not None
        likely = manner.likely(play.state, seat, stop.options)
        assert likely is not None
        if len(likely) > 1 and max(likely) > 0.95 * sum(likely):
            seen += 1
            for maker, first in ((Tree, play.configured), (NativeTree, built)):

                def tree(state: Any, maker: Any = maker, first: Any = first, at: int = seat) -> Any:
                    return maker(first, state, at, 7, None, manner)

                assert grown(tree, play, seat, 1)[likely.index(max(likely))].visits == 3
        play.choose(rng.randrange(len(stop.options)), seat)
    assert seen == 3


def worth(configured: Configured, manner: Manner) -> float:
    """What plays come to on average in which all decide in a manner."""
    built = library(configured)
    assert built is not None
    tree = NativeTree(built, built.program.template, 0, 1, None, manner)
    weights = (c_double * (MANNERED + PAIRED))(*(weight / 256 for weight in manner.weights))
    try:
        return tree.learn(1, 40, 2_000, 0.0, weights, (c_double * 2)(0.3)) / WHOLE
    finally:
        tree.close()


@compiled
@pytest.mark.parametrize("paired", [False, True])
def test_it_learns_from_those_who_do_well(tmp_path: Path, paired: bool) -> None:
    """Together, though at random hardly anybody wins; what was learnt is kept, and found again."""
    configured = example("dike-watch").configured(2)
    built = library(configured)
    assert built is not None
    manner = learn_manner(configured, built, 1.5, 1, lambda number, plays: None, paired)
    before = worth(configured, Manner(manner.traits, [0] * (MANNERED + PAIRED)))
    assert worth(configured, manner) > before + 0.01
    folder = tmp_path / "dike-watch.yaml"
    keep_manner(beside(folder), manner, configured)
    again = found_manner(configured, folder)
    assert again is not None
    assert again.weights == manner.weights
    assert again.traits.counted == manner.traits.counted
    on = learn_manner(configured, built, 0.02, 2, lambda number, plays: None, start=again)
    assert worth(configured, on) > before + 0.01, "what was learnt is learnt on with, not forgotten"
    assert found_manner(example("dike-watch").configured(3), folder) is None, "it is of another number of players"
    beside(folder).write_text(json.dumps({manner.traits.mark: {"form": 0}}), encoding="utf-8")
    assert found_manner(configured, folder) is None, "it was kept in another form"


@compiled
def test_pieces_count_by_what_is_printed_on_them(tmp_path: Path) -> None:
    """How many cards of each gem somebody has bought, and which gem a card gives that may be bought."""
    configured = example("gem-traders").configured(2)
    built = library(configured)
    assert built is not None
    world, lies = configured.world, what_lies(configured, built, 1)
    count, sorts = sorts_of(configured)
    printed = {sort for sort, _ in lies if sort >= len(world.kinds)}
    assert printed
    assert all(sort < count for sort in printed)
    told: dict[int, set[Any]] = {}
    for piece in range(world.pieces.size):
        for sort in sorts[piece * SORTS + 1 : (piece + 1) * SORTS]:
            told.setdefault(sort, set()).add(world.pieces.names[piece])
    sizes = sorted(len(told[sort]) for sort in printed)
    assert sizes == [10, 10, 10, 10, 10, 15, 15, 20], "each of five gems is on ten cards, and there are three tiers"

    manner = any_manner(configured, lies)
    folder = tmp_path / "gem-traders.yaml"
    keep_manner(beside(folder), manner, configured)
    again = found_manner(configured, folder)
    assert again is not None
    assert (again.weights, again.traits.apart) == (manner.weights, len(printed) * 2)
    kept = json.loads(beside(folder).read_text(encoding="utf-8"))
    kept[manner.traits.mark]["sorts"] = "of other cards"
    beside(folder).write_text(json.dumps(kept), encoding="utf-8")
    assert found_manner(configured, folder) is None, "cards with other words are other sorts"


@pytest.mark.parametrize(
    ("name", "players", "together"),
    [("dike-watch", 2, True), ("chess", 2, False), ("dike-watch", 1, True), ("yacht", 2, False), ("holdem", 2, False)],
)
def test_who_wins_together_is_told_from_the_rules(name: str, players: int, together: bool) -> None:
    assert shared(example(name).configured(players)) is together
