"""One slip in a declaration is one finding, however often what it declares is used."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import EXAMPLES, ROOT
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.render import render, render_line
from ruledsl.source.document import Map, Node, Scalar, Seq, read_document
from ruledsl.source.text import SourceFile

SLIPS = [  # game, file, what stands there, the slip, how many are told at the most
    ("fortress", "game.yaml", "attributes: {face: face,", "attributes: {fase: face,", 1),
    ("fortress", "game.yaml", "attributes: {face: face,", "attributes: {face: fase,", 1),
    ("fortress", "game.yaml", "strength: maybe 1..12", "strenght: maybe 1..12", 1),
    ("fortress", "game.yaml", "strength: maybe 1..12", "strength: maybe 1..2", 1),
    ("fortress", "game.yaml", "strength: maybe 1..12", "strength: 1..12", 1),
    ("fortress", "game.yaml", "number: maybe 1..8", "number: maybe face", 3),  # what counts with numbers is wrong, too
    ("fortress", "game.yaml", "rule: maybe rule}", "rule: maybe rul}", 1),
    ("fortress", "game.yaml", "rule: maybe rule}", "rule: mabe rule}", 1),
    ("fortress", "game.yaml", "from: cards.yaml", "from: card.yaml", 1),
    ("fortress", "game.yaml", "face: [rule, fort, hourglass", "fase: [rule, fort, hourglass", 1),
    ("fortress", "game.yaml", "hourglass, unit,", "hourglass, unt,", 1),
    ("fortress", "game.yaml", "kinds: {fort: this.face == fort}", "kinds: {fort: this.fase == fort}", 1),
    ("fortress", "game.yaml", "hand: {per: player,", "hands: {per: player,", 1),
    ("fortress", "game.yaml", "hand: {per: player,", "hand: {per: plyer,", 1),
    ("fortress", "game.yaml", "hand: {per: player, holds: card", "hand: {per: player, holds: crd", 1),
    ("fortress", "game.yaml", "squad: {per: fort, holds", "squad: {per: fortt, holds", 1),
    ("fortress", "game.yaml", "in_force: set of rule", "in_force: set of rul", 1),
    ("fortress", "game.yaml", "in_force: set of rule", "inforce: set of rule", 1),
    ("fortress", "game.yaml", "several: bool", "several: boool", 1),
    ("fortress", "game.yaml", "  card:\n    from", "  crd:\n    from", 1),
    ("fortress", "game.yaml", "on_table(fort f):", "on_tble(fort f):", 1),
    ("fortress", "game.yaml", "on_table(fort f):", "on_table(frt f):", 1),
    ("fortress", "game.yaml", "resolve(card c):", "resolve(crd c):", 1),
    ("fortress", "game.yaml", "is: if preparation in in_force", "is: if preparation in in_forse", 1),
    ("fortress", "game.yaml", "is: if preparation in in_force", "iszq: if preparation in in_force", 1),
    ("fortress", "game.yaml", "is: f in centre or f in forts", "iszq: f in centre or f in forts", 1),
    ("fortress", "cards.yaml", "- name: basic_rules  # 1\n  face: rule", "- name: basic_rules\n  face: rule\n  : x", 1),
    ("fortress", "cards.yaml", "  face: fort\n  number: 3", "  face: frt\n  number: 3", 1),
    ("fortress", "cards.yaml", "face:", "fase:", 1),
    ("fjords", "tiles.yaml", "terrain: plain", "terrain: plian", 1),
    ("fjords", "tiles.yaml", "edges:", "edgs:", 1),
    ("fjords", "tiles.yaml", "needs:", "need:", 2),  # the table of copies has the name, too
]


@pytest.mark.parametrize(("game", "file", "right", "wrong", "most"), SLIPS)
def test_one_slip_is_told_once(tmp_path: Path, game: str, file: str, right: str, wrong: str, most: int) -> None:
    folder = shutil.copytree(ROOT / "games" / game, tmp_path / game, ignore=shutil.ignore_patterns("tests"))
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    everywhere = (file != "game.yaml" and right.endswith(":")) or right.startswith("terrain")
    (folder / file).write_text(text.replace(right, wrong, -1 if everywhere else 1), encoding="utf-8")
    report = pipeline.check(folder)
    told = [found for found in report.sorted() if found.severity == "error"]
    assert 1 <= len(told) == report.mistakes <= most, "\n\n".join(map(render, told))


STATE = """
ruledsl: 1
game: lamps
players: [white, black]
board: {grid: {width: 3, height: 3}, space: cell, state: {lit: LIT, by: maybe player}}
pieces: {lamp: {count: 9, state: {worn: 0..9}}}
play:
  - turns: players
    do:
      - choose: {c: board where not c.lit and c.by != me and empty(c)}
        else: {tie: players}
      - set: {c.lit: true, c.by: me}
      - if: all(x.lit for x in board)
        then: {win: me}
      - if: count(x in board where x.lit) > 4 or any(x in board where x.lit and x.by == me and x.y == 2)
        then: {win: me}
"""


@pytest.mark.parametrize("slip", [("LIT", "boool"), ("lit: LIT", "litt: bool"), ("LIT", "mabe bool")])
def test_one_slip_in_a_state_is_told_once(tmp_path: Path, slip: tuple[str, str]) -> None:
    path = tmp_path / "lamps.yaml"
    path.write_text(STATE.replace(*slip), encoding="utf-8")
    report = pipeline.check(path)
    told = [found for found in report.sorted() if found.severity == "error"]
    assert len(told) == 1, "\n\n".join(map(render, told))
    path.write_text(STATE.replace("LIT", "bool"), encoding="utf-8")
    assert pipeline.check(path).errors == 0


def test_different_mistakes_of_a_column_are_all_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text(
        """
ruledsl: 1
game: rows
players: [white, black]
types: {hue: [red, green]}
pieces:
  card:
    attributes: {hue: hue, worth: 1..3}
    rows:
      - {name: a, hue: red, worth: 4}
      - {name: b, hue: gren, worth: 5}
      - {name: c, hue: bleu, worth: red}
      - {name: d, hue: gren, worth: 0}
play: [{tie: players}]
""",
        encoding="utf-8",
    )
    report = pipeline.check(path)
    assert sorted(line for found in report.sorted() for line in {span.line for span in found.places}) == [
        10, 11, 11, 12, 12, 13, 13]  # fmt: skip
    assert len(report.sorted()) == report.mistakes == 4


# ------------------------------------------------------------------------------- declarations spoilt at random

_SPOILT = ("types", "board", "boards", "pieces", "places", "values", "pools", "options", "history", "players", "define")


def _leaves(node: Node, path: str) -> Iterator[tuple[str, Scalar, bool]]:
    """All keys and values of a declaration."""
    if isinstance(node, Map):
        for entry in node:
            yield path, entry.key, True
            yield from _leaves(entry.value, f"{path}.{entry.key.value}")
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _leaves(item, path)
    elif isinstance(node, Scalar):
        yield path, node, False


def _spoilt(leaf: Scalar, is_key: bool, luck: random.Random) -> str:
    """A misspelt name, a word too many, a bracket that closes nothing."""
    text = leaf.span.text
    if is_key:
        return f"{text}zq"
    words = list(re.finditer(r"[^\W\d]\w*", text))
    ways = [f"{text} xyzzy", f"{text} )"] if not text.startswith(('"', "'")) else []
    if words:
        at = luck.choice(words).end()
        ways.append(f"{text[:at]}zq{text[at:]}")
    return luck.choice(ways) if ways else text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_spoilt_in_a_declaration_is_told_once(tmp_path: Path, path: Path, thorough: bool) -> None:
    """Names with a letter too many, and texts that cannot be read: what uses the declaration is not told, too."""
    text = path.read_text(encoding="utf-8")
    root = read_document(SourceFile(path.name, text), Report())
    assert isinstance(root, Map)
    sections = [entry for entry in root if entry.key.value in _SPOILT]
    leaves = [leaf for entry in sections for leaf in _leaves(entry.value, entry.key.value)]
    luck = random.Random(path.stem)
    for beside in path.parent.iterdir() if path.name == "game.yaml" else path.parent.glob(f"{path.stem}-*/"):
        (shutil.copytree if beside.is_dir() else shutil.copy)(beside, tmp_path / beside.name)
    game = tmp_path / path.name
    several = []
    tried = luck.sample(leaves, min(60 if thorough else 6, len(leaves)))
    for where, leaf, is_key in tried:
        span, new = leaf.span, _spoilt(leaf, is_key, luck)
        game.write_text(text[: span.start] + new + text[span.end :], encoding="utf-8")
        told = [found for found in pipeline.check(game).sorted() if found.severity == "error"]
        if len(told) > 1:
            several.append(f"{where}: {span.text} -> {new}\n" + "\n".join(map(render_line, told)))
    assert len(several) <= len(tried) // 20, "\n\n".join(several)
