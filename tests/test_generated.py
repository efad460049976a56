"""Whether Python made for a game plays as the reference interpreter does, decision by decision and slot by slot."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agreement import Difference, Names, Variant, Way, only_one_side, variants

import games
import ruledsl
from ruledsl.analysis.declarations.options import OptionError
from ruledsl.compiler.dump import STAGES
from ruledsl.engine.machine import Machine, Stop
from ruledsl.generate.passes import NONE_OFF, Off
from ruledsl.generate.python_machine import GeneratedMachine
from ruledsl.generate.python_ways import PythonWays
from ruledsl.ir import core as C
from ruledsl.ir.core import RulesFault
from ruledsl.runtime.together import Drafts
from ruledsl.simulation.generated import Generated
from ruledsl.simulation.interpreter import Interpreter

State = list[int]
SHORT, LONG = 250, 3000  # decisions of a play
SEEDS = 20  # that are tried to find a shorter way to a difference
TIC_TAC_TOE = games.ROOT / "examples" / "tic-tac-toe.yaml"


def _told(choice: Any) -> Any:
    """What a choice is, whatever a pass has made of its expressions."""
    return choice and (choice.span, [entry.name for entry in choice.entries])


class Pair:
    """A program on the interpreter and on Python made for it."""

    def __init__(self, variant: Variant, without: Off = NONE_OFF) -> None:
        self.variant, self.configured = variant, variant.configured()
        program = self.configured.machine.program
        self.machines = (Machine(program), GeneratedMachine(program, without=without))
        self.names = Names(program)

    def steps(self, seed: int, most: int) -> int:
        """One play; how many decisions there were. Where the two part, the shortest way to it is told."""
        try:
            return self._steps(seed, most)
        except Difference as first:
            shortest = first
            for other in range(SEEDS):
                try:
                    self._steps(other, _length(shortest) - 1)
                except Difference as found:
                    shortest = found
            raise shortest from None

    def _steps(self, seed: int, most: int) -> int:
        way, rng = Way(self.variant.name, seed), random.Random(seed)
        states = tuple(machine.start(seed) for machine in self.machines)
        for step in range(most):
            mine, theirs = (_go(machine, v) for machine, v in zip(self.machines, states, strict=True))
            self._same(way, states, mine, theirs)
            if isinstance(mine, str) or isinstance(theirs, str) or mine.kind in ("over", "drafted"):
                return step
            if mine.kind == "together":
                if not self._secrets(way, rng, states, mine, theirs):
                    return step
                continue
            option = rng.choice(mine.options)
            way.taken.append(str(option))
            for machine, v, stop in zip(self.machines, states, (mine, theirs), strict=True):
                assert stop.choice is not None
                machine.choose(v, stop.choice, option)
        return most

    def _same(self, way: Way, states: tuple[State, ...], mine: Stop | str, theirs: Stop | str) -> None:
        said = [stop if isinstance(stop, str) else stop.kind for stop in (mine, theirs)]
        if said[0] != said[1]:
            raise _part(way, f"{said[0]} / {said[1]}", [])
        if isinstance(mine, str) or isinstance(theirs, str):
            return
        differences = self.names.differences(*states)
        if differences:
            raise _part(way, "the states differ", differences)
        odd = [self.names.names[i] for i in range(self.names.size) if type(states[1][i]) is not int]
        if odd:
            raise _part(way, f"no plain numbers: {', '.join(odd)}", [])
        if mine.seat != theirs.seat or _told(mine.choice) != _told(theirs.choice):
            raise _part(way, f"{mine.seat} is asked / {theirs.seat}", [])
        if mine.options != theirs.options:
            raise _part(way, "the options differ", only_one_side(list(mine.options), list(theirs.options)))

    def _secrets(self, way: Way, rng: random.Random, states: tuple[State, ...], mine: Stop, theirs: Stop) -> bool:
        """All decide in secret; False if the rules are at fault there, on both alike."""
        faults: list[str] = []
        taken: list[Any] = []
        for machine, v, stop in zip(self.machines, states, (mine, theirs), strict=True):
            assert stop.together is not None
            try:
                drafts = Drafts(machine, v, stop.together)
                options = iter(taken)
                while drafts.waiting():
                    seat = drafts.waiting()[0]
                    offered = drafts.stops[seat].options
                    option = next(options, None) if machine is self.machines[1] else rng.choice(offered)
                    if machine is self.machines[0]:
                        taken.append(option)
                        way.taken.append(f"{seat}: {option}")
                    if option not in offered:
                        raise _part(way, f"{option} is offered in secret to {seat} by one only", [])
                    drafts.choose(seat, option)
                drafts.finish(lambda stop, option: None)
            except RulesFault as fault:
                faults.append(fault.message)
        assert len(faults) in (0, 2), way.part(f"a fault on one side only: {faults}", [])
        return not faults


class _Parted(Difference):
    length = 0


def _part(way: Way, what: str, details: list[str]) -> Difference:
    found = _Parted(str(way.part(what, details)))
    found.length = len(way.taken)
    return found


def _length(difference: Difference) -> int:
    return getattr(difference, "length", 0) + 1


def _go(machine: Machine, v: State) -> Stop | str:
    try:
        return machine.run(v)
    except RulesFault as fault:
        where = f"{fault.span.file.path}:{fault.span.line}:{fault.span.column} " if fault.span is not None else ""
        return f"fault: {where}{fault.message}"


def _first_and_last(path: Path) -> Iterator[Variant]:
    counts = games.load(path).players
    for players in sorted({counts[0], counts[-1]}):
        yield Variant(path, players, {})


# ------------------------------------------------------------------------------------------------------ agreement


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_generated_python_plays_as_the_interpreter_does(path: Path) -> None:
    for variant in _first_and_last(path):
        pair = Pair(variant)
        for seed in range(2):
            pair.steps(seed, SHORT)


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_it_counts_what_the_interpreter_counts(path: Path) -> None:
    configured = next(_first_and_last(path)).configured()
    found = []
    for make in (Interpreter, Generated):
        executor = make(configured)
        rows = array("q", bytes(8 * 2 * executor.shape.width))
        counts = array("q", bytes(8 * executor.shape.counts))
        executor.run(3, 0, rows, counts, SHORT)
        found.append((rows.tolist(), counts.tolist()))
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_generated_python_always_plays_as_the_interpreter_does(path: Path) -> None:
    for number, variant in enumerate(variants(path)):
        pair = Pair(variant)
        for seed in range(3 if number else 40):
            pair.steps(seed, LONG)


def test_the_shortest_disagreement_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PythonWays, "prim_line", lambda words, node, kind: "0")  # nobody ever has three in a row
    with pytest.raises(Difference) as problem:
        Pair(Variant(TIC_TAC_TOE, 2, {})).steps(0, SHORT)
    told = str(problem.value).splitlines()
    assert re.fullmatch(r"tic-tac-toe 2, seed \d+, after 5 decisions: over / choice", told[0])
    assert re.fullmatch(r"the decisions: \(0, \d\)(; \(0, \d\)){4}", told[-1])


# ------------------------------------------------------------------------------------------------- as part of plays


@pytest.mark.parametrize("name", ["love-letter", "holdem", "fortress", "backgammon"])
def test_plays_say_the_same_on_both(name: str) -> None:
    path = games.PATHS[games.NAMES.index(name)]
    told = []
    for backend in ("interpreter", "python"):
        play, rng = ruledsl.load(path, backend=backend).start(seed=4), random.Random(4)
        for _ in range(60):
            if play.over:
                break
            options = play.options()
            play.choose(rng.choice(options))
        told.append(
            (play.lines(0), play.lines(), play.view(0), play.scores() if play.over else None, play.to_json()["state"])
        )
    assert told[0] == told[1]


def test_chance_may_be_asked_for() -> None:
    path = games.PATHS[games.NAMES.index("yacht")]
    stops = []
    for backend in ("interpreter", "python"):
        play = ruledsl.load(path, backend=backend).start(seed=1, chance="ask")
        found = []
        for _ in range(12):
            chance = play.chance
            if chance is not None:
                found.append(str(chance.outcomes))
                play.answer(chance.outcomes[0][0])
            else:
                found.append(str([option.raw for option in play.options()]))
                play.choose(0)
        stops.append(found)
    assert stops[0] == stops[1]


def test_a_state_from_elsewhere_gets_its_sets() -> None:
    variant = Variant(games.ROOT / "examples" / "connect-four.yaml", 2, {})
    program = variant.configured().machine.program
    plain, made = Machine(program), GeneratedMachine(program)
    v = made.start(0)
    assert made.pieces.kept, "the game is for trying out kept sets"
    for _ in range(9):
        stop = made.run(v)
        assert stop.choice is not None
        made.choose(v, stop.choice, stop.options[len(stop.options) // 2])
    bare = [*v[: program.layout.size], *[0] * program.scratch]
    assert made.run(bare).options == plain.run(bare[: program.layout.size] + [0] * program.scratch).options
    stop = made.run(v)
    assert bare[: len(v) - program.scratch] == v[: len(v) - program.scratch]


def test_pieces_that_are_put_by_hand_are_noticed() -> None:
    play = ruledsl.load(TIC_TAC_TOE).start()
    machine, v = play.machine, play.state
    piece = machine.program.roots["piece"].names.index(next(iter(machine.program.roots["piece"].names)))
    machine.pieces.move(v, piece, 4)
    assert [option[1] for option in machine.run(v).options] == [0, 1, 2, 3, 5, 6, 7, 8]


def test_who_watches_is_told_of_every_block() -> None:
    variant = Variant(TIC_TAC_TOE, 2, {})
    program = variant.configured().machine.program
    told = []
    for machine in (Machine(program), GeneratedMachine(program)):
        seen: list[Any] = []
        machine.watch = seen.append
        v = machine.start(0)
        stop = machine.run(v)
        assert stop.choice is not None
        machine.choose(v, stop.choice, stop.options[0])
        machine.run(v)
        told.append(seen)
    assert told[0] == told[1]
    assert any(isinstance(one, C.Branch) for one in told[0])


def test_the_backend_of_plays_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(ruledsl.load(TIC_TAC_TOE).start().machine, GeneratedMachine)
    assert type(ruledsl.load(TIC_TAC_TOE, backend="interpreter").start().machine) is Machine
    monkeypatch.setenv("RULEDSL_BACKEND", "interpreter")
    assert type(ruledsl.load(TIC_TAC_TOE).start().machine) is Machine
    monkeypatch.setenv("RULEDSL_BACKEND", "pyton")
    with pytest.raises(OptionError, match="there is no backend `pyton` for plays; did you mean `python`"):
        ruledsl.load(TIC_TAC_TOE)


LOOPS = """\
ruledsl: 1
game: loops
title: Loops
players: 2
values: {n: 0..3}
effects:
  spin:
    - while: n < 3
      most: 100000000
      do:
        - set: {n: 0}
actions:
  go:
    choose: {k: 1..2}
    where: would(spin(), n == 3)
    do:
      - set: {n: k}
  stay:
    do:
      - spin()
play:
  - turns: players
    do:
      - choose one: [MENU]
"""


@pytest.mark.parametrize(
    ("menu", "what"), [("stay", "nothing was decided for"), ("go, stay", "an effect that is tried")]
)
def test_a_loop_that_never_ends_is_noticed(tmp_path: Path, menu: str, what: str) -> None:
    path = tmp_path / "loops.yaml"
    path.write_text(LOOPS.replace("MENU", menu), encoding="utf-8")
    faults = []
    for backend in ("interpreter", "python"):
        game = ruledsl.load(path, backend=backend)
        game.configured().machine.most_steps = 1000
        play = game.start()
        if not play.over:
            play.choose(0)
        assert play.fault is not None
        faults.append(play.fault.message)
    assert faults[0] == faults[1]
    assert what in faults[0]
    assert "1000 steps" in faults[0]


@pytest.mark.parametrize("path", games.PATHS, ids=games.NAMES)
def test_the_source_is_shown_whole(path: Path) -> None:
    configured = next(_first_and_last(path)).configured()
    text = STAGES["python"](None, configured.world, configured.machine.program)  # type: ignore[arg-type]
    assert text.startswith(f"# {configured.machine.program.name}: made by ruledsl")
    assert " object at 0x" not in text
    functions = text[text.index("\ndef ") :]
    compile(functions, "functions", "exec")
    assert functions.count("\ndef ") > 2
