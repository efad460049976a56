"""What is said in half a sentence: `me if …`, `at least 0` behind a value, `rows 1 to 3`, `half of …`, `either …`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .foreign import number_meant
from .stopped import FUNCTIONS, KEYWORDS, Place, Repair

_VALUE = r"(?:[^\W\d][\w.]*(?:\[[^\]]*\]|\([^()]*\))*|\d+)"
_NUMBER = r"(?:\d+|[^\W\d][\w.]*(?:\([^()]*\))?)"
_LEAST = (
    r"min(?:imum)?(?:\s+of)?|"
    r"at\s+least|"
    r"but\s+(?:not|never)\s+(?:below|under|less\s+than)|"
    r"not\s+(?:below|less\s+than)|"
    r"never\s+(?:below|less\s+than)|"
    r"no\s+less\s+than|"
    r"down\s+to"
)
_MOST = (
    r"max(?:imum)?(?:\s+of)?|"
    r"at\s+most|"
    r"but\s+(?:not|never)\s+(?:above|over|more\s+than)|"
    r"not\s+(?:above|more\s+than)|"
    r"never\s+(?:above|more\s+than)|"
    r"no\s+more\s+than|"
    r"up\s+to|"
    r"capped\s+at"
)
_ROWS = {**dict.fromkeys(("row", "rows", "rank", "ranks", "line", "lines"), "y"),
         **dict.fromkeys(("column", "columns", "col", "cols", "file", "files"), "x")}  # fmt: skip
_LED_BY_TWO = ("at least", "at most", "up to", "exactly", "more than", "less than", "about", "around", "over", "under",
               "all of", "each of", "one of", "any of")  # fmt: skip
_LED_BY = ("for", "by", "to", "with", "as", "at", "on", "is", "then", "do", "let", "from", "in", "each", "every", "all",
           "if", "when", "where", "while", "until", "unless", "that", "only", "of")  # fmt: skip

_COMPARED = {"at least": ">=", "more than": ">", "at most": "<=", "less than": "<", "fewer than": "<", "exactly": "=="}

Said = tuple[str, Callable[["re.Match[str]"], str], str, str]


def comments(place: Place) -> Iterator[Repair]:
    """`deck  // mix it`: a comment as other languages begin it."""
    found = re.search(r"\s*(//|--|/\*)\s*(\S.*)$", place.text)
    if found is not None and found.start() and re.match(r"[^\W\d]\w*\b(?!\s*[(.\[])", found[2]):
        help = f"write `# {found[2].removesuffix('*/').strip()}`, with a blank before it"
        yield Repair(found.start(), len(place.text), "", "E108", "a comment begins with `#`", help)


def _axis(m: re.Match[str]) -> str:
    axis = _ROWS[m["what"].lower()]
    return f"this.{axis} in {m['a']}..{m['b']}" if m["b"] else f"this.{axis} == {m['a']}"


def _extreme(m: re.Match[str]) -> str:
    fold = "min" if m["how"].lower() in ("lowest", "least", "fewest", "smallest", "minimum") else "max"
    letter = m["x"].rpartition(".")[2][0]
    return f"{fold}({m['f']}({letter}) for {letter} in {m['x']})"


def _amount(word: str) -> str:
    number = number_meant(word)
    return word if number is None else str(number)


# A pattern for the whole text, what is written for it, what is said of it, and advice besides.
_WHOLE: tuple[Said, ...] = (
    (rf"(?P<x>\S.*?)\s*,?\s+(?:{_LEAST})\s+(?P<n>{_NUMBER})", lambda m: f"max({_amount(m['n'])}, {m['x']})",
     "a lower limit is written with `max`", "write `{right}`"),
    (rf"(?P<x>\S.*?)\s*,?\s+(?:{_MOST})\s+(?P<n>{_NUMBER})", lambda m: f"min({_amount(m['n'])}, {m['x']})",
     "an upper limit is written with `min`", "write `{right}`"),
    (rf"(?:(?:in|on)\s+)?(?:the\s+)?(?P<what>{'|'.join(_ROWS)})\s+(?P<a>\d+)(?:\s*(?:to|-|–|and|\.\.)\s*(?P<b>\d+))?",
     _axis, "use `x` and `y` to ask where a space is",
     "write `{right}`; if the space has a name here, use that name in place of `this`"),
    (rf"(?P<x>{_VALUE})\s*,?\s+(?:and\s+)?then\s+(?P<y>{_VALUE})", lambda m: f"[{m['x']}, {m['y']}]",
     "an order is written as a list", "write `{right}`"),
    (rf"(?P<x>{_VALUE})\s+(?:is\s+)?(?:in|on)\s+(?:the\s+)?(?:\w+\s+)?(?P<what>{'|'.join(_ROWS)})(?:\s+\d+)?",
     lambda m: f"{m['x']}.{_ROWS[m['what'].lower()]} == 1", "use `x` and `y` to ask where a space is",
     "write `{right}` with the number that is meant; of a piece `{x}.SPACE.y`, with the word for spaces"),
    (rf"(?P<n>\d+)\s*/\s*(?P<m>\d+)\s+of\s+(?:the\s+)?(?P<x>{_VALUE})",
     lambda m: f"{m['x']} / {m['m']}" if m["n"] == "1" else f"{m['x']} * {m['n']} / {m['m']}", "this is calculated",
     "write `{right}`"),
    (rf"(?P<x>{_VALUE})\s+(?:squared|to the power of 2)", lambda m: f"{m['x']} * {m['x']}", "this is calculated",
     "write `{right}`"),
    (rf"(?:append|push|add|plus)\s+(?P<x>{_VALUE})", lambda m: f"[{m['x']}]", "a value says all that will be there",
     "a list with one more is `LIST + {right}`, with its name for `LIST`"),
    (rf"(?:an?\s+)?(?:random|randomly\s+chosen)\s+(?P<x>{_VALUE})", lambda m: m["x"],
     "chance is a statement of its own", "write `- random: {{x: {x}}}` before it, and `x` here"),
    (rf"(?:the\s+)?(?P<end>first|last|bottom|top)\s+(?P<n>\w+)\s+(?P<what>{'|'.join(_ROWS)})",
     lambda m: f"this.{_ROWS[m['what'].lower()]} in 1..{_amount(m['n'])}", "use `x` and `y` to ask where a space is",
     "the first are `{right}`; the last are those above the rest, as in `this.y > 6` of eight"),
    (rf"half\s+(?:of\s+)?(?P<x>{_VALUE})", lambda m: f"{m['x']} / 2", "this is calculated", "write `{right}`"),
    (rf"(?:twice|double)\s+(?:of\s+)?(?P<x>{_VALUE})", lambda m: f"2 * {m['x']}", "this is calculated",
     "write `{right}`"),
    (r"either\s+(?P<a>\S.*?)\s+or\s+(?P<b>\S.*)", lambda m: f"{m['a']} or {m['b']}", "leave out `either`",
     "write `{right}`"),
    (r"both\s+(?P<a>\S.*?)\s+and\s+(?P<b>\S.*)", lambda m: f"{m['a']} and {m['b']}", "leave out `both`",
     "write `{right}`"),
    (r"neither\s+(?P<a>\S.*?)\s+nor\s+(?P<b>\S.*)", lambda m: f"not ({m['a']}) and not ({m['b']})",
     "`neither` is not a word of the rules", "write `{right}`"),
    (rf"(?P<x>{_VALUE})\s+(?:is\s+|lies\s+)?between\s+(?P<a>\w+)\s+and\s+(?P<b>\w+)",
     lambda m: f"{m['x']} in {m['a']}..{m['b']}", "use `in` for this", "write `{right}`"),
    (rf"(?P<n>\w+)\s+or\s+(?:more|higher|greater)\s+(?P<x>{_VALUE})", lambda m: f"{m['x']} >= {_amount(m['n'])}",
     "this is compared", "write `{right}`"),
    (rf"(?P<n>\w+)\s+or\s+(?:less|fewer|lower)\s+(?P<x>{_VALUE})", lambda m: f"{m['x']} <= {_amount(m['n'])}",
     "this is compared", "write `{right}`"),
    (rf"(?P<x>{_VALUE})\s*(?:>=|==|>|is|is\s+at\s+least)?\s*(?P<n>\d+)\s+or\s+(?:more|higher|greater|above)",
     lambda m: f"{m['x']} >= {m['n']}", "this is compared", "write `{right}`"),
    (rf"(?P<x>{_VALUE})\s*(?:<=|==|<|is|is\s+at\s+most)?\s*(?P<n>\d+)\s+or\s+(?:less|fewer|lower|below)",
     lambda m: f"{m['x']} <= {m['n']}", "this is compared", "write `{right}`"),
    (r"(?P<n>\d+)\s+(?:of\s+each|apiece|each|copies)(?:\s+\w+)?", lambda m: m["n"],
     "a number stands alone", "write `{right}`; for each of several sorts name them, as in `each: {{color: color}}`"),
    (r"(?P<n>\w+)\s+in\s+a\s+(?:row|line)", lambda m: f"line(s, {_amount(m['n'])}, of=me)", "use `line` for this",
     "write `{right}`, where `s` is the space that must be in the row"),
    (r"(?P<n>\w+)\s+(?:equal|same|alike|identical|matching)\s+(?P<x>[^\W\d][\w.]*)",
     lambda m: f"any(x in S where {m['x']}[x] >= {_amount(m['n'])})", "count each sort to find equal ones",
     "write `{right}` where `S` is the type of the sorts"),
    (r"(?P<n>\w+)\s+of\s+a\s+kind(?:\s+(?:in|of|among)\s+(?P<x>[^\W\d][\w.]*))?",
     lambda m: f"any(x in S where {m['x'] or 'dice'}[x] >= {_amount(m['n'])})",
     "count each sort to find equal ones", "write `{right}` where `S` is the type of the sorts"),
    (r"(?:the\s+)?(?:fewest|least|lowest|smallest|less|fewer)\s+(?P<x>(?:count|sum|total|min|max)\(.*\))",
     lambda m: f"-{m['x']}", "more is better here", "if less is better, write `{right}`"),
    (r"(?:the\s+)?(?:most|more|highest|greatest|largest)\s+(?P<x>(?:count|sum|total|min|max)\(.*\))",
     lambda m: f"{m['x']}", "more is better here anyway", "write `{right}`"),
    (r"(?:the\s+)?(?P<how>highest|greatest|most|largest|maximum|lowest|least|fewest|smallest|minimum)\s+"
     r"(?P<f>[^\W\d]\w*)\((?P<x>[^\W\d][\w.]*)\)", lambda m: _extreme(m), "ask this of each one",
     "write `{right}`; to find who has it, use `most(x in S by …)`"),
    (rf"(?P<x>{_VALUE})\s+(?:percent|per\s+cent)\s+of\s+(?P<y>{_VALUE})", lambda m: f"{m['y']} * {m['x']} / 100",
     "this is calculated", "write `{right}`"),
    (rf"(?P<x>{_VALUE})\s+(?:has|have|owns|holds)\s+(?P<how>at\s+least|more\s+than|at\s+most|less\s+than|fewer\s+than|exactly)"
     rf"\s+(?P<n>\w+)\s+(?P<y>[^\W\d]\w*)",
     lambda m: f"{m['x']}.{m['y']} {_COMPARED[' '.join(m['how'].lower().split())]} {_amount(m['n'])}",
     "this is compared", "write `{right}`"),
    (r"(?:the\s+)?(?P<what>[^\W\d]\w*)\s+(?:on|at)\s+(?:the\s+)?(?P<x>[^\W\d][\w.]*)",
     lambda m: f"{m['x']}.{m['what']}", "use a dot for what is on a space", "write `{right}`"),
)  # fmt: skip


def sentences(place: Place) -> Iterator[Repair]:
    """Whole expressions that are half a sentence."""
    if place.start not in ("expr", "domain"):
        return
    text = place.text.strip()
    begin = place.text.index(text)
    for pattern, written, said, advice in _WHOLE:
        found = re.fullmatch(pattern, text, re.DOTALL | re.IGNORECASE)
        if found is not None and not _compares(text, place.wanted):
            right = written(found)
            help = advice.format(right=right, x=found.groupdict().get("x"))
            known = (right,) if "S where" not in right and "line(s" not in right and "{x}" not in advice else ()
            yield Repair(begin, begin + len(text), right, "E111", f"`{text}`: {said}", help, known)


_COMPARES = re.compile(
    r"[^,]*\s(?:at\s+(?:least|most)|not\s+(?:below|above|less\s+than|more\s+than))\s[^,]*", re.IGNORECASE
)


def _compares(text: str, wanted: str) -> bool:
    """`n at least 3` asks, unless a number is wanted; `n, at least 3` bounds."""
    return wanted != "number" and _COMPARES.fullmatch(text) is not None


_WHETHER = re.compile(r"\s*(?P<x>\S.*?)\s+(?P<word>if|when|unless|provided|only if)\s+(?P<c>\S.*?)\s*", re.DOTALL)


_INSIDE = (
    (r"\b(?P<x>players(?:\s+from\s+\w+)?)\s+"
     r"(?:counter-?_?clockwise|anti-?clockwise|backwards?|reversed|in\s+reverse)(?P<n>)",
     "reversed({x})", "for the opposite order use `reversed`", "write `{right}`"),
    (r"\b(?P<x>[^\W\d]\w*\([^()]*\))\s+(?:could|can|may|might|would)\s+(?:give|make|reach|bring|lead\s+to|result\s+in)\s+"
     r"(?P<n>\S.*)", "possible({x}, {n})", "use `possible` to ask what an effect could lead to",
     "write `{right}`; if the effect asks nobody, `would(…)`"),
    (r"(?<![\w.])me\s+can\s+(?:pay|afford|buy)(?:\s+for)?\s+(?P<n>[^\W\d][\w.]*(?:\([^()]*\))?)(?P<x>)", "payable({n})",
     "use `payable` to ask whether something can be paid", "write `{right}`"),
    (r"(?P<x>[^\W\d][\w.]*(?:\s*\+\s*[^\W\d][\w.]*)*)\s+can\s+(?:pay|afford|buy)(?:\s+for)?\s+"
     r"(?P<n>[^\W\d][\w.]*(?:\([^()]*\))?)", "payable({n}, out_of={x})",
     "use `payable` to ask whether something can be paid",
     "write `{right}`; of a player `p` it is `payable({n}, by=p)`"),
    (r"\(\s*do\s+(?P<x>[^\W\d]\w*\()(?P<n>)", "({x}", "an effect is called by its name alone", "write `{x}…)`"),
    (r"\b(?P<x>[^\W\d][\w.]*)\s+left(?:\s*(?P<op>>|>=|==|<|<=)\s*(?P<n>\w+))?", "count({x}) {op} {n}",
     "use `count` for how many are left", "write `{right}`; pieces that are not in play yet are `reserve(KIND)`"),
    (r"\bsum\s+of\s+(?P<x>[^\W\d][\w.]*)\s+(?:and|with)\s+(?P<n>[^\W\d][\w.]*)", "{x} + {n}",
     "add numbers with `+`", "write `{right}`"),
    (r"(?<![\w.])(?P<n>-?\d+)\s+(?:per|for\s+each|for\s+every|each)\s+(?P<x>[^\W\d][\w.]*)(?!\w|\s+in\b)", "{n} * {x}",
     "this is calculated", "write `{right}`, with how many there are in place of `{x}`"),
    (r"\b(?P<x>[^\W\d][\w.]*)\s+on\s+(?:the\s+)?board\b(?P<n>)", "x in {x} where x.SPACE",
     "ask the piece where it is",
     "write `{x} where x.space`, with the name that is chosen for `x` and the word for spaces for `space`"),
    (rf"\b(?P<x>[^\W\d][\w.]*)\s+(?:is\s+)?(?:in|on)\s+(?:the\s+)?(?:first|last|top|bottom|back|home|own|far|next)\s+"
     rf"(?:{'|'.join(_ROWS)})(?P<n>)", "{x}.y == 1", "use `x` and `y` to ask where a space is",
     "write `{right}` with the number that is meant; of a piece `{x}.SPACE.y`, with the word for spaces"),
    (r"\bhalf\s+(?:of\s+)?(?:the\s+)?(?P<x>[^\W\d][\w.]*)(?P<n>)", "{x} / 2", "this is calculated", "write `{right}`"),
    (r"\b(?:twice|double)\s+(?:of\s+)?(?:the\s+)?(?P<x>[^\W\d][\w.]*)(?P<n>)", "2 * {x}", "this is calculated",
     "write `{right}`"),
    (r"\b(?P<n>\w+)\s+<=?\s+(?P<x>[^\W\d][\w.]*)\s+<=\s+(?P<m>\w+)", "{x} in {n}..{m}",
     "comparisons do not chain", "write `{right}`"),
    (r"\b(?P<n>\w+)\s+(?:equal|same|alike|identical|matching)\s+(?P<x>[^\W\d][\w.]*)",
     "any(x in S where {x}[x] >= {n})",
     "count each sort to find equal ones", "write `{right}` where `S` is the type of the sorts"),
    (r"\b(?P<n>\w+)\s+in\s+a\s+(?:row|line)\b(?P<x>)", "line(s, {n}, of=me)", "use `line` for this",
     "write `{right}`, where `s` is the space that must be in the row"),
    (r"\b(?P<x>[^\W\d][\w.]*)\s+(?:>=|==|is)?\s*(?P<n>\d+)\s+or\s+(?:more|higher|greater|above)\b", "{x} >= {n}",
     "this is compared", "write `{right}`"),
    (r"\b(?P<x>[^\W\d][\w.]*)\s+(?:<=|==|is)?\s*(?P<n>\d+)\s+or\s+(?:less|fewer|lower|below)\b", "{x} <= {n}",
     "this is compared", "write `{right}`"),
)  # fmt: skip


_BOUNDS = (
    (r"(?:more|higher|greater|larger)\s+than\s+(?P<n>\S.*)", "{n} + 1..…", "up to the most that there may be"),
    (r"(?:less|fewer|lower|smaller)\s+than\s+(?P<n>\S.*)", "0..{n} - 1", ""),
    (r"at\s+least\s+(?P<n>\S.*)", "{n}..…", "up to the most that there may be"),
    (r"(?:at\s+most|up\s+to|max(?:imum)?)\s+(?P<n>\S.*)", "0..{n}", ""),
    (r"any\s+(?:number|amount)(?:\s+up\s+to\s+(?P<n>\S.*))?", "0..{n}", ""),
)


def bounds_of_choice(place: Place) -> Iterator[Repair]:
    """`more than bid`, `up to me.purse`, where numbers are chosen from."""
    if place.start != "domain":
        return
    text = place.text.strip()
    for pattern, form, more in _BOUNDS:
        if (found := re.fullmatch(pattern, text, re.IGNORECASE | re.DOTALL)) and " of " not in text:
            right = form.format(n=found["n"] or "10")
            begin = place.text.index(text)
            help = f"write the possible numbers: `{right}`{f', {more}' if more else ''}"
            said = f"`{text}` is no range of numbers"
            yield Repair(begin, begin + len(text), right.replace("…", "100"), "E101", said, help)


def half_sentences(place: Place) -> Iterator[Repair]:
    """The same as a part of an expression: `if five equal dice then 50 else 0`."""
    for pattern, form, said, advice in _INSIDE:
        for found in re.finditer(pattern, place.text):
            if found.start() <= place.at <= found.end() and found["x"] not in KEYWORDS["domain"]:
                more = found.groupdict()
                op, number = (more["op"] or ">", found["n"] or "0") if "op" in more else ("", found["n"])
                right = form.format(x=found["x"], n=_amount(number), m=more.get("m"), op=op)
                if "x.SPACE" in right:
                    help = advice.format(right=right, x=found["x"])
                    yield Repair(*found.span(), found["x"], "E111", f"`{found[0]}`: {said}", help)
                    continue
                code = "E109" if "chain" in said else "E111"
                help = advice.format(right=right, x=found["x"], n=number)
                yield Repair(*found.span(), right, code, f"`{found[0]}`: {said}", help)


def only_if(place: Place) -> Iterator[Repair]:
    """`me if to in goal`, `2 when me.rich`: whether something is so comes before it."""
    found = _WHETHER.fullmatch(place.text)
    if found is None or place.start not in ("expr", "domain") or place.inside():
        return
    if re.search(r"\b(?:then|else|otherwise|where)\b", place.text) or re.match(r"(?:if|when)\b", place.text.strip()):
        return
    value, condition = found["x"].strip(), found["c"]
    if found["word"] == "unless":
        condition = f"not ({condition})"
    one = re.fullmatch(r"me(?:\.[\w.]+)?|opponent|turn_player|-?\d+|true|false|\w+\(.*\)|.*[-+*/%<>=].*", value)
    if one is None or re.search(r"(?<![\w.])[a-z]\.", condition):  # `me.hand if c.value > 1`: some of a set
        return
    said = "the condition comes first"
    begin = len(place.text) - len(place.text.lstrip())
    end = len(place.text.rstrip())
    if place.wanted == "condition":
        right = f"{value} and {condition}" if value != "true" else condition
        yield Repair(begin, end, right, "E101", "both must hold", f"write `{right}`", (right,))
        return
    other = "0" if place.wanted == "number" or value.lstrip("-").isdigit() else "none"
    right = f"if {condition} then {value} else {other}"
    help = (
        f"for a statement, write `- if: {condition}`, and below it `then:` with the statement; "
        f"of a value write `{right}`"
    )
    if place.wanted == "number":
        help = f"write `{right}`; or `- if: {condition}`, and below it `then:` with the statement"
    yield Repair(begin, end, right, "E101", said, help)


def blank_lists(place: Place) -> Iterator[Repair]:
    """`[d1 d2 d6]`, `me and opponent, p`: things in a list without commas."""
    for found in re.finditer(r"\[\s*([\w.]+(?:\s+[\w.]+)+)\s*\]", place.text):
        words = found[1].split()
        if found.start() <= place.at <= found.end() and not {*words} & {*KEYWORDS["domain"]}:
            right = f"[{', '.join(words)}]"
            yield Repair(*found.span(), right, "E101", "commas are missing in this list", f"write `{right}`", (right,))
    text = place.text.strip()
    begin = place.text.index(text) if text else 0
    if re.fullmatch(r"[^\W\d]+\d+(?:\s+[^\W\d]+\d+)+", text):  # `a1 a8`: names of spaces
        right = f"[{', '.join(text.split())}]"
        yield Repair(begin, begin + len(text), right, "E101", "commas are missing in this list", f"write `{right}`")
    listed = re.fullmatch(r"[^\W\d][\w.]*(?:\s*,\s*(?:and\s+)?[^\W\d][\w.]*)+(?:\s+and\s+[^\W\d][\w.]*)?", text)
    if listed is not None and place.start in ("expr", "domain"):
        words = [word for word in re.findall(r"[\w.]+", text) if word != "and"]
        right = f"[{', '.join(words)}]"
        said = "several things are listed in square brackets"
        yield Repair(begin, begin + len(text), right, "E108", said, f"write `{right}`", (right,))


def led_by(place: Place) -> Iterator[Repair]:
    """`for players`, `to me.hand`: a word before the value that the key says already."""
    for phrase in _LED_BY_TWO:
        if found := re.match(rf"\s*{phrase}\s+(?=\S)", place.text, re.IGNORECASE):
            rest = place.text[found.end() :].strip()
            said = f"`{phrase}` does not belong here"
            if phrase in ("up to", "at most") and place.wanted == "number":
                help = f"write `{rest}`; where there may be less, `min({rest}, …)` with how many there are"
                yield Repair(found.start(), found.end(), "", "E101", said, help)
            yield Repair(found.start(), found.end(), "", "E101", said, f"write `{rest}`", (rest,))
    first = place.tokens[0] if len(place.tokens) > 1 else None
    if first is None or first.text.lower() not in _LED_BY or place.start not in ("expr", "domain"):
        return
    if first.text.lower() in FUNCTIONS and place.tokens[1].text == "(":
        return
    rest = place.text[place.tokens[1].start :].strip()
    said = f"`{first.text}` does not belong here"
    yield Repair(first.start, place.tokens[1].start, "", "E101", said, f"write `{rest}`")


_AFTER_A_DOT = re.compile(r"([^\W\d][\w.]*)\.(\d+)(?![\w.])")


def numbers_after_dots(place: Place) -> Iterator[Repair]:
    """`dice.1`, `board.3`: after a dot stands a name."""
    for found in _AFTER_A_DOT.finditer(place.text):
        if found.start() <= place.at <= found.end():
            right = f"{found[1]}[{found[2]}]"
            help = f"use the number in square brackets: `{right}`"
            yield Repair(*found.span(), right, "E101", f"a name follows a dot, not `{found[2]}`", help)


_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_EXAMPLES = {
    "condition": "a condition compares or asks, as in `me.gold >= 3`, `any(c in me.hand where c.value > 2)`",
    "number": "a number is calculated, as in `count(me.hand)`, `sum(c.value for c in me.hand)`",
}


def prose(text: str, at: int, wanted: str) -> tuple[str, str] | None:
    """What is said of a sentence, where an expression must be: three words in a row, that are none of the language."""
    run, end = 0, -1
    if re.search(r"\bbecause\b", text):  # a key of its own
        return None
    for word in _WORD.finditer(text):
        beside = not text[end : word.start()].strip() if end >= 0 else True
        known = word[0].lower() in KEYWORDS["domain"] or text[word.end() : word.end() + 1] in ("(", ".", "[", "_")
        run = 0 if known else run + 1 if beside else 1
        end = word.end()
        if run >= 3 and word.end() >= at:
            usual = "use names, numbers and functions, as in `count(me.hand) > 2`"
            return "this is a sentence, and the rules need an expression", _EXAMPLES.get(wanted, usual)
    return None


__all__ = [
    "blank_lists", "bounds_of_choice", "comments", "half_sentences", "led_by", "numbers_after_dots", "only_if", "prose",
    "sentences",
]  # fmt: skip
