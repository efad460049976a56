"""Sentences that several statements share, and those around actions and their costs."""

from __future__ import annotations

from ruledsl.wording.templates import Words

SENTENCES = {
    "nothing": Words(en="nothing happens", ru="ничего не происходит"),
    "call": Words(en=("do {name} for {args}", "do {name}"), ru=("выполните {name} для {args:gen}", "выполните {name}")),
    "row effect": Words(
        en=("do what {of} says under “{word}”, for {args}", "do what {of} says under “{word}”"),
        ru=(
            "выполните то, что написано на {of:pre} под словом «{word}», для: {args}",
            "выполните то, что написано на {of:pre} под словом «{word}»",
        ),
    ),
    "proceed": Words(en="what this replaces happens", ru="происходит то, вместо чего это делается"),
    "this": Words(en="this", ru="это"),
    "menu": Words(en="one of {name}", ru="что-то одно из {name}"),
    # ------------------------------------------------------------------------------------------- choosing
    "some": Words(en="one or more", ru="1 или больше"),
    "any": Words(en="any number (or none) of the", ru="сколько угодно, можно и 0"),
    "so many": Words(en="{0} to {1}", ru="от {0} до {1}"),
    "several": Words(en="{0} {1}", ru="{1} (сколько: {0})"),
    "several of": Words(en="{1}, this many: {0}", ru="{1} (сколько: {0})"),
    "choose": Words(en=("{by:does_choose} {what}", "choose {what}"), ru=("выбирает {by}: {what}", "выберите: {what}")),
    "choose several": Words(en=("{by:does_choose}", "choose"), ru=("выбирает {by}", "выберите")),
    "ordered": Words(en="the order of choosing matters", ru="порядок выбора важен"),
    "only if": Words(en="only if {what}", ru="только если {what}"),
    "only if all": Words(en="only if all of these are true", ru="только если верно всё это"),
    "such that": Words(en="such that {what}", ru="при условии: {what}"),
    "such that all": Words(en="such that all of these are true", ru="при условии, что верно всё это"),
    "so far": Words(en="at every step this must be true: {what}", ru="условие на каждом шаге: {what}"),
    "so far all": Words(en="at every step all of these must be true", ru="на каждом шаге должно быть верно всё это"),
    "if": Words(en="if {what}", ru="если {what}"),
    "if all": Words(en="if all of these are true", ru="если верно всё это"),
    "otherwise if": Words(en="otherwise, if {what}", ru="иначе, если {what}"),
    "otherwise if all": Words(en="otherwise, if all of these are true", ru="иначе, если верно всё это"),
    "then": Words(en="then", ru="тогда"),
    "otherwise": Words(en="otherwise", ru="иначе"),
    # -------------------------------------------------------------------------------------------- actions
    "cost": Words(en="it costs {what}", ru="это стоит: {what}"),
    "cost to": Words(en="{what} (to {to})", ru="{what} (куда: {to})"),
    "less": Words(en=", less {what}", ru=", меньше на {what}"),
    "least": Words(en=", but at least {what}", ru=", но не меньше {what:gen}"),
    "after": Words(en=", after exchanges if necessary", ru=", если надо — после обмена"),
    "exchange": Words(
        en="an exchange: give {give} to the supply and take {get} for it",
        ru="обмен: отдайте в общий запас {give} и возьмите за это {get}",
    ),
    "limit": Words(en="at most {times} times {per}", ru="не больше стольких раз {per}: {times}"),
    "per turn": Words(en="per turn", ru="за ход"),
    "per round": Words(en="per round", ru="за раунд"),
    "per game": Words(en="per game", ru="за партию"),
    "per phase": Words(en="in phase {0}", ru="за этап {0}"),
    "anytime turn": Words(
        en="at any choice in your own turn, but not in the middle of an action",
        ru="при любом выборе в свой ход, но не посреди того, что уже выбрано",
    ),
    "anytime always": Words(
        en="at any choice in your own turn, even in the middle of an action",
        ru="при любом выборе в свой ход, даже посреди того, что уже выбрано",
    ),
    "before it": Words(en="before this: {what}", ru="перед этим: {what}"),
    "after it": Words(en="after this: {what}", ru="после этого: {what}"),
    "instead it": Words(en="in place of this, perhaps: {what}", ru="вместо этого может быть: {what}"),
    # --------------------------------------------------------------------------------------------- things
    "from reserve": Words(en="{0:a} from {1}", ru="{0:noun *} из {1:gen}"),
    "amount": Words(en="as many {0} as {1}", ru="{0} в количестве: {1}"),
    "sort": Words(en="{1} {0}", ru="{1} × {0}"),
    "so many of": Words(en="{1} × {0}", ru="{1} × {0}"),
}
