"""Expressions that name something: `the deck`, `your men`, `the number of cards in your hand`."""

from __future__ import annotations

from typing import Any

from ruledsl.analysis.functions import BUILTINS
from ruledsl.analysis.names import PoolInfo
from ruledsl.analysis.prices import is_free
from ruledsl.analysis.stepping import names_of_a_step
from ruledsl.ir import core as C
from ruledsl.syntax import expr as E
from ruledsl.types import BagOf, Bool, Elem, ListOf, Root, SetOf, Type

from .lexicon import text_of
from .phrases import Np, Title
from .scopes import Scoped
from .slots import Clause, Keys, Nouns, Several, Slot, Text, Tree
from .things import Set, Things, opened

ADVERBS = ("cw", "ccw", "up", "down")  # directions that no `towards` stands before
CONDITIONS = ("and", "or", "in", "not in", "==", "!=", "<", "<=", ">", ">=")


class Spoken(Scoped):
    """Tells what an expression stands for."""

    def np(self, tree: E.Expr, want: Type | None = None) -> Np:
        match tree:
            case E.Num(value=value):
                return self.tongue.plain(self.tongue.number(value))
            case E.Literal(value=None):
                kind = want
                player = isinstance(kind, Elem) and kind.root.kind == "player"
                return self.phrase("nobody" if player else "nothing")
            case E.Literal(value=value):
                return self.phrase("yes" if value else "no")
            case E.Name():
                return self.name(tree)
            case E.Items(items=items):
                if not items:
                    return self.phrase("nothing")
                return Np(
                    lambda case: self.tongue.both([self.np(x, self.item_type(want)).say(case) for x in items]), "many"
                )
            case E.Attribute():
                return self.attribute(tree)
            case E.Index():
                return self.index(tree)
            case E.Call():
                return self.call(tree)
            case E.Unary(op="not"):
                return self.phrase("whether", Tree(tree))
            case E.Unary(of=of):
                return self.phrase("negative", Tree(of))
            case E.Binary():
                return self.binary(tree)
            case E.If(condition=condition, then=then, otherwise=otherwise):
                kind = self.type(tree)
                if isinstance(kind, Bool):
                    return self.phrase("whether", Tree(tree))
                return self.phrase("if", Tree(then, kind), Tree(condition), Tree(otherwise, kind))
        return self.tongue.plain("…")

    def name(self, tree: E.Name) -> Np:
        word = tree.name
        variable = self.local(word)
        if variable is not None:
            variable.used += 1
            return variable.instead or variable.np
        if word == "me":
            return self.tongue.you()
        typed = self.typed(tree)
        if typed is not None and isinstance(typed.type, Elem) and isinstance(typed.node, C.Const):
            root, number = typed.type.root, typed.node.value
            if root.kind not in ("place",) and 0 <= number < root.size and root.names[number] == word:
                return self.member(root, number)
        if word in ("turn_player", "opponent", "turn_number", "round"):
            return self.phrase(word)
        if word in ("players", "player"):
            return self.phrase("players", many=True)
        declared = self.world.names.get(word)
        if declared is not None:
            found = self.declared(word, declared)
            if found is not None:
                return found
        board = next((b for b in self.world.boards if b.word == word), None)
        if board is not None:
            return self.phrase("spaces", Nouns(self.lexicon.of_members(board.root, 1)), many=True)
        for root, number in self.world.homes(word):
            return self.member(root, number)
        if is_free(word) and isinstance(free := self.type(tree), Elem):  # `any settler`
            title = self.lexicon.member(free.root, free.mask.bit_length() - 1)
            return Np(lambda case: title.text, "one")
        return self.tongue.thing(self.lexicon.word(word, "value"))

    def member(self, root: Root, number: int) -> Np:
        title = self.lexicon.member(root, number)
        if root.kind == "piece" and self.lexicon.kind_of(1 << number) is not None:
            return self.tongue.thing(title)
        if title.sort in ("player", "member", "space", "direction", "part"):
            return Np(lambda case: self.bare(title, case), "one", short=root.kind == "player")
        return self.tongue.thing(title)

    def bare(self, title: Title, case: str) -> str:
        """The name of a member: without an article, and in quotes where it cannot be declined."""
        if self.language == "en":
            return title.text
        if title.sort in ("space", "direction"):
            return title.text
        found = self.tongue.noun(title, case)
        return title.text if case == "nom" else found

    def declared(self, word: str, declared: Any) -> Np | None:
        """A name of the game."""
        data = declared.data
        title = self.lexicon.declared(word)
        match declared.sort:
            case "option":
                return self.option(word)
            case "type" if isinstance(data.type, Elem) and data.type.root.kind == "direction":
                return self.tongue.plain(self.lexicon.word(word, "direction").text, many=True)
            case "type" | "part":
                return self.phrase("every", Nouns(title), many=True)
            case "board":
                return self.phrase("spaces", Nouns(self.lexicon.of_members(data.root, 1)), many=True)
            case "kind":
                if data.count == 1 and not data.per_player:
                    return self.tongue.thing(title)
                return self.phrase("every", Nouns(title), many=True)
            case "place":
                if data.per is None:
                    return self.tongue.thing(title)
                if isinstance(data.per, Elem) and data.per.root.kind == "player":
                    return self.phrase("of_all", Nouns(title), many=True)
                of = self.lexicon.of_type(data.per) or self.lexicon.ours("number", "number")
                return self.phrase("of_every", Nouns(title), Nouns(of), many=True)
            case "holder":
                return self.tokens(self.tongue.thing(title), data[0], title)
            case "value":
                return self.tongue.thing(title)
            case "formula":
                many = isinstance(data.type, SetOf | ListOf | BagOf)
                return self.phrase("call", name=Text(self.term(f"formula {word}", title.text)), many=many)
            case "effect" | "action" | "history" | "trigger":
                return self.tongue.plain(self.term(f"{declared.sort} {word}", title.text))
            case "pool":
                return self.tongue.thing(title, many=True)
        return None

    def option(self, word: str) -> Np:
        key_and_node = self.world.sections.named["options"].get(word)
        node = key_and_node[1] if key_and_node else None
        label = text_of(node.get("label"), self.language) if node is not None and hasattr(node, "get") else ""
        return self.tongue.plain(self.tongue.quoted(label or self.lexicon.word(word, "value").text))

    def tokens(self, place: Np, pool: PoolInfo, title: Title) -> Np:
        """Tokens that somebody holds: what of a pool of one sort only is a number."""
        if pool.of is not None:
            return place
        noun = self.lexicon.declared(pool.name)
        if noun.text == title.text:
            return self.phrase("own_tokens", Clause(place))
        return self.phrase("tokens", Nouns(noun), Clause(place))

    # ---------------------------------------------------------------------------------------- attributes

    def origin(self, tree: E.Attribute) -> Any:
        """What an attribute comes from: a declaration, or nothing for those that things have by themselves."""
        of = self.type(tree.of)
        if not isinstance(of, Elem):
            return None
        found = of.root.attributes.get(tree.name.name, ())
        return next((a.origin for a in found if of.mask & ~a.mask == 0), None)

    def attribute(self, tree: E.Attribute) -> Np:
        name = tree.name.name
        if isinstance(tree.of, E.Name) and self.local(tree.of.name) is None:
            qualified = self.qualified(tree.of.name, name)
            if qualified is not None:
                return qualified
        of, kind = self.type(tree.of), self.type(tree)
        if isinstance(of, BagOf):
            number = self.world.member_number(of.root, name)
            return self.sort_in(Text(self.bare(self.lexicon.member(of.root, number or 0), "nom")), tree.of)
        if isinstance(kind, Bool):
            return self.phrase("whether", Tree(tree))
        owner = self.np(tree.of)
        pool = self._pool_of(name)
        if pool is not None and isinstance(of, Elem):
            title = self.lexicon.word(name, "tokens")
            return self.tokens(self.tongue.possessed(owner, title), pool, title)
        if self.stands_on(tree):
            return self.phrase("on_space", Nouns(self.lexicon.declared(name)), Clause(owner))
        if isinstance(of, Elem) and of.root.kind != "player" and self.is_place(kind):
            return self.phrase("place_of", Nouns(self.lexicon.declared(name)), Clause(owner))
        many = isinstance(kind, SetOf | ListOf) and not self.is_board(name)
        return self.tongue.possessed(owner, self.attribute_title(name, tree), many)

    def attribute_title(self, name: str, tree: E.Attribute) -> Title:
        origin = self.origin(tree)
        if name in self.world.names and self.world.names[name] is origin:
            return self.lexicon.declared(name)
        kind = self.type(tree)
        inner = self.item_type(kind) or kind
        if isinstance(inner, Elem) and inner.root.kind == "piece" and self.lexicon.kind_of(inner.mask) == name:
            return self.lexicon.declared(name)
        if isinstance(inner, Elem) and inner.root.kind in ("space", "part") and inner.root.name == name:
            return self.lexicon.of_members(inner.root, inner.mask)
        return self.lexicon.word(name, "attribute")

    def is_board(self, name: str) -> bool:
        return any(board.name == name for board in self.world.boards)

    def qualified(self, of: str, name: str) -> Np | None:
        """`item.horse`, `supply.gold`."""
        if of == "supply":
            pool = next((p for p in self.world.pools if p.name == name), None)
            title = self.lexicon.declared(name)
            if pool is not None:
                return self.phrase("supply" if pool.of is not None else "supply_count", Nouns(title))
        declared = self.world.names.get(of)
        roots = (
            [declared.data.type.root]
            if declared and declared.sort == "type" and isinstance(declared.data.type, Elem)
            else []
        )
        roots += [root for root in self.world.roots.values() if root.name == of]
        for root in roots:
            number = self.world.member_number(root, name)
            if number is not None:
                return self.member(root, number)
        return None

    def _pool_of(self, word: str) -> Any:
        return next((pool for pool in self.world.pools if word in pool.holders), None)

    def stands_on(self, tree: E.Attribute) -> bool:
        """`s.man`: what lies on a space or a part."""
        of, kind = self.type(tree.of), self.type(tree)
        return (
            isinstance(of, Elem)
            and of.root.kind in ("space", "part")
            and isinstance(kind, Elem)
            and kind.root.kind == "piece"
            and self.lexicon.kind_of(kind.mask) == tree.name.name
            and not any(part.root is of.root and part.kind.name == tree.name.name for part in self.world.parts)
        )

    def is_place(self, kind: Type | None) -> bool:
        inner = kind.of if isinstance(kind, SetOf) else kind
        return isinstance(inner, Elem) and inner.root.kind == "place"

    def sort_in(self, sort: Slot, bag: E.Expr) -> Np:
        return self.phrase("sort_in", sort, Tree(bag))

    def index(self, tree: E.Index) -> Np:
        declared = (
            self.world.names.get(tree.of.name)
            if isinstance(tree.of, E.Name) and self.local(tree.of.name) is None
            else None
        )
        if declared is not None and declared.sort == "board":
            names = declared.data.board.coordinate_names
            where = self.tongue.both(
                [
                    self.sentence("coordinate", Text(self.lexicon.word(name, "attribute").text), Tree(key))
                    for name, key in zip(names, tree.keys, strict=False)
                ]
            )
            return self.phrase("space_at", Nouns(self.lexicon.of_members(declared.data.root, 1)), Text(where))
        if declared is not None and declared.sort == "place":
            return self.phrase("place_of", Nouns(self.lexicon.declared(declared.name)), Tree(tree.keys[0]))
        of = self.type(tree.of)
        if isinstance(of, BagOf):
            return self.sort_in(Tree(tree.keys[0]), tree.of)
        if isinstance(of, ListOf):
            at = tree.keys[0]
            return self.phrase("item" if isinstance(at, E.Num) else "item at", Tree(at), Tree(tree.of))
        key = self.type(tree.keys[0])
        towards = isinstance(key, Elem) and key.root.kind == "direction"
        if towards and isinstance(tree.of, E.Attribute):
            noun = self.lexicon.word(tree.of.name.name, "attribute")
            return self.phrase("towards", Nouns(noun), Tree(tree.of.of), Tree(tree.keys[0]))
        if declared is not None and declared.sort == "value" and len(tree.keys) == 1 and isinstance(key, Elem):
            return self.tongue.possessed(self.np(tree.keys[0]), self.lexicon.declared(declared.name))
        keys = self.tongue.both([self.np(k).say("gen") for k in tree.keys])
        of_np = self.np(tree.of)
        return self.phrase("entry", Clause(of_np), Text(keys))

    # ---------------------------------------------------------------------------------------------- calls

    def call(self, tree: E.Call) -> Np:
        given = tree.arguments
        if isinstance(tree.of, E.Attribute):
            args: dict[str, Any] = {"2": Text(self.listed(given.plain))} if given.plain else {}
            word = self.lexicon.word(tree.of.name.name, "attribute").text
            form = "row_holds" if isinstance(self.type(tree), Bool) else "row_code"
            if form == "row_holds":
                return self.phrase("whether", Tree(tree))
            return self.phrase("row_code", Tree(tree.of.of), Text(word), **args)
        word = tree.of.name if isinstance(tree.of, E.Name) else ""
        declared = self.world.names.get(word)
        if declared is not None and declared.sort in ("effect", "action"):  # what `would` tries out
            return self.phrase("call", **self.named_call(declared, tree))
        if declared is not None and declared.sort == "formula":
            if isinstance(declared.data.type, Bool):
                return self.phrase("whether", Tree(tree))
            many = isinstance(declared.data.type, SetOf | ListOf | BagOf)
            return self.phrase("call", many=many, **self.named_call(declared, tree))
        builtin = BUILTINS.get(word)
        if builtin is None or builtin.words is None:
            return self.tongue.plain(self.lexicon.word(word, "value").text)
        if builtin.words.is_condition:
            return self.phrase("whether", Tree(tree))
        return self.told(tree, builtin)

    def told(self, tree: E.Call, builtin: Any) -> Np:
        """What a function gives, in the words that stand beside it."""
        kind = self.type(tree)
        many = isinstance(kind, SetOf | ListOf | BagOf)

        def say(case: str) -> str:
            with self.scope():
                return self.fill(builtin.words, self.call_slots(tree, builtin), case)

        return Np(say, "many" if many else "one")

    def call_slots(self, tree: E.Call, builtin: Any) -> dict[str, Slot]:
        """What a call gives to the slots of its words; names are bound, so this stands in a scope of its own."""
        given = tree.arguments
        plain, sources = opened(tree, builtin)
        slots: dict[str, Slot] = {name.name: Tree(value) for name, value in given.named}
        if "step" in builtin.named and "step" in slots:
            self.bind_a_step(plain[0])
        wanted = [p.split("=")[0].strip() for p in builtin.signature.partition("(")[2].rpartition(")")[0].split(",")]
        for i, name in enumerate(wanted):
            if i < len(plain) and not sources:
                slots[name] = Tree(plain[i])
        if sources:
            speaker: Any = self
            things = Things.of(speaker, sources, given.where, [*(plain[-1:] if given.sources else ()), *given.keys])
            slots["things"] = things
            if given.sources and plain:
                slots["value"] = Tree(plain[-1])
                last = plain[-1]
                own = isinstance(last, E.Name) and last.name == sources[-1].name.name
                if own and builtin.name in ("set", "list") and (parted := things.of_last()) is not None:
                    slots["things"], slots["others"] = parted
            plain = plain[:-1] if given.sources else plain
        if given.keys:
            slots["keys"] = Keys(given.keys)
        slots |= {str(i): Tree(x) for i, x in enumerate(plain)}
        if len(plain) > 1:
            slots["args"] = Keys(tuple(plain))
            if isinstance(plain[1], E.Num):
                slots["number"] = Text(self.tongue.number(plain[1].value))
        if len(plain) == 2 and not sources:
            for limit, rest in (plain, plain[::-1]):
                if isinstance(limit, E.Num):
                    slots["limit"], slots["rest"] = Tree(limit), Tree(rest)
        if plain and builtin.comprehension:
            slots["members"] = Set(plain[0])
        slots["self"] = Set(tree)
        kind = self.type(tree)
        if (noun := self.lexicon.of_type(self.item_type(kind) or kind)) is not None:
            slots["noun"] = Nouns(noun)
        return slots

    def bind_a_step(self, start: E.Expr) -> None:
        """Binds what a condition on a step speaks of: where it begins, where it ends, and the edge."""
        kind = self.type(start)
        kind = self.item_type(kind) or kind
        if isinstance(kind, Elem) and kind.root.kind == "space":
            for name, of in names_of_a_step(self.world, kind.root).items():
                self.bind(name, of)

    def named_call(self, declared: Any, tree: E.Call) -> dict[str, Any]:
        """The name of a formula or effect and what it is given."""
        sort = "formula" if declared.sort == "formula" else declared.sort
        title = self.lexicon.word(declared.name, "value").text
        slots: dict[str, Slot] = {"name": Text(self.term(f"{sort} {declared.name}", title))}
        args = self.arguments(declared, tree)
        if args is not None:
            slots["args"] = args
        return slots

    def arguments(self, declared: Any, tree: E.Call) -> Slot | None:
        """What is given, each with the name of its parameter where the order could be mistaken."""
        parameters = self.parameters(declared)
        given = {name: value for (name, _), value in zip(parameters, tree.arguments.plain, strict=False)}
        given |= {name.name: value for name, value in tree.arguments.named}
        if not given:
            return None
        types = [self.lexicon.of_type(kind) for name, kind in parameters if name in given]
        clear = len({title.text if title else "" for title in types}) == len(types)
        same = all(isinstance(value, E.Name) and value.name == name for name, value in given.items())
        if len(given) == 1 or clear or same:
            kinds = dict(parameters)
            return Several([Tree(value, kinds.get(name)) for name, value in given.items()])
        kinds = dict(parameters)
        told = []
        for name, value in given.items():
            title = self.called(name) or self.lexicon.word(name, "value")
            told.append(f"{self.tongue.quoted(title.text)}: {self.np(value, kinds.get(name)).say('nom')}")
        return Text(f"({', '.join(told)})")

    def parameters(self, declared: Any) -> list[tuple[str, Type]]:
        if declared.sort == "formula":
            return list(declared.data.parameters)
        info = self.world.procedures.get(declared.name)
        return list(info.parameters) if info is not None else []

    def listed(self, trees: tuple[E.Expr, ...]) -> str:
        return self.tongue.both([self.np(tree).say("nom") for tree in trees])

    # --------------------------------------------------------------------------------- whose, where, in order

    def own(self, owner: Np, word: str, case: str, many: bool, title: Title | None = None, noun: str = "") -> str:
        """What belongs to somebody, by a word of ours or a title of the game."""
        if title is None:
            return self.tongue.possessed(owner, Title(word, "place"), many).say(case)
        whole = self.tongue.possessed(owner, title, many).say(case)
        plain = self.tongue.noun(title, case, many)
        return whole.replace(plain, noun, 1)  # with the name that the rules give to it

    def reserve(self) -> Np:
        return self.tongue.thing(self.lexicon.ours("reserve", "place"))

    def own_reserve(self, owner: Np) -> Np:
        return self.tongue.possessed(owner, self.lexicon.ours("reserve", "place"))

    def has_owners(self, kind: E.Expr) -> bool:
        """Whether every player has pieces of a kind."""
        declared = self.world.names.get(kind.name) if isinstance(kind, E.Name) else None
        mask = declared.data.mask if declared is not None and declared.sort == "kind" else 0
        return any(k.per_player for k in self.world.kinds if k.mask & mask)

    def destination(self, tree: E.Expr) -> str:
        """Where something goes: `to your hand`, `on top of the deck`."""
        kind = self.type(tree)
        form = "to_space"
        if self.is_place(kind):
            inner: Any = kind.of if isinstance(kind, SetOf) else kind
            first = self.world.spots.first_place
            pile = any(inner.mask >> (spot - first) & 1 for spot in self.world.data["piles"])
            form = "to_pile" if pile else "to_place"
        return self.sentence(form, Tree(tree))

    def location(self, tree: E.Expr) -> str:
        """Where something lies: `in your hand`, `on the space`."""
        return self.sentence("in_there" if self.is_place(self.type(tree)) else "on_there", Tree(tree))

    def end_of(self, tree: E.Expr) -> str:
        """An end of a pile, or a slot by its number."""
        if isinstance(tree, E.Name) and tree.name in ("top", "bottom") and self.local(tree.name) is None:
            return self.sentence(f"at_{tree.name}")
        return self.sentence("at_slot", Tree(tree))

    def way(self, tree: E.Expr) -> str:
        """A direction behind a space: `towards north`, but `clockwise`."""
        typed = self.typed(tree)
        if typed is not None and isinstance(typed.type, Elem) and isinstance(typed.node, C.Const):
            if 0 <= typed.node.value < typed.type.root.size and typed.type.root.names[typed.node.value] in ADVERBS:
                return self.lexicon.member(typed.type.root, typed.node.value).text
        return self.sentence("towards_way", Tree(tree))

    def holder(self, tree: E.Expr) -> Np:
        """Where tokens lie, as a place and not as their number."""
        match tree:
            case E.Attribute(of=of, name=name) if self._pool_of(name.name) is not None:
                return self.tongue.possessed(self.np(of), self.lexicon.word(name.name, "tokens"))
            case E.Name(name=name) if self.local(name) is None and self._pool_of(name) is not None:
                return self.tongue.thing(self.lexicon.word(name, "tokens"))
        return self.np(tree)

    def without_article(self, tree: E.Expr) -> str:
        """A sort of things, as it stands behind a number."""
        return self.np(tree).say("nom").removeprefix("the ")

    def ordered(self, keys: tuple[E.Expr, ...], way: str) -> str:
        """What decides an order: `P's score, the highest first`, or what is highest."""
        told = []
        for key in keys:
            down = isinstance(key, E.Unary) and key.op == "-"
            of = key.of if isinstance(key, E.Unary) and down else key
            form = {"up": "first_low", "most": "highest", "least": "lowest"}[way]
            opposite = {"first_low": "first_high", "highest": "lowest", "lowest": "highest"}
            form = opposite[form] if down else form
            bare = self.language == "en" and not form.startswith("first") and self.np(of).say("nom").startswith("the ")
            told.append(self.sentence(f"{form} bare" if bare else form, Tree(of)))
        return self.sentence("then").join(told)

    # ------------------------------------------------------------------------------------------ operators

    def binary(self, tree: E.Binary) -> Np:
        op, kind = tree.op, self.type(tree)
        if isinstance(kind, Bool) or op in CONDITIONS:
            return self.phrase("whether", Tree(tree))
        left, right = Tree(tree.left, kind), Tree(tree.right, kind)
        if op == "..":
            return self.phrase("range", left, right, many=True)
        if op in ("from", "after", "except"):
            return self.phrase(op, left, right, many=True)
        if op == "otherwise":
            return self.phrase("otherwise", left, right)
        if op in "+-" and isinstance(self.type(tree.left), Elem) and not self.is_place(self.type(tree.left)):
            return self.phrase("turned" if op == "+" else "turned_back", left, right)
        if op in "+-" and isinstance(kind, SetOf | ListOf):
            return self.phrase("join" if op == "+" else "part", left, right, many=True)
        return self.phrase(op, left, right, many=isinstance(kind, BagOf))
