"""Compiled games: the C file of a program, made into a library once and kept in the user's cache."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruledsl.ir import core as C

from .c_program import CProgram

FLAGS = ("-O2", "-march=native", "-std=gnu11", "-shared", "-fPIC", "-fno-strict-overflow", "-fno-tree-slp-vectorize", "-w")


class NoCompiler(Exception):
    """There is nothing to compile with; the message says what to do."""


def compiler() -> list[str] | None:
    """The command of a C compiler: the system's, or the one of the package `ziglang`."""
    named = os.environ.get("CC")
    if named and shutil.which(named.split()[0]):
        return named.split()
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found:
            return [found]
    try:
        import ziglang  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        return None
    return [sys.executable, "-m", "ziglang", "cc"]


def cache_folder() -> Path:
    """Where compiled games are kept."""
    named = os.environ.get("RULEDSL_CACHE")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "ruledsl"


def build(source: str, flags: Sequence[str] = FLAGS) -> Path:
    """The library of a C file: from the cache, or compiled now. Two that build at once do not disturb each other."""
    command = compiler()
    if command is None:
        raise NoCompiler("there is no C compiler here: install one, or `pip install ruledsl[native]`")
    suffix = ".dll" if sys.platform == "win32" else ".so"
    key = hashlib.sha256("\0".join([source, *command, *flags, platform.platform()]).encode()).hexdigest()[:32]
    folder = cache_folder()
    path = folder / f"{key}{suffix}"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        file, library = Path(work) / "game.c", Path(work) / f"game{suffix}"
        file.write_text(source, encoding="utf-8")
        done = subprocess.run([*command, *flags, "-o", str(library), str(file)], capture_output=True, text=True)
        if done.returncode:
            raise NoCompiler(f"the C compiler refused the game:\n{done.stderr.strip()[:2000]}")
        os.replace(library, path)
    return path


class Library:
    """A compiled program. States are buffers of bytes; a context is for one thread."""

    def __init__(self, program: C.Program, flags: Sequence[str] = FLAGS) -> None:
        self.program = program
        writer = CProgram(program)
        self.source = writer.write()
        self.slots, self.shape, self.stride = writer.slots(), writer.shape, writer.widest
        self.faults = writer.faults
        self.code = ctypes.CDLL(str(build(self.source, flags)))
        for name, result in (
            ("game_size", ctypes.c_int64),
            ("game_open", ctypes.c_void_p),
            ("game_run", ctypes.c_int64),
            ("game_count", ctypes.c_int64),
            ("game_seat", ctypes.c_int64),
            ("game_options", ctypes.POINTER(ctypes.c_int32)),
            ("game_fault", ctypes.c_int64),
        ):
            getattr(self.code, name).restype = result
        self.size = int(self.code.game_size())
        self.words = sum(words for words, _ in self.slots)

    def state(self) -> Any:
        return ctypes.create_string_buffer(self.size)

    def exported(self, state: Any) -> list[int]:
        """A state slot by slot, as the interpreter has it."""
        words = (ctypes.c_uint64 * self.words)()
        self.code.game_export(state, words)
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
        words = (ctypes.c_uint64 * self.words)()
        at = 0
        for value, (count, _) in zip(values, self.slots, strict=False):
            for i in range(count):
                words[at + i] = value >> 64 * i & (1 << 64) - 1
            at += count
        state = self.state()
        self.code.game_import(state, words)
        return state


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
        count, rows, stride = int(self.code.game_count(self.context)), self.code.game_options(self.context), self.library.stride
        return [tuple(rows[i * stride + k] for k in range(stride)) for i in range(count)]

    def seat(self) -> int:
        return int(self.code.game_seat(self.context))

    def take(self, option: int) -> None:
        self.code.game_take(self.context, self.state, ctypes.c_int64(option))

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
