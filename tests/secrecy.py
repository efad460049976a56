"""The law of views: all that a seat receives is a function of what it may know.

Everything a play sends or prints (views, options and their number and order, the log, the screen, handouts, what is
answered to `why`, what a terminal shows and says while a decision is taken back) is worked out twice, in two worlds
that differ in nothing the seat may know, and must be the same.

- swaps: at any decision pieces that the seat does not know trade places, values that it may not see trade contents,
  others draft something else, and chance will come out otherwise;
- forks: somebody chooses one piece or another, both hidden from the seat afterwards, and play goes on in both worlds
  with corresponding decisions. This finds what is told of a move by looking at the position before it;
- forgetting: a shuffle comes out so or otherwise, one piece or another leaves a hidden place.

What a seat knows is read off the state here (who sees the place, who was shown the piece), not asked of the views.

    python -m tests.secrecy [--plays N] [--swaps N] [--players N] GAME …

runs it over any games and prints the smallest witness of each leak.
"""

from __future__ import annotations

import json
import random
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import ruledsl
from ruledsl.cli.terminal import campaigns
from ruledsl.cli.terminal.face import Face
from ruledsl.cli.terminal.screen import Screen
from ruledsl.cli.terminal.session import Session, Settings
from ruledsl.cli.terminal.words import CLEAR, say
from ruledsl.engine.options import is_piece
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.campaign import Campaign
from ruledsl.runtime.handout import as_text, handout
from ruledsl.runtime.play import IllegalChoice, Play
from ruledsl.runtime.story import story
from ruledsl.runtime.table import as_data, table
from ruledsl.runtime.view import item_key
from ruledsl.runtime.why import why
from ruledsl.types import Bool, Elem, ListOf, Num, SetOf, bits
from ruledsl.web.table import snapshot


def finished(play: Play) -> bool:
    """Whether a play has come to its end, and without a fault."""
    return play.over and play.fault is None


Seat = int | None  # nobody's: a bystander
Received = dict[str, str]
FOLLOWED = 4  # decisions that both worlds of a fork take at the most


@dataclass(frozen=True)
class Leak:
    """A text that tells a seat what it may not know, with the way there."""

    game: str
    players: int
    seed: int
    moves: tuple[str, ...]
    seat: str
    what: str
    changed: str
    mine: str
    theirs: str

    def __str__(self) -> str:
        lines = [f"{self.game}, {self.players} players, seed {self.seed}: {self.seat} can tell from the {self.what}"]
        lines += [f"  after {'; '.join(self.moves) or 'nothing'}", f"  in which world they are: {self.changed}"]
        return "\n".join([*lines, *(f"  {line}" for line in different(self.mine, self.theirs))])


class Told(Exception):
    """A leak was found."""

    def __init__(self, leak: Leak) -> None:
        super().__init__(str(leak))
        self.leak = leak


def different(mine: str, theirs: str) -> list[str]:
    """The first line in which two texts differ, and around it."""
    ours, others = mine.splitlines(), theirs.splitlines()
    at = next((i for i, (a, b) in enumerate(zip(ours, others, strict=False)) if a != b), min(len(ours), len(others)))
    return [f"- {line}" for line in ours[at : at + 2]] + [f"+ {line}" for line in others[at : at + 2]]


# ------------------------------------------------------------------------------------------- what is known


class Eyes:
    """What seats know of pieces and values, by the declarations alone."""

    def __init__(self, play: Play) -> None:
        self.world, self.machine = play.world, play.machine
        self.spots, self.size = play.machine.program.spots, play.machine.program.layout.size
        self.hides = self.spots.known >= 0
        self.players = len(play.players)
        self.everyone = (1 << self.players) - 1
        self.tops = set(play.machine.program.top_seen)
        self.naming = list(_naming(play))
        self.hidden_values = play.world.secrets

    def seers(self, v: list[int], spot: int) -> int:
        seen = self.spots.seen[spot]
        return self.everyone if seen is None else int(self.machine.evaluator.of(seen)(v))

    def sees(self, v: list[int], spot: int, seat: Seat) -> bool:
        return _among(self.seers(v, spot), seat, self.everyone)

    def knows(self, v: list[int], piece: int, seat: Seat) -> bool:
        spot = v[self.spots.at + piece]
        if spot in self.tops and self.machine.pieces.on(v, spot)[-1] == piece:
            return True
        return _among(self.seers(v, spot) | v[self.spots.known + piece], seat, self.everyone)

    def unknown(self, v: list[int], seat: Seat) -> list[int]:
        return [p for p in range(self.world.pieces.size) if not self.knows(v, p, seat)] if self.hides else []

    def sees_value(self, play: Play, value: Any, seat: Seat, owner: int | None) -> bool:
        word = getattr(value.seen, "value", "")
        if word == "owner":
            return seat is not None and seat == owner
        if word in ("all", "none"):
            return bool(word == "all")
        return play.viewer.sees_value(play.state, value, seat, owner)

    def alike(self, v: list[int], a: int, b: int) -> bool:
        """Whether nothing but where they lie tells two pieces apart."""
        return bool(self.machine.looks(v, a) == self.machine.looks(v, b))

    def may_trade(self, v: list[int], a: int, b: int) -> bool:
        """Whether both places may hold both pieces, and it makes a difference."""
        here, there = (v[self.spots.at + p] for p in (a, b))
        first = self.spots.first_place
        if min(here, there) < first or self.alike(v, a, b) or (here == there and not self.spots.ordered[here]):
            return False
        return all(self.world.kinds_of_places(1 << spot - first) >> p & 1 for spot in {here, there} for p in (a, b))


def _among(players: int, seat: Seat, everyone: int) -> bool:
    return players & everyone == everyone if seat is None else bool(players >> seat & 1)


def _naming(play: Play) -> Iterator[tuple[int, int, str]]:
    """Slots of the state that name pieces: where, how many, and whether each is a piece or a set of them."""
    program, world = play.machine.program, play.world
    fields = [
        (f.base, f.count * f.width, f.type) for f in program.layout.fields if f.kind in ("value", "local", "state")
    ]
    for block in program.blocks:
        if isinstance(block.end, C.Choice):
            fields += [(x.slot, world.width(x.type), x.type) for entry in block.end.entries for x in entry.variables]
        elif isinstance(block.end, C.Chance) and block.end.variable is not None:
            variable = block.end.variable
            fields.append((variable.slot, world.width(variable.type), variable.type))
    found = {}
    for base, count, kind in fields:
        match kind:
            case Elem(root=root) if root is world.pieces:
                found[base] = (base, count, "piece")
            case SetOf(of=Elem(root=root)) if root is world.pieces:
                found[base] = (base, count, "set")
    yield from found.values()


# ------------------------------------------------------------------------------------------ other worlds


def world_like(play: Play, change: Callable[[list[int]], None], still: bool = False) -> Play | None:
    """The play in another world; none where the rules do not know such a position. `still`: they do not go on."""
    twin = play.copy()
    size = play.machine.program.layout.size
    twin.state = [*play.state[:size], *[0] * (len(play.state) - size)]  # executors keep things behind the state
    change(twin.state)
    if still:
        return twin
    there = twin.state[:size]
    twin.go_on()
    stays = twin.state[:size] == there and twin.fault is None and twin.pending == play.pending
    return twin if stays else None  # else this is not asked in that world


def trade(eyes: Eyes, a: int, b: int, v: list[int]) -> None:
    """Two pieces change roles in everything that says where pieces are or names them."""
    spots, total = eyes.spots, eyes.world.pieces.size
    for base in (spots.at, spots.slot, spots.known, spots.under, spots.over, *eyes.world.open_state):
        if base >= 0:
            v[base + a], v[base + b] = v[base + b], v[base + a]
    other = {a: b, b: a}
    lists = ((spots.top, spots.count), (spots.bottom, spots.count), (spots.under, total), (spots.over, total))
    slots = [i for base, count in lists if base >= 0 for i in range(base, base + count)]
    sets = list(range(spots.members, spots.members + eyes.world.places.size)) if spots.members >= 0 else []
    for base, count, sort in eyes.naming:
        (slots if sort == "piece" else sets).extend(range(base, base + count))
    for i in slots:
        v[i] = other.get(v[i], v[i])
    for i in sets:
        if v[i] >> a & 1 != v[i] >> b & 1:
            v[i] ^= 1 << a | 1 << b


def swaps(play: Play, eyes: Eyes, seat: Seat, rng: random.Random) -> Iterator[tuple[str, Callable[..., Play | None]]]:
    """Worlds that the seat cannot tell from this one, without end."""
    makers = [_pieces_swapped] * 6 + [_values_changed, _draft_changed, _fate_changed]
    while True:
        found = rng.choice(makers)(play, eyes, seat, rng)
        yield found if found is not None else ("", lambda: None)


def _pieces_swapped(play: Play, eyes: Eyes, seat: Seat, rng: random.Random) -> Any:
    hidden = eyes.unknown(play.state, seat)
    if len(hidden) < 2:
        return None
    for _ in range(8):
        a, b = rng.sample(hidden, 2)
        if eyes.may_trade(play.state, a, b):
            names = play.world.pieces.names
            return f"{names[a]} and {names[b]} swapped", partial(world_like, play, partial(trade, eyes, a, b))
    return None


def _values_changed(play: Play, eyes: Eyes, seat: Seat, rng: random.Random) -> Any:
    places = []
    for value in eyes.hidden_values:
        for i in range(value.count):
            owner = item_key(value, i)[1][0] if value.keys else None
            if not eyes.sees_value(play, value, seat, owner):
                places.append((value, value.base + i * value.width))
    if not places:
        return None
    value, slot = rng.choice(places)
    match value.type:
        case Bool():
            new = [1 - play.state[slot]]
        case Num(low=low, high=high) if play.state[slot] >= low:
            new = [rng.randint(low, high)]
        case Elem(mask=mask, maybe=maybe) if mask:
            new = [rng.choice([*bits(mask), *([-1] if maybe else [])])]
        case _:
            others = [base for other, base in places if other is value and base != slot]
            if not others:
                return None
            base = rng.choice(others)
            new = play.state[base : base + value.width]

    def change(v: list[int]) -> None:
        v[slot : slot + len(new)] = new

    return f"`{value.name}` has other contents", lambda: world_like(play, change)


def _draft_changed(play: Play, eyes: Eyes, seat: Seat, rng: random.Random) -> Any:
    if play.together is None:
        return None
    others = [other for other in play.together.seats if other != seat and play.together.taken[other]]
    if not others:
        return None
    other = rng.choice(others)

    def other_draft() -> Play | None:
        twin = play.copy()
        drafting = twin.together
        assert drafting is not None
        drafting.take_back(other)
        twin.state = drafting.state
        twin.choose(rng.randrange(len(twin.options(other))), other)
        # Who is alone may have finished now, and be at the next draft; that, all see.
        return twin if twin.together is drafting and twin.pending == play.pending else None

    return f"{play.players[other]} has drafted something else", other_draft


def _fate_changed(play: Play, eyes: Eyes, seat: Seat, rng: random.Random) -> Any:
    seeds = [rng.randrange(1, 2**31) for _ in C.STREAM_NAMES[1:]]

    def change(v: list[int]) -> None:  # the first stream is the order in which hidden things are listed
        v[C.STREAMS + 1 : C.STREAMS + 1 + len(seeds)] = seeds

    return "chance comes out otherwise", lambda: world_like(play, change)


def _table_of(campaign: Campaign) -> str:
    return str(campaigns._tally(campaign))


# --------------------------------------------------------------------------------------- what is received


def received(play: Play, seat: Seat, asked: str = "", since: int = 0, whole: bool = True) -> Received:
    """All that a seat is sent and shown at a decision; with `asked`, also why that is not offered."""
    view = play.view(seat)
    found = {"view": json.dumps(view, indent=0, default=str)}
    options = play.options(seat) if seat is not None else []
    found["options"] = "\n".join(f"{o.index} {o.text} | {o.notation}" for o in options)
    found["log"] = "\n".join(play.lines(seat, "en", since))
    if not whole:
        return found
    found["russian log"] = "\n".join(play.lines(seat, "ru", since))
    for language in ("en", "ru"):
        screen = Screen(play, language, colour=False)
        shown = play.options(seat, language) if seat is not None else []
        found[f"screen ({language})"] = "\n".join([screen.head(view, "-"), screen.position(view, shown)])
        found[f"table ({language})"] = json.dumps(as_data(table(play, seat, language)), indent=0, default=str)
        found[f"story ({language})"] = "\n".join(event.text for event in story(play, seat, language, since))
        page = {name: part for name, part in snapshot(play, seat, language).items() if name != "log" or not since}
        found[f"page ({language})"] = json.dumps(page, indent=0)
        if seat is not None and shown:
            lines = [*screen.so_far(seat), *screen.previews(seat, shown, view), *(o.text for o in shown)]
            found[f"menu ({language})"] = "\n".join(lines)
    found["handout"] = as_text(handout(play, seat))
    if asked and seat is not None and seat in play.pending:
        said = [line for language in ("en", "ru") for line in why(play, seat, asked, language).lines(language)]
        try:
            play.find(asked, seat)
        except IllegalChoice as problem:
            said.append(str(problem))
        found[f"answer to `why {asked}`"] = "\n".join(said)
    return found


def at_terminal(play: Play, options: list[int], commands: list[str], language: str) -> dict[int, str]:
    """What each person reads who sits down at one terminal: the options that are taken, then what the next types."""
    said: dict[int, list[str]] = {}
    script = [str(number + 1) for number in options]
    typed = iter(commands)
    session: Session

    def looking() -> int:
        return session._looking if session._looking is not None else -1

    def write(text: str) -> None:
        said.setdefault(looking(), []).append(text)

    def read(prompt: str) -> str:
        hand_over = say("hand_over", language, player="").strip()
        if any(word in prompt for word in hand_over.split() if len(word) > 6):
            said.setdefault(-1, []).append(prompt)
            return ""
        write(prompt)
        if script:
            return script.pop(0)
        line = next(typed, None)
        if line is None:
            raise EOFError
        return line

    settings = Settings(language=language, secret=True)
    session = Session(play.copy(), [None] * len(play.players), settings, Face(write, read))
    session.run()
    return {seat: "\n".join(text for text in texts if text != CLEAR) for seat, texts in said.items()}


def is_forced(play: Play) -> bool:
    """Whether the terminal does what comes next by itself, so that it shows what then comes to light."""
    return len(play.options(play.pending[0])) == 1


# ------------------------------------------------------------------------------------------------ the law


@dataclass
class Law:
    """Plays one game at random and holds every seat's share against another world's."""

    game: ruledsl.Game
    rng: random.Random
    tried: Counter[str] = field(default_factory=Counter)
    terminal: float = 0.02  # how often a terminal is watched
    whole: float = 0.25  # how often all is rendered, and not only view, options and log
    name: str = ""
    heard: list[str] = field(default_factory=list)  # what could be chosen at any time

    @property
    def world(self) -> dict[str, Any]:
        return self.game.configured().world.data

    def play(self, players: int, seed: int, swaps_each: int = 2, limit: int = 150) -> None:
        """One random play; raises `Told` where a seat can tell."""
        self.players, self.seed, self.moves = players, seed, list[str]()
        play = self.begun()
        self.eyes = Eyes(play)
        together = any(isinstance(block.end, C.Together) for block in play.machine.program.blocks)
        if not (self.eyes.hides or self.eyes.hidden_values or together):
            return
        seats: list[Seat] = [None, *range(players)]
        for _ in range(limit):
            if play.over:
                return
            for seat in self.rng.sample(seats, min(len(seats), 2)):
                self.swap(play, seat, swaps_each)
            if self.eyes.hides:
                self.forget(play)
            chooser = self.rng.choice(play.pending)
            if self.eyes.hides and play.together is None:
                self.fork(play, chooser)
            options = play.options(chooser, self.rng.choice(["en", "ru"]))
            self.heard += (o.text or o.notation for o in self.rng.sample(options, min(3, len(options))))
            number = self.rng.randrange(len(options))
            self.moves.append(f"{play.players[chooser]}: {self.plainly(play, chooser, number)}")
            self.decide(play, number, chooser)
            play.undo_points.clear()

    def begun(self) -> Play:
        return self.game.start(players=self.players, seed=self.seed)

    def decide(self, play: Play, number: int, seat: int) -> None:
        play.choose(number, seat)

    def receive(self, play: Play, seat: Seat, asked: str = "", since: int = 0, whole: bool = True) -> Received:
        """What is held against another world."""
        return received(play, seat, asked, since, whole)

    def plainly(self, play: Play, seat: int, number: int) -> str:
        """An option by its own names, whoever may know them."""
        stop = play.stop_of(seat)
        assert stop is not None
        assert stop.choice is not None
        raw, option = stop.options[number], play.options(seat)[number]
        if raw[0] < 0 or not option.values:
            return option.text
        entry = stop.choice.entries[raw[0]]
        kinds = {variable.name: variable.type for variable in entry.variables}
        shown = []
        for name, value in option.values.items():
            inner = kinds[name].of if isinstance(kinds[name], SetOf | ListOf) else kinds[name]
            shown.append(play.words.name(value, inner) if isinstance(inner, Elem) else str(value))
        return f"{entry.name or ''} {' '.join(shown)}".strip()

    def compare(self, mine: Received, theirs: Received, seat: Seat, changed: str, play: Play) -> None:
        for what, text in mine.items():
            if theirs.get(what) != text:
                who = "a bystander" if seat is None else play.players[seat]
                leak = Leak(
                    self.name or self.game.name,
                    self.players,
                    self.seed,
                    tuple(self.moves),
                    who,
                    what,
                    changed,
                    text,
                    theirs.get(what, ""),
                )
                raise Told(leak)

    # ------------------------------------------------------------------------------------------- swaps

    def swap(self, play: Play, seat: Seat, count: int) -> None:
        whole, asked = self.rng.random() < self.whole, ""
        if whole and seat is not None and seat in play.pending and self.rng.random() < 0.3:
            asked = self.question(play)
        mine: Received | None = None
        since = max(0, len(play.log) - 12) if not whole else 0
        for changed, make in _first(swaps(play, self.eyes, seat, self.rng), count):
            twin = make() if changed else None
            if twin is None:
                continue
            mine = mine or self.receive(play, seat, asked, since, whole)
            self.compare(mine, self.receive(twin, seat, asked, since, whole), seat, changed, play)
            self.tried["swaps"] += 1
            if seat is not None and seat in play.pending and self.rng.random() < self.terminal:
                self.watch(play, twin, seat, changed)

    def question(self, play: Play) -> str:
        """Something that a person may ask for: what anybody could choose at any time, or the words of any piece behind
        those of an option."""
        if self.heard and self.rng.random() < 0.6:
            return self.rng.choice(self.heard)
        words = [o.action or o.text for o in play.options()]
        names = play.world.pieces.names
        return " ".join([self.rng.choice(words), *([self.rng.choice(names)] if names else [])])

    def watch(self, play: Play, twin: Play, seat: int, changed: str) -> None:
        if play.pending[0] != seat or is_forced(play):
            return
        language = self.rng.choice(["en", "ru"])
        commands = ["board", "log", "options", "rules", f"why {self.question(play)}"]
        mine, theirs = (at_terminal(p, [], commands, language).get(seat, "") for p in (play, twin))
        self.compare({"terminal": mine}, {"terminal": theirs}, seat, changed, play)
        self.tried["terminals"] += 1

    # -------------------------------------------------------------------------------------- forgetting

    def forget(self, play: Play) -> None:
        """What comes out of a shuffle, and which piece left a hidden place, is nobody's to know who does not see it."""
        eyes, v, pieces = self.eyes, play.state, play.machine.pieces
        seat: Seat = self.rng.choice([None, *range(self.players)])
        first, last = eyes.spots.first_place, eyes.spots.count
        blind = [s for s in range(first, last) if not eyes.sees(v, s, seat) and s not in eyes.tops]
        for spot in self.rng.sample(blind, min(3, len(blind))):
            lying = list(pieces.on(v, spot))
            if len(lying) < 2 or len({tuple(v[base + p] for base in play.machine.program.backs) for p in lying}) > 1:
                continue  # what all see of each is followed by whoever watches
            worlds = [v[:], v[:]]
            if eyes.spots.ordered[spot]:
                for world in worlds:
                    self.rng.shuffle(lying)
                    pieces.arrange(world, spot, tuple(lying))
                    pieces.forget(world, spot)
                changed = f"{play.world.places.names[spot - first]} is shuffled"
            elif spot not in pieces.slots and not eyes.spots.single[spot]:
                a, b = self.rng.sample(lying, 2)
                to = self.rng.choice(blind)
                room = not eyes.spots.capacity[to] or pieces.count(v, to) < eyes.spots.capacity[to]
                held = eyes.world.kinds_of_places(1 << to - first)
                if to == spot or not room or not (held >> a & held >> b & 1) or eyes.spots.single[to]:
                    continue
                if _among(eyes.seers(v, spot) | eyes.seers(v, to), seat, eyes.everyone):
                    continue  # who watches knows what all players know between them
                for world, piece in zip(worlds, (a, b), strict=True):
                    pieces.move(world, piece, to)
                names = play.world.pieces.names
                changed = f"{names[a]} or {names[b]} is moved to {play.world.places.names[to - first]}"
            else:
                continue
            views = [{"view": json.dumps(play.viewer.view(w, seat), indent=0, default=str)} for w in worlds]
            self.compare(views[0], views[1], seat, changed, play)
            self.tried["forgotten"] += 1

    # ------------------------------------------------------------------------------------------- campaigns

    def campaign(self, players: int, seed: int, games: int = 3, limit: int = 400) -> None:
        """What is shown when a play of a campaign is over, and what is said between two plays."""
        self.players, self.seed, self.moves = players, seed, []
        campaign = Campaign(self.game, players, seed)
        self.eyes = Eyes(campaign.play)
        for number in range(games):
            play = campaign.next() if number else campaign.play
            for _ in range(limit):
                if play.over:
                    break
                seat = self.rng.choice(play.pending)
                play.choose(self.rng.randrange(len(play.options(seat))), seat)
                play.undo_points.clear()
            if not finished(play):
                return
            self.moves = [f"game {number + 1}"]
            for seat in (None, *range(players)):
                self.table(campaign, seat)
            play.settle()
            if not finished(play):
                return

    def table(self, campaign: Campaign, seat: Seat) -> None:
        play = campaign.play
        mine: Received = {}
        for changed, make in _first(swaps(play, self.eyes, seat, self.rng), 4):
            twin = make(still=True) if changed.endswith("swapped") else None
            if twin is None or (twin.winners, twin.scores()) != (play.winners, play.scores()):
                continue  # the end shows what points are made of
            mine = mine or {**self.receive(play, seat), "campaign table": _table_of(campaign)}
            campaign.play = twin
            try:
                theirs = {**self.receive(twin, seat), "campaign table": _table_of(campaign)}
            finally:
                campaign.play = play
            self.compare(mine, theirs, seat, changed, play)
            self.tried["campaign tables"] += 1

    # ------------------------------------------------------------------------------------------- forks

    def fork(self, play: Play, chooser: int) -> None:
        """One piece or another is chosen, of which a seat cannot tell afterwards which it was."""
        stop = play.stop_of(chooser)
        assert stop is not None
        assert stop.choice is not None
        ours = self.rng.choice(stop.options)
        alternatives = [option for option in stop.options if _differ(stop, ours, option)]
        if not alternatives:
            return
        others = self.rng.choice(alternatives)
        a, b = next((x, y) for x, y in zip(ours[1:], others[1:], strict=True) if x != y)
        if self.eyes.alike(play.state, a, b):
            return
        watched = [seat for seat in (None, *range(self.players)) if seat != chooser]
        worlds = [play.copy(), play.copy()]
        numbers = [stop.options.index(ours), stop.options.index(others)]
        since, told = len(play.log), list[str]()
        names = play.world.pieces.names
        for _ in range(FOLLOWED):
            seen: set[Seat] = set()
            with self.noticed(worlds, (a, b), seen):
                for world, number in zip(worlds, numbers, strict=True):
                    world.choose(number, world.pending[0])
            mine, theirs = worlds
            if any(w.over or w.fault for w in worlds) or mine.pending != theirs.pending or mine.together is not None:
                return
            views = [[json.dumps(w.view(seat), default=str) for seat in watched] for w in worlds]
            watched = [
                seat
                for i, seat in enumerate(watched)
                if seat not in seen
                and views[0][i] == views[1][i]
                and not any(self.eyes.knows(w.state, p, seat) for w in worlds for p in (a, b))
            ]
            changed = f"{play.players[chooser]} chose {names[a]} or {names[b]}{''.join(told)}"
            for seat in watched:
                one, other = (self.receive(w, seat, "", since, self.rng.random() < self.whole) for w in worlds)
                both = one.keys() & other.keys()
                shared = {k: one[k] for k in both}, {k: other[k] for k in both}
                self.compare(*shared, seat=seat, changed=changed, play=play)
                self.tried["forks"] += 1
            if not told and watched and not is_forced(mine) and self.rng.random() < 4 * self.terminal:
                self.take_back(play, chooser, numbers, mine.pending[0], watched, changed)
            following = self.corresponding(mine, theirs, a, b)
            if not watched or following is None:
                return
            told.append(f", then {self.plainly(mine, mine.pending[0], following[0])}")
            numbers = list(following)

    def take_back(
        self, play: Play, chooser: int, numbers: list[int], seat: int, watched: list[Seat], what: str
    ) -> None:
        """The next at the terminal takes the decision back: what is then told, too, says nothing of it."""
        if seat not in watched:
            return
        texts = [at_terminal(play, [number], ["log", "undo"], "en").get(seat, "") for number in numbers]
        self.compare({"terminal": texts[0]}, {"terminal": texts[1]}, seat, f"{what}, and it is taken back", play)
        self.tried["taken back"] += 1

    @contextmanager
    def noticed(self, worlds: list[Play], both: tuple[int, int], seen: set[Seat]) -> Iterator[None]:
        """Notes who is shown one of the pieces meanwhile, though they may lose sight of it again."""
        pieces = worlds[0].machine.pieces
        show = pieces.show

        def showing(v: list[int], shown: int, seats: int) -> None:
            if any(shown >> piece & 1 for piece in both):
                seen.update(seat for seat in (None, *range(self.players)) if _among(seats, seat, self.eyes.everyone))
            show(v, shown, seats)

        pieces.show = showing  # type: ignore[method-assign]
        try:
            yield
        finally:
            del pieces.show

    def corresponding(self, mine: Play, theirs: Play, a: int, b: int) -> tuple[int, int] | None:
        """An option of one world and the same of the other, with two pieces in each other's roles."""
        other = {a: b, b: a}
        ours, others = mine.stop.options, theirs.stop.options
        for number in self.rng.sample(range(len(ours)), len(ours)):
            raw = ours[number]
            if mine.stop.choice is not theirs.stop.choice or mine.stop.choice is None:
                return None
            swapped = raw
            if raw[0] >= 0 and len(raw) > 1:
                variables = _variables(mine, raw)
                changed = (other.get(x, x) if is_piece(y) else x for y, x in zip(variables, raw[1:], strict=False))
                swapped = (raw[0], *changed)
            if swapped in others:
                return number, others.index(swapped)
        return None


def _variables(play: Play, raw: tuple[Any, ...]) -> tuple[C.Variable, ...]:
    choice = play.stop.choice
    assert choice is not None
    stage = play.state[choice.stage] if choice.stage is not None else 0
    position = (stage - 1) % 32 if stage else 0
    return choice.entries[raw[0]].variables[position : position + len(raw) - 1]


def _differ(stop: Any, ours: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether two options are the same but for one piece."""
    if ours[0] < 0 or ours[0] != others[0] or len(ours) != len(others) or len(ours) < 2:
        return False
    places = [i for i, (x, y) in enumerate(zip(ours[1:], others[1:], strict=True)) if x != y]
    variables = stop.choice.entries[ours[0]].variables
    offset = len(variables) - len(ours) + 1 if len(ours) - 1 < len(variables) else 0
    return len(places) == 1 and is_piece(variables[min(places[0] + offset, len(variables) - 1)])


def _first(found: Iterator[Any], count: int) -> Iterator[Any]:
    for _ in range(count):
        yield next(found)


# ---------------------------------------------------------------------------------------------- searching


def search(
    path: Path,
    plays: int,
    seed: int = 0,
    swaps_each: int = 2,
    players: int | None = None,
    limit: int = 150,
    smallest: bool = True,
) -> tuple[Leak | None, Counter[str]]:
    """A leak found in so many random plays of a game, over all numbers of players: the smallest, or the first."""
    game = ruledsl.load(path)
    counts = [players] if players is not None else list(game.players)
    law = Law(game, random.Random(seed), name=str(path))
    found: Leak | None = None
    for number in range(plays):
        most = limit if found is None else len(found.moves) - 1
        if most < 0 or (found is not None and not smallest):
            break
        try:
            law.play(counts[number % len(counts)], seed + number, swaps_each, most)
            if number % 8 == 0 and "between" in law.world and found is None:
                law.campaign(counts[number % len(counts)], seed + number)
        except Told as told:
            found = told.leak
        except RulesFault:
            continue
    return found, law.tried


def hiding(path: Path) -> bool:
    """Whether a game hides anything from anybody."""
    text = path.read_text(encoding="utf-8")
    return any(word in text for word in ("seen:", "together:", "reveal:"))


def main() -> int:
    parser = ArgumentParser(description="Looks for what a seat is told that it may not know.")
    parser.add_argument("games", nargs="+", type=Path, metavar="GAME")
    parser.add_argument("--plays", type=int, default=60, metavar="N")
    parser.add_argument("--swaps", type=int, default=4, metavar="N", help="at each decision, for each seat looked at")
    parser.add_argument("--players", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    args = parser.parse_args()
    bad = 0
    for path in args.games:
        leak, tried = search(path, args.plays, args.seed, args.swaps, args.players)
        count = ", ".join(f"{n} {what}" for what, n in tried.items()) or "nothing is hidden"
        sys.stdout.write(f"{path}: {count}\n{f'{leak}{chr(10)}' if leak else ''}")
        sys.stdout.flush()
        bad += leak is not None
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
