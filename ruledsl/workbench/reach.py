"""Which tests a change reaches: those that carry out what was changed, and those that were changed themselves.

What each test carries out is found once, beside everything else (`explored`). Where a change stands in nothing that any
test is known to carry out, in a declaration say, all tests count as reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

from ruledsl.records import dataclass
from ruledsl.runtime.game import Game
from ruledsl.testing.mutate import Bench
from ruledsl.testing.suites import Case

Texts = Mapping[str, str]  # by file
Place = tuple[str, int, int]  # a file, and from which letter to which


@dataclass(frozen=True)
class Explored:
    """What each test of a version carries out, by its name; `texts` are the files as they were."""

    texts: dict[str, str]
    touched: dict[str, frozenset[Place]]

    @property
    def places(self) -> frozenset[Place]:
        return frozenset().union(*self.touched.values())


def explored(game: Game) -> Explored:
    """Plays every test and notes what it carries out. It takes a few times as long as the tests themselves."""
    bench = Bench(game)
    texts = {file.path: file.text for file in game.blueprint.source.files}
    touched = {
        bench.cases[number].name: frozenset((span.file.path, span.start, span.end) for span in spans)
        for number, spans in bench.touched.items()
    }
    return Explored(texts, touched)


def changes(before: Texts, after: Texts) -> list[Place]:
    """The lines of the version before that are others now."""
    found = []
    for path in [path for path in before if before[path] != after.get(path)]:
        old = before[path].splitlines(keepends=True)
        starts = [0]
        for line in old:
            starts.append(starts[-1] + len(line))
        new = after.get(path, "").splitlines(keepends=True)
        for what, low, high, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if what != "equal" and not all(map(_is_idle, old[low:high] + new[begin:end])):
                low, high = (low, high) if low < high else _sibling(old, low, new[begin])
                found.append((path, starts[low], starts[high]))
    return found


def _sibling(lines: list[str], at: int, new: str) -> tuple[int, int]:
    """The line beside which one was written anew: below or above it, as deep; it is carried out together with that."""
    depth = _depth(new)
    if at < len(lines) and _depth(lines[at]) == depth:
        return at, at + 1
    above = next((n for n in range(at - 1, -1, -1) if not _is_idle(lines[n]) and _depth(lines[n]) <= depth), None)
    return (above, above + 1) if above is not None and _depth(lines[above]) == depth else (at, at)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_idle(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def reached(known: Explored | None, after: Texts, cases: list[Case], old_cases: Mapping[str, str]) -> list[Case]:
    """The tests that a change reaches; all where that cannot be told."""
    anew = [case for case in cases if old_cases.get(case.name) != case.span.text]
    if known is None or set(after) - set(known.texts):
        return cases
    places, touched = known.places, set[Place]()
    for path, start, end in changes(known.texts, after):
        inside = {place for place in places if place[0] == path and start <= place[1] and place[2] <= end}
        around = [place for place in places if place[0] == path and place[1] < max(start, 1) and end <= place[2]]
        if around:
            touched.add(min(around, key=lambda place: place[2] - place[1]))
        elif not inside:
            return cases
        touched |= inside
    return [case for case in cases if case in anew or known.touched.get(case.name, touched) & touched]
