"""How long an editor waits for the answers to a key press, in the largest games.

    python tests/bench/keypresses.py                      300 key presses in bastion, outpost and serpent
    python tests/bench/keypresses.py fjords --presses 50

An editor (`tests/lsp_client.py`) deletes the end of a name and types it again, letter by letter, so that the files are
broken most of the time and checks go on beside. After each letter it asks for completion, and then, as VS Code does,
for the outline, the hints and the fixes. `wall` is from the key to the answer; `cpu` is what the thread that answers
has taken of a core by then. On a busy machine only `cpu` means something; the load is told. It returns 1 if the CPU
time of more than one answer in a hundred is above 100 ms.
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

from games import ROOT
from ruledsl.source.document import Node
from ruledsl.source.text import Span
from ruledsl.testing.suites import files_of
from ruledsl.workbench.index import Index
from ruledsl.workbench.language import scalars
from ruledsl.workbench.places import Lines
from ruledsl.workbench.project import Project

GAMES = ("bastion", "outpost", "serpent")
PAUSE = 0.15  # seconds between two letters
SOON = 0.1  # seconds that an answer may take
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


def names_in(main: Path, chance: Random) -> Iterator[Span]:
    """Names in the rules, and every fifth time a word in a test, in an order by chance."""
    project = Project(main)
    names = [use.span for use in project.view().index.uses.values() if Path(use.span.file.path).suffix == ".yaml"]
    words = [word for path in files_of(main) for word in words_in(path, project.document(path))]
    for spans in (names, words):
        spans[:] = [span for span in spans if len(span.text) > 3]
        chance.shuffle(spans)
    while names:
        yield from names[:4]
        del names[:4]
        if words:
            yield words.pop()


def words_in(path: Path, tests: Node | None) -> Iterator[Span]:
    """Words of tests that are not for people."""
    for scalar, keys in scalars(tests, ()):
        for word in re.finditer(r"[^\W\d]\w+", scalar.span.text) if keys[-1:] not in (("test",), ("because",)) else ():
            yield scalar.span.file.span(scalar.span.start + word.start(), scalar.span.start + word.end())


async def typed(editor: Editor, watch: Watch, uri: str, lines: Lines, span: Span, presses: int) -> int:
    """Types the end of a name again; how many keys were pressed."""
    word = span.text
    kept = max(1, len(word) - presses)
    line, column = lines.position(span.start)
    editor.type(uri, line, column + kept, "", len(word) - kept)
    here = T.TextDocumentIdentifier(uri)
    for at in range(kept, len(word)):
        await asyncio.sleep(PAUSE)
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


async def pressed(game: str, presses: int, seed: int) -> dict[str, list[tuple[float, float]]]:
    main = ROOT / "games" / game / "game.yaml"
    editor, chance = Editor(), Random(seed)
    await editor.begin()
    watch = Watch(editor)
    uris: dict[Path, str] = {}
    done = 0
    for span in names_in(main, chance):
        path = Path(span.file.path).resolve()
        if path not in uris:
            uris[path] = editor.open(path)
        done += await typed(editor, watch, uris[path], Lines(span.file.text), span, min(4, presses - done))
        await editor.hovered(uris[path], *Lines(span.file.text).position(span.start))
        if done >= presses:
            break
    await editor.end()
    assert editor.logged == [], editor.logged
    return watch.taken


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
    cpu: list[float] = []
    for game in chosen.games:
        taken = asyncio.run(pressed(game, chosen.presses // len(chosen.games), chosen.seed))
        whole = once(ROOT / "games" / game / "game.yaml")
        share = median(own for _, own in taken["completion"]) / whole
        print(f"{game}: to work it out {1000 * whole:.0f}; half of the completions take less than {share:.2f} of that")
        for kind, pairs in taken.items():
            print(shown(f"{kind}, wall", [wall for wall, _ in pairs]))
            print(shown(f"{kind}, cpu", [own for _, own in pairs]))
            cpu += [own for _, own in pairs]
    print(f"load {os.getloadavg()[0]:.1f}")
    return 1 if sum(one > SOON for one in cpu) > len(cpu) / 100 else 0


if __name__ == "__main__":
    sys.exit(main())
