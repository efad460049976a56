"""What plays came to, counted and written down by compiled code: the same as `Digest.add` and `Line.write`."""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from threading import local

from ruledsl.engine.batch import DECISIONS, FORCED, OPTIONS, POINTS
from ruledsl.generate.native import Library

from .digest import SPREAD, Digest, Fault
from .native import Native
from .tables import Line

BEFORE_TEXTS = -6  # as in rows.c
STEP = 32  # bytes in which texts are copied
DIGITS = 20  # of a number, at most
AT_ONCE = 1 << 21  # bytes of lines that are made at once, about: fewer cost more calls, more leave the cache


class _Lines(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("parts_n", "results_n", "first_result", "faults")),
        *((name, ctypes.c_void_p) for name in ("parts", "results", "ends")),
        ("texts", ctypes.c_char_p),
    ]


class NativeRows:
    """The rows of a game that is compiled, by the library that it is played with."""

    def __init__(self, native: Native) -> None:
        self._native, self.width = native, native.shape.width
        self._own = local()  # where each thread makes lines: new memory each time would cost as much as they do
        self._told: Library | None = None  # the library that was told what its functions give

    @property
    def code(self) -> ctypes.CDLL:
        library = self._native.library
        if self._told is not library:
            for name in ("rows_sum", "rows_spread", "rows_results", "rows_lines"):
                getattr(library.code, name).restype = ctypes.c_int64
            self._told = library
        return library.code

    def digest(self, rows: array[int]) -> Digest:
        """What the plays of some rows came to."""
        count = len(rows) // self.width
        given = (_at(rows), ctypes.c_int64(count))
        found, out = Digest(), array("q", [0]) * (3 * count)
        for i in range(self.code.rows_results(*given, _at(out))):
            found.results[out[3 * i], out[3 * i + 1]] += out[3 * i + 2]
        for column in (*SPREAD, *range(POINTS, self.width)):
            pairs = self.code.rows_spread(*given, ctypes.c_int64(column), _at(out))
            counter = found.spread[column] = Counter[int]()
            for i in range(pairs):
                counter[out[2 * i]] += out[2 * i + 1]
        found.options, found.forced, found.decisions = (
            self.code.rows_sum(*given, ctypes.c_int64(column)) for column in (OPTIONS, FORCED, DECISIONS)
        )
        return found

    def lines(
        self,
        line: Line,
        seed: int,
        first: int,
        count: int,
        rows: array[int],
        digests: list[Digest],
        faults: list[Fault],
        done: array[int] | None = None,
    ) -> list[bytes]:
        """Lines of the plays from number `first` on, some at once. `done` says how many plays each campaign has."""
        results = sorted({result for digest in digests for result in digest.results})
        parts, texts = array("q"), list[bytes]()
        for part in line.parts:
            if isinstance(part, str):
                parts.append(BEFORE_TEXTS - len(texts))
                texts.append(part.encode())
            else:
                parts.append(part)
        before = len(texts)
        texts += [line.result(*result).encode() for result in results]
        texts += [line.fault(fault).encode() for fault in (None, *faults)]
        ends, at = array("q"), 0
        for text in texts:
            at += len(text)
            ends.append(at)
        told = array("q", [number for result in results for number in result])
        given = _Lines(
            len(parts),
            len(results),
            before,
            0,
            _number(parts),
            _number(told),
            _number(ends),
            b"".join(texts) + bytes(STEP),
        )
        # A line has each of its own texts, one result, one fault, and numbers.
        longest = sum(map(len, texts[:before])) + 2 * max(map(len, texts[before:])) + DIGITS * len(parts)
        plays = max(done) if done else 1
        step = max(1, AT_ONCE // (longest * plays))
        room, made = min(step, count) * longest * plays + STEP, list[bytes]()
        out = getattr(self._own, "out", None)
        if out is None or len(out) < room:
            out = self._own.out = ctypes.create_string_buffer(room)
        for start in range(0, count, step):
            size = self.code.rows_lines(
                ctypes.byref(given),
                ctypes.c_uint64(seed),
                *map(ctypes.c_int64, (first, start, min(step, count - start), count)),
                _at(done) if done is not None else None,
                _at(rows),
                out,
            )
            made.append(ctypes.string_at(out, size))
        return made


def _number(of: array[int]) -> int:
    return of.buffer_info()[0]


def _at(of: array[int]) -> ctypes.c_void_p:
    return ctypes.c_void_p(_number(of))
