"""How large the package is, and where it is hardest to read: syntax-tree nodes, long files and functions, complexity.

    .venv/bin/python tests/bench/size.py              figures of the package as it is
    .venv/bin/python tests/bench/size.py COMMIT       beside those of a commit

Nodes of the syntax tree are counted because lines and characters can be saved without making anything simpler.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONG_FILE, LONG_FUNCTION, COMPLEX = 800, 100, 20
WRITTEN = {".py", ".c", ".js", ".css", ".html", ".lark"}  # by hand


@dataclass(frozen=True)
class Size:
    """What was measured of a folder with the package in it."""

    nodes: dict[str, int]  # by package
    long_files: list[str]
    long_functions: list[str]
    complex_functions: list[str]

    @property
    def total(self) -> int:
        return sum(self.nodes.values())


def size(root: Path) -> Size:
    """The figures of `ruledsl` in a folder."""
    nodes: dict[str, int] = {}
    long_files, long_functions = [], []
    package = root / "ruledsl"
    for path in sorted(path for path in package.rglob("*") if path.suffix in WRITTEN):
        where = path.relative_to(package)
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > LONG_FILE:
            long_files.append(f"{where} {text.count(chr(10))}")
        if path.suffix != ".py":
            continue
        every = list(ast.walk(ast.parse(text)))
        part = where.parts[0] if len(where.parts) > 1 else "."
        nodes[part] = nodes.get(part, 0) + len(every)
        for node in every:
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > LONG_FUNCTION:
                    long_functions.append(f"{where}:{node.name} {lines}")
    return Size(nodes, long_files, long_functions, complex_functions(package))


def complex_functions(package: Path) -> list[str]:
    """Functions with more ways through them than `COMPLEX`, as ruff counts."""
    rule = ["--isolated", "--select", "C901", "--config", f"lint.mccabe.max-complexity={COMPLEX}"]
    run = [sys.executable, "-m", "ruff", "check", *rule, "--output-format", "json", "--exit-zero", str(package)]
    found = json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)
    return [f"{Path(one['filename']).relative_to(package)}: {one['message']}" for one in found]


def at(commit: str) -> Size:
    """The figures of a commit."""
    packed = subprocess.run(["git", "archive", commit, "ruledsl"], cwd=ROOT, capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed)) as files:
            files.extractall(folder, filter="data")
        return size(Path(folder))


def main() -> None:
    now = size(ROOT)
    before = at(sys.argv[1]) if len(sys.argv) > 1 else now
    for part in sorted({*now.nodes, *before.nodes}):
        _row(part, before.nodes.get(part, 0), now.nodes.get(part, 0))
    _row("whole package", before.total, now.total)
    for title, many in (
        (f"files over {LONG_FILE} lines", now.long_files),
        (f"functions over {LONG_FUNCTION} lines", now.long_functions),
        (f"functions with complexity over {COMPLEX}", now.complex_functions),
    ):
        print(f"\n{len(many)} {title}")
        print("".join(f"    {one}\n" for one in many), end="")


def _row(part: str, before: int, now: int) -> None:
    print(f"{part:<14} {before:>8} {now:>8} {100 * (now - before) / before if before else 0:>+7.1f} %")


if __name__ == "__main__":
    main()
