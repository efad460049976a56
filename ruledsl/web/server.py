"""The application: what can be asked of it, and how answers and refusals are sent.

A page asks for what a seat sees (`GET /api/t/LINK`), is told when that changes (`GET …/events`), and sends what the
seat decides (`POST …/choose`). The link is the key to the seat: whoever has it decides.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import mimetypes
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ruledsl.analysis.declarations.looks import pictures_of
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.boards.marks import plain
from ruledsl.diagnostics.model import GameError
from ruledsl.records import dataclass
from ruledsl.runtime.rulebook import language_of_chapters
from ruledsl.runtime.why import why
from ruledsl.source.scan import is_inside

from .desk import DECIDE, LATER, LOOK, Desk
from .guards import Guard, Rate, address_of, own_names, refusal
from .house import BadOrder, House, Limits, Listener
from .portrait import portrait, rules_of
from .rooms import LONGEST_CHOICE, Room
from .store import Kept, Store
from .table import snapshot
from .watching import Watching
from .words import LANGUAGES, Refused, say

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

STATIC = Path(__file__).resolve().parent / "static"
HEARTBEAT = 15.0  # seconds of silence, after which a listening page is told that the server is there
PATIENCE = 10.0  # seconds in which a message has to be whole
RETRY = 2_000  # milliseconds after which a page asks again that lost the server
LONGEST_TEXT = 300
MOST_SHARED = 100  # plays of which one browser is told over one connection


@dataclass(frozen=True)
class Serving:
    """What a server is started with."""

    game: Game
    plays: Path
    limits: Limits = field(default_factory=Limits)
    workers: int = 2
    hosts: frozenset[str] = field(default_factory=own_names)
    any_address: bool = False
    password: str | None = None
    watch: bool = False
    warm: bool = False  # whether bots get ready while somebody chooses what to play

    def open_to(self, names: Iterable[str], any_address: bool, password: str | None) -> Serving:
        """The same, reached by other names, or by any address of this machine."""
        hosts = self.hosts | {name.lower() for name in names}
        return replace(self, hosts=frozenset(hosts), any_address=any_address, password=password)


@dataclass
class Ears:
    """What one connection listens to: plays by their links, and what it was told of each."""

    bell: asyncio.Event = field(default_factory=asyncio.Event)
    listeners: dict[str, Listener] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    leave: list[Callable[[], None]] = field(default_factory=list)

    def news(self) -> Iterator[tuple[str, str, int]]:
        """Of each play that has changed its link, the version and the move."""
        for link, listener in self.listeners.items():
            version, move = listener.version, listener.move
            if self.told.get(link) != version:
                self.told[link] = version
                yield link, version, move


class Server:
    """The routes of one game."""

    def __init__(self, serving: Serving) -> None:
        self.game, self.limits = serving.game, serving.limits
        self.store = Store(serving.plays, self.game.name)  # at once, so that whoever starts it hears what is wrong
        self.desk = Desk()
        self.house = House(self.game, self.store, self.desk, self.limits, serving.workers)
        self.desk.open(self.house)
        self.messages = Rate(self.limits.per_second, self.limits.at_once)
        self.begun = Rate(self.limits.new_per_minute / 60, max(1.0, self.limits.new_per_minute / 2))
        self.pages = _pages()
        self.books: dict[str, dict[str, Any]] = {}
        self.bells: set[asyncio.Event] = set()
        self.warm = serving.warm
        self.watching = Watching(self.game) if serving.watch else None
        self.closing = False
        wrong = Rate(self.limits.passwords_per_minute / 60, self.limits.passwords_per_minute)
        guard = Middleware(
            Guard, hosts=serving.hosts, any_address=serving.any_address, password=serving.password, wrong=wrong
        )
        self.app = Starlette(
            routes=self._routes(),
            middleware=[guard],
            exception_handlers={
                HTTPException: _no_such_page,
                Refused: _refused,
                BadOrder: _bad,
                OptionError: _bad,
                GameError: _bad_rules,
                sqlite3.Error: _not_kept,
                Exception: _our_fault,
            },
            lifespan=self._lifespan,
        )

    def _routes(self) -> list[Route]:
        def get(path: str, answer: Any) -> Route:
            return Route(path, answer, methods=["GET"])

        def post(path: str, answer: Any) -> Route:
            return Route(path, answer, methods=["POST"])

        return [
            get("/", partial(self._file, "lobby.html")),
            get("/t/{link}", partial(self._file, "page.html")),
            get("/static/{name:path}", self._static),
            get("/pictures/{name:path}", self._picture),
            get("/api/game", self._game),
            get("/api/rules", self._rules),
            get("/api/watch", self._watch),
            post("/api/plays", self._begin),
            post("/api/replays", self._open),
            get("/api/events", self._all_events),
            get("/api/t/{link}", self._snapshot),
            get("/api/t/{link}/at/{move:int}", self._past),
            get("/api/t/{link}/between/{line:int}", self._between),
            get("/api/t/{link}/events", self._events),
            get("/api/t/{link}/why", self._why),
            get("/api/t/{link}/replay", self._replay),
            post("/api/t/{link}/choose", self._choose),
            post("/api/t/{link}/undo", self._undo),
            post("/api/t/{link}/branch", self._branch),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        task = None
        if self.watching is not None:
            task = asyncio.create_task(self.watching.run(self._change_rules, self._wake))
        yield
        if task is not None:
            task.cancel()
        self.let_go()
        self.house.thinkers.close()
        self.desk.close()
        self.house.close()

    def let_go(self) -> None:
        """Pages that listen are told no more; they will ask again when there is a server."""
        self.closing = True
        self._wake()

    def _wake(self) -> None:
        for bell in self.bells:
            bell.set()

    async def _change_rules(self, game: Game) -> None:
        """Everything goes on under other rules."""
        self.game = game
        self.books.clear()
        await self.desk.do(DECIDE, lambda: self.house.change_rules(game))

    # ------------------------------------------------------------------------------------------ pages

    async def _file(self, name: str, request: Request) -> Response:
        return self._page(name, request)

    async def _static(self, request: Request) -> Response:
        return self._page(request.path_params["name"], request)

    def _page(self, name: str, request: Request) -> Response:
        if name not in self.pages:
            raise HTTPException(404)
        data, tag = self.pages[name]
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=mimetypes.guess_type(name)[0] or "application/octet-stream", headers=headers)

    async def _picture(self, request: Request) -> Response:
        """A picture that the game names under `looks:`; no other file."""
        name, game = request.path_params["name"], self.game
        path = game.path.parent / name
        if name not in pictures_of(game.blueprint) or not is_inside(path, game.path.parent) or not path.is_file():
            raise HTTPException(404)
        return FileResponse(path, media_type=mimetypes.guess_type(name)[0], headers={"Cache-Control": "no-cache"})

    # ------------------------------------------------------------------------------------------ the game

    async def _game(self, request: Request) -> Response:
        found = await self.desk.do(LOOK, partial(portrait, self.game, _language(request)))
        if self.warm:
            self.warm = False
            self.desk.submit(LATER, self.house.thinkers.warm)
        return JSONResponse(found)

    async def _rules(self, request: Request) -> Response:
        language = _language(request)
        written = await self.desk.do(LATER, partial(rules_of, self.game, language))
        found = {"chapters": written, "language": language_of_chapters(self.game, language)}
        if written and found["language"] == language and "book" not in request.query_params:
            return JSONResponse(found | {"book": None})
        if language not in self.books:  # worked out by a worker, for nobody else may have to wait for it
            self.books[language] = await asyncio.wrap_future(self.house.thinkers.tell(language))
        return JSONResponse(found | {"book": self.books[language]})

    async def _watch(self, request: Request) -> Response:
        """What is wrong with the rules as they are on disk, while they are watched."""
        if self.watching is None:
            return JSONResponse({"watching": False})
        return JSONResponse({"watching": True} | self.watching.findings.data())

    async def _begin(self, request: Request) -> Response:
        self._count(self.begun, address_of(request.scope))
        order = await self._sent(request)
        return JSONResponse(await self.desk.do(DECIDE, lambda: _links(self.house.start(order))), 201)

    async def _open(self, request: Request) -> Response:
        """A replay file becomes a play that can be looked through and played on."""
        self._count(self.begun, address_of(request.scope))
        sent = await self._sent(request, self.limits.replay)
        text, language = sent.get("text"), _language(request)
        if not isinstance(text, str):
            raise BadOrder("`text` is the text of a replay file")
        return await self._again(await self.desk.do(DECIDE, lambda: self.house.opened(text, language)))

    async def _again(self, kept: Kept) -> Response:
        """The links of a play in which much is decided already, once it was gone through."""
        await self.desk.do(LATER, lambda: self.house.room(next(iter(kept.links))))
        return JSONResponse(_links(kept), 201)

    # ------------------------------------------------------------------------------------------ a play

    async def _snapshot(self, request: Request) -> Response:
        link, language = self._link(request), _language(request)
        return JSONResponse(await self.desk.do(LOOK, lambda: self._seen(link, language)))

    def _seen(self, link: str, language: str) -> dict[str, Any]:
        room, seats = self.house.room(link)
        return seen(room, seats, language)

    async def _past(self, request: Request) -> Response:
        link, language, move = self._link(request), _language(request), request.path_params["move"]

        def look() -> dict[str, Any]:
            room, seats = self.house.room(link)
            return past(room, seats, language, move)

        return JSONResponse(await self.desk.do(LOOK, look))

    async def _between(self, request: Request) -> Response:
        link, language, line = self._link(request), _language(request), request.path_params["line"]

        def look() -> dict[str, Any]:
            room, seats = self.house.room(link)
            return between(room, seats, language, line)

        return JSONResponse(await self.desk.do(LOOK, look))

    async def _choose(self, request: Request) -> Response:
        link, sent = self._link(request), await self._sent(request)
        move, choice = _number(sent, "move"), sent.get("choice")
        if isinstance(choice, bool) or not isinstance(choice, int | str) or len(str(choice)) > LONGEST_CHOICE:
            raise BadOrder("`choice` is the number or the key of an option")

        def decide() -> dict[str, Any]:
            room, seats = self.house.room(link)
            new = room.choose(seats, move, choice)
            if new:
                self.house.changed(room)
            return {"move": room.move(seats), "version": room.version(seats), "repeated": not new}

        return JSONResponse(await self.desk.do(DECIDE, decide))

    async def _undo(self, request: Request) -> Response:
        link, sent = self._link(request), await self._sent(request)
        move = _number(sent, "move")

        def decide() -> dict[str, Any]:
            room, seats = self.house.room(link)
            room.undo(seats, move)
            self.house.changed(room)
            return {"move": room.move(seats), "version": room.version(seats)}

        return JSONResponse(await self.desk.do(DECIDE, decide))

    async def _branch(self, request: Request) -> Response:
        self._count(self.begun, address_of(request.scope))
        link, sent = self._link(request), await self._sent(request)
        at = _number(sent, "at")
        return await self._again(await self.desk.do(DECIDE, lambda: self.house.branch(link, at)))

    async def _replay(self, request: Request) -> Response:
        link = self._link(request)
        text = await self.desk.do(LATER, lambda: self.house.room(link)[0].replay())
        name = "".join(c if c.isalnum() else "-" for c in self.game.name)
        kept = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(text, media_type="application/jsonl", headers=kept)

    async def _why(self, request: Request) -> Response:
        link, language = self._link(request), _language(request)
        text = request.query_params.get("option", "")[:LONGEST_TEXT]
        if not text.strip():
            raise BadOrder("`option` is what you ask about")

        def answer() -> dict[str, Any]:
            room, seats = self.house.room(link)
            found = why(room.play, room.seat(seats), text, language)
            return {
                "lines": [plain(line) for line in found.lines(language)],
                "offered": bool(found.offered),
                "reason": found.failure is not None,
                "never": found.never,
            }

        return JSONResponse(await self.desk.do(LOOK, answer))

    # ------------------------------------------------------------------------------------------ listening

    async def _events(self, request: Request) -> Response:
        """What happens in one play."""
        link, since = self._link(request), request.headers.get("last-event-id", "")
        ears = Ears()
        await self._listen(ears, link)
        ears.told[link] = since
        return self._stream(ears)

    async def _all_events(self, request: Request) -> Response:
        """What happens in several plays, for all pages of a browser: it opens six connections and no more."""
        ears = Ears()
        for link in dict.fromkeys(request.query_params.getlist("link")[:MOST_SHARED]):
            self._count(self.messages, link)
            try:
                await self._listen(ears, link)
            except Refused as refused:
                ears.refused[link] = refused.said(_language(request))
        return self._stream(ears, shared=True)

    async def _listen(self, ears: Ears, link: str) -> None:
        listener = Listener(ears.bell, asyncio.get_running_loop())
        ears.leave.append(await self.desk.do(DECIDE, lambda: self.house.listen(link, listener)))
        ears.listeners[link] = listener

    def _stream(self, ears: Ears, shared: bool = False) -> Response:
        told = self._told(ears, shared)
        return StreamingResponse(told, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    async def _told(self, ears: Ears, shared: bool) -> AsyncIterator[str]:
        """What a listening page is sent; whoever lost the server is told at once what they have missed."""
        try:
            yield f"retry: {RETRY}\n\n"
            for link, problem in ears.refused.items():
                yield f"event: refused\ndata: {json.dumps({'link': link, 'error': problem})}\n\n"
            findings = 0
            self.bells.add(ears.bell)
            while not self.closing:
                ears.bell.clear()
                for link, version, move in ears.news():
                    data = {"move": move, "version": version} | ({"link": link} if shared else {})
                    yield f"id: {version}\nevent: changed\ndata: {json.dumps(data)}\n\n"
                if self.watching is not None and self.watching.findings.number != findings:
                    findings = self.watching.findings.number
                    yield f"event: rules\ndata: {json.dumps(self.watching.findings.data())}\n\n"
                try:
                    await asyncio.wait_for(ears.bell.wait(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self.bells.discard(ears.bell)
            for leave in ears.leave:
                self.desk.submit(DECIDE, leave)

    # ------------------------------------------------------------------------------------------ what is sent

    def _link(self, request: Request) -> str:
        link: str = request.path_params["link"]
        self._count(self.messages, link)
        return link

    def _count(self, rate: Rate, who: str) -> None:
        wait = rate.wait(who)
        if wait:
            raise Refused(429, "too_many", seconds=max(1, round(wait)))

    async def _sent(self, request: Request, most: int | None = None) -> dict[str, Any]:
        """The message of a request: an object of JSON of bounded size."""
        data, most = bytearray(), self.limits.body if most is None else most
        try:
            async with asyncio.timeout(PATIENCE):
                async for chunk in request.stream():
                    data += chunk
                    if len(data) > most:
                        raise Refused(413, "too_large", most=most)
        except TimeoutError:
            raise Refused(408, "too_slow") from None
        try:
            sent = json.loads(bytes(data))
        except (ValueError, RecursionError):
            raise BadOrder("this cannot be read as JSON") from None
        if not isinstance(sent, dict):
            raise BadOrder("an object of JSON is expected")
        return sent


def seen(room: Room, seats: list[int], language: str) -> dict[str, Any]:
    """What a page shows of a play now, for the holder of some seats."""
    seat = room.seat(seats)
    picked = room.picked(seat) if seat is not None else ()
    data = snapshot(room.play, seat, language, beside=len(seats) == 1, picked=picked)
    data |= _frame(room, seats, room.move(seats), language)
    data["undo"] = room.may_undo(seats)
    if data["result"] is not None:
        data["result"]["course"] = room.course()
    return data


def between(room: Room, seats: list[int], language: str, line: int) -> dict[str, Any]:
    """What there was to be seen of a play between two decisions, when a line of the log was said."""
    data = snapshot(room.between(seats, line), room.seat(seats), language, beside=len(seats) == 1)
    return data | _frame(room, seats, room.move(seats), language)


def past(room: Room, seats: list[int], language: str, move: int) -> dict[str, Any]:
    """What a page showed of a play after so many moves."""
    play = room.at(seats, move)
    asked = [seat for seat in play.pending if seat in seats]
    seat = asked[0] if asked else seats[0] if seats else None
    return snapshot(play, seat, language, beside=len(seats) == 1) | _frame(room, seats, move, language)


def _frame(room: Room, seats: list[int], move: int, language: str) -> dict[str, Any]:
    """What the server knows of a play besides the play."""
    return {
        "forced": sorted(room.forced),
        "move": move,
        "moves": room.move(seats),
        "since": room.since(seats),
        "steps": room.steps(seats),
        "interludes": room.interludes(seats),
        "version": room.version(seats),
        "yours": seats,
        "seats": room.kept.seats,
        "tells": room.tells,
        "notice": say(room.notice[0], language, **room.notice[1]) if room.notice else "",
    }


def _links(kept: Kept) -> dict[str, Any]:
    """The links of a new play: for each seat of a person, and for who looks on."""
    of_seats: list[str | None] = [None] * kept.players
    spectator = ""
    for link, seats in kept.links.items():
        for seat in seats:
            of_seats[seat] = f"/t/{link}"
        if not seats:
            spectator = f"/t/{link}"
    return {"seats": of_seats, "spectator": spectator, "who": kept.seats}


def _language(request: Request) -> str:
    asked = request.query_params.get("lang")
    return asked if asked in LANGUAGES else LANGUAGES[0]


def _number(sent: dict[str, Any], key: str) -> int:
    value = sent.get(key)
    if type(value) is not int:
        raise BadOrder(f"`{key}` is a whole number: how many decisions were made, as the page shows it")
    return value


def _pages() -> dict[str, tuple[bytes, str]]:
    """The files of the page, read once, each with a tag for its content."""
    found = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found[path.relative_to(STATIC).as_posix()] = (data, f'"{hashlib.sha256(data).hexdigest()[:16]}"')
    return found


# --------------------------------------------------------------------------------------------- refusals


async def _refused(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Refused), "registered for these"
    found = {"error": plain(problem.said(_language(request))), "reason": problem.key}
    if "move" in problem.values:
        found["move"] = problem.values["move"]
    headers = {"Retry-After": str(problem.values["seconds"])} if "seconds" in problem.values else None
    return JSONResponse(found, problem.status, headers)


async def _not_kept(request: Request, problem: Exception) -> Response:
    return await _refused(request, Refused(507, "not_kept"))


async def _bad(request: Request, problem: Exception) -> Response:
    return refusal(400, plain(str(problem))[:LONGEST_TEXT])


async def _bad_rules(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, GameError), "registered for these"
    first = problem.report.sorted()[0]
    return refusal(422, plain(f"The rules do not work with these options: {first.message}")[:LONGEST_TEXT])


async def _no_such_page(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException), "registered for these"
    words = {404: "There is no such page.", 405: "This method is not allowed here."}
    return refusal(problem.status_code, words.get(problem.status_code, "This cannot be answered."))


async def _our_fault(request: Request, problem: Exception) -> Response:
    return refusal(500, "Something went wrong in the server; your decisions are safe. Try again.")


__all__ = ["Server", "Serving", "past", "seen"]
