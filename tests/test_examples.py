"""The well-known games of `examples/`: nothing to find fault with, tested, and readable in both languages."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, ROOT, named
from ruledsl.cli.main import main
from ruledsl.runtime.table import table
from ruledsl.wording.cases import by_number

every_example = pytest.mark.parametrize("path", EXAMPLES, ids=named)


@every_example
def test_its_own_tests_pass(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(path)]) == 0, capsys.readouterr().out


@every_example
def test_every_option_reads_in_russian(path: Path) -> None:
    """Whatever Latin is left beside the names of spaces was forgotten."""

    def forgotten(text: str) -> bool:
        return re.search("[A-Za-z]", re.sub(r"[a-z]\d+x?", "", text)) is not None

    play, chance = ruledsl.load(path).start(), random.Random(5)
    for _ in range(60):
        if play.over:
            break
        texts = [option.text for option in play.options(language="ru")]
        assert [text for text in (*texts, play.game.title("ru"), play.game.about("ru")) if forgotten(text)] == []
        play.choose(chance.randrange(len(texts)))


@every_example
def test_lines_fit_in_100_columns(path: Path) -> None:
    beside = path.parent.rglob("*.yaml") if path.stem == "game" else path.parent.glob(f"{path.stem}*.yaml")
    for file in beside:
        assert [line for line in file.read_text(encoding="utf-8").splitlines() if len(line) > 100] == []


def test_cards_of_gem_traders_say_what_they_cost() -> None:
    """In both languages: what is shown of a card or a noble on the table, and what its columns say."""
    gems = {"pearl": "жемчуг", "sapphire": "сапфир", "emerald": "изумруд", "ruby": "рубин", "onyx": "оникс"}
    many = {gem: {"ruby": "rubies", "onyx": "onyx"}.get(gem, f"{gem}s") for gem in gems}
    play = ruledsl.load(ROOT / "examples/gem-traders").start(seed=3)
    rows: dict[str, dict[str, str]] = {}
    for name in ("cards", "nobles"):
        with (ROOT / f"examples/gem-traders/{name}.csv").open(encoding="utf-8") as file:
            own = list(csv.DictReader(file))
        assert len({row["name"] for row in own}) == len(own) == {"cards": 50, "nobles": 10}[name]
        rows |= {row["name"]: row for row in own}
    for language, points in (("en", ("point", "points")), ("ru", ("очко", "очка", "очков"))):
        shown = [thing for panel in table(play, 0, language).panels for thing in panel.things if thing.name]
        assert len(shown) == 12 + 3
        for thing in shown:
            row = rows[str(thing.name)]
            assert thing.title == row[f"title.{language}"]
            column = "taste" if "taste.ruby" in row else "price"
            paid = [(n, gem) for gem in gems if (n := row[f"{column}.{gem}"]) != "0"]
            cost = ", ".join(
                f"{n} {gem if n == '1' else many[gem]}" if language == "en" else f"{gems[gem]} {n}" for n, gem in paid
            )
            won = int(row.get("points", "0"))
            worth = [f"{won} {by_number(won, points)}"] if won else []
            gem = row.get("bonus", "")  # a noble gives none
            gives = [f"gives {gem}" if language == "en" else f"даёт {gems[gem]}"] if gem else []
            assert [fact for fact in thing.facts if fact] == [*worth, *gives, cost]
