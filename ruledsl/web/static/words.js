// All fixed words of the page, in every language.

const TEXTS = {
  your_turn: { en: "Your turn", ru: "Ваш ход" },
  your_answer: { en: "Turn of {name}: you decide", ru: "Ходит {name}, решаете вы" },
  turn_of_one: { en: "{own}: your turn", ru: "{own}: ваш ход" },
  answer_of: { en: "Turn of {name}: {own} decides", ru: "Ход: {name}, решает: {own}" },
  turn_is_over: { en: "That was the end of your turn.", ru: "Это был конец вашего хода." },
  turn_of_is_over: { en: "The turn of {name} is over.", ru: "Ход окончен: {name}." },
  round_begins: { en: "Round {n} begins.", ru: "Начинается раунд {n}." },
  begins: { en: "Now begins: {phase}.", ru: "Начинается: {phase}." },
  turn_of: { en: "Waiting for {names}", ru: "Ходит: {names}" },
  thinking: { en: "{names} is thinking …", ru: "Думает бот: {names} …" },
  watching: { en: "You are watching.", ru: "Вы смотрите." },
  over: { en: "The game is over.", ru: "Игра окончена." },
  again: { en: "Another game", ru: "Ещё партию" },
  won: { en: "wins", ru: "победа" },
  round: { en: "round {n}", ru: "раунд {n}" },
  turn: { en: "turn {n}", ru: "ход {n}" },
  undo: { en: "Undo", ru: "Отменить" },
  rules: { en: "Rules", ru: "Правила" },
  history: { en: "Log", ru: "Журнал" },
  other_language: { en: "Русский", ru: "English" },
  other_short: { en: "RU", ru: "EN" },
  a_bot: { en: "bot", ru: "бот" },
  you: { en: "you", ru: "вы" },
  hidden: { en: "hidden", ru: "скрыто" },
  empty: { en: "empty", ru: "пусто" },
  search: { en: "Search {n} options", ru: "Поиск, вариантов: {n}" },
  more: { en: "… and {n} more: search for them", ru: "… и ещё {n}: воспользуйтесь поиском" },
  no_match: { en: "No option matches.", ru: "Нет подходящего варианта." },
  why: { en: "Why not?", ru: "Почему нельзя?" },
  closed: { en: "Not possible now", ru: "Сейчас нельзя" },
  number: { en: "a number from {least} to {most}", ru: "число от {least} до {most}" },
  forced: { en: "the only choice", ru: "единственный вариант" },
  turn_it: { en: "Or turn it with the wheel or R. Click the space to lay it so.", ru: "Поворот также колесом или R. Щелчок по клетке кладёт так." },
  turn_by_hand: { en: "Tap the space to lay it so.", ru: "Нажмите на клетку, чтобы положить так." },
  turn_left: { en: "Turn it left", ru: "Повернуть влево" },
  turn_right: { en: "Turn it right", ru: "Повернуть вправо" },
  drop: { en: "or drop the file here, to look through a game and play on", ru: "или перетащите файл сюда, чтобы просмотреть партию и играть дальше" },
  open_replay: { en: "Open a saved game", ru: "Открыть сохранённую партию" },
  replay: { en: "Save the game as a file", ru: "Сохранить партию в файл" },
  rules_wrong: { en: "The rules have errors: {n}", ru: "Ошибок в правилах: {n}" },
  rules_warn: { en: "Warnings about the rules: {n}", ru: "Предупреждений о правилах: {n}" },
  bot_random: { en: "at random", ru: "наугад" },
  bot_greedy: { en: "greedy", ru: "жадный" },
  bot_careful: { en: "careful", ru: "осторожный" },
  bot_alphabeta: { en: "looks ahead", ru: "считает ходы" },
  bot_search: { en: "tries out", ru: "перебирает" },
  does_random: { en: "Does anything.", ru: "Делает что угодно." },
  does_greedy: { en: "Takes what is best for the moment.", ru: "Берёт то, что лучше прямо сейчас." },
  does_careful: { en: "Thinks of what others may hide.", ru: "Помнит о том, что могут скрывать другие." },
  does_alphabeta: { en: "Looks ahead, move by move.", ru: "Просчитывает ходы вперёд." },
  does_search: { en: "Plays on in its mind many times.", ru: "Много раз доигрывает партию в уме." },
  interlude: { en: "What has happened", ru: "Что произошло" },
  go_on: { en: "Go on", ru: "Дальше" },
  so_far: { en: "Chosen", ru: "Выбрано" },
  take_back: { en: "Take this step back", ru: "Отменить этот шаг" },
  on_table: { en: "Choose on the table what is marked blue.", ru: "Выберите на столе то, что отмечено синим." },
  or_on_table: { en: "Or choose on the table what is marked blue.", ru: "Или выберите на столе то, что отмечено синим." },
  lay_it: { en: "Click the space to lay it so.", ru: "Щёлкните по клетке, чтобы положить так." },
  close: { en: "Close", ru: "Закрыть" },
  move_n: { en: "step {n} of {all}", ru: "шаг {n} из {all}" },
  past: { en: "You are looking at step {n}.", ru: "Вы смотрите шаг {n}." },
  now: { en: "Back to the game", ru: "Вернуться к игре" },
  branch: { en: "Play on from here", ru: "Играть отсюда" },
  time: { en: "Steps of the game", ru: "Шаги партии" },
  lost: { en: "The connection was lost. Trying again …", ru: "Связь прервалась. Пробуем снова …" },
  refused: { en: "This is not possible now.", ru: "Сейчас это невозможно." },
  legend: { en: "Signs", ru: "Знаки" },
  course: { en: "The score, move by move", ru: "Счёт по ходам" },
  no_rules: { en: "This game has no text about its rules.", ru: "К игре не приложено описание правил." },
  rules_in_english: { en: "The rules in English", ru: "Правила на английском" },
  bigger: { en: "Larger", ru: "Крупнее" },
  smaller: { en: "Smaller", ru: "Мельче" },
  board: { en: "board", ru: "поле" },
  yours: { en: "yours", ru: "ваше" },
  on_the_table: { en: "table", ru: "стол" },
  views: { en: "Parts of the table", ru: "Части стола" },
  more_news: { en: "… {n} more: read them", ru: "… ещё {n}: прочесть" },
  asked_here: { en: "Something can be chosen here.", ru: "Здесь можно выбирать." },
  raise: { en: "Show all of it", ru: "Показать всё" },
  lower: { en: "Make room for the table", ru: "Освободить место для стола" },
  seats: { en: "Who plays?", ru: "Кто играет?" },
  players: { en: "Players", ru: "Игроки" },
  player_n: { en: "player {n}", ru: "игрок {n}" },
  me: { en: "me", ru: "я" },
  open: { en: "open", ru: "свободно" },
  bot: { en: "bot, {name}", ru: "бот, {name}" },
  other_bots: { en: "Other bots", ru: "Другие боты" },
  easy: { en: "easy", ru: "лёгкий" },
  normal: { en: "normal", ru: "средний" },
  hard: { en: "hard", ru: "сильный" },
  preset: { en: "Preset", ru: "Набор настроек" },
  custom: { en: "my own choice", ru: "свой выбор" },
  start: { en: "Start", ru: "Начать" },
  links: { en: "Links to this game", ru: "Ссылки на партию" },
  spectator: { en: "to watch", ru: "смотреть" },
  copy: { en: "Copy", ru: "Копировать" },
  copied: { en: "Copied.", ru: "Скопировано." },
  play_here: { en: "Play here, taking turns at this device", ru: "Играть здесь, передавая устройство" },
  go_there: { en: "Go on as {name}", ru: "Продолжить за игрока: {name}" },
  sit: { en: "Sit down", ru: "Сесть за стол" },
};

let language = "en";

export function setLanguage(wanted) {
  language = wanted === "ru" ? "ru" : "en";
  document.documentElement.lang = language;
  try {
    localStorage.setItem("ruledsl-language", language);
  } catch {
    // A browser may refuse to keep anything.
  }
}

export function firstLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  let kept = null;
  try {
    kept = localStorage.getItem("ruledsl-language");
  } catch {
    // As above.
  }
  return asked || kept || (navigator.language.startsWith("ru") ? "ru" : "en");
}

export function currentLanguage() {
  return language;
}

export function say(key, holes = {}) {
  const text = TEXTS[key][language];
  return text.replace(/{(\w+)}/g, (_, name) => String(holes[name]));
}

const USUAL = "search"; // the bot that plays every game

// The bots that come with ruledsl, by what players may want to know of them: a name, and what they do. Others keep theirs.
const BOTS = {
  random: [() => say("bot_random"), () => say("does_random")],
  greedy: [() => say("bot_greedy"), () => say("does_greedy")],
  careful: [() => say("bot_careful"), () => say("does_careful")],
  alphabeta: [() => say("bot_alphabeta"), () => say("does_alphabeta")],
  search: [() => say("bot_search"), () => say("does_search")],
};

// A bot by what people know of it: how strong it is, and its name where there are several.
export function botName(name, level) {
  const strength = { easy: say("easy"), normal: say("normal"), hard: say("hard") }[level] ?? level;
  return [name === USUAL && level ? "" : (BOTS[name]?.[0]() ?? name), strength].filter(Boolean).join(", ");
}

// What a bot does, in a sentence; of one's own what its file says.
export function botDoes({ name, does }) {
  return BOTS[name]?.[1]() ?? does;
}
