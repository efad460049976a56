"""Which of the shipped games a peer has too, and under which options they are the same: `peers.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from ruledsl import shipped
from ruledsl.records import dataclass
from ruledsl.runtime.game import Configured

FILE = "peers.json"


@dataclass(frozen=True)
class Peer:
    """One game of ours, and the same game of OpenSpiel's."""

    game: str
    openspiel: str
    options: Mapping[str, Any] = field(default_factory=dict)
    players: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""  # where plays are not counted alike

    def parameters_for(self, configured: Configured) -> dict[str, Any]:
        """OpenSpiel's parameters; `{"option": NAME}` stands for the value of our option."""
        return {
            name: configured.world.options[value["option"]][1] if isinstance(value, dict) else value
            for name, value in self.parameters.items()
        }


def known(path: Path | None = None) -> list[Peer]:
    """All games that have a peer, in the order of the file."""
    text = (path or shipped.folder("examples") / FILE).read_text(encoding="utf-8")
    return [Peer(**entry) for entry in json.loads(text)["games"]]


def shipped_games() -> list[Peer]:
    """Those that have come with this version."""
    return [peer for peer in known() if shipped.find_game(peer.game) is not None]


def of(path: Path) -> Peer | None:
    """The peer of the game in a file."""
    for peer in known():
        file = shipped.find_game(peer.game)
        if file is not None and file.resolve() == path.resolve():
            return peer
    return None
