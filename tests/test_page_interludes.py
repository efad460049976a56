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


# What can be clicked between the decision that ends a hand and the look at that end, which comes late.
MEANWHILE = """
const done = arguments[0];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const fetched = window.fetch;
window.fetch = async (...request) => {
  if (String(request[0]).includes("/between")) await wait(400);
  return fetched(...request);
};
(async () => {
  const buttons = () => [...document.querySelectorAll("#options button.option")];
  buttons().find((button) => button.textContent.includes("fold")).click();
  const seen = new Set();
  for (const end = Date.now() + 20000; Date.now() < end && ![...seen].some((text) => text.includes("Go on")); ) {
    await wait(5);
    if (!document.body.classList.contains("busy")) for (const button of buttons()) seen.add(button.textContent);
  }
  done([...seen]);
})();
"""


def test_until_the_end_of_a_hand_is_there_nothing_else_is_asked(browser: Browser, serve: Serve) -> None:
    """What was answered stands there until then, and looks as what waits for the server."""
    browser.resize(DESKTOP)
    address = serve("holdem")
    links = browser.begin(address, "me", "me", seed=4)["seats"]
    browser.open(address + links[0])
    if "Your turn" not in browser.text("ask"):
        browser.open(address + links[1])
    assert browser.driver.execute_async_script(MEANWHILE) == ["1Go on"]
