"""What people write who come from another language, a word processor or a spreadsheet, and what it is called here."""

from __future__ import annotations

import re

# Signs, each with what may have been meant, the likeliest first; longer signs come before their parts.
SIGNS: dict[str, tuple[str, ...]] = {
    "!==": ("!=",),
    "===": ("==",),
    "=/=": ("!=",),
    "...": ("..",),
    "<>": ("!=",),
    "><": ("!=",),
    "/=": ("!=",),
    "~=": ("!=",),
    ":=": ("==",),
    "=>": (">=",),
    "=<": ("<=",),
    "= =": ("==",),
    "! =": ("!=",),
    "> =": (">=",),
    "< =": ("<=",),
    ". .": ("..",),
    "->": (".",),
    "::": (".",),
    "??": ("otherwise",),
    "//": ("/",),
    "**": ("*",),
    "^": ("*",),
    "&&": ("and",),
    "||": ("or",),
    "&": ("and",),
    "|": ("or", "where"),
    "!": ("not",),
    "~": ("not",),
    "¬": ("not",),
    "∧": ("and",),
    "∨": ("or",),
    "∈": ("in",),
    "∉": ("not in",),
    "∪": ("+",),
    "∩": ("and",),
    "≠": ("!=",),
    "≥": (">=",),
    "≤": ("<=",),
    "⩾": (">=",),
    "⩽": ("<=",),
    "＝": ("==",),
    "＜": ("<",),
    "＞": (">",),
    "＋": ("+",),
    "×": ("*",),
    "✕": ("*",),
    "⋅": ("*",),
    "·": ("*",),
    "•": ("*",),
    "∗": ("*",),
    "÷": ("/",),
    "∕": ("/",),
    "−": ("-", ".."),
    "–": ("-", ".."),
    "—": ("-", ".."),
    "‐": ("-", ".."),
    "‑": ("-", ".."),
    "‒": ("-", ".."),
    "…": ("..",),
    "‥": ("..",),
    "-": ("..",),
    ":": ("..", "then", "where"),
    ";": (",",),
    "；": (",",),
    "，": (",",),
    "（": ("(",),
    "）": (")",),
    "=": ("==",),
    ".": (",",),
}

# Words, with what stands for them here; several words in a row are one, too.
WORDS: dict[str, tuple[str, ...]] = {
    "is not in": ("not in",),
    "is in": ("in",),
    "is not": ("!=",),
    "isnt": ("!=",),
    "is": ("==",),
    "are": ("==",),
    "equals": ("==",),
    "equal to": ("==",),
    "equal": ("==",),
    "eq": ("==",),
    "ne": ("!=",),
    "neq": ("!=",),
    "unequal": ("!=",),
    "differs from": ("!=",),
    "is at least": (">=",),
    "is at most": ("<=",),
    "is more than": (">",),
    "is less than": ("<",),
    "is fewer than": ("<",),
    "at least": (">=",),
    "at most": ("<=",),
    "more than": (">",),
    "greater than": (">",),
    "less than": ("<",),
    "fewer than": ("<",),
    "gt": (">",),
    "lt": ("<",),
    "ge": (">=",),
    "gte": (">=",),
    "le": ("<=",),
    "lte": ("<=",),
    "plus": ("+",),
    "minus": ("-", "except"),
    "times": ("*",),
    "x": ("*",),
    "х": ("*",),
    "div": ("/",),
    "divided by": ("/",),
    "mod": ("%",),
    "modulo": ("%",),
    "but": ("except", "and"),
    "also": ("and",),
    "und": ("and",),
    "oder": ("or",),
    "xor": ("!=",),
    "nor": ("or",),
    "with": ("where", "by"),
    "when": ("where", "if"),
    "if": ("where",),
    "such that": ("where",),
    "having": ("where",),
    "that": ("where",),
    "who": ("where",),
    "which": ("where",),
    "order by": ("by",),
    "ordered by": ("by",),
    "sorted by": ("by",),
    "sort by": ("by",),
    "sort": ("by",),
    "order": ("by",),
    "on": ("by", "in"),
    "per": ("by",),
    "of": ("in", "from"),
    "from": ("in",),
    "starting from": ("from",),
    "starting with": ("from",),
    "beginning with": ("from",),
    "beginning from": ("from",),
    "among": ("in",),
    "within": ("in",),
    "inside": ("in",),
    "foreach": ("for",),
    "to": ("..",),
    "upto": ("up to",),
    "until": ("..",),
    "through": ("..",),
    "or else": ("otherwise",),
    "orelse": ("otherwise",),
    "default": ("otherwise",),
    "else": ("otherwise",),
    "otherwise": ("else",),
    "without": ("except", "skip"),
    "elif": ("else if",),
    "elsif": ("else if",),
    "elseif": ("else if",),
    "begin": ("then",),
    "do": ("then",),
    "so": ("then",),
    "not": ("!=", "not in"),
    "reversed": ("",),
    "reverse": ("",),
    "backwards": ("",),
    "backward": ("",),
    "desc": ("",),
    "descending": ("",),
    "asc": ("",),
    "ascending": ("",),
    "a": ("",),
    "an": ("",),
    "the": ("",),
    "each": ("",),
    "every": ("",),
    "all": ("",),
    "и": ("and",),
    "или": ("or",),
    "не": ("not",),
    "нет": ("not",),
    "если": ("if",),
    "то": ("then",),
    "тогда": ("then",),
    "иначе": ("else",),
    "где": ("where",),
    "для": ("for",),
    "в": ("in",),
    "из": ("in", "from"),
    "по": ("by",),
    "кроме": ("except",),
    "равно": ("==",),
    "больше": (">",),
    "меньше": ("<",),
    "плюс": ("+",),
    "минус": ("-",),
}

# What is said of some of them besides.
NOTES = {
    "!": "write `not`; and `!=` between two values",
    "**": "there are no powers: multiply, as in `n * n`",
    "^": "there are no powers: multiply, as in `n * n`",
    **dict.fromkeys(
        ("reversed", "reverse", "backwards", "backward"), "for the opposite order write `reversed(…)` around the list"
    ),
    "desc": "smaller comes first; for larger first write `by -x`",
    "descending": "smaller comes first; for larger first write `by -x`",
    "asc": "smaller comes first anyway: remove it",
    "ascending": "smaller comes first anyway: remove it",
}

# Numbers in words, where a number is wanted.
NUMBERS: dict[str, int] = {
    word: number
    for number, words in {
        0: "zero nought ноль нуль",
        1: "one once один одна одно раз",
        2: "two twice два две дважды",
        3: "three thrice три трижды",
        4: "four четыре",
        5: "five пять",
        6: "six шесть",
        7: "seven семь",
        8: "eight восемь",
        9: "nine девять",
        10: "ten десять",
        11: "eleven одиннадцать",
        12: "twelve dozen двенадцать",
        13: "thirteen тринадцать",
        14: "fourteen четырнадцать",
        15: "fifteen пятнадцать",
        16: "sixteen шестнадцать",
        17: "seventeen семнадцать",
        18: "eighteen восемнадцать",
        19: "nineteen девятнадцать",
        20: "twenty двадцать",
        30: "thirty тридцать",
        40: "forty сорок",
        50: "fifty пятьдесят",
        60: "sixty шестьдесят",
        70: "seventy семьдесят",
        80: "eighty восемьдесят",
        90: "ninety девяносто",
        100: "hundred сто",
        1000: "thousand тысяча",
    }.items()
    for word in words.split()
}

# `true` and `false` in the words of other languages.
TRUTHS: dict[str, str] = {
    word: truth
    for truth, words in {
        "true": "yes on y t да истина правда verum wahr vrai",
        "false": "no off n f нет ложь неправда",
    }.items()
    for word in words.split()
}


def number_meant(word: str) -> int | None:
    """The number that a word stands for: `three`, or `l0` and `O` where letters look like digits."""
    known = NUMBERS.get(word.casefold())
    if known is not None:
        return known
    digits = word.translate(_DIGITS)
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


# Letters that look like digits, also in Cyrillic.
_DIGITS = str.maketrans("OoОоlIІiЗзSЅ", "000011113355")


_RANGE = re.compile(
    r"\s*(?:from |between |от |von )?\s*(\w+)\s*(?:\.\.+|\.|…|‥|-|–|—|−|:|~|to|up to|and|bis|до|по)\s*(\w+)\s*",
    re.IGNORECASE,
)


def range_meant(text: str) -> tuple[int, int] | None:
    """The bounds of a range that is written in some other way: `2-4`, `2 to 4`, `two to four`."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    low, high = number_meant(found[1]), number_meant(found[2])
    return None if low is None or high is None else (low, high)


_ERROR = re.compile(r"#[A-ZА-Я/0-9?!]+[!?]?")
_MONEY = re.compile(r"[$€£¥₽₴]\s*(-?\d+)|(-?\d+)\s*(?:[$€£¥₽₴%]|[^\W\d_]+\.?)")
_DATE = re.compile(r"\d{1,4}([-/.])(?:\d{1,2}|[A-Za-zА-Яа-я]{3,4})(?:\1\d{2,4})?\.?|[A-Za-zА-Яа-я]{3}[-.]\d{1,2}")
_NO_VALUE = {"-", "–", "—", "?", "n/a", "na", "nil", "null", "x", ".", "*", "нет", "н/д"}


def cell_meant(text: str, number: bool, maybe: bool) -> tuple[str, str, str] | None:
    """What is wrong with a cell of a table as spreadsheets and people write it, advice, and what may stand there."""
    text = text.strip()
    if _ERROR.fullmatch(text):
        return f"the spreadsheet has no value here: `{text}`", "fix its formula, and save the table again", ""
    if text.startswith("=") and len(text) > 1:
        return f"`{text}` is a formula of the spreadsheet", "save the table with values in place of formulas", ""
    if text.lower() in _NO_VALUE and (number or text in ("-", "–", "—", "?")):
        help = "leave the cell empty where there is none" if maybe else "a value must be here"
        return f"`{text}` is not a value", help, ""
    if not number:
        return None
    if text.startswith("'"):
        return f"`{text}` begins with the mark of a text", f"write `{text[1:]}`", text[1:]
    if found := re.fullmatch(r"\((\d+)\)", text):
        return f"`{text}` may mean less than zero", f"write `-{found[1]}`, or `{found[1]}`", ""
    if found := re.fullmatch(r"\d+[.,](\d+)", text):
        return None  # a decimal, which is told where numbers are read
    if _DATE.fullmatch(text):
        return f"`{text}` looks like a date", "spreadsheets make dates of such cells: format the column as text", ""
    meant = number_meant(text) if not text.isdigit() else None
    if meant is None and (found := _MONEY.fullmatch(text)):
        meant = int(found[1] or found[2])
    if meant is None:
        return None
    return f"`{text}` is not a number in the rules", f"write `{meant}`", str(meant)


def truth_meant(word: str) -> str | None:
    """`true` or `false` for a word that says so elsewhere."""
    if word.casefold() in ("true", "false"):
        return word.casefold()
    return TRUTHS.get(word.casefold())


# What values are called in other languages: where a type is wanted.
TYPES: dict[str, str] = {
    word: help
    for words, help in {
        "int integer num float double real decimal numeric число целое": "a number is written with its bounds, as in "
        "`0..100`",
        "text string str char строка текст": "there are no texts in the rules: "
        "declare the words under `types:`, as in `mood: [calm, angry]`",
        "boolean logical flag truth логическое": "write `bool`",
        "array vector sequence массив список": "write `list of card up to 10`, with the type and the maximum length",
        "dict dictionary map table": "write `{is: 0..9, per: player}` for one of each",
        "enum choice": "write the words themselves, as in `[calm, angry]`",
    }.items()
    for word in words.split()
}


# Keys under other names, with what they are called here, where a map has such a key.
KEYS: dict[str, tuple[str, ...]] = {
    "what": ("of", "is", "choose"),
    "which": ("of", "choose"),
    "how_many": ("count", "copies", "total"),
    "how_often": ("limit",),
    "until": ("while",),
    "as_long_as": ("while",),
    "remember": ("keep",),
    "length": ("keep", "width"),
    "type": ("is", "of"),
    "kind": ("is", "holds"),
    "range": ("is",),
    "default": ("start",),
    "initial": ("start",),
    "begin": ("start",),
    "starts": ("start",),
    "value": ("start", "is"),
    "if": ("when", "where"),
    "condition": ("when", "where", "if"),
    "while": ("until",),
    "require": ("when",),
    "requires": ("when",),
    "price": ("cost",),
    "pay": ("cost",),
    "effect": ("do",),
    "effects": ("do",),
    "action": ("do",),
    "actions": ("do", "choose one"),
    "then": ("do",),
    "body": ("do",),
    "steps": ("do",),
    "otherwise": ("else",),
    "elif": ("else",),
    "name": ("label", "title"),
    "caption": ("label", "title"),
    "text": ("label", "say", "about"),
    "description": ("about",),
    "max": ("most", "capacity"),
    "maximum": ("most", "capacity"),
    "min": ("least",),
    "minimum": ("least",),
    "size": ("capacity", "slots", "count"),
    "limit": ("capacity", "most"),
    "amount": ("count", "total"),
    "number": ("count", "copies"),
    "quantity": ("count", "copies"),
    "contains": ("holds",),
    "visible": ("seen",),
    "hidden": ("seen",),
    "visibility": ("seen",),
    "owner": ("per",),
    "each": ("per",),
    "sort": ("order",),
    "sorted": ("order",),
    "colour": ("color",),
    "icon": ("symbol",),
    "sign": ("symbol",),
    "target": ("to",),
    "where to": ("to",),
    "source": ("from",),
    "from": ("choose",),
    "sources": ("from",),
    "out_of": ("from",),
    "payers": ("from",),
    "reduced": ("less",),
    "reduction": ("less",),
    "cheaper": ("less",),
    "omit": ("skip",),
    "leave_out": ("skip",),
    "letters": ("letters", "skip"),
    "of": ("from", "to"),
    "who": ("by", "players"),
    "player": ("by", "players", "per"),
    "rounds": ("most",),
    "score": ("scoring", "rows"),
    "tiebreak": ("ties",),
    "tie_break": ("ties",),
    "tie_breaks": ("ties",),
    "tie_breaker": ("ties",),
    "tie_breakers": ("ties",),
    "tie": ("ties",),
    "tiebreaker": ("ties",),
    "tiebreakers": ("ties",),
    "width": ("rhombus",),
    "height": ("rhombus",),
    "center": ("hub",),
    "centre": ("hub",),
    "middle": ("hub",),
    "once_per": ("limit",),
    "times": ("limit", "repeat"),
    "points": ("spaces", "scoring", "rows"),
    "nodes": ("spaces",),
    "vertices": ("spaces",),
    "circle": ("ring",),
    "squares": ("grid",),
    "square": ("grid",),
    "hex": ("hexes",),
    "hexagons": ("hexes",),
    "line": ("track",),
    "path": ("track",),
    "cells": ("spaces",),
    "fields": ("spaces",),
    "columns": ("width",),
    "variables": ("values",),
    "constants": ("define",),
    **dict.fromkeys(("procedures", "subroutines", "methods", "routines"), ("effects",)),
    **dict.fromkeys(("settings", "config", "configuration", "parameters", "variants"), ("options",)),
    **dict.fromkeys(("components", "material", "materials"), ("pieces",)),
    **dict.fromkeys(("images", "pictures", "graphics", "styles", "colors", "icons"), ("looks",)),
    **dict.fromkeys(("player_count", "number_of_players", "min_players", "max_players"), ("players",)),
    "functions": ("define",),
    "formulas": ("define",),
    "definitions": ("define",),
    "cards": ("pieces",),
    "tokens": ("pieces", "pools"),
    "resources": ("pools",),
    "decks": ("places",),
    "zones": ("places",),
    "rules": ("play",),
    "turns": ("play",),
    "translations": ("text",),
    "forms": ("cases",),
    "declension": ("cases",),
    "declensions": ("cases",),
    "grammar": ("cases",),
    "expected": ("expect",),
    "expects": ("expect",),
    "state": ("given",),
    "setup": ("given",),
    "choices": ("moves",),
    "random": ("chance",),
    "dice": ("chance",),
}

# Keys that stand in no such place: a key that is known there, and where the same is said.
_AT_THE_PAYMENT = (
    "exchanges are offered where a payment needs them: write `after: exchanges` beside `pay:` or in `cost:`"
)
ELSEWHERE: dict[str, tuple[str, str]] = dict.fromkeys(
    ("towards", "toward", "helps", "to_pay", "leads_to", "useful"), ("give", _AT_THE_PAYMENT)
) | dict.fromkeys(
    ("from", "to", "for", "by"),
    ("hide", "remove this line: what is hidden is known to nobody who does not see it where it lies"),
)

# Words under other names, where a key takes one of several words.
CHOICES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("no diagonals", "no diagonal", "not diagonal", "without diagonals", "straight"), ("orthogonal",)),
    **dict.fromkeys(("shuffled", "random", "face down", "facedown", "top down", "draw"), ("pile",)),
    "stack": ("pile",),
    "deck": ("pile",),
    "queue": ("row", "pile"),
    "list": ("row",),
    "sequence": ("row",),
    "line": ("row",),
    "ordered": ("row",),
    "unordered": ("set",),
    "no": ("set", "none"),
    "yes": ("always", "all"),
    "true": ("always", "all"),
    "players": ("player",),
    "each": ("player",),
    "nobody": ("none",),
    "no one": ("none",),
    "noone": ("none",),
    "hidden": ("none",),
    "secret": ("none",),
    "false": ("none",),
    "никто": ("none",),
    "everybody": ("all",),
    "everyone": ("all",),
    "anyone": ("all",),
    "public": ("all",),
    "open": ("all",),
    "visible": ("all",),
    "все": ("all",),
    "owners": ("owner",),
    "own": ("owner",),
    "my": ("owner",),
    "mine": ("owner",),
    "its owner": ("owner",),
    "the owner": ("owner",),
    "only owner": ("owner",),
    "only the owner": ("owner",),
    "owner only": ("owner",),
    "private": ("owner",),
    "holder": ("owner",),
    "self": ("owner",),
    "владелец": ("owner",),
    "not owner": ("others",),
    "not me": ("others",),
    "not self": ("others",),
    "all others": ("others",),
    "other": ("others",),
    "opponents": ("others",),
    "everyone else": ("others",),
    "everybody else": ("others",),
    "all except owner": ("others",),
    "all but owner": ("others",),
    "остальные": ("others",),
}

# Statements under other names.
VERBS: dict[str, str] = {
    "when": "if",
    "foreach": "for",
    "for each": "for",
    "each": "for",
    "loop": "repeat",
    "forever": "while",
    "times": "repeat",
    "simultaneous": "together",
    "simultaneously": "together",
    "roll": "random",
    "dice": "random",
    "pick": "choose",
    "select": "choose",
    "ask": "choose",
    "option": "choose one",
    "options": "choose one",
    "menu": "choose one",
    "print": "say",
    "log": "say",
    "message": "say",
    "show": "reveal",
    "give": "gain",
    "take": "gain",
    "get": "gain",
    "receive": "gain",
    "spend": "pay",
    "discard": "remove",
    "delete": "remove",
    "kill": "remove",
    "capture": "remove",
    "place": "move",
    "put": "move",
    "exchange": "swap",
    "trade": "swap",
    "assign": "set",
    "increase": "add",
    "increment": "add",
    "decrease": "subtract",
    "decrement": "subtract",
    "stop": "end",
    "break": "end",
    "finish": "end",
    "winner": "win",
    "loser": "lose",
    "draw_game": "tie",
    "round": "rounds",
    "turn": "turns",
    "перемешать": "shuffle",
    "если": "if",
    "выбрать": "choose",
    "сказать": "say",
    "победа": "win",
}

# More than another name is needed for these: how the statement is written.
HOW: dict[str, str] = {
    "roll": "`random: {n: 1..6}` rolls a die, and `n` is what it shows",
    "dice": "`random: {n: 1..6}` rolls a die, and `n` is what it shows",
    "loop": "`repeat: 3` does something three times, `while:` goes on as long as a condition holds",
    "forever": "`while: true` goes on until something in it ends it, such as `end: turn`",
    "discard": "`move: c` with `to:` puts `c` on a pile; `remove: c` takes it out of the game",
    "play": "`move: c` with `to:` puts `c` where it is played",
    "score": "points are a value that is changed, as in `add: {me.score: 3}`",
    "increase": "write `add:` with what is changed, as in `add: {me.score: 1}`",
    "increment": "write `add:` with what is changed, as in `add: {me.score: 1}`",
    "decrease": "write `subtract:` with what is changed, as in `subtract: {me.score: 1}`",
    "decrement": "write `subtract:` with what is changed, as in `subtract: {me.score: 1}`",
    "pass": "to hand on cards, write `move: p.hand` with `to: next(p).coming` for all, then `coming` becomes the hand; "
    "who passes a turn does nothing, as in `do: []`",
    "phases": "each phase is a statement of its own: `phase: draw`, and below it `do:`",
    "steps": "statements stand one below the other; a named part of a turn is `phase: draw`, and below it `do:`",
}
HOW |= dict.fromkeys(("pass_on", "pass_left", "rotate", "draft"), HOW["pass"])
HOW |= dict.fromkeys(
    ("each player", "every player", "all players", "for each player", "for every player", "for all players"),
    "write `for: {me: players}`, and below it `do:`",
)

# What to write behind a statement behind which nothing stands.
FOR_NOTHING: dict[str, str] = {
    "repeat": "say how often, as in `repeat: 3`; `while: true` goes on until something ends it, such as `end: turn`",
    "while": "write a condition; `while: true` goes on until something in it ends it, such as `end: turn`",
}

# Functions under other names.
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "len": ("count",),
    "length": ("count",),
    "size": ("count",),
    "number": ("count",),
    "number_of": ("count",),
    "amount_of": ("count",),
    "num": ("count",),
    "how_many": ("count",),
    "quantity": ("count",),
    "total": ("sum",),
    "add": ("sum",),
    "average": ("sum",),
    "maximum": ("max",),
    "highest": ("most", "max"),
    "largest": ("max",),
    "biggest": ("max",),
    "best": ("most",),
    "argmax": ("most",),
    "minimum": ("min",),
    "lowest": ("least", "min"),
    "smallest": ("min",),
    "argmin": ("least",),
    "exists": ("any",),
    "exist": ("any",),
    "some": ("any",),
    "every": ("all",),
    "each": ("all",),
    "forall": ("all",),
    "none": ("no",),
    "is_empty": ("empty", "no"),
    "isempty": ("empty", "no"),
    "sort": ("list",),
    "sorted": ("list",),
    "order": ("list",),
    "filter": ("set",),
    "find": ("first",),
    "index": ("position",),
    "index_of": ("position",),
    "neighbours": ("neighbors",),
    "adjacent": ("neighbors",),
    "beside": ("neighbors",),
    "clamp": ("clip",),
    "limit": ("clip",),
    "in_row": ("line",),
    "connected": ("joined", "groups"),
    "is_connected": ("joined",),
    "connects": ("joined",),
    "linked": ("joined",),
    "reach": ("reachable",),
    "reached": ("reachable",),
    "connected_to": ("reachable", "joined"),
    "flood": ("reachable",),
    "flood_fill": ("reachable",),
    "dist": ("distance",),
    "how_far": ("distance",),
    "border": ("edge",),
    "boundary": ("edge",),
    "wall": ("edge",),
    "needed": ("missing",),
    "shortage": ("missing",),
    "path": ("reachable",),
    "move": ("step",),
    "количество": ("count",),
    "сумма": ("sum",),
    "макс": ("max",),
    "мин": ("min",),
}
