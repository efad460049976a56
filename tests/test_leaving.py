"""Leaving a play at a terminal, and finding it again: nobody loses one without being asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ruledsl
from games import NAMES, PATHS, load
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime.play import Play


def sat(play: Play, lines: list[str], **settings: object) -> tuple[Session, list[str]]:
    """A person alone at a terminal types these lines; what was written."""
    shown: list[str] = []
    typed = iter(lines)

    def read(prompt: str) -> str:
        shown.append(prompt)
        line = next(typed, None)
        if line is None:
            raise EOFError
        return line

    at_terminal: dict[str, Any] = {"waits": True, "resume": lambda path: f"go on from {path}", **settings}
    session = Session(play, [None] * len(play.players), Settings(**at_terminal), Face(shown.append, read))
    assert session.run() is False
    return session, shown


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.chdir(tmp_path)
    return load(PATHS[NAMES.index("tic-tac-toe")]).start()


def test_who_leaves_is_asked_whether_to_save(play: Play) -> None:
    session, shown = sat(play, ["b2", "quit", "", "a1", "quit", "yes"])
    assert len(play.decisions) == 2
    text = "\n".join(shown)
    assert text.count("Save it in `tic-tac-toe.save`") == 2
    assert "The game continues." in text
    assert "Saved in tic-tac-toe.save. To continue later: go on from tic-tac-toe.save" in text
    assert session.settings.kept
    again = ruledsl.load(PATHS[NAMES.index("tic-tac-toe")]).resume(Path("tic-tac-toe.save").read_bytes())
    assert again.state == play.state


def test_who_does_not_want_to_save_leaves_without_a_file(play: Play, tmp_path: Path) -> None:
    session, shown = sat(play, ["b2", "выход", "нет"], language="ru")
    assert "Сохранить её в `tic-tac-toe.save`" in " ".join(" ".join(shown).split())
    assert not session.settings.kept
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lines", [["quit"], ["b2", "save", "quit"]])
def test_where_nothing_would_be_lost_nobody_is_asked(play: Play, lines: list[str]) -> None:
    _, shown = sat(play, [*lines, "this is not read"])
    assert "Save it in" not in "\n".join(shown)


def test_a_save_without_a_name_is_never_over_another_play(play: Play, tmp_path: Path) -> None:
    (tmp_path / "tic-tac-toe.save").write_text("another play")
    sat(play, ["b2", "save", "a1", "save", "quit"])
    assert (tmp_path / "tic-tac-toe.save").read_text() == "another play"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tic-tac-toe-2.save", "tic-tac-toe.save"]


def test_a_play_that_was_resumed_is_saved_where_it_was(play: Play) -> None:
    _, shown = sat(play, ["b2", "quit", "yes"], own=Path("mine.save"))
    assert "Save it in `mine.save`" in "\n".join(shown)
    assert Path("mine.save").exists()


def test_where_nobody_sits_at_a_terminal_a_name_is_wanted(play: Play, tmp_path: Path) -> None:
    _, shown = sat(play, ["b2", "save", "quit"], waits=False)
    assert "Give a file name: `save FILE`." in shown
    assert not list(tmp_path.iterdir())
