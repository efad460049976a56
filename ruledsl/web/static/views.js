// On a phone what does not fit on the screen is parted into views, one tap away from each other. As little as possible is
// parted off: first the other players, then what lies beside the boards, then each board, at last what is one's own.

import { byId, fill, make } from "./dom.js";
import { say } from "./words.js";

const PHONE = matchMedia("(max-width: 44rem)");
const LEVELS = 4;
const PINNED = 0.3; // of the height above the sheet: what is one's own stays in sight if it takes no more
const STRIP = 0.17; // of the height of the window
const LONG = 45; // letters: a value that is told in so many is told with the players
const one = { level: 0, room: "", seen: "main", views: [], redraw: () => {}, panel: 0, panelRoom: "" };

export function onPhone() {
  return PHONE.matches;
}

// What is to be done after something has come into sight.
export function afterwards(redraw) {
  one.redraw = redraw;
}

// Parts what has been drawn anew, for the room there is now. What has once been parted stays so, or things would jump.
export function arrange(snapshot = one.snapshot) {
  if (!snapshot) return;
  const room = `${PHONE.matches} ${window.innerWidth} ${window.innerHeight} ${snapshot.language}`;
  if (room !== one.room) Object.assign(one, { room, level: 0 });
  one.snapshot = snapshot;
  if (!PHONE.matches) {
    byId("people").style.minHeight = "";
    parted([]);
    drawTabs();
    return;
  }
  for (; ; one.level++) {
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

// One's own panel keeps its height when numbers in it become shorter.
export function keepPanel() {
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
  own.classList.toggle("tall", level >= LEVELS && own.offsetHeight > PINNED * byId("stage").clientHeight);
  if (!boards.length || level < 2) add("main", boards.length ? say("board") : yours, level < 2 ? byId("common") : [], boards.length ? [] : own);
  else if (own.matches(".tall")) add("yours", yours, own);
  const row = level < LEVELS && strip(); // what one takes from it is seen with the board to which it goes
  byId("boards").classList.toggle("beside-row", level >= 2 && row);
  if (level >= 2 && boards.length) add("table", say("on_the_table"), row ? [] : byId("common"), beside);
  for (const person of others) {
    const key = `of ${person.dataset.seat}`;
    add(found.has(key) ? key : "players", say("players"), person);
  }
  if (level === 1) add("players", say("players"), beside);
  return level && found.size > 1 ? [...found.values()] : [];
}

// Whether what lies open beside the boards is a strip that takes little room.
function strip() {
  const common = byId("common");
  return common.querySelector(".items") !== null && common.offsetHeight > 0 && common.offsetHeight < STRIP * window.innerHeight;
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
  const whole = (view) => {
    look(view.key);
    return stage.scrollHeight <= stage.clientHeight + 1;
  };
  if (!one.views.length) return stage.scrollHeight <= stage.clientHeight + 1;
  return one.views.filter(({ parts }) => parts.some((part) => part.matches(".board, .own"))).every(whole);
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
  look();
  keepPanel();
  drawTabs();
  byId("stage").scrollTop = 0;
  one.redraw();
}

// Brings the view into sight that something is in.
export function reveal(element) {
  const key = element.closest("[data-view]")?.dataset.view;
  if (key && key !== one.seen && one.views.length) see(key);
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
