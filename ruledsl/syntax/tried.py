"""Words for which there are several ways to write them, of which only the game can say the right one.

`m is king` asks `m.king` where `king` is a state of men, and `m == king` where it is a kind. Each way is tried out:
what means nothing here is never advised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .stopped import KEYWORDS, Place, Repair

_NAME = r"[^\W\d][\w.]*(?:\[[^\]]*\]|\([^()]*\))?"
_WORD = r"[^\W\d]\w*"
_ALL = r"(?:all|both|every|each)\s+(?:the\s+)?(?:players?|of\s+them|sides?)|both|all|everyone|everybody"
_ANY = r"anyone|anybody|someone|somebody|(?:any|some|one|a)\s+player"
_NONE = r"nobody|no\s+one|no\s+player|none\s+of\s+them"

Ways = Callable[["re.Match[str]"], tuple[str, ...]]


def _states(word: str) -> tuple[str, ...]:
    """`passed` for `pass`, `has_passed` and the like."""
    root = word.removesuffix("s") if word.endswith("s") and not word.endswith("ss") else word
    forms = (word, f"{word}ed", f"{root}ed", f"{root}d", f"has_{word}", f"is_{word}", f"has_{root}ed")
    return tuple(dict.fromkeys(forms))


def _counted(word: str) -> tuple[str, ...]:
    """How many there are of something, under the names that it may have."""
    forms = dict.fromkeys((word, f"{word}s", f"{word}es", word.removesuffix("y") + "ies"))
    return tuple(form for one in forms for form in (f"me.{one}", one, f"count(me.{one})", f"count({one})"))


_MORE = {"at least": ">=", "at most": "<=", "more than": ">", "fewer than": "<", "less than": "<", "exactly": "=="}
_HOW_MANY = "|".join(_MORE)


def _compared(m: re.Match[str], name: str) -> str:
    """`any(p in players where p.prestige >= 15)`."""
    asked = f"p.{name} {_MORE[' '.join(m['how'].lower().split())]} {m['n']}"
    if re.fullmatch(_ALL, m["who"], re.IGNORECASE):
        return f"all({asked} for p in players)"
    return f"{'no' if re.fullmatch(_NONE, m['who'], re.IGNORECASE) else 'any'}(p in players where {asked})"


def _of_players(function: str) -> Ways:
    alone = "not {}" if function == "no" else "{}"
    each = {"all": "all({} for p in players)", "any": "any(p in players where {})", "no": "no(p in players where {})"}
    return lambda m: tuple(
        form.format(state if form is alone else f"not p.{state}" if m["negated"] else f"p.{state}")
        for form in (each[function], alone)
        for state in _states(m["what"])
    )


_TRIED: tuple[tuple[str, Ways, str], ...] = (
    (rf"\b(?P<x>{_NAME})\s+(?:is|was|has|are|have)\s+(?P<negated>not\s+)?(?:been\s+|an?\s+|the\s+)?(?P<what>{_WORD})",
     lambda m: tuple(f"{'not ' if m['negated'] else ''}{m['x']}.{state}" for state in _states(m["what"])),
     "whether it is so is asked after a dot"),
    (rf"\b(?:sum|total|number|amount|count)\s+of\s+(?:the\s+|all\s+)?(?P<x>{_NAME})",
     lambda m: (f"total({m['x']})", f"count({m['x']})"), "this is asked by a function"),
    (rf"\b(?P<what>{_WORD})\s+(?:of|from|for)\s+(?:the\s+)?(?P<x>{_NAME})",
     lambda m: (f"{m['x']}.{m['what']}", f"{m['what']}({m['x']})", f"{m['what']}[{m['x']}]"),
     "whose it is stands before a dot"),
    (rf"(?P<who>{_ALL}|{_ANY}|{_NONE})\s+(?:has|have|with)\s+(?P<how>{_HOW_MANY})\s+(?P<n>\w+)\s+(?:of\s+)?(?P<what>{_WORD})",
     lambda m: tuple(_compared(m, name) for name in (m["what"], f"{m['what']}s", m["what"].removesuffix("s"))),
     "this is asked of each player"),
    (rf"\b(?P<x>{_NAME})\s+(?P<with>without|with)\s+(?:an?\s+|any\s+)?(?P<what>{_WORD})",
     lambda m: (f"set(x in {m['x']} where {'not ' if m['with'] == 'without' else ''}x.{m['what']})",),
     "some of a set are asked for by `where`"),
    (rf"(?:{_ALL})\s+(?:(?:have|has|are|is|did)\s+)?(?P<negated>not\s+)?(?P<what>{_WORD})", _of_players("all"),
     "this is asked of each player"),
    (rf"(?:{_ANY})\s+(?:(?:have|has|are|is|did)\s+)?(?P<negated>not\s+)?(?P<what>{_WORD})", _of_players("any"),
     "this is asked of each player"),
    (rf"(?:{_NONE})\s+(?:(?:have|has|are|is|did)\s+)?(?P<negated>not\s+)?(?P<what>{_WORD})", _of_players("no"),
     "this is asked of each player"),
    (rf"(?P<n>-?\d+)\s+(?:points?\s+)?(?:per|for\s+each|for\s+every|for\s+an?|each|times)\s+(?P<what>{_WORD})",
     lambda m: tuple(f"{m['n']} * {one}" for one in _counted(m["what"])), "this is calculated"),
    (rf"(?<![\w.])(?P<a>{_WORD})[ -]+(?P<b>{_WORD})(?![\w(])",
     lambda m: (f"{m['a']}_{m['b']}", f"{m['a']}{m['b']}"), "names have no blanks and no hyphens"),
    (rf"(?P<a>{_NAME})(?P<op>\s*[=!<>]=\s*|\s*[<>]\s*)(?P<b>{_NAME})(?:\s+or\s+|\s*,\s*)(?P<c>{_NAME})",
     lambda m: (f"{m['a']} in [{m['b']}, {m['c']}]",) if "==" in m["op"] else (), "several are compared by a list"),
)  # fmt: skip


def tried_out(place: Place) -> Iterator[Repair]:
    """All ways that any of these can be written in; the caller knows which of them means something."""
    if place.start not in ("expr", "domain"):
        return
    for pattern, ways, said in _TRIED:
        for found in re.finditer(pattern, place.text, re.IGNORECASE):
            words = {word for word in (found.groupdict().get("x"), found.groupdict().get("what")) if word}
            if not found.start() <= place.at <= found.end() or words & {*KEYWORDS["domain"]}:
                continue
            for right in ways(found):
                told = f"`{found[0]}`: {said}"
                yield Repair(*found.span(), right, "E111", told, f"write `{right}`", (right,))


# Questions in words, and how they are asked; each with what is said of them.
_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str], str], ...] = (
    (
        re.compile(r"([\w.]+(?:\[[^\]]*\]|\([^()]*\))?)\s+(?:is\s+(?!not\b)|(?:is\s+)?(not)\s+)empty\b"),
        lambda m: f"{'any' if m[2] else 'no'}({m[1]})",
        "{right}`, of a space `{not}empty({one})`, of a value that may be none `{one} {equal} none",
    ),
    (
        re.compile(r"([\w.]+(?:\[[^\]]*\]|\([^()]*\))?)\s+(?:exists|is\s+there|is\s+present|is\s+set)()\b"),
        lambda m: m[1],
        "{right}` alone; and for none `not {right}",
    ),
    (
        re.compile(r"([\w.]+(?:\[[^\]]*\])?)\s+(?:has|have|contains?|includes?)\s+(?:a\s+|an\s+)?([\w.]+)"),
        lambda m: f"{m[2]} in {m[1]}",
        "{one}.{other}` for whether it has one, `{one}.{other} > 0` of a number; and if it is in a set, `{right}",
    ),
    (
        re.compile(r"\b([^\W\d]\w*)\s+(?:is\s+)?not\s+(?!in\b|empty\b)([^\W\d]\w*)(?![\w.(\[])"),
        lambda m: f"not {m[1]}.{m[2]}",
        "{right}`, or to compare it `{one} != {other}",
    ),
)  # fmt: skip


def questions(place: Place) -> Iterator[Repair]:
    """`me.bar is empty`, `me.hand has c`, `p not folded`."""
    for asked, written, advice in _QUESTIONS:
        for found in asked.finditer(place.text):
            if found.start() <= place.at <= found.end() and found[1] not in KEYWORDS["domain"]:
                right = written(found)
                negated = "not " if found[2] == "not" else ""
                equal = "!=" if found[2] == "not" else "=="
                told = {"right": right, "not": negated, "one": found[1], "other": found[2], "equal": equal}
                help = advice.format_map(told)
                said = f"`{found[0]}` cannot be asked like this"
                yield Repair(*found.span(), right, "E108", said, f"write `{help}`", (right,))


__all__ = ["questions", "tried_out"]
