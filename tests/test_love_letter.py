"""Love Letter beside a second telling of its rules in plain Python, which shares nothing with the engine."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import check

PATH = Path(__file__).parent.parent / "examples" / "love-letter.yaml"
NAMES = ["", "guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess"]
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
CARDS = [GUARD] * 5 + [PRIEST, BARON, HANDMAID, PRINCE] * 2 + [KING, COUNTESS, PRINCESS]
SEATS = ["anna", "boris", "vera", "gleb"]


@cache
def love_letter() -> ruledsl.Game:
    return ruledsl.load(PATH)


class Rulebook:
    """The rules of 2012. Cards are their values; what a player knows is, for each player, a card or nothing."""

    def __init__(self, players: int, starter: int) -> None:
        self.n, self.starter = players, starter
        self.tokens = [0] * players
        self.goal = {2: 7, 3: 5, 4: 4}[players]
        self.winners: list[int] = []

    def deal(self, deck: list[int]) -> None:
        """A round with this deck, from the top down."""
        assert sorted(deck) == sorted(CARDS)
        self.deck = list(deck)
        self.aside = self.deck.pop(0)
        self.open = [self.deck.pop(0) for _ in range(3 if self.n == 2 else 0)]
        self.hands = [[self.deck.pop(0)] for _ in range(self.n)]
        self.thrown: list[list[int]] = [[] for _ in range(self.n)]
        self.alive = [True] * self.n
        self.safe = [False] * self.n
        # notes[a][b]: the card in b's hand that a has seen
        self.notes: list[list[int | None]] = [[None] * self.n for _ in range(self.n)]
        self.round_over = False
        self.begin(self.starter)

    def begin(self, seat: int) -> None:
        self.turn, self.playing = seat, 0
        self.safe[seat] = False
        self.hands[seat].append(self.deck.pop(0))

    def targets(self) -> list[int]:
        return [p for p in range(self.n) if p != self.turn and self.alive[p] and not self.safe[p]]

    def legal(self) -> set[Any]:
        """Cards to play, or what the card just played asks for."""
        if not self.playing:
            hand = set(self.hands[self.turn])
            return {COUNTESS} if COUNTESS in hand and hand & {PRINCE, KING} else hand
        if self.playing == GUARD:
            return {(p, guess) for p in self.targets() for guess in range(PRIEST, PRINCESS + 1)}
        return {(p,) for p in self.targets() + ([self.turn] if self.playing == PRINCE else [])}

    def do(self, what: Any) -> None:
        if not self.playing:
            self.leaves(self.turn, what)
            if what == HANDMAID:
                self.safe[self.turn] = True
            elif what == PRINCESS:
                self.knock_out(self.turn)
            elif what in (GUARD, PRIEST, BARON, PRINCE, KING):
                self.playing = what
                if self.legal():
                    return
            self.finish()
            return
        me, p = self.turn, what[0]
        mine, theirs = self.hands[me], self.hands[p]
        if self.playing == GUARD and theirs == [what[1]]:
            self.knock_out(p)
        elif self.playing == PRIEST:
            self.notes[me][p] = theirs[0]
        elif self.playing == BARON:
            self.notes[me][p], self.notes[p][me] = theirs[0], mine[0]
            if theirs[0] != mine[0]:
                self.knock_out(p if theirs < mine else me)
        elif self.playing == PRINCE:
            card = theirs[0]
            self.leaves(p, card)
            if card == PRINCESS:
                self.knock_out(p)
            else:
                theirs.append(self.deck.pop(0) if self.deck else self.aside)
        elif self.playing == KING:
            self.hands[me], self.hands[p] = theirs, mine
            for note in self.notes:
                note[me], note[p] = note[p], note[me]
            self.notes[me][p], self.notes[p][me] = mine[0], theirs[0]
        self.finish()

    def leaves(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.thrown[seat].append(card)
        for note in self.notes:
            if note[seat] == card:
                note[seat] = None

    def knock_out(self, seat: int) -> None:
        self.alive[seat] = False
        for card in list(self.hands[seat]):
            self.leaves(seat, card)

    def finish(self) -> None:
        """The end of a turn, perhaps of the round, perhaps of the game."""
        left = [p for p in range(self.n) if self.alive[p]]
        if len(left) > 1 and self.deck:
            seat = self.turn
            while True:
                seat = (seat + 1) % self.n
                if self.alive[seat]:
                    break
            self.begin(seat)
            return
        worth = {p: (self.hands[p], sum(self.thrown[p])) for p in left}
        best = [p for p in left if worth[p] == max(worth.values())]
        for p in best:
            self.tokens[p] += 1
        self.starter = next(p for i in range(self.n) if (p := (self.starter + i) % self.n) in best)
        self.round_over = True
        self.winners = [p for p in range(self.n) if self.tokens[p] == self.goal]


def seen_by(book: Rulebook, seat: int) -> dict[str, Any]:
    """All cards as a seat knows them."""
    hands = []
    for p, hand in enumerate(book.hands):
        note = book.notes[seat][p]
        known = hand if p == seat else [] if note is None else [note]
        hands.append(sorted(NAMES[card] for card in known) + ["?"] * (len(hand) - len(known)))
    return {
        "hands": hands,
        "played": [[NAMES[card] for card in cards] for cards in book.thrown],
        "open": sorted(NAMES[card] for card in book.open),
        "aside": 1,
        "deck": len(book.deck),
    }


def shown_to(view: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The same from a view of the engine."""
    places = view["places"]
    assert places["deck"] == [None] * len(places["deck"]), "the deck is known to nobody"
    assert places["aside"] in ([None], []), "what was set aside is known to nobody"
    return {
        "hands": [
            sorted(c for c in places[f"{name}_hand"] if c) + ["?"] * places[f"{name}_hand"].count(None)
            for name in names
        ],
        "played": [places[f"{name}_played"] for name in names],
        "open": sorted(places["open"]),
        "aside": len(places["aside"]),
        "deck": len(places["deck"]),
    }


def card_of(name: str) -> int:
    return NAMES.index(name.split("_")[0])


def beside_the_rulebook(players: int, seed: int) -> tuple[int, int]:
    """A whole game, decision by decision; how many decisions and rounds were compared."""
    rng = random.Random(seed)
    names = SEATS[:players]
    play = love_letter().start(players, names=names, chance="ask")
    starter = rng.randrange(players)
    play.answer(starter)
    book = Rulebook(players, starter)
    decisions = rounds = 0
    said: list[str] = []
    while not book.winners:
        assert play.chance is not None, said
        cards = {piece: card_of(name) for piece, _, name in play.chance.outcomes}
        order = sorted(cards)
        rng.shuffle(order)
        play.answer(order)
        book.deal([cards[piece] for piece in order])
        rounds += 1
        while not book.round_over:
            assert play.fault is None, said
            assert play.pending == (book.turn,), said
            options: dict[Any, Any] = {}
            for option in play.options():
                values = option.values
                if not book.playing:
                    key: Any = card_of(play.world.pieces.names[values["c"]])
                else:
                    key = (values["p"], values["guess"] + 1) if "guess" in values else (values["p"],)
                assert key not in options, (said, option.text)
                options[key] = option
            assert set(options) == book.legal(), (said, book.hands)
            for seat in range(players):
                assert shown_to(play.view(seat), names) == seen_by(book, seat), (names[seat], said)
            values = play.view()["values"]
            assert values["out"] == {name: not alive for name, alive in zip(names, book.alive, strict=True)}, said
            assert values["safe"] == dict(zip(names, book.safe, strict=True)), said
            # The princess is played seldom, so that rounds last.
            keys = sorted(key for key in options if key != PRINCESS or len(options) == 1 or rng.random() < 0.1)
            key = rng.choice(keys)
            said.append(f"{names[book.turn]}: {options[key].text}")
            play.choose(options[key])
            book.do(key)
            decisions += 1
        assert play.view()["values"]["tokens"] == dict(zip(names, book.tokens, strict=True)), said
        if not book.winners:
            assert play.view()["values"]["starter"] == names[book.starter], said
    assert play.over, said
    assert play.fault is None
    assert play.winners == book.winners, said
    return decisions, rounds


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_go_by_the_rulebook(players: int) -> None:
    for seed in range(7):
        decisions, rounds = beside_the_rulebook(players, seed)
        assert decisions > 4 * rounds > 12


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hundreds_of_random_games_go_by_the_rulebook(players: int) -> None:
    for seed in range(300):
        beside_the_rulebook(players, 1000 + seed)


def test_check_finds_nothing_and_its_own_tests_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert [f"{d.code}: {d.message}" for d in check(PATH).sorted()] == []
    assert main(["test", str(PATH)]) == 0, capsys.readouterr().out


def test_every_rule_is_carried_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", str(PATH), "--tests"]) == 0
    assert "love-letter.yaml: 100 %" in capsys.readouterr().out


def test_everything_reads_in_russian() -> None:
    """Whatever Latin is left was forgotten."""
    game = love_letter()
    for seed, players in enumerate((2, 3, 4)):
        play, chance = game.start(players, seed=seed), random.Random(seed)
        while not play.over:
            seat = play.pending[0]
            options = play.options(language="ru")
            texts = [o.text for o in options] + play.lines(seat, "ru", max(0, len(play.log) - 6))
            assert [t for t in texts if any("a" <= x.lower() <= "z" for x in t)] == []
            play.choose(chance.randrange(len(options)))
    assert not any("a" <= x.lower() <= "z" for x in game.title("ru") + game.about("ru"))
