"""Slips of the pen: typos, keys, types, arguments, brackets, blanks."""

from __future__ import annotations

import re
from random import Random

from ruledsl.analysis.build import STATEMENTS
from ruledsl.builtins import BUILTINS
from ruledsl.source.document import Map, Scalar, Seq
from ruledsl.source.text import Span

from .text import KEYWORDS, Maker, Mutant, Text, entry_lines, slip, without, words_of


def typo_in_name(text: Text, rng: Random) -> Mutant | None:
    """A letter wrong in a word of an expression, or in the declaration of a name."""
    spots = [
        (s, span)
        for s, scalar in text.scalars
        for span in words_of(scalar)
        if len(span.text) >= 3 and span.text not in KEYWORDS
    ]
    spots += [
        (s, entry.key.span) for s, node in text.maps for entry in node
        if not text.is_key(s.path, entry.key.value) and entry.key.span.text.isidentifier() and len(entry.key.value) >= 3
    ]  # fmt: skip
    if not spots:
        return None
    _, span = rng.choice(spots)
    word = span.text
    new = slip(word, rng)
    if text.is_known(new):
        return None  # another name of the game: no typo that could be known
    lines = {text.line_of(span.start)} | text.lines_with(word)
    return Mutant("typo in a name", text.cut(span, new), frozenset(lines), frozenset({word, new}), f"{word} → {new}")


def typo_in_key(text: Text, rng: Random) -> Mutant | None:
    keys = [
        entry.key
        for s, node in text.maps
        for entry in node
        if text.is_key(s.path, entry.key.value) and len(entry.key.value) >= 3
    ]
    key = rng.choice(keys)
    new = slip(key.value, rng)
    if new in text.structural:
        return None
    line = text.line_of(key.span.start)
    return Mutant(
        "typo in a key", text.cut(key.span, new), frozenset({line}), frozenset({key.value}), f"{key.value} → {new}"
    )


def unknown_key(text: Text, rng: Random) -> Mutant | None:
    """A key that means nothing, in a map that has keys of the language."""
    places = [(s, node) for s, node in text.maps if len(node) and all(text.is_key(s.path, e.key.value) for e in node)]
    _, node = rng.choice(places)
    entry = rng.choice(list(node))
    word = rng.choice(["colour", "weight_of", "note", "speed", "owner_of", "background", "priority", "effect_of"])
    line = text.line_of(entry.key.span.start)
    if node.flow:
        return Mutant(
            "unknown key",
            text.source[: entry.key.span.start] + f"{word}: 1, " + text.source[entry.key.span.start :],
            frozenset({line}),
        )
    if entry is next(iter(node)):
        return None
    start = text.file.line_start(line)
    indent = " " * (entry.key.span.start - start)
    return Mutant(
        "unknown key", text.source[:start] + f"{indent}{word}: 1\n" + text.source[start:], frozenset({line}), note=word
    )


def missing_key(text: Text, rng: Random) -> Mutant | None:
    """A key that must be there is not."""
    required = {
        "players",
        "play",
        "ruledsl",
        "game",
        "width",
        "height",
        "is",
        "start",
        "do",
        "to",
        "holds",
        "keep",
        "of",
        "then",
        "most",
    }
    options = []
    for s, node in text.maps:
        verb = next((v for v in STATEMENTS if v in node.entries), None)
        needed = (
            {n for n, k in STATEMENTS[verb].form.keys.items() if k.required} - {verb}
            if verb
            else required & {"width", "height", "is", "holds", "keep", "of"}
        )
        if not s.path:
            needed = {"players", "play", "ruledsl", "game"}
        if s.path and s.path[-1] in ("attributes", "state", "values", "rows", "each"):
            continue
        options += [(node, entry) for entry in node if entry.key.value in needed]
    if not options:
        return None
    node, entry = rng.choice(options)
    first = text.line_of(node.span.start)
    if node.flow:
        inner = text.source[entry.key.span.start : entry.value.span.end]
        new = re.sub(r"\{\s*,\s*", "{", text.source.replace(inner, "", 1).replace(", ,", ",").replace(", }", "}"))
        return (
            Mutant("missing key", new, frozenset({first}), note=entry.key.value)
            if text.source.count(inner) == 1
            else None
        )
    found = entry_lines(text, node, entry)
    if found is None:
        return None
    around = {first, found[0] - 1, found[0]} if node.span.start else set(range(1, 4))
    return Mutant("missing key", without(text, *found), frozenset(around), note=entry.key.value)


def doubled_key(text: Text, rng: Random) -> Mutant | None:
    options = [(entry, found) for s, node in text.maps for entry in node if (found := entry_lines(text, node, entry))]
    entry, (first, last) = rng.choice(options)
    lines = text.source.split("\n")
    new = "\n".join(lines[:last] + lines[first - 1 : last] + lines[last:])
    return Mutant("doubled key", new, frozenset({first, last + 1}), note=entry.key.value)


def wrong_type(text: Text, rng: Random) -> Mutant | None:
    """A number for a name, a list for a text, a name for a number."""
    spot, scalar = rng.choice(text.scalars)
    if scalar.style == "block" or not spot.path:
        return None
    number = scalar.as_int()
    if spot.path[-1] in ("menu", "space", "phase", "until", "because") or (
        len(spot.path) >= 2 and spot.path[-2] in ("text", "values", "from", "because")
    ):
        return None
    if number is not None:
        new = rng.choice(["[many]", "yellowish", "true"]) if spot.path[-1] != "ruledsl" else "first"
    elif scalar.as_bool() is not None:
        new = rng.choice(["7", "[true]", "perhaps"])
    else:
        new = (
            rng.choice(["77777", "[77777]"])
            if spot.path[-1] not in ("count", "size", "keep", "repeat", "most")
            else "many_of_them"
        )
    lines = range(text.line_of(scalar.span.start), text.line_of(scalar.span.end) + 1)
    key = text.line_of(scalar.span.start) - 1
    # A value of another type is a contradiction only where it is used.
    path = spot.path[:-1] if spot.path[-1] == "is" and len(spot.path) > 1 else spot.path  # beside it stands why
    uses = text.uses(path[-1].split("(")[0]) if not text.is_key(path[:-1], path[-1]) else set()
    return Mutant(
        "wrong type", text.cut(scalar.span, new), frozenset({*lines, key, *uses}), note=f"{scalar.value[:30]} → {new}"
    )


def wrong_arity(text: Text, rng: Random) -> Mutant | None:
    """One argument too many, or none at all, in a call of a function, formula or effect."""
    calls = []
    for _, scalar in text.scalars:
        for m in re.finditer(r"([^\W\d]\w*)\(([^()]*)\)", scalar.text_span.text):
            if (
                m[1] not in ("min", "max", "set", "list", "first", "last", "most", "least")
                and " in " not in m[2]
                and m[1] not in KEYWORDS
            ):
                calls.append((scalar, m))
    if not calls:
        return None
    scalar, m = rng.choice(calls)
    fewest = BUILTINS[m[1]].signature.split("(")[1] if m[1] in BUILTINS else ""
    many = m[2].count(",") + 1 if m[2].strip() else 0
    if rng.random() < 0.5 and many and not fewest.startswith(")"):
        inner = ""
    else:
        inner = ", ".join([m[2], "1", "1", "1", "1"]) if m[2].strip() else "1, 1, 1"
    start = scalar.text_span.start + m.start(2)
    span = Span(text.file, start, start + len(m[2]))
    return Mutant(
        "wrong arity", text.cut(span, inner), frozenset({text.line_of(start)}), note=f"{m[0]} → {m[1]}({inner})"
    )


def non_member(text: Text, rng: Random) -> Mutant | None:
    """A word that is no member where a member of a type stands."""
    members = set()
    if isinstance(text.root, Map):
        for s, scalar in text.scalars:
            if s.path[:1] in (("types",), ("players",)) and scalar.value.isidentifier():
                members.add(scalar.value)
    members |= {"n", "ne", "e", "se", "s", "sw", "w", "nw", "orthogonal", "diagonal"}
    spots = [
        span
        for s, scalar in text.scalars
        if s.path[:1] not in (("types",), ("players",), ("options",))
        for span in words_of(scalar)
        if span.text in members
    ]
    if not spots:
        return None
    span = rng.choice(spots)
    new = rng.choice(["purple", "northish", "banker", "knave", "sideways"])
    if text.is_known(new):
        return None
    return Mutant("no member", text.cut(span, new), frozenset({text.line_of(span.start)}), note=f"{span.text} → {new}")


def deleted_declaration(text: Text, rng: Random) -> Mutant | None:
    """A declaration goes, what uses it stays."""
    options = []
    for s, node in text.maps:
        if len(s.path) == 1 and s.path[0] in (
            "options",
            "types",
            "boards",
            "pieces",
            "places",
            "pools",
            "values",
            "define",
            "effects",
            "history",
        ):
            for entry in node:
                found = entry_lines(text, node, entry)
                name = entry.key.value.split("(")[0].strip()
                if found and text.lines_with(name) - set(range(found[0], found[1] + 1)):
                    options.append((name, found, len(node)))
    if not options:
        return None
    name, (first, last), _ = rng.choice(options)
    new = without(text, first, last)
    lines = {n for n, line in enumerate(new.split("\n"), 1) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line)}
    return Mutant("deleted declaration", new, frozenset(lines | {first - 1}), note=name)


def broken_indentation(text: Text, rng: Random) -> Mutant | None:
    lines = text.source.split("\n")
    options = [n for n, line in enumerate(lines) if line.strip() and not line.strip().startswith("#")]
    at = rng.choice(options)
    by = rng.choice([-1, 1, 1, 3, -2, 2])
    line = lines[at]
    indent = len(line) - len(line.lstrip())
    if indent + by < 0:
        return None
    new = [*lines[:at], " " * (indent + by) + line.lstrip(), *lines[at + 1 :]]
    # The line before ends where this one does not fit, the line after may seem the one that is out of place.
    around = {at, at + 1, at + 2} | ({n for n in (at - 1,) if n > 0})
    return Mutant(
        "broken indentation", "\n".join(new), frozenset(around), note=f"line {at + 1} by {by}: {line.strip()[:40]}"
    )


def broken_bracket(text: Text, rng: Random) -> Mutant | None:
    human = [s.node.span for s in text.spots if s.human and isinstance(s.node, Scalar)]
    places = [
        m.start()
        for m in re.finditer(r"[()\[\]{}]", text.source)
        if not any(span.start <= m.start() < span.end for span in human)
    ]
    places = [
        p
        for p in places
        if "#" not in text.file.line_text(text.line_of(p))[: p - text.file.line_start(text.line_of(p))]
    ]
    if not places:
        return None
    at = rng.choice(places)
    sign = text.source[at]
    new = rng.choice(["", sign * 2, {"(": "[", ")": "]", "[": "(", "]": ")", "{": "(", "}": ")"}[sign]])
    line = text.line_of(at)
    inside = {line}
    for s in text.spots:  # an expression over several lines: the place of a missing bracket is anywhere in it
        flow = isinstance(s.node, Map | Seq) and s.node.flow  # where a bracket is missing may be told where it opens
        if (isinstance(s.node, Scalar) or flow) and s.node.span.start <= at < s.node.span.end:
            inside |= set(range(text.line_of(s.node.span.start), text.line_of(s.node.span.end) + 1))
    return Mutant(
        "broken bracket", text.source[:at] + new + text.source[at + 1 :], frozenset(inside), note=f"{sign} → {new!r}"
    )


MAKERS: dict[str, Maker] = {
    "typo in a name": typo_in_name,
    "typo in a key": typo_in_key,
    "unknown key": unknown_key,
    "missing key": missing_key,
    "doubled key": doubled_key,
    "wrong type": wrong_type,
    "wrong arity": wrong_arity,
    "no member": non_member,
    "deleted declaration": deleted_declaration,
    "broken indentation": broken_indentation,
    "broken bracket": broken_bracket,
}
