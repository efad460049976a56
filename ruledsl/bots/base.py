"""What a bot is, and the bots there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.registry import import_all

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

    from .seat_view import SeatView


class Bot(Protocol):
    """Chooses for a seat. It is given what the seat may know, and has chance of its own, never that of the play.

    Only one whose class says `sees_all = True` is given the play as it truly is: to study a game, not to play people.
    """

    def choose(self, view: SeatView) -> int:
        """The number of one of the seat's options."""
        ...


class UnknownBot(Exception):
    """No bot has this name."""


class BadDial(UnknownBot):
    """What is said behind the name of a bot means nothing to it."""


Kind = TypeVar("Kind", bound=Callable[..., Bot])
_FILES: dict[Path, str] = {}
_BOTS: dict[str, Callable[..., Bot]] = {}


def bot(name: str) -> Callable[[Kind], Kind]:
    """Registers a class under the name that `--bot` takes; it is made with a seed."""

    def keep(cls: Kind) -> Kind:
        assert name not in _BOTS, f"two bots are called {name}"
        _BOTS[name] = cls
        return cls

    return keep


def bots() -> dict[str, Callable[..., Bot]]:
    """All bots by name."""
    import_all("ruledsl.bots")
    return dict(sorted(_BOTS.items()))


def fair() -> dict[str, Callable[..., Bot]]:
    """All bots that know no more than their seat."""
    return {name: made for name, made in bots().items() if not getattr(made, "sees_all", False)}


def make(name: str, seed: int = 0) -> Bot:
    """A bot by name, or by the file that it is written in (`mine.py`), with what it takes behind a colon, as in
    `search:2s`; equal seeds play alike."""
    file = re.fullmatch(r"(.+\.py)(?::(.*))?", name)
    if file is not None:
        name, dial, colon = _of_file(Path(file[1])), file[2] or "", ":" if file[2] is not None else ""
    else:
        name, colon, dial = name.partition(":")
    made = _of(bots(), name)
    if not colon:
        return made(seed)
    if "dial" not in signature(made).parameters:
        raise BadDial(f"the bot `{name}` takes nothing after a colon")
    return made(seed, dial=dial)


def registered(name: str) -> Callable[..., Bot]:
    """What makes a fair bot that has this name; never one of a file, which only who sits at this machine may run."""
    return _of(fair(), name)


def _of(known: dict[str, Callable[..., Bot]], name: str) -> Callable[..., Bot]:
    if name not in known:
        hint = did_you_mean(nearest(name, known)) or f"there are {', '.join(f'`{n}`' for n in known)}"
        raise UnknownBot(f"there is no bot `{name}`; {hint}")
    return known[name]


def _of_file(path: Path) -> str:
    """The name of the bot that a file of Python registers; it is run once."""
    here = path.resolve()
    if here not in _FILES:
        before = set(bots())
        spec = spec_from_file_location(f"ruledsl_bot_{len(_FILES)}", here)
        assert spec is not None
        assert spec.loader is not None
        try:
            spec.loader.exec_module(module_from_spec(spec))
        except FileNotFoundError:
            raise UnknownBot(f"there is no file `{path}`") from None
        except Exception as problem:
            raise UnknownBot(f"the bot in `{path}` cannot be read: {type(problem).__name__}: {problem}") from problem
        own = [name for name in _BOTS if name not in before]
        if len(own) != 1:
            raise UnknownBot(
                f'`{path}` registers {len(own) or "no"} bots, not one: write `@bot("name")` above its class'
            )
        _FILES[here] = own[0]
    return _FILES[here]


def seated(names: Sequence[str], seed: int) -> list[Bot]:
    """Bots for the seats of the play with a seed. Equal names share one bot: with its seed a play comes out the same
    wherever it is played."""
    made = {name: make(name, seed) for name in names}
    return [made[name] for name in names]


def ask(bot: Bot, play: Play, seat: int) -> int:
    """What a bot decides for a seat of a play: the number of an option. A fair one is given no more than the seat may
    know."""
    from .seat_view import OpenView, SeatView

    return bot.choose((OpenView if getattr(bot, "sees_all", False) else SeatView)(play, seat))
