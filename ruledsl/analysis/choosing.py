"""What a choice is made of: variables, entries of menus, costs, and the question itself.

The statements that ask (`statements/choices.py`) and the actions of a game share it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import field
from typing import Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.ir.walk import parts
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq, nodes_of
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.copies import EACH
from ruledsl.syntax.foreign import number_meant
from ruledsl.syntax.shapes import INSTEAD_OF_DO, Fields, Form, Key, fields
from ruledsl.syntax.texts import HOLE
from ruledsl.types import FAR, BagOf, Broken, Elem, ListOf, Num, SetOf

from .build import Builder, Frame, ProcInfo
from .doubts import speaks_of_others
from .extending import reads, slots_of
from .names import Notation, Typed
from .overset import named_by_its_key
from .reasons import COST, DOMAIN, condition, cost_fields, costs_of, explained, with_reason
from .texts import words

NOTATION_KEY = Key(
    "texts",
    "Other ways to type it, as in `{m.square}{to}`: texts, or `{as: text, when: condition}`. Pieces are "
    "shown by their letters there.",
    tried=("short", "typed", "alias", "aliases", "shortcut", "shorthand", "input", "notations"),
)
NOTATION = Form(
    "a notation",
    {
        "as": Key("text", "What may be typed.", required=True),
        "when": Key("scalar", "For which options it may be typed."),
        "chain": Key(
            "text",
            "The sign between from and to. Several such moves in a row may then be typed as one: with `/`, "
            "`24/18/13` or `24/13`.",
            tried=("through", "separator", "join", "joins", "via"),
        ),
    },
)

ENTRY = Form(
    "an entry of a menu",
    {
        "choose": Key("choices", "What is chosen with it."),
        "where": Key("condition", "What must hold for the choice."),
        "so_far": Key("condition", "What must hold at every step while a set is chosen."),
        "when": Key("condition", "When it is offered."),
        "cost": Key("costs", "What it costs: tokens, the call of an effect that asks for payment, or a list of these."),
        "give": Key(
            "amounts", "Of an exchange: what goes to the supply, as in `{any basic: 2}`.", tried=("pay", "gives")
        ),
        "get": Key(
            "amounts",
            "Of an exchange: what comes from the supply for it.",
            tried=("gain", "take", "gets", "receive", "for", "into", "with"),
        ),
        "limit": Key("limit", "How often: `2 per turn`, `1 per round`, `1 per game`, or per phase."),
        "label": Key("text", "How players see it."),
        "notation": NOTATION_KEY,
        "menu": Key("word", "The menu it belongs to; in a menu, the menu it takes in."),
        "anytime": Key(
            "word",
            "`turn`: offered with every choice of its player in their own turn, but not while something that they "
            "chose is still running. `always`: then, too.",
            words=("turn", "always"),
        ),
        "stepwise": Key("truth", "Asks for one name after another; the last step shows the label."),
        "ordered": Key("truth", "Keeps the order in which several are chosen."),
        "covers": Key("words", "The numbered rules that it implements."),
        "title": Key("text", "How players see it."),
        "do": Key("block", "What happens.", tried=INSTEAD_OF_DO),
        "each": EACH,
    },
    tried=dict.fromkeys(
        ("exchange", "trade", "swap", "convert"), "an exchange is an action with `give: {…}` and `get: {…}`"
    ),
    main="do",
    section="actions",
)


_ABOUT_NONE = dict.fromkeys(
    ("pass", "skip", "stop", "done", "nothing", "none"),
    "write `optional: true` beside `choose one:`, so that players may take nothing",
)


@dataclass(eq=False)
class Draft:
    """An entry being written: what it asks, and what follows when it is taken."""

    name: str
    when: list[C.Node] = field(default_factory=list)
    variables: list[C.Variable] = field(default_factory=list)
    where: list[C.Node] = field(default_factory=list)
    so_far: C.Node | None = None
    label: C.Words | None = None
    stepwise: bool = False
    anytime: C.Node | None = None
    span: Span | None = None
    taken: Callable[[], None] | None = None  # writes what follows

    @property
    def staged(self) -> bool:
        return self.stepwise or any(v.fewest is not None for v in self.variables)


# ------------------------------------------------------------------------------------------- variables


def variable(
    b: Builder, key: Scalar, domain: Node | None, frame: Frame, ordered: bool = False, because: Node | None = None
) -> C.Variable | None:
    """A name and what it may be: its slot in the state, its domain, its own condition."""
    word = E.Name(key.span, key.value)
    tree = b.elab.read(domain, "domain")
    if isinstance(tree, E.Domain) and named_by_its_key(b.elab, word, tree):
        tree = E.Bad(tree.span)
    if isinstance(tree, E.Bad):
        b.elab.bind(word, Typed(C.Const(0), Broken()), quiet=True)
        return None
    typed = b.elab.expr(tree.of)
    if tree.count is not None and (right := _counted_in_words(tree.count)):
        whole = " ".join(tree.of.span.until(tree.span).text.split())
        b.elab.fail(
            "E111",
            tree.count.span,
            f"`{tree.count.span.one_line} of` is not written here",
            f"write `{right} of {whole}`",
        )
        b.elab.bind(word, Typed(C.Const(0), Broken()), quiet=True)
        return None
    if tree.count is not None:
        return _several(b, word, tree, typed, frame, ordered, because)
    slot = b.local(word.name, Num(0, FAR), frame)
    each = b.elab.each(typed, slot, tree.of.span)
    if each is None:
        b.elab.bind(word, Typed(C.Const(0), Broken()), quiet=True)
        return None
    one, inner = each
    b.elab.bind(word, b.load(slot, inner))
    where = None
    if tree.where is not None:
        where = b.elab.condition(b.elab.expr(tree.where), tree.where.span, "the condition of `where`")
        speaks_of_others(b.world, [word.name], tree.where)
    _explained(b, one, because)
    return C.Variable(word.name, slot, inner, one, where)


def _explained(b: Builder, each: C.Each, because: Node | None) -> None:
    text = words(b.elab, because)
    if text is not None:
        b.world.reasons[each] = text


def _several(
    b: Builder, word: E.Name, tree: E.Domain, typed: Typed, frame: Frame, ordered: bool, because: Node | None
) -> C.Variable | None:
    """Several at once: a set, a list where the order counts, or a bag of a bag.

    In its own condition and its reason the name stands for one of them.
    """
    scratch = b.world.scratch()
    count = _count(b, tree.count)
    if isinstance(typed.type, BagOf):
        kind: Any = typed.type
        slot = b.local(word.name, kind, frame)
        b.elab.bind(word, b.load(slot, kind))
        if count is None:
            return None
        one = C.Each(scratch, "bag", (typed.node,))
        with b.elab.scope():
            b.elab.bind(word.name, Typed(C.Get(scratch), Elem(kind.root, kind.mask)), quiet=True)
            _explained(b, one, because)
        return C.Variable(word.name, slot, kind, one, None, count[0], count[1])
    each = b.elab.each(typed, scratch, tree.of.span)
    if each is None or count is None:
        b.elab.bind(word, Typed(C.Const(0), Broken()), quiet=True)
        return None
    one, inner = each
    where = None
    with b.elab.scope():
        b.elab.bind(word.name, Typed(C.Get(scratch), inner), quiet=True)
        if tree.where is not None:
            where = b.elab.condition(b.elab.expr(tree.where), tree.where.span, "the condition of `where`")
            speaks_of_others(b.world, [word.name], tree.where)
        _explained(b, one, because)
    size = inner.mask.bit_count() if isinstance(inner, Elem) else inner.high - inner.low + 1
    cap = min(size, 200)
    kind = ListOf(inner, cap) if ordered else SetOf(inner)
    slot = b.local(word.name, kind, frame)
    b.elab.bind(word, b.load(slot, kind))
    return C.Variable(word.name, slot, kind, one, where, count[0], count[1], ordered, cap)


def _counted_in_words(tree: E.Expr) -> str:
    """`1..2` for `1 or 2`, `any` for `any number`."""
    text = tree.span.one_line
    if re.fullmatch(r"any (?:number|amount|count)|as many as (?:wanted|possible)|arbitrarily many", text):
        return "any"
    numbers = [number_meant(word) for word in re.split(r"\s+or\s+|\s*,\s*", text)]
    known = [number for number in numbers if number is not None]
    return f"{min(known)}..{max(known)}" if 1 < len(known) == len(numbers) else ""


def _count(b: Builder, tree: E.Expr | None) -> tuple[C.Node, C.Node | None] | None:
    """`2`, `1..3`, `some` (one or more), `any`: the fewest and the most."""
    if isinstance(tree, E.Name) and b.elab.local(tree.name) is None and tree.name in ("some", "any"):
        return C.Const(1 if tree.name == "some" else 0), None
    assert tree is not None
    if isinstance(tree, E.Name) and tree.name in ("one", "a", "an", "each") and not b.elab.is_known(tree.name):
        said = f"`{tree.name} of` is not written here"
        b.elab.fail("E111", tree.span, said, "one is chosen by default: remove this; for several write `2 of`")
        return None
    if isinstance(tree, E.Binary) and tree.op == "..":
        low = b.elab.number(b.elab.expr(tree.left), tree.left.span, "how many")
        high = b.elab.number(b.elab.expr(tree.right), tree.right.span, "how many")
        return None if low is None or high is None else (low.node, high.node)
    number = b.elab.number(b.elab.expr(tree), tree.span, "how many")
    if number is not None and isinstance(number.type, Num) and number.type.high < 0:
        text = tree.span.one_line
        round_ = re.fullmatch(r"(\w+)\s*-\s*(\w+)", text)
        help = (
            f"from {round_[1]} to {round_[2]} is `{round_[1]}..{round_[2]}`" if round_ else "write how many are chosen"
        )
        b.report.error(
            "R304", tree.span, f"the number to choose cannot be negative: this is {number.type.high}", help=help
        )
        return None
    return None if number is None else (number.node, number.node)


# --------------------------------------------------------------------------------------------- entries


def fill(b: Builder, draft: Draft, f: Fields, frame: Frame) -> None:
    """What an entry asks: its variables, conditions and label, with names bound in the current scope."""
    if f.has("when"):
        draft.when.append(condition(b.elab, f.get("when"), "the condition of `when`"))
    for entry in f.map("choose") or ():
        domain, because = with_reason(b.elab, entry.value, DOMAIN)
        _whose(b, domain, f)
        found = variable(b, entry.key, domain, frame, f.truth("ordered"), because)
        if found is not None:
            draft.variables.append(found)
    if f.has("where"):
        draft.where.append(condition(b.elab, f.get("where"), "the condition of `where`"))
    if f.has("so_far"):
        draft.so_far = condition(b.elab, f.get("so_far"), "`so_far`")
    draft.stepwise = f.truth("stepwise")
    _idle_alone(b, draft, f)
    draft.variables = _beside(draft)
    draft.label = b.words(f.get("label"))
    if f.has("notation"):
        _notations(b, draft.label, f)


def _idle_alone(b: Builder, draft: Draft, f: Fields) -> None:
    """`ordered:` and `stepwise:` beside one thing to choose: there is no order, and there are no steps."""
    if not draft.variables or any(variable.fewest is not None for variable in draft.variables):
        return
    for name, said in (("ordered", "so there is no order"), ("stepwise", "so there are no steps")):
        if f.truth(name) and (name == "ordered" or len(draft.variables) == 1) and (node := f.get(name)) is not None:
            b.world.idle(node.span, f"one of each is chosen at a time, {said}")


def _whose(b: Builder, domain: Node | None, f: Fields) -> None:
    """`choose: {c: hand}`: a secret place of every player, by its bare name, is those of all players."""
    tree = b.elab.read(domain, "domain") if isinstance(domain, Scalar) else None
    of = tree.of if isinstance(tree, E.Domain) else tree
    declared = b.world.names.get(of.name) if isinstance(of, E.Name) and b.elab.local(of.name) is None else None
    if not isinstance(tree, E.Domain) or declared is None or declared.sort != "place" or b.elab.no_me:
        return
    info = declared.data
    if info.count < 2 or not isinstance(info.per, Elem) or info.per.root is not b.world.players or not info.key:
        return
    spots = [b.world.spots.first_place + info.first + i for i in range(info.count)]
    told = [*E.names_in(tree.where)] if tree.where is not None else []
    if all(b.world.spots.seen[spot] is None for spot in spots) or info.key in told or "owner" in told or f.has("where"):
        return
    said = f"`{info.name}` alone means the places of all players, and `me` cannot see into those of the others"
    help = f"write `me.{info.name}`; to choose from those of others, write `p.{info.name}`"
    b.world.data.setdefault("advice", []).append((tree.of.span, "L534", said, help))


def _notations(b: Builder, label: C.Words | None, f: Fields) -> None:
    """Other ways to type what an entry offers: kept beside the program, with its label."""
    written = f.get("notation")
    if label is None:
        b.report.error(
            "S124",
            f.node.entries["notation"].key.span,
            "an option with a notation needs a label, too",
            help="players read the `label:`, and can type the notation instead",
        )
        return
    found = []
    for node in written.items if isinstance(written, Seq) else [written]:
        text, when, chain = node, None, ""
        if isinstance(node, Map) and {"as", "when", "chain"} & set(node.entries):
            own = fields(node, NOTATION, b.report)
            if own is None:
                continue
            text = own.get("as")
            when = b.elab.condition_of(own.get("when"), "the condition of `when`") if own.has("when") else None
            chain = _chain(b, own)
        words = b.words(text)
        if words is not None:
            found.append(Notation(words, when, chain))
    # By the very label: what an effect asks is written out at each call, each time with labels of its own.
    b.world.data["notations"][id(label)] = (label, found)


def _chain(b: Builder, own: Fields) -> str:
    """The sign at which a notation falls into where a move begins and where it ends."""
    written, text = own.get("chain"), own.get("as")
    if not isinstance(written, Scalar):
        return ""
    said = [text] if isinstance(text, Scalar) else [entry.value for entry in text] if isinstance(text, Map) else []
    fixed = [HOLE.sub("", one.value) for one in said if isinstance(one, Scalar)]
    if not written.value.strip() or any(one.count(written.value) != 1 for one in fixed):
        said_so = f"`{written.value}` must stand once in the notation, between where a move begins and where it ends"
        b.report.error("S124", written.span, said_so, help='write `{as: "{m.point}/{to}", chain: /}`')
        return ""
    return written.value.casefold()


def _beside(draft: Draft) -> list[C.Variable]:
    """The variables, with those before each that conditions on both compare it with."""
    found: list[C.Variable] = []
    asked = [part for where in draft.where for part in (where.args if isinstance(where, C.Both) else (where,))]
    for i, variable in enumerate(draft.variables):
        conditions = [*asked, *(part for later in draft.variables[i + 1 :] for part in parts(later))]
        conditions = [condition for condition in conditions if reads(condition, slots_of(variable))]
        earlier = (one for one in found if any(reads(condition, slots_of(one)) for condition in conditions))
        found.append(dataclasses.replace(variable, beside=tuple(one for one in earlier if _of_pieces(one))))
    return [one if _of_pieces(one) else dataclasses.replace(one, beside=()) for one in found]


def _of_pieces(variable: C.Variable) -> bool:
    inner = variable.type.of if isinstance(variable.type, SetOf | ListOf) else variable.type
    return isinstance(inner, Elem) and inner.root.kind == "piece"


def costs(b: Builder, draft: Draft, f: Fields) -> Callable[[], None]:
    """What an entry costs: it must be affordable to be offered, and is paid when it is taken."""
    paying = [_cost(b, draft, node) for node in costs_of(f.get("cost"))]

    def pay_all() -> None:
        for pay in paying:
            pay()

    return pay_all


def _cost(b: Builder, draft: Draft, written: Node) -> Callable[[], None]:
    said = cost_fields(b.elab, written)
    node, because = (said.get("is"), said.get("because")) if said else with_reason(b.elab, written, COST)
    if node is None:
        return lambda: None
    if isinstance(node, Scalar) and "(" in node.value:
        tree = b.elab.read(node)
        if isinstance(tree, E.Call) and isinstance(tree.of, E.Name):
            declared = b.world.names.get(tree.of.name)
            if declared is not None and declared.sort in ("effect", "action"):
                return _cost_effect(b, draft, declared, tree, because)
    from .paying import Payment, Side, is_price, payable, payment, settle

    paying: list[C.Act | Payment] = []
    getter = b.tokens.holder(said.get("to")) if said is not None else None
    if said is not None and said.has("to") and getter is None:
        return lambda: None  # whose they become is reported
    for pool, amount in b.tokens.amounts(node, getter[0] if getter is not None else None):
        holder = b.tokens.own_holder(pool, node.span)
        if holder is None:
            continue
        _, base, index = holder
        have = b.world.tokens(pool, base, b.world.players, index, node.span).node
        if pool.of is None:
            have = C.Op("make", (have,))
        goal: C.Node = C.Const(0)
        target = pool.supply
        if getter is not None:
            _, target, whose = getter
            goal = whose if whose is not None else goal
        elif pool.paid is not None and pool.paid in pool.holders:
            _, target, root = pool.holders[pool.paid]
            goal = C.Get(C.ME) if root is not None else C.Const(0)
        sides = Side(base, index or C.Const(0)), Side(target, goal)
        more = said is not None and any(said.has(key) for key in ("less", "least", "after"))
        if is_price(amount) or more:
            one = payment(b, pool, amount, *sides, "this cannot be paid", "pay", node.span, said)
            if one is None:
                continue
            draft.where.append(explained(b.elab, payable(b, one), because))
            paying.append(one)
            continue
        draft.where.append(explained(b.elab, C.Op("bag_within", (amount.node, have), node.span), because))
        data = (base, target, pool.size, "this cannot be paid")
        paying.append(C.Act("transfer", (amount.node, sides[0].index, goal), data, node.span))

    def pay() -> None:
        for one in paying:
            if isinstance(one, C.Act):
                b.emit(one)
            else:
                settle(b, one)

    return pay


def _cost_effect(b: Builder, draft: Draft, declared: Any, tree: E.Call, because: Node | None) -> Callable[[], None]:
    declared.used = True
    info = b.world.procedure(declared.name, tree.span)
    if info is None:
        return lambda: None
    args = b.elab.calling.arguments(tree, info.parameters, info.signature)
    if args is None:
        return lambda: None
    if info.opening is not None:
        slots = info.code.parameters
        draft.where.append(explained(b.elab, C.With(slots, args, info.opening, tree.span), because))
    return lambda: b.run(info, args, tree.span)


def action_entry(b: Builder, info: ProcInfo) -> Draft:
    """An action as an entry: what it asks was worked out with the action itself."""
    made: Draft = info.entry
    counter = b.world.counter(info.name)
    draft = Draft(
        info.name, list(made.when), made.variables, made.where, made.so_far, made.label, made.stepwise, None, made.span
    )
    me = C.Get(C.ME)
    if counter is not None:
        base, _most = counter
        within = C.Op("less", (C.Cell(base, me), b.world.limit_of(info.name)))
        if info.limit_reason is not None:
            b.world.reasons[within] = info.limit_reason
        draft.when.insert(0, within)

    def taken() -> None:
        if counter is not None:
            b.emit(C.Put(counter[0], me, C.Op("add", (C.Cell(counter[0], me), C.Const(1)))))
        values = tuple(
            b.world.load(slot, None, kind)
            for slot, (_, kind) in zip(info.code.parameters, info.parameters, strict=True)
        )
        if info.inline:
            with b.frame("block") as frame:  # what was chosen is forgotten behind it, wherever it leads
                for slot, (_, kind) in zip(info.code.parameters, info.parameters, strict=True):
                    frame.slots += range(slot, slot + b.world.width(kind))
                b.write_out(info, values, info.code.span or b.world.span)
            return
        after = b.new(f"after {info.name}")
        b.close(C.CallProcedure(info.code, values, after, info.code.span))
        b.at(after)
        if b.procedure is not None and info.code.asks:
            b.procedure.code.asks = True
        b.own |= info.code.slots | {info.code.back}

    draft.taken = taken
    return draft


def menu_entries(b: Builder, node: Node | None, frame: Frame) -> list[Draft]:
    """The entries of `choose one:` and `offer:`: a menu by name, or a list."""
    found: list[Draft] = []
    if isinstance(node, Scalar):
        return _named_entries(b, node)
    for item in nodes_of(node):
        if isinstance(item, Scalar):
            found += _once(b, item, _named_entries(b, item), found)
        elif isinstance(item, Map):
            found += _written_entry(b, item, frame)
    return found


def _once(b: Builder, word: Scalar, entries: list[Draft], before: list[Draft]) -> list[Draft]:
    """The entries that a word brings, without those that are offered already, which are told."""
    known = {draft.name for draft in before if draft.name in b.world.procedures}
    twice = [draft.name for draft in entries if draft.name in known]
    if twice:
        b.world.idle(word.span, f"`{twice[0]}` is offered here already")
    return [draft for draft in entries if draft.name not in known]


def _named_entries(b: Builder, word: Scalar) -> list[Draft]:
    name = word.value
    actions = b.world.menu(name)
    if actions is None and name in b.world.names and b.world.names[name].sort == "action":
        actions = [name]
    if actions is None:
        known = nearest(name, [*b.world.menus(), *(d.name for d in b.world.names.values() if d.sort == "action")])
        b.report.error(
            "N119",
            word.span,
            f"there is no menu or action `{name}`",
            help=did_you_mean(known) or _ABOUT_NONE.get(name, "declare it under `actions:`"),
            suggestions=tuple(known),
        )
        return []
    b.world.data.setdefault("offered", set()).add(name)
    found = []
    for action in actions:
        b.world.names[action].used = True
        info = b.world.procedure(action, word.span)
        if info is not None and info.entry is not None:
            found.append(action_entry(b, info))
    return found


def _written_entry(b: Builder, node: Map, frame: Frame) -> list[Draft]:
    f = fields(node, ENTRY, b.report)
    if f is None:
        return []
    if f.has("each"):
        help = "let the choice include them, as in `choose: {r: [travel, horse]}`; only named actions take `each:`"
        b.report.error("S101", f.node.entries["each"].key.span, "an entry of a list cannot have copies", help=help)
    if f.has("give") or f.has("get"):
        help = "declare it under `actions:`, and take it in by its name: `menu: …`"
        key = f.node.entries["give" if f.has("give") else "get"].key
        b.report.error("S101", key.span, "an exchange must be a named action", help=help)
    if f.has("menu"):
        word = f.get("menu")
        drafts = _named_entries(b, word) if isinstance(word, Scalar) else []
        when = condition(b.elab, f.get("when"), "the condition of `when`") if f.has("when") else None
        for draft in drafts:
            if when is not None:
                draft.when.insert(0, when)
            draft.taken = _then(b, draft.taken, f.get("do"))
        return drafts
    draft = Draft(_entry_name(f), span=node.span)
    with b.frame("block") as inner:
        # The names live in slots of the enclosing block, since the choice sets them before the entry begins.
        fill(b, draft, f, frame)
        pay = costs(b, draft, f)
        names = dict(b.elab.scopes[-1])
        inner.slots.clear()

    def taken() -> None:
        with b.frame("block"):
            b.elab.scopes[-1].update(names)
            pay()
            b.block(f.get("do"))

    draft.taken = taken
    return [draft]


def _entry_name(f: Fields) -> str:
    label = f.get("label")
    if isinstance(label, Map):
        first = next(iter(label), None)
        label = first.value if first is not None else None
    return label.value.split("{")[0].strip() if isinstance(label, Scalar) else ""


def _then(b: Builder, taken: Callable[[], None] | None, node: Node | None) -> Callable[[], None]:
    def both() -> None:
        if taken is not None:
            taken()
        b.block(node)

    return both


# -------------------------------------------------------------------------------------------- choices


def ask(
    b: Builder,
    drafts: list[Draft],
    by: C.Node,
    stop: Draft | None,
    stuck: int,
    after: int,
    name: str,
    span: Span | None,
) -> C.Choice:
    """Closes the current block with a question; every entry leads to what it does, then to `after`."""
    b.world.data["asked"] += 1
    if b.procedure is not None:
        b.procedure.code.asks = True
    free = b.world.free_entries(b) if not b.together else []
    if not b.world.is_me(by):  # another player who is asked has no free actions of mine
        for draft in free:
            draft.anytime = C.Both((draft.anytime, C.Op("equal", (by, C.Get(C.ME)))))
    stage = None
    if any(d.staged for d in [*drafts, *free]):
        stage = b.local("stage", Num(0, FAR))
    choice = C.Choice(by, (), None, stuck, stage, name, span)
    here = b.new(f"choose {name}".strip())
    choice.block = here
    b.jump(here)
    entries = []
    for draft in drafts:
        block = b.new(draft.name or "chosen")
        entries.append(_entry(draft, block))
        b.at(block)
        _carry_out(b, draft)
        if b.current is not None:
            b.jump(after)
    for draft in free:
        block = b.new(f"free {draft.name}")
        entries.append(_entry(draft, block))
        b.at(block)
        with b.frame("block") as frame:
            over = C.Put(b.world.data["free"], None, C.Const(0))
            frame.restore.append(over)  # also where the action ends the turn, or the like
            b.emit(C.Put(b.world.data["free"], None, C.Const(1)))
            b.inside += 1
            assert draft.taken is not None
            draft.taken()
            b.inside -= 1
        b.emit(over)
        if b.current is not None:
            b.jump(here)  # then the choice is asked again
    choice.entries = tuple(entries)
    if stop is not None:
        block = b.new("stop")
        choice.stop = _entry(stop, block)
        b.at(block)
        if stop.taken is not None:
            stop.taken()
        if b.current is not None:
            b.jump(after)
    b.at(here)
    b.close(choice)
    b.at(after)
    return choice


def _carry_out(b: Builder, draft: Draft) -> None:
    """What follows when an entry is taken; meanwhile actions that are `anytime: turn` wait."""
    if draft.taken is None:
        return
    b.inside += 1
    deep = None if b.together else b.world.deep
    if deep is None:
        draft.taken()
    else:
        with b.frame("block") as frame:
            out = C.Put(deep, None, C.Op("subtract", (C.Get(deep), C.Const(1))))
            frame.restore.append(out)
            b.emit(C.Put(deep, None, C.Op("add", (C.Get(deep), C.Const(1)))))
            draft.taken()
        b.emit(out)
    b.inside -= 1


def _entry(draft: Draft, block: int) -> C.Entry:
    return C.Entry(
        draft.name,
        tuple(draft.when),
        tuple(draft.variables),
        tuple(draft.where),
        draft.so_far,
        draft.label,
        block,
        draft.stepwise,
        draft.anytime,
        draft.span,
    )


def ask_action(b: Builder, info: ProcInfo, span: Span) -> None:
    """An action called as a statement: its opening choice is asked; if it is not possible nothing happens."""
    with b.frame("block"):
        after = b.new("after action")
        me = b.elab.special("me", span)
        assert me is not None
        draft = action_entry(b, info)
        if not draft.variables:
            then = b.new("possible")
            conditions = [*draft.when, *draft.where]
            b.branch(C.Both(tuple(conditions)) if conditions else C.Const(1), then, after)
            b.at(then)
            assert draft.taken is not None
            draft.taken()
            if b.current is not None:
                b.jump(after)
            b.at(after)
        else:
            ask(b, [draft], me.node, None, after, after, info.name, span)
