"""Names such as `<rune>_stone`, of which `each:` makes copies, as an editor asks about them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from ruledsl.workbench import language
from ruledsl.workbench.checking import Teller
from ruledsl.workbench.places import Lines
from ruledsl.workbench.project import Project
from ruledsl.workbench.renaming import RenameError, rename

COPIES = """\
ruledsl: 1
game: runes
players: 2
types:
  rune: [sun, moon, star]
values:
  lit: {per: rune, is: 0..9}
pieces:
  moon_stone: {per: player}
modules:
  stones:
    each: {rune: [sun, star], over: [3]}
    when: count(players) > 1
    pieces:
      <rune>_stone: {per: player}
    actions:
      use_<rune>:
        menu: turn
        when: any(reserve(<rune>_stone)) and lit[<rune>] < <over>
        label: "{me.<rune>_stone} by {me}"
        do:
          - add: {"lit[<rune>]": 1}
          - remove: me.<rune>_stone
effects:
  glow():
    - if: any(reserve(sun_stone))
      then:
        - set: {"lit[moon]": 2}
play:
  - turns: players
    do:
      - glow()
      - choose one: turn
        else: {end: game}
"""


def last_word(text: str, at: str) -> int:
    """Where the last word of some words of a text begins."""
    found = re.search(r"[\w<>]+\W*$", at)
    assert found is not None, at
    return text.index(at) + found.start()


@pytest.mark.parametrize(
    ("at", "declared", "used"),
    [
        ("<rune>_stone: {", ["<rune>_stone"], 5),  # its declaration, of which two kinds are made
        ("reserve(<rune>_stone", ["<rune>_stone"], 5),
        ("me.<rune>_stone}", ["<rune>_stone"], 5),
        ("remove: me.<rune>_stone", ["<rune>_stone"], 5),
        ("reserve(sun_stone", ["<rune>_stone"], 5),
        ("moon_stone: {", ["moon_stone"], 1),
        ("use_<rune>:", ["use_<rune>"], 1),
        ("lit[<rune>] <", ["sun", "star"], 6),
        ("lit[moon]", ["moon"], 2),
    ],
)
def test_names_with_holes(tmp_path: Path, at: str, declared: list[str], used: int) -> None:
    """`<rune>_stone` stands for another name in each copy that `each:` makes."""
    path = tmp_path / "game.yaml"
    path.write_text(COPIES, encoding="utf-8")
    project = Project(path)
    assert not [one for one in project.check() if one.severity == "error"]
    begin = last_word(COPIES, at)
    for place in (begin, begin + 2):
        assert [span.text for span in language.declared_at(project, path, place)] == declared
        found = language.uses(project, path, place)
        assert len(found) == used, [(span.line, span.text) for span in found]
        assert all(COPIES[span.start : span.end] == span.text for span in found)


MORE = """\
  more:
    each: {which: [sun, star]}
    when: count(players) > 1
    actions:
      keep_<which>:
        menu: turn
        when: any(reserve(<which>_stone))
        do:
          - add: {"lit[<which>]": 1}
  most:
    each: {use: [sun_stone, star_stone]}
    when: count(players) > 1
    actions:
      hold_<use>: {menu: turn, when: any(reserve(<use>)), do: {set: {"lit[sun]": 1}}}
effects:
"""


# The title of the module has these words, too.
TEXT = "text:\n  en: {sun_stone: Stone of the sun, star_stone: Stone of a star}\n"


@pytest.mark.parametrize(
    ("at", "new", "line", "literal"),
    [
        ("<rune>_stone: {", "<rune>_gem", "      <rune>_gem: {per", "sun_gem"),
        ("<rune>_stone: {", "gem_<rune>", "      gem_<rune>: {per", "gem_sun"),
        ("me.<rune>_stone}", "a_<rune>_b", "      a_<rune>_b: {per", "a_sun_b"),
        ("reserve(sun_stone", "sun_gem", "      <rune>_gem: {per", "sun_gem"),
        ("reserve(<which>_stone", "<which>_gem", "      <rune>_gem: {per", "sun_gem"),
        ("use: [sun_stone", "sun_gem", "      <rune>_gem: {per", "sun_gem"),
    ],
)
def test_a_name_with_holes_is_renamed_with_all_that_is_made_of_it(
    tmp_path: Path, at: str, new: str, line: str, literal: str
) -> None:
    path = tmp_path / "game.yaml"
    text = COPIES.replace("effects:\n", MORE).replace("over: [3]}", "over: [3]}\n    title: <rune>_stone") + TEXT
    path.write_text(text, encoding="utf-8")
    project = Project(path)
    place = last_word(text, at)
    (edits,) = rename(project, path, place, new).values()
    changed = text
    for span, word in reversed(edits):
        changed = changed[: span.start] + word + changed[span.end :]
    assert not re.search(r"<\w+>_stone|(sun|star)_stone", changed), changed
    assert line in changed
    assert f"any(reserve({literal}))" in changed
    assert f"any(reserve({line.split(':')[0].strip().replace('rune', 'which')}))" in changed
    assert "moon_stone" in changed
    path.write_text(changed, encoding="utf-8")
    assert not [one for one in Project(path).check() if one.severity == "error"]


@pytest.mark.parametrize(
    ("at", "new", "said"),
    [
        ("<rune>_stone: {", "stone", "keep `<rune>` in the new name, as in `new_<rune>`"),
        ("<rune>_stone: {", "<rune>_<rune>", "keep `<rune>` in the new name"),
        ("reserve(sun_stone", "moon_gem", "keep `<rune>` in the new name"),
        ("<rune>_stone: {", "<rune> gem", "cannot be a name"),
        ("<rune>_stone: {", "1<rune>", "cannot be a name"),
        ("lit:", "<rune>_lit", "`lit` is not made by `each:`"),
        ("<which>_<thing>", "<which>_<thing>s", "write it like `<rune>_stone` first"),
    ],
)
def test_another_name_with_holes_is_refused_with_what_to_do(tmp_path: Path, at: str, new: str, said: str) -> None:
    path = tmp_path / "game.yaml"
    more = MORE.replace("[sun, star]}", "[sun, star], thing: [stone]}").replace("<which>_stone", "<which>_<thing>")
    text = COPIES.replace("effects:\n", more if "<thing>" in at else "effects:\n")
    path.write_text(text, encoding="utf-8")
    place = last_word(text, at)
    with pytest.raises(RenameError) as refused:
        rename(Project(path), path, place, new)
    assert said in str(refused.value)


def test_a_name_with_holes_is_told_and_not_renamed_in_part(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(COPIES, encoding="utf-8")
    project = Project(path)
    hovered = language.hover(project, path, COPIES.index("me.<rune>_stone}") + 5)
    assert hovered is not None
    assert COPIES[slice(*hovered[1])] == "<rune>_stone"
    assert "<rune>_stone: {per: player}" in hovered[0]
    with pytest.raises(RenameError, match="is made of `<rune>_stone`"):
        rename(project, path, COPIES.index("sun_stone"), "other")
    for at, new, places in (("lit:", "glows", 4), ("sun,", "dawn", 3)):  # `sun_stone` is made of `sun`
        (edits,) = rename(project, path, COPIES.index(at), new).values()
        assert len(edits) == places, edits


def test_findings_stand_where_the_file_has_them(tmp_path: Path) -> None:
    """In a copy words have another length; an editor shows the file as it is."""
    path = tmp_path / "game.yaml"
    text = COPIES.replace("< <over>", "< <over> + wrong")
    path.write_text(text, encoding="utf-8")
    project = Project(path)
    (found,) = {one.place for one in Teller(path).findings(project.check()) if one.severity == "error"}
    assert (found.start, found.end) == Lines(text).range(text.index("wrong"), text.index("wrong") + len("wrong"))
