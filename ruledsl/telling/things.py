"""What a name runs over: `c in me.hand where c.rank > 5` as `cards in your hand whose rank is more than 5`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.records import dataclass
from ruledsl.syntax import expr as E
from ruledsl.types import Elem, SetOf, Type

from .forms import COUNTED
from .phrases import Np, Title
from .slots import Clause, Slot, Tree, case_of

if TYPE_CHECKING:
    from .expressions import Speaker
    from .scopes import Variable


def opened(tree: E.Call, builtin: Any) -> tuple[list[E.Expr], list[E.Source]]:
    """The plain arguments of a call and its sources: `x in S` opens a comprehension, it is no question."""
    plain, sources = list(tree.arguments.plain), list(tree.arguments.sources)
    if builtin.comprehension and not sources:
        while plain and isinstance(last := plain[-1], E.Binary) and last.op == "in" and isinstance(last.left, E.Name):
            sources.insert(0, E.Source(last.left, last.right))
            plain.pop()
    return plain, sources


@dataclass(frozen=True)
class Shape:
    """What is run over: what one of them is, whose they are, where they are found, and what else is said of them."""

    title: Title
    owner: Np | None = None
    origin: str = ""
    note: str = ""


class Things(Slot):
    """One or several names with what they run over, and what must hold of them."""

    def __init__(self, speaker: Speaker, sources: list[Source], where: E.Expr | None) -> None:
        self.speaker, self.sources, self.where = speaker, sources, where
        self.relative: dict[str, str] = {}  # `that is empty`, of one and of many, where that says it without the name

    @classmethod
    def of(cls, speaker: Speaker, sources: list[E.Source], where: E.Expr | None, others: list[E.Expr]) -> Things:
        """Binds the names in the current scope; `others` is what else speaks of them."""
        found = []
        for source in sources:
            kind = speaker.type(source.domain)
            inner = speaker.item_type(kind)
            shape = shape_of(speaker, source.domain, inner)
            found.append(Source(source.name.name, shape, speaker.bind(source.name.name, inner)))
        things = cls(speaker, found, where)
        if where is None and isinstance(last := others[:1] and others[0], E.Name) and last.name == found[-1].name:
            others = others[1:]  # `t for d in … for t in …`: all those t
        names = {name for other in others for name in E.names_in(other)}
        if len(found) == 1 and found[0].name not in names:
            if where is None or things.relate():
                found[0].named = False
        return things

    def of_last(self) -> tuple[Things, Things] | None:
        """The last name by itself and the names before it, for `t for d in … for t in …`."""
        if len(self.sources) < 2:
            return None
        return Things(self.speaker, self.sources[-1:], self.where), Things(self.speaker, self.sources[:-1], None)

    def relate(self) -> bool:
        """Whether what must hold can be said by `that` and `whose`, so that no name is needed."""
        if self.where is None or self.speaker.language != "en":
            return False
        whole = parts_of(self.where) if isinstance(self.where, E.Binary) and self.where.op == "and" else [self.where]
        for person in ("one", "many"):
            told = [self._related(part, person) for part in whole]
            if not all(told):
                self.relative = {}
                return False
            self.relative[person] = " " + " and ".join(told)
        return True

    def _related(self, part: E.Expr, person: str) -> str:
        """A condition that begins with `that` or `whose`; empty where it cannot be said so."""
        variable = self.sources[0].variable
        variable.instead, variable.used = Np(lambda case: "who", person, True), 0
        text = self.speaker.clause(part)
        variable.instead = None
        if variable.used != 1 or not text.startswith(("who ", "whose ")) or " or " in text:
            return ""
        if text.startswith("who ") and self.sources[0].shape.title.sort != "player":
            text = "that" + text[3:]
        return text

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        many = not {"one", "a", "every"} & set(flags)
        form = "a" if "a" in flags else case_of(flags, case)
        way = next((flag for flag in flags if flag in ("every", "none")), "")
        told = [source.say(speaker, form, many, way) for source in self.sources]
        text = speaker.tongue.both(told)
        if self.relative and not self.sources[0].named:
            return text + self.relative["many" if many else "one"]
        return text + (speaker.sentence("where", Tree(self.where)) if self.where is not None else "")


class Source:
    """One name and what it runs over."""

    def __init__(self, name: str, shape: Shape, variable: Variable) -> None:
        self.name, self.shape, self.variable = name, shape, variable
        self.named = True

    def say(self, speaker: Speaker, case: str, many: bool, way: str = "", several: bool = False) -> str:
        shape = self.shape
        of_you = shape.owner is not None and shape.owner.person == "you"
        if speaker.language == "en":
            noun = self._noun(speaker, "nom" if way == "every" else case, many, several)
            text = f"every {noun}" if way == "every" else noun
            if shape.owner is not None:
                whose = shape.owner.say("nom")
                text = (
                    f"your {text}" if of_you and many and way != "none" else f"{text} of {'yours' if of_you else whose}"
                )
        else:
            noun = self._noun(speaker, case, many, several)
            text = noun
            if shape.owner is not None:
                text = speaker.own(shape.owner, "", case, many, title=shape.title, noun=noun)
        return f"{text}{' ' + shape.origin if shape.origin else ''}{shape.note}"

    def _noun(self, speaker: Speaker, case: str, many: bool, several: bool) -> str:
        title = self.shape.title
        if not self.named:
            form = "one" if case == "nom" and not many and speaker.language == "en" else case
            return speaker.tongue.noun(title, form, many)
        called = speaker.called(self.name)
        return speaker.tongue.first_named(self.name, title, called, case, many, several)


def parts_of(tree: E.Binary) -> list[E.Expr]:
    """The sides of `a and b and c`."""
    found: list[E.Expr] = []
    for side in (tree.left, tree.right):
        found += parts_of(side) if isinstance(side, E.Binary) and side.op == tree.op else [side]
    return found


def shape_of(speaker: Speaker, domain: E.Expr, inner: Type | None) -> Shape:
    """How what is run over is spoken of."""
    title = speaker.lexicon.of_type(inner) or speaker.lexicon.ours("value", "value")
    kind = speaker.type(domain)
    match domain:
        case E.Binary(op=("from" | "after" | "except") as op, left=left, right=right):
            shape = shape_of(speaker, left, inner)
            return Shape(title, shape.owner, shape.origin, shape.note + speaker.sentence(f"note_{op}", Tree(right)))
        case E.Binary(op="..", left=left, right=right):
            return Shape(title, origin=speaker.sentence("from_to", Tree(left), Tree(right)))
        case E.Items():
            return Shape(title, origin=speaker.sentence("one_of_these", Tree(domain)))
        case E.Call(of=E.Name(name="reserve")) if speaker.type(domain) is not None:
            of = next((value for name, value in domain.arguments.named if name.name == "of"), None)
            of = of or (domain.arguments.plain[1] if len(domain.arguments.plain) > 1 else None)
            owner = speaker.np(of) if of is not None else speaker.tongue.you()
            if not speaker.has_owners(domain.arguments.plain[0]):
                return Shape(title, origin=speaker.sentence("in_place", Clause(speaker.reserve())))
            return Shape(title, origin=speaker.sentence("in_place", Clause(speaker.own_reserve(owner))))
        case E.Call(of=E.Name(name="set"), arguments=E.Arguments(sources=sources)) if sources:
            return Shape(title, origin=speaker.sentence("different", Tree(domain)))
        case E.Attribute() if isinstance(kind, SetOf) and isinstance(kind.of, Elem) and kind.of.root.kind == "piece":
            if speaker.type(domain.of) is not None and domain.name.name in {k.name for k in speaker.world.kinds}:
                return Shape(title, owner=speaker.np(domain.of))
        case E.Name(name=name) if speaker.local(name) is None and is_whole(speaker, name):
            board = speaker.world.names.get(name)
            several = len(speaker.world.boards) > 1 and board is not None and board.sort == "board"
            return Shape(
                title,
                origin=speaker.sentence("on_the_board", Clause(speaker.board(board.data))) if several and board else "",
            )
    if speaker.is_place(kind):
        return Shape(title, origin=speaker.sentence("in_place", Tree(domain)))
    return Shape(title, origin=speaker.sentence("out_of", Tree(domain)))


def is_whole(speaker: Speaker, name: str) -> bool:
    """Whether a name stands for all there are of a sort."""
    declared = speaker.world.names.get(name)
    if name in ("players", "player", "direction") or any(board.word == name for board in speaker.world.boards):
        return True
    return declared is not None and declared.sort in ("type", "board", "kind", "part")


def counted(speaker: Speaker, op: str, left: E.Call, right: E.Expr) -> str:
    """`there are at most two cards in your hand`."""
    from ruledsl.analysis.functions import BUILTINS

    with speaker.scope():
        slots = speaker.call_slots(left, BUILTINS["count"])
        number = right.value if isinstance(right, E.Num) else None
        one = number == 1 and op in ("==", "!=", ">", ">=", "<=")
        what = slots.get("things") or Set(left.arguments.plain[0])
        if number == 0 and op in ("==", ">", "!="):
            if op == "==":
                return f"there are no {what.put(speaker, ('none',), 'nom')}"
            return f"there is at least one {what.put(speaker, ('one', 'noun'), 'one')}"
        said = what.put(speaker, ("one", "noun") if one else (), "one" if one else "nom")
        amount = "one" if number == 1 else speaker.np(right).say("nom")
        if number is None:
            return f"the number of {what.put(speaker, (), 'nom')} {_IS[op]} {amount}"
        return f"there {'is' if one else 'are'} {COUNTED[op]} {amount} {said}"


_IS = {"==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least"}


class Set(Slot):
    """The members of a set that is given whole, as if a name ran over them."""

    def __init__(self, tree: E.Expr) -> None:
        self.tree = tree

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        inner = speaker.item_type(speaker.type(self.tree))
        shape = shape_of(speaker, self.tree, inner)
        with speaker.scope():
            source = Source("_", shape, speaker.bind("_", inner))
            source.named = False
            many = not {"one", "a", "every"} & set(flags)
            form = "a" if "a" in flags else case_of(flags, case)
            return source.say(speaker, form, many, next((f for f in flags if f in ("every", "none")), ""))
