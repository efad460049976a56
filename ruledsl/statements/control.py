"""Deciding, repeating, turns, and leaving."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ruledsl.analysis.build import Builder, Leaves, replaced, run_trigger, statement
from ruledsl.analysis.doubts import asked_for_though_none
from ruledsl.analysis.endings import finish
from ruledsl.analysis.loops import each_of, for_players
from ruledsl.analysis.names import Typed
from ruledsl.analysis.show import show
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Node, Scalar
from ruledsl.syntax import expr as E
from ruledsl.syntax.mending import KEYS_OF
from ruledsl.syntax.shapes import INSTEAD_OF_DO, INSTEAD_OF_THEN, Fields, Key
from ruledsl.types import BOOL, BROKEN, FAR, Broken, Elem, ListOf, Num, SetOf, every
from ruledsl.wording.templates import Words

from .told import told_end, told_for, told_if, told_let, told_never, told_phase, told_while

BACKWARDS = ("reversed", "reverse", "backwards", "order", "direction")  # keys that one might try first


@statement("let", "map", "Names and their values, in order.", words=told_let)
def let(b: Builder, f: Fields) -> None:
    """Names values for the rest of the block; they do not change. What changes is declared under `values:` or `state:`.

    - let: {origin: the(m.square)}
    """
    frame = next(fr for fr in reversed(b.frames) if fr.kind == "block")
    for entry in f.map("let") or ():
        tree = b.elab.read(entry.value)
        typed = b.elab.expr(tree)
        kind = typed.type
        value = b.world.names.get(entry.key.value)
        if value is not None and value.sort == "value":
            said = f"`let` makes a new name `{entry.key.value}`, which hides the value `{entry.key.value}`"
            b.report.error("N203", entry.key.span, said, help="write `set:` to change the value, or use another name")
            kind = Broken()
        if isinstance(kind, Broken):
            b.elab.bind(E.Name(entry.key.span, entry.key.value), replace(typed, type=kind), quiet=True)
            continue
        if not isinstance(kind, Num | Elem | SetOf | ListOf) and kind != BOOL and not hasattr(kind, "root"):
            b.report.error("T236", tree.span, f"a name cannot stand for {show(kind)}")
            continue
        if isinstance(kind, ListOf) and kind.most > 500:
            kind = ListOf(kind.of, 500)
        base = b.local(entry.key.value, kind, frame)
        b.put(base, kind, typed.node, None, tree.span)
        b.elab.bind(E.Name(entry.key.span, entry.key.value), b.load(base, kind))


@statement(
    "if",
    "scalar",
    "The condition.",
    words=told_if,
    then=Key("block", "What happens if it holds.", required=True, tried=INSTEAD_OF_THEN),
    else_=Key("block", "What happens otherwise.", tried=("otherwise", "or_else")),
)
def if_(b: Builder, f: Fields) -> None:
    """Does one thing or another.

    - if: line(cell, 3, of=me)
      then: {win: me}
    """
    node = f.get("if")
    condition = b.elab.condition_of(node, "the condition of `if`")
    then, otherwise, after = b.new("then"), b.new("else"), b.new("after if")
    if isinstance(condition, C.Const):
        b.jump(then if condition.value else otherwise)
    else:
        b.branch(condition, then, otherwise, node.span if node else None)
    asked_for_though_none(b.world, node, f.get("then"), f.get("else"))
    reached = False
    for block, key in ((then, "then"), (otherwise, "else")):
        b.at(block)
        b.sure = _text(node) if key == "then" else ""
        facts = b.elab.narrowing.facts(b.elab.read(node, wanted="condition"), key == "then")
        left_out = isinstance(condition, C.Const) and bool(condition.value) != (key == "then")
        with b.elab.left_out(left_out), b.elab.narrowing.holding(facts):
            b.block(f.get(key))
        if b.current is not None:
            reached = True
            b.jump(after)
    b.current = after if reached else None


@statement(
    "never",
    "text",
    "Why the rules never come here.",
    words=told_never,
    alone=True,
    also=("impossible", "unreachable", "assert", "fault", "error", "always"),
)
def never(b: Builder, f: Fields) -> None:
    """Says that play never gets here. If it does, that is a fault of the rules, and the play is void.

    Use it for a branch that is required but can never run, with a reason or as a bare word: `else: never`.

    - never: a fort that is owned has defenders
    """
    reason = f.get("never")
    text = reason.value.strip() if isinstance(reason, Scalar) else ""
    if reason is not None and not isinstance(reason, Scalar):
        b.report.error("S103", reason.span, "the reason of `never` is for authors: write one text")
    message = "the rules say that play never comes here" + (f": {text}" if text else "")
    after = b.new("never")
    b.branch(C.Primitive("fault", (), (message,), f.node.span), after, after)  # without a place: nobody sees it taken
    b.at(after)


def _text(node: Node | None) -> str:
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""


@statement(
    "for",
    "variables",
    "A name and what it runs over; `me` makes each player the actor.",
    words=told_for,
    tried=dict.fromkeys(BACKWARDS, "for the opposite order write `for: {x: reversed(…)}`")
    | dict.fromkeys(("in", "of", "over", "among"), "the name and its set stand together, as in `for: {p: players}`"),
    do=Key("block", "What happens for each.", required=True, tried=INSTEAD_OF_DO),
)
def for_(b: Builder, f: Fields) -> None:
    """Does something for each member of a set or list. The members are fixed when the loop begins.

    - for: {p: players}
      do: {set: {p.folded: false}}
    """
    variables = f.map("for")
    if variables is None:
        return
    entries = list(variables)
    _nested(b, f, entries)


def _nested(b: Builder, f: Fields, entries: list[Any]) -> None:
    if not entries:
        b.block(f.get("do"))
        return
    entry, rest = entries[0], entries[1:]
    if entry.key.value == "me":
        for_players(b, entry.value, lambda: _nested(b, f, rest))
        return
    each_of(b, entry, lambda: _nested(b, f, rest))


@statement(
    "as",
    "scalar",
    "The player who acts instead.",
    words=Words(en="{as} acts, and is “you” here: {do}", ru="действует {as} (здесь это «вы»): {do}"),
    do=Key("block", "What they do.", required=True, tried=INSTEAD_OF_DO),
)
def as_(b: Builder, f: Fields) -> None:
    """Lets another player act: inside, `me` is that player.

    - as: small
      do: bet(blind / 2)
    """
    player = b.elab.value(f.get("as"), every(b.world.players), "who acts")
    with b.frame("block") as frame:
        actor = b.local("actor", every(b.world.players), frame)
        back = C.Put(C.ME, None, C.Get(actor))
        frame.restore.append(back)
        b.emit(C.Put(actor, None, C.Get(C.ME)))
        b.emit(C.Put(C.ME, None, player.node))
        b.block(f.get("do"))
        b.emit(back)


@statement(
    "repeat",
    "scalar",
    "How many times.",
    words=Words(
        en="do this {repeat:literal} times: {do}|do this as many times as {repeat} says: {do}",
        ru="повторите (сколько раз: {repeat}): {do}",
    ),
    do=Key("block", "What is repeated.", required=True, tried=INSTEAD_OF_DO),
)
def repeat(b: Builder, f: Fields) -> None:
    """Does something a number of times.

    - repeat: 5
      do: add_story_card()
    """
    tree = b.elab.read(f.get("repeat"), wanted="number")
    number = b.elab.number(b.elab.expr(tree), tree.span, "how many times")
    b.world.idle_at_zero(number, tree.span)
    with b.frame("block") as frame:
        left = b.local("left", Num(0, FAR), frame)
        if number is not None:
            b.emit(C.Put(left, None, number.node))
        head, inside, exit_ = b.new("repeat", tree.span), b.new("again"), b.new("after repeat")
        if number is not None and isinstance(number.node, C.Const):
            b.comes_round(head, number.node.value)
        b.jump(head)
        b.at(head)
        b.branch(C.Op("greater", (C.Get(left), C.Const(0))), inside, exit_)
        b.at(inside)
        b.emit(C.Put(left, None, C.Op("subtract", (C.Get(left), C.Const(1)))))
        with b.frame("loop", exit=exit_):
            b.block(f.get("do"))
        if b.current is not None:
            b.jump(head)
        b.at(exit_)


@statement(
    "while",
    "scalar",
    "The condition.",
    words=told_while,
    do=Key("block", "What is repeated.", required=True, tried=INSTEAD_OF_DO),
    most=Key("scalar", "The most times; more is a fault of the rules."),
)
def while_(b: Builder, f: Fields) -> None:
    """Repeats something while a condition holds. `most` is required if the body never asks a player.

    - while: any(jumps(m))
      most: 12
      do: […]
    """
    node = f.get("while")
    with b.frame("block") as frame:
        count = None
        limit: C.Node | None = None
        if f.has("most"):
            limit = b.elab.value(f.get("most"), Num(1, FAR), "`most`").node
            count = b.local("times", Num(0, FAR), frame)
        head, inside, exit_ = b.new("while", node.span if node else None), b.new("again"), b.new("after while")
        b.jump(head)
        b.at(head)
        condition = b.elab.condition_of(node, "the condition of `while`")
        if isinstance(condition, C.Const):
            b.jump(inside if condition.value else exit_)
        else:
            b.branch(condition, inside, exit_, node.span if node else None)
        b.at(inside)
        if count is not None and limit is not None:
            b.emit(C.Act("count_up", (limit,), (count,), node.span if node else None))
        asked = b.world.data["asked"]
        with b.frame("loop", exit=exit_):
            b.sure = _text(node)
            b.block(f.get("do"))
        if count is None and b.world.data["asked"] == asked and node is not None and f.has("do"):
            b.report.error(
                "F403",
                node.span,
                "this loop may never end: nobody is asked inside",
                help="add `most:`, how many times at the most",
            )
        if b.current is not None:
            b.jump(head)
        b.at(exit_)
        if isinstance(condition, C.Const) and condition.value and not _is_target(b, exit_):
            b.current = None


def _is_target(b: Builder, block: int) -> bool:
    return any(isinstance(x.end, C.Jump) and x.end.to == block for x in b.blocks) or any(
        isinstance(x.end, C.Choice | C.Branch | C.Dispatch) for x in b.blocks[block : block + 1]
    )


@statement(
    "rounds",
    "scalar",
    "How many rounds.",
    words=Words(
        en="number of rounds: {rounds}. In every round: {do}",
        ru="сколько раундов: {rounds}. В каждом раунде: {do}",
    ),
    do=Key("block", "What a round is.", required=True, tried=INSTEAD_OF_DO),
)
def rounds(b: Builder, f: Fields) -> None:
    """Plays a number of rounds; `round` counts them from 1.

    - rounds: 6
      do: […]
    """
    tree = b.elab.read(f.get("rounds"), wanted="number")
    number = b.elab.number(b.elab.expr(tree), tree.span, "how many rounds")
    b.world.idle_at_zero(number, tree.span)
    high = number.type.high if number is not None and isinstance(number.type, Num) else 1
    b.world.rounds = max(high, b.world.rounds if b.world.rounds < 10_000 else 0)
    if b.world.by_configuration(tree):
        b.world.data["rounds by configuration"] = True
    with b.frame("block") as frame:
        last = b.local("last", Num(0, FAR), frame)
        outer = b.local("outer", Num(0, FAR), frame)
        back = C.Put(C.ROUND, None, C.Get(outer))
        frame.restore.append(back)
        b.emit(C.Put(outer, None, C.Get(C.ROUND)))
        if number is not None:
            b.emit(C.Put(last, None, number.node))
        b.emit(C.Put(C.ROUND, None, C.Const(0)))
        head, inside, exit_ = b.new("rounds", tree.span), b.new("round"), b.new("after rounds")
        if number is not None and isinstance(number.type, Num):
            b.comes_round(head, max(0, number.type.low))
        b.jump(head)
        b.at(head)
        b.branch(C.Op("less", (C.Get(C.ROUND), C.Get(last))), inside, exit_)
        b.at(inside)
        b.world.data["round_loops"].append(inside)
        b.emit(C.Put(C.ROUND, None, C.Op("add", (C.Get(C.ROUND), C.Const(1)))))
        reset_limits(b, "round")
        with b.frame("rounds", exit=exit_), b.frame("round", exit=head):
            with_triggers(b, "round", lambda: b.block(f.get("do")))
        if b.current is not None:
            b.jump(head)
        b.at(exit_)
        b.emit(back)


@statement(
    "phase",
    "word",
    "The name of the phase.",
    words=told_phase,
    do=Key("block", "What happens in it.", required=True, tried=INSTEAD_OF_DO),
)
def phase(b: Builder, f: Fields) -> None:
    """Gives a part of the play a name: for `end`, limits, triggers and players.

    - phase: settlement
      do: […]
    """
    name = f.word("phase")
    node = f.get("phase")
    reset_limits(b, name)
    exit_ = b.new(f"after {name}")
    if node is not None:
        b.world.phase(name, node.span)
    with b.frame("phase", name, exit_):

        def body() -> None:
            with b.frame("block"):
                b.statements(f.get("do"))
                for more in b.world.sections.more_play.get(name, ()):
                    b.statements(more)

        before = b.world.phase_number(name)
        outer = b.local("outer phase", Num(0, FAR))
        slot = b.world.data["phase_slot"]
        b.frames[-1].restore.append(C.Put(slot, None, C.Get(outer)))
        b.emit(C.Put(outer, None, C.Get(slot)))
        b.emit(C.Put(slot, None, C.Const(before)))
        inside = b.new(f"phase {name}")  # a block of its own, for tests that begin with it
        b.world.data["phases"].setdefault(name, []).append(inside)
        b.jump(inside)
        b.at(inside)
        with_triggers(b, name, body)
        if b.current is not None:
            b.emit(C.Put(slot, None, C.Get(outer)))
            b.emit(C.Zero((outer,)))
            b.jump(exit_)
    # Whoever leaves the phase from inside lands here too, with the outer phase put back.
    b.at(exit_)


def with_triggers(b: Builder, event: str, body: Callable[[], None]) -> None:
    """A body with what triggers add before, after or instead of an event."""
    triggers = b.world.triggers_of(event)
    for trigger in triggers.get("before", ()):
        run_trigger(b, trigger, None)
    replaced(b, list(triggers.get("instead", [])), body)
    for trigger in triggers.get("after", ()):
        run_trigger(b, trigger, None)


def reset_limits(b: Builder, scope: str) -> None:
    slots = b.world.limit_slots(scope)
    if slots:
        b.emit(C.Zero(slots))


@statement(
    "turns",
    "scalar",
    "The players in order, as in `players from first`.",
    words=Words(
        en="these players take turns, again and again: {turns}"
        "<; a turn is skipped if {skip:cond} (if all would be skipped, the turns end)>"
        "<; the turns end when, before a turn, {until:cond}>. In each turn: {do}",
        ru="ходят по очереди, снова и снова: {turns}"
        "<; ход пропускается, если {skip:cond} (если пропустить нужно всех, ходы прекращаются)>"
        "<; ходы прекращаются, как только перед ходом {until:cond}>. В свой ход: {do}",
    ),
    tried={
        **dict.fromkeys(BACKWARDS, "for the opposite order write `turns: reversed(players from …)`"),
        **dict.fromkeys(("first", "start", "starts", "starting", "begins"), "write `turns: players from …`"),
        **dict.fromkeys(
            ("times", "rounds", "repeat", "count", "number", "for"),
            "for a number of rounds write `- rounds: 9`, and below it `do:` with `for: {me: players}`; "
            "for a number of turns write "
            "`until: turn_number >= 9`",
        ),
    },
    instead="write `turns: players`, or `turns: players from p`, where `p` begins",
    skip=Key("scalar", "Who is skipped, as a condition on `me`; if all are, the turns end."),
    until=Key(
        "scalar",
        "The turns end when this holds before a turn.",
        tried=("end", "ends", "end_when", "ends_when", "end_if", "stop", "stop_when", "finish", "over"),
    ),
    do=Key("block", "What a turn is.", required=True, tried=INSTEAD_OF_DO),
)
def turns(b: Builder, f: Fields) -> None:
    """Players take turns, again and again, until something ends it. In a turn the player is `me` and `turn_player`.

    - turns: players
      do: […]
    """
    node = f.get("turns")
    tree = b.elab.read(node, wanted="order")
    typed = b.elab.expr(tree)
    if isinstance(typed.type, Num):
        help = f"write `turns: players`; `rounds: {tree.span.one_line}` repeats what is in it this many times"
        b.report.error("T251", tree.span, f"only players can take turns, not {show(typed.type)}", help=help)
        typed = Typed(C.Const(0), BROKEN)
    elif isinstance(typed.type, Elem) and typed.type.root is b.world.players:
        one = tree.span.one_line
        help = f'write `turns: players from {one}`; a turn of one player alone is `turns: "[{one}]"`'
        b.report.error("T251", tree.span, "these are the players who take turns, and not one of them", help=help)
        typed = Typed(C.Const(0), BROKEN)
    listed = b.elab.fitting.as_list(typed, tree.span)
    player = every(b.world.players)
    if (
        listed is not None
        and listed.type.of != player
        and not (isinstance(listed.type.of, Elem) and listed.type.of.root is b.world.players)
    ):
        b.report.error("T251", tree.span, f"only players can take turns, not {show(listed.type.of)}")
        listed = None
    count = b.world.players.size
    with b.frame("block") as frame:
        order = b.local("order", ListOf(player, count), frame)
        place = b.local("place", Num(0, count), frame)
        passed = b.local("passed over", Num(0, count), frame)
        saved = [
            b.local(name, Num(-1, FAR), frame)
            for name in ("outer me", "outer turn player", "outer turn number", "outer next")
        ]
        forced = b.world.data["next_turn"]
        slots = (C.ME, C.TURN_PLAYER, C.TURN_NUMBER, forced)
        for keep, slot in zip(saved, slots, strict=True):
            b.emit(C.Put(keep, None, C.Get(slot)))
            frame.restore.append(C.Put(slot, None, C.Get(keep)))
        b.emit(C.Put(forced, None, C.Const(0)))
        b.emit(C.Put(C.TURN_NUMBER, None, C.Const(0)))
        b.put(order, ListOf(player, count), listed.node if listed is not None else C.Const(()), None, tree.span)

        def taken() -> None:
            skip = _text(f.get("skip"))
            b.sure = "any" + skip[2:] if skip.startswith("no(") else ""
            b.block(f.get("do"))

        head, inside, advance, exit_ = (
            b.new("turns", tree.span),
            b.new("turn"),
            b.new("next turn"),
            b.new("after turns"),
        )
        b.world.data["turn_loops"].append(C.TurnLoop(head, inside, advance, order, place, saved[1]))
        b.branch(C.Op("greater", (C.Get(order), C.Const(0))), head, exit_)
        b.at(head)
        b.emit(C.Put(C.ME, None, C.Cell(order + 1, C.Get(place))))
        b.emit(C.Put(C.TURN_PLAYER, None, C.Get(C.ME)))
        if f.has("until"):
            going = b.new("going on")
            until = f.get("until")
            b.branch(b.elab.condition_of(until, "`until`"), exit_, going, until.span if until else None)
            b.at(going)
        if f.has("skip"):
            skipping, taking, passing = b.new("skip"), b.new("take"), b.new("pass over")
            skip = f.get("skip")
            b.branch(b.elab.condition_of(skip, "`skip`"), skipping, taking, skip.span if skip else None)
            b.at(skipping)
            b.emit(C.Put(passed, None, C.Op("add", (C.Get(passed), C.Const(1)))))
            b.branch(C.Op("at_least", (C.Get(passed), C.Get(order))), exit_, passing)
            b.at(passing)
            b.emit(C.Put(place, None, C.Op("remainder", (C.Op("add", (C.Get(place), C.Const(1))), C.Get(order)))))
            b.jump(head)
            b.at(taking)
            b.emit(C.Put(passed, None, C.Const(0)))
        b.emit(C.Put(C.TURN_NUMBER, None, C.Op("add", (C.Get(C.TURN_NUMBER), C.Const(1)))))
        reset_limits(b, "turn")
        b.jump(inside)
        b.at(inside)
        with b.frame("turns", exit=exit_), b.frame("turn", exit=advance):
            with_triggers(b, "turn", taken)
        if b.current is not None:
            b.jump(advance)
        b.at(advance)
        b.emit(C.Act("advance", (), (order, place, forced)))
        b.jump(head)
        b.at(exit_)
        for op in frame.restore:
            b.emit(op)


@statement(
    "next_turn",
    "scalar",
    "The player whose turn comes after this one.",
    words=Words(en="next to play after this turn: {next_turn}", ru="следующий ход после этого: {next_turn}"),
)
def next_turn(b: Builder, f: Fields) -> None:
    """Says who plays after this turn; the order goes on from there.

    - next_turn: me
    """
    player = b.elab.value(f.get("next_turn"), every(b.world.players), "whose turn is next")
    b.emit(C.Put(b.world.data["next_turn"], None, C.Op("add", (player.node, C.Const(1)))))


ENDS = ("turn", "turns", "round", "rounds", "loop", "effect", "game")


@statement(
    "end",
    "word",
    "What ends: turn, turns, round, rounds, loop, effect, game, or a phase by name.",
    words=told_end,
    unused=Key("word", "An action whose use does not count."),
    because=Key("text", "The reason that players read, if the game ends."),
)
def end(b: Builder, f: Fields) -> None:
    """Leaves a turn, a loop, a phase or the like at once.

    - end: turn
    """
    what = f.word("end")
    node = f.get("end")
    if node is None:
        return
    if f.has("unused"):
        counter = b.world.counter(f.word("unused"))
        given = f.get("unused")
        broken = b.world.data.get("broken limits", ())
        if counter is None and given is not None and f.word("unused") not in broken:
            b.report.error("T243", given.span, f"`{f.word('unused')}` has no limit, so its uses are not counted")
        elif counter is not None:
            base = counter[0]
            fewer = C.Op("subtract", (C.Cell(base, C.Get(C.ME)), C.Const(1)))
            b.emit(C.Put(base, C.Get(C.ME), C.Op("greatest", (C.Const(0), fewer))))  # what was not used stays so
    if what == "game":
        finish(b, f, C.SCORED, None)
        return
    if f.has("because"):
        key = f.node.entries["because"].key
        b.report.error(
            "S105", key.span, "only the end of the game has a reason", help="tell players something with `say:`"
        )
    for frame in reversed(b.frames):
        if (
            (frame.kind == what and what in ENDS)
            or (frame.kind == "phase" and frame.name == what)
            or (frame.kind == "effect" and frame.name == what)
        ):
            b.leave(frame)
            return
    if what not in ENDS and what not in b.world.phases():
        inside = next((frame.kind for frame in reversed(b.frames) if frame.kind in ENDS), "")
        known = nearest(what, [*ENDS, *b.world.phases()]) if what != "phase" else []
        if not known and what in KEYS_OF and what != "phase" and inside:
            known = [inside]
        named = [f"`{name}`" for name in (*b.world.phases(), *ENDS)]
        phases = did_you_mean(b.world.phases()) if what == "phase" else ""
        help = phases and f"a phase ends by its name: {phases}"
        if only := re.fullmatch(r"(\w+)\s+(if|when|where|unless)\s+(.+)", what):  # a statement has no condition
            negated = "not " if only[2] == "unless" else ""
            known, help = [], f"write `if: {negated}{only[3]}`, and below it `then: {{end: {only[1]}}}`"
        if not known and (bare := re.sub(r"^(the|this|my|a)\s+", "", what)) in (*ENDS, *b.world.phases()):
            help = f"write `end: {bare}`"
        help = help or did_you_mean(known) or f"you can end {', '.join(named[:-1])} or {named[-1]}"
        b.report.error("N116", node.span, f"there is no phase `{what}` to end", help=help, suggestions=tuple(known))
        b.current = None
        return
    if b.procedure is not None and what != "effect":
        raise Leaves
    around = next((frame.kind for frame in reversed(b.frames) if frame.kind in ENDS), "")
    help = f"write `end: {around}` for what is around it" if around else "`end: game` ends the play"
    b.report.error("F404", node.span, f"this is not inside a {what}, so it cannot end it", help=help)
    b.current = None
