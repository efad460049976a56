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
    this.ended = ""; // what is to be told of a turn that is over
    this.begun = ""; // and of what holds since: only the last of it
    this.before = null;
  }

  // The seat has decided something: what was told of before is known now.
  decided(snapshot) {
    if (!snapshot.partial.length) this.decisions++;
    this.ended = this.begun = "";
  }

  // What is to be told of a snapshot that follows another.
  pass(snapshot) {
    const { before } = this;
    this.before = snapshot;
    const later = before && snapshot.move >= before.move && snapshot.language === before.language;
    if (!later || snapshot.over) {
      this.ended = this.begun = "";
      return "";
    }
    const other = ["turn_of", "turn", "round"].some((key) => snapshot[key] !== before[key]);
    if (other) {
      const mine = before.turn_of !== null && before.turn_of === before.seat;
      if (mine && this.decisions >= SEVERAL) this.ended = shares(before) ? say("turn_of_is_over", { name: before.panels[before.seat].name }) : say("turn_is_over");
      this.decisions = 0;
    }
    if (snapshot.phase && before.phase && snapshot.phase !== before.phase) this.begun = say("begins", { phase: snapshot.phase });
    else if (before.round && snapshot.round > before.round) this.begun = say("round_begins", { n: snapshot.round });
    return [this.ended, this.begun].filter(Boolean).join(" ");
  }
}
