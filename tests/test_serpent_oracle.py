"""Serpent beside its oracle: plays in which both say at every decision what may be chosen, and what it counts.

The oracle (serpent_oracle.py) is never told what the engine thinks: it follows the choices, and reads from the engine
only what chance brings: dice, the first player, dealt characters and the cards of the places.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import serpent_oracle as oracle
import yaml
from serpent_oracle import AMULETS, CARDS, ITEMS, Card, Cell, Place, Sheet, cell_of, name_of

import ruledsl

FOLDER = Path(__file__).parent.parent / "games" / "serpent"
MEANS = {"use_die": "die", "use_ability": "ability"} | {f"use_{item}": item for item in AMULETS.values()}


@cache
def serpent() -> ruledsl.Game:
    return ruledsl.load(FOLDER)


class Differ(AssertionError):
    """The engine and the oracle do not agree."""


class Shadow:
    """One play of the engine with the oracle beside it."""

    def __init__(self, players: int, seed: int, options: dict[str, Any] | None = None, bold: bool = False) -> None:
        options = {"heroes_are": "chosen", "learning": False} | (options or {})
        self.play = serpent().start(players=players, seed=seed, options=options)
        self.rng = random.Random(f"{players} {seed}")
        self.bold = bold  # goes on rather than to stop, so that paths become long
        self.sheets: dict[int, Sheet] = {}
        self.finished: set[int] = set()
        self.round = 0
        names = self.play.players
        self.first = names.index(self.value("first_player"))
        self.cards = {place: self._card(place) for place in oracle.RING}
        self.places = {place: Place(place, card) for place, card in self.cards.items()}
        self.rival = ""
        self.order = [(self.first + i) % players for i in range(players)]
        self.seats = players

    # ------------------------------------------------------------------------------- what is read off the engine

    def value(self, name: str) -> Any:
        return self.play.view(None)["values"][name]

    def _card(self, place: str) -> Card:
        """The card of a place, which nobody sees yet."""
        world, machine = self.play.world, self.play.machine
        info = next(found for found in world.place_infos if found.name == "lot")
        spot = machine.program.spots.first_place + info.first + oracle.RING.index(place)
        (piece,) = machine.pieces.on(self.play.state, spot)
        return CARDS[str(world.pieces.names[piece])]

    # -------------------------------------------------------------------------------------------- following

    def agree(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            if isinstance(ours, set) and isinstance(theirs, set):
                both = ours & theirs
                ours, theirs = f"only the engine: {sorted(ours - both)}", f"only the oracle: {sorted(theirs - both)}"
            raise Differ(f"{what}, round {self.round}\nthe engine: {ours}\nthe oracle: {theirs}")

    def offered(self, seat: int) -> dict[str, int]:
        return {option.notation: option.index for option in self.play.options(seat)}

    def take(self, seat: int, expected: set[str], what: str, wanted: str = "") -> str:
        """One of the options on which both agree."""
        self.agree(f"who is asked for {what}", seat in self.play.pending, True)
        offered = self.offered(seat)
        self.agree(what, set(offered), expected)
        chosen = wanted or self.rng.choice(sorted(expected))
        self.play.choose(offered[chosen], seat)
        return chosen

    def run(self) -> dict[int, int]:
        """The whole play; the totals on which both agree."""
        free = set(oracle.KITS)
        for seat in self.order:
            if self.play.configured.options["heroes_are"] == "dealt":
                hero = self._role(seat)
            else:
                hero = self.take(seat, {f"h={name}" for name in free}, "characters").removeprefix("h=")
            free.remove(hero)
            self.sheets[seat] = Sheet(hero, (-1, -1), Counter(oracle.KITS[hero]))
        if self.seats == 1:
            self.rival = self._where_the_rival_is()
        for seat in self.order:
            start = cell_of(self.take(seat, {f"c={name_of(cell)}" for cell in oracle.STARTS}, "start cells")[2:])
            self.sheets[seat].cell = start
            self.sheets[seat].visited.add(start)
        for self.round in range(1, 9):
            self.play_round()
        self.agree("the end", self.play.over, True)
        return self.count()

    def _role(self, seat: int) -> str:
        (hero,) = self.play.view(None)["places"][f"{self.play.players[seat]}_role"]
        return str(hero)

    def _where_the_rival_is(self) -> str:
        lying = self.play.view(None)["boards"]["cards"]
        return next(place for place, names in lying.items() if "rival" in names)

    def play_round(self) -> None:
        if self.round > 1:
            self.first = (self.first + 1) % self.seats
        self.order = [(self.first + i) % self.seats for i in range(self.seats)]
        self.agree("first player", self.play.players.index(self.value("first_player")), self.first)
        dice = {int(die): face for die, face in self.value("dice").items()}
        charm = self.value("charm")
        for sheet in self.sheets.values():
            sheet.new_round()
            sheet.items[charm] += 1
        self.compare()
        if self.seats == 1:
            self.move_rival(charm)
        planning = set(self.sheets)
        season = oracle.season_of(self.round)
        learning = self.play.configured.options["learning"]
        while planning:
            seat = self.order[-len(planning)] if learning else self.rng.choice(sorted(planning))
            if not self.plan_step(seat, dice, season):
                planning.remove(seat)
        for seat in self.order:
            self.act(seat)

    def move_rival(self, charm: str) -> None:
        marked = {place for place, found in self.places.items() if "rival" in found.markers}
        self.rival = oracle.rival_goes(self.rival, charm, marked)
        place = self.places[self.rival]
        place.markers["rival"] = place.rivals_box()
        self.agree("where the rival goes", self._where_the_rival_is(), self.rival)
        self.agree("the rival's box", self.value("rival_marker")[self.rival], place.markers["rival"])
        self.agree("the rival's card lies open", self.open(self.rival), True)

    def open(self, place: str) -> bool:
        return self.play.view(None)["places"][f"{place}_lot"] == [self.cards[place].name]

    def plan_step(self, seat: int, dice: dict[int, str], season: str) -> bool:
        """One step of a path, or its end; whether the path goes on."""
        sheet = self.sheets[seat]
        moves = {_notation(means, which, to): (means, which, to) for means, which, to in sheet.moves(dice, season)}
        if not moves:  # nobody is asked
            return False
        wanted = self.wanted_move(sheet, moves, dice, season)
        chosen = self.take(seat, {*moves, "stop"}, f"moves of {sheet.hero} from {name_of(sheet.cell)}", wanted)
        if chosen == "stop":
            return False
        sheet.go(*moves[chosen])
        return not sheet.stopped

    def wanted_move(self, sheet: Sheet, moves: dict[str, Any], dice: dict[int, str], season: str) -> str:
        """The move that is to be made, or `stop`; anything if it says nothing."""
        return self.rng.choice(sorted(moves)) if self.bold and self.rng.random() < 0.9 else ""

    def wanted_box(self, sheet: Sheet, place: Place) -> str:
        return ""

    def act(self, seat: int) -> None:
        """Puts a marker on the card, if the path ended at a place."""
        sheet = self.sheets[seat]
        name = oracle.PLACE.get(sheet.cell)
        if name is None or name in sheet.markers:
            return
        place = self.places[name]
        boxes = place.boxes(sheet)
        if not boxes:
            return
        offered, wanted = {f"b={box}" for box in boxes}, self.wanted_box(sheet, place)
        box = self.take(seat, offered, f"boxes of {place.card.name}", wanted and f"b={wanted}").removeprefix("b=")
        self.agree("the card lies open", self.open(name), True)
        axes = place.axes(box, sheet)
        if axes != [0]:
            sheet.spend("axe", int(self.take(seat, {f"axes={n}" for n in axes}, "Axes")[5:]))
        sheet.spend("equipment", place.card.spend.get(box, 0))
        if place.price(box):
            owned = {f"a={kind}" for kind in AMULETS.values() if sheet.items[kind]}
            sheet.spend(self.take(seat, owned, "the price").removeprefix("a="))
        place.markers[seat] = sheet.markers[name] = box
        gains = place.card.gains.get(box, Counter())
        sheet.items.update({item: count for item, count in gains.items() if item != "any_amulet"})
        for _ in range(gains["any_amulet"]):
            kind = self.take(seat, {f"a={kind}" for kind in AMULETS.values()}, "an amulet of choice")
            sheet.items[kind.removeprefix("a=")] += 1

    def compare(self) -> None:
        """All that is written on the sheets."""
        view = self.play.view(None)
        for seat, sheet in self.sheets.items():
            name = self.play.players[seat]
            for word, held in (("items", sheet.items), ("spent", sheet.spent)):
                self.agree(word, view["pools"][word][name], {item: held[item] for item in ITEMS})
            visited = set(view["values"]["visited"][name])
            self.agree("visited cells", visited, {name_of(cell) for cell in sheet.visited})
            self.agree("flown", view["values"]["flown"][name], sheet.flown)
            self.agree("jumped", view["values"]["jumped"][name], sheet.jumped)

    def count(self) -> dict[int, int]:
        """The points of everyone, row by row, and who wins."""
        self.compare()
        totals = {}
        for seat, sheet in self.sheets.items():
            found = oracle.rows(sheet, self.cards)
            totals[seat] = sum(found.values())
            self.agree("points", self.play.scores()[seat], found)
        if self.seats == 1:
            self.agree("rank", self.play.rank(0), oracle.rank(totals[0]))
        else:
            equipment = [self.sheets[seat].items["equipment"] for seat in range(self.seats)]
            best = oracle.winners([totals[seat] for seat in range(self.seats)], equipment)
            self.agree("winners", set(self.play.winners), best)
        return totals


def _notation(means: str, which: object, to: Cell) -> str:
    return f"use_die i={which} to={name_of(to)}" if means == "die" else f"use_{means} to={name_of(to)}"


# ----------------------------------------------------------------------------------------------- the plays

PLAYS = [(players, seed) for players in (1, 2, 3, 4) for seed in range(3)]


@pytest.mark.parametrize(("players", "seed"), PLAYS)
def test_the_engine_and_the_oracle_agree(players: int, seed: int) -> None:
    options = {"heroes_are": ("chosen", "dealt")[seed % 2], "learning": seed == 2}
    Shadow(players, seed, options, bold=seed == 0).run()


# ---------------------------------------------------------------------------------------------- the tables


def test_the_map_is_the_drawing() -> None:
    """The game's table of cells and the drawing in the oracle; the land under a place counts for nothing."""
    table = yaml.safe_load((FOLDER / "map.yaml").read_text(encoding="utf-8"))
    realms = {"1": "triozerye", "2": "logovino", "3": "aranets", "4": "morevye"}
    cells = {cell_of(row["id"]): row for row in table["cells"]}
    assert cells.keys() == oracle.REALM.keys()
    for cell, row in cells.items():
        assert (row["r"], row["q"] + (row["r"] - row["r"] % 2) // 2) == cell
        assert row["realm"] == realms[oracle.REALM[cell]]
        if cell not in oracle.PLACE:
            assert (row["land"], row["content"]) == (oracle.LAND[cell], oracle.CONTENT[cell]), row
    places = [(row["name"], row["type"], cell_of(row["cell"])) for row in table["places"]]
    assert places == [(name, oracle.SORT[name], oracle.CELL_OF[name]) for name in oracle.RING]


def test_the_map_has_the_counts_of_the_rules() -> None:
    """What rules.md says of the map: cells, rim, ways to jump and fly, and that all realms are alike."""
    assert (len(oracle.REALM), len(oracle.LAND), len(oracle.EDGES), len(oracle.STARTS)) == (108, 96, 43, 21)
    assert sum(len(oracle.neighbours(cell)) for cell in oracle.REALM) == 2 * 278
    assert sum(len(oracle.jumps(cell)) for cell in oracle.REALM) == 2 * 485
    flights = [way for cell in oracle.REALM for d in oracle.DIRECTIONS if (way := oracle.flight(cell, d))]
    assert (len(flights), max(map(len, flights)) - 1) == (556, 11)
    for realm in "1234":
        cells = [cell for cell in oracle.LAND if oracle.REALM[cell] == realm]
        assert Counter(oracle.LAND[cell] for cell in cells) == dict.fromkeys(oracle.SEASONS, 6)
        counts = dict.fromkeys(AMULETS.values(), 1) | {"nothing": 12, "battle": 3, "equipment": 4}
        assert Counter(oracle.CONTENT[cell] for cell in cells) == counts
        assert sorted(oracle.SORT[p] for p, c in oracle.CELL_OF.items() if oracle.REALM[c] == realm) == [
            "city",
            "outpost",
            "wild",
        ]


def test_no_card_leaves_the_rival_in_doubt() -> None:
    for card in CARDS.values():
        assert len(set(card.fame.values())) == len(card.fame)
        assert all(card.spend[box] <= card.need[box] for box in card.spend)


def test_every_number_of_a_rule_can_be_looked_up() -> None:
    """The numbers in the game, its tests and the oracle are those of rules.md, which has each once."""
    rules = re.findall(r"^- \*\*(SE-\d{3})\*\*", (FOLDER / "rules.md").read_text(encoding="utf-8"), re.M)
    assert rules == sorted(rules)
    assert rules == [f"SE-{number:03}" for number in range(1, 312)]
    files = [*FOLDER.rglob("*.yaml"), Path(oracle.__file__ or ""), Path(__file__)]
    named = {number for path in files for number in re.findall(r"SE-\d{3}", path.read_text(encoding="utf-8"))}
    assert named - {"SE-"} <= set(rules)
