"""The answer to a text: what was meant by it, and the sentence that says what keeps it from being chosen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ruledsl.engine.machine import Stop
from ruledsl.engine.options import STRIDE
from ruledsl.engine.options import is_piece as is_of_pieces
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.records import dataclass
from ruledsl.types import Elem, Num, bits

from ..picture import artist_of
from ..typed import LANGUAGES, nearest, pick, plain, words
from ..words import FIXED
from .asking import Tried, Trying, slots_in
from .deciding import Deciding
from .failing import SCRATCH, Failure, Finder
from .meaning import LIKE, WHOLE, Meaning, Meant, inner_type
from .sentences import say
from .wording import Wording

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

_FEW_MEANT = 3
_IS_SPACE = re.compile(r"[a-z]\d{1,2}")
_MOST_TRIED = 300  # meanings that are tried
_MOST_NAMED = 4  # options that are named where something else is asked


@dataclass(frozen=True)
class Answer:
    """What `why` says: what was meant, and the reasons; where it is offered after all, the options that it may be."""

    text: str
    label: str = ""
    reasons: tuple[str, ...] = ()
    offered: tuple[Any, ...] = ()
    failure: Failure | None = None
    steps: int = 0  # how much was worked out
    never: bool = False  # whether it names something that cannot be chosen there whatever the conditions say

    def lines(self, language: str = "en") -> list[str]:
        """The answer as it is read."""
        if self.offered:
            named = [say("offered", language, text=o.text or o.notation) for o in self.offered[:_MOST_NAMED]]
            more = len(self.offered) - len(named)
            return [*named, say("more offered", language, n=more)] if more else named
        return [say("refused", language, label=self.label), *(f"  {reason}" for reason in self.reasons)]

    @property
    def by_default(self) -> bool:
        """Whether the rules say nothing about it, so that its words come from names and values."""
        return self.failure is not None and self.failure.words is None

    @property
    def place(self) -> str:
        """Where in the rules that stands which refuses it, as `file:line`."""
        span = self.failure.span if self.failure is not None else None
        return f"{span.file.path}:{span.line}" if span is not None else ""


class Answering:
    """Answers for a seat that is asked, in a language."""

    def __init__(self, play: Play, stop: Stop, choice: C.Choice, language: str) -> None:
        self.play, self.seat, self.choice, self.language = play, stop.seat, choice, language
        state = play.state_of(stop.seat)
        # Parts of conditions are worked out anew, which takes slots of their own behind the state.
        size = play.machine.program.layout.size
        self.base = [*state[:size], *[0] * (play.world.next_scratch + SCRATCH)]
        self.stage = state[choice.stage] if choice.stage is not None else 0
        self.deciding = Deciding(play, self.seat, language)
        self.finder = Finder(play.world, play.words.knowing, self.seat)
        self.wording = Wording(self.finder, play.words, language, artist_of(play, language).called)

    def answer(self, text: str) -> Answer:
        """Why a text is refused that no option is meant by."""
        found = self._stopping(text)
        if found is not None:
            return found
        meant: list[Meant] = []
        for language in dict.fromkeys((self.language, *LANGUAGES)):
            meaning = Meaning(self.play, self.base, self.seat, self.choice, language)
            better = meaning.of(text)
            if better and (not meant or better[0].fits > meant[0].fits):
                meant = better
        if meant and (meant[0].fits == WHOLE or not self._is_said_elsewhere(text)):
            strange = self._no_such(text, meant)
            sure = [one for one in meant if meaning.is_meant(one, text)]
            if strange is not None or sure:
                return strange or self._refused(text, sure)
        return self._by_form(text) or self._elsewhere(text, meant)

    def _is_said_elsewhere(self, text: str) -> bool:
        phrases = self.play.configured.phrases
        return any(
            phrases.says(text, language) and not phrases.says_here(text, language, self.choice, self.stage)
            for language in LANGUAGES
        )

    # --------------------------------------------------------------------------------- what the rules refuse

    def _refused(self, text: str, meant: list[Meant]) -> Answer:
        """The reason for that which comes farthest."""
        trying = Trying(self.finder, self.base, self.stage)
        best: tuple[Tried, Meant] | None = None
        for one in meant[:_MOST_TRIED]:
            try:
                tried = trying.try_(one)
            except RulesFault as fault:
                tried = Tried(-1, Failure("fault", self.base, C.Const(0, fault.span)))
            if best is None or tried.is_farther(best[0]):
                best = tried, one
        assert best is not None
        tried, one = best
        labels = {other.label for other in meant}
        label = self._label(one) if len(labels) == 1 else text
        if tried.failure is None and one.fits == LIKE and one.common < len(words(one.label)):
            return self._elsewhere(text)  # it can be chosen, and the text speaks of something that is not there
        if tried.failure is None:
            return Answer(text, label, (self._not_offered(one),), steps=self.finder.steps)
        said = self._said(tried.failure, one)
        never = trying.names_another(one)
        return Answer(text, label, (said,), failure=tried.failure, steps=self.finder.steps, never=never)

    def _label(self, one: Meant) -> str:
        """What was meant, in the language of the answer."""
        if None in one.values:
            return one.label
        meaning = Meaning(self.play, self.base, self.seat, self.choice, self.language)
        return meaning.label(one.entry, one.variables, one.values) or one.label

    def _said(self, failure: Failure, one: Meant) -> str:
        if failure.sort == "range" and failure.words is None:
            low, high = failure.holes["low"], failure.holes["high"]
            return self.wording.range(*(self._as_labelled(one, failure, x) for x in (failure.value, low, high)))
        return self.wording.of(failure)

    def _as_labelled(self, one: Meant, failure: Failure, number: int) -> Any:
        """A number as the label shows it: of `{to - before}`, how much is bet."""
        variable = next((v for v in one.variables if v.each.domain[0] is failure.node), None)
        if one.entry.label is None or variable is None:
            return number
        v = failure.v[:]
        for hole in one.entry.label.parts(self.language):
            if isinstance(hole, C.Hole) and isinstance(hole.type, Num):
                shown = []
                for x in (number, number + 1):
                    v[variable.slot] = x
                    shown.append(self.finder.evaluator.of(hole.node)(v))
                if shown[0] != shown[1]:
                    return shown[0]
        return number

    def _not_offered(self, one: Meant) -> str:
        """Where nothing refuses it: it takes a step before, is like another option, or leads nowhere."""
        options = self.play.options(self.seat, self.language)
        for option in options:
            number, *taken = option.raw
            if number == one.number and taken and _begins(taken, one):
                if one.first not in one.named and one.fits != WHOLE:
                    return self._now(options, one.label)
                rest = self._rest(one, taken)
                key = "then" if rest else "first"
                return say(key, self.language, options=f"`{option.text}`", rest=rest)
        alike = next((o for o in options if plain(o.text) == plain(one.label)), None)
        if alike is not None:
            return say("one of alike", self.language, text=alike.text)
        return say("not completed", self.language)

    def _rest(self, one: Meant, taken: list[Any]) -> str:
        left = []
        for at, (variable, values) in enumerate(zip(one.variables, one.values, strict=True)):
            several = values if isinstance(values, tuple) else (values,)
            left += [
                self.wording.shown(x, inner_type(variable.type), self.base)
                for x in several
                if x is not None and not (at < len(taken) and taken[at] == x)
            ]
        return ", ".join(left)

    # ------------------------------------------------------------------------------------- what there is not

    def _no_such(self, text: str, meant: list[Meant]) -> Answer | None:
        """Where the text has words that are no names of what stands at their place."""
        known = {word for other in meant for word in words(other.label)}
        strange = [word for word in words(text) if word not in known]
        if not strange or meant[0].fits != LIKE or meant[0].common + 1 < len(words(text)):
            return None
        alike = [one for one in meant if one.number == meant[0].number and one.first == meant[0].first]
        order = list(enumerate(alike[0].variables))
        if _IS_SPACE.fullmatch(strange[0]):  # `c4`, which is no square here, rather than a piece that stands on one
            order.sort(key=lambda pair: not _is_space(pair[1]))
            if any(map(_is_space, alike[0].entry.variables)) and not _is_space(order[0][1]):
                return None
        for at, variable in order:
            of_a_space = _is_space(variable) and _IS_SPACE.fullmatch(strange[0])
            if of_a_space or len({one.values[at] for one in alike if len(one.values) > at}) > 1:
                reason = self.deciding.no_such(strange[0], variable, inner_type(variable.type))
                return Answer(text, text, (reason,), steps=self.finder.steps) if reason else None
        return None

    def _by_form(self, text: str) -> Answer | None:
        """Where the text says what an entry would say of other things: which of these are not there."""
        position = (self.stage - 1) % STRIDE if self.stage else 0
        for language in dict.fromkeys((self.language, *LANGUAGES)):
            for entry in [self.choice.entries[(self.stage - 1) // STRIDE]] if self.stage else self.choice.entries:
                if entry.label is None:
                    continue
                for found in self.play.configured.phrases.taken_apart(text, entry.label, language):
                    for hole, said in found:
                        reason = self._absent(entry.variables[position:], hole, said, language)
                        if reason:
                            return Answer(text, text, (reason,), steps=self.finder.steps)
        return None

    def _absent(self, variables: tuple[C.Variable, ...], hole: C.Hole, said: str, language: str) -> str:
        """What a hole of a label shows is not there: no piece stands where one is to stand, or it cannot be chosen."""
        variable = next((v for v in variables if v.slot in slots_in(hole.node)), None)
        if variable is None or not isinstance(hole.type, Elem) or variable.fewest is not None:
            return ""
        domain = variable.each.domain[0]
        if self.finder.reads_hidden(domain, self.base) or not is_of_pieces(variable):
            return ""
        try:
            members = list(self.finder.evaluator.values(variable.each)(self.base))
        except RulesFault:
            return ""
        if hole.type.root.kind == "space" and self.finder.is_where(hole.node, variable.slot):
            return self.wording.nobody_there(hole.type.root, said, language, members, self.base)
        if not isinstance(hole.node, C.Get) or not members or not all(map(self._is_known, members)):
            return ""
        titles = {plain(title): title for title in self._titles(variable, language)}
        if plain(said) not in titles or any(plain(self._title(piece, language)) == plain(said) for piece in members):
            return ""
        return self.wording.none_of(titles[plain(said)], members, inner_type(variable.type), self.base)

    def _is_known(self, piece: int) -> bool:
        return self.finder.knowing.known(self.base, piece, self.seat)

    def _title(self, piece: int, language: str) -> str:
        return str(self.play.words.title(self.play.world.pieces, piece, language))

    def _titles(self, variable: C.Variable, language: str) -> list[str]:
        return [self._title(piece, language) for piece in bits(inner_type(variable.type).mask)]

    def _stopping(self, text: str) -> Answer | None:
        """Where the text says to stop, and that is not possible yet."""
        stop = self.choice.stop
        if self.stage:
            return self._not_done(text)
        if stop is None:
            return None
        names = {plain(self.play.words.stop(self.base, stop, language)) for language in LANGUAGES}
        if plain(text) not in {*names, plain(stop.name or "stop")}:
            return None
        trying = Trying(self.finder, self.base, self.stage)
        tried = trying.try_(Meant(-1, stop, 0, (), text, WHOLE, 1))
        reason = self.wording.of(tried.failure) if tried.failure is not None else say("rule", self.language)
        label = self.play.words.stop(self.base, stop, self.language)
        return Answer(text, label, (reason,), failure=tried.failure, steps=self.finder.steps)

    def _not_done(self, text: str) -> Answer | None:
        """Where the text says that it is enough, and it is not."""
        if plain(text) not in FIXED["done"].values():
            return None
        number, position = divmod(self.stage - 1, STRIDE)
        failure = Trying(self.finder, self.base, self.stage).finish(self.choice.entries[number], position)
        if failure is None:
            return None
        label = FIXED["done"].get(self.language, text)
        return Answer(text, label, (self.wording.of(failure),), failure=failure, steps=self.finder.steps)

    # --------------------------------------------------------------------------------- what is asked elsewhere

    def _elsewhere(self, text: str, like: list[Meant] | None = None) -> Answer:
        """The text means nothing of what is asked now; perhaps it is like something that can be."""
        options = self.play.options(self.seat, self.language)
        near = self._without_strange(text) or self._begun(text, like or [])
        if near:
            reason = say("meant", self.language, options=", ".join(f"`{one}`" for one in near))
            return Answer(text, text, (reason,), steps=self.finder.steps)
        reason = self.deciding.strange(text) or self.deciding.other_phase(text, self.choice)
        if not reason and (found := self.deciding.dividing(text, self.choice)) is not None:
            reason = self._taken_way(*found)
        reasons = (reason, self._now(options, text))
        return Answer(text, text, tuple(filter(None, reasons)), steps=self.finder.steps)

    def _without_strange(self, text: str) -> list[str]:
        """`put a1` for `place at a1`: the options that are meant without the words that mean nothing in this game."""
        strange = self.play.configured.vocabulary.strange
        own = words(text)
        if not any(map(strange, own)):
            return []
        offered = {word for option in self.play.options(self.seat, self.language) for word in words(option.text)}
        known = [word for word in own if word in offered]
        if not known:
            return []
        found = pick(self.play, self.seat, " ".join(known), self.language).options
        return [one.text for one in found] if len(found) <= _FEW_MEANT else []

    def _begun(self, text: str, like: list[Meant]) -> list[str]:
        """`castle on the king's side` for `castle e`: the few things that begin with the same word."""
        first = words(text)[:1]
        labels = list(dict.fromkeys(self._label(one) for one in like if words(one.label)[:1] == first))
        return labels if 0 < len(labels) <= _FEW_MEANT else []

    def _taken_way(self, condition: C.Node, must: bool) -> str:
        """Why the play came here and not to where the text could be chosen: a condition that is not as it must be."""
        if self.finder.holds(condition, self.base) == must:
            return ""
        scope = Trying(self.finder, self.base, 0).scope((), (condition,))
        look = self.finder.false if must else self.finder.true
        failure = look(condition, self.base[:], scope)
        return self.wording.of(failure) if self.wording.is_plain(failure) else ""

    def _now(self, options: list[Any], text: str) -> str:
        """What can be chosen instead."""
        named = options
        if len(options) > _MOST_NAMED:
            near = nearest(options, text)
            named = [*near, *(o for o in options if o not in near)][: _MOST_NAMED - 1]
        shown = ", ".join(f"`{o.text or o.notation}`" for o in named)
        if len(options) > len(named):
            shown = say("more", self.language, names=shown, n=len(options))
        return say("first" if len(options) == 1 else "now", self.language, options=shown)


def _begins(taken: list[Any], one: Meant) -> bool:
    """Whether an option is the first step of what was meant."""
    for value, wanted, variable in zip(taken, one.values, one.variables, strict=False):
        if not (value in wanted if variable.fewest is not None and wanted is not None else value == wanted):
            return False
    return len(taken) < len(one.values) or (
        len(taken) == len(one.values) and isinstance(one.values[-1], tuple) and len(one.values[-1]) > 1
    )


def _is_space(variable: C.Variable) -> bool:
    kind = inner_type(variable.type)
    return isinstance(kind, Elem) and kind.root.kind == "space"
