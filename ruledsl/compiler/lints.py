"""Advice about games that can be played but were hardly meant so; each finding holds in every configuration."""

from __future__ import annotations

from typing import Any

from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C


class Lints:
    """Collects what each configuration leaves unused, and reports what all of them do."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.unused: dict[Any, tuple[str, str]] | None = None
        self.silent: dict[Any, Any] | None = None

    def note(self, world: Any, program: C.Program) -> None:
        found: dict[Any, tuple[str, str]] = {}
        for declared in world.names.values():
            if not declared.used and declared.span is not None and declared.sort in _SORTS:
                found[declared.span] = (declared.name, _SORTS[declared.sort])
        for _, origin in world.data.get("attributes", []):
            if not origin.used and origin.span is not None:
                found[origin.span] = (origin.name, "attribute")
        for binding in world.unused_bindings:
            if not binding.used:
                found[binding.span] = (binding.name, "name")
        self.unused = found if self.unused is None else {k: v for k, v in self.unused.items() if k in found}
        silent = {node.span: node for node in world.data["silent"]}
        self.silent = silent if self.silent is None else {k: v for k, v in self.silent.items() if k in silent}

    def finish(self) -> None:
        for span, (name, sort) in (self.unused or {}).items():
            self.report.warn("L503", span, f"the {sort} `{name}` is never used", help="take it away, or use it")
        for span, node in (self.silent or {}).items():
            key = next(iter(node)).key
            self.report.warn("L506", key.span, "nothing is said for the case that there is nothing to choose",
                             help="add `else:`; without it the rest of the block is skipped in silence")


_SORTS = {"option": "option", "type": "type", "kind": "kind of piece", "place": "place", "pool": "pool", "value": "value",
          "formula": "formula", "effect": "effect", "action": "action", "history": "history"}
