"""All fixed words of summaries and reports, in every language, and how numbers are written in it."""

from __future__ import annotations

from .statistics import Share

TEXTS: dict[str, dict[str, str]] = {
    "from": {"en": "{plays} from number {first} on", "ru": "{plays}, начиная с номера {first}"},
    "head": {"en": "{game}: {plays}, {bots}, seed {seed}", "ru": "{game}: {plays}, {bots}, зерно {seed}"},
    "at_random": {"en": "all at random", "ru": "все ходы наугад"},
    "all_by": {"en": "all by {bot}", "ru": "играет {bot}"},
    "stopped": {
        "en": "Stopped after {done} of {wanted}.",
        "ru": "Остановлено: сыграно {done} из {wanted}.",
    },
    "nothing": {"en": "No play has ended.", "ru": "Ни одна партия не закончилась."},
    "no_end": {"en": "No play has ended; see --limit.", "ru": "Ни одна партия не закончилась; см. --limit."},
    "never_ends": {
        "en": "With these rules no play ever ends: see `check` (L511).",
        "ru": "По этим правилам партия не кончается никогда: подробности у `check` (L511).",
    },
    "confidence": {
        "en": "In brackets and after ±: 95 % confidence intervals.",
        "ru": "В скобках и после ±: 95-процентные доверительные интервалы.",
    },
    "results": {"en": "Results", "ru": "Итоги"},
    "wins": {"en": "{player} wins", "ru": "победа: {player}"},
    "won": {"en": "won", "ru": "победа"},
    "lost": {"en": "lost", "ru": "поражение"},
    "lost_by_all": {"en": "lost by all", "ru": "проиграли все"},
    "draw": {"en": "draw", "ru": "ничья"},
    "nobody": {"en": "nobody wins", "ru": "без победителя"},
    "scored": {"en": "ended with points", "ru": "окончено с очками"},
    "shared": {"en": "Several players shared the win in {n}.", "ru": "Победу разделили несколько игроков: {n}."},
    "void": {"en": "void", "ru": "недействительно"},
    "broken_off": {
        "en": "cut off after {n} decisions",
        "ru": "прервано после {n} решений",
    },
    "not_counted": {
        "en": "Not in results, length and points; everything else is for all plays:",
        "ru": "Не вошли в итоги, длину и очки; всё остальное — по всем партиям:",
    },
    "length": {"en": "Length", "ru": "Длина"},
    "turns": {"en": "turns begun", "ru": "начато ходов"},
    "rounds": {"en": "rounds", "ru": "раунды"},
    "decisions": {"en": "decisions", "ru": "решения"},
    "mean": {"en": "mean", "ru": "среднее"},
    "half": {"en": "median", "ru": "медиана"},
    "least": {"en": "least", "ru": "меньше всего"},
    "most": {"en": "most", "ru": "больше всего"},
    "choice": {"en": "Options", "ru": "Варианты"},
    "options": {
        "en": "{mean} per decision on average, {most} at most; only one at {forced} of the decisions",
        "ru": "в среднем {mean} на решение, самое большее {most}; единственный вариант: {forced} решений",
    },
    "points": {"en": "Points", "ru": "Очки"},
    "sources": {"en": "Points by source, on average", "ru": "Очки по источникам, в среднем"},
    "total": {"en": "total", "ru": "всего"},
    "ended": {"en": "How plays ended", "ru": "Чем кончались партии"},
    "end_of_play": {"en": "the end of `play:`", "ru": "конец `play:`"},
    "taken": {"en": "What was done", "ru": "Что делали"},
    "times": {"en": "times", "ru": "раз"},
    "a_play": {"en": "a play", "ru": "за партию"},
    "share": {"en": "share", "ru": "доля"},
    "chosen": {"en": "What was chosen: {what}", "ru": "Что выбирали: {what}"},
    "more": {"en": "… and {n} more", "ru": "… и ещё {n}"},
    "never": {"en": "never", "ru": "ни разу"},
    "never_chosen": {"en": "never chosen: {names}", "ru": "ни разу не выбраны: {names}"},
    "lying": {"en": "Where they were at the end: {what}", "ru": "Где были в конце: {what}"},
    "all_of_them": {"en": "all {n}", "ru": "все {n}"},
    "in_reserve": {"en": "reserve", "ru": "резерв"},
    "in_box": {"en": "removed", "ru": "убраны"},
    "always_in": {"en": "always in “{place}”: {names}", "ru": "всегда в «{place}»: {names}"},
    "rules": {"en": "Rules", "ru": "Правила"},
    "rules_done": {
        "en": "{done} of {all} statements ran.",
        "ru": "Выполнено инструкций: {done} из {all}.",
    },
    "never_done": {"en": "never ran: {text}", "ru": "ни разу не выполнено: {text}"},
    "never_done_with": {
        "en": "never ran, with {statements} in it: {text}",
        "ru": "ни разу не выполнено (внутри {statements}): {text}",
    },
    "never_effect": {"en": "`{name}` was never called", "ru": "`{name}` ни разу не вызвано"},
    "never_action": {"en": "`{name}` was never taken", "ru": "`{name}` ни разу не выбрано"},
    "never_between": {"en": "only with --campaign", "ru": "только с --campaign"},
    "line": {"en": "line", "ru": "строка"},
    "statement": {"en": "statement", "ru": "инструкция"},
    "faults": {"en": "Void plays", "ru": "Недействительные партии"},
    "rules_of": {"en": "rules {rules}", "ru": "правила {rules}"},
    "again": {"en": "to see it: {command}", "ru": "повторить: {command}"},
    "again_until": {"en": "then, up to play {n}: {command}", "ru": "затем, пока не дойдёт до партии {n}: {command}"},
    "nth": {"en": "Play {n} of the campaign", "ru": "Партия {n} кампании"},
    "all_plays": {"en": "All plays of the campaigns", "ru": "Все партии кампаний"},
    "report": {"en": "Simulation: {game}", "ru": "Симуляция: {game}"},
    "spread": {"en": "How often each number", "ru": "Как часто встречалось каждое число"},
    "seats": {"en": "Players", "ru": "Игроки"},
    "word_piece": {"en": "pieces", "ru": "фигуры"},
    "word_player": {"en": "players", "ru": "игроки"},
    "word_space": {"en": "spaces", "ru": "поля"},
    "word_place": {"en": "places", "ru": "места"},
    "word_direction": {"en": "directions", "ru": "направления"},
    "rate": {"en": "{plays} in {seconds} s, {rate} a second", "ru": "{plays} за {seconds} с, {rate} в секунду"},
    "campaigns_rate": {
        "en": "{plays} in {seconds} s, {rate} a second",
        "ru": "{plays} за {seconds} с, {rate} в секунду",
    },
    "left": {"en": "{time} left", "ru": "осталось {time}"},
    "written": {"en": "The report is in {file}.", "ru": "Отчёт: {file}."},
    "slower": {
        "en": "running on the `{backend}` backend: {why}",
        "ru": "партии считает `{backend}`: {why}",
    },
}
PLURALS: dict[str, dict[str, tuple[str, ...]]] = {
    "play": {"en": ("play", "plays"), "ru": ("партия", "партии", "партий")},
    "statement": {"en": ("statement", "statements"), "ru": ("инструкция", "инструкции", "инструкций")},
    "campaign": {"en": ("campaign", "campaigns"), "ru": ("кампания", "кампании", "кампаний")},
}
_SPACE = "\N{NO-BREAK SPACE}"


class Speech:
    """One language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str, **holes: object) -> str:
        table = TEXTS[key]
        return table.get(self.language, table["en"]).format(**holes)

    def number(self, value: float, digits: int | None = None) -> str:
        """Whole numbers as they are; others with about three figures that count."""
        if digits is None:
            digits = 0 if isinstance(value, int) or value == int(value) or abs(value) >= 1000 else _digits(value)
        text = f"{value:,.{digits}f}"
        if self.language == "ru":
            text = text.replace(",", _SPACE).replace(".", ",")
        return text

    def percent(self, value: float) -> str:
        return f"{self.number(100 * value, 1)} %"

    def within(self, share: Share) -> str:
        """A share and its bounds: `41.5 % (34.9 … 48.4)`."""
        return f"{self.percent(share.value)} {self.bounds(share)}"

    def bounds(self, share: Share) -> str:
        return f"({self.number(100 * share.low, 1)} … {self.number(100 * share.high, 1)})"

    def count(self, number: int, noun: str) -> str:
        forms = PLURALS[noun].get(self.language, PLURALS[noun]["en"])
        return f"{self.number(number)} {forms[_form(number, self.language)]}"

    def around(self, mean: float, within: float | None) -> str:
        """A mean with as many figures as make sense beside how far off it may be."""
        if within is None or within == 0:
            return self.number(mean)
        digits = _digits(within * 10)
        return f"{self.number(mean, digits)} ± {self.number(within, digits)}"


def _digits(value: float) -> int:
    value = abs(value)
    return 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3 if value >= 0.1 else 4


def _form(number: int, language: str) -> int:
    if language != "ru":
        return 0 if number == 1 else 1
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2
