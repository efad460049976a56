"""Texts of the page, measured in a real browser: none is cut off, sticks out of its box, or lies over another."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import CUT, DESKTOP, PHONE, Browser, serving

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

SIZES = {"desktop": DESKTOP, "phone": PHONE}
OFTEN = ("holdem",)  # the others are measured with --long
CLICKS = (3, 8, 25, 60)  # between two moments that are measured


def complaints(browser: Browser, game: Game, plays: Path, moments: int) -> set[str]:
    """What is wrong with a play at some moments, at both sizes, in both languages, one of them in the dark."""
    found = set()
    with serving(game, plays) as address:
        seats = browser.begin(address, *["me"] * max(1, game.players[0]), language="en")["seats"]
        browser.open(address + seats[0])
        for moment in range(moments):
            for language in ("en", "ru"):
                browser.in_language(language)
                browser.dark(language == "ru")
                for name, size in SIZES.items():
                    browser.resize(size)
                    found |= {f"{name}, {language}: {one}" for one in browser.ask(CUT)}
            browser.play(moment + 1, CLICKS[moment])
            browser.idle()
        browser.dark(False)
        browser.leave()
    return found


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else [pytest.mark.long]) for name in shipped.names()]
)
def test_texts_of_the_table_are_whole_and_apart(name: str, browser: Browser, tmp_path: Path) -> None:
    path = shipped.find_game(name)
    assert path is not None
    assert not complaints(browser, Game(load_blueprint(path)), tmp_path, 2 if name in OFTEN else len(CLICKS))


SPOILT = {
    "cut": [("#title", "width: 3rem; overflow: hidden; white-space: nowrap")],
    "over each other": [(one, "position: fixed; left: 20px; top: 20px") for one in ("#title", "#where")],
    "out of its box": [(".tool", "width: 1rem; padding: 0; text-align: left")],
    "pale": [("#title", "color: #f5f5f0")],
    "beside the page": [("#title", "position: fixed; left: -2rem")],
    "wider than its space": [(".place text", "font-size: 400px")],
}


@pytest.mark.parametrize("what", SPOILT)
def test_the_measure_finds_what_is_spoilt(what: str, browser: Browser, tmp_path: Path) -> None:
    path = shipped.find_game("tic-tac-toe")
    assert path is not None
    browser.resize(DESKTOP)
    with serving(Game(load_blueprint(path)), tmp_path) as address:
        browser.open(address + browser.begin(address, "me", "me")["seats"][0])
        assert not browser.ask(CUT)
        if what == "wider than its space":
            browser.play(1, 1)
            browser.idle()
        for which, style in SPOILT[what]:
            browser.ask("document.querySelector(arguments[0]).style.cssText = arguments[1]", which, style)
        assert [one for one in browser.ask(CUT) if one.startswith(what)]
        browser.leave()
