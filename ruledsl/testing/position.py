"""A position in a few lines, for reports of tests: boards, places that hold something, values that have changed."""

from __future__ import annotations

from typing import Any

from ruledsl.boards.picture import picture
from ruledsl.runtime.joined import joined
from ruledsl.runtime.picture import sheets
from ruledsl.runtime.play import Play
from ruledsl.runtime.view import item_key

MOST_LINES = 40
MOST_NAMED = 12


def shown(play: Play) -> str:
    """Everything that lies on boards and in places, with values, as one who may see all of it; piles top first."""
    lines: list[str] = []
    for sheet in joined(sheets(play), play.world.boards):
        empty = sheet.between is None or not any(sheet.between.marks)
        if empty and not any(sheet.flat) and not any(sheet.ground):
            continue
        drawn_alone = [board for board in play.world.boards if board.between is None and board.drawn_on is None]
        if len(drawn_alone) > 1 or sheet.owner is not None:
            whose = f" of {play.players[sheet.owner]}" if sheet.owner is not None else ""
            lines.append(f"{sheet.board_name}{whose}:")
        drawn = picture(sheet.board, sheet.flat, colour=False, ground=sheet.ground, between=sheet.between)
        lines += drawn.splitlines()
    view = _everything(play)
    for name, lying in view["places"].items():
        if lying and name != "box" and not name.startswith("reserve_") and "_reserve_" not in name:
            names = [play.world.pieces.names[p] for p in lying]
            more = f", … ({len(names)})" if len(names) > MOST_NAMED else ""
            lines.append(f"{name}: {', '.join(names[:MOST_NAMED])}{more}")
    lines += view["values"] + view["pools"]
    return "\n".join(lines[:MOST_LINES] + (["…"] if len(lines) > MOST_LINES else []))


def _everything(play: Play) -> dict[str, Any]:
    world, v = play.world, play.state
    places: dict[str, Any] = {}
    if world.pieces.size:
        piles = {
            info.first + i for info in world.place_infos if info.ordered and not info.row for i in range(info.count)
        }
        for number, name in enumerate(world.places.names):
            lying = play.machine.pieces.on(v, world.spots.first_place + number)
            places[name] = lying[::-1] if number in piles else lying  # as `given:` has it
    template = play.machine.program.template
    values, pools = [], []
    viewer = play.viewer
    for value in world.values:
        for i in range(value.count):
            slot = value.base + i * value.width
            if v[slot : slot + value.width] == template[slot : slot + value.width]:
                continue
            key = ", ".join(item_key(value, i)[0]) if value.keys else ""
            values.append(f"{value.name}{f'[{key}]' if key else ''} = {_plain(viewer.plain(v, slot, value.type))}")
    for pool in world.pools:
        for word, (_, base, root) in pool.holders.items():
            for i in range(root.size if root is not None else 1):
                amount = v[base + i * pool.size : base + (i + 1) * pool.size]
                if any(amount):
                    whose = f"{root.names[i]}." if root is not None else ""
                    tokens = (
                        str(amount[0])
                        if pool.of is None
                        else ", ".join(f"{n} {pool.of.names[k]}" for k, n in enumerate(amount) if n)
                    )
                    pools.append(f"{whose}{word}: {tokens}")
    return {"places": places, "values": values, "pools": pools}


def _plain(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{n} {name}" for name, n in value.items()) or "nothing"
    return str(value)
