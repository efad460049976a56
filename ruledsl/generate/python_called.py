"""What generated Python calls: members of sets, what can be reached, lines of spaces, faults."""

from __future__ import annotations

from typing import Any

from ruledsl.engine.connections import Links, rings
from ruledsl.engine.machine import State
from ruledsl.ir.core import RulesFault
from ruledsl.source.text import Span
from ruledsl.types import NO_NUMBER
from ruledsl.types import members as members_of

CHUNK = 11  # members of large sets are looked up so many at a time


class _MembersOf(dict[int, tuple[int, ...]]):
    """The members of sets of few members, by set; worked out when first asked for."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = self[mask] = members_of(mask)
        return found


MEMBERS_OF = _MembersOf()
_CHUNKS: list[list[tuple[int, ...] | None]] = []  # by place and value of a chunk: its members
_MEMBERS: dict[int, tuple[int, ...]] = {}  # of large sets that were asked for lately
MOST_SETS = 1 << 15
MOST_FOUND = 1024  # sets from which a search may go on


def members(mask: int) -> tuple[int, ...]:
    """The members of a set, in their order."""
    if mask < 1 << CHUNK:
        return MEMBERS_OF[mask]
    if mask in _MEMBERS:
        return _MEMBERS[mask]
    if len(_MEMBERS) >= MOST_SETS:
        _MEMBERS.clear()
    found: list[int] = []
    place, rest = 0, mask
    while rest:
        value = rest & ((1 << CHUNK) - 1)
        if value:
            if place >= len(_CHUNKS):
                _CHUNKS.extend([None] * (1 << CHUNK) for _ in range(place + 1 - len(_CHUNKS)))
            chunk = _CHUNKS[place][value]
            if chunk is None:
                chunk = _CHUNKS[place][value] = tuple(CHUNK * place + i for i in MEMBERS_OF[value])
            found += chunk
        rest >>= CHUNK
        place += 1
    result = _MEMBERS[mask] = tuple(found)
    return result


def nth(mask: int, k: int) -> int:
    """The member at a place in the order of a set's members; the first is at 0."""
    at = 0
    while True:
        low = mask & 0xFFFFFFFF
        count = low.bit_count()
        if k < count:
            break
        k -= count
        mask >>= 32
        at += 32
    count = (low & 0xFFFF).bit_count()
    if k >= count:
        k -= count
        low >>= 16
        at += 16
    count = (low & 0xFF).bit_count()
    if k >= count:
        k -= count
        low >>= 8
        at += 8
    return at + MEMBERS_OF[low & 0xFF][k]


def reach(near: tuple[int, ...], start: int, allowed: int, within: int) -> int:
    """The start and all that can be reached from it through allowed members, in at most so many steps."""
    found = edge = start
    while edge and within:
        around = 0
        while edge:
            low = edge & -edge
            around |= near[low.bit_length() - 1]
            edge ^= low
        edge = around & allowed & ~found
        found |= edge
        within -= 1
    return found


def reach_on(known: dict[int, tuple[int, int]], near: tuple[int, ...], start: int, allowed: int) -> int:
    """As `reach`, going on from what was found the last time where all of that is still allowed.

    `known` has, for each start, what was found and what lies beside it.
    """
    found, beside = known.get(start, (0, 0))
    if found and not found & ~allowed & ~start:
        edge = beside & allowed
        if not edge:
            return found
    else:
        found, beside, edge = 0, 0, start
    while edge:
        found |= edge
        while edge:
            low = edge & -edge
            beside |= near[low.bit_length() - 1]
            edge ^= low
        beside &= ~found
        edge = beside & allowed
    if len(known) >= MOST_FOUND:
        known.clear()
    known[start] = found, beside
    return found


def reach_parts(tiles: Any, v: State, start: int, allowed: int, within: int) -> int:
    """As `reach`, where the neighbours are parts of tiles as they lie."""
    found = edge = start
    while edge and within:
        around = 0
        for part in members(edge):
            around |= tiles.neighbors(v, part)
        edge = around & allowed & ~found
        found |= edge
        within -= 1
    return found


def joined(known: dict[int, tuple[int, int]], near: tuple[int, ...], one: int, other: int, allowed: int) -> bool:
    """Whether allowed members connect one set with another.

    `known` has, for the first set, what was found from it the last time, and what else would have been, had it been
    allowed. All of that is still connected, if it is still allowed; so the search goes on from there.
    """
    found, beside = known.get(one, (0, one))
    if found & ~allowed:
        found, beside = 0, one
    edge = beside & allowed
    if edge:
        while edge:
            found |= edge
            while edge:
                low = edge & -edge
                beside |= near[low.bit_length() - 1]
                edge ^= low
            beside &= ~found
            edge = beside & allowed
        if len(known) >= MOST_FOUND:
            known.clear()
        known[one] = found, beside
    return found & other != 0


def reach_by(links: Links, start: int, allowed: int, within: int, ways: int) -> int:
    """As `reach`, by steps whose numbers are in a set."""
    found = start
    for edge in rings(links, start, allowed, ways):
        if not within:
            break
        found |= edge
        within -= 1
    return found


def joined_by(links: Links, one: int, other: int, allowed: int, ways: int) -> bool:
    """As `joined`, by steps whose numbers are in a set."""
    goal, begun = other & allowed, one & allowed
    return bool(begun & goal) or any(edge & goal for edge in rings(links, begun, allowed, ways))


def groups(near: tuple[int, ...], rest: int) -> int:
    """How many connected groups a set falls into."""
    count = 0
    while rest:
        rest &= ~reach(near, rest & -rest, rest, -1)
        count += 1
    return count


def steps_away(steps: tuple[int, ...], count: int, space: int, way: int, times: int) -> int:
    """The space so many steps away in a direction, or none."""
    while times > 0 and space >= 0 and way >= 0:
        space = steps[space * count + way]
        times -= 1
    return space if way >= 0 else -1


def in_line(axes: Any, steps: tuple[int, ...], count: int, space: int, length: int, inside: int) -> bool:
    """Whether a space lies in a straight row of so many spaces of a set."""
    if space < 0 or not inside >> space & 1:
        return False
    for axis in axes:
        run = 1
        for d in axis:
            x, left = steps[space * count + d], inside ^ 1 << space  # no space counts twice
            while x >= 0 and left >> x & 1:
                run += 1
                left ^= 1 << x
                x = steps[x * count + d]
        if run >= length:
            return True
    return False


def unfit(span: Span | None, message: str, value: int) -> RulesFault:
    """The fault of a number that lies outside its range."""
    return RulesFault(span, message.replace("{}", "none" if value == NO_NUMBER else str(value), 1))


def advance_to(v: State, order: int, place: int, forced: int, span: Span | None) -> None:
    """The turn goes to who was named."""
    players, wanted = v[order + 1 : order + 1 + v[order]], v[forced] - 1
    if wanted not in players:
        raise RulesFault(span, "the player named with `next_turn` takes no part in these turns")
    v[place], v[forced] = players.index(wanted), 0
