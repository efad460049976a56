"""The benchmark: its references play right, and its results can be read. No test looks at a time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import against
import criteria
import plain
import pytest
import references

import ruledsl
from ruledsl import shipped
from ruledsl.bench import measure, openspiel, peers
from ruledsl.bench.clock import Ran, Rate, Ratio, for_about, interleaved, ratio
from ruledsl.bench.executors import Cost
from ruledsl.bench.measure import Row
from ruledsl.bench.report import duration, growth, number, table, times
from ruledsl.cli.main import main
from ruledsl.engine.random import draw, seeded
from ruledsl.simulation.executors import EXECUTORS

ROOT = Path(__file__).resolve().parent.parent

needs_compiler = pytest.mark.skipif(references.compiler() is None, reason="there is no C compiler")

# ---------------------------------------------------------------------------------------- what is written by hand

# Of random plays: plies, their spread, and the shares won by the first player and drawn. Of tic-tac-toe they are
# exact; the others agree with OpenSpiel's plays, and with those of our declared games.
TRUTH = {
    "tic-tac-toe": (3203 / 420, 1.5, 737 / 1260, 8 / 63),
    "connect-four": (21.31, 7.5, 0.5557, 0.0026),
    "breakthrough": (64.09, 16, 0.5092, 0.0),
    "hex": (107.52, 11, 0.5230, 0.0),
    "reversi": (59.96, 1.2, 0.4537, 0.0414),
}


def agrees(share: float, truth: float, plays: int) -> bool:
    return abs(share - truth) < 5 * sqrt(max(truth * (1 - truth), 1e-9) / plays) + 0.0005


@needs_compiler
@pytest.mark.parametrize("flags", [(), ("-O1",)], ids=["this processor", "any processor"])
@pytest.mark.parametrize("game", TRUTH)
def test_plays_in_c_are_uniform_random_plays(game: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    plies, spread, first, draws = TRUTH[game]
    program = references.build(game, tmp_path, *flags)
    found = references.run(program, "200000", 1)
    assert found.plays == 200000
    assert abs(found.plies / found.plays - plies) < 5 * spread / sqrt(found.plays) + 0.01
    assert agrees(found.first / found.plays, first, found.plays)
    assert agrees(found.draws / found.plays, draws, found.plays)


@needs_compiler
@pytest.mark.parametrize("game", TRUTH)
def test_plays_in_c_follow_their_seed(game: str, tmp_path: Path) -> None:
    program = references.build(game, tmp_path)
    once, again, other = (references.run(program, "1000", seed) for seed in (1, 1, 2))
    assert (once.plies, once.first, once.draws) == (again.plies, again.first, again.draws)
    assert (once.plies, once.first) != (other.plies, other.first)


@needs_compiler
@pytest.mark.parametrize("game", TRUTH)
def test_plays_in_c_keep_to_their_memory(game: str, tmp_path: Path) -> None:
    flags = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover")
    try:
        program = references.build(game, tmp_path, *flags)
    except subprocess.CalledProcessError:
        pytest.skip("this compiler has no sanitizers")
    assert references.run(program, "2000", 3).plays == 2000


@pytest.mark.parametrize("game", plain.GAMES)
def test_a_seed_gives_the_same_play_by_hand_and_as_declared(game: str) -> None:
    declared = ruledsl.load(ROOT / f"examples/{game}.yaml")
    options = {"swap": False} if game == "hex" else {}
    for seed in range(12 if game in ("breakthrough", "hex") else 60):
        play = declared.start(options=options, seed=seed)
        stream, plies = [seeded(seed, plain.BOT_STREAM)], 0
        while not play.over:
            count = len(play.stop.options)
            play.choose(draw(stream, 0, count) if count > 1 else 0)
            plies += 1
        winner = play.winners[0] if len(play.winners) == 1 else -1
        assert plain.GAMES[game](seed) == (plies, winner), seed


# ------------------------------------------------------------------------------------------------------ the clock


class Steady:
    """Plays that take exactly as long as they say: a play has ten decisions."""

    def __init__(self, name: str, *seconds: float) -> None:
        self.name, self.seconds, self.ran = name, list(seconds), 0

    def run(self, seconds: float) -> Ran:
        each = self.seconds[min(self.ran, len(self.seconds) - 1)]
        self.ran += 1
        plays = max(1, round(seconds / each))
        return Ran(plays, 10 * plays, plays * each)


def test_what_is_compared_takes_turns() -> None:
    order: list[str] = []

    class Noted(Steady):
        def run(self, seconds: float) -> Ran:
            order.append(self.name)
            return super().run(seconds)

    first, second = interleaved([Noted("a", 0.01), Noted("b", 0.02)], seconds=2, rounds=2)
    assert order == ["a", "b"] * 3  # the first turn is not counted
    assert (first.total.plays, second.total.plays) == (200, 100)
    assert first.plays_per_second == pytest.approx(100)
    assert second.decisions_per_second == pytest.approx(500)
    assert ratio(first, second).middle == pytest.approx(2)


def test_a_disturbed_round_does_not_move_the_ratio() -> None:
    ours = Rate("ours", [Ran(10, 10, 1.0), Ran(10, 10, 50.0), Ran(10, 10, 1.0)])
    other = Rate("other", [Ran(5, 5, 1.0), Ran(5, 5, 1.0), Ran(5, 5, 1.0)])
    found = ratio(ours, other)
    assert (found.middle, found.high) == (2, 2)
    assert found.low == pytest.approx(0.04)


def test_a_play_longer_than_all_rounds_is_played_once() -> None:
    slow = Steady("slow", 9.0)
    (rate,) = interleaved([slow], seconds=2, rounds=5)
    assert (slow.ran, rate.total.plays) == (1, 1)


def test_batches_grow_until_the_time_is_used_up() -> None:
    batches: list[int] = []

    def run(plays: int) -> Ran:
        batches.append(plays)
        return Ran(plays, plays, plays / 1000)

    assert for_about(1.0, run).seconds == pytest.approx(1.0, abs=0.01)
    assert batches[:4] == [1, 2, 4, 8]


def test_figures_are_short() -> None:
    assert [number(x) for x in (0.01234, 62.81, 26814.3)] == ["0.0123", "62.8", "26,814"]
    assert [times(x) for x in (0.00237, 0.3, 2.96, 12.04, 1234.0)] == ["0.0024", "0.3", "3", "12", "1,234"]
    assert [duration(x) for x in (8e-8, 1.24e-6, 0.061, 2.1)] == ["80 ns", "1.24 us", "61 ms", "2.1 s"]


# ---------------------------------------------------------------------------------------------------- the command

QUICK = ("--seconds", "0.02", "--rounds", "2")
ROW = {
    "name",
    "plays",
    "decisions",
    "void",
    "broken_off",
    "cpu_seconds",
    "plays_per_second",
    "decisions_per_second",
    "decisions_per_play",
    "rounds",
}
COSTS = {"state_bytes", "copy_seconds", "ready_seconds", "cold_seconds"}


def figures(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command writes as JSON, and nothing beside it."""
    assert main(["bench", *words, *QUICK, "--format", "json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return dict(json.loads(said.out))


def test_every_executor_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    (result,) = figures(capsys, "tic-tac-toe")["results"]
    assert (result["game"], result["players"], result["options"], result["peer"]) == ("tic-tac-toe", 2, {}, None)
    assert [row["name"] for row in result["rows"]] + list(result["lacking"]) == list(EXECUTORS)
    for row in result["rows"]:
        assert set(row) == ROW | COSTS
        assert 5 <= row["decisions_per_play"] <= 9
        assert row["plays"] == sum(ran["plays"] for ran in row["rounds"])
        assert (row["void"], row["broken_off"]) == (0, 0)
        assert row["state_bytes"] > 0
        assert row["copy_seconds"] >= 0


def test_the_table_has_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "hex", "--option", "size=3", *QUICK, "--backend", "interpreter"]) == 0
    title, head, line, *rest = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"hex, 2 players, size=3 swap=true: \d+ numbers in a state, loaded in [\d.]+ m?s, then [\d.]+ m?s", title
    )
    assert re.split("  +", head.strip()) == ["plays/s", "decisions/s", "per play", "state", "copy", "ready"]
    assert re.fullmatch(r"  interpreter( +[\d,.]+){4} B( +[\d.]+ (ns|us|ms)){2}", line)
    assert rest == [""]


def test_growth_is_a_line_for_each_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "hex", "--over", "size=3,4", *QUICK, "--backend", "interpreter"]) == 0
    title, head, *lines = capsys.readouterr().out.splitlines()
    assert title == "hex by size, plays/s"
    assert re.split("  +", head) == ["size", "numbers", "per play", "interpreter"]
    assert [line.split()[0] for line in lines if line] == ["3", "4"]


def test_growth_as_curves(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A panel for each game; in it a point for each value, the faster the higher, which says what it stands for."""
    file = tmp_path / "growth.svg"
    words = ["hex", "breakthrough", "--over", "size=5,7", *QUICK, "--backend", "interpreter", "--picture", str(file)]
    assert main(["bench", *words]) == 0
    picture = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    panels = picture.findall("{*}g")
    assert [panel.findtext("{*}text[@class='title']") for panel in panels] == ["hex", "breakthrough"]
    for panel in panels:
        found = [(point, str(point.findtext("{*}title"))) for point in panel.findall("{*}circle")]
        matches = [re.fullmatch(r"interpreter, size (\d): ([\d.,]+) plays/s", told) for _, told in found]
        rates = [float(match[2].replace(",", "")) for match in matches if match is not None]
        heights = [-float(point.attrib["cy"]) for point, _ in found]
        assert [match and match[1] for match in matches] == ["5", "7"]
        assert (rates[0] > rates[1]) == (heights[0] > heights[1])


def test_growth_with_players(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, "holdem", "--over", "players=2,3", "--option", "hands=1")
    assert [result["players"] for result in found["results"]] == [2, 3]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--backend", "interpeter"], "ruledsl: there is no backend `interpeter`; did you mean `interpreter`?\n"),
        (["--option", "sise=3"], "ruledsl: hex has no option `sise`; did you mean `size`?\n"),
        (["--over", "players=two"], "ruledsl: `--over players=` takes numbers of players, not `two`\n"),
        (["--over", "size=5,99"], "ruledsl: `size` is a number from 3 to 19, not 99\n"),
        (["--over", "players=2,3"], "ruledsl: hex is for 2 players, not 3\n"),
        (
            ["--picture", "a.svg"],
            "ruledsl: `--picture` draws how speed goes with a number: it needs `--over`\n",
        ),
        (
            ["--over", "swap=true,false", "--picture", "a.svg"],
            "ruledsl: `--picture` needs numbers in `--over swap=`\n",
        ),
        (
            ["--over", "size=5", "--picture", "a.png"],
            "ruledsl: `a.png` must end in .svg: the picture is in SVG\n",
        ),
        (
            ["--over", "size=5", "--option", "size=7"],
            "ruledsl: `--over size=` and `--option size=` set the same option: remove one of them\n",
        ),
        (
            ["--over", "players=2", "-p", "2"],
            "ruledsl: `--over players=` and `--players` both set the number of players: remove one of them\n",
        ),
        (["-o", "nowhere/figures.json"], "ruledsl: there is no folder `nowhere` to write `figures.json` in\n"),
    ],
)
def test_wrong_words_are_told_before_anything_is_measured(
    words: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "measure", None)
    assert main(["bench", "hex", *words]) == 2
    assert capsys.readouterr().err == complaint


def test_what_each_pass_brings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tic-tac-toe", "--passes", *QUICK, "--backend", "python"]) == 0
    table, _, idle = capsys.readouterr().out.partition("  no use here: ")
    title, head, whole, *lines = table.splitlines()
    assert title == "tic-tac-toe: speed without one pass, compared with all passes"
    assert re.split("  +", head.strip()) == ["plays/s", "without it", "over the rounds"]
    assert re.fullmatch(r"  python +[\d,.]+", whole)
    found = [re.fullmatch(r"  (.+?)  +[\d,.]+ +[\d.]+ +[\d.]+ to [\d.]+", line) for line in lines]
    assert {"all of them", "kept-sets", "line-tests"} <= {one[1] for one in found if one is not None}
    assert None not in found
    assert "wide-tables" in idle


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["hex", "--backend", "interpreter"], "`--passes` takes only one `--backend`: `c` or `python`"),
        (["hex", "--backend", "c", "--backend", "python"], "`--passes` takes only one `--backend`: `c` or `python`"),
        (["hex", "--over", "size=3,4"], "`--passes` cannot be combined with `--peers` or `--over`"),
        ([], "`--passes` needs a game"),
    ],
)
def test_passes_are_measured_by_themselves(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *words, "--passes"]) == 2
    assert capsys.readouterr().err == f"ruledsl: {complaint}\n"


def test_what_each_pass_brings_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, "tic-tac-toe", "--passes", "--backend", "python")
    (result,) = found["results"]
    assert found["complete"]
    assert set(result) == {"game", "backend", "plays_per_second", "no_use", "rows"}
    assert (result["game"], result["backend"]) == ("tic-tac-toe", "python")
    assert "wide-tables" in result["no_use"]
    assert {"all of them", "kept-sets", "line-tests"} <= {row["without"] for row in result["rows"]}
    for row in result["rows"]:
        assert set(row) == {"without", "plays_per_second", "to_whole"}
        assert 0 < row["to_whole"]["low"] <= row["to_whole"]["middle"] <= row["to_whole"]["high"]


def a_rate(name: str, plays: int, decisions: int, void: int = 0) -> Rate:
    return Rate(name, [Ran(plays, decisions, 1.0, void)] * 2)


def a_result(peer: str, players: int = 2) -> measure.Result:
    """Large figures of a game with long names."""
    result = measure.Result(
        "holdem", Path("holdem.yaml"), players, {"chips": 1500, "blind": 20, "hands": 1, "fast": True}, 0.4, 0.03, 326
    )
    cost = Cost(3224, 8e-8, 1.2e-3, 0.7)
    for name in ("interpreter", "python", "c"):
        rate = a_rate(name, 98_765_432, 1_099_259_258, 868 if name == "c" else 0)
        result.rows.append(Row(rate, cost, Ratio(20.7, 20.6, 20.8) if peer else None))
    if peer:
        result.rows.append(Row(a_rate(peer, 472_584, 2_002_888)))
        result.rows.append(Row(a_rate("OpenSpiel, Python", 19_406, 81_446), None, Ratio(0.042, 0.0412, 0.0423)))
        result.peer = peer
    result.note = "OpenSpiel draws after 40 moves without a capture; we after 80 without a capture or a man's move"
    return result


def test_tables_are_no_wider_than_a_hundred_letters() -> None:
    text = table(a_result("OpenSpiel, C++"))
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines() == [
        "holdem, 2 players, chips=1500 blind=20 hands=1 fast=true:",
        "  326 numbers in a state, loaded in 400 ms, then 30 ms",
        "                        plays/s    decisions/s  per play  plays to OpenSpiel, C++  over the rounds",
        "  interpreter        98,765,432  1,099,259,258     11.13                     20.7     20.6 to 20.8",
        "  python             98,765,432  1,099,259,258     11.13                     20.7     20.6 to 20.8",
        "  c                  98,765,432  1,099,259,258     11.13                     20.7     20.6 to 20.8",
        "  OpenSpiel, C++        472,584      2,002,888      4.24                        1",
        "  OpenSpiel, Python      19,406         81,446      4.20                    0.042   0.041 to 0.042",
        "",
        "                 state   copy   ready    cold",
        "  interpreter  3,224 B  80 ns  1.2 ms  700 ms",
        "  python       3,224 B  80 ns  1.2 ms  700 ms",
        "  c            3,224 B  80 ns  1.2 ms  700 ms",
        "  c: 1,736 of 197,530,864 plays ended in a fault of the rules",
        "  note: OpenSpiel draws after 40 moves without a capture; we after 80 without a capture or a man's",
        "    move",
    ]


def test_growth_beside_a_peer_is_a_table_of_its_own() -> None:
    text = growth("players", ["2", "3"], [a_result("OpenSpiel, C++"), a_result("", 3)])
    assert text.splitlines() == [
        "holdem by players, plays/s",
        "players  numbers  per play  interpreter      python           c  OpenSpiel, C++  OpenSpiel, Python",
        "2            326     11.13   98,765,432  98,765,432  98,765,432         472,584             19,406",
        "3            326     11.13   98,765,432  98,765,432  98,765,432",
        "",
        "holdem by players, plays to OpenSpiel, C++",
        "players  interpreter  python     c  OpenSpiel, Python",
        "2               20.7    20.7  20.7              0.042",
        "3",
    ]


@pytest.mark.parametrize("words", [("--seconds", "0"), ("--rounds", "none"), ("--over", "size"), ("--over", "=3")])
def test_wrong_figures(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "hex", *words]) == 2
    assert f"not `{words[1]}`" in capsys.readouterr().err


def test_without_openspiel_a_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert main(["bench", "tic-tac-toe", "--peers", *QUICK, "--backend", "interpreter"]) == 0
    said = capsys.readouterr()
    assert said.err == (
        "ruledsl: OpenSpiel is not installed, so it is not measured; `pip install 'ruledsl[peers]'` brings it\n"
    )
    assert "OpenSpiel" not in said.out


def test_what_was_measured_before_an_interruption_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = measure.measure

    def interrupted(plan: measure.Plan, path: Path, *how: Any) -> measure.Result:
        if path.stem == "hex":
            raise KeyboardInterrupt
        return whole(plan, path, *how)

    monkeypatch.setattr(measure, "measure", interrupted)
    file = tmp_path / "figures.json"
    assert main(["bench", "tic-tac-toe", "hex", *QUICK, "-o", str(file)]) == 130
    found = json.loads(file.read_text(encoding="utf-8"))
    assert [result["game"] for result in found["results"]] == ["tic-tac-toe"]
    assert found["complete"] is False
    said = capsys.readouterr()
    assert said.out.startswith("tic-tac-toe, 2 players: ")
    assert said.err == "Stopped after 1 of 2 measurements.\n"


def test_values_measured_before_an_interruption_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = measure.measure

    def interrupted(plan: measure.Plan, path: Path, peer: Any, players: Any, options: Any, names: Any) -> Any:
        if options["size"] == "5":
            raise KeyboardInterrupt
        return whole(plan, path, peer, players, options, names)

    monkeypatch.setattr(measure, "measure", interrupted)
    assert main(["bench", "hex", "--over", "size=3,4,5", *QUICK, "--backend", "interpreter"]) == 130
    said = capsys.readouterr()
    assert [line.split()[0] for line in said.out.splitlines() if line] == ["hex", "size", "3", "4"]
    assert said.err == "Stopped after 2 of 3 measurements.\n"


def test_a_game_without_a_peer_is_told_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(openspiel, "library", lambda: sys)
    monkeypatch.setattr(measure, "measure", stopped)
    assert main(["bench", "hex", str(ROOT / "games/fjords/game.yaml"), "--peers", *QUICK]) == 130
    assert capsys.readouterr().err == (
        f"ruledsl: {ROOT / 'games/fjords/game.yaml'}: OpenSpiel does not seem to have this game\n"
        "Stopped after 0 of 2 measurements.\n"
    )


# ------------------------------------------------------------------------------------------------------ the peers


def test_beside_a_peer(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    (result,) = figures(capsys, "hex", "--peers", "--option", "size=4")["results"]
    assert result["options"] == {"size": 4, "swap": False}
    assert result["peer"] == "OpenSpiel, C++"
    names = [row["name"] for row in result["rows"]]
    assert names[-2:] == ["OpenSpiel, C++", "OpenSpiel, Python"]
    for row in result["rows"]:
        assert ("to_peer" in row) == (row["name"] != result["peer"])
        assert 7 <= row["decisions_per_play"] <= 16


def test_other_options_than_the_peers_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    (result,) = figures(capsys, "hex", "--peers", "--option", "size=3", "--option", "swap=true")["results"]
    assert result["note"] == "OpenSpiel's game is that of swap=false"


def test_no_peer_for_another_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    (result,) = figures(capsys, "holdem", "--peers", "--players", "3")["results"]
    assert result["peer"] is None
    assert result["note"] == "OpenSpiel has this game for another number of players"
    assert not [row for row in result["rows"] if row["name"].startswith("OpenSpiel")]


@pytest.mark.parametrize("peer", peers.shipped_games(), ids=lambda peer: peer.game)
def test_a_peer_is_the_same_game(peer: peers.Peer) -> None:
    """As many players, and where plays are counted alike, as many options at the start."""
    spiel = pytest.importorskip("pyspiel")
    path = shipped.find_game(peer.game)
    assert path is not None
    game = ruledsl.load(path)
    play = game.start(peer.players, options=dict(peer.options))
    theirs = spiel.load_game(peer.openspiel, peer.parameters_for(play.configured))
    assert theirs.num_players() == len(play.players)
    state = theirs.new_initial_state()
    if not state.is_chance_node() and "stepwise" not in path.read_text(encoding="utf-8"):
        assert len(state.legal_actions()) == len(play.options())
    found = openspiel.Driven(spiel, peer.openspiel, peer.parameters_for(play.configured)).run(0.001)
    assert found.decisions > found.plays > 0


def test_every_peer_has_a_criterion() -> None:
    ratios = {game: wanted for game, wanted in criteria.GAMES.items() if "required" in wanted}
    assert set(ratios) == {peer.game for peer in peers.known()}
    assert all(wanted["required"] < wanted["aim"] for wanted in ratios.values())
    assert all("required" in wanted or "rates" in wanted for wanted in criteria.GAMES.values())


@needs_compiler
def test_criteria_are_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    file = tmp_path / "figures.json"
    assert criteria.main(["hex", "--seconds", "0.02", "--rounds", "1", "--json", str(file)]) in (0, 1)
    found = json.loads(file.read_text(encoding="utf-8"))
    assert [row["name"] for row in found["results"][0]["rows"]][-2:] == ["C by hand", "Python by hand"]
    judged = [(entry["what"], entry["wanted"]) for entry in found["criteria"]]
    assert ("C by hand to OpenSpiel, C++", "at least 11.5") in judged
    assert [wanted for what, wanted in judged if what.startswith(("required", "aim"))] == ["at least 3", "at least 10"]
    told = capsys.readouterr().out
    assert all(line.endswith(("  met", "  NOT MET")) for line in told.splitlines()[-len(judged) :])


@needs_compiler
def test_speed_against_another_commit_is_asked_of_the_command() -> None:
    assert against.speed(against.ROOT, str(against.ROOT / "examples/tic-tac-toe.yaml"), "c", 0.02) > 0
