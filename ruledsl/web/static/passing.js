// What has ended or begun since one decided last, for a turn may end by itself.

import { say } from "./words.js";

const SEVERAL = 2; // decisions: of a turn that has as many one may wonder whether it is over

// Whether people at one device share the page: then it says who is to decide.
export function shares(snapshot) {
  return snapshot.yours.length > 1;
}

export class Passing {
  constructor() {
    this.decisions = 0; // of this seat in its turn
    this.text = "";
    this.before = null;
  }

  // The seat has decided something: what was told of before is known now.
  decided(snapshot) {
    if (!snapshot.partial.length) this.decisions++;
    this.text = "";
  }

  // What is to be told of a snapshot that follows another.
  pass(snapshot) {
    const { before } = this;
    this.before = snapshot;
    const later = before && snapshot.move >= before.move && snapshot.language === before.language;
    if (!later) {
      this.text = "";
      return this.text;
    }
    const lines = this.text ? [this.text] : [];
    const other = ["turn_of", "turn", "round"].some((key) => snapshot[key] !== before[key]);
    if (other) {
      const mine = before.turn_of !== null && before.turn_of === before.seat;
      if (mine && this.decisions >= SEVERAL) lines.push(shares(before) ? say("turn_of_is_over", { name: before.panels[before.seat].name }) : say("turn_is_over"));
      this.decisions = 0;
    }
    if (snapshot.phase && before.phase && snapshot.phase !== before.phase) lines.push(say("begins", { phase: snapshot.phase }));
    this.text = snapshot.over ? "" : lines.slice(-2).join(" ");
    return this.text;
  }
}
