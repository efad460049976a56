"""The operations of programs, each in one row: all that executors and analyses know of it.

There are three sorts. An operation on values (`Op`) works out its arguments and looks at nothing else. A primitive
(`Primitive`) may look at the state or at tables of the board, which are its data. An act (`Act`) changes the state.

A row says which sorts of values it takes and gives, between which bounds the value lies, what of the state it looks at
or changes, whether it can fail, whether it is little work, and how executors say it where a few words are enough. The
interpreter has a function for each (`engine.operations`, `.primitives`, `.actions`). Generated Python calls that
function unless a row says better; C says what stands in its row, or has a method where it needs a loop of its own.
`docs/program.md` has the table; `tests/test_ops.py` sees to it that nothing lacks anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ruledsl.records import dataclass
from ruledsl.types import NO_NUMBER

from . import core as C
from .kinds import (
    A_BAG,
    A_WORD,
    ANY_NUMBER,
    COUNT,
    LIST,
    NUMBER,
    TRUTH,
    Kind,
    a_set,
    join,
    number,
)

OP, PRIMITIVE, ACT = "op", "primitive", "act"
SORTS = ("number", "truth", "set", "list", "bag", "word", "any")

# What of the state is looked at, or changed.
NOTHING = "nothing"
PLACES = "places"  # where pieces are, how they lie, and what is kept because of it
NEAR = "near"  # nothing if neighbours are a table (the first of its data), else places: neighbours of tiles as they lie
STATE = "state"  # what cannot be told slot by slot
KNOWN = "known"  # who knows which pieces


@dataclass(frozen=True)
class Facts:
    """What bounds depend on besides arguments: how many pieces and players there are, and of what there is most."""

    pieces: int
    players: int
    most: int


NO_FACTS = Facts(0, 0, 0)


@dataclass(frozen=True)
class Given:
    """What a row is asked about: an operation as it stands somewhere, with the kinds of its arguments."""

    kinds: tuple[Kind, ...]
    args: tuple[Any, ...]
    data: tuple[Any, ...]
    facts: Facts

    def __getitem__(self, at: int) -> Kind:
        return self.kinds[at]


@dataclass(frozen=True)
class Fails:
    """It is a fault if an argument has a value; without an argument, as the interpreter finds out."""

    message: str
    arg: int = -1
    value: int = 0


@dataclass(frozen=True)
class Row:
    """All that is known of one operation."""

    name: str
    sort: str
    takes: tuple[str, ...]  # sorts of arguments; one that ends in `…` may come as often as one likes
    gives: str  # the sort of its value; empty for acts
    does: str
    kind: Callable[[Given], Kind] = lambda given: ANY_NUMBER
    data: tuple[str, ...] = ()  # what it is given besides, the same for as long as the program runs
    looks: str = NOTHING
    changes: str = NOTHING
    sets: tuple[str, ...] = ()  # of acts: the names of those data that are slots which it sets
    fails: Fails | None = None
    light: bool = False  # as little work as looking something up
    infix: str = ""  # how people write it, between its arguments
    opposite: str = ""  # the operation that holds where this one does not
    mirrored: str = ""  # the operation that says the same with its arguments the other way round
    python: str = ""  # {0} and {1} are arguments, {0.bare} one without brackets around it
    c: str = ""  # {w} is the number of machine words of its sets, x what the program is run with
    c_word: str = ""  # the same where sets are one machine word
    of_c: bool = False  # made by a pass of the C generator, and known to nobody else

    @property
    def truth(self) -> bool:
        return self.gives == "truth"

    def sort_of(self, at: int) -> str:
        """The sort of an argument."""
        last = self.takes[-1]
        return last.removesuffix("…") if at >= len(self.takes) - 1 and last.endswith("…") else self.takes[at]

    def takes_many(self) -> bool:
        return bool(self.takes) and self.takes[-1].endswith("…")

    def looks_at(self, data: tuple[Any, ...]) -> str:
        """What of the state it looks at, besides its arguments."""
        if self.looks == NEAR:
            return NOTHING if isinstance(data[0], tuple) else PLACES
        return self.looks

    def slots(self, data: tuple[Any, ...]) -> Iterator[int]:
        """The slots that an act sets, besides where pieces are."""
        for name in self.sets:
            at = self.data.index(name.removesuffix("…"))
            many = data[at + 1] if name.endswith("…") else 1
            yield from (slot for slot in range(data[at], data[at] + many) if slot >= 0)

    def fails_with(self, values: list[Any]) -> bool:
        """Whether it is a fault with these arguments."""
        fails = self.fails
        return fails is not None and (fails.arg < 0 or bool(values[fails.arg] == fails.value))


class UnknownOperation(LookupError):
    """There is no operation of this name."""


class Rows(dict[str, Row]):
    """Rows by their names."""

    def __missing__(self, name: str) -> Row:
        raise UnknownOperation(f"programs have no operation `{name}`; those there are stand in ruledsl/ir/ops.py")


OPS, PRIMITIVES, ACTS = Rows(), Rows(), Rows()


def _row(rows: Rows, sort: str, name: str, signature: str, does: str, **more: Any) -> None:
    takes, _, gives = signature.partition("→")
    assert name not in rows, f"there are two rows `{name}`"
    more["data"] = tuple(more.get("data", "").split())
    rows[name] = Row(name, sort, tuple(takes.split()), gives.strip(), does, **more)


def _op(name: str, signature: str, does: str, kind: Any = None, **more: Any) -> None:
    """A row of an operation on values. Truth values need no bounds said."""
    gives = signature.partition("→")[2].strip()
    kind = kind or {"truth": lambda given: TRUTH, "bag": lambda given: A_BAG}.get(gives, lambda given: ANY_NUMBER)
    _row(OPS, OP, name, signature, does, kind=kind, **more)


def _primitive(name: str, signature: str, does: str, kind: Any = None, **more: Any) -> None:
    gives = signature.partition("→")[2].strip()
    _row(
        PRIMITIVES,
        PRIMITIVE,
        name,
        signature,
        does,
        kind=kind or (lambda given: TRUTH if gives == "truth" else ANY_NUMBER),
        **more,
    )


def _act(name: str, signature: str, does: str, **more: Any) -> None:
    _row(ACTS, ACT, name, signature, does, **more)


# ------------------------------------------------------------------------------- bounds that rows share


def _least(given: Given) -> Kind:
    return number(min(given[0].low, given[1].low), min(given[0].top, given[1].top))


def _greatest(given: Given) -> Kind:
    return number(max(given[0].low, given[1].low), max(given[0].top, given[1].top))


def _exactly(low: int, top: int) -> Kind:
    """Numbers, however large: who checks rules tells people how large."""
    return Kind(NUMBER, low, top)


def _sum(given: Given) -> Kind:
    one, other = given.kinds
    return _exactly(one.low + other.low, one.top + other.top - 1)


def _difference(given: Given) -> Kind:
    one, other = given.kinds
    return _exactly(one.low - other.top + 1, one.top - other.low)


def _product(given: Given) -> Kind:
    one, other = given.kinds
    corners = [a * b for a in (one.low, one.top - 1) for b in (other.low, other.top - 1)]
    return _exactly(min(corners), max(corners) + 1)


def _quotient(given: Given) -> Kind:
    one, other = given.kinds
    divisors = [d for d in (other.low, other.top - 1, -1, 1) if d != 0 and other.low <= d < other.top]
    corners = [a // d for a in (one.low, one.top - 1) for d in divisors] or [0]
    return _exactly(min(corners), max(corners) + 1)


def _remainder(given: Given) -> Kind:
    """It has the sign of the divisor, and is nearer to 0."""
    one, divisor = given.kinds
    if one.low >= 0 and one.top <= divisor.low:
        return one
    return _exactly(min(divisor.low + 1, 0), max(divisor.top - 1, 1))


def _opposite(given: Given) -> Kind:
    return _exactly(1 - given[0].top, 1 - given[0].low)


def _size(given: Given) -> Kind:
    return number(0, given[0].members + 1)


def _without_sign(given: Given) -> Kind:
    low, high = given[0].low, given[0].top - 1
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return _exactly(least, max(abs(low), abs(high)) + 1)


def _divisor(given: Given) -> Kind:
    """No larger than either, unless that is 0."""
    sizes = [_without_sign(Given((kind,), (), (), given.facts)) for kind in given.kinds]
    sure = [kind.top for kind in sizes if kind.low > 0]
    return _exactly(1 if sure else 0, min(sure) if sure else max(kind.top for kind in sizes))


def _of_member(given: Given) -> Kind:
    return a_set(min(max(given[0].top, 1), given.facts.most))


def _to_last(given: Given) -> Kind:
    return a_set(min(max(given[1].top, 1), given.facts.most))


def _members(given: Given) -> list[int]:
    return [kind.members for kind in given.kinds]


def _items(given: Given) -> Kind:
    low, top = 0, 1
    for kind in given.kinds:
        low, top = min(low, kind.low), max(top, kind.top)
    return Kind(LIST, low, top)


def _item(given: Given) -> Kind:
    return join(number(given[0].low, given[0].top), given[-1])


def _same(given: Given) -> Kind:
    return given[0]


def _sorts(given: Given) -> Kind:
    return a_set(getattr(given.args[0], "count", given.facts.most))  # a bag in slots has a slot for each sort


def _a_piece(given: Given) -> Kind:
    return number(-1, given.facts.pieces)


def _pieces(given: Given) -> Kind:
    return a_set(given.facts.pieces)


def _offset(given: Given) -> Kind:
    low, by = given[0].low, given.data[0]
    return number(low if low == -1 else max(low, -1), given[0].top + max(by, 0))


def _place_in_table(given: Given) -> Kind:
    return number(0 if given[0].sure and given[1].sure else -1, given[0].top * given.data[0])


def _space(given: Given) -> Kind:
    return number(-1, max(given.data[0], default=0) + 1)


def _line(given: Given) -> Kind:
    return Kind(LIST, 0, max(given.data[0], default=0) + 1)


def _reached(given: Given) -> Kind:
    near = given.data[0]
    return a_set(len(near) if isinstance(near, tuple) else len(near.owner))


# fmt: off

# ------------------------------------------------------------------------------------------------- numbers

_op("add", "number number → number", "the sum", _sum, infix="+", python="({0} + {1})", c="({0} + {1})")
_op(
    "subtract", "number number → number", "the difference", _difference, infix="-", python="({0} - {1})",
    c="({0} - {1})",
)
_op("multiply", "number number → number", "the product", _product, infix="*", python="({0} * {1})", c="({0} * {1})")
_op(
    "divide", "number number → number", "the quotient, rounded down", _quotient, infix="/",
    fails=Fails("this divides by 0", 1),
)
_op(
    "remainder", "number number → number", "what a division leaves, with the sign of the divisor", _remainder,
    infix="%", fails=Fails("this divides by 0", 1),
)
_op("negative", "number → number", "the number with the other sign", _opposite, python="(-{0})", c="(-{0})")
_op("absolute", "number → number", "the number without its sign", _without_sign, python="abs({0})", c="absolute({0})")
_op(
    "gcd", "number number → number", "the greatest number that divides both; of 0 and another, that other", _divisor,
    c="gcd({0}, {1})",
)
_op("least", "number number → number", "the smaller", _least, python="min({0}, {1})", c="least({0}, {1})")
_op("greatest", "number number → number", "the larger", _greatest, python="max({0}, {1})", c="greatest({0}, {1})")

# --------------------------------------------------------------------------------------------- comparisons

_op(
    "equal", "any any → truth", "whether two values are the same", infix="==", opposite="unequal", mirrored="equal",
    python="({0} == {1})", c="same{w}({0}, {1})", c_word="({0} == {1})",
)
_op(
    "unequal", "any any → truth", "whether two values are not the same", infix="!=", opposite="equal",
    mirrored="unequal", python="({0} != {1})", c="!same{w}({0}, {1})", c_word="({0} != {1})",
)
_op(
    "less", "any any → truth", "whether one comes before another: of lists, at the first item that differs",
    infix="<", opposite="at_least", mirrored="greater", python="({0} < {1})", c="({0} < {1})",
)
_op(
    "at_most", "any any → truth", "whether one does not come after another", infix="<=", opposite="greater",
    mirrored="at_least", python="({0} <= {1})", c="({0} <= {1})",
)
_op(
    "greater", "any any → truth", "whether one comes after another", infix=">", opposite="at_most", mirrored="less",
    python="({0} > {1})", c="({0} > {1})",
)
_op(
    "at_least", "any any → truth", "whether one does not come before another", infix=">=", opposite="less",
    mirrored="at_most", python="({0} >= {1})", c="({0} >= {1})",
)
_op("not", "truth → truth", "the opposite", python="(not {0})", c="!{0}")
_op("is_there", "number → truth", "whether a member is not none", python="({0} >= 0)", c="({0} >= 0)")
_op(
    "is_number", "number → truth", "whether a number is not none", python=f"({{0}} != {NO_NUMBER})",
    c=f"({{0}} != {NO_NUMBER})",
)
_op("truth", "number → truth", "whether a number is not 0", python="({0} != 0)", c="({0} != 0)")

# ---------------------------------------------------------------------------------------------------- sets

_op(
    "only", "number → set", "the set of one member; of none, the empty set", _of_member, c="only{w}({0})",
    python="(1 << {0} if {0} >= 0 else 0)",
)
_op(
    "union", "set set → set", "what is in either", lambda given: a_set(max(_members(given))), infix="|",
    python="({0} | {1})", c="union{w}({0}, {1})", c_word="({0} | {1})",
)
_op(
    "minus", "set set → set", "what is in one and not in the other", lambda given: a_set(given[0].members),
    infix="\\", python="({0} & ~{1})", c="minus{w}({0}, {1})", c_word="({0} & ~{1})",
)
_op(
    "common", "set set → set", "what is in both", lambda given: a_set(min(_members(given))), infix="&",
    python="({0} & {1})", c="common{w}({0}, {1})", c_word="({0} & {1})",
)
_op(
    "within", "set set → truth", "whether all of one is in the other", infix="within", python="({0} & ~{1} == 0)",
    c="within{w}({0}, {1})", c_word="(({0} & ~{1}) == 0)",
)
_op(
    "holds", "number set → truth", "whether a member is in a set; none never is", infix="in",
    python="({0} >= 0 and {1} >> {0} & 1)", c="holds{w}({0}, {1})",
)
_op("size", "set → number", "how many members", _size, python="({0}).bit_count()", c="size{w}({0})")
_op(
    "lowest", "set → number", "the first member, or none", lambda given: number(-1, given[0].members),
    python="(({0} & -{0}).bit_length() - 1)", c="lowest{w}({0})",
)
_op(
    "highest", "set → number", "the last member, or none", lambda given: number(-1, given[0].members),
    python="(({0}).bit_length() - 1)", c="highest{w}({0})",
)
_op("span", "number number → set", "all numbers from one to another", _to_last, c="span{w}({0}, {1})")
_op(
    "rotate", "number number number → number", "a member moved so many steps in a circle of n; none stays none",
    lambda given: number(0 if given[0].sure else -1, given[2].top - 1),
)
_op(
    "members", "set → list", "its members in their order", lambda given: Kind(LIST, 0, given[0].members),
    python="members({0.bare})", c="members{w}(x, {0})",
)

# --------------------------------------------------------------------------------------------------- lists

_op(
    "in_list", "any list → truth", "whether an item is in a list", infix="in", python="({0} in {1})",
    c="in_list({0}, {1})",
)
_op("make", "any… → list", "the list of these items", _items)
_op("collect", "list → set", "the set of its items, without none", _of_member, c="collect{w}({0})")
_op(
    "join", "list list → list", "one list after another", lambda given: join(given[0], given[1]), infix="++",
    python="({0} + {1})", c="list_join(x, {0}, {1})",
)
_op("without_set", "list set → list", "a list without the members of a set", _same, c="without_set{w}(x, {0}, {1})")
_op("length", "list → number", "how many items", lambda given: COUNT, python="len({0.bare})", c="({0}).n")
_op("take", "list number → list", "the first n items", _same, c="list_take({0}, {1})")
_op(
    "item", "list number number → number", "the item at a position, counted from 1; else none, as it is given", _item,
    c="list_item({0}, {1}, {2})",
)
_op("head", "list number → number", "the first item; else none, as it is given", _item, c="list_head({0}, {1})")
_op("tail", "list number → number", "the last item; else none, as it is given", _item, c="list_tail({0}, {1})")
_op(
    "position", "list any → number", "where an item stands, counted from 1; none if it does not",
    c="list_position({0}, {1})",
)
_op(
    "upto", "number number → list", "all numbers from one to another",
    lambda given: Kind(LIST, given[0].low, given[1].top), c="list_upto(x, {0}, {1})",
)
_op("total_of", "list → number", "the sum of its numbers", python="sum({0})", c="list_total({0})")
_op(
    "median", "list number → number", "the number in the middle by size, the lower of two; else none, as it is given",
    _item, c="list_median({0}, {1})",
)
_op("from", "list number → list", "a circle that begins with an item", _same, c="list_circle(x, {0}, {1}, 0)")
_op("after", "list number → list", "a circle that begins after an item", _same, c="list_circle(x, {0}, {1}, 1)")

# ---------------------------------------------------------------------------------------------------- bags

_op("bag_add", "bag bag → bag", "what two bags hold together", c="bag_add(x, {0}, {1})")
_op(
    "bag_subtract", "bag bag → bag", "a bag less what another holds; there may be less than nothing",
    c="bag_subtract(x, {0}, {1})",
)
_op("bag_times", "bag number → bag", "a bag this many times over", c="bag_times(x, {0}, {1})")
_op("bag_within", "bag bag → truth", "whether one holds no more of anything than the other", c="bag_within({0}, {1})")
_op("bag_total", "bag → number", "how many it holds in all", python="sum({0})", c="list_total({0})")
_op("bag_item", "bag number → number", "how many of one sort; 0 of none", c="bag_item({0}, {1})")
_op("bag_kinds", "bag → set", "the sorts of which it holds any", _sorts, c="bag_kinds{w}({0})")
_op("bag_of", "number number number → bag", "so many of one sort, in a bag for n sorts", c="bag_of(x, {0}, {1}, {2})")
_op("bag_widen", "bag number → bag", "a bag as one of more sorts: so many in all", c="bag_widen(x, {0}, {1})")
_op(
    "price_met", "bag bag list → number",
    "how many tokens of a price can be paid out of a bag; the list has, as bits, the sorts that pay each free part",
    lambda given: COUNT, c="price_met({0}, {1}, {2})",
)
_op(
    "payments", "bag bag number list number → number",
    "in how many ways a price can be paid out of a bag with so many tokens, counted up to a number",
    lambda given: number(0, given[4].top), c="payments({0}, {1}, {2}, {3}, {4})",
)
_op(
    "payment", "bag bag number list number → bag", "one of these ways, by its number from 0",
    c="payment(x, {0}, {1}, {2}, {3}, {4})",
)
_op(
    "payment_next", "bag bag bag number list → bag",
    "one of each sort that may be added to what is paid already, in the order of sorts, so that the rest of a price "
    "can be paid out of a bag with so many tokens",
    c="payment_next(x, {0}, {1}, {2}, {3}, {4})",
)
_op(
    "exchanges_needed", "bag bag bag number list list list → number",
    "how many exchanges it takes until a price can be paid out of a bag with so many tokens; -1 if none do, -2 if "
    "there are too many; given how much of each sort there is in all, the sorts that pay each free part, the moves, "
    "and how often each exchange may be made",
    lambda given: number(-2, COUNT.top - 1),
    c="exchanges_needed(x, {0}, {1}, {2}, {3}, {4}, {5}, {6})",
)
_op("bag_clip", "bag → bag", "a bag in which what is less than nothing is nothing", c="bag_clip(x, {0})")

# ------------------------------------------------------------------------------------------ what lies where

_primitive(
    "on", "number → list", "the pieces of certain kinds on a spot, in their order",
    lambda given: Kind(LIST, 0, given.facts.pieces), data="kinds", looks=PLACES,
)
_primitive("on_set", "number → set", "the pieces of certain kinds on a spot", _pieces, data="kinds", looks=PLACES)
_primitive("on_all", "→ set", "all that lies on several spots", _pieces, data="spots", looks=PLACES)
_primitive(
    "first_on", "number → number", "the first piece of certain kinds on a spot, or none", _a_piece, data="kinds",
    looks=PLACES, light=True,
)
_primitive(
    "top_of", "number → number", "the piece on top of a spot, or none", _a_piece, looks=PLACES,
    python="top_of(v, {0})", c="top_of(x, s, {0})",
)
_primitive("occupied", "number → truth", "whether anything lies on a spot", looks=PLACES, light=True)
_primitive(
    "standing", "number → number",
    "the space or part on which a piece stands, or none; on a part of a tile it stands on the space of the tile, too",
    lambda given: number(-1, given.data[1]), data="first count at parts", looks=PLACES, light=True,
)
_primitive(
    "first_on_tile", "number → number", "the first piece of certain kinds on a space or on a part of a tile there",
    _a_piece, data="kinds parts", looks=PLACES,
)
_primitive(
    "owned_spaces", "number → set", "the spaces of a board where a piece of a player lies",
    lambda given: a_set(given.data[1]), data="first count owned", looks=PLACES,
)
_primitive(
    "firsts", "→ set", "the pieces that are the first of their looks where they lie", _pieces, looks=STATE,
    c="s->firsts", of_c=True,
)
_primitive(
    "firsts_unmixed", "→ set", "the same, and all pieces that lie among others of different looks", _pieces,
    looks=STATE, c="(s->firsts | s->mixed)", of_c=True,
)
_primitive(
    "all_alike", "number → truth", "whether all trials were the same for alike pieces, so far", looks=STATE,
    c="!s->unlike", of_c=True,
)

# ----------------------------------------------------------------------------------------- spaces and steps

_primitive("offset", "number → number", "a number moved by so much; none stays none", _offset, data="by", light=True)
_primitive(
    "key", "number number → number", "the place in a table of two keys; none if either is", _place_in_table,
    data="size", light=True,
)
_primitive(
    "space_at", "number… → number", "the space with these coordinates, or none",
    lambda given: number(-1, max(given.data[0].values(), default=0) + 1), data="spaces",
)
_primitive(
    "belongs", "number → number", "a value that must be one of a set, or none",
    lambda given: number(given[0].low, min(given[0].top, given.data[0].bit_length())), data="members message",
    fails=Fails("{message}"),
)
_primitive(
    "turn", "number number → number", "a direction turned by so many steps in its circle",
    lambda given: number(-1, len(given.data[0])), data="circles", light=True,
)
_primitive(
    "step", "number number… → number", "the space one step, or several, away in a direction; none beyond the border",
    _space, data="steps directions", light=True,
)
_primitive(
    "mask_of", "number set → set", "the spaces one step away in any of some directions",
    lambda given: a_set(len(given.data[0]) // given.data[1]), data="steps directions",
)
_primitive(
    "ray", "number number → list", "the spaces from a space to the border in a direction", _line,
    data="steps directions",
)
_primitive(
    "slide", "number number number → list", "the spaces in a direction up to the first with a piece, at most n",
    _line, data="steps directions first", looks=PLACES,
)
_primitive(
    "between", "number number → list", "the spaces between two spaces of one line", _line, data="steps directions",
)
_primitive(
    "line", "number number set → truth", "whether a space lies in a straight row of n spaces of a set",
    data="axes steps directions",
)

# --------------------------------------------------------------------------------------------------- tiles

_primitive(
    "part_neighbors", "number → set", "the parts that meet a part at an edge",
    lambda given: a_set(len(given.data[0].owner)), data="tiles", looks=PLACES,
)
_primitive(
    "part_facing", "number number → number", "the part that a tile shows towards a direction, as it lies",
    lambda given: number(-1, len(given.data[0].owner)), data="tiles", looks=PLACES,
)
_primitive(
    "as_it_lies", "number number → number", "a direction as seen by a tile that lies turned",
    lambda given: number(-1, len(given.data[0])), data="turns slot sign", looks=PLACES, light=True,
)
_primitive(
    "turned_set", "set number → set", "directions of a tile, as it lies", lambda given: a_set(len(given.data[0])),
    data="turns slot", looks=PLACES,
)

# ----------------------------------------------------------------------------------------------- connections

_primitive(
    "reachable", "set set number → set",
    "a start, and what can be reached from it through allowed members in so many steps", _reached, data="near",
    looks=NEAR,
)
_primitive(
    "reachable_once", "set set → set", "the same, by ways that come to no two members with one key", _reached,
    data="near keys", looks=NEAR, fails=Fails("there are too many ways to choose which way to go"),
)
_primitive(
    "joined", "set set set → truth", "whether allowed members connect one set with another", data="near", looks=NEAR,
)
_primitive(
    "reachable_by", "set set number set → set", "as `reachable`, by steps whose numbers are in a set", _reached,
    data="links",
)
_primitive(
    "joined_by", "set set set set → truth", "as `joined`, by steps whose numbers are in a set", data="links",
)
_primitive(
    "distance_by", "number number set set → number",
    "the number of steps through allowed members, each with its number in a set; none if there is no way",
    data="links",
)
_primitive(
    "groups", "set → number", "how many connected groups a set falls into", lambda given: COUNT, data="near",
    looks=NEAR,
)
_primitive(
    "distance", "number number → number", "the number of steps between two spaces; none if there is no way",
    data="near",
)

# -------------------------------------------------------------------------------------------- memory, faults

_primitive(
    "fingerprint", "→ word", "a number of 64 bits that stands for the position", lambda given: A_WORD,
    data="spots slots", looks=STATE,
)
_primitive(
    "repeats", "word → number", "how often a position was recorded", lambda given: COUNT, data="history", looks=STATE,
)
_primitive(
    "fault", "→ number", "no value: it says why there is none", data="message", looks=STATE, fails=Fails("{message}"),
)

# ---------------------------------------------------------------------------------------------------- acts

_act("remove", "set →", "pieces to the box", changes=PLACES)
_act("home", "set →", "pieces to where they started", changes=PLACES)
_act("draw", "number number number →", "up to n pieces from the top of a spot to another, one by one", changes=PLACES)
_act(
    "deal", "number number list →", "n pieces from a spot to each of several places, one at a time in order",
    changes=PLACES,
)
_act(
    "swap_pieces", "number number →", "two pieces trade places", changes=PLACES,
    fails=Fails("there is no piece to swap"),
)
_act(
    "swap_contents", "number number →", "what lies on two spots trades places", changes=PLACES,
    fails=Fails("there is nothing to swap with"),
)
_act(
    "transfer", "bag number number →",
    "tokens from one holder to another; `short` says what to do if there are too few",
    data="source target size short", sets=("source", "target"), fails=Fails("{short}"),
)
_act("reveal", "set set →", "players come to know pieces", changes=KNOWN)
_act("hide", "set →", "of pieces only those know what they are who see them where they lie", changes=KNOWN)
_act("copy_start", "→", "slots back to what they hold at the start of a play", data="first count", sets=("first…",))
_act(
    "count_up", "number →", "counts the runs of a loop, which may be so many", data="counter", sets=("counter",),
    fails=Fails("this loop ran too often"),
)
_act(
    "advance", "→", "the next in a circle of turns, or who was named", data="order place named",
    sets=("place", "named"), fails=Fails("the player named with `next_turn` takes no part in these turns"),
)
_act("mark", "→", "nothing; an interpreter that is watched tells of it", data="what")
_act(
    "record", "word →", "the position is remembered, and the oldest forgotten when there is no room",
    data="history keep", sets=("history",),
)

# fmt: on


def row_of(node: C.Op | C.Primitive | C.Act) -> Row:
    """The row of an operation, primitive or act."""
    return {C.Op: OPS, C.Primitive: PRIMITIVES, C.Act: ACTS}[type(node)][node.name]


def looks_at(node: C.Primitive) -> str:
    """What of the state a primitive looks at, besides its arguments."""
    return row_of(node).looks_at(node.data)


def may_fail(node: Any) -> bool:
    """Whether it can be a fault to work out an expression, once its parts are known."""
    match node:
        case C.Demand() | C.Fit():
            return True
        case C.Op(args=args) | C.Primitive(args=args):
            fails = row_of(node).fails
            decisive = args[fails.arg] if fails is not None and fails.arg >= 0 else None
            return (
                fails is not None and decisive.value == fails.value
                if isinstance(decisive, C.Const)
                else fails is not None
            )
    return False


__all__ = [
    "ACTS",
    "NO_FACTS",
    "OPS",
    "PRIMITIVES",
    "Facts",
    "Fails",
    "Given",
    "Row",
    "UnknownOperation",
    "looks_at",
    "may_fail",
    "row_of",
]
