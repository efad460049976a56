"""The thread in which plays change: who is served when many want something at once."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest

from ruledsl.web import desk as desks
from ruledsl.web.desk import DECIDE, LATER, LOOK, Desk, Lengthy


class Disk:
    """Writes slowly, and counts how often."""

    written = 0

    def begin(self) -> None:
        pass

    def commit(self) -> None:
        time.sleep(0.002)
        self.written += 1

    def lost(self) -> Exception:
        return OSError("full")


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def desk(disk: Disk) -> Iterator[Desk]:
    found = Desk()
    found.open(disk)
    yield found
    found.close()


def test_decisions_that_wait_are_written_together(desk: Desk, disk: Disk) -> None:
    desk.submit(LOOK, lambda: time.sleep(0.05))
    waiting = [desk.submit(DECIDE, partial(abs, -number)) for number in range(40)]
    assert [one.result(60) for one in waiting] == list(range(40))
    assert disk.written <= 2


def test_who_looks_is_answered_while_decisions_keep_coming(desk: Desk, disk: Disk) -> None:
    """As with many bots: each answer is the beginning of the next question, so that one always waits."""
    most = 300
    done: list[int] = []

    def decide() -> None:
        done.append(len(done))
        if len(done) < most:
            desk.submit(DECIDE, decide)

    desk.submit(DECIDE, decide)
    looks = [desk.submit(LOOK, lambda: len(done)) for _ in range(20)]
    assert max(look.result(60) for look in looks) < most


def test_a_decision_comes_before_those_who_look(desk: Desk) -> None:
    seen: list[str] = []
    desk.submit(LOOK, lambda: time.sleep(0.05))
    last = [desk.submit(LOOK, lambda: seen.append("look")) for _ in range(3)][-1]
    desk.submit(DECIDE, lambda: seen.append("decide"))
    last.result(60)
    assert seen == ["decide", "look", "look", "look"]


def test_what_cannot_be_written_is_told_to_all_who_decided(
    desk: Desk, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError("no room")

    monkeypatch.setattr(disk, "commit", full)
    with pytest.raises(OSError, match="full"):
        desk.submit(DECIDE, lambda: 1).result(60)
    assert desk.submit(LOOK, lambda: 2).result(60) == 2


def test_a_disk_that_breaks_does_not_end_the_desk(desk: Desk, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it cannot begin to write, or cannot end: who decided is told, and the next is served."""

    def broken() -> None:
        raise OSError("broken")

    for step in ("begin", "commit"):
        with monkeypatch.context() as patch:
            patch.setattr(disk, step, broken)
            with pytest.raises(OSError, match="full"):
                desk.submit(DECIDE, lambda: 1).result(60)
        assert desk.submit(DECIDE, lambda: 2).result(60) == 2


def test_long_work_stops_for_breath(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions and looks that come meanwhile are served between two steps of it, but no other long work is."""
    monkeypatch.setattr(desks, "BREATH", 0.0)
    seen: list[str] = []
    begun, asked = threading.Event(), threading.Event()

    def long() -> None:
        begun.set()
        assert asked.wait(60)
        for _ in range(3):
            desk.breathe()
        seen.append("long")

    first = desk.submit(LATER, long)
    assert begun.wait(60)
    second = desk.submit(LATER, lambda: seen.append("as long"))
    for urgency, name in ((LOOK, "look"), (DECIDE, "decide")):
        desk.submit(urgency, partial(seen.append, name))
    asked.set()
    first.result(60)
    second.result(60)
    assert seen == ["decide", "look", "long", "as long"]


def test_what_takes_long_is_done_first_and_then_asked_for_again(desk: Desk) -> None:
    done: list[bool] = []

    def look() -> str:
        if desk.hurries and not done:
            raise Lengthy(lambda: done.append(desk.hurries))
        return "seen"

    assert asyncio.run(desk.do(LOOK, look)) == "seen"
    assert done == [False], "nobody waits for it"


def test_long_work_is_given_up_when_the_server_ends(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "BREATH", 0.0)
    found, begun = Desk(), threading.Event()
    found.open(disk)

    def endless() -> None:
        while True:
            begun.set()
            found.breathe()

    work = found.submit(LATER, endless)
    assert begun.wait(60)
    found.close()
    with pytest.raises(RuntimeError, match="the server ends"):
        work.result(60)
