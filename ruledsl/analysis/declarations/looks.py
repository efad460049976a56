"""How words look in pictures and on the page: colours, signs and pictures of members, players, kinds and rows; where a
place is; what stands on a card."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ruledsl.analysis.build import Builder
from ruledsl.analysis.names import Shown, Typed
from ruledsl.analysis.needs import SHOWN
from ruledsl.boards.marks import COLOURS, Look
from ruledsl.diagnostics.suggest import did_you_mean, nearest, nearest_or
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.scan import read_inside
from ruledsl.syntax.shapes import Fields, Form, Key, fields
from ruledsl.types import Elem, every

from .paintings import OF_BOARDS, declare_painting

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.analysis.world import World

AT = ("top", "bottom", "side")
FACE = ("corner", "middle", "below")
LOOK = Form(
    "a look",
    {
        "color": Key("word", f"Its color: {', '.join(COLOURS)}, or `'#2f6fb2'`."),
        "symbol": Key(
            "text", "Its sign, at most three characters wide; for the ground on a tile, the first one fills it."
        ),
        "picture": Key("word", "On the page of `serve`: an SVG or PNG file in the folder of the game."),
        "corner": Key("text", "On cards of this kind, in two corners: a text about `this`."),
        "middle": Key("text", "On cards of this kind, large: a text about `this`."),
        "below": Key("text", "On cards of this kind, small: a text about `this`."),
        "spots": Key("table", "Of a board with a picture: where each space is on it; a table of `name`, `x` and `y`."),
        "within": Key(
            "any", "Of a board with a picture: the box between its outermost spaces, as in `[30, 30, 770, 570]`."
        ),
        "size": Key("number", "Of a board with a picture: how wide a piece is on it."),
        "names": Key("truth", "Of a board with a picture: whether names are written beside its spaces."),
        "label": Key(
            "text",
            "Of a board: what stands at its spaces instead of their names, a text about `this`; `me` is who looks.",
            tried=("title", "number", "name"),
        ),
        "at": Key("word", "Where a place is on the page: `top` or `bottom` of the table, or at its `side`.", words=AT),
    },
    section="looks",
)
_OF_PLACES, _OF_KINDS = ("at",), FACE
_ONLY_BOARDS = (*OF_BOARDS, "label")
_ON_BOARDS = ("picture", *_ONLY_BOARDS)
_ENDINGS = {".svg": b"<svg", ".png": b"\x89PNG"}
_MOST_BYTES = 1_000_000
_HEAD = 2_000  # bytes in which an SVG says what it is


def declare_looks(world: World) -> None:
    """The looks of all words; what they stand for is compared by `unknown_looks`, over all configurations."""
    faces: dict[str, dict[str, Node]] = world.data.setdefault("texts of faces", {})
    for word, (key, node) in world.sections.looks.items():
        if isinstance(node, Scalar) and not node.is_null:
            sort = "color" if node.value in COLOURS or node.value.startswith("#") else "symbol"
            help = f"write `{word}: {{{sort}: {node.span.one_line}}}`"
            world.report.error("S104", node.span, "a look must be a map of keys and values, not a text", help=help)
            continue
        found = fields(node, LOOK, world.report)
        if found is None:
            continue
        color = found.word("color")
        written = found.get("color")
        if color and written is not None and color not in COLOURS and not re.fullmatch("#[0-9a-fA-F]{6}", color):
            known = nearest(color, COLOURS)
            world.report.error(
                "S121",
                written.span,
                f"there is no color `{color}`",
                help=did_you_mean(known) or f"the colors are {', '.join(COLOURS)}; any other is written `'#2f6fb2'`",
                suggestions=tuple(known),
            )
            color = ""
        if not found.node.entries:
            world.idle(key.span, f"this says nothing about how `{word}` looks")
        _too_wide(world, found.get("symbol"))
        _check_fit(world, word, found)
        picture, data = _picture(world, found)
        declare_painting(world, word, found, picture, data)
        if (label := found.get("label")) is not None:
            world.data.setdefault("texts of labels", {})[word] = label
        faces[word] = {part: text for part in FACE if (text := found.get(part)) is not None}
        world.looks[word] = Look(color or None, _by_language(found.get("symbol")), picture, found.word("at"))
    _alike(world)


def _too_wide(world: World, node: Node | None) -> None:
    """A sign of a piece or a word is one for the drawings, which have room for three characters."""
    for text in [e.value for e in node] if isinstance(node, Map) else [node]:
        if isinstance(text, Scalar) and len(text.value) > MOST_WIDE:
            said = f"a sign is at most {MOST_WIDE} characters wide, and `{text.value}` has {len(text.value)}"
            help = f"write a shorter one, such as `{text.value[:1]}`; names are under `text:`"
            world.report.error("S129", text.span, said, help=help)


MOST_WIDE = 3


def _alike(world: World) -> None:
    """Kinds of pieces that are given the same look, as when one was copied from the other."""
    told: dict[tuple[Any, ...], str] = {}
    colors: dict[str, str] = {}
    for player in world.players.names:
        look = world.looks.get(player)
        if look is None or not look.color or look.picture or look.symbol:
            continue
        if (other := colors.setdefault(look.color, player)) != player:
            first, here = world.sections.looks[other][0], world.sections.looks[player][0]
            said = f"`{player}` and `{other}` have one color, and players cannot tell their pieces apart"
            notes = ((first.span, "this has the same color"),)
            world.report.warn("L550", here.span, said, notes=notes, help="give each player a color of its own")
    for word, (key, _) in world.sections.looks.items():
        look = world.looks.get(word)
        if word not in world.sections.named["pieces"] or look is None or not look.symbol or look.picture:
            continue
        same = (look.color, *sorted(look.symbol.items()))
        if (other := told.setdefault(same, word)) != word:
            first = world.sections.looks[other][0]
            said = f"`{word}` looks like `{other}`, and players cannot tell them apart"
            help = "give it another `symbol:` or `color:`"
            world.report.warn("L550", key.span, said, notes=((first.span, "this looks the same"),), help=help)


def _check_fit(world: World, word: str, found: Fields) -> None:
    """Says so where a place looks like a piece, or a word that is no kind has the face of a card."""
    place, kind = word in world.sections.named["places"], word in world.sections.named["pieces"]
    board = word in world.sections.named["boards"]
    for entry in found.node:
        key = entry.key.value
        if key in _ONLY_BOARDS and not board:
            known, what = world.sections.named["boards"], "only a board has spaces"
        elif key in _OF_PLACES and not place:
            known, what = world.sections.named["places"], "only places have a position on the page"
        elif key in _OF_KINDS and not kind:
            known, what = world.sections.named["pieces"], "only a kind of piece can have card faces"
        elif place and not kind and not board and key not in _OF_PLACES:
            known, what = {}, "a place has no colors, signs or pictures; only the pieces in it do"
        else:
            continue
        names = ", ".join(f"`{name}`" for name in list(known)[:8])
        help = (did_you_mean(nearest(word, known)) or f"there are {names}") if known else "write `at:` for a place"
        world.report.error("S129", entry.key.span, f"{what}, and `{word}` is none" if known else what, help=help)


def _picture(world: World, found: Fields) -> tuple[str, bytes]:
    """The file of a picture and what it holds, if it is one."""
    node = found.get("picture")
    if not isinstance(node, Scalar):
        return "", b""
    name = node.value
    start = _ENDINGS.get(name[-4:].lower())
    if start is None:
        world.report.error("S128", node.span, f"`{name}` is not a picture", help="a picture ends in `.svg` or `.png`")
        return "", b""
    data = read_inside(name, world.source.root, world.report, _MOST_BYTES, node.span)
    if data is None:
        return "", b""
    if start not in data[:_HEAD]:
        what = "no `<svg` in it" if start == _ENDINGS[".svg"] else "not what a PNG file begins with"
        world.report.error("S128", node.span, f"`{name}` is not a picture", help=f"there is {what}")
        return "", b""
    return name, data


def declare_faces(world: GameWorld) -> None:
    """What stands on the cards of each kind, once all that it may tell of is declared."""
    faces = world.data["faces"] = {}
    for word, texts in world.data["texts of faces"].items():
        mask = world.pieces.parts.get(word, 0)
        if not mask or not texts:
            continue
        slot = world.scratch()
        with world.elaborator.scope():
            world.elaborator.bind("this", Typed(C.Get(slot), Elem(world.pieces, mask)), quiet=True)
            read = {part: Builder(world).words(text) for part, text in texts.items()}
        faces[word] = {part: Shown(slot, words) for part, words in read.items() if words is not None}


def declare_labels(world: GameWorld) -> None:
    """What stands at the spaces of each board, where the game says so, once all that it may tell of is declared."""
    labels = world.data["labels"] = {}
    for info in world.boards:
        text = world.data.get("texts of labels", {}).get(info.name)
        if text is None:
            continue
        slot = world.scratch()
        with world.needs.within(SHOWN), world.elaborator.scope():
            world.elaborator.bind("this", Typed(C.Get(slot), every(info.root)), quiet=True)
            words = Builder(world).words(text)
        if words is not None:
            labels[info.name] = Shown(slot, words)


def _by_language(node: Node | None) -> dict[str, str]:
    if isinstance(node, Map):
        return {entry.key.value: entry.value.value for entry in node if isinstance(entry.value, Scalar)}
    return {"en": node.value} if isinstance(node, Scalar) else {}


def unknown_looks(world: World) -> Iterator[tuple[Any, str, Callable[[], str]]]:
    """Looks of words that nothing in this configuration goes by: the place, what is wrong, what finds advice."""
    known = _words(world)
    boards = set(world.sections.named["boards"])
    at_the_rim = {info.name for info in world.boards if info.board.halves}
    for word, (key, node) in world.sections.looks.items():
        label = node.key("label") if isinstance(node, Map) and word in at_the_rim else None
        if label is not None:
            said = f"the spaces of `{word}` are named by the letters and numbers at its rim, so `label:` is never seen"
            yield label.span, said, lambda: "remove it; `show:` of the board says what stands on its spaces"
        if word in known:
            continue
        if word not in boards:
            advice = partial(
                nearest_or, word, known | boards, "`looks:` is for members of types, players, kinds and rows of pieces"
            )
            yield key.span, f"nothing is called `{word}`", advice
            continue
        for entry in node if isinstance(node, Map) else ():
            if entry.key.value not in _ON_BOARDS:
                said = f"`{word}` is a board, and a board has no `{entry.key.value}:`"
                yield (
                    entry.key.span,
                    said,
                    lambda: "a board can have a `picture:`; colors and signs belong to the pieces on it",
                )


def pictures_of(blueprint: Any) -> set[str]:
    """All files that `picture:` names in any part of a game."""
    looks = (part.get("looks") for part in blueprint.source.parts)
    words = (entry.value for found in looks if isinstance(found, Map) for entry in found)
    named = (node.get("picture") for node in words if isinstance(node, Map))
    return {node.value for node in named if isinstance(node, Scalar)}


def _words(world: World) -> set[str]:
    """Everything that a picture may have to tell apart."""
    found = {name for root in world.roots.values() if root.kind in ("enum", "player", "piece") for name in root.names}
    found |= {declared.name for declared in world.names.values() if declared.sort == "kind"}
    found |= {stock.row.word("name") for stock in world.data.get("stocks", ())}
    owned = {f"{word} of {player}" for word in found for player in world.players.names}
    return found | owned | set(world.sections.named["places"])
