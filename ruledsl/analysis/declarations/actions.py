"""`effects:` and `actions:`, statements by name; they are worked out at their first use, by the `GameWorld`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.analysis.build import ProcInfo, is_numbered
from ruledsl.analysis.reasons import LIMIT, with_reason
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import number_meant
from ruledsl.syntax.shapes import INSTEAD_OF_DO, Form, Key, fields
from ruledsl.types import FAR, Num

EFFECT = Form(
    "an effect",
    {
        "covers": Key("words", "The numbered rules that it implements.", required=True),
        "do": Key("block", "What happens.", required=True, tried=INSTEAD_OF_DO),
    },
    section="effects",
)
LIMITS = ("turn", "round", "game")

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld


def declare_actions(world: GameWorld) -> None:
    for section, sort in (("effects", "effect"), ("actions", "action")):
        for key, node in world.sections.named[section].values():
            header = world.elaborator.read(key, "header")
            if isinstance(header, E.Bad):
                world.broken_header(key.value)
                continue
            if sort == "effect":
                node = effect_of(node, world.report)
            name = header.name.name
            if world.declare(name, sort, header.name.span, node) is None:
                continue
            world.procedures[name] = ProcInfo(name, key.value, [], C.Procedure(name, span=key.span), node, sort, header)
    for name, info in world.procedures.items():
        if info.sort == "action":
            _limit(world, name, info)


def effect_of(node: Node, report: Report) -> Node:
    """What stands behind the name of an effect, looked over where it says which rules it carries."""
    if not isinstance(node, Map) or not is_numbered(node):
        return node
    found = fields(node, EFFECT, report)
    if found is None:
        return node
    found.asked.add("do")
    return found.node


def _limit(world: GameWorld, name: str, info: ProcInfo) -> None:
    node, _ = with_reason(world.elaborator, info.node.get("limit") if isinstance(info.node, Map) else None, LIMIT)
    if node is None:
        return
    found = re.fullmatch(r"(.+?)\s+per\s+(\w+)", node.value.strip()) if isinstance(node, Scalar) else None
    if found is None:
        if not isinstance(node, Scalar):  # that was reported already
            return
        meant = _meant(node.value)
        help = f"write `{meant}`" if meant else "per turn, round, game, or a phase by name"
        suggestions = (meant,) if meant else ()
        world.report.error("S116", node.span, "a limit is written `2 per turn`", help=help, suggestions=suggestions)
        world.data.setdefault("broken limits", set()).add(name)
        return
    slot = world.layout.add(f"used {name}", world.players.size, 1, Num(0, FAR), "counter", world.players)
    world.limits[name] = (node, found.group(2), slot)


_OTHERWISE = re.compile(r"(\w+)?\s*(?:times?\s+)?(?:per|a|an|each|every|in a|/|за|в)\s*(\w+)", re.IGNORECASE)


def _meant(text: str) -> str:
    """`2 per turn` for `2 a turn`, `twice each turn`, `2/turn`; empty if that is not known."""
    found = _OTHERWISE.fullmatch(text.strip())
    if found is None:
        number = number_meant(text.strip())
        return "" if number is None else f"{number} per turn"
    number = number_meant(found[1]) if found[1] else 1
    return "" if number is None else f"{number} per {found[2].lower()}"


def check_limits(world: GameWorld) -> None:
    """Limits are per turn, round, game or a phase; of what never begins none is counted anew."""
    begun = world.data.get("limit scopes", set())
    known = [*LIMITS, *world.phases()]
    for node, per, _ in world.limits.values():
        at = node.text_span.start + node.text_span.text.rfind(per)
        span = node.span.file.span(at, at + len(per))
        if per not in known:
            near = nearest(per, known)
            help = did_you_mean(near) or f"a limit is per {', '.join(known[:-1])} or {known[-1]}"
            message = f"there is no phase `{per}`"
            world.report.error("N116", span, message, help=help, suggestions=tuple(near))
        elif per not in begun and per != "game":
            message = f"no {per} ever begins, so this counts over the whole game"
            where = f"in `{per}s:`" if per in LIMITS else f"where `phase: {per}` is"
            others = [word for word in known if word in begun or word == "game"]
            help = f"a {per} begins {where}; write {' or '.join(f'`per {word}`' for word in others)}"
            world.data.setdefault("advice", []).append((span, "L525", message, help))
