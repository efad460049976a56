"""What `why` says, in each language: sentences with holes."""

from __future__ import annotations

from typing import Any

from ruledsl.wording.holes import filled

SENTENCES: dict[str, dict[str, str]] = {
    "refused": {"en": "Not allowed: {label}", "ru": "Нельзя: {label}"},
    "offered": {"en": "`{text}` is offered.", "ru": "`{text}` можно выбрать."},
    "more offered": {"en": "And {n} more like these.", "ru": "И ещё таких: {n}."},
    # who is asked, and what
    "over": {"en": "the game is over", "ru": "игра окончена"},
    "turn": {"en": "it is the turn of {player}", "ru": "сейчас ход: {player}"},
    "decided": {
        "en": "you have decided already; {players} not yet",
        "ru": "вы уже сделали выбор; ещё не сделали: {players}",
    },
    "not asked": {"en": "you have nothing to choose now", "ru": "сейчас вам нечего выбирать"},
    "first": {"en": "first choose: {options}", "ru": "сначала выберите: {options}"},
    "then": {"en": "first choose: {options}; then {rest}", "ru": "сначала выберите: {options}; потом {rest}"},
    "now": {"en": "now you choose: {options}", "ru": "сейчас вы выбираете: {options}"},
    "phase": {
        "en": "that belongs to the phase {phases}; this is {now}",
        "ru": "это для фазы: {phases}; сейчас фаза: {now}",
    },
    "unknown": {"en": "nothing here is called `{text}`", "ru": "здесь ничто не называется `{text}`"},
    "no such": {"en": "there is no {type} `{word}`", "ru": "такого нет: `{word}` ({type})"},
    "perhaps": {"en": "{said}; did you mean `{near}`?", "ru": "{said}; может быть, `{near}`?"},
    "meant": {"en": "did you mean {options}?", "ru": "может быть, {options}?"},
    # what is chosen
    "empty choice": {"en": "there is nothing to choose from", "ru": "выбирать не из чего"},
    "none of": {"en": "{value} is not possible, only {members}", "ru": "{value} нельзя, можно только {members}"},
    "none of many": {
        "en": "{value} is not one of the {n} that can be chosen here: {members}, …",
        "ru": "{value}: этого здесь нет среди того, что можно выбрать (всего {n}): {members}, …",
    },
    "not of": {"en": "{value} is not one of {set}", "ru": "{value}: не годится ({set})"},
    "not yours": {"en": "{value} belongs to {owner}", "ru": "{value} — не ваше ({owner})"},
    "not oneself": {"en": "you cannot choose yourself", "ru": "себя выбрать нельзя"},
    "excepted": {"en": "{value} is not allowed here", "ru": "{value}: исключено"},
    "range": {
        "en": "it must be from {low} to {high}, not {value}",
        "ru": "нужно от {low} до {high}, а не {value}",
    },
    "only value": {"en": "it must be {low}, not {value}", "ru": "нужно {low}, а не {value}"},
    "nothing goes": {"en": "after that there is nothing left to choose", "ru": "после этого выбирать будет нечего"},
    "nothing there": {
        "en": "there is nothing to do it with now",
        "ru": "сейчас нет ничего, с чем это можно сделать",
    },
    "few": {"en": "choose at least {n}; you have chosen {have}", "ru": "нужно выбрать не меньше {n}, выбрано {have}"},
    "many": {"en": "choose at most {n}", "ru": "можно выбрать не больше {n}"},
    "exactly": {"en": "choose exactly {n}", "ru": "нужно выбрать ровно {n}"},
    "none left": {"en": "there is no {value}", "ru": "нет: {value}"},
    "taken": {"en": "{value} is chosen already", "ru": "{value}: уже выбрано"},
    "order": {
        "en": "they are chosen in order, and {value} comes before {last}",
        "ru": "выбор идёт по порядку, а {value} стоит раньше, чем {last}",
    },
    "one of alike": {"en": "it is offered as `{text}`", "ru": "это есть среди вариантов: `{text}`"},
    "not completed": {"en": "then the choice could not be completed", "ru": "тогда выбор нельзя будет завершить"},
    # limits and costs
    "limit": {"en": "only {most} times {per}", "ru": "не больше {most} раз {per}"},
    "limit once": {"en": "only once {per}", "ru": "только один раз {per}"},
    "no limit left": {"en": "not at all {per} now", "ru": "сейчас ни разу {per}"},
    "cost": {"en": "{word}: {needed} needed, you have {held}", "ru": "{word}: нужно {needed}, у вас {held}"},
    "others": {"en": " (others have: {others})", "ru": " (есть у других: {others})"},
    "exchanges": {"en": "no exchanges lead there", "ru": "никакой обмен к этому не ведёт"},
    "price": {
        "en": "{needed:token|tokens} must be paid, but only {held} of yours fit the price",
        "ru": "нужно заплатить жетонов: {needed}, а из ваших подходят: {held}",
    },
    "payment": {"en": "you cannot pay the cost", "ru": "этого нельзя оплатить"},
    # actions at any time
    "own turn": {"en": "you can do this only in your own turn", "ru": "это делают в свой ход"},
    "wait": {"en": "first finish what you are doing", "ru": "сначала закончите то, что начали"},
    # conditions
    "hidden": {"en": "this depends on something hidden from you", "ru": "это зависит от скрытого от вас"},
    "fault": {"en": "there is a mistake in the rules here", "ru": "здесь ошибка в правилах"},
    "rule": {"en": "the rules do not allow it now", "ru": "сейчас правила этого не разрешают"},
    "either": {"en": "it is one of these reasons: {parts}", "ru": "причина — одно из этого: {parts}"},
    "must": {"en": "{what} must be {wanted}, and is {found}", "ru": "{what}: сейчас {found}, а должно быть: {wanted}"},
    "must alone": {"en": "{what} must be {wanted}", "ru": "{what}: должно быть так: {wanted}"},
    "must not": {"en": "{what} must not be {wanted}", "ru": "{what}: не должно быть {wanted}"},
    "yes": {"en": "{what}: yes, and it must be no", "ru": "{what}: да, а нужно нет"},
    "no": {"en": "{what}: no, and it must be yes", "ru": "{what}: нет, а нужно да"},
    "occupied": {"en": "{what} is not empty: {there}", "ru": "{what}: занято, там {there}"},
    "occupied alone": {"en": "{what} is not empty", "ru": "{what}: занято"},
    "blocked": {"en": "{there} on {what} is in the way", "ru": "путь закрывает {there} на {what}"},
    "empty": {"en": "{what} is empty", "ru": "{what}: пусто"},
    "no space": {"en": "there is no such space", "ru": "такого поля нет"},
    "nothing": {"en": "{what}: there is nothing", "ru": "{what}: ничего нет"},
    "something": {"en": "{what}: there is {there}", "ru": "{what}: есть {there}"},
    "in reserve": {"en": "not while there is any {what} in reserve", "ru": "нельзя, пока есть в запасе: {what}"},
    "used up": {"en": "no {what} is left", "ru": "{what}: больше нет"},
    "but": {"en": "not while there is {what}", "ru": "нельзя, пока есть {what}"},
    "but as": {"en": "not while there is {what} ({clause})", "ru": "нельзя, пока есть {what} ({clause})"},
    "condition": {"en": "this must hold: {clause}", "ru": "должно быть так: {clause}"},
    "no condition": {"en": "this must not hold: {clause}", "ru": "не должно быть так: {clause}"},
    "given": {"en": "{said} ({values})", "ru": "{said} ({values})"},
    # parts of sentences
    "own": {"en": "your {what}", "ru": "{what} (у вас)"},
    "of": {"en": "{what} of {whose}", "ru": "{what} ({whose})"},
    "count": {"en": "the number of {what}", "ru": "число: {what}"},
    "you": {"en": "you", "ru": "вы"},
    "with value": {"en": "{value} ({what})", "ru": "{value} ({what})"},
    "<": {"en": "less than {x}", "ru": "меньше {x}"},
    "<=": {"en": "at most {x}", "ru": "не больше {x}"},
    ">": {"en": "more than {x}", "ru": "больше {x}"},
    ">=": {"en": "at least {x}", "ru": "не меньше {x}"},
    "==": {"en": "{x}", "ru": "{x}"},
    "from to": {"en": "from {low} to {high}", "ru": "от {low} до {high}"},
    "and": {"en": " and ", "ru": " и "},
    "or": {"en": " or ", "ru": " или "},
    "or else": {"en": "; or ", "ru": "; или "},
    "not": {"en": "not {x}", "ru": "не {x}"},
    "is": {"en": "{what} is {x}", "ru": "{what}: {x}"},
    "is in": {"en": "{what} is in {x}", "ru": "{what} из {x}"},
    "is there": {"en": "there is {what}", "ru": "есть {what}"},
    "per turn": {"en": "per turn", "ru": "за ход"},
    "per round": {"en": "per round", "ru": "за раунд"},
    "per game": {"en": "per game", "ru": "за игру"},
    "per phase": {"en": "in the phase {name}", "ru": "за фазу {name}"},
    "more": {"en": "{names} … ({n})", "ru": "{names} … (всего {n})"},
}


def say(key: str, language: str, **holes: Any) -> str:
    """A sentence in a language; in English, if it does not exist there."""
    by_language = SENTENCES[key]
    return filled(by_language.get(language) or by_language["en"], **holes)
