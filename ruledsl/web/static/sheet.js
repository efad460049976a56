// The sheet on a phone, on which stands what is asked. It keeps its height while one plays: it grows to the most that it
// has needed, up to a part of the screen, and further into room that the table does not need. One can lower it, and raise it to read all.

import { byId, fill, make } from "./dom.js";
import { arrange, onItsSide, onPhone, spare } from "./views.js";
import { say } from "./words.js";

const LEAST = 0.13; // of the height of the window
const MOST = 0.28;
const MOST_OF_ALL = 0.42; // if nothing else needs the room
let high = 0;
let more = 0; // what it has of room that the table does not need now
let stale = true; // the table was drawn anew since it was fitted
let last = {}; // what it was fitted to
let room = "";
let state = ""; // or `lowered`, `raised`

// With `whole` all of it is seen for the moment, though it covers some of the table.
export function fitSheet(whole = false) {
  const main = document.querySelector("main");
  const side = byId("side");
  const now = `${onPhone()} ${onItsSide()} ${window.innerWidth} ${window.innerHeight}`;
  stale ||= now !== room;
  if (now !== room || !byId("result").hidden) high = more = 0; // nothing more is asked in the end
  room = now;
  side.classList.remove("raised", "lowered");
  if (!onPhone() || onItsSide()) {
    main.style.removeProperty("--sheet");
    if (stale) arrange();
    stale = false;
    return;
  }
  side.classList.add("measured");
  const needs = side.offsetHeight;
  side.classList.remove("measured");
  if (!whole) high = Math.ceil(Math.max(high, LEAST * window.innerHeight, Math.min(needs, MOST * window.innerHeight)));
  if (state === "raised" && needs <= high) state = "";
  const lies = whole && needs > high ? "raised" : state;
  if (lies) side.classList.add(lies);
  const most = Math.max(high, Math.min(needs, MOST_OF_ALL * window.innerHeight));
  if (stale || lies || lies !== last.lies || high !== last.high || most > last.most) {
    lay(lies === "lowered" ? side.offsetHeight : high);
    const wanted = Math.max(more, most - high);
    more = wanted > 0 && !lies ? Math.floor(Math.min(wanted, spare())) : 0;
    if (more) lay(high + more);
    last = { lies, high, most };
    stale = false;
  }
  drawFold(needs > high + more);
}

// Gives back what it has taken of the table's room: the table is drawn anew, and may need it now.
export function giveBack() {
  stale = true;
  if (more) document.querySelector("main").style.setProperty("--sheet", `${high}px`);
}

// So high it lies at the foot of the table. What has changed since the table was arranged may say now by how much.
function lay(pixels) {
  document.querySelector("main").style.setProperty("--sheet", `${pixels}px`);
  arrange();
}

// What is asked and cannot be answered on the table is not left lowered.
export function liftSheet() {
  if (state !== "lowered") return;
  state = "";
  fitSheet();
}

function set(next) {
  if (byId("story").classList.contains("open")) byId("story").classList.remove("open");
  else state = next;
  fitSheet();
}

function drawFold(more) {
  const button = (sign, label, next) => make("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: () => set(next) }, sign);
  const up = state === "lowered" || (more && !state) ? button("▴", say("raise"), state ? "" : "raised") : null;
  const down = state === "lowered" ? null : button("▾", say("lower"), state ? "" : "lowered");
  const known = `${state} ${more} ${document.documentElement.lang}`;
  if (byId("fold").dataset.known === known) return;
  byId("fold").dataset.known = known;
  fill(byId("fold"), up, down);
}
