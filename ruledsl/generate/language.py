"""What a language that programs are written in has to say: lines, loops, sets, lists, operations."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.bounds import Kinds
from ruledsl.ir.kinds import Kind
from ruledsl.ir.ops import OP, Row
from ruledsl.source.text import Span

from .passes import NONE_OFF, Off, Pass
from .pure import Pure
from .reaching import Reaching

Text = tuple[str, Kind]


LONGEST_REMARK = 100

# What the writers say themselves, and no program: whether a set has a member that is not none, the set of such a
# member, all that is not in a set, the member at a position.
LEAVES = {
    "has": Row("has", OP, ("number", "set"), "truth", "", python="({1} >> {0} & 1)", c="has{w}({0}, {1})"),
    "just": Row("just", OP, ("number",), "set", "", python="(1 << {0})", c="just{w}({0})"),
    "nth": Row("nth", OP, ("set", "number"), "number", "", c="nth{w}({0}, {1})"),
    "others": Row("others", OP, ("set",), "set", "", c="not{w}({0})"),
}


def remark(text: str) -> str:
    """A text of the rules as it may stand in a comment: one line, in which nothing can end the comment."""
    return " ".join(re.sub(r"[^\w .,:;()+-]", " ", text).split())[:LONGEST_REMARK]


class Language(ABC):
    """How one language writes what all have. Texts are expressions; `line` and its like add to the function."""

    def __init__(self, program: C.Program, kinds: Kinds, without: Off = NONE_OFF) -> None:
        self.program, self.kinds, self.without = program, kinds, without
        self.absorber = Reaching(program, kinds, without)
        self.pure = Pure(program, kinds, without)
        self.known: list[dict[Any, Text]] = [{}]  # values at hand, by scope
        self.keeps_lists = False  # whether lists stay as they are from here to the end of the function
        self._anys: dict[C.Fold, C.Fold] = {}
        self.parts: list[Any] = []  # what knows how primitives of some sort are written
        self.lines: list[str] = []
        self.depth = 0
        self.temps = 0
        self.faults: list[tuple[Span | None, str]] = []
        self._faults: dict[tuple[int, str], int] = {}

    def on(self, one: Pass) -> bool:
        """Whether a pass is wanted."""
        return one not in self.without

    # ------------------------------------------------------------------------------------------- lines

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def temp(self, stem: str = "x") -> str:
        self.temps += 1
        return f"{stem}{self.temps}"

    @contextmanager
    def captured(self) -> Iterator[list[str]]:
        """Lines go into a list of their own, for `splice`."""
        kept, self.lines = self.lines, []
        self.known.append({})
        try:
            yield self.lines
        finally:
            self.lines = kept
            self.known.pop()

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """Within, the state is another one, or a variable of it is: no value at hand holds."""
        kept, self.known = self.known, [{}]
        try:
            yield
        finally:
            self.known = kept

    def splice(self, lines: list[str], deeper: int = 0) -> None:
        self.lines += ["    " * deeper + line for line in lines]

    def fault(self, span: Span | None, message: str) -> int:
        key = (id(span), message)
        if key not in self._faults:
            self._faults[key] = len(self.faults)
            self.faults.append((span, message))
        return self._faults[key]

    # ------------------------------------------------------------------------------------ what differs

    @abstractmethod
    @contextmanager
    def if_(self, condition: str) -> Iterator[None]: ...

    @abstractmethod
    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below a head; what becomes known there is forgotten behind it."""

    @contextmanager
    def else_(self) -> Iterator[None]:
        with self.block("else"):
            yield

    @abstractmethod
    @contextmanager
    def loop_set(self, variable: str, domain: str, kind: Kind) -> Iterator[None]: ...

    @abstractmethod
    @contextmanager
    def loop_list(self, variable: str, domain: str) -> Iterator[None]: ...

    @abstractmethod
    @contextmanager
    def loop_range(self, variable: str, low: str, high: str) -> Iterator[None]: ...

    @abstractmethod
    def break_(self) -> None: ...

    @abstractmethod
    def declare(self, kind: Kind, name: str, value: str) -> None: ...

    @abstractmethod
    def assign(self, name: str, value: str) -> None: ...

    @abstractmethod
    def stop_with(self, fault: int) -> None:
        """A line that ends the play with a fault."""

    @abstractmethod
    def demand(self, value: str, none: int, fault: int) -> str: ...

    @abstractmethod
    def fit(self, value: str, low: int, high: int, none: int | None, fault: int) -> str: ...

    @abstractmethod
    def slot(self, slot: int) -> str:
        """Reads or names a slot of the state, or a variable of formulas."""

    @abstractmethod
    def item(self, base: int, index: str) -> str:
        """A slot of the state by an index that is not none."""

    @abstractmethod
    def several(self, base: int, count: int, index: str | None, is_list: bool) -> str: ...

    @abstractmethod
    def table(self, table: tuple[Any, ...], none: Any, kind: Kind, index: str, sure: bool) -> str: ...

    @abstractmethod
    def cond(self, condition: str, then: str, otherwise: str) -> str: ...

    @abstractmethod
    def both(self, texts: list[str]) -> str: ...

    @abstractmethod
    def either(self, texts: list[str]) -> str: ...

    @abstractmethod
    def not_(self, text: str) -> str: ...

    @abstractmethod
    def divide(self, name: str, left: str, right: str, fault: int) -> str: ...

    @abstractmethod
    def set_const(self, value: int, top: int) -> str: ...

    @abstractmethod
    def list_const(self, value: tuple[int, ...]) -> str: ...

    @abstractmethod
    def as_set(self, text: str, have: Kind, top: int) -> str: ...

    @abstractmethod
    def set_add(self, name: str, value: str, top: int, sure: bool) -> None: ...

    @abstractmethod
    def op(self, name: str, args: list[str], top: int = 0) -> str:
        """The text of an operation, from those of its arguments; its sets have members below `top`."""

    @abstractmethod
    def call(self, formula: C.Formula, args: list[str]) -> str: ...

    @abstractmethod
    def would(self, node: C.Would, args: list[str]) -> str: ...

    @abstractmethod
    def ways(self, node: C.Lookahead, args: list[str]) -> str: ...

    @abstractmethod
    def possible(self, node: C.Possible) -> str: ...

    @abstractmethod
    def compared(self, one: str, how: str, other: str, kind: Kind) -> str:
        """Compares numbers, or lists item by item."""

    @abstractmethod
    def list_begin(self, name: str, keys: int) -> None: ...

    @abstractmethod
    def list_push(self, name: str, value: str, none: int, keys: list[str]) -> None: ...

    @abstractmethod
    def list_end(self, name: str, keys: int) -> None: ...
