// The sheet on a phone, on which stands what is asked. It keeps its height while one plays: it grows to the most that it
// has needed, up to a part of the screen. One can lower it, and raise it to read all.

import { byId, fill, make } from "./dom.js";
import { arrange, keepPanel, onPhone } from "./views.js";
import { say } from "./words.js";

const LEAST = 0.13; // of the height of the window
const MOST = 0.25;
let high = 0;
let room = "";
let state = ""; // or `lowered`, `raised`

export function fitSheet() {
  const main = document.querySelector("main");
  const side = byId("side");
  const now = `${onPhone()} ${window.innerWidth} ${window.innerHeight}`;
  if (now !== room) high = 0;
  room = now;
  if (!onPhone()) {
    main.style.removeProperty("--sheet");
    return;
  }
  side.classList.remove("raised", "lowered");
  side.classList.add("measured");
  const needs = side.offsetHeight;
  side.classList.remove("measured");
  const before = main.style.getPropertyValue("--sheet");
  high = Math.ceil(Math.max(high, LEAST * window.innerHeight, Math.min(needs, MOST * window.innerHeight)));
  if (state === "raised" && needs <= high) state = "";
  if (state) side.classList.add(state);
  main.style.setProperty("--sheet", `${state === "lowered" ? side.offsetHeight : high}px`);
  drawFold(needs > high);
  if (main.style.getPropertyValue("--sheet") !== before) arrange();
  else keepPanel(); // it says now what has changed
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
