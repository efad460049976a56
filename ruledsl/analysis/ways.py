"""How something of one type becomes what is wanted where it stands: by an attribute, of each of a set, whose it is.

Who writes `visited` for `me.visited`, a man for the square he stands on, or `between(a, b)` for the men there has named
the right thing one step too early. The steps are few, so all of them are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ruledsl.types import BagOf, Bool, Elem, ListOf, Num, SetOf, TableOf, Type, join

from .advice import types_of_attributes

if TYPE_CHECKING:
    from .elaborate import Elaborator

_MOST_WRITTEN = 40  # characters of an expression that is repeated in advice


def way(elab: Elaborator, have: Type, want: Type | None, text: str) -> str:
    """The expression that was meant by `text`, where `want` is needed; None is any set. Empty if nobody knows."""
    if not text or len(text) > _MOST_WRITTEN:
        return ""
    return next(chain(_ways(elab, have, want, text), _by_formula(elab, have, want, text)), "")


def of_one_at_hand(elab: Elaborator, key: Type) -> str:
    """The name that was given last to one of a sort, as `p` in `set(p in players where out)`; `me` for players."""
    if not isinstance(key, Elem):
        return ""
    for scope in reversed(elab.scopes):
        for name, binding in reversed(list(scope.items())):
            kind = binding.value.type
            if isinstance(kind, Elem) and kind.root is key.root and name not in ("actor", "row"):
                return name
    if key.root is elab.world.players:
        return "" if elab.no_me else "me"
    return ""


def _ways(elab: Elaborator, have: Type, want: Type | None, text: str) -> Iterator[str]:
    match have:
        case TableOf(keys=(Elem(root=root) as key, *rest), item=item):
            owner = of_one_at_hand(elab, key)
            players = root is elab.world.players
            if _of_players(elab, want) and isinstance(item, Bool) and players and not rest:
                yield f"set(p in players where p.{text})"
            if not rest and _fits(item, want) and text.isidentifier():
                if owner:
                    yield f"{owner}.{text}"
        case Elem(root=root) if root.kind not in ("place", "direction"):
            attributes = list(types_of_attributes(have))
            yield from (f"{text}.{name}" for name, of in attributes if _fits(of, want))
            if want is None:
                return
            for name, of in attributes:  # two steps: `m.square.realm`
                if isinstance(of, Elem) and of.root.kind not in ("place", "enum"):
                    further = (more for more, kind in types_of_attributes(of) if _fits(kind, want))
                    yield from (f"{text}.{name}.{more}" for more in further)
        case SetOf(of=Elem() as one) | ListOf(of=Elem() as one) if isinstance(want, SetOf | ListOf):
            if one.root.kind in ("place", "direction"):
                return
            letter = "x" if elab.local("x") is None else "y"
            found = (name for name, of in types_of_attributes(one) if _fits(of, want.of))
            yield from (f"set({letter}.{name} for {letter} in {text})" for name in found)


def _by_formula(elab: Elaborator, have: Type, want: Type | None, text: str) -> Iterator[str]:
    """`own(c)`: a formula of the game that makes of such a thing what is wanted."""
    for declared in elab.world.names.values():
        if declared.sort != "formula" or declared.data.state != "done" or len(declared.data.parameters) != 1:
            continue
        (_, given), gives = declared.data.parameters[0], declared.data.type
        if isinstance(given, Elem) and isinstance(have, Elem) and given.root is have.root and want is not None:
            if isinstance(gives, Elem | SetOf | ListOf) and _fits(gives, want):
                yield f"{declared.name}({text})"


def _fits(kind: Type, want: Type | None) -> bool:
    """Whether something of a type can stand where another is wanted."""
    if want is None:
        return isinstance(kind, SetOf | ListOf | BagOf) or (isinstance(kind, Elem) and kind.root.kind == "place")
    if isinstance(want, Num):
        return isinstance(kind, Num)
    if isinstance(want, Bool):
        return isinstance(kind, Bool)
    return join(kind, want) is not None


def _of_players(elab: Elaborator, want: Type | None) -> bool:
    """Whether a set of players is wanted, or any set."""
    if want is None:
        return True
    return isinstance(want, SetOf) and isinstance(want.of, Elem) and want.of.root is elab.world.players


__all__ = ["of_one_at_hand", "way"]
