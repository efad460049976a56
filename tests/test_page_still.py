"""The table stands still while one plays on it: boards keep their size and what of them is in sight, options stay under
the pointer."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import CUT, DESKTOP, PHONE, Browser, Serve
from selenium.webdriver.common.keys import Keys
from test_page import fewest

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

SIZES = {"desktop": DESKTOP, "phone": PHONE}
BOARDED = [
    "amazons", "backgammon", "bastion", "brandubh", "breakthrough", "chess", "connect-four", "dike-watch", "draughts",
    "fjords", "go", "gomoku", "hex", "nine-mens-morris", "outpost", "oware", "quoridor", "reversi", "serpent",
    "tic-tac-toe",
]  # fmt: skip
DAILY = ["bastion", "fjords", "outpost"]  # what a board shows beside its spaces, tiles, several boards
LOOKS = 40  # clicks after which boards are looked at

# Clicks what can be clicked, and notes after each click how large the boards are and what stands beside them.
COURSE = """
const [seed, most, done] = arguments;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let state = seed;
const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
const beside = () => ["common", "own", "side", "people"].map((id) => document.getElementById(id).offsetHeight);
const boards = () => [...document.querySelectorAll("#boards .frame > svg")].map((board) => ({
  name: board.getAttribute("aria-label"),
  box: board.getAttribute("viewBox"),
  scale: board.checkVisibility() ? board.getScreenCTM().a : null,
}));
(async () => {
  const looks = [];
  for (const end = Date.now() + 20000; looks.length < most && Date.now() < end; ) {
    await wait(25);
    if (document.body.classList.contains("busy")) continue;
    if (!document.getElementById("result").hidden) break;
    const lit = [...document.querySelectorAll("main .lit")];
    const buttons = [...document.querySelectorAll("#options button.option")];
    const found = lit.length && (!buttons.length || random(3)) ? lit : buttons;
    if (!found.length) continue;
    looks.push({ boards: boards(), beside: beside() });
    found[random(found.length)].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
  done(looks);
})();
"""


def grown(before: list[int], now: list[int]) -> bool:
    """Whether something beside the boards needs more room than ever before, or gave much of it back."""
    return any(new > old or new < old / 2 for old, new in zip(before, now, strict=True))


def opened(browser: Browser, serve: Serve, name: str, size: str, seed: int = 3) -> None:
    """A play against bots, as few as there can be, but somebody."""
    address = serve(name)
    browser.resize(SIZES[size])
    seats = ["me", *["bot:random"] * max(0, max(2, fewest(name)) - 1)]
    found = browser.begin(address, *seats, seed=seed)
    browser.open(address + found["seats"][0])


def some(names: list[str], daily: list[str]) -> list[Any]:
    return [pytest.param(name, marks=[] if name in daily else pytest.mark.long) for name in names]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", some(BOARDED, DAILY))
def test_a_board_keeps_its_size_while_it_keeps_its_extent(name: str, size: str, browser: Browser, serve: Serve) -> None:
    """It changes at most when there is more of it, or when what lies beside it needs more room than ever before."""
    opened(browser, serve, name, size)
    looks = browser.driver.execute_async_script(COURSE, 5, LOOKS)
    assert len(looks) > 2
    for before, now in pairwise(looks):
        assert [board["name"] for board in before["boards"]] == [board["name"] for board in now["boards"]]
        if grown(before["beside"], now["beside"]) or any(
            old["box"] != new["box"] for old, new in zip(before["boards"], now["boards"], strict=True)
        ):
            continue
        for old, new in zip(before["boards"], now["boards"], strict=True):
            if None in (old["scale"], new["scale"]):
                continue  # on a phone it may be in another view
            assert new["scale"] == pytest.approx(old["scale"], rel=0.005), (old, new)


def test_what_of_a_board_is_in_sight_stays_in_sight(browser: Browser, serve: Serve) -> None:
    """On a phone somebody looks closer at the map of Bastion; where they have moved it, it stays."""
    opened(browser, serve, "bastion", "phone")
    for seed in range(4, 60):  # until the panels above the board have the room that they need
        browser.play(seed, 1)
        browser.idle()
        if seed > 6 and browser.ask("return document.querySelectorAll('#boards .lit').length"):
            break
    frame = "document.querySelector('#boards .frame')"
    for _ in range(3):
        browser.ask("document.querySelector('.zoom button:last-child').click()")
    assert browser.ask(f"return {frame}.scrollWidth > {frame}.clientWidth + 100")
    rightmost = """
        const lit = [...document.querySelectorAll("#boards .lit")];
        const [one] = lit.sort((one, other) => other.getBoundingClientRect().x - one.getBoundingClientRect().x);
        one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        return one.dataset.place"""
    place = browser.ask(rightmost)
    scale = f"{frame}.firstElementChild.getScreenCTM().a"  # in the measure of the picture
    corner = f"return {frame}.scrollLeft / {scale}"
    before_it = browser.ask(corner)
    assert before_it > 20
    lit = "return [...document.querySelectorAll('#boards .lit')].map((one) => one.dataset.place)"
    before = browser.ask(lit)
    script = """
        const place = document.querySelector(`[data-place='${arguments[0]}']`);
        place.dispatchEvent(new MouseEvent("click", { bubbles: true }));"""
    browser.ask(script, place)
    browser.until(lambda: browser.ask(lit) != before, "the next question")
    browser.idle()
    assert browser.ask(corner) == pytest.approx(before_it, abs=3)


PLACES = """
return Object.fromEntries([...document.querySelectorAll("#options button.option, .closed")].map((one) => {
  const { left, top } = one.getBoundingClientRect();
  return [one.dataset.option ?? one.textContent, [Math.round(left), Math.round(top)]];
}))"""

# Points at every option, and clicks what cannot be chosen now.
IDLE = """
const step = arguments[0];
const idle = [...document.querySelectorAll("main [data-place]:not(.lit, .held)")];
const buttons = [...document.querySelectorAll("#options button.option")];
const found = [...buttons.map((one) => [one, "pointerenter"]), ...idle.slice(0, 12).map((one) => [one, "click"])];
if (step >= found.length) return false;
const [element, kind] = found[step];
element.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
return true;"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", some(sorted(shipped.names()), ["fjords", "holdem"]))
def test_no_option_moves_while_nothing_was_answered(name: str, size: str, browser: Browser, serve: Serve) -> None:
    """Neither while one points at them, nor when a click on something else asks why that cannot be chosen."""
    opened(browser, serve, name, size, seed=2)
    browser.play(3, 2)
    browser.idle()
    if not browser.ask("return document.querySelector('#ask .mine') && !document.querySelector('#ask .step')"):
        return  # others are to decide, or a click may take back a step
    browser.ask("window.scrollTo(0, 0)")
    before, step = browser.ask(PLACES), 0
    while step < 24 and browser.ask(IDLE, step):
        if browser.ask("return document.querySelectorAll('#ask .step').length"):
            browser.press(Keys.ESCAPE)  # it is part of an option, though not the first of it
        assert browser.ask(PLACES) == before, step
        step += 1
    if browser.ask("const why = document.querySelector('.closed'); why?.click(); return !!why"):
        browser.until(lambda: browser.ask("return document.querySelector('#said .answer')"), "the reason")
        assert browser.ask(PLACES) == before


TURN = "return !document.getElementById('result').hidden || !!document.querySelector('#ask .mine')"
FULL = 4  # as many at a table, if so many may play


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", some(shipped.names(), ["gem-traders", "love-letter"]))
def test_longer_words_fit_at_a_full_table(name: str, size: str, browser: Browser, serve: Serve) -> None:
    """In Russian names and words are longer, and with four at the table there is less room for each."""
    path = shipped.find_game(name)
    assert path is not None
    count = max(2, min(FULL, Game(load_blueprint(path)).players[-1]))
    address = serve(name)
    browser.resize(SIZES[size])
    bots = ["bot:random"] * (count - 1)
    browser.open(address + browser.begin(address, "me", *bots, seed=5, language="ru")["seats"][0])
    browser.in_language("ru")
    cut = set(browser.ask(CUT))
    for click in range(12):
        browser.play(11 + click, 1)
        browser.idle()
        browser.until(lambda: browser.ask(TURN), "the turn")
        cut.update(browser.ask(CUT))
    assert not cut
