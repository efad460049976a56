"""The server of `ruledsl serve`, asked as a browser asks it."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from starlette.testclient import TestClient

from games import NAMES, PATHS, ROOT, load
from ruledsl import shipped
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.web import desk, house, rooms
from ruledsl.web.desk import DECIDE, LATER, LOOK
from ruledsl.web.house import Limits
from ruledsl.web.launch import listen
from ruledsl.web.portrait import portrait
from ruledsl.web.rooms import Room
from ruledsl.web.server import Server, Serving
from ruledsl.web.thinking import Thinkers

LOOSE = Limits(per_second=1e9, at_once=10**9, new_per_minute=1e9)
JSON = {"content-type": "application/json"}


@contextmanager
def served(name: str | Path, plays: Path, **settings: Any) -> Iterator[TestClient]:
    found = name if isinstance(name, Path) else shipped.find_game(name)
    assert found is not None
    game = Game(load_blueprint(found))
    server = Server(Serving(game, plays / "plays.sqlite", **settings))
    with TestClient(server.app, base_url="http://localhost") as client:
        yield client


def begun(client: TestClient, *seats: str, **order: Any) -> dict[str, Any]:
    found = client.post("/api/plays", json={"seats": list(seats), "seed": 1, **order})
    assert found.status_code == 201, found.text
    return found.json()


def snapshot(client: TestClient, page: str, **asked: Any) -> dict[str, Any]:
    found = client.get(f"/api{page}", params=asked)
    assert found.status_code == 200, found.text
    return found.json()


def choose(client: TestClient, page: str, choice: Any, move: int | None = None) -> Any:
    move = snapshot(client, page)["move"] if move is None else move
    return client.post(f"/api{page}/choose", json={"move": move, "choice": choice})


def until(holds: Callable[[], bool], seconds: float = 240.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this did not come about in time"
        time.sleep(0.1)


def test_a_play_is_begun_seen_and_moved_on(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        links = begun(client, "me", "open")
        mine, other = links["seats"]
        spectator = links["spectator"]
        assert len({mine, other, spectator}) == 3
        first = snapshot(client, mine)
        assert (first["move"], first["seat"], len(first["options"])) == (0, 0, 9)
        assert snapshot(client, other)["options"] == []
        assert choose(client, mine, 4).json() == {"move": 1, "version": "0.1.-x", "repeated": False}
        assert len(snapshot(client, other)["options"]) == 8
        assert snapshot(client, spectator)["options"] == []
        assert snapshot(client, spectator)["seat"] is None


def test_the_same_message_twice_counts_once(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        assert choose(client, mine, "4", 0).json()["repeated"] is False
        again = choose(client, mine, "4", 0)
        assert (again.status_code, again.json()) == (200, {"move": 1, "version": "0.1.-x", "repeated": True})
        assert choose(client, other, 0).json()["move"] == 2
        assert choose(client, mine, "4", 0).json()["repeated"] is True


def test_who_is_late_early_or_not_asked_is_told_so(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        links = begun(client, "me", "open")
        mine, other = links["seats"]
        choose(client, mine, 4)
        late = choose(client, mine, 5, 0)
        assert (late.status_code, late.json()) == (
            409,
            {
                "error": "The play has gone on since: this was for move 0, and it is at move 1 now. Look again.",
                "reason": "old",
                "move": 1,
            },
        )
        assert choose(client, mine, 5, 9).json()["reason"] == "ahead"
        assert choose(client, mine, 5, 1).json()["error"] == "It is not your turn: nought must decide."
        assert choose(client, other, 99).json()["error"] == "There is no option 99; there are 8, counted from 0."
        assert choose(client, other, "fly").json()["error"] == "`fly` is not offered here."
        assert (
            choose(client, links["spectator"], 0).json()["error"]
            == "This link is for watching; it cannot make decisions."
        )
        assert client.get("/api/t/nowhere").json()["error"].startswith("This link leads to no play.")


def test_what_was_decided_is_there_after_a_restart(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        choose(client, mine, 4)
        choose(client, other, 0)
        before = snapshot(client, mine)
    with served("tic-tac-toe", tmp_path) as client:
        assert snapshot(client, mine) == before
        assert choose(client, mine, 0).status_code == 200


def test_an_answer_is_sent_at_once() -> None:
    """It is written in two parts; the second must not wait for word that the first has come."""
    with listen("127.0.0.1", 0) as at, socket.create_connection(at.getsockname()):
        accepted, _ = at.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_bot_answers(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, workers=1) as client:
        (mine, bot) = begun(client, "me", "bot:greedy")["seats"]
        assert bot is None
        choose(client, mine, 4)
        until(lambda: snapshot(client, mine)["move"] == 2)
        assert snapshot(client, mine)["options"]


def test_a_play_goes_on_where_no_process_can_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose bot cannot think takes any option; what was decided is kept, and the play can be seen."""

    def refuse(*_: Any) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("ruledsl.web.thinking.ProcessPoolExecutor", refuse)
    with served("tic-tac-toe", tmp_path, workers=1) as client:
        (mine, _) = begun(client, "me", "bot:greedy")["seats"]
        assert choose(client, mine, 4).status_code == 200
        until(lambda: snapshot(client, mine)["move"] == 2)


@pytest.mark.parametrize(
    ("problem", "begun_anew"),
    [
        (BrokenExecutor("a worker died"), True),
        (OSError("no more processes"), True),
        (RuntimeError("cannot schedule new futures after interpreter shutdown"), False),
    ],
)
def test_workers_begin_anew_only_where_that_may_help(
    problem: Exception, begun_anew: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = []

    class Pool(Executor):
        def __init__(self, *_: Any) -> None:
            pools.append(self)

        def submit(self, *_: Any, **__: Any) -> Any:
            raise problem

    monkeypatch.setattr("ruledsl.web.thinking.ProcessPoolExecutor", Pool)
    found = shipped.find_game("tic-tac-toe")
    assert found is not None
    assert Thinkers(Game(load_blueprint(found)), 1).tell("en").exception(60) is problem
    assert len(pools) == 1 + begun_anew


def test_who_asks_a_bot_does_not_wait_until_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker reads all texts of the rules when it begins; that must keep nobody from deciding meanwhile."""
    there = threading.Event()

    class Pool(Executor):
        def __init__(self, *_: Any) -> None:
            assert there.wait(60)

        def submit(self, *given: Any, **_: Any) -> Any:
            found: Future[Any] = Future()
            found.set_result(given[1])
            return found

    monkeypatch.setattr("ruledsl.web.thinking.ProcessPoolExecutor", Pool)
    found = shipped.find_game("tic-tac-toe")
    assert found is not None
    thinkers = Thinkers(Game(load_blueprint(found)), 1)
    answers: list[Future[Any]] = [thinkers.tell(language) for language in ("en", "ru")]
    assert not any(answer.done() for answer in answers)
    there.set()
    assert [answer.result(60) for answer in answers] == ["en", "ru"]
    thinkers.close()
    assert isinstance(thinkers.tell("en").exception(60), RuntimeError), "nobody begins to think when the server ends"


def test_nobody_waits_for_a_long_play_that_somebody_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To go through it takes long, and stops for breath: a look at another play comes first, and who decides in the
    long one meanwhile does it after that."""
    monkeypatch.setattr(rooms, "AT_A_GO", 3)
    monkeypatch.setattr(house, "AT_A_GO", 3)
    monkeypatch.setattr(desk, "BREATH", 0.0)
    found = shipped.find_game("gomoku")
    assert found is not None
    server = Server(Serving(Game(load_blueprint(found)), tmp_path / "plays.sqlite", LOOSE))
    with TestClient(server.app, base_url="http://localhost") as client:
        mine, other = begun(client, "open", "open")["seats"]
        for number in range(20):
            assert choose(client, (mine, other)[number % 2], 0).status_code == 200
        short = begun(client, "open", "open")["seats"][0]
        snapshot(client, short)
        link = mine.rpartition("/")[2]
        before = snapshot(client, other), client.get(f"/api{other}/at/7").json()
        server.house._rooms.clear()
        order: list[str] = []
        begins = threading.Event()
        take = Room._take

        def taken(room: Room, *given: Any) -> Any:
            if not begins.is_set():
                begins.set()
                assert asked.wait(60)
            return take(room, *given)

        monkeypatch.setattr(Room, "_take", taken)

        def noted(name: str, work: Callable[[], Any]) -> Any:
            answer = work()
            order.append(name)
            return answer

        asked = threading.Event()
        long = server.desk.submit(LATER, lambda: noted("long", lambda: server.house.room(link)))
        assert begins.wait(60)
        with ThreadPoolExecutor(2) as browsers:
            look = browsers.submit(noted, "look", lambda: snapshot(client, short))
            decision = browsers.submit(noted, "decision", lambda: choose(client, mine, 0, 20))
            until(lambda: len(server.desk._waiting[LOOK]) == len(server.desk._waiting[DECIDE]) == 1)
            asked.set()
            long.result(60)
            assert decision.result(60).status_code == 200
            look.result(60)
        assert order[-1] == "decision"
        assert set(order) == {"long", "look", "decision"}
        assert len(server.house._rooms) == 2
        assert snapshot(client, other)["move"] == 21
        assert snapshot(client, other)["log"][:-1] == before[0]["log"]
        assert client.get(f"/api{other}/at/7").json()["boards"] == before[1]["boards"]


def test_taking_back(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        none = client.post(f"/api{mine}/undo", json={"move": 0})
        assert (none.status_code, none.json()["error"]) == (409, "There is nothing of yours to take back.")
        before = snapshot(client, mine)
        choose(client, mine, 4)
        assert snapshot(client, mine)["undo"]
        assert client.post(f"/api{other}/undo", json={"move": 1}).json()["reason"] == "undo_none"
        assert client.post(f"/api{mine}/undo", json={"move": 1}).json()["move"] == 0
        after = snapshot(client, mine)
        assert {**after, "version": ""} == {**before, "version": ""}
        assert after["version"] != before["version"]
    with served("tic-tac-toe", tmp_path) as client:
        assert snapshot(client, mine) == after


@pytest.mark.parametrize(("name", "undone"), [("court-intrigue", False), ("tic-tac-toe", True)])
def test_what_a_bot_that_knows_more_has_answered_is_not_taken_back(name: str, undone: bool, tmp_path: Path) -> None:
    """Else who is doubted could claim something else. In an open game the bot's answer goes back with the move."""
    with served(name, tmp_path) as client:
        (mine, _) = begun(client, "me", "bot:random")["seats"]
        until(lambda: bool(snapshot(client, mine)["options"]))
        choice = next((o["key"] for o in snapshot(client, mine)["options"] if "Banker" in o["text"]), "0")
        assert choose(client, mine, choice).status_code == 200
        until(lambda: bool(snapshot(client, mine)["options"]))
        seen = snapshot(client, mine)
        answer = client.post(f"/api{mine}/undo", json={"move": seen["move"]})
        assert (seen["undo"], answer.status_code == 200) == (undone, undone), answer.text


def test_the_way_of_a_play_can_be_seen_again(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        seen = []
        for number, page in enumerate([mine, other, mine]):
            seen.append(snapshot(client, mine))
            choose(client, page, number)
        for number, then in enumerate(seen):
            found = client.get(f"/api{mine}/at/{number}").json()
            assert {key: found[key] for key in ("options", "log", "boards", "move")} == {
                key: then[key] for key in ("options", "log", "boards", "move")
            }
        assert client.get(f"/api{mine}/at/4").status_code == 404


def test_a_play_branches_off(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        choose(client, mine, 4)
        choose(client, other, 0)
        found = client.post(f"/api{mine}/branch", json={"at": 1})
        assert found.status_code == 201
        new = found.json()["seats"]
        assert not {mine, other} & {*new}
        assert len(snapshot(client, new[1])["options"]) == 8
        assert choose(client, new[1], 3).json()["move"] == 2
        assert snapshot(client, mine)["move"] == 2


def test_a_replay_can_be_played_again(tmp_path: Path) -> None:
    from ruledsl.runtime.replay import Rerun, parse

    with served("backgammon", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        for _ in range(12):
            page = mine if snapshot(client, mine)["options"] else other
            choose(client, page, 0)
        text = client.get(f"/api{mine}/replay").text
        assert json.loads(text.splitlines()[0])["seed"] == 0, "a seed tells what will be rolled"
        found = shipped.find_game("backgammon")
        assert found is not None
        rerun = Rerun(Game(load_blueprint(found)), parse(text))
        while not rerun.done:
            rerun.step()
        assert rerun.parted is None


def test_a_replay_file_becomes_a_play(tmp_path: Path) -> None:
    with served("love-letter", tmp_path, limits=Limits(per_second=1e9, at_once=10**9)) as client:
        pages = begun(client, "open", "open", players=2)["seats"]
        while not snapshot(client, pages[0])["over"]:
            mover = next(page for page in pages if snapshot(client, page)["options"])
            choose(client, mover, 0)
        text = client.get(f"/api{pages[0]}/replay").text
        found = client.post("/api/replays", json={"text": text}).json()
        first, again = snapshot(client, pages[1]), snapshot(client, found["seats"][1])
        assert again["over"]
        assert {key: first[key] for key in ("log", "move")} == {key: again[key] for key in ("log", "move")}
        for wrong in (
            text[:50],
            text.replace('"love-letter"', '"chess"'),
            "",
            "{}\n",
            text.replace("players", "plyers", 1),
        ):
            refused = client.post("/api/replays", json={"text": wrong})
            assert (refused.status_code, len(refused.json()["error"]) > 10) == (400, True)
        assert client.post("/api/replays", json={"text": 1}).status_code == 400


def test_a_replay_of_a_play_that_goes_on_tells_nobody_a_secret(tmp_path: Path) -> None:
    with served("love-letter", tmp_path) as client:
        page = begun(client, "open", "open")["seats"][0]
        for found in (client.get(f"/api{page}/replay"), client.post(f"/api{page}/branch", json={"at": 0})):
            assert (found.status_code, found.json()["reason"]) == (403, "secret")


def test_why_is_answered(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        mine, other = begun(client, "me", "open")["seats"]
        choose(client, mine, 4)
        assert snapshot(client, other)
        found = client.get(f"/api{other}/why", params={"option": "place at b2"}).json()
        assert found == {
            "lines": ["Not allowed: place at b2", "  b2 is not empty: mark of cross"],
            "offered": False,
            "reason": True,
            "never": False,
        }


def test_the_game_introduces_itself(tmp_path: Path) -> None:
    with served("fjords", tmp_path) as client:
        found = client.get("/api/game", params={"lang": "ru"}).json()
        assert (found["name"], found["players"], found["languages"]) == ("fjords", [2, 4], ["en", "ru"])
        assert {"name": "search", "levels": ["easy", "normal", "hard"]}.items() <= next(
            bot for bot in found["bots"] if bot["name"] == "search"
        ).items()
        rules = client.get("/api/rules").json()
        pieces = next(one for one in rules["chapters"] if one["title"] == "The pieces")
        assert len(pieces["text"].splitlines()) > 6, "lines of lists and tables stay lines"
        assert (rules["language"], rules["book"]) == ("en", None)
        russian = client.get("/api/rules", params={"lang": "ru"}).json()
        assert (russian["language"], russian["book"]) == ("ru", None)
        book = client.get("/api/rules", params={"lang": "ru", "book": 1}).json()["book"]
        assert book["title"] == "Фьорды"


def test_only_pictures_that_the_game_names_are_sent(tmp_path: Path) -> None:
    with served("chess", tmp_path) as client:
        found = client.get("/pictures/chess-pieces/white-king.svg")
        assert (found.status_code, found.headers["content-type"]) == (200, "image/svg+xml")
        assert "script-src 'self'" in found.headers["content-security-policy"]
        for other in ("chess.yaml", "chess-pieces/", "../pyproject.toml", "%2e%2e/pyproject.toml", "holdem.yaml"):
            assert client.get(f"/pictures/{other}").status_code == 404


def test_a_game_that_brings_no_rules_tells_them_itself(tmp_path: Path) -> None:
    alone = tmp_path / "tic-tac-toe.yaml"
    alone.write_bytes((ROOT / "examples/tic-tac-toe.yaml").read_bytes())
    with served(alone, tmp_path, workers=1) as client:
        rules = client.get("/api/rules", params={"lang": "ru"}).json()
        assert rules["chapters"] == []
        assert rules["book"]["title"] == "Крестики-нолики"
        assert "file" not in json.dumps(rules), "places in files are not for players"


@pytest.mark.parametrize(
    ("order", "error"),
    [
        ({}, "`seats` is a list that names who sits where: `me`, `open`, or a bot as in `bot:greedy`"),
        ({"seats": ["me"]}, "tic-tac-toe is for 2 players, not 1"),
        ({"seats": ["me", "you"]}, "a seat is `me`, `open`, or a bot as in `bot:greedy`, not `you`"),
        ({"seats": ["me", "bot:gredy"]}, "there is no bot `gredy`; did you mean `greedy`?"),
        (  # a file of a bot is run only for who sits at the machine
            {"seats": ["me", "bot:mine.py"]},
            "there is no bot `mine.py`",
        ),
        (
            {"seats": ["me", "bot:search:3600s"]},
            "the bot `search` has no level `3600s`; its levels: `easy`, `normal`, `hard`",
        ),
        ({"seats": ["me", "open"], "seed": -1}, "`seed` is a whole number from 0 to 9007199254740991"),
        ({"seats": ["me", "open"], "options": {"big": 1}}, "tic-tac-toe has no option `big`; its options are none"),
        ({"seats": ["me", "open"], "oops": 1}, "`oops` means nothing here; there are players, options, preset, seed, "),
    ],
)
def test_a_play_that_cannot_be_is_refused_with_a_sentence(tmp_path: Path, order: Any, error: str) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        found = client.post("/api/plays", json=order)
        assert found.status_code == 400
        assert found.json()["error"].startswith(error)


def test_only_so_many_plays_are_held_in_memory_and_all_can_be_gone_on_with(tmp_path: Path) -> None:
    game = Game(load_blueprint(ROOT / "examples" / "tic-tac-toe.yaml"))
    server = Server(Serving(game, tmp_path / "plays.sqlite", Limits(live=2)))
    with TestClient(server.app, base_url="http://localhost") as client:
        plays = [begun(client, "me", "open")["seats"] for _ in range(6)]
        for number, (mine, _) in enumerate(plays):
            assert choose(client, mine, number, 0).status_code == 200
            assert len(server.house._rooms) <= 2
        for mine, other in plays:
            assert (snapshot(client, mine)["move"], len(snapshot(client, other)["options"])) == (1, 8)


def test_a_new_play_takes_the_place_of_one_that_nobody_touches(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, limits=Limits(plays=2, idle_days=0.0)) as client:
        first, second, third = (begun(client, "me", "open")["seats"][0] for _ in range(3))
        assert client.get(f"/api{first}").status_code == 404
        assert snapshot(client, second)["move"] == snapshot(client, third)["move"] == 0


def test_a_full_server_says_so(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, limits=Limits(plays=1)) as client:
        begun(client, "me", "open")
        found = client.post("/api/plays", json={"seats": ["me", "open"]})
        assert (found.status_code, found.json()["reason"]) == (503, "full")


def test_a_disk_that_is_full_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    """Each decision is refused with a sentence until there is room again; what was decided before is there."""
    game = Game(load_blueprint(ROOT / "examples" / "tic-tac-toe.yaml"))
    limits = Limits(per_second=1e9, at_once=10**9, new_per_minute=1e9)
    server = Server(Serving(game, tmp_path / "plays.sqlite", limits))
    with TestClient(server.app, base_url="http://localhost") as client:
        order = {"seats": ["me", "me"]}
        page = client.post("/api/plays", json=order).json()["seats"][0]
        assert client.post(f"/api{page}/choose", json={"move": 0, "choice": 0}).status_code == 200
        disk = server.house.store._db
        (pages,) = disk.execute("PRAGMA page_count").fetchone()
        disk.execute(f"PRAGMA max_page_count = {pages}")
        answers = [client.post("/api/plays", json=order) for _ in range(60)]
        assert {answer.status_code for answer in answers} == {201, 507}
        assert "could not be written to disk" in answers[-1].json()["error"]
        disk.execute("PRAGMA max_page_count = 1000000")
        assert client.get(f"/api{page}").json()["move"] == 1
        assert client.post(f"/api{page}/choose", json={"move": 1, "choice": 0}).status_code == 200
        assert client.post("/api/plays", json=order).status_code == 201


@pytest.mark.parametrize("name", ["serpent", "backgammon", "love-letter"])
def test_every_place_in_a_play_is_as_it_was_seen(name: str, tmp_path: Path) -> None:
    """In any order, for each seat and who looks on; also in the midst of what is decided in secret."""
    rng = random.Random(3)
    with served(name, tmp_path, limits=Limits(per_second=1e9, at_once=10**9)) as client:
        links = begun(client, "open", "open")
        pages = [*links["seats"], links["spectator"]]
        seen: dict[tuple[str, int], dict[str, Any]] = {}
        for _ in range(14):
            there = [snapshot(client, page) for page in pages]
            seen |= {(page, found["move"]): found for page, found in zip(pages, there, strict=True)}
            able = [(page, found) for page, found in zip(pages, there, strict=True) if found["options"]]
            if not able:
                break
            page, found = rng.choice(able)
            choose(client, page, rng.randrange(len(found["options"])), found["move"])
        for page, move in rng.sample(sorted(seen), min(20, len(seen))):
            then, now = seen[page, move], client.get(f"/api{page}/at/{move}").json()
            for key in ("boards", "areas", "log", "options", "seat", "move"):
                assert now[key] == then[key], (page, move, key)


def test_what_texts_of_a_game_hold_is_never_a_part_of_the_page(tmp_path: Path) -> None:
    bad = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    path = tmp_path / "bad.yaml"
    path.write_text(
        (ROOT / "examples" / "tic-tac-toe.yaml")
        .read_text()
        .replace("title: {en: Tic-tac-toe", f"title: {{en: '{bad}'")
        .replace("text:\n", f"text:\n  en: {{cross: '{bad}', nought: '{bad}', mark: '{bad}'}}\n")
    )
    game = Game(load_blueprint(path))
    assert game.title("en") == bad
    with TestClient(Server(Serving(game, tmp_path / "plays.sqlite")).app, base_url="http://localhost") as client:
        page = begun(client, "me", "me")["seats"][0]
        choose(client, page, 0)
        answer = client.get(f"/api{page}")
        assert answer.headers["content-type"] == "application/json"
        for board in answer.json()["boards"]:
            tags = {tag.rpartition("}")[2] for tag in _tags(board["picture"])}
            assert not tags & {"script", "img", "foreignObject", "a", "image", "use"}, tags


def _tags(picture: str) -> set[str]:
    return {part.tag for part in ElementTree.fromstring(picture).iter()}


def test_what_an_option_may_be_is_offered_in_the_lobby() -> None:
    """Every option with what it is at first among its values: who begins in Outpost may be drawn by lot."""
    for path in PATHS:
        for option in portrait(load(path), "ru")["options"]:
            if option["type"] == "one of":
                assert option["start"] in [value["name"] for value in option["values"]], (path, option["name"])
    (begins,) = (
        one for one in portrait(load(PATHS[NAMES.index("outpost")]), "en")["options"] if one["name"] == "begins"
    )
    assert begins["values"][0] == {"name": "none", "title": "—"}
