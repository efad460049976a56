"""Which option a person means by a text: at the prompt, in a file of moves, in tests and for programs.

A text means an option if it is its label, its notation (`attack fort=fort_2 team=c51`), or a shortening of one of
them: whole words of the label, or parts of the notation, in their order, that fit no other option. It never means
another one: what a value is called in the rules counts only behind the name it belongs to, or where an option has no
label; and a text that is the whole label of something, which happens not to be offered, shortens nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from ruledsl.engine.options import STRIDE, staged
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.source.letters import in_latin
from ruledsl.types import BagOf, Elem, ListOf, Num, Root, SetOf, bits
from ruledsl.wording.cases import counted as counted_form
from ruledsl.wording.cases import in_case

from .arranged import NO_NUMBER
from .words import FIXED, NOUN_FIRST

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.runtime.play import Play

LANGUAGES = ("en", "ru")
NEAREST = 3
_MOST_COMPARED = 2_000
REMARKS = "+#!?*"  # that people write behind a move
_FILLERS = re.compile(r"a|an|the|to|on|onto|in|into|at|from|with|of|and|в|во|на|к|ко|с|со|из|от|до|у|и")
_LONGEST = 300  # of a text that is compared letter by letter


@dataclass(frozen=True)
class Picked:
    """The options that fit best: one is meant; several are to be told apart; none fits."""

    options: tuple[Any, ...]
    number: bool = False  # a number was typed that no option has
    exact: bool = False  # the whole of what an option says

    @property
    def one(self) -> Any | None:
        return self.options[0] if len(self.options) == 1 else None


def pick(
    play: Play,
    seat: int | None,
    typed: str,
    language: str = "en",
    numbers: bool = False,
    options: Sequence[Any] | None = None,
) -> Picked:
    """What a text means among the options of a seat; with `numbers`, an option may be called by its number."""
    if options is None:
        options = play.options(seat, language)
    wanted, own = plain(typed), words(typed)
    if not wanted:
        return Picked(())
    found = [o for o in options if plain(o.text) == wanted]
    if found:
        return Picked(tuple(found), exact=True)
    elsewhere = "=" not in wanted and any(
        play.configured.phrases.says(wanted, each) or _says_here(play, seat, wanted, each) for each in LANGUAGES
    )
    for each in dict.fromkeys((language, *LANGUAGES)):  # many write `Nf3` whatever language they read
        said = [(o, play.spelt(o, seat, each)) for o in options]
        for way in dict.fromkeys((typed.strip(), typed.strip().rstrip(REMARKS))):  # `Nf3+!` is `Nf3` with remarks
            found = [o for o, spelt in said if plain(way) in map(plain, spelt)]
            as_typed = [o for o, spelt in said if way in spelt] if len(found) > 1 else []  # `Bxc3` is not `bxc3`
            if found:
                return Picked(tuple(as_typed or found), exact=len(as_typed or found) == 1)
    found = _written_otherwise(play, seat, typed, language, options)
    if found:
        return Picked(tuple(found), exact=len(found) == 1)
    found = [o for o in options if plain(o.notation) == wanted]
    if found and (not elsewhere or all(plain(o.text) == wanted.replace("_", " ") for o in found)):
        return Picked(tuple(found), exact=True)
    if numbers and _is_number(wanted) and counts(play, seat, int(wanted[:9]), language):
        number = int(wanted) if len(wanted) < 10 else -1
        called = tuple(o for o in options if o.number == number)
        return Picked(called, not called and all(o.own < 0 for o in options))
    found = [o for o in options if own and words(o.text) == own]
    if found:
        return Picked(tuple(found), exact=True)
    if elsewhere and (found := _in_other_words(play, seat, wanted, language, options)):
        return Picked(tuple(found), exact=True)
    if elsewhere:  # all that something says which is not offered: no shortening of anything
        return Picked(())
    for fits in (_is_called, _in_notation, _shortens):
        found = [o for o in options if own and fits(o, own)]
        if found:
            return Picked(_smallest(found))
    return Picked(())


_TAKES = re.compile(r"(?<=\w)\s*[x×х:]\s*(?=\w)")  # the signs of a capture, `х` of the Russian alphabet among them
_GOES = re.compile(r"(?<=\w)[=(](?=\w)|(?<=\w)\)$|(?<=\w)[-–—‑](?=[^\W\d])|(?<=[^\W\d])[-–—‑](?=\w)")
_TO = re.compile(r"(?<=\d)[-–—‑/](?=\d)")  # between two numbers, which would be another one without it


def one_manner(text: str) -> str:
    """A notation with one sign for a capture and none before a space, whichever of the usual ones is written.

    >>> one_manner("К:h4"), one_manner("e2—e4"), one_manner("e8=Q"), one_manner("9:18"), one_manner("13-8")
    ('Кxh4', 'e2e4', 'e8Q', '9x18', '13/8')
    """
    return _TO.sub("/", _GOES.sub("", _TAKES.sub("x", " ".join(text.split()))))


def _written_otherwise(play: Play, seat: int | None, typed: str, language: str, options: Sequence[Any]) -> list[Any]:
    """The options whose notation differs in its signs alone, as `К:h4` and `Кxh4` do; a capture may have none."""
    if not play.world.data["notations"]:
        return []
    wanted = one_manner(typed.strip().rstrip(REMARKS))
    for each in dict.fromkeys((language, *LANGUAGES)):
        spelt = [(o, [one_manner(way) for way in play.spelt(o, seat, each)]) for o in options]
        bare = [(o, [way.replace("x", "") for way in ways]) for o, ways in spelt] if "x" not in wanted else []
        for said in (spelt, bare):
            found = [o for o, ways in said if wanted.casefold() in map(str.casefold, ways)]
            if found:
                return [o for o, ways in said if wanted in ways] or found  # `B:c3` is not `b:c3`
    return []


def _smallest(found: Sequence[Any]) -> tuple[Any, ...]:
    """Of sets that all have what was typed, the one that has no more than another one: `red` is no red and green."""
    if len(found) > 1 and any(o.then for o in found):
        said = [Counter(words(o.text)) for o in found]
        least = min(range(len(found)), key=lambda at: said[at].total())
        if all(said[least] < other for at, other in enumerate(said) if at != least):
            return (found[least],)
    return tuple(found)


def _in_other_words(play: Play, seat: int | None, wanted: str, language: str, options: Sequence[Any]) -> list[Any]:
    """The options that say this in another language: many type `pass` whatever they read."""
    offered = {o.raw for o in options}
    told = (o for each in LANGUAGES if each != language for o in play.options(seat, each))
    raws = {o.raw for o in told if o.raw in offered and plain(o.text) == wanted}
    return [o for o in options if o.raw in raws]


def counts(play: Play, seat: int | None, number: int, language: str) -> bool:
    """Whether a number stands for the option that has it in the list: not where it may be what an option says."""
    return not _says_here(play, seat, str(number), language)


def typed_number(play: Play, seat: int | None, option: Any, language: str) -> str:
    """The number that is written beside an option, to type it; none where it would be another option's text, or where
    numbers are names and it has none."""
    if option.number >= NO_NUMBER:
        return ""
    return str(option.number) if counts(play, seat, option.number, language) else ""


def _says_here(play: Play, seat: int | None, text: str, language: str) -> bool:
    stop = play.stop_of(seat)
    if stop is None or stop.choice is None:
        return False
    state = play.state_of(stop.seat)
    stage = state[stop.choice.stage] if stop.choice.stage is not None else 0
    return bool(play.configured.phrases.says_here(text, language, stop.choice, stage))


def search(options: Sequence[Any], typed: str) -> list[Any]:
    """The options in which every typed word stands somewhere."""
    own = plain(typed).split()

    def has(option: Any, word: str) -> bool:
        noted = "=" in word or not option.labelled
        often = own.count(word)
        return _stands_in(word, often, plain(option.text)) or (
            noted and _stands_in(word, often, plain(option.notation))
        )

    return [o for o in options if all(has(o, word) for word in own)]


def _stands_in(word: str, often: int, text: str) -> bool:
    """Whether a word is a part of a text; a number only as a whole, as often as typed: 10 is none of 1006."""
    if not word.isdecimal():
        return word in text
    return len(re.findall(rf"(?<!\d){word}(?!\d)", text)) >= often


def without_fillers(typed: str) -> str:
    """A text without the small words that many write between what counts, as in `knight to c3`."""
    own = typed.split()
    return " ".join(word for word in own if not _FILLERS.fullmatch(word.casefold()))


def in_other_letters(typed: str) -> list[str]:
    """A text as meant by who types `е4` and `Кс3` on a Russian keyboard: Latin letters in squares, or everywhere."""
    squares = re.sub(r"[^\W\d_](?=\d)", lambda found: in_latin(found[0]), typed)
    return [other for other in dict.fromkeys((squares, in_latin(typed))) if other != typed]


def nearest(options: Sequence[Any], typed: str, most: int = NEAREST) -> list[Any]:
    """The options whose words are the most like those of a text, best first; none where nothing is alike."""
    wanted, own = plain(typed)[:_LONGEST], set(words(typed))
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    ranked = []
    for o in options[:_MOST_COMPARED]:
        best = (0.0, 0.0)
        for said in {o.text, o.notation} - {""}:
            matcher.set_seq1(plain(said)[:_LONGEST])
            theirs = set(words(said))
            mixed = {"".join(sorted(word)) for word in theirs - own}  # `H8` is like `8H`
            alike = len(own & theirs) + sum(0.5 for word in own - theirs if "".join(sorted(word)) in mixed)
            best = max(best, (alike, matcher.ratio()))
        if best[0] or best[1] >= 0.5:
            ranked.append((best, o))
    ranked.sort(key=lambda row: (-row[0][0], -row[0][1]))
    return [o for _, o in ranked[:most]]


def told(options: Sequence[Any]) -> list[str]:
    """What is written down of each option: its notation, or its label; numbered, where several would read the same."""
    names = [o.notation or o.text for o in options]
    equal, seen = Counter(names), Counter[str]()
    for at, name in enumerate(names):
        seen[name] += 1
        if equal[name] > 1:
            names[at] = f"{name} #{seen[name]}"
    return names


def plain(text: str) -> str:
    """The text as it is compared: without capitals, and with single spaces."""
    return " ".join(text.casefold().split())


# A hyphen parts words (`e2-e4`), a minus does not (`-1,2`); a comma parts them where a space follows.
_BETWEEN = re.compile(r"[\s;:()\[\]]+|,(?=\s|$)|(?<=\w)-")


def words(text: str) -> list[str]:
    """The words of a label, of a notation or of what was typed."""
    if text.isalnum():  # a word alone, as most names are
        return [text.casefold()]
    return [word for word in _BETWEEN.split(plain(text)) if word]


def _is_number(wanted: str) -> bool:
    return wanted.isascii() and wanted.isdigit() and (wanted == "0" or not wanted.startswith("0"))


def _sayings(option: Any) -> Iterator[list[str]]:
    """The words of an option: of its label; where it has none, also its action and values as the rules call them."""
    yield words(option.text)
    if not option.labelled:
        values = words(" ".join(option.words.values()))
        yield [*words(option.action), *values]
        yield values


def _is_called(option: Any, own: Sequence[str]) -> bool:
    return any(said == own for said in _sayings(option))


def _shortens(option: Any, own: Sequence[str]) -> bool:
    """Whether all words stand in what an option says, whole and in their order."""
    return any(contained(own, said) for said in _sayings(option))


def contained(own: Sequence[str], said: Sequence[str]) -> bool:
    """Whether there are words, and all of them stand in others, whole and in their order."""
    rest = iter(said)
    return bool(own) and all(word in rest for word in own)


def _in_notation(option: Any, own: Sequence[str]) -> bool:
    """`attack fort=fort_2`: the action, and values behind their names."""
    parts = words(option.notation)
    return bool(parts) and all(part in parts for part in own)


# ------------------------------------------------------------------------------------- all that can be said


_Part = str | Callable[[str, int], Iterator[int]]  # fixed text, or what finds where a value that stands here may end


class Phrases:
    """What the options of a game may say, whether they are offered or not: their labels, with any values in them."""

    def __init__(self, world: GameWorld, program: C.Program) -> None:
        self.world, self.program = world, program
        self._forms: dict[str, list[list[_Part]]] = {}
        self._here: dict[tuple[C.Choice, int, str], list[list[_Part]]] = {}
        self._names: dict[Any, tuple[frozenset[str], tuple[int, ...]]] = {}

    def says(self, text: str, language: str) -> bool:
        """Whether a text is all that some option of the game says."""
        if language not in self._forms:
            ends = [block.end for block in self.program.blocks if isinstance(block.end, C.Choice)]
            fixed: list[list[_Part]] = [[_spaced(FIXED[word].get(language, word))] for word in ("done", "nothing")]
            self._forms[language] = [*fixed, *(form for end in ends for form in self._of_choice(end, language))]
        return _any_matches(self._forms[language], text)

    def says_here(self, text: str, language: str, choice: C.Choice, stage: int) -> bool:
        """Whether a text is all that an option of this choice says, or of the step that it has come to."""
        key = (choice, stage, language)
        if key not in self._here:
            self._here[key] = list(self._of_step(choice, stage, language))
            if not stage:
                self._here[key] += self._of_choice(choice, language)
        return _any_matches(self._here[key], text)

    def taken_apart(self, text: str, label: C.Words, language: str) -> Iterator[list[tuple[C.Hole, str]]]:
        """What would stand in the holes of a label that says the text, with any values in them."""
        holes = [part for part in label.parts(language) if isinstance(part, C.Hole)]
        for found in _taken_apart(self._labelled(label, language), _spaced(text).strip()):
            yield list(zip(holes, found, strict=True))

    def _of_step(self, choice: C.Choice, stage: int, language: str) -> Iterator[list[_Part]]:
        position = (stage - 1) % STRIDE if stage else 0
        for entry in [choice.entries[(stage - 1) // STRIDE]] if stage else choice.entries:
            if entry.label is not None and position == len(entry.variables) - 1:  # the last step tells all
                yield self._labelled(entry.label, language)
                yield from self._notations(entry, language)
            elif entry.variables and (stage or staged(entry)):
                yield [self._value(entry.variables[position].type, language)]

    def _of_choice(self, choice: C.Choice, language: str) -> Iterator[list[_Part]]:
        if choice.stop is not None and choice.stop.label is None:
            yield [_spaced(FIXED.get(choice.stop.name or "stop", {}).get(language, choice.stop.name))]
        for entry in (*choice.entries, *([choice.stop] if choice.stop is not None else [])):
            if entry.label is not None:
                yield self._labelled(entry.label, language)
                yield from self._notations(entry, language)
                continue
            title = self.world.title_of_action(entry.name).get(language, "") if entry.name else ""
            fixed = FIXED.get(entry.name, {}).get(language, "")
            values = [part for v in entry.variables for part in (" ", self._value(v.type, language))]
            for name in dict.fromkeys((entry.name, entry.name.replace("_", " "), title, fixed)):
                if name or values:
                    yield _trimmed([name, *values])

    def _notations(self, entry: C.Entry, language: str) -> Iterator[list[_Part]]:
        """Other ways to type it: a number that is one of them is no number of an option."""
        _, notations = self.world.data["notations"].get(id(entry.label), (None, ()))
        yield from (self._labelled(notation.words, language) for notation in notations)

    def _labelled(self, label: C.Words, language: str) -> list[_Part]:
        return _trimmed(
            [part if isinstance(part, str) else self._said(part, language) for part in label.parts(language)]
        )

    def _said(self, hole: C.Hole, language: str) -> Callable[[str, int], Iterator[int]]:
        if hole.forms:
            return _one_of(hole.forms)
        if hole.half and isinstance(hole.type, Elem):
            board = next(board.board for board in self.world.boards if board.root is hole.type.root)
            return _one_of({column if hole.half == "column" else row for column, row in board.halves})
        return _or_unknown(self._value(hole.type, language, hole.about, hole.case), language, hole.case)

    def _value(
        self, kind: Any, language: str, about: bool = False, case: str = ""
    ) -> Callable[[str, int], Iterator[int]]:
        """Where a value of a type may end that begins at a place in a text."""
        match kind:
            case Elem(root=root, mask=mask) if about:
                texts = [self.world.data["about"][value] for value in bits(mask)]
                return _one_of({str(each.get(language) or each.get("en") or "") for each in texts})
            case SetOf(of=inner) | ListOf(of=inner):
                none = "nobody" if isinstance(inner, Elem) and inner.root.kind == "player" else "none"
                return _several(self._value(inner, language, case=case), FIXED[none].get(language, ""))
            case BagOf(root=root, mask=mask):
                return _several(self._elements(root, mask, language, case, True), FIXED["none"].get(language, ""), True)
            case Elem(root=root) if root.kind == "part":  # `1,-2 plain`, `равнина 1,-2`
                part = next(part for part in self.world.parts if part.root is root)
                board = next(board for board in self.world.boards if board.name == part.kind.tile)
                if language in NOUN_FIRST:
                    return _anything_before(board.root.names)
                return _then_anything(_one_of(board.root.names))
            case Elem(root=root, mask=mask):
                return self._elements(root, mask, language, case)
            case Num():
                return _number
        return _one_of(("true", "false"))

    def _elements(
        self, root: Root, mask: int, language: str, case: str = "", counted: bool = False
    ) -> Callable[[str, int], Iterator[int]]:
        key = (root.name, root.kind, mask, language, case, counted)
        if key not in self._names:
            names = {FIXED["none"].get(language, "")}
            forms = self.world.cases.get(language, {})
            for value in bits(mask):
                titles = (root.titles[value] if value < len(root.titles) else None) or {}
                title = str(titles.get(language) or titles.get("en") or root.names[value])
                names.add(title)  # as it is: it may be typed so whatever its case is
                if counted and language == "en":
                    names |= {forms[title]["many"]} if "many" in forms.get(title, {}) else set()
                elif case and counted:
                    said = (counted_form(n, title, case, language, forms.get(title)) for n in (1, 2, 5))
                    names |= {text.lstrip("0123456789 ") for text in said}
                elif case:
                    names.add(in_case(title, case, language, forms.get(title), root.kind == "player"))
            self._names[key] = _ready(names)
        hidden = FIXED["hidden"].get(language, "") if root.kind == "piece" else ""
        return _one_of(self._names[key], in_case(hidden, case, language) if hidden else "")


@lru_cache(maxsize=1 << 14)
def _spaced(text: str) -> str:
    """The text with one space for whatever parts words: more texts are alike than `words` would say."""
    return re.sub(r"[\s,;:()\[\]-]+", " ", text.casefold())


def _any_matches(forms: Sequence[Sequence[_Part]], text: str) -> bool:
    wanted = _spaced(text).strip()
    return bool(wanted) and any(_matches(form, wanted) for form in forms)


def _trimmed(parts: Sequence[_Part]) -> list[_Part]:
    found: list[_Part] = [_spaced(part) if isinstance(part, str) else part for part in parts]
    if found and isinstance(found[0], str):
        found[0] = found[0].lstrip()
    if found and isinstance(found[-1], str):
        found[-1] = found[-1].rstrip()
    return [part for part in found if part != ""]


def _matches(parts: Sequence[_Part], text: str, at: int = 0, first: int = 0) -> bool:
    """Whether a text is made of these parts, from a place on."""
    for number in range(first, len(parts)):
        part = parts[number]
        if not isinstance(part, str):
            return any(_matches(parts, text, end, number + 1) for end in part(text, at))
        if not text.startswith(part, at):
            return False
        at += len(part)
    return at == len(text) and bool(parts)


def _taken_apart(parts: Sequence[_Part], text: str, at: int = 0, first: int = 0) -> Iterator[list[str]]:
    """The pieces of a text that stand at the places of values, in every way in which it is made of these parts."""
    for number in range(first, len(parts)):
        part = parts[number]
        if not isinstance(part, str):
            for end in part(text, at):
                for rest in _taken_apart(parts, text, end, number + 1):
                    yield [text[at:end], *rest]
            return
        if not text.startswith(part, at):
            return
        at += len(part)
    if at == len(text):
        yield []


def _ready(names: Any) -> tuple[frozenset[str], tuple[int, ...]]:
    spaced = frozenset(_spaced(name).strip() for name in names) - {""}
    return spaced, tuple(sorted({len(name) for name in spaced}, reverse=True))


def _one_of(names: Any, numbered: str = "") -> Callable[[str, int], Iterator[int]]:
    known, lengths = names if isinstance(names, tuple) and isinstance(names[0], frozenset) else _ready(names)
    hidden = re.compile(re.escape(_spaced(numbered)) + r"(?: \d+)?") if numbered else None

    def ends(text: str, at: int) -> Iterator[int]:
        yield from (at + n for n in lengths if text[at : at + n] in known)
        found = hidden.match(text, at) if hidden is not None else None
        if found:
            yield found.end()

    return ends


def _several(one: Callable[[str, int], Iterator[int]], none: str, counted: bool = False) -> Any:
    empty = _one_of((none,))

    def ends(text: str, at: int) -> Iterator[int]:
        yield at  # nothing, which is written as brackets
        yield from empty(text, at)
        reached, new = {at}, [at]
        while new:  # where another one may begin
            begin = new.pop()
            start = begin + 1 if begin > at and text.startswith(" ", begin) else begin
            if begin > at and start == begin:
                continue
            for first in _after_number(text, start) if counted else (start,):
                for end in _before_number(text, one(text, first)) if counted else one(text, first):
                    if end not in reached:
                        reached.add(end)
                        new.append(end)
                        yield end

    return ends


def _before_number(text: str, ends: Iterator[int]) -> Iterator[int]:
    """How far a name goes, and a number behind it: `алмаз 2`."""
    for end in ends:
        yield end
        found = re.compile(r" \d+").match(text, end)
        if found:
            yield found.end()


def _after_number(text: str, at: int) -> Iterator[int]:
    found = re.compile(r"\d+ ").match(text, at)
    if found:
        yield found.end()


def _number(text: str, at: int) -> Iterator[int]:
    end = at
    while end < len(text) and text[end] in "0123456789":
        end += 1
        yield end


def _or_unknown(
    one: Callable[[str, int], Iterator[int]], language: str, case: str = ""
) -> Callable[[str, int], Iterator[int]]:
    """A value, or the word for what a seat may not know."""
    words = {FIXED[word].get(language, "") for word in ("unknown", "hidden")}
    unknown = _one_of(words | {in_case(word, case, language) for word in words})
    return lambda text, at: chain(one(text, at), unknown(text, at))


def _anything_before(names: Any) -> Any:
    """A name behind other words, and what may stand behind it."""
    spaced = [name for name in (_spaced(str(name)).strip() for name in names) if name]

    def ends(text: str, at: int) -> Iterator[int]:
        for name in spaced:
            found = text.find(f" {name}", at + 1)
            if found >= 0:
                yield from range(found + 1 + len(name), len(text) + 1)

    return ends


def _then_anything(one: Callable[[str, int], Iterator[int]]) -> Any:
    return lambda text, at: (end for first in one(text, at) for end in range(first + 2, len(text) + 1))
