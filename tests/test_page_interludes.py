"""The end of a hand is seen on the page: cards are shown, and stay until somebody goes on."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import DESKTOP, PHONE, Browser, Serve

ASKED = "return [...document.querySelectorAll('#options button.option')].map((button) => button.textContent)"
FOLLOW = """
const buttons = [...document.querySelectorAll("#options button.option")];
buttons.find((button) => /call|check/.test(button.textContent))?.click(); // else something else is asked by now
"""
OTHERS = "return document.querySelectorAll('#others .item.card:not(.back)').length"
DEEDS = "return [...document.querySelectorAll('.latest')].map((deed) => deed.textContent)"


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_showdown_is_seen_until_one_goes_on(size: tuple[int, int], browser: Browser, serve: Serve) -> None:
    address = serve("holdem")
    browser.resize(size)
    links = browser.begin(address, "me", "me", seed=4)["seats"]
    home = browser.driver.current_window_handle
    windows = []
    for link in links:
        browser.driver.switch_to.new_window("tab")
        browser.resize(size)
        browser.open(address + link)
        windows.append(browser.driver.current_window_handle)
    shown = []
    for _ in range(40):
        for window in windows:
            browser.driver.switch_to.window(window)
            browser.idle()
            asked = browser.ask(ASKED)
            if any("Go on" in text for text in asked):
                if window not in shown:
                    shown.append(window)
                    assert browser.ask(OTHERS) == 2, "the other's cards are shown"
                    assert "gets" in browser.text("ask")
                    browser.press("1")
                    browser.until(lambda: "Go on" not in browser.text("ask"), "the next hand")
                    assert browser.ask(OTHERS) == 0
                    assert not [deed for deed in browser.ask(DEEDS) if "check" in deed]
            elif asked and not shown:
                browser.ask(FOLLOW)
        if len(shown) == len(windows):
            break
    assert len(shown) == 2
    assert not browser.complaints()
    for window in windows:
        browser.driver.switch_to.window(window)
        browser.driver.close()
    browser.driver.switch_to.window(home)
