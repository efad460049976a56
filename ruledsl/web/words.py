"""What the server says to people, in each language."""

from __future__ import annotations

from typing import Any

_WORDS: dict[str, dict[str, str]] = {
    "no_link": {
        "en": "This link leads to no play. It may have been mistyped, or the play has been deleted.",
        "ru": "Эта ссылка не ведёт ни к какой партии. Возможно, в ней опечатка или партия больше не хранится.",
    },
    "looks_on": {
        "en": "This link is for watching; it cannot make decisions.",
        "ru": "По этой ссылке можно только смотреть.",
    },
    "old": {
        "en": "The play has gone on since: this was for move {given}, and it is at move {move} now. Look again.",
        "ru": "Партия ушла вперёд: это было для хода {given}, а сейчас ход {move}. Посмотрите ещё раз.",
    },
    "ahead": {
        "en": "The play is at move {move}; move {given} has not been reached.",
        "ru": "В партии сейчас ход {move}; до хода {given} она ещё не дошла.",
    },
    "over": {"en": "The play is over.", "ru": "Партия окончена."},
    "no_interlude": {
        "en": "The play has gone on since: this moment is not shown any more.",
        "ru": "Партия ушла вперёд: этот момент больше не показывается.",
    },
    "not_asked": {"en": "It is not your turn: {players} must decide.", "ru": "Сейчас решаете не вы: {players}."},
    "not_offered": {"en": "`{choice}` is not offered here.", "ru": "`{choice}` здесь выбрать нельзя."},
    "no_option": {
        "en": "There is no option {choice}; there are {count}, counted from 0.",
        "ru": "Варианта {choice} нет; всего их {count}, считая с 0.",
    },
    "not_kept": {
        "en": "The decision could not be written to disk, so it does not count. Try again.",
        "ru": "Решение не удалось записать на диск, поэтому оно не засчитано. Попробуйте ещё раз.",
    },
    "undo_none": {"en": "There is nothing of yours to take back.", "ru": "У вас нечего взять назад."},
    "undo_other": {
        "en": "This cannot be taken back: another person has decided since.",
        "ru": "Этот ход взять назад нельзя: после него ходил другой игрок.",
    },
    "undo_chance": {
        "en": "This cannot be taken back: something random has happened since.",
        "ru": "Этот ход взять назад нельзя: после него сыграл случай.",
    },
    "undo_seen": {
        "en": "This cannot be taken back: something hidden has been revealed since.",
        "ru": "Этот ход взять назад нельзя: после него стало видно скрытое.",
    },
    "undo_answered": {
        "en": "This cannot be taken back: somebody has answered it who knows what you do not.",
        "ru": "Этот ход взять назад нельзя: на него ответил тот, кто знает то, чего вы не знаете.",
    },
    "undo_together": {
        "en": "Everybody decides at the same time now; earlier decisions cannot be taken back.",
        "ru": "Сейчас все решают одновременно; то, что было раньше, остаётся.",
    },
    "undo_old": {
        "en": "This cannot be taken back any more: too much has happened since.",
        "ru": "Этот ход взять назад уже нельзя: с тех пор произошло слишком много.",
    },
    "secret": {
        "en": "You can open this when the play is over. Until then, it would reveal what is hidden.",
        "ru": "Это откроется, когда партия кончится: раньше оно выдало бы скрытое.",
    },
    "full": {
        "en": "This server keeps {most} plays at most, and all of them are in use. Try again later.",
        "ru": "Этот сервер хранит не больше {most} партий, и все они заняты. Попробуйте позже.",
    },
    "many_listen": {
        "en": "Too many pages listen to this server. Close some, or reload this one now and then.",
        "ru": "Слишком много страниц слушают этот сервер. Закройте лишние или обновляйте эту вручную.",
    },
    "many_pages": {
        "en": "This link is open in {most} pages already. Close some of them.",
        "ru": "Эта ссылка уже открыта на {most} страницах. Закройте лишние.",
    },
    "too_many": {
        "en": "Too many messages at once; wait {seconds} s.",
        "ru": "Слишком много сообщений сразу; подождите {seconds} с.",
    },
    "too_large": {
        "en": "This message is too large; {most} bytes are the most.",
        "ru": "Это сообщение слишком велико; не больше {most} байт.",
    },
    "too_slow": {
        "en": "This message took too long to arrive.",
        "ru": "Это сообщение не пришло целиком вовремя.",
    },
    "too_long": {
        "en": "A play can have at most {most} decisions here.",
        "ru": "Здесь в партии может быть не больше {most} решений.",
    },
    "carried": {
        "en": "The rules have changed. All {kept} decisions of this play hold under the new rules.",
        "ru": "Правила изменились. Все {kept} решений этой партии подходят и к новым правилам.",
    },
    "parted": {
        "en": "The rules have changed. The first {kept} of {count} decisions hold; decision {at} ({told}) does not.",
        "ru": "Правила изменились. Первые {kept} из {count} решений подходят; решение {at} ({told}) уже нет.",
    },
    "cannot_carry": {
        "en": "The rules have changed so that this play cannot be set up any more: {problem}",
        "ru": "Правила изменились так, что эту партию больше нельзя начать: {problem}",
    },
    "fault": {
        "en": "The rules end in a fault here, so the play is void: {problem}",
        "ru": "В правилах здесь сбой, партия не считается: {problem}",
    },
}
LANGUAGES = ("en", "ru")


def say(key: str, language: str, **values: Any) -> str:
    return _WORDS[key].get(language, _WORDS[key]["en"]).format(**values)


class Refused(Exception):
    """What the server does not do, with the status of HTTP and a sentence for whoever asked."""

    def __init__(self, status: int, key: str, **values: Any) -> None:
        super().__init__(say(key, "en", **values))
        self.status, self.key, self.values = status, key, values

    def said(self, language: str) -> str:
        return say(self.key, language, **self.values)


__all__ = ["LANGUAGES", "Refused", "say"]
