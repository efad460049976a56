"""What keys a map of a game file may have: one `Form` per sort of map, from which schemas and manuals are made.

A map is checked with the JSON Schema of its own form alone, never with a choice of many, so that the error is
about the key that is wrong. Maps inside are checked when their own turn comes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import field
from functools import cached_property
from typing import Any

from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.records import dataclass
from ruledsl.source import letters
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, Seq, nodes_of, word_at
from ruledsl.source.letters import strange_name
from ruledsl.syntax.foreign import ELSEWHERE, FOR_NOTHING
from ruledsl.syntax.mending import (
    as_meant,
    by_owner,
    home_of,
    is_absent,
    is_value_of_missing,
    key_meant,
    key_of_word,
    map_meant,
    meant_in,
    mended,
    rejoined,
    sunk,
    value_meant,
    whole_values,
    without_colon,
    words_meant,
)
from ruledsl.syntax.relaid import put_below
from ruledsl.syntax.reshaped import USUAL, alone, reshaped
from ruledsl.syntax.restated import in_a_sentence
from ruledsl.syntax.texts import sound_texts

SCALAR = {"type": ["string", "integer", "boolean"]}
LANGUAGES = ("en", "ru")

# What may stand where: the schema of each kind of field, and how a designer calls it.
KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "expression": ({"anyOf": [SCALAR, {"type": "array"}]}, "an expression"),
    "scalar": (SCALAR, "an expression on one line"),
    "sum": (SCALAR, "one number"),
    "condition": (
        {"anyOf": [SCALAR, {"type": ["object", "array"]}]},
        "a condition, perhaps with its reason, or a list of them",
    ),
    "limit": ({"anyOf": [SCALAR, {"type": "object"}]}, "`2 per turn`, perhaps with its reason"),
    "text": ({"type": ["string", "integer", "object"]}, "a text, or a map `{en: …, ru: …}`"),
    "texts": ({"type": ["string", "integer", "object", "array"]}, "a text, or a list of texts"),
    "shown": ({"type": ["string", "object", "array"]}, "a value or a text, or a list of these"),
    "block": ({"type": ["string", "object", "array"]}, "a statement or a list of statements"),
    "variables": ({"type": "object", "minProperties": 1}, "a map of names, as in `{x: where to look}`"),
    "choices": ({"type": "object", "minProperties": 1}, "a map of names, as in `{x: where to look}`"),
    "paths": ({"type": "object", "minProperties": 1}, "a map of what is changed, as in `{score: 1}`"),
    "amounts": ({"type": ["string", "object", "integer", "array"]}, "amounts, as in `{gold: 1}`, or an expression"),
    "costs": ({"type": ["string", "object", "integer", "array"]}, "amounts, the call of an effect, or a list of these"),
    "menu": ({"type": ["string", "array"]}, "the name of a menu, or a list of entries"),
    "events": ({"type": ["string", "array"]}, "an event, or a list of events"),
    "type": ({"type": ["string", "integer", "array"]}, "a type, as in `0..5` or `maybe color`"),
    "word": ({"type": "string"}, "a single name"),
    "words": ({"type": ["string", "array"]}, "a name, or a list of names"),
    "number": ({"type": "integer"}, "a whole number"),
    "truth": ({"type": "boolean"}, "true or false"),
    "map": ({"type": "object"}, "a map"),
    "list": ({"type": "array"}, "a list"),
    "table": ({"type": ["string", "array", "object"]}, "a table: a file or a list of rows"),
    "any": ({}, "anything"),
}


@dataclass(frozen=True)
class Key:
    """One key of a form."""

    kind: str
    doc: str = ""
    required: bool = False
    words: tuple[str, ...] = ()
    once: tuple[tuple[str, str], ...] = ()  # words of earlier versions, each with what is written now
    tried: tuple[str, ...] = ()  # other words for this key that one might try first
    instead: str = ""  # what to write where another of its `words` was tried
    sample: str = ""  # what may stand behind it, for who left it out
    inner: tuple[str, ...] = ()  # keys of the map that stands behind it
    by_owner: bool = False  # whether a map may stand behind it, with what is different for each player
    takes: tuple[str, ...] = ()  # words that may stand behind it, among other things


FORMS: list[Form] = []  # all there are

# Keys that one might try first for the body of a statement.
INSTEAD_OF_DO = ("then", "body", "steps", "effect", "effects", "run", "what")
INSTEAD_OF_THEN = ("do", "body", "effect", "effects", "so")

# Numbered rules: what is carried out says which, for `coverage --rules`.
COVERS = Key("words", "The numbered rules it carries out.")


@dataclass(frozen=True, eq=False)
class Form:
    """A sort of map: `name` in the words of a designer, its keys, and whether other keys are its own.

    Maps of a `numbered` form may also say `covers:`; it is told of once, and not among the keys of each.
    """

    name: str
    keys: dict[str, Key] = field(default_factory=dict)
    open: bool = False
    doc: str = ""
    tried: dict[str, str] = field(default_factory=dict)  # keys that one might try first: what is to be written
    numbered: bool = False
    wraps: str = ""  # the key below which all others likely belong that are unknown
    several: str = ""  # the key of the game below which several such maps stand, each with its name
    own: str = ""  # the key below which stands what a designer gives it beyond these keys
    section: str = ""  # the section of the game whose declarations are such maps
    main: str = ""  # the key for which a bare list or text stands that is written instead of the map

    def __post_init__(self) -> None:
        FORMS.append(self)

    @cached_property
    def known(self) -> dict[str, Key]:
        """All keys that such a map may have."""
        return {**self.keys, "covers": COVERS} if self.numbered else self.keys

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of such a map, without what stands inside it."""
        return {
            "type": "object",
            "properties": {name: key_schema(key) for name, key in self.known.items()},
            "required": self._required,
            "additionalProperties": self.open,
        }

    def meant_by(self, word: str) -> str:
        """The key that another word for it means; empty if there is none."""
        return next((name for name, key in self.keys.items() if word in key.tried and word not in self.keys), "")

    @cached_property
    def validator(self) -> Any:
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self.schema)

    def is_kept_by(self, node: Map) -> bool:
        """Whether a map is as the schema wants it. Said without jsonschema, which takes longer to load than most
        games to check; where something is wrong it tells what."""
        for name, entry in node.entries.items():
            key = self.known.get(name)
            if key is None:
                if not self.open:
                    return False
            elif key.words:
                if plain(entry.value, 0) not in key.words:
                    return False
            elif (sorts := _SORTS[key.kind]) is not None and _sort(entry.value) not in sorts:
                return False
        return all(name in node.entries for name in self._required)

    @cached_property
    def _required(self) -> list[str]:
        return [name for name, key in self.keys.items() if key.required]


def _sorts(schema: dict[str, Any]) -> frozenset[str] | None:
    """The types that a schema of `KINDS` lets in; None for any."""
    if not schema:
        return None
    if "anyOf" in schema:
        return frozenset().union(*(_sorts(one) or () for one in schema["anyOf"]))
    return frozenset([schema["type"]] if isinstance(schema["type"], str) else schema["type"])


_SORTS = {kind: _sorts(schema) for kind, (schema, _) in KINDS.items()}


def key_schema(key: Key) -> dict[str, Any]:
    schema = dict(KINDS[key.kind][0])
    if key.words:
        schema = {"enum": list(key.words)}
    if key.doc:
        schema["description"] = key.doc
    return schema


class Fields:
    """A map that was checked: its values by key, and which of them anybody has asked for."""

    def __init__(self, node: Map, form: Form, asked: set[str] | None = None) -> None:
        self.node, self.form = node, form
        self.asked = asked if asked is not None else set()

    def get(self, name: str) -> Node | None:
        self.asked.add(name)
        value = self.node.get(name)
        return None if value is None or (isinstance(value, Scalar) and value.is_null) else value

    def has(self, name: str) -> bool:
        """Whether the key is there; that alone does not look at what stands behind it."""
        return name in self.node.entries

    def word(self, name: str, default: str = "") -> str:
        value = self.get(name)
        return value.value if isinstance(value, Scalar) else default

    def number(self, name: str, default: int = 0) -> int:
        value = self.get(name)
        found = value.as_int() if isinstance(value, Scalar) else None
        return default if found is None else found

    def truth(self, name: str, default: bool = False) -> bool:
        value = self.get(name)
        found = value.as_bool() if isinstance(value, Scalar) else None
        return default if found is None else found

    def words(self, name: str) -> list[Scalar]:
        return list(scalars(self.get(name)))

    def map(self, name: str) -> Map | None:
        value = self.get(name)
        return value if isinstance(value, Map) else None


def scalars(node: Node | None) -> Iterator[Scalar]:
    """A single word, or each word of a list."""
    if isinstance(node, Scalar) and not node.is_null:
        yield node
    elif isinstance(node, Seq):
        yield from (item for item in node.items if isinstance(item, Scalar))


def fields(node: Node | None, form: Form, report: Report, extra: tuple[str, ...] = ()) -> Fields | None:
    """The map as its form wants it; None where it is no map at all. Every slip is reported."""
    if isinstance(node, Broken) or node is None:
        return None
    if not isinstance(node, Map):
        if report.tells_of(node.span):
            return None  # the map around it has said so
        others = [name for name, key in form.keys.items() if key.required and name != form.main]
        whole = alone(node, form.main, others) if form.main else None
        help = _as_map(node, form) or (whole.help if whole else "")
        said = f"{form.name} must be a map of keys and values, not {shape_of(node)}"
        report.error("S104", node.span, said, help=help)
        if whole is None or form.main not in ("do", "rows") or not isinstance(whole.value, Map):
            return None  # a place of which no more is known is better unknown
        return Fields(whole.value, form)
    if (node, form) in report.sound:
        return Fields(node, form, report.asked_of(node, form))
    written, before = node, report.errors + report.warnings
    node = whole_values(node, form, LANGUAGES, report)
    node = put_below(sunk(without_colon(node, form, report), form, report), form, report)
    node = in_a_sentence(node, form, report)
    if not form.is_kept_by(node):
        node = mended(node, form, report)
        slips = list(form.validator.iter_errors(plain(node, 1)))
        for slip in slips:
            _report(slip, node, form, report, extra)
        node = as_meant(node, form, {str(slip.absolute_path[0]) for slip in slips if slip.absolute_path})
    for name, key in form.keys.items():
        if key.kind == "text" and (text := node.get(name)) is not None:
            if isinstance(text, Map):
                by_language(text, report)
            sound_texts(report, text)
    node = _sound_words(node, form, report)
    if any(isinstance(node.get(part), Broken) for part in ("attributes", "state", "each")):
        report.attributes_lost = True
    if node is written and report.errors + report.warnings == before:
        report.sound.add((node, form))
    return Fields(node, form, report.asked_of(node, form))


def _sound_words(node: Map, form: Form, report: Report) -> Map:
    """The map with single names that are what they look like; a list among them is told."""
    entries: dict[str, Entry] = {}
    for name, entry in node.entries.items():
        key = form.keys.get(name)
        if key is None or key.kind not in ("word", "words", "events", "menu"):
            continue
        value = entry.value
        if isinstance(value, Scalar) and key.kind == "words" and (several := _several(value)):
            right = several[0] if len(several) == 1 else f"[{', '.join(several)}]"
            said = f"`{name}:` takes {KINDS[key.kind][1]}"
            report.error("S103", value.span, said, help=f"write `{name}: {right}`", suggestions=(right,))
            words = tuple(word_at(word, value.span) for word in several)
            sound: Node = words[0] if len(words) == 1 else Seq(value.span, words, True)
        elif isinstance(value, Scalar):
            sound = sound_word(value, report)
        elif isinstance(value, Seq) and key.kind != "menu":
            items = [sound_word(item, report) if isinstance(item, Scalar) else item for item in value.items]
            if items and "rows" in form.keys and all(isinstance(item, Map) for item in items):
                help = f"rows that stand here go under `rows:`; `{name}:` takes the names of tables"
                report.error("S103", entry.key.span, f"`{name}:` must be {KINDS[key.kind][1]}, not rows", help=help)
                entries |= {"rows": Entry(entry.key, value), name: Entry(entry.key, Broken(value.span))}
                continue
            for item in items:
                if isinstance(item, Map | Seq):
                    report.error("S103", item.span, f"a name must be here, not {shape_of(item)}")
            _named_twice(items, report)
            same = all(a is b for a, b in zip(items, value.items, strict=True))
            sound = value if same else Seq(value.span, tuple(items), value.flow)
        else:
            continue
        if sound is not value:
            entries[name] = Entry(entry.key, sound)
    return Map(node.span, {**node.entries, **entries}, node.flow, node.broken) if entries else node


_NAMES_IN_A_TEXT = re.compile(r"(?:(?:each|every|per) )?([^\W\d]\w*)")


def _several(value: Scalar) -> list[str]:
    """`player and color`, `each player`: names in a text of several words."""
    if value.style != "plain" or value.value.isidentifier():
        return []
    parts = re.split(r"\s*(?:,|;|&|\+|\band\b)\s*", value.value)
    found = [_NAMES_IN_A_TEXT.fullmatch(part) for part in parts]
    return [one[1] for one in found if one] if all(found) else []


def _named_twice(items: list[Node], report: Report) -> None:
    seen: set[str] = set()
    for item in items:
        if isinstance(item, Scalar) and item.value in seen:
            report.warn("L518", item.span, f"`{item.value}` is named already", help="remove it, or correct it")
        seen |= {item.value} if isinstance(item, Scalar) else set()


def sound_word(word: Scalar, report: Report) -> Scalar:
    """A name without letters, spaces and quotes that are not what they look like, which are reported."""
    if word.value.isascii() or word.is_escaped:
        return word
    found = list(strange_name(word.value))
    at = word.text_span.start
    for one in found:
        span = word.span.file.span(at + one.start, at + one.end)
        report.error(one.code, span, one.message, help=one.help, suggestions=(one.meant,) if one.meant.strip() else ())
    return Scalar(word.span, letters.as_meant(word.value, found), word.style, word.text_span) if found else word


_COUNTED = re.compile(r"(\d+)(?:\s+(?:per|for each|each|a)\s+(\w+))?")  # `15`, `15 per player`


def _as_map(node: Node, form: Form) -> str:
    """How a bare value is written as a map: `{is: 3..12}` for `3..12`."""
    needed = [name for name, key in form.keys.items() if key.required]
    if not isinstance(node, Scalar):
        return ""
    if (found := _COUNTED.fullmatch(node.value)) and {"count", "per"} <= form.keys.keys():
        return f"write `{{per: {found[2]}, count: {found[1]}}}`" if found[2] else f"write `{{count: {found[1]}}}`"
    if len(needed) != 1:
        return ""
    if node.as_bool() is not None and needed == ["is"]:
        return f"write `{{is: bool, start: {node.value}}}`"
    if (number := node.as_int()) is not None and needed == ["is"]:
        return f"write its type, as in `{{is: 0..{max(9, abs(number))}, start: {number}}}`"
    return f"write `{{{needed[0]}: {node.value}}}`" if len(node.value) <= 40 else ""


def by_language(text: Map, report: Report) -> Map:
    """A text by language, whole where commas have cut it: a language that nobody is shown would be passed over."""
    text = rejoined(text, tuple(text.entries), (), LANGUAGES, LANGUAGES, report)
    bare = [entry.key for entry in text if is_absent(entry.value) and entry.key.value not in LANGUAGES]
    if text.flow and len(bare) == len(text.entries) and any(" " in key.value or len(bare) > 1 for key in bare):
        right = ", ".join(f"{'ru' if re.search('[а-яё]', key.value.lower()) else 'en'}: {key.value}" for key in bare)
        report.error(
            "S122", bare[0].span, "this text does not say in which language it is", help=f"write `{{{right}}}`"
        )
        return text
    for entry in text:
        word = entry.key.value
        if word not in LANGUAGES:
            found = nearest(word, LANGUAGES) or [known for known in LANGUAGES if word.lower().startswith(known)]
            advice = did_you_mean(found) or f"players read {' or '.join(f'`{known}`' for known in LANGUAGES)}"
            if text.flow and not found and is_absent(entry.value):
                advice = f'a text that begins with a brace needs quotes: write `"{{{word}}}"`'
            report.error("S122", entry.key.span, f"`{word}` is not a language that players can choose", help=advice)
    return text


def plain(node: Node, depth: int) -> Any:
    """What JSON Schema sees of a node, down to a depth."""
    if isinstance(node, Scalar):
        number, truth = node.as_int(), node.as_bool()
        if node.is_null:
            return None
        return truth if truth is not None else number if number is not None else node.value
    if isinstance(node, Map):
        return {name: plain(entry.value, depth - 1) for name, entry in node.entries.items()} if depth > 0 else {"": 0}
    if isinstance(node, Seq):
        return [plain(item, depth - 1) for item in node.items] if depth > 0 else [0]
    return ""


def _sort(node: Node) -> str:
    """What JSON Schema calls the type of a node."""
    if isinstance(node, Scalar):
        if node.is_null:
            return "null"
        return "boolean" if node.as_bool() is not None else "integer" if node.as_int() is not None else "string"
    return "object" if isinstance(node, Map) else "array" if isinstance(node, Seq) else "string"


def shape_of(node: Node) -> str:
    if isinstance(node, Seq):
        return "a list"
    if isinstance(node, Map):
        return "a map"
    return "nothing" if isinstance(node, Scalar) and node.is_null else "a text"


def _report(slip: Any, node: Map, form: Form, report: Report, extra: tuple[str, ...]) -> None:
    if slip.validator == "additionalProperties":
        another = False  # whether another statement began here without its dash: what follows is told with it
        for entry in node:
            word = entry.key.value
            if word not in form.known and not is_value_of_missing(entry, node, form):
                if another or list_cut(entry, node, form, report):
                    continue
                another = word in extra
                lone = key_of_word(form, word) if node.flow and is_absent(entry.value) else ""
                if lone and lone not in node.entries and not key_meant(word, tuple(form.known), True)[0]:
                    said, right = f"`{lone}:` is missing before `{word}`", f"{lone}: {word}"
                    report.error("S101", entry.key.span, said, help=f"write `{right}`", suggestions=(right,))
                    continue
                unknown_key(
                    entry.key,
                    tuple(form.keys),
                    form.name,
                    report,
                    extra,
                    is_absent(entry.value),
                    form.meant_by(word),
                    _tried(entry, form) or _inside(entry, node, form) or _named(entry.value, form) or _own(entry, form),
                    form.numbered,
                    node.entries,
                )
    elif slip.validator == "required" and not node.broken:
        missing = [
            name
            for name, key in form.keys.items()
            if key.required and name not in node.entries and not misspelt(node, name, form)
        ]
        if any(_both_in_one(entry.value, form.known.get(name), missing) for name, entry in node.entries.items()):
            return  # it is told there
        if any(entry.key.value in form.tried for entry in node):
            return  # what is to be written instead was said
        for name in missing:
            if (two := _two_in_one(node, form, name)) is not None:
                help = f"write `{two[0]}: {two[1]}`, and below it `{name}: {two[2]}`"
                report.error("S102", node.span, f"{form.name} needs `{name}:`", help=help, lacks=name)
                continue
            wanted = KINDS[form.keys[name].kind][1]
            first = next(iter(node), None)
            bare = next((entry for entry in node if is_value_of_missing(entry, node, form)), None)
            if bare is not None:
                right = f"{name}: {bare.key.value}"
                message, help = f"`{name}:` is missing before `{bare.key.value}`", f"write `{right}`"
                report.error("S102", bare.key.span, message, help=help, suggestions=(right,))
                continue
            span = first.key.span if first else node.span
            sample = form.keys[name].sample
            help = f"write it, as in `{name}: {sample}`" if sample else f"`{name}:` takes {wanted}"
            help = "write `ruledsl: 1` in the first line" if name == "ruledsl" else help
            report.error("S102", span, f"{form.name} needs `{name}:`", help=help, lacks=name)
    elif slip.absolute_path:
        name = str(slip.absolute_path[0])
        entry = node.entries[name]
        if not isinstance(entry.value, Broken):
            _report_value(entry, form.known.get(name), report, node, form)


def list_cut(entry: Entry, node: Map, form: Form, report: Report) -> bool:
    """`{legal: go to 2, go to 3}`: commas in braces have cut a list; it is told once."""
    entries = list(node)
    at = entries.index(entry)
    first = next((i for i in range(at, -1, -1) if not is_absent(entries[i].value)), -1)
    if not node.flow or not is_absent(entry.value) or first < 0 or first == at or form.known.get(entry.key.value):
        return False
    key, value = form.known.get(entries[first].key.value), entries[first].value
    sorts = _SORTS[key.kind] if key is not None else frozenset()
    if not isinstance(value, Scalar) or (sorts is not None and "array" not in sorts) or " " not in value.value:
        return False
    if first == at - 1:
        last = next((i for i in range(at, len(entries)) if not is_absent(entries[i].value)), len(entries))
        each = [value.value, *(one.key.value for one in entries[at:last])]
        words, name = ", ".join(each), entries[first].key.value
        if by_owner(each, key):
            return True  # it is told before
        said = f"the commas cut the list of `{name}`"
        report.error("S127", entry.key.span, said, help=f"write `{name}: [{words}]`")
    return True


def _two_in_one(node: Map, form: Form, missing: str) -> tuple[str, str, str] | None:
    """`swap: [me.hand, p.hand]`: what belongs to two keys is the list of one."""
    entry = next(iter(node), None)
    if entry is None or len(node.entries) != 1 or entry.key.value not in form.known:
        return None
    if form.keys[missing].kind != "expression" or not isinstance(entry.value, Seq) or len(entry.value.items) != 2:
        return None
    one, other = (item.span.one_line for item in entry.value.items)
    return entry.key.value, one, other


def _both_in_one(value: Node, key: Key | None, missing: list[str]) -> bool:
    """`move: {disc: to}`: a key and the one that is missing are written as a map."""
    one = isinstance(value, Map) and not value.broken and len(value.entries) == 1
    return one and len(missing) == 1 and key is not None and key.kind in ("expression", "scalar")


def _report_value(entry: Entry, key: Key | None, report: Report, node: Map, form: Form) -> None:
    """What stands under a key is not what the key takes."""
    missing = [other for other, known in form.keys.items() if known.required and other not in node.entries]
    name, value = entry.key.value, entry.value
    wanted = "something else" if key is None else _wanted(key)
    nothing = isinstance(value, Scalar) and value.is_null
    span = entry.key.span if nothing else value.span
    if isinstance(value, Scalar) and key is not None and key.words and not nothing:
        found = words_meant(value.value, key)
        now = dict(key.once).get(value.value)
        other = key_of_word(form, value.value) if not found else ""
        advice = (
            f"write `{name}: {now}`"
            if now
            else f"`{other}:` says this: write `{other}: {value.value}`"
            if other and other not in node.entries
            else did_you_mean(found) or key.instead or f"it is one of {', '.join(f'`{w}`' for w in key.words)}"
        )
        message = f"`{name}:` cannot be `{value.value}`"
        report.error("S105", span, message, help=advice, suggestions=tuple(found))
        return
    right = value_meant(value, key)
    if right is not None:
        report.error(
            "S103",
            span,
            f"`{name}:` must be {wanted}, not `{span.text}`",
            help=f"write `{right}`",
            suggestions=(right,),
        )
        return
    right = map_meant(value.value, key.kind, name) if key is not None and isinstance(value, Scalar) else ""
    if right and not nothing and not (key is not None and key.instead):
        help = f"write `{name}: {right}`"
        if key is not None and key.kind == "choices" and isinstance(value, Scalar) and value.value.isidentifier():
            help += f"; an action is offered by `choose one: [{value.value}]`" if name == "choose" else ""
        report.error("S103", span, f"`{name}:` must be {wanted}, not {shape_of(value)}", help=help)
        return
    blank = nothing and key is not None and key.kind == "block"
    help = "write it below, indented further; `[]` says that nothing happens" if blank else ""
    if nothing and key is not None and key.kind == "expression":
        help = f"write what it is after the `:`, as in `{name}: {USUAL.get(name, '…')}`"
    if nothing:
        help = FOR_NOTHING.get(name, help)
    if key is not None and key.instead and not nothing:
        help = key.instead
    if key is not None and key.kind == "sum" and not nothing:
        help = f"add it up: write `{name}: {_added_up(value)}`"
    if isinstance(value, Map) and _both_in_one(value, key, missing):
        inner = next(iter(value))
        help = f"write `{name}: {inner.key.value}`, and below it `{missing[0]}: {inner.value.span.one_line}`"
    if isinstance(value, Seq) and key is not None and key.kind == "scalar" and not key.instead:
        help = f'conditions are joined by `and`; a list stands in quotes: `{name}: "{span.one_line}"`'
    if key is not None and (shaped := reshaped(value, key.kind)) is not None:
        help = shaped.help
        if key.inner and isinstance(shaped.value, Map) and shaped.value.entries.keys().isdisjoint(key.inner):
            inside = next(iter(shaped.value.entries))
            help = f"write `{key.inner[0]}:` below `{name}:`, and `{inside}: …` below that, without `-`"
    if isinstance(value, Seq) and key is not None and key.kind == "choices":
        help = f"several things to choose from go under `choose one:`, as in `choose one: {span.one_line}`"
        if len(help) > 110 or "\n" in span.text:
            help = "several things to choose from go under `choose one:`"
    if isinstance(value, Map) and key is not None and key.kind == "menu" and value.entries:
        help = f"write a list: `{name}: [{', '.join(value.entries)}]`"
    if isinstance(value, Map) and key is not None and key.kind == "scalar" and len(value.entries) == 1 and not help:
        inner = next(iter(value))  # `together: {p: players}`
        help = f"write `{name}: {inner.value.span.one_line}`: there is no name here"
    if isinstance(value, Map) and len(value.entries) == 1 and is_absent(next(iter(value)).value) and not help:
        help = f"write `{name}: {next(iter(value)).key.value}`, without braces"
    if isinstance(value, Map) and "because" in value.entries:
        help = "a reason explains why players cannot do something: it goes with `where:`, `when:`, `done:` and the like"
    report.error("S103", span, f"`{name}:` must be {wanted}, not {shape_of(value)}", help=help)


def _added_up(value: Node) -> str:
    """What stands in a map or list, as one sum; where that is too long, how such a sum begins."""
    terms = [entry.value for entry in value] if isinstance(value, Map) else [*nodes_of(value)]
    texts = [term.value for term in terms if isinstance(term, Scalar)]
    whole = " + ".join(texts)
    return whole if len(texts) == len(terms) and 0 < len(whole) <= 80 else f"{texts[0] if texts else '…'} + …"


def misspelt(node: Map, name: str, form: Form) -> bool:
    """Whether a key that is missing is there after all, with a slip that is reported on its own."""
    return any(
        key not in form.known and meant_in(form, key, is_absent(entry.value))[0][:1] == [name]
        for key, entry in node.entries.items()
    )


def _named(value: Node, form: Form) -> str:
    """What to do where one of several such maps stands here by its name: `board: {wall: {grid: …}}`."""
    if not form.several or not isinstance(value, Map) or not value.entries or set(value.entries) - set(form.known):
        return ""
    return f"several with names go under `{form.several}:`"


def _tried(entry: Entry, form: Form) -> str:
    """What is to be written for a key that one might try first, with what stands behind it."""
    advice, value = form.tried.get(entry.key.value, ""), entry.value
    if advice and isinstance(value, Scalar) and value.value.isidentifier():
        return advice.replace("per: player", f"per: {value.value}")
    return advice


def _inside(entry: Entry, node: Map, form: Form) -> str:
    """Where a key goes that belongs to the map behind another: `neighbors` beside `grid:`."""
    word, value = entry.key.value, entry.value
    if "preset" in form.keys and "options" not in node.entries and isinstance(value, Scalar) and word not in form.tried:
        if value.value and not form.meant_by(word) and not key_meant(word, tuple(form.known))[0]:
            help = f"an option of the game stands below `options:`, as in `options: {{{word}: {value.value}}}`"
            return f"{help}; {form.name} takes {_takes(form.keys)}"
    homes = [name for name, key in form.known.items() if word in key.inner]
    there = [name for name in homes if name in node.entries]
    if not homes or len(there) > 1 or (not there and len(homes) > 1):
        return ""
    text = value.span.one_line
    shown = f"{word}: {text}" if isinstance(value, Scalar) and 0 < len(text) <= _SHORT else f"{word}: …"
    if not there:
        return f"it belongs to `{homes[0]}:`: write `{homes[0]}: {{{shown}}}`"
    outer = node.entries[there[0]].value
    if isinstance(outer, Map) and outer.flow:
        return f"it belongs into the braces of `{there[0]}:`, as in `{there[0]}: {{…, {shown}}}`"
    return f"it belongs to `{there[0]}:`: write it there, in the column of what stands below `{there[0]}:`"


_SHORT = 40  # of what is shown as an example


def _own(entry: Entry, form: Form) -> str:
    """Where an attribute goes that stands among the keys of a kind of piece or a board."""
    if not form.own or meant_in(form, entry.key.value)[0] or is_absent(entry.value):
        return ""
    if not entry.key.value.isidentifier() or entry.key.value in ELSEWHERE:
        return ""
    return f"if they all have it, declare it under `{form.own}:`, as in `{form.own}: {{{entry.key.value}: …}}`"


def _wanted(key: Key) -> str:
    return " or ".join(f"`{word}`" for word in key.words) if key.words else KINDS[key.kind][1]


_MANY = 20  # keys, of which not all are shown: those of a game, which begin with its title and the like


def _takes(known: Collection[str]) -> str:
    """The keys that may stand somewhere."""
    shown = [f"`{name}`" for name in known][5 if len(known) > _MANY else 0 : _MANY]
    return ", ".join([*shown, *(["…"] if len(known) > _MANY else [])])


def unknown_key(
    key: Scalar,
    known: tuple[str, ...],
    where: str,
    report: Report,
    verbs: tuple[str, ...] = (),
    bare: bool = False,
    meant: str = "",
    advice: str = "",
    numbered: bool = False,
    there: Collection[str] = (),
) -> None:
    """Says that a key means nothing here, with what may have been meant; among statements, a verb may be.

    A `bare` key has nothing behind it, so its value may be glued to it. What is `there` already is not meant.
    """
    found, value = ([meant], "") if meant else key_meant(key.value, known, bare)
    found = [name for name in found if name not in there]
    if value and found:
        right = f"{found[0]}: {value}"
        message = f"a `:` is missing after `{found[0]}`"
        report.error("S101", key.span, message, help=f"write `{right}`", suggestions=(right,))
        return
    found = found or nearest(key.value, (*verbs, "covers") if numbered else verbs)
    reasoned = next((name for name in ("where", "when") if name in known), "")
    if key.value == "because" and reasoned:
        found, advice = [], f"it stands beside what refuses it: `{reasoned}: {{is: …, because: …}}`"
    elif key.value in ELSEWHERE and ELSEWHERE[key.value][0] in known and not found:
        advice = ELSEWHERE[key.value][1]
    elif advice:
        found = []
    elif verbs and key.value in ("when", "unless", "only_if", "provided") and not found:
        advice = "a statement cannot have a condition: write `if:`, and it below `then:`"
    elif key.value in verbs:
        found, advice = [], f"`{key.value}` begins a new statement: put `- ` before it"
    elif verbs and home_of(key.value) and not found:
        advice = f"{home_of(key.value)}; look at its indentation"
    else:
        advice = did_you_mean(found) or f"it takes {_takes(known)}"
    report.error("S101", key.span, f"{where} has no key `{key.value}`", help=advice, suggestions=tuple(found))
