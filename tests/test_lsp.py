"""The language server as an editor meets it: `lsp_client.py` starts it and talks to it over stdio."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsp_client import Editor, changed, editing
from lsprotocol import types as T
from mutator.judge import MAKERS
from mutator.text import Text
from pygls import uris

from games import ROOT
from ruledsl.analysis.show import show
from ruledsl.compiler.pipeline import check
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import load_file
from ruledsl.source.text import Span, as_written
from ruledsl.syntax.copies import HOLE
from ruledsl.testing.looking import Tests
from ruledsl.workbench import language
from ruledsl.workbench.checking import Stale
from ruledsl.workbench.complete import complete
from ruledsl.workbench.index import PLACEHOLDER, Index, Offered, Use, spot
from ruledsl.workbench.places import Lines
from ruledsl.workbench.project import Project, View, game_of
from ruledsl.workbench.renaming import Edits, RenameError, rename
from ruledsl.workbench.server import MOST_KEPT, Server, create

GAME = """\
ruledsl: 1
game: nuts
title: {en: Nuts, ru: "Орехи 🌰"}
players: [hermit, squirrel]
types:
  sort: [hazel, walnut]
places:
  hole: {per: player, seen: owner, holds: nut}
  heap: {holds: nut}
pieces:
  nut: {count: 9}
values:
  left: {is: 0..9, start: 5}
  liked: {is: maybe sort, per: player}
play:
  - turns: players
    do:
      - choose:
          n: 1..min(3, left)
        label: take {n}
        else: {end: game}
      - eat(n)
      - if: left == 0 and me.liked != walnut
        then: {win: me}
effects:
  eat(1..3 n):
    - subtract: {left: n}
"""
FILES = [
    path
    for folder in ("games", "examples")
    for path in sorted((ROOT / folder).rglob("*.yaml"))
    if "schemas" not in path.parts
]


def at(text: str, words: str, inside: int = 0) -> tuple[int, int]:
    """The line and column of the first place of some words, counted from 0."""
    return Lines(text).position(text.index(words) + inside)


@pytest.fixture
def nuts(tmp_path: Path) -> Path:
    path = tmp_path / "nuts.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------------------------- the server


def test_a_session(nuts: Path) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(nuts)
        await editor.until(lambda: uri in editor.found)
        assert [one.message for one in editor.found[uri] if one.severity == T.DiagnosticSeverity.Error] == []

        line, column = at(GAME, "left: n")
        editor.type(uri, line, column, "lfet", 4)
        await editor.until(lambda: any(one.code == "N101" for one in editor.found[uri]))
        slip = next(one for one in editor.found[uri] if one.code == "N101")
        assert (slip.range.start.line, slip.range.start.character) == (line, column)
        (fix,) = await editor.fixes(uri, line)
        assert fix.edit
        assert fix.edit.changes
        typed = GAME.replace("left: n", "lfet: n")
        assert changed(typed, list(fix.edit.changes[uri])) == GAME

        editor.type(uri, line, column, "left", 4)
        await editor.until(lambda: not any(one.code == "N101" for one in editor.found[uri]))

        assert "a number 0..9" in await editor.hovered(uri, *at(GAME, "left == 0", 1))
        assert "smallest" in await editor.hovered(uri, *at(GAME, "min(3", 1))
        assert "Asks a player" in await editor.hovered(uri, *at(GAME, "choose:", 1))
        assert await editor.defined(uri, *at(GAME, "left == 0", 1)) == (uri, *at(GAME, "left: {is"))
        assert await editor.defined(uri, *at(GAME, "eat(n)", 1)) == (uri, *at(GAME, "eat(1..3"))
        assert await editor.defined(uri, *at(GAME, "walnut\n", 1)) == (uri, *at(GAME, "walnut]"))
        wanted = [at(GAME, words) for words in ("left: {is", "left)", "left == 0", "left: n")]
        assert await editor.used(uri, *at(GAME, "left == 0", 1)) == wanted
        wanted = [at(GAME, words, inside) for words, inside in (("n: 1..min", 0), ("{n}", 1), ("eat(n)", 4))]
        assert await editor.used(uri, *at(GAME, "n: 1..min")) == wanted

        edits = await editor.renamed(uri, *at(GAME, "left == 0", 1), "rest")
        renamed = changed(GAME, edits[uri])
        assert renamed == GAME.replace("left", "rest")
        assert await editor.renamed(uri, *at(GAME, "left == 0", 1), "liked") == {}
        assert "does not fit here" in editor.shown[-1]
        assert await editor.renamed(uri, *at(GAME, "left == 0", 1), "no name") == {}

        symbols = await editor.client.text_document_document_symbol_async(
            T.DocumentSymbolParams(T.TextDocumentIdentifier(uri))
        )
        named = {
            one.name: [inner.name for inner in one.children or []]
            for one in symbols or []
            if isinstance(one, T.DocumentSymbol)
        }
        assert named["values"] == ["left", "liked"]
        assert named["effects"] == ["eat"]
        whole = T.Range(T.Position(0, 0), T.Position(99, 0))
        hints = await editor.client.text_document_inlay_hint_async(
            T.InlayHintParams(T.TextDocumentIdentifier(uri), whole)
        )
        assert [(one.position.line, one.label) for one in hints or []] == [
            (at(GAME, "hole")[0], "its owner sees it"),
            (at(GAME, "heap")[0], "all see it"),
            (at(GAME, "left: {is")[0], "all see it"),
            (at(GAME, "liked")[0], "all see it"),
        ]
        editor.write(uri, GAME.replace("start: 5", "start:   5"))
        options = T.FormattingOptions(2, True)
        edits_ = await editor.client.text_document_formatting_async(
            T.DocumentFormattingParams(T.TextDocumentIdentifier(uri), options)
        )
        assert edits_
        assert edits_[0].new_text == GAME
        editor.close(uri)

    editing(work)


@pytest.mark.parametrize(
    ("before", "behind", "wanted", "unwanted"),
    [
        ("      - if: le", "", ["left", "liked", "count"], []),
        ("      - if: me.", "", ["liked", "hole"], ["left"]),
        ("      - if: me.liked == ", "", ["hazel", "walnut"], []),
        ("      - cho", "", ["choose", "if", "eat"], ["turns:"]),
        ("      - if: left == 0\n        th", "", ["then", "else"], ["if", "choose"]),
        ("      - if: any(q in players where q", ")", ["q", "players"], []),
        ("      - if: count(q in players where ", "", ["q", "left"], []),
        ("      - eat(", "", ["n", "left"], []),
        ("      - subtract: {le", "}", ["left"], []),
    ],
)
def test_completion(nuts: Path, before: str, behind: str, wanted: list[str], unwanted: list[str]) -> None:
    head, tail = GAME[: GAME.index("      - if: left")], GAME[GAME.index("effects:") :]
    typed = f"{head}{before}{behind}\n{tail}"
    project = Project(nuts)
    project.write(nuts, typed)
    words = [item.word for item in complete(project, nuts, len(head) + len(before))]
    assert [word for word in wanted if word not in words] == []
    assert [word for word in unwanted if word in words] == []


def test_keys_have_what_they_mean(nuts: Path) -> None:
    typed = GAME.replace("  left: {is: 0..9, start: 5}", "  left:\n    is: 0..9\n    s")
    project = Project(nuts)
    project.write(nuts, typed)
    items = {item.word: item for item in complete(project, nuts, typed.index("    s\n") + 5)}
    assert {"start", "seen", "per", "show"} <= set(items)
    assert "is" not in items
    assert items["seen"].doc.startswith("Who sees it")


# ----------------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.long)])
def test_every_file_of_every_game(every: int) -> None:
    """Whatever file is opened: its outline, hints, and what a word of it means."""
    chance = Random(2)

    async def work(editor: Editor) -> None:
        for path in FILES[::every]:
            uri, text = editor.open(path), path.read_text(encoding="utf-8")
            here = T.TextDocumentIdentifier(uri)
            symbols = await editor.client.text_document_document_symbol_async(T.DocumentSymbolParams(here))
            assert symbols or "symbols" not in text
            whole = T.Range(T.Position(0, 0), T.Position(9999, 0))
            await editor.client.text_document_inlay_hint_async(T.InlayHintParams(here, whole))
            await editor.hovered(uri, *Lines(text).position(chance.randrange(len(text))))
            editor.close(uri)

    editing(work)


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.long)])
def test_diagnostics_are_those_of_check(every: int) -> None:
    async def work(editor: Editor) -> None:
        for main in sorted({game_of(path) for path in FILES})[::every]:
            uri = editor.open(main)
            await editor.until(lambda uri=uri: uri in editor.found)  # type: ignore[misc]
            wanted = [one.message for one in check(main, beside=Tests).sorted()]
            assert [one.message for one in editor.found[uri]] == wanted
            editor.close(uri)

    editing(work)


def broken(many: int, seed: int) -> list[tuple[Path, str]]:
    chance, found = Random(seed), list[tuple[Path, str]]()
    texts = [Text(path, game_of(path)) for path in FILES]
    while len(found) < many:
        text, maker = chance.choice(texts), chance.choice(list(MAKERS.values()))
        try:
            mutant = maker(text, chance)
        except (IndexError, AssertionError):
            continue
        if mutant is not None and mutant.text != text.source:
            cut = mutant.text if chance.random() < 0.7 else mutant.text[: chance.randrange(len(mutant.text))]
            found.append((text.path, cut))
    return found


def told(editor: Editor, uri: str) -> list[tuple[int, int, str]]:
    return sorted((one.range.start.line, one.range.start.character, str(one.code)) for one in editor.found[uri])


@pytest.mark.parametrize(
    ("many", "seed"), [(4, 4), *(pytest.param(50, seed, marks=pytest.mark.long) for seed in range(10))]
)
def test_broken_files_never_end_it(many: int, seed: int) -> None:
    """Whatever is asked of a broken file is answered, and its findings stand where `check` puts them."""
    from ruledsl.source.scan import unsaved

    async def work(editor: Editor) -> None:
        chance = Random(seed)
        for path, text in broken(many, seed):
            uri = editor.open(path, text)
            lines = Lines(text)
            for _ in range(2):
                line, column = lines.position(chance.randrange(len(text) + 1))
                await editor.completed(uri, line, column)
                await editor.hovered(uri, line, column)
                await editor.defined(uri, line, column)
            await editor.client.text_document_document_symbol_async(
                T.DocumentSymbolParams(T.TextDocumentIdentifier(uri))
            )
            main = game_of(path)
            with unsaved({path.resolve(): text.encode()}):
                wanted = [one for one in check(main, beside=Tests).sorted() if one.span is not None]
            own = sorted(
                (*lines.position(span.start), one.code)
                for one in wanted
                for span in map(as_written, one.places)
                if Path(span.file.path).resolve() == path.resolve()
            )
            await editor.until(lambda uri=uri, own=own: uri in editor.found and own == told(editor, uri))  # type: ignore[misc]
            editor.close(uri)
            editor.found.clear()

    editing(work)


MAINS = sorted({game_of(path) for path in FILES})
FEW = [ROOT / "games" / "serpent" / "game.yaml", ROOT / "examples" / "chess.yaml", ROOT / "examples" / "holdem.yaml"]
SMALL = [ROOT / "examples" / name for name in ("brandubh.yaml", "rock-paper-scissors.yaml", "yacht.yaml")]


def is_cuttable(use: Use) -> bool:
    return len(use.span.text) > 2 and use.target.span != use.span and use.span.file.path.endswith(".yaml")


@pytest.mark.parametrize(("mains", "many"), [(FEW, 8), pytest.param(MAINS, 25, marks=pytest.mark.long)])
def test_a_name_that_was_cut_off_is_offered(mains: list[Path], many: int) -> None:
    """In rules and tests, in every configuration."""
    chance, right, missed = Random(5), 0, list[tuple[str, int, str]]()
    for main in mains:
        project = Project(main)
        view = project.whole() if mains is MAINS else project.view()
        names = [use for use in view.index.uses.values() if is_cuttable(use)]
        for use in chance.sample(names, min(many, len(names))):
            path, text = Path(use.span.file.path).resolve(), use.span.file.text
            left = use.span.start + chance.randrange(1, len(use.span.text))
            project.write(path, text[:left] + text[use.span.end :])
            if use.span.text in [item.word for item in complete(project, path, left)]:
                right += 1
            else:
                missed.append((use.span.file.path, use.span.line, use.span.text))
            project.write(path, None)
    assert right >= 0.98 * (right + len(missed)), missed


TESTS = """\
tests:
  - test: a hole
    given: {state: {hermit.liked: hazel}}
    then:
      - moves: [hermit: take 2]
        expect: [left == 3, hermit.liked == hazel, winners]
"""


@pytest.mark.parametrize(
    ("typed", "cut", "wanted"),
    [
        ("hermit.liked == hazel", "hermit.li", "liked"),
        ("hermit.liked == hazel", "he", "hermit"),
        ("== hazel, winners", "== ha", "hazel"),
        ("winners]", "win", "winners"),
        ("{hermit.liked", "{hermit.l", "liked"),
        ("then:\n", "th", "then"),
        ("given", "gi", "given"),
        ("expect", "ex", "expect"),
    ],
)
def test_completion_in_tests(nuts: Path, typed: str, cut: str, wanted: str) -> None:
    """In the configuration of the very test, with its players."""
    path = nuts.with_name("nuts.test.yaml")
    path.write_text(TESTS, encoding="utf-8")
    at, project = TESTS.index(typed), Project(nuts)
    project.write(path, TESTS[:at] + cut + TESTS[at + len(typed) :])
    assert wanted in [item.word for item in complete(project, path, at + len(cut))]


@pytest.mark.parametrize("many", [4, pytest.param(12, marks=pytest.mark.long)])
def test_what_somebody_waits_for_is_worked_out_first_and_alike(many: int) -> None:
    """Whatever was left out because nobody waits for it: the same may stand there, and the same is wanted."""
    chance = Random(many)
    for main in FEW[1:] if many < 5 else MAINS:
        project = Project(main)
        names = [use for use in project.view().index.uses.values() if is_cuttable(use)]
        for use in chance.sample(names, min(many, len(names))):
            path, text = Path(use.span.file.path).resolve(), use.span.file.text
            typed = {path: text[: use.span.start] + PLACEHOLDER + text[use.span.end :]}
            first, wholly = Index(up_to_placeholder=True), Index()
            for index in (first, wholly):
                project.worked_out(index, typed, at=(path, use.span.start))
            assert (first.offered is None) == (wholly.offered is None)
            if first.offered is not None and wholly.offered is not None:
                assert shown(first.offered) == shown(wholly.offered), (use.span.text, use.span.line)


def shown(offered: Offered) -> tuple[object, ...]:
    """The types of the names themselves may differ: code of a row is worked out for each type that has it."""
    return set(offered.locals), offered.want and show(offered.want), offered.of_name


def test_a_word_is_answered_once_while_it_is_typed(nuts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, at = Project(nuts), GAME.index("left == 0")
    project.world()
    worked, ever = list[object](), project.worked_out

    def counted(*args: Any, **more: Any) -> View:
        worked.append(args)
        return ever(*args, **more)

    monkeypatch.setattr(project, "worked_out", counted)
    for letters in ("l", "le", "lef"):
        project.write(nuts, GAME[:at] + letters + GAME[at + 4 :])
        assert "left" in [item.word for item in complete(project, nuts, at + len(letters))]
    assert len(worked) == 1
    project.write(nuts, GAME[:at].replace("left:", "rest:") + "le" + GAME[at + 4 :])
    assert "rest" in [item.word for item in complete(project, nuts, at + 2)]


def test_a_file_that_is_written_beside_is_known(tmp_path: Path) -> None:
    """An included file that is not open changes on disk: the same place is answered anew."""
    main, part = tmp_path / "nuts.yaml", tmp_path / "part.yaml"
    text = GAME.replace("values:\n", "include: [part.yaml]\nvalues:\n")
    main.write_text(text, encoding="utf-8")
    part.write_text("define:\n  few: left < 3\n", encoding="utf-8")
    project, at = Project(main), text.index("left == 0")
    project.write(main, text)
    assert "few" in [item.word for item in complete(project, main, at + 4)]
    part.write_text("define:\n  many: left > 5\n", encoding="utf-8")
    words = [item.word for item in complete(project, main, at + 4)]
    assert "many" in words
    assert "few" not in words
    assert "many" in {one.name for one in language.declarations(project)}


def test_what_is_behind_the_place_is_offered_too(nuts: Path) -> None:
    """Completion stops where it knows what fits; names that are declared further down come from the version before."""
    typed = GAME.replace("heap: {holds: nut}", "heap: {holds: nut, seen: l}")
    project = Project(nuts)
    project.view()
    project.write(nuts, typed)
    assert "left" in [item.word for item in complete(project, nuts, typed.index("seen: l}") + 7)]


def test_a_file_that_did_not_change_is_not_read_again(nuts: Path) -> None:
    project = Project(nuts)
    with project.as_open():
        first = load_file(nuts, Report())
        assert load_file(nuts, Report()) is first
    with project.as_open({nuts.resolve(): GAME + "#"}):
        assert load_file(nuts, Report()) is not first
    with project.as_open({nuts.resolve(): GAME + "a: ["}):
        for _ in range(2):  # what is wrong is told each time
            report = Report()
            load_file(nuts, report)
            assert report.errors == 1
    assert load_file(nuts, Report()) is not load_file(nuts, Report())


def test_a_check_stops_when_nobody_needs_it(nuts: Path) -> None:
    asked = list[int]()

    def going_on() -> None:
        asked.append(1)
        if len(asked) == 2:
            raise Stale

    project = Project(nuts)
    with pytest.raises(Stale):
        project.check(going_on)
    assert project.check(lambda: None) == project.check()


def test_a_place_in_a_version_before(nuts: Path) -> None:
    """What is asked of a broken text is looked up in the last sound one, where it stood then."""
    project = Project(nuts)
    project.write(nuts, GAME)
    project.view()
    typed = GAME.replace("label: take {n}", "label: take some {n} (")
    project.write(nuts, typed.replace("- subtract: {left", "- subtract: {{left"))
    text = project.text(nuts)
    assert [text[one.start : one.end] for one in language.uses(project, nuts, text.index("left == 0"))] != []
    hovered = language.hover(project, nuts, text.index("left == 0") + 1)
    assert hovered is not None
    assert "a number 0..9" in hovered[0]


def is_pattern(span: Span) -> bool:
    """Whether a name has `<rune>` and such in it: there it is several names."""
    return HOLE.search(span.text) is not None


def named(project: Project) -> dict[str, list[Span]]:
    """Where everything is named that a game declares or binds, by its sort."""
    found: dict[str, list[Span]] = {}
    for one in language.declarations(project):
        if one.sort not in ("test", "section"):
            found.setdefault(one.sort.partition(" of ")[0], []).append(one.name_span)
    for use in project.whole().index.uses.values():
        if use.target.sort == "local" and use.target.span is not None:
            found.setdefault("local", []).append(use.span)
    return found


def with_edits(project: Project, edits: Edits) -> dict[Path, str]:
    changed = {}
    for path, own in edits.items():
        text = project.text(path)
        for span, word in sorted(own, key=lambda edit: -edit[0].start):
            text = text[: span.start] + word + text[span.end :]
        changed[path] = text
    return changed


@pytest.mark.parametrize(
    ("mains", "many"), [(FEW[1:2], 1), *(pytest.param([one], 2, marks=pytest.mark.long) for one in MAINS)]
)
def test_another_name_there_and_back(mains: list[Path], many: int) -> None:
    """Whatever gets another name: nothing is wrong with the game then, and with the old name it is as it was."""
    chance, done, refused = Random(11), 0, list[str]()
    for main in mains:
        project = Project(main)
        wanted = [one.code for one in project.check()]
        for sort, names in sorted(named(project).items()):
            for span in chance.sample(names, min(many, len(names))):
                file = Path(span.file.path).resolve()
                try:
                    edits = rename(project, file, span.start, "othername")
                except RenameError as problem:
                    refused.append(f"{sort} {span.text} ({span.file.path}:{span.line}): {problem}")
                    continue
                done += 1
                other = Project(main)
                other.open = with_edits(project, edits)
                assert [one.code for one in other.check()] == wanted
                longer = sum(one.start < span.start for one, _ in edits[file]) * (len("othername") - len(span.text))
                again = with_edits(other, rename(other, file, span.start + longer, span.text))
                assert {path: again.get(path, text) for path, text in other.open.items()} == {
                    path: project.text(path) for path in other.open
                }
    assert len(refused) <= 0.1 * (done + len(refused)), refused


NEAR = """\
ruledsl: 1
game: nuts
title: {en: Nuts}
players: [hermit, squirrel]
values:
  far: {is: 0..9, start: 5}
  near: {is: 0..9}
play:
  - turns: players
    do:
      - choose:
          n: 1..9
        where: good(n) and better(n)
        label: take {n}
        else: {end: game}
      - set: {far: 1, near: 2}
define:
  good(1..9 k): k + 1 < far + 3
  better(1..9 near): near < far
"""


@pytest.mark.parametrize(
    ("words", "new", "is_fine"),
    [
        ("far + 3", "k", False),
        ("k + 1", "far", False),
        ("near < far", "far", False),
        ("far: {", "near", False),
        ("near < far", "k", True),
        ("k + 1", "near", True),
        ("n: 1..9", "k", True),
        ("far + 3", "n", False),
    ],
)
def test_another_name_catches_nothing(tmp_path: Path, words: str, new: str, is_fine: bool) -> None:
    path = tmp_path / "nuts.yaml"
    path.write_text(NEAR, encoding="utf-8")
    project = Project(path)
    assert not project.check()
    if is_fine:
        assert rename(project, path, NEAR.index(words), new)
    else:
        with pytest.raises(RenameError):
            rename(project, path, NEAR.index(words), new)


@pytest.mark.parametrize(("mains", "many"), [(SMALL, 6), pytest.param(MAINS, 12, marks=pytest.mark.long)])
def test_a_name_from_nearby_is_refused_or_changes_nothing(mains: list[Path], many: int) -> None:
    """Whatever gets a name that something around it has: every name leads where it led before, or it is refused."""
    chance = Random(many)
    for main in mains:
        project = Project(main)
        before = bindings(project, {})
        uses = [use for use in project.whole().index.uses.values() if use.target.span is not None]
        pairs = [(one, other) for one in uses for other in uses if is_beside(one, other)]
        for pair in chance.sample(pairs, min(many, len(pairs))):
            one, other = chance.sample(pair, 2)
            span, new = one.span, other.span.text
            try:
                edits = rename(project, Path(span.file.path).resolve(), span.start, new)
            except RenameError:
                continue
            after = Project(main)
            after.open = with_edits(project, edits)
            assert bindings(after, edits) == before, (span.text, new, span.file.path, span.line)


def is_beside(one: Use, other: Use) -> bool:
    """Whether the name of a rule and another could be taken for each other: next to each other, their types alike."""
    if one.target.sort != "local" or other.target.sort == "local":
        return False
    near = one.span.file is other.span.file and abs(one.span.line - other.span.line) < 2
    return near and type(one.type) is type(other.type) and one.span.text != other.span.text


def bindings(project: Project, edits: Edits) -> dict[tuple[str, int], tuple[str, object]]:
    """Where every name that was worked out is declared, by where it stands; both as they were before some changes."""
    changes = {str(path): own for path, own in edits.items()}

    def was(span: Span) -> tuple[str, int]:
        path, at = spot(span)
        for edit, new in changes.get(path, ()):  # in their order
            if edit.start < at:
                at -= len(new) - len(edit.text)
        return path, at

    uses = project.whole().index.uses.values()
    return {was(use.span): (use.target.sort, use.target.span and was(use.target.span)) for use in uses}


@pytest.mark.parametrize(
    "mains", [[ROOT / "examples" / "gem-traders" / "game.yaml"], pytest.param(MAINS, marks=pytest.mark.long)]
)
def test_what_is_noted_of_a_place_is_written_there(mains: list[Path]) -> None:
    """Names that are made for what is written hide none: `show: points` speaks of the points of this card."""
    for main in mains:
        for use in Project(main).whole().index.uses.values():
            assert use.reads == use.target.name, use


def test_an_attribute_is_that_of_its_kind(tmp_path: Path) -> None:
    """Several kinds may have one of a name, and a value may have it, too."""
    path = tmp_path / "game.yaml"
    path.write_text(
        "ruledsl: 1\ngame: den\nplayers: 2\npieces:\n"
        "  fox:\n    attributes: {weight: 0..9}\n    rows:\n      - {name: rex, weight: 3}\n"
        "  hare:\n    attributes: {weight: 0..5}\n    rows:\n      - {name: max, weight: 2}\n"
        "values:\n  weight: 0..9\n"
        "define:\n  quick(fox f): f.weight < 3\n  slow(hare h): h.weight > 3\n  late: weight > 3\n"
        "play:\n  - end: game\n",
        encoding="utf-8",
    )
    project, text = Project(path), path.read_text(encoding="utf-8")
    fox, hare = text.index("weight: 0..9}"), text.index("weight: 0..5")
    at = {word: text.index(word) + word.index("weight") for word in ("f.weight", "h.weight", "late: weight")}
    found = {word: language.declaration(project, path, start) for word, start in at.items()}
    places = {word: span.start for word, span in found.items() if span is not None}
    assert places == {"f.weight": fox, "h.weight": hare, "late: weight": text.index("weight: 0..9\n")}
    assert {one.start for one in language.uses(project, path, hare)} == {fox, hare, at["f.weight"], at["h.weight"]}
    for row, wanted in (("rex, weight", fox), ("max, weight", hare)):
        declared = language.declaration(project, path, text.index(row) + len(row) - 2)
        assert declared is not None
        assert declared.start == wanted


def test_what_is_shown_of_a_card_is_its_attribute() -> None:
    main = ROOT / "examples" / "gem-traders" / "game.yaml"
    text = main.read_text(encoding="utf-8")
    shown, project = text.index("- points\n") + len("- "), Project(main)
    declared = language.declaration(project, main, shown)
    assert declared is not None
    assert declared.start == text.index("points: 0..")
    assert spot(declared) in {spot(one) for one in language.uses(project, main, shown)}


@pytest.mark.parametrize(("mains", "many"), [(FEW[1:], 4), pytest.param(MAINS, 20, marks=pytest.mark.long)])
def test_what_is_used_is_declared_once(mains: list[Path], many: int) -> None:
    """Every use of something leads to the place where it is declared, and that is one of the uses."""
    chance = Random(many)
    for main in mains:
        project = Project(main)
        for names in named(project).values():
            for span in chance.sample(names, min(many // 4, len(names))):
                found = language.uses(project, Path(span.file.path), span.start)
                places = {spot(one) for one in found}
                assert spot(span) in places
                for use in chance.sample(found, min(3, len(found))):
                    declared = language.declared_at(project, Path(use.file.path), use.start)
                    assert declared, use
                    assert places & {spot(one) for one in declared}, (use, declared)


def test_places_in_units_of_utf_16() -> None:
    text = "a: 🌰x\r\nb: ё\n"
    lines = Lines(text)
    assert [lines.position(text.index(word)) for word in ("🌰", "x", "b", "ё")] == [(0, 3), (0, 5), (1, 0), (1, 3)]
    for offset in range(len(text)):
        if text[offset] != "\n" or text[offset - 1] != "\r":
            assert lines.offset(*lines.position(offset)) == offset
    assert lines.offset(9, 9) == len(text)
    assert lines.offset(0, 99) == text.index("\r")


@pytest.mark.parametrize("many", [1_500, pytest.param(10_000, marks=pytest.mark.long)])
def test_edits_take_no_more_memory(many: int) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("memory is read from /proc")
    path = ROOT / "games" / "fjords" / "game.yaml"
    text = path.read_text(encoding="utf-8")

    async def work(editor: Editor) -> None:
        uri = editor.open(path)
        memory = Path(f"/proc/{editor.client._server.pid}/statm")  # type: ignore[union-attr]
        sizes = []
        for number in range(many):
            editor.type(uri, 0, 0, "#", 0) if number % 2 == 0 else editor.type(uri, 0, 0, "", 1)
            if number % 250 == 249:
                await editor.completed(uri, *at(text, "count(v in", 2))
                sizes.append(int(memory.read_text(encoding="ascii").split()[1]))
        assert sizes[-1] < 1.08 * sizes[2], sizes

    editing(work)


def test_what_was_answered_is_not_kept(nuts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pygls keeps what became of each change; the server throws it away."""
    monkeypatch.setattr("ruledsl.workbench.server.search_when_asked", lambda: None)
    server, uri = create(), nuts.as_uri()
    kept = server.protocol._request_futures
    for number in range(3 * MOST_KEPT):
        done: Future[None] = Future()
        done.set_result(None)
        kept[number] = done
    kept["asked"] = Future()
    asyncio.run(opened(server, uri))
    assert list(kept) == ["asked"]


def test_pygls_keeps_what_is_thrown_away() -> None:
    """If this fails with another pygls, see whether it still keeps futures, and where; pyproject says which it was."""
    server = create()
    kept = getattr(server.protocol, "_request_futures", None)
    assert isinstance(kept, dict), "pygls has no `_request_futures` any more"
    server.protocol._handle_notification(T.SET_TRACE, T.SetTraceParams(T.TraceValue.Off))
    assert [future.done() for future in kept.values()] == [True], "another pygls keeps something else"


async def opened(server: Server, uri: str) -> None:
    document = T.TextDocumentItem(uri, "yaml", 1, GAME)
    server.protocol.fm.features[T.TEXT_DOCUMENT_DID_OPEN](T.DidOpenTextDocumentParams(document))
    for one in [*server.later, *server.timers.values()]:
        one.cancel()


def test_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    from ruledsl.cli.main import main

    monkeypatch.setitem(sys.modules, "ruledsl.workbench.server", None)
    assert main(["lsp"]) == 2
    assert "`lsp` needs the extra `lsp`; install it with: " in capsys.readouterr().err
    assert uris.to_fs_path("file:///a/b%20c.yaml") == "/a/b c.yaml"
