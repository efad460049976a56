"""A configuration worked out in the world of one before it, as far as their rules differ.

Many options reach a few rules only: a level of difficulty says how many cards are shuffled in. What is declared is the
same then, and so are all rules that do not need the option. They stay as they were written, and those that do need it
are written anew, behind them. The program is good for being checked: it has everything that can be wrong with these
options. What was written before and is no longer so is left behind as empty blocks that nothing leads to.
"""

from __future__ import annotations

from dataclasses import fields as fields_of
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ruledsl.diagnostics.model import Report
from ruledsl.ir import core as C
from ruledsl.source.document import Node
from ruledsl.syntax.shapes import Fields

from .build import ProcInfo
from .declarations.actions import effect_of
from .declarations.looks import declare_labels
from .declarations.options import set_options
from .declarations.show import declare_shown
from .making import FormulaInfo
from .needs import ADVICE, DECLARATIONS, PLAY, SHOWN
from .sections import Sections

if TYPE_CHECKING:
    from .compile import GameWorld

Rule: TypeAlias = FormulaInfo | ProcInfo


def work_out_again(world: GameWorld, sections: Sections, given: dict[str, Any], report: Report) -> C.Program | None:
    """The program of a world with other options; None, with the world as it was, where more than rules differs.

    With anything in the report the world is not to be used again.
    """
    from .compile import check_tried, finish, work_out_uncalled, write_start

    differ = _differ(world, sections)
    if differ is None:
        return None
    before = dict(world.options)
    set_options(world, given)
    changed = {name for name, (_, value) in world.options.items() if value != before[name][1]}
    stale = world.needs.reached_from({*changed, *(rule for rule, _ in differ)})
    if {DECLARATIONS, ADVICE} & stale:
        for name, option in before.items():
            world.options[name] = world.names[name].data = option
        return None
    world.sections = sections
    world.report = world.elaborator.report = report
    _begin_anew(world, stale)
    for rule, node in differ:
        _exchange(world, rule, node)
    with world.needs.within(PLAY):
        if PLAY in stale:
            world.data["start"] = write_start(world)
    work_out_uncalled(world)
    if SHOWN in stale:
        declare_shown(world)
        declare_labels(world)
    check_tried(world)
    return finish(world)


def _differ(world: GameWorld, new: Sections) -> list[tuple[Rule, Node | None]] | None:
    """The formulas and effects that say something else, with what they say; None for one that is not there. None at
    all where anything else differs."""
    old, found = world.sections, list[tuple[Rule, Node | None]]()
    parts = [part.name for part in fields_of(Sections) if part.name not in ("named", "modules")]
    if any(_said(old, name) != _said(new, name) for name in parts):
        return None
    for section, table in new.named.items():
        before = old.named[section]
        for name in {**before, **table}:
            was, now = (of[name][1] if name in of else None for of in (before, table))
            if was is now:
                continue
            rule = _rule(world, section, name)
            if rule is None:
                return None
            found.append((rule, now))
    return found


def _said(sections: Sections, name: str) -> Any:
    """What stands there: maps that were looked over are the same if they stand in the same place."""
    said = getattr(sections, name)
    return [one.node if isinstance(one, Fields) else one for one in said] if isinstance(said, list) else said


def _rule(world: GameWorld, section: str, name: str) -> Rule | None:
    """The formula or effect that is declared in such words, be it left out now; None if there never was one."""
    if section == "define":
        known: list[Rule] = [*world.formulas, *(rule for rule, _ in world.left_out.values())]
        return next((rule for rule in known if isinstance(rule, FormulaInfo) and rule.signature == name), None)
    known = [*world.procedures.values(), *(rule for rule, _ in world.left_out.values())] if section == "effects" else []
    return next((rule for rule in known if isinstance(rule, ProcInfo) and rule.signature == name), None)


def _exchange(world: GameWorld, rule: Rule, node: Node | None) -> None:
    """A rule says something else, or is there no more, or is there again."""
    if node is None:
        world.left_out[rule.name] = rule, world.names.pop(rule.name)
        if isinstance(rule, FormulaInfo):
            world.formulas.remove(rule)
        else:
            del world.procedures[rule.name]
        return
    rule.node = effect_of(node, world.report) if isinstance(rule, ProcInfo) else node
    if rule.name in world.left_out:
        _, world.names[rule.name] = world.left_out.pop(rule.name)
        if isinstance(rule, FormulaInfo):
            world.formulas.append(rule)
        else:
            world.procedures[rule.name] = rule


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
