"""Saving a play and resuming it: checked field by field, for a save is a file that anybody may have written."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ruledsl import started
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.boards.marks import plain
from ruledsl.diagnostics.model import GameError
from ruledsl.engine.options import STRIDE
from ruledsl.ir import core as C
from ruledsl.types import NO_NUMBER, BagOf, Bool, Elem, ListOf, Num, SetOf, Type

if TYPE_CHECKING:
    from ruledsl.runtime.game import Configured, Game

    from .by_name import Note
    from .play import Play

FORMAT = 2  # since 2 a save also says by names what is in it
MOST_BYTES = 20_000_000
MOST_SAID = 300  # characters of a message
MOST_TURNS = 64  # ways a tile can lie


class SaveError(Exception):
    """A save that cannot be resumed, in words for the one who tried; what the save says reaches no terminal raw."""

    def __init__(self, message: str) -> None:
        super().__init__(plain(message)[:MOST_SAID])


class OtherRules(SaveError):
    """A save that was made with other rules: it may be carried over."""


def to_json(play: Play) -> dict[str, Any]:
    """A play as plain data: what was configured, where it stands, what was decided."""
    from .by_name import describe

    size = play.machine.program.layout.size
    return {
        "ruledsl": FORMAT,
        "game": play.game.name,
        "rules": play.configured.rules,
        "players": play.players,
        "options": play.configured.options,
        "seed": play.seed,
        "settled": play.settled,
        "result": play.result,
        "state": [int(x) for x in play.state[:size]],
        "decisions": [[d.seat, _plain(d.choice), d.text] for d in play.decisions],
        "named": describe(play.configured, play.state),
    }


def _plain(choice: Any) -> Any:
    return list(choice) if isinstance(choice, tuple) else choice


def save(play: Play) -> bytes:
    return json.dumps(to_json(play), ensure_ascii=False, separators=(",", ":")).encode()


def _is_position(data: Any) -> bool:
    """Whether a file says what `given:` of a test says."""
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else str(data)
    return re.search(r"^(?:- )?given:", text, re.MULTILINE) is not None


def parse(data: bytes | str | dict[str, Any]) -> dict[str, Any]:
    """The plain data of a save, with the right keys of the right sorts."""
    if isinstance(data, bytes | str):
        if len(data) > MOST_BYTES:
            raise SaveError("this file is too large for a save")
        try:
            data = json.loads(data)
        except (ValueError, RecursionError):
            if _is_position(data):
                raise SaveError(
                    "this is not a save of a play but a position; put it in a test, or list its options with "
                    f"`{started.command()} offered GAME --from FILE`"
                ) from None
            raise SaveError("this is not a save of a play: it cannot be read as JSON") from None
    if not isinstance(data, dict):
        raise SaveError("this is not a save of a play")
    sorts = {
        "ruledsl": int,
        "game": str,
        "rules": str,
        "players": list,
        "options": dict,
        "seed": int,
        "settled": bool,
        "state": list,
        "decisions": list,
    }
    for key, sort in sorts.items():
        if type(data.get(key)) is not sort:
            raise SaveError(f"this is not a save of a play: `{key}` is missing or wrong")
    if data["ruledsl"] != FORMAT:
        raise SaveError(f"this save has format {data['ruledsl']}, and this program reads format {FORMAT}")
    if not data["players"] or not all(isinstance(name, str) for name in data["players"]):
        raise SaveError("this is not a save of a play: `players` is wrong")
    for number, decision in enumerate(data["decisions"], 1):
        if not _is_decision(decision, len(data["players"])):
            raise SaveError(f"this is not a save of a play: decision {number} is wrong")
    return data


def _is_decision(found: Any, players: int) -> bool:
    """Whose it was (-1 for chance), what was chosen as a number or numbers, and its text."""
    match found:
        case [int(seat), choice, str()] if type(seat) is int and -1 <= seat < players:
            items = choice if isinstance(choice, list) else [choice]
            return (seat < 0 or (isinstance(choice, list) and len(choice) > 0)) and all(type(x) is int for x in items)
    return False


def check_state(configured: Configured, state: list[Any]) -> None:
    """Every slot of a state must hold what its field may hold, and the pieces must lie where their spots say."""
    program = configured.machine.program
    if len(state) != program.layout.size or not all(type(x) is int for x in state):
        raise SaveError("the state of this save does not fit the rules")
    known = _known_better(program, state)
    for field in program.layout.fields:
        if field.type is None and field.base not in known:
            _check_own(program, field, state, field.base, field.count * field.width)
            continue
        for i in range(field.count):
            slot = field.base + i * field.width
            _check_item(program, field, known.get(slot, field.type), state, slot)
    if not 0 <= state[C.PC] < len(program.blocks):
        raise SaveError("the save does not match any point of the rules")
    if not isinstance(program.blocks[state[C.PC]].end, C.Choice | C.Chance | C.Together | C.Drafted | C.Finish):
        if state[C.ENDED] == C.VOID:
            raise SaveError("the play ended in a fault of the rules, so it cannot go on")
        raise SaveError("the save is not at a point where a play can stop")
    end = program.blocks[state[C.PC]].end
    if isinstance(end, C.Choice) and end.stage is not None and state[end.stage]:
        number, position = divmod(state[end.stage] - 1, STRIDE)
        if number >= len(end.entries) or position >= len(end.entries[number].variables):
            raise SaveError("the save is not at a step of a choice")
    if program.roots["piece"].size:
        _check_pieces(configured, state)


def _known_better(program: C.Program, state: list[int]) -> dict[int, Type]:
    """Slots of which more is known than their field says, for it was laid out before that was known."""
    found: dict[int, Type] = {}
    for number, block in enumerate(program.blocks):
        end = block.end
        variables: tuple[C.Variable, ...] = ()
        if isinstance(end, C.Choice):
            variables = tuple(variable for entry in end.entries for variable in entry.variables)
            if end.stage is not None and number != state[C.PC]:
                found[end.stage] = Num(0, 0)  # only the choice that is being made has come to some step
        elif isinstance(end, C.Chance) and end.variable is not None:
            variables = (end.variable,)
        found |= {one.slot: one.type for one in variables if one.fewest is None}
    players = program.roots["player"]
    outer: dict[str, Type] = {
        "outer me": Elem(players, players.everything, True),
        "outer turn player": Elem(players, players.everything, True),
        "outer next": Num(0, players.size),
        "outer phase": Num(0, len(program.phases)),
    }
    return found | {f.base: outer[f.name] for f in program.layout.fields if f.kind == "local" and f.name in outer}


def _check_own(program: C.Program, field: C.Field, state: list[int], first: int, count: int) -> None:
    """Slots of a field that the engine keeps for itself."""
    low, high = _header_range(program, field)
    values = state[first : first + count]
    wrong = next((x for x in values if not low <= x <= high), None)
    if field.kind == "history" and values[0] >= field.count:
        wrong = values[0]
    if wrong is not None:
        raise SaveError(f"`{field.name}` of this save is {wrong}, which it cannot be")


def _check_item(program: C.Program, field: C.Field, kind: Type | None, state: list[int], slot: int) -> None:
    value = state[slot]
    if kind is None:
        _check_own(program, field, state, slot, field.width)
        return
    if isinstance(kind, BagOf):
        items = state[slot : slot + kind.root.size]
        value = next((x for x in items if not 0 <= x <= kind.most), value)
        ok = all(0 <= x <= kind.most for x in items)
    elif isinstance(kind, ListOf):
        count = state[slot]
        ok = 0 <= count <= kind.most and all(_fits(kind.of, x) for x in state[slot + 1 : slot + 1 + count])
    else:
        # What is out of scope is 0, whatever its type.
        ok = value == 0 or _fits(kind, value)
    if not ok:
        raise SaveError(f"`{field.name}` of this save is {value}, which it cannot be")


def _fits(kind: Type, value: int) -> bool:
    match kind:
        case Num(low, high, maybe):
            return low <= value <= high or (maybe and value == NO_NUMBER)
        case Elem(root=root, maybe=maybe):
            return 0 <= value < root.size or (maybe and value == -1)
        case SetOf(of=Elem(root=root)):
            return 0 <= value <= root.everything
        case SetOf(of=Num(_, high, _)):
            return 0 <= value < 1 << (high + 1)
        case Bool():
            return value in (0, 1)
    return False


def _header_range(program: C.Program, field: C.Field) -> tuple[int, int]:
    """What the slots of a field without a type may hold."""
    players = program.roots["player"].size
    match field.kind:
        case "stream" | "history":
            return 0, 2**64 - 1
        case "piece":
            return -1, max(program.spots.count, program.roots["piece"].size, MOST_TURNS)
        case "spot":
            return -1, program.roots["piece"].size - 1
        case "draft":
            return 0, 2**31 - 1
        case "local":  # the way back from a call
            return -1, len(program.blocks) - 1
    named = {
        "me": (0, players - 1),
        "turn_player": (-1, players - 1),
        "winners": (0, program.roots["player"].everything),
        "ended": (0, len(C.ENDINGS) - 1),
        "phase": (0, len(program.phases)),
        "next turn": (0, players),
        "free action": (0, 1),
        "chosen": (0, len(program.blocks)),
    }
    return named.get(field.name, (-1, 2**31 - 1))


def _check_pieces(configured: Configured, state: list[int]) -> None:
    """The spot of every piece and what every spot holds must say the same."""
    spots, pieces = configured.machine.program.spots, configured.machine.pieces
    total = configured.machine.program.roots["piece"].size
    found = [0] * total
    for spot in range(spots.count):
        if spots.ordered[spot] and not spots.single[spot]:
            lying: list[int] = []
            piece, below = state[spots.bottom + spot], -1
            while piece >= 0 and len(lying) <= total:
                if piece >= total or state[spots.under + piece] != below:
                    raise SaveError("the pieces of this save do not lie in order")
                lying.append(piece)
                below, piece = piece, state[spots.over + piece]
            if piece >= 0 or state[spots.top + spot] != below:
                raise SaveError("the pieces of this save do not lie in order")
        else:
            lying = list(pieces.on(state, spot))
        for piece in lying:
            if piece >= total or state[spots.at + piece] != spot:
                raise SaveError("a piece of this save lies in two places")
            found[piece] += 1
    if found != [1] * total:
        raise SaveError("a piece of this save is lost")
    for board in spots.growing:
        if (state[board.tiled], state[board.frontier]) != pieces.grown(state, board):
            raise SaveError(f"the frontier of `{board.name}` in this save does not fit its tiles")


def resume(game: Game, data: bytes | str | dict[str, Any], any_rules: bool = False) -> Any:
    """The play that a save holds. A save made with other rules is refused, unless the caller takes the risk."""
    found = parse(data)
    if found["game"] != game.name:
        raise SaveError(f"this is a save of `{found['game']}`, not of `{game.name}`")
    command = f"{started.command()} play … --from"
    changed = OtherRules(f"the rules were changed since this was saved; `{command}` offers to carry it over")
    if not found["options"].keys() <= game.options.keys():
        raise changed
    configured = _of(game, found, found["options"])
    if found["rules"] != configured.rules and not any_rules:
        raise changed
    return _play(game, configured, found, found["state"], found["decisions"])


def carry_over(game: Game, data: bytes | str | dict[str, Any]) -> tuple[Any, list[Note]]:
    """The play of a save that was made with other rules, and what is different in it; what was before cannot be
    taken back. Raises `SaveError` with the first thing that does not fit."""
    from .by_name import Note, carry

    found = parse(data)
    if found["game"] != game.name:
        raise SaveError(f"this is a save of `{found['game']}`, not of `{game.name}`")
    given = {name: value for name, value in found["options"].items() if name in game.options}
    configured = _of(game, found, given)
    state, notes = carry(configured, found.get("named"))
    gone = tuple(name for name in found["options"] if name not in given)
    if gone:
        notes.insert(0, Note("gone", "option", gone))
    return _play(game, configured, found, state, []), notes  # what was decided meant other rules


def _of(game: Game, found: dict[str, Any], options: dict[str, Any]) -> Any:
    names = None if list(found["players"]) == default_names(game, len(found["players"])) else found["players"]
    return _configured(game, len(found["players"]), options, names)


def _play(game: Game, configured: Configured, found: dict[str, Any], state: list[Any], decisions: list[Any]) -> Any:
    """The play that stands at a state, which is checked slot by slot."""
    from .play import Decision, Play

    check_state(configured, state)
    pieces = configured.machine.program.roots["piece"].size
    if any(seat < 0 and isinstance(c, list) and not all(0 <= x < pieces for x in c) for seat, c, _ in decisions):
        raise SaveError("a decision of this save is about pieces that are not there")
    play = Play(game, configured, found["seed"], start=False)
    play.state = [*state, *[0] * configured.machine.program.scratch]
    play.decisions = [
        Decision(seat, tuple(choice) if isinstance(choice, list) else choice, text) for seat, choice, text in decisions
    ]
    play.settled = found["settled"]
    play.result = _result(found.get("result"), len(found["players"]))
    if isinstance(configured.machine.program.blocks[play.state[C.PC]].end, C.Choice | C.Chance | C.Together):
        play.go_on()
    if play.fault is not None:
        raise SaveError(f"this save cannot be continued: {play.fault.message}")
    return play


def _configured(game: Game, players: int, options: dict[str, Any], names: list[str] | None) -> Any:
    try:
        return game.configured(players, options, names)
    except (OptionError, GameError, TypeError, ValueError) as problem:
        raise SaveError(f"the players and options of this save do not fit the rules: {problem}") from None


def are_scores(found: Any, players: int) -> bool:
    """Whether this is what each player has, by what it was given for."""
    return len(found) in (0, players) and all(
        isinstance(score, dict) and all(type(points) is int for points in score.values()) for score in found
    )


def _result(found: Any, players: int) -> Any:
    """How a play of a campaign ended that is being settled."""
    match found:
        case [str(ending), [*winners], [*scores]] if (
            ending in C.ENDINGS
            and all(type(w) is int and 0 <= w < players for w in winners)
            and are_scores(scores, players)
        ):
            return ending, list(winners), list(scores)
        case None:
            return None
    raise SaveError("this is not a save of a play: `result` is wrong")


def default_names(game: Game, count: int) -> list[str]:
    from ruledsl.compiler.pipeline import player_names

    return player_names(game.blueprint, count)
