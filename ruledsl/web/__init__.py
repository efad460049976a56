"""Play in a browser: a server that keeps plays, and the page that it shows."""
