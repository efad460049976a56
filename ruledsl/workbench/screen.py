"""An answer of `watch` on one screen, and as data for programs."""

from __future__ import annotations

from typing import Any

from ruledsl.diagnostics.render import render, to_json, visible

from .compare import PERCENT, Moved
from .watching import Answer, Played, Tested

_LEFT = 9  # the width of the first column
_FINDINGS, _FAILING, _WHY = 4, 3, 6  # shown at most; of a failing test so many lines
_MARKS = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m", "bold": "\x1b[1m"}


class Screen:
    """Writes answers as lines that fit on a screen."""

    def __init__(self, title: str, colour: bool = False, height: int = 0) -> None:
        self.title, self.colour, self.height = title, colour, height

    def lines(self, answer: Answer, saved: str) -> list[str]:
        parts = [[self._mark(self.title, "bold") + f"  {saved}", ""], self._rules(answer)]
        if answer.tests is not None:
            parts.append(self._tests(answer.tests, answer.complete))
        if answer.played is not None:
            parts.append(self._played(answer.played))
        if not answer.complete:
            parts.append([self._row("", "…")])
        lines = [line for part in parts for line in part]
        if self.height and len(lines) > self.height:
            lines = [*lines[: self.height - 1], "…"]
        return lines

    def _mark(self, text: str, how: str) -> str:
        return f"{_MARKS[how]}{text}\x1b[0m" if self.colour else text

    def _row(self, head: str, text: str, seconds: float = 0.0) -> str:
        took = f"  ({seconds:.1f} s)" if seconds >= 0.05 else ""
        return f"{head:{_LEFT}}{text}{took}".rstrip()

    def _rules(self, answer: Answer) -> list[str]:
        report = answer.report
        errors, warnings = _counted(report.mistakes, "error"), _counted(report.warnings, "warning")
        colour = "red" if report.mistakes else "yellow" if report.warnings else "green"
        lines = [self._row("rules", self._mark(f"{errors}, {warnings}", colour), answer.check_seconds)]
        found = report.sorted()
        found.sort(key=lambda one: one.severity != "error")
        for one in found[:_FINDINGS]:
            lines += ["", *render(one, self.colour).rstrip().splitlines()]
        if len(found) > _FINDINGS:
            lines += ["", f"and {len(found) - _FINDINGS} more; `check` shows them all"]
        return [*lines, ""] if found else lines

    def _tests(self, tests: Tested, complete: bool) -> list[str]:
        text = f"{tests.done} of {_counted(tests.total, 'test')} run, {tests.passed} pass"
        if tests.failing:
            text += ", " + self._mark(f"{len(tests.failing)} fail", "red")
        near = f"; the change reaches {tests.reached}" if tests.reached < tests.total else ""
        rest = "; the others follow" if tests.done < tests.total and not complete else ""
        lines = [self._row("tests", text + near + rest, tests.seconds)]
        for one in tests.failing[:_FAILING]:
            lines.append(f"{'':{_LEFT}}{self._mark('FAILED', 'red')} {visible(one.name)} ({one.place})")
            lines += [f"{'':{_LEFT + 2}}{visible(line)}" for line in one.why[:_WHY]]
        if len(tests.failing) > _FAILING:
            lines.append(self._row("", f"and {len(tests.failing) - _FAILING} more; `test` shows them all"))
        return lines

    def _played(self, played: Played) -> list[str]:
        if played.problem:
            return [self._row("plays", self._mark(played.problem, "red"))]
        if played.same:
            return [self._row("plays", "the rules do the same as before")]
        void = f", {played.void:,} void" if played.void else ""
        why = [self._row("", self._mark(f"void: {played.fault}", "red"))] if played.fault else []
        if played.first:
            return [
                self._row("plays", f"{played.plays:,} at random{void}: later versions are compared with them"),
                *why,
            ]
        sure = [one for one in played.moved if one.sure]
        text = f"{played.plays:,}{void} against {played.against:,} of the version before: "
        lines = [
            self._row("plays", text + (f"{len(sure)} of {len(played.moved)} numbers moved" if sure else "no change"))
        ]
        wide = max((len(one.label) for one in played.moved), default=0)
        for one in played.moved:
            lines.append(f"{'':{_LEFT}}{self._moved(one, wide)}")
        return lines

    def _moved(self, one: Moved, wide: int) -> str:
        digits = 1 if max(abs(one.before), abs(one.after)) >= 10 else 2
        unit = " %" if one.unit == PERCENT else f" {one.unit}" if one.unit else ""
        change = f"{one.change:+.{digits}f} ({one.low:+.{digits}f} … {one.high:+.{digits}f})"
        arrow = " ▲" if one.change > 0 else " ▼"
        text = f"{one.label:{wide}}  {one.before:.{digits}f} → {one.after:.{digits}f}{unit}  {change}"
        return self._mark(text + arrow, "bold") if one.sure else text


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number or 'no'} {noun}s"


def as_data(answer: Answer) -> dict[str, Any]:
    """The answer as `--format json` gives it."""
    tests, played = answer.tests, answer.played
    return {
        "number": answer.number,
        "files": answer.files,
        **{key: value for key, value in to_json(answer.report).items() if key in ("diagnostics", "errors", "warnings")},
        "tests": None
        if tests is None
        else {
            "total": tests.total,
            "reached": tests.reached,
            "passed": tests.passed,
            "failing": [{"test": one.name, "place": one.place, "why": one.why} for one in tests.failing],
        },
        "plays": None
        if played is None
        else {
            "plays": played.plays,
            "against": played.against,
            "void": played.void,
            "fault": played.fault,
            "same": played.same,
            "problem": played.problem,
            "moved": [
                {
                    "label": one.label,
                    "unit": one.unit,
                    "before": one.before,
                    "after": one.after,
                    "low": one.low,
                    "high": one.high,
                    "sure": one.sure,
                }
                for one in played.moved
            ],
        },
    }
