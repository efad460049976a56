"""How plays per second go with the size of a game or the number of players: a picture with a panel for each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, log10

from ruledsl.boards.svg import escape
from ruledsl.records import dataclass

from .measure import Result
from .report import number

WIDTH, HEIGHT = 300.0, 190.0  # of what a panel draws on
LEFT, RIGHT, ABOVE, BELOW = 84.0, 26.0, 46.0, 52.0  # around it
ACROSS = 3  # panels in a row
LEGEND = 34.0
ROOM = 26.0  # between two words of the axis, at the least
COLOURS = ("#1f5fa8", "#c2410c", "#3f7d3a", "#7c3f9e", "#8a6d1a", "#0f766e")
_STYLE = """\
text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#2b2b2b}
.title{font-weight:bold;font-size:14px}
.small{font-size:11px;fill:#5a5a5a}
.middle{text-anchor:middle}
.end{text-anchor:end}
.grid{stroke:#e1e1e1;stroke-width:1}
.axis{stroke:#8a8a8a;stroke-width:1}
.line{fill:none;stroke-width:2;stroke-linejoin:round}"""


@dataclass(frozen=True)
class Panel:
    """The curves of one game: by what is measured the plays per second at each value."""

    title: str
    axis: str
    curves: dict[str, list[tuple[int, float]]]


def panel(name: str, values: Sequence[str], results: Sequence[Result]) -> Panel:
    """One game over an option or the number of players."""
    curves: dict[str, list[tuple[int, float]]] = {}
    for value, result in zip(values, results, strict=True):
        for row in result.rows:
            if row.rate.plays_per_second > 0:
                curves.setdefault(row.rate.name, []).append((int(value), row.rate.plays_per_second))
    return Panel(results[0].game, name, curves)


def picture(panels: Sequence[Panel]) -> str:
    """All panels, with one legend for them."""
    names = list(dict.fromkeys(name for one in panels for name in one.curves))
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    across = min(ACROSS, len(panels))
    wide, high = LEFT + WIDTH + RIGHT, ABOVE + HEIGHT + BELOW
    width, height = across * wide, LEGEND + ceil(len(panels) / across) * high
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *_legend(colours),
    ]
    for i, one in enumerate(panels):
        lines.append(f'<g transform="translate({i % across * wide + LEFT:g} {LEGEND + i // across * high + ABOVE:g})">')
        lines += _drawn(one, colours)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _legend(colours: dict[str, str]) -> Iterator[str]:
    x = LEFT
    for name, colour in colours.items():
        yield f'<path class="line" stroke="{colour}" d="M{x:g} 22h22"/>'
        yield f'<circle cx="{x + 11:g}" cy="22" r="3" fill="{colour}"/>'
        yield f'<text x="{x + 28:g}" y="26">{escape(name)}</text>'
        x += 28 + 8 * len(name) + 26


def _drawn(one: Panel, colours: dict[str, str]) -> Iterator[str]:
    values = sorted({value for curve in one.curves.values() for value, _ in curve})
    rates = [rate for curve in one.curves.values() for _, rate in curve]
    low, high = floor(log10(min(rates))), ceil(log10(max(rates)))
    high = max(high, low + 1)

    def at(value: float, rate: float) -> tuple[float, float]:
        across = (value - values[0]) / max(1, values[-1] - values[0])
        return across * WIDTH, HEIGHT - (log10(rate) - low) / (high - low) * HEIGHT

    yield f'<text class="title" x="0" y="-26">{escape(one.title)}</text>'
    yield '<text class="small" x="0" y="-9">plays per second of CPU time</text>'
    for power in range(low, high + 1):
        _, y = at(values[0], 10.0**power)
        yield f'<path class="grid" d="M0 {y:.1f}h{WIDTH:g}"/>'
        yield f'<text class="small end" x="-8" y="{y + 4:.1f}">{number(10.0**power)}</text>'
    yield f'<path class="axis" d="M0 {HEIGHT:g}h{WIDTH:g}"/>'
    shown = -ROOM
    for value in values:
        x, _ = at(value, 1)
        if x - shown >= ROOM:
            shown = x
            yield f'<text class="small middle" x="{x:.1f}" y="{HEIGHT + 18:g}">{value}</text>'
    yield f'<text class="small middle" x="{WIDTH / 2:g}" y="{HEIGHT + 36:g}">{escape(one.axis)}</text>'
    for name, curve in one.curves.items():
        points = [at(*point) for point in sorted(curve)]
        steps = "".join(f"L{x:.1f} {y:.1f}" for _, (x, y) in pairwise(points))
        x, y = points[0]
        yield f'<path class="line" stroke="{colours[name]}" d="M{x:.1f} {y:.1f}{steps}"/>'
        for (x, y), (value, rate) in zip(points, sorted(curve), strict=True):
            told = escape(f"{name}, {one.axis} {value}: {number(rate)} plays/s")
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colours[name]}"><title>{told}</title></circle>'


__all__ = ["Panel", "panel", "picture"]
