"""Playing in a terminal: what is shown, what is typed, and the session between."""
