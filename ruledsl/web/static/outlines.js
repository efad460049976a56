// What stands out on a board has an edge round its space. A space that is drawn later would cover half of it, so edges
// are drawn above all spaces, and below what is written beside them.

import { shape } from "./dom.js";

const MANY = 20; // spaces of a board that light up
const INSIDE = 2.2; // from the edge of a space to the middle of its outline
const KINDS = ["fresh", "lit", "told-of", "held"]; // later ones above earlier ones

export function drawOutlines() {
  for (const board of document.querySelectorAll("#boards .frame > svg")) {
    board.querySelector(":scope > .outlines")?.remove();
    const seen = board.getScreenCTM()?.inverse();
    if (!seen) continue; // what is not drawn, as on a page that is hidden, lies nowhere
    const layer = shape("g", { class: "outlines", "aria-hidden": "true" });
    const many = board.querySelectorAll(".place.lit .space").length > MANY;
    for (const kind of KINDS) {
      for (const space of board.querySelectorAll(`.place.${kind} :is(.space, .free, .rim)`)) {
        const dotted = many && kind === "lit" && space.matches(".space:last-child") && !space.parentNode.matches(".fresh, .held");
        layer.append(dotted ? dot(seen, space) : outline(seen, space, kind));
      }
    }
    const last = [...board.querySelectorAll(":scope > .place:has(.space, .free, .rim)")].at(-1); // what spaces tell stands above
    if (layer.childElementCount) last.after(layer);
  }
}

function outline(seen, space, kind) {
  const edge = space.cloneNode(false);
  const here = seen.multiply(space.getScreenCTM());
  const at = space.matches(".on-picture") ? here : within(here, space.getBBox());
  edge.setAttribute("class", `outline of-${kind}`);
  edge.removeAttribute("fill");
  edge.setAttribute("transform", `matrix(${[at.a, at.b, at.c, at.d, at.e, at.f].join(" ")})`);
  return edge;
}

// Where one may go nearly anywhere, edges would be a net over the board: an empty space has a dot instead.
function dot(seen, space) {
  const at = seen.multiply(space.getScreenCTM());
  const { x, y, width, height } = space.getBBox();
  const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(at);
  return shape("circle", { class: "outline of-lit dot", cx: middle.x, cy: middle.y, r: (Math.min(width, height) * Math.hypot(at.a, at.b)) / 9 });
}

// An edge lies within its space, so that those of neighbours do not cover each other.
function within(at, box) {
  const [across, down] = [box.width, box.height].map((long) => (long > 6 * INSIDE ? 1 - (2 * INSIDE) / long : 1));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return at.translate(x, y).scaleNonUniform(across, down).translate(-x, -y);
}
