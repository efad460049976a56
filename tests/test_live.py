"""The live screen: what it shows at every size, and what keys and the mouse do on it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import random
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from screens import DICE, FEW, LANGUAGES, OPTIONS, QUESTIONS, SIZES, TAME, Person, Tame
from test_play import until

import ruledsl
from games import NAMES, PATHS, ROOT, load
from ruledsl.bots.hurry import hurried, take_time
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime.play import Play

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from ruledsl.cli.terminal.live import Live, LiveFace, Log, from_a_beginning

Golden = Callable[[str, Path], None]
KEPT = ["fjords", "fortress", "holdem", "backgammon", "chess", "go", "court-intrigue", "gem-traders"]
Acts = Callable[[Live, "Pilot[Any]"], Awaitable[None]]
TIC_TAC_TOE = ROOT / "examples/tic-tac-toe.yaml"


def on_screen(app: Live) -> str:
    """All that stands on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def ready(app: Live, pilot: Pilot[Any]) -> None:
    """Until somebody is asked, or the play has ended."""
    for _ in range(2000):
        await pilot.pause(0.01)
        if app.asked or app.done:
            await pilot.pause(0.05)
            for _ in range(100):
                if all(log.scroll_offset.y >= log.max_scroll_y for log in app.query(Log) if log.size.height):
                    return
                await pilot.pause(0.01)
            raise AssertionError("the end of the log is not in sight")
    raise AssertionError("nobody was asked")


async def type_in(app: Live, pilot: Pilot[Any], text: str) -> None:
    app.query_one("#line", Input).value = text
    await pilot.pause()
    await pilot.press("enter")
    await ready(app, pilot)


def sit(
    play: Play, acts: Acts, size: tuple[int, int] = (80, 24), people: int = 1, most: int = 10_000, **settings: Any
) -> Live:
    """Sits down at a live screen and does something there."""
    seats = [None if seat < people else Tame(most) for seat in range(len(play.players))]

    def session(face: LiveFace) -> None:
        Session(play, seats, Settings(**settings), face).run()

    app = Live(session, settings.get("language", "en"))

    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await ready(app, pilot)
            await acts(app, pilot)
            if app.asked:
                await pilot.press("ctrl+c")
            await pilot.pause(0.05)

    asyncio.run(go())
    if app.worker is not None:
        app.worker.join(10)
    return app


@pytest.mark.parametrize("game", KEPT)
def test_live_screens(game: str, golden: Golden) -> None:
    """Ten turns are typed, at each size and in each language; the screen is kept half way and at the end."""
    parts = []
    for size, language in product(SIZES, LANGUAGES):
        most = TAME.get(game, 10_000)
        play = load(PATHS[NAMES.index(game)]).start(seed=2, options=OPTIONS.get(game))
        person = Person(play, most, FEW.get(game, QUESTIONS), dice=random.Random(DICE.get(game, 5)))
        seen: list[str] = []

        async def acts(app: Live, pilot: Pilot[Any], person: Person = person, seen: list[str] = seen) -> None:
            with suppress(EOFError):
                while not app.done:
                    seen.append(on_screen(app))
                    await type_in(app, pilot, person.read(""))
            if app.done:
                seen.append(on_screen(app))

        sit(play, acts, size, most=most, language=language)
        for number in (len(seen) // 2, len(seen) - 1):
            title = f"{size[0]} x {size[1]}, {language}, question {number + 1}"
            parts.append(f"===== {title}\n{seen[number]}\n")
    golden("\n".join(parts), ROOT / "tests/screens" / f"live-{game}.txt")


def test_a_long_log_is_read_from_its_end() -> None:
    """Its newest line is in sight where not all of them are; other answers are read from their beginning."""
    seen = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        for _ in range(20):
            await type_in(app, pilot, app.rows[-1][0])
        for command in ("log", "help"):
            await type_in(app, pilot, command)
            await pilot.pause(0.1)
            seen.append(on_screen(app))

    play = load(PATHS[NAMES.index("go")]).start(seed=1)
    sit(play, acts, people=2)
    log, help_ = seen
    assert log.count("The game so far") == 1
    assert "black: place at j9" not in log
    assert plain_line(play.lines()[-1]) in log
    assert "Type the number of an option" in help_


def test_what_went_by_without_a_choice_can_be_read() -> None:
    """It is more than the log has room for: the newest of it is seen first, and then it gives way."""
    seen = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        seen.append(on_screen(app))
        await pilot.press("pageup", "pageup", "pageup")
        seen.append(on_screen(app))
        await type_in(app, pilot, "attack fort 3")
        seen.append(on_screen(app))

    play = load(PATHS[NAMES.index("fortress")]).start(seed=2)
    sit(play, acts)
    assert "What happened while you had no choice" in seen[0]
    assert "a rule: basic rules" in seen[1]
    assert "What happened" not in seen[2]


def plain_line(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text).strip()


def test_typing_searches_and_tab_completes() -> None:
    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        assert app.query_one("#options", OptionList).option_count == 9
        await pilot.press("2")
        assert [text for _, text in app.listed] == ["place at b1", "place at a2", "place at b2", "place at c2"]
        await pilot.press("backspace", "c", "2", "tab")
        assert app.query_one("#line", Input).value == "place at c2"
        await pilot.press("enter")
        await ready(app, pilot)

    play = ruledsl.load(TIC_TAC_TOE).start()
    sit(play, acts)
    assert play.decisions[0].text == "cell=c2"


def test_moves_are_listed_and_found_in_the_manner_of_the_game() -> None:
    seen = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        seen.append(on_screen(app))
        await pilot.press("n", "f", "3")
        seen.append(on_screen(app))
        await pilot.press("+", "enter")
        await ready(app, pilot)
        seen.append(on_screen(app))

    play = load(PATHS[NAMES.index("chess")]).start(seed=1)
    sit(play, acts, people=2)
    assert "3  knight g1-f3 (Nf3)" in seen[0]
    assert seen[1].count("knight") == 1
    assert "knight b8-a6 (Na6)" in seen[2]


def test_arrows_and_enter_choose() -> None:
    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await pilot.press("enter")  # nothing was gone to: nothing is done
        await pilot.press("down", "down", "down", "up", "enter")
        await ready(app, pilot)

    play = ruledsl.load(TIC_TAC_TOE).start()
    sit(play, acts)
    assert play.decisions[0].text == "cell=b1"


def test_options_have_room_while_somebody_looks_through_them() -> None:
    """Where a large table leaves them few lines, the arrows and what is typed open the list; then it closes again."""
    lines = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        for keys in ((), ("down",), ("down", "down"), ("i",), ("backspace",)):
            await pilot.press(*keys)
            await pilot.pause(0.05)
            lines.append(app.query_one("#options").size.height)

    sit(load(PATHS[NAMES.index("bastion")]).start(players=2, seed=4), acts, language="en")
    closed, opened, further, searched, again = lines
    assert closed == again <= 4
    assert opened == further >= 6
    assert searched >= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_much_on_a_small_screen_is_written_briefly_and_needs_no_scrolling(language: str) -> None:
    seen = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        for _ in range(6):
            seen.append(on_screen(app))
            assert app.query_one("#table").max_scroll_y == 0, on_screen(app)
            await type_in(app, pilot, "1")

    play = load(PATHS[NAMES.index("gem-traders")]).start(seed=3)
    sit(play, acts, language=language)
    assert ("4G" if language == "en" else "4З") in "".join(seen)  # gold in the supply as a sign


def test_page_keys_scroll_a_long_answer_and_then_the_log() -> None:
    seen = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await type_in(app, pilot, "help")
        seen.append(on_screen(app))
        await pilot.press("pagedown", "pagedown", "pagedown")
        seen.append(on_screen(app))
        for _ in range(20):
            await type_in(app, pilot, "1")
        seen.append(on_screen(app))
        await pilot.press(*["pageup"] * 9)
        seen.append(on_screen(app))

    sit(load(PATHS[NAMES.index("chess")]).start(seed=3), acts, size=(80, 20))
    assert "leave" not in seen[0]
    assert "leave" in seen[1]
    assert "white: knight b1-a3" not in seen[2]
    assert "white: knight b1-a3" in seen[3]


def test_the_log_is_broken_at_the_width_that_it_has() -> None:
    """However often it changes its place: no line is cut, and none is broken early."""

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        log = app.query_one("#log", Log)
        app.show_log(["word " * 30])
        for width in (30, 60, 20):
            log.styles.width = width
            await pilot.pause(0.1)
            lines = [line.partition("│ ")[2].rstrip() for line in on_screen(app).splitlines() if "word" in line]
            assert " ".join(lines).split() == ["word"] * 30
            assert [line.startswith("  ") for line in lines] == [False] + [True] * (len(lines) - 1)
            assert all(width - 10 <= len(line) <= width for line in lines[:-1]), lines

    sit(ruledsl.load(TIC_TAC_TOE).start(), acts, size=(100, 40))


def test_a_range_of_numbers_is_one_row_to_go_on_from() -> None:
    shown = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        shown.append(on_screen(app))
        await pilot.press("down", "down", "down", "enter")
        assert app.query_one("#line", Input).value == "raise to "
        for key in "120":
            await pilot.press(key)
        await pilot.press("enter")
        await ready(app, pilot)
        shown.append(on_screen(app))

    play = load(PATHS[NAMES.index("holdem")]).start(seed=5)
    sit(play, acts)
    assert "raise to 40–" in shown[0]
    assert "3 options" in shown[0]
    assert "raise to 41" not in shown[0]
    assert "player 1: raise to 120" in shown[1]


def test_after_a_hint_the_options_are_there_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruledsl.cli.terminal.waiting.PATIENCE", 0.0)
    shown = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await type_in(app, pilot, "hint")
        shown.append(on_screen(app))
        assert app.query_one("#options", OptionList).option_count == 9

    sit(ruledsl.load(TIC_TAC_TOE).start(), acts, waits=True)
    assert "Expected result" in shown[0]
    assert "Looking for" not in shown[0]
    assert "place at a1" in shown[0]


def test_a_click_chooses() -> None:
    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await pilot.click("#options", offset=(6, 3))
        await ready(app, pilot)

    play = ruledsl.load(TIC_TAC_TOE).start()
    sit(play, acts)
    assert play.decisions[0].text == "cell=a2"


def test_what_is_not_offered_is_told_and_gone_with_the_next_answer() -> None:
    shown = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        for text in ("d9", "help", "b2", "undo"):
            await type_in(app, pilot, text)
            shown.append(on_screen(app))

    play = ruledsl.load(TIC_TAC_TOE).start()
    sit(play, acts)
    assert "`d9` is not an option now" in shown[0]
    assert "take back your last decision" in shown[1]
    assert "take back" not in shown[2]
    assert "cross: place at b2" in shown[2]
    assert "Taken back: cross: place at b2" in shown[3]
    assert "place at b2" not in "\n".join(line[50:] for line in shown[3].splitlines())  # it is no longer in the log


def test_another_size_is_drawn_anew() -> None:
    shown = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await pilot.resize_terminal(100, 40)
        await pilot.pause(0.2)
        await ready(app, pilot)
        shown.append(on_screen(app))

    sit(load(PATHS[NAMES.index("fjords")]).start(seed=3), acts)
    assert len(shown[0].splitlines()) == 40
    assert "play white" in shown[0]


def test_nothing_is_left_for_the_next_person() -> None:
    shown = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        shown.append(on_screen(app))
        await type_in(app, pilot, "")
        shown.append(on_screen(app))
        await type_in(app, pilot, "lay three")
        shown.append(on_screen(app))

    sit(ruledsl.load(ROOT / "tests/play/high-card.yaml").start(seed=1), acts, people=2, secret=True)
    assert "Hand the terminal to ann" in shown[0]
    assert "hand: three, four" in shown[1]
    assert "three" not in shown[2].replace("1  lay three", "")


def test_at_the_end_the_last_of_the_log_is_in_sight() -> None:
    shown = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await type_in(app, pilot, "call")
        shown.append(on_screen(app))

    play = load(PATHS[NAMES.index("holdem")]).start(seed=5, options={"chips": 20})
    sit(play, acts)
    assert "The game is over" in shown[0]
    assert "gets 40 chips" in shown[0]


def test_leaving_and_mistakes_end_the_screen() -> None:
    async def nothing(app: Live, pilot: Pilot[Any]) -> None:
        pass

    app = sit(ruledsl.load(TIC_TAC_TOE).start(), nothing)
    assert app.face.left
    assert app.problem is None

    def work(face: LiveFace) -> None:
        raise ValueError("a slip")

    async def go() -> Live:
        broken = Live(work, "en")
        async with broken.run_test() as pilot:
            for _ in range(100):
                await pilot.pause(0.01)
                if broken.problem is not None:
                    break
        return broken

    assert str(asyncio.run(go()).problem) == "a slip"


def test_leaving_holds_wherever_the_screen_is() -> None:
    """Ctrl-C may come between what is shown and what is asked."""
    play = ruledsl.load(TIC_TAC_TOE).start()

    def work(face: LiveFace) -> None:
        Session(play.copy(), [None, None], Settings(), face).run()

    async def go(leave_at: str) -> Live:
        app = Live(work, "en")
        real = getattr(app, leave_at)

        def leaving(*arguments: Any) -> None:
            real(*arguments)
            app.action_leave()

        setattr(app, leave_at, leaving)
        async with app.run_test() as pilot:
            for _ in range(500):
                await pilot.pause(0.01)
                if app.done:
                    break
        return app

    for leave_at in ("show_table", "show_menu", "show_log", "show_said", "ask"):
        app = asyncio.run(go(leave_at))
        assert (app.done, app.problem) == (True, None), leave_at


def test_enter_hurries_a_bot() -> None:
    def work(face: LiveFace) -> None:
        with face.thinking("the bot is thinking"):
            for _ in range(600):
                if hurried():
                    break
                time.sleep(0.02)
            face.write("hurried" if hurried() else "never")
        face.read("> ")

    async def go() -> str:
        app = Live(work, "en")
        async with app.run_test() as pilot:
            await pilot.pause(0.8)
            assert "the bot is thinking" in on_screen(app)
            await pilot.press("enter")
            await ready(app, pilot)
            found = on_screen(app)
            await pilot.press("ctrl+c")
        return found

    try:
        assert "hurried" in asyncio.run(go())
    finally:
        take_time()


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_real_terminal_is_left_as_it_was() -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    for name in ("COLUMNS", "LINES", "NO_COLOR"):
        env.pop(name, None)
    words = [sys.executable, "-m", "ruledsl", "play", "tic-tac-toe", "--seed", "1"]
    with subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=ROOT, close_fds=True) as process:
        os.close(slave)
        try:
            out = until(master, "place at c1")
            os.write(master, b"\x03")
            out += until(master, "(all of it)")
            assert process.wait(20) == 0
        finally:
            process.kill()
    os.close(master)
    assert out.count("\x1b[?1049h") == out.count("\x1b[?1049l") == 1
    assert "`--save FILE`" in out.partition("\x1b[?1049l")[2]
    assert "Traceback" not in out


@pytest.mark.parametrize("game", KEPT)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_leaves_in_sight_the_table_and_where_one_types(game: str, language: str) -> None:
    """Whatever is answered scrolls by itself: a table that leaves room for a few of its lines stays whole."""

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        lines = app.query_one("#picture").size.height
        for command in ("help", "options", "log", "rules", "why", "a", "hint", "nonsense of no game"):
            await type_in(app, pilot, command)
            line = app.query_one("#line", Input)
            assert 0 <= line.region.y < app.size.height, f"{command}\n{on_screen(app)}"
            assert line.region.height == 1
            room = app.size.height - 3 - 2 - 6
            assert app.query_one("#table").size.height >= min(lines, room), f"{command}\n{on_screen(app)}"
            assert app.query_one("#options").size.height >= min(2, len(app.listed))

    sit(load(PATHS[NAMES.index(game)]).start(seed=3), acts, language=language)


def test_options_that_an_answer_is_about_stand_where_options_stand() -> None:
    """The board of Go stays whole above them; what is typed next is searched among all again."""
    seen = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        await type_in(app, pilot, "e")
        seen.append((on_screen(app), len(app.listed)))
        await pilot.press("c", "5")
        seen.append((on_screen(app), len(app.listed)))
        await pilot.press("enter")
        await ready(app, pilot)

    play = load(PATHS[NAMES.index("go")]).start(seed=1)
    sit(play, acts, people=2)
    (few, number), (found, one) = seen
    assert one == 1
    assert number > 1
    assert all(f"\n {row} ." in few and f"\n {row} ." in found for row in range(1, 10))
    assert "match" in few
    assert play.decisions[0].text == "p=c5"


def test_a_log_begins_where_something_begins() -> None:
    told = ["one", "two words that need three lines here", "three"]
    assert from_a_beginning(told, 14, 9) == ["one", "two words that", "  need three", "  lines here", "three"]
    assert from_a_beginning(told, 14, 3)[-3:] == ["  need three", "  lines here", "three"]  # else it were empty
    assert from_a_beginning([*told, "four"], 14, 3)[-3:] == ["three", "four", ""]


def test_what_is_about_no_space_comes_first_in_a_long_list() -> None:
    """Nobody goes through 81 squares to find `pass`; its number is that of the list all the same."""
    rows = []

    async def acts(app: Live, pilot: Pilot[Any]) -> None:
        rows.extend(app.rows)

    sit(load(PATHS[NAMES.index("go")]).start(seed=1), acts)
    assert rows[0] == ("82", "pass")
    assert rows[1] == ("1", "place at a1")
