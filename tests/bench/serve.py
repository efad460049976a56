"""Many plays at the same time on one server: how long people wait for an answer to a decision.

    python tests/bench/serve.py [--plays 200] [--seconds 60] [--bot greedy] [GAME …]

For each game a server process is started and as many plays are begun, each with one person against bots. A person is a
page: it listens to events, asks for the snapshot when it is told of a change, and decides when it is asked. Times are
taken by one client over loopback: of decisions (`POST …/choose`), of snapshots, and of a handler of the same server
that does nothing, asked all the while; so the load of the machine and of the client is in all of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = ("connect-four", "fjords", "holdem")
PAUSE = 2.0  # seconds that a person thinks, on average


# ------------------------------------------------------------------------------------------------ the server


def serve(name: str, plays: Path) -> None:
    from ruledsl.cli.common import load_game
    from ruledsl.web.house import Limits
    from ruledsl.web.launch import listen, run
    from ruledsl.web.server import Server, Serving

    limits = Limits(new_per_minute=1e6, per_second=1e6, at_once=1_000_000)
    server = Server(Serving(load_game(name), plays, limits, workers=os.cpu_count() or 1))
    server.app.router.routes.append(Route("/empty", lambda request: Response()))
    at = listen("127.0.0.1", 0)
    print(at.getsockname()[1], flush=True)
    run(server, at)


# ------------------------------------------------------------------------------------------------ the client


class Connection:
    """HTTP over one connection that is kept."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def open(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**24)
        return self

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes, float]:
        """The status, the answer, and the seconds it took."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n"
        head += "Content-Type: application/json\r\n\r\n"
        began = time.perf_counter()
        for _ in range(2):
            try:
                self.writer.write(head.encode() + data)
                status = int((await self.reader.readline()).split()[1])
                break
            except (IndexError, ConnectionError):  # the server closes what was idle
                await self.open()
        length = 0
        while (line := await self.reader.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        answer = await self.reader.readexactly(length)
        return status, answer, time.perf_counter() - began

    async def listen(self, path: str, heard: asyncio.Event) -> None:
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while line := await self.reader.readline():
            if line.startswith(b"event: changed"):
                heard.set()


class Times:
    def __init__(self) -> None:
        self.decisions: list[float] = []
        self.snapshots: list[float] = []
        self.empty: list[float] = []
        self.refused = 0
        self.over = 0


async def begun(page: Connection, seats: list[str]) -> str:
    status, data, _ = await page.ask("POST", "/api/plays", {"seats": seats})
    assert status == 201, data
    return next(one for one in json.loads(data)["seats"] if one)


async def person(port: int, link: str, seats: list[str], times: Times, until: float, rng: random.Random) -> None:
    page = await Connection(port).open()
    await asyncio.sleep(rng.random() * PAUSE)
    while time.monotonic() < until:
        heard = asyncio.Event()
        listening = asyncio.ensure_future((await Connection(port).open()).listen(f"/api{link}/events", heard))
        await one_play(page, link, heard, times, until, rng)
        listening.cancel()
        link = await begun(page, seats)


async def one_play(
    page: Connection, link: str, heard: asyncio.Event, times: Times, until: float, rng: random.Random
) -> None:
    while time.monotonic() < until:
        heard.clear()
        _, data, took = await page.ask("GET", f"/api{link}")
        times.snapshots.append(took)
        seen = json.loads(data)
        if seen["over"]:
            times.over += 1
            return
        if seen["options"]:
            await asyncio.sleep(rng.expovariate(1 / PAUSE))
            choice = rng.randrange(sum(row.get("series", {"count": 1})["count"] for row in seen["options"]))
            status, _, took = await page.ask("POST", f"/api{link}/choose", {"move": seen["move"], "choice": choice})
            times.decisions.append(took)
            times.refused += status != 200
        else:
            try:
                await asyncio.wait_for(heard.wait(), max(0.1, until - time.monotonic()))
            except TimeoutError:
                return


async def nothing(port: int, times: Times, until: float) -> None:
    page = await Connection(port).open()
    while time.monotonic() < until:
        _, _, took = await page.ask("GET", "/empty")
        times.empty.append(took)
        await asyncio.sleep(0.05)


async def measure(name: str, args: Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plays = str(Path(folder) / "plays.sqlite")
        server = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--server", plays, name, stdout=asyncio.subprocess.PIPE, cwd=ROOT
        )
        assert server.stdout is not None
        port = int(await server.stdout.readline())
        try:
            await asyncio.sleep(1)
            about = json.loads((await (await Connection(port).open()).ask("GET", "/api/game"))[1])
            seats = ["me", *[f"bot:{args.bot}"] * (about["players"][0] - 1)]
            page, before = await Connection(port).open(), memory(server.pid)
            links = [await begun(page, seats) for _ in range(args.plays)]
            times, until, worked = Times(), time.monotonic() + args.seconds, cpu(server.pid)
            people = [person(port, link, seats, times, until, random.Random(n)) for n, link in enumerate(links)]
            await asyncio.gather(nothing(port, times, until), *people)
            report(name, args, times, (before, memory(server.pid)), cpu(server.pid) - worked)
        finally:
            server.terminate()
            await server.wait()


def memory(process: int) -> float:
    """Megabytes that a process holds, where the system tells."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def cpu(process: int) -> float:
    """Seconds that a process has computed, without its workers, where the system tells."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return 0.0
    fields = status.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(name: str, args: Namespace, times: Times, held: tuple[float, float], worked: float) -> None:
    empty = statistics.median(times.empty)
    print(f"{name}, {args.plays} plays against `{args.bot}`, {args.seconds} s")
    for what in ("empty", "decisions", "snapshots"):
        found = sorted(getattr(times, what))
        if found:
            median, late = statistics.median(found), found[int(len(found) * 0.99)]
            print(
                f"  {what:10} {len(found):6}  median {1000 * median:7.2f} ms ({median / empty:5.1f} x)"
                f"  99% {1000 * late:7.1f} ms  longest {1000 * found[-1]:7.1f} ms"
            )
    answers = max(1, len(times.decisions) + len(times.snapshots))
    print(f"  the server computed {worked:.1f} s, {1000 * worked / answers:.1f} ms for each decision or snapshot")
    print(f"  refused {times.refused}, ended {times.over}, memory {held[0]:.0f} to {held[1]:.0f} MB")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--plays", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--server", type=Path)
    args = parser.parse_args()
    if args.server:
        serve(args.games[0], args.server)
        return
    for name in args.games:
        asyncio.run(measure(name, args))


if __name__ == "__main__":
    main()
