"""Findings as one page for a browser: its pictures are part of it, and nothing is fetched from anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ruledsl.boards.layout import layout
from ruledsl.boards.svg import escape

from .findings import Findings, Members, Outcome, Spread, Tally
from .statistics import Share

WIDTH, BAR = 640.0, 22.0
LABEL = 190.0  # room for the names of bars
TOLD = 130.0  # room for the numbers behind them; those with bounds take 80 more
COLUMNS = 40  # of a histogram; more values share columns
LISTED = 60  # bars of one picture
_STYLE = """\
body{font-family:'DejaVu Sans',Verdana,sans-serif;color:#2b2b2b;background:#fbfaf6;margin:2em auto;max-width:52em;\
padding:0 1em;line-height:1.45}
h1{font-size:1.6em;margin-bottom:.2em}h2{font-size:1.2em;margin:2em 0 .5em;border-bottom:1px solid #d8cfba}
h3{font-size:1em;margin:1.4em 0 .4em}
table{border-collapse:collapse;font-size:.9em}td,th{padding:.15em .9em .15em 0;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr.never td{color:#b03a2e}
.small{color:#6e5f49;font-size:.85em}code{font-size:.92em}
svg{max-width:100%;height:auto;display:block;margin:.4em 0}
svg text{font-size:12px;fill:#2b2b2b}.bar{fill:#2f6fb2}.range{stroke:#2b2b2b;stroke-width:1.5}
.axis{stroke:#b8ad95;stroke-width:1}.space{stroke:#6e5f49;stroke-width:1}"""


def page(findings: Findings) -> str:
    """The whole page."""
    return "\n".join(_Page(findings).lines()) + "\n"


class _Page:
    def __init__(self, findings: Findings) -> None:
        self.found, self.speech = findings, findings.speech
        self.say, self.number = findings.speech.say, findings.speech.number

    def lines(self) -> Iterator[str]:
        found, result = self.found, self.found.result
        title = escape(self.say("report", game=found.title))
        yield "<!DOCTYPE html>"
        yield f'<html lang="{self.speech.language}">'
        yield f'<head><meta charset="utf-8"/><title>{title}</title>'
        yield f'<meta name="viewport" content="width=device-width"/><style>{_STYLE}</style></head>'
        yield f"<body><h1>{title}</h1>"
        yield f"<p>{escape(found.head)}</p>"
        if found.settings:
            yield f"<p><code>{escape(' '.join(found.settings))}</code></p>"
        if result.interrupted:
            noun = "campaign" if result.task.campaign else "play"
            wanted = self.speech.count(result.wanted, noun)
            yield f"<p>{escape(self.say('stopped', done=self.number(result.done), wanted=wanted))}</p>"
        if result.done:
            yield f'<p class="small">{escape(self.say("confidence"))}</p>'
            for number, outcome in enumerate(found.outcomes):
                if len(found.outcomes) > 1:
                    plays = self.speech.count(outcome.plays, "play")
                    yield f"<h1>{escape(self.say('nth', n=number + 1))}: {escape(plays)}</h1>"
                if outcome.plays:
                    yield from self._outcome(outcome)
            if len(found.outcomes) > 1:
                plays = self.speech.count(result.all.plays, "play")
                yield f"<h1>{escape(self.say('all_plays'))}: {escape(plays)}</h1>"
            yield from self._taken()
            for members in found.chosen:
                yield from self._members(members)
            yield from self._rules()
            yield from self._failures()
        else:
            yield f"<p>{escape(self.say('nothing'))}</p>"
        yield "</body></html>"

    # -------------------------------------------------------------------------------------------- results

    def _outcome(self, outcome: Outcome) -> Iterator[str]:
        if not outcome.ended:
            yield f"<p>{escape(self.say('no_end' if outcome.broken_off else 'nothing'))}</p>"
            if self.found.endless:
                yield f"<p>{escape(self.say('never_ends'))}</p>"
        if outcome.results:
            yield f"<h2>{escape(self.say('results'))}</h2>"
            yield _shares(
                [
                    (label, f"{self.number(share.count)} · {self.speech.within(share)}", share)
                    for label, share in outcome.results
                ]
            )
        if outcome.shared:
            yield f"<p>{escape(self.say('shared', n=self.speech.count(outcome.shared, 'play')))}</p>"
        if outcome.void or outcome.broken_off:
            limit = self.number(self.found.result.task.limit)
            rest = [(self.say("void"), outcome.void), (self.say("broken_off", n=limit), outcome.broken_off)]
            told = ", ".join(f"{label}: {self.number(n)}" for label, n in rest if n)
            why = f"{self.say('not_counted')} " if outcome.ended else ""
            yield f"<p>{escape(why + told)}.</p>"
        if not outcome.ended:
            return
        yield f"<h2>{escape(self.say('length'))}</h2>"
        yield from self._spreads(outcome.length)
        if outcome.options is not None:
            mean, most, forced = outcome.options
            text = self.say(
                "options", mean=self.number(mean), most=self.number(most), forced=self.speech.percent(forced)
            )
            yield f"<h2>{escape(self.say('choice'))}</h2><p>{escape(text)}.</p>"
        if outcome.points:
            yield f"<h2>{escape(self.say('points'))}</h2>"
            yield from self._spreads(outcome.points)
        if outcome.sources:
            yield f"<h3>{escape(self.say('sources'))}</h3>"
            rows = [
                (name, *(self.speech.around(one.mean, one.within) for one in measures))
                for name, measures in outcome.sources
            ]
            yield _table(["", *self.found.players], rows)

    def _spreads(self, spreads: list[Spread]) -> Iterator[str]:
        """A table of what they are on average, then a histogram of each."""
        rows = []
        for spread in spreads:
            one = spread.measure
            numbers = (self.number(x) for x in (one.median, one.least, one.most))
            rows.append((spread.label, self.speech.around(one.mean, one.within), *numbers))
        yield _table(["", *(self.say(key) for key in ("mean", "half", "least", "most"))], rows)
        for spread in spreads:
            if spread.measure.least < spread.measure.most:
                yield f"<h3>{escape(spread.label)}</h3>"
                yield _histogram(spread.values, f"{spread.label}: {self.say('spread')}", self.number)

    # ---------------------------------------------------------------------------------------- what was done

    def _taken(self) -> Iterator[str]:
        if not self.found.taken:
            return
        yield f"<h2>{escape(self.say('taken'))}</h2>"
        plays, all_of_them = self.found.result.all.plays, self.found.decisions or 1
        rows = [
            (
                row.label,
                self.number(row.times) if row.times else self.say("never"),
                self.number(row.times / plays) if row.times else "",
                self.speech.percent(row.times / all_of_them) if row.times else "",
                row.place,
            )
            for row in self.found.taken
        ]
        head = ["", self.say("times"), self.say("a_play"), self.say("share"), ""]
        yield _table(head, rows, [not row.times for row in self.found.taken], last_is_text=True)

    def _members(self, members: Members) -> Iterator[str]:
        yield f"<h2>{escape(self.say('chosen', what=members.label))}</h2>"
        boards = [info for info in self.found.configured.world.boards if info.root is members.root]
        for info in boards:
            yield from self._board(info, members)
        if boards and len(members.tallies) > LISTED:
            return
        rows = sorted(members.tallies, key=lambda row: -row.times)
        bars = [(row.label, self._times(row, members.times), row.times / members.times) for row in rows[:LISTED]]
        yield _bars(bars)
        if len(rows) > LISTED:
            yield f"<p>{escape(self.say('more', n=self.number(len(rows) - LISTED)))}</p>"

    def _times(self, row: Tally, of: int) -> str:
        if not row.times:
            return self.say("never")
        return f"{self.number(row.times)} · {self.speech.percent(row.times / of)}"

    def _board(self, info: Any, members: Members) -> Iterator[str]:
        """The board, every space the darker the more often it was chosen; all copies together."""
        counts, board = Counter[int](), info.board
        for member, n in enumerate(members.counts):
            counts[member % len(board)] += n
        points = layout(board)
        left, top = min(x for x, _ in points), max(y for _, y in points)
        wide, high = max(x for x, _ in points) - left, top - min(y for _, y in points)
        unit = max(8.0, min(44.0, 560 / max(wide, high, 1)))
        most = max(counts.values(), default=0) or 1
        width, height = (wide + 1) * unit, (high + 1) * unit
        shapes = []
        for at, (x, y) in enumerate(points):
            cx, cy, shade = (x - left + 0.5) * unit, (top - y + 0.5) * unit, counts[at] / most
            told = f"{board.spaces[at]}: {self.number(counts[at])}"
            shapes.append(
                f'<circle class="space" cx="{cx:.1f}" cy="{cy:.1f}" r="{unit * 0.45:.1f}" fill="{_heat(shade)}">'
                f"<title>{escape(told)}</title></circle>"
            )
            if unit >= 26:
                ink = "#ffffff" if shade > 0.6 else "#2b2b2b"
                shapes.append(
                    f'<text x="{cx:.1f}" y="{cy + 4:.1f}" text-anchor="middle" style="fill:{ink};font-size:10px">'
                    f"{escape(str(board.spaces[at]))}</text>"
                )
        yield _svg(width, height, info.name, shapes)

    def _rules(self) -> Iterator[str]:
        found = self.found
        if not found.rules:
            return
        yield f"<h2>{escape(self.say('rules'))}</h2>"
        done = sum(1 for rule in found.rules if rule.times)
        yield f"<p>{escape(self.say('rules_done', done=self.number(done), all=self.number(len(found.rules))))}</p>"
        rows = [
            (row.place, self.number(row.times) if row.times else self.say("never"), row.label) for row in found.rules
        ]
        head = [self.say("line"), self.say("times"), self.say("statement")]
        yield _table(head, rows, [not row.times for row in found.rules], last_is_text=True)

    def _failures(self) -> Iterator[str]:
        if not self.found.failures:
            return
        yield f"<h2>{escape(self.say('faults'))}</h2><ul>"
        for one in self.found.failures:
            where = f"{one.place}: " if one.place else ""
            told = f"{where}{one.message} ({self.speech.count(one.plays, 'play')})"
            yield f"<li>{escape(told)}<br/><code>{escape(one.again)}</code></li>"
        yield "</ul>"


# ------------------------------------------------------------------------------------------------ pictures


def _svg(width: float, height: float, title: str, body: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">'
    )
    return "\n".join([head, f"<title>{escape(title)}</title>", *body, "</svg>"])


def _shares(rows: list[tuple[str, str, Share]]) -> str:
    """Bars from 0 to 100 %, each with the bounds between which the truth lies."""
    room = WIDTH - LABEL - TOLD - 80
    body = []
    for at, (label, told, share) in enumerate(rows):
        y = at * (BAR + 6) + 4
        body += _bar(label, told, share.value, y, room)
        low, high, middle = LABEL + share.low * room, LABEL + share.high * room, y + BAR / 2 - 2
        body.append(f'<path class="range" d="M{low:.1f} {middle:.1f}H{high:.1f}"/>')
        body += [f'<path class="range" d="M{x:.1f} {middle - 5:.1f}V{middle + 5:.1f}"/>' for x in (low, high)]
    return _svg(WIDTH, len(rows) * (BAR + 6) + 8, ", ".join(f"{label} {told}" for label, told, _ in rows), body)


def _bars(rows: list[tuple[str, str, float]]) -> str:
    """Bars as long as their shares, the longest as wide as there is room."""
    longest = max((value for _, _, value in rows), default=0) or 1
    body: list[str] = []
    for at, (label, told, value) in enumerate(rows):
        body += _bar(label, told, value / longest, at * (BAR + 2) + 4, WIDTH - LABEL - TOLD)
    return _svg(WIDTH, len(rows) * (BAR + 2) + 8, ", ".join(f"{label} {told}" for label, told, _ in rows), body)


def _bar(label: str, told: str, value: float, y: float, room: float) -> list[str]:
    middle = y + BAR / 2 + 4
    short = label if len(label) <= 24 else label[:23] + "…"
    return [
        f'<text x="{LABEL - 8:.0f}" y="{middle:.1f}" text-anchor="end">{escape(short)}</text>',
        f'<rect class="bar" x="{LABEL:.0f}" y="{y:.1f}" width="{value * room:.1f}" height="{BAR - 4:.0f}"/>',
        f'<text x="{LABEL + room + 8:.0f}" y="{middle:.1f}">{escape(told)}</text>',
    ]


def _histogram(values: Counter[int], title: str, number: Any) -> str:
    """How often each value, or each run of equally many values."""
    least, most = min(values), max(values)
    step = -(-(most - least + 1) // COLUMNS)
    counts = Counter[int]()
    for value, n in values.items():
        counts[(value - least) // step] += n
    columns = (most - least) // step + 1
    height, foot = 140.0, 18.0
    wide, highest, all_of_them = (WIDTH - 20) / columns, max(counts.values()), values.total()
    body = []
    for at in range(columns):
        tall = counts[at] / highest * (height - 6)
        first = least + at * step
        last = min(most, first + step - 1)
        name = number(first) if first == last else f"{number(first)} … {number(last)}"
        told = f"{name}: {number(counts[at])} · {number(100 * counts[at] / all_of_them, 1)} %"
        body.append(
            f'<rect class="bar" x="{10 + at * wide:.1f}" y="{height - tall:.1f}" width="{max(1.0, wide - 1):.1f}" '
            f'height="{tall:.1f}"><title>{escape(told)}</title></rect>'
        )
        if at % max(1, -(-columns // 12)) == 0:
            x = 10 + (at + 0.5) * wide
            body.append(f'<text x="{x:.1f}" y="{height + 14:.0f}" text-anchor="middle">{escape(number(first))}</text>')
    body.append(f'<path class="axis" d="M10 {height:.0f}H{WIDTH - 10:.0f}"/>')
    return _svg(WIDTH, height + foot, title, body)


def _heat(share: float) -> str:
    """From paper to blue."""
    pale, full = (0xFB, 0xFA, 0xF6), (0x1F, 0x4E, 0x8C)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(pale, full, strict=True))


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], never: Sequence[bool] = (), last_is_text: bool = False
) -> str:
    """A table: the first column is text, the others are numbers."""
    last = len(head) - 1

    def sort(at: int) -> str:
        return "" if at == 0 or (last_is_text and at == last) else ' class="n"'

    lines = ["<table><tr>" + "".join(f"<th{sort(at)}>{escape(cell)}</th>" for at, cell in enumerate(head)) + "</tr>"]
    for number, row in enumerate(rows):
        mark = ' class="never"' if number < len(never) and never[number] else ""
        lines.append(f"<tr{mark}>" + "".join(f"<td{sort(at)}>{escape(c)}</td>" for at, c in enumerate(row)) + "</tr>")
    return "\n".join([*lines, "</table>"])
