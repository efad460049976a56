"""Who is asked now, and when something else is: what `why` says about the order of a play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import nearest
from ruledsl.ir import core as C
from ruledsl.ir.ways import ways_through
from ruledsl.source.text import Span
from ruledsl.types import Elem, bits

from ..typed import LANGUAGES, plain
from .sentences import say

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play


class Deciding:
    """What a play asks, and of whom."""

    def __init__(self, play: Play, seat: int | None, language: str) -> None:
        self.play, self.seat, self.language = play, seat, language
        self.words, self.world = play.words, play.world

    def not_asked(self) -> str:
        """Why a seat cannot decide anything now."""
        play = self.play
        if play.over:
            return say("over", self.language)
        if not play.pending:
            return say("not asked", self.language)
        players = ", ".join(self.words.title(self.world.players, seat, self.language) for seat in play.pending)
        if play.together is not None and self.seat in play.together.seats:
            return say("decided", self.language, players=players)
        return say("turn", self.language, player=players)

    def no_such(self, word: str, variable: C.Variable, kind: Any) -> str:
        """A word that is no name of what is to be chosen, with the names that are most like it; nothing where that is
        not certain."""
        if not self.play.configured.vocabulary.unknown(word):  # something else is called so
            others = [x for x in range(kind.root.size) if not kind.mask >> x & 1] if isinstance(kind, Elem) else []
            if not any(
                plain(self.words.title(kind.root, x, language)) == word for x in others for language in LANGUAGES
            ):
                return ""
        said = say("no such", self.language, type=self._title(self._called(variable, kind)), word=word)
        if not isinstance(kind, Elem) or kind.root.kind == "piece":
            return said
        names = {self.words.title(kind.root, x, self.language) for x in bits(kind.mask)}
        near = nearest(word, names)
        return say("perhaps", self.language, said=said, near=near[0]) if near else said

    def _called(self, variable: C.Variable, kind: Any) -> str:
        """The name of a type, of a part of it, or of a kind of pieces."""
        if not isinstance(kind, Elem):
            return variable.name
        types = [declared.data for declared in self.world.names.values() if declared.sort == "type"]
        named = [known.name for known in types if getattr(known, "type", None) == kind]
        named += [piece.name for piece in self.world.kinds if kind.root.kind == "piece" and piece.mask == kind.mask]
        return str((named or [kind.root.name])[0])

    def _title(self, word: str) -> str:
        return str(self.world.title_of_word(word).get(self.language) or word)

    def strange(self, text: str) -> str:
        """What of a text is no word of this game."""
        vocabulary = self.play.configured.vocabulary
        found = vocabulary.unknown(text)
        if not found:
            return ""
        said = say("unknown", self.language, text=found[0])
        near = nearest(found[0], vocabulary.names)
        return say("perhaps", self.language, said=said, near=near[0]) if near else said

    # --------------------------------------------------------------------------------- the order of the play

    def other_phase(self, text: str, choice: C.Choice) -> str:
        """Where the text is chosen in other phases only, which they are; else nothing."""
        now = self.play.state[self.world.data["phase_slot"]]
        if not now:
            return ""
        there = self._phases()
        phases = {phase for block in self._where_said(text, choice) for phase in there[block]}
        if not phases or now in phases or 0 in phases:
            return ""
        names = ", ".join(self._title(self.world.phase_names[phase - 1]) for phase in sorted(phases))
        return say("phase", self.language, phases=names, now=self._title(self.world.phase_names[now - 1]))

    def _where_said(self, text: str, choice: C.Choice) -> list[int]:
        """The blocks of the other choices at which an option may say the text."""
        phrases, found = self.play.configured.phrases, []
        for number, block in enumerate(self.play.machine.program.blocks):
            end = block.end
            if isinstance(end, C.Choice) and end is not choice:
                if any(phrases.says_here(text, language, end, 0) for language in LANGUAGES):
                    found.append(number)
        return found

    def _phases(self) -> list[set[int]]:
        """In which phases each block of the program may run."""
        program, slot = self.play.machine.program, self.world.data["phase_slot"]
        found: list[set[int]] = [set() for _ in program.blocks]
        waiting = [(program.start, 0)]
        while waiting:
            at, phase = waiting.pop()
            if phase in found[at]:
                continue
            found[at].add(phase)
            block = program.blocks[at]
            for op in block.ops:
                if isinstance(op, C.Put) and op.base == slot and op.index is None:
                    phase = op.value.value if isinstance(op.value, C.Const) else 0
            waiting += [(to, phase) for to in ways_through(block.end)]
        return found

    def dividing(self, text: str, choice: C.Choice) -> tuple[C.Node, bool] | None:
        """The last condition before this choice that would have led to another one, where the text can be chosen; and
        what it would have to be. Only in one turn: another turn may lead anywhere."""
        blocks = self.play.machine.program.blocks
        wanted = self._where_said(text, choice)
        if not wanted:
            return None
        before: list[list[int]] = [[] for _ in blocks]
        for number, block in enumerate(blocks):
            for to in ways_through(block.end) if not isinstance(block.end, C.Choice) else ():
                before[to].append(number)
        here, there = self._ways([choice.block], before), set(self._ways(wanted, before))
        on_the_way = set(here)
        for number in here:
            end = blocks[number].end
            if isinstance(end, C.Branch) and isinstance(getattr(end.condition, "span", None), Span):
                for to, other, must in ((end.then, end.otherwise, False), (end.otherwise, end.then, True)):
                    if to in on_the_way and to not in there and other in there and other not in on_the_way:
                        return end.condition, must
        return None

    def _ways(self, goals: list[int], before: list[list[int]]) -> list[int]:
        """The blocks from which play comes to some without asking anybody and in the same turn, the nearest first."""
        found = list(goals)
        known = set(goals)
        for at in found:
            if not any(
                isinstance(op, C.Put) and op.base == C.TURN_PLAYER for op in self.play.machine.program.blocks[at].ops
            ):
                new = [number for number in before[at] if number not in known]
                known.update(new)
                found += new
        return found
