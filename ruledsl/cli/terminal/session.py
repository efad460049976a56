"""A play at one terminal: shows each person what their seat may see, and takes what they type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap
from typing import Any

from ruledsl.boards.marks import columns, pad, plain
from ruledsl.bots.base import Bot, make
from ruledsl.bots.guess import decides_in_secret, hides
from ruledsl.cli.watch import at_work, stopped
from ruledsl.cli.writing import HANDOUT, SAVE, Unwritable, place, write
from ruledsl.runtime.handout import as_text, handout
from ruledsl.runtime.typed import Picked, nearest, pick, search, typed_number
from ruledsl.runtime.why import why

from .screen import WIDTH, Screen
from .words import command_of, say

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_FEW = 20  # options that are listed without being asked for
_LISTED = 40  # options listed at a time where they are searched
_GROUPS = 16


class Left(Exception):
    """The person leaves, or the input ends."""


@dataclass
class Script:
    """Moves from a file instead of from a person: one option a line."""

    lines: list[tuple[int, str]]
    name: str
    at: int = 0

    @classmethod
    def read(cls, text: str, name: str) -> Script:
        """The lines that hold an option; what stands behind `#` is a comment."""
        found = [(n, line.partition("#")[0].strip()) for n, line in enumerate(text.splitlines(), 1)]
        return cls([(n, line) for n, line in found if line], name)

    def next(self) -> tuple[int, str] | None:
        if self.at == len(self.lines):
            return None
        self.at += 1
        return self.lines[self.at - 1]


@dataclass
class Settings:
    """How a session speaks and what it writes."""

    language: str = "en"
    colour: bool = False
    columns: int = WIDTH
    room: tuple[int, int | None] | None = None  # columns and lines for large pictures, if there are more
    secret: bool = False  # people hide from each other what is hidden in the game
    save: Path | None = None
    resume: Callable[[Path], str] = lambda path: f"ruledsl play --from {path}"
    noted: Callable[[], None] = lambda: None  # called after every change of the play
    forget: Callable[[], None] = lambda: None  # what was typed can no longer be called back


@dataclass
class _Done:
    """A decision of a person that may be taken back."""

    seat: int
    points: int
    text: str  # as the one reads it who decided
    line: int = -1  # its line of the log, if there is one


@dataclass
class Session:
    """One play with people and bots in its seats; None is a person."""

    play: Any
    seats: Sequence[Bot | None]
    settings: Settings
    write: Callable[[str], None]
    read: Callable[[str], str]
    script: Script | None = None
    refused: bool = False  # a line of the script could not be followed
    _marks: dict[int, int] = field(default_factory=dict)
    _done: list[_Done] = field(default_factory=list)
    _looking: int | None = None
    stopped: str = ""  # what was being done when it was stopped in the midst of the rules

    def __post_init__(self) -> None:
        self.language = self.settings.language
        self.screen = Screen(self.play, self.language, self.settings.colour, self.settings.columns, self.settings.room)
        self.people = [seat for seat, bot in enumerate(self.seats) if bot is None]
        self.apart = len(self.people) > 1 and (hides(self.play) or decides_in_secret(self.play))
        self.secret = self.settings.secret and self.apart  # else the screen is not cleared between two people

    def say(self, key: str, **holes: object) -> str:
        return say(key, self.language, **{name: plain(x) if isinstance(x, str) else x for name, x in holes.items()})

    # ---------------------------------------------------------------------------------------- the play

    def run(self) -> bool:
        """Plays to the end; False if the play was left before."""
        try:
            while not self.play.over:
                self._step()
        except (Left, EOFError, KeyboardInterrupt) as left:
            if self.secret:
                self.write(CLEAR)
            elif not isinstance(left, Left):
                self.write("")
            if isinstance(left, KeyboardInterrupt) and at_work(left.__traceback__):
                self.stopped = stopped(left.__traceback__)
            return False
        self._finish()
        return True

    def _step(self) -> None:
        """One decision of a bot, or all that a person decides in one go."""
        waiting = self.play.pending
        for seat in waiting:
            bot = self.seats[seat]
            if bot is not None:
                self.play.choose(self.play.options(seat)[bot.choose(self.play, seat)], seat)
                self.settings.noted()
                if not self.people:
                    self._news(None)
                return
        self._ask(self._looking if self._looking is not None and self._looking in waiting else waiting[0])

    def _finish(self) -> None:
        seat = self.people[0] if len(self.people) == 1 else None
        if self.secret:
            self.write(CLEAR)
        self._news(seat)
        self._position(seat)
        self.write("")
        self.write(self.screen.result())

    # ---------------------------------------------------------------------------------------- what is shown

    def _position(self, seat: int | None, options: Sequence[Any] = ()) -> None:
        view = self.play.view(seat)
        self.write("")
        self.write(self.screen.head(view, self.play.game.title(self.language)))
        text = self.screen.position(view, options)
        if text:
            self.write("")
            self.write(text)

    def _news(self, seat: int | None) -> None:
        """The log since a seat decided last; the bystander's, where there is no person."""
        key = -1 if seat is None else seat
        since = self._marks.get(key, max(self._marks.values(), default=0) if seat is None else self._decided_last(seat))
        self._marks[key] = len(self.play.log)
        lines = self.play.lines(seat, self.language, min(since, len(self.play.log)))
        if not lines:
            return
        if self.people:
            self.write("")
            self.write(self.say("since"))
        for line in lines:
            self.tell(plain(line)) if self.people else self.write(plain(line))

    def _decided_last(self, seat: int) -> int:
        """The place in the log behind the last decision of a seat: a play may go on that was left before."""
        own = (at for at in reversed(range(len(self.play.log))) if self.play.log[at].seat == seat)
        return next(own, -1) + 1

    def _list(self, seat: int, options: Sequence[Any], most: int = _LISTED) -> None:
        """Options with their numbers, in as many columns as there is room for."""
        cells = [f"{self._number(seat, o):>3}  {plain(o.text or o.notation)}" for o in options[:most]]
        if not cells:
            return
        widest = max(columns(cell) for cell in cells) + 3
        count = max(1, min(4, self.settings.columns // widest)) if len(cells) > 6 else 1
        rows = -(-len(cells) // count)
        for row in range(rows):
            line = [cells[i] for i in range(row, len(cells), rows)]
            self.write("".join([*(pad(cell, widest) for cell in line[:-1]), line[-1]]))
        if len(options) > most:
            self.write(f"     {self.say('and_more', n=len(options) - most)}")

    def _question(self, seat: int, options: Sequence[Any]) -> None:
        """The position, and what has been chosen already; in the midst of laying a tile only what that needs."""
        view = self.play.view(seat)
        so_far, previews = self.screen.so_far(seat), self.screen.previews(seat, options, view)
        laying = so_far and self.screen.lays_tiles()
        if not laying:
            self._position(seat, options)
        elif not previews:
            self.write("")
            self.write("\n\n".join("\n".join(board) for board in self.screen.boards(view, options)))
        self._news(seat)
        for lines in (so_far, previews):
            if lines:
                self.write("")
                self.write("\n".join(lines))

    def _previews(self, seat: int, options: Sequence[Any]) -> None:
        lines = self.screen.previews(seat, options, self.play.view(seat))
        if lines:
            self.write("\n".join(lines))

    def _menu(self, seat: int, options: Sequence[Any]) -> None:
        self.write("")
        if len(options) <= _FEW:
            self.write(self.say("options"))
            self._list(seat, options)
            if len(options) == 1 and self.script is None:
                self.write(self.say("only"))
            return
        words = [(o.text or o.notation).split() for o in options]
        self._paragraph(self.say("options_many", n=len(options), example=words[0][-1] if words[0] else "1"))
        # What the options begin with, where that tells them apart.
        groups: dict[str, int] = {}
        for own in words:
            head = own[0].split("-")[0] if own else ""
            groups[head] = groups.get(head, 0) + 1
        if 1 < len(groups) <= _GROUPS:
            self._paragraph(
                "  " + ", ".join(f"{plain(head)} … ({n})" if n > 1 else plain(head) for head, n in groups.items())
            )

    def _paragraph(self, text: str) -> None:
        indent = " " * (len(text) - len(text.lstrip()))
        for line in wrap(text, self.settings.columns, subsequent_indent=indent, break_on_hyphens=False):
            self.write(line)

    # ---------------------------------------------------------------------------------------- asking

    def _ask(self, seat: int) -> None:
        """Asks a person until they decide."""
        if self.script is not None:
            self._follow(seat)
            return
        if self.apart and self._looking != seat:
            self._hand_over(seat)
        self._looking = seat
        options = self.play.options(seat, self.language)
        self._question(seat, options)
        self._menu(seat, options)
        while True:
            typed = self._typed(self.say("prompt", player=self.screen.player(seat)))
            if not typed:
                if len(options) == 1:
                    self._take(seat, options[0])
                    return
                continue
            if self._answer(seat, options, typed):
                return

    def _hand_over(self, seat: int) -> None:
        """Another person sits down: nothing of what the one before has seen is left."""
        player = self.screen.player(seat)
        if self.secret:
            self.write(CLEAR)
            self.settings.forget()
            self._typed(self.say("hand_over", player=player) + " ")
            self.write(CLEAR)
        else:
            self.write("")
            self.write(f"── {self.say('only_for', player=player)} ".ljust(self.settings.columns, "─"))

    def _typed(self, prompt: str) -> str:
        return self.read(prompt).strip()

    def _answer(self, seat: int, options: Sequence[Any], typed: str) -> bool:
        """Does what was typed; True if the play went on or back."""
        found = self._pick(seat, options, typed)
        command = None if found.exact else command_of(typed)
        if command is not None:
            return self._command(seat, options, *command)
        if found.one is not None:
            self._take(seat, found.one)
            return True
        if found.options:
            self._previews(seat, found.options)
            self._paragraph(self.say("ambiguous", text=typed))
            self._list(seat, found.options)
            return False
        if found.number:
            self._paragraph(self.say("no_number", n=typed, most=len(options)))
            return False
        nearly = search(options, typed)
        if nearly:
            self._previews(seat, nearly)
            self._paragraph(self._fitting(nearly, typed))
            self._list(seat, nearly)
            return False
        self._paragraph(self.say("not_offered", text=typed))
        near = nearest(options, typed)
        if near:
            self._paragraph(self.say("nearest"))
            self._list(seat, near)
        return False

    def _pick(self, seat: int, options: Sequence[Any], typed: str) -> Picked:
        return pick(self.play, seat, typed, self.language, numbers=True, options=options)

    def _number(self, seat: int, option: Any) -> str:
        """The number by which an option may be typed; none where it would be another option's text."""
        return typed_number(self.play, seat, option, self.language)

    def _take(self, seat: int, option: Any) -> None:
        points, before = len(self.play.undo_points), len(self.play.log)
        # What is remembered of a decision reads the same in every language.
        self.play.choose(self.play.options(seat)[option.index], seat)
        own = self.play.log[before] if len(self.play.log) > before else None
        noted = own is not None and own.choice is not None and own.seat == seat
        self._done.append(_Done(seat, points, f"{self.screen.player(seat)}: {option.text}", before if noted else -1))
        self._marks[seat] = before + noted
        self.settings.noted()

    def _follow(self, seat: int) -> None:
        """Takes the next line of the script."""
        assert self.script is not None
        if self.script.at == 0:
            self._position(None)
        found = self.script.next()
        if found is None:
            self.write("")
            self.write(self.say("moves_end"))
            options = self.play.options(seat, self.language)
            self.write(self.say("asked", player=self.screen.player(seat)))
            self._menu(seat, options)
            raise Left
        number, line = found
        name, colon, rest = line.partition(":")
        whole = self._pick(seat, self.play.options(seat, self.language), line).exact  # a label may begin with a name
        if colon and name.strip() in self.play.players and not whole:
            wanted = self.play.players.index(name.strip())
            line = rest.strip()
            if wanted not in self.play.pending:
                self._refuse(
                    number, f"{name.strip()}: {line}", say("asked", self.language, player=self.screen.player(seat))
                )
            seat = wanted
        options = self.play.options(seat, self.language)
        chosen = self._pick(seat, options, line)
        if chosen.one is None:
            for o in chosen.options[:6]:
                self.write(f"  {plain(o.notation or o.text)}")
            if chosen.options:
                self._refuse(number, line, self.say("ambiguous", text=line))
            near = nearest(options, line)
            self._refuse(number, line, "\n".join(self._why(seat, line)), near)
        else:
            since = len(self.play.log)
            self._take(seat, chosen.one)
            self.write("")
            if self._done[-1].line < 0:  # it is told when all have decided
                self.write(self.say("decided", player=self.screen.player(seat)))
            else:
                self.write(plain(self.play.line(since, None, self.language)))
            self._marks[-1] = self._marks[seat]
            self._news(None)
        if not self.play.over:
            self._position(None)

    def _refuse(self, number: int, line: str, why: str, near: Sequence[Any] = ()) -> None:
        assert self.script is not None
        self.write(f"{self.script.name}:{number}: {self.say('not_offered', text=line).split('.')[0]}.")
        self.write(why)
        if near:
            self.write(self.say("nearest"))
            for option in near:
                self.write(f"  {plain(option.text or option.notation)}")
        self.refused = True
        raise Left

    # ---------------------------------------------------------------------------------------- commands

    def _command(self, seat: int, options: Sequence[Any], command: str, rest: str) -> bool:
        if command == "undo":
            return self._undo(seat)
        if command == "quit":
            raise Left
        getattr(self, f"_do_{command}")(seat, options, rest)
        return False

    def _fitting(self, found: Sequence[Any], typed: str) -> str:
        return self.say("options_one" if len(found) == 1 else "options_some", n=len(found), text=typed)

    def _do_help(self, seat: int, options: Sequence[Any], rest: str) -> None:
        self.write(self.say("help"))

    def _do_options(self, seat: int, options: Sequence[Any], rest: str) -> None:
        found = search(options, rest) if rest else list(options)
        if not found:
            self._paragraph(self.say("options_none", text=rest))
        elif rest:
            self._paragraph(self._fitting(found, rest))
        self._list(seat, found, most=500)

    def _do_board(self, seat: int, options: Sequence[Any], rest: str) -> None:
        self._position(seat, options)

    def _do_log(self, seat: int, options: Sequence[Any], rest: str) -> None:
        lines = self.play.lines(seat, self.language)
        self.write(self.say("log" if lines else "log_empty"))
        for line in lines:
            self.tell(plain(line))

    def tell(self, text: str) -> None:
        """A line of the log; what is printed on cards may be long."""
        self.write("\n".join(wrap(text, self.settings.columns, initial_indent="  ", subsequent_indent="    ")))

    def _do_hint(self, seat: int, options: Sequence[Any], rest: str) -> None:
        number = make("careful", len(self.play.decisions)).choose(self.play, seat)
        self._paragraph(
            self.say("hint", option=f"{self._number(seat, options[number])}  {options[number].text}".strip())
        )

    def _do_why(self, seat: int, options: Sequence[Any], rest: str) -> None:
        if not rest:
            self._paragraph(self.say("why_what", example=options[0].text))
            return
        for line in self._why(seat, rest):
            self.write(line)

    def _why(self, seat: int, text: str) -> list[str]:
        fitting = self._pick(seat, self.play.options(seat, self.language), text)
        if fitting.one is not None:
            return [self._offered(seat, fitting.one)]
        if fitting.options:
            return [
                self.say("why_offered_some", n=", ".join(str(o.index + 1) for o in fitting.options[:20]), text=text)
            ]
        answer = why(self.play, seat, text, self.language)
        head, *rest = answer.lines(self.language)
        if answer.place and answer.by_default:  # for whoever writes the rules: a `because:` may stand there
            head = f"{head}  ({answer.place})"
        return [
            part
            for line in (head, *rest)
            for part in wrap(line, self.settings.columns, subsequent_indent="    ", break_on_hyphens=False)
        ]

    def _offered(self, seat: int, option: Any) -> str:
        number, text = self._number(seat, option), option.text or option.notation
        return self.say("why_offered", n=number, text=text) if number else self.say("why_offered_so", text=text)

    def _do_rules(self, seat: int, options: Sequence[Any], rest: str) -> None:
        about, printed = self.play.game.about(self.language), self.screen.printed(seat)
        for line in (about or ("" if printed else self.say("no_rules"))).splitlines():
            self._paragraph(plain(line))
        for title, text in printed.items():
            self._paragraph(f"{title}: {text}")

    def _do_save(self, seat: int, options: Sequence[Any], rest: str) -> None:
        path = Path(rest) if rest else self.settings.save
        if path is None:
            self.write(self.say("save_where"))
        else:
            self.save(path, agreed=not rest)

    def _do_view(self, seat: int, options: Sequence[Any], rest: str) -> None:
        if not rest:
            self.write(self.say("view_where"))
            return
        try:
            write(place(rest, HANDOUT), as_text(handout(self.play, seat, self.language)))
        except Unwritable as problem:
            self._paragraph(self.say(problem.key, **problem.holes))
            return
        except (OSError, ValueError) as problem:
            self._paragraph(self.say("save_failed", why=getattr(problem, "strerror", None) or str(problem)))
            return
        self._paragraph(self.say("viewed", file=rest, player=self.screen.player(seat)))

    def save(self, path: Path, agreed: bool = False) -> bool:
        """Writes the play to a file, and tells how to go on with it; `agreed` if it was looked at before the play."""
        try:
            write(path if agreed else place(path, SAVE), self.play.save())
        except Unwritable as problem:
            self._paragraph(self.say(problem.key, **problem.holes))
            return False
        except (OSError, ValueError) as problem:
            self._paragraph(self.say("save_failed", why=getattr(problem, "strerror", None) or str(problem)))
            return False
        self.write(self.say("saved", command=self.settings.resume(path)))
        return True

    # ---------------------------------------------------------------------------------------- taking back

    def _undo(self, seat: int) -> bool:
        """Takes back the last decision of a person, with the bots' answers to it."""
        if self.play.together is not None:
            if self.play.take_back(seat):
                last = next((done for done in reversed(self._done) if done.seat == seat), None)
                if last is not None:
                    self._done.remove(last)
                    self._paragraph(self.say("undone", text=last.text))
                self.settings.noted()
                return True
            earlier = any(done.seat == seat for done in self._done)
            self.write(self.say("undo_together" if earlier else "undo_none"))
            return False
        if not self._done or self._done[-1].points >= len(self.play.undo_points):
            self.write(self.say("undo_none"))
            return False
        last = self._done[-1]
        reason = self._binding(last)
        if reason:
            self._paragraph(self.say(reason))
            return False
        text = last.text if last.seat == seat else self._told(last, seat)
        while len(self.play.undo_points) > last.points:
            self.play.undo()
        self._done.pop()
        for key, mark in self._marks.items():
            self._marks[key] = min(mark, len(self.play.log))
        self._paragraph(self.say("undone", text=text))
        self.settings.noted()
        return True

    def _told(self, done: _Done, seat: int) -> str:
        """A decision of somebody else as a seat may know it."""
        if done.line < 0:
            return self.say("decided", player=self.screen.player(done.seat))
        return plain(self.play.line(done.line, seat, self.language))

    def _binding(self, last: _Done) -> str:
        """Why a decision stands: chance or something hidden came out after it.

        It stands as well if those who were shown a card knew it before: else the others could tell that they did.
        """
        state, decisions, _ = self.play.undo_points[last.points]
        if any(decision.seat < 0 for decision in self.play.decisions[decisions:]):
            return "undo_chance"
        pieces, now = self.play.machine.pieces, self.play.state
        if pieces.spots.known >= 0:
            at = pieces.spots.at
            for piece in range(self.play.world.pieces.size):
                seen = pieces.knowers(now, piece) & ~pieces.knowers(state, piece)
                if seen or pieces.seers(now, now[at + piece]) & ~pieces.seers(state, state[at + piece]):
                    return "undo_seen"
        return "undo_seen" if self.play.shown > decisions else ""
