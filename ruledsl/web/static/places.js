// The seats that one person has taken in the lobby, where each has a page of its own: one goes from one to the other at one
// device. Only the browser that began the play knows of them.

const KEY = "ruledsl-places";
const MOST = 30; // plays that are remembered

function known() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return []; // A browser may refuse to keep anything.
  }
}

// Remembers the seats of `me`: for each its link.
export function remember(links) {
  if (new Set(links.map(({ link }) => link)).size < 2) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...known(), links].slice(-MOST)));
  } catch {
    // As above.
  }
}

// The other seats of who sits at a link.
export function others(link) {
  const found = known().find((links) => links.some((one) => one.link === link)) ?? [];
  return found.filter((one) => one.link !== link);
}
