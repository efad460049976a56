"""How often a position was there, told in C by a few bits: the same as counting, however few the bits are."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections import deque
from pathlib import Path

import pytest

from ruledsl.generate import native
from ruledsl.generate.native import compiler

SUPPORT = Path(native.__file__).parent / "support.c"
KEEP = 40  # positions that are kept; the oldest goes
ASKED = """
#define HINTS {words}
#include "{support}"
static u64 hints[2 * HINTS], past[{keep} + 1];
void empty(void) {{ memset(hints, 0, sizeof hints); past[0] = 0; }}
void record(u64 mark) {{
    if (past[0] == {keep}) memmove(past + 1, past + 2, sizeof(u64) * ({keep} - 1)), past[0]--;
    past[++past[0]] = mark;
    hint(hints, mark);
}}
num asked(u64 mark) {{ return hinted(hints, mark) ? recorded(hints, past, mark) : 0; }}
num counted(u64 mark) {{ return repeated(past, mark); }}
"""


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("words", [1, 2, 32])
def test_what_bits_tell_of_a_history_is_what_is_in_it(words: int, tmp_path: Path) -> None:
    (tmp_path / "asked.c").write_text(ASKED.format(words=words, support=SUPPORT.as_posix(), keep=KEEP))
    command = [*(compiler() or []), "-O1", "-w", "-shared", "-fPIC", "asked.c", "-o", "asked.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    code = ctypes.CDLL(str(tmp_path / "asked.so"))
    for function in (code.asked, code.counted):
        function.restype = ctypes.c_int64
    rng = random.Random(words)
    for _ in range(30):
        code.empty()
        kept: deque[int] = deque(maxlen=KEEP)
        marks = [rng.getrandbits(64) for _ in range(rng.choice((2, 10, 60, 300)))]
        for _ in range(200):
            mark = rng.choice(marks)
            code.record(ctypes.c_uint64(mark))
            kept.append(mark)
            for one in (mark, kept[0], rng.choice(marks), rng.getrandbits(64)):
                told = code.asked(ctypes.c_uint64(one))
                assert told == code.counted(ctypes.c_uint64(one)) == kept.count(one)
