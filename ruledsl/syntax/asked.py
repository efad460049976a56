"""What is asked of a set in words, or in the form of another statement, and how it is written here.

`p in players where p.out` says which ones are meant; what it must become depends on the place: a condition asks
`any(…)`, a number counts them, one player is the `first(…)`, and everywhere else they are a `set(…)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ruledsl.diagnostics.suggest import nearest

from .stopped import FUNCTIONS, KEYWORDS, Place, Repair

_WHERE = r"(?:where|with|having|who|which|that|when|such that|if)"
_EACH = r"(?:each|every|all|any|some)"
_ALL = ("all", "every", "each")
_MORE = {"at least": ">=", "at most": "<=", "more than": ">", "fewer than": "<", "less than": "<", "exactly": "=="}
_HOW_MANY = "|".join(_MORE)
_TOP = {"top": "top", "bottom": "bottom", "first": "first", "last": "last", "topmost": "top", "uppermost": "top"}


def some_of(name: str | None, whole: str, condition: str) -> str:
    """`p in players where p.left > 0`, with a name if there is none; or `p.left for p in players`."""
    over = re.fullmatch(r"([^\W\d]\w*)\s+in\s+.+", condition, re.DOTALL)
    if over is not None and re.search(rf"(?<![.\w]){over[1]}(?!\w)", whole):
        return f"{whole} for {condition}"
    whole = re.sub(rf"^(?:{_EACH}|the)\s+(?=[^\W\d])", "", whole)
    used = [word for word in re.findall(r"(?<![.\w])([^\W\d]\w*)\s*\.", condition) if word not in ("this", "it", "me")]
    letter = name or next((word for word in used if len(word) == 1), whole[0] if whole[0].isalpha() else "x")
    named = ["this", "it"]
    if whole.isidentifier() and whole != letter:  # `plot where empty(plot)`, `players where player.out`
        named += [whole, whole[:-1]] if whole.endswith("s") else [whole]
    condition = re.sub(rf"(?<![.\w])(?:{'|'.join(named)})(?!\w)", letter, condition)
    if not used and whole == "players":  # nobody is `me` among all of them
        condition = re.sub(r"(?<![.\w])me(?=\.)", letter, condition)
    if whole == letter:  # `p where p.out`: of which, is not said
        whole = "players" if letter == "p" else "S"
    return f"{letter} in {whole} where {condition}"


def of_each(name: str | None, whole: str, value: str) -> str:
    """`p.out for p in players`: a value or a condition of every one."""
    letter, _, rest = some_of(name, whole, value).partition(" in ")
    over, _, value = rest.partition(" where ")
    return f"{value} for {letter} in {over}"


def as_wanted(some: str, wanted: str) -> tuple[str, str]:
    """What is said of `x in S where c` that stands alone, and what it becomes in its place."""
    if wanted == "condition":
        return "this asks nothing yet", f"any({some})"
    if wanted == "number":
        return "this is no number yet", f"count({some})"
    if wanted.startswith("one"):
        first = f"first({some})"
        return "several may be meant, and one is needed", first if wanted == "one or none" else f"the({first})"
    return "some of a set need `set(…)` around them", f"set({some})"


def of_kinds(place: Place) -> Iterator[Repair]:
    """`(x as card).cost`, `far(card or coin x)`: a piece of several kinds, and as one of them."""
    for found in re.finditer(r"\((\w+) as (\w+)\)|\b(\w+) as (\w+)\b", place.text):
        one, kind = found[1] or found[3], found[2] or found[4]
        if found.start() <= place.at <= found.end():
            help = f"ask first whether it is one, and read it then: `{one} in {kind} and {one}.…`"
            yield Repair(*found.span(), one, "E101", "nothing is turned into another kind", help)
    for found in re.finditer(r"\b(\w+(?: or \w+)+) (\w+)(?=\s*[,)])", place.text):
        if found.start() <= place.at <= found.end() and not found[1].split()[0].isdecimal():
            right = f"piece {found[2]}"
            asked = f"{found[2]} in {found[1].split()[0]}"
            help = f"for a piece of several kinds write `{right}`; whether it is of one is `{asked}`"
            yield Repair(*found.span(), right, "E101", "a name has one type", help, (right,))


def some_of_a_set(place: Place) -> Iterator[Repair]:
    """`players where this.left > 0`, `p in players where p.left > 0`: some of a set, without `set(…)` around it."""
    written = re.fullmatch(
        r"\s*(?:([^\W\d]\w*)\s+in\s+)?(\S.*?)\s+(where|with|having|who|which|that|when|if)\s+(\S.*?)\s*",
        place.text,
        re.DOTALL,
    )
    if written is None or place.inside() or place.start != "expr" or re.search(r"\bif\b.*\belse\b", place.text):
        return
    if (token := place.token()) is None or token.text != written[3]:
        return
    said, right = as_wanted(some_of(written[1], written[2], written[4]), place.wanted)
    begin = len(place.text) - len(place.text.lstrip())
    yield Repair(begin, len(place.text.rstrip()), right, "E101", said, f"write `{right}`", (right,))


def over_a_set(place: Place) -> Iterator[Repair]:
    """`any face where …`, `any n in S where …`, `any neighbor n of c where …`: a function over a set, without its
    brackets; and `sum(value of me.hand)`, where something of each is meant."""
    for found in re.finditer(r"\b(\w+)\s+(\w+)\s+(in|of)\s+(\S.*?)\s+(where\s+.+)$", place.text):
        if found[1] in FUNCTIONS and found[2] not in KEYWORDS["domain"] and found.start() <= place.at <= found.end():
            yield _in_brackets(found, f"{found[1]}({found[2]} in {found[4]} {found[5]})")
    for found in re.finditer(r"\b(\w+)\s+(\w+)\s+(\w+)\s+of\s+(\S.*?)\s+(where\s+.+)$", place.text):
        if found[1] in FUNCTIONS and found.start() <= place.at:
            near = nearest(found[2], FUNCTIONS)
            over = f"{near[0]}({found[4]})" if near else found[4]
            yield _in_brackets(found, f"{found[1]}({found[3]} in {over} {found[5]})")
    for found in re.finditer(r"\b(\w+)\(\s*([^\W\d]\w*)\s+where\s+(.+?)\s+in\s+([\w.]+)\s*\)", place.text):
        if found[1] in FUNCTIONS and found.start() <= place.at <= found.end():
            right = f"{found[1]}({found[2]} in {found[4]} where {found[3]})"
            said = "the condition comes last"
            yield Repair(*found.span(), right, "E101", said, f"write `{right}`", (right,))
    for found in re.finditer(r"\b(\w+)\(\s*([^\W\d]\w*)\s+of\s+([\w.\[\]]+)\s*\)", place.text):
        if found[1] in FUNCTIONS and found.start() <= place.at <= found.end():
            right = f"{found[1]}(x.{found[2]} for x in {found[3]})"
            said = f"`{found[2]} of {found[3]}` means nothing here"
            yield Repair(*found.span(), right, "E111", said, f"write `{right}`", (right,))
    for found in re.finditer(r"\b(\w+)\s+(\w+)\s+where\s+(.+?)(?=\s+(?:then|else)\b|$)", place.text):
        if found[1] in FUNCTIONS and found[2] not in KEYWORDS["domain"] and found.start() <= place.at <= found.end():
            yield _in_brackets(found, f"{found[1]}({some_of(None, found[2], found[3])})")


def _in_brackets(found: re.Match[str], call: str) -> Repair:
    said = f"`{found[1]}` is a function and needs brackets"
    return Repair(*found.span(), call, "E113", said, f"write `{call}`", (call,))


# ------------------------------------------------------------------------------------------------ in words

# Patterns are compiled where they are first asked for: nobody's rules that are well need them.
Asked = tuple[str, Callable[["re.Match[str]"], str | None]]


def _asked(pattern: str, written: Callable[[re.Match[str]], str | None]) -> Asked:
    return rf"\s*{pattern}\s*", written


_SET = r"(?P<set>[^\W\d][\w.]*(?:\[[^\]]*\]|\([^()]*\))?)"
_NAMED = rf"(?:(?P<name>[^\W\d]\w*)\s+in\s+)?{_SET}"
_SUCH = rf"(?:\s+{_WHERE}\s+(?P<such>\S.*?))?"
_NOUN = r"(?:(?!of\b|from\b|in\b)[^\W\d]\w*\s+)?"


def _some(m: re.Match[str]) -> str:
    """What is meant by the named parts of a pattern: all of a set, or some of it."""
    name = m["name"] if m["name"] and len(m["name"]) <= 2 else None
    if not m["such"]:
        return _members(m)
    return some_of(name, _members(m), m["such"])


def _members(m: re.Match[str]) -> str:
    """The set that is named, also where one of it is."""
    return "players" if m["set"] == "player" else str(m["set"])


def _counted(m: re.Match[str]) -> str:
    return f"count({_some(m)})"


def _there_is(m: re.Match[str]) -> str:
    return f"{'no' if (m['which'] or '').lower() == 'no' else 'any'}({_some(m)})"


def _all_are(m: re.Match[str]) -> str | None:
    is_function = m["what"] in FUNCTIONS
    if re.fullmatch(_EACH, m["set"]) or m["set"] in KEYWORDS["domain"] or m["what"] in KEYWORDS["domain"]:
        return None
    letter, whole = m["set"][0], _members(m)
    value = f"{m['what']}({letter})" if is_function else f"{letter}.{m['what']}"
    inside = f"{'not ' if m['negated'] else ''}{value}"
    if m["which"].lower() in _ALL:
        return f"all({inside} for {letter} in {whole})"
    return f"{'no' if m['which'].lower() == 'no' else 'any'}({letter} in {whole} where {inside})"


def _with_the_most(m: re.Match[str]) -> str:
    least = m["how"].lower() in ("least", "lowest", "fewest", "smallest", "minimum")
    whole = _members(m)
    letter = whole[0]
    return f"{'least' if least else 'most'}({letter} in {whole} by {letter}.{m['what']})"


# Whole expressions in words. The first that fits, and can be read, is told.
_WHOLE: tuple[Asked, ...] = (
    _asked(rf"for\s+{_EACH}\s+{_NAMED}\s*[,:]\s*(?P<what>\S.*?)",
           lambda m: f"all({of_each(m['name'], _members(m), m['what'])})"),
    _asked(rf"(?P<what>(?!\d+\s+for\b)\S.*?)\s+for\s+(?P<which>{_EACH}|no)\s+{_NAMED}",
           lambda m: f"all({of_each(m['name'], _members(m), m['what'])})" if m["which"].lower() in _ALL
           else f"{'no' if m['which'] == 'no' else 'any'}({some_of(m['name'], _members(m), m['what'])})"),
    _asked(rf"(?:there\s+(?:is|are|exists)|exists|is\s+there)\s+(?:(?P<which>an?|any|some|no|one)\s+)?{_NAMED}{_SUCH}",
           _there_is),
    _asked(rf"(?P<how>{_HOW_MANY})\s+(?P<n>\w+)\s+{_NAMED}{_SUCH}",
           lambda m: f"{_counted(m)} {_MORE[m['how'].lower()]} {m['n']}"),
    _asked(rf"(?:the\s+)?(?:number|count|amount)\s+of\s+{_NAMED}{_SUCH}", _counted),
    _asked(rf"(?:the\s+)?(?:sum|total)\s+of\s+(?P<what>\S.*?)\s+(?:for|of|over)\s+(?:all\s+)?{_NAMED}",
           lambda m: f"sum({of_each(m['name'], m['set'], _of_one(m))})"),
    _asked(rf"(?:the\s+)?{_SET}\s+(?:with|that has|who has|having)\s+(?:the\s+)?"
           r"(?P<how>most|highest|largest|greatest|maximum|least|lowest|fewest|smallest|minimum)\s+(?P<what>[^\W\d]\w*)",
           _with_the_most),
    _asked(rf"(?:the\s+)?(?P<end>{'|'.join(_TOP)})\s+(?:[^\W\d]\w*\s+)?(?:of|from|in)\s+(?:the\s+)?{_SET}",
           lambda m: f"{_TOP[m['end'].lower()]}({m['set']})"),
    _asked(rf"(?P<which>any|some|no)\s+(?P<name>[^\W\d]\w*)\s+in\s+{_SET}{_SUCH}", _there_is),
    _asked(rf"(?:all|every|each)\s+(?:the\s+)?[^\W\d]\w*\s+(?:in|of|from)\s+{_SET}", lambda m: m["set"]),
    _asked(rf"(?:all|every|each|any)\s+(?:the\s+)?(?P<kind>[^\W\d]\w*)\s+(?:on|at)\s+{_SET}",
           lambda m: f"pieces({m['set']}, {m['kind']})"),
    _asked(r"(?P<which>all|every|each|any|some|no)\s+(?P<set>[^\W\d]\w*)\s+(?:(?:is|are)\s+)?(?P<negated>not\s+)?"
           r"(?P<what>[^\W\d]\w*)", _all_are),
)  # fmt: skip

# What may be chosen, in words: how many of what.
_CHOSEN: tuple[Asked, ...] = (
    _asked(rf"(?:exactly|only|just)?\s*(?P<n>\d+)\s+{_NOUN}(?:of|from|in)\s+(?P<rest>\S.*?)",
           lambda m: f"{m['n']} of {m['rest']}"),
    _asked(rf"(?:at\s+most|up\s+to|max|maximum)\s+(?P<n>\w+)\s+{_NOUN}(?:of|from|in)\s+(?P<rest>\S.*?)",
           lambda m: f"0..{m['n']} of {m['rest']}"),
    _asked(rf"(?:at\s+least|min|minimum)\s+(?:1|one)\s+{_NOUN}(?:of|from|in)\s+(?P<rest>\S.*?)",
           lambda m: f"some of {m['rest']}"),
    _asked(rf"(?:at\s+least|min|minimum)\s+(?P<n>\w+)\s+{_NOUN}(?:of|from|in)\s+{_SET}",
           lambda m: f"{m['n']}..count({m['set']}) of {m['set']}"),
    _asked(rf"(?:from\s+|between\s+)?(?P<n>\d+)\s*(?:to|and|or|-)\s*(?P<m>\d+)\s+{_NOUN}(?:of|from|in)\s+(?P<rest>\S.*?)",
           lambda m: f"{m['n']}..{m['m']} of {m['rest']}"),
    _asked(r"(?:from|between)\s+(?P<n>\w+)\s+(?:to|and)\s+(?P<m>\w+)", lambda m: f"{m['n']}..{m['m']}"),
    _asked(rf"(?P<which>each|every|all|any)\s+(?P<rest>{_SET}\s+where\s+\S.*?)", lambda m: m["rest"]),
)  # fmt: skip


def _of_one(m: re.Match[str]) -> str:
    """`value` of each is `c.value`."""
    what: str = m["what"].removeprefix("the ").strip()
    return what if m["name"] or not what.isidentifier() else f"{m['set'].rpartition('.')[2][0]}.{what}"


def in_words(place: Place) -> Iterator[Repair]:
    """`there is a plot where …`, `at least 2 plots where …`, `player with the most score`, `up to 3 of me.hand`."""
    if place.start not in ("expr", "domain"):
        return
    text = place.text.strip()
    begin = place.text.index(text)
    over = re.fullmatch(rf"{_EACH}\s+(?P<name>[^\W\d]\w*)\s+in\s+(?P<rest>\S.*?)", text, re.DOTALL)
    if place.start == "domain" and over is not None:
        right = over["rest"]
        help = f"write `{over['name']}: {right}`: the name is the key, and `choose:` or the like says what is done"
        yield Repair(begin, begin + len(text), right, "E101", "a name is given by its key", help, (right,))
    for pattern, written in _CHOSEN if place.start == "domain" else _WHOLE:
        found = re.fullmatch(pattern, text, re.DOTALL | re.IGNORECASE)
        right = written(found) if found is not None else None
        if right and place.wanted.startswith("one") and right.startswith(("most(", "least(")):
            right = f"first({right})" if place.wanted == "one or none" else f"the(first({right}))"
        if right:
            said = f"`{text}` is not how this is written"
            yield Repair(begin, begin + len(text), right, "E111", said, f"write `{right}`", (right,))
