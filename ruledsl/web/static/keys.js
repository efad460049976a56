// The keyboard: arrows go from one place that is lit to the next, digits take options, `/` searches, `u` takes back.

import { closeDrawer } from "./drawer.js";
import { Dragged } from "./shadow.js";

export function keys({ asking, undo, rescale }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest?.("input,textarea,select");
    if (event.key === "Escape") {
      if (closeDrawer()) return; // wherever the focus is by now
      if (typing) event.target.blur();
      asking.clear();
      return;
    }
    if (typing) return;
    if (event.key.startsWith("Arrow")) {
      if (step(event.key.slice(5))) event.preventDefault();
    } else if (/^[1-9]$/.test(event.key)) {
      document.querySelectorAll("#options button.option")[Number(event.key) - 1]?.click();
    } else if (event.key === "/") {
      const search = document.getElementById("search");
      if (search) {
        event.preventDefault();
        search.focus();
      }
    } else if (event.key === "r" || event.key === "R") asking.turn(event.key === "r" ? 1 : -1);
    else if (event.key === "u") undo();
    else if (event.key === "+") rescale(1.25);
    else if (event.key === "-") rescale(0.8);
  });
}

// The wheel turns a tile that is about to be laid; a mouse may drag from what is picked to where it goes.
export function mouse({ asking }) {
  const boards = document.getElementById("boards");
  boards.addEventListener(
    "wheel",
    (event) => {
      if (asking.turn(event.deltaY > 0 ? 1 : -1)) event.preventDefault();
    },
    { passive: false },
  );
  drag(asking);
  let over = null;
  document.addEventListener("pointerover", (event) => {
    const lit = event.pointerType === "mouse" ? (event.target.closest?.("main .lit") ?? null) : null;
    if (lit !== over) asking.hovered(lit);
    over = lit;
  });
}

const FAR = 6; // pixels: a mouse that goes further while it is pressed drags

// What lights up is taken hold of and let go where it is to be. It may be a step of its own, as a tile of a row is: then
// what is let go waits until the server has answered.
function drag(asking) {
  let from = null;
  let dragged = null;
  let taken = null; // done once what was taken hold of is
  document.addEventListener("pointerdown", (event) => {
    const lit = event.pointerType === "mouse" && event.button === 0 ? event.target.closest?.("main .lit, main .held") : null;
    from = lit ? { lit, place: lit.dataset.place, held: lit.matches(".held"), x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!dragged && Math.hypot(event.clientX - from.x, event.clientY - from.y) > FAR) {
      dragged = new Dragged(from.lit, event);
      document.body.classList.add("dragging");
      if (!from.held) asking.clear();
      taken = from.held ? null : asking.touched(from.place);
    }
    dragged?.follow(event);
  });
  document.addEventListener("dragstart", (event) => from && event.preventDefault()); // of a picture in it
  document.addEventListener("pointerup", async (event) => {
    const { place } = from ?? {};
    dragged?.end();
    document.body.classList.remove("dragging");
    const goal = event.target.closest?.("main [data-place]");
    const drops = dragged && goal && goal.dataset.place !== place;
    const before = taken;
    if (dragged) {
      const swallow = (click) => click.stopPropagation(); // what is dragged is not clicked as well
      document.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 50);
    }
    from = dragged = taken = null;
    if (!drops) return;
    await before;
    const there = goal.isConnected ? goal : document.querySelector(`main [data-place="${CSS.escape(goal.dataset.place)}"]`);
    asking.touched(goal.dataset.place, there);
  });
}

const TOWARDS = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] };

// From the place with the focus to the nearest one that is lit in a direction.
function step(direction) {
  const lit = [...document.querySelectorAll("main .lit, main .held")];
  if (!lit.length) return false;
  const here = document.activeElement;
  if (!lit.includes(here)) {
    lit[0].focus();
    return true;
  }
  const [dx, dy] = TOWARDS[direction];
  const [x, y] = middle(here);
  let best = null;
  for (const other of lit) {
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (other === here || along <= 1) continue;
    const cost = along + 3 * aside;
    if (!best || cost < best.cost) best = { cost, other };
  }
  best?.other.focus();
  return true;
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}
