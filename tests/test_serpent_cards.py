"""Serpent: every place card, every box on it and every character is used in plays at random."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from games import ROOT, load
from ruledsl.types import Elem, Root, Type


def root_of(kind: Type) -> Root:
    assert isinstance(kind, Elem)
    return kind.root


def used(plays: int) -> tuple[Counter[tuple[str, str]], set[str], set[str]]:
    """How often a marker lay in each box of each card at the end; all boxes that there are; who was played."""
    game = load(ROOT / "games" / "serpent" / "game.yaml")
    found, boxes, heroes = Counter[tuple[str, str]](), set[str](), set[str]()
    for seed in range(plays):
        rng = random.Random(seed)
        play = game.start(2 + seed % 3, seed=seed, options={"heroes_are": "dealt"})
        while not play.over:
            seat = play.pending[0]
            play.choose(rng.randrange(len(play.options(seat))), seat)
            play.undo_points.clear()
        world = play.world
        marker = next(value for value in world.values if value.name == "marker")
        spot, box = root_of(marker.keys[1]), root_of(marker.type)
        boxes |= set(box.names)
        for at, value in enumerate(play.state[marker.base : marker.base + len(play.players) * spot.size]):
            if value >= 0:
                found[card_at(play, at % spot.size), str(box.names[value])] += 1
        heroes |= set(heroes_of(play))
    return found, boxes, heroes


def heroes_of(play: Any) -> list[str]:
    """The characters that players have."""
    roles = {f"{player}_role" for player in play.players}
    held = [names for place, names in play.view(None)["places"].items() if place in roles]
    return [str(name) for names in held for name in names]


def card_at(play: Any, spot: int) -> str:
    """The card that lies at a place of the map."""
    world = play.world
    place = world.spots.first_place + next(
        i for i, name in enumerate(world.places.names) if name == f"{world.roots['spot'].names[spot]}_lot"
    )
    (piece,) = play.machine.pieces.on(play.state, place)
    return str(world.pieces.names[piece])


def test_every_card_and_every_character_is_used() -> None:
    found, boxes, heroes = used(60)
    cards = {card for card, _ in found}
    assert [sum(name.startswith(sort) for name in cards) for sort in ("city", "outpost", "wild")] == [18, 18, 18]
    assert {box for _, box in found} == boxes
    assert len(heroes) == 8
