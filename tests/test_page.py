"""The page of `ruledsl serve`, in a real browser: played to the end by clicking, looked at, searched for secrets."""

from __future__ import annotations

import re
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import CUT, DESKTOP, PHONE, Browser, Serve, serving
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

STATIC = Path(__file__).resolve().parent.parent / "ruledsl/web/static"
SMALL = ["tic-tac-toe", "rock-paper-scissors", "connect-four"]
MOST_CLICKS = 3_000
LOOKED_AT = 60  # clicks after which the page is looked at again
SHORTER: dict[str, dict[str, Any]] = {"holdem": {"hands": 4}}  # else it goes on until one has all
PATIENT = 240.0  # seconds in which on no page anything can be clicked
MOST_BYTES = 300_000
SIZES = {"desktop": DESKTOP, "phone": PHONE}

# At poker: goes along with what the others bet.
FOLLOW = """
const buttons = [...document.querySelectorAll("#options button")];
buttons.find((button) => /call|check/.test(button.textContent)).click();
"""


def _goes_on(page: Browser, lines: int) -> bool:
    return len(page.log()) > lines


def _goes_on_with(page: Browser, *heads: str) -> bool:
    return page.text("ask").startswith(heads)


def fewest(name: str) -> int:
    path = shipped.find_game(name)
    assert path is not None
    return max(1, Game(load_blueprint(path)).players[0])


def played(
    browser: Browser, address: str, count: int, size: tuple[int, int], options: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A play of so many people, each at their own page, clicked to its end."""
    browser.resize(size)
    links = browser.begin(address, *["me"] * count, language="en", options=options or {})["seats"]
    home = browser.driver.current_window_handle
    windows: list[str] = []
    for link in dict.fromkeys(links):
        browser.driver.switch_to.new_window("tab")
        browser.resize(size)
        browser.open(address + link)
        windows.append(browser.driver.current_window_handle)
    clicks, moved, found, cut = 0, time.monotonic(), {"over": False}, set()
    try:
        while not found["over"] and clicks < MOST_CLICKS:
            before = clicks
            for window in windows:
                browser.driver.switch_to.window(window)
                found = browser.play(clicks + 1, LOOKED_AT)
                clicks += found["clicks"]
                assert not found["covered"], found
                cut.update(browser.ask(CUT))
                if found["over"]:
                    break
            moved = time.monotonic() if clicks > before else moved
            assert time.monotonic() < moved + PATIENT, browser.ask("return document.getElementById('ask').innerText")
        return {**found, "clicks": clicks, "cut": cut, "complaints": browser.complaints()}
    finally:
        for window in windows:
            browser.driver.switch_to.window(window)
            browser.driver.close()
        browser.driver.switch_to.window(home)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SMALL)
def test_a_small_game_is_played_to_the_end_by_clicking(name: str, size: str, browser: Browser, serve: Serve) -> None:
    found = played(browser, serve(name), fewest(name), SIZES[size], SHORTER.get(name))
    assert found["over"]
    assert not found["complaints"]
    assert not found["cut"]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [name for name in shipped.names() if name not in SMALL])
def test_every_game_is_played_by_clicking(name: str, size: str, browser: Browser, serve: Serve) -> None:
    found = played(browser, serve(name), fewest(name), SIZES[size], SHORTER.get(name))
    assert found["over"]
    assert not found["complaints"]
    assert not found["cut"]


def test_a_keyboard_is_enough(browser: Browser, serve: Serve) -> None:
    """Digits, the arrows, Enter, `/` and `u`; and a real click of the mouse."""
    address = serve("tic-tac-toe")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    assert browser.ask("return document.querySelectorAll('svg .lit[tabindex=\"0\"][role=button]').length") == 9
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP)
    focused = browser.ask("return document.activeElement.getAttribute('aria-label')")
    browser.press(Keys.ENTER)
    browser.until(lambda: "cross" in browser.text("log"), "the line of the log")
    assert browser.ask("return document.querySelectorAll('svg .lit').length") == 8
    label = browser.ask(f"return document.querySelector('[data-place$=\":{focused}\"]').getAttribute('aria-label')")
    assert label == f"{focused}: mark (cross)"
    browser.until(lambda: browser.ask("return !document.getElementById('undo').disabled"), "undo")
    browser.press("u")
    browser.until(
        lambda: browser.ask("return document.querySelectorAll('svg .lit').length") == 9, "the move taken back"
    )
    browser.driver.find_element("css selector", "[data-place='s:board:b2']").click()
    browser.until(lambda: browser.ask("return document.querySelectorAll('svg .lit').length") == 8, "the click")
    assert not browser.complaints()


def test_steps_are_chosen_one_by_one_and_let_go(browser: Browser, serve: Serve) -> None:
    address = serve("chess")
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    place = "[data-place='s:board:{}']"
    lit = "return [...document.querySelectorAll('.lit')].map((one) => one.dataset.place.slice(8)).sort()"
    assert browser.ask(lit) == sorted([f"{file}2" for file in "abcdefgh"] + ["b1", "g1"])
    browser.driver.find_element("css selector", place.format("e2")).click()
    assert browser.ask(lit) == ["e3", "e4"]
    browser.press(Keys.ESCAPE)
    assert "b1" in browser.ask(lit)
    browser.driver.find_element("css selector", place.format("b1")).click()
    assert browser.ask(lit) == ["a3", "c3"]
    browser.driver.find_element("css selector", place.format("c3")).click()
    browser.until(lambda: "b1-c3" in browser.text("log"), "the knight's move")
    browser.driver.find_element("id", "search").send_keys("e5")
    assert browser.ask("return document.querySelectorAll('#options button.option').length") == 1
    browser.press("x")
    browser.driver.find_element("css selector", "#options .more button").click()
    browser.until(lambda: browser.ask("return document.querySelector('#said .answer')?.innerText"), "the answer")


def test_a_piece_is_dragged_to_where_it_goes(browser: Browser, serve: Serve) -> None:
    address = serve("chess")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    one, other = (
        browser.driver.find_element("css selector", f"[data-place='s:board:{name}']") for name in ("d2", "d4")
    )
    ActionChains(browser.driver).drag_and_drop(one, other).perform()
    browser.until(lambda: "d2-d4" in " ".join(browser.log()), "the pawn's move")
    assert not browser.complaints()


def test_a_tile_is_turned_before_it_is_laid(browser: Browser, serve: Serve) -> None:
    address = serve("fjords")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    turns = """
        const buttons = document.querySelectorAll("#options button.option");
        return buttons.length > 1 && !!document.querySelector("#options .shown");"""
    seeds = count(4)
    idle = "return !document.body.classList.contains('busy')"
    while not (browser.until(lambda: browser.ask(idle)) and browser.ask(turns)):
        assert browser.play(next(seeds), 1)["clicks"] or next(seeds) < 1_000
    shown = "return document.querySelector('#options button.option.shown').dataset.option"
    first = browser.ask(shown)
    browser.press("r")
    second = browser.ask(shown)
    assert first != second
    wheel = "new WheelEvent('wheel', {deltaY: -1, bubbles: true, cancelable: true})"
    browser.ask(f"document.getElementById('boards').dispatchEvent({wheel})")
    assert browser.ask(shown) == first
    before = len(browser.log())
    browser.ask("document.querySelector('.ghost').parentNode.dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.until(lambda: len(browser.log()) > before, "the tile that was laid")
    assert not browser.complaints()


def test_a_space_lights_up_though_the_piece_comes_from_a_stock(browser: Browser, serve: Serve) -> None:
    """The stock is only a number on the page; what is taken from it cannot be taken hold of."""
    address = serve("fjords")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    seeds = count(3)
    idle = "return !document.body.classList.contains('busy')"
    while not (browser.until(lambda: browser.ask(idle)) and "house on" in browser.text("ask")):
        assert next(seeds) < 1_000
        browser.play(next(seeds), 1)
    assert browser.ask("return document.querySelectorAll('#boards .lit').length") > 0


def test_a_step_of_a_choice_is_taken_back(browser: Browser, serve: Serve) -> None:
    address = serve("fjords")
    browser.resize(PHONE)
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    taken = "return [...document.querySelectorAll('#ask .step')].map((step) => step.textContent)"
    idle = "return !document.body.classList.contains('busy')"
    seeds = count(7)
    while not (browser.until(lambda: browser.ask(idle)) and (steps := browser.ask(taken))):
        assert next(seeds) < 1_000
        browser.play(next(seeds), 1)
    browser.ask("document.querySelector('#ask .step:last-child .x').click()")
    browser.until(lambda: len(browser.ask(taken)) == len(steps) - 1, "one step less")
    assert not browser.complaints()


def went_on(browser: Browser, before: int) -> bool:
    return len(browser.log()) > before


def test_what_moves_is_seen_to_move(browser: Browser, serve: Serve) -> None:
    """Unless the device asks for little motion."""
    address = serve("chess")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    goes = """
        window.went = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, timing) {
          window.went += / -?[1-9]/.test(frames[0].transform ?? "");
          return animate.call(this, frames, timing);
        };"""
    try:
        browser.ask(goes)
        for reduced, moves in ((False, ("e2", "e4")), (True, ("e7", "e5"))):
            browser.motion(reduced)
            before = len(browser.log())
            for name in moves:
                browser.driver.find_element("css selector", f"[data-place='s:board:{name}']").click()
            browser.until(partial(went_on, browser, before), "the move")
            assert browser.ask("return window.went") == 1, "the pawn, the first time"
    finally:
        browser.motion(True)


# The spaces that are otherwise than they were when the seat had decided last, by what the server says of both.
CHANGED = """
    const done = arguments[0];
    const base = `/api/t/${location.pathname.split("/").at(-1)}`;
    const spaces = (data) => {
      const drawn = new DOMParser().parseFromString(data.boards[0].picture, "image/svg+xml");
      const said = (one) => [one.dataset.place, one.getAttribute("aria-label")];
      return new Map([...drawn.querySelectorAll(".place")].map(said));
    };
    (async () => {
      const now = await (await fetch(base)).json();
      const then = spaces(await (await fetch(`${base}/at/${now.since}`)).json());
      done([...spaces(now)].filter(([place, said]) => then.get(place) !== said).map(([place]) => place).sort());
    })();"""


def test_what_the_others_did_since_one_decided_is_marked(browser: Browser, serve: Serve) -> None:
    """All that a bot did in several decisions, not the last of them alone, and nothing that one did oneself. It is
    marked on a page that was opened later, and in the other language, too."""
    address = serve("backgammon")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random", seed=4)["seats"][0])
    marked = "return [...document.querySelectorAll('#boards .place.fresh')].map((one) => one.dataset.place).sort()"
    asked = "return !!document.querySelector('#ask .mine')"
    turns = 0
    for seed in count(1):
        browser.until(lambda: browser.ask(asked), "the turn")
        lines = len(browser.log())
        browser.play(seed, 1)
        browser.idle()
        browser.until(lambda: browser.ask(asked), "the turn")
        changed = browser.driver.execute_async_script(CHANGED)
        assert browser.ask(marked) == changed
        if len(browser.log()) > lines + 3:
            assert changed
            turns += 1
        if turns == 3 or seed > 80:
            break
    assert turns == 3
    for title in ("Короткие нарды", "Backgammon"):
        browser.driver.find_element("id", "language").click()
        browser.until(lambda title=title: browser.text("title") == title, "the other language")  # type: ignore[misc]
        browser.idle()
        assert browser.ask(marked) == changed
    browser.open(browser.driver.current_url)
    assert browser.ask(marked) == changed


def test_what_the_others_did_is_seen_step_by_step(browser: Browser, serve: Serve) -> None:
    """First what one decided oneself, then each decision of a bot; a click goes on to the end at once."""
    address = serve("tic-tac-toe")
    browser.motion(False)
    try:
        browser.open(address + browser.begin(address, "me", "bot:random", seed=4)["seats"][0])
        seen = """
            window.seen = [];
            const look = () => document.querySelectorAll("#boards .disc").length;
            new MutationObserver(() => window.seen.at(-1) !== look() && window.seen.push(look()))
              .observe(document.getElementById("boards"), { childList: true });"""
        browser.ask(seen)
        browser.driver.find_element("css selector", "[data-place='s:board:b2']").click()
        browser.until(lambda: browser.ask("return document.querySelectorAll('#boards .disc').length") == 2, "the reply")
        browser.idle()
        assert browser.ask("return window.seen") == [1, 2]
        assert browser.ask("return document.querySelectorAll('#boards .fresh').length") == 1
    finally:
        browser.motion(True)


def test_a_man_is_moved_to_where_a_die_would_take_it(browser: Browser, serve: Serve) -> None:
    """The option names a man and a die; on the table one points at the man and at where it would go."""
    address = serve("backgammon")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me", seed=2)["seats"][0])
    lit = "return [...document.querySelectorAll('#boards .lit')].map((one) => one.dataset.place)"
    browser.driver.find_element("css selector", f"[data-place='{browser.ask(lit)[-1]}']").click()
    goals = browser.ask(lit)
    assert goals
    assert all(goal.startswith("s:board:") for goal in goals)
    browser.driver.find_element("css selector", f"[data-place='{goals[0]}']").click()
    browser.until(lambda: len(browser.log()) == 2, "the move")
    who, _, move = browser.log()[-1].partition(": ")
    there = int(goals[0].rpartition(":")[2])
    assert move.endswith(f"/{25 - there if who == 'black' else there}"), "each counts the points from the own home"


def test_a_step_is_taken_otherwise_by_a_click(browser: Browser, serve: Serve) -> None:
    """The tile that was chosen stands out; a click on another takes that instead, one on itself takes it back."""
    address = serve("fjords")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random", seed=3)["seats"][0])
    browser.driver.find_element("css selector", "#options button.option").click()  # a colour
    browser.until(lambda: browser.ask("return document.querySelectorAll('#common .item.lit').length") > 1, "the tiles")
    browser.idle()
    steps = "return [...document.querySelectorAll('#ask .step')].map((one) => one.firstChild.textContent)"
    held = "return [...document.querySelectorAll('#common .item.held')].map((one) => one.dataset.name)"
    lit = "return [...document.querySelectorAll('#common .item.lit')].map((one) => one.dataset.name)"
    first, second, *_ = browser.ask(lit)
    for tile, chosen in ((first, [first]), (second, [second]), (second, [])):
        browser.driver.find_element("css selector", f"#common .item[data-name='{tile}']").click()
        browser.until(lambda wanted=chosen: browser.ask(steps) == wanted, "the step")  # type: ignore[misc]
        browser.idle()
        assert browser.ask(held) == chosen
    assert not browser.complaints()


def test_one_castles_by_the_king(browser: Browser, serve: Serve) -> None:
    address = serve("chess")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    for number, move in enumerate(("g1f3", "a7a6", "e2e3", "a6a5", "f1e2", "a5a4", "e1g1"), 1):
        for place in (move[:2], move[2:]):
            browser.driver.find_element("css selector", f"[data-place='s:board:{place}']").click()
        browser.until(lambda n=number: len(browser.log()) == n, "the move")  # type: ignore[misc]
        browser.idle()
    assert browser.log()[-1] == "white: castle on the king's side"


def test_who_sits_across_sees_the_board_from_there(browser: Browser, serve: Serve) -> None:
    address = serve("chess")
    high = """
        const space = (name) => document.querySelector(`[data-place='s:board:${name}']`);
        return arguments[0].map((name) => space(name).getBoundingClientRect().top)"""
    for mine, theirs in ((0, 1), (1, 0)):
        seats = ["bot:random", "bot:random"]
        seats[mine] = "me"
        browser.open(address + browser.begin(address, *seats)["seats"][mine])
        tops = browser.ask(high, ["e1", "e8"])
        assert tops[mine] > tops[theirs]


def test_pictures_of_pieces_are_drawn(browser: Browser, serve: Serve) -> None:
    address = serve("chess")
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    assert browser.ask("return document.querySelectorAll('svg image.picture').length") == 32
    sizes = """
        const done = arguments[0];
        const all = [...document.querySelectorAll("svg image.picture")].map((one) => {
          const image = new Image();
          image.src = one.getAttribute("href");
          return image.decode().then(() => image.naturalWidth, () => 0);
        });
        Promise.all(all).then(done);"""
    assert all(browser.driver.execute_async_script(sizes))
    assert not browser.complaints()


def test_cards_are_drawn_with_their_faces(browser: Browser, serve: Serve) -> None:
    address = serve("holdem")
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    drawn = "return document.querySelectorAll('#own .card .face-corner, #own .card .face-middle').length"
    assert browser.ask(drawn) == 6, "two corners and a middle on each of two"
    assert not browser.complaints()


UNDRAWN = """
return import("/static/outlines.js").then(({ drawOutlines }) => {
  SVGGraphicsElement.prototype.getScreenCTM = () => null;
  drawOutlines();
  return document.querySelectorAll(".outlines").length;
});
"""


def open_who_is_asked(browser: Browser, address: str) -> None:
    """Of two people, the page of the one who is to decide first."""
    links = browser.begin(address, "me", "me")["seats"]
    for link in links:
        browser.open(address + link)
        if browser.ask("return !!document.querySelector('#ask h2.mine')"):
            return
    raise AssertionError("nobody is asked")


def test_what_is_not_possible_now_says_why(browser: Browser, serve: Serve) -> None:
    """Actions that are asked at other times are greyed; a click on one, or on a space that is not lit, asks why."""
    address = serve("holdem")
    browser.resize(DESKTOP)
    open_who_is_asked(browser, address)
    browser.until(lambda: browser.ask("return document.querySelectorAll('.closed').length"), "what is closed")
    closed = browser.driver.find_elements("css selector", ".closed")
    assert [one.text for one in closed] == ["check", "bet"]
    closed[0].click()
    browser.until(lambda: "10 more are needed to stay in" in browser.text("said"), "the reason")


def test_a_space_that_is_not_lit_says_why(browser: Browser, serve: Serve) -> None:
    address = serve("tic-tac-toe")
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    space = browser.driver.find_element("css selector", "[data-place='s:board:b2']")
    space.click()
    browser.until(lambda: len(browser.log()) == 1, "the move")
    browser.idle()
    browser.driver.find_element("css selector", "[data-place='s:board:b2']").click()
    browser.until(lambda: "b2 is not empty" in browser.text("said"), "the reason")
    edges = "return document.querySelectorAll('svg > .outlines:not(:has(~ .place .space)) > .of-lit').length"
    assert browser.ask(edges) == 8, "edges lie above all spaces"
    # A board that is not drawn has no matrix: it is left out, and the page goes on.
    assert browser.ask(UNDRAWN) == 0


def test_a_number_is_typed(browser: Browser, serve: Serve) -> None:
    address = serve("holdem")
    browser.resize(DESKTOP)
    open_who_is_asked(browser, address)
    browser.until(lambda: browser.driver.find_elements("css selector", ".exactly"), "the slider")
    number = browser.driver.find_element("css selector", ".exactly input[type=number]")
    number.send_keys(Keys.CONTROL + "a")
    number.send_keys("7")
    button = browser.driver.find_element("css selector", ".range button")
    assert not button.is_enabled(), "7 is too little"
    assert button.find_element("css selector", "span").text == "a number from 40 to 1500"
    browser.driver.find_element("css selector", "#ask h2").click()
    browser.until(button.is_enabled, "the nearest number there is")
    field = browser.ask("return document.querySelector('.exactly input[type=number]').value")
    assert (field, button.find_element("css selector", "span").text) == ("40", "raise to 40")
    number.send_keys(Keys.CONTROL + "a")
    number.send_keys("137")
    assert button.find_element("css selector", "span").text == "raise to 137"
    assert browser.ask("return document.querySelector('.exactly [type=range]').value") == "97"
    number.send_keys(Keys.ENTER)
    browser.until(lambda: "raise to 137" in " ".join(browser.log()), "what was typed")


def test_the_last_line_of_the_story_is_in_sight(browser: Browser, serve: Serve) -> None:
    """Also where what is asked above it has become taller since."""
    address = serve("fjords")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    below = """
        const log = document.getElementById("log");
        return log.scrollHeight - log.scrollTop - log.clientHeight;"""
    for seed in count(1):
        browser.play(seed, 6)
        browser.idle()
        browser.until(lambda: browser.ask(below) < 2, "the end of the story")
        if len(browser.log()) > 60 or seed > 40:
            break
    assert len(browser.log()) > 30


def test_a_line_of_the_story_shows_what_it_is_about(browser: Browser, serve: Serve) -> None:
    address = serve("chess")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    for name in ("d2", "d4"):
        browser.driver.find_element("css selector", f"[data-place='s:board:{name}']").click()
    browser.until(lambda: browser.log() == ["white: pawn d2-d4"], "the move")
    browser.driver.find_element("css selector", "#log button").click()
    shown = "return [...document.querySelectorAll('.told-of')].map((one) => one.dataset.place).sort()"
    assert browser.ask(shown) == ["s:board:d2", "s:board:d4"]


def test_what_was_the_only_choice_is_marked(browser: Browser, serve: Serve) -> None:
    """In draughts a piece that must take has often one way to do so."""
    address = serve("draughts")
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    for seed in count(1):
        browser.play(seed, 5)
        notes = browser.ask(
            "return [...document.querySelectorAll('#log .forced button')].map((one) => one.dataset.note)"
        )
        if notes:
            break
        assert seed < 60, "nothing was forced"
    assert set(notes) == {"the only choice"}


def test_a_play_leaves_its_course_and_a_file_that_can_be_opened(browser: Browser, serve: Serve) -> None:
    address = serve("oware")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    assert browser.play(5, MOST_CLICKS)["over"]
    assert browser.ask("return document.querySelectorAll('#result .course polyline:not(.edge)').length") == 2
    lines = browser.log()
    drop = """
        const done = arguments[0];
        fetch(document.getElementById("replay").href).then((answer) => answer.blob()).then((blob) => {
          const event = new Event("drop", {bubbles: true, cancelable: true});
          event.dataTransfer = {files: [new File([blob], "play.jsonl")]};
          document.dispatchEvent(event);
          done();
        });"""
    here = browser.driver.current_url
    browser.driver.execute_async_script(drop)
    browser.until(lambda: browser.driver.current_url != here, "the play of the file")
    browser.until(lambda: browser.ask("return document.getElementById('log')?.children.length"), "its story")
    assert browser.log() == lines
    assert not browser.complaints()


def test_one_looks_back_and_plays_on_from_there(browser: Browser, serve: Serve) -> None:
    address = serve("tic-tac-toe")
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    browser.play(3, 3)
    browser.until(lambda: len(browser.log()) == 3, "three moves")
    slide = (
        "const slider = document.getElementById('slider'); slider.value = 1; slider.dispatchEvent(new Event('change'))"
    )
    browser.ask(slide)
    browser.until(lambda: len(browser.log()) == 1, "the past")
    assert browser.ask("return document.querySelectorAll('.lit').length") == 0
    here = browser.driver.current_url
    browser.driver.find_elements("css selector", "#past button")[1].click()
    browser.until(lambda: browser.driver.current_url != here, "the branch")
    browser.until(lambda: browser.ask("return document.querySelectorAll('.lit').length") == 8, "the play from there")


def test_the_page_is_read_in_both_languages_and_in_the_dark(browser: Browser, serve: Serve) -> None:
    address = serve("tic-tac-toe")
    browser.open(address + browser.begin(address, "me", "me")["seats"][0])
    grounds = []
    for dark in (False, True):
        browser.dark(dark)
        grounds.append(browser.ask("return getComputedStyle(document.body).backgroundColor"))
    browser.dark(False)
    assert grounds[0] != grounds[1]
    assert browser.text("title") == "Tic-tac-toe"
    browser.driver.find_element("id", "language").click()
    browser.until(lambda: browser.text("title") == "Крестики-нолики", "the title in Russian")
    assert browser.text("undo") == "Отменить"
    browser.driver.find_element("id", "rules").click()
    rules = "return document.getElementById('drawer').textContent"
    browser.until(lambda: "Цель" in browser.ask(rules), "the rules in Russian")
    browser.driver.find_element("id", "drawer").find_element("css selector", "button").click()
    browser.driver.find_element("id", "language").click()
    browser.until(lambda: browser.text("title") == "Tic-tac-toe", "the title in English")


def test_the_lobby_begins_a_play(browser: Browser, serve: Serve) -> None:
    address = serve("fjords")
    for size in SIZES.values():
        browser.resize(size)
        browser.driver.get(address + "/")
        start = browser.until(lambda: browser.driver.find_elements("id", "start"), "the lobby")
        assert not browser.ask(CUT)
        start[0].click()
        browser.until(lambda: "/t/" in browser.driver.current_url, "the table")
        browser.until(lambda: browser.ask("return document.querySelectorAll('.person').length") == 2, "two players")
    assert not browser.complaints()


def test_two_browsers_see_one_play_and_never_the_hand_of_the_other(browser: Browser, serve: Serve) -> None:
    """What pages hold and were sent is searched for the cards that only the other may see."""
    address = serve("holdem")
    browser.resize(DESKTOP)
    other = Browser()
    try:
        pages = (browser, other)
        links = browser.begin(address, "open", "open")["seats"]
        watch = """
            const source = window.fetch;
            window.received = "";
            window.fetch = async (...asked) => {
              const answer = await source(...asked);
              window.received += await answer.clone().text();
              return answer;
            };"""
        hands = "return [...document.querySelectorAll('#own .item')].map((one) => one.getAttribute('aria-label'))"
        for page, link in zip(pages, links, strict=True):
            page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": watch})
            page.open(address + link)
        mine: list[set[str]] = [set(), set()]
        shown: set[str] = set()
        for _ in range(12):
            for seat, page in enumerate(pages):
                page.until(partial(page.ask, hands), "a hand")
                mine[seat].update(page.ask(hands))
            logs = [page.log() for page in pages]
            shown.update(re.findall(r"\S+[♠♥♦♣]", " ".join(logs[0])))
            shown.update(
                pages[0].ask("return [...document.querySelectorAll('#common .item')].map((one) => one.ariaLabel)")
            )
            for page in pages:
                if "Go on" in page.text("ask"):  # the end of a hand, at which all is shown
                    page.press("1")
                    page.until(partial(_goes_on_with, page, "Your turn", "Waiting"), "the next hand")
                    page.idle()
            asked = next(page for page in pages if "Your turn" in page.text("ask"))
            asked.ask(FOLLOW)
            for page in pages:
                page.until(partial(_goes_on, page, len(logs[0])), "the next line of the log")
        assert pages[0].log() == pages[1].log()
        secret = [mine[1] - mine[0] - shown, mine[0] - mine[1] - shown]
        assert any(secret), "nothing was hidden"
        for page, cards in zip(pages, secret, strict=True):
            held = page.kept() + page.ask("return window.received")
            assert not [card for card in cards if card in held]
    finally:
        other.close()


def test_rules_that_are_saved_are_checked_and_played_on_beside_the_table(browser: Browser, tmp_path: Path) -> None:
    """What is wrong stands above the table with its line; once it is mended, the play goes on under the new rules."""
    known = shipped.find_game("tic-tac-toe")
    assert known is not None
    rules, text = tmp_path / "mine.yaml", known.read_text(encoding="utf-8")
    rules.write_text(text, encoding="utf-8")
    browser.resize(DESKTOP)
    with serving(Game(load_blueprint(rules)), tmp_path, watch=True) as address:
        browser.open(address + browser.begin(address, "me", "me")["seats"][0])
        for number, place in enumerate(("a1", "b2"), 1):
            browser.driver.find_element("css selector", f"[data-place='s:board:{place}']").click()
            browser.until(lambda n=number: len(browser.log()) == n, "the move")  # type: ignore[misc]
            browser.idle()
        rules.write_text(text.replace("empty(cell)", "emty(cell)"), encoding="utf-8")
        browser.until(lambda: "did you mean `empty`?" in browser.text("findings"), "the mistake")
        assert "mine.yaml:15" in browser.text("findings")
        assert len(browser.driver.find_elements("css selector", "svg .lit")) == 7, "play goes on under the rules before"
        assert not browser.ask(CUT)
        rules.write_text(text.replace("width: 3, height: 3", "width: 4, height: 3"), encoding="utf-8")
        browser.until(lambda: len(browser.driver.find_elements("css selector", "svg .lit")) == 10, "the wider board")
        assert not browser.driver.find_element("id", "findings").is_displayed()
        assert len(browser.log()) == 2, "what was decided holds"
        rules.write_text(
            text.replace("board where empty(cell)", "board where empty(cell) and cell.y < 2"), encoding="utf-8"
        )
        browser.until(lambda: "b2" in browser.text("notice"), "where they part")
        assert len(browser.log()) == 1
        browser.leave()


def test_many_pages_of_one_browser_hear_of_one_play(browser: Browser, serve: Serve) -> None:
    """A browser opens six connections to a server at the most; so they share one."""
    address = serve("tic-tac-toe")
    browser.resize(DESKTOP)
    mine, other = browser.begin(address, "me", "open")["seats"]
    home = browser.driver.current_window_handle
    windows = []
    try:
        for link in [mine, other] * 5:
            browser.driver.switch_to.new_window("tab")
            browser.open(address + link)
            windows.append(browser.driver.current_window_handle)
        for link, page in ((mine, windows[0]), (other, windows[-1])):
            browser.driver.switch_to.window(page)
            assert browser.driver.current_url.endswith(link)
            before = len(browser.log())
            browser.until(lambda: browser.play(7, 1)["clicks"], "a move")
            for window in windows:
                browser.driver.switch_to.window(window)
                browser.until(partial(_goes_on, browser, before), "the news")
        browser.driver.switch_to.window(windows[3])
        browser.driver.refresh()  # one goes, and comes again
        browser.until(lambda: browser.ask("return document.querySelectorAll('#log li').length") == 2, "the page again")
        browser.driver.switch_to.window(windows[0])
        browser.until(lambda: browser.play(7, 1)["clicks"], "a move")
        browser.driver.switch_to.window(windows[3])
        browser.until(lambda: len(browser.log()) == 3, "the news")
        assert not browser.complaints()
    finally:
        for window in windows:
            browser.driver.switch_to.window(window)
            browser.driver.close()
        browser.driver.switch_to.window(home)


def test_the_page_is_light_and_loads_nothing_from_elsewhere() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[^\"'\s]+", text)) <= {"http://www.w3.org/2000/svg"}, path
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bstyle=", text
        )
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=", text), path


def test_every_fixed_word_of_the_page_is_there_in_both_languages() -> None:
    words = (STATIC / "words.js").read_text(encoding="utf-8")
    texts = re.findall(r'^  (\w+): \{ en: "([^"]+)", ru: "([^"]+)" \},$', words, re.M)
    known = {key for key, _, _ in texts}
    assert len(known) == words.count("{ en:")
    for key, english, russian in texts:
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", russian)), key
    said = {
        key
        for path in STATIC.glob("*.js")
        for key in re.findall(r'\bsay\([^)]*?"(\w+)"', path.read_text(encoding="utf-8"))
    }
    assert said <= known
    assert known <= said, "words that nothing says"


def test_what_is_asked_is_in_sight(browser: Browser, serve: Serve) -> None:
    """The artifacts of Outpost lie far below its boards."""
    address = serve("outpost")
    browser.open(address + browser.begin(address, "me", seed=7)["seats"][0])
    seen = """
        const lit = [...document.querySelectorAll("main .lit")].map((one) => [one, one.getBoundingClientRect()]);
        const at = (box) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return lit.some(([one, box]) => one.contains(at(box)));"""
    for size in SIZES.values():
        browser.resize(size)
        browser.open(browser.driver.current_url)
        assert browser.ask(seen)


def test_who_plays_cards_sits_across_the_table(browser: Browser, serve: Serve) -> None:
    address = serve("court-intrigue")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "me", "me")["seats"][0])
    assert browser.ask("return document.querySelectorAll('#others .seat').length") == 2
    assert browser.ask("return document.querySelectorAll('#others .item.back').length") == 4
    assert browser.ask("return document.querySelectorAll('#people .item').length") == 0


def test_writing_on_boards_can_be_read(browser: Browser, serve: Serve) -> None:
    """Where there are several, each is as large as its smallest letters need."""
    address = serve("outpost")
    sizes = """
        return Math.min(...[...document.querySelectorAll("#boards text")].map((text) => {
          const matrix = text.getScreenCTM();
          return Number(text.getAttribute("font-size")) * matrix.a;
        }))"""
    for name, size in SIZES.items():
        browser.resize(size)
        browser.open(address + browser.begin(address, "me", seed=7)["seats"][0])
        assert browser.ask(sizes) > (7.5 if name == "desktop" else 4.5)
