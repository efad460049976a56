"""Every pass of the generators shows in what they write, can be switched off, and changes no result."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from agreement import QUICK, Compiled, Variant, load, variants
from test_generated import Pair
from test_generated_python import agree

import games
from ruledsl.generate.c_perft import PerftProgram
from ruledsl.generate.c_program import CProgram, to_c
from ruledsl.generate.native import Library, compiler, place
from ruledsl.generate.passes import NONE_OFF, AnyPass, Off, Pass, named, passes, rewrites
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.generate.python_plays import PlaysProgram
from ruledsl.generate.python_program import to_python
from ruledsl.generate.rewriting import rewritten
from ruledsl.runtime.perft import Perft
from ruledsl.simulation.native_perft import CompiledPerft

ALL_OFF: Off = frozenset(passes())
C, PYTHON, PLAYS, PERFT = "c", "python", "plays", "perft"
HEAD = "ruledsl: 1\ngame: small\nplayers: [a, b]\n"


def stones(
    test: str = "line(c, 3, of=me)",
    options: str = "board where empty(c)",
    define: str = "",
    state: str = "",
    size: int = 5,
) -> str:
    """Stones are placed on a board until a condition on the last space holds."""
    return (
        HEAD
        + f"""\
board: {{grid: {{width: {size}, height: {size}}}, space: point}}
pieces: {{stone: {{per: player, count: {(size * size + 1) // 2}{state}}}}}
{f"define: {{{define}}}" if define else ""}
play:
  - turns: players
    do:
      - choose: {{c: "{options}"}}
        else: {{tie: players}}
      - move: stone
        to: c
      - if: "{test}"
        then: {{win: me}}
"""
    )


HEDGES = (
    HEAD
    + """\
boards:
  garden: {grid: {width: 4, height: 4, neighbors: orthogonal}, space: bed}
  rims: {edges_of: garden, space: rim, state: {hedge: bool}}
define:
  way_left(rim r): joined(a1, d4, step=not edge.hedge and edge != r)
play:
  - turns: players
    do:
      - choose: {r: rims where not r.hedge and way_left(r)}
        else: {win: me}
      - set: {r.hedge: true}
"""
)


def positions(size: int = 3, captures: bool = False) -> str:
    """Stones from a bowl; none may be without a free neighbour, and no position comes back."""
    choked = "set(q in neighbors(p) where q.stone.owner == opponent and no(free(q)))"
    taken = f"""
    - move: set(r.stone for q in {choked} for r in chain(q))
      to: opponent.bowl"""
    return (
        HEAD
        + f"""\
board: {{grid: {{width: {size}, height: {size}}}, space: point}}
pieces: {{stone: {{per: player, count: {size * size}, start: bowl}}}}
places: {{bowl: {{per: player, holds: stone}}}}
history:
  situation: {{of: board, keep: 90}}
define:
  chain(point p): reachable(p, q in point where q.stone.owner == p.stone.owner)
  free(point p): set(q in neighbors(chain(p)) where empty(q))
effects:
  put(point p):
    - move: first(me.bowl)
      to: p{taken if captures else ""}
play:
  - turns: players
    do:
      - record: situation
      - choose: {{p: point where empty(p)}}
        where: would(put(p), any(free(p)) and repeats(situation) == 0)
        else: {{tie: players}}
      - put(p)
"""
    )


NEAR = "near(point p): set(x in neighbors(p) where x.stone.owner == me)"
OWN = "own(player p): set(x in board where x.stone.owner == p)"
MINE = "mine: set(s.point for s in me.stone where s.point)"
SIDES = "joined(set(p in board where p.x == 1), set(p in board where p.x == 5), p in board where p.stone.owner == me)"
MANY = "count(d in board where not empty(d) and d.stone.owner == me) > 5"
GOAL = "goal: first(p in point where p.x == (if me == a then 1 else 5) and p.y == 3)"
PAIRS = "d.stone.owner == me and e.stone.owner == me and e.y > d.y + 2 and e.x == d.x"
COLUMNS = "columns(player p): count(q in point where q.stone.owner == p and {})".format(
    "any(r in point where r.stone.owner == p and r.x == q.x and r.y > q.y)"
)
SEEN = '"seen(point p, direction d)": "first(t in ray(p, d) where t.stone.owner != opponent)"'
ENCLOSED = (
    "board where empty(c) and no(d in directions where any(between(c, seen(c, d))) and seen(c, d).stone.owner == me)"
)
JUMPS = (
    HEAD
    + """\
board: {grid: {width: 4, height: 4}, space: square}
pieces:
  man: {per: player, start: {a: this.y <= 1, b: this.y > 3}}
define:
  ways: if me == a then [nw, n, ne] else [sw, s, se]
  jumps(man m):
    set(step(m.square, d, 2) for d in diagonal
        where step(m.square, d).man.owner == opponent and empty(step(m.square, d, 2)))
play:
  - turns: players
    do:
      - choose one:
          - choose: {m: me.man, to: jumps(m)}
            do:
              - remove: first(between(m.square, to)).man
              - move: m
                to: to
          - choose: {m: me.man, to: "set(step(m.square, d) for d in ways)"}
            where: empty(to)
            do:
              - move: m
                to: to
        else: {lose: me}
"""
)
MEN = (
    HEAD
    + """\
board: {grid: {width: 4, height: 4}, space: square}
pieces:
  man: {per: player, start: {a: this.y <= 1, b: this.y > 3}}
define:
  ways: if me == a then [nw, n, ne] else [sw, s, se]
  beside(man m): MOVES
play:
  - turns: players
    do:
      - choose:
          m: me.man
          to: beside(m)
        where: MAY
        else: {lose: me}
      - remove: to.man
      - move: m
        to: to
"""
)
AHEAD = MEN.replace("MOVES", "set(step(m.square, d) for d in ways)").replace(
    "MAY", "empty(to) or to.x != m.square.x and to.man.owner != me"
)
BESIDE = MEN.replace("MOVES", "set(t in neighbors(m.square) where empty(t) or t.man.owner == opponent)").replace(
    "MAY", "to.x + to.y != 5"
)
OVER = MEN.replace("MOVES", "set(step(m.square, d, 2) for d in ways where not empty(step(m.square, d)))").replace(
    "MAY", "to.man.owner != me"
)
WATCH = (
    HEAD
    + """\
board: {grid: {width: 4, height: 4}, space: square}
pieces:
  man: {per: player, start: {a: this.y <= 1, b: this.y > 3}}
define:
  sees(man m): set(t for d in orthogonal for t in slide(m.square, d, 2))
  seen(square s): any(f in opponent.man where s in sees(f))
  watched: any(t in slide(first(q in square where q.y == 2), e, 3) where t.man)
history:
  situation: {of: board, keep: 90}
effects:
  go(man m, square to):
    - move: m
      to: to
play:
  - turns: players
    do:
      - choose: {m: me.man, to: "set(t in neighbors(m.square) where empty(t) and would(go(m, t), not watched))"}
        where: not seen(to) or to.x == 1
        else: {tie: players}
      - go(m, to)
      - record: situation
      - if: repeats(situation) > 1
        then: {tie: players}
"""
)
MAYS = WATCH.replace(
    '"set(t in neighbors(m.square) where empty(t) and would(go(m, t), not watched))"', "mays(m)"
).replace(
    """history:
""",
    """  mays(man m): set(t in neighbors(m.square) where empty(t) and would(go(m, t), not watched))
history:
""",
)
RIDERS = (
    HEAD
    + """\
board: {grid: {width: 8, height: 8}, space: square}
types:
  sort: {attributes: {ways: set of direction, far: 0..7}, values: {tower: {ways: orthogonal, far: 7},
    fool: {ways: diagonal, far: 2}, knight: {ways: [], far: 0}}}
pieces:
  man:
    per: player
    state: {sort: sort}
    rows: [{sort: tower, start: {a: a1, b: e5}}, {sort: fool, start: {a: b1, b: d5}},
      {sort: knight, start: {a: c1, b: c5}}, {sort: tower, start: {a: e2, b: h4}}]
define:
  hits(man m): if m.sort == knight then leaps(m.square, 1, 2)
    else set(t for d in m.sort.ways for t in slide(m.square, d, m.sort.far))
  seen(square q, player foe): any(m in foe.man where q in hits(m))
play:
  - turns: players
    do:
      - choose:
          m: me.man
          to: set(t in hits(m) where not seen(t, opponent) and t.man.owner != me)
        else: {lose: me}
      - if: to.man.owner == opponent
        then: {remove: to.man}
      - move: m
        to: to
      - if: seen(to, me)
        then: {set: {m.sort: if m.sort == fool then knight else fool}}
"""
)
GUARDED = (
    RIDERS.replace(
        """play:
""",
        """  held: no(t in me.man where t.square and t.sort == tower and seen(the(t.square), opponent))
effects:
  hop(man m, square to):
    - if: m.sort == fool and to.y > 2
      then:
        - remove: step(to, s).man
    - remove: to.man
    - move: m
      to: to
play:
""",
    )
    .replace("t.man.owner != me)", "t.man.owner != me and would(hop(m, t), held))")
    .replace(
        """      - if: to.man.owner == opponent
        then: {remove: to.man}
      - move: m
        to: to
""",
        """      - hop(m, to)
""",
    )
)
RUNS = (
    HEAD
    + """\
types: {digit: 1..9}
values: {had: set of digit}
define:
  down: list(r in had by r % 3, -r)
  run(set of digit rs): max(h for h in 2..9 where all(r in rs for r in h - 1..h)) otherwise 0
play:
  - turns: players
    do:
      - choose: {n: digit}
        where: n not in had
        else: {tie: players}
      - add: {had: n}
      - if: run(had) >= 8 or run(had) == 3 and down[2] == 6
        then: {win: me}
"""
)
LINES = (
    HEAD
    + """\
board: {grid: {width: 4, height: 4}, space: square}
pieces:
  man: {per: player, start: {a: this.y <= 1, b: this.y > 3}}
define:
  far(man m): set(t in square where any(d in diagonal where t in slide(m.square, d, 3)))
  seen(square s): any(f in opponent.man where s in far(f))
play:
  - turns: players
    do:
      - choose: {m: me.man, to: far(m)}
        where: empty(to) and (to.x == 2 or not seen(to))
        else: {tie: players}
      - move: m
        to: to
      - if: to.y == (if me == a then 4 else 1)
        then: {win: me}
"""
)
STACKS = (
    HEAD
    + """\
board: {track: 3, space: point, holds: any}
pieces: {man: {per: player, count: 3, start: bar}}
places: {bar: {per: player, holds: man}}
play:
  - turns: players
    do:
      - choose: {m: me.man, to: point}
      - move: m
        to: to
      - if: no(me.bar)
        then: {win: me}
"""
)
TRIALS = (
    HEAD
    + """\
board: {track: 3, space: point, holds: any}
pieces: {man: {per: player, count: 3, start: bar}}
places: {bar: {per: player, holds: man}}
effects:
  put(man m, point p):
    - move: m
      to: p
play:
  - turns: players
    do:
      - choose: {to: point}
        where: any(m in me.man where not m.point and would(put(m, to), count(pieces(to)) < 3))
        else: {win: opponent}
      - move: the(first(me.bar))
        to: to
"""
)
DICE = (
    HEAD
    + """\
types: {face: [one, two]}
values: {dice: bag of face}
play:
  - turns: players
    do:
      - random: {f: face}
      - add: {dice: "amount(f, 1)"}
      - choose: {n: 1..3}
      - if: dice.one == 4
        then: {win: me}
"""
)


def hexes(fits: str) -> str:
    """Tiles are laid beside each other where a condition on tile, space and turn holds."""
    sides, rows = ("ne", "se", "s", "sw", "nw", "n"), ""
    for i, begun in enumerate((1, 2, 4)):
        edges = ", ".join(f"{way}: {'water' if (at + begun) % 3 == 0 else 'meadow'}" for at, way in enumerate(sides))
        where = "start: 'valley[0, 0]'" if i == 0 else "copies: 4"
        parts = f"stretches: [{{sides: [{sides[i]}, {sides[i + 1]}]}}]"
        rows += f"      - {{name: t{i}, {where}, edges: {{{edges}}}, {parts}}}\n"
    return (
        HEAD
        + f"""\
types: {{ground: [water, meadow]}}
boards: {{valley: {{hexes: {{growing: true, shape: flat}}, space: plot, holds: any}}}}
pieces:
  field:
    tile: valley
    start: bag
    attributes: {{edges: ground by direction}}
    parts: {{stretch: {{from: stretches, attributes: {{sides: set of direction}}}}}}
    rows:
{rows}\
places: {{bag: {{holds: field, order: pile, seen: none}}}}
define:
  fits(field f, plot at, 0..5 turn): "{fits}"
setup:
  - shuffle: bag
play:
  - turns: players
    do:
      - choose: {{at: frontier(valley), turn: 0..5}}
        where: fits(first(bag), at, turn)
        else: {{tie: players}}
      - move: first(bag)
        to: at
        turned: turn
      - if: no(bag)
        then: {{win: me}}
"""
    )


FITS = "edges_match(f.edges, at, turn) and parts_meet(f.stretch, at, turn)"
IN_OWN_WORDS = (
    "no(d in direction where step(at, d).field and f.edges[d - turn] != step(at, d).field.edges[opposite(d)])"
    " and all(any(d in t.sides where step(at, d + turn).field) for t in f.stretch)"
)
RIVERS = (games.ROOT / "tests/play/rivers.yaml").read_text(encoding="utf-8")
NUMBERS = (
    HEAD
    + """\
values: {n: 0..9}
play:
  - turns: players
    do:
      - choose: {x: 1..3}
      - set: {n: x}
"""
)


@dataclass(frozen=True)
class Case:
    """A declaration whose code a pass changes: it has `gained` with the pass only, or `lost` without it only.

    Passes that are `apart` are off both times, where they would have done the work.
    """

    label: str
    language: str
    rules: str
    gained: str = ""
    lost: str = ""
    apart: tuple[str, ...] = ()

    @property
    def off(self) -> Off:
        return frozenset(map(named, self.apart))

    @property
    def one(self) -> AnyPass:
        return named(self.label)


CASES = [
    Case("kept-sets", C, stones(), r"s->kept0 &= ~"),
    Case("kept-sets", PYTHON, stones(), r"v\[\d+\] \^= 1 << to"),
    Case("shifted-sets", C, stones(options="board where empty(c) and not empty(step(c, s))"), r"kept0 << 5"),
    Case("shifted-sets", PYTHON, stones(options="board where empty(c) and not empty(step(c, s))"), r"v\[\d+\] << 5"),
    Case("seen-at-once", C, stones(options=ENCLOSED, define=SEEN), r"& \(x\d+ >> 12\)"),
    Case("seen-at-once", PYTHON, stones(options=ENCLOSED, define=SEEN), r"\(x\d+ >> 12\)"),
    Case("implied-sets", C, stones(MANY), r"size1\(s->kept1", r"\(s->kept0 & s->kept1\[s->me\]\)"),
    Case("implied-sets", PYTHON, stones(MANY), r"v\[82 \+ v\[1\]\]\)\.bit", r"v\[81\] & v\[82 \+ v\[1\]\]"),
    Case("whole-sets", C, stones("count(d in board where empty(d)) < 20"), r"size1\(\(0x1FFFFFFULL & ~s->kept0\)\)"),
    Case("whole-sets", PYTHON, stones("count(d in board where empty(d)) < 20"), r"& ~v\[\d+\]\)\)\.bit_count"),
    Case("kept-sets", C, HEDGES, r"s->kept0\[1\]"),
    Case("known-ways", C, HEDGES, r"joined_by\d+_known"),
    Case(
        "early-tests",
        C,
        stones(f"any(d in board, e in board where {PAIRS})"),
        r"= s->kept1\[s->me\]; m\d+;",
        apart=("whole-sets",),
    ),
    Case(
        "early-tests",
        PYTHON,
        stones(f"any(d in board, e in board where {PAIRS})"),
        lost=r"if \(TABLE\d+\[v\[",
    ),
    Case(
        "hoisted-domains",
        C,
        stones("count(d in neighbors(c), e in own(me) where e.x > d.x + 2) > 1", define=OWN),
        lost=r"    num t2 = low1\(m\d+\);\n *set1 x\d+ = f0_own\(",
        apart=("whole-sets",),
    ),
    Case(
        "hoisted-domains",
        PYTHON,
        stones("count(d in neighbors(c), e in own(me) where e.x > d.x + 2) > 1", define=OWN),
        lost=r"for t2 in .*:\n *x\d+ = f0_own",
        apart=("whole-sets",),
    ),
    Case(
        "empty-domains",
        C,
        stones("count(d in neighbors(c), e in own(me) where e.x > d.x + 2) > 1", define=OWN),
        r"if \(\(x\d+ != 0ULL\)\) \{",
        apart=("whole-sets",),
    ),
    Case(
        "empty-domains",
        PYTHON,
        stones("count(d in neighbors(c), e in own(me) where e.x > d.x + 2) > 1", define=OWN),
        r"if x\d+ != 0:",
        apart=("whole-sets",),
    ),
    Case("first-found", C, stones("any(near(c))", define=NEAR), r"some_f0_near"),
    Case("first-found", PYTHON, stones("any(near(c))", define=NEAR), r"some_f0_near"),
    Case("some-counted", C, stones("count(near(c)) > 0", define=NEAR), r"some_f0_near"),
    Case("some-counted", PYTHON, stones("0 == count(near(c))", define=NEAR), r"some_f0_near"),
    Case("sides-at-once", C, hexes(FITS), r"f\d+_shown_of\[(?s:.*)f\d+_shown_of\["),
    Case("sides-at-once", C, hexes(IN_OWN_WORDS), r"f\d+_shown_of\[(?s:.*)f\d+_shown_of\["),
    Case("sides-at-once", C, RIVERS, r"f\d+_shown_of\[(?s:.*)f\d+_shown_of\["),
    Case(
        "values-at-hand",
        C,
        stones("count(near(c)) * count(near(c)) > 3", define=NEAR),
        lost=r"(?s:= f0_near\(.*= f0_near\()",
    ),
    Case(
        "values-at-hand",
        PYTHON,
        stones("count(near(c)) * count(near(c)) > 3", define=NEAR),
        lost=r"(?s:= f0_near\(.*= f0_near\()",
    ),
    Case(
        "formula-tables",
        C,
        stones("goal == c", define=GOAL),
        r"\(TABLE\d+\[s->me\] == s->c\)",
        apart=("expression-tables",),
    ),
    Case("formula-tables", PYTHON, stones("goal == c", define=GOAL), r"if TABLE\d+\[v\[1\]\] == v\["),
    Case(
        "expression-tables",
        C,
        stones("count(q in neighbors(c) where q.x > (if me == a then 1 else 3)) > 3"),
        r"if \(TABLE\d+\[\(s->c\) \* 2 \+ s->me\]\)",
    ),
    Case(
        "expression-tables",
        PLAYS,
        stones("count(q in neighbors(c) where q.x > (if me == a then 1 else 3)) > 3"),
        r"if TABLE\d+\[\(v\[\d+\]\) \* 2 \+ v\[1\]\]",
    ),
    Case("without-lists", C, positions(), r"lowest1\(s->members\[TABLE\d", r"list_head\(lying\("),
    Case("without-lists", PYTHON, positions(), r"= \((x\d) & -\1\)\.bit_length", r"= op_head\("),
    Case("sorted-already", C, RUNS, r"list_reverse\(list\d", r"list_sorted\(x, list\d+, 2\)"),
    Case("joined-lines", C, LINES, r"\| slide_set\d+\(s, "),
    Case("joined-lines", PYTHON, LINES, r"return 65535 & among", r"op_collect"),
    Case("sets-by-heart", C, RUNS, r"f\d_run_of\[t\d\]"),
    Case("line-sets", C, stones("no(t in ray(c, n) where empty(t))"), r"SETS\d+\[s->c \* 8 \+ 0\]"),
    Case("line-sets", PYTHON, stones("no(t in ray(c, n) where empty(t))"), r"RAYS0\["),
    Case("line-tests", C, stones(), r">> 5\) & 0x"),
    Case("line-tests", PYTHON, stones(), r"in ROWS0\[", r"in_line\("),
    Case("flood-ends", C, positions(), r"touches1\(SETS", apart=("kept-groups",)),
    Case("kept-groups", C, positions(captures=True), r"beside1\(CLUSTERS(?s:.*)& unsure1\(CLUSTERS"),
    Case("kept-floods", C, stones(SIDES), r"spread1\(SETS", r"joined1\(SETS"),
    Case("kept-floods", PYTHON, stones(SIDES), r"joined\(FOUND0,", r"joined\(\{\},"),
    Case("pieces-as-spaces", C, stones("count(mine) > 4", define=MINE), r"= s->kept0\[s->me\];", r"= s->at\[t1\]"),
    Case(
        "pieces-as-spaces", PYTHON, stones("count(mine) > 4", define=MINE), r"= v\[81 \+ v\[1\]\]", r"= v\[13 \+ t1\]"
    ),
    Case("rounds-alone", C, stones(), lost=r"\+\+x->steps.*\n *\}\n *b\d+: \{  /\* "),
    Case(
        "stepwise-reach",
        PYTHON,
        positions(),
        r"open\d+ &= ~near",
        r"return reach_on\(",
        apart=("kept-sets",),
    ),
    Case("nothing-near", C, JUMPS, r"if \(\(\(SETS\d+\[[^;]*& s->kept0\[[^;]*\) != 0ULL\)\)"),
    Case("on-board", C, JUMPS, r"kept\d+;  /\* pieces \*/"),
    Case("on-board", PLAYS, JUMPS, r"for m in .*TABLE\d\[v\[1\]\] & v\[", r"twin\(v, m\)"),
    Case("alike-pieces", C, STACKS, lost=r"int32_t same\d+\[6\];", apart=("first-of-like",)),
    Case("first-of-like", C, STACKS, r"s->firsts = "),
    Case("tried-once", C, TRIALS, r"s->firsts \| s->mixed"),
    Case("picks-from-counts", C, stones(), r"num pick_\d+\("),
    Case("picks-in-place", C, stones(), r"num n0 = size1\(mask0\)", r"int32_t entry, bound\[1\]"),
    *(Case("shifted-menus", C, rules, r"plane0_0 \^=", r"Group groups\[") for rules in (AHEAD, BESIDE, OVER)),
    Case("picks-from-counts", PLAYS, stones(), r"= nth\(x\d+, k\)", r"return taken\(v, CHOICE"),
    Case("told-counts", PLAYS, stones(), lost=r"RAN\[3\] \+= 1"),
    Case("last-turns", PERFT, NUMBERS, r"case \d+: return entry >= 0;"),
    Case("memos", C, stones("columns(a) > 2 and columns(b) > 2", define=COLUMNS), r"s->memo0\["),
    Case("fingerprints", C, positions(), r"s->print0 \^="),
    Case("fingerprints", PYTHON, positions(), r"found, before0, before1 = LAST0\[0\]", r"mark\(spot, ROWS_OF"),
    Case("seen-bits", C, positions(), r"hinted\(s->hints0"),
    Case("seen-bits", C, WATCH, r"recorded\(s->hints0"),
    Case("one-count", C, DICE, r"s->dice\[x\d+\] \+=", r"bag_add\(x"),
    Case("looked-ahead", C, GUARDED, r"at_ahead\(s, v, "),
    Case("looked-ahead", C, positions(captures=True), r"ahead_of\(x, s, v\);", r"\bx->trying\+\+"),
    Case("settled-at-once", C, positions(captures=True), r"easy\d+ = \(easy\d+ & ~x\d+\);"),
    Case("cheap-would", C, positions(), r"memcpy\(&s->at, &kept_at", r"State copy = \*s", ("looked-ahead",)),
    Case("reached-from", C, RIDERS, r"from\d+ = low1\(m\d+\);"),
    Case("one-way", C, RIDERS, r"& only1\(\(TABLE\d+ \+ 1\)\["),
    Case("at-most", C, WATCH, r"has1\(t\d, SETS\d+\[[^;]*\]\) && in_f\d_sees"),
    Case("unprinted-trials", C, WATCH, r"!x->trying && spot < 16\) s->print0"),
    Case("untouched-trials", C, WATCH, r"s->asked0"),
    Case("untouched-trials", C, MAYS, r"& ~hard\d+\)"),
    Case("moves-back", C, positions(11), r"put_back\(x, s, logged\)", r"memcpy\(&s->at, &kept_at", ("looked-ahead",)),
    Case("quiet-trials", PYTHON, positions(), lost=r"tried_out\("),
    Case("plain-moves", PYTHON, stones(), r"v\[\d+ \+ v\[1\]\] \^= 1 << x\d", r"    move\(v, x"),
    Case("dead-blocks", C, positions(), lost=r"b\d+: \{  /\* put \*/(?s:.*)b\d+: \{  /\* put \*/"),
    Case("block-trees", PYTHON, stones(), lost=r"def block_1\("),
    Case("inlined-formulas", PYTHON, JUMPS, lost=r"in f\d_ways\(v\)"),
    Case("listed-menus", PYTHON, stones(), r"return tuple\(\[OPTION0\[c\] for c in"),
    Case(
        "member-tables",
        PYTHON,
        stones("any(q in neighbors(c) where q.stone.weight > 1)", state=", state: {weight: 1..2}"),
        r"for t\d in MEMBERS\d\[",
    ),
    Case("wide-tables", PYTHON, JUMPS, r"= STEPS\d\[v\[\d+ \+ m\] \* 8"),
]


@pytest.fixture
def variant(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Variant]:
    """The declaration of a case as a game."""
    path = tmp_path / "small.yaml"
    path.write_text(request.getfixturevalue("case").rules, encoding="utf-8")
    yield Variant(path, 2, {})
    load.cache_clear()


each_case = pytest.mark.parametrize("case", CASES, ids=[f"{case.label}-{case.language}" for case in CASES])
needs_compiler = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def written(variant: Variant, language: str, off: Off) -> str:
    program = variant.configured().machine.program
    if language == PERFT:
        return PerftProgram(program, off).write()
    if language == PLAYS:
        return PlaysProgram(program, off).whole()
    return to_c(program, off) if language == C else to_python(program, off)


def agrees(variant: Variant, language: str, off: Off, seeds: int = 3, most: int = 120) -> None:
    """Plays without some passes are those of the interpreter: options, states, results."""
    if language == PYTHON:
        pair = Pair(variant, off)
        for seed in range(seeds):
            pair.steps(seed, most)
        return
    if language == PLAYS:
        agree(variant.configured(), seeds, most, off)
        return
    if compiler() is None:
        pytest.skip("there is no C compiler")
    configured = variant.configured()
    writer = PerftProgram if language == PERFT else CProgram
    library = Library(configured.machine.program, configured.rules, QUICK, writer, off)
    both = Compiled(variant, library)
    for seed in range(seeds):
        both.steps(seed, most)
        both.run(7, seed, most)
    both.close()
    if language == PERFT:
        play = load(variant.path).start()
        fast = CompiledPerft(play)
        fast.library = library
        library.code.game_perft.restype = ctypes.c_int64
        assert fast.count(4) == Perft(play).count(4)


# ------------------------------------------------------------------------------------------------- pass by pass


def test_every_pass_has_a_case_in_each_of_its_languages() -> None:
    wanted = {(one.label, language) for one in passes() for language in one.languages}
    found = {(case.label, C if case.language == PERFT else case.language) for case in CASES}
    assert found == wanted
    assert len({(case.label, case.language, case.rules) for case in CASES}) == len(CASES)
    assert all(case.gained or case.lost for case in CASES)


def test_every_pass_is_in_the_table_of_the_documentation() -> None:
    text = (games.ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named_there = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", "".join(re.findall(r"\| ([^|]*) \|\n", text))))
    assert {one.label for one in passes()} <= named_there


def test_the_table_of_rewrites_is_made_from_them(golden: Callable[[str, Path], None]) -> None:
    page = games.ROOT / "docs/architecture.md"
    begin, end = "<!-- rewrites: made from ruledsl/generate/rewrites -->\n", "<!-- end of rewrites -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    rows = [f"| {one.does} | {' '.join(one.doc.split())} | `{one.label}` |" for one in rewrites()]
    table = "\n".join(
        ["| what it does | what it looks for, and what comes instead | pass |", "| --- | --- | --- |", *rows]
    )
    golden(f"{before}{begin}\n{table}\n\n{end}{rest.partition(end)[2]}", page)


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_where_a_rewrite_finds_nothing_the_program_stays_the_same(path: Path) -> None:
    """So it is with what was rewritten already: what is found is gone."""
    program = fewest(path).configured().machine.program
    for language in (C, PYTHON, PLAYS):
        once = rewritten(program, language)
        assert rewritten(once, language) is once
        assert rewritten(program, language, ALL_OFF) is program
        assert len(once.blocks) == len(program.blocks)
        assert [f.name for f in once.formulas] == [f.name for f in program.formulas]


@each_case
def test_a_pass_shows_in_what_is_written(case: Case, variant: Variant) -> None:
    on = written(variant, case.language, case.off)
    off = written(variant, case.language, case.off | {case.one})
    if case.gained:
        assert re.search(case.gained, on)
        assert not re.search(case.gained, off)
    if case.lost:
        assert not re.search(case.lost, on)
        assert re.search(case.lost, off)


@each_case
def test_a_pass_changes_no_result(case: Case, variant: Variant) -> None:
    agrees(variant, case.language, case.off)
    agrees(variant, case.language, case.off | {case.one})


LEAVING = (
    HEAD
    + """\
board: {grid: {width: 5, height: 4}, space: point}
pieces: {stone: {per: player, count: 40, start: bowl}}
places: {bowl: {per: player, holds: stone}}
history:
  situation: {of: board, keep: 200}
define:
  chain(point p): reachable(p, q in point where q.stone.owner == p.stone.owner)
  free(point p): set(q in neighbors(chain(p)) where empty(q) and step(q, s))
  choked: set(q in point where q.stone.owner and no(free(q)))
effects:
  put(stone t, point p):
    - move: t
      to: p
    - remove: set(r.stone for q in choked for r in chain(q))
  hit(stone t, point p):
    - move: t
      to: p
    - move: set(q.stone for q in neighbors(p) where q.stone.owner == opponent and q.x != p.x)
      to: opponent.bowl
play:
  - turns: players
    do:
      - record: situation
      - choose one:
          - choose: {t: me.bowl, p: point where empty(p)}
            where: would(put(t, p), repeats(situation) == 0 and any(q in point where q.stone))
            do: put(t, p)
          - choose: {t: me.stone, p: neighbors(t.point)}
            where: empty(p) and would(put(t, p), any(q in neighbors(p) where q.stone.owner == opponent))
            do: put(t, p)
          - choose: {t: me.bowl, p: point where empty(p)}
            where: would(hit(t, p), no(choked) and repeats(situation) == 0)
            do: hit(t, p)
        else: {tie: players}
"""
)


def test_what_leaves_again_where_it_came_is_looked_ahead_rightly(tmp_path: Path) -> None:
    """Pieces come from a bowl or a space; those without a free neighbour leave, the moved one too, or some beside."""
    path = tmp_path / "leaving.yaml"
    path.write_text(LEAVING, encoding="utf-8")
    variant = Variant(path, 2, {})
    assert written(variant, C, NONE_OFF).count("ahead_of(x, s, v);") >= 4
    agrees(variant, C, NONE_OFF, 3, 50)
    load.cache_clear()


# ------------------------------------------------------------------------------------------------ all games


def fewest(path: Path) -> Variant:
    return Variant(path, load(path).players[0], {})


@pytest.mark.parametrize("language", [C, PYTHON, PLAYS])
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_games_play_the_same_without_any_pass(path: Path, language: str) -> None:
    agrees(fewest(path), language, ALL_OFF, 1, 60)


@pytest.mark.long
@pytest.mark.parametrize("language", [C, PYTHON, PLAYS])
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_games_always_play_the_same_without_any_pass(path: Path, language: str) -> None:
    for number, variant in enumerate(variants(path)):
        agrees(variant, language, ALL_OFF, 2 if number else 20, 2000)


@pytest.mark.long
@pytest.mark.parametrize("one", passes(), ids=[one.label for one in passes()])
@pytest.mark.parametrize("name", ["backgammon", "chess", "draughts", "go", "spell_windows"])
def test_games_play_the_same_without_a_pass(name: str, one: AnyPass) -> None:
    variant = fewest(games.PATHS[games.NAMES.index(name)])
    for language in one.languages:
        agrees(variant, language, frozenset([one]))


# ------------------------------------------------------------------------------------------------ switching


@needs_compiler
def test_libraries_without_a_pass_are_kept_apart() -> None:
    found = {place("rules", QUICK, without=off) for off in (NONE_OFF, frozenset([Pass.MEMOS]), ALL_OFF)}
    assert len(found) == 3
    assert place("rules", QUICK, without=frozenset([Pass.MEMOS])) in found


def test_hooks_of_a_machine_keep_its_passes() -> None:
    program = fewest(games.PATHS[games.NAMES.index("hex")]).configured().machine.program
    machine = GeneratedMachine(program, without=ALL_OFF)
    assert machine.hooked({}).without == ALL_OFF
    assert "OPTION0" not in machine.module.source
    assert "OPTION0" in GeneratedMachine(program).module.source
