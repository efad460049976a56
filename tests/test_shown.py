"""`show:`, titles with expressions and `notation:`: what a table says to a seat, and what is typed."""

from __future__ import annotations

import os
import random
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import ruledsl
from games import EXAMPLES, named
from ruledsl.bots.base import ask, make
from ruledsl.bots.hurry import hurried, hurry, take_time
from ruledsl.cli.terminal.rows import row_of
from ruledsl.cli.terminal.screen import Screen
from ruledsl.cli.terminal.waiting import waiting
from ruledsl.diagnostics.model import GameError
from ruledsl.runtime.counting import turn_shown
from ruledsl.runtime.play import Play
from ruledsl.runtime.rulebook import chapter_of, chapters, language_of_chapters, tops_of
from ruledsl.runtime.story import story
from ruledsl.runtime.table import as_data, table
from ruledsl.runtime.typed import pick
from ruledsl.shipped import find_game

ROOT = Path(__file__).resolve().parents[1]

STALLS = """
ruledsl: 1
game: stalls
players: [ann, bob]
types: {gem: [ruby, onyx]}
pieces:
  card:
    title: {en: "{this.gem} mine for {cost(this)}", ru: "{this.gem}: {cost(this)}"}
    attributes: {gem: gem, price: 0..5, rare: bool}
    state: {worn: 0..3}
    show: [price, rare, worn, gem, "{cost(this)} to {me_first}", {en: "{this.price} coins", ru: "монет {this.price}"}]
    reserve: REST
    rows: [{name: a, gem: ruby, price: 3, rare: true}, {name: b, gem: onyx, price: 0, rare: false}]
  token: {per: player, count: 4, reserve: count}
places:
  row: {holds: card, start: card, show: lines}
  hand: {per: player, holds: card, seen: owner}
  kept: {per: player, holds: card, show: always}
values:
  score: {per: player, is: 0..9, start: 2}
  hush: {per: player, is: 0..9, start: 1, seen: owner}
  inner: {is: 0..9, start: 5}
  told: {is: 0..9, start: 6, show: always}
  leader: {is: maybe player, show: some}
define:
  cost(card c): amount(c.gem, c.price)
  me_first: 1
play:
  - turns: players
    do:
      - choose: {c: row where c.price <= 3}
        label: take {c}
        else: {tie: players}
      - move: c
        to: me.hand
      - set: {c.worn: 2, leader: me, inner: inner - 1, told: told - 1, hush: hush}
scoring:
  rows: {cards: count(me.hand), tokens: me.score}
text: {ru: {ruby: рубин, onyx: оникс, price: цена}}
"""


def load(text: str, folder: Path) -> ruledsl.Game:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return ruledsl.load(folder)


def herons(text: str) -> Play:
    with TemporaryDirectory() as folder:
        return load(text, Path(folder)).start()


@pytest.fixture
def stalls(tmp_path: Path) -> Play:
    text = STALLS.replace(" hush: hush", " me.hush: me.hush").replace("    reserve: REST\n", "")
    return load(text, tmp_path).start()


def panels(play: Play, seat: int | None, language: str = "en", **more: Any) -> dict[tuple[str, int | None], Any]:
    return {(panel.name, panel.seat): panel for panel in table(play, seat, language, **more).panels}


def test_of_pieces_is_shown_what_the_game_says(stalls: Play) -> None:
    first, second = panels(stalls, 0)["row", None].things
    assert first.title == "ruby mine for 3 ruby"
    assert first.facts == ("price 3", "rare", "", "ruby", "3 ruby to 1", "3 coins")
    assert second.title == "onyx mine for "
    assert second.facts[:4] == ("", "", "", "onyx")
    (thing, _) = panels(stalls, 0, "ru")["row", None].things
    assert (thing.title, thing.facts[0], thing.facts[-1]) == ("рубин: рубин 3", "цена 3", "монет 3")
    stalls.choose(0)
    (own,) = panels(stalls, 0)["hand", 0].things
    assert own.facts[2] == "worn 2"
    assert panels(stalls, 1)["hand", 0].things == (own,)  # all saw which card it was
    stalls.choose(0)
    assert panels(stalls, None)["hand", 1].things[0].name == "b"


def test_values_are_shown_where_the_game_says_so_or_every_player_has_a_number(stalls: Play) -> None:
    shown = panels(stalls, 0)
    assert shown["told", None].text == "6"
    assert {panel.text for panel in table(stalls, 0).of(1) if panel.name == "score"} == {"2", "2 (tokens: 2)"}
    assert shown["hush", 0].text == "1"
    assert ("hush", 1) not in shown
    assert not {"inner", "leader"} & {name for name, _ in shown}
    stalls.choose(0)
    assert panels(stalls, 0)["leader", None].text == "ann"
    assert panels(stalls, 0, everything=True)["inner", None].text == "4"


def test_empty_places_and_reserves_are_shown_where_the_game_says_so(stalls: Play) -> None:
    shown = panels(stalls, 0)
    assert ("hand", 0) not in shown
    assert shown["kept", 1].things == ()
    assert shown["reserve token", 0].title == "token"
    assert len(shown["reserve token", 0].things) == 1
    assert shown["reserve token", 0].things[0].count == 4
    text = Screen(stalls, "en", False).position(stalls.view(0))
    assert "ann (you) · score 2 · hush 1 · 2 points (tokens: 2) · kept: empty · 4 tokens" in text


def test_points_are_shown_as_they_stand(stalls: Play) -> None:
    stalls.choose(0)
    found = [panel for panel in table(stalls, 1).of(0) if panel.sort == "score"]
    assert [panel.text for panel in found] == ["3 (cards: 1, tokens: 2)"]


def test_what_is_said_of_players_takes_the_place_of_their_counts(tmp_path: Path) -> None:
    text = STALLS.replace(" hush: hush", " me.hush: me.hush").replace("    reserve: REST\n", "")
    more = 'show:\n  player: [hush, "cards: {count(me.hand)}"]\n  game: [inner, "turn of {me}"]\n  score: false\n'
    play = load(text + more, tmp_path).start()
    mine = [panel.text for panel in table(play, 0).panels if panel.sort == "text" and panel.seat == 0]
    theirs = [panel.text for panel in table(play, 0).panels if panel.sort == "text" and panel.seat == 1]
    assert (mine, theirs) == (["hush 1", "cards: 0"], ["hush ?", "cards: 0"])
    assert [panel.text for panel in table(play, 0).of(None) if panel.sort == "text"] == ["inner 5", "turn of ann"]
    assert not [panel for panel in table(play, 0).panels if panel.name == "score" or panel.sort == "score"]


def test_a_table_is_plain_data() -> None:
    play = ruledsl.load(ROOT / "examples/dike-watch.yaml").start(seed=1)
    found = as_data(table(play, 0))
    (ring,) = found["boards"]
    assert ring["spaces"]["1"] == {"piece": "M", "water": "1"} or ring["spaces"]["1"]["water"] == "1"
    assert {panel["name"] for panel in found["panels"]} >= {"deck", "breaches"}
    assert found["players"] == ("player 1",)


def test_spaces_have_titles_of_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("""
ruledsl: 1
game: isles
players: [ann, bob]
types: {land: [sand, rock]}
board:
  spaces:
    - {name: north, land: sand}
    - {name: south, land: rock}
    - {name: shoal}
  edges: [{from: north, to: south}, {from: south, to: shoal}]
  attributes: {land: maybe land}
  title: {en: "{this}: {this.land} ({count(neighbors(this))})", ru: "{this} — {this.land}"}
values: {tide: 0..3}
play:
  - turns: players
    do:
      - choose: {s: board}
        label: go to {s}
      - set: {tide: 1}
      - if: turn_number > 3
        then: {win: me}
text: {ru: {sand: песок, rock: скала, north: север}}
""")
    play = ruledsl.load(path).start()
    assert [option.text for option in play.options(0)] == [
        "go to north: sand (1)",
        "go to south: rock (2)",
        "go to shoal: (1)",
    ]
    assert [option.text for option in play.options(0, "ru")] == [
        "go to север — песок",
        "go to south — скала",
        "go to shoal —",
    ]
    path.write_text(path.read_text().replace("{this.land} (", "{tide} ("))
    with pytest.raises(GameError) as refused:
        ruledsl.load(path).configured()
    assert [finding.code for finding in refused.value.report.sorted()] == ["E110"]


def test_titles_of_pieces_say_nothing_that_changes(tmp_path: Path) -> None:
    with pytest.raises(GameError) as problem:
        load(STALLS.replace("{this.gem} mine for {cost(this)}", "mine {inner}"), tmp_path)
    assert "a title is fixed" in str(problem.value)


# --------------------------------------------------------------------------------------------- typing


@pytest.mark.parametrize(
    ("moves", "typed", "wanted"),
    [
        ([], "e2e4", "pawn e2-e4"),
        ([], "E4", "pawn e2-e4"),
        ([], "Nf3", "knight g1-f3"),
        (["e4", "d5"], "exd5", "pawn e4-d5"),
        (["e4", "d5"], "e4d5", "pawn e4-d5"),
        (["e4", "d5", "e4d5"], "Qxd5", "queen d8-d5"),
        (["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6"], "O-O", "castle on the king's side"),
        (["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6"], "0-0", "castle on the king's side"),
    ],
)
def test_chess_is_typed_as_it_is_written(moves: list[str], typed: str, wanted: str | None) -> None:
    play = ruledsl.load(ROOT / "examples/chess.yaml").start()
    for move in moves:
        play.choose(move)
    found = pick(play, None, typed)
    assert (found.one.text if found.one else None) == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("Кf6", "конь g8-f6"),
        ("Nf6", "конь g8-f6"),
        ("Крe7", "король e8-e7"),
        ("Ke7", "король e8-e7"),
        ("Кe7", "конь g8-e7"),
    ],
)
def test_chess_is_typed_in_russian_and_in_latin_letters(typed: str, wanted: str) -> None:
    play = ruledsl.load(ROOT / "examples/chess.yaml").start()
    for move in ("e4", "e5", "d4"):
        play.choose(move)
    found = pick(play, None, typed, "ru")
    assert found.one is not None
    assert found.one.text == wanted


@pytest.mark.parametrize(("typed", "wanted"), [("f7g8q", "queen"), ("f7g8N", "knight")])
def test_a_pawn_becomes_what_its_letter_says(typed: str, wanted: str) -> None:
    play = ruledsl.load(ROOT / "examples/chess.yaml").start()
    for move in ("e4", "d5", "e5", "d4", "e6", "d3", "e6f7", "Kd7", "g3", "a6"):
        play.choose(move)
    found = pick(play, None, typed)
    assert found.one is not None
    assert found.one.text == f"pawn f7-g8, {wanted}"


def test_a_notation_that_fits_several_picks_none() -> None:
    play = ruledsl.load(ROOT / "examples/chess.yaml").start()
    for move in ("Nc3", "e6", "Nf3", "d6", "e3", "e5", "d3", "Be6"):
        play.choose(move)
    assert {o.text for o in pick(play, None, "Ne2").options} == {"knight c3-e2"}
    for move in ("Ne2", "a6", "a3", "b6"):
        play.choose(move)
    found = pick(play, None, "Ng1")
    assert len(found.options) == 2
    assert found.one is None


def test_a_number_that_is_a_notation_is_no_number_of_an_option() -> None:
    page = (ROOT / "docs/cookbook.md").read_text(encoding="utf-8")
    play = herons(page.split("```yaml game=herons.yaml\n")[1].split("```")[0])
    labels = [option.text for option in play.options(0)]
    assert labels == ["the first heron goes from 1 to 3", "the second heron goes from 2 to 3"]
    assert [o.text for o in pick(play, 0, "3", numbers=True).options] == labels[1:]
    assert pick(play, 0, "1", numbers=True).one is None
    assert pick(play, 0, "1x3", numbers=True).one is not None


def test_two_moves_of_backgammon_are_typed_at_once() -> None:
    play = ruledsl.load(ROOT / "examples/backgammon.yaml").start(seed=2)
    seat = play.pending[0]
    first = play.options(seat)[0]
    there = play.copy()
    there.choose(first)
    assert there.pending == (seat,)
    second = next(option for option in there.options(seat) if "/" in option.text)
    assert row_of(play, seat, f"{first.text} {second.text}", "en") == [first.raw, second.raw]
    assert row_of(play, seat, f"{first.text} 99/1", "en") == []


def test_a_row_does_not_go_beyond_what_could_be_taken_back() -> None:
    """A card is drawn: what could be done with it must not be learned by trying."""
    play = ruledsl.load(ROOT / "games/fortress").start(seed=1)
    while len(play.options()) < 2:
        play.choose(0)
    assert row_of(play, play.pending[0], "1 1", "en") == []


# ------------------------------------------------------------------------------- what happened, the rules


def test_a_choice_of_several_steps_is_one_line() -> None:
    play = ruledsl.load(ROOT / "examples/gem-traders").start(seed=1)
    seat = play.pending[0]
    for text in ("take pearl", "take ruby", "take onyx"):
        play.choose(text)
    name = play.words.title(play.world.players, seat, "en")
    assert [event.text for event in story(play, None)] == [f"{name}: take pearl, ruby, onyx"]
    assert len(play.lines()) == 3


def test_a_step_is_told_when_the_choice_is_done() -> None:
    play = ruledsl.load(ROOT / "examples/gem-traders").start(seed=1)
    play.choose("take pearl")
    assert story(play, None) == []


def test_a_line_tells_what_was_taken() -> None:
    play = ruledsl.load(ROOT / "examples/chess.yaml").start()
    for move in ("e4", "d5", "e4d5"):
        play.choose(move)
    assert story(play, None)[-1].text == "white: pawn e4-d5 (takes pawn on d5)"
    assert story(play, None, "ru")[-1].text == "белые: пешка e4-d5 (снято: пешка на d5)"


def test_a_line_tells_what_was_turned() -> None:
    play = ruledsl.load(ROOT / "examples/reversi.yaml").start()
    play.choose(0)
    assert "(turns " in story(play, None)[-1].text


def test_rules_are_read_by_chapter() -> None:
    book = chapters(ruledsl.load(ROOT / "games/fjords"), "en")
    assert "The pieces" in [chapter.title for chapter in tops_of(book)]
    (land, *below) = chapter_of(book, "the land")
    assert land.title == "The land"
    assert {chapter.depth for chapter in below} == {land.depth + 1}
    assert "**" not in land.text + "".join(chapter.text for chapter in below)
    assert chapter_of(book, str(1 + [c.title for c in tops_of(book)].index("The land")))[0] is land
    assert chapter_of(book, "nothing like that") == chapter_of(book, "99") == []
    assert chapters(ruledsl.load(ROOT / "tests/language/backwards.yaml"), "en") == []


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_rules_of_an_example_are_read_in_the_readers_language(path: Path) -> None:
    """Every example has them, in both languages with the same chapters, without numbers of rules."""
    game = ruledsl.load(path)
    books = [chapters(game, language) for language in ("en", "ru")]
    assert [language_of_chapters(game, language) for language in ("en", "ru")] == ["en", "ru"]
    assert [one.depth for one in books[0]] == [one.depth for one in books[1]]
    assert len(books[0]) > 3
    assert books[0][0].title == game.title("en")
    assert books[1][0].title == game.title("ru")
    assert not re.search(r"[A-Z]{2}-\d", "".join(one.text for book in books for one in book))


# -------------------------------------------------------------------------------------------- waiting


def test_whoever_waits_is_told_and_may_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    read, write = os.pipe()
    with os.fdopen(read) as typed, os.fdopen(write, "w") as keys:
        monkeypatch.setattr(sys, "stdin", typed)
        with waiting(lambda: told.append("thinking"), terminal=True):
            assert not hurried()
            keys.write("\n")
            keys.flush()
            for _ in range(200):
                if hurried():
                    break
                time.sleep(0.05)
            assert hurried()
    assert told == ["thinking"]
    assert not hurried()


def test_nobody_is_told_of_a_short_thought() -> None:
    told: list[str] = []
    with waiting(lambda: told.append("thinking"), terminal=False):
        pass
    assert told == []


@pytest.mark.parametrize("bot", ["greedy", "careful"])
def test_a_bot_that_is_hurried_still_decides(bot: str) -> None:
    play = ruledsl.load(ROOT / "examples/thorns.yaml").start(seed=1)
    hurry()
    try:
        assert 0 <= ask(make(bot, 1), play, play.pending[0]) < len(play.options(play.pending[0]))
    finally:
        take_time()


@pytest.mark.parametrize("name", ["chess", "love-letter", "fjords", "fortress", "thorns", "serpent", "court-intrigue"])
def test_the_story_is_the_same_however_often_it_was_read(name: str) -> None:
    """Who reads as the play goes on reads what somebody reads who comes later, also after moves were taken back."""
    rng = random.Random(5)
    play = _shipped(name).start(seed=2)
    for _ in range(30):
        if play.over:
            break
        seat = rng.choice(play.pending)
        play.choose(rng.choice(play.options(seat)), seat)
        if play.undo_points and rng.random() < 0.15:
            play.undo()
        for reader in (None, 0, 1):
            since = max(0, len(play.log) - rng.choice((5, 400)))
            assert story(play, reader, "en", since) == story(play.copy(), reader, "en", since)


def _shipped(name: str) -> ruledsl.Game:
    path = find_game(name)
    assert path is not None
    return ruledsl.load(path)


@pytest.mark.parametrize(("language", "said"), [("en", "in check"), ("ru", "шах")])
def test_who_is_in_check_is_told(language: str, said: str) -> None:
    play = ruledsl.load(ROOT / "examples/chess.yaml").start()
    for text in ("e4", "e6", "d4", "Bb4+"):
        assert not [panel for panel in table(play, 0, language).panels if panel.text == said]
        play.choose(text)
    assert [panel.seat for panel in table(play, 1, language).panels if panel.text == said] == [0]


def test_the_log_counts_spaces_as_who_reads_it_does() -> None:
    """What white reads as 8/3 is 17/22 for black, who counts from the other end."""
    play = ruledsl.load(ROOT / "examples/backgammon.yaml").start(seed=4)
    for _ in range(40):
        seat, mine = play.pending[0], len(play.log)
        option = play.options(seat)[-1]
        play.choose(option.index, seat)
        own, other = (story(play, one, "en", mine)[0].text for one in (seat, 1 - seat))
        told = re.search(r"(\d+)/(\d+)", own)
        if told is None:
            continue
        assert own.partition(": ")[2].startswith(option.text)
        turned = re.search(r"(\d+)/(\d+)", other)
        assert turned is not None
        assert [25 - int(n) for n in turned.groups()] == [int(n) for n in told.groups()], (own, other)


def test_each_counts_their_own_turns() -> None:
    play = ruledsl.load(ROOT / "examples/go.yaml").start()
    for own in range(1, 5):
        for seat in (0, 1):
            assert turn_shown(play, play.view(seat)) == own
            assert turn_shown(play, play.view(1 - seat)) == own - (seat == 0)
            play.choose(0, seat)
