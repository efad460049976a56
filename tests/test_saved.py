"""Programs are written down and read back: what is read does the same, and an executor needs nothing else for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from agreement import variants

from games import EXAMPLES, NAMES, PATHS, ROOT, load
from ruledsl import types
from ruledsl.cli.main import main
from ruledsl.engine.machine import Machine, Stop
from ruledsl.generate.c_program import to_c
from ruledsl.generate.python_program import to_python
from ruledsl.ir import core as C
from ruledsl.ir.dump import dump, dump_layout
from ruledsl.ir.fingerprint import fingerprint
from ruledsl.ir.saved import FORMAT, MARK, SavedError, read, write

DECISIONS = 60
PLAYED = ("backgammon", "chess", "gem-traders", "holdem", "rock-paper-scissors", "fjords", "fortress")

# An executor of its own: it may see nothing above `ir` but the engine, and plays at random what it is given.
EXECUTOR = """
import sys
from importlib.abc import MetaPathFinder
class Nothing(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.startswith("ruledsl.") and name.split(".")[1] not in ("ir", "engine", "types", "source", "records"):
            raise ImportError(f"an executor imports {name}")
sys.meta_path.insert(0, Nothing())
from ruledsl.engine.machine import Machine
from ruledsl.ir.saved import read
from test_saved_plays import digest
print(digest(Machine(read(open(sys.argv[1], encoding="utf-8").read()))))
"""
PLAYS = f'''
import hashlib, random
def digest(machine):
    """What the states come to, decision by decision."""
    rng, v, seen = random.Random(3), machine.start(3), hashlib.sha256()
    for _ in range({DECISIONS}):
        stop = machine.run(v)
        seen.update(repr(v).encode())
        if stop.kind != "choice":
            seen.update(stop.kind.encode())
            break
        machine.choose(v, stop.choice, stop.options[rng.randrange(len(stop.options))])
    return seen.hexdigest()
'''


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_what_is_read_is_what_was_written(path: Path) -> None:
    for variant in list(variants(path))[:2]:
        program = variant.configured().machine.program
        text = write(program)
        found = read(text)
        assert write(found) == text
        assert dump(found) == dump(program)
        assert dump_layout(found) == dump_layout(program)
        assert fingerprint(found) == fingerprint(program)


@pytest.mark.parametrize("path", EXAMPLES[:6], ids=[path.stem for path in EXAMPLES[:6]])
def test_generators_write_the_same_of_it(path: Path) -> None:
    program = load(path).configured().machine.program
    found = read(write(program))
    assert to_c(found) == to_c(program)
    assert to_python(found) == to_python(program)


@pytest.mark.parametrize("name", PLAYED)
def test_an_executor_that_knows_programs_alone_plays_the_same(name: str, tmp_path: Path) -> None:
    (path,) = [path for path in PATHS if name in (path.stem, path.parent.name)]
    program = load(path).configured().machine.program
    (tmp_path / "program.json").write_text(write(program), encoding="utf-8")
    (tmp_path / "test_saved_plays.py").write_text(PLAYS, encoding="utf-8")
    (tmp_path / "executor.py").write_text(EXECUTOR, encoding="utf-8")
    run = [sys.executable, str(tmp_path / "executor.py"), str(tmp_path / "program.json")]
    told = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}, check=False)
    assert told.returncode == 0, told.stderr
    known: dict[str, object] = {}
    exec(PLAYS, known)
    assert told.stdout.strip() == known["digest"](Machine(program))  # type: ignore[operator]


def test_a_program_holds_data_alone() -> None:
    """Nothing of it is a function, and nothing knows of the rules as they were written but places in files."""
    whole = json.loads(write(load(ROOT / "games/fjords/game.yaml").configured().machine.program))
    assert whole[MARK] == FORMAT
    assert {thing[0] for thing in whole["things"]} <= {*vars(C), *vars(types), "tuple"}


BEGUN = '{"ruledsl program": 1, "files": [], "things": '


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[1]", "this is no program: it lacks `ruledsl program`"),
        ('{"ruledsl program": 99}', "this program is of version 99, and version 1 can be read"),
        (BEGUN + "[]}", "this program is damaged: IndexError list index out of range"),
        (BEGUN + '[["Jump", {"to": 3}]]}', "this is no program: it ends with something else"),
        (BEGUN + '[["Leap", {}]]}', "programs have nothing called `Leap`"),
        (BEGUN + '[["Jump", {"over": 1}]]}', "`Jump` has no `over`"),
    ],
)
def test_what_is_no_program_is_told(text: str, message: str) -> None:
    with pytest.raises(SavedError) as problem:
        read(text)
    assert str(problem.value) == message


def test_the_command_writes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "tic-tac-toe", "--stage", "program", "--format", "json"]) == 0
    found = read(capsys.readouterr().out)
    assert isinstance(Machine(found).run(Machine(found).start(0)), Stop)
