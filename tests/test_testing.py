"""Tests of games: what holds passes, what does not is shown with its values, mistakes in tests are diagnostics."""

import json
import re
from pathlib import Path

import pytest

from ruledsl.cli.main import main
from ruledsl.runtime.game import load
from ruledsl.testing.runner import Tests

ROW = """\
ruledsl: 1
game: row
players: [white, black]
board: {grid: {width: 3, height: 3}}
letters: {X: stone of white, O: stone of black}
pieces:
  stone: {per: player, count: 5}
play:
  - turns: players
    do:
      - if: no(c in board where empty(c))
        then: {tie: players}
      - choose: {cell: board where empty(cell)}
        label: place at {cell}
      - move: stone
        to: cell
      - if: line(cell, 3, of=me)
        then: {win: me}
"""

SECRETS = """\
ruledsl: 1
game: secrets
players: 2..3
pieces:
  card:
    rows: [{name: one}, {name: two}, {name: three}, {name: four}, {name: five}, {name: six}]
places:
  deck: {holds: card, order: pile, seen: none, start: card}
  hand: {per: player, holds: card, seen: owner}
  heap: {holds: card, seen: none}
  table: {holds: card}
values:
  bid: {per: player, is: 0..6, seen: owner}
setup:
  - shuffle: deck
  - deal: 1
    from: deck
    to: hand
play:
  - turns: players
    do:
      - choose: {c: me.hand}
        label: bury {c}
        else: {tie: players}
      - move: c
        to: heap
"""

CARDS = """\
ruledsl: 1
game: cards
players: 2..3
pieces:
  card:
    attributes: {worth: 1..6}
    rows:
      - {name: one, worth: 1}
      - {name: two, worth: 2}
      - {name: three, worth: 3}
      - {name: four, worth: 4}
      - {name: five, worth: 5}
      - {name: six, worth: 6}
places:
  deck: {holds: card, order: pile, seen: none, start: card}
  hand: {per: player, holds: card, seen: owner}
  table: {holds: card}
pools:
  coin: {total: 10, at: {player: purse}, start: {purse: 1}}
values:
  points: {per: player, is: 0..40}
  die: 1..6
setup:
  - shuffle: deck
  - deal: 1
    from: deck
    to: hand
play:
  - phase: battle
    do:
      - turns: players
        until: no(deck)
        do:
          - draw: 1
            from: deck
            to: me.hand
          - choose: {c: me.hand}
            where: c.worth > 1
            label: play {c}
            else: {end: turn}
          - move: c
            to: table
          - random: {d: 1..6}
          - set: {die: d}
          - say: "{me} rolls {d}"
          - add: {me.points: c.worth + die}
scoring:
  rows: {points: me.points}
"""


def written(folder: Path, game: str, tests: str) -> Path:
    path = folder / "game.yaml"
    path.write_text(game)
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "all.yaml").write_text(tests)
    return path


def failing(path: Path) -> list[str]:
    """What is said about every test that fails, and about mistakes."""
    tests = Tests(load(path))
    said = [str(failure) for outcome in tests.run() for failure in outcome.failures]
    return said + [f"{d.span.line if d.span else 0}: {d.message} ({d.help})" for d in tests.report.sorted()]


HOLDS = {
    "moves, with and without the player": (
        ROW,
        """
      moves: [a1, black: b1, white: place at a2, b2, a3]
      expect:
        - ends: {win: white}
        - winners == [white] and over and score[white] == 0 and to_move == none
    """,
    ),
    "a diagram as pictures are printed": (
        ROW,
        """
      given:
        board: |
          3 X O X
          2 O . .
          1 X . O
            a b c
        turn: black
      expect: [to_move == black, legal: [b1, b2, c2], {offered: [b2], refused: [a1, a2]}]
    """,
    ),
    "a diagram in one line": (
        ROW,
        """
      given: {board: XOX/1X1/O1O, turn: white}
      expect: [legal: [a2, c2, b1]]
    """,
    ),
    "the next play of a campaign, with what is kept": (
        CARDS.replace("scoring:", "campaign: {keep: die, between: [{set: {die: 6}}]}\nscoring:"),
        """
      given: {places: {deck: [six]}, turn: player_1}
      moves: [play six]
      expect: over
      then:
        - next_play: same
          expect: [not over and die == 6 and count(hand) == 3]
    """,
    ),
    "a map of spaces": (
        ROW,
        """
      given:
        board: {a1: stone of white, b2: black_stone_3}
      expect: [a1.stone.owner == white, b2.stone == black_stone_3, count(c in board where empty(c)) == 7]
    """,
    ),
    "what the rules do at the beginning of a turn": (
        ROW,
        """
      given: {board: XOX/XOX/OXO, turn: black}
      expect: {ends: tie}
    """,
    ),
    "the reason of a refusal": (
        ROW,
        """
      moves: [a1]
      expect: {refused: {place at a1: a1 is not empty}}
    """,
    ),
    "further steps": (
        ROW,
        """
      moves: [a1]
      expect: to_move == black
      then:
        - moves: [b1, a2, b2]
          expect: {ends: false}
        - moves: [a3]
          expect: {ends: {win: white}}
    """,
    ),
    "counting": (
        ROW,
        """
      perft: {1: 9, 2: 72, 3: 504, 4: 3024}
    """,
    ),
    "random plays": (
        ROW,
        """
      play: {games: 10, seed: 3}
      always: count(c in board where not empty(c)) == count(s in stone where s.space)
      finally: [over, any(winners)]
    """,
    ),
    "places, piles from the top, tokens, values and phase": (
        CARDS,
        """
      players: [anna, boris]
      given:
        places: {anna.hand: [two], boris.hand: [six], deck: [five, one, ...], table: []}
        pools: {anna.purse: 4}
        values: {anna.points: 7}
        turn: anna
      expect:
        - phase == battle and to_move == anna
        - two in anna.hand and five in anna.hand and count(anna.hand) == 2
        - anna.purse == 4 and boris.purse == 1 and supply.coin == 5
        - score[anna] == 7
        - score[anna] + score[boris] <= 42  # the range of points is that of the rows, so they can be added
        - sees: {anna: [two, five], boris: [six]}
        - legal: [two, five]
    """,
    ),
    "who sees what": (
        SECRETS,
        """
      players: [anna, boris]
      given:
        places: {anna.hand: [two, one], boris.hand: [six], deck: [five, four, ...], table: [three]}
        values: {anna.bid: 2}
        turn: anna
      expect:
        - sees: {anna: [one, two], boris: [six]}
        - sees: {anna: {anna.hand: [two, one], boris.hand: hidden, anna.bid: open, boris.bid: hidden}}
        - sees: {bystander: {anna.hand: 2 hidden, boris.hand: 1 hidden, table: open, anna.bid: hidden}}
        - sees: {everybody: {deck: 2 hidden, heap: empty, table: [three]}, bystander: []}
      then:
        - moves: [bury one]
          expect:
            - sees: {anna: [one, two], boris: {heap: hidden, anna.hand: [hidden]}, everybody: {deck: hidden}}
            - log: {anna: bury one, boris: {with: bury a hidden card, without: one}}
            - log: {bystander: {with: bury a hidden card, without: [one]}}
    """,
    ),
    "answers of chance": (
        CARDS,
        """
      players: [anna, boris]
      chance: [[one, two, three, ...], 6]
      moves: [anna: three]
      expect: [die == 6, "points[anna] == 9", log: "rolls 6", one in anna.hand, two in boris.hand]
    """,
    ),
    "forced steps": (
        CARDS,
        """
      players: [anna, boris]
      given: {places: {anna.hand: [one], boris.hand: [], deck: [two, ...]}, turn: anna}
      steps: 1
      expect: [two in table, to_move == boris]
    """,
    ),
    "a fault that is meant": (
        CARDS,
        """
      players: [anna, boris]
      given: {values: {anna.points: 40}, places: {anna.hand: [six], deck: [five, ...]}, turn: anna}
      moves: [six]
      expect: {faults: outside 0..40}
    """,
    ),
}


@pytest.mark.parametrize("name", HOLDS)
def test_holds(name: str, tmp_path: Path) -> None:
    game, test = HOLDS[name]
    path = written(tmp_path, game, f"tests:\n    - test: {name}\n{test}")
    assert failing(path) == []
    assert sum(outcome.passed for outcome in Tests(load(path)).run()) == 1


FAILS = {
    "expect: to_move == black and over": (
        "`to_move == black and over` does not hold\n    to_move = white\n    over = false"
    ),
    "moves: [a1]\n      expect: count(c in board where empty(c)) == 9": "count(c in board where empty(c)) = 8",
    "moves: [a1, a1]": "`a1` is not offered",
    "moves: [black: a1]": "it is not the turn of black, but of white",
    "expect: {legal: [a1, b1]}": "also offered: place at c1",
    "expect: {refused: [b2]}": "`b2` is offered",
    "expect: {ends: tie}": "it goes on: white to move",
    "expect: {log: hurrah}": "no line of the log has `hurrah`",
    "expect: {faults: zero}": "the rules do not end in a fault",
    "steps: 1": "this step is not forced",
    "perft: {2: 73}": "perft to depth 2: expected 73, but it is 72",
    "play: {games: 2}\n      always: any(c in board where empty(c))": (
        "decisions: `any(c in board where empty(c))` does not hold"
    ),
    "play: {games: 2}\n      always: empty(a1) or over": "`empty(a1) or over` does not hold\n    empty(a1) = false",
    "play: {games: 1, most: 3}": "is not over after 3 decisions",
    "given: {board: XXX/3/OO1}\n      moves: [a2]\n      expect: "
    "{ends: {win: black}}": "the play does not end like this",
}


@pytest.mark.parametrize("test", FAILS)
def test_fails(test: str, tmp_path: Path) -> None:
    more = "" if "expect" in test or "perft" in test or "play" in test else "\n      expect: over"
    path = written(tmp_path, ROW, f"tests:\n    - test: wrong on purpose\n      {test}{more}\n")
    said = failing(path)
    assert len(said) == 1
    assert FAILS[test] in said[0]


NOT_SEEN_SO = {
    "sees: {boris: [one]}": "does not know: one",
    "sees: {anna: [one]}": "knows besides: two",
    "sees: {anna: [one, two, three]}": "everybody knows, so it is no secret: three",
    "sees: {anna: {boris.hand: open}}": "`boris.hand` is not open\n    anna sees there: hidden",
    "sees: {anna: {anna.hand: hidden}}": "`anna.hand` is not hidden\n    anna sees there: one, two",
    "sees: {everybody: {table: hidden}}": "`table` is not hidden\n    a bystander sees there: three",
    "sees: {boris: {anna.hand: 3 hidden}}": "`anna.hand` has 2 hidden",
    "sees: {boris: {anna.hand: [one, hidden]}}": "`anna.hand` is not seen like this\n    boris sees there: hidden, "
    "hidden",
    "sees: {everybody: {heap: hidden}}": "`heap` is empty, so nothing is seen or hidden there",
    "sees: {bystander: {table: empty}}": "`table` is not empty",
    "sees: {boris: {anna.bid: open}}": "`anna.bid` is not seen by boris",
    "sees: {anna: {anna.bid: hidden}}": "`anna.bid` is seen by anna",
    "log: {boris: bury one}": "boris reads no line with `bury one`\n    anna: bury a hidden card",
    "log: {anna: {without: bury}}": "anna reads `bury`\n    anna: bury one",
    "log: {everybody: {with: a hidden card}}": "anna reads no line with `a hidden card`",
    "log: {bystander: {without: berry}}": "no line has `berry`",
}


@pytest.mark.parametrize("expected", NOT_SEEN_SO)
def test_what_is_not_seen_or_read_as_expected_is_told(expected: str, tmp_path: Path) -> None:
    given = "{places: {anna.hand: [one, two], boris.hand: [six], deck: [five, four, ...], table: [three]}, turn: anna}"
    steps = f"expect: {{{expected}}}" if "sees" in expected else f"moves: [bury one]\n      expect: {{{expected}}}"
    players = "players: [anna, boris]"
    path = written(
        tmp_path, SECRETS, f"tests:\n    - test: wrong\n      {players}\n      given: {given}\n      {steps}\n"
    )
    said = failing(path)
    assert len(said) == 1
    assert NOT_SEEN_SO[expected] in said[0]


def test_a_place_opened_to_all_is_noticed(tmp_path: Path) -> None:
    """Who opens a hidden place by mistake hears of it from the tests; `--mutate` opens each."""
    from ruledsl.testing.mutate import survey

    name, test = "who sees what", HOLDS["who sees what"][1]
    path = written(tmp_path, SECRETS, f"tests:\n    - test: {name}\n{test}")
    found = survey(load(path))
    assert not any("opened to all" in str(mutant) for mutant in found.unnoticed)
    for place in ("deck", "hand", "heap", "bid"):
        opened = re.sub(rf"(?m)^(  {place}: .*), seen: \w+", r"\1", SECRETS)
        assert opened != SECRETS
        assert failing(written(tmp_path, opened, f"tests:\n    - test: {name}\n{test}")), place
    blind = "tests:\n    - test: nothing is said of secrets\n      expect: not over\n"
    told = [str(m) for m in survey(load(written(tmp_path, SECRETS, blind))).unnoticed if "opened to all" in str(m)]
    assert [text.split(": ", 1)[1] for text in told] == [
        f"`seen: {who}` opened to all" for who in ("none", "owner", "none", "owner")
    ]


MISTAKES = {
    "expect: {sees: {wite: []}}": ("there is no player `wite`", "did you mean `white`?"),
    "expect: {sees: {bystandr: {board: hidden}}}": ("there is no player `bystandr`", "did you mean `bystander`?"),
    "expect: {sees: {white: [white_stone_8]}}": ("there is no piece `white_stone_8`", "did you mean `white_stone_"),
    "expect: {sees: {bystander: [white_stone_1]}}": ("a bystander knows only what everybody knows", "hidden"),
    "expect: {sees: {white: {bord: hidden}}}": ("nothing is called `bord`", "did you mean `board`?"),
    "expect: {sees: {white: {turn_number: hidden}}}": ("neither a place nor a value can be seen here", ""),
    "expect: {sees: {white: {a1: hiden}}}": (
        "this is not a way to say what is seen: `hiden`",
        "did you mean `hidden`?",
    ),
    "expect: {sees: {white: {a1: {hidden: 3}}}}": ("this is not a way to say what is seen: a map", "`3 hidden`"),
    "expect: {log: {wite: hurrah}}": ("there is no player `wite`", "did you mean `white`?"),
    "expect: {log: {white: {whitout: hurrah}}}": ("has no key `whitout`", "did you mean `without`?"),
    "expect: to_mov == white": ("nothing is called `to_mov`", "did you mean `to_move`?"),
    "expect: {legall: [a1]}": ("an expectation has no key `legall`", "did you mean `legal`?"),
    "expekt: over": ("a test has no key `expekt`", "did you mean `expect`?"),
    "expect: {ends: draw}": ("a play cannot end like this: `draw`", "did you mean `tie`?"),
    "moves: [wite: a1]\n      expect: over": ("there is no player `wite`", "did you mean `white`?"),
    "given: {board: XX/3/3}\n      expect: over": ("this row has 2 spaces", ""),
    "given: {board: XQX/3/3}\n      expect: over": ("the diagram has a letter `Q` that means nothing", "`X`, `O`"),
    "given: {board: {a4: stone}}\n      expect: over": ("`board` has no space `a4`", "did you mean"),
    "given: {turn: gray}\n      expect: over": ("there is no player `gray`", ""),
    "players: 3\n      expect: over": ("this game is for 2 players, not 3", ""),
    "covers: [R-1, R-2, R-3, R-4, R-5, R-6]\n      expect: over": ("a test covers at most 5 rules, not 6", ""),
    "covers: [R-1..R-4]\n      expect: over": ("`R-1..R-4` is not a single rule", ""),
    "moves: [a1]": ("this test expects nothing", "add `expect:`"),
    "then: [{next_play: same, expect: over}]": ("row has no campaign", "add `campaign:`"),
}


@pytest.mark.parametrize("test", MISTAKES)
def test_mistakes_are_diagnostics(test: str, tmp_path: Path) -> None:
    path = written(tmp_path, ROW, f"tests:\n    - test: mistaken on purpose\n      {test}\n")
    said = failing(path)
    message, help = MISTAKES[test]
    assert any(message in line and help in line for line in said), said


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole text that a designer reads."""
    monkeypatch.chdir(tmp_path)
    Path("row.yaml").write_text(ROW)
    Path("row.test.yaml").write_text("""\
tests:
  - test: a corner is free
    expect: empty(a1)
  - test: white moves twice
    covers: [ROW-7]
    moves: [a1]
    expect:
      - to_move == white and count(c in board where empty(c)) == 8
""")
    assert main(["test", "row.yaml"]) == 1
    assert (
        capsys.readouterr().out
        == """\
row.yaml: 2 tests, 1 failed

FAILED white moves twice (row.test.yaml:4)
row.test.yaml:8: `to_move == white and count(c in board where empty(c)) == 8` does not hold
    to_move = black

    | 3 . . .
    | 2 . . .
    | 1 X . .
    |   a b c

1 passed, 1 failed
"""
    )
    assert main(["test", "row.yaml", "-k", "corner"]) == 0
    assert capsys.readouterr().out == "row.yaml: 1 test, 0 failed\n1 passed, 0 failed\n"
    assert main(["test", "row.yaml", "-k", "row-7", "-v"]) == 1
    assert "FAILED white moves twice" in capsys.readouterr().out


def test_changes_that_no_test_notices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody tests that a full board is a tie, so that rule can go; that three in a row win is tested."""
    monkeypatch.chdir(tmp_path)
    Path("row.yaml").write_text(ROW)
    Path("row.test.yaml").write_text("""\
tests:
  - test: three in a row win
    moves: [a1, b1, a2, b2]
    expect: {ends: false}
    then:
      - moves: [a3]
        expect: {ends: {win: white}}
""")
    assert main(["test", "row.yaml", "--mutate"]) == 1
    said = capsys.readouterr().out
    unnoticed = [line for line in said.splitlines() if line.startswith("not noticed: ")]
    assert any(
        ":12: without the statement `tie: players`" in line or ":12: without the statement `{tie: players}`" in line
        for line in unnoticed
    ), said
    assert any("row.yaml:11: without the statement `if: no(c in board" in line for line in unnoticed), said
    assert not any("row.yaml:17" in line and "line(cell, 3" in line and "without" in line for line in unnoticed), said
    assert not any("turned around" in line and ":17:" in line for line in unnoticed), said
    assert main(["test", "row.yaml", "--mutate", "--most", "3", "--seed", "1"]) in (0, 1)
    first = capsys.readouterr().out
    main(["test", "row.yaml", "--mutate", "--most", "3", "--seed", "1"])
    assert capsys.readouterr().out == first


def test_endless_changes_are_cut(tmp_path: Path) -> None:
    """A change that makes rules go round for ever is noticed, not waited for."""
    from ruledsl.testing.mutate import survey

    game = ROW.replace(
        "      - if: no(c",
        "      - while: turn_number == 0\n        most: 1000000\n        do: {set: {n: 1 - n}}\n      - if: no(c",
    )
    path = written(
        tmp_path, game.replace("play:", "values: {n: 0..1}\nplay:"), "tests:\n  - test: begins\n    expect: not over\n"
    )
    found = survey(load(path))
    assert not any("turn_number == 0" in str(m) and "turned around" in str(m) for m in found.unnoticed)
    assert found.noticed > 0


SHOP = """\
ruledsl: 1
game: shop
players: 1
types: {ware: [tea, silk]}
pools:
  wares: {of: ware, total: {tea: 9, silk: 9}, at: {player: wares}, start: {wares: {tea: 3}}}
play:
  - choose one:
      - label: leave
        do: []
      - when: total(me.wares) > 4
        label: feast
        do: {add: {feasts: 1}}
  - pay: amount(any ware, max(0, total(me.wares) - 1))
  - tie: players
values: {feasts: 0..1}
"""


def test_a_change_is_noticed_by_tests_that_do_not_take_the_option(tmp_path: Path) -> None:
    """A price that is paid without a question, and a condition of which a test says that it does not hold."""
    from ruledsl.testing.mutate import survey

    tests = """\
tests:
  - test: one is kept
    moves: [leave]
    expect: me.wares == amount(tea, 1)
  - test: what is one too many is paid as one likes
    given: {pools: {player_1.wares: {tea: 2, silk: 1}}}
    moves: [leave]
    expect:
      - offered: [pay 2 tea]
  - test: nobody feasts on four
    given: {pools: {player_1.wares: {tea: 4}}}
    expect:
      - legal: [leave]
  - test: nobody feasts in the evening
    given: {pools: {player_1.wares: {tea: 5}}}
    moves: [feast]
    expect:
      - offered: []
  - test: of nothing nothing is paid
    given: {pools: {player_1.wares: {}}}
    moves: [leave]
    expect: over
"""
    found = survey(load(written(tmp_path, SHOP, tests)))
    told = "\n".join(map(str, found.unnoticed))
    assert "max" not in told
    assert "total(me.wares) > 4" not in told


def test_changes_may_be_explained_and_processes_share_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What no test can notice is explained beside the tests; an explanation of nothing is told."""
    monkeypatch.chdir(tmp_path)
    Path("row.yaml").write_text(ROW)
    win = """\
tests:
  - test: three in a row win
    moves: [a1, b1, a2, b2, a3]
    expect: {ends: {win: white}}
"""
    Path("row.test.yaml").write_text(win)
    assert main(["test", "row.yaml", "--mutate"]) == 1
    alone = capsys.readouterr().out
    assert main(["test", "row.yaml", "--mutate", "--jobs", "2"]) == 1
    assert capsys.readouterr().out == alone
    changes = [line.split(": ", 2)[2] for line in alone.splitlines() if line.startswith("not noticed: ")]
    assert changes
    listed = "".join(f"  - change: {json.dumps(change)}\n    because: nobody gets so far\n" for change in changes)
    Path("row.test.yaml").write_text(f"{win}unnoticed:\n{listed}")
    assert main(["test", "row.yaml", "--mutate"]) == 0
    assert capsys.readouterr().out.count("nobody gets so far") == len(changes)
    Path("row.test.yaml").write_text(f"{win}unnoticed:\n{listed}  - change: 2 made 3\n    because: it is so\n")
    assert main(["test", "row.yaml", "--mutate"]) == 1
    assert "needless explanation: 2 made 3" in capsys.readouterr().out


def test_before_a_round_without_rounds_and_beside_turn(tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text(
        "ruledsl: 1\ngame: g\nplayers: 2\nvalues: {n: 0..9}\nplay:\n"
        "  - rounds: 2\n    do:\n      - turns: players\n        until: turn_number > 1\n        do:\n"
        "          - choose: {m: 1..2}\n          - set: {n: m}\n"
        "tests:\n  - test: both\n    given: {before: round, turn: player_1}\n    expect: n == 0\n"
        "  - test: another word\n    given: {start: round}\n    expect: n == 0\n"
    )
    tests = Tests(load(path))
    assert [bool(o.mistakes) for o in tests.run()] == [True, True]
    said = [(d.message, d.help) for d in tests.report.findings]
    assert said == [
        ("a position stands before a round or at the beginning of a turn, not both", "remove `turn:` or `before:`"),
        ("`given` has no key `start`", "did you mean `before`?"),
    ]


def test_chance_of_a_test_comes_about_in_a_position_from_a_file(tmp_path: Path) -> None:
    game = (
        "ruledsl: 1\ngame: g\nplayers: 2\nvalues: {n: 0..9}\nplay:\n"
        "  - rounds: 2\n    do:\n      - random: {d: 1..6}\n      - set: {n: d}\n"
        "      - for: {me: players}\n        do:\n          - choose: {m: 1..2}\n            else: never\n"
    )
    path = written(
        tmp_path,
        game,
        "tests:\n  - test: one\n    from: ../second.yaml\n    chance: [5]\n    expect: n == 5\n"
        "  - test: two\n    from: ../second.yaml\n    chance: [5, 3]\n    expect: n == 5\n",
    )
    (tmp_path / "second.yaml").write_text("given: {before: round, round: 2}\n")
    (one, two) = Tests(load(path)).run()
    assert not one.failures
    assert "no random event came for `3`" in str(two.failures[0])
