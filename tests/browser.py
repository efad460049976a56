"""A real browser and a real server, for tests of the page; and a driver that knows only the page.

Chromium and its driver come with the system (Debian: `chromium`, `chromium-driver`). Where there are none, these tests
say so and are skipped.
"""

from __future__ import annotations

import json
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

import uvicorn
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

from ruledsl.runtime.game import Game
from ruledsl.web.house import Limits
from ruledsl.web.launch import Host
from ruledsl.web.server import Server, Serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
DESKTOP, PHONE = (1280, 800), (390, 844)
PHONES = {"phone": PHONE, "small phone": (360, 740), "on its side": (844, 390)}
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--lang=en", "--force-prefers-reduced-motion",
    # A page in a tab behind another goes on as quickly: the driver does not bring it to the front.
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-features=IntensiveWakeUpThrottling",
)  # fmt: skip
LOOSE = Limits(per_second=100_000.0, at_once=100_000, new_per_minute=100_000.0)
PATIENCE = 120.0  # seconds
Serve = Callable[[str], str]  # starts a server of a game, and gives its address

# Clicks what can be clicked, until there is nothing more to do. What is covered by something else cannot be clicked.
# On a phone what can be chosen may lie in another view: then the tab that says so is tapped first.
PLAYER = """
const [seed, most, done] = arguments;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let state = seed;
const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
function reached(element) {
  if (!element.checkVisibility()) {
    const view = element.closest("#stage [data-view]")?.dataset.view;
    [...document.querySelectorAll("#views .asks")].find((tab) => tab.dataset.view === view)?.click();
  }
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  if (hit && (element.contains(hit) || hit.contains(element))) return element.contains(hit) ? hit : element;
  return null;
}
(async () => {
  const covered = [];
  let clicks = 0;
  for (let idle = 0; clicks < most && idle < 40; ) {
    if (!document.getElementById("result").hidden) return done({ clicks, covered, over: true });
    const lit = [...document.querySelectorAll("main .lit")];
    const buttons = [...document.querySelectorAll("#options button.option")];
    const found = lit.length && (!buttons.length || random(3)) ? lit : buttons;
    if (document.body.classList.contains("busy") || !found.length) {
      idle += !document.body.classList.contains("busy");
      await wait(5);
      continue;
    }
    idle = 0;
    const one = found[random(found.length)];
    const target = reached(one);
    if (!target) covered.push(one.dataset.place || one.textContent);
    (target || one).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
    clicks += 1;
    await wait(0);
  }
  done({ clicks, covered, over: false });
})();
"""

# What cannot be read: texts that are cut off, that stick out, or that lie over each other.
CUT = (Path(__file__).resolve().parent / "layout.js").read_text(encoding="utf-8")


def need_browser() -> None:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("this machine has no Chromium with chromedriver (Debian: apt-get install chromium chromium-driver)")


@contextmanager
def serving(game: Game, plays: Path, watch: bool = False) -> Iterator[str]:
    """A server in a thread of its own; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        served = Server(Serving(game, plays / "plays.sqlite", limits=LOOSE, workers=1, watch=watch))
        server = Host(uvicorn.Config(served.app, log_level="error", timeout_graceful_shutdown=2), served)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


class Browser:
    """One browser, with a window of a size."""

    def __init__(self, size: tuple[int, int] = DESKTOP) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        self.driver.set_script_timeout(240)
        self.resize(size)

    def dark(self, dark: bool) -> None:
        """Whether the device asks for dark pages."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def motion(self, reduced: bool) -> None:
        """Whether the device asks for little motion."""
        features = [{"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def resize(self, size: tuple[int, int]) -> None:
        wide, high = size
        metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": size in PHONES.values()}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def ask(self, script: str, *values: Any) -> Any:
        return self.driver.execute_script(script, *values)

    def until(self, holds: Callable[[], Any], what: str = "") -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := holds()):
            assert time.monotonic() < end, f"this did not come about: {what}"
            time.sleep(0.02)
        return found

    def open(self, url: str) -> None:
        """A page of the table, once it is drawn."""
        self.driver.get(url)
        self.until(lambda: self.ask("return document.getElementById('ask')?.textContent"), f"the table of {url}")

    def begin(self, address: str, *seats: str, **order: Any) -> dict[str, Any]:
        """A new play, asked for by a page as the lobby asks."""
        script = """
            const done = arguments[1];
            fetch("/api/plays", {method: "POST", headers: {"Content-Type": "application/json"}, body: arguments[0]})
              .then((answer) => answer.json()).then(done, (problem) => done({error: String(problem)}));"""
        self.driver.get(f"{address}/")
        self.complaints()  # those of other tests are taken away
        found = self.driver.execute_async_script(script, json.dumps({"seats": list(seats), "seed": 1, **order}))
        assert "seats" in found, found
        return dict(found)

    def play(self, seed: int, most: int) -> dict[str, Any]:
        """Clicks until the seat has nothing more to do, or so many times."""
        return dict(self.driver.execute_async_script(PLAYER, seed, most))

    def press(self, *keys: str) -> None:
        """Keys, one after the other, wherever the focus is."""
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def touched(self, kind: str, *points: tuple[float, float]) -> None:
        found = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    def tap(self, x: float, y: float) -> None:
        """A finger at a point of the window."""
        self.touched("touchStart", (x, y))
        self.touched("touchEnd")

    def pinch(self, x: float, y: float, near: float, far: float, steps: int = 6) -> None:
        """Two fingers that lie side by side, and go away from each other or come together."""
        for step in range(steps + 1):
            half = (near + (far - near) * step / steps) / 2
            self.touched("touchMove" if step else "touchStart", (x - half, y), (x + half, y))
        self.touched("touchEnd")

    def text(self, name: str) -> str:
        """What stands in a part of the page, named by its id."""
        return str(self.ask("return document.getElementById(arguments[0]).innerText", name))

    def log(self) -> list[str]:
        """The lines of the story."""
        return list(self.ask("return [...document.querySelectorAll('#log li')].map((line) => line.textContent)"))

    def idle(self) -> None:
        """Waits until nothing is being sent."""
        self.until(lambda: self.ask("return !document.body.classList.contains('busy')"), "an answer of the server")

    def in_language(self, language: str) -> None:
        """The page as it is in a language."""
        self.ask("localStorage.setItem('ruledsl-language', arguments[0])", language)
        self.open(self.driver.current_url)
        self.until(lambda: self.ask("return document.documentElement.lang") == language, "the language")

    def kept(self) -> str:
        """All that a page holds: its source as it stands, and what it stored."""
        return str(
            self.ask(
                "return document.documentElement.outerHTML + JSON.stringify([{...localStorage}, {...sessionStorage}])"
            )
        )

    def complaints(self) -> list[str]:
        """What the browser itself found wrong: scripts that failed, content that the policy forbids."""
        log: Callable[[str], list[dict[str, str]]] = self.driver.get_log
        return [line["message"] for line in log("browser") if line["level"] in ("WARNING", "SEVERE")]

    def leave(self) -> None:
        """Goes away from all pages, before their server is stopped."""
        self.driver.get("about:blank")
        self.complaints()

    def close(self) -> None:
        self.driver.quit()
