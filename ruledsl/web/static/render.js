// Draws a snapshot: boards, places, players, the log. Who takes hold of what is told to `touched`.

import { byId, fill, make, picture, shape } from "./dom.js";
import { clear, enlarge, gives, leaveOutNames, magnify, readable } from "./legible.js";
import { drawOutlines } from "./outlines.js";
import { fitSheet, giveBack } from "./sheet.js";
import { keepSight, noteSight, watchSight } from "./sight.js";
import { drawNews, latest } from "./since.js";
import { drawLog, openStory } from "./story.js";
import { afterwards, arrange } from "./views.js";
import { botName, say } from "./words.js";

const TALL = 0.36; // of the height of the window
const NEAR = 0.34; // of the height of the table: what is one's own stays in sight if it takes no more
const SEEN = 5; // so many things are counted at a glance
const BRIEF = 3; // letters of a name that fills its card
const DENSE = 8; // things in a place that are drawn smaller
const MOST_SIGNS = 4; // in a legend that stands open on a phone, where it may need several lines
const EMPTY = 0.3; // of the height of the window: as much may stay free for what lay beside the boards before
const SCALES = [1.6, 1.45, 1.3, 1.15, 1, 0.92, 0.85]; // of a table of cards
const FREE = 0.2; // of the height of such a table that stays free
const MANY_SPACES = 12; // a board with as many may be looked at more closely
const zooms = new Map(); // how much larger somebody looks at a board
let drawn = null; // the snapshot that is shown
let legendOpen = false; // as somebody has left it

export function drawAll(snapshot, touched) {
  document.title = snapshot.title;
  fill(byId("title"), make("a", { href: "/", title: say("again") }, snapshot.title));
  byId("where").textContent = whereText(snapshot);
  drawn = snapshot;
  giveBack();
  for (const frame of document.querySelectorAll("#boards .frame")) noteSight(frame);
  drawBoards(snapshot, touched);
  drawPeople(snapshot, drawAreas(snapshot, touched), touched);
  drawLog(snapshot);
  drawNews(snapshot, openStory);
  order(snapshot);
  for (const frame of document.querySelectorAll("#boards .frame")) keepSight(frame); // not before everything has its size
}

// The window has another size: all that was fitted to it is fitted anew. A keyboard that comes up for a field is not meant.
function refit() {
  const turned = window.innerWidth !== refit.wide;
  refit.wide = window.innerWidth;
  if (!drawn || (!turned && document.activeElement?.matches("input"))) return;
  giveBack();
  order(drawn);
  fitSheet();
  seenAnew();
}

function whereText(snapshot) {
  const parts = [];
  if (snapshot.round) parts.push(say("round", { n: snapshot.round }));
  if (snapshot.turn) parts.push(say("turn", { n: snapshot.turn }));
  if (snapshot.phase) parts.push(snapshot.phase);
  return parts.join(" · ");
}

// ------------------------------------------------------------------------------------------------ boards

function drawBoards(snapshot, touched) {
  const many = snapshot.boards.length > 1;
  const boards = snapshot.boards.map((board) => {
    const drawn = picture(board.picture);
    drawn.setAttribute("aria-label", board.title);
    for (const place of drawn.querySelectorAll("[data-place]")) {
      hold(place, touched);
      place.setAttribute("role", (place.dataset.role = "img"));
      for (const sign of place.children) sign.setAttribute("aria-hidden", "true"); // the label says it in words
      place.prepend(shape("title")); // what a mouse that rests there is told
      place.firstChild.textContent = place.getAttribute("aria-label");
    }
    const owner = board.owner === null ? "" : ` (${snapshot.panels[board.owner].name})`;
    drawn.removeAttribute("width");
    drawn.removeAttribute("height");
    const frame = make("div", { class: "frame" }, drawn);
    const others = board.owner !== null && snapshot.seat !== null && board.owner !== snapshot.seat;
    const figure = make("figure", { class: `board ${board.shape}${others ? " of-others" : ""}`, "data-title": board.title, "data-board": `${board.name} ${board.owner ?? ""}`, "data-owner": board.owner ?? "" }, frame);
    const { width, height } = drawn.viewBox.baseVal;
    figure.style.setProperty("--ratio", (width / height).toFixed(3));
    figure.style.setProperty("--zoom", zoomOf(figure));
    const spaces = drawn.querySelectorAll("[data-place]").length;
    const weight = Math.max(1, Math.min(4, Math.sqrt(spaces) / 3));
    figure.style.setProperty("--weight", weight.toFixed(1));
    drawn.dataset.least = board.least;
    figure.style.setProperty("--gives", gives(drawn));
    figure.style.setProperty("--clear", `${clear(drawn)}px`);
    const { least, tall } = readable(drawn);
    figure.style.setProperty("--least", `max(${(weight * 9 + 4).toFixed(1)}rem, ${least}px)`);
    figure.style.setProperty("--tall", `${tall}px`);
    if (many) figure.prepend(make("figcaption", {}, board.title + owner));
    const below = [board.legend.length ? legend(board.legend) : null, spaces >= MANY_SPACES ? zooming(figure) : null].filter(Boolean);
    if (below.length) figure.append(make("div", { class: "below" }, ...below));
    return figure;
  });
  sized.disconnect();
  fill(byId("boards"), ...boards);
  for (const one of [byId("boards"), ...document.querySelectorAll("#boards .frame")]) sized.observe(one);
  enlarge();
  byId("boards").classList.toggle("many", many);
  byId("boards").classList.toggle("none", !boards.length);
  byId("middle").classList.toggle("cards", !boards.length);
}

// What comes above or below later, such as a result, leaves boards less room.
const sized = new ResizeObserver(() => seenAnew());

// Boards come first where what lies beside them would push them off the screen; a pile shows that it goes on.
function order(snapshot) {
  const middle = byId("middle");
  for (const areas of [byId("common"), byId("own")]) keepRoom(areas);
  for (const signs of document.querySelectorAll("#boards .signs")) foldSigns(signs);
  widen(middle);
  byId("own").classList.toggle("near", byId("own").offsetHeight < NEAR * middle.clientHeight);
  middle.classList.toggle("first", byId("common").offsetHeight > TALL * window.innerHeight);
  arrange(snapshot);
  enlarge();
  leaveOutNames();
  magnify();
  for (const one of document.querySelectorAll("#middle, #people, #stage, #news, .frame, .of-pile .items")) reachable(one);
  for (const list of document.querySelectorAll(".of-pile .items")) list.classList.toggle("beyond", list.scrollWidth > list.clientWidth);
}

// What lay beside the boards keeps its room when it goes, so that boards neither move nor change their size with it.
function keepRoom(areas) {
  const room = `${window.innerWidth} ${window.innerHeight}`;
  areas.style.minHeight = "";
  areas.classList.remove("kept");
  const high = byId("middle").classList.contains("cards") ? 0 : areas.offsetHeight;
  const kept = areas.dataset.room === room ? Number(areas.dataset.high) : 0;
  const keeps = kept > high && kept - high < EMPTY * window.innerHeight;
  areas.classList.toggle("kept", keeps);
  if (keeps) areas.style.minHeight = `${kept}px`;
  Object.assign(areas.dataset, { room, high: keeps ? kept : high });
}

// Where cards have the table to themselves they are as large as all of them fit.
// They become smaller when more lie there, and not larger again with every card that goes.
function widen(middle) {
  const room = `${middle.clientWidth} ${middle.clientHeight}`;
  const from = room === widen.room ? SCALES.indexOf(widen.scale) : 0;
  if (room !== widen.room) inColumns(byId("common"), []);
  const scales = middle.classList.contains("cards") ? SCALES.slice(from) : [1];
  const fits = (scale) => {
    middle.style.setProperty("--scale", scale);
    const whole = middle.scrollHeight <= middle.clientHeight && middle.scrollWidth <= middle.clientWidth;
    return whole && (scale <= 1 || free(middle) > FREE);
  };
  const grows = getComputedStyle(middle).overflowY === "visible"; // on a phone the page is as long as it needs
  const known = !grows && room === widen.room ? widen.long : null;
  if (known) inColumns(byId("common"), known);
  let scale = (grows ? [1] : scales).find(fits);
  const long = known ?? (scale || grows || !middle.matches(".cards") ? null : longRows(middle, byId("common")));
  if (long && !known) scale = scales.find(fits);
  Object.assign(widen, { room, long, scale: scale ?? (grows ? 1 : scales.at(-1)) });
  middle.style.setProperty("--scale", widen.scale);
}

// What would not fit one below the other lies in two columns: the longest rows in one, and beside them all that is short.
// How many are long is tried out; it stays so while one plays. Gives their ids.
function longRows(middle, common) {
  const areas = [...common.children].filter((area) => area.matches(".area"));
  const wide = new Map(areas.map((area) => [area.dataset.place, area.getBoundingClientRect().width]));
  const ids = [...wide.keys()].sort((one, other) => wide.get(other) - wide.get(one));
  let [best, least] = [null, middle.scrollHeight];
  for (let count = 2; count < ids.length; count++) {
    inColumns(common, ids.slice(0, count));
    if (middle.scrollHeight < least) [best, least] = [ids.slice(0, count), middle.scrollHeight];
  }
  inColumns(common, best ?? []);
  return best;
}

function inColumns(common, long) {
  const parts = [...common.querySelectorAll(":scope > :not(.rows), :scope > .rows > *")].sort((one, other) => one.dataset.nth - other.dataset.nth);
  common.classList.toggle("parted", long.length > 0);
  const rows = (name, found) => make("div", { class: `rows ${name}` }, ...found);
  const isLong = (part) => long.includes(part.dataset.place);
  if (long.length) fill(common, rows("short-ones", parts.filter((part) => !isLong(part))), rows("long-ones", parts.filter(isLong)));
  else fill(common, ...parts);
}

// What of the height nothing lies on.
function free(middle) {
  const lying = [...middle.children].reduce((sum, part) => sum + part.offsetHeight * (part.currentCSSZoom ?? 1), 0);
  return 1 - lying / middle.clientHeight;
}

// What can be scrolled can be scrolled by the keyboard, too.
function reachable(element) {
  const scrolls = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
  element.toggleAttribute("tabindex", scrolls);
  if (scrolls) element.tabIndex = 0;
}

function zoomOf(figure) {
  return zooms.get(figure.dataset.board) ?? 1;
}

// Makes one board, or all, larger; by nothing: as large as it was at first. What is at a point of the window, or in the
// middle of a frame, stays there.
export function rescale(by, only = null, at = null) {
  const found = [];
  for (const figure of only ? [only] : document.querySelectorAll("#boards .board")) {
    const frame = figure.querySelector(".frame");
    const before = zoomOf(figure);
    const zoom = by ? Math.min(5, Math.max(frame.querySelector(".needs") ? 0.4 : 1, before * by)) : 1;
    if (zoom === before) continue;
    const { left, top } = frame.getBoundingClientRect();
    const [x, y] = at ? [at.x - left, at.y - top] : [frame.clientWidth / 2, frame.clientHeight / 2];
    found.push([frame, x, y, (frame.scrollLeft + x) / frame.scrollWidth, (frame.scrollTop + y) / frame.scrollHeight]);
    zooms.set(figure.dataset.board, zoom);
    figure.style.setProperty("--zoom", zoom);
  }
  if (!found.length) return;
  seenAnew();
  for (const [frame, x, y, across, down] of found) {
    frame.scrollLeft = across * frame.scrollWidth - x;
    frame.scrollTop = down * frame.scrollHeight - y;
    noteSight(frame);
    reachable(frame);
  }
}

function seenAnew() {
  enlarge();
  for (const frame of document.querySelectorAll("#boards .frame")) keepSight(frame);
  leaveOutNames();
  magnify();
  drawOutlines();
}
afterwards(seenAnew);

// Fits the table to its window from now on.
export function fitted() {
  refit.wide = window.innerWidth;
  window.addEventListener("resize", () => requestAnimationFrame(refit));
  watchSight(byId("boards"));
}

function zooming(figure) {
  const smaller = make("button", { type: "button", class: "tool", "aria-label": say("smaller"), onclick: () => rescale(0.8, figure) }, "−");
  const larger = make("button", { type: "button", class: "tool", "aria-label": say("bigger"), onclick: () => rescale(1.25, figure) }, "+");
  return make("div", { class: "zoom" }, smaller, larger);
}

// What signs stand for: one line below the board, or, where they are more, behind a button; so it takes no room from it.
function legend(entries) {
  const items = entries.map((entry) =>
    make("li", {}, sign(entry.sign, entry.fill, entry.ink, entry.image), entry.title),
  );
  const box = make("div", { class: "signs" });
  const button = make("button", { type: "button", class: "tool unfold", onclick: () => open(!legendOpen) }, `${say("legend")} (${entries.length})`);
  const open = (now) => {
    legendOpen = now; // it stays as somebody wants it
    box.classList.toggle("open", now);
    button.setAttribute("aria-expanded", String(now));
  };
  open(legendOpen);
  box.append(button, make("ul", { class: "legend", "aria-label": say("legend") }, ...items));
  return box;
}

function foldSigns(signs) {
  signs.classList.remove("many");
  const list = signs.querySelector(".legend");
  const one = getComputedStyle(list).flexWrap === "nowrap";
  signs.classList.toggle("many", one ? list.scrollWidth > list.clientWidth + 1 : list.childElementCount > MOST_SIGNS);
}

function sign(text, fillColour, ink, image) {
  const colours = fillColour ? { "--fill": fillColour, "--ink": ink } : {};
  return make("span", { class: fillColour ? "sign filled" : "sign", "aria-hidden": "true", ...colours }, image ? make("img", { src: image, alt: "" }) : text);
}

// Something that can be taken hold of at times: then it is a button, else a group with a name.
function group(attributes, ...children) {
  return make("div", { role: "group", "data-role": "group", ...attributes }, ...children);
}

function hold(element, touched) {
  element.addEventListener("click", (event) => {
    if (!element.matches(".lit, .held") && element.parentElement.closest(".lit[data-place]")) return; // what it lies in is meant
    event.stopPropagation();
    if (event.detail > 1) return; // the second click of two was not meant for what the first has brought
    touched(element.dataset.place, element);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      touched(element.dataset.place, element);
    }
  });
}

// ------------------------------------------------------------------------------------------------ places

let owners = []; // the colours of the players
let under = new Map(); // places that belong to a thing lie with it: by its id

// Draws what lies on the table, and gives what stands at its side.
function drawAreas(snapshot, touched) {
  const lying = new Set(snapshot.areas.flatMap((area) => area.items?.map((item) => item.id) ?? []).filter(Boolean));
  owners = snapshot.panels.map((panel) => panel.fill);
  under = new Map();
  for (const area of snapshot.areas.filter((area) => lying.has(area.with))) under.set(area.with, [...(under.get(area.with) ?? []), area]);
  const shown = (area) => !lying.has(area.with) && (area.sort !== "place" || area.items.length || area.shape !== "row" || area.seat === null);
  const own = (area) => area.seat === snapshot.seat && area.seat !== null && !aside(area);
  const usual = (area) => (own(area) ? "bottom" : area.seat === null ? "top" : "");
  const at = (where) => snapshot.areas.filter((area) => shown(area) && (area.at || usual(area)) === where && (area.seat === null || own(area)));
  const top = at("top");
  const places = top.filter((area) => area.sort === "place").sort((one, other) => counted(other) - counted(one)); // stacks side by side
  const drawn = places.map((area) => drawArea(area, touched));
  const told = top.filter((area) => area.sort !== "place").map((area) => drawArea(area, touched));
  byId("common").classList.remove("parted");
  fill(byId("common"), ...drawn, told.length ? make("div", { class: "told-aside" }, ...told) : "");
  for (const [number, part] of [...byId("common").children].entries()) part.dataset.nth = number;
  fill(byId("own"), ...at("bottom").map((area) => drawArea(area, touched)));
  return at("side").map((area) => drawArea(area, touched));
}

// What is told by its number alone: a stock, or a pile of which nothing is known.
function counted(area) {
  if (area.shape === "count") return true;
  return area.shape === "pile" && area.count > 1 && area.items.every((item) => item.hidden);
}

// What stands with the player rather than on the table.
function aside(area) {
  return area.sort !== "place" || counted(area);
}

function drawArea(area, touched) {
  if (area.sort !== "place") {
    const title = area.title && area.text ? make("span", { class: "key" }, area.title) : null;
    const said = tokens(area, touched) || make(title ? "b" : "span", {}, area.text || area.title);
    return make("p", { class: "fact", ...counting("of-table", area) }, title, " ", said);
  }
  const stack = counted(area) && area.shape !== "count" && area.count ? make("span", { class: "stack", "aria-hidden": "true" }, String(area.count)) : null;
  const count = !stack && (area.count > SEEN || counted(area)) ? make("span", { class: "count" }, String(area.count)) : null;
  const head = make("h3", {}, under.get(area.with)?.includes(area) ? area.each : area.title, count);
  const name = `of-${area.shape}${area.items.length > DENSE ? " dense" : ""}`;
  const box = group({ class: `area ${name}`, "data-place": area.id, "aria-label": `${area.title}: ${area.count}` }, head);
  hold(box, touched);
  if (stack) box.append(stack);
  else if (!counted(area)) {
    const items = area.items.map((item) => drawWith(item, area, touched));
    const cards = items.filter((item) => item.matches(".item:not(.back)"));
    if (!cards.every((card) => card.matches(".brief"))) for (const card of cards) card.classList.remove("brief"); // names of one row are of one size
    box.append(items.length ? make("div", { class: "items" }, ...items) : make("p", { class: "empty" }, say("empty")));
  }
  return box;
}

// What is told of a player or the game, by what it is called; where it is one number, how much.
function counting(whose, { title, text, tokens, name, amount: told }) {
  if (told !== undefined) return { "data-value": `${whose} ${name}`, "data-amount": told };
  if (tokens?.some((token) => [...token.title].length > 1)) return {}; // each sort is told by itself
  const [, amount] = /^(?:.*: )?(-?\d+)$/.exec(text) ?? [];
  return { "data-value": `${whose} ${title || text.replace(/\d+/g, "#")}`, "data-amount": amount };
}

// A thing, with the places that belong to it.
function drawWith(item, area, touched) {
  const drawn = drawItem(item, touched);
  if (item.fill && item.fill === owners[area.seat]) drawn.classList.remove("coloured"); // whose it is shows where it lies
  const places = under.get(item.id) ?? [];
  return places.length ? make("div", { class: "with" }, drawn, ...places.map((place) => drawArea(place, touched))) : drawn;
}

// Tokens of several sorts, each with its number; those that are called by one sign, such as dice, as often as they are there.
function tokens(found, touched) {
  if (!found.tokens?.length) return null;
  const drawn = found.tokens.flatMap((token) => {
    const label = `${token.count} ${token.title}`;
    if ([...token.title].length === 1) {
      return Array.from({ length: Math.min(token.count, 12) }, () => group({ class: "token sole", "data-place": token.id, "aria-label": label }, token.title));
    }
    const dot = token.fill ? make("span", { class: "dot", "--fill": token.fill, "--ink": token.ink, "data-sign": token.sign }) : null;
    const marks = { class: dot && token.sign ? "token signed" : "token", "data-place": token.id, "data-value": token.id, "data-amount": token.count };
    return [group({ ...marks, "aria-label": label }, dot, make("b", {}, String(token.count)), " ", make("span", { class: "word" }, token.title))];
  });
  for (const one of drawn) hold(one, touched);
  return make("span", { class: "tokens" }, ...drawn);
}

function drawItem(item, touched) {
  const many = item.count > 1 ? `${item.count} × ` : "";
  if (item.hidden) {
    const seen = (item.facts || []).join(", ");
    const label = [many + say("hidden"), seen].filter(Boolean).join(", ");
    const box = group({ class: seen ? "item back marked" : "item back", "data-place": item.id, "aria-label": label }, many + seen || "\u00a0");
    if (item.id) hold(box, touched);
    return box;
  }
  const label = [many + item.text, ...item.facts, item.about].filter(Boolean).join(", ");
  const told = [many + item.text, ...item.facts, item.about].filter(Boolean).join("\n");
  const box = group({ class: "item", "data-place": item.id, "data-name": item.text, "data-told": told, "aria-label": label, title: label });
  if (item.picture) {
    const drawn = picture(item.picture);
    drawn.setAttribute("aria-hidden", "true");
    box.classList.add("tile-item");
    box.append(drawn);
  } else if (item.fill) {
    box.classList.add("coloured");
    box.style.setProperty("--fill", item.fill);
  }
  if (item.image) {
    box.classList.add("pictured");
    box.append(make("img", { src: item.image, alt: "" }));
  }
  if (item.face) {
    box.classList.add("card");
    if (item.face.ink) box.style.setProperty("--face", item.face.ink);
    for (const part of ["corner", "middle", "below", "corner other"]) {
      const [name] = part.split(" ");
      if (item.face[name]) box.append(make("span", { class: `face-${part}`, "aria-hidden": "true" }, item.face[name]));
    }
    if (many) box.append(make("span", { class: "name" }, many));
    hold(box, touched);
    return box;
  }
  if (item.facts.length || item.about) box.classList.add("telling");
  else if ([...many + item.text].length <= BRIEF) box.classList.add("brief");
  box.append(make("span", { class: "name" }, many + item.text));
  for (const fact of item.facts) box.append(" ", make("span", { class: "fact" }, fact));
  if (item.about && item.about.length < 60) box.append(" ", make("span", { class: "about" }, item.about));
  hold(box, touched);
  return box;
}

// ------------------------------------------------------------------------------------------------ players

function drawPeople(snapshot, beside, touched) {
  const across = acrossTheTable(snapshot);
  const did = latest(snapshot);
  const people = snapshot.panels.map((panel) => drawPerson(panel, snapshot, did.get(panel.seat), touched));
  const mine = across ? people[snapshot.seat] : null;
  fill(byId("people"), ...(across ? [] : people), ...beside);
  fill(byId("others"), ...(across ? afterMine(people, snapshot.seat) : []));
  if (mine) byId("own").prepend(mine);
  document.querySelector("main").classList.toggle("no-people", !byId("people").childElementCount);
}

function drawPerson(panel, snapshot, did, touched) {
  const own = panel.seat === snapshot.seat;
  const label = panel.name + (own ? ` (${say("you")})` : "");
  const bot = botOf(snapshot.seats?.[panel.seat]);
  const head = make(
    "h2",
    { "--fill": panel.fill, "--ink": panel.ink },
    sign(panel.sign, panel.fill, panel.ink),
    make("span", { class: "name" }, label),
    snapshot.result?.winners.includes(panel.seat) ? make("span", { class: "won", role: "img", "aria-label": say("won") }, "★") : null,
    bot ? make("span", { class: "bot", title: bot }, say("a_bot")) : null,
  );
  const values = panel.values.map((value) => {
    const key = value.title && value.text ? make("span", { class: "key" }, value.title) : null;
    return make("li", counting(panel.id, value), key, key ? " " : null, tokens(value, touched) || make("span", { class: "value" }, value.text || value.title));
  });
  const across = acrossTheTable(snapshot);
  const box = group(
    { class: `person${panel.acting ? " acting" : ""}${own ? " mine" : ""}${across && !own ? " seat" : ""}`, "data-place": panel.id, "data-seat": panel.seat, "aria-label": label },
    head,
    values.length ? make("ul", { class: "values" }, ...values) : null,
    own ? null : make("p", { class: "latest" }, did ?? ""),
  );
  const lies = (area) => !under.get(area.with)?.includes(area) && (area.sort !== "place" || area.count);
  const areas = snapshot.areas.filter((area) => area.seat === panel.seat && (own ? aside(area) : lies(area)));
  if (areas.length) box.append(make("div", { class: "areas" }, ...areas.map((area) => drawArea(area, touched))));
  hold(box, touched);
  return box;
}

// Which bot sits there, if it is one.
function botOf(who = "") {
  const [kind, name, level] = who.split(":");
  return kind === "bot" ? botName(name, level) : "";
}

// Where cards have the table to themselves, the others sit across it, with what lies before them.
function acrossTheTable(snapshot) {
  return !snapshot.boards.length;
}

// Round the table, from the one who sits after this seat.
function afterMine(people, seat) {
  return seat === null ? people : [...people.slice(seat + 1), ...people.slice(0, seat)];
}

// ------------------------------------------------------------------------------------------------ what changed

// Spaces by their ids; things by what they are and where, for their ids tell their places in a row.
export function labels() {
  const found = new Map();
  for (const element of document.querySelectorAll(CHANGING)) {
    const { id, look } = seen(element);
    found.set(id, [...(found.get(id) ?? []), look]);
  }
  return found;
}

const CHANGING = "#boards [data-place], #common .item, #own .item, #others .item, main [data-value]";

function seen(element) {
  if (element.dataset.value) return { id: element.dataset.value, look: `${element.textContent}\n${element.dataset.amount ?? ""}` };
  const look = element.getAttribute("aria-label") + element.querySelectorAll(":is(circle,line,use):not(.ghost *)").length;
  return { id: element.matches(".item") ? element.closest(".area").dataset.place : element.dataset.place, look };
}

// By how much a number has changed.
function difference(before, now) {
  const [old, found] = [before, now].map((look) => look.split("\n")[1]);
  const by = Number(found) - Number(old);
  if (!old || !found || !by) return "";
  return by > 0 ? `+${by}` : `−${-by}`;
}

export function markChanged(since) {
  const before = new Map([...since].map(([id, looks]) => [id, [...looks]]));
  for (const element of document.querySelectorAll(CHANGING)) {
    const { id, look } = seen(element);
    const known = before.get(id);
    const at = known ? known.indexOf(look) : -1;
    element.classList.toggle("fresh", Boolean(known) && at < 0);
    if (element.dataset.value && known && at < 0) element.dataset.by = difference(known[0], look);
    if (at >= 0) known.splice(at, 1);
  }
  drawOutlines();
}
