"""From declarations to programs: names, types, bounds, blocks."""
