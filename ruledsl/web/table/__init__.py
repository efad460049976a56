"""The table of a play as a page shows it: all that a seat may see and do, as plain data."""

from .snapshot import snapshot

__all__ = ["snapshot"]
