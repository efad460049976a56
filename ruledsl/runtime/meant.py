"""What a text would mean if everything could be chosen: the lines of a menu, with values whose label reads so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from ruledsl.engine.options import STRIDE
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.types import BagOf, Elem, ListOf, Num, SetOf, bits

from .typed import contained, words

_MOST_TRIED = 5_000  # combinations of values whose label is read
_MOST_VALUES = 2_000  # of one name


@dataclass(frozen=True)
class Meant:
    """One line of a menu with values for its names from a step on; of several at once, the ones that are spoken of."""

    entry: C.Entry
    values: tuple[Any, ...]
    label: str
    whole: bool  # whether the text is all of the label


def meant(play: Any, state: list[int], seat: int | None, choice: C.Choice, text: str, language: str) -> list[Meant]:
    """What reads as the text; where nothing does, what some of the words of its label are."""
    own = words(text)
    stage = state[choice.stage] if choice.stage is not None else 0
    entries = [choice.entries[(stage - 1) // STRIDE]] if stage else list(choice.entries)
    position = (stage - 1) % STRIDE if stage else 0
    whole: list[Meant] = []
    part: list[Meant] = []
    for entry in entries if own else ():
        if entry.label is None:
            continue
        variables = entry.variables[position:]
        pools = [_pool(play, state, seat, entry, variable, own, language) for variable in variables]
        if prod(map(len, pools)) > _MOST_TRIED:
            continue
        for values in product(*pools):
            label = _label(play, state, seat, entry, variables, values, language)
            said = words(label)
            if said == own:
                whole.append(Meant(entry, values, label, True))
            elif contained(own, said):
                part.append(Meant(entry, values, label, False))
    shortest = min((len(words(one.label)) for one in part), default=0)
    return whole or [one for one in part if len(words(one.label)) == shortest]


def _pool(
    play: Any,
    state: list[int],
    seat: int | None,
    entry: C.Entry,
    variable: C.Variable,
    own: Sequence[str],
    language: str,
) -> list[Any]:
    """The values of a name that the text may speak of: where the label shows them as they are, those it names."""
    kind: Any = variable.type
    several = isinstance(kind, SetOf | ListOf | BagOf)
    inner = kind.of if isinstance(kind, SetOf | ListOf) else Elem(kind.root, kind.mask) if several else kind
    if isinstance(inner, Elem):
        every = list(bits(inner.mask))[:_MOST_VALUES]
    elif isinstance(inner, Num):
        every = list(range(inner.low, min(inner.high, inner.low + _MOST_VALUES) + 1))
    else:
        every = [0, 1]
    assert entry.label is not None
    if several or any(_reads(part, variable.slot) for part in entry.label.parts(language)):
        names = {x: words(play.words.name(x, inner, language, (state, seat))) for x in every}
        named = [x for x in every if contained(names[x], own)]
        if not several:
            return named or every
        first: dict[str, Any] = {}  # of those that are called alike, one that may be chosen
        for x in sorted(named, key=lambda x: x not in _among(play, state, variable)):
            first.setdefault(" ".join(names[x]), x)
        return [*((x,) for x in named), *([tuple(first.values())] if len(first) > 1 else [])]
    return every


def _among(play: Any, state: list[int], variable: C.Variable) -> Any:
    try:
        if isinstance(variable.type, BagOf):
            bag = play.machine.evaluator.of(variable.each.domain[0])(state)
            return [x for x, count in enumerate(bag) if count]
        return list(play.machine.evaluator.values(variable.each)(state))
    except RulesFault:
        return ()


def _reads(part: str | C.Hole, slot: int) -> bool:
    return isinstance(part, C.Hole) and isinstance(part.node, C.Get) and part.node.slot == slot and not part.about


def _label(
    play: Any,
    state: list[int],
    seat: int | None,
    entry: C.Entry,
    variables: Sequence[C.Variable],
    values: Sequence[Any],
    language: str,
) -> str:
    assert entry.label is not None
    v = state[:]
    for variable, value in zip(variables, values, strict=True):
        bind(v, variable, value)
    try:
        return " ".join(play.words.text(v, entry.label, language, seat).split())
    except (RulesFault, LookupError, TypeError):
        return ""  # a label may speak of what only legal values have


def bind(v: list[int], variable: C.Variable, value: Any) -> None:
    """Sets a name to a value; one for several to all of these."""
    slot = variable.slot
    match variable.type:
        case BagOf(root=root):
            v[slot : slot + root.size] = [int(i in value) for i in range(root.size)]
        case ListOf(most=most):
            kept = list(value)[:most]
            v[slot : slot + 1 + len(kept)] = [len(kept), *kept]
        case SetOf():
            v[slot] = sum(1 << x for x in value)
        case _:
            v[slot] = value
