"""A configuration worked out in the world of one before it, as far as their rules differ.

Many options reach a few rules only: a level of difficulty says how many cards are shuffled in. What is declared is the
same then, and so are all rules that do not need the option. They stay as they were written, and those that do need it
are written anew, behind them. The program is good for being checked: it has everything that can be wrong with these
options. What was written before and is no longer so is left behind as empty blocks that nothing leads to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.syntax.shapes import Fields

from .build import ProcInfo
from .declarations.actions import effect_of
from .declarations.options import set_options
from .making import FormulaInfo
from .needs import DECLARATIONS, PLAY
from .sections import Sections

if TYPE_CHECKING:
    from .compile import GameWorld


def work_out_again(world: GameWorld, sections: Sections, given: dict[str, Any], report: Report) -> C.Program | None:
    """The program of a world with other options; None, with the world as it was, where more than rules differs.

    With anything in the report the world is not to be used again.
    """
    from .compile import check_tried, finish, work_out_uncalled, write_start

    replaced = _replaced(world.sections, sections)
    if replaced is None:
        return None
    before = dict(world.options)
    set_options(world, given)
    changed: set[Any] = {name for name, (_, value) in world.options.items() if value != before[name][1]}
    rules = {_rule(world, section, name): node for section, name, node in replaced}
    stale = world.needs.reached_from({*changed, *rules})
    if DECLARATIONS in stale or None in stale:
        for name, option in before.items():
            world.options[name] = world.names[name].data = option
        return None
    world.sections = sections
    world.report = world.elaborator.report = report
    for rule, node in rules.items():
        rule.node = effect_of(node, report) if isinstance(rule, ProcInfo) else node
    _begin_anew(world, stale)
    with world.needs.within(PLAY):
        if PLAY in stale:
            world.data["start"] = write_start(world)
    work_out_uncalled(world)
    check_tried(world)
    return finish(world)


def _replaced(old: Sections, new: Sections) -> list[tuple[str, str, Any]] | None:
    """The formulas and effects that say something else; None where anything else differs."""
    if any(_said(old, part.name) != _said(new, part.name) for part in fields_of(Sections) if part.name != "named"):
        return None
    found = []
    for section, table in new.named.items():
        before = old.named[section]
        if [*table] != [*before]:
            return None
        differ = [(section, name, node) for name, (_, node) in table.items() if before[name][1] is not node]
        if differ and section not in ("define", "effects"):
            return None
        found += differ
    return found


def _said(sections: Sections, name: str) -> Any:
    """What stands there: maps that were looked over are the same if they stand in the same place."""
    said = getattr(sections, name)
    return [one.node if isinstance(one, Fields) else one for one in said] if isinstance(said, list) else said


def _rule(world: GameWorld, section: str, name: str) -> Any:
    """The formula or effect that is declared in such words."""
    rules: Iterable[Any] = world.formulas if section == "define" else world.procedures.values()
    return next((rule for rule in rules if rule.signature == name), None)


def _begin_anew(world: GameWorld, stale: set[Any]) -> None:
    """What is stale is as if nobody had asked for it yet."""
    blocks = world.data["blocks"]
    for rule in stale:
        if isinstance(rule, FormulaInfo):
            rule.code, rule.state = replace(rule.code, body=None), "new"
            if rule.row is not None:
                rule.row.chosen.clear()
        elif isinstance(rule, ProcInfo):
            anew = ProcInfo(
                rule.name, rule.signature, rule.parameters, _empty(rule.code), rule.node, rule.sort, rule.header
            )
            vars(rule).update(vars(anew))
        for at in world.needs.blocks.pop(rule, ()):
            blocks[at] = C.Block(note="left behind", end=C.Finish(C.RUNNING, None))


def _empty(code: C.Procedure) -> C.Procedure:
    return C.Procedure(code.name, span=code.span)


