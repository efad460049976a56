"""What each seat may read of a move: of the line of the log, what the rules say, an option that is asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ruledsl
from games import PATHS, load
from ruledsl.cli.main import main
from ruledsl.runtime.handout import as_text, handout
from ruledsl.runtime.play import Option, Play
from ruledsl.runtime.replay import Recorder

# anna's hand is known to all before the first decision; boris's is his own.
GAME = """
ruledsl: 1
game: told
players: [anna, boris, clara]
pieces:
  disc:
    per: player
    attributes: {{worth: 1..9}}
    rows:
      - {{name: flower, worth: 2, copies: 2}}
      - {{name: skull, worth: 7}}
    start: hand
places:
  hand: {{per: player, holds: disc, seen: owner}}
  mat: {{per: player, holds: disc, seen: owner}}
  heap: {{holds: disc, order: pile, seen: none}}
  table: {{holds: disc}}
values:
  plan: {{per: player, is: 0..9, seen: owner}}
  target: {{is: maybe disc}}
  code: {{is: 0..9, seen: none}}
play:
  - reveal: anna.hand
  - while: true
    most: 50
    do:
      - as: anna
        do:
{deeds}
"""


def start(tmp_path: Path, deeds: str) -> Play:
    path = tmp_path / "told.yaml"
    path.write_text(GAME.format(deeds="\n".join("          " + line for line in deeds.splitlines())), encoding="utf-8")
    return ruledsl.load(path).start()


def last(play: Play, at: int = -1) -> list[str]:
    """A line as clara, boris and anna read it."""
    return [play.lines(seat)[at].removeprefix("anna: ") for seat in (2, 1, 0)]


def told(*words: str) -> list[str]:
    return [words[0]] * 3 if len(words) == 1 else [words[0]] * 2 + [words[1]]


@pytest.mark.parametrize("disc", ["skull", "flower"])
@pytest.mark.parametrize("to", ["me.mat", "heap", "boris.mat"])
def test_a_known_piece_that_goes_face_down_from_among_others_is_not_named(tmp_path: Path, disc: str, to: str) -> None:
    play = start(tmp_path, f"- choose: {{d: me.hand}}\n  label: lay {{d}}\n- move: d\n  to: {to}")
    play.choose(f"lay {disc}")
    assert play.lines(2) == ["anna: lay a hidden card"]
    assert play.lines(1) == [f"anna: lay {disc if to == 'boris.mat' else 'a hidden card'}"]
    assert play.lines(0) == [f"anna: lay {disc}"]
    assert play.lines() == play.lines(2)


def test_what_all_can_follow_is_named(tmp_path: Path) -> None:
    play = start(tmp_path, "- choose: {s: 3 of me.hand}\n  label: lay {s}\n- move: s\n  to: me.mat\n- end: game")
    while not play.over:
        play.choose(play.options()[-1])
    assert "skull" in play.lines(2)[2]
    play = start(
        tmp_path, "- choose: {d: me.hand}\n  label: lay all but {d}\n- move: me.hand\n  to: me.mat\n- end: game"
    )
    play.choose("lay all but skull")
    assert last(play) == told("lay all but a hidden card", "lay all but skull")  # what was chosen does not show


def test_what_is_only_thought_of_is_named_to_who_sees_it_where_it_lies(tmp_path: Path) -> None:
    play = start(tmp_path, "- choose: {d: me.hand}\n  label: think of {d}")
    play.choose("think of skull")
    assert last(play) == told("think of a hidden card", "think of skull")
    play = start(tmp_path, "- move: the(first(me.hand))\n  to: table\n- choose: {d: table}\n  label: think of {d}")
    play.choose(0)
    assert last(play) == told("think of flower")


def test_of_several_pieces_each_is_named_to_who_knows_it(tmp_path: Path) -> None:
    play = start(
        tmp_path,
        "- reveal: set(d in boris.hand where d.name == skull)\n  to: clara\n"
        "- choose: {s: 2 of boris.hand}\n  by: boris\n  label: show {s}\n- reveal: s\n  to: clara",
    )
    for _ in range(2):
        play.choose(play.options()[-1])
    assert [play.lines(seat)[-1] for seat in (0, 1, 2)] == [
        "boris: show a hidden card",
        "boris: show skull",
        "boris: show skull",
    ]


CHAINS = {
    "a choice in steps": "- choose: {d: me.hand, p: players}\n  stepwise: true\n  label: lay {d} before {p}\n",
    "two choices": "- choose: {d: me.hand}\n  label: take {d}\n- choose: {p: players}\n  label: before {p}\n",
}


@pytest.mark.parametrize("chain", CHAINS)
def test_nothing_is_told_while_it_may_still_go_face_down(tmp_path: Path, chain: str) -> None:
    play = start(tmp_path, CHAINS[chain] + "- move: d\n  to: p.mat")
    play.choose(next(o for o in play.options() if "skull" in o.text))
    assert play.lines(2)[-1].split()[-3:] == ["a", "hidden", "card"]
    play.choose(next(o for o in play.options() if "clara" in o.text))
    assert not any("skull" in line for line in play.lines(1))
    assert any("skull" in line for line in play.lines(2))  # who was given it may look it up now
    play.undo()
    assert not any("skull" in line for line in play.lines(2))
    play.choose(next(o for o in play.options() if "boris" in o.text))
    assert [any("skull" in line for line in play.lines(seat)) for seat in (0, 1, 2)] == [True, True, False]


@pytest.mark.parametrize("chain", CHAINS)
def test_what_is_laid_open_at_last_is_named_where_it_was_chosen(tmp_path: Path, chain: str) -> None:
    play = start(tmp_path, CHAINS[chain].replace("me.hand", "boris.hand") + "- move: d\n  to: table")
    play.choose(play.options()[0])
    assert "hidden" in play.lines(2)[-1]
    copy = play.copy()
    play.choose(play.options()[0])
    name = play.view()["places"]["table"][0].split("_")[1]
    assert [name in play.lines(seat)[0] for seat in (None, 0, 1, 2)] == [True] * 4
    assert "hidden" in copy.lines(2)[0]  # a copy goes its own way


def test_what_the_rules_say_of_a_piece_follows_the_same_notion(tmp_path: Path) -> None:
    play = start(tmp_path, '- choose: {d: me.hand}\n  label: lay {d}\n- say: "it is {d}"\n- move: d\n  to: me.mat')
    play.choose("lay skull")
    assert last(play) == told("it is a hidden card", "it is skull")
    play = start(tmp_path, '- choose: {d: me.hand}\n  label: lay {d}\n- move: d\n  to: table\n- say: "it is {d}"')
    play.choose("lay skull")
    assert last(play) == told("it is skull")


HOLES = {
    "{d.worth}": "7",
    "{d.worth + 1}": "8",
    "{max(x.worth for x in boris.hand)}": "7",
    "{count(x in boris.hand where x.worth > 3)}": "1",
    "{me.plan}": "4",
    "{if any(x in boris.hand where x.name == skull) then 1 else 0}": "1",
}
OPEN = {"{count(boris.hand)}": "3", "{count(hand)}": "9", "{me}": "boris", "{count(heap) + 1}": "1"}


@pytest.mark.parametrize("hole", [*HOLES, *OPEN])
def test_a_hole_that_asks_for_what_is_hidden_shows_nothing(tmp_path: Path, hole: str) -> None:
    deeds = (
        "- as: boris\n  do:\n"
        f'  - set: {{me.plan: 4}}\n  - choose: {{d: me.hand}}\n    label: "{hole}: {{d}}"\n  - say: "{hole}"\n'
    )
    play = start(tmp_path, deeds)
    play.choose(next(o for o in play.options() if "skull" in o.text))
    for seat in (None, 0, 2):
        assert play.lines(seat)[-2:] == [f"boris: {OPEN.get(hole, '?')}: a hidden card", OPEN.get(hole, "?")]
    shown = OPEN.get(hole) or HOLES[hole]
    assert play.lines(1)[-2:] == [f"boris: {shown}: skull", shown]


def test_who_chooses_among_what_they_do_not_know_reads_nothing_of_it(tmp_path: Path) -> None:
    play = start(tmp_path, '- choose: {d: boris.hand}\n  label: "{d} of {d.worth}, {max(x.worth for x in boris.hand)}"')
    assert [o.text for o in play.options()] == [f"a hidden card {i} of ?, ?" for i in (1, 2, 3)]


def test_a_number_that_goes_into_a_hidden_value_is_not_told(tmp_path: Path) -> None:
    play = start(tmp_path, "- choose: {n: 1..9}\n  label: plan {n}\n- set: {me.plan: n}")
    play.choose("plan 4")
    assert last(play) == told("plan ?", "plan 4")
    play = start(tmp_path, "- choose: {n: 1..9}\n  label: plan {n}\n- set: {boris.plan: n * 2 - n}")
    play.choose("plan 4")
    assert last(play) == ["plan ?", "plan 4", "plan 4"]
    play = start(tmp_path, "- choose: {n: 1..9}\n  label: plan {n}\n- set: {code: n}")
    play.choose("plan 4")
    assert last(play) == told("plan ?", "plan 4")


def test_an_option_that_goes_into_a_hidden_value_is_not_told(tmp_path: Path) -> None:
    play = start(
        tmp_path,
        "- choose one:\n    - label: attack\n      do: {set: {me.plan: 1}}\n"
        "    - label: wait\n      do: {set: {code: 1}}",
    )
    play.choose("attack")
    assert last(play) == told("something in secret", "attack")
    play.choose("wait")
    assert last(play) == told("wait")  # what nobody sees is kept for the rules, and the option is no secret


def test_a_value_that_holds_a_hidden_piece_does_not_name_it(tmp_path: Path) -> None:
    play = start(tmp_path, "- choose: {d: boris.hand}\n  by: boris\n  label: aim at {d}\n- set: {target: d}")
    play.choose(next(o for o in play.options() if "skull" in o.text))
    assert [play.view(seat)["values"]["target"] for seat in (None, 0, 1, 2)] == [None, None, "boris_skull", None]


def test_secret_choices_are_told_together_as_far_as_they_may_be(tmp_path: Path) -> None:
    play = start(
        tmp_path,
        "- together: players\n  do:\n"
        "  - choose: {d: me.hand}\n    label: lay {d}\n  - move: d\n    to: me.mat\n"
        "  - choose: {n: 1..3}\n    label: bid {n}\n  - set: {me.plan: n}",
    )
    for seat in (1, 0, 2):
        assert play.lines(0) == play.lines(2) == []
        play.choose(next(o for o in play.options(seat) if "skull" in o.text), seat)
        play.choose("bid 2", seat)
    assert play.lines(2) == [
        "anna: lay a hidden card",
        "anna: bid ?",
        "boris: lay a hidden card",
        "boris: bid ?",
        "clara: lay skull",
        "clara: bid 2",
    ]


# --------------------------------------------------------------------------------------- what is handed out


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[Path, Path]:
    """A game in which anna has laid her skull face down, and its replay."""
    start(tmp_path, "- choose: {d: me.hand}\n  label: lay {d}\n- move: d\n  to: me.mat")
    game, replay = tmp_path / "told.yaml", tmp_path / "told.jsonl"
    play = ruledsl.load(game).start()
    recorder = Recorder(play)
    play.choose("lay skull")
    recorder.note()
    replay.write_text(recorder.text(), encoding="utf-8")
    return game, replay


@pytest.mark.parametrize("seat", ["anna", "clara"])
def test_view_and_replay_tell_of_a_replay_what_the_seat_may_know(
    recorded: tuple[Path, Path], capsys: pytest.CaptureFixture[str], seat: str
) -> None:
    game, replay = recorded
    own = seat == "anna"
    for words in (["view", str(game), str(replay)], ["replay", str(replay), "--game", str(game)]):
        assert main([*words, "--seat", seat]) == 0
        out = capsys.readouterr().out
        assert f"anna: lay {'skull' if own else 'a hidden card'}" in out
        assert ("hand: flower, flower · mat: skull" in out) == own


def test_a_replay_that_parts_does_not_tell_others_what_was_chosen(
    recorded: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    game, replay = recorded
    replay.write_text(replay.read_text(encoding="utf-8").replace("skull", "crown"), encoding="utf-8")
    found = {}
    for seat in ("anna", "clara"):
        assert main(["replay", str(replay), "--game", str(game), "--seat", seat]) == 1
        found[seat] = capsys.readouterr().out
    assert "crown" in found["anna"]
    assert "skull" in found["anna"]
    assert "crown" not in found["clara"]
    assert "lay" not in found["clara"].replace("replay", "")
    assert main(["replay", str(replay), "--game", str(game), "--seat", "dora"]) == 2
    assert "there is no player `dora`" in capsys.readouterr().err


def test_the_view_as_data_has_what_the_seat_may_know(recorded: tuple[Path, Path]) -> None:
    play = ruledsl.load(recorded[0]).start()
    play.choose("lay skull")
    assert "anna: lay skull" in as_text(handout(play, 0))
    for seat in (None, 1, 2):
        assert "anna: lay a hidden card" in as_text(handout(play, seat))


# ------------------------------------------------------------------------------------------------- a law


def _tell_alike(play: Play, a: Option, b: Option, seat: int | None) -> bool:
    """Whether two options differ in nothing but pieces that a seat does not see where they lie."""
    state, world = play.state, play.world
    assert play.stop.choice is not None
    if a.raw[0] != b.raw[0] or a.raw[0] < 0:
        return False
    pieces = {
        v.name for v in play.stop.choice.entries[a.raw[0]].variables if getattr(v.type, "root", None) is world.pieces
    } | {
        v.name
        for v in play.stop.choice.entries[a.raw[0]].variables
        if getattr(getattr(v.type, "of", None), "root", None) is world.pieces
    }
    for name, one in a.values.items():
        other = b.values[name]
        if one == other:
            continue
        if name not in pieces:
            return False
        for piece in (one, other):
            seers = play.machine.pieces.seers(state, state[world.spots.at + piece])
            if play.viewer.among(seers, seat):
                return False
    return a.raw != b.raw


MENU = """
- choose one:
    - {choose: {d: me.hand, p: players}, label: "give {d} to {p}", do: [{move: d, to: p.mat}]}
    - choose: {d: me.hand, p: players}
      stepwise: true
      label: "hand {d} of {d.worth} to {p}"
      do: [{say: "it is {d}"}, {move: d, to: p.mat}, {say: "that was {d}"}]
    - choose: {d: me.hand}
      label: take {d}
      do:
        - choose: {p: players}
          label: "to {p}"
        - move: d
          to: p.hand
    - {choose: {d: me.hand}, label: "hide {d}", do: [{move: d, to: heap}, {shuffle: heap}]}
    - {choose: {s: 2 of me.hand}, label: "throw {s}", do: [{move: s, to: heap}, {say: "{count(s)} are gone"}]}
    - choose: {d: me.hand, p: players}
      label: "show {d} to {p}"
      do: [{reveal: d, to: p}, {say: "{d}"}, {say: "{d.worth}"}]
    - {choose: {d: me.hand, e: opponent_mats}, label: "swap {d} for {e}", do: [{swap: d, with: e}]}
    - {label: draw, when: any(heap), do: [{draw: 1, from: heap, to: me.hand}]}
"""


def _game_of_all_sorts(tmp_path: Path) -> Path:
    deeds = MENU.replace("opponent_mats", "set(x in mat where x not in me.mat)").strip()
    start(tmp_path, deeds)
    path = tmp_path / "told.yaml"
    text = path.read_text(encoding="utf-8")
    head, _, rest = text.partition("  - while: true\n    most: 50\n    do:\n      - as: anna\n        do:\n")
    turns = "  - turns: players\n    until: turn_number > 60\n    do:\n"
    path.write_text(head + turns + "\n".join(line[4:] for line in rest.splitlines()) + "\n", encoding="utf-8")
    return path


def test_what_looks_alike_afterwards_is_told_alike(tmp_path: Path, thorough: bool) -> None:
    """Two options are taken, which differ in hidden pieces alone: who sees the same afterwards has read the same."""
    hiding = [path for path in PATHS if load(path).configured().machine.program.spots.known >= 0]
    for path in (_game_of_all_sorts(tmp_path), *hiding):
        game, compared = load(path), 0
        for seed in range(12 if path.parent == tmp_path else 2 if thorough else 1):
            play, rng = game.start(game.players[seed % len(game.players)], seed), random.Random(seed)
            for _ in range(60):
                if play.over:
                    break
                asked = play.pending[0]
                options = play.options(asked)
                taken = rng.choice(options)
                if play.together is None:
                    seats = [seat for seat in range(len(play.players)) if seat != asked]
                    others = [o for o in options if any(_tell_alike(play, taken, o, seat) for seat in seats)]
                    compared += _compare(play, asked, taken, rng.choice(others)) if others else 0
                play.choose(taken, asked)
        assert compared >= 150 or path.parent != tmp_path, compared


def _compare(play: Play, asked: int, taken: Option, other: Option) -> int:
    compared = 0
    one, two = play.copy(), play.copy()
    one.choose(taken, asked)
    two.choose(other, asked)
    for seat in (None, *range(len(play.players))):
        if seat == asked or not _tell_alike(play, taken, other, seat) or one.pending != two.pending:
            continue
        if seat is not None and taken.text.startswith("show") and taken.text.endswith(play.players[seat]):
            continue  # who is shown a piece sees which it is, though they may have known all there are
        if one.view(seat) == two.view(seat):
            assert one.lines(seat) == two.lines(seat)
            compared += 1
    return compared


MARKED = """
ruledsl: 1
game: marked
players: [anna, boris]
pieces:
  disc: {per: player, start: hand, rows: [{name: flower, copies: 2}, {name: skull}]}
places:
  hand: {per: player, holds: disc, seen: owner}
pools:
  coin: {total: 9, at: {disc: coins}}
values:
  mark: {per: disc, is: 0..3}
play:
  - turns: players
    until: turn_number > 4
    do:
      - choose: {d: me.hand}
        label: "mark {d}: {d.mark}, {d.coins}"
      - set: {d.mark: 2}
      - gain: {coin: 1}
        to: d.coins
"""


def test_tokens_and_marks_do_not_tell_which_piece_they_lie_on(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_text(MARKED, encoding="utf-8")
    play = ruledsl.load(path).start()
    play.choose(next(o for o in play.options() if "skull" in o.text))
    views = [play.view(seat) for seat in (0, 1, None)]
    assert [view["values"]["mark"].get("anna_skull") for view in views] == [2, None, None]
    assert [view["pools"]["coins"] for view in views] == [{"anna_skull": 1}, {}, {}]
    assert [play.lines(seat)[-1] for seat in (0, 1)] == ["anna: mark skull: 0, 0", "anna: mark a hidden card: ?, ?"]


def test_a_hidden_card_has_one_article(tmp_path: Path) -> None:
    play = start(tmp_path, "- choose: {d: me.hand}\n  label: lay the {d}\n- move: d\n  to: me.mat")
    play.choose("lay the skull")
    assert last(play) == told("lay the hidden card", "lay the skull")
    play = start(tmp_path, "- choose: {d: me.hand}\n  label: The {d} to soothe {d}\n- move: d\n  to: me.mat")
    play.choose("The skull to soothe skull")
    assert last(play) == told("The hidden card to soothe a hidden card", "The skull to soothe skull")
