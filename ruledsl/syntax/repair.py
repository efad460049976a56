"""What an expression that cannot be read was meant to be: the small change after which it can be read.

A parser stops where nothing goes on, and that is rarely where the slip is: behind `whree` it waits for an operator.
So the changes that somebody's hand, another language, a keyboard or a spreadsheet explain are made one at a time
around the place, and the grammar says which of them helps. A change counts if the whole can be read then; if there
are further slips, if the reading comes a good way past the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ruledsl.diagnostics.suggest import nearest
from ruledsl.source.explain import AMOUNT, summed

from .asked import in_words, of_kinds, over_a_set, some_of_a_set
from .foreign import NOTES, SIGNS, WORDS, number_meant, range_meant
from .sentences import (
    blank_lists,
    bounds_of_choice,
    comments,
    half_sentences,
    led_by,
    numbers_after_dots,
    only_if,
    prose,
    sentences,
)
from .stopped import FUNCTIONS, KEYWORDS, Place, Repair, Token, Tried
from .tried import questions, tried_out
from .type_words import made_with, one_of_words

Reads = Callable[[str], int | None]  # where a text can be read no further; None if it can be read

_GROUPED = re.compile(r"\d{1,3}(?:[_'’ \u00a0\u2009\u202f]\d{3})+(?![\w.])|\d{1,3}(?:[,.]\d{3})+(?![\w.])|\d+(?:_\d+)+")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_RANGE = re.compile(r"(?:from |between )?\b\w+ ?(?:\.\.\.+|\.|…|‥|-|–|—|−|:|~|to|up to|and|bis|до) ?\d+\b")
_POWER_OF_TEN = re.compile(r"(\d{1,9})[eE](\d)(?!\w)")
_DICE = re.compile(r"(\d*)[dDwWкК](\d+)")
_QUOTES = re.compile(r"[\"“”„«»‘’‚‹›'`]([^\"“”„«»‘’‚‹›'`]*)[\"“”„«»‘’‚‹›'`]")
_PREFIXES = ("", "if", "not")
_MOST_TRIED = 120
_UNITS = ("times", "points", "cards", "coins", "pieces", "dice", "players", "spaces", "steps", "tokens", "turns")
_OF_AMOUNTS = ("payable", "missing", "total")


def repair(
    text: str, start: str, at: int, reads: Reads, wanted: str = "", means: Callable[[str], bool] | None = None
) -> Tried:
    """The change that lets a text be read which stops at `at`; none if no single one does.

    `wanted` tells what the place needs, where that is known: a `condition`, a `number` or `one` thing. `means` tells
    whether what can be read then means something here: such a change comes before others.
    """
    place = Place(text, start, at, wanted)
    begun: list[Repair] = []
    first: Repair | None = None
    tried = 0
    for group in (
        comments,
        _headers,
        _ends,
        bounds_of_choice,
        sentences,
        only_if,
        half_sentences,
        of_kinds,
        in_words,
        blank_lists,
        one_of_words,
        made_with,
        _bare_where,
        _phrases,
        _ranges,
        numbers_after_dots,
        _numbers,
        _counting,
        _with_more,
        _so_many_of,
        counted_of,
        _signs,
        _quotes,
        _lone_commas,
        _functions_of,
        some_of_a_set,
        questions,
        over_a_set,
        _words,
        _calls,
        _brackets,
        after_its_value,
        led_by,
        _missing,
        _too_much,
    ):
        good, meant = list[Repair](), list[Repair]()
        for change in group(place):
            tried += 1
            if tried > _MOST_TRIED:
                break
            changed = text[: change.start] + change.new + text[change.end :]
            stop = reads(changed)
            if change.only_meant and (stop is not None or means is None or not means(changed)):
                continue
            if stop is None:
                good.append(change)
                meant += [change] if means is not None and means(changed) else []
            elif stop + len(text) - len(changed) >= place.far:
                begun.append(change)
        if good and (meant or means is None):
            right = _either(meant or good)
            if meant and group is questions:  # one of its ways is known to mean something here
                right = replace(right, help=f"write `{right.new}`")
            is_whole = bool(right.suggestions) or group not in (sentences, half_sentences, _with_more)
            return Tried(right, is_sure=bool(meant) and is_whole)
        if good:
            first = first or _weighed(_either(good), group)
    if means is not None:
        for change in tried_out(place):
            changed = text[: change.start] + change.new + text[change.end :]
            if reads(changed) is None and means(changed):
                return Tried(change, is_sure=True)
    if first is not None:
        return Tried(first)
    if begun and prose(text, at, wanted) is None:
        return Tried(replace(begun[0], weak=True))
    return Tried(None)


def _weighed(found: Repair, group: Callable[[Place], Iterator[Repair]]) -> Repair:
    """A change that can be read and means nothing here: of some sorts that is no more than a guess."""
    is_guess = (group in _GUESSES and found.code != "E113") or (not found.new and not found.suggestions)
    return replace(found, weak=True) if is_guess else found


def _either(good: list[Repair]) -> Repair:
    """Of several words that could be meant in one place, all are named."""
    first = good[0]
    others = [
        g for g in good[1:] if (g.start, g.end, g.code) == (first.start, first.end, first.code) == _word_of(first)
    ]
    words = tuple(dict.fromkeys(word for one in (first, *others) for word in one.suggestions))
    if len(words) < 2:
        return first
    help = f"did you mean {', '.join(f'`{w}`' for w in words[:-1])} or `{words[-1]}`?"
    return Repair(first.start, first.end, first.new, first.code, first.message, help, words)


def _word_of(one: Repair) -> tuple[int, int, str]:
    return one.start, one.end, "E111"


# ------------------------------------------------------------------------------------------------ numbers


def _numbers(place: Place) -> Iterator[Repair]:
    """`1_000`, `1 000`, `3.5`, `2d6`, `3x`."""
    for found in _GROUPED.finditer(place.text):
        if _touches(found, place.at):
            plain = re.sub(r"\D", "", found[0])
            yield Repair(*found.span(), plain, "E112", f"`{found[0]}` is not a number in the rules",
                         f"write `{plain}`", (plain,))  # fmt: skip
    if place.wanted != "number" and (space := re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", place.text)):
        right = f"board[{space[1]}, {space[2]}]"
        help = f"write `{right}`, with the name of the board"
        yield Repair(0, len(place.text), right, "E108", "a space by its coordinates comes after its board", help)
    for found in re.finditer(r"(?<![\w.])(\d+)\+(?=\s*[,)\]]|\s*$)", place.text):
        if _touches(found, place.at - 1) or _touches(found, place.at):
            said = f"`{found[0]}` is not how a number is written here"
            yield Repair(*found.span(), found[1], "E112", said, f"write `{found[1]}`; to ask for more, compare by `>=`")
    for found in _DECIMAL.finditer(place.text):
        if _touches(found, place.at):
            yield _no_fraction(*found.span(), found[0])
    for found in _POWER_OF_TEN.finditer(place.text):
        if _touches(found, place.at):
            plain = str(int(found[1]) * 10 ** int(found[2]))
            yield Repair(*found.span(), plain, "E112", f"`{found[0]}` is not a number in the rules",
                         f"write `{plain}`", (plain,))  # fmt: skip
    for found in _DICE.finditer(place.text):
        if _touches(found, place.at) and found[1]:
            help = f"a die is `1..{found[2]}`; several dice are thrown one by one, and added up"
            yield Repair(*found.span(), f"1..{found[2]}", "E112", f"`{found[0]}` is no number", help)
    token, before = place.token(), place.token(-1)
    if token is not None and before is not None and before.text.isdigit() and place.start in ("type", "header"):
        yield from _bounds(place, before)
    if token is None and place.start == "type" and before is not None and before.text.isdigit():
        yield from _bounds(place, before)


def _touches(found: re.Match[str], at: int) -> bool:
    return found.start() <= at <= found.end()


def _no_fraction(start: int, end: int, number: str) -> Repair:
    whole, part = re.split("[.,]", number)
    if not part.strip("0"):
        return Repair(
            start, end, whole, "E112", f"`{number}` is not a number in the rules", f"write `{whole}`", (whole,)
        )
    help = "numbers are whole: count in a smaller unit, as in halves or cents, or divide by `/` at the end"
    return Repair(start, end, whole, "E112", f"`{number}` is not a whole number", help)


def _headers(place: Place) -> Iterator[Repair]:
    """`call-up(card c)`, `call_up card c`, `call_up[card c]`: a name with its parameters."""
    if place.start != "header":
        return
    text = place.text.strip()
    begin = place.text.index(text)
    name, bracket, inside = re.fullmatch(r"([^(\[{]*)([(\[{]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    words = re.findall(r"\w+", name)
    rest = bracket + inside
    if len(words) > 1 and bracket != "[" and (bracket or len(words) != 3):
        right = "_".join(words)
        said = f"`{name.strip()}` cannot be a name: names have no spaces and no hyphens"
        help = f"write `{right}`"
        if len(words) == 2 and len(words[1]) <= 2 and not bracket:
            help = f"what it is given stands in brackets, with its type: `{words[0]}(0..10 {words[1]})`"
        yield Repair(begin, begin + len(name.rstrip()), right, "E101", said, help, (right,))
    if words and not bracket and len(words) in (2, 3):
        right = f"{words[0]}({' '.join(words[1:])})"
        said = "write parameters in brackets"
        yield Repair(begin, begin + len(text), right, "E101", said, f"write `{right}`", (right,))
    if bracket in ("[", "{") and words:
        right = f"{name.strip()}({rest.strip('[]{}')})"
        yield Repair(
            begin, begin + len(text), right, "E101", "write parameters in round brackets", f"write `{right}`", (right,)
        )
    if bracket == "(" and ":" in inside:
        turned = re.sub(r"(\w+)\s*:\s*([\w.]+)", r"\2 \1", text)
        said = "the type of a parameter comes before its name"
        yield Repair(begin, begin + len(text), turned, "E101", said, f"write `{turned}`", (turned,))


def _ranges(place: Place) -> Iterator[Repair]:
    """`0-3` and `0 to 3`, where only a range can stand."""
    if place.start == "type":
        for found in _RANGE.finditer(place.text):
            bounds = range_meant(found[0])
            if bounds is not None and bounds[0] <= bounds[1]:
                right = f"{bounds[0]}..{bounds[1]}"
                said = f"`{found[0]}` is not a range of numbers"
                yield Repair(*found.span(), right, "E112", said, f"write `{right}`", (right,))


def _ends(place: Place) -> Iterator[Repair]:
    """`0..` and `list of card`: how far it goes is missing."""
    text = place.text.strip()
    if place.start != "type" or place.token() is not None:
        return
    if found := re.fullmatch(r"(?:maybe )?(\d+)\s*\.\.", text):
        help = f"write the highest number, too, as in `{found[1]}..100`"
        yield Repair(0, len(place.text), f"{text}9", "E112", f"`{text}` has no end", help)
    if re.fullmatch(r"list of \w+", text):
        right = f"{text} up to 10"
        yield Repair(0, len(place.text), right, "E101", "a list needs a maximum length", f"write `{right}`", (right,))


def _bounds(place: Place, number: Token) -> Iterator[Repair]:
    """`is: 3`: a type of numbers has two ends."""
    if len(place.tokens) == 1:
        right = f"0..{number.text if int(number.text) else 9}"
        yield Repair(number.start, number.end, right, "E112", f"`{number.text}` is one number, and a type has bounds",
                     f"write the lowest and the highest number, as in `{right}`", (right,))  # fmt: skip


# -------------------------------------------------------------------------------------------------- signs


def _signs(place: Place) -> Iterator[Repair]:
    """`≥`, `&&`, `=`, an en dash."""
    text = place.text
    for sign, meant in SIGNS.items():
        at = text.find(sign, max(0, place.at - len(sign)))
        if not 0 <= at <= place.at or at + len(sign) < place.at:
            continue
        for right in _ranked(meant, place.start):
            spaced = _spaced(text, at, at + len(sign), right)
            if sign == "=":
                help = "write `==` to compare; `name=value` only names an argument in a call"
                yield Repair(at, at + 1, spaced, "E106", "a single `=` does not compare", help, ("==",))
            elif right == ",":
                yield Repair(at, at + 1, right, "E108", f"`{sign}` stands where a comma was meant", "write `,`", (",",))
            else:
                yield _operator(at, at + len(sign), spaced, right, sign)


def _counting(place: Place) -> Iterator[Repair]:
    """`n++`."""
    for found in re.finditer(r"\+\+|--", place.text):
        if found.start() <= place.at <= found.end() + 1:
            sign = found[0][0]
            help = f"write it as `n {sign} 1`; the statements `add:` and `subtract:` change a value"
            yield Repair(*found.span(), f" {sign} 1", "E108", f"`{found[0]}` is not an operator", help)


def _with_more(place: Place) -> Iterator[Repair]:
    """`2 to each`, `2 cards for each player`: a number, with what other keys say."""
    found = re.fullmatch(r"\s*(\d+)\s+((?:\w+\s+)?(?:to|for|per|at)\s+[^\W\d]\w*(?:\s+\w+)*)\s*", place.text)
    if found is not None and place.start in ("expr", "domain"):
        help = f"write `{found[1]}`; what else there is to say has keys of its own"
        if over := re.fullmatch(r"for\s+each\s+(\w+)\s+in\s+(\w+)", found[2]):
            help = f"for all of them: `for: {{{over[1]}: {over[2]}}}`, and below it `do:` with the statement"
        yield Repair(found.start(2), found.end(2), "", "E101", f"`{found[2]}` cannot follow a number", help)


def _so_many_of(place: Place) -> Iterator[Repair]:
    """`3 of S` outside of `choose`."""
    found = re.fullmatch(r"\s*(\d+) of ([^,]+)", place.text)
    if found is not None and place.start in ("expr", "domain"):
        right = f"take({found[2].strip()}, {found[1]})"
        help = f"write `{right}`; only in `choose` a player picks `{found[1]} of` them"
        yield Repair(0, len(place.text), right, "E111", "`of` means nothing here", help, (right,))


def _operator(start: int, end: int, new: str, right: str, written: str) -> Repair:
    help = f"write `{right}`" if right else "remove it"
    help = NOTES.get(written, help)
    return Repair(start, end, new, "E108", f"`{written}` is not an operator", help, (right,) if right else ())


def _ranked(meant: tuple[str, ...], start: str) -> tuple[str, ...]:
    """Where a type stands, a dash means a range."""
    return tuple(sorted(meant, key=lambda word: word != "..")) if start in ("type", "header") else meant


def _spaced(text: str, start: int, end: int, word: str) -> str:
    """A word in place of a sign needs blanks around it."""
    if not word[:1].isalpha():
        return word
    before = " " if start and not text[start - 1].isspace() else ""
    return before + word + (" " if end < len(text) and not text[end].isspace() else "")


# ------------------------------------------------------------------------------------------------- quotes


def _quotes(place: Place) -> Iterator[Repair]:
    """`"wheat"`, and `{wheat, beet}`."""
    for found in _QUOTES.finditer(place.text):
        if _touches(found, place.at):
            inner = found[1].strip()
            if re.fullmatch(r"[^\W\d_][^\W_]*( [^\W_]+)*", inner) and inner != inner.upper():
                inner = inner.casefold().replace(" ", "_")  # what players read; names are written small
            help = f"write `{inner}`" if inner else "remove it"
            yield Repair(*found.span(), inner, "E108", "write words of the rules without quotes", help, (inner,))
    if amount := AMOUNT.match(place.text, place.at):
        right = summed(amount)
        yield Repair(*amount.span(), right, "E108", "an amount inside an expression is not a map", f"write `{right}`",
                     (right,))  # fmt: skip
    if place.text[place.at : place.at + 1] == "{" and (end := place.text.find("}", place.at)) > 0:
        right = f"[{place.text[place.at + 1 : end]}]"
        yield Repair(place.at, end + 1, right, "E108", "a list is not written in braces", f"write `{right}`", (right,))


# -------------------------------------------------------------------------------------------------- words


def _lone_commas(place: Place) -> Iterator[Repair]:
    """`f(x, where c)`: a condition continues what comes before it."""
    for found in re.finditer(r",(?=\s*(where|except|from|after|otherwise|and|or)\b)", place.text):
        if found.start() <= place.at <= found.end(1) + 1:
            help = f"remove the comma; `{found[1]}` continues what comes before it"
            if found[1] == "where":
                help = "remove the comma; `where` says more of a name before it, as in `x in S where …`"
            yield Repair(*found.span(), "", "E101", f"there is no comma before `{found[1]}`", help)


_BARE_WHERE = re.compile(
    r"(?P<before>[(,])\s*(?P<word>where|when|if|unless|only|without|through)\b(?=\s*(?P<rest>[^,)]*))"
)


def _bare_where(place: Place) -> Iterator[Repair]:
    """`distance(a, b, where not wall)`, `count(where c)`: nothing says what the condition is about."""
    for found in _BARE_WHERE.finditer(place.text):
        start, end = found.span("word")
        own = re.split(r"[(,]", place.text[: found.start()])[-1]
        if not start <= place.at <= end + 1 + len(found["rest"]) or (
            found["before"] == "," and re.search(r"\bin\b", own)
        ):
            continue
        if found["word"] == "if" and " then " in found["rest"]:
            continue
        negated = "not " if found["word"] in ("unless", "without") else ""
        over = re.search(r"\b(?:count|any|all|no|sum|max|min|list|set)\(\s*(\w+)\s*$", place.text[: found.start()])
        example = f"x in {over[1] if over else 'S'} where {negated}…"
        help = f"write `{example}`" + (", and ask about `x`" if over else ": the members x of S for which it is true")
        if re.search(r"\b(?:distance|joined|reachable)\([^()]*$", place.text[: found.start()]):
            help += f"; or `step={negated}…`: a condition on each step"
        message = f"`{found['word']}` needs a name and a set before it"
        yield Repair(start, end, f"x in all where {negated}".rstrip(), "E101", message, help)


# Who is meant, in words, and how it is written.
_WHO = {
    "all others": "players except me", "all other players": "players except me", "other players": "players except me",
    "the others": "players except me", "everyone else": "players except me", "everybody else": "players except me",
    "all players": "players", "every player": "players", "each player": "players", "the turn player": "turn_player",
    "turn player": "turn_player", "current player": "turn_player", "active player": "turn_player",
    "the current player": "turn_player", "the active player": "turn_player", "next player": "next(me)",
    "the next player": "next(me)", "previous player": "previous(me)",
}  # fmt: skip


def _phrases(place: Place) -> Iterator[Repair]:
    """`all others`, `the next player`."""
    for phrase, right in _WHO.items():
        for found in re.finditer(rf"(?<!\w){phrase}(?!\w)", place.text, re.IGNORECASE):
            if found.start() <= place.at <= found.end():
                said = f"`{found[0]}` means nothing here"
                yield Repair(*found.span(), right, "E111", said, f"did you mean `{right}`?", (right,))


def _words(place: Place) -> Iterator[Repair]:
    """`whree`, `is`, `when`, `ELSE`."""
    yield from _capitals(place)
    for token in place.near()[:2]:
        yield from _synonyms(place, token)
    keywords = KEYWORDS[
        "type" if place.start in ("type", "header") else place.start if place.start == "domain" else "expr"
    ]
    seen = set[int]()
    for token in place.near():
        if not token.is_word or token.start in seen or place.is_call(token):
            continue
        seen.add(token.start)
        for right in _keywords_near(token.text, keywords):
            yield Repair(token.start, token.end, right, "E111", f"`{token.text}` means nothing here",
                         f"did you mean `{right}`?", (right,))  # fmt: skip
    for token in place.near()[2:4]:
        yield from _synonyms(place, token)


def _capitals(place: Place) -> Iterator[Repair]:
    """Words of the language are small: all of them at once, if they are not."""
    words = [t for t in place.tokens if t.text.casefold() in KEYWORDS["domain"] and t.text != t.text.casefold()]
    if len(words) > 1:
        start, end = words[0].start, words[-1].end
        small = place.text[start:end]
        for token in words:
            small = small[: token.start - start] + token.text.casefold() + small[token.end - start :]
        help = f"write {', '.join(f'`{t.text.casefold()}`' for t in words)}"
        said = f"`{words[0].text}` means nothing here: words of the language are in lower case"
        yield Repair(start, end, small, "E111", said, help)


def _keywords_near(word: str, keywords: tuple[str, ...]) -> list[str]:
    """The words of the language that a word may be, with a slip of the pen; the grammar sorts the wrong ones out."""
    if word in keywords:
        return []
    found = nearest(word, keywords)
    if len(word) <= 3:  # one letter is much of a short word
        found += [k for k in keywords if k not in found and len(k) <= 3 and _one_slip(word.casefold(), k)]
    return found


def _one_slip(a: str, b: str) -> bool:
    if len(a) > len(b):
        a, b = b, a
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b, strict=True)) == 1 or sorted(a) == sorted(b)
    return len(b) == len(a) + 1 and any(b[:i] + b[i + 1 :] == a for i in range(len(b)))


def _synonyms(place: Place, token: Token) -> Iterator[Repair]:
    first = place.tokens.index(token)
    for many in (4, 3, 2, 1):
        run = place.tokens[first : first + many]
        phrase = " ".join(t.text.casefold() for t in run)
        if len(run) < many or phrase not in WORDS:
            continue
        written = place.text[run[0].start : run[-1].end]
        after = place.tokens[first + many] if first + many < len(place.tokens) else None
        if phrase == "if" and after is not None and after.text == "=":  # `reachable(a, if=empty(to))`
            said = "a condition on each step of a way is called `step=`"
            yield Repair(run[0].start, run[0].end, "step", "E111", said, "write `step=…`", ("step",))
        between = first > 0 and first + many < len(place.tokens)
        for right in WORDS[phrase] if phrase != "to" else _between_two(place, token):
            if right not in _PREFIXES and not between:
                continue  # an operator has something on either side
            start, end = run[0].start, run[-1].end
            if not right and phrase in _ARTICLES and not _names(place, first + many):
                continue
            if not right:
                message = f"`{written}` is not written here"
                left = " ".join(f"{place.text[:start]} {place.text[end:]}".split())
                yield Repair(start, end, "", "E111", message, NOTES.get(phrase, f"leave it out: write `{left}`"))
            elif right == ",":
                said, help = f"`{written}` stands where a comma was meant", "write `,`"
                yield Repair(len(place.text[:start].rstrip()), end, ",", "E108", said, help)
            elif right[0].isalpha():
                said = f"`{written}` means nothing here"
                yield Repair(start, end, right, "E111", said, f"did you mean `{right}`?", (right,))
            else:
                yield _operator(start, end, right, right, written)


def _between_two(place: Place, token: Token) -> tuple[str, ...]:
    """What `to` means between two things: from number to number, or one argument after the other."""
    numbers = (place.text[: token.start].rstrip()[-1:] + place.text[token.end :].lstrip()[:1]).isdigit()
    return WORDS["to"] if numbers or place.inside() != "(" else (",", *WORDS["to"])


_ARTICLES = ("a", "an", "the")


def _names(place: Place, index: int) -> bool:
    """Whether a name stands at this place among the tokens, as after an article."""
    after = place.tokens[index].text if index < len(place.tokens) else ""
    return after.isidentifier() and after not in KEYWORDS["domain"]


# ------------------------------------------------------------------------------------- calls, brackets, gaps


def counted_of(place: Place) -> Iterator[Repair]:
    """`0..5 dice` where something is chosen: `of` is missing."""
    found = re.match(r"\s*(\w+\s*\.\.\s*\w+)\s+(?!of\b)(?=[^\W\d])", place.text)
    if place.start == "domain" and found is not None and place.at <= found.end():
        right = f"{found[1]} of {place.text[found.end() :].strip()}"
        said = f"`of` is missing after `{found[1]}`"
        yield Repair(found.end(1), found.end(), " of ", "E101", said, f"write `{right}`", (right,))


def _functions_of(place: Place) -> Iterator[Repair]:
    """`count of me.hand`: here no other word is meant."""
    token = place.token()
    if token is not None and token.text == "of":
        yield from (call for call in _calls(place) if call.code == "E113")


_OF_TWO = re.compile(r"(\w+)\s+(?:(?:from|between|of)\s+)?(\S+)\s+(?:and|to|with)\s+(\S.*)$", re.DOTALL)


def _calls(place: Place) -> Iterator[Repair]:
    """`count me.hand`, `between a and b`, `distance from a to b`: a function without brackets."""
    for word in re.finditer(r"\b\w+", place.text):
        found = _OF_TWO.match(place.text, word.start()) if word[0] in FUNCTIONS else None
        if found is None:
            continue
        end = _suffixed(place, Token(found.start(3), found.end(3), found[3]))
        if found.start() <= place.at and end is not None:
            call = f"{found[1]}({found[2]}, {place.text[found.start(3) : end]})"
            said = f"`{found[1]}` is a function and needs brackets"
            yield Repair(found.start(), end, call, "E113", said, f"write `{call}`", (call,))
    for offset in (-1, -2, -3):
        name = place.token(offset)
        if name is None or not name.is_word or place.text[name.start - 1 : name.start] == ".":
            continue
        known = name.text in FUNCTIONS
        if not known and offset < -1:
            continue
        begin = place.token(offset + 1)
        if begin is not None and begin.text == "of":
            begin = place.token(offset + 2)
        end = _suffixed(place, begin)
        if begin is None or end is None or (not known and not begin.is_word):
            continue
        call = f"{name.text}({place.text[begin.start : end]})"
        if known:
            yield Repair(name.start, end, call, "E113", f"`{name.text}` is a function and needs brackets",
                         f"write `{call}`", (call,))  # fmt: skip
        elif (
            place.start not in ("header", "type")
            and name is place.token(-1)
            and place.inside() != "["
            and name.text not in KEYWORDS["domain"]
        ):
            said = f"something is missing between `{name.text}` and `{begin.text}`"
            help = f"a call needs brackets: `{call}`; or add an operator or a comma between the two"
            if begin.text.endswith("s") and end == begin.end == len(place.text.rstrip()):
                number = number_meant(name.text)
                if number is not None or begin.text in _UNITS:
                    help = f"numbers have no units: write `{name.text if number is None else number}`"
                elif re.fullmatch(r"\s*\w+\s+\w+\s*", place.text):
                    help = f"names have no spaces; some of a set are `x in {begin.text} where …`"
            elif re.fullmatch(r"\s*\w+(?:\s+\w+)+\s*", place.text):
                help = f"a list is `[{', '.join(place.text.split())}]`; {help}"
            yield Repair(name.start, end, call, "E101", said, help)


def after_its_value(place: Place) -> Iterator[Repair]:
    """`me.card total`: a function behind what it is asked of."""
    token, before = place.token(), place.token(-1)
    if token is None or before is None or token.text not in FUNCTIONS or place.token(1) is not None:
        return
    whole = place.text[: token.start].strip()
    if re.fullmatch(r"[^\W\d][\w.]*(?:\[[^\]]*\])?", whole):
        right = f"{token.text}({whole})"
        said = f"`{token.text}` is a function: it stands before what it is asked of"
        yield Repair(0, len(place.text), right, "E113", said, f"write `{right}`", (right,))


def _suffixed(place: Place, begin: Token | None) -> int | None:
    """The end of a value with what hangs on it: `me.hand`, `p.score[red]`, `(a + b)`."""
    if begin is None or not (begin.is_word or begin.text == "("):
        return None
    text, at, depth = place.text, begin.start, 0
    while at < len(text):
        sign = text[at]
        if sign in "([":
            depth += 1
        elif sign in ")]":
            if not depth:
                break
            depth -= 1
        elif not depth and not (sign.isalnum() or sign in "_."):
            break
        at += 1
    return at if not depth else None


def _brackets(place: Place) -> Iterator[Repair]:
    """`in (red, blue)`, `in red, blue`, `a if c else b`."""
    text, at = place.text, place.at
    for found in re.finditer(r"\bin\s+(\w+(?:\s*,\s*\w+)+)(?!\w|\s+in\b)", text):
        if found.start() <= at:
            right = f"in [{found[1]}]"
            said, help = "several things are listed in square brackets", f"write `{right}`"
            yield Repair(*found.span(), right, "E108", said, help, (right,))
    if text[at : at + 1] == ",":
        depth, opened = 0, -1
        for i in range(at - 1, -1, -1):
            depth += (text[i] in ")]") - (text[i] in "([")
            if depth < 0:
                opened = i
                break
        closed = _closing(text, opened)
        if opened >= 0 and text[opened] == "(" and closed > 0:
            right = f"[{text[opened + 1 : closed]}]"
            yield Repair(
                opened, closed + 1, right, "E108", "write a list in square brackets", f"write `{right}`", (right,)
            )
    token = place.token()
    if token is not None and token.text == "if":
        yield from _turned_choice(place, token)
    before = place.token(-1)
    if before is not None and before.text == "if" and not place.inside():
        right = f"({place.text[before.start :].rstrip()})"
        said, help = "a choice of two in the middle of an expression needs brackets", f"write `{right}`"
        yield Repair(before.start, len(place.text.rstrip()), right, "E101", said, help, (right,))
        yield Repair(before.start, before.end, "", "E101", "`if` cannot be here", "remove it")


def _turned_choice(place: Place, token: Token) -> Iterator[Repair]:
    """`a if c else b`, as Python has it."""
    text = place.text
    start, depth = 0, 0
    for i in range(token.start - 1, -1, -1):
        depth += (text[i] in ")]") - (text[i] in "([")
        if depth < 0 or (depth == 0 and text[i] == ","):
            start = i + 1
            break
    rest = re.match(r"\s*(.*?)\s+else\s+", text[token.end :])
    if rest:
        value = text[start : token.start].strip()
        end = token.end + rest.end()
        right = f"if {rest[1]} then {value} else "
        blank = text[start : len(text) - len(text[start:].lstrip())]
        other = _suffixed(place, next((t for t in place.tokens if t.start >= end), None))
        last = (
            text[end:other].strip()
            if other is not None
            else text[end:].strip()
            if text[end:].strip().isdigit()
            else "…"
        )
        yield Repair(start + len(blank), end, right, "E101", "a choice of two begins with `if`",
                     f"write `{right}{last}`")  # fmt: skip


def _closing(text: str, opened: int) -> int:
    depth = 0
    for i in range(max(opened, 0), len(text)):
        depth += (text[i] in "([") - (text[i] in ")]")
        if depth == 0:
            return i
    return -1


def _missing(place: Place) -> Iterator[Repair]:
    """`of`, a comma, `*`."""
    token, before = place.token(), place.token(-1)
    if token is None or before is None:
        return
    if before.text.isdigit() and token.is_word:
        yield from _beside_number(place, before, token)
    opened, called = place.token(-2), place.token(-3)
    if before.is_word and token.is_word and opened is not None and opened.text == "(" and called is not None:
        if called.text in FUNCTIONS and before.text not in KEYWORDS["domain"]:
            said, right = f"`in` is missing after `{before.text}`", f"{before.text} in {token.text}"
            yield Repair(before.end, token.start, " in ", "E101", said, f"write `{right}`", (right,))
    if before.is_word and token.text.isdigit() and called is not None and called.text in _OF_AMOUNTS:
        right = f"[{token.text} {before.text}]"
        said = f"this is not how to write an amount: `{before.text} {token.text}`"
        yield Repair(before.start, token.end, right, "E101", said, f"write `{right}`", (right,))
    if before.is_word and token.text.isdigit() and before.text not in KEYWORDS["domain"]:
        said = f"`{token.text}` cannot follow `{before.text}`"
        help = f"one of several is `{before.text}[{token.text}]`; a comparison is `{before.text} == {token.text}`"
        if before.text == "player":
            help = f"players without names are `player_1`, …: write `player_{token.text}`"
        yield Repair(before.end, token.end, f"[{token.text}]", "E101", said, help)
    after = place.token(1)
    alone = after is None or not after.is_word or after.text in KEYWORDS["domain"]
    if before.text in ")]" and token.is_word and alone:
        yield Repair(token.start, token.end, "", "E101", f"`{token.text}` does not belong here", "remove it")
    if before.is_word or before.text[0] in ")]" or before.text.isdigit():
        said = f"a comma is missing before `{token.text}`"
        yield Repair(before.end, token.start, ", ", "E101", said, f"write `{before.text}, {token.text}`")


def _beside_number(place: Place, number: Token, word: Token) -> Iterator[Repair]:
    """`2 me.hand`, `min(2 p.purse)`, `3 cards`, `3 x`: what is missing is told by what stands around them."""
    rest = place.text[word.start :].strip()
    if place.start == "domain" and place.tokens[0] is number:
        right = f"{number.text} of {rest}"
        yield Repair(number.end, word.start, " of ", "E101", f"`of` is missing after `{number.text}`",
                     f"write `{right}`", (right,))  # fmt: skip
    said = f"an operator is missing between `{number.text}` and `{word.text}`"
    opened = place.token(-2)
    called = place.token(-3)
    if called is not None and called.text in _OF_AMOUNTS and opened is not None and opened.text == "(":
        right = f"[{number.text} {word.text}]"
        yield Repair(number.start, word.end, right, "E101", f"`{number.text} {word.text}` is not an amount",
                     f"write `{right}`", (right,))  # fmt: skip
    if opened is not None and opened.text in "(," and place.inside() == "(":
        right = f"{number.text}, {word.text}"
        yield Repair(number.end, word.start, ", ", "E101", f"a comma is missing before `{word.text}`",
                     f"write `{right}`")  # fmt: skip
    listed = f"[{number.text} {word.text}]"
    if place.inside() != "[":
        yield Repair(number.start, word.end, listed, "E101", f"`{number.text} {word.text}` needs brackets around it",
                     f"an amount is written `{listed}`", (listed,), only_meant=True)  # fmt: skip
    product = f"{number.text} * {word.text}"
    if rest == word.text:
        help = f"numbers have no units: write `{number.text}`; or `{product}`, if `{word.text}` is a number"
        yield Repair(number.end, word.end, "", "E101", f"`{word.text}` cannot follow a number", help)
    yield Repair(number.end, word.start, " * ", "E101", said, f"write `{product}`")


def _too_much(place: Place) -> Iterator[Repair]:
    """`5 cards`, a full stop at the end."""
    token, before = place.token(), place.token(-1)
    after = place.token(1)
    if token is not None and token.text == "," and after is not None and after.text not in NOTES:
        help = "join conditions with `and`; write several things as a list, as in `[a, b]`"
        yield Repair(token.start, token.end, " and", "E101", "`,` cannot be here", help)
    if token is None and before is not None and before.text in ".,;":
        token = before
    if token is None:
        return
    last = token is place.tokens[-1] and token.text in ".,;:"
    if last or (token.is_word and before is not None and before.text.isdigit()):
        yield Repair(token.start, token.end, "", "E101", f"`{token.text}` does not belong here", "remove it")


_GUESSES = (in_words, questions, _calls, after_its_value, led_by, _missing, _too_much)
