"""The language server: what the editor asks becomes questions to `language.py` and `complete.py`, and back.

Only this file knows pygls and the protocol. A game is the same for all its files that are open; `Project` has their
texts. Diagnostics come from a process of their own (`checking.py`).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial, reduce, wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar

from lsprotocol import types as T
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from ruledsl.memory import is_untidy, search_when_asked, tidied, tidied_wholly
from ruledsl.source.style import styled

from . import language, questions
from .ahead import Disturbed, Patient
from .checking import Checker, Finding, Place
from .complete import Item, complete
from .places import Lines, Position
from .project import Project, home_of
from .questions import Questions
from .renaming import RenameError

PAUSE = 0.05  # seconds without a key before a game is checked
SOON, IDLE, LONG = 0.05, 2.0, 10.0  # seconds without a question: see `Server.tidy_later`
MOST_KEPT = 100  # answers that pygls may keep
SOURCE = "ruledsl"
Answer = TypeVar("Answer")
Handler = TypeVar("Handler", bound=Callable[..., Any])

_ITEMS = {
    "key": T.CompletionItemKind.Property,
    "statement": T.CompletionItemKind.Keyword,
    "member": T.CompletionItemKind.EnumMember,
    "local": T.CompletionItemKind.Variable,
    "name": T.CompletionItemKind.Field,
    "function": T.CompletionItemKind.Function,
    "attribute": T.CompletionItemKind.Property,
    "word": T.CompletionItemKind.Keyword,
}
_SYMBOLS = {
    "section": T.SymbolKind.Namespace,
    "module": T.SymbolKind.Module,
    "formula": T.SymbolKind.Function,
    "effect": T.SymbolKind.Method,
    "action": T.SymbolKind.Method,
    "trigger": T.SymbolKind.Event,
    "type": T.SymbolKind.Enum,
    "kind": T.SymbolKind.Class,
    "value": T.SymbolKind.Variable,
    "attribute": T.SymbolKind.Property,
    "option": T.SymbolKind.Constant,
    "test": T.SymbolKind.Event,
}


# What is answered of files of games alone; to complete words helps to begin one, too.
_OF_GAMES = (
    T.TEXT_DOCUMENT_HOVER,
    T.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    T.TEXT_DOCUMENT_INLAY_HINT,
    T.TEXT_DOCUMENT_CODE_ACTION,
    T.TEXT_DOCUMENT_FORMATTING,
)
MOST_BEGUN = 4  # lines of a file that is about to become a game


class Answers(Protocol):
    """Registers an answer of the protocol; `nothing` is said if it fails."""

    def __call__(self, name: str, options: Any = None, nothing: Any = None) -> Callable[[Handler], Handler]: ...


class AtPlace(Protocol):
    """Whatever is asked about a place."""

    text_document: T.TextDocumentIdentifier
    position: T.Position


class _Protocol(LanguageServerProtocol):
    """Places are counted in UTF-16, as every editor can: pygls would agree to what the editor likes best; Neovim and
    Helix like UTF-8, in which Russian letters are two."""

    @lsp_method(T.INITIALIZE)
    def lsp_initialize(self, params: T.InitializeParams) -> Generator[Any, Any, T.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))


class Server(LanguageServer):
    """The projects that are open, and what was told of them last."""

    def __init__(self, version: str) -> None:
        super().__init__("ruledsl", version, T.TextDocumentSyncKind.Incremental, protocol_cls=_Protocol)
        self.texts: dict[str, str] = {}  # of the open files, as they are in the editor
        self.projects: dict[Path, Project] = {}
        self.numbers: dict[Path, int] = {}  # of the newest texts of each game
        self.findings: dict[Path, list[Finding]] = {}
        self.published: dict[Path, dict[str, list[T.Diagnostic]]] = {}  # by game and file
        self.homes: dict[Path, Path | None] = {}  # of files that are open: the game, if they are of any
        self.loop: asyncio.AbstractEventLoop | None = None
        self.timers: dict[Path, asyncio.TimerHandle] = {}
        self.checker: Checker | None = None
        self.questions = Questions()
        self.later: list[asyncio.TimerHandle] = []  # what is done when nobody has asked anything for a while
        self.typed_in: Path | None = None  # where keys are pressed, as far as that is known
        self.is_asked: Callable[[], bool] = lambda: False  # whether something has come that is not answered yet

    # ------------------------------------------------------------------------------------------------- texts

    def project(self, path: Path) -> Project:
        path = path.resolve()
        main = ((self.homes[path] if path in self.homes else home_of(path)) or path).resolve()
        if main not in self.projects:
            self.projects[main] = Project(main)
            self.projects[main].at_once = True
        return self.projects[main]

    def is_of_game(self, uri: str) -> bool:
        """Whether a file belongs to a game; editors open all sorts of YAML."""
        path = _path(uri).resolve()
        return (self.homes[path] if path in self.homes else home_of(path)) is not None

    async def ask(self, question: Callable[..., Answer], at: AtPlace, *more: str) -> Answer:
        """The answer to a question about a place that may take seconds."""
        project, path, lines = self.at(at.text_document)
        offset = lines.offset(at.position.line, at.position.character)
        return await self.questions.ask(question, project.main, dict(project.open), path, offset, *more)

    def at(self, document: T.TextDocumentIdentifier) -> tuple[Project, Path, Lines]:
        path = _path(document.uri)
        project = self.project(path)
        return project, path, Lines(project.text(path))

    def take(self, uri: str, text: str | None) -> None:
        """The text of a file, as it is in the editor; it is checked after a short pause."""
        path = _path(uri).resolve()
        before, home = self.homes.get(path), home_of(path, text)
        if text is None:
            self.homes.pop(path, None)
        else:
            self.homes[path] = home
        if before is not None and before != home and text is not None:  # it is of another game now, or of none
            if before.resolve() == path:
                self._forget(path)
            elif before.resolve() in self.projects:
                self._write(self.projects[before.resolve()], path, None)
        if home is not None:
            self._write(self.project(path), path, text)
        for project in list(self.projects.values()):  # several games may share a file
            if home is not None and project.main != home.resolve() and project.reads(path):
                self._write(project, path, text)

    def _forget(self, main: Path) -> None:
        """A file is no game any more."""
        if self.projects.pop(main, None) is not None:
            self.numbers[main] = self.numbers.get(main, 0) + 1  # what was found of it comes too late
            self.findings.pop(main, None)
            self._show(main, {})

    def _write(self, project: Project, path: Path, text: str | None) -> None:
        project.write(path, text)
        self.check(project)

    def check(self, project: Project) -> None:
        main = project.main
        self.numbers[main] = self.numbers.get(main, 0) + 1
        self.loop = asyncio.get_running_loop()
        if main in self.timers:
            self.timers[main].cancel()
        self.timers[main] = self.loop.call_later(PAUSE, self._ask, project)

    def _ask(self, project: Project) -> None:
        if self.checker is None:
            self.checker = Checker(self._told)
        self.checker.ask(project.main, self.numbers[project.main], project.open)

    def _told(self, main: Path, number: int, findings: list[Finding] | None) -> None:
        """From the thread of the checker."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._publish, main, number, findings)

    def _publish(self, main: Path, number: int, findings: list[Finding] | None) -> None:
        if number != self.numbers.get(main):
            return  # of texts that have changed since
        if findings is None:
            self.window_log_message(T.LogMessageParams(T.MessageType.Error, f"{main.name} could not be checked"))
            return
        self.findings[main] = findings
        by_file: dict[str, list[T.Diagnostic]] = {str(path): [] for path in self.projects[main].open}
        for one in findings:
            by_file.setdefault(one.place.path, []).append(_diagnostic(one))
            for again in one.again:
                by_file.setdefault(again.path, []).append(_diagnostic(one, again))
        self._show(main, by_file)

    def _show(self, main: Path, by_file: dict[str, list[T.Diagnostic]]) -> None:
        """What is wrong in each file, for all games that it belongs to."""
        before = self.published.get(main, {})
        self.published[main] = {path: found for path, found in by_file.items() if found}
        for path in dict.fromkeys((*by_file, *before)):
            found = [one for own in self.published.values() for one in own.get(path, ())]
            found = [one for at, one in enumerate(found) if one not in found[:at]]  # games may share a file
            self.text_document_publish_diagnostics(
                T.PublishDiagnosticsParams(uris.from_fs_path(path) or "", found, version=None)
            )

    def tidy_later(self) -> None:
        """What can wait is done when nobody waits for an answer: what working out leaves behind is thrown away, and
        what keys will ask for is worked out ahead."""
        self._forget_what_is_done()
        for one in self.later:
            one.cancel()
        soon = 0.0 if is_untidy() else SOON
        in_order = ((soon, self._tidy), (SOON, self._ahead), (IDLE, self._rest), (LONG, self._tidy_wholly))
        self.later = [asyncio.get_running_loop().call_later(*one) for one in in_order]

    def _tidy(self) -> None:
        if is_untidy() or not self.is_asked():
            tidied()

    def _ahead(self) -> None:
        """One more piece of what keys will ask for; a question comes before it, and before the next."""
        path = self.typed_in
        if path is not None and self._done(lambda: self.project(path).ahead(path, self.is_asked)):
            self.later += [asyncio.get_running_loop().call_later(0, one) for one in (self._tidy, self._ahead)]

    def _rest(self) -> None:
        """What is known of the names is brought up to date."""
        for project in self.projects.values():
            self._done(partial(project.view, Patient(self.is_asked)))
        if not self.is_asked():
            tidied(in_a_pause=True)

    def _tidy_wholly(self) -> None:
        if not self.is_asked():
            tidied_wholly()

    def _done(self, work: Callable[[], object]) -> bool:
        """Does what nobody waits for, as long as that is so; whether there may be more of it."""
        try:
            return not self.is_asked() and bool(work())
        except Disturbed:
            return False  # after the answer it is begun again
        except Exception as problem:
            self.failed("working ahead", problem)
            return False

    def _forget_what_is_done(self) -> None:
        """pygls 2.1 keeps two futures of every change of a text for ever: 1.3 KB for each key."""
        kept = self.protocol._request_futures
        if len(kept) > MOST_KEPT:
            for number in [number for number, future in kept.items() if future.done()]:
                del kept[number]

    def failed(self, what: str, problem: Exception) -> None:
        told = f"a bug in ruledsl ({what}): {type(problem).__name__}: {problem}"
        self.window_log_message(T.LogMessageParams(T.MessageType.Error, told))


def _changed(text: str, change: T.TextDocumentContentChangeEvent) -> str:
    """A text after one change. pygls makes it, too, but takes more for line ends than editors do: a form feed."""
    if isinstance(change, T.TextDocumentContentChangeWholeDocument):
        return change.text
    lines, start, end = Lines(text), change.range.start, change.range.end
    return (
        text[: lines.offset(start.line, start.character)] + change.text + text[lines.offset(end.line, end.character) :]
    )


def _path(uri: str) -> Path:
    return Path(uris.to_fs_path(uri) or uri)


def _range(start: Position, end: Position) -> T.Range:
    return T.Range(T.Position(*start), T.Position(*end))


def _of_place(place: Place) -> T.Range:
    return _range(place.start, place.end)


def _location(place: Place) -> T.Location:
    return T.Location(uris.from_fs_path(place.path) or "", _of_place(place))


def _diagnostic(one: Finding, place: Place | None = None) -> T.Diagnostic:
    severe = T.DiagnosticSeverity.Error if one.severity == "error" else T.DiagnosticSeverity.Warning
    related = [T.DiagnosticRelatedInformation(_location(at), note) for at, note in one.notes]
    message = one.message + (f"\n{one.help}" if one.help else "")
    return T.Diagnostic(_of_place(place or one.place), message, severe, one.code, None, SOURCE, None, related or None)


class Heard:
    """The standard input, of which one knows whether something has come that the server has not taken yet."""

    def __init__(self, source: BinaryIO) -> None:
        self.source, self.waits = source, False

    def is_asked(self) -> bool:
        return not self.waits

    def readline(self) -> bytes:
        self.waits = True
        try:
            return self.source.readline()
        finally:
            self.waits = False

    def read(self, size: int) -> bytes:
        return self.source.read(size)


def serve(server: Server) -> None:
    """Answers until the editor says that it is over."""
    heard = Heard(sys.stdin.buffer)
    server.is_asked = heard.is_asked
    server.start_io(heard)  # type: ignore[arg-type]  # of a file only these two are asked


def create(version: str = "0") -> Server:
    """A server with all its answers."""
    server = Server(version)
    search_when_asked()

    def answers(name: str, options: Any = None, nothing: Any = None) -> Callable[[Handler], Handler]:
        """Registers an answer; if it fails, that is logged, and the editor hears of nothing."""

        def keep(answer: Any) -> Any:
            @wraps(answer)
            def whole(params: Any) -> Any:
                if name in _OF_GAMES and not server.is_of_game(params.text_document.uri):
                    return nothing
                try:
                    return answer(params)
                except Exception as problem:
                    server.failed(name, problem)
                    return nothing
                finally:
                    server.tidy_later()

            @wraps(answer)
            async def asked(params: Any) -> Any:
                if not server.is_of_game(params.text_document.uri):
                    return nothing
                try:
                    return await answer(params)
                except Exception as problem:
                    server.failed(name, problem)
                    return nothing

            kept = asked if iscoroutinefunction(answer) else whole
            return server.feature(name, options)(kept) if options is not None else server.feature(name)(kept)

        return keep

    _texts(server, answers)
    _places(server, answers)
    _changes(server, answers)
    return server


def _texts(server: Server, answers: Answers) -> None:
    """Files that are opened, changed, saved and closed."""

    @answers(T.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: T.DidOpenTextDocumentParams) -> None:
        server.texts[params.text_document.uri] = params.text_document.text
        server.take(params.text_document.uri, params.text_document.text)
        if server.is_of_game(params.text_document.uri):
            server.typed_in = _path(params.text_document.uri)
            server.project(server.typed_in).world()  # the first key need not wait for it

    @answers(T.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: T.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.texts[uri] = reduce(_changed, params.content_changes, server.texts.get(uri, ""))
        server.take(uri, server.texts[uri])
        server.typed_in = _path(uri) if server.is_of_game(uri) else None

    @answers(T.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: T.DidSaveTextDocumentParams) -> None:
        if server.is_of_game(params.text_document.uri):
            server.check(server.project(_path(params.text_document.uri)))

    @answers(T.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: T.DidCloseTextDocumentParams) -> None:
        server.texts.pop(params.text_document.uri, None)
        server.take(params.text_document.uri, None)
        if server.typed_in == _path(params.text_document.uri):
            server.typed_in = None

    @server.feature(T.SHUTDOWN)
    def shut_down(params: None) -> None:
        server.questions.close()
        if server.checker is not None:
            server.checker.close()


def _places(server: Server, answers: Answers) -> None:
    """What is asked about a place."""

    @answers(T.TEXT_DOCUMENT_COMPLETION, T.CompletionOptions(trigger_characters=["."]))
    def completed(params: T.CompletionParams) -> T.CompletionList:
        project, path, lines = server.at(params.text_document)
        if not server.is_of_game(params.text_document.uri) and len(lines.starts) > MOST_BEGUN:
            return T.CompletionList(is_incomplete=False, items=[])
        items = complete(project, path, lines.offset(params.position.line, params.position.character))
        return T.CompletionList(is_incomplete=project.is_behind, items=[_item(one) for one in items])

    @answers(T.TEXT_DOCUMENT_HOVER)
    def hovered(params: T.HoverParams) -> T.Hover | None:
        project, path, lines = server.at(params.text_document)
        found = language.hover(project, path, lines.offset(params.position.line, params.position.character))
        if found is None:
            return None
        text, (start, end) = found
        return T.Hover(T.MarkupContent(T.MarkupKind.Markdown, text), _range(*lines.range(start, end)))

    @answers(T.TEXT_DOCUMENT_DEFINITION)
    async def defined(params: T.DefinitionParams) -> T.Location | list[T.Location] | None:
        found = [_location(place) for place in await server.ask(questions.declared, params)]
        return found if len(found) > 1 else next(iter(found), None)

    @answers(T.TEXT_DOCUMENT_REFERENCES, nothing=[])
    async def used(params: T.ReferenceParams) -> list[T.Location]:
        return [_location(place) for place in await server.ask(questions.used, params)]

    @answers(T.TEXT_DOCUMENT_DOCUMENT_SYMBOL, nothing=[])
    def outlined(params: T.DocumentSymbolParams) -> list[T.DocumentSymbol]:
        project, path, lines = server.at(params.text_document)
        return [_symbol(one, lines) for one in language.outline(project, path)]

    @answers(T.TEXT_DOCUMENT_INLAY_HINT, nothing=[])
    def hinted(params: T.InlayHintParams) -> list[T.InlayHint]:
        project, path, lines = server.at(params.text_document)
        found = []
        for offset, text in language.who_sees(project, path):
            position = T.Position(*lines.position(offset))
            if params.range.start.line <= position.line <= params.range.end.line:
                found.append(T.InlayHint(position, text, padding_left=True))
        return found


def _changes(server: Server, answers: Answers) -> None:
    """What changes texts."""

    @answers(T.TEXT_DOCUMENT_CODE_ACTION, nothing=[])
    def fixes(params: T.CodeActionParams) -> list[T.CodeAction]:
        path = _path(params.text_document.uri).resolve()
        found = [one for own in server.findings.values() for one in own]
        return [action for one in found if _touches(one, path, params.range) for action in _actions(one)]

    @answers(T.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepared(params: T.PrepareRenameParams) -> T.Range | None:
        _, _, lines = server.at(params.text_document)
        if not await server.ask(questions.is_name, params):
            return None
        offset = lines.offset(params.position.line, params.position.character)
        return _range(*lines.range(*language.name_at(lines.text, offset)))

    @answers(T.TEXT_DOCUMENT_RENAME)
    async def renamed(params: T.RenameParams) -> T.WorkspaceEdit | None:
        try:
            changes = await server.ask(questions.renamed, params, params.new_name)
        except RenameError as problem:
            server.window_show_message(T.ShowMessageParams(T.MessageType.Warning, str(problem)))
            return None
        return T.WorkspaceEdit(changes=_edits(changes))

    @answers(T.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: T.DocumentFormattingParams) -> list[T.TextEdit]:
        project, path, lines = server.at(params.text_document)
        if project.document(path) is None:
            return []  # it cannot be read, so it stays as it is
        new = styled(lines.text)
        return [T.TextEdit(_range(*lines.range(0, len(lines.text))), new)] if new != lines.text else []


def _item(one: Item) -> T.CompletionItem:
    kind = _ITEMS.get(one.sort, T.CompletionItemKind.Text)
    doc = T.MarkupContent(T.MarkupKind.Markdown, one.doc) if one.doc else None
    return T.CompletionItem(
        one.word,
        kind=kind,
        detail=one.detail or None,
        documentation=doc,
        sort_text=f"{one.rank}{one.word}",
        insert_text=one.insert or one.word,
    )


def _symbol(one: language.Symbol, lines: Lines) -> T.DocumentSymbol:
    kind = _SYMBOLS.get(one.sort, T.SymbolKind.Field)
    whole, name = lines.range(one.span.start, one.span.end), lines.range(one.name_span.start, one.name_span.end)
    inner = [_symbol(part, lines) for part in one.inner]
    return T.DocumentSymbol(one.name or "?", kind, _range(*whole), _range(*name), one.sort, children=inner)


def _touches(one: Finding, path: Path, wanted: T.Range) -> bool:
    places = [place for place in (one.place, *one.again) if Path(place.path) == path]
    return any(place.start[0] <= wanted.end.line and wanted.start.line <= place.end[0] for place in places)


def _actions(one: Finding) -> list[T.CodeAction]:
    """The safe fix of a finding, or a change for each of its suggestions."""
    if one.edits:
        return [_action(one, f"fix: {one.help or one.message}", list(one.edits), preferred=True)]
    return [_action(one, f"change to `{word}`", [(one.place, word)], False) for word in one.suggestions]


def _action(one: Finding, title: str, edits: list[tuple[Place, str]], preferred: bool) -> T.CodeAction:
    return T.CodeAction(
        title.splitlines()[0],
        T.CodeActionKind.QuickFix,
        [_diagnostic(one)],
        is_preferred=preferred,
        edit=T.WorkspaceEdit(changes=_edits(edits)),
    )


def _edits(changes: Iterable[tuple[Place, str]]) -> dict[str, list[T.TextEdit]]:
    found: dict[str, list[T.TextEdit]] = {}
    for place, text in changes:
        found.setdefault(uris.from_fs_path(place.path) or "", []).append(T.TextEdit(_of_place(place), text))
    return found
