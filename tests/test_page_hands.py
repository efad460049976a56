"""What a hand does at a table: draws from a pile, picks one thing and another, looks back, and closes the rules."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import DESKTOP, Browser, Serve
from selenium.webdriver.common.keys import Keys

WIDE = (1920, 1080)
MINE = "return !!document.querySelector('#ask .mine')"
OVER = "return !document.getElementById('result').hidden"
LIT = "return [...document.querySelectorAll('main .lit')].map((one) => one.dataset.place)"
TEXTS = "return [...document.querySelectorAll('#options .option .text')].map((one) => one.textContent)"
BEYOND = "const table = document.getElementById('middle'); return table.scrollHeight - table.clientHeight"
WHERE = """
return [...document.querySelectorAll("#middle [data-place]")].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [one.dataset.place, left, top, width, height].join(" ");
})"""


def sit(browser: Browser, address: str, *seats: str, size: tuple[int, int] = DESKTOP, **order: Any) -> None:
    browser.resize(size)
    browser.open(address + browser.begin(address, *seats, **order)["seats"][0])
    asked(browser)


def asked(browser: Browser) -> None:
    browser.idle()
    browser.until(lambda: browser.ask(MINE) or browser.ask(OVER), "a turn")
    browser.idle()


def touch(browser: Browser, place: str) -> None:
    browser.driver.find_element("css selector", f"main [data-place='{place}']").click()
    browser.idle()


def test_a_card_is_drawn_from_the_pile_where_it_lies(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("fortress"), "me", "bot:random", seed=3)
    assert browser.ask(LIT) == ["a:story"]
    before = len(browser.log())
    touch(browser, "a:story")
    browser.until(lambda: any(line.startswith("player 1: draw") for line in browser.log()[before:]), "the card")
    assert not browser.complaints()


def test_one_thing_and_another_are_picked_though_the_first_could_be_all(browser: Browser, serve: Serve) -> None:
    """A ruby may be the first of three gems, or both of two: who clicks a pearl next has meant the first."""
    sit(browser, serve("gem-traders"), "me", "bot:random", "bot:random", seed=3)
    gems = [place for place in browser.ask(LIT) if place.startswith("k:")]
    assert gems, "some gems can be taken"
    assert all(place.startswith("k:supply") for place in gems), "one's own are not what is taken"
    for place in gems[:3]:
        touch(browser, place)
    browser.until(lambda: any(line.startswith("player 1: take") for line in browser.log()), "the gems")
    line = next(line for line in browser.log() if line.startswith("player 1: take"))
    assert line.count(",") == 2
    assert not browser.complaints()


@pytest.mark.parametrize("size", [DESKTOP, WIDE], ids=["small", "wide"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_full_table_of_cards_is_seen_whole(
    language: str, size: tuple[int, int], browser: Browser, serve: Serve
) -> None:
    """Three at gem traders: three markets, three piles, nobles, purses and what each has put aside."""
    sit(browser, serve("gem-traders"), "me", "bot:random", "bot:random", seed=3, size=size)
    browser.in_language(language)
    for seed in range(1, 13):
        browser.play(seed, 1)
        asked(browser)
        assert browser.ask(BEYOND) <= 40
    assert not browser.complaints()


def test_cards_grow_with_their_window(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("gem-traders"), "me", "bot:random", "bot:random", seed=3)
    scale = "return Number(document.getElementById('middle').style.getPropertyValue('--scale'))"
    order = "return [...document.querySelectorAll('#common > [data-nth]')].map((part) => Number(part.dataset.nth))"
    small = browser.ask(scale)
    browser.resize(WIDE)
    browser.until(lambda: browser.ask(scale) > small, "larger cards")
    assert browser.ask(order) == sorted(browser.ask(order)) != []
    browser.resize(DESKTOP)
    browser.until(lambda: browser.ask(scale) == small, "cards as they were")
    assert browser.ask(BEYOND) <= 40
    assert not browser.complaints()


def test_who_looks_back_is_told_so_and_nothing_moves(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("tic-tac-toe"), "me", "bot:random", seed=3)
    touch(browser, browser.ask(LIT)[0])
    asked(browser)
    before = browser.ask(WHERE)
    slide = (
        "const slider = document.getElementById('slider'); slider.value = 1; slider.dispatchEvent(new Event('change'))"
    )
    browser.ask(slide)
    browser.until(lambda: browser.text("ask").startswith("You are looking at step 1."), "the past")
    assert browser.ask(WHERE) == before
    assert browser.text("spoken").startswith("You are looking at step 1.")
    browser.driver.find_element("css selector", "#past button").click()
    asked(browser)
    assert not browser.driver.find_elements("id", "past")


def test_escape_closes_the_rules_wherever_the_focus_is(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("fortress"), "me", "bot:random", seed=3)
    drawer = browser.driver.find_element("id", "drawer")
    for selector in ("#drawer .head h2", "#drawer summary", "#story"):
        browser.driver.find_element("id", "rules").click()
        browser.until(lambda: browser.driver.find_elements("css selector", "#drawer summary"), "the rules")
        if selector == "#story":
            browser.ask("document.activeElement.blur()")
        else:
            browser.driver.find_element("css selector", selector).click()
        browser.press(Keys.ESCAPE)
        assert not drawer.is_displayed(), selector
        assert browser.ask("return document.activeElement.id") == "rules"
