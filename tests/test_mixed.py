"""The bot that searches mixes where whoever always does the same is found out: the truth of small games is known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from games import EXAMPLES, ROOT, load, named
from ruledsl.bots import mixed, search
from ruledsl.bots.mixed import Mix, NativeMix, mixing
from ruledsl.bots.native_tree import library
from ruledsl.bots.search import SearchBot, Thought
from ruledsl.bots.seat_view import SeatView
from ruledsl.bots.tree import Found, Tree
from ruledsl.generate.native import compiler
from ruledsl.runtime.play import Play

BLUFF = Path(__file__).parent / "bluff"
compiled = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
Policy = Callable[[Play, str], list[float]]


# ------------------------------------------------------------------------------------------------ the best answer


class Node:
    """A play that a deal begins, how likely it is, and all that was said in it."""

    def __init__(self, play: Play, likely: float, said: str) -> None:
        self.play, self.likely, self.said = play, likely, said

    def then(self, number: int, part: float) -> Node:
        play = self.play.copy()
        text = play.options()[number].text
        play.choose(number)
        return Node(play, self.likely * part, f"{self.said}, {text}")

    def seen(self, seat: int) -> str:
        """All that a seat has seen, for nothing is covered up again."""
        places = self.play.view(seat)["places"]
        return f"{seat}: {places}{self.said}"


def deals(name: str) -> list[Node]:
    """A play for each deal of the cards on top, with how likely it is."""
    game = load(BLUFF / f"{name}.yaml")
    first = game.start(chance="ask")
    assert first.chance is not None
    cards = [piece for piece, _, _ in first.chance.outcomes]
    named = {piece: first.viewer.name(piece) for piece in cards}
    alike: dict[tuple[str, ...], tuple[int, ...]] = {}
    times: Counter[tuple[str, ...]] = Counter()
    for order in permutations(cards):
        top = tuple(named[piece] for piece in order[:3])
        alike.setdefault(top, order)
        times[top] += 1
    found = []
    for top, order in alike.items():
        play = game.start(chance="ask")
        play.answer(list(order))
        found.append(Node(play, times[top] / times.total(), ""))
    return found


def best_answer(nodes: list[Node], seat: int, policy: Policy) -> float:
    """What a seat wins on average that knows how the other one mixes, from plays that it cannot tell apart."""
    won, asked = 0.0, dict[str, list[Node]]()
    while nodes:
        node = nodes.pop()
        if node.play.over:
            points = [row["chips"] for row in node.play.scores()]
            won += node.likely * (points[seat] - points[1 - seat]) / 2
        elif node.play.pending[0] == seat:
            asked.setdefault(node.seen(seat), []).append(node)
        else:
            for number, part in enumerate(policy(node.play, node.seen(1 - seat))):
                if part:
                    nodes.append(node.then(number, part))
    for alike in asked.values():
        count = len(alike[0].play.options())
        won += max(best_answer([node.then(i, 1.0) for node in alike], seat, policy) for i in range(count))
    return won


def of_bot(plays: int, seed: int) -> Policy:
    """How often a bot takes each option, asked once for all that its seat cannot tell apart."""
    known: dict[str, list[float]] = {}

    def policy(play: Play, seen: str) -> list[float]:
        if seen not in known:
            known[seen] = SearchBot(seed, str(plays)).parts(SeatView(play, play.pending[0]))
        return known[seen]

    return policy


def lost_to_the_best(name: str, policy: Policy) -> float:
    """Half the NashConv: what both lose on average to whoever knows how they mix."""
    return sum(best_answer(deals(name), seat, policy) for seat in (0, 1)) / 2


@compiled
@pytest.mark.parametrize(("name", "bound"), [("kuhn", 0.1), ("leduc", 0.3)])
def test_poker_is_mixed_so_that_the_best_answer_wins_little(name: str, bound: float) -> None:
    assert lost_to_the_best(name, of_bot(10_000, 1)) <= bound


def test_what_the_best_answer_wins_is_counted_right() -> None:
    """Of who takes anything it is known: 11/24 of an ante in Kuhn's poker."""
    lost = lost_to_the_best("kuhn", lambda play, seen: [1 / len(play.options())] * len(play.options()))
    assert lost == pytest.approx(11 / 24)


# ------------------------------------------------------------------------------------------------ at once


@compiled
def test_coins_are_shown_as_often_as_is_known() -> None:
    """Three heads in eight, for either player: else the other one wins more than it must."""
    for seat in (0, 1):
        play = load(BLUFF / "coins.yaml").start()
        if seat:
            play.choose(0, 0)
        heads, tails = SearchBot(1, "20000").parts(SeatView(play, seat))
        assert heads == pytest.approx(3 / 8, abs=0.03)
        assert heads + tails == pytest.approx(1)


@compiled
def test_no_sign_is_better_than_another() -> None:
    play = load(ROOT / "examples/rock-paper-scissors.yaml").start(options={"best_of": 1})
    assert SearchBot(1, "20000").parts(SeatView(play, 1)) == pytest.approx([1 / 3] * 3, abs=0.03)


@pytest.mark.parametrize(
    ("visits", "mixed", "expected"),
    [
        ((300, 100), True, [0.75, 0.25]),
        ((0, 0), True, [0.5, 0.5]),
        ((0, 0), False, [0.5, 0.5]),
        ((1000, 1), True, [1, 0]),
    ],
)
def test_a_bot_chooses_as_often_as_it_says(
    visits: tuple[int, int], mixed: bool, expected: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is taken for sure where it does not mix; anything, where nothing was tried."""
    view, bot = SeatView(load(BLUFF / "coins.yaml").start(), 0), SearchBot(1, "10")
    thought = Thought([Found(number, 0, False) for number in visits], [], 10, mixed=mixed)
    monkeypatch.setattr(bot, "think", lambda view, slack: thought)
    assert bot.parts(view) == expected
    taken = Counter(bot.choose(view) for _ in range(400))
    assert [taken[number] / 400 for number in (0, 1)] == pytest.approx(expected, abs=0.1)


# ------------------------------------------------------------------------------------------------ the same everywhere


def mixes_agree(play: Play, seat: int, plays: int) -> bool:
    """Whether plays came to the question; what they found is the same."""
    configured, view = play.configured, SeatView(play, seat)
    sight, built, guess = mixing(configured), library(play.configured), view.guess(random.Random(1))
    assert sight is not None
    assert built is not None
    found = []
    for mix in (Mix(configured, sight, seat, 7, None, None), NativeMix(built, sight, seat, 7, None, None)):
        mix.guess(guess.state, guess.options, guess.taken)
        mix.more(plays)
        mix.found(view.count)  # to ask in between changes nothing
        mix.more(plays)
        found.append((mix.plays, mix.found(view.count)))
        mix.close()
    assert found[0] == found[1]
    return bool(found[0][1])


@compiled
@pytest.mark.parametrize("name", ["kuhn", "leduc", "coins", "two-coins"])
def test_the_same_mix_is_found_on_both_executors(name: str) -> None:
    play, rng = load(BLUFF / f"{name}.yaml").start(seed=3), random.Random(3)
    known = 0
    while not play.over:
        seat = play.pending[-1]
        known += mixes_agree(play, seat, 150)
        play.choose(rng.randrange(len(play.options(seat))), seat)
    assert known >= 2


@compiled
@pytest.mark.parametrize("name", ["kuhn", "coins"])
def test_what_is_noted_is_halved_alike_before_it_is_too_much(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after many millions of plays, but for a smaller bound."""
    play = load(BLUFF / f"{name}.yaml").start(seed=3)
    monkeypatch.setattr(mixed, "MOST", 1 << 27)
    assert mixes_agree(play, play.pending[-1], 300)


def test_what_is_noted_stays_a_number_that_compiled_code_holds() -> None:
    node, stream = mixed.Mixed(2), [1]
    for rounds in range(1 << 36, (1 << 36) + 5_000):
        node.take(stream, rounds)
    assert node.taken[0] == node.taken[1]
    assert mixed.MOST // 4 < node.taken[0] < 1 << 63


@pytest.mark.parametrize("dial", ["400", "1s", "400/1s", "2000/1s"])
def test_a_mix_that_knows_nothing_is_given_up_soon(dial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a longer play no play from the start comes to the question. The clock here counts plays."""
    play, rng = load(ROOT / "tests/language/ways_through_places.yaml").start(seed=2), random.Random(2)
    for _ in range(5):
        play.choose(rng.randrange(len(play.options())))
    view = SeatView(play, play.pending[0])
    assert mixing(view.configured) is not None
    spent = dict.fromkeys((Mix, Tree), 0)
    for kind in spent:

        def counted(self: Tree, plays: int, kind: type[Tree] = kind) -> None:
            spent[kind] += plays
            self.plays += plays

        monkeypatch.setattr(kind, "more", counted)
    monkeypatch.setattr(search, "library", lambda made: None)
    monkeypatch.setattr(search, "monotonic", lambda: sum(spent.values()) / 400)
    SearchBot(1, dial).think(view)
    assert spent == {Mix: pytest.approx(100, abs=10), Tree: pytest.approx(300, abs=10)}


def test_a_mix_is_looked_for_where_the_declaration_says_so() -> None:
    """Never by the name of a game: two who hide something in short plays, or who decide at once."""
    found = {named(path) for path in EXAMPLES if mixing(load(path).configured()) is not None}
    assert found == {"rock-paper-scissors"}


@compiled
def test_a_large_state_is_mixed_too(tmp_path: Path) -> None:
    """Copies of it lie on no stack: a mix finds the same with values that nobody asks for."""
    text = (BLUFF / "coins.yaml").read_text(encoding="utf-8")
    large = tmp_path / "coins.yaml"
    board = "board: {grid: {width: 80, height: 80}, space: plot}\n"
    large.write_text(text.replace("values:\n", f"{board}values:\n  heat: {{per: plot, is: 0..9}}\n"), encoding="utf-8")
    found = []
    for path in (BLUFF / "coins.yaml", large):
        play = load(path).start(seed=1)
        found.append(SearchBot(1, "400").parts(SeatView(play, 0)))
    assert play.machine.program.layout.size > 6_400
    assert mixing(play.configured) is not None
    assert found[0] == found[1]
