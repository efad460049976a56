// How a play ended: who won, the points by their source, the course of the score.

import { fill, make, shape } from "./dom.js";
import { onPhone } from "./views.js";
import { say } from "./words.js";

const LABEL = 13; // from one label of the course to the next
const ON_PHONE = 1.9; // times as large it is written there, where the course is drawn smaller

export function drawResult(box, snapshot) {
  const result = snapshot.result;
  box.hidden = !result;
  if (!result) {
    fill(box);
    return;
  }
  const [, headline = result.lines[0], ...more] = result.lines;
  const parts = [make("h2", {}, headline), ...more.map((line) => make("p", {}, line))];
  if (result.rows.length) parts.push(table(result), result.note ? make("p", {}, result.note) : "");
  if (moves(result.course)) parts.push(chart(result.course, snapshot));
  parts.push(make("a", { class: "tool again", href: "/" }, say("again")));
  fill(box, ...parts.filter(Boolean));
}

// Whether the score changes on the way, and not at the end alone.
function moves(course) {
  return course?.slice(0, -1).some((row) => String(row) !== String(course[0]));
}

function table(result) {
  const head = make("tr", {}, make("td", {}), ...result.heads.map((name) => make("th", { scope: "col" }, name)));
  const rows = result.rows.map((row) =>
    make("tr", {}, make("th", { scope: "row" }, row.title), ...row.cells.map((cell) => make("td", {}, cell))),
  );
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
}

// Where labels stand that would be at these heights, if none is to lie over another: the last ones move up.
function apart(heights, lowest, label) {
  const order = heights.map((_, seat) => seat).sort((one, other) => heights[other] - heights[one]);
  const found = [];
  let below = lowest + 4 + label;
  for (const seat of order) found[seat] = below = Math.min(heights[seat], below - label);
  return found;
}

// One line for each player, told apart by dashes as well as by colour.
function chart(course, snapshot) {
  const width = 480;
  const height = 140;
  const times = onPhone() ? ON_PHONE : 1;
  const all = course.flat().filter((x) => x !== null);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const across = (n) => (n / (course.length - 1)) * width;
  const down = (x) => height - ((x - low) / (high - low)) * height;
  const beside = apart(snapshot.panels.map((_, seat) => down(course.at(-1)[seat] ?? 0) + 4), height, LABEL * times);
  const top = Math.min(0, ...beside.map((y) => y - LABEL * times)) - 10;
  const svg = shape("svg", { viewBox: `-6 ${top} ${width + 90 * times} ${height + 10 - top}`, class: "course", role: "img", "aria-label": say("course") });
  svg.append(shape("line", { x1: 0, x2: width, y1: down(0), y2: down(0), class: "axis" }));
  snapshot.panels.forEach((panel, seat) => {
    const points = course.map((row, n) => (row[seat] === null ? null : `${across(n).toFixed(1)},${down(row[seat]).toFixed(1)}`));
    const way = points.filter(Boolean).join(" ");
    const edge = shape("polyline", { points: way, class: "line edge" }); // or a white line could not be seen
    const line = shape("polyline", { points: way, class: `line dash${seat % 5}`, stroke: panel.fill });
    const label = shape("text", { x: width + 6, y: beside[seat] });
    label.style.fontSize = `${11 * times}px`;
    label.textContent = `${panel.name} ${course.at(-1)[seat] ?? ""}`;
    svg.append(edge, line, label);
  });
  return make("figure", { class: "chart" }, make("figcaption", {}, say("course")), svg);
}
