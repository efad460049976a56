"""What sort of secrets a game has: whether players may know different things, or decide without the others knowing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.ir import core as C

if TYPE_CHECKING:
    from .game import Configured


def hides(configured: Configured) -> bool:
    """Whether players of this game may know different things."""
    spots = configured.machine.program.spots
    return spots.known >= 0 or bool(configured.world.secrets)


def tells_apart(configured: Configured) -> bool:
    """Whether one player may know what another does not; a deck that is hidden from all keeps nobody apart."""
    spots = configured.machine.program.spots
    if configured.world.secrets:
        return True
    if spots.known < 0:
        return False
    if any(seen is not None and not (isinstance(seen, C.Const) and seen.value == 0) for seen in spots.seen):
        return True
    done = (op for block in configured.machine.program.blocks for op in block.ops)
    return any((isinstance(op, C.Act) and op.name == "reveal") or (isinstance(op, C.Say) and op.to) for op in done)


def decides_in_secret(configured: Configured) -> bool:
    """Whether players of this game decide at once, each without the others knowing."""
    return "drafts" in configured.world.data


def keeps_apart(configured: Configured) -> bool:
    """Whether at some time one player knows what another does not, were it only what they are about to do."""
    return tells_apart(configured) or decides_in_secret(configured)


__all__ = ["decides_in_secret", "hides", "keeps_apart", "tells_apart"]
