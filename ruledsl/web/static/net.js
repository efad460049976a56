// What the page asks of the server. A link is in the address of the page: whoever has it has the seat.

export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

export async function ask(path, body) {
  const sent = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { credentials: "same-origin", ...sent });
  const text = await answer.text();
  let data = {};
  try {
    data = text ? JSON.parse(text) : {};
  } catch {
    data = { error: text.slice(0, 300) };
  }
  if (!answer.ok) throw new Refused(answer.status, data.error || answer.statusText);
  return data;
}

export class Seat {
  constructor(link) {
    this.base = `/api/t/${encodeURIComponent(link)}`;
  }

  snapshot(language) {
    return ask(`${this.base}?lang=${language}`);
  }

  choose(move, choice, language) {
    return ask(`${this.base}/choose?lang=${language}`, { move, choice });
  }

  undo(move, language) {
    return ask(`${this.base}/undo?lang=${language}`, { move });
  }

  at(number, language) {
    return ask(`${this.base}/at/${number}?lang=${language}`);
  }

  branch(number, language) {
    return ask(`${this.base}/branch?lang=${language}`, { at: number });
  }

  why(text, language) {
    return ask(`${this.base}/why?option=${encodeURIComponent(text)}&lang=${language}`);
  }

  replay() {
    return `${this.base}/replay`;
  }

  // Calls `changed` whenever something happened, `rules` when the files of a game that is watched were saved; the browser
  // itself connects again after a break.
  listen(changed, rules, broken) {
    const source = new EventSource(`${this.base}/events`);
    source.addEventListener("changed", (event) => changed(JSON.parse(event.data)));
    source.addEventListener("rules", (event) => rules(JSON.parse(event.data)));
    source.onopen = () => broken(false);
    source.onerror = () => broken(true);
    return source;
  }
}
