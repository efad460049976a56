"""A server is killed at any moment: whatever was answered is on disk, and play goes on where it was."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from serve import Connection
from test_web_guards import process

from ruledsl.web.store import Store

KILLS = 3
LONG = 200
PLAYS = 6
GAME = "connect-four"


class Player:
    """Decides for both seats of a play, and remembers what was answered; what was not, it sends again."""

    def __init__(self, links: list[str], seed: int) -> None:
        self.links, self.rng = links, random.Random(seed)
        self.answered: list[tuple[int, int]] = []
        self.unanswered: tuple[str, dict[str, int]] | None = None
        self.move = 0
        self.over = False

    def has_ended(self) -> bool:
        return self.over

    async def play(self, port: int) -> None:
        page = await Connection(port).open()
        while not self.has_ended():
            link, message = self.unanswered or await self.next(page)
            if self.has_ended():
                return
            self.unanswered = (link, message)
            status, data, _ = await page.ask("POST", f"/api{link}/choose", message)
            assert status == 200, data
            self.answered.append((message["move"], message["choice"]))
            self.unanswered, self.move = None, json.loads(data)["move"]

    async def next(self, page: Connection) -> tuple[str, dict[str, int]]:
        for link in self.links:
            status, data, _ = await page.ask("GET", f"/api{link}")
            assert status == 200, data
            seen: dict[str, Any] = json.loads(data)
            assert seen["move"] == self.move, "what was answered is there, and nothing else"
            self.over = seen["over"]
            if seen["options"]:
                return link, {"move": seen["move"], "choice": self.rng.randrange(len(seen["options"]))}
        return "", {}


async def begun(port: int, seed: int) -> Player:
    status, data, _ = await (await Connection(port).open()).ask("POST", "/api/plays", {"seats": ["open", "open"]})
    assert status == 201, data
    return Player(json.loads(data)["seats"], seed)


def on_disk(plays: Path, player: Player) -> list[tuple[int, int]]:
    store = Store(plays, GAME)
    try:
        number = store.play_of(player.links[0].rpartition("/")[2])
        assert number is not None
        return [(row.move, json.loads(row.said)) for row in store.read(number)[1] if row.by == "person"]
    finally:
        store.close()


async def played_until_killed(
    server: subprocess.Popen[str], port: int, players: list[Player], answers: int, rest: float
) -> None:
    """After so many answers and a moment more, whatever is under way then."""
    tasks = [asyncio.ensure_future(player.play(port)) for player in players]
    until = answers + sum(len(player.answered) for player in players)
    while sum(len(player.answered) for player in players) < until and not all(task.done() for task in tasks):
        await asyncio.sleep(0.001)
    await asyncio.sleep(rest)
    server.kill()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        assert not isinstance(found, AssertionError), found


async def more(port: int, players: list[Player], rng: random.Random) -> list[Player]:
    return [*players, *[await begun(port, rng.randrange(10**6)) for _ in range(PLAYS - len(players))]]


def kill_again_and_again(plays: Path, kills: int, seed: int) -> int:
    """How many decisions were answered meanwhile."""
    rng, players, ended = random.Random(seed), list[Player](), 0
    for _ in range(kills):
        with process(GAME, plays) as (server, port):
            players = asyncio.run(more(port, players, rng))
            asyncio.run(played_until_killed(server, port, players, rng.randrange(16), rng.random() * 0.02))
            server.wait(30)
        for player in players:
            kept = on_disk(plays, player)
            assert kept[: len(player.answered)] == player.answered
            assert len(kept) <= len(player.answered) + 1, "at most what was sent and not answered"
        ended += sum(len(player.answered) for player in players if player.over)
        players = [player for player in players if not player.over]
    return ended + sum(len(player.answered) for player in players)


def test_no_answered_decision_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    assert kill_again_and_again(tmp_path / "plays.sqlite", KILLS, 1) > 0


@pytest.mark.long
def test_no_answered_decision_is_lost_in_many_kills(tmp_path: Path) -> None:
    assert kill_again_and_again(tmp_path / "plays.sqlite", LONG, 2) > 1_000
