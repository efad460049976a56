// What of a page cannot be read: texts that are cut off, that stick out of their box, or that lie over each other.
// Run by tests/browser.py; gives a list of complaints.

const WIDE = document.documentElement;
const SCROLLED = ".frame, .scroll, .of-pile .items"; // these may be scrolled to the side
const BOXES = ".item, .option, .tool, .person, .area, .step, .token, .stack, .count, button, td, th, .ask, .story, .result, .past, .findings, .links";
const LAID_OVER = ".top, .notice, .drawer, .side, .own"; // these stay where they are while the page is scrolled
const SMALLEST = 5.7; // pixels
const found = new Set();
const called = (text) => JSON.stringify(text.trim().slice(0, 50));
const shared = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];

function cut(box, by) {
  const left = Math.max(box.left, by.left);
  const top = Math.max(box.top, by.top);
  return { left, top, right: Math.max(left, Math.min(box.right, by.right)), bottom: Math.max(top, Math.min(box.bottom, by.bottom)) };
}

// Where a text is to be seen; and what of it never can be, whatever is scrolled.
function seen(node, element, box) {
  let shown = box;
  for (let outer = element; outer && outer !== document.body; outer = outer.parentElement) {
    const style = getComputedStyle(outer);
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const edge = outer.getBoundingClientRect();
    const scrolls = (way) => way === "auto" || way === "scroll";
    const side = box.left < edge.left - 1 || box.right > edge.right + 1;
    const below = box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
    if (side && !(scrolls(style.overflowX) && outer.matches(SCROLLED))) found.add(`cut at the side: ${called(node.data)}`);
    if (below && !scrolls(style.overflowY)) found.add(`cut above or below: ${called(node.data)}`);
    shown = cut(shown, edge);
    if (scrolls(style.overflowX) && outer.matches(SCROLLED)) {
      if (box.left >= edge.right || box.right <= edge.left) return null; // it can be scrolled to
      box = cut(box, edge);
    }
    if (scrolls(style.overflowY)) box = { ...box, top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom) };
  }
  return { shown, box };
}

function texts() {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const all = [];
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, script, noscript, option, [hidden]") || !element.checkVisibility()) continue;
    if (getComputedStyle(element).clipPath === "inset(50%)") continue; // it is only read aloud
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      const where = seen(node, element, line);
      if (!where) continue;
      const { shown, box } = where;
      const around = element.closest(BOXES);
      if (around && !around.matches(".of-pile .items")) {
        const edge = around.getBoundingClientRect();
        if (line.left < edge.left - 1 || line.right > edge.right + 1) found.add(`out of its box: ${called(node.data)}`);
      }
      if (box.right > innerWidth + 1 || box.left < -1) found.add(`beside the page: ${called(node.data)}`);
      if (shown.right - shown.left > 1 && shown.bottom - shown.top > 1) all.push({ node, box: shown, over: element.closest(LAID_OVER) });
    }
  }
  return all;
}

// How much lighter one of two colours is: 1 for the same, 21 for black and white.
function contrast(one, other) {
  const light = (colour) => {
    const [red, green, blue] = colour.map((part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  return Math.max(light(one) / light(other), light(other) / light(one));
}

const parts = (colour) => {
  const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
  return { colour: [red, green, blue], alpha };
};

// What is written in a colour that can hardly be told from what it stands on; nothing is said of patterns.
function pale() {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || element.closest("svg, script, noscript, option, :disabled") || !element.checkVisibility()) continue;
    let ground = element;
    const solid = (style) => style.backgroundImage !== "none" || parts(style.backgroundColor).alpha === 1;
    while (ground && !solid(getComputedStyle(ground))) ground = ground.parentElement;
    const style = ground && getComputedStyle(ground);
    if (!style || style.backgroundImage !== "none") continue;
    const ratio = contrast(parts(getComputedStyle(element).color).colour, parts(style.backgroundColor).colour);
    if (ratio < 2.5) found.add(`pale: ${called(walk.currentNode.data)}`);
  }
}

function overEachOther(all, slack) {
  all.forEach(({ node, box, over }, number) => {
    for (const other of all.slice(number + 1)) {
      if (other.node === node || other.over !== over) continue;
      const [wide, high] = shared(box, other.box);
      if (wide > slack && high > slack) found.add(`over each other: ${called(node.data)}, ${called(other.node.data)}`);
    }
  });
}

// What is written on a board: no text over another, none much wider than its space.
function boards() {
  for (const drawn of document.querySelectorAll("main svg")) {
    const written = [...drawn.querySelectorAll("text:not(.grain)")].filter((text) => text.textContent.trim() && text.checkVisibility());
    const all = written.map((text) => ({ node: { data: text.textContent }, box: text.getBoundingClientRect(), over: null }));
    overEachOther(all, 2.5);
    written.forEach((text, number) => {
      const space = text.closest(".place")?.querySelector(".space, .free");
      if (!space || text.closest("defs")) return;
      const { box } = all[number];
      const edge = space.getBoundingClientRect();
      if (box.right - box.left > (edge.right - edge.left) * 1.1 + 2) found.add(`wider than its space: ${called(text.textContent)}`);
    });
  }
}

// What is written in a space of a board does not go over its edge into the next.
function inSpaces() {
  for (const drawn of document.querySelectorAll("#boards svg")) {
    const shapes = [...drawn.querySelectorAll("polygon.space")].map((shape) => ({ shape, edge: shape.getBoundingClientRect(), to: shape.getScreenCTM().inverse() }));
    for (const text of drawn.querySelectorAll("text:not(.grain)")) {
      if (!text.textContent.trim()) continue;
      const { left, top, width, height } = text.getBoundingClientRect();
      const at = (across, down) => new DOMPoint(left + across * width, top + down * height);
      const holds = ({ shape, to }, point) => shape.isPointInFill(point.matrixTransform(to));
      const middle = at(0.5, 0.5);
      const around = shapes.find((one) => middle.x > one.edge.left && middle.x < one.edge.right && holds(one, middle));
      const corners = [at(0.02, 0.25), at(0.98, 0.25), at(0.02, 0.75), at(0.98, 0.75)];
      if (around && !corners.every((point) => holds(around, point))) found.add(`out of its space: ${called(text.textContent)}`);
    }
  }
}

// What is written on a board can be read.
function tiny() {
  for (const drawn of document.querySelectorAll("main svg")) {
    const scale = drawn.getScreenCTM()?.a ?? 1;
    for (const text of drawn.querySelectorAll("text[font-size]:not(.grain)")) {
      if (!text.textContent.trim() || text.closest("defs") || !text.checkVisibility()) continue;
      const size = Number.parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < SMALLEST) found.add(`written in ${size.toFixed(1)} pixels: ${called(text.textContent)}`);
    }
  }
}

function measure() {
  if (WIDE.scrollWidth > innerWidth + 1) found.add(`the page is ${WIDE.scrollWidth} wide, the window ${innerWidth}`);
  overEachOther(texts(), 2);
  boards();
  inSpaces();
  tiny();
  pale();
}

// On a phone there may be several views, of which one is seen at a time.
const tabs = [...document.querySelectorAll("#views .view")].filter((tab) => tab.checkVisibility());
const chosen = tabs.find((tab) => tab.getAttribute("aria-pressed") === "true");
for (const tab of tabs.length ? [...tabs.filter((one) => one !== chosen), chosen] : [null]) {
  tab?.click();
  measure();
}
return [...found];
