// The rules and the cards, in a drawer beside the table.

import { byId, fill, make } from "./dom.js";
import { ask } from "./net.js";
import { currentLanguage, say } from "./words.js";

const SHORT = 4000; // letters: rules that are no longer lie open

// Closes what lies beside the table, and says whether it was open.
export function closeDrawer() {
  const open = !byId("drawer").hidden;
  byId("drawer").hidden = true;
  if (open) byId("rules").focus();
  return open;
}

export async function openDrawer() {
  const box = byId("drawer");
  const head = make("div", { class: "head" }, make("h2", {}, say("rules")), make("button", { type: "button", class: "tool", onclick: closeDrawer }, say("close")));
  box.setAttribute("aria-label", say("rules"));
  box.hidden = false;
  fill(box, head, make("p", {}, "…"));
  head.querySelector("button").focus();
  try {
    const found = await ask(`/api/rules?lang=${currentLanguage()}`);
    fill(box, head, ...body(found));
  } catch (problem) {
    fill(box, head, make("p", {}, problem.message));
  }
}

// The rules as they were written come first, if they are in the language of the reader.
function body(found) {
  const open = (found.chapters || []).reduce((sum, { text }) => sum + text.length, 0) < SHORT;
  const written = (found.chapters || []).map((chapter) =>
    chapter.text ? make("details", { open }, make("summary", {}, chapter.title), ...paragraphs(chapter.text)) : make("h3", {}, chapter.title),
  );
  const told = found.book ? section(found.book, 2) : [];
  if (!written.length) return told.length ? told : [make("p", {}, say("no_rules"))];
  if (found.language === currentLanguage()) return written;
  return [...told, make("details", { lang: found.language }, make("summary", {}, say("rules_in_english")), ...written)];
}

// Lines that begin with a dash are a list, those that begin with a bar a table; a line that goes on is one with the last.
function paragraphs(text) {
  const parts = [];
  let open = false; // whether the next line goes on with the last one
  for (const line of text.split("\n")) {
    const item = /^\s*(?:[-*]|\d+\.) (.*)$/.exec(line);
    const cells = /^\|(.*)\|\s*$/.exec(line);
    const last = parts.at(-1);
    if (!line.trim()) open = false;
    else if (cells) {
      open = false;
      if (/^[-:| ]+$/.test(cells[1])) continue;
      const row = make("tr", {}, ...cells[1].split("|").map((cell) => make("td", {}, ...written(cell.trim()))));
      if (last?.matches(".scroll")) last.firstChild.append(row);
      else parts.push(make("div", { class: "scroll" }, make("table", {}, row)));
    } else if (item) {
      open = true;
      const made = make("li", {}, ...written(item[1]));
      if (last?.tagName === "UL") last.append(made);
      else parts.push(make("ul", { class: "told" }, made));
    } else if (open) (last.tagName === "UL" ? last.lastElementChild : last).append(" ", ...written(line.trim()));
    else {
      open = true;
      parts.push(make("p", {}, ...written(line.trim())));
    }
  }
  return parts;
}

// What rules are written with: a link is told by its text, for there is nothing here to go to.
const MARKUP = /\[([^\]]+)\]\([^)]*\)|\*\*(.+?)\*\*|`([^`]+)`|\*(\S(?:[^*]*\S)?)\*/g;

function written(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(MARKUP)) {
    const [all, link, strong, code, soft] = found;
    parts.push(text.slice(at, found.index));
    parts.push(link ?? (strong ? make("b", {}, ...written(strong)) : code ? make("code", {}, code) : make("i", {}, ...written(soft))));
    at = found.index + all.length;
  }
  return [...parts, text.slice(at)].filter((part) => part !== "");
}

// A chapter of the rules as they are told from the declaration.
function section(found, depth) {
  const inside = [...found.blocks.map(block), ...found.parts.flatMap((part) => section(part, depth + 1))];
  if (depth === 2) return inside;
  if (depth === 3) return [make("details", {}, make("summary", {}, found.title), ...inside)];
  return [make("h4", {}, found.title), ...inside];
}

function block(found) {
  if (found.items) return items(found);
  if (found.rows) {
    const head = make("tr", {}, ...found.head.map((cell) => make("th", {}, cell)));
    const rows = found.rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
    return make("div", { class: "scroll" }, make("table", {}, head, ...rows));
  }
  return found.text ? make("p", {}, found.text) : null;
}

function items(found) {
  const lines = found.items.map((item) => make("li", {}, item.text, item.items ? items(item) : null));
  return make(found.ordered ? "ol" : "ul", { class: "told" }, ...lines);
}
