"""Keys in files of tests: the rules stay as they are meanwhile, and what is offered is the same as without knowing."""

from __future__ import annotations

import gc
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import ROOT
from ruledsl.compiler import pipeline
from ruledsl.testing.suites import files_of
from ruledsl.workbench.ahead import Disturbed
from ruledsl.workbench.complete import complete
from ruledsl.workbench.project import Project
from ruledsl.workbench.settled import Settled


def copy_of(game: str, tmp_path: Path) -> Path:
    folder = shutil.copytree(ROOT / "games" / game, tmp_path / game)
    return folder / "game.yaml"


def words(text: str, many: int, seed: int) -> list[tuple[int, int]]:
    found = [word.span() for word in re.finditer(r"(?<=[ \[:,])[a-z]\w{3,}", text)]
    return Random(seed).sample(found, min(many, len(found)))


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The configurations of the rules that were worked out."""
    done, whole = list[object](), pipeline.work_out

    def noted(blueprint: Any, players: int, given: dict[str, Any], *args: Any, **named: Any) -> Any:
        done.append((players, given))
        return whole(blueprint, players, given, *args, **named)

    monkeypatch.setattr(pipeline, "work_out", noted)
    return done


@pytest.mark.parametrize(("game", "many"), [("serpent", 12), ("fortress", 12)])
def test_what_is_offered_in_tests_is_the_same_with_rules_that_are_kept(game: str, many: int, tmp_path: Path) -> None:
    main = copy_of(game, tmp_path)
    path = files_of(main)[0]
    text = path.read_text(encoding="utf-8")
    project = Project(main)
    while project.ahead(path, lambda: False):
        pass
    for start, end in words(text, many, 22):
        cut, at = text[: start + 2] + text[end:], start + 2
        project.write(path, cut)
        fresh = Project(main)
        fresh.write(path, cut)
        fresh.world()
        assert complete(project, path, at) == complete(fresh, path, at), (text[start:end], start)


def test_keys_in_tests_leave_the_rules_as_they_are(tmp_path: Path, worked: list[object]) -> None:
    main = copy_of("serpent", tmp_path)
    path = files_of(main)[0]
    text = path.read_text(encoding="utf-8")
    project = Project(main)
    while project.ahead(path, lambda: False):
        pass
    trees = len(project._settled.blueprint.source.trees) if project._settled is not None else 0
    worked.clear()
    for start, end in words(text, 30, 5):
        project.write(path, text[: start + 2] + text[end:])
        assert complete(project, path, start + 2)
    assert worked == []
    assert project._settled is not None
    assert len(project._settled.blueprint.source.trees) == trees, "trees of tests that are gone are kept"


@pytest.mark.parametrize("in_editor", [True, False])
def test_other_rules_are_read_again(in_editor: bool, tmp_path: Path) -> None:
    main = copy_of("fortress", tmp_path)
    path, rules = files_of(main)[0], main.read_text(encoding="utf-8")
    text = path.read_text(encoding="utf-8") + "  - test: another\n    players: 2\n    given:\n      values: {ow: 3}\n"
    project = Project(main)
    project.write(path, text)
    at = text.index("{ow: 3}") + 3

    def offered() -> set[str]:
        return {item.word for item in complete(project, path, at)}

    assert "owls" not in offered()
    changed = re.sub(r"(?m)^values:\n", "values:\n  owls: {is: 0..9, start: 3}\n", rules, count=1)
    assert changed != rules
    if in_editor:
        project.write(main, changed)
    else:
        main.write_text(changed, encoding="utf-8")
    assert "owls" in offered()


def test_rules_with_a_mistake_are_not_kept(tmp_path: Path) -> None:
    main = copy_of("fortress", tmp_path)
    path, text = files_of(main)[0], main.read_text(encoding="utf-8")
    main.write_text(text.replace("\nplayers:", "\nplayerz:", 1), encoding="utf-8")
    project = Project(main)
    while project.ahead(path, lambda: False):
        pass
    assert project._settled is None
    main.write_text(text, encoding="utf-8")
    while project.ahead(path, lambda: False):
        pass
    assert isinstance(project._settled, Settled)


# ------------------------------------------------------------------------------------------------- without waiting


@pytest.mark.parametrize("game", ["serpent", "outpost", "fjords"])
def test_a_key_in_a_test_is_answered_from_what_is_known_and_better_soon(
    game: str, tmp_path: Path, worked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules of an older version stand in for those that were changed, until they are worked out in a pause."""
    main = copy_of(game, tmp_path)
    path, rules = files_of(main)[-1], main.read_text(encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    project = Project(main)
    project.at_once = True
    all_ahead(project, path)
    project.write(main, rules.replace("\nplay:", "\n# a remark\nplay:", 1))
    worked.clear()
    cuts = words(text, 8, 3)
    for start, end in cuts:
        project.write(path, text[: start + 2] + text[end:])
        assert complete(project, path, start + 2)
        assert project.is_behind
    assert worked == []
    whole = project.worked_out
    monkeypatch.setattr(project, "worked_out", lambda *args, **named: pytest.fail("it was answered just now"))
    project.write(path, text[: start + 3] + text[end:])
    assert complete(project, path, start + 3)
    monkeypatch.setattr(project, "worked_out", whole)
    all_ahead(project, path)
    assert worked
    for start, end in cuts:
        cut = text[: start + 2] + text[end:]
        fresh = Project(main)
        for one in (project, fresh):
            one.write(main, rules.replace("\nplay:", "\n# a remark\nplay:", 1))
            one.write(path, cut)
        fresh.world()
        found = complete(project, path, start + 2)
        if project.is_behind:  # the configuration itself is typed: for each letter there would be another
            assert re.search(r"players:|options:|preset:", text[text.rfind("\n", 0, start) : end])
            continue
        assert found == complete(fresh, path, start + 2), text[start:end]


def test_rules_with_a_mistake_leave_the_older_ones_to_tests(tmp_path: Path, worked: list[object]) -> None:
    main = copy_of("fortress", tmp_path)
    path, rules = files_of(main)[0], main.read_text(encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    project = Project(main)
    project.at_once = True
    all_ahead(project, path)
    project.write(main, rules.replace("\nplayers:", "\nplayerz:", 1))
    all_ahead(project, path)
    worked.clear()
    at = text.index("- test:") + 6
    project.write(path, text[: at - 1] + text[at:])
    assert "test" in {item.word for item in complete(project, path, at - 1)}
    assert project.is_behind
    assert worked == []


def all_ahead(project: Project, path: Path) -> None:
    for _ in range(200):
        if not project.ahead(path, lambda: False):
            return
    raise AssertionError("it never comes to an end")


@pytest.mark.parametrize("game", ["bastion", "outpost", "serpent"])
def test_what_is_worked_out_ahead_stops_for_a_question_and_is_begun_again(game: str, tmp_path: Path) -> None:
    main = copy_of(game, tmp_path)
    path = files_of(main)[0]
    text = path.read_text(encoding="utf-8")
    project, asked = Project(main), 0

    def is_disturbed() -> bool:
        nonlocal asked
        asked += 1
        return asked == most

    most, stopped = 1, 0
    while True:
        asked = 0
        try:
            if not project.ahead(path, is_disturbed):
                break
        except Disturbed:
            stopped += 1
            most = 1 + 2 * most  # it stops anywhere, and comes to an end
        else:
            most = 1
    assert stopped > 10
    fresh = Project(main)
    fresh.world()
    for start, end in words(text, 6, 4):
        for one in (project, fresh):
            one.write(path, text[: start + 2] + text[end:])
        assert complete(project, path, start + 2) == complete(fresh, path, start + 2), text[start:end]


@pytest.mark.parametrize("game", ["bastion", "fjords", "fortress"])
def test_a_version_that_nobody_needs_leaves_nothing_behind(game: str, tmp_path: Path) -> None:
    """Without any search for circles: the worlds of older versions are let go as soon as there is another."""
    main = copy_of(game, tmp_path)
    rules, path = main.read_text(encoding="utf-8"), files_of(main)[0]
    project, things = Project(main), list[int]()
    gc.collect()
    try:
        gc.disable()
        for number in range(6):
            project.write(main, f"{rules}\n# {number}\n")
            all_ahead(project, path)
            assert project.good().index.world is not None
            gc.collect(0)
            things.append(len(gc.get_objects()))
    finally:
        gc.enable()
    assert things[-1] < 1.05 * things[2], things
