"""The search tree of a compiled game (see `generate/tree.c`): as `tree.Tree`, and a hundred times as fast."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ruledsl.generate.c_search import SearchProgram, against_each_other
from ruledsl.generate.native import Library, NoCompiler
from ruledsl.ir.fingerprint import fingerprint_of

from .ahead import Ahead
from .tree import EXPLORE, LIMIT, MEMORY, WIDE, Found, Raw

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

    from .judge import Judge
    from .manner import Manner

AT_ONCE = 0.02  # seconds between two looks at whether it is to stop
ALIKE = 8  # plays of a group that begin alike
_LIBRARIES: WeakKeyDictionary[Configured, Library | None] = WeakKeyDictionary()


def library(configured: Configured) -> Library | None:
    """The compiled search of a game, or None where nothing can be compiled."""
    if configured not in _LIBRARIES:
        try:
            _LIBRARIES[configured] = _opened(configured)
        except NoCompiler:
            _LIBRARIES[configured] = None
    return _LIBRARIES[configured]


def _opened(configured: Configured) -> Library:
    program = configured.machine.program
    said = fingerprint_of(program.heuristic) if program.heuristic is not None else ""
    made = Library(program, configured.rules + said, writer=SearchProgram)
    made.code.tree_open.restype = ctypes.c_void_p
    if against_each_other(program):
        made.code.alpha_open.restype = ctypes.c_void_p
        for name in ("alpha_more", "alpha_found", "alpha_line"):
            getattr(made.code, name).restype = ctypes.c_int64
    for name in ("tree_more", "tree_certain", "tree_bytes", "tree_line", "tree_practice", "tree_learn"):
        getattr(made.code, name).restype = ctypes.c_int64
    return made


class NativeTree:
    """One search. `close` gives its memory back."""

    def __init__(
        self,
        made: Library,
        state: Sequence[int] | None,
        seat: int,
        seed: int,
        judge: Judge | None = None,
        manner: Manner | None = None,
    ) -> None:
        self.library, self.code = made, made.code
        self.plays, self.guessed = 0, state is None
        self.handle = ctypes.c_void_p(
            self.code.tree_open(
                made.imported(state) if state is not None else None,
                ctypes.c_int64(seat),
                ctypes.c_uint64(seed),
                ctypes.c_int64(MEMORY),
                ctypes.c_int64(EXPLORE),
                ctypes.c_int64(LIMIT),
            )
        )
        self.code.tree_wide(self.handle, ctypes.c_int64(WIDE))
        self._judge, self._manner = judge, manner  # what they point to must stay
        if manner is not None:
            self.code.tree_manner(self.handle, manner.native())
        if judge is not None:
            self.code.tree_judge(self.handle, judge.native())

    def guess(self, state: Sequence[int], asked: Sequence[Raw], taken: Sequence[Raw]) -> None:
        """The plays that follow begin from this state."""
        self.code.tree_guess(
            self.handle,
            self.library.imported(state),
            self._rows(asked),
            ctypes.c_int64(len(asked)),
            self._rows(taken),
            ctypes.c_int64(len(taken)),
        )

    def _rows(self, options: Sequence[Raw]) -> Any:
        stride = self.library.stride
        rows = (ctypes.c_int32 * (len(options) * stride + 1))()
        for at, raw in enumerate(options):
            rows[at * stride : at * stride + len(raw)] = [*raw]
        return rows

    def practice(
        self, seed: int, tries: int, every: int, limit: int, width: int, most: int
    ) -> tuple[list[list[int]], Any]:
        """A play for practice: positions of it as the judge looks at them, and what it came to for each player."""
        rows, results = (ctypes.c_int32 * (width * most))(), (ctypes.c_int64 * 64)()
        count = self.code.tree_practice(
            self.handle,
            ctypes.c_uint64(seed),
            *(ctypes.c_int64(x) for x in (tries, every, limit)),
            rows,
            ctypes.c_int64(most),
            ctypes.c_int64(width),
            results,
        )
        return [list(rows[i * width : (i + 1) * width]) for i in range(count)], results

    def learn(self, seed: int, groups: int, limit: int, step: float, weights: Any, spread: Any) -> int:
        """Some groups of plays that begin alike, from which a manner learns; what they came to on average."""
        return int(
            self.code.tree_learn(
                self.handle,
                ctypes.c_uint64(seed),
                ctypes.c_int64(groups),
                ctypes.c_int64(limit),
                ctypes.c_double(step),
                weights,
                spread,
            )
        )

    def more(self, plays: int) -> None:
        """So many more plays; fewer if it is certain before what is best."""
        self.plays = int(self.code.tree_more(self.handle, ctypes.c_int64(plays), ctypes.c_int64(self.guessed)))

    @property
    def certain(self) -> bool:
        return bool(self.code.tree_certain(self.handle))

    def found(self, count: int) -> list[Found]:
        """What was found out about each option."""
        visits, worth, sure = ((ctypes.c_int64 * count)() for _ in range(3))
        self.code.tree_found(self.handle, visits, worth, sure)
        return [Found(visits[i], worth[i], bool(sure[i])) for i in range(count)]

    def line(self, most: int) -> list[int]:
        """The options that are taken from here on if all do what is best, as far as that was looked into."""
        options = (ctypes.c_int64 * most)()
        return list(options[: self.code.tree_line(self.handle, options, ctypes.c_int64(most))])

    @property
    def bytes(self) -> int:
        """How much memory it has."""
        return int(self.code.tree_bytes(self.handle))

    def close(self) -> None:
        self.code.tree_close(self.handle)


class NativeAlphaBeta:
    """Looking ahead in compiled code (see `generate/alphabeta.c`): as `ahead.AlphaBeta`."""

    def __init__(
        self, made: Library, state: Sequence[int], seed: int, judge: Judge, captures: int, slack: int = 0
    ) -> None:
        self.tree, self.code = NativeTree(made, state, 0, seed, judge), made.code
        self.seen = 0
        self._alpha = ctypes.c_void_p(
            self.code.alpha_open(self.tree.handle, ctypes.c_int64(captures), ctypes.c_int64(slack))
        )

    def more(self, limit: int, asked: Callable[[], bool]) -> int:
        """Looks farther and farther ahead, until so many positions were looked at, or it is asked to stop."""
        seen: list[int] = []
        work = Thread(target=lambda: seen.append(self.code.alpha_more(self._alpha, ctypes.c_int64(limit))))
        work.start()
        while work.is_alive():
            work.join(AT_ONCE)
            if asked():
                self.code.alpha_stop(self._alpha)
                work.join()
        self.seen = seen[0]
        return self.seen

    def found(self, count: int) -> Ahead:
        """By option what was looked at behind it and what it is worth; which is best, and how far was looked."""
        spent, values = ((ctypes.c_int64 * count)() for _ in range(2))
        depth = ctypes.c_int64()
        best = self.code.alpha_found(self._alpha, spent, values, ctypes.byref(depth))
        return Ahead([*spent], [*values], int(best), depth.value)

    def line(self, most: int) -> list[int]:
        """The options that follow if both do their best, as far as that is known."""
        options = (ctypes.c_int64 * most)()
        return list(options[: self.code.alpha_line(self._alpha, options, ctypes.c_int64(most))])

    def close(self) -> None:
        self.code.alpha_close(self._alpha)
        self.tree.close()


__all__ = ["ALIKE", "NativeAlphaBeta", "NativeTree", "library"]
