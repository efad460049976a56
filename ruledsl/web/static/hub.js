// Shared by all pages of a browser: one connection to the server that tells of all plays they show. A browser opens six
// connections to a server at the most, so a seventh page with a connection of its own would never be answered.

const AGAIN = 2000; // milliseconds after which a server is asked again that has refused
const pages = new Map(); // each page by its port: the link of the play that it shows
let source = null;
let soon = 0;

self.onconnect = ({ ports: [page] }) => {
  page.onmessage = ({ data: link }) => {
    if (link) pages.set(page, link);
    else pages.delete(page);
    clearTimeout(soon);
    soon = setTimeout(listen, 20); // several pages may open at once
  };
};

function listen() {
  source?.close();
  const links = [...new Set(pages.values())];
  if (!links.length) return;
  source = new EventSource(`/api/events?${links.map((link) => `link=${encodeURIComponent(link)}`).join("&")}`);
  for (const kind of ["changed", "rules", "refused"]) {
    source.addEventListener(kind, (event) => tell(kind, JSON.parse(event.data)));
  }
  source.onopen = () => tell("broken", false);
  source.onerror = ({ target }) => {
    tell("broken", true);
    if (target !== source || target.readyState !== EventSource.CLOSED) return; // the browser connects again by itself
    clearTimeout(soon); // it was refused, as by a server that is too busy
    soon = setTimeout(listen, AGAIN);
  };
}

function tell(kind, data) {
  for (const [page, link] of pages) {
    if (!data.link || data.link === link) page.postMessage({ kind, data });
  }
}
