"""Lines that are indented too little or too much, as they are when a designer moves them: one finding, at the place.

Every line with a key is moved by one step, with what stands below it, or what stands below it is moved to its column.
Much of that means the same to YAML; of the rest nearly all has to be told once, where it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ruledsl.compiler import pipeline

EXAMPLES = Path(__file__).parent.parent / "examples"
GAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml") if ".test" not in path.name)
STEP = 2


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _moved(text: str) -> Iterator[tuple[str, int, int]]:
    """A game with a part that stands elsewhere, and from which line to which it is."""
    lines = text.split("\n")
    for first, line in enumerate(lines):
        if ":" not in line or line.lstrip().startswith("#"):
            continue
        end = first + 1
        while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > _indent(line)):
            end += 1
        deeper = [" " * STEP + one for one in lines[first:end]]
        shallower = [one[STEP:] if one.startswith(" " * STEP) else one for one in lines[first:end]]
        yield "\n".join([*lines[:first], *deeper, *lines[end:]]), first + 1, end + 1
        if _indent(line) >= STEP:
            yield "\n".join([*lines[:first], *shallower, *lines[end:]]), first + 1, end + 1
        if end - first > 1:
            yield "\n".join([*lines[:first], line, *shallower[1:], *lines[end:]]), first + 1, end + 1


@pytest.mark.parametrize("game", GAMES)
def test_what_is_moved_is_told_once(tmp_path: Path, game: str, thorough: bool) -> None:
    for path in EXAMPLES.glob(f"{game}*"):
        if path.is_dir():
            shutil.copytree(path, tmp_path / path.name)
    main = tmp_path / f"{game}.yaml"
    told: list[str] = []
    asked = 0
    for text, first, end in [*_moved((EXAMPLES / main.name).read_text(encoding="utf-8"))][:: 1 if thorough else 23]:
        main.write_text(text, encoding="utf-8")
        found = pipeline.check(main).sorted()
        asked += 1
        places = [one.span.line for one in found if one.span is not None]
        if len(places) > 1 or not all(first <= place <= end for place in places):
            told.append(f"lines {first} to {end}: " + "; ".join(f"{one.code} {one.message}" for one in found))
    assert len(told) <= 1 + asked // 25, "\n".join(told)
