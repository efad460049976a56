"""Statements whose parts stand as in a sentence or in another language: told once, and read as they were meant.

`random: d` with `from: 1..6` beside it, `add: 1` with `to: me.score`, `win: me if …`, `if: … then …`, `swap: a and b`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, word_at

if TYPE_CHECKING:
    from .shapes import Form

_OUT_OF = ("from", "in", "of", "out_of", "among", "at")
_BESIDE = ("to", "by", "from", "of", "on", "in", "value", "amount")
_PATH = re.compile(r"[^\W\d][\w.]*(?:\[[^\]]*\])?")
_ONE_LINE = ("expression", "scalar", "word", "words")
_TRAILING_IF = re.compile(r"(?P<what>[^{}]*?\S)\s+(?P<word>if|when|unless)\s+(?P<condition>\S[^{}]*)")


def restated(node: Map, form: Form, report: Report) -> Map:
    """The statement as it was meant, where its parts are all there."""
    verb = next(iter(form.keys), "")
    entry, key = node.entries.get(verb), form.keys.get(verb)
    if entry is None or key is None or not isinstance(entry.value, Scalar) or entry.value.is_null:
        return node
    if key.kind in ("choices", "variables"):
        return _named(node, form, entry, report)
    if key.kind == "paths":
        return _changed(node, form, entry, report)
    if verb == "if":
        return _then(node, entry, report)
    return _both(node, form, report) if key.kind in _ONE_LINE else node


def in_a_sentence(node: Map, form: Form, report: Report) -> Map:
    """A statement with its condition behind it: of what is written so, the keys are all there."""
    verb = next(iter(form.keys), "")
    entry, key = node.entries.get(verb), form.keys.get(verb)
    if entry is not None and key is not None and key.kind in ("choices", "variables") and isinstance(entry.value, Map):
        return _several_names(node, entry, entry.value, report)
    if entry is None or key is None or key.kind not in _ONE_LINE or not isinstance(entry.value, Scalar):
        return node
    text = entry.value.value
    if verb in ("repeat", "rounds", "while") and text.startswith("until "):
        condition = text.partition(" ")[2]
        help = f"to go on until something holds, write `while: not ({condition})`"
        report.error("S125", entry.value.span, f"`until` cannot stand after `{verb}:`", help=help)
        return _without(node, entry)
    if form.numbered and verb not in ("if", "end") and any(f" {word} " in text for word in ("if", "when", "unless")):
        return _only_if(node, entry, report)
    return node


def _several_names(node: Map, entry: Entry, names: Map, report: Report) -> Map:
    """`random: {a, b: die}`: each name has its own."""
    given = list(names)
    bare = [one for one in given if isinstance(one.value, Scalar) and one.value.is_null]
    if names.flow and bare and bare == given[1:] and isinstance(value := given[0].value, Scalar):
        words = [
            value.value,
            *(word for one in bare for word in re.split(r"\s+(?:or|and)\s+|^(?:or|and)\s+", one.key.value)),
        ]
        words = [word for word in words if word]
        if all(word.isidentifier() for word in words):  # `{s: rock, paper or scissors}`
            help = f"write `{{{given[0].key.value}: [{', '.join(words)}]}}`"
            report.error("S127", bare[0].key.span, f"the commas cut the list of `{given[0].key.value}`", help=help)
            inner = {given[0].key.value: Entry(given[0].key, Broken(value.span))}
            kept = {**node.entries, entry.key.value: Entry(entry.key, Map(names.span, inner, True))}
            return Map(node.span, kept, node.flow, node.broken)
    if not names.flow or not bare or given.index(bare[-1]) != len(bare) - 1 or len(bare) == len(given):
        return node
    value = given[len(bare)].value
    if not isinstance(value, Scalar) or not all(one.key.value.isidentifier() for one in bare):
        return node
    whole = ", ".join(f"{one.key.value}: {value.value}" for one in given[: len(bare) + 1])
    report.error("S103", bare[0].key.span, "each name has a value of its own", help=f"write `{{{whole}}}`")
    inner = {name: Entry(one.key, value if one in bare else one.value) for name, one in names.entries.items()}
    kept = {**node.entries, entry.key.value: Entry(entry.key, Map(names.span, inner, True))}
    return Map(node.span, kept, node.flow, node.broken)


def _stray(node: Map, form: Form, words: tuple[str, ...]) -> Entry | None:
    """The one such word beside the verb, if it is no key of the statement."""
    strays = [entry for name, entry in node.entries.items() if name in words and name not in form.known]
    if len(strays) != 1 or not isinstance(strays[0].value, Scalar) or strays[0].value.is_null:
        return None
    return strays[0]


def _named(node: Map, form: Form, entry: Entry, report: Report) -> Map:
    """`random: d` and `from: 1..6`."""
    name, stray = entry.value, _stray(node, form, _OUT_OF)
    if stray is None or not isinstance(name, Scalar) or not name.value.isidentifier():
        return node
    assert isinstance(stray.value, Scalar)
    right = f"{entry.key.value}: {{{name.value}: {stray.value.value}}}"
    said = f"`{entry.key.value}:` takes names, each with the set it comes from"
    report.error("S103", name.span, said, help=f"write `{right}`", suggestions=())
    return _with(node, entry, {name.value: Entry(name, stray.value)}, stray)


def _changed(node: Map, form: Form, entry: Entry, report: Report) -> Map:
    """`add: 1` and `to: me.score`, `set: me.score` and `to: 3`."""
    stray = _stray(node, form, _BESIDE)
    if stray is None or not isinstance(entry.value, Scalar):
        return node
    what, new = entry.value, stray.value
    assert isinstance(new, Scalar)
    is_amount = stray.key.value in ("by", "value", "amount") and _PATH.fullmatch(what.value)
    if entry.key.value != "set" and not is_amount:
        what, new = new, what
    if not _PATH.fullmatch(what.value):
        return node
    right = f"{entry.key.value}: {{{what.value}: {new.value}}}"
    said = f"`{entry.key.value}:` takes what changes, followed by the number"
    report.error("S103", entry.value.span, said, help=f"write `{right}`")
    return _with(node, entry, {what.value: Entry(what, new)}, stray)


def _with(node: Map, entry: Entry, inner: dict[str, Entry], stray: Entry) -> Map:
    kept = {name: one for name, one in node.entries.items() if one is not stray}
    kept[entry.key.value] = Entry(entry.key, Map(entry.value.span, inner, True))
    return Map(node.span, kept, node.flow, node.broken)


def _then(node: Map, entry: Entry, report: Report) -> Map:
    """`if: any(deck) then draw_one()`."""
    value = entry.value
    assert isinstance(value, Scalar)
    condition, found, rest = value.value.partition(" then ")
    if not found or "then" in node.entries or re.search(r"\bif\b", condition):
        return node
    then, _, other = rest.partition(" else ")
    help = f"write `if: {condition.strip()}`, and below it `then: {then.strip()}`"
    report.error("S125", value.span, "`then` is a key of its own", help=help + (f", `else: {other}`" if other else ""))
    body = Entry(word_at("then", value.span), Broken(value.span))
    return Map(node.span, {**node.entries, "if": Entry(entry.key, Broken(value.span)), "then": body}, node.flow)


def _without(node: Map, entry: Entry) -> Map:
    """The statement with its value unknown."""
    broken = Entry(entry.key, Broken(entry.value.span))
    return Map(node.span, {**node.entries, entry.key.value: broken}, node.flow, node.broken)


def _only_if(node: Map, entry: Entry, report: Report) -> Map:
    """`win: me if me.score > 3`: a statement cannot have a condition."""
    value, verb = entry.value, entry.key.value
    assert isinstance(value, Scalar)
    found = _TRAILING_IF.fullmatch(value.value)
    if found is None or _is_open(found["what"]) or re.search(r"\b(then|else)\b", value.value):
        return node
    of_each = re.match(r"([a-z])\b", found["condition"])  # `me.hand if c.worth > 1`: which of them is meant
    if of_each and not re.search(rf"\b{of_each[1]}\b", found["what"]):
        return node
    condition = f"not ({found['condition']})" if found["word"] == "unless" else found["condition"]
    beside = [f"{name}: {one.value.span.one_line}" for name, one in node.entries.items() if one is not entry]
    shown = ", ".join([f"{verb}: {found['what']}", *beside])
    then = f"then: {{{shown}}}" if len(shown) <= 60 and all("\n" not in e.value.span.text for e in node) else "then:"
    said = "a statement cannot have a condition"
    report.error("S125", value.span, said, help=f"write `if: {condition}`, and below it `{then}`")
    return _without(node, entry)


def _is_open(text: str) -> bool:
    return any(text.count(left) > text.count(right) for left, right in ("()", "[]"))


def _both(node: Map, form: Form, report: Report) -> Map:
    """`swap: a and b`, where the statement has `with:`."""
    entry: Entry = next(iter(node))
    value, needed = entry.value, form.keys.get("with")
    if needed is None or not needed.required or "with" in node.entries or not isinstance(value, Scalar):
        return node
    first, found, second = value.value.partition(" and ")
    if not found or " and " in second:
        return node
    help = f"write `{entry.key.value}: {first.strip()}`, and below it `with: {second.strip()}`"
    report.error("S125", value.span, "`with` is a key of its own", help=help)
    other: Node = Broken(value.span)
    more = {"with": Entry(word_at("with", value.span), other)}
    return Map(node.span, {**node.entries, entry.key.value: Entry(entry.key, other), **more}, node.flow, node.broken)


__all__ = ["in_a_sentence", "restated"]
