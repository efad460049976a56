"""Names in cases, and words that go with a number: what players read, type, and what `check` says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ruledsl
from games import EXAMPLES, ROOT, load, named
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.render import render
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import pick
from ruledsl.wording.cases import amount, by_number, counted, declined
from ruledsl.wording.russian import CASES, smooth

GAME = """
ruledsl: 1
game: purse
players: [white, black]
types: {gem: [ruby, amber, cliff]}
pools:
  stones: {of: gem, at: {player: [purse]}, start: {purse: {ruby: 5, amber: 2}}}
play:
  - rounds: 2
    do:
      - for: {me: players}
        do:
          - choose: {g: gem, k: 1..5}
            label: {en: "take {k} {k:piece|pieces} of {g}", ru: "взять {k} {k:кусок|куска|кусков} {g:gen}"}
          - say: {en: "{me} has {me.purse}", ru: "у {me:gen} {me.purse:nom}, всего {me.purse}"}
scoring: {rows: {all: me.purse.ruby}}
text:
  ru: {ruby: рубин, amber: янтарь, cliff: утёс у бухты, white: белые, black: чёрные}
"""


def start(tmp_path: Path, text: str = GAME) -> Play:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return ruledsl.load(path).start(seed=1)


@pytest.mark.parametrize(
    ("title", "forms"),
    [
        ("игрок 2", "игрока 2|игроку 2|игрока 2|игроком 2|игроке 2"),
        ("белые", "белых|белым|белых|белыми|белых"),
        (
            "утёс у бухты (влево)",
            "утёса у бухты (влево)|утёсу у бухты (влево)|утёс у бухты (влево)|утёсом у бухты (влево)",
        ),
        ("базовый поселенец", "базового поселенца|базовому поселенцу|базового поселенца|базовым поселенцем"),
        ("жемчужный монетный дом", "жемчужного монетного дома|жемчужному монетному дому|жемчужный монетный дом"),
        ("Бел-Гора", "Бел-Горы|Бел-Горе|Бел-Гору"),
        ("мудрость", "мудрости|мудрости|мудрость|мудростью|мудрости"),
        ("пламя", "пламени|пламени|пламя|пламенем|пламени"),
        ("заклинания", "заклинаний|заклинаниям|заклинания|заклинаниями|заклинаниях"),
        ("партия", "партии|партии|партию"),
        ("регион IV", "региона IV|региону IV|регион IV"),
        ("⚃", "⚃|⚃"),
        ("b5", "b5"),
    ],
)
def test_names_are_declined(title: str, forms: str) -> None:
    assert [declined(title, case, "ru", living=True) for case in CASES[1:]][: forms.count("|") + 1] == forms.split("|")


@pytest.mark.parametrize(
    ("rough", "said"),
    [
        ("переместите карты в руке и карты в столе в колоду", "переместите карты в руке и карты на столе в колоду"),
        ("возьмите из рынка", "возьмите с рынка"),
        ("переместите все базовых поселенцев, все карты", "переместите всех базовых поселенцев, все карты"),
        ("раздайте по столько: 2 (не больше стольких раз: 6)", "раздайте по 2 (не больше 6 раз)"),
        ("в столицу", "в столицу"),
    ],
)
def test_sentences_are_smoothed(rough: str, said: str) -> None:
    assert smooth(rough) == said


@pytest.mark.parametrize("title", ["судья", "захват форта", "замок", "сухой верещаник мох"])
def test_what_the_ending_does_not_tell_is_not_guessed(title: str) -> None:
    assert declined(title, "gen", "ru") is None
    assert declined(title, "gen", "ru", {"gen": "так"}) == "так"
    assert declined(title, "gen", "en") == title


@pytest.mark.parametrize(
    ("number", "title", "language", "said"),
    [
        (1, "coins", "en", "1 coin"),
        (0, "buys", "en", "0 buys"),
        (40, "stake", "en", "stake 40"),
        (3, "spent", "en", "spent 3"),
        (2, "pairs of cards", "en", "pairs of cards 2"),
        (1, "монеты", "ru", "1 монета"),
        (22, "очки", "ru", "22 очка"),
        (11, "кубики", "ru", "11 кубиков"),
        (21, "тихие ходы", "ru", "21 тихий ход"),
        (3, "часы", "ru", "часы 3"),
        (3, "ставка", "ru", "ставка 3"),
        (3, "чаши", "ru", "чаши 3"),
        (22, "тихие ходы", "ru", "22 тихих хода"),
    ],
)
def test_a_title_of_several_agrees_with_its_number(number: int, title: str, language: str, said: str) -> None:
    assert amount(number, title, language) == said


def test_a_game_says_how_a_title_is_counted() -> None:
    forms = {"one": "чаша", "few": "чаши", "many": "чаш"}
    assert [amount(n, "чаши", "ru", forms) for n in (1, 2, 5)] == ["1 чаша", "2 чаши", "5 чаш"]
    assert [counted(n, "cross", "nom", "en", {"many": "crosses"}) for n in (1, 2)] == ["1 cross", "2 crosses"]
    assert counted(2, "gold", "nom", "en") == "2 gold"
    crosses = [amount(n, "Cross", "en", {"many": "Kreuze"}, things=True) for n in (1, 2)]
    assert crosses == ["1 Cross", "2 Kreuze"]
    assert amount(3, "карта", "ru", things=True, case="dat") == "3 картам"
    assert counted(3, "карта", "many", "ru") == "3 карты"
    assert counted(3, "закрытая карта", "nom", "ru") == "3 закрытые карты"
    assert counted(4, "базовый поселенец", "nom", "ru") == "4 базовых поселенца"


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "монет"), (1, "монета"), (2, "монеты"), (5, "монет"), (11, "монет"), (21, "монета"), (112, "монет")],
)
def test_the_form_goes_by_the_number(number: int, said: str) -> None:
    assert by_number(number, ("монета", "монеты", "монет")) == said
    assert counted(number, "монета", "nom", "ru") == f"{number} {said}"
    assert by_number(number, ("coin", "coins")) == ("coin" if number == 1 else "coins")


def test_labels_and_lines_of_the_log(tmp_path: Path) -> None:
    play = start(tmp_path)
    texts = [option.text for option in play.options(0, "ru")]
    assert {"взять 1 кусок рубина", "взять 3 куска янтаря", "взять 5 кусков утёса у бухты"} <= set(texts)
    assert "take 1 piece of ruby" in [option.text for option in play.options(0)]
    play.choose(play.options(0)[0].index, 0)
    assert "у белых 5 рубинов, 2 янтаря, всего рубин 5, янтарь 2" in play.lines(0, "ru")[-1]
    assert "white has 5 ruby, 2 amber" in play.lines(0, "en")[-1]


def test_every_option_may_be_typed_as_it_reads(tmp_path: Path) -> None:
    """In every case, and a label that is not offered is known as one."""
    play = start(tmp_path)
    for option in play.options(0, "ru"):
        found = pick(play, 0, option.text, "ru").one
        assert found is not None
        assert found.index == option.index
    assert pick(play, 0, "взять 1 куска рубина", "ru").one is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{g:gen}", "{g:genitive}", "there is no case `genitive`"),
        ("{g:gen}", "{g:acs}", "did you mean `acc`?"),
        ("of {g}", "of {g:gen}", "only Russian texts have cases"),
        ("|куска|", "|", "a word has 3 forms by number, not 2"),
        ("{k:piece|pieces}", "{k:piece|pieces|many}", "a word has 2 forms by number, not 3"),
        ("{k:piece|pieces}", "{g:piece|pieces}", "the form of a word goes by a number, not by a gem"),
        ("утёс у бухты", "судья", "players read `судья` unchanged: the form `gen` is not known"),
        ("text:\n", "cases: {ru: {янтарь: {gan: янтаря}}}\ntext:\n", "did you mean `gen`?"),
        ("text:\n", "cases: {en: {amber: {gen: amber}}}\ntext:\n", "`en` has no cases"),
        ("text:\n", "cases: {fr: {amber: {many: ambers}}}\ntext:\n", "names have cases in `ru`"),
        ("text:\n", "cases: {ru: {янтарик: {gen: янтаря}}}\ntext:\n", "nothing is called `янтарик` in this language"),
        ("text:\n", "declensions: {ru: {янтарь: {gen: янтаря}}}\ntext:\n", "did you mean `cases`?"),
    ],
)
def test_what_check_says(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.replace(old, new, 1), encoding="utf-8")
    found = "\n".join(render(one) for one in pipeline.check(path).sorted())
    assert said in found, found


def test_declared_forms_come_first(tmp_path: Path) -> None:
    forms = "cases: {ru: {рубин: {gen: рубинчика, few: рубинчика, many: рубинчиков}}}\ntext:\n"
    play = start(tmp_path, GAME.replace("text:\n", forms))
    assert "взять 1 кусок рубинчика" in [option.text for option in play.options(0, "ru")]
    play.choose(0, 0)
    assert "у белых 5 рубинчиков, 2 янтаря" in play.lines(0, "ru")[-1]


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_russian_texts_have_no_brackets_or_hyphens_for_dashes(path: Path) -> None:
    """What a program would say and a person would not: `x - y` for a dash, `[]` for nothing."""
    play = load(path).start(seed=3)
    for _ in range(60):
        if play.over:
            break
        seat = play.pending[0]
        for option in play.options(seat, "ru"):
            assert not re.search(r"\[\]|[а-яё] - [а-яёА-ЯЁ]", option.text), option.text
        play.choose(len(play.options(seat)) // 2, seat)
    assert not [line for line in play.lines(0, "ru") if re.search(r"\[\]|[а-яё] - [а-яёА-ЯЁ]", line)]


def test_no_text_of_a_shipped_game_has_a_hyphen_for_a_dash() -> None:
    found = []
    for path in [*(ROOT / "examples").rglob("*.yaml"), *(ROOT / "games").rglob("*.yaml")]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"[а-яё»] - [а-яёА-ЯЁ«]", line) and not line.lstrip().startswith("#"):
                found.append(f"{path.name}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


TEXTS = """
ruledsl: 1
game: hills
players: 2
types: {hill: [dune, crag, fen, mere]}
text: {ru: {dune: дюна, crag: скала голая, fen: топь сырая, mere: омут тихий}}
effects:
  rest:
    - choose one:
        - {label: rest, do: []}
play:
  - turns: players
    do:
      - rest()
      - LINES
      - end: game
scoring: {rows: {all: 1}}
"""


@pytest.mark.parametrize(
    ("lines", "unknown"),
    [
        # What is offered is asked about, not all that the type has.
        (["choose: {h: '[dune, fen]'}", "label: {en: x, ru: 'взять {h:acc}'}"], ["топь сырая"]),
        (["choose: {h: 'hill where h in [dune, fen]'}", "label: {en: x, ru: 'взять {h:acc}'}"], ["топь сырая"]),
        (["choose: {h: 'hill where h > crag'}", "label: {en: x, ru: 'на {h:pre}'}"], ["топь сырая", "омут тихий"]),
        (["choose: {h: 'hill where h == dune'}", "label: {en: x, ru: 'на {h:pre}'}"], []),
        (["say: {en: x, ru: '{dune:acc}'}"], []),
        (["say: {en: x, ru: '{fen:acc}'}"], ["топь сырая"]),
        # What only play can tell may be any of them.
        (
            ["choose: {h: 'hill where possible(rest(), h == dune)'}", "label: {en: x, ru: 'на {h:pre}'}"],
            ["скала голая", "топь сырая", "омут тихий"],
        ),
        # A reason speaks of what was refused.
        (
            ["choose: {h: {is: 'hill where h == dune', because: {en: x, ru: 'нет {h:gen}'}}}", "label: '{h}'"],
            ["скала голая", "топь сырая", "омут тихий"],
        ),
        (
            ["choose: {h: hill}", "label: '{h}'", "where: {is: h == dune, because: {en: x, ru: 'нет {h:gen}'}}"],
            ["скала голая", "топь сырая", "омут тихий"],
        ),
        (["win: me", "because: {en: x, ru: 'у {fen:gen}'}"], ["топь сырая"]),
    ],
)
def test_check_asks_for_the_forms_that_texts_may_show(tmp_path: Path, lines: list[str], unknown: list[str]) -> None:
    path = tmp_path / "hills.yaml"
    path.write_text(TEXTS.replace("LINES", "\n        ".join(lines)), encoding="utf-8")
    report = pipeline.check(path)
    assert not report.errors, "\n".join(map(render, report.sorted()))
    told = [found.message for found in report.sorted() if found.code == "L531"]
    assert [name for message in told for name in re.findall("`([а-я ]+)`", message)] == unknown


def test_nouns_by_their_last_letters_and_words_that_are_none() -> None:
    assert [declined("вещь", case, "ru") for case in ("gen", "acc", "ins")] == ["вещи", "вещь", "вещью"]
    assert declined("ночь", "pre", "ru") == "ночи"
    assert declined("вода", "gen", "ru") == "воды"
    for word in ("куда", "откуда", "всегда", "иногда"):
        assert declined(word, "gen", "ru") is None
