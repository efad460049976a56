"""What a seat is shown: boards, places, pools and values, all taken from its view."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from ruledsl.boards.marks import plain
from ruledsl.boards.picture import picture
from ruledsl.runtime.picture import sheets
from ruledsl.types import Elem

from .words import say

WIDTH = 80
_MOST_NAMES = 14  # of a place, before equal ones are counted
_MOST_LEGEND = 16


def width() -> int:
    """The columns to write in: 80, unless the terminal is narrower."""
    return max(20, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


class Screen:
    """Turns views of one play into lines of text."""

    def __init__(self, play: Any, language: str, colour: bool, columns: int = WIDTH) -> None:
        self.play, self.language, self.colour, self.columns = play, language, colour, columns
        world = play.world
        self.world = world
        self.titles: dict[str, str] = {}
        for root in world.roots.values():
            if root.kind not in ("place", "space", "piece", "part"):
                self.titles |= {name: plain(play.words.title(root, i, language)) for i, name in enumerate(root.names)}
        public = world.data.get("public_names", world.pieces.names)
        self.numbers = {name: i for i, name in reversed(list(enumerate(public)))}
        self.pieces = {name: plain(play.words.title(world.pieces, i, language)) for name, i in self.numbers.items()}

    def word(self, name: str) -> str:
        """A declared word as people read it."""
        if name in self.titles:
            return self.titles[name]
        if name in self.pieces:
            return self.pieces[name]
        found = self.world.title_of_word(name)
        return plain(str(found.get(self.language) or found["en"]))

    def player(self, seat: int) -> str:
        return plain(str(self.play.words.title(self.world.players, seat, self.language)))

    def players(self, seats: list[int]) -> str:
        """`anna, boris and clara`."""
        *most, last = [self.player(seat) for seat in seats]
        return f"{', '.join(most)} {say('and', self.language)} {last}" if most else last

    # ------------------------------------------------------------------------------------------- a position

    def position(self, view: dict[str, Any]) -> str:
        """All that a view shows."""
        parts = ["\n".join(board) for board in self.boards(view)]
        rest = [*self.places(view), *self.pools(view), *self.values(view)]
        if rest:
            parts.append("\n".join(rest))
        return "\n\n".join(part for part in parts if part)

    def head(self, view: dict[str, Any], title: str) -> str:
        """The title, and where the play stands."""
        parts = [plain(title)]
        if view["round"]:
            parts.append(say("round", self.language, n=view["round"]))
        if view["turn_number"]:
            parts.append(say("turn", self.language, n=view["turn_number"]))
        if view["phase"]:
            parts.append(say("phase", self.language, name=self.word(view["phase"])))
        line = " · ".join(parts)
        return f"\x1b[1m{line}\x1b[0m" if self.colour else line

    def boards(self, view: dict[str, Any]) -> Iterator[list[str]]:
        many = len(self.world.boards) > 1 or any(board.copies > 1 for board in self.world.boards)
        for sheet in sheets(self.play, self.language, view):
            lines = picture(
                sheet.board, sheet.marks, colour=self.colour, width=self.columns, ground=sheet.ground
            ).split("\n")
            if many:
                owner = f" ({self.player(sheet.owner)})" if sheet.owner is not None else ""
                lines.insert(0, f"{plain(sheet.name)}{owner}:")
            yield lines
        legend = self.legend(view)
        if legend:
            yield legend

    def legend(self, view: dict[str, Any]) -> list[str]:
        """What the signs on the boards stand for, where names alone tell it."""
        found: dict[str, str] = {}
        for sheet in sheets(self.play, self.language, view):
            info = next(board for board in self.world.boards if board.board is sheet.board)
            lying = view["boards"].get(info.name, {})
            first = (sheet.owner or 0) * len(sheet.marks)
            for space, mark in enumerate(sheet.marks):
                here = lying.get(info.root.names[first + space], [])
                if mark is None or len(here) != 1 or here[0] is None:
                    continue
                title = self._owned(here[0])
                if found.setdefault(mark.text, title) != title:
                    return []
        if len(set(found.values())) < len(found) or not 0 < len(found) <= _MOST_LEGEND:
            return []
        return self._wrapped("", ", ".join(f"{sign} {title}" for sign, title in sorted(found.items())))

    def _owned(self, name: str) -> str:
        """A piece with its owner, where it always has the same."""
        piece = self.numbers.get(name)
        for kind in self.world.kinds:
            if piece is not None and kind.per_player and kind.mask >> piece & 1:
                owner = (piece - kind.first) // max(1, kind.count // len(self.play.players))
                return f"{self.word(name)} ({self.player(min(owner, len(self.play.players) - 1))})"
        return self.word(name)

    def places(self, view: dict[str, Any]) -> Iterator[str]:
        stocks: list[str] = []
        for info in self.world.place_infos:
            if info.name == "box":
                continue
            reserve = info.name.startswith("reserve ")
            for i in range(info.count):
                lying = view["places"].get(self.world.places.names[info.first + i], [])
                shown = self._lying(lying, info.ordered, reserve)
                if reserve:
                    if lying:
                        owner = f"{self.player(i)} " if info.count == len(self.play.players) > 1 else ""
                        stocks.append(owner + shown)
                    continue
                if not lying and info.per is not None and info.per.root is not self.world.players:
                    continue
                owner = f" ({self._member(info.per, i)})" if isinstance(info.per, Elem) else ""
                yield from self._wrapped(f"{self.word(info.name)}{owner}: ", shown)
        if stocks:
            yield from self._wrapped(f"{say('reserve', self.language)}: ", "; ".join(stocks))

    def _member(self, per: Elem, number: int) -> str:
        names = [i for i in range(per.root.size) if per.mask >> i & 1]
        if number >= len(names):
            return ""
        if per.root is self.world.pieces:
            return self.word(str(self.world.data["public_names"][names[number]]))
        return plain(self.play.words.title(per.root, names[number], self.language))

    def _lying(self, lying: list[str | None], ordered: bool, counted: bool) -> str:
        """What lies in a place: names, equal ones counted where they are many; unknown ones as a number."""
        if not lying:
            return say("empty", self.language)
        hidden = sum(name is None for name in lying)
        if hidden == len(lying):
            return say("hidden", self.language, n=hidden)
        if ordered and len(lying) > 1:
            down = say("face_down", self.language)
            names = [down if name is None else self.word(name) for name in reversed(lying)]
            shown: list[str] = []
            i = 0
            while i < len(names):  # runs of equal names are written once
                j = i
                while j < len(names) and names[j] == names[i]:
                    j += 1
                shown.append(names[i] if j == i + 1 else f"{j - i} × {names[i]}")
                i = j
            return f"{', '.join(shown)} ({say('top_first', self.language)})"
        names = [self.word(name) for name in lying if name is not None]
        if counted or len(names) > _MOST_NAMES:
            parts = [f"{n} × {name}" if n > 1 or counted else name for name, n in Counter(names).items()]
        else:
            parts = names
        if hidden:
            parts.append(say("hidden", self.language, n=hidden))
        return ", ".join(parts)

    def pools(self, view: dict[str, Any]) -> Iterator[str]:
        for name, held in view["pools"].items():
            kind, _, pool = name.partition(".")
            if kind == "supply" and pool and not any(held.values() if isinstance(held, dict) else [held]):
                continue
            label = say("supply", self.language, name=self.word(pool)) if kind == "supply" and pool else self.word(name)
            if isinstance(held, dict) and held and all(isinstance(x, dict) for x in held.values()):
                for owner, tokens in held.items():
                    yield from self._wrapped(f"{label} ({self.word(owner)}): ", self._plain(tokens))
            elif held != {}:
                yield from self._wrapped(f"{label}: ", self._plain(held))

    def values(self, view: dict[str, Any]) -> Iterator[str]:
        for name, value in view["values"].items():
            if isinstance(value, dict) and value and all(isinstance(x, bool) for x in value.values()):
                value = [key for key, holds in value.items() if holds]
            if value is None or value is False or value in ([], {}):
                continue
            if isinstance(value, dict):
                value = {key: x for key, x in value.items() if x is not None and x != []}
                if not value:
                    continue
            yield from self._wrapped(f"{self.word(name)}: ", self._plain(value))

    def _plain(self, value: Any) -> str:
        """A value of a view in words."""
        if isinstance(value, bool):
            return say("true" if value else "false", self.language)
        if value is None:
            return say("none", self.language)
        if isinstance(value, dict):
            parts = [
                f"{self._key(key)} {self._plain(x)}"
                for key, x in value.items()
                if x not in (0, None) or len(value) <= 4
            ]
            lists = any(isinstance(x, list) for x in value.values())
            return ("; " if lists else ", ").join(parts) or "0"
        if isinstance(value, list):
            return ", ".join(self._plain(x) for x in value) or say("none", self.language)
        return self.word(value) if isinstance(value, str) else str(value)

    def _key(self, key: str) -> str:
        return " ".join(self.word(part) for part in key.split(" "))

    def _wrapped(self, label: str, text: str) -> list[str]:
        return wrap(label + text, self.columns, subsequent_indent="  ", break_on_hyphens=False) or [label]

    # --------------------------------------------------------------------------------------------- the end

    def result(self) -> str:
        """How the play ended: winners, ranks, points by their source."""
        play, language = self.play, self.language
        lines = [say("over", language)]
        if play.fault is not None:
            span = play.fault.span
            place = f"{span.file.path}:{span.line}: " if span is not None else ""
            return "\n".join([say("void", language), f"  {plain(place + play.fault.message)}"])
        winners = play.winners
        everyone = len(play.players) > 1 and len(winners) == len(play.players)
        if play.ending == "tied":
            lines.append(say("tied", language, players=self.players(winners)) if winners else say("nobody", language))
        elif not winners:
            lines.append(say("you_lost" if play.ending == "won" else "nobody", language))
        elif everyone and play.ending == "won":
            lines.append(say("you_won", language))
        elif len(winners) > 1:
            lines.append(say("winners", language, players=self.players(winners)))
        else:
            lines.append(say("winner", language, players=self.player(winners[0])))
        lines += self.score_table()
        return "\n".join(lines)

    def score_table(self) -> list[str]:
        """Points by source, best first, with ranks in scored plays."""
        scores = self.play.scores()
        if not scores or not scores[0]:
            return []
        language, scored = self.language, self.play.ending == "scored"
        sources = list(scores[0])
        keys = self.play.ranking_keys()
        order = (
            sorted(range(len(scores)), key=lambda seat: keys[seat], reverse=True)
            if scored
            else list(range(len(scores)))
        )
        head = ["", *[self.player(seat) for seat in order]]
        rows = [[self.word(name), *[str(scores[seat][name]) for seat in order]] for name in sources]
        totals = [sum(scores[seat].values()) for seat in order]
        if len(sources) > 1:
            rows.append([say("total", language), *map(str, totals)])
        if scored:
            ranks = [1 + sum(other > keys[seat] for other in keys) for seat in order]
            rows.append([say("place_n", language), *map(str, ranks)])
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        table = [
            "  ".join(
                [row[0].ljust(widths[0]), *[c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]]
            ).rstrip()
            for row in [head, *rows]
        ]
        if scored and len(set(totals)) < len(set(keys)):
            table.append(say("tie_breaks", language))
        return ["", *table]
