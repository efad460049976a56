"""Operations in generated Python: what changes the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruledsl.ir import core as C
from ruledsl.ir.kinds import ANY_NUMBER
from ruledsl.source.text import Span

from .passes import Pass
from .python_texts import bare

if TYPE_CHECKING:
    from .python_program import PythonProgram


class PythonOperations:
    """Operations in generated Python: what changes the state."""

    def __init__(self, out: PythonProgram) -> None:
        self.out, self.program, self.kinds = out, out.program, out.kinds

    def operation(self, op: C.Operation) -> None:
        out = self.out
        with out.captured() as lines, out.afresh():
            self._operation(op)
        if lines and (place := out.place(_dear_part(op))):
            out.line(f"# {place}")
        out.splice(lines)

    def _operation(self, op: C.Operation) -> None:
        out = self.out
        match op:
            case C.Put(base=base, index=None, value=node):
                out.line(f"v[{base}] = {out.stored(out.value(node)[0], out.kind(node))}")
            case C.Put(base=base, index=at, value=node, span=span):
                assert at is not None
                index = self._index(at, span, "this is none, so there is nothing to set")
                value = out.stored(out.value(node)[0], out.kind(node))
                if out.absorber.by_state and base in self.program.piece_state:
                    piece, now = out.simple(index), out.simple(value)
                    out.wait(lambda: out.moving.state_changes(base, piece, now))
                    out.line(f"{out.item(base, piece)} = {now}")
                else:
                    out.line(f"{out.item(base, index)} = {value}")
            case C.PutSeveral(base=base, index=at, count=count, value=node, is_list=is_list, span=span):
                start = str(base)
                if at is not None:
                    start = out.simple(f"{base} + {out.number(at)} * {count}")
                value = bare(out.list_text(node))
                if is_list:
                    if isinstance(node, C.Const) and isinstance(node.value, tuple) and len(node.value) < count:
                        whole = (len(node.value), *map(int, node.value), *(0,) * (count - 1 - len(node.value)))
                        end = str(base + count) if at is None else f"{start} + {count}"
                        out.line(f"v[{start}:{end}] = {whole}")
                    else:
                        out.line(f"store_list(v, {start}, {count}, {value}, {out.span(span)})")
                else:
                    end = str(base + count) if at is None else f"{start} + {count}"
                    out.line(f"v[{start}:{end}] = {value}")
            case C.Zero(slots=slots):
                self._zero(slots)
            case C.Move():
                self._move(op)
            case C.Act(name=name):
                method = getattr(self, "act_" + name, None)
                if method is None or method(op) is False:
                    values = [out.value(arg)[0] for arg in op.args]
                    key = out.constant(f"do_{name}_", op, (id(op),))
                    out.line(f"{key}({', '.join(['v', *map(bare, values)])})")
            case C.Say() if not out.quiet:
                with out.if_("MACHINE.say is not None"):
                    out.line(f"MACHINE.say(v, {out.constant('SAY', op, (id(op),))})")

    def _zero(self, slots: tuple[int, ...]) -> None:
        out = self.out
        left = sorted(slot for slot in slots if slot >= 0)
        while left:
            end = 1
            while end < len(left) and left[end] == left[0] + end:
                end += 1
            if end >= 4:
                out.line(f"v[{left[0]}:{left[0] + end}] = {out.constant('ZEROES', (0,) * end)}")
            else:
                out.line(f"{' = '.join(f'v[{slot}]' for slot in left[:end])} = 0")
            left = left[end:]

    def _index(self, at: C.Node, span: Span | None, message: str) -> str:
        out = self.out
        text, kind = out.value(at)
        if kind.sure:
            return text
        text = out.simple(text)
        with out.if_(f"{text} < 0"):
            out.raise_(span, message)
        return text

    def _move(self, op: C.Move) -> None:
        out = self.out
        turn = self.program.spots.turn
        if op.form == "one":
            pieces = self._index(op.pieces, op.span, "there is no piece to move")
        else:
            pieces = out.held(out.value(op.pieces)[0], ANY_NUMBER)
        if turn >= 0 or op.form != "one":
            pieces = out.simple(pieces)
        spot = self._index(op.to, op.span, "there is nowhere to move to")
        if op.form != "one":
            spot = out.simple(spot)
        if op.at is None:
            at = "None"
        elif isinstance(op.at, str):
            at = repr(op.at)
        else:
            at = out.number(op.at)

        together = ""
        if out.hides and op.form != "one":  # who sees them leave cannot tell them apart
            along = pieces if op.form == "set" else f"{out.operation_name('collect')}({pieces})"
            together = f", {out.simple(along)}"

        def each(piece: str) -> None:
            out.line(f"move(v, {bare(piece)}, {bare(spot)}, {at}, {out.span(op.span)}{together})")
            if turn >= 0:
                turned = out.value(op.turned)[0] if op.turned is not None else "0"
                out.line(f"{out.item(turn, piece)} = {bare(turned)}")

        if op.form == "one":
            if op.at is not None or turn >= 0 or not self._move_plainly(op, pieces, spot):
                each(pieces)
            return
        piece = out.temp("piece")
        through = f"members({pieces})" if op.form == "set" else pieces
        with out.block(f"for {piece} in {through}"):
            each(piece)

    def _move_plainly(self, op: C.Move, piece: str, spot: str) -> bool:
        """A piece from where such lie in no order to a space that holds one; False if it is another sort of move."""
        out = self.out
        spots = self.program.spots
        taken = op.pieces.of if isinstance(op.pieces, C.Demand) else op.pieces
        match taken:
            case C.Primitive(name="first_on", args=(place,)) if out.on(Pass.PLAIN_MOVES):
                pass
            case _:
                return False
        if not out.moving.moves_plainly or not out.lying.in_set(place):
            return False
        low, top = out.lying.bounds(op.to)
        if low < -1 or top > spots.first_place or spots.members < 0 or not _plain(place):
            return False
        piece, spot, source = out.simple(piece), out.simple(spot), out.number(place)
        with out.if_(f"{out.item(spots.top, spot)} >= 0"):
            out.line(f"raise no_room({piece}, {out.span(op.span)})")
        out.line(f"{out.item(spots.members - spots.first_place, source)} ^= 1 << {piece}")
        out.line(f"{out.item(spots.at, piece)} = {spot}")
        out.line(f"{out.item(spots.top, spot)} = {piece}")
        out.moving.kept_changes(spot, piece)
        return True

    def act_remove(self, op: C.Act) -> None:
        out = self.out
        match op.args[0]:
            case C.Op(name="only", args=(one,)) if not out.hides:  # it leaves its place alone, if it is there
                piece = out.simple(out.number(one))
                with out.if_(f"{piece} >= 0") if not out.kind(one).sure else out.scope():
                    out.line(f"move(v, {piece}, {self.program.spots.box})")
                return
        piece, gone = out.temp("piece"), out.set_text(op.args[0])
        gone = out.simple(gone) if out.hides else gone
        along = f", along={gone}" if out.hides else ""
        with out.block(f"for {piece} in {out.through(gone, out.pieces)}"):
            out.line(f"move(v, {piece}, {self.program.spots.box}{along})")

    def act_draw(self, op: C.Act) -> bool | None:
        """From a pile the top is taken, and nothing else is looked at."""
        out = self.out
        count, source, to = op.args
        if not isinstance(source, C.Const) or not self.program.spots.ordered[int(source.value)]:
            return False
        many, goal, piece = out.number(count), out.simple(out.number(to)), out.temp("piece")
        once = many == "1"
        with out.scope() if once else out.block(f"for _ in range({bare(many)})"):
            out.line(f"{piece} = v[{self.program.spots.top + int(source.value)}]")
            if not once:
                with out.block(f"if {piece} < 0"):
                    out.line("break")
            with out.block(f"if {piece} >= 0") if once else out.scope():
                out.line(f"move(v, {piece}, {goal}, None, {out.span(op.span)})")
        return None

    def act_mark(self, op: C.Act) -> None:
        pass

    def act_count_up(self, op: C.Act) -> None:
        out = self.out
        (slot,) = op.data
        limit = out.simple(out.number(op.args[0]))
        with out.if_(f"v[{slot}] >= {limit}"):
            text = f'f"this loop ran {{{limit}}} times, which is the most it may"'
            out.line(f"raise RulesFault({out.span(op.span)}, {text})")
        out.line(f"v[{slot}] += 1")

    def act_advance(self, op: C.Act) -> None:
        out = self.out
        order, place, forced = op.data
        with out.block(f"if v[{forced}]"):
            out.line(f"advance_to(v, {order}, {place}, {forced}, {out.span(op.span)})")
        with out.block("else"):
            out.line(f"v[{place}] = v[{place}] + 1 if v[{place}] + 1 < v[{order}] else 0")

    def act_copy_start(self, op: C.Act) -> None:
        base, count = op.data
        values = self.out.constant("AT_START", tuple(self.program.template[base : base + count]))
        self.out.line(f"v[{base}:{base + count}] = {values}")

    def act_reveal(self, op: C.Act) -> bool | None:
        return None if self.program.spots.known < 0 else False

    act_hide = act_reveal

    def act_record(self, op: C.Act) -> None:
        out = self.out
        base, keep = op.data
        mark = out.held(out.number(op.args[0]), ANY_NUMBER)
        with out.block(f"if v[{base}] == {keep}"):
            out.line(f"v[{base + 1}:{base + keep}] = v[{base + 2}:{base + keep + 1}]")
            out.line(f"v[{base}] -= 1")
        out.line(f"v[{base + 1} + v[{base}]] = {mark}")
        out.line(f"v[{base}] += 1")


def _dear_part(op: C.Operation) -> Any:
    """The place of an operation that may take long: it works something out."""
    value: Any = getattr(op, "value", None)
    cheap = value is None or isinstance(value, C.Const | C.Get | C.Cell)
    return None if cheap else value.span or getattr(op, "span", None)


def _plain(node: C.Node) -> bool:
    """Whether an expression can be worked out twice without harm or much ado."""
    match node:
        case C.Const() | C.Get():
            return True
        case C.Primitive(name="offset", args=(arg,)) | C.Op(name="add", args=(arg, C.Const())):
            return _plain(arg)
    return False
