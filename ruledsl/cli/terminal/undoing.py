"""Taking back: what a person decided last, with all that followed, where nothing new came out since."""

from __future__ import annotations

from ruledsl.boards.marks import plain
from ruledsl.records import dataclass
from ruledsl.runtime.asked import steps_so_far
from ruledsl.runtime.binding import binds
from ruledsl.runtime.gathering import names_of
from ruledsl.runtime.story import story
from ruledsl.runtime.typed import pick

from .rows import row_of
from .voice import Voice

_MOST_STEPS = 8  # of one choice that are gone back through


@dataclass
class Done:
    """A decision of a person that may be taken back."""

    seat: int
    points: int
    text: str  # as the one reads it who decided
    line: int = -1  # its line of the log, if there is one


class Undoing(Voice):
    """Part of a session."""

    done: list[Done]
    marks: dict[int, int]

    def _undo_several(self, seat: int, count: str) -> bool:
        """Takes back as many decisions as were asked for, or as many as can be; True if there was one."""
        wanted = int(count) if count.isdecimal() and len(count) < 4 else 1
        taken = 0
        while taken < max(1, wanted) and self._undo(seat):
            taken += 1
        return taken > 0

    def _undo(self, seat: int) -> bool:
        """Takes back the last decision of a person, with the bots' answers to it."""
        if picked := self.screen.gathering.put_back(seat):
            self.paragraph(self.say("undone", text=names_of(self.play, seat, picked, self.language)))
            return True
        if self.play.together is not None:
            if self.play.take_back(seat):
                last = next((done for done in reversed(self.done) if done.seat == seat), None)
                if last is not None:
                    self.done.remove(last)
                    self.paragraph(self.say("undone", text=last.text))
                self.settings.noted()
                return True
            earlier = any(done.seat == seat for done in self.done)
            self.write(self.say("undo_together" if earlier else "undo_none"))
            return False
        if not self.done or self.done[-1].points >= len(self.play.undo_points):
            self.write(self.say("undo_none"))
            return False
        last = self.done[-1]
        reason = self._binding(last)
        if reason:
            self.paragraph(self.say(reason))
            return False
        text = last.text if last.seat == seat else self._told(last, seat)
        while len(self.play.undo_points) > last.points:
            self.play.undo()
        self.done.pop()
        for key, mark in self.marks.items():
            self.marks[key] = min(mark, len(self.play.log))
        self.paragraph(self.say("undone", text=text))
        self.settings.noted()
        return True

    def _possible_before(self, seat: int, typed: str) -> int:
        """How many decisions are to be taken back until a text is possible that does not fit what was begun; 0 if it is
        not that."""
        if self.play.together is not None or not steps_so_far(self.play, seat):
            return 0
        points = self.play.undo_points
        for at in range(len(points) - 1, max(-1, len(points) - _MOST_STEPS), -1):
            there = self.play.copy()
            there.state = points[at][0][:]
            there.go_on()
            if there.stop_of(seat) is None:
                return 0
            if not steps_so_far(there, seat):
                taken = [done for done in self.done if done.points >= at]
                if not taken or self._binding(taken[0]):
                    return 0
                fits = pick(there, seat, typed, self.language).one or row_of(there, seat, typed, self.language)
                return len(taken) if fits else 0
        return 0

    def _told(self, done: Done, seat: int) -> str:
        """A decision of somebody else as a seat may know it."""
        if done.line < 0:
            return self.say("decided", player=self.screen.player(done.seat))
        event = next((one for one in story(self.play, seat, self.language, done.line) if one.seat == done.seat), None)
        return plain(event.text if event is not None else self.play.line(done.line, seat, self.language))

    def _binding(self, last: Done) -> str:
        """Why a decision stands: chance or something hidden came out after it.

        It stands as well if those who were shown a card knew it before: else the others could tell that they did.
        """
        state, decisions, _ = self.play.undo_points[last.points]
        return binds(self.play, state[:], decisions)
