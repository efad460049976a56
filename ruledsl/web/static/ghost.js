// A tile as it would come to lie, drawn over the space.

import { picture } from "./dom.js";

export class Ghost {
  shown = null; // the option whose tile is drawn

  draw(option) {
    this.drawn?.remove();
    this.drawn = null;
    this.shown = option?.laid ? option : null;
    if (!this.shown) return;
    const place = document.querySelector(`#boards svg [data-place="${CSS.escape(option.laid.place)}"]`);
    const shape = place?.querySelector("polygon, use");
    if (!shape) return;
    const box = shape.getBBox();
    const drawn = picture(option.laid.picture);
    const { width, height } = drawn.viewBox.baseVal;
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    if (shape.tagName === "use") {
      const matrix = shape.transform.baseVal.consolidate().matrix;
      middle[0] += matrix.e;
      middle[1] += matrix.f;
    }
    drawn.setAttribute("x", middle[0] - width / 2);
    drawn.setAttribute("y", middle[1] - height / 2);
    drawn.setAttribute("width", width);
    drawn.setAttribute("height", height);
    drawn.setAttribute("class", "ghost");
    drawn.setAttribute("aria-hidden", "true");
    place.append(drawn);
    this.drawn = drawn;
  }
}
