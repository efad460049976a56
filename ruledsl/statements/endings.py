"""How a play ends, and why."""

from __future__ import annotations

from ruledsl.analysis.build import Builder, statement
from ruledsl.analysis.endings import finish
from ruledsl.ir import core as C
from ruledsl.syntax.shapes import Fields, Key
from ruledsl.wording.templates import Words

BECAUSE = Key(
    "text",
    "The reason that players read, with `{expressions}` inside.",
    tried=("cause", "reason", "why", "ending", "name", "say"),
)


def _who(b: Builder, f: Fields, verb: str) -> C.Node | None:
    node = b.players(f.get(verb), f"who {verb}s")
    if node is None:
        b.current = None
        return None
    if b.together:
        b.report.error("F406", f.node.span, "the play cannot end in `together`")
    return node


@statement(
    "win",
    "expression",
    "Who wins: a player or players.",
    words=Words(
        en="the game ends: {win:players} win{win:s}< (players read: “{because}”)>",
        ru="партия окончена, победа: {win:players}< (надпись: «{because}»)>",
    ),
    because=BECAUSE,
)
def win(b: Builder, f: Fields) -> None:
    """Ends the play: these players win, the others lose.

    The play ends even if the set is empty: then nobody wins. If there may be nobody, ask first: `if: any(…)`.

    - win: me
      because: "{me} has eaten all the cakes"
    """
    node = _who(b, f, "win")
    if node is not None:
        finish(b, f, C.WON, node)


@statement(
    "lose",
    "expression",
    "Who loses: a player or players.",
    words=Words(
        en="the game ends: {lose:players} lose{lose:s}<, {lose:others}>< (players read: “{because}”)>",
        ru="партия окончена, поражение: {lose:players}<, {lose:others}>< (надпись: «{because}»)>",
    ),
    because=BECAUSE,
)
def lose(b: Builder, f: Fields) -> None:
    """Ends the play: these players lose, the others win.

    The play ends even if the set is empty: then all win. If there may be nobody, ask first: `if: any(…)`.

    - lose: players
      because: the third dike is breached
    """
    node = _who(b, f, "lose")
    if node is not None:
        finish(b, f, C.WON, b.elab.op("minus", (C.Const(b.world.players.everything), node)))


@statement(
    "tie",
    "expression",
    "Who shares the result.",
    words=Words(
        en="the game ends in a draw between {tie:players}< (players read: “{because}”)>",
        ru="партия окончена, ничья: {tie:players}< (надпись: «{because}»)>",
    ),
    because=BECAUSE,
)
def tie(b: Builder, f: Fields) -> None:
    """Ends the play in a draw between these players.

    - tie: players
      because: the same position for the third time
    """
    node = _who(b, f, "tie")
    if node is not None:
        finish(b, f, C.TIED, node)
