"""The terminal as a live screen: the board stays in place, with panels for the log and the options beside it.

It is drawn by textual, which is an extra (`pip install 'ruledsl[screen]'`); without it, and where the output is no
terminal, a session writes line by line. The session runs in a thread of its own and knows nothing of this: it shows
and asks through a `Face`.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.events import Key, Resize
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option as Row

from ruledsl.bots.hurry import hurry
from ruledsl.wording.columns import columns

from .face import Face, Menu
from .fitting import Layout, layouts, whole
from .waiting import waiting
from .words import CLEAR, REDRAW, say

_LEAST = 8  # lines of the head, the hint, what is typed, two frames, and of a log that is worth showing
_FEWEST = 2  # options that are in sight at any time
_MOST_ROWS = 300  # options that are listed at a time


class Log(VerticalScroll):
    """What happened. Its lines are broken anew whenever its width changes, so none is cut or left narrow."""

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def on_mount(self) -> None:
        self.can_focus = False

    def on_resize(self) -> None:
        self._to_end()  # it stays in sight when the lines below it need more room

    def show(self, lines: Sequence[str]) -> None:
        self.query_one(Static).update(Text.from_ansi("\n".join(lines)))
        self._to_end()

    def _to_end(self) -> None:
        self.call_after_refresh(self.scroll_end, animate=False)


class Live(App[None]):
    """The screen of one command; `work` is done in a thread and shows itself through a `LiveFace`."""

    CSS = """
    Screen { layout: vertical; }
    #head { height: 1; text-style: bold; background: $panel; padding: 0 1; }
    #main { height: 1fr; layout: vertical; }
    #table { height: auto; padding: 0 1; }
    #picture { width: auto; }
    #log { height: 1fr; padding: 0 1; border-top: solid $primary-darken-2; }
    Screen.beside #main { layout: horizontal; }
    Screen.beside #table { height: 1fr; width: 1fr; }
    Screen.beside #main #log { height: 1fr; border-top: none; border-left: solid $primary-darken-2; }
    #said { height: auto; max-height: 60%; display: none; padding: 0 1; border-top: solid $accent; }
    #answer { width: 1fr; }
    #hint { height: auto; max-height: 3; padding: 0 1; color: $text-muted; background: $panel; }
    #below { height: auto; }
    #options { height: auto; max-height: 7; border: none; padding: 0 1; width: 1fr; }
    #late { display: none; padding: 0 1; width: 40%; height: 100%; border-left: solid $primary-darken-2; }
    Screen.late #main #log { display: none; }
    Screen.late #late { display: block; }
    Screen.looking #late { display: none; }
    Screen.answering #main #log { display: none; }
    Screen.beside.answering #main #log { display: block; }
    #line { height: 1; border: none; padding: 0 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", priority=True),
        Binding("ctrl+q", "leave", priority=True),
        Binding("pageup", "page(-1)", priority=True),
        Binding("pagedown", "page(1)", priority=True),
    ]

    def __init__(self, work: Callable[[LiveFace], None], language: str) -> None:
        super().__init__()
        self.work, self.language = work, language
        self.face = LiveFace(self)
        self.problem: BaseException | None = None
        self.worker: threading.Thread | None = None
        self.rows: list[tuple[str, str]] = []  # what is typed for an option, and what it says
        self.listed: list[tuple[str, str]] = []  # those of them that fit what is being typed
        self.spelt: Mapping[str, str] = {}  # how they are written in the manner of the game
        self.asked = False
        self.done = False
        self.chosen = False  # whether the highlighted option was gone to with the arrows
        self.said_lines = 0  # of the answer to a command
        self.option_lines = 0  # that the table leaves them; more while somebody looks through them

    # ------------------------------------------------------------------------------------------ the screen

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Container(id="main"):
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="picture", markup=False)
            yield Log(id="log")
        with VerticalScroll(id="said", can_focus=False):
            yield Static(id="answer", markup=False)
        yield Static(id="hint", markup=False)
        with Horizontal(id="below"):
            yield OptionList(id="options", markup=False)
            yield Log(id="late")
        yield Input(id="line", compact=True)

    def on_mount(self) -> None:
        self.query_one("#options", OptionList).can_focus = False
        self.query_one("#line", Input).focus()
        self.worker = threading.Thread(target=self._work, daemon=True)
        self.worker.start()

    def _work(self) -> None:
        try:
            self.work(self.face)
        except BaseException as problem:
            self.problem = problem
        self.call_from_thread(self._finished)

    def _finished(self) -> None:
        self.done = True
        if self.problem is not None or self.face.left:
            self.exit()
            return
        self.show_said("\n".join(self.face.said).strip("\n"))
        self.query_one("#hint", Static).update(say("live_end", self.language))
        self.query_one("#options", OptionList).clear_options()
        line = self.query_one("#line", Input)
        line.value = line.placeholder = ""

    def on_resize(self, event: Resize) -> None:
        if self.asked:
            self.face.answers.put(REDRAW)

    def lay_out(self, layout: Layout, table: int) -> None:
        """Shares the screen among a table of so many lines, the options and the log."""
        self.screen.set_class(layout.log == "beside", "beside")
        self.screen.set_class(layout.log == "late", "late")
        self.query_one("#log", Log).styles.width = layout.log_columns
        self.query_one("#table").styles.max_height = layout.lines if layout.log == "below" else "100%"
        self.option_lines = layout.option_lines(table)
        self._open(False)

    def _open(self, looking: bool) -> None:
        """While somebody types or goes through the options, they have up to half of the screen; then the table has."""
        self.screen.set_class(looking, "looking")  # a log beside them would cut long ones short
        lines = min(len(self.listed), self.size.height // 2) if looking else 0
        if self.option_lines:
            self.query_one("#options", OptionList).styles.max_height = self._room(max(self.option_lines, lines))

    def _room(self, wanted: int) -> int:
        """Lines for options: beside a long answer they give way, for one must see where one types."""
        if not self.said_lines:
            return wanted
        answer = min(self.said_lines + 1, self.size.height * 6 // 10)
        return max(_FEWEST, min(wanted, self.size.height - answer - _LEAST))

    # ----------------------------------------------------------------------------------- what is shown

    def show_table(self, head: str, text: str, top: int = 0) -> None:
        self.query_one("#head", Static).update(Text.from_ansi(head))
        self.query_one("#picture", Static).update(Text.from_ansi(text))
        table = self.query_one("#table", VerticalScroll)
        table.scroll_to(y=top, animate=False) if top else table.scroll_home(animate=False)

    def show_log(self, lines: Sequence[str]) -> None:
        for log in self.query(Log):
            log.show(lines)

    def show_said(self, text: str, end: bool = False) -> None:
        """The answer to a command, or why something was not done; gone when something is done."""
        self.query_one("#answer", Static).update(Text.from_ansi(text))
        self.said_lines = text.count("\n") + 1 if text else 0
        if self.option_lines:
            self.query_one("#options", OptionList).styles.max_height = self._room(self.option_lines)
        said = self.query_one("#said", VerticalScroll)
        said.display = bool(text)
        table = self.query_one("#picture").size.height
        left = self.size.height - table - len(self.listed) - text.count("\n") - _LEAST
        self.screen.set_class(bool(text) and left < 0, "answering")  # below the table is no room for the log, too
        if end:
            self.call_after_refresh(said.scroll_end, animate=False)
        else:
            said.scroll_home(animate=False)

    def forget(self) -> None:
        """Nothing is left of what the person before has seen."""
        self.show_log([])
        self.show_table("", "")
        self.show_menu("", [])
        self.show_said("")

    def show_menu(self, hint: str, rows: Sequence[tuple[str, str]], spelt: Mapping[str, str] | None = None) -> None:
        self.rows, self.spelt = list(rows), spelt or {}
        self.show_hint(hint)
        self._list("")

    def show_hint(self, hint: str) -> None:
        self.query_one("#hint", Static).update(hint)

    def _list(self, typed: str) -> None:
        """The options in which every typed word stands somewhere."""
        words = typed.casefold().split()
        found = [
            (answer, text)
            for answer, text in self.rows
            if answer == typed
            or all(word in f"{text} {self.spelt.get(answer, '')}".casefold() for word in words)
            or (_goes_on(answer) and typed.casefold().startswith(answer.strip().casefold()))
        ]
        shown = self.query_one("#options", OptionList)
        shown.clear_options()
        shown.add_options(
            [
                Row(f"{'' if answer == text or _goes_on(answer) else answer:>3}  {text}{self._spelling(answer)}")
                for answer, text in found[:_MOST_ROWS]
            ]
        )
        self.listed = found[:_MOST_ROWS]
        self.chosen = False
        if self.listed:
            shown.highlighted = 0

    def _spelling(self, answer: str) -> str:
        return f" ({self.spelt[answer]})" if answer in self.spelt else ""

    def ask(self, prompt: str) -> None:
        if self.face.left:
            self.face.answers.put(None)
            return
        self.asked = True
        line = self.query_one("#line", Input)
        line.value, line.placeholder = "", prompt

    # ----------------------------------------------------------------------------------- what is typed

    def on_input_changed(self, event: Input.Changed) -> None:
        self._list(event.value.strip())
        self._open(self.asked and bool(event.value.strip()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.done:
            self.exit()
        elif not self.asked:
            hurry()
        elif event.value.strip() or not self.chosen:
            self._answer(event.value.strip())
        else:
            self._answer(self._highlighted())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.asked and event.option_index < len(self.listed):
            self._answer(self.listed[event.option_index][0])

    def on_key(self, event: Key) -> None:
        if event.key not in ("up", "down", "tab"):
            return
        event.prevent_default()
        event.stop()
        shown = self.query_one("#options", OptionList)
        if event.key == "tab":
            if self.listed:
                line = self.query_one("#line", Input)
                answer, text = self.listed[shown.highlighted or 0]
                line.value = answer if _goes_on(answer) else text
                line.cursor_position = len(line.value)
            return
        if self.chosen:
            shown.action_cursor_up() if event.key == "up" else shown.action_cursor_down()
        self.chosen = bool(self.listed)
        self._open(self.chosen)

    def _highlighted(self) -> str:
        shown = self.query_one("#options", OptionList)
        return self.listed[shown.highlighted][0] if shown.highlighted is not None and self.listed else ""

    def _answer(self, text: str) -> None:
        if _goes_on(text):  # a number is still to be typed
            line = self.query_one("#line", Input)
            line.value, line.cursor_position = text, len(text)
            line.focus()
            return
        self.asked = False
        self.query_one("#line", Input).value = ""
        self.face.answers.put(text)

    # -------------------------------------------------------------------------------------------- leaving

    def action_leave(self) -> None:
        """Leaves where somebody is asked; in the midst of the rules it stops them, as Ctrl-C does elsewhere."""
        self.face.left = True
        if self.done:
            self.exit()
        elif self.asked:
            self.asked = False
            self.face.answers.put(None)
        elif not self.face.talking and self.worker is not None and self.worker.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.worker.ident), ctypes.py_object(KeyboardInterrupt)
            )

    def action_page(self, way: int) -> None:
        """Scrolls what is longer than its part of the screen: an answer, else the table, else the log."""
        for name in ("#said", "#table", "#log", "#late"):
            part = self.query_one(name, VerticalScroll)
            if part.display and part.size.height and part.max_scroll_y > 0:
                part.scroll_page_up(animate=False) if way < 0 else part.scroll_page_down(animate=False)
                return


def _goes_on(answer: str) -> bool:
    """Whether this is only the beginning of an answer."""
    return answer.endswith(" ")


class LiveFace(Face):
    """What a session shows and asks, on a live screen. It is used in the thread of the session."""

    live = True

    def __init__(self, app: Live) -> None:
        self.app = app
        self.answers: SimpleQueue[str | None] = SimpleQueue()
        self.said: list[str] = []  # since the last question; the last of it stays when the screen is left
        self.left = False  # set where the person leaves: whatever is asked next is not asked any more
        self.talking = False  # while something is shown or asked, so no rule is being worked out
        self.long = False  # whether the table is longer than what is in sight of it
        self.options = 0  # that were listed last
        self.more = False  # whether something is left out of it
        self.listed = 0  # rows of options that are in sight, or would be
        self.log_room = (0, 0)  # columns and lines of the log
        self.newest = False  # whether the end of what was said is seen first

    def _do(self, what: Callable[..., Any], *arguments: Any) -> Any:
        self.talking = True
        try:
            return self.app.call_from_thread(what, *arguments)
        finally:
            self.talking = False

    def write(self, text: str) -> None:
        if text == CLEAR:
            self.said.clear()
            self._do(self.app.forget)
        else:
            self.said.append(text)

    def read(self, prompt: str) -> str:
        self._do(self.app.show_said, "\n".join(self.said).strip("\n"), self.newest)
        self.said.clear()
        self.newest = False
        self._do(self.app.ask, prompt.strip())
        typed = self.answers.get()
        if typed is None:
            raise EOFError
        return typed

    def position(self, head: str, text: str, layout: Layout | None = None) -> None:
        layout = layout or whole((self.app.size.width, self.app.size.height), self.options)
        self._do(self.app.show_table, head, text, layout.top if layout is not None else 0)
        lines = text.count("\n") + 1
        self.long = layout is not None and lines > layout.lines
        self.more = layout is not None and layout.more
        if layout is not None:
            self.log_room = layout.log_room(lines)
            self._do(self.app.lay_out, layout, lines)
        if self.listed:  # a command shows a table without asking anew
            self._do(self.app.show_hint, self._hint())

    def _hint(self) -> str:
        key = "live_hint_long" if self.long else "live_hint_more" if self.more else "live_hint"
        return say(key, self.app.language, n=self.listed)

    def news(self, title: str, lines: Sequence[str]) -> None:
        """All of the log that is in sight: lines that were taken back are gone."""
        self._do(self.app.show_log, lines)

    def menu(self, menu: Menu) -> None:
        self.listed = len(menu.rows)
        self._do(self.app.show_menu, self._hint(), menu.rows, menu.spelt)

    def in_sight(self, lines: Sequence[str]) -> bool:
        wide, high = self.log_room
        return sum(-(-max(1, columns(line)) // max(1, wide)) for line in lines) <= high

    def newest_first_in_sight(self) -> None:
        self.newest = True

    @contextmanager
    def thinking(self, text: str) -> Iterator[None]:
        with waiting(lambda: self._wait(text), terminal=False):
            yield

    def _wait(self, text: str) -> None:
        """What was answered before is over."""
        self.listed = 0
        self._do(self.app.show_said, "")
        self._do(self.app.show_menu, text, [])

    def layouts(self, options: int | None) -> Sequence[Layout]:
        self.options = self.options if options is None else options
        size = self.app.size
        return layouts((size.width, size.height), self.options)


def run(work: Callable[[Face], None], language: str) -> None:
    """Does something on a live screen; what was written last stays on the terminal when it is left."""
    app = Live(work, language)
    app.run(mouse=True)
    for text in app.face.said:
        print(text)
    if app.problem is not None:
        raise app.problem


__all__ = ["Live", "LiveFace", "run"]
