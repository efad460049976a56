"""Choices in several steps in generated Python, and whether one that was begun can be completed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruledsl.engine.options import staged
from ruledsl.ir import core as C

if TYPE_CHECKING:
    from .python_program import PythonProgram


class PythonSteps:
    """Choices in several steps in generated Python, and whether one that was begun can be completed."""

    def __init__(self, out: PythonProgram) -> None:
        self.out, self.program, self.kinds = out, out.program, out.kinds

    def plain_steps(self, entry: C.Entry) -> list[int]:
        """The positions at which a step of an entry begins that binds one value for each of its variables."""
        found, at = [], 0
        while staged(entry) and at < len(entry.variables):
            if entry.variables[at].fewest is None:
                found.append(at)
                at = self._step_end(entry, at)
            else:
                at += 1
        return found

    def _step_end(self, entry: C.Entry, position: int) -> int:
        """Where the step that begins at a position ends (see `engine.options`)."""
        if entry.stepwise:
            return position + 1
        end = position
        while end < len(entry.variables) and entry.variables[end].fewest is None:
            end += 1
        return end

    def step_name(self, key: int | str, number: int, position: int) -> str:
        return f"steps_{key}_{number}_{position}"

    def completable(self, key: str, number: int, entry: C.Entry, position: int) -> str:
        """Whether values remain for the variables of an entry from a position on; those before are in the state."""
        if position == len(entry.variables):
            return self.out.connected(entry.where, True) if entry.where else "1"
        if entry.variables[position].fewest is None:
            return f"completable_{key}_{number}_{position}(v)"
        return f"OPTIONS.completable(v, {self.out.constant('ENTRY', entry)}, {position})"

    def step_functions(self, key: str, choice: C.Choice) -> None:
        out = self.out
        for number, entry in enumerate(choice.entries):
            steps = self.plain_steps(entry)
            if not steps:
                continue
            says = f"{entry.name} {out.place(entry.span)}".strip()
            for position, variable in enumerate(entry.variables):
                if variable.fewest is not None:
                    continue
                slot = out.slot(variable.slot)
                with out.function(f"completable_{key}_{number}_{position}(v)", f"{says}: is there a {variable.name}"):
                    out.line(f"before = {slot}")
                    with (
                        out.values(variable),
                        self.where_text(self.completable(key, number, entry, position + 1)),
                    ):
                        out.line(f"{slot} = before")
                        out.line("return True")
                    out.line(f"{slot} = before")
                    out.line("return False")
            for position in steps:
                end = self._step_end(entry, position)
                with out.function(f"{self.step_name(key, number, position)}(v)", f"{says}: what is next"):
                    out.line("found = []")
                    self._step_loops(key, number, entry, position, position, end)
                    for variable in entry.variables[position:end]:
                        out.line(f"{out.slot(variable.slot)} = 0")
                    out.line("return found")

    def _step_loops(self, key: str, number: int, entry: C.Entry, begin: int, at: int, end: int) -> None:
        out = self.out
        if at == end:
            with self.where_text(self.completable(key, number, entry, end)):
                values = ", ".join(out.slot(variable.slot) for variable in entry.variables[begin:end])
                out.line(f"found.append(({number}, {values}))")
            return
        with out.values(entry.variables[at]):
            self._step_loops(key, number, entry, begin, at + 1, end)

    @contextmanager
    def where_text(self, condition: str) -> Iterator[None]:
        with self.out.if_(condition) if condition != "1" else self.out.scope():
            yield

    def possible_function(self, key: str, choice: C.Choice) -> None:
        out = self.out
        if any(map(self.plain_steps, choice.entries)) and key.isdecimal():
            out.want(int(key))  # its steps are asked
        if key.startswith("asked"):
            self.step_functions(key, choice)
        with out.function(f"possible_{key}(v)", f"Whether there is an option, {out.place(choice.span)}".strip(", ")):
            for number, entry in enumerate(choice.entries):
                if entry.anytime is not None:
                    continue
                with out.where(list(entry.when)):
                    if staged(entry) and 0 in self.plain_steps(entry):
                        if key.startswith("asked"):
                            with out.if_(f"{self.step_name(key, number, 0)}(v)"):
                                out.line("return True")
                        else:
                            with out.if_(self.completable(key, number, entry, 0)):
                                out.line("return True")
                        continue
                    if staged(entry):
                        out.line(f"for _ in OPTIONS.begin(v, {number}, {out.constant('ENTRY', entry)}):")
                        out.line("    return True")
                        continue
                    out.named_variables(entry)
                    out.tuples(entry, 0, lambda: out.line("return True"))
                    out.forget(entry)
            out.line("return False")
