"""Expressions in words: what names something (`spoken.py`), and here the conditions."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.functions import BUILTINS
from ruledsl.ir import core as C
from ruledsl.syntax import expr as E
from ruledsl.types import BagOf, Bool, Elem, ListOf, Num, SetOf, Type
from ruledsl.wording.templates import Words

from .forms import OPPOSITE
from .phrases import TERM, Np
from .scopes import Variable
from .slots import Clause, Keys, Nouns, Slot, Text, Tree
from .spoken import Spoken
from .things import counted, parts_of

COMPARISONS = tuple(OPPOSITE)


class Speaker(Spoken):
    """Tells expressions of one game, worked out for one configuration, in one language."""

    def clause(self, tree: E.Expr, sure: bool = True) -> str:
        """A condition as a sentence without its end; with `sure` off, that it does not hold."""
        match tree:
            case E.Literal(value=value) if value is not None:
                return self.sentence("always", sure=bool(value) == sure)
            case E.Unary(op="not", of=of):
                return self.clause(of, not sure)
            case E.Binary(op="and" | "or"):
                return self.connective(tree, sure)
            case E.Binary(op=op, left=left, right=right) if op in COMPARISONS:
                return self.compare(op if sure else OPPOSITE[op], left, right)
            case E.Binary(op="in" | "not in"):
                return self.membership(tree, (tree.op == "in") == sure)
            case E.If(condition=condition, then=then, otherwise=otherwise):
                words = Words(
                    en="{1:cond}, if {0:cond}; otherwise {2:cond}", ru="{1:cond}, если {0:cond}; иначе {2:cond}"
                )
                said = self.sentence(words, Tree(condition), Tree(then), Tree(otherwise))
                return said if sure else self.sentence("it_is_so", Text(said), sure=False)
            case E.Call():
                found = self.call_clause(tree, sure)
                if found is not None:
                    return found
        return self.is_so(tree, sure)

    def connective(self, tree: E.Binary, sure: bool) -> str:
        parts = parts_of(tree)
        told = [
            f"({text})" if self.compound(part) or " where " in text or ", где " in text else text
            for part in parts
            for text in [self.clause(part, sure)]
        ]
        return (self.tongue.both if (tree.op == "and") == sure else self.tongue.either)(told)

    def compound(self, tree: E.Expr) -> bool:
        return isinstance(tree, E.If) or (isinstance(tree, E.Binary) and tree.op in ("and", "or"))

    def is_so(self, tree: E.Expr, sure: bool) -> str:
        """Whether something is true, or there."""
        kind = self.type(tree)
        if isinstance(kind, Bool):
            return self.is_true(tree, sure)
        return self.is_there(tree, sure)

    def is_true(self, tree: E.Expr, sure: bool) -> str:
        if isinstance(tree, E.Attribute):
            name = tree.name.name
            if name == "edge" and self.origin(tree) is None:
                return self.sentence("at_edge", Tree(tree.of), sure=sure)
            word = self.tongue.quoted(self.attribute_title(name, tree).text)
            return self.sentence("marked", Tree(tree.of), Text(word), sure=sure)
        if isinstance(tree, E.Index) and isinstance(tree.of, E.Name) and len(tree.keys) == 1:
            word = self.tongue.quoted(self.lexicon.declared(tree.of.name).text)
            return self.sentence("marked", Tree(tree.keys[0]), Text(word), sure=sure)
        if isinstance(tree, E.Name):
            variable = self.local(tree.name)
            declared = self.world.names.get(tree.name)
            if variable is None and declared is not None:
                if declared.sort == "option":
                    return self.sentence("on", Clause(self.option(tree.name)), sure=sure)
                title = self.lexicon.declared(tree.name).text
                shown = (
                    self.term(f"formula {tree.name}", title)
                    if declared.sort == "formula"
                    else self.tongue.quoted(title)
                )
                return self.sentence("holds", name=Text(shown), sure=sure)
            if variable is not None:
                return self.sentence("holds", name=Clause(self.np(tree)), sure=sure)
        return self.sentence("it_is_so", Clause(self.np(tree)), sure=sure)

    def is_there(self, tree: E.Expr, sure: bool) -> str:
        if isinstance(tree, E.Attribute):
            name = tree.name.name
            of, kind = self.type(tree.of), self.type(tree)
            if self.stands_on(tree):
                return self.sentence("stands_there", Nouns(self.lexicon.declared(name)), Tree(tree.of), sure=sure)
            board = next((b for b in self.world.boards if b.word == name), None)
            if board is not None and isinstance(of, Elem) and of.root.kind in ("piece", "part"):
                return self.sentence("on_board", Tree(tree.of), Clause(self.board(board)), sure=sure)
            if isinstance(kind, Elem | Num) and isinstance(of, Elem):
                return self.sentence("has", Tree(tree.of), Nouns(self.attribute_title(name, tree)), sure=sure)
        if isinstance(tree, E.Name) and self.local(tree.name) is None:
            declared = self.world.names.get(tree.name)
            if declared is not None and declared.sort == "value":
                return self.sentence("there", Nouns(self.lexicon.declared(tree.name)), sure=sure)
        named = (
            isinstance(tree, E.Name | E.Call) and self.language == "en" and self.np(tree).say("nom").startswith(TERM)
        )
        return self.sentence("there_some" if named or self.language != "en" else "there_value", Tree(tree), sure=sure)

    def board(self, board: Any) -> Np:
        return self.tongue.thing(self.lexicon.declared(board.name))

    def call_clause(self, tree: E.Call, sure: bool) -> str | None:
        """A function or formula that is a condition."""
        if isinstance(tree.of, E.Attribute):
            if not isinstance(self.type(tree), Bool):
                return None
            word = Text(self.lexicon.word(tree.of.name.name, "attribute").text)
            args = {"2": Text(self.listed(tree.arguments.plain))} if tree.arguments.plain else {}
            return self.sentence("row_holds", Tree(tree.of.of), word, sure=sure, **args)
        word_ = tree.of.name if isinstance(tree.of, E.Name) else ""
        declared = self.world.names.get(word_)
        if declared is not None and declared.sort == "formula":
            if not isinstance(declared.data.type, Bool):
                return None
            return self.sentence("holds", sure=sure, **self.named_call(declared, tree))
        if word_ == "the":
            return self.clause(tree.arguments.plain[0], sure)
        builtin = BUILTINS.get(word_)
        if builtin is None or builtin.words is None or not builtin.words.is_condition:
            return None
        with self.scope():
            return self.fill(builtin.words, self.call_slots(tree, builtin), "nom", sure)

    def compare(self, op: str, left: E.Expr, right: E.Expr) -> str:
        if (isinstance(left, E.Literal) and left.value is None) or (
            isinstance(right, E.Literal) and right.value is None
        ):
            return self.is_there(right if isinstance(left, E.Literal) else left, op == "!=")
        a, b = self.type(left), self.type(right)
        if isinstance(a, Bool) or isinstance(b, Bool):
            return self.compare_truth(op, left, right)
        if op in ("==", "!="):
            return self.compare_equal(left, right, a, b, op == "==")
        if self.is_many(a) or self.is_many(b):
            if op in (">=", ">"):
                left, right, op = right, left, "<="
            bag = isinstance(a, BagOf) or isinstance(b, BagOf)
            listed = isinstance(a, ListOf) and isinstance(b, ListOf)
            if not listed:
                return self.sentence("<=bag" if bag else "<=set", Tree(left), Tree(right), sure=op == "<=")
        if (counted := self._counted(op, left, right)) is not None:
            return counted
        order = isinstance(a, Elem) or isinstance(b, Elem)
        said = self.sentence(f"{op}order" if order else op, Tree(left, b), Tree(right, a))
        return self.closed(left, said)

    def closed(self, left: E.Expr, said: str) -> str:
        """With a comma where the clause of what is compared ends: `число карт C, где C не скрыта, больше 2`."""
        if self.language != "ru" or ", где " not in said:
            return said
        first = self.np(left).say("nom")
        if ", где " not in first or not said.startswith(f"{first} "):
            return said
        return f"{first}, {said.removeprefix(first).lstrip()}"

    def is_many(self, kind: Type | None) -> bool:
        return isinstance(kind, SetOf | BagOf | ListOf) or self.is_place(kind)

    def compare_truth(self, op: str, left: E.Expr, right: E.Expr) -> str:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, E.Literal) and one.value is not None:
                return self.clause(other, one.value == (op == "=="))
        return self.sentence("==bool", Tree(left), Tree(right), sure=op == "==")

    def compare_equal(self, left: E.Expr, right: E.Expr, a: Type | None, b: Type | None, sure: bool) -> str:
        if (
            isinstance(right, E.Name)
            and right.name == "me"
            and self.local("me") is None
            and not isinstance(left, E.Attribute)
        ):
            left, right, a, b = right, left, b, a
        if isinstance(left, E.Attribute) and self.origin(left) is None and isinstance(a, Elem):
            name = left.name.name
            if name == "owner":
                return self.sentence("==owner", Tree(left.of), Tree(right, a), sure=sure)
            if name == "holder" and a.root.kind == "player":
                return self.sentence("==holder", Tree(left.of), Tree(right, a), sure=sure)
            if name == "name" and (noun := self.as_noun(right)) is not None:
                return self.sentence("==name", Tree(left.of), noun, sure=sure)
        if self.is_many(a) or self.is_many(b):
            return self.sentence("==set", Tree(left, b), Tree(right, a), sure=sure)
        if (counted := self._counted("==" if sure else "!=", left, right)) is not None:
            return counted
        number = isinstance(a, Num) or isinstance(b, Num)
        said = self.sentence("==number" if number else "==", Tree(left, b), Tree(right, a), sure=sure)
        return self.closed(left, said)

    def as_noun(self, tree: E.Expr) -> Slot | None:
        typed = self.typed(tree)
        if typed is not None and isinstance(typed.type, Elem) and isinstance(typed.node, C.Const):
            return Nouns(self.lexicon.member(typed.type.root, typed.node.value))
        return None

    def _counted(self, op: str, left: E.Expr, right: E.Expr) -> str | None:
        """`count(…) == 1` in English: there is exactly one."""
        if self.language != "en":
            return None
        if not (isinstance(left, E.Call) and isinstance(left.of, E.Name) and left.of.name == "count"):
            return None
        return counted(self, op, left, right)

    def membership(self, tree: E.Binary, sure: bool) -> str:
        left, right = tree.left, tree.right
        kind = self.type(right)
        if isinstance(right, E.Items) and right.items:
            return self.sentence("in_items", Tree(left), Keys(right.items), sure=sure)
        if isinstance(right, E.Binary) and right.op == ".." and not isinstance(self.type(left), Elem):
            return self.sentence("in_range", Tree(left), Tree(right.left), Tree(right.right), sure=sure)
        if self.is_place(kind):
            return self.sentence("lies_in", Tree(left), Tree(right), sure=sure)
        return self.sentence("in", Tree(left), Tree(right), sure=sure)


__all__ = ["Speaker", "Variable", "parts_of"]
