// Where a play begins: how many play, who sits where, which options; then a link for each seat.

import { byId, fill, make, notice } from "./dom.js";
import { openDrawer } from "./drawer.js";
import { ask } from "./net.js";
import { remember } from "./places.js";
import { openReplay, takeDropped } from "./replays.js";
import { botDoes, botName, currentLanguage, firstLanguage, say, setLanguage } from "./words.js";

const BOT = { name: "search", level: "easy" }; // who sits in the other seats, until one chooses
let game = null;
let who = []; // as the server names them: me, open, bot:NAME

async function load() {
  game = await ask(`/api/game?lang=${currentLanguage()}`);
  document.title = game.title;
  byId("title").textContent = game.title;
  byId("about").textContent = game.about;
  byId("rules").textContent = say("rules");
  byId("language").textContent = say("other_language");
  byId("drop").textContent = say("drop");
  byId("open").textContent = say("open_replay");
  byId("file").setAttribute("aria-label", say("open_replay"));
  if (!who.length) seatAll(Math.max(game.players[0], Math.min(2, game.players[1])));
  draw();
}

function seatAll(count) {
  const known = who;
  who = Array.from({ length: count }, (_, seat) => known[seat] || (seat === 0 ? "me" : usualBot()));
}

function usualBot() {
  const usual = game.bots.find((bot) => bot.name === BOT.name && bot.levels.includes(BOT.level));
  return usual ? `bot:${BOT.name}:${BOT.level}` : `bot:${game.bots[0].name}`;
}

function draw() {
  fill(byId("new"), ...players(), ...presets(), ...game.options.map(option), make("button", { type: "submit", class: "tool main", id: "start" }, say("start")));
}

function seatName(seat) {
  return game.seats[seat] || say("player_n", { n: seat + 1 });
}

function field(title, ...inner) {
  return make("label", { class: "field" }, make("span", {}, title), ...inner);
}

function select(attributes, choices, chosen) {
  const box = make("select", attributes, ...choices.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  return box;
}

function players() {
  const [fewest, most] = game.players;
  const counts = Array.from({ length: most - fewest + 1 }, (_, n) => [String(fewest + n), String(fewest + n)]);
  const change = (event) => {
    seatAll(Number(event.target.value));
    draw();
  };
  const count = fewest < most ? [field(say("players"), select({ id: "players", onchange: change }, counts, String(who.length)))] : [];
  const seats = who.map((sitter, seat) => field(seatName(seat), sitters(seat, sitter)));
  return [...count, make("fieldset", {}, make("legend", {}, say("seats")), ...seats)];
}

// Who may sit in a seat: people, then a bot by its strength, then all others there are.
function sitters(seat, chosen) {
  const one = (value, text, told) => make("option", { value, selected: value === chosen, title: told }, text);
  const bots = game.bots.flatMap((bot) => [undefined, ...bot.levels].map((level) => ({ bot, level })));
  const drawn = ({ bot, level }) => one(["bot", bot.name, level].filter(Boolean).join(":"), say("bot", { name: botName(bot.name, level) }), botDoes(bot));
  const usual = ({ bot, level }) => bot.name === BOT.name && level;
  const others = make("optgroup", { label: say("other_bots") }, ...bots.filter((each) => !usual(each)).map(drawn));
  const change = (event) => (who[seat] = event.target.value);
  return make("select", { "data-seat": seat, onchange: change }, one("me", say("me")), one("open", say("open")), ...bots.filter(usual).map(drawn), others);
}

function presets() {
  if (!game.presets.length) return [];
  const choices = [["", say("custom")], ...game.presets.map((preset) => [preset.name, preset.title])];
  const change = (event) => {
    const preset = game.presets.find((one) => one.name === event.target.value);
    for (const box of byId("new").querySelectorAll("[data-option]")) {
      box.disabled = Boolean(preset);
      const found = game.options.find((one) => one.name === box.dataset.option);
      if (preset) setTo(box, preset.sets[found.name] ?? found.start);
    }
  };
  return [field(say("preset"), select({ id: "preset", onchange: change }, choices, ""))];
}

// Shows what a preset sets.
function setTo(box, value) {
  if (box.type === "checkbox") box.checked = value === true || value === "true";
  else if (box.matches("fieldset")) for (const one of box.querySelectorAll("input")) one.checked = [value].flat().includes(one.value);
  else box.value = value;
}

function option(found) {
  const named = { "data-option": found.name };
  if (found.type === "yes or no") {
    return make("label", { class: "check" }, make("input", { ...named, type: "checkbox", checked: found.start }), found.title);
  }
  if (found.type === "number") {
    return field(found.title, make("input", { ...named, type: "number", min: found.least, max: found.most, value: found.start }));
  }
  if (found.type === "text") return field(found.title, make("input", { ...named, type: "text", value: found.start, maxlength: 200 }));
  const there = found.values.filter(({ seat }) => seat === undefined || seat < who.length); // a player who takes part
  const choices = there.map((value) => [value.name, value.title || seatName(value.seat)]);
  if (found.type === "one of") return field(found.title, select(named, choices, found.start));
  const boxes = choices.map(([value, text]) =>
    make("label", { class: "check" }, make("input", { type: "checkbox", value, checked: found.start.includes(value) }), text),
  );
  return make("fieldset", named, make("legend", {}, found.title), ...boxes);
}

function chosen() {
  const options = {};
  for (const found of game.options) {
    const box = byId("new").querySelector(`[data-option="${CSS.escape(found.name)}"]`);
    if (found.type === "yes or no") options[found.name] = box.checked ? "true" : "false";
    else if (found.type === "some of") options[found.name] = [...box.querySelectorAll("input:checked")].map((one) => one.value);
    else options[found.name] = found.type === "number" ? Number(box.value) : box.value;
    if (JSON.stringify(options[found.name]) === JSON.stringify(found.type === "yes or no" ? String(found.start) : found.start)) delete options[found.name];
  }
  return options;
}

async function begin(event) {
  event.preventDefault();
  const preset = byId("preset")?.value;
  const order = { players: who.length, seats: who, language: currentLanguage(), ...(preset ? { preset } : { options: chosen() }) };
  try {
    show(await ask(`/api/plays?lang=${currentLanguage()}`, order));
  } catch (problem) {
    notice(problem.message);
  }
}

// Who plays alone goes to the table at once; else the links come first, to be passed on.
function show(found) {
  const links = [...new Set(found.seats.filter(Boolean))];
  if (links.length === 1) {
    location.assign(links[0]);
    return;
  }
  const mine = found.seats.flatMap((link, seat) => (link && who[seat] === "me" ? [{ link, seat }] : []));
  remember(mine);
  const here = mine.length > 1 ? make("a", { class: "tool main", id: "here", href: mine[0].link }, say("play_here")) : null;
  const rows = found.seats.flatMap((link, seat) => (link ? [line(seatName(seat), link)] : []));
  const box = byId("links");
  fill(box, here, make("h2", {}, say("links")), ...rows, line(say("spectator"), found.spectator));
  box.hidden = false;
  box.scrollIntoView();
}

function line(title, link) {
  const whole = new URL(link, location.href).href;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(whole);
      notice(say("copied"));
    } catch {
      notice(whole);
    }
  };
  return make(
    "p",
    { class: "link" },
    make("strong", {}, title),
    make("a", { href: link, target: "_blank", rel: "noopener" }, say("sit")),
    make("button", { type: "button", class: "tool", onclick: copy }, say("copy")),
  );
}

setLanguage(firstLanguage());
byId("new").addEventListener("submit", begin);
byId("file").addEventListener("change", (event) => event.target.files[0] && openReplay(event.target.files[0]));
takeDropped();
byId("rules").addEventListener("click", () => openDrawer());
byId("language").addEventListener("click", () => {
  setLanguage(currentLanguage() === "en" ? "ru" : "en");
  load().catch((problem) => notice(problem.message));
});
load().catch((problem) => notice(problem.message));
