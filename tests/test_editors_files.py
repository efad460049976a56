"""Files as editors open them: of no game, of several games, gone, with other line ends, with letters beyond 16 bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsp_client import Editor, editing
from lsprotocol import types as T

from ruledsl.compiler.pipeline import check
from ruledsl.source.scan import unsaved
from ruledsl.testing.looking import Tests
from ruledsl.workbench.complete import complete
from ruledsl.workbench.places import Lines
from ruledsl.workbench.project import Project, View, home_of

GAME = """\
ruledsl: 1
game: nuts
include: [part.yaml]
players: [hermit, squirrel]
values:
  left: {is: 0..9, start: 5}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(3, left)
        label: take {n}
        else: {end: game}
      - subtract: {left: n}
      - if: few
        then: {win: me}
"""
PART = "define:\n  few: left == 0\n"
OTHER = "services:\n  web:\n    image: nginx\n  values: {left: 3}\nvalues:\n  a: {b: c}\n"


def folder_of(tmp_path: Path) -> tuple[Path, Path]:
    main, part = tmp_path / "nuts.yaml", tmp_path / "part.yaml"
    main.write_text(GAME, encoding="utf-8")
    part.write_text(PART, encoding="utf-8")
    return main, part


def codes(editor: Editor, uri: str) -> list[str]:
    return sorted(str(one.code) for one in editor.found.get(uri, ()))


def test_a_file_belongs_to_the_game_that_names_it(tmp_path: Path) -> None:
    main, part = folder_of(tmp_path)
    other = tmp_path / "compose.yaml"
    other.write_text(OTHER, encoding="utf-8")
    assert home_of(part) == main
    assert home_of(main) == main
    assert home_of(other) is None
    assert home_of(other, "game: begun\n" + OTHER) == other
    assert home_of(tmp_path / "not_saved.yaml", "ruledsl: 1\n") == tmp_path / "not_saved.yaml"


def test_nothing_is_said_of_other_yaml(tmp_path: Path) -> None:
    path = tmp_path / "compose.yaml"
    path.write_text(OTHER, encoding="utf-8")
    main, _ = folder_of(tmp_path)

    async def work(editor: Editor) -> None:
        uri = editor.open(path)
        here = T.TextDocumentIdentifier(uri)
        everything = T.Range(T.Position(0, 0), T.Position(99, 0))
        assert not await editor.client.text_document_document_symbol_async(T.DocumentSymbolParams(here))
        assert not await editor.client.text_document_inlay_hint_async(T.InlayHintParams(here, everything))
        assert await editor.hovered(uri, 4, 2) == ""
        assert await editor.defined(uri, 3, 12) is None
        assert not await editor.completed(uri, 5, 3)
        whole = editor.open(main, GAME.replace("win: me", "win: wrong"))
        await editor.until(lambda: codes(editor, whole) != [])
        assert codes(editor, uri) == []
        editor.write(uri, "game: begun\n")  # now it is one
        await editor.until(lambda: "S102" in codes(editor, uri))
        editor.write(uri, OTHER)
        await editor.until(lambda: codes(editor, uri) == [])

    editing(work)


def test_two_games_share_a_file(tmp_path: Path) -> None:
    """What is wrong in it is told once, and both games are checked again when it changes."""
    main, part = folder_of(tmp_path)
    other = tmp_path / "more_nuts.yaml"
    other.write_text(GAME.replace("win: me", "tie: players"), encoding="utf-8")

    async def work(editor: Editor) -> None:
        first, second, shared = editor.open(main), editor.open(other), editor.open(part)
        await editor.until(lambda: {first, second, shared} <= set(editor.found))
        assert [codes(editor, uri) for uri in (first, second, shared)] == [[], [], []]
        editor.write(shared, PART.replace("few", "many"))
        await editor.until(lambda: codes(editor, first) == codes(editor, second) == ["N101"])
        editor.write(shared, PART.replace("left", "lfet"))
        await editor.until(
            lambda: codes(editor, shared) == ["N101"] and not codes(editor, first) + codes(editor, second)
        )
        editor.write(shared, PART)
        await editor.until(lambda: not [code for uri in (first, second, shared) for code in codes(editor, uri)])

    editing(work)


def test_a_file_that_vanishes_and_comes_back(tmp_path: Path) -> None:
    main, part = folder_of(tmp_path)

    async def work(editor: Editor) -> None:
        uri = editor.open(main)
        await editor.until(lambda: uri in editor.found)
        part.unlink()
        saved = T.DidSaveTextDocumentParams(T.TextDocumentIdentifier(uri))
        editor.client.text_document_did_save(saved)
        await editor.until(lambda: "Y001" in codes(editor, uri))
        part.write_text("define:\n  few: [left == 0\n", encoding="utf-8")  # it cannot be read
        editor.client.text_document_did_save(saved)
        await editor.until(lambda: "Y001" not in codes(editor, uri))
        part.write_text(PART, encoding="utf-8")
        editor.client.text_document_did_save(saved)
        await editor.until(lambda: codes(editor, uri) == [])
        main.unlink()  # the editor still has it
        editor.write(uri, GAME.replace("few", "feww"))
        await editor.until(lambda: codes(editor, uri) == ["N101"])

    editing(work)


LONG = "label: take {n} " + "🌰 орех " * 2_000 + "{wrong}"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("label: take {n}", "label: '🌰🌰 взять {n} и {wrong}'"),
        lambda text: text.replace("label: take {n}", LONG),
        lambda text: text.replace("\n      - if", "\n\t- if"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("then: {win: me}", "then: {win: 🌰}"),
        lambda text: text.replace("\n", "\r"),
    ],
    ids=["crlf", "emoji", "long", "tab", "mark", "nut", "cr"],
)
def test_places_in_unusual_files(tmp_path: Path, change: object) -> None:
    """Findings stand where `check` puts them, in units of UTF-16; nothing that is asked ends the server."""
    main, _ = folder_of(tmp_path)
    assert callable(change)
    text = change(GAME.replace("subtract: {left: n}", "subtract: {lfet: n}"))
    with unsaved({main.resolve(): text.encode()}):
        found = [one for one in check(main, beside=Tests).sorted() if one.span is not None]
    lines = Lines(text.removeprefix("\ufeff"))
    wanted = sorted((*lines.position(span.start), one.code) for one in found for span in one.places)
    assert wanted

    async def work(editor: Editor) -> None:
        uri = editor.open(main, text)

        def told() -> list[tuple[int, int, str]]:
            return sorted((d.range.start.line, d.range.start.character, str(d.code)) for d in editor.found.get(uri, ()))

        await editor.until(lambda: told() == wanted)
        for line, column in ((10, 12), (11, 30), (13, 22), (500, 3)):
            await editor.completed(uri, line, column)
            await editor.hovered(uri, line, column)
            await editor.defined(uri, line, column)

    editing(work)


@pytest.mark.parametrize("at", ["left: n}", "left == 0", "n: 1..", "win: me", "take {n}", "few\n", "else: {"])
def test_a_key_is_answered_with_one_version_worked_out(
    tmp_path: Path, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a word is typed nothing but the version with that word in it is worked out."""
    main, _ = folder_of(tmp_path)
    text = GAME.replace("      - if: few\n", "      - if: left == 0 and few\n")
    project = Project(main)
    project.view()
    worked, whole = list[object](), Project.worked_out

    def noted(self: Project, *args: Any, **named: Any) -> View:
        worked.append(args)
        return whole(self, *args, **named)

    monkeypatch.setattr(Project, "worked_out", noted)
    begin = text.index(at)
    project.write(main, text[: begin + 1] + text[begin + len(at.split(":")[0].split(" ")[0]) :])
    complete(project, main, begin + 1)
    assert len(worked) == 1


@pytest.mark.parametrize("sign", ["\x0c", "\x85", "\u2028", "\x1c"])
def test_what_is_typed_stands_where_the_editor_has_it(tmp_path: Path, sign: str) -> None:
    """Some signs end a line for Python, and for no editor."""
    main, _ = folder_of(tmp_path)
    text = GAME.replace("label: take {n}", f"label: 'take{sign}{{n}}'")
    at = text.index("left: n}")

    async def work(editor: Editor) -> None:
        uri = editor.open(main, text)
        await editor.until(lambda: codes(editor, uri) == ["Y005"])
        line, column = Lines(text).position(at)
        editor.type(uri, line, column, "lfet", 4)
        editor.type(uri, *Lines(text).position(text.index(sign)), " ", 1)
        wrong = Lines(text.replace(sign, " ")).position(at)
        await editor.until(lambda: len(codes(editor, uri)) > 0 and "Y005" not in codes(editor, uri))
        places = [(one.range.start.line, one.range.start.character) for one in editor.found[uri]]
        assert places == [wrong]

    editing(work)


def test_columns_are_counted_in_utf_16_whatever_the_editor_likes_best(tmp_path: Path) -> None:
    """Neovim and Helix would rather have UTF-8; all can do UTF-16."""
    main, _ = folder_of(tmp_path)
    text = GAME.replace("label: take {n}", "label: 'взять 🌰 {wrong} и {n}'")
    liked = [T.PositionEncodingKind.Utf8, T.PositionEncodingKind.Utf32, T.PositionEncodingKind.Utf16]
    capabilities = T.ClientCapabilities(general=T.GeneralClientCapabilities(position_encodings=liked))

    async def work(editor: Editor) -> None:
        uri = editor.open(main, text)
        await editor.until(lambda: bool(codes(editor, uri)))
        line, column = Lines(text).position(text.index("wrong"))
        assert [(d.range.start.line, d.range.start.character) for d in editor.found[uri]] == [(line, column)]
        editor.type(uri, line, column, "n", len("wrong"))
        await editor.until(lambda: not codes(editor, uri))

    assert editing(work, capabilities).encoding == T.PositionEncodingKind.Utf16
