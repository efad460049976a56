"""Names that were changed where they are declared, and not where they are used, or the other way round.

Of such a slip only the uses are told: the name that they have is unknown. If there is one thing in the whole game that
is declared and that nothing speaks of, it is likely the same thing under another name, and the advice is to say so.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from ruledsl.diagnostics.model import Diagnostic, Report
from ruledsl.diagnostics.model import unknown_word as unknown
from ruledsl.diagnostics.suggest import is_slip, names_meant, nearest

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld
    from ruledsl.analysis.names import Declared

_SORTS = ("option", "type", "kind", "place", "pool", "value", "formula", "effect", "history", "board")
_THINGS = ("kind", "place", "pool", "board", "type")
_NOTHING_BETTER = (
    "a formula of your own",
    "the names here are",
    "did you mean",
    "it has",
    "declare what changes under",
    "the one with the most",
)
_ONLY = {
    "N103": ("formula",),
    "N114": ("effect",),
    "N111": ("type", "kind"),
    "N102": (),
}  # what an unknown name of a sort can be


def half_renamed(world: GameWorld, report: Report) -> None:
    """Gives the advice, where one name alone is unknown and one alone is not used."""
    words = {unknown(found) for found in report.findings} - {""}
    if len(words) != 1 or not (word := next(iter(words))).isidentifier():
        return
    declared = [one for one in world.names.values() if not one.used and one.sort in _SORTS and _is_written(one)]
    said = Counter(re.findall(r"\w+", "\n".join(_rules(world)))) if declared else Counter[str]()
    spare = [one for one in declared if said[one.name] == 1]  # what modules that are off speak of is no such name
    if len(spare) == 1 and (said[word] > 1 or _is_akin(word, spare[0].name) or _is_in_its_place(report, spare[0])):
        report.findings[:] = [_advised(found, spare[0], word) for found in report.findings]


def _is_akin(word: str, name: str) -> bool:
    """Whether two names share a word, or begin alike: `bag` and `tea_bag`, `passed` and `has_passed`.

    A word that stands in the rules once is a slip of its own more likely than what is left of another name.
    """
    ours, theirs = (one.casefold().removesuffix("s").split("_") for one in (word, name))
    parts = ((a, b) for a in ours for b in theirs if min(len(a), len(b)) > 2)
    return bool(nearest(word, [name])) or any(a.startswith(b) or b.startswith(a) for a, b in parts)


def _is_in_its_place(report: Report, spare: Declared) -> bool:
    """Whether the unknown name stands where pieces go or come from, and what is left is a place for them."""
    spans = [found.span for found in report.findings if unknown(found) and found.span is not None]
    before = (span.file.text[: span.start].rpartition("\n")[2] for span in spans)
    return spare.sort == "place" and any(re.search(r"\b(?:to|from|shuffle|with): *(?:\w+\.)?$", one) for one in before)


def _rules(world: GameWorld) -> list[str]:
    """The files without comments and without what is told to players: they speak of no names."""
    plain = (re.sub(r'"[^"\n]*"', "", file.text) for file in world.source.files)
    return [re.sub(r"(?ms)^about:.*?(?=^\w)|#[^\n]*|\b(?:en|ru):[^,}\n]+", "", text) for text in plain]


def _is_written(declared: Declared) -> bool:
    """Whether a name stands in the rules; others come with the language."""
    return declared.span is not None and declared.span.text.startswith(declared.name) and declared.name != "board"


def _advised(found: Diagnostic, spare: Declared, word: str) -> Diagnostic:
    if not unknown(found) or spare.span is None or spare.sort not in _ONLY.get(found.code, _SORTS):
        return found
    if found.help and not found.help.startswith(_NOTHING_BETTER):
        return found  # it says more of the place
    wanted = ("nothing is called", f"there is no {spare.sort} ")
    if found.code == "N101" and spare.sort in _THINGS and not found.message.startswith(wanted):
        return found  # a player, say, is wanted
    if spare.name in found.suggestions:
        return found
    help = f"was it renamed? `{spare.name}` is declared, and nothing speaks of it: write one name for both"
    kept: tuple[str, ...] = ()
    near = {*found.suggestions, *names_meant(found.help)}
    if not found.more and any(is_slip(word, name) for name in near):  # written once: a slip of the pen, too
        help, kept = f"{found.help} Or {help}", found.suggestions
    return replace(found, help=help, suggestions=kept, notes=(*found.notes, (spare.span, f"perhaps this is `{word}`")))
