"""Words around which phrases are built: who, how many, is, has, where, and how they are compared."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"[^\W\d]\w*(?:\.[^\W\d]\w*|\([^()]*\)|\[[^\[\]]*\])+|[^\W\d]\w*(?:['’-][^\W\d]+)*|\d+\.\.\w+|\d+|==|!=|<=|>=|\.\.|\S"
)
LONGEST = 14  # words of a phrase
MOST_TRIED = 400  # readings of parts of one

THE = ("the", "a", "an", "of", "that", "this", "there", "still", "already", "now", "currently", "then", "just")
ANY = ("a", "an", "any", "some", "one", "either")
ALL = ("all", "every", "each", "both")
NO = ("no", "none")
SOMEBODY = ("somebody", "someone", "anybody", "anyone")
EVERYBODY = ("everybody", "everyone", "all", "both")
NOBODY = ("nobody", "noone", "none")
HAS = ("has", "have", "had", "holds", "hold", "owns", "own", "contains", "contain", "includes", "include", "with",
        "got", "controls", "control", "gets", "get", "scored", "scores", "collected", "collects", "possesses", "keeps",
        "earned", "earns", "reached", "reaches")  # fmt: skip
IS = ("is", "are", "was", "were", "be", "am", "isn't", "aren't", "lies", "stands", "sits", "becomes")
NOT = ("not", "never", "isn't", "aren't", "doesn't", "don't", "hasn't", "haven't", "without", "cannot")
REACHES = ("reaches", "reach", "reached", "enters", "entered", "enter", "touches", "arrives", "arrived", "lands",
            "landed",
           "on", "in", "at", "onto", "into", "to", "inside", "within", "from", "stands", "among")  # fmt: skip
BESIDE = ("next", "adjacent", "beside", "near", "neighboring", "neighbouring", "touching", "bordering")
LEFT = ("left", "remaining", "remain", "remains", "available", "over")
AWAY = ("left", "remaining", "home", "total", "altogether", "yet", "anymore", "more", "at", "in", "again", "already",
         "now", "together")  # fmt: skip
WHO = ("who", "that", "which", "with", "where", "having", "whose", "without")
MORE = {("at", "least"): ">=", ("at", "most"): "<=", ("more", "than"): ">", ("less", "than"): "<",
         ("fewer", "than"): "<", ("exactly",): "==", ("over",): ">", ("under",): "<", ("up", "to"): "<=",
         ("only",): "==", ("greater", "than"): ">", ("higher", "than"): ">", ("lower", "than"): "<",
         ("bigger", "than"): ">", ("smaller", "than"): "<", ("no", "more", "than"): "<=", ("not", "more", "than"): "<=",
         ("no", "less", "than"): ">=", ("equal", "to"): "==", ("above",): ">", ("below",): "<",
         ("larger", "than"): ">"}  # fmt: skip
BEHIND = {("or", "more"): ">=", ("or", "higher"): ">=", ("or", "less"): "<=", ("or", "fewer"): "<=", ("plus",): ">="}
COMPARES = ("==", "!=", "<=", ">=", "<", ">")
UNITS = ("times", "points", "cards", "coins", "pieces", "dice", "players", "spaces", "steps", "tokens", "turns",
          "rounds", "each")  # fmt: skip
GREATEST = ("highest", "most", "greatest", "largest", "biggest", "maximum", "max", "strongest", "best")
SMALLEST = ("lowest", "least", "smallest", "fewest", "minimum", "min", "weakest", "worst")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
ROWS = {
    **dict.fromkeys(("row", "rows", "rank", "line"), "y"),
    **dict.fromkeys(("column", "columns", "col", "file"), "x"),
}
PIECES = ("card", "cards", "piece", "pieces", "tile", "tiles", "man", "men", "token", "tokens", "stone", "stones")
ORDERS = {("from", "the", "left", "of"): "after", ("left", "of"): "after", ("to", "the", "left", "of"): "after",
           ("players", "after"): "after", ("starting", "with"): "from", ("starting", "from"): "from",
           ("beginning", "with"): "from", ("players", "starting", "with"): "from", ("players", "from"): "from",
           ("clockwise", "from"): "from", ("clockwise", "starting", "with"): "from",
          ("players", "beginning", "with"): "from",
           ("players", "left", "of"): "after", ("the", "left", "of"): "after"}  # fmt: skip
ENDS = {"top": "top", "uppermost": "top", "topmost": "top", "bottom": "bottom", "first": "first", "last": "last"}
Words = tuple[str, ...]


def negated(condition: str) -> str:
    """The opposite of a condition, as one would write it."""
    for name, other in (("any(", "no("), ("no(", "any(")):
        if condition.startswith(name) and condition.endswith(")") and condition.count("(") == condition.count(")") == 1:
            return other + condition[len(name) :]
    if " or " in condition or " and " in condition:
        return f"not ({condition})"
    if condition.startswith("not "):
        return condition[4:]
    if (found := re.fullmatch(r"([^=!<>()]*) == ([^=!<>()]*)", condition)) is not None:
        return f"{found[1]} != {found[2]}"
    if (found := re.fullmatch(r"([^=!<>]*) > 0", condition)) is not None:
        return f"{found[1]} == 0"
    if (found := re.fullmatch(r"([\w.]+) in (.*)", condition)) is not None:
        return f"{found[1]} not in {found[2]}"
    simple = re.fullmatch(r"[\w.]+(?:\([^()]*\))?", condition)
    return f"not {condition}" if simple else f"not ({condition})"


def tokens(text: str) -> Words:
    """The words of a phrase; what is written as in the rules already stays whole."""
    found = []
    for word in TOKEN.findall(text):
        bare = word.removesuffix("'s").removesuffix("’s")
        found.append(bare if not bare.isalpha() or bare != bare.title() else bare.lower())
    return tuple(found)
