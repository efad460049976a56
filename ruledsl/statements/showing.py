"""Letting players know: pieces that are shown, lines of the log."""

from __future__ import annotations

from ruledsl.analysis.build import Builder, statement
from ruledsl.ir import core as C
from ruledsl.source.document import Node
from ruledsl.syntax.shapes import Fields, Key
from ruledsl.types import Broken, every
from ruledsl.wording.templates import Words

from .changes import pieces_of


def _players(b: Builder, node: Node | None) -> C.Node:
    """Who is told: a player or players; all if nothing is said."""
    if node is None:
        return C.Const(b.world.players.everything)
    return b.players(node, "who is told") or C.Const(0)


@statement(
    "reveal",
    "expression",
    "Pieces, or a place.",
    words=Words(
        en="show to {to:players}: {reveal:pieces}|show to all players: {reveal:pieces}",
        ru="покажите (кому: {to:players}): {reveal:pieces acc}|покажите всем игрокам: {reveal:pieces acc}",
    ),
    to=Key("expression", "Who sees them (default: all)."),
    also=("turn_up", "face_up", "turn_over", "uncover", "flip_up", "look_at", "expose"),
)
def reveal(b: Builder, f: Fields) -> None:
    """Shows pieces to players who do not see them. They know a piece as long as they can follow it.

    - reveal: p.hand
      to: me
    """
    found = pieces_of(b, f.get("reveal"), "reveal")
    players = _players(b, f.get("to"))
    if found is not None:
        node, form = found
        mask = b.elab.op("only", (node,)) if form == "one" else node if form == "set" else C.Op("collect", (node,))
        b.emit(C.Act("reveal", (mask, players), (), f.node.span))


@statement(
    "hide",
    "expression",
    "Pieces, or a place.",
    words=Words(
        en="turn face down again: {hide:pieces}; players who do not see them there no longer know them",
        ru="переверните снова лицом вниз: {hide:pieces}; кто не видит, что лежит, тот больше этого не знает",
    ),
    also=("conceal", "unreveal", "cover", "turn_down", "face_down", "forget", "flip", "flip_down"),
)
def hide(b: Builder, f: Fields) -> None:
    """Turns pieces face down again: players who do not see them where they lie no longer know what they are.

    It takes back what `reveal` showed. Views and texts no longer name the pieces; players have to remember.

    - hide: set(c in table where c.turned_up)
    """
    found = pieces_of(b, f.get("hide"), "hide")
    if found is not None:
        node, form = found
        mask = b.elab.op("only", (node,)) if form == "one" else node if form == "set" else C.Op("collect", (node,))
        b.emit(C.Act("hide", (mask,), (), f.node.span))


@statement(
    "say",
    "text",
    "What is said, with `{expressions}` inside.",
    words=Words(
        en="say to {to:players} only: “{say}”|say: “{say}”",
        ru="сообщение (только для {to:gen}): «{say}»|сообщение: «{say}»",
    ),
    to=Key("expression", "Who reads it (default: all)."),
)
def say(b: Builder, f: Fields) -> None:
    """Writes a line into the log. Players who may not know a value read `?` or `a hidden card` instead.

    - say: "{me} rolls {face}"
    """
    words = b.words(f.get("say"))
    if words is not None:
        b.emit(C.Say(words, _players(b, f.get("to")) if f.has("to") else None, f.node.span))


@statement(
    "read",
    "expression",
    "A piece.",
    words=Words(
        en="read out to {to:players} only what is printed on {read}|read out what is printed on {read}",
        ru=(
            "прочтите (только для {to:gen}), что напечатано на {read:pre}|прочтите вслух, что напечатано на {read:pre}",
        ),
    ),
    to=Key("expression", "Who reads it (default: all)."),
)
def read(b: Builder, f: Fields) -> None:
    """Writes the text on a piece, its `about:`, into the log. Players who do not know the piece do not read it.

    - read: the(top(rumours))
    """
    piece = b.elab.value(f.get("read"), every(b.world.pieces), "what is read")
    players = _players(b, f.get("to")) if f.has("to") else None
    if not isinstance(piece.type, Broken):
        hole = C.Hole(piece.node, piece.type, about=True)
        b.emit(C.Say(C.Words((("en", (hole,)),)), players, f.node.span))
