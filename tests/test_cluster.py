"""Work on a cluster: the same to the last byte as work here, whoever dies meanwhile; other machines need no files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.simulation import cluster as clusters
from ruledsl.simulation.away import Order, prepared, timed_part
from ruledsl.simulation.cluster import HERE, Cluster, NoCluster, shipped
from ruledsl.simulation.run import simulate
from ruledsl.simulation.work import Task, Work

ROOT = Path(__file__).parent.parent
SPLIT = ROOT / "tests/simulate/split.yaml"


def test_without_ray_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for words in (["simulate", str(SPLIT)], ["tournament", str(SPLIT), "random", "greedy"], ["train", str(SPLIT)]):
        assert main([*words, "--cluster"]) == 2
        assert capsys.readouterr().err == ("ruledsl: working on a cluster needs Ray: pip install 'ruledsl[cluster]'\n")


def test_an_address_where_nobody_answers_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", sys)  # it is never asked
    with pytest.raises(NoCluster, match=r"^no cluster can be reached at `127\.0\.0\.1:1`: "):
        Cluster("127.0.0.1:1", 1)


@pytest.mark.parametrize("name", ["tests/simulate/split.yaml", "games/outpost/game.yaml", "examples/chess.yaml"])
def test_rules_travel_without_their_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine has neither the folder nor its place, and its faults name files as they are known here."""
    shutil.copytree((ROOT / name).parent, tmp_path / "there")
    monkeypatch.chdir(tmp_path)
    path = Path("there") / Path(name).name
    game = Game(load_blueprint(path))
    task, plays = Task(str(path), game.players[0], backend="python", table=".csv"), 6
    here = Work(task, game).part(0, plays)
    order = Order(task, shipped(game))
    shutil.rmtree(tmp_path / "there")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    there, _ = timed_part(prepared(order), (0, plays))
    assert (there.digests, there.counts, there.faults) == (here.digests, here.counts, here.faults)
    assert b"".join(there.table) == b"".join(here.table)
    assert bool(here.faults) == ("split" in name)


def test_a_large_part_is_done_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(Task(str(SPLIT), 2, backend="interpreter", table=".csv"))
    whole = work.part(3, 50)
    monkeypatch.setattr("ruledsl.simulation.away.MOST", 7)
    bits, _ = timed_part(work, (3, 50))
    assert (bits.first, bits.count, bits.digests, bits.counts) == (3, 50, whole.digests, whole.counts)
    assert (bits.faults, b"".join(bits.table)) == (whole.faults, b"".join(whole.table))


# ------------------------------------------------------------------------------------------- with Ray itself


@pytest.fixture(scope="module")
def two() -> Iterator[Cluster]:
    """Two processes on this machine."""
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    with pytest.MonkeyPatch.context() as patch:  # the pieces are functions of this file
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        found = Cluster(HERE, 2)
    yield found
    found.close()


@pytest.mark.long
@pytest.mark.parametrize("backend", ["interpreter", "auto"])
def test_a_cluster_changes_nothing_whoever_dies(two: Cluster, backend: str) -> None:
    """One of the two workers is killed in the middle of its piece; its plays are there all the same."""
    task = Task(str(SPLIT), 2, seed=5, backend=backend, table=".jsonl")
    plays = 6000 if backend == "interpreter" else 40_000
    lines, lines_away = list[bytes](), list[bytes]()
    alone = simulate(task, plays, jobs=1, took=lines.append)
    victims = _workers(two)
    killed = list[int]()

    def kill(done: int) -> None:
        if done > plays // 10 and victims and not killed:
            killed.append(victims.pop())
            os.kill(killed[0], signal.SIGKILL)

    away = simulate(task, plays, progress=kill, took=lines_away.append, cluster=two)
    assert killed
    assert (away.done, away.digests, away.counts, away.faults) == (plays, alone.digests, alone.counts, alone.faults)
    assert b"".join(lines_away) == b"".join(lines)


@pytest.mark.long
def test_a_piece_whose_worker_dies_is_done_again(two: Cluster, tmp_path: Path) -> None:
    """Every piece kills whoever begins it first."""
    assert sorted(two.answers(_keep, str(tmp_path), _die_once, range(5))) == [0, 1, 4, 9, 16]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0", "1", "2", "3", "4"]


@pytest.mark.long
def test_a_mistake_in_a_piece_is_told(two: Cluster) -> None:
    with pytest.raises(RuntimeError, match=r"^ZeroDivisionError: division by zero$"):
        list(two.answers(_keep, 1, _divide, [1, 0]))


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "there.yaml", "-n", "3000", "--bots", "greedy,random", "--save", "FILE.json"],
        ["tournament", "there.yaml", "random", "greedy", "-n", "30", "-o", "FILE.jsonl"],
    ],
)
def test_commands_on_a_cluster(words: list[str], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    shutil.copyfile(SPLIT, tmp_path / "there.yaml")
    said = []
    for name, more in (("here", []), ("away", ["--cluster", HERE, "--jobs", "2"])):
        command = [sys.executable, "-m", "ruledsl", *(word.replace("FILE", name) for word in words), *more]
        said.append(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout)
    assert said[0]
    assert said[0] == said[1]
    here, away = (next(tmp_path.glob(f"{name}.json*")).read_bytes() for name in ("here", "away"))
    assert here == away


@pytest.mark.long
def test_what_is_learnt_on_a_cluster_is_the_same(two: Cluster, tmp_path: Path) -> None:
    """A worker is killed while it learns; what is measured and kept is what is learnt here."""
    shutil.copyfile(ROOT / "examples/breakthrough.yaml", tmp_path / "there.yaml")
    words = ["train", "there.yaml", "-n", "2000", "-s", "3", "-o", "learnt.json", "--format", "json"]
    said, kept = list[str](), list[bytes]()
    for more in ([], ["--cluster", HERE, "--jobs", "2"]):
        command = subprocess.Popen(
            [sys.executable, "-m", "ruledsl", *words, *more], cwd=tmp_path, stdout=subprocess.PIPE, text=True
        )
        for _ in range(60 if more else 0):
            time.sleep(0.5)
            if found := _at_work(command.pid):
                os.kill(found[0], signal.SIGKILL)
                break
        else:
            assert not more, "no worker was seen"
        said.append(command.communicate()[0])
        kept.append((tmp_path / "learnt.json").read_bytes())
        (tmp_path / "learnt.json").unlink()
    assert json.loads(said[0])["kept"]
    assert said[0] == said[1]
    assert kept[0] == kept[1]


def _at_work(parent: int) -> list[int]:
    """Workers of Ray below a process that do a piece just now."""
    told = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in told.splitlines()[1:]]
    above = {int(pid): int(ppid) for pid, ppid, _ in rows}

    def below(pid: int) -> bool:
        while pid in above and pid != parent:
            pid = above[pid]
        return pid == parent

    return [int(pid) for pid, _, args in rows if args.startswith("ray::") and "_piece" in args and below(int(pid))]


def _keep(given: Any) -> Any:
    return given


def _die_once(folder: str, number: int) -> int:
    mark = Path(folder) / str(number)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def _divide(one: int, by: int) -> float:
    return one / by


def _pid(given: object, item: int) -> int:
    time.sleep(0.5)
    return os.getpid()


def _workers(cluster: clusters.Cluster) -> list[int]:
    """The processes that work, all of them busy for a moment."""
    return sorted(set(cluster.answers(_keep, None, _pid, range(4))))
