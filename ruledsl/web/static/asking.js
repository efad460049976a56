// What is asked: the options that are left as buttons, search, steps so far; and what lights up on the table.

import { Choosing, ranges, waysOf } from "./choosing.js";
import { look, lookAway, lookOn } from "./closer.js";
import { byId, fill, make, picture } from "./dom.js";
import { Ghost } from "./ghost.js";
import { drawOutlines } from "./outlines.js";
import { Passing, shares } from "./passing.js";
import { others } from "./places.js";
import { Shadow } from "./shadow.js";
import { fitSheet, liftSheet } from "./sheet.js";
import { newLines } from "./since.js";
import { comeBack, markViews, onPhone, reveal } from "./views.js";
import { say } from "./words.js";

const LISTED = 60;
const SETTLED = 250; // milliseconds after which a button may be clicked that a click has changed
const SEARCHED = 9; // as many rows of options can be searched
const LISTED_THERE = { wide: 9, narrow: 4 }; // as many options that are on the table need not be listed as well, unless the list tells what they do

// Options that differ in a number alone are sent as one; here each is one again.
function each(option) {
  if (!option.series) return [option];
  const { count, head, number, tail } = option.series;
  const { series, ...rest } = option;
  return Array.from({ length: count }, (_, n) => ({ ...rest, key: String(Number(option.key) + n), text: `${head}${number + n}${tail}` }));
}

// The options, each with what of it can be taken hold of: a piece of a stock that is only counted cannot.
function onTable(options) {
  const here = new Set([...document.querySelectorAll("main [data-place]")].map((element) => element.dataset.place));
  return options.flatMap(each).map((option) => {
    const places = option.places.filter((place) => here.has(place));
    const ways = (option.ways ?? []).filter((way) => way.every((place) => here.has(place)));
    return places.length || !ways.length ? { ...option, places, ways } : { ...option, places: ways[0], ways: ways.slice(1) };
  });
}

// Whether there is still something to click on the table for an option.
function isOpen(option, picked) {
  return waysOf(option).some((way) => way.some((place) => !picked.includes(place)));
}

// Of like things that lie side by side the rules offer one: here the others lead to it.
function twins(next) {
  const found = new Map();
  for (const id of next) {
    const one = document.querySelector(`main .item[data-place="${CSS.escape(id)}"]`);
    for (const other of one?.closest(".items")?.querySelectorAll(".item[data-name]") ?? []) {
      const { place } = other.dataset;
      if (!next.has(place) && other.getAttribute("aria-label") === one.getAttribute("aria-label")) found.set(place, id);
    }
  }
  return found;
}

function inSight(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

// Where the middle of something is, from the middle of the window.
function away(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return Math.hypot(left + width / 2 - window.innerWidth / 2, top + height / 2 - window.innerHeight / 2);
}


// What lights up comes into sight, if none of it is. On a phone that is first opened it is where most of it lies.
function showLit(opened = false) {
  const all = [...document.querySelectorAll("main .lit")];
  const meant = all.filter((element) => !element.matches(".like"));
  const lit = meant.length ? meant : all;
  if (opened) reveal(...lit);
  if (!lit.length || lit.some(inSight)) return;
  if (!lit.some((element) => element.checkVisibility())) reveal(...lit);
  const [nearest] = lit.filter((element) => element.checkVisibility()).sort((one, other) => away(one) - away(other));
  if (!nearest || inSight(nearest)) return;
  for (const block of ["nearest", "center"]) {
    if (!inSight(nearest)) nearest.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
  }
  if (!inSight(nearest)) nearest.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
}

export class Asking {
  // `take` is called with the option that was chosen; `undo` takes a step back; `why` asks why something is not offered.
  constructor({ take, undo, why }) {
    Object.assign(this, { take, undo, why });
    this.choosing = new Choosing();
    this.words = "";
    this.missed = "";
    this.wondered = ""; // the place that was clicked and could not be chosen
    this.answer = []; // lines
    this.taken = []; // the steps that were taken of what is asked: of each the options there were
    this.ghost = new Ghost();
    this.passing = new Passing();
    this.shadow = new Shadow();
    this.passed = "";
    this.alike = new Map(); // what lies beside something that is just like it stands for it
  }

  // Of one who looks back: what to say of it, and the ways to go on.
  show(snapshot, live, past = null) {
    if (live) this.passed = this.passing.pass(snapshot);
    this.past = past;
    const opened = !this.snapshot;
    this.snapshot = snapshot;
    this.live = live;
    this.taken.length = Math.min(this.taken.length, snapshot.partial.length);
    this.choosing = new Choosing(live ? onTable(snapshot.options) : []);
    this.words = this.missed = "";
    this.answer = [];
    lookAway(); // what it told of may be gone or elsewhere
    this.shadow.clear();
    this.draw();
    this.light();
    if (live) this.reach(opened);
  }

  // Takes an option. If it is only a step of what is asked, it is kept in sight, and another can be taken instead.
  choose(option) {
    this.taken.length = Math.min(this.taken.length, this.snapshot.partial.length);
    this.taken.push({ options: this.choosing.options });
    this.passing.decided(this.snapshot);
    return this.take(option);
  }

  // Something that an earlier step might have been: that step is taken back, and this taken instead.
  async instead(id) {
    const at = this.taken.findLastIndex(({ options }) => options.some((option) => option.places[0] === id));
    if (at < 0 || at >= this.snapshot.partial.length) return;
    for (let left = this.snapshot.partial.length; left > at; left--) await this.undo();
    if (this.snapshot.partial.length === at && this.choosing.next().has(id)) this.touched(id);
  }

  // If nothing that lights up is in sight, the page goes to what is nearest to what one looks at, and no further.
  reach(opened) {
    if (this.choosing.next().size) showLit(opened);
    else if (this.choosing.options.length) {
      comeBack();
      liftSheet();
    }
  }

  // Gives what is being sent for it, if anything is.
  touched(id, element) {
    if (!this.live || !this.choosing.options.length) {
      look(element);
      return null;
    }
    if (this.ghost.shown?.laid.place === id && this.turns().length) {
      return this.choose(this.ghost.shown);
    }
    if (!this.choosing.next().has(id) && this.snapshot.partial.at(-1)?.places.includes(id)) {
      this.undo();
      return null;
    }
    const first = this.firstOfSeveral(this.alike.get(id) ?? id);
    if (first) return this.choose(first)?.then(() => this.choosing.next().has(this.alike.get(id) ?? id) && this.touched(id, element));
    const option = this.choosing.pick(this.alike.get(id) ?? id);
    if (option) {
      return this.choose(option);
    }
    if (option === undefined && this.taken.some(({ options }) => options.some((one) => one.places[0] === id))) {
      this.instead(id);
      return null;
    }
    this.missed = option === undefined ? this.elsewhere(id, element) : "";
    this.wondered = id;
    if (option === undefined) look(element);
    if (option === undefined && !this.missed) return null;
    this.words = "";
    this.answer = [];
    this.draw();
    this.light();
    if (this.missed) this.why(this.missed); // what is lacking is said at once
    return null;
  }

  // Where one thing could be meant by itself or as the first of several, a click on another of them says that it was the
  // first: the option that picks it.
  firstOfSeveral(id) {
    const { choosing } = this;
    if (choosing.picked.includes(id) || choosing.left([...choosing.picked, id]).length) return null;
    const [option, ...others] = choosing.left().filter((one) => one.picks && choosing.meant(one));
    const goesOn = choosing.options.some((one) => one.picks && one.action === option?.action && one.places.includes(id));
    return choosing.picked.length && !others.length && goesOn ? option : null;
  }

  // A mouse points at something that lights up: what a click would do is told, and what is held is seen there.
  hovered(element) {
    this.shadow.clear();
    if (!element || !this.live) return;
    const { place } = element.dataset;
    const picked = [...this.choosing.picked, this.alike.get(place) ?? place];
    const left = this.choosing.left(picked);
    if (left.length === 1 && this.choosing.meant(left[0], picked)) this.shadow.say(left[0].text, element);
    if (this.turns().length) return;
    const id = this.choosing.picked.at(-1) ?? this.snapshot.partial.at(-1)?.places[0];
    const held = id && document.querySelector(`main [data-place="${CSS.escape(id)}"]`);
    if (held) this.shadow.draw(held, element);
  }

  // What an option would be called that leads elsewhere: by one that is left, with the other place in it. One about a
  // card or a tile has its name.
  elsewhere(id, element) {
    if (id.startsWith("p:")) return element?.dataset.name ?? "";
    if (!this.choosing.picked.length) return id.startsWith("s:") ? id.split(":").at(-1) : "";
    const [option] = this.choosing.left();
    const from = option?.places.find((place) => !this.choosing.picked.includes(place));
    const [old, other] = [from, id].map((place) => place?.split(":").at(-1));
    const at = old ? option.text.lastIndexOf(old) : -1;
    return at < 0 ? "" : option.text.slice(0, at) + other + option.text.slice(at + old.length);
  }

  // The options that lay one tile on one space and differ in how it is turned.
  turns() {
    const left = this.choosing.left();
    const one = left.length > 0 && left.every((option) => option.laid && option.laid.place === left[0].laid.place);
    return one ? left : [];
  }

  turn(by) {
    const turns = this.turns();
    if (!turns.length) return false;
    const at = turns.indexOf(this.ghost.shown);
    this.ghost.draw(turns[(at + by + turns.length) % turns.length]);
    this.mark();
    return true;
  }

  // How a tile is turned, by mouse, keyboard or finger.
  turning() {
    const button = (by, sign, label) => make("button", { type: "button", class: "tool", "aria-label": label, onclick: () => this.turn(by) }, sign);
    const mouse = matchMedia("(hover: hover)").matches;
    if (this.turns().length < 2) return make("p", { class: "asked" }, mouse ? say("lay_it") : say("turn_by_hand"));
    const how = mouse ? say("turn_it") : say("turn_by_hand");
    return make("div", { class: "turning" }, button(-1, "↺", say("turn_left")), button(1, "↻", say("turn_right")), make("p", { class: "asked" }, how));
  }

  // The button of the turn that is shown on the board.
  mark() {
    for (const button of document.querySelectorAll("#options button.option")) {
      const shown = button.dataset.option === this.ghost.shown?.key;
      button.classList.toggle("shown", shown);
      // Enter takes what has the focus: if that is an option of the list, it is the one that is seen.
      if (shown && document.activeElement !== button && document.activeElement?.matches("#options button.option")) button.focus({ preventScroll: true });
    }
  }

  clear() {
    const said = this.missed || this.answer.length;
    this.missed = "";
    this.answer = [];
    if (!this.choosing.picked.length && !said) return;
    this.choosing.clear();
    this.draw();
    this.light();
  }

  // ---------------------------------------------------------------------------------------------- the table

  light() {
    const next = this.choosing.next();
    const turns = this.turns();
    if (turns.length) next.add(turns[0].laid.place);
    const steps = this.live ? this.snapshot.partial.flatMap((step) => step.places) : [];
    const picked = new Set([...steps.filter((place) => !next.has(place)), ...this.choosing.picked]);
    this.alike = twins(next);
    for (const element of document.querySelectorAll("main [data-place]")) {
      const id = element.dataset.place;
      const lit = next.has(id) || this.alike.has(id);
      const held = !lit && picked.has(id);
      element.classList.toggle("lit", lit);
      element.classList.toggle("like", lit && !next.has(id));
      element.classList.toggle("held", held);
      if (lit || held) {
        element.setAttribute("tabindex", "0");
        element.setAttribute("role", "button");
        element.setAttribute("aria-pressed", String(held));
      } else {
        element.removeAttribute("tabindex");
        element.setAttribute("role", element.dataset.role);
        element.removeAttribute("aria-pressed");
      }
    }
    this.ghost.draw(turns[0]);
    this.mark();
    drawOutlines();
    markViews();
  }

  // ---------------------------------------------------------------------------------------------- the list

  draw() {
    this.write();
    fitSheet();
  }

  write() {
    const box = byId("ask");
    const { snapshot } = this;
    const head = make("h2", { class: this.choosing.options.length ? "mine" : "" }, this.heading());
    const spoken = byId("spoken"); // whose turn it is, for who does not see it
    if (spoken.textContent !== head.textContent) spoken.textContent = head.textContent;
    const passed = this.live && this.passed ? make("p", { class: "passed" }, this.passed) : null;
    if (!this.live || !this.choosing.options.length) {
      fill(box, head, passed, this.live ? this.otherPlaces() : null, this.past?.ways);
      byId("said").hidden = true;
      return;
    }
    const asked = this.tellsMore(snapshot.asked) ? make("p", { class: "asked" }, snapshot.asked) : null;
    const turn = this.turns().length ? this.turning() : null;
    this.say();
    box.classList.toggle("quiet", this.quiet(this.choosing.left()) && !this.words);
    fill(box, head, passed, asked, this.steps(), turn, this.tools(), this.list(), this.closed());
  }

  // Whether what is asked says more than the buttons below it: not where these begin with it, or say one by one what it
  // sums up.
  tellsMore(asked) {
    if (!asked || asked === this.snapshot.doing) return false;
    const left = this.choosing.left();
    if (this.quiet(left) && !this.words) return true;
    const [first, ...others] = [asked, ...left.map((option) => option.text)].map((text) => text.toLowerCase().split(" ")[0]);
    return !asked.includes(", ") && !others.includes(first);
  }

  // A moment between two decisions: what happened, and a button to go on.
  interrupt(goOn) {
    const { snapshot } = this;
    const lines = newLines(snapshot).map((line) => make("li", { "--fill": snapshot.panels[line.seat]?.fill, class: snapshot.panels[line.seat] ? "by" : "said" }, line.text));
    const button = make("button", { type: "button", class: "option main", onclick: goOn }, make("kbd", {}, "1"), make("span", { class: "text" }, say("go_on")));
    const happened = make("ol", { class: "happened" }, ...lines);
    fill(byId("ask"), make("h2", { class: "mine" }, say("interlude")), happened, make("ol", { id: "options", class: "options" }, make("li", {}, button)));
    byId("said").hidden = byId("news").hidden = true;
    fitSheet(true);
    liftSheet();
    byId("spoken").textContent = lines.map((line) => line.textContent).join(". ");
    happened.scrollTop = happened.scrollHeight; // who has won stands last
    button.focus({ preventScroll: true });
  }

  // What cannot be chosen, and why: in a box of its own, so that no option moves when it comes or goes.
  say() {
    const answer = this.answer.length ? make("div", { class: "answer", role: "status" }, ...this.answer.map((line) => make("p", {}, line))) : null;
    fill(byId("said"), answer);
    byId("said").hidden = !answer;
  }

  // Why something is not offered.
  answered({ lines, reason, never }) {
    // Nobody has asked in words, and there is nothing to say but what else there is; or it is no thing to choose at all.
    if (this.missed && (!reason || (never && this.wondered.startsWith("p:")))) return;
    this.answer = lines;
    if (this.missed) lookOn(lines.slice(1).map((line) => line.trim()));
    this.say();
  }

  // Who has other seats, too, goes on there when they are asked.
  otherPlaces() {
    const { acting, panels, over } = this.snapshot;
    const asked = over ? [] : others(location.pathname).filter(({ seat }) => acting.includes(seat));
    if (!asked.length) return null;
    return make("p", {}, ...asked.map(({ link, seat }) => make("a", { class: "tool main go-there", href: link }, say("go_there", { name: panels[seat].name }))));
  }

  heading() {
    const { snapshot } = this;
    if (this.past) return this.past.heading;
    if (snapshot.over) return say("over");
    const other = snapshot.turn_of !== snapshot.seat && snapshot.panels[snapshot.turn_of];
    const own = snapshot.panels[snapshot.seat]?.name;
    if (this.choosing.options.length && other && shares(snapshot)) return say("answer_of", { own, name: other.name });
    if (this.choosing.options.length && shares(snapshot)) return say("turn_of_one", { own });
    if (this.choosing.options.length) return other ? say("your_answer", { name: other.name }) : say("your_turn");
    const names = snapshot.acting.map((seat) => snapshot.panels[seat].name).join(", ");
    const bots = snapshot.acting.every((seat) => snapshot.seats?.[seat]?.startsWith("bot"));
    if (!names) return say("watching");
    return bots ? say("thinking", { names }) : say("turn_of", { names });
  }

  steps() {
    const { snapshot, choosing } = this;
    if (!snapshot.partial.length && !choosing.picked.length) return null;
    const doing = snapshot.doing ? make("li", { class: "doing" }, `${snapshot.doing}:`) : null;
    const done = snapshot.partial.map(({ text }) => make("li", { class: "step" }, text));
    if (done.length) {
      done.at(-1).append(make("button", { type: "button", class: "x", "aria-label": say("take_back"), onclick: () => this.undo() }, "×"));
    }
    const held = choosing.picked.map((id) =>
      make("li", { class: "step held" }, this.called(id), make("button", { type: "button", class: "x", "aria-label": say("take_back"), onclick: () => this.touched(id) }, "×")),
    );
    return make("ol", { class: "steps", "aria-label": say("so_far") }, doing, ...done, ...held);
  }

  called(id) {
    const found = document.querySelector(`main [data-place="${CSS.escape(id)}"]`);
    return found ? found.getAttribute("aria-label") : id;
  }

  // A long list of what is on the table would only be in the way.
  quiet(options) {
    const open = options.filter((option) => isOpen(option, this.choosing.picked));
    const narrow = onPhone() && !open.some((option) => option.told?.length);
    return !this.words && open.length >= LISTED_THERE[narrow ? "narrow" : "wide"];
  }

  tools() {
    const { choosing } = this;
    if (ranges(choosing.options).length < SEARCHED && !this.quiet(choosing.options)) return null;
    if (!this.words && choosing.picked.length && ranges(choosing.left()).length < SEARCHED) return null;
    const search = make("input", {
      type: "search",
      id: "search",
      placeholder: say("search", { n: choosing.left().length }),
      "aria-label": say("search", { n: choosing.left().length }),
      autocomplete: "off",
      maxlength: "200",
      oninput: (event) => {
        this.words = event.target.value;
        byId("options").replaceWith(this.list());
      },
    });
    search.value = this.words;
    return search;
  }

  matching() {
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    const left = this.choosing.left();
    return words.length ? left.filter((option) => words.every((word) => option.text.toLowerCase().includes(word))) : left;
  }

  list() {
    const found = this.matching();
    const onTable = found.filter((option) => isOpen(option, this.choosing.picked));
    const quiet = this.quiet(found); // then what is not on the table is listed
    const rows = ranges(quiet ? found.filter((option) => !onTable.includes(option)) : found);
    const shown = rows.slice(0, LISTED).map((row, number) => (row.range ? this.range(row.range, number) : this.button(row.option, number)));
    rows.slice(0, LISTED).forEach((row, number) => this.tell(shown[number], row.option?.told, rows[number - 1]?.option?.told));
    if (rows.length > LISTED) shown.push(make("li", { class: "more" }, say("more", { n: rows.length - LISTED })));
    if (quiet) shown.push(make("li", { class: "more" }, make("button", { type: "button", class: "where-lit", onclick: () => showLit() }, rows.length ? say("or_on_table") : say("on_table"))));
    if (!found.length) shown.push(make("li", { class: "more" }, say("no_match"), this.whyButton()));
    return make("ol", { id: "options", class: "options" }, ...shown);
  }

  // What one may do at other times: a click asks why not now.
  closed() {
    const { closed } = this.snapshot;
    if (!closed?.length || this.choosing.picked.length) return null;
    const names = closed.map((title) =>
      make("li", {}, make("button", { type: "button", class: "closed", "aria-label": `${title}: ${say("why")}`, title: say("why"), onclick: () => this.why(title) }, title)),
    );
    return make("ul", { class: "closed-ones", "aria-label": say("closed") }, ...names);
  }

  whyButton() {
    return make("button", { type: "button", class: "tool", onclick: () => this.why(this.words) }, say("why"));
  }

  button(option, number) {
    const hint = number < 9 ? make("kbd", {}, String(number + 1)) : null;
    const button = make(
      "button",
      {
        type: "button",
        class: "option",
        "data-option": option.key,
        onclick: () => this.choose(option),
        onpointerenter: () => this.point(option, true),
        onpointerleave: () => this.point(option, false),
        onfocus: () => this.point(option, true),
        onblur: () => this.point(option, false),
      },
      hint,
      option.fill ? make("span", { class: "swatch", "--fill": option.fill, "aria-hidden": "true" }) : null,
      make("span", { class: "text" }, option.text),
    );
    if (option.laid) {
      const drawn = picture(option.laid.picture);
      drawn.setAttribute("aria-hidden", "true");
      button.prepend(drawn);
    }
    return make("li", {}, button);
  }

  // What the things that an option names do and cost, unless the option before it tells the same.
  tell(item, told, before) {
    const text = told?.join(" · ");
    if (text && text !== before?.join(" · ")) item.append(make("p", { class: "does", onclick: () => item.querySelector("button").click() }, text));
  }

  // What an option is about stands out while one points at it.
  point(option, on) {
    if (option.laid && on) {
      this.ghost.draw(option);
      this.mark();
    } else if (option.laid && !this.turns().length) this.ghost.draw();
    for (const element of document.querySelectorAll("main .pointed")) element.classList.remove("pointed"); // one at a time
    for (const id of on ? waysOf(option).flat() : []) {
      for (const element of document.querySelectorAll(`main [data-place="${CSS.escape(id)}"]`)) element.classList.add("pointed");
    }
  }

  // A number is chosen with a slider, or typed.
  range(found, row) {
    const [{ option: first, number: least }] = found;
    const most = found.at(-1).number;
    const slider = make("input", { type: "range", min: 0, max: found.length - 1, value: 0, "aria-label": first.text });
    const typed = make("input", { type: "number", min: least, max: most, value: least, "aria-label": say("number", { least, most }), title: say("number", { least, most }) });
    const hint = row < 9 ? make("kbd", {}, String(row + 1)) : null;
    const text = make("span", {}, first.text);
    const button = make("button", { type: "button", class: "option", "data-option": first.key }, hint, text);
    const go = (at) => {
      const { option, number } = found[at];
      button.disabled = false;
      text.textContent = option.text;
      button.dataset.option = option.key;
      slider.value = at;
      slider.setAttribute("aria-valuetext", option.text);
      if (document.activeElement !== typed) typed.value = number;
    };
    slider.addEventListener("input", () => go(Number(slider.value)));
    typed.addEventListener("input", () => {
      const at = found.findIndex(({ number }) => String(number) === typed.value);
      if (at >= 0) go(at);
      else {
        button.disabled = true; // what is typed is none of them, so the button says which there are
        text.textContent = say("number", { least, most });
      }
    });
    // What was typed becomes the nearest there is. A click that left the field does not take that yet: nobody has seen it.
    typed.addEventListener("blur", () => {
      if (!button.disabled) return;
      const wanted = Number(typed.value) || least;
      const nearest = found.reduce((best, { number }, at) => (Math.abs(number - wanted) < Math.abs(found[best].number - wanted) ? at : best), 0);
      setTimeout(() => {
        go(nearest);
        typed.value = found[nearest].number;
      }, SETTLED);
    });
    typed.addEventListener("keydown", (event) => event.key === "Enter" && button.click());
    button.addEventListener("click", () => this.take(found[Number(slider.value)].option));
    return make("li", { class: "range" }, button, make("div", { class: "exactly" }, slider, typed), make("div", { class: "ends", "aria-hidden": "true" }, make("span", {}, String(least)), make("span", {}, String(most))));
  }
}
