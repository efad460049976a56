"""The bot `seer` sees what is hidden, and nobody else does: it is no bot to play against on a server."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruledsl
from ruledsl.bots.base import UnknownBot, ask, fair, make, registered

GUESSING = """\
ruledsl: 1
game: guessing
players: [anna, boris]
pieces:
  card:
    start: deck
    attributes: {value: 1..6}
    rows:
      - {name: owl, value: 1}
      - {name: hen, value: 2}
      - {name: jay, value: 3}
      - {name: tit, value: 4}
      - {name: emu, value: 5}
      - {name: auk, value: 6}
places:
  deck: {holds: card, order: pile, seen: none}
setup:
  - shuffle: deck
play:
  - turns: players
    do:
      - choose: {n: 1..6}
      - if: the(top(deck)).value == n
        then: {win: me}
        else: {lose: me}
"""


def found(path: Path, bot: str) -> int:
    """How often a bot guesses the card on top, of 12."""
    game, wins = ruledsl.load(path), 0
    for seed in range(12):
        play = game.start(seed=seed)
        play.choose(ask(make(bot, seed), play, play.pending[0]))
        wins += play.winners == [0]
    return wins


def test_only_the_seer_knows_the_card_on_top(tmp_path: Path) -> None:
    path = tmp_path / "guessing.yaml"
    path.write_text(GUESSING, encoding="utf-8")
    assert found(path, "seer:50") == 12
    assert found(path, "search:50") < 8


def test_a_server_does_not_have_it() -> None:
    assert "seer" not in fair()
    with pytest.raises(UnknownBot, match="there is no bot `seer`"):
        registered("seer")
