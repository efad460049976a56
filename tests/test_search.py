"""The bot that searches: the same everywhere, strong, honest, and kept within bounds."""

from __future__ import annotations

import json
import random
from math import sqrt
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from games import EXAMPLES, PATHS, ROOT, load, named
from ruledsl.bots import native_tree, practice, search, training, tree
from ruledsl.bots.base import BadDial, UnknownBot, ask, make
from ruledsl.bots.belief import Belief
from ruledsl.bots.judge import Judge, Signs, Weights, beside, found, keep
from ruledsl.bots.manner import Traits
from ruledsl.bots.native_tree import NativeTree, library
from ruledsl.bots.search import Dial, SearchBot
from ruledsl.bots.seat_view import SeatView
from ruledsl.bots.training import train
from ruledsl.bots.tree import WHOLE, Found, Tree
from ruledsl.engine import amounts
from ruledsl.generate.native import compiler
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play

LEARNT = [*(ROOT / "examples").glob("**/*learnt.json"), *(ROOT / "games").glob("*/learnt.json")]
compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def example(name: str) -> Game:
    return load(ROOT / f"examples/{name}.yaml")


# ------------------------------------------------------------------------------------------------ the same everywhere


def grown(maker: Any, play: Play, seat: int, plays: int) -> list[Found]:
    """What a tree finds that grows in three goes, each from another guess where something is hidden."""
    view = SeatView(play, seat)
    found = maker(None if view.guessed else play.state)
    rng = random.Random(1)
    for _ in range(3):
        if view.guessed:
            guess = view.guess(rng)
            found.guess(guess.state, guess.options, guess.taken)
        found.more(plays)
    stop = play.stop_of(seat)
    assert stop is not None
    told: list[Found] = found.found(len(stop.options))
    line = [] if view.guessed else found.line(8)
    found.close()
    return [*told, Found(found.plays, len(line), bool(line))]


def trees_agree(path: Path, decisions: int, plays: int) -> None:
    """Compiled code and Python find the same, number for number, in a play at random."""
    play, rng = load(path).start(seed=5), random.Random(5)
    built = library(play.configured)
    assert built is not None
    for number in range(decisions):
        if play.over or play.stop.kind == "chance":
            return
        seat = play.pending[-1]
        stop = play.stop_of(seat)
        assert stop is not None
        if len(stop.options) > 1:
            ours = grown(lambda state, at=seat: Tree(play.configured, state, at, 7), play, seat, plays)
            theirs = grown(lambda state, at=seat: NativeTree(built, state, at, 7), play, seat, plays)
            assert ours == theirs, f"{named(path)}, after {number} decisions"
        play.choose(rng.randrange(len(stop.options)), seat)


@compiled
@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_the_same_is_found_on_both_executors(path: Path) -> None:
    trees_agree(path, 4, 7)


@compiled
@pytest.mark.parametrize(("name", "plays"), [("tic-tac-toe", 60), ("connect-four", 40), ("hex", 15)])
def test_the_same_is_found_where_decisions_are_met_often(name: str, plays: int) -> None:
    """So often that what came of options later is told by each of them, not by the first alone."""
    trees_agree(ROOT / f"examples/{name}.yaml", 2, plays)


@compiled
@pytest.mark.long
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_the_same_is_found_on_both_executors_in_every_game(path: Path) -> None:
    trees_agree(path, 12, 40)


def judge_for(game: Game, cut: int) -> Judge:
    """Weights at random: they mean nothing, but both executors have to read them alike."""
    configured, rng = game.configured(), random.Random(1)
    signs = Signs(configured)
    cells = [rng.randrange(-200, 200) for _ in range(signs.combined * signs.groups * signs.players)]
    columns = [rng.randrange(-20, 20) for _ in range(signs.columns)]
    return Judge(configured, signs, Weights(cells, columns, [30] * signs.players, 7, cut))


@compiled
@pytest.mark.parametrize("name", ["chess", "draughts", "gem-traders/game", "holdem", "thorns", "yacht"])
def test_positions_are_judged_alike_on_both_executors(name: str) -> None:
    game, rng = example(name), random.Random(3)
    play, judge = game.start(seed=2), judge_for(game, 3)
    built = library(play.configured)
    assert built is not None
    for _ in range(5):
        seat = play.pending[0]
        args = (seat, 7, judge)
        ours = grown(lambda state, args=args: Tree(play.configured, state, *args), play, seat, 8)
        theirs = grown(lambda state, args=args: NativeTree(built, state, *args), play, seat, 8)
        assert ours == theirs
        play.choose(rng.randrange(len(play.options(seat))), seat)


@compiled
def test_it_learns_what_is_worth_having(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of draughts men, kings, and that those in the box are lost; what was learnt is kept, and found again."""
    game = example("draughts")
    configured = game.configured()
    built = library(configured)
    assert built is not None
    monkeypatch.setattr(training, "SAMPLES", 2_500)
    pupil = train(configured, built, 2.0, 1, lambda number, count: None)
    box = pupil.signs.whole[-1] if pupil.signs.whole[-1] != pupil.signs.whole[0] else pupil.signs.groups - 1
    man, lost, king = (pupil.shared[i] for i in (0, box, pupil.signs.groups))
    assert king > man > lost
    judge, folder = pupil.judge(4), tmp_path / "draughts.yaml"
    keep(beside(folder), judge)
    again = found(configured, folder)
    assert again is not None
    assert (again.cut, again.weights.cells, again.weights.tempo) == (4, judge.weights.cells, judge.weights.tempo)
    assert found(example("chess").configured(), folder) is None, "it is of another game"


@pytest.mark.parametrize("file", LEARNT, ids=lambda path: path.name)
def test_what_ships_with_a_game_is_of_that_game(file: Path) -> None:
    path = file.with_name(file.name.replace(".learnt.json", ".yaml"))
    game = load(path if path != file else file.with_name("game.yaml"))
    made = [game.configured(players, dict(sets)) for players in game.players for sets in ({}, *game.presets.values())]
    known = {mark for one in made for mark in (Signs(one).mark, Traits(one).mark, Belief(one).mark)}
    assert set(json.loads(file.read_text(encoding="utf-8"))) <= known, "learn anew: ruledsl train GAME -o FILE"


@compiled
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_what_is_certain_is_certain_on_both_executors(name: str) -> None:
    play = example(name).start()
    for text in {"tic-tac-toe": ("a1", "c3", "b1"), "connect-four": ("d1", "a1", "d2", "a2", "d3")}[name]:
        play.choose(next(o for o in play.options() if text in o.words.values()))
    built = library(play.configured)
    assert built is not None
    ours, theirs = Tree(play.configured, play.state, 1, 3), NativeTree(built, play.state, 1, 3)
    ours.more(600)
    theirs.more(600)
    count = len(play.stop.options)
    assert ours.found(count) == theirs.found(count)
    assert ours.plays == theirs.plays
    assert any(one.sure for one in ours.found(count))
    theirs.close()


@pytest.mark.parametrize("name", ["reversi", "love-letter", "backgammon"])
def test_the_same_seed_and_number_of_plays_take_the_same(name: str) -> None:
    play = example(name).start(seed=4)
    for dial in ("60", "60/100s"):
        first, second = (ask(make(f"search:{dial}", 3), play, play.pending[0]) for _ in range(2))
        assert first == second


# ------------------------------------------------------------------------------------------------ strength


def played(game: Game, names: list[str], seed: int) -> Play:
    play = game.start(seed=seed)
    seats = [make(name, seed * 16 + seat) for seat, name in enumerate(names)]
    while not play.over:
        seat = play.pending[0]
        play.choose(ask(seats[seat], play, seat), seat)
    return play


@compiled
@pytest.mark.parametrize("name", ["connect-four", "reversi", "draughts", "breakthrough", "hex", "love-letter"])
def test_it_beats_random(name: str) -> None:
    """By so much that chance cannot do it: the interval of its share lies above a half."""
    won, games = 0.0, 10
    for seed in range(games):
        mine = seed % 2
        play = played(example(name), ["search:100" if seat == mine else "random" for seat in range(2)], seed)
        won += 1 / len(play.winners) if mine in play.winners else 0
    share = won / games
    error = 1.96 * sqrt(share * (1 - share) / games + 1 / (4 * games * games))
    assert share - error > 0.5


@compiled
@pytest.mark.parametrize("mine", [0, 1])
def test_tic_tac_toe_is_never_lost(mine: int) -> None:
    """Against every way to play there is."""
    searcher, begun, asked = make("search:1000"), [example("tic-tac-toe").start()], 0
    while begun:
        play = begun.pop()
        if play.over:
            assert play.winners != [1 - mine]
        elif play.pending[0] == mine:
            play.choose(ask(searcher, play, mine))
            begun.append(play)
            asked += 1
        else:
            for number in range(len(play.stop.options)):
                begun.append(play.copy())
                begun[-1].choose(number)
    assert asked > 50


@compiled
@pytest.mark.parametrize("winning", ["a4", "c1"])
def test_what_wins_for_certain_is_known_to(winning: str) -> None:
    name = {"a4": "connect-four", "c1": "tic-tac-toe"}[winning]
    lines = {"tic-tac-toe": ["a1", "c3", "b1", "c2"], "connect-four": ["a1", "b1", "a2", "b2", "a3", "b3"]}[name]
    play = example(name).start()
    for text in lines:
        play.choose(next(o for o in play.options() if text in o.words.values()))
    thought = SearchBot(1, "500").think(SeatView(play, 0))
    assert winning in play.options()[thought.best].words.values()
    assert thought.found[thought.best] == Found(thought.found[thought.best].visits, WHOLE, True)
    assert thought.plays < 500, "there is nothing more to be found"


# ------------------------------------------------------------------------------------------------ honest


@pytest.mark.parametrize("bot", ["search:30", "greedy", "careful", "random"])
def test_it_does_not_touch_the_play(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where what plays for practice teach is not known yet."""
    monkeypatch.setattr(practice, "_PRACTICES", WeakKeyDictionary())
    for name in ("love-letter", "thorns", "rock-paper-scissors", "connect-four"):
        play = example(name).start(seed=1)
        before, log = play.state[:], len(play.log)
        ask(make(bot), play, play.pending[0])
        assert play.state == before
        assert len(play.log) == log, name


# ------------------------------------------------------------------------------------------------ bounds


@compiled
def test_of_a_long_menu_few_options_are_tried_but_often() -> None:
    """Else each of a thousand would be tried once, and nothing would be known of any."""
    for name in ("holdem", "hex"):
        play = example(name).start(seed=1)
        view = SeatView(play, play.pending[0])
        visits = [one.visits for one in SearchBot(1, "400").think(view).found]
        assert view.count > 80
        assert 8 <= sum(map(bool, visits)) <= 8 + 2 * 20
        assert sum(visits) == 400


def test_of_many_amounts_the_ends_come_first_and_then_the_gaps_are_halved() -> None:
    play = example("holdem").start(seed=1)
    stop = play.stop_of(play.pending[0])
    assert stop is not None
    assert stop.choice is not None
    rounds = amounts.rounds(stop.choice, stop.options)
    assert rounds is not None
    texts = [option.text for option in play.options()]
    in_turn = sorted(range(len(texts)), key=rounds.__getitem__)
    assert [texts[number] for number in in_turn[:9]] == [
        *("fold", "call 10", "raise to 40", "raise to 1500", "raise to 770"),
        *("raise to 405", "raise to 1135", "raise to 222", "raise to 587"),
    ]
    few = example("tic-tac-toe").start().stop
    assert few.choice is not None
    assert amounts.rounds(few.choice, few.options) is None


@pytest.mark.parametrize("maker", [pytest.param(NativeTree, marks=compiled), Tree])
def test_all_that_can_be_done_is_tried_before_many_amounts_of_it(maker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raising by this or that is one thing to do, folding is another, of which there is one option in 1,463."""
    if maker is Tree:
        monkeypatch.setattr(search, "library", lambda made: None)
    play = example("holdem").start(seed=1)
    found = SearchBot(1, "60").think(SeatView(play, play.pending[0])).found
    tried = {option.text for option, one in zip(play.options(), found, strict=True) if one.visits}
    assert {"fold", "call 10", "raise to 40", "raise to 1500", "raise to 770"} <= tried


@compiled
def test_memory_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_tree, "MEMORY", 4 << 20)
    play = example("gomoku").start()
    built = library(play.configured)
    assert built is not None
    grown = NativeTree(built, play.state, 0, 1)
    grown.more(30_000)
    assert grown.plays == 30_000
    assert grown.bytes < 8 << 20
    grown.close()


def test_python_has_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "NODES", 5)
    for name in ("connect-four", "love-letter"):
        play = example(name).start()
        view = SeatView(play, play.pending[0])
        grown = Tree(play.configured, None if view.guessed else play.state, play.pending[0], 1)
        if view.guessed:
            guess = view.guess(random.Random(1))
            grown.guess(guess.state, guess.options, guess.taken)
        grown.more(60)
        assert grown.nodes == 5
        assert grown.plays == 60


def test_a_dial_is_a_number_a_time_or_a_level() -> None:
    assert (Dial("1000").plays, Dial("1000").seconds) == (1000, None)
    assert (Dial("1.5s").plays, Dial("1.5s").seconds) == (None, 1.5)
    assert Dial("250ms").seconds == 0.25
    assert (Dial("hard/2s").plays, Dial("hard/2s").seconds) == (20_000, 2.0)
    for wrong in ("", "0", "0s", "-3", "fast", "1m", "1000/"):
        with pytest.raises(BadDial) as told:
            make(f"search:{wrong}")
        assert str(told.value).endswith(
            "is neither a number of plays (`1000`) nor a time (`1s`), and is not one of the levels "
            "`easy`, `normal`, `hard`"
        )
    with pytest.raises(UnknownBot, match="the bot `random` takes nothing after a colon"):
        make("random:3")


def test_at_the_easy_level_no_more_is_bet_than_must_be() -> None:
    """After so few plays nobody can tell amounts apart; who takes any has lost all in a hand or two. Nor is raising all
    that is done, because there are so many ways to do it."""
    game, raised, decided = load(ROOT / "examples/holdem.yaml"), 0, 0
    for seed in range(3):
        play, bot = game.start(seed=seed), SearchBot(seed, "easy")
        for _ in range(12):
            if play.over:
                break
            view = SeatView(play, play.pending[0])
            number, rounds = bot.choose(view), amounts.rounds(view.choice, view.raw)
            raised += bool(rounds) and view.options()[number].action in ("raise", "bet")
            assert not rounds or not rounds[number]
            decided += bool(rounds)
            play.choose(number)
    assert decided / 10 < raised < decided / 2
