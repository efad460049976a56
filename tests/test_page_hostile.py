"""Games whose every text is an attack, in a real browser: texts are shown as they are, and are no part of the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("selenium", reason="selenium is not installed")

from browser import DESKTOP, Browser, serving

from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game

ATTACK = """"'></title></text><img src=x onerror=window.hit=1><svg onload=window.hit=1><script>window.hit=1</script>"""
WRITTEN = "<img src=x onerror=window.hit=1>"
LANGUAGES = {"en", "ru"}
# What only markup could have brought: elements that the page never makes, and handlers in attributes.
BROUGHT = """
const attack = (attribute) => /^on/i.test(attribute.name) || /^\\s*javascript:/i.test(attribute.value);
const made = '[src="x"], iframe, object, embed, main script, aside script, foreignObject';
const bad = [...document.querySelectorAll("*")].filter((one) => [...one.attributes].some(attack) || one.matches(made));
return { bad: bad.map((one) => one.outerHTML.slice(0, 200)), hit: window.hit ?? null };
"""


def attacked(node: Any) -> Any:
    """The same with an attack behind every text that is written for people."""
    if isinstance(node, list):
        return [attacked(one) for one in node]
    if not isinstance(node, dict):
        return node
    if set(node) & LANGUAGES and set(node) <= LANGUAGES:
        return {language: spoilt(text) for language, text in node.items()}
    return {key: attacked(value) for key, value in node.items() if key != "cases"}


def spoilt(text: Any) -> Any:
    """A text, or the texts of a section by word."""
    if isinstance(text, dict):
        return {word: spoilt(one) for word, one in text.items()}
    return f"{text} {ATTACK}" if isinstance(text, str) else text


@pytest.mark.parametrize("name", ["court-intrigue", "dike-watch", "holdem", "nine-mens-morris"])
def test_no_text_of_a_game_becomes_a_part_of_the_page(name: str, browser: Browser, tmp_path: Path) -> None:
    path = shipped.find_game(name)
    assert path is not None
    whole = attacked(yaml.safe_load(path.read_text(encoding="utf-8")))
    whole.pop("looks", None)
    bad = tmp_path / f"{name}.yaml"
    bad.write_text(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False), encoding="utf-8")
    browser.resize(DESKTOP)
    with serving(Game(load_blueprint(bad)), tmp_path) as address:

        def look(where: str) -> None:
            found = browser.ask(BROUGHT)
            assert found == {"bad": [], "hit": None}, (where, found)

        browser.driver.get(f"{address}/")
        browser.until(lambda: browser.driver.find_elements("id", "start"), "the lobby")
        look("lobby")
        assert WRITTEN in browser.text("title"), "it is shown as it is"
        browser.open(address + browser.begin(address, "me", "bot:random")["seats"][0])
        browser.ask("document.getElementById('rules').click()")
        browser.until(lambda: browser.ask("return document.querySelector('#drawer').lastChild.textContent") != "…")
        look("rules")
        browser.ask("for (const one of document.querySelectorAll('details')) one.open = true")
        assert WRITTEN in browser.text("drawer")
        browser.ask("document.querySelector('#drawer button').click()")
        for language in ("en", "ru"):
            browser.in_language(language)
            for seed in range(12):
                browser.play(seed, 3)
                browser.idle()
                look(f"{language}, {seed}")
            for one in browser.driver.find_elements("css selector", ".closed")[:1]:
                browser.ask("arguments[0].click()", one)
                browser.until(lambda: browser.ask("return document.querySelector('#said .answer')"), "why not")
                look("why not")
        assert WRITTEN in browser.text("log")
        browser.play(5, 400)
        look("the end")
        browser.in_language("en")
        browser.complaints()
        browser.leave()
