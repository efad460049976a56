"""Slips that are not of the pen: look-alikes, words of other languages, levels, numbers of spreadsheets, no effect."""

from __future__ import annotations

import re
from random import Random

from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.functions import ORDERED
from ruledsl.builtins import BUILTINS
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import Span
from ruledsl.syntax import stopped
from ruledsl.syntax.shapes import LANGUAGES
from ruledsl.testing.suites import EXPECT, GIVEN, PLAY, STEP, TEST

from .text import KEYWORDS, Maker, Mutant, Text, entry_lines, slip, words_of

_TWINS = {"a": "а", "c": "с", "e": "е", "o": "о", "p": "р", "x": "х", "y": "у", "i": "і", "s": "ѕ", "v": "ν", "k": "κ"}
_UNSEEN = ("\u200b", "\u00ad", "\u2060")
_BLANKS = ("\u00a0", "\u2009", "\u202f")
_OTHERS = {
    "and": ("&&", "und", "и", "adn", "And"),
    "or": ("||", "oder", "или", "ro", "Or"),
    "not": ("!", "no", "не", "nto", "Not"),
    "in": ("of", "inn", "из"),
    "where": ("whree", "when", "with", "were", "где", "Where"),
    "for": ("fro", "foreach", "для"),
    "by": ("order by", "yb", "по"),
    "if": ("fi", "when", "If", "если"),
    "then": ("than", "thne", "Then", "то"),
    "else": ("esle", "els", "otherwise", "Else"),
    "otherwise": ("othrwise", "or else", "otherwize"),
    "from": ("form", "fromm"),
    "after": ("aftr", "afetr"),
    "except": ("excpet", "without", "exept"),
    "==": ("=", "===", "is", "equals"),
    "!=": ("<>", "is not", "=/="),
    ">=": ("=>", "at least", "≥"),
    "<=": ("=<", "at most", "≤"),
}


def _line(text: Text, at: int) -> frozenset[int]:
    return frozenset({text.line_of(at)})


def _rules(text: Text) -> list[Span]:
    """Words of expressions, and names that a game gives."""
    spans = [span for _, scalar in text.scalars for span in words_of(scalar)]
    spans += [
        entry.key.span
        for _, node in text.maps
        for entry in node
        if entry.key.span.text.isidentifier() and not entry.key.value.startswith("_")
    ]
    return [span for span in spans if len(span.text) > 2 and span.text.isascii()]


def look_alike(text: Text, rng: Random) -> Mutant | None:
    """A letter of another alphabet, a sign that nobody sees, a space or quotes that no keyboard has."""
    words = _rules(text)
    if not words:
        return None
    span = rng.choice(words)
    word, sort = span.text, rng.randrange(5)
    if sort < 2:
        places = [i for i, letter in enumerate(word) if letter in _TWINS]
        if not places:
            return None
        i = rng.choice(places)
        new, meant = word[:i] + _TWINS[word[i]] + word[i + 1 :], {word}
    elif sort == 2:
        i = rng.randrange(1, len(word) + 1)
        new, meant = word[:i] + rng.choice(_UNSEEN) + word[i:], {"delete it", word}
    elif sort == 3:
        new, meant = rng.choice(["“{}”", "‘{}’", "«{}»"]).format(word), {word}
    else:
        return _strange_blank(text, rng)
    return Mutant("look-alike", text.cut(span, new), _line(text, span.start), frozenset(meant), f"{word} → {new!r}")


def _strange_blank(text: Text, rng: Random) -> Mutant | None:
    """A blank where the file is laid out by blanks."""
    human = [s.node.span for s in text.spots if s.human and not isinstance(s.node, Map)]
    places = [m.start(1) for m in re.finditer(r"(?:^|(?<=:)|(?<=-)|(?<=,))( )(?=\S)", text.source, re.M)]
    places = [p for p in places if not any(span.start <= p < span.end for span in human)]
    places = [p for p in places if "#" not in text.source[text.file.line_start(text.line_of(p)) : p]]
    if not places:
        return None
    at = rng.choice(places)
    new = text.source[:at] + rng.choice(_BLANKS) + text.source[at + 1 :]
    return Mutant(
        "look-alike", new, _line(text, at), frozenset({"normal spaces", "normal space", "delete it"}), "a strange blank"
    )


def other_language(text: Text, rng: Random) -> Mutant | None:
    """A word or sign of another language, or a slip in a word of this one, in an expression."""
    places: list[tuple[Span, str]] = []
    for spot, scalar in text.scalars:
        if spot.path[-1:] in (("is",), ("per",), ("holds",), ("from",)) or "attributes" in spot.path:
            continue
        raw = scalar.text_span
        for word in _OTHERS:
            edge = r"(?<![\w=<>!])", r"(?![\w=<>])"
            places += [
                (Span(raw.file, raw.start + m.start(), raw.start + m.end()), word)
                for m in re.finditer(edge[0] + re.escape(word) + edge[1], raw.text)
            ]
    if not places:
        return None
    span, word = rng.choice(places)
    new = rng.choice([*_OTHERS[word], slip(word, rng) if word.isalpha() else _OTHERS[word][0]])
    if new in stopped.KEYWORDS["domain"] and new not in _OTHERS[word]:
        return None
    around = text.source[span.start - 1], text.source[span.end : span.end + 1]
    new = (" " if new[0].isalpha() and around[0].isalnum() else "") + new
    inside = range(text.line_of(span.start), text.line_of(span.end) + 1)
    return Mutant("other language", text.cut(span, new), frozenset(inside), frozenset({word}), f"{word} → {new}")


def text_or_letter(text: Text, rng: Random) -> Mutant | None:
    """A slip in what is translated, lettered or coloured, or in the name of a language."""
    if not isinstance(text.root, Map):
        return None
    places: list[tuple[Span, str]] = []
    for spot in text.spots:
        if not isinstance(spot.node, Map):
            continue
        if spot.path[:1] == ("text",) and len(spot.path) in (1, 2):
            places += [(e.key.span, "text") for e in spot.node]
        elif spot.path == ("looks",):
            places += [(e.key.span, "looks") for e in spot.node]
        elif spot.path == ("letters",):
            places += [(s, "letters") for e in spot.node if isinstance(e.value, Scalar) for s in words_of(e.value)]
        elif spot.node.entries and all(key in LANGUAGES for key in spot.node.entries):
            places += [(e.key.span, "language") for e in spot.node]
    places = [(s, sort) for s, sort in places if s.text.isidentifier() and (len(s.text) > 2 or s.text in LANGUAGES)]
    places = [(s, sort) for s, sort in places if s.text != "of"]
    if not places:
        return None
    span, _ = rng.choice(places)
    word = span.text
    new = rng.choice([word + "s", word.upper(), word + word[-1]]) if word in LANGUAGES else slip(word, rng)
    if text.is_known(new):
        return None
    return Mutant(
        "text, letters, looks", text.cut(span, new), _line(text, span.start), frozenset({word}), f"{word} → {new}", True
    )


def attribute(text: Text, rng: Random) -> Mutant | None:
    """An attribute misspelt where members have it, or one that nobody declared."""
    maps: list[tuple[Map, int]] = []
    for spot in text.spots:
        path, node = spot.path, spot.node
        if not isinstance(node, Map) or not node.entries:
            continue
        inside = (path[:1] == ("types",) and path[2:3] == ("values",) and len(path) == 4) or (
            path[:1] == ("pieces",) and path[-1:] == ("rows",)
        )
        if inside:
            maps.append((node, len(path)))
    if not maps:
        return None
    node, _ = rng.choice(maps)
    entry = rng.choice(list(node))
    if rng.random() < 0.5:
        word = entry.key.value
        new = slip(word, rng)
        if len(word) < 3 or text.is_known(new) or new in node.entries:
            return None
        made, meant, note = text.cut(entry.key.span, new), frozenset({word}), f"{word} → {new}"
    else:
        word = rng.choice(["weight", "colour_of", "rarity", "flavour", "power_of", "note"])
        if text.is_known(word):
            return None
        start = entry.key.span.start
        before = text.source[text.file.line_start(text.line_of(start)) : start]
        gap = ", " if node.flow else "\n" + " " * len(before)
        made, meant, note = text.source[:start] + f"{word}: 1{gap}" + text.source[start:], frozenset(), f"+ {word}"
    return Mutant("attribute", made, _line(text, entry.key.span.start), meant, note, True)


def dropped_part(text: Text, rng: Random) -> Mutant | None:
    """A part of a call or of a statement that it has not: nothing may pass it over."""
    return rng.choice([_part_of_call, _part_of_call, _part_of_statement])(text, rng)


def _part_of_call(text: Text, rng: Random) -> Mutant | None:
    calls = []
    for spot, scalar in text.scalars:
        for m in re.finditer(r"(?<![\w.])([^\W\d]\w*)\(([^()]+)\)", scalar.text_span.text):
            if m[1] in BUILTINS and spot.path[-1:] != ("is",):
                calls.append((scalar, m))
    if not calls:
        return None
    scalar, m = rng.choice(calls)
    known = BUILTINS[m[1]]
    over = " in " in m[2] or " for " in m[2]
    parts = [" , zzz=1"] if not over else []
    if not known.comprehension:
        parts += [" for z in players", " where true", " by 1"]
    elif m[1] not in ORDERED and " by " not in m[2]:
        parts += [" by 1"]
    if not parts:
        return None
    part = rng.choice(parts)
    at = scalar.text_span.start + m.end(2)
    lines = range(text.line_of(scalar.span.start), text.line_of(scalar.span.end) + 1)
    made = text.source[:at] + part + text.source[at:]
    return Mutant("dropped part", made, frozenset(lines), note=f"{m[0]} + {part}", sure=True)


def _part_of_statement(text: Text, rng: Random) -> Mutant | None:
    places = [(node, verb) for _, node in text.maps if (verb := next((v for v in STATEMENTS if v in node.entries), ""))]
    if not places:
        return None
    node, verb = rng.choice(places)
    others = {key for known in STATEMENTS.values() for key in known.form.keys}
    key = rng.choice(sorted(others - set(STATEMENTS[verb].form.keys) - set(node.entries) - set(STATEMENTS)))
    last = list(node)[-1]
    start = last.key.span.start
    line = text.line_of(start)
    before = text.source[text.file.line_start(line) : start]
    if not node.flow and before.strip(" -"):
        return None
    gap = ", " if node.flow else "\n" + " " * len(before)
    if not node.flow and last is next(iter(node)):
        return None
    made = text.source[:start] + f"{key}: 1{gap}" + text.source[start:]
    return Mutant("dropped part", made, frozenset({line}), note=f"{verb} + {key}", sure=True)


def level(text: Text, rng: Random) -> Mutant | None:
    """A key with what belongs to it, one level too deep or not deep enough."""
    options = []
    for _, node in text.maps:
        for n, entry in enumerate(node):
            found = entry_lines(text, node, entry)
            if found and n and entry.key.span.start - text.file.line_start(found[0]) >= 2:
                options.append((entry, found))
    if not options:
        return None
    entry, (first, last) = rng.choice(options)
    by = rng.choice([-2, 2])
    lines = text.source.split("\n")
    moved = [
        " " * by + line if by > 0 else line[2:] if line.startswith("  ") else line for line in lines[first - 1 : last]
    ]
    made = "\n".join([*lines[: first - 1], *moved, *lines[last:]])
    above = max((n for n in range(first - 1, 0, -1) if lines[n - 1].strip()), default=first)
    return Mutant("level", made, frozenset({above, *range(first, last + 2)}), note=f"{entry.key.value} by {by}")


def first_child(text: Text, rng: Random) -> Mutant | None:
    """The first line of a list or map, a blank or so too deep or not deep enough."""
    lines = text.source.split("\n")
    options = []
    for spot in text.spots:
        node = spot.node
        first: Node | None = None
        if isinstance(node, Map) and not node.flow and len(node) > 1:
            first = next(iter(node)).key
        elif isinstance(node, Seq) and not node.flow and len(node) > 1:
            first = node.items[0]
        if first is None or spot.human:
            continue
        number = text.line_of(first.span.start)
        line = lines[number - 1]
        if number > 1 and lines[number - 2].rstrip().endswith(":") and line.startswith("  "):
            inner = [e.key for e in node] if isinstance(node, Map) else node.items if isinstance(node, Seq) else ()
            second = text.line_of(inner[1].span.start)
            if second == number + 1:  # so that it is clear which of the two is out of place
                options.append(number)
    if not options:
        return None
    number = rng.choice(options)
    line = lines[number - 1]
    indent = len(line) - len(line.lstrip())
    by = rng.choice([1, 1, -1, 2])
    made = "\n".join([*lines[: number - 1], " " * (indent + by) + line.lstrip(), *lines[number:]])
    meant = frozenset({f"column {indent + 1}"})
    return Mutant("first child", made, frozenset({number}), meant, f"{line.strip()[:40]} by {by}")


def number_of_people(text: Text, rng: Random) -> Mutant | None:
    """A number as people and spreadsheets write it."""
    words = {0: "zero", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 10: "ten"}
    spots = []
    for spot, scalar in text.scalars:
        if spot.path[:1] == ("ruledsl",) or "parts" in spot.path:
            continue
        spots += [
            Span(scalar.span.file, scalar.text_span.start + m.start(), scalar.text_span.start + m.end())
            for m in re.finditer(r"(?<![\w.])\d+(?![\w.])", scalar.text_span.text)
        ]
    if not spots:
        return None
    span = rng.choice(spots)
    plain = span.text
    forms = [plain + ".5", plain + ".0", plain + "_000", "1 000" if plain == "1000" else plain + " 000"]
    if int(plain) in words and not text.is_known(words[int(plain)]):
        forms.append(words[int(plain)])
    new = rng.choice(forms)
    meant = {plain, plain + "000", "numbers are whole"}
    inside = range(text.line_of(span.start), text.line_of(span.end) + 1)
    return Mutant("number", text.cut(span, new), frozenset(inside), frozenset(meant), f"{plain} → {new}")


def in_a_test(text: Text, rng: Random) -> Mutant | None:
    """A slip in a test: a key, a name in a position or expectation, a player."""
    forms = {key for form in (TEST, STEP, GIVEN, EXPECT, PLAY) for key in form.keys}
    places: list[Span] = []
    for spot in text.spots:
        if "tests" not in spot.path:
            continue
        path, node = spot.path[spot.path.index("tests") + 1 :], spot.node
        if isinstance(node, Map) and path[:1] not in (("letters",), ("perft",)):
            places += [e.key.span for e in node if e.key.value in forms and path[:2] != ("given", "board")]
        if isinstance(node, Scalar) and (path == ("expect",) or path == ("then", "expect") or path[:1] == ("always",)):
            places += [s for s in words_of(node) if s.text not in KEYWORDS and s.text not in BUILTINS]
        if isinstance(node, Map) and path[:2] in (("given", "values"), ("given", "places"), ("given", "pools")):
            places += [s for e in node for s in words_of(e.key)]
        if isinstance(node, Scalar) and path[:2] == ("given", "places"):
            places += [s for s in words_of(node) if not re.search(r"\d", s.text)]
    places = [s for s in places if len(s.text) > 3 and s.text.isascii() and not re.search(r"\d", s.text)]
    if not places:
        return None
    span = rng.choice(places)
    word, new = span.text, slip(span.text, rng)
    if text.is_known(new) or new.casefold() == word.casefold():
        return None
    inside = frozenset(range(text.line_of(span.start) - 1, text.line_of(span.end) + 1))
    return Mutant("test", text.cut(span, new), inside, frozenset({word}), f"{word} → {new}", True)


# -------------------------------------------------------------------------------------------------- spreadsheets

_CELLS = ("{}.5", '"{},5"', "{}.0", "{}_000", '"{},000"', "{} €", "${}", "{} pts", "'{}", "#REF!", "#N/A", "=A1+1",
          "1-2", "02.Jan", "n/a", "-")  # fmt: skip


def spreadsheet(text: Text, rng: Random) -> Mutant | None:
    """A cell or a column of a table in CSV, as people and spreadsheets write it."""
    if text.path.suffix != ".csv":
        return None
    lines = text.source.rstrip("\n").split("\n")
    header = lines[0].split(",")
    sort = rng.randrange(6)
    if sort == 0:
        i = rng.randrange(len(header))
        word = header[i]
        if word in ("name", "copies") or "." in word:
            return None
        new = slip(word, rng)
        made = "\n".join([",".join([*header[:i], new, *header[i + 1 :]]), *lines[1:]]) + "\n"
        return Mutant("spreadsheet", made, frozenset({1}), frozenset({word}), f"column {word} → {new}", True)
    if sort == 1:
        sign = rng.choice([";", "\t"])
        return Mutant(
            "spreadsheet", text.source.replace(",", sign), frozenset({1}), frozenset({"commas"}), repr(sign), True
        )
    number = rng.randrange(1, len(lines))
    row = lines[number].split(",")
    cells = [i for i, cell in enumerate(row) if re.fullmatch(r"\d+", cell) and '"' not in "".join(row[:i])]
    names = [i for i, cell in enumerate(row) if i and cell.isidentifier() and '"' not in "".join(row[:i])]
    if sort == 2 and names:
        i = rng.choice(names)
        new, meant = slip(row[i], rng), frozenset({row[i]})
        if re.search(rf"(?<!\w){new}(?!\w)", text.source):
            return None
    elif cells:
        i = rng.choice(cells)
        new = rng.choice(_CELLS).format(row[i])
        meant = frozenset({row[i], row[i] + "000", "numbers are whole", "spreadsheet", "a value must be here",
                           "empty", "table", "column"})  # fmt: skip
    else:
        return None
    lines[number] = ",".join([*row[:i], new, *row[i + 1 :]])
    return Mutant("spreadsheet", "\n".join(lines) + "\n", frozenset({number + 1}), meant, f"{row[i]} → {new}")


# -------------------------------------------------------------------------------------------------- commas

_READ = ("label", "title", "about", "say", "because", *LANGUAGES)


def comma_in_braces(text: Text, rng: Random) -> Mutant | None:
    """A comma in a text for players that stands in braces without quotes."""
    places = [
        e.value
        for spot in text.spots
        if isinstance(spot.node, Map) and spot.node.flow and "tests" not in spot.path
        for e in spot.node
        if e.key.value in _READ and isinstance(e.value, Scalar) and e.value.style == "plain" and e.value.value.strip()
    ]
    places = [node for node in places if not re.search(r"[{}\[\],\n]", node.span.text)]
    if not places:
        return None
    span = rng.choice(places).span
    words = span.text.split(" ")
    at = rng.randrange(1, len(words) + 1)
    new = " ".join([*words[: at - 1], words[at - 1] + ",", *(words[at:] or ["and so on"])])
    return Mutant(
        "comma in braces", text.cut(span, new), _line(text, span.start), frozenset({new}), f"{span.text} → {new}", True
    )


_NEW_NAMES = ("brindle", "tarn_count", "quoin", "vesper", "kelpie", "ostler", "wimple", "gantry_of", "murrain")


def half_renamed(text: Text, rng: Random) -> Mutant | None:
    """A declaration gets another name, and its uses keep the old one."""
    sections = ("places", "values", "define", "effects", "pools", "pieces", "types")
    keys = [
        entry.key
        for spot, node in text.maps
        if spot.path[-1:]
        and spot.path[-1] in sections
        and "replace" not in spot.path
        and spot.path[:-1] in ((), ("modules", *spot.path[1:2]))
        and (len(spot.path) > 1 or (isinstance(text.root, Map) and text.root.get(spot.path[0]) is node))
        for entry in node
        if "<" not in entry.key.value
    ]
    key = rng.choice(keys)
    word = key.value.split("(")[0].strip()
    used = text.lines_with(word) - {text.line_of(key.span.start)}
    if not used or key.span.text != key.value:
        return None
    new = rng.choice([name for name in _NEW_NAMES if not text.is_known(name)])
    span = Span(text.file, key.span.start, key.span.start + len(word))
    lines = frozenset(used | {text.line_of(span.start)})
    return Mutant("half renamed", text.cut(span, new), lines, frozenset({new}), f"{word} → {new}")


MORE: dict[str, Maker] = {
    "half renamed": half_renamed,
    "comma in braces": comma_in_braces,
    "look-alike": look_alike,
    "other language": other_language,
    "text, letters, looks": text_or_letter,
    "attribute": attribute,
    "dropped part": dropped_part,
    "level": level,
    "first child": first_child,
    "number": number_of_people,
    "test": in_a_test,
    "spreadsheet": spreadsheet,
}
