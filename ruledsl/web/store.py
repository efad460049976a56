"""Plays on disk: how each began, who sits where, and every decision. A play is rebuilt from that by playing it again.

SQLite with a write-ahead log: what was committed survives a kill at any moment, and every decision is committed before
anybody is answered. The file is locked as long as a server has it open, so that no two servers change one play.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any

from ruledsl.records import dataclass

FORMAT = 2
NOBODY = -1  # instead of a seat: who looks on

_TABLES = """
CREATE TABLE about (format INTEGER NOT NULL, game TEXT NOT NULL);
CREATE TABLE plays (
  id INTEGER PRIMARY KEY AUTOINCREMENT, rules TEXT NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
  seed INTEGER NOT NULL, reseeded TEXT NOT NULL, language TEXT NOT NULL, seats TEXT NOT NULL,
  taken_back INTEGER NOT NULL DEFAULT 0, held INTEGER NOT NULL DEFAULT -1, over INTEGER NOT NULL DEFAULT 0,
  changed REAL NOT NULL
);
CREATE TABLE links (link TEXT PRIMARY KEY, play INTEGER NOT NULL, seats TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, play INTEGER NOT NULL, seat INTEGER NOT NULL, by TEXT NOT NULL,
  move INTEGER NOT NULL, said TEXT NOT NULL, choice TEXT NOT NULL, told TEXT NOT NULL
);
CREATE INDEX decisions_of ON decisions (play, id);
CREATE INDEX links_of ON links (play);
"""


class StoreError(Exception):
    """Plays that cannot be opened, in a sentence for whoever started the server."""


@dataclass(frozen=True)
class Row:
    """A decision: whose, who made it, at which move of theirs, what they sent, the option, and its text in no
    language, by which it is found again when the rules have changed."""

    seat: int
    by: str  # person, bot, or forced: the only option there was
    move: int
    said: str
    choice: tuple[Any, ...]
    told: str
    id: int = 0


@dataclass
class Kept:
    """All that is kept of a play."""

    rules: str
    players: int
    options: dict[str, Any]
    seed: int
    language: str
    seats: list[str]  # who sits there: `me`, `open`, or a bot as in `bot:search:easy`
    links: dict[str, list[int]]  # the seats that a link may decide for; none: who looks on
    reseeded: list[tuple[int, int]] = field(default_factory=list)  # after so many decisions chance began anew
    held: int = -1  # so many decisions hold under these rules, and others wait behind them; -1: all do
    taken_back: int = 0  # how often something was taken back: so many decisions do not say where a play stands
    over: bool = False
    id: int = 0


def data_folder() -> Path:
    """Where plays are kept that no `--plays` names."""
    named = os.environ.get("RULEDSL_DATA")
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "ruledsl"


class Store:
    """The plays of one game in one file. Used by one thread at a time."""

    def __init__(self, path: Path, game: str) -> None:
        self.path = path
        self._together = False  # whether all is taken back that is written until `commit`
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)  # the links in it are keys
            self._open(game)
        except sqlite3.OperationalError as problem:
            if "locked" in str(problem):
                raise StoreError(
                    f"another server has `{path}` open; stop it, or keep other plays in this one with --plays FILE"
                ) from None
            raise StoreError(f"`{path}` cannot be used to keep plays: {problem}") from None
        except (sqlite3.DatabaseError, OSError) as problem:
            raise StoreError(f"`{path}` cannot be used to keep plays: {problem}") from None

    def _open(self, game: str) -> None:
        self._db = sqlite3.connect(self.path, timeout=0.5, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "decisions" not in tables:
            raise StoreError(f"`{self.path}` is a database of something else")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("BEGIN EXCLUSIVE")
        if not tables:
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
            self._db.execute("INSERT INTO about VALUES (?, ?)", (FORMAT, game))
        self._db.execute("COMMIT")
        made, holds = self._db.execute("SELECT format, game FROM about").fetchone()
        if made != FORMAT:
            raise StoreError(f"`{self.path}` has format {made}, and this program reads format {FORMAT}")
        if holds != game:
            raise StoreError(f"`{self.path}` holds plays of `{holds}`, not of `{game}`")

    def close(self) -> None:
        self._db.close()

    def begin(self) -> None:
        """What is written from now on comes to the disk together."""
        self._db.execute("BEGIN")
        self._together = True

    def commit(self) -> None:
        """When this returns, all that was written is on disk."""
        self._db.execute("COMMIT")
        self._together = False

    def roll_back(self) -> None:
        self._together = False
        if self._db.in_transaction:
            with suppress(sqlite3.Error):  # the disk is broken: the next who begins is told so, too
                self._db.execute("ROLLBACK")

    # ------------------------------------------------------------------------------------------ plays

    def add(self, kept: Kept, rows: Sequence[Row] = ()) -> Kept:
        """Keeps a new play, with what was decided in it already."""
        with self._whole():
            made = self._db.execute(
                "INSERT INTO plays (rules, players, options, seed, reseeded, language, seats, changed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    kept.rules,
                    kept.players,
                    json.dumps(kept.options),
                    kept.seed,
                    json.dumps(kept.reseeded),
                    kept.language,
                    json.dumps(kept.seats),
                    time.time(),
                ),
            )
            kept.id = int(made.lastrowid or 0)
            self._db.executemany(
                "INSERT INTO links VALUES (?, ?, ?)",
                [(link, kept.id, json.dumps(seats)) for link, seats in kept.links.items()],
            )
            for row in rows:
                self._insert(kept.id, row)
        return kept

    def play_of(self, link: str) -> int | None:
        """The number of the play that a link leads to."""
        found = self._db.execute("SELECT play FROM links WHERE link = ?", (link,)).fetchone()
        return int(found[0]) if found else None

    def read(self, play: int) -> tuple[Kept, list[Row]]:
        """A play with its decisions, in their order."""
        rules, players, options, seed, reseeded, language, seats, held, taken_back, over = self._db.execute(
            "SELECT rules, players, options, seed, reseeded, language, seats, held, taken_back, over"
            " FROM plays WHERE id = ?",
            (play,),
        ).fetchone()
        links = self._db.execute("SELECT link, seats FROM links WHERE play = ?", (play,)).fetchall()
        rows = self._db.execute(
            "SELECT seat, by, move, said, choice, told, id FROM decisions WHERE play = ? ORDER BY id", (play,)
        )
        kept = Kept(
            rules,
            players,
            json.loads(options),
            seed,
            language,
            json.loads(seats),
            {link: json.loads(own) for link, own in links},
            [(at, new) for at, new in json.loads(reseeded)],
            held,
            taken_back,
            bool(over),
            play,
        )
        return kept, [
            Row(seat, by, move, said, tuple(json.loads(choice)), told, id)
            for seat, by, move, said, choice, told, id in rows
        ]

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM plays").fetchone()[0])

    def unfinished(self) -> list[int]:
        """The plays that go on, those that were changed last first."""
        found = self._db.execute("SELECT id FROM plays WHERE NOT over ORDER BY changed DESC")
        return [int(play) for (play,) in found]

    def oldest(self, before: float) -> int | None:
        """The play that nobody has touched for longest, if that was before a moment."""
        found = self._db.execute(
            "SELECT id FROM plays WHERE changed < ? ORDER BY changed LIMIT 1", (before,)
        ).fetchone()
        return int(found[0]) if found else None

    def forget(self, play: int) -> None:
        with self._whole():
            self._db.execute("DELETE FROM decisions WHERE play = ?", (play,))
            self._db.execute("DELETE FROM links WHERE play = ?", (play,))
            self._db.execute("DELETE FROM plays WHERE id = ?", (play,))

    # ------------------------------------------------------------------------------------------ decisions

    def decide(self, play: int, rows: Sequence[Row], over: bool) -> list[Row]:
        """Writes decisions."""
        with self._whole():
            written = [self._insert(play, row) for row in rows]
            self._db.execute("UPDATE plays SET over = ?, changed = ? WHERE id = ?", (over, time.time(), play))
        return written

    def take_back(self, play: int, rows: Sequence[Row]) -> None:
        with self._whole():
            self._db.executemany("DELETE FROM decisions WHERE id = ?", [(row.id,) for row in rows])
            self._db.execute(
                "UPDATE plays SET over = 0, taken_back = taken_back + 1, changed = ? WHERE id = ?", (time.time(), play)
            )

    def carry(self, play: int, rules: str, rows: Sequence[Row], held: int, over: bool) -> None:
        """The first decisions as other rules know them; those that do not hold are kept, for rules may change back."""
        with self._whole():
            self._db.executemany(
                "UPDATE decisions SET choice = ?, told = ? WHERE id = ?",
                [(json.dumps(row.choice), row.told, row.id) for row in rows],
            )
            self._db.execute(
                "UPDATE plays SET rules = ?, held = ?, over = ?, taken_back = taken_back + 1 WHERE id = ?",
                (rules, held, over, play),
            )

    def drop(self, play: int, rows: Sequence[Row]) -> None:
        """Gives up decisions that have not held, for play has gone on otherwise."""
        with self._whole():
            self._db.executemany("DELETE FROM decisions WHERE id = ?", [(row.id,) for row in rows])
            self._db.execute("UPDATE plays SET held = -1 WHERE id = ?", (play,))

    def _insert(self, play: int, row: Row) -> Row:
        made = self._db.execute(
            "INSERT INTO decisions (play, seat, by, move, said, choice, told) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (play, row.seat, row.by, row.move, row.said, json.dumps(row.choice), row.told),
        )
        return Row(row.seat, row.by, row.move, row.said, row.choice, row.told, int(made.lastrowid or 0))

    def _whole(self) -> _Whole:
        if self._together and not self._db.in_transaction:
            raise sqlite3.OperationalError("the disk failed, and an earlier write with it")
        return _Whole(self._db)


class _Whole:
    """What is written in it is written as a whole, or not at all."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("SAVEPOINT whole")

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if not self._db.in_transaction:
            return  # the disk gave out: SQLite has taken back all of it
        if kind is not None:
            self._db.execute("ROLLBACK TO whole")
        self._db.execute("RELEASE whole")


__all__ = ["NOBODY", "Kept", "Row", "Store", "StoreError", "data_folder"]
