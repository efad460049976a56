"""Breaks of the rules of a game as a designer might make them, and whether the game's own tests notice.

    python -m tests.breaks fjords [--root FOLDER] [--jobs N]

makes each edit of `tests/breaks/fjords.yaml` in a copy of the game, and runs `test` on it. The breaks were written from
`rules.md` and the rules alone, before anybody looked at the tests; those under `later:` after the tests had learnt from
the others. So they tell what automatic changes (`test --mutate`) cannot: how many of the mistakes that people make are
noticed. `--root` takes games, tests and program from another checkout.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import textwrap
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Edit:
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Break:
    """A rule, in which way it is broken, and the edits that do it; `same` says why nobody could ever tell."""

    rule: str
    why: str
    later: bool
    same: str
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return f"{self.rule}: {self.why}"


def breaks_of(game: str) -> list[Break]:
    data = yaml.safe_load((ROOT / f"tests/breaks/{game}.yaml").read_text(encoding="utf-8"))
    return [_break(one, later) for later in (False, True) for one in data["later" if later else "first"]]


def _break(one: dict[str, Any], later: bool) -> Break:
    edits = one.get("edits", [one])
    made = tuple(Edit(edit["file"], edit["old"], edit["new"]) for edit in edits)
    return Break(one["rule"], one["why"], later, one.get("same", ""), made)


class DoesNotApply(Exception):
    pass


def edited(text: str, edit: Edit) -> str:
    """The text with the edit; lines are compared without their indentation, and the new ones take it over."""
    wanted = [line.strip() for line in edit.old.strip().splitlines()]
    lines = text.splitlines()
    if len(wanted) == 1 and len(edit.new.splitlines()) == 1 and text.count(wanted[0]) == 1:
        return text.replace(wanted[0], edit.new.strip())
    stripped = [line.strip() for line in lines]
    found = [i for i in range(len(lines)) if stripped[i : i + len(wanted)] == wanted]
    if len(found) != 1:
        raise DoesNotApply(f"{len(found)} places in {edit.file}: {wanted[0]}")
    new = textwrap.dedent(edit.new).splitlines()
    first = found[0]
    deeper = _indent(lines[first]) - (_indent(new[0]) if new else 0)
    lines[first : first + len(wanted)] = [" " * (deeper + _indent(line)) + line.strip() for line in new]
    return "\n".join(lines) + "\n"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def broken(game: str, one: Break, folder: Path, root: Path = ROOT) -> Path:
    """A copy of the game with the break in it."""
    copy = folder / game
    shutil.copytree(root / "games" / game, copy)
    for edit in one.edits:
        path = copy / edit.file
        path.write_text(edited(path.read_text(encoding="utf-8"), edit), encoding="utf-8")
    return copy


def outcome(game: str, one: Break, root: Path = ROOT) -> str:
    """What becomes of the break: `noticed`, `passed`, `refused` by check, or that it cannot be made there."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            copy = broken(game, one, Path(folder), root)
        except DoesNotApply as problem:
            return f"does not apply: {problem}"
        checked = _run(root, "check", str(copy))
        if checked.returncode:
            places = [line for line in checked.stdout.splitlines() if line.strip().startswith("-->")]
            if places and all(f"{copy.name}/tests/" in place for place in places):
                return "noticed when check looks at the tests"
            return "refused: " + next((line for line in checked.stdout.splitlines() if "error" in line), "")
        for which in (["-k", one.rule], []):  # those that name the rule are most likely to notice
            tested = _run(root, "test", str(copy), *which)
            if tested.returncode not in (0, 1):
                raise RuntimeError(tested.stdout + tested.stderr)
            if tested.returncode:
                return "noticed by its own" if which else "noticed"
        return "passed"


def _run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ruledsl", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def main() -> int:
    parser = ArgumentParser(description="How many plausible breaks of a game its own tests notice.")
    parser.add_argument("game")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("-k", default="", metavar="RULE")
    parser.add_argument("--later", action="store_true", help="only those that were written later")
    args = parser.parse_args()
    chosen = [one for one in breaks_of(args.game) if args.k in one.rule and (one.later or not args.later)]
    root, counts = args.root.resolve(), {False: [0, 0], True: [0, 0]}
    with ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda one: outcome(args.game, one, root), chosen)
        for one, result in zip(chosen, results, strict=True):
            result = f"the same: {one.same}" if one.same else result
            print(f"{result:18} {one}{' (later)' if one.later else ''}", flush=True)
            counts[one.later][0] += result.startswith("noticed")
            counts[one.later][1] += not one.same
    for later, (noticed, made) in counts.items():
        print(f"{'later' if later else 'first'}: {noticed} of {made} noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
