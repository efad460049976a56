"""Every code of a finding has a page, and its examples do what the page says."""

import re
from pathlib import Path

import pytest

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.codes import CODES, FAMILIES, complete
from ruledsl.diagnostics.entry import Code
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render
from ruledsl.source.document import read_document
from ruledsl.source.text import SourceFile

PACKAGE = Path(pipeline.__file__).parent.parent
SHOWN = [code for code in CODES.values() if code.wrong]


def reported() -> set[str]:
    """The codes that the source of the checker mentions."""
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if "diagnostics" not in path.parts]
    return {code for text in texts for code in re.findall(r'"([YSENTRBFLQ]\d{3})"', text)}


def test_every_code_that_is_reported_has_a_page_and_no_page_is_left_over() -> None:
    assert reported() == set(CODES)


def test_codes_are_in_order_within_their_family() -> None:
    for family in FAMILIES:
        assert [code.code for code in family] == sorted({code.code for code in family})


@pytest.mark.parametrize("code", SHOWN, ids=lambda code: code.code)
def test_the_wrong_example_is_told_and_the_right_one_is_not(code: Code, tmp_path: Path) -> None:
    wrong, right = check(code, code.wrong, tmp_path), check(code, code.right, tmp_path)
    assert code.code in {found.code for found in wrong.findings}, told(wrong)
    assert code.code not in {found.code for found in right.findings}, told(right)
    assert not right.errors, told(right)


def check(code: Code, example: str, folder: Path) -> Report:
    if code.code.startswith("Y"):  # about YAML alone
        report = Report()
        read_document(SourceFile("example.yaml", example), report)
        return report
    path = folder / "example.yaml"
    path.write_text(complete(example), encoding="utf-8")
    return pipeline.check(path)


def told(report: Report) -> str:
    return "\n\n".join(render(found) for found in report.sorted())
