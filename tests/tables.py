"""Pictures of ten tables as the page shows them, for docs/serve.md: `python tests/tables.py [GAME …]` takes them anew.

Each play is begun with the same seed and clicked a little way, so that a picture changes only where the page does.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [] if __name__ != "__main__" else [str(ROOT)]

from browser import CUT, DESKTOP, Browser, need_browser, serving  # noqa: E402

from ruledsl import shipped  # noqa: E402
from ruledsl.compiler.pipeline import load_blueprint  # noqa: E402
from ruledsl.runtime.game import Game  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
CLICKS = {  # how far each play has come
    "backgammon": 12,
    "bastion": 14,
    "chess": 21,
    "court-intrigue": 3,
    "fjords": 32,
    "fortress": 18,
    "gem-traders": 24,
    "holdem": 5,
    "outpost": 16,
    "serpent": 16,
}
SCALE = 0.6
ASKED = "return !document.getElementById('result').hidden || !!document.querySelector('#ask .mine')"


def pictured(browser: Browser, name: str) -> bytes:
    path = shipped.find_game(name)
    assert path is not None
    game = Game(load_blueprint(path))
    with tempfile.TemporaryDirectory() as plays, serving(game, Path(plays)) as address:
        bots = ["bot:random"] * (game.players[0] - 1)
        link = browser.begin(address, "me", *bots, seed=7)["seats"][0]
        browser.open(address + link)
        for click in range(CLICKS[name]):
            browser.play(7 + click, 1)
            browser.idle()
            browser.until(lambda: browser.ask(ASKED), "the turn of who is pictured")
        complaints = browser.ask(CUT)
        assert not complaints, f"{name}: {complaints}"
        clip = {"x": 0, "y": 0, "width": DESKTOP[0], "height": DESKTOP[1], "scale": SCALE}
        taken = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
        browser.leave()
        return base64.b64decode(taken["data"])


def main(names: list[str]) -> None:
    need_browser()
    browser = Browser(DESKTOP)
    try:
        for name in names or CLICKS:
            (FOLDER / f"table-{name}.png").write_bytes(pictured(browser, name))
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
