// What of a board is in sight: it stays so when the board is drawn anew, when its frame gets another size because the
// device is turned or something beside it grows, and when it was out of sight for a while.

const known = new Map(); // of each board: the frame it was drawn in, how large that was, which point of the picture lay in its corner

const nameOf = (frame) => frame.parentElement.dataset.board;

// How large the frame is, and which point of the picture lies in its corner; nothing while it is not drawn.
function measured(frame) {
  const shown = frame.clientWidth && frame.querySelector("svg").getScreenCTM();
  if (!shown) return null;
  const { left, top } = frame.getBoundingClientRect();
  return { wide: frame.clientWidth, high: frame.clientHeight, scale: shown.a, x: (left - shown.e) / shown.a, y: (top - shown.f) / shown.a };
}

function sameSize(before, { wide, high }) {
  return before.wide === wide && before.high === high;
}

export function noteSight(frame) {
  const now = measured(frame);
  if (!now) return;
  known.set(nameOf(frame), { ...now, frame, aside: frame.scrollLeft > 0, down: frame.scrollTop > 0 });
}

// The same in the middle, though the board was drawn anew and may have grown to the left or above, or its frame is larger
// or smaller.
export function keepSight(frame) {
  const now = measured(frame);
  const before = known.get(nameOf(frame));
  if (!now || (before?.frame === frame && sameSize(before, now))) return;
  if (before) {
    const off = (long) => 0.5 * (before[long] / before.scale - now[long] / now.scale);
    if (before.aside) frame.scrollLeft += (before.x + off("wide") - now.x) * now.scale;
    if (before.down) frame.scrollTop += (before.y + off("high") - now.y) * now.scale;
  }
  noteSight(frame);
}

export function watchSight(boards) {
  boards.addEventListener(
    "scroll",
    ({ target }) => {
      const now = target.matches(".frame") && measured(target);
      const before = now && known.get(nameOf(target));
      if (now && (!before || (before.frame === target && sameSize(before, now)))) noteSight(target); // else nobody has moved it
    },
    { capture: true, passive: true },
  );
}
