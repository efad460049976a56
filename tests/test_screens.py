"""What people see who play: screens of ten turns as files, laws over all games, and how few keys a turn takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from screens import LANGUAGES, SIZES, TURNS, keys_a_turn, seen

from games import EXAMPLES, ROOT, named
from ruledsl.wording.cases import by_number
from ruledsl.wording.columns import columns

Golden = Callable[[str, Path], None]
KEPT = [
    "fjords",
    "fortress",
    "outpost",
    "serpent",
    "bastion",
    "holdem",
    "backgammon",
    "chess",
    "go",
    "court-intrigue",
    "gem-traders",
]
SHORT = ["outpost", "serpent", "bastion"]  # a round is one turn, or decided by all at once
ALL = [named(path) for path in EXAMPLES] + ["fjords", "fortress", "outpost", "serpent", "bastion"]


@pytest.mark.parametrize("game", KEPT)
def test_screens_of_ten_turns(game: str, golden: Golden) -> None:
    """Three of them at each size and in each language: some way in, further on, and the last."""
    parts = []
    for size in SIZES:
        for language in LANGUAGES:
            person = seen(game, size, language)
            assert len(set(person.turns)) == TURNS or len(person.turns) == person.questions or game in SHORT
            screens = person.screens
            for number in sorted({len(screens) // 3, 2 * len(screens) // 3, len(screens) - 1}):
                title = f"{size[0]} x {size[1]}, {language}, question {number + 1} of {len(screens)}"
                parts.append(f"===== {title}\n{screens[number].rstrip()}\n")
    golden("\n".join(parts), ROOT / "tests/screens" / f"{game}.txt")


NOUNS = {
    "en": """coin coins|point points|house houses|viking vikings|settler settlers|card cards|token tokens|chip chips
        gem gems|action actions|buy buys|breach breaches|pass passes|wall walls|seed seeds|man men
        diamond diamonds|ruby rubies|emerald emeralds|sapphire sapphires|pearl pearls|win wins""",
    "ru": """монета монеты монет|очко очка очков|дом дома домов|викинг викинга викингов|поселенец поселенца поселенцев
        карта карты карт|жетон жетона жетонов|фишка фишки фишек|действие действия действий|покупка покупки покупок
        прорыв прорыва прорывов|пас паса пасов|стена стены стен|семя семени семян|камень камня камней
        успех успеха успехов|раздача раздачи раздач|помощник помощника помощников|шашка шашки шашек""",
}
PLURALS = re.compile(
    r"(?:^|[^\w:«] ?)((?:coins|points|houses|settlers|tokens|actions|buys|breaches|wins|монеты|очки|жетоны|прорывы"
    r"|действия|покупки|поселенцы|успехи|фишки|пасы) \d+)",
    re.MULTILINE,
)


def disagreements(screen: str, language: str) -> list[str]:
    """Numbers whose word is in another form than they ask for, and labels that leave the number behind a plural."""
    found = list(PLURALS.findall(screen))
    for row in NOUNS[language].replace("\n", "|").split("|"):
        forms = tuple(row.split())
        for number, word in re.findall(rf"(?<![\d.,/-])(\d+) ({'|'.join(set(forms))})\b", screen):
            if word != by_number(int(number), forms):
                found.append(f"{number} {word}")
    return found


def test_disagreements_are_found() -> None:
    assert disagreements("bob · 1 coins · 3 points", "en") == ["1 coins"]
    assert disagreements("боб · монеты 1 · 3 очка, 5 дома", "ru") == ["монеты 1", "5 дома"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ALL)
def test_screens_fit_and_show_no_names_of_the_rules(game: str, language: str) -> None:
    person = seen(game, SIZES[0], language)
    assert person.screens
    for screen in person.screens:
        assert not disagreements(screen, language), screen
        for line in screen.splitlines():
            assert columns(line) <= SIZES[0][0], line
        raw = re.search(r"\b[a-z]+_[a-z_]+\b", screen)
        assert raw is None, f"{raw.group() if raw else ''} in\n{screen}"


@pytest.mark.parametrize("game", ALL)
def test_every_word_of_a_russian_screen_is_russian(game: str) -> None:
    person = seen(game, SIZES[0], "ru")
    world = person.play.world
    names = {name for root in world.roots.values() if root.kind != "space" for name in root.names}
    for declared in (world.place_infos, world.values, world.pools):
        names |= {info.name for info in declared}
    names |= set(world.phases())
    names |= {name for root in world.roots.values() if root.kind == "piece" for name in root.attributes}
    shown = {word for screen in person.screens for word in re.findall(r"(?<![\w`])[A-Za-z][a-z]{2,}", screen)}
    assert not shown & {name.replace("_", " ").split()[0] for name in names}


@pytest.mark.parametrize(
    ("game", "most", "plays"),
    [("fjords", 8, 3), ("fortress", 8, 3), ("outpost", 15, 3), ("serpent", 15, 1), ("bastion", 15, 1)],
)
def test_a_turn_takes_few_keys(game: str, most: int, plays: int) -> None:
    assert keys_a_turn(game, range(plays)) < most
