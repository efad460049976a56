// What has happened since this seat decided last: shown step by step where the device allows motion, and marked.

import { drawAll, labels } from "./render.js";

const PAUSE = 650; // milliseconds for each step
const IN_ALL = 3600; // for all of them

// What is counted, rather than a space, a place or a thing in it.
const isNumber = (id) => !/^[asp]:/.test(id);

export class Course {
  // `at` fetches the play as it stood after some moves, `between` as it stood at a line of the log.
  constructor(at, between) {
    this.at = at;
    this.between = between;
    this.looks = new Map(); // how the table looked after so many moves
    this.line = "";
    this.hurried = null;
    this.goOn = null; // ends the interlude that is being shown
  }

  // What was seen of a play that was taken back, or in another language, says nothing of this one.
  follow(snapshot) {
    const line = `${snapshot.version.split(".")[0]} ${snapshot.language}`;
    if (line === this.line) return true;
    this.line = line;
    this.looks.clear();
    return false;
  }

  keep(snapshot) {
    this.looks.set(snapshot.move, labels());
  }

  // How the table looked when this seat had decided last. If the page has not shown that, it is drawn for a moment; if
  // it cannot be had, nothing is marked.
  async base(snapshot) {
    const { since, interludes } = snapshot;
    const last = interludes.at(-1);
    if (last !== undefined) {
      // Since then everything was laid out anew: what was before says nothing of it.
      const then = this.looks.has(`line ${last}`) ? null : await this.between(last).catch(() => null);
      if (then) {
        drawAll(then, () => {});
        this.looks.set(`line ${last}`, labels());
      }
      return this.looks.get(`line ${last}`) ?? new Map();
    }
    if (since < snapshot.move && !this.looks.has(since)) {
      const then = await this.earlier(since);
      if (!then) return new Map();
      drawAll(then, () => {});
      this.keep(then);
    }
    return this.told(since);
  }

  // A look at an earlier step may fail; what holds now is shown all the same.
  earlier(step) {
    return this.at(step).catch(() => null);
  }

  // Numbers are held against those before one's own decision: one sees what it has cost.
  told(since) {
    const before = this.looks.get(Math.max(...[...this.looks.keys()].filter((move) => move < since)));
    const found = new Map(this.looks.get(since));
    for (const [id, looks] of before ?? []) if (isNumber(id)) found.set(id, looks);
    return found;
  }

  // The steps that were not shown yet. Who hurries on sees the last of them.
  async walk(snapshot, from, show) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    const steps = snapshot.steps.filter((step) => step > from);
    let hurry = false;
    const hurried = new Promise((resolve) => (this.hurried = () => resolve((hurry = true))));
    for (const step of steps) {
      const then = await this.earlier(step);
      if (hurry || !then) break;
      const before = JSON.stringify([...labels()]);
      await show(then);
      if (JSON.stringify([...labels()]) === before) continue;
      await Promise.race([hurried, new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE, IN_ALL / steps.length)))]);
      if (hurry) break;
    }
    this.hurried = null;
  }

  // Shows moments that would be gone at the next decision, each until somebody goes on.
  async pause(lines, show) {
    for (const line of lines) {
      const then = await this.between(line).catch(() => null);
      if (!then) return;
      show(then);
      this.looks.set(`line ${line}`, labels());
      await new Promise((resolve) => (this.goOn = resolve));
      this.goOn = null;
    }
  }

  hurry() {
    this.hurried?.();
  }
}
