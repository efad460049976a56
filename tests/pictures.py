"""The pictures of the README: a finding of `check`, a board, a report of `simulate`. `python tests/pictures.py` writes
them again; `test_pictures.py` sees to it that they are what the commands show."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [] if __name__ != "__main__" else [str(ROOT)]

from ruledsl.boards.svg import escape  # noqa: E402
from ruledsl.boards.svgtiles import tiles_svg  # noqa: E402
from ruledsl.compiler.pipeline import check  # noqa: E402
from ruledsl.diagnostics.render import render  # noqa: E402
from ruledsl.runtime.game import load  # noqa: E402
from ruledsl.runtime.picture import sheets, tile_legend  # noqa: E402
from ruledsl.simulation.findings import findings  # noqa: E402
from ruledsl.simulation.report import page  # noqa: E402
from ruledsl.simulation.run import simulate  # noqa: E402
from ruledsl.simulation.work import Task  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"

# What a terminal makes of the colours of `diagnostics.render`, on a dark ground.
_COLOURS = {"1;31": "#f07178", "1;33": "#ffcb6b", "34": "#82aaff", "32": "#c3e88d", "1": "#ffffff"}
_LETTER, _LINE, _EDGE = 8.4, 19.0, 16.0
_STYLE = "text{font-family:'DejaVu Sans Mono',Consolas,monospace;font-size:14px;fill:#d6deeb}"


def terminal(lines: list[str]) -> str:
    """Lines with the marks for colours in them, as a terminal shows them."""
    bare = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    width, height = _EDGE * 2 + _LETTER * max(map(len, bare)), _EDGE * 2 + _LINE * len(lines)
    body = []
    for number, line in enumerate(lines):
        spans = []
        for colour, text in re.findall(r"(?:\x1b\[([\d;]+)m)?([^\x1b]+)(?:\x1b\[0m)?", line):
            fill = f' fill="{_COLOURS[colour]}"' if colour else ""
            shown = escape(text).replace(" ", "\u00a0")  # plain spaces would become one
            spans.append(f"<tspan{fill}>{shown}</tspan>")
        body.append(f'<text x="{_EDGE:.0f}" y="{_EDGE + _LINE * (number + 0.75):.1f}">{"".join(spans)}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
            f"<title>{escape(' '.join(bare[:1]))}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{width:.0f}" height="{height:.0f}" rx="8" fill="#1d2432"/>',
            *body,
            "</svg>",
        ]
    )


def diagnostic(folder: Path) -> str:
    """Two slips in the game of the README."""
    game = (ROOT / "examples" / "tic-tac-toe.yaml").read_text(encoding="utf-8")
    path = folder / "tic-tac-toe.yaml"
    path.write_text(game.replace("empty(cell)", "emty(cell)").replace("to: cell", "too: cell"), encoding="utf-8")
    found = check(path).sorted()
    assert len(found) == 2, [one.message for one in found]
    lines = ["$ ruledsl check tic-tac-toe.yaml"]
    for one in found:
        lines += [*render(one, colour=True).replace(str(path), path.name).split("\n"), ""]
    return terminal(lines[:-1]) + "\n"


def board(folder: Path) -> str:
    """Fjords after some turns at random."""
    play = load(ROOT / "games" / "fjords").start(seed=11, names=["white", "black"])
    dice = random.Random(11)
    while not play.over and len(play.decisions) < 90:
        play.choose(dice.randrange(len(play.options())))
    (sheet,) = sheets(play, "en", play.view(None))
    assert sheet.cells is not None
    return tiles_svg(sheet.board, sheet.cells, "Fjords", tile_legend(play, "en", play.view(None)))


def report(folder: Path) -> str:
    """What the page of `simulate --report` shows of two thousand plays of Hex, without its tables."""
    path, options = ROOT / "examples" / "hex.yaml", {"size": "7"}
    game = load(path)
    task = Task(str(path), 2, 1, options, None, (), "python", 0, 10_000)
    told = page(findings(simulate(task, 2_000, game, 1), game, "hex", "en"))
    style = re.search(r"<style>(.*?)</style>", told, re.DOTALL)
    assert style is not None
    parts = re.findall(r"<h1>(.*?)</h1>|<h[23]>(.*?)</h[23]>|(<svg.*?</svg>)", told, re.DOTALL)
    body, y, heading, seen = [], 20.0, "", {"decisions"}  # which are as many as turns
    for first, second, picture in parts:
        heading = first or second or heading
        if not picture or heading in seen:
            continue
        seen.add(heading)
        high = re.search(r'height="([\d.]+)"', picture)
        assert high is not None
        body.append(f'<text x="20" y="{y + 14:.0f}" style="font-size:16px;font-weight:bold">{heading}</text>')
        body.append(picture.replace("<svg ", f'<svg x="20" y="{y + 26:.0f}" ', 1))
        y += 26 + float(high[1]) + 24
    rules = "\n".join(rule for rule in re.findall(r"(?:svg )?(?:text|\.bar|\.range|\.axis|\.space)\{.*?\}", style[1]))
    size = f'width="680" height="{y:.0f}" viewBox="0 0 680 {y:.0f}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            "<title>What ruledsl simulate tells of 2,000 plays of Hex</title>",
            f"<style>text{{font-family:'DejaVu Sans',Verdana,sans-serif}}\n{rules}</style>",
            f'<rect width="680" height="{y:.0f}" rx="8" fill="#fbfaf6"/>',
            *body,
            "</svg>\n",
        ]
    )


PICTURES = {"diagnostic.svg": diagnostic, "board.svg": board, "report.svg": report}


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        with TemporaryDirectory() as folder:
            (FOLDER / name).write_text(draw(Path(folder)), encoding="utf-8", newline="\n")
