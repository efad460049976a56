"""The page of `ruledsl serve`, in a real browser: played to the end by clicking, looked at, searched for secrets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

from tests.browser import CUT, DESKTOP, PHONE, Browser, need_browser, serving

pytestmark = pytest.mark.xdist_group("browser")

STATIC = Path(__file__).resolve().parent.parent / "ruledsl/web/static"
SMALL = ["tic-tac-toe", "connect-four", "rock-paper-scissors", "love-letter"]
MOST_CLICKS = 2_500
PATIENT = 10  # rounds through all pages in which nothing can be clicked
MOST_BYTES = 300_000
SIZES = {"desktop": DESKTOP, "phone": PHONE}

Serve = Callable[[str], str]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need_browser()
    found = Browser()
    yield found
    found.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers of games, and stops them."""
    with ExitStack() as stack:

        def start(name: str) -> str:
            path = shipped.find_game(name)
            assert path is not None
            return stack.enter_context(serving(Game(load_blueprint(path)), tmp_path))

        yield start


def fewest(name: str) -> int:
    path = shipped.find_game(name)
    assert path is not None
    return max(1, Game(load_blueprint(path)).players[0])


def played(browser: Browser, address: str, count: int, size: tuple[int, int], most: int) -> dict[str, Any]:
    """A play of so many people, each at their own page, clicked to its end."""
    browser.resize(size)
    links = browser.begin(address, *["me"] * count, language="en")["seats"]
    home = browser.driver.current_window_handle
    windows: list[str] = []
    for link in dict.fromkeys(links):
        browser.driver.switch_to.new_window("tab")
        browser.resize(size)
        browser.open(address + link)
        windows.append(browser.driver.current_window_handle)
    clicks, idle, found, cut = 0, 0, {"over": False}, set()
    try:
        while not found["over"] and clicks < most:
            before = clicks
            for window in windows:
                browser.driver.switch_to.window(window)
                found = browser.play(clicks + 1, most - clicks if len(windows) == 1 else 60)
                clicks += found["clicks"]
                assert not found["covered"], found
                cut.update(browser.ask(CUT))
                if found["over"]:
                    break
            idle = 0 if clicks > before else idle + 1
            assert idle < PATIENT, browser.ask("return document.getElementById('ask').innerText")
        return {**found, "clicks": clicks, "cut": cut, "complaints": browser.complaints()}
    finally:
        for window in windows:
            browser.driver.switch_to.window(window)
            browser.driver.close()
        browser.driver.switch_to.window(home)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SMALL)
def test_a_small_game_is_played_to_the_end_by_clicking(name: str, size: str, browser: Browser, serve: Serve) -> None:
    found = played(browser, serve(name), fewest(name), SIZES[size], MOST_CLICKS)
    assert found["over"]
    assert not found["complaints"]
    assert not found["cut"]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [name for name in shipped.names() if name not in SMALL])
def test_every_game_is_played_by_clicking(name: str, size: str, browser: Browser, serve: Serve) -> None:
    found = played(browser, serve(name), fewest(name), SIZES[size], MOST_CLICKS)
    assert found["over"] or found["clicks"] >= MOST_CLICKS
    assert not found["complaints"]
    assert not found["cut"]


def test_the_page_is_light_and_loads_nothing_from_elsewhere() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[^\"'\s]+", text)) <= {"http://www.w3.org/2000/svg"}, path
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bstyle=", text)
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=", text), path


def test_every_fixed_word_of_the_page_is_there_in_both_languages() -> None:
    words = (STATIC / "words.js").read_text(encoding="utf-8")
    texts = re.findall(r'^  (\w+): \{ en: "([^"]+)", ru: "([^"]+)" \},$', words, re.M)
    known = {key for key, _, _ in texts}
    assert len(known) == words.count("{ en:")
    for key, english, russian in texts:
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", russian)), key
    said = {key for path in STATIC.glob("*.js") for key in re.findall(r'\bsay\("(\w+)"', path.read_text(encoding="utf-8"))}
    assert said <= known
    assert known <= said, "words that nothing says"
