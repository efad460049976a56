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
from textwrap import wrap
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
from .fitting import AROUND, Layout, layouts, whole
from .waiting import waiting
from .words import CLEAR, REDRAW, say

_FEWEST = 2  # options that are in sight at any time
_LOOKED = 6  # options in sight while somebody goes through them, even if the table then scrolls
_READ = 4  # of an answer that stay in sight of an answer beside them
_ANSWER = 6  # lines of an answer with its frame, even if the table then scrolls
_WORTH = 2  # lines of a log that are worth showing
_CUT = 3  # a part of what the log shows may stay empty, so that it begins where something begins
_MOST_ROWS = 300  # options that are listed at a time


class Log(VerticalScroll):
    """What happened. Its lines are broken anew whenever its width changes, so none is cut or left narrow."""

    lines: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def on_mount(self) -> None:
        self.can_focus = False

    def on_resize(self) -> None:
        self.call_after_refresh(self._write)  # it stays in sight when the lines below it need more room

    def show(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._write()

    def _write(self) -> None:
        size = self.scrollable_content_region
        self.query_one(Static).update("\n".join(from_a_beginning(self.lines, size.width, size.height)))
        self.call_after_refresh(self.scroll_end, animate=False)


def from_a_beginning(told: Sequence[str], width: int, height: int) -> list[str]:
    """What happened, in lines of which the last ones are in sight: they begin where something begins, if they can."""
    if width <= _CUT:
        return list(told)
    lines = [(part, not at) for text in told for at, part in enumerate(_broken(text, width))]
    top = max(0, len(lines) - height)
    more = next((at for at, (_, begins) in enumerate(lines[top:]) if begins), 0)
    return [line for line, _ in lines] + [""] * (more if top and more * _CUT <= height else 0)


def _broken(text: str, width: int) -> list[str]:
    return wrap(text, width, subsequent_indent="  ", break_on_hyphens=False) or [""]


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
    #said { height: auto; display: none; padding: 0 1; border-top: solid $accent; }
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
    #said { border-title-align: left; }
    Log { scrollbar-gutter: stable; }
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
        self.few: list[tuple[str, str]] = []  # the options that an answer is about
        self.said_lines = 0  # of the answer to a command
        self.shared: Layout | None = None
        self.table_lines = 0
        self.looking = False  # whether somebody goes through the options

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
        self.rows, self.few = [], []
        self._list("")
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
        self.shared, self.table_lines = layout, min(table, layout.lines)
        self._open(False)

    def _open(self, looking: bool) -> None:
        """While somebody types or goes through the options, these have all that the table leaves."""
        self.looking = looking
        self.screen.set_class(looking, "looking")  # a log beside them would cut long ones short
        self._share()

    def _share(self) -> None:
        """The lines of the options and of an answer: whatever they need, the table and what is asked stay in sight."""
        layout, listed = self.shared, len(self.listed)
        if layout is None:
            return
        left = self.size.height - AROUND - self.table_lines  # for the log below the table, an answer, and options
        usual = layout.option_lines(self.table_lines)
        options = max(usual, min(listed, max(left, _LOOKED))) if self.looking else usual
        answer = self.said_lines + 1 if self.said_lines else 0
        if answer:
            fewest = min(listed, _READ if self.looking else _FEWEST)
            options = max(fewest, min(options, left - answer))
            answer = min(answer, max(left - options, _ANSWER))
            self.query_one("#said").styles.max_height = answer
        self.query_one("#options").styles.max_height = max(1, options)
        shown = min(options, max(listed, layout.log == "late"))
        self.screen.set_class(bool(answer) and left - answer - shown <= _WORTH, "answering")

    # ----------------------------------------------------------------------------------- what is shown

    def show_table(self, head: str, text: str, top: int = 0) -> None:
        self.query_one("#head", Static).update(Text.from_ansi(head))
        self.query_one("#picture", Static).update(Text.from_ansi(text))
        table = self.query_one("#table", VerticalScroll)
        table.scroll_to(y=top, animate=False) if top else table.scroll_home(animate=False)

    def show_log(self, lines: Sequence[str]) -> None:
        for log in self.query(Log):
            log.show(lines)

    def show_said(self, text: str, title: str = "", end: bool = False) -> None:
        """The answer to a command, or why something was not done; gone when something is done."""
        self.query_one("#answer", Static).update(Text.from_ansi(text))
        self.said_lines = text.count("\n") + 1 if text else 0
        said = self.query_one("#said", VerticalScroll)
        said.border_title = Text(f" {title} ") if title else None
        said.display = bool(text)
        self._share()
        if end:
            self.call_after_refresh(said.scroll_end, animate=False)
        else:
            said.scroll_home(animate=False)

    def show_few(self, rows: Sequence[tuple[str, str]], hint: str) -> None:
        """The options that an answer is about, until something else is typed."""
        self.few = list(rows)
        self.show_hint(hint)
        self._list("")
        self._open(True)

    def forget(self) -> None:
        """Nothing is left of what the person before has seen."""
        self.show_log([])
        self.show_table("", "")
        self.show_menu("", [])
        self.show_said("")

    def show_menu(self, hint: str, rows: Sequence[tuple[str, str]], spelt: Mapping[str, str] | None = None) -> None:
        self.rows, self.spelt, self.few = list(rows), spelt or {}, []
        self.show_hint(hint)
        self._list("")

    def show_hint(self, hint: str) -> None:
        self.query_one("#hint", Static).update(hint)

    def _list(self, typed: str) -> None:
        """The options in which every typed word stands somewhere."""
        words = typed.casefold().split()
        found = [
            (answer, text)
            for answer, text in (self.rows if words else self.few or self.rows)
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
        self._open(self.asked and bool(event.value.strip() or self.few))

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
        self.few = []
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
        self.title = ""  # of what was said, where its end is seen first

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
        self._do(self.app.show_said, "\n".join(self.said).strip("\n"), self.title, bool(self.title))
        self.said.clear()
        self.title = ""
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

    def tale(self, title: str, lines: Sequence[str]) -> None:
        """The end of it is seen first."""
        self.title = title
        self.said += lines

    def few(self, rows: Sequence[tuple[str, str]]) -> bool:
        hint = say("live_hint_few", self.app.language, n=len(rows), all=self.listed)
        self._do(self.app.show_few, rows, hint if len(rows) < self.listed else self._hint())
        return True

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


__all__ = ["Live", "LiveFace", "from_a_beginning", "run"]
