"""Every game of tests/errors is wrong on purpose; the text beside it is what its designer reads.

Both are checked: a message may be reworded and keeps its marks; how it reads is in the text.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render

FOLDER = Path(__file__).parent / "errors"
CASES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_a_designer_reads(
    path: Path, golden: Callable[[str, Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = checked(path, monkeypatch)
    said = "\n\n".join(render(found) for found in report.sorted()) + "\n"
    lines = {span.line for found in report.findings for span in found.places}
    assert lines | {0 for found in report.findings if found.span is None} == marked_lines(path), said
    golden(said, path.with_suffix(".txt"))


def test_at_least_60_codes_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {found.code for path in CASES for found in checked(path, monkeypatch).findings}
    assert len(codes) >= 60, sorted(codes)


def checked(path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(FOLDER)  # so that places read the same everywhere
    return pipeline.check(Path(path.name))


def marked_lines(path: Path) -> set[int]:
    """The lines that end in `# wrong`: all of them are reported and no others."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
