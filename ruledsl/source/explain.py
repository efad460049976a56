"""What the YAML library stopped at, in the words of somebody who writes a game."""

from __future__ import annotations

import re
from itertools import pairwise

from ruledsl.diagnostics.model import Report
from ruledsl.records import dataclass
from ruledsl.source.letters import STRANGE_SPACE
from ruledsl.source.pieces import NO_SPACE, open_brackets, report_comment, short
from ruledsl.source.text import SourceFile, Span

_KEY_LINE = re.compile(r"\s*(?:- +)*[^\s#\"'\[{(][^:#\[{(]*$")
_LAID_OUT = re.compile(
    rf"(?:^[ \t]*|(?<=[:\-{{\[,])[ \t]*)({STRANGE_SPACE.pattern})|({STRANGE_SPACE.pattern})(?=\s*[:\]}}])"
)
_STRANGE_MARK = re.compile(r"\s*([—–−‐‑•·▪‣*+])\s+[\w\"'{]")
_ITEM_MARKS = re.compile(r"\s*(?:[-?][ \t]+)*")
_CLOSING = {"[": "]", "{": "}"}

AMOUNT = re.compile(r"\{\s*(?P<all>(?:any )?[^\W\d][\w.]*\s*:\s*\d+(?:\s*,\s*(?:any )?[^\W\d][\w.]*\s*:\s*\d+)*)\s*\}")


def amount_in(text: str) -> str:
    """`payable({clay: 2})`: an amount as an expression."""
    found = AMOUNT.search(text)
    if found is None or not re.search(r"[\w)(<>=+*]\s*$", text[: found.start()] or "("):
        return ""
    return summed(found)


_BY_KEY = re.compile(r"\{\s*(\w+\s*:[^{}:,]+(?:,\s*\w+\s*:[^{}:,]+)+)\}\s*\[\s*([\w.]+)\s*\]")


def by_key(text: str) -> str:
    """`if p == white then 9 else 1` for `{white: 9, black: 1}[p]`."""
    found = _BY_KEY.search(text)
    if found is None:
        return ""
    pairs = [tuple(part.strip() for part in one.split(":")) for one in found[1].split(",")]
    asked = "".join(f"if {found[2]} == {key} then {value} else " for key, value in pairs[:-1])
    return f"({asked}{pairs[-1][1]})"


def summed(amount: re.Match[str]) -> str:
    """`[2 clay, 1 wood]` for `{clay: 2, wood: 1}`."""
    parts = (re.split(r"\s*:\s*", part.strip()) for part in amount["all"].split(","))
    return f"[{', '.join(f'{number} {sort}' for sort, number in parts)}]"


def _key_meant(line: str) -> str:
    """For `copies 2` and `lay_a_disc()`, which stand alone among lines with keys."""
    if re.fullmatch(r"[^\W\d]\w*\(.*\)", line):
        return f"what happens comes after a key, such as `do:`: write `do: {short(line)}`"
    pair = re.fullmatch(r"([^\W\d]\w*)\s*[ =]\s*(-?\d+|[^\W\d]\w*|[\[{(\"'].*)", line)
    return f"write `{pair[1]}: {short(pair[2])}`" if pair else ""


@dataclass(frozen=True, slots=True)
class SyntaxMistake:
    """What the YAML library stopped at, to be told in the words of somebody who writes a game."""

    file: SourceFile
    report: Report
    doing: str
    start: int
    problem: str
    at: int
    bracket: int | None

    def explain(self) -> None:
        """Report it; the tests name a file for each of the cases."""
        letter = self.file.text[self.at : self.at + 1]
        if self._strange_space() or self._strange_mark():
            return
        if "quoted scalar" in self.doing:
            self._quoted()
        elif letter == "\t":
            self._error("Y103", "a tab cannot be here", help="indent with spaces")
        elif "cannot start any token" in self.problem:
            self._strange_sign()
        elif self.doing.endswith(("an alias", "an anchor", "a tag", "a block scalar")):
            self._cannot_start(self.start)
        elif "node content" in self.problem:
            self._no_value(letter)
        elif "parsing a flow" in self.doing:
            self._in_brackets(letter)
        elif "mapping values" in self.problem:
            self._colon()
        elif "simple key" in self.doing:
            self._no_colon()
        elif "parsing a block" in self.doing:
            self._in_block(letter)
        elif "sequence entries" in self.problem:
            help = "put each item on a line of its own, or write the list in [ ]"
            self._error("Y102", "a list cannot start on the line of its key", help=help)
        elif "mapping keys" in self.problem:
            self._cannot_start(self.at)
        elif "document start" in self.problem:
            self._after_document()
        elif "unexpected ':'" in self.problem:
            self._error("Y304", "a space is missing after this `:`")
        else:
            self._error("Y101", "this cannot be read as YAML", label=self.problem)

    def _strange_space(self) -> bool:
        """Whether a space that is none of the keyboard stands where the file is laid out by blanks; it is told."""
        line = self.file.line_col(min(self.at, len(self.file.text)))[0]
        for number in (line, self._line_above(line)[0]):
            found = _LAID_OUT.search(self.file.line_text(number))
            if found:
                start = self.file.line_start(number)
                message = "this is a special space character, and YAML does not treat it as a space"
                self._error(
                    "Y112", message, at=start + found.start(1), length=len(found[1]), help="write normal spaces"
                )
                return True
        return False

    def _strange_mark(self) -> bool:
        """Whether an item of a list begins with a mark that is none; it is told."""
        line = self.file.line_col(min(self.at, len(self.file.text)))[0]
        for number in (line, self._line_above(line)[0]):
            found = _STRANGE_MARK.match(self.file.line_text(number))
            if found:
                at = self.file.line_start(number) + found.start(1)
                message = f"`{found[1]}` begins no item of a list"
                self._error("Y107", message, at=at, help="write `- `, with the minus key and a space")
                return True
        return False

    def _quoted(self) -> None:
        if "escape" not in self.problem and "hex" not in self.problem:
            self._error("Y105", "this quote is never closed", at=self.start)
            return
        slash = self.file.text.rfind("\\", self.start, self.at + 1)
        escape = short(self.file.text[slash : slash + 2])
        help = "write `\\\\` for a backslash, or the text in single quotes"
        self._error("Y110", f"`{escape}` means nothing in a quoted text", at=slash, length=2, help=help)

    def _strange_sign(self) -> None:
        """A sign that starts nothing; in `{a: b[c] > 1}` YAML may stumble over it before the bracket."""
        line, column = self.file.line_col(self.at)
        written = self.file.line_text(line)[: column - 1]
        depth = 0
        for found in re.finditer(r"([\w)]?)[\[{]|[\]}]", written):
            if found[1] and depth > 0:
                self._bracket_in_text(self.file.line_start(line) + found.end() - 1)
                return
            depth += -1 if found[0] in "]}" else 1
        self._cannot_start(self.at)

    def _cannot_start(self, at: int) -> None:
        letter = self.file.text[at : at + 1]
        help = "write the text in quotes"
        line, column = self.file.line_col(at)
        if letter == ">" and (
            more := re.match(r">(=?)\s*([^\W\d][\w.]*|\d+)", self.file.line_text(line)[column - 1 :])
        ):
            least = more[2] if more[1] else f"{more[2]} + 1"
            help = f"what it may be is a range: write `{least}..…`, with the most that it may be"
        self._error("Y107", f"a text cannot start with `{letter}`", at=at, help=help)

    def _is_item(self, line: int) -> bool:
        return re.match(r"\s*- ", self.file.line_text(line)) is not None

    def _no_value(self, letter: str) -> None:
        line = self.file.line_col(self.at)[0]
        if self.bracket is not None and (self._is_at_end() or (letter == "-" and self._is_item(line))):
            self._never_closed(self.bracket)
        elif letter and letter in "]}":
            self._never_opened(letter)
        elif letter == "," and self.doing.endswith("flow node"):
            self._error("Y109", "a value is missing before this comma")
        else:
            self._cannot_start(self.at)

    def _in_brackets(self, letter: str) -> None:
        """The text ended, or went on, where a list or map in brackets wanted a comma or its end."""
        text, closing = self.file.text, _CLOSING.get(self.file.text[self.start : self.start + 1], "}")
        before = text[self.start + 1 : self.at]
        comma = _comma_in_parentheses(before)
        key = self._key_of_later_line() if letter == ":" else ""
        if comma is not None:
            self._comma(self.start + 1 + comma)
        elif self._is_at_end() or (key and _indent(key) <= self._indent_at(self.start)):
            self._never_closed(self.start)
        elif key:
            key = key.lstrip()
            notes = ((self.file.span(self.start, self.start + 1), "opened here, and not closed before"),)
            self._error(
                "Y109",
                f"a comma or `{closing}` is missing before this",
                notes=notes,
                at=self.at - len(key),
                length=len(key),
            )
        elif letter in ("]", "}"):
            notes = ((self.file.span(self.start, self.start + 1), "opened here"),)
            self._error("Y104", f"`{letter}` cannot close `{text[self.start]}`", notes=notes)
        elif letter == ":":
            self._text_with_colon()
        elif letter in ("[", "{") and re.search(r"[^\s,:\[{\"'\]}]\s*$", before):
            self._bracket_in_text(self.at)
        elif re.search(r"[\"']\s*$", before):
            self._after_value()
        else:
            notes = ((self.file.span(self.start, self.start + 1), "opened here"),)
            self._error("Y109", f"a comma or `{closing}` is missing before this", notes=notes)

    def _bracket_in_text(self, at: int) -> None:
        line = self.file.line_col(at)[0]
        if self.bracket is not None and self.file.line_col(self.bracket)[0] < line and self._is_item(line):
            self._never_closed(self.bracket)
            return
        help = "write this on its own line, without { } or [ ] around it, or in quotes"
        text = self.file.line_text(line)[max(0, self.file.line_col(at)[1] - 2) :]
        if self.file.text[at] == "{" and (amount := amount_in(text)):
            self._error("Y302", "an amount inside an expression is not a map", at=at, help=f"write `{amount}`; {help}")
            return
        message = f"a text inside {{ }} or [ ] cannot have a `{self.file.text[at]}` in it"
        self._error("Y302", message, at=at, help=help)

    def _comma(self, at: int) -> None:
        help = "inside { } and [ ] a comma ends a value; write the text on its own line, or in quotes"
        notes = (
            ((self.file.span(self.start, self.start + 1), "opened here"),)
            if self.file.line_col(self.start)[0] != self.file.line_col(at)[0]
            else ()
        )
        self._error("Y301", "this comma ended the text", notes=notes, at=at, help=help)

    def _colon(self) -> None:
        """A `: ` where no key can be: a second one in a line, or in a line that continues a text."""
        line, column = self.file.line_col(self.at)
        written = self.file.line_text(line)[: column - 1]
        key = written[_ITEM_MARKS.match(written).end() :]  # type: ignore[union-attr]
        above, above_text = self._line_above(line)
        above_key = above_text[_ITEM_MARKS.match(above_text).end() :].rstrip()  # type: ignore[union-attr]
        if re.search(r":\s", key):
            self._text_with_colon()
        elif re.match(r"-\w", above_key):
            at = self.file.line_start(above) + above_text.index(above_key)
            self._error("Y304", "a space is missing after this `-`", at=at, help=f"write `- {short(above_key[1:])}`")
        elif ": " in above_key and self._first_child():
            return
        elif ": " in above_key:
            name = above_key.split(": ")[0]
            item = written.lstrip().startswith("- ")
            help = (
                f"a list needs a key of its own above it, such as `do:`, in the column of `{short(name)}`"
                if item
                else "indent it like the keys it belongs to"
            )
            self._error(
                "Y102",
                f"`{short(key)}` is indented under `{short(name)}`, which already has a value",
                at=self.at - len(key),
                length=len(key),
                help=help,
            )
        elif above_text.lstrip().startswith("- ") and written.lstrip().startswith("- ") and not self._first_child():
            self._shifted(line, self.file.line_text(line), _indent(above_text), above)
        else:
            self._line_without_colon(above, above_key)

    def _text_with_colon(self) -> None:
        """A second `: ` in a value: a comma or brace was left out, or it is a text."""
        line, column = self.file.line_col(self.at)
        before = self.file.line_text(line)[: column - 1]
        value = self._value_before(before)
        key = re.search(r"[\w-]+$", value)
        message, quotes = (
            "a text with `: ` in it must be in quotes",
            "write the text in quotes, or on the lines after a `|`",
        )
        header = re.match(r"\s*(?:- )?(\w+\([^()]*:[^()]*\)):", self.file.line_text(line))
        if header is not None:
            right = re.sub(r"(\w+)\s*:\s*(\w+)", r"\1 \2", header[1])
            message, help = "parameters have no `:` between type and name", f"write `{right}:`"
        elif key is not None and value.count("(") > value.count(")"):
            help = f"inside a call write `{key[0]}=…`; or {quotes}"
            message = "an argument of a call has `=` after its name, not `:`"
        elif choice := by_key(self.file.line_text(line)):
            message, help = "a table cannot stand inside an expression", f"write `{choice}`"
        elif amount := amount_in(self.file.line_text(line)):
            message, help = "an amount inside an expression is not a map", f"write `{amount}`"
        elif value.startswith("if "):
            help = "a choice of two is written `if condition then value else value`"
        elif "?" in value:
            help = "a choice of two is written `if condition then value else value`, without `?` and `:`"
        elif value.startswith("(") and key is not None:
            help = "write a map in braces `{ }`; or " + quotes
        elif key is not None and key.start() > 0 and self._in_flow():
            start = self.file.line_start(line) + column - 1 - len(key[0])
            sign = ";" if value[: key.start()].rstrip().endswith(";") else ""
            message = f"a comma is missing before `{key[0]}`" if not sign else f"`{sign}` is where a comma was meant"
            self._error("Y109", message, at=start, length=len(key[0]), help=f"write `, {key[0]}:`; or {quotes}")
            return
        elif key is not None and (key.start() == 0 or re.search(r",\s*$", value[: key.start()])):
            help = self._in_braces(line, column, value, key.start() > 0) or quotes
        else:
            help = quotes
        self._error("Y106", message, help=help)

    def _in_braces(self, line: int, column: int, value: str, goes_on: bool) -> str:
        """How the keys of a line are written in braces; nothing of a sentence, in which a word has a colon."""
        text = self.file.line_text(line)
        before, quotes = text[: column - 1], "write the text in quotes, or on the lines after a `|`"
        name = before.rstrip()[: len(before.rstrip()) - len(value)].strip().removesuffix(":").removeprefix("- ")
        rest = (value + text[column - 1 :]).split(" #")[0].strip()
        if self._in_flow():
            name = name[max(name.rfind("{"), name.rfind(",")) + 1 :]
            rest = rest[: _end_of_flow(rest)].rstrip()
        elif open_brackets(rest) < 0:
            rest = rest.removesuffix("}")
        name, last = short(name.strip()), rest.rpartition(":")[2]
        if not goes_on and len(last.split()) > _SENTENCE and not re.search(r"[(\[{<>=]", last):
            return f'write the text in quotes: `{name}: "{short(rest)}"`' if '"' not in rest else ""
        right = f"{name}: {{{short(rest)}}}"
        if goes_on and not self._in_flow() and before.lstrip().startswith("- "):
            right = f"{{{name}: {short(rest)}}}"
        return f"write keys on one line in braces: `{right}`; or {quotes}"

    def _value_before(self, before: str) -> str:
        """What of a line stands behind its last key, bracket or comma of a list in brackets."""
        depth, end = 0, len(before)
        for at in range(end - 1, -1, -1):
            depth += (before[at] in ")]}") - (before[at] in "([{")
            if (depth < 0 and before[at] in "[{") or (not depth and before[at : at + 2] == ": "):
                return before[at + 1 :].strip()
            if not depth and before[at] == "," and self._in_flow():
                return before[at + 1 :].strip()
        return before.strip()

    def _in_flow(self) -> bool:
        return self.bracket is not None

    def _no_colon(self) -> None:
        line, _ = self.file.line_col(self.start)
        if not self._follows_comment(line):
            self._line_without_colon(line, self.file.line_text(line).strip())

    def _line_without_colon(self, line: int, key: str) -> None:
        if self._first_child():
            return
        start = self.file.line_start(line) + self.file.line_text(line).find(key)
        lacking = NO_SPACE.match(key)
        if lacking:
            self._error("Y304", "a space is missing after this `:`", at=start + lacking.start(1))
        else:
            key = re.split(r"\s+#", key)[0]
            is_condition = re.search(r"\s(?:==|!=|<=?|>=?|and|or|in)\s", key) is not None
            first = "a condition has a key before it, as in `when: …`, `if: …` or `is: …`" if is_condition else ""
            help = first or _key_meant(key) or "every line beside a key begins with a key, as in `is: …` or `do: …`"
            self._error("Y108", f"`{short(key)}` has no `:` after it", at=start, length=len(key), help=help)

    def _in_block(self, letter: str) -> None:
        line, column = self.file.line_col(self.at)
        before = self.file.line_text(line)[: column - 1].strip()
        if letter and letter in "]}" and before:
            self._never_opened(letter)
        elif re.search(r"(?:^|\s)\*\S+$", before):
            self._cannot_start(self.at - len(before) + before.rindex("*") - self._blanks_before())
        elif before and before != "-":
            self._after_value()
        elif not self._follows_comment(line):
            self._indentation(letter, column)

    def _indentation(self, letter: str, column: int) -> None:
        help = "indent the lines of one list or map alike"
        if self._first_child():
            return
        if column != self.file.line_col(self.start)[1]:
            first = self.file.span(self.start, self.start + 1)
            what = "list" if self.file.text[self.start : self.start + 1] == "-" else "map"
            notes = ((first, f"the {what} above begins here, in this column"),)
            line = self.file.line_col(self.at)[0]
            here = _indent(self.file.line_text(line))
            above = [(n, self.file.line_text(n)) for n in range(1, line)]
            laid = [(n, t) for n, t in _laid_out(above) if n >= self.file.line_col(self.start)[0]]
            near = sorted({(abs(_column(t) - here), _column(t), n) for n, t in laid}, key=lambda one: (one[0], -one[2]))
            if (
                near and near[0][0] == 1 and len({column for far, column, _ in near if far == 1}) == 1
            ):  # one blank is a slip of the finger
                self._shifted(line, self.file.line_text(line), near[0][1], near[0][2])
                return
            message = "this line has no line above it with the same indentation"
            self._error("Y102", message, notes=notes, help=help)
            return
        opened = self.file.span(self.start, self.start + 1)
        if letter == "-" and (self._item_to_the_left() or self._lacks_mark(column)):
            return
        if letter != "-" and self._key_among_items(column):
            return
        if letter == "-":
            message, note = "an item with `-` cannot be among the keys of a map", "the map starts here"
            help = "remove the `-` if this is a key of that map; otherwise indent all items of the list alike"
        else:
            message, note = "a key cannot be among the items of a list", "the list starts here"
        self._error("Y102", message, notes=((opened, note),), help=help)

    def _item_to_the_left(self) -> bool:
        """Whether this item goes on a list of items that stand deeper; it is told."""
        line = self.file.line_col(self.at)[0]
        here = _indent(self.file.line_text(line))
        lines = [(n, self.file.line_text(n)) for n in range(self.file.line_col(self.start)[0], line + 1)]
        items = [_indent(t) for _, t in _laid_out(lines)[:-1] if t.lstrip().startswith("- ") and _indent(t) > here]
        beside = [t for _, t in _laid_out(lines)[:-1] if _indent(t) == here]
        if not items or (beside and beside[-1].rstrip().endswith(":") and _indent_of_next(lines, here) == here):
            return False
        return self._shifted(line, self.file.line_text(line), min(items), self._line_of_item(line, min(items)))

    def _line_of_item(self, line: int, column: int) -> int:
        """The nearest line above with an item in a column."""
        while line > 1:
            line -= 1
            text = self.file.line_text(line)
            if _indent(text) == column and text.lstrip().startswith("- "):
                break
        return line

    def _key_among_items(self, column: int) -> bool:
        """`- ones: 1`, and below it `twos: 2` in the column of the `-`: what fewer lines have is told."""
        first, here = self.file.line_col(self.start)[0], self.file.line_col(self.at)[0]
        if self.file.text[self.start : self.start + 1] != "-":
            return False
        items = keys = below = 0  # `below`: how much stands below items, which are more than a key then
        is_item = False
        for number in range(first, self.file.lines + 1):
            text = self.file.line_text(number)
            if not _is_code(text) or _indent(text) > column - 1:
                below += _is_code(text) and is_item
                continue
            if _indent(text) < column - 1:
                break
            is_item = text.lstrip().startswith("- ")
            items, keys = items + is_item, keys + (not is_item)
        is_key = re.match(r"\s*- [^\s\"'\[{][^:#]*:(\s|$)", self.file.line_text(first))
        line = first if items < keys and is_key and not below else here
        text = self.file.line_text(line)
        start, key = self.file.line_start(line) + _indent(text), text.strip().removeprefix("- ").split(":")[0]
        other = self.file.line_start(here if line == first else first) + column - 1
        notes = ((self.file.span(other, other + 1), "this stands in the same column"),)
        if line == first:
            said = f"a `- ` stands before `{short(key)}`, but not before the lines that go with it"
            help = "leave out the `- `" + (" here, and before the others" if items > 1 else "")
        else:
            said = f"`{short(key)}` is among the items of a list"
            help = self._where_to(here, column, key)
        self._error("Y102", said, notes=notes, at=start, length=len(key) + 2 * (line == first), help=help)
        return True

    def _where_to(self, line: int, column: int, key: str) -> str:
        """Where a key may belong that stands in the column of the items of a list."""
        above = self.file.line_text(self._line_of_item(line, column - 1))
        if re.match(r"\s*- +[^\s\"'\[{][^:#]*:(\s|$)", above):
            return f"indent it by 2 blanks more if it goes with the item above; for an item of its own write `- {key}`"
        first = self.file.line_col(self.start)[0]
        owners = [t.strip() for n, t in _laid_out([(n, self.file.line_text(n)) for n in range(1, first)])]
        owner = owners[-1].removeprefix("- ").removesuffix(":") if owners and owners[-1].endswith(":") else ""
        beside = f"; if it goes beside `{short(owner)}`, start it in the column of that" if owner else ""
        return f"for an item of its own write `- {key}`{beside}"

    def _first_child(self) -> bool:
        """Whether not this line is to blame, but the one above that begins what it belongs to; it is told."""
        line = self.file.line_col(self.at)[0]
        whole = _laid_out([(n, self.file.line_text(n)) for n in range(1, self.file.lines + 1)])
        lines = [one for one in whole if one[0] <= line]
        if len(lines) < 3 or lines[-1][0] != line:
            return False
        *above, (_, text) = lines
        here, item = _indent(text), text.lstrip().startswith("- ")
        at = max((i for i, (_, t) in enumerate(above) if _indent(t) <= here), default=-1)
        if at < 0:
            return False

        def usual(suspect: int, items: bool) -> int:
            """The step of all other lines: of those in question neither is a witness."""
            pairs = [(a, b) for (m, a), (n, b) in pairwise(whole) if not {m, n} & {suspect, line}]
            return _usual_step(pairs, items)

        (number, before), outer = above[at], _outer(above[: at + 1])
        is_item = before.lstrip().startswith("- ")
        if is_item and not item and _column(before) != here and outer:
            if here - 2 == _column(outer) + usual(number, items=True):
                return self._shifted(number, before, here - 2, line)  # an item whose keys stand as usual
        if at + 1 < len(above) and _indent(before) < here:
            if here == _column(before) + usual(above[at + 1][0], item):
                return self._shifted(*above[at + 1], here, line)  # deeper than its brother, which stands as usual
        is_open = outer.split(" #")[0].rstrip().endswith(":")  # else nothing can stand below it
        if _indent(before) < here and is_open and item == is_item:
            if here == _column(outer) + usual(number, item):
                return self._shifted(number, before, here, line)
        return False

    def _lacks_mark(self, column: int) -> bool:
        """Whether the first line of a list has no `-`, as the items below have; it is told."""
        line, first = self.file.line_col(self.start)
        text = self.file.line_text(line)
        if first != column or text[: first - 1].strip():
            return False
        key = text.strip().split(":")[0]
        if re.match(r"-\S", key):
            help = f"write `- {short(key[1:])}`"
            self._error("Y304", "a space is missing after this `-`", at=self.start, help=help)
            return True
        above = self._line_above(line)[1]
        if not above.rstrip().endswith(":"):
            return False
        notes = ((self.file.span(self.at, self.at + 1), "here the list goes on"),)
        message = f"`- ` is missing before `{short(key)}`"
        self._error("Y102", message, at=self.start, length=len(key), notes=notes, help=f"write `- {short(key)}`")
        return True

    def _shifted(self, number: int, text: str, wanted: int, line: int) -> bool:
        shift = _indent(text) - wanted
        how = (
            f"{abs(shift)} {'blank' if abs(shift) == 1 else 'blanks'} too {'deep' if shift > 0 else 'far to the left'}"
        )
        start = self.file.line_start(number) + _indent(text)
        key = re.match(r"[^:#]*", text.strip())
        shown = key[0] if key else text.strip()
        note = self.file.line_start(line) + wanted
        notes = ((self.file.span(note, note + 1), "this belongs to the same list or map"),)
        message = f"`{short(shown)}` stands {how}"
        help = f"start it in column {wanted + 1}, like the lines that belong with it"
        self._error("Y102", message, notes=notes, at=start, length=len(shown), help=help)
        return True

    def _follows_comment(self, line: int) -> bool:
        """Whether the line goes on with a text that a comment ended; this is then reported."""
        above, text = self._line_above(line)
        found = re.search(r"(?<=[ \t])#.*", text)
        if not found or not text[: found.start()].strip() or text[: found.start()].rstrip().endswith(":"):
            return False
        deeper = _indent(self.file.line_text(line)) > _indent(text)
        if open_brackets(text[: found.start()]) <= 0 and not (deeper and ": " not in self.file.line_text(line)):
            return False
        start = self.file.line_start(above)
        comment = self.file.span(start + found.start(), start + found.end())
        report_comment(self.report, comment, after_text=True)
        return True

    def _after_value(self) -> None:
        """Something stands behind a closing quote or bracket."""
        end = len(self.file.text[: self.at].rstrip())
        closing = self.file.text[end - 1 : end]
        if closing in "\"'" and (opened := self._opens_another(closing, end)):
            inside = self.file.text[opened : end - 1]
            key = inside.rpartition(",")[2].strip()
            help = (
                f"write a `{closing}` before `, {key}`"
                if "\n" not in inside
                else f"write a `{closing}` at the end of this text"
            )
            self._error("Y105", "this quote is never closed", at=opened - 1, help=help)
            return
        if follows := re.match(r"\s*([\w-]+):(?=\s)", self.file.text[end:]):
            message = f"a comma is missing before `{follows[1]}`"
            self._error(
                "Y109", message, at=end + follows.start(1), length=len(follows[1]), help=f"write `, {follows[1]}:`"
            )
            return
        if closing == "'":
            help = "write `''` for an apostrophe inside single quotes"
        elif closing == '"':
            help = 'write the whole text in quotes, with `\\"` for a quote inside'
        else:
            help = "write a text that starts with a bracket in quotes"
            after = self.file.text[self.at :].split("\n")[0]
            if not self._in_flow() and (own := re.match(r",\s*([^\W\d]\w*:\s.*)", after)):
                help = f"write `{short(own[1])}` on a line of its own"
                self._error("Y109", f"nothing may follow the `{closing}` that ends a value", help=help)
                return
            rest = self.file.text[end:].split("\n")[0]
            if closing == "}" and (times := re.fullmatch(r"\s*(?:[x*]\s*)?(\d+)\s*(?:x|times)?\s*", rest)):
                help = f"how many there are is said in the braces: `copies: {times[1]}`"
            line = self.file.line_text(self.file.line_col(self.at)[0])
            whole = re.search(r":\s+([{\[].*)$", line)
            if whole and not self._in_flow() and '"' not in whole[1]:
                help += f': `"{short(whole[1].rstrip(), 60)}"`'
        self._error("Y109", f"nothing may follow the `{closing}` that ends a value", help=help)

    def _opens_another(self, quote: str, end: int) -> int | None:
        """Where a quoted text begins that ends where another one was to begin: `"sow {c}, ru: "`."""
        opened = self.file.text.rfind(quote, 0, end - 1) + 1
        inside = self.file.text[opened : end - 1]
        goes_on = re.search(r",\s*[\w-]+:\s*$", inside) or re.search(r"\n\s*(?:- )?[\w-]+:\s", inside)
        return opened if opened and goes_on else None

    def _after_document(self) -> None:
        line, _ = self.file.line_col(self.at)
        if re.match(r"\.\.\.|---", self._line_above(line)[1]):
            self._error("Y205", "a second document starts here", help="delete the line `...` or `---`")
        else:
            first = len(self.file.text) - len(self.file.text.lstrip())
            notes = ((self.file.span(first, first + 1), "the file starts here"),)
            message = "this line is indented less than the first line of the file"
            self._error("Y102", message, notes=notes, help="start the first line without spaces")

    def _never_closed(self, bracket: int) -> None:
        """The bracket has no end, or a comment holds it."""
        letter = self.file.text[bracket : bracket + 1]
        for found in re.finditer(r"[ \t](#[^\r\n]*)", self.file.text[bracket : self.at]):
            if _CLOSING.get(letter, "}") in found[1]:
                comment = self.file.span(bracket + found.start(1), bracket + found.end(1))
                is_value = not found.string[: found.start()].endswith(":")
                report_comment(self.report, comment, after_text=is_value)
                return
        line = self.file.line_text(self.file.line_col(bracket)[0]).split(" #")[0].rstrip()
        end = _CLOSING.get(letter, "}")
        where = "at the end of this line" if not line.endswith((letter, ",")) else "where it ends"
        self._error("Y104", f"this `{letter}` is never closed", at=bracket, help=f"write `{end}` {where}")

    def _never_opened(self, letter: str) -> None:
        self._error("Y104", f"this `{letter}` closes nothing")

    def _is_at_end(self) -> bool:
        return not self.file.text[self.at :].strip()

    def _key_of_later_line(self) -> str:
        """What is on the line before the place, if it looks like a key and the bracket opened further up."""
        line, column = self.file.line_col(self.at)
        written = self.file.line_text(line)[: column - 1]
        is_key = line != self.file.line_col(self.start)[0] and _KEY_LINE.match(written)
        return written if is_key else ""

    def _indent_at(self, at: int) -> int:
        return _indent(self.file.line_text(self.file.line_col(at)[0]))

    def _blanks_before(self) -> int:
        text = self.file.text[: self.at]
        return len(text) - len(text.rstrip())

    def _line_above(self, line: int) -> tuple[int, str]:
        """The nearest line above that is not blank."""
        while line > 1:
            line -= 1
            if self.file.line_text(line).strip():
                break
        return line, self.file.line_text(line)

    def _error(
        self,
        code: str,
        message: str,
        at: int | None = None,
        length: int = 1,
        label: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
        help: str = "",
    ) -> None:
        # At the end of the file YAML may point one character behind it.
        last = len(self.file.text)
        start = min(self.at if at is None else at, last)
        self.report.error(code, self.file.span(start, min(start + length, last)), message, label, notes, help)


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _column(line: str) -> int:
    """Where the key of a line begins, behind the marks of items."""
    marks = _ITEM_MARKS.match(line)
    return marks.end() if marks else 0


def _laid_out(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines that are laid out by blanks: without comments, and without what goes on in brackets or in a text."""
    found: list[tuple[int, str]] = []
    depth, text = 0, -1  # how many brackets are open, and how deep a line stands that a `|` begins
    for number, line in lines:
        if not _is_code(line) or (text >= 0 and _indent(line) > text):
            continue
        text = -1
        if depth <= 0:
            found.append((number, line))
            depth = 0
        code = re.sub(r"\"[^\"]*\"|'[^']*'|\s#.*", "", line)
        depth += open_brackets(code)
        if re.search(r"[|>][-+]?\s*$", code):
            text = _indent(line)
    return found


_SENTENCE = 5  # words in a row that are no value of the rules


def _end_of_flow(text: str) -> int:
    """Where the first bracket closes that was opened before."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return at
    return len(text)


def _indent_of_next(lines: list[tuple[int, str]], here: int) -> int:
    """How deep the line stands that follows the last one of a depth."""
    whole = [_indent(text) for _, text in _laid_out(lines)]
    at = max((i for i, indent in enumerate(whole[:-1]) if indent == here), default=-1)
    return whole[at + 1] if at >= 0 else -1


def _outer(lines: list[tuple[int, str]]) -> str:
    """The line that the last one stands below; empty if there is none."""
    last = _indent(lines[-1][1])
    return next((text for _, text in reversed(lines[:-1]) if _indent(text) < last), "")


def _usual_step(pairs: list[tuple[str, str]], items: bool) -> int:
    """How much deeper what belongs to a key is written, in most pairs of lines: keys, or items of a list."""
    steps = [
        _indent(below) - _column(above)
        for above, below in pairs
        if above.rstrip().endswith(":")
        and below.lstrip().startswith("- ") == items
        and _indent(below) >= _column(above) + (not items)
    ]
    return max(set(steps), key=lambda step: (steps.count(step), -abs(step - 2))) if steps else 2


def _comma_in_parentheses(text: str) -> int | None:
    """The first comma inside parentheses that are still open at the end or hold a bracket."""
    depth = 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter == "," and depth:
            return at
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
