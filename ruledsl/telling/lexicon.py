"""What everything in a game is called: the titles of the game, and words of ours where it has none."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.compile import GameWorld
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.types import BagOf, Bool, Elem, ListOf, Num, Root, SetOf, Type, bits

from .phrases import MARKS, Title, Tongue

# Words that every game has without declaring them.
OURS = {
    "player": ("player", "игрок"),
    "space": ("space", "клетка"),
    "board": ("board", "поле"),
    "piece": ("piece", "фишка"),
    "place": ("place", "место"),
    "direction": ("direction", "направление"),
    "directions": ("directions", "направления"),
    "orthogonal": ("straight directions", "прямые направления"),
    "diagonal": ("diagonal directions", "диагональные направления"),
    "number": ("number", "число"),
    "owner": ("owner", "владелец"),
    "holder": ("holder", "обладатель"),
    "slot": ("slot", "номер места"),
    "index": ("number", "номер"),
    "x": ("column", "столбец"),
    "y": ("row", "ряд"),
    "name": ("name", "название"),
    "sides": ("sides", "стороны"),
    "box": ("box", "коробка"),
    "reserve": ("reserve", "запас"),
    "winners": ("winners", "победители"),
    "edge": ("edge", "ребро"),
    "actor": ("player who acted before", "действовавший игрок"),
    "candidate": ("candidate", "кандидат"),
    "value": ("value", "значение"),
    "score": ("total", "сумма очков"),
    "ranking": ("ranking", "таблица мест"),
}
DIRECTIONS = {
    "n": ("north", "север"),
    "ne": ("north-east", "северо-восток"),
    "e": ("east", "восток"),
    "se": ("south-east", "юго-восток"),
    "s": ("south", "юг"),
    "sw": ("south-west", "юго-запад"),
    "w": ("west", "запад"),
    "nw": ("north-west", "северо-запад"),
    "cw": ("clockwise", "по часовой стрелке"),
    "ccw": ("anticlockwise", "против часовой стрелки"),
    "hub": ("the middle", "середина"),
    "up": ("up", "вверх"),
    "down": ("down", "вниз"),
}
SORTS = {
    "board": "board", "kind": "piece", "place": "place", "value": "value", "pool": "tokens", "holder": "tokens",
    "type": "type", "part": "part", "player": "player", "attribute": "attribute",
}  # fmt: skip


def text_of(node: Node | None, language: str) -> str:
    """A text of the file in a language, in English or whatever it has where that is missing; without our marks."""
    if isinstance(node, Map):
        texts = {e.key.value: e.value.value for e in node if isinstance(e.value, Scalar)}
        text = texts.get(language) or texts.get("en") or next(iter(texts.values()), "")
    else:
        text = node.value if isinstance(node, Scalar) and not node.is_null else ""
    return " ".join(text.translate(MARKS).split())


OF_VALUES = {"player": "player", "space": "space", "piece": "piece"}  # what a value stands for, by its type


class Lexicon:
    """The titles of one game in one language."""

    def __init__(self, world: GameWorld, tongue: Tongue) -> None:
        self.world, self.tongue, self.language = world, tongue, tongue.language

    def word(self, word: str, sort: str) -> Title:
        """A name as players read it; one of ours where nothing is said."""
        texts = self.world.title_of_word(word)
        plain = word.replace("_", " ")
        if (found := texts.get(self.language)) and (self.language != "en" or found != plain):
            return self._title(found, sort)
        declared = self.world.names.get(word)
        if word in OURS and (declared is None or declared.span is None or sort in ("board", "space", "part")):
            return Title(OURS[word][self.language != "en"], sort)
        return self._title(texts.get("en", plain), sort, foreign=self.language != "en")

    def ours(self, word: str, sort: str = "attribute") -> Title:
        return Title(OURS[word][self.language != "en"], sort)

    def _title(self, text: str, sort: str, foreign: bool = False) -> Title:
        forms = self.world.cases.get(self.language, {}).get(text, {})
        return Title(text.translate(MARKS).strip() or "?", sort, foreign, tuple(forms.items()))

    def declared(self, name: str, sort: str = "") -> Title:
        """What a declaration is called: its `title:`, its `label:`, or its name."""
        declared = self.world.names.get(name)
        kind = SORTS.get(declared.sort if declared is not None else "", sort or "value")
        if kind == "value" and declared is not None and isinstance(getattr(declared.data, "type", None), Elem):
            kind = OF_VALUES.get(declared.data.type.root.kind, kind)
        section = {"piece": "pieces", "place": "places"}.get(kind)
        node = self.world.sections.named[section].get(name, (None, None))[1] if section else None
        written = node.get("title") if isinstance(node, Map) else None
        if written is not None and (text := text_of(written, self.language)) and "{" not in text:
            known = not isinstance(written, Map) or self.language in written.entries
            return self._title(text, kind, foreign=not known and self.language != "en")
        found = self.word(name, kind)
        if kind == "piece" and self.language == "en" and found.text == _several(name):
            return Title(name.replace("_", " "), kind)  # players read the name of the pile; of one, its own
        return found

    def member(self, root: Root, number: int) -> Title:
        """A member of something finite: as it is titled, or its name."""
        titles = root.titles[number] if number < len(root.titles) else None
        name = str(root.names[number])
        texts: dict[str, Any] = titles or {}
        sort = {"player": "player", "piece": "piece", "space": "space", "part": "part"}.get(root.kind, "member")
        plain = name.replace("_", " ")
        found = texts.get(self.language)
        if root.kind == "direction" and name in DIRECTIONS and (not found or found in (name, plain)):
            return Title(DIRECTIONS[name][self.language != "en"], "direction")
        if found:
            text = str(found)
            return self._title(plain if text == name else text, sort)
        english = str(texts.get("en") or plain)
        return self._title(plain if english == name else english, sort, foreign=self.language != "en")

    def kind_of(self, mask: int) -> str | None:
        """The kind that all these pieces are of, the narrowest; None where they are of several."""
        fitting = [
            (info.mask.bit_count(), name)
            for name, info in (
                (d.name, d.data) for d in self.world.names.values() if d.sort == "kind" and d.data is not None
            )
            if mask and mask & ~info.mask == 0
        ]
        return min(fitting)[1] if fitting else None

    def of_type(self, kind: Type | None) -> Title | None:
        """What one value of a type is called; None for what has no noun."""
        match kind:
            case Num():
                return self.ours("number", "number")
            case Elem(root=root, mask=mask):
                return self.of_members(root, mask)
            case SetOf(of=inner) | ListOf(of=inner):
                return self.of_type(inner)
            case BagOf(root=root):
                return self.word((root.whole or root).name, "type")
            case Bool():
                return None
        return None

    def of_members(self, root: Root, mask: int) -> Title:
        match root.kind:
            case "player" | "direction" | "place":
                return self.ours(root.kind, root.kind)
            case "piece":
                kind = self.kind_of(mask)
                return self.declared(kind) if kind is not None else self.ours("piece", "piece")
            case "space":
                found = self.word(root.name, "space")
                return self.ours("space", "space") if found.foreign else found
            case "part":
                return self.word(root.name, "part")
        if root.name.startswith("name of "):
            return self.ours("name")
        return self.word(root.name, "type")

    def held_by(self, mask: int) -> Title:
        """What lies in some places."""
        return self.of_members(self.world.pieces, self.world.kinds_of_places(mask))

    def members(self, root: Root, mask: int) -> list[str]:
        return [self.tongue.noun(self.member(root, i)) for i in bits(mask)]


def _several(name: str) -> str:
    from ruledsl.wording.english import plural

    return plural(name.replace("_", " "))
