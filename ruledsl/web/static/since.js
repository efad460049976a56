// What has happened since this seat decided last: it is read from the story, so it is the same after coming back.

import { byId, fill, make } from "./dom.js";
import { say } from "./words.js";

// The lines of the story after the last one of this seat; who only looks on is told the last one.
export function newLines(snapshot) {
  const { log, seat } = snapshot;
  if (seat === null) return log.slice(-1);
  return log.slice(log.findLastIndex((line) => line.seat === seat) + 1);
}

// What each player did last, without the name; nothing of those who did nothing since, or before all was laid out anew.
export function latest(snapshot) {
  const found = new Map();
  const anew = snapshot.interludes.findLast((line) => line < (snapshot.log.at(-1)?.at ?? 0)) ?? -1;
  for (const line of newLines(snapshot)) {
    if (line.at <= anew) continue;
    const name = snapshot.panels[line.seat]?.name;
    if (name) found.set(line.seat, line.text.startsWith(`${name}: `) ? line.text.slice(name.length + 2) : line.text);
  }
  return found;
}

const ROOM = 56; // pixels: as much of it stands above what is asked; the last line always stands there whole

// Where there is no room for the whole story, the new lines stand above what is asked, as many as fit.
export function drawNews(snapshot, open) {
  const lines = newLines(snapshot);
  const box = byId("news");
  const items = lines.map((line) => make("li", { "--fill": snapshot.panels[line.seat]?.fill, class: snapshot.panels[line.seat] ? "by" : "said" }, line.text));
  box.hidden = !lines.length;
  box.onclick = open;
  fill(box, ...items);
  let left = 0;
  const more = make("li", { class: "more" });
  for (const item of items.slice(0, -1)) {
    if (box.offsetHeight <= ROOM) break;
    item.classList.add("older");
    left++;
    more.textContent = say("more_news", { n: left });
    box.prepend(more);
  }
}
