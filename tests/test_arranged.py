"""What people read in a list: options in the order of the table, signs one by one, turns that are turns of the play."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, NAMES, PATHS, load, named
from ruledsl.boards.boxes import wrapped
from ruledsl.bots.base import make
from ruledsl.bots.laid import as_listed
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.rows import row_of
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime import gathering, whole
from ruledsl.runtime.arranged import NO_NUMBER, arranged, numbered, told_from_others
from ruledsl.runtime.asked import passed_over
from ruledsl.runtime.counting import begin_again
from ruledsl.runtime.play import Option
from ruledsl.runtime.typed import pick
from ruledsl.wording.cases import repeated

LARGE = ["fjords", "fortress", "outpost", "serpent", "bastion"]

CARDS = """
ruledsl: 1
game: cards
players: 2
types:
  size: [small, middle, large]
pieces:
  card: {each: {size: size}, title: "{this.size}", start: pile}
places:
  pile: {holds: card, order: pile, seen: none}
  row: {holds: card, slots: 3, close: to first, seen: all}
  hand: {per: player, holds: card, seen: owner}
setup:
  - for: {s: [size.large, size.small, size.middle]}
    do:
      - move: first(c in card where c.size == s)
        to: row
play:
  - turns: players
    do:
      - choose: {c: row}
        label: "take the {c}"
        else: {tie: players}
      - move: c
        to: me.hand
"""


def test_cards_of_a_row_are_listed_as_they_lie(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(CARDS)
    play = ruledsl.load(tmp_path / "cards.yaml").start()
    listed = arranged(play, 0, play.options(0))
    assert [option.text for option in listed] == ["take the large", "take the small", "take the middle"]
    assert [option.number for option in listed] == [1, 2, 3]
    assert [play.options(0)[option.index].text for option in listed] == [option.text for option in listed]
    found = pick(play, 0, "2", numbers=True, options=listed).one
    assert found is not None
    assert found.text == "take the small"


@pytest.mark.parametrize("game", ["backgammon", "fortress", "gem-traders", "holdem"])
def test_a_list_has_every_option_once_and_each_number_picks_its_own(game: str) -> None:
    play, dice = load(PATHS[NAMES.index(game)]).start(seed=4), random.Random(4)
    for _ in range(12):
        if play.stop.kind != "choice":
            break
        seat = play.pending[0]
        options = play.options(seat)
        listed = arranged(play, seat, options)
        assert sorted(option.index for option in listed) == [option.index for option in options]
        assert [option.number for option in listed] == list(range(1, len(options) + 1))
        play.choose(dice.randrange(len(options)), seat)


def test_equal_pieces_are_listed_by_their_spaces() -> None:
    play = load(PATHS[NAMES.index("backgammon")]).start(seed=7)
    listed = [option.text for option in arranged(play, play.pending[0], play.options(play.pending[0]))]
    starts = [int(text.split("/")[0]) for text in listed]
    assert starts == sorted(starts)


def test_turns_that_begin_again_are_not_those_of_the_play() -> None:
    found = {named(path) for path in EXAMPLES if begin_again(load(path).start(seed=1).machine.program)}
    assert found == {"holdem", "love-letter", "thorns"}  # betting rounds; hands and rounds of others


def test_signs_lie_one_by_one() -> None:
    assert repeated([("⚂", 2), ("⚄", 1)]) == "⚂ ⚂ ⚄"
    assert repeated([("⚂", 2), ("six", 1)]) is None
    assert repeated([("♦", 40)]) is None
    assert repeated([]) is None


def test_long_words_are_divided_at_syllables() -> None:
    assert wrapped("строительство", 12) == ["строительст-", "во"]
    assert wrapped("construction", 9) == ["construc-", "tion"]
    assert wrapped("r1234567", 4) == ["r123", "4567"]
    assert wrapped("ab", 1) == ["a", "b"]


def test_options_that_differ_in_a_number_go_by_it() -> None:
    """Who types the number of a card means the card, not what stands there in the list."""

    def option(index: int, text: str, entry: int = 0) -> Option:
        return Option(index, text, "", {}, (entry, index))

    cards = [option(0, "attack fort 3 with 2"), option(1, "attack fort 3 with 1"), option(2, "attack fort 3 with 3")]
    done = option(3, "done", -2)
    assert [(o.number, o.text[-1]) for o in numbered([*cards, done])] == [(1, "1"), (2, "2"), (3, "3"), (4, "e")]
    for others in ([done, *cards], [cards[0], cards[2], done]):
        found = numbered(others)
        assert [o.number for o in found if o.text != "done"] == sorted(
            int(o.text[-1]) for o in found if o.text != "done"
        )
        assert all(o.number >= NO_NUMBER for o in found if o.text == "done")
    for alike in (
        [option(0, "2 gold, 1 wood"), option(1, "1 gold, 2 wood")],  # in two numbers
        [option(0, "give 2"), option(1, "give 2")],
        [option(0, "pawn e2"), option(1, "pawn e4")],  # in no number
        [option(0, "to 0,-1"), option(1, "to 0,-2")],
        [option(0, "call 30"), option(1, "fold")],
    ):
        assert [o.number for o in numbered(alike)] == [1, 2]


@pytest.mark.parametrize("game", [*(named(path) for path in EXAMPLES), *LARGE])
def test_no_two_options_of_a_list_read_the_same(game: str) -> None:
    """Either they do the same, and are one; or what they say tells them apart."""
    play = load(PATHS[NAMES.index(game)]).start(seed=4)
    dice = random.Random(4)
    for _ in range(60):
        if play.over:
            break
        seat = play.pending[0]
        options = play.options(seat)
        if len(options) <= 300:
            known = [o for o in options if all(play.viewer.knows(play.state, piece, seat) for piece in o.pieces)]
            for language in ("en", "ru"):
                said = [play.option(seat, o.index, language) for o in known]
                texts = Counter(o.text for o in told_from_others(play, seat, said, language))
                assert max(texts.values(), default=1) == 1, texts.most_common(3)
        play.choose(dice.choice(options).index, seat)


def test_equal_cards_in_a_row_are_told_apart_by_their_place() -> None:
    play = load(PATHS[NAMES.index("outpost")]).start(seed=26)
    dice = random.Random(26)
    for _ in range(5):
        play.choose(dice.choice(play.options(play.pending[0])).index, play.pending[0])
    listed = as_listed(play, play.pending[0])
    assert [o.text for o in listed if "Clay pit" in o.text] == [
        "build Clay pit (market 3)",
        "build Clay pit (market 6)",
    ]
    assert pick(play, play.pending[0], "clay pit 6", options=listed).one == next(o for o in listed if "6)" in o.text)


def test_a_set_is_typed_in_any_order() -> None:
    """The rules take its elements in one order, so that each set comes once; people take what they see first."""
    play = load(PATHS[NAMES.index("gem-traders")]).start(seed=1)
    seat = play.pending[0]
    inside = row_of(play, seat, "take pearl ruby onyx", "en")
    assert len(inside) == 3
    for text in ("take onyx ruby pearl", "take ruby pearl onyx", "take onyx pearl ruby"):
        assert row_of(play, seat, text, "en") == inside
    assert row_of(play, seat, "take onyx onyx ruby", "en") == []


def test_sets_of_one_go_by_their_number_and_larger_ones_by_none_of_them() -> None:
    def option(index: int, text: str, then: tuple[tuple[int, int], ...]) -> Option:
        return Option(index, text, "", {}, (0, index), then=then)

    sets = [option(0, "attack fort 3 with 2", ((-2, 0),)), option(1, "attack fort 3 with 1", ((-2, 0),))]
    found = numbered([*sets, option(1, "attack fort 3 with 1, 1", ((0, 2), (-2, 0)))])
    assert [(one.number, one.text[19:]) for one in found] == [(1, "1"), (2, "2"), (3, "1, 1")]
    found = numbered(
        [
            sets[0],
            option(3, "attack fort 3 with 5", ((-2, 0),)),
            option(1, "attack fort 3 with 2, 2", ((0, 3), (-2, 0))),
        ]
    )
    assert [one.number for one in found] == [2, 5, NO_NUMBER]


def test_what_is_left_of_a_set_is_asked_where_others_were_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins with the emerald might have meant the pearl with it: nothing is done for them."""
    monkeypatch.setattr(whole, "_MOST_SETS", 0)  # as where the sets are too many to list
    monkeypatch.setattr(gathering, "_MOST_ELEMENTS", 0)  # and have too many elements to be picked in any order
    play = load(PATHS[NAMES.index("gem-traders")]).start(seed=1)
    seat = play.pending[0]
    begun = play.copy()
    begun.choose("take pearl", seat)
    assert not passed_over(begun, seat)
    lines: list[str] = []
    typed = iter(["take emerald", "undo", "take pearl", "quit"])

    def read(prompt: str) -> str:
        lines.append(prompt)
        return next(typed)

    seats = [None if player == seat else make("random", 1) for player in range(len(play.players))]
    Session(play, seats, Settings(), Face(lines.append, read)).run()
    shown = "\n".join(lines)
    assert "1  take ruby\n" in shown  # by itself, with what it follows from above it
    assert "Taken back" in shown
