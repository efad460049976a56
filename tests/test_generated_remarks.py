"""Texts of a game are remarks in generated code at the most: nothing in them is ever run."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.generate.c_program import to_c
from ruledsl.generate.language import remark
from ruledsl.generate.python_program import to_python
from ruledsl.simulation.native import Native, Unavailable

GAME = """\
ruledsl: 1
game: remarks
players: [anna, boris]
play:
  - turns: players
    until: turn_number == 6
    do:
      - choose one:
          - choose: {x: 0..3}
            label: |-
              x */ ] here("C"); /* \"\"\"
              here("Python")
              \"\"\" ''' \\
            do: []
"""


def test_a_label_ends_no_remark(tmp_path: Path) -> None:
    path = tmp_path / "remarks.yaml"
    path.write_text(GAME, encoding="utf-8")
    game = ruledsl.load(path, backend="python")
    configured = game.configured(2)
    play = game.start(2)
    while not play.over:
        play.choose(0)
    assert [
        line for line in to_python(configured.machine.program).splitlines() if line.strip().startswith("here")
    ] == []
    assert '] here("C")' not in to_c(configured.machine.program)
    try:
        Native(configured)
    except Unavailable as problem:
        pytest.skip(str(problem))


def test_a_remark_is_one_line_of_harmless_signs() -> None:
    assert remark('a */ b /* "c"\n\\d \u2028 дом') == "a b c d дом"
