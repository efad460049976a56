"""`because:`, what a player reads who wants what the rules refuse: it stands beside what refuses it.

A condition, a limit, a cost, or what a name may be, is written as `{is: …, because: …}` then; a formula and a trigger
that forbids are maps already. The text changes nothing about the game, so it is kept beside the program: by the node
of a condition, the formula, or the `Each` of a domain (`World.reasons`). `runtime.why` asks there.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Seq, nodes_of
from ruledsl.syntax.parser import is_amount
from ruledsl.syntax.shapes import Fields, Form, Key, fields

from .texts import words

if TYPE_CHECKING:
    from ruledsl.analysis.elaborate import Elaborator

BECAUSE = Key("text", "What players read when this refuses what they want, with `{expressions}` inside.", required=True)
CONDITION = Form(
    "a condition with a reason",
    {"is": Key("scalar", "The condition.", required=True), "because": BECAUSE},
)
DOMAIN = Form(
    "a choice with a reason",
    {"is": Key("expression", "What the name may be.", required=True), "because": BECAUSE},
)
LIMIT = Form(
    "a limit with a reason",
    {"is": Key("scalar", "How often, as in `2 per turn`.", required=True), "because": BECAUSE},
)
LESS = Key("scalar", "How many tokens fewer; the payer chooses which.", tried=("discount", "minus"))
LEAST = Key("scalar", "The fewest tokens that must be paid after `less`.", tried=("min", "minimum", "floor"))
AFTER = Key(
    "words",
    "Exchanges that may be made first, if it cannot be paid without: `exchanges` for all, or some by name.",
    tried=("exchange", "using", "with"),
)
COST = Form(
    "a cost",
    {
        "is": Key("amounts", "Tokens, or the call of an effect.", required=True),
        "less": LESS,
        "least": LEAST,
        "to": Key("scalar", "Who gets the tokens (default: the supply)."),
        "after": AFTER,
        "because": dataclasses.replace(BECAUSE, required=False),
    },
    tried=dict.fromkeys(("exchanges", "trades", "trading"), "write `after: exchanges`"),
)


def without_reason(node: Node | None) -> Node | None:
    """What is written, whether or not it says why."""
    return node.get("is") if isinstance(node, Map) and {"is", "because"} == {*node.entries} else node


def costs_of(node: Node | None) -> Iterable[Node]:
    """What a cost is made of; a list that says how many of what, as `[2 wood, gold]`, is one amount."""
    return (node,) if isinstance(node, Seq) and any(map(is_amount, node.items)) else nodes_of(node)


def cost_alone(node: Node | None) -> Node | None:
    """What is paid, whether or not it says more about it."""
    return node.get("is") if isinstance(node, Map) and "is" in node.entries else node


def cost_fields(elab: Elaborator, node: Node) -> Fields | None:
    """A cost with all that is said of it; None where nothing more is said."""
    if not isinstance(node, Map) or "is" not in node.entries:
        return None
    return fields(node, COST, elab.report)


def with_reason(elab: Elaborator, node: Node | None, form: Form) -> tuple[Node | None, Node | None]:
    """What is written, and the text that explains it, if there is one."""
    if not isinstance(node, Map):
        return node, None
    if form is COST and "is" not in node.entries:
        known = {name for pool in elab.world.pools for name in ([pool.name] if pool.of is None else pool.of.names)}
        key = next((e.key for e in node if e.key.value in form.known and e.key.value not in known), None)
        if key is None:
            return node, None
        amount = ", ".join(f"{e.key.value}: {e.value.span.one_line}" for e in node if e.key.value not in form.known)
        help = f"write `cost: {{is: {{{amount}}}, {key.value}: …}}`"
        more = "a reason" if key.value == "because" else f"`{key.value}:`"
        elab.report.error("S102", key.span, f"a cost with {more} needs `is:`", help=help, lacks="is")
        return None, None
    found = fields(node, form, elab.report)
    return (None, None) if found is None else (found.get("is"), found.get("because"))


def condition(elab: Elaborator, node: Node | None, role: str) -> C.Node:
    """A condition, or several in a list, of which all must hold."""
    if isinstance(node, Seq):
        parts = [condition(elab, item, role) for item in node.items if not isinstance(item, Seq)]
        parts += [elab.condition_of(item, role) for item in node.items if isinstance(item, Seq)]  # which is a mistake
        return _all(parts, node)
    asked, because = with_reason(elab, node, CONDITION)
    if asked is None:
        return C.Const(1)
    return explained(elab, elab.condition_of(asked, role), because)


def explained(elab: Elaborator, node: C.Node, because: Node | None) -> C.Node:
    """A condition with its reason. It is a node of its own, since what is worked out may be shared."""
    text = words(elab, because)
    if text is None:
        return node
    node = copy.copy(node)
    elab.world.reasons[node] = text
    return node


def _all(parts: list[C.Node], node: Seq) -> C.Node:
    """The same as the parts with `and` between them."""
    open_ = [part for part in parts if not isinstance(part, C.Const)]
    never = next((part for part in parts if isinstance(part, C.Const) and not part.value), None)
    if never is not None:
        return never
    return open_[0] if len(open_) == 1 else C.Both(tuple(open_), node.span) if open_ else C.Const(1)
