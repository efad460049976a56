"""Findings as one page for a browser: its pictures are part of it, and nothing is fetched from anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ruledsl.analysis.names import BoardInfo
from ruledsl.boards.layout import layout
from ruledsl.boards.svg import escape

from .findings import Findings, Lying, Members, Outcome, Spread, Tally
from .statistics import Share

WIDTH, BAR = 640.0, 22.0
LETTER = 7.2  # as wide as letters are on average, with some to spare
LABEL = (120.0, 330.0)  # room for the names of bars, at the least and at the most
SIDE = 52.0  # room for the numbers beside a histogram
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


def page(findings: Findings, made: str = "") -> str:
    """The whole page; `made` says by what and when, at its foot."""
    return "\n".join(_Page(findings, made).lines()) + "\n"


class _Page:
    def __init__(self, findings: Findings, made: str) -> None:
        self.found, self.speech, self.made = findings, findings.speech, made
        self.say, self.number = findings.speech.say, findings.speech.number

    def lines(self) -> Iterator[str]:
        found, result = self.found, self.found.result
        title = escape(self.say("report", game=found.title))
        yield "<!DOCTYPE html>"
        yield f'<html lang="{self.speech.language}">'
        yield '<head><meta charset="utf-8"/><meta name="generator" content="ruledsl"/>'
        yield f"<title>{title}</title>"
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
            yield from self._ended()
            yield from self._taken()
            for members in found.chosen:
                yield from self._members(members)
            for kind in found.lying:
                yield from self._lying(kind)
            yield from self._rules()
            yield from self._failures()
        else:
            yield f"<p>{escape(self.say('nothing'))}</p>"
        yield f'<hr/><p class="small">{escape(self.made)}<br/><code>{escape(found.command)}</code></p>'
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
        yield from self._spreads(outcome.length, [spread.values for spread in outcome.length])
        if outcome.options is not None:
            mean, most, forced = outcome.options
            text = self.say(
                "options", mean=self.number(mean), most=self.number(most), forced=self.speech.percent(forced)
            )
            yield f"<h2>{escape(self.say('choice'))}</h2><p>{escape(text)}.</p>"
        if outcome.points:
            yield f"<h2>{escape(self.say('points'))}</h2>"
            yield from self._spreads(outcome.points)  # one scale for all players
        if outcome.sources:
            yield f"<h3>{escape(self.say('sources'))}</h3>"
            rows = [
                (name, *(self.speech.around(one.mean, one.within) for one in measures))
                for name, measures in outcome.sources
            ]
            yield _table(["", *self.found.players], rows)

    def _spreads(self, spreads: list[Spread], scales: Sequence[Counter[int]] = ()) -> Iterator[str]:
        """A table of what they are on average, then a histogram of each, on a scale of its own or one for all."""
        rows = []
        for spread in spreads:
            one = spread.measure
            numbers = (self.number(x) for x in (one.median, one.least, one.most))
            rows.append((spread.label, self.speech.around(one.mean, one.within), *numbers))
        yield _table(["", *(self.say(key) for key in ("mean", "half", "least", "most"))], rows)
        for at, spread in enumerate(spreads):
            if spread.measure.least < spread.measure.most:
                yield f"<h3>{escape(spread.label)}</h3>"
                like = [scales[at]] if scales else [other.values for other in spreads]
                yield _histogram(spread.values, like, f"{spread.label}: {self.say('spread')}", self.number)

    # ---------------------------------------------------------------------------------------- what was done

    def _ended(self) -> Iterator[str]:
        """By which statement, where there are several."""
        found, of = self.found.ended, sum(row.times for row in self.found.ended)
        if not of or len(found) < 2:
            return
        yield f"<h2>{escape(self.say('ended'))}</h2>"
        rows = [
            (row.label, self.number(row.times), self.speech.percent(row.times / of), row.place)
            if row.times
            else (row.label, self.say("never"), "", row.place)
            for row in found
        ]
        head = ["", self.say("times"), self.say("share"), ""]
        yield _table(head, rows, [not row.times for row in found], last_is_text=True)

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

    def _lying(self, kind: Lying) -> Iterator[str]:
        yield f"<h2>{escape(self.say('lying', what=kind.label))}</h2>"
        rows = [(self.say("all_of_them", n=self.number(kind.pieces)), kind.total), *kind.rows]
        shares = [(label, *(self.speech.percent(n / sum(times)) for n in times)) for label, times in rows]
        yield _table(["", *kind.places], shares)

    def _times(self, row: Tally, of: int) -> str:
        if not row.times:
            return self.say("never")
        return f"{self.number(row.times)} · {self.speech.percent(row.times / of)}"

    def _board(self, info: BoardInfo, members: Members) -> Iterator[str]:
        """The board, every space the darker the more often it was chosen; all copies together."""
        counts, board = Counter[int](), info.board
        for member, n in enumerate(members.counts):
            counts[member % len(board)] += n
        points = layout(board)
        grows = info.first_spot in {growing.first for growing in self.found.configured.world.spots.growing}
        used = [points[at] for at in range(len(board)) if counts[at] or not grows]  # what it never grew to is no board
        left, top = min(x for x, _ in used), max(y for _, y in used)
        right, bottom = max(x for x, _ in used), min(y for _, y in used)
        wide, high = right - left, top - bottom
        unit = max(8.0, min(44.0, 560 / max(wide, high, 1)))
        most = max(counts.values(), default=0) or 1
        width, height = (wide + 1) * unit, (high + 1) * unit
        shapes = []
        for at, (x, y) in enumerate(points):
            if not (left <= x <= right and bottom <= y <= top):
                continue
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
            again = escape(one.again).replace("\n", "<br/>")
            yield f"<li>{escape(told)}<br/><code>{again}</code></li>"
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
    left, room = _rooms([(label, told) for label, told, _ in rows])
    body = []
    for at, (label, told, share) in enumerate(rows):
        y = at * (BAR + 6) + 4
        body += _bar(label, told, share.value, y, left, room)
        low, high, middle = left + share.low * room, left + share.high * room, y + BAR / 2 - 2
        body.append(f'<path class="range" d="M{low:.1f} {middle:.1f}H{high:.1f}"/>')
        body += [f'<path class="range" d="M{x:.1f} {middle - 5:.1f}V{middle + 5:.1f}"/>' for x in (low, high)]
    return _svg(WIDTH, len(rows) * (BAR + 6) + 8, ", ".join(f"{label} {told}" for label, told, _ in rows), body)


def _bars(rows: list[tuple[str, str, float]]) -> str:
    """Bars as long as their shares, the longest as wide as there is room."""
    longest = max((value for _, _, value in rows), default=0) or 1
    left, room = _rooms([(label, told) for label, told, _ in rows])
    body: list[str] = []
    for at, (label, told, value) in enumerate(rows):
        body += _bar(label, told, value / longest, at * (BAR + 2) + 4, left, room)
    return _svg(WIDTH, len(rows) * (BAR + 2) + 8, ", ".join(f"{label} {told}" for label, told, _ in rows), body)


def _rooms(rows: list[tuple[str, str]]) -> tuple[float, float]:
    """Where bars begin and how long they may be, so that the names before and the numbers behind them fit."""
    least, most = LABEL
    left = min(most, max(least, 16 + LETTER * max((len(label) for label, _ in rows), default=0)))
    return left, WIDTH - left - 12 - LETTER * max((len(told) for _, told in rows), default=0)


def _bar(label: str, told: str, value: float, y: float, left: float, room: float) -> list[str]:
    middle, letters = y + BAR / 2 + 4, int((left - 16) / LETTER)
    short = escape(label) if len(label) <= letters else f"<title>{escape(label)}</title>{escape(label[: letters - 1])}…"
    return [
        f'<text x="{left - 8:.0f}" y="{middle:.1f}" text-anchor="end">{short}</text>',
        f'<rect class="bar" x="{left:.0f}" y="{y:.1f}" width="{value * room:.1f}" height="{BAR - 4:.0f}"/>',
        f'<text x="{left + room + 8:.0f}" y="{middle:.1f}">{escape(told)}</text>',
    ]


def _histogram(values: Counter[int], like: Sequence[Counter[int]], title: str, number: Any) -> str:
    """How often each value, or each run of equally many values; on a scale that is right for all that are like it."""
    least, most = min(map(min, like)), max(map(max, like))
    step = -(-(most - least + 1) // COLUMNS)

    def runs(values: Counter[int]) -> Counter[int]:
        found = Counter[int]()
        for value, n in values.items():
            found[(value - least) // step] += n
        return found

    counts, highest, all_of_them = runs(values), max(max(runs(one).values()) for one in like), values.total()
    columns = (most - least) // step + 1
    height, foot = 140.0, 18.0
    wide = (WIDTH - SIDE - 10) / columns
    body = []
    for tick in sorted({0, highest // 2, highest}):
        y = height - tick / highest * (height - 6)
        body.append(f'<path class="axis" d="M{SIDE - 4:.0f} {y:.1f}H{WIDTH - 10:.0f}"/>')
        body.append(f'<text x="{SIDE - 8:.0f}" y="{y + 4:.1f}" text-anchor="end">{escape(number(tick))}</text>')
    for at in range(columns):
        tall = counts[at] / highest * (height - 6)
        first = least + at * step
        last = min(most, first + step - 1)
        name = number(first) if first == last else f"{number(first)} … {number(last)}"
        told = f"{name}: {number(counts[at])} · {number(100 * counts[at] / all_of_them, 1)} %"
        body.append(
            f'<rect class="bar" x="{SIDE + at * wide:.1f}" y="{height - tall:.1f}" width="{max(1.0, wide - 1):.1f}" '
            f'height="{tall:.1f}"><title>{escape(told)}</title></rect>'
        )
        if at % max(1, -(-columns // 12)) == 0:
            x = SIDE + (at + 0.5) * wide
            body.append(f'<text x="{x:.1f}" y="{height + 14:.0f}" text-anchor="middle">{escape(number(first))}</text>')
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
