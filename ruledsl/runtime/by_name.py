"""A state by names: what a save says of it besides the numbers, so that a play can go on with changed rules.

Numbers mean something only to the program that made them. Names outlive it: values, pieces and places are found again
by what they are called, and where play stands by the statement that asked. What is new takes its start, what is gone
is told, and what no longer fits is refused with its name, before anything is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.names import PoolInfo
from ruledsl.engine.options import STRIDE
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.types import NO_NUMBER, BagOf, Bool, Elem, ListOf, Num, SetOf, Type, bits

from .homes import Homes
from .save import SaveError
from .view import item_key

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured

State = list[int]
KEPT = ("value", "state", "pool", "counter")  # kinds of fields that have an item for each member of something
SHOWN = 6  # names that a note tells, and how many more
TEXTS = {"about", "title", "symbol", "text"}  # of a row of a table: for people only
_NOT_THERE = object()


@dataclass(frozen=True)
class Note:
    """What is different after a save was carried over: `gone`, `new`, `changed` or `begun_anew`."""

    kind: str
    sort: str  # value, piece, word, history, plan, option
    names: tuple[str, ...]

    @property
    def shown(self) -> str:
        more = len(self.names) - SHOWN
        return ", ".join(f"`{name}`" for name in self.names[:SHOWN]) + (f" (+{more})" if more > 0 else "")


# ---------------------------------------------------------------------------------------------- describing


def describe(configured: Configured, v: State) -> dict[str, Any]:
    """A state by names, as plain data."""
    program, world = configured.machine.program, configured.world
    reader = _Names(configured)
    asked = reader.asked(v)
    return {
        "fields": {
            f"{f.kind} {f.name}": {item: reader.plain(v, f.base + i * f.width, f.type) for i, item in reader.items(f)}
            for f in program.layout.fields
            if f.kind in KEPT and f.type is not None
        },
        "pieces": {
            reader.spots[spot]: [world.pieces.names[p] for p in configured.machine.pieces.on(v, spot)]
            for spot in range(program.spots.count)
            if world.pieces.size and configured.machine.pieces.count(v, spot)
        },
        "marks": {
            name: {world.pieces.names[p]: v[base + p] for p in range(world.pieces.size) if v[base + p]}
            for name, base in _marks(program)
        },
        "rows": reader.rows(),
        "histories": {f.name: v[f.base : f.base + f.count] for f in program.layout.fields if f.kind == "history"},
        "numbered": reader.numbered(),
        "words": {name: program.roots[name].names for name in reader.types()},
        "header": {f.name: v[f.base] for f in program.layout.fields if f.kind == "header"},
        "streams": v[C.STREAMS : C.STREAMS + len(C.STREAM_NAMES)],
        "phases": list(world.phase_names),
        "stands": reader.homes.where(v[C.PC]),
        "step": reader.step(v),
        "inside": [
            [reader.homes.where(p.entry), reader.homes.where(v[p.back])]
            for p in dict.fromkeys(call.procedure for call in _calls(program))
            if v[p.back]
        ],
        "names": [
            [f.name, reader.homes.home_of_slot(f.base), reader.plain(v, f.base, f.type)]
            for f in program.layout.fields
            if f.kind == "local" and f.base not in asked and f.type is not None and any(v[f.base : f.base + f.width])
        ],
        "planning": any(v[f.base + i] for f in program.layout.fields if f.kind == "draft" for i in range(f.count)),
    }


def _marks(program: C.Program) -> Iterator[tuple[str, int]]:
    """What is noted of each piece beside where it lies: who knows it, how it is turned, in which slot it lies."""
    spots = program.spots
    yield from ((name, base) for name, base in (("turn", spots.turn), ("known", spots.known)) if base >= 0)
    if spots.slot >= 0:
        yield "slot", spots.slot


def _calls(program: C.Program) -> list[C.CallProcedure]:
    return [block.end for block in program.blocks if isinstance(block.end, C.CallProcedure)]


def _entries(choice: C.Choice) -> list[str]:
    """By what each entry of a choice is known again: its name, its label and its variables, in one line."""
    found = []
    for entry in choice.entries:
        label = entry.label.parts("en") if entry.label is not None else ()
        text = "".join(part if isinstance(part, str) else "{}" for part in label)
        found.append(" ".join([entry.name or text, *(f"{variable.name}:" for variable in entry.variables), text]))
    return found


class _Names:
    """The names of one configured game."""

    def __init__(self, configured: Configured) -> None:
        self.configured, self.world = configured, configured.world
        program = self.program = configured.machine.program
        self.values = {value.base: value for value in self.world.values}
        self.spots: list[str] = [""] * program.spots.count
        for first, root in program.spots.roots:
            for i, name in enumerate(root.names):
                self.spots[first + i] = f"{root.name} {name}"
        for i, name in enumerate(self.world.places.names):
            self.spots[program.spots.first_place + i] = f"place {name}"
        self.homes: Homes = configured.homes

    def items(self, f: C.Field) -> Iterator[tuple[int, str]]:
        """The items of a field by what they belong to."""
        value = self.values.get(f.base) if f.kind == "value" else None
        for i in range(f.count if f.owner is None or f.owner.names else 0):  # of nothing there is room for one
            if value is not None and value.keys:
                yield i, " ".join(item_key(value, i)[0])
            else:
                yield i, f.owner.names[i] if f.owner is not None else str(i)

    def types(self) -> list[str]:
        """The types whose words the game lists."""
        return [name for name in self.world.sections.named["types"] if name in self.configured.machine.program.roots]

    def asked(self, v: State) -> set[int]:
        """The slots of a choice that is made in steps, where play is in the midst of one."""
        end = self.program.blocks[v[C.PC]].end
        if not isinstance(end, C.Choice) or end.stage is None or not v[end.stage]:
            return set()
        return {end.stage, *(variable.slot for entry in end.entries for variable in entry.variables)}

    def step(self, v: State) -> list[Any] | None:
        """How far a choice has come that is made in steps: its entries, which of them it is, what was chosen."""
        if not self.asked(v):
            return None
        end = self.program.blocks[v[C.PC]].end
        assert isinstance(end, C.Choice)
        assert end.stage is not None
        number, position = divmod(v[end.stage] - 1, STRIDE)
        fields = {f.base: f for f in self.program.layout.fields}
        slots = [variable.slot for variable in end.entries[number].variables]
        values = [self.plain(v, slot, fields[slot].type) for slot in slots]
        return [_entries(end), number, position, values]

    def plain(self, v: State, slot: int, kind: Type | None) -> Any:
        match kind:
            case Num():
                return None if v[slot] == NO_NUMBER else v[slot]
            case Elem(root=root):
                return root.names[v[slot]] if 0 <= v[slot] < root.size else None
            case SetOf(of=Elem(root=root)):
                return [root.names[i] for i in bits(v[slot])]
            case SetOf():
                return list(bits(v[slot]))
            case BagOf(root=root):
                return {root.names[i]: v[slot + i] for i in range(root.size) if v[slot + i]}
            case ListOf(of=of):
                items = v[slot + 1 : slot + 1 + v[slot]]
                return [of.root.names[x] for x in items] if isinstance(of, Elem) else list(items)
        return v[slot]

    def rows(self) -> dict[str, str]:
        """By piece what stands in its row, in short: so that one sees which cards are different now."""
        found = {}
        numbers = self.world.data.get("rows", ())
        prints = {}
        for signature, number in self.world.data.get("signatures", {}).items():
            told = sorted(repr(part) for part in signature[-1] if part[0] not in TEXTS)
            prints[number] = hashlib.sha256(repr(told).encode()).hexdigest()[:8]
        for name, number in zip(self.world.pieces.names, numbers, strict=False):
            found[name] = prints.get(number, "")
        return found

    def numbered(self) -> str:
        """Stands for the numbers of pieces and spots: what is counted by them alone goes on only with the same."""
        return hashlib.sha256(repr((self.world.pieces.names, self.spots)).encode()).hexdigest()[:16]


# ------------------------------------------------------------------------------------------- carrying over


def carry(configured: Configured, found: Any) -> tuple[State, list[Note]]:
    """The state that a described one becomes with the rules of `configured`, and what is different in it.

    Raises `SaveError` with the first thing that does not fit.
    """
    if not isinstance(found, dict):
        raise SaveError("this save does not say by names what is in it, so it cannot be carried over to other rules")
    try:
        return _Carrier(configured, found).carried()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise SaveError("this is not a save of a play: what it says by names is wrong") from None


class _Carrier:
    def __init__(self, configured: Configured, found: dict[str, Any]) -> None:
        self.configured, self.found, self.names = configured, found, _Names(configured)
        self.program, self.world, self.pieces = configured.machine.program, configured.world, configured.machine.pieces
        self.v: State = configured.machine.start(0)
        self.notes: list[Note] = []
        self.called = self._copies()  # by what pieces are called here, what they were called then
        self.then = {was: name for name, was in self.called.items()}

    def carried(self) -> tuple[State, list[Note]]:
        self._header()
        self._words()
        self._pieces()
        self._fields()
        self._histories()
        self._where()
        return self.v[: self.program.layout.size], self.notes

    def _note(self, kind: str, sort: str, names: list[str]) -> None:
        if names:
            self.notes.append(Note(kind, sort, tuple(names)))

    def _copies(self) -> dict[str, str]:
        """The one copy of a row has no number, the first of several has: they are the same."""
        before = {name for there in self.found["pieces"].values() for name in there}
        here = set(self.world.pieces.names)
        found = {name: f"{name}_1" for name in here - before if f"{name}_1" in before - here}
        return found | {f"{name}_1": name for name in before - here if f"{name}_1" in here - before}

    def _now(self, names: Iterable[str]) -> list[str]:
        """What pieces are called here."""
        return [self.then.get(name, name) for name in names]

    def _header(self) -> None:
        header = self.found["header"]
        for f in self.program.layout.fields:
            if f.kind == "header" and f.name in header:
                self.v[f.base] = int(header[f.name])
        phase = int(header.get("phase", 0))
        if phase:
            name = self.found["phases"][phase - 1]
            if name not in self.world.phase_names:
                raise SaveError(f"the play is in the phase `{name}`, which is gone")
            self.v[self.world.data["phase_slot"]] = list(self.world.phase_names).index(name) + 1
        self.v[C.STREAMS : C.STREAMS + len(C.STREAM_NAMES)] = [int(x) for x in self.found["streams"]]

    def _words(self) -> None:
        for name in self.names.types():
            here, before = self.program.roots[name].names, self.found["words"].get(name)
            if before is not None:
                self._note("gone", "word", [word for word in before if word not in here])
                self._note("new", "word", [word for word in here if word not in before])

    # ------------------------------------------------------------------------------------------------ pieces

    def _pieces(self) -> None:
        numbers = {name: i for i, name in enumerate(self.world.pieces.names)}
        spots = {name: i for i, name in enumerate(self.names.spots)}
        lying = {name: spot for spot, there in self.found["pieces"].items() for name in self._now(there)}
        # In their natural order: how they lie in a pile may be hidden, and so may be where.
        self._note("gone", "piece", [self._with_place(n, lying[n], spots) for n in sorted(lying) if n not in numbers])
        self._note("new", "piece", [name for name in numbers if name not in lying])
        rows = self.names.rows()
        before = {self.then.get(name, name): row for name, row in self.found["rows"].items()}
        self._note("changed", "piece", [n for n in rows if n in before and rows[n] != before[n]])
        for spot, there in self.found["pieces"].items():
            if spot not in spots and any(name in numbers for name in self._now(there)):
                raise SaveError(f"a piece lies on `{spot.partition(' ')[2]}`, which is gone")
        slots = self.found["marks"].get("slot", {})
        kept, self.pieces.watch = self.pieces.watch, None
        known = self.program.spots.known
        if known >= 0:
            memory = self.v[known : known + len(numbers)]
        for name in lying:
            if name in numbers:
                self.pieces.move(self.v, numbers[name], self.program.spots.box)
        for spot, there in self.found["pieces"].items():
            for name in self._now(there):
                if name in numbers:
                    self._lay(numbers[name], spots[spot], name, slots.get(self.called.get(name, name)))
        self.pieces.watch = kept
        if known >= 0:
            self.v[known : known + len(numbers)] = memory
        for mark, base in _marks(self.program):
            for was, number in self.found["marks"].get(mark, {}).items():
                name = self.then.get(was, was)
                if name in numbers and mark != "slot":
                    self.v[base + numbers[name]] = int(number)

    def _with_place(self, name: str, spot: str, spots: dict[str, int]) -> str:
        """A piece, with where it lay if all may see what lies there."""
        if spot in spots and self._seen_by_all(spots[spot]):
            return f"{name} ({spot.partition(' ')[2]})"
        return name

    def _seen_by_all(self, spot: int) -> bool:
        return self.program.spots.seen[spot] is None

    def _lay(self, piece: int, spot: int, name: str, slot: Any) -> None:
        try:
            self.pieces.move(self.v, piece, spot, slot if spot in self.pieces.slots else None)
        except RulesFault:
            what = f"`{name}`" if self._seen_by_all(spot) else "a piece"
            place = self.names.spots[spot].partition(" ")[2]
            raise SaveError(f"there is no room for {what} on `{place}`") from None

    # ------------------------------------------------------------------------------------------------ values

    def _fields(self) -> None:
        before, here = self.found["fields"], set()
        for f in self.program.layout.fields:
            if f.kind not in KEPT or f.type is None:
                continue
            key = f"{f.kind} {f.name}"
            here.add(key)
            if key not in before:
                self._note("new", "value", [f.name])
                continue
            items = [
                (i, item, before[key].get(self.called.get(item, item), _NOT_THERE)) for i, item in self.names.items(f)
            ]
            known = [(i, item, plain) for i, item, plain in items if plain is not _NOT_THERE]
            if (items and before[key] and not known) or not all(_is_such(f.type, plain) for _, _, plain in known):
                self._note("begun_anew", "value", [f.name])  # it belongs to something else, or is of another sort
                continue
            for i, item, plain in known:
                self._put(f, f.base + i * f.width, plain, item if f.count > 1 else "")
        self._note("gone", "value", [key.partition(" ")[2] for key in before if key not in here])
        for pool in self.world.pools:
            if pool.supply >= 0:
                self._supply(pool)

    def _supply(self, pool: PoolInfo) -> None:
        """What nobody has of a pool is what is left of all that there is now."""
        assert pool.total is not None, "a supply with an end has so many in all"
        for i in bits(pool.mask):
            held = 0
            for _, base, root in pool.holders.values():
                held += sum(self.v[base + owner * pool.size + i] for owner in range(root.size if root else 1))
            self.v[pool.supply + i] = pool.total[i] - held
            if held > pool.total[i]:
                sort = f" {pool.of.names[i]}" if pool.of is not None else ""
                raise SaveError(f"{held} of{sort} `{pool.name}` are held, and now there are only {pool.total[i]}")

    def _put(self, f: C.Field, slot: int, plain: Any, item: str) -> None:
        """One item. Members of a set or bag that are gone are left out: that they are gone was told."""
        what = f"`{f.name}`" + (f" of `{item}`" if item and not item.isdecimal() else "")
        v, kind = self.v, f.type
        if not _is_such(kind, plain):
            raise SaveError(f"{what} is of another type now")
        match kind:
            case Num(low, high, maybe):
                if plain is None and maybe:
                    v[slot] = NO_NUMBER
                elif isinstance(plain, int) and (low <= plain <= high or (plain == 0 and f.kind == "local")):
                    v[slot] = int(plain)
                else:
                    raise SaveError(f"{what} is {plain}, and now it must be from {low} to {high}")
            case Elem(root=root, maybe=maybe):
                (plain,) = self._now([plain])
                if plain is None:
                    v[slot] = -1 if maybe else 0
                elif plain in root.names:
                    v[slot] = root.names.index(plain)
                elif maybe:
                    v[slot] = -1
                else:
                    raise SaveError(f"{what} is `{plain}`, which is gone")
            case SetOf(of=Elem(root=root)):
                v[slot] = sum(1 << root.names.index(name) for name in set(self._now(plain)) if name in root.names)
            case SetOf(of=Num(high=high)):
                v[slot] = sum(1 << n for n in {int(n) for n in plain} if 0 <= n <= high)
            case BagOf(root=root):
                v[slot : slot + root.size] = [int(plain.get(name, 0)) for name in root.names]
            case ListOf(of=of, most=most):
                items = plain
                if isinstance(of, Elem):
                    items = [of.root.names.index(name) for name in self._now(plain) if name in of.root.names]
                if len(items) > most:
                    raise SaveError(f"{what} has {len(items)} items, and now it can have {most}")
                v[slot : slot + f.width] = [len(items), *map(int, items)] + [0] * (f.width - 1 - len(items))
            case Bool():
                v[slot] = int(bool(plain))
            case _:
                v[slot] = int(plain)

    def _histories(self) -> None:
        """Positions are remembered by the numbers of pieces and spaces, so only with the same ones do they mean any."""
        same = self.found["numbered"] == self.names.numbered()
        for f in self.program.layout.fields:
            if f.kind == "history":
                kept = self.found["histories"].get(f.name)
                if same and isinstance(kept, list) and len(kept) == f.count:
                    self.v[f.base : f.base + f.count] = [int(x) for x in kept]
                elif kept is not None and kept[0]:
                    self._note("begun_anew", "history", [f.name.partition(" ")[2]])

    # --------------------------------------------------------------------------------------- where play stands

    def _where(self) -> None:
        homes = self.names.homes
        stands = self.found["stands"]
        block = homes.block(stands)
        if block is None:
            raise SaveError(f"the play is at `{_told(stands)}`, which was removed or rewritten")
        self.v[C.PC] = block
        self._at_step(block)
        for entry, back in self.found["inside"]:
            inside = homes.block(entry), homes.block(back)
            procedure = next((c.procedure for c in _calls(self.program) if (c.procedure.entry, c.then) == inside), None)
            if procedure is None:
                raise SaveError(f"the play is inside of `{_told(back)}`, which is gone or was rewritten")
            self.v[procedure.back] = homes.block(back) or 0
        fields = {f.base: f for f in self.program.layout.fields if f.kind == "local"}
        for name, place, plain in self.found["names"]:
            slot = homes.slot(place)
            if slot is None or slot not in fields or fields[slot].type is None:
                raise SaveError(f"`{name}` stands for something in `{_told(place)}`, which is gone or was rewritten")
            self._put(fields[slot], slot, plain, "")
        if self.found["planning"]:
            self._note("begun_anew", "plan", ["together"])

    def _at_step(self, block: int) -> None:
        """Of a choice that is made in steps, the entry is found by what it says: it may stand elsewhere now."""
        if self.found["step"] is None:
            return
        before, number, position, values = self.found["step"]
        end, wanted = self.program.blocks[block].end, before[number]
        if not isinstance(end, C.Choice) or end.stage is None:
            raise SaveError(f"`{_told(self.found['stands'])}` is not chosen in steps any more")
        here = _entries(end)
        if here != before:
            if before.count(wanted) != 1 or here.count(wanted) != 1:
                raise SaveError(f"the play is in the middle of choosing `{wanted.split(' ')[0]}`, which was rewritten")
            number = here.index(wanted)
        self.v[end.stage] = 1 + number * STRIDE + int(position)
        fields = {f.base: f for f in self.program.layout.fields}
        for variable, plain in zip(end.entries[number].variables, values, strict=True):
            self._put(fields[variable.slot], variable.slot, plain, "")


def _is_such(kind: Type | None, plain: Any) -> bool:
    """Whether what a save says of a value is of its sort: a number, a word, some of them."""
    match kind:
        case Num():
            return plain is None or isinstance(plain, int)
        case Bool():
            return plain in (0, 1)
        case Elem():
            return plain is None or isinstance(plain, str)
        case SetOf(of=of) | ListOf(of=of):
            sort = str if isinstance(of, Elem) else int
            return isinstance(plain, list) and all(isinstance(item, sort) for item in plain)
        case BagOf():
            return isinstance(plain, dict)
    return True


def _told(place: Any) -> str:
    return str(place[1]) if isinstance(place, list) and len(place) > 1 else "?"
