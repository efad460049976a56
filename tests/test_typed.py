"""What is typed means the option that says so, and never another one: at the prompt, in moves, tests and replays."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from games import NAMES, PATHS, load, playout
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.session import Script, Session, Settings
from ruledsl.engine.options import staged
from ruledsl.runtime.play import IllegalChoice, NotOffered, Play
from ruledsl.runtime.replay import Recorder, Rerun, parse
from ruledsl.runtime.typed import nearest, pick, plain, search, told, words
from ruledsl.runtime.why import why
from ruledsl.testing.runner import Tests

LETTERS = "abehx0123456789 -,ёж"

# The spaces are called otherwise for players than in the rules: `b1` is the name of the space that players call `1B`.
CROSSED = """
ruledsl: 1
game: crossed
players: [white, black]
types:
  file: [A, B, C, D]
  way: [flat, upright]
board: {grid: {width: 4, height: 4}, space: point}
pieces: {bar: {count: 16}}
text: {ru: {flat: плашмя, upright: стоймя}}
define:
  name_of(point s): list(f in file)[s.y]
play:
  - turns: players
    do:
      - choose one:
          - choose: {p: 'board where empty(p) and p.x > 1', l: way}
            label: {en: "wall {p.x}{name_of(p)}-{l}", ru: "стена {p.x}{name_of(p)}-{l}"}
            do: [{move: bar, to: p}]
          - {label: {en: rest, ru: отдых}, when: turn_number < 2, do: []}
          - {label: {en: rest and look, ru: отдых и обзор}, do: []}
        else: {tie: players}
"""


@pytest.fixture
def crossed(tmp_path: Path) -> ruledsl.Game:
    path = tmp_path / "crossed.yaml"
    path.write_text(CROSSED, encoding="utf-8")
    return ruledsl.load(path)


def contains(own: list[str], said: list[str]) -> bool:
    """Whether words stand in a text, in their order."""
    at = 0
    for word in said:
        at += at < len(own) and word == own[at]
    return at == len(own)


def says(option: Any, typed: str) -> bool:
    """Whether an option may be called so: by words of its label, of its notation, of its values if it has no label."""
    own = words(typed)
    if contains(own, words(option.text)) or set(own) <= set(words(option.notation)):
        return True
    values = [word for value in option.words.values() for word in words(value)]
    return not option.labelled and contains(own, [*words(option.action), *values])


def mutated(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(LETTERS) + text[at + 1 :]


def whole_labels(play: Play, options: list[Any]) -> set[str]:
    stop = play.stop_of(None)
    assert stop is not None
    assert stop.choice is not None
    steps = {o.index for o in options if o.raw[0] >= 0 and staged(stop.choice.entries[o.raw[0]]) and not o.labelled}
    return {o.text for o in options if o.index not in steps}


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_only_what_says_so_is_taken(path: Path) -> None:
    rng = random.Random(path.parent.name + path.stem)
    earlier: dict[str, set[str]] = {"en": set(), "ru": set()}
    for number, play in enumerate(playout(load(path), seed=3, limit=40)):
        if play.over or number % 4:
            continue
        for language in ("en", "ru"):
            options = play.options(None, language)
            now = {plain(o.text) for o in options}
            for option in rng.sample(options, min(6, len(options))):
                found = pick(play, None, option.text, language, numbers=True, options=options)
                assert option in found.options
                assert all(plain(o.text) == plain(option.text) for o in found.options)
                for typed in (mutated(rng, option.text), mutated(rng, option.notation or "x"), option.text[:-1]):
                    taken = pick(play, None, typed, language, numbers=True, options=options).one
                    assert taken is None or says(taken, typed) or typed.strip() == str(taken.index + 1), typed
            for label in sorted(earlier[language]):
                if plain(label) not in now:
                    taken = pick(play, None, label, language, options=options).one
                    assert taken is None, f"`{label}` takes `{taken.text}`"
                    assert pick(play, None, label, language, numbers=True, options=options).one is None
            earlier[language] |= set(sorted(whole_labels(play, options))[:30])


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_what_is_written_down_of_a_decision_is_that_decision(path: Path) -> None:
    for number, play in enumerate(playout(load(path), seed=5, limit=30)):
        if play.over or number % 5:
            continue
        options = play.options()
        names = told(options)
        assert len(set(names)) == len(names)
        for option in options[:: max(1, len(options) // 5)]:
            twin = play.copy()
            twin.go_on()
            twin.choose(option)
            assert twin.decisions[len(play.decisions)].text == names[option.index]


def test_a_hidden_name_is_no_way_to_choose(crossed: ruledsl.Game) -> None:
    play = crossed.start()
    assert play.find("wall 2B upright").text == "wall 2B-upright"
    assert play.find("стена 2B стоймя").text == "стена 2B-стоймя"
    assert play.find("p=b2 l=flat").notation == "p=b2 l=flat"
    for text in (
        "wall b2 upright",
        "b2 upright",
        "wall 1B upright",
        "wall B2-upright",
        "стена b2 стоймя",
        "upright 2B",
    ):
        with pytest.raises(NotOffered) as refused:
            play.find(text)
        assert "nearest offered: " in str(refused.value) or not refused.value.nearest
    assert next(o.text for o in nearest(play.options(), "wall B2 upright")) == "wall 2B-upright"
    assert search(play.options(), "b2") == []


def test_the_whole_of_what_is_not_offered_shortens_nothing(crossed: ruledsl.Game) -> None:
    play = crossed.start()
    assert play.find("rest").text == "rest"
    assert play.find("look").text == "rest and look"
    play.choose("wall 2A-flat")
    play.choose("wall 2B-flat")
    assert "rest" not in [o.text for o in play.options()]
    for text in ("rest", "отдых", "REST"):
        with pytest.raises(NotOffered):
            play.find(text)
    assert play.find("look").text == "rest and look"
    assert play.find("обзор").text == "отдых и обзор"


def test_tests_take_nothing_else(crossed: ruledsl.Game, tmp_path: Path) -> None:
    path = Path(crossed.path)
    path.write_text(
        CROSSED
        + """
tests:
  - test: what is refused stays refused
    moves: [wall 2B upright, стена 3B плашмя]
    expect:
      - refused: [wall b3 upright, стена b3 стоймя, wall 2B-upright, rest, wall 2B]
      - offered: [wall 3A flat, стена 3A стоймя, look]
  - test: and is told with what is near
    moves: [wall B2 upright]
""",
        encoding="utf-8",
    )
    outcomes = list(Tests(ruledsl.load(path)).run())
    assert [o.passed for o in outcomes] == [True, False], [str(f) for f in outcomes[0].failures]
    assert "nearest offered: wall 2B-upright" in str(outcomes[1].failures[0])


@pytest.mark.parametrize(("language", "line"), [("en", "wall b2 upright"), ("ru", "стена b2 стоймя"), ("en", "b2")])
def test_moves_take_nothing_else(crossed: ruledsl.Game, language: str, line: str) -> None:
    play = crossed.start()
    shown: list[str] = []
    session = Session(
        play,
        [None, None],
        Settings(language=language),
        Face(shown.append, lambda prompt: ""),
        Script([(1, line)], "moves.txt"),
    )
    assert session.run() is False
    assert session.refused
    assert not play.decisions
    assert f"moves.txt:1: {session.say('not_offered', text=line).split('.')[0]}." in shown


def test_a_replay_takes_nothing_else(crossed: ruledsl.Game) -> None:
    play = crossed.start()
    recorder = Recorder(play)
    play.choose("wall 2B-flat")
    recorder.note()
    text = recorder.text()
    assert Rerun(crossed, parse(text)).parted is None
    for option in ("2B-flat", "p=b2", "p=b2 l=flats", "wall b2-flat"):
        rerun = Rerun(crossed, parse(text.replace("p=b2 l=flat", option)))
        rerun.step()
        assert rerun.parted is not None
        assert rerun.parted.kind == "option"


TWINS = """
ruledsl: 1
game: twins
players: [white, black]
board: {grid: {width: 3, height: 3}}
pieces: {stone: {count: 9}, hut: {count: 9}}
play:
  - turns: players
    do:
      - choose one:
          - {choose: {to: board where empty(to)}, label: "stone {to}", do: [{move: stone, to: to}]}
          - {choose: {to: board where empty(to)}, label: "hut {to}", do: [{move: hut, to: to}]}
          - {choose: {n: 1..4}, label: "{n}", do: []}
        else: {tie: players}
"""


def test_what_two_lines_of_a_menu_share_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "twins.yaml"
    path.write_text(TWINS, encoding="utf-8")
    game = ruledsl.load(path)
    play = game.start()
    with pytest.raises(IllegalChoice, match="could be"):
        play.find("to=b2")
    recorder = Recorder(play)
    play.choose("hut b2")
    play.choose(0)
    recorder.note()
    rerun = Rerun(game, parse(recorder.text()))
    rerun.step()
    rerun.step()
    assert rerun.parted is None
    assert rerun.play.state == play.state


def test_a_number_is_no_option_where_options_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "twins.yaml"
    path.write_text(TWINS, encoding="utf-8")
    play = ruledsl.load(path).start()
    found = pick(play, None, "2", numbers=True).one
    assert found is not None
    assert found.text == "2"
    found = pick(play, None, "7", numbers=True)  # a number that this menu might say, but does not
    assert found.options == ()


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_why_is_about_what_was_typed(path: Path) -> None:
    rng = random.Random(path.parent.name + path.stem)
    for language in ("en", "ru"):
        earlier: set[str] = set()
        for number, play in enumerate(playout(load(path), seed=7, limit=30)):
            if play.over or number % 6:
                continue
            options = play.options(None, language)
            now = {plain(o.text) for o in options}
            for label in rng.sample(sorted(earlier), min(3, len(earlier))):
                if plain(label) not in now:
                    found = why(play, play.pending[0], label, language)
                    assert not found.offered
                    assert words(found.label) == words(label), found
            earlier |= set(sorted(whole_labels(play, options))[:30])
