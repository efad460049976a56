"""Names and numbers in generated C: what identifiers look like, how many words a set takes, members of the struct."""

from __future__ import annotations

import re

from ruledsl.ir import core as C
from ruledsl.ir.kinds import SET, Kind

_FIXED = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "num",
        "list",
        "s",
        "x",
        "main",
        "errno",
    ]
)


def identifier(text: str) -> str:
    """A name of C that can be recognised."""
    name = re.sub(r"\W+", "_", text).strip("_") or "it"
    return f"_{name}" if name[0].isdigit() else f"{name}_" if name in _FIXED else name


def words(top: int) -> int:
    """How many machine words a set of members below `top` takes."""
    return max(1, (top + 63) // 64)


class Member:
    """A field of the state as a member of the struct."""

    def __init__(self, field: C.Field, name: str, kind: Kind, form: str) -> None:
        self.field, self.name, self.kind, self.form = field, name, kind, form
        self.length = field.count * field.width

    @property
    def words(self) -> int:
        return words(self.kind.top) if self.kind.sort == SET else 1

    def declaration(self) -> str:
        return f"{self.form} {self.name}" + (f"[{self.length}]" if self.length != 1 else "") + ";"
