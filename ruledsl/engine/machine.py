"""The reference interpreter: walks the blocks of a program until play stops to ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ruledsl.ir import core as C
from ruledsl.ir.core import ENDED, PC, STREAMS, TOO_FAR, WINNERS, Endless, RulesFault
from ruledsl.records import dataclass
from ruledsl.source.text import Span
from ruledsl.types import NONE, bits

from .actions import ACTIONS
from .evaluate import Eval, Evaluator
from .menus import MOST_OPTIONS, TOO_MANY_OUTCOMES
from .options import Options
from .pieces import Pieces
from .random import draw, scrambled, seeded, shuffled

State = list[int]
LOOKED = 20_000  # blocks of an endless loop that are gone through to find it
UNDECIDED = "nothing was decided for {} steps: a loop of the rules never ends"
TRIED_OUT = "an effect that is tried out ran {} steps: a loop of the rules never ends"
STEPS = 500_000  # blocks between two decisions; more is a loop that never ends


@dataclass(slots=True)
class Stop:
    """Where play stands: a choice of a seat with its options, a chance point, secret plans, or the end.

    Nothing changes it; it is not frozen because that makes it three times as slow to come by.
    """

    kind: str  # choice, chance, together, drafted, over
    choice: C.Choice | None = None
    chance: C.Chance | None = None
    together: C.Together | None = None
    seat: int = NONE
    options: tuple[Any, ...] = ()


OVER = Stop("over")


class Machine:
    """Runs one program. It keeps no state of its own but caches; states are plain lists."""

    def __init__(self, program: C.Program) -> None:
        self.program = program
        self.evaluator = Evaluator(self)
        self.pieces = Pieces(program, self.evaluator)
        self.options = Options(self)
        self.blocks: list[tuple[list[Callable[[State], Any]], C.Terminator] | None] = [None] * len(program.blocks)
        self.width = program.layout.size + program.scratch
        self.most_steps = STEPS
        self.looked = LOOKED
        self.say: Callable[[State, C.Say], None] | None = None  # where lines of the log go
        self.by_blocks = 0  # while it is not 0, every block runs as it stands in `blocks`
        self.beyond: Machine | None = None  # looks ahead
        self.watch: Callable[[Any], None] | None = None  # told of every block, operation and branch that runs

    def hooked(self, hooks: Mapping[int, Callable[[State], None]]) -> Machine:
        """A machine for the same program that tells of blocks, by number, before they run."""
        machine = Machine(self.program)
        for at, hook in hooks.items():
            ops, end = machine._make(at)
            machine.blocks[at] = ([hook, *ops], end)
        return machine

    # ------------------------------------------------------------------------------------------- running

    def start(self, seed: int) -> State:
        """The state before the first block."""
        v = list(self.program.template) + [0] * self.program.scratch
        for i in range(len(C.STREAM_NAMES)):
            v[STREAMS + i] = seeded(seed, i)
        v[C.TURN_PLAYER] = NONE
        v[PC] = self.program.start
        return v

    def run(self, v: State, ask_chance: bool = False, answers: list[Any] | None = None) -> Stop:
        """Goes on until somebody has to decide; chance is drawn from the streams unless it is to be asked for."""
        blocks, steps = self.blocks, 0
        while True:
            at = v[PC]
            block = blocks[at] or self._make(at)
            for op in block[0]:
                op(v)
            end = block[1]
            if self.watch is not None:
                self.watch(end)
            kind = type(end)
            if kind is C.Jump:
                v[PC] = end.to  # type: ignore[union-attr]
            elif kind is C.Branch:
                taken = self.evaluator.of(end.condition)(v)  # type: ignore[union-attr]
                v[PC] = end.then if taken else end.otherwise  # type: ignore[union-attr]
                if self.watch is not None:
                    self.watch((end, bool(taken)))
            else:
                stop = self._end(v, end, ask_chance, answers)
                if stop is not None:
                    return stop
            steps += 1
            if steps > self.most_steps:
                raise Endless(self._loop(v), UNDECIDED.format(self.most_steps))

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """While it lasts, nobody is told what happens: for plays that are only thought of."""
        kept = self.say, self.watch, self.pieces.watch
        self.say = self.watch = self.pieces.watch = None
        try:
            yield
        finally:
            self.say, self.watch, self.pieces.watch = kept

    def _loop(self, v: State) -> Span | None:
        """The place of the loop in which a play goes round without end: of the loops that come round from here on the
        outermost, which does so most seldom. Nothing that is found out changes the play."""
        copy, rounds = v[:], Counter[int]()
        with self.quiet(), suppress(RulesFault):
            for _ in range(self.looked):
                at = copy[PC]
                if not 0 <= at < len(self.blocks):
                    break
                ops, end = self.blocks[at] or self._make(at)
                rounds[at] += 1
                for op in ops:
                    op(copy)
                if isinstance(end, C.Jump):
                    copy[PC] = end.to
                elif isinstance(end, C.Branch):
                    copy[PC] = end.then if self.evaluator.of(end.condition)(copy) else end.otherwise
                elif self._end(copy, end, False, None) is not None:
                    break
        program = self.program
        loops = [at for at, times in rounds.items() if times > 1 and program.blocks[at].span is not None]
        return program.blocks[min(loops, key=lambda at: (rounds[at], at))].span if loops else None

    def _end(self, v: State, end: C.Terminator, ask_chance: bool, answers: list[Any] | None) -> Stop | None:
        """What a block that does not simply go on does; a `Stop` if play stands there."""
        match end:
            case C.CallProcedure(procedure=procedure, args=args, then=then):
                values = [self.evaluator.of(arg)(v) for arg in args]
                for slot, value in zip(procedure.parameters, values, strict=True):
                    self.store(v, slot, value)
                v[procedure.back] = then
                v[PC] = procedure.entry
            case C.Return(procedure=procedure):
                v[PC], v[procedure.back] = v[procedure.back], 0
            case C.Dispatch(index=index, cases=cases, otherwise=otherwise):
                v[PC] = cases.get(self.evaluator.of(index)(v), otherwise)
            case C.Choice(by=by, stuck=stuck):
                seat = self.evaluator.of(by)(v)
                options = self.options.all(v, end, seat)
                if options:
                    self.pieces.notice(v)
                    return Stop("choice", choice=end, seat=seat, options=options)
                v[PC] = stuck
            case C.Chance():
                if ask_chance and self.outcomes(v, end) > 1:
                    return Stop("chance", chance=end)
                answer = self.draw(v, end)
                if answers is not None:
                    answers.append(answer)
                self.answer(v, end, answer)
            case C.Together():
                self.pieces.notice(v)
                return Stop("together", together=end)
            case C.Drafted():
                return Stop("drafted")
            case C.Finish(ending=ending, winners=winners):
                v[ENDED] = ending
                v[WINNERS] = self.evaluator.of(winners)(v) if winners is not None else 0
                return OVER
            case _:
                raise AssertionError(end)
        return None

    def run_procedure(self, v: State, procedure: C.Procedure, values: list[Any]) -> None:
        """Runs an effect that neither asks nor rolls, to its end."""
        v[procedure.back] = -1
        for slot, value in zip(procedure.parameters, values, strict=True):
            self.store(v, slot, value)
        v[PC] = procedure.entry
        say, self.say = self.say, None
        steps = 0
        try:
            while v[PC] != -1:
                block = self.blocks[v[PC]] or self._make(v[PC])
                for op in block[0]:
                    op(v)
                end = block[1]
                if self.watch is not None:
                    self.watch(end)
                if isinstance(end, C.Jump):
                    v[PC] = end.to
                elif isinstance(end, C.Branch):
                    taken = self.evaluator.of(end.condition)(v)
                    v[PC] = end.then if taken else end.otherwise
                    if self.watch is not None:
                        self.watch((end, bool(taken)))
                elif self._end(v, end, False, None) is not None:
                    return  # the effect ended the play
                steps += 1
                if steps > self.most_steps:
                    raise Endless(self._loop(v), TRIED_OUT.format(self.most_steps))
        finally:
            self.say = say

    def ways(self, v: State, node: C.Lookahead, values: list[Any]) -> Iterator[State]:
        """The states in which an effect ends, whatever is answered on the way, each kept as long as the next is not
        asked for. It is gone through on a machine of its own, so that options that are being listed stay as they are.
        """
        if self.beyond is None:
            self.beyond = self.one_beyond()
            self.beyond.watch = self.watch
        one, size, procedure = self.beyond, self.program.layout.size, node.procedure
        first = v[:size] + v[size : self.width] + [0] * (self.width - len(v))
        first[procedure.back], first[PC] = node.end, procedure.entry
        for slot, value in zip(procedure.parameters, values, strict=True):
            one.store(first, slot, value)
        seen: set[tuple[int, ...]] = set()
        waiting = [iter((first,))]
        while waiting:
            state = next(waiting[-1], None)
            if state is None:
                waiting.pop()
                continue
            say, self.say = self.say, None  # as in `run_procedure`: who counts what is played leaves this out
            try:
                stop = one.run(state)
            finally:
                self.say = say
            if stop.kind == "over":
                yield state
            elif (key := tuple(state[:size])) not in seen:
                seen.add(key)
                if len(seen) > node.most:
                    raise RulesFault(node.span, TOO_FAR.format(node.most))
                waiting.append(one.answered(state, stop))

    def one_beyond(self) -> Machine:
        """The machine that looks ahead."""
        return Machine(self.program)

    def answered(self, v: State, stop: Stop) -> Iterator[State]:
        """The states behind each option of a choice at which play stands."""
        assert stop.choice is not None, "who looks ahead meets only choices"
        for option in stop.options:
            copy = v[:]
            self.options.take(copy, stop.choice, option)
            yield copy

    def _make(self, at: int) -> tuple[list[Callable[[State], Any]], C.Terminator]:
        block = self.program.blocks[at]
        assert block.end is not None, f"block {at} has no end"
        made = ([self._op(op) for op in block.ops], block.end)
        self.blocks[at] = made
        return made

    # ---------------------------------------------------------------------------------------- operations

    def _op(self, op: C.Operation) -> Callable[[State], Any]:
        do = self._plain_op(op)
        if self.watch is None:
            return do

        def watched(v: State) -> None:
            if self.watch is not None:
                self.watch(op)
            do(v)

        return watched

    def _plain_op(self, op: C.Operation) -> Callable[[State], Any]:
        of = self.evaluator.of
        match op:
            case C.Put(base=base, index=None, value=node):
                value = of(node)

                def put(v: State) -> None:
                    v[base] = +value(v)

                return put
            case C.Put(base=base, index=at, value=node, span=span):
                assert at is not None
                value, index = of(node), of(at)

                def put_at(v: State) -> None:
                    i = index(v)
                    if i < 0:
                        raise RulesFault(span, "this is none, so there is nothing to set")
                    v[base + i] = +value(v)

                return put_at
            case C.PutSeveral(base=base, index=at, count=count, value=node, is_list=is_list, span=span):
                value = of(node)
                which = of(at) if at is not None else None

                def put_several(v: State) -> None:
                    start = base + (which(v) * count if which is not None else 0)
                    items = value(v)
                    if is_list:
                        self.store_list(v, start, count, items, span)
                    else:
                        v[start : start + count] = items

                return put_several
            case C.Zero(slots=slots):

                def zero(v: State) -> None:
                    for slot in slots:
                        v[slot] = 0

                return zero
            case C.Move(pieces=node, form=form, to=to, at=at, turned=turned, span=span):
                return self._move(of(node), form, of(to), at, turned, span)
            case C.Act(name=name):
                return ACTIONS[name](self, [of(arg) for arg in op.args], op)
            case C.Say():

                def say(v: State) -> None:
                    if self.say is not None:
                        self.say(v, op)

                return say
        raise AssertionError(op)

    def _move(self, pieces: Any, form: str, to: Any, at: Any, turned: Any, span: Span | None) -> Callable[[State], Any]:
        where = self.evaluator.of(at) if at is not None and not isinstance(at, str) else None
        turn = self.evaluator.of(turned) if turned is not None else None
        move, turn_slot = self.pieces.move, self.program.spots.turn

        def do(v: State) -> None:
            found = pieces(v)
            if form == "one":
                if found < 0:
                    raise RulesFault(span, "there is no piece to move")
                found = (found,)
            elif form == "set":
                found = tuple(bits(found))
            spot = to(v)
            if spot < 0:
                raise RulesFault(span, "there is nowhere to move to")
            position = where(v) if where is not None else at
            along = 0
            for piece in found:
                along |= 1 << piece
            for piece in found:
                move(v, piece, spot, position, span, along)
                if turn_slot >= 0:
                    v[turn_slot + piece] = turn(v) if turn is not None else 0

        return do

    def store(self, v: State, slot: int, value: Any) -> None:
        """A value into the slots of a parameter or variable; lists and bags take several."""
        if isinstance(value, tuple):
            cap = self.program.wide.get(slot)
            if cap is None:
                v[slot : slot + len(value)] = value
            else:
                self.store_list(v, slot, cap, value, None)
        else:
            v[slot] = +value

    def store_list(self, v: State, start: int, cap: int, items: tuple[int, ...], span: Span | None) -> None:
        if len(items) > cap - 1:
            raise RulesFault(span, f"this list would have {len(items)} items, and {cap - 1} are the most")
        v[start] = len(items)
        v[start + 1 : start + 1 + len(items)] = items
        for slot in range(start + 1 + len(items), start + cap):
            v[slot] = 0

    # -------------------------------------------------------------------------------------------- chance

    def outcomes(self, v: State, chance: C.Chance) -> int:
        """How many outcomes a chance point has; a shuffle of one card is not worth asking for."""
        if chance.kind == "shuffle":
            assert chance.place is not None
            return len(self.pieces.on(v, self.evaluator.of(chance.place)(v)))
        return len(self.domain(v, chance))

    def domain(self, v: State, chance: C.Chance) -> list[tuple[Any, int]]:
        """The values of a random pick with their weights."""
        variable = chance.variable
        assert variable is not None
        test = self.evaluator.of(variable.where) if variable.where is not None else None
        weight = self.evaluator.of(chance.weight) if chance.weight is not None else None
        found = []
        for value in self.evaluator.values(variable.each)(v):
            v[variable.slot] = value
            if test is None or test(v):
                n = weight(v) if weight is not None else 1
                if n > 0:
                    found.append((value, n))
                    if len(found) > MOST_OPTIONS:
                        raise RulesFault(chance.span, TOO_MANY_OUTCOMES)
        v[variable.slot] = 0
        return found

    def draw(self, v: State, chance: C.Chance) -> Any:
        """An outcome from the stream of the state."""
        slot = STREAMS + chance.stream
        if chance.kind == "shuffle":
            assert chance.place is not None
            return tuple(shuffled(v, slot, list(self.pieces.on(v, self.evaluator.of(chance.place)(v)))))
        values = self.domain(v, chance)
        if not values:
            raise RulesFault(chance.span, "there is nothing to pick from")
        rest = draw(v, slot, sum(weight for _, weight in values)) if len(values) > 1 else 0
        for value, weight in values:
            rest -= weight
            if rest < 0:
                return value
        raise AssertionError("weights are positive")

    def answer(self, v: State, chance: C.Chance, answer: Any) -> None:
        """Lets a chance point come out so, and play go on behind it."""
        if chance.kind == "shuffle":
            assert chance.place is not None
            spot = self.evaluator.of(chance.place)(v)
            if self.program.spots.ordered[spot]:
                self.pieces.arrange(v, spot, tuple(answer))
            self.pieces.forget(v, spot)
        else:
            assert chance.variable is not None
            v[chance.variable.slot] = answer
        v[PC] = chance.then

    # ------------------------------------------------------------------------------------------- choices

    def choose(self, v: State, choice: C.Choice, option: Any) -> None:
        """Takes an option of the choice at which play stands; `run` goes on from there."""
        if self.watch is not None:
            self.watch((choice, option[0]))
        self.options.take(v, choice, option)

    def quicker(self, node: C.Node) -> Eval | None:
        """A function that works out an expression in less time than the evaluator; None where there is none."""
        return None

    # -------------------------------------------------------------------------------------------- pieces

    def twin(self, v: State, piece: int) -> Any:
        """Equal for two pieces that nothing tells apart: same row, same state, same place."""
        spots, at = self.program.spots, v[self.program.spots.at + piece]
        if spots.ordered[at] and at >= spots.first_place:
            return piece
        slot = v[spots.slot + piece] if spots.slot >= 0 else 0
        return (self.looks(v, piece), at, slot)

    def veil(self, v: State, piece: int) -> tuple[int, ...]:
        """Orders hidden pieces without betraying which is which: by where they lie in an order that all see, by what
        all see of them, then so that nobody can foresee it.

        The first stream is never drawn from, so it is the same in a replay; each turn has another order, for an
        order that stays would betray pieces that were seen once.
        """
        turn = scrambled(v[STREAMS] + v[C.TURN_NUMBER] * 8191 + v[C.ROUND])
        backs = (v[base + piece] for base in self.program.backs)
        return self._position(v, piece), *backs, scrambled(turn ^ piece * 0x9E3779B97F4A7C15)

    def _position(self, v: State, piece: int) -> int:
        """How many lie below a piece in a pile or row, or its slot; 0 in places without order."""
        spots = self.program.spots
        at = v[spots.at + piece]
        if at < spots.first_place or not spots.ordered[at]:
            return v[spots.slot + piece] if spots.slot >= 0 else 0
        below = 1
        while (piece := v[spots.under + piece]) >= 0:
            below += 1
        return below

    def looks(self, v: State, piece: int) -> Any:
        """A number that is equal for two pieces of one row in the same state."""
        key = self.program.rows[piece]
        for base in self.program.piece_state:
            key = key * 8191 + v[base + piece]
        return key
