"""Where a command may write: one notion for all of them.

Every sort of file that is written has endings of its own, and can be told by how it begins. What does not fit is
refused before any work is done: a folder that is not there, an ending of another sort of file, and above all a file
that holds something else, such as the rules of a game. `--force` writes over it nevertheless.
"""

from __future__ import annotations

import os
import re
import stat
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

from ruledsl.cli.common import UsageError
from ruledsl.records import dataclass

_HEAD = 4096  # bytes that tell what a file is


@dataclass(frozen=True)
class Sort:
    """A sort of file: what it is called, the endings it may have, how it begins."""

    name: str
    endings: tuple[str, ...]
    begins: str


SAVE = Sort("a save", (".json", ".save"), r'\s*{\s*"ruledsl"\s*:\s*\d+\s*,\s*"game"')
CAMPAIGN = Sort("a campaign", (".json", ".campaign"), r'\s*{\s*"ruledsl"\s*:\s*\d+\s*,\s*"campaign"')
HANDOUT = Sort("what one player may see", (".json",), r'\s*{\s*"ruledsl"\s*:\s*\d+\s*,\s*"handout"')
REPLAY = Sort("a replay", (".jsonl", ".replay"), r'\s*{\s*"replay"\s*:')
PICTURE = Sort("a picture in SVG", (".svg",), r"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg\b")
GRAPHS = {
    ".graphml": Sort("a graph in GraphML", (".graphml",), r"\s*(<\?xml[^>]*>\s*)?<graphml\b"),
    ".json": Sort("a graph in JSON", (".json",), r'\s*{\s*"directed"'),
    ".csv": Sort("a list of edges", (".csv",), r"from,to\b"),
}
CSV_TABLE = Sort("a table of plays", (".csv",), r"(campaign,)?play,seed,ending,")
JSON_TABLE = Sort("a table of plays", (".jsonl",), r'{("campaign": ?\d+, ?)?"play": ?\d+, ?"seed":')
TOURNAMENT = Sort("the notes of a tournament", (".jsonl",), r'{"game": "[^"]*", "rules":')
RESULT = Sort("a result of `simulate`", (".json",), r'\s*{\s*"ruledsl"\s*:\s*\d+\s*,\s*"simulation"')
REPORT = Sort("a report", (".html", ".htm"), r'<!DOCTYPE html>.*<meta name="generator" content="ruledsl')
FIGURES = Sort("figures of `bench`", (".json",), r'\s*{\s*"ruledsl"\s*:\s*"')
MANUAL = Sort("the reference of the language", (".md",), r"# The rule language\b")
SCHEMA = Sort("a schema", (".json",), r'\s*{\s*"\$comment"\s*:\s*"Made by `ruledsl schema')
RULEBOOK = Sort(
    "a rulebook",
    (".md", ".html"),
    r'(<!DOCTYPE html>.*<meta name="generator" content="ruledsl rulebook|<!-- Made by `ruledsl rulebook|{\s*"title":)',
)

# Endings of files that hold something else: a slip of the hand must not write a save into a picture.
_OF_OTHERS = re.compile(
    r"\.(yaml|yml|csv|tsv|json|jsonl|svg|html|htm|md|txt|rst|toml|ini|cfg|png|jpg|jpeg|gif|bmp|webp|pdf|ps|xls|xlsx|ods|"
    r"doc|docx|odt|zip|gz|tar|py|c|h|js|css|sh|bat|exe)"
)


class Unwritable(UsageError):
    """A place where a command may not write: `key` and `holes` say why in the words of a session, too."""

    def __init__(self, message: str, key: str, **holes: str) -> None:
        super().__init__(message)
        self.key, self.holes = key, holes


def force_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite a file even if it contains something else")


def place(path: Path | str, sort: Sort, force: bool = False) -> Path:
    """The path, if a file of this sort may be written there; else a message says what to do."""
    path = Path(path)
    ending = path.suffix.lower()
    if _OF_OTHERS.fullmatch(ending) and ending not in sort.endings:
        better = path.with_suffix(sort.endings[0]).name
        raise Unwritable(
            f"`{path}` cannot be {sort.name}: such a file ends in {' or '.join(sort.endings)}; try `{better}`",
            "write_ending",
            file=str(path),
            better=better,
        )
    try:
        found = path.stat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise Unwritable(
                f"there is no folder `{path.parent}` to write `{path.name}` in", "write_nowhere", file=str(path.parent)
            ) from None
        if not os.access(path.parent, os.W_OK):
            raise Unwritable(f"`{path}` cannot be written", "write_never", file=str(path)) from None
        return path
    except (OSError, ValueError):
        raise Unwritable(f"`{path}` cannot be written", "write_never", file=str(path)) from None
    if stat.S_ISDIR(found.st_mode):
        raise Unwritable(f"`{path}` is a folder, not a file", "write_folder", file=str(path))
    if not os.access(path, os.W_OK):
        raise Unwritable(f"`{path}` cannot be written", "write_never", file=str(path))
    if not force and stat.S_ISREG(found.st_mode) and not _is(path, sort):
        raise Unwritable(
            f"`{path}` exists and is not {sort.name}: nothing was written. Choose another name, or use `--force`",
            "write_over",
            file=str(path),
        )
    return path


def write(path: Path, text: str | bytes) -> None:
    """Whole or not at all: whoever is cut off while writing leaves the file as it was before."""
    data = text.encode() if isinstance(text, str) else text
    if path.exists() and not path.is_file():  # a device or a pipe is written to, never replaced
        path.write_bytes(data)
        return
    real = path.resolve()  # a link goes on leading to the file
    beside = real.with_name(real.name + ".part")
    try:
        beside.write_bytes(data)
        beside.replace(real)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _is(path: Path, sort: Sort) -> bool:
    """Whether a file is empty, or begins as files of its sort do."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or re.match(sort.begins, head.decode("utf-8", "replace"), re.DOTALL) is not None
