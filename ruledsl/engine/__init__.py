"""The reference interpreter: the meaning of programs, written to be read."""
