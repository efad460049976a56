// What is wrong with the rules while they are being written, told by the server that watches them.

import { byId, fill, make } from "./dom.js";
import { say } from "./words.js";

export function drawFindings(found) {
  const box = byId("findings");
  box.hidden = !found.diagnostics?.length;
  if (box.hidden) return;
  const head = found.errors ? say("rules_wrong", { n: found.errors }) : say("rules_warn", { n: found.warnings });
  const lines = found.diagnostics.map((one) =>
    make("li", { class: one.severity }, make("code", {}, `${one.file}:${one.line}`), ` ${one.message}`, one.help ? make("small", {}, ` ${one.help}`) : null),
  );
  fill(box, make("h2", {}, head), make("ol", {}, ...lines));
}
