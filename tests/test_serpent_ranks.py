"""Serpent alone, played by somebody who looks for good paths with the oracle: every rank can be reached."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import serpent_oracle as oracle
from serpent_oracle import AMULETS, PLACE, Place, Sheet
from test_serpent_oracle import Shadow, _notation

BEAM = 40  # paths that are kept after each step
STEPS = 14
WORTH = {"equipment": 1.1, "axe": 1.6, "yaga_ring": 1.5, "horse": 0.9, "cross": 0.6, "endless_ring": 0.7}


def copied(sheet: Sheet) -> Sheet:
    return replace(
        sheet,
        items=sheet.items.copy(),
        spent=sheet.spent.copy(),
        visited=sheet.visited.copy(),
        markers=sheet.markers.copy(),
        dice_used=sheet.dice_used.copy(),
    )


class Planner(Shadow):
    """Plans the best path that it finds, in so many rounds of ten; in the others it plays at random."""

    def __init__(self, seed: int, tenths: int) -> None:
        super().__init__(1, seed, {"heroes_are": "dealt"})
        self.tenths = tenths
        self.plan: list[str] = []
        self.planned = 0  # the round

    def wanted_move(self, sheet: Sheet, moves: dict[str, Any], dice: dict[int, str], season: str) -> str:
        if self.planned != self.round:
            self.planned = self.round
            careful = self.rng.randrange(10) < self.tenths
            self.plan = [*self.best_path(sheet, dice, season), "stop"] if careful else []
        return self.plan.pop(0) if self.plan else ""

    def wanted_box(self, sheet: Sheet, place: Place) -> str:
        return max(sorted(place.boxes(sheet)), key=lambda box: self.worth(after(sheet, place, box)))

    def best_path(self, start: Sheet, dice: dict[int, str], season: str) -> list[str]:
        beam: list[tuple[Sheet, list[str]]] = [(start, [])]
        best = beam[0]
        for _ in range(STEPS):
            seen: dict[object, tuple[Sheet, list[str]]] = {}
            for sheet, way in beam:
                for move in sheet.moves(dice, season):
                    new = copied(sheet)
                    new.go(*move)
                    key = (new.cell, frozenset(new.visited), frozenset(new.dice_used), new.ability_used)
                    if key not in seen or self.worth(seen[key][0]) < self.worth(new):
                        seen[key] = new, [*way, _notation(*move)]
            beam = sorted(seen.values(), key=lambda found: self.worth(found[0]), reverse=True)[:BEAM]
            best = max([best, *beam], key=lambda found: self.worth(found[0]))
        return best[1]

    def worth(self, sheet: Sheet) -> float:
        """What would be counted now, what is kept, and what a place where one has no marker may bring."""
        kept = sum(WORTH[item] * count for item, count in sheet.items.items())
        new = 4.0 if sheet.cell in PLACE and PLACE[sheet.cell] not in sheet.markers else 0.0
        return sum(oracle.rows(sheet, self.cards).values()) + kept + new + 0.05 * len(sheet.visited)


def after(old: Sheet, place: Place, box: str) -> Sheet:
    """A sheet when a marker has been put into a box."""
    sheet = copied(old)
    sheet.spend("axe", min(place.axes(box, sheet)))
    sheet.spend("equipment", place.card.spend.get(box, 0))
    if place.price(box):
        sheet.spend(next(kind for kind in ("cross", *AMULETS.values()) if sheet.items[kind]))
    for item, count in place.card.gains.get(box, Counter()).items():
        sheet.items["yaga_ring" if item == "any_amulet" else item] += count
    sheet.markers[place.name] = box
    return sheet


def rank(seed: int, tenths: int) -> str:
    return oracle.rank(Planner(seed, tenths).run()[0])


def test_who_looks_ahead_does_better() -> None:
    """The engine agrees with the oracle on every move of these long paths, and on the rank at the end."""
    assert rank(1, 0) == "bumpkin"
    assert rank(1, 10) != "bumpkin"


@pytest.mark.long
def test_every_rank_can_be_reached() -> None:
    found = Counter(rank(seed, 2 + 2 * (seed % 5)) for seed in range(60))
    assert set(found) == {oracle.rank(total) for total in (0, 31, 41, 51, 61)}, found
