"""Lists in generated C: kept where they may be, made anew where others would take their room; and shuffles."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load

import games
import ruledsl.generate
from ruledsl.engine.random import shuffled
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import Library, compiler
from ruledsl.ir import core as C
from ruledsl.types import NO_NUMBER

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
WORD = 1 << 64

LISTS = """\
ruledsl: 1
game: lists
players: [a, b]
types: {digit: 1..9}
values: {had: set of digit}
define:
  far(digit d): list(e in had where e != d by -abs(e - d), -e)
  twice(digit d): list(e in far(d) where count(far(e)) >= 2 by count(far(e)), the(far(e)[1]), -e) + far(d)
  firsts(digit d): far(d) + list(the(far(e)[1]) for e in far(d) where count(far(e)) > 0) + far(d)
  told(digit d): (firsts(d)[2] otherwise 0) + (twice(d)[1] otherwise 0) + count(twice(d)) + count(firsts(d))
play:
  - turns: players
    do:
      - choose: {n: digit}
        where: n not in had and told(n) % 5 != 4
        else: {tie: players}
      - add: {had: n}
      - if: told(n) > 60 or far(n)[3] == twice(n)[2]
        then: {win: me}
"""


PILES = """\
ruledsl: 1
game: piles
players: [a, b]
types: {suit: [red, blue]}
pieces:
  card: {each: {rank: 1..5, suit: suit}, start: deck}
places:
  deck: {holds: card, order: pile}
  row: {holds: card, order: pile}
define:
  sorted: list(c in deck where c.rank > 1 by c.rank, c.suit)
  pairs: list(c.rank + d.rank for c in deck for d in row where c.suit == d.suit by c.rank, -d.rank)
play:
  - shuffle: deck
  - rounds: 3
    do:
      - let: {lowest: sorted}
      - for: {low: lowest}
        do:
          - if: count(row) < 4
            then:
              - move: low
                to: row
      - random: {c: deck}
        weights: c.rank
      - move: c
        to: row
      - random: {lost: row where any(d in row where d.rank > lost.rank) or count(row) == 1}
      - move: lost
        to: deck
      - for: {n: pairs}
        do: {if: n == 4, then: {shuffle: deck}}
      - choose: {cs: 2 of deck}
        by: first(players)
      - move: cs
        to: row
"""


@pytest.mark.parametrize("game", [LISTS, PILES], ids=["lists", "piles"])
def test_lists_within_lists_stay_what_they_are(game: str, tmp_path: Path) -> None:
    path = tmp_path / "lists.yaml"
    path.write_text(game)
    variant = Variant(path, load(path).players[0], {})
    configured = variant.configured()
    pair = Compiled(variant, Library(configured.machine.program, configured.rules, QUICK))
    for seed in range(40):
        pair.steps(seed)
        pair.run(5, seed)
    pair.close()


def body(text: str, name: str) -> str:
    """The lines of a function of generated C."""
    start = text.index(f"_{name}(Context *x, State *s, set1 t")
    start = text.index(f"_{name}(Context *x, State *s, set1 t", start + 1)  # the first is its prototype
    return text[start : text.index("\n}\n", start)]


def test_a_list_asked_twice_of_the_same_is_made_once() -> None:
    writer = CProgram(load(games.ROOT / "examples/holdem.yaml").configured().machine.program)
    text = writer.write()
    assert body(text, "value").count("_ranks(") == 1
    assert "for (" not in body(text, "n")  # how many cards of a rank: it is known which ranks there are


def test_what_is_demanded_is_as_small_as_what_there_is() -> None:
    kinds = CProgram(load(games.ROOT / "examples/holdem.yaml").configured().machine.program).kinds
    (best,) = [formula for formula in kinds.formulas if formula.name == "best"]
    assert [kinds.slot(slot).top for slot in best.slots] == [52, 15, 15]
    assert all(kinds.slot(slot).low >= 0 for slot in best.slots)
    item = C.Op("item", (C.Const((3, 4)), C.Const(1), C.Const(-7)))
    assert kinds.of(item).low == -7
    assert kinds.of(C.Demand(item, -7, "")).low >= 0
    assert kinds.of(C.Demand(item, NO_NUMBER, "")).low == -7
    assert kinds.of(C.Otherwise(item, -7, C.Const(9))).top == 10


# -------------------------------------------------------------------------------------------------------- shuffles

SHUFFLED = """
void shuffled(u64 *stream, num n, int32_t *items) {
    Context *x = calloc(1, sizeof *x);
    x->arena = malloc(sizeof(int32_t) * ROOM);
    list order = list_new(x, n);
    for (num i = 0; i < n; i++) ITEMS(order)[i] = (int32_t)i;
    shuffle(x, stream, order);
    memcpy(items, order.p, sizeof(int32_t) * (size_t)n);
    free(x->arena);
    free(x);
}
"""


def before(mixed: int) -> int:
    """The number that the last step of a stream mixes to this one: each step of `mixed` taken back."""

    def unfolded(x: int, by: int) -> int:
        found = x
        for _ in range(64 // by + 1):
            found = x ^ found >> by
        return found

    x = unfolded(mixed, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    x = unfolded(x, 27) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    return unfolded(x, 30)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("shuffled")
    support = (Path(ruledsl.generate.__file__).parent / "support.c").read_text()
    (folder / "shuffled.c").write_text(support + SHUFFLED)
    made = folder / "shuffled.so"
    found = compiler()
    assert found is not None
    subprocess.run([*found, *QUICK, "-o", str(made), str(folder / "shuffled.c")], check=True)
    return ctypes.CDLL(str(made))


@pytest.mark.parametrize("refused", [None, 1, 4, 51])
@pytest.mark.parametrize("n", [0, 1, 2, 52, 300])
def test_shuffles_come_out_as_those_of_the_interpreter(n: int, refused: int | None, library: ctypes.CDLL) -> None:
    """Also where one of the draws is refused, of which there is one in a hundred million."""
    step = 0x9E3779B97F4A7C15
    stream = 12345 if refused is None else (before(7) - refused * step) % WORD  # whose upper half is 0
    v = [stream]
    items = (ctypes.c_int32 * max(n, 1))()
    moved = ctypes.c_uint64(stream)
    library.shuffled(ctypes.byref(moved), ctypes.c_int64(n), items)
    assert list(items)[:n] == shuffled(v, 0, list(range(n)))
    assert moved.value == v[0]
    if refused is not None and refused < n and (n - refused + 1) & (n - refused):
        assert v[0] == (stream + n * step) % WORD, "one draw more than there are cards to change places"
