"""Compiled games: the C file of a program, made into a library once and kept in the user's cache."""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.engine.batch import Shape
from ruledsl.engine.machine import STEPS
from ruledsl.engine.menus import TOO_MANY
from ruledsl.ir import core as C
from ruledsl.started import installing

from .passes import NONE_OFF, Off

if TYPE_CHECKING:
    from .c_program import CProgram

FLAGS = (
    "-O2",
    "-march=native",
    "-std=gnu11",
    "-shared",
    "-fPIC",
    "-fno-strict-overflow",
    "-fno-tree-slp-vectorize",
    "-w",
)


# What support.c says of itself (FAULT_ARENA and those after it).
FAULTS = {
    -2: "a formula works with more numbers at once than there is room for",
    -5: "an effect that is tried out moves more pieces than there is room for",
    -6: TOO_MANY,
    -3: f"nothing was decided for {STEPS} steps: a loop of the rules never ends",
    -4: f"an effect that is tried out ran {STEPS} steps: a loop of the rules never ends",
}


# Characters of C: of a modest program the compiler tries everything, which costs a second; of a large one it does what
# takes little time, which takes half of the time and costs no speed (measured, see `bench`); of a huge one, such as
# hundreds of cards with effects of their own, still less, which is a third as fast and takes a fifth of the time.
MODEST, LARGE, HUGE = 200_000, 500_000, 700_000
ASKED = "RULEDSL_CFLAGS"  # the variable of the environment that holds flags of the user
OPTIONAL = ("-march=native", "-fno-tree-slp-vectorize")  # flags that not every compiler knows
ABOUT = {"slots", "stride", "faults"}  # what a note says of a library
SUFFIX = ".dll" if sys.platform == "win32" else ".so"


# A small file that needs what ours need. A compiler that refuses it, too, is no good here.
PROBE = """\
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int32_t ruledsl_probe(void) { return (int32_t)strlen("here"); }
"""
# What compilers say when they themselves come to grief, and no file is to blame.
FAILING = re.compile(
    "internal compiler error|killed|out of memory|memory exhausted|cannot allocate memory|no space left|bus error"
    "|segmentation fault|read-only file system|quota exceeded|too many open files",
    re.IGNORECASE,
)


class NoCompiler(Exception):
    """There is nothing to compile with; the message says what to do."""


class Miscompiled(Exception):
    """What we made from the rules is no good C, though the compiler is a good one: a mistake of ours, not to be
    passed over by doing without C. The message says what is wrong, and where everything about it is kept."""


def compiler() -> list[str] | None:
    """The command of a C compiler: the system's, or the one of the package `ziglang`."""
    named = os.environ.get("CC")
    if named is not None:
        return named.split() if named and shutil.which(named.split()[0]) else None
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found:
            return [found]
    if importlib.util.find_spec("ziglang") is None:
        return None
    return [sys.executable, "-m", "ziglang", "cc"]


def _with_asked(flags: Sequence[str]) -> list[str]:
    """The flags, and those that the user wants besides: they come last, so they overrule ours."""
    return [*flags, *shlex.split(os.environ.get(ASKED, ""))]


def cache_folder() -> Path:
    """Where compiled games are kept."""
    named = os.environ.get("RULEDSL_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "ruledsl"


@cache
def generator() -> str:
    """The same as long as nothing of ruledsl changes that could change what is generated.

    To read five hundred files takes a tenth of a short run; so it is noted for the sizes and times that they have now.
    """
    found = sorted(_sources(str(Path(__file__).parent.parent)))
    note = cache_folder() / f"generator-{hashlib.sha256(repr(found).encode()).hexdigest()[:32]}"
    with suppress(OSError, ValueError):
        known = note.read_text(encoding="ascii")
        if len(known) == hashlib.sha256().digest_size * 2:
            return known
    digest = hashlib.sha256()
    for path, _, _ in found:
        digest.update(Path(path).read_bytes())
    with suppress(OSError):  # else it is read again next time
        note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile("w", dir=note.parent, encoding="ascii", delete=False) as file:
            file.write(digest.hexdigest())
        Path(file.name).replace(note)
    return digest.hexdigest()


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    """The files that code is made by and of, each with its size and when it was changed last."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".c", ".lark")):
                told = entry.stat()
                yield entry.path, told.st_size, told.st_mtime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path)


@cache
def _machine() -> str:
    """The sort of machine that the library is for: it may use all that this processor has."""
    try:
        known = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("flags")[2].partition("\n")[0]
    except OSError:
        known = platform.processor()
    return f"{platform.platform()} {platform.machine()} {known}"


PLAYS = "CProgram"  # the name of the writer of plays, which is imported only where something is to be written


def _writer() -> type[CProgram]:
    from .c_program import CProgram

    assert CProgram.__name__ == PLAYS
    return CProgram


def place(
    rules: str, flags: Sequence[str] = FLAGS, writer: type[CProgram] | None = None, without: Off = NONE_OFF
) -> Path:
    """The note about the library of a program: its name stands for the rules, the generator, the compiler, the machine.

    The note names the library, which is called by the C file that it was made of and by what is in it. So whoever
    reads a note finds the library that it is about, whoever else builds the same meanwhile; and after a change of
    ruledsl nothing is compiled again whose C is the same as before.
    """
    command = compiler()
    if command is None:
        named = os.environ.get("CC")
        if named is not None:
            raise NoCompiler(f"CC names `{named}`, which is no C compiler that is here" if named else "CC is empty")
        raise NoCompiler(f"there is no C compiler: install gcc or clang, or `{installing('native')}`")
    off, kind = sorted(one.label for one in without), PLAYS if writer is None else writer.__name__
    parts = "\0".join([rules, generator(), kind, *off, *command, *_with_asked(flags), _machine()])
    return cache_folder() / f"{hashlib.sha256(parts.encode()).hexdigest()[:32]}.json"


def build(source: str, about: dict[str, Any], note: Path, flags: Sequence[str] = FLAGS) -> Path:
    """Compiles a C file into the cache; where that cannot be written, into a folder that goes with this process.

    Two that build the same at once do not disturb each other: both put whole files in place. Gives the library.
    """
    try:
        note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=note.parent) as work:
            return _built(source, about, note, flags, Path(work))
    except OSError:
        try:
            folder = _passing()
            with tempfile.TemporaryDirectory(dir=folder) as work:
                return _built(source, about, folder / note.name, flags, Path(work))
        except OSError as problem:
            raise NoCompiler(f"what the C compiler makes cannot be written: {problem.strerror or problem}") from None


def _built(source: str, about: dict[str, Any], note: Path, flags: Sequence[str], work: Path) -> Path:
    file, made, told = work / "game.c", work / "game", work / "about.json"
    file.write_text(source, encoding="utf-8")
    flags = fitted(source, flags)
    stem = named(source, flags)
    library, digest = same_code(note.parent, stem) or _compiled(file, made, flags, note.parent / stem)
    told.write_text(json.dumps({**about, "library": library.name, "digest": digest}), encoding="utf-8")
    told.replace(note)  # last: what it names is there
    return library


def fitted(source: str, flags: Sequence[str]) -> list[str]:
    """The flags for a file of this size, with those that the user wants."""
    if len(source) < MODEST:  # up to a fifth faster, and compiled in a second all the same
        found = ["-O3" if flag == "-O2" else flag for flag in flags]
    else:
        found = [*flags, "-DSELDOM=__attribute__((cold))"]
    if len(source) > LARGE:
        found = [("-Og" if len(source) > HUGE else "-O1") if flag == "-O2" else flag for flag in found]
    return _with_asked(found)


def named(source: str, flags: Sequence[str]) -> str:
    """How the library of a C file begins. Other rules may come to the same file, and another ruledsl mostly does."""
    parts = "\0".join([source, *(compiler() or ()), *flags, _machine()])
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def same_code(folder: Path, stem: str) -> tuple[Path, str] | None:
    """A library of the same C file that is here and whole, and what is in it."""
    for library in folder.glob(f"{stem}-*{SUFFIX}"):
        with suppress(OSError):
            digest = hashlib.sha256(library.read_bytes()).hexdigest()
            if library.stem.endswith(digest[:16]):
                library.touch()  # it is as good as new to whoever clears away what is old
                return library, digest
    return None


def _compiled(file: Path, made: Path, flags: Sequence[str], stem: Path) -> tuple[Path, str]:
    _compile(file, made, flags)
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    library = stem.with_name(f"{stem.name}-{digest[:16]}{SUFFIX}")
    made.replace(library)
    return library, digest


def _compile(file: Path, made: Path, flags: Sequence[str]) -> None:
    """Compiles; a compiler that does not know what makes code fast on this very machine does without."""
    for tried in attempts(flags):
        done = _run(file, made, tried)
        if done.returncode == 0 and made.exists():
            return
    said = _said(done, file)
    name = done.args[0]
    if done.returncode < 0 or FAILING.search(done.stderr):
        raise NoCompiler(f"the C compiler `{name}` failed: {said}")
    probed = _probed(file.parent, tried)
    if isinstance(probed, str):
        raise NoCompiler(f"the C compiler `{name}` cannot compile even a small file: {probed}")
    raise _mistake(f"the C compiler `{name}` refused what was made from the rules: {said}", file, done)


def attempts(flags: Sequence[str]) -> list[list[str]]:
    """The flags, and those that every compiler knows."""
    plain = [flag for flag in flags if flag not in OPTIONAL]
    return [list(flags)] if plain == list(flags) else [list(flags), plain]


def _run(file: Path, made: Path, flags: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = compiler()
    assert command is not None, "`place` has asked for it"
    words = [*command, *flags, "-o", str(made), str(file)]
    try:
        # In English, so that we understand what is said.
        return subprocess.run(
            words, capture_output=True, text=True, errors="replace", env={**os.environ, "LC_ALL": "C"}
        )
    except OSError as problem:
        raise NoCompiler(f"the C compiler `{command[0]}` cannot be run: {problem.strerror}") from None


def _said(done: subprocess.CompletedProcess[str], file: Path) -> str:
    """The line of what a compiler said that tells most."""
    lines = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
    return next((line for line in lines if "error" in line), lines[0]).replace(str(file), file.name)[:300]


def _probed(folder: Path, flags: Sequence[str]) -> Path | str:
    """A library of next to nothing, or what the compiler says against it."""
    file, made = folder / "probe.c", folder / f"probe{SUFFIX}"
    file.write_text(PROBE, encoding="utf-8")
    done = _run(file, made, flags)
    return made if done.returncode == 0 and made.exists() else _said(done, file)


def _mistake(what: str, file: Path, done: subprocess.CompletedProcess[str] | None = None) -> Miscompiled:
    """Keeps what is needed to find a mistake of ours."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    said = f"{what}\n" + (f"\n{shlex.join(done.args)}\n\n{done.stderr}" if done is not None else "")
    kept = "nothing of it could be kept"
    for folder in (cache_folder() / "refused", Path(tempfile.gettempdir()) / "ruledsl-refused"):
        try:
            place = folder / digest
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.copyfile(file, place / "game.c")
            (place / "said.txt").write_text(said, encoding="utf-8")
        except OSError:
            continue
        kept = f"the C file and all that was said are kept in {place}"
        break
    return Miscompiled(f"{what}; {kept}")


def _loaded(library: Path, source: Callable[[], str], flags: Sequence[str]) -> ctypes.CDLL:
    """A library in this process. Where not even a library of next to nothing can be loaded, C is no good here."""
    try:
        return ctypes.CDLL(str(library))
    except OSError as problem:
        told = str(problem).replace(str(library), library.name)
    with tempfile.TemporaryDirectory(dir=library.parent) as work:
        probe = _probed(Path(work), [flag for flag in flags if flag not in OPTIONAL])
        try:
            if isinstance(probe, Path):
                ctypes.CDLL(str(probe))
        except OSError:
            probe = ""
        if isinstance(probe, str):
            raise NoCompiler(f"what the C compiler made cannot be loaded here: {told}")
        file = Path(work) / "game.c"
        file.write_text(source(), encoding="utf-8")
        raise _mistake(f"what was made from the rules cannot be loaded: {told}", file)


@cache
def _passing() -> Path:
    """A folder for compiled games that nobody keeps."""
    folder = Path(tempfile.mkdtemp(prefix="ruledsl-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def kept(note: Path) -> tuple[dict[str, Any], Path] | None:
    """What was built before, if it is whole: a library that was cut short would break the process."""
    for folder in (note.parent, *([_passing()] if _passing.cache_info().currsize else [])):
        try:
            about = json.loads((folder / note.name).read_text(encoding="utf-8"))
            library = folder / str(about["library"])
            if hashlib.sha256(library.read_bytes()).hexdigest() == about["digest"] and about.keys() >= ABOUT:
                return about, library
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return None


def written(
    program: C.Program, writer: type[CProgram] | None = None, without: Off = NONE_OFF
) -> tuple[str, dict[str, Any]]:
    """The C file of a program, and what a note says of its library."""
    made = (writer or _writer())(program, without)
    source = made.write()
    return source, {
        "slots": made.slots(),
        "stride": made.options.widest,
        "faults": [message for _, message in made.out.faults],
    }


class Library:
    """A compiled program. States are buffers of bytes; a context is for one thread."""

    def __init__(
        self,
        program: C.Program,
        rules: str,
        flags: Sequence[str] = FLAGS,
        writer: type[CProgram] | None = None,
        without: Off = NONE_OFF,
    ) -> None:
        self.program, self.shape = program, Shape(program)
        note = place(rules, flags, writer, without)
        found = kept(note)
        if found is None:
            source, about = written(program, writer, without)
            found = about, build(source, about, note, flags)
        about, path = found
        self.slots: list[tuple[int, bool]] = about["slots"]
        self.stride: int = about["stride"]
        self.faults: list[str] = about["faults"]
        self.path = path
        self.code = _loaded(path, lambda: (writer or _writer())(program, without).write(), flags)
        for name, result in (
            ("game_size", ctypes.c_int64),
            ("game_lasting", ctypes.c_int64),
            ("game_open", ctypes.c_void_p),
            ("game_run", ctypes.c_int64),
            ("game_take", ctypes.c_int64),
            ("game_count", ctypes.c_int64),
            ("game_seat", ctypes.c_int64),
            ("game_options", ctypes.POINTER(ctypes.c_int32)),
            ("game_fault", ctypes.c_int64),
        ):
            getattr(self.code, name).restype = result
        self.size, self.lasting = int(self.code.game_size()), int(self.code.game_lasting())
        self.words = sum(words for words, _ in self.slots)
        # what may not fit a word with a sign, from the last on, so that those before stay where they are
        self._cut = [(slot, count) for slot, (count, signed) in enumerate(self.slots) if count != 1 or not signed][::-1]

    def fault_text(self, number: int, detail: int) -> str:
        """What a fault says, by its number."""
        if number < 0:
            return FAULTS[number]
        text = self.faults[number].replace("{}", str(detail))
        if "{piece}" in text:
            text = text.replace("{piece}", str(self.program.roots["piece"].names[detail]))
        if "{place}" in text:
            spot, slot = divmod(detail, C.MOST_SLOTS + 1)
            place = str(self.program.roots["place"].names[spot - self.program.spots.first_place])
            text = text.replace("{slot}", str(slot)).replace("{place}", place)
        return text

    def state(self) -> Any:
        return ctypes.create_string_buffer(self.size)

    def exported(self, state: Any) -> list[int]:
        """A state slot by slot, as the interpreter has it."""
        words = (ctypes.c_uint64 * self.words)()
        self.code.game_export(state, words)
        return self.joined(words)

    def joined(self, words: Sequence[int]) -> list[int]:
        """The slots of a state from the words in which it is handed out."""
        found, at = [], 0
        for count, signed in self.slots:
            value = 0
            for i in range(count):
                value |= words[at + i] << 64 * i
            at += count
            found.append(value - (1 << 64) if signed and value >> 63 else value)
        return found

    def imported(self, values: Sequence[int]) -> Any:
        """A state from the slots that the interpreter has."""
        state = self.state()
        self.code.game_import(state, self.parted(values))
        return state

    def parted(self, values: Sequence[int]) -> Any:
        """The words in which the slots of a state are handed in."""
        parts = [*values[: len(self.slots)]]
        for slot, count in self._cut:
            parts[slot : slot + 1] = [_signed(values[slot] >> 64 * i) for i in range(count)]
        return (ctypes.c_uint64 * self.words).from_buffer(array("q", parts))  # which takes numbers over quickly


def _signed(value: int) -> int:
    """The lowest 64 bits as a number with a sign."""
    return ((value & (1 << 64) - 1) ^ 1 << 63) - (1 << 63)


class Session:
    """Steps through plays of a library, for whoever wants to see every decision."""

    def __init__(self, library: Library) -> None:
        self.library, self.code = library, library.code
        self.context = ctypes.c_void_p(self.code.game_open())
        self.state = library.state()

    def close(self) -> None:
        self.code.game_close(self.context)

    def start(self, seed: int) -> int:
        self.code.game_start(self.state, ctypes.c_uint64(seed))
        return self.run()

    def run(self) -> int:
        return int(self.code.game_run(self.context, self.state))

    def options(self) -> list[tuple[int, ...]]:
        count, stride = int(self.code.game_count(self.context)), self.library.stride
        rows = self.code.game_options(self.context)
        return [tuple(rows[i * stride + k] for k in range(stride)) for i in range(count)]

    def seat(self) -> int:
        return int(self.code.game_seat(self.context))

    def take(self, option: int) -> bool:
        """Takes an option of those that were listed last; False if that ended in a fault."""
        return not self.code.game_take(self.context, self.state, ctypes.c_int64(option))

    def fault(self) -> tuple[int, int]:
        detail = ctypes.c_int64()
        return int(self.code.game_fault(self.context, ctypes.byref(detail))), detail.value

    def play(self, seed: int, first: int, rows: array[int], counts: array[int] | None, limit: int) -> None:
        """Random plays, as `engine.batch.Executor.run` says."""
        self.code.game_play(
            self.context,
            self.state,
            ctypes.c_uint64(seed),
            ctypes.c_int64(first),
            ctypes.c_int64(len(rows) // self.library.shape.width),
            ctypes.c_int64(limit),
            ctypes.c_void_p(rows.buffer_info()[0]),
            ctypes.c_void_p(counts.buffer_info()[0] if counts else None),
        )

    def campaigns(
        self, seed: int, first: int, plays: int, rows: array[int], counts: array[int], limit: int
    ) -> array[int]:
        """Campaigns at random of so many plays each: by campaign how many it came to.

        In `rows` the first plays of all campaigns come before the second plays.
        """
        count = len(rows) // (plays * self.library.shape.width)
        done = array("q", [0]) * count
        self.code.game_campaigns(
            self.context,
            self.state,
            self.library.state(),
            ctypes.c_uint64(seed),
            ctypes.c_int64(first),
            ctypes.c_int64(count),
            ctypes.c_int64(plays),
            ctypes.c_int64(limit),
            ctypes.c_void_p(rows.buffer_info()[0]),
            ctypes.c_void_p(counts.buffer_info()[0]),
            ctypes.c_void_p(done.buffer_info()[0]),
        )
        return done

    def go_on(self, last: Any, seed: int, row: array[int], counts: array[int] | None, limit: int) -> bool:
        """One play of a campaign, after a state at the end of the last or None: False if none can follow.

        The state is then as `Campaign.next` wants it.
        """
        through = self.code.game_go_on(
            self.context,
            self.state,
            last,
            ctypes.c_uint64(seed),
            ctypes.c_int64(limit),
            ctypes.c_void_p(row.buffer_info()[0]),
            ctypes.c_void_p(counts.buffer_info()[0] if counts else None),
        )
        return bool(through)

    def copy(self, times: int) -> None:
        """Copies the state so many times."""
        self.code.game_copies(self.state, ctypes.c_int64(times))
