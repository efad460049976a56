"""What follows from a slip in a declaration: told with it, and not once more wherever the declaration is used.

Most of what fails is known as failed when it is asked for (`World.failed`). But much that is declared has more in it
than its name: the names of spaces, what can be asked of a piece, how many there are. So once all is looked over, an
error elsewhere that speaks of anything a spoilt declaration would have made is counted with the error there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.names import RESERVED
from ruledsl.analysis.sections import modules_of
from ruledsl.builtins import BUILTINS
from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax.shapes import FORMS

if TYPE_CHECKING:
    from ruledsl.analysis.sections import Source
    from ruledsl.source.text import Span

_THINGS = ("options", "types", "boards", "pieces", "places", "pools", "values", "history")
_CALLED = ("define", "effects", "actions")
_ALONE = ("players", "board")
# Errors after which nobody knows what a declaration would have made: it cannot be read, or is made of the unknown.
_SPOILS = re.compile(r"[SE]\d|B2|N[12]")
_FOLLOWS = re.compile(r"N1|T2(?:01|04|05|06|10|14|16|21|46|49|61)|S10[18]|S130|E114")
_OF_SIZES = ("T206", "T214", "T216")  # they go by what there is, and how many of it
_COUNTED = ("board", "boards", "pieces", "places", "pools")
_STRANGE = ("S101", "S122")  # keys that nobody knows
_LACKS = ("S102", "S108", "B203", "B204", "E114")  # what is said of a map from which a key is missing
_WORD = re.compile(r"[^\W\d]\w*")
_SPACE = re.compile(r"[a-z]+\d+|\d+(?:,-?\d+)*")  # how spaces are called


@dataclass(frozen=True)
class _Declaration:
    section: str
    whole: Span
    words: frozenset[str]
    body: Span
    rules: tuple[Span, ...]  # the statements in it: what is wrong there spoils nothing

    def is_spoilt_by(self, found: Diagnostic) -> bool:
        place = found.span
        if self.section in _CALLED:  # of what it is made of, only the part is wrong
            return found.code[0] == "S" and place is not None and place == self.body
        if place is None or not _SPOILS.match(found.code) or not place.is_in(self.whole):
            return False
        return not any(place.is_in(rule) for rule in self.rules)

    def brings(self, found: Diagnostic) -> bool:
        """Whether an error follows from this being spoilt."""
        place = found.span
        if place is None or not (found.is_unmade or found.code == "R310" or _FOLLOWS.match(found.code)):
            return False
        if place.is_in(self.whole):
            return found.is_unmade or found.code == "R310"
        named = {*_WORD.findall(place.text), *found.about}
        if found.code in _OF_SIZES and self.section in _COUNTED:
            return True
        if self.section in ("board", "boards") and any(map(_SPACE.fullmatch, {place.text, *named})):
            return True
        return not self.words.isdisjoint(named)


def without_consequences(source: Source, report: Report) -> None:
    """Leaves out the errors that follow from others."""
    errors = [found for found in report.findings if found.severity == "error" and found.span is not None]
    if len(errors) < 2:
        return
    if any(found.code in _STRANGE for found in errors):
        _of_strange_keys(source, report)
        errors = [found for found in errors if found in report.findings]
    if any(found.code == "S113" for found in errors):
        _of_strange_statements(source, report)
        errors = [found for found in errors if found in report.findings]
    declarations = [one for one in _declarations(source) if any(one.is_spoilt_by(found) for found in errors)]
    spoilt: list[_Declaration] = []
    dropped: set[int] = set()

    def order(found: Diagnostic) -> tuple[bool, bool]:
        """What cannot be read comes before what is not known, and that before where it is used."""
        is_unread = found.code[0] in "SE" or found.code[:2] == "N2"
        return not is_unread, not any(one.is_spoilt_by(found) for one in declarations)

    for found in sorted(errors, key=order):  # what is dropped spoils nothing: something of a circle is always told
        if any(one.brings(found) for one in spoilt):
            dropped.add(id(found))
        else:
            spoilt += [one for one in declarations if one.is_spoilt_by(found)]
    report.leave_out(lambda found: id(found) in dropped)


def _of_strange_keys(source: Source, report: Report) -> None:
    """A key that nobody knows, in a map that lacks one: the one is likely the other."""
    strange = {found.span: found for found in report.findings if found.code in _STRANGE}
    lacking = [found for found in report.findings if found.code in _LACKS and found.span is not None]
    dropped: set[int] = set()
    for one in _maps(part.node for part in source.parts):
        keys = [strange[entry.key.span] for entry in one if entry.key.span in strange]
        if not keys:
            continue
        own = [part.span for entry in one for part in (entry.key, entry.value) if isinstance(part, Scalar)]
        told = [found for found in lacking if found.span is not None and any(map(found.span.is_in, own))]
        told += [found for found in lacking if found.span == one.span]
        if not told:
            continue
        word = told[0].lacks
        if len(keys) == 1 and word and not keys[0].suggestions and keys[0].span is not None:
            better = replace(keys[0], help=did_you_mean([word]), suggestions=(word,))
            report.findings[report.findings.index(keys[0])] = better
        dropped.update(map(id, told))
    report.leave_out(lambda found: id(found) in dropped)


def _of_strange_statements(source: Source, report: Report) -> None:
    """A statement that there is not: whatever it would have named is unknown below it."""
    strange = {found.span for found in report.findings if found.code == "S113"}
    below: list[Span] = []
    for block in _blocks(part.node for part in source.parts):
        for item in block.items:
            if isinstance(item, Map) and any(entry.key.span in strange for entry in item):
                below.append(replace(block.span, start=item.span.start))
    report.leave_out(
        lambda found: found.code == "N101" and found.span is not None and any(map(found.span.is_in, below))
    )


def _blocks(nodes: Iterable[Node]) -> Iterator[Seq]:
    for node in nodes:
        if isinstance(node, Map):
            yield from _blocks(entry.value for entry in node)
        elif isinstance(node, Seq):
            yield node
            yield from _blocks(node.items)


def _maps(nodes: Iterable[Node]) -> Iterator[Map]:
    for node in nodes:
        if isinstance(node, Map):
            yield from _maps(entry.value for entry in node)
            yield node
        elif isinstance(node, Seq):
            yield from _maps(node.items)


def _declarations(source: Source) -> Iterator[_Declaration]:
    maps = [part.node for part in source.parts]
    for _, module in modules_of(source, Report()):
        maps += [module.node, *(inner for inner in (module.node.get("replace"),) if isinstance(inner, Map))]
    for one in maps:
        for section in (*_THINGS, *_CALLED):
            inner = one.get(section)
            if isinstance(inner, Map):
                for entry in inner:
                    yield from _declared(section, entry.key, entry.value)
        for section in _ALONE:
            if (node := one.get(section)) is not None and (key := one.key(section)) is not None:
                yield from _declared(section, key, node)


def _declared(section: str, key: Scalar, node: Node) -> Iterator[_Declaration]:
    whole = replace(key.span, end=max(node.span.end, key.span.end))
    words = frozenset(_WORD.findall(key.value)[:1])
    if section not in _CALLED:
        words |= frozenset(_words(node)) - _common()
    yield _Declaration(section, whole, words, node.span, tuple(_rules(node)))


def _rules(node: Node) -> Iterator[Span]:
    if isinstance(node, Map):
        if not STATEMENTS.keys().isdisjoint(node.entries):
            yield node.span
            return
        for entry in node:
            yield from _rules(entry.value)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _rules(item)


def _words(node: Node) -> Iterator[str]:
    """What a declaration may name: its keys, and what stands behind them as a word."""
    if isinstance(node, Map):
        for entry in node:
            if entry.key.value not in STATEMENTS:
                yield from _words(entry.key)
                yield from _words(entry.value)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _words(item)
    elif isinstance(node, Scalar) and len(found := _WORD.findall(node.value)) <= 3:
        yield from found


@cache
def _common() -> frozenset[str]:
    """The words of the language."""
    return frozenset(chain(RESERVED, BUILTINS, STATEMENTS, *(form.known for form in FORMS)))
