// What lies elsewhere than before is seen to go there. Things are told apart by how they look, as on a real table: the
// page knows nothing else of them.

const LONG = 380; // milliseconds
const MOST = 24; // things that go at once; more than these, and nobody could follow

// What lies on the page, by its look: where it is, and what it is drawn of.
export function lying() {
  const found = new Map();
  const add = (look, place, parts) => {
    if (!found.has(look)) found.set(look, []);
    found.get(look).push({ place, parts, box: parts[0].getBoundingClientRect() });
  };
  for (const disc of document.querySelectorAll("#boards .place :is(.disc, .piece, .lies, .picture):not(.ghost *)")) {
    const text = disc.nextElementSibling?.tagName === "text" ? disc.nextElementSibling : null;
    const look = `${disc.getAttribute("fill")} ${disc.getAttribute("href")} ${text?.textContent}`;
    add(look, disc.closest("[data-place]").dataset.place, text ? [disc, text] : [disc]);
  }
  for (const item of document.querySelectorAll("main .item:not(.back)")) {
    add(`card ${item.getAttribute("aria-label")}`, item.closest(".area").dataset.place, [item]);
  }
  return found;
}

export function move(before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const going = [];
  for (const [look, here] of lying()) {
    const left = [...(before.get(look) ?? [])];
    const come = here.filter((thing) => {
      const at = left.findIndex((other) => other.place === thing.place);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    for (const thing of come) going.push([thing, left.shift()?.box ?? ownerOf(thing)]);
  }
  if (going.length > MOST) return;
  for (const [thing, from] of going) go(thing, from);
}

// Where something comes from that was not there: from the player whose colour it has.
function ownerOf({ parts: [part] }) {
  const fill = part.getAttribute("fill") ?? part.style.getPropertyValue("--fill");
  const signs = [...document.querySelectorAll(".person h2 .sign")];
  return signs.find((sign) => fill && sign.style.getPropertyValue("--fill") === fill)?.getBoundingClientRect();
}

function go({ parts, box }, from) {
  for (const part of parts) {
    const [across, down] = part.ownerSVGElement ? [part.getScreenCTM().a, part.getScreenCTM().d] : [part.currentCSSZoom ?? 1, part.currentCSSZoom ?? 1];
    const x = from ? (from.x + from.width / 2 - box.x - box.width / 2) / across : 0;
    const y = from ? (from.y + from.height / 2 - box.y - box.height / 2) / down : 0;
    const first = from ? { transform: `translate(${x}px, ${y}px)` } : { opacity: 0 };
    part.animate([first, { transform: "none", opacity: 1 }], { duration: LONG, easing: "ease-in-out" });
  }
  const place = parts[0].ownerSVGElement && parts[0].closest(".place");
  const outlines = place?.parentNode.querySelector(":scope > .outlines");
  if (place && from) place.parentNode.insertBefore(place, outlines ?? null); // above what it passes, below its own edge
}
