// What is wrong with the table on a phone, in each of its views: run by tests/test_phone.py, gives a list of complaints.

const SMALLEST = 11; // pixels: texts outside boards
const FINGER = 24; // pixels: what is tapped
const found = new Set();
const called = (element) => JSON.stringify((element.textContent || element.dataset.place).trim().slice(0, 40));

// How large an element is drawn that is zoomed as a whole.
function size(element) {
  return Number.parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? 1);
}

function texts() {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || element.closest("svg, script, noscript, option, [hidden]") || !element.checkVisibility()) continue;
    if (size(element) < SMALLEST - 0.1) found.add(`written in ${size(element).toFixed(1)} pixels: ${called(element)}`);
  }
}

function targets() {
  for (const one of document.querySelectorAll("button, a.tool, main .lit:not(svg *)")) {
    if (!one.checkVisibility() || one.matches(".spoken, #log button")) continue;
    const { width, height } = one.getBoundingClientRect();
    if (Math.min(width, height) < FINGER - 0.5) found.add(`too small for a finger, ${width.toFixed(0)} × ${height.toFixed(0)}: ${called(one)}`);
  }
}

// A number is chosen with all that belongs to it in sight.
function sliders() {
  const edge = document.getElementById("ask").getBoundingClientRect();
  for (const part of document.querySelectorAll("#options .range :is(button, input)")) {
    const { top, bottom, left, right } = part.getBoundingClientRect();
    if (top < edge.top - 1 || bottom > edge.bottom + 1 || left < edge.left || right > edge.right) found.add(`cut off: ${part.tagName} of ${called(part.closest(".range"))}`);
  }
}

// The page itself does not scroll, nothing lies under the sheet, and a board that is alone in its view is seen whole.
function places(view) {
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.add(`${view}: the page scrolls`);
  const [stage, side] = ["stage", "side"].map((id) => document.getElementById(id));
  const edge = stage.getBoundingClientRect();
  const asked = side.getBoundingClientRect(); // below the table, or beside it on a phone on its side
  if (!side.matches(".raised") && edge.bottom > asked.top + 1 && edge.right > asked.left + 1) found.add(`${view}: the table goes on under the sheet`);
  if (stage.scrollWidth > stage.clientWidth + 1) found.add(`${view}: it scrolls to the side`);
  stage.scrollTop = 0;
  const frames = [...document.querySelectorAll("#boards .frame")].filter((frame) => frame.checkVisibility());
  for (const frame of frames) {
    if (frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1) found.add(`${view}: a board is larger than its frame`);
    const { top, bottom } = frame.getBoundingClientRect();
    if (frames.length === 1 && (top < edge.top || bottom > edge.bottom)) found.add(`${view}: a board is not seen whole`);
    const own = document.getElementById("own");
    if (frames.length === 1 && own.checkVisibility() && own.childElementCount && bottom > own.getBoundingClientRect().top + 1) found.add(`${view}: one's own lies over a board`);
  }
}

const tabs = [...document.querySelectorAll("#views .view")].filter((tab) => tab.checkVisibility());
const chosen = tabs.find((tab) => tab.getAttribute("aria-pressed") === "true");
sliders();
for (const tab of tabs.length ? [...tabs.filter((one) => one !== chosen), chosen] : [null]) {
  tab?.click();
  texts();
  targets();
  places(tab?.textContent ?? "all");
}
return [...found];
