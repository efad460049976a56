"""What statements can leave, and the names that are known inside of it alone."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from ruledsl.ir import core as C
from ruledsl.records import dataclass

if TYPE_CHECKING:
    from .build import Builder


@dataclass(eq=False)
class Frame:
    """Something that can be left: `kind` is block, effect, loop, turn, turns, round, rounds or phase."""

    kind: str
    name: str = ""
    exit: int | None = None
    slots: list[int] = field(default_factory=list)
    restore: list[C.Operation] = field(default_factory=list)
    after: int | None = None  # where the rest of a block is skipped to


class Framed:
    """What stands inside of a frame is written: a name that is bound there is known there alone."""

    __slots__ = ("builder", "frame")

    def __init__(self, builder: Builder, frame: Frame) -> None:
        self.builder, self.frame = builder, frame

    def __enter__(self) -> Frame:
        self.builder.frames.append(self.frame)
        self.builder.elab.scopes.append({})
        return self.frame

    def __exit__(self, failure: object, *_: object) -> None:
        b, frame = self.builder, self.frame
        b.elab.close_scope()
        b.frames.pop()
        if failure is not None:
            return
        if frame.after is not None:
            if b.current is not None:
                b.jump(frame.after)
            b.at(frame.after)
        if frame.slots:
            b.emit(C.Zero(tuple(frame.slots)))
