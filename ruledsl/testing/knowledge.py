"""What a test says of what players may know: `sees:`, what lies open to whom, and `log:`, who reads which line.

`sees: {anna: [two]}` is all that anna knows of what not everybody knows. `sees: {anna: {boris.hand: hidden}}` is about
places and values by name. Both are about one seat; `bystander` is somebody who only watches, `everybody` all of them.

A test that something is hidden, or goes unheard, holds too easily: where nothing lies, nothing can be seen, and a
misspelt word is never read. So what is hidden must be there, and what is not heard must stand in a line that one who
knew everything would read.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import Handle
from ruledsl.analysis.show import show
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.runtime.view import Viewer, item_key
from ruledsl.runtime.words import Words
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq
from ruledsl.syntax.shapes import Fields, fields, scalars, shape_of
from ruledsl.types import Broken, Elem, TableOf

from .asking import Asker
from .failures import Failed, Failure, Mistaken, several, squeezed
from .suites import LOG

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

Viewing = int | None  # a seat, or nobody's: a bystander
Heard = dict[Viewing, list[str]]

BYSTANDER, EVERYBODY = "bystander", "everybody"
HIDDEN, OPEN, EMPTY = "hidden", "open", "empty"
_COUNTED = re.compile(r"(\d+) hidden")
_LAST = 8  # lines of the log that are shown


class _AllKnowing(Viewer):
    """One who knows every piece and every value."""

    def knows(self, v: list[int], piece: int, seat: int | None) -> bool:
        return True

    def sees_value(self, v: list[int], value: Any, seat: int | None, owner: int | None) -> bool:
        return True

    def among(self, players: int, seat: int | None) -> bool:
        return True


def _shown(play: Play) -> str:
    from .position import shown  # what draws boards is needed only where a test fails, and `check` runs none

    return shown(play)


def heard(play: Play, since: int = 0) -> Heard:
    """The log as each seat and a bystander may read it, in both languages."""
    return {
        seat: [line for language in ("en", "ru") for line in play.lines(seat, language, since)]
        for seat in (None, *range(len(play.players)))
    }


def told(play: Play) -> list[str]:
    """The log as one would read it who knew everything."""
    twin = play.copy()
    twin.log, twin.viewer = play.log, _AllKnowing(play.world, play.machine)
    twin.words = Words(play.world, play.machine, twin.viewer)
    return [line for lines in heard(twin).values() for line in lines]


class Knowledge:
    """Checks `sees:` and `log:` of the tests of one configured game."""

    def __init__(self, asker: Asker, seats: list[str], report: Report) -> None:
        self.asker, self.world, self.seats, self.report = asker, asker.world, seats, report

    # -------------------------------------------------------------------------------------- mistakes in tests

    def look_over(self, found: Fields) -> None:
        """Finds mistakes before anything is played, wherever play leads."""
        before = self.report.errors
        if (sees := found.map("sees")) is not None:
            for entry in sees:
                self._viewers(entry.key)
                if isinstance(entry.value, Map):
                    for place in entry.value:
                        self._meant(place.key)
                        self._look_over_contents(place.value)
                else:
                    self._pieces(entry.value)
                    if entry.key.value == BYSTANDER and list(scalars(entry.value)):
                        self.report.error(
                            "Q113",
                            entry.key.span,
                            "a bystander knows only what everybody knows",
                            help="say what lies hidden: `bystander: {anna.hand: hidden}`",
                        )
        if isinstance(log := found.node.get("log"), Map):
            for entry in log:
                self._viewers(entry.key)
                self._wanted(entry.value)
        if self.report.errors > before:
            raise Mistaken

    def _viewers(self, key: Scalar) -> list[Viewing]:
        """The seat that is meant, or all of them."""
        if key.value in self.seats:
            return [self.seats.index(key.value)]
        if key.value == BYSTANDER:
            return [None]
        if key.value == EVERYBODY:
            return [None, *range(len(self.seats))]
        usual = EVERYBODY if key.value in ("all", "everyone", "players", "anyone", "any", "each") else ""
        near = [usual] if usual else nearest(key.value, [*self.seats, BYSTANDER, EVERYBODY])
        self.report.error(
            "Q203",
            key.span,
            f"there is no player `{key.value}`",
            help=did_you_mean(near) or f"they are {', '.join(self.seats)}, besides `{BYSTANDER}` and `{EVERYBODY}`",
            suggestions=tuple(near),
        )
        return []

    def _pieces(self, node: Node) -> list[tuple[Scalar, int]]:
        """The pieces that are named; what is no piece is reported."""
        found = []
        for word in scalars(node):
            number = self.world.member_number(self.world.pieces, word.value)
            if number is not None:
                found.append((word, number))
                continue
            near = nearest(word.value, self.world.pieces.names)
            self.report.error(
                "Q204",
                word.span,
                f"there is no piece `{word.value}`",
                help=did_you_mean(near),
                suggestions=tuple(near),
            )
        return found

    def _look_over_contents(self, node: Node) -> None:
        """`hidden`, `3 hidden`, `open`, `empty`, or a list of pieces, `hidden` among them."""
        if isinstance(node, Seq):
            for item in node.items:
                if not isinstance(item, Scalar):
                    self.report.error("S103", item.span, f"a piece must be here, not {shape_of(item)}")
            for word in scalars(node):
                if word.value != HIDDEN and word.value not in self.world.data["public_names"]:
                    self._pieces(word)
            return
        if isinstance(node, Scalar) and (node.value in (HIDDEN, OPEN, EMPTY) or _COUNTED.fullmatch(node.value)):
            return
        near = nearest(node.value, [HIDDEN, OPEN, EMPTY]) if isinstance(node, Scalar) else []
        said = f"`{node.value}`" if isinstance(node, Scalar) else shape_of(node)
        self.report.error(
            "Q114",
            node.span,
            f"this is not a way to say what is seen: {said}",
            help=did_you_mean(near) or "write `hidden`, `3 hidden`, `open`, `empty`, or a list: `[two, hidden]`",
            suggestions=tuple(near),
        )

    def _wanted(self, node: Node) -> tuple[list[Scalar], list[Scalar]]:
        """The words that are to be read, and those that are not."""
        if not isinstance(node, Map):
            return list(scalars(node)), []
        f = fields(node, LOG, self.report)
        return (f.words("with"), f.words("without")) if f is not None else ([], [])

    # ------------------------------------------------------------------------------------------- seeing

    def sees(self, play: Play, node: Node) -> None:
        for entry in node if isinstance(node, Map) else ():
            viewers = self._viewers(entry.key)
            if isinstance(entry.value, Map):
                for part in entry.value:
                    for seat in viewers:
                        self._sees_part(play, seat, part)
            else:
                for seat in viewers:
                    self._sees_just(play, seat, entry)

    def _sees_just(self, play: Play, seat: Viewing, entry: Entry) -> None:
        """Of the pieces that not everybody knows, a player knows these and no others."""
        names, v = self.world.pieces.names, play.state
        listed = {number for _, number in self._pieces(entry.value)}
        common = {p for p in range(len(names)) if all(play.viewer.knows(v, p, s) for s in range(len(self.seats)))}
        known = {p for p in range(len(names)) if play.viewer.knows(v, p, seat)}
        parts = {
            "does not know": listed - known,
            "knows besides": known - common - listed,
            "everybody knows, so it is no secret": listed & common,
        }
        details = tuple(
            f"{what}: {several([names[p] for p in sorted(which)])}" for what, which in parts.items() if which
        )
        if details:
            who = self._name(seat)
            raise Failed(Failure(entry.key.span, f"{who} does not see exactly these", details, _shown(play)))

    def _sees_part(self, play: Play, seat: Viewing, entry: Entry) -> None:
        """What a seat sees of a place, or whether it sees a value."""
        what, kind = self._meant(entry.key)
        text = f"{entry.key.value}"
        if kind == "value":
            self._sees_value(play, seat, entry, what)
            return
        spot = self._spot(play, what)
        if spot < 0:
            raise Failed(Failure(entry.key.span, f"`{text}` is nowhere now", (), _shown(play)))
        lying = play.machine.pieces.on(play.state, spot)
        if self.world.spots.ordered[spot] and spot >= self.world.spots.first_place:
            lying = lying[::-1]  # a pile from the top down
        known = [p for p in lying if play.viewer.knows(play.state, p, seat)]
        problem = self._not_so(play, entry.value, lying, known, spot)
        if problem:
            names = [play.viewer.name(p) if p in known else HIDDEN for p in lying]
            details = (f"{self._name(seat)} sees there: {several(names) if names else 'nothing'}",)
            raise Failed(Failure(entry.value.span, f"`{text}` {problem}", details, _shown(play)))

    def _not_so(self, play: Play, node: Node, lying: tuple[int, ...], known: list[int], spot: int) -> str:
        """In what a place is not as it should be seen; nothing if it is."""
        if isinstance(node, Seq):
            wanted = [self._called(play, word.value) for word in scalars(node)]
            there = [play.viewer.name(p) if p in known else HIDDEN for p in lying]
            same = wanted == there if self.world.spots.ordered[spot] else Counter(wanted) == Counter(there)
            return "" if same else "is not seen like this"
        word = node.value if isinstance(node, Scalar) else ""
        if word == EMPTY:
            return "is not empty" if lying else ""
        if not lying:
            return "is empty, so nothing is seen or hidden there"
        if word == OPEN:
            return "is not open" if len(known) < len(lying) else ""
        if known:
            return "is not hidden"
        counted = _COUNTED.fullmatch(word)
        return f"has {len(lying)} hidden" if counted and int(counted[1]) != len(lying) else ""

    def _sees_value(self, play: Play, seat: Viewing, entry: Entry, node: Any) -> None:
        slot = self._slot(play, node)
        held = [one for pool in self.world.pools for one in pool.secrets]
        kept = (*self.world.values, *held)
        info = next((i for i in kept if i.base <= slot < i.base + i.count * i.width), None)
        word = entry.value.value if isinstance(entry.value, Scalar) else ""
        if info is None:  # tokens that everybody sees
            if word == HIDDEN:
                raise Failed(Failure(entry.value.span, f"`{entry.key.value}` is seen by {self._name(seat)}"))
            return
        owner = item_key(info, (slot - info.base) // info.width)[1][0] if info.keys else None
        seen = play.viewer.sees_value(play.state, info, seat, owner)
        if word not in (HIDDEN, OPEN):
            self.report.error(
                "Q114",
                entry.value.span,
                f"`{entry.key.value}` is a value: it is seen or not",
                help="write `hidden` or `open`; what it is can be a condition",
            )
            raise Mistaken
        if seen != (word == OPEN):
            is_so = "is seen" if seen else "is not seen"
            raise Failed(Failure(entry.value.span, f"`{entry.key.value}` {is_so} by {self._name(seat)}"))

    def _meant(self, key: Scalar) -> tuple[Any, str]:
        """The code of a path, and whether it leads to a `spot` or to a `value`."""
        with self.asker.reporting() as elaborator:
            typed = elaborator.expr(elaborator.read(key, "path"))
        if isinstance(typed.type, Broken):
            return None, ""
        if isinstance(typed.type, Elem) and typed.type.root.kind in ("place", "space", "part"):
            return typed, "spot"
        if not isinstance(typed.node, Handle) and not isinstance(typed.type, TableOf):
            slot = typed.node.slot if isinstance(typed.node, C.Get) else getattr(typed.node, "base", None)
            if slot is not None and self.world.field_kind(slot) in ("value", "pool"):
                return typed.node, "value"
        help = f"write whose: `{self.seats[0]}.{key.value}`" if "." not in key.value else ""
        self.report.error(
            "Q115", key.span, f"neither a place nor a value can be seen here: it is {show(typed.type)}", help=help
        )
        return None, ""

    def _spot(self, play: Play, typed: Any) -> int:
        value = self.asker.ask(typed.node, self.asker.plain(play.state))
        return -1 if value < 0 else int(self.world.first_spot(typed.type.root) + value)

    def _slot(self, play: Play, node: Any) -> int:
        if isinstance(node, C.Get):
            return node.slot
        index = self.asker.ask(node.index, self.asker.plain(play.state)) if node.index is not None else 0
        return int(node.base + index * (node.count if isinstance(node, C.Several) else 1))

    def _called(self, play: Play, word: str) -> str:
        """What a piece is called in views, where pieces that nothing tells apart are called alike."""
        piece = self.world.member_number(self.world.pieces, word)
        return word if piece is None else play.viewer.name(piece)

    def _name(self, seat: Viewing) -> str:
        return self.seats[seat] if seat is not None else f"a {BYSTANDER}"

    # ------------------------------------------------------------------------------------------- reading

    def log(self, play: Play, said: Heard, node: Node) -> None:
        """Words of a line that anybody reads; or by player, what they read and what not."""
        lines = heard(play)
        for seat, before in said.items():
            lines[seat] = before + lines.get(seat, [])
        if not isinstance(node, Map):
            for word in scalars(node):
                if not _reads([line for own in lines.values() for line in own], word):
                    raise Failed(
                        Failure(node.span, f"no line of the log has `{word.value}`", _last(play.lines(None, "en")))
                    )
            return
        for entry in node:
            present, absent = self._wanted(entry.value)
            for seat in self._viewers(entry.key):
                own, who = lines.get(seat, []), self._name(seat)
                for word in present:
                    if not _reads(own, word):
                        raise Failed(
                            Failure(
                                word.span, f"{who} reads no line with `{word.value}`", _last(play.lines(seat, "en"))
                            )
                        )
                for word in absent:
                    if (line := _reads(own, word)) is not None:
                        raise Failed(Failure(word.span, f"{who} reads `{word.value}`", (line,)))
            for word in absent:
                known = told(play) + [line for before in said.values() for line in before]
                if _reads(known, word) is None:
                    raise Failed(
                        Failure(
                            word.span,
                            f"no line has `{word.value}`, even for somebody who knows everything",
                            _last(known),
                        )
                    )


def _reads(lines: list[str], word: Scalar) -> str | None:
    """The first line that has the words."""
    return next((line for line in lines if squeezed(word.value) in squeezed(line)), None)


def _last(lines: list[str]) -> tuple[str, ...]:
    return tuple(list(dict.fromkeys(lines))[-_LAST:])


__all__ = ["Heard", "Knowledge", "heard", "told"]
