"""What a failure says in words: as the rules give them (`because:`), else from the names and values that decide."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.syntax import expr as E
from ruledsl.types import NO_NUMBER, BagOf, Bool, Elem, ListOf, Num, Root, SetOf, bits

from ..knowing import Bound
from .failing import Failure, Finder, bound_names, inside_not
from .sentences import say

_MOST_NAMES = 8  # that are listed
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Wording:
    """Words of one language, for one seat."""

    def __init__(self, finder: Finder, words: Any, language: str, called: Callable[[list[int], int], str]) -> None:
        self.finder, self.words, self.language = finder, words, language
        self.called = called  # what a piece on a board is called as it stands there: `queen`, not `man`
        self.world, self.seat = finder.world, finder.seat

    def say(self, key: str, **holes: Any) -> str:
        return say(key, self.language, **holes)

    # ------------------------------------------------------------------------------------------- failures

    def of(self, failure: Failure) -> str:
        """One sentence."""
        if failure.words is not None:
            try:
                said = self.words.text(Bound(failure.said_in), failure.words, self.language, self.seat)
                said = " ".join(said.split())
                return f"{said}: {self._blocked(failure)}" if failure.sort == "blocked" else said
            except RulesFault:  # a hole asks for what is only there where nothing is refused
                return self.of(dataclasses.replace(failure, words=None))
        match failure.sort:
            case "condition":
                return self._condition(failure)
            case "either":
                parts = list(dict.fromkeys(self.of(part) for part in failure.parts))
                return parts[0] if len(parts) == 1 else self.say("either", parts=self.say("or else").join(parts))
            case "among":
                return self._among(failure)
            case "witness":
                return self._witness(failure)
            case "excepted":
                return self._excepted(failure)
            case "blocked":
                return self._blocked(failure)
            case "cost":
                return self._cost(**failure.holes)
            case "price":
                said = self.say("price", **failure.holes)
                return said + (f"; {self.say('exchanges')}" if failure.holes.get("after") else "")
            case "limit":
                return self._limit(**failure.holes)
            case "range":
                return self.range(failure.value, failure.holes["low"], failure.holes["high"])
            case "taken" | "order" | "none left":
                last = failure.holes.get("last")
                shown = [self.shown(x, failure.kind, failure.v) for x in (failure.value, last) if x is not None]
                return self.say(failure.sort, value=shown[0], last=shown[-1])
        return self.say(failure.sort, **failure.holes)

    def _cost(
        self, pool: str, lacking: list[tuple[Any, int, int]], givers: list[list[tuple[int, int]]], after: bool = False
    ) -> str:
        said, players = [], self.world.players
        for i, (token, needed, held) in enumerate(lacking):
            word = self.words.title(*token, self.language) if token else self.word(pool)
            sentence = self.say("cost", needed=needed, word=word, held=held)
            others = [f"{self.words.title(players, p, self.language)}: {n}" for p, n in (givers[i] if givers else ())]
            said.append(sentence + (self.say("others", others=", ".join(others)) if others else ""))
        return "; ".join([*said, *([self.say("exchanges")] if after else [])])

    def _limit(self, most: int, per: str) -> str:
        scope = per if per in ("turn", "round", "game") else "phase"
        shown = self.say(f"per {scope}", name=self.word(per))
        key = "limit once" if most == 1 else "limit" if most > 1 else "no limit left"
        return self.say(key, most=most, per=shown)

    def is_plain(self, failure: Failure) -> bool:
        """Whether one short sentence says it: the rules' own, or one about a single comparison or place."""
        if failure.words is not None:
            return True
        tree = failure.tree
        return failure.sort == "condition" and tree is not None and self._clause_that_fails(tree, failure) is not None

    def _condition(self, failure: Failure) -> str:
        tree = failure.tree
        said = self._clause_that_fails(tree, failure) if tree is not None else None
        if said is not None:
            return said
        clause = self.clause(tree, failure) if tree is not None else None
        if tree is None or clause is None:
            return self.say("rule")
        said = self.say("condition" if failure.must else "no condition", clause=clause)
        values = ", ".join(self._values(tree, failure))
        return self.say("given", said=said, values=values) if values else said

    def _clause_that_fails(self, tree: E.Expr, f: Failure) -> str | None:
        """What is wrong about a comparison, a membership, something that is there or is not."""
        match tree:
            case E.Unary(op="not"):
                turned = Failure("condition", f.v, f.node, inside_not(tree), not f.must, f.scope)
                return self._clause_that_fails(tree.of, turned)
            case E.Binary(op=op) if op in _OPPOSITE:
                return self._comparison(tree, op if f.must else _OPPOSITE[op], f)
            case E.Binary(op="in" | "not in" as op, left=left, right=right):
                return self._membership(left, right, (op == "in") == f.must, f)
            case E.Call(of=E.Name(name="empty"), arguments=E.Arguments(plain=(space,))):
                return self._emptiness(space, f)
            case E.Call(of=E.Name(name="any" | "no" as which), arguments=arguments):
                plain, sources = E.opened(arguments)
                if sources or len(plain) != 1:
                    return None
                return self._anything(plain[0], (which == "any") == f.must, f)
            case E.Name() | E.Attribute() | E.Index():
                return self._something(tree, f)
            case E.Call() if self._is_formula(tree):
                return self._something(tree, f)
        return None

    def _witness(self, f: Failure) -> str:
        """Something that fulfils a condition which nothing may fulfil."""
        shown = [self.value(E.Name(f.tree.span, name), f) for name in f.holes["names"]] if f.tree is not None else []
        named = ", ".join(word for word in shown if word)
        where = f.tree.arguments.where if isinstance(f.tree, E.Call) else None
        clause = self.clause(where, f) if where is not None else None
        if not named:
            return self.say("rule")
        return self.say("but", what=named) if clause is None else self.say("but as", what=named, clause=clause)

    def _comparison(self, tree: E.Binary, op: str, f: Failure) -> str | None:
        left, right = tree.left, tree.right
        if isinstance(left, E.Num) or (isinstance(left, E.Literal) and not isinstance(right, E.Literal)):
            left, right = right, left
            op = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        what, have, want = self.noun(left, f), self.value(left, f), self.value(right, f)
        if isinstance(right, E.Literal) and right.value is None:
            return self.say("something", what=what, there=have or "") if op == "==" else self.say("nothing", what=what)
        wanted = want if want is not None else self.noun(right, f)
        if want is not None and not isinstance(right, E.Num | E.Literal):
            noun = self.noun(right, f)
            wanted = self.say("with value", value=want, what=noun) if noun != want else want
        if what == have:  # a name that stands for what it is
            have = None
        if op == "!=" and isinstance(left, E.Name) and isinstance(right, E.Name) and right.name == "me":
            return self.say("not oneself")
        if op == "!=":
            return self.say("must not", what=what, wanted=wanted)
        wanted = self.say(op, x=wanted)
        return (
            self.say("must", what=what, wanted=wanted, found=have)
            if have
            else self.say("must alone", what=what, wanted=wanted)
        )

    def _membership(self, left: E.Expr, right: E.Expr, must: bool, f: Failure) -> str | None:
        shown = self.value(left, f) or self.noun(left, f)
        if not must:
            return self.say("must not", what=self._with_value(left, f), wanted=self.noun(right, f))
        if isinstance(right, E.Binary) and right.op == "..":
            low, high = self._or_noun(right.left, f), self._or_noun(right.right, f)
            wanted = self.say("from to", low=low, high=high)
            have = self.value(left, f)
            noun = self.noun(left, f)
            if have and have != noun:
                return self.say("must", what=noun, wanted=wanted, found=have)
            return self.say("must alone", what=noun, wanted=wanted)
        listed = self.listed(right, f)
        if listed is None:
            return self.say("not of", value=self._with_value(left, f), set=self.noun(right, f))
        if not listed:
            return self.say("nothing", what=self.noun(right, f))
        return self.say("none of", value=shown, members=listed)

    def _emptiness(self, space: E.Expr, f: Failure) -> str | None:
        typed = self.finder.typed(space, f.scope)
        if typed is None or self.finder.reads_hidden(typed.node, f.v):
            return None
        at = self._work_out(typed.node, f)
        what = self.value(space, f) or self.noun(space, f)
        if at is None or not isinstance(typed.type, Elem):
            return None
        if at < 0:
            return self.say("no space")
        if not f.must:
            return self.say("empty", what=what)
        there = self._lying(typed.type.root, at, f)
        return self.say("occupied", what=what, there=there) if there else self.say("occupied alone", what=what)

    def _blocked(self, f: Failure) -> str:
        """What stands in the way, and where."""
        spot = f.holes["spot"]
        board = next(b for b in self.world.boards if b.first_spot <= spot < b.first_spot + b.root.size)
        space = Elem(board.root, board.root.everything)
        what = self.words.name(spot - board.first_spot, space, self.language, (f.v, self.seat))
        there = self._on(spot, f)
        return self.say("blocked", what=what, there=there) if there else self.say("occupied alone", what=what)

    def _lying(self, root: Root, at: int, f: Failure) -> str:
        """The pieces on a space, by name."""
        spots = self.finder.knowing.machine.program.spots
        spot = next((first + at for first, known in spots.roots if known is root), None)
        return self._on(spot, f) if spot is not None else ""

    def _on(self, spot: int, f: Failure) -> str:
        pieces = self.finder.knowing.machine.pieces.on(f.v, spot)
        if not all(self.finder.knowing.known(f.v, piece, self.seat) for piece in pieces):
            return ""
        return ", ".join(self.piece(piece, f.v, self.called(f.v, piece)) for piece in pieces[:_MOST_NAMES])

    def piece(self, piece: int, v: list[int], called: str = "") -> str:
        """A piece with its owner: `stone of white`."""
        name = called or self.words.name(piece, Elem(self.world.pieces, 1 << piece), self.language, (v, self.seat))
        owner = self._owner(piece, v)
        if owner is None or not self.finder.knowing.known(v, piece, self.seat):
            return str(name)
        return self.say("of", what=name, whose=self._player(owner))

    def _owner(self, piece: int, v: list[int]) -> int | None:
        """Whose piece it is: its owner, who never changes, or the first player among its attributes."""
        found = []
        for attributes in self.world.pieces.attributes.values():
            for a in attributes:
                if a.mask >> piece & 1 and isinstance(a.type, Elem) and a.type.root.kind == "player":
                    found.append((a.name != "owner", a))
        for _, a in sorted(found, key=lambda row: row[0]):
            node = a.build(C.Const(piece), None)
            if isinstance(node, C.Node) and not self.finder.reads_hidden(node, v) and a.name != "holder":
                owner = self.finder.evaluator.of(node)(v)
                return int(owner) if owner >= 0 else None
        return None

    def _player(self, player: int) -> str:
        return str(self.words.title(self.world.players, player, self.language))

    def _anything(self, of: E.Expr, must: bool, f: Failure) -> str | None:
        """A set that must have members, or must have none."""
        if must:
            if isinstance(of, E.Call) and isinstance(of.of, E.Name) and of.of.name == "reserve":
                return self.say("used up", what=self.noun(of.arguments.plain[0], f))
            return self.say("nothing", what=self.noun(of, f))
        if isinstance(of, E.Call) and isinstance(of.of, E.Name) and of.of.name == "reserve":
            return self.say("in reserve", what=self.noun(of.arguments.plain[0], f))
        listed = self.listed(of, f)
        return self.say("something", what=self.noun(of, f), there=listed) if listed else None

    def _something(self, tree: E.Expr, f: Failure) -> str | None:
        """A path, a table or a formula as a condition: yes or no, there or not."""
        typed = self.finder.typed(tree, f.scope)
        if typed is None:
            return None
        what = self.noun(tree, f)
        if isinstance(typed.type, Bool):
            return self.say("no" if f.must else "yes", what=what)
        if f.must:
            return self.say("nothing", what=what)
        shown = self.value(tree, f)
        return self.say("something", what=what, there=shown) if shown else None

    # ------------------------------------------------------------------------------------ what is not among

    def _among(self, f: Failure) -> str:
        shown = self.shown(f.value, f.kind, f.v)
        owner = self._foreign(f)
        if owner is not None:
            return self.say("not yours", value=self._plainly(f), owner=self._player(owner))
        if isinstance(f.node, C.Op) and f.node.name == "span":
            low, high = (self.finder.evaluator.of(arg)(f.v) for arg in f.node.args)
            return self.range(f.value, low, high)
        if f.node is None:
            return self.say("rule")
        try:
            members = self.finder.members(f.node, f.v)
        except (RulesFault, TypeError):
            return self.say("rule")
        if not members and f.tree is not None:
            return self.say("nothing", what=self.noun(f.tree, f))
        if f.tree is not None and len(members) > _MOST_NAMES:
            return self.say("not of", value=shown, set=self.noun(f.tree, f))
        return self.none_of(shown, members, f.kind, f.v)

    def none_of(self, value: str, members: list[Any], kind: Any, v: list[int]) -> str:
        """What can be chosen instead."""
        if not members:
            return self.say("empty choice")
        if len(members) > _MOST_NAMES:
            shown = self._names(members[: _MOST_NAMES // 2], kind, v)
            return self.say("none of many", value=value, n=len(members), members=shown)
        return self.say("none of", value=value, members=self._names(members, kind, v))

    def nobody_there(self, root: Root, name: str, language: str, members: list[int], v: list[int]) -> str:
        """That none of some pieces stands on a space: it is empty, or another player's piece is there."""
        read = [self.words.name(i, Elem(root, root.everything), language, (v, self.seat)) for i in range(root.size)]
        known = (read, (self.words.title(root, i, language) for i in range(root.size)), root.names)
        at = next((i for names in known for i, own in enumerate(names) if str(own).casefold() == name), None)
        first = next((first for first, known in self.finder.knowing.spots.roots if known is root), None)
        if at is None or first is None:
            return ""
        pieces = self.finder.knowing.machine.pieces.on(v, first + at)
        if not pieces:
            return self.say("empty", what=read[at])
        piece = pieces[-1]
        owner = self._owner(piece, v) if self.finder.knowing.known(v, piece, self.seat) else None
        if piece in members or owner is None or owner == self.seat:
            return ""
        found = Failure("among", v, value=piece, kind=Elem(self.world.pieces, 1 << piece))
        return self.say("not yours", value=self._plainly(found), owner=self._player(owner))

    def range(self, value: Any, low: Any, high: Any) -> str:
        if low == high:
            return self.say("only value", value=value, low=low)
        return self.say("empty choice") if low > high else self.say("range", value=value, low=low, high=high)

    def _plainly(self, f: Failure) -> str:
        """A piece by its name and where it stands."""
        name = self.words.name(f.value, f.kind, self.language, (f.v, self.seat))
        where = self._space_of(f.value, f.v)
        return f"{name} {where}".strip()

    def _foreign(self, f: Failure) -> int | None:
        """Whose piece it is, where it is another player's and all that may be chosen are mine."""
        if not (isinstance(f.kind, Elem) and f.kind.root.kind == "piece") or self.seat is None or f.node is None:
            return None
        if not self.finder.knowing.known(f.v, f.value, self.seat):
            return None
        owner = self._owner(f.value, f.v)
        if owner is None or owner == self.seat:
            return None
        mine = self.finder.members(f.node, f.v)
        return owner if mine and all(self._owner(piece, f.v) == self.seat for piece in mine[:_MOST_NAMES]) else None

    def _excepted(self, f: Failure) -> str:
        if isinstance(f.kind, Elem) and f.kind.root is self.world.players and f.value == f.v[C.ME]:
            return self.say("not oneself")
        return self.say("excepted", value=self.shown(f.value, f.kind, f.v))

    # ---------------------------------------------------------------------------------------------- values

    def value(self, tree: E.Expr, f: Failure) -> str | None:
        """The value of a part of the rules in words; None where it has none by itself, or the seat may not know it."""
        typed = self.finder.typed(tree, f.scope)
        if typed is None or not isinstance(typed.type, Num | Elem | Bool | SetOf | ListOf | BagOf):
            return None
        if self.finder.reads_hidden(typed.node, f.v):
            return None
        if isinstance(typed.type, Elem) and typed.type.root.kind == "place":
            return None
        value = self._work_out(typed.node, f)
        if value is None or (isinstance(typed.type, SetOf) and value.bit_count() > _MOST_NAMES):
            return None
        return self.shown(value, typed.type, f.v)

    def listed(self, tree: E.Expr, f: Failure) -> str | None:
        """The members of a set by name, if there are not too many; empty where there is none."""
        typed = self.finder.typed(tree, f.scope, as_set=True)
        if typed is None or not isinstance(typed.type, SetOf) or self.finder.reads_hidden(typed.node, f.v):
            return None
        value = self._work_out(typed.node, f)
        if value is None or value.bit_count() > _MOST_NAMES:
            return None
        return self._names(list(bits(value)), typed.type.of, f.v)

    def _names(self, members: list[Any], kind: Any, v: list[int]) -> str:
        return ", ".join(dict.fromkeys(self.shown(x, kind, v) for x in members))

    def _work_out(self, node: C.Node, f: Failure) -> Any:
        try:
            return self.finder.evaluator.of(node)(f.v)
        except (RulesFault, LookupError, TypeError):
            return None

    def shown(self, value: Any, kind: Any, v: list[int]) -> str:
        if isinstance(kind, Num) and value == NO_NUMBER:
            return str(self.words.fixed("none", self.language))
        if isinstance(kind, Bool):
            return str(self.words.fixed("yes" if value else "no", self.language))
        name = str(self.words.name(value, kind, self.language, (v, self.seat)))
        if isinstance(kind, Elem) and kind.root.kind == "piece" and value >= 0:
            where = self._space_of(value, v)
            return f"{name} ({where})" if where and self.finder.knowing.known(v, value, self.seat) else name
        return name

    def _space_of(self, piece: int, v: list[int]) -> str:
        """The name of the space that a piece stands on."""
        spots = self.finder.knowing.spots
        at = v[spots.at + piece]
        for first, root in spots.roots:
            if root.kind == "space" and first <= at < first + root.size:
                space = Elem(root, root.everything)
                return str(self.words.name(at - first, space, self.language, (v, self.seat)))
        return ""

    def _or_noun(self, tree: E.Expr, f: Failure) -> str:
        return self.value(tree, f) or self.noun(tree, f)

    def _with_value(self, tree: E.Expr, f: Failure) -> str:
        noun, value = self.noun(tree, f), self.value(tree, f)
        return noun if value is None or value == noun else self.say("with value", value=value, what=noun)

    def _values(self, tree: E.Expr, f: Failure) -> Iterator[str]:
        """The names in a condition with what they stand for."""
        for name in sorted(E.names_in(tree) & set(f.scope)):
            part = E.Name(tree.span, name)
            value = self.value(part, f)
            if value is not None and value != name:
                yield f"{self.word(name)}: {value}"

    # ----------------------------------------------------------------------------------------------- nouns

    def word(self, name: str) -> str:
        return str(self.world.title_of_word(name).get(self.language) or name.replace("_", " "))

    def noun(self, tree: E.Expr, f: Failure) -> str:
        """What a part of the rules is called."""
        match tree:
            case E.Name(name="me"):
                return self.say("you")
            case E.Name(name=name):
                if name in f.scope:
                    return self.value(tree, f) or self.word(name)
                return self.word(name)
            case E.Attribute(of=E.Name(name="me"), name=name):
                return self.say("own", what=self.word(name.name))
            case E.Attribute(of=of, name=name):
                return self.say("of", what=self.word(name.name), whose=self._or_noun(of, f))
            case E.Index(of=of, keys=keys):
                return self.say("of", what=self.noun(of, f), whose=", ".join(self._or_noun(key, f) for key in keys))
            case E.Call(of=E.Name(name="count"), arguments=arguments):
                plain, sources = E.opened(arguments)
                return self.say("count", what=self.noun(sources[-1].domain if sources else plain[0], f))
            case E.Call(of=E.Name(name="the" | "set" | "list"), arguments=E.Arguments(plain=(of,))) if not bound_names(
                tree
            ):
                return self._or_noun(of, f)
            case E.Call(of=of, arguments=arguments):
                plain, sources = (list(arguments.plain), []) if self._is_formula(tree) else E.opened(arguments)
                parts = [source.domain for source in sources] or plain
                name = self.noun(of, f)
                shown = ", ".join(self._or_noun(part, f) for part in parts)
                return self.say("of", what=name, whose=shown) if shown else name
            case E.Num(value=value):
                return str(value)
            case E.Literal(value=value):
                return str(self.words.fixed("none" if value is None else "yes" if value else "no", self.language))
            case E.Items(items=items):
                return ", ".join(self._or_noun(item, f) for item in items)
            case E.Binary(op="except", left=left):
                return self.noun(left, f)
            case E.Binary(op=op, left=left, right=right):
                return f"{self._or_noun(left, f)} {op} {self._or_noun(right, f)}"
            case E.Unary(of=of):
                return self.noun(of, f)
        return self.value(tree, f) or tree.span.one_line

    def clause(self, tree: E.Expr, f: Failure) -> str | None:
        """A condition in words, as it is written; None where there are no words for it."""
        match tree:
            case E.Binary(op="and" | "or" as op, left=left, right=right):
                sides = [self.clause(left, f), self.clause(right, f)]
                return None if None in sides else self.say(op).join(side for side in sides if side)
            case E.Unary(op="not", of=of):
                inner = self.clause(of, f)
                return None if inner is None else self.say("not", x=inner)
            case E.Binary(op=op, left=left, right=right) if op in ("<", "<=", ">", ">=", "=="):
                return self.say("is", what=self.noun(left, f), x=self.say(op, x=self.noun(right, f)))
            case E.Binary(op="!=", left=left, right=right):
                return self.say("not", x=self.say("is", what=self.noun(left, f), x=self.noun(right, f)))
            case E.Binary(op="in", left=left, right=right):
                return self.say("is in", what=self.noun(left, f), x=self.noun(right, f))
            case E.Name() | E.Attribute() | E.Index():
                return self.noun(tree, f)
            case E.Call(of=E.Name(name="any"), arguments=arguments) if not E.opened(arguments)[1]:
                return self.say("is there", what=self.noun(arguments.plain[0], f))
            case E.Call() if self._is_formula(tree):
                return self.noun(tree, f)
        return None

    def _is_formula(self, tree: E.Call) -> bool:
        declared = self.world.names.get(tree.of.name) if isinstance(tree.of, E.Name) else None
        return declared is not None and declared.sort == "formula"
