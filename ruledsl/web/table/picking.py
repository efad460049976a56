"""What the buttons say while somebody picks several things: what one more adds, and what is done with those picked.

In a list that is typed at, `attack fort 3 with 2` and `done` are read one after the other. On a page they are buttons,
and a button says what a click on it does: the first only picks, and the last is the one that attacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ruledsl.boards.marks import plain
from ruledsl.engine.options import DONE, STRIDE, chosen
from ruledsl.ir import core as C
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.why.meaning import inner_type

_PICK = {"en": "pick: {}", "ru": "выбрать: {}"}
_NONE = {"en": "pick none", "ru": "ничего не выбирать"}
_GO_ON = {"en": "go on with: {}", "ru": "дальше: {}"}


def said_while_picking(
    play: Play, seat: int, options: Sequence[Option], language: str, picked: tuple[int, ...]
) -> dict[int, str]:
    """What the options say that pick one thing of several, or that it is enough, by their numbers."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None or stop.choice.stage is None:
        return {}
    state, found = play.state_of(seat), {}
    position = (state[stop.choice.stage] - 1) % STRIDE if state[stop.choice.stage] else 0
    for option in options:
        if option.gathered:
            variable = stop.choice.entries[option.raw[0]].variables[position]
            name = play.words.name(option.gathered[-1], inner_type(variable.type), language, (state, seat))
            found[option.index] = _said(_PICK, language, name)
        elif option.raw[0] == DONE:
            found[option.index] = _whole(play, seat, stop.choice.entries[option.raw[1]], position, language, picked)
        elif picked:  # this one makes the set whole
            last = *picked, *option.values.values()
            found[option.index] = _whole(play, seat, stop.choice.entries[option.raw[0]], position, language, last)
    often = Counter(found.values())
    return {
        index: text for index, text in found.items() if text and often[text] == 1
    }  # names tell things apart, or not


def _whole(play: Play, seat: int, entry: C.Entry, position: int, language: str, picked: tuple[int, ...]) -> str:
    """What is done with all that was picked."""
    v, variable = play.state_of(seat)[:], entry.variables[position]
    for value in picked:
        play.machine.options.add(v, variable, value)
    found = chosen(v, variable)
    if not (any(found) if isinstance(found, tuple) else found):
        return _said(_NONE, language, "")
    if position + 1 == len(entry.variables) and entry.label is not None:
        return plain(" ".join(play.words.text(v, entry.label, language, seat).split()))
    return _said(_GO_ON, language, play.words.name(found, variable.type, language, (v, seat)))


def _said(text: dict[str, str], language: str, name: str) -> str:
    return plain(text.get(language, text["en"]).format(name))


__all__ = ["said_while_picking"]
