"""The mistakes that `test --mutate` makes on purpose, and the numbered rules that they prove."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.runtime.game import load
from ruledsl.testing import mutate, noted
from ruledsl.testing.mutants import mutants_of

GAME = """\
ruledsl: 1
game: catch
players: [anna, boris]
pieces:
  card:
    attributes: {worth: 1..9}
    rows:
      - {name: fox, worth: 2}
      - {name: hare, worth: 5}
      - {name: owl, worth: 7}
places:
  deck: {holds: card, order: pile, seen: none, start: card}
  hand: {per: player, holds: card, seen: owner}
  heap: {holds: card}
values: {caught: {per: player, is: 0..9}, last: {per: player, is: bool}, left: {per: player, is: 0..9, start: 1}}
define:
  others(player p): players except p
actions:
  catch:
    covers: [CA-1, CA-2]
    menu: turn
    when: round > 1
    choose: {c: me.hand where c.worth > 2 and no(heap)}
    do:
      - move: c
        to: heap
      - set: {me.caught: c.worth, me.last: true}
      - reveal: me.hand
        to: others(me)
  look:
    menu: turn
    do:
      - say: you look
        to: me
setup:
  - shuffle: deck
  - for: {p: players}
    do:
      - draw: 1
        from: deck
        to: p.hand
play:
  - rounds: 2
    do:
      - turns: players
        do:
          - choose one: turn
            optional: true
          - reset: [last, heap]
          - phase: rest
            do: {set: {me.last: false}}
campaign:
  keep: [deck, hand]
  between:
    - move: heap
      to: deck
scoring:
  rows: {caught: me.caught + (if me.left > 0 then me.left else 2)}
  ties: [me.caught]
triggers:
  nothing_is_left:
    after: catch
    do: {set: {me.left: 0}}
"""
TESTS = """\
tests:
  - test: a hare is caught
    covers: [CA-1]
    given:
      places: {anna.hand: [hare], boris.hand: [fox], deck: [owl]}
      round: 2
      turn: anna
    expect: {legal: [look, stop, catch hare]}
"""
RULES = """\
# Catch
- **CA-1** From the second round on you may catch a card.
- **CA-2** What you catch lies on the heap.
- **CA-3** Be nice.
"""


def written(folder: Path, game: str = GAME, tests: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "rules.md").write_text(RULES)
    (folder / "game.yaml").write_text(game)
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "catch.yaml").write_text(tests)
    return folder / "game.yaml"


MISTAKES = [
    "`when: round > 1` left out",
    "`c.worth > 2` left out in",
    "`where c.worth > 2",
    "`except p` left out in `players except p`",
    "`last` left out of `reset:`",
    "`heap` left out of `reset:`",
    "`me.last: true` left out of `set:`",
    "without the statement `shuffle: deck`",
    "`seen: owner` opened to all",
    "`reveal` to all and not to `others(me)`",
    "`say` to all and not to `me`",
    "`optional: true` left out",
    "`hand` left out of `keep:`",
    "without the statement `move: heap",
    "`worth` of two rows exchanged: `2` and `5`",
    "`reset: [last, heap]` before `choose one: turn",
    "do: {set: {me.last: false}}` before `reset: [last, heap]`",
    "`me.caught` left out of a sum",
    "`no` made `any`",
    "the row `caught` left out",
    "`if me.left > 0` turned around in `me.caught",
    "`me.caught` left out of `ties:`",
    "the trigger `nothing_is_left` left out",
]


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every change of the game, and what becomes of it without any test: it is unnoticed, or no change."""
    game = load(written(tmp_path_factory.mktemp("catch"), GAME, "tests:\n  - test: t\n    expect: not over\n"))
    bench = mutate.Bench(game)
    return {mutant.what: bench.result(mutant) for mutant in mutants_of(game, bench.statements)}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_made_and_changes_the_rules(mistakes: dict[str, str], what: str) -> None:
    found = [result for mistake, result in mistakes.items() if what in mistake]
    assert found, "\n".join(mistakes)
    assert "noticed" in found or "unnoticed" in found, found


def test_a_rule_is_proven_by_a_change_of_what_carries_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """CA-1 is carried and tested; CA-2 is carried and nobody names it; CA-3 nothing carries."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "catch", tests=TESTS)
    assert main(["coverage", "--rules", "catch"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("CA-1: proven; catch/game.yaml:20"), said
    assert said[1:3] == [
        "CA-2: not tested; catch/game.yaml:20; no test names it",
        "CA-3: not implemented; nothing implements it; no test names it",
    ]
    assert said[3:] == [
        "catch: 3 rules: 1 proven, 0 not proven, 1 not tested, 1 not implemented",
        "50 % of the 2 rules that are implemented are proven",
    ]
    assert main(["coverage", "--rules", "catch", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["percent"], data["left"]) == (50, 0)
    first = data["rules"][0]
    assert (first["rule"], first["state"], first["carried_by"]) == ("CA-1", "proven", ["catch/game.yaml:20"])
    assert first["proof"]["test"] == "a hare is caught"
    assert first["named_by"] == [{"test": "a hare is caught", "at": "catch/tests/catch.yaml:2"}]


def test_a_test_that_names_a_rule_and_would_hold_without_it_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another test may notice the change: it does not name the rule, so the rule stays unproven."""
    monkeypatch.chdir(tmp_path)
    blind = TESTS + "  - test: nothing of the heap\n    covers: [CA-2, CA-9]\n    expect: not over\n"
    written(tmp_path / "catch", tests=blind)
    assert main(["coverage", "--rules", "catch"]) == 1
    said = capsys.readouterr().out
    assert "CA-2: not proven (" in said
    assert "CA-9: not implemented; nothing implements it; 1 test" in said
    assert "CA-9 is not in rules.md" in said


def test_what_stands_within_carries_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A statement, a place and scoring may carry rules; what one of them does proves nothing for what is around it."""
    monkeypatch.chdir(tmp_path)
    game = GAME.replace("    covers: [CA-1, CA-2]\n", "    covers: CA-1\n")
    game = game.replace("        to: heap\n", "        to: heap\n        covers: CA-2\n")
    game = game.replace("hand: {per: player, holds: card, seen: owner}", "hand:\n    covers: [CA-3]\n"
                        "    per: player\n    holds: card\n    seen: owner")  # fmt: skip
    test = TESTS.replace("covers: [CA-1]", "covers: [CA-1, CA-2, CA-3]").replace(
        "    expect: {legal: [look, stop, catch hare]}\n",
        "    expect: {sees: {boris: {anna.hand: 1 hidden}}}\n"
        "    then:\n      - moves: [catch hare]\n        expect: no(anna.hand)\n",
    )
    written(tmp_path / "catch", game, test)
    assert main(["coverage", "--rules", "catch", "--format", "json"]) == 0
    first, second, third = json.loads(capsys.readouterr().out)["rules"]
    assert "move: c" not in first["proof"]["change"]  # though the action is around it
    assert "move: c" in second["proof"]["change"]
    assert "`seen: owner` opened to all" in third["proof"]["change"]


TABLED = """\
ruledsl: 1
game: tabled
players: 1
pieces:
  charm:
    from: charms.yaml
    attributes: {gain: {is: 0..9, otherwise: 0}, use: {is: effect, otherwise: []}}
places:
  heap: {holds: charm, start: charm}
values: {coins: {per: player, is: 0..99}}
play:
  - for: {me: players}
    do:
      - choose: {c: heap}
        label: take {c}
        else: never
      - add: {me.coins: c.gain}
      - c.use()
"""
TAKEN = """\
tests:
  - {test: an acorn, covers: TA-1, moves: [acorn], expect: player_1.coins == 2}
  - {test: a bell, covers: TA-2, moves: [bell], expect: player_1.coins == 7}
"""
CHARMS = """\
acorn: {gain: 2, covers: TA-1}
bell: {use: {add: {me.coins: 7}}, covers: TA-2}
cup: {gain: 1}
"""


def test_rows_of_tables_carry_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row is changed in its values and in the statements that stand in it."""
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path / "tabled", TABLED, TAKEN)
    (tmp_path / "tabled" / "charms.yaml").write_text(CHARMS)
    (tmp_path / "tabled" / "rules.md").write_text("- **TA-1** An acorn.\n- **TA-2** A bell.\n")
    assert main(["check", "tabled"]) == 0
    assert main(["coverage", "--rules", "tabled"]) == 0
    said = capsys.readouterr().out
    assert "TA-1: proven; tabled/charms.yaml:1" in said
    assert "TA-2: proven; tabled/charms.yaml:2" in said
    changes = [str(mutant) for mutant in mutants_of(load(path))]
    assert any("charms.yaml:1: `gain: 2` left out of a row" in change for change in changes)
    assert any("charms.yaml:2: without the statement" in change for change in changes)


def test_members_of_a_type_carry_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A member lacks a value: so it is seen whether a test is about it."""
    monkeypatch.chdir(tmp_path)
    typed = """\
types:
  skill:
    attributes: {worth: {is: 0..9, otherwise: 0}}
    values:
      fast: {worth: 3, covers: CA-1}
      slow: {}
define:
"""
    worth = "expect: sum(s.worth for s in skill) == 3"
    tests = f"tests:\n  - test: what a skill is worth\n    covers: [CA-1]\n    {worth}\n"
    game = GAME.replace("define:\n", typed, 1).replace("c.worth > 2", "c.worth >= sum(s.worth for s in skill)")
    path = written(tmp_path / "catch", game, tests)
    assert "`worth: 3` left out of `fast`" in " ".join(str(mutant) for mutant in mutants_of(load(path)))
    main(["coverage", "--rules", "catch"])
    assert "CA-1: proven" in capsys.readouterr().out


def test_why_a_rule_cannot_be_proven_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told = "unproven:\n  - {rules: [CA-2, CA-3], because: nobody can tell}\n  - {rules: CA-1, because: it is hard}\n"
    written(tmp_path / "catch", tests=TESTS + told)
    assert main(["coverage", "--rules", "catch"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == [
        "CA-2: not tested; catch/game.yaml:20; no test names it; nobody can tell",
        "CA-3: not implemented; nothing implements it; no test names it; nobody can tell",
        "CA-1 is proven: remove it from `unproven:`",
        "catch: 3 rules: 1 proven, 0 not proven, 1 not tested, 1 not implemented (2 explained)",
        "50 % of the 2 rules that are implemented are proven",
    ]
    written(tmp_path / "catch", tests=TESTS + "unproven:\n  - {rule: CA-1, because: it is hard}\n")
    assert main(["coverage", "--rules", "catch"]) == 1
    assert "rules that no test can prove has no key `rule`" in capsys.readouterr().err


def test_tests_that_fail_anyway_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "catch", tests="tests:\n  - test: wrong\n    covers: [CA-1]\n    expect: over\n")
    for words in (["test", "catch", "--mutate"], ["coverage", "catch", "--rules"]):
        assert main(words) == 1
        said = capsys.readouterr().err
        assert "catch: 1 test fails with the rules unchanged; fix the rules or the tests first" in said
        assert "wrong (catch/tests/catch.yaml:2)" in said


def test_who_stops_it_gets_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "catch", tests=TESTS)
    tried = mutate.Bench.result
    seen: list[object] = []

    def stopped(bench: mutate.Bench, mutant: mutate.Mutant) -> str:
        seen.append(mutant)
        if len(seen) > 12:
            raise KeyboardInterrupt
        return tried(bench, mutant)

    monkeypatch.setattr(mutate.Bench, "result", stopped)
    assert main(["test", "catch", "--mutate"]) == 130
    said = capsys.readouterr().out.splitlines()
    assert said[-1].startswith("stopped: ")
    assert said[-1].endswith(" changes not tried")
    assert said[-2].startswith("catch: ")

    def at_once(trial: mutate.Trial, number: int) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(mutate.Trial, "holds", at_once)
    assert main(["coverage", "catch", "--rules"]) == 130
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("CA-1: not proven")
    assert said[-1].startswith("stopped: ")


def test_the_rules_of_a_game_without_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path / "plain", GAME.replace("    covers: [CA-1, CA-2]\n", ""), "tests: []\n")
    (path.parent / "rules.md").unlink()
    assert main(["coverage", "plain", "--rules"]) == 2
    assert "`plain` has no numbered rules" in capsys.readouterr().err


def test_a_loop_without_end_is_cut_soon(tmp_path: Path) -> None:
    """Blocks are counted in the true rules, so nobody waits for a hundred thousand of them."""
    bench = mutate.Bench(load(written(tmp_path, tests=TESTS)))
    assert 0 < bench.steps < 200
    assert bench.most_steps == 1_000 + mutate.MORE_STEPS * bench.steps < mutate.MOST_STEPS


def test_numbers_of_an_effect_pass_nothing_over(tmp_path: Path) -> None:
    """An effect with `covers:` has its statements behind `do:`; a loop between the two is told, not passed over."""
    game = GAME + "effects:\n  spread:\n    covers: [CA-2]\n    do: {set: {anna.caught: 1}}\n"
    assert not pipeline.check(written(tmp_path / "good", game)).errors
    wrong = game.replace("    do: {set: {anna.", "    for: {p: players}\n    do: {set: {anna.")
    assert pipeline.check(written(tmp_path / "wrong", wrong)).errors


COPIED = """\
ruledsl: 1
game: copied
players: 1
values: {n: 0..9}
actions:
  buy_<word>:
    each: {word: [tea, silk]}
    menu: turn
    when: n == 0
    label: buy <word>
    do: {set: {n: 1}}
triggers:
  gift:
    after: buy_tea
    when: n > 5
    do: {set: {n: 9}}
play:
  - choose one: turn
    else: []
  - choose one: turn
    else: []
  - tie: players
"""


def test_what_is_written_once_is_changed_in_all_its_copies(tmp_path: Path) -> None:
    """A slip in what `each:` copies is in every copy: a test of any of them notices."""
    for word in ("tea", "silk"):
        tests = f"tests:\n  - test: once\n    moves: [buy {word}]\n    expect: over\n"
        path = tmp_path / "copied.yaml"
        path.write_text(COPIED + tests)
        game = load(path)
        bench = mutate.Bench(game)
        gone = [m for m in mutants_of(game, bench.statements) if m.what == "`when: n == 0` left out"]
        assert len(gone) == 1
        assert bench.result(gone[0]) == "noticed"


def test_a_trigger_that_should_not_run_is_noticed_where_it_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "copied.yaml"
    path.write_text(COPIED + "tests:\n  - test: no gift\n    moves: [buy tea]\n    expect: n == 1\n")
    game = load(path)
    bench = mutate.Bench(game)
    gone = next(m for m in mutants_of(game, bench.statements) if m.what == "`when: n > 5` left out")
    assert bench.result(gone) == "noticed"


def test_what_a_copy_calls_by_its_own_name_is_one_change_all_the_same(tmp_path: Path) -> None:
    text = COPIED.replace("n == 0", "n == 0 and <word> < 9").replace("n: 0..9", "n: 0..9, tea: 0..9, silk: 0..9")
    path = tmp_path / "copied.yaml"
    path.write_text(text + "tests:\n  - test: once\n    moves: [buy silk]\n    expect: over\n")
    game = load(path)
    bench = mutate.Bench(game)
    (gone,) = [m for m in mutants_of(game, bench.statements) if m.what.startswith("`n == 0` left out")]
    assert len(gone.also) == 1
    assert bench.result(gone) == "noticed"


def test_changes_that_read_alike_where_they_are_cut_off_are_several(tmp_path: Path) -> None:
    """Of `A and B and C` the part `A and B` is left out, or `A`: where `A` is long, the report tells both alike."""
    first = " and ".join(f"n != {number}" for number in (3, 4, 5, 6, 7, 8))
    path = tmp_path / "copied.yaml"
    path.write_text(COPIED.replace("n == 0", f"{first} and n == 0 and n < 9") + "tests: []\n")
    game = load(path)
    found = mutants_of(game)
    told = Counter((m.span.line, m.span.column, m.what) for m in found)
    assert max(told.values()) == 2
    assert len({noted._name(m) for m in found}) == len(found)
