"""Sets that are picked in any order on the page: what the server keeps of it, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from starlette.testclient import TestClient
from test_gathering import ASKED, CARDS
from test_web import begun, choose, snapshot

from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.web.server import Server, Serving


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
        assert choose(client, page, key_of(seen, f"take {name}"), seen["move"]).status_code == 200
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
    key = key_of(snapshot(client, mine), "take 6 of hearts")
    assert choose(client, mine, key, 0).json()["repeated"] is False
    assert choose(client, mine, key, 0).json()["repeated"] is True
    assert steps(snapshot(client, mine)) == ["6 of hearts"]


@pytest.mark.parametrize("key", ["+", "+99", "+-1", "+x", "++1", "+1.5"])
def test_what_cannot_be_picked_is_refused(client: TestClient, key: str) -> None:
    mine = begun(client, "open", "open")["seats"][0]
    assert choose(client, mine, key, 0).status_code == 422
