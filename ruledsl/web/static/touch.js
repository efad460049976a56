// Fingers on a board: two make it larger and move it, two taps look closer and back again. Where several small things lie
// under one finger, the first tap comes closer instead of guessing which was meant.

import { rescale } from "./render.js";

const SOON = 320; // milliseconds between two taps
const NEAR = 28; // pixels between two taps, and from a tap to what is meant by it
const FINGER = 21; // pixels: what is smaller is hard to hit
const CLOSER = 2;

export function touch() {
  const boards = document.getElementById("boards");
  pinch(boards);
  let last = null; // the last tap that chose nothing
  document.addEventListener(
    "click",
    (event) => {
      const frame = event.pointerType === "touch" && event.target.closest?.("#boards .frame");
      if (!frame) return;
      const here = { x: event.clientX, y: event.clientY, time: event.timeStamp };
      const twice = last && event.timeStamp - last.time < SOON && Math.hypot(last.x - here.x, last.y - here.y) < NEAR;
      const near = litNear(frame, here);
      const hit = event.target.closest(".lit");
      last = null;
      if (twice) come(frame, here, event);
      else if (near.length > 1 && small(near[0]) && small(near[1]) && apart(near) < FINGER) come(frame, here, event);
      else if (!hit && near.length && !event.target.closest(".held")) {
        event.stopPropagation();
        near[0].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      } else if (!hit) last = here;
    },
    { capture: true },
  );
}

function come(frame, at, event) {
  event.stopPropagation();
  event.preventDefault();
  rescale(Number(frame.parentElement.style.getPropertyValue("--zoom") || 1) > 1.2 ? 0 : CLOSER, frame.parentElement, at);
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function small(element) {
  const { width, height } = (element.querySelector(".space, .free, .rim") ?? element).getBoundingClientRect();
  return Math.min(width, height) < FINGER;
}

function litNear(frame, { x, y }) {
  const far = (element) => Math.hypot(middle(element).x - x, middle(element).y - y);
  return [...frame.querySelectorAll(".lit")].filter((element) => far(element) < NEAR).sort((one, other) => far(one) - far(other));
}

function apart([one, other]) {
  return Math.hypot(middle(one).x - middle(other).x, middle(one).y - middle(other).y);
}

function pinch(boards) {
  let from = null; // how far the fingers were from each other
  const between = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  const centre = ([one, other]) => ({ x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 });
  boards.addEventListener(
    "touchstart",
    (event) => {
      const frame = event.touches.length === 2 && event.target.closest?.(".frame");
      if (frame) from = { frame, far: between(event.touches), at: centre(event.touches) };
    },
    { passive: true },
  );
  boards.addEventListener(
    "touchmove",
    (event) => {
      if (!from || event.touches.length !== 2) return;
      event.preventDefault();
      const [far, at] = [between(event.touches), centre(event.touches)];
      from.frame.scrollLeft -= at.x - from.at.x;
      from.frame.scrollTop -= at.y - from.at.y;
      rescale(far / from.far, from.frame.parentElement, at);
      Object.assign(from, { far, at });
    },
    { passive: false },
  );
  for (const end of ["touchend", "touchcancel"]) boards.addEventListener(end, (event) => event.touches.length < 2 && (from = null));
}
