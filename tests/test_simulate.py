"""Simulations: the same whatever does them, true where the truth is known, and told whole."""

import csv
import io
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ruledsl
from games import NAMES, PATHS, ROOT, load
from ruledsl.bots.base import ask, make, seated
from ruledsl.cli.main import main
from ruledsl.engine import batch
from ruledsl.engine.batch import DECISIONS, ENDING, Shape, play_seed
from ruledsl.engine.random import draw, seeded
from ruledsl.ir import core as C
from ruledsl.ir.core import VOID
from ruledsl.simulation import executors, work
from ruledsl.simulation.executors import Unavailable
from ruledsl.simulation.findings import findings
from ruledsl.simulation.interpreter import Interpreter
from ruledsl.simulation.played import Played
from ruledsl.simulation.report import _bar, _rooms
from ruledsl.simulation.run import Result, WorkerLost, simulate
from ruledsl.simulation.statistics import measure, share, student
from ruledsl.simulation.text import summary
from ruledsl.simulation.work import Task, Work

HERE = ROOT / "tests/simulate"
SPLIT = HERE / "split.yaml"
TIC_TAC_TOE = ROOT / "examples/tic-tac-toe.yaml"
CAMPAIGN = HERE / "purse.yaml"
HOARD = HERE / "hoard.yaml"
BRINK = HERE / "brink.yaml"
PLAYS, LIMIT = 2, 150


def task(path: Path, **more: object) -> Task:
    return Task(str(path), load(path).players[0], **more)  # type: ignore[arg-type]


def same(one: Result, other: Result) -> bool:
    return (one.done, one.digests, one.counts, one.faults) == (other.done, other.digests, other.counts, other.faults)


# ---------------------------------------------------------------------------------------------- what is the same


@pytest.mark.long
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("game", ["fjords", "fortress", "outpost", "serpent"])
def test_hundreds_of_plays_of_large_games_are_the_same_on_every_executor(game: str, players: int) -> None:
    loaded = load(ROOT / "games" / game / "game.yaml")
    if players not in loaded.players:
        pytest.skip(f"{game} is not for {players}")
    configured, plays = loaded.configured(players), 200
    shape, found = Shape(configured.machine.program), []
    for make_executor in executors.EXECUTORS.values():
        rows, counts = array("q", [0]) * (shape.width * plays), array("q", [0]) * shape.counts
        make_executor(configured).run(11, 0, rows, counts, 10_000)
        found.append((rows, counts))
    assert VOID not in found[0][0][ENDING :: shape.width]
    assert all(one == found[0] for one in found)


def test_what_a_seed_means_is_settled_bit_for_bit() -> None:
    """Other executors repeat these numbers, and so must every later version."""
    assert [play_seed(0, 0), play_seed(1, 0), play_seed(1, 1), play_seed(-1, 10**9)] == SEEDS
    stream = [seeded(play_seed(1, 0), batch.BOT_STREAM)]
    assert [draw(stream, 0, n) for n in (2, 3, 10, 1000, 2**31)] == DRAWS


SEEDS = [234558385460646, 13038937419675, 89451859781711, 271438820516768]
DRAWS = [1, 2, 5, 670, 2011773603]


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_plays_at_random_are_those_of_random_bots(path: Path) -> None:
    """Every executor takes the same decisions as bots do through `Play`, and counts the same."""
    game = load(path)
    count = game.players[0]
    configured = game.configured(count)
    slow = Played(game, count, {}, None, ["random"] * count)
    wanted, shape = array("q", [0]) * slow.shape.counts, slow.shape
    played = [row for _, _, _, row, _ in slow.run(7, 0, PLAYS, wanted, LIMIT)]
    assert VOID not in [row[ENDING] for row in played]
    for name in executors.EXECUTORS:
        try:
            quick = executors.EXECUTORS[name](configured)
        except Unavailable:
            continue
        rows, counts = array("q", [0]) * (shape.width * PLAYS), array("q", [0]) * shape.counts
        quick.run(7, 0, rows, counts, LIMIT)
        assert [list(rows[i * shape.width : (i + 1) * shape.width]) for i in range(PLAYS)] == played, name
        assert counts == wanted, name
    taken = 0
    for block, base in shape.choices.items():
        end = configured.machine.program.blocks[block].end
        assert isinstance(end, C.Choice)
        taken += sum(wanted[base : base + len(end.entries) + batch.BESIDE])
    assert taken == sum(row[DECISIONS] for row in played)


@pytest.mark.parametrize("game", ["examples/draughts", "examples/love-letter", "examples/yacht", "games/serpent/game"])
def test_blocks_tell_of_statements_what_marks_tell(game: str) -> None:
    """A simulation counts blocks; whoever watches single statements is told by marks. Both know the same beginnings."""
    loaded = load(ROOT / f"{game}.yaml")
    plain, marked = loaded.configured(), ruledsl.Game(loaded.blueprint, marks=True).configured()
    blocks = marked.machine.program.blocks
    acts = [(op, n) for n, block in enumerate(blocks) for op in block.ops if isinstance(op, C.Act)]
    marks = [(op.span, n) for op, n in acts if op.name == "mark"]
    assert marks
    assert len(blocks) == len(plain.machine.program.blocks)
    assert sorted(marks, key=str) == sorted(plain.world.data["begun"], key=str)


@pytest.mark.parametrize("game", ["love-letter", "court-intrigue"])
def test_what_bots_try_out_is_not_counted(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that think, and then choose as those that do not, leave the same figures."""

    def counted() -> Any:
        loaded = load(ROOT / "examples" / f"{game}.yaml")
        slow = Played(loaded, loaded.players[0], {}, None, ["random"] * loaded.players[0])
        counts = array("q", [0]) * slow.shape.counts
        return [row for _, _, _, row, _ in slow.run(7, 0, 2, counts, 25)], counts

    def thinks(chooser: Any, play: Any, seat: int) -> int:
        ask(make("search:20", 1), play, seat)
        return ask(chooser, play, seat)

    wanted = counted()
    monkeypatch.setattr("ruledsl.simulation.played.ask", thinks)
    assert counted() == wanted


def test_a_play_of_a_simulation_can_be_seen_again(capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[bytes] = []
    simulate(task(TIC_TAC_TOE, table=".jsonl"), 6, took=lines.append)
    for one in map(json.loads, b"".join(lines).splitlines()):
        main(["play", str(TIC_TAC_TOE), "--seats", "random,random", "--seed", str(one["seed"])])
        said = capsys.readouterr().out
        wanted = f"{one['winners'][0]} wins." if one["winners"] else "draw"
        assert wanted in said.splitlines()[-1].lower()


@pytest.mark.parametrize("bots", ["random,random", "greedy,random"])
def test_a_void_play_of_a_campaign_can_be_seen_again(
    bots: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By the commands that the summary names; every play on the way is that of the simulation."""
    monkeypatch.chdir(tmp_path)
    words = ["simulate", str(BRINK), "-n", "9", "--campaign", "5", "--bots", bots, "--seed", "2", "-o", "plays.csv"]
    assert main(words) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("    to see it: "))
    first, then = lines[at].partition(": ")[2], lines[at + 1].partition(": ")[2]
    rows = list(csv.DictReader((tmp_path / "plays.csv").open(encoding="utf-8")))
    number = next(row["campaign"] for row in rows if row["ending"] == "void")
    plays = [row for row in rows if row["campaign"] == number]
    seats = f"--seats {bots}"
    assert first == f"ruledsl play {BRINK} --campaign new.json {seats} --seed {plays[0]['seed']}"
    assert lines[at + 1] == f"    then, up to play {len(plays)}: ruledsl play {BRINK} --campaign new.json {seats}"
    assert len(plays) > 1
    for i, row in enumerate(plays):
        assert main((then if i else first).split()[1:]) == (row["ending"] == "void")
        said = capsys.readouterr().out
        assert said.count(": take ") == int(row["decisions"])
        ending = "this divides by 0" if row["ending"] == "void" else f"{row['winners'].replace('_', ' ')} wins."
        assert ending in said


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors", "split"])
def test_jobs_change_nothing(name: str) -> None:
    path = SPLIT if name == "split" else ROOT / f"examples/{name}.yaml"
    one, two = list[bytes](), list[bytes]()
    alone = simulate(task(path, table=".jsonl", seed=5), 300, jobs=1, took=one.append)
    both = simulate(task(path, table=".jsonl", seed=5), 300, jobs=2, took=two.append)
    assert same(alone, both)
    assert b"".join(one) == b"".join(two)
    assert [json.loads(line)["play"] for line in b"".join(one).splitlines()] == list(range(1, 301))


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """For executors that let go of the interpreter; this one does not, and is slowed down by a lock of its own."""
    from threading import Lock

    class Free(Interpreter):
        threads = True
        turn = Lock()

        def run(self, *all_of_it: Any) -> None:
            with self.turn:
                super().run(*all_of_it)

        def fault(self, *all_of_it: Any) -> Any:
            with self.turn:
                return super().fault(*all_of_it)

    alone = simulate(task(SPLIT), 200, jobs=1)
    monkeypatch.setitem(executors.EXECUTORS, "free", Free)
    threads = simulate(task(SPLIT), 200, jobs=3)
    assert threads.backend == "free"
    assert same(alone, threads)


def compiled(wanted: Task) -> Work:
    try:
        return Work(wanted)
    except Unavailable as problem:
        pytest.skip(str(problem))


@pytest.mark.parametrize("limit", [10_000, 9])
def test_campaigns_at_random_come_out_the_same_wherever_they_run(limit: int) -> None:
    slow = Work(task(HOARD, campaign=6, table=".jsonl", limit=limit, backend="interpreter")).part(3, 25)
    quick = compiled(task(HOARD, campaign=6, table=".jsonl", limit=limit, backend="c")).part(3, 25)
    assert slow.faults == quick.faults
    assert any("divides by 0" in fault.message for fault in slow.faults) == (limit > 9)
    lines = b"".join(slow.table)
    assert lines == b"".join(quick.table)
    assert slow.digests == quick.digests
    assert slow.counts == quick.counts
    assert len({json.loads(line)["play"] for line in lines.splitlines()}) > 1


def test_jobs_change_nothing_of_compiled_campaigns() -> None:
    wanted = task(HOARD, campaign=6)
    assert compiled(wanted).threads
    alone = simulate(wanted, 300, jobs=1)
    assert alone.backend == "c"
    assert same(alone, simulate(wanted, 300, jobs=2))


def test_campaigns_without_a_compiler_go_through_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(configured: object) -> None:
        raise Unavailable("there is no compiler")

    monkeypatch.setattr(work, "Native", none)
    wanted = Work(task(HOARD, campaign=6))
    assert (wanted.name, wanted.missing, wanted.threads) == ("interpreter", ["c: there is no compiler"], False)
    with pytest.raises(Unavailable):
        Work(task(HOARD, campaign=6, backend="c"))


def test_a_smaller_number_of_plays_is_the_beginning_of_a_larger() -> None:
    few, many = list[bytes](), list[bytes]()
    simulate(task(SPLIT, table=".csv"), 20, took=few.append)
    simulate(task(SPLIT, table=".csv"), 50, took=many.append)
    begun = b"".join(few)
    assert begun.count(b"\n") == 20
    assert b"".join(many).startswith(begun)


def test_an_executor_that_cannot_be_had_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(configured: object) -> Interpreter:
        raise Unavailable("there is no compiler")

    monkeypatch.setattr(executors, "EXECUTORS", {"interpreter": Interpreter, "fast": none})
    assert main(["simulate", str(TIC_TAC_TOE), "-n", "5", "-j", "1"]) == 0
    assert "running on the `interpreter` backend: fast: there is no compiler" in capsys.readouterr().err
    assert main(["simulate", str(TIC_TAC_TOE), "-n", "5", "--backend", "fast"]) == 2
    assert capsys.readouterr().err == "ruledsl: the backend `fast` is not available: there is no compiler\n"


# ---------------------------------------------------------------------------------------------------- what is true


def test_tic_tac_toe_at_random_comes_out_as_it_is_known_to() -> None:
    """The shares of random play: 737/1260 for the first player, 121/420 for the second, 8/63 draws."""
    result = simulate(task(TIC_TAC_TOE, seed=20), 8000)
    known = {(C.WON, 1): 737 / 1260, (C.WON, 2): 121 / 420, (C.TIED, 3): 8 / 63}
    assert sum(known.values()) == pytest.approx(1)
    for key, wanted in known.items():
        off = (result.all.results[key] / 8000 - wanted) / (wanted * (1 - wanted) / 8000) ** 0.5
        assert abs(off) < 4, (key, result.all.results[key])
    assert set(result.all.results) == set(known)


def test_shares_have_bounds_that_hold_the_truth_in_19_of_20_cases() -> None:
    assert (round(share(8, 10).low, 4), round(share(8, 10).high, 4)) == (0.4902, 0.9433)
    assert (share(0, 5).low, share(5, 5).high) == (0.0, 1.0)
    rng = random.Random(1)
    held = 0
    for _ in range(2000):
        found = share(sum(rng.random() < 0.2 for _ in range(50)), 50)
        held += found.low <= 0.2 <= found.high
    assert 0.93 < held / 2000 < 0.975


def test_measures_are_those_of_the_standard_library() -> None:
    rng = random.Random(2)
    for size in (1, 2, 7, 100):
        numbers = [rng.randrange(-20, 30) for _ in range(size)]
        found = measure(Counter(numbers))
        assert found is not None
        assert found.mean == pytest.approx(statistics.mean(numbers))
        assert found.median == statistics.median(numbers)
        assert (found.least, found.most, found.count) == (min(numbers), max(numbers), size)
        if size == 1:
            assert found.within is None
        else:
            assert found.deviation == pytest.approx(statistics.stdev(numbers))
            assert found.within == pytest.approx(student(size - 1) * statistics.stdev(numbers) / size**0.5)
    assert measure(Counter()) is None


@pytest.mark.parametrize(("freedom", "known"), [(1, 12.706), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_quantiles_of_students_distribution(freedom: int, known: float) -> None:
    assert student(freedom) == pytest.approx(known, abs=0.005)


# ---------------------------------------------------------------------------------------------------- what is told

Run = Callable[..., SimpleNamespace]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(ROOT)

    def line(*words: str) -> SimpleNamespace:
        code = main(["simulate", *words])
        said = capsys.readouterr()
        return SimpleNamespace(code=code, out=said.out, err=said.err)

    return line


TOLD = {
    "tic-tac-toe": ["tic-tac-toe", "-n", "500", "--seed", "1"],
    "void-in-russian": ["tests/simulate/split.yaml", "-n", "200", "--option", "cake=8", "--lang", "ru"],
    "bots": ["tests/simulate/split.yaml", "-n", "5", "--bots", "greedy,random", "--all", "--seed", "3"],
    "campaign": ["tests/simulate/purse.yaml", "-n", "50", "--campaign", "2"],
}


@pytest.mark.parametrize("name", TOLD)
def test_a_summary(name: str, run: Run, golden: Callable[[str, Path], None]) -> None:
    said = run(*TOLD[name])
    assert said.code == (1 if "void" in said.out or "Недейст" in said.out else 0)
    golden(said.out, HERE / f"{name}.txt")
    assert len(said.err.splitlines()) == 1, "without a terminal one line about the speed is all"


def test_the_page_has_bounds_as_numbers(run: Run, tmp_path: Path) -> None:
    run(*TOLD["tic-tac-toe"], "--report", str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">299 · 59.8 % (55.4 … 64.0)</text>" in text
    assert ">439 · 11.5 %</text>" in text


def test_the_foot_of_the_page_says_how_to_have_it_again(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    run(*TOLD["void-in-russian"], "--limit", "70", "--report", str(one))
    text = one.read_text(encoding="utf-8")
    command = "ruledsl simulate tests/simulate/split.yaml -n 200 --option cake=8 --limit 70 --seed 0 --lang ru"
    assert f"<code>{command}</code></p>\n</body>" in text
    assert re.search(r'<hr/><p class="small">ruledsl \d+\.\d+\S*, \d{4}-\d\d-\d\d, правила [0-9a-f]{16}<br/>', text)
    run(*command.split()[2:], "--report", str(two))
    assert two.read_text(encoding="utf-8").split("<hr/>")[0] == text.split("<hr/>")[0]


def histograms(text: str, players: list[str]) -> list[tuple[list[str], list[str]]]:
    """The numbers below and beside each player's histogram."""
    found = []
    for player in players:
        picture = text.split(f"<h3>{player}</h3>")[1].split("</svg>")[0]
        words = re.findall(r'text-anchor="(middle|end)">([^<]*)<', picture)
        beside = [word for side, word in words if side == "end"]
        found.append(([word for side, word in words if side == "middle"], beside))
    return found


def test_histograms_of_players_have_one_scale(run: Run, tmp_path: Path) -> None:
    run(*TOLD["bots"][:3], "--seed", "3", "--report", str(tmp_path / "page.html"), "--bots", "greedy,random")
    ann, bob = histograms((tmp_path / "page.html").read_text(encoding="utf-8"), ["ann", "bob"])
    assert ann == bob
    assert ann[0][0] == "4"  # the least of bob; ann has 9 at the least
    assert ann[1][0] == "0"


def test_a_board_that_grows_is_drawn_as_far_as_it_was_used(run: Run, tmp_path: Path) -> None:
    run("fjords", "-n", "2", "--limit", "40", "--report", str(tmp_path / "page.html"))
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    board = text.split("<title>land</title>")[1].split("</svg>")[0]
    drawn = re.findall(r"<title>(\S+): (\d+)</title>", board)
    assert len(drawn) < 300
    assert any(n != "0" for _, n in drawn)
    assert not any(name == "0,-21" for name, _ in drawn)


def test_long_names_of_bars_fit() -> None:
    short, long = _rooms([("a1", "3 · 2.0 %")]), _rooms([("an extraordinarily long name of a card", "3 · 2.0 %")])
    assert short[0] < long[0]
    assert short[0] + short[1] == long[0] + long[1]
    bars = "".join(_bar("x" * 90, "3", 1.0, 0.0, *_rooms([("x" * 90, "3")])))
    assert f"<title>{'x' * 90}</title>" in bars
    assert "x…</text>" in bars


def test_a_table_has_a_line_for_every_play(run: Run, tmp_path: Path) -> None:
    run("tests/simulate/split.yaml", "-n", "40", "-o", str(tmp_path / "plays.csv"))
    lines = list(csv.DictReader(io.StringIO((tmp_path / "plays.csv").read_text(encoding="utf-8"))))
    assert list(lines[0]) == [
        *["play", "seed", "ending", "winners", "points ann", "points bob", "slices ann", "dishes ann", "slices bob"],
        *["dishes bob", "turns", "rounds", "decisions", "options", "most_options", "forced", "fault"],
    ]
    assert [line["play"] for line in lines] == [str(i + 1) for i in range(40)]
    assert [int(line["seed"]) for line in lines] == [play_seed(0, i) for i in range(40)]
    void = [line for line in lines if line["ending"] == "void"]
    assert void
    assert {line["fault"] for line in void} == {"tests/simulate/split.yaml:17: this divides by 0"}
    run("tests/simulate/split.yaml", "-n", "40", "-o", str(tmp_path / "plays.jsonl"))
    read = [json.loads(line) for line in (tmp_path / "plays.jsonl").read_text(encoding="utf-8").splitlines()]
    for line, other in zip(lines, read, strict=True):
        assert line["winners"].split() == other["winners"]
        assert (int(line["seed"]), line["ending"]) == (other["seed"], other["ending"])
        assert int(line["points ann"]) == other["points"]["ann"]["total"]
        assert int(line["dishes bob"]) == other["points"]["bob"]["dishes"]
        assert int(line["decisions"]) == other["decisions"]
        assert bool(line["fault"]) == bool(other["fault"])
    assert read[2]["fault"] == {"message": "this divides by 0", "file": "tests/simulate/split.yaml", "line": 17}


def test_a_table_of_a_campaign_says_which_play_of_it(run: Run, tmp_path: Path) -> None:
    run(str(CAMPAIGN), "-n", "3", "--campaign", "2", "-o", str(tmp_path / "plays.csv"))
    lines = list(csv.reader(io.StringIO((tmp_path / "plays.csv").read_text(encoding="utf-8"))))
    assert lines[0][:4] == ["campaign", "play", "seed", "ending"]
    assert [line[:3] for line in lines[1:]] == [
        [str(i), str(j), str(play_seed(0, i - 1))] for i in (1, 2, 3) for j in (1, 2)
    ]
    run(str(CAMPAIGN), "-n", "3", "--campaign", "2", "-o", str(tmp_path / "plays.jsonl"))
    read = [json.loads(line) for line in (tmp_path / "plays.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["seed"] for line in read] == [play_seed(0, i) for i in (0, 0, 1, 1, 2, 2)]


class Page(HTMLParser):
    """Notes what stands open, and everything that points out of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.out: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen[tag] += 1
        self.out += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()


@pytest.mark.parametrize("words", [*TOLD.values(), ["hex", "-n", "3"], ["love-letter", "-n", "5", "--lang", "ru"]])
def test_the_report_is_one_page_that_needs_no_network(words: list[str], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    said = run(*words, "--report", str(path))
    assert str(path) in said.out
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.out == []
    assert page.seen["svg"] >= 2
    assert "script" not in page.seen
    assert [word for word in text.split() if "//" in word and "http://www.w3.org/2000/svg" not in word] == []
    assert ('lang="ru"' in text) == ("ru" in words)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-n", "0"], "-n must be at least 1, not 0"),
        (["--jobs", "-2"], "--jobs must be at least 0, not -2"),
        (["--limit", "0"], "--limit must be at least 1, not 0"),
        (["--players", "3"], "tic-tac-toe is for 2 players, not 3"),
        (["--bots", "gredy"], "there is no bot `gredy`; did you mean `greedy`?"),
        (
            ["--bots", "random,random,random"],
            "--bots names 3 bots, but there are 2 players: cross, nought; a single name is for all of them",
        ),
        (["--backend", "interpeter"], "there is no backend `interpeter`; did you mean `interpreter`?"),
        (["--option", "size=4"], "tic-tac-toe has no option `size`; its options are none"),
        (["--preset", "large"], "there is no preset `large`"),
        (
            ["--campaign", "2"],
            "tic-tac-toe has no campaign: `campaign:` in a game says what is kept for the next play",
        ),
        (
            ["--bots", "greedy", "--backend", "c"],
            "the backend `c` works only for single random plays; bots take `interpreter`",
        ),
        (["-o", "plays.txt"], "`plays.txt` must end in .csv or .jsonl: the ending sets the format"),
        (["-o", "no/plays.csv"], "there is no folder `no` to write `plays.csv` in"),
        (["--report", "no/page.html"], "there is no folder `no` to write `page.html` in"),
        (["--report", "page.pdf"], "`page.pdf` must end in .html: the report is a web page"),
    ],
)
def test_what_cannot_be_done_is_refused_at_once(run: Run, words: list[str], complaint: str) -> None:
    said = run("tic-tac-toe", *words)
    assert (said.code, said.out, said.err) == (2, "", f"ruledsl: {complaint}\n")


def test_campaigns_are_not_for_every_backend(run: Run) -> None:
    said = run(str(CAMPAIGN), "--campaign", "2", "--backend", "python")
    assert (said.code, said.out) == (2, "")
    assert "the backend `python` works only for single random plays; campaigns take `c` or `interpreter`" in said.err


def test_a_game_with_mistakes_is_refused(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(TIC_TAC_TOE.read_text(encoding="utf-8").replace("empty(", "emty("), encoding="utf-8")
    said = run(str(wrong), "-n", "2")
    assert (said.code, said.out) == (1, "")
    assert "did you mean `empty`?" in said.err


# ------------------------------------------------------------------------------------------------ what goes wrong


def test_a_play_without_an_end_is_broken_off(run: Run) -> None:
    said = run("chess", "-n", "2", "--limit", "9")
    assert said.code == 0
    assert [" ".join(line.split()) for line in said.out.splitlines()[1:6]] == [
        "",
        "No play has ended; see --limit.",
        "cut off after 9 decisions 2",
        "",
        "What was done times a play share",
    ]
    assert "wins" not in said.out
    assert "Length" not in said.out
    russian = run("chess", "-n", "2", "--limit", "9", "--lang", "ru").out
    assert "\nНи одна партия не закончилась; см. --limit.\n  прервано после 9 решений  2\n" in russian


def test_what_is_left_out_and_what_is_not(run: Run, tmp_path: Path) -> None:
    """Results and length are of plays that ended; what was done is of all plays, and so is `a play`."""
    page = tmp_path / "page.html"
    said = run("tic-tac-toe", "-n", "40", "--limit", "6", "--report", str(page), "-o", str(tmp_path / "plays.csv"))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "plays.csv").read_text(encoding="utf-8"))))
    assert "  Not in results, length and points; everything else is for all plays:\n" in said.out
    said_so = "Not in results, length and points; everything else is for all plays: cut off"
    assert said_so in page.read_text(encoding="utf-8")
    done = next(line for line in said.out.splitlines() if line.startswith("  place at …")).split()
    decisions = sum(int(row["decisions"]) for row in rows)
    assert done[3:5] == [str(decisions), f"{decisions / 40:.2f}"]
    ended = [int(row["decisions"]) for row in rows if row["ending"] != "running"]
    assert 0 < len(ended) < 40
    length = next(line for line in said.out.splitlines() if line.startswith("  decisions")).split()
    assert float(length[1]) == pytest.approx(sum(ended) / len(ended), abs=0.06)
    russian = run("tic-tac-toe", "-n", "40", "--limit", "6", "--lang", "ru").out
    assert "  Не вошли в итоги, длину и очки; всё остальное — по всем партиям:\n" in russian


def test_how_plays_ended(run: Run, tmp_path: Path) -> None:
    """Every end has its statement: together they are the plays that ended, by what they came to."""
    result = simulate(task(ROOT / "examples/chess.yaml"), 60)
    told = findings(result, load(ROOT / "examples/chess.yaml"), "chess")
    ties = sum(row.times for row in told.ended if row.label in ("{tie: players}", "stalemate"))
    assert ties == sum(n for (ending, _), n in result.all.results.items() if ending == C.TIED)
    assert {row.label: row.times for row in told.ended}["checkmate"] == 60 - ties
    assert len({row.place for row in told.ended}) == len(told.ended) == 4
    said = run("tests/simulate/split.yaml", "-n", "50", "--report", str(tmp_path / "page.html"))
    void = int(re.search(r"void +(\d+)", said.out)[1])  # type: ignore[index]
    ends = [" ".join(line.split()) for line in said.out.split("How plays ended")[1].splitlines()[1:3]]
    assert ends == [f"the end of `play:` {50 - void} 100.0 %", "{win: me} never split.yaml:19"]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h2>How plays ended</h2>" in page
    assert '<tr class="never"><td>{win: me}</td><td class="n">never</td>' in page
    assert "How plays ended" not in run("rock-paper-scissors", "-n", "5").out


ENDLESS = """\
ruledsl: 1
game: endless
players: [a, b]
values:
  left: {is: 0..50, start: 5}
play:
  - turns: players
    do:
      - choose: {n: 1..3}
        label: "take {n}"
        else: []
      - set: {left: n}
"""


def test_rules_that_never_end_a_play_are_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS, encoding="utf-8")
    said = run(str(path), "-n", "2", "--limit", "9", "--report", str(tmp_path / "page.html"))
    told = ["No play has ended; see --limit.", "With these rules no play ever ends: see `check` (L511)."]
    assert said.out.splitlines()[2:4] == told
    assert all(line in (tmp_path / "page.html").read_text(encoding="utf-8") for line in told)
    assert "  take …          18       9  100.0 %  endless.yaml:9\n" in said.out
    assert "L511" not in run("chess", "-n", "2", "--limit", "9").out


def test_rows_of_a_kind_are_told_apart(run: Run) -> None:
    said = run("chess", "-n", "3", "--limit", "100", "--all").out.split("What was chosen: pieces")[1]
    names = [line.split("  ")[1] for line in said.split("\n\n")[0].splitlines()[1:] if "never" not in line]
    assert len(names) == len(set(names))
    assert {"king (white)", "pawn (white)", "pawn (black)", "knight (black)"} <= set(names)


def test_never_says_only_what_could_have_been(run: Run) -> None:
    """Not spaces of a board that grows, not names that are made up, not kinds of which none was chosen."""
    said = run("fjords", "-n", "2", "--limit", "40").out
    parts = {part.split("  ")[0]: part for part in said.split("What was chosen: ")[1:]}
    assert "never" not in parts["cell"]
    assert "_1" not in parts["area"]
    assert "All plains: plain" in parts["area"]
    assert "  never chosen: " in parts["area"]
    assert "area 1" not in said


SHORT = """\
ruledsl: 1
game: short
players: [a, b]
pieces:
  card: {rows: [{name: ace}, {name: king}, {name: queen, copies: 2}, {name: jack}, {name: ten}]}
places:
  deck: {holds: card, order: pile, seen: none, start: card}
  hand: {per: player, holds: card}
setup:
  - shuffle: deck
play:
  - {remove: jack}
  - {move: ace, to: a.hand}
  - {deal: 1, from: deck, to: hand}
  - {win: a}
"""


def test_where_drawn_pieces_were_at_the_end(run: Run) -> None:
    """Hold'em with two: 4 of 52 cards in hands; five on the table unless all but one have folded."""
    said = run("holdem", "-n", "40", "--option", "hands=1", "--format", "json").out
    (cards,) = json.loads(said)["lying"]
    total = dict(
        zip(cards["places"], map(sum, zip(*(one["times"] for one in cards["pieces"]), strict=True)), strict=True)
    )
    assert (cards["what"], len(cards["pieces"])) == ("card", 52)
    assert total["hand"] == 40 * 4
    assert sum(total.values()) == 40 * 52
    assert all(sum(one["times"]) == 40 for one in cards["pieces"])
    assert total["table"] <= 40 * 5


def test_a_piece_that_never_comes_into_play_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "short.yaml").write_text(SHORT, encoding="utf-8")
    page = tmp_path / "page.html"
    said = run(str(tmp_path / "short.yaml"), "-n", "60", "--report", str(page)).out
    head, total, *rows = (" ".join(line.split()) for line in said.split("Where they were at the end: ")[1].splitlines())
    assert head == "card deck hand removed"
    assert total == "all 6 33.3 % 50.0 % 16.7 %"
    assert rows[0] == "ace 0.0 % 100.0 % 0.0 %"
    assert rows[3] == "jack 0.0 % 0.0 % 100.0 %"
    assert rows[5:7] == ["always in “hand”: ace", "always in “removed”: jack"]
    assert "<h2>Where they were at the end: card</h2>" in page.read_text(encoding="utf-8")
    russian = run(str(tmp_path / "short.yaml"), "-n", "6", "--lang", "ru").out
    assert "\n  всегда в «убраны»: jack\n" in russian


def test_where_pieces_are_is_not_told_of_games_without_piles(run: Run) -> None:
    assert "Where they were" not in run("chess", "-n", "2", "--limit", "30").out + run("backgammon", "-n", "2").out


def test_what_was_never_called_is_told_in_one_line(run: Run) -> None:
    said = run("fortress", "-n", "2")
    never = said.out.split("statements ran.\n")[1].split("\n\n")[0].splitlines()
    assert "  campaign.yaml:3: only with --campaign (11 statements)" in never
    assert "  later_rules.yaml:3: `destroyed` was never called (10 statements)" in never
    assert "  special_cards.yaml:23: `abduct` was never taken (3 statements)" in never
    russian = run("fortress", "-n", "2", "--campaign", "2", "--lang", "ru").out
    assert "  later_rules.yaml:3: `destroyed` ни разу не вызвано (10 инструкций)\n" in russian
    assert "--campaign" not in russian


@pytest.mark.parametrize("game", ["fjords", "fortress", "chess", "love-letter", "holdem", "backgammon", "yacht"])
def test_a_russian_summary_has_russian_words(game: str, run: Run) -> None:
    """What is left in Latin letters is places, statements, names of spaces, and players of games that name none."""
    said = run(game, "-n", "2", "--limit", "200", "--lang", "ru").out
    heads = re.findall(r"^Что выбирали: (.*?)  ", said, re.MULTILINE)
    done = said.split("Что делали")[1].split("\n\n")[0].splitlines()[1:]
    names = [line[2:].split("  ")[0] for line in done if not line.startswith("  choose: ")]
    assert [name for name in heads + names if re.search("[a-z]", name)] == []


@pytest.mark.parametrize("game", ["chess", "fjords", "fortress", "love-letter"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_summary_fits_into_100_columns(game: str, language: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    said = run(
        str(ROOT / (f"games/{game}" if game[0] == "f" else f"examples/{game}.yaml")), "-n", "2", "--lang", language
    )
    assert [line for line in said.out.splitlines() if len(line) > 100] == []
    assert str(ROOT) not in said.out


def test_a_campaign_tells_what_is_of_all_its_plays(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    said = run("tests/simulate/hoard.yaml", "-n", "1", "--campaign", "3", "--limit", "2", "--report", str(page))
    assert said.out.splitlines()[2:13] == [
        "Play 1 of the campaign: 1 play",
        "",
        "No play has ended; see --limit.",
        "  cut off after 2 decisions  1",
        "",
        "Play 2 of the campaign: 0 plays",
        "",
        "Play 3 of the campaign: 0 plays",
        "",
        "All plays of the campaigns: 1 play",
        "",
    ]
    assert said.out.splitlines()[13].startswith("What was done")
    assert "<h1>All plays of the campaigns: 1 play</h1>" in page.read_text(encoding="utf-8")


def test_a_void_play_ends_its_campaign() -> None:
    game = ruledsl.load(SPLIT)
    slow = Played(game, 2, {}, None, ["random", "random"])
    counts = array("q", [0]) * slow.shape.counts
    faults = [fault for _, _, _, _, fault in slow.run(0, 0, 30, counts, 100)]
    assert any(faults)
    assert {fault.message for fault in faults if fault} == {"this divides by 0"}


def test_it_can_be_stopped_and_tells_what_was_done() -> None:
    """Whatever was stopped in the middle, the result is that of a smaller number of plays."""
    seen: list[int] = []

    def stop(done: int) -> None:
        seen.append(done)
        if done > 30:
            raise KeyboardInterrupt

    for jobs in (1, 2):
        result = simulate(task(SPLIT), 100_000, jobs=jobs, progress=stop)
        assert result.interrupted
        assert 30 < result.done < 100_000
        whole = simulate(task(SPLIT), result.done, jobs=1)
        assert not whole.interrupted
        assert same(result, whole)
        told = summary(findings(result, load(SPLIT), "split.yaml"))
        assert f"Stopped after {result.done:,} of 100,000 plays." in told


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal for another process")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_it_cleanly(jobs: str, tmp_path: Path) -> None:
    table = tmp_path / "plays.csv"
    words = [sys.executable, "-m", "ruledsl", "simulate", "tic-tac-toe", "-n", "100000000", "--jobs", jobs]
    words += ["-o", str(table)]
    with subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as running:
        late = time.monotonic() + 60
        while time.monotonic() < late and not (table.exists() and table.stat().st_size > 50_000):
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "of 100,000,000 plays." in out
    assert "cross wins" in out
    where = err.splitlines()[1:]  # is told if it was stopped in the midst of a play
    assert where in ([], ["ruledsl: stopped while running the rules"]), err
    plays = table.read_text(encoding="utf-8").splitlines()[1:]
    assert [line.split(",")[0] for line in plays] == [str(i + 1) for i in range(len(plays))]
    assert f"Stopped after {len(plays):,} of" in out


def test_a_worker_that_is_gone_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    import multiprocessing

    def kill(done: int) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    with pytest.raises(WorkerLost, match="has died"):
        simulate(task(SPLIT, backend="interpreter"), 10_000_000, jobs=2, progress=kill)
    assert not multiprocessing.active_children()


def test_the_commands_start_as_fast_as_before() -> None:
    code = "import sys, ruledsl.cli.main; print([m for m in sys.modules if 'simulation' in m or 'multiproc' in m])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n"


# ------------------------------------------------------------------------------------------------------- the bots


def test_seats_with_the_same_bot_share_its_chance() -> None:
    game = load(TIC_TAC_TOE)
    play = game.start(seed=9)
    first, second = seated(["random", "random"], 9)
    assert first is second
    apart = make("random", 9)
    assert [ask(first, play, 0) for _ in range(5)] == [ask(apart, play, 0) for _ in range(5)]


def test_every_count_has_its_own_place() -> None:
    for path in PATHS:
        program = load(path).configured().machine.program
        shape = Shape(program)
        places = list(range(shape.blocks))
        for block, base in shape.choices.items():
            end = program.blocks[block].end
            assert isinstance(end, C.Choice)
            places += range(base, base + len(end.entries) + batch.BESIDE)
            assert shape.taken(block, len(end.entries), -batch.BESIDE) == places[-1]
        for name, base in shape.roots.items():
            places += range(base, base + program.roots[name].size)
        for row in set(program.rows) if program.areas else ():
            places += range(shape.line(row), shape.line(row) + shape.areas)
        assert sorted(places) == list(range(shape.counts)), path
