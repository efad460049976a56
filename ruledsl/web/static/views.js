// On a phone what does not fit on the screen is parted into views, one tap away from each other. As little as possible is
// parted off: first the other players, then what lies beside the boards, then each board, then what is one's
// own; at last a board becomes smaller. Cards lie closer together before anything is parted off.

import { byId, fill, make } from "./dom.js";
import { say } from "./words.js";

const PHONE = matchMedia("(max-width: 44rem), (max-height: 30rem)"); // as page.html says it
const LYING = matchMedia("(min-width: 30rem) and (max-height: 30rem) and (orientation: landscape)"); // as phone.css
const LEVELS = 6;
const PINNED = 0.3; // of the height above the sheet: what is one's own stays in sight if it takes no more
const STRIP = 0.17; // of the height of the window
const LONG = 45; // letters: a value that is told in so many is told with the players
const one = { level: 0, strip: 0, tight: false, moved: "", room: "", seen: "main", views: [], redraw: () => {}, panel: 0, panelRoom: "" };

export function onPhone() {
  return PHONE.matches;
}

// A phone that lies on its side has what is asked beside the table, not below it.
export function onItsSide() {
  return LYING.matches;
}

// What is to be done after something has come into sight.
export function afterwards(redraw) {
  one.redraw = redraw;
}

// Parts what has been drawn anew, for the room there is now. What has once been parted stays so, or things would jump.
export function arrange(snapshot = one.snapshot) {
  if (!snapshot) return;
  const room = `${PHONE.matches} ${window.innerWidth} ${window.innerHeight} ${snapshot.language}`;
  if (room !== one.room) Object.assign(one, { room, level: 0, strip: 0, tight: false });
  one.snapshot = snapshot;
  if (!PHONE.matches) {
    byId("people").style.minHeight = "";
    byId("middle").classList.remove("tight");
    parted([]);
    drawTabs();
    return;
  }
  for (; ; next()) {
    byId("common").classList.remove("bare");
    byId("middle").classList.toggle("tight", one.tight);
    parted([]); // all is measured as it would lie there together
    parted(views(one.level));
    drawTabs(); // they need room, too
    if (one.level === LEVELS || !byId("result").hidden || byId("past") || fits()) break;
  }
  if (!one.views.some(({ key }) => key === one.seen)) one.seen = one.views[0]?.key ?? "main";
  look();
  keepPanel();
  drawTabs();
}

// Cards first lie closer together; then one thing more is parted off.
function next() {
  if (!one.tight && byId("middle").matches(".cards")) one.tight = true;
  else one.level++;
}

// How much of the height no view needs.
export function spare() {
  const stage = byId("stage");
  const boards = byId("boards");
  stage.style.flex = "0 0 0px";
  boards.style.setProperty("--whole", 1); // a board gives way to the table alone
  const needs = inEach(one.views, () => stage.scrollHeight);
  stage.style.flex = "";
  boards.style.removeProperty("--whole");
  return Math.max(0, stage.clientHeight - Math.max(0, ...needs));
}

// One's own panel keeps its height when numbers in it become shorter.
function keepPanel() {
  const people = byId("people");
  if (!PHONE.matches) return;
  people.style.minHeight = "";
  const room = `${one.room} ${one.level} ${one.seen}`;
  one.panel = Math.max(people.offsetHeight, one.panelRoom === room ? one.panel : 0);
  one.panelRoom = room;
  if (people.offsetHeight) people.style.minHeight = `${one.panel}px`;
}

function views(level) {
  const found = new Map();
  const add = (key, label, ...parts) => {
    const there = parts.flat().filter((part) => part && (part.childElementCount || part.matches(".area, .fact")));
    if (!there.length) return;
    if (!found.has(key)) found.set(key, { key, label, parts: [] });
    found.get(key).parts.push(...there);
  };
  const { panels, seat } = one.snapshot;
  const boards = [...document.querySelectorAll("#boards .board")];
  const shared = boards.filter((board) => !board.dataset.owner);
  const others = [...document.querySelectorAll(".person:not(.mine)")];
  const beside = [...document.querySelectorAll("#people > :not(.person)")];
  const own = byId("own");
  const yours = seat === null ? say("board") : say("yours");
  if (level >= 2 && !boards.length) add("table", say("on_the_table"), byId("common"), beside); // the middle of the table
  const apart = level >= 3 && (shared.length > 1 || shared.length < boards.length);
  for (const board of boards) {
    const owner = board.dataset.owner && Number(board.dataset.owner);
    if (owner !== "" && owner !== seat && level >= 2) add(`of ${owner}`, panels[owner].name, board);
    else if (apart && owner === "") add(`board ${board.dataset.title}`, board.dataset.title, board);
    else add(apart ? "yours" : "main", apart ? yours : shared.length === 1 && boards.length > 1 ? board.dataset.title : say(shared.length ? "board" : "yours"), board);
  }
  own.classList.toggle("tall", level >= LEVELS - 2 && own.offsetHeight > (level < LEVELS - 1 ? PINNED : 0) * byId("stage").clientHeight);
  if (!boards.length || level < 2) add("main", boards.length ? say("board") : yours, level < 2 ? byId("common") : [], boards.length ? [] : own);
  else if (own.matches(".tall")) add("yours", yours, own);
  const row = level >= 2 && level < LEVELS - 2 && strip(); // what one takes from it is seen with the board to which it goes
  byId("boards").classList.toggle("giving", row || (level >= LEVELS && boards.length === 1));
  if (level >= 2 && boards.length) add("table", say("on_the_table"), row ? stocks() : byId("common"), beside);
  for (const person of others) {
    const key = `of ${person.dataset.seat}`;
    add(found.has(key) ? key : "players", say("players"), person);
  }
  if (level === 1) add("players", say("players"), beside);
  return level && found.size > 1 ? [...found.values()] : [];
}

// Whether what lies open beside the boards is a strip that takes little room, if need be without what it is called.
function strip() {
  const common = byId("common");
  if (!common.querySelector(".items")) return false;
  const most = STRIP * window.innerHeight;
  const little = () => common.offsetHeight > 0 && common.offsetHeight < most;
  if (Number.parseFloat(common.style.minHeight) >= most) common.style.minHeight = ""; // the room that it kept for all of it
  for (const stock of stocks()) stock.classList.add("off");
  const named = little();
  common.classList.toggle("bare", !named);
  const fits = named || little();
  if (fits) {
    one.strip = Math.max(one.strip, common.offsetHeight); // it keeps its height when names in it are shorter
    common.style.minHeight = `${one.strip}px`;
  }
  for (const stock of stocks()) stock.classList.remove("off");
  common.classList.toggle("bare", fits && !named);
  return fits;
}

// What is told there by its number alone: the rest has more room without it.
function stocks() {
  return [...document.querySelectorAll("#common > .area:not(:has(> .items))")];
}

function parted(views) {
  one.views = views;
  for (const part of document.querySelectorAll("#stage [data-view]")) {
    part.removeAttribute("data-view");
    part.classList.remove("off");
  }
  for (const { key, parts } of views) for (const part of parts) part.dataset.view = key;
  byId("stage").classList.toggle("parted", views.length > 0);
  for (const value of document.querySelectorAll("#people > .mine .values > li")) value.classList.toggle("long", value.textContent.length > LONG && !value.querySelector(".token"));
}

// Whether all of each view with a board is in sight at once; a list of cards may be scrolled.
function fits() {
  const stage = byId("stage");
  const whole = one.views.filter(({ parts }) => parts.some((part) => part.matches(".board, .own")));
  return inEach(whole, () => stage.scrollHeight <= stage.clientHeight + 1).every(Boolean);
}

// What is found while one after the other of some views is in sight; where nothing is parted, in all together.
function inEach(views, find) {
  if (!one.views.length) return [find()];
  const found = views.map(({ key }) => {
    look(key);
    return find();
  });
  look();
  return found;
}

function look(seen = one.seen) {
  for (const { key, parts } of one.views) for (const part of parts) part.classList.toggle("off", key !== seen);
  const middle = byId("middle");
  byId("stage").dataset.seen = seen;
  byId("boards").classList.toggle("none", ![...document.querySelectorAll("#boards .board")].some((board) => !board.matches(".off")));
  middle.classList.toggle("empty", ![...middle.children].some((part) => part.checkVisibility() && part.childElementCount));
}

function drawTabs() {
  const box = byId("views");
  box.hidden = byId("seen").hidden = one.views.length < 2;
  box.setAttribute("aria-label", say("views"));
  byId("seen").textContent = one.views.find(({ key }) => key === one.seen)?.label ?? "";
  const kept = new Map([...box.children].map((tab) => [tab.dataset.view, tab]));
  const tabs = one.views.map(({ key, label }) => {
    const tab = kept.get(key) ?? make("button", { type: "button", class: "view", "data-view": key, onclick: () => see(key) });
    tab.setAttribute("aria-pressed", String(key === one.seen));
    if (tab.textContent !== label) fill(tab, make("span", {}, label));
    return tab;
  });
  if (tabs.length !== box.childElementCount || tabs.some((tab, at) => tab !== box.children[at])) fill(box, ...tabs);
  markViews();
}

export function see(key) {
  one.seen = key;
  one.moved = "";
  look();
  keepPanel();
  drawTabs();
  byId("stage").scrollTop = 0;
  one.redraw();
}

// Brings a view into sight in which things are: the one with most of them.
export function reveal(...elements) {
  const keys = elements.map((element) => element.closest("#stage [data-view]")?.dataset.view).filter(Boolean);
  const many = (key) => keys.filter((other) => other === key).length;
  const key = keys.reduce((best, other) => (many(other) > many(best) ? other : best), keys[0]);
  if (!key || key === one.seen || !one.views.length) return;
  const from = one.moved || one.seen;
  see(key);
  one.moved = from;
}

// What was asked elsewhere is answered: the view comes back that somebody had chosen.
export function comeBack() {
  if (one.moved && one.views.some(({ key }) => key === one.moved)) see(one.moved);
}

// Where something can be chosen.
export function markViews() {
  for (const tab of byId("views").children) {
    const view = one.views.find(({ key }) => key === tab.dataset.view);
    const asks = view?.parts.some((part) => part.matches(".lit") || part.querySelector(".lit"));
    tab.classList.toggle("asks", Boolean(asks));
    tab.title = asks ? say("asked_here") : "";
  }
}
