"""A play at one terminal: shows each person what their seat may see, and takes what they type."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain
from ruledsl.bots.base import Bot, ask
from ruledsl.bots.laid import MOST as LIKE_TURNS
from ruledsl.cli.watch import at_work, stopped
from ruledsl.records import dataclass
from ruledsl.runtime.asked import passed_over
from ruledsl.runtime.runs import Run
from ruledsl.runtime.secrecy import keeps_apart
from ruledsl.runtime.typed import Picked, in_other_letters, nearest, pick, search, without_fillers
from ruledsl.runtime.why import why

from .commands import Commands, Left
from .face import Face, Menu
from .fitting import MARGIN, fitted
from .rows import Row, read_picks, read_row
from .screen import WIDTH, Screen
from .undoing import Done
from .words import CLEAR, REDRAW, command_of, say

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

_FEW = 20  # options that are listed without being asked for
_FEW_GROUPED = 80  # the same, where they stand in groups
_GROUPS = 16
_MORE = "…"  # behind the first word of options that are not told one by one
_KEPT = 80  # lines of the log that stay in sight
_GLANCE = 0.4  # seconds between two looks at what bots do


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
    waits: bool = False  # a person sits at a terminal, and may be told that they wait
    secret: bool = False  # people hide from each other what is hidden in the game
    save: Path | None = None
    own: Path | None = None  # where it is saved if no other place is named: it was read from there, or saved before
    kept: bool = False  # leaving loses nothing, for the play is on disk
    resume: Callable[[Path], str] = lambda path: f"ruledsl play --from {path}"
    noted: Callable[[], None] = lambda: None  # called after every change of the play
    forget: Callable[[], None] = lambda: None  # what was typed can no longer be called back


@dataclass
class Session(Commands):
    """One play with people and bots in its seats; None is a person."""

    play: Play
    seats: Sequence[Bot | None]
    settings: Settings
    face: Face
    script: Script | None = None
    refused: bool = False  # a line of the script could not be followed
    marks: dict[int, int] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    forced: set[int] = field(default_factory=set)
    _looking: int | None = None
    glanced: float = field(default_factory=time.monotonic)
    took: bool = True  # a person has decided, or sat down, and bots have not decided yet
    unasked: int | None = None  # the line of the log from which on nobody was asked, for there was one option
    stopped: str = ""  # what was being done when it was stopped in the midst of the rules

    def __post_init__(self) -> None:
        self.language = self.settings.language
        self.screen = Screen(self.play, self.language, self.settings.colour, self.settings.columns, self.settings.room)
        self.people = [seat for seat, bot in enumerate(self.seats) if bot is None]
        self.apart = len(self.people) > 1 and keeps_apart(self.play.configured)
        self.secret = self.settings.secret and self.apart  # else the screen is not cleared between two people

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
                self.play.choose(self._thought(bot, seat), seat)
                self.settings.noted()
                if not self.people:
                    self._news(None)
                else:
                    self._glance()
                return
        self._ask(self._looking if self._looking is not None and self._looking in waiting else waiting[0])

    def _glance(self) -> None:
        """While bots play, a screen that stays in place shows now and then where the play stands."""
        if time.monotonic() > self.glanced + _GLANCE:
            self._as_it_stands()

    def _as_it_stands(self) -> None:
        """What the one who waits sees, where it does not move past."""
        if self.face.live and not self.apart:
            self._position(self.people[0])
            self._news(self.people[0])
            self.glanced = time.monotonic()

    def _thought(self, bot: Bot, seat: int) -> int:
        """What a bot decides; a person who waits for it is told so."""
        if not self.settings.waits or not self.people:
            return ask(bot, self.play, seat)
        if self.took:
            self.took = False
            self._as_it_stands()
        with self.face.thinking(self.say("thinking", player=self.screen.player(seat))):
            return ask(bot, self.play, seat)

    def _finish(self) -> None:
        seat = self.people[0] if len(self.people) == 1 else None
        if self.secret:
            self.write(CLEAR)
        self._news(seat)
        self._position(seat)
        self.write("")
        self.write(self.screen.result())

    # ---------------------------------------------------------------------------------------- what is shown

    def _position(self, seat: int | None, options: Sequence[Any] = (), everything: bool = False) -> None:
        view = self.play.view(seat)
        head = self.screen.head(view, self.play.game.title(self.language))
        if everything or not (ways := self.face.layouts(len(options) or None)):
            self.face.position(head, self.screen.position(view, options))
            return
        asked = seat if seat in self.play.pending and options else None
        text, layout = fitted(self.screen, view, options, ways, asked)
        self.settings.columns = layout.screen[0] - MARGIN
        self.face.position(head, text, layout)

    def _news(self, seat: int | None) -> None:
        """The log since a seat decided last, or more where it stays in sight; the bystander's without a person."""
        if self.face.live:
            self.face.news("", self.events(seat, max(0, len(self.play.log) - _KEPT)))
            return
        key = -1 if seat is None else seat
        since = self.marks.get(key, max(self.marks.values(), default=0) if seat is None else self._decided_last(seat))
        self.marks[key] = len(self.play.log)
        lines = self.events(seat, min(since, len(self.play.log)))
        if not lines:
            return
        if self.people:
            self.face.news(self.say("since"), [self.told(line) for line in lines])
        else:
            self.face.news("", lines)

    def _decided_last(self, seat: int) -> int:
        """The place in the log behind the last decision of a seat: a play may go on that was left before."""
        own = (at for at in reversed(range(len(self.play.log))) if self.play.log[at].seat == seat)
        return next(own, -1) + 1

    def _question(self, seat: int, options: Sequence[Any]) -> None:
        """The position, and what has been chosen already; in the midst of laying a tile only what that needs."""
        if self.face.live:
            self._position(seat, options)
            self._news(seat)
            return
        view = self.play.view(seat)
        so_far, previews = self.screen.so_far(seat), self.screen.previews(seat, options, view)
        if not (so_far and self.screen.lays_tiles()):
            self._position(seat, options)
        elif not previews:
            self.write("")
            self.write("\n\n".join("\n".join(board) for board in self.screen.boards(view, options)))
        self._news(seat)
        self.face.steps(["\n".join(lines) for lines in (so_far, previews) if lines])

    def _previews(self, seat: int, options: Sequence[Any]) -> None:
        lines = self.screen.previews(seat, options, self.play.view(seat))
        if lines:
            self.write("\n".join(lines))

    def _menu(self, seat: int, options: Sequence[Any]) -> None:
        rows = self.rows(seat, options) if self.face.live else []
        told = self.spellings(seat, options) if rows else {}
        spelt = {
            self.number(seat, o) or plain(o.text): told[o.index] for o in options if o.index in told and not o.then
        }
        grouped = self.grouped(seat, options) if len(options) <= _FEW_GROUPED else []
        if grouped or len(options) <= _FEW:
            listed = grouped or list(self.listed(seat, options))
            if len(options) == 1 and self.script is None:
                listed.append(self.say("only"))
            self.numbered = True
            self.face.menu(Menu([self.say("options")], listed, rows, spelt))
            return
        self.numbered = bool(rows)  # else nobody has seen a number as yet
        words = [plain(o.text or o.notation).split() for o in options]
        # What the options begin with, where that tells them apart.
        groups: dict[str, list[list[str]]] = {}
        for own in words:
            groups.setdefault(own[0].split("-")[0] if own else "", []).append(own)
        grouped_by_head = [_group(head, found) for head, found in groups.items()]
        if ranges := len(groups) <= _GROUPS and not any(_MORE in group for group in grouped_by_head):
            lines = self.wrapped(self.say("options_ranges", example=" ".join(max(groups.values(), key=len)[0])))
        else:
            lines = self.wrapped(self.say("options_many", n=len(options), example=words[0][-1] if words[0] else "1"))
        if ranges or 1 < len(groups) <= _GROUPS:
            lines += self.wrapped("  " + ", ".join(grouped_by_head))
        self.face.menu(Menu(lines, (), rows, spelt))

    # ---------------------------------------------------------------------------------------- asking

    def _ask(self, seat: int) -> None:
        """Asks a person until they decide."""
        if self.script is not None:
            self._follow(seat)
            return
        if self._forced(seat):
            return
        if self.apart and self._looking != seat:
            self._hand_over(seat)
        self._looking = seat
        options = self.options(seat)
        self._question(seat, options)
        self._menu(seat, options)
        self._meanwhile(seat)
        while True:
            typed = self._typed(self.say("prompt", player=self.screen.player(seat)))
            if typed == REDRAW:
                self._question(seat, options)
                self._menu(seat, options)
                self._meanwhile(seat)
                continue
            if not typed:
                if len(options) == 1:
                    self._take(seat, options[0])
                    return
                continue
            if self._answer(seat, options, typed):
                return

    def _forced(self, seat: int) -> bool:
        """Does what is the only thing to do; it is told among what happened."""
        stop = self.play.stop_of(seat)
        if stop is None or self.apart or self.play.together is not None:
            return False  # whoever is not asked shows the others that they had no choice
        if passed_over(self.play, seat):
            return False  # what is left may not be what was meant: it is shown, and can be taken back
        if len(stop.options) > LIKE_TURNS or len(options := self.options(seat)) != 1:
            return False
        if self.screen.gathering.of(seat) or options[0].gathered:  # it goes with what was picked
            self._take(seat, options[0])
            return True
        before = len(self.play.log)
        self.unasked = self._decided_last(seat) if self.unasked is None else self.unasked
        for raw in (options[0].raw, *options[0].then):
            self._choose_raw(seat, raw)
        if len(self.play.log) > before and self.play.log[before].seat == seat:
            self.forced.add(before)
        self.settings.noted()
        return True

    def _meanwhile(self, seat: int) -> None:
        """Tells what went by without a question, where the log in sight is too short for it."""
        if self.unasked is None or not self.face.live:
            return
        lines = self.events(seat, min(self.unasked, len(self.play.log)))
        if not self.face.in_sight(lines):
            self.face.tale(self.say("meanwhile"), [self.told(line) for line in lines])

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
        typed = self.face.read(prompt)
        return typed if typed == REDRAW else typed.strip()

    def _answer(self, seat: int, options: Sequence[Any], typed: str) -> bool:
        """Does what was typed; True if the play went on or back."""
        found = self._pick(seat, options, typed)
        command = None if found.exact else command_of(typed)
        if command is not None:
            return self._command(seat, options, *command)
        if found.one is not None:
            self._take(seat, found.one)
            return True
        if found.options and self._lacks_amount(seat, found.options):
            return False
        if found.options:
            self._previews(seat, found.options)
            self.paragraph(self.say("ambiguous", text=typed))
            self.list_options(seat, found.options)
            return False
        if found.number:
            self.paragraph(self.say("no_number", n=typed, most=len(options)))
            return False
        picks = read_picks(self.play, seat, typed, self.language, self.screen.gathering.of(seat))
        if picks is not None:
            self._take(seat, picks)
            return True
        row = read_row(self.play, seat, typed, self.language) if not self.screen.gathering.of(seat) else Row([])
        if row.raws:
            self._take_row(seat, row)
            return True
        if row.ways:
            self.paragraph(self.say("row_several", text=typed))
            for way in row.ways:
                self.write(f"  {way}")
            return False
        bare, meant = without_fillers(typed), Picked(())
        for other in (*([bare] if bare and bare != typed else []), *in_other_letters(typed)):
            meant = meant if meant.options else self._pick(seat, options, other)
        if meant.one is not None:
            self._take(seat, meant.one)
            return True
        nearly = list(meant.options) or search(options, typed)
        if nearly and not (typed.isdecimal() and self.ranges(seat)):
            self._previews(seat, nearly)
            self.paragraph(self._fitting(nearly, typed))
            self.list_options(seat, nearly)
            return False
        if row.there is not None:
            self._row_failed(seat, row)
            return False
        if back := self._possible_before(seat, typed):
            self.paragraph(
                self.say("after_back", text=typed, back=self.say("back" if back > 1 else "back_one", n=back))
            )
            return False
        amount = typed.isdecimal() and bool(self.ranges(seat))  # the ranges below say more
        answer = why(self.play, seat, typed, self.language)
        if answer.failure is not None and not amount:  # a rule refuses it: nobody has to ask for the reason
            for line in answer.lines(self.language):
                self.paragraph(line)
            return False
        self._not_offered(seat, options, typed)
        return False

    def _not_offered(self, seat: int, options: Sequence[Any], typed: str) -> None:
        """Says that a text is no option, and what comes nearest to it."""
        if typed.isdecimal() and len(runs := self.ranges(seat)) == 1 and not runs[0].tail.strip():
            self.paragraph(self.say("amount_beyond", **_bounds(runs[0])))
            return
        self.paragraph(self.say("not_offered", text=typed))
        ranges, near = self.ranges_of(seat, typed), nearest(options, typed)
        if ranges or near:
            self.paragraph(self.say("nearest"))
        for told in ranges:
            self.write(f"     {told}")
        if not ranges:
            self.list_options(seat, near)

    def _take_row(self, seat: int, row: Row) -> None:
        """Takes several options that were typed at once; what is forced between them is done."""
        raws = list(row.raws)
        while raws:
            whole = next(
                (o for o in self.options(seat) if o.then and raws[: 1 + len(o.then)] == [o.raw, *o.then]), None
            )
            if whole is not None:
                self._take(seat, whole)
                del raws[: 1 + len(whole.then)]
                continue
            raw = raws.pop(0)
            if not self._forced(seat):
                self._take(seat, next(option for option in self.play.options(seat) if option.raw == raw))

    def _lacks_amount(self, seat: int, options: Sequence[Any]) -> bool:
        """Whether options differ in an amount alone, which is asked for: `raise`."""
        run = next((run for run in self.ranges(seat) if all(run.holds(o.index) for o in options)), None)
        if run is None or run.count < 2 or run.tail.strip():
            return False
        self.paragraph(self.say("amount_missing", **_bounds(run)))
        return True

    def _row_failed(self, seat: int, row: Row) -> None:
        """Tells at which of several steps that were typed at once it fails, why, and what could be done there."""
        assert row.there is not None
        self.paragraph(self.say("row_failed", taken=row.taken, failed=row.failed))
        for line in why(row.there, seat, row.failed, self.language).lines(self.language):
            self.paragraph(line)
        near = nearest(row.there.options(seat, self.language), row.failed)
        if near:
            self.paragraph(self.say("row_nearest", taken=row.taken, near=", ".join(f"`{plain(o.text)}`" for o in near)))

    def _pick(self, seat: int, options: Sequence[Any], typed: str) -> Picked:
        if (amounts := self.of_amount(seat, options, typed)) is not None:
            return Picked(tuple(amounts), exact=len(amounts) == 1)
        numbers = self.numbered or self.script is not None
        found = pick(self.play, seat, typed, self.language, numbers=numbers, options=options)
        if self.screen.gathering.of(seat):
            return found
        if found.options or found.number or len(options) == len(everything := self.play.options(seat, self.language)):
            return found
        whole = pick(self.play, seat, typed, self.language, options=everything)  # a turn that looks like another one
        return whole if whole.exact else found

    def _take(self, seat: int, option: Any) -> None:
        if option.gathered:
            self.screen.gathering.pick(seat, option)
            return
        points, before = len(self.play.undo_points), len(self.play.log)
        for raw in (option.raw, *option.then):
            self._choose_raw(seat, raw)
        own = self.play.log[before] if len(self.play.log) > before else None
        noted = own is not None and own.choice is not None and own.seat == seat
        self.took, self.unasked = True, None
        self.done.append(Done(seat, points, f"{self.screen.player(seat)}: {option.text}", before if noted else -1))
        self.marks[seat] = before + noted
        self.settings.noted()

    def _choose_raw(self, seat: int, raw: tuple[Any, ...]) -> None:
        stop = self.play.stop_of(seat)
        assert stop is not None, "who chooses is asked"
        self.play.choose(stop.options.index(raw), seat)

    def _follow(self, seat: int) -> None:
        """Takes the next line of the script."""
        assert self.script is not None
        if self.script.at == 0:
            self._position(None)
        found = self.script.next()
        if found is None:
            self.write("")
            self.write(self.say("moves_end"))
            options = self.options(seat)
            self.write(self.say("asked", player=self.screen.player(seat)))
            self._menu(seat, options)
            raise Left
        number, line = found
        name, colon, rest = line.partition(":")
        whole = self._pick(seat, self.options(seat), line).exact  # a label may begin with a name
        if colon and name.strip() in self.play.players and not whole:
            wanted = self.play.players.index(name.strip())
            line = rest.strip()
            if wanted not in self.play.pending:
                self._refuse(
                    number, f"{name.strip()}: {line}", say("asked", self.language, player=self.screen.player(seat))
                )
            seat = wanted
        options = self.options(seat)
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
            if self.done[-1].line < 0:  # it is told when all have decided
                self.write(self.say("decided", player=self.screen.player(seat)))
            else:
                self.write(plain(self.play.line(since, None, self.language)))
            self.marks[-1] = self.marks[seat]
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


def _bounds(run: Run) -> dict[str, object]:
    """What is said of options that differ in an amount."""
    most = run.number + run.count - 1
    return {"head": plain(run.head).strip(), "least": run.number, "most": most, "example": plain(run.text(0))}


def _group(head: str, options: Sequence[Sequence[str]]) -> str:
    """Options that begin alike in a few words: all of a single one, a range of numbers, else how many they are."""
    if len(options) == 1:
        return " ".join(options[0])
    start = list(options[0][:-1])
    numbers = [int(own[-1]) for own in options if list(own[:-1]) == start and own[-1].isdecimal()]
    if start and len(numbers) == len(options) == max(numbers) - min(numbers) + 1:
        return f"{' '.join(start)} {min(numbers)}–{max(numbers)}"
    return f"{head} {_MORE} ({len(options)})"
