"""What can be known without network about setting up, locking and shipping."""

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ruledsl import shipped, started
from ruledsl.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """run.py as a module, with its `.venv` in an empty folder."""
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(module, "STAMP", str(tmp_path / ".venv" / "ruledsl-setup.json"))
    monkeypatch.setattr(module, "VENV_PYTHON", sys.executable)
    return module


def finished(bootstrap: ModuleType, *locks: str) -> dict[str, object]:
    return {"base": bootstrap.base(), "locks": {name: bootstrap.fingerprint(name) for name in locks}}


def stamp(bootstrap: ModuleType, text: str) -> None:
    path = Path(bootstrap.STAMP)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


# run.py


def test_an_old_python_can_read_it() -> None:
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_is_told(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "OLDEST", (4, 1))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    assert bootstrap.main(["play"]) == 1
    assert capsys.readouterr().err == (
        f"ruledsl needs Python 4.1 or newer; this is {sys.version_info[0]}.{sys.version_info[1]}"
        f" ({sys.executable}).\n"
        "Install a newer one (python.org, or your system's packages) and run this file with it.\n"
    )


def test_a_python_without_venv_is_told(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", {"venv": "found"}.get)
    assert bootstrap.main(["play"]) == 1
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert capsys.readouterr().err == (
        f"this Python ({sys.executable}) comes without `ensurepip`, which set-up needs.\n"
        f"  Debian, Ubuntu: sudo apt install python{version}-venv    (or python3-venv)\n"
        "  other systems:  install your system's full Python package, or Python from python.org\n"
    )


def test_no_network_is_named(bootstrap: ModuleType) -> None:
    written = ["WARNING: Retrying ... NewConnectionError(...)\n", "ERROR: No matching distribution found\n"]
    assert "no connection to the Python package index" in bootstrap.explain(written, "packages")


def test_a_finished_setup_is_used(bootstrap: ModuleType) -> None:
    stamp(bootstrap, json.dumps(finished(bootstrap, "run")))
    assert bootstrap.is_ready("run")
    assert not bootstrap.is_ready("test")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"unfinished": true}', '{"locks": 1}'])
def test_a_half_finished_setup_is_not_used(bootstrap: ModuleType, text: str) -> None:
    assert not bootstrap.is_ready("run")
    stamp(bootstrap, text)
    assert not bootstrap.is_ready("run")


@pytest.mark.parametrize("part", ["python", "prefix", "folder"])
def test_a_setup_of_another_python_or_place_is_not_used(bootstrap: ModuleType, part: str) -> None:
    other = finished(bootstrap, "run", "test")
    stamp(bootstrap, json.dumps({**other, "base": {**bootstrap.base(), part: "other"}}))
    assert not bootstrap.is_ready("run")


def test_a_changed_lock_is_seen(bootstrap: ModuleType) -> None:
    stamp(bootstrap, json.dumps({**finished(bootstrap), "locks": {"run": "other"}}))
    assert not bootstrap.is_ready("run")


def test_a_venv_made_by_someone_else_is_left_alone(bootstrap: ModuleType) -> None:
    theirs = Path(bootstrap.VENV, "pyvenv.cfg")
    theirs.parent.mkdir()
    theirs.touch()
    with pytest.raises(bootstrap.SetupError, match=r"was not made by run\.py"):
        bootstrap.refuse_to_delete_what_is_not_ours()
    assert theirs.exists()


def test_two_setups_do_not_run_at_once(bootstrap: ModuleType) -> None:
    with bootstrap.one_at_a_time(), Path(bootstrap.VENV + ".lock").open("a+") as second:
        assert not bootstrap.try_lock(second)


def test_tests_run_in_parallel_unless_told_otherwise(bootstrap: ModuleType) -> None:
    assert bootstrap.in_parallel(["-k", "chess"]) == ["-n", "auto", "--dist", "worksteal", "-k", "chess"]
    assert bootstrap.in_parallel(["-n0"]) == ["-n0"]


def test_messages_name_the_command_that_was_typed(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started_with: dict[str, str] = {}
    stamp(bootstrap, json.dumps(finished(bootstrap, "run")))
    monkeypatch.setattr(bootstrap, "run", lambda command: started_with.update(os.environ) or 0)
    monkeypatch.setattr(bootstrap.os, "environ", os.environ.copy())
    monkeypatch.setattr(sys, "argv", ["run.py", "play"])
    monkeypatch.setattr(bootstrap, "WINDOWS", False)
    assert bootstrap.main(["play"]) == 0
    assert started_with["RULEDSL_STARTED_AS"] == "python3 run.py"
    monkeypatch.undo()
    monkeypatch.setenv("RULEDSL_STARTED_AS", started_with["RULEDSL_STARTED_AS"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv/bin/python"))
    monkeypatch.chdir(tmp_path)
    assert started.installing("peers") == ".venv/bin/pip install 'ruledsl[peers]'"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert started.installing("peers") == f"{tmp_path}/.venv/bin/pip install 'ruledsl[peers]'"
    assert main(["pley"]) == 2
    assert main(["nosuch"]) == 2
    assert capsys.readouterr().err == (
        "ruledsl: there is no command `pley`; did you mean `play`?\n"
        "ruledsl: there is no command `nosuch`; `python3 run.py --help` lists the commands\n"
    )
    assert main(["new", "hill"]) == 0
    assert capsys.readouterr().out == (
        "hill has a game with tests. What you can do next:\n\n"
        "  python3 run.py check hill   finds its mistakes\n"
        "  python3 run.py play  hill   plays it\n"
        "  python3 run.py test  hill   runs its tests\n"
    )


def test_an_installed_package_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEDSL_STARTED_AS", raising=False)
    assert started.command() == "ruledsl"
    assert started.installing("native") == "pip install 'ruledsl[native]'"


# requirements/


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_pins_and_hashes_everything(lock: Path) -> None:
    text = re.sub(r"\\\n", "", lock.read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[a-z0-9-]+==\S+ (; [^#]*)?\s*--hash=sha256:[0-9a-f]{64}", line), line


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_names_no_registry_and_no_place(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    for word in ("://", "index-url", "find-links", "trusted-host", "file:", "/tmp", "/home"):
        assert word not in text


def test_the_lock_for_tests_holds_the_lock_for_playing() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^\S+==\S+", (ROOT / "requirements" / name).read_text(), re.MULTILINE))

    assert pins("run.txt") < pins("test.txt")


# ruledsl.shipped


@pytest.fixture(params=["clone", "installed"])
def games(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds games/ and examples/, laid out in one of the two ways."""
    package = tmp_path / "ruledsl"
    package.mkdir()
    top = tmp_path if request.param == "clone" else package / "_shipped"
    paths = ["games/hill/game.yaml", "games/hill/cards.yaml", "games/both/game.yaml", "games/notes/rules.md"]
    paths += ["examples/hex.yaml", "examples/hex.test.yaml", "examples/both.yaml", "examples/.draft.yaml"]
    for path in paths:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).touch()
    monkeypatch.setattr(shipped, "PACKAGE", package)
    return top


def test_games_are_found_by_name(games: Path) -> None:
    assert shipped.names() == ["both", "hex", "hill"]
    assert shipped.find_game("hill") == games / "games/hill/game.yaml"
    assert shipped.find_game("hex") == games / "examples/hex.yaml"
    assert shipped.find_game("both") == games / "games/both/game.yaml"
    assert shipped.find_game("chess") is None


@pytest.mark.parametrize("path", ["", ".", "..", "hex.yaml", "./hex", "games/hill", "..\\hex", "../hill"])
def test_a_path_is_not_looked_up(games: Path, path: str) -> None:
    assert shipped.find_game(path) is None


def test_every_folder_is_there() -> None:
    assert [kind for kind in shipped.KINDS if not shipped.folder(kind).is_dir()] == []


def test_a_build_holds_the_package_and_the_games(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="77")
    steps = ["egg_info", "-e", str(tmp_path), "build_py", "-d", str(tmp_path / "lib")]
    subprocess.run([sys.executable, "setup.py", "-q", *steps], cwd=ROOT, check=True, capture_output=True)
    built = tmp_path / "lib" / "ruledsl"

    def files(folder: Path) -> set[Path]:
        every = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
        return {path for path in every if not re.search(r"(^|/)(\.|__pycache__)", path.as_posix())}

    assert files(ROOT / "ruledsl") == {path for path in files(built) if path.parts[0] != "_shipped"}
    for kind in shipped.KINDS:
        assert files(ROOT / kind) == files(built / "_shipped" / kind)
