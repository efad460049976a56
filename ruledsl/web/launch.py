"""Runs the server: one process, on one address, until it is stopped. Only here and in `server` is the library known."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ruledsl.memory import search_seldom

from .guards import LONGEST_HEAD
from .server import PATIENCE, Server

STANDSTILL = 30.0  # seconds in which somebody takes nothing of an answer
ON_THE_WAY = 256_000  # bytes that the system keeps of an answer that is not taken: so it shows soon whether it is
_BACKLOG = 512
_SWITCH = 0.001  # seconds that the rules run before the loop may answer somebody


class Impatient(H11Protocol):
    """Connections that ask nothing, or never come to an end of asking, are closed; so are those that do not take what
    they have asked for."""

    _patience: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            self._wait_no_more()
        elif self._patience is None:
            self._wait()

    def on_response_complete(self) -> None:
        self._wait_no_more()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        self._look_no_more()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """More was written than is taken for now."""
        super().pause_writing()
        self._look_again()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look_no_more()

    def timeout_keep_alive_handler(self) -> None:
        """It is closed as soon as all was taken; which may be never."""
        super().timeout_keep_alive_handler()
        self._look_again()

    def _close(self) -> None:
        self.transport.close()
        self._look_again()

    def _look_again(self) -> None:
        self._look_no_more()
        left = self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(STANDSTILL, self._is_taken, left)

    def _is_taken(self, before: int) -> None:
        """Whoever has taken nothing for so long is given up; who is slow has time."""
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self._look_again()

    def _look_no_more(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
        self._taking = None

    def _wait(self) -> None:
        self._patience = self.loop.call_later(PATIENCE, self._close)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._patience = None


class Host(uvicorn.Server):
    """Lets pages that listen go before it waits for the rest to end."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._server = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._server.let_go()
        await super().shutdown(sockets)


def listen(host: str, port: int, tries: int = 1) -> socket.socket:
    """A socket at an address; at one of the next ports, where a port is taken and more tries are allowed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + tries):
        found = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # An answer is written in two parts; else the second would wait 40 ms for word that the first has come.
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ON_THE_WAY)
        try:
            found.bind((host, number))
            found.listen(_BACKLOG)  # from now on whoever connects waits until they are served
        except OSError:
            found.close()
            if number == port + tries - 1:
                raise
            continue
        found.set_inheritable(False)
        return found
    raise AssertionError("there is at least one try")


def run(server: Server, at: socket.socket) -> None:
    """Until it is stopped with Ctrl-C, or by a signal."""
    _allow_many_connections(server.limits.connections)
    sys.setswitchinterval(_SWITCH)
    search_seldom()
    signal.signal(signal.SIGTERM, _end)
    config = uvicorn.Config(
        server.app,
        http=Impatient,
        ws="none",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        limit_concurrency=server.limits.connections,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_graceful_shutdown=2,
    )
    with suppress(KeyboardInterrupt):
        Host(config, server).run([at])


def _end(number: int, frame: Any) -> None:
    """A server that is told to end by the system ends as with Ctrl-C."""
    raise KeyboardInterrupt


def _allow_many_connections(count: int) -> None:
    """As many open files as connections need, where the system lets us."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 256
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


__all__ = ["listen", "run"]
