"""The table in a real browser as those see it who sit there: who has what, what the others did, what a thing is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import CUT, DESKTOP, PHONE, Browser, Serve, serving
from selenium.webdriver.common.action_chains import ActionChains
from starlette.requests import Request
from starlette.responses import Response

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.web.server import Server

TEXTS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"


LABEL = "return document.querySelector(`[data-place='${arguments[0]}']`).ariaLabel"


def click(browser: Browser, what: str) -> None:
    """A click on an option that says so, or on what has such an id."""
    found = browser.ask(
        """
        const said = (button) => button.textContent.replace(/^\\d/, "");
        return [...document.querySelectorAll("#options button.option")].find((one) => said(one) === arguments[0])
          ?? document.querySelector(`main [data-place="${arguments[0]}"]`);""",
        what,
    )
    assert found is not None, f"{what}: {browser.text('ask')}"
    browser.ask("arguments[0].scrollIntoView({block: 'center'})", found)
    found.click()
    browser.idle()


def sit(browser: Browser, address: str, *seats: str, size: tuple[int, int] = DESKTOP, seed: int = 5) -> dict[str, Any]:
    browser.resize(size)
    found = browser.begin(address, *seats, seed=seed)
    browser.open(address + found["seats"][0])
    return found


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_who_plays_cards_has_name_chips_and_cards_at_one_place(
    size: tuple[int, int], browser: Browser, serve: Serve
) -> None:
    sit(browser, serve("holdem"), "me", "me", "open", size=size)
    assert len(browser.ask(TEXTS, "#others .person .values")) == 2
    assert len(browser.ask(TEXTS, "#own .person.mine .values")) == 1
    assert not browser.ask(TEXTS, "#people .person")
    assert not browser.ask(CUT)


def test_what_the_others_did_is_told_where_they_sit_and_in_the_story(browser: Browser, serve: Serve) -> None:
    """What came since this seat decided: beside who did it, marked in the story, on a phone above what is asked."""
    address = serve("holdem")
    links = sit(browser, address, "open", "open")["seats"]
    first = 0 if "Your turn" in browser.text("ask") else 1
    browser.open(address + links[first])
    click(browser, "call 10")
    browser.open(address + links[1 - first])
    assert browser.ask(TEXTS, "#others .latest") == ["call 10"]
    assert browser.ask(TEXTS, "#log .since")[-1].endswith("call 10")
    assert browser.ask(TEXTS, "#news li") == browser.ask(TEXTS, "#log .since")
    assert not browser.driver.find_element("id", "news").is_displayed()
    browser.resize(PHONE)
    assert browser.driver.find_element("id", "news").is_displayed()


def test_numbers_that_changed_say_by_how_much(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("holdem"), "me", "bot:greedy")
    browser.until(lambda: browser.ask("return document.querySelectorAll('#options .option').length"), "a turn")
    click(browser, next(text[1:] for text in browser.ask(TEXTS, "#options .option") if "call" in text))
    changed = browser.ask("return [...document.querySelectorAll('[data-by]')].map((one) => one.dataset.by)")
    assert any(by.startswith("−") for by in changed), changed


def test_a_place_of_a_thing_lies_with_it_and_steps_are_seen(browser: Browser, serve: Serve) -> None:
    """In Fortress: the squad of a fort lies below it; what of an attack is chosen has the edge of what is picked."""
    sit(browser, serve("fortress"), "me", "bot:random")
    browser.until(lambda: "Your turn" in browser.text("ask"), "a turn")
    for _ in range(12):
        if browser.ask("return document.querySelectorAll('#common .item.lit').length"):
            break
        click(browser, "draw a card")
        browser.until(lambda: "Your turn" in browser.text("ask"), "the next turn")
    fort = browser.ask("return document.querySelector('#common .item.lit').dataset.place")
    click(browser, fort)
    assert browser.ask(f"return document.querySelector('[data-place=\"{fort}\"]').classList.contains('held')")
    assert "attack" in browser.text("ask")
    click(browser, fort)  # a second click takes the step back
    assert not browser.ask("return document.querySelectorAll('.held').length")
    click(browser, fort)
    click(browser, browser.ask("return document.querySelector('#own .item.lit').dataset.place"))
    assert not browser.ask(TEXTS, "#options .option")[0].endswith("done")
    click(browser, next(text[1:] for text in browser.ask(TEXTS, "#options .option") if "attack fort 3 with" in text))
    assert browser.ask(TEXTS, "#own .with > .area h3") == ["squad"]
    assert not [text for text in browser.ask(TEXTS, "#common .area h3") if "squad" in text]


def test_a_click_on_what_cannot_be_chosen_tells_what_it_is(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("fortress"), "me", "bot:random")
    browser.driver.find_element("css selector", "#people .item").click()
    told = browser.driver.find_element("id", "closer")
    assert told.is_displayed()
    assert told.text.startswith("basic rules\nIn your turn draw a card.")
    browser.idle()
    assert not browser.driver.find_element("id", "said").is_displayed(), "nobody asked to choose it"
    browser.driver.find_element("css selector", "body").send_keys("q")
    assert not told.is_displayed()
    browser.driver.find_element("css selector", "#people .item").click()
    assert told.is_displayed()
    browser.ask("document.querySelector('#options button.option').click()")  # no mouse and no key goes down
    browser.until(lambda: not told.is_displayed(), "the table as it stands now")


def test_of_like_cards_each_can_be_clicked(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("court-intrigue"), "me", "bot:random", "bot:random", "bot:random", seed=5)
    names = browser.ask("return [...document.querySelectorAll('#own .item')].map((one) => one.dataset.name)")
    assert names == ["Envoy", "Envoy"]
    for _ in range(60):
        browser.until(lambda: browser.ask("return document.querySelectorAll('#options .option').length"), "a turn")
        if lit := browser.ask("return document.querySelectorAll('#own .item.lit').length"):
            break
        offered = [text[1:] for text in browser.ask(TEXTS, "#options .option")]
        bluff = next((text for text in offered if "admit" in text or "challenge" in text or "as Banker" in text), "")
        click(browser, bluff or offered[0])
    assert lit == 2
    browser.driver.find_elements("css selector", "#own .item.lit")[1].click()
    browser.until(lambda: any("lose the Envoy" in line for line in browser.log()), "the loss")


def test_what_belongs_together_lies_on_one_ground_and_letters_are_told(browser: Browser, serve: Serve) -> None:
    """In Bastion: quarters with their wall and sources; two defenders on one space; the letters of enemies."""
    sit(browser, serve("bastion"), "me", "me")
    assert browser.ask("return document.querySelectorAll('#boards .region').length") == 6
    keep = "document.querySelector('[data-place=\"s:city:keep\"]')"
    assert browser.ask(f"return {keep}.querySelectorAll('.disc').length") == 2
    legend = browser.ask(TEXTS, ".legend li")
    assert any("defender (player 2)" in line for line in legend)
    enemies = browser.ask(
        "return [...document.querySelectorAll('#boards [data-place]')].map((one) => one.getAttribute('aria-label'))"
    )
    assert any("power of the enemy" in line for line in enemies)
    legend_shown = browser.driver.find_element("css selector", ".legend").is_displayed
    assert not legend_shown(), "so many signs take no room from the board"
    browser.driver.find_element("css selector", ".unfold").click()
    click(browser, "s:city:q2")
    assert browser.driver.find_element("css selector", ".legend").is_displayed(), "it stays open"
    browser.driver.find_element("css selector", ".unfold").click()
    click(browser, "s:sources:s2a")
    assert browser.ask("return document.querySelectorAll('.mine .token.lit').length") > 1, "one's own mana"
    assert not browser.ask("return document.querySelectorAll('#common .token.lit').length"), "not that of the supply"
    browser.driver.find_element("css selector", ".mine .token.lit").click()
    browser.until(lambda: any(": put " in line for line in browser.log()), "the chip on the source")
    by = browser.ask("return [...document.querySelectorAll('.token[data-by]')].map((one) => one.dataset.by)")
    assert {"−1", "+3"} <= set(by), by
    browser.resize(PHONE)
    signs = """
        const dots = [...document.querySelectorAll(".mine .token .dot")];
        return dots.map((dot) => getComputedStyle(dot, "::after").content);"""
    assert browser.ask(signs) == [f'"{letter}"' for letter in "YGBRPK"], "on a phone letters stand for words"
    assert not browser.ask(CUT)


def test_the_result_says_who_won_and_leads_to_another_game(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("connect-four"), "me", "me")
    browser.play(1, 200)
    assert len(browser.ask(TEXTS, ".person .won")) == 1
    browser.driver.find_element("css selector", "#result .again").click()
    browser.until(lambda: browser.driver.find_elements("id", "start"), "the lobby")


def test_two_areas_of_one_tile_are_told_apart_on_the_board(browser: Browser, serve: Serve) -> None:
    """A house may stand on either of two plains of the tile just laid: each can be clicked; a click on the tile, and
    then on one of them, is the same."""
    sit(browser, serve("fjords"), "me", "bot:random", seed=3)
    for seed in range(1, 9):
        browser.play(seed, 1)
        browser.until(lambda: browser.ask("return !!document.querySelector('#ask .mine')"), "the turn")
        browser.idle()
        parts = browser.ask("return [...document.querySelectorAll('.lit:has(.part)')].map((one) => one.dataset.place)")
        if parts:
            break
    assert len(parts) == 2
    assert len({place.rpartition(":")[0] for place in parts}) == 1
    titles = [browser.ask(LABEL, place) for place in parts]
    options = [text for text in browser.ask(TEXTS, "#options .text") if text.startswith("house on")]
    assert sorted(options) == sorted(f"house on {title}" for title in titles)
    lines = len(browser.log())
    click(browser, parts[0])
    browser.until(lambda: len(browser.log()) > lines, "the house")
    assert browser.log()[lines].endswith(f"house on {titles[0]}")


def test_what_cannot_be_taken_from_a_row_says_why(browser: Browser, serve: Serve) -> None:
    """A click on a card that is not offered asks for the reason as one on a space does."""
    sit(browser, serve("outpost"), "me", seed=3)
    browser.play(3, 1)
    browser.until(lambda: "pass for this round" in browser.text("ask"), "the turn")
    idle = "return [...document.querySelectorAll('#common .item:not(.lit)')].map((one) => one.dataset.place)"
    place = next(one for one in browser.ask(idle) if one.startswith("p:market"))
    name = browser.ask("return document.querySelector(`[data-place='${arguments[0]}']`).dataset.name", place)
    click(browser, place)
    browser.until(lambda: browser.ask(TEXTS, "#said .answer"), "the reason")
    assert name in browser.text("said")
    assert browser.ask(TEXTS, "#closer .lacking"), "it stands beside the card, too"


def test_what_a_card_does_stands_where_one_chooses_it(browser: Browser, serve: Serve) -> None:
    """What is printed on cards, and on pieces on the board, is told below the option, and by a long press."""
    address = serve("bastion")
    sit(browser, address, "me", "me", seed=3)
    for seed in range(10, 60):
        browser.play(seed, 1)
        browser.idle()
        if found := browser.ask("return document.querySelector('.does')?.textContent"):
            break
    assert "power" in found
    assert ": " in found, "what its spell does"
    press = """
        const place = [...document.querySelectorAll("#boards [data-told]")][0];
        place.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));"""
    browser.ask(press)
    assert "power" in browser.text("closer")
    lines = len(browser.log())
    browser.ask("document.querySelector('.does').click()")
    browser.until(lambda: len(browser.log()) > lines, "the option that it tells of")
    assert not browser.ask(CUT)


def test_a_tile_is_dragged_from_the_row_to_its_space(browser: Browser, serve: Serve) -> None:
    """What one drags goes with the pointer and lies where it is let go, though the row is a step of its own."""
    sit(browser, serve("fjords"), "me", "bot:random", seed=3)
    click(browser, "play purple")
    browser.until(lambda: browser.ask(TEXTS, "#common .item.lit"), "the tiles")
    browser.idle()
    tile = browser.driver.find_element("css selector", "#common .item.lit")
    goal = browser.driver.find_element("css selector", "#boards .place:has(.free)")
    drag = ActionChains(browser.driver)
    drag.click_and_hold(tile).move_by_offset(20, 20).move_by_offset(20, 40).perform()
    assert browser.ask("return !!document.querySelector('.dragged svg')")
    browser.until(lambda: browser.ask("return !!document.querySelector('#common .item.held')"), "the step")
    browser.idle()
    goal = browser.driver.find_element("css selector", "#boards .place.lit")
    space = goal.get_attribute("data-place")
    ActionChains(browser.driver).move_to_element(goal).release().perform()
    browser.idle()
    there = "return !document.querySelector('.dragged') && document.querySelector('.ghost')?.parentNode.dataset.place"
    browser.until(lambda: browser.ask(there) == space or len(browser.log()) > 1, "the tile on its space")


def test_what_a_click_would_do_is_seen_before_it(browser: Browser, serve: Serve) -> None:
    """The pawn that was picked is seen on the space at which one points, and the move is told."""
    sit(browser, serve("chess"), "me", "me")
    click(browser, "s:board:e2")
    goal = browser.driver.find_element("css selector", "[data-place='s:board:e4']")
    ActionChains(browser.driver).move_to_element(goal).perform()
    browser.until(lambda: "e2-e4" in browser.text("would"), "the move in words")
    assert browser.ask("return document.querySelectorAll('[data-place=\"s:board:e4\"] .ghost .picture').length") == 1
    goal.click()
    browser.until(lambda: browser.log(), "the move")
    assert browser.ask("return document.querySelectorAll('.ghost').length") == 0


def test_one_person_plays_two_seats_at_one_device(browser: Browser, serve: Serve) -> None:
    """Where each has secrets, each seat has a page of its own, and one leads to the other; else they share one."""
    address = serve("holdem")
    browser.driver.get(address + "/")
    browser.until(lambda: browser.driver.find_elements("id", "start"), "the lobby")
    seats = """
        for (const box of document.querySelectorAll("[data-seat]")) {
          box.value = "me";
          box.dispatchEvent(new Event("change"));
        }"""
    browser.ask(seats)
    browser.driver.find_element("id", "start").click()
    browser.until(lambda: browser.driver.find_elements("id", "here"), "the links")
    browser.driver.find_element("id", "here").click()
    browser.until(lambda: browser.ask("return document.getElementById('ask')?.textContent"), "the table")
    for _ in range(2):
        if "Waiting" in browser.text("ask"):
            browser.driver.find_element("css selector", ".go-there").click()
        browser.until(lambda: "Your turn" in browser.text("ask"), "the one who is asked")
        browser.driver.find_elements("css selector", "#options button.option")[1].click()
        browser.until(lambda: "Waiting" in browser.text("ask") or len(browser.log()) > 3, "the other")
        browser.idle()


def test_a_turn_that_ends_by_itself_says_so(browser: Browser, serve: Serve) -> None:
    """And so does a part of the game that begins."""
    sit(browser, serve("bastion"), "me", "me", seed=3)
    told = "return document.querySelector('#ask .passed')?.textContent ?? ''"
    for seed in range(1, 40):
        browser.play(seed, 1)
        browser.idle()
        if found := browser.ask(told):
            break
    assert found.startswith("The turn of player")


def test_points_stay_with_the_players_in_the_end(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("reversi"), "me", "me")
    for seed in range(1, 20):
        if browser.play(seed, 60)["over"]:
            break
    points = browser.ask(TEXTS, "#people .person .values li:last-child .value")
    assert sorted(points) == sorted(browser.ask(TEXTS, "#result tbody tr:first-child td"))


def test_long_lines_of_the_story_have_their_room(browser: Browser, serve: Serve) -> None:
    """Rules that arrive in Fortress are told in full; no line lies over the next one."""
    sit(browser, serve("fortress"), "me", "bot:random")
    tall = (
        "return [...document.querySelectorAll('#log li')].map((one) => [one.offsetHeight, one.firstChild.offsetHeight])"
    )
    for seed in range(1, 30):
        browser.play(seed, 1)
        browser.idle()
        heights = browser.ask(tall)
        if any(height > 150 for _, height in heights):
            break
    assert any(height > 150 for _, height in heights), "a long line"
    assert all(line >= height for line, height in heights)


def test_names_of_cards_in_one_row_are_of_one_size(browser: Browser, serve: Serve) -> None:
    """A short name is large on its card only where all are short: numbers, not `Вор` beside `Посланник`."""
    sit(browser, serve("court-intrigue"), "me", "bot:random")
    browser.in_language("ru")
    sizes = "return [...document.querySelectorAll('#own .item .name')].map((one) => getComputedStyle(one).fontSize)"
    assert len(set(browser.ask(sizes))) == 1


def test_a_click_on_what_lies_in_a_thing_that_lights_up_is_one_on_the_thing(browser: Browser, serve: Serve) -> None:
    """Who is meant in Love Letter lights up as a whole: also where the cards lie that were played."""
    address = serve("love-letter")
    links = sit(browser, address, "me", "me", size=PHONE)["seats"]
    inner = """
        return [...document.querySelectorAll(".person.lit [data-place]:not(.lit, .held)")].find((one) => {
          return one.parentElement.closest("[data-place].lit");
        })"""
    for seed in range(1, 60):
        browser.open(address + links[seed % 2])
        if found := browser.ask(inner):
            break
        browser.play(seed, 1)
        browser.idle()
    assert found, "a player lights up who has played something"
    person = browser.ask("return arguments[0].closest('.lit').dataset.place", found)
    lines = len(browser.log())
    browser.ask("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))", found)
    held = f"return !!document.querySelector('.held[data-place=\"{person}\"]')"
    browser.until(lambda: browser.ask(held) or len(browser.log()) > lines, "who is meant")


FAILING = """
const ask = window.fetch;
window.fetch = (path, sent) => {
  if (!window.broken?.test(path)) return ask(path, sent);
  window.missed = true;
  return Promise.reject(new TypeError("lost"));
};
"""
TAKE = "document.querySelector('main .lit').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
LIT = "return document.querySelectorAll('main .lit').length"


def test_a_look_that_fails_is_made_again(browser: Browser, serve: Serve) -> None:
    address = serve("tic-tac-toe")
    links = sit(browser, address, "me", "open")["seats"]
    browser.ask(FAILING)
    home = browser.driver.current_window_handle
    browser.ask(TAKE)
    browser.until(lambda: not browser.ask(LIT), "the decision")
    browser.idle()
    browser.ask("window.broken = /lang=/")
    browser.driver.switch_to.new_window("tab")
    browser.open(address + links[1])
    browser.ask(TAKE)
    browser.until(lambda: len(browser.log()) == 2, "the other's decision")
    other = browser.driver.current_window_handle
    browser.driver.switch_to.window(home)
    browser.until(lambda: browser.ask("return window.missed"), "a look that failed")
    browser.ask("window.broken = null")
    browser.until(lambda: len(browser.log()) == 2, "what the other has decided")
    assert browser.ask(LIT)
    browser.driver.switch_to.window(other)
    browser.driver.close()
    browser.driver.switch_to.window(home)


def test_a_page_that_was_refused_listens_again(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser connects again by itself where a server is gone, and not where it was too busy to let it listen."""
    listened, refused = Server._all_events, list[Request]()

    async def busy(server: Server, request: Request) -> Response:
        refused.append(request)
        return Response(status_code=503) if len(refused) < 2 else await listened(server, request)

    monkeypatch.setattr(Server, "_all_events", busy)
    found = shipped.find_game("tic-tac-toe")
    assert found is not None
    with serving(Game(load_blueprint(found)), tmp_path) as address:
        sit(browser, address, "open", "bot:random")
        browser.until(lambda: browser.ask("return !document.body.classList.contains('broken')") and len(refused) > 1)
        click(browser, "s:board:b2")
        browser.until(lambda: len(browser.log()) == 2, "what the bot has decided")
        browser.leave()


def test_a_look_back_that_fails_does_not_keep_the_old_table(browser: Browser, serve: Serve) -> None:
    """In another language the page asks how the table looked when this seat had decided."""
    sit(browser, serve("chess"), "me", "bot:random")
    for place in ("s:board:e2", "s:board:e4"):
        click(browser, place)
    browser.until(lambda: len(browser.log()) == 2, "the bot")
    browser.ask(FAILING)
    browser.ask("window.broken = /[/]at[/]/")
    browser.ask("document.getElementById('language').click()")
    browser.until(lambda: "Ваш ход" in browser.text("ask"), "the other language")
    assert browser.ask("return window.missed")
    assert browser.ask(LIT)


BOXES = "return [...document.querySelectorAll(arguments[0])].map((one) => one.getBoundingClientRect().toJSON())"


@pytest.mark.parametrize("name", ["holdem", "court-intrigue", "love-letter"])
def test_a_few_who_sit_at_cards_sit_in_one_row(name: str, browser: Browser, serve: Serve) -> None:
    sit(browser, serve(name), "me", *["bot:random"] * 3)
    browser.in_language("ru")
    assert len({box["top"] for box in browser.ask(BOXES, "#others > .seat")}) == 1
    assert not browser.ask(CUT)


def test_on_a_phone_ones_own_boards_come_first_and_fit(browser: Browser, serve: Serve) -> None:
    sit(browser, serve("outpost"), "me", "bot:random", "bot:random", size=PHONE)
    for language in ("en", "ru"):
        browser.in_language(language)
        browser.ask("document.querySelector('#views .view').click()")
        own, others = (browser.ask(BOXES, f"#boards > .board{kind}") for kind in (":not(.of-others)", ".of-others"))
        assert len(others) == 2 * len(own)
        assert all(box["width"] for box in own)
        assert not any(box["width"] for box in others), "they are in views of their own"
        assert len(browser.ask(TEXTS, "#views .view")) == 4, "one's own, two others, the table"
        assert browser.ask(
            "return [...document.querySelectorAll('.frame')].every((f) => f.scrollWidth <= f.clientWidth)"
        )
        assert not browser.ask(CUT)


def test_the_lobby_offers_all_who_take_part_and_bots_in_the_readers_words(browser: Browser, serve: Serve) -> None:
    address = serve("outpost")
    browser.driver.get(f"{address}/?lang=ru")
    browser.until(lambda: browser.driver.find_elements("id", "start"), "the lobby")
    begins = "return [...document.querySelector('[data-option=begins]').options].map((one) => one.value)"
    for count in (1, 3, 2):
        browser.ask(
            "const box = document.getElementById('players'); box.value = arguments[0];"
            "box.dispatchEvent(new Event('change'))",
            str(count),
        )
        assert browser.ask(begins) == ["none", *(f"player_{number}" for number in range(1, count + 1))]
    said = browser.ask("return [...document.querySelectorAll('[data-seat] option')].map((o) => o.text + o.title)")
    assert said
    assert not [text for text in said if re.search("[a-z]", text)]
