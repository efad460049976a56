"""The files of a game as they are written: texts, YAML, tables and graphs, in which everything knows its place."""
