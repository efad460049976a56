"""`campaign:`, what is kept from one play to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.analysis.build import Builder
from ruledsl.analysis.names import Typed
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.syntax.shapes import Form, Key, fields
from ruledsl.types import SetOf, every

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

CAMPAIGN = Form(
    "a campaign",
    {
        "keep": Key(
            "words",
            "The places, values and pools that are kept for the next play; everything else starts again.",
            required=True,
        ),
        "between": Key("block", "What happens after a play, with `winners`, before the next."),
    },
    numbered=True,
)


def declare_campaign(world: GameWorld) -> None:
    """What is kept from play to play, and the block that is run between two of them."""
    node = world.sections.single.get("campaign")
    found = fields(node, CAMPAIGN, world.report) if node is not None else None
    if found is None:
        return
    kept = []
    for word in found.words("keep"):
        declared = world.names.get(word.value)
        if declared is None or declared.sort not in ("place", "value", "pool"):
            if world.failed(word.value):
                continue
            known = nearest(word.value, [d.name for d in world.names.values() if d.sort in ("place", "value", "pool")])
            world.report.error(
                "N121",
                word.span,
                f"there is no place, value or pool `{word.value}` to keep",
                help=did_you_mean(known),
                suggestions=tuple(known),
            )
            continue
        declared.used = True
        kept.append((declared.sort, declared.data))
    world.data["keep"] = kept
    b = Builder(world)
    world.data["between"] = b.new("between plays")
    b.at(world.data["between"])
    with b.frame("block"):
        b.elab.bind("winners", Typed(C.Get(C.WINNERS), SetOf(every(world.players))), quiet=True)
        b.block(found.get("between"))
    b.close(C.Drafted())
