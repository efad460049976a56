"""Values, options and log lines as people read them, in a language."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.types import (
    NO_NUMBER,
    BagOf,
    Bool,
    Elem,
    ListOf,
    Num,
    Root,
    SetOf,
    bits,
)
from ruledsl.wording.cases import amount, by_number, counted, in_case, repeated

from .knowing import EVERYBODY, Knowing, Readers

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.engine.machine import Machine
    from ruledsl.runtime.view import Viewer

FIXED = {
    "stop": {"en": "stop", "ru": "закончить"},
    "pass": {"en": "pass", "ru": "пас"},
    "no": {"en": "no", "ru": "нет"},
    "yes": {"en": "yes", "ru": "да"},
    "done": {"en": "done", "ru": "готово"},
    "nothing": {"en": "nothing else", "ru": "ничего больше"},
    "none": {"en": "none", "ru": "ничего"},
    "nobody": {"en": "nobody", "ru": "никто"},
    "hidden": {"en": "a hidden card", "ru": "закрытая карта"},
    "unknown": {"en": "?", "ru": "?"},
    "takes": {"en": "takes {}", "ru": "снято: {}"},
    "at": {"en": "{} on {}", "ru": "{} на {}"},
    "turns": {"en": "turns {}", "ru": "перевёрнуто: {}"},
    "supply": {"en": "supply of {}", "ru": "запас {}"},
    "empty": {"en": "empty", "ru": "пусто"},
    "supply as it is": {"en": "supply of {}", "ru": "запас ({})"},  # where the case is not known
    "points": {"en": "points", "ru": "очки"},
    "in secret": {"en": "something in secret", "ru": "что-то втайне"},
}


NOUN_FIRST = ("ru",)  # languages that say `равнина 2,-1`, not `2,-1 plain`


class Words:
    """The names of one configured game."""

    def __init__(self, world: GameWorld, machine: Machine, viewer: Viewer) -> None:
        self.world, self.machine, self.viewer = world, machine, viewer
        self.knowing = Knowing(world, machine, viewer)
        self.labelling = False
        self.numbered = True  # whether unknown pieces of a hand are told apart by numbers, as options need it

    def fixed(self, word: str, language: str) -> str:
        table = FIXED.get(word, {})
        return table.get(language) or table.get("en") or word

    def name(
        self,
        value: Any,
        kind: Any,
        language: str = "id",
        seen: tuple[list[int], int | None] | None = None,
        case: str = "",
    ) -> str:
        """A value by name: as players see it in a language, or with the language `id` as the file has it.

        `seen` is a state and a seat: pieces that the seat does not know there are named by where they lie.
        """
        match kind:
            case Bool():
                return "true" if value else "false"
            case Num():
                return self.fixed("none", language) if value == NO_NUMBER else str(value)
            case Elem(root=root):
                if value < 0:
                    return self.fixed("none", language)
                if root.kind == "piece" and seen is not None and not self.viewer.knows(seen[0], value, seen[1]):
                    return self._unknown(value, language, seen, case)
                if language == "id":
                    return str(root.names[value])
                if root.kind == "part" and seen is not None:
                    return self.part(root, value, language, seen, case)
                if root.kind == "space" and seen is not None and (own := self._as_counted(root, value, language, seen)):
                    return own
                return self.title(root, value, language, case)
            case SetOf(of=inner):
                words = [self.name(x, inner, language, seen, case) for x in bits(value)]
                if isinstance(inner, Elem) and inner.root.kind == "piece":  # what lies hidden shows by its number
                    words.sort()
                return ", ".join(self._alike(words, language, case)) or self._empty(language, inner)
            case ListOf(of=inner):
                words = [self.name(x, inner, language, seen, case) for x in value]
                return ", ".join(self._alike(words, language, case)) or self._empty(language, inner)
            case BagOf(root=root):
                held = [(i, n) for i, n in enumerate(value) if n]
                signs = [(self.title(root, i, language), n) for i, n in held] if language != "id" else []
                parts = [self._counted(n, root, i, language, case) for i, n in held]
                return repeated(signs) or ", ".join(parts) or self._empty(language)
        return str(value)

    def _alike(self, words: list[str], language: str, case: str) -> list[str]:
        """Hidden cards that stand side by side as one with their number: in a list each keeps its position."""
        one = self.fixed("hidden", language)
        hidden = self.declined(one, language, case)
        found: list[str] = []
        for word, alike in groupby(words):
            number = len(list(alike))
            if word == hidden and number > 1:
                found.append(amount(number, one.removeprefix("a "), language, things=True, case=case))
            else:
                found += [word] * number
        return found

    def _empty(self, language: str, inner: Any = None) -> str:
        players = isinstance(inner, Elem) and inner.root.kind == "player"
        return "[]" if language == "id" else self.fixed("nobody" if players else "none", language)

    def _counted(self, number: int, root: Root, value: int, language: str, case: str) -> str:
        title = self.title(root, value, language)
        return counted(number, title, case, language, self.world.cases.get(language, {}).get(title))

    def _unknown(self, piece: int, language: str, seen: tuple[list[int], int | None], case: str = "") -> str:
        """An unknown piece: its number among the unknown ones of its place."""
        v, seat = seen
        spot = v[self.viewer.spots.at + piece]
        others = [p for p in self.machine.pieces.on(v, spot) if not self.viewer.knows(v, p, seat)]
        if not self.viewer.spots.ordered[spot]:
            others.sort(key=lambda p: self.machine.veil(v, p))
        number = others.index(piece) + 1 if piece in others else 0
        if language == "id":
            return f"hidden_{number}"
        hidden = self.declined(self.fixed("hidden", language), language, case)
        if not self.numbered and not self.viewer.spots.ordered[spot]:
            return hidden
        return f"{hidden} {number}"

    def _as_counted(self, root: Root, space: int, language: str, seen: tuple[list[int], int | None]) -> str:
        """What a space is called where whoever looks reads something else at it than its name."""
        labels = self.world.data.get("labels")
        if not labels or self.labelling:
            return ""
        said = next(
            (labels[info.name] for info in self.world.boards if info.root is root and info.name in labels), None
        )
        return self.label(said, space, language, *seen) if said is not None else ""

    def label(self, said: Any, space: int, language: str, v: list[int], seat: int | None) -> str:
        """What stands at a space for who looks: on a track, the way each counts. A bystander counts as `me` does."""
        state = v[:]
        state[C.ME] = seat if seat is not None else v[C.ME]
        state[said.slot] = space
        self.labelling = True  # in it spaces go by their names
        try:
            return " ".join(plain(self.text(state, said.words, language, seat)).split())
        except RulesFault:
            return ""
        finally:
            self.labelling = False

    def part(self, root: Root, number: int, language: str, seen: tuple[list[int], int | None], case: str = "") -> str:
        """A part of a tile by where the tile lies and what it is: `1,-2 plain`; by its sides where two are alike."""
        v, seat = seen
        part = next(part for part in self.world.parts if part.root is root)
        if not self.viewer.knows(v, part.owner[number], seat):
            return self.fixed("unknown", language)
        spot = v[self.viewer.spots.at + part.owner[number]]
        board = next(board for board in self.world.boards if board.name == part.kind.tile)
        if not 0 <= spot - board.first_spot < board.root.size:
            return self.title(root, number, language)
        others = [other for other, tile in enumerate(part.owner) if tile == part.owner[number]]
        words = {other: self.ground(part, other, language, v) for other in others}
        at = board.root.names[spot - board.first_spot]
        ground = self.declined(words[number], language, case)
        found = f"{ground} {at}" if language in NOUN_FIRST else f"{at} {ground}"
        if list(words.values()).count(words[number]) == 1:
            return found
        attribute = root.attributes["sides"][0]
        sides = self.machine.evaluator.of(attribute.build(C.Const(number), None))(v)
        return f"{found} ({' '.join(self.title(self.world.directions, d, language) for d in bits(sides))})"

    def ground(self, part: Any, number: int, language: str, v: list[int]) -> str:
        """What a part is: the first enumeration that it has, else what such parts are called."""
        for attributes in part.root.attributes.values():
            for a in attributes:
                if isinstance(a.type, Elem) and a.type.root.kind == "enum":
                    value = self.machine.evaluator.of(a.build(C.Const(number), None))(v)
                    if value >= 0:
                        return self.title(a.type.root, value, language)
        return str(self.world.title_of_word(part.name).get(language) or part.name)

    def about(self, piece: int, language: str, seen: tuple[list[int], int | None] | None = None) -> str:
        """What is printed on a piece, its title where nothing is; nothing at all for who does not know it."""
        if seen is not None and not self.viewer.knows(seen[0], piece, seen[1]):
            return ""
        texts = self.world.data["about"][piece]
        return str(texts.get(language) or texts.get("en") or self.title(self.world.pieces, piece, language))

    def title(self, root: Root, value: int, language: str, case: str = "") -> str:
        titles = root.titles[value] if value < len(root.titles) else None
        if not titles:
            return str(root.names[value])
        title = str(titles.get(language) or titles.get("en") or root.names[value])
        return self.declined(title, language, case, root.kind == "player") if case else title

    def declined(self, title: str, language: str, case: str, living: bool = False) -> str:
        """A title in a case, or as it is where nobody knows that form."""
        forms = self.world.cases.get(language, {}).get(title)
        return in_case(title, case, language, forms, living)

    def text(self, v: list[int], words: C.Words, language: str, seat: int | None, readers: Readers = EVERYBODY) -> str:
        """A text with its holes filled from a state, as a seat may read it: what it may not know is not told."""
        found = ""
        for part in words.parts(language):
            shown = part if isinstance(part, str) else self.hole(v, part, language, seat, readers)
            if language == "en" and f" {found}".lower().endswith(" the ") and shown.startswith(FIXED["hidden"]["en"]):
                shown = shown.removeprefix("a ")  # `give up the {card}` has an article already
            found += shown
        return found

    def hole(self, v: list[int], hole: C.Hole, language: str, seat: int | None, readers: Readers = EVERYBODY) -> str:
        """What a hole of a text shows to a seat."""
        if hole.forms:
            value, told = self.knowing.ask(hole.node, v, seat, readers)
            return by_number(value, hole.forms) if told else hole.forms[-1]
        if not _of_pieces(hole.type):
            value, told = self.knowing.ask(hole.node, v, seat, readers)
            if not told:
                return self.fixed("unknown", language)
            if hole.half and value >= 0 and isinstance(hole.type, Elem):
                return self.half(hole.type.root, value, hole.half)
            return self.name(value, hole.type, language, (v, seat), hole.case)
        value, told = self.knowing.pieces_of(hole.node, v, seat, readers)
        if hole.about:
            return self.about(value, language, (v, seat)) if told else ""
        if told:
            return self.name(value, hole.type, language, (v, seat), hole.case)
        if hole.case and isinstance(hole.type, Elem):
            return self.declined(self.fixed("hidden", language), language, hole.case)
        return self.fixed("hidden" if isinstance(hole.type, Elem) else "unknown", language)

    def half(self, root: Root, space: int, half: str) -> str:
        """The column or the row in the name of a square."""
        info = next(board for board in self.world.boards if board.root is root)
        return str(info.board.halves[space % info.spaces][half == "row"])

    def stop(self, v: list[int], entry: C.Entry, language: str) -> str:
        """The option that ends a choice: its label, or the word for it."""
        if entry.label is not None:
            return self.text(v, entry.label, language, None)
        return self.fixed(entry.name or "stop", language)

    def labelled(self, entry: C.Entry, position: int, count: int) -> bool:
        """Whether an option with so many values from a position on reads as the label of its entry says."""
        if entry.label is None:
            return False
        whole = position == 0 and count == len(entry.variables) and all(x.fewest is None for x in entry.variables)
        return whole or (count > 0 and position == len(entry.variables) - 1)  # the last step tells all

    def option(
        self,
        v: list[int],
        entry: C.Entry,
        position: int,
        values: tuple[Any, ...],
        language: str,
        seat: int | None,
        readers: Readers = EVERYBODY,
    ) -> str:
        """An option as its label says, or as its action and values, as a seat may read it."""
        if self.labelled(entry, position, len(values)):
            assert entry.label is not None
            return " ".join(self.text(_bound(v, entry, position, values), entry.label, language, seat, readers).split())
        shown = []
        for variable, value in zip(entry.variables[position:], values, strict=False):
            inner = _of_one(variable.type)
            told = not self.knowing.veiled(variable.slot, seat, readers)
            shown.append(self.name(value, inner, language, (v, seat)) if told else self.fixed("unknown", language))
        if position > 0 or (entry.variables and entry.variables[0].fewest is not None):
            name = ""  # the values of a step speak for themselves
        elif entry.name in FIXED:
            name = self.fixed(entry.name, language)
        else:
            name = self.world.title_of_action(entry.name).get(language, entry.name.replace("_", " "))
        return " ".join([name, ", ".join(shown)]).strip()

    def notations(
        self,
        v: list[int],
        entry: C.Entry,
        position: int,
        values: tuple[Any, ...],
        language: str,
        seat: int | None,
        notations: Any,
        sign: Callable[[Any, int, list[int]], str],
    ) -> list[tuple[str, str]]:
        """How an option may be typed besides: pieces by the letters that they have in pictures; the sign of a chain."""
        v = _bound(v, entry, position, values)
        found = []
        for notation in notations:
            if notation.when is not None:
                holds, told = self.knowing.ask(notation.when, v, seat)
                if not (told and holds):
                    continue
            parts = (
                part if isinstance(part, str) else self._letter(v, part, language, seat, sign)
                for part in notation.words.parts(language)
            )
            found.append(("".join(parts).strip(), notation.chain))
        return found

    def _letter(
        self,
        v: list[int],
        hole: C.Hole,
        language: str,
        seat: int | None,
        sign: Callable[[Any, int, list[int]], str],
    ) -> str:
        if isinstance(hole.type, Elem) and hole.type.root.kind in ("piece", "enum"):
            root = hole.type.root
            value, told = self.knowing.ask(hole.node, v, seat)
            if told and value >= 0 and (root.kind != "piece" or self.viewer.knows(v, value, seat)):
                text = sign(root, value, v)
                return text[:1].upper() + text[1:] or self.hole(v, hole, language, seat)  # whoever has it: `Nf3`
        return self.hole(v, hole, language, seat)


def _of_one(kind: Any) -> Any:
    """The type of one step of a variable that takes several."""
    match kind:
        case SetOf(of=inner) | ListOf(of=inner):
            return inner
        case BagOf(root=root, mask=mask):
            return Elem(root, mask)
    return kind


def _of_pieces(kind: Any) -> bool:
    inner = kind.of if isinstance(kind, SetOf | ListOf) else kind
    return isinstance(inner, Elem) and inner.root.kind == "piece"


def _bound(v: list[int], entry: C.Entry, position: int, values: tuple[Any, ...]) -> list[int]:
    """A copy of the state in which an option has bound its names, from the one at a position on."""
    v = v[:]
    for variable, value in zip(entry.variables[position:], values, strict=True):
        if variable.fewest is None:
            v[variable.slot] = value
        else:
            _put_alone(v, variable, value)
    return v


def _put_alone(v: list[int], variable: C.Variable, value: int) -> None:
    """Binds a variable for several to a single one: the step of which its label tells."""
    slot = variable.slot
    match variable.type:
        case BagOf(root=root):
            v[slot : slot + root.size] = [int(i == value) for i in range(root.size)]
        case ListOf():
            v[slot : slot + 2] = [1, value]
        case _:
            v[slot] = 1 << value
