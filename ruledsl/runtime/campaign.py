"""A campaign: plays one after the other, with what is kept between them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ruledsl.engine.batch import following_seed
from ruledsl.ir.core import ENDINGS
from ruledsl.records import dataclass
from ruledsl.types import BagOf, Elem, ListOf, Num, Root, SetOf, bits

from .by_name import Note
from .play import Play
from .save import FORMAT, MOST_BYTES, SaveError, are_scores

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured, Game


@dataclass(frozen=True)
class Result:
    """How one play of a campaign ended."""

    players: list[str]
    ending: str
    winners: list[str]
    scores: list[dict[str, int]]


class Campaign:
    """The plays of a campaign. What is kept is plain data by names, so that it outlives changes of the rules."""

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        seed: int = 0,
        options: dict[str, Any] | None = None,
        names: list[str] | None = None,
        chance: str = "stream",
    ) -> None:
        self.game, self.seed, self.options, self.ask_chance = game, seed, options or {}, chance == "ask"
        self.number = 1
        self.results: list[Result] = []
        self.kept: dict[str, Any] = {}
        self.play = self._begin(game.configured(players, self.options, names))

    def next(self, players: int | None = None, names: list[str] | None = None) -> Play:
        """The next play, after the last was settled. The players may be others where nothing kept is theirs."""
        assert self.play.settled, "the play is settled before the next begins"
        assert self.play.result is not None
        ending, winners, scores = self.play.result
        self.results.append(Result(self.play.players, ending, [self.play.players[w] for w in winners], scores))
        self.kept = kept_of(self.play)
        before = self.play.players
        count = len(names) if names else players if players is not None else len(before)
        seated = names or [*before[:count], *self._default(count)[len(before) :]]
        own = len(set(seated)) == count and seated != self._default(count)
        self.number += 1
        self.play = self._begin(self.game.configured(count, self.options, seated if own else None))
        return self.play

    def save(self) -> bytes:
        """The campaign as bytes, for `Campaign.resume`: the play that is under way, and how those before it ended."""
        found = {
            "ruledsl": FORMAT,
            "campaign": self.game.name,
            "seed": self.seed,
            "options": self.options,
            "number": self.number,
            "results": [asdict(result) for result in self.results],
            "kept": self.kept,
            "play": self.play.to_json(),
        }
        return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def resume(cls, game: Game, data: bytes | str) -> Campaign:
        """The campaign of a save; raises `SaveError` if it is none, `OtherRules` if it was played by other rules."""
        campaign, play, kept = cls._read(game, data)
        campaign.play = game.resume(play)
        if kept is not None:
            campaign.kept = kept
            campaign.play = campaign._again(campaign.play) or campaign.play
        return campaign

    @classmethod
    def carry_over(cls, game: Game, data: bytes | str) -> tuple[Campaign, list[Note]]:
        """The campaign of a save that was played by other rules, matched by names, and what is different in it now."""
        campaign, play, kept = cls._read(game, data)
        campaign.play, notes = game.carry_over(play)
        campaign.options = campaign.play.configured.options
        campaign.kept = kept or {}
        return campaign, notes

    @classmethod
    def _read(cls, game: Game, data: bytes | str) -> tuple[Campaign, dict[str, Any], dict[str, Any] | None]:
        """A campaign without its play, the save of the play, and what was kept before it."""
        if len(data) > MOST_BYTES:
            raise SaveError("this file is too large for a campaign")
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            raise SaveError("this is not a campaign: it cannot be read as JSON") from None
        match found:
            case {
                "ruledsl": int(),
                "campaign": str(name),
                "seed": int(seed),
                "options": dict(options),
                "number": int(number),
                "results": [*results],
                "play": dict(play),
            } if type(number) is type(seed) is int and 1 <= number == len(results) + 1:
                pass
            case _:
                raise SaveError("this is not a campaign")
        if name != game.name:
            raise SaveError(f"this is a campaign of `{name}`, not of `{game.name}`")
        campaign = cls.__new__(cls)
        campaign.game, campaign.seed, campaign.options, campaign.ask_chance = game, seed, options, False
        campaign.number, campaign.results, campaign.kept = number, [_result(result) for result in results], {}
        kept = found.get("kept")
        return campaign, play, kept if isinstance(kept, dict) else None

    def _again(self, saved: Play) -> Play | None:
        """A saved play, played again from its start so that its log is there, too; None if it comes out otherwise."""
        configured, seed = saved.configured, self._seed()
        if saved.seed != seed:
            return None
        state = configured.machine.start(seed)
        try:
            restore(configured, state, self.kept)
            play = Play(self.game, configured, seed, state=state)
            for decision in saved.decisions:
                if play.over and not play.settled:
                    play.settle()
                stop = play.stop_of(decision.seat) if decision.seat >= 0 else None
                if stop is not None:
                    play.choose(stop.options.index(decision.choice), decision.seat)
            if saved.settled and not play.settled and play.over:
                play.settle()
        except (SaveError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            return None
        size = configured.machine.program.layout.size
        if play.state[:size] != saved.state[:size] or (play.settled, play.result) != (saved.settled, saved.result):
            return None
        if [(d.seat, d.choice) for d in play.decisions] != [(d.seat, d.choice) for d in saved.decisions]:
            return None
        play.decisions = saved.decisions  # with their texts
        play.undo_points.clear()
        return play

    def _seed(self) -> int:
        return following_seed(self.seed, self.number)

    def _default(self, count: int) -> list[str]:
        from ruledsl.compiler.pipeline import player_names

        return player_names(self.game.blueprint, count)

    def _begin(self, configured: Configured) -> Play:
        seed = self._seed()
        state = configured.machine.start(seed)
        restore(configured, state, self.kept)
        return Play(self.game, configured, seed, self.ask_chance, state=state)


def _result(found: Any) -> Result:
    match found:
        case {"players": [*players], "ending": str(ending), "winners": [*winners], "scores": [*scores]} if (
            all(isinstance(name, str) for name in players)
            and all(name in players for name in winners)
            and ending in ENDINGS
            and are_scores(scores, len(players))
        ):
            return Result(list(players), ending, list(winners), list(scores))
    raise SaveError("this is not a campaign: a result is wrong")


def kept_of(play: Play) -> dict[str, Any]:
    """What goes on to the next play, by names."""
    world, v = play.world, play.state
    found: dict[str, Any] = {}
    for sort, data in world.data.get("keep", ()):
        if sort == "place":
            for i in range(data.count):
                number = data.first + i
                lying = play.machine.pieces.on(v, world.spots.first_place + number)
                found[f"place {world.places.names[number]}"] = [world.pieces.names[p] for p in lying]
        elif sort == "value":
            for i in range(data.count):
                found[f"value {data.name} {i}".strip()] = _plain(play, data.base + i * data.width, data.type)
        else:
            for word, (_, base, root) in data.holders.items():
                count = (root.size if root is not None else 1) * data.size
                found[f"pool {word}"] = v[base : base + count]
            if data.supply >= 0:
                found[f"pool supply.{data.name}"] = v[data.supply : data.supply + data.size]
    return found


def restore(configured: Configured, v: list[int], kept: dict[str, Any]) -> None:
    """Puts what was kept into the state of a new play; pieces that were not kept lie where they start."""
    if not kept:
        return
    world, pieces = configured.world, configured.machine.pieces
    numbers = {name: i for i, name in enumerate(world.pieces.names)}
    for sort, data in world.data.get("keep", ()):
        if sort == "place":
            for i in range(data.count):
                spot = world.spots.first_place + data.first + i
                for name in kept.get(f"place {world.places.names[data.first + i]}", ()):
                    if name not in numbers:
                        raise SaveError(f"there is no piece `{name}` any more")
                    pieces.move(v, numbers[name], world.spots.box)
                    pieces.move(v, numbers[name], spot)
        elif sort == "value":
            for i in range(data.count):
                key = f"value {data.name} {i}"
                if key in kept:
                    _put(v, data.base + i * data.width, data.width, data.type, kept[key])
        else:
            for word, (_, base, _) in data.holders.items():
                tokens = kept.get(f"pool {word}")
                if tokens is not None:
                    v[base : base + len(tokens)] = tokens
            supply = kept.get(f"pool supply.{data.name}")
            if supply is not None and data.supply >= 0:
                v[data.supply : data.supply + data.size] = supply


def _plain(play: Play, slot: int, kind: Any) -> Any:
    """A value by names; a piece by its own, though nothing may tell it apart for players."""
    v, names = play.state, play.world.pieces.names
    match kind:
        case Elem(root=root) if root.kind == "piece":
            return names[v[slot]] if v[slot] >= 0 else None
        case SetOf(of=Elem(root=root)) if root.kind == "piece":
            return [names[piece] for piece in bits(v[slot])]
        case ListOf(of=Elem(root=root)) if root.kind == "piece":
            return [names[piece] for piece in v[slot + 1 : slot + 1 + v[slot]]]
    return play.viewer.plain(v, slot, kind)


def _put(v: list[int], slot: int, width: int, kind: Any, plain: Any) -> None:
    """Nothing is left of the value that stood there."""
    match kind:
        case Elem(root=root, maybe=maybe):
            gone = maybe and root.kind == "player" and plain not in root.names  # who does not play on
            v[slot] = -1 if plain is None or gone else _number(root, plain)
        case SetOf(of=Elem(root=root)):
            v[slot] = sum(1 << _number(root, name) for name in plain)
        case SetOf(of=Num(high=high)):
            if not all(0 <= n <= high for n in plain):
                raise SaveError("a number that was kept no longer fits")
            v[slot] = sum(1 << n for n in plain)
        case BagOf(root=root):
            v[slot : slot + root.size] = [0] * root.size
            for name, n in plain.items():
                v[slot + _number(root, name)] = n
        case ListOf(of=of):
            items = [_number(of.root, item) if isinstance(of, Elem) else item for item in plain]
            v[slot : slot + width] = [len(items), *items] + [0] * (width - 1 - len(items))
        case Num():
            v[slot] = -(2**31) if plain is None else plain
        case _:
            v[slot] = int(plain)


def _number(root: Root, name: str) -> int:
    if name not in root.names:
        raise SaveError(f"there is no `{name}` any more")
    return int(root.names.index(name))
