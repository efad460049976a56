"""The law of views over the wire: what the server sends to a seat is a function of what the seat may know.

The law of secrecy.py, with plays that are begun and moved on by messages. What is held against other worlds is what the
server answers: snapshots, what may be taken back, versions, refusals, reasons. And while several decide in secret, the
steps of one change nothing of what is sent to others.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from secrecy import Law, Received, Seat, Told
from starlette.testclient import TestClient

from games import HIDING, NAMES, PATHS
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play
from ruledsl.web.house import Limits
from ruledsl.web.rooms import Room
from ruledsl.web.server import Server, Serving
from ruledsl.web.table import snapshot

DECISIONS = 8
LONG = 150
MANY = Limits(per_second=1e9, at_once=10**9, new_per_minute=1e9)


class Wire(Law):
    """Plays on a server; what a seat receives is what comes over the wire."""

    client: TestClient
    server: Server
    links: dict[Seat, str]

    def begun(self) -> Play:
        order = {"seats": ["open"] * self.players, "seed": self.seed}
        found = self.client.post("/api/plays", json=order).json()
        self.links = dict(enumerate(found["seats"])) | {None: found["spectator"]}
        return self.room().play

    def room(self) -> Room:
        return self.server.house.room(self.links[None].rpartition("/")[2])[0]

    def decide(self, play: Play, number: int, seat: int) -> None:
        """By a message; what others are sent is held against what they were sent before, if all is secret so far."""
        other = self.rng.choice([one for one in self.links if one != seat])
        together, pending, before = play.together, play.pending, self.sent(other)
        move = self.client.get(f"/api{self.links[seat]}").json()["move"]
        found = self.client.post(f"/api{self.links[seat]}/choose", json={"move": move, "choice": number})
        assert found.status_code == 200, found.text
        if together is not None and play.together is together and play.pending == pending:
            changed = f"{play.players[seat]} has taken one more step in secret"
            self.compare(before, self.sent(other), other, changed, play)
            self.tried["steps"] += 1

    def sent(self, seat: Seat) -> Received:
        link = self.links[seat]
        found = {f"snapshot ({lang})": self.client.get(f"/api{link}?lang={lang}").text for lang in ("en", "ru")}
        found["refusal"] = self.client.post(f"/api{link}/choose", json={"move": 10**6, "choice": 0}).text
        found["replay"] = self.client.get(f"/api{link}/replay").text
        return found

    def receive(self, play: Play, seat: Seat, asked: str = "", since: int = 0, whole: bool = True) -> Received:
        room = self.room()
        own = room.play
        # What was before is known of the play itself alone; in no other world there is anything to be taken back.
        room.play = play.copy() if play is own else play
        try:
            found = self.sent(seat)
            if asked:
                found[f"answer to `why {asked}`"] = self.client.get(
                    f"/api{self.links[seat]}/why", params={"option": asked}
                ).text
        finally:
            room.play = own
        return found


def wire(path: Path, plays: Path, seed: int) -> tuple[Wire, TestClient]:
    game = Game(load_blueprint(path))
    server = Server(Serving(game, plays / "plays.sqlite", MANY))
    law = Wire(game, random.Random(seed), terminal=0.0)
    law.server = server
    law.client = TestClient(server.app, base_url="http://localhost")
    return law, law.client


def hold(path: Path, plays: Path, seed: int, decisions: int) -> Wire:
    law, client = wire(path, plays, seed)
    with client:
        law.play(random.Random(seed).choice(law.game.players), seed, 1, decisions)
    return law


@pytest.mark.parametrize("path", HIDING, ids=[NAMES[PATHS.index(path)] for path in HIDING])
def test_a_seat_is_sent_only_what_it_may_know(path: Path, tmp_path: Path) -> None:
    hold(path, tmp_path, 1, DECISIONS)


@pytest.mark.long
@pytest.mark.parametrize("path", HIDING, ids=[NAMES[PATHS.index(path)] for path in HIDING])
def test_a_seat_is_sent_only_what_it_may_know_in_long_plays(path: Path, tmp_path: Path) -> None:
    for seed in range(3):
        hold(path, tmp_path / str(seed), seed, LONG)


SECRETLY = [path for path in HIDING if "together:" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", SECRETLY, ids=[NAMES[PATHS.index(path)] for path in SECRETLY])
def test_every_seat_sees_a_table_to_the_end_of_a_play(path: Path) -> None:
    """Also those who have left the play, while others decide in secret."""
    game, rng = Game(load_blueprint(path)), random.Random(5)
    play = game.start(game.players[-1], 5)
    for number in range(300):
        left_out = play.together is not None and len(play.together.seats) < len(play.players)
        for seat in (None, *range(len(play.players))) if left_out or play.over or number % 12 == 0 else ():
            assert snapshot(play, seat)["seat"] == seat
        if play.over:
            return
        seat = rng.choice(play.pending)
        stop = play.stop_of(seat)
        assert stop is not None
        play.choose(rng.randrange(len(stop.options)), seat)


def test_the_law_compares_something(tmp_path: Path) -> None:
    tried: dict[str, int] = {}
    for path in HIDING:
        if NAMES[PATHS.index(path)] in ("thorns", "secret_routes"):
            law = hold(path, tmp_path / NAMES[PATHS.index(path)], 2, 12)
            tried = {what: tried.get(what, 0) + law.tried[what] for what in {*tried, *law.tried}}
    assert tried["swaps"] > 10
    assert tried["forks"] > 0
    assert tried["steps"] > 0


@pytest.mark.parametrize("leak", ["options of others", "a number that others move"])
def test_a_leak_that_is_planted_is_found(leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(play: Play, seat: Seat, language: str = "en", **more: Any) -> dict[str, Any]:
        found = snapshot(play, seat, language, **more)
        if leak == "options of others":
            asked = play.pending[0] if play.pending else None
            found["hint"] = [option.text for option in play.options(asked)]
        else:
            found["decided"] = len(play.decisions)
        return found

    monkeypatch.setattr("ruledsl.web.server.snapshot", telling)
    name = "love-letter" if leak == "options of others" else "secret_routes"
    path = next(path for path in HIDING if NAMES[PATHS.index(path)] == name)
    with pytest.raises(Told):
        _hold_often(path, tmp_path)


def _hold_often(path: Path, plays: Path) -> None:
    for seed in range(10):
        hold(path, plays / str(seed), seed, 40)
