"""Where an expression cannot be read any further, and a change after which it may be."""

from __future__ import annotations

import re

from ruledsl.records import dataclass

KEYWORDS = {
    "expr": ("if", "then", "else", "or", "and", "not", "in", "from", "after", "except", "otherwise", "for", "where",
             "by", "none", "true", "false"),
    "type": ("maybe", "set", "bag", "price", "list", "of", "up", "to", "by"),
}  # fmt: skip
KEYWORDS["domain"] = (*KEYWORDS["expr"], "of")
FUNCTIONS: set[str] = set()  # the names of all functions, filled where they register themselves

_TOKEN = re.compile(r"[^\W\d]\w*|\d+|\"[^\"]*\"|'[^']*'|==|!=|<=|>=|\.\.|\S")
_FAR_ENOUGH = 2  # tokens past the place


@dataclass(frozen=True)
class Token:
    start: int
    end: int
    text: str

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha()


@dataclass(frozen=True)
class Repair:
    """A change, and what is to be said of it: a replacement of the characters from `start` up to `end`."""

    start: int
    end: int
    new: str
    code: str
    message: str
    help: str
    suggestions: tuple[str, ...] = ()
    only_meant: bool = False  # it is no advice where it would only be readable
    weak: bool = False  # whether it is a guess at what is missing, which may be something else altogether


@dataclass(frozen=True)
class Tried:
    """The change that was found, and whether what it makes means something in its place."""

    change: Repair | None
    is_sure: bool = False


class Place:
    """Where reading stopped, among the tokens of the text."""

    def __init__(self, text: str, start: str, at: int, wanted: str = "") -> None:
        self.text, self.start, self.at, self.wanted = text, start, at, wanted
        self.tokens = [Token(m.start(), m.end(), m.group()) for m in _TOKEN.finditer(text)]
        found = (i for i, token in enumerate(self.tokens) if token.end > at)
        self.index = next(found, len(self.tokens))
        further = self.tokens[self.index + _FAR_ENOUGH : self.index + _FAR_ENOUGH + 1]
        self.far = further[0].start if further else len(text) + 1

    def token(self, offset: int = 0) -> Token | None:
        """The token at which reading stopped, or one before or after it."""
        index = self.index + offset
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def is_call(self, token: Token) -> bool:
        """Whether a token is the name of a function with its bracket."""
        return token.text in FUNCTIONS and self.text[token.end : token.end + 1] == "("

    def inside(self) -> str:
        """The bracket that is open where reading stopped."""
        depth = 0
        for sign in reversed(self.text[: self.at]):
            depth += (sign in ")]") - (sign in "([")
            if depth < 0:
                return sign
        return ""

    def near(self) -> list[Token]:
        """The tokens that may be to blame: where reading stopped, before it, and the words further back."""
        order = [token for offset in (0, -1, -2, 1) if (token := self.token(offset)) is not None]
        return order + [token for token in reversed(self.tokens[: max(0, self.index - 2)]) if token.is_word][:12]
