"""What a player can read while playing: the rules by chapter in their language, and every card by its name."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from games import EXAMPLES, NAMES, PATHS, load, named
from ruledsl.bots.guess import Guess
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.screen import Screen
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.runtime.rulebook import Chapter, tops_of
from ruledsl.runtime.typed import one_manner, pick, plain
from ruledsl.telling.chapters import readable_chapters

ALL = [named(path) for path in EXAMPLES] + ["fjords", "fortress", "outpost", "serpent", "bastion"]
CHECKING = re.compile(r"\b[A-Z]{2,}-\d|\[ruling|\[reconstructed|\[derived|covers:|<!--|\.yaml\b")


def book(game: str, language: str) -> list[Chapter]:
    return readable_chapters(load(PATHS[NAMES.index(game)]), language)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("game", ALL)
def test_chapters_are_in_the_language_of_the_reader(game: str, language: str) -> None:
    """Nothing of them is for whoever checks the rules: no numbers of statements, no remarks where they come from."""
    found = book(game, language)
    assert len(tops_of(found)) > 1
    below = found[next(i for i, one in enumerate(found) if one is tops_of(found)[0]) :]
    text = "\n".join(line for one in below for line in (one.title, one.text))
    assert not CHECKING.search(text), CHECKING.search(text)
    cyrillic, latin = len(re.findall("[а-яё]", text.lower())), len(re.findall("[a-z]", text.lower()))
    share = cyrillic / (cyrillic + latin)
    assert share > 0.9 if language == "ru" else share < 0.1, share


@pytest.mark.parametrize(("language", "first"), [("en", "Players and options"), ("ru", "Игроки и настройки")])
def test_without_written_rules_they_are_told(tmp_path: Path, language: str, first: str) -> None:
    alone = tmp_path / "tic-tac-toe.yaml"
    alone.write_bytes(next(path for path in EXAMPLES if path.name == alone.name).read_bytes())
    assert tops_of(readable_chapters(load(alone), language))[0].title == first


def test_a_number_that_leads_elsewhere_is_told_as_the_heading_there() -> None:
    text = "\n".join(one.text for one in book("fortress", "en"))
    assert "For special cards that lie before players, see “Special cards”." in text


def manners(text: str) -> list[str]:
    """A text as it is, with the sign of a capture that notations have, and with one where people leave it out: `ed5` is
    `exd5`. That they are taken so where they are offered, tests/test_manner_of_typing.py holds."""
    way = one_manner(text)
    return [text, way, *(f"{way[:at]}x{way[at:]}" for at in range(1, len(way)) if "x" not in way)]


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_what_the_rules_say_may_be_typed_is_typed_so(path: Path) -> None:
    """What the last chapter of an example has in backticks means an option at the first decision, or at some other. A
    row of moves such as `24/18/13` is read by its parts."""
    play = load(path).start()
    for language in ("en", "ru"):
        name = "rules" if path.stem == "game" else f"{path.stem}.rules"
        book = path.parent / (f"{name}.md" if language == "en" else f"{name}.{language}.md")
        last = book.read_text(encoding="utf-8").split("\n## ")[-1]
        assert last.startswith(("Typing a move\n", "Как записать ход\n"))
        for quoted in re.findall("`([^`]+)`", last.replace("\n", " ")):
            ends = re.split("([/x])", quoted)
            parts = ["".join(ends[at : at + 3]) for at in range(0, len(ends) - 2, 2)] if len(ends) > 3 else [quoted]
            for part in parts:
                said = any(play.configured.phrases.says(plain(way), language) for way in manners(part))
                assert said or pick(play, play.pending[0], part, language).options, part


def typed(game: str, lines: list[str], language: str = "en", seed: int = 2) -> str:
    play = load(PATHS[NAMES.index(game)]).start(seed=seed)
    left = iter([*lines, "quit"])
    shown: list[str] = []

    def read(prompt: str) -> str:
        shown.append(prompt)
        return next(left)

    Session(play, [None] * len(play.players), Settings(language=language), Face(shown.append, read)).run()
    return "\n".join(shown)


@pytest.mark.parametrize("card", ["Banker", "Thief", "Envoy", "Poisoner", "Healer"])
def test_a_card_that_nobody_sees_is_read_by_its_name(card: str) -> None:
    """`rules NAME` reads it as well, for who does not know that there is a command for cards."""
    for command in ("card", "rules"):
        assert f"{card}: " in typed("court-intrigue", [f"{command} {card.lower()}"])


def test_what_is_printed_in_columns_is_read_too() -> None:
    deep = typed("gem-traders", ["card emerald crown"])
    assert re.search(r"emerald crown: \d points, gives emerald, \d", deep), deep[-900:]


@pytest.mark.parametrize("game", ["court-intrigue", "burgs", "gem-traders", "fortress", "outpost"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_can_be_read_of_cards_says_nothing_of_where_they_are(game: str, language: str) -> None:
    """It is the same however what the seat does not know is dealt anew."""
    play = load(PATHS[NAMES.index(game)]).start(seed=2)
    told = Screen(play, language, False).all_cards(0)
    assert told
    for seed in range(3):
        other = play.copy()
        other.state = Guess(play, 0, random.Random(seed)).state
        assert other.state != play.state
        assert Screen(other, language, False).all_cards(0) == told


def test_hold_em_tells_its_rules() -> None:
    assert "high card, pair, two pairs" in " ".join(typed("holdem", ["rules"]).split())
    assert "фолд" in typed("holdem", ["правила"], "ru")
