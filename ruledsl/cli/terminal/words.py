"""All fixed words of a session at the terminal, in every language."""

from __future__ import annotations

from ruledsl.wording.holes import filled

TEXTS: dict[str, dict[str, str]] = {
    "asked": {"en": "{player} to choose", "ru": "Сейчас решает: {player}"},
    "turn": {"en": "turn {n}", "ru": "ход {n}"},
    "round": {"en": "round {n}", "ru": "раунд {n}"},
    "since": {"en": "What happened:", "ru": "Что произошло:"},
    "meanwhile": {
        "en": "What happened while you had no choice (PgUp: earlier)",
        "ru": "Что было, пока выбора у вас не было (PgUp — раньше)",
    },
    "log": {"en": "The game so far:", "ru": "Игра до сих пор:"},
    "log_empty": {"en": "Nothing has happened yet.", "ru": "Пока ничего не произошло."},
    "hidden": {"en": "{n} hidden", "ru": "скрыто {n}"},
    "more_hidden": {"en": "({n} more hidden)", "ru": "(скрыто ещё {n})"},
    "face_down": {"en": "hidden", "ru": "скрыто"},
    "top_first": {"en": "top first", "ru": "сверху вниз"},
    "empty": {"en": "empty", "ru": "пусто"},
    "you": {"en": "you", "ru": "вы"},
    "unoffered": {"en": "× cannot be chosen now", "ru": "× сейчас выбрать нельзя"},
    "look_alike": {"en": "these look alike", "ru": "выглядят одинаково"},
    "border": {"en": "border", "ru": "граница"},
    "so_far": {"en": "Chosen so far:", "ru": "Уже выбрано:"},
    "options": {"en": "Options:", "ru": "Варианты:"},
    "options_many": {
        "en": "{n:option|options}. Type part of one to search (as in `{example}`), or `options` to see all:",
        "ru": "Вариантов: {n}. Введите часть варианта для поиска (например, `{example}`) или `варианты` — весь список:",
    },
    "options_ranges": {
        "en": "Type one of these, for example `{example}`:",
        "ru": "Введите один из вариантов, например `{example}`:",
    },
    "options_one": {"en": "One option matches `{text}`:", "ru": "Подходит один вариант (`{text}`):"},
    "options_some": {"en": "{n:option matches|options match} `{text}`:", "ru": "Подходит вариантов: {n} (`{text}`):"},
    "options_none": {"en": "No option matches `{text}`.", "ru": "Нет подходящего варианта: `{text}`."},
    "and_more": {"en": "… and {n} more", "ru": "… и ещё {n}"},
    "prompt": {"en": "{player}> ", "ru": "{player}> "},
    "only": {"en": "There is only one option; press Enter to take it.", "ru": "Вариант только один: нажмите Enter."},
    "forced": {"en": "the only option", "ru": "другого выбора не было"},
    "thinking": {
        "en": "{player} is thinking … (Enter: decide now)",
        "ru": "Думает бот: {player} … (Enter — решать сразу)",
    },
    "thinking_hint": {
        "en": "Looking for a good move … (Enter: answer now)",
        "ru": "Ищу хороший ход … (Enter — ответить сразу)",
    },
    "live_hint": {
        "en": "{n:option|options} · type to search · ↑↓ Enter or click · Tab completes · help",
        "ru": "{n:вариант|варианта|вариантов} · буквы — поиск · ↑↓ Enter или щелчок · Tab дополнит · помощь",
    },
    "live_hint_long": {
        "en": "{n:option|options} · type to search · ↑↓ Enter or click · PgDn scrolls · help",
        "ru": "{n:вариант|варианта|вариантов} · буквы — поиск · ↑↓ Enter или щелчок · PgDn: дальше · помощь",
    },
    "live_hint_more": {
        "en": "{n:option|options} · type to search · ↑↓ Enter or click · `board all`: the rest · help",
        "ru": "{n:вариант|варианта|вариантов} · буквы — поиск · ↑↓ Enter · `доска всё`: остальное · помощь",
    },
    "live_hint_few": {
        "en": "{n} of {all:option|options} · type to search all of them · ↑↓ Enter or click · help",
        "ru": "{n} из {all:варианта|вариантов|вариантов} · буквы — поиск по всем · ↑↓ Enter или щелчок · помощь",
    },
    "live_end": {"en": "Press Enter to leave.", "ru": "Enter — выйти."},
    "chapters": {"en": "Chapters (`rules 1`, or `rules WORD`):", "ru": "Главы (`правила 1` или `правила СЛОВО`):"},
    "cards": {
        "en": "Cards (`card NAME` reads one): {names}",
        "ru": "Карты (`карта НАЗВАНИЕ` прочтёт её): {names}",
    },
    "card_which": {"en": "Give its name: `card NAME`.", "ru": "Укажите какую: `карта НАЗВАНИЕ`."},
    "card_none": {
        "en": "There is no chapter and no card called `{text}`.",
        "ru": "Нет ни главы, ни карты с названием `{text}`.",
    },
    "amount_missing": {
        "en": "How many? Type `{head}` with a number from {least} to {most}, such as `{example}`.",
        "ru": "Сколько? Введите `{head}` и число от {least} до {most}, например `{example}`.",
    },
    "amount_beyond": {
        "en": "`{head}` takes a number from {least} to {most}.",
        "ru": "`{head}`: число от {least} до {most}.",
    },
    "ambiguous": {"en": "`{text}` matches several options:", "ru": "`{text}` подходит к нескольким вариантам:"},
    "not_offered": {
        "en": "`{text}` is not an option now. Type `why {text}` for the reason, or `help` for the commands.",
        "ru": "Варианта `{text}` нет. `почему {text}` объяснит причину, `помощь` покажет команды.",
    },
    "after_back": {
        "en": "You have begun something else. `{text}` is possible after `{back}`.",
        "ru": "Вы уже начали другое. `{text}` можно после `{back}`.",
    },
    "back_one": {"en": "back", "ru": "назад"},
    "back": {"en": "back {n}", "ru": "назад {n}"},
    "row_failed": {
        "en": "Nothing was done. `{taken}` is possible, but `{failed}` is not an option after it.",
        "ru": "Ничего не сделано. `{taken}` можно, но варианта `{failed}` после этого нет.",
    },
    "row_nearest": {
        "en": "After `{taken}` the nearest options are: {near}",
        "ru": "После `{taken}` похожие варианты: {near}",
    },
    "row_several": {
        "en": "`{text}` can be done in several ways that end differently. Type one of these:",
        "ru": "`{text}` можно сделать по-разному, с разным итогом. Введите один из вариантов:",
    },
    "nearest": {"en": "The nearest options:", "ru": "Похожие варианты:"},
    "no_number": {"en": "There is no option {n}; there are {most}.", "ru": "Варианта {n} нет; всего их {most}."},
    "decided": {"en": "{player} has decided", "ru": "{player}: решение принято"},
    "only_for": {"en": "For {player} only", "ru": "Только для: {player}"},
    "hand_over": {
        "en": "Hand the terminal to {player}, and press Enter when nobody else is looking.",
        "ru": "Передайте терминал: {player}. Когда никто другой не смотрит, нажмите Enter.",
    },
    "hint": {"en": "Hint: {option}", "ru": "Подсказка: {option}"},
    "hint_ahead": {
        "en": "Expected result: {worth} of 100, where 100 is a win (looking {far:decision|decisions} ahead).",
        "ru": "Ожидаемый результат: {worth} из 100, где 100 — победа (просмотрено решений вперёд: {far}).",
    },
    "hint_worth": {
        "en": "Expected result: {worth} of 100, where 100 is a win (from {plays:trial game|trial games}).",
        "ru": "Ожидаемый результат: {worth} из 100, где 100 — победа (пробных партий: {plays}).",
    },
    "hint_wins": {"en": "This is a certain win.", "ru": "Это верная победа."},
    "hint_loses": {
        "en": "If the others play best, this loses, and so does every other option.",
        "ru": "При лучшей игре соперников это поражение, как и любой другой вариант.",
    },
    "hint_line": {"en": "What may follow: {line}", "ru": "Дальше может быть: {line}"},
    "undone": {"en": "Taken back: {text}", "ru": "Отменено: {text}"},
    "undo_together": {
        "en": "While all players decide at once, earlier decisions cannot be taken back.",
        "ru": "Пока все решают одновременно, сделанное раньше отменить нельзя.",
    },
    "undo_none": {"en": "There is nothing to take back.", "ru": "Отменять нечего."},
    "undo_chance": {
        "en": "This cannot be taken back: something random has happened since.",
        "ru": "Отменить нельзя: с тех пор вмешался случай.",
    },
    "undo_seen": {
        "en": "This cannot be taken back: something hidden has been revealed since.",
        "ru": "Отменить нельзя: с тех пор открылось скрытое.",
    },
    "undo_answered": {
        "en": "This cannot be taken back: somebody has answered it who knows what you do not.",
        "ru": "Отменить нельзя: на это ответил тот, кто знает то, чего вы не знаете.",
    },
    "saved": {
        "en": "Saved in {file}. To continue later: {command}",
        "ru": "Сохранено в {file}. Продолжить позже: {command}",
    },
    "quit_asks": {
        "en": "The game is not over. Save it in `{file}`, to continue later? Type yes, or no to leave without saving.",
        "ru": "Игра не окончена. Сохранить её в `{file}`, чтобы потом продолжить? Введите «да»; «нет» — уйти так.",
    },
    "quit_prompt": {"en": "yes, no, or Enter to keep playing> ", "ru": "да, нет или Enter — играть дальше> "},
    "quit_stays": {"en": "The game continues.", "ru": "Игра продолжается."},
    "save_where": {"en": "Give a file name: `save FILE`.", "ru": "Укажите файл: `сохранить ФАЙЛ`."},
    "view_where": {"en": "Give a file name: `view FILE`.", "ru": "Укажите файл: `вид ФАЙЛ`."},
    "viewed": {
        "en": "{file} contains only what {player} may know.",
        "ru": "В файле {file} только то, что можно знать за эту сторону: {player}.",
    },
    "save_failed": {"en": "This could not be saved: {why}", "ru": "Не удалось сохранить: {why}"},
    "write_ending": {
        "en": "`{file}` has the ending of another kind of file. Try `{better}`.",
        "ru": "У `{file}` расширение другого типа файлов. Попробуйте `{better}`.",
    },
    "write_nowhere": {"en": "There is no folder `{file}`.", "ru": "Папки `{file}` нет."},
    "write_never": {"en": "`{file}` cannot be written.", "ru": "В `{file}` нельзя записать."},
    "write_folder": {"en": "`{file}` is a folder, not a file.", "ru": "`{file}` — папка, а не файл."},
    "write_over": {
        "en": "`{file}` exists and contains something else. Nothing was written; choose another name.",
        "ru": "Файл `{file}` уже есть, и в нём другие данные. Ничего не записано; выберите другое имя.",
    },
    "campaign_game": {"en": "Game {n} of the campaign", "ru": "Партия {n} кампании"},
    "campaign_goes_on": {"en": "Kept for the next game:", "ru": "В следующую партию переходит:"},
    "campaign_hint": {
        "en": "To play the games of this campaign one after another: {command} --campaign FILE",
        "ru": "Играть партии этой кампании одну за другой: {command} --campaign ФАЙЛ",
    },
    "campaign_won": {"en": "Games won: {tally}", "ru": "Выиграно партий: {tally}"},
    "campaign_more": {
        "en": "Another game? Press Enter for yes, a number to change the number of players, `no` to stop: ",
        "ru": "Ещё партию? Enter — да, число — сменить число игроков, `нет` — закончить: ",
    },
    "campaign_players": {
        "en": "This game is for {fewest} to {most} players.",
        "ru": "Игроков может быть от {fewest} до {most}.",
    },
    "campaign_kept": {
        "en": "The campaign is saved in {file}. To continue later: {command}",
        "ru": "Кампания сохранена в {file}. Продолжить позже: {command}",
    },
    "campaign_void": {
        "en": "The campaign cannot continue. {file} has it as it was before the error.",
        "ru": "Кампанию нельзя продолжить. В {file} она такая, какой была до ошибки.",
    },
    "campaign_none": {"en": "The campaign cannot continue.", "ru": "Кампанию нельзя продолжить."},
    "why_what": {
        "en": "Type what you wanted to do, as in `why {example}`.",
        "ru": "Укажите, что вы хотели сделать, например: `почему {example}`.",
    },
    "why_offered": {"en": "`{text}` is possible: it is option {n}.", "ru": "`{text}` можно выбрать: это вариант {n}."},
    "why_offered_so": {"en": "`{text}` is possible.", "ru": "`{text}` можно выбрать."},
    "why_offered_some": {"en": "`{text}` matches options {n}.", "ru": "`{text}` подходит к вариантам {n}."},
    "left": {"en": "You left the game before its end.", "ru": "Вы вышли до конца игры."},
    "left_hint": {
        "en": "It was not saved. Next time type `save`, or start with `--save FILE`.",
        "ru": "Она не сохранена. В другой раз введите `сохранить` или начните с `--save ФАЙЛ`.",
    },
    "moves_end": {"en": "The moves in the file end here.", "ru": "Ходы здесь заканчиваются."},
    "resumed": {"en": "The game continues where you left it.", "ru": "Игра продолжается с того места, где вы вышли."},
    "carry": {
        "en": "The rules have changed since this game was saved. What this means:",
        "ru": "Правила изменились после сохранения. Что это значит для партии:",
    },
    "carry_whole": {"en": "Everything still fits.", "ru": "Всё по-прежнему подходит."},
    "carry_gone": {"en": "Gone: {sort} {names}.", "ru": "Больше нет: {sort} {names}."},
    "carry_new": {"en": "New, set as at the start: {sort} {names}.", "ru": "Новое, как в начале игры: {sort} {names}."},
    "carry_changed": {"en": "Different now: {sort} {names}.", "ru": "Теперь по-другому: {sort} {names}."},
    "carry_anew_history": {
        "en": "Earlier positions are forgotten, so counting repetitions starts again: {names}.",
        "ru": "Прежние позиции забыты, повторения считаются заново: {names}.",
    },
    "carry_anew_value": {
        "en": "Another kind of value now, set as at the start: {names}.",
        "ru": "Значения теперь другого типа, как в начале игры: {names}.",
    },
    "carry_anew_plan": {"en": "Secret plans start again.", "ru": "Тайные планы начинаются заново."},
    "carry_sort_value": {"en": "values", "ru": "значения"},
    "carry_sort_piece": {"en": "pieces", "ru": "фигуры и карты"},
    "carry_sort_word": {"en": "words", "ru": "слова"},
    "carry_sort_option": {"en": "options", "ru": "настройки"},
    "carry_ask": {
        "en": "Continue with the new rules? The old file is kept as {file}. (yes/no)",
        "ru": "Продолжить по новым правилам? Старый файл останется как {file}. (да/нет)",
    },
    "carried": {
        "en": "The game continues with the new rules; the old file is {file}.",
        "ru": "Партия идёт по новым правилам; старый файл: {file}.",
    },
    "recorded": {"en": "Recorded in {file}.", "ru": "Запись: {file}."},
    "replay_changed": {
        "en": "The rules have changed since this was recorded: {files}.",
        "ru": "С тех пор, как сделана запись, правила изменились: {files}.",
    },
    "replay_same": {
        "en": "Replayed without a difference: {n:decision|decisions}.",
        "ru": "Повторено без расхождений, решений: {n}.",
    },
    "replay_parted": {
        "en": "The replay differs at decision {n}, by {player}:",
        "ru": "Расхождение на решении {n}, сторона — {player}:",
    },
    "replay_parted_start": {
        "en": "The replay differs before the first decision:",
        "ru": "Расхождение до первого решения:",
    },
    "replay_option": {
        "en": "recorded `{recorded}`, which is not an option now",
        "ru": "записано `{recorded}`, теперь такого варианта нет",
    },
    "replay_offered": {
        "en": "options now, the nearest first: {offered}",
        "ru": "теперь можно (сначала похожие): {offered}",
    },
    "replay_player": {
        "en": "recorded `{recorded}`, but now another player chooses: {now}",
        "ru": "записано `{recorded}`, но теперь выбирает другой игрок: {now}",
    },
    "replay_chance": {
        "en": "chance gave `{recorded}`, but now it decides: {now}",
        "ru": "случай дал `{recorded}`, но теперь он решает: {now}",
    },
    "replay_state": {
        "en": "after `{recorded}` the state is different, although the rules are the same",
        "ru": "после `{recorded}` состояние другое, хотя правила те же",
    },
    "replay_over": {
        "en": "recorded `{recorded}`, but now the game ends before it ({now})",
        "ru": "записано `{recorded}`, но теперь игра окончена раньше ({now})",
    },
    "replay_fault": {
        "en": "recorded `{recorded}`, but now the rules fail before it: {now}",
        "ru": "записано `{recorded}`, но теперь до этого в правилах возникает ошибка: {now}",
    },
    "player": {"en": "player", "ru": "игрок"},
    "true": {"en": "yes", "ru": "да"},
    "false": {"en": "no", "ru": "нет"},
    "none": {"en": "none", "ru": "нет"},
    "help": {
        "en": (
            "Type the number of an option or its text. Some of its words are enough\n"
            "if they fit no other option, such as `{example}`.\n"
            "You can type several steps at once.\n"
            "\n"
            "  options [TEXT]  show the options again, or those that contain TEXT\n"
            "  board [all]     show the position again; `all`: at full length\n"
            "  log             everything that has happened, the latest last\n"
            "  undo [N]        take back your last decision, or the last N (also: back)\n"
            "  hint            what a bot would do, and why\n"
            "  why TEXT        why something is not allowed\n"
            "  save [FILE]     save it to continue later (the file shows hidden things)\n"
            "  view FILE       write a file with only what you may know\n"
            "  rules [CHAPTER] about the game, and its rules\n"
            "  card NAME       what a card says\n"
            "  quit            leave; you can save the game first"
        ),
        "ru": (
            "Введите номер варианта или его текст. Достаточно нескольких слов, если\n"
            "они не подходят к другим вариантам, например `{example}`.\n"
            "Можно ввести сразу несколько шагов.\n"
            "\n"
            "  варианты [ТЕКСТ]  все варианты или только содержащие ТЕКСТ\n"
            "  доска [всё]       показать положение ещё раз; `всё` — целиком\n"
            "  журнал            всё, что произошло, последнее внизу\n"
            "  отмена [N]        отменить последнее решение или N последних (и: назад)\n"
            "  подсказка         что сделал бы бот и почему\n"
            "  почему ТЕКСТ      почему что-то не разрешено\n"
            "  сохранить [ФАЙЛ]  сохранить, чтобы продолжить потом (видно и скрытое)\n"
            "  вид ФАЙЛ          записать в файл только то, что вы можете знать\n"
            "  правила [ГЛАВА]   о чём игра и её правила\n"
            "  карта НАЗВАНИЕ    что написано на карте\n"
            "  выход             уйти; перед этим игру можно сохранить"
        ),
    },
}

# No words, but every part of a session knows these two as well.
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # a line of this removes all that is on a terminal
REDRAW = "\x0c"  # in place of an answer: the terminal has another size, so the same must be shown again

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
NO = ("no", "n", "нет", "н")


def say(key: str, language: str, **holes: object) -> str:
    """A fixed text in a language, with its holes filled."""
    table = TEXTS[key]
    return filled(table.get(language, table["en"]), **holes)


def command_of(line: str) -> tuple[str, str] | None:
    """The command that a line begins with, and the rest of the line; None if it is none."""
    first, _, rest = line.strip().partition(" ")
    for command, words in COMMANDS.items():
        if first.lower() in words:
            return command, rest.strip()
    return None
