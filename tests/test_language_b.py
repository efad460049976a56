"""The hardest rules of card and defence games, each in a small game of `tests/language`, in positions made by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.engine.evaluate import Evaluator
from ruledsl.ir import core as C
from ruledsl.runtime.play import Play
from ruledsl.source.text import SourceFile
from ruledsl.syntax.parser import parse_text
from ruledsl.types import SetOf, bits

FOLDER = Path(__file__).parent / "language"
RANDOM_PLAYS = 20
MOST_DECISIONS = 5_000


class Table:
    """A play whose pieces and values are put where a test wants them; expressions are those of the language."""

    def __init__(self, name: str, players: int, seed: int = 0, **options: Any) -> None:
        self.play: Play = ruledsl.load(FOLDER / f"{name}.yaml").start(players=players, seed=seed, options=options)

    def _read(self, text: str) -> Any:
        world = self.play.world
        report = Report()
        kept, world.report, world.elaborator.report = world.report, report, report
        typed = world.elaborator.expr(parse_text(text, SourceFile("test", text), 0, "expr", report))
        world.report, world.elaborator.report = kept, kept
        assert not report.errors, [d.message for d in report.errors]
        return typed

    def __getitem__(self, text: str) -> Any:
        """The value of an expression, as the engine holds it."""
        typed = self._read(text)
        state = self.play.state + [0] * 400  # room for the names of this expression
        value = Evaluator(self.play.machine).of(typed.node)(state)
        if isinstance(typed.type, SetOf):
            return set(bits(value))
        return value

    def names(self, text: str) -> list[str]:
        """The pieces of a set, list or place, or the single piece or space, by name, without the numbers of copies."""
        typed = self._read(f"list(x for x in {text})")
        state = self.play.state + [0] * 400
        return [self.play.words.name(x, typed.type.of, "id") for x in Evaluator(self.play.machine).of(typed.node)(state)]

    def set(self, **values: Any) -> Table:
        """Sets values by path, with `__` for the dot: `anna__tokens=3`; a text is an expression."""
        for path, value in values.items():
            node = self._read(path.replace("__", ".")).node
            slot = node.slot if isinstance(node, C.Get) else node.base + self._index(node)
            if isinstance(value, str):
                value = Evaluator(self.play.machine).of(self._read(value).node)(self.play.state + [0] * 400)
            if isinstance(value, tuple | list):
                self.play.state[slot : slot + len(value)] = value
            else:
                self.play.state[slot] = value
        return self

    def _index(self, node: Any) -> int:
        width = getattr(node, "count", 1)
        return int(Evaluator(self.play.machine).of(node.index)(self.play.state)) * width

    def put(self, place: str, *pieces: str) -> Table:
        """Moves pieces by name to a space or place, in this order (the last comes to lie on top)."""
        world = self.play.world
        typed = self._read(place)
        spot = Evaluator(self.play.machine).of(world.spot_of(typed, world.span, "a test"))(self.play.state)
        for piece in pieces:
            self.play.machine.pieces.move(self.play.state, world.pieces.names.index(piece), spot)
        return self

    def ready(self) -> Table:
        """Works out anew what is offered."""
        self.play.go_on()
        return self

    def choose(self, *texts: str) -> Table:
        for text in texts:
            self.play.choose(text)
        assert self.play.fault is None, self.play.fault
        return self

    @property
    def to_move(self) -> list[str]:
        return [self.play.players[seat] for seat in self.play.pending]

    @property
    def offered(self) -> list[str]:
        return [option.text for option in self.play.options()]

    def knows(self, seat: int, piece: str) -> bool:
        number = self.play.world.pieces.names.index(piece)
        return bool(self.play.machine.pieces.knowers(self.play.state, number) >> seat & 1)


def games() -> list[tuple[str, int]]:
    """Every fixture of this file with every number of its players."""
    found = []
    for name in FIXTURES:
        found += [(name, n) for n in ruledsl.load(FOLDER / f"{name}.yaml").players]
    return found


FIXTURES = [
    "knights_letters",
]


@pytest.mark.parametrize("name", FIXTURES)
def test_every_fixture_is_without_errors_and_warnings(name: str) -> None:
    report = pipeline.check(FOLDER / f"{name}.yaml")
    assert [f"{d.code}: {d.message}" for d in report.sorted()] == []


@pytest.mark.parametrize(("name", "players"), games())
def test_random_plays_end_without_faults(name: str, players: int) -> None:
    game = ruledsl.load(FOLDER / f"{name}.yaml")
    for seed in range(RANDOM_PLAYS):
        play, choice = game.start(players=players, seed=seed), random.Random(seed)
        for _ in range(MOST_DECISIONS):
            if play.over:
                break
            play.choose(choice.randrange(len(play.options())))
        assert play.fault is None, f"seed {seed}: {play.fault}"
        assert play.over, f"seed {seed}: not over after {MOST_DECISIONS} decisions"


# --------------------------------------------------------------- hidden hands, and cards that end the round


def letters(mine: list[str], theirs: list[str], third: list[str] | None = None) -> Table:
    """The first player of a round holds two cards and is about to play one."""
    table = Table("knights_letters", players=3 if third else 2)
    seat = table.play.pending[0]
    order = [seat, *(p for p in range(len(table.play.players)) if p != seat)]
    names = [table.play.players[p] for p in order]
    everything = [c for c in table.play.world.pieces.names]
    table.put("deck", *everything)
    for name, cards in zip(names, [mine, theirs, third or []], strict=False):
        table.put(f"{name}.hand", *cards)
    table.names_in_order = names  # type: ignore[attr-defined]
    return table.ready()


def test_the_minister_must_go_beside_king_or_prince() -> None:
    table = letters(["countess", "king"], ["guard_1"])
    assert table.offered == ["play countess"]
    table = letters(["countess", "baron_1"], ["guard_1"])
    assert sorted(table.offered) == ["play baron", "play countess"]


def test_a_right_guess_against_the_last_rival_ends_the_round_in_the_midst_of_the_card() -> None:
    table = letters(["guard_1", "king"], ["priest_1"])
    me, rival = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play guard")
    assert len(table.offered) == 7  # one rival, values 2 to 8
    table.choose(f"guess that {rival} holds a 2")
    assert table[f"{me}.tokens"] == 1 and table[f"{rival}.tokens"] == 0
    assert table["starter"] == table[me]
    assert table["count(deck)"] == 16 - 1 - 3 - 2 - 1  # already dealt anew, and the winner drew


def test_a_priest_shows_a_hand_to_one_player_only() -> None:
    table = letters(["priest_1", "guard_1"], ["princess"], ["king"])
    me, second, third = (table.play.players.index(n) for n in table.names_in_order)  # type: ignore[attr-defined]
    assert not table.knows(me, "princess")
    table.choose("play priest", f"p={table.play.players[second]}")
    assert table.knows(me, "princess") and not table.knows(third, "princess")


def test_a_king_swaps_hands_and_both_remember() -> None:
    table = letters(["king", "guard_1"], ["princess"], ["baron_1"])
    me, second, third = (table.play.players.index(n) for n in table.names_in_order)  # type: ignore[attr-defined]
    table.choose("play king", f"p={table.play.players[second]}")
    assert table.knows(me, "princess") and table.knows(second, "guard_1")
    assert table.knows(me, "guard_1") and table.knows(second, "princess")
    assert not table.knows(third, "guard_1") and not table.knows(third, "princess")


def test_a_princess_thrown_away_puts_her_player_out() -> None:
    table = letters(["prince_1", "guard_1"], ["princess"], ["baron_1"])
    _, second, _ = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play prince", f"p={second}")
    assert table[f"{second}.out"] and table.names(f"{second}.played") == ["princess"]
    assert not table[f"any({second}.hand)"]  # and draws no other


def test_a_lost_comparison_puts_the_attacker_out_and_play_goes_on() -> None:
    table = letters(["baron_1", "guard_1"], ["princess"], ["king"])
    me, second, third = table.names_in_order  # type: ignore[attr-defined]
    table.choose("play baron", f"p={second}")
    assert table[f"{me}.out"] and table[f"count(staying)"] == 2
    assert table.knows(table.play.players.index(me), "princess")
    assert table.to_move != [me]


def test_who_is_safe_cannot_be_named_and_all_safe_means_no_effect() -> None:
    table = letters(["guard_1", "king"], ["priest_1"])
    me, rival = table.names_in_order  # type: ignore[attr-defined]
    table.set(**{f"{rival}__safe": 1}).choose("play guard")
    assert table.to_move == [rival]  # nobody to guess about: the turn is over
