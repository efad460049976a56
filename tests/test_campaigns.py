"""Campaigns kept in a file: game after game, with other players, through a program that is killed at any moment."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_laws import core

import ruledsl
from games import ROOT, load
from ruledsl.cli.main import main
from ruledsl.runtime.campaign import Campaign, kept_of, restore
from ruledsl.runtime.save import SaveError

STORY = ROOT / "tests" / "language" / "rules_on_cards.yaml"
FORTRESS = ROOT / "games" / "fortress" / "game.yaml"
HOARD = ROOT / "tests" / "simulate" / "hoard.yaml"  # keeps something of every sort


def played(path: Path, file: Path, *more: str) -> int:
    return main(["play", str(path), "--campaign", str(file), *more])


def twin(campaign: Campaign) -> Campaign:
    return Campaign.resume(campaign.game, campaign.save())


@pytest.mark.parametrize("path", [STORY, FORTRESS], ids=["story", "fortress"])
def test_a_campaign_saved_at_any_decision_goes_on_as_if_it_had_not_been(path: Path, thorough: bool) -> None:
    rng = random.Random(3)
    campaign = Campaign(load(path), 3, 3)
    for number in range(4):
        while not campaign.play.over:
            option = rng.randrange(len(campaign.play.stop.options))
            if not thorough and len(campaign.play.decisions) % 4 != number:  # daily one decision of four
                campaign.play.choose(option)
                continue
            other = twin(campaign)
            assert core(other.play) == core(campaign.play)
            assert other.play.lines(0) == campaign.play.lines(0)
            assert (other.number, other.results) == (campaign.number, campaign.results)
            other.play.choose(option)
            campaign.play.choose(option)
            assert core(other.play) == core(campaign.play)
        for _ in range(2):  # before it is settled, and after
            other = twin(campaign)
            assert other.play.over
            assert other.play.settled == campaign.play.settled
            if not campaign.play.settled:
                other.play.settle()
                campaign.play.settle()
                assert core(other.play) == core(campaign.play)
        other = twin(campaign)
        players = 2 + number % 3
        assert core(other.next(players)) == core(campaign.next(players))
        assert other.results == campaign.results


def test_bots_play_game_after_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "campaign.json"
    assert played(FORTRESS, file, "--players", "2", "--seed", "4", "--seats", "random,random") == 0
    for number in (2, 3):
        assert played(FORTRESS, file, "--seats", "random,random") == 0
        campaign = Campaign.resume(load(FORTRESS), file.read_bytes())
        assert campaign.number == number
        assert campaign.play.settled
        assert len(campaign.results) == number - 1
    said = capsys.readouterr().out
    assert "Game 3 of the campaign" in said
    assert "Games won: player 1" in said
    assert f"ruledsl play {FORTRESS} --campaign {file}" in said
    assert "five cards of the story make a play deck" in " ".join(said.split())  # what was read between the games


FAULT = (
    "There is a mistake in the rules of this game. The game cannot continue, and the result does not count:\n"
    "  {place}: this divides by 0\n"
    "You did nothing wrong. Please tell the author of the game. You can continue from an earlier save.\n"
)
KEPT = "The campaign cannot continue. {file} has it as it was before the error.\n"


@pytest.mark.parametrize("where", ["the first lines", "a turn", "what is between the games"])
def test_a_fault_is_told_with_its_place_and_not_kept(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, count = {"the first lines": (7, 2), "a turn": (12, 1), "what is between the games": (17, 1)}[where]
    lines = TWO_GAMES.splitlines()
    lines[line - 1] = lines[line - 1].replace("games - 0", f"games - {count}")
    game, file = tmp_path / "two.yaml", tmp_path / "campaign.json"
    game.write_text("\n".join(lines), encoding="utf-8")
    seats = ("--seats", "random,random")
    if count == 2:  # the first game ends well
        assert played(game, file, *seats) == 0
    capsys.readouterr()
    for _ in range(2):  # with the file as it is before, it comes to the same
        assert played(game, file, *seats) == 1
        assert capsys.readouterr().out.endswith(FAULT.format(place=f"{game}:{line}") + KEPT.format(file=file))
        campaign = Campaign.resume(load(game), file.read_bytes())
        assert (campaign.play.fault, campaign.number) == (None, 1)


TWO_GAMES = """\
ruledsl: 1
game: two
players: 2
values: {games: 0..9, share: -9..9}
play:
  - add: {games: 1}
  - set: {share: 6 / (games - 0)}
  - turns: players
    do:
      - choose: {n: 1..2}
        label: "take {n}"
      - set: {share: 6 / (games - 0)}
      - win: me
campaign:
  keep: games
  between:
    - set: {share: 6 / (games - 0)}
"""


def test_a_campaign_that_fails_at_once_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, file = tmp_path / "two.yaml", tmp_path / "campaign.json"
    game.write_text(TWO_GAMES.replace("games - 0", "games - 1"), encoding="utf-8")
    assert played(game, file) == 1
    said = "Game 1 of the campaign\n" + FAULT.format(place=f"{game}:7") + "The campaign cannot continue.\n"
    assert capsys.readouterr().out == said
    assert not file.exists()


def test_a_file_with_a_play_that_ended_in_a_fault_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Earlier versions wrote such files."""
    game, file = tmp_path / "two.yaml", tmp_path / "campaign.json"
    game.write_text(TWO_GAMES.replace("games - 0", "games - 1"), encoding="utf-8")
    campaign = Campaign(load(game))
    assert campaign.play.fault is not None
    file.write_bytes(campaign.save())
    assert played(game, file) == 2
    said = "the play ended in a fault of the rules, so it cannot go on"
    assert capsys.readouterr().err == f"ruledsl: {file}: {said}\n"


def test_a_game_that_is_left_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, moves = tmp_path / "campaign.json", tmp_path / "moves.txt"
    moves.write_text("draw\ndraw\ndraw\n")
    assert played(FORTRESS, file, "--players", "2", "--seed", "4", "--moves", str(moves)) == 0
    first = Campaign.resume(load(FORTRESS), file.read_bytes())
    moves.write_text("draw\n")
    assert played(FORTRESS, file, "--moves", str(moves)) == 0
    second = Campaign.resume(load(FORTRESS), file.read_bytes())
    assert second.play.decisions[: len(first.play.decisions)] == first.play.decisions
    assert [d.text for d in second.play.decisions[: len(first.play.decisions)]] == [
        d.text for d in first.play.decisions
    ]
    assert len(second.play.decisions) == len(first.play.decisions) + 1
    assert "The campaign is saved in" in capsys.readouterr().out


def test_what_happened_is_told_again_from_the_last_own_decision_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "campaign.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n\nquit\n"))
    assert played(FORTRESS, file, "--players", "2", "--seed", "4", "--bot", "random") == 0
    before = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("log\nquit\n"))
    assert played(FORTRESS, file, "--bot", "random") == 0
    again, _, log = capsys.readouterr().out.partition("> log")
    last = before.rpartition("What happened:")[2].partition("Options:")[0]
    assert last in again
    assert "a rule: basic rules" in log


@pytest.mark.parametrize(
    "kept", ["3", "{}", '{"place stack": ["two_1"]}', '{"value several ": []}', '{"place story": 5}']
)
def test_what_is_wrong_about_what_was_kept_costs_the_log_at_most(kept: str) -> None:
    campaign = Campaign(load(FORTRESS), 2, 3)
    while not campaign.play.over:
        campaign.play.choose(0)
    campaign.play.settle()
    campaign.next()
    found = json.loads(campaign.save())
    found["kept"] = json.loads(kept)
    again = Campaign.resume(campaign.game, json.dumps(found))
    assert core(again.play) == core(campaign.play)


def test_in_russian(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--players", "2", "--seed", "4", "--seats", "random,random", "--lang", "ru"]
    assert played(FORTRESS, tmp_path / "campaign.json", *args) == 0
    said = capsys.readouterr().out
    assert "Партия 1 кампании" in said
    assert "Выиграно партий" in said


@pytest.mark.parametrize(
    ("written", "more", "words"),
    [
        ("{", [], "cannot be read as JSON"),
        ("[]", [], "this is not a campaign"),
        ('{"ruledsl":1,"campaign":"chess","seed":1,"options":{},"number":1,"results":[],"play":{}}', [], "of `chess`"),
        (
            '{"ruledsl":1,"campaign":"fortress","seed":1,"options":{},"number":2,"results":[3],"play":{}}',
            [],
            "a result is wrong",
        ),
        (None, ["--seed", "2"], "already has its options and seed"),
        (None, ["--players", "2"], "is still going on with player_1, player_2; other players can join after it"),
        (None, ["--record", "x.jsonl"], "keeps everything in its own file"),
    ],
)
def test_what_cannot_go_on_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str | None, more: list[str], words: str
) -> None:
    file = tmp_path / "campaign.json"
    file.write_bytes(written.encode() if written is not None else Campaign(load(FORTRESS), 2).save())
    assert played(FORTRESS, file, *more) == 2
    assert words in capsys.readouterr().err


def test_what_is_kept_is_all_there_and_nothing_else() -> None:
    """Pieces that look alike, bags and lists that have become smaller than they are at the start, numbers, tokens."""
    game = load(HOARD)
    for seed in range(20):
        rng = random.Random(seed)
        play = Campaign(game, 2, seed).play
        while not play.over:
            play.choose(rng.randrange(len(play.stop.options)))
        world, state = play.world, play.machine.start(0)
        restore(play.configured, state, kept_of(play))
        slots = {slot for value in world.values for slot in range(value.base, value.base + value.width * value.count)}
        slots |= {base + i for base, (pool, root) in world.holders.items() for i in range(root.size if root else 1)}
        assert [state[slot] for slot in sorted(slots)] == [play.state[slot] for slot in sorted(slots)]
        spots = range(world.spots.first_place, world.spots.count)
        assert [play.machine.pieces.on(state, s) for s in spots] == [
            play.machine.pieces.on(play.state, s) for s in spots
        ]


def test_a_game_without_a_campaign_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(ROOT / "examples" / "chess.yaml", tmp_path / "campaign.json") == 2
    assert "chess has no campaign" in capsys.readouterr().err


def test_a_campaign_of_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(STORY.read_text(encoding="utf-8"), encoding="utf-8")
    data = Campaign(ruledsl.load(path), 2).save()
    path.write_text(path.read_text(encoding="utf-8").replace("repeat: 5", "repeat: 4"), encoding="utf-8")
    with pytest.raises(SaveError, match="the rules were changed"):
        Campaign.resume(ruledsl.load(path), data)


def killed_again_and_again(file: Path, times: int, seed: int) -> None:
    """A program that plays is killed at some moment; what the file holds goes on, and nothing is lost."""
    rng = random.Random(seed)
    command = [sys.executable, "-m", "ruledsl", "play", str(FORTRESS), "--campaign", str(file)]
    command += ["--seats", "random,random,random"]
    far = (0, 0)
    for n in range(times):
        first = ["--players", "3", "--seed", "6"] if n == 0 else []
        program = subprocess.Popen([*command, *first], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if n == 0:
            while not file.exists() and program.poll() is None:
                time.sleep(0.01)
        time.sleep(rng.random())
        program.kill()
        said = program.communicate()[1].decode()
        assert program.returncode in (0, -9), said
        campaign = Campaign.resume(load(FORTRESS), file.read_bytes())
        now = (campaign.number, len(campaign.play.decisions))
        assert now >= far
        far = now
    assert far > (1, 0)


@pytest.mark.skipif(os.name == "nt", reason="programs are not killed like this there")
def test_a_program_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path / "campaign.json", 5, 1)


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="programs are not killed like this there")
def test_a_program_that_is_killed_a_hundred_times_loses_nothing(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path / "campaign.json", 100, 2)
