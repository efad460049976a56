"""Compiled games play as the reference interpreter does, and the compiled code touches only what is its own."""

from __future__ import annotations

import re
import subprocess
from array import array
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from agreement import Compiled, Difference, Names, Variant, load, variants

import games
from ruledsl.bots.base import ask, seated
from ruledsl.engine.batch import following_seed, play_seed
from ruledsl.generate.c_program import CProgram
from ruledsl.generate.native import ASKED, Library, Session, compiler
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.play import Play
from ruledsl.simulation.played import Played

SHORT = 250  # decisions of a play that is not looked at for long
SANITIZED = ("-O0", "-g", "-std=gnu11", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-w")

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


def compiled(variant: Variant) -> Compiled:
    configured = variant.configured()
    return Compiled(variant, Library(configured.machine.program, configured.rules))


# ------------------------------------------------------------------------------------------------------ agreement


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_compiled_games_play_as_the_interpreter_does(
    path: Path, thorough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shipped as users have it, for the fewest players; daily some of them, small and large."""
    as_users_have_it = games.SHIPPED if thorough else games.SHIPPED[::5]
    for number, variant in enumerate(_first_and_last(path)):
        if number and not thorough and path in games.SHIPPED[::2]:
            continue  # daily every other shipped game for the most players, too
        with monkeypatch.context() as patch:
            if number == 0 and path in as_users_have_it:
                patch.delenv(ASKED, raising=False)
            pair = compiled(variant)
        pair.steps(1, SHORT)
        pair.run(7, 0, SHORT)
        pair.close()


@pytest.mark.long
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_compiled_games_always_play_as_the_interpreter_does(path: Path) -> None:
    for number, variant in enumerate(variants(path)):
        pair = compiled(variant)
        for seed in range(3 if number else 150):
            pair.steps(seed)
            pair.run(9, seed)
        pair.close()


def _first_and_last(path: Path) -> Iterator[Variant]:
    counts = sorted({load(path).players[0], load(path).players[-1]})
    for players in counts:
        yield Variant(path, players, {})


def test_the_shortest_disagreement_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With code that was made wrong on purpose: the third noughts and crosses in a row are overlooked."""
    path = games.ROOT / "examples/tic-tac-toe.yaml"
    right = CProgram.write
    monkeypatch.setattr(CProgram, "write", lambda self: right(self).replace("drawn(&x->bot, n)", "0"))
    configured = Variant(path, 2, {}).configured()
    wrong = Compiled(Variant(path, 2, {}), Library(configured.machine.program, configured.rules + "wrong"))
    assert wrong.steps(1)[1] == "over"
    with pytest.raises(Difference) as told:
        wrong.run(7, 0)
    lines = str(told.value).splitlines()
    assert lines[0].startswith("tic-tac-toe 2, seed ")
    assert lines[0].endswith("after 1 decisions: the states differ")
    assert any(" / " in line for line in lines[1:])
    assert lines[-1].startswith("the decisions: (0, ")


# An effect that moves a piece and changes its state: on a board of this size it is tried out on a copy, and so often
# in a play that what it moved must not be remembered behind it.
TRIALS = """\
ruledsl: 1
game: trials
players: [a, b]
board: {grid: {width: 15, height: 15}, space: point}
pieces: {stone: {per: player, count: 113, state: {age: 0..9}}}
effects:
  put(point p):
    - move: stone
      to: p
    - set: {p.stone.age: 1}
play:
  - turns: players
    do:
      - choose: {p: point where empty(p)}
        where: would(put(p), p.stone.age == 1)
        else: {tie: players}
      - put(p)
"""


def test_effects_are_tried_out_as_often_as_a_play_wants(tmp_path: Path) -> None:
    path = tmp_path / "trials.yaml"
    path.write_text(TRIALS, encoding="utf-8")
    pair = compiled(Variant(path, 2, {}))
    assert pair.steps(1) == (225, "over")
    assert pair.run(7, 0) == 225
    pair.close()


def test_more_decisions_in_secret_than_are_kept_are_a_fault() -> None:
    path = games.ROOT / "tests/language/found/broken_off_in_secret.yaml"
    pair = compiled(Variant(path, 2, {}))
    assert [pair.run(7, number, limit) for number, limit in ((0, 2000), (1, 104), (2, 105))] == [105, 104, 105]
    pair.close()


# ------------------------------------------------------------------------------------------------------- campaigns

CAMPAIGNS = [
    (games.ROOT / path, players)
    for path, counts in (
        ("games/fortress/game.yaml", (2, 3, 4)),
        ("tests/language/rules_on_cards.yaml", (2, 3, 4)),
        ("tests/simulate/purse.yaml", (2,)),
        ("tests/simulate/hoard.yaml", (2,)),
    )
    for players in counts
]
NO_LIMIT = 10_000


def campaigns_agree(library: Library, path: Path, players: int, count: int, plays: int, limit: int = NO_LIMIT) -> None:
    """After every play the states are the same, slot by slot, and so is what is written down; both break off a play
    that has not ended after so many decisions."""
    game, names = load(path), Names(library.program)
    for number in range(count):
        seed = play_seed(3, number)
        campaign, session, last = Campaign(game, players, seed), Session(library), None
        for at in range(1, plays + 1):
            row = array("q", [0]) * library.shape.width
            through = session.go_on(last, following_seed(seed, at), row, None, limit)
            bots = seated(["random"] * players, campaign.play.seed)
            left = _play_on(campaign.play, bots, limit)
            if campaign.play.over and campaign.play.fault is None:
                campaign.play.settle()
                _play_on(campaign.play, bots, left)
            assert through == (campaign.play.over and campaign.play.fault is None)
            if not through:
                break
            found = names.differences(campaign.play.state, library.exported(session.state))
            assert not found, "\n".join([f"campaign {number}, play {at}: interpreter / compiled", *found])
            last, session.state = session.state, library.state()
            campaign.next()
        session.close()


def _play_on(play: Play, bots: list[Any], most: int) -> int:
    """Plays on with so many decisions at the most; how many of them are left."""
    while not play.over and most:
        seat = play.pending[0]
        play.choose(ask(bots[seat], play, seat), seat)
        play.undo_points.clear()
        play.log.clear()
        most -= 1
    return most


def campaigns_are_written_down_alike(library: Library, path: Path, players: int, plays: int, limit: int) -> None:
    slow = Played(load(path), players, {}, None, ["random"] * players)
    count, shape, session = 4, library.shape, Session(library)
    wanted, counts = array("q", [0]) * shape.counts, array("q", [0]) * shape.counts
    played = {(number, at): row for number, at, _, row, _ in slow.run(5, 0, count, wanted, limit, plays)}
    rows = array("q", [0]) * (shape.width * count * plays)
    done = session.campaigns(5, 0, plays, rows, counts, limit)
    session.close()
    found = {}
    for at in range(plays):
        for number in range(count):
            start = (at * count + number) * shape.width
            if at < done[number]:
                found[number, at] = list(rows[start : start + shape.width])
            else:
                assert not any(rows[start : start + shape.width])
    assert found == played
    assert counts == wanted


def campaign_library(path: Path, players: int) -> Library:
    configured = Variant(path, players, {}).configured()
    return Library(configured.machine.program, configured.rules)


@pytest.mark.parametrize(("path", "players"), CAMPAIGNS)
def test_compiled_campaigns_are_those_of_the_interpreter(path: Path, players: int) -> None:
    library = campaign_library(path, players)
    campaigns_agree(library, path, players, 2, 14)
    for limit in (NO_LIMIT, 60, 11):
        campaigns_are_written_down_alike(library, path, players, 8, limit)


@pytest.mark.long
@pytest.mark.parametrize(("path", "players"), CAMPAIGNS)
def test_compiled_campaigns_are_always_those_of_the_interpreter(path: Path, players: int) -> None:
    campaigns_agree(campaign_library(path, players), path, players, 20, 30)


# ------------------------------------------------------------------------------------------------------ sanitizers


# Plays without Python: random plays as simulations have them, and others step by step over lists of options, with the
# state taken out and brought back in, and all options of some positions taken.
DRIVER = """
#include <stdio.h>

int main(int count, char **words) {
    num plays = atoi(words[1]), limit = atoi(words[2]), faults = 0, steps = 0;
    num *rows = calloc((size_t)(plays * WIDTH), sizeof(num)), *counts = calloc(COUNTS, sizeof(num));
    State *s = malloc(sizeof *s), *other = malloc(sizeof *s);
    u64 *words_ = malloc(sizeof(u64) * WORDS), bot = 99;
    Context *x = game_open();
    game_play(x, s, 5, 0, plays, limit, rows, counts);
    game_play(x, s, 6, 0, plays, limit, rows, 0);
    game_copies(s, 3);
    for (num i = 0; i < plays; i++) {
        game_start(s, (u64)i);
        num stop = game_run(x, s);
        for (num k = 0; k < limit && stop == CHOICE; k++, steps++) {
            num pick = drawn(&bot, game_count(x)), detail;
            const int32_t *options = game_options(x);
            if (options[0] < -3 || game_seat(x) < 0) return 3;
            game_export(s, words_);
            game_import(other, words_);
            if (k % 3 == 0) memcpy(s, other, sizeof *s);
            stop = game_take(x, s, pick) ? -1 : game_run(x, s);
            if (stop < 0) faults += game_fault(x, &detail) >= 0;
        }
    }
#ifdef CAMPAIGNS
    num *more = calloc((size_t)(3 * plays * WIDTH), sizeof(num)), *done = calloc((size_t)plays, sizeof(num));
    game_campaigns(x, s, other, 5, 0, plays, 3, limit, more, counts, done);
    free(more), free(done);
#endif
    game_close(x);
    printf("%lld plays, %lld steps, %lld faults\\n", (long long)plays, (long long)steps, (long long)faults);
    free(rows), free(counts), free(s), free(other), free(words_);
    return 0;
}
"""


FUNCTION = re.compile(r"^static [^=;{}()\n]*?\b(\w+)\(", re.M)
BODY = re.compile(r"^[^\n ]+ [^\n]*\) \{\n(.*?)^\}", re.M | re.S)
DECLARED = re.compile(r"^ +(?:for \()?(?:num|char|bool|set\d+|list|State) ([^;]*)", re.M)
VARIABLE = re.compile(r"(?:^|, )\*?(\w+)(?= =|,|\[|$)")
IN_C = games.PATHS + sorted((games.ROOT / "tests/language/found").glob("*.yaml"))


@pytest.mark.parametrize("path", IN_C, ids=[games.named(path) for path in IN_C])
def test_no_variable_hides_a_function(path: Path) -> None:
    """Where it does, all is well until that function is called below it."""
    game = load(path)
    text = CProgram(game.configured(game.players[0], {}).machine.program).write()
    declared = [line for body in BODY.findall(text) for line in DECLARED.findall(body)]
    variables = {name for line in declared for name in VARIABLE.findall(line)}
    functions = set(FUNCTION.findall(text))
    assert len(variables) > 20, "it finds them"
    assert {"low1", "run"} < functions
    assert not sorted(variables & functions)


def sanitized(variant: Variant, folder: Path, plays: int, limit: int) -> None:
    program = variant.configured().machine.program
    writer = CProgram(program)
    text = writer.write()
    words = sum(words for words, _ in writer.slots())
    sizes = f"enum {{ COUNTS = {writer.out.shape.counts}, WORDS = {words}, CHOICE = 1 }};"
    campaigns = "#define CAMPAIGNS" if program.between is not None else ""
    (folder / "play.c").write_text(f"{text}\n{sizes}\n{campaigns}\n{DRIVER}", encoding="utf-8")
    command = compiler()
    assert command is not None
    subprocess.run([*command, *SANITIZED, "play.c", "-o", "play"], cwd=folder, check=True)
    done = subprocess.run([folder / "play", str(plays), str(limit)], capture_output=True, text=True)
    assert done.returncode == 0, f"{variant.name}: {done.stderr[:3000]}"
    assert done.stdout.startswith(f"{plays} plays, ")


@pytest.fixture(scope="session")
def has_sanitizers(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("sanitizers")
    (folder / "nothing.c").write_text("int main(void) { return 0; }\n")
    command = [*(compiler() or []), *SANITIZED, "nothing.c", "-o", "nothing"]
    if subprocess.run(command, cwd=folder, capture_output=True).returncode:
        pytest.skip("the compiler has no sanitizers")
    if subprocess.run([folder / "nothing"], capture_output=True).returncode:
        pytest.skip("programs with sanitizers do not run here")


@pytest.mark.usefixtures("has_sanitizers")
@pytest.mark.parametrize("name", ["gomoku", "hex", "love-letter", "growing_tiles"])
def test_sanitizers_find_nothing(name: str, tmp_path: Path) -> None:
    variant = next(variants(games.PATHS[games.NAMES.index(name)]))
    sanitized(variant, tmp_path, 20, 500)


@pytest.mark.usefixtures("has_sanitizers")
def test_sanitizers_find_nothing_where_floods_are_kept(tmp_path: Path) -> None:
    sanitized(Variant(games.ROOT / "tests/play/dams.yaml", 2, {}), tmp_path, 20, 500)


@pytest.mark.long
@pytest.mark.usefixtures("has_sanitizers")
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_sanitizers_find_nothing_in_any_game(path: Path, tmp_path: Path) -> None:
    for variant in islice(variants(path), 6):
        sanitized(variant, tmp_path, 300, 2000)
