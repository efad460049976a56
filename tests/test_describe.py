"""A game told in sentences: every member of the language has its words, and every game is told whole.

The texts of some games are kept beside this file, in `describe/`; read the difference when one changes.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

import ruledsl
from games import EXAMPLES, PATHS, ROOT, named
from ruledsl import manual
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.sections import NAMED
from ruledsl.boards.base import SHAPES
from ruledsl.builtins import BUILTINS
from ruledsl.cli.main import main
from ruledsl.compiler import pipeline
from ruledsl.diagnostics.model import GameError
from ruledsl.runtime.game import Game
from ruledsl.statements import told as told_statements
from ruledsl.syntax import expr as E
from ruledsl.telling import components, describe, forms, rulebook, rules, sentences
from ruledsl.telling.data import as_data
from ruledsl.telling.describe import opened
from ruledsl.telling.document import Section, texts
from ruledsl.telling.html import as_html
from ruledsl.telling.markdown import as_markdown
from ruledsl.telling.phrases import NAME, TERM
from ruledsl.telling.russian import SORTS
from ruledsl.telling.text import as_text, plain
from ruledsl.testing.mutants import changed, mutants_of
from ruledsl.wording import english, russian
from ruledsl.wording.templates import LANGUAGES, Inflected, Words, parts_of, slots_of

KEPT = ROOT / "tests/describe"
GOLDEN = ("tic-tac-toe", "thorns", "gem-traders", "court-intrigue", "fjords")
TABLES = (forms.FORMS, sentences.SENTENCES, components.W, rules.W, describe.W, rulebook.W)


@cache
def game(path: Path) -> Game:
    return Game(pipeline.load_blueprint(path))


@cache
def told(path: Path, language: str) -> Section:
    return describe.describe(game(path), language)


def every_words() -> Iterator[tuple[str, Words]]:
    """All words of the language and of what stands around them."""
    for verb, statement in STATEMENTS.items():
        if isinstance(statement.words, Words):
            yield verb, statement.words
    for name, builtin in BUILTINS.items():
        if builtin.words is not None:
            yield name, builtin.words
    for table in TABLES:
        yield from table.items()
    for shape in SHAPES.values():
        yield shape.name, shape.words
    for name, value in vars(told_statements).items():
        if isinstance(value, Words):
            yield name, value
        elif isinstance(value, dict):
            yield from ((f"{name} {key}", words) for key, words in value.items() if isinstance(words, Words))


def templates(words: Words) -> Iterator[tuple[str, str]]:
    for language in LANGUAGES:
        for sure in (True, False):
            for template in words.of(language, sure):
                yield from ((language, part) for part in template.split("|"))


# --------------------------------------------------------------------------------------- the words themselves


def test_every_statement_has_words() -> None:
    assert not [verb for verb, statement in STATEMENTS.items() if statement.words is None]


def test_every_function_has_words() -> None:
    assert not [name for name, builtin in BUILTINS.items() if builtin.words is None]


def test_conditions_and_no_others_can_be_denied() -> None:
    for builtin in BUILTINS.values():
        assert builtin.words is not None
        assert builtin.words.is_condition == builtin.signature.endswith("→ condition"), builtin.name


def test_slots_of_a_statement_are_its_keys() -> None:
    for verb, statement in STATEMENTS.items():
        if isinstance(statement.words, Words):
            for _, template in templates(statement.words):
                assert {slot.key for slot in slots_of(template)} <= set(statement.form.keys), verb


def test_every_key_of_a_statement_is_told() -> None:
    """A new key of a statement that nobody speaks of would be a rule that nobody reads."""
    source = (ROOT / "ruledsl/statements/told.py").read_text(encoding="utf-8")
    source += (ROOT / "ruledsl/telling/blocks.py").read_text(encoding="utf-8")
    for verb, statement in STATEMENTS.items():
        if isinstance(statement.words, Words):
            spoken_of = {slot.key for _, template in templates(statement.words) for slot in slots_of(template)}
        else:
            spoken_of = {key for key in statement.form.keys if re.search(rf"[\"{{]{re.escape(key)}[\":}}]", source)}
        assert not set(statement.form.keys) - spoken_of - SILENT, verb


SILENT = {"stepwise", "notation"}  # how a question is put and answered, which changes nothing
UNTOLD = {  # of declarations: what is read and seen, and where it comes from
    "title", "about", "symbol", "columns", "covers", "from", "one_way", "apart", "letters", "looks", "text", "tests",
    "cases", "include", "ruledsl", "game", "stepwise", "label", "rows", "only", "space", "holds", "up", "down",
    "presets", "define", "edges", "paid", "show", "notation", "because",  # told by what they were read into
    "drawn_on", "boxes",
    "heuristic",  # for bots: no rule
}  # fmt: skip


def test_every_key_of_a_declaration_is_told() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "ruledsl/telling").glob("*.py"))
    by_words = {key for shape in SHAPES.values() for key in (shape.key, *shape.parameters)}  # what shapes say of them
    for title, form in manual._forms():
        if "looks" in title:
            continue  # what is seen is not told
        if "test" not in title and title.strip("`:") not in ("log", "given", "expect", "play", "cases"):
            missing = [key for key in form.keys if f'"{key}"' not in source and key not in UNTOLD | by_words]
            assert not missing, f"{title}: {missing}"


@pytest.mark.parametrize(("name", "words"), list(every_words()), ids=lambda one: one if isinstance(one, str) else "")
def test_words_are_there_in_every_language(name: str, words: Words) -> None:
    """Every form says the same things in all languages, and what is inflected can be."""
    for sure in (True, False):
        said = [words.of(language, sure) for language in LANGUAGES]
        assert len({bool(one) for one in said}) == 1, name
    for language, template in templates(words):
        for part in parts_of(template):
            if isinstance(part, Inflected):
                assert language == "ru", f"{name}: English has no cases"
                for word in part.word.split():
                    assert all(russian.inflected(word, case) for case in russian.CASES), word


def test_words_of_ours_can_be_declined() -> None:
    for word in SORTS.values():
        noun = russian.noun(word)
        assert noun is not None
        assert all(noun.say(case, many) for case in russian.CASES for many in (False, True)), word


@pytest.mark.parametrize(
    ("title", "gender", "cases", "many"),
    [
        ("карта", "f", "карта карты карте карту картой карте", "карты карт картам карты картами картах"),
        ("фишка", "f", "фишка фишки фишке фишку фишкой фишке", "фишки фишек фишкам фишки фишками фишках"),
        ("диск", "m", "диск диска диску диск диском диске", "диски дисков дискам диски дисками дисках"),
        ("викинг", "m", "викинг викинга викингу викинга викингом викинге", "викинги викингов"),
        ("золото", "n", "золото золота золоту золото золотом золоте", ""),
        ("последний гекс", "m", "последний гекс последнего гекса последнему гексу", "последние гексы последних гексов"),
        ("песочные часы", "pl", "", "песочные часы песочных часов песочным часам"),
    ],
)
def test_nouns_are_declined_by_their_endings(title: str, gender: str, cases: str, many: str) -> None:
    noun = russian.noun(title)
    assert noun is not None
    assert noun.gender == gender
    assert " ".join(noun.one).startswith(cases)
    assert " ".join(noun.many).startswith(many)


@pytest.mark.parametrize("title", ["открыто", "начинает", "торгуется", "тайные", "hand", "жить", "рука игрока"])
def test_what_is_no_noun_is_left_as_it_is(title: str) -> None:
    assert russian.noun(title) is None


@pytest.mark.parametrize("title", ["замок", "мачта", "стражи"])
def test_forms_that_an_ending_does_not_tell_are_not_guessed(title: str) -> None:
    noun = russian.noun(title)
    assert noun is not None
    assert noun.say("nom", noun.gender == "pl") == title
    assert None in [noun.say(case, many) for case in russian.CASES for many in (False, True)]


@pytest.mark.parametrize(
    ("one", "many"), [("man", "men"), ("city", "cities"), ("box", "boxes"), ("thief", "thieves"), ("die", "dice"),
                  ("house of the second color", "houses of the second color"), ("key", "keys")]
)  # fmt: skip
def test_english_nouns(one: str, many: str) -> None:
    assert english.plural(one) == many
    assert english.plural(many) == many
    assert english.singular(one) == one


# -------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [path for path in PATHS if named(path) in GOLDEN], ids=named)
def test_some_games_are_told_just_so(path: Path, language: str, golden: Callable[[str, Path], None]) -> None:
    golden(as_text(told(path, language)), KEPT / f"{named(path)}.{language}.txt")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PATHS, ids=named)
def test_every_game_is_told_whole(path: Path, language: str) -> None:
    """All that is declared is spoken of; nothing stays unfilled, or is called by its name in the rules."""
    section = told(path, language)
    whole = [plain(text) for text in texts(section)]
    words = "\n".join(whole).lower()
    assert not [text for text in whole if re.search(r"[{}\[\]]|\bNone\b|…‹|‹›", text)]
    assert not re.findall(r"(?<![\w/.-])[a-z]+_[a-z_]+", words), "a name of the rules with its underscores"
    told_keys = {part.key for part in section.walk()}
    for name, sort in declared(game(path), language):
        if sort in ("formula", "effect", "action", "trigger"):
            for_bots = sort == "formula" and name in only_for_bots(path, language)
            assert (f"{sort} {name}" in told_keys) != for_bots, f"`{name}` is not told, or advises only bots"
        else:
            title = title_of(game(path), language, name, sort)
            assert title.lower() in words, f"`{name}` is not spoken of as {title}"


@cache
def only_for_bots(path: Path, language: str) -> set[str]:
    """The formulas that only `heuristic:` needs: they are no rules."""
    return book(path, language).for_bots


@cache
def book(path: Path, language: str) -> describe.Book:
    return opened(game(path), language, None, None)


def declared(which: Game, language: str) -> Iterator[tuple[str, str]]:
    """Everything with a name that the main rules declare."""
    sorts = {"define": "formula", "effects": "effect", "actions": "action", "triggers": "trigger"}
    sections = book(which.path, language).sections
    for section in NAMED:
        for name in sections.named[section]:
            yield name.split("(")[0].strip(), sorts.get(section, section)


def title_of(which: Game, language: str, name: str, sort: str) -> str:
    teller = book(which.path, language).t
    if sort == "options":
        return teller.option(name).say("nom")
    if sort in ("presets", "history"):
        return teller.lexicon.word(name, "value").text
    if sort == "types":
        return teller.lexicon.word(name, "type").text
    return teller.lexicon.declared(name).text


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_what_leads_somewhere_leads_to_a_rule(path: Path) -> None:
    """Every named rule that a sentence speaks of is told under that name."""
    section = told(path, "en")
    keys = {part.key for part in section.walk() if part.key}
    for text in texts(section):
        for key in re.findall(f"{TERM}([^\ue003]*)\ue003", text):
            assert key in keys or key.startswith("history "), f"{key} is told nowhere"


COOKBOOK_PAGE = (ROOT / "docs/cookbook.md").read_text("utf-8")
COOKBOOK = re.findall(r"^```yaml game=(\S+)\n(.*?)^```$", COOKBOOK_PAGE, re.M | re.S)
TABLES_OF_COOKBOOK = re.findall(r"^```\w+ file=([\w.-]+)\n(.*?)^```$", COOKBOOK_PAGE, re.M | re.S)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "text"), COOKBOOK, ids=[name for name, _ in COOKBOOK])
def test_every_recipe_of_the_cookbook_is_told(name: str, text: str, language: str, tmp_path: Path) -> None:
    for table, rows in TABLES_OF_COOKBOOK:
        (tmp_path / table).write_text(rows, encoding="utf-8")
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    section = describe.describe(Game(pipeline.load_blueprint(path)), language)
    whole = [plain(line) for line in texts(section)]
    assert not [line for line in whole if re.search(r"[{}\[\]]|\bNone\b", line)]


def test_every_expression_form_is_spoken_of() -> None:
    """A new form of expression without words would end up as an ellipsis."""
    source = (ROOT / "ruledsl/telling/spoken.py").read_text(encoding="utf-8")
    for form in E.Expr.__args__:
        assert form is E.Bad or f"E.{form.__name__}(" in source, form


# ------------------------------------------------------------------------------------------------ writing

HOSTILE = """\
ruledsl: 1
game: hostile
title: {en: "<script>alert(1)</script> & *stars* [link](x)", ru: "<b>"}
about: "a | b \\ue000 <img src=x onerror=alert(1)>"
players: [one, two]
board: {grid: {width: 2, height: 2}}
pieces:
  mark: {per: player, count: 2, title: "<i>mark</i>", about: "</td><script>"}
play:
  - turns: players
    do:
      - choose: {cell: board where empty(cell)}
        label: "<u>{cell}</u> | `x`"
        else: {tie: players}
      - move: mark
        to: cell
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Section:
    path = tmp_path / "hostile.yaml"
    path.write_text(HOSTILE, encoding="utf-8")
    return rulebook.rulebook(ruledsl.load(path), "en")


def test_texts_of_a_game_are_no_markup(hostile: Section) -> None:
    page = as_html(hostile, "en")
    assert not re.search(r"<script|<img src=x|<i>mark|<u>", page)
    assert "&lt;script&gt;" in page
    assert NAME not in page
    markdown = as_markdown(hostile)
    assert not re.search(r"(?<!\\)<(?:script|img|i|u)>", markdown)
    assert r"\*stars\* \[link\]" in markdown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [path for path in PATHS if named(path) in (*GOLDEN, "chess")], ids=named)
def test_a_page_closes_what_it_opens(path: Path, language: str) -> None:
    open_tags: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in ("meta", "img"):
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Tags().feed(as_html(told(path, language), language))
    assert not open_tags


def test_a_rulebook_is_complete_in_itself(hostile: Section) -> None:
    page = as_html(hostile, "en")
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert page.count("data:image/svg+xml;base64,") == 2  # the board, and how pieces look
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))


@pytest.mark.parametrize("path", [path for path in PATHS if named(path) in GOLDEN], ids=named)
def test_links_of_a_rulebook_lead_to_something(path: Path) -> None:
    section = told(path, "ru")
    page, markdown = as_html(section, "ru"), as_markdown(section)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
    links = re.findall(r"\]\(#([^)]+)\)", markdown)
    assert set(links) <= set(re.findall(r'<a id="([^"]+)">', markdown))
    named_rules = re.findall(r'<a href="#((?:effect|formula|action)-[^"]+)"', page)
    assert [link for link in links if link in named_rules] == named_rules  # those of several words, too


def test_sentences_know_where_the_file_says_so() -> None:
    path = ROOT / "examples/thorns.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()

    def places(data: object) -> Iterator[dict[str, object]]:
        if isinstance(data, dict):
            if "line" in data:
                yield data
            for value in data.values():
                yield from places(value)
        elif isinstance(data, list):
            for value in data:
                yield from places(value)

    found = list(places(as_data(told(path, "en"))))
    shuffled = [one for one in found if str(one["text"]).startswith("Your wins go up")]
    assert [lines[int(str(one["line"])) - 1].strip() for one in shuffled] == ["- add: {me.wins: 1}"]
    assert len(found) > 60


# ------------------------------------------------------------------------------------------ the commands


def test_describe_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "tic-tac-toe", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["title"] == "Tic-tac-toe"
    assert [part["title"] for part in data["parts"]][:2] == ["Players and options", "Components"]


def test_describe_says_what_is_wrong_with_players_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "fjords", "--players", "9"]) == 2
    assert "is for 2 to 4 players" in capsys.readouterr().err
    assert main(["describe", "fjords", "--option", "variant=epik"]) == 2
    assert "did you mean `epic`" in capsys.readouterr().err
    assert main(["describe", "fjords", "--players", "3", "--option", "variant=epic"]) == 2
    assert "the Epic variant is for 2 players" in capsys.readouterr().err


def test_check_can_tell_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tic-tac-toe", "--explain", "--lang", "ru"]) == 0
    assert "Крестики-нолики" in capsys.readouterr().out


@pytest.mark.parametrize(("ending", "begins"), [(".md", "<!-- Made by"), (".html", "<!DOCTYPE html>"), (".json", "{")])
def test_rulebook_is_written_as_the_ending_says(ending: str, begins: str, tmp_path: Path) -> None:
    out = tmp_path / f"book{ending}"
    assert main(["rulebook", "tic-tac-toe", "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith(begins)
    assert main(["rulebook", "tic-tac-toe", "-o", str(out)]) == 0  # its own file is written again


def test_rulebook_writes_over_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "notes.md"
    out.write_text("my notes\n", encoding="utf-8")
    assert main(["rulebook", "tic-tac-toe", "-o", str(out)]) == 2
    assert out.read_text(encoding="utf-8") == "my notes\n"
    assert "exists and is not a rulebook" in capsys.readouterr().err
    assert main(["rulebook", "tic-tac-toe", "-o", str(tmp_path / "game.yaml")]) == 2


# --------------------------------------------------------------------------------------------- faithfulness

# Slips of meaning that no checker can know, and the sentence in which a reader meets each.
PLANTED = [
    # Fjords: who settles first, what is counted, what is free, the end, a score that counts twice
    ("games/fjords", "turns: players from starter", "turns: players from first_player",
     "these players take turns, again and again: all players, beginning with the first player; a turn is skipped"),
    ("games/fjords", "count(v in p.viking where v.cell)", "count(p.viking)",
     "This is the number of vikings of P."),
    ("games/fjords", "a.terrain == plain and a.cell and vacant", "a.terrain == mountain and a.cell and vacant",
     "True if A's terrain is mountain"),
    ("games/fjords", "explored: {is: no(row)", "explored: {is: no(bag)",
     "True if there are no hexes in the bag."),
    ("games/fjords", "extra_hexes: extra_of(me)", "extra_hexes: vikings_of(me) + extra_of(me)",
     "Extra hexes: “vikings of” for you plus “extra of” for you."),
    # Court intrigue: whose person is lost, how much, who may block, what is not given back, when one must overthrow
    ("examples/court-intrigue.yaml", "    - lose_a_person(doubter)", "    - lose_a_person(me)",
     "Do “lose a person” for you."),
    ("examples/court-intrigue.yaml", "coin: min(2, p.purse)", "coin: min(3, p.purse)",
     "take from P's coins: as many coins as the number of P's coins, but at most 3."),
    ("examples/court-intrigue.yaml", "do: block(banker)", "do: block(envoy)",
     "“block the grant as Banker”: do “block” for Envoy."),
    ("examples/court-intrigue.yaml", "    - choose: {cs: 2 of me.hidden}", "    - choose: {cs: 1 of me.hidden}",
     "Choose 1 people “cs” in your influence"),
    ("examples/court-intrigue.yaml", "    is: me.purse < 10", "    is: me.purse <= 10",
     "True if the number of your coins is at most 10."),
    # Fjords: a score counted twice, one's own reach taken for that of others, who begins, what is seen, what is free
    ("games/fjords", "vikings: vikings_of(me)", "vikings: 2 * vikings_of(me)",
     "Vikings: 2 times “vikings of” for you."),
    ("games/fjords", "for q in players except p for a in reach(q)", "for q in players for a in reach(q)",
     "This is A's cell for every player Q and every area A of “reach” for Q."),
    ("games/fjords", "starter: next(me)}", "starter: me}", "“Starts the settlement” becomes you."),
    ("games/fjords", "bag: {holds: hex, order: pile, seen: none", "bag: {holds: hex, order: pile, seen: top",
     "Bag: for hexes; a pile; only the top one is visible."),
    ("games/fjords", "c.hex and not c.house and not c.viking", "c.hex and not c.house",
     "True if there is a hex on C and there is no house on C."),
    # Court intrigue: all but the owner see, the wrong way to compare, a price, at least for at most, who is still there
    ("examples/court-intrigue.yaml", "hidden: {per: player, holds: person, seen: owner}",
     "hidden: {per: player, holds: person, seen: others}", "Influence: everybody but the owner sees what is there."),
    ("examples/court-intrigue.yaml", "    is: me.purse < 10", "    is: me.purse > 10",
     "True if the number of your coins is more than 10."),
    ("examples/court-intrigue.yaml", "cost: {coin: 7}", "cost: {coin: 3}", "It costs 3 coins."),
    ("examples/court-intrigue.yaml", "coin: min(2, p.purse)", "coin: max(2, p.purse)",
     "as many coins as the number of P's coins, but at least 2."),
    ("examples/court-intrigue.yaml", "set(p in players where any(p.hidden))", "set(p in players where any(p.exposed))",
     "This is all players P where there are people in P's “lost”."),
]  # fmt: skip


@pytest.mark.parametrize(("where", "old", "new", "sentence"), PLANTED, ids=[one[2] for one in PLANTED])
def test_a_slip_of_meaning_is_read(where: str, old: str, new: str, sentence: str, tmp_path: Path) -> None:
    source = ROOT / where
    copied = tmp_path / source.name
    shutil.copytree(source, copied) if source.is_dir() else shutil.copy(source, copied)
    every = copied.rglob("*.yaml") if copied.is_dir() else [copied]
    files = [path for path in every if old in path.read_text("utf-8")]
    assert len(files) == 1
    text = files[0].read_text("utf-8")
    assert text.count(old) == 1
    as_it_is = " ".join(as_text(told(source, "en"), width=10_000).split()).lower()
    files[0].write_text(text.replace(old, new), encoding="utf-8")
    said, sentence = spoken(copied), sentence.lower()
    assert sentence in said
    assert sentence not in as_it_is or said.count(sentence) > as_it_is.count(sentence)


@pytest.mark.parametrize("path", [path for path in PATHS if "language" not in path.parts], ids=named)
def test_a_shipped_game_is_told_in_russian_throughout(path: Path) -> None:
    """Names that only stand for something on the way may stay as they are, in quotes; nothing else is English."""
    section = told(path, "ru")
    said = re.sub("«[^»]*»|‹[^›]*›", "", as_text(section, width=10_000))
    assert sorted(set(re.findall(r"\b(?![IVX]+\b)[A-Za-z]{3,}", said))) == []
    assert [one for one in titles(section) if not re.search("[А-Яа-яё]", one)] == []


def titles(section: Section) -> Iterator[str]:
    yield section.title
    for part in section.parts:
        yield from titles(part)


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"edges", "graph_file"}))  # which need a board, a file
def test_the_words_of_a_shape_fit_its_example(shape: str, tmp_path: Path) -> None:
    example = re.search(r"^boards?:.*?(?=\n\n|\Z)", SHAPES[shape].doc, re.M | re.S)
    assert example is not None
    boards = re.sub(r"\n.*growing: true.*", "", example[0])  # which needs tiles
    path = tmp_path / "small.yaml"
    path.write_text(f"ruledsl: 1\ngame: small\nplayers: 2\n{boards}\nplay: [{{tie: players}}]\n", encoding="utf-8")
    for language in ("en", "ru"):
        assert as_text(told(path, language))


def spoken(path: Path) -> str:
    """A whole description in one line."""
    section = describe.describe(Game(pipeline.load_blueprint(path)), "en")
    return " ".join(as_text(section, width=10_000).split()).lower()


@pytest.mark.parametrize("many", [3, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize("path", [path for path in PATHS if "language" not in path.parts], ids=named)
def test_a_changed_rule_is_told_otherwise(path: Path, many: int) -> None:
    """Rules changed as `test --mutate` changes them do something else, so something else must be read."""
    which = game(path)
    players = describe.usual_players(which.blueprint)
    rules, text = which.configured(players).rules, as_text(told(path, "en"))
    mutants = mutants_of(which)
    Random(3).shuffle(mutants)
    counted, unread = 0, []
    for mutant in mutants:
        if counted == many:
            break
        try:
            other = changed(which, mutant)
            if other.configured(players).rules == rules:
                continue  # the same game
            said = as_text(describe.describe(other, "en"))
        except GameError:
            continue
        counted += 1
        if said == text:
            unread.append(str(mutant))
    assert counted
    assert not unread


def test_what_only_advises_bots_is_no_rule() -> None:
    """A formula that only `heuristic:` needs is not told; one that play needs, too, is."""
    kept = {named(path): only_for_bots(path, "en") for path in PATHS}
    assert {"territories_to_come", "harvest", "finished"} <= kept.pop("outpost")
    assert kept.pop("bastion")
    assert not any(kept.values())
