"""Bots: they take only what is offered, they do not peek, and greedy plays well enough to be worth asking."""

import random
from array import array
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, load, named
from ruledsl.bots.base import Bot, UnknownBot, ask, bots, make, seated
from ruledsl.bots.guess import Guess
from ruledsl.bots.practice import practice
from ruledsl.bots.seat_view import SeatView
from ruledsl.engine.batch import play_seed
from ruledsl.generate.native import compiler
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play
from ruledsl.simulation import played

ROOT = Path(__file__).resolve().parents[1]
FORTRESS = ROOT / "games/fortress"
HIGH_CARD = ROOT / "tests/play/high-card.yaml"
NAMES = [f"{name}:20" if name in ("search", "seer", "alphabeta") else name for name in sorted(bots())]
GAMES = ["breakthrough", "reversi", "connect-four"]


def example(name: str) -> Game:
    return ruledsl.load(ROOT / f"examples/{name}.yaml")


def play_out(play: Play, names: list[str], seed: int, most: int = 100_000) -> Play:
    """Lets bots play; fails if one of them chooses what is not there."""
    seats = [make(name, seed * 16 + seat) for seat, name in enumerate(names)]
    for _ in range(most):
        if play.over:
            break
        seat = play.pending[-1]
        play.choose(ask(seats[seat], play, seat), seat)
    return play


def share(name: str, games: int) -> float:
    """The games that greedy wins against random, from both seats in turn; a shared win counts half."""
    game = example(name)
    won = 0.0
    for seed in range(games):
        mine = seed % 2
        play = play_out(game.start(seed=seed), ["greedy" if seat == mine else "random" for seat in range(2)], seed)
        assert play.over
        assert play.fault is None
        won += 1 / len(play.winners) if mine in play.winners else 0
    return won / games


def test_every_bot_says_what_it_does_and_names_itself_once() -> None:
    known = bots()
    assert {"greedy", "random"} <= set(known)
    for name, maker in known.items():
        assert maker.__doc__, name
    with pytest.raises(UnknownBot, match="did you mean `greedy`"):
        make("gredy")


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
@pytest.mark.parametrize("name", NAMES)
def test_a_bot_takes_only_what_is_offered(path: Path, name: str, thorough: bool) -> None:
    play = load(path).start(seed=3)
    play_out(play, [name] * len(play.players), 1, most=200 if name == "random" else 4 if thorough else 2)
    assert play.fault is None


@pytest.mark.parametrize("name", NAMES)
def test_equal_seeds_play_alike_and_leave_the_chance_of_the_play_alone(name: str) -> None:
    game = ruledsl.load(HIGH_CARD)
    first, second = (play_out(game.start(seed=8), [name, name], 5) for _ in range(2))
    assert first.state == second.state
    before = game.start(seed=8)
    state, log = before.state[:], len(before.log)
    ask(make(name, 1), before, 0)
    assert before.state == state
    assert len(before.log) == log


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_greedy_wins_at_once_and_stops_one_who_would(name: str) -> None:
    lines = {"tic-tac-toe": ["a1", "c3", "b1", "c2"], "connect-four": ["a1", "b1", "a2", "b2", "a3", "b3"]}[name]
    winning = {"tic-tac-toe": "c1", "connect-four": "a4"}[name]
    for seed in range(5):
        play = example(name).start()
        for line in lines:
            play.choose(next(o for o in play.options() if line in o.words.values()))
        play.choose(ask(make("greedy", seed), play, 0), 0)
        assert play.winners == [0], f"it is {winning} that wins"
        play = example(name).start()
        for line in lines[:-1]:
            play.choose(next(o for o in play.options() if line in o.words.values()))
        chosen = play.options()[ask(make("greedy", seed), play, 1)]
        assert winning in chosen.words.values(), f"{winning} must be stopped"


def test_greedy_plays_alike_whatever_lies_where_it_cannot_see() -> None:
    game = ruledsl.load(HIGH_CARD)
    play = game.start(seed=2)
    for other in range(6):
        twin = play.copy()
        twin.state = Guess(play, 0, random.Random(other)).state
        twin.go_on()
        assert twin.view(0) == play.view(0)
        offered = {o.text for o in play.options(0)} == {o.text for o in twin.options(0)}
        if offered:  # what may be done can depend on the deck, as for a referee
            assert ask(make("greedy", 4), twin, 0) == ask(make("greedy", 4), play, 0)


def test_a_guess_keeps_what_the_seat_sees_and_loses_no_piece() -> None:
    play = ruledsl.load(HIGH_CARD).start(seed=5)
    dealt = set()
    for seed in range(20):
        guess = Guess(play, 1, random.Random(seed))
        twin = play.copy()
        twin.state = guess.state
        assert twin.view(1) == play.view(1)
        at = play.machine.program.spots.at
        spots = [twin.state[at + piece] for piece in range(play.world.pieces.size)]
        assert sorted(spots) == sorted(play.state[at + piece] for piece in range(play.world.pieces.size))
        assert {piece for spot in set(spots) for piece in play.machine.pieces.on(twin.state, spot)} == set(range(8))
        dealt.add(tuple(spots))
    assert len(dealt) > 5, "the unknown cards should be dealt in many ways"


@pytest.mark.parametrize(("name", "games"), [("connect-four", 20), ("breakthrough", 4)])
def test_greedy_beats_random(name: str, games: int) -> None:
    assert share(name, games) >= 0.7


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_greedy_beats_random_in_500_games(name: str) -> None:
    assert share(name, 500) >= 0.7


# ------------------------------------------------------------------------------- games that hide cards


def share_of_games(players: int, games: int, in_a_campaign: int = 10) -> float:
    """The games of campaigns of fortress that careful wins against random, from all seats in turn."""
    game, won, played = ruledsl.load(FORTRESS), 0.0, 0
    while played < games:
        campaign = Campaign(game, players, played)
        for number in range(min(in_a_campaign, games - played)):
            if number:
                campaign.next()
            mine = (played + played // in_a_campaign) % players
            names = ["careful" if seat == mine else "random" for seat in range(players)]
            play = play_out(campaign.play, names, played)
            assert play.fault is None
            won += 1 / len(play.winners) if mine in play.winners else 0
            played += 1
            play.settle()
    return won / games


def test_careful_beats_random_where_cards_are_hidden() -> None:
    assert share_of_games(2, 4, 2) >= 0.6


@pytest.mark.long
@pytest.mark.parametrize(("players", "least"), [(2, 0.7), (3, 0.55), (4, 0.4)])
def test_careful_beats_random_in_500_games(players: int, least: float) -> None:
    found = share_of_games(players, 500)
    assert found >= least


def begun(seed: int, decisions: int) -> Play:
    """The third game of a campaign, played at random for a while."""
    campaign = Campaign(ruledsl.load(FORTRESS), 2, seed)
    rng = random.Random(seed)
    for number in range(3):
        if number:
            campaign.next()
        while not campaign.play.over and (number < 2 or len(campaign.play.decisions) < decisions):
            campaign.play.choose(rng.randrange(len(campaign.play.stop.options)))
        if number < 2:
            campaign.play.settle()
    return campaign.play


def test_careful_plays_alike_whatever_lies_where_it_cannot_see() -> None:
    compared = 0
    for seed in range(6):
        play = begun(seed, 25)
        if play.over:
            continue
        seat = play.pending[0]
        for other in range(3):
            twin = play.copy()
            twin.state = Guess(play, seat, random.Random(other), practice(play.configured)).state
            twin.go_on()
            assert twin.view(seat) == play.view(seat)
            if [o.raw for o in play.options(seat)] == [o.raw for o in twin.options(seat)]:
                assert ask(make("careful", 4), twin, seat) == ask(make("careful", 4), play, seat)
                compared += 1
    assert compared > 6


def test_what_is_seen_in_practice_says_where_cards_may_lie() -> None:
    """Forts and hourglasses are laid on the table when they are drawn: nobody can have one in the hand."""
    play = begun(1, 10)
    world, found = play.world, practice(play.configured)
    hand = world.spots.first_place + world.places.names.index("player_1_hand")
    names = {world.pieces.names[i].rsplit("_", 1)[0] for i in range(90) if found.may_lie[hand] >> i & 1}
    assert {"two", "five", "joker", "sortie"} <= names
    assert not names & {"fort", "hourglass", "capture"}


def test_practice_goes_on_where_several_decide_at_once() -> None:
    """So it is known that everybody has discs of its own: nobody else's is guessed to be among them."""
    play = load(ROOT / "examples/thorns.yaml").start(3, seed=2)
    assert practice(play.configured).concluded > 10
    for _ in range(3):
        play.choose(0, play.pending[0])
    view, rng = SeatView(play, play.pending[0]), random.Random(1)
    (disc,), spots = play.world.kinds, play.machine.program.spots
    for _ in range(20):
        state = view.guess(rng).state
        for piece in range(play.world.pieces.size):
            player = (state[spots.at + piece] - spots.first_place) % 3
            assert disc.of_player(player, 3) >> piece & 1


def test_what_winners_had_is_worth_having() -> None:
    """Who has a fort wins more often; that is found out without being told."""
    play = begun(1, 10)
    found, v = practice(play.configured), list(play.state)
    pieces, world = play.machine.pieces, play.world
    forts = [world.spots.first_place + world.places.names.index(f"player_{n}_forts") for n in (1, 2)]
    fort = world.pieces.names.index("fort_3")
    chances = []
    for spot in forts:
        pieces.move(v, fort, spot)
        chances.append(found.chance(v, 0))
    assert chances[0] > chances[1] + 0.1


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    ("name", "bot"), [("love-letter", "search:8"), ("dike-watch", "seer:8"), ("yacht", "search:8")]
)
def test_a_simulation_asks_bots_as_a_script_does(name: str, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So what `simulate --bots` tells of a bot is what a script finds that asks it itself, decision by decision."""
    game, told = example(name), list[tuple[int, int]]()

    def noted(asked: Bot, play: Play, seat: int) -> int:
        told.append((seat, ask(asked, play, seat)))
        return told[-1][1]

    monkeypatch.setattr(played, "ask", noted)
    simulated = played.Played(game, 2, {}, None, [bot, bot])
    seed = play_seed(3, 0)
    assert len(list(simulated.run(3, 0, 1, array("q", [0]) * simulated.shape.counts, 40))) == 1
    play, bots = game.start(2, seed), seated([bot, bot], seed)
    for seat, option in told:
        assert not play.over
        assert (play.pending[0], ask(bots[seat], play, seat)) == (seat, option)
        play.choose(option, seat)
    assert len(told) == 40 or play.over
