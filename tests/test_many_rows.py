"""Games whose rows hold code: what is written for them grows with the rows, and no function does."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import many_cards
import pytest
from agreement import Variant
from test_generated import Pair

import ruledsl
from ruledsl.generate.c_program import to_c
from ruledsl.generate.late import MANY
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.generate.python_plays import PlaysProgram
from ruledsl.generate.python_program import to_python
from ruledsl.ir import core as C
from ruledsl.simulation.generated import Generated
from ruledsl.simulation.interpreter import Interpreter

SIZES = (30, 60, 120)
TWICE = 2.3  # how much more there may be of what is twice as large
# The same rows in an effect that neither asks nor rolls, and is tried out before it is done.
TRIED = """\
effects:
  resolve(card c):
    - c.does()
    - add: {me.fame: 1}
"""


def written(tmp_path: Path, cards: int) -> Path:
    path = tmp_path / f"cards{cards}.yaml"
    path.write_text(many_cards.game(cards), encoding="utf-8")
    return path


def program(tmp_path: Path, cards: int) -> C.Program:
    return ruledsl.load(written(tmp_path, cards), backend="interpreter").configured().machine.program


def tried_out(tmp_path: Path, cards: int) -> Path:
    """Cards that only change numbers, played by an effect, if it would do something."""
    text = many_cards.game(cards)
    head, rows, tail = text[: len(many_cards.HEAD)], text[len(many_cards.HEAD) : -len(many_cards.TAIL)], many_cards.TAIL
    simple = [row for row in re.split(r"(?=^      - name: )", rows, flags=re.M) if row and "choose" not in row]
    tail = tail.replace("c.does()", "resolve(c)")
    tried = "choose:\n              c: me.hand where would(resolve(c), me.fame > 3) or c.price <= me.stall"
    tail = tail.replace("choose: {c: me.hand where c.price <= me.stall}", tried)
    tail = tail.replace("- pay: c.price", "- gain: {salt: 1}")
    path = tmp_path / "tried.yaml"
    path.write_text(head + "".join(simple) + TRIED + tail, encoding="utf-8")
    return path


def split(text: str) -> list[str]:
    return re.split(r"^(?=def )", text, flags=re.M)[1:]


def plays(executor: Interpreter) -> tuple[list[int], list[int]]:
    rows, counts = array("q", bytes(8 * 4 * executor.shape.width)), array("q", bytes(8 * executor.shape.counts))
    executor.run(3, 0, rows, counts, 1000)
    return rows.tolist(), counts.tolist()


@pytest.mark.parametrize("players", [2, 4])
def test_code_of_many_rows_plays_as_on_the_interpreter(tmp_path: Path, players: int) -> None:
    variant = Variant(written(tmp_path, 30), players, {})
    pair = Pair(variant)
    for seed in range(3):
        assert pair.steps(seed, 400) > 20
    configured = variant.configured()
    assert plays(Generated(configured)) == plays(Interpreter(configured))


def test_effects_that_ask_nothing_may_pick_rows_too(tmp_path: Path) -> None:
    variant = Variant(tried_out(tmp_path, 90), 2, {})
    pair = Pair(variant)
    for seed in range(3):
        assert pair.steps(seed, 400) > 20
    generated = pair.machines[1]
    assert isinstance(generated, GeneratedMachine)
    assert set(generated.writer.late_in_effects) & set(generated.writer.block_functions)
    configured = variant.configured()
    assert plays(Generated(configured)) == plays(Interpreter(configured))


def test_play_may_go_on_in_the_code_of_a_row(tmp_path: Path) -> None:
    """A state of another machine stands in code that this one has not written yet."""
    path = written(tmp_path, 30)
    configured = ruledsl.load(path, backend="interpreter").configured()
    machine, met = configured.machine, 0
    v = machine.start(5)
    for _ in range(300):
        stop = machine.run(v)
        if stop.kind != "choice":
            break
        assert stop.choice is not None
        other = GeneratedMachine(machine.program)
        assert other.run(v[:]).options == stop.options
        met += v[C.PC] not in other.writer.main.blocks
        machine.options.take(v, stop.choice, stop.options[-1 if len(stop.options) < 3 else 0])
    assert met > 3


def test_what_is_written_grows_as_the_rows_do(tmp_path: Path) -> None:
    texts = {cards: program(tmp_path, cards) for cards in SIZES}
    for write in (to_python, lambda one: PlaysProgram(one).whole(), to_c):
        sizes = [len(write(texts[cards])) for cards in SIZES]
        assert all(more / less < TWICE for less, more in pairwise(sizes)), sizes


def test_no_function_grows_with_the_rows(tmp_path: Path) -> None:
    for write in (to_python, lambda one: PlaysProgram(one).whole()):
        found = [split(write(program(tmp_path, cards))) for cards in (MANY + 4, 60)]
        assert all(len(names) == len(set(names)) for names in ([one.split("(")[0] for one in text] for text in found))
        few, many = (max(map(len, text)) for text in found)
        assert many < few * 1.3


def test_what_is_written_before_play_does_not_grow(tmp_path: Path) -> None:
    writers: list[Callable[[C.Program], str]] = [
        lambda one: GeneratedMachine(one).module.source,
        lambda one: PlaysProgram(one).write(),
    ]
    for write in writers:
        few, many = (len(write(program(tmp_path, cards))) for cards in (30, 120))
        assert many < few * 1.2
