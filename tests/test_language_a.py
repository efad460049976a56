"""The hardest rules of three games, as small games of their own: they check, they play, they keep the rules."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play
from ruledsl.source.text import SourceFile
from ruledsl.syntax.parser import parse_text

HERE = Path(__file__).parent / "language"
GAMES: dict[str, Game] = {}


def game(name: str) -> Game:
    if name not in GAMES:
        GAMES[name] = ruledsl.load(HERE / f"{name}.yaml")
    return GAMES[name]


def ask(play: Play, text: str, me: int | None = None) -> Any:
    """The value of an expression in a position, members and pieces as their numbers."""
    world, report = play.world, Report()
    world.elaborator.report, kept = report, world.elaborator.report
    typed = world.elaborator.expr(parse_text(text, SourceFile("asked", text), 0, "expr", report))
    world.elaborator.report = kept
    assert not report.errors, [d.message for d in report.findings]
    # Room for the variables of the question behind the state: they are counted from its end.
    state = [*play.state, *[0] * 200]
    if me is not None:
        state[C.ME] = me
    return play.machine.evaluator.of(typed.node)(state)


def names(play: Play, text: str, root: str, me: int | None = None) -> set[str]:
    """A set of members by their names."""
    mask, words = ask(play, text, me), play.world.roots[root].names
    return {words[i] for i in range(len(words)) if mask >> i & 1}


def put(play: Play, piece: str, where: str, turned: int = 0) -> None:
    """Puts a piece on a space, part or place that an expression names."""
    world, v = play.world, play.state
    report = Report()
    world.elaborator.report, kept = report, world.elaborator.report
    typed = world.elaborator.expr(parse_text(where, SourceFile("asked", where), 0, "expr", report))
    world.elaborator.report = kept
    assert not report.errors, [d.message for d in report.findings]
    spot = play.machine.evaluator.of(typed.node)([*v, *[0] * 200]) + world.first_spot(typed.type.root)
    number = world.pieces.names.index(piece)
    play.machine.pieces.move(v, number, spot)
    if world.spots.turn >= 0:
        v[world.spots.turn + number] = turned


def give(play: Play, path: str, value: int) -> None:
    """Sets a value of the state: `name`, or `name[index]` with the number of the member."""
    name, _, index = path.rstrip("]").partition("[")
    field = next(f for f in play.world.layout.fields if f.name == name)
    play.state[field.base + (int(index) if index else 0)] = value


def again(play: Play) -> None:
    """The options of the position as it has been made."""
    play.go_on()
    assert play.fault is None, play.fault


def until(play: Play, menu: str, seed: int = 0) -> Play:
    """Plays at random until a menu is offered."""
    rng = random.Random(seed)
    while play.stop.kind != "choice" or play.stop.choice is None or play.stop.choice.name != menu:
        assert not play.over, f"`{menu}` is never offered"
        seat = rng.choice(play.pending)
        play.choose(rng.randrange(len(play.options(seat))), seat)
    return play


def through(play: Play, seed: int) -> Play:
    """Plays to the end at random; every decision has an option."""
    rng = random.Random(seed)
    for _ in range(5_000):
        if play.over:
            return play
        seat = rng.choice(play.pending)
        stop = play._stop_of(seat)
        assert stop is not None and stop.options
        play.choose(rng.randrange(len(stop.options)), seat)
    raise AssertionError("the play does not end")


def notations(play: Play, seat: int | None = None) -> set[str]:
    return {option.notation for option in play.options(seat)}


FIXTURES = sorted(path.stem for path in HERE.glob("*.yaml") if path.read_text().startswith("ruledsl:"))
PLAYS = [
    ("growing_tiles", 2, {}), ("growing_tiles", 3, {}), ("growing_tiles", 4, {}),
    ("growing_tiles", 3, {"preset": "all_runes"}), ("growing_tiles", 2, {"variant": "epic", "preset": "all_runes"}),
]


@pytest.mark.parametrize("name", sorted({name for name, _, _ in PLAYS}))
def test_a_fixture_has_no_mistakes_and_no_advice(name: str) -> None:
    report = check(HERE / f"{name}.yaml")
    assert [d.message for d in report.findings] == []


@pytest.mark.parametrize(("name", "players", "options"), PLAYS)
def test_random_plays_come_to_their_end_without_a_fault(name: str, players: int, options: dict[str, Any]) -> None:
    for seed in range(20):
        play = through(game(name).start(players, seed=seed, options=options), seed)
        assert play.fault is None, (seed, play.fault.message, play.fault.span and play.fault.span.text)
        assert play.ending != "void"


# ------------------------------------------------------------------------------------- a board that grows


def bare(options: dict[str, Any] | None = None, settling: bool = True) -> Play:
    """Only the starting tiles lie; all else is off the board. `Red` is seat 0 and on turn, `blue` seat 1."""
    play = game("growing_tiles").start(names=["red", "blue"], seed=1, options=options or {})
    if settling:
        until(play, "settling")
    for number, word in enumerate(play.world.pieces.names):
        if word not in ("s1", "s2", "s3"):
            play.machine.pieces.move(play.state, number, play.world.spots.box)
            play.state[play.world.spots.turn + number] = 0
    for cell in range(play.world.boards[0].root.size):
        give(play, f"cell.rune[{cell}]", -1)
    give(play, "out[0]", 0)
    give(play, "out[1]", 0)
    for seat in ("red", "blue"):
        for i in range(1, 21):
            home(play, f"{seat}_viking_{i}")
    return play


def home(play: Play, piece: str) -> None:
    number = play.world.pieces.names.index(piece)
    play.machine.pieces.move(play.state, number, play.world.spots.reserve[number])


def lay(play: Play, tiles: str) -> None:
    """`coast2_1@0,1/3`: a tile, its cell, how it is turned."""
    for text in tiles.split():
        tile, _, rest = text.partition("@")
        cell, _, turned = rest.partition("/")
        put(play, tile, f"land[{cell}]", int(turned))


def stand(play: Play, piece: str, cell: str, side: str = "") -> None:
    """A piece onto the plain area of the tile on a cell; with several, the one that shows towards a side."""
    test = f" and {side} in a.sides" if side else ""
    put(play, piece, f"the(first(a in area where a.cell == land[{cell}] and a.terrain == plain{test}))")


def targets(play: Play, seat: int, text: str = "open_from(held(me))") -> set[str]:
    return names(play, f"set(a.cell for a in {text})", "cell", seat)


def test_a_tile_needs_two_neighbours_equal_edges_and_the_mainland() -> None:
    """FJ-054 to FJ-057, EX-3."""
    play = bare()
    assert not ask(play, "fits(meadow_1, land[-1, 0], 0)")  # touches one tile
    assert ask(play, "fits(hill3, land[0, -1], 3)")
    assert not ask(play, "fits(hill3, land[0, -1], 0)")  # the edge towards the south-east does not fit
    lay(play, "coast2_1@0,1/3")
    assert not ask(play, "fits(coast3, land[1, 1], 1)")  # ocean meets ocean, but its land would be a second landmass
    # A tile with two bodies of land needs both joined: at (0, -1) its sides to the south-east and south are
    # met by mountains and plain, at (1, 1) by ocean. It fits nowhere beside the three first tiles.
    play = bare()
    assert not any(ask(play, f"fits(strait, land[{q}, {r}], {t})") for q in range(-2, 4) for r in range(-3, 3) for t in range(6))


def test_the_rim_of_a_growing_board_is_found_from_its_tiles() -> None:
    play = bare()
    # Three tiles that meet in one corner have nine cells round them.
    assert names(play, "frontier", "cell") == {
        "0,-1", "-1,0", "-1,1", "0,1", "1,1", "2,0", "2,-1", "2,-2", "1,-2"}
    assert ask(play, "frontier == set(c in land where not c.hex and any(n in neighbors(c) where n.hex))")


def test_mountains_close_a_way() -> None:
    """FJ-007, FJ-094, FJ-096: EX-1."""
    play = bare()
    lay(play, "mo22b@0,1/5 pass22@-1,1/4 spur@2,-1/4")
    stand(play, "red_house_1", "-1, 1")
    stand(play, "blue_house_1", "0, 1")
    assert targets(play, 0) == {"0,0"} and targets(play, 1) == {"0,0"}
    stand(play, "red_viking_1", "0, 0")
    assert targets(play, 0) == {"1,0", "1,-1"}
    assert targets(play, 1) == set()
    stand(play, "red_viking_2", "1, -1")
    assert targets(play, 0) == {"1,0"}  # (2, -1) is next to it, but across mountains
    stand(play, "red_viking_3", "1, 0")
    assert targets(play, 0) == {"2,-1"}
    area = ask(play, "first(open_from(held(me)))", 0)
    # On the area of the tile that meets the plain to its south-west.
    assert play.world.roots["area"].names[area].startswith("spur_area") and ask(play, f"spur.area[sw]") == area


def test_pieces_of_others_close_a_way() -> None:
    """FJ-093, FJ-097: EX-2."""
    play = bare()
    lay(play, "coast2_1@0,1/3 mo11b@-1,1/0 ridge12a@-1,2/0 coast2_2@-1,0/2 hill2_1@0,2/0")
    stand(play, "red_house_1", "-1, 1")
    stand(play, "blue_house_1", "0, 1")
    assert targets(play, 0) == {"-1,0", "-1,2", "0,0"}
    assert targets(play, 1) == {"-1,2", "0,0", "0,2"}
    other = play.copy()
    stand(other, "blue_viking_1", "0, 0")
    assert "-1,0" in targets(other, 1)
    stand(play, "red_viking_1", "0, 0")
    assert targets(play, 1) == {"-1,2", "0,2"}
    stand(play, "red_viking_2", "-1, 2", "ne")
    assert "0,2" not in targets(play, 0)


BOARD_R = ("coast2_1@0,1/3 mo21b@-1,1/1 hill2_1@2,-1/1 peak@2,-2/0 hill4@1,-2/0 mo13a@3,-2/3 pass13@2,-3/4 coast2_2@3,-1/3 "
           "rcoast@2,0/0 meadow_1@3,0/0 coast3@2,1/1 mo12b@3,-3/5 hill2_2@3,-4/2")


def board_r() -> Play:
    """EX-4 to EX-8. The marks of two runes that this fixture has not are set all the same."""
    play = bare({"preset": "all_runes"})
    lay(play, BOARD_R)
    root = play.world.roots["rune"].names
    for cell, word in (("2, -2", "strength"), ("2, 0", "strength"), ("3, 0", "strength")):
        give(play, f"cell.rune[{ask(play, f'land[{cell}]')}]", root.index(word))
    stand(play, "red_house_1", "0, 1")
    stand(play, "red_viking_1", "0, 0")
    stand(play, "red_viking_2", "1, -1")
    stand(play, "blue_house_1", "3, -1")
    return play


def test_a_tile_may_stand_in_only_by_legal_steps() -> None:
    """Every tile of the board of the examples fits where it lies, laid in that order."""
    play = bare()
    for text in BOARD_R.split():
        tile, _, rest = text.partition("@")
        cell, _, turned = rest.partition("/")
        assert ask(play, f"fits({tile}, land[{cell}], {turned})"), text
        lay(play, text)


def test_ways_over_sea_mountains_and_gaps() -> None:
    """EX-4 to EX-7: FJ-208, FJ-210, FJ-216, FJ-217, FJ-220 to FJ-222."""
    play = board_r()
    assert targets(play, 0) == {"-1,1", "1,0"}
    assert targets(play, 1) == {"2,-1", "3,-2"}
    assert targets(play, 0, "landings(ocean)") == {"1,0", "2,1"}
    assert targets(play, 0, "landings(mountain)") == {"1,-2", "2,-1", "2,-3", "3,-3", "3,-2"}
    assert targets(play, 1, "landings(mountain)") == set()
    play.state[C.ME] = 0
    again(play)
    found = {o.words["at"] + " → " + o.words["a"] for o in play.options() if o.action == "use_wisdom"}
    assert found == {"-1,2 → mo21b_area_1"}
    assert {o.action for o in play.options()} == {"place_viking", "use_travel", "use_horse", "use_wisdom"}


def test_a_gap_between_tiles_is_bridged() -> None:
    """EX-8."""
    play = board_r()
    for number, word in enumerate(play.world.pieces.names):
        if word.startswith(("red_", "blue_")):
            home(play, word)
    for cell in range(play.world.boards[0].root.size):
        give(play, f"cell.rune[{cell}]", -1)
    stand(play, "red_house_1", "2, 1")
    play.state[C.ME] = 0
    again(play)
    assert {(o.words["at"], o.words["a"]) for o in play.options() if o.action == "use_wisdom"} >= {("3,1", "meadow_1_area_1")}


def test_a_row_without_a_place_is_put_back_and_the_phase_ends_when_nothing_fits() -> None:
    """FJ-077, FJ-081."""
    play = game("growing_tiles").start(3, seed=1)
    assert play.world.data["phase_slot"] and ask(play, "count(row)") == 4
    # Of these tiles only four have no place beside the three first ones; with them alone the phase is over at once.
    tiles = [word for word, stock in zip(play.world.pieces.names, play.world.data["stocks"], strict=True) if stock.owner < 0]
    for word in tiles:
        if word not in ("s1", "s2", "s3"):
            play.machine.pieces.move(play.state, play.world.pieces.names.index(word), play.world.spots.box)
    for word in ("peak", "meadow_1", "meadow_2", "strait"):
        put(play, word, "row")
    rows = play.copy()
    put(rows, "hill3", "sack")  # one that fits is in the sack: the row is swapped until it comes
    starter = play.state[C.ME]
    entry = next(i for i, block in enumerate(play.machine.program.blocks) if block.note == "turn")
    for one in (play, rows):
        one.state[C.PC] = entry
        again(one)
    assert play.over and play.ending == "scored"  # nobody has a house, so settling is over as well
    assert ask(play, "starter") == starter
    assert not rows.over and ask(rows, "hill3 in row") and ask(rows, "count(row) + count(sack)") == 5
    assert {o.words["tile"] for o in rows.options()} == {"hill3"}


def test_two_colours_of_one_player_are_two_sorts_of_pieces() -> None:
    """FJ-122, FJ-126: a viking of either colour is offered, each once."""
    play = until(game("growing_tiles").start(2, seed=3, options={"variant": "epic"}), "settling")
    seat = play.pending[0]
    assert ask(play, "count(me.viking)", seat) == 30 and ask(play, "count(me.house)", seat) == 6
    by_area: dict[str, list[str]] = {}
    for option in play.options():
        by_area.setdefault(option.words["a"], []).append(option.words["v"])
    assert by_area and all(len(vikings) == 2 for vikings in by_area.values())
