"""Rewrites of programs: what is found in expressions, and what is written instead; one file for each."""
