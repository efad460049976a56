"""All that a game declares, for one set of options and number of players: names, types, pieces, the layout.

The declarations are taken in the order in which they need each other: players, types, options, boards, pieces,
places, pools, values. Formulas and effects are only listed; they are worked out when they are first used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from ruledsl.boards.marks import Look
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.evaluate import Eval, Evaluator
from ruledsl.engine.pieces import Pieces
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.ir.effort import effort
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import number_meant
from ruledsl.types import (
    BROKEN,
    NO_NUMBER,
    NONE,
    Attribute,
    BagOf,
    Bool,
    Broken,
    Elem,
    ListOf,
    Num,
    Root,
    SetOf,
    TableOf,
    Type,
    bits,
    is_maybe,
    none_of,
)

from .elaborate import Elaborator
from .making import CodeInfo, FormulaInfo, Making
from .names import (
    BAD,
    RESERVED,
    Binding,
    BoardInfo,
    Declared,
    Handle,
    KindInfo,
    NamedType,
    NotFixed,
    PlaceInfo,
    PoolInfo,
    Typed,
    ValueInfo,
)
from .needs import Needs
from .sections import Sections, Source
from .show import show
from .written_types import WrittenTypes

if TYPE_CHECKING:
    from ruledsl.engine.machine import Machine

_NAMES_OF = attrgetter("names")

LONGEST_STATE = 200_000  # slots
_RANGE = re.compile(r"\d+\s*\.\.\s*(\d+)")
MOST_PIECES = 4_000
ROUNDS = 10_000
MOST_EFFORT = 10_000_000  # steps of what is worked out before play
MOST_MEMBERS = 4_000  # of a type
MOST_SPACES = 40_000  # of all boards together


class World:
    """The names of a game and what they stand for, with the layout of its states."""

    def __init__(
        self, source: Source, sections: Sections, options: dict[str, Any], players: list[str], report: Report
    ) -> None:
        from .functions import BUILTINS

        self.source, self.sections, self.report = source, sections, report
        self.options, self.span, self.trees = options, source.span, source.trees
        self.builtins = BUILTINS
        self.names: dict[str, Declared] = {}
        self.layout = C.Layout()
        for name in ("pc", "me", "turn_player", "turn_number", "round", "ended", "winners"):
            self.layout.add(name, 1, 1, None, "header")
        self.layout.add("streams", len(C.STREAM_NAMES), 1, None, "stream")
        self.spots = C.Spots()
        self.full: set[tuple[C.Node, ...]] = set()  # bounds of ranges that are never empty
        self.open_state: set[int] = set()  # where state of pieces is kept that all see though a piece lies hidden
        self.rounds = ROUNDS
        self.next_scratch = 0
        self.effort = 0  # steps taken while the game is read
        self.template: dict[int, Any] = {}  # what slots hold at the start, other than 0
        self.players = Root("player", "player", list(players), [None] * len(players))
        self.directions = Root("direction", "direction")
        self.pieces = Root("piece", "piece")
        self.places = Root("place", "place")
        self.roots: dict[str, Root] = {
            "player": self.players,
            "direction": self.directions,
            "piece": self.pieces,
            "place": self.places,
        }
        # By direction: the circle it turns in, its position there. All directions of a board are such a circle; those
        # of a kind, as the sides of a square, are one by themselves.
        self.cycles: dict[int, tuple[tuple[int, ...], int]] = {}
        self.kin_cycles: dict[int, tuple[tuple[int, ...], int]] = {}
        self.looks: dict[str, Look] = {}  # by word, in pictures
        self.cases: dict[str, dict[str, dict[str, str]]] = {}  # by language: names in their cases
        self.boards: list[BoardInfo] = []
        self.kinds: list[KindInfo] = []
        self.parts: list[Any] = []
        self.place_infos: list[PlaceInfo] = []
        self.pools: list[PoolInfo] = []
        self.values: list[ValueInfo] = []
        self.formulas: list[FormulaInfo] = []
        self.codes: list[CodeInfo] = []
        self.unused_bindings: list[Binding] = []
        self.used_members: set[tuple[Root, int]] = set()
        self._indexes: dict[Root, dict[str, int]] = {}
        self._homes: dict[str, list[tuple[Root, int]]] = {}
        self._homes_sizes: list[int] = []  # of the types, when `_homes` was made
        self.directed: list[Any] = []
        self.histories: dict[str, Any] = {}
        self.holders: dict[int, tuple[PoolInfo, Root | None]] = {}  # pools by the slot of a holder's first token
        self.busy: list[FormulaInfo] = []
        self.reasons: dict[Any, C.Words] = {}  # what a condition, domain or formula says to whom it refuses something
        self.steps: dict[int, tuple[str, Typed]] = {}  # what the slot of a step of a formula is called
        self.data: dict[str, Any] = {
            "titled": set(),
            "wide": {},
            "piece_state": [],
            "rows": [],
            "about": [],
            "slots": {},
            "closes": {},
        }
        self.needs = Needs()
        self.elaborator = Elaborator(self)
        self.written = WrittenTypes(self)
        self.making = Making(self)
        self.default_player_titles()

    def let_go(self) -> None:
        """Nobody needs this world any more: its circles are opened, so that its memory is free at once.

        A search for circles would take many times as long, and go through all that is still needed, too.
        """
        for part in self._in_circles():
            vars(part).clear()
        vars(self).clear()

    def _in_circles(self) -> list[object]:
        roots = {id(root): root for root in (*self.roots.values(), self.pieces, self.places, self.players)}
        return [*roots.values(), self.elaborator, self.making, self.needs, *self.formulas, *self.codes]

    # ------------------------------------------------------------------------------------------- names

    def default_player_titles(self) -> None:
        for i, name in enumerate(self.players.names):
            unnamed = {"ru": f"игрок {i + 1}"} if name == f"player_{i + 1}" else {}
            self.players.titles[i] = unnamed | self.title_of_word(name)

    def title_of_word(self, word: str) -> dict[str, str]:
        """How a word reads in each language: as declared, unless `text:` translates it."""
        self.data["titled"].add(word)
        found = {"en": word.replace("_", " ")}
        for language, table in self.sections.texts.items():
            node = table.get(word)
            if isinstance(node, Scalar):
                found[language] = node.value
        return found

    def idle_at_zero(self, number: Typed | None, span: Span) -> None:
        """Notes a count that is always 0: what it counts never happens."""
        if number is not None and isinstance(number.type, Num) and number.type.high <= 0:
            self.idle(span, "this is always 0, so nothing happens")

    def idle(self, span: Span, message: str) -> None:
        """Notes something that does nothing."""
        self.data.setdefault("idle", []).append((span, message))

    def declare(self, name: str, sort: str, span: Span | None, data: Any = None) -> Declared | None:
        old = self.names.get(name)
        if old is not None:
            first = old.span
            if first is not None and span is not None and first.file is span.file and first.start > span.start:
                first, span = span, first  # places come before values here, but not in every file
            notes = ((first, "first declared here"),) if first else ()
            self.report.error("N203", span, f"`{name}` is declared twice", notes=notes, help="rename one of them")
            return None
        if not name.isidentifier():
            self._no_name(name, span)
        elif name in RESERVED and not (sort in ("effect", "action") and name in ("place", "piece")):
            self.report.error("N105", span, f"`{name}` has a meaning of its own", help="choose another name")
        elif name in self.builtins and sort not in ("effect", "action"):  # these are called in statements alone
            self.report.warn("L504", span, f"`{name}` hides the function of that name", help="choose another name")
        declared = Declared(name, sort, span, data)
        self.names[name] = declared
        return declared

    def _no_name(self, name: str, span: Span | None) -> None:
        """Says so where a declaration is called what nothing can be called."""
        help = "use letters, digits and `_`, with a letter first"
        parts = [part.strip() for part in name.split(",")]
        if len(parts) > 1 and all(part.isidentifier() for part in parts):
            help = f"each is declared on a line of its own: {' and '.join(f'`{part}: …`' for part in parts)}"
            self.data.setdefault("broken names", set()).update(parts)
        self.report.error("N204", span, f"`{name}` cannot be a name", help=help)

    def settled(self, tree: Any, value: bool) -> None:
        """A condition that is worked out already: told if no play can have it otherwise."""
        if not self.by_configuration(tree):
            self.data.setdefault("settled", []).append((tree.span, value))

    def unused(self, binding: Binding) -> None:
        self.unused_bindings.append(binding)

    def member_number(self, root: Root, word: str) -> int | None:
        index = self.member_index(root)
        return index.get(word)

    def member_index(self, root: Root) -> dict[str, int]:
        found = self._indexes.get(root)
        if found is None or len(found) != root.size:
            found = {name: i for i, name in enumerate(root.names)}
            if root.kind != "place":
                self._indexes[root] = found
        return found

    def forget_names(self) -> None:
        """Members are called otherwise from now on."""
        self._indexes.clear()
        self._homes_sizes = []

    def use_member(self, root: Root, number: int) -> None:
        self.used_members.add((root, number))
        if root.whole is not None and number < root.whole.size:
            self.used_members.add((root.whole, number))

    def homes(self, word: str) -> list[tuple[Root, int]]:
        """The types that have a member of this name."""
        sizes = list(map(len, map(_NAMES_OF, self.roots.values())))
        if sizes != self._homes_sizes:  # members came since
            self._homes_sizes, self._homes = sizes, {}
        found = self._homes.get(word)
        if found is None:
            indexes = [(root, self.member_index(root)) for root in self.roots.values() if root.kind != "place"]
            found = self._homes[word] = [(root, index[word]) for root, index in indexes if word in index]
        return found

    def known_words(self, scopes: list[dict[str, Binding]], want: Type | None) -> list[str]:
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        words: list[str] = []
        if isinstance(inner, Elem):
            words += inner.root.names
        words += [name for scope in scopes for name in scope]
        words += [
            *self.names,
            *(board.word for board in self.boards),
            "me",
            "players",
            "turn_player",
            "opponent",
            "round",
            "turn_number",
            "this",
            "none",
            "true",
            "false",
            *(["supply"] if self.sections.named["pools"] else []),
        ]
        for root in self.roots.values():
            if root.kind not in ("place",) and root.size <= 500:
                words += root.names
        return words

    def failed(self, word: str) -> bool:
        """Whether a name is declared but could not be made, which was reported where it is declared."""
        if self.report.errors == 0:
            return False
        if word in self.names:
            return self.names[word].sort == "broken"
        if word in self.data.get("broken names", ()):
            return True
        if "declared" not in self.data:
            self.data["declared"] = {
                name.split("(")[0].strip() for table in self.sections.named.values() for name in table
            }
        return word in self.data["declared"]

    def broken_header(self, text: str) -> None:
        """A name with parameters that cannot be read: whatever it may have been called is known as broken."""
        words = re.findall(r"[^\W\d]\w*", text.partition("(")[0].partition("[")[0]) or [text]
        broken = self.data.setdefault("broken names", set())
        broken |= {words[0], "_".join(words), "".join(words)}

    def attribute_failed(self, name: str) -> bool:
        """Whether something has an attribute, place or value of this name that could not be made."""
        if self.report.errors == 0:
            return False
        return self.report.attributes_lost or name in self.data.get("broken attributes", ()) or self.failed(name)

    def members_hint(self, want: Type | None) -> str:
        inner = want.of if isinstance(want, SetOf | ListOf) else want
        if isinstance(inner, Elem) and 0 < inner.root.size <= 20 and inner.root.kind in ("enum", "direction", "player"):
            return "it is one of " + ", ".join(f"`{inner.root.names[i]}`" for i in bits(inner.mask))
        return ""

    def titled(self, word: str) -> list[str]:
        """What players know by this word, in some language."""
        wanted = word.replace("_", " ").casefold()
        return [
            name
            for table in self.sections.texts.values()
            for name, node in table.items()
            if name != word and isinstance(node, Scalar) and node.value.casefold() == wanted
        ]

    def by_configuration(self, tree: Any) -> bool:
        """Whether an expression depends on options or the number of players, which other plays have otherwise."""
        for name in E.names_in(tree):
            declared = self.names.get(name)
            if name == "round" and self.rounds < ROUNDS and "rounds by configuration" not in self.data:
                continue  # every play has as many
            if name in ("players", "round", "turn_number") or (
                declared is not None and declared.sort in ("option", "formula")
            ):
                return True
        return False

    # ----------------------------------------------------------------------------------------- numbers

    def scratch(self) -> int:
        """A slot behind the state, counted from its end."""
        self.next_scratch += 1
        return -self.next_scratch

    def evaluate(self, node: C.Node) -> Any:
        """The value of an expression that is fixed at loading."""
        self._spend(node, 100 + effort(node, {}))
        if isinstance(node, C.Const):
            return node.value
        v = self._slots()
        for slot, value in self.template.items():
            v[slot] = value
        return self.static_evaluator().of(node)(v)

    def still(self, node: C.Node, slot: int) -> Callable[[int], Any]:
        """The value of an expression that nothing in play can change, by what stands in one slot."""
        steps = 100 + effort(node, {})
        value_of = cache(self.by_slot(node, slot))

        def value(given: int) -> Any:
            self._spend(node, steps)
            return value_of(given)

        return cache(value)

    def by_slot(self, node: C.Node, slot: int) -> Callable[[int], Any]:
        """The same, whatever it takes."""
        v = _Still(self._slots(), slot)
        value_of: Eval | None = None

        def value(given: int) -> Any:
            nonlocal value_of
            value_of = value_of or self.static_evaluator().of(node)
            v[slot] = given
            return value_of(v)

        return value

    def _slots(self) -> list[int]:
        return [0] * (self.layout.size + self.next_scratch + 8)

    def _spend(self, node: C.Node, steps: int) -> None:
        """Counts what is worked out before play, which may not take for ever."""
        self.effort += steps
        if self.effort > MOST_EFFORT:
            self.report.error(
                "R317",
                getattr(node, "span", None) or self.span,
                "calculating this before play takes too many steps",
                help="use smaller sets in sizes, starts and conditions on spaces",
            )
            raise GameError(self.report)

    def static_evaluator(self) -> Evaluator:
        return _Static(self).evaluator

    def constant(self, node: Node | None, want: Type, role: str) -> Any:
        """The value of an expression of the file that must be known at loading; None if it cannot be had."""
        if (plain := self._plain(node, want)) is not None:
            return plain
        before = self.report.errors
        if isinstance(want, Num) and isinstance(node, Scalar) and (bounds := _RANGE.fullmatch(node.value)):
            said = f"{role} is one number, not a range"
            self.report.error("T201", node.span, said, help=f"write `{bounds[1]}`", suggestions=(bounds[1],))
            return int(bounds[1])
        self.elaborator.no_me += 1
        typed = self.elaborator.value(node, want, role)
        self.elaborator.no_me -= 1
        if self.report.errors > before or isinstance(typed.type, Broken) or node is None:
            return number_meant(node.value) if isinstance(node, Scalar) and isinstance(want, Num) else None
        try:
            return self.evaluate(typed.node)
        except RulesFault as fault:
            self.report.error("R306", fault.span or node.span, fault.message)
        except NotFixed as problem:
            self.report.error("R307", node.span, f"{role} must be fixed before play begins, and {problem} is not")
        return None

    def _plain(self, node: Node | None, want: Type) -> Any:
        """The value of a number, a truth, a word or a list of these that stands alone, as in most cells of tables; None
        where more is to be said about it."""
        if isinstance(node, Seq) and isinstance(want, SetOf):
            values = [self._plain(item, want.of) for item in node.items]
            return None if None in values else tuple(values)
        if not isinstance(node, Scalar) or node.style != "plain":
            return None
        value: int | None = None
        if isinstance(want, Num):
            value = node.as_int()
            if value is not None and not want.low <= value <= want.high:
                return None
        elif isinstance(want, Elem):
            if want.root.kind not in ("piece", "place"):
                value = self.member_number(want.root, node.value)
            if value is not None:
                if not want.mask >> value & 1 or self.elaborator.local(node.value) is not None:
                    return None
                self.use_member(want.root, value)
        elif isinstance(want, Bool):
            truth = node.as_bool()
            value = None if truth is None else int(truth)
        if value is not None:
            self.source.alone.add(node)
        return value

    # ------------------------------------------------------------------------------------------- types

    def named(self, name: str, kind: Elem | Num) -> NamedType:
        if isinstance(kind, Elem):
            kind.root.parts.setdefault(name, kind.mask)
        return NamedType(name, kind)

    # ------------------------------------------------------------------------- reading what the state holds

    def width(self, kind: Type) -> int:
        """How many slots a value takes."""
        if isinstance(kind, BagOf):
            return kind.root.size
        return kind.most + 1 if isinstance(kind, ListOf) else 1

    def load(self, base: int, index: C.Node | None, kind: Type, span: Span | None = None) -> C.Node:
        """The code that reads a value of the state."""
        if isinstance(kind, BagOf | ListOf):
            return C.Several(base, index, self.width(kind), isinstance(kind, ListOf), span)
        if index is None:
            return C.Get(base, span)
        return C.Cell(base, index, self.none_in(kind), span)

    def none_in(self, kind: Type) -> int:
        """What an attribute of none is."""
        if isinstance(kind, Num):
            return NO_NUMBER
        return NONE if isinstance(kind, Elem) else 0

    def look_up(self, handle: Any, key: C.Node, keys: tuple[Elem | Num, ...], item: Type, span: Span) -> Typed:
        """One more key of a table; the value when it was the last."""
        first = keys[0]
        low, size = (first.low, first.high - first.low + 1) if isinstance(first, Num) else (0, first.root.size)
        if low:
            key = C.Cond(
                C.Op("equal", (key, C.Const(NO_NUMBER))),
                C.Const(NONE),
                self.elaborator.op("subtract", (key, C.Const(low))),
            )
        if not isinstance(handle, Handle):
            return BAD
        if handle.tile is not None:
            (turn, turns), piece = handle.tile
            key = C.Primitive("as_it_lies", (key, piece), (turns, turn, -1), span)
        if handle.index is None:
            index = key
        else:
            index = C.Primitive("key", (handle.index, key), (size,), span)
            if isinstance(handle.index, C.Const) and isinstance(key, C.Const) and key.value >= 0:
                index = C.Const(handle.index.value * size + key.value)
        if len(keys) > 1:
            return Typed(Handle(handle.base, handle.table, index, span), TableOf(keys[1:], item))
        if handle.base >= 0:
            if isinstance(index, C.Const) and index.value >= 0 and not isinstance(item, BagOf | ListOf):
                return Typed(C.Get(handle.base + index.value, span), item)
            return Typed(self.load(handle.base, index, item, span), item)
        return Typed(C.Look(handle.table, index, self.none_value(item), span), item)

    def none_value(self, kind: Type) -> Any:
        if isinstance(kind, BagOf):
            return (0,) * kind.root.size
        return () if isinstance(kind, ListOf) else self.none_in(kind)

    @property
    def secrets(self) -> list[ValueInfo]:
        """What is kept in values, or held of tokens, and not seen by everybody."""
        held = [one for pool in self.pools for one in pool.secrets]
        return [value for value in self.values if value.seen is not None] + held

    def attribute(self, root: Root, name: str, mask: int, kind: Type, build: Any, origin: Any = None) -> None:
        root.attributes.setdefault(name, []).append(Attribute(name, mask, kind, build, origin))

    def fixed_attribute(
        self, root: Root, name: str, mask: int, kind: Type, values: list[Any], origin: Any = None
    ) -> None:
        """An attribute that never changes: a look into an array."""
        table = tuple(values)
        if isinstance(kind, TableOf):
            none = self.none_value(kind.item)
            flat: list[Any] = []
            size = (
                kind.keys[0].root.size if isinstance(kind.keys[0], Elem) else kind.keys[0].high - kind.keys[0].low + 1
            )
            for value in values:
                flat += list(value) if isinstance(value, list | tuple) and value else [none] * size
            self.attribute(root, name, mask, kind, lambda node, span: Handle(-1, tuple(flat), node, span), origin)
            return
        none = self.none_value(kind)

        def build(node: C.Node, span: Span | None) -> C.Node:
            if isinstance(node, C.Const) and node.value >= 0:
                return C.Const(table[node.value], span)
            return C.Look(table, node, none, span)

        self.attribute(root, name, mask, kind, build, origin)

    def state_attribute(self, root: Root, name: str, mask: int, kind: Type, base: int, origin: Any = None) -> None:
        """An attribute that changes: an array of the state by member."""

        def build(node: C.Node, span: Span | None) -> C.Node:
            if isinstance(node, C.Const) and node.value >= 0 and self.width(kind) == 1:
                return C.Get(base + node.value, span)
            return self.load(base, node, kind, span)

        self.attribute(root, name, mask, kind, build, origin)

    # ------------------------------------------------------------------------------------ pieces and places

    def kinds_by_name(self) -> list[KindInfo]:
        """The kinds of pieces, then parts of kinds that have a name of their own."""
        return [*self.kinds, *(d.data for d in self.names.values() if d.sort == "kind" and d.data not in self.kinds)]

    def spot_of_place(self, node: C.Node) -> C.Node:
        if isinstance(node, C.Const):
            return C.Const(node.value + self.spots.first_place if node.value >= 0 else NONE)
        return C.Primitive("offset", (node,), (self.spots.first_place,))

    def areas(self) -> list[tuple[BoardInfo | PlaceInfo, list[range]]]:
        """Boards, with the parts of their tiles, and sorts of places, each with its spots."""

        def spots(first: int, root: Root) -> range:
            return range(first, first + root.size)

        found: list[tuple[BoardInfo | PlaceInfo, list[range]]] = []
        for board in self.boards:
            parts = [spots(part.first_spot, part.root) for part in self.parts if part.kind.tile == board.name]
            found.append((board, [spots(board.first_spot, board.root), *parts]))
        for info in self.place_infos:
            first = self.spots.first_place + info.first
            found.append((info, [range(first, first + info.count)]))
        return found

    def kinds_of_places(self, mask: int) -> int:
        found = 0
        for info in self.place_infos:
            if mask & (((1 << info.count) - 1) << info.first):
                found |= info.kinds
        return found

    def is_ordered(self, mask: int) -> bool:
        return any(
            info.ordered or info.slots for info in self.place_infos if mask & (((1 << info.count) - 1) << info.first)
        )

    def spot_of(self, typed: Typed, span: Span, role: str) -> C.Node:
        """Where a value leads: a space, a part or a place as a spot; none where it is no such thing."""
        kind = typed.type
        if isinstance(kind, Broken):
            return C.Const(0)
        if isinstance(kind, Elem) and kind.root.kind in ("space", "part", "place"):
            first = self.first_spot(kind.root)
            node = typed.node
            if kind.maybe:
                node = C.Demand(node, NONE, f"{role} is none", span)
            if isinstance(node, C.Const):
                return C.Const(node.value + first, span)
            return C.Op("add", (node, C.Const(first)), span) if first else node
        help = "`first(…)` gives the first of them" if isinstance(kind, SetOf) else ""
        if isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root is self.pieces:
            help = "pieces are moved by `move:`, one set after the other; here a whole space or place is meant"
        word = span.one_line
        info = next((info for info in self.place_infos if info.name == word and info.per is not None), None)
        if info is not None:
            mine = isinstance(info.per, Elem) and info.per.root is self.players
            help = f"there is one for each: write which, as in `{f'me.{word}' if mine else f'{word}[x]'}`"
        self.report.error("T234", span, f"{role} must be a space or a place, not {show(kind)}", help=help)
        return C.Const(0)

    def frontier(self, info: BoardInfo) -> int:
        """The slot of a growing board's frontier."""
        return next((board.frontier for board in self.spots.growing if board.first == info.first_spot), 0)

    def first_spot(self, root: Root) -> int:
        return next(first for first, found in self.spots.roots if found is root)

    # ---------------------------------------------------------------------------------------- directions

    def turning(self, mask: int) -> tuple[int, ...] | None:
        """The smallest circle that all these directions turn in; None if they belong to several boards.

        So the sides of a square turn by quarters, and all eight directions together by eighths.
        """
        for cycles in (self.kin_cycles, self.cycles):
            circles = {cycles[d][0] if d in cycles else () for d in bits(mask)}  # () where several circles have it
            if len(circles) == 1 and (circle := next(iter(circles))):
                return circle
        return None

    def turned_mask(self, mask: int) -> int:
        circle = self.turning(mask) or ()
        return sum(1 << d for d in circle)

    # -------------------------------------------------------------------------------------------- tokens

    def tokens(self, pool: PoolInfo, base: int, root: Root | None, owner: C.Node | None, span: Span | None) -> Typed:
        """What a holder has of a pool: a bag, or a number where the tokens are all alike."""
        if pool.of is None:
            node: C.Node = C.Get(base, span) if owner is None else C.Cell(base, owner, 0, span)
            return Typed(node, Num(0, pool.most))
        return Typed(C.Several(base, owner, pool.size, False, span), BagOf(pool.of, pool.mask, pool.most))

    def supply(self, name: E.Name, elaborator: Elaborator) -> Typed:
        pool = next((p for p in self.pools if p.name == name.name), None)
        if pool is None:
            known = nearest(name.name, [p.name for p in self.pools])
            return elaborator.fail(
                "N112", name.span, f"there is no pool `{name.name}`", did_you_mean(known), tuple(known)
            )
        if pool.supply < 0:
            return elaborator.fail(
                "T235", name.span, f"the supply of `{name.name}` is unlimited", "give the pool a `total:`"
            )
        return self.tokens(pool, pool.supply, None, None, name.span)

    # ------------------------------------------------------------------------------------------ formulas


class _Still(list[int]):
    """Slots of which only those of formulas and the given one may be read: the others change in play."""

    def __init__(self, slots: list[int], given: int) -> None:
        super().__init__(slots)
        self.given = given

    def __getitem__(self, at: Any) -> Any:
        if not isinstance(at, int) or (at >= 0 and at != self.given):
            raise NotFixed("what changes in play")
        return super().__getitem__(at)


class _Static:
    """Stands in for the machine where only fixed things may be asked."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.program = C.Program("", world.layout, 0, [], 0, cast(Any, _StaticPieces()), world.roots)
        self.pieces = _StaticPieces()
        self.evaluator = Evaluator(cast("Machine", self))

    @property
    def options(self) -> Any:
        raise NotFixed("a choice")

    def run_procedure(self, *args: Any) -> None:
        raise NotFixed("what would happen")

    def ways(self, *args: Any) -> Any:
        raise NotFixed("what could be reached")

    def looks(self, *args: Any) -> int:
        raise NotFixed("the position")


class _StaticPieces:
    """Where pieces are, and the spots that they may be on."""

    def __getattr__(self, name: str) -> Any:
        if name in ("single", "top", "at"):
            raise NotFixed("where pieces are")

        def ask(*args: Any) -> Any:
            raise NotFixed("where pieces are")

        return ask


__all__ = [
    "BROKEN",
    "LONGEST_STATE",
    "MOST_PIECES",
    "Bool",
    "CodeInfo",
    "FormulaInfo",
    "Map",
    "Pieces",
    "World",
    "is_maybe",
    "none_of",
]
