"""`possible`: what could be reached through choices, against brute force; and the executors against each other."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant
from test_generated import Pair

import ruledsl
from ruledsl.compiler import pipeline
from ruledsl.generate.native import Library, compiler

# A number is changed by buttons, each as often as it works; players by turns press another one in between.
BUTTONS = """\
ruledsl: 1
game: buttons
players: 2
types:
  key: [three, half, back, twice]
values:
  shown: 0..40
  wanted: 0..40
  pressed: set of key
  can: bool
effects:
  press:
    - set: {pressed: []}
    - choose one:
        - choose:
            k: key where k not in pressed and works(k)
          label: "{k}"
          do:
            - add: {pressed: k}
            - set:
                shown: shows(k)
      any_number: true
    - for: {me: players}
      do:
        - choose: {n: 0..1}
          label: add {n}
        - set:
            shown: min(40, shown + n)
define:
  shows(key k):
    if k == three then shown + 3 else if k == half then shown / 2 else if k == back then shown - 5 else shown * 2
  works(key k): shows(k) >= 0 and shows(k) <= 40
play:
  - rounds: 60
    do:
      - for: {me: players}
        do:
          - random: {a: 0..40}
          - random: {b: 0..40}
          - set:
              shown: a
              wanted: b
          - set:
              can: possible(press(), shown == wanted)
          - choose one:
              - label: press
                when: can and possible(press(), shown == wanted and count(pressed) <= 2)
                do: press()
              - label: leave
                do: []
"""

DUEL = """\
ruledsl: 1
game: duel
players: 2..3
types:
  color: [red, green, blue]
pieces:
  spell:
    attributes: {power: 1..4, shift: maybe color}
    rows:
      - {name: flame, copies: 3, power: 1}
      - {name: bolt, copies: 2, power: 2}
      - {name: dye, copies: 3, power: 1, shift: blue}
  beast:
    attributes: {price: price of color}
    rows:
      - {name: wolf, copies: 2, price: {red: 2, any: 1}}
      - {name: bear, copies: 2, price: {green: 3}}
      - {name: wyrm, price: {blue: 4, red: 1}}
places:
  book: {per: player, holds: spell}
  pile: {holds: spell, order: pile, seen: none, start: spell}
  wild: {holds: beast, start: beast}
  trophies: {per: player, holds: beast}
pools:
  mana: {of: color, total: 20, at: {player: mana}, start: {mana: {red: 1, green: 1, blue: 1}}}
values:
  price: {is: price of color, start: []}
  off: 0..9
effects:
  prepare(beast b):
    - set: {price: b.price, off: 0}
    - choose one: casting
      any_number: true
    - for: {me: players except turn_player}
      do:
        - choose one:
            - choose: {s: me.book where s.power > 1}
              label: help with {s}
              do:
                - remove: s
                - add: {off: s.power}
          optional: true
actions:
  cast:
    menu: casting
    choose: {s: me.book}
    label: cast {s}
    do:
      - remove: s
      - if: s.shift
        then:
          - choose:
              c: color where price[c] > 0
            label: dye {c}
            else: []
          - let:
              n: price[c]
          - subtract:
              price: amount(c, n)
          - add:
              price: amount(the(s.shift), n)
        else: {add: {off: s.power}}
  hunt:
    menu: deed
    choose:
      b: wild where possible(prepare(b), payable(price, less=off, least=1))
    label: hunt {b}
    do:
      - prepare(b)
      - if: payable(price, less=off, least=1)
        then:
          - pay: price
            less: off
            least: 1
          - move: b
            to: me.trophies
setup: {shuffle: pile}
play:
  - turns: players
    until: turn_number > 30
    do:
      - choose one:
          - menu: deed
          - label: study
            do:
              - draw: 1
                from: pile
                to: me.book
          - label: gather
            do: {gain: {any: 1}}
scoring:
  rows: {beasts: count(me.trophies)}
"""


def pressed(shown: int) -> set[tuple[int, int]]:
    """All that may be shown after pressing buttons, each with how many were pressed."""
    found: set[tuple[int, int]] = set()

    def press(now: int, left: tuple[str, ...], count: int) -> None:
        found.update((min(40, now + more), count) for more in (0, 1, 2))
        for key in left:
            then = {"three": now + 3, "half": now // 2, "back": now - 5, "twice": now * 2}[key]
            if 0 <= then <= 40:
                press(then, tuple(one for one in left if one != key), count + 1)

    press(shown, ("three", "half", "back", "twice"), 0)
    return found


@pytest.fixture
def games(tmp_path: Path) -> dict[str, Path]:
    paths = {name: tmp_path / f"{name}.yaml" for name in ("buttons", "duel")}
    for name, text in (("buttons", BUTTONS), ("duel", DUEL)):
        paths[name].write_text(text, encoding="utf-8")
    return paths


def test_what_is_possible_is_what_brute_force_finds(games: dict[str, Path]) -> None:
    found = {True: 0, False: 0}
    for seed in range(6):
        play, rng = ruledsl.load(games["buttons"]).start(players=2, seed=seed), random.Random(seed)
        while not play.over:
            texts = [option.text for option in play.options(play.pending[0])]
            if "leave" in texts:
                values = play.view(0)["values"]
                ways = pressed(values["shown"])
                assert values["can"] == any(shown == values["wanted"] for shown, _ in ways)
                near = any(shown == values["wanted"] and count <= 2 for shown, count in ways)
                assert ("press" in texts) == near
                found[near] += 1
            play.choose(rng.randrange(len(texts)))
        assert play.fault is None
    assert min(found.values()) > 50, found


@pytest.mark.parametrize("name", ["buttons", "duel"])
def test_executors_look_ahead_alike(name: str, games: dict[str, Path]) -> None:
    assert [d.message for d in pipeline.check(games[name]).findings] == []
    variant = Variant(games[name], 2, {})
    pair = Pair(variant)
    for seed in range(2):
        pair.steps(seed, 120)
    if compiler() is not None:
        configured = variant.configured()
        both = Compiled(variant, Library(configured.machine.program, configured.rules, flags=QUICK))
        for seed in range(3):
            both.steps(seed, 120)
            both.run(3, seed, 120)
        both.close()


def test_what_is_offered_because_it_is_possible_can_be_done(games: dict[str, Path]) -> None:
    """Whoever may hunt finds answers that make it payable: all are tried here, on saved plays."""
    hunted = 0
    for seed in range(8):
        play, rng = ruledsl.load(games["duel"]).start(players=2, seed=seed), random.Random(seed)
        while not play.over and hunted < 12:
            texts = [option.text for option in play.options(play.pending[0])]
            for text in {text for text in texts if text.startswith("hunt")}:
                assert _pays(play, texts.index(text), seed), (seed, text)
                hunted += 1
            play.choose(rng.randrange(len(texts)))
    assert hunted >= 6


def _pays(play: object, option: int, seed: int) -> bool:
    """Whether some answers behind an option lead to a trophy."""
    before = len(_trophies(play))
    rng = random.Random(seed)
    for _ in range(400):
        copy = play.copy()  # type: ignore[attr-defined]
        copy.choose(option)
        while not copy.over and len(_trophies(copy)) == before:
            texts = [one.text for one in copy.options(copy.pending[0])]
            if "gather" in texts:
                break
            copy.choose(rng.randrange(len(texts)))
        if len(_trophies(copy)) > before:
            return True
    return False


def _trophies(play: object) -> list[str]:
    places = play.view(None)["places"]  # type: ignore[attr-defined]
    return [card for name in places if name.endswith("trophies") for card in places[name]]


def test_too_many_positions_are_a_fault_of_that_line(games: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "few.yaml"
    text = BUTTONS.replace("can: possible(press(), shown == wanted)", "can: possible(press(), shown * 2 == 77, most=9)")
    path.write_text(text, encoding="utf-8")
    for backend in ("interpreter", "python"):
        play = ruledsl.load(path, backend=backend).start(players=2, seed=1)
        assert play.fault is not None
        assert "looked at 9 positions" in str(play.fault)


WRONG = {
    "can: possible(press(), shown == wanted)": "",
    "can: possible(press, shown == wanted)": "write `possible(effect(…), condition)`",
    "can: could(press(), shown == wanted)": "if the effect asks players, `possible(",
    "can: possible(pres(), shown == wanted)": "did you mean `press`?",
    "can: would(press(), shown == wanted)": "`possible(…)` goes through what is asked",
    "can: possible(roll(), shown == wanted)": "`roll` rolls or shuffles",
    "can: possible(press(), shown == wanted, most=a)": "is a number from 1",
}


@pytest.mark.parametrize(("written", "answer"), WRONG.items(), ids=WRONG)
def test_what_one_might_write_first_is_answered(written: str, answer: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    text = BUTTONS.replace("can: possible(press(), shown == wanted)", written)
    path.write_text(
        text.replace("define:", "  roll:\n    - random: {n: 0..5}\n    - set: {shown: n}\ndefine:"), "utf-8"
    )
    found = [f"{d.message}; {d.help}" for d in pipeline.check(path).findings if d.severity == "error"]
    assert any(answer in one for one in found) if answer else found == [], found


def test_ways_end_where_positions_come_again(games: dict[str, Path], tmp_path: Path) -> None:
    """A menu with any number of rounds has no end of ways, and few positions."""
    path = tmp_path / "round.yaml"
    text = BUTTONS.replace("k not in pressed and works(k)", "works(k)")
    path.write_text(text, encoding="utf-8")
    play = ruledsl.load(path).start(players=2, seed=3)
    assert play.fault is None
    assert all(a != b for a, b in pairwise(play.lines()))
