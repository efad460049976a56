"""What a seat is shown: boards, places, pools and values, all taken from its view."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import Any

from ruledsl.analysis.names import PlaceInfo
from ruledsl.boards.faces import Cell
from ruledsl.boards.marks import columns, paint, plain
from ruledsl.boards.picture import picture
from ruledsl.boards.tilework import Canvas, beside, board_canvas, faces_canvas, tile_picture
from ruledsl.engine.options import STRIDE, chosen, is_piece
from ruledsl.runtime.handout import printed
from ruledsl.runtime.picture import Sheet, cells, drawn_as_tiles, face, sheets, tile_legend
from ruledsl.runtime.typed import typed_number
from ruledsl.types import NONE, Elem, Num

from .preview import Laid, laid_by
from .words import say

WIDTH = 80
_MOST_NAMES = 14  # of a place, before equal ones are counted
_FEW_EMPTY = 3  # empty places that have lines of their own
_MOST_LEGEND = 16
_MOST_SIGNS = 24  # in the legend of tiles
_MOST_TILES = 12  # of a place that are drawn
_MOST_PREVIEWS = 12
_NEIGHBOURLY = 3  # so many previews are shown with the tiles around


def room() -> tuple[int, int]:
    """The columns and lines that a large picture may take: all of the terminal but what is written around it."""
    found = shutil.get_terminal_size((WIDTH, 48))
    return max(20, found.columns), max(24, found.lines - 12)


def width() -> int:
    """The columns to write in: 80, unless the terminal is narrower."""
    return max(20, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


class Screen:
    """Turns views of one play into lines of text."""

    def __init__(
        self, play: Any, language: str, colour: bool, columns: int = WIDTH, room: tuple[int, int | None] | None = None
    ) -> None:
        self.play, self.language, self.colour, self.columns = play, language, colour, columns
        self.room = room or (columns, None)  # columns and lines for boards that grow
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

    def printed(self, seat: int) -> dict[str, str]:
        """What is printed on the pieces that a seat knows and that are in play, by their titles."""
        return {plain(title): plain(text) for title, text in printed(self.play, seat, self.language).items()}

    def player(self, seat: int) -> str:
        return plain(str(self.play.words.title(self.world.players, seat, self.language)))

    def players(self, seats: list[int]) -> str:
        """`anna, boris and clara`."""
        *most, last = [self.player(seat) for seat in seats]
        return f"{', '.join(most)} {say('and', self.language)} {last}" if most else last

    # ------------------------------------------------------------------------------------------- a position

    def position(self, view: dict[str, Any], options: Sequence[Any] = ()) -> str:
        """All that a view shows; where tiles are laid, the spaces that options are about stand out."""
        parts = ["\n".join(board) for board in self.boards(view, options)]
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

    def boards(self, view: dict[str, Any], options: Sequence[Any] = ()) -> Iterator[list[str]]:
        many = len(self.world.boards) > 1 or any(board.copies > 1 for board in self.world.boards)
        for sheet in sheets(self.play, self.language, view):
            if sheet.cells is not None:
                lines = self._tiles(sheet, self.offered(sheet, options))
            else:
                lines = picture(
                    sheet.board, sheet.marks, colour=self.colour, width=self.columns, ground=sheet.ground
                ).split("\n")
            if many:
                owner = f" ({self.player(sheet.owner)})" if sheet.owner is not None else ""
                lines.insert(0, f"{plain(sheet.name)}{owner}:")
            yield lines
        legend = [*self.legend(view), *self.tile_legend(view)]
        if legend:
            yield legend

    # ------------------------------------------------------------------------------------------------- tiles

    def _tiles(self, sheet: Sheet, offered: Collection[int]) -> list[str]:
        columns, lines = self.room
        assert sheet.cells is not None
        text = tile_picture(sheet.board, sheet.cells, colour=self.colour, width=columns, height=lines, offered=offered)
        return text.split("\n") if text else []

    def offered(self, sheet: Sheet, options: Sequence[Any]) -> set[int]:
        """The spaces of a board that options are about: themselves, or by a part of the tile there."""
        spots = self.play.machine.program.spots
        info = next(board for board in self.world.boards if board.name == sheet.board_name)
        first = (sheet.owner or 0) * len(sheet.board)
        named = {name: space for space, name in enumerate(info.root.names)}
        for part in self.world.parts if options else ():
            for name, tile in zip(part.root.names, part.owner, strict=True):
                named[name] = self.play.state[spots.at + tile] - info.first_spot
        found = {named.get(word, -1) - first for option in options for word in option.words.values()}
        return {space for space in found if 0 <= space < len(sheet.board)}

    def tile_legend(self, view: dict[str, Any]) -> list[str]:
        """What the signs on tiles stand for."""
        found = tile_legend(self.play, self.language, view)
        line, used, lines = "", 0, []
        for mark, title in found[:_MOST_SIGNS]:
            size = columns(plain(mark.text)) + 1 + columns(plain(title)) + 2
            if used and used + size > self.columns:
                lines.append(line.rstrip())
                line, used = "", 0
            shown = paint(mark, self.colour, mark.colour)
            line, used = f"{line}{shown} {plain(title)}  ", used + size
        return [*lines, line.rstrip()] if line else []

    def _row(self, name: str, lying: list[str | None]) -> list[str]:
        """The tiles in a place, where they are few and known: to choose from."""
        pieces = [self.numbers[name] for name in lying if name is not None and name in self.numbers]
        if len(pieces) < len(lying) or not 0 < len(pieces) <= _MOST_TILES:
            return []
        boards = {self._tile_board(piece) for piece in pieces}
        if len(boards) != 1 or None in boards:
            return []
        (outline,) = boards
        shown = [
            (face(self.play, piece, self.language), [self.word(str(n))]) for piece, n in zip(pieces, lying, strict=True)
        ]
        return [f"{name}:", *faces_canvas(outline, shown, self.columns).lines(self.colour)]

    def _tile_board(self, piece: int) -> Any:
        """The outline of the spaces on which a piece is laid as a tile, if it is one."""
        for kind in self.world.kinds:
            if kind.mask >> piece & 1 and kind.tile is not None:
                return next(board.board.outline for board in self.world.boards if board.name == kind.tile)
        return None

    def lays_tiles(self) -> bool:
        """Whether boards are made of tiles here."""
        return any(drawn_as_tiles(info) for info in self.world.boards)

    def so_far(self, seat: int) -> list[str]:
        """What has been chosen already of a choice that is made in steps; a tile is drawn."""
        stop = self.play.stop_of(seat)
        state = self.play.together.states[seat] if self.play.together is not None else self.play.state
        if stop is None or stop.choice is None or stop.choice.stage is None or not state[stop.choice.stage]:
            return []
        number, position = divmod(state[stop.choice.stage] - 1, STRIDE)
        shown, lines = [], []
        for variable in stop.choice.entries[number].variables[: position + 1]:
            value = chosen(state, variable)
            if variable.fewest is None and variable is stop.choice.entries[number].variables[position]:
                continue  # this is what is asked now
            text = self.play.words.name(value, variable.type, self.language, (state, seat))
            shown.append(f"{self.word(variable.name)} {plain(text)}")
            tile = value if is_piece(variable) and variable.fewest is None else NONE
            outline = self._tile_board(tile) if tile >= 0 and self.play.viewer.knows(state, tile, seat) else None
            if outline is not None:
                lines += faces_canvas(outline, [(face(self.play, tile, self.language), [])], self.columns).lines(
                    self.colour
                )
        return [*lines, *self._wrapped(f"{say('so_far', self.language)} ", ", ".join(shown))] if shown else []

    def previews(self, seat: int, options: Sequence[Any], view: dict[str, Any]) -> list[str]:
        """How a tile would lie with each of a few options: among its neighbours where few, else by itself."""
        if not 0 < len(options) <= _MOST_PREVIEWS:
            return []
        laid = laid_by(self.play, seat, options)
        if not laid or len(laid) < len([o for o in options if o.values]):
            return []
        shown: dict[Any, tuple[Laid, list[tuple[str, str]]]] = {}
        for option in options:
            one = laid.get(option.index)
            if one is not None:
                name = f"{self.word(next(iter(option.values)))} " if self._is_bare_number(option) else ""
                captions = shown.setdefault(self._seen_as(one), (one, []))[1]
                number = typed_number(self.play, seat, option, self.language)
                text = f"{name}{option.text}"
                captions.append((number or option.text, f"{number}  {text}" if number else text))
        pictures = []
        for one, captions in shown.values():  # turns that look alike are shown once
            caption = captions[0][1] if len(captions) == 1 else ", ".join(short for short, _ in captions)
            pictures.append(self._preview(one, view, caption, alone=len(shown) > _NEIGHBOURLY))
        return beside(pictures, self.columns).lines(self.colour)

    def _is_bare_number(self, option: Any) -> bool:
        return len(option.values) == 1 and option.text.isdigit()

    def _seen_as(self, one: Laid) -> Any:
        """Equal for tiles that look the same in the same place."""
        areas = face(self.play, one.piece, self.language, one.turn).areas
        return one.board.name, one.space, frozenset((frozenset(area.sides), area.look) for area in areas)

    def _preview(self, one: Laid, view: dict[str, Any], caption: str, alone: bool) -> Canvas:
        board = one.board.board
        if alone:
            canvas = faces_canvas(
                board.outline, [(face(self.play, one.piece, self.language, one.turn), [])], self.columns
            )
        else:
            copy, space = divmod(one.space, one.board.spaces)
            shown = cells(self.play, one.board, self.language, view)
            shown = shown[copy * one.board.spaces : (copy + 1) * one.board.spaces]
            shown[space] = Cell(face(self.play, one.piece, self.language, one.turn))
            around = {near for side in board.sides if (near := board.steps[side][space]) >= 0}
            spaces = [s for s in sorted({space, *around}) if s == space or shown[s] is not None]
            canvas = board_canvas(board, shown, spaces, {space})
        canvas.write(canvas.height, 0, caption)
        return canvas

    def legend(self, view: dict[str, Any]) -> list[str]:
        """What the signs on the boards stand for, where names alone tell it."""
        found: dict[str, str] = {}
        for sheet in sheets(self.play, self.language, view):
            if sheet.cells is not None:
                continue
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
        empty = self._empty(view)
        for info in self.world.place_infos:
            if info.name == "box":
                continue
            reserve = info.name.startswith("reserve ")
            for i in range(info.count):
                lying = view["places"].get(self.world.places.names[info.first + i], [])
                shown = self._lying(lying, info.ordered, reserve)
                owner = f" ({self._member(info.per, i)})" if info.per is not None else ""
                if not reserve and (drawn := self._row(f"{self.word(info.name)}{owner}", lying)):
                    yield from drawn
                    continue
                if reserve:
                    if lying:
                        owner = f"{self.player(i)} " if info.count == len(self.play.players) > 1 else ""
                        stocks.append(owner + shown)
                    continue
                if not lying and not self._common_or_of_players(info):
                    continue
                if info.first + i in empty:
                    continue
                yield from self._wrapped(f"{self.word(info.name)}{owner}: ", shown)
        if empty:
            yield from self._wrapped(f"{say('empty', self.language)}: ", ", ".join(empty.values()))
        if stocks:
            yield from self._wrapped(f"{say('reserve', self.language)}: ", "; ".join(stocks))

    def _empty(self, view: dict[str, Any]) -> dict[int, str]:
        """The empty places, where they are so many that they are told together."""
        found: dict[int, str] = {}
        for info in self.world.place_infos:
            if info.name == "box" or info.name.startswith("reserve "):
                continue
            if not self._common_or_of_players(info):
                continue
            for i in range(info.count):
                if not view["places"].get(self.world.places.names[info.first + i], []):
                    owner = f" ({self._member(info.per, i)})" if info.per is not None else ""
                    found[info.first + i] = f"{self.word(info.name)}{owner}"
        return found if len(found) > _FEW_EMPTY else {}

    def _common_or_of_players(self, info: PlaceInfo) -> bool:
        return info.per is None or (isinstance(info.per, Elem) and info.per.root is self.world.players)

    def _member(self, per: Elem | Num, number: int) -> str:
        if isinstance(per, Num):
            return str(per.low + number)
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
            return "\n".join(
                [say("void", language), f"  {plain(place + play.fault.message)}", say("void_help", language)]
            )
        winners = play.winners
        everyone = len(play.players) > 1 and len(winners) == len(play.players)
        if play.ending == "tied":
            lines.append(say("tied", language, players=self.players(winners)) if winners else say("nobody", language))
        elif play.ending == "scored" and len(play.players) == 1 and (rank := play.rank(0, language)):
            lines.append(say("ranked", language, rank=rank))
        elif not winners:
            lines.append(say("you_lost" if play.ending == "won" else "nobody", language))
        elif everyone and play.ending == "won":
            lines.append(say("you_won", language))
        elif len(winners) > 1:
            lines.append(say("winners", language, players=self.players(winners)))
        else:
            lines.append(say("winner", language, players=self.player(winners[0])))
        if because := play.because(language):
            lines.append(f"  {because}")
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
        if len(order) > 1 and self.play.rank(order[0], language):
            rows.append([say("rank_n", language), *[self.play.rank(seat, language) for seat in order]])
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
