// Looking closer: a click on what cannot be chosen now, or a long press on anything, tells in words what it is.

import { byId, fill, make } from "./dom.js";

export function look(element) {
  const [head, ...more] = (element?.dataset.told ?? element?.getAttribute("aria-label")?.replace(": ", "\n") ?? "").split("\n");
  const box = byId("closer");
  box.hidden = !head;
  if (!head) return;
  fill(box, make("h2", {}, head), ...more.map((line) => make("p", {}, line)));
  const at = element.getBoundingClientRect();
  const { offsetWidth: wide, offsetHeight: high } = box;
  const below = at.bottom + 8 + high <= window.innerHeight;
  box.style.left = `${Math.max(8, Math.min(window.innerWidth - wide - 8, at.left + at.width / 2 - wide / 2))}px`;
  box.style.top = `${Math.max(8, below ? at.bottom + 8 : at.top - high - 8)}px`;
}

// More about what is being looked at, such as why it cannot be had.
export function lookOn(lines) {
  const box = byId("closer");
  if (!box.hidden && !box.querySelector(".lacking")) box.append(...lines.map((line) => make("p", { class: "lacking" }, line)));
}

export function lookAway() {
  byId("closer").hidden = true;
}

export function closer() {
  document.addEventListener("contextmenu", (event) => {
    const element = event.target.closest?.("main [data-place]");
    if (!element) return;
    event.preventDefault();
    look(element);
  });
  document.addEventListener("pointerdown", lookAway, { capture: true });
  document.addEventListener("keydown", lookAway, { capture: true });
  document.addEventListener("scroll", lookAway, { capture: true, passive: true });
}
