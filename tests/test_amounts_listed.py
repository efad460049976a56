"""A bag as it is listed: `[2 wood, gold]` in expressions, `{wood: 2}` where a value is set; and what is tried first."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruledsl.cli.main import main
from ruledsl.compiler import pipeline

GAME = """\
ruledsl: 1
game: yard
players: [ann, bob]
types:
  good: [wood, gold, clay]
  basic: {some: good, where: this != gold}
  color: [red, blue]
pools:
  goods: {of: good, at: {player: store}, start: {store: {wood: 3, gold: 2}}}
values:
  have: {is: bag of good, show: always}
  hues: {is: bag of color, show: always}
  n: 0..5
pieces:
  house:
    attributes: {cost: price of good}
    rows:
      - {name: hut, cost: {wood: 1}}
      - {name: inn, cost: {gold: 1}}
define:
  rich(player p): p.store >= [2 wood, gold]
  due(house h): h.cost + [any basic]
play:
  - set:
      have: {wood: 2, gold: 1}
  - add:
      hues: {red: 2}
  - add:
      hues: [blue]
  - set:
      n: total([2 red, blue])
  - turns: players
    do:
      - choose: {h: house where rich(me) and payable(due(h))}
        label: buy {h}
        else: {win: me}
      - pay: due(h)
      - choose one:
          - label: mend
            cost: [wood, 1 any basic]
            do: {gain: [2 gold]}
          - label: rest
tests:
  - test: amounts are read
    expect:
      - n == 3 and hues == [2 red, blue]
      - have == [2 wood, gold] and have + [2 clay] == [2 wood, 2 clay, gold]
      - ann.store == [3 wood, 2 gold]
      - legal: [buy hut, buy inn]
    then:
      - moves: [buy inn, mend]
        expect: ann.store == [0 wood, 3 gold]
"""


def _findings(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return [f"{one.message}; {one.help}" for one in pipeline.check(path).findings]


def test_amounts_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "yard.yaml"
    assert not _findings(path, GAME)
    assert main(["test", str(path)]) == 0, capsys.readouterr().out


SAID = {  # what is tried first, and what the answer says
    "have >= 2 wood": "an amount is written `[2 wood]`",
    "payable(2 wood)": "write `[2 wood]`",
    "'have >= {wood: 2, gold: 1}'": "write `[2 wood, 1 gold]`",
    "have == [2 wod]": "did you mean `wood`?",
    "have == [2 red]": "cannot be compared",
    "have >= wood": "`[wood]`",
    "have >= 2": "`total(have)`",
}


@pytest.mark.parametrize("written", SAID)
def test_what_is_tried_first_is_answered(written: str, tmp_path: Path) -> None:
    text = GAME.replace("rich(me) and payable(due(h))", "allowed").replace("define:", f"define:\n  allowed: {written}")
    found = _findings(tmp_path / "yard.yaml", text)
    assert any(SAID[written] in one for one in found), found
