"""What is known about memory: while something large is made, nothing of it can be thrown away."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for circles of what nobody needs: while a program is worked out or written, all of it is needed.

    Such a search goes through all that there is, again and again as it grows; so what is made would take longer than
    its size.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
