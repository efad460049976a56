"""What happened in a play, one line for each thing: what was chosen in several steps is told once, when it is done.

The log keeps every step (`runtime.log`), for tests, records and taking back. People read this instead: the steps of a
choice are one line that says all that was chosen, and a line tells what it took from others on the boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruledsl.engine.options import DONE, STRIDE
from ruledsl.ir import core as C
from ruledsl.records import dataclass
from ruledsl.types import BagOf, Elem, ListOf, SetOf
from ruledsl.wording.cases import counted as so_many

from .log import Line
from .picture import artist_of

if TYPE_CHECKING:
    from ruledsl.runtime.play import Play

State = list[int]


@dataclass(frozen=True)
class Event:
    """One thing that happened, as a seat may read it: its text, who did it, and its lines of the log."""

    text: str
    seat: int  # -1 for what the rules say
    first: int
    last: int


@dataclass
class _Settled:
    """What a seat reads of lines of the log that nothing changes any more: of those from one line to another."""

    start: int
    end: int
    events: list[Event]


def story(play: Play, seat: int | None, language: str = "en", since: int = 0) -> list[Event]:
    """All that happened since a line of the log, as a seat may read it; without a seat, as a bystander may.

    What is settled is worked out once, for whoever plays reads the story after each decision.
    """
    known: dict[Any, _Settled] = play.log.told
    kept = known.get((seat, language))
    if kept is None or kept.start > since:
        kept = known[seat, language] = _Settled(since, since, [])
    while kept.events and kept.events[0].last < since:
        del kept.events[0]
    kept.start = since
    found, settled, going = kept.events[:], len(kept.events), True
    for event, end in _events(play, seat, language, max(kept.end, since)):
        going = going and _is_settled(play, event)
        if event.text:
            found.append(event)
        if going:
            kept.end, settled = end, len(found)
    kept.events = found[:settled]
    return found


def _is_settled(play: Play, event: Event) -> bool:
    """Whether a part of the story stays as it is, whatever happens next."""
    lines = play.log.lines
    if not any(line.choice is not None for line in lines[event.last + 1 :]):
        return False  # what it took shows with the next decision
    if (
        event.seat >= 0
        and play.viewer.spots.known >= 0
        and any(_captured(play, lines[event.first : event.last + 1], event.last))
    ):
        return False  # who knows the pieces may change
    watched = {id(one) for one in play.log.open}
    return not any(id(one) in watched for line in lines[event.first : event.last + 1] for one in line.chosen)


def _events(play: Play, seat: int | None, language: str, since: int) -> Iterator[tuple[Event, int]]:
    """What happened, also what the seat reads nothing of, and the line behind it."""
    lines = play.log.lines
    first = at = since
    while at < len(lines):
        line: Line = lines[at]
        if line.choice is None:
            yield Event(play.line(at, seat, language), -1, at, at), at + 1
            first = at = at + 1
            continue
        if not _goes_on(play, at):
            first = _beginning(lines, at, first)
            yield Event(_told(play, seat, language, first, at), line.seat, first, at), at + 1
            first = at + 1
        at += 1


def _goes_on(play: Play, at: int) -> bool:
    """Whether a line is a step of a choice that has further steps."""
    line, lines = play.log.lines[at], play.log.lines
    assert line.choice is not None, "a step is taken in a choice"
    if line.choice.stage is None:
        return False
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following is not None:
        later = following.state
        return following.choice is line.choice and following.seat == line.seat and later[line.choice.stage] > 0
    stop = play.stop_of(line.seat)
    return (
        stop is not None and stop.choice is line.choice and play.together is None and play.state[line.choice.stage] > 0
    )


def _beginning(lines: list[Line], at: int, first: int) -> int:
    """The first line of the choice that a line ends, though it be told from a later line on."""
    choice = lines[at].choice
    assert choice is not None
    while choice.stage is not None and lines[at].state[choice.stage] > 0 and at > 0 and lines[at - 1].choice is choice:
        at -= 1
    return at if choice.stage is not None else first


def _told(play: Play, seat: int | None, language: str, first: int, last: int) -> str:
    """What was chosen, with what it took."""
    group: list[Line] = play.log.lines[first : last + 1]
    line = group[-1]
    assert line.choice is not None
    if not play.viewer.among(line.readers, seat):
        return ""
    whole = _whole(play, seat, language, group) if line.choice.stage is not None else ""
    if whole:
        text = f"{play.words.title(play.world.players, line.seat, language)}: {whole}"
    else:
        text = play.line(last, seat, language)
    taken = _taken(play, seat, language, group, last)
    return f"{text} ({taken})" if taken else text


# ------------------------------------------------------------------------------------------- several steps


def _whole(play: Play, seat: int | None, language: str, group: list[Line]) -> str:
    """All that was chosen step by step, as the label says; nothing where it was one step."""
    line = group[-1]
    choice = line.choice
    assert choice is not None
    assert choice.stage is not None
    stage = line.state[choice.stage]
    number = (stage - 1) // STRIDE if stage else line.raw[1] if line.raw[0] == DONE else line.raw[0]
    if number < 0 or (not stage and len(group) == 1):
        return ""
    if not all(play.viewer.among(one.option, seat) for one in group):
        return ""
    entry = choice.entries[number]
    v = _as_known(play, group)
    if line.raw[0] >= 0:
        position = (stage - 1) % STRIDE if stage else 0
        for variable, value in zip(entry.variables[position:], line.raw[1:], strict=False):
            _bind(v, variable, value)
    readers = {slot: players for one in group for slot, players in one.slots.items()}
    play.words.numbered = False
    try:
        if entry.label is not None:
            return " ".join(play.words.text(v, entry.label, language, seat, readers).split())
        shown = []
        for variable in entry.variables:
            told = not play.words.knowing.veiled(variable.slot, seat, readers)
            value = _held(v, variable)
            name = play.words.name(value, variable.type, language, (v, seat))
            shown.append(name if told else play.words.fixed("unknown", language))
    finally:
        play.words.numbered = True
    title = play.world.title_of_action(entry.name).get(language, entry.name.replace("_", " ")) if entry.name else ""
    return f"{title} {', '.join(shown)}".strip()


def _as_known(play: Play, group: list[Line]) -> State:
    """The state in which a choice was made, with what is known by now of the pieces chosen."""
    v = group[-1].state[:]
    for line in group:
        for one in line.chosen:
            v[play.log.known + one.piece] = one.told
    return v


def _bind(v: State, variable: C.Variable, value: int) -> None:
    slot = variable.slot
    match variable.type if variable.fewest is not None else None:
        case SetOf():
            v[slot] |= 1 << value
        case ListOf():
            v[slot] += 1
            v[slot + v[slot]] = value
        case BagOf():
            v[slot + value] += 1
        case _:
            v[slot] = value


def _held(v: State, variable: C.Variable) -> Any:
    slot = variable.slot
    match variable.type:
        case ListOf():
            return tuple(v[slot + 1 : slot + 1 + v[slot]])
        case BagOf(root=root):
            return tuple(v[slot : slot + root.size])
    return v[slot]


# ------------------------------------------------------------------------------------------------ captures


def _taken(play: Play, seat: int | None, language: str, group: list[Line], last: int) -> str:
    """What is told of the pieces of others that were taken by what was chosen."""
    gone, turned = _captured(play, group, last)
    parts = [("takes", gone), ("turns", turned)]
    before = group[0].state[:]
    return ", ".join(_list(play, seat, language, before, word, found) for word, found in parts if found)


def _captured(play: Play, group: list[Line], last: int) -> tuple[list[int], list[int]]:
    """The pieces of others that left the boards, and those that changed sides there."""
    world, spots = play.world, play.machine.program.spots
    following = next((line for line in play.log.lines[last + 1 :] if line.choice is not None), None)
    if not world.boards or not world.pieces.size or (following is None and play.together is not None):
        return [], []
    before, after = group[0].state[:], play.state if following is None else following.state[:]
    boards = sum(board.root.size for board in world.boards)
    own = {one for line in group for one in _named(line)}
    artist = artist_of(play, "en")
    gone: list[int] = []
    turned: list[int] = []
    for piece in range(world.pieces.size):
        spot = before[spots.at + piece]
        if not 0 <= spot < boards or piece in own:
            continue
        owner = artist.owner(before, piece)
        if owner < 0 or owner == group[0].seat:
            continue
        if not 0 <= after[spots.at + piece] < spots.first_place:
            gone.append(piece)
        elif after[spots.at + piece] == spot and artist.owner(after, piece) != owner:
            turned.append(piece)
    return gone, turned


def _list(play: Play, seat: int | None, language: str, v: State, word: str, pieces: list[int]) -> str:
    """`takes man on 18`, as who reads it counts the spaces."""
    artist, spots = artist_of(play, language), play.machine.program.spots

    def name(piece: int) -> str:
        known = play.viewer.knows(v, piece, seat) and play.viewer.knows(play.state, piece, seat)
        return artist.called(v, piece) if known else str(play.words.fixed("hidden", language))

    if len(pieces) == 1:
        spot = v[spots.at + pieces[0]]
        board = next(one for one in play.world.boards if 0 <= spot - one.first_spot < one.root.size)
        space = Elem(board.root, board.root.everything)
        where = play.words.name(spot - board.first_spot, space, language, (v, seat), "pre")
        return str(play.words.fixed(word, language)).format(
            str(play.words.fixed("at", language)).format(name(pieces[0]), where)
        )
    counted = Counter(map(name, pieces))
    named = ", ".join(_so_many(count, title, language) for title, count in counted.items())
    return str(play.words.fixed(word, language)).format(named)


def _so_many(number: int, title: str, language: str) -> str:
    """`2 фишки`, where the forms are known, or `2 × фишка`."""
    if number == 1:
        return title
    text = so_many(number, title, "nom", language)
    return text if text.startswith(str(number)) and language != "en" else f"{number} × {title}"


def _named(line: Line) -> Iterator[int]:
    """The pieces that were chosen themselves: what becomes of them the label says."""
    choice = line.choice
    if choice is None or line.raw[0] < 0:
        return
    entry = choice.entries[line.raw[0]]
    position = (line.state[choice.stage] - 1) % STRIDE if choice.stage is not None and line.state[choice.stage] else 0
    for variable, value in zip(entry.variables[position:], line.raw[1:], strict=False):
        inner = variable.type.of if isinstance(variable.type, SetOf | ListOf) else variable.type
        if getattr(getattr(inner, "root", None), "kind", "") == "piece":
            yield value


__all__ = ["Event", "story"]
