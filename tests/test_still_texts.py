"""Titles that show what stands in their row."""

from __future__ import annotations

from pathlib import Path

import ruledsl

GAME = """\
ruledsl: 1
game: titles
players: 1
types:
  suit: [red, blue]
pieces:
  card:
    attributes: {worth: 0..9, suit: suit}
    title: {en: "{this.suit} {name} for {this.worth}", ru: "{this.suit} {name} за {this.worth}"}
    about: worth {worth}
    rows:
      - {name: ace, worth: 9, suit: red}
      - {name: king, worth: 5, suit: blue}
places:
  deck: {holds: card, start: card}
text:
  ru: {red: красный, blue: синий, ace: туз, king: король}
play:
  - choose: {c: deck where c.worth > 0 and c.suit in suit}
    label: take {c}
    else: []
  - win: players
"""


def test_holes_of_titles_are_filled_from_the_row(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    play = ruledsl.load(path).start()
    assert [o.text for o in play.options()] == ["take red ace for 9", "take blue king for 5"]
    assert [o.text for o in play.options(language="ru")] == ["take красный туз за 9", "take синий король за 5"]
    assert play.words.about(0, "en") == "worth 9"
