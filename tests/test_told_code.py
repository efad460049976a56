"""What the pages for those who work on ruledsl say of the code is so: files, names, passes, layers, numbers."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
import sources
from sources import PACKAGE

from ruledsl.analysis.making import FEW_ROWS
from ruledsl.analysis.paying import FEW_WAYS
from ruledsl.bots.search import SOON
from ruledsl.bots.tree import TRUST
from ruledsl.cli.watch import EVERY, FIRST
from ruledsl.compiler.pipeline import CONFIGURATIONS
from ruledsl.diagnostics.codes import CODES
from ruledsl.engine.menus import MANY, MOST_OPTIONS
from ruledsl.generate.c_part import CPart
from ruledsl.generate.flow import PART, WHOLE
from ruledsl.generate.late import MANY as MANY_ROWS
from ruledsl.generate.passes import Pass
from ruledsl.ir import core as C
from ruledsl.ir.ops import OPS
from ruledsl.testing.asking import OFTEN
from ruledsl.testing.runner import PATIENCE
from ruledsl.types import NO_NUMBER, NONE

ROOT = PACKAGE.parent
PAGES = [ROOT / "CONTRIBUTING.md"] + [
    ROOT / "docs" / f"{name}.md" for name in ("architecture", "decisions", "extending", "program")
]
ENDS = "py|c|js|css|html|lark|json|md|yaml|txt"
CODE = re.compile(r"```.*?^```|`([^`\n]+)`", re.M | re.S)
EXAMPLES = {"ruledsl/boards/loop.py", "tests/breaks/GAME.yaml"}  # files that a reader makes
# Words of rules that look like names of the code.
OF_RULES = {"me", "c", "s", "card", "t", "p"}
# What variables in examples are, by the class that has what is asked of them.
VARIABLES = {"b": "Builder", "call": "Call", "self": "Writer", "out": "Writer"}


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def in_code(page: Path) -> list[str]:
    """What stands between backquotes, outside of blocks."""
    return [word for word in CODE.findall(page.read_text(encoding="utf-8")) if word]


# --------------------------------------------------------------------------------------------- files and names


@cache
def files() -> tuple[Path, ...]:
    """The files that pages speak of, the package first."""
    mine = [path for path in PACKAGE.rglob("*.*") if "_shipped" not in path.parts]
    about = [path for folder in ("tests", "docs", "games") for path in (ROOT / folder).rglob("*.*")]
    return tuple(path for path in (*mine, *about, *ROOT.glob("*.*")) if "__pycache__" not in path.parts)


@cache
def by_ends() -> dict[str, list[Path]]:
    """Files by every end of their paths: `ruledsl/ir/ops.py`, `ir/ops.py`, `ops.py`."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in files():
        parts = path.relative_to(ROOT).parts
        for at in range(len(parts)):
            found["/".join(parts[at:])].append(path)
    return found


def called(name: str) -> list[Path]:
    """The files that a page means by a name, or by the end of a path."""
    return by_ends().get(name, [])


@cache
def defined(path: Path) -> frozenset[str]:
    """The names that a file gives to something: functions, classes, constants, attributes."""
    if path.suffix == ".py":
        return frozenset(_defined(path))
    text = path.read_text(encoding="utf-8")
    found = (
        r"#define (\w+)|^(?:static |inline )*[\w* ]+?\**(\w+)\([^;]*\{|struct (\w+)|(?:function|class|const|let) (\w+)"
    )
    return frozenset(name for names in re.findall(found, text, re.M) for name in names if name)


def _defined(path: Path) -> Iterator[str]:
    for node in sources.nodes(path):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
                yield from (target.attr for target in targets if isinstance(target, ast.Attribute))
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Attribute(attr=name)):
                yield name


@cache
def everything() -> set[str]:
    """All that is defined anywhere, in the package or its tests."""
    return {name for path in files() if path.suffix in (".py", ".c") for name in defined(path)}


@each_page
def test_files_are_there_and_have_what_is_said_to_be_in_them(page: Path) -> None:
    """Of `file.py`, `name`, `other`: the names are defined in that file."""
    missing = []
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for name, inside in re.findall(rf"`([\w./-]+\.(?:{ENDS}))`((?:,\s+`\w+`)*)", text):
        found = called(name)
        missing += [name] if not found and name not in EXAMPLES else []
        said = re.findall(r"`(\w+)`", inside)
        missing += [f"{name}: {one}" for one in said if not any(one in defined(path) for path in found)]
    assert not missing


def test_files_that_comments_of_games_name_are_beside_them() -> None:
    named = 0
    for game in ("games", "examples"):
        for file in (ROOT / game).rglob("*.yaml"):
            folder = ROOT / game / file.relative_to(ROOT / game).parts[0] if game == "games" else file.parent
            comments = re.findall(r"(?:^|\s)#(.*)", file.read_text(encoding="utf-8"))
            for name in re.findall(r"(?<![\w./$=])([\w/]+\.(?:yaml|csv|md|json))\b", "\n".join(comments)):
                assert any(path.is_file() for path in (file.parent / name, folder / name)), f"{file}: {name}"
                named += 1
    assert named > 5


@each_page
def test_folders_are_there(page: Path) -> None:
    said = [word.rstrip("/") for word in in_code(page) if re.fullmatch(r"[\w-]+(/[\w-]+)*/|\w+(/\w+)+", word)]
    assert not [
        name
        for name in said
        if not any(folder.is_dir() for folder in (ROOT / name, PACKAGE / name, PACKAGE / "web" / name))
    ]


@each_page
def test_dotted_names_lead_to_something(page: Path) -> None:
    """`analysis.again`, `ir.core.Layout`, `Machine.ways`: a file, and what it defines."""
    wrong = []
    for word in in_code(page):
        name = re.fullmatch(r"(?:python -m )?([A-Za-z]\w*(?:\.[A-Za-z_]\w*)+)(?:\(.*\))?", word)
        if name is not None and not re.search(rf"\.(?:{ENDS})$", name[1]) and name[1].split(".")[0] not in OF_RULES:
            wrong += [] if leads_somewhere(name[1].removeprefix("ruledsl.").split(".")) else [word]
    assert not wrong


def leads_somewhere(parts: list[str]) -> bool:
    for size in range(len(parts), 0, -1):  # the longest beginning that is a module
        at = "/".join(parts[:size])
        found = [*called(f"{at}.py"), *called(f"{at}/__init__.py")]
        if found:
            return all(any(name in defined(path) for path in found) for name in parts[size:])
    holder = VARIABLES.get(parts[0], parts[0])
    homes = [path for path in sources.paths() if holder in defined(path)]
    known = {name for path in homes for name in (*defined(path), *inherited(path, holder))}
    return bool(homes) and all(name in known for name in parts[1:])


def inherited(path: Path, holder: str) -> Iterator[str]:
    """What the classes define that a class builds on."""
    for node in sources.nodes(path):
        if isinstance(node, ast.ClassDef) and node.name == holder:
            for base in (one.id for one in node.bases if isinstance(one, ast.Name)):
                for home in (other for other in sources.paths() if base in defined(other)):
                    yield from defined(home)


@each_page
def test_names_of_classes_and_constants_are_known(page: Path) -> None:
    """`SeatView`, `CASES`, `@builtin`, `_least`: defined somewhere."""
    names = {word for word in in_code(page) if re.fullmatch(r"@\w+|_?[A-Z]\w+|_[a-z]\w+", word)}
    assert not {name for name in names if name.lstrip("@") not in everything()} - {"Referer", "GAME", "@cache"}


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_codes_of_findings_that_a_page_names_are_known(page: Path) -> None:
    named = set(re.findall(r"(?<![\w#])[A-Z]\d{3}(?!\w)", page.read_text(encoding="utf-8")))
    assert named <= set(CODES)


# ------------------------------------------------------------------------------------------- generators and passes


def test_the_architecture_names_every_file_of_the_generators() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    names = [path.name for path in (PACKAGE / "generate").iterdir() if path.suffix in (".py", ".c")]
    assert [name for name in sorted(names) if name != "__init__.py" and f"{name}`" not in page] == []


def table(page: Path, heading: str) -> list[list[str]]:
    """The rows of the table that begins with a heading, by cells."""
    rest = page.read_text(encoding="utf-8").split(f"\n{heading}\n", 1)[1]
    lines = rest.split("\n\n", 1)[0].splitlines()[1:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@cache
def asking() -> dict[str, dict[str, set[str]]]:
    """Where it is asked whether a pass is on: by pass, the files with the functions in which they ask."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in (PACKAGE / "generate").glob("*.py"):
        functions = [node for node in sources.nodes(path) if isinstance(node, ast.FunctionDef)]
        for node in sources.nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Pass":
                around = [f.name for f in functions if f.lineno <= node.lineno <= (f.end_lineno or 0)]
                if around:
                    found[node.attr][path.name].add(around[-1])
    return found


def test_the_table_of_passes_says_where_each_begins() -> None:
    """Every file that asks whether a pass is on is named in its row; of the functions beside them one is among those
    that ask."""
    named: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for _, where, _, labels in table(
        ROOT / "docs/architecture.md", "| what is found | where | what it becomes | pass |"
    ):
        for label in re.findall(r"`([\w-]+)`", labels):
            for name, inside in re.findall(r"`(\w+\.py)`((?:, `\w+`)*)", where):
                named[label.replace("-", "_").upper()][name] |= set(re.findall(r"`(\w+)`", inside))
    for one in Pass:
        missing = set(asking()[one.name]) - set(named[one.name])
        assert not missing, f"{one.label} begins in {sorted(missing)}, too"
        told = {(name, f) for name, fs in named[one.name].items() for f in fs}
        asked = {(name, f) for name, fs in asking()[one.name].items() for f in fs if f != "__init__"}
        assert not told or not asked or told & asked, f"{one.label} is asked for in {sorted(asked)}"
    assert set(named) == {one.name for one in Pass}


def test_the_layers_of_the_writer_of_c_build_on_each_other() -> None:
    row = next(
        row for row in table(ROOT / "docs/architecture.md", "| | in Python | in C |") if row[0].startswith("layers")
    )
    modules = [importlib.import_module(f"ruledsl.generate.{name}") for name in re.findall(r"`(\w+)\.py`", row[2])]
    made = [own_classes(module) for module in modules]
    assert len(made) > 3
    for below, above in pairwise(made):
        assert any(one.__bases__[0] in below for one in above), above


def test_parts_of_a_program_are_handed_what_writes_expressions() -> None:
    row = next(
        row for row in table(ROOT / "docs/architecture.md", "| | in Python | in C |") if row[0] == "parts of a program"
    )
    for name in re.findall(r"`(\w+)\.py`", row[2]):
        assert any(
            issubclass(one, CPart) for one in own_classes(importlib.import_module(f"ruledsl.generate.{name}"))
        ), name


def own_classes(module: Any) -> list[type]:
    return [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]


# -------------------------------------------------------------------------------------------------- programs


def test_the_forms_of_programs_are_told(golden: Callable[[str, Path], None]) -> None:
    """The tables of `docs/program.md` that tell the forms of `ir/core.py`: each by its fields and its docstring."""
    page = ROOT / "docs/program.md"
    text = page.read_text(encoding="utf-8")
    for title, union in (("expressions", C.Node), ("operations", C.Operation), ("ends", C.Terminator)):
        begin, end = f"<!-- {title}: made from ruledsl/ir/core.py -->\n", f"<!-- end of {title} -->"
        assert begin in text, f"docs/program.md lacks `{begin.strip()}`"
        before, _, rest = text.partition(begin)
        lines = ["| form | fields | what it is |", "| --- | --- | --- |"]
        for form in get_args(union):
            fields = ", ".join(f"`{name}`" for name in form.__dataclass_fields__ if name not in ("type", "span"))
            about = " ".join((form.__doc__ or "").split("\n\n")[0].split())
            assert not about.startswith(f"{form.__name__}("), f"{form.__name__} does not say what it is"
            lines.append(f"| `{form.__name__}` | {fields} | {about} |")
        text = f"{before}{begin}\n" + "\n".join(lines) + f"\n\n{end}{rest.partition(end)[2]}"
    golden(text, page)


# -------------------------------------------------------------------------------------------------- numbers

# Sentences with a number, and where the number is from.
FIGURES: list[tuple[str, str, int | float]] = [
    ("architecture", "at most {} configurations", CONFIGURATIONS),
    ("architecture", "None is {} there", NONE),
    ("decisions", "None of a number is {}.", NO_NUMBER),
    ("decisions", "at most {} steps in one `together`", C.DRAFT_STEPS),
    ("decisions", "the same on every executor:** {:,} options", MOST_OPTIONS),
    ("decisions", "goes through up to {} configurations", CONFIGURATIONS),
    ("decisions", "so it counts half after {} tries of the option itself", TRUST),
]
# The same in words.
IN_WORDS: list[tuple[str, str, int | float]] = [
    ("decisions", "warns from a million on", 1_000_000 / MANY),
    ("decisions", "a program of more than four hundred blocks", WHOLE / 400),
    ("decisions", "as soon as there are more than six different answers", FEW_ROWS / 6),
    ("decisions", "where at least eight different rows are picked from", MANY_ROWS / 8),
    ("decisions", "comes after twenty decisions", PATIENCE / 20),
    ("decisions", "A condition that was asked sixteen times", OFTEN / 16),
    ("decisions", "Above twelve ways", FEW_WAYS / 12),
    ("decisions", "at the stack of the main thread twice a second", EVERY * 2),
    ("decisions", "at work for 5 seconds of computing", FIRST / 5),
    ("architecture", "given up after a quarter of the time", SOON / 4),
]


def told(page: str) -> str:
    return " ".join((ROOT / f"docs/{page}.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("page", "sentence", "number"), FIGURES)
def test_a_figure_is_that_of_the_code(page: str, sentence: str, number: float) -> None:
    assert sentence.format(number) in told(page)


@pytest.mark.parametrize(("page", "sentence", "share"), IN_WORDS)
def test_a_figure_in_words_is_that_of_the_code(page: str, sentence: str, share: float) -> None:
    assert sentence in told(page)
    assert share == 1


def test_the_size_of_the_page_is_about_that_of_its_files() -> None:
    said = re.search(r"The page is (\d+) kilobytes of text", told("decisions"))
    assert said is not None
    size = sum(path.stat().st_size for path in (PACKAGE / "web/static").iterdir() if path.is_file())
    assert abs(size / 1000 / int(said[1]) - 1) < 0.25


def test_there_are_twenty_forms_of_expressions() -> None:
    assert "a closed set of twenty" in told("decisions")
    assert len(get_args(C.Node)) == 20


def test_few_operations_know_of_prices() -> None:
    said = re.search(r"Only five operations know more: (.*?)\. ", told("decisions"))
    assert said is not None
    known = {name for name in OPS if re.match("price|payment|exchange", name)}
    assert set(re.findall(r"`(\w+)`", said[1])) == known


def test_a_large_program_is_divided_into_parts_of_some_hundred_blocks() -> None:
    assert 100 <= PART < WHOLE
