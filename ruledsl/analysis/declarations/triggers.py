"""`triggers:`, what happens before, after or instead of something else, and what bends a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.analysis.build import TriggerInfo
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.syntax.copies import EACH
from ruledsl.syntax.shapes import INSTEAD_OF_DO, Form, Key, fields

if TYPE_CHECKING:
    from ruledsl.analysis.compile import GameWorld

TRIGGER = Form(
    "a trigger",
    {
        "before": Key("events", "What it comes before."),
        "after": Key("events", "What it comes after.", tried=("on", "event", "whenever", "upon", "trigger")),
        "instead": Key("events", "What it replaces; `proceed()` runs the original."),
        "modify": Key("word", "The formula that it changes."),
        "when": Key("scalar", "The condition."),
        "for": Key(
            "map", "`{me: players where …}`: each of these players acts; `actor` is the player who acted before."
        ),
        "do": Key("block", "What happens.", tried=INSTEAD_OF_DO),
        "add": Key("expression", "What is added to a number."),
        "allow": Key("scalar", "When a condition is true anyway."),
        "forbid": Key("scalar", "When a condition is false anyway."),
        "is": Key("expression", "What the formula gives instead; `value` is what it gave."),
        "because": Key("text", "What players read when `forbid` refuses what they want, with `{expressions}` inside."),
        "covers": Key("words", "The numbered rules that it implements."),
        "each": EACH,
    },
    section="triggers",
)


def declare_triggers(world: GameWorld) -> None:
    for name, (key, node) in world.sections.named["triggers"].items():
        found = fields(node, TRIGGER, world.report)
        if found is None:
            continue
        whens = [w for w in ("before", "after", "instead", "modify") if found.has(w)]
        if len(whens) != 1:
            if whens or not found.node.broken:  # otherwise the key may be among those that could not be read
                help = "write `after: draw` for what happens after the effect `draw`, and so on"
                said = "a trigger needs one of `before`, `after`, `instead` or `modify`"
                world.report.error("S117", key.span, said, help=help)
            continue
        if whens[0] != "modify" and not found.has("do"):
            world.report.error(
                "S102",
                key.span,
                "a trigger needs `do:`",
                help="`do:` takes a statement or a list of statements",
                lacks="do",
            )
        if found.has("because") and not found.has("forbid"):
            reason = found.node.key("because")
            assert reason is not None
            world.report.error(
                "S126", reason.span, "nothing is refused here", help="in a trigger, `because:` goes with `forbid:`"
            )
            continue
        trigger = TriggerInfo(name, key, found, whens[0], found.words(whens[0]))
        world.triggers.append(trigger)


def check_events(world: GameWorld) -> None:
    """Events that nothing causes, after everything was worked out."""
    for key in world.sections.phase_keys:
        if key.value not in world.phase_names:
            near = nearest(key.value, world.phase_names)
            world.report.error(
                "N207",
                key.span,
                f"the game has no phase `{key.value}` that a module could add to",
                help=did_you_mean(near) or "a phase is named by `phase:` in `play:`",
                suggestions=tuple(near),
            )
    formulas = {f.name for f in world.formulas}
    for trigger in world.triggers:
        for event in trigger.events:
            name = event.value
            known = formulas if trigger.when == "modify" else {*world.procedures, *world.phase_names, "turn", "round"}
            if name not in known:
                near = nearest(name, known)
                what = "formula" if trigger.when == "modify" else "effect, action or phase"
                world.report.error(
                    "N120",
                    event.span,
                    f"there is no {what} `{name}`",
                    help=did_you_mean(near),
                    suggestions=tuple(near),
                )
