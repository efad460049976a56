"""Which rules were found to have no mistakes: noted in the user's cache, so that loading them again takes no time."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from ruledsl.generate.native import cache_folder, generator

if TYPE_CHECKING:
    from .pipeline import Blueprint

_known: set[str] = set()


def is_known(blueprint: Blueprint) -> bool:
    """Whether these very rules were gone through before by this very version of ruledsl."""
    name = _name(blueprint)
    if name not in _known:
        try:
            if not (cache_folder() / name).is_file():
                return False
        except OSError:
            return False
        _known.add(name)
    return True


def remember(blueprint: Blueprint) -> None:
    name = _name(blueprint)
    if name in _known:
        return
    _known.add(name)
    try:
        cache_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        (cache_folder() / name).touch()
    except OSError:
        pass  # it is gone through again next time


def _name(blueprint: Blueprint) -> str:
    digest = hashlib.sha256(generator().encode())
    for file in blueprint.source.files:
        digest.update(f"\0{file.path}\0{len(file.text)}\0{file.text}".encode())
    return f"checked-{digest.hexdigest()[:32]}"
