"""The JSON Schemas: made anew they are the same, every game fits them, and slips do not."""

import json
import re
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.forms import DECLARED
from ruledsl.boards.base import SHAPES
from ruledsl.cli.commands.schema import schemas
from ruledsl.compiler.schema import text
from ruledsl.diagnostics.model import Report
from ruledsl.source.document import Map, load_file, read_document
from ruledsl.source.text import SourceFile
from ruledsl.syntax.shapes import FORMS, Form, plain

ROOT = Path(__file__).resolve().parents[1]
FILES = schemas()


@cache
def of_file(path: Path) -> Any:
    """A file as an editor's validator sees it: YAML 1.2, without the checks of the language."""
    report = Report()
    node = load_file(path, report)
    assert node is not None, [found.message for found in report.findings]
    return plain(node, 1000)


def of_text(written: str) -> Any:
    node = read_document(SourceFile("game.yaml", written), Report())
    assert node is not None
    return plain(node, 1000)


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(FILES[f"{name}.schema.json"])


def has(path: Path, key: str) -> re.Match[str] | None:
    """The key of a file where it stands, as far as its text tells: reading all files takes long."""
    return re.search(rf"^{key}:(\s*\[[^\]]*|.*)", path.read_text(encoding="utf-8"), re.M)


@cache
def games() -> list[Path]:
    """All games of the project that are one file, or the main file of a folder."""
    found = [*ROOT.glob("examples/*.yaml"), *ROOT.glob("*/*/game.yaml"), *ROOT.glob("tests/language/*.yaml")]
    found += ROOT.glob("ruledsl/templates/*/game.yaml")
    return sorted({path for path in found if path.stem.count(".") == 0 and has(path, "game")})


@cache
def parts() -> list[Path]:
    """The files that games include."""
    found = []
    for game in games():
        if included := has(game, "include"):
            found += [game.parent / word for word in re.findall(r"[\w./-]+", included[1])]
    return sorted({path for path in found if path.is_file()})


@cache
def suites() -> list[Path]:
    found = [*ROOT.glob("examples/*.test.yaml"), *ROOT.glob("*/*/tests/*.yaml")]
    found += ROOT.glob("ruledsl/templates/*/tests/*.yaml")
    return sorted(path for path in found if has(path, "tests"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_made_from_the_forms(name: str) -> None:
    kept = (ROOT / "schemas" / name).read_text(encoding="utf-8")
    assert kept == text(FILES[name]), "write it anew with `ruledsl schema --output schemas`"
    assert kept.splitlines()[1].startswith(' "$comment": "Made by `ruledsl schema ')


@pytest.mark.parametrize("name", FILES)
def test_a_schema_is_a_schema_with_all_its_references(name: str) -> None:
    schema = FILES[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].startswith("urn:ruledsl:")
    assert schema["title"]
    assert schema["description"]
    assert schema["additionalProperties"] is False
    missing = {ref for ref in references(schema) if ref.removeprefix("#/$defs/") not in schema["$defs"]}
    assert missing == set()


def references(schema: Any) -> set[str]:
    if isinstance(schema, dict):
        own = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*map(references, schema.values()))
    return set().union(*map(references, schema)) if isinstance(schema, list) else set()


@pytest.mark.parametrize("path", games(), ids=named)
def test_every_game_fits(path: Path) -> None:
    slip = best_match(validator("game").iter_errors(of_file(path)))
    assert slip is None, f"{list(slip.absolute_path)}: {slip.message}"


@pytest.mark.parametrize("path", parts(), ids=named)
def test_every_included_file_fits(path: Path) -> None:
    slip = best_match(validator("part").iter_errors(of_file(path)))
    assert slip is None, f"{list(slip.absolute_path)}: {slip.message}"


@pytest.mark.parametrize("path", suites(), ids=named)
def test_every_file_of_tests_fits(path: Path) -> None:
    slip = best_match(validator("tests").iter_errors(of_file(path)))
    assert slip is None, f"{list(slip.absolute_path)}: {slip.message}"


GAME = """\
ruledsl: 1
game: pebbles
players: 2
options: {long: {is: bool, start: false}}
forbidden: [{when: long, because: it is late}]
board: {grid: {width: 3, height: 3}}
types: {color: [red, blue], hue: {some: color, where: this == red}}
pieces:
  pebble: {per: player, count: 5, state: {color: color}}
places:
  bag: {holds: pebble, order: pile}
values: {round_number: 0..3, score: {per: player, is: 0..9}}
define:
  free(space s): {is: empty(s), covers: [R-1]}
effects:
  put(space s):
    - move: pebble
      to: s
actions:
  lay: {choose: {s: board where free(s)}, menu: deed, do: put(s)}
triggers:
  after_lay: {after: lay, do: {add: {me.score: 1}}}
modules:
  more: {when: players == 2, play: {main: [{set: {round_number: 1}}]}, replace: {values: {score: 0..3}}}
play:
  - turns: players
    do:
      - phase: main
        do:
          - choose one:
              - lay
              - {label: stop here, notation: [stop, {as: end, when: me.score > 0}], do: {end: game}}
          - if: me.score > 2
            then: {win: me}
scoring: {rows: {points: me.score}, lowest: false, stakes: true}
tests:
  - test: nothing
    moves: [lay s=a1]
    expect: [{offered: [lay s=a2]}, to_move == player_2]
"""


STOP = ["play", 0, "do", 0, "do", 0, "choose one", 1]


def test_the_game_below_fits() -> None:
    assert best_match(validator("game").iter_errors(of_text(GAME))) is None


@pytest.mark.parametrize(
    ("right", "wrong", "where"),
    [
        ("players: 2\n", "playrs: 2\n", []),
        ("ruledsl: 1\n", "", []),
        ("{width: 3, height: 3}", "{width: 3, heigth: 3}", ["board", "grid"]),
        ("board: {grid: {width: 3, height: 3}}", "board: {gird: {width: 3, height: 3}}", ["board"]),
        ("board: {grid: {width: 3, height: 3}}", "board: {space: cell}", ["board"]),
        ("some: color", "same: color", ["types", "hue"]),
        ("count: 5", "cuont: 5", ["pieces", "pebble"]),
        ("order: pile", "order: heap", ["places", "bag", "order"]),
        ("is: 0..9", "si: 0..9", ["values", "score"]),
        ("covers: [R-1]", "cover: [R-1]", ["define", "free(space s)"]),
        ("- move: pebble", "- mvoe: pebble", ["effects", "put(space s)", 0]),
        ("      to: s\n", "", ["effects", "put(space s)", 0]),
        ("menu: deed", "menus: deed", ["actions", "lay"]),
        ("{after: lay", "{aftr: lay", ["triggers", "after_lay"]),
        ("{add: {me.score: 1}}", "{add: 1}", ["triggers", "after_lay", "do", "add"]),
        ("when: players == 2, ", "", ["modules", "more"]),
        ("{set: {round_number: 1}}", "{sett: {round_number: 1}}", ["modules", "more", "play", "main", 0]),
        ("values: {score: 0..3}", "value: {score: 0..3}", ["modules", "more", "replace"]),
        ("- turns: players", "- turn: players", ["play", 0]),
        ("- choose one:", "- chose one:", ["play", 0, "do", 0, "do", 0]),
        ("because: it is late", "becuase: it is late", ["forbidden", 0]),
        ("{as: end, when", "{as: end, whn", [*STOP, "notation", 1]),
        ("{as: end, when: me.score > 0}", "{when: me.score > 0}", [*STOP, "notation", 1]),
        ("{label: stop here,", "{lable: stop here,", ["play", 0, "do", 0, "do", 0, "choose one", 1]),
        ("then: {win: me}", "then: {wins: me}", ["play", 0, "do", 0, "do", 1, "then"]),
        ("            then: {win: me}\n", "            than: {win: me}\n", ["play", 0, "do", 0, "do", 1]),
        ("lowest: false", "lowest: low", ["scoring", "lowest"]),
        ("stakes: true", "stakes: points", ["scoring", "stakes"]),
        ("moves: [", "movse: [", ["tests", 0]),
        ("{offered: [", "{ofered: [", ["tests", 0, "expect", 0]),
    ],
)
def test_a_slip_does_not_fit_and_is_found_where_it_is(right: str, wrong: str, where: list[str | int]) -> None:
    assert right in GAME
    slips = list(validator("game").iter_errors(of_text(GAME.replace(right, wrong, 1))))
    assert slips
    assert where in [list(slip.absolute_path) for slip in slips], [list(slip.absolute_path) for slip in slips]


def test_every_verb_and_every_shape_is_offered() -> None:
    found = FILES["game.schema.json"]["$defs"]
    assert set(found["statement"]["then"]["properties"]) == set(STATEMENTS)
    assert {shape.key for shape in SHAPES.values()} <= set(found["board"]["properties"])
    for verb, known in STATEMENTS.items():
        schema = found["verb_" + verb.replace(" ", "_")]
        assert set(schema["properties"]) == set(known.form.known), verb
        assert schema["description"], verb


def test_no_field_is_named_like_a_verb() -> None:
    """So the verb of a statement is known without guessing, here and in editors."""
    for known in STATEMENTS.values():
        assert set(known.form.keys).intersection(STATEMENTS) == {known.verb}


def test_words_have_descriptions() -> None:
    """What an editor shows beside a key that it offers."""
    for name, schema in FILES["game.schema.json"]["$defs"].items():
        for key, inner in schema.get("properties", {}).items():
            assert inner.get("description") or "$ref" in inner or name in ("text", "module"), f"{name}: {key}"


def test_json_is_sorted_by_nothing_but_the_forms() -> None:
    again = json.loads(text(FILES["game.schema.json"]))
    assert again == FILES["game.schema.json"]


# What may be written under a key: one of each sort that a schema could tell apart.
VALUES = ["word", "7", "-3", "true", "null", '""', '"7"', "[]", "[a, 1]", "{}", "{a: 1}", "|\n    two\n    lines", ""]


def test_without_jsonschema_the_same_maps_are_sound() -> None:
    """`Form.is_kept_by` answers for the schema, so that jsonschema is loaded only where it has something to tell."""
    assert len(FORMS) > 60
    dice = Random(5)
    for form in FORMS:
        words = [*form.keys, *(word for key in form.keys.values() for word in key.words), "stranger"]
        for _ in range(40):
            some = {name for name, key in form.keys.items() if key.required and dice.random() < 0.95}
            some |= set(dice.sample(words, min(len(words), dice.randrange(3))))
            values = VALUES + [word for name in some if name in form.keys for word in form.keys[name].words]
            written = "".join(f"{name}: {dice.choice(values)}\n" for name in sorted(some))
            node = read_document(SourceFile("game.yaml", written or "{}"), Report())
            if isinstance(node, Map):
                assert form.is_kept_by(node) == form.validator.is_valid(plain(node, 1)), (form.name, written)


def test_every_form_of_a_declaration_is_among_those_that_all_ask() -> None:
    """The reference and this schema go through one list; a form that is declared beside it would be in neither."""
    listed = {id(one.form) for one in DECLARED}
    within = {"PART", "EFFECT"}  # a game in a file that is included; a block that says what it covers
    for module in (name for name in sys.modules if name.startswith("ruledsl.analysis")):
        for name, value in vars(sys.modules[module]).items():
            assert not isinstance(value, Form) or id(value) in listed or name in within, f"{module}.{name}"
