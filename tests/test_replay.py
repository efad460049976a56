"""Replays: what `play --record` writes can be played again, and changed rules are caught at the first difference."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from games import EXAMPLES, named
from ruledsl.cli.main import main
from ruledsl.runtime.play import Play
from ruledsl.runtime.replay import Recorder, ReplayError, Rerun, parse, short_hash
from ruledsl.runtime.typed import told

ROOT = Path(__file__).resolve().parents[1]
HIGH_CARD = ROOT / "tests/play/high-card.yaml"


def recorded(path: Path, seed: int = 7, most: int = 60) -> tuple[Play, str]:
    """A random play, and its replay."""
    rng = random.Random(seed)
    play = ruledsl.load(path).start(seed=seed)
    recorder = Recorder(play)
    for _ in range(most):
        if play.over:
            break
        seat = rng.choice(play.pending)
        play.choose(rng.choice(play.options(seat)), seat)
        recorder.note()
    return play, recorder.text()


def rerun(path: Path, text: str) -> Rerun:
    again = Rerun(ruledsl.load(path), parse(text))
    while not again.done:
        again.step()
    return again


@pytest.mark.parametrize("path", [*EXAMPLES, HIGH_CARD], ids=named)
def test_a_replay_comes_to_the_same_state(path: Path) -> None:
    play, text = recorded(path)
    again = rerun(path, text)
    assert again.parted is None
    assert again.same_rules
    assert short_hash(again.play) == short_hash(play)
    assert again.play.view(0) == play.view(0)
    assert again.play.winners == play.winners


@pytest.mark.parametrize("path", [*EXAMPLES, HIGH_CARD], ids=named)
def test_what_is_written_down_is_worked_out_only_when_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, expected, asked = random.Random(3), list[str](), list[object]()
    play = ruledsl.load(path).start(seed=3)
    with monkeypatch.context() as patched:
        patched.setattr("ruledsl.runtime.play.told", asked.append)
        for _ in range(40):
            if play.over:
                break
            seat = rng.choice(play.pending)
            options = play.options(seat)
            if rng.random() < 0.2 and play.together is None:  # a copy reads what is taken back in the other
                twin = play.copy()
                twin.choose(rng.choice(options), seat)
                twin.undo()
                twin.choose(rng.choice(options), seat)
            one = rng.randrange(len(options))
            expected.append(told(options)[one])
            play.choose(options[one], seat)
    assert not asked
    assert [d.text for d in play.decisions if d.seat >= 0] == expected
    if len(expected) > 1 and play.together is None:
        twin = play.copy()
        while len([d for d in play.decisions if d.seat >= 0]) > 1 and play.undo():
            pass
        assert [d.text for d in twin.decisions if d.seat >= 0] == expected


def test_a_replay_does_not_need_the_streams_of_chance() -> None:
    play, text = recorded(HIGH_CARD)
    header, *rows = text.splitlines()
    other = json.dumps({**json.loads(header), "seed": 12345})
    again = rerun(HIGH_CARD, "\n".join([other, *rows]))
    assert again.parted is None
    assert short_hash(again.play) == short_hash(play)


def test_what_was_taken_back_is_not_in_a_replay() -> None:
    play = ruledsl.load(ROOT / "examples/tic-tac-toe.yaml").start()
    recorder = Recorder(play)
    for cell in ["a1", "b1", "c1"]:
        play.choose(f"place at {cell}")
        recorder.note()
    play.undo()
    recorder.note()
    rows = [json.loads(line) for line in recorder.text().splitlines()]
    assert [row.get("option") for row in rows] == [None, "cell=a1", "cell=b1"]
    assert rerun(ROOT / "examples/tic-tac-toe.yaml", recorder.text()).parted is None


def test_what_was_taken_back_in_secret_is_not_in_a_replay() -> None:
    path = ROOT / "examples/rock-paper-scissors.yaml"
    play = ruledsl.load(path).start()
    recorder = Recorder(play)
    play.choose("rock", 0)
    assert play.take_back(0)
    recorder.note()
    play.choose("paper", 0)
    play.choose("scissors", 1)
    recorder.note()
    options = [json.loads(line).get("option") for line in recorder.text().splitlines()]
    assert options == [None, "s=paper", "s=scissors"]
    assert rerun(path, recorder.text()).parted is None


CHANGES = {
    "an option is gone": ("c: opponent.hand", "c: opponent.hand where c.value > 9", "option"),
    "a card more": ("{name: eight, value: 8}", "{name: eight, value: 8, copies: 2}", "chance"),
    "another player": ("- for: {me: players}\n        do:", "- for: {me: players from bob}\n        do:", "player"),
    "fewer rounds": ("rounds: 3", "rounds: 1", "over"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_rules_are_caught_where_they_matter(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, kind = CHANGES[name]
    game = tmp_path / "high-card.yaml"
    rules = HIGH_CARD.read_text(encoding="utf-8")
    assert old in rules
    game.write_text(rules, encoding="utf-8")
    play = ruledsl.load(game).start(seed=1)
    recorder = Recorder(play)
    for word in ["steal", "lay", "lay", "lay", "lay", "lay"]:
        options = play.options()
        play.choose(next((o for o in options if o.action == word), options[0]))
        recorder.note()
    file = tmp_path / "play.jsonl"
    file.write_text(recorder.text(), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    assert "Replayed without a difference: 6 decisions." in capsys.readouterr().out

    game.write_text(rules.replace(old, new), encoding="utf-8")
    again = rerun(game, recorder.text())
    assert again.parted is not None
    assert again.parted.kind == kind
    assert main(["replay", str(file), "--show"]) == 1
    out = capsys.readouterr().out
    assert "The rules have changed since this was recorded: high-card.yaml." in out
    assert "The replay differs " in out
    if kind == "option":
        assert "decision 1, by ann:" in out
        assert "recorded `steal c=hidden_1`, which is not an option now" in out
        assert "options now, the nearest first: `lay c=" in out


def test_until_stops_before(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "play.jsonl"
    file.write_text(recorded(ROOT / "examples/tic-tac-toe.yaml")[1], encoding="utf-8")
    assert main(["replay", str(file), "--until", "2", "--show", "--lang", "ru"]) == 0
    out = capsys.readouterr().out
    assert "Повторено без расхождений, решений: 2." in out
    assert "Крестики-нолики · ход 3" in out


def test_a_hash_that_differs_under_the_same_rules_is_told() -> None:
    _, text = recorded(ROOT / "examples/tic-tac-toe.yaml")
    rows = [json.loads(line) for line in text.splitlines()]
    rows[2]["state"] = "0000000000"
    again = rerun(ROOT / "examples/tic-tac-toe.yaml", "\n".join(map(json.dumps, rows)))
    assert again.parted is not None
    assert (again.parted.kind, again.parted.number) == ("state", 2)


HEADER = json.loads(recorded(ROOT / "examples/tic-tac-toe.yaml")[1].splitlines()[0])
BROKEN = {
    "nothing": "",
    "no JSON": "{",
    "deep": "[" * 100_000,
    "no record": "[1]",
    "a save": '{"ruledsl": 1}',
    "another format": json.dumps({**HEADER, "replay": 2}),
    "no players": json.dumps({**HEADER, "players": []}),
    "players of another sort": json.dumps({**HEADER, "players": [1]}),
    "options of another sort": json.dumps({**HEADER, "options": []}),
    "no seed": json.dumps({**HEADER, "seed": None}),
    "another game": json.dumps({**HEADER, "game": "chess"}),
    "no game": json.dumps({**HEADER, "game": "../../etc/passwd"}),
    "too many players": json.dumps({**HEADER, "players": list("abcdefgh")}),
    "an unknown option": json.dumps({**HEADER, "options": {"x": 1}}),
    "a decision of another sort": json.dumps(HEADER) + '\n{"n": 1}',
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_replay(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(BROKEN[name], encoding="utf-8")
    words = ["replay", str(file)] + (["--game", "tic-tac-toe"] if name == "another game" else [])
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("ruledsl: ")
    assert "bug in ruledsl" not in said.err


def test_odd_records_part_from_the_rules_or_are_refused() -> None:
    rng = random.Random(1)
    game = ruledsl.load(HIGH_CARD)
    _, text = recorded(HIGH_CARD)
    rows = [json.loads(line) for line in text.splitlines()]
    odd: list[Any] = [None, True, -1, 10**30, "", "x" * 1000, [], [["five"]], ["five"], {}, [1, 2], "lay", "bob"]
    for _ in range(300):
        broken = json.loads(json.dumps(rows))
        row = rng.choice(broken)
        row[rng.choice(list(row))] = rng.choice(odd)
        try:
            again = Rerun(game, parse("\n".join(map(json.dumps, broken))))
            while not again.done:
                again.step()
        except (ReplayError, ValueError):
            continue
