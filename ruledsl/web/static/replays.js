// A replay file that is dropped on the page, or chosen, becomes a play to look through.

import { notice } from "./dom.js";
import { ask } from "./net.js";
import { currentLanguage } from "./words.js";

const MOST = 4_000_000; // characters

export async function openReplay(file) {
  try {
    if (file.size > MOST) throw new Error(file.name);
    const found = await ask(`/api/replays?lang=${currentLanguage()}`, { text: await file.text() });
    location.assign(found.seats.find(Boolean) || found.spectator);
  } catch (problem) {
    notice(problem.message);
  }
}

export function takeDropped() {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) openReplay(file);
  });
}
