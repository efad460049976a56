"""What the generators infer of a game to make it fast: every pass by its name, so that each can be switched off.

No pass changes a result: with any of them off, what is written does the same in the plain way. `tests/test_passes.py`
has a case for each. Some are rewrites: each has a file of its own in `rewrites` and gives another expression for one
that it finds, before anything is written (`rewriting.py`). The others belong to what writes: each asks whether it is on
at the one place where it begins (`self.on(Pass.MEMOS)`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from inspect import cleandoc
from typing import TypeAlias

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir.core import Node
from ruledsl.records import dataclass
from ruledsl.registry import import_all

C, PYTHON, PLAYS = "c", "python", "plays"  # `plays`: the Python of plays at random


class _Named:
    """What all passes have: a name for users, what it does, and in which languages."""

    does: str
    languages: tuple[str, ...]

    def serves(self, language: str) -> bool:
        """Whether code of a language may look otherwise without it; plays at random are written as all Python is."""
        return language in self.languages or (language == PLAYS and PYTHON in self.languages)


@dataclass(frozen=True)
class Rewrite(_Named):
    """A pass that gives for an expression another one that means the same, or nothing."""

    label: str
    does: str
    languages: tuple[str, ...]
    of: Callable[[Node], Node | None]

    @property
    def doc(self) -> str:
        """What it looks for, and what comes instead."""
        return cleandoc(self.of.__doc__ or "")


class Pass(_Named, Enum):
    """What it does, and in which languages."""

    KEPT_SETS = "sets of spaces and pieces change as pieces move, for conditions that ask what lies where", C, PYTHON
    SHIFTED_SETS = "conditions on a neighbour in a fixed direction are sets that are shifted", C, PYTHON
    SEEN_AT_ONCE = "the first space in a direction for which something holds is asked of all spaces at once", C, PYTHON
    REACHED_FROM = "what could reach a space is looked for where it could stand, by tables read the other way round", C
    ONE_WAY = "whether a line in some direction comes to a space is asked of the one direction in which it lies", C
    IMPLIED_SETS = "of the sets that a condition stands for, those that hold all of another are left out", C, PYTHON
    WHOLE_SETS = "comprehensions whose conditions are sets are operations on sets, without a loop", C, PYTHON
    EARLY_TESTS = "parts of a condition are tested before the loops over variables that they do not look at", C, PYTHON
    HOISTED_DOMAINS = (
        "what inner loops run over is worked out before the outer one if it is always the same",
        C,
        PYTHON,
    )
    EMPTY_DOMAINS = "loops are passed by where one inside them has nothing to run over", C, PYTHON
    FIRST_FOUND = "whether a set has any member, or a certain one, is a search that ends at the first", C, PYTHON
    VALUES_AT_HAND = (
        "a formula asked twice of the same arguments, with no change between, is worked out once",
        C,
        PYTHON,
    )
    FORMULA_TABLES = "formulas of `me` and small arguments alone are tables", C, PYTHON
    EXPRESSION_TABLES = "expressions of few small inputs are tables", C, PLAYS
    SETS_BY_HEART = "expensive formulas of one small set are calculated once for each set", C
    JOINED_LINES = "the spaces that are on some of several lines are found for all at once", C, PYTHON
    AT_MOST = "whether a set has a member is asked only if it could have it were nothing in the way", C
    WITHOUT_LISTS = "the first piece of a place, whether it has any, and up to how many: without a list", C, PYTHON
    SORTED_ALREADY = "lists are not sorted by what their variable runs through in order", C
    LINE_SETS = "lines of spaces in one direction are tables, cut off at the first piece", C, PYTHON
    LINE_TESTS = (
        "rows of a fixed length are found all at once by shifting or from tables, or are a table by space",
        C,
        PYTHON,
    )
    FLOOD_ENDS = "whether a group has a member or neighbour of some sort is a flood that ends at the first", C
    KEPT_FLOODS = "what is reached through spaces with pieces grows with them from one question to the next", C, PYTHON
    KNOWN_WAYS = "a way through open steps that was found before is looked at before another is searched for", C
    PIECES_AS_SPACES = "where certain pieces stand is the set of the spaces with such a piece on them", C, PYTHON
    ROUNDS_ALONE = "steps are counted only where play may go round and round without a decision", C
    KEPT_GROUPS = "groups that candidates are tried against are kept, with what lies beside them", C
    STEPWISE_REACH = "what can be reached is asked of neighbours only, not of all spaces", PYTHON
    NOTHING_NEAR = "a loop is passed by where none of the spaces that it looks at holds what it wants", C
    ON_BOARD = "loops over pieces begin with those on the board where others cannot fulfil their conditions", C, PLAYS
    ALIKE_PIECES = "pieces that nothing but their place tells apart are told apart by their place", C
    FIRST_OF_LIKE = "of pieces on one space that nothing else tells apart, loops ask the first, from a set kept", C
    TRIED_ONCE = "an effect is tried on the first of alike pieces on a space, if it treats them alike", C
    PICKS_FROM_COUNTS = "a play at random picks an option from counts, without a list", C, PLAYS
    PICKS_IN_PLACE = "menus of one variable each are counted in place, without writing groups of options down", C
    SHIFTED_MENUS = "menus of a piece and a space near it are counted for all pieces at once, by shifted sets", C
    TOLD_COUNTS = "of blocks that always run equally often one counts", PLAYS
    LAST_TURNS = "where turns are counted, the last is not gone through if it surely ends with its decision", C
    MEMOS = "values of expensive formulas are kept until something that they use changes", C
    FINGERPRINTS = "fingerprints of positions change as pieces move", C, PYTHON
    SEEN_BITS = "how often a position was there is mostly told by a bit or two", C
    ONE_COUNT = "of a bag that gains or loses some of one sort one number changes", C
    CHEAP_WOULD = "an effect that is tried out is undone field by field, instead of trying it on a copy", C
    LOOKED_AHEAD = (
        "an effect that only moves pieces is not tried: the sets that are kept are copied, changed and asked",
        C,
    )
    MOVES_BACK = "of many pieces, those that a tried effect moved are moved back, instead of putting all back", C
    SETTLED_AT_ONCE = "of candidates that are tried those are settled for all at once whose outcome is plain", C
    UNTOUCHED_TRIALS = "an effect is not tried out where it touches nothing that its condition looks at", C
    UNPRINTED_TRIALS = "fingerprints stay as they are where effects are tried out and nobody asks for them", C
    QUIET_TRIALS = "an effect that logs nothing and cannot run forever is tried without precautions", PYTHON
    PLAIN_MOVES = "a piece that goes from a place to a space is moved without asking what sort of move that is", PYTHON
    DEAD_BLOCKS = "blocks to which no way leads are left out", C
    BLOCK_TREES = "blocks that follow one another stand in one function", PYTHON
    INLINED_FORMULAS = "small formulas are written where they are used", PYTHON
    LISTED_MENUS = "menus over one set are comprehensions of options made beforehand", PYTHON
    MEMBER_TABLES = "the members of sets that are looked up in a table are at hand", PYTHON
    WIDE_TABLES = "tables by spaces go on for all spots, so that a piece off the board needs no test", PYTHON

    def __init__(self, does: str, *languages: str) -> None:
        self.does, self.languages = does, languages

    @property
    def label(self) -> str:
        """The name by which users know it."""
        return self.name.lower().replace("_", "-")


AnyPass: TypeAlias = Pass | Rewrite
Off = frozenset[AnyPass]
NONE_OFF: Off = frozenset()
_REWRITES: dict[str, Rewrite] = {}
Found: TypeAlias = Callable[[Node], Node | None]


def rewrite(label: str, does: str, *languages: str) -> Callable[[Found], Found]:
    """Register a function as a rewrite of programs; its docstring says what it looks for, and what comes instead."""

    def register(of: Found) -> Found:
        assert label not in _REWRITES, f"two rewrites are called {label}"
        _REWRITES[label] = Rewrite(label, does, languages, of)
        return of

    return register


@cache
def rewrites() -> tuple[Rewrite, ...]:
    """All rewrites, in the order of their files."""
    import_all("ruledsl.generate.rewrites")
    return tuple(_REWRITES.values())


def passes() -> tuple[AnyPass, ...]:
    """All passes: those of the writers, and the rewrites."""
    return (*Pass, *rewrites())


def named(label: str) -> AnyPass:
    """The pass of a name; a `ValueError` says what there is."""
    known = {one.label: one for one in passes()}
    if label not in known:
        hint = did_you_mean(nearest(label, known)) or f"there are {', '.join(f'`{name}`' for name in known)}"
        raise ValueError(f"there is no pass `{label}`; {hint}")
    return known[label]


__all__ = ["NONE_OFF", "AnyPass", "Off", "Pass", "Rewrite", "named", "passes", "rewrite", "rewrites"]
