"""Texas hold'em: hands played beside OpenSpiel's, hands valued by another's eyes, and laws of whole plays."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import ruledsl

try:
    import pyspiel
except ImportError:  # an extra; what needs it is skipped
    pyspiel = None

HOLDEM = Path(__file__).parent.parent / "examples" / "holdem.yaml"


@cache
def holdem() -> ruledsl.Game:
    return ruledsl.load(HOLDEM)


# --------------------------------------------------------------------------------------- what a state says


@dataclass(frozen=True)
class Table:
    """What lies where in a play, by what every player may see."""

    stacks: list[int]
    stakes: list[int]
    pot: int
    button: int

    @classmethod
    def of(cls, play: Any) -> Table:
        view = play.view()
        names = play.players
        stacks, stakes = (list(view["pools"][word].values()) for word in ("stack", "stake"))
        return cls(stacks, stakes, view["pools"]["pot"], names.index(view["values"]["button"]))


# ------------------------------------------------------------------------------------ beside OpenSpiel

# All chips are multiples of 60, so that a pot can be shared by up to six players without an odd chip, which
# OpenSpiel would break into pieces.
UNIT = 60
BLIND = 2 * UNIT


@dataclass
class Rounds:
    """The bets of a hand as the rules of real tables see them: an oracle for who may raise and by how much.

    Robert's Rules of Poker, no limit: after a bet of 100 and an all-in of 140 a raise is to 240 at least; after an
    all-in of 20 with a blind of 100, to 120; short all-ins let those raise again who have spoken only if together
    they make a full raise. (So too rules 43 and 47 of the Tournament Directors Association.)
    """

    stakes: dict[int, int]
    stacks: dict[int, int]
    level: int = BLIND  # what is to be called
    full: int = BLIND  # the largest bet or raise of this round
    short: bool = False  # whether somebody raised by less than a full raise
    folded: set[int] = field(default_factory=set)
    answered: dict[int, int] = field(default_factory=dict)  # the level to which each has spoken in this round

    def next_round(self) -> None:
        self.full, self.short = BLIND, False
        self.answered.clear()

    def may_raise(self, seat: int) -> bool:
        return seat not in self.answered or self.level - self.answered[seat] >= self.full

    def least(self, seat: int) -> int:
        return min(self.level + self.full, self.stakes[seat] + self.stacks[seat])

    def take(self, seat: int, to: int) -> None:
        """A seat raises to `to`, calls or checks."""
        if to - self.level >= self.full:
            self.full = to - self.level
        elif to > self.level:
            self.short = True
        self.level = max(self.level, to)
        paid = min(to - self.stakes[seat], self.stacks[seat])
        self.stakes[seat] += paid
        self.stacks[seat] -= paid
        self.answered[seat] = self.level


def spiel_game(stacks: list[int]) -> Any:
    """No-limit hold'em of OpenSpiel for the players in order from the left of the button."""
    n = len(stacks)
    blinds = [BLIND // 2, BLIND] + [0] * (n - 2) if n > 2 else [BLIND, BLIND // 2]  # with two the button is small blind
    first = ["3" if n > 2 else "2", "1", "1", "1"]
    return pyspiel.load_game(
        "universal_poker",
        {
            "betting": "nolimit",
            "bettingAbstraction": "fullgame",
            "numPlayers": n,
            "numRounds": 4,
            "blind": " ".join(map(str, blinds)),
            "firstPlayer": " ".join(first),
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
            "stack": " ".join(map(str, stacks)),
        },
    )


def deal(state: Any, cards: list[int]) -> None:
    """Lets their chance deal these cards as long as it is its turn."""
    while not state.is_terminal() and state.is_chance_node():
        state.apply_action(cards.pop(0))


def one_hand(play: Any, rng: random.Random) -> int:
    """Plays a hand of ours and the same hand of theirs; how many decisions were compared."""
    before = Table.of(play)
    n = len(play.players)
    order = [seat for seat in ((before.button + 1 + i) % n for i in range(n)) if before.stacks[seat] > 0]
    stacks = [before.stacks[seat] for seat in order]
    state = spiel_game(stacks).new_initial_state()
    assert play.chance is not None
    assert play.chance.kind == "shuffle"
    ids = [piece for piece, _, _ in play.chance.outcomes]
    names = {piece: name for piece, _, name in play.chance.outcomes}
    rng.shuffle(ids)
    theirs = [card_number(names[piece]) for piece in ids]
    k = len(order)
    cards = [theirs[i + k * j] for i in range(k) for j in range(2)] + theirs[2 * k :]
    play.answer(ids)
    deal(state, cards)
    small, big = (0, 1) if k > 2 else (1, 0)
    stakes = dict.fromkeys(order, 0)
    rounds = Rounds(stakes, {seat: before.stacks[seat] for seat in order})
    for number, amount in ((small, BLIND // 2), (big, BLIND)):
        rounds.stakes[order[number]] += amount
        rounds.stacks[order[number]] -= amount
    moves: list[str] = []
    steps = shown = 0

    def tell(what: str) -> str:
        return f"{what}\nstacks {stacks}, seats {order}, moves: {', '.join(moves)}\n{state}"

    while play.chance is None and not play.over:
        if formality(state, rounds, order):
            state.apply_action(1)
            deal(state, cards)
        assert not state.is_terminal(), tell("theirs is over")
        on_table = len(play.view()["places"]["table"])
        if on_table != shown:
            shown = on_table
            rounds.next_round()
        seat = play.pending[0]
        assert order[state.current_player()] == seat, tell(f"ours asks {seat}")
        mine = {}
        for option in play.options():
            name = {"fold": "fold", "check": "call", "call": "call"}.get(option.action) or f"to {option.values['to']}"
            assert name not in mine
            mine[name] = option
        # In the full game an action of theirs is the amount, but for fold and call.
        legal = {"fold" if a == 0 else "call" if a == 1 else f"to {a}": a for a in state.legal_actions()}
        expected = set(legal)
        if rounds.short:
            # OpenSpiel lets everybody raise again after a short all-in, and reckons the next raise from before it.
            if not rounds.may_raise(seat):
                expected = {name for name in expected if not name.startswith("to ")}
            else:
                expected = {
                    name for name in expected if not name.startswith("to ") or int(name[3:]) >= rounds.least(seat)
                }
        assert set(mine) == expected, tell(
            f"only ours: {sorted(set(mine) - expected)[:9]}, only theirs: {sorted(expected - set(mine))[:9]}"
        )
        name = pick(sorted(mine), rng)
        moves.append(f"{seat} {name}")
        if name == "fold":
            rounds.folded.add(seat)
        elif name == "call":
            rounds.take(seat, rounds.level)
        else:
            rounds.take(seat, int(name[3:]))
        play.choose(mine[name])
        state.apply_action(legal[name])
        deal(state, cards)
        steps += 1
    assert play.fault is None, tell(play.fault.message if play.fault else "")
    if formality(state, rounds, order):
        state.apply_action(1)
        deal(state, cards)
    assert state.is_terminal(), tell("ours is over")
    after = Table.of(play)
    won = [after.stacks[seat] - before.stacks[seat] for seat in order]
    assert won == list(state.returns()), tell(f"ours {won}, theirs {state.returns()}")
    assert after.pot == 0
    assert not any(after.stakes)
    return steps


def formality(state: Any, rounds: Rounds, order: list[int]) -> bool:
    """They ask a player with nothing to call and nobody to bet against whether he checks; ours asks nobody."""
    if state.is_terminal() or state.legal_actions() != [1]:
        return False
    seat = order[state.current_player()]
    return rounds.stakes[seat] == rounds.level and not any(
        rounds.stacks[s] for s in order if s != seat and s not in rounds.folded
    )


def pick(names: list[str], rng: random.Random) -> str:
    """Mostly calls, few folds, raises by multiples of the unit, small ones more often."""
    raises = sorted(
        (name for name in names if name.startswith("to ") and int(name[3:]) % UNIT == 0), key=lambda name: int(name[3:])
    )
    lot = rng.random()
    if raises and lot < 0.35:
        return raises[min(int(rng.expovariate(0.25)), len(raises) - 1)] if lot < 0.27 else raises[-1]
    if "fold" in names and lot > 0.88:
        return "fold"
    return "call"


def card_number(name: str) -> int:
    """`card_14_clubs` as OpenSpiel numbers cards: clubs, diamonds, hearts, spades of each rank in turn."""
    _, rank, suit = name.split("_")
    return (int(rank) - 2) * 4 + ["clubs", "diamonds", "hearts", "spades"].index(suit)


def hands_beside_openspiel(players: int, count: int, seed: int) -> tuple[int, int]:
    """Plays whole games hand by hand: stacks become unequal, players drop out; then the next game."""
    rng = random.Random(seed)
    hands = decisions = 0
    while hands < count:
        play = holdem().start(
            players=players, seed=rng.randrange(1000), options={"chips": 15 * UNIT, "blind": BLIND}, chance="ask"
        )
        assert play.chance is not None
        play.answer(rng.choice(play.chance.outcomes)[0])
        while not play.over and hands < count and all(stack == 0 or stack >= BLIND for stack in Table.of(play).stacks):
            decisions += one_hand(play, rng)
            hands += 1
    return hands, decisions


@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_hand_has_the_options_and_the_result_of_openspiel(players: int) -> None:
    assert hands_beside_openspiel(players, 8, players)[1] > 24


@pytest.mark.long
@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_hundreds_of_hands_have_the_options_and_the_results_of_openspiel(players: int) -> None:
    assert hands_beside_openspiel(players, 300, 100 + players)[1] > 900


# ------------------------------------------------------------------------------------- what a hand is worth

Card = tuple[int, int]  # rank 2..14, suit 0..3


def worth_of_five(five: tuple[Card, ...]) -> tuple[int, ...]:
    """A hand of five cards by the rules: first its kind, then what decides between two of a kind."""
    ranks = sorted((rank for rank, _ in five), reverse=True)
    by_count = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -rank))
    shape = [ranks.count(rank) for rank in by_count]
    flush = len({suit for _, suit in five}) == 1
    top = ranks[0] if ranks == list(range(ranks[0], ranks[0] - 5, -1)) else 5 if ranks == [14, 5, 4, 3, 2] else 0
    if top:
        return (8 if flush else 4, top)
    if shape == [4, 1]:
        return (7, *by_count)
    if shape == [3, 2]:
        return (6, *by_count)
    if flush:
        return (5, *ranks)
    kinds = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (kinds[tuple(shape)], *by_count)


def worth_of_seven(seven: list[Card]) -> tuple[int, ...]:
    return max(worth_of_five(five) for five in combinations(seven, 5))


@cache
def _formula() -> tuple[Any, Any, int, list[int], dict[Card, int]]:
    """The game's own formula: a function, the slot of its parameter, a state, and the pieces by rank and suit."""
    configured = holdem().configured(2)
    code = configured.world.names["value"].data.code
    state = configured.machine.start(0)
    pieces = {}
    for number, name in enumerate(configured.world.pieces.names):
        _, rank, suit = name.split("_")
        pieces[int(rank), ["clubs", "diamonds", "hearts", "spades"].index(suit)] = number
    return configured.machine.evaluator.of(code.body), code.slots[0], state, pieces  # type: ignore[return-value]


def value(cards: list[Card]) -> tuple[int, ...]:
    formula, slot, state, pieces = _formula()  # type: ignore[misc]
    state[slot] = sum(1 << pieces[card] for card in cards)
    return tuple(formula(state))


DECK = [(rank, suit) for rank in range(2, 15) for suit in range(4)]
# Half of the deals are from parts of the deck, so that the rare hands come up.
PARTS = [DECK, [card for card in DECK if card[1] < 2], DECK, [card for card in DECK if card[0] > 9]]


def test_a_hand_is_worth_what_its_best_five_cards_are_worth() -> None:
    rng = random.Random(11)
    seen = set()
    for number in range(2000):
        seven = rng.sample(PARTS[number % len(PARTS)], 7)
        assert value(seven) == worth_of_seven(seven), seven
        seen.add(value(seven)[0])
    assert seen == set(range(9))


@pytest.mark.long
def test_many_more_hands_are_worth_what_their_best_five_cards_are_worth() -> None:
    rng = random.Random(12)
    for _ in range(40_000):
        seven = rng.sample(DECK, 7)
        assert value(seven) == worth_of_seven(seven), seven


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("14c 2d 3h 4s 5c 9d 9h", (4, 5)),  # an ace as a one
        ("14c 2c 3c 4c 5c 6d 7d", (8, 5)),  # the straight is higher, the straight flush counts
        ("10c 11c 12c 13c 14c 14d 14h", (8, 14)),
        ("13c 14c 2c 3c 4d 9h 8s", (0, 14, 13, 9, 8, 4)),  # no straight goes around the corner
        ("9c 9d 9h 8c 8d 8h 2s", (6, 9, 8)),
        ("9c 9d 8h 8c 7d 7h 14s", (2, 9, 8, 14)),
        ("9c 9d 9h 9s 8d 8h 14s", (7, 9, 14)),
        ("2c 4c 6c 8c 10c 12c 14c", (5, 14, 12, 10, 8, 6)),
    ],
)
def test_hands_that_are_easily_mistaken(cards: str, worth: tuple[int, ...]) -> None:
    seven = [(int(card[:-1]), "cdhs".index(card[-1])) for card in cards.split()]
    assert value(seven) == worth_of_seven(seven) == worth


# ------------------------------------------------------------------------------------------- whole plays


def random_play(players: int, seed: int, **options: int) -> Any:
    """A play to its end: mostly calls, now and then everything."""
    rng = random.Random(seed)
    play = holdem().start(players=players, seed=seed, options={"chips": 100, "blind": 10, **options})
    while not play.over:
        yield play
        count = len(play.stop.options)
        lot = rng.random()
        play.choose(
            0 if lot < 0.2 else count - 1 if lot < 0.45 else rng.randrange(count) if lot < 0.55 else min(1, count - 1)
        )
    yield play


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_chips_are_conserved_and_the_play_ends_with_one_who_has_them_all(players: int) -> None:
    for seed in range(40):
        for play in random_play(players, seed):
            table = Table.of(play)
            assert sum(table.stacks) + sum(table.stakes) + table.pot == 100 * players, play.lines()[-9:]
            assert min(table.stacks + table.stakes) >= 0
            assert table.pot >= 0
        assert play.fault is None, (seed, play.fault.message, play.lines()[-9:])
        assert play.ending == "won"
        assert len(play.winners) == 1
        assert Table.of(play).stacks[play.winners[0]] == 100 * players


def test_after_the_hands_agreed_the_most_chips_win() -> None:
    *_, play = random_play(4, 3, hands=3, chips=1000)
    stacks = Table.of(play).stacks
    assert play.over
    assert play.view()["values"]["dealt"] == 3
    assert play.winners == [seat for seat, stack in enumerate(stacks) if stack == max(stacks)]


# -------------------------------------------------------------------------- rules that OpenSpiel lacks


class Dealt:
    """A hand with chosen cards, after hands in which chips were moved as wanted."""

    def __init__(self, players: int, **options: int) -> None:
        self.play = holdem().start(players=players, options=options, chance="ask")
        self.play.answer(0)  # the first player has the button

    def shuffle(self, top: str) -> None:
        """The deck from the top: one card each from the left of the button, another, then the table."""
        point = self.play.chance
        assert point is not None
        numbers = {name: piece for piece, _, name in point.outcomes}
        suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
        self.play.answer([numbers[f"card_{card[:-1]}_{suits[card[-1]]}"] for card in top.split()])

    def do(self, *moves: str) -> None:
        for move in moves:
            self.play.choose(move)

    def offered(self) -> set[str]:
        """The actions offered, amounts by their least and most."""
        found: dict[str, list[int | None]] = {}
        for option in self.play.options():
            found.setdefault(option.action, []).append(option.values.get("to"))
        return {name if to[0] is None else f"{name} {to[0]}..{to[-1]}" for name, to in found.items()}


def test_a_short_all_in_does_not_let_those_raise_who_have_spoken() -> None:
    """TDA rule 47: facing less than a full raise, who has acted may only call or fold."""
    table = Dealt(3, chips=200, blind=20)
    table.shuffle("2c 3c 14c 2d 3d 14d 14h 5s 9s 10d 11c")  # the button wins with three aces
    table.do("raise to 120", "fold", "call 100", "check", "bet 20", "fold")  # 250, 190 and 160 to 0
    assert Table.of(table.play).stacks == [330, 190, 80]
    # The second player has the button; the third is small blind with 80, the first big blind.
    table.shuffle("2c 3c 4c 2d 3d 4d")
    table.do("raise to 60")  # a raise by 40
    table.do("raise to 80")  # all-in, by 20 only
    assert table.offered() == {"fold", "call", "raise 120..330"}  # the big blind has not spoken: 80 and 40 more
    table.do("call 60")
    assert table.offered() == {"fold", "call"}  # the button faces 20


def test_odd_chips_go_to_the_left_of_the_button() -> None:
    table = Dealt(3, chips=100, blind=3)
    table.shuffle("14c 2c 14d 13c 3d 13d 5h 6h 7s 9s 12h")  # the small blind and the button share
    table.do("call 3", "call 2", "check", *["check"] * 9)
    assert Table.of(table.play).stacks == [101, 102, 97]


def short_big_blind() -> Dealt:
    """Three players with 5, 40 and 105 chips before the cards; the first is the big blind of 20."""
    table = Dealt(3, chips=50, blind=20)
    table.shuffle("2c 14c 3c 2d 14d 4d 14h 5s 9s 10d 12c")
    table.do("raise to 45", "fold", "call 25", *["check"] * 6)
    assert Table.of(table.play).stacks == [5, 40, 105]
    table.shuffle("2c 14c 3c 2d 14d 4d 14h 5s 9s 10d 12c")  # the big blind wins what it can
    return table


def test_a_full_blind_is_due_though_the_big_blind_is_short_and_folded_chips_go_to_the_side_pot() -> None:
    table = short_big_blind()
    assert table.offered() == {"fold", "call", "raise 40..40"}
    table.do("call 20", "fold")
    assert Table.of(table.play).stacks == [15, 40, 95]


def test_nobody_is_asked_to_call_a_short_big_blind_that_is_covered() -> None:
    table = short_big_blind()
    table.do("fold")
    assert Table.of(table.play).stacks == [10, 40, 100]
