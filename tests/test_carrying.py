"""A save outlives an edit of the rules: what does not matter is not asked, what fits is carried over by names and told,
and what does not fit is refused by its name."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

import ruledsl
from games import NAMES, PATHS, load
from ruledsl.cli.main import main
from ruledsl.compiler.pipeline import load_blueprint
from ruledsl.runtime.game import Game
from ruledsl.runtime.play import Play
from ruledsl.runtime.save import OtherRules, SaveError

GAME = """
ruledsl: 1
game: market
title: {en: Market, ru: Рынок}
players: [anna, boris]
options:
  long: {is: bool, start: false}
types:
  ware: [corn, salt]
pieces:
  card:
    from: cards.yaml
    attributes: {price: number, ware: ware}
    start: deck
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  stall: {holds: card, slots: 9}
pools:
  coins: {of: ware, at: {player: purse}, start: {purse: {corn: 3, salt: 1}}}
values:
  fame: {per: player, is: 0..99}
  opener: {is: player, start: anna}
  liked: set of ware
effects:
  praise(1..3 much):
    - add: {me.fame: much}
    - choose: {w: ware}
      label: {en: "like {w}", ru: "любить {w}"}
    - add: {liked: w}
setup:
  - shuffle: deck
  - deal: 2
    from: deck
    to: hand
play:
  - turns: players
    until: turn_number > 30
    do:
      - choose one:
          - choose: {c: me.hand}
            label: {en: "show {c}", ru: "показать {c}"}
            do:
              - move: c
                to: stall
          - label: {en: praise, ru: хвалить}
            do: praise(2)
scoring:
  rows: {fame: me.fame}
"""
CARDS = """
- {name: loaf, price: 2, ware: corn, copies: 3}
- {name: ham, price: 4, ware: salt, copies: 2}
- {name: pie, price: 3, ware: corn}
"""
Edits = list[tuple[str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(CARDS, encoding="utf-8")
    return tmp_path


def some_play(folder: Path) -> Play:
    """In the middle of an effect: pieces lie in hands and on the stall, values have changed."""
    play = ruledsl.load(folder).start(seed=5)
    play.choose(0)
    for word in ("praise", "like salt", "praise"):
        play.choose(word)
    assert (play.state[play.world.values[0].base], play.pending) == (2, (0,))
    return play


def edited(folder: Path, edits: Edits) -> ruledsl.Game:
    for old, new in edits:
        file = folder / ("cards.yaml" if old in CARDS else "game.yaml")
        text = file.read_text(encoding="utf-8")
        assert text.count(old) >= 1, old
        file.write_text(text.replace(old, new), encoding="utf-8")
    return ruledsl.load(folder)


def same_place(one: Play, other: Play) -> None:
    """Both stand at the same question, with the same things on the table."""
    assert [o.text for o in one.options()] == [o.text for o in other.options()]
    assert one.view(0)["places"] == other.view(0)["places"]
    assert one.view(0)["values"].items() <= other.view(0)["values"].items()


@pytest.mark.parametrize(
    "edits",
    [
        [("ruledsl: 1", "# A remark.\nruledsl: 1")],
        [("en: Market", "en: Fair")],
        [('ru: "показать', 'ru: "предъявить')],
        [("praise", "applaud")],
        [("much", "amount")],
        [("{name: pie, price: 3, ware: corn}", "{ware: corn, price: 3, name: pie}")],
    ],
    ids=["remark", "title", "translation", "renamed effect", "renamed parameter", "order of columns"],
)
def test_what_does_not_change_the_rules_is_not_asked(folder: Path, edits: Edits) -> None:
    play = some_play(folder)
    resumed = edited(folder, edits).resume(play.save())
    assert resumed.state == play.state


@pytest.mark.parametrize(
    ("edits", "notes"),
    [
        ([("turn_number > 30", "turn_number > 40")], []),
        ([("praise(2)", "praise(3)")], []),
        ([("fame: {per: player, is: 0..99}", "fame: {per: player, is: 0..200}")], []),
        ([("corn: 3, salt: 1", "corn: 5, salt: 1")], []),
        ([("price: 4", "price: 5")], [("changed", "piece", "`ham_1`, `ham_2`")]),
        ([("copies: 2", "copies: 3")], [("new", "piece", "`ham_3`")]),
        ([("- {name: pie", "- {name: egg, price: 1, ware: salt}\n- {name: pie")], [("new", "piece", "`egg`")]),
        (
            [("\n- {name: pie, price: 3, ware: corn}", "")],
            [("gone", "piece", "`pie`")],
        ),
        (
            [("name: pie", "name: tart")],
            [("gone", "piece", "`pie`"), ("new", "piece", "`tart`")],
        ),
        ([("values:\n", "values:\n  rumour: {is: 0..9, start: 4}\n")], [("new", "value", "`rumour`")]),
        (
            [("fame: {per", "glory: {per"), (".fame", ".glory")],
            [("new", "value", "`glory`"), ("gone", "value", "`fame`")],
        ),
        ([("  long: {is: bool, start: false}", "  tall: {is: bool, start: false}")], []),
        ([("types:", "types:\n  weather: [sun, rain]")], []),
        ([("places:\n", "places:\n  cellar: {holds: card}\n")], []),
        ([("copies: 3", "copies: 1")], [("gone", "piece", "`loaf_2`, `loaf_3`")]),
        ([("price: 3, ware: corn}", "price: 3, ware: corn, copies: 2}")], [("new", "piece", "`pie_2`")]),
        (
            [("  liked: set of ware", "  liked: maybe ware"), ("add: {liked: w}", "set: {liked: w}")],
            [("begun_anew", "value", "`liked`")],
        ),
        (
            [
                ("fame: {per: player, is: 0..99}", "fame: {per: ware, is: 0..99}"),
                ("me.fame: much", "corn.fame: much"),
                ("fame: me.fame", "fame: corn.fame"),
            ],
            [("begun_anew", "value", "`fame`")],
        ),
        ([("ware: [corn, salt]", "ware: [malt, corn, salt]")], [("new", "word", "`malt`")]),
        (
            [("ware: [corn, salt]", "ware: [corn, rye]"), ("ware: salt", "ware: rye"), ("salt: 1", "rye: 1")],
            [("gone", "word", "`salt`"), ("new", "word", "`rye`"), ("changed", "piece", "`ham_1`, `ham_2`")],
        ),
        (
            [("      - choose one:", "      - choose: {w: ware}\n        label: sniff {w}\n      - choose one:")],
            [],
        ),
    ],
    ids=[
        "number of a condition",
        "number of a call",
        "wider range",
        "number of a start",
        "number in a table",
        "more copies",
        "new row",
        "row gone",
        "row renamed",
        "new value",
        "value renamed",
        "option renamed",
        "new type",
        "new place",
        "one copy left",
        "a second copy",
        "set made one",
        "value of something else",
        "new word of a type",
        "word of a type renamed",
        "question before",
    ],
)
def test_what_fits_is_carried_over_by_names_and_told(
    folder: Path, edits: Edits, notes: list[tuple[str, str, str]]
) -> None:
    play = some_play(folder)
    game = edited(folder, edits)
    if game.configured().rules != play.configured.rules:
        with pytest.raises(OtherRules):
            game.resume(play.save())
    carried, told = game.carry_over(play.save())
    assert [(note.kind, note.sort, note.shown) for note in told] == notes
    assert carried.pending == play.pending
    new_word = "rye" if ("gone", "word", "`salt`") in notes else "salt"
    assert [o.text for o in carried.options() if "malt" not in o.text] == [
        o.text.replace("salt", new_word) for o in play.options()
    ]
    assert carried.view(0)["turn_number"] == play.view(0)["turn_number"]
    for name, fame in play.view(0)["values"]["fame"].items():
        assert carried.view(0)["values"].get("fame", {name: fame}).get(name, fame) == fame
    while not carried.over:
        carried.choose(0)
    assert carried.fault is None


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        ([("is: 0..99", "is: 0..1")], "`fame` of `anna` is 2, and now it must be from 0 to 1"),
        (
            [("coins: {of: ware,", "coins: {total: {corn: 6, salt: 1}, of: ware,"), ("corn: 3, salt: 1", "corn: 3")],
            "2 of salt `coins` are held, and now there are only 1",
        ),
        (
            [("stall: {holds: card, slots: 9}", "booth: {holds: card, slots: 9}"), ("to: stall", "to: booth")],
            "a piece lies on `stall`, which is gone",
        ),
        (
            [('    - choose: {w: ware}\n      label: {en: "like {w}", ru: "любить {w}"}\n    - add: {liked: w}\n', "")],
            "the play is at `choose: {w: ware}`, which was removed or rewritten",
        ),
    ],
    ids=["narrower range", "fewer tokens", "place renamed", "question gone"],
)
def test_what_does_not_fit_is_refused_by_its_name(folder: Path, edits: Edits, why: str) -> None:
    play = some_play(folder)
    game = edited(folder, edits)
    with pytest.raises(SaveError) as refused:
        game.carry_over(play.save())
    assert str(refused.value) == why


TRADES = """
ruledsl: 1
game: trades
players: 2
types: {color: [red, green, blue]}
values: {got: {per: player, is: 0..9}}
play:
  - turns: players
    until: turn_number > 9
    do:
      - choose one:
"""
TRADE = """
          - label: "WORD {a} {b}"
            choose: {a: color, b: color}
            stepwise: true
            do: {set: {me.got: 1}}
"""


def test_a_choice_half_made_goes_on_with_the_same_entry_wherever_it_stands_now(tmp_path: Path) -> None:
    def trades(*words: str) -> ruledsl.Game:
        text = TRADES + "".join(TRADE.replace("WORD", word) for word in words)
        (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
        return ruledsl.load(tmp_path)

    play = trades("buy", "sell").start()
    play.choose("buy green")
    asked = ["buy green red", "buy green green", "buy green blue"]
    assert [o.text for o in play.options()] == asked
    carried, notes = trades("sell", "buy").carry_over(play.save())
    assert ([o.text for o in carried.options()], notes) == (asked, [])
    with pytest.raises(SaveError, match="in the middle of choosing `buy`, which was rewritten"):
        trades("sell", "barter").carry_over(play.save())


def test_of_statements_that_read_the_same_the_one_in_the_same_option_goes_on(tmp_path: Path) -> None:
    option = "          - {label: WORD, do: [{choose: {c: color}}, {set: {me.got: N}}]}\n"
    tall = (
        "          - label: WORD\n            do:\n            - choose: {c: color}\n            - set: {me.got: N}\n"
    )

    def trades(text: str, *words: tuple[str, str]) -> ruledsl.Game:
        made = "".join(text.replace("WORD", word).replace("N", number) for word, number in words)
        (tmp_path / "game.yaml").write_text(TRADES + made, encoding="utf-8")
        return ruledsl.load(tmp_path)

    buy, sell = ("buy", "1"), ("sell", "2")
    play = trades(tall, buy, sell).start()
    play.choose("buy")
    carried, notes = trades(tall, sell, buy).carry_over(play.save())
    carried.choose("red")
    assert (carried.view(0)["values"]["got"]["player_1"], notes) == (1, [])
    carried, _ = trades(tall, sell, ("barter", "3")).carry_over(play.save())  # it has another label, and is no other
    carried.choose("red")
    assert carried.view(0)["values"]["got"]["player_1"] == 3
    with pytest.raises(SaveError, match="was removed or rewritten"):
        trades(tall, sell).carry_over(play.save())
    with pytest.raises(SaveError, match="was removed or rewritten"):
        trades(option, sell, buy).carry_over(play.save())


# --------------------------------------------------------------------------------------------------- all games


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_carried_over_to_the_same_rules_a_state_is_the_same(path: Path) -> None:
    """The law of names: whatever stands in a state can be said by names, and comes back from them."""
    game, rng = load(path), random.Random(3)
    play = game.start(seed=2)
    for _ in range(40):
        if play.over:
            break
        seat = play.pending[0]
        play.choose(rng.randrange(len(play.options(seat))), seat)
        if play.fault is not None or play.together is not None:
            continue
        carried, notes = game.carry_over(play.save())
        size = play.machine.program.layout.size
        planned = [f for f in play.machine.program.layout.fields if f.kind == "draft"]
        if not planned:
            assert (carried.state[:size], notes) == (play.state[:size], [])


@pytest.mark.parametrize("path", [p for p in PATHS if p.suffix == ".yaml"], ids=lambda p: p.stem)
def test_numbers_may_all_be_others(path: Path, tmp_path: Path) -> None:
    """A value and a type more move every slot and number; what a seat sees stays as it was."""
    for file in path.parent.iterdir():
        if file.is_file() and file.suffix in (".yaml", ".csv"):
            shutil.copy(file, tmp_path)
        elif file.is_dir() and not (file / "game.yaml").exists():  # pictures
            shutil.copytree(file, tmp_path / file.name)
    text = (tmp_path / path.name).read_text(encoding="utf-8")
    if "\ninclude:" in text:
        pytest.skip("it includes files of its own")
    (tmp_path / "more.yaml").write_text("values:\n  odd_one: {is: 0..7, start: 5}\n", encoding="utf-8")
    (tmp_path / path.name).write_text(text + "\ninclude: [more.yaml]\n", encoding="utf-8")
    game, play, rng = Game(load_blueprint(tmp_path / path.name)), load(path).start(seed=4), random.Random(4)
    for _ in range(12):
        if play.over:
            break
        play.choose(rng.randrange(len(play.options())))
    if play.over or play.together is not None:
        return
    carried, notes = game.carry_over(play.save())
    assert [(note.kind, note.shown) for note in notes if note.sort == "value"] == [("new", "`odd_one`")]
    for seat in (None, *range(len(play.players))):
        before, after = play.view(seat), carried.view(seat)
        assert after["values"].pop("odd_one") == 5
        assert before == after
    assert [o.text for o in play.options()] == [o.text for o in carried.options()]


# ---------------------------------------------------------------------------------------------- at the terminal


def run(capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    code = main([*map(str, args), "--plain"])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_play_shows_what_changed_and_keeps_the_old_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save, moves = folder / "play.json", folder / "moves.txt"
    save.write_bytes(some_play(folder).save())
    moves.write_text("", encoding="utf-8")
    before = save.read_bytes()
    edited(folder, [("name: pie", "name: tart")])
    args = ("play", folder, "--from", save, "--moves", moves)
    code, out, err = run(capsys, *args)
    assert (code, save.read_bytes()) == (2, before)
    assert out == TOLD
    assert "with `--carry-over` the play continues under the new rules without asking" in err
    code, out, _ = run(capsys, *args, "--carry-over")
    assert out.startswith(TOLD + f"The game continues with the new rules; the old file is {save}.old.\n")
    assert code == 0
    assert (folder / "play.json.old").read_bytes() == before
    code, out, _ = run(capsys, *args)
    assert code == 0
    assert TOLD not in out


def test_where_a_piece_lay_is_told_only_if_all_see_it(folder: Path) -> None:
    play = some_play(folder)
    shown = {name for name, spot in lying(play).items() if spot == "place stall"}
    assert shown, "some card lies on the stall"
    rows = (folder / "cards.yaml").read_text(encoding="utf-8")
    save = play.save()
    (folder / "cards.yaml").write_text(rows.replace("name: ", "name: new_"), encoding="utf-8")
    _, notes = ruledsl.load(folder).carry_over(save)
    (gone,) = (note.names for note in notes if (note.kind, note.sort) == ("gone", "piece"))
    assert list(gone) == [f"{name} (stall)" if name in shown else name for name in sorted(lying(play))]


def lying(play: Any) -> dict[str, str]:
    """By piece where it lies, as a save says it."""
    named = json.loads(play.save())["named"]["pieces"]
    return {name: spot for spot, there in named.items() for name in there}


TOLD = """The rules have changed since this game was saved. What this means:
  Gone: pieces `pie`.
  New, set as at the start: pieces `tart`.
"""


# ------------------------------------------------------------------------------------------ replays and campaigns


def test_a_save_is_a_replay_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = folder / "play.json"
    save.write_bytes(some_play(folder).save())
    args = ("replay", save, "--game", folder)
    assert main([*map(str, args)]) == 0
    assert capsys.readouterr().out.startswith("Replayed without a difference: 4 decisions.\n")
    edited(folder, [("copies: 2", "copies: 3")])
    assert main([*map(str, args)]) == 1
    assert "The rules have changed since this was recorded" in capsys.readouterr().out


def test_other_players_sit_down_between_two_games_of_a_campaign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "story.json"
    args = ("play", "fortress", "--campaign", file)
    two = ("--seats", "random,random")
    code, out, _ = run(capsys, *args, *two, "--names", "anna,boris", "--seed", "3")
    assert code == 0
    assert "\nKept for the next game:\n" in out
    assert "\nGames won: anna 1, boris 0\n" in out
    code, out, _ = run(capsys, *args, "--seats", "random,random,random")
    assert code == 0
    assert "player 3 ·" in out
    assert "\nGames won: anna 1, boris 0, player 3 1\n" in out
    code, out, _ = run(capsys, *args, *two, "--names", "clara,boris")
    assert code == 0
    assert "clara" in out
    code, _, err = run(capsys, *args, "--players", "9")
    assert (code, err) == (2, "ruledsl: fortress is for 2 to 4 players\n")
    assert main(["replay", str(file), "--game", "fortress"]) == 0
    assert "Replayed without a difference" in capsys.readouterr().out


def test_a_campaign_of_other_rules_is_carried_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A card that became another one is told, and never slips into a hand."""
    shutil.copytree(Path(__file__).parent.parent / "games/fortress", tmp_path / "fortress")
    file, cards = tmp_path / "story.json", tmp_path / "fortress/cards.yaml"
    args = ("play", tmp_path / "fortress", "--campaign", file, "--seats", "random,random")
    assert run(capsys, *args, "--seed", "3")[0] == 0
    text = cards.read_text(encoding="utf-8")
    assert text.count("strength: 2}  # 3,") == 1
    cards.write_text("# A remark.\n" + text, encoding="utf-8")
    assert run(capsys, *args)[0] == 0  # a remark is no change
    cards.write_text(text.replace("strength: 2}  # 3,", "strength: 4}  # 3,"), encoding="utf-8")
    code, out, err = run(capsys, *args)
    assert code == 2
    assert "Different now: pieces `two_1`" in out
    assert "--carry-over" in err
    code, out, _ = run(capsys, *args, "--carry-over")
    assert code == 0
    assert "Game 3 of the campaign" in out


def test_play_tells_of_the_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "play", "fortress", "--seats", "random,random", "--seed", "3")
    hint = "To play the games of this campaign one after another: ruledsl play fortress --campaign FILE\n"
    assert out.endswith(hint)
