"""What the parts of a C program have in common."""

from __future__ import annotations

from .c_settled import CSettled


class CPart:
    """Writes functions of one sort, line by line, through `out`: it has expressions, and knows what the state holds."""

    def __init__(self, out: CSettled) -> None:
        self.out, self.program, self.kinds, self.absorber = out, out.program, out.kinds, out.absorber
