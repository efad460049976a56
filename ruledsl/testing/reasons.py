"""Why an option is not offered: the first condition of the rules that it does not meet, with its place.

Where the text is a label, or words of one, the values are those with which the label reads so. Else it is taken apart
as a test writes it: the name of an action, and values, by name as in `to=b2` or, where there is no label, bare. For
every entry of the menu that the text may mean, its variables are set to these values, and the
conditions of the entry are asked in the order of the rules: when it is offered, what each variable may be, what
must hold for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.meant import Meant, meant
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import LANGUAGES
from ruledsl.types import BagOf, Elem, Num, SetOf

State = list[int]


def reasons(play: Play, text: str, seat: int | None) -> list[str]:
    """A line for each entry that the text may mean, the likeliest first."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None:
        return []
    state = play.together.states[stop.seat] if play.together is not None else play.state
    judge = _Judge(play, state[:], text)
    if judge.bare:
        for language in LANGUAGES:
            options = meant(play, state, stop.seat, stop.choice, text, language)
            if options:
                lines = [_Judge(play, state[:], text, one).reason(one.entry) for one in options]
                return list(dict.fromkeys(line for line in lines if line))[:4]
    found = [(judge.fit(entry), number) for number, entry in enumerate(stop.choice.entries)]
    best = max((fit for fit, _ in found), default=0)
    lines = [judge.reason(stop.choice.entries[number]) for fit, number in found if fit == best]
    if stop.choice.stop is not None and text.strip().lower() in (stop.choice.stop.name, "stop", "pass", "done"):
        lines.insert(0, judge.conditions(stop.choice.stop.when) or "")
    return list(dict.fromkeys(line for line in lines if line))[:4]


class _Judge:
    def __init__(self, play: Play, state: State, text: str, option: Meant | None = None) -> None:
        self.play, self.v, self.option = play, state, option
        self.of = play.machine.evaluator.of
        parts = text.replace(",", " ").split()
        self.named = dict(part.split("=", 1) for part in parts if "=" in part)
        self.bare = [word.lower() for part in parts if "=" not in part for word in (part, *part.split("-"))]

    def fit(self, entry: C.Entry) -> int:
        """How well the text fits an entry: its name, the names of its variables, its values."""
        names = {variable.name for variable in entry.variables}
        if self.named and not set(self.named) <= names:
            return -1
        score = 4 * sum(word in self.bare for word in entry.name.lower().replace("_", " ").split())
        return score + 2 * len(self.named) + sum(value is not None for value in self.values(entry).values())

    def values(self, entry: C.Entry) -> dict[str, Any]:
        """What the text says of each variable; None where it says nothing."""
        if self.option is not None:
            names = [variable.name for variable in entry.variables]
            return dict.fromkeys(names) | dict(zip(names[-len(self.option.values) :], self.option.values, strict=False))
        words = list(self.bare)
        found: dict[str, Any] = {}
        for variable in entry.variables:
            found[variable.name] = None
            wanted = [self.named[variable.name].lower()] if variable.name in self.named else words
            for word in wanted:
                value = self.value(variable, word)
                if value is not None:
                    found[variable.name] = value
                    if word in words:
                        words.remove(word)
                    break
        return found

    def value(self, variable: C.Variable, word: str) -> Any:
        kind: Any = variable.type
        if isinstance(kind, SetOf):
            kind = kind.of
        if isinstance(kind, BagOf):
            kind = Elem(kind.root, kind.mask)
        if isinstance(kind, Num):
            return int(word) if word.lstrip("-").isdigit() else None
        if not isinstance(kind, Elem):
            return None
        titles = self.play.words
        for number, name in enumerate(kind.root.names):
            if word == str(name).lower() or word == titles.title(kind.root, number, "en").lower():
                return number
        return None

    def reason(self, entry: C.Entry) -> str:
        """The first condition of an entry that does not hold; empty if none is found."""
        try:
            return next((line for line in self._slips(entry) if line), "")
        except RulesFault as fault:
            return fault.message

    def _slips(self, entry: C.Entry) -> Iterator[str]:
        yield self.conditions(entry.when)
        values = self.values(entry)
        for variable in entry.variables:
            if variable.fewest is not None:
                return
            value = values[variable.name]
            shown = self.play.words.name(value, variable.type) if value is not None else ""
            domain = list(self.play.machine.evaluator.values(variable.each)(self.v))
            if value is None:
                if not any(self._may_be(variable, x) for x in domain):
                    yield f"there is nothing that `{variable.name}` could be"
                return
            if value not in domain:
                among = variable.each.domain[0]
                yield f"{variable.name} = {shown} is not among {self._text(among) or 'what is offered'}"
            self.v[variable.slot] = value
            if variable.where is not None and not self._holds(variable.where):
                yield f"{variable.name} = {shown}: {self._failing(variable.where)} does not hold"
        yield self.conditions(entry.where)

    def _may_be(self, variable: C.Variable, value: Any) -> bool:
        self.v[variable.slot] = value
        return variable.where is None or self._holds(variable.where)

    def conditions(self, nodes: tuple[C.Node, ...]) -> str:
        for node in nodes:
            if not self._holds(node):
                return f"{self._failing(node)} does not hold"
        return ""

    def _failing(self, node: C.Node) -> str:
        """The part of a conjunction that does not hold, with its line."""
        if isinstance(node, C.Both):
            for part in node.args:
                if not self._holds(part):
                    return self._failing(part)
        return self._text(node) or "a condition"

    def _text(self, node: C.Node) -> str:
        span = node.span
        if span is None:
            return ""
        return f"`{' '.join(span.text.split())}` ({span.file.path}:{span.line})"

    def _holds(self, node: C.Node) -> bool:
        return bool(self.of(node)(self.v))
