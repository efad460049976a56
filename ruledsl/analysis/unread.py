"""An expression that cannot be read, with the names of its game: what a part of it may have meant, and what may stand.

The parser knows where it stopped and what the grammar takes; only here it is known what means something. Whatever is
told has been worked out in the place where it is to stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import GameError
from ruledsl.source.document import Scalar
from ruledsl.source.text import SourceFile
from ruledsl.syntax import expr as E
from ruledsl.syntax.parser import parse_text
from ruledsl.syntax.parsing import Slip, forms
from ruledsl.syntax.stopped import FUNCTIONS, KEYWORDS, Repair
from ruledsl.types import Bool, Elem, Num, Type

from .names import NotFixed
from .phrase_words import ALL
from .phrases import Phrase, tokens
from .quietly import quietly
from .usual import usual
from .vocabulary import as_number

if TYPE_CHECKING:
    from .elaborate import Elaborator

_CUTS = re.compile(r"\b(?:if|then|else|where|by|for|otherwise)\b|[()\[\],]")
_JOINTS = re.compile(r"\b(?:and|or)\b")
_CUTS_AND_JOINTS = re.compile(f"{_CUTS.pattern}|{_JOINTS.pattern}")
_ALL_CUTS = re.compile(rf"{_CUTS_AND_JOINTS.pattern}|==|!=|<=|>=|[<>]")
_ASKING = ("if", "where", "and", "or")
_OVER = re.compile(r"([^\W\d]\w*)\s+in\s+((?:[\w.]|\([^()]*\))+)\s+(?:where|by)\b")
_EACH_FOR = re.compile(r"\bfor\s+([^\W\d]\w*)\s+in\s+((?:[\w.]|\([^()]*\))+)")
_KEY = re.compile(r"([^\W\d]\w*)\s*:\s*(?:is\s*:\s*)?[\"']?$")
_BESIDE = re.compile(r"(?<![\w.])([^\W\d]\w*)(?:['’]s)?\s+(?=([^\W\d]\w*))")
_OF = re.compile(r"[^\W\d]\w*\s+of\s+\w")
_LISTED = re.compile(r"\w+(?:\s*,\s*\w+)+(?:\s*,)?\s+(?:or|and)\s+\w+")  # `rock, paper or scissors`
_COUNTED = re.compile(r"[<>=]\s*\d+\s+[^\W\d]")  # `me.hand > 3 cards`
_WHAT = {
    "condition": "a condition",
    "number": "a number",
    "set": "a set to choose from",
    "players": "players",
    "order": "an order of players",
    "one": "one thing",
    "one or none": "one thing",
    "pieces": "pieces",
    "home": "a space or place",
}
_MOST = 40  # readings of a part that are tried in the whole
_MOST_PHRASES = 2  # behind the first in one text


class Unread:
    """A text that cannot be read, in the scope where it stands."""

    def __init__(self, elab: Elaborator, start: str, wanted: str, node: Scalar) -> None:
        self.elab, self.start = elab, start
        self.wanted = "set" if start == "domain" and not wanted else wanted
        before = node.span.file.text[: node.span.start]
        key = _KEY.search(before[-80:])
        self.name = key[1] if key is not None and key[1] != "is" else ""

    # ------------------------------------------------------------------------------------------- the parser asks

    def means(self, text: str) -> bool:
        """Whether another text would mean something in place of one that cannot be read."""
        if self.start not in ("expr", "domain") or not self.elab.report.searches:
            return False
        elab = self.elab
        try:
            with quietly(elab) as quiet:
                tree = parse_text(text, SourceFile("", text), 0, self.start, quiet)
                found = elab.expr(tree.of if isinstance(tree, E.Domain) else tree)
                if isinstance(tree, E.Domain):
                    if elab.item_type(found.type) is None or not self._counts(tree.count):
                        return False
                if self.wanted == "condition":
                    elab.condition(found, tree.span, "this")
        except (GameError, NotFixed):
            return False
        if self.wanted in ("number", "pieces", "players", "order", "home") and not quiet.errors:
            return self._is_wanted(found.type, text)
        if isinstance(tree, E.Domain) and tree.where is not None and self.name and not quiet.errors:
            return self._asks(tree.of.span.text, tree.where.span.text)
        return quiet.errors == 0

    def _counts(self, tree: E.Expr | None) -> bool:
        """Whether what stands before `of` says how many: `2`, `1..3`, `some`, `any`."""
        if tree is None or (isinstance(tree, E.Name) and tree.name in ("some", "any")):
            return True
        ends = (tree.left, tree.right) if isinstance(tree, E.Binary) and tree.op == ".." else (tree,)
        return all(isinstance(self.elab.expr(end).type, Num) for end in ends)

    def phrase(self, text: str, depth: int = 0) -> Repair | None:
        """A part of the text that is a phrase, and what it is written as."""
        if self.start not in ("expr", "domain") or not self.elab.report.searches:
            return None
        for start, end, wanted in _parts(text, self.wanted):
            part = text[start:end]
            reader = Phrase(self.elab, self._bound(text, start))
            for right in islice(self._readings(reader, part, wanted), _MOST):
                whole = text[:start] + right + text[end:]
                if self.fits(whole):
                    return _written(start, end, part, right)
                if depth < _MOST_PHRASES and _stops(whole, self.start) > start + len(right):
                    further = self.phrase(whole, depth + 1)  # another one behind it
                    if further is not None:
                        right = whole[: further.start] + further.new + whole[further.end :]
                        return _written(0, len(text), text, right)
        return None

    def usual(self, text: str) -> tuple[str, str] | None:
        """What is said of a text with words side by side, with which nothing can be done."""
        if self.start not in ("expr", "domain") or not self.elab.report.searches:
            return None
        if {"because", "let"} & {*text.split()}:
            return None  # these are keys
        words = tokens(text)
        if not is_said(text) and not (self.wanted == "pieces" and as_number(words[0])):
            return None
        wanted = self.wanted or _asked(words)
        if told := self._otherwise(text, words, wanted):
            return told
        shown = usual(Phrase(self.elab, self._bound(text, 0)).words, wanted, words)
        if not shown:
            return None
        return f"these words cannot be read as {_WHAT.get(wanted, 'an expression')}", self._understood(text) + shown

    def _understood(self, text: str) -> str:
        """What one of the parts is written as, where the rest is not understood."""
        for start, end, wanted in _parts(text, ""):
            part = text[start:end]
            if (start, end) == (0, len(text)) or not is_said(part) or wanted not in ("", "condition"):
                continue
            reader = Phrase(self.elab, self._bound(text, start))
            if right := next(reader.as_condition(part), ""):
                return f"`{part}` is written `{right}`; "
        return ""

    # -------------------------------------------------------------------------------------------------- inside

    def _otherwise(self, text: str, words: tuple[str, ...], wanted: str) -> tuple[str, str] | None:
        """What is no expression at all: chance, so many pieces, a number where pieces must be."""
        reader = Phrase(self.elab, self._bound(text, 0))
        said = " ".join(text.split())
        if chance := {*words[:2]} & {"random", "randomly"}:
            rest = tuple(word for word in words if word not in (*chance, "a", "chosen", "picked"))
            for some in reader.as_domain(" ".join(rest), "x"):
                help = f"write `- random: {{x: {some}}}` as a statement before this one, and `x` here"
                return f"`{said}`: chance is a statement of its own", help
        if wanted == "condition" and (kept := _not_kept(words, reader)):
            return f"`{said}`: nothing in the game says this yet", kept
        if wanted != "pieces" or not (number := as_number(words[0])):
            return None
        for what in reader.things(words[1:]):
            if isinstance(reader.of_pieces(what), Elem):
                help = f"write `repeat: {number}`, and below it `do:` with this statement for `{what}`"
                return f"`{said}`: so many are taken one by one", help
            if isinstance(reader.words.type_of(what), Num):
                help = f"write `add: {{{what}: {number}}}`, and `subtract:` where they come from"
                return f"`{said}`: `{what}` is a number that changes, and no pieces", help
        return None

    def _readings(self, reader: Phrase, part: str, wanted: str) -> Iterator[str]:
        match wanted:
            case "condition":
                yield from reader.as_condition(part)
            case "number":
                yield from reader.as_number(part)
            case "one" | "one or none":
                yield from reader.as_one(part)
            case "set" if self.start == "domain":
                yield from reader.as_domain(part, self.name)
            case "set":
                yield from reader.as_set(part)
            case "pieces" if tokens(part)[0] in ALL:  # `all chosen cards`: everybody's, and no single one
                found = reader.sets(tokens(part))
                yield from found if "my" in tokens(part) else sorted(found, key=lambda text: text.startswith("me."))
            case "players" | "pieces" | "order":
                yield from (text for text in reader.things(tokens(part)))
            case "home":
                yield from reader.as_one(part)
            case _:
                yield from reader.things(tokens(part))
                yield from reader.as_condition(part)

    def fits(self, text: str) -> bool:
        """Whether a text means what the place wants."""
        if _stops(text, self.start) >= 0:
            return False
        base, condition = _halves(text)
        if self.start == "domain" and condition:
            return self._asks(base, condition)
        kind = self.whole.words.type_of(text)
        return kind is not None and self._is_wanted(kind, text)

    @cached_property
    def whole(self) -> Phrase:
        return Phrase(self.elab, {})

    def _asks(self, base: str, condition: str) -> bool:
        item = self.whole.words.item_of(base)
        if item is None:
            return False
        return Phrase(self.elab, {self.name or "it": item}).words.is_condition(condition)

    def _is_wanted(self, kind: Type, text: str) -> bool:
        players = self.elab.world.players
        match self.wanted:
            case "condition":
                return isinstance(kind, Bool) or (isinstance(kind, Elem | Num) and kind.maybe)
            case "number":
                return isinstance(kind, Num)
            case "one" | "one or none":
                return isinstance(kind, Elem)
            case "set":
                return self.whole.words.is_set(text)
            case "players" | "pieces" | "order":
                is_one = isinstance(kind, Elem) and not self.elab.is_place(kind)  # of a place: what lies in it
                item = kind if is_one else self.whole.words.item_of(text)
                pieces = self.elab.world.pieces
                return isinstance(item, Elem) and item.root is (pieces if self.wanted == "pieces" else players)
            case "home":
                return isinstance(kind, Elem) and kind.root.kind in ("space", "place")
        return True

    def _bound(self, text: str, start: int) -> dict[str, Type]:
        """The names that the text itself binds around a place in it."""
        found: dict[str, Type] = {}
        words = Phrase(self.elab, {}).words
        for over in (*_OVER.finditer(text), *_EACH_FOR.finditer(text)):
            item = words.item_of(over[2])
            if item is not None:
                found[over[1]] = item
        base, condition = _halves(text)
        if self.start == "domain" and condition and start > len(base) and self.name:
            item = words.item_of(base.strip())
            if item is not None:
                found[self.name] = item
        return found


def _halves(text: str) -> tuple[str, str]:
    """A set, and the condition behind its own `where`."""
    for found in re.finditer(r"\s+where\s+", text):
        before = text[: found.start()]
        if before.count("(") == before.count(")"):
            return before.strip(), text[found.end() :]
    return text, ""


def _stops(text: str, start: str) -> int:
    """Where a text can be read no further; -1 if it can be read."""
    try:
        forms(text, start)
    except Slip as slip:
        return slip.at if not slip.ended else 0
    return -1


def _written(start: int, end: int, part: str, right: str) -> Repair:
    said = f"`{' '.join(part.split())}` is said in words, and the rules write it otherwise"
    return Repair(start, end, right, "E101", said, f"write `{right}`", (right,))


def _parts(text: str, wanted: str) -> Iterator[tuple[int, int, str]]:
    """The parts of a text that may be a phrase, the whole first, each with what is wanted of it."""
    seen = set()
    for pattern in (None, _CUTS, _CUTS_AND_JOINTS, _ALL_CUTS):
        stretches = list(_between(text, pattern))
        if pattern is _CUTS_AND_JOINTS:  # `me.hand has king or prince` behind another condition
            stretches = [*_run_together(text, stretches), *stretches]
        for start, end, before in stretches:
            while start < end and text[start].isspace():
                start += 1
            while end > start and text[end - 1].isspace():
                end -= 1
            part = text[start:end]
            if (start, end) in seen or not is_said(part):
                continue
            seen.add((start, end))
            role = wanted
            if pattern is not None:
                role = "condition" if before in _ASKING else "number" if before == "by" else ""
                role = "number" if before in ("<", ">", "<=", ">=") else role
                role = wanted if before in ("then", "else") else role
            yield start, end, role


def _run_together(text: str, stretches: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Several stretches with only `and` and `or` between them, the most first."""
    for size in range(len(stretches) - 1, 1, -1):
        for first in range(len(stretches) - size + 1):
            some = stretches[first : first + size]
            if all(before in ("and", "or") for _, _, before in some[1:]):
                yield some[0][0], some[-1][1], some[0][2]


def _between(text: str, pattern: re.Pattern[str] | None) -> Iterator[tuple[int, int, str]]:
    """The stretches between what a pattern finds, each with what stands before it."""
    start, before = 0, ""
    for cut in pattern.finditer(text) if pattern is not None else ():
        yield start, cut.start(), before
        start, before = cut.end(), cut[0]
    yield start, len(text), before


def _asked(words: tuple[str, ...]) -> str:
    """What a phrase is about, where the place does not say it."""
    if words[:1] in (("number",), ("amount",)) or words[:2] == ("how", "many"):
        return "number"
    if "then" in words or "for" in words:
        return ""
    asks = words[0] in ("no", "not", "if", "is", "are", "both", "nobody") or {*words} & _SAYS
    return "condition" if asks or (words[0] in ("all", "any", "every") and {*words} & {"in", "on", "at"}) else ""


def _not_kept(words: tuple[str, ...], reader: Phrase) -> str:
    """For `both passed`, where no value says who has: how it is kept, and asked for."""
    subjects = {**dict.fromkeys((*_EVERYBODY, "players"), "all(p.{0} for p in players)"), "me": "me.{0}", "i": "me.{0}",
                **dict.fromkeys(_SOMEBODY, "any(p in players where p.{0})"), "opponent": "opponent.{0}",
                **dict.fromkeys(("nobody", "no"), "no(p in players where p.{0})")}  # fmt: skip
    ws = [
        word for word in words if word not in ("has", "have", "is", "are", "player", "been", "of", "them", "the", "did")
    ]
    if len(ws) == 3 and ws[1] in ("players", "player"):
        del ws[1]
    if len(ws) != 2 or ws[0] not in subjects or not ws[1].isalpha() or reader.words.named(ws[1:]):
        return ""
    state = ws[1] if ws[1].endswith(("ed", "en", "ut", "t")) else ws[1].removesuffix("es").removesuffix("e") + "ed"
    asked = subjects[ws[0]].format(state)
    declared = f"declare `{state}: {{per: player, is: bool}}` under `values:`"
    return f"{declared}, write `set: {{me.{state}: true}}` where it happens, and ask `{asked}` here"


_EVERYBODY = ("all", "both", "everybody", "everyone", "every", "each")
_SOMEBODY = ("any", "somebody", "someone", "anybody", "anyone", "a")
_SAYS = {"is", "are", "has", "have", "can", "must", "may", "holds", "reaches", "was", "does"}


def is_said(text: str) -> bool:
    """Whether two words stand side by side that are none of the language."""
    for first, second in _BESIDE.findall(text):
        if first.lower() not in KEYWORDS["domain"] and second.lower() not in KEYWORDS["domain"]:
            if first not in FUNCTIONS or second not in FUNCTIONS:
                return True
    return any(said is not None for said in (_LISTED.fullmatch(text.strip()), _OF.search(text), _COUNTED.search(text)))


__all__ = ["Unread", "is_said"]
