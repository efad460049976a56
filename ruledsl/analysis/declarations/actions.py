"""`effects:` and `actions:`, statements by name; they are worked out at their first use, by the `GameWorld`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.analysis.build import ProcInfo
from ruledsl.analysis.reasons import LIMIT, with_reason
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Scalar
from ruledsl.syntax import expr as E
from ruledsl.types import FAR, Num

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld


def declare_actions(world: GameWorld) -> None:
    for section, sort in (("effects", "effect"), ("actions", "action")):
        for key, node in world.sections.named[section].values():
            header = world.elaborator.read(key, "header")
            if isinstance(header, E.Bad):
                continue
            name = header.name.name
            if world.declare(name, sort, header.name.span, node) is None:
                continue
            world.procedures[name] = ProcInfo(name, key.value, [], C.Procedure(name, span=key.span), node, sort, header)
    for name, info in world.procedures.items():
        if info.sort == "action":
            _limit(world, name, info)


def _limit(world: GameWorld, name: str, info: ProcInfo) -> None:
    node, _ = with_reason(world.elaborator, info.node.get("limit") if isinstance(info.node, Map) else None, LIMIT)
    if node is None:
        return
    found = re.fullmatch(r"(.+?)\s+per\s+(\w+)", node.value.strip()) if isinstance(node, Scalar) else None
    if found is None:
        world.report.error(
            "S116", node.span, "a limit is written `2 per turn`", help="per turn, round, game, or a phase by name"
        )
        return
    slot = world.layout.add(f"used {name}", world.players.size, 1, Num(0, FAR), "counter", world.players)
    world.limits[name] = (node, found.group(2), slot)
