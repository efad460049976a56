"""What is known about memory: while something large is made, nothing of it can be thrown away."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_one_command = False  # whether this process carries out one command line, and ends then
_MUCH = 300_000  # things that were made since the last search: about six versions of a large game
_STAYED, _GATHERED = 100_000, 300_000  # things that stay after such a search, before one goes further; and after that
_kept = 0  # things that stayed after everything was searched


def search_when_asked() -> None:
    """From now on circles are searched for in `tidied` alone, and never among what there is already."""
    gc.collect()
    gc.freeze()
    gc.disable()


def search_seldom() -> None:
    """From now on circles are searched for seldom, and never among what there is already.

    Much is made and little of it in circles: to search as often as Python does takes a tenth of the time, and each
    search through everything is a pause in which a server answers nobody.
    """
    global _one_command
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    _one_command = True


def is_untidy() -> bool:
    """Whether so much was made that a search should not wait for a pause."""
    return gc.get_count()[0] > _MUCH


def tidied(in_a_pause: bool = False) -> None:
    """Throws away what nobody needs of what was made last; now and then, and in a pause, of what stayed before, too.

    How long that takes is bounded: nobody asks for an answer for a moment, but soon somebody may.
    """
    gc.collect(0)
    if in_a_pause or len(gc.get_objects(1)) > _STAYED:
        gc.collect(1)


def tidied_wholly() -> None:
    """Throws away what nobody needs of all there is, if so much has gathered that it is worth a longer time."""
    global _kept
    if len(gc.get_objects(2)) > _kept + _GATHERED:
        gc.collect()
        _kept = len(gc.get_objects(2))


def kept_to_the_end() -> None:
    """What there is now stays until the command is carried out, with which the process ends: to search among it, even
    once, would be in vain."""
    if _one_command:
        gc.freeze()


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


@contextmanager
def searched_apart() -> Iterator[None]:
    """What is made in here is searched for circles, and what there was before is not: it stays.

    Each of many versions of a game is full of circles, and the next one needs nothing of it. Where one command is
    carried out, what there was before stays to its end, so it is not searched afterwards either.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 1, 1)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not _one_command:
            gc.unfreeze()
