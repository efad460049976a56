"""All that a seat may see of a play and do in it, as JSON has it.

It is made of the table of the seat (`runtime.table`), of its options and of the story as it may read it: all of them
ask the one notion of what a seat may know. What is here can be sent as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ruledsl.boards.marks import plain
from ruledsl.boards.svg import colour_of
from ruledsl.boards.svgtiles import tile_svg
from ruledsl.bots.laid import handed_by, laid_by, led_by, told_apart
from ruledsl.engine.options import DONE, STRIDE
from ruledsl.ir import core as C
from ruledsl.runtime.arranged import arranged
from ruledsl.runtime.asked import steps_so_far
from ruledsl.runtime.drawn import drawn_from
from ruledsl.runtime.gathering import in_any_order, is_picked, key_of, step_of
from ruledsl.runtime.outcome import outcome
from ruledsl.runtime.picture import artist_of, drawn_as_tiles, face
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.runs import Run, runs
from ruledsl.runtime.story import story
from ruledsl.runtime.table import names_of, table

from .areas import Areas
from .boards import Boards
from .picking import said_while_picking
from .printed import Printed
from .targets import Targets, space_id

# Behind which something should follow: `take the`, `attack fort 3 with`, `take mana, putting`.
_OPEN_END = re.compile(
    r"(?:\s+(?:the|an?|to|from|on|in|at|with|for|of|as|by|на|в|во|с|со|из|у|к|от|для|по|за|о|как)"
    r"|,\s+\w+|[\s:,;/«“(–—-])+$"
)
_MOST_CLOSED = 12  # actions that are not possible now
_MOST_LAID = 24  # options that are tried out
_MOST_UNSAID = 4  # options that name nothing on the table and are tried
_MOST_TOLD = 40  # options that tell of what they name
_MOST_LINES = 400  # of the story that are sent


def snapshot(
    play: Play, seat: int | None, language: str = "en", beside: bool = False, picked: tuple[int, ...] = ()
) -> dict[str, Any]:
    """What a seat sees and may do; without a seat, what a bystander sees. With `beside` from its own side; `picked` is
    what it has picked of a set that it is asked for."""
    view = play.view(seat)
    found = table(play, seat, language, view)
    state = play.state_of(seat)
    targets = Targets(play, seat, found.panels, state, language)
    printed = Printed(play, seat, language, state, view)
    areas = Areas(play, found, language, targets, state, printed)
    partial = _partial(play, seat, language, targets, picked)
    asked = {"partial": partial, **_asked(play, seat, language, targets, printed, picked)}
    return {
        "game": play.game.name,
        "title": found.title,
        "language": language,
        "seat": seat,
        "round": found.round,
        "turn": found.turn,
        "phase": found.phase,
        "acting": list(found.acting),
        "turn_of": play.world.players.names.index(view["turn_player"]) if view["turn_player"] else None,
        "over": play.over,
        "boards": Boards(play, found, language, state, view, targets.parts, printed, beside).data(),
        "areas": areas.areas(),
        "panels": areas.people(),
        "log": _log(play, seat, language),
        **asked,
        "result": _result(play, language) if play.over else None,
    }


def _partial(
    play: Play, seat: int | None, language: str, targets: Targets, picked: tuple[int, ...]
) -> list[dict[str, Any]]:
    """The steps that the seat has taken of what it is asked, each with where on the table it is."""
    steps = steps_so_far(play, seat, language) if seat is not None else []
    if seat is not None:
        steps += filter(None, (step_of(play, seat, (value,), language) for value in picked))
    return [{"text": step.text, "places": targets.chosen(step.kind, step.value)} for step in steps]


def _asked(
    play: Play, seat: int | None, language: str, targets: Targets, printed: Printed, picked: tuple[int, ...]
) -> dict[str, Any]:
    """What the seat is asked."""
    stop = play.stop_of(seat) if seat is not None else None
    if stop is None or stop.choice is None or seat is None:
        return {"asked": "", "doing": "", "closed": [], "options": []}
    found = {run.option.index: run for run in runs(play, seat, language)}
    options = told_apart(play, seat, arranged(play, seat, [run.option for run in found.values()]))
    options = in_any_order(play, seat, options, language, picked)
    keys = {option.index: key_of(option) for option in options}
    options = [_by_itself(option) for option in options]
    picking = said_while_picking(play, seat, options, language, picked)
    places = _places(play, seat, options, stop.choice, targets)
    ways = _ways(play, seat, options, places, targets)
    for index, found_places in places.items():
        ways[index] = [*ways.get(index, ()), *targets.ways(found_places)]
    laid = _laid(play, seat, options, language)
    words = dict.fromkeys(option.action for option in options if option.raw[0] >= 0)
    actions = {word: _action(play, word, language) for word in words}
    entries = dict.fromkeys(option.raw[0] for option in options if option.raw[0] >= 0)
    titles = dict.fromkeys(_deed(play, stop.choice.entries[number], language) for number in entries)
    begun = play.state[stop.choice.stage] if stop.choice.stage is not None and play.together is None else 0
    name = stop.choice.entries[(begun - 1) // STRIDE].name if begun else ""
    return {
        "asked": ", ".join(titles) if len(titles) < 6 and all(titles) else "",
        "doing": _action(play, name, language),
        "closed": [] if picked else _closed(play, stop.choice, actions, language),
        "options": [
            {
                "key": keys[option.index],
                "text": picking.get(option.index) or plain(option.text or option.notation),
                "places": places[option.index],
                "ways": ways.get(option.index, []),
                "action": actions[option.action] if option.raw[0] >= 0 else "",
                **({"picks": True} if option.gathered else {}),
                **_told(option, stop.choice, printed, len(options)),
                **(_series(found[option.index]) if option.index in found else {}),
                **_swatch(play, option, places[option.index]),
                **laid.get(option.index, {}),
            }
            for option in options
        ],
    }


def _by_itself(option: Option) -> Option:
    """Something that is picked, without what was picked before it."""
    if not is_picked(option):
        return option
    number = option.raw[1] if option.raw[0] == DONE else option.raw[0]
    return replace(option, raw=(number, *option.values.values()) if option.values else (DONE, number), then=())


def _places(play: Play, seat: int, options: list[Option], choice: C.Choice, targets: Targets) -> dict[int, list[str]]:
    """What each option is about. Those about tokens, or about nothing on the table, are tried: one pays with one's own
    tokens, and puts them somewhere."""
    found = targets.told_apart({option.index: targets.of(option, choice) for option in options})
    kinds = {index: {place[0] for place in one} for index, one in found.items()}
    tried = [o for o in options if o.raw[0] >= 0 and ("k" in kinds[o.index] or not kinds[o.index] & {"s", "p"})]
    if len(tried) <= _MOST_LAID:
        for index, handed in handed_by(play, seat, tried).items():
            found[index] = targets.handing(found[index], handed)
    return found


def _closed(play: Play, choice: C.Choice, offered: dict[str, str], language: str) -> list[str]:
    """What the seat might do at such a point, but not now: what is asked at other times only.

    Of two actions that the rules call the same, people read that it is possible if one of them is.
    """
    if choice.stage is not None and play.state[choice.stage]:
        return []
    names = dict.fromkeys(entry.name for entry in choice.entries if entry.name in play.world.procedures)
    titles = dict.fromkeys(_action(play, name, language) for name in names if name not in offered)
    closed = [title for title in titles if title and title not in offered.values()]
    return closed if len(closed) <= _MOST_CLOSED else []


def _told(option: Option, choice: C.Choice, printed: Printed, count: int) -> dict[str, Any]:
    """What is told of the pieces that an option names: what a card does and costs stands where one chooses it."""
    if option.raw[0] < 0 or count > _MOST_TOLD:
        return {}
    kinds = {variable.name: variable.type for variable in choice.entries[option.raw[0]].variables}
    lines = printed.of_option(option, kinds)
    return {"told": lines} if lines else {}


def _series(run: Run) -> dict[str, Any]:
    """How many options an entry of the list stands for, if not one: `head`, `number`, `tail` make the text of the
    first, and each after it has the next key and the next number."""
    if run.count == 1:
        return {}
    return {"series": {"count": run.count, "head": plain(run.head), "number": run.number, "tail": plain(run.tail)}}


def _swatch(play: Play, option: Option, places: list[str]) -> dict[str, str]:
    """The colour that an option is about, where it is about nothing on the table."""
    if places or len(option.words) != 1:
        return {}
    colour = artist_of(play, "en").colour_of(next(iter(option.words.values())))
    return {"fill": colour_of(colour)} if colour else {}


def _ways(
    play: Play, seat: int, options: list[Option], places: dict[int, list[str]], targets: Targets
) -> dict[int, list[list[str]]]:
    """Other ways to point at an option that does not say where it leads: at a man of one's own, and where it would go.

    One moves a man by a die, castles, and takes a card from the top of a deck, as a hand does it.
    """
    hidden = [option for option in options if not places[option.index] and option.raw[0] >= 0]
    unsaid = hidden if len(hidden) <= _MOST_UNSAID else []
    drawn = {option.index: drawn_from(play, seat, option) for option in unsaid}
    found = {index: [[place]] for index, spot in drawn.items() if spot is not None and (place := targets.spot(spot))}
    unsaid = [*unsaid, *(o for o in options if any(o.are_pieces) and sum(map(_is_space, places[o.index])) < 2)]
    if len(unsaid) > _MOST_LAID:
        return found
    for index, moved in led_by(play, seat, unsaid).items():
        ends = [(targets.piece(piece), targets.spot(spot)) for piece, spot in moved]
        led = [[one, other] for one, other in ends if one and other and other not in places[index]]
        found[index] = [*found.get(index, ()), *led]
    return found


def _is_space(place: str) -> bool:
    return place.startswith("s:")


def _laid(play: Play, seat: int, options: list[Option], language: str) -> dict[int, dict[str, Any]]:
    """Where a tile would come to lie by each of a few options, and how it would look there."""
    if not 0 < len(options) <= _MOST_LAID:
        return {}
    found = {}
    for index, laid in laid_by(play, seat, options).items():
        board = laid.board
        if not drawn_as_tiles(board):
            continue
        title = plain(str(play.words.title(play.world.pieces, laid.piece, language)))
        drawn = tile_svg(board.board.outline, face(play, laid.piece, language, laid.turn), title, f"o{index}-")
        found[index] = {"laid": {"place": space_id(board.name, board.root.names[laid.space]), "picture": drawn}}
    return found


def _action(play: Play, word: str, language: str) -> str:
    """What the rules call the thing to do; nothing where it has no name in the language."""
    if not word:
        return ""
    titles = play.world.title_of_word(word)
    return plain(str(titles.get(language) or ""))


def _deed(play: Play, entry: C.Entry, language: str) -> str:
    """What is done by an entry, for who chooses on the table alone: its name, or its label up to what is chosen."""
    if title := _action(play, entry.name, language):
        return title
    before = ""
    for part in entry.label.parts(language) if entry.label is not None else ():
        if not isinstance(part, str):
            before = _OPEN_END.sub("", before)
            break
        before += part
    return plain(" ".join(before.split()))


def _log(play: Play, seat: int | None, language: str) -> list[dict[str, Any]]:
    """The story, each line with the line of the log it ends at."""
    since = max(0, len(play.log) - _MOST_LINES)
    return [
        {"from": event.first, "at": event.last, "seat": event.seat, "text": plain(event.text)}
        for event in story(play, seat, language, since)
    ]


def _result(play: Play, language: str) -> dict[str, Any]:
    """How the play ended."""
    found, names = outcome(play, language), names_of(play, language)
    return {
        "lines": [plain(line).strip() for line in found.lines],
        "winners": play.winners,
        "heads": [names.player(seat) for seat in found.order],
        "rows": [{"title": plain(title), "cells": [plain(cell) for cell in cells]} for title, cells in found.rows],
        "note": found.note,
        "void": play.fault is not None,
    }


__all__ = ["snapshot"]
