"""Statements become blocks: a cursor that writes, the frames that can be left, the procedures that are called.

A block of statements opens a frame; names bound in it live in slots of the state that are zeroed where the frame
ends, so that equal positions are equal states. Leaving from inside (`end:`) is a jump that zeroes the slots of all
frames it crosses. An effect that leaves something outside of itself cannot be a procedure: it is written out at
each call (`Leaves` says so when that is found), which is always possible since nothing is recursive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.document import Broken as BrokenNode
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.mending import HOMES, KEYS_OF, is_absent
from ruledsl.syntax.shapes import Fields, Form, Key, fields, scalars, shape_of
from ruledsl.types import (
    NO_NUMBER,
    NONE,
    BagOf,
    Broken,
    Code,
    Elem,
    ListOf,
    Nothing,
    SetOf,
    TableOf,
    Type,
    every,
)
from ruledsl.wording.templates import Words

from .advice import become, change_without_value, gained, state_of, turned_round, whose_it_is
from .amounts import Tokens
from .frames import Frame, Framed
from .making import CodeInfo
from .meant import about_changed, as_number
from .names import Declared, Handle, Typed
from .show import show
from .texts import words
from .wording import is_no_call, told_no_call, unknown_verb, whole_statements, with_verb

MOST_BLOCKS = 40_000  # of a program


if TYPE_CHECKING:
    from ruledsl.analysis.elaborate import Elaborator

    from .compile import GameWorld


class Leaves(Exception):
    """An effect leaves something that encloses its calls."""


@dataclass(frozen=True, slots=True)
class Home:
    """A statement or effect, and the blocks and slots made for it and all inside of it. Those inside come first."""

    span: Span
    blocks: range
    slots: range


@dataclass(eq=False)
class ProcInfo:
    """An effect or the body of an action: built when it is first called."""

    name: str
    signature: str
    parameters: list[tuple[str, Type]]
    code: C.Procedure
    node: Node | None
    sort: str  # effect, action, row
    header: E.Header | None = None
    state: str = "new"
    inline: bool = False
    chooses: bool = False  # whether somebody is asked in it, or in what it calls
    this: Elem | None = None
    entry: Any = None  # of an action: what it offers
    opening: C.Node | None = None  # whether what it asks or pays first is possible
    cost: Fields | None = None  # of an action: where its cost stands
    limit_reason: C.Words | None = None  # of an action: what is said where its limit is used up
    covers: list[str] = field(default_factory=list)

    @property
    def body(self) -> Node | None:
        """The statements: of an action, and of an effect with numbered rules, what stands behind `do`."""
        if not isinstance(self.node, Map):
            return self.node
        numbered = self.sort == "effect" and is_numbered(self.node)
        return self.node.get("do") if self.sort == "action" or numbered else self.node


def is_numbered(node: Map) -> bool:
    """Whether an effect says which rules it carries: its statements then stand behind `do`."""
    return "do" in node.entries and len(node.entries) > 1 and next(iter(node.entries)) not in KEYS_OF


@dataclass(eq=False)
class TriggerInfo:
    name: str
    key: Scalar
    fields: Fields
    when: str  # before, after, instead, modify
    events: list[Scalar]
    used: bool = False


Lower = Callable[["Builder", Fields], None]


@dataclass(eq=False)
class Statement:
    """A verb with its keys and how it is written as blocks."""

    verb: str
    form: Form
    lower: Lower
    doc: str
    also: tuple[str, ...] = ()  # other words for the verb that one might try first
    alone: bool = False  # whether the verb may stand as a bare word
    words: Words | Callable[..., Any] | None = None  # how it is told


STATEMENTS: dict[str, Statement] = {}


def verbs_meant(word: str) -> list[str]:
    """The statement that another word for its verb means."""
    return [verb for verb, known in STATEMENTS.items() if word in known.also]


def statement(
    verb: str,
    kind: str,
    doc: str,
    *,
    words: Words | Callable[..., Any] | None = None,
    tried: dict[str, str] | None = None,
    also: tuple[str, ...] = (),
    alone: bool = False,
    instead: str = "",
    **keys: Key,
) -> Callable[[Lower], Lower]:
    """Registers a statement: the verb, what stands behind it, and its further keys (`_` at the end is dropped).

    `words` tell it in sentences, with its keys as slots; what needs more than that is a function of the teller. `tried`
    has keys that one might try first, each with what is to be written; `also`, other words for the verb; `instead`,
    what to write where a list or map stands behind it.
    """
    form = Form(
        f"`{verb}`",
        {verb: Key(kind, doc, required=True, instead=instead)} | {name.rstrip("_"): key for name, key in keys.items()},
        tried=tried or {},
        numbered=True,
    )

    def keep(lower: Lower) -> Lower:
        from inspect import cleandoc

        assert verb not in STATEMENTS, f"two statements are called {verb}"
        for name in keys:
            HOMES.setdefault(name.rstrip("_"), []).append(verb)
        KEYS_OF[verb] = tuple(form.keys)
        STATEMENTS[verb] = Statement(verb, form, lower, cleandoc(lower.__doc__ or ""), also, alone, words)
        return lower

    return keep


class Builder:
    """Writes the blocks of one procedure, or of the play itself."""

    def __init__(self, world: GameWorld, procedure: ProcInfo | None = None) -> None:
        self.world, self.report = world, world.report
        # Not typed: what `as_set` and `as_list` give has the type that they are named after.
        self.elab: Elaborator = world.elaborator
        self.tokens = Tokens(self)
        self.blocks: list[C.Block] = world.data["blocks"]
        self.current: int | None = None
        self.frames: list[Frame] = []
        self.procedure = procedure
        self.inlining: list[str] = []
        self.proceed: Any = None
        self.own: set[int] = set()  # every slot that this builder has given out
        self.together = False
        self.inside = int(procedure is not None and procedure.sort == "action")  # of how much that somebody chose
        self.first: C.Node | None = None  # whether what a procedure asks or pays first is possible
        self.begun: set[int] = set()  # blocks in which a statement begins
        self.here: Span | None = procedure.code.span if procedure is not None else None  # the statement that is read
        self.sure = ""  # the condition that holds where the next block begins
        self.guard = ""  # the condition that certainly holds where this statement begins

    # -------------------------------------------------------------------------------------------- blocks

    def new(self, note: str = "", loop: Span | None = None) -> int:
        """A block; `loop` is the place of the statement that comes round to it again and again."""
        self.world.needs.wrote(len(self.blocks))
        self.blocks.append(C.Block(note=note, span=loop, place=self.here))
        return len(self.blocks) - 1

    def comes_round(self, head: int, times: int | None) -> None:
        """A loop goes round so often for certain, if nothing in it leaves it."""
        self.blocks[head].rounds = times or 0

    def at(self, block: int) -> None:
        self.current = block

    def emit(self, op: C.Operation) -> None:
        if self.current is not None:
            self.blocks[self.current].ops.append(op)

    def mark(self, span: Span) -> None:
        """A statement begins here: whoever counts how often blocks run knows how often it did."""
        if self.current is not None:
            self.world.data["begun"].append((span, self.current))
            if self.world.data.get("marks"):
                self.emit(C.Act("mark", (), (), span))

    def close(self, end: C.Terminator) -> None:
        """Ends the current block."""
        if self.current is not None:
            self.blocks[self.current].end = end
        self.current = None

    def jump(self, to: int) -> None:
        self.close(C.Jump(to))

    def branch(self, condition: C.Node, then: int, otherwise: int, span: Span | None = None) -> None:
        self.close(C.Branch(condition, then, otherwise, span))

    def local(self, name: str, kind: Type, frame: Frame | None = None) -> int:
        """A slot, or several, for a name of this block."""
        width = self.world.width(kind)
        base = self.world.layout.add(name, 1, width, kind, "local")
        if isinstance(kind, ListOf):
            self.world.data["wide"][base] = width
        slots = list(range(base, base + width))
        (frame or self.frames[-1]).slots += slots
        self.own.update(slots)
        return base

    def put(self, base: int, kind: Type, value: C.Node, index: C.Node | None = None, span: Span | None = None) -> None:
        """Stores a value into its slot or slots."""
        if isinstance(kind, BagOf | ListOf):
            self.emit(C.PutSeveral(base, index, self.world.width(kind), value, isinstance(kind, ListOf), span))
        else:
            self.emit(C.Put(base, index, value, span))

    def opens(self) -> bool:
        """Whether what is written now comes first in a procedure."""
        return (
            self.first is None
            and self.procedure is not None
            and self.current == self.procedure.code.entry
            and not self.blocks[self.current].ops
        )

    def load(self, base: int, kind: Type) -> Typed:
        return Typed(self.world.load(base, None, kind), kind)

    # -------------------------------------------------------------------------------------------- frames

    def frame(self, kind: str, name: str = "", exit: int | None = None) -> Framed:
        """What stands inside can be left; at its end its slots are zeroed."""
        return Framed(self, Frame(kind, name, exit))

    def leave(self, target: Frame) -> None:
        """A jump to the exit of a frame: what it crosses is put in order first."""
        crossed: list[int] = []
        for frame in reversed(self.frames):
            if frame is target:
                break
            for op in frame.restore:
                self.emit(op)
            crossed += frame.slots
        if target.kind in ("block", "phase"):  # what follows these does not put them in order
            for op in target.restore:
                self.emit(op)
            crossed += target.slots
        if crossed:
            self.emit(C.Zero(tuple(crossed)))
        assert target.exit is not None
        self.jump(target.exit)

    def skip_rest(self) -> int:
        """The block behind the rest of this block of statements."""
        frame = next(f for f in reversed(self.frames) if f.kind == "block")
        if frame.after is None:
            frame.after = self.new("skipped")
        return frame.after

    # ------------------------------------------------------------------------------------------- reading

    def players(self, node: Node | None, role: str) -> C.Node | None:
        """Some players, or one; None if that cannot be worked out."""
        tree = self.elab.read(node, wanted="players")
        wanted = SetOf(every(self.world.players))
        found = self.elab.fitting.as_set(self.elab.expr(tree, wanted), tree.span, single=True)
        if found is None:
            return None
        self.elab.fitting.coerce(found, wanted, tree.span, role)
        chosen: C.Node = found.node
        return chosen

    def block(self, node: Node | None) -> None:
        """A statement, or a list of them."""
        with self.frame("block"):
            self.statements(node)

    def statements(self, node: Node | None) -> None:
        sure, self.sure = self.sure, ""
        for number, item in enumerate(whole_statements(node, self.report)):
            self.guard = sure if number == 0 else ""
            if self.current is None:  # play has left before: a lint says so
                self.at(self.new("unreachable"))
            self.world.data.setdefault("stands", []).append((item.span, self.current))
            self.statement(item)
            if isinstance(node, Seq):
                if isinstance(item, Scalar) and item.is_null:
                    self.report.error("S112", item.span, "a statement is missing here", help="remove the `-`")
                self.world.data["statements"].append(item.span)

    def statement(self, node: Node) -> None:
        if self.too_large(node.span):
            return
        self.mark(node.span)
        if not self.is_never(node):  # which nobody can see carried out
            self.world.data["all_statements"].append(node.span)
        blocks, slots = len(self.blocks), self.world.layout.size
        around, self.here = self.here, node.span
        if self.current is not None and self.current not in self.begun:
            self.begun.add(self.current)
            self.blocks[self.current].place = node.span
        self._lower(node)
        self.here = around
        homes: list[Home] = self.world.data["homes"]
        homes.append(Home(node.span, range(blocks, len(self.blocks)), range(slots, self.world.layout.size)))

    def is_never(self, node: Node | None) -> bool:
        """Whether a statement says that play does not come there."""
        return (isinstance(node, Scalar) and node.value == "never") or (
            isinstance(node, Map) and "never" in node.entries
        )

    def _lower(self, node: Node) -> None:
        if isinstance(node, Scalar):
            known = STATEMENTS.get(node.value)
            if known is not None and known.alone:
                word = Entry(node, word_at("", node.span))
                known.lower(self, Fields(Map(node.span, {node.value: word}), known.form))
            elif not node.is_null:
                self.call_text(node)
        elif isinstance(node, Map):
            node = with_verb(node, self.report)
            verb = self.verb(node)
            if verb is None:
                self._forget(node)
            else:
                known = STATEMENTS[verb]
                if known.form.known[verb].kind in ("variables", "choices", "map"):
                    value = node.entries[verb].value
                    self._forget(value if isinstance(value, Scalar) else None)
                self.leading_key(node, verb)
                before = self.report.errors
                found = fields(node, known.form, self.report, tuple(STATEMENTS))
                if self.report.errors > before and isinstance(node.entries[verb].value, Map):
                    self._forget(node)
                if found is not None:
                    known.lower(self, found)
        elif not isinstance(node, BrokenNode):
            self.report.error("S111", node.span, "a list cannot be among statements", help="remove one level of `-`")

    def _forget(self, node: Node | None) -> None:
        """Names that a statement was to give, but that cannot be read, are no second mistake where they stand."""
        names: set[str] = self.world.data.setdefault("broken names", set())
        for entry in node if isinstance(node, Map) else ():
            names.update(entry.value.entries if isinstance(entry.value, Map) else ())
        if isinstance(node, Scalar):
            names.update(re.findall(r"[^\W\d]\w*", node.value))
            self.world.data["nameless"] = True  # what it was to be called is written nowhere

    def verb(self, node: Map) -> str | None:
        verbs = [name for name in node.entries if name in STATEMENTS]
        if verbs:
            return verbs[0]
        if not node.entries:
            if not node.broken:
                self.report.error("S112", node.span, "a statement is missing here")
            return None
        unknown_verb(node, self.elab, verbs_meant(next(iter(node)).key.value))
        return None

    def leading_key(self, node: Map, verb: str) -> None:
        first = next(iter(node)).key
        if first.value != verb and not node.broken:
            key = node.key(verb)
            assert key is not None
            self.report.error(
                "S114",
                first.span,
                f"a statement begins with its verb: `{verb}` must come before `{first.value}`",
                notes=((key.span, "this is the verb"),),
                help=f"put `{verb}:` first",
            )

    # --------------------------------------------------------------------------------------------- texts

    def words(self, node: Node | None) -> C.Words | None:
        """A text with holes, by language."""
        return words(self.elab, node)

    # --------------------------------------------------------------------------------------------- calls

    def call_text(self, node: Scalar) -> None:
        """A statement that is a bare call: `refill()`."""
        alone = [verb for verb, known in STATEMENTS.items() if known.alone]
        if is_no_call(node, self.elab, alone, self.report):
            return
        tree = self.elab.read(node)
        if isinstance(tree, E.Bad):
            return
        if isinstance(tree, E.Name) and (meant := [v for v in verbs_meant(tree.name) if STATEMENTS[v].alone]):
            said, help = f"`{tree.name}` is not a statement", did_you_mean(meant)
            self.report.error("S115", node.span, said, help=help, suggestions=tuple(meant))
            return
        if not isinstance(tree, E.Call):
            told_no_call(tree, node, self.world.procedures, self.report)
            return
        if isinstance(tree.of, E.Attribute):
            self.call_row(tree, tree.of)
            return
        assert isinstance(tree.of, E.Name) or True
        name = tree.of.name if isinstance(tree.of, E.Name) else ""
        if name == "proceed" and self.proceed is not None:
            self.proceed()
            return
        declared = self.world.names.get(name)
        if declared is None or declared.sort not in ("effect", "action"):
            if (declared is not None and declared.sort == "formula") or name in self.world.builtins:
                self.report.error(
                    "T244",
                    node.span,
                    f"`{name}` gives a value and does nothing by itself",
                    help="use it inside an expression",
                )
                return
            if self.world.failed(name):
                return
            known = nearest(name, [d.name for d in self.world.names.values() if d.sort in ("effect", "action")])
            meant = [verb for verb in (name, *verbs_meant(name)) if verb in STATEMENTS and STATEMENTS[verb].alone]
            help = f"write `{meant[0]}`, without brackets" if meant else did_you_mean(known)
            whose = next((of for of, info in self.world.data.get("attributes", ()) if info.name == name), "")
            if whose and not help:
                help = f"every {whose} has its own: write `x.{name}()` with the {whose} whose it is"
            self.report.error(
                "N114",
                tree.of.span,
                f"there is no effect `{name}`",
                help=help,
                suggestions=() if meant else tuple(known),
            )
            return
        declared.used = True
        self.elab.spoken_of(name, tree.of.span)
        self.call(declared, tree)

    def call(self, declared: Declared, tree: E.Call) -> None:
        """An effect with its arguments; an action without arguments asks for them."""
        info: ProcInfo | None = self.world.procedure(declared.name, tree.span)
        if info is None:
            return
        given = tree.arguments
        if declared.sort == "action" and not given.plain and not given.named and info.entry is not None:
            from .choosing import ask_action

            ask_action(self, info, tree.span)
            return
        args = self.elab.calling.arguments(tree, info.parameters, info.signature)
        if args is not None:
            self.run(info, args, tree.span)

    def run(self, info: ProcInfo, args: tuple[C.Node, ...], span: Span) -> None:
        """Goes through a procedure: called, or written out here if it leaves what is outside of it."""
        if info.inline:
            self.write_out(info, args, span)
            return
        self.world.data["asked"] += info.chooses
        after = self.new(f"after {info.name}")
        self.close(C.CallProcedure(info.code, args, after, span))
        self.at(after)
        if self.procedure is not None and info.code.asks:
            self.procedure.code.asks = True
        self.own |= info.code.slots | {info.code.back}

    def too_large(self, span: Span) -> bool:
        """Whether there are too many blocks to go on, which is said once."""
        if len(self.blocks) <= MOST_BLOCKS:
            return False
        if not self.world.data.get("too large"):
            self.world.data["too large"] = True
            self.report.error(
                "F408",
                span,
                "the rules become too large",
                help="effects that end something outside themselves, and triggers with `proceed()`, are copied to each "
                "place that calls them: call them from fewer places",
            )
        return True

    def write_out(self, info: ProcInfo, args: tuple[C.Node, ...], span: Span) -> None:
        if info.name in self.inlining:
            way = " → ".join(f"`{name}`" for name in [*self.inlining[self.inlining.index(info.name) :], info.name])
            self.report.error("F401", span, f"`{info.name}` calls itself: {way}", help="rules cannot be recursive")
            return
        if self.too_large(span):
            return
        self.inlining.append(info.name)
        after = self.new(f"after {info.name}")
        with self.frame("inline") as frame:
            bases = [self.local(name, kind, frame) for name, kind in info.parameters]
            for base, (_, kind), arg in zip(bases, info.parameters, args, strict=True):
                self.put(base, kind, arg)
            kept, self.elab.scopes = self.elab.scopes, [{}]
            try:
                for base, (name, kind) in zip(bases, info.parameters, strict=True):
                    self.elab.bind(name, self.load(base, kind), quiet=True)
                if info.cost is not None:  # what it costs belongs to what is written out
                    from .choosing import Draft, costs

                    costs(self, Draft(""), info.cost)()
                with self.frame("effect", info.name, after):
                    procedure_body(self, info)
            finally:  # also where the effect leaves what encloses its caller
                self.elab.scopes = kept
                self.inlining.pop()
            if self.current is not None:
                self.jump(after)
            self.at(after)

    def call_row(self, tree: E.Call, of: E.Attribute) -> None:
        """`card.effect()`: the effect that stands in the row of a card."""
        typed = self.elab.expr(of.of)
        if isinstance(typed.type, Broken):
            return
        attribute = self.elab.calling.code_attribute(typed.type, of.name) if isinstance(typed.type, Elem) else None
        if attribute is None or attribute.type.kind != "effect":
            word, of_what = of.name.name, of.of.span.one_line
            help = f"write `{word}({of_what})`" if word in self.world.procedures else ""
            self.report.error("N114", of.name.span, f"{show(typed.type)} has no effect `{word}`", help=help)
            return
        assert isinstance(typed.type, Elem), "only members of a type have effects"
        info: CodeInfo = attribute.origin
        info.used = True
        args = self.elab.calling.arguments(tree, info.parameters, info.signature)
        if args is None:
            return
        with self.frame("rows") as frame:
            owner = self.local("row", info.owner, frame)
            self.emit(C.Put(owner, None, typed.node))
            values = []
            for (name, kind), arg in zip(info.parameters, args, strict=True):
                base = self.local(name, kind, frame)
                self.put(base, kind, arg)
                values.append(self.load(base, kind).node)
            after = self.new("after the row")
            cases: dict[int, int] = {}
            blocks: dict[Node, int] = {}
            here = self.current
            for member, node in info.rows.items():
                if not typed.type.mask >> member & 1:
                    continue
                if node not in blocks:
                    blocks[node] = self.new(f"row {info.owner.root.names[member]}")
                    self.at(blocks[node])
                    procedure = self.world.row_procedure(info, node, tree.span)
                    if procedure is not None:
                        self.run(procedure, (C.Get(owner), *values), tree.span)
                    if self.current is not None:
                        self.jump(after)
                cases[member] = blocks[node]
            self.current = here
            self.close(C.Dispatch(C.Get(owner), cases, after))
            self.at(after)

    # --------------------------------------------------------------------------------------------- paths

    def target(self, entry: Entry) -> tuple[Any, Type] | None:
        """What `set`, `add` and `subtract` change: a value, an attribute of the state, an item of one."""
        key = entry.key
        if is_absent(entry.value):
            help = change_without_value(self.world, key.value)
            self.report.error("S103", key.span, f"nothing follows `{key.value}`", help=help)
            return None
        tree = self.elab.read(key, "path")
        if isinstance(tree, E.Name) and not self.elab.is_known(tree.name):
            self.elab.fail("N101", key.span, f"nothing is called `{tree.name}`", *about_changed(self.elab, tree.name))
            return None
        self.elab.changing = tree
        typed = self.elab.expr(tree)
        self.elab.changing = None
        if isinstance(typed.type, Broken):
            return None
        node = typed.node
        slot = node.slot if isinstance(node, C.Get) else node.base if isinstance(node, C.Cell | C.Several) else None
        kind = self.world.field_kind(slot) if slot is not None else ""
        if kind not in ("value", "state"):
            what = "a name of this block" if kind == "local" else show(typed.type)
            if isinstance(typed.type, TableOf) and isinstance(typed.node, Handle):
                help = whose_it_is(self.elab, typed.type, entry) or as_number(typed.type, key.span, self.elab)
                self.report.error("T245", key.span, f"`{key.value}` is {what}, not one of them", help=help)
                return None
            if kind == "pool":
                self.report.error(
                    "T245",
                    key.span,
                    "tokens cannot be set: use `gain:` and `pay:`",
                    help=gained(self.world, key.value),
                )
            elif kind in ("piece", "spot"):
                self.report.error("T245", key.span, "to change where a piece is, move it", help="use `move:`")
            else:
                help = (
                    turned_round(self.world, entry)
                    or become(typed.type, entry)
                    or state_of(self.world, typed.type, key.span.one_line)
                )
                help = help or "`values:` and `state:` declare what changes in play"
                self.report.error("T245", key.span, f"this cannot be changed: it is {what}", help=help)
            return None
        if self.together and not self.world.is_own(node):
            self.report.error(
                "F405",
                key.span,
                "in `together`, players can only change what is their own",
                help="change `me.…` here, and the rest after `together`",
            )
        return node, typed.type

    def assign(self, node: Any, kind: Type, value: C.Node, span: Span) -> None:
        if isinstance(node, C.Get):
            self.put(node.slot, kind, value, None, span)
        else:
            self.put(node.base, kind, value, node.index, span)

    # -------------------------------------------------------------------------------------------- tokens


def procedure_body(b: Builder, info: ProcInfo) -> None:
    """The triggers before, the body or what stands in its place, the triggers after; `b` stands in its frame."""
    triggers = b.world.triggers_of(info.name) if info.sort != "row" else {}
    for trigger in triggers.get("before", ()):
        run_trigger(b, trigger, info)
    done = b.new(f"done {info.name}")
    inner = Frame("effect", info.name, done)
    b.frames.append(inner)
    try:
        insteads = triggers.get("instead", [])
        # The first that applies wins; behind one without a condition none ever comes.
        always = next((t for t in insteads[:-1] if t.fields.get("when") is None), None)
        if always is not None:
            hidden = insteads[insteads.index(always) + 1]
            for trigger in insteads[insteads.index(always) + 1 :]:
                trigger.fields.asked |= {"do", "when"}  # that they never come is said here
            b.report.warn(
                "L502",
                hidden.key.span,
                f"`{always.name}` always replaces `{info.name}`, so `{hidden.name}` never does",
                notes=((always.key.span, "this one has no `when`"),),
                help="of several triggers with `instead` the first that applies wins: put the one with a condition "
                "first",
            )
        replaced(b, list(insteads), lambda: b.block(info.body))
    finally:
        b.frames.pop()
    if b.current is not None:
        b.jump(done)
    b.at(done)
    for trigger in triggers.get("after", ()):
        run_trigger(b, trigger, info)


def replaced(b: Builder, insteads: list[TriggerInfo], body: Callable[[], None]) -> None:
    """A body, or what triggers with `instead` do in its place: the first that applies."""
    if not insteads:
        body()
        return
    trigger = insteads[0]
    kept, scopes = b.proceed, list(b.elab.scopes)

    def proceed() -> None:
        # What it stands in place of does not know the trigger's names, and may be done several times.
        outer, inner = b.proceed, b.elab.scopes
        b.proceed, b.elab.scopes = kept, scopes
        replaced(b, insteads[1:], body)
        b.proceed, b.elab.scopes = outer, inner

    def rest() -> None:
        replaced(b, insteads[1:], body)

    trigger.used = True
    b.world.data["all_statements"].append(trigger.key.span)
    condition = trigger.fields.get("when")
    if condition is None:
        b.mark(trigger.key.span)
        b.proceed = proceed
        b.block(trigger.fields.get("do"))
        b.proceed = kept
        return
    node = b.elab.condition_of(condition, "the condition of `when`")
    applies, otherwise, after = b.new("instead"), b.new("as usual"), b.new("after instead")
    b.branch(node, applies, otherwise, condition.span)
    b.at(applies)
    b.mark(trigger.key.span)
    b.proceed = proceed
    b.block(trigger.fields.get("do"))
    b.proceed = kept
    if b.current is not None:
        b.jump(after)
    b.at(otherwise)
    rest()
    if b.current is not None:
        b.jump(after)
    b.at(after)


def run_trigger(b: Builder, trigger: TriggerInfo, info: ProcInfo | None) -> None:
    """A trigger before or after its event: for the actor, or for each player of `for:`."""
    trigger.used = True
    b.world.data["all_statements"].append(trigger.key.span)
    node = trigger.fields.get("for")
    if isinstance(node, Map):
        from .loops import for_players

        players = node.get("me")
        if players is None or len(node.entries) != 1:
            b.report.error(
                "S117", node.span, "`for` in a trigger says who acts", help="write `for: {me: players where …}`"
            )
            return
        for_players(b, players, lambda: _conditional(b, trigger))
    else:
        _conditional(b, trigger)


def _conditional(b: Builder, trigger: TriggerInfo) -> None:
    condition = trigger.fields.get("when")
    if condition is None:
        b.mark(trigger.key.span)
        b.block(trigger.fields.get("do"))
        return
    node = b.elab.condition_of(condition, "the condition of `when`")
    then, after = b.new(f"trigger {trigger.name}"), b.new("after the trigger")
    b.branch(node, then, after, condition.span)
    b.at(then)
    b.mark(trigger.key.span)
    b.block(trigger.fields.get("do"))
    if b.current is not None:
        b.jump(after)
    b.at(after)


__all__ = [
    "NONE",
    "NO_NUMBER",
    "STATEMENTS",
    "Builder",
    "Code",
    "Frame",
    "Key",
    "Leaves",
    "Nothing",
    "ProcInfo",
    "SetOf",
    "TriggerInfo",
    "every",
    "procedure_body",
    "run_trigger",
    "scalars",
    "shape_of",
    "statement",
]
