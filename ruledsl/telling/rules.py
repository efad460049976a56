"""How it is played: set-up, the course of play, actions, named effects, formulas, triggers, the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ruledsl.analysis.choosing import ENTRY
from ruledsl.analysis.declarations.formulas import FORMULA
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Map, Node, Scalar, Seq, nodes_of
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields, fields
from ruledsl.types import Bool, ListOf, SetOf, Type, every
from ruledsl.wording.templates import Words

from .blocks import Teller
from .document import Item, Items, Paragraph, Section
from .lexicon import text_of
from .scopes import Variable
from .slots import Slot, Text, Tree
from .things import parts_of

W = {
    "setup": Words(en="Set-up", ru="Подготовка"),
    "play": Words(en="How to play", ru="Ход игры"),
    "actions": Words(en="Actions", ru="Действия"),
    "menu": Words(en="Actions: “{0}”", ru="Действия: «{0}»"),
    "beside": Words(en="offered together with {0}", ru="предлагается вместе с: {0}"),
    "effects": Words(en="Named steps", ru="Шаги с названием"),
    "formulas": Words(en="Terms", ru="Понятия"),
    "triggers": Words(en="Special cases", ru="Особые случаи"),
    "scoring": Words(en="Scoring", ru="Подсчёт очков"),
    "campaign": Words(en="From game to game", ru="От партии к партии"),
    "given": Words(en="{name}, for {args}", ru="{name}, для: {args}"),
    "label": Words(en="players read: “{0}”", ru="надпись: «{0}»"),
    "is": Words(en="this is {0:set}", ru="это {0:set}"),
    "holds if": Words(en="true if {0}", ru="это верно, если {0}"),
    "holds if all": Words(en="true if all of these are true", ru="это верно, если верно всё это"),
    "holds if any": Words(en="true if one of these is true", ru="это верно, если верно хоть одно из этого"),
    "case": Words(en="if {0:cond}: {1:set}", ru="если {0:cond}: {1:set}"),
    "case truth": Words(en="if {0:cond}: {1:cond}", ru="если {0:cond}: {1:cond}"),
    "else": Words(en="otherwise: {0:set}", ru="иначе: {0:set}"),
    "else truth": Words(en="otherwise: {0:cond}", ru="иначе: {0:cond}"),
    "let": Words(en="let {0} be {1}", ru="пусть {0} — это {1}"),
    "step": Words(en="{0:set}", ru="{0:set}"),
    "rank": Words(en="from a total of {0} on: {1}", ru="сумма от {0}: {1}"),
    "ranks": Words(
        en="the total gives a rank; a single player gets it and neither wins nor loses",
        ru="сумма даёт звание; кто играет один, тот получает его, но не побеждает и не проигрывает",
    ),
    "first that fits": Words(en="the first of these that fits", ru="первое подходящее из этого"),
    "sum of": Words(en="the sum of", ru="сумма"),
    "plus": Words(en="plus {0}", ru="плюс {0}"),
    "minus": Words(en="minus {0}", ru="минус {0}"),
    "least": Words(en="but never less than {0}", ru="но не меньше {0:gen}"),
    "most": Words(en="but never more than {0}", ru="но не больше {0:gen}"),
    "before": Words(en="before {0}", ru="перед: {0}"),
    "after": Words(en="after {0}", ru="после: {0}"),
    "instead": Words(en="in place of {0}", ru="вместо: {0}"),
    "modify": Words(en="this changes {0}", ru="это меняет {0}"),
    "turn": Words(en="every turn", ru="каждый ход"),
    "round": Words(en="every round", ru="каждый раунд"),
    "when": Words(en="if {0}", ru="если {0}"),
    "for": Words(
        en="each of {0:set} does this (each is “you” here)", ru="это делает каждый из {0:set gen} (здесь это «вы»)"
    ),
    "for where": Words(en="but only where {0:cond}", ru="но только те, для кого верно: {0:cond}"),
    "add": Words(en="it goes up by {0}", ru="прибавляется {0}"),
    "allow": Words(en="also true if {0:cond}", ru="верно и тогда, когда {0:cond}"),
    "forbid": Words(en="not true if {0:cond}", ru="неверно, если {0:cond}"),
    "instead is": Words(en="it is instead {0}", ru="вместо этого: {0}"),
    "value": Words(en="what it was", ru="прежнее"),
    "changed by": Words(en="changed by: {0}", ru="меняется из-за: {0}"),
    "rows": Words(en="every player (“you”) adds up:", ru="каждый игрок («вы») складывает:"),
    "row": Words(en="{0}: {1}", ru="{0}: {1}"),
    "highest": Words(en="the highest total wins", ru="побеждает наибольшая сумма"),
    "lowest": Words(en="the lowest total wins", ru="побеждает наименьшая сумма"),
    "stakes": Words(
        en="the totals are what players win or lose; the highest wins",
        ru="суммы — это выигрыш или проигрыш игроков; побеждает наибольшая",
    ),
    "ties": Words(en="ties are broken by, in this order: {0}", ru="при равенстве решает, по очереди: {0}"),
    "shared": Words(en="players who are equal in everything win together", ru="равные во всём побеждают вместе"),
    "no winner": Words(
        en="after the last step the game ends, and nobody wins",
        ru="когда ход игры дошёл до конца, партия закончена и никто не победил",
    ),
    "scored": Words(
        en="if the game ends without a winner, after the last step or earlier, the points decide",
        ru="когда ход игры дошёл до конца или партия кончилась иначе без победителя, решают очки",
    ),
    "keep": Words(
        en="kept for the next game: {0}; everything else starts again",
        ru="в следующую партию переходит: {0}; всё остальное начинается заново",
    ),
    "between": Words(en="between two games", ru="между партиями"),
    "in": Words(en="in {0}: {1}", ru="в {0}: {1}"),
    "end": Words(en="End of the game", ru="Конец партии"),
    "winners": Words(en="winners", ru="победители"),
}


class Rules:
    """The chapters of what is done; `only` are the declarations of one module, those `for_bots` are left out."""

    def __init__(self, teller: Teller, only: set[str] | None = None, for_bots: Collection[str] = ()) -> None:
        self.t, self.world, self.only, self.for_bots = teller, teller.world, only, for_bots

    def say(self, key: str, *args: Slot, **named: Any) -> str:
        return self.t.sentence(W[key], *args, **named)

    def wanted(self, name: str) -> bool:
        return self.only is None or name in self.only

    def part(self, title: str, blocks: list[Any], key: str = "") -> Section:
        return Section(self.say(title), blocks, key=key)

    # ---------------------------------------------------------------------------------- set-up and play

    def setup(self, nodes: list[Node]) -> Section:
        items = [item for node in nodes for item in self.t.block(node)]
        return self.part("setup", [Items(items, ordered=True)] if items else [])

    def play(self, nodes: list[Node]) -> Section:
        items: list[Item] = []
        with self.t.scope():
            for node in nodes:
                listed = list(nodes_of(node))
                for i, item in enumerate(listed):
                    items += self.t.statement(item, last=i == len(listed) - 1)
        return self.part("play", [Items(items, ordered=True)] if items else [])

    # ------------------------------------------------------------------------------------------ actions

    def actions(self) -> Section:
        whole = self.part("actions", [])
        menus: dict[str, list[Section]] = {}
        for name, info in self.world.procedures.items():
            if info.sort == "action" and self.wanted(name):
                f = fields(info.node, ENTRY, Report())
                if f is not None:
                    menus.setdefault(f.word("menu"), []).append(self.action(name, info, f))
        for menu, parts in menus.items():
            if menu and len(menus) > 1:
                title = self.t.lexicon.word(menu, "value").text
                whole.parts.append(Section(self.say("menu", Text(title)), parts=parts, key=f"menu {menu}"))
            else:
                whole.parts += parts
                whole.key = f"menu {menu}" if menu else whole.key
        return whole

    def action(self, name: str, info: Any, f: Fields) -> Section:
        with self.t.scope():
            parts = self.t.entry_parts(f)
            label = f.get("label") or f.get("title")
            if label is not None:
                self.t.names_of(f)
                parts.insert(0, Item(self.say("label", Text(self.t.shown(label))), at=label.span))
        if beside := [other for other in self.world.menu(f.word("menu")) or () if not self.wanted(other)]:
            parts.append(Item(self.say("beside", Text(self.t.tongue.both(list(map(self.t.action_name, beside)))))))
        title = self.t.action_title(name)
        return Section(title, [Items(parts + self.t.noted(name), ordered=False)], key=f"action {name}")

    # ------------------------------------------------------------------------------------------ effects

    def effects(self) -> Section:
        whole = self.part("effects", [])
        for name, info in self.world.procedures.items():
            if info.sort == "effect" and self.wanted(name):
                whole.parts.append(self.effect(name, info))
        return whole

    def effect(self, name: str, info: Any) -> Section:
        with self.t.scope():
            given = self.parameters(info.parameters)
            items = self.t.block(info.body) + self.t.noted(name)
        return Section(self.headline(name, given), [Items(items, ordered=True)], key=f"effect {name}")

    def parameters(self, parameters: list[tuple[str, Type]]) -> list[str]:
        """Binds the parameters of an effect or formula, and says what they are."""
        told = []
        for name, kind in parameters:
            title = self.t.lexicon.of_type(kind)
            self.t.bind(name, kind)
            many = isinstance(kind, SetOf | ListOf)
            called = self.t.called(name)
            told.append(self.t.tongue.first_named(name, title, called, "a" if not many else "nom", many, many))
        return told

    def headline(self, name: str, given: list[str]) -> str:
        title = self.t.lexicon.word(name, "value").text
        if not given:
            return self.t.tongue.quoted(title)
        return self.say("given", name=Text(self.t.tongue.quoted(title)), args=Text(self.t.tongue.both(given)))

    # ----------------------------------------------------------------------------------------- formulas

    def formulas(self) -> Section:
        whole = self.part("formulas", [])
        for formula in self.world.formulas:
            if self.wanted(formula.name) and formula.name not in self.for_bots:
                whole.parts.append(self.formula(formula))
        return whole

    def formula(self, formula: Any) -> Section:
        node, bounds = formula.node, None
        if isinstance(node, Map):
            bounds = fields(node, FORMULA, Report())
            node = bounds.get("is") if bounds is not None else None
        tree = self.t.read(node)
        with self.t.scope():
            given = self.parameters(formula.parameters)
            items = self.steps(bounds) + self.meaning(tree, isinstance(formula.type, Bool))
            for key in ("least", "most"):
                if bounds is not None and bounds.has(key):
                    items.append(Item(self.say(key, Tree(self.t.read(bounds.get(key))))))
        changed = [t.name for t in self.world.modifiers_of(formula.name)]
        if changed:
            names = [self.t.term(f"trigger {name}", self.t.lexicon.word(name, "value").text) for name in changed]
            items.append(Item(self.say("changed by", Text(self.t.tongue.both(names)))))
        items[0].at = items[0].at or formula.code.span
        return Section(self.headline(formula.name, given), [Items(items)], key=f"formula {formula.name}")

    def steps(self, bounds: Fields | None) -> list[Item]:
        """What a formula works out first, under names of its own."""
        found = []
        for entry in (bounds.map("let") if bounds is not None else None) or ():
            tree = self.t.read(entry.value)
            value = self.t.sentence(W["step"], self.t.tree(tree))
            variable = self.t.bind(entry.key.value, self.t.type(tree))
            found.append(Item(self.say("let", self.t.spoken(variable.np), Text(value)), at=entry.key.span))
        return found

    def meaning(self, tree: E.Expr, truth: bool) -> list[Item]:
        """What a formula gives, with its cases and parts as a list where it is long."""
        if isinstance(tree, E.If):
            return [Item(self.say("first that fits"), list(self.cases(tree, truth)))]
        if truth:
            return [self.condition(tree)]
        parts = self.summands(tree)
        if len(parts) > 1 and len(self.t.np(tree).say("nom")) > 120:
            return [Item(self.say("sum of"), [Item(text) for text in parts], ordered=False)]
        return [Item(self.say("is", self.t.tree(tree)))]

    def summands(self, tree: E.Expr) -> list[str]:
        if isinstance(tree, E.Binary) and tree.op in ("+", "-") and not self.t.is_many(self.t.type(tree)):
            left = self.summands(tree.left)
            return [*left, self.say("plus" if tree.op == "+" else "minus", Tree(tree.right))]
        return [self.t.np(tree).say("nom")]

    def condition(self, tree: E.Expr) -> Item:
        whole = self.t.clause(tree)
        if isinstance(tree, E.Binary) and tree.op in ("and", "or") and len(whole) > 120:
            form = "holds if all" if tree.op == "and" else "holds if any"
            return Item(self.say(form), [Item(self.t.clause(part)) for part in parts_of(tree)], ordered=False)
        return Item(self.say("holds if", Text(whole)))

    def cases(self, tree: E.Expr, truth: bool) -> Iterator[Item]:
        end = " truth" if truth else ""
        while isinstance(tree, E.If):
            yield Item(self.say(f"case{end}", Tree(tree.condition), self.t.tree(tree.then)))
            tree = tree.otherwise
        yield Item(self.say(f"else{end}", self.t.tree(tree)))

    # ----------------------------------------------------------------------------------------- triggers

    def triggers(self) -> Section:
        whole = self.part("triggers", [])
        for trigger in self.world.triggers:
            if self.wanted(trigger.name):
                whole.parts.append(self.trigger(trigger))
        return whole

    def trigger(self, trigger: Any) -> Section:
        f: Fields = trigger.fields
        events = [self.event(word.value) for word in trigger.events]
        items = [Item(self.say(trigger.when, Text(self.t.tongue.either(events))), at=trigger.key.span)]
        with self.t.scope():
            for word in trigger.events:
                for name, kind in self.event_parameters(word.value):
                    self.t.bind(name, kind)
            if f.has("for"):
                items += self.acting(f)
            if f.has("when"):
                items.append(self.t.condition_item("if", self.t.condition(f.get("when"))))
            for key in ("add", "allow", "forbid"):
                if f.has(key):
                    items.append(Item(self.say(key, Tree(self.t.read(f.get(key))))))
            if f.has("is"):
                with self.t.scope():
                    self.t.scopes[-1]["value"] = self.before_it()
                    items.append(Item(self.say("instead is", Tree(self.t.read(f.get("is"))))))
            if f.has("do"):
                items += self.t.block(f.get("do"))
        title = self.t.lexicon.word(trigger.name, "value").text
        return Section(self.t.tongue.quoted(title), [Items(items)], key=f"trigger {trigger.name}")

    def before_it(self) -> Any:
        return Variable("value", None, self.t.phrase(W["value"]))

    def acting(self, f: Fields) -> list[Item]:
        players = f.map("for")
        node = players.get("me") if players is not None else None
        tree = self.t.read(node, "domain")
        self.t.bind("actor", self.t.players())
        if isinstance(tree, E.Bad):
            return []
        found = [Item(self.say("for", self.t.tree(tree.of)))]
        if tree.where is not None:
            found.append(Item(self.say("for where", Tree(tree.where))))
        return found

    def event(self, name: str) -> str:
        declared = self.world.names.get(name)
        if declared is not None and declared.sort in ("effect", "action", "formula"):
            return self.t.term(f"{declared.sort} {name}", self.t.lexicon.word(name, "value").text)
        if name in ("turn", "round"):
            return self.say(name)
        return self.t.word_of(name)

    def event_parameters(self, name: str) -> list[tuple[str, Type]]:
        info = self.world.procedures.get(name)
        if info is not None:
            return list(info.parameters)
        formula = next((formula for formula in self.world.formulas if formula.name == name), None)
        return list(formula.parameters) if formula is not None else []

    # ------------------------------------------------------------------------------------------- ending

    def ending(self) -> Section:
        """All ways in which a play ends, with where they stand."""
        whole = self.part("end", [])
        found = []
        for key, title, node in self.places_of_play():
            for item in self.ends_in(node):
                found.append(
                    Item(
                        self.say("in", Text(self.t.term(key, title)), Text(item.text)) if key else item.text,
                        item.inner,
                        item.at,
                    )
                )
        for item in found:
            item.inner = []
        last = list(nodes_of(self.world.sections.play[-1])) if self.world.sections.play else []
        if not self.t.leaves(last[-1] if last else None) and not (last and goes_on(last[-1])):
            found.append(Item(self.say("scored" if self.world.data["scoring"] else "no winner")))
        whole.blocks.append(Items(found))
        return whole

    def places_of_play(self) -> Iterator[tuple[str, str, Any]]:
        """Everything that is carried out: what leads there, what it is called, its statements as they are told."""
        with self.t.scope():
            items = [item for node in self.world.sections.play for item in self.t.block(node)]
        yield "", "", items
        for name, info in self.world.procedures.items():
            with self.t.scope():
                if info.sort == "effect":
                    self.parameters(info.parameters)
                    yield f"effect {name}", self.t.lexicon.word(name, "value").text, self.t.block(info.body)
                else:
                    f = fields(info.node, ENTRY, Report())
                    yield f"action {name}", self.t.action_title(name), self.t.entry_parts(f) if f is not None else []
        for trigger in self.world.triggers:
            section = self.trigger(trigger)
            told = [item for block in section.blocks if isinstance(block, Items) for item in block.items]
            yield f"trigger {trigger.name}", self.t.lexicon.word(trigger.name, "value").text, told

    def ends_in(self, items: list[Item], around: str = "") -> Iterator[Item]:
        """The sentences that end the play; one that stands under a condition with it."""
        for item in items:
            if item.ends:
                yield Item(f"{around}{item.text}", at=item.at)
            head = f"{item.text}: " if item.inner and item.conditional else around
            yield from self.ends_in(item.inner, head)

    def scoring(self, scorings: list[Fields], all_of_it: bool = True) -> Section:
        """Points by source; of a module only its rows."""
        whole = self.part("scoring", [])
        rows, ties, lowest, stakes = [], [], False, False
        for f in scorings:
            for entry in f.map("rows") or ():
                title = self.t.lexicon.word(entry.key.value, "value").text
                text = self.t.np(self.t.read(entry.value)).say("nom")
                rows.append(Item(self.say("row", Text(title), Text(text)), at=entry.key.span))
            ties += [self.t.read(node) for node in nodes_of(f.get("ties"))]
            lowest, stakes = lowest or f.truth("lowest"), stakes or f.truth("stakes")
        if rows:
            whole.blocks += [Paragraph(self.say("rows")), Items(rows)]
            told = [Item(self.say("stakes" if stakes else "lowest" if lowest else "highest"))] if all_of_it else []
            if ties:
                told.append(Item(self.say("ties", Text(self.t.ordered(tuple(ties), "most")))))
            ranks = [
                Item(self.say("rank", Text(entry.key.value), Text(text_of(entry.value, self.t.language))))
                for f in scorings
                for entry in f.map("ranks") or ()
            ]
            if ranks:
                told.append(Item(self.say("ranks"), ranks, ordered=False))
            if all_of_it and not stakes:
                told.append(Item(self.say("shared")))
            whole.blocks += [Items(told)] if told else []
        return whole

    def campaign(self, node: Node | None) -> Section:
        whole = self.part("campaign", [])
        from ruledsl.analysis.declarations.campaign import CAMPAIGN

        f = fields(node, CAMPAIGN, Report()) if node is not None else None
        if f is None:
            return whole
        kept = self.t.slot_of("words", f.get("keep"))
        whole.blocks.append(Paragraph(self.say("keep", kept or Text(""))))
        with self.t.scope():
            self.t.bind("winners", SetOf(every(self.world.players)))
            items = self.t.block(f.get("between"))
        if items:
            whole.blocks.append(Items([Item(self.say("between"), items)]))
        return whole


def goes_on(node: Node) -> bool:
    """Whether a statement comes round again and again, and nothing leads behind it but what ends the play."""
    if not isinstance(node, Map) or _left(node):
        return False
    if "turns" in node.entries:
        return not {"until", "skip"} & set(node.entries)
    condition = node.get("while")
    return isinstance(condition, Scalar) and condition.value == "true"


def _left(node: Node) -> bool:
    """Whether turns or repetitions are left anywhere inside."""
    if isinstance(node, Map):
        what = node.get("end")
        ends = isinstance(what, Scalar) and what.value in ("turns", "loop", "rounds")
        return ends or any(_left(entry.value) for entry in node)
    return isinstance(node, Seq) and any(_left(item) for item in node.items)
