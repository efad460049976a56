"""What there is to play with: boards, pieces with their tables, places, tokens and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ruledsl.analysis.names import PartInfo, PoolInfo
from ruledsl.boards.base import SHAPES
from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax import expr as E
from ruledsl.types import (
    NO_NUMBER,
    BagOf,
    Bool,
    Code,
    Elem,
    ListOf,
    Num,
    Root,
    SetOf,
    TableOf,
    Type,
    bits,
)
from ruledsl.wording import russian
from ruledsl.wording.templates import Words

from .blocks import Teller
from .document import Item, Items, Paragraph, Section, Table
from .lexicon import text_of
from .scopes import Variable
from .slots import Nouns, Slot, Text, Tree

_OWN = {"m": "свой", "f": "своя", "n": "своё", "pl": "свои"}
W = {
    "components": Words(en="Components", ru="Состав игры"),
    "board": Words(en="{name}: {shape}", ru="{name}: {shape}"),
    "per player board": Words(en="every player has one", ru="своё у каждого игрока"),
    "holds one": Words(en="every {0:noun} holds at most one piece", ru="{0:noun}: не больше одной фишки"),
    "holds any": Words(en="a {0:noun} can hold any number of pieces", ru="{0:noun}: сколько угодно фишек"),
    "growing": Words(
        en="there is no board at first: the tiles form it, and each new one must touch at least {0}",
        ru="вначале поля нет: его образуют выложенные тайлы, каждый новый касается не менее {0}",
    ),
    "ways": Words(en="from {0} to {1}", ru="{0} → {1}"),
    "neighbors": Words(
        en="only squares that share a side are neighbours", ru="соседние клетки — только имеющие общую сторону"
    ),
    "only": Words(en="only the spaces exist where {0:cond}", ru="есть только те клетки, где {0:cond}"),
    "this": Words(en="this {0:noun}", ru="эта {0:noun}"),
    "with option": Words(en="{1} with {0}", ru="{1}, если {0}"),
    "with players": Words(en="{1} with {0} players", ru="при {0} игроках — {1}"),
    "hidden": Words(en="Hidden information", ru="Скрытая информация"),
    "nothing hidden": Words(en="everybody sees everything", ru="все видят всё"),
    "each player": Words(en="{0} for each player", ru="у каждого игрока: {0}"),
    "start": Words(en="at first {0}", ru="вначале {0}"),
    "in": Words(en="in {0}", ru="в {0:pre}"),
    "in own": Words(en="in {0} of their owner", ru="в {0:pre} хозяина"),
    "on": Words(en="on {0:noun}", ru="на {0:pre}"),
    "in reserve": Words(en="in the reserve", ru="в запасе"),
    "each of": Words(en="for every combination: {0}", ru="на каждое сочетание: {0}"),
    "tile": Words(en="they are tiles for {0}", ru="это тайлы для {0:gen}"),
    "parts": Words(en="each has parts: {0:nouns}", ru="каждый поделён на части: {0:nouns}"),
    "state": Words(en="each remembers: {0}", ru="у каждой своё состояние: {0}"),
    "kinds": Words(en="of these, {0:nouns} are those with: {1:cond}", ru="из них {0:nouns} — те, для которых {1:cond}"),
    "none": Words(en="none", ru="нет"),
    "name": Words(en="name", ru="название"),
    "number": Words(en="number", ru="сколько"),
    "starts": Words(en="at first", ru="вначале"),
    "about": Words(en="what it says", ru="что написано"),
    "kind": Words(en="kind", ru="вид"),
    "place per": Words(en="one for each {0}", ru="у {0} {1}"),
    "place player": Words(en="every player has one", ru="у каждого игрока {0}"),
    "holding": Words(en="for {0:nouns}", ru="лежат: {0:nouns}"),
    "holding any": Words(en="for any pieces", ru="лежат любые фишки"),
    "pile": Words(en="a pile", ru="стопка"),
    "row": Words(en="in a row, in order", ru="ряд по порядку"),
    "slots": Words(en="{0} numbered positions", ru="номерных мест: {0}"),
    "close": Words(en="gaps close {0}", ru="промежутки закрываются {0}"),
    "to first": Words(en="toward number 1", ru="в сторону номера 1"),
    "to last": Words(en="toward the last number", ru="в сторону последнего номера"),
    "capacity": Words(en="at most {0}", ru="не больше {0:gen}"),
    "seen all": Words(en="everybody sees what is there", ru="все видят, что там лежит"),
    "seen none": Words(en="nobody sees what is there", ru="никто не видит, что там лежит"),
    "seen owner": Words(en="only the owner sees what is there", ru="видит только хозяин"),
    "seen others": Words(en="everybody but the owner sees what is there", ru="видят все, кроме хозяина"),
    "seen top": Words(en="only the top one is visible", ru="видно только верхнюю фишку"),
    "seen by": Words(en="seen by: {0}", ru="видят: {0}"),
    "filled": Words(en="at first it holds {0:set}", ru="вначале там {0:set}"),
    "tokens": Words(en="{0:nouns}: {1}", ru="{0:nouns}: {1}"),
    "endless": Words(en="as many as needed", ru="сколько понадобится"),
    "held by": Words(en="every {2} has {0:nouns}, called “{1}”", ru="{0:nouns} лежат в «{1}» у {2}"),
    "held player": Words(en="each player has “{0}”", ru="у каждого игрока: «{0}»"),
    "held all": Words(en="a common stock is called “{0}”", ru="общее: «{0}»"),
    "held start": Words(en="{0} at first", ru="вначале {0}"),
    "paid to": Words(en="payments go to “{0}” and not to the supply", ru="заплаченное идёт в «{0}», а не в запас"),
    "value per": Words(en="for each {0}", ru="у {0}"),
    "is a": Words(en="{0:a}", ru="{0:noun}"),
    "is maybe": Words(en="{0} or none", ru="{0} или ничего"),
    "is range": Words(en="a number from {0} to {1}", ru="число от {0} до {1}"),
    "is set": Words(en="any of the {0:nouns}", ru="любые из {0:nouns gen}"),
    "is price": Words(en="a price in {0:noun}", ru="цена в {0:nouns pre}"),
    "is bag": Words(en="a number of each {0:noun}", ru="сколько каких {0:nouns gen}"),
    "is list": Words(en="a list of up to {1} {0:nouns}", ru="список: до {1} {0:nouns gen}"),
    "is truth": Words(en="yes or no", ru="да или нет"),
    "at first": Words(en="at first {0}", ru="вначале {0}"),
    "hidden none": Words(en="nobody sees it", ru="никто не видит"),
    "hidden owner": Words(en="only the owner sees it", ru="видит только хозяин"),
    "hidden others": Words(en="everybody but the owner sees it", ru="видят все, кроме хозяина"),
    "hidden by": Words(en="seen by: {0}", ru="видят: {0}"),
    "boards": Words(en="Board", ru="Поле"),
    "pieces": Words(en="Pieces", ru="Фишки, карты, тайлы"),
    "places": Words(en="Places", ru="Места"),
    "pools": Words(en="Tokens", ru="Жетоны"),
    "values": Words(en="Values", ru="Что меняется в игре"),
    "types": Words(en="Sorts", ru="Виды"),
    "history": Words(
        en="{0}: the last {1} positions are remembered; two are the same if these are: {2}",
        ru="{0}: запоминаются последние позиции ({1}); две одинаковы, если совпадает: {2}",
    ),
    "members": Words(en="{0}: {1}", ru="{0}: {1}"),
    "some of": Words(en="{0}: some of the {1:nouns}: {2}", ru="{0}: часть списка «{1:noun}»: {2}"),
    "row effect": Words(en="what {0} does under “{1}”", ru="{0}, «{1}»"),
    "row value": Words(en="{0}, “{1}”: {2}", ru="{0}, «{1}»: {2}"),
}


MOST_NAMED = 60  # spaces of a board that are told one by one


class Components:
    """The chapter of what there is."""

    def __init__(
        self,
        teller: Teller,
        only: set[str] | None = None,
        others: Callable[[], Iterator[tuple[Teller, str]]] | None = None,
    ) -> None:
        self.t, self.world, self.only = teller, teller.world, only
        self.others = list(others()) if others is not None else []  # the game with other players or options, and which

    def say(self, key: str, *args: Slot, **named: Any) -> str:
        return self.t.sentence(W[key], *args, **named)

    def wanted(self, section: str) -> Iterator[tuple[str, Scalar, Node]]:
        for name, (key, node) in self.world.sections.named[section].items():
            if self.only is None or name in self.only:
                yield name, key, node

    def section(self) -> Section:
        whole = Section(self.say("components"))
        for title, parts in (
            ("boards", self.boards()),
            ("types", self.types()),
            ("pieces", self.pieces()),
            ("places", self.places()),
            ("pools", self.pools()),
            ("values", self.values()),
        ):
            blocks = list(parts)
            if blocks:
                whole.parts.append(Section(self.say(title), blocks))
        return whole

    def hidden(self) -> Section:
        """What not everybody sees."""
        items = []
        for name, key, node in self.wanted("places"):
            told = self.seen(node.get("seen"), "seen", node.get("per")) if isinstance(node, Map) else ""
            if told and told != self.say("seen all"):
                items.append(Item(f"{self.t.lexicon.declared(name).text}: {told}", at=key.span))
        for name, key, node in (*self.wanted("values"), *self.wanted("pools")):
            if isinstance(node, Map) and (told := self.seen(node.get("seen"), "hidden")):
                items.append(Item(f"{self.t.lexicon.declared(name).text}: {told}", at=key.span))
        return Section(self.say("hidden"), [Items(items or [Item(self.say("nothing hidden"))])])

    # ------------------------------------------------------------------------------------------ boards

    def boards(self) -> Iterator[Any]:
        items = []
        for name, key, node in self.wanted("boards"):
            info = next((board for board in self.world.boards if board.name == name), None)
            if info is None or not isinstance(node, Map):
                continue
            title = self.t.lexicon.declared(name)
            space = self.t.lexicon.of_members(info.root, 1)
            facts = [self.shape(info, node)]
            if info.per_player:
                facts.append(self.say("per player board"))
            facts.append(self.say("holds one" if info.holds_one else "holds any", Nouns(space)))
            inner = node.get("grid")
            if isinstance(inner, Map) and inner.get("neighbors") is not None:
                facts.append(self.say("neighbors"))
            if (only := node.get("only")) is not None:
                with self.this(space):
                    facts.append(self.say("only", Tree(self.t.read(only))))
            facts += self.having(node)
            items.append(Item(f"{title.text}: {'; '.join(facts)}", self.ways(info), key.span, ordered=False))
        if items:
            yield Items(items)

    def this(self, title: Any, type: Type | None = None) -> Any:
        """`this` stands for what is declared."""
        from contextlib import contextmanager

        @contextmanager
        def bound() -> Iterator[None]:
            with self.t.scope():
                np = self.t.tongue.thing(title)
                self.t.scopes[-1]["this"] = Variable("this", type, np)
                yield

        return bound()

    def shape(self, info: Any, node: Map) -> str:
        board = info.board
        sizes = {name: len(set(values)) for name, values in board.coordinates.items()}
        if board.touching:
            return self.say("growing", Text(str(board.touching)))
        shape = SHAPES[board.shape]
        names = [self.t.lexicon.member(info.root, i).text for i in range(min(info.spaces, MOST_NAMED))]
        slots: dict[str, Any] = {name: Text(str(number)) for name, number in sizes.items()}
        slots["names"] = Text(", ".join(names) + (" …" if info.spaces > MOST_NAMED else ""))
        inside = node.get(shape.key) if shape.nested else node
        for name, parameter in shape.parameters.items():
            written = inside.get(name) if isinstance(inside, Map) else None
            if isinstance(written, Scalar) and parameter.type == "name":
                slots[name] = Text(self.t.lexicon.word(written.value, "space").text)
            elif isinstance(written, Scalar) and parameter.type == "int":
                slots.setdefault(name, Tree(self.t.read(written)))
        slots["spaces"] = Text(str(info.spaces - ("hub" in slots)))
        if info.between is not None:
            slots["edges_of"] = Text(self.t.lexicon.word(info.between.name, "board").text)
        return self.t.sentence(shape.words, **slots)

    def ways(self, info: Any) -> list[Item]:
        """Where ways lead from each space of a board whose spaces are written out, with the direction of each way."""
        if info.board.shape != "graph" or info.spaces > MOST_NAMED:
            return []
        found: dict[int, list[str]] = {}
        for edge in info.board.links:
            facts = [self.t.lexicon.word(edge.label, "direction").text] if edge.label else []
            name = self.t.lexicon.member(info.root, edge.end).text
            found.setdefault(edge.start, []).append(f"{name} ({facts[0]})" if facts else name)
        return [
            Item(self.say("ways", Text(self.t.lexicon.member(info.root, start).text), Text(", ".join(ends))))
            for start, ends in sorted(found.items())
        ]

    def having(self, node: Map) -> list[str]:
        """The attributes and the state of spaces, by name."""
        found = []
        for key in ("attributes", "state"):
            inner = node.get(key)
            if isinstance(inner, Map):
                names = ", ".join(self.t.lexicon.word(e.key.value, "attribute").text for e in inner)
                found.append(self.say("state", Text(names)))
        return found

    # ------------------------------------------------------------------------------------------ types

    def types(self) -> Iterator[Any]:
        items: list[Item] = []
        tables: list[Any] = []
        for name, key, node in self.wanted("types"):
            declared = self.world.names.get(name)
            if declared is None or declared.sort != "type":
                continue
            kind = declared.data.type
            title = self.t.lexicon.word(name, "type").text
            if isinstance(kind, Num):
                items.append(Item(self.say("members", Text(title), Text(self.type_text(kind))), at=key.span))
            elif isinstance(node, Map) and node.get("some") is not None and node.get("where") is not None:
                whole = self.t.lexicon.word(node.get("some").value, "type")  # type: ignore[union-attr]
                named = ", ".join(self.t.lexicon.member(kind.root, i).text for i in bits(kind.mask))
                items.append(Item(self.say("some of", Text(title), Nouns(whole), Text(named)), at=key.span))
            elif isinstance(node, Map) and isinstance(node.get("attributes"), Map):
                attributes = [e.key.value for e in node.get("attributes")]  # type: ignore[union-attr]
                tables.append(Paragraph(f"{title}:"))
                members = list(bits(kind.mask))
                tables.append(self.member_table(kind.root, members, attributes))
                tables += self.row_codes(kind, members)
            else:
                text = ", ".join(self.t.lexicon.member(kind.root, i).text for i in bits(kind.mask))
                items.append(Item(self.say("members", Text(title), Text(text)), at=key.span))
        if items:
            yield Items(items)
        yield from tables

    def member_table(self, root: Root, members: list[int], attributes: list[str]) -> Table:
        attributes = [name for name in attributes if any(self.attribute_text(root, m, name) for m in members)]
        head = [self.say("name"), *(self.t.lexicon.word(name, "attribute").text for name in attributes)]
        rows = [
            [self.t.lexicon.member(root, m).text, *(self.attribute_text(root, m, name) for name in attributes)]
            for m in members
        ]
        return Table(head, rows)

    def attribute_text(self, root: Root, member: int, name: str) -> str:
        """What one member has under an attribute that never changes."""
        attribute = next((a for a in root.attributes.get(name, ()) if a.mask >> member & 1), None)
        if attribute is None or isinstance(attribute.type, Code):
            return ""
        node = attribute.build(C.Const(member), None)
        if isinstance(attribute.type, TableOf):
            return self.table_text(node, attribute.type)
        try:
            value = self.world.evaluate(node)
        except Exception:
            return ""
        return self.value_text(value, attribute.type)

    def table_text(self, handle: Any, kind: TableOf) -> str:
        (key,) = kind.keys[:1]
        if not isinstance(key, Elem) or handle.index is None or not isinstance(handle.index, C.Const):
            return ""
        size = key.root.size
        values = handle.table[handle.index.value * size : (handle.index.value + 1) * size]
        empty = {self.world.none_value(kind.item), *([0] if isinstance(kind.item, Num) else [])}
        told = [
            f"{self.t.lexicon.member(key.root, i).text}: {self.value_text(values[i], kind.item)}"
            for i in bits(key.mask)
            if i < len(values) and values[i] not in empty
        ]
        return ("; " if any("," in text for text in told) else ", ").join(told)

    def value_text(self, value: Any, kind: Type) -> str:
        match kind:
            case Bool():
                return self.t.phrase("yes" if value else "no").say("nom")
            case Num():
                return self.say("none") if value == NO_NUMBER else self.t.tongue.number(value)
            case Elem(root=root):
                return self.say("none") if value < 0 else self.t.lexicon.member(root, value).text
            case SetOf(of=Elem(root=root)):
                return self._listed(self.t.lexicon.member(root, i).text for i in bits(value))
            case SetOf():
                return self._listed(map(str, bits(value)))
            case ListOf(of=inner):
                return self._listed(self.value_text(item, inner) for item in value)
            case BagOf(root=root):
                held = [(n, self.t.lexicon.member(root, i)) for i, n in enumerate(value) if n]
                told = [self.t.tongue.counted(n, title) for n, title in held]
                if any(":" in text for text in told):  # `Кольцо: 2`, where the form of a word is not known
                    told = [f"{title.text} {n}" for n, title in held]
                return self._listed(told)
        return str(value)

    def _listed(self, told: Iterable[str]) -> str:
        return ", ".join(told) or self.t.sentence_of("nothing")

    # ------------------------------------------------------------------------------------------ pieces

    def pieces(self) -> Iterator[Any]:
        for name, key, node in self.wanted("pieces"):
            info = next((kind for kind in self.world.kinds if kind.name == name), None)
            if info is not None:
                yield from self.kind(name, key, node if isinstance(node, Map) else None, info)

    def kind(self, name: str, key: Scalar, node: Map | None, info: Any) -> Iterator[Any]:
        title = self.t.lexicon.declared(name)
        players = self.world.players.size
        rows = self.designs(info)
        each = info.count // players if info.per_player else info.count
        text = f"{title.text}: "
        text += self.say("each player", Text(str(each))) if info.per_player else str(each)
        facts = [text + self.elsewhere(name, each)]
        combined = node.get("each") if node is not None else None
        if isinstance(combined, Map):
            facts.append(self.say("each of", Text(self.combinations(info, combined))))
        if info.tile is not None:
            facts.append(
                self.say("tile", self.t.spoken(self.t.board(next(b for b in self.world.boards if b.name == info.tile))))
            )
        facts += [self.say("parts", Nouns(self.t.lexicon.of_members(part.root, 1))) for part in info.parts]
        if node is not None and isinstance(node.get("state"), Map):
            names = ", ".join(self.t.lexicon.word(e.key.value, "attribute").text for e in self.entries(node, "state"))
            facts.append(self.say("state", Text(names)))
        homes = {self.home(m) for m in range(info.first, info.first + info.count)}
        written = combined is None or (node is not None and (node.get("rows") or node.get("from")) is not None)
        table = self.table(info, node, rows) if len(rows) > 1 and written else None
        if table is None or self.say("starts") not in table.head:
            facts.append(self.say("start", Text(self.homes(info, node))))
        elif len(homes) == 1:
            facts.append(self.say("start", Text(next(iter(homes)))))
        items = [Item("; ".join(facts), at=key.span)]
        for sub in self.entries(node, "kinds"):
            with self.this(title, Elem(self.world.pieces, info.mask)):
                condition = Tree(self.t.read(sub.value))
                items.append(
                    Item(self.say("kinds", Nouns(self.t.lexicon.declared(sub.key.value)), condition), at=sub.key.span)
                )
        yield Items(items)
        if table is not None:
            yield table
        yield from self.row_codes(Elem(self.world.pieces, info.mask), [member for member, _ in rows])

    def elsewhere(self, name: str, here: int) -> str:
        """How many there are with other numbers of players and other options, where that differs."""
        told = []
        for teller, options in self.others:
            kind = next((kind for kind in teller.world.kinds if kind.name == name), None)
            players = teller.world.players.size
            count = 0 if kind is None else kind.count // players if kind.per_player else kind.count
            if count != here:
                key, what = ("with option", options) if options else ("with players", str(players))
                told.append(self.say(key, Text(what), Text(str(count))))
        return f" ({'; '.join(told)})" if told else ""

    def combinations(self, info: Any, each: Map) -> str:
        told = []
        for entry in each:
            attributes = self.world.pieces.attributes.get(entry.key.value, ())
            kind = next((a.type for a in attributes if a.mask & info.mask), None)
            word = self.t.lexicon.word(entry.key.value, "attribute").text
            told.append(f"{word} ({self.type_text(kind)})" if kind is not None else word)
        return self.t.tongue.both(told)

    def designs(self, info: Any) -> list[tuple[int, int]]:
        """The first piece of each row, and how many there are of it (of one player)."""
        stocks = self.world.data["stocks"]
        count: Counter[Any] = Counter()
        first: dict[Any, int] = {}
        own = range(info.first, info.first + (info.count // self.world.players.size if info.per_player else info.count))
        for member in own:
            key = (stocks[member].row.word("name"), stocks[member].row.says())
            first.setdefault(key, member)
            count[key] += 1
        return [(member, count[key]) for key, member in first.items()]

    def table(self, info: Any, node: Map | None, rows: list[tuple[int, int]]) -> Table:
        """The rows of a kind with their attributes."""
        root = self.world.pieces
        names = [e.key.value for part in ("attributes", "state") for e in self.entries(node, part)]
        plain = [n for n in names if any(self.attribute_text(root, m, n) for m, _ in rows)]
        state = [e.key.value for e in self.entries(node, "state")]
        plain = [n for n in plain if n not in state]
        titles = [self.t.lexicon.member(root, m).text for m, _ in rows]
        named = len(set(titles)) > 1
        copies = any(number > 1 for _, number in rows)
        starts = self.starts_differ(info, rows)
        abouts = [self.about(m) for m, _ in rows]
        head = [self.say("name")] * named + [self.say("number")] * copies
        head += [self.t.lexicon.word(n, "attribute").text for n in (*plain, *state)]
        head += [self.t.lexicon.of_members(part.root, 1).text for part in info.parts]
        head += [self.say("starts")] * starts + [self.say("about")] * any(abouts)
        lines = []
        for (member, number), title, about in zip(rows, titles, abouts, strict=True):
            line = [title] * named + [str(number)] * copies
            line += [self.attribute_text(root, member, n) for n in plain]
            line += [self.state_text(root, member, n) for n in state]
            line += [self.parts_text(node, part, member) for part in info.parts]
            line += [self.row_home(info, member)] * starts + [about] * any(abouts)
            lines.append(line)
        return Table(head, lines)

    def parts_text(self, node: Map | None, part: PartInfo, tile: int) -> str:
        """What the parts of a tile are: `plain: north, south; ocean: south-east`."""
        parts = node.get("parts") if node is not None else None
        form = parts.get(part.name) if isinstance(parts, Map) else None
        names = [entry.key.value for entry in self.entries(form if isinstance(form, Map) else None, "attributes")]
        told = []
        for member, owner in enumerate(part.owner):
            if owner == tile:
                told.append(": ".join(filter(None, (self.attribute_text(part.root, member, name) for name in names))))
        return "; ".join(told)

    def state_text(self, root: Root, member: int, name: str) -> str:
        """What is remembered of a piece, as it is at the start."""
        attribute = next((a for a in root.attributes.get(name, ()) if a.mask >> member & 1), None)
        node = attribute.build(C.Const(member), None) if attribute is not None else None
        if isinstance(node, C.Get) and attribute is not None:
            return self.value_text(self.world.template.get(node.slot, 0), attribute.type)
        return ""

    def entries(self, node: Map | None, name: str) -> list[Any]:
        inner = node.get(name) if node is not None else None
        return list(inner) if isinstance(inner, Map) else []

    def about(self, member: int) -> str:
        texts = self.world.data["about"][member]
        return str(texts.get(self.t.language) or texts.get("en") or "")

    # ------------------------------------------------------------------------------------ where they start

    def home(self, member: int) -> str:
        """Where a piece is at first."""
        spot = self.world.data["home"][member]
        first, root = max(((f, r) for f, r in self.world.spots.roots if f <= spot), key=lambda pair: pair[0])
        if root is self.world.places:
            info = next(i for i in self.world.place_infos if i.first <= spot - first < i.first + i.count)
            if info.name.startswith("reserve "):
                return self.say("in reserve")
            per_player = isinstance(info.per, Elem) and info.per.root.kind == "player"
            form = "in own" if per_player else "in"
            return self.say(form, self.t.spoken(self.t.tongue.thing(self.t.lexicon.declared(info.name))))
        return self.say("on", Nouns(self.t.lexicon.member(root, spot - first)))

    def starts_differ(self, info: Any, rows: list[tuple[int, int]]) -> bool:
        return len({self.row_home(info, member) for member, _ in rows}) > 1

    def row_home(self, info: Any, member: int) -> str:
        """Where the pieces of a row are at first, by player where they differ."""
        stocks = self.world.data["stocks"]
        row = stocks[member].row.says()
        by_owner: dict[int, list[str]] = {}
        for m in range(info.first, info.first + info.count):
            if stocks[m].row.says() == row:
                by_owner.setdefault(stocks[m].owner, []).append(self.home(m))
        told = {owner: self.few(spots) for owner, spots in by_owner.items()}
        if len(set(told.values())) == 1:
            return next(iter(told.values()))
        return "; ".join(
            f"{self.t.lexicon.member(self.world.players, owner).text}: {spots}" for owner, spots in told.items()
        )

    def homes(self, info: Any, node: Map | None) -> str:
        by_owner: dict[int, list[str]] = {}
        stocks = self.world.data["stocks"]
        for m in range(info.first, info.first + info.count):
            by_owner.setdefault(stocks[m].owner, []).append(self.home(m))
        told = {owner: self.few(spots) for owner, spots in by_owner.items()}
        if len(set(told.values())) == 1:
            return next(iter(told.values()))
        return "; ".join(
            f"{self.t.lexicon.member(self.world.players, owner).text}: {spots}" for owner, spots in told.items()
        )

    def few(self, spots: list[str]) -> str:
        on = self.say("on", Text(""))
        spaces = [spot.removeprefix(on) for spot in spots if spot.startswith(on)]
        count = Counter(spaces)
        told = [name if n == 1 else f"{n} × {name}" for name, n in count.items()]
        others = [spot for spot in dict.fromkeys(spots) if not spot.startswith(on)]
        return ", ".join([*([on + ", ".join(told)] if told else []), *others])

    # ---------------------------------------------------------------------------------- code in rows

    def row_codes(self, owner: Elem, members: list[int]) -> Iterator[Any]:
        """Numbers, conditions and effects that stand in rows."""
        items = []
        for code in self.world.codes:
            if code.owner.root is not owner.root or code.owner.mask & ~owner.mask:
                continue
            word = self.t.lexicon.word(code.name, "attribute").text
            told: set[Node] = set()
            for member in members:
                node = code.rows.get(member)
                if node is None or node in told:
                    continue
                told.add(node)
                title = self.t.lexicon.member(owner.root, member).text
                with self.this(self.t.lexicon.of_members(owner.root, owner.mask), code.owner):
                    for name, kind in code.parameters:
                        self.t.bind(name, kind)
                    items.append(self.row_code(code, node, title, word))
        if items:
            yield Items(items)

    def row_code(self, code: Any, node: Node, title: str, word: str) -> Item:
        if code.kind == "effect":
            body = node.get("do") if isinstance(node, Map) and "do" in node.entries else node
            return self.t.with_below(Item(f"{title}, {self.t.tongue.quoted(word)}", at=node.span), self.t.block(body))
        tree = self.t.read(node)
        told = self.t.clause(tree) if code.kind == "condition" else self.t.np(tree).say("nom")
        return Item(self.say("row value", Text(title), Text(word), Text(told)), at=node.span)

    # ------------------------------------------------------------------------------------------ places

    def places(self) -> Iterator[Any]:
        items = []
        for name, key, node in self.wanted("places"):
            declared = self.world.names.get(name)
            if declared is None or declared.sort != "place" or not isinstance(node, Map):
                continue
            items.append(
                Item(f"{self.t.lexicon.declared(name).text}: {'; '.join(self.place(declared.data, node))}", at=key.span)
            )
        if items:
            yield Items(items)

    def own(self, title: str) -> str:
        """`свой`, as it goes with a title."""
        noun = russian.noun(title) if self.t.language == "ru" else None
        return _OWN.get(noun.gender if noun is not None else "", "своё")

    def place(self, info: Any, node: Map) -> list[str]:
        facts = []
        own = Text(self.own(self.t.lexicon.declared(info.name).text))
        if isinstance(info.per, Elem) and info.per.root.kind == "player":
            facts.append(self.say("place player", own))
        elif info.per is not None and (each := self.t.lexicon.of_type(info.per)) is not None:
            facts.append(self.say("place per", Text(self.t.tongue.each(each)), own))
        holds = node.get("holds")
        words = [holds] if isinstance(holds, Scalar) else list(holds) if isinstance(holds, Seq) else []
        for word in words:
            if isinstance(word, Scalar) and word.value == "any":
                facts.append(self.say("holding any"))
            elif isinstance(word, Scalar):
                facts.append(self.say("holding", Nouns(self.t.lexicon.declared(word.value))))
        order = node.get("order")
        if isinstance(order, Scalar) and order.value in ("pile", "row"):
            facts.append(self.say(order.value))
        for key in ("slots", "capacity"):
            if node.get(key) is not None:
                facts.append(self.say(key, Tree(self.t.read(node.get(key)))))
        close = node.get("close")
        if isinstance(close, Scalar):
            facts.append(self.say("close", Text(self.say(close.value))))
        facts.append(self.seen(node.get("seen"), "seen", node.get("per")))
        if node.get("start") is not None:
            facts.append(self.say("filled", Tree(self.t.read(node.get("start")))))
        return facts

    def seen(self, node: Node | None, form: str, per: Node | None = None) -> str:
        word = node.value if isinstance(node, Scalar) else ""
        if node is None or word == "all":
            return self.say("seen all") if form == "seen" else ""
        if word in ("none", "owner", "others", "top"):
            return self.say(f"{form} {word}")
        with self.t.scope():
            if isinstance(per, Scalar):
                kind = self.world.written.named_type(per.value, per.span)
                self.t.bind(per.value, kind)
            tree = self.t.read(node)
            return self.say(f"{form} by", Tree(tree))

    # ------------------------------------------------------------------------------------------ tokens

    def pools(self) -> Iterator[Any]:
        items = []
        for name, key, node in self.wanted("pools"):
            pool = next((p for p in self.world.pools if p.name == name), None)
            if pool is None or not isinstance(node, Map):
                continue
            items.append(Item("; ".join(self.pool(pool, node)), at=key.span))
        if items:
            yield Items(items)

    def pool(self, pool: PoolInfo, node: Map) -> list[str]:
        title = self.t.lexicon.declared(pool.name)
        if pool.total is None:
            total = self.say("endless")
        elif pool.of is None:
            total = str(pool.total[0])
        else:
            total = ", ".join(
                f"{n} {self.t.lexicon.member(pool.of, i).text}" for i, n in enumerate(pool.total) if pool.mask >> i & 1
            )
        facts = [self.say("tokens", Nouns(title), Text(total))]
        starts = node.get("start")
        for word, (_, base, root) in pool.holders.items():
            called = self.t.lexicon.word(word, "tokens").text
            if root is None:
                fact = self.say("held all", Text(called))
            elif root.kind == "player":
                fact = self.say("held player", Text(called))
            else:
                fact = self.say(
                    "held by",
                    Nouns(title),
                    Text(called),
                    Text(self.t.tongue.each(self.t.lexicon.of_members(root, root.everything))),
                )
            if isinstance(starts, Map) and starts.get(word) is not None:
                amount = tuple(self.world.template.get(base + i, 0) for i in range(pool.size))
                told = (
                    str(amount[0]) if pool.of is None else self.value_text(amount, BagOf(pool.of, pool.mask, pool.most))
                )
                fact += ", " + self.say("held start", Text(told))
            facts.append(fact)
        if pool.paid:
            facts.append(self.say("paid to", Text(self.t.lexicon.word(pool.paid, "tokens").text)))
        return facts

    # ------------------------------------------------------------------------------------------ values

    def values(self) -> Iterator[Any]:
        items = []
        for name, key, node in self.wanted("values"):
            info = next((value for value in self.world.values if value.name == name), None)
            if info is None:
                continue
            facts = [self.type_text(info.type)]
            if info.keys:
                keys = [self.t.tongue.each(title) for kind in info.keys if (title := self.t.lexicon.of_type(kind))]
                facts.insert(0, self.say("value per", Text(self.t.tongue.both(keys))))
            facts.append(self.say("at first", Text(self.start_text(info))))
            if isinstance(node, Map) and (seen := self.seen(node.get("seen"), "hidden")):
                facts.append(seen)
            items.append(Item(f"{self.t.lexicon.declared(name).text}: {'; '.join(facts)}", at=key.span))
        for name, key, node in self.wanted("history"):
            info = self.world.histories.get(name)
            if info is not None and isinstance(node, Map):
                of = self.t.slot_of("words", node.get("of"))
                called = self.t.lexicon.word(name, "value").text
                items.append(Item(self.say("history", Text(called), Text(str(info.keep)), of or Text("")), at=key.span))
        if items:
            yield Items(items)

    def start_text(self, info: Any) -> str:
        base = info.base
        match info.type:
            case BagOf():
                value: Any = tuple(self.world.template.get(base + i, 0) for i in range(info.width))
            case ListOf():
                count = self.world.template.get(base, 0)
                value = tuple(self.world.template.get(base + 1 + i, 0) for i in range(count))
            case _:
                value = self.world.template.get(base, 0)
        return self.value_text(value, info.type)

    def type_text(self, kind: Type) -> str:
        """What a value can be."""
        match kind:
            case Bool():
                return self.say("is truth")
            case Num(low, high, maybe):
                text = self.say("is range", Text(self.t.tongue.number(low)), Text(self.t.tongue.number(high)))
                return self.say("is maybe", Text(text)) if maybe else text
            case Elem(maybe=maybe):
                title = self.t.lexicon.of_type(kind)
                one = self.say("is a", Nouns(title)) if title is not None else ""
                return self.say("is maybe", Text(one)) if maybe else one
            case SetOf(of=inner):
                title = self.t.lexicon.of_type(inner)
                return self.say("is set", Nouns(title)) if title is not None else ""
            case BagOf():
                title = self.t.lexicon.of_type(kind)
                sort = "is bag" if kind.root.whole is None else "is price"
                return self.say(sort, Nouns(title)) if title is not None else ""
            case ListOf(of=inner, most=most):
                title = self.t.lexicon.of_type(inner)
                return self.say("is list", Nouns(title), Text(str(most))) if title is not None else ""
        return ""


__all__ = ["Components", "E", "Report", "text_of"]
