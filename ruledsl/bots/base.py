"""What a bot is, and the bots there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any, Protocol

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.engine.machine import Stop
from ruledsl.registry import import_all


class Bot(Protocol):
    """Chooses for a seat. A bot uses what the seat may see, and chance of its own, never that of the play."""

    def choose(self, play: Any, seat: int) -> int:
        """The number of one of the seat's options."""
        ...


class UnknownBot(Exception):
    """No bot has this name."""


class BadDial(UnknownBot):
    """What is said behind the name of a bot means nothing to it."""


_BOTS: dict[str, Callable[..., Bot]] = {}


def bot(name: str) -> Callable[[Any], Any]:
    """Registers a class under the name that `--bot` takes; it is made with a seed."""

    def keep(cls: Any) -> Any:
        assert name not in _BOTS, f"two bots are called {name}"
        _BOTS[name] = cls
        return cls

    return keep


def bots() -> dict[str, Callable[..., Bot]]:
    """All bots by name."""
    import_all("ruledsl.bots")
    return dict(sorted(_BOTS.items()))


def make(name: str, seed: int = 0) -> Bot:
    """A bot by name, with what it takes behind a colon, as in `search:2s`; equal seeds play alike."""
    name, colon, dial = name.partition(":")
    known = bots()
    if name not in known:
        hint = did_you_mean(nearest(name, known)) or f"there are {', '.join(f'`{n}`' for n in known)}"
        raise UnknownBot(f"there is no bot `{name}`; {hint}")
    if not colon:
        return known[name](seed)
    if "dial" not in signature(known[name]).parameters:
        raise BadDial(f"the bot `{name}` takes nothing behind a colon")
    return known[name](seed, dial=dial)


def seated(names: Sequence[str], seed: int) -> list[Bot]:
    """Bots for the seats of the play with a seed. Equal names share one bot: with its seed a play comes out the same
    wherever it is played."""
    made = {name: make(name, seed) for name in names}
    return [made[name] for name in names]


def question(play: Any, seat: int) -> Stop:
    """What a seat is asked, with its options as the machine knows them: quicker than their texts."""
    stop = play.stop_of(seat)
    assert stop is not None, "a bot was asked though its seat has nothing to decide"
    return stop
