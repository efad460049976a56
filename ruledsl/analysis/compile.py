"""From the declarations of a game to its program, for one set of options and number of players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ruledsl.diagnostics.model import GameError, Report
from ruledsl.ir import core as C
from ruledsl.ir.ways import reached, ways_through
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import fields, misspelt
from ruledsl.types import FAR, Broken, Num

from . import exchanges
from .build import Builder, Home, Leaves, ProcInfo, TriggerInfo, procedure_body
from .declarations.actions import check_limits, declare_actions
from .declarations.attributes import run_later
from .declarations.boards import declare_boards
from .declarations.campaign import declare_campaign
from .declarations.cases import declare_cases
from .declarations.formulas import declare_formulas
from .declarations.heuristic import declare_heuristic
from .declarations.history import declare_histories
from .declarations.locations import look_over_names
from .declarations.looks import declare_faces, declare_labels, declare_looks
from .declarations.options import declare_options
from .declarations.paths import add_paths
from .declarations.per import spread
from .declarations.pieces import declare_pieces
from .declarations.places import declare_places, finish_seen
from .declarations.pools import declare_pools
from .declarations.scoring import declare_scoring
from .declarations.show import declare_shown
from .declarations.starts import place_pieces
from .declarations.titles import finish_titles, still_texts
from .declarations.triggers import check_events, declare_triggers
from .declarations.types import declare_types
from .declarations.values import declare_values
from .extending import set_extending
from .making import CodeInfo
from .names import Declared, Typed
from .needs import DECLARATIONS, PLAY
from .notes import Notes
from .reasons import LIMIT, with_reason
from .rolled import cover_rolled
from .sections import GAME, Sections, Source
from .world import World


class GameWorld(World):
    """A world that also knows effects, actions, triggers and limits."""

    def __init__(
        self, source: Source, sections: Sections, options: dict[str, Any], players: list[str], report: Report
    ) -> None:
        super().__init__(source, sections, options, players, report)
        self.procedures: dict[str, ProcInfo] = {}
        self.rows: dict[tuple[Any, Node], ProcInfo] = {}
        self.triggers: list[TriggerInfo] = []
        self.limits: dict[str, tuple[Any, str, int]] = {}  # action: how many, per what, slot
        self.left_out: dict[str, tuple[Any, Declared]] = {}  # rules that other options have (`analysis.again`)
        self.phase_names: list[str] = []
        self.tried: list[tuple[ProcInfo, Span]] = []
        self.looked_through: list[tuple[ProcInfo, Span]] = []
        self.data.update(
            blocks=[],
            statements=[],
            all_statements=[],
            homes=[],
            asked=0,
            silent=[],
            turn_loops=[],
            notations={},
        )
        self.data["begun"] = []  # statements and triggers, each with the number of the block in which it begins
        self.data["round_loops"] = []
        self.data["phases"] = {}  # by name, the blocks with which it begins
        self.data["next_turn"] = self.layout.add("next turn", 1, 1, None, "header")
        self.data["phase_slot"] = self.layout.add("phase", 1, 1, None, "header")
        self.data["free"] = self.layout.add("free action", 1, 1, None, "header")
        self.writing: list[str] = []

    def _in_circles(self) -> list[object]:
        return [*super()._in_circles(), *self.procedures.values()]

    # ------------------------------------------------------------------------------------------ looking up

    def title_of_action(self, name: str) -> dict[str, str]:
        """What an action is called: its `title:`, or its name."""
        declared = self.procedures.get(name)
        written = declared.node.get("title") if declared is not None and isinstance(declared.node, Map) else None
        found = self.title_of_word(name)
        if isinstance(written, Scalar):
            return {"en": written.value} | {k: v for k, v in found.items() if k != "en"}
        if isinstance(written, Map):
            return found | {e.key.value: e.value.value for e in written if isinstance(e.value, Scalar)}
        return found

    def menu(self, name: str) -> list[str] | None:
        found = [
            n
            for n, info in self.procedures.items()
            if info.sort == "action" and isinstance(info.node, Map) and _word(info.node.get("menu")) == name
        ]
        return found or None

    def menus(self) -> list[str]:
        words = [
            _word(info.node.get("menu"))
            for info in self.procedures.values()
            if isinstance(info.node, Map) and info.sort == "action"
        ]
        return list(dict.fromkeys(word for word in words if word))

    def triggers_of(self, event: str) -> dict[str, list[TriggerInfo]]:
        found: dict[str, list[TriggerInfo]] = {}
        for trigger in self._triggers_by_event.get(event, ()):
            if trigger.when != "modify":
                found.setdefault(trigger.when, []).append(trigger)
        return found

    def modifiers_of(self, formula: str) -> list[TriggerInfo]:
        return [trigger for trigger in self._triggers_by_event.get(formula, ()) if trigger.when == "modify"]

    @cached_property
    def _triggers_by_event(self) -> dict[str, list[TriggerInfo]]:
        """Triggers are declared before anything is worked out that may cause their events."""
        found: dict[str, list[TriggerInfo]] = {}
        for trigger in self.triggers:
            for word in dict.fromkeys(word.value for word in trigger.events):
                found.setdefault(word, []).append(trigger)
        return found

    def counter(self, action: str) -> tuple[int, int] | None:
        """Where the uses of a limited action are counted, and how many there can be."""
        found = self.limits.get(action)
        return (found[2], 10_000) if found is not None else None

    def limit_of(self, action: str) -> C.Node:
        node, _, _ = self.limits[action]
        cached = self.data.setdefault("limit_nodes", {})
        if action not in cached:
            text = re.sub(r"\s+per\s+\w+$", "", node.text_span.text.rstrip())
            from ruledsl.syntax.parser import parse_text

            tree = parse_text(text, node.span.file, node.text_span.start, "expr", self.report)
            with self.needs.within(DECLARATIONS):  # whoever needs it next takes what was worked out
                typed = self.elaborator.number(self.elaborator.expr(tree), tree.span, "a limit")
            self.idle_at_zero(typed, tree.span)
            cached[action] = typed.node if typed is not None else C.Const(0)
        return cached[action]

    def limit_slots(self, scope: str) -> tuple[int, ...]:
        """The counters that begin anew where something of this name begins."""
        self.data.setdefault("limit scopes", set()).add(scope)
        return tuple(
            slot + p for _, per, slot in self.limits.values() if per == scope for p in range(self.players.size)
        )

    def phase(self, name: str, span: Span) -> None:
        self.phase_number(name)

    def phase_number(self, name: str) -> int:
        """Phases are numbered from 1 in the order in which they are met."""
        if name not in self.phase_names:
            self.phase_names.append(name)
        return self.phase_names.index(name) + 1

    def phases(self) -> list[str]:
        found = list(self.phase_names)
        for play in self.sections.play:
            _phases(play, found)
        return found

    def drafts(self) -> int:
        """Where the options are noted that players take in secret."""
        if "drafts" not in self.data:
            self.data["drafts"] = self.layout.add(
                "drafts", self.players.size, C.DRAFT_STEPS + 1, None, "draft", self.players
            )
        return int(self.data["drafts"])

    def hypothetical(self, info: ProcInfo, span: Span) -> None:
        self.tried.append((info, span))

    def look_through(self, info: ProcInfo, span: Span) -> int:
        """Notes that rules look ahead through an effect; the block at which such a way ends."""
        self.looked_through.append((info, span))
        if "way ends" not in self.data:
            blocks = self.data["blocks"]
            blocks.append(C.Block(note="a way that was only looked at ends", end=C.Finish(C.RUNNING, None, span)))
            self.data["way ends"] = len(blocks) - 1
        return int(self.data["way ends"])

    def field_kind(self, slot: int | None) -> str:
        if slot is None or slot < 0:
            return ""
        found = next((f for f in self.layout.fields if f.base <= slot < f.base + f.count * f.width), None)
        return found.kind if found is not None else ""

    def is_me(self, node: C.Node) -> bool:
        return isinstance(node, C.Get) and node.slot == C.ME

    def is_own(self, node: Any) -> bool:
        """Whether a slot belongs to the player who acts."""
        index = getattr(node, "index", None)
        if isinstance(index, C.Primitive) and index.name == "key":
            index = index.args[0]
        found = next(
            (f for f in self.layout.fields if f.base <= getattr(node, "base", -1) < f.base + max(1, f.count) * f.width),
            None,
        )
        return index is not None and self.is_me(index) and found is not None and found.owner is self.players

    @cached_property
    def deep(self) -> int | None:
        """Where it is counted how deep play stands in what somebody chose, if any action waits for its end."""
        waits = "turn" in map(_anytime, self.procedures.values())
        return self.layout.add("chosen", 1, 1, None, "header") if waits else None

    def free_entries(self, b: Builder) -> list[Any]:
        """Actions that may be taken beside a choice in one's own turn."""
        from .choosing import action_entry

        if self.data.get("in_free"):
            return []
        found = []
        for name, info in self.procedures.items():
            if when := _anytime(info):
                if name in self.writing or (when == "turn" and b.inside):
                    continue
                self.data["in_free"] = True
                self.names[name].used = True
                made = self.procedure(
                    name, b.procedure.code.span if b.procedure is not None and b.procedure.code.span else self.span
                )
                if made is not None and made.entry is not None:
                    draft = action_entry(b, made)
                    conditions = [
                        C.Op("equal", (C.Get(C.ME), C.Get(C.TURN_PLAYER))),
                        C.Op("equal", (C.Get(self.data["free"]), C.Const(0))),
                    ]
                    if when == "turn" and self.deep is not None:
                        conditions.append(C.Op("equal", (C.Get(self.deep), C.Const(0))))
                    draft.anytime = C.Both(tuple(conditions))
                    found.append(draft)
                self.data["in_free"] = False
        return found

    # ---------------------------------------------------------------------------------------- procedures

    def procedure(self, name: str, span: Span) -> ProcInfo | None:
        """An effect or action, built at its first use; None if that failed."""
        info = self.procedures.get(name)
        if info is None:
            return None
        return self._built(info, span)

    def row_procedure(self, info: Any, node: Node, span: Span) -> ProcInfo | None:
        key = (info, node)
        found = self.rows.get(key)
        if found is None:
            name = f"{info.owner.root.name}.{info.name}"
            found = ProcInfo(
                name,
                info.signature,
                [("this", info.of_row(node)), *info.parameters],
                C.Procedure(name, span=node.span),
                node,
                "row",
            )
            self.rows[key] = found
        return self._built(found, span)

    def _built(self, info: ProcInfo, span: Span) -> ProcInfo | None:
        self.needs.asked(info)
        if info.state == "done":
            return info
        if info.state == "busy":
            way = (
                " → ".join(f"`{name}`" for name in [*self.writing[self.writing.index(info.name) :], info.name])
                if info.name in self.writing
                else f"`{info.name}`"
            )
            self.report.error(
                "F401",
                span,
                f"`{info.name}` calls itself: {way}",
                notes=((info.code.span, "declared here"),) if info.code.span else (),
                help="rules cannot be recursive; count in a value, and repeat with `while`",
            )
            return None
        if self.making.too_deep(len(self.writing), span):
            return None
        info.state = "busy"
        self.writing.append(info.name)
        elaborator = self.elaborator
        no_me, elaborator.no_me = elaborator.no_me, 0
        kept = elaborator.scopes
        first_field, first_block, first_slot = len(self.layout.fields), len(self.data["blocks"]), self.layout.size
        elaborator.scopes = [{}]
        unused, asked = len(self.unused_bindings), self.data["asked"]
        try:
            with self.needs.within(info):
                self._write(info)
        except Leaves:  # names that what follows would have used
            info.inline = True
            del self.unused_bindings[unused:]
        finally:
            elaborator.scopes = kept
            elaborator.no_me = no_me
            self.writing.pop()
        for f in self.layout.fields[first_field:]:
            if f.kind == "local":
                info.code.slots.update(range(f.base, f.base + f.count * f.width))
        made = range(first_block, len(self.data["blocks"])), range(first_slot, self.layout.size)
        self.data["homes"].append(Home(info.code.span or span, *made))
        info.state, info.chooses = "done", self.data["asked"] > asked
        return info

    def _write(self, info: ProcInfo) -> None:
        b = Builder(self, info)
        info.code.entry = b.new(info.name)
        info.code.back = self.layout.add(f"back from {info.name}", 1, 1, None, "local")
        b.at(info.code.entry)
        with b.frame("procedure") as frame:
            if info.header is not None and info.sort == "effect":
                info.parameters = [(p.name.name, self.written.parameter_type(p)) for p in info.header.parameters]
            if info.sort == "action":
                self._action(b, info, frame)
            else:
                slots = []
                for i, (name, kind) in enumerate(info.parameters):
                    if isinstance(kind, Broken):
                        kind = Num(0, FAR)
                        b.elab.bind(name, Typed(C.Const(0), Broken()), quiet=True)
                        slots.append(b.local(name, kind, frame))
                        continue
                    slot = b.local(name, kind, frame)
                    slots.append(slot)
                    where = info.header.parameters[i].name if info.header is not None else name
                    b.elab.bind(where, b.load(slot, kind), quiet=True)
                info.code.parameters = tuple(slots)
                procedure_body(b, info)
        info.opening = b.first
        b.close(C.Return(info.code))
        info.code.slots |= b.own

    def _action(self, b: Builder, info: ProcInfo, frame: Any) -> None:
        """The choice that opens an action, then its cost and what it does."""
        from .choosing import ENTRY, Draft, costs, fill

        f = fields(info.node, ENTRY, self.report)
        if f is None:
            return
        f.asked |= {"do", "menu", "anytime"}  # these are looked at where it is offered, or taken
        if f.get("limit") is not None and info.name in self.limits:
            self.limit_of(info.name)
            _, because = with_reason(b.elab, f.get("limit"), LIMIT)
            info.limit_reason = b.words(because)
        draft = Draft(info.name, span=info.code.span)
        exchange = None
        if f.has("give") or f.has("get"):
            exchange = exchanges.begin(b, draft, f, frame)
            f.asked |= {"title", *exchanges.NOT_WITH}
        fill(b, draft, f, frame)
        pay = costs(b, draft, f)
        info.parameters = [(v.name, v.type) for v in draft.variables]
        info.code.parameters = tuple(v.slot for v in draft.variables)
        if draft.label is None:
            label = f.get("title")
            draft.label = b.words(label) if label is not None else None
        info.entry = draft
        info.cost = f if f.has("cost") else None
        pay()
        if exchange is not None:
            exchanges.check_when(b, exchange, draft)
            draft.label = draft.label or exchanges.default_label(b, exchange, draft)
            exchanges.carry_out(b, exchange, draft)
        procedure_body(b, info)


def _word(node: Node | None) -> str:
    return node.value if isinstance(node, Scalar) else ""


def _anytime(info: ProcInfo) -> str:
    """When an action may be taken beside other choices; empty if never."""
    return _word(info.node.get("anytime")) if info.sort == "action" and isinstance(info.node, Map) else ""


def _phases(node: Node | None, found: list[str]) -> None:
    if isinstance(node, Map):
        if (name := node.get("phase")) is not None and isinstance(name, Scalar) and name.value not in found:
            found.append(name.value)
        for entry in node:
            _phases(entry.value, found)
    elif isinstance(node, Seq):
        for item in node.items:
            _phases(item, found)


def compile_game(
    source: Source,
    sections: Sections,
    given: dict[str, Any],
    players: list[str],
    report: Report,
    marks: bool = False,
    notes: Notes | None = None,
) -> tuple[GameWorld, C.Program]:
    """The world and program of a game; with mistakes in the report the program is not to be run."""

    spread(sections)
    world = GameWorld(source, sections, {}, players, report)
    if notes is not None:
        world.elaborator = notes.elaborator(world)
    world.data["marks"] = marks
    declare_types(world)
    declare_options(world, given)
    declare_boards(world)
    if world.data.get("unfit"):
        raise GameError(report)
    world.data["place_names"] = set(sections.named["places"])
    declare_cases(world)
    declare_looks(world)
    declare_pieces(world)
    declare_places(world)
    declare_formulas(world)
    declare_values(world)
    declare_pools(world)
    run_later(world)
    look_over_names(world)
    add_paths(world)
    declare_histories(world)
    declare_actions(world)
    declare_triggers(world)
    finish_seen(world)
    place_pieces(world)
    if notes is not None and notes.awaited:
        _work_out_first(world, notes)
    with world.needs.within(PLAY):
        world.data["start"] = write_start(world)
    work_out_uncalled(world)
    for declare in _LAST:
        declare(world)
    check_tried(world)
    check_events(world)
    check_limits(world)
    still_texts(world)
    return world, finish(world)


def _work_out_first(world: GameWorld, notes: Notes) -> None:
    """The word that somebody waits for, wherever it stands but in play itself, which begins with it anyway."""
    triggers = [one for one in world.triggers if notes.awaits(one.fields.node)]
    events = {word.value for one in triggers for word in one.events}
    for formula in world.formulas:
        if formula.name in events or notes.awaits(formula.node):
            world.making.formula_type(formula, formula.node.span)
    for name, info in list(world.procedures.items()):
        if name in events or notes.awaits(info.node):
            world.procedure(name, info.code.span or world.span)
    for code in world.codes:
        for node in dict.fromkeys(code.rows.values()):
            if notes.awaits(node):
                _write_row(world, code, node)
    known = {*world.procedures, *(formula.name for formula in world.formulas)}
    left = any(info.inline and notes.awaits(info.node) for info in world.procedures.values())
    if not left and events <= known and not any(map(notes.awaits, _statements(world.sections))):
        for declare in _LAST:
            declare(world)
        notes.enough()


def _statements(sections: Sections) -> Iterator[Node]:
    """What play itself goes through."""
    yield from (*sections.setup, *sections.play)
    for nodes in sections.more_play.values():
        yield from nodes


# What stands beside play, and speaks of everything.
_LAST = (
    declare_scoring,
    declare_heuristic,
    declare_campaign,
    declare_shown,
    declare_faces,
    declare_labels,
    finish_titles,
)


def _write_row(world: GameWorld, code: CodeInfo, node: Node) -> None:
    if code.kind == "effect":
        world.row_procedure(code, node, node.span)
    else:
        world.making.formula_type(world.making.row_formula(code, node), node.span)


def write_start(world: GameWorld) -> int:
    """What play itself goes through, as blocks; the number of the first."""
    b = Builder(world)
    start = b.new("start")
    b.at(start)
    with b.frame("block"):
        for node in world.sections.setup:
            b.block(node)
        first = b.new("play")  # a block of its own, so that tests can put a position in place before it
        if b.current is not None:
            b.jump(first)
        b.at(first)
        world.data["setup_done"] = first
        for node in world.sections.play:
            b.block(node)
    b.close(C.Finish(C.SCORED, None, world.span))
    if not world.sections.play and not world.source.main.broken and not misspelt(world.source.main, "play", GAME):
        world.report.error(
            "S102", world.span, "a game needs `play:`", help="`play:` takes a statement or a list of statements"
        )
    return start


def work_out_uncalled(world: GameWorld) -> None:
    """What nothing has called yet is worked out all the same, so that its mistakes are found."""
    with world.needs.within(None):
        for formula in world.formulas:
            world.making.formula_type(formula, formula.node.span)
        for name, info in world.procedures.items():
            if info.state == "new":
                world.procedure(name, info.code.span or world.span)
        for code in world.codes:
            for node in dict.fromkeys(code.rows.values()):
                _write_row(world, code, node)


def check_tried(world: GameWorld) -> None:
    """What is only tried out may not do all that an effect may do."""
    for info, span in world.tried:
        if info.code.asks:
            world.report.error(
                "F402",
                span,
                f"`{info.name}` asks or rolls, so it cannot be tried",
                help="`would` needs an effect that does neither; `possible(…)` goes through what is asked",
            )
    for info, span in world.looked_through:
        _only_asks(world, info, span)


def _only_asks(world: GameWorld, info: ProcInfo, span: Span) -> None:
    """What is looked through may ask, and must not roll, nor leave what encloses it, nor be decided in secret."""
    blocks: list[C.Block] = world.data["blocks"]
    if info.inline:
        message = f"`{info.name}` ends something outside of it, so `possible` cannot try it"
        world.report.error("F402", span, message, help="remove `end: turn` and the like from it")
        return
    for at in reached([info.code.entry], lambda at: ways_through(blocks[at].end)):
        match blocks[at].end:
            case C.Chance(span=where):
                what = "rolls or shuffles"
            case C.Together() as together:
                where = getattr(together, "span", None)
                what = "asks in secret"
            case _:
                continue
        notes = ((where, "here"),) if where is not None else ()
        message = f"`{info.name}` {what}, so `possible` cannot try it"
        world.report.error("F402", span, message, notes=notes, help="`possible` only tries choices")
        return


def _public_names(names: list[str], rows: list[int]) -> list[str]:
    """Pieces that nothing tells apart are called alike wherever players look: by the first of them, without a number
    where no other row has that name."""
    first: dict[int, str] = {}
    for name, row in zip(names, rows, strict=True):
        first.setdefault(row, name)
    plain = {row: re.sub(r"_\d+$", "", name) for row, name in first.items()}
    shared = Counter(plain.values())
    several = Counter(rows)
    return [
        names[i] if several[row] == 1 else plain[row] if shared[plain[row]] == 1 else first[row]
        for i, row in enumerate(rows)
    ]


def _ahead(world: GameWorld) -> tuple[int, ...]:
    """Where rules look ahead through choices: blocks that play itself may never come to."""
    if not world.looked_through:
        return ()
    return (world.data["way ends"], *dict.fromkeys(info.code.entry for info, _ in world.looked_through))


def finish(world: GameWorld) -> C.Program:
    """The program: all that executors need of what declarations noted."""
    data = world.data
    world.needs.rule = None  # what tests ask later changes nothing
    data["public_names"] = _public_names(world.pieces.names, data["rows"])
    template = [0] * world.layout.size
    for slot, value in world.template.items():
        template[slot] = value
    if not world.report.errors:
        set_extending(data["blocks"], world.layout, world.scratch)
        cover_rolled(world, data["blocks"])
    return C.Program(
        name=_word(world.sections.single.get("game")) or "game",
        layout=world.layout,
        ahead=_ahead(world),
        scratch=world.next_scratch,
        blocks=data["blocks"],
        start=data["start"],
        spots=world.spots,
        roots=world.roots,
        procedures=[p.code for p in world.procedures.values()],
        formulas=[f.code for f in world.formulas],
        template=template,
        rows=data["rows"],
        piece_state=data["piece_state"],
        backs=tuple(sorted(world.open_state)),
        home=data.get("home", ()),
        piles=data.get("piles", set()),
        slots=data["slots"],
        closes=data["closes"],
        top_seen=data.get("top_seen", set()),
        wide=data["wide"],
        scoring=data["scoring"],
        ties=data["ties"],
        heuristic=data["heuristic"],
        lowest=data["lowest"],
        only_ranked=data["only ranked"],
        stakes=data["stakes"],
        between=data.get("between"),
        keep=[_kept(world, sort, what) for sort, what in data.get("keep", ())],
        turn_loops=data["turn_loops"],
        phases=world.phase_names,
        areas=_areas(world),
    )


def _areas(world: GameWorld) -> tuple[int, ...]:
    """Where pieces are at the end is of interest where chance says which of them come into play."""
    if not world.data.get("piles"):
        return ()
    found = [0] * world.spots.count
    for number, (_, rows) in enumerate(world.areas()):
        for spots in rows:
            found[spots.start : spots.stop] = [number] * len(spots)
    return tuple(found)


def _kept(world: GameWorld, sort: str, what: Any) -> C.Keep:
    """What goes on to the next play, as an executor needs to know it."""
    if sort == "place":
        first = world.spots.first_place + what.first
        return C.Keep(sort, what.name, places=range(first, first + what.count))
    if sort == "value":
        return C.Keep(sort, what.name, bases=(what.base,))
    holders = [base for _, base, _ in what.holders.values()]
    return C.Keep(sort, what.name, bases=(*holders, *([what.supply] if what.supply >= 0 else [])))
