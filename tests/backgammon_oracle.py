"""The plays of a roll at backgammon, found by trying every order of the dice: small, and nothing of ours in it.

Nobody publishes a table of how many plays each roll has from the start, so this stands in for one.
"""

from __future__ import annotations

Men = dict[int, int]  # how many stand on each point, counted from the end of the way of who is to play
START: Men = {24: 2, 13: 5, 8: 3, 6: 5}


def plays(roll: tuple[int, int]) -> int:
    """How many positions the roll leads to from the start, with as many dice used as possible."""
    dice = list(roll) * (2 if roll[0] == roll[1] else 1)
    found: dict[int, set[object]] = {}
    _go(START, {25 - point: men for point, men in START.items()}, dice, found)
    return len(found[min(found)])


def _go(mine: Men, theirs: Men, dice: list[int], found: dict[int, set[object]]) -> None:
    """Plays on until no die can be used; positions are put down by how many dice were left."""
    stuck = True
    for die in set(dice):
        for point in [p for p, men in mine.items() if men]:
            to = point - die
            if to < 1 or theirs.get(to, 0) > 1:  # from the start nothing can go off
                continue
            stuck = False
            rest = dice.copy()
            rest.remove(die)
            moved = {**mine, point: mine[point] - 1, to: mine.get(to, 0) + 1}
            _go(moved, {**theirs, to: 0}, rest, found)
    if stuck:
        position = tuple(tuple(sorted(men for men in side.items() if men[1])) for side in (mine, theirs))
        found.setdefault(len(dice), set()).add(position)
