"""Tests of games, written beside the game as YAML: read, run, and judged by what they leave untested."""
