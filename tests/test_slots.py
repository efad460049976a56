"""Rows of numbered slots: where pieces go, and what becomes of the others, on every executor."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Literal

import pytest
from agreement import QUICK, Compiled, Variant

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler

SLOTS = 5
WAYS = {"plain": "", "to first": ", close: to first", "to last": ", close: to last", "shared": ", each: any"}
GAME = """
ruledsl: 1
game: slots
players: 1
pieces:
  card: {each: {number: 1..8}, start: deck}
places:
  deck: {holds: card}
  track: {holds: card, slots: 5%s}
play:
  - turns: players
    until: turn_number > 25
    do:
      - choose one:
          - choose: {c: card}
            label: "{c} anywhere"
            do:
              - move: c
                to: track
          - choose: {c: card, n: 1..6}
            label: "{c} on {n}"
            do:
              - move: c
                to: track
                at: n
          - choose: {c: track}
            label: "{c} away"
            do:
              - move: c
                to: deck
scoring:
  rows:
    sum: sum(c.number * c.slot for c in track)
"""


class Fault(Exception):
    pass


class Row:
    """What the manual says of slots, in as plain a way as can be: a list of cards for each slot."""

    def __init__(self, way: str) -> None:
        self.way, self.slots = way, [list[int]() for _ in range(SLOTS)]

    def take(self, card: int) -> None:
        for at, lying in enumerate(self.slots):
            if card in lying:
                lying.remove(card)
                if self.way.startswith("to "):
                    self.slots.insert(SLOTS if self.way == "to first" else 0, self.slots.pop(at))
                return

    def put(self, card: int, at: int | None) -> None:
        there = any(card in lying for lying in self.slots)
        if there and at is None:
            return  # to where it is already: nothing
        if not there and self.way != "shared" and all(self.slots):
            raise Fault(f"card_{card} cannot go where there is no room left")
        self.take(card)
        if at is None:
            free = [i for i, lying in enumerate(self.slots) if not lying]
            if not free:
                raise Fault("track has no free slot")
            self.slots[free[-1 if self.way == "to last" else 0]].append(card)
            return
        if at > SLOTS:
            raise Fault(f"track has no slot {at}")
        if self.slots[at - 1] and self.way != "shared":
            beyond = range(at, SLOTS) if self.way == "to first" else range(at - 2, -1, -1)
            gap = next((i for i in beyond if not self.slots[i]), None) if self.way.startswith("to ") else None
            if gap is None:
                raise Fault(f"slot {at} of track is taken")
            self.slots.insert(at - 1, self.slots.pop(gap))
        self.slots[at - 1].append(card)


def told(play: Any) -> list[list[int]]:
    world, v = play.world, play.state
    found = [list[int]() for _ in range(SLOTS)]
    line = world.spots.first_place + world.places.names.index("track")
    for card in play.machine.pieces.on(v, line):
        found[v[world.spots.slot + card] - 1].append(card + 1)
    return [sorted(lying) for lying in found]


@pytest.mark.parametrize("backend", ["interpreter", "python"])
@pytest.mark.parametrize("way", WAYS)
def test_a_row_does_what_the_manual_says(way: str, backend: Literal["interpreter", "python"], tmp_path: Path) -> None:
    path = tmp_path / "slots.yaml"
    path.write_text(GAME % WAYS[way], encoding="utf-8")
    game = ruledsl.load(path, backend=backend)
    faults = set()
    for seed in range(60):
        play, row, rng = game.start(seed=seed), Row(way), random.Random(seed)
        while not play.over:
            option = rng.choice(play.options())
            word, *rest = option.text.split()
            card = int(word.rsplit("_", 1)[-1])
            expected = ""
            try:
                if rest == ["away"]:
                    row.take(card)
                else:
                    row.put(card, int(rest[-1]) if rest[0] == "on" else None)
            except Fault as fault:
                expected = str(fault)
            play.choose(option)
            if expected:
                assert play.fault is not None
                assert play.fault.message == expected
                assert play.fault.span is not None
                assert play.fault.span.line in (18, 23)
                faults.add(expected.split()[0])
                break
            assert play.fault is None, f"{option.text}: {play.fault}"
            assert told(play) == [sorted(lying) for lying in row.slots], option.text
    assert "track" in faults, "no slot that is not there was asked for"
    assert ("slot" in faults) == (way != "shared")


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("way", WAYS)
def test_compiled_rows_do_the_same(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEDSL_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "slots.yaml"
    path.write_text(GAME % WAYS[way], encoding="utf-8")
    variant = Variant(path, 1, {})
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in range(40):
        pair.steps(seed)
        pair.run(9, seed)
    pair.close()


@pytest.mark.parametrize(("old", "new"), [("up", "to first"), ("down", "to last")])
def test_words_that_were_misread_are_told_what_to_write(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "slots.yaml"
    path.write_text(GAME % f", close: {old}", encoding="utf-8")
    (found,) = pipeline.check(path).findings
    assert (found.code, found.help, found.suggestions) == ("S105", f"write `close: {new}`", (new,))
