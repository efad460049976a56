"""Sets that are picked in any order on the page: what the server keeps of it, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from starlette.testclient import TestClient
from test_gathering import ASKED, CARDS, game
from test_web import begun, choose, snapshot

from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.runtime.gathering import in_any_order
from ruledsl.web.server import Server, Serving
from ruledsl.web.table import snapshot as table


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    text = CARDS.replace("WHAT", ASKED["three of them"]).replace("- DONE", "- {move: xs, to: me.mine}")
    (tmp_path / "game.yaml").write_text(text)
    server = Server(Serving(Game(load_blueprint(tmp_path / "game.yaml")), tmp_path / "plays.sqlite"))
    with TestClient(server.app, base_url="http://localhost") as client:
        yield client


def key_of(seen: dict[str, Any], text: str) -> str:
    found: str = next(option["key"] for option in seen["options"] if option["text"] == text)
    return found


def pick(client: TestClient, page: str, *names: str) -> dict[str, Any]:
    for name in names:
        seen = snapshot(client, page)
        key = next(option["key"] for option in seen["options"] if name in option["text"])
        assert choose(client, page, key, seen["move"]).status_code == 200
    return snapshot(client, page)


def steps(seen: dict[str, Any]) -> list[str]:
    return [step["text"] for step in seen["partial"]]


def test_what_is_picked_is_seen_by_who_picks_and_nobody_else(client: TestClient) -> None:
    mine, theirs = begun(client, "open", "open")["seats"]
    before, theirs_before = snapshot(client, mine), snapshot(client, theirs)
    assert len(before["options"]) == 12
    seen = pick(client, mine, "6 of hearts", "1 of hearts")
    assert steps(seen) == ["6 of hearts", "1 of hearts"]
    assert [step["places"] for step in seen["partial"]] == [["p:table:11"], ["p:table:6"]]
    assert len(seen["options"]) == 10
    assert seen["move"] == before["move"]
    assert seen["version"] != before["version"]
    assert snapshot(client, theirs) == theirs_before


def test_a_whole_set_is_one_decision(client: TestClient) -> None:
    mine, theirs = begun(client, "open", "open")["seats"]
    seen = pick(client, mine, "6 of hearts", "1 of hearts", "2 of clubs")
    assert seen["log"][-1]["text"] == "player 1: take 1 of hearts, 2 of clubs, 6 of hearts"
    assert not seen["options"]
    assert len(snapshot(client, theirs)["options"]) == 9
    assert client.post(f"/api{mine}/undo", json={"move": seen["move"]}).status_code == 200
    again = snapshot(client, mine)
    assert (again["move"], steps(again), len(again["options"])) == (0, ["6 of hearts", "1 of hearts"], 10)


def test_what_was_picked_elsewhere_is_forgotten(client: TestClient) -> None:
    mine, theirs = begun(client, "open", "open")["seats"]
    pick(client, mine, "6 of hearts", "1 of hearts", "2 of clubs")
    pick(client, theirs, "5 of hearts", "3 of clubs", "4 of clubs")
    assert steps(snapshot(client, mine)) == []


def test_what_was_picked_last_is_put_back(client: TestClient) -> None:
    mine = begun(client, "open", "open")["seats"][0]
    seen = pick(client, mine, "6 of hearts", "1 of hearts")
    assert seen["undo"]
    client.post(f"/api{mine}/undo", json={"move": seen["move"]})
    assert steps(snapshot(client, mine)) == ["6 of hearts"]
    client.post(f"/api{mine}/undo", json={"move": seen["move"]})
    assert steps(snapshot(client, mine)) == []
    assert not snapshot(client, mine)["undo"]


def test_the_same_message_twice_picks_once(client: TestClient) -> None:
    mine = begun(client, "open", "open")["seats"][0]
    key = key_of(snapshot(client, mine), "pick: 6 of hearts")
    assert choose(client, mine, key, 0).json()["repeated"] is False
    assert choose(client, mine, key, 0).json()["repeated"] is True
    assert steps(snapshot(client, mine)) == ["6 of hearts"]


@pytest.mark.parametrize("key", ["+", "+99", "+-1", "+x", "++1", "+1.5"])
def test_what_cannot_be_picked_is_refused(client: TestClient, key: str) -> None:
    mine = begun(client, "open", "open")["seats"][0]
    assert choose(client, mine, key, 0).status_code == 422


def texts(seen: dict[str, Any]) -> list[str]:
    return [option["text"] for option in seen["options"]]


def test_a_button_says_what_a_click_on_it_does(client: TestClient) -> None:
    """The first two only pick, and the third takes all of them."""
    mine = begun(client, "open", "open")["seats"][0]
    assert all(text.startswith("pick: ") for text in texts(snapshot(client, mine)))
    seen = pick(client, mine, "6 of hearts", "1 of hearts")
    assert "take 1 of hearts, 3 of clubs, 6 of hearts" in texts(seen)
    assert all(text.startswith("take 1 of hearts, ") or ", 6 of hearts" in text for text in texts(seen))
    assert not [option for option in seen["options"] if option.get("picks")]
    assert not seen["closed"]


@pytest.mark.parametrize("what", ["some of them", "some that are alike", "of a bag", "a set, then more"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_button_says_only_that_it_is_enough(what: str, language: str, tmp_path: Path) -> None:
    play = game(tmp_path, what)
    options = in_any_order(play, 0, play.options(0), language)
    for _ in range(2):
        first = next(option for option in options if option.gathered)
        seen = table(play, 0, language, picked=first.gathered)
        found = [option["text"] for option in seen["options"]]
        assert len(set(found)) == len(found) > 0
        assert not {"done", "готово"} & set(found)
        options = in_any_order(play, 0, play.options(0), language, first.gathered)
        if not any(option.gathered for option in options):
            break
