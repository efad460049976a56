"""Findings as a text for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from ruledsl.boards.marks import pad
from ruledsl.wording.columns import columns

from .findings import Findings, Lying, Members, Outcome, Spread, Tally
from .words import Speech

WIDE = 100  # columns of a terminal that are used
LISTED = 12  # members of a set that are listed without being asked for
SHOWN = 5  # of more, so many of those that were chosen most often


def summary(findings: Findings, everything: bool = False) -> str:
    """The whole summary; with `everything` also what is usually left out: all members and all statements."""
    lines = list(_Writer(findings, everything).lines())
    return "\n".join(line.rstrip() for line in lines) + "\n"


class _Writer:
    def __init__(self, findings: Findings, everything: bool) -> None:
        self.found, self.everything = findings, everything
        self.speech: Speech = findings.speech
        self.say, self.number = findings.speech.say, findings.speech.number

    def lines(self) -> Iterator[str]:
        found, result = self.found, self.found.result
        yield found.head
        if found.settings:
            yield " ".join(found.settings)
        if result.interrupted:
            noun = "campaign" if result.task.campaign else "play"
            yield self.say("stopped", done=self.number(result.done), wanted=self.speech.count(result.wanted, noun))
        if not result.done:
            yield self.say("nothing")
            return
        for number, outcome in enumerate(found.outcomes):
            if len(found.outcomes) > 1:
                yield ""
                yield f"{self.say('nth', n=number + 1)}: {self.speech.count(outcome.plays, 'play')}"
            if outcome.plays:
                yield from self._outcome(outcome)
        if len(found.outcomes) > 1:
            yield ""
            yield f"{self.say('all_plays')}: {self.speech.count(result.all.plays, 'play')}"
        yield from self._ended()
        yield from self._taken()
        for members in found.chosen:
            yield from self._members(members)
        for kind in found.lying:
            yield from self._lying(kind)
        yield from self._rules()
        yield from self._failures()
        yield ""
        yield self.say("confidence")

    def _outcome(self, outcome: Outcome) -> Iterator[str]:
        yield ""
        if not outcome.ended:
            yield self.say("no_end" if outcome.broken_off else "nothing")
            if self.found.endless:
                yield self.say("never_ends")
        if outcome.results:
            yield self.say("results")
            shares = [
                (
                    label,
                    self.number(share.count),
                    self.speech.percent(share.value),
                    self.speech.bounds(share),
                )
                for label, share in outcome.results
            ]
            yield from table(shares, "lrrr")
        if outcome.shared:
            yield "  " + self.say("shared", n=self.speech.count(outcome.shared, "play"))
        if outcome.void or outcome.broken_off:
            limit = self.number(self.found.result.task.limit)
            rest = [(self.say("void"), outcome.void), (self.say("broken_off", n=limit), outcome.broken_off)]
            if outcome.ended:
                yield "  " + self.say("not_counted")
            yield from table(
                [(label, self.number(n)) for label, n in rest if n], "lr", indent=4 if outcome.ended else 2
            )
        if not outcome.ended:
            return
        yield ""
        yield from self._spreads(self.say("length"), outcome.length)
        if outcome.options is not None:
            mean, most, forced = outcome.options
            yield ""
            yield self.say("choice")
            yield "  " + self.say(
                "options", mean=self.number(mean), most=self.number(most), forced=self.speech.percent(forced)
            )
        if outcome.points:
            yield ""
            yield from self._spreads(self.say("points"), outcome.points)
        if outcome.sources:
            yield ""
            yield self.say("sources")
            rows: list[tuple[str, ...]] = [("", *self.found.players)]
            for name, measures in outcome.sources:
                rows.append((name, *(self.speech.around(one.mean, one.within) for one in measures)))
            yield from table(rows, "l" + "r" * len(self.found.players))

    def _spreads(self, title: str, spreads: list[Spread]) -> Iterator[str]:
        rows: list[Sequence[str]] = [(title, *(self.say(key) for key in ("mean", "half", "least", "most")))]
        for spread in spreads:
            one = spread.measure
            numbers = (self.number(x) for x in (one.median, one.least, one.most))
            rows.append((f"  {spread.label}", self.speech.around(one.mean, one.within), *numbers))
        yield from table(rows, "lrrrr", indent=0)

    def _ended(self) -> Iterator[str]:
        """By which statement, where there are several."""
        rows, of = self.found.ended, sum(row.times for row in self.found.ended)
        if not of or len(rows) < 2:
            return
        yield ""
        lines = [(self.say("ended"), self.say("times"), self.say("share"), "")]
        for row in rows:
            numbers = (self.number(row.times), self.speech.percent(row.times / of))
            lines.append((f"  {row.label}", *(numbers if row.times else (self.say("never"), "")), row.place))
        yield from table([(cut(label, 60), *rest) for label, *rest in lines], "lrrl", indent=0)

    def _taken(self) -> Iterator[str]:
        found = self.found
        if not found.taken:
            return
        yield ""
        plays, all_of_them = found.result.all.plays, found.decisions or 1
        rows = [(self.say("taken"), self.say("times"), self.say("a_play"), self.say("share"), "")]
        for row in found.taken:
            numbers = (self.say("never"), "", "")
            if row.times:
                share = self.speech.percent(row.times / all_of_them)
                numbers = (self.number(row.times), self.number(row.times / plays), share)
            rows.append((f"  {row.label}", *numbers, row.place))
        beside = sum(2 + max(columns(row[at]) for row in rows) for at in range(1, 5))
        room = max(30, WIDE - beside)
        yield from table([(cut(label, room), *rest) for label, *rest in rows], "lrrrl", indent=0)

    def _members(self, members: Members) -> Iterator[str]:
        yield ""
        shown = sorted((row for row in members.tallies if row.times), key=lambda row: -row.times)
        never = [row for row in members.tallies if not row.times]
        rest: list[Tally] = []
        if not self.everything and len(members.tallies) > LISTED:
            shown, rest = shown[:SHOWN], shown[SHOWN:]
        head = (self.say("chosen", what=members.label), self.say("times"), self.say("share"))
        lines = [head]
        lines += [
            (f"  {row.label}", self.number(row.times), self.speech.percent(row.times / members.times)) for row in shown
        ]
        yield from table(lines, "lrr", indent=0)
        if rest:
            yield "  " + self.say("more", n=self.number(len(rest)))
        if never:
            yield from wrapped("  " + self.say("never_chosen", names=self._listed([row.label for row in never])))

    def _listed(self, names: list[str]) -> str:
        if not self.everything and len(names) > LISTED:
            names = [*names[:LISTED], self.say("more", n=self.number(len(names) - LISTED))]
        return ", ".join(names)

    def _lying(self, kind: Lying) -> Iterator[str]:
        yield ""
        several = len(kind.rows) <= LISTED or self.everything
        rows = [(self.say("all_of_them", n=self.number(kind.pieces)), kind.total), *(kind.rows if several else [])]
        lines = [(self.say("lying", what=kind.label), *kind.places)]
        lines += [(f"  {label}", *(self.speech.percent(n / sum(times)) for n in times)) for label, times in rows]
        yield from table(lines, "l" + "r" * len(kind.places), indent=0)
        for place, names in kind.always:
            yield from wrapped("  " + self.say("always_in", place=place, names=self._listed(names)))

    def _rules(self) -> Iterator[str]:
        found = self.found
        if not found.rules:
            return
        yield ""
        yield self.say("rules")
        done = sum(1 for rule in found.rules if rule.times)
        yield "  " + self.say("rules_done", done=self.number(done), all=self.number(len(found.rules)))
        if self.everything:
            yield from (
                cut(line, WIDE)
                for line in table([(row.place, self.number(row.times), row.label) for row in found.rules], "lrl")
            )
        else:
            yield from (cut(f"  {row.place}: {row.label}", WIDE) for row in found.never)

    def _failures(self) -> Iterator[str]:
        if self.found.failures:
            yield ""
            yield self.say("faults")
        for one in self.found.failures:
            where = f"{one.place}: " if one.place else ""
            yield f"  {where}{one.message} ({self.speech.count(one.plays, 'play')})"
            yield from (f"    {line}" for line in one.again.splitlines())


def wrapped(line: str) -> Iterator[str]:
    """A line with whatever is too much on lines below it, further to the right."""
    indent = " " * (len(line) - len(line.lstrip()))
    yield from textwrap.wrap(line, WIDE, subsequent_indent=indent + "  ", break_on_hyphens=False)


def cut(text: str, width: int) -> str:
    """As much of a text as there is room for."""
    if columns(text) <= width:
        return text
    while columns(text) > max(0, width - 1):
        text = text[:-1]
    return text.rstrip() + "…"


def table(rows: Sequence[Sequence[str]], sides: str, indent: int = 2) -> Iterator[str]:
    """Rows with their columns one below the other: `l` to the left, `r` to the right."""
    if not rows:
        return
    widths = [max(columns(row[at]) for row in rows) for at in range(len(sides))]
    for row in rows:
        cells = [
            pad(cell, width) if side == "l" else " " * (width - columns(cell)) + cell
            for cell, width, side in zip(row, widths, sides, strict=True)
        ]
        yield " " * indent + "  ".join(cells)
