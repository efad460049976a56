"""Where nobody acts and the rules speak of the one who does, found by following the program.

In the state there always is a number for `me`. Before the first turn, and behind the last, it is that of the first
player, and no rule means that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ruledsl.ir import core as C
from ruledsl.ir.walk import parts, within
from ruledsl.ir.ways import ways_on
from ruledsl.source.text import Span

MOST_STATES = 50_000
HELP = "say who acts: `for: {me: players}` for each of them, `as:` for one, or `turns:` to take turns"
ASKED = "say who chooses: `by:`, or `for: {me: players}` for each of them, or ask inside `turns:`"


class _At(NamedTuple):
    """Where play stands, whether somebody acts there, the slots that keep, for later, that nobody did, and the call by
    which play came here from where nobody acts: others may call the same where somebody does."""

    block: int
    acts: bool
    nobody: frozenset[int] = frozenset()
    call: Span | None = None
    chosen: Span | None = None  # the choice, which asks nobody, that this block follows


def nobody_acts(program: C.Program) -> Iterator[tuple[Span, str, str, tuple[tuple[Span, str], ...]]]:
    """Each place that needs somebody to act where nobody does: the place, what is wrong, advice, other places."""
    if program.roots["player"].size > 1:
        yield from _Follower(program).found()


class _Follower:
    def __init__(self, program: C.Program) -> None:
        self.program = program
        self.formulas: dict[C.Formula, bool] = {}  # whether their value depends on who acts
        self.changes: dict[int, bool] = {}  # by block: whether an operation in it changes who acts, or keeps who does
        self.tried: dict[int, list[C.Would]] = {}  # by operation: what is tried out in it
        self.needed: dict[int, list[Span]] = {}  # by expression or operation: where it needs somebody to act
        self.told: dict[Span, tuple[str, str, tuple[tuple[Span, str], ...]]] = {}
        self.call: Span | None = None  # the call by which play came to what is looked at

    def found(self) -> Iterator[tuple[Span, str, str, tuple[tuple[Span, str], ...]]]:
        starts = [self.program.start, *([between] if (between := self.program.between) else [])]
        waiting = [_At(start, False) for start in starts]
        seen = set(waiting)
        while waiting and len(seen) < MOST_STATES:
            for there in self._on(waiting.pop()):
                if there.block >= 0 and there not in seen:
                    seen.add(there)
                    waiting.append(there)
        yield from ((span, *said) for span, said in self.told.items())

    def _on(self, at: _At) -> Iterator[_At]:
        block = self.program.blocks[at.block]
        acts, nobody = at.acts, at.nobody
        self.call = at.call
        for op in block.ops if not acts or self._changes_who_acts(at.block) else ():
            match op:
                case C.Put(base=C.ME, value=C.Get(slot=slot)) if slot != C.ME:  # as it was before
                    acts = slot not in nobody
                case C.Put(base=C.ME, value=value):
                    self._look(value, acts)
                    acts = True
                case C.Put(base=base, value=C.Get(slot=C.ME, span=None)):  # kept for later
                    nobody = nobody - {base} if acts else nobody | {base}
                case _:
                    self._look(op, acts)
                    if isinstance(op, C.Say):
                        self._look_at_text(op.words, acts)
            if not acts:
                yield from (_At(tried.procedure.entry, False, nobody, at.call) for tried in self._trials(op))
        end = block.end
        self._look_at_end(end, acts)
        if isinstance(end, C.CallProcedure):  # who acts is the same behind it
            yield _At(end.procedure.entry, acts, nobody, None if acts else at.chosen or at.call or end.span)
        chosen = end.span if isinstance(end, C.Choice) and _asks_me(end) and not acts else None
        for to in _ways(end):
            yield _At(to, acts, nobody, None if acts else at.call, chosen)
        if isinstance(end, C.Together):
            yield _At(end.body, True)

    def _changes_who_acts(self, at: int) -> bool:
        found = self.changes.get(at)
        if found is None:
            found = self.changes[at] = any(
                isinstance(op, C.Put) and (op.base == C.ME or (isinstance(op.value, C.Get) and op.value.slot == C.ME))
                for op in self.program.blocks[at].ops
            )
        return found

    def _trials(self, op: Any) -> list[C.Would]:
        """What is tried out in an operation: play comes to it in more than one way, and each time it is the same."""
        found = self.tried.get(id(op))
        if found is None:
            found = self.tried[id(op)] = [node for node in within(op) if isinstance(node, C.Would)]
        return found

    def _look_at_end(self, end: Any, acts: bool) -> None:
        if acts:
            return
        if isinstance(end, C.Choice):
            if _asks_me(end):
                if end.span is not None:
                    self._tell(_first_line(end.span), "nobody acts here, so nobody can be asked", ASKED)
                return  # what is asked about them follows from that
            for entry in end.entries:
                self._look_at_text(entry.label, acts)
        self._look(end, acts)

    def _look_at_text(self, words: C.Words | None, acts: bool) -> None:
        for _, shown in words.by_language if words is not None else ():
            for part in shown:
                if isinstance(part, C.Hole):
                    self._look(part.node, acts)

    def _look(self, node: Any, acts: bool) -> None:
        if acts:
            return
        needed = self.needed.get(id(node))
        if needed is None:  # play comes to it in more than one way, and each time it is the same
            needed = self.needed[id(node)] = list(self._needs(node))
        for span in needed:
            if span.text == "me":
                self._tell(span, "nobody acts here, so there is no `me`", HELP)
            elif span.text == "opponent":
                self._tell(span, "nobody acts here, so there is no `opponent`", HELP)
            else:
                self._tell(_first_line(span), "nobody acts here, and this needs a player who acts", HELP)

    def _tell(self, span: Span, message: str, help: str) -> None:
        if self.call is None:
            self.told.setdefault(span, (message, help, ()))
            return
        call = _first_line(self.call)
        said = f"nobody acts here, and `{call.text}` needs a player who acts"
        self.told.setdefault(call, (said, help, ((span, "it needs a player who acts here"),)))

    def _needs(self, node: Any) -> Iterator[Span]:
        """The places within an expression or operation that need somebody to act."""
        match node:
            case C.Get(slot=C.ME, span=Span() as span):
                yield span
            case C.With(slots=slots) if C.ME in slots:
                for arg in node.args:
                    yield from self._needs(arg)
            case C.Invoke(formula=formula, span=Span() as span) if self._about_me(formula):
                yield span
            case _:
                for part in parts(node):
                    yield from self._needs(part)

    def _about_me(self, formula: C.Formula) -> bool:
        if formula not in self.formulas:
            self.formulas[formula] = False  # while it is being looked at
            self.formulas[formula] = any(True for _ in self._needs(formula.body)) if formula.body is not None else False
        return self.formulas[formula]


def _asks_me(choice: C.Choice) -> bool:
    return isinstance(choice.by, C.Get) and choice.by.slot == C.ME


def _ways(end: Any) -> list[int]:
    match end:
        case C.Branch(condition=C.Const(value=value), then=then, otherwise=otherwise):
            return [then if value else otherwise]
        case C.Together(then=then):
            return [then]
    return ways_on(end)


def _first_line(span: Span) -> Span:
    return Span(span.file, span.start, span.start + len(span.text.split("\n")[0].rstrip()))
