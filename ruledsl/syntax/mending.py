"""Maps whose keys are all there, but not where they belong: told once, and read on as they were meant."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import nearest
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, word_at

from .foreign import CHOICES, KEYS, number_meant, truth_meant
from .reshaped import below_verb, reshaped, with_bounds
from .restated import restated

if TYPE_CHECKING:
    from .shapes import Form, Key

# The verbs that have a key, for keys that stand under the wrong statement.
HOMES: dict[str, list[str]] = {}
KEYS_OF: dict[str, tuple[str, ...]] = {}  # the keys of the statement of each verb


_ONE_LINE = ("expression", "scalar", "sum", "word", "words")
_NAMES = ("variables", "choices", "paths", "amounts")
_NO_NAMES = (
    "where",
    "when",
    "so_far",
    "label",
    "else",
    "optional",
    "stepwise",
    "ordered",
    "do",
    "then",
    "until",
    "most",
)
_WITH_MORE_BELOW = (
    *("map", "block", "list", "paths", "variables", "choices", "table", "costs", "amounts", "text", "any"),
    *("condition", "limit"),
)
_GLUED = re.compile(r"(\w+(?: one)?)\s*(?:=|:=|\s)\s*(\S.*)", re.DOTALL)
_OPERATORS = ("from", "by", "in", "if", "then", "else", "where", "for", "of", "to")


def home_of(key: str) -> str:
    """`then` belongs to `if`: where a key of a statement would be right; empty if nowhere."""
    verbs = [f"`{verb}`" for verb in HOMES.get(key, ())]
    if not verbs:
        return ""
    return f"`{key}` belongs to {verbs[0] if len(verbs) == 1 else ', '.join(verbs[:-1]) + ' or ' + verbs[-1]}"


def mended(node: Map, form: Form, report: Report) -> Map:
    """The map with its keys where they belong; each that was moved is reported."""
    for mend in (
        _of_each,
        _unbraced,
        restated,
        below_verb,
        with_bounds,
        _hanging,
        _unwrapped,
        _without_do,
        _glued,
        _renamed,
    ):
        node = mend(node, form, report)
    return node


def by_owner(words: list[str], key: Key | None) -> str:
    """`{white: e1, black: e9}` for `white e1`, `black e9`: what is different for each, where a map may say so."""
    pairs = [re.fullmatch(r"([^\W\d]\w*)\s*[=]?\s+(\S+)", word) for word in words]
    owners = [pair[1] for pair in pairs if pair]
    if key is None or not key.by_owner or len(owners) < len(words) or len({*owners}) < len(owners):
        return ""
    return "{" + ", ".join(f"{pair[1]}: {pair[2]}" for pair in pairs if pair) + "}"


def _of_each(node: Map, form: Form, report: Report) -> Map:
    """`{start: white e1, black e9}`: commas in braces have cut what is different for each."""
    names = list(node.entries)
    for at, name in enumerate(names if node.flow else ()):
        key, value = form.known.get(name), node.entries[name].value
        more = [n for n in names[at + 1 :] if n not in form.known and is_absent(node.entries[n].value)]
        if key is None or not key.by_owner or not isinstance(value, Scalar) or not more:
            continue
        if right := by_owner([value.value, *more], key):
            report.error(
                "S127", value.span, "what differs from player to player is a map", help=f"write `{name}: {right}`"
            )
            kept = {n: e for n, e in node.entries.items() if n not in more}
            return _with(node, {**kept, name: Entry(node.entries[name].key, Broken(value.span))})
    return node


def _with(node: Map, entries: dict[str, Entry]) -> Map:
    return Map(node.span, entries, node.flow, node.broken)


def _missing(node: Map, form: Form) -> list[str]:
    return [name for name, key in form.known.items() if key.required and name not in node.entries]


def _unbraced(node: Map, form: Form, report: Report) -> Map:
    """`move: {c, to: me.hand}`: the braces belong around all of it; `move: {c}`: there are none."""
    for name, entry in node.entries.items():
        key, inner = form.known.get(name), entry.value
        if key is None or key.kind not in (*_ONE_LINE, "menu") or not isinstance(inner, Map) or not inner.flow:
            continue
        beside = {k: e for k, e in inner.entries.items() if k in form.known and k not in node.entries}
        bare = [e for k, e in inner.entries.items() if k not in beside]
        if len(bare) != 1 or not is_absent(bare[0].value):
            continue
        value = bare[0].key.value
        right = f"{name}: {value}"
        if beside:
            more = inner.span.file.text[next(iter(beside.values())).key.span.start : inner.span.end - 1].strip()
            message, help = "the braces belong around all of it", f"write `{{{right}, {more}}}`"
        else:
            message, help = f"`{name}:` takes no braces", f"write `{right}`"
        report.error("S125", inner.span, message, help=help)
        return _with(node, {**node.entries, name: Entry(entry.key, bare[0].key), **beside})
    return node


def _without_do(node: Map, form: Form, report: Report) -> Map:
    """`for: {p: players}`, and below it `set: …`: the `do:` around it is missing."""
    key, first = form.known.get("do"), next(iter(node), None)
    strays = [entry for name, entry in node.entries.items() if name not in form.known and name in KEYS_OF]
    if key is None or key.kind != "block" or "do" in node.entries or len(strays) != 1 or first is None:
        return node
    verb = strays[0].key
    if meant_in(form, verb.value)[0] or (verb.value in form.tried and isinstance(strays[0].value, Map)):
        return node
    below = {name: entry for name, entry in node.entries.items() if name not in form.known}
    if first.key is verb or not set(below) <= {*KEYS_OF[verb.value]}:
        return node
    help = f"write `do:`, and `{verb.value}:` below it, indented further"
    report.error("S101", verb.span, f"`do:` is missing before `{verb.value}`", help=help)
    kept = {name: entry for name, entry in node.entries.items() if name in form.known}
    body = Map(verb.span.until(node.span), below)
    return _with(node, {**kept, "do": Entry(word_at("do", verb.span), body)})


def _hanging(node: Map, form: Form, report: Report) -> Map:
    """A key with nothing behind it, and unknown keys in the same column: these belong to it."""
    names = list(node.entries)
    for at, name in enumerate(names):
        key = form.known.get(name)
        if key is None or key.kind not in _WITH_MORE_BELOW or not is_absent(node.entries[name].value):
            continue
        end = at + 1
        while end < len(names) and names[end] not in form.known:
            end += 1
        below = {n: node.entries[n] for n in names[at + 1 : end]}
        if node.flow or not below:
            continue
        first = next(iter(below.values()))
        message = f"`{first.key.value}` is next to `{name}:`, which it belongs to"
        report.error("S125", first.key.span, message, help=f"indent it below `{name}:`, with what belongs to it")
        last = list(below.values())[-1]
        inner = Map(first.key.span.until(last.value.span), below)
        kept = {n: e for n, e in node.entries.items() if n not in below}
        return _with(node, {**kept, name: Entry(node.entries[name].key, inner)})
    return node


def _unwrapped(node: Map, form: Form, report: Report) -> Map:
    """The key that holds all others was left out: `scoring: {points: me.score}`."""
    if not form.wraps or form.wraps in node.entries:
        return node
    inside = {
        name: entry
        for name, entry in node.entries.items()
        if name not in form.known and not _is_another(form, name, entry.value)
    }
    if not inside:
        return node
    first = next(iter(inside.values())).key
    message = f"`{form.wraps}:` is missing above `{first.value}`"
    help = f"write `{form.wraps}: {{…}}` around it" if node.flow else f"write `{form.wraps}:`, and indent this below it"
    if not report.tells_of(node.span):  # else the map around it has said so
        report.error("S125", first.span, message, help=help)
    last = list(inside.values())[-1]
    outer = word_at(form.wraps, first.span)
    kept = {name: entry for name, entry in node.entries.items() if name not in inside}
    return _with(node, {**kept, form.wraps: Entry(outer, Map(first.span.until(last.value.span), inside, node.flow))})


def _is_another(form: Form, name: str, value: Node) -> bool:
    """Whether a name means a key of the form; not that which holds all others, if no map stands behind it."""
    found = meant_in(form, name, is_absent(value))[0]
    return bool(found) and (isinstance(value, Map) or found != [form.wraps])


_OPERATOR_WORDS = ("not", "and", "or", "if", "then", "else", "where", "by", "for", "in", "otherwise", "except")
_CONDITION = re.compile(r"\w+\(.*\)|.*[<>=]=?.*")
INNER_GLUED = re.compile(r"([\w.]+(?:\[[^\]]*\])?)\s*(?::=|=|\bin\b|\bof\b|\bto\b|\s)\s*(\S.*)", re.DOTALL)


def whole_values(node: Map, form: Form, languages: Collection[str], report: Report) -> Map:
    """`{label: go, and look}`: inside braces a comma ends a value, so YAML takes the rest for keys without values."""
    if not may_be_cut(node):
        return node
    kinds = {name: key.kind for name, key in form.known.items()}
    texts = {name for name, kind in kinds.items() if kind in ("text", "texts")}
    lines = {name for name, kind in kinds.items() if kind in (*_ONE_LINE, "condition")}
    return rejoined(node, texts, lines, kinds, languages, report)


def may_be_cut(node: Map) -> bool:
    """Whether anything in braces has no value, here or in a text by language: nearly never, so it is asked first."""
    for entry in node.entries.values():
        value = entry.value
        if isinstance(value, Map):
            if value.flow and any(is_absent(inner.value) for inner in value):
                return True
        elif node.flow and is_absent(value):
            return True
    return False


def rejoined(
    node: Map,
    texts: Collection[str],
    lines: Collection[str],
    known: Collection[str],
    languages: Collection[str],
    report: Report,
) -> Map:
    """A map whose values in braces are whole: texts for players, by language, too, and values of one line."""
    if not may_be_cut(node):
        return node
    entries = dict(node.entries)
    for name in texts:
        value = node.get(name)
        if isinstance(value, Map) and value.flow:
            whole = _with(value, _joined(value, tuple(value.entries), (), languages, report))
            if whole.entries != value.entries:
                entries[name] = Entry(entries[name].key, whole)
    if node.flow:
        entries = _joined(_with(node, entries), texts, lines, known, report)
    return node if entries == node.entries else _with(node, entries)


def _joined(
    node: Map, texts: Collection[str], lines: Collection[str], known: Collection[str], report: Report
) -> dict[str, Entry]:
    """The entries of a map in braces: a piece without a value belongs to the value before it."""
    entries: dict[str, Entry] = {}
    last = ""
    for name, entry in node.entries.items():
        before = entries[last].value if last else None
        goes_on = last in texts or (last in lines and _is_more_of_a_line(name))
        if not goes_on or name in known or not is_absent(entry.value) or not _may_go_on(before):
            entries[name], last = entry, name
            continue
        assert isinstance(before, Scalar)
        span = before.span.until(entry.key.span)
        entries[last] = Entry(entries[last].key, Scalar(span, span.one_line, "plain", span))
    for name, entry in entries.items():
        whole = entry.value
        if whole is node.entries[name].value or not isinstance(whole, Scalar):
            continue
        if name in texts:
            quoted = _quoted(whole.value)
            message = f"inside {{ }} a comma ends a text, and that of `{name}` goes on"
            report.error("S127", whole.span, message, help=f"write {quoted}", suggestions=(quoted,))
        else:
            message = f"inside {{ }} a comma ends a value, and that of `{name}` seems to go on"
            help = f"take the comma away, or write `{name}:` on a line of its own, without {{ }} around it"
            report.error("S127", whole.span, message, help=help)
            entries[name] = Entry(entry.key, Broken(whole.span))
    return entries


def _is_more_of_a_line(piece: str) -> bool:
    """Whether a piece is no key, not even one with its value glued to it: `and n > 1`, `3)`."""
    return piece.split(" ")[0] in _OPERATOR_WORDS or not (piece.isidentifier() or INNER_GLUED.fullmatch(piece))


def _may_go_on(value: Node | None) -> bool:
    return isinstance(value, Scalar) and not value.is_null and value.style == "plain"


def _quoted(text: str) -> str:
    if text[:1] in "“”„«" and text[-1:] in "“”»":
        text = text[1:-1]  # the quotes of a word processor, which do not keep a text together
    return f'"{text}"' if '"' not in text and "\\" not in text else "'" + text.replace("'", "''") + "'"


def without_colon(node: Map, form: Form, report: Report) -> Map:
    """`set: {score 3}`, `choose: {c in me.hand}`, `random: {w, 1..6}`: names and values without their `:`."""
    mended: dict[str, Entry] = {}
    for name, entry in node.entries.items():
        inner = entry.value
        if name not in form.known or form.known[name].kind not in (*_NAMES, "map") or not isinstance(inner, Map):
            continue
        if not inner.flow or not any(is_absent(e.value) for e in inner):
            continue
        if form.known[name].kind == "map" and len(inner) > 1 and all(is_absent(e.value) for e in inner):
            words = [e.key.value for e in inner]
            if all(word.isidentifier() for word in words):
                said = f"nothing follows {', '.join(f'`{word}`' for word in words)}"
                help = f"write what belongs to each, as in `{words[0]}: …`"
                report.error("S103", inner.span, said, help=help)
                mended[name] = Entry(entry.key, Broken(inner.span))
                continue
        mended[name] = Entry(entry.key, _with_colons(inner, report))
    return _with(node, {**node.entries, **mended}) if mended else node


def _with_colons(inner: Map, report: Report) -> Map:
    bare = [e for e in inner if is_absent(e.value)]
    found: dict[str, Entry] = {}
    if len(bare) == 2 == len(inner) and all(not INNER_GLUED.fullmatch(e.key.value) for e in bare):
        name, second = bare[0].key, bare[1].key
        said, help = f"a `:` is missing after `{name.value}`", f"write `{name.value}: {second.value}`"
        report.error("S101", name.span.until(second.span), said, help=help)
        return _with(inner, {name.value: Entry(name, second)})
    inner = _listed_on(inner)
    last = [(e.key.value, e.value.value) for e in inner if isinstance(e.value, Scalar) and not is_absent(e.value)]
    for old, entry in inner.entries.items():
        if is_absent(entry.value) and _CONDITION.fullmatch(old) and last and " where " not in last[-1][1]:
            said = "a condition on what is chosen follows `where`"
            report.error("S101", entry.key.span, said, help=f"write `{last[-1][0]}: {last[-1][1]} where {old}`")
            continue
        glued = INNER_GLUED.fullmatch(old) if is_absent(entry.value) else None
        if glued is None or glued[1] in _OPERATOR_WORDS:
            found[old] = entry
            continue
        word, value = glued.groups()
        if (compared := re.match(r"(>=|<=|>|<|==)\s*(\S.*)", value)) and word.isidentifier():
            sign, bound = compared.groups()
            ways = {">": f"{bound} + 1..…", ">=": f"{bound}..…", "<": f"0..{bound} - 1", "<=": f"0..{bound}"}
            help = f"write the possible numbers: `{word}: {ways.get(sign, bound)}`"
            help += ", up to the most" if ">" in sign else ""
            report.error("S101", entry.key.span, f"from which numbers `{word}` is chosen is not said", help=help)
            found[word] = Entry(word_at(word, entry.key.span), Broken(entry.key.span))
            continue
        if value.startswith("where "):
            said = f"of what `{word}` is chosen is not said"
            help = f"write `{word}: board {value}`, with the set that it is of in place of `board`"
            report.error("S101", entry.key.span, said, help=help)
            found[word] = Entry(word_at(word, entry.key.span), Broken(entry.key.span))
            continue
        right = f"{word}: {value}"
        said = f"a `:` is missing after `{word}`"
        report.error("S101", entry.key.span, said, help=f"write `{right}`", suggestions=(right,))
        start = entry.key.span.start + entry.key.value.rfind(value)
        front = entry.key.span.file.span(entry.key.span.start, entry.key.span.start + len(word))
        back = entry.key.span.file.span(start, start + len(value))
        found[word] = Entry(Scalar(front, word, "plain", front), Scalar(back, value, "plain", back))
    return _with(inner, found)


def _listed_on(inner: Map) -> Map:
    """`{s: rock, paper or scissors}`: what follows the commas belongs to the one value, which is read as a whole."""
    first, *rest = inner
    if not rest or not _may_go_on(first.value) or not all(is_absent(one.value) for one in rest):
        return inner
    words = [one.key.value for one in rest]
    if not re.search(r"(?:^|\s)(?:or|and)\s", words[-1]) and not (len(words) > 1 and all(map(str.isidentifier, words))):
        return inner
    span = first.value.span.until(rest[-1].key.span)
    return _with(inner, {first.key.value: Entry(first.key, Scalar(span, span.one_line, "plain", span))})


def sunk(node: Map, form: Form, report: Report) -> Map:
    """Keys of a statement that stand among the names below it: `choose: {c: me.hand, where: …}`."""
    entries = node.entries
    for name, entry in node.entries.items():
        inner = entry.value
        if name not in form.known or form.known[name].kind not in _NAMES or not isinstance(inner, Map):
            continue
        moved = {k: e for k, e in inner.entries.items() if k in _NO_NAMES and k in form.known and k not in entries}
        if not moved or len(moved) == len(inner.entries):
            continue
        words = " and ".join(f"`{word}`" for word in moved)
        message = f"{words} {'is' if len(moved) == 1 else 'are'} among the names of `{name}:`"
        where = "after its `}`" if inner.flow else f"in the column of `{name}:`"
        help = f"write {'it' if len(moved) == 1 else 'them'} {where}"
        report.error("S125", next(iter(moved.values())).key.span, message, help=help)
        rest = {k: e for k, e in inner.entries.items() if k not in moved}
        entries = {**entries, name: Entry(entry.key, Map(inner.span, rest, inner.flow, inner.broken)), **moved}
    return _with(node, entries) if entries is not node.entries else node


def _glued(node: Map, form: Form, report: Report) -> Map:
    """`move: c to me.hand`: a key on the line of another one, without its `:`."""
    entries = dict(node.entries)
    waiting = list(entries)
    told: set[str] = set()  # keys that were on the line of another, which has been told
    while waiting:
        name = waiting.pop(0)
        key, value = form.known.get(name), entries[name].value
        if key is None or key.kind not in _ONE_LINE or not isinstance(value, Scalar) or value.style == "block":
            continue
        for other in form.known:
            if other in entries or not _may_be_glued(other, form.known[other]):
                continue
            found = re.search(rf"\s+({re.escape(other)}):?\s+(?=\S)", value.text_span.text)
            if not found or not found.start():
                continue
            value, rest = _cut(value, found)
            others = [one for one in form.known if re.search(rf"\s{re.escape(one)}\s", f" {rest.value} ")]
            start = value.text_span.start + found.start(1)
            if name in told or (others and not node.flow):  # `8 cards from deck to hand`: told once, as a whole
                if name not in told:
                    lines = _each_on_its_line(name, f"{value.value} {other} {rest.value}", form)
                    keys = ", ".join(f"`{one}`" for one in (other, *others))
                    said = f"each of these keys has a line of its own: {keys}"
                    report.error("S125", value.span.file.span(start, start + len(other)), said, help=f"write {lines}")
                value, rest = _without_units(value), _without_units(rest)
                told |= {name, other}
            else:
                message = f"`{other}` is a separate key"
                shown = f"{other}: {rest.value}"
                help = f"write `, {shown}`" if node.flow else f"write `{shown}` on a line of its own"
                report.error("S125", value.span.file.span(start, start + len(other)), message, help=help)
            entries[name] = Entry(entries[name].key, value)
            entries[other] = Entry(word_at(other, rest.span), rest)
            waiting.append(other)
    return _with(node, entries)


_UNIT = re.compile(r"(\d+)\s+[^\W\d]\w*")  # `8 cards`
_LED = re.compile(r"(?:all|each|every|the|a|an)\s+([^\W\d][\w.]*)")  # `all hands`


def _without_units(value: Scalar) -> Scalar:
    """`8` for `8 cards`, `hands` for `all hands`, where that is told already."""
    found = _UNIT.fullmatch(value.value.strip()) or _LED.fullmatch(value.value.strip())
    return Scalar(value.span, found[1], value.style, value.text_span) if found else value


def _each_on_its_line(name: str, text: str, form: Form) -> str:
    """`deal: 8`, `from: deck` and `to: hand`, for what was written in one line."""
    parts = re.split(rf"\s+({'|'.join(map(re.escape, form.known))})\s+", text)
    keys, values = [name, *parts[1::2]], [parts[0], *parts[2::2]]
    bare = [(_UNIT.fullmatch(value) or _LED.fullmatch(value) or (value, value))[1] for value in values]
    lines = [f"{key}: {value}" for key, value in zip(keys, bare, strict=True)]
    return f"{', '.join(f'`{one}`' for one in lines[:-1])} and `{lines[-1]}`, one below the other"


def _may_be_glued(other: str, key: Key) -> bool:
    """Words that are operators, too, are keys only where one is missing."""
    return key.kind in _ONE_LINE and (key.required or other not in _OPERATORS)


def _cut(value: Scalar, at: re.Match[str]) -> tuple[Scalar, Scalar]:
    file, start = value.text_span.file, value.text_span.start
    first, second = file.span(start, start + at.start()), file.span(start + at.end(), value.text_span.end)
    return (
        Scalar(first, first.text.strip(), "plain", first),
        Scalar(second, second.text.strip(), "plain", second),
    )


def _renamed(node: Map, form: Form, report: Report) -> Map:
    """The one key that is unknown is the one that is missing."""
    unknown = [name for name in node.entries if name not in form.known]
    missing = _missing(node, form)
    if len(unknown) != 1 or len(missing) != 1 or node.broken:
        return node
    (old,), (new,) = unknown, missing
    entry = node.entries[old]
    if meant_in(form, old)[0] or is_absent(entry.value) or old in form.tried or home_of(old):
        return node
    if not _fits(entry.value, form.known[new]):
        return node
    if old in KEYS_OF and form.keys[new].kind == "block":
        short = entry.value.span.one_line if entry.value.span.line == entry.key.span.line else "…"
        help = f"write `{new}: {{{old}: {short}}}`" if len(short) < 40 else f"put it below `{new}:`"
        report.error("S101", entry.key.span, f"`{old}:` belongs below `{new}:`, which is missing", help=help)
        inner = Entry(word_at(new, entry.key.span), Map(entry.key.span.until(entry.value.span), {old: entry}, True))
        return _with(node, {new if n == old else n: inner if n == old else e for n, e in node.entries.items()})
    help = f"did you mean `{new}`? It is missing here"
    report.error("S101", entry.key.span, f"{form.name} has no key `{old}`", help=help, suggestions=(new,))
    right = Entry(Scalar(entry.key.span, new, "plain", entry.key.text_span), entry.value)
    return _with(node, {new if n == old else n: right if n == old else e for n, e in node.entries.items()})


def _fits(value: Node, key: Key) -> bool:
    return isinstance(value, Scalar) or key.kind not in _ONE_LINE


def is_absent(node: Node) -> bool:
    """Whether nothing is written there."""
    return isinstance(node, Scalar) and node.is_null


def as_meant(node: Map, form: Form, wrong: set[str]) -> Map:
    """A map with slips that were reported, as it was likely meant, so that nothing follows from them.

    What stands under the `wrong` keys cannot stand there.
    """
    entries: dict[str, Entry] = {}
    for name, entry in node.entries.items():
        if name in form.known:
            key, value = form.known[name], entry.value
            if isinstance(value, Scalar) and key.words and value.value not in key.words:
                right = (words_meant(value.value, key) or [key.words[-1]])[0]
                entry = Entry(entry.key, Scalar(value.span, right, "plain", value.text_span))
            elif name in wrong and not is_absent(value):
                known = value_meant(value, key) if key.kind != "list" else None
                shaped = reshaped(value, key.kind)
                stand_in: Node = shaped.value if shaped is not None else Broken(value.span)
                if known is not None and isinstance(value, Scalar):
                    stand_in = Scalar(value.span, known, "plain", value.text_span)
                entry = Entry(entry.key, stand_in)
            entries[name] = entry
            continue
        found, rest = meant_in(form, name, is_absent(entry.value))
        if len(found) == 1 and found[0] not in node.entries:
            known_key = Scalar(entry.key.span, found[0], "plain", entry.key.text_span)
            value = entry.value
            if rest:
                start = entry.key.span.start + entry.key.value.rfind(rest)
                place = entry.key.span.file.span(start, start + len(rest))
                value = Scalar(place, rest, "plain", place)
            entries[found[0]] = Entry(known_key, value)
    return Map(node.span, entries, node.flow, node.broken or len(entries) < len(node.entries))


def meant_in(form: Form, word: str, bare: bool = False) -> tuple[list[str], str]:
    """As `key_meant`, of a form, which knows what its keys are called elsewhere."""
    if word in form.tried and not (bare and key_of_word(form, word)):
        return [], ""
    if found := form.meant_by(word):
        return [found], ""
    known = key_meant(word, tuple(form.known), bare)
    lone = key_of_word(form, word) if bare and not known[0] else ""
    return ([lone], word) if lone else known


def key_of_word(form: Form, word: str) -> str:
    """`order` for `pile`: the one key that takes such a word."""
    found = [name for name, key in form.known.items() if word in (*key.words, *key.takes)]
    return found[0] if len(found) == 1 else ""


def key_meant(word: str, known: tuple[str, ...], bare: bool = False) -> tuple[list[str], str]:
    """The keys that a word may be, and its value if that is glued to it: `is 0..3`, `is = 0..3`."""
    if (
        bare
        and (glued := _GLUED.fullmatch(word))
        and (right := [glued[1]] if glued[1] in known else key_meant(glued[1], known)[0])
    ):
        return right[:1], glued[2]
    synonyms = [key for key in KEYS.get(word.casefold(), ()) if key in known]
    close = nearest(word, known)
    exact = [key for key in close if key.casefold() == word.casefold()]
    return exact or synonyms[:1] or close, ""


def words_meant(word: str, key: Key) -> list[str]:
    now = dict(key.once).get(word)
    if now:
        return [now]
    return [w for w in CHOICES.get(word.casefold(), ()) if w in key.words] or nearest(word, key.words)


def value_meant(value: Node, key: Key | None) -> str | None:
    """`true` for `yes`, `3` for `three`: what a word stands for where a truth value or a number is wanted."""
    if not isinstance(value, Scalar) or key is None:
        return None
    if key.kind == "truth":
        return truth_meant(value.value)
    if key.kind == "list" and key.instead and re.fullmatch(r"[^\W\d]\w*(?:\s+[^\W\d]\w*)+", value.value):
        return None  # words, and no expression yet
    if key.kind == "list":
        return f"[{value.value}]" if value.value and "," not in value.value and not value.is_null else None
    if key.kind == "number":
        meant = number_meant(value.value)
        return None if meant is None else str(meant)
    return None


def map_meant(text: str, kind: str, name: str) -> str:
    """`{p: players}` for `p in players`, `{x: me.hand}` for `me.hand`, `{me.score: 1}` for `1 to me.score`."""
    if re.search(rf"(?:^|\s)(?:{'|'.join(_OPERATORS)})\s*$|:\s*$", text):
        return ""  # it is broken itself
    glued = INNER_GLUED.fullmatch(re.sub(r"^(?:each|every)\s+(?=\w+\s+in\b)", "", text))
    if kind in ("variables", "choices") and (each := re.fullmatch(r"(?:for\s+)?(?:each|every|all)\s+(\w+)", text)):
        return f"{{{each[1][0]}: {'players' if each[1] == 'player' else each[1]}}}"
    if kind in ("variables", "choices") and text in ("player", "players"):
        return "{p: players}"
    if kind == "map" and (named := re.fullmatch(r"([^\W\d]\w*)\s*:?=\s*([^={}]+)", text)):
        return f"{{{named[1]}: {named[2]}}}"
    if kind == "paths" and (turned := re.fullmatch(r"([^\W\d][\w.]*(?:\[[^\]]*\])?)\s*([-+])\s*([\w.()]+)", text)):
        verb = "add" if turned[2] == "+" else "subtract"
        return f"{{{turned[1]}: {turned[3]}}}" if verb == name else ""
    if kind == "paths" and re.fullmatch(r"[^\W\d]\w*\.[\w.]+(?:\[[^\]]*\])?", text):
        return f"{{{text}: {'true' if name == 'set' else 1}}}"
    if kind == "paths":
        if set_so := re.fullmatch(r"([^\W\d][\w.]*(?:\[[^\]]*\])?)\s*(\+=|-=|:=|=)\s*([^={},\[\]]+)", text):
            verb = {"+=": "add", "-=": "subtract"}.get(set_so[2], name)
            return f"{{{set_so[1]}: {set_so[3]}}}" if verb == name else ""
        if counted := re.fullmatch(r"(\d+)\s+(?:of\s+)?([^\W\d]\S*)", text):
            return f"{{{counted[2]}: {counted[1]}}}"
        if turned := re.fullmatch(r"(\S+)\s+(?:to|from)\s+([^\W\d]\S*)", text):
            what, new = (turned[1], turned[2]) if name == "set" else (turned[2], turned[1])
            return f"{{{what}: {new}}}"
        return f"{{{glued[1]}: {glued[2]}}}" if glued and glued[1][0].isalpha() else ""
    if kind == "map" and text.isidentifier():
        return f"{{{text}: …}}"
    if kind == "list" and "," in text:
        return f"[{text}]"
    if kind not in ("variables", "choices"):
        return ""
    if glued and glued[1].isidentifier() and glued[2].split()[0] not in (*_OPERATOR_WORDS, "from", "after"):
        return f"{{{glued[1]}: {glued[2]}}}"
    return f"{{x: {text}}}" if "{" not in text else ""


def is_value_of_missing(entry: Entry, node: Map, form: Form) -> bool:
    """`{0..3, start: 0}`: the value of the one key that must be there, which was left out."""
    needed = [name for name, key in form.known.items() if key.required and name not in node.entries]
    return (
        node.flow
        and len(needed) == 1
        and is_absent(entry.value)
        and entry.key.value not in form.known
        and not meant_in(form, entry.key.value, True)[0]
    )
