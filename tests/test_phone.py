"""The table on a phone: the page stands still, what is asked lies on a sheet below it, boards are seen whole."""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import PHONE, PHONES, Browser, Serve

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

LAWS = (Path(__file__).resolve().parent / "phone.js").read_text(encoding="utf-8")
TURN = "return !document.getElementById('result').hidden || !!document.querySelector('#ask .mine')"
DAILY = [
    ("fjords", "phone", "en"),  # one board with tiles beside it
    ("outpost", "phone", "ru"),  # several boards for each player
    ("holdem", "small phone", "ru"),  # cards, and numbers to choose
    ("bastion", "on its side", "en"),
    ("court-intrigue", "on its side", "ru"),
]
CLICKS = 16
OPENED = 5  # clicks after which the page is opened anew
IN_SIGHT = """
const lit = [...document.querySelectorAll("main .lit")];
const seen = (one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
};
return !lit.length || lit.some(seen)"""


# A page that is opened shows the view in which most can be chosen.
MOST_HERE = """
const views = new Map();
for (const one of document.querySelectorAll("main .lit:not(.like)")) {
  const view = one.closest("#stage [data-view]");
  if (view) views.set(view.dataset.view, (views.get(view.dataset.view) ?? 0) + 1);
}
const seen = document.querySelector(".view[aria-pressed=true]")?.dataset.view;
return !seen || !views.size || views.get(seen) === Math.max(...views.values());"""


def sit(browser: Browser, serve: Serve, name: str, count: int, seed: int = 7, device: str = "phone") -> None:
    address = serve(name)
    browser.resize(PHONES[device])
    bots = ["bot:random"] * (count - 1)
    browser.open(address + browser.begin(address, "me", *bots, seed=seed)["seats"][0])


def most(name: str) -> int:
    path = shipped.find_game(name)
    assert path is not None
    return min(4, Game(load_blueprint(path)).players[-1])


@pytest.mark.parametrize(
    ("name", "device", "language"),
    [
        pytest.param(*case, marks=[] if case in DAILY else [pytest.mark.long])
        for case in product(shipped.names(), PHONES, ("en", "ru"))
    ],
)
def test_every_table_fits_a_phone(name: str, device: str, language: str, browser: Browser, serve: Serve) -> None:
    sit(browser, serve, name, most(name), device=device)
    browser.in_language(language)
    found = set(browser.ask(LAWS))
    for click in range(CLICKS):
        browser.play(23 + click, 1)
        browser.idle()
        browser.until(lambda: browser.ask(TURN), "the turn")
        if not browser.ask("return document.getElementById('result').hidden"):
            break
        assert browser.ask(IN_SIGHT), "what can be chosen is in another view"
        found.update(browser.ask(LAWS))
        if click % OPENED == OPENED - 1:
            browser.open(browser.driver.current_url)
            assert browser.ask(IN_SIGHT), "what can be chosen is in another view than the one that is opened"
            assert browser.ask(MOST_HERE), "more can be chosen in another view than the one that is opened"
    assert not found


def test_a_view_that_is_not_seen_is_one_tap_away(browser: Browser, serve: Serve) -> None:
    """Where something can be chosen has a dot; a line of the log leads to what it is about."""
    sit(browser, serve, "outpost", 2)
    browser.until(lambda: browser.ask(TURN), "the turn")
    tabs = {
        text: n
        for n, text in enumerate(
            browser.ask("return [...document.querySelectorAll('.view')].map((one) => one.textContent)")
        )
    }
    asks = browser.ask("return document.querySelector('.view.asks').textContent")
    assert browser.ask("return document.querySelector('.view[aria-pressed=true]').textContent") == asks
    for text, number in tabs.items():
        browser.driver.find_elements("css selector", ".view")[number].click()
        assert browser.ask("return document.getElementById('seen').textContent") == text
        seen = (
            "return [...document.querySelectorAll('#stage [data-view]')].filter((one) => one.checkVisibility()).length"
        )
        assert browser.ask(seen), text
    browser.ask("document.querySelector('#options .option').click()")
    browser.idle()
    browser.until(lambda: browser.ask(TURN) and browser.ask(IN_SIGHT), "what is asked next, in sight")


def test_the_sheet_is_lowered_and_raised(browser: Browser, serve: Serve) -> None:
    """Lowered it leaves the table more room; raised it shows all that is asked, and moves nothing."""
    sit(browser, serve, "outpost", 1)
    browser.until(lambda: browser.ask(TURN), "the turn")
    high = "return document.getElementById('side').offsetHeight"
    stage = "return document.getElementById('stage').offsetHeight"
    press = "document.querySelector(`#fold [aria-label='${arguments[0]}']`).click()"
    usual, room = browser.ask(high), browser.ask(stage)
    browser.ask(press, "Show all of it")
    assert browser.ask(high) > usual
    assert browser.ask(stage) == room
    browser.ask(press, "Make room for the table")
    assert browser.ask(high) == usual
    browser.ask(press, "Make room for the table")
    assert browser.ask(high) < usual / 2
    assert browser.ask(stage) > room + 100
    assert "Your turn" in browser.text("ask")
    browser.ask(press, "Show all of it")
    assert (browser.ask(high), browser.ask(stage)) == (usual, room)
    assert not browser.complaints()


def test_where_small_things_lie_close_a_tap_comes_closer_first(browser: Browser, serve: Serve) -> None:
    """On a large board a finger covers several spaces: the first tap makes them larger, the second one chooses."""
    address = serve("go")
    browser.resize(PHONE)
    browser.open(address + browser.begin(address, "me", "me", options={"size": 19})["seats"][0])
    middle = """
        const lit = [...document.querySelectorAll("#boards .lit")].map((one) => one.getBoundingClientRect());
        const box = lit.find(({ x, y }) => x > 150 && y > 200);
        return [box.x + box.width / 2, box.y + box.height / 2]"""
    at = browser.ask(middle)
    browser.tap(*at)
    zoom = "return Number(document.querySelector('#boards .board').style.getPropertyValue('--zoom'))"
    assert browser.ask(zoom) > 1.5
    assert not browser.log()
    time.sleep(0.7)  # or it would be the second of two taps
    browser.tap(*browser.ask(middle))
    browser.until(lambda: browser.log(), "the stone")


MIDDLE = """
    const frame = [...document.querySelectorAll("#boards .frame")].find((one) => one.checkVisibility());
    const { left, top, width, height } = frame.getBoundingClientRect();
    const seen = frame.firstElementChild.getScreenCTM().inverse();
    const at = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(seen);
    return [at.x, at.y]"""


def test_what_one_looks_at_closer_stays_when_the_phone_is_turned(browser: Browser, serve: Serve) -> None:
    """Nor is it lost behind another view, when more comes to stand above the board, or when the table is drawn anew."""
    sit(browser, serve, "serpent", 2)
    browser.until(lambda: browser.ask(TURN), "the turn")
    for _ in range(5):
        browser.ask("document.querySelector('.zoom button:last-child').click()")
    frame = "document.querySelector('#boards .frame')"
    browser.ask(f"{frame}.scrollLeft = {frame}.scrollWidth * 0.4; {frame}.scrollTop = {frame}.scrollHeight * 0.4")
    time.sleep(0.2)  # until it is told of
    before = browser.ask(MIDDLE)

    def same() -> bool:
        return bool(browser.ask(MIDDLE) == pytest.approx(before, abs=12))

    for device in ("on its side", "phone", "small phone", "phone"):
        browser.resize(PHONES[device])
        browser.until(same, f"the same in the middle: {device}")
    views = "document.querySelectorAll('.view')"
    browser.ask(f"{views}[{views}.length - 1].click()")
    title = browser.ask("return document.title")
    browser.ask("document.querySelector('#language').click()")  # it is drawn anew
    browser.until(lambda: browser.ask("return document.title") != title, "the table in the other language")
    browser.ask(f"{views}[0].click()")
    browser.until(same, "the same in the middle: seen again")
    browser.ask("document.getElementById('people').style.paddingTop = '80px'")
    browser.until(same, "the same in the middle: below a higher panel")


def test_a_phone_on_its_side_has_what_is_asked_beside_the_table(browser: Browser, serve: Serve) -> None:
    """And when it is turned the page follows at once, without waiting for the next decision."""
    sit(browser, serve, "chess", 2)
    browser.until(lambda: browser.ask(TURN), "the turn")
    boxes = "return ['stage', 'side'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
    stage, side = browser.ask(boxes)
    assert stage["bottom"] <= side["top"] + 1
    browser.resize(PHONES["on its side"])
    browser.until(
        lambda: browser.ask(f"const [stage, side] = (() => {{ {boxes} }})(); return stage.right <= side.left + 1"),
        "the sheet beside",
    )
    browser.until(lambda: not browser.ask(LAWS), "all in its place")
    browser.resize(PHONE)
    browser.until(lambda: browser.ask(boxes) == [stage, side], "the sheet below, as it was")


def test_a_line_of_the_log_shows_what_it_is_about(browser: Browser, serve: Serve) -> None:
    """The log lies over the board: a tap on a line that is about something there closes it."""
    sit(browser, serve, "chess", 2)
    browser.play(3, 2)
    browser.until(lambda: browser.log(), "the move")
    browser.idle()
    browser.driver.find_element("id", "history").click()
    shown = "return document.getElementById('log').checkVisibility()"
    assert browser.ask(shown)
    browser.ask("document.querySelector('#log button').click()")
    assert browser.ask("return document.querySelectorAll('#boards .told-of').length")
    assert not browser.ask(shown)
