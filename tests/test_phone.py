"""The table on a phone: the page stands still, what is asked lies on a sheet below it, boards are seen whole."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import PHONE, Browser, Serve

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

LAWS = (Path(__file__).resolve().parent / "phone.js").read_text(encoding="utf-8")
TURN = "return !document.getElementById('result').hidden || !!document.querySelector('#ask .mine')"
OFTEN = ["fjords", "outpost"]  # one board with tiles beside it; several boards for each player
CLICKS = 16
IN_SIGHT = """
const lit = [...document.querySelectorAll("main .lit")];
const seen = (one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
};
return !lit.length || lit.some(seen)"""


def sit(browser: Browser, serve: Serve, name: str, count: int, seed: int = 7) -> None:
    address = serve(name)
    browser.resize(PHONE)
    bots = ["bot:random"] * (count - 1)
    browser.open(address + browser.begin(address, "me", *bots, seed=seed)["seats"][0])


def most(name: str) -> int:
    path = shipped.find_game(name)
    assert path is not None
    return min(4, Game(load_blueprint(path)).players[-1])


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.long]) for name in shipped.names()]
)
def test_every_table_fits_a_phone(name: str, language: str, browser: Browser, serve: Serve) -> None:
    sit(browser, serve, name, most(name))
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
