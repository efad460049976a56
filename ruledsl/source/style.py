"""One style for files: blanks and line breaks between what is written are set anew, nothing else.

What is told to the left and right of a colon, the order of keys, quotes, comments, and whether a map stands in brackets
or on lines: all that stays. Two columns deeper for what is inside, lists too; one blank behind `:`, `-` and `,`, none
within brackets; two before a comment; one empty line at most. Lines inside a value or inside brackets move with where
these begin. Tables whose columns stood in line keep them so (`columns.py`).

The result is compared with what was given: if it were not the same to a reader of YAML, the file would stay as it is.
"""

from __future__ import annotations

import re

from ruledsl.records import dataclass
from ruledsl.source.columns import in_line
from ruledsl.source.document import Token, as_told, tokens

_OPENING, _CLOSING = ("[", "{"), ("]", "}")
_HEAD = re.compile(r"(?P<marks>[|>](?P<more>[0-9+-]*))[ \t]*(?P<comment>#.*)?")


class NotStyled(Exception):
    """Something is written in a way that is left alone."""


@dataclass
class _Level:
    """A list or map on lines: in which column its dashes or keys were, and where they go."""

    old: int
    new: int
    is_map: bool
    loose: bool = False  # a list whose dashes stood below the key, no deeper


def styled(text: str) -> str:
    """The text in one style; the text itself if it cannot be read, or is written in a way that is left alone."""
    clean = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    told = as_told(clean)
    if told is None:
        return text
    try:
        result = _Styler(clean).run()
    except NotStyled:
        return text
    if as_told(result) != told:
        return text
    whole = in_line(clean, tokens(clean), result, tokens(result))
    return whole if as_told(whole) == told else result


class _Styler:
    """Goes through the tokens of a text and writes each behind new blanks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.column = 0  # where the next letter is written
        self.levels: list[_Level] = []
        self.before: list[_Level] = []  # the levels at the token before
        self.last: Token | None = None
        self.end = 0  # of what has been written
        self.opened: list[tuple[int, int]] = []  # brackets around: the old and the new column of each
        self.is_key = False

    def run(self) -> str:
        for token in tokens(self.text):
            if token.start < token.end:
                self._visible(token)
            else:
                self._mark(token)
        self._gap(self.text[self.end :], None, 0)
        result = "".join(self.out).rstrip("\n")
        return result + "\n" if result else ""

    # ------------------------------------------------------------------------------------ where things stand

    def _mark(self, token: Token) -> None:
        """A sign that is not written: something begins or ends."""
        kind = token.kind
        if kind in ("BlockMappingStart", "BlockSequenceStart"):
            new = self.levels[-1].new + 2 if self.levels else 0
            self.levels.append(_Level(self._old(token.start), new, kind == "BlockMappingStart"))
        elif kind == "BlockEnd":
            self._tighten()
            self.levels.pop()
        elif kind == "Key" and not self.opened:
            self._tighten()
            self.is_key = True

    def _tighten(self) -> None:
        if self.levels and self.levels[-1].loose:
            self.levels.pop()

    def _old(self, at: int) -> int:
        return at - (self.text.rfind("\n", 0, at) + 1)

    def _visible(self, token: Token) -> None:
        kind = token.kind
        if kind in ("Key", "Directive", "DocumentEnd"):
            raise NotStyled
        if kind == "BlockEntry" and self.levels and self.levels[-1].is_map and not self.opened:
            self.levels.append(_Level(self._old(token.start), self.levels[-1].new + 2, False, loose=True))
        self._gap(self.text[self.end : token.start], token, self._goal(token))
        if kind in ("FlowSequenceEnd", "FlowMappingEnd"):
            self.opened.pop()
        begin, old = self.column, self._old(token.start)
        if kind in ("FlowSequenceStart", "FlowMappingStart"):
            self.opened.append((old, begin))
        self._write(token, old, begin)
        self.last, self.is_key = token, False
        self.before = list(self.levels)

    def _goal(self, token: Token) -> int:
        """The column of a token that is the first of its line."""
        if self.opened:
            return self._moved(self._old(token.start), *self.opened[0])
        if not self.levels:
            return 0
        return self.levels[-1].new + (2 if self._is_value(token) else 0)

    def _moved(self, column: int, old: int, new: int) -> int:
        """Where a line goes on that belongs to something which began in a column and begins in another now."""
        if column > old:
            return column - old + new
        level = self.levels[-1] if self.levels else None
        return max(0, column + (level.new - level.old if level else 0))

    # ------------------------------------------------------------------------------------------- what stands

    def _put(self, text: str) -> None:
        self.out.append(text)
        newline = text.rfind("\n")
        self.column = self.column + len(text) if newline < 0 else len(text) - newline - 1

    def _write(self, token: Token, old: int, new: int) -> None:
        text = self.text[token.start : token.end]
        if token.kind != "Scalar" or "\n" not in text:
            self._put(text)
            self.end = token.end
        elif text[0] in "|>" and not token.plain:
            self._block(token, text)
        else:
            first, *rest = text.split("\n")
            least = self.levels[-1].new + 1 if self.levels and not self.opened else 0
            lines = [first.rstrip() if token.plain else first]
            for line in rest:
                here = line.lstrip(" \t")
                column = self._moved(len(line) - len(here), old, new)
                lines.append(" " * max(column, least) + (here.rstrip() if token.plain else here) if here else "")
            self._put("\n".join(lines))
            self.end = token.end

    def _block(self, token: Token, text: str) -> None:
        """A text of several lines behind `|` or `>`, which all move alike."""
        head, _, body = text.partition("\n")
        found = _HEAD.fullmatch(head.rstrip())
        if found is None:
            raise NotStyled
        base = self.levels[-1] if self.levels else _Level(0, 0, False)
        depth = re.search(r"[1-9]", found["more"])
        keeps = "+" in found["more"]
        body = body[:-1] if keeps and body.endswith("\n") else body if keeps else re.sub(r"(\n *)*\Z", "", body)
        lines = body.split("\n")
        if depth:
            parent = next((level.old for level in reversed(self.levels) if not level.loose), 0)
            old, new = parent + int(depth[0]), base.new + int(depth[0])
        else:
            old = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")), 0)
            new = base.new + 2 if self.levels else old
        self._put(found["marks"] + (f"  {found['comment']}" if found["comment"] else ""))
        if body:
            self._put("".join("\n" + (" " * new + line[old:] if line[old:] else "") for line in lines))
        self.end = token.start + len(head) + (1 + len(body) if body else 0)

    # -------------------------------------------------------------------------------------- what is between

    def _gap(self, gap: str, token: Token | None, goal: int) -> None:
        """Blanks, line breaks and comments before a token, or before the end of the file."""
        if "\n" not in gap and (token is not None or not gap.strip()):
            self._put(self._blank(token) if self.out and token is not None else " " * (goal if token else 0))
            return
        if token is not None and token.kind == "Value":
            raise NotStyled
        if not gap.strip() and self._is_item(token):
            self._put(" ")
            return
        first, *rest = gap.split("\n")
        if first.strip():
            self._put(("  " if self.out else "") + first.strip())
        empty = False
        for line in rest[: -1 if token is not None else None]:
            if not line.strip():
                empty = True
                continue
            self._break(empty)
            empty = False
            self._put(" " * self._comment_column(len(line) - len(line.lstrip()), token, goal) + line.strip())
        if token is not None:
            self._break(empty)
            self._put(" " * goal)

    def _is_item(self, token: Token | None) -> bool:
        """Whether a dash and what belongs to it stand on two lines, though nothing is between."""
        behind = self.last is not None and self.last.kind == "BlockEntry"
        return behind and token is not None and (len(self.levels) > len(self.before) or self._is_value(token))

    def _is_value(self, token: Token) -> bool:
        return not self.is_key and token.kind != "BlockEntry"

    def _break(self, empty: bool) -> None:
        if self.out and any(self.out):
            self._put("\n\n" if empty else "\n")

    def _blank(self, token: Token) -> str:
        """What stands between two tokens of a line."""
        last, kind = self.last, token.kind
        if last is None:
            return ""
        mark = self.text[last.start : last.end] if last.kind != "Scalar" else ""
        if kind == "Value":
            if last.kind not in ("Scalar", "Alias"):
                raise NotStyled
            return " " if last.kind == "Alias" else ""
        if kind == "FlowEntry" or mark in _OPENING or kind in ("FlowSequenceEnd", "FlowMappingEnd"):
            return ""
        if last.kind == "DocumentStart":
            raise NotStyled
        return " "

    def _comment_column(self, old: int, token: Token | None, goal: int) -> int:
        """A comment goes with what follows it, or with that around it in whose column it stands."""
        if token is not None and (self.opened or old == self._old(token.start)):
            return self._moved(old, *self.opened[0]) if self.opened else goal
        fits = [level for level in self.before if level.old <= old]
        if token is not None and old > self._old(token.start) and not fits:
            return goal
        return fits[-1].new if fits else 0
