// Where a play begins: how many play, who sits where, which options; then a link for each seat.

import { byId, fill, make, notice } from "./dom.js";
import { openDrawer } from "./drawer.js";
import { ask } from "./net.js";
import { openReplay, takeDropped } from "./replays.js";
import { currentLanguage, firstLanguage, say, setLanguage } from "./words.js";

const BOT = "greedy"; // who sits in the other seats, until one chooses
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
  if (!who.length) seatAll(Math.max(game.players[0], Math.min(2, game.players[1])));
  draw();
}

function seatAll(count) {
  const known = who;
  who = Array.from({ length: count }, (_, seat) => known[seat] || (seat === 0 ? "me" : `bot:${game.bots.some((bot) => bot.name === BOT) ? BOT : game.bots[0].name}`));
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
  const sitters = [["me", say("me")], ["open", say("open")]];
  for (const bot of game.bots) {
    sitters.push([`bot:${bot.name}`, say("bot", { name: bot.name })]);
    for (const level of bot.levels) sitters.push([`bot:${bot.name}:${level}`, say("bot", { name: `${bot.name}, ${level}` })]);
  }
  const seats = who.map((sitter, seat) =>
    field(seatName(seat), select({ "data-seat": seat, onchange: (event) => (who[seat] = event.target.value) }, sitters, sitter)),
  );
  return [...count, make("fieldset", {}, make("legend", {}, say("seats")), ...seats)];
}

function presets() {
  if (!game.presets.length) return [];
  const choices = [["", say("custom")], ...game.presets.map((preset) => [preset.name, preset.title])];
  const change = (event) => {
    const preset = game.presets.find((one) => one.name === event.target.value);
    for (const box of byId("new").querySelectorAll("[data-option]")) box.disabled = Boolean(preset);
  };
  return [field(say("preset"), select({ id: "preset", onchange: change }, choices, ""))];
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
  const choices = found.values.map((value) => [value.name, value.title]);
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
  const rows = found.seats.flatMap((link, seat) => (link ? [line(seatName(seat), link)] : []));
  const box = byId("links");
  fill(box, make("h2", {}, say("links")), ...rows, line(say("spectator"), found.spectator));
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
