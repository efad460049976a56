"""How long an editor waits for the answers to a key press, in the largest games.

    python tests/bench/keypresses.py                      300 key presses in bastion, outpost and serpent
    python tests/bench/keypresses.py fjords --presses 50

An editor (`tests/lsp_client.py`) deletes the end of a word and types it again, letter by letter, so that the files are
broken most of the time and checks go on beside: names and keys in rules, words in tests, in tables and in texts for
players, one after the other. After each letter it asks for completion, and then, as VS Code does, for the outline, the
hints and the fixes. Between letters it waits about as long as people do, between words now and then so long that the
server begins to tidy up. `wall` is from the key to the answer; `cpu` is what the thread that answers has taken of a
core by then. On a busy machine only `cpu` means something; the load is told. Every key is told of which an answer has
taken more than 100 ms of CPU time; it returns 1 if these are more than one in a hundred.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lsp_client import Editor
from lsprotocol import types as T

from games import PATHS, named
from ruledsl.source.text import Span
from ruledsl.testing.suites import files_of
from ruledsl.workbench.index import Index
from ruledsl.workbench.language import scalars
from ruledsl.workbench.places import Lines
from ruledsl.workbench.project import Project

GAMES = ("bastion", "outpost", "serpent")
PAUSES = (0.06, 0.24)  # seconds between two letters: the shortest and the longest
REST = 2.02  # seconds after every tenth word: the server has just begun to tidy up
SOON = 0.1  # seconds that an answer may take
_PEOPLE = frozenset(["title", "label", "about", "say", "text", "cases", "en", "ru", "log"])
EVERYTHING = T.Range(T.Position(0, 0), T.Position(99_999, 0))


class Watch:
    """What each kind of answer has taken: seconds of the wall clock, and of the thread that answers."""

    def __init__(self, editor: Editor) -> None:
        server = editor.client._server
        assert server is not None, "it was started"
        self.schedule = Path(f"/proc/{server.pid}/task/{server.pid}/schedstat")
        self.taken: dict[str, list[tuple[float, float]]] = {}

    def cpu(self) -> float:
        return int(self.schedule.read_text(encoding="ascii").split()[0]) / 1e9 if self.schedule.exists() else 0.0

    async def answered(self, kind: str, answer: Awaitable[object], begun: tuple[float, float]) -> None:
        await answer
        self.taken.setdefault(kind, []).append((time.monotonic() - begun[0], self.cpu() - begun[1]))


def words_in(main: Path, chance: Random) -> Iterator[tuple[str, Span]]:
    """Words of all sorts in turn, each sort in an order by chance."""
    project = Project(main)
    sorts: dict[str, list[Span]] = {"rules": [], "tests": [], "tables": [], "texts": []}
    for use in project.view().index.uses.values():
        if Path(use.span.file.path).suffix == ".yaml":
            sorts["rules"].append(use.span)
    source = project.view().blueprint
    rules = {Path(part.node.span.file.path).resolve() for part in source.source.parts} if source is not None else set()
    tests = {path.resolve() for path in files_of(main)}
    for path in project.files():
        for scalar, keys in scalars(project.document(path), ()):
            sort = "tests" if path in tests else "rules" if path in rules else "tables"
            if keys[-1:] not in (("test",), ("because",)):
                sorts["texts" if _PEOPLE & {*keys} and sort != "tests" else sort] += _words(scalar.span)
    for sort, spans in sorts.items():
        spans[:] = [span for span in spans if len(span.text) > 3]
        chance.shuffle(spans)
        assert spans or sort != "rules", f"{main}: no words"
    while sorts["rules"]:
        yield from [(sort, spans.pop()) for sort, spans in sorts.items() if spans]


def _words(span: Span) -> Iterator[Span]:
    for word in re.finditer(r"[^\W\d]\w+", span.text):
        yield span.file.span(span.start + word.start(), span.start + word.end())


async def typed(editor: Editor, watch: Watch, uri: str, lines: Lines, span: Span, presses: int, chance: Random) -> int:
    """Types the end of a word again; how many keys were pressed."""
    word = span.text
    kept = max(1, len(word) - presses)
    line, column = lines.position(span.start)
    editor.type(uri, line, column + kept, "", len(word) - kept)
    here = T.TextDocumentIdentifier(uri)
    for at in range(kept, len(word)):
        await asyncio.sleep(chance.uniform(*PAUSES))
        begun = time.monotonic(), watch.cpu()
        editor.type(uri, line, column + at, word[at])
        ask = editor.client
        place = T.Range(T.Position(line, 0), T.Position(line, 200))
        fixes = T.CodeActionParams(here, place, T.CodeActionContext([]))
        await asyncio.gather(
            watch.answered("completion", editor.completed(uri, line, column + at + 1), begun),
            watch.answered("outline", ask.text_document_document_symbol_async(T.DocumentSymbolParams(here)), begun),
            watch.answered("hints", ask.text_document_inlay_hint_async(T.InlayHintParams(here, EVERYTHING)), begun),
            watch.answered("fixes", ask.text_document_code_action_async(fixes), begun),
        )
    return len(word) - kept


async def pressed(main: Path, presses: int, seed: int) -> tuple[dict[str, list[tuple[float, float]]], list[str]]:
    """What the answers have taken, and the keys of which one has taken too long."""
    editor, chance = Editor(), Random(seed)
    await editor.begin()
    watch = Watch(editor)
    uris: dict[Path, str] = {}
    done, late = 0, list[str]()
    for number, (sort, span) in enumerate(words_in(main, chance)):
        path = Path(span.file.path).resolve()
        if path not in uris:
            uris[path] = editor.open(path)
            await asyncio.sleep(REST)  # nobody types at once
        lines = Lines(span.file.text)
        before = done
        done += await typed(editor, watch, uris[path], lines, span, min(4, presses - done), chance)
        taken = list(zip(*(watch.taken[kind][before:] for kind in watch.taken), strict=True))
        for letter, answers in enumerate(taken):
            most = max(cpu for _, cpu in answers)
            if most > SOON:
                late.append(f"  {1000 * most:.0f} ms: {sort}, {path.name}:{span.line} `{span.text}`, key {letter + 1}")
        if chance.random() < 0.5:
            await editor.hovered(uris[path], *lines.position(span.start))
        if number % 10 == 9:
            await asyncio.sleep(REST)
        if done >= presses:
            break
    await editor.end()
    assert editor.logged == [], editor.logged
    return watch.taken, late


def once(main: Path) -> float:
    """CPU seconds that it takes to work the game out, in one configuration: a measure that the load changes alike."""
    project, taken = Project(main), list[float]()
    for _ in range(5):
        begun = time.process_time()
        project.worked_out(Index())
        taken.append(time.process_time() - begun)
    return median(taken)


def shown(kind: str, seconds: list[float]) -> str:
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.9, 0.99, 1)]
    late = sum(one > SOON for one in ordered)
    return f"  {kind:<18} {len(ordered):>5}" + "".join(f"{1000 * one:>8.0f}" for one in at) + f"{late:>8}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--presses", type=int, default=300, help="in all games together")
    parser.add_argument("--seed", type=int, default=22)
    chosen = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds")
    print(f"  {'':<18} {'':>5}{'half':>8}{'90 %':>8}{'99 %':>8}{'most':>8}{'> 100':>8}")
    keys, late = 0, 0
    for game in chosen.games:
        main = {named(path): path for path in PATHS}[game]
        taken, found = asyncio.run(pressed(main, chosen.presses // len(chosen.games), chosen.seed))
        whole = once(main)
        share = median(own for _, own in taken["completion"]) / whole
        print(f"{game}: to work it out {1000 * whole:.0f}; half of the completions take less than {share:.2f} of that")
        for kind, pairs in taken.items():
            print(shown(f"{kind}, wall", [wall for wall, _ in pairs]))
            print(shown(f"{kind}, cpu", [own for _, own in pairs]))
        keys, late = keys + len(taken["completion"]), late + len(found)
        print(*found, sep="\n" if found else "")
    print(f"{late} of {keys} keys took more than {1000 * SOON:.0f} ms of CPU time; load {os.getloadavg()[0]:.1f}")
    return 1 if late > keys / 100 else 0


if __name__ == "__main__":
    sys.exit(main())
