"""One fingerprint of what the rules became: an edited file is played at once, and texts for people never matter."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import ruledsl
from games import NAMES, PATHS, ROOT, load
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.generate.c_program import CProgram
from ruledsl.ir import core as C
from ruledsl.ir.fingerprint import COUNTS, _Pupil, fingerprint
from ruledsl.runtime.game import Game

# A game of every kind of file: its result is one number that each of them has a part in.
FILES = {
    "game.yaml": """
# A remark.
ruledsl: 1
game: sums
title: {en: Sums, ru: Суммы}
players: 1
include: [more.yaml]
pieces:
  card:
    from: cards.csv
    start: heap
    attributes: {worth: number}
  tile:
    from: tiles.yaml
    start: heap
    attributes: {weight: number}
places:
  heap: {holds: any}
values:
  points: {per: player, is: 0..99999}
effects:
  count_up:
    - add: {me.points: all_of}
play:
  - turns: players
    until: turn_number >= 2
    do:
      - choose one:
          - {label: {en: go on, ru: дальше}, do: count_up()}
scoring:
  rows: {points: me.points}
""",
    "more.yaml": """
include: [deep/bonus.yaml]
define:
  all_of: 100 * sum(c.worth for c in card) + 10 * sum(t.weight for t in tile) + 7 + more_of
""",
    "deep/bonus.yaml": """
define:
  more_of: 1000 * 3
""",
    "cards.csv": "name,worth\nant,1\nbee,2\n",
    "tiles.yaml": "- {name: oak, weight: 4}\n- {name: fir, weight: 5}\n",
}
SUM = 100 * (1 + 2) + 10 * (4 + 5) + 7 + 3000  # added once a turn
BACKENDS = ("interpreter", "python", "c")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1, (name, old)
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


def points(folder: Path, backend: str) -> int:
    """What `simulate` says of the points: in all plays they are the same."""
    table = folder / f"{backend}.csv"
    assert main(["simulate", str(folder), "-n", "3", "--backend", backend, "-o", str(table)]) == 0
    with table.open(encoding="utf-8") as file:
        (found,) = {int(row["points player_1"]) for row in csv.DictReader(file)}
    return found


@pytest.mark.parametrize(
    ("name", "old", "new", "more"),
    [
        ("game.yaml", "turn_number >= 2", "turn_number >= 3", SUM),
        ("more.yaml", "+ 7", "+ 8", 2),
        ("deep/bonus.yaml", "1000 * 3", "1000 * 4", 2000),
        ("cards.csv", "bee,2", "bee,5", 600),
        ("tiles.yaml", "weight: 5", "weight: 6", 20),
    ],
)
def test_an_edited_file_is_played_at_once_on_every_executor(
    folder: Path, name: str, old: str, new: str, more: int
) -> None:
    before = {backend: points(folder, backend) for backend in BACKENDS}
    edit(folder, name, old, new)
    after = {backend: points(folder, backend) for backend in BACKENDS}
    assert {after[backend] - before[backend] for backend in BACKENDS} == {more}, (before, after)


def rules(path: Path) -> str:
    return ruledsl.load(path).configured().rules


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("game.yaml", "# A remark.", "# Another remark,\n# of two lines."),
        ("game.yaml", "en: Sums", "en: Totals"),
        ("game.yaml", "ru: дальше", "ru: вперёд"),
        ("game.yaml", "{label: {en: go on, ru: дальше}, do: count_up()}", "label: go\n            do: count_up()"),
        ("more.yaml", "\ndefine:", "\n# Sums.\n\ndefine:"),
        ("cards.csv", "ant,1", "ant, 1"),
        ("tiles.yaml", "{name: oak, weight: 4}", "{weight: 4, name: oak}"),
    ],
)
def test_remarks_texts_and_the_layout_of_files_do_not_count(folder: Path, name: str, old: str, new: str) -> None:
    before = rules(folder)
    edit(folder, name, old, new)
    assert rules(folder) == before


def test_names_of_effects_and_formulas_do_not_count_and_names_of_cards_do(folder: Path) -> None:
    before = rules(folder)
    for name in ("game.yaml", "more.yaml"):
        text = (folder / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace("count_up", "go_up").replace("all_of", "whole"), encoding="utf-8")
    assert rules(folder) == before
    edit(folder, "cards.csv", "bee", "bug")
    assert rules(folder) != before


def test_options_and_players_count(folder: Path) -> None:
    game = load(ROOT / "examples/yacht.yaml")
    assert len({game.configured(n).rules for n in game.players}) == len(game.players)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_files_moved_down_by_remarks_make_the_same_program(path: Path, tmp_path: Path) -> None:
    """The law behind all this: nothing of a file's layout gets into the fingerprint, or into C beside its remarks."""
    source = path if path.is_dir() else path.parent
    for file in source.rglob("*"):
        if file.is_file() and file.suffix in (".yaml", ".csv", ".svg") and "positions" not in file.parts:
            copy = tmp_path / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8")
            copy.write_text(("# A remark.\n" * 3 if file.suffix == ".yaml" else "") + text, encoding="utf-8")
    moved = tmp_path if path.is_dir() else tmp_path / path.name
    here, there = (game.configured(load(path).players[-1]) for game in (load(path), Game(load_blueprint(moved))))
    assert here.rules == there.rules
    assert fingerprint(here.machine.program) == here.rules


def test_what_is_shared_and_what_is_copied_is_the_same_beside_a_formula_that_asks_itself() -> None:
    def learnt(*before: object) -> str:
        formula = C.Formula("again", (), None, None)
        formula.body = C.Invoke(formula, ())
        pupil = _Pupil()
        pupil.learn([*before, formula])
        return pupil.digest()

    node = C.Op("add", (C.Const(1), C.Const(2)))
    twin = C.Op("add", (C.Const(1), C.Const(2)))
    assert learnt(node, node) == learnt(node, twin) != learnt(node, C.Const(1))


def test_c_of_equal_fingerprints_is_equal_but_for_its_remarks(folder: Path) -> None:
    def written() -> str:
        text = CProgram(ruledsl.load(folder).configured().machine.program).write()
        return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)

    before = written()
    edit(folder, "game.yaml", "# A remark.", "# Another\n# remark.")
    edit(folder, "game.yaml", "en: go on", "en: further")
    assert written() == before


def test_all_that_executors_look_at_counts() -> None:
    """A new key in a program's data must be counted, or named here with the reason why it need not be."""
    elsewhere = {
        "scoring",  # its names and formulas count
        "keep",  # the names of what is kept count; where it is laid out counts with the layout
        "world",  # only ways to the things above
        "setup_done",
    }
    used: set[str] = set()
    for package in ("engine", "generate", "ir"):
        for file in (ROOT / "ruledsl" / package).rglob("*.py"):
            used |= set(re.findall(r'data(?:\.get\(|\[)"([a-z_]+)"', file.read_text(encoding="utf-8")))
    assert used - set(COUNTS) - elsewhere == set()


def test_reports_say_which_rules_they_are_about(folder: Path) -> None:
    page = folder / "report.html"
    assert main(["simulate", str(folder), "-n", "3", "--backend", "python", "--report", str(page)]) == 0
    assert f"rules {rules(folder)}" in page.read_text(encoding="utf-8")
