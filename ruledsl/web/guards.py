"""What stands before every answer: whose page may ask, how much and how often, and what a browser may do with a page.

- The host that a browser says it asks must be one of ours: else a page elsewhere could reach a server on this machine
  by giving its own name this machine's address.
- What changes something must come from a page of ours (`Origin`), and say that it is JSON, which no form can.
- A page may load scripts, styles and pictures of this server alone, and none that stand in the page itself.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import ipaddress
import socket
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # the address of a page is the key to a seat
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
LONGEST_HEAD = 16_000  # bytes
_MOST_KEPT = 10_000  # addresses and links whose messages are counted


class Rate:
    """So many a second, and so many at once, for each of many: the oldest are forgotten."""

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second, self.at_once, self._clock = per_second, at_once, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str, costs: float = 1.0) -> float:
        """Counts one more; how many seconds it comes too early, 0 if it does not."""
        now = self._clock()
        left, last = self._left.pop(who, (self.at_once, now))
        left = min(self.at_once, left + (now - last) * self.per_second)
        wait = 0.0 if left >= costs else (costs - left) / self.per_second
        self._left[who] = (left - costs if wait == 0.0 else left, now)
        if len(self._left) > _MOST_KEPT:
            self._left.popitem(last=False)
        return wait

    def empty(self, who: str) -> bool:
        """Whether the next one would come too early."""
        return self.wait(who, 0.0) > 0 or self._left[who][0] < 1.0


class Guard:
    """The outermost layer of the application."""

    def __init__(
        self, app: ASGIApp, hosts: frozenset[str], any_address: bool, password: str | None, wrong: Rate
    ) -> None:
        self.app, self.hosts, self.any_address, self.password, self.wrong = app, hosts, any_address, password, wrong

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refusal(scope)
        await (refused or self.app)(scope, receive, protected)

    def _refusal(self, scope: Scope) -> Response | None:
        said = sum(len(name) + len(value) for name, value in scope["headers"])
        if said + len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_HEAD:
            return refusal(431, "The head of this request is too large.")
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            return refusal(
                421, "This server does not answer to that name; start it with --allow-host NAME if it should."
            )
        if scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is not None and origin.partition("://")[2].lower() != host.lower():
                return refusal(403, "This was sent by a page of another site.")
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return refusal(403, "This was sent by a page of another site.")
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return refusal(415, "Send this as JSON, with `Content-Type: application/json`.")
        return self._locked(scope, headers)

    def _is_ours(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        name = name.strip("[]").rstrip(".").lower()
        if name in self.hosts:
            return True
        if not self.any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _locked(self, scope: Scope, headers: Headers) -> Response | None:
        """Whether the password is missing or wrong; a browser asks for it."""
        if self.password is None:
            return None
        address = address_of(scope)
        if self.wrong.empty(address):
            return refusal(429, "Too many wrong passwords; wait a minute.")
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "basic":
            try:
                _, _, word = base64.b64decode(given, validate=True).partition(b":")
            except (binascii.Error, ValueError):
                word = b""
            if hmac.compare_digest(word, self.password.encode()):
                return None
            self.wrong.wait(address)
        found = refusal(401, "This server asks for a password. The name does not matter.")
        found.headers["WWW-Authenticate"] = 'Basic realm="ruledsl", charset="UTF-8"'
        return found


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def refusal(status: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, status)


def own_names() -> frozenset[str]:
    """The names by which this machine may be called."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", "127.0.0.1", "::1", name, f"{name}.local"})


__all__ = ["HEADERS", "LONGEST_HEAD", "POLICY", "Guard", "Rate", "address_of", "own_names", "refusal"]
