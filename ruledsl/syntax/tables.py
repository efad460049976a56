"""The tables by which expressions are read: what each state of the parser does with each sort of word.

lark makes them from `grammar.lark`, which takes longer than to check a game; so they are kept beside it, in
`grammar.json`. `python -m ruledsl.syntax.tables` writes them again after a change of the grammar. Until then they are
made on the spot each time, so that a changed grammar is never read by old tables.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from ruledsl.records import dataclass

GRAMMAR = Path(__file__).parent / "grammar.lark"
KEPT = Path(__file__).parent / "grammar.json"
STARTS = ("expr", "domain", "item", "type", "header", "path")
END = "$END"


class Step(NamedTuple):
    """What becomes of the parts of a form once all are there."""

    origin: str  # the rule of the grammar
    size: int  # how many parts
    form: str  # what a tree of it is called
    kept: list[int | None]  # the parts that stay, by number; -1 - n puts in those of part n; None for one left out
    alone: bool  # a single part stands for itself


@dataclass(frozen=True, eq=False)
class Tables:
    """The parser as data. In a state, a number from 0 is the next state, and -1 - n says that step n is complete."""

    starts: dict[str, int]
    ends: dict[str, int]
    states: list[dict[str, int]]
    steps: list[Step]
    terminals: list[tuple[str, str]]  # name and pattern, the one to be tried first in front
    keywords: dict[str, str]  # words that are names where they mean nothing else
    ignored: list[str]

    @cached_property
    def alone(self) -> dict[tuple[int, int, str], int]:
        """What `through_alone` has said so far: a text goes the same few ways again and again."""
        return {}

    def through_alone(self, below: int, state: int, sort: str) -> int:
        """The state behind a single part, in state `below`, once it stands for all the forms that it is alone.

        A name is a value, a value a product, a product a sum and so on, ten forms that leave no trace in the tree.
        """
        while (doing := self.states[state].get(sort)) is not None and doing < 0:
            step = self.steps[-1 - doing]
            if step.size != 1 or not step.alone:
                break
            state = self.states[below][step.origin]
        return state

    @cached_property
    def scanner(self) -> re.Pattern[str]:
        """Finds the next word; the name of the group that fits is the sort of the word."""
        return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in self.terminals))


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Those of the grammar as it is now."""
    try:
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    if kept.get("grammar") != _sum():
        kept = made()
    return Tables(
        kept["starts"],
        kept["ends"],
        kept["states"],
        [Step(*step) for step in kept["steps"]],
        [(name, pattern) for name, pattern in kept["terminals"]],
        kept["keywords"],
        kept["ignored"],
    )


def _sum() -> str:
    """By which a change of the grammar is seen, whatever ends its lines."""
    text = GRAMMAR.read_bytes().replace(b"\r\n", b"\n")
    return f"{crc32(text):08x}"


def made() -> dict[str, Any]:
    """The tables as lark works them out, as plain data."""
    from lark import Lark

    grammar = GRAMMAR.read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", start=list(STARTS), propagate_positions=True, maybe_placeholders=True)
    table = lark.parser.parser._parse_table
    rules = sorted(lark.rules, key=lambda rule: (rule.origin.name, [part.name for part in rule.expansion]))
    steps = {rule: at for at, rule in enumerate(rules)}
    # lark numbers states as sets come; here in the order in which one is led to, so that they are always the same.
    led_to = [table.start_states[start] for start in STARTS]
    for state in led_to:
        following = sorted((name, arg) for name, (action, arg) in table.states[state].items() if _shifts(action))
        led_to += [arg for arg in dict(following).values() if arg not in led_to]
    numbers = {state: at for at, state in enumerate(led_to)}
    states = [
        {
            name: numbers[arg] if _shifts(action) else -1 - steps[arg]
            for name, (action, arg) in sorted(table.states[state].items())
        }
        for state in led_to
    ]
    ordered = sorted(lark.terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    name = next(t for t in ordered if t.name == "NAME")
    keywords = {
        t.pattern.value: t.name
        for t in ordered
        if t.pattern.type == "str" and re.fullmatch(name.pattern.to_regexp(), t.pattern.value)
    }
    return {
        "comment": "Made from grammar.lark by `python -m ruledsl.syntax.tables`; not to be changed by hand.",
        "grammar": _sum(),
        "starts": {start: numbers[table.start_states[start]] for start in STARTS},
        "ends": {start: numbers[table.end_states[start]] for start in STARTS},
        "states": states,
        "steps": [_step(rule) for rule in rules],
        "terminals": [[t.name, t.pattern.to_regexp()] for t in ordered if t.name not in keywords.values()],
        "keywords": keywords,
        "ignored": sorted(lark.ignore_tokens),
    }


def _shifts(action: Any) -> bool:
    return str(action) == "Shift"


def _step(rule: Any) -> list[Any]:
    assert rule.expansion, "a rule of nothing has no place in the text"
    left_out = "".join(str(int(empty)) for empty in rule.options.empty_indices) or "0" * len(rule.expansion)
    before = [len(gap) for gap in left_out.split("0")]  # optional parts that are not there, before each that is
    kept: list[int | None] = []
    for at, part in enumerate(rule.expansion):
        kept += [None] * before[at]
        if not (part.is_term and part.filter_out):
            kept.append(-1 - at if not part.is_term and part.name.startswith("_") else at)
    kept += [None] * before[len(rule.expansion)]
    alone = bool(rule.options.expand1 and not rule.alias)
    return [rule.origin.name, len(rule.expansion), rule.alias or rule.origin.name, kept, alone]


def main() -> int:
    """Writes the tables down, a state or a step to a line, so that changes can be read."""
    parts = []
    for name, value in made().items():
        if isinstance(value, list):
            lines = ",\n    ".join(json.dumps(item) for item in value)
            parts.append(f'  "{name}": [\n    {lines}\n  ]')
        else:
            parts.append(f'  "{name}": {json.dumps(value)}')
    KEPT.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
