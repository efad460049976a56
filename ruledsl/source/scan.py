"""Files are read and looked over here before any parser sees them."""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.text import UNPRINTABLE, SourceFile, Span

MAX_RULES_BYTES = 2_000_000
MAX_TABLE_BYTES = 8_000_000
MAX_LINES = 200_000
# Lists and maps within each other, brackets and indentation alike.
MAX_DEPTH = 100
# Texts, lists and maps, those behind aliases counted at each use.
MAX_NODES = 200_000

# The YAML library compares each directive with all others, so many of them would take hours.
_DIRECTIVE = re.compile(r"^%.*", re.MULTILINE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


# Files that are read as if they held something else: what a change would make of them, or what an editor has not saved.
_UNSAVED: ContextVar[Mapping[Path, bytes]] = ContextVar("unsaved", default={})  # noqa: B039 (never changed)


@contextmanager
def unsaved(files: Mapping[Path, bytes]) -> Iterator[None]:
    """Inside, these files (by their resolved paths) hold what is given here."""
    token = _UNSAVED.set(files)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int, int] | None]:
    """What is another when files on disk have changed; None for those that cannot be found."""
    found: dict[Path, tuple[int, int, int] | None] = {}
    for path in files:
        try:
            told = path.stat()
            found[path] = (told.st_mtime_ns, told.st_size, told.st_ino)
        except OSError:
            found[path] = None  # some editors take a file away for a moment
    return found


def read_file(path: Path, report: Report, limit: int = MAX_RULES_BYTES, at: Span | None = None) -> SourceFile | None:
    """The text of a regular file of at most `limit` bytes; `at` is the place that names it, if any."""
    data = _data(path, report, limit, at)
    if data is None:
        return None
    return _decode(shown_path(path), data, report)


def read_inside(name: str, root: Path, report: Report, limit: int, at: Span) -> bytes | None:
    """What a file holds that is no text, such as a picture, from inside the folder `root` of the game."""
    path = root / name
    if not is_inside(path, root):
        outside(path, report, at, name)
        return None
    return _data(path, report, limit, at)


def _data(path: Path, report: Report, limit: int, at: Span | None) -> bytes | None:
    shown = shown_path(path)
    try:
        given = _UNSAVED.get()
        kept = given.get(path.resolve()) if given else None
        return kept if kept is not None else _read_bytes(path, limit)
    except _Refused as refused:
        report.error(refused.code, at, f"`{shown}` {refused}")
        return None
    except FileNotFoundError:
        if not path.parent.is_dir():
            with report.one_slip(path.parent):
                help = f"`{shown}` would lie in it"
                report.error("Y001", at, f"there is no folder `{shown_path(path.parent)}`", help=help)
            return None
        beside = _beside(path)
        near = nearest(path.name, beside)
        alike = [f"`{name}`" for name in sorted(beside) if path.suffix and name.endswith(path.suffix)]
        others = f"in its folder there {'is' if len(alike) == 1 else 'are'} {', '.join(alike)}"
        help = did_you_mean(near) or (others if alike and len(others) < 140 else "")
        report.error("Y001", at, f"there is no file `{shown}`", help=help, suggestions=tuple(near))
        return None
    except (OSError, ValueError):
        report.error("Y001", at, f"`{shown}` cannot be read")
        return None


def _beside(path: Path) -> list[str]:
    """The files that lie where one was looked for."""
    try:
        return [other.name for other in list(path.parent.iterdir())[:200] if not other.name.startswith(".")]
    except OSError:
        return []


def check_text(file: SourceFile, report: Report, yaml: bool = True) -> bool:
    """Whether the text may be given to a parser; if not, the report says why."""
    found = UNPRINTABLE.search(file.text)
    if found:
        message = f"the control character U+{ord(found[0]):04X} cannot be in a file"
        report.error("Y005", file.span(*found.span()), message, help="delete it")
        return False
    if file.lines > MAX_LINES:
        report.error("Y002", file.span(0, 0), f"the file has more than {MAX_LINES:,} lines")
        return False
    directive = _DIRECTIVE.search(file.text) if yaml else None
    if directive:
        report.error(
            "Y207",
            file.span(*directive.span()),
            "a line that starts with `%` is an instruction to YAML, which game files do not use",
            help="delete the line, or indent it if it is part of a text",
        )
        return False
    return True


def shown_path(path: Path) -> str:
    """The path as the user knows it: from the current folder if below it, otherwise as given."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except (OSError, ValueError):
        return str(path)


def is_inside(path: Path, root: Path) -> bool:
    """Whether a file is in the folder `root` after links are followed."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def outside(path: Path, report: Report, at: Span | None, named: str = "") -> None:
    """Reports a file that is outside the folder of its game; nothing of what it holds is told."""
    help = "it is a link that leads out of the folder; put the file itself there" if path.is_symlink() else ""
    report.error("Y006", at, f"`{named or shown_path(path)}` is outside the folder of the game", help=help)


class _Refused(Exception):
    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def _read_bytes(path: Path, limit: int) -> bytes:
    # Opening a pipe waits for its writer unless told not to; an open file cannot change its kind any more.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise _Refused("Y001", "is a folder, not a file")
        if not stat.S_ISREG(mode):
            raise _Refused("Y001", "is not a regular file")
        with open(descriptor, "rb", closefd=False) as opened:
            data = opened.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise _Refused("Y002", f"is larger than {limit // 1_000_000} MB")
    return data


def _decode(shown: str, data: bytes, report: Report) -> SourceFile | None:
    try:
        return SourceFile(shown, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        file = SourceFile(shown, data.decode("utf-8-sig", "replace"))
    at = file.text.index("\ufffd")
    which = "UTF-16" if data.startswith(_UTF16) else "another encoding"
    report.error(
        "Y004",
        file.span(at, at + 1),
        "the file is not UTF-8 text",
        label=f"this may be {which}",
        help="save the file as UTF-8",
    )
    return None
