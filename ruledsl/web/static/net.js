// What the page asks of the server. A link is in the address of the page: whoever has it has the seat.

const AGAIN = 2000; // milliseconds after which a server is asked again that has refused

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
    this.link = link;
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

  between(line, language) {
    return ask(`${this.base}/between/${line}?lang=${language}`);
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

  // Calls one of `heard` by what happened: `changed` in the play; `rules`, when the files of a game that is watched were
  // saved; `refused`; `broken`, when the connection is lost or there again. The browser connects again by itself.
  listen(heard) {
    if (!globalThis.SharedWorker) return this.listenAlone(heard);
    const { port } = new SharedWorker("/static/hub.js");
    port.onmessage = ({ data: { kind, data } }) => heard[kind](data);
    const come = () => port.postMessage(this.link);
    come();
    addEventListener("pagehide", () => port.postMessage(""));
    addEventListener("pageshow", ({ persisted }) => persisted && come());
  }

  listenAlone(heard) {
    const source = new EventSource(`${this.base}/events`);
    for (const kind of ["changed", "rules"]) source.addEventListener(kind, (event) => heard[kind](JSON.parse(event.data)));
    source.onopen = () => heard.broken(false);
    source.onerror = () => {
      heard.broken(true);
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.listenAlone(heard), AGAIN);
    };
  }
}
