// One seat at one play: fetches what the seat may see, draws it, sends what was chosen.

import { Asking } from "./asking.js";
import { closer } from "./closer.js";
import { Course } from "./course.js";
import { byId, fill, make, notice } from "./dom.js";
import { openDrawer } from "./drawer.js";
import { keys, mouse } from "./keys.js";
import { lying, move } from "./motion.js";
import { Refused, Seat } from "./net.js";
import { drawAll, fitted, labels, markChanged, rescale } from "./render.js";
import { takeDropped } from "./replays.js";
import { drawResult } from "./result.js";
import { openStory } from "./story.js";
import { touch } from "./touch.js";
import { drawFindings } from "./watching.js";
import { currentLanguage, firstLanguage, say, setLanguage } from "./words.js";

const AGAIN = 2000; // milliseconds after which a page looks again that could not
const link = decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1) || "");
const seat = new Seat(link);
const asking = new Asking({ take, undo, why });
let now = null; // the snapshot of the play as it stands
let past = null; // the one that is looked at instead
let shown = null; // what the page shows
const course = new Course(
  (move) => seat.at(move, currentLanguage()),
  (line) => seat.between(line, currentLanguage()),
);
let busy = false;
let sending = Promise.resolve(); // what was sent last
let news = false; // something happened that has not been fetched
let changed = false; // the rules are others now
let looking = null; // the look that is under way

// What has the focus, so that it does not start anew after every decision: a place, or anything else on the table.
function focused() {
  const here = document.activeElement;
  return { here, place: here?.closest?.("main [data-place]")?.dataset.place, inside: here?.closest?.("main") };
}

function focusAgain({ here, place, inside }) {
  if (!inside || here.isConnected) return;
  const again = place && document.querySelector(`main [data-place="${CSS.escape(place)}"][tabindex]`);
  (again || byId("ask")).focus({ preventScroll: true });
}

// Draws a snapshot and marks what is otherwise than it was. Only what holds now can be decided in.
function show(snapshot, since, live = snapshot === now) {
  const focus = focused();
  shown = snapshot;
  const there = lying();
  drawAll(snapshot, (id, element) => asking.touched(id, element));
  markChanged(since);
  drawResult(byId("result"), snapshot);
  asking.show(snapshot, live, past?.snapshot === snapshot ? lookingBack() : null);
  drawTime();
  byId("undo").disabled = !now.undo || !live;
  focusAgain(focus);
  if (there.size) move(there);
}

async function receive(snapshot) {
  const noted = snapshot.notice !== now?.notice && snapshot.notice;
  const first = now === null;
  const same = ["version", "language", "notice"].every((key) => snapshot[key] === now?.[key]);
  if (same && !changed) return; // what is being typed or chosen stays
  changed = false;
  const from = now?.move ?? 0;
  const told = now?.log.at(-1)?.at ?? -1;
  now = snapshot;
  if (past === null || first) await present(snapshot, from, told);
  else drawTime();
  if (noted) notice(noted);
}

// What the others have done is seen step by step, if the page has not lost the thread; then what holds now.
async function present(snapshot, from, told) {
  const follows = course.follow(snapshot) && shown !== null;
  if (follows) {
    let base = course.looks.has(snapshot.since) ? course.told(snapshot.since) : undefined;
    const awaited = snapshot.interludes.filter((line) => line > told);
    const pause = (last) => interrupt(awaited.splice(0, awaited.filter((line) => line <= last).length));
    await course.walk(snapshot, from, async (step) => {
      await pause(step.log.at(-1)?.at ?? -1);
      show(step, base ?? new Map(), false);
      course.keep(step);
      base ??= course.looks.has(snapshot.since) ? course.told(snapshot.since) : undefined;
    });
    await pause(Infinity);
  }
  const base = await course.base(snapshot);
  if (past !== null) show(past.snapshot, new Map()); // somebody looks back since
  if (snapshot !== now || past !== null) return;
  show(snapshot, base);
  course.keep(snapshot);
}

// What would be gone is shown until somebody goes on. Then the page waits for nobody but them; until it is there, what is
// seen is what was answered already.
async function interrupt(lines) {
  if (!lines.length || past !== null) return;
  const { classList } = document.body;
  classList.add("busy");
  await course.pause(lines, (then) => {
    show(then, new Map(), false);
    asking.interrupt(() => {
      classList.add("busy");
      course.goOn?.();
    });
    classList.remove("busy");
  });
  classList.toggle("busy", busy);
}

// One look at a time, or an older answer could come after a newer one. Who asks while one looks is answered by another look.
function refresh() {
  news = true;
  looking ??= look().finally(() => (looking = null));
  return looking;
}

async function look() {
  while (news) {
    news = false;
    await receive(await seat.snapshot(currentLanguage()));
  }
}

// Something happened: it is looked at now, or when what is being sent is done.
function hear({ version }) {
  if (version === now?.version) return;
  news = true;
  if (!busy) refresh().catch(() => setTimeout(() => hear({ version }), AGAIN));
}

// Does one thing at a time; what the server refuses is said, and the page shows what holds.
function send(request) {
  if (!busy) {
    busy = true;
    sending = deliver(request);
  }
  return sending;
}

async function deliver(request) {
  document.body.classList.add("busy");
  try {
    await request();
    await refresh();
  } catch (problem) {
    notice(problem instanceof Refused ? problem.message || say("refused") : say("lost"));
    await refresh().catch(() => {});
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
  if (news) await refresh().catch(() => {});
}

// What is clicked while something is being sent comes after it, if it is still what was seen.
function take(option) {
  const { version } = shown; // what holds may have come already, and not be drawn yet
  return sending.then(() => now.version === version && send(() => seat.choose(now.move, option.key, currentLanguage())));
}

// What is asked for while something is being sent comes after it.
function undo() {
  return sending.then(() => send(() => seat.undo(now.move, currentLanguage())));
}

async function why(text) {
  const { version } = now;
  try {
    const answer = await seat.why(text, currentLanguage());
    if (now.version === version) asking.answered(answer);
  } catch (problem) {
    notice(problem.message);
  }
}

// ------------------------------------------------------------------------------------------------ the past

function drawTime() {
  const box = byId("time");
  const file = byId("replay");
  file.hidden = !now.tells || now.moves < 1;
  file.href = seat.replay();
  file.textContent = say("replay");
  const all = now.moves;
  box.hidden = all < 2;
  const at = past ? past.at : all;
  let slider = box.querySelector("input");
  if (!slider) {
    slider = make("input", { type: "range", min: 0, id: "slider" });
    slider.addEventListener("change", () => lookAt(Number(slider.value)));
    slider.addEventListener("input", () => (box.querySelector("output").textContent = say("move_n", { n: slider.value, all: slider.max })));
    fill(box, slider, make("output", {}));
  }
  slider.setAttribute("aria-label", say("time"));
  slider.max = all;
  slider.value = at;
  box.querySelector("output").textContent = say("move_n", { n: at, all });
}

// Where somebody looks back, that stands in the place of what is asked: so nothing on the table moves for it.
function lookingBack() {
  const back = make("button", { type: "button", class: "tool main", onclick: () => lookAt(now.moves) }, say("now"));
  const anew = now.tells ? make("button", { type: "button", class: "tool", onclick: branch }, say("branch")) : null;
  return { heading: say("past", { n: past.at }), ways: make("div", { id: "past", class: "past" }, back, anew) };
}

async function lookAt(number) {
  course.goOn?.();
  try {
    const before = labels();
    past = number >= now.moves ? null : { at: number, snapshot: await seat.at(number, currentLanguage()) };
    show(past ? past.snapshot : now, before);
  } catch (problem) {
    past = null;
    notice(problem.message);
    show(now, new Map());
  }
}

async function branch() {
  try {
    const found = await seat.branch(past.at, currentLanguage());
    location.assign(found.seats[now.seat ?? 0] || found.seats.find(Boolean) || found.spectator);
  } catch (problem) {
    notice(problem.message);
  }
}

// ------------------------------------------------------------------------------------------------ the page

// A button by its word, or by a sign where words are too long.
function tool(id, word, sign) {
  byId(id).title = word;
  byId(id).dataset.sign = sign;
  fill(byId(id), make("span", { class: "word" }, word));
}

function words() {
  tool("undo", say("undo"), "↶");
  tool("rules", say("rules"), "?");
  tool("history", say("history"), "≡");
  tool("language", say("other_language"), say("other_short"));
  byId("told").setAttribute("aria-label", say("history"));
}

async function start() {
  setLanguage(firstLanguage());
  words();
  byId("undo").addEventListener("click", undo);
  byId("rules").addEventListener("click", () => openDrawer(seat));
  byId("history").addEventListener("click", openStory);
  byId("language").addEventListener("click", async () => {
    setLanguage(currentLanguage() === "en" ? "ru" : "en");
    words();
    past = null;
    course.goOn?.();
    await refresh().catch((problem) => notice(problem.message));
  });
  document.addEventListener("pointerdown", () => course.hurry(), true);
  document.addEventListener("keydown", () => course.hurry(), true);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("button,input,a,.option,.drawer")) asking.clear();
  });
  keys({ asking, undo, rescale });
  closer();
  mouse({ asking });
  touch();
  fitted();
  takeDropped();
  try {
    await refresh();
  } catch (problem) {
    notice(problem.message || say("lost"));
  }
  seat.listen({
    changed: hear,
    rules(found) {
      drawFindings(found);
      changed = true;
      refresh().catch(() => {});
    },
    refused: ({ error }) => notice(error),
    broken: (broken) => document.body.classList.toggle("broken", broken),
  });
}

start();
