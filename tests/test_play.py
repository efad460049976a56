"""The command `play`: whole transcripts as a person reads them, and what must hold whatever is typed."""

import io
import json
import os
import pty
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, named
from ruledsl.bots.guess import Guess
from ruledsl.cli.main import main
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.session import Script, Session, Settings
from ruledsl.cli.terminal.words import CLEAR, COMMANDS, TEXTS, command_of
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import pick, search
from ruledsl.runtime.why import why

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "tests/play"
HIGH_CARD = "tests/play/high-card.yaml"

Typed = Callable[..., tuple[int, str, str]]
Golden = Callable[[str, Path], None]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Runs `ruledsl` with these lines typed: its exit code, what it wrote, and its complaints."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("RULEDSL_DEBUG", raising=False)

    def run(words: list[str], lines: list[str] | None = None) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines or [])))
        code = main(words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


TRANSCRIPTS = {
    "one-person": (
        ["tic-tac-toe", "--seed", "1", "--bot", "random"],
        ["help", "rules", "log", "b2", "why b2", "why frog", "a", "z9", "12", "hint", "undo", "undo", "5", "options a",
         "a1", "1", "1"],
    ),
    "two-people-in-russian": (
        ["tic-tac-toe", "--seats", "human,human", "--lang", "ru"],
        ["помощь", "b2", "почему b2", "a1", "отмена", "c1", "журнал", "вариант", "a3",
         "доска", "c3", "сохранить", "a2", "c2"],
    ),
    "a-draw": (["tic-tac-toe", "--seats", "human,human"], ["a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3", "b1"]),
    "hidden-cards": (
        [HIGH_CARD, "--seed", "1", "--seats", "human,human"],
        ["why pray", "why lay eight", "why gamble", "steal", "3", "undo", "2", "why steal", "pray", "1", "why pray",
         "log", "lay two", "1", "1"],
    ),
    "tiles": (
        ["tests/play/rivers.yaml", "--seed", "2", "--seats", "human,human", "--lang", "ru"],
        ["излучина", "0,1", "доска", "1", "лодку", "ручей", "отмена", "родник", "1", "2", "стоп"],
    ),
    "at-once": (
        ["rock-paper-scissors", "--option", "best_of=2", "--seats", "human,human"],
        ["rock", "undo", "paper", "scissors", "log", "rock", "rock"],
    ),
    "input-that-ends": (["breakthrough", "--seed", "1", "--bot", "random"], ["b2", "why a1 a2", "why d5", "b2-b3"]),
}  # fmt: skip


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript(name: str, typed: Typed, golden: Golden) -> None:
    words, lines = TRANSCRIPTS[name]
    code, out, err = typed(["play", *words], lines)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80, max(out.splitlines(), key=len)
    assert "\x1b" not in out
    golden(out, HERE / f"{name}.txt")


def test_moves_from_a_file(typed: Typed, golden: Golden, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("# the middle first\nb2\nnought: place at a1  # a corner\ncell=b1\n\nc1\nb3\n", encoding="utf-8")
    code, out, err = typed(["play", "tic-tac-toe", "--moves", str(moves)])
    assert (code, err) == (0, "")
    golden(out, HERE / "moves.txt")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["b2", "b2"], "b2 is not empty: mark of cross"),
        (["b2", "cross: a1"], "nought to choose"),
        (["b2", "at"], "matches several options"),
        (["b2", "b9"], "nothing here is called `b9`"),
    ],
)
def test_a_wrong_move_in_a_file_is_told_with_its_line(
    lines: list[str], said: str, typed: Typed, tmp_path: Path
) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("\n".join(lines), encoding="utf-8")
    code, out, err = typed(["play", "tic-tac-toe", "--moves", str(moves)])
    assert (code, err) == (1, "")
    assert f"{moves}:2: " in out
    assert said in out


def test_moves_that_end_early_show_what_is_asked(typed: Typed, tmp_path: Path) -> None:
    (tmp_path / "m").write_text("b2", encoding="utf-8")
    code, out, _ = typed(["play", "tic-tac-toe", "--moves", str(tmp_path / "m")])
    assert code == 0
    assert "The moves in the file end here.\nnought to choose" in out


def test_a_play_that_is_left_goes_on_from_its_save(typed: Typed, tmp_path: Path) -> None:
    save = tmp_path / "my save"
    code, out, _ = typed(["play", HIGH_CARD, "--seed", "3", "--seats", "human,human", "--save", str(save)], ["1"])
    assert code == 0
    command = f"ruledsl play {HIGH_CARD} --from '{save}'"
    assert f"Saved in {save}. To continue later: {command}" in out
    code, out, _ = typed(["play", HIGH_CARD, "--from", str(save), "--seats", "human,human"], ["1", "quit"])
    assert code == 0
    assert "The game continues where you left it." in out
    assert "bob> 1" in out
    assert "ann> quit" in out


USAGE = {
    "--seats human,human,human": (
        "--seats names 3 seats, and there are 2 players: cross, nought; set the number with `--players`"
    ),
    "--seats human,grady": "there is no bot `grady`; did you mean `greedy`?",
    "--bot frog": "there is no bot `frog`",
    "--names anna,boris": "have names of their own: cross, nought",
    "--names a-b,c": "--names takes different names",
    "--players 5": "not 5",
    "--option x=1": "has no option `x`",
    "--preset x": "there is no preset `x`",
    "--moves nowhere.txt": "cannot use `nowhere.txt`",
    "--from nowhere.save": "cannot use `nowhere.save`",
    "--from pyproject.toml": "this is not a save of a play",
    "--from pyproject.toml --seed 1": "use only --from",
    "--record nowhere/else": "there is no folder `nowhere`",
    "--lang fr": "invalid choice",
    "--seed x": "invalid int value",
}


@pytest.mark.parametrize("words", USAGE)
def test_a_command_line_that_cannot_be_followed(words: str, typed: Typed) -> None:
    code, _, err = typed(["play", "tic-tac-toe", *words.split()])
    assert code == 2
    assert USAGE[words] in err
    assert "bug in ruledsl" not in err


def test_bots_alone_tell_what_they_do(typed: Typed) -> None:
    code, out, _ = typed(["play", "tic-tac-toe", "--seed", "4", "--seats", "greedy,random"])
    assert code == 0
    assert re.match(r"cross: place at \w\d\nnought: place at \w\d\n", out)
    assert "The game is over." in out


# ------------------------------------------------------------------------------------- what is typed


@pytest.mark.parametrize(
    ("line", "found"),
    [("5", ["place at b2"]), ("b2", ["place at b2"]), ("cell=b2", ["place at b2"]), ("PLACE  at b2", ["place at b2"]),
     ("at c3", ["place at c3"]), ("10", []), ("0", []), ("z", []), ("", []), ("-", []), ("9" * 5000, [])],
)  # fmt: skip
def test_what_a_line_picks(line: str, found: list[str]) -> None:
    play = ruledsl.load(ROOT / "examples/tic-tac-toe.yaml").start()
    assert [o.text for o in pick(play, None, line, numbers=True).options] == found


def test_an_exact_text_counts_more_than_a_number_and_a_part() -> None:
    play = ruledsl.load(ROOT / "examples/breakthrough.yaml").start()
    assert pick(play, None, "a2-a3").one is not None
    assert {o.text for o in pick(play, None, "b2").options} == {"b2-a3", "b2-b3", "b2-c3"}
    assert {o.text for o in search(play.options(), "2-a")} == {"a2-a3", "b2-a3"}


def test_every_command_has_a_word_in_every_language_and_no_word_twice() -> None:
    words = [word for known in COMMANDS.values() for word in known]
    assert len(set(words)) == len(words)
    assert command_of(" ПОЧЕМУ b2 ") == ("why", "b2")
    assert command_of("whyever") is None


def test_every_text_is_there_in_both_languages_with_the_same_holes() -> None:
    for key, table in TEXTS.items():
        assert set(table) == {"en", "ru"}, key
        holes = [sorted(set(re.findall(r"{(\w+)[:}]", text))) for text in table.values()]
        assert holes[0] == holes[1], key


BIDS = """
ruledsl: 1
game: bids
players: 1..2
play:
  - turns: players
    do:
      - choose: {n: 1..90}
        label: bid {n}
      - end: game
scoring: {rows: {all: 1}}
"""
ODD = ["1", "2", "why", "why 1", "options", "undo", "hint", "board", "log", "why a1", "a1", "b2 c3", "save", "save /",
       "\x00", "\x1b[2J", "ж", "{x}", "%s", "why {0}", "-1", "why king e2", "rules", "help x", "почему a2-a4", "=",
       "a=="]  # fmt: skip


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_whatever_is_typed_there_is_an_answer(path: Path, typed: Typed) -> None:
    rng = random.Random(path.stem)
    lines = [rng.choice([*ODD, str(rng.randrange(30))]) for _ in range(25)]
    language = rng.choice(["en", "ru"])
    code, out, err = typed(["play", str(path), "--seed", "5", "--bot", "random", "--lang", language], lines)
    assert (code, err) == (0, "")
    assert not re.search("[\x00-\x09\x0b-\x1f]", "".join(line for line in out.splitlines(True) if "> " not in line))


# ------------------------------------------------------------------------------------- what is hidden


def test_one_range_of_numbers_is_shown_where_one_of_it_is_asked_for(typed: Typed, tmp_path: Path) -> None:
    path = tmp_path / "bids.yaml"
    path.write_text(BIDS, encoding="utf-8")
    code, shown, _ = typed(["play", str(path), "--players", "1"], ["bid 7"])
    assert code == 0
    assert "Type one of these, for example `bid 1`:\n  bid 1–90\n" in shown, shown


def test_people_hand_over_the_terminal_where_something_is_hidden() -> None:
    play = ruledsl.load(ROOT / HIGH_CARD).start(seed=1)
    shown: list[str] = []
    lines = iter(["", "lay", "1", "", "quit"])

    def read(prompt: str) -> str:
        shown.append(prompt)
        return next(lines)

    session = Session(play, [None, None], Settings(secret=True), Face(shown.append, read))
    assert session.run() is False
    turns = "\n".join(shown).split(CLEAR)
    order = play.world.pieces.names.index  # as they are declared
    views = {name: play.viewer.view(play.undo_points[0][0][:], seat) for seat, name in enumerate(["ann", "bob"])}
    hands = [", ".join(sorted(view["places"][f"{name}_hand"], key=order)) for name, view in views.items()]
    assert [("Hand the terminal to ann" in t, "Hand the terminal to bob" in t) for t in turns] == [
        (False, False), (True, False), (False, False), (False, True), (False, False), (False, False)]  # fmt: skip
    assert turns[5].strip() == ""  # who leaves leaves nothing behind
    assert f"ann (you) · purse 1 · 1 point (coins: 1) · hand: {hands[0]}" in turns[2]
    assert hands[1] not in turns[2]
    assert f"bob (you) · purse 1 · 1 point (coins: 1) · hand: {hands[1]}" in turns[4]


def together(play: Play, lines: list[str], settings: Settings) -> list[str]:
    """What is written while people decide at once: the screens, each until it is cleared."""
    shown: list[str] = []
    typed = iter(lines)

    def read(prompt: str) -> str:
        shown.append(prompt)
        line = next(typed, "quit")
        shown.append(line)
        return line

    Session(play, [None] * len(play.players), settings, Face(shown.append, read)).run()
    return "\n".join(shown).split(CLEAR)


def test_nothing_is_left_on_the_screen_of_what_was_decided_in_secret() -> None:
    """Each drafts, one of them twice; what the next person can read, scroll back to or call back has nothing of it."""
    play = ruledsl.load(ROOT / "examples/rock-paper-scissors.yaml").start()
    forgotten: list[int] = []
    lines = ["", "scissors", "", "undo", "log", "board", "paper", "log"]
    screens = together(play, lines, Settings(secret=True, forget=lambda: forgotten.append(len(play.decisions))))
    first, second = (screen for screen in screens if "Options:" in screen)
    assert "player 1> \nscissors" in first
    before, after = second.split("player 2> \npaper")
    assert "There is nothing to take back" in before
    assert "scissors" not in before.replace("3  scissors", "").replace("Rock paper scissors", "")
    assert "player 1: scissors" in after
    assert not any("scissors" in screen for screen in screens if "Options:" not in screen)
    assert forgotten == [0, 1]


def test_where_the_screen_is_not_cleared_it_says_for_whom_what_follows_is() -> None:
    play = ruledsl.load(ROOT / "examples/rock-paper-scissors.yaml").start()
    (screen,) = together(play, ["rock", "paper"], Settings())
    parts = screen.split("── For ")
    assert [part.split(" only")[0] for part in parts[1:]] == ["player 1", "player 2"]
    assert "player 1: rock" not in parts[1]
    assert "rock" not in parts[2].split("paper\n\n")[0].replace("1  rock", "")


def test_what_is_taken_back_is_told_as_the_one_may_know_it_who_takes_it_back(tmp_path: Path) -> None:
    path = tmp_path / "lay.yaml"
    path.write_text(
        """
ruledsl: 1
game: lay
players: [anna, boris]
pieces:
  disc: {per: player, start: hand, rows: [{name: flower, copies: 2}, {name: skull}]}
places:
  hand: {per: player, holds: disc, seen: owner}
  mat: {per: player, holds: disc, seen: owner}
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose: {d: me.hand}
        label: lay {d}
        else: []
      - move: d
        to: me.mat
""",
        encoding="utf-8",
    )
    shown: list[str] = []
    lines = iter(["lay skull", "undo", "lay flower", "undo", "quit"])
    play = ruledsl.load(path).start()
    Session(play, [None, None], Settings(), Face(shown.append, lambda prompt: next(lines))).run()
    assert [line for line in shown if line.startswith("Taken back")] == ["Taken back: anna: lay a hidden card"] * 2
    shown.clear()
    moves = Script([(1, "lay skull"), (2, "lay flower")], "moves")
    Session(ruledsl.load(path).start(), [None, None], Settings(), Face(shown.append, input), moves).run()
    assert "anna: lay a hidden card" in shown
    assert not any("lay skull" in line for line in shown[: shown.index("boris: lay a hidden card")])


def test_why_says_the_same_whatever_the_hidden_cards_are() -> None:
    play = ruledsl.load(ROOT / HIGH_CARD).start(seed=1)
    play.choose(0)
    play.choose(0)
    texts = ["lay one", "lay eight", "steal", "steal one", "gamble", "pray", "steal hidden_1", *play.world.pieces.names]
    answers: dict[frozenset[str], list[list[str]]] = {}  # by what is offered, which everybody may read
    for seed in range(12):
        twin = play.copy()
        twin.state = Guess(play, 0, random.Random(seed)).state
        twin.go_on()
        offered = frozenset(o.text for o in twin.options(0))
        said = [why(twin, 0, text).lines() for text in texts if text not in offered and text != "gamble"]
        assert answers.setdefault(offered, said) == said
        if "gamble" not in offered:
            assert why(twin, 0, "gamble").reasons == ("this depends on something hidden from you",)
    assert len(answers) == 2


# ------------------------------------------------------------------------------------- taking back


def test_taking_back_gives_the_state_before() -> None:
    play = ruledsl.load(ROOT / "examples/breakthrough.yaml").start()
    before = play.to_json()
    lines = iter(["b2-b3", "undo", "quit"])
    session = Session(play, [None, None], Settings(), Face(lambda line: None, lambda prompt: next(lines)))
    session.run()
    assert play.to_json() == before


def test_what_showed_something_hidden_stands() -> None:
    play = ruledsl.load(ROOT / HIGH_CARD).start(seed=1)
    shown: list[str] = []
    lines = iter(["lay five" if "lay five" in {o.text for o in play.options()} else "1", "undo", "quit"])
    Session(play, [None, None], Settings(), Face(shown.append, lambda prompt: next(lines))).run()
    assert "This cannot be taken back: something hidden has been revealed since." in shown


# ------------------------------------------------------------------------------------- a real terminal


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_person_at_a_terminal_gets_colours_and_can_leave() -> None:
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT), "COLUMNS": "80", "LINES": "24"}
    env.pop("NO_COLOR", None)
    words = [sys.executable, "-m", "ruledsl", "play", "tic-tac-toe", "--seed", "1", "--lines"]
    with subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=ROOT, close_fds=True) as process:
        os.close(slave)
        out = ""
        for line, expected in (("b2", "cross> "), ("quit", "cross> "), ("no", "keep playing> ")):
            out += until(master, expected)
            os.write(master, f"{line}\n".encode())
        out += until(master, "You left the game before its end")
        assert process.wait(10) == 0
    os.close(master)
    assert "\x1b[" in out
    assert "Traceback" not in out


def until(master: int, expected: str) -> str:
    """What the terminal shows up to an expected text."""
    found, end = "", time.monotonic() + 20
    while expected not in found:
        assert time.monotonic() < end, found
        if select.select([master], [], [], 0.5)[0]:
            try:
                found += os.read(master, 65536).decode(errors="replace")
            except OSError:
                break
    return found


def test_a_record_is_written_while_playing(typed: Typed, tmp_path: Path) -> None:
    record = tmp_path / "play.jsonl"
    words = ["play", "tic-tac-toe", "--seats", "human,human", "--record", str(record), "--lang", "ru"]
    typed(words, ["b2", "a1", "undo", "c1", "quit"])
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert [(row["player"], row["option"]) for row in rows[1:]] == [("cross", "cell=b2"), ("nought", "cell=c1")]


def test_what_was_done_before_all_decide_at_once_is_not_said_to_be_nothing(typed: Typed) -> None:
    play = ["play", "rock-paper-scissors", "--seats", "human,human"]
    code, out, _ = typed(play, ["undo", "rock", "paper", "undo", "scis", "quit"])
    assert code == 0
    first, second = out.split("round 2")
    assert "There is nothing to take back." in first
    assert "While all players decide at once, earlier decisions cannot be taken back." in second
    assert "One option matches `scis`:\n  3  scissors" in second
