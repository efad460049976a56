"""The import graph is the architecture: what stands lower knows nothing of what stands higher."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest
import sources
from sources import PACKAGE

# From the top down; packages of one line do not know each other. Statements and functions register themselves with
# `analysis`, which knows none of them by name; places in files and what is said of them belong together.
LAYERS = [
    ["__main__"],
    ["cli"],
    ["web", "workbench"],
    ["manual"],
    ["bench"],
    ["simulation"],
    ["testing", "bots", "telling"],
    ["__init__"],
    ["runtime"],
    ["compiler"],
    ["statements", "builtins"],
    ["analysis"],
    ["generate"],
    ["engine"],
    ["ir", "syntax"],
    ["boards", "types"],
    ["diagnostics", "source"],
    ["memory", "registry", "shipped", "started", "wording"],
    ["records"],
]
TOGETHER = [{"diagnostics", "source"}]
HOMES = {
    "lark": ["syntax/tables.py"],
    "networkx": ["boards/", "runtime/game.py", "runtime/graphs.py"],
    "numpy": ["runtime/compiled.py"],
    "ray": ["simulation/cluster.py"],
    "pyspiel": ["bench/openspiel.py"],
    "yaml": ["source/document.py"],
    "jsonschema": ["syntax/shapes.py"],
    "argparse": ["cli/"],
    "textual": ["cli/terminal/live.py"],
    "rich": ["cli/terminal/live.py"],
    "starlette": ["web/server.py", "web/guards.py"],
    "uvicorn": ["web/launch.py"],
    "sqlite3": ["web/"],
    "pygls": ["workbench/server.py"],
    "lsprotocol": ["workbench/server.py"],
}


def layer_of(name: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if name in layer)


@cache
def imports() -> list[tuple[Path, int, str]]:
    """Every import: the file, the line, what is imported."""
    return list(_imports())


def _imports() -> Iterator[tuple[Path, int, str]]:
    for path, node in ((file, node) for file in sources.paths() for node in sources.nodes(file)):
        package = path.relative_to(PACKAGE.parent).parent.parts
        if isinstance(node, ast.Import):
            yield from ((path, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            if module == "ruledsl":
                yield from ((path, node.lineno, f"ruledsl.{alias.name}") for alias in node.names)
            else:
                yield path, node.lineno, module
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            yield from ((path, node.lineno, str(arg.value)) for arg in node.args if isinstance(arg, ast.Constant))


def part_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def test_every_part_has_its_layer() -> None:
    parts = {part_of(path) for path in sources.paths()}
    assert parts == {name for layer in LAYERS for name in layer}


def test_those_who_contribute_are_told_the_layers() -> None:
    told = re.search(r"```text layers\n(.*?)```", (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
    assert told is not None
    assert [line.split() for line in told[1].splitlines()] == LAYERS


def test_imports_point_downwards() -> None:
    wrong = []
    for path, line, module in imports():
        if not module.startswith("ruledsl."):
            continue
        here, there = part_of(path), module.split(".")[1]
        if not (PACKAGE / there).is_dir() and not (PACKAGE / f"{there}.py").exists():
            there = "__init__"  # `from ruledsl import Game`
        if here == there or any({here, there} <= group for group in TOGETHER):
            continue
        if layer_of(here) >= layer_of(there):
            wrong.append(f"{path.relative_to(PACKAGE)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def real_imports() -> networkx.DiGraph[str]:
    """The parts of the package, and which asks which, without what follows from that: who asks a part that asks it."""
    joined = {part: " and ".join(sorted(group)) for group in TOGETHER for part in group}
    found: networkx.DiGraph[str] = networkx.DiGraph()
    for path, _, module in imports():
        if module.startswith("ruledsl."):
            here, there = part_of(path), module.split(".")[1]
            there = there if any(there in layer for layer in LAYERS) else "__init__"
            here, there = joined.get(here, here), joined.get(there, there)
            if here != there:
                found.add_edge(here, there)
    reduced = networkx.transitive_reduction(found)
    shown: networkx.DiGraph[str] = networkx.DiGraph(sorted(reduced.edges))
    return shown


def test_the_picture_of_imports_is_drawn_from_them(golden: Callable[[str, Path], None]) -> None:
    page = PACKAGE.parent / "docs/architecture.md"
    begin, end = "<!-- imports: drawn from the package by tests/test_layers.py -->\n", "<!-- end of imports -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    assert rest, f"docs/architecture.md lacks `{begin.strip()}`"
    graph = real_imports()
    ids = {part: re.sub(r"\W+", "_", part.strip("_")) for part in graph}
    names = [f'    {ids[part]}["{part}"]' for part in sorted(graph)]
    arrows = [f"    {ids[here]} --> {ids[there]}" for here, there in graph.edges]
    drawn = "\n".join(["```mermaid", "flowchart TD", *names, *arrows, "```"])
    golden(f"{before}{begin}\n{drawn}\n\n{end}{rest.partition(end)[2]}", page)


# ------------------------------------------------------------------------------------------------ what files are


def first_sentence(path: Path) -> str:
    doc = ast.get_docstring(sources.nodes(path)[0])  # type: ignore[arg-type]
    assert doc, f"{path} does not say what it is for"
    about = " ".join(doc.split("\n\n")[0].split())
    found = re.match(r".+?[.?!](?=\s+[A-Z`]|$)", about)
    assert found, f"{path}: the first line of its docstring is no sentence"
    return found[0].replace("|", "\\|")


def rows(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            yield f"| `{path.name}` | {first_sentence(path)} |"


def test_every_file_is_on_the_page_of_files(golden: Callable[[str, Path], None]) -> None:
    """Every folder is a package, and every file begins with a sentence that says what it is for."""
    lines = [
        "# Every file",
        "",
        "What each Python file of the package is for: the first sentence of the file. The parts are in the order of",
        "[Architecture](architecture.md), from the top down. Files in C are told there, too. After a change of these",
        "sentences, `pytest tests/test_layers.py --update-golden` writes this page again.",
        "",
        "| file of `ruledsl` itself | what it is for |",
        "| --- | --- |",
        f"| `__init__.py` | {first_sentence(PACKAGE / '__init__.py')} |",
        *rows(PACKAGE),
    ]
    for part in (name for layer in LAYERS for name in layer if (PACKAGE / name).is_dir()):
        for folder in sorted({path.parent for path in sources.paths() if part_of(path) == part}):
            about = first_sentence(folder / "__init__.py")
            lines += ["", f"## {folder.relative_to(PACKAGE).as_posix()}", "", about, ""]
            lines += ["| file | what it is for |", "| --- | --- |", *rows(folder)]
    golden("\n".join(lines) + "\n", PACKAGE.parent / "docs/files.md")


def test_the_architecture_tells_every_part(golden: Callable[[str, Path], None]) -> None:
    begin, end = "<!-- parts: made by tests/test_layers.py -->\n", "<!-- end of parts -->"
    page = PACKAGE.parent / "docs/architecture.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    assert rest, f"docs/architecture.md lacks `{begin.strip()}`"
    lines = ["| part | what it is |", "| --- | --- |"]
    for part in (name for layer in LAYERS for name in layer):
        home = PACKAGE / part / "__init__.py"
        path = home if home.exists() else PACKAGE / f"{part}.py"
        lines.append(f"| `{part}` | {first_sentence(path)} |")
    golden(f"{before}{begin}\n" + "\n".join(lines) + f"\n\n{end}{rest.partition(end)[2]}", page)


# What packages hand to each other is of a class, not of any sort.
HANDED = {
    *("play", "world", "machine", "elaborator", "elab", "game", "configured", "viewer"),
    *("program", "root", "pool", "span", "report", "artist"),
}


def test_what_packages_hand_to_each_other_has_its_class() -> None:
    loose = []
    for path in [path for path in sources.paths() if part_of(path) != "bots"]:  # they get views of a seat
        for node in sources.nodes(path):
            if isinstance(node, ast.arg | ast.AnnAssign):
                name = node.arg if isinstance(node, ast.arg) else ast.unparse(node.target)
                if name in HANDED and node.annotation is not None and ast.unparse(node.annotation) == "Any":
                    loose.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {name}: Any")
    assert not loose, "\n".join(loose)


def test_who_draws_knows_no_states() -> None:
    """As `docs/architecture.md` says of the screen, and of what is drawn for paper."""
    for drawing in ("cli/terminal/screen.py", "boards/svg.py", "boards/svgtiles.py", "boards/picture.py"):
        asked = {module for path, _, module in imports() if path == PACKAGE / drawing}
        assert asked
        assert not [module for module in asked if module.startswith(("ruledsl.engine", "ruledsl.ir"))]


# What executors import: the program as it is laid down in `ir`, and what stands below that.
BELOW_PROGRAMS = {"ir", "types", "source", "records"}
EXECUTORS = {
    "ir": BELOW_PROGRAMS,
    "engine": {"engine", *BELOW_PROGRAMS},
    # `diagnostics` and `started` are for what people read: names that are near, commands as they are typed here.
    "generate": {"generate", "engine", "registry", "diagnostics", "started", *BELOW_PROGRAMS},
}


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_executor_imports_programs_and_nothing_above_them(executor: str) -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {module}"
        for path, line, module in imports()
        if part_of(path) == executor
        and module.startswith("ruledsl.")
        and module.split(".")[1] not in EXECUTORS[executor]
    ]
    assert not wrong, "\n".join(wrong)


def test_every_library_from_outside_has_its_homes() -> None:
    libraries = {module.split(".")[0] for _, _, module in imports()} - sys.stdlib_module_names - {"ruledsl"}
    assert libraries <= set(HOMES)


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_in_few_places(library: str) -> None:
    users = {path.relative_to(PACKAGE).as_posix() for path, _, module in imports() if module.split(".")[0] == library}
    strangers = [user for user in users if not any(user.startswith(home) for home in HOMES[library])]
    assert not strangers


def test_only_the_command_line_prints() -> None:
    for path in (path for path in sources.paths() if part_of(path) != "cli"):
        calls = [node.func for node in sources.nodes(path) if isinstance(node, ast.Call)]
        assert not [path for of in calls if isinstance(of, ast.Name) and of.id == "print"]


GAMES = (
    "fjords",
    "fortress",
    "outpost",
    "serpent",
    "bastion",
    "chess",
    "reversi",
    "draughts",
    "breakthrough",
    "holdem",
)


def test_the_engine_knows_no_game_by_name() -> None:
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".lark") and "_shipped" not in path.parts:
            text = path.read_text(encoding="utf-8").lower()
            assert not [name for name in GAMES if name in text], path
