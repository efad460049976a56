"""Start a game: make a folder with a small complete game that you can change.

The game can be checked, played and tested. The schemas next to it give completion in your editor. --template says
what kind of game it is: `grid` (pieces on squares), `cards`, `tiles`, `workers` (worker placement) or `together`
(cooperative).
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path

from ruledsl import shipped, started
from ruledsl.cli.common import CLEAN, UsageError
from ruledsl.cli.telling import as_json, format_argument, tell

TEMPLATES = shipped.PACKAGE / "templates"
FIRST = "grid"
ALSO = {"co-operative": "together", "cooperative": "together", "co-op": "together", "coop": "together",
        "deck": "cards", "hexes": "tiles", "worker-placement": "workers"}  # fmt: skip


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name of the game and of its folder, such as `my-game`")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the folder for its files, if not NAME")
    parser.add_argument(
        "--template",
        type=lambda text: ALSO.get(text.lower(), text),
        choices=templates(),
        default=FIRST,
        help=f"what kind of game it is (default: {FIRST})",
    )
    format_argument(parser)


def templates() -> list[str]:
    """The sorts of games there are to begin with."""
    return sorted(path.parent.name for path in TEMPLATES.glob(f"*/{shipped.GAME_FILE}"))


def run(args: Namespace) -> int:
    """Writes the files; nothing that exists is ever overwritten."""
    name = args.name
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(_misnamed(name))
    folder: Path = args.folder or Path(name)
    files = _files(name, args.template)
    _refuse_to_overwrite(folder, files)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        # Mode x: should somebody else have made the file meanwhile, theirs stays.
        with (folder / path).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    if as_json(args):
        tell({"folder": str(folder), "files": sorted(files)})
        return CLEAN
    print(f"{folder} has a game with tests. What you can do next:\n")
    for command, does in (("check", "finds its mistakes"), ("play", "plays it"), ("test", "runs its tests")):
        print(f"  {started.command()} {command:<5} {folder}   {does}")
    return CLEAN


def _misnamed(name: str) -> str:
    better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-").lstrip("0123456789-")
    if Path(name).name != name:
        better = re.sub(r"[^a-z0-9]+", "-", Path(name).name.lower()).strip("-")
        command = f"{started.command()} new {better} --folder {name}"
        return f"`{name}` is a path; give the name and the folder separately: `{command}`"
    advice = f"; how about `{better}`?" if better else ""
    return f"a game cannot be called `{name}`: use lower-case letters and digits, with hyphens between words{advice}"


def _files(name: str, template: str) -> dict[str, str]:
    """What is written, by path inside the folder."""
    from ruledsl.compiler.schema import text

    from .schema import schemas

    title = name.replace("-", " ").capitalize()
    found = {}
    folder = TEMPLATES / template
    for path in [TEMPLATES / "README.md", *sorted(folder.rglob("*"))]:
        if path.is_file():
            written = path.read_text(encoding="utf-8").replace("NAME", name).replace("TITLE", title)
            found[path.relative_to(folder if folder in path.parents else TEMPLATES).as_posix()] = written
    return found | {f"schemas/{file}": text(schema) for file, schema in schemas().items()}


def _refuse_to_overwrite(folder: Path, files: dict[str, str]) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"`{folder}` already exists and is not a folder")
    there = [path for path in files if (folder / path).exists()]
    if there:
        raise UsageError(
            f"`{folder}` already has a `{there[0]}`; nothing was written. Choose another name or `--folder`"
        )
