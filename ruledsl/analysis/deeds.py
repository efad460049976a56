"""What is to be done, said in words: `increase d.water by 1`, `me draws a card`, `place stone on p`, `eliminate: p`.

Each sort of deed has a pattern around its verb. What stands in it is read with the words of the game (`phrases.py`),
so that the statement which is told has the names that it needs here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ruledsl.types import BagOf, Bool, Elem, Num

from .advice import types_of_attributes
from .phrases import Phrase, tokens
from .vocabulary import alike, as_number

if TYPE_CHECKING:
    from .elaborate import Elaborator

Found = "re.Match[str]"
_ONES = r"(?:each|every|all|the|an?|next|other|current)?\s*(?:players?|[^\W\d]\w*)"
_WHO = rf"(?:(?P<who>{_ONES})\s+)??"
_N = r"(?P<n>\d+|an?|the|one|two|three|four|five|six|seven|eight|nine|ten)"
_GETS = r"(?:gains?|gets?|scores?|receives?|earns?|wins?|collects?|takes?)"
_GIVES = r"(?:loses?|pays?|spends?|gives?\s+up)"
_MOVES = r"(?:moves?|puts?|places?|lays?|plays?|sets?\s+down|slides?|drops?|deploys?|adds?|returns?|sends?|discards?)"
_ONTO = r"(?:on|onto|to|in|into|at|upon|in\s+front\s+of)"
_TAKES = r"(?:takes?|picks?\s+up|grabs?|collects?|draws?)"
_REMOVES = r"(?:removes?|captures?|kills?|destroys?|deletes?|takes?\s+off|trash(?:es)?|discards?|eats?|jumps?)"
_OUT = ("out", "eliminated", "dead", "folded", "passed", "lost", "gone", "dropped", "knocked_out", "is_out")
_PILES = ("discard", "discards", "graveyard", "past", "played", "trash", "thrown", "used", "waste")


class Deeds:
    """Statements that a text in words may mean."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab, self.world = elab, elab.world
        self.phrase = Phrase(elab, {})
        self.words = self.phrase.words

    def meant(self, text: str) -> str:
        """The statement in backquotes, with what is to stand below it; empty if nobody knows."""
        text = " ".join(text.replace(",", " ").split()).rstrip(".!")
        for pattern, written in _DEEDS:
            found = re.fullmatch(pattern, text, re.IGNORECASE)
            if found is not None and (right := next(written(self, found), "")):
                return right
        return ""

    # ----------------------------------------------------------------------------------------- what is named

    def who(self, found: re.Match[str]) -> str:
        """Who does it, as it is written; empty if that cannot be said by one name."""
        said = found.groupdict().get("who") or ""
        if not said or said.casefold() in ("i", "me", "you", "they", "he", "she", "the player", "player", "a player"):
            return "me"
        return next((one for one in self.phrase.things(tokens(said)) if self.is_player(one)), "")

    def is_player(self, text: str) -> bool:
        kind = self.words.type_of(text)
        return isinstance(kind, Elem) and kind.root is self.world.players

    def one(self, said: str, sort: Callable[[str], bool]) -> Iterator[str]:
        """What some words name, if it is of a sort."""
        yield from (text for text in self.phrase.things(tokens(said)) if sort(text))

    def is_pieces(self, text: str) -> bool:
        kind = self.words.type_of(text)
        if isinstance(kind, Elem) and kind.root is self.world.pieces:
            return True
        return kind is not None and isinstance(self.phrase.of_pieces(text), Elem)

    def is_home(self, text: str) -> bool:
        """Whether pieces can be there: a space, a place."""
        kind = self.words.type_of(text)
        return isinstance(kind, Elem) and kind.root.kind in ("space", "place")

    def is_number(self, text: str) -> bool:
        return isinstance(self.words.type_of(text), Num)

    def changed(self, said: str, who: str) -> Iterator[str]:
        """A number that changes, by its words: `me.score`, `d.water`."""
        ws = tuple(word for word in tokens(said) if word not in ("the", "my", "his", "her", "their", "your"))
        found = [*self.words.of(who, ws)] if who and ws else []
        for text in (*found, *self.phrase.things(ws)):
            if self.is_number(text) and re.fullmatch(r"[\w.]+(?:\[[^\]]*\])?", text) and not text.isdecimal():
                if self.is_value(text):
                    yield text

    def is_value(self, text: str) -> bool:
        """Whether this is declared to change: a value, or what stands under `state:`."""
        name = text.rpartition(".")[2].partition("[")[0]
        declared = self.world.names.get(name)
        return declared.sort in ("value",) if declared is not None else "." in text

    def tokens_of(self, said: str) -> Iterator[str]:
        """The name of tokens that are gained and paid."""
        for name in self.words.named(tokens(said)):
            for pool in self.world.pools:
                if name == pool.name or (pool.of is not None and name in pool.of.names):
                    yield name

    def places(self, per_player: bool) -> list[str]:
        return [info.name for info in self.world.place_infos if (info.per is not None) == per_player]

    def pile(self) -> str:
        """Where pieces are drawn from, if that is one."""
        piles = [info.name for info in self.world.place_infos if info.per is None and info.ordered]
        return next((name for name in piles if alike(name, "deck")), piles[0] if piles else "")

    def hand(self, who: str) -> str:
        own = self.places(per_player=True)
        name = next((name for name in own if alike(name, "hand")), own[0] if own else "")
        return f"{who}.{name}" if name and who else ""

    # --------------------------------------------------------------------------------------------- patterns

    def more(self, found: re.Match[str]) -> Iterator[str]:
        """`increase d.water by 1`, `add 2 to my score`."""
        down = re.match(r"decrease|reduce|lower|decrement|subtract|deduct|drop|fall|goes\s+down", found["verb"].lower())
        verb = "subtract" if down else "add"
        number = self.amount(found["n"])
        for path in self.changed(found["x"], "me") if number else ():
            yield f"`{verb}: {{{path}: {number}}}`"

    def gains(self, found: re.Match[str]) -> Iterator[str]:
        """`me gains 2 coins`, `each player scores 3 points`, `pay 2 gold`."""
        who, number = self.who(found), self.amount(found["n"]) or "1"
        taken = re.match(_GIVES, found["verb"], re.IGNORECASE) is not None
        everybody = re.match(r"(?:each|every|all)\b|everyone|everybody|players$", found["who"] or "", re.IGNORECASE)
        begin = "for: {me: players}`, and below it `do:` with `" if everybody else ""
        who = "me" if everybody else who
        for name in self.tokens_of(found["x"]) if who == "me" else ():
            yield f"`{begin}{'pay' if taken else 'gain'}: {{{name}: {number}}}`"
        for path in self.changed(found["x"], who) if who else ():
            yield f"`{begin}{'subtract' if taken else 'add'}: {{{path}: {number}}}`"

    def sets(self, found: re.Match[str]) -> Iterator[str]:
        """`set my score to 0`, `quiet becomes 0`, `mark p as out`."""
        for path in self.phrase.things(tokens(found["x"])):
            kind = self.words.type_of(path)
            if not re.fullmatch(r"[\w.]+(?:\[[^\]]*\])?", path) or not self.is_value(path):
                continue
            value = found["y"].strip()
            if isinstance(kind, Num):
                value = self.amount(value)
            elif isinstance(kind, Elem):
                mine = (v for v in self.phrase.things(tokens(value)) if self.words.is_condition(f"{path} == {v}"))
                value = next(mine, "none" if kind.maybe and value in ("none", "nobody", "nothing") else "")
            elif isinstance(kind, Bool):
                value = value if value in ("true", "false") else ""
            if value:
                yield f"`set: {{{path}: {value}}}`"

    def draws(self, found: re.Match[str]) -> Iterator[str]:
        """`me draws 2 cards from the deck`."""
        who, number = self.who(found), self.amount(found["n"] or "1") or "1"
        said = found["x"] or "piece"
        source = next(self.one(found["y"], self.words.is_set), "") if found["y"] else self.pile()
        hand = self.hand(who)
        kinds = {kind.name for kind in self.world.kinds}
        if source and hand and (any(alike(said, kind) for kind in kinds) or alike(said, "card") or alike(said, "tile")):
            yield f"`draw: {number}`, and below it `from: {source}` and `to: {hand}`"

    def moves(self, found: re.Match[str]) -> Iterator[str]:
        """`place stone on p`, `move k to r`, `discard c to the pile`."""
        for what in self.each(found["x"], self.is_pieces):
            for home in self.one(found["y"], self.is_home):
                yield f"`move: {what}`, and below it `to: {home}`"

    def takes(self, found: re.Match[str]) -> Iterator[str]:
        """`take c`, `pick up all cards from the beach`."""
        hand = self.hand(self.who(found))
        for what in self.one(found["x"], self.is_pieces) if hand else ():
            yield f"`move: {what}`, and below it `to: {hand}`"

    def each(self, said: str, sort: Callable[[str], bool]) -> Iterator[str]:
        """The same of several: `hand and table`."""
        yield from self.one(said, sort)
        parts = re.split(r"\s+and\s+", said)
        named = [next(self.one(part, sort), "") for part in parts]
        if len(parts) > 1 and all(named):
            yield f"[{', '.join(named)}]"

    def stolen(self, found: re.Match[str]) -> Iterator[str]:
        """`steal 2 coins from p`, `take a gem from the opponent`."""
        number = self.amount(found["n"])
        for name in self.tokens_of(found["x"]) if number else ():
            holders = [h for pool in self.world.pools for h, (sort, *_) in pool.holders.items() if sort == "player"]
            for one in self.one(found["y"], self.is_player):
                yield f"`gain: {{{name}: {number}}}`, and below it `from: {one}.{holders[0]}`"

    def removes(self, found: re.Match[str]) -> Iterator[str]:
        """`capture to.pawn`, `discard c`, `remove the piece on s`."""
        thrown = re.match(r"discard", found["verb"], re.IGNORECASE) is not None
        for what in self.each(found["x"], self.is_pieces):
            declared = self.world.names.get(what)
            if declared is not None and declared.sort == "kind" and declared.data.count > 1:
                continue  # which of them is not said
            pile = next((p for p in self.places(False) if any(alike(p, word) for word in _PILES)), "") if thrown else ""
            own = next((p for p in self.places(True) if any(alike(p, word) for word in _PILES)), "") if thrown else ""
            home = pile or (f"me.{own}" if own else "")
            yield f"`move: {what}`, and below it `to: {home}`" if home else f"`remove: {what}`"

    def out(self, found: re.Match[str]) -> Iterator[str]:
        """`eliminate p`, `p is out`, `knock out p`."""
        for one in self.one(found["x"], self.is_player):
            states = [name for name, of in types_of_attributes(_elem(self, one)) if isinstance(of, Bool)]
            state = next((name for name in states if name in _OUT), "")
            if state:
                yield f"`set: {{{one}.{state}: true}}`"

    def empties(self, found: re.Match[str]) -> Iterator[str]:
        """`empty h`, `clear the beach`."""
        for one in self.phrase.things(tokens(found["x"])):
            kind = self.words.type_of(one)
            if isinstance(kind, Num) and self.is_value(one):
                yield f"`set: {{{one}: 0}}`"
            elif isinstance(kind, BagOf) and self.is_value(one):
                yield f"`set: {{{one}: []}}`"
            elif isinstance(kind, Elem):
                numbers = [f"{one}.{name}" for name, of in types_of_attributes(kind) if isinstance(of, Num)]
                yield from (f"`set: {{{text}: 0}}`" for text in numbers if self.is_value(text) and "." in text
                            and self.world.names.get(text.rpartition(".")[2]) is not None)  # fmt: skip
                if kind.root.kind == "place":
                    yield f"`remove: {one}`"

    def swaps(self, found: re.Match[str]) -> Iterator[str]:
        for one in self.phrase.things(tokens(found["x"])):
            for other in self.phrase.things(tokens(found["y"])):
                if (self.is_home(one) and self.is_home(other)) or (self.is_pieces(one) and self.is_pieces(other)):
                    yield f"`swap: {one}`, and below it `with: {other}`"

    def rolls(self, found: re.Match[str]) -> Iterator[str]:
        some = f"1..{found['n'] or 6}"
        many = as_number(found["many"] or "")
        if many and 1 < int(many) < 7:
            each = ", ".join(f"{letter}: {some}" for letter in "abcdef"[: int(many)])
            yield f"`random: {{{each}}}`, and use `a`, `b` after it"
        else:
            yield f"`random: {{die: {some}}}`, and use `die` after it"

    def chooses(self, found: re.Match[str]) -> Iterator[str]:
        """`choose a card from my hand`."""
        for some in self.one(found["x"], self.words.is_set):
            letter = self.words.letter(some)
            if some in self.words.some:
                _, base, condition = self.words.some[some]
                some = f"{base} where {condition.replace('{v}', letter)}"
            yield f"`choose: {{{letter}: {some}}}`"

    def shuffles(self, found: re.Match[str]) -> Iterator[str]:
        for place in self.one(found["x"], lambda text: self.elab.is_place(self.words.type_of(text) or Bool())):
            yield f"`shuffle: {place}`"

    def reveals(self, found: re.Match[str]) -> Iterator[str]:
        for what in self.one(found["x"], self.is_pieces):
            yield f"`reveal: {what}`"

    def ends(self, found: re.Match[str]) -> Iterator[str]:
        """`p wins the game`, `everyone loses`."""
        verb = "win" if re.match("win|won", found["verb"], re.IGNORECASE) else "lose"
        said = found["x"] or "me"
        for who in (*self.phrase.as_one(said), *self.phrase.as_set(said)):
            item = self.words.item_of(who)
            if self.is_player(who) or (isinstance(item, Elem) and item.root is self.world.players):
                yield f"`{verb}: {who}`"

    def marked(self, found: re.Match[str]) -> Iterator[str]:
        """`me folds`, `p is safe`: what becomes so."""
        for state in self.phrase.as_condition(found[0]):
            told = re.fullmatch(r"(not )?(\w+\.\w+)", state)
            if told is not None and isinstance(self.words.type_of(told[2]), Bool) and self.is_value(told[2]):
                yield f"`set: {{{told[2]}: {'false' if told[1] else 'true'}}}`"

    def calls(self, found: re.Match[str]) -> Iterator[str]:
        """An effect of the game by another form of its name, with what is said behind it."""
        ws = tokens(found[0])
        for size in range(min(4, len(ws)), 0, -1):
            for name in self.words.named(ws[:size]):
                declared = self.world.names.get(name)
                if declared is None or declared.sort != "effect":
                    continue
                rest = [
                    w for w in ws[size:] if w not in ("the", "a", "an", "to", "of", "with", "by", "from", "for", "on")
                ]
                given = [next(iter(self.phrase.things((word,))), word) for word in rest]
                needed = len(getattr(self.world, "procedures", {})[name].parameters)
                if len(given) == needed:
                    yield f"`{name}({', '.join(given)})`"

    def amount(self, said: str) -> str:
        if number := as_number(said) or {"a": "1", "an": "1", "the": "1"}.get(said.casefold(), ""):
            return number
        return next((text for text in self.phrase.as_number(said)), "")

    # ---------------------------------------------------------------------------------------------- examples

    def usual(self, value: str) -> list[str]:
        """Statements of this game for something that stands behind a verb which there is not."""
        found: list[str] = []
        kind = self.words.type_of(value) if value else None
        if isinstance(kind, Elem) and kind.root is self.world.players:
            for name, of in types_of_attributes(kind):
                if isinstance(of, Bool) and name in self.world.names:
                    found.append(f"set: {{{value}.{name}: true}}")
                elif isinstance(of, Num) and name in self.world.names and self.is_value(name):
                    found.append(f"add: {{{value}.{name}: 1}}")
            found.append(f"win: {value}")
        elif value and self.is_pieces(value):
            homes = [*(f"me.{name}" for name in self.places(True)), *self.places(False)]
            found += [f"remove: {value}", *(f"move: {value}` with `to: {home}" for home in homes[:1])]
        elif isinstance(kind, Elem):
            for name, of in types_of_attributes(kind):
                if isinstance(of, Num) and name in self.world.names and self.is_value(name):
                    found.append(f"add: {{{value}.{name}: 1}}")
        for name, info in getattr(self.world, "procedures", {}).items():
            if kind is not None and info.sort == "effect" and len(info.parameters) == 1:
                given = info.parameters[0][1]
                if isinstance(given, Elem) and isinstance(kind, Elem) and given.root is kind.root:
                    found.append(f"{name}({value})")
        return list(dict.fromkeys(found))[:3]


def _elem(deeds: Deeds, text: str) -> Elem:
    kind = deeds.words.type_of(text)
    assert isinstance(kind, Elem)
    return kind


_UP = r"(?P<verb>(?:increase|raise|increment|improve|decrease|reduce|lower|decrement|subtract|deduct|add)s?)"
_FALLS = r"(?P<verb>goes\s+up|goes\s+down|rises|falls|increases|decreases|drops)"
_ROLLS = (
    r"(?:rolls?|throws?|casts?|flips?)\s+(?P<many>an?|the|one|two|three|\d+)?\s*(?:die|dice|coin|d(?P<n>\d+))(?:.*)"
)
_IS_OUT = r"(?:is|are|drops|goes|becomes)\s+(?:out|eliminated|dead)(?:\s+of\s+the\s+(?:game|round))?"
_DEEDS: tuple[tuple[str, Callable[[Deeds, re.Match[str]], Iterator[str]]], ...] = (
    (rf"{_UP}\s+(?P<x>\S.*?)\s+by\s+(?P<n>\S.*)", Deeds.more),
    (rf"{_UP}\s+(?P<n>\S+)\s+(?:to|from)\s+(?P<x>\S.*)", Deeds.more),
    (rf"(?P<x>\S.*?)\s+{_FALLS}\s+by\s+(?P<n>\S.*)", Deeds.more),
    (rf"{_WHO}(?P<verb>{_GETS}|{_GIVES})\s+{_N}\s+(?P<x>\S.*)", Deeds.gains),
    (rf"(?:steals?|takes?|robs?|gets?|gains?)\s+{_N}\s+(?P<x>\S.*?)\s+from\s+(?P<y>\S.*)", Deeds.stolen),
    (r"(?:set|reset|change|turn)\s+(?P<x>\S.*?)\s+(?:back\s+)?(?:to|as|into)\s+(?P<y>\S.*)", Deeds.sets),
    (r"(?P<x>\S.*?)\s+(?:becomes?|is\s+now|turns\s+into)\s+(?P<y>\S.*)", Deeds.sets),
    (rf"{_WHO}(?:draws?|takes?|picks?(?:\s+up)?|gets?|receives?)\s+(?:up\s+)?{_N}?\s*(?:new\s+|top\s+|more\s+)?(?P<x>[^\W\d]\w*)"
     r"(?:\s+(?:from|off|of)\s+(?P<y>\S.*))?", Deeds.draws),
    (rf"{_WHO}{_MOVES}\s+(?P<x>\S.*?)\s+{_ONTO}\s+(?P<y>\S.*)", Deeds.moves),
    (rf"{_WHO}{_TAKES}\s+(?P<x>\S.*)", Deeds.takes),
    (rf"{_WHO}(?P<verb>{_REMOVES})\s+(?P<x>\S.*)", Deeds.removes),
    (r"(?:eliminates?|knocks?\s+out|drops?\s+out|kicks?(?:\s+out)?|out)\s+(?P<x>\S.*)", Deeds.out),
    (rf"(?P<x>\S.*?)\s+{_IS_OUT}", Deeds.out),
    (r"(?:empty|clear|zero|wipe)\s+(?P<x>\S.*)", Deeds.empties),
    (r"(?:swaps?|exchanges?|trades?|switch(?:es)?)\s+(?P<x>\S.*?)\s+(?:and|with|for)\s+(?P<y>\S.*)", Deeds.swaps),
    (_ROLLS, Deeds.rolls),
    (rf"{_WHO}(?:chooses?|picks?|selects?)\s+(?P<x>\S.*)", Deeds.chooses),
    (r"shuffles?\s+(?P<x>\S.*)", Deeds.shuffles),
    (r"(?:reveals?|shows?|turns?\s+over|uncovers?)\s+(?P<x>\S.*)", Deeds.reveals),
    (r"(?P<x>\S.*?)\s+(?P<verb>wins?|won|loses?|lost)(?:\s+the\s+(?:game|play))?", Deeds.ends),
    (r"\S.*", Deeds.calls),
    (r"\S.*", Deeds.marked),
    (rf"[^\W\d]\w*\s+(?P<x>\S.*?)\s+{_ONTO}\s+(?P<y>\S.*)", Deeds.moves),
)  # fmt: skip


__all__ = ["Deeds"]
