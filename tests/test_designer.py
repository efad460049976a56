"""Sixty mistakes as designers make them, who are no programmers: what each of them reads, whole.

`designer/slips.yaml` has them as changes of the games beside it; they were written down before anybody looked at what
the checker does with them. A mistake is told at its line, and what is advised works when it is followed.
`designer/guesses.yaml` has first tries at the language besides, in examples that ship; the other lists have slips in
games whose files are more than one, and in tests.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.diagnostics.render import render
from ruledsl.source.document import Map, Scalar, Seq, read_document
from ruledsl.source.text import SourceFile
from ruledsl.testing.looking import Tests

FOLDER = Path(__file__).parent / "designer"
EXAMPLES = Path(__file__).parent.parent / "examples"
GAMES_FOLDER = EXAMPLES.parent / "games"
GAMES = ("harvest", "skis", "garrison", "bazaar", "seance")


@dataclass(frozen=True)
class Slip:
    name: str
    game: str
    file: str
    was: str
    wrong: str
    line: str
    harmless: bool

    def made(self, text: str) -> str:
        assert self.was in text
        return text.replace(self.was, self.wrong)

    def line_number(self, text: str) -> int:
        """The line that has to be named: where the change begins, or the one that is said."""
        before = text.index(self.was) if not self.line else self.made(text).index(self.line)
        shared = next((i for i, (a, b) in enumerate(zip(self.was, self.wrong, strict=False)) if a != b), 0)
        return (self.made(text) if self.line else text)[: before + (0 if self.line else shared)].count("\n") + 1


def _read() -> list[Slip]:
    path = FOLDER / "slips.yaml"
    root = read_document(SourceFile(path.name, path.read_text(encoding="utf-8")), Report())
    assert isinstance(root, Seq)
    found = []
    for item in root.items:
        assert isinstance(item, Map)
        told = {e.key.value: e.value.value for e in item if isinstance(e.value, Scalar)}
        file = told.get("file", f"{told['game']}.yaml")
        found.append(
            Slip(told["slip"], told["game"], file, told["was"], told["is"], told.get("line", ""), "harmless" in told)
        )
    return found


SLIPS = _read()
GUESSES: list[dict[str, str]] = yaml.safe_load((FOLDER / "guesses.yaml").read_text(encoding="utf-8"))


LARGE: list[dict[str, str]] = [
    slip
    for name in (
        "sixty",
        "thirty",
        "ten_games",
        "thirty_more",
        "last_thirty",
        "sixty_more",
        "thirty_again",
        "thirty_last",
        "everywhere",
        "everywhere_again",
        "everywhere_last",
        "forty",
        "thirty_other",
        "thirty_third",
        "thirty_fourth",
    )
    for slip in yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The games, in a folder of their own."""
    for path in FOLDER.iterdir():
        if path.suffix in (".yaml", ".csv"):
            shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(game: str) -> Report:
    return pipeline.check(Path(f"{game}.yaml"), beside=Tests)


def shown(found: list[Diagnostic]) -> str:
    return "\n\n".join(map(render, found)) + "\n"


def test_there_are_sixty() -> None:
    assert len({slip.name for slip in SLIPS}) == 60
    assert [slip.name[:2] for slip in SLIPS] == [f"{n:02}" for n in range(1, 61)]
    assert sum(slip.harmless for slip in SLIPS) <= 1


@pytest.mark.parametrize("game", GAMES)
def test_the_games_are_sound(folder: Path, game: str) -> None:
    report = checked(game)
    assert not report.findings, shown(report.sorted())


@pytest.mark.parametrize("path", sorted((FOLDER / "right").glob("*.yaml")), ids=lambda path: path.stem)
def test_nothing_is_said_of_what_is_right(path: Path) -> None:
    """Small games of kinds that do not ship: a false alarm is worse than silence."""
    report = pipeline.check(path, beside=Tests)
    assert not report.findings, shown(report.sorted())


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_what_a_designer_reads(folder: Path, slip: Slip, golden: Callable[[str, Path], None]) -> None:
    text = (folder / slip.file).read_text(encoding="utf-8")
    (folder / slip.file).write_text(slip.made(text), encoding="utf-8")
    found = checked(slip.game).sorted()
    if slip.harmless:
        assert not found, shown(found)
        return
    golden(shown(found), FOLDER / "told" / f"{slip.name.replace(' ', '_')}.txt")
    (first, *_) = found
    assert first.span is not None
    assert first.help, "there is no advice"
    assert (first.span.file.path, first.span.line) == (slip.file, slip.line_number(text)), shown(found)
    _follow(folder, slip, text, first, found)


@pytest.mark.parametrize("game", sorted({guess["game"] for guess in GUESSES}))
def test_what_is_said_of_first_tries(tmp_path: Path, game: str, golden: Callable[[str, Path], None]) -> None:
    """One slip is told once or twice, at its line, with advice; all that is read of it is kept, a line for each."""
    text = (EXAMPLES / f"{game}.yaml").read_text(encoding="utf-8")
    told = []
    for pictures in EXAMPLES.glob(f"{game}-*/"):
        shutil.copytree(pictures, tmp_path / pictures.name)
    for guess in (guess for guess in GUESSES if guess["game"] == game):
        assert guess["was"] in text, guess
        path = tmp_path / f"{game}.yaml"
        path.write_text(text.replace(guess["was"], guess["is"], 1), encoding="utf-8")
        found = pipeline.check(path).sorted()
        assert 0 < len(found) <= 4, guess
        assert found[0].help, guess
        told.append(guess["is"].strip().replace("\n", " ⏎ "))
        told += [f"    {d.code} {d.message}{f' | {d.help}' if d.help else ''}" for d in found]
    golden("\n".join(told) + "\n", FOLDER / "guesses" / f"{game}.txt")


@pytest.mark.parametrize("game", sorted({slip["game"] for slip in LARGE}))
def test_what_is_said_in_large_games(tmp_path: Path, game: str, golden: Callable[[str, Path], None]) -> None:
    """One slip is told once or twice, with advice, in whatever file it is."""
    alone = EXAMPLES if (EXAMPLES / f"{game}.yaml").is_file() else FOLDER / "right"
    home = next(home for home in (GAMES_FOLDER / game, EXAMPLES / game, alone) if home.is_dir())
    shutil.copytree(home, tmp_path / "game", ignore=shutil.ignore_patterns("tests"))
    main = tmp_path / "game" / ("game.yaml" if home != alone else f"{game}.yaml")
    told = []
    for slip in (slip for slip in LARGE if slip["game"] == game):
        path = main.with_name(slip.get("file", main.name))
        text = path.read_text(encoding="utf-8")
        assert slip["was"] in text, slip
        path.write_text(text.replace(slip["was"], slip["is"], 1), encoding="utf-8")
        found = pipeline.check(main, beside=Tests if ".test." in path.name else None).sorted()
        path.write_text(text, encoding="utf-8")
        if "silent" in slip:
            assert not found, slip
            continue
        if "heap" in slip:
            continue  # told too often still
        assert 0 < len(found) <= 4, slip  # one for each wrong word
        told.append(f"{slip['slip']}: {slip['is'].strip()}".replace("\n", " ⏎ "))
        told += [f"    {d.code} {d.message} | {d.help}" for d in found]
    golden("\n".join(told) + "\n", FOLDER / "guesses" / f"large-{game}.txt")


def _follow(folder: Path, slip: Slip, text: str, first: Diagnostic, found: list[Diagnostic]) -> None:
    """What is suggested, written in place of the wrong word, is no other mistake."""
    if not first.suggestions or first.span is None:
        return
    wrong = slip.made(text)
    start, end = first.span.start, first.span.end
    mended = wrong[:start] + first.suggestions[0] + wrong[end:]
    (folder / slip.file).write_text(mended, encoding="utf-8")
    after = checked(slip.game)
    before = {(d.code, d.message) for d in found if d is not first}
    new = [d for d in after.sorted() if d.severity == "error" and (d.code, d.message) not in before]
    assert not new, f"{render(first)}\n\nfollowed:\n\n{shown(new)}"
