"""A save of other rules: what became different in it is shown, and it goes on only where that was agreed to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ruledsl.cli.common import UsageError
from ruledsl.cli.terminal.words import YES, say
from ruledsl.cli.writing import write
from ruledsl.runtime.save import OtherRules, SaveError

if TYPE_CHECKING:
    from ruledsl.runtime.by_name import Note

Found = TypeVar("Found")


def resumed(
    path: Path,
    resume: Callable[[], Found],
    carry_over: Callable[[], tuple[Found, list[Note]]],
    saved: Callable[[Found], bytes],
    agreed: bool,
    language: str,
) -> Found:
    """What a file holds; of other rules only where `agreed`, or a person at a terminal agrees. The file as it was is
    kept beside, and what was carried over takes its place."""
    try:
        return resume()
    except OtherRules:
        pass
    except SaveError as problem:
        raise UsageError(f"{path}: {problem}") from None
    try:
        found, notes = carry_over()
    except SaveError as problem:
        raise UsageError(f"{path}: the rules have changed since this was saved, and {problem}") from None
    print(say("carry", language))
    for line in [_told(note, language) for note in notes] or [say("carry_whole", language)]:
        print(f"  {line}")
    if str(path) == "-":
        if not agreed:
            raise UsageError(
                "the rules have changed since this was saved; with `--carry-over` the play continues under the new ones"
            )
        return found
    kept = _beside(path)
    if not agreed and not _asked(say("carry_ask", language, file=kept.name), language):
        raise UsageError(
            f"{path} is unchanged; with `--carry-over` the play continues under the new rules without asking"
        )
    write(kept, path.read_bytes())
    write(path, saved(found))
    print(say("carried", language, file=kept))
    return found


def _told(note: Note, language: str) -> str:
    if note.kind == "begun_anew":
        return say(f"carry_anew_{note.sort}", language, names=note.shown)
    return say(f"carry_{note.kind}", language, sort=say(f"carry_sort_{note.sort}", language), names=note.shown)


def _beside(path: Path) -> Path:
    """A name beside a file that nothing has yet."""
    number, found = 1, path.with_name(f"{path.name}.old")
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}.old{number}")
    return found


def _asked(question: str, language: str) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(f"{question} ").strip().lower() in YES
    except (EOFError, KeyboardInterrupt):
        return False
