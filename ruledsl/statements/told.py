"""The words of statements whose sentences depend on more than which keys are there.

Each gets the teller, the fields of the statement, and whether nothing stands behind it in its list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruledsl.source.document import Map, Node, Scalar, Seq, nodes_of
from ruledsl.syntax import expr as E
from ruledsl.syntax.shapes import Fields
from ruledsl.types import BagOf, Bool, ListOf, SetOf
from ruledsl.wording.templates import Words

Told = Callable[[Any, Fields, bool], list[Any]]

# --------------------------------------------------------------------------------------------------- changes

_SET = {
    "mark": Words(
        en="{0:is} marked {1} from now on",
        ru="{0:gets} отметку {1}",
        en_not="{0:is} no longer marked {1}",
        ru_not="{0:loses} отметку {1}",
    ),
    "truth": Words(
        en="from now on {1} holds",
        ru="отныне верно {1}",
        en_not="from now on {1} does not hold",
        ru_not="отныне неверно {1}",
    ),
    "mark if": Words(
        en="{0:is} marked {1} from now on if {2:cond}, and not marked so otherwise",
        ru="{0} отныне имеет отметку {1}, если {2:cond}, а иначе не имеет",
    ),
    "truth if": Words(
        en="from now on {1} holds if {2:cond}, and does not hold otherwise",
        ru="отныне {1} верно, если {2:cond}, а иначе неверно",
    ),
    "none": Words(en="{0} is cleared (none)", ru="{0} теперь: ничего"),
    "set": Words(en="{0:becomes} {1}", ru="{0} теперь: {1}"),
    "set many": Words(en="{0:becomes} this: {1:set}", ru="{0} теперь: {1:set}"),
}
_ADD = {
    "number": Words(en="{0:goes} up by {1}", ru="{0}: больше на {1:acc}"),
    "set": Words(en="added to {0}: {1:set}", ru="добавляется в {0:acc}: {1:set}"),
    "bag": Words(en="{0:gains} {1}", ru="{0}: прибавляется {1}"),
    "list": Words(en="put at the end of {0}: {1}", ru="в конец {0:gen} добавляется: {1}"),
}
_SUBTRACT = {
    "number": Words(en="{0:goes} down by {1}", ru="{0}: меньше на {1:acc}"),
    "set": Words(en="taken out of {0}: {1:set}", ru="убирается из {0:gen}: {1:set}"),
    "bag": Words(en="{0:loses} {1}", ru="{0}: убавляется {1}"),
    "list": Words(en="taken out of {0}: {1}", ru="убирается из {0:gen}: {1}"),
}


def told_set(t: Any, f: Fields, last: bool) -> list[Any]:
    return [t.item(_set(t, entry.key, entry.value), entry.key) for entry in f.map("set") or ()]


def _set(t: Any, key: Scalar, value: Node) -> str:
    path, tree = t.read(key, "path"), t.read(value)
    kind = t.type(path)
    if isinstance(kind, Bool):
        return _set_truth(t, path, tree)
    if isinstance(tree, E.Literal) and tree.value is None:
        return str(t.sentence(_SET["none"], t.tree(path)))
    many = isinstance(kind, SetOf | ListOf | BagOf)
    return str(t.sentence(_SET["set many" if many else "set"], t.tree(path), t.tree(tree, kind)))


def _set_truth(t: Any, path: E.Expr, tree: E.Expr) -> str:
    owner, word = t.mark(path)
    sort = "mark" if owner is not None else "truth"
    owner = owner if owner is not None else path
    if isinstance(tree, E.Literal):
        return str(t.sentence(_SET[sort], t.tree(owner), word, sure=bool(tree.value)))
    return str(t.sentence(_SET[f"{sort} if"], t.tree(owner), word, t.tree(tree)))


def _changed(verb: str, words: dict[str, Words]) -> Told:
    def told(t: Any, f: Fields, last: bool) -> list[Any]:
        found = []
        for entry in f.map(verb) or ():
            path, tree = t.read(entry.key, "path"), t.read(entry.value)
            kind = t.type(path)
            sort = (
                "set"
                if isinstance(kind, SetOf)
                else "bag"
                if isinstance(kind, BagOf)
                else "list"
                if isinstance(kind, ListOf)
                else "number"
            )
            found.append(t.item(t.sentence(words[sort], t.tree(path), t.tree(tree)), entry.key))
        return found

    return told


told_add, told_subtract = _changed("add", _ADD), _changed("subtract", _SUBTRACT)

# --------------------------------------------------------------------------------------------------- choices

_STUCK = {
    "decline": Words(
        en=("you may also decline (“{stop}”)", "you may also decline"),
        ru=("можно и отказаться («{stop}»)", "можно и отказаться"),
    ),
    "else": Words(en="if nothing can be chosen: {else}", ru="если выбрать нечего: {else}"),
    "else optional": Words(
        en="if you decline or nothing can be chosen: {else}", ru="если вы отказались или выбрать нечего: {else}"
    ),
    "rest": Words(
        en="if nothing can be chosen, the rest of this list is left out",
        ru="если выбрать нечего, остаток этого списка пропускается",
    ),
    "rest optional": Words(
        en="if you decline or nothing can be chosen, the rest of this list is left out",
        ru="если вы отказались или выбрать нечего, остаток этого списка пропускается",
    ),
    "never": Words(
        en="there is always something to choose<: {never:bare}>", ru="выбрать всегда есть из чего<: {never:bare}>"
    ),
    "then rest": Words(en="and the rest of this list is left out", ru="и остаток этого списка пропускается"),
    "always": Words(
        en="the question is put even if nothing is possible, so that others learn nothing from it",
        ru="вопрос задаётся, даже если ничего нельзя, чтобы другие ничего не узнали",
    ),
    "label": Words(en="(players read: “{label}”)", ru="(надпись: «{label}»)"),
}


def told_choice(t: Any, f: Fields, last: bool) -> list[Any]:
    by = t.slot_of("scalar", f.get("by")) if f.has("by") else None
    found = t.choice(f, by=by)
    if f.has("label"):
        found[0].text += " " + t.sentence(_STUCK["label"], label=t.slot_of("text", f.get("label")))
    optional = f.truth("optional")
    if optional:
        found.append(t.item(t.sentence(_STUCK["decline"], **t.given(f, "stop"))))
    never = t.never(f.get("else"))
    if never is not None and not optional:
        return [*found, t.item(t.sentence(_STUCK["never"], **never)), *_asked(t, f)]
    kept = t.scopes.pop()  # what is done instead knows nothing of what was not chosen
    t.scopes.append({})
    instead = t.sentences(_STUCK["else optional" if optional else "else"], f) if not t.is_empty(f.get("else")) else []
    t.scopes[-1] = kept
    if not last and not instead:
        instead.append(t.item(t.sentence(_STUCK["rest optional" if optional else "rest"])))
    elif not last and not t.leaves(f.get("else")):
        _leave_out(t, instead[-1])
    return [*found, *instead, *_asked(t, f)]


def _leave_out(t: Any, item: Any) -> None:
    """What is done instead of a choice is done in place of the rest of its list."""
    text = t.sentence(_STUCK["then rest"])
    if item.inner:
        item.inner.append(t.item(text))
    else:
        item.text += f", {text}"


def _asked(t: Any, f: Fields) -> list[Any]:
    return [t.item(t.sentence(_STUCK["always"]))] if f.has("ask") else []


_ONE_OF = Words(
    en=("{by} does one of these{how}: {entries}", "do one of these{how}: {entries}"),
    ru=("одно из этого делает {by}{how}: {entries}", "сделайте одно из этого{how}: {entries}"),
)
_HOW = {
    "optional": Words(en=(", or nothing (“{stop}”)", ", or nothing"), ru=(" или ничего («{stop}»)", " или ничего")),
    "again": Words(
        en=(", again and again until you stop (“{stop}”)", ", again and again until you stop"),
        ru=(", снова и снова, пока не закончите («{stop}»)", ", снова и снова, пока не закончите"),
    ),
    "done": Words(en="; you may stop only if {done:cond}", ru="; закончить можно, только если {done:cond}"),
    "often": Words(en=", again and again", ru=", снова и снова"),
    "at_least": Words(en=", at least this many times: {at_least}", ru=", не меньше стольких раз: {at_least}"),
    "at_most": Words(en=", at most this many times: {at_most}", ru=", не больше стольких раз: {at_most}"),
}
_OFFER = {
    "offer": Words(
        en="ask in this order: {to:set}. {until}. Each may do one of these{how}: {offer}",
        ru="спрашивают по очереди: {to:set}. {until}. Каждый может сделать одно из этого{how}: {offer}",
    ),
    "pass": Words(en=(" or decline (“{stop}”)", " or pass"), ru=(" или отказаться («{stop}»)", " или спасовать")),
    "done": Words(en="; declining is only possible if {done:cond}", ru="; отказаться можно, только если {done:cond}"),
    "all pass": Words(
        en="This goes on until everybody has passed in a row",
        ru="Это продолжается, пока все не спасуют после последнего, кто что-то сделал",
    ),
    "once": Words(en="Each is asked once", ru="Каждого спрашивают один раз"),
    "first": Words(
        en="As soon as one of them does something, nobody else is asked",
        ru="Как только кто-то что-то сделал, остальных не спрашивают",
    ),
}


def told_menu(t: Any, f: Fields, last: bool) -> list[Any]:
    entries = t.slot_of("menu", f.get("choose one"))
    by = t.slot_of("scalar", f.get("by")) if f.has("by") else None
    how = ""
    if f.truth("optional") or f.truth("any_number"):
        how = t.sentence(_HOW["again" if f.truth("any_number") else "optional"], **t.given(f, "stop"))
    elif f.has("at_least") or f.has("at_most"):
        how = t.sentence(_HOW["often"])
    for key in ("at_least", "at_most", "done"):
        if f.has(key):
            how += t.sentence(_HOW[key], **t.given(f, key))
    slots = {"entries": entries, "how": t.ready(how)} | ({"by": by} if by is not None else {})
    found = t.sentences(_first(_ONE_OF, by is not None), f, slots)
    if not t.is_empty(f.get("else")):
        found += t.sentences(_STUCK["else"], f)
    return [*found, *_asked(t, f)]


def _first(words: Words, whole: bool) -> Words:
    """The form with who chooses, or the one without."""
    at = 0 if whole else 1
    return Words(en=words.en[at], ru=words.ru[at])


def told_offer(t: Any, f: Fields, last: bool) -> list[Any]:
    with t.scope():
        t.bind("actor", t.players())
        how = t.sentence(_OFFER["pass"], **t.given(f, "stop"))
        if f.has("done"):
            how += t.sentence(_OFFER["done"], **t.given(f, "done"))
        until = t.sentence(_OFFER[f.word("until") or "all pass"])
        found: list[Any] = t.sentences(_OFFER["offer"], f, {"how": t.ready(how), "until": t.ready(until)})
    return [*found, *_asked(t, f)]


# ---------------------------------------------------------------------------------------------------- control

_LET = Words(en="let {name} be {value}", ru="пусть {name} — это {value}")
_FOR = {
    "each": Words(en="for {things:every}: {do}", ru="для всех {things:gen}, по одному: {do}"),
    "players": Words(
        en="in this order, {things:set} do this (each is “you” here): {do}",
        ru="по очереди это делают {things:set} (здесь «вы» — каждый из них): {do}",
    ),
    "where": Words(en="but only where {where:cond}", ru="но только те, для кого верно: {where:cond}"),
}
_WHILE = {
    "ever": Words(en="again and again: {do}", ru="снова и снова: {do}"),
    "while": Words(
        en="as long as {while:cond}< (at most {most} times)>: {do}",
        ru="пока {while:cond}< (не больше стольких раз: {most})>: {do}",
    ),
}
_ENDS = {
    "turn": Words(en="your turn ends at once", ru="ваш ход сразу заканчивается"),
    "turns": Words(en="the turns end at once: nobody takes another turn", ru="ходы сразу заканчиваются"),
    "round": Words(en="the round ends at once", ru="раунд сразу заканчивается"),
    "rounds": Words(en="all rounds end at once", ru="все раунды сразу заканчиваются"),
    "loop": Words(en="this repetition ends at once", ru="это повторение сразу заканчивается"),
    "effect": Words(en="this effect ends at once", ru="этот эффект сразу заканчивается"),
    "game": Words(en="the game ends at once, and nobody wins", ru="партия сразу заканчивается, никто не победил"),
    "scored": Words(en="the game ends at once, and the points decide", ru="партия сразу заканчивается, решают очки"),
}
_END = Words(en="{name} ends at once", ru="сразу заканчивается: {name}")
_UNUSED = Words(en="this use of {name} does not count", ru="это использование {name} не считается")
_PHASE = Words(en="phase {phase}: {do}", ru="этап {phase}: {do}")
_MODULES = Words(en="a module adds: {do}", ru="модуль добавляет: {do}")


def told_let(t: Any, f: Fields, last: bool) -> list[Any]:
    found = []
    for entry in f.map("let") or ():
        tree = t.read(entry.value)
        shown = t.sentence(Words(en="{0:set}", ru="{0:set}"), t.tree(tree))
        variable = t.bind(entry.key.value, t.type(tree))
        found.append(t.item(t.sentence(_LET, name=t.spoken(variable.np), value=t.ready(shown)), entry.key))
    return found


def told_if(t: Any, f: Fields, last: bool, form: str = "if") -> list[Any]:
    """One thing or another; what comes `otherwise` and is an `if` again is told in the same row."""
    head = t.condition_item(form, t.read(f.get("if")))
    then = t.block(f.get("then"))
    if head.inner:
        found = [head, t.with_below(t.item(t.say("then")), then)]
    else:
        found = [t.with_below(head, then)]
    other = f.get("else")
    inner = other.items[0] if isinstance(other, Seq) and len(other.items) == 1 else other
    if isinstance(inner, Map) and "if" in inner.entries:
        return found + told_if(t, Fields(inner, f.form), last, "otherwise if")
    if other is not None and not t.is_empty(other):
        found.append(t.with_below(t.item(t.say("otherwise")), t.block(other)))
    return found


def told_for(t: Any, f: Fields, last: bool) -> list[Any]:
    entries = list(f.map("for") or ())
    with t.scope():
        return _for(t, f, entries)


def _for(t: Any, f: Fields, entries: list[Any]) -> list[Any]:
    if not entries:
        return list(t.block(f.get("do")))
    entry, rest = entries[0], entries[1:]
    tree = t.read(entry.value, "domain")
    if entry.key.value == "me":
        t.bind("actor", t.players())
        head = t.told_sentence(_text(t, _FOR["players"]), {"things": t.tree(tree.of), "do": t.ready("")})
        if tree.where is not None:
            head.text = head.text.rstrip(" :") + ", " + t.sentence(_FOR["where"], where=t.tree(tree.where))
        return [t.with_below(head, _for(t, f, rest))]
    _, things = t.variable(entry.key.value, entry.value)
    if things is None:
        return _for(t, f, rest)
    head = t.told_sentence(_text(t, _FOR["each"]), {"things": things, "do": t.ready("")})
    return [t.with_below(head, _for(t, f, rest))]


def _text(t: Any, words: Words) -> str:
    return words.of(t.language)[0]


def told_while(t: Any, f: Fields, last: bool) -> list[Any]:
    node = f.get("while")
    ever = isinstance(node, Scalar) and node.value == "true"
    return list(t.sentences(_WHILE["ever" if ever else "while"], f))


_NEVER = Words(en="this never happens<, for: {never:bare}>", ru="этого никогда не бывает<, ведь: {never:bare}>")


def told_never(t: Any, f: Fields | None, last: bool) -> list[Any]:
    return [t.item(t.sentence(_NEVER, **t.reason(f.get("never") if f is not None else None)))]


def told_end(t: Any, f: Fields, last: bool) -> list[Any]:
    what = f.word("end")
    if what == "game" and t.world.data["scoring"]:
        what = "scored"
    if what in _ENDS:
        text = t.sentence(_ENDS[what])
    else:
        text = t.sentence(_END, name=t.ready(t.word_of(what)))
    if f.has("because"):
        text += " " + t.sentence(_STUCK["label"], label=t.slot_of("text", f.get("because")))
    found = [t.item(text)]
    if f.has("unused"):
        found.append(t.item(t.sentence(_UNUSED, name=t.ready(t.word_of(f.word("unused"))))))
    return found


def told_phase(t: Any, f: Fields, last: bool) -> list[Any]:
    below = t.block(f.get("do"))
    for more in t.world.sections.more_play.get(f.word("phase"), ()):
        below += [t.with_below(t.item(_text(t, _MODULES).partition(":")[0]), t.block(more))]
    head = t.item(t.sentence(_PHASE, phase=t.ready(t.word_of(f.word("phase"))), do=t.ready("")))
    return [t.with_below(head, below + t.noted(f.word("phase")))]


__all__ = ["nodes_of"]
