"""`history:`, positions that are remembered, and what makes two of them the same."""

from __future__ import annotations

from ruledsl.analysis.names import HistoryInfo
from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Scalar
from ruledsl.syntax.shapes import Fields, Form, Key, fields
from ruledsl.types import Num

HISTORY = Form(
    "a history",
    {
        "of": Key("words", "What makes two positions the same: boards, places, values, `me`.", required=True),
        "keep": Key("expression", "How many positions are remembered.", required=True, sample="100"),
    },
    section="history",
    main="of",
)


def declare_histories(world: World) -> None:
    for name, (key, node) in world.sections.named["history"].items():
        found = fields(node, HISTORY, world.report)
        if found is None:
            continue
        keep = world.constant(found.get("keep"), Num(1, 100_000), "`keep`")
        if keep is None:
            continue
        base = world.layout.add(f"history {name}", keep + 1, 1, None, "history")
        info = HistoryInfo(name, base, keep)
        info.fingerprint = found
        world.histories[name] = info
        world.declare(name, "history", key.span, info)


def fingerprint(world: World, info: HistoryInfo) -> C.Node:
    """What makes two positions the same, as the code of 64 bits."""
    if not isinstance(info.fingerprint, Fields):
        return info.fingerprint
    spots: list[int] = []
    slots: list[int] = []
    for word in info.fingerprint.words("of"):
        _same(world, word, spots, slots)
    info.fingerprint = C.Primitive("fingerprint", (), (tuple(spots), tuple(slots)))
    return info.fingerprint


def _same(world: World, word: Scalar, spots: list[int], slots: list[int]) -> None:
    fixed = {"me": C.ME, "turn_player": C.TURN_PLAYER, "round": C.ROUND}
    declared = world.names.get(word.value)
    if word.value in fixed:
        slots.append(fixed[word.value])
    elif declared is not None and declared.sort == "board":
        spots += range(declared.data.first_spot, declared.data.first_spot + declared.data.root.size)
    elif declared is not None and declared.sort == "place":
        first = world.spots.first_place + declared.data.first
        spots += range(first, first + declared.data.count)
    elif declared is not None and declared.sort == "value":
        slots += range(declared.data.base, declared.data.base + declared.data.count * declared.data.width)
    else:
        if world.failed(word.value):
            return
        known = nearest(word.value, [d.name for d in world.names.values() if d.sort in ("board", "place", "value")])
        world.report.error(
            "N121",
            word.span,
            f"there is no board, place or value `{word.value}`",
            help=did_you_mean(known),
            suggestions=tuple(known),
        )
        return
    if declared is not None:
        declared.used = True
