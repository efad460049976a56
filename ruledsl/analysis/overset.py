"""Advice for one form of speaking of a set, written where another one is needed.

`x in S where c` chooses, counts and asks; who has written it in one statement tries it in the next.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING

from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.asked import of_each
from ruledsl.types import Elem

from .advice import attributes_like

if TYPE_CHECKING:
    from .elaborate import Elaborator

# Functions of a value of each: `sum(c.value for c in S)`.
OF_VALUES = ("all", "sum", "max", "min", "median")


def named_by_its_key(elab: Elaborator, word: E.Name, tree: E.Domain) -> bool:
    """`at: p in plot where …`: the key is the name already, and nothing else can be; it is told."""
    whole = tree.of
    if not (isinstance(whole, E.Binary) and whole.op == "in"):
        return False
    right = " ".join(whole.right.span.until(tree.span).text.split())
    if isinstance(whole.right, E.Name) and whole.right.name in (
        "reverse",
        "reversed",
        "backwards",
    ):  # `players in reverse`
        elab.fail("E111", whole.right.span, f"`in {right}` means nothing here",
                  f"write `{word.name}: reversed({whole.left.span.one_line})`")  # fmt: skip
        return True
    if isinstance(whole.left, E.Num):
        help = f"write `{word.name}: {whole.left.value} of {right}`"
        elab.fail("E101", tree.span, "how many are chosen stands before `of`", help)
        return True
    if not isinstance(whole.left, E.Name):
        return False
    one = whole.left.name
    if one != word.name and elab.local(one) is not None:
        return False
    if one != word.name and " where " not in right and (asked := _word_asked(elab, one, whole.right)):
        help = f"write `{word.name}: {right} where {word.name}.{asked}`"
        elab.fail("E101", whole.left.span, "what is chosen has its name by its key", help)
        return True
    asked = _some_of(elab, word.name, whole) if " where " not in right and elab.is_known(one) else ""
    if one != word.name and asked:
        help = f"write `{word.name}: {one} where {asked}`"
        elab.fail("E101", tree.span, "some of a set are chosen by a condition behind `where`", help)
        return True
    if one != word.name:  # the condition speaks of the other name
        over, where, asked = right.partition(" where ")
        right = over + where + re.sub(rf"(?<![.\w]){re.escape(one)}(?!\w)", word.name, asked)
    message = "the name is given by its key" if one != word.name else f"`{word.name}` is named by its key already"
    elab.fail("E101", whole.left.span, message, f"write `{word.name}: {right}`")
    return True


def _word_asked(elab: Elaborator, word: str, whole: E.Expr) -> str:
    """`name == shield` for a word that an attribute of those in a set can have."""
    kind = elab.item_type(elab.expr(whole).type) if not elab.is_known(word) or elab.world.homes(word) else None
    if not isinstance(kind, Elem):
        return ""
    found = (name for root, _ in elab.world.homes(word) for name in attributes_like(kind, Elem(root, 0)))
    return next((f"{name} == {word}" for name in found), "")


def _some_of(elab: Elaborator, name: str, whole: E.Binary) -> str:
    """`any(c in beach where c.shell == s)` for `s: shell in beach`: a set of another sort than what lies there."""
    of, there = (elab.item_type(elab.expr(side).type) for side in (whole.left, whole.right))
    if not isinstance(of, Elem) or not isinstance(there, Elem) or of.root is there.root:
        return ""
    over = whole.right.span.one_line
    if own := next(iter(attributes_like(of, Elem(there.root, 0))), ""):  # `m: man in goal`
        return f"{name}.{own} in {over}"
    letter = next((one for one in "xyzuvw" if one != name and not elab.is_known(one)), "it")
    has = next(iter(attributes_like(there, Elem(of.root, 0))), "")
    return f"any({letter} in {over} where {letter}.{has} == {name})" if has else ""


def values_of(name: str, given: E.Arguments, plain: list[E.Expr], sources: list[E.Source]) -> str:
    """What a function of a value of each was meant to be: `all(p in S where c)`, `sum(c in S, c.value)`,
    `sum(value in S)`, `sum(c in S by c.value)`, `any(p.out in S)`."""
    if given.sources:  # `… for x in S`, as it must be
        return ""
    if len(sources) == 1 and not plain and name in OF_VALUES:
        one, whole = sources[0].name.name, sources[0].domain.span.one_line
        if given.keys:
            return f"{name}({of_each(one, whole, given.keys[0].span.one_line)})"
        if given.where is not None and name == "all":
            return f"all({of_each(one, whole, given.where.span.one_line)})"
        if name in ("sum", "max", "min") and given.where is None and not _speaks_of(one):
            letter = whole.rpartition(".")[2][:1] or "x"
            return f"{name}({letter}.{one} for {letter} in {whole})"
    if len(sources) == 1 and len(plain) == 1 and name in OF_VALUES and sources[0].name.name in E.names_in(plain[0]):
        return f"{name}({of_each(sources[0].name.name, sources[0].domain.span.one_line, plain[0].span.one_line)})"
    if len(plain) != 1 or sources:
        return ""
    asked = plain[0]
    if isinstance(asked, E.Binary) and asked.op == "in" and isinstance(asked.left, E.Attribute):
        first: E.Expr = asked.left
        while isinstance(first, E.Attribute):
            first = first.of
        if isinstance(first, E.Name):
            value, over = asked.left.span.one_line, asked.right.span.one_line
            if name in ("any", "no", "count"):
                return f"{name}({first.name} in {over} where {value})"
            return f"{name}({value} for {first.name} in {over})"
    return ""


def _speaks_of(name: str) -> bool:
    """Whether a name stands for one of them, as a letter does, and not for what is added up."""
    return len(name) <= 2


def ordered_meant(
    name: str,
    given: E.Arguments,
    plain: list[E.Expr],
    sources: list[E.Source],
    formulas: Container[str] = (),
) -> str:
    """What was meant by `most(players by score)`, `most(p.score for p in players)`, `max(me.hand by value)`."""
    name = {"max": "most", "min": "least"}.get(name, name)
    if len(sources) == 1 and given.keys:
        return f"{name}({sources[0].name.name} in {sources[0].domain.span.one_line} by {given.keys[0].span.one_line})"
    if len(sources) == 1 and len(plain) == 1:
        return f"{name}({sources[0].name.name} in {sources[0].domain.span.one_line} by {plain[0].span.one_line})"
    if len(plain) != 1 or sources or len(given.keys) != 1:
        return ""
    whole, key = plain[0].span.one_line, given.keys[0].span.one_line
    if re.fullmatch(r"[\w.]+", whole) and (own := re.fullmatch(r"([^\W\d])\.[\w.]+", key)):
        return f"{name}({own[1]} in {whole} by {key})"  # `most(players by p.score)`
    if not key.isidentifier() or not re.fullmatch(r"[\w.]+", whole):
        return ""
    letter = whole.rpartition(".")[2][0]
    value = f"{key}({letter})" if key in formulas else f"{letter}.{key}"
    return f"{name}({letter} in {whole} by {value})"


def each_of_them(called: str, tree: E.Expr, asks: bool) -> str:
    """What an effect or a formula of one thing is given, where all of them were meant."""
    if asks:
        letter = tree.span.one_line.rpartition(".")[2][:1]
        letter = letter if letter.isalpha() else "x"
        each = f"{called}({letter}) for {letter} in {tree.span.one_line}"
        return f"ask it of each, as in `any({each})` or `sum({each})`; `first(…)` gives the first of them"
    return f"for all of them: `for: {{x: {tree.span.one_line}}}`, and below it `do: {called}(x)`"


def asked_of_each(name: str, span: Span) -> str:
    """`empty(plot)`: a question about one space, asked of all."""
    whole = span.one_line
    letter = whole.rpartition(".")[2][:1]
    if not letter.isalpha() or not re.fullmatch(r"[\w.]+", whole):
        return ""
    each = f"{letter} in {whole} where {name}({letter})"
    chosen = f"{letter}: {each.partition(' in ')[2]}"
    return f"ask it of each: `any({each})`, `count({each})`; and in `choose:` it is `{chosen}`"


def asked_of_all(plain: list[E.Expr]) -> str:
    """`all(empty(plot))`: a question about one, asked of all."""
    found = re.fullmatch(r"(\w+)\(([\w.]+)\)", plain[0].span.one_line) if len(plain) == 1 else None
    if found is None or not (letter := found[2].rpartition(".")[2][:1]).isalpha():
        return ""
    return f"all({found[1]}({letter}) for {letter} in {found[2]})"
