"""An editor without a screen: it starts `ruledsl lsp`, talks to it over stdio, and remembers what it is told."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from lsprotocol import types as T
from pygls import uris
from pygls.lsp._base_client import BaseLanguageClient

from games import ROOT

SECONDS = 60.0


class Editor:
    """Opens files, types in them, asks."""

    def __init__(self) -> None:
        self.client = BaseLanguageClient("test", "1")
        self.found: dict[str, list[T.Diagnostic]] = {}
        self.told = 0  # how often something was told of a file
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.versions: dict[str, int] = {}
        self.encoding: T.PositionEncodingKind | str | None = None  # in which columns are counted

        def take(params: T.PublishDiagnosticsParams) -> None:
            self.found[params.uri] = list(params.diagnostics)
            self.told += 1

        def log(params: T.LogMessageParams) -> None:
            self.logged.append(params.message)

        def show(params: T.ShowMessageParams) -> None:
            self.shown.append(params.message)

        feature: Callable[[str], Callable[[Callable[[Any], None]], object]] = self.client.feature
        feature(T.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(take)
        feature(T.WINDOW_LOG_MESSAGE)(log)
        feature(T.WINDOW_SHOW_MESSAGE)(show)

    async def begin(self, capabilities: T.ClientCapabilities | None = None) -> T.InitializeResult:
        await self.client.start_io(sys.executable, "-m", "ruledsl", "lsp", cwd=ROOT)
        result = await self.client.initialize_async(
            T.InitializeParams(capabilities or T.ClientCapabilities(), process_id=None)
        )
        self.encoding = result.capabilities.position_encoding
        self.client.initialized(T.InitializedParams())
        return result

    async def end(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        stop: Callable[[], Awaitable[None]] = self.client.stop
        await stop()

    # ------------------------------------------------------------------------------------------------- texts

    def open(self, path: Path, text: str | None = None) -> str:
        uri = uris.from_fs_path(str(path.resolve())) or ""
        self.versions[uri] = 1
        written = path.read_text(encoding="utf-8") if text is None else text
        item = T.TextDocumentItem(uri, "yaml", 1, written)
        self.client.text_document_did_open(T.DidOpenTextDocumentParams(item))
        return uri

    def write(self, uri: str, text: str) -> None:
        self.versions[uri] += 1
        version = T.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        change = T.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(T.DidChangeTextDocumentParams(version, [change]))

    def type(self, uri: str, line: int, column: int, text: str, over: int = 0) -> None:
        """Writes over so many letters."""
        self.versions[uri] += 1
        version = T.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        place = T.Range(T.Position(line, column), T.Position(line, column + over))
        change = T.TextDocumentContentChangePartial(place, text)
        self.client.text_document_did_change(T.DidChangeTextDocumentParams(version, [change]))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(T.DidCloseTextDocumentParams(T.TextDocumentIdentifier(uri)))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits for what the server tells by itself."""
        begun = time.monotonic()
        while not holds():
            assert time.monotonic() - begun < SECONDS, (self.found, self.logged)
            await asyncio.sleep(0.01)

    # ----------------------------------------------------------------------------------------------- asking

    async def completed(self, uri: str, line: int, column: int) -> dict[str, T.CompletionItem]:
        at = T.CompletionParams(T.TextDocumentIdentifier(uri), T.Position(line, column))
        found = await self.client.text_document_completion_async(at)
        assert isinstance(found, T.CompletionList)
        return {item.label: item for item in found.items}

    async def hovered(self, uri: str, line: int, column: int) -> str:
        at = T.HoverParams(T.TextDocumentIdentifier(uri), T.Position(line, column))
        found = await self.client.text_document_hover_async(at)
        return found.contents.value if found is not None and isinstance(found.contents, T.MarkupContent) else ""

    async def defined(self, uri: str, line: int, column: int) -> tuple[str, int, int] | None:
        at = T.DefinitionParams(T.TextDocumentIdentifier(uri), T.Position(line, column))
        found = await self.client.text_document_definition_async(at)
        if not isinstance(found, T.Location):
            return None
        return found.uri, found.range.start.line, found.range.start.character

    async def used(self, uri: str, line: int, column: int) -> list[tuple[int, int]]:
        context = T.ReferenceContext(include_declaration=True)
        at = T.ReferenceParams(context, T.TextDocumentIdentifier(uri), T.Position(line, column))
        found = await self.client.text_document_references_async(at)
        return [(one.range.start.line, one.range.start.character) for one in found or []]

    async def renamed(self, uri: str, line: int, column: int, new: str) -> dict[str, list[T.TextEdit]]:
        at = T.RenameParams(T.TextDocumentIdentifier(uri), T.Position(line, column), new)
        found = await self.client.text_document_rename_async(at)
        return {uri: list(edits) for uri, edits in (found.changes or {}).items()} if found is not None else {}

    async def fixes(self, uri: str, line: int) -> list[T.CodeAction]:
        place = T.Range(T.Position(line, 0), T.Position(line, 200))
        asked = T.CodeActionParams(T.TextDocumentIdentifier(uri), place, T.CodeActionContext([]))
        found = await self.client.text_document_code_action_async(asked)
        return [one for one in found or [] if isinstance(one, T.CodeAction)]


def editing(
    work: Callable[[Editor], Coroutine[Any, Any, None]], capabilities: T.ClientCapabilities | None = None
) -> Editor:
    """Does something in an editor of its own, and ends it; nothing may have been complained of."""

    async def whole() -> Editor:
        editor = Editor()
        await editor.begin(capabilities)
        try:
            await asyncio.wait_for(work(editor), 10 * SECONDS)
        finally:
            await editor.end()
        return editor

    editor = asyncio.run(whole())
    assert editor.logged == []
    return editor


def changed(text: str, edits: list[T.TextEdit]) -> str:
    """A text after edits of an editor; the tests have no letters beyond UTF-16's first plane here."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda one: (-one.range.start.line, -one.range.start.character)):
        start = starts[edit.range.start.line] + edit.range.start.character
        end = starts[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text
