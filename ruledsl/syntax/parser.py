"""From the text of an expression to its tree, by the grammar of `grammar.lark`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Node, Scalar
from ruledsl.source.letters import strange
from ruledsl.source.text import SourceFile, Span

from . import expr as E
from .parsing import Slip, Tree, Word, forms

if TYPE_CHECKING:
    from .stopped import Repair

CODE = ("number", "condition", "effect")


class Meaning(Protocol):
    """Who knows the names of the game, where a text cannot be read."""

    def means(self, text: str) -> bool:
        """Whether another text would mean something here, and not only be readable."""

    def phrase(self, text: str) -> Repair | None:
        """What a phrase is written as that is a part of the text."""

    def usual(self, text: str) -> tuple[str, str] | None:
        """What is said of words side by side with which nothing can be done, and what may stand here."""


Asked = Callable[[], Meaning] | None  # it is asked only where something cannot be read
LONGEST = 4_000
DEEPEST = 60
_BACKWARDS = ("reversed", "reverse", "backwards", "backward", "counterclockwise", "anticlockwise", "counter_clockwise")
OPERATORS = 150


def parse(scalar: Scalar, start: str, report: Report, wanted: str = "", meaning: Asked = None) -> Any:
    """The tree of the text of `scalar`; `Bad` where it cannot be read, which is then reported.

    `meaning` knows what texts mean here: for advice.
    """
    span = scalar.text_span
    text = span.text
    if scalar.style == "quoted" and _words(text) != _words(scalar.value):
        report.error(
            "E105", span, "an expression cannot hold escapes", help="write it without `\\` and without doubled quotes"
        )
        return E.Bad(span)
    if scalar.style == "plain" and _words(text) != _words(scalar.value):
        # Another program writes it otherwise, such as `True` or `3.0`: places in it are about where it stands.
        return parse_text(
            scalar.value,
            span.file,
            min(span.start, len(span.file.text) - len(scalar.value)),
            start,
            report,
            wanted,
            meaning,
        )
    return parse_text(text, span.file, span.start, start, report, wanted, meaning)


def parse_text(
    text: str, file: SourceFile, offset: int, start: str, report: Report, wanted: str = "", meaning: Asked = None
) -> Any:
    """As `parse`, for text that begins at `offset` of `file`."""
    whole = Span(file, offset, offset + len(text))
    if not text.strip():
        help = "write a value after it, as in `name: 1`; `true` and `false` are values, too"
        report.error("E104", whole, "an expression is missing here", help=help)
        return E.Bad(whole)
    problem = _too_much(text)
    if problem:
        report.error("E103", whole, problem, help="name a part of it under `define:`")
        return E.Bad(whole)
    if _strange_letters(text, file, offset, report):
        return E.Bad(whole)
    try:
        tree = forms(text, start)
    except Slip as slip:
        _report(slip, start, text, file, offset, report, wanted, meaning)
        return E.Bad(whole)
    return _Build(file, offset).of(tree)


def _too_much(text: str) -> str:
    if len(text) > LONGEST:
        return f"this expression has {len(text)} characters; {LONGEST} is the most"
    if len(text) <= DEEPEST:  # nearly all; they cannot be
        return ""
    depth = deepest = 0
    for sign in text:
        if sign in "([":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in ")]":
            depth -= 1
    if deepest > DEEPEST or len(re.findall(r"\b(?:if|not|and|or|otherwise)\b|[-+*/%.]", text)) > OPERATORS:
        return f"this expression is nested too deeply; {DEEPEST} levels are the most"
    return ""


def _words(text: str) -> list[str]:
    return text.split()


# What the parser could take where it met something else, in the words of a designer.
_WANTED = {
    "RPAR": "`)`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "IN": "`in`",
    "NAME": "a name",
    "NUMBER": "a number",
}
_AMOUNTS = ("some_of", "some_of_any", "some_of_sort")  # items of a list that say how many
_OPERANDS = {"NUMBER"}  # taken wherever a value may begin


_FORMS = {
    "type": "a type is a name, a range as in `0..9`, or `maybe`, `set of`, `bag of`, `price of`, `list of … up to …`, "
    "`… by …` with names",
    "header": "a name, or a name and its parameters with their types, as in `power(enemy e, 0..9 n)`",
    "path": "what can be changed: a value, or an attribute as in `me.score`",
}


def _report(
    slip: Slip, start: str, text: str, file: SourceFile, offset: int, report: Report, wanted: str, meaning: Asked
) -> None:
    hole = re.search(r"<[^\W\d]\w*>", text)  # which no expression has: comparisons do not chain
    if hole is not None:
        span = Span(file, offset + hole.start(), offset + hole.end())
        help = "in an action, a trigger or a module, `each:` says what it is replaced by"
        report.error("E101", span, f"nothing is filled in for `{hole[0]}` here", help=help)
        return
    if not report.is_told:
        report.error("E101", Span(file, offset, offset + len(text)), "this cannot be read")
        return
    from .repair import repair  # nothing in it is needed where all can be read

    found, ended = slip.found, slip.ended
    at = len(text.rstrip()) if ended else slip.at
    asked = meaning() if meaning is not None else None
    tried = repair(text, start, at, lambda changed: _stop(changed, start), wanted, asked.means if asked else None)
    meant, usual = tried.change, None
    if asked is not None and not tried.is_sure:
        meant = asked.phrase(text) or meant
        usual = asked.usual(text) if meant is None or meant.weak else None
    if usual is not None:
        stripped = text.strip()
        begin = offset + text.index(stripped)
        report.error("E101", Span(file, begin, begin + len(stripped)), usual[0], help=usual[1])
        return
    if meant is not None:
        span = Span(file, offset + meant.start, offset + max(meant.end, meant.start + 1))
        report.error(meant.code, span, meant.message, help=meant.help, suggestions=meant.suggestions)
        return
    from .sentences import prose

    if start in ("expr", "domain") and (told := prose(text, at, wanted)) is not None:
        stripped = text.strip()
        begin = offset + text.index(stripped)
        report.error("E101", Span(file, begin, begin + len(stripped)), told[0], help=told[1])
        return
    span = Span(file, offset + at, offset + at + (1 if ended else len(found)))
    message, advice = _phrase(text, at, found, ended, slip.accepts)
    if start != "expr" and start != "domain" and _code(message) == "E101":
        message = "this stops in the middle" if ended else f"`{found}` cannot be here"
        advice = _FORMS[start]
        if start == "type" and (listed := re.search(r"\blist of\b(?!.*\bup to\b).*", text)):
            advice = f"a list says how long it can be: `{listed[0].strip()} up to 10`"
    report.error(_code(message), span, message, help=advice)


def is_amount(node: Node) -> bool:
    """`2 wood`, as an item of a list."""
    return isinstance(node, Scalar) and re.fullmatch(r"\d+\s+(?:any\s+)?[^\W\d]\w*", node.value.strip()) is not None


def _stop(text: str, start: str) -> int | None:
    """Where a text can be read no further; None if it can be read."""
    if not text.strip() or _too_much(text):
        return 0
    try:
        forms(text, start)
    except Slip as slip:
        return slip.at
    return None


def _code(message: str) -> str:
    """Slips that a designer would look up have codes of their own."""
    for part, code in (
        ("single `=`", "E106"),
        ("never closed", "E107"),
        ("closes nothing", "E107"),
        ("is not an operator", "E108"),
        ("does not belong", "E108"),
        ("do not chain", "E109"),
    ):
        if part in message:
            return code
    return "E101"


def _strange_letters(text: str, file: SourceFile, offset: int, report: Report) -> bool:
    """Whether something in the text is not what it looks like; it is reported."""
    for found in strange(text):
        span = Span(file, offset + found.start, offset + found.end)
        suggestions = (found.meant,) if found.meant else ()
        report.error(found.code, span, found.message, help=found.help, suggestions=suggestions)
        return True
    return False


def _phrase(text: str, at: int, found: str, ended: bool, accepts: frozenset[str]) -> tuple[str, str]:
    before = text[:at]
    unclosed = _unclosed(before)
    twins = {
        "=": "==",
        "&": "and",
        "|": "or",
        "?": "if … then … else …",
        '"': "a name without quotes",
        "'": "a name without quotes",
        "{": "a list `[…]`",
        "$": "a name",
        ";": "one expression",
    }
    if not ended and (said := _operator_elsewhere(text, at, found)) is not None:
        return said
    if not ended and found in twins:
        if found == "=" and text[:at].rstrip()[-1:] in ("+", "-", "*", "/"):
            return "an expression changes nothing", "write a statement, as in `add: {me.score: 1}`"
        if found == "=":
            return (
                "a single `=` does not compare",
                "write `==` to compare; `name=value` only names an argument in a call",
            )
        return f"`{found}` does not belong in an expression", f"write {_tick(twins[found])}{_filled_in(text[at:])}"
    if ended and unclosed:
        return f"the `{unclosed}` is never closed", f"add `{')' if unclosed == '(' else ']'}`"
    if ended and accepts & _OPERANDS:
        return "the expression stops in the middle", "something is missing at the end"
    if "THEN" in accepts and not accepts & _OPERANDS:
        return _met(found, ended, "`then`"), "a choice of two is written `if condition then value else value`"
    if "ELSE" in accepts and not accepts & _OPERANDS:
        return _met(found, ended, "`else`"), "a choice of two is written `if condition then value else value`"
    if found in (")", "]") and not unclosed:
        return f"this `{found}` closes nothing", f"remove it, or add `{'(' if found == ')' else '['}` before it"
    if accepts & _OPERANDS:
        return f"a value is missing before `{found}`", "an operator needs a value on either side"
    if (said := _over_all(text, at, found)) is not None:
        return said
    if re.search(r"(?:^|\W)let\s+$", before) and re.match(r"\w", found):
        return f"`{found}` cannot follow here", "name the steps of a formula under `let:`, next to `is:`"
    if re.match(r"[\w]", found) or found in "([":
        return f"`{found}` cannot follow here", "an operator, a comma or a bracket is missing before it"
    if found == "," and re.search(r"\bfor\s+\w+\s+in\b[^()]*$", before):
        return "`,` cannot stand here", "each name has its own `for`: `for x in … for y in …`"
    if found in ("==", "!=", "<", ">", "<=", ">="):
        return "comparisons do not chain", "join two of them with `and`, or write `x in 1..3`"
    if found == "," and not unclosed:
        return "`,` cannot be here", "join conditions with `and`; write several things as a list, as in `[a, b]`"
    wanted = ", ".join(sorted(_WANTED[name] for name in accepts if name in _WANTED))
    return f"`{found}` cannot be here", f"expected {wanted}" if wanted else ""


def _operator_elsewhere(text: str, at: int, found: str) -> tuple[str, str] | None:
    """`&&`, `<>`, `AND`, `!`: operators of programming languages; and the `?` of a question."""
    if text[at : at + 2] in ("&&", "||"):
        return f"`{text[at : at + 2]}` is not an operator", f"write `{'and' if found == '&' else 'or'}`"
    if text[max(0, at - 1) : at + 1] == "<>":
        return "`<>` is not an operator", "write `!=`"
    if found.lower() in ("and", "or", "not", "in", "then", "else") and found != found.lower():
        return f"`{found}` is not an operator", f"write `{found.lower()}`"
    if found == "!":
        return "`!` does not belong in an expression", "write `!=` between two values, and `not (…)` around a condition"
    if found == "?" and not text[at + 1 :].strip():
        return "`?` does not belong in an expression", f"leave it out: write `{text[:at].strip()}`"
    return None


def _over_all(text: str, at: int, found: str) -> tuple[str, str] | None:
    """`players reversed`, `1 for p in players`: an order, or a loop, after an expression."""
    if found in _BACKWARDS or re.match(rf",\s*(?:{'|'.join(_BACKWARDS)})\b", text[at:]):
        return f"`{found}` cannot be here", "for the opposite order write `reversed(…)` around the list"
    if found == "because":
        reason = text[at + len(found) :].lstrip(" :")
        return "`because` cannot follow here", f"it is a key of its own: write `because: {reason}` on the next line"
    if found == "for" and (over := re.match(r"for\s+(?:each\s+)?(\w+)\s+in\s+(\S.*)", text[at:])):
        whole = f"for all of them: `for: {{{over[1]}: {over[2]}}}`, and below it `do:` with the statement"
        return "`for` cannot follow here", f"{whole}; in a call it stands in the brackets, as in `sum(… for x in …)`"
    return None


def _filled_in(text: str) -> str:
    """For `$rune` and `${rune}`: what stands for a word elsewhere."""
    hole = re.match(r"\$\{?(\w+)", text)
    return f"; what `each:` fills in is written `<{hole[1]}>`" if hole is not None else ""


def _tick(words: str) -> str:
    return words if " " in words else f"`{words}`"


def _met(found: str, ended: bool, wanted: str) -> str:
    return f"{wanted} is missing at the end" if ended else f"{wanted} is missing before `{found}`"


def _unclosed(text: str) -> str:
    opened: list[str] = []
    for sign in text:
        if sign in "([":
            opened.append(sign)
        elif sign in ")]" and opened:
            opened.pop()
    return opened[-1] if opened else ""


class _Build:
    """One method per form of the grammar; nothing is worked out here."""

    def __init__(self, file: SourceFile, offset: int) -> None:
        self.file, self.offset = file, offset

    def of(self, tree: Tree) -> Any:
        """What the method of a form makes of it; how deep they nest is limited by `_too_much`."""
        parts = [self.of(part) if isinstance(part, Tree) else part for part in tree.parts]
        return getattr(self, tree.form)(tree, parts)

    def place(self, tree: Tree) -> Span:
        return Span(self.file, self.offset + tree.start, self.offset + tree.end)

    def word(self, word: Word) -> E.Name:
        start = self.offset + word.start
        return E.Name(Span(self.file, start, start + len(word)), str(word))

    def number(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Num(self.place(tree), int(children[0][:18]))

    def name(self, _tree: Tree, children: list[Any]) -> E.Expr:
        return self.word(children[0])

    def any_(self, tree: Tree, _children: list[Any]) -> E.Expr:
        return E.Name(self.place(tree), "any")

    def any_sort(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Name(self.place(tree), f"any {children[0]}")

    def none_(self, tree: Tree, _children: list[Any]) -> E.Expr:
        return E.Literal(self.place(tree), None)

    def true_(self, tree: Tree, _children: list[Any]) -> E.Expr:
        return E.Literal(self.place(tree), True)

    def false_(self, tree: Tree, _children: list[Any]) -> E.Expr:
        return E.Literal(self.place(tree), False)

    def grouped(self, _tree: Tree, children: list[Any]) -> E.Expr:
        inner: E.Expr = children[0]
        return inner

    def items(self, tree: Tree, children: list[Any]) -> E.Expr:
        found = [c for c in children if c is not None]
        amounts = [part.form in _AMOUNTS for part in tree.parts if isinstance(part, Tree)]
        if any(amounts) and len(amounts) == len(found):
            bags = (c if of else E.amount(c.span, c) for c, of in zip(found, amounts, strict=True))
            return E.bag(self.place(tree), [*bags])
        return E.Items(self.place(tree), tuple(found))

    def some_of(self, tree: Tree, children: list[Any]) -> E.Expr:
        number, sort = children[0], children[-1]
        name = self.word(sort) if tree.form == "some_of" else E.Name(self.place(tree), f"any {sort}")
        return E.amount(self.place(tree), name, E.Num(self.place(tree), int(number[:18])))

    some_of_sort = some_of

    def some_of_any(self, tree: Tree, children: list[Any]) -> E.Expr:
        span = self.place(tree)
        return E.amount(span, E.Name(span, "any"), E.Num(span, int(children[0][:18])))

    def attribute(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Attribute(self.place(tree), children[0], self.word(children[1]))

    def index(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Index(self.place(tree), children[0], tuple(children[1:]))

    def call(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Call(self.place(tree), children[0], children[1] or E.Arguments())

    def arguments(self, _tree: Tree, children: list[Any]) -> E.Arguments:
        plain: list[E.Expr] = []
        named: list[tuple[E.Name, E.Expr]] = []
        sources: list[E.Source] = []
        where: E.Expr | None = None
        keys: tuple[E.Expr, ...] = ()
        for child in children:
            match child:
                case None:
                    pass
                case ("named", name, value):
                    named.append((name, value))
                case ("where", condition):
                    where = condition
                case ("by", found):
                    keys = found
                case E.Source():
                    sources.append(child)
                case _:
                    plain.append(child)
        return E.Arguments(tuple(plain), tuple(named), tuple(sources), where, keys)

    def named(self, _tree: Tree, children: list[Any]) -> Any:
        return ("named", self.word(children[0]), children[1])

    def source(self, _tree: Tree, children: list[Any]) -> E.Source:
        return E.Source(self.word(children[0]), children[1])

    def condition(self, _tree: Tree, children: list[Any]) -> Any:
        return ("where", children[0])

    def keys(self, _tree: Tree, children: list[Any]) -> Any:
        return ("by", tuple(children))

    def choice(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.If(self.place(tree), *children)

    def not_(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Unary(self.place(tree), "not", children[0])

    def negative(self, tree: Tree, children: list[Any]) -> E.Expr:
        return children[1] if children[0] == "+" else E.Unary(self.place(tree), "-", children[1])

    def binary(self, tree: Tree, children: list[Any]) -> E.Expr:
        return E.Binary(self.place(tree), str(children[1]), children[0], children[2])

    compare = binary

    @staticmethod
    def _two(op: str) -> Any:
        def build(self: _Build, tree: Tree, children: list[Any]) -> E.Expr:
            return E.Binary(self.place(tree), op, children[0], children[1])

        return build

    or_, and_, member, outsider = _two("or"), _two("and"), _two("in"), _two("not in")
    range_, otherwise_ = _two(".."), _two("otherwise")
    from_, after_, except_ = _two("from"), _two("after"), _two("except")

    def one_of(self, tree: Tree, children: list[Any]) -> E.Domain:
        return E.Domain(self.place(tree), children[0], children[1][1] if children[1] else None)

    def several_of(self, tree: Tree, children: list[Any]) -> E.Domain:
        return E.Domain(self.place(tree), children[1], children[2][1] if children[2] else None, children[0])

    def maybe_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.MaybeType(self.place(tree), children[0])

    def table_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.TableType(self.place(tree), children[0], str(children[1]))

    def named_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        name = str(children[0])
        return E.CodeType(self.place(tree), name, ()) if name in CODE else E.NamedType(self.place(tree), name)

    def range_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.RangeType(self.place(tree), children[0], children[1])

    def set_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.SetType(self.place(tree), str(children[0]))

    def bag_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.BagType(self.place(tree), str(children[0]))

    def price_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.BagType(self.place(tree), str(children[0]), free=True)

    def list_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.ListType(self.place(tree), children[0], children[1])

    def code_type(self, tree: Tree, children: list[Any]) -> E.TypeExpr:
        return E.CodeType(self.place(tree), str(children[0]), tuple(c for c in children[1:] if c))

    def parameter(self, tree: Tree, children: list[Any]) -> E.Parameter:
        return E.Parameter(self.place(tree), children[0], self.word(children[1]))

    def own_parameter(self, tree: Tree, children: list[Any]) -> E.Parameter:
        name = self.word(children[0])
        return E.Parameter(self.place(tree), E.NamedType(name.span, name.name), name)

    def header(self, tree: Tree, children: list[Any]) -> E.Header:
        return E.Header(self.place(tree), self.word(children[0]), tuple(c for c in children[1:] if c))

    def path(self, _tree: Tree, children: list[Any]) -> E.Expr:
        inner: E.Expr = children[0]
        return inner
