"""Rules that change while they are played: plays go on as far as what was decided holds, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from starlette.testclient import TestClient
from test_web import begun, choose, snapshot, until

from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.web.house import Limits
from ruledsl.web.server import Server, Serving

NUTS = """\
ruledsl: 1
game: nuts
players: [hermit, squirrel]
values:
  left: {is: 0..50, start: 9, show: always}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(3, left)
        label: take {n}
        else: {end: game}
      - subtract: {left: n}
      - if: left == 0
        then: {win: me}
"""
MANY = Limits(per_second=1e9, at_once=10**9)


@contextmanager
def table(path: Path, watch: bool = False) -> Iterator[tuple[TestClient, Server]]:
    server = Server(Serving(Game(load_blueprint(path)), path.with_name("plays.sqlite"), MANY, watch=watch))
    with TestClient(server.app, base_url="http://localhost") as client:
        yield client, server


@pytest.fixture
def nuts(tmp_path: Path) -> Path:
    path = tmp_path / "nuts.yaml"
    path.write_text(NUTS)
    return path


def left(client: TestClient, page: str) -> str:
    return str(next(panel for panel in snapshot(client, page)["panels"] if "left" in str(panel)))


def take(client: TestClient, pages: list[str], *counts: int) -> None:
    for count in counts:
        page = next(page for page in pages if snapshot(client, page)["options"])
        assert choose(client, page, count - 1).status_code == 200


def said(client: TestClient, page: str) -> tuple[int, str]:
    found = snapshot(client, page)
    return found["move"], found["notice"]


def test_a_play_is_carried_over_when_the_rules_have_changed_between(nuts: Path) -> None:
    with table(nuts) as (client, _):
        pages = begun(client, "open", "open")["seats"]
        take(client, pages, 3, 1, 2)
        assert said(client, pages[0]) == (3, "")
    nuts.write_text(NUTS.replace("start: 9", "start: 12"))
    with table(nuts) as (client, _):
        notice = "The rules have changed. All 3 decisions of this play hold under the new rules."
        assert said(client, pages[0]) == (3, notice)
        take(client, pages, 3)
        assert not snapshot(client, pages[0])["over"], "there are twelve now"
    with table(nuts) as (client, _):
        assert said(client, pages[0]) == (4, "")


def test_where_rules_part_from_a_play_is_told_and_nothing_is_lost(nuts: Path) -> None:
    with table(nuts) as (client, _):
        pages = begun(client, "open", "open")["seats"]
        take(client, pages, 1, 3, 2)
        before = snapshot(client, pages[0])
    nuts.write_text(NUTS.replace("min(3, left)", "min(2, left)"))
    with table(nuts) as (client, _):
        parted = "The rules have changed. The first 1 of 3 decisions hold; decision 2 (n=3) does not."
        assert said(client, pages[0]) == (1, parted)
    with table(nuts) as (client, _):
        assert said(client, pages[0])[0] == 1, "it stays there when the server starts again"
    nuts.write_text(NUTS)
    with table(nuts) as (client, _):
        assert said(client, pages[0])[0] == 3, "the rules have changed back"
        again = snapshot(client, pages[0])
        assert {key: again[key] for key in ("panels", "log", "options")} == {
            key: before[key] for key in ("panels", "log", "options")
        }


def test_what_did_not_hold_is_given_up_when_play_goes_on(nuts: Path) -> None:
    with table(nuts) as (client, _):
        pages = begun(client, "open", "open")["seats"]
        take(client, pages, 1, 3, 2)
    nuts.write_text(NUTS.replace("min(3, left)", "min(2, left)"))
    with table(nuts) as (client, _):
        take(client, pages, 2)
        assert said(client, pages[0])[0] == 2
    nuts.write_text(NUTS)
    with table(nuts) as (client, _):
        assert said(client, pages[0])[0] == 2


def test_a_play_that_the_rules_do_not_know_any_more_waits(nuts: Path) -> None:
    with table(nuts) as (client, _):
        pages = begun(client, "open", "open")["seats"]
        take(client, pages, 1)
    nuts.write_text(NUTS.replace("[hermit, squirrel]", "[hermit, squirrel, bear]"))
    with table(nuts) as (client, _):
        found = client.get(f"/api{pages[0]}")
        assert found.status_code == 409
        assert found.json()["error"] == (
            "The rules have changed so that this play cannot be set up any more: nuts is for 3 players, not 2"
        )
    nuts.write_text(NUTS)
    with table(nuts) as (client, _):
        assert said(client, pages[0])[0] == 1


def test_a_save_is_checked_and_plays_go_on_under_it(nuts: Path) -> None:
    def watched(client: TestClient) -> dict[str, Any]:
        found: dict[str, Any] = client.get("/api/watch").json()
        return found

    with table(nuts, watch=True) as (client, _):
        assert watched(client) == {"watching": True, "errors": 0, "warnings": 0, "diagnostics": []}
        pages = begun(client, "open", "open")["seats"]
        take(client, pages, 3, 1)
        nuts.write_text(NUTS.replace("min(3, left)", "min(3, lefd)"))
        until(lambda: watched(client)["errors"] == 1)
        (found,) = watched(client)["diagnostics"]
        assert (found["file"], found["line"], found["message"]) == ("nuts.yaml", 10, "nothing is called `lefd`")
        assert found["help"] == "did you mean `left`?"
        assert said(client, pages[0]) == (2, ""), "play goes on under the rules that had no mistake"
        take(client, pages, 1)
        nuts.write_text(NUTS.replace("min(3, left)", "min(4, left)"))
        until(lambda: watched(client)["errors"] == 0)
        until(lambda: snapshot(client, pages[0])["notice"] != "")
        assert said(client, pages[0])[0] == 3
        mover = next(page for page in pages if snapshot(client, page)["options"])
        assert len(snapshot(client, mover)["options"]) == 4


def test_a_page_is_told_of_saves_only_where_they_are_watched(nuts: Path) -> None:
    with table(nuts) as (client, _):
        assert client.get("/api/watch").json() == {"watching": False}
