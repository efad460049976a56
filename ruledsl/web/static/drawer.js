// The rules and the cards, in a drawer beside the table.

import { byId, fill, make } from "./dom.js";
import { ask } from "./net.js";
import { currentLanguage, say } from "./words.js";

export async function openDrawer() {
  const box = byId("drawer");
  const close = () => {
    box.hidden = true;
    byId("rules").focus();
  };
  const head = make("div", { class: "head" }, make("h2", {}, say("rules")), make("button", { type: "button", class: "tool", onclick: close }, say("close")));
  box.setAttribute("aria-label", say("rules"));
  box.hidden = false;
  box.onkeydown = (event) => event.key === "Escape" && close();
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
  const written = (found.chapters || []).map((chapter) =>
    chapter.text ? make("details", {}, make("summary", {}, chapter.title), ...paragraphs(chapter.text)) : make("h3", {}, chapter.title),
  );
  const told = found.book ? section(found.book, 2) : [];
  if (!written.length) return told.length ? told : [make("p", {}, say("no_rules"))];
  if (found.language === currentLanguage()) return written;
  return [...told, make("details", { lang: found.language }, make("summary", {}, say("rules_in_english")), ...written)];
}

// Lines that begin with a dash are a list.
function paragraphs(text) {
  const parts = [];
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const item = /^- (.*)$/.exec(line);
    if (item && parts.at(-1)?.tagName === "UL") parts.at(-1).append(make("li", {}, item[1]));
    else parts.push(item ? make("ul", { class: "told" }, make("li", {}, item[1])) : make("p", {}, line));
  }
  return parts;
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
