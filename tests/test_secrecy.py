"""Nothing is told that a seat may not know (see secrecy.py); and leaks that are planted are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from secrecy import search

import ruledsl
from games import HIDING, NAMES, PATHS
from ruledsl.cli.terminal import campaigns
from ruledsl.cli.terminal.session import Session
from ruledsl.engine.options import Options
from ruledsl.engine.pieces import Pieces
from ruledsl.runtime.play import Play
from ruledsl.runtime.view import Viewer
from ruledsl.runtime.words import Words
from ruledsl.testing.runner import Tests

PLAYS, DECISIONS = 2, 20  # of each game, and in each play; `--long` has thousands
LONG = 240_000  # swaps over all games
HIDING_NAMES = [NAMES[PATHS.index(path)] for path in HIDING]

# Everything that can be hidden: hands, piles, values, drafts; cards that look alike; what is chosen, laid, given,
# shuffled, revealed to some; a campaign that keeps a pile.
VAULT = """\
ruledsl: 1
game: vault
players: [anna, boris, clara]
pieces:
  card:
    attributes: {worth: 1..4}
    rows:
      - {name: owl, worth: 1, copies: 4}
      - {name: fox, worth: 2, copies: 4}
      - {name: elk, worth: 3, copies: 3}
      - {name: joker, worth: 4, copies: 2}
    state: {bent: bool}
    start: deck
places:
  deck: {holds: card, order: pile, seen: none}
  hand: {per: player, holds: card, seen: owner}
  mat: {per: player, holds: card, seen: none}
  vault: {holds: card, order: pile, seen: none}
  table: {holds: card, order: pile}
values:
  dial: {per: player, is: 0..5, seen: owner}
actions:
  lay:
    menu: deeds
    choose: {c: me.hand}
    label: lay {c}
    do:
      - move: c
        to: me.mat
  give:
    menu: deeds
    choose: {c: me.hand, p: players except me}
    label: give {c} to {p}
    do:
      - move: c
        to: p.hand
  bend:
    menu: deeds
    choose: {c: me.hand where not c.bent}
    label: bend {c}
    do:
      - set: {c.bent: true}
      - say: "{me} bends a card worth {c.worth}"
        to: me
  show:
    menu: deeds
    choose: {c: me.hand, p: players except me}
    label: show {c} to {p}
    do:
      - reveal: c
        to: p
  put_away:
    menu: deeds
    when: any(me.mat)
    choose: {c: me.mat}
    label: put {c} away
    do:
      - move: c
        to: vault
  peek:
    menu: deeds
    when: any(vault)
    do:
      - reveal: top(vault)
        to: me
      - say: "you see {top(vault)}"
        to: me
  fetch:
    menu: deeds
    when: any(deck)
    do:
      - draw: 1
        from: deck
        to: me.hand
  mix:
    menu: deeds
    when: count(vault) > 1
    do: {shuffle: vault}
  pick:
    menu: deeds
    choose: {p: players except me, c: p.mat}
    label: turn {c} of {p}
    do:
      - move: c
        to: table
setup:
  - shuffle: deck
  - deal: 3
    from: deck
    to: hand
play:
  - rounds: 3
    do:
      - together: players
        do:
          - choose: {n: 0..5}
            label: dial {n}
          - choose: {c: me.hand}
            label: think of {c}
            else: []
          - set: {me.dial: n}
      - turns: players
        until: turn_number >= 9 * round
        do:
          - choose one: deeds
            else: []
scoring:
  rows: {table: count(table)}
campaign:
  keep: [vault]
  between:
    - say: "the next play begins"
"""

VAULT_TESTS = """\
tests:
  - test: who sees what, and who reads what
    given: &given
      places:
        anna.hand: [owl_1, fox_1]
        boris.hand: [elk_1]
        clara.hand: [joker_1]
        boris.mat: [fox_3]
        deck: [fox_2, owl_2]
        vault: [owl_3, elk_2]
      values: {anna.dial: 3}
      turn: anna
    expect:
      - sees: {anna: [owl_1, fox_1], boris: [elk_1], clara: [joker_1]}
      - sees: {everybody: {deck: 2 hidden, vault: 2 hidden, boris.mat: hidden}}
      - sees: {bystander: {anna.hand: 2 hidden, anna.dial: hidden}, boris: {anna.dial: hidden}}
    then:
      - moves: [lay owl]
        expect:
          - sees: {clara: {anna.mat: 1 hidden, anna.hand: 1 hidden}, bystander: {anna.mat: hidden}}
          - log: {anna: lay owl, everybody: {with: "anna: lay"}, clara: {with: lay a hidden card, without: owl}}
  - test: a card is shown to one, and is read by one
    given: *given
    moves: [show fox to boris]
    expect:
      - sees: {boris: {anna.hand: [fox, hidden]}, clara: {anna.hand: 2 hidden}}
      - log: {boris: show fox to boris, clara: {without: fox}, bystander: {without: fox}}
  - test: who bends a card reads alone what it is worth
    given: *given
    moves: [bend owl]
    expect:
      - log: {anna: worth 1, boris: {without: bends}, bystander: {without: bends}}
      - log: {clara: {with: bend a hidden card}}
  - test: the cards of the vault are mixed, and what was seen is not known any more
    given: *given
    moves: [anna: peek]
    expect:
      - sees: {anna: {vault: [owl, hidden]}, boris: {vault: 2 hidden}}
      - log: {anna: you see owl, boris: {without: you see}}
    then:
      - moves: [boris: mix]
        expect: {sees: {everybody: {vault: 2 hidden}}}
  - test: all dial at once, and nobody sees it before all have finished
    moves: [anna: dial 4, boris: dial 2, clara: dial 4]
    expect:
      - anna.dial == 0
"""


# ------------------------------------------------------------------------------------------------- the law


@pytest.mark.parametrize("path", HIDING, ids=HIDING_NAMES)
def test_nobody_receives_what_they_may_not_know(path: Path) -> None:
    leak, tried = search(path, PLAYS, seed=1, swaps_each=1, limit=DECISIONS)
    assert leak is None, str(leak)
    assert tried, "nothing is hidden here"


def test_nobody_receives_what_they_may_not_know_in_a_game_of_secrets(tmp_path: Path) -> None:
    leak, tried = search(written(tmp_path), 3, seed=1, limit=50)
    assert leak is None, str(leak)
    assert set(tried) == {"swaps", "forks", "forgotten", "terminals", "taken back", "campaign tables"}


@pytest.mark.long
@pytest.mark.parametrize("path", HIDING, ids=HIDING_NAMES)
def test_nobody_receives_what_they_may_not_know_in_thousands_of_swaps(path: Path) -> None:
    count, seed = 0, 1000
    while count < LONG / len(HIDING):
        leak, tried = search(path, 20, seed=seed, swaps_each=8)
        assert leak is None, str(leak)
        assert tried["swaps"], "nothing is hidden here"
        count, seed = count + tried["swaps"], seed + 20


# ----------------------------------------------------------------------------------- leaks of the engine


def written(folder: Path, text: str = VAULT) -> Path:
    path = folder / "vault.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def everything(self: Viewer, v: list[int], spot: int, seat: int | None) -> list[Any]:
    return [self.name(p) for p in self.machine.pieces.on(v, spot)]


def one_more_seat(self: Viewer, v: list[int], spot: int, seat: int | None) -> list[Any]:
    return [self.name(p) if seat == 2 or self.knows(v, p, seat) else None for p in self.machine.pieces.on(v, spot)]


def every_state(self: Viewer, v: list[int], seat: int | None) -> dict[str, Any]:
    return {"held": [v[self.spots.at + p] for p in range(self.world.pieces.size)]}


def others_draft(self: Play, seat: int | None = None) -> dict[str, Any]:
    if self.together is not None:
        return {**self.viewer.view(self.state, seat), "drafts": repr(self.together.taken)}
    return self.viewer.view(self.state, seat, self.pending)


def own_lines(self: Play, seat: int | None = None, language: str = "en", since: int = 0) -> list[str]:
    """What is said to one is said to all."""
    return [line for other in range(3) for line in LINES(self, other, language, since)]


def as_they_lie(self: Options, v: list[int], values: list[int]) -> list[int]:
    return values


def by_looks(self: Options, v: list[int], piece: int) -> Any:
    return self.machine.twin(v, piece)


def all_told(self: Words, v: Any, words: Any, language: str, seat: Any, *more: Any) -> str:
    of = self.machine.evaluator.of
    parts = words.parts(language)
    return "".join(p if isinstance(p, str) else self.name(of(p.node)(v), p.type, language) for p in parts)


def plain_undo(self: Session, seat: int) -> bool:
    done = self.play.decisions[-1]
    self.write(f"taken back: {done.choice}")
    self.play.undo()
    return True


def table_of_all(campaign: Any) -> str:
    return str(campaign.play.state)


LINES = Play.lines
PLANTED: dict[str, tuple[Any, str, Any]] = {
    "a place is shown to all": (Viewer, "_lying", everything),
    "a place is shown to one more": (Viewer, "_lying", one_more_seat),
    "the data of a view hold what no picture shows": (Viewer, "_pieces", every_state),
    "a hidden value is seen": (Viewer, "sees_value", lambda self, v, value, seat, owner: True),
    "a draft is shown before all have finished": (Play, "view", others_draft),
    "what is said to one is read by all": (Play, "lines", own_lines),
    "a text tells what its reader does not know": (Words, "text", all_told),
    "hidden cards are offered in their own order": (Options, "_veiled", as_they_lie),
    "hidden cards that look alike are offered once": (Options, "_twin", by_looks),
    "what is taken back is named": (Session, "_undo", plain_undo),
    "cards are followed through a shuffle": (Pieces, "forget", lambda self, v, spot: None),
    "a table of a campaign tells what is kept": (campaigns, "_tally", table_of_all),
}


SOON = {"cards are followed through a shuffle": 9}  # the seed of plays in which it shows at once; late with others


@pytest.mark.parametrize("leak", PLANTED)
def test_a_leak_of_the_engine_is_found(leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, planted = PLANTED[leak]
    monkeypatch.setattr(owner, name, planted)
    found, tried = search(written(tmp_path), 24, seed=SOON.get(leak, 1), limit=80, smallest=False)
    assert found is not None, tried


# --------------------------------------------------------------------------------------- leaks of a game file

MISTAKES = {
    "hands are open": ("hand: {per: player, holds: card, seen: owner}", "hand: {per: player, holds: card}"),
    "one more sees the mats": (
        "mat: {per: player, holds: card, seen: none}",
        'mat: {per: player, holds: card, seen: "[clara]"}',
    ),
    "the top of the vault is seen": (
        "vault: {holds: card, order: pile, seen: none}",
        "vault: {holds: card, order: pile, seen: top}",
    ),
    "the deck is open": ("deck: {holds: card, order: pile, seen: none}", "deck: {holds: card, order: pile}"),
    "dials are open": ("is: 0..5, seen: owner", "is: 0..5"),
    "a label tells more than the card": ("label: lay {c}", "label: lay a card worth {c.worth}"),
    "a label names what is shown": ("label: show {c} to {p}", "label: show a card"),
    "what is bent is said to all": ('worth {c.worth}"\n        to: me', 'worth {c.worth}"'),
    "what is seen is said to all": ('you see {top(vault)}"\n        to: me', 'you see {top(vault)}"'),
    "a card is shown to all": ("- reveal: c\n        to: p", "- reveal: c"),
    "the top of the vault is shown to all": ("- reveal: top(vault)\n        to: me", "- reveal: top(vault)"),
    "the vault is not mixed": ("do: {shuffle: vault}", "do: {shuffle: deck}"),
    "dials are set one after the other": ("together: players", "for: {me: players}"),
    "a card is laid openly": ("move: c\n        to: me.mat", "move: c\n        to: table"),
}


def failing(folder: Path, text: str) -> list[str]:
    path = written(folder, text)
    path.with_suffix(".test.yaml").write_text(VAULT_TESTS, encoding="utf-8")
    tests = Tests(ruledsl.load(path))
    assert len(tests.cases) == 5
    found = [str(failure) for outcome in tests.run() for failure in outcome.failures]
    assert not tests.report.findings
    return found


def test_the_game_of_secrets_is_as_its_tests_say(tmp_path: Path) -> None:
    assert failing(tmp_path, VAULT) == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_leak_of_a_game_is_found_by_its_tests(mistake: str, tmp_path: Path) -> None:
    right, wrong = MISTAKES[mistake]
    assert VAULT.count(right) == 1
    assert failing(tmp_path, VAULT.replace(right, wrong)) != []


SHOWN = "    label: show {c} to {p}"
OPTIONS_THAT_TELL = {
    "who may be asked": (SHOWN, f"    where: any(x in p.hand where x.name == joker)\n{SHOWN}"),
    "names to guess from": ("me, c: p.mat}", "me, c: p.hand where c.name != fox}"),
}


@pytest.mark.parametrize("mistake", OPTIONS_THAT_TELL)
def test_options_of_a_game_that_tell_what_is_hidden_are_found_by_the_law(mistake: str, tmp_path: Path) -> None:
    right, wrong = OPTIONS_THAT_TELL[mistake]
    assert VAULT.count(right) == 1
    found, _ = search(written(tmp_path, VAULT.replace(right, wrong)), 24, seed=1, limit=80, smallest=False)
    assert found is not None
    assert "options" in found.what
