"""Fortress: whole campaigns, beside a second telling of squads, totals and captures in plain Python."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_laws import _may_trade, _trade, core

import ruledsl
from ruledsl.cli.main import main
from ruledsl.cli.terminal.screen import Screen
from ruledsl.engine.batch import ENDING, following_seed, play_seed
from ruledsl.engine.options import DONE
from ruledsl.generate.native import Library, Session, compiler
from ruledsl.ir.core import WON
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.play import Play
from ruledsl.runtime.save import check_state
from ruledsl.types import Elem, SetOf

PATH = Path(__file__).parent.parent / "games" / "fortress"
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NO_SQUAD = ("sortie", "abduction", "exchange", "replacement")


@cache
def fortress() -> ruledsl.Game:
    return ruledsl.load(PATH)


# ------------------------------------------------------------------------------------------ the rules again


def plain(name: str) -> str:
    """`three_2` is a three, `double_one_1` a double one."""
    return name.rsplit("_", 1)[0] if name.rsplit("_", 1)[-1].isdigit() else name


def strength(card: str) -> int:
    return 1 if card == "double_one" else NUMBERS.index(card) if card in NUMBERS else 0


def is_squad(cards: list[str]) -> bool:
    if not cards or any(card in NO_SQUAD for card in cards):
        return False
    if "x_card" in cards:
        return len(cards) == 1
    return len({strength(card) for card in cards} - {0}) <= 1


def total(cards: list[str]) -> int:
    """The sum of the strengths times the number of cards, as the cards say one by one."""
    if cards == ["x_card"]:
        return 10
    of_squad = max(strength(card) for card in cards)
    added = number = 0
    for card in cards:
        if card == "mirror":
            continue
        if card == "double_one":
            added, number = added + 2, number + 2
        else:
            added, number = added + (of_squad if card == "joker" else strength(card)), number + 1
    return added * number * (2 if "mirror" in cards else 1)


def outcome(attackers: list[str], defenders: list[str], destruction: bool) -> str:
    if not defenders:
        return "taken"
    if attackers == ["x_card"] or total(attackers) > total(defenders):
        return "captured"
    return "destroyed" if destruction and total(attackers) == total(defenders) else "failed"


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("two two two", 18),
        ("five five", 20),
        ("double_one one one", 16),
        ("four four joker", 36),
        ("four four zero", 24),
        ("four four mirror", 32),
        ("joker mirror zero", 0),
        ("x_card", 10),
    ],
)
def test_the_second_telling_says_what_the_examples_say(cards: str, worth: int) -> None:
    assert is_squad(cards.split())
    assert total(cards.split()) == worth


# ----------------------------------------------------------------------------------------------- campaigns


def lying(play: Play, place: str) -> list[str]:
    """What lies in a place, whoever may see it."""
    world = play.world
    spot = world.spots.first_place + world.places.names.index(place)
    return [world.pieces.names[piece] for piece in play.machine.pieces.on(play.state, spot)]


def in_force(play: Play) -> set[str]:
    return set(play.view()["values"]["in_force"])


def decisions(play: Play, rng: random.Random, limit: int = 5000) -> Iterator[tuple[Play, Any]]:
    """The positions of a play with the option that is about to be taken; captures are liked."""
    for _ in range(limit):
        if play.over:
            assert play.fault is None, (play.fault.message, play.lines()[-9:])
            return
        options = play.options(play.pending[0])
        attacks = [option for option in options if option.action == "attack"]
        option = rng.choice(attacks if attacks and rng.random() < 0.3 else options)
        yield play, option
        play.choose(option)
        play.undo_points.clear()
    raise AssertionError("the game does not end")


def games(players: int, count: int, seed: int) -> Iterator[tuple[int, Play, random.Random]]:
    """The games of a campaign, each to be played to its end by the caller."""
    rng = random.Random(seed)
    campaign = Campaign(fortress(), players, seed)
    for number in range(1, count + 1):
        yield number, campaign.play, rng
        campaign.play.settle()
        assert campaign.play.fault is None
        campaign.next()


def everywhere(play: Play) -> int:
    return sum(len(lying(play, name)) for name in play.world.places.names if not name.startswith("reserve"))


def captures_go_by_the_rules(players: int, count: int, seed: int) -> int:
    """Squads that are offered, and what comes of attacks; how many attacks were compared."""
    compared = 0
    for _, play, rng in games(players, count, seed):
        fort = ""
        team: list[Any] = []
        for _, option in decisions(play, rng):
            me = play.players[play.pending[0]]
            hand = [plain(card) for card in lying(play, f"{me}_hand")]
            for name in play.world.places.names:
                if name.endswith("_squad") and (cards := [plain(c) for c in lying(play, name)]):
                    assert is_squad(cards), (name, cards)
            if option.action != "attack" and option.raw[0] != DONE:
                continue
            if "f" in option.words:
                fort, team = option.words["f"], []
            elif option.raw[0] != DONE:
                offered = {plain(o.words["team"]) for o in play.options() if "team" in o.words}
                if not team:
                    assert offered == {card for card in hand if is_squad([card])}, (offered, hand)
                assert all(is_squad([*team, card]) for card in offered), (team, offered)
                team.append(plain(option.words["team"]))
            elif team:
                defenders = [plain(card) for card in lying(play, f"{fort}_squad")]
                expected = outcome(team, defenders, "destruction" in in_force(play))
                since = len(play.log)
                twin = play.copy()
                twin.choose(next(o for o in twin.options() if o.raw == option.raw))
                said = " ".join(twin.lines(since=since))
                found = (
                    "captured"
                    if "captures" in said
                    else "failed"
                    if "fails" in said
                    else "destroyed"
                    if "destroyed" in said
                    else "taken"
                )
                assert found == expected, (team, defenders, said)
                fort, team, compared = "", [], compared + 1
    return compared


@pytest.mark.parametrize("players", [2, 3, 4])
def test_squads_and_captures_go_by_the_second_telling(players: int) -> None:
    assert captures_go_by_the_rules(players, 14, players) > 60


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_squads_and_captures_of_many_campaigns_go_by_the_second_telling(players: int) -> None:
    for seed in range(20):
        captures_go_by_the_rules(players, 30, 100 + seed)


def campaign_holds_together(players: int, count: int, seed: int) -> None:
    """Always 90 cards, whole states, a deck that does not run dry, and the story renewed first after game 12."""
    for number, play, rng in games(players, count, seed):
        for _ in decisions(play, rng):
            assert everywhere(play) == 90
            check_state(play.configured, core(play))
            assert lying(play, "stack" if number > 1 else "story"), "the deck has run out"
        assert ("refill" in in_force(play)) == (number > 12)
        if number <= 12:
            assert len(lying(play, "story")) == (62 if number == 1 else 61 - 5 * (number - 1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_campaign_holds_together(players: int) -> None:
    campaign_holds_together(players, 14, 20 + players)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_campaigns_hold_together(players: int) -> None:
    for seed in range(20):
        campaign_holds_together(players, 30, 200 + seed)


def compiled_campaigns_hold_together(players: int, count: int, plays: int, seed: int) -> None:
    """As above, after each game: every game is won, no card gets lost, and there is something to draw from."""
    configured = fortress().configured(players)
    world, pieces = configured.world, configured.machine.pieces
    library = Library(configured.machine.program, configured.rules)
    first, names = world.spots.first_place, world.places.names
    spots = [first + i for i, name in enumerate(names) if not name.startswith("reserve")]
    stack = first + names.index("stack")
    (in_force,) = (value for value in world.values if value.name == "in_force")
    kind = in_force.type
    assert isinstance(kind, SetOf)
    assert isinstance(kind.of, Elem)
    refill = kind.of.root.names.index("refill")
    session, now, last = Session(library), library.state(), library.state()
    for number in range(count):
        own = play_seed(seed, number)
        for at in range(1, plays + 1):
            row = array("q", [0]) * library.shape.width
            session.state = now
            assert session.go_on(last if at > 1 else None, following_seed(own, at), row, None, 10_000)
            assert row[ENDING] == WON
            state = library.exported(now)
            assert sum(len(pieces.on(state, spot)) for spot in spots) == 90
            assert all(state[world.spots.at + p] == spot for spot in spots for p in pieces.on(state, spot))
            assert pieces.on(state, stack), "the deck has run out"
            assert (state[in_force.base] >> refill & 1) == (at >= 12)  # with it the story is renewed
            now, last = last, now
    session.close()


@pytest.fixture
def compiler_here() -> None:
    if compiler() is None:
        pytest.skip("there is no C compiler")


@pytest.mark.usefixtures("compiler_here")
def test_a_compiled_campaign_holds_together() -> None:
    compiled_campaigns_hold_together(3, 10, 14, 1)


@pytest.mark.long
@pytest.mark.usefixtures("compiler_here")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_thousand_compiled_campaigns_hold_together(players: int) -> None:
    compiled_campaigns_hold_together(players, 1000, 30, 2)


def may_trade(play: Play, a: int, b: int) -> bool:
    """As in the laws, but so that the position stays one that the rules can come to: nothing that belongs on the table
    gets into a hand, and who has begun an attack has the cards for it."""
    world, choice = play.world, play.stop.choice
    lie = [world.places.names[play.state[world.spots.at + p] - world.spots.first_place] for p in (a, b)]
    names = [plain(world.pieces.names[p]) for p in (a, b)]
    for_table = any(name.startswith(("fort", "hourglass")) or name.endswith("_rules") for name in names)
    if for_table and not all(place in ("story", "stack", "box") for place in lie):
        return False
    attacking = choice is not None and choice.stage is not None and play.state[choice.stage]
    return not (attacking and f"{play.players[play.stop.seat]}_hand" in lie)


def nothing_leaks(players: int, count: int, seed: int, share: float) -> int:
    """Hidden cards trade places within what a player knows: view, options and log of that player stay the same."""
    tried = 0
    for _, play, rng in games(players, count, seed):
        for _ in decisions(play, rng):
            if rng.random() > share:
                continue
            for seat in range(players):
                hidden = [p for p in range(play.world.pieces.size) if not play.viewer.knows(play.state, p, seat)]
                pairs = [(a, b) for a in hidden for b in hidden if a < b]
                rng.shuffle(pairs)  # few are looked at until one is found
                pair = next((pair for pair in pairs if _may_trade(play, *pair) and may_trade(play, *pair)), None)
                if pair is None:
                    continue
                twin = play.copy()
                _trade(twin, *pair)
                twin.go_on()
                assert twin.pending == play.pending
                assert twin.view(seat) == play.view(seat)
                if seat in play.pending:
                    mine, theirs = ([(o.text, o.notation) for o in p.options(seat)] for p in (play, twin))
                    assert mine == theirs
                tried += 1
    return tried


@pytest.mark.parametrize("players", [2, 3])
def test_nothing_leaks_in_a_campaign(players: int) -> None:
    assert nothing_leaks(players, 7, 30 + players, 0.1) > 50


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_leaks_in_many_campaigns(players: int) -> None:
    for seed in range(10):
        nothing_leaks(players, 20, 300 + seed, 1)


def test_the_number_of_players_may_change_from_game_to_game() -> None:
    rng = random.Random(9)
    campaign = Campaign(fortress(), 2, 9)
    for _ in range(10):
        for _ in decisions(campaign.play, rng):
            pass
        campaign.play.settle()
        campaign.next(rng.choice([2, 3, 4]))
        assert everywhere(campaign.play) == 90


@pytest.mark.parametrize("players", [1, 5])
def test_fewer_than_two_and_more_than_four_cannot_play(players: int) -> None:
    with pytest.raises(Exception, match="2 to 4 players"):
        fortress().start(players)


def test_who_plays_reads_again_what_came_and_nothing_that_did_not() -> None:
    for number, play, rng in games(3, 13, 51):
        for _ in decisions(play, rng):
            pass
        for seat in range(3):
            printed = Screen(play, "en", colour=False).printed(seat)
            assert ("destruction rules" in printed) == ("destruction" in in_force(play))
            assert ("preparation rules" in printed) == (number > 1)
            hidden = {plain(card) for p in range(3) if p != seat for card in lying(play, f"{play.players[p]}_hand")}
            assert not [s for s in NO_SQUAD if s in printed and s in hidden and not known(play, s, seat)]


def known(play: Play, name: str, seat: int) -> bool:
    """Whether a seat knows where any card of this name is."""
    names = play.world.pieces.names
    return any(plain(n) == name and play.viewer.knows(play.state, i, seat) for i, n in enumerate(names))


# ------------------------------------------------------------------------------------------------- the files


def test_its_own_tests_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(PATH)]) == 0, capsys.readouterr().out


def test_every_rule_is_carried_out_by_the_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", str(PATH), "--tests"]) == 0
    assert "100 % of the rules" in capsys.readouterr().out


def test_everything_reads_in_russian() -> None:
    """Whatever Latin is left but the X card was forgotten."""
    for number, play, rng in games(3, 14, 41):
        for _, _ in decisions(play, rng):
            if number in (1, 6, 14):
                texts = [o.text for o in play.options(language="ru")]
                texts += play.lines(play.pending[0], "ru", max(0, len(play.log) - 4))
                left = [t for t in texts if any("a" <= x.lower() <= "z" for x in t.replace("X", ""))]
                assert left == []
