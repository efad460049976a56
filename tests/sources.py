"""The sources of the package, each parsed once for all tests of a process that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from ruledsl.memory import uncollected

PACKAGE = Path(__file__).resolve().parent.parent / "ruledsl"


@cache
def paths() -> tuple[Path, ...]:
    return tuple(sorted(path for path in PACKAGE.rglob("*.py") if "_shipped" not in path.parts))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file; the module is the first."""
    with uncollected():
        return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
