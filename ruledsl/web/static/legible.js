// What is written on boards can be read: a board whose signs would be too small is larger than its frame, names that would
// be too small are left out, and on a phone, where one sees a whole board first, signs are as large as they have room.

import { onPhone } from "./views.js";

const READABLE = 8; // pixels: the smallest writing on one of several boards
const SIGN = 7; // pixels: the smallest sign of a board that is larger than its frame, so that it can be read
const ON_PHONE = 4; // pixels: there a finger makes it larger, and one sees the whole of it first
const CLEAR = 5; // pixels: the smallest sign on a phone that lies on its side
const NAME = 6; // pixels: names of spaces that would be smaller are left out until the board is made larger
const FITS = 1.2; // times as large as the frame: a board that would need no more is shown whole
const NAMES = "text:is(.name, .at, .label):not(.of-ground)";
const MARGINS = 21; // pixels beside a board on a phone
const SMALL = 6.5; // pixels: signs on a board that gives way to what lies beside it
const TARGET = 32; // pixels: a space on it
const CELL = 48; // the size of a space in a picture
const MOST = 0.95; // of its size it keeps
const LEAST_OF_IT = 0.55;
const BASE = 0.36; // of the height of a text its line lies below its middle
const WANTED = 9; // pixels: as large as signs become where there is room
const LEAST = 5.7; // pixels: what would be smaller is left out, as names are
const LETTER = 0.7; // of the height of a text is the width of a letter
const INSIDE = 0.94; // of what a sign lies in, it fills
const CROWDED = 1.15; // times: what shares its space with something else
const BESIDE = 1.3; // times as large as it was drawn: what stands beside a space

function smallestName(drawn) {
  return Math.min(...[...drawn.querySelectorAll(NAMES)].map((text) => Number(text.getAttribute("font-size"))));
}

// How large a picture has to be so that what is written on it can be read. Names always stand there; the size of signs
// is that of the smallest there may be, not of those that lie there now: a board keeps its size while one plays on it.
export function readable(drawn) {
  const scale = Math.min(1, READABLE / Math.min(Number(drawn.dataset.least), smallestName(drawn)));
  const { width, height } = drawn.viewBox.baseVal;
  return { least: Math.ceil(width * scale), tall: Math.ceil(height * scale) };
}

// How much of its size a board on a phone may give up, so that more of the table is in sight.
export function gives(drawn) {
  const { width } = drawn.viewBox.baseVal;
  const scale = (window.innerWidth - MARGINS) / width; // if it is as wide as the screen
  const name = smallestName(drawn) * scale;
  const named = name >= NAME ? NAME / name : 0; // what is named there then stays so
  return Math.min(MOST, Math.max(named, SMALL / (Number(drawn.dataset.least) * scale), TARGET / (CELL * scale), LEAST_OF_IT)).toFixed(2);
}

// How high a board has to be on a phone so that its signs can be told apart while all of it is in sight.
export function clear(drawn) {
  return Math.ceil((drawn.viewBox.baseVal.height * CLEAR) / Number(drawn.dataset.least));
}

// A board whose signs would be too small to be read becomes larger than its frame, in which it can be moved.
export function enlarge() {
  for (const board of document.querySelectorAll("#boards .frame > svg")) {
    const frame = board.parentElement;
    const { scrollLeft, scrollTop } = frame;
    board.classList.remove("needs");
    const least = Number(board.dataset.least);
    const scale = (board.getScreenCTM()?.a ?? 0) / Math.max(1, Number(frame.parentElement.style.getPropertyValue("--zoom")));
    if (!scale || least * scale * FITS >= (onPhone() ? ON_PHONE : SIGN)) continue;
    const { width, height } = board.viewBox.baseVal;
    board.classList.add("needs");
    board.style.setProperty("--wide", `${Math.ceil((width * SIGN) / least)}px`);
    board.style.setProperty("--high", `${Math.ceil((height * SIGN) / least)}px`);
    Object.assign(frame, { scrollLeft, scrollTop }); // a moment ago there was nothing to scroll
  }
}

// Names that cannot be read are only in the way.
export function leaveOutNames() {
  for (const board of document.querySelectorAll("#boards .frame > svg")) {
    const scale = board.getScreenCTM()?.a ?? 0;
    if (scale) board.classList.toggle("unnamed", smallestName(board) * scale < NAME);
  }
}

// Signs fill what they lie in: a man, or their space if they are alone there.
export function magnify() {
  for (const board of document.querySelectorAll("#boards .frame > svg")) {
    const scale = board.getScreenCTM()?.a ?? 0;
    for (const text of board.querySelectorAll("text[data-drawn]")) {
      text.style.fontSize = "";
      text.removeAttribute("dy");
      text.classList.remove("lost");
      delete text.dataset.drawn;
    }
    if (!scale || !onPhone()) continue;
    for (const text of board.querySelectorAll("text:not(.name:not(.of-ground), .at, .label, .grain)")) {
      const drawn = Number(text.getAttribute("font-size"));
      if (!drawn || drawn * scale >= WANTED) continue;
      const size = Math.min(WANTED / scale, largest(text, drawn));
      text.dataset.drawn = drawn;
      text.classList.toggle("lost", Math.max(size, drawn) * scale < LEAST); // a tap tells it, and so does a closer look
      if (size <= drawn) continue;
      text.style.fontSize = `${size.toFixed(2)}px`;
      text.setAttribute("dy", ((size - drawn) * BASE).toFixed(2));
    }
  }
}

function largest(text, drawn) {
  const man = text.previousElementSibling?.matches(".disc, .piece") ? text.previousElementSibling : null;
  const space = text.closest(".place")?.querySelector(":scope > :is(.space, .free, .rim)");
  const around = man ?? space;
  if (!around) return drawn * BESIDE;
  const { x, y, width, height } = around.getBBox();
  const at = { x: Number(text.getAttribute("x")), y: Number(text.getAttribute("y")) - drawn * BASE };
  const inside = at.x > x && at.x < x + width && at.y > y && at.y < y + height;
  const alone = man || text.parentNode.querySelectorAll(":scope > text, :scope > :is(.disc, .piece)").length === 1;
  if (!inside) return drawn * BESIDE;
  const wide = (width * INSIDE) / ([...text.textContent].length * LETTER);
  return Math.min(wide, alone ? height * (man ? 0.8 : 0.5) : drawn * CROWDED);
}
