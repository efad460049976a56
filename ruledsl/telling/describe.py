"""A game told from beginning to end: the chapters in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ruledsl.analysis.needs import ADVICE
from ruledsl.analysis.notes import Notes
from ruledsl.analysis.sections import FORBIDDEN, NAMED, modules_of
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError, Report
from ruledsl.runtime.game import Game
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax.shapes import Fields, fields
from ruledsl.types import BOOL, Elem, SetOf
from ruledsl.wording.templates import Words

from .blocks import Teller
from .components import Components
from .document import Item, Items, Paragraph, Section, texts
from .english import English
from .lexicon import text_of
from .phrases import TERM, TERM_NAME
from .rules import Rules
from .russian import Russian
from .slots import Slot, Text, Tree

TONGUES: dict[str, type[English] | type[Russian]] = {"en": English, "ru": Russian}
_LINK = re.compile(f"{TERM}([^{TERM_NAME}]*){TERM_NAME}")
W = {
    "players": Words(en="Players and options", ru="Игроки и настройки"),
    "so many": Words(en="for {0} players", ru="игроков: {0}"),
    "one": Words(en="for one player", ru="для одного игрока"),
    "range": Words(en="for {0} to {1} players", ru="игроков: от {0} до {1}"),
    "seats": Words(en="the players are {0}", ru="игроки: {0}"),
    "option": Words(
        en="option “{0}”: {1}; default: {2}",
        ru="настройка «{0}»: {1}; по умолчанию: {2}",
    ),
    "preset": Words(en="preset “{0}”: {1}", ru="готовый набор настроек «{0}»: {1}"),
    "forbidden": Words(en="not possible: {0} ({1:cond})", ru="так играть нельзя: {0} ({1:cond})"),
    "told for": Words(en="this text is for {0}", ru="дальше описана партия, в которой {0}"),
    "players are": Words(en="{0} players", ru="игроков: {0}"),
    "module": Words(en="Module “{0}”", ru="Модуль «{0}»"),
    "when": Words(en="it is part of the game if {0:cond}", ru="входит в игру, если {0:cond}"),
    "modules": Words(en="Modules", ru="Модули"),
    "in force": Words(en="these modules are included above: {0}", ru="эти модули уже учтены выше: {0}"),
    "removes": Words(en="then these do not exist: {0}", ru="тогда этого нет: {0}"),
    "replaces": Words(en="this replaces what is described above: {0}", ru="это заменяет рассказанное выше: {0}"),
    "adds to phase": Words(en="phase {0} continues with this", ru="этап {0} продолжается так"),
    "setup too": Words(en="the set-up also includes this", ru="к подготовке добавляется"),
    "setup instead": Words(en="then the set-up is this", ru="подготовка тогда такая"),
    "scoring instead": Words(en="then the points are counted differently", ru="очки тогда считаются иначе"),
    "impossible": Words(en="it is never part of the game", ru="никогда не входит в игру"),
}


def describe(game: Game, language: str, players: int | None = None, options: dict[str, Any] | None = None) -> Section:
    """The whole game in the words of a language."""
    return opened(game, language, players, options).whole()


def opened(game: Game, language: str, players: int | None, options: dict[str, Any] | None) -> Book:
    """Whoever tells a game for so many players and with these options, if that can be played."""
    count = players if players is not None else usual_players(game.blueprint)
    return Book(game.blueprint, *game.chosen(count, options), language)


def usual_players(blueprint: pipeline.Blueprint) -> int:
    """As many as tell most of a game: two where two can play, for alone much goes without saying."""
    return max(blueprint.fewest, min(2, blueprint.most))


def worked_out(blueprint: pipeline.Blueprint, players: int, options: dict[str, Any], language: str) -> Teller:
    """Who tells one configuration of a game; `GameError` if it has mistakes."""
    report, notes = Report(), Notes()
    world, _ = pipeline.work_out(blueprint, players, options, report, notes=notes)
    if report.errors:
        raise GameError(report)
    return Teller(world, notes, TONGUES[language]())


class Book:
    """The chapters of a game."""

    def __init__(self, blueprint: pipeline.Blueprint, players: int, options: dict[str, Any], language: str) -> None:
        self.blueprint, self.count, self.options, self.language = blueprint, players, options, language
        self.t = worked_out(blueprint, players, options, language)
        self.world, self.sections = self.t.world, self.t.world.sections

    def say(self, key: str, *args: Slot, **named: Any) -> str:
        return self.t.sentence(W[key], *args, **named)

    def whole(self) -> Section:
        book = Section(self.title())
        about = text_of(self.sections.single.get("about"), self.language)
        if about:
            book.blocks.append(Paragraph(about))
        chapters = [self.players(), *self.told(self.t, self.sections.setup, self.sections.play), self.modules()]
        book.parts = [chapter for chapter in chapters if not chapter.is_empty]
        return book

    def title(self) -> str:
        return text_of(self.sections.single.get("title"), self.language) or self.blueprint.name

    @cached_property
    def for_bots(self) -> set[str]:
        """The formulas that only `heuristic:` needs, whichever modules are on: they advise bots, and are no rules."""
        found = self.world.needs.only_for(ADVICE, self.world.formulas)
        for _, module in modules_of(self.blueprint.source, Report()) if found else ():
            if (node := module.get("when")) is None:
                continue
            on = pipeline.where_on(self.blueprint, node, self.count)
            if on is not None:
                world = worked_out(self.blueprint, *on, self.language).world
                found &= world.needs.only_for(ADVICE, world.formulas)
        return found

    def told(self, teller: Teller, setup: list[Node], play: list[Node]) -> list[Section]:
        """Everything but players and modules, of the whole game."""
        rules = Rules(teller, for_bots=self.for_bots)
        sections = teller.world.sections
        components = Components(teller, others=self.other_counts)
        first = [components.section(), rules.setup(setup), rules.play(play), rules.actions()]
        last = [rules.scoring(sections.scoring), rules.campaign(sections.single.get("campaign"))]
        steps, special, terms = rules.effects(), rules.triggers(), rules.formulas()
        in_order([*first, *last, special], steps, terms)
        return [*first, steps, special, rules.ending(), *last, components.hidden(), terms]

    def other_counts(self) -> Iterator[tuple[Teller, str]]:
        """The same game with other players or another option, for what there is more or less of then."""
        for count in range(self.blueprint.fewest, self.blueprint.most + 1):
            if count != self.count and pipeline.forbidden(self.blueprint, count, self.options, Report()) is None:
                yield worked_out(self.blueprint, count, self.options, self.language), ""
        declared = " ".join(node.span.text for _, node in self.sections.named["pieces"].values())
        for one in pipeline.configurations(self.blueprint):
            set_ = dict(one.options)
            if len(set_) != 1 or not any(re.search(rf"\b{re.escape(name)}\b", declared) for name in set_):
                continue
            options = self.options | set_
            if pipeline.forbidden(self.blueprint, self.count, options, Report()) is None:
                yield worked_out(self.blueprint, self.count, options, self.language), self.settings(set_)

    # ---------------------------------------------------------------------------------- players, options

    def players(self) -> Section:
        whole = Section(self.say("players"))
        items = [Item(self.seats())]
        components = Components(self.t)
        for name, (kind, value) in self.world.options.items():
            label = self.t.option(name).say("nom")[1:-1]
            start = self.blueprint.starts.get(name) if name in self.options else value
            own = isinstance(kind, Elem) and kind.root.name == name  # words that are listed at the option itself
            words = components.value_text(kind.mask, SetOf(kind)) if own else components.type_text(kind)
            told = words, components.value_text(start, kind)
            at = self.sections.named["options"][name][0].span
            items.append(Item(self.say("option", Text(label), *map(Text, told)), at=at))
        for name, values in self.blueprint.presets.items():
            title = self.t.lexicon.word(name, "value").text
            items.append(Item(self.say("preset", Text(title), Text(self.settings(values)))))
        items += self.forbidden()
        if self.blueprint.fewest != self.blueprint.most or self.options:
            parts = [
                self.say("players are", Text(str(self.count))),
                *([self.settings(self.options)] if self.options else []),
            ]
            items.append(Item(self.say("told for", Text("; ".join(parts)))))
        whole.blocks.append(Items(items))
        return whole

    def seats(self) -> str:
        fewest, most = self.blueprint.fewest, self.blueprint.most
        if self.blueprint.seats:
            names = [self.t.lexicon.member(self.world.players, i).text for i in range(self.world.players.size)]
            return self.say("seats", Text(self.t.tongue.both(names)))
        if fewest == most:
            return self.say("one") if fewest == 1 else self.say("so many", Text(str(fewest)))
        return self.say("range", Text(str(fewest)), Text(str(most)))

    def settings(self, values: dict[str, Any]) -> str:
        """Options and what they are set to."""
        told = []
        for name, value in values.items():
            label = self.t.option(name).say("nom")
            words = value if isinstance(value, list | tuple) else [value]
            if self.world.options[name][0] == BOOL:
                shown = [Components(self.t).value_text(int(str(value).lower() == "true"), BOOL)]
            else:
                shown = [self.t.lexicon.word(str(word), "value").text for word in words]
            told.append(f"{label}: {', '.join(shown) or self.t.sentence_of('nothing')}")
        return "; ".join(told)

    def forbidden(self) -> Iterator[Item]:
        for part in self.blueprint.source.parts:
            listed = part.get("forbidden")
            for node in listed.items if isinstance(listed, Seq) else ():
                f = fields(node, FORBIDDEN, Report())
                if f is not None:
                    because = Text(text_of(f.get("because"), self.language).rstrip("."))
                    yield Item(self.say("forbidden", because, Tree(self.known(self.t, f.get("when")))), at=node.span)

    # ------------------------------------------------------------------------------------------- modules

    def modules(self) -> Section:
        whole = Section(self.say("modules"))
        on = []
        for key, module in modules_of(self.blueprint.source, Report()):
            node = module.get("when")
            if node is None:
                continue
            if pipeline.is_on(self.blueprint, node, self.count, self.options):
                condition = self.t.clause(self.known(self.t, node))
                on.append(f"{self.t.tongue.quoted(self.module_title(key, module))} ({condition})")
            else:
                whole.parts.append(self.module(key, module, node))
        if on:
            whole.blocks.append(Paragraph(self.say("in force", Text("; ".join(on)))))
        return whole

    def known(self, teller: Teller, node: Node | None) -> Any:
        """The tree of a condition on players and options, which is asked before the rules are worked out."""
        tree = teller.read(node)
        teller.learn(tree)
        return tree

    def module_title(self, key: Scalar, module: Fields) -> str:
        """Its title, perhaps by the name of a text, or its name in words."""
        title = text_of(module.get("title"), self.language)
        return title if title and not title.isidentifier() else self.t.lexicon.word(title or key.value, "value").text

    def module(self, key: Scalar, module: Fields, node: Node) -> Section:
        """What a module brings, told for players and options with which it is on."""
        whole = Section(self.say("module", Text(self.module_title(key, module))), key=f"module {key.value}")
        found = pipeline.where_on(self.blueprint, node, self.count)
        if found is None:
            whole.blocks.append(Paragraph(self.say("impossible")))
            return whole
        teller = worked_out(self.blueprint, *found, self.language)
        told = [Item(teller.sentence(W["when"], Tree(self.known(teller, node))), at=key.span)]
        names = declared_by(module.node)
        replace = module.get("replace")
        if isinstance(replace, Map):
            new = declared_by(replace)
            names |= new
            if new:
                told.append(Item(self.say("replaces", Text(self.named(sorted(new))))))
        if module.has("remove"):
            told.append(Item(self.say("removes", Text(self.named([word.value for word in module.words("remove")])))))
        if (setup := module.get("setup")) is not None:
            told.append(teller.with_below(Item(self.say("setup too")), teller.block(setup)))
        for setup in self.replaced(module, "setup"):
            told.append(teller.with_below(Item(self.say("setup instead")), teller.block(setup)))
        if self.replaced(module, "scoring"):
            told.append(Item(self.say("scoring instead")))
        more = module.get("play")
        for entry in more if isinstance(more, Map) else ():
            phase = Text(teller.word_of(entry.key.value))
            told.append(teller.with_below(Item(self.say("adds to phase", phase)), teller.block(entry.value)))
        whole.blocks.append(Items(told))
        whole.parts = self.module_parts(teller, module, names)
        return whole

    def module_parts(self, teller: Teller, module: Fields, names: set[str]) -> list[Section]:
        rules = Rules(teller, names, self.for_bots)
        scorings = [
            f
            for node in (module.get("scoring"), *self.replaced(module, "scoring"))
            if (f := self.scoring_fields(node)) is not None
        ]
        parts = [
            Components(teller, names).section(),
            rules.actions(),
            rules.effects(),
            rules.triggers(),
            rules.scoring(scorings, all_of_it=False),
            rules.formulas(),
        ]
        return [part for part in parts if not part.is_empty]

    def replaced(self, module: Fields, key: str) -> list[Node]:
        replace = module.get("replace")
        node = replace.get(key) if isinstance(replace, Map) else None
        return [node] if node is not None else []

    def scoring_fields(self, node: Node | None) -> Fields | None:
        from ruledsl.analysis.declarations.scoring import SCORING

        return fields(node, SCORING, Report()) if node is not None else None

    def named(self, names: list[str]) -> str:
        return self.t.tongue.both([self.t.tongue.quoted(self.t.lexicon.word(name, "value").text) for name in names])


def declared_by(node: Map) -> set[str]:
    """The names that a module declares."""
    found: set[str] = set()
    for section in (*NAMED, "board"):
        inner = node.get(section)
        if isinstance(inner, Map):
            found |= {entry.key.value.split("(")[0].strip() for entry in inner} if section != "board" else {"board"}
    return found


def in_order(before: list[Section], *chapters: Section) -> None:
    """Puts what is told under a name into the order in which it is first spoken of."""
    told = [part for chapter in chapters for part in chapter.parts]
    by_key = {part.key: part for part in told}
    order: list[str] = []
    waiting = list(before)
    while waiting:
        section = waiting.pop(0)
        for text in texts(section):
            for key in _LINK.findall(text):
                if key in by_key and key not in order:
                    order.append(key)
                    waiting.append(by_key[key])
    for chapter in chapters:
        chapter.parts.sort(key=lambda part: order.index(part.key) if part.key in order else len(order))


__all__ = ["describe"]
