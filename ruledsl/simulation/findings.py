"""What a simulation found, in the words of the game: what the text and the page are both written from."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import chain
from pathlib import Path
from typing import Any

from ruledsl import started
from ruledsl.analysis.names import BoardInfo, PlaceInfo
from ruledsl.compiler.lints import reachable
from ruledsl.engine.batch import BESIDE, DECISIONS, MOST_OPTIONS, ROUNDS, TURNS, Shape, play_seed, root_of
from ruledsl.engine.machine import Machine
from ruledsl.engine.options import DONE, NOTHING, STOP
from ruledsl.ir import core as C
from ruledsl.ir.core import SCORED, TIED, WON
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured, Game
from ruledsl.runtime.view import Viewer
from ruledsl.runtime.words import Words
from ruledsl.source.text import Span
from ruledsl.types import BagOf, Elem, ListOf, Root, SetOf, bits

from .digest import Digest, Fault
from .run import Result
from .statistics import Measure, Share, measure, share
from .words import TEXTS, Speech
from .work import RANDOM


@dataclass(frozen=True)
class Tally:
    """How often something happened."""

    label: str
    times: int
    place: str = ""  # `file:line`, where the label alone does not tell


@dataclass(frozen=True)
class Members:
    """How often each member of a finite set was chosen."""

    label: str
    root: Root
    counts: list[int]  # by member
    tallies: list[Tally]  # of those that can be chosen; pieces that nothing tells apart together

    @property
    def times(self) -> int:
        return sum(tally.times for tally in self.tallies)


@dataclass(frozen=True)
class Lying:
    """Where the pieces of a kind were at the end of plays."""

    label: str
    pieces: int
    places: list[str]  # where any of them was
    rows: list[tuple[str, list[int]]]  # a piece, or pieces that nothing tells apart; how often in each place

    @property
    def total(self) -> list[int]:
        return [sum(times[at] for _, times in self.rows) for at in range(len(self.places))]

    @property
    def always(self) -> list[tuple[str, list[str]]]:
        """What was always in the same place, unlike most of its kind."""
        found = [(place, [one for one, n in self.rows if n[at] == sum(n)]) for at, place in enumerate(self.places)]
        return [(place, ones) for place, ones in found if 0 < len(ones) <= len(self.rows) / 2]


@dataclass(frozen=True)
class Spread:
    """A number of each play, by its name."""

    label: str
    measure: Measure
    values: Counter[int]


@dataclass(frozen=True)
class Outcome:
    """What the plays came to: of all, or of those at one place in a campaign."""

    plays: int
    ended: int
    results: list[tuple[str, Share]]
    shared: int
    void: int
    broken_off: int
    length: list[Spread]
    options: tuple[float, int, float] | None  # on average, at the most, the share of decisions with only one
    points: list[Spread]  # by player
    sources: list[tuple[str, list[Measure]]]  # by player


@dataclass(frozen=True)
class Failure:
    """A fault that made plays void."""

    message: str
    place: str
    plays: int
    again: str


@dataclass(frozen=True)
class Findings:
    """All that a simulation found."""

    game: str
    title: str
    head: str
    speech: Speech
    result: Result
    configured: Configured
    players: list[str]
    outcomes: list[Outcome]
    ended: list[Tally]  # by the statement that ended them
    taken: list[Tally]
    chosen: list[Members]
    lying: list[Lying]
    rules: list[Tally]
    never: list[Tally]  # those that were never carried out, as they belong together
    failures: list[Failure]
    settings: list[str] = field(default_factory=list)
    command: str = ""  # what has the same result again
    endless: bool = False  # by its rules no play ever ends

    @property
    def decisions(self) -> int:
        return sum(tally.times for tally in self.taken)


def findings(result: Result, game: Game, word: str, language: str = "en") -> Findings:
    """What a result says; `word` is how the user calls the game."""
    return _Reader(result, game, word, Speech(language)).read()


def outcomes(result: Result, game: Game, language: str = "en") -> list[Outcome]:
    """What the plays came to, and nothing of how they were played."""
    reader = _Reader(result, game, "", Speech(language))
    return [reader._outcome(digest) for digest in result.digests]


class _Reader:
    def __init__(self, result: Result, game: Game, word: str, speech: Speech) -> None:
        self.result, self.game, self.word, self.speech, self.task = result, game, word, speech, result.task
        self.configured = game.configured(self.task.players, self.task.options, self.task.names)
        self.world, self.program = self.configured.world, self.configured.program
        self.shape = Shape(self.program)
        self.machine = Machine(self.program)  # generated Python would be written for this alone
        self.start = self.machine.start(0)
        self.words = Words(self.world, self.machine, Viewer(self.world, self.machine))
        self.players = [
            self.words.title(self.world.players, seat, speech.language) for seat in range(self.shape.players)
        ]

    def read(self) -> Findings:
        return Findings(
            self.game.name,
            self.game.title(self.speech.language),
            self._head(),
            self.speech,
            self.result,
            self.configured,
            self.players,
            [self._outcome(digest) for digest in self.result.digests],
            self._ended(),
            self._taken(),
            self._chosen(),
            list(self._lying()),
            *self._rules(),
            self._failures(),
            self._settings(),
            self._command(),
            self._endless(),
        )

    def _head(self) -> str:
        say, task = self.speech.say, self.task
        if not task.bots or set(task.bots) == {RANDOM}:
            bots = say("at_random")
        elif len(set(task.bots)) == 1:
            bots = say("all_by", bot=task.bots[0])
        else:
            bots = ", ".join(f"{player}: {bot}" for player, bot in zip(self.players, task.bots, strict=True))
        plays = self.speech.count(self.result.done, "campaign" if task.campaign else "play")
        if self.result.first:
            plays = say("from", plays=plays, first=self.speech.number(self.result.first + 1))
        return say("head", game=self.game.title(self.speech.language), plays=plays, bots=bots, seed=task.seed)

    def _settings(self) -> list[str]:
        """The players and options as a command line has them."""
        task = self.task
        found = []
        if task.names:
            found.append(f"--players {','.join(task.names)}")
        elif task.players != self.game.players[0]:
            found.append(f"--players {task.players}")
        for name, value in task.options.items():
            text = shlex.quote(f"{name}={value}") if name != "preset" else shlex.quote(str(value))
            found.append(f"--preset {text}" if name == "preset" else f"--option {text}")
        return found

    def _command(self) -> str:
        """The command line with all that counts; of a simulation that was stopped, with the plays that were done."""
        task = self.task
        words = [started.command(), "simulate", shlex.quote(self.word), f"-n {self.result.done}", *self._settings()]
        if self.result.first:
            words.append(f"--first {self.result.first}")
        if task.bots:
            words.append(f"--bots {','.join(task.bots)}")
        if task.campaign:
            words.append(f"--campaign {task.campaign}")
        words += [f"--limit {task.limit}", f"--seed {task.seed}", f"--lang {self.speech.language}"]
        return " ".join(words)

    def _endless(self) -> bool:
        orders = {loop.order for loop in self.world.data["turn_loops"]}
        return not reachable(self.program, orders)[1]

    # -------------------------------------------------------------------------------------------- results

    def _outcome(self, digest: Digest) -> Outcome:
        length = [
            spread
            for key, column in (("turns", TURNS), ("rounds", ROUNDS), ("decisions", DECISIONS))
            if (spread := self._spread(self.speech.say(key), digest.values(column)))
            and spread.measure.most > _TOO_FEW.get(column, -1)
        ]
        most = max(digest.values(MOST_OPTIONS), default=0)
        options = (
            (digest.options / digest.decisions, most, digest.forced / digest.decisions) if digest.decisions else None
        )
        results, shared = self._results(digest) if digest.ended else ([], 0)
        points, sources = [], []
        if self.shape.sources and digest.ended:
            for seat, player in enumerate(self.players):
                spread = self._spread(player, digest.values(self.shape.points(seat)))
                assert spread is not None
                points.append(spread)
            if len(self.shape.sources) > 1:
                for number, name in enumerate(self.shape.sources):
                    found = [
                        measure(digest.values(self.shape.source(seat, number))) for seat in range(len(self.players))
                    ]
                    sources.append((self._word(name), [one for one in found if one is not None]))
        return Outcome(
            digest.plays,
            digest.ended,
            results,
            shared,
            digest.void,
            digest.broken_off,
            length,
            options,
            points,
            sources,
        )

    def _spread(self, label: str, values: Counter[int]) -> Spread | None:
        found = measure(values)
        return Spread(label, found, values) if found is not None else None

    def _results(self, digest: Digest) -> tuple[list[tuple[str, Share]], int]:
        """The shares of the results, and how many wins were shared."""
        alone = len(self.players) == 1
        one_result = alone or bool(self.world.data.get("one result"))
        everyone = (1 << len(self.players)) - 1
        wins, other, shared = [0] * len(self.players), Counter[str](), 0
        for (ending, winners), n in sorted(digest.results.items()):
            if ending == TIED:
                other["draw"] += n
            elif ending == WON and not winners:
                other["lost" if alone else "lost_by_all"] += n
            elif ending == SCORED and one_result:
                other["scored"] += n
            elif ending == SCORED and not winners:
                other["nobody"] += n
            elif ending == SCORED and winners == everyone:
                other["draw"] += n
            elif ending in (WON, SCORED):
                shared += n if winners.bit_count() > 1 else 0
                for seat in bits(winners):
                    wins[seat] += n
        say, of = self.speech.say, digest.ended
        labels = [say("won")] if alone else [say("wins", player=player) for player in self.players]
        found = [(label, share(n, of)) for label, n in zip(labels, wins, strict=True)]
        if one_result and not any(wins) and not other["lost"]:
            found = []
        if one_result and self.world.data["ranks"] and other["scored"] == of:
            return self._ranks(digest.values(self.shape.points(0)), of), shared
        return found + [(say(key), share(n, of)) for key, n in other.items() if n], shared

    def _ranks(self, totals: Counter[int], of: int) -> list[tuple[str, Share]]:
        """How often one who plays alone, or all together, come to each rank; the lowest first."""
        ranks = self.world.data["ranks"]
        reached: Counter[int] = Counter()
        for total, n in totals.items():
            reached[max([i for i, (least, _) in enumerate(ranks) if least <= total], default=0)] += n
        names = [str(texts.get(self.speech.language) or texts["en"]) for _, texts in ranks]
        return [(name, share(reached[i], of)) for i, name in enumerate(names)]

    def _ended(self) -> list[Tally]:
        """How often each `win`, `lose` or `tie` ended a play, or the end of `play:` did; most often first."""
        times: Counter[Span | None] = Counter()
        reasons: dict[Span | None, str] = {}
        for number, block in enumerate(self.program.blocks):
            if isinstance(block.end, C.Finish) and number not in self.program.ahead:
                words = self.world.data.get("because", {}).get(number)
                span = block.end.span if block.end.ending != SCORED or words is not None else None
                times[span] += self.result.counts[number]
                if words is not None:
                    parts = words.parts(self.speech.language)
                    reasons[span] = "".join(part if isinstance(part, str) else "…" for part in parts)
        rows = [
            Tally(
                reasons.get(span) or (_first_line(span) if span is not None else self.speech.say("end_of_play")),
                n,
                self._place(span),
            )
            for span, n in times.items()
            if n or span is not None
        ]
        return sorted(rows, key=lambda row: -row.times)

    # ---------------------------------------------------------------------------------------- what was done

    def _word(self, word: str) -> str:
        found = self.world.title_of_word(word)
        return str(found.get(self.speech.language, found["en"]))

    def _taken(self) -> list[Tally]:
        """How often each entry of a menu was taken, wherever it stands in the program; most often first."""
        times: Counter[Any] = Counter()
        labels: dict[Any, tuple[str, str]] = {}
        for number, base in self.shape.choices.items():
            choice = self.program.blocks[number].end
            assert isinstance(choice, C.Choice)
            for at, entry in enumerate(choice.entries):
                key = (entry.span, entry.name)  # where an effect is called is written out anew
                times[key] += self.result.counts[base + at]
                labels[key] = self._entry(entry)
            for beside in (STOP, DONE, NOTHING):
                n = self.result.counts[base + len(choice.entries) - 1 - beside]
                name = (choice.stop.name or "stop") if beside == STOP and choice.stop else _BESIDE[beside]
                label = self._stop(choice.stop) if beside == STOP and choice.stop else self._fixed(name)
                if n or (beside == STOP and choice.stop is not None):
                    times[(choice.span, name)] += n
                    labels[(choice.span, name)] = (label, self._place(choice.span))
        rows = [Tally(labels[key][0], n, labels[key][1]) for key, n in times.items()]
        return sorted(rows, key=lambda row: -row.times)

    def _entry(self, entry: C.Entry) -> tuple[str, str]:
        """An entry by the name of its action; else by its label, and where it stands."""
        if entry.name in self.world.procedures:
            if entry.label is not None and all(isinstance(part, str) for part in self._parts(entry.label)):
                return self._label(entry.label), ""
            known = self.speech.language in self.world.title_of_action(entry.name)
            if known or entry.label is None or not self._label(entry.label).strip(_BARE):
                return self._action(entry.name), ""
        if entry.label is not None:
            label = self._label(entry.label, entry.variables)
            if label.strip(_BARE):
                return label, self._place(entry.span)
        if entry.name:
            return self._fixed(entry.name), self._place(entry.span)
        return (_first_line(entry.span) if entry.span is not None else "?"), self._place(entry.span)

    def _stop(self, entry: C.Entry) -> str:
        return self._label(entry.label) if entry.label is not None else self._fixed(entry.name or "stop")

    def _parts(self, label: C.Words) -> Sequence[object]:
        return label.parts(self.speech.language)

    def _action(self, name: str) -> str:
        return str(self.world.title_of_action(name).get(self.speech.language) or self._word(name))

    def _label(self, label: C.Words, variables: Sequence[C.Variable] = ()) -> str:
        """A label with `…` for its values; where hardly a word is left, with the names of what is chosen."""
        parts = self._parts(label)
        said = {word.strip(_BARE) for part in parts if isinstance(part, str) for word in part.split()}
        plain = bool(said - {""}) and all(_SMALL.fullmatch(word) for word in said)
        names = {x.slot: self._word(x.name) for x in variables} if plain else {}

        def shown(part: object) -> str:
            if not isinstance(part, C.Hole):
                return str(part)
            named = names.get(part.node.slot, "") if isinstance(part.node, C.Get) else ""
            if not named and plain and isinstance(part.type, Elem):
                named = self._word(part.type.root.name)
            return f"‹{named}›" if named else "…"

        return " ".join("".join(map(shown, parts)).split())

    def _fixed(self, word: str) -> str:
        from ruledsl.runtime.words import FIXED

        return self.words.fixed(word, self.speech.language) if word in FIXED else self._word(word)

    def _chosen(self) -> list[Members]:
        found = []
        for name, base in self.shape.roots.items():
            root = self.program.roots[name]
            counts = list(self.result.counts[base : base + root.size])
            if not sum(counts):
                continue
            found.append(Members(self._sort_of(name, root), root, counts, self._members(root, counts)))
        return found

    def _lying(self) -> Iterator[Lying]:
        """Of the kinds of which chance says what comes into play: those that lie in a pile, if not all are alike."""
        piles, rows, areas = self.program.piles, self.program.rows, self.world.areas()
        drawn = [info for info, (spots, *_) in areas if isinstance(info, PlaceInfo) and piles & set(spots)]
        for kind in self.world.kinds:
            first = {rows[piece]: piece for piece in reversed(list(bits(kind.mask)))}
            if len(first) < 2 or not any(info.kinds & kind.mask for info in drawn):
                continue
            labels = {piece: self._member(self.world.pieces, piece) for piece in sorted(first.values())}
            self._tell_apart(self.world.pieces, labels)
            lines = {piece: self.shape.line(rows[piece]) for piece in labels}
            times = {p: self.result.counts[line : line + self.shape.areas] for p, line in lines.items()}
            used = [at for at in range(self.shape.areas) if any(n[at] for n in times.values())]
            if len(used) > 1:
                places = [self._area(areas[at][0]) for at in used]
                found = [(labels[p], [n[at] for at in used]) for p, n in times.items()]
                yield Lying(self._word(kind.name), len(list(bits(kind.mask))), places, found)

    def _area(self, info: BoardInfo | PlaceInfo) -> str:
        """What a board or sort of places is called; places that no game declares have a word of ours."""
        if info is self.world.data["box"]:
            return self.speech.say("in_box")
        reserve = info.name.startswith("reserve ")  # of a kind: no name that is declared has a blank
        return self.speech.say("in_reserve") if reserve else self._word(info.name)

    def _sort_of(self, name: str, root: Root) -> str:
        """What members are called: spaces in the word of the game, if it has one in this language."""
        word, key = name.removeprefix("name of "), f"word_{root.kind}"
        if key in TEXTS and not (root.kind == "space" and self.speech.language in self.world.title_of_word(word)):
            return self.speech.say(key)
        return self._word(word)

    def _members(self, root: Root, counts: list[int]) -> list[Tally]:
        """Members by name; of pieces that nothing tells apart, all together."""
        times: Counter[int] = Counter()
        possible = self._possible(root, counts)
        for member, n in enumerate(counts):
            if not n and not possible >> member & 1:
                continue
            first = member
            if root.kind == "piece":
                first = self.program.rows.index(self.program.rows[member])
            times[first] += n
        labels = {member: self._member(root, member) for member in times}
        if root.kind == "part":  # their own names are made up
            alike = Counter[str]()
            for member, n in times.items():
                alike[labels[member]] += n
            return [Tally(label, n) for label, n in alike.items()]
        self._tell_apart(root, labels)
        return [Tally(labels[member], n) for member, n in times.items()]

    def _tell_apart(self, root: Root, labels: dict[int, str]) -> None:
        """Members with the same label: by what their rows say, by whose they are, else by name."""
        for sort in (self._sort, self._owner):
            several = Counter(labels.values())
            for member, label in labels.items():
                if several[label] > 1 and (told := sort(root, member)):
                    labels[member] = told if sort == self._sort else f"{label} ({told})"
        several = Counter(labels.values())
        labels |= {m: f"{label} ({root.names[m]})" for m, label in labels.items() if several[label] > 1}

    def _sort(self, root: Root, piece: int) -> str:
        """What a piece is at the start by the first enumeration of its kind: `pawn`; nothing if its kind has none."""
        for attribute in chain.from_iterable(root.attributes.values()) if root.kind == "piece" else ():
            if attribute.mask >> piece & 1 and isinstance(attribute.type, Elem) and attribute.type.root.kind == "enum":
                value = self.machine.evaluator.of(attribute.build(C.Const(piece), None))(self.start)
                if value >= 0:
                    return self.words.title(attribute.type.root, value, self.speech.language)
        return ""

    def _owner(self, root: Root, member: int) -> str:
        """The player whose piece it is from the start, where each player has some of that kind."""
        for kind in self.world.kinds if root.kind == "piece" else ():
            for seat, player in enumerate(self.players if kind.per_player else ()):
                if kind.of_player(seat, len(self.players)) >> member & 1:
                    return player
        return ""

    def _possible(self, root: Root, counts: list[int]) -> int:
        """The members that choices which were made could come upon, as far as types tell: of others nothing is said.

        Nor of spaces of a board that grows, or of kinds of which none was chosen.
        """
        found = 0
        for number, base in self.shape.choices.items():
            choice = self.program.blocks[number].end
            assert isinstance(choice, C.Choice)
            for at, entry in enumerate(choice.entries):
                for variable in entry.variables if self.result.counts[base + at] else ():
                    if root_of(variable) is root:
                        kind = variable.type.of if isinstance(variable.type, SetOf | ListOf) else variable.type
                        found |= kind.mask if isinstance(kind, Elem | BagOf) else 0
        if root.kind == "piece":
            for one in self.world.kinds:
                if not any(counts[piece] for piece in bits(one.mask)):
                    found &= ~one.mask
        grows = {board.first for board in self.world.spots.growing}
        return 0 if any(info.root is root and info.first_spot in grows for info in self.world.boards) else found

    def _member(self, root: Root, member: int) -> str:
        titles = root.titles[member] if member < len(root.titles) else None
        if root.kind == "part":
            part = next(part for part in self.world.parts if part.root is root)
            tile = self._member(self.world.pieces, part.owner[member])
            return f"{tile}: {self.words.ground(part, member, self.speech.language, self.start)}"
        if not titles and root.kind == "piece":
            return str(self.world.data["public_names"][member])
        return self.words.title(root, member, self.speech.language)

    def _rules(self) -> tuple[list[Tally], list[Tally]]:
        """Every statement, in the order of the files, and how often it was carried out; and what never was."""
        times: dict[Span, int] = dict.fromkeys(self.world.data["all_statements"], 0)
        for span, number in self.world.data["begun"]:
            if span in times:
                times[span] += self.result.counts[number]
        names = {trigger.key.span: trigger.name for trigger in self.world.triggers}
        order = sorted(times, key=lambda span: (span.file.path, span.start, -span.end))
        rules = [Tally(names.get(span) or _first_line(span), times[span], self._place(span)) for span in order]
        return rules, list(self._never(order, times, names))

    def _never(self, order: list[Span], times: dict[Span, int], names: dict[Span, str]) -> Iterator[Tally]:
        """What was never carried out: whole effects, actions and the rest between plays with all that is in them."""
        say = self.speech.say
        whole: dict[Span, tuple[str, Span]] = {}
        for info in self.world.procedures.values():
            if info.node is not None and info.code.span is not None and info.sort in ("effect", "action"):
                whole[info.node.span] = (say(f"never_{info.sort}", name=info.name), info.code.span)
        campaign = self.world.sections.single.get("campaign")
        if campaign is not None and not self.task.campaign:
            whole[campaign.span] = (say("never_between"), campaign.span)
        past: Span | None = None
        for span in order:
            if times[span] or (past is not None and _within(span, past)):
                continue
            past, label, place = span, say("never_done", text=names.get(span) or _first_line(span)), span
            for around, (told, name) in whole.items():
                if _within(span, around) and not any(times[one] for one in order if _within(one, around)):
                    past, label, place = around, told, name
            inside = sum(_within(one, past) for one in order)
            count = self.speech.count(inside if past in whole else inside - 1, "statement")
            if past in whole:
                label = f"{label} ({count})"
            elif inside > 1:
                label = say("never_done_with", text=names.get(span) or _first_line(span), statements=count)
            yield Tally(label, 0, self._place(place))

    def _place(self, span: Span | None) -> str:
        return self._path(span.file.path, span.line) if span is not None else ""

    def _path(self, path: str, line: int) -> str:
        """A place as seen from the folder of the game, which everybody who reads this knows."""
        folder = Path(self.game.path).absolute().parent
        return f"{os.path.relpath(path, folder).replace(os.sep, '/')}:{line}"

    def _failures(self) -> list[Failure]:
        groups: dict[tuple[str, str, int], list[Fault]] = {}
        for fault in self.result.faults:
            groups.setdefault((fault.message, fault.path, fault.line), []).append(fault)
        return [
            Failure(message, self._path(path, line) if path else "", len(found), self._again(found[0]))
            for (message, path, line), found in groups.items()
        ]

    def _again(self, fault: Fault) -> str:
        """How to see a play again that is void."""
        bots = ",".join(self.task.bots or (RANDOM,) * len(self.players))
        file = ["--campaign new.json"] if self.task.campaign else []
        words, seats = [started.command(), "play", shlex.quote(self.word), *file], f"--seats {bots}"
        seed = play_seed(self.task.seed, fault.number)  # of a campaign that of its first play
        told = self.speech.say("again", command=" ".join([*words, *self._settings(), seats, f"--seed {seed}"]))
        if not fault.play:
            return told
        return f"{told}\n{self.speech.say('again_until', n=fault.play + 1, command=' '.join([*words, seats]))}"


_SMALL = re.compile(r"(of|on|to|in|at|by|for|from|with|and|or|на|во?|из|со?|ко?|и|или|у|от|до|за|по|для)?")
_BARE = "… ,:-"  # what is left of a label without a word
_TOO_FEW = {TURNS: 0, ROUNDS: 1}  # at the most: nothing is said of the turns of no loop, or of a single round
_BESIDE = {STOP: "stop", DONE: "done", NOTHING: "nothing"}
assert len(_BESIDE) == BESIDE


def _within(span: Span, other: Span) -> bool:
    return span.file.path == other.file.path and other.start <= span.start and span.end <= other.end


def _first_line(span: Span) -> str:
    """How a statement begins: its first line without a comment, and the next where that says too little."""
    lines = [" ".join(line.partition(" #")[0].split()) for line in span.text.split("\n")]
    first = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    return first if len(first) <= 60 else first[:59] + "…"


__all__ = ["Failure", "Findings", "Members", "Outcome", "Spread", "Tally", "findings"]
