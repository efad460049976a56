"""Those who mean no good: other sites, wrong names, wrong passwords, messages that are huge, broken, old or too many.

Everything stays on this machine. Each must be answered with a status and a sentence, and the server must go on.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import uvicorn
from starlette.responses import Response
from starlette.routing import Route
from test_web import begun, choose, served, snapshot, until

from ruledsl import shipped
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.web import launch
from ruledsl.web.guards import POLICY, Rate, own_names
from ruledsl.web.house import Limits
from ruledsl.web.launch import Host
from ruledsl.web.server import Server, Serving

ORDER = {"seats": ["me", "open"]}


@pytest.mark.parametrize(
    ("headers", "status", "error"),
    [
        ({"origin": "http://evil.example"}, 403, "This was sent by a page of another site."),
        ({"origin": "null"}, 403, "This was sent by a page of another site."),
        ({"origin": "http://localhost:81"}, 403, "This was sent by a page of another site."),
        ({"sec-fetch-site": "cross-site"}, 403, "This was sent by a page of another site."),
        ({"content-type": "text/plain"}, 415, "Send this as JSON, with `Content-Type: application/json`."),
        (
            {"content-type": "application/x-www-form-urlencoded"},
            415,
            "Send this as JSON, with `Content-Type: application/json`.",
        ),
        (
            {"host": "evil.example"},
            421,
            "This server does not answer to that name; start it with --allow-host NAME if it should.",
        ),
        (
            {"host": "localhost.evil.example"},
            421,
            "This server does not answer to that name; start it with --allow-host NAME if it should.",
        ),
    ],
)
def test_another_site_changes_nothing(tmp_path: Path, headers: dict[str, str], status: int, error: str) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        found = client.post(
            "/api/plays", content=json.dumps(ORDER), headers={"content-type": "application/json"} | headers
        )
        assert (found.status_code, found.json()) == (status, {"error": error})
        good = {"content-type": "application/json", "origin": "http://localhost", "sec-fetch-site": "same-origin"}
        assert client.post("/api/plays", content=json.dumps(ORDER), headers=good).status_code == 201


def test_every_answer_says_what_a_browser_may_do_with_it(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        link = begun(client, "me", "open")["seats"][0]
        answers = [client.get(path) for path in ("/", "/api/game", f"/api{link}", "/nowhere", "/static/../server.py")]
        answers.append(client.post("/api/plays", content="{"))
        for found in answers:
            assert found.headers["content-security-policy"] == POLICY
            assert found.headers["x-content-type-options"] == "nosniff"
            assert found.headers["referrer-policy"] == "no-referrer"
        assert "unsafe" not in POLICY
        assert client.get(f"/api{link}").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/x"])
def test_only_files_of_the_page_are_sent(tmp_path: Path, path: str) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        found = client.get(path)
        assert (found.status_code, found.json()) == (404, {"error": "There is no such page."})


def test_names_by_which_a_server_is_reached(tmp_path: Path) -> None:
    asked = ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.5:8000", "table.example", "evil.example", ""]
    for names, any_address, answered in (
        (set(), False, 3),
        ({"192.168.1.5"}, False, 4),
        ({"0.0.0.0", "table.example"}, True, 5),
    ):
        hosts = own_names() | names
        with served("tic-tac-toe", tmp_path, hosts=hosts, any_address=any_address) as client:
            found = [client.get("/api/game", headers={"host": host}).status_code for host in asked]
            assert found == [200] * answered + [421] * (len(asked) - answered)


def test_a_password_is_asked_for(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, password="moon") as client:
        found = client.get("/")
        assert found.status_code == 401
        assert found.headers["www-authenticate"].startswith("Basic ")
        assert client.get("/api/game", auth=("", "sun")).status_code == 401
        assert client.get("/api/game", auth=("anna", "moon")).status_code == 200
        assert client.post("/api/plays", json=ORDER).status_code == 401
        assert client.get("/api/game", headers={"authorization": "Basic !!"}).status_code == 401


def test_passwords_cannot_be_tried_out(tmp_path: Path) -> None:
    limits = Limits(passwords_per_minute=3)
    with served("tic-tac-toe", tmp_path, password="moon", limits=limits) as client:
        found = [client.get("/api/game", auth=("", str(n))).status_code for n in range(6)]
        assert found == [401, 401, 401, 429, 429, 429]
        assert client.get("/api/game", auth=("", "moon")).status_code == 429


MALFORMED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"1e999",
    b"\xff\xfe",
    b'"' + b"x" * 1000 + b'"',
    b"[" * 5000 + b"]" * 5000,
    b'{"move": 1e400, "choice": 0}',
    b'{"move": true, "choice": 0}',
    b'{"move": "0", "choice": 0}',
    b'{"move": 0}',
    b'{"move": 0, "choice": null}',
    b'{"move": 0, "choice": true}',
    b'{"move": 0, "choice": 1.5}',
    b'{"move": 0, "choice": [0]}',
    b'{"move": 0, "choice": {"a": 1}}',
    b'{"move": 0, "choice": -1}',
    b'{"move": 0, "choice": ' + b"9" * 3000 + b"}",
    b'{"move": 0, "choice": "' + b"9" * 3000 + b'"}',
    b'{"move": 0, "choice": "\\u0000"}',
    b'{"move": 0, "choice": "<script>alert(1)</script>"}',
    b'{"move": -1, "choice": 0}',
    b'{"move": ' + b"9" * 40 + b', "choice": 0}',
    b'{"move": 0, "choice": "\\ud800"}',
]


@pytest.mark.parametrize("body", MALFORMED, ids=lambda body: repr(body[:40]))
def test_a_malformed_message_is_answered_and_changes_nothing(tmp_path: Path, body: bytes) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        link = begun(client, "me", "open")["seats"][0]
        before = snapshot(client, link)
        for path in ("choose", "undo", "branch"):
            found = client.post(f"/api{link}/{path}", content=body, headers={"content-type": "application/json"})
            assert 400 <= found.status_code < 500, found.text
            assert found.json()["error"].strip()
            assert len(found.text) < 1000
        found = client.post("/api/plays", content=body, headers={"content-type": "application/json"})
        assert 400 <= found.status_code < 500
        assert snapshot(client, link) == before


def test_a_message_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, limits=Limits(body=2_000)) as client:
        link = begun(client, "me", "open")["seats"][0]
        sent = 0

        def endless() -> Iterator[bytes]:
            nonlocal sent
            for _ in range(1_000):
                sent += 1
                yield b" " * 1_000

        found = client.post(f"/api{link}/choose", content=endless(), headers={"content-type": "application/json"})
        assert (found.status_code, found.json()["reason"]) == (413, "too_large")


def test_too_many_messages_are_slowed_down(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, limits=Limits(per_second=0.01, at_once=5)) as client:
        links = begun(client, "me", "open")["seats"]
        found = [client.get(f"/api{links[0]}").status_code for _ in range(8)]
        assert found == [200] * 5 + [429] * 3
        assert "retry-after" in client.get(f"/api{links[0]}").headers
        assert client.get(f"/api{links[1]}").status_code == 200, "others are not slowed down"


def test_too_many_plays_from_one_address_are_slowed_down(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path, limits=Limits(new_per_minute=6)) as client:
        found = [client.post("/api/plays", json=ORDER).status_code for _ in range(5)]
        assert found == [201] * 3 + [429] * 2


def test_a_rate_gives_way_with_time() -> None:
    now = [0.0]
    rate = Rate(2.0, 3.0, lambda: now[0])
    assert [rate.wait("a") == 0 for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.wait("b") == 0
    now[0] = 0.5
    assert [rate.wait("a") == 0 for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [rate.wait("a") == 0 for _ in range(4)] == [True] * 3 + [False]


def test_links_of_one_seat_are_no_keys_to_others(tmp_path: Path) -> None:
    """Messages that were sent with one link are sent with every other, and again when they are old."""
    with served("connect-four", tmp_path, limits=Limits(per_second=1e6, at_once=1_000_000)) as client:
        plays = [begun(client, "me", "open"), begun(client, "me", "open")]
        pages = [page for play in plays for page in (*play["seats"], play["spectator"])]
        rng, sent = random.Random(1), list[tuple[str, Any]]()
        for number in range(24):
            play = plays[number % 2]
            mover = next(page for page in play["seats"] if snapshot(client, page)["options"])
            message = {"move": snapshot(client, mover)["move"], "choice": rng.randrange(5)}
            assert client.post(f"/api{mover}/choose", json=message).status_code == 200
            sent.append((mover, message))
        before = [snapshot(client, page) for page in pages]
        for _, message in rng.sample(sent, 20):
            for other in rng.sample(pages, 3):
                found = client.post(f"/api{other}/choose", json=message)
                last = [old for old in sent if old[0] == other][-1:] == [(other, message)]
                assert found.status_code in ((200,) if last else (403, 409)), found.text
        assert [snapshot(client, page) for page in pages] == before


# ---------------------------------------------------------------------------------------- over real sockets


@contextmanager
def running(name: str, plays: Path, *words: str) -> Iterator[int]:
    """A server in a process of its own; its port."""
    with process(name, plays, *words) as (_, port):
        yield port


@contextmanager
def process(name: str, plays: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "ruledsl", "serve", name, "--port", "0", "--plays", str(plays), *words]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert line.startswith("play at http://localhost:"), line + (server.stderr.read() if server.stderr else "")
        yield server, int(line.split("localhost:")[1].split("/")[0])
    finally:
        server.terminate()
        server.wait(30)
        for stream in (server.stdout, server.stderr):
            if stream is not None:
                stream.close()


def asked(port: int, data: bytes, seconds: float = 120.0) -> bytes:
    """The whole answer to bytes. A server that will not read on may close while they are still being sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as there:
        with suppress(ConnectionError):
            there.sendall(data)
        answer = b""
        while not is_whole(answer) and (more := there.recv(65_536)):
            answer += more
        return answer


def is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)^content-length: *(\d+)", head, re.M)
    return bool(end) and length is not None and len(body) >= int(length[1])


RAW = [
    (b"GARBAGE\r\n\r\n", b"HTTP/1.1 400"),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", b"HTTP/1.1 4"),
    (b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 4"),
    (b"GET /api/game HTTP/1.1\r\n\r\n", b"HTTP/1.1 4"),
    (b"GET /api/game HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", b"HTTP/1.1 4"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50 + b"\r\n\r\n", b"HTTP/1.1 400"),
    (
        b"POST /api/plays HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 4",
    ),
    (b"GET /api/t/%00%ff HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 404"),
]


def test_what_is_no_request_is_answered_beside_idle_connections(tmp_path: Path) -> None:
    with running("tic-tac-toe", tmp_path / "plays.sqlite") as port, ExitStack() as idle:
        waiting = [idle.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(100)]
        for one in waiting[:50]:
            one.sendall(b"GET / HTTP/1.1\r\nHost: loc")  # and never goes on
        for data, answer in RAW:
            assert asked(port, data).startswith(answer), data[:40]
        assert b'"tic-tac-toe"' in asked(port, b"GET /api/game HTTP/1.1\r\nHost: localhost\r\n\r\n")


@pytest.mark.long
def test_a_thousand_idle_connections_keep_nobody_out_and_are_closed(tmp_path: Path) -> None:
    with running("tic-tac-toe", tmp_path / "plays.sqlite") as port, ExitStack() as idle:
        waiting = [idle.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(1_000)]
        assert b'"tic-tac-toe"' in asked(port, b"GET /api/game HTTP/1.1\r\nHost: localhost\r\n\r\n")
        end = time.monotonic() + 300
        for one in waiting:
            one.settimeout(max(0.1, end - time.monotonic()))
            assert one.recv(1) == b"", "a connection that asks nothing is closed"


MUCH = 30_000_000
LARGE = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def hosted(plays: Path) -> Iterator[tuple[Host, int]]:
    """A server in a thread of its own; its port."""
    found = shipped.find_game("tic-tac-toe")
    assert found is not None
    with launch.listen("127.0.0.1", 0) as at:
        server = Server(Serving(Game(load_blueprint(found)), plays / "plays.sqlite"))
        server.app.router.routes.append(Route("/large", lambda request: Response(b"x" * MUCH)))
        host = Host(uvicorn.Config(server.app, http=launch.Impatient, log_level="error"), server)
        thread = threading.Thread(target=host.run, kwargs={"sockets": [at]}, daemon=True)
        thread.start()
        try:
            yield host, at.getsockname()[1]
        finally:
            host.should_exit = True
            thread.join(120)


def greedy(port: int) -> socket.socket:
    """Asks for more than there is room for on the way, and takes nothing of it."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    found.connect(("127.0.0.1", port))
    found.sendall(LARGE)
    return found


def test_who_takes_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "STANDSTILL", 0.3)
    with hosted(tmp_path) as (host, port), ExitStack() as readers:
        for _ in range(20):
            readers.enter_context(closing(greedy(port)))
        until(lambda: len(host.server_state.connections) == 20)
        until(lambda: not host.server_state.connections)
        assert len(asked(port, LARGE)) > MUCH


def test_who_takes_slowly_gets_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path) as (_, port), closing(greedy(port)) as reader:
        monkeypatch.setattr(launch, "STANDSTILL", 3.0)
        taken = 0
        for _ in range(36):
            taken += len(reader.recv(100_000))
            time.sleep(0.1)
        while taken < MUCH and (more := reader.recv(1_000_000)):
            taken += len(more)
        assert taken > MUCH


def test_a_page_that_listens_is_told_what_it_missed(tmp_path: Path) -> None:
    from serve import Connection

    async def go(port: int) -> None:
        page = await Connection(port).open()
        _, data, _ = await page.ask("POST", "/api/plays", ORDER)
        mine, other = json.loads(data)["seats"]

        async def told(since: str = "") -> tuple[str, dict[str, Any], Connection]:
            listening = await Connection(port).open()
            head = f"GET /api{other}/events HTTP/1.1\r\nHost: localhost\r\n"
            listening.writer.write((head + (f"Last-Event-ID: {since}\r\n" if since else "") + "\r\n").encode())
            version, data = await event(listening)
            return version, data, listening

        async def event(listening: Connection) -> tuple[str, dict[str, Any]]:
            version = ""
            while line := await asyncio.wait_for(listening.reader.readline(), 120):
                if line.startswith(b"id: "):
                    version = line[4:].decode().strip()
                if line.startswith(b"data: "):
                    return version, json.loads(line[6:])
            raise AssertionError("the stream ended")

        first, data_there, listening = await told()
        assert data_there["move"] == 0
        await page.ask("POST", f"/api{mine}/choose", {"move": 0, "choice": 4})
        second, data_there = await event(listening)
        assert data_there["move"] == 1
        assert first != second
        listening.writer.close()
        await page.ask("POST", f"/api{other}/choose", {"move": 1, "choice": 0})
        third, data_there, again = await told(second)
        assert (data_there["move"], third != second) == (2, True)
        again.writer.close()

    with running("tic-tac-toe", tmp_path / "plays.sqlite") as port:
        asyncio.run(go(port))


def test_one_connection_tells_of_several_plays(tmp_path: Path) -> None:
    from serve import Connection

    async def go(port: int) -> None:
        page = await Connection(port).open()
        links = [json.loads((await page.ask("POST", "/api/plays", ORDER))[1])["seats"][0] for _ in range(2)]
        listening = await Connection(port).open()
        asked = "&".join(f"link={link.removeprefix('/t/')}" for link in [*links, "/t/nowhere"])
        listening.writer.write(f"GET /api/events?{asked} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

        async def event() -> tuple[str, dict[str, Any]]:
            kind = ""
            while line := await asyncio.wait_for(listening.reader.readline(), 120):
                if line.startswith(b"event: "):
                    kind = line[7:].decode().strip()
                if line.startswith(b"data: "):
                    return kind, json.loads(line[6:])
            raise AssertionError("the stream ended")

        kind, told = await event()
        assert (kind, told["link"], told["error"][:27]) == ("refused", "nowhere", "This link leads to no play.")
        for link in links:
            assert (await event())[1]["link"] == link.removeprefix("/t/")
        await page.ask("POST", f"/api{links[1]}/choose", {"move": 0, "choice": 4})
        kind, told = await event()
        assert (kind, told["link"], told["move"]) == ("changed", links[1].removeprefix("/t/"), 1)
        listening.writer.close()

    with running("tic-tac-toe", tmp_path / "plays.sqlite") as port:
        asyncio.run(go(port))


def test_a_server_does_not_touch_plays_that_another_has_open(tmp_path: Path) -> None:
    plays = tmp_path / "plays.sqlite"
    with running("tic-tac-toe", plays):
        second = subprocess.run(
            [sys.executable, "-m", "ruledsl", "serve", "tic-tac-toe", "--port", "0", "--plays", str(plays)],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert second.returncode == 2
        assert second.stderr.startswith(f"ruledsl: another server has `{plays}` open; ")
    other = subprocess.run(
        [sys.executable, "-m", "ruledsl", "serve", "chess", "--port", "0", "--plays", str(plays)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (other.returncode, other.stderr) == (2, f"ruledsl: `{plays}` holds plays of `tic-tac-toe`, not of `chess`\n")


def test_the_choices_of_bots_are_bounded(tmp_path: Path) -> None:
    with served("tic-tac-toe", tmp_path) as client:
        found = client.post("/api/plays", json={"seats": ["me", "bot:search:999999999"]})
        assert found.status_code == 400
        assert choose(client, begun(client, "me", "open")["seats"][0], 0).status_code == 200


# ------------------------------------------------------------------------------------------- the command


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["serve", *words])
    return code, capsys.readouterr().err


def test_without_the_extra_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ruledsl.cli.commands.serve.find_spec", lambda name: None)
    assert told(capsys, "chess") == (
        2,
        "ruledsl: `serve` needs the extra `web`; install it with: pip install 'ruledsl[web]'\n",
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess", "--most-plays", "0"], "--most-plays takes a number from 1 up"),
        (["chess", "--workers", "0"], "--workers takes a number from 1 to 64"),
        (["chess", "--host", "300.1.1.1"], "cannot listen at 300.1.1.1: "),
        (["ches"], "there is no game and no file called `ches`; did you mean `chess`?"),
    ],
)
def test_a_server_that_cannot_be_started_says_why(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = told(capsys, *words)
    assert (code, said.startswith(f"ruledsl: {sentence}")) == (2, True), said


def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = told(capsys, "tic-tac-toe", "--port", port, "--plays", str(tmp_path / "plays.sqlite"))
    assert (code, said) == (2, "ruledsl: cannot listen at 127.0.0.1: Address already in use\n")


def test_a_file_that_holds_something_else_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes, data = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    notes.write_text("remember the milk\n" * 100)
    with closing(sqlite3.connect(data)) as db:
        db.execute("CREATE TABLE milk (litres INTEGER)")
    before = [path.read_bytes() for path in (notes, data)]
    for path, sentence in ((notes, "cannot be used to keep plays"), (data, "is a database of something else")):
        code, said = told(capsys, "tic-tac-toe", "--port", "0", "--plays", str(path))
        assert (code, said.startswith(f"ruledsl: `{path}` {sentence}")) == (2, True), said
    assert [path.read_bytes() for path in (notes, data)] == before


def test_who_opens_a_server_to_others_is_warned(tmp_path: Path) -> None:
    plays = tmp_path / "plays.sqlite"
    with process("tic-tac-toe", plays, "--host", "0.0.0.0") as (server, _):
        assert server.stderr is not None
        assert server.stderr.readline() + server.stderr.readline() == (
            "ruledsl: everybody who reaches 0.0.0.0 can use this server, and what is sent is not encrypted\n"
            "ruledsl: no password is set; --password WORD sets one\n"
        )
