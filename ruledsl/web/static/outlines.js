// What stands out on a board has an edge round its space. A space that is drawn later would cover half of it, so edges
// are drawn above all spaces, and below what is written beside them.

import { shape } from "./dom.js";

const KINDS = ["fresh", "lit", "told-of", "held"]; // later ones above earlier ones

export function drawOutlines() {
  for (const board of document.querySelectorAll("#boards svg")) {
    board.querySelector(":scope > .outlines")?.remove();
    const seen = board.getScreenCTM()?.inverse();
    if (!seen) continue; // what is not drawn, as on a page that is hidden, lies nowhere
    const layer = shape("g", { class: "outlines", "aria-hidden": "true" });
    for (const kind of KINDS) {
      for (const space of board.querySelectorAll(`.place.${kind} :is(.space, .free)`)) layer.append(outline(seen, space, kind));
    }
    const last = [...board.querySelectorAll(":scope > .place:has(.space, .free)")].at(-1); // what spaces tell stands above
    if (layer.childElementCount) last.after(layer);
  }
}

function outline(seen, space, kind) {
  const edge = space.cloneNode(false);
  const at = seen.multiply(space.getScreenCTM());
  edge.setAttribute("class", `outline of-${kind}`);
  edge.removeAttribute("fill");
  edge.setAttribute("transform", `matrix(${[at.a, at.b, at.c, at.d, at.e, at.f].join(" ")})`);
  return edge;
}
