// The story of the play. A click on a line shows on the table what it is about: what it names.

import { byId, make } from "./dom.js";
import { drawOutlines } from "./outlines.js";
import { fitSheet } from "./sheet.js";
import { newLines } from "./since.js";
import { reveal } from "./views.js";
import { say } from "./words.js";

export function drawLog(snapshot) {
  const log = byId("log");
  const lines = snapshot.log;
  const known = [...log.children];
  let same = 0;
  while (same < known.length && same < lines.length && known[same].textContent === lines[same].text && known[same].dataset.at === String(lines[same].at)) same++;
  for (const line of known.slice(same)) line.remove();
  const forced = new Set(snapshot.forced);
  for (const line of lines.slice(same)) log.append(drawLine(line, snapshot.panels[line.seat], allForced(line, forced)));
  const fresh = new Set(snapshot.seat === null ? [] : newLines(snapshot));
  lines.forEach((line, number) => log.children[number].classList.toggle("since", fresh.has(line)));
  for (const button of log.querySelectorAll("button")) button.tabIndex = -1;
  if (lines.length) log.lastElementChild.firstElementChild.tabIndex = 0;
  if (lines.length > same) keepLast(log);
}

// Where the story has no room of its own it opens at what one has not read yet.
export function openStory() {
  const open = byId("story").classList.toggle("open");
  const fresh = byId("log").querySelector(".since");
  if (open && fresh) byId("log").scrollTop += fresh.getBoundingClientRect().top - byId("log").getBoundingClientRect().top;
}

// The last line stays in sight while what is asked above the story grows or shrinks, until somebody scrolls away from it.
function keepLast(log) {
  log.scrollTop = log.scrollHeight;
  if (keepLast.sized) return;
  let height = log.clientHeight;
  keepLast.sized = new ResizeObserver(() => {
    const atEnd = log.scrollHeight - log.scrollTop - height < 8;
    if (atEnd) log.scrollTop = log.scrollHeight;
    height = log.clientHeight;
  });
  keepLast.sized.observe(log);
}

// A line may tell of several steps; it was the only choice if none of them was one.
function allForced(line, forced) {
  for (let at = line.from; at <= line.at; at++) if (!forced.has(at)) return false;
  return true;
}

function drawLine(line, panel, forced) {
  const kind = `${panel ? "by" : "said"}${forced ? " forced" : ""}`;
  const button = make("button", { type: "button", onclick: () => pointTo(line.text), onkeydown: step }, line.text);
  if (forced) button.dataset.note = say("forced");
  return make("li", { class: kind, "data-at": line.at, "--fill": panel?.fill }, button);
}

// The arrows go from line to line.
function step(event) {
  const line = event.target.closest("li");
  const next = { ArrowUp: line.previousElementSibling, ArrowDown: line.nextElementSibling }[event.key];
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  event.stopPropagation();
  next?.firstElementChild.focus();
}

function pointTo(text) {
  const places = [...document.querySelectorAll("#boards [data-place], main .item[data-place]")];
  for (const place of places) place.classList.remove("told-of");
  const named = new Map();
  for (const place of places) {
    const name = place.dataset.name ?? place.getAttribute("aria-label").split(":")[0];
    if (name) named.set(name, [...(named.get(name) ?? []), place]);
  }
  let left = text;
  for (const name of [...named.keys()].sort((one, other) => other.length - one.length)) {
    const found = new RegExp(`(?<![\\p{L}\\p{N},])${RegExp.escape?.(name) ?? name.replace(/[^\p{L}\p{N}]/gu, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");
    if (!found.test(left)) continue;
    left = left.replace(found, " "); // `1,1` is not told of by `-1,1`
    for (const place of named.get(name)) place.classList.add("told-of");
  }
  drawOutlines();
  const first = document.querySelector("main .told-of");
  if (first) {
    byId("story").classList.remove("open"); // it would lie over what it shows
    reveal(first);
    fitSheet();
  }
  first?.scrollIntoView({ block: "nearest" });
}
