"""Compiled games in the cache: built at once by several, broken, refused, or without a compiler or a place to be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import ruledsl
from ruledsl.cli.main import main
from ruledsl.compiler import checked
from ruledsl.generate import native
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import Library, Miscompiled, NoCompiler, Session
from ruledsl.runtime.game import Configured

ROOT = Path(__file__).resolve().parent.parent
TIC_TAC_TOE = ROOT / "examples/tic-tac-toe.yaml"
NONE_HERE = "there is no C compiler: install gcc or clang, or `pip install 'ruledsl[native]'`"
SIMULATED = ["simulate", str(TIC_TAC_TOE), "-n", "5", "-j", "1"]

needs_compiler = pytest.mark.skipif(native.compiler() is None, reason="there is no C compiler")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RULEDSL_CACHE", str(folder))
    monkeypatch.setattr(checked, "_known", set())
    native._passing.cache_clear()
    return folder


def compiled_in(cache: Path) -> list[Path]:
    """What is there besides the notes that the rules have no mistakes and which ruledsl this is."""
    found = sorted(cache.iterdir())
    assert [path.name.partition("-")[0] for path in found].count("checked") == 1
    return [path for path in found if not path.name.startswith(("checked-", "generator-"))]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made from the rules is no C."""
    written = CProgram.write
    monkeypatch.setattr(CProgram, "write", lambda self: written(self) + "int no good;\n")


def configured() -> Configured:
    return ruledsl.load(TIC_TAC_TOE).configured()


def library() -> Library:
    made = configured()
    return Library(made.machine.program, made.rules, ("-O1", "-std=gnu11", "-shared", "-fPIC", "-w"))


def works(made: Library) -> bool:
    session = Session(made)
    begins = session.start(1) == 1 and len(session.options()) == 9
    session.close()
    return begins


def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Notes every compilation."""
    seen: list[Path] = []
    compile_: Callable[..., None] = native._compile

    def note(file: Path, *more: object) -> None:
        seen.append(file)
        compile_(file, *more)

    monkeypatch.setattr(native, "_compile", note)
    return seen


# ------------------------------------------------------------------------------------------------------- the cache


@needs_compiler
def test_a_game_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = compiled(monkeypatch)
    assert works(library())
    assert works(library())
    assert len(seen) == 1
    assert sorted(path.suffix for path in compiled_in(cache)) == sorted([".json", native.SUFFIX])
    if os.name == "posix":
        assert cache.stat().st_mode & 0o077 == 0, "nobody else may put code there"


def test_which_ruledsl_this_is_is_read_once_and_again_where_the_note_is_no_good(cache: Path) -> None:
    told = native.generator.__wrapped__()
    (note,) = cache.glob("generator-*")
    assert note.read_text() == told
    note.write_text("something else")
    assert native.generator.__wrapped__() == told == note.read_text()


@needs_compiler
def test_other_rules_players_or_flags_are_another_library(cache: Path) -> None:
    made = configured()
    assert native.place(made.rules) != native.place(made.rules + " ")
    assert native.place(made.rules) != native.place(made.rules, ("-O0",))
    assert native.place(made.rules).parent == cache


@needs_compiler
def test_flags_of_the_user_come_last_and_make_another_library(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []
    compile_ = native._compile

    def note(file: Path, made: Path, flags: Sequence[str]) -> None:
        tried.append(list(flags))
        compile_(file, made, flags)

    monkeypatch.setattr(native, "_compile", note)
    monkeypatch.delenv(native.ASKED, raising=False)
    plain = library()
    monkeypatch.setenv(native.ASKED, "-Og '-DSAID=a b'")
    asked = library()
    assert works(asked)
    assert asked.path != plain.path
    assert [flags[-2:] for flags in tried] == [["-fPIC", "-w"], ["-Og", "-DSAID=a b"]]


@needs_compiler
def test_what_comes_to_the_same_c_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other rules may, and another ruledsl, of which the place knows nothing but that it is another."""
    first = library()
    seen = compiled(monkeypatch)
    monkeypatch.setattr(native, "generator", lambda: "another ruledsl")
    again = library()
    assert works(again)
    assert (again.path, seen) == (first.path, [])
    assert len(list(cache.glob("*.json"))) == 2


@needs_compiler
@pytest.mark.parametrize(
    ("breaks", "times"),  # what is done to the note and the library, and how often the compiler is needed then
    [
        (lambda note, code: note.write_text("{"), 0),
        (lambda note, code: note.write_text("[1]"), 0),
        (lambda note, code: note.write_bytes(b"\xff\xfe"), 0),
        (lambda note, code: note.write_text(json.dumps({"library": code.name})), 0),
        (lambda note, code: note.write_text(json.dumps({**json.loads(note.read_text()), "library": "../other.so"})), 0),
        (lambda note, code: note.unlink(), 0),
        (lambda note, code: code.write_bytes(code.read_bytes()[:5000]), 1),
        (lambda note, code: code.write_bytes(b""), 1),
        (lambda note, code: code.write_bytes(b"x" * 5000), 1),
        (lambda note, code: code.unlink(), 1),
    ],
)
def test_what_is_broken_is_made_anew(
    breaks: Callable[[Path, Path], object], times: int, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = library()
    code, note = made.path, next(cache.glob("*.json"))
    # A library that is in use is not to be changed under the feet of the process: another takes its place.
    other = code.with_suffix(".kept")
    other.write_bytes(code.read_bytes())
    other.replace(code)
    breaks(note, code)
    seen = compiled(monkeypatch)
    assert works(library())
    assert len(seen) == times
    assert works(library())
    assert len(seen) == times


BUILD = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests"]
import test_native
assert test_native.works(test_native.library())
"""


@needs_compiler
def test_processes_that_build_at_once_do_not_disturb_each_other(cache: Path) -> None:
    words = [sys.executable, "-c", BUILD, str(ROOT)]
    running = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for one in running:
        _, said = one.communicate(timeout=120)
        assert one.returncode == 0, said
    assert len(list(cache.glob("*.json"))) == 1
    assert not [path for path in cache.iterdir() if path.is_dir()], "nothing is left of the work"
    assert works(library())


@needs_compiler
def test_where_nothing_can_be_kept_a_passing_folder_serves(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cache.write_text("this is no folder")  # not even root can write into it
    seen = compiled(monkeypatch)
    assert works(library())
    assert works(library())
    assert len(seen) == 1
    assert cache.read_text() == "this is no folder"
    assert main([*SIMULATED, "--backend", "c"]) == 0
    assert "ruledsl:" not in capsys.readouterr().err


def test_the_passing_folder_goes_with_the_process(tmp_path: Path) -> None:
    code = "from ruledsl.generate import native; print(native._passing())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not Path(done.stdout.strip()).exists()


# ----------------------------------------------------------------------------------------------------- no compiler


@pytest.mark.parametrize(
    ("named", "lacking"),
    [
        ("", "CC is empty"),
        ("no-such-cc -m64", "CC names `no-such-cc -m64`, which is no C compiler that is here"),
    ],
)
def test_without_a_compiler_it_says_so_and_does_without(
    named: str, lacking: str, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", named)
    assert main(SIMULATED) == 0
    said = capsys.readouterr()
    assert said.err.splitlines()[0] == f"ruledsl: running on the `python` backend: c: {lacking}"
    assert main([*SIMULATED, "--backend", "c"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"ruledsl: the backend `c` is not available: {lacking}\n")
    assert main(["perft", str(TIC_TAC_TOE), "-d", "2", "--backend", "c"]) == 2
    assert capsys.readouterr().err == f"ruledsl: the backend `c` is not available: {lacking}\n"
    assert main(["perft", str(TIC_TAC_TOE), "-d", "5"]) == 0
    said = capsys.readouterr()
    assert said.out.endswith("5: 15120\n")
    assert said.err.startswith(f"ruledsl: counting on the `python` backend; c: {lacking}\n")


def test_a_machine_without_a_compiler_is_told_what_to_install(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NoCompiler) as told:
        library()
    assert str(told.value) == NONE_HERE


def test_the_package_ziglang_is_taken_where_the_system_has_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    assert native.compiler() == [sys.executable, "-m", "ziglang", "cc"]


# -------------------------------------------------------------------------------------------------- what is refused


def a_mistake(said: pytest.CaptureFixture[str], cache: Path) -> Path:
    """What is kept of a mistake of ours, which is told in place of plays."""
    told, advice = said.readouterr().err.splitlines()
    assert told.startswith("ruledsl: a bug in ruledsl: ")
    assert "please report it with this command: " in told
    assert advice == "Until this is fixed, use `--backend python`, which works without C."
    (kept,) = (cache / "refused").iterdir()
    assert f"the C file and all that was said are kept in {kept}; " in told
    return kept


@needs_compiler
@pytest.mark.usefixtures("refused")
@pytest.mark.parametrize("words", [SIMULATED, [*SIMULATED, "--backend", "c"], [*SIMULATED[:3], "50", "-j", "2"]])
def test_code_that_a_good_compiler_refuses_is_a_mistake_of_ours_and_told(
    words: list[str], cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(
        Miscompiled, match=r"^the C compiler `.*` refused what was made from the rules: game\.c:.*; the C file"
    ) as told:
        library()
    assert "\n" not in str(told.value)
    assert [path.name for path in compiled_in(cache)] == ["refused"]
    assert main(words) == 2
    kept = a_mistake(capsys, cache)
    assert (kept / "game.c").read_text().endswith("int no good;\n")
    assert "error" in (kept / "said.txt").read_text()
    assert main([*words, "--backend", "python"]) == 0


@needs_compiler
def test_so_is_a_library_that_cannot_be_loaded(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = CProgram.write
    lacking = "int nowhere(void);\nint from_nowhere(void) { return nowhere(); }\n"
    monkeypatch.setattr(CProgram, "write", lambda self: written(self) + lacking)
    with pytest.raises(Miscompiled, match=r"^what was made from the rules cannot be loaded: .*nowhere"):
        library()
    assert main([*SIMULATED, "--backend", "c"]) == 2
    assert "int nowhere(void);" in (a_mistake(capsys, cache) / "game.c").read_text()
    with pytest.raises(Miscompiled):  # when it is found in the cache, too
        library()


@needs_compiler
def test_where_no_library_can_be_loaded_c_is_done_without(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(path: str) -> None:
        raise OSError(f"{path}: failed to map segment from shared object: Operation not permitted")

    monkeypatch.setattr("ctypes.CDLL", forbidden)
    with pytest.raises(NoCompiler, match=r"^what the C compiler made cannot be loaded here: .*not permitted$"):
        library()
    assert main(SIMULATED) == 0
    assert "ruledsl: running on the `python` backend: c: what the C compiler made" in capsys.readouterr().err
    assert not (cache / "refused").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize(
    ("does", "said"),
    [
        (
            'echo "game.c:2:10: fatal error: setjmp.h: No such file or directory" >&2; exit 1',
            "cannot compile even a small file: game.c:2:10: fatal error: setjmp.h: No such file or directory",
        ),
        ("kill -9 $$", "failed: it ended with -9"),
        (
            'echo "cc: fatal error: Killed signal terminated program cc1" >&2; exit 1',
            "failed: cc: fatal error: Killed signal terminated program cc1",
        ),
        (
            'echo "fatal error: error writing to /tmp/x.s: No space left on device" >&2; exit 1',
            "failed: fatal error: error writing to /tmp/x.s: No space left on device",
        ),
        (
            'echo "game.c:9:1: internal compiler error: oh" >&2; exit 4',
            "failed: game.c:9:1: internal compiler error: oh",
        ),
    ],
    ids=["no headers", "killed", "killed inside", "full disk", "internal error"],
)
def test_a_compiler_that_fails_is_done_without(
    does: str,
    said: str,
    cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing = tmp_path / "failing"
    failing.write_text(f"#!/bin/sh\n{does}\n")
    failing.chmod(0o755)
    monkeypatch.setenv("CC", str(failing))
    assert main(SIMULATED) == 0
    told = capsys.readouterr().err.splitlines()[0]
    assert told == f"ruledsl: running on the `python` backend: c: the C compiler `{failing}` {said}"
    assert not (cache / "refused").exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_compiler_that_does_not_know_a_flag_does_without_it(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = native.compiler()
    if command is None:
        pytest.skip("there is no C compiler")
    strict = tmp_path / "strict"
    strict.write_text(
        '#!/bin/sh\ncase "$*" in *-march=native*) echo "error: unknown flag" >&2; exit 1;; esac\n'
        f'exec {" ".join(command)} "$@"\n'
    )
    strict.chmod(0o755)
    monkeypatch.setenv("CC", str(strict))
    made = configured()
    assert works(Library(made.machine.program, made.rules, ("-O1", "-march=native", "-shared", "-fPIC", "-w")))


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_a_compiler_that_cannot_be_run(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/shell\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    with pytest.raises(NoCompiler) as told:
        library()
    assert str(told.value) == f"the C compiler `{broken}` cannot be run: No such file or directory"
