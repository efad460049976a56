"""A game as it introduces itself: what the lobby asks before a play, and its rules to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.boards.marks import plain, plain_lines
from ruledsl.bots.base import fair
from ruledsl.runtime.game import text_of
from ruledsl.runtime.rulebook import chapters
from ruledsl.runtime.table import Names
from ruledsl.source.document import Map
from ruledsl.telling.data import as_data
from ruledsl.telling.describe import opened
from ruledsl.types import Bool, Elem, Num, Root, SetOf, Type, bits

from .house import levels
from .words import LANGUAGES

if TYPE_CHECKING:
    from ruledsl.runtime.game import Game

_OF_FILES = ("file", "line")  # where a sentence comes from is for whoever writes rules


def portrait(game: Game, language: str) -> dict[str, Any]:
    """What can be chosen before a play."""
    words = Names(game.start(), language)
    return {
        "name": game.name,
        "title": plain(game.title(language)),
        "about": plain_lines(game.about(language)),
        "players": [game.players[0], game.players[-1]],
        "seats": [words.player(seat) for seat in range(len(game.blueprint.seats))],
        "options": [_option(game, name, kind, words, language) for name, kind in game.options.items()],
        "presets": [{"name": name, "title": words.word(name), "sets": sets} for name, sets in game.presets.items()],
        "languages": list(LANGUAGES),
        "bots": [{"name": name, "levels": list(levels(name)), "does": _does(kind)} for name, kind in fair().items()],
    }


def _option(game: Game, name: str, kind: Type, words: Names, language: str) -> dict[str, Any]:
    start = game.blueprint.starts[name]
    found: dict[str, Any] = {"name": name, "title": _label(game, name, language) or words.word(name)}
    match kind:
        case Bool():
            return found | {"type": "yes or no", "start": bool(start)}
        case Num(low, high):
            return found | {"type": "number", "least": low, "most": high, "start": start}
        case Elem(root=root, maybe=maybe):
            values = [*([{"name": "none", "title": "—"}] if maybe else []), *_values(game, root, words)]
            return found | {"type": "one of", "values": values, "start": root.names[start] if start >= 0 else "none"}
        case SetOf(of=Elem(root=root)):
            chosen = [root.names[i] for i in bits(start)]
            return found | {"type": "some of", "values": _values(game, root, words), "start": chosen}
    return found | {"type": "text", "start": str(start)}


def _values(game: Game, root: Root, words: Names) -> list[dict[str, Any]]:
    """What an option may be. Of players all are told that there may be, for how many take part is not known yet."""
    if root.kind == "player":
        own = dict(enumerate(game.blueprint.seats))
        most = range(game.players[-1])
        return [{"name": own.get(seat, f"player_{seat + 1}"), "title": "", "seat": seat} for seat in most]
    return [{"name": name, "title": words.word(name)} for name in root.names]


def _label(game: Game, name: str, language: str) -> str:
    """The label of an option, as its declaration has it."""
    for part in game.blueprint.source.parts:
        options = part.get("options")
        option = options.get(name) if isinstance(options, Map) else None
        label = option.get("label") if isinstance(option, Map) else None
        if label is not None:
            return plain(text_of(label, language))
    return ""


def _does(bot: Any) -> str:
    return " ".join((bot.__doc__ or "").split("\n\n")[0].split())


def rules_of(game: Game, language: str) -> list[dict[str, Any]]:
    """The rules of the game as they were written for people, by chapter; none where the game brings none."""
    return [
        {"depth": one.depth, "title": plain(one.title), "text": plain_lines(one.text)}
        for one in chapters(game, language)
    ]


def told_of(game: Game, language: str) -> dict[str, Any]:
    """The rules as they are told from the declaration. For a large game that takes seconds."""
    found: dict[str, Any] = _without_places(as_data(opened(game, language, None, None).whole()))
    return found


def _without_places(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without_places(value) for key, value in found.items() if key not in _OF_FILES}
    if isinstance(found, list):
        return [_without_places(one) for one in found]
    return found


__all__ = ["portrait", "rules_of", "told_of"]
