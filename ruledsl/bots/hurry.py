"""How a bot that thinks is asked to come to an end: it takes the best that it knows by then."""

from __future__ import annotations

from threading import Event

_asked = Event()


def hurry() -> None:
    """Asks the bot that is thinking to decide now."""
    _asked.set()


def take_time() -> None:
    """A bot may think as long as it likes again."""
    _asked.clear()


def hurried() -> bool:
    """Whether somebody asked; bots look at it between two thoughts."""
    return _asked.is_set()


__all__ = ["hurried", "hurry", "take_time"]
