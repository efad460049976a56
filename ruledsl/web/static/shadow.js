// What one holds, as a shadow: under the pointer while one drags it, and on the space at which one points.

import { byId, fill, make, picture, shape } from "./dom.js";

const DRAWN = ".disc, .piece, .picture";

// What of a place is drawn as a thing that lies there, with its letters.
function things(place) {
  return [...place.querySelectorAll(DRAWN)].flatMap((one) => {
    const text = one.nextElementSibling?.matches("text") ? one.nextElementSibling : null;
    return text ? [one, text] : [one];
  });
}

function middle(place) {
  const space = place.querySelector(".space, .free, .rim") ?? place;
  const { x, y, width, height } = space.getBBox();
  return [x + width / 2, y + height / 2];
}

// A copy of it alone, as large as it is.
function copy(held) {
  if (!held.closest("svg")) {
    const drawn = held.querySelector("svg") ?? held;
    const { width, height } = drawn.getBoundingClientRect();
    return { drawn: drawn.cloneNode(true), width, height };
  }
  const lying = things(held);
  if (!lying.length) return null;
  const boxes = lying.map((one) => one.getBBox());
  const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.width)), Math.max(...boxes.map((box) => box.y + box.height))];
  const scale = held.ownerSVGElement.getScreenCTM().a;
  const drawn = shape("svg", { viewBox: `${left} ${top} ${right - left} ${bottom - top}` });
  drawn.append(...lying.map((one) => one.cloneNode(true)));
  return { drawn, width: (right - left) * scale, height: (bottom - top) * scale };
}

// What one drags goes with the pointer.
export class Dragged {
  constructor(held, event) {
    const found = copy(held);
    this.box = found && make("div", { class: "dragged", "aria-hidden": "true" }, found.drawn);
    if (!found) return;
    Object.assign(this.box.style, { width: `${found.width}px`, height: `${found.height}px` });
    document.body.append(this.box);
    this.follow(event);
  }

  follow({ clientX, clientY }) {
    if (this.box) Object.assign(this.box.style, { left: `${clientX}px`, top: `${clientY}px` });
  }

  end() {
    this.box?.remove();
  }
}

// What one holds, on the empty space at which one points; and in words what a click there would do.
export class Shadow {
  clear() {
    this.drawn?.remove();
    this.drawn = null;
    byId("would").hidden = true;
  }

  say(text, place) {
    const box = byId("would");
    box.hidden = !text;
    fill(box, text);
    const at = place.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = box;
    box.style.left = `${Math.max(4, Math.min(window.innerWidth - wide - 4, at.left + at.width / 2 - wide / 2))}px`;
    box.style.top = `${at.top - high - 6 > 0 ? at.top - high - 6 : at.bottom + 6}px`;
  }

  draw(held, place) {
    if (!place.closest("#boards") || things(place).length || held === place) return;
    const [x, y] = middle(place);
    if (!held.closest("svg")) {
      const tile = held.querySelector("svg");
      if (tile) this.tile(tile, place, x, y);
      return;
    }
    if (held.ownerSVGElement !== place.ownerSVGElement) return;
    const [fromX, fromY] = middle(held);
    this.drawn = shape("g", { class: "ghost", "aria-hidden": "true", transform: `translate(${x - fromX} ${y - fromY})` });
    this.drawn.append(...things(held).map((one) => one.cloneNode(true)));
    place.append(this.drawn);
  }

  tile(tile, place, x, y) {
    const { width, height } = tile.viewBox.baseVal;
    this.drawn = picture(new XMLSerializer().serializeToString(tile));
    for (const [name, value] of Object.entries({ x: x - width / 2, y: y - height / 2, width, height, class: "ghost", "aria-hidden": "true" })) {
      this.drawn.setAttribute(name, value);
    }
    place.append(this.drawn);
  }
}
