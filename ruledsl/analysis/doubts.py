"""What may be written and was hardly meant: advice that needs no more than the words of the rules around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.source.document import Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import NO_NUMBER, Elem, bits

if TYPE_CHECKING:
    from .declarations.rows import Row
    from .names import PartInfo
    from .world import World

_FEW = 3  # rows that are alike tell what was meant of another one
_CHANGES = re.compile(r"\b(?:set|add|subtract|let|move|draw|deal|gain|pay|reset|swap|choose|random)\s*:")


def _advise(world: World, span: Span, code: str, message: str, help: str) -> None:
    """It is said at once: it depends on no configuration, and holds in modules that are not always on."""
    if not world.report.tells_within(span):  # what is wrong there is told already
        world.report.warn(code, span, message, help=help)


def speaks_of_others(world: World, names: Iterable[str], where: E.Expr) -> None:
    """`p in players where me.gold > 0`: a condition on one of many that says nothing of it."""
    known, said = list(names), E.names_in(where)
    if not known or said & set(known) or not said:
        return
    name, text = known[-1], where.span.one_line
    of_all = "a condition on all of them at once belongs under `when:` or `if:`"
    help = f"write `{name}.…` for what each of them has; {of_all}"
    if len(text) <= 40 and re.search(r"(?<![\w.])me\.", text):
        right = re.sub(r"(?<![\w.])me\.", f"{name}.", text)
        help = f"did you mean `{right}`? {of_all.capitalize()}"
    message = f"this condition does not mention `{name}`: it is true for all of them or for none"
    _advise(world, where.span, "L535", message, help)


def asked_for_though_none(world: World, asked: Node | None, then: Node | None, otherwise: Node | None) -> None:
    """`if: not m` with `the(m)` in what happens then: where it runs, it is a fault."""
    text = asked.value.strip() if isinstance(asked, Scalar) else ""
    missing = re.fullmatch(r"not\s+([^\W\d][\w.]*)", text) or re.fullmatch(r"([^\W\d][\w.]*)\s*==\s*none", text)
    block = then if missing else otherwise
    found = missing or re.fullmatch(r"([^\W\d][\w.]*)(?:\s*!=\s*none)?", text)
    if found is None or block is None:
        return
    inside, name = block.span.text, found[1]
    at = re.search(rf"\bthe\({re.escape(name)}\)", inside)
    if at is None or _CHANGES.search(inside[: at.start()].rpartition("- ")[0]):  # what comes before may change it
        return
    span = Span(block.span.file, block.span.start + at.start(), block.span.start + at.end())
    right = f"`if: {name}`" if missing else f"`if: not {name}`"
    _advise(world, span, "L536", f"`{name}` is none here, so this is always a fault", f"did you mean {right}?")


def none_of_two(world: World, node: C.Node, span: Span, role: str, none: int) -> None:
    """`if c then n else none` where none is a fault: one of the two can only end the play."""
    sides = (node.then, node.otherwise) if isinstance(node, C.Cond) else ()
    if any(isinstance(side, C.Const) and side.value == none for side in sides):
        instead = "`0`" if none == NO_NUMBER else "what it is then"
        help = f"write {instead} in place of `none`"
        _advise(world, span, "L543", f"{role} would be none here, which is a fault", help)


def of_all_to_one(world: World, moved: Node | None, to: E.Expr) -> None:
    """`move: hand` to `me.discard`: the pieces of all players come to one of them."""
    if not isinstance(to, E.Attribute) or not isinstance(to.of, E.Name):
        return
    words = moved.items if isinstance(moved, Seq) else (moved,)
    own = {info.name for info in world.place_infos if isinstance(info.per, Elem) and info.per.root is world.players}
    for word in words:
        if isinstance(word, Scalar) and word.value in own and to.name.name in own and word.value != to.name.name:
            who, name = to.of.name, word.value
            help = (
                f"write `{who}.{name}` for those of one; if all are meant, as when a trick is taken, write "
                f"`set(c for p in players for c in p.{name})`"
            )
            _advise(
                world,
                word.span,
                "L542",
                f"`{name}` means that of all players, and everything in it goes to `{who}`",
                help,
            )


def called_otherwise(world: World, rows: list[Row], columns: Iterable[str]) -> None:
    """Among rows that are called by what they are, one that is called by something else: it was pasted."""
    words = {name for root in world.roots.values() if root.kind == "enum" for name in root.names}
    for column in columns:
        cells = [(row.word("name"), cell) for row in rows if isinstance(cell := row.get(column), Scalar)]
        wrong = [(name, cell) for name, cell in cells if name != cell.value]
        if len(wrong) != 1 or len(cells) <= _FEW:
            continue
        ((name, cell),) = wrong
        if name in words and cell.value in words:
            own = "in all other rows it matches the name"
            message = f"the row `{name}` has `{column}: {cell.value}`, and {own}"
            _advise(world, cell.span, "L537", message, f"did you mean `{name}`?")


def shared_sides(world: World, part: PartInfo, rows: dict[int, Row]) -> None:
    """A tile with a side that belongs to two parts, or to none, where that is so of no other tile."""
    several: dict[int, tuple[int, int]] = {}  # by tile: a side that is there twice, and the part that has it again
    for number, (tile, sides) in enumerate(zip(part.owner, part.sides, strict=True)):
        for other in range(number):
            if part.owner[other] == tile and part.sides[other] & sides and tile not in several:
                several[tile] = next(iter(bits(part.sides[other] & sides))), number
    written = Counter(id(rows[number].node) for _, number in several.values())
    if len(written) != 1 or len(set(part.owner)) <= _FEW * len(several):
        return
    side, number = next(iter(several.values()))
    node = rows[number].node
    if node is not None:
        named = world.directions.names[side]
        message = f"the side `{named}` also belongs to another {part.name} of this tile"
        help = f"all other tiles have each side once: remove `{named}` from the one that does not reach it"
        _advise(world, node.span, "L538", message, help)
