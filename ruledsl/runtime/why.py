"""Why something is not offered: which condition of the rules fails for it, where that stands, and for which values.

The answer never goes beyond what the seat knows. Conditions are tried on a state that notes which of its numbers
are read; where one of them is hidden from the seat, the answer is only that something hidden decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from ruledsl.analysis.names import Typed
from ruledsl.diagnostics.model import Report
from ruledsl.engine.options import STRIDE
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.parser import parse_text
from ruledsl.types import NO_NUMBER, BagOf, Bool, Elem, ListOf, Num, SetOf, bits

from .knowing import Watched
from .meant import Meant, meant
from .typed import LANGUAGES, nearest

State = list[int]
_MOST_TRIED = 3000  # combinations of values that are looked at
_MOST_VALUES = 400  # values of one name, where the text does not say which
_MOST_PARTS = 6
_DEEP = 4  # formulas inside formulas that are looked into


@dataclass(frozen=True)
class Reason:
    """One line of an answer: which text it is, and what fills its holes."""

    key: str
    holes: dict[str, Any] = field(default_factory=dict)


_NO_WAY = Reason("why_no_way")


def reasons(play: Any, seat: int, text: str, language: str = "en") -> list[Reason]:
    """Why what a text means is not offered to a seat; where it is offered, that it is."""
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None:
        return [Reason("why_not_asked")]
    return _Asker(play, seat, stop.choice, language).answer(text)


@dataclass
class _Tried:
    """How far a combination of values came, and what stopped it."""

    entry: C.Entry
    matched: int
    passed: int
    why: list[Reason]
    label: str
    free: tuple[str, ...] = ()  # names that the text says nothing about


class _Asker:
    def __init__(self, play: Any, seat: int, choice: C.Choice, language: str) -> None:
        self.play, self.seat, self.choice, self.language = play, seat, choice, language
        self.world, self.machine, self.words = play.world, play.machine, play.words
        state = play.together.states[seat] if play.together is not None else play.state
        # Parts of conditions are worked out anew, which takes scratch slots of its own behind the state.
        self.size = self.machine.program.layout.size
        self.base = [*state[: self.size], *[0] * (self.world.next_scratch + 200)]
        self.knowing = self.words.knowing
        self.evaluator = self.knowing.asking
        self.stage = state[choice.stage] if choice.stage is not None else 0

    # ---------------------------------------------------------------------------------------- the answer

    def answer(self, text: str) -> list[Reason]:
        from_options = self._offered(text)
        if from_options:
            return from_options
        found = meant(self.play, self.base, self.seat, self.choice, text, self.language)
        tried = [self._try_meant(one, alone=len(found) == 1) for one in found]
        for one, t in zip(found, tried, strict=True):
            if t.why == [_NO_WAY] and (step := self._one_more_step(one)):
                return [step]
        if not tried:
            tokens = _tokens(text)
            entries = [(e, left) for e, left in self._entries(tokens) if e.label is None or "=" in text]
            tried = [t for entry, left in entries for t in self._try_entry(entry, left) if t.matched >= len(left)]
        tried.sort(key=lambda t: (-t.matched, -t.passed))
        if not tried:
            return self._elsewhere(text) or self._unknown(text)
        shown = tried[0]
        if (
            shown.free
            and len({repr(t.why) for t in tried if (t.matched, t.passed) == (shown.matched, shown.passed)}) == 1
        ):
            # The same fails whatever the other names stand for, so they are not spoken of.
            shown.label = text  # as it was typed
        place = _place(shown.entry.span)
        head = (
            Reason("why_place", {"label": shown.label, "place": place})
            if place
            else Reason("why_label", {"label": shown.label})
        )
        return [head, *shown.why]

    def _elsewhere(self, text: str) -> list[Reason]:
        """Where the text is all that something says which is asked at another time: that it is."""
        phrases = self.play.configured.phrases
        for language in LANGUAGES:
            if phrases.says(text, language) and not phrases.says_here(text, language, self.choice, self.stage):
                return [Reason("why_elsewhere", {"text": text}), *self._nearest(text)]
        return []

    def _try_meant(self, one: Meant, alone: bool) -> _Tried:
        """What stops that which the text means: the first step of it that is not offered."""
        position = (self.stage - 1) % STRIDE if self.stage else 0
        variables = one.entry.variables[position:]
        cut = next((i for i, v in enumerate(variables) if v.fewest is not None), len(variables) - 1) + 1
        shorter = (*variables[:cut],)
        tried = [
            self._try(one.entry, shorter, (*one.values[: cut - 1], value), len(variables))
            for value in (
                one.values[cut - 1] if shorter and shorter[-1].fewest is not None else one.values[cut - 1 : cut]
            )
        ] or [self._try(one.entry, (), (), 0)]
        worst = min(tried, key=lambda t: t.passed)
        worst.label, worst.free = one.label, () if one.whole or alone else tuple(v.name for v in variables)
        return worst

    def _one_more_step(self, one: Meant) -> Reason | None:
        """Where the text is a choice of several steps whose next step is offered: which step that is."""
        position = (self.stage - 1) % STRIDE if self.stage else 0
        variables = one.entry.variables[position:]
        for option in self.play.options(self.seat, self.language):
            number, *taken = option.raw
            if number < 0 or self.choice.entries[number] is not one.entry or not taken:
                continue
            last = variables[len(taken) - 1]
            fits = all(
                x in y if v.fewest is not None else x == y
                for x, y, v in zip(taken, one.values, variables, strict=False)
            )
            if not fits or (len(taken) == len(variables) and last.fewest is None):
                continue
            rest = [
                self._shown(x, _inner(v.type))
                for v, y in zip(variables, one.values, strict=True)
                for x in (y if v.fewest is not None else (y,))
                if (v.name, x) not in {(w.name, t) for w, t in zip(variables, taken, strict=False)}
            ]
            holes = {"n": option.index + 1, "text": option.text, "rest": ", ".join(rest)}
            return Reason("why_step_then" if rest else "why_step", holes)
        return None

    def _nearest(self, text: str) -> list[Reason]:
        near = nearest(self.play.options(self.seat, self.language), text)
        return [Reason("why_nearest", {"names": ", ".join(f"`{o.text or o.notation}`" for o in near)})] if near else []

    def _offered(self, text: str) -> list[Reason]:
        wanted = " ".join(text.casefold().split())
        for option in self.play.options(self.seat, self.language):
            if wanted in (option.text.casefold(), option.notation.casefold()):
                return [Reason("why_offered", {"n": option.index + 1, "text": option.text})]
        return []

    def _unknown(self, text: str) -> list[Reason]:
        """What can be chosen at all here, in the words of the rules."""
        found = [Reason("why_unknown", {"text": text})]
        for entry in self.choice.entries:
            for variable in entry.variables:
                domain = _source(variable.each.domain[0]) if variable.each.domain else ""
                found.append(
                    Reason(
                        "why_asked",
                        {"name": variable.name, "domain": domain or self._type(variable), "place": _place(entry.span)},
                    )
                )
        return [*found[:8], *self._nearest(text)]

    def _type(self, variable: C.Variable) -> str:
        inner = variable.type.of if isinstance(variable.type, SetOf | ListOf) else variable.type
        if isinstance(inner, Num):
            return f"{inner.low}..{inner.high}"
        if not isinstance(inner, Elem | BagOf):
            return ""
        return str(self.world.title_of_word(inner.root.name).get(self.language) or inner.root.name)

    # -------------------------------------------------------------------------------- what the text may mean

    def _entries(self, tokens: list[str]) -> list[tuple[C.Entry, list[str]]]:
        """The entries that the words may mean, each with the words that are left for its values."""
        found = []
        if self.stage:
            entry = self.choice.entries[(self.stage - 1) // STRIDE]
            return [(entry, tokens)]
        for entry in self.choice.entries:
            own = self._own_words(entry)
            named = [token for token in tokens if token in own]
            left = [token for token in tokens if token not in own]
            found.append((len(named), entry, left))
        most = max((n for n, _, _ in found), default=0)
        return [(entry, left) for n, entry, left in found if n == most]

    def _own_words(self, entry: C.Entry) -> set[str]:
        """The words that an entry is called by: its name, its title, the fixed words of its label."""
        texts = [entry.name, entry.name.replace("_", " ")]
        if entry.name:
            texts.append(self.world.title_of_word(entry.name).get(self.language, ""))
        if entry.label is not None:
            texts += [part for part in entry.label.parts(self.language) if isinstance(part, str)]
            texts += [part for part in entry.label.parts("en") if isinstance(part, str)]
        return {token for text in texts for token in _tokens(text)}

    def _values(self, variable: C.Variable, tokens: list[str]) -> dict[Any, int]:
        """The values that a name may have for these words, with the position of the word that means it."""
        kind = variable.type
        inner = (
            kind.of
            if isinstance(kind, SetOf | ListOf)
            else Elem(kind.root, kind.mask)
            if isinstance(kind, BagOf)
            else kind
        )
        found: dict[Any, int] = {}
        for number, token in enumerate(tokens):
            name, equals, word = token.partition("=")
            if equals and name != variable.name.casefold():
                continue
            wanted = word if equals else token
            for value in self._meant(inner, wanted):
                found.setdefault(value, number)
        return found

    def _meant(self, kind: Any, word: str) -> Iterator[Any]:
        if isinstance(kind, Num) and re.fullmatch(r"-?\d{1,9}", word):
            yield int(word)
        elif isinstance(kind, Bool) and word in ("true", "false", "yes", "no"):
            yield int(word in ("true", "yes"))
        elif isinstance(kind, Elem):
            for value in range(kind.root.size):
                if word in self._names(kind.root, value):
                    yield value

    def _names(self, root: Any, value: int) -> set[str]:
        """What a member may be called by somebody in this seat; a piece also by where it stands."""
        if root.kind == "piece" and not self.play.viewer.knows(self.base, value, self.seat):
            return set()
        names = {str(root.names[value]).casefold(), self.words.title(root, value, self.language).casefold()}
        if root.kind == "piece":
            names |= self._looks(value)
            names.add(self._space_of(value).casefold())
        return names

    def _looks(self, piece: int) -> set[str]:
        """The words a piece goes by: its kind, and the members of enumerations among its attributes."""
        found = {kind.name.casefold() for kind in self.world.kinds if kind.mask >> piece & 1}
        for attributes in self.world.pieces.attributes.values():
            for a in attributes:
                if a.mask >> piece & 1 and isinstance(a.type, Elem) and a.type.root.kind in ("enum", "player"):
                    node = a.build(C.Const(piece), None)
                    value = self.evaluator.of(node)(self.base) if isinstance(node, C.Node) else -1
                    if value >= 0:
                        found |= {str(a.type.root.names[value]), self.words.title(a.type.root, value, self.language)}
        return {word.casefold() for word in found}

    # ------------------------------------------------------------------------------------------- trying it

    def _try_entry(self, entry: C.Entry, tokens: list[str]) -> Iterator[_Tried]:
        position = (self.stage - 1) % STRIDE if self.stage else 0
        variables = entry.variables[position:]
        if any(v.fewest is not None for v in variables):
            cut = next(i for i, v in enumerate(variables) if v.fewest is not None)
            variables = variables[: cut + 1]
        if not variables:
            if not tokens:
                yield self._try(entry, (), (), 0)
            return
        meant = [self._values(variable, tokens) for variable in variables]
        if tokens and not any(meant):
            return
        pools = [
            list(found.items()) if found else [(x, -1) for x in self._free(v)]
            for v, found in zip(variables, meant, strict=True)
        ]
        best = 0
        for row in islice(product(*pools), _MOST_TRIED):
            used = {number for _, number in row if number >= 0}
            if len(used) < best:
                continue
            best = len(used)
            tried = self._try(entry, variables, tuple(value for value, _ in row), len(used))
            tried.free = tuple(v.name for v, (_, number) in zip(variables, row, strict=True) if number < 0)
            yield tried

    def _free(self, variable: C.Variable) -> list[Any]:
        """Values for a name that the text says nothing about: all of its type, or those of its domain."""
        kind = variable.type.of if isinstance(variable.type, SetOf | ListOf) else variable.type
        if isinstance(kind, Elem | BagOf):
            return list(islice(bits(kind.mask), _MOST_VALUES))
        if isinstance(kind, Num):
            return list(range(kind.low, min(kind.high, kind.low + _MOST_VALUES) + 1))
        return [0, 1]

    def _try(self, entry: C.Entry, variables: tuple[C.Variable, ...], values: tuple[Any, ...], matched: int) -> _Tried:
        """Goes through the conditions of an entry for some values, up to the first that fails."""
        v = self.base[:]
        names = {variable.name: (value, variable) for variable, value in zip(variables, values, strict=True)}
        label = self._label(entry, names)
        passed = 0
        scope = self._scope(entry)
        for condition in entry.when if not self.stage else ():
            if not self._holds(condition, v):
                return _Tried(entry, matched, passed, self._failed(condition, v, scope), label)
            passed += 1
        for variable, value in zip(variables, values, strict=True):
            why = self._outside(variable, value, v, scope)
            if why:
                return _Tried(entry, matched, passed, why, label)
            if variable.fewest is None:
                v[variable.slot] = value
            passed += 1
        if all(variable.fewest is None for variable in entry.variables):
            for condition in entry.where:
                if not self._holds(condition, v):
                    return _Tried(entry, matched, passed, self._failed(condition, v, scope), label)
                passed += 1
        return _Tried(entry, matched, passed + 1, [_NO_WAY], label)

    def _label(self, entry: C.Entry, names: dict[str, Any]) -> str:
        """What was meant, as an option of the entry would read."""
        values = tuple(value for value, _ in names.values())
        if (
            entry.label is not None
            and len(values) == len(entry.variables)
            and not self.stage
            and all(x.fewest is None for x in entry.variables)
        ):
            v = self.base[:]
            for value, variable in names.values():
                v[variable.slot] = value
            holes = [part.node for part in entry.label.parts(self.language) if isinstance(part, C.Hole)]
            if not any(self._reads_hidden(node, v) for node in holes):
                try:
                    return str(self.words.option(self.base, entry, 0, values, self.language, self.seat))
                except (RulesFault, LookupError, TypeError):
                    pass  # a label may speak of what only legal values have
        shown = [f"{name} = {self._shown(value, _inner(variable.type))}" for name, (value, variable) in names.items()]
        name = (
            self.world.title_of_word(entry.name).get(self.language, entry.name.replace("_", " ")) if entry.name else ""
        )
        return " ".join([name, ", ".join(shown)]).strip() or "…"

    def _outside(self, variable: C.Variable, value: Any, v: State, scope: dict[str, Typed]) -> list[Reason]:
        """Why a value is none that the name may have."""
        shown = self._shown(value, _inner(variable.type))
        source = _source(variable.each.domain[0]) if variable.each.domain else ""
        place = _place(getattr(variable.each.domain[0], "span", None)) if variable.each.domain else ""
        seen: set[int] = set()
        try:
            if isinstance(variable.type, BagOf):
                inside = self.evaluator.of(variable.each.domain[0])(Watched(v, seen))[value] > 0
            else:
                inside = value in list(self.evaluator.values(variable.each)(Watched(v, seen)))
        except RulesFault as fault:
            return [Reason("why_fault", {"place": _place(fault.span)})]
        if not inside:
            if self._any_hidden(v, seen):
                return [Reason("why_hidden")]
            first = Reason("why_not_in", {"value": shown, "domain": source or self._type(variable), "place": place})
            return [first, *self._not_in(variable.each.domain[0], value, shown, v, scope)][:6]
        if variable.fewest is not None:
            return self._outside_set(variable, value, v, scope)
        if variable.where is not None:
            v[variable.slot] = value
            if not self._holds(variable.where, v):
                return self._failed(variable.where, v, scope)
        return []

    def _outside_set(self, variable: C.Variable, value: Any, v: State, scope: dict[str, Typed]) -> list[Reason]:
        if variable.where is not None:
            v[variable.each.slot] = value
            if not self._holds(variable.where, v):
                inner = _inner(variable.type)
                return self._failed(
                    variable.where, v, {**scope, variable.name: Typed(C.Get(variable.each.slot), inner)}
                )
        if isinstance(variable.type, SetOf):
            mask = v[variable.slot]
            shown = self._shown(value, _inner(variable.type))
            if mask >> value & 1:
                return [Reason("why_chosen", {"value": shown})]
            if mask and value < mask.bit_length() - 1:
                return [
                    Reason(
                        "why_order", {"value": shown, "last": self._shown(mask.bit_length() - 1, _inner(variable.type))}
                    )
                ]
        return []

    def _not_in(
        self, domain: C.Node, value: Any, shown: str, v: State, scope: dict[str, Typed], deep: int = 0
    ) -> list[Reason]:
        """Why a value is not in a set that a formula makes: which of its conditions the value fails."""
        while isinstance(domain, C.Cond):
            domain = domain.then if self._holds(domain.condition, v) else domain.otherwise
            if _source(domain) and not isinstance(domain, C.Cond):
                said = Reason("why_not_in", {"value": shown, "domain": _source(domain), "place": _place(domain.span)})
                return [said, *self._not_in(domain, value, shown, v, scope, deep + 1)]
        if isinstance(domain, C.Invoke) and domain.formula.body is not None and deep < _DEEP:
            inner = self._inside(domain, v)
            body = domain.formula.body
            if inner is None or self._reads_hidden(body, v):
                return []
            while isinstance(body, C.Cond):
                body = body.then if self._holds(body.condition, v) else body.otherwise
            if isinstance(body, C.Invoke | C.Fold):
                source = _source(body)
                said = Reason("why_not_in", {"value": shown, "domain": source, "place": _place(body.span)})
                return self._not_in(body, value, shown, v, inner, deep + 1) or [said]
        if isinstance(domain, C.Fold) and domain.kind == "set" and domain.value is None and len(domain.each) == 1:
            each = domain.each[0]
            if value not in list(self.evaluator.values(each)(v)):
                part = each.domain[0]
                source = _source(part)
                if not source or self._reads_hidden(part, v):
                    return []
                said = Reason(
                    "why_not_in", {"value": shown, "domain": source, "place": _place(getattr(part, "span", None))}
                )
                return [said, *self._not_in(part, value, shown, v, scope, deep + 1)]
            if domain.where is not None:
                v[each.slot] = value
                name = self._bound_name(domain)
                kind = self._kind_of(each)
                inside = {**scope, name: Typed(C.Get(each.slot), kind)} if name and kind is not None else scope
                return self._failed(domain.where, v, inside, deep=deep + 1)
        return []

    def _bound_name(self, fold: C.Fold) -> str:
        """What the element of a comprehension is called in the rules."""
        if fold.span is None:
            return ""
        tree = parse_text(fold.span.text, fold.span.file, fold.span.start, "expr", Report())
        sources = tree.arguments.sources if isinstance(tree, E.Call) else ()
        return sources[0].name.name if sources else ""

    def _kind_of(self, each: C.Each) -> Any:
        """The type of what a set runs over, worked out from its text."""
        span = getattr(each.domain[0], "span", None)
        if span is None:
            return None
        tree = parse_text(span.text, span.file, span.start, "expr", Report())
        typed = self._typed(tree, {}) if tree is not None else None
        kind = typed.type if typed is not None else None
        return kind.of if isinstance(kind, SetOf | ListOf) else None

    # ------------------------------------------------------------------------------------------ conditions

    def _holds(self, condition: C.Node, v: State) -> bool:
        try:
            return bool(self.evaluator.of(condition)(v))
        except RulesFault:
            return False

    def _reads_hidden(self, node: C.Node, v: State) -> bool:
        seen: set[int] = set()
        try:
            self.evaluator.of(node)(Watched(v, seen))
        except RulesFault:
            return bool(self.knowing.hides)
        return self._any_hidden(v, seen)

    def _any_hidden(self, v: State, slots: set[int]) -> bool:
        return any(self.knowing.hidden(v, slot, self.seat) for slot in slots)

    def _failed(
        self, node: C.Node, v: State, scope: dict[str, Typed], truth: bool = False, deep: int = 0
    ) -> list[Reason]:
        """Why a condition is not as it should be: the first part that decides, with the values in it."""
        if self._reads_hidden(node, v):
            return [Reason("why_hidden")]
        match node:
            case C.Both(args=args) if not truth:
                first = next((arg for arg in args if not self._holds(arg, v)), None)
                if first is not None:
                    return self._failed(first, v, scope, truth, deep)
            case C.Either(args=args) if truth:
                first = next((arg for arg in args if self._holds(arg, v)), None)
                if first is not None:
                    return self._failed(first, v, scope, truth, deep)
            case C.Op(name="truth", args=(arg,)):
                return self._failed(arg, v, scope, truth, deep)
            case C.Op(name="not", args=(arg,)) if getattr(arg, "span", None) not in (None, node.span):
                return self._failed(arg, v, scope, not truth, deep)
            case C.Op(name="bag_within", args=(amount, have)) if not truth:
                return self._too_dear(node, amount, have, v)
            case C.Op(name="less", args=(C.Cell() as counter, most)) if node.span is None and not truth:
                return [
                    Reason("why_limit", {"used": self.evaluator.of(counter)(v), "most": self.evaluator.of(most)(v)})
                ]
            case C.With() | C.Possible() if not truth:
                return [Reason("why_payment", {"source": _source(node), "place": _place(node.span)})]
            case C.Cond(condition=condition, then=then, otherwise=otherwise) if deep:
                return self._failed(then if self._holds(condition, v) else otherwise, v, scope, truth, deep)
        if isinstance(node, C.Either) and not truth:
            parts = [reason for arg in node.args for reason in self._failed(arg, v, scope, False, deep)]
            source = _source(node)
            return [*([Reason("why_false", {"source": source, "place": _place(node.span)})] if source else []), *parts][
                :6
            ]
        found = [self._said(node, v, scope, truth)]
        if isinstance(node, C.Invoke) and deep < _DEEP and node.formula.body is not None:
            inner = self._inside(node, v)
            if inner is not None and isinstance(node.formula.body, C.Both | C.Either | C.Op | C.Cond | C.Invoke):
                found += self._failed(node.formula.body, v, inner, truth, deep + 1)
        return found[:6]

    def _inside(self, node: C.Invoke, v: State) -> dict[str, Typed] | None:
        """The names of a formula's parameters, set to what it was called with."""
        info = next((f for f in self.world.formulas if f.code is node.formula), None)
        if info is None:
            return None
        values = [self.evaluator.of(arg)(v) for arg in node.args]
        for slot, value in zip(node.formula.slots, values, strict=True):
            v[slot] = value
        return {
            name: Typed(C.Get(slot), kind)
            for (name, kind), slot in zip(info.parameters, node.formula.slots, strict=True)
        }

    def _too_dear(self, node: C.Op, amount: C.Node, have: C.Node, v: State) -> list[Reason]:
        """What is missing of a cost."""
        wanted, held = self.evaluator.of(amount)(v), self.evaluator.of(have)(v)
        base = have.args[0] if isinstance(have, C.Op) else have
        slot = getattr(base, "base", getattr(base, "slot", -1))
        pool = next(
            (
                p
                for p in self.world.pools
                for _, first, root in p.holders.values()
                if first <= slot < first + p.size * (root.size if root is not None else 1)
            ),
            None,
        )
        lacking = []
        for i, (n, m) in enumerate(zip(wanted, held, strict=True)):
            if n > m:
                word = (
                    self.words.title(pool.of, i, self.language)
                    if pool is not None and pool.of is not None
                    else pool.name
                    if pool
                    else ""
                )
                lacking.append((word, n, m))
        return [
            Reason("why_cost", {"word": word, "needed": n, "held": m, "place": _place(node.span)})
            for word, n, m in lacking
        ]

    # ------------------------------------------------------------------------------------- values of parts

    def _said(self, node: C.Node, v: State, scope: dict[str, Typed], truth: bool) -> Reason:
        span = getattr(node, "span", None)
        source = _source(node)
        if span is None or not source:
            return Reason("why_rule")
        parts = ", ".join(self._parts(span, v, scope))
        key = "why_true" if truth else "why_false"
        return Reason(f"{key}_parts" if parts else key, {"source": source, "parts": parts, "place": _place(span)})

    def _scope(self, entry: C.Entry) -> dict[str, Typed]:
        """The names that the conditions of an entry may speak of: its own, and those of the block around it."""
        found: dict[str, Typed] = {}
        for f in self.machine.program.layout.fields:
            if (
                f.kind == "local"
                and f.type is not None
                and f.count == 1
                and f.name.isidentifier()
                and f.name not in found
            ):
                found[f.name] = self.world_load(f.base, f.type)
        for variable in entry.variables:
            found[variable.name] = self.world_load(variable.slot, variable.type)
        return found

    def world_load(self, slot: int, kind: Any) -> Typed:
        return Typed(self.world.load(slot, None, kind), kind)

    def _parts(self, span: Span, v: State, scope: dict[str, Typed]) -> list[str]:
        """`to.x = 1`: the names and attributes in a piece of the rules, with their values."""
        report = Report()
        tree = parse_text(span.text, span.file, span.start, "expr", report)
        if report.errors or tree is None or isinstance(tree, E.Bad):
            return []
        found: dict[str, str] = {}
        for part in _paths(tree):
            text = " ".join(part.span.text.split())
            if text in found:
                continue
            shown = self._value_of(part, v, scope)
            if shown is not None and shown != text:
                found[text] = shown
        return [f"{text} = {shown}" for text, shown in list(found.items())[:_MOST_PARTS]]

    def _value_of(self, tree: E.Expr, v: State, scope: dict[str, Typed]) -> str | None:
        """The value of a part in words; None where it says nothing, or what the seat may not know."""
        try:
            typed = self._typed(tree, scope)
            if typed is None or isinstance(typed.node, C.Const) or self._reads_hidden(typed.node, v):
                return None
            value = self.evaluator.of(typed.node)(v)
            if isinstance(typed.type, SetOf) and value.bit_count() > 8:
                return None
            return self._shown(value, typed.type)
        except (RulesFault, LookupError, TypeError):
            return None

    def _typed(self, tree: E.Expr, scope: dict[str, Typed]) -> Typed | None:
        """A part of the rules worked out anew; None where it cannot be by itself."""
        world, elaborator = self.world, self.world.elaborator
        kept = world.report, elaborator.report, elaborator.no_me, world.next_scratch
        report = world.report = elaborator.report = Report()
        elaborator.no_me = 0
        try:
            with elaborator.fresh():
                for name, typed in scope.items():
                    elaborator.bind(name, typed, quiet=True)
                found: Typed = elaborator.expr(tree)
            known = isinstance(found.type, Num | Elem | Bool | SetOf | ListOf | BagOf) and isinstance(
                found.node, C.Node
            )
            room = world.next_scratch <= len(self.base) - self.size
            return found if known and room and not report.errors else None
        except (RulesFault, AssertionError, LookupError, AttributeError, TypeError):
            return None
        finally:
            world.report, elaborator.report, elaborator.no_me, world.next_scratch = kept

    def _shown(self, value: Any, kind: Any) -> str:
        if isinstance(kind, Num) and value == NO_NUMBER:
            return str(self.words.fixed("none", self.language))
        if isinstance(kind, Bool):
            return str(self.words.fixed("yes" if value else "no", self.language))
        name = str(self.words.name(value, kind, self.language, (self.base, self.seat)))
        if isinstance(kind, Elem) and kind.root.kind == "piece" and value >= 0:
            where = self._space_of(value)
            return f"{name} ({where})" if where and self.play.viewer.knows(self.base, value, self.seat) else name
        return name

    def _space_of(self, piece: int) -> str:
        """The name of the space that a piece stands on."""
        spots = self.machine.program.spots
        at = self.base[spots.at + piece]
        for first, root in spots.roots:
            if root.kind == "space" and first <= at < first + root.size:
                return str(root.names[at - first])
        return ""


def _inner(kind: Any) -> Any:
    if isinstance(kind, SetOf | ListOf):
        return kind.of
    return Elem(kind.root, kind.mask) if isinstance(kind, BagOf) else kind


def _tokens(text: str) -> list[str]:
    return [token for token in re.split(r"[\s,;:()\[\]-]+", text.casefold()) if token]


def _source(node: Any) -> str:
    span = getattr(node, "span", None)
    if span is None:
        return ""
    text = " ".join(re.sub(r"#[^\n]*", "", span.text).split())
    return text if len(text) <= 120 else text[:119] + "…"


def _place(span: Span | None) -> str:
    return f"{span.file.path}:{span.line}" if span is not None else ""


def _paths(tree: Any) -> Iterator[Any]:
    """Names with their attributes, and calls without names of their own, from left to right."""
    match tree:
        case E.Name():
            yield tree
        case E.Attribute(of=of):
            yield from _paths(of) if not isinstance(of, E.Name | E.Attribute) else (tree,)
        case E.Binary(left=left, right=right):
            yield from _paths(left)
            yield from _paths(right)
        case E.Unary(of=of):
            yield from _paths(of)
        case E.If(condition=condition, then=then, otherwise=otherwise):
            yield from (part for side in (condition, then, otherwise) for part in _paths(side))
        case E.Items(items=items):
            yield from (part for item in items for part in _paths(item))
        case E.Index(of=of, keys=keys):
            yield tree
            yield from (part for key in keys for part in _paths(key))
        case E.Call(arguments=arguments) if not arguments.sources:
            yield from (part for plain in arguments.plain for part in _paths(plain))
            yield from (part for _, named in arguments.named for part in _paths(named))
        case E.Call(arguments=arguments):
            bound = {source.name.name for source in arguments.sources}
            inside = (*(source.domain for source in arguments.sources), arguments.where)
            yield from (part for side in inside for part in _paths(side) if not E.names_in(part) & bound)
