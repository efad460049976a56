"""All fixed words of a session at the terminal, in every language."""

from __future__ import annotations

TEXTS: dict[str, dict[str, str]] = {
    "asked": {"en": "{player} to choose", "ru": "Выбирает {player}"},
    "turn": {"en": "turn {n}", "ru": "ход {n}"},
    "round": {"en": "round {n}", "ru": "раунд {n}"},
    "since": {"en": "What happened:", "ru": "Что произошло:"},
    "log": {"en": "The play so far:", "ru": "Игра до сих пор:"},
    "log_empty": {"en": "Nothing has happened yet.", "ru": "Пока ничего не произошло."},
    "hidden": {"en": "{n} hidden", "ru": "{n} скрыто"},
    "face_down": {"en": "hidden", "ru": "скрыто"},
    "top_first": {"en": "top first", "ru": "сверху вниз"},
    "empty": {"en": "empty", "ru": "пусто"},
    "you": {"en": "you", "ru": "вы"},
    "unoffered": {"en": "× cannot be chosen now", "ru": "× сейчас выбрать нельзя"},
    "so_far": {"en": "Chosen so far:", "ru": "Уже выбрано:"},
    "options": {"en": "Options:", "ru": "Варианты:"},
    "options_many": {
        "en": "{n} options. Type part of one to search (as in `{example}`), or `options` to see all:",
        "ru": "Вариантов: {n}. Введите часть варианта для поиска (например, `{example}`) или `варианты` — весь список:",
    },
    "options_one": {"en": "One option fits `{text}`:", "ru": "Подходит один вариант (`{text}`):"},
    "options_some": {"en": "{n} options fit `{text}`:", "ru": "Подходит вариантов: {n} (`{text}`):"},
    "options_none": {"en": "No option fits `{text}`.", "ru": "Нет варианта, подходящего к `{text}`."},
    "and_more": {"en": "… and {n} more", "ru": "… и ещё {n}"},
    "prompt": {"en": "{player}> ", "ru": "{player}> "},
    "only": {"en": "There is only one option; press Enter to take it.", "ru": "Вариант только один: нажмите Enter."},
    "forced": {"en": "nothing else was possible", "ru": "другого выбора не было"},
    "thinking": {
        "en": "{player} is thinking … (Enter: decide now)",
        "ru": "{player} думает … (Enter — решать сразу)",
    },
    "live_hint": {
        "en": "{n} options · type to search · ↑↓ Enter or click · Tab completes · help",
        "ru": "Вариантов: {n} · буквы — поиск · ↑↓ Enter, щелчок — выбор · Tab — дополнить · помощь",
    },
    "live_end": {"en": "Press Enter to leave.", "ru": "Enter — выйти."},
    "chapters": {"en": "Chapters (`rules 1`, or `rules WORD`):", "ru": "Главы (`правила 1` или `правила СЛОВО`):"},
    "cards": {
        "en": "Cards (`card NAME` reads one): {names}",
        "ru": "Карты (`карта НАЗВАНИЕ` прочтёт её): {names}",
    },
    "card_which": {"en": "Say which, as in `card NAME`.", "ru": "Укажите какую: `карта НАЗВАНИЕ`."},
    "card_none": {
        "en": "No chapter and no card that you see is called `{text}`.",
        "ru": "Нет ни главы, ни видимой вам карты с названием `{text}`.",
    },
    "ambiguous": {"en": "`{text}` could be several things:", "ru": "`{text}` можно понять по-разному:"},
    "not_offered": {
        "en": "`{text}` is not offered. `why {text}` tells the reason, `help` the commands.",
        "ru": "Варианта `{text}` нет. `почему {text}` объяснит причину, `помощь` покажет команды.",
    },
    "nearest": {"en": "The nearest offered:", "ru": "Похожие варианты:"},
    "no_number": {"en": "There is no option {n}; there are {most}.", "ru": "Варианта {n} нет; всего их {most}."},
    "decided": {"en": "{player} has decided", "ru": "{player}: решение принято"},
    "only_for": {"en": "For {player} only", "ru": "Только для: {player}"},
    "hand_over": {
        "en": "Hand the terminal to {player}, and press Enter when nobody else is looking.",
        "ru": "Передайте терминал игроку {player}. Когда никто другой не смотрит, нажмите Enter.",
    },
    "hint": {"en": "Hint: {option}", "ru": "Подсказка: {option}"},
    "hint_worth": {
        "en": "Expected: {worth} of 100, where a win is 100 (from {plays} plays on from here).",
        "ru": "Ожидается {worth} из 100, где победа - 100 (доиграно отсюда партий: {plays}).",
    },
    "hint_wins": {"en": "It wins for certain.", "ru": "Это верная победа."},
    "hint_loses": {
        "en": "It loses for certain against the best answers, as all else does.",
        "ru": "При лучших ответах это верное поражение, как и всё остальное.",
    },
    "hint_line": {"en": "What may follow: {line}", "ru": "Дальше может быть: {line}"},
    "undone": {"en": "Taken back: {text}", "ru": "Отменено: {text}"},
    "undo_together": {
        "en": "What was done before cannot be taken back while all decide at once.",
        "ru": "Пока все решают одновременно, сделанное раньше отменить нельзя.",
    },
    "undo_none": {"en": "There is nothing to take back.", "ru": "Отменять нечего."},
    "undo_chance": {
        "en": "This cannot be taken back: chance has been drawn since.",
        "ru": "Отменить нельзя: с тех пор вмешался случай.",
    },
    "undo_seen": {
        "en": "This cannot be taken back: something hidden has been seen since.",
        "ru": "Отменить нельзя: с тех пор открылось скрытое.",
    },
    "saved": {
        "en": "Saved. To go on later: {command}",
        "ru": "Сохранено. Продолжить позже: {command}",
    },
    "save_where": {"en": "Say where: `save FILE`.", "ru": "Укажите файл: `сохранить ФАЙЛ`."},
    "view_where": {"en": "Say where: `view FILE`.", "ru": "Укажите файл: `вид ФАЙЛ`."},
    "viewed": {
        "en": "{file} holds what {player} may know, and nothing else.",
        "ru": "В файле {file} только то, что может знать {player}.",
    },
    "save_failed": {"en": "This could not be saved: {why}", "ru": "Не удалось сохранить: {why}"},
    "write_ending": {
        "en": "`{file}` has the ending of another sort of file. How about `{better}`?",
        "ru": "У `{file}` расширение файлов другого вида. Может быть, `{better}`?",
    },
    "write_nowhere": {"en": "There is no folder `{file}`.", "ru": "Папки `{file}` нет."},
    "write_never": {"en": "`{file}` cannot be written.", "ru": "В `{file}` нельзя записать."},
    "write_folder": {"en": "`{file}` is a folder, not a file.", "ru": "`{file}` — папка, а не файл."},
    "write_over": {
        "en": "`{file}` exists and holds something else. Nothing was written; take another name.",
        "ru": "`{file}` уже есть, и в нём другое. Ничего не записано; выберите другое имя.",
    },
    "campaign_game": {"en": "Game {n} of the campaign", "ru": "Партия {n} кампании"},
    "campaign_goes_on": {"en": "Goes on to the next game:", "ru": "В следующую партию переходит:"},
    "campaign_hint": {
        "en": "Games of this campaign go on from one to the next: {command} --campaign FILE",
        "ru": "Партии этой кампании продолжают одна другую: {command} --campaign ФАЙЛ",
    },
    "campaign_won": {"en": "Games won: {tally}", "ru": "Выиграно партий: {tally}"},
    "campaign_more": {
        "en": "Another game? Enter for yes, a number for so many players, `no` to stop: ",
        "ru": "Ещё партию? Enter — да, число — столько игроков, `нет` — закончить: ",
    },
    "campaign_players": {"en": "From {fewest} to {most} can play.", "ru": "Игроков может быть от {fewest} до {most}."},
    "campaign_kept": {
        "en": "The campaign is kept in {file}. To go on later: {command}",
        "ru": "Кампания сохранена в {file}. Продолжить позже: {command}",
    },
    "campaign_void": {
        "en": "The campaign cannot go on. {file} keeps it as it was before the fault.",
        "ru": "Кампанию нельзя продолжить. В {file} она такая, какой была до ошибки.",
    },
    "campaign_none": {"en": "The campaign cannot go on.", "ru": "Кампанию нельзя продолжить."},
    "no_rules": {"en": "The game brings no text about its rules.", "ru": "К игре не приложено описание правил."},
    "why_what": {
        "en": "Say what you wanted to do, as in `why {example}`.",
        "ru": "Укажите, что вы хотели сделать, например: `почему {example}`.",
    },
    "why_offered": {"en": "`{text}` is offered: it is option {n}.", "ru": "`{text}` можно выбрать: это вариант {n}."},
    "why_offered_so": {"en": "`{text}` is offered.", "ru": "`{text}` можно выбрать."},
    "why_offered_some": {"en": "`{text}` fits options {n}.", "ru": "`{text}` подходит к вариантам {n}."},
    "left": {"en": "The play was left before its end.", "ru": "Игра оставлена до её конца."},
    "left_hint": {
        "en": "It was not saved; `--save FILE` keeps a play whenever it is left.",
        "ru": "Она не сохранена; с `--save ФАЙЛ` игра сохраняется при каждом выходе.",
    },
    "moves_end": {"en": "The moves end here.", "ru": "Ходы здесь заканчиваются."},
    "resumed": {"en": "The play goes on where it was left.", "ru": "Игра продолжается с того места, где её оставили."},
    "carry": {
        "en": "The rules were changed since this was saved. What that means for it:",
        "ru": "Правила изменились после сохранения. Что это значит для партии:",
    },
    "carry_whole": {"en": "Everything still fits.", "ru": "Всё по-прежнему подходит."},
    "carry_gone": {"en": "No longer there: {sort} {names}.", "ru": "Больше нет: {sort} {names}."},
    "carry_new": {"en": "New, as at the start: {sort} {names}.", "ru": "Новое, как в начале игры: {sort} {names}."},
    "carry_changed": {"en": "Different now: {sort} {names}.", "ru": "Теперь по-другому: {sort} {names}."},
    "carry_anew_history": {
        "en": "Earlier positions are forgotten, so repetitions are counted anew: {names}.",
        "ru": "Прежние позиции забыты, повторения считаются заново: {names}.",
    },
    "carry_anew_value": {
        "en": "Another sort of value now, as at the start: {names}.",
        "ru": "Значения теперь другого рода, как в начале игры: {names}.",
    },
    "carry_anew_plan": {"en": "Secret plans start again.", "ru": "Тайные планы начинаются заново."},
    "carry_sort_value": {"en": "values", "ru": "значения"},
    "carry_sort_piece": {"en": "pieces", "ru": "фигуры и карты"},
    "carry_sort_word": {"en": "words", "ru": "слова"},
    "carry_sort_option": {"en": "options", "ru": "настройки"},
    "carry_ask": {
        "en": "Go on with the new rules? The old file is kept as {file}. (yes/no)",
        "ru": "Продолжить по новым правилам? Старый файл останется как {file}. (да/нет)",
    },
    "carried": {
        "en": "It goes on with the new rules; the old file is {file}.",
        "ru": "Партия идёт по новым правилам; старый файл: {file}.",
    },
    "recorded": {"en": "Recorded in {file}.", "ru": "Запись: {file}."},
    "replay_changed": {
        "en": "The rules were changed since this was recorded: {files}.",
        "ru": "С тех пор, как сделана запись, правила изменились: {files}.",
    },
    "replay_same": {
        "en": "Played again without a difference: {n} decisions.",
        "ru": "Повторено без расхождений, решений: {n}.",
    },
    "replay_parted": {
        "en": "The plays part at decision {n}, of {player}:",
        "ru": "Расхождение на решении {n}, игрок {player}:",
    },
    "replay_parted_start": {"en": "The plays part before the first decision:", "ru": "Расхождение до первого решения:"},
    "replay_option": {
        "en": "recorded `{recorded}`, which is not offered now",
        "ru": "записано `{recorded}`, теперь такого варианта нет",
    },
    "replay_offered": {
        "en": "offered now, the nearest first: {offered}",
        "ru": "теперь можно (сначала похожие): {offered}",
    },
    "replay_player": {
        "en": "recorded `{recorded}`, but now another player is asked: {now}",
        "ru": "записано `{recorded}`, но теперь выбирает другой игрок: {now}",
    },
    "replay_chance": {
        "en": "chance came out as `{recorded}`, but now it is to give: {now}",
        "ru": "случай дал `{recorded}`, но теперь он решает: {now}",
    },
    "replay_state": {
        "en": "after `{recorded}` the state is another one, though the rules are the same",
        "ru": "после `{recorded}` состояние другое, хотя правила те же",
    },
    "replay_over": {
        "en": "recorded `{recorded}`, but now the play is over before it ({now})",
        "ru": "записано `{recorded}`, но теперь игра окончена раньше ({now})",
    },
    "replay_fault": {
        "en": "recorded `{recorded}`, but now the rules fail before it: {now}",
        "ru": "записано `{recorded}`, но теперь правила раньше дают сбой: {now}",
    },
    "over": {"en": "The play is over.", "ru": "Игра окончена."},
    "winner": {"en": "{players} wins.", "ru": "Победа: {players}."},
    "winners": {"en": "{players} win together.", "ru": "Общая победа: {players}."},
    "tied": {"en": "A draw between {players}.", "ru": "Ничья: {players}."},
    "nobody": {"en": "Nobody wins.", "ru": "Победителя нет."},
    "you_lost": {"en": "All players lose.", "ru": "Все игроки проиграли."},
    "you_won": {"en": "All players win.", "ru": "Все игроки победили."},
    "void": {
        "en": "The rules of this game have a mistake here. The play cannot go on, and it counts for nothing:",
        "ru": "В правилах этой игры здесь ошибка. Партию нельзя продолжить, и она не засчитывается:",
    },
    "void_help": {
        "en": "You did nothing wrong. Please tell the author of the game; a save from before can be played on.",
        "ru": "Вы ни в чём не ошиблись. Сообщите автору игры; сохранённое раньше можно доиграть.",
    },
    "total": {"en": "total", "ru": "итого"},
    "place_n": {"en": "place", "ru": "место"},
    "rank_n": {"en": "rank", "ru": "звание"},
    "ranked": {"en": "Your rank: {rank}.", "ru": "Ваше звание: {rank}."},
    "player": {"en": "player", "ru": "игрок"},
    "tie_breaks": {
        "en": "Equal totals were told apart by the tie-breaks.",
        "ru": "Равные суммы различены по дополнительным правилам.",
    },
    "and": {"en": "and", "ru": "и"},
    "true": {"en": "yes", "ru": "да"},
    "false": {"en": "no", "ru": "нет"},
    "none": {"en": "none", "ru": "нет"},
    "help": {
        "en": (
            "Type the number of an option, or what it says: its whole text, or some of its\n"
            "words that fit no other option, such as `b2`. Several steps may be typed at\n"
            "once.\n"
            "\n"
            "  options [TEXT]  the options again, or those with TEXT in them\n"
            "  board [all]     the position again; all of it, also what is not shown\n"
            "  log             all that has happened\n"
            "  undo [N]        take back your last decision, or the last N (also: back)\n"
            "  hint            what a bot would do, and why\n"
            "  why TEXT        why something is not allowed\n"
            "  save [FILE]     save the play: all of it, with what is hidden\n"
            "  view FILE       write down what you may know, to be handed to you\n"
            "  rules [CHAPTER] what the game is about, and its rules\n"
            "  card NAME       what a card says\n"
            "  quit            leave"
        ),
        "ru": (
            "Введите номер варианта или его текст: целиком или несколько слов, которые не\n"
            "подходят к другим вариантам, например `b2`. Можно ввести\n"
            "сразу несколько шагов.\n"
            "\n"
            "  варианты [ТЕКСТ]  все варианты или только содержащие ТЕКСТ\n"
            "  доска [всё]       положение ещё раз; целиком, и то, что не показано\n"
            "  журнал            всё, что произошло\n"
            "  отмена [N]        отменить своё последнее решение или N последних (и: назад)\n"
            "  подсказка         что сделал бы бот и почему\n"
            "  почему ТЕКСТ      почему что-то не разрешено\n"
            "  сохранить [ФАЙЛ]  сохранить игру целиком, со всем скрытым\n"
            "  вид ФАЙЛ          записать то, что можете знать вы, чтобы передать вам\n"
            "  правила [ГЛАВА]   о чём игра и её правила\n"
            "  карта НАЗВАНИЕ    что написано на карте\n"
            "  выход             уйти"
        ),
    },
}

CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # what takes away all that is on a terminal
REDRAW = "\x0c"  # instead of an answer: the terminal has another size, and the same is to be shown anew

# What may be typed for a command: the words of all languages count everywhere.
COMMANDS: dict[str, tuple[str, ...]] = {
    "help": ("help", "?", "помощь"),
    "options": ("options", "варианты"),
    "board": ("board", "доска"),
    "log": ("log", "журнал"),
    "undo": ("undo", "back", "отмена", "назад"),
    "hint": ("hint", "подсказка"),
    "why": ("why", "почему"),
    "save": ("save", "сохранить"),
    "view": ("view", "вид"),
    "rules": ("rules", "правила"),
    "card": ("card", "карта"),
    "quit": ("quit", "exit", "выход"),
}


ALL = ("all", "всё", "все")
YES = ("yes", "y", "да", "д")


def say(key: str, language: str, **holes: object) -> str:
    """A fixed text in a language, with its holes filled."""
    table = TEXTS[key]
    return table.get(language, table["en"]).format(**holes)


def command_of(line: str) -> tuple[str, str] | None:
    """The command that a line begins with, and the rest of the line; None if it is none."""
    first, _, rest = line.strip().partition(" ")
    for command, words in COMMANDS.items():
        if first.lower() in words:
            return command, rest.strip()
    return None
