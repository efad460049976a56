"""Moves that are refused, as somebody would type them, in every game: what `why` answers, word for word, and what holds
of its answers in any position."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from games import NAMES, PATHS, ROOT, load, named, playout
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.play import Play
from ruledsl.runtime.typed import pick
from ruledsl.runtime.why import Answer, why
from ruledsl.runtime.why.failing import Failure
from ruledsl.runtime.why.sentences import SENTENCES
from ruledsl.testing.runner import position_of
from ruledsl.types import NO_NUMBER
from ruledsl.web.table.snapshot import snapshot

TABLE = ROOT / "tests" / "refusals.yaml"
ROWS: list[dict[str, Any]] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
GAMES = {named(path): path for path in PATHS}
SHIPPED = [path for path in PATHS if "tests" not in path.relative_to(ROOT).parts]
MOST_STEPS = 20_000  # conditions that are worked out for one answer


# ------------------------------------------------------------------------------------------------ the table


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("positions")


@cache
def reached(number: int, folder: Path) -> tuple[Play, int]:
    """The position of a row of the table, and who asks."""
    row = ROWS[number]
    path = folder / f"{number}.yaml"
    path.write_text(yaml.safe_dump(row["at"], allow_unicode=True), encoding="utf-8")
    play, report, failure = position_of(load(GAMES[row["game"]]), path)
    assert play is not None, (report.findings, failure)
    return play, play.players.index(row["seat"]) if "seat" in row else play.pending[0]


def answered(number: int, folder: Path, language: str) -> str:
    play, seat = reached(number, folder)
    return "\n".join(why(play, seat, ROWS[number]["typed"], language).lines(language)) + "\n"


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[f"{row['game']}: {row['typed']}" for row in ROWS])
def test_the_table(number: int, folder: Path, request: pytest.FixtureRequest) -> None:
    play, seat = reached(number, folder)
    if seat in play.pending:
        assert not pick(play, seat, ROWS[number]["typed"]).options
    if not request.config.getoption("--update-golden"):
        said = {language: answered(number, folder, language) for language in ("en", "ru")}
        assert said == {language: ROWS[number].get(language) for language in ("en", "ru")}


def test_the_table_is_written_anew(folder: Path, request: pytest.FixtureRequest) -> None:
    """With --update-golden: the answers, behind what was typed."""
    if not request.config.getoption("--update-golden"):
        return
    head, *rows = re.split(r"(?m)^(?=- game:)", TABLE.read_text(encoding="utf-8"))
    for number, row in enumerate(rows):
        question, typed, behind = re.split(r"(?m)^(  typed: .*\n)", row)
        remarks = "".join(re.findall(r"(?m)^(?:#.*)?\n", behind))  # between this row and the next
        said = {language: answered(number, folder, language) for language in ("en", "ru")}
        texts = (
            f"  {language}: |\n" + re.sub("(?m)^", "    ", text.rstrip()) + "\n" for language, text in said.items()
        )
        rows[number] = question + typed + "".join(texts) + remarks
    TABLE.write_text(head + "".join(rows), encoding="utf-8")


def test_the_table_has_every_shipped_game_and_sixty_moves() -> None:
    assert len(ROWS) >= 60
    assert {row["game"] for row in ROWS} == {named(path) for path in SHIPPED}


# --------------------------------------------------------------------------------------- in any position


def asked(path: Path, language: str, seed: int = 3, each: int = 2) -> Iterator[tuple[Play, int, str, Answer]]:
    """Answers at positions of random plays to what could be chosen at another time and cannot be now."""
    rng = random.Random(f"{named(path)} {language}")
    known: dict[str, None] = {}
    for number, play in enumerate(playout(load(path), seed=seed, limit=80)):
        if play.over:
            return
        seat = rng.choice(play.pending)
        known |= dict.fromkeys(o.text or o.notation for o in play.options(seat, language)[:200])
        if number % 4 == 0:
            for text in rng.sample(list(known), min(each, len(known))):
                answer = why(play, seat, text, language)
                if not answer.offered:
                    yield play, seat, text, answer


def holds(play: Play, failure: Failure) -> bool:
    """Whether a condition holds, in the state in which it was asked; something that is none is not there."""
    try:
        assert failure.node is not None
        value = play.words.knowing.asking.of(failure.node)(failure.v)
    except RulesFault:
        return False
    return bool(value) and value not in (-1, NO_NUMBER)


def failures(found: Failure | None) -> Iterator[Failure]:
    if found is not None:
        yield found
        for part in found.parts:
            yield from failures(part)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_every_answer_is_sound(path: Path, language: str) -> None:
    for play, _seat, text, answer in asked(path, language):
        said = f"{text}: {answer.lines(language)}"
        assert answer.reasons, said
        assert all(reason.strip() == reason != "" and "{" not in reason for reason in answer.reasons), said
        assert answer.steps <= MOST_STEPS, said
        for failure in failures(answer.failure):
            if failure.sort == "condition":
                assert holds(play, failure) != failure.must, said
            elif failure.sort == "among" and failure.node is not None:
                evaluator = play.words.knowing.asking
                members = evaluator.of(failure.node)(failure.v)
                inside = members >> failure.value & 1 if isinstance(members, int) else failure.value in members
                assert not inside, said


@pytest.mark.parametrize("path", SHIPPED, ids=[named(path) for path in SHIPPED])
def test_shipped_games_answer_in_words(path: Path) -> None:
    """Nothing of the file itself: no code, no names with lines in them, and Russian in Russian."""
    play = load(path).start()
    own = {name for root in play.machine.program.roots.values() for name in map(str, root.names)}
    for language in ("en", "ru"):
        last = {SENTENCES["rule"][language]}
        for _, _, text, answer in asked(path, language, seed=5, each=3):
            for reason in answer.reasons:
                bare = re.sub(r"`[^`]*`", "", reason)  # options
                assert reason not in last, text
                assert not re.search(r"[=<>]=|[a-z]_[a-z]|\w\(", bare.replace("player_", "")), (text, reason)
                if language == "ru":
                    strange = {word for word in re.findall(r"[A-Za-z]{2,}\w*", bare) if word not in own}
                    assert not strange, (text, reason)


def test_a_reason_that_cannot_be_said_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        """\
ruledsl: 1
game: broken-reason
players: 2
board: {grid: {width: 2, height: 1}, space: plot}
pieces:
  flag: {per: player, count: 1}
play:
  - turns: players
    do:
      - choose: {to: plot}
        where: {is: empty(to), because: "{the(step(to, e)).flag} is there"}
        label: go to {to}
        else: {tie: players}
      - move: me.flag
        to: to
""",
        encoding="utf-8",
    )
    play = load(path).start()
    play.choose("go to b1")
    assert why(play, 1, "go to b1").reasons == ("b1 is not empty: flag of player 1",)


def test_who_must_take_some_before_stopping_is_told_how_many(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        """\
ruledsl: 1
game: two-at-least
players: 2
values:
  score: {per: player, is: 0..99}
play:
  - for: {me: players}
    do:
      - choose one:
          - {label: dig, do: {add: {me.score: 1}}}
          - {label: sow, do: {add: {me.score: 2}}}
        at_least: 2
        at_most: 3
        stop: enough
scoring:
  rows:
    all: me.score
""",
        encoding="utf-8",
    )
    play = load(path).start()
    play.choose("dig")
    assert why(play, 0, "enough").reasons == ("choose at least 2; you have chosen 1",)


def test_several_that_are_chosen_one_after_the_other_are_explained_step_by_step() -> None:
    play = load(GAMES["amazons"]).start()
    assert why(play, 0, "d1-d5").reasons == ("first choose: `d1`; then d5",)
    play.choose("d1")
    assert why(play, 0, "d1-d5").offered
    play.choose("d1-d5")
    assert why(play, 0, "d1-d6").reasons[0].startswith("now you choose: `shoot at ")


def test_who_is_not_asked_is_told_whose_turn_it_is() -> None:
    play = load(GAMES["tic-tac-toe"]).start()
    assert why(play, 1, "b2").reasons == ("it is the turn of cross",)
    for move in ("a1", "a2", "b1", "b2", "c1"):
        play.choose(move)
    assert why(play, 0, "c3").reasons == ("the game is over",)


def test_every_sentence_exists_in_both_languages() -> None:
    for key, by_language in SENTENCES.items():
        assert set(by_language) == {"en", "ru"}, key
        holes = [set(re.findall(r"{(\w+)[:}]", text)) for text in by_language.values()]
        assert holes[0] == holes[1], key


def test_every_sentence_is_said_somewhere() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "ruledsl/runtime/why").glob("*.py"))
    told = {key for key in SENTENCES if source.count(f'"{key}"') > 1 or key in ("<", "<=", ">", ">=", "==")}
    assert set(SENTENCES) - told <= {"per turn", "per round", "per game", "per phase"}


TILES = """\
ruledsl: 1
game: tiles
players: 2
board: {grid: {width: 3, height: 1}, space: plot}
pieces:
  flag: {per: player, count: 9}
define:
  fits(plot at, 0..3 turn, 0..1 color):
    is: matches(at, turn) and joins(at, color)
  matches(plot at, 0..3 turn): {is: turn == 2, because: the edges do not match}
  joins(plot at, 0..1 color): {is: at != b1 and color == at.x % 2, because: the land is not joined}
play:
  - turns: players
    do:
      - choose: {color: 0..1, at: plot, turn: 0..3}
        where: fits(at, turn, color)
        STEPS
        label: "{color} to {at}, turned {turn}"
        else: {tie: players}
      - move: flag
        to: at
"""


@pytest.mark.parametrize(
    ("steps", "before", "typed", "reason"),
    [
        ("stepwise: true", ["1"], "b1", "the land is not joined"),  # it could be turned so that the edges match
        ("stepwise: true", ["1", "c1"], "1 to c1, turned 0", "the edges do not match"),
        ("", [], "to b1", "the land is not joined"),  # neither color nor turn was said
        ("", [], "to b1, turned 3", "the edges do not match"),
        ("", [], "0 to a1", "the land is not joined"),
    ],
)
def test_no_condition_is_blamed_that_another_choice_would_meet(
    tmp_path: Path, steps: str, before: list[str], typed: str, reason: str
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(TILES.replace("        STEPS\n", f"        {steps}\n" if steps else ""), encoding="utf-8")
    play = load(path).start()
    for move in before:
        play.choose(move)
    assert why(play, 0, typed).reasons == (reason,)


def test_edges_are_blamed_where_no_turn_makes_them_match() -> None:
    """In Fjords: of a hex that can be turned so that its edges match, the land is blamed that is not joined."""
    seen = set()
    for play in playout(load(GAMES["fjords"]), seed=2, limit=30):
        seat = play.pending[0]
        offered = {option.text for option in play.options(seat, "en")}
        frontier = [f"{q},{r}" for q in range(-3, 4) for r in range(-3, 4)]
        if not play.over and offered & set(frontier):
            for cell in [name for name in frontier if name not in offered]:
                (said,) = why(play, seat, cell).reasons
                if "must" in said:
                    seen.add(said)
                    assert ("edges" in said) != any(matches(play, cell, turn) for turn in range(6)), (cell, said)
    assert len(seen) == 2


def matches(play: Play, cell: str, turn: int) -> bool:
    """Whether the edges of the hex that was chosen would match there."""
    world = play.world
    code = next(info.code for info in world.formulas if info.name == "matches")
    stop = play.stop_of(play.pending[0])
    assert stop is not None
    assert stop.choice is not None
    tile = stop.choice.entries[0].variables[0].slot
    assert code.body is not None
    v = [*play.state[: play.machine.program.layout.size], *[0] * (world.next_scratch + 9)]
    for slot, value in zip(code.slots, (v[tile], world.boards[0].root.names.index(cell), turn), strict=True):
        v[slot] = value
    return bool(play.words.knowing.asking.of(code.body)(v))


@pytest.mark.parametrize("path", SHIPPED, ids=named)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_listed_as_not_possible_now_is_answered(path: Path, language: str) -> None:
    """By its own reason, however its label reads: not by what else there is to choose."""
    game, rng, asked = load(path), random.Random(1), set()
    play = game.start(seed=1)
    for _ in range(40):
        if play.over:
            break
        seat = rng.choice(play.pending)
        for title in snapshot(play, seat, language)["closed"]:
            if title in asked:
                continue
            asked.add(title)
            found = why(play, seat, title, language)
            assert found.offered or found.failure is not None, (title, found.lines(language))
        play.choose(rng.randrange(len(play.options(seat))), seat)
