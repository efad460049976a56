"""Sets that conditions stand for, in small games where much is missing: none, an edge, a board of another size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from agreement import Variant, load
from test_passes import HEAD, MEN, PLAYS, PYTHON, SEEN, C, agrees, stones, written

from ruledsl.generate.kept import _steps_away
from ruledsl.generate.passes import NONE_OFF, named

BESIDE_SEEN = '"left(point p)": "set({} for d in directions where seen(p, d).stone.owner == me)"'
FEW_LEFT = "count(p in {} where any(left(p))) == 9"


def boards(asked: str, twin: int = 71) -> str:
    """Each space of a small board knows one of a large one, where stones are placed until a condition holds."""
    return (
        HEAD
        + f"""\
boards:
  small: {{ring: 20, space: spot, attributes: {{twin: cell}}, from: twins.csv}}
  large: {{track: 100, space: cell}}
pieces: {{stone: {{per: player, count: 50}}}}
values: {{hot: {{is: set of cell}}}}
play:
  - turns: players
    do:
      - choose: {{c: large where empty(c)}}
        else: {{tie: players}}
      - move: stone
        to: c
      - add: {{hot: c}}
      - if: "{asked}"
        then: {{win: me}}
# twins: {twin}
"""
    )


BEYOND = (
    MEN.replace("width: 4, height: 4", "width: 8, height: 8")
    .replace("MOVES", "set(t in neighbors(m.square) where empty(t) and would(go(m, t), alone))")
    .replace("MAY", "to.x < 9")
    .replace(
        "play:",
        """  alone: no(q in square where q.man.owner == me and step(q, s, 99).man.owner == me)
effects:
  go(man m, square to):
    - remove: step(to, w).man
    - move: m
      to: to
play:""",
    )
)
FAILING = (
    HEAD
    + """\
board: {grid: {width: 4, height: 2}, space: cell}
pieces: {man: {per: player, count: 3, start: bowl}}
places: {bowl: {per: player, holds: man}}
history:
  situation: {of: board, keep: 200}
define:
  left: the(first(q in board where q.man.owner == me)).x < 4
effects:
  go(man m, cell to):
    - if: to.x == 4
      then: {remove: m}
      else: {move: m, to: to}
play:
  - turns: players
    do:
      - choose one:
          - choose: {m: me.bowl, c: board where empty(c)}
            do:
              - move: m
                to: c
          - choose: {m: me.man where m.cell, to: "set(t in neighbors(m.cell) where empty(t) and would(go(m, t), left))"}
            do: go(m, to)
        else: {tie: players}
      - record: situation
"""
)
GAMES = {
    "a step from what is seen leads beyond the border": stones(
        FEW_LEFT.format("board"), define=f"{SEEN}, {BESIDE_SEEN.format('step(p, w)')}"
    ),
    "a step from what is seen must be there": stones(
        FEW_LEFT.format("board"), define=f"{SEEN}, {BESIDE_SEEN.format('the(step(p, d))')}"
    ),
    "what is seen lies higher than what is asked": stones(
        FEW_LEFT.format("set(q in board where q.y <= 6)"),
        define=f"{SEEN}, {BESIDE_SEEN.format('step(p, d)')}",
        size=10,
    ),
    "a step leads higher than what is asked": stones(
        "count(p in set(q in board where q.y < 4) where empty(step(p, n, 5)) and step(p, n).stone.owner != me) < 5",
        size=9,
    ),
    "a far step": stones("any(p in board where empty(p) and not empty(step(p, n, 2000000000)))"),
    "a board knows spaces of a larger one": boards("count(s in small where empty(s.twin)) < 12"),
    "some of a larger board are in a set": boards("count(s in small where s.twin in hot) > 7"),
    "some of a larger board are others'": boards(
        "count(s in small where not empty(s.twin) and s.twin.stone.owner != me) > 4", twin=40
    ),
    "none is no member of a set of steps": stones("step(c, n, 2) in set(step(s.point, n) for s in me.stone)"),
    "none is no member of a set that a formula makes": stones(
        "step(c, n, 2) in above(me)",
        define='"above(player p)": "set(step(s.point, n) for s in p.stone)"',
    ),
    "nothing lies beyond the border, looked ahead": BEYOND,
    "after a fault in a trial": FAILING,
    "a board of one space": stones(
        "any(p in board where any(left(p))) or no(p in board where not step(p, n))",
        define=f"{SEEN}, {BESIDE_SEEN.format('step(p, d)')}",
        size=1,
    ),
}


@pytest.fixture
def variant(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Variant]:
    rules = request.getfixturevalue("rules")
    path = tmp_path / "small.yaml"
    path.write_text(rules, encoding="utf-8")
    twins = re.search(r"# twins: (\d+)", rules)
    if twins:
        rows = (f"s{i},{i + int(twins[1])}" for i in range(20))
        (tmp_path / "twins.csv").write_text("\n".join(["name,twin", *rows, ""]), encoding="utf-8")
    yield Variant(path, 2, {})
    load.cache_clear()


@pytest.mark.parametrize("language", [C, PYTHON, PLAYS])
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_sets_of_conditions_are_those_of_the_interpreter(variant: Variant, language: str, rules: str) -> None:
    agrees(variant, language, NONE_OFF, 3, 150)


@pytest.mark.parametrize("rules", [GAMES["a step from what is seen leads beyond the border"]], ids=["seen"])
def test_none_among_what_is_seen_is_still_found_at_once(variant: Variant, rules: str) -> None:
    off = frozenset([named("seen-at-once")])
    assert written(variant, C, NONE_OFF) != written(variant, C, off)


@pytest.mark.parametrize("times", [0, 1, 2, 3, 7, 10, 23])
def test_many_steps_at_once_lead_where_single_ones_do(times: int) -> None:
    """Along a ring, off a track, into a ring from a tail."""
    for along in [(1, 2, 3, 4, 0), (1, 2, 3, 4, -1), (1, 2, 3, 4, 2), (0,), (-1,)]:
        found = list(range(len(along)))
        for _ in range(times):
            found = [along[space] if space >= 0 else -1 for space in found]
        assert list(_steps_away(along, times)) == found
    assert list(_steps_away((1, 2, 0), 3 * 10**17)) == [0, 1, 2]
