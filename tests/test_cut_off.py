"""A word is cut off, anywhere in the files of any game: completion offers the whole word.

Words are the names that rules and tests use, the keys of maps, and words that stand alone behind a key; not what is
declared there, and not the prose that players read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from games import ROOT
from ruledsl.diagnostics.suggest import instead_of, nearest
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.workbench.complete import complete
from ruledsl.workbench.language import declarations
from ruledsl.workbench.project import Project, game_of

PROSE = ("moves", "legal", "offered", "refused", "log", "covers", "because", "game", "from", "board", "en", "ru")
MAINS = sorted({
    game_of(path)
    for folder in ("games", "examples")
    for path in (ROOT / folder).rglob("*.yaml")
    if "schemas" not in path.parts
})  # fmt: skip
FEW = [ROOT / "examples" / name for name in ("chess.yaml", "holdem.yaml", "nine-mens-morris.yaml", "yacht.yaml")]
Place = tuple[Path, int]


def written(node: Node | None, behind: str = "") -> Iterator[tuple[Scalar, str]]:
    """The keys and the single words of a file, each with the key that it stands behind; nothing for keys."""
    if isinstance(node, Scalar):
        yield node, behind
    for item in node.items if isinstance(node, Seq) else ():
        yield from written(item, behind)
    for entry in node if isinstance(node, Map) else ():
        if entry.key.value not in PROSE or not behind:
            yield entry.key, ""
        yield from written(entry.value, entry.key.value)


def words_of(project: Project) -> dict[Place, str]:
    declared = {at_file(one.name_span.file.path, one.name_span.start) for one in declarations(project)}
    found: dict[Place, str] = {}
    for path in project.files():
        for scalar, behind in written(project.document(path)):
            word = scalar.text_span.text
            if re.fullmatch(r"[^\W\d]\w\w+", word) and word.isascii() and behind not in PROSE:
                found[path, scalar.text_span.start] = word
    for use in project.whole().index.uses.values():
        file = at_file(use.span.file.path, use.span.start)
        if use.target.span != use.span and len(use.span.text) > 2 and file[0].suffix == ".yaml":
            found[file] = use.span.text
    return {place: word for place, word in found.items() if place not in declared}


def at_file(path: str, offset: int) -> Place:
    return Path(path).resolve(), offset


@pytest.mark.parametrize("rest_of_line", [True, False])
@pytest.mark.parametrize(("mains", "many"), [(FEW, 30), pytest.param(MAINS, 60, marks=pytest.mark.long)])
def test_a_word_that_was_cut_off_is_offered(mains: list[Path], many: int, rest_of_line: bool) -> None:
    """With all that stands behind it, or at the end of the line."""
    chance, right, missed = Random(8), 0, list[str]()
    for main in mains:
        project = Project(main)
        words = words_of(project)
        for (path, at), word in chance.sample(sorted(words.items()), min(many, len(words))):
            text = project.text(path)
            left, end = at + chance.randrange(1, len(word)), at + len(word)
            if not rest_of_line:
                end = text.find("\n", end)
            project.write(path, text[:left] + text[end:])
            if word in [item.word for item in complete(project, path, left)]:
                right += 1
            else:
                missed.append(f"{path.name}:{text.count(chr(10), 0, at) + 1} {word}")
            project.write(path, None)
    assert right > 30
    assert right >= 0.95 * (right + len(missed)), missed


GAME = """\
ruledsl: 1
game: nuts
players: [hermit, squirrel]
board: {grid: {width: 3, height: 3}, space: tree}
places:
  hole: {per: player, seen: owner, holds: nut}
pieces:
  nut:
    rows:
      - {name: hazel, cost: 1}
      - {name: walnut, cost: 2}
    attributes: {cost: 0..9}
play:
  - turns: players
    do:
      - choose: {spot: board where empty(spot)}
        else: {end: game}
      - move: nut
        to: spot
text:
  ru: {hermit: отшельник, spot: место}
"""


@pytest.mark.parametrize(
    ("typed", "cut", "wanted"),
    [
        ("ruledsl: 1", "ru: 1", "ruledsl"),
        ("grid: {", "gr: {", "grid"),
        ("height", "he", "height"),
        ("seen: owner", "seen: ow", "owner"),
        ("walnut, cost", "walnut, co", "cost"),
        ("turns: players", "tu: players", "turns"),
        ("turns: players", "tu", "turns"),
        ("move: nut\n", "mo: nut\n", "move"),
        ("end: game", "end: ga", "game"),
        ("text:\n", "te\n", "text"),
        ("hermit: отшельник", "her: отшельник", "hermit"),
        ("spot: место", "sp", "spot"),
        (", spot: место}\n", ", sp", "spot"),
    ],
)
def test_what_check_knows_of_a_place_is_offered(tmp_path: Path, typed: str, cut: str, wanted: str) -> None:
    path = tmp_path / "nuts.yaml"
    path.write_text(GAME, encoding="utf-8")
    project, at = Project(path), GAME.index(typed)
    project.view()
    project.write(path, GAME[:at] + cut + GAME[at + len(typed) :])
    shown = cut.partition(":")[0] if ": " in cut and not cut.startswith("seen") and "end" not in cut else cut
    end = at + len(shown.rstrip())
    assert wanted in [item.word for item in complete(project, path, end)]


def test_what_a_word_is_compared_with_is_what_could_stand_there() -> None:
    with instead_of("zz") as fitting:
        nearest("zz", ["fox", "hare"])
        nearest("fx", ["elk"])
    nearest("zz", ["owl"])
    assert fitting == {"fox", "hare"}


def test_who_listens_inside_of_another_takes_nothing_from_it() -> None:
    with instead_of("zz") as outer:
        with instead_of("zz") as inner:
            nearest("zz", ["fox"])
        with pytest.raises(LookupError), instead_of("zz"):
            raise LookupError
        nearest("zz", ["hare"])
    nearest("zz", ["owl"])
    assert (outer, inner) == ({"fox", "hare"}, {"fox"})


def test_the_key_that_a_trigger_cannot_do_without(tmp_path: Path) -> None:
    path = tmp_path / "nuts.yaml"
    typed = GAME.replace("text:", "triggers:\n  grow:\n    after\n    do: {end: game}\ntext:")
    path.write_text(GAME, encoding="utf-8")
    project = Project(path)
    project.view()
    project.write(path, typed)
    for end in (typed.index("after") + 2, typed.index("after") + 5):
        assert "after" in [item.word for item in complete(project, path, end)]
