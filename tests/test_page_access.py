"""Whether everybody can play at the page: with a screen reader or the keyboard, with other eyes, on a small screen.

A part is done by axe-core, which npm gets; where it cannot, that part says so and is skipped.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import combinations, count
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import CUT, DESKTOP, PHONE, Browser, Serve
from colours import SIGHTS, apart
from selenium.webdriver.common.keys import Keys

from ruledsl import shipped
from ruledsl.boards.marks import COLOURS
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.runtime.picture import SEATS

AXE = "axe-core@4.14.1"
STYLE = Path(__file__).resolve().parent.parent / "ruledsl/web/static/style.css"
SAMPLE = ("chess", "gem-traders", "holdem")
# A sign in a picture, such as `K`, is short for what the label says in words; what a player has is more than the name.
FOUND = """
const done = arguments[0];
const short = "label-content-name-mismatch";
const told = (found) => found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes[0].html.slice(0, 200)}`);
axe.run(document, { rules: { [short]: { enabled: false } } })
  .then(async (first) => [first, await axe.run({ exclude: [["svg"], [".person"]] }, { runOnly: [short] })])
  .then((both) => done(both.flatMap(told)), (problem) => done([String(problem)]));
"""
ASKED = "return !document.getElementById('result').hidden || !!document.querySelector('#ask .mine')"


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here, which gets axe-core")
    folder = tmp_path_factory.mktemp("axe")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", AXE]
    if subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode:
        pytest.skip("npm cannot get axe-core here")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def at_table(page: Browser, address: str, name: str, clicks: int) -> None:
    """A play against bots, so far on."""
    path = shipped.find_game(name)
    assert path is not None
    players = Game(load_blueprint(path)).players
    bots = ["bot:random"] * (max(2, players[0]) - 1 if players[-1] > 1 else 0)
    page.open(address + page.begin(address, "me", *bots, seed=7)["seats"][0])
    for seed in range(clicks):
        page.play(seed, 1)
        page.idle()
        page.until(lambda: page.ask(ASKED), "the turn")


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name in SAMPLE else pytest.mark.long) for name in shipped.names()
])  # fmt: skip
def test_axe_finds_nothing(name: str, axe: str, browser: Browser, serve: Serve) -> None:
    address = serve(name)
    found: set[str] = set()

    def look(where: str) -> None:
        for dark in (False, True):
            browser.dark(dark)
            browser.ask(axe + "; window.axe = axe;")
            found.update(f"{where}: {one}" for one in browser.driver.execute_async_script(FOUND))
        browser.dark(False)

    for size in (DESKTOP, PHONE):
        browser.resize(size)
        browser.driver.get(address + "/")
        browser.until(lambda: browser.driver.find_elements("id", "start"), "the lobby")
        look("lobby")
        at_table(browser, address, name, 6)
        look("table")
        browser.ask("document.getElementById('rules').click()")
        browser.until(
            lambda: browser.ask("return document.getElementById('drawer').innerText.length > 20"), "the rules"
        )
        look("rules")
    assert not found, "\n".join(sorted(found))


def test_colours_are_told_apart_by_everybody() -> None:
    """Edges on a board by colour and by dashes; players by colour and by signs."""
    style = STYLE.read_text(encoding="utf-8")
    first, second = (re.search(rf"{start} {{(.*?)}}", style, re.DOTALL) for start in ("\n:root", "  :root"))
    assert first is not None
    assert second is not None
    light, changed = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part[1])) for part in (first, second))
    dark = light | changed
    for theme in (light, dark):
        edges = [theme[name] for name in ("lit", "picked", "fresh")]
        for sight in SIGHTS:
            for one, other in combinations([*edges, theme["board"]], 2):
                assert apart(one, other, sight) > 20, (one, other, sight)
    for sight in SIGHTS:
        for one, other in combinations(SEATS[:4], 2):
            assert apart(COLOURS[one], COLOURS[other], sight) > 15, (one, other, sight)
    assert "stroke-dasharray" in re.findall(r"\.of-held \{(.*?)\}", style)[0]


def test_the_focus_stays_where_one_decides(browser: Browser, serve: Serve) -> None:
    """Who plays by the keyboard need not begin at the head of the page again; and one hears whose turn it is."""
    address = serve("tic-tac-toe")
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    assert browser.text("spoken") == "Your turn"
    browser.press(Keys.ARROW_RIGHT, Keys.ENTER)
    browser.until(lambda: len(browser.log()) >= 2, "the move and the answer")
    browser.idle()
    assert browser.ask("return document.activeElement.id") == "ask"
    browser.press(Keys.ARROW_RIGHT)
    assert browser.ask("return document.activeElement.matches('.place.lit')")


def test_a_tile_is_turned_by_a_finger(browser: Browser, serve: Serve) -> None:
    address = serve("fjords")
    browser.resize(PHONE)
    browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
    for seed in count(4):
        browser.idle()
        if browser.ask("return document.querySelectorAll('.turning').length"):
            break
        browser.play(seed, 1)
        assert seed < 1_000
    shown = "return document.querySelector('#options button.option.shown').dataset.option"
    first = browser.ask(shown)
    browser.driver.find_element("css selector", ".turning button:last-of-type").click()
    assert browser.ask(shown) != first
    assert not browser.complaints()


def test_a_large_map_is_seen_whole_and_looked_at_closer_by_fingers(browser: Browser, serve: Serve) -> None:
    """On a phone: two taps come closer and go back again, two fingers make it as large as one likes."""
    address = serve("serpent")
    browser.resize(PHONE)
    at_table(browser, address, "serpent", 4)
    assert not browser.ask(CUT)
    wide = "const [frame] = document.querySelectorAll('#boards .frame'); return frame.scrollWidth / frame.clientWidth"
    here = """
        const { left, top, width, height } = document.querySelector("#boards .frame").getBoundingClientRect();
        return [left + 3, top + height / 2, width]"""
    assert browser.ask(wide) < 1.01
    x, y, across = browser.ask(here)
    browser.tap(x, y)
    browser.tap(x, y)
    assert browser.ask(wide) > 1.5
    browser.tap(x, y)
    browser.tap(x, y)
    assert browser.ask(wide) < 1.01
    browser.pinch(x + across / 2, y, 40, 100)
    assert browser.ask(wide) == pytest.approx(2.5, rel=0.1)


@pytest.mark.parametrize("name", ["chess", "court-intrigue", pytest.param("fjords", marks=pytest.mark.long)])
def test_a_play_goes_on_by_keys_alone(name: str, browser: Browser, serve: Serve) -> None:
    """What lights up is reached by the arrows and taken by Enter, what is listed by its digit."""
    address = serve(name)
    browser.resize(DESKTOP)
    browser.open(address + browser.begin(address, "me", "bot:random", seed=3)["seats"][0])
    lit = "return document.querySelectorAll('main .lit, main .held').length"
    listed = "return document.querySelectorAll('#options button.option').length"
    arrows, begun = [Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT], len(browser.log())
    for number in range(60):
        browser.idle()
        browser.until(lambda: browser.ask(ASKED), "the turn")
        if browser.ask("return !document.getElementById('result').hidden") or len(browser.log()) > begun + 12:
            break
        if browser.ask(listed) and not (number % 2 and browser.ask(lit)):
            browser.press("1")
        else:
            browser.press(arrows[number % 4], arrows[number * 3 % 4], Keys.ENTER)
    assert len(browser.log()) > begun + 8
    assert not browser.complaints()
