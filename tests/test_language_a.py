"""The hardest rules of three games, as small games of their own: they check, they play, they keep the rules."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play
from ruledsl.runtime.together import Drafts
from ruledsl.source.text import SourceFile
from ruledsl.syntax.parser import parse_text
from ruledsl.types import Elem

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
    assert isinstance(typed.type, Elem)
    spot = play.machine.evaluator.of(typed.node)([*v, *[0] * 200]) + world.first_spot(typed.type.root)
    number = world.pieces.names.index(piece)
    play.machine.pieces.move(v, number, spot)
    if world.spots.turn >= 0:
        v[world.spots.turn + number] = turned


def give(play: Play, path: str, value: int) -> None:
    """Sets a value of the state: `name`, or `name[index]` with the number of the member."""
    name, _, index = path.rstrip("]").partition("[")
    field = next(f for f in play.world.layout.fields if f.name == name and f.kind in ("value", "state"))
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
        stop = play.stop_of(seat)
        assert stop is not None
        assert stop.options
        play.choose(rng.randrange(len(stop.options)), seat)
    raise AssertionError("the play does not end")


def notations(play: Play, seat: int | None = None) -> set[str]:
    return {option.notation for option in play.options(seat)}


PLAYS = [
    ("bent_rules", 3, {}),
    ("growing_tiles", 2, {}),
    ("growing_tiles", 3, {}),
    ("growing_tiles", 4, {}),
    ("free_exchanges", 1, {}),
    ("free_exchanges", 2, {}),
    ("free_exchanges", 3, {}),
    ("free_exchanges", 4, {}),
    ("secret_routes", 1, {}),
    ("secret_routes", 2, {}),
    ("secret_routes", 3, {}),
    ("secret_routes", 4, {}),
    ("growing_tiles", 3, {"preset": "all_runes"}),
    ("growing_tiles", 2, {"variant": "epic", "preset": "all_runes"}),
]


@pytest.mark.parametrize("name", ["growing_tiles", "secret_routes", "free_exchanges"])
def test_the_tests_beside_a_fixture_pass(name: str) -> None:
    command = [sys.executable, "-m", "ruledsl", "test", f"tests/language/{name}.yaml"]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("name", "players", "options"), PLAYS)
def test_random_plays_come_to_their_end_without_a_fault(
    name: str, players: int, options: dict[str, Any], thorough: bool
) -> None:
    for seed in range(20 if thorough else 5):
        play = through(game(name).start(players, seed=seed, options=options), seed)
        assert play.fault is None, (seed, play.fault.message, play.fault.span and play.fault.span.text)
        assert play.ending != "void"
        # Names out of scope are zero, so that equal positions are equal states.
        kept = [
            f.name
            for f in play.world.layout.fields
            if f.kind == "local" and any(play.state[f.base : f.base + f.count * f.width])
        ]
        assert kept == [], seed


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
    assert not any(
        ask(play, f"fits(strait, land[{q}, {r}], {t})") for q in range(-2, 4) for r in range(-3, 3) for t in range(6)
    )


def test_the_rim_of_a_growing_board_is_found_from_its_tiles() -> None:
    play = bare()
    # Three tiles that meet in one corner have nine cells round them, of which three touch two of the tiles.
    assert names(play, "frontier(land)", "cell") == {"0,-1", "0,1", "2,-1"}
    assert ask(play, "frontier(land) == set(c in land where not c.hex and count(n in neighbors(c) where n.hex) >= 2)")


def test_mountains_close_a_way() -> None:
    """FJ-007, FJ-094, FJ-096: EX-1."""
    play = bare()
    lay(play, "mo22b@0,1/5 pass22@-1,1/4 spur@2,-1/4")
    stand(play, "red_house_1", "-1, 1")
    stand(play, "blue_house_1", "0, 1")
    assert targets(play, 0) == {"0,0"}
    assert targets(play, 1) == {"0,0"}
    stand(play, "red_viking_1", "0, 0")
    assert targets(play, 0) == {"1,0", "1,-1"}
    assert targets(play, 1) == set()
    stand(play, "red_viking_2", "1, -1")
    assert targets(play, 0) == {"1,0"}  # (2, -1) is next to it, but across mountains
    stand(play, "red_viking_3", "1, 0")
    assert targets(play, 0) == {"2,-1"}
    area = ask(play, "first(open_from(held(me)))", 0)
    # On the area of the tile that meets the plain to its south-west.
    assert play.world.roots["area"].names[area].startswith("spur_area")
    assert ask(play, "spur.area[sw]") == area


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


BOARD_R = (
    "coast2_1@0,1/3 mo21b@-1,1/1 hill2_1@2,-1/1 peak@2,-2/0 hill4@1,-2/0 mo13a@3,-2/3 pass13@2,-3/4 coast2_2@3,-1/3 "
    "rcoast@2,0/0 meadow_1@3,0/0 coast3@2,1/1 mo12b@3,-3/5 hill2_2@3,-4/2"
)


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
    for _number, word in enumerate(play.world.pieces.names):
        if word.startswith(("red_", "blue_")):
            home(play, word)
    for cell in range(play.world.boards[0].root.size):
        give(play, f"cell.rune[{cell}]", -1)
    stand(play, "red_house_1", "2, 1")
    play.state[C.ME] = 0
    again(play)
    assert {(o.words["at"], o.words["a"]) for o in play.options() if o.action == "use_wisdom"} >= {
        ("3,1", "meadow_1_area_1")
    }


def test_points_of_a_rune_are_counted_for_what_stands_beside_it() -> None:
    """Position R2 of the examples: FJ-181, FJ-250."""
    play = board_r()
    for cell in ("2, 0", "3, 0"):
        give(play, f"cell.rune[{ask(play, f'land[{cell}]')}]", -1)
    for number, cell in enumerate(("1, 0", "-1, 1", "1, -2", "2, -3", "3, -3", "3, -4"), 3):
        stand(play, f"red_viking_{number}", cell)
    for number, cell in enumerate(("2, -1", "3, -2", "2, 1"), 1):
        stand(play, f"blue_viking_{number}", cell)
    rows = play.scores()
    assert [row["vikings"] for row in rows] == [8, 3]
    assert [row["strength"] for row in rows] == [4, 2]
    assert [row["extra"] for row in rows] == [0, 0]  # neither has placed them all


def test_a_house_goes_two_steps_but_through_no_other() -> None:
    """FJ-231 to FJ-236: over plain edges; not through a house, not onto a rune, and not nowhere."""
    play = board_r()
    steps = "reachable(red_house_1.area, within=2, b in area where b.terrain == plain and b.cell and not b.cell.house)"

    def ends() -> set[str]:
        return names(play, f"set(a.cell for a in {steps} where vacant(a.cell))", "cell", 0)

    home(play, "red_viking_1")
    home(play, "red_viking_2")
    assert ends() == {"-1,1", "0,0", "1,-1", "1,0"}
    stand(play, "blue_house_2", "0, 0")
    assert ends() == {"-1,1"}  # the way to the others led over (0, 0)


def test_a_row_without_a_place_is_put_back_and_the_phase_ends_when_nothing_fits() -> None:
    """FJ-077, FJ-081."""
    play = game("growing_tiles").start(3, seed=1)
    assert play.world.data["phase_slot"]
    assert ask(play, "count(row)") == 4
    # Of these tiles only four have no place beside the three first ones; with them alone the phase is over at once.
    tiles = [
        word for word, stock in zip(play.world.pieces.names, play.world.data["stocks"], strict=True) if stock.owner < 0
    ]
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
    assert play.over
    assert play.ending == "scored"
    assert ask(play, "starter") == starter
    assert not rows.over
    assert ask(rows, "hill3 in row")
    assert ask(rows, "count(row) + count(sack)") == 5
    assert {o.words["tile"] for o in rows.options()} == {"hill3"}


def test_two_colours_of_one_player_are_two_sorts_of_pieces() -> None:
    """FJ-122, FJ-126: a viking of either colour is offered, each once."""
    play = until(game("growing_tiles").start(2, seed=3, options={"variant": "epic"}), "settling")
    seat = play.pending[0]
    assert ask(play, "count(me.viking)", seat) == 30
    assert ask(play, "count(me.house)", seat) == 6
    by_area: dict[str, list[str]] = {}
    for option in play.options():
        by_area.setdefault(option.words["a"], []).append(option.words["v"])
    assert by_area
    assert all(len(vikings) == 2 for vikings in by_area.values())


# ------------------------------------------------------------------------- routes that are planned in secret


def drafts_of(play: Play) -> Drafts:
    assert play.together is not None
    return play.together


def purse(play: Play, word: str, seat: int, **amounts: int) -> None:
    """What a player holds of a pool, under a word."""
    field = next(f for f in play.world.layout.fields if f.name == word and f.kind == "pool")
    pool = next(p for p in play.world.pools if word in p.holders)
    assert pool.of is not None
    for number, name in enumerate(pool.of.names):
        play.state[field.base + seat * pool.size + number] = amounts.get(name, 0)


def held(play: Play, word: str, seat: int, state: list[int] | None = None) -> dict[str, int]:
    field = next(f for f in play.world.layout.fields if f.name == word and f.kind == "pool")
    pool = next(p for p in play.world.pools if word in p.holders)
    v = state if state is not None else play.state
    start = field.base + seat * pool.size
    assert pool.of is not None
    return {name: v[start + i] for i, name in enumerate(pool.of.names) if v[start + i]}


def member(play: Play, root: str, word: str) -> int:
    return play.world.roots[root].names.index(word)


def route(
    hero: str, at: str, dice: tuple[str, str, str], charm: str, round: int = 1, players: int = 2, **items: int
) -> Play:
    """Seat 0 is about to plan a route, with these items beside the one that the dice give."""
    play = game("secret_routes").start(players, seed=4)
    while play.stop.kind != "together":
        mine = hero if play.pending == (0,) else "alyonushka"
        play.choose(f"h={mine}" if "h" in play.options()[0].words else 0)
    for i, face in enumerate(dice):
        give(play, f"dice[{i}]", member(play, "face", face))
    give(play, "charm", member(play, "item", charm))
    give(play, "at[0]", member(play, "cell", at))
    give(play, "visited[0]", 1 << member(play, "cell", at))
    play.state[C.ROUND] = round
    purse(play, "items", 0, **items)
    again(play)
    return play


def landings(play: Play, action: str, seat: int = 0) -> set[str]:
    return {o.words["to"] for o in play.options(seat) if o.action == action}


def test_dice_lead_to_their_terrain_and_into_any_place() -> None:
    """WE-01."""
    play = route("dobrynya", "R3C08", ("water", "forest", "mountain"), "axe")
    assert landings(play, "use_die") == {"R3C09", "R2C09", "R4C09"}


def test_a_jump_needs_a_cell_in_between() -> None:
    """WE-02: the notch of the outline cannot be jumped over."""
    play = route("elena", "R0C08", ("water", "forest", "mountain"), "horse")
    assert landings(play, "use_horse") == {"R0C10", "R1C06", "R1C09", "R2C07", "R2C08", "R2C09"}


def test_a_flight_goes_to_the_border() -> None:
    """WE-03: six directions, and the cells flown over are counted."""
    play = route("elena", "R1C05", ("water", "forest", "mountain"), "yaga_ring")
    flights = {o.words["d"] for o in play.options(0) if o.action == "use_yaga_ring"}
    assert flights == {"e", "ne", "nw", "w", "sw", "se"}
    ends = {}
    for way in flights:
        one = play.copy()
        one.choose(f"use_yaga_ring d={way}", 0)
        state = drafts_of(one).states[0]
        flown = next(f.base for f in play.world.layout.fields if f.name == "flown")
        at = next(f.base for f in play.world.layout.fields if f.name == "at" and f.kind == "value")
        ends[way] = (play.world.roots["cell"].names[state[at]], state[flown])
    assert ends == {
        "e": ("R1C12", 6),
        "ne": ("R0C06", 0),
        "nw": ("R0C05", 0),
        "w": ("R1C00", 4),
        "sw": ("R8C02", 6),
        "se": ("R7C08", 5),
    }


def test_a_route_of_ten_steps_is_taken_back_and_committed() -> None:
    """WE-06, step by step; nothing of it shows before all have finished, and a first visit ends it."""
    play = route(
        "dobrynya", "R5C08", ("forest", "seasonal", "any_path"), "cross", 3, horse=3, endless_ring=2, equipment=1
    )
    before, seen = list(play.state), play.view(1)
    steps = [
        ("use_ability to=R6C08", {"cross": 1, "horse": 3, "endless_ring": 2, "equipment": 1}),
        ("use_die i=3 to=R5C07", {"cross": 1, "horse": 3, "endless_ring": 2, "equipment": 2}),
        ("use_horse to=R4C06", {"cross": 1, "horse": 2, "endless_ring": 2, "yaga_ring": 1, "equipment": 2}),
        ("use_yaga_ring d=e", {"cross": 1, "horse": 2, "endless_ring": 2, "equipment": 2}),
        ("use_die i=2 to=R5C11", {"cross": 1, "horse": 2, "endless_ring": 2, "equipment": 3}),
        ("use_die i=1 to=R5C10", {"cross": 1, "horse": 2, "endless_ring": 2, "yaga_ring": 1, "equipment": 3}),
        ("use_yaga_ring d=nw", {"cross": 1, "horse": 3, "endless_ring": 2, "equipment": 3}),
        ("use_horse to=R1C06", {"cross": 1, "horse": 2, "endless_ring": 2, "axe": 1, "equipment": 3}),
        ("use_endless_ring to=R1C05", {"cross": 2, "horse": 2, "endless_ring": 1, "axe": 1, "equipment": 3}),
        ("use_cross to=R1C04", {"cross": 1, "horse": 2, "endless_ring": 1, "axe": 1, "equipment": 3}),
    ]
    for number, (step, items) in enumerate(steps):
        assert 0 in play.pending
        play.choose(step, 0)
        assert held(play, "items", 0, drafts_of(play).states[0]) == items, step
        if number == 4:  # a change of mind
            assert play.take_back(0)
            play.choose(step, 0)
    drafts = next(f for f in play.world.layout.fields if f.name == "drafts")
    mine = range(drafts.base, drafts.base + drafts.width)
    assert [x for i, x in enumerate(play.state) if i not in mine] == [x for i, x in enumerate(before) if i not in mine]
    assert play.view(1) == seen | {"to_move": ["player_2"]}  # that somebody has finished is all that shows
    assert play.pending == (1,)  # the first visit to a place has ended the route
    play.choose("stop", 1)
    assert ask(play, "me.at == R1C04 and me.flown == 8 and count(me.visited) == 11", 0)
    assert play.pending == (0,)  # now the box is chosen
    assert all(option.action == "place_marker" for option in play.options())


def test_a_cross_goes_anywhere_when_no_terrain_was_rolled() -> None:
    """WE-12."""
    play = route("elena", "R5C08", ("any_path", "seasonal", "seasonal"), "cross")
    assert landings(play, "use_cross") == names(play, "neighbors(R5C08)", "cell")


def test_axes_lift_the_strength_for_a_box_but_pay_nothing() -> None:
    """WE-09, SE-116, SE-118."""
    play = route("nesmeyana", "R7C03", ("forest", "forest", "forest"), "cross", equipment=1, axe=2)
    wild = play.world.pieces.names.index("wild_01")
    there = ask(play, "first(bel_kamen.lot)")
    lot = play.state[play.world.spots.at + wild]
    play.machine.pieces.move(play.state, there, play.world.spots.box)
    put(play, "wild_01", "bel_kamen.lot")
    if lot != play.state[play.world.spots.at + wild] and lot >= play.world.spots.first_place:
        play.machine.pieces.move(play.state, there, lot)
    slot = member(play, "slot", "bel_kamen")
    give(play, f"marker[{12 + slot}]", member(play, "slip", "lower_left"))
    again(play)
    play.choose("stop", 0)
    play.choose("stop", 1)
    assert {o.words["b"] for o in play.options(0)} == {"upper_left", "upper_right", "lower_left"}
    play.choose("b=upper_right", 0)
    assert {o.words["axes"] for o in play.options(0)} == {"1", "2"}
    play.choose("axes=1", 0)
    spent = held(play, "spent", 0)
    assert spent == {"axe": 1}
    assert ask(play, "me.items.equipment == 1 and me.marker[bel_kamen] == upper_right and wild_01.fame == 4", 0)


def test_a_later_marker_in_a_quest_costs_an_amulet() -> None:
    """SE-147, SE-145."""
    play = route("elena", "R1C04", ("forest", "forest", "forest"), "cross")
    slot = member(play, "slot", "zelenov")
    give(play, f"marker[{12 + slot}]", member(play, "slip", "quest"))
    assert ask(play, "fee(zelenov, quest)") == 1
    assert not ask(play, "fits_box(zelenov, quest)", 0)
    again(play)
    play.choose("stop", 0)
    play.choose("stop", 1)
    assert {o.words["b"] for o in play.options(0)} == {"treasury", "arsenal", "quest"}  # the die gave a cross
    play.choose("b=quest", 0)
    assert {o.words["a"] for o in play.options(0)} == {"cross"}
    play.choose("a=cross", 0)
    assert held(play, "items", 0).get("cross", 0) == 0 or play.stop.kind == "together"
    assert held(play, "spent", 0) == {"cross": 1}


def test_a_rival_walks_round_the_ring_past_its_own_cards() -> None:
    """WE-11: two steps lead to a card that it has, so it goes on to the next."""
    play = game("secret_routes").start(1, seed=2, chance="ask")
    amulets = {"cross", "horse", "endless_ring", "yaga_ring", "axe"}
    for _ in range(40):
        if play.chance is None:
            play.choose(0)
        elif ask(play, "round == 1") and {name for _, _, name in play.chance.outcomes} == amulets:
            break
        else:
            play.answer(play.chance.outcomes[0][0])
    assert play.chance is not None
    assert [weight for _, weight, _ in play.chance.outcomes] == [2, 1, 1, 1, 1]
    put(play, "rival_pawn", "kholmovka")
    give(play, f"rival[{member(play, 'slot', 'toreschin')}]", member(play, "slip", "quest"))
    give(play, f"marker[{member(play, 'slot', 'sotovka')}]", member(play, "slip", "store"))
    play.answer(member(play, "item", "axe"))
    assert ask(play, "rival_pawn.slot == sotovka and rival[sotovka] == commission")
    assert ask(play, "set(s in slot where rival[s]) == [toreschin, sotovka]")
    assert ask(play, "fee(sotovka, commission)") == 1  # its marker counts for those who come later
    card = ask(play, "first(sotovka.lot)")
    assert play.machine.pieces.knowers(play.state, card) == 1
    assert held(play, "items", 0, drafts_of(play).states[0]).get("axe", 0) >= 1


def test_formulas_of_cards_count_what_their_words_say() -> None:
    """SE-245, SE-248, SE-253: fame as code in the rows of a table, about `me` and the place of the card."""
    play = route("elena", "R5C08", ("forest", "forest", "forest"), "cross")
    cells = play.world.roots["cell"].names
    give(play, "flown[0]", 9)
    assert ask(play, "outpost_01.fame", 0) == -3
    give(play, "flown[0]", 20)
    assert ask(play, "outpost_01.fame", 0) == 6
    purse(play, "items", 0, equipment=3)
    assert ask(play, "city_02.fame", 0) == 4
    edges = [i for i in range(len(cells)) if ask(play, f"{cells[i]}.edge")]
    give(play, "visited[0]", sum(1 << i for i in edges[:12]))
    assert ask(play, "outpost_03.fame", 0) == -3
    give(play, "visited[0]", sum(1 << i for i in edges[:13]))
    assert ask(play, "outpost_03.fame", 0) == 6


# --------------------------------------------------------------------- triggers before, after and instead


def struck(mine: str, theirs: str, target: int = 1) -> tuple[list[int], int]:
    """What happens when seat 0 strikes another: the trace, and how much the other is hurt."""
    play = game("bent_rules").start(3, seed=0)
    for seat, words in ((0, mine), (1, theirs)):
        give(play, f"owned[{seat}]", sum(1 << member(play, "relic", word) for word in words.split()))
    again(play)
    play.choose(f"attack target=player_{target + 1}")
    assert play.fault is None
    return list(ask(play, "trace")), ask(play, "me.hurt", target)


@pytest.mark.parametrize(
    ("mine", "theirs", "trace", "hurt"),
    [
        ("", "", [12], 2),
        ("bell", "", [1, 13], 3),  # before
        ("", "shield", [2, 3], 1),  # instead: the body is not run
        ("echo", "", [12, 12], 4),  # instead, and the original twice
        ("echo", "shield", [2, 12, 12], 4),  # the first that applies; `proceed` goes on to the next
        ("curse", "shield", [11], 1),  # its condition does not hold: as usual
        ("", "thorn", [12, 4, 52, 52], 2),  # after, in order of declaration; then those who watch, at both events
        ("crown", "", [15], 5),  # 2 + 4, but 5 at the most
        ("crown curse", "", [13], 3),  # first what takes the place of the value, then what is added
        ("curse", "", [11], 1),  # 2 - 3, but 1 at the least
    ],
)
def test_triggers_run_in_their_order(mine: str, theirs: str, trace: list[int], hurt: int) -> None:
    assert struck(mine, theirs) == (trace, hurt)


@pytest.mark.parametrize(
    ("mine", "theirs", "targets"),
    [
        ("", "", {2, 3}),
        ("", "mercy", {3}),
        ("bell", "mercy", {2, 3}),
        ("curse", "", {1, 2, 3}),
        ("curse mercy", "", {2, 3}),
    ],
)
def test_what_forbids_beats_what_allows(mine: str, theirs: str, targets: set[int]) -> None:
    play = game("bent_rules").start(3, seed=0)
    for seat, words in ((0, mine), (1, theirs)):
        give(play, f"owned[{seat}]", sum(1 << member(play, "relic", word) for word in words.split()))
    again(play)
    assert {o.words["target"] for o in play.options() if o.action == "attack"} == {f"player_{n}" for n in targets}


# ------------------------------------------------- workers, free exchanges, and artifacts that bend the rules


def table(artifact: str, players: int = 2, seed: int = 0) -> tuple[Play, int]:
    """The first turn: who is on turn holds an artifact. All monsters, lands and streets are still to come."""
    play = game("free_exchanges").start(players, seed=seed)
    while "a" in play.options()[0].words:
        play.choose(0)
    me = play.pending[0]
    wanted, holding = play.world.pieces.names.index(artifact), ask(play, "first(me.held)")
    if wanted != holding:  # they trade places
        spots, pieces = play.world.spots, play.machine.pieces
        mine, other = play.state[spots.at + holding], play.state[spots.at + wanted]
        pieces.move(play.state, wanted, spots.box)
        pieces.move(play.state, holding, other)
        pieces.move(play.state, wanted, mine)
    again(play)
    return play, me


def plot(x: int, y: int) -> str:
    return f"the(first(t in me.lands where t.x == {x} and t.y == {y}))"


def lot(x: int, y: int) -> str:
    return f"the(first(l in me.town where l.x == {x} and l.y == {y}))"


def row_of(play: Play, *heroes: str) -> None:
    """Four cards from slot 1 on; all others are in the deck."""
    pieces, v = play.machine.pieces, play.state
    deck = play.world.spots.first_place + ask(play, "heroes")
    for number, name in enumerate(play.world.pieces.names):
        if name.rsplit("_", 1)[0] in ("scout", "captain", "mason", "blade"):
            pieces.move(v, number, deck)
    where = play.world.spots.first_place + ask(play, "hero_row")
    for slot, name in enumerate(heroes, 1):
        pieces.move(v, play.world.pieces.names.index(name), where, slot)


def actions(play: Play) -> set[str]:
    return {o.action or o.text for o in play.options()}


def on_top(play: Play, piece: str, pile: str) -> None:
    play.machine.pieces.move(play.state, play.world.pieces.names.index(piece), play.world.spots.box)
    put(play, piece, pile)


def finish(play: Play, option: str) -> None:
    """An option, and the settlers that it costs, whichever come first."""
    play.choose(option)
    while play.stop.kind == "choice" and any("crew" in o.words for o in play.options()):
        play.choose(next(o for o in play.options() if "crew" in o.words))


def test_a_draft_goes_against_the_order_of_turns() -> None:
    """OP-015, OP-016."""
    for seed in range(4):
        play = game("free_exchanges").start(4, seed=seed)
        first = ask(play, "opener")
        asked = []
        while "a" in play.options()[0].words:
            asked.append(play.pending[0])
            play.choose(0)
        assert asked == [(first + k) % 4 for k in (3, 2, 1, 0)]
        assert play.pending == (first,)
        assert ask(play, "count(artifacts)") == 3


def test_exchanges_are_chained_and_cost_no_action() -> None:
    """OP-055 to OP-060: two diamonds become gold, gold becomes wood; then the turn is still to be played."""
    play, me = table("trapper")
    purse(play, "goods", me, diamond=2)
    again(play)
    assert "swap_diamonds" in actions(play)
    assert "swap_gold" not in actions(play)
    play.choose("swap_diamonds")
    assert held(play, "goods", me) == {"gold": 1}
    play.choose("swap_gold get=wood")
    assert held(play, "goods", me) == {"wood": 1}
    assert play.pending == (me,)
    assert "end the turn" not in actions(play)  # an exchange is neither an action nor an invitation
    assert "explore_territory" in actions(play)


def test_what_cannot_be_paid_may_be_payable_after_an_exchange() -> None:
    """OP-064, OP-173, OP-175: without settlers only an invitation is left, once the gold for it has been made."""
    play, me = table("trapper")
    row_of(play, "captain_1", "captain_2", "captain_3", "blade_1")
    purse(play, "people", me)
    purse(play, "goods", me, diamond=4)
    again(play)
    assert actions(play) == {"swap_diamonds", "pass for this round"}
    play.choose("swap_diamonds")
    play.choose("swap_diamonds")
    assert actions(play) == {"invite", "swap_gold", "pass for this round"}
    play.choose("invite")
    assert held(play, "goods", me) == {}
    assert ask(play, "blade_1 in me.guests", me)
    assert actions(play) == {"end the turn", "pass for this round"}


def test_a_rate_of_one_to_one_cannot_go_round_for_ever() -> None:
    """OP-065, OP-223."""
    play, me = table("scales")
    purse(play, "goods", me, clay=1)
    again(play)
    kinds = ["wood", "clay"]
    for step in range(12):
        play.choose(f"swap_one get={kinds[step % 2]}")
    assert "swap_one" not in actions(play)
    assert held(play, "goods", me) == {"clay": 1}
    other, _ = table("trapper")
    assert "swap_one" not in actions(other)


def test_exchanges_are_offered_between_the_effects_of_a_street() -> None:
    """OP-129 to OP-133: each building once, in any order."""
    play, me = table("trapper")
    put(play, "sawmill_1", lot(1, 1))
    put(play, "bank_1", lot(2, 1))
    purse(play, "goods", me, diamond=2)
    again(play)
    finish(play, "activate_street s=1")
    assert {"use sawmill", "use bank", "stop", "swap_diamonds"} <= {o.action or o.text for o in play.options()}
    play.choose("swap_diamonds")
    play.choose("use bank")
    assert ask(play, "bank_1.vault.gold") == 1
    assert held(play, "goods", me) == {}
    play.choose("use sawmill")
    assert held(play, "goods", me) == {"wood": 1}
    assert "end the turn" in actions(play)
    assert "activate_street" not in actions(play)
    assert ask(play, "sum(5 * l.building.vault.gold for l in me.town)", me) == 5


def test_a_cost_is_an_effect_that_asks_for_any_mixture_of_settlers() -> None:
    """OP-033, OP-034, OP-105: a red monster takes four."""
    play, me = table("trapper")
    put(play, "territory_1_clay_red", plot(1, 1))
    give(play, f"plot.monster[{ask(play, plot(1, 1), me)}]", member(play, "color", "red"))
    purse(play, "people", me, settler=3)
    again(play)
    assert "hunt" not in actions(play)
    purse(play, "people", me, settler=3, extra=2)
    again(play)
    play.choose("hunt")
    crews = set()
    for first in play.options():
        if "crew" in first.words:
            crews.add(first.words["crew"])
    assert crews == {"settler"}  # two extra are not enough for four, so one settler at least
    for word in ("settler", "settler", "extra", "extra"):
        if any("crew" in o.words for o in play.options()):
            play.choose(f"crew={word}")
    assert held(play, "working", me) == {"settler": 2, "extra": 2}
    assert held(play, "people", me) == {"settler": 1}
    # One diamond and two gold, and the trapper's diamond, beside one of each basic at the start.
    assert held(play, "goods", me) == {"clay": 1, "wood": 1, "stone": 1, "diamond": 2, "gold": 2}


def test_a_row_of_cards_closes_up_and_its_slots_cost_more() -> None:
    """OP-161, OP-162, OP-166, OP-167."""
    play, me = table("herald")
    row_of(play, "scout_1", "scout_2", "scout_3", "captain_1")
    purse(play, "goods", me, wood=3, diamond=1)
    again(play)
    assert [ask(play, f"price(scout_{i}).diamond") for i in (1, 2, 3)] == [2, 1, 0]
    assert {o.words["h"] for o in play.options() if o.action == "invite"} == {"scout_2", "scout_3"}
    before = held(play, "people", me).get("extra", 0)
    play.choose("h=scout_3")
    assert [ask(play, f"{name}.slot") for name in ("scout_1", "scout_2", "captain_1")] == [2, 3, 4]
    newest = ask(play, "first(hero_row)")
    assert newest not in [play.world.pieces.names.index(n) for n in ("scout_1", "scout_2", "captain_1")]
    assert play.state[play.world.spots.slot + newest] == 1
    assert held(play, "people", me)["extra"] == before + 2  # one of the card, one of the herald
    assert "invite" not in actions(play)  # one in a turn


def test_a_monster_comes_if_a_card_of_its_colour_is_in_the_row() -> None:
    """OP-095 to OP-098, OP-212: the surveyor is paid first."""
    play, me = table("surveyor")
    row_of(play, "scout_1", "scout_2", "captain_1", "captain_2")
    stack = "territory_1_stone_green"
    on_top(play, stack, "stack[1]")
    again(play)
    supply = held(play, "goods", me)["stone"]
    finish(play, f"explore_territory t={play.world.roots['plot'].names[ask(play, plot(1, 1), me)]}")
    assert held(play, "goods", me)["stone"] == supply + 1
    assert ask(play, f"{plot(1, 1)}.monster == green", me)
    play, me = table("trapper")
    row_of(play, "blade_1", "blade_2", "captain_1", "captain_2")
    on_top(play, stack, "stack[1]")
    again(play)
    finish(play, f"explore_territory t={play.world.roots['plot'].names[ask(play, plot(1, 1), me)]}")
    assert ask(play, f"not {plot(1, 1)}.monster", me)


def test_the_horn_takes_the_place_of_the_check() -> None:
    """OP-224, OP-225: its holder decides, whatever the colours; a fort keeps monsters away all the same."""
    play, me = table("horn")
    row_of(play, "blade_1", "blade_2", "captain_1", "captain_2")
    for x, piece in ((1, "territory_1_stone_green"), (2, "territory_1_wood_green")):
        put(play, piece, plot(x, 1))
    give(play, f"plot.fort[{ask(play, plot(2, 1), me)}]", 1)
    again(play)
    play.choose("activate_region r=1")
    while any("chosen" in o.words for o in play.options()):
        play.choose(next(o for o in play.options() if "chosen" in o.words))
    for _ in range(3):
        if any("crew" in o.words for o in play.options()):
            play.choose(next(o for o in play.options() if "crew" in o.words))
        elif any(o.text == "done" for o in play.options()):
            play.choose("done")
    texts = {o.text for o in play.options() if not o.action.startswith("swap")}
    assert any("let the monster appear" in text for text in texts)
    assert len(texts) == 2
    play.choose(next(o for o in play.options() if "let the monster" in o.text))
    assert ask(play, f"{plot(1, 1)}.monster == green and not {plot(2, 1)}.monster", me)
    assert "end the turn" in actions(play)  # only one was asked: the other has a fort


def test_a_second_activation_is_allowed_once() -> None:
    """OP-226, OP-228: a formula bent by an artifact."""
    for artifact, expected in (("trapper", False), ("second_harvest", True)):
        play, me = table(artifact)
        put(play, "territory_1_stone_green", plot(1, 1))
        give(play, f"region_worked[{me * 3}]", 1)
        again(play)
        assert ("activate_region" in actions(play)) == expected, artifact
    give(play, f"twice_worked[{me}]", 1)
    again(play)
    assert "activate_region" not in actions(play)


def test_a_supply_that_has_run_out_gives_what_is_left() -> None:
    """OP-048 to OP-050."""
    play, me = table("trapper")
    supply = next(f for f in play.world.layout.fields if f.name == "supply.goods")
    play.state[supply.base : supply.base + 5] = [0, 0, 3, 0, 1]
    put(play, "sawmill_1", lot(1, 1))
    put(play, "storehouse_1", lot(2, 1))
    purse(play, "goods", me, clay=1, wood=1, stone=1, gold=1)
    again(play)
    assert {o.words["get"] for o in play.options() if o.action == "swap_gold"} == {"stone"}
    assert "swap_set" not in actions(play)  # no diamond is left
    finish(play, "activate_street s=1")
    play.choose("use sawmill")
    assert held(play, "goods", me) == {"clay": 1, "wood": 1, "stone": 1, "gold": 1}
    play.choose("use storehouse")
    assert {o.words["r"] for o in play.options() if "r" in o.words} == {"stone"}


def test_equal_tiles_are_piled_at_the_end_of_a_round_only() -> None:
    """OP-076, OP-077, OP-197, OP-198: slots that have become free are filled, a pile that is left is not."""
    play, me = table("trapper", 1)
    pieces, v = play.machine.pieces, play.state
    market, pile = (play.world.spots.first_place + ask(play, name) for name in ("market", "buildings"))
    for name in play.world.pieces.names:
        if name.rsplit("_", 1)[0] in ("sawmill", "storehouse", "trading_post", "tavern", "bank"):
            pieces.move(v, play.world.pieces.names.index(name), pile)
    lying = [
        "sawmill_1",
        "bank_1",
        "sawmill_2",
        "tavern_1",
        "bank_2",
        "sawmill_3",
        "trading_post_1",
        "storehouse_1",
        "bank_3",
    ]
    for slot, name in enumerate(lying, 1):
        pieces.move(v, play.world.pieces.names.index(name), market, slot)
    purse(play, "goods", me, stone=2)
    again(play)
    assert (
        len({o.words["b"] for o in play.options() if o.action == "build_building"}) == 3
    )  # three slots with a sawmill
    play.choose("pass for this round")
    while not any(o.action == "build_building" for o in play.options()):
        if any("kept" in o.words or o.text == "done" for o in play.options()):
            play.choose("done")
        elif any("a" in o.words for o in play.options()):
            play.choose(next(o for o in play.options() if "a" in o.words))
        else:
            purse(play, "goods", me, stone=2)
            again(play)
    slots = {name: ask(play, f"{name}.slot") for name in lying}
    assert slots == {
        "sawmill_1": 1,
        "sawmill_2": 1,
        "sawmill_3": 1,
        "bank_1": 2,
        "bank_2": 2,
        "bank_3": 2,
        "tavern_1": 4,
        "trading_post_1": 7,
        "storehouse_1": 8,
    }
    assert ask(play, "count(market)") == 13  # four slots became free and were filled
    assert ask(play, "empty_slots") == 0
    purse(play, "goods", me, stone=2)
    again(play)
    options = [o for o in play.options() if o.action == "build_building" and o.words["l"].endswith("a1")]
    in_pile = [o for o in options if ask(play, f"{o.words['b']}.slot") == 1]
    assert len(in_pile) == 1  # equal tiles on one slot are one option
    finish(play, in_pile[0].notation)
    assert ask(play, "count(market)") == 12  # two are left on the slot, so nothing is drawn


def test_passing_keeps_one_basic_for_each_fort_and_changes_the_artifact() -> None:
    """OP-038, OP-179, OP-182, OP-186."""
    play, me = table("trapper")
    put(play, "territory_1_stone_green", plot(1, 1))
    give(play, f"plot.fort[{ask(play, plot(1, 1), me)}]", 1)
    purse(play, "goods", me, clay=2, wood=1, diamond=1)
    purse(play, "people", me, settler=4, extra=1)
    purse(play, "working", me, settler=2, extra=1)
    again(play)
    play.choose("pass for this round")
    assert {o.words["kept"] for o in play.options() if "kept" in o.words} == {"clay", "wood"}
    play.choose("kept=wood")
    if any(o.text == "done" for o in play.options()):
        play.choose("done")
    assert held(play, "goods", me) == {"wood": 1, "diamond": 1}
    assert held(play, "people", me) == {"settler": 6, "extra": 1}
    assert held(play, "working", me) == {}
    offered = {o.words["a"] for o in play.options() if "a" in o.words}
    assert len(offered) == 3
    assert "trapper" not in offered
    play.choose(f"a={sorted(offered)[0]}")
    assert ask(play, "trapper in artifacts")
    assert ask(play, "count(me.held)", me) == 1
    assert ask(play, "opener") == me
    assert play.pending == (1 - me,)


def test_alone_a_used_artifact_never_comes_back() -> None:
    """OP-238, OP-239: what a module puts in the place of an effect."""
    play, _me = table("trapper", 1)
    offered = ask(play, "count(artifacts)")
    play.choose("pass for this round")
    if any(o.text == "done" for o in play.options()):
        play.choose("done")
    play.choose(next(o for o in play.options() if "a" in o.words))
    spot = play.state[play.world.spots.at + play.world.pieces.names.index("trapper")]
    assert spot == play.world.spots.box
    assert ask(play, "count(artifacts)") == offered == 3


FREE = """
ruledsl: 1
game: free-actions
players: [left, right]
values:
  points: {per: player, is: 0..99}
actions:
  shout:
    anytime: turn
    do:
      - add: {me.points: 1}
  leave:
    anytime: turn
    do:
      - add: {me.points: 10}
      - end: turn
play:
  - turns: players
    until: turn_number >= 6
    do:
      - choose one:
          - label: ask the other
            do:
              - choose: {n: 1..2}
                by: opponent
              - add: {me.points: n}
          - label: wait
            do: []
scoring:
  rows: {points: me.points}
"""


def test_free_actions_belong_to_who_is_on_turn_and_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "free.yaml"
    path.write_text(FREE)
    assert [d.message for d in check(path).findings] == []
    play = ruledsl.load(path).start()
    assert {o.text for o in play.options()} == {"ask the other", "wait", "shout", "leave"}
    play.choose("shout")
    play.choose("shout")
    play.choose("leave")  # ends the turn from inside; the other has free actions all the same
    assert play.pending == (1,)
    assert {o.text for o in play.options()} == {"ask the other", "wait", "shout", "leave"}
    play.choose("ask the other")
    assert play.pending == (0,)
    assert {o.notation for o in play.options()} == {"n=1", "n=2"}  # not his turn
    play.choose("n=2")
    assert [row["points"] for row in play.scores()] == [12, 2]
    assert play.pending == (0,)
