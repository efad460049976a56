"""What the checker makes of mutants: whether each is found, on the right line, with the right advice."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import shutil
import signal
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.testing.looking import Tests
from ruledsl.types import Root

from .more import MORE
from .slips import MAKERS as SLIPS
from .text import Maker, Mutant, Text

MAKERS: dict[str, Maker] = {**SLIPS, **MORE}
SECONDS = 20  # of the processor's time for one mutant, whatever else the machine does; more is a hang


@dataclass
class Tally:
    made: int = 0
    counted: int = 0
    found: int = 0
    placed: int = 0
    typos: int = 0
    suggested: int = 0
    crashes: list[tuple[str, Mutant]] = field(default_factory=list)
    missed: list[tuple[str, Mutant, list[Diagnostic]]] = field(default_factory=list)

    @property
    def shares(self) -> tuple[float, float, float]:
        return (
            self.found / max(1, self.counted),
            self.placed / max(1, self.found),
            self.suggested / max(1, self.typos),
        )


# ------------------------------------------------------------------------------------------------ the program


class Dump:
    """A program as one number: names, places in files and texts for people do not count."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=16)
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []

    def add(self, value: Any) -> None:
        if value is None or isinstance(value, (bool, int)):
            self.hash.update((hex(value) if value else repr(value)).encode())
        elif isinstance(value, str):
            self.hash.update(value.encode())
        elif isinstance(value, (Span, C.Words)):
            return
        elif isinstance(value, Root):
            self.hash.update(f"root {value.kind} {value.size}".encode())
        elif isinstance(value, (list, tuple)):
            self.hash.update(b"[")
            for item in value:
                self.add(item)
                self.hash.update(b",")
        elif isinstance(value, dict):
            self.add(sorted(((repr(k), v) for k, v in value.items()), key=lambda pair: pair[0]))
        elif isinstance(value, (set, frozenset)):
            self.add(sorted(value, key=repr))
        elif dataclasses.is_dataclass(value):
            self.add_data(value)
        else:
            self.hash.update(type(value).__name__.encode())

    def add_data(self, value: Any) -> None:
        if id(value) in self.numbers:
            self.hash.update(f"#{self.numbers[id(value)]}".encode())
            return
        self.numbers[id(value)] = len(self.numbers)
        self.kept.append(value)
        self.hash.update(type(value).__name__.encode())
        for one in dataclasses.fields(value):
            if one.name not in ("span", "name", "note", "message", "what", "origin", "label", "words"):
                self.add(getattr(value, one.name))


def fingerprint(path: Path) -> tuple[str, Report]:
    """The programs of a game in a few configurations, as a number; empty if it is refused."""
    report = Report()
    blueprint = pipeline.read(path, report)
    dump = Dump()
    if blueprint is None or report.errors:
        return "", report
    for one in pipeline.configurations(blueprint)[:4]:
        world, program = pipeline.work_out(blueprint, one.players, dict(one.options), report)
        if report.errors > 0:
            return "", report
        dump.add(program.blocks)
        dump.add(program.template)
        dump.add([f.body for f in program.formulas])
        dump.add([(r.kind, r.size) for r in program.roots.values()])
        dump.add([(f.base, f.count, f.width) for f in program.layout.fields])
        dump.add([row.node for row in program.scoring])
        dump.add(program.ties)
        dump.add((program.lowest, program.stakes))
        dump.add([(s.capacity, s.ordered, s.single, s.seen) for s in [program.spots]])
        dump.add(world.players.size)
    return dump.hash.hexdigest(), report


# ------------------------------------------------------------------------------------------------- judging


class Hang(BaseException):
    """A mutant that took too long."""


def _too_long(*_: Any) -> None:
    raise Hang


def findings(path: Path, tests: bool = False) -> list[Diagnostic]:
    """What `check` says; a mutant that takes too long or crashes raises."""
    old = signal.signal(signal.SIGPROF, _too_long) if hasattr(signal, "SIGPROF") else None
    if old is not None:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return pipeline.check(path, beside=Tests if tests else None).sorted()
    finally:
        if old is not None:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, old)


def lines_said(found: list[Diagnostic], name: str) -> set[int]:
    said: set[int] = set()
    for d in found:
        for span in [d.span, *d.more, *(span for span, _ in d.notes)]:
            if span is not None and span.file.path.endswith(name):
                said.add(span.line)
    return said


@dataclass
class Game:
    """A game in a folder of its own, whose files are exchanged for mutants one at a time."""

    main: Path
    texts: list[Text]
    original: str
    before: set[tuple[str, str]]

    @classmethod
    def of(cls, path: Path, folder: Path) -> Game | None:
        """The game with its files; None if it is being written: its own test will say so."""
        place = folder / f"{path.stem}_{abs(hash(path)) % 10**6}"
        if path.is_dir():
            shutil.copytree(path, place)
            main = place / "game.yaml"
        else:
            place.mkdir()
            for beside in path.parent.iterdir():
                if beside.is_file() and (beside.name.split(".")[0] == path.stem or beside.suffix == ".csv"):
                    shutil.copy(beside, place)
            main = place / path.name
        original, _ = fingerprint(main)
        if not original:
            return None
        before = {(d.code, d.message) for d in findings(main, tests=True)}
        files = [file for file in sorted(place.rglob("*")) if file.suffix in (".yaml", ".csv")]
        included = {Path(file.path).resolve() for file in _sources(main)} | {main.resolve()}
        texts = [
            Text(file, main) for file in files if file.resolve() in included or "test" in str(file.relative_to(place))
        ]
        words = {text.path: set(re.findall(r"\w+", text.source)) for text in texts}
        for text in texts:
            text.elsewhere = set().union(*(found for path, found in words.items() if path != text.path))
        return cls(main, texts, original, before)


def _sources(main: Path) -> list[Any]:
    blueprint = pipeline.read(main, Report())
    return blueprint.source.files if blueprint is not None else []


def judge(game: Game, text: Text, mutant: Mutant, tally: Tally) -> None:
    tally.made += 1
    text.path.write_text(mutant.text, encoding="utf-8")
    try:
        _judge(game, text, mutant, tally)
    finally:
        text.path.write_text(text.source, encoding="utf-8")


def _judge(game: Game, text: Text, mutant: Mutant, tally: Tally) -> None:
    try:
        found = [d for d in findings(game.main, mutant.sort == "test") if (d.code, d.message) not in game.before]
    except (Exception, Hang) as crash:
        tally.counted += 1
        tally.crashes.append((f"{type(crash).__name__}: {crash}", mutant))
        return
    if not found:
        if mutant.sure or fingerprint(game.main)[0] != game.original:
            tally.counted += 1
            tally.missed.append(("not found", mutant, found))
        return
    tally.counted += 1
    tally.found += 1
    errors = [d for d in found if d.severity == "error"] or found
    if lines_said(errors, text.path.name) & mutant.lines or _at_a_use(errors, text, mutant):
        tally.placed += 1
    else:
        tally.missed.append(("wrong line", mutant, found))
    if mutant.meant:
        tally.typos += 1
        if any(_advises(d, mutant.meant) for d in errors):
            tally.suggested += 1
        else:
            tally.missed.append(("no suggestion", mutant, found))


def _at_a_use(found: list[Diagnostic], text: Text, mutant: Mutant) -> bool:
    """Whether a name of the game is told where another file uses it."""
    spans = [span for d in found for span in d.places if not span.file.path.endswith(text.path.name)]
    said = {word for span in spans for word in re.findall(r"\w+", span.file.line_text(span.line))}
    return mutant.sort in ("typo in a name", "deleted declaration") and bool(said & {*mutant.meant, mutant.note})


def _advises(found: Diagnostic, meant: frozenset[str]) -> bool:
    """Whether one of the right words is suggested, or stands in the advice (a phrase anywhere in it)."""
    if set(found.suggestions) & meant or any(word.rpartition(".")[2] in meant for word in found.suggestions):
        return True
    return any(f"`{w}" in found.help or (" " in w and w in found.help) or _in(w, found.help) for w in meant)


def _in(word: str, help: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", help) is not None


def run(paths: list[Path], many: int, seed: int, folder: Path, only: str = "") -> dict[str, Tally]:
    """`many` mutants of each class over all files of all games, which are copied into `folder`."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    rng = Random(seed)
    games = [game for path in paths if (game := Game.of(path, folder)) is not None]
    texts = [(game, text) for n in range(max((len(g.texts) for g in games), default=0))
             for game in games for text in game.texts[n : n + 1]]  # fmt: skip
    for sort, maker in MAKERS.items():
        if only and only != sort:
            continue
        fit = [(game, text) for game, text in texts if _is_for(text, sort)]
        tries = 0
        while fit and tallies[sort].made < many and tries < many * 20:
            game, text = fit[tries % len(fit)]
            tries += 1
            try:
                mutant = maker(text, rng)
            except IndexError:  # nothing in this file that such a slip could be made of
                continue
            if mutant is not None and mutant.text != text.source:
                judge(game, text, mutant, tallies[sort])
    return dict(tallies)


def _is_for(text: Text, sort: str) -> bool:
    """Tables are for spreadsheets, and files of tests for slips in tests."""
    if text.path.suffix == ".csv":
        return sort == "spreadsheet"
    alone = ".test." in text.path.name or text.path.parent.name == "tests"
    return sort == "test" if alone else sort != "spreadsheet"


def table(tallies: dict[str, Tally]) -> str:
    lines = [f"{'class':22} {'made':>6} {'counted':>8} {'found':>8} {'line':>8} {'advice':>10}"]
    lines += [_row(sort, t) for sort, t in tallies.items()]
    return "\n".join([*lines, _row("all", whole(tallies))])


def whole(tallies: dict[str, Tally]) -> Tally:
    """All classes together."""
    found = Tally()
    for t in tallies.values():
        for name in ("made", "counted", "found", "placed", "typos", "suggested"):
            setattr(found, name, getattr(found, name) + getattr(t, name))
    return found


def _row(sort: str, t: Tally) -> str:
    found, placed, suggested = t.shares
    shown = f"{suggested:10.1%}" if t.typos else f"{'':10}"
    return f"{sort:22} {t.made:6} {t.counted:8} {found:8.1%} {placed:8.1%} {shown}"


def summary(tallies: dict[str, Tally]) -> str:
    """The mutants that slipped through, most frequent first."""
    said = Counter(f"{sort}: {why}: {m.note}" for sort, t in tallies.items() for why, m, _ in t.missed)
    return "\n".join(f"{n:4} {what}" for what, n in said.most_common(40))
