"""Statements in sentences: every verb has its words beside it, and this puts what it says into them."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from ruledsl.analysis.build import STATEMENTS, Statement
from ruledsl.analysis.choosing import ENTRY
from ruledsl.analysis.prices import is_free
from ruledsl.analysis.reasons import cost_alone, costs_of, without_reason
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Map, Node, Scalar, Seq, nodes_of
from ruledsl.syntax import expr as E
from ruledsl.syntax.parser import parse_text
from ruledsl.syntax.shapes import Fields, fields
from ruledsl.syntax.texts import HOLE, asked
from ruledsl.types import Elem, ListOf, SetOf, Type, every
from ruledsl.wording.cases import CASES
from ruledsl.wording.templates import Words, filled

from .document import Item
from .expressions import Speaker, parts_of
from .lexicon import text_of
from .phrases import Np
from .sentences import SENTENCES
from .slots import Clause, Nouns, Slot, Text, Tree, case_of
from .things import Source, Things, shape_of

FEW = 24  # letters of a number that can stand before what is counted
ENDING = ("win", "lose", "tie")
INLINE = 150  # letters of a sentence that may still take in the one thing that follows from it


class Teller(Speaker):
    """Tells statements of one game, worked out for one configuration, in one language."""

    # ------------------------------------------------------------------------------------------- blocks

    def block(self, node: Node | None) -> list[Item]:
        """A statement, or a list of them, as sentences."""
        found: list[Item] = []
        with self.scope():
            items = list(nodes_of(node))
            for i, item in enumerate(items):
                found += self.statement(item, last=i == len(items) - 1)
        return found

    def statement(self, node: Node, last: bool = True) -> list[Item]:
        if isinstance(node, Scalar) and node.value in STATEMENTS:  # a verb that may stand alone
            words = STATEMENTS[node.value].words
            if not isinstance(words, Words):
                alone: list[Item] = words(self, None, last) if words is not None else []
                return alone
            told_alone = self.told_sentence(words.of(self.language)[0], {node.value: Text("")})
            return [told_alone] if told_alone is not None else []
        if isinstance(node, Scalar):
            return [] if node.is_null else [Item(self.called_effect(node), at=node.span)]
        if not isinstance(node, Map):
            return []
        verb = next((name for name in node.entries if name in STATEMENTS), None)
        found = fields(node, STATEMENTS[verb].form, Report(), tuple(STATEMENTS)) if verb is not None else None
        if verb is None or found is None:
            return []
        statement = STATEMENTS[verb]
        if statement.words is None:
            return [Item(verb, at=node.span)]
        if not isinstance(statement.words, Words):
            told: list[Item] = statement.words(self, found, last)
        else:
            told = self.sentences(statement.words, found)
        for item in told[:1]:
            item.at = item.at or node.span
            item.ends = item.ends or verb in ENDING or (verb == "end" and found.word("end") == "game")
            item.conditional = verb == "if"
        return told

    def sentences(self, words: Words, f: Fields, more: dict[str, Slot] | None = None) -> list[Item]:
        """Every sentence of a statement whose slots have something."""
        slots = self.slots_of(f) | (more or {})
        found = []
        for template in words.of(self.language):
            tried = (self.told_sentence(form, slots) for form in template.split("|"))
            item = next((one for one in tried if one is not None), None)
            if item is not None:
                found.append(item)
        return found

    def told_sentence(self, template: str, slots: dict[str, Slot]) -> Item | None:
        """A sentence; what happens in it stands below, or in it if it is one short thing."""
        below: list[list[Item]] = []

        def put(key: str, flags: tuple[str, ...]) -> str | None:
            slot = slots.get(key)
            if slot is None:
                return None
            if isinstance(slot, Below):
                below.append(slot.items(self))
                return ""
            return slot.put(self, flags, "nom")

        text = filled(template, put, lambda word: self.tongue.inflect(word, "nom"))
        if text is None:
            return None
        item = Item(self.tongue.finish(text.strip()))
        if below:
            return self.with_below(item, below[-1])
        return item

    def with_below(self, item: Item, below: list[Item]) -> Item:
        """What follows from a sentence, in the same line where it is one short thing."""
        head = item.text.rstrip(" :")
        if not below:
            return Item(f"{head}: {self.sentence(SENTENCES['nothing'])}", at=item.at)
        if len(below) == 1 and not below[0].inner and len(head) + len(below[0].text) < INLINE:
            return Item(f"{head}: {below[0].text}", at=item.at, ends=below[0].ends)
        return Item(head, below, item.at)

    def called_effect(self, node: Scalar) -> str:
        """`refill()`: the effect is told under its own name."""
        tree = self.read(node)
        if not isinstance(tree, E.Call):
            return node.value
        if isinstance(tree.of, E.Attribute):
            word = Text(self.lexicon.word(tree.of.name.name, "attribute").text)
            args: dict[str, Any] = {"args": Text(self.listed(tree.arguments.plain))} if tree.arguments.plain else {}
            return self.sentence(SENTENCES["row effect"], of=Tree(tree.of.of), word=word, **args)
        name = tree.of.name if isinstance(tree.of, E.Name) else ""
        if name == "proceed":
            return self.sentence(SENTENCES["proceed"])
        declared = self.world.names.get(name)
        if declared is None:
            return name
        return self.sentence(SENTENCES["call"], **self.named_call(declared, tree))

    def read(self, node: Node | None, start: str = "expr") -> Any:
        """The tree of an expression, as analysis has read it; a reason beside it is for those whom it refuses."""
        return self.world.elaborator.read(without_reason(node), start)

    def condition(self, node: Node | None) -> E.Expr:
        """The tree of a condition, or of several in a list, of which all must hold."""
        if not isinstance(node, Seq):
            tree: E.Expr = self.read(node)
            return tree
        parts = [self.condition(item) for item in node.items]
        return reduce(lambda left, right: E.Binary(node.span, "and", left, right), parts)

    # ------------------------------------------------------------------------------------------- slots

    def slots_of(self, f: Fields) -> dict[str, Slot]:
        """What stands under each key, as it can be put into sentences."""
        found: dict[str, Slot] = {}
        for name, key in f.form.keys.items():
            if not f.has(name):
                continue
            slot = self.slot_of(key.kind, f.get(name))
            if slot is not None:
                found[name] = slot
        return found

    def slot_of(self, kind: str, node: Node | None) -> Slot | None:
        match kind:
            case "expression" | "scalar" | "sum":
                return NodeTree(self.read(node)) if node is not None else None
            case "condition":
                return NodeTree(self.condition(node)) if node is not None else None
            case "block":
                return Block(node)
            case "text":
                return Text(self.shown(node))
            case "truth":
                return Text("") if isinstance(node, Scalar) and node.as_bool() else None
            case "word":
                return Text(self.word_of(node.value)) if isinstance(node, Scalar) else None
            case "words":
                words = [node] if isinstance(node, Scalar) else list(node or ()) if isinstance(node, Seq) else []
                names = [self.np(self.name_tree(word)) for word in words if isinstance(word, Scalar)]
                return Names(names)
            case "amounts":
                return Amounts(node)
            case "variables" | "choices":
                return Variables(node) if isinstance(node, Map) else None
            case "menu":
                return Menu(node)
        return None

    def name_tree(self, word: Scalar) -> E.Name:
        return E.Name(word.span, word.value)

    def word_of(self, word: str) -> str:
        """A single name: of a phase, an effect, a place, or a word of ours."""
        declared = self.world.names.get(word)
        if declared is not None and declared.sort in ("effect", "action", "history"):
            return self.term(f"{declared.sort} {word}", self.lexicon.word(word, "value").text)
        if declared is not None and declared.sort == "place":
            return self.tongue.noun(self.lexicon.declared(word))
        return self.tongue.quoted(self.lexicon.word(word, "value").text)

    def shown(self, node: Node | None) -> str:
        """A text that players read, with what its holes show in words; it may stand under `text:` by its name."""
        text = text_of(node, self.language)
        if isinstance(node, Scalar) and text.strip().isidentifier():
            tables, word = self.world.sections.texts, text.strip()
            found = [tables[language][word] for language in (self.language, "en") if word in tables.get(language, {})]
            text = text_of(found[0], self.language) if found else word.replace("_", " ")

        def hole(found: re.Match[str]) -> str:
            expression, how = asked(found.group(1))
            if "|" in how:
                return how.rpartition("|")[2].strip()
            tree = parse_text(expression, self.world.span.file, 0, "expr", Report())
            if isinstance(tree, E.Bad):
                return "‹…›"
            self.learn(tree)
            return f"‹{self.np(tree).say(how if how in CASES else 'nom')}›"

        return HOLE.sub(hole, text)

    # ---------------------------------------------------------------------------------------- variables

    def variable(self, name: str, node: Node, ordered: bool = False) -> tuple[str, Things | None]:
        """One name that is chosen, or picked: what it may be; from here on the name stands for it."""
        tree = self.read(node, "domain")
        if isinstance(tree, E.Bad):
            return name, None
        kind = self.type(tree.of)
        inner = self.item_type(kind)
        several = tree.count is not None
        shape = shape_of(self, tree.of, inner)
        single = self.bind(name, inner)
        source = Source(name, shape, single)
        things = Things(self, [source], tree.where)
        if tree.where is not None:
            things.relate()
        if several:
            self.bind(name, self._several(inner, ordered))
        return self.how_many(tree.count), things

    def _several(self, inner: Type | None, ordered: bool) -> Type | None:
        if isinstance(inner, Elem) or inner is not None:
            return ListOf(inner, 200) if ordered else SetOf(inner)  # type: ignore[arg-type]
        return inner

    def how_many(self, count: E.Expr | None) -> str:
        """`some of`, `1..3 of`: in words, empty for one."""
        if count is None:
            return ""
        if isinstance(count, E.Name) and self.local(count.name) is None and count.name in ("some", "any"):
            return self.sentence(SENTENCES[count.name])
        if isinstance(count, E.Binary) and count.op == "..":
            return self.sentence(SENTENCES["so many"], Tree(count.left), Tree(count.right))
        return self.np(count).say("nom")

    def chosen(self, name: str, node: Node, ordered: bool = False) -> str:
        """What is chosen under a name: `a card C in your hand that is red`."""
        amount, things = self.variable(name, node, ordered)
        if things is None:
            return name
        source = things.sources[0]
        if things.relative and self.language == "en":
            said = source.say(self, "nom" if amount else "a", bool(amount), several=bool(amount))
            said += things.relative["many" if amount else "one"]
        else:
            one = "nom" if amount or self.language != "en" else "a"
            said = source.say(self, one, bool(amount), several=bool(amount))
            if things.where is not None:
                with self.scope():
                    self.scopes[-1][name] = source.variable
                    said += self.sentence("where", Tree(things.where))
        if not amount:
            return said
        return self.sentence(SENTENCES["several" if len(amount) < FEW else "several of"], Text(amount), Text(said))

    # ---------------------------------------------------------------------------------- entries of menus

    def entry(self, node: Map) -> Item | None:
        """An entry that is written in the place where it is offered."""
        f = fields(node, ENTRY, Report())
        if f is None:
            return None
        if f.has("menu"):
            item = Item(self.sentence(SENTENCES["menu"], name=Text(self.menu_name(f.word("menu")))))
            inner = self.entry_parts(f)
            return self.with_below(item, inner) if inner else item
        with self.scope():
            label = f.get("label")
            if label is None:
                inner = self.entry_parts(f)
                return Item(self.sentence(SENTENCES["this"]), inner) if len(inner) > 1 else inner[0] if inner else None
            with self.scope():
                self.names_of(f)
                head = self.tongue.quoted(self.shown(label))
            parts = self.entry_parts(f)
        return self.with_below(Item(head), parts)

    def names_of(self, f: Fields) -> None:
        """Binds what an entry chooses, so that its label can speak of it."""
        for entry in f.map("choose") or ():
            self.variable(entry.key.value, entry.value, f.truth("ordered"))

    def entry_parts(self, f: Fields) -> list[Item]:
        """What is said of an entry or action: when, what is chosen, what it costs, and what it does."""
        found: list[Item] = []
        if f.has("when"):
            found.append(self.condition_item("only if", self.condition(f.get("when"))))
        if f.map("choose") is not None:
            found += self.choice(f)
        found += self.cost_and_limit(f)
        with self.scope():
            done = []
            for item in nodes_of(f.get("do")):
                done += self.statement(item)
        if f.has("do") and self.is_empty(f.get("do")):
            done.append(Item(self.say("nothing")))
        return found + done

    def choice(self, f: Fields, how: str = "choose", by: Slot | None = None) -> list[Item]:
        """What is chosen, and what must hold for all of it together."""
        entries = list(f.map("choose") or ())
        ordered = f.truth("ordered")
        told = [self.chosen(entry.key.value, entry.value, ordered) for entry in entries]
        names: dict[str, Any] = {"by": by} if by is not None else {}
        if len(told) == 1:
            item = Item(self.sentence(SENTENCES[how], what=Text(told[0]), **names))
        else:
            item = Item(
                self.sentence(SENTENCES[f"{how} several"], **names), [Item(text) for text in told], ordered=False
            )
        found = [item]
        if f.has("where"):
            found.append(self.condition_item("such that", self.condition(f.get("where"))))
        if f.has("so_far"):
            found.append(self.condition_item("so far", self.condition(f.get("so_far"))))
        if ordered:
            found.append(Item(self.sentence(SENTENCES["ordered"])))
        return found

    def condition_item(self, form: str, tree: E.Expr) -> Item:
        """A condition that stands by itself; its parts are listed where it has many."""
        parts = self.conditions(tree)
        if len(parts) > 1:
            return Item(self.sentence(SENTENCES[f"{form} all"]), [Item(part) for part in parts], ordered=False)
        return Item(self.sentence(SENTENCES[form], what=Text(parts[0])))

    def conditions(self, tree: E.Expr) -> list[str]:
        """The parts of a long `and`, else the condition as one."""
        whole = self.clause(tree)
        if isinstance(tree, E.Binary) and tree.op == "and" and len(whole) > INLINE:
            return [self.clause(part) for part in parts_of(tree)]
        return [whole]

    def cost_and_limit(self, f: Fields) -> list[Item]:
        found = []
        if f.has("give") and f.has("get"):
            give, get = (Text(Amounts(f.get(key)).put(self, (), "nom") or "") for key in ("give", "get"))
            found.append(Item(self.sentence(SENTENCES["exchange"], give=give, get=get)))
        if f.has("cost"):
            costs = [self.cost(node) + self.cost_more(node) for node in costs_of(f.get("cost"))]
            found.append(Item(self.sentence(SENTENCES["cost"], what=Text(self.tongue.both(costs)))))
        if f.has("limit"):
            limit = without_reason(f.get("limit"))
            number, _, scope = (limit.value if isinstance(limit, Scalar) else "").partition(" per ")
            times = self.np_of(number) if not number.strip().isdecimal() else number.strip()
            word = SENTENCES.get(f"per {scope.strip()}")
            per = (
                self.sentence(word)
                if word
                else self.sentence(SENTENCES["per phase"], Text(self.word_of(scope.strip())))
            )
            found.append(Item(self.sentence(SENTENCES["limit"], times=Text(times), per=Text(per))))
        if f.has("anytime"):
            found.append(Item(self.sentence(SENTENCES[f"anytime {f.word('anytime')}"])))
        return found

    def np_of(self, text: str) -> str:
        tree = parse_text(text, self.world.span.file, 0, "expr", Report())
        self.learn(tree)
        return self.np(tree).say("nom")

    def cost(self, written: Node) -> str:
        node = cost_alone(written)
        if isinstance(written, Map) and written is not node and "to" in written.entries:
            holder = self.read(written.get("to"))
            return self.sentence(SENTENCES["cost to"], what=Amounts(node), to=Text(self.holder(holder).say("nom")))
        if isinstance(node, Scalar):
            tree = self.read(node)
            if isinstance(tree, E.Call) and isinstance(tree.of, E.Name):
                declared = self.world.names.get(tree.of.name)
                if declared is not None and declared.sort in ("effect", "action"):
                    return self.called_effect(node)
        return Amounts(node).put(self, (), "nom") or ""

    def cost_more(self, node: Node) -> str:
        """The discount of a cost, and what may come first."""
        if not isinstance(node, Map) or "is" not in node.entries:
            return ""
        said = ""
        for key in ("less", "least", "after"):
            value = node.get(key)
            if isinstance(value, Scalar) and key != "after":
                said += self.sentence(SENTENCES[key], what=Tree(self.read(value)))
            elif value is not None:
                said += self.sentence(SENTENCES[key])
        return said

    def menu_name(self, name: str) -> str:
        """A menu, or one action, under its name."""
        declared = self.world.names.get(name)
        if declared is not None and declared.sort == "action":
            return self.action_name(name)
        return self.term(f"menu {name}", self.lexicon.word(name, "value").text)

    def action_name(self, name: str) -> str:
        return self.term(f"action {name}", self.action_title(name))

    def action_title(self, name: str) -> str:
        """What an action is called: by its translation, or what its label begins with."""
        title = self.lexicon.word(name, "value")
        if not title.foreign:
            return title.text
        info = self.world.procedures.get(name)
        label = (
            info.node.get("label") or info.node.get("title")
            if info is not None and isinstance(info.node, Map)
            else None
        )
        if isinstance(label, Map) and self.language in label.entries:
            text = text_of(label, self.language).partition("{")[0]
            return re.sub(r"[\s:;,(«“\"]+$", "", text) or title.text
        return title.text

    # ------------------------------------------------------------------ what words of statements ask for

    def players(self) -> Type:
        return every(self.world.players)

    def item(self, text: str, at: Node | None = None) -> Item:
        return Item(text, at=at.span if at is not None else None)

    def tree(self, tree: E.Expr, want: Type | None = None) -> Slot:
        return NodeTree(tree, want)

    def spoken(self, np: Np) -> Slot:
        return Clause(np)

    def ready(self, text: str) -> Slot:
        return Text(text)

    def say(self, sentence: str) -> str:
        return self.sentence(SENTENCES[sentence])

    def sentence_of(self, form: str) -> str:
        return self.sentence(form)

    def given(self, f: Fields, *keys: str) -> dict[str, Slot]:
        """The slots of some keys, as far as they are there."""
        return {key: slot for key, slot in self.slots_of(f).items() if key in keys}

    def is_empty(self, node: Node | None) -> bool:
        """Whether nothing at all stands in a block."""
        return node is None or (isinstance(node, Seq) and not node.items)

    def never(self, node: Node | None) -> dict[str, Slot] | None:
        """Of a block that can never run its reason, as a slot; None where it can."""
        items = list(nodes_of(node))
        if len(items) != 1:
            return None
        if isinstance(items[0], Scalar):
            return {} if items[0].value == "never" else None
        return self.reason(items[0].get("never")) if isinstance(items[0], Map) and "never" in items[0].entries else None

    def reason(self, node: Node | None) -> dict[str, Slot]:
        """Why play never gets somewhere, which authors note in one language: left out where it is another one."""
        said = self.shown(node) if node is not None else ""
        read = self.language != "ru" or re.search("[а-яё]", said.lower())
        return {"never": Text(said)} if said and read else {}

    def leaves(self, node: Node | None) -> bool:
        """Whether a block ends with what ends more than itself."""
        items = list(nodes_of(node))
        last = items[-1] if items else None
        return isinstance(last, Map) and next(iter(last.entries), "") in ("win", "lose", "tie", "end")

    def mark(self, path: E.Expr) -> tuple[E.Expr | None, Slot]:
        """Whose a condition is that is set, and what it is called."""
        if isinstance(path, E.Attribute):
            return path.of, Text(self.tongue.quoted(self.attribute_title(path.name.name, path).text))
        if isinstance(path, E.Index) and isinstance(path.of, E.Name) and len(path.keys) == 1:
            return path.keys[0], Text(self.tongue.quoted(self.lexicon.declared(path.of.name).text))
        if isinstance(path, E.Name):
            return None, Text(self.tongue.quoted(self.lexicon.declared(path.name).text))
        return None, Clause(self.np(path))

    def noted(self, event: str) -> list[Item]:
        """What triggers do at an event, by their names."""
        found = []
        for when, triggers in self.world.triggers_of(event).items():
            names = self.tongue.both(
                [self.term(f"trigger {t.name}", self.lexicon.word(t.name, "value").text) for t in triggers]
            )
            found.append(Item(self.sentence(SENTENCES[f"{when} it"], what=Text(names))))
        return found


class Below(Slot):
    """What stands below a sentence."""

    def items(self, teller: Teller) -> list[Item]:
        raise NotImplementedError

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        raise AssertionError("what stands below a sentence stands in no slot")


class Block(Below):
    def __init__(self, node: Node | None) -> None:
        self.node = node

    def items(self, teller: Teller) -> list[Item]:
        return teller.block(self.node)


class Menu(Below):
    """The entries of a menu, each with what it does; actions by their names."""

    def __init__(self, node: Node | None) -> None:
        self.node = node

    def items(self, teller: Teller) -> list[Item]:
        if isinstance(self.node, Scalar):
            names = teller.world.menu(self.node.value) or [self.node.value]
            return [Item(teller.action_name(name)) for name in names]
        found = []
        for node in nodes_of(self.node):
            if isinstance(node, Scalar):
                found += [Item(teller.action_name(name)) for name in teller.world.menu(node.value) or [node.value]]
            elif isinstance(node, Map) and (item := teller.entry(node)) is not None:
                item.at = node.span
                found.append(item)
        return found


class NodeTree(Tree):
    """An expression that stands under a key of a statement."""

    nested = False

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        if "pieces" in flags:
            return pieces(speaker, self.tree, case_of(flags, case))
        if "players" in flags:
            return speaker.np(self.tree, every(speaker.world.players)).say(case_of(flags, case))
        return super().put(speaker, flags, case)


def pieces(speaker: Speaker, tree: E.Expr, case: str) -> str:
    """What is moved: a kind by its name is one of mine in the reserve."""
    if isinstance(tree, E.Items):
        return speaker.tongue.both([pieces(speaker, item, case) for item in tree.items])
    if isinstance(tree, E.Name) and speaker.local(tree.name) is None:
        declared = speaker.world.names.get(tree.name)
        if declared is not None and declared.sort == "kind" and (declared.data.count > 1 or declared.data.per_player):
            where = speaker.own_reserve(speaker.tongue.you()) if declared.data.per_player else speaker.reserve()
            return speaker.phrase(
                SENTENCES["from reserve"], Nouns(speaker.lexicon.declared(tree.name)), Clause(where)
            ).say(case)
    return Tree(tree).put(speaker, ("set", case), case) or ""


class Names(Slot):
    """Several names of the game."""

    def __init__(self, names: list[Np]) -> None:
        self.names = names

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        return speaker.tongue.both([name.say(case) for name in self.names])


class Variables(Slot):
    """Names and what each may be."""

    def __init__(self, node: Map) -> None:
        self.node = node

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        assert isinstance(speaker, Teller)
        return speaker.tongue.both([speaker.chosen(entry.key.value, entry.value) for entry in self.node])


class Amounts(Slot):
    """Tokens: so many of this and so many of that."""

    def __init__(self, node: Node | None) -> None:
        self.node = node

    def put(self, speaker: Speaker, flags: tuple[str, ...], case: str) -> str | None:
        assert isinstance(speaker, Teller)
        if "short" in flags and not self._plain(speaker):
            return None
        if not isinstance(self.node, Map):
            return speaker.np(speaker.read(self.node)).say("nom")
        return speaker.tongue.both([self.one(speaker, entry.key, speaker.read(entry.value)) for entry in self.node])

    def _plain(self, teller: Teller) -> bool:
        """Whether the amounts are numbers that stand in the file, so that the sentence can go on behind them."""
        if isinstance(self.node, Map):
            return all(isinstance(teller.read(entry.value), E.Num) for entry in self.node)
        tree = teller.read(self.node)
        plain = tree.arguments.plain if isinstance(tree, E.Call) else ()
        return len(plain) == 2 and isinstance(plain[1], E.Num)

    def one(self, teller: Teller, key: Scalar, amount: E.Expr) -> str:
        declared = teller.world.names.get(key.value)
        free = teller.type(teller.read(key)) if is_free(key.value) else None
        if isinstance(free, Elem):
            root, number = free.root, free.mask.bit_length() - 1
            title = teller.lexicon.member(root, number)
            if isinstance(amount, E.Num):
                return f"{amount.value} {title.text}"
        elif declared is not None and declared.sort == "pool":
            title = teller.lexicon.declared(key.value)
        else:
            homes = [
                (root, n) for root, n in teller.world.homes(key.value) if any(p.of is root for p in teller.world.pools)
            ]
            if not homes:
                how = "so many of" if isinstance(amount, E.Num) else "amount"
                return teller.sentence(SENTENCES[how], Tree(teller.read(key)), Tree(amount))
            title = teller.lexicon.member(*homes[0])
            if not isinstance(amount, E.Num):
                return teller.sentence(SENTENCES["amount"], Text(teller.tongue.quoted(title.text)), Tree(amount))
            if amount.value == 1:
                return f"1 {title.text}"
            return teller.sentence(SENTENCES["sort"], Text(title.text), Tree(amount))
        if isinstance(amount, E.Num):
            return teller.tongue.counted(amount.value, title)
        return teller.sentence(SENTENCES["amount"], Text(teller.tongue.noun(title, many=True)), Tree(amount))


__all__ = ["STATEMENTS", "Statement", "Teller"]
