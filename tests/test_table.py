"""What a page is told of a play (`web.table`): that it is whole, and that no text of a game becomes markup."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ruledsl
from games import NAMES, PATHS, load, named, playout
from ruledsl.boards.marks import plain
from ruledsl.engine.options import DONE
from ruledsl.runtime.arranged import arranged
from ruledsl.runtime.gathering import PICKED
from ruledsl.runtime.table import table
from ruledsl.web.table import snapshot
from ruledsl.web.table.targets import Targets

SVG = "{http://www.w3.org/2000/svg}"
EVERY = 7  # positions between two that are looked at
PICK = {"en": "pick", "ru": "выбрать"}
ENOUGH = {"en": "done", "ru": "готово"}

BITTER = """\
ruledsl: 1
game: bitter
title: {en: "<b>a</b> & \\"b\\"", ru: "<script>x</script>"}
players: [one, two]
board:
  grid: {width: 2, height: 2}
pieces:
  mark: {per: player, count: 2}
text:
  en: {mark: "<img src=x onerror=alert(1)>", one: "\\"><script>1</script>"}
  ru: {mark: "</text></svg><i>", one: "'><i>"}
play:
  - turns: players
    do:
      - choose: {cell: board where empty(cell)}
        label: "<u>{cell}"
        else: {tie: players}
      - move: mark
        to: cell
"""


ALIKE = """\
ruledsl: 1
game: paces
players: 1..2
values: {wet: bool}
actions:
  walk: {menu: paces, when: not wet, do: []}
  leap: {menu: paces, when: wet, do: []}
  swim: {menu: paces, when: wet, do: []}
  dive: {menu: paces, when: wet, do: []}
text:
  en: {walk: Move, leap: Move, swim: Cross, dive: Cross}
play:
  - turns: players
    do: {choose one: paces}
"""


def ids_shown(found: dict[str, Any]) -> set[str]:
    """All that can be taken hold of on the page."""
    held = {
        place.get("data-place")
        for board in found["boards"]
        for place in ElementTree.fromstring(board["picture"]).iter()
    }
    held |= {area["id"] for area in found["areas"] if area["sort"] == "place"}
    held |= {item["id"] for area in found["areas"] for item in area.get("items", ())}
    counted = [*found["areas"], *(value for panel in found["panels"] for value in panel["values"])]
    held |= {token["id"] for one in counted for token in one.get("tokens", ())}
    return {str(one) for one in held if one} | {panel["id"] for panel in found["panels"]}


def each(option: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The key and the text of each option that an entry stands for."""
    series = option.get("series")
    if series is None:
        yield option["key"], option["text"]
        return
    assert option["text"] == f"{series['head']}{series['number']}{series['tail']}"
    for n in range(series["count"]):
        yield str(int(option["key"]) + n), f"{series['head']}{series['number'] + n}{series['tail']}"


def says_what_it_does(button: str, text: str, language: str) -> bool:
    """Whether a button says what it adds to a set, or what is done with the set, where a list to type at tells the
    steps to it: `pick: 2` for `attack fort 3 with 2`, `pick none` for `done`."""
    kind, _, what = button.partition(": ")
    if kind == PICK[language]:
        return bool(what) and (language != "en" or what in text)  # elsewhere names change with what stands before them
    return text == ENOUGH[language] and button not in ENOUGH.values() and bool(button)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_all_that_options_are_about_is_on_the_page(path: Path) -> None:
    rng = random.Random(3)
    for number, play in enumerate(playout(load(path), seed=3, limit=60)):
        if number % EVERY:
            continue
        for seat in (None, *play.pending):
            found = json.loads(json.dumps(snapshot(play, seat, rng.choice(("en", "ru")))))
            shown = ids_shown(found)
            for option in found["options"]:
                assert set(option["places"]) <= shown, option
            options = play.options(seat) if seat is not None and seat in play.pending else []
            if options and seat is not None:
                # Those that differ in a number alone are one entry; all stand in the order of the table.
                # Elements of a set are picked in any order: also those with which the rules do not begin.
                picked = {option["key"] for option in found["options"] if option["key"].startswith(PICKED)}
                told = {key: text for option in found["options"] for key, text in each(option)}
                beyond = {key for key in picked if int(key[1:]) >= len(options)}
                told = {key.removeprefix(PICKED): text for key, text in told.items() if key not in beyond}
                language = found["language"]
                texts = {str(o.index): plain(o.text or o.notation) for o in play.options(seat, language)}
                stops = {str(option.index) for option in options if option.raw[0] == DONE}
                picks = {option["key"].removeprefix(PICKED) for option in found["options"] if option.get("picks")}
                for key in stops | (picks & told.keys()):
                    told[key] = texts[key] if says_what_it_does(told[key], texts[key], language) else told[key]
                assert told == texts
                inside = [str(option.index) for option in arranged(play, seat, options) if str(option.index) in told]
                first = [o["key"].removeprefix(PICKED) for o in found["options"] if o["key"] not in beyond]
                assert [key for key in inside if key in first] == first
            assert (found["result"] is not None) == play.over


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_each_thing_is_on_the_page_once(path: Path) -> None:
    for number, play in enumerate(playout(load(path), seed=5, limit=40)):
        if number % EVERY:
            continue
        found = snapshot(play, 0)
        pictures = [ElementTree.fromstring(board["picture"]) for board in found["boards"]]
        held = [place.get("data-place") for picture in pictures for place in picture.iter() if place.get("data-place")]
        held += [item["id"] for area in found["areas"] for item in area.get("items", ()) if item["id"]]
        held += [area["id"] for area in found["areas"] if area["sort"] == "place"]
        assert len(held) == len(set(held))
        defined = [one.get("id") for picture in pictures for one in picture.iter() if one.get("id")]
        assert len(defined) == len(set(defined))


def test_texts_of_a_game_are_texts_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "bitter.yaml"
    path.write_text(BITTER, encoding="utf-8")
    play = ruledsl.load(path).start(seed=1)
    play.choose(0)
    for language in ("en", "ru"):
        for board in snapshot(play, 0, language)["boards"]:
            tree = ElementTree.fromstring(board["picture"])
            assert {one.tag for one in tree.iter()} <= {
                SVG + tag for tag in ("svg", "defs", "marker", "path", "g", "polygon", "circle", "text")
            }
            assert not any(name.startswith("on") or name == "style" for one in tree.iter() for name in one.attrib)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_pictures_have_no_style_of_their_own(path: Path) -> None:
    """A page allows none: its policy for content lets only its own style sheet in."""
    for board in snapshot(load(path).start(seed=2), None)["boards"]:
        assert "<style" not in board["picture"]
        assert not re.search(r"\sstyle=", board["picture"])


def test_what_is_possible_is_not_said_to_be_impossible_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "paces.yaml"
    path.write_text(ALIKE, encoding="utf-8")
    found = snapshot(ruledsl.load(path).start(seed=1), 0)
    assert ([option["action"] for option in found["options"]], found["closed"]) == (["Move"], ["Cross"])


def test_a_thing_that_stands_for_no_piece_is_named_after_no_row() -> None:
    play = load(next(path for path in PATHS if path.parent.name == "burgs")).start(seed=1)
    panels = table(play, 0).panels
    assert Targets(play, 0, panels, play.state).named
    bare = [replace(panel, pieces=tuple(() for _ in panel.things)) for panel in panels]
    assert not Targets(play, 0, bare, play.state).named


def test_what_is_named_after_a_row_is_chosen_where_it_lies() -> None:
    """In a market of stocks one buys `a Penny`, not this or that piece: the card that lies there is taken hold of."""
    play = load(next(path for path in PATHS if path.parent.name == "burgs")).start(seed=1)
    while not (bought := [one for one in snapshot(play, play.pending[0])["options"] if "buy a" in one["text"]]):
        play.choose(play.options()[0])
    cards = next(area for area in snapshot(play, play.pending[0])["areas"] if area.get("id") == "a:reserve_card")[
        "items"
    ]
    titles = {item["id"]: item["text"] for item in cards}
    assert [f"buy a {titles[one['places'][0]]}" for one in bought] == [one["text"] for one in bought]


def test_who_pays_points_at_their_own_tokens_and_at_where_they_go() -> None:
    """In Bastion one takes mana by putting a chip on a source or on the tower of the quarter: a chip of one's own."""
    play = ruledsl.load(next(path for path in PATHS if named(path) == "bastion")).start(players=2, seed=3)
    go = next(option for option in play.options(0) if option.text == "go to quarter 5")
    play.choose(go, 0)
    towers = [o["places"] for o in snapshot(play, 0)["options"] if "tower" in o["text"]]
    assert towers
    assert all(place[0] == "s:city:q5" and place[1].startswith("k:mana:0:") for place in towers)
    sources = [o["places"] for o in snapshot(play, 0)["options"] if o["text"].startswith("source")]
    assert all(place[0].startswith("s:sources:") and place[1].startswith("k:mana:0:") for place in sources)


def test_what_tells_one_number_says_how_much_it_is() -> None:
    """So that the page can tell by how much it changed, whatever words stand around it."""
    found = snapshot(load(PATHS[NAMES.index("holdem")]).start(2, seed=5), 0, "ru")
    pot = next(area for area in found["areas"] if area.get("name") == "game 0")
    assert (pot["text"], pot["amount"]) == ("банк: 30", 30)
    told = [[(value["name"], value["amount"]) for value in panel["values"]] for panel in found["panels"]]
    assert told == [[("player 0", 1490), ("player 1", 10)], [("player 0", 1480), ("player 1", 20)]]
