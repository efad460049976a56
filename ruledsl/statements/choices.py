"""Asking players: choices, menus, offers, and what is done together in secret."""

from __future__ import annotations

from ruledsl.analysis.build import Builder, Frame, statement
from ruledsl.analysis.choosing import NOTATION_KEY, Draft, ask, fill, menu_entries
from ruledsl.analysis.reasons import condition, without_reason
from ruledsl.analysis.show import show
from ruledsl.ir import core as C
from ruledsl.source.document import Scalar
from ruledsl.syntax.shapes import INSTEAD_OF_DO, Fields, Key
from ruledsl.types import FAR, Elem, ListOf, Num, every
from ruledsl.wording.templates import Words

from .told import told_choice, told_menu, told_offer


def _chooser(b: Builder, f: Fields) -> C.Node:
    if not f.has("by"):
        me = b.elab.special("me", f.node.span)
        assert me is not None
        return me.node
    return b.elab.value(f.get("by"), every(b.world.players), "who chooses").node


_WHERE = Key("condition", "What must hold, over all names.")
_SO_FAR = Key("condition", "What must hold for every part of a set that is built up.")
_BY = Key("scalar", "Who chooses (default: the player who acts).")
_LABEL = Key("text", "How players see an option, with `{expressions}` inside.")
_ASK = Key(
    "word",
    "`always`: ask even if the player can only decline, so that others learn nothing.",
    words=("always",),
)


_ALWAYS_ONE = (
    dict.fromkeys(
        ("always", "sure", "certain", "forced", "never", "must", "required"),
        "where there is always something to choose, write `else: never`",
    )
    | dict.fromkeys(
        ("cost", "price", "costs", "pay", "pays"),
        "what it costs is paid below, by `- pay: …`; whether one can pay is a condition: `where: payable(…)`",
    )
    | dict.fromkeys(
        ("do", "then", "effect", "effects", "action"),
        "what follows is the next statement: write it below with a `- ` of its own, in the same column",
    )
)


@statement(
    "choose",
    "choices",
    "Names, and what each may be.",
    words=told_choice,
    tried=_ALWAYS_ONE,
    where=_WHERE,
    so_far=_SO_FAR,
    by=_BY,
    label=_LABEL,
    notation=NOTATION_KEY,
    optional=Key("truth", "Adds an option not to choose."),
    stepwise=Key("truth", "Asks one name after the other; the last step reads the label."),
    ordered=Key("truth", "Keeps the order in which several are chosen."),
    stop_=Key("text", "How the option not to choose reads."),
    ask=_ASK,
    else_=Key("block", "What happens if there is nothing to choose; the rest of the block is skipped."),
)
def choose(b: Builder, f: Fields) -> None:
    """Asks a player. The names stand for what was chosen, for the rest of the block.

    - choose: {cell: board where empty(cell)}
      label: place at {cell}
      else: {tie: players}
    """
    frame = next(fr for fr in reversed(b.frames) if fr.kind == "block")
    guard = b.guard
    opening = b.opens()
    draft = Draft("", span=f.node.span)
    fill(b, draft, f, frame)
    by = _chooser(b, f)
    stuck, after = b.new("nothing to choose"), b.new("chosen")
    draft.taken = lambda: None
    stop = None
    if f.truth("optional"):
        stop = Draft("stop", label=b.words(f.get("stop")))
        stop.taken = lambda: b.jump(stuck)
    choice = ask(b, [draft], by, stop, stuck, after, "", f.node.span)
    choice.always = f.word("ask") == "always"
    if opening:
        b.first = C.Possible(choice)
    if not f.has("else") and not f.truth("optional") and not _always(b, choice) and not _guarded(guard, f):
        b.world.data["silent"].append(f.node)
    if f.has("else") and not f.truth("optional") and _always(b, choice) and not b.is_never(f.get("else")):
        b.world.data.setdefault("idle else", []).append(f.node.entries["else"].key.span)
    rest = b.skip_rest()
    b.at(stuck)
    b.block(f.get("else"))
    if b.current is not None:
        b.jump(rest)
    b.at(after)


def _guarded(guard: str, f: Fields) -> bool:
    """Whether this stands where just its one set was asked for: `while: any(jumps(m))`, `choose: {to: jumps(m)}`."""
    variables = f.map("choose")
    if not guard or variables is None or len(variables.entries) != 1 or f.has("where"):
        return False
    (entry,) = variables
    value = without_reason(entry.value)
    domain = " ".join(value.value.split()) if isinstance(value, Scalar) else ""
    return guard in (f"any({domain})", f"any({entry.key.value} in {domain})")


def _always(b: Builder, choice: C.Choice) -> bool:
    """Whether there is certainly something to choose."""
    (entry,) = choice.entries[:1]
    return not entry.where and entry.so_far is None and all(_has_one(b, one) for one in entry.variables)


def _has_one(b: Builder, variable: C.Variable) -> bool:
    if isinstance(variable.fewest, C.Const) and variable.fewest.value == 0:
        return True
    alone = variable.fewest is None or (isinstance(variable.fewest, C.Const) and variable.fewest.value == 1)
    return alone and variable.where is None and (variable.each.domain in b.world.full or _is_full(variable.each))


def _is_full(each: C.Each) -> bool:
    """Whether a domain certainly has a member, as far as that is known when the game is loaded."""
    known = [node.value for node in each.domain if isinstance(node, C.Const)]
    if len(known) < len(each.domain):
        match each.domain:
            case (C.Op(name="minus", args=(C.Const(value=whole), C.Op(name="only"))),):  # all but one
                return int(whole).bit_count() > 1
        return False
    return known[0] <= known[1] if each.form == "range" else bool(known[0])


@statement(
    "choose one",
    "menu",
    "A menu, or a list of entries.",
    words=told_menu,
    tried=dict.fromkeys(("times", "repeat", "count", "number"), "write `at_least:` and `at_most:`"),
    by=_BY,
    label=_LABEL,
    optional=Key("truth", "Adds an option not to choose."),
    any_number=Key(
        "truth",
        "Asks again until the player stops, or nothing is possible.",
        instead="write `any_number: true`; for some only, `at_least:` and `at_most:` take a number",
        tried=("several", "multiple", "again", "many", "unlimited"),
    ),
    at_least=Key(
        "scalar",
        "How many must be chosen before the player may stop, if that many are possible; then any number.",
        tried=("least", "min", "minimum", "fewest", "some"),
    ),
    at_most=Key("scalar", "How many may be chosen; then it ends.", tried=("most", "max", "maximum", "limit", "up_to")),
    done=Key("condition", "When the player may stop."),
    stop_=Key("text", "How the option to stop reads."),
    ask=_ASK,
    else_=Key("block", "What happens if no entry is possible."),
)
def choose_one(b: Builder, f: Fields) -> None:
    """Asks a player for one of several things to do. Only what is possible is offered.

    - choose one: betting
    """
    _menu(b, f, "choose one")


def _menu(b: Builder, f: Fields, verb: str) -> None:
    node = f.get(verb)
    with b.frame("block") as frame:
        head, after, stuck = b.new("menu"), b.new("after menu"), b.new("nothing possible")
        count, least, most = _how_many(b, f, frame)
        again = f.truth("any_number") or least is not None or most is not None
        b.jump(head)
        b.at(head)
        by = _chooser(b, f)
        with b.frame("loop", exit=after):
            drafts = menu_entries(b, node, frame)
            stop = None
            if f.truth("optional") or again:
                stop = Draft("stop", label=b.words(f.get("stop")))
                if f.has("done"):
                    stop.when.append(condition(b.elab, f.get("done"), "`done`"))
                if least is not None:
                    stop.when.append(C.Op("at_least", (C.Get(count), least)))
                stop.taken = lambda: b.jump(after)
            name = node.value if isinstance(node, Scalar) else ""
            chosen = b.new("entry done")
            ask(b, drafts, by, stop, stuck, chosen, name, f.node.span).always = f.word("ask") == "always"
            clear = tuple(slot for slot in frame.slots if slot != count)
            if clear:
                b.emit(C.Zero(clear))
            if count >= 0:
                b.emit(C.Put(count, None, _one_more(count, least, most)))
            if most is not None:
                b.branch(C.Op("at_least", (C.Get(count), most)), after, head)
            else:
                b.jump(head if again else after)
            b.at(stuck)
            if least is not None:  # enough may have been taken before nothing more is possible
                short = b.new("too few")
                b.branch(C.Op("at_least", (C.Get(count), least)), after, short)
                b.at(short)
            b.block(f.get("else"))
        if b.current is not None:
            b.jump(after)
        b.at(after)


_NO_BOUND = ("any", "all", "unlimited", "infinite", "infinity", "any number", "no limit", "many", "none", "∞")


def _how_many(b: Builder, f: Fields, frame: Frame) -> tuple[int, C.Node | None, C.Node | None]:
    """The slot that counts what was taken (-1 for none), and the bounds of `at_least` and `at_most`."""
    found: list[C.Node | None] = []
    for key, low in (("at_least", 0), ("at_most", 1)):
        node = f.get(key)
        if key == "at_most" and isinstance(node, Scalar) and node.value.strip().casefold() in _NO_BOUND:
            said = f"`{node.value}` is no number"
            help = "without `at_most:` it may be chosen any number of times; `any_number: true` says so alone"
            b.report.error("S103", node.span, said, help=help)
            node = None
        found.append(b.elab.value(node, Num(low, FAR), f"`{key}`").node if node is not None else None)
    if found == [None, None]:
        return -1, None, None
    return b.local("taken", Num(0, FAR), frame), found[0], found[1]


def _one_more(count: int, least: C.Node | None, most: C.Node | None) -> C.Node:
    """What was taken so far and one more; no higher than it matters, so that equal positions are equal states."""
    more = C.Op("add", (C.Get(count), C.Const(1)))
    if most is not None or not isinstance(least, C.Const):
        return more
    return C.Op("least", (more, least))


@statement(
    "may",
    "block",
    "What may be done.",
    words=Words(
        en=(
            "{by} may do this< (“{label}”)><, or not (“{stop}”)>: {may}|you may do this< (“{label}”)><, or not "
            "(“{stop}”)>: {may}",
        ),
        ru=(
            "по желанию (решает {by})< («{label}»)><, или нет («{stop}»)>: {may}|по желанию< («{label}»)><, или "
            "нет («{stop}»)>: {may}",
        ),
    ),
    by=_BY,
    label=_LABEL,
    stop_=Key("text", "How the option not to do it reads."),
)
def may(b: Builder, f: Fields) -> None:
    """Asks a player whether to do something.

    - may: appear(t)
      label: let the monster appear
    """
    with b.frame("block"):
        after = b.new("after may")
        draft = Draft("yes", label=b.words(f.get("label")), span=f.node.span)
        draft.taken = lambda: b.block(f.get("may"))
        stop = Draft("no", label=b.words(f.get("stop")))
        ask(b, [draft], _chooser(b, f), stop, after, after, "may", f.node.span)


@statement(
    "offer",
    "menu",
    "A menu, or a list of entries.",
    words=told_offer,
    to=Key("expression", "The players who are asked, in order.", required=True),
    until=Key(
        "word",
        "all pass (the default): until everyone passed since the last option taken; once: nobody is asked twice; "
        "first: it ends when one is taken.",
        words=("all pass", "once", "first"),
    ),
    done=Key("condition", "When a player may pass, as a condition on `me`."),
    stop_=Key("text", "How passing reads."),
    ask=_ASK,
)
def offer(b: Builder, f: Fields) -> None:
    """Offers several players, one after the other, to do something; each takes an option or passes.

    - offer: casting
      to: players from turn_player
      until: all pass
    """
    tree = b.elab.read(f.get("to"))
    listed = b.elab.fitting.as_list(b.elab.expr(tree), tree.span)
    until = f.word("until") or "all pass"
    players = b.world.players
    if listed is not None and not (isinstance(listed.type.of, Elem) and listed.type.of.root is players):
        b.report.error("T251", tree.span, f"only players can be asked, not {show(listed.type.of)}")
        listed = None
    kind = ListOf(every(players), players.size)
    with b.frame("block") as frame:
        order = b.local("asked", kind, frame)
        place = b.local("place", Num(0, players.size), frame)
        passes = b.local("passes", Num(0, players.size), frame)
        actor = b.local("actor", every(players), frame)
        back = C.Put(C.ME, None, C.Get(actor))
        frame.restore.append(back)
        b.emit(C.Put(actor, None, C.Get(C.ME)))
        b.elab.bind("actor", b.load(actor, every(players)), quiet=True)
        b.put(order, kind, listed.node if listed is not None else C.Const(()), None, tree.span)
        head, turn, passed, after = b.new("offer"), b.new("offered"), b.new("passed"), b.new("after offer")
        b.jump(head)
        b.at(head)
        b.branch(C.Op("less", (C.Get(passes), C.Get(order))), turn, after)
        b.at(turn)
        b.emit(C.Put(C.ME, None, C.Cell(order + 1, C.Get(place))))
        b.emit(C.Put(place, None, C.Op("remainder", (C.Op("add", (C.Get(place), C.Const(1))), C.Get(order)))))
        with b.frame("loop", exit=after):
            inner = Frame("block")
            b.frames.append(inner)
            drafts = menu_entries(b, f.get("offer"), frame)
            b.frames.pop()
            stop = Draft("pass", label=b.words(f.get("stop")))
            if f.has("done"):
                stop.when.append(condition(b.elab, f.get("done"), "`done`"))
            stop.taken = lambda: b.jump(passed)
            taken = b.new("taken")
            name = f.word("offer")
            ask(b, drafts, C.Get(C.ME), stop, passed, taken, name, f.node.span).always = f.word("ask") == "always"
            clear = tuple(
                s for s in (*frame.slots, *inner.slots) if s not in _kept(order, kind, place, passes, actor, b)
            )
            if clear:
                b.emit(C.Zero(clear))
            if until == "first":
                b.jump(after)
            elif until == "once":
                b.jump(passed)
            else:
                b.emit(C.Put(passes, None, C.Const(0)))
                b.jump(head)
        b.at(passed)
        b.emit(C.Put(passes, None, C.Op("add", (C.Get(passes), C.Const(1)))))
        b.jump(head)
        b.at(after)
        b.emit(back)


def _kept(order: int, kind: ListOf, place: int, passes: int, actor: int, b: Builder) -> set[int]:
    return {place, passes, actor, *range(order, order + b.world.width(kind))}


@statement(
    "together",
    "scalar",
    "The players.",
    words=Words(
        en="{together:players} do this all at once, in secret and each for themselves: {do}",
        ru="{together:players} — все одновременно, тайно и каждый за себя: {do}",
    ),
    do=Key("block", "What each does in secret.", required=True, tried=INSTEAD_OF_DO),
)
def together(b: Builder, f: Fields) -> None:
    """Players decide at once, in secret, about what is their own; nobody sees it until all have finished.

    - together: players
      do:
        - choose: {sign: signs}
        - set: {me.sign: sign}
    """
    deciding = b.players(f.get("together"), "who decides")
    body, after, here = b.new("in secret"), b.new("after together"), b.new("together")
    if b.together:
        b.report.error("F407", f.node.span, "`together` cannot stand inside `together`")
    b.jump(here)
    b.world.data["asked"] += 1
    if b.procedure is not None:
        b.procedure.code.asks = True
    b.together = True
    b.at(body)
    with b.frame("together"):
        b.block(f.get("do"))
    b.close(C.Drafted())
    b.together = False
    b.at(here)
    b.close(C.Together(deciding or C.Const(0), body, after, b.world.drafts(), f.node.span))
    b.at(after)
