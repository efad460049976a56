"""Players that are programs: one file for each, found by its name."""
