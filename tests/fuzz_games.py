"""Games at random: one part of the fuzzer, see `fuzz.py`. The same number always makes the same game.

What a game declares comes first, in an order in which everything speaks only of what is there already; then rules that
use it. `game_of(seed)` gives the data of a YAML file.
"""

from __future__ import annotations

import random
from typing import Any

from fuzz_rules import At, Plot, Rules
from fuzz_words import NUMBER, TRUTH, Board, Effect, Formula, Kind, Place, Pool, T, Words, World, list_of, one, set_of
from fuzz_writing import aside, listed, rewritten

from ruledsl.analysis.declarations.places import PLACE

Data = dict[str, Any]

ENUMS = [
    ["red", "green", "blue"], ["owl", "fox", "hare", "elk"], ["wood", "clay"],
    ["spring", "summer", "autumn", "winter", "night"],
]  # fmt: skip
SEATS = ["anna", "boris", "clara", "dmitri"]
COMPASS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
FLAT, POINTY = ["n", "ne", "se", "s", "sw", "nw"], ["ne", "e", "se", "sw", "w", "nw"]


class Maker:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.world, self.plot = World(self.rng), Plot()
        self.words = Words(self.world)
        self.rules = Rules(self.words, self.plot)
        self.data: Data = {"ruledsl": 1, "game": f"fuzz-{seed}"}
        self.options: dict[str, T] = {}
        self.events: dict[str, list[tuple[str, T]]] = {}  # what triggers can be about, with its parameters
        self.quiet: set[str] = set()  # of these, what may neither ask nor roll
        self.unmanned: set[str] = set()  # of these, where nobody acts
        self.world.option_names = set()  # type: ignore[attr-defined]
        self.menus: dict[str, str] = {}

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def make(self) -> Data:
        for part in (
            self.players, self.options_, self.types, self.boards, self.pieces, self.places, self.pools, self.values,
            self.code_in_rows, self.history, self.formulas, self.effects, self.actions, self.bodies, self.play,
            self.triggers, self.scoring, self.modules, self.campaign, self.ornaments,
        ):  # fmt: skip
            part()
        made = {key: value for key, value in self.data.items() if value not in ({}, [])}
        rewritten(made, {self._header_of(formula.name): formula.gives.sort for formula in self.world.formulas})
        return made

    def _header_of(self, name: str) -> str:
        return next(header for header in self.data["define"] if header.partition("(")[0] == name)

    # -------------------------------------------------------------------------------------------- what there is

    def players(self) -> None:
        low = self.rng.choice([1, 2, 2, 2, 3])
        high = low + self.rng.choice([0, 0, 1])
        self.world.players = (low, high)
        members = [f"player_{i + 1}" for i in range(low)]
        if low == high and self.chance(0.4):
            members = SEATS[:low]
            self.data["players"] = members
        else:
            self.data["players"] = low if low == high else f"{low}..{high}"
        self.world.kinds["player"] = Kind("player", "player", members, "players")

    def options_(self) -> None:
        found: Data = {}
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            name = self.world.name("option")
            sort = self.rng.choice(["number", "truth", "words", "words"])
            if sort == "number":
                found[name] = {"is": "0..3", "start": self.rng.randint(0, 3)}
                self.options[name] = self._settled(name, NUMBER)
            elif sort == "truth":
                found[name] = {"is": "bool", "start": self.chance(0.5)}
                self.options[name] = self._settled(name, TRUTH)
            else:
                words = [f"{name}_{word}" for word in ("plain", "harsh")]
                found[name] = {"is": words, "start": words[0]}
                self.options[name] = T("words", words[1])
            if self.chance(0.3):
                found[name]["label"] = {"en": "a way to play", "ru": "как играть"}
        self.data["options"] = found
        if found and self.chance(0.4):
            self.data["presets"] = {"other": {name: self._other(name) for name in found}}

    def _settled(self, name: str, kind: T) -> T:
        self.world.values[name] = (kind, [])
        self.world.option_names.add(name)  # type: ignore[attr-defined]
        return kind

    def _other(self, name: str) -> Any:
        kind = self.options[name]
        return {"number": 2, "truth": True}.get(kind.sort, kind.of)

    def types(self) -> None:
        found: Data = {}
        for members in self.rng.sample(ENUMS, self.rng.choice([0, 1, 1, 2])):
            name = self.world.name("sort")
            kind = Kind(name, "enum", list(members), name)
            found[name] = list(members)
            if self.chance(0.3):
                kind.has = {f"{name}_worth": NUMBER, f"{name}_odd": TRUTH}
                rows = {m: {f"{name}_worth": i, f"{name}_odd": i % 2 == 1} for i, m in enumerate(members)}
                found[name] = {"attributes": {f"{name}_worth": "0..9", f"{name}_odd": "bool"}, "values": rows}
            self.world.kinds[name] = kind
            if self.chance(0.3) and len(members) > 2:
                part = self.world.name("part")
                found[part] = {"some": name, "where": f"this != {members[0]}"}
                self.world.kinds[part] = Kind(part, "enum", list(members[1:]), part, dict(kind.has))
        if self.chance(0.3):
            found[self.world.name("span")] = "1..6"
        self.data["types"] = found

    # ------------------------------------------------------------------------------------------------- boards

    def boards(self) -> None:
        count = self.rng.choice([0, 1, 1, 1, 1, 2])
        found: Data = {}
        ways: set[str] = set()
        for number in range(count):
            name = "board" if number == 0 and count == 1 and self.chance(0.4) else self.world.name("land")
            word = self.world.name("space")
            if name == "board" and self.chance(0.3):
                word = "space"
            shape = self.rng.choice(["grid", "grid", "hexes", "ring", "track", "triangle", "spaces"])
            if count == 1 and self.chance(0.25):
                shape = "growing"
            if number == 1 and self.world.boards[0].shape == "spaces":
                shape = "spaces"  # two of these may share a picture
            declared, board, kind = getattr(self, f"_{shape}")(name, word)
            if word != "space":
                declared["space"] = word
            board.several = board.several or self.chance(0.3)
            if board.several:
                declared["holds"] = "any"
            if not board.growing and self.chance(0.15):
                declared["per"], board.per_player, kind.members = "player", True, []
            if self.chance(0.4):
                self._state(declared, kind, board.word)
            ways |= set(board.directions)
            kind.board = board
            self.world.boards.append(board)
            self.world.kinds[word] = kind
            found[name] = declared
            if name != "board" and shape != "track" and not board.growing and len(board.own) != 1:
                self._edges(found, board, declared)
        if ways:
            self.world.kinds["direction"] = Kind("direction", "direction", sorted(ways), "direction")
        if list(found) == ["board"]:
            self.data["board"] = found["board"]
        else:
            self.data["boards"] = found

    def _edges(self, found: Data, board: Board, declared: Data) -> None:
        """The edges of a board as a board of their own."""
        if not aside((board.name, board.word, "edges"), 2) or declared.get("grid", {}).get("neighbors") == "diagonal":
            return
        name, word = f"{board.name}_edges", f"{board.word}_edge"
        kind = Kind(word, "space", [], name, {"edge": TRUTH, f"{word}_open": TRUTH})
        kind.kept[f"{word}_open"] = TRUTH
        kind.board = Board(name, word, "edges", [], several="holds" in declared, of=board)
        board.edges = kind.board
        found[name] = {"edges_of": board.name, "space": word, "state": {f"{word}_open": "bool"}}
        if kind.board.several:
            found[name]["holds"] = "any"
        self.world.boards.append(kind.board)
        self.world.kinds[word] = kind

    def _state(self, declared: Data, kind: Kind, stem: str) -> None:
        """What changes at each of a kind."""
        state: dict[str, Any] = {}
        for _ in range(self.rng.randint(1, 2)):
            name, of = self.world.name(f"{stem}_"), self._kept_type()
            if of.sort in ("list", "bag"):
                of = TRUTH
            state[name] = _written(of)
            if of == NUMBER and self.chance(0.4):
                state[name] = {"is": state[name], "start": 3}
            if kind.sort == "piece" and of in (NUMBER, TRUTH) and aside((name, of), 3):  # a mark on its back
                state[name] = {**(state[name] if isinstance(state[name], dict) else {"is": state[name]}), "seen": "all"}
            kind.has[name] = kind.kept[name] = of
        declared["state"] = state

    def _grid(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        width, height = self.rng.choice([(1, 1), (2, 3), (3, 3), (4, 2), (5, 5), (3, 1), (9, 8)])
        grid: Data = {"width": width, "height": height}
        declared: Data = {"grid": grid}
        if self.chance(0.3):
            grid["neighbors"] = self.rng.choice(["orthogonal", "diagonal"])
            declared["apart"] = True
        cells = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1)]
        if self.chance(0.2) and len(cells) > 4:
            declared["only"] = "this.x != 2 or this.y != 2"
            declared["apart"] = True
            cells.remove((2, 2))
        letters = "abcdefghi"
        if self.chance(0.15):
            grid["skip"], letters = "b", "acdefghij"
        members = [f"{letters[x - 1]}{y}" for x, y in cells]
        if self.chance(0.2):
            declared["attributes"] = {f"{word}_rich": "bool", f"{word}_cost": "0..9"}
            declared["from"] = [{"x": x, "y": y, f"{word}_rich": (x + y) % 2 == 0, f"{word}_cost": x} for x, y in cells]
        kind = Kind(word, "space", members[:5] + members[-1:], name, {"x": NUMBER, "y": NUMBER, "edge": TRUTH})
        if "attributes" in declared:
            kind.has |= {f"{word}_rich": TRUTH, f"{word}_cost": NUMBER}
        return declared, Board(name, word, "grid", COMPASS, False, own=members), kind

    def _hexes(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        way = self.rng.choice(["radius", "rhombus", "from"])
        ways = FLAT
        if way == "radius":
            inside: Data = {"radius": self.rng.randint(1, 2)}
            members = [f"{name}[0, 0]", f"{name}[1, 0]", f"{name}[0, -1]"]
            if self.chance(0.4):
                inside["shape"], ways = "pointy", POINTY
        elif way == "rhombus":
            inside, ways = {"rhombus": self.rng.randint(2, 4)}, POINTY
            members = ["a1", "b1", "b2"]
        else:
            cells = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)]
            inside = {"from": [{"q": q, "r": r, "id": f"{word}_{i}"} for i, (q, r) in enumerate(cells)]}
            members = [f"{name}[{q}, {r}]" for q, r in cells]
        kind = Kind(word, "space", members, name, {"q": NUMBER, "r": NUMBER, "edge": TRUTH})
        return {"hexes": inside}, Board(name, word, "hexes", ways, False), kind

    def _ring(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        size = self.rng.randint(3, 8)
        declared: Data = {"ring": size}
        if aside((name, size), 3):
            declared["rows"] = 2
        members = [f"{name}[{i + 1}]" for i in range(size)]
        ways = ["cw", "ccw"]
        if self.chance(0.3):
            declared["hub"] = f"{word}_hub"
            members.append(f"{word}_hub")
            ways = ["cw", "ccw", "hub"]
        has = {"index": NUMBER}
        if self.chance(0.5) and "hub" not in declared:
            declared["attributes"] = {f"{word}_cost": "0..9"}
            declared["from"] = [{"name": f"{word}_{i}", f"{word}_cost": i} for i in range(size)]
            members = [f"{word}_{i}" for i in range(size)]
            has[f"{word}_cost"] = NUMBER
        return declared, Board(name, word, "ring", ways, False), Kind(word, "space", members, name, has)

    def _track(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        size = self.rng.choice([1, 4, 7, 70])
        declared: Data = {"track": size}
        if self.chance(0.3) and size > 1:
            declared["rows"] = 2
        members = [f"{name}[{i + 1}]" for i in range(min(4, size))]
        return (
            declared,
            Board(name, word, "track", ["up", "down"], False),
            Kind(word, "space", members, name, {"index": NUMBER}),
        )

    def _triangle(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        size = self.rng.choice([1, 3, 4, 11])
        members = ["a1", "b2", "c1"][: max(1, size - 1)]
        has = {"row": NUMBER, "place": NUMBER}
        board = Board(name, word, "triangle", ["ne", "e", "se", "sw", "w", "nw"], False, own=members)
        return {"triangle": size}, board, Kind(word, "space", members, name, has)

    def _spaces(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        size = self.rng.randint(3, 6)
        members = [f"{word}_{i}" for i in range(size)]
        rows: list[Data] = [{"name": member} for member in members]
        edges: list[Data] = [{"from": members[i], "to": members[i + 1]} for i in range(size - 1)]
        ways: list[str] = []
        if self.chance(0.5):
            ways = [f"{word}_on", f"{word}_back"]
            for edge in edges:
                edge |= {"label": ways[0], "back": ways[1]}
        edges.append({"from": members[0], "to": members[2], "one_way": True})
        declared: Data = {"spaces": rows, "edges": edges}
        if self.chance(0.3):
            declared["one_way"] = True
        kind = Kind(word, "space", members, name)
        if self.chance(0.4):
            declared["attributes"] = {f"{word}_cost": "0..9"}
            kind.has[f"{word}_cost"] = NUMBER
            for i, row in enumerate(rows):
                row[f"{word}_cost"] = i
        if self.chance(0.4):  # what ways have
            far, by = f"{word}_far", "direction" if ways and self.chance(0.5) else word
            declared.setdefault("attributes", {})[far] = {"is": f"0..9 by {by}", "otherwise": 1}
            kind.has[f"{far}[{ways[0] if by == 'direction' else members[1]}]"] = NUMBER
            for i, edge in enumerate(edges[:-1] if by == "direction" else edges):
                edge[far] = i + 2
        if self.chance(0.3):
            for i, row in enumerate(rows):
                row |= {"x": i, "y": i % 2}
        return declared, Board(name, word, "spaces", ways, False), kind

    def _growing(self, name: str, word: str) -> tuple[Data, Board, Kind]:
        inside: Data = {"growing": True}
        if self.chance(0.6):
            inside["touching"] = self.rng.randint(1, 2)
        if self.chance(0.4):
            inside["radius"] = 4
        shape = self.rng.choice(["grid", "hexes"])
        ways = ["n", "e", "s", "w"] if shape == "grid" else FLAT
        has = {"x": NUMBER, "y": NUMBER} if shape == "grid" else {"q": NUMBER, "r": NUMBER}
        board = Board(name, word, shape, ways, True, growing=True)
        return {shape: inside}, board, Kind(word, "space", [f"{name}[0, 0]", f"{name}[1, 0]"], name, has)

    # ------------------------------------------------------------------------------------------------- pieces

    def pieces(self) -> None:
        found: Data = {}
        for board in self.world.boards:
            if board.growing:
                self._tiles(found, board)
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            name = self.world.name("piece")
            kind = Kind(name, "piece", [], name)
            declared: dict[str, Any] = {}
            own = self.chance(0.5)
            if own:
                declared["per"], kind.owned = "player", True
                kind.has["owner"] = one("player")
            way = self.rng.choice(["count", "count", "rows", "rows", "each"])
            if way == "count":
                declared["count"] = self.rng.choice([2, 3, 5, 12, 70 if not own else 3])
            elif way == "rows":
                self._rows(name, kind, declared)
            else:
                enums = self.world.sorted("enum")
                each: Data = {f"{name}_rank": "1..3"}
                kind.has[f"{name}_rank"] = NUMBER
                if enums:
                    enum = self.rng.choice(enums)
                    each[f"{name}_suit"] = enum.name
                    kind.has[f"{name}_suit"] = one(enum.name)
                declared["each"] = each
            if self.chance(0.4):
                self._state(declared, kind, name)
            if self.chance(0.2):
                declared["symbol"] = self.rng.choice(["P", {"en": "Q", "ru": "Ф"}])
            if self.chance(0.2):
                declared["title"] = {"en": "a thing", "ru": "вещь"}
            if self.chance(0.3):
                declared["about"] = "what is printed"
                self.plot.told.append(name)
            self.world.kinds[name] = kind
            found[name] = declared
        self.data["pieces"] = found

    def _rows(self, name: str, kind: Kind, declared: Data) -> None:
        worth, face = f"{name}_worth", f"{name}_face"
        attributes: Data = {worth: "0..9", face: "bool"}
        kind.has |= {worth: NUMBER, face: TRUTH}
        rows: list[Data] = [
            {"name": f"{name}_{word}", worth: i, face: i == 1} for i, word in enumerate(("one", "two", "three"))
        ]
        enums = self.world.sorted("enum")
        if enums and self.chance(0.5):
            enum = self.rng.choice(enums)
            suit, price, need = f"{name}_suit", f"{name}_price", f"{name}_need"
            attributes |= {suit: f"maybe {enum.name}", price: f"bag of {enum.name}", need: f"0..3 by {enum.name}"}
            kind.has |= {suit: one(enum.name, True), price: T("bag", enum.name)}
            for i, row in enumerate(rows):
                member = enum.members[i % len(enum.members)]
                row |= {price: {member: i}, need: {m: k % 4 for k, m in enumerate(enum.members)}}
                if i != 1:
                    row[suit] = member
            self._left_out(attributes, rows, enum, price, need)
        if self.chance(0.4):
            rows[0]["copies"] = self.rng.choice([2, 3, {worth: {2: 1, 4: 2}}])
            if isinstance(rows[0]["copies"], dict):
                rows[0].pop(worth)
        if self.chance(0.3):
            declared["only"] = f"this.{worth} < 2 or count(players) > 1"
        declared["attributes"], declared["rows"] = attributes, rows
        if self.chance(0.3) and not kind.owned and "only" not in declared:
            part = self.world.name("kind")
            declared["kinds"] = {part: f"not this.{face}"}
            if "copies" in rows[0] or len(rows) > 2:
                self.world.kinds[part] = Kind(part, "piece", [], part, dict(kind.has))

    def _left_out(self, attributes: Data, rows: list[Data], enum: Kind, price: str, need: str) -> None:
        """Cells that are not written, and bags as lists."""
        if self.chance(0.4):
            attributes[need] = {"is": attributes[need], "otherwise": 2}
            rows[0].pop(need)
            rows[1][need] = {enum.members[-1]: 1}
        if self.chance(0.4):
            rows[1][price] = [f"2 {enum.members[0]}", enum.members[-1]]

    def _tiles(self, found: Data, board: Board) -> None:
        name = self.world.name("tile")
        kind = Kind(name, "piece", [], name)
        ways, rows = board.directions, []
        declared: Data = {"tile": board.name}
        enums = [k for k in self.world.sorted("enum") if len(k.members) > 1]
        grounds = enums[0] if enums else None
        word = self.world.name("area")
        parts = self.chance(0.6)
        for i in range(self.rng.randint(3, 5)):
            row: Data = {"name": f"{name}_{i}", "copies": self.rng.randint(1, 2)}
            if i == 0:
                row |= {"start": f"{board.name}[0, 0]", "copies": 1}
            if i == 1:
                row |= {"start": f"{board.name}[1, 0]", "copies": 1}
            if grounds is not None:
                row[f"{name}_edges"] = [self.rng.choice(grounds.members) for _ in (COMPASS if len(ways) == 4 else ways)]
            if parts:
                half = len(ways) // 2
                row["areas"] = [{"sides": ways[:half]}, {"sides": ways[half:]}]
                if grounds is not None:
                    for area in row["areas"]:
                        area[f"{word}_ground"] = self.rng.choice(grounds.members)
            rows.append(row)
        declared["rows"] = rows
        if grounds is not None:
            declared["attributes"] = {f"{name}_edges": f"{grounds.name} by direction"}
            kind.shows = f"{name}_edges"
        kind.codes["turns"] = T("none")
        self.world.kinds[name] = kind
        if parts:
            attributes = {"sides": "set of direction"}
            part = Kind(word, "part", [], word, {board.word: one(board.word, True), name: one(name)})
            if grounds is not None:
                attributes[f"{word}_ground"] = grounds.name
                part.has[f"{word}_ground"] = one(grounds.name)
            declared["parts"] = {word: {"from": "areas", "attributes": attributes}}
            self.world.kinds[word] = part
            kind.made_of = word
        found[name] = declared

    def places(self) -> None:
        found: Data = {}
        kinds = self.world.sorted("piece")
        for _ in range(self.rng.randint(1, 3) if kinds else 0):
            kind, name = self.rng.choice(kinds), self.world.name("place")
            declared: Data = {"holds": kind.name if self.chance(0.9) else "any"}
            place = Place(name, kind.name)
            per = self.rng.choice(["", "", "player", "player", *(k.name for k in self.world.sorted("enum"))])
            if per:
                declared["per"] = place.per = per
            way = self.rng.choice(["set", "pile", "pile", "row", "slots"])
            if way in ("pile", "row"):
                declared["order"] = way
                place.pile, place.row = way == "pile", way == "row"
            elif way == "slots":
                declared["slots"] = place.slots = self.rng.randint(2, 4)
                if self.chance(0.4):
                    declared["close"] = self.rng.choice(PLACE.keys["close"].words)
                elif self.chance(0.3):
                    declared["each"] = "any"
            elif self.chance(0.3):
                declared["capacity"] = place.most = self.rng.randint(1, 3)
            if self.chance(0.5):
                seen = (
                    ["none", "all", "top", "anna"]
                    if self.world.kinds["player"].members[0] == "anna"
                    else ["none", "top"]
                )
                seen += ["owner", "owner"] if per == "player" else []
                declared["seen"] = self.rng.choice(seen)
            if not per and kind.name in self.data["pieces"] and not place.slots and self.chance(0.6):
                declared["start"] = kind.name
                if any(p.get("start") == kind.name for p in found.values()) or kind.codes.get("turns"):
                    declared.pop("start")
            if self.chance(0.2):
                declared["title"] = {"en": "there", "ru": "там"}
            self.world.places.append(place)
            found[name] = declared
            if per:  # the ways from a piece to whose place it lies in, and back
                kind.has[f"{name}.{per}"] = one(per, True)
                self.world.kinds[per].has[f"{name}.{kind.name}"] = one(kind.name, True)
        self.data["places"] = found
        taken = {declared.get("start") for declared in found.values()}
        for name, declared in self.data["pieces"].items():
            board = self.world.boards[0] if self.world.boards else None
            if name in taken or board is None or "tile" in declared or board.growing or not self.chance(0.6):
                continue
            kind = self.world.kinds[board.word]
            if (
                kind.members
                and not kind.owned
                and "only" not in declared
                and declared.get("per") is None
                and board.several
            ):
                declared["start"] = self.rng.choice([f"{kind.members[0]}", kind.members[:2]])
            elif board.shape == "grid" and declared.get("per") is None and not board.per_player and "count" in declared:
                declared.pop("count")
                declared["start"] = "this.x == 1 or this.y == 1"
                if len(board.own) < 3:
                    declared["start"], declared["count"] = "this.x == 1 and this.y == 1", 2

    def pools(self) -> None:
        found: Data = {}
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            name = self.world.name("pool")
            enums = [k for k in self.world.sorted("enum") if not any(p.of for p in self.world.pools)]
            enum = self.rng.choice(enums) if enums and self.chance(0.6) else None
            pool = Pool(name, enum.name if enum else "", f"{name}_mine")
            declared: Data = {"at": {"player": pool.mine}}
            if enum is not None:
                declared["of"] = enum.name
            if self.chance(0.6):
                pool.limited = True
                declared["total"] = dict.fromkeys(enum.members, 9) if enum and self.chance(0.5) else 40
            if self.chance(0.5):
                pool.common = f"{name}_common"
                declared["at"]["all"] = pool.common
                if self.chance(0.4):
                    declared["paid"] = pool.common
            if self.chance(0.6):
                declared["start"] = {pool.mine: {enum.members[0]: 2} if enum else 3}
            if aside(declared, 5):
                declared["seen"] = "owner"
            if enum is not None and len(enum.members) > 1 and pool.limited and self.chance(0.5):
                pool.trade = self.world.name("trade")
            self.world.pools.append(pool)
            found[name] = declared
        self.data["pools"] = found

    def _kept_type(self) -> T:
        ways = [NUMBER, NUMBER, TRUTH, T("number", "number", -3, 12), list_of("number")]
        for kind in self.world.kinds.values():
            if kind.members or (kind.sort == "space" and not (kind.board and kind.board.per_player)):
                ways += [one(kind.name), one(kind.name, True), set_of(kind.name)]
            else:
                ways += [one(kind.name, True), set_of(kind.name)]
            if kind.sort == "enum":
                ways.append(T("bag", kind.name))
        return self.rng.choice(ways)

    def values(self) -> None:
        found: Data = {}
        for _ in range(self.rng.randint(0, 6)):
            name, kind, per = self.world.name("value"), self._kept_type(), []
            keys = ["player", "player", *(k.name for k in self.world.sorted("enum", "space", "piece"))]
            if self.chance(0.6):
                per = [self.rng.choice(keys)]
                if self.chance(0.2):
                    per.append(self.rng.choice([k.name for k in self.world.sorted("enum")] or ["player"]))
                    per = list(dict.fromkeys(per))
            if kind.sort == "one" and kind.of == "direction" and len(self.world.boards) > 1:
                continue
            declared: Data = {"is": _written(kind)}
            if per:
                declared["per"] = per if len(per) > 1 else per[0]
            start = self._start(kind)
            if start is not None:
                declared["start"] = start
            if self.chance(0.15):
                declared["seen"] = self.rng.choice(["none", "owner" if per == ["player"] else "none"])
            self.world.values[name] = (kind, per)
            found[name] = declared
        if self.chance(0.2):
            name = self.world.name("value")
            self.world.values[name] = (NUMBER, ["number"])
            self.data["types"].setdefault("three", "0..2")
            found[name] = {"is": "0..9", "per": "three"}
        self.data["values"] = found

    def _start(self, kind: T) -> Any:
        members = self.world.kinds[kind.of].members if kind.of in self.world.kinds else []
        if kind.sort == "one" and members and self.world.kinds[kind.of].sort == "enum" and self.chance(0.5):
            return self.rng.choice(members)
        if kind.sort == "number" and self.chance(0.5):
            return self.rng.randint(max(0, kind.low), kind.high)
        if kind.sort == "set" and members and self.chance(0.3):
            return [members[0]]
        return True if kind.sort == "truth" and self.chance(0.3) else None

    def code_in_rows(self) -> None:
        """Formulas and effects that stand in the rows of a kind of piece."""
        for name, declared in self.data["pieces"].items():
            kind = self.world.kinds[name]
            if "rows" not in declared or "tile" in declared or not self.chance(0.4):
                continue
            force, fits = f"{name}_force", f"{name}_fits"
            declared["attributes"] |= {force: "number", fits: "condition"}
            for row in declared["rows"]:
                row[force], row[fits] = self.words.number(1), self.words.truth(1)
            kind.codes |= {force: NUMBER, fits: TRUTH}
            if self.chance(0.5):
                act = f"{name}_act"
                declared["attributes"][act] = "effect"
                for row in declared["rows"]:
                    row[act] = self.rules.block(At(depth=1, calls=False, ends=False), 1, 2)
                self.data.setdefault("effects", {})[f"{name}_use({name} who)"] = [f"who.{act}()"]
                self.world.effects.append(Effect(f"{name}_use", [one(name)], False))

    def history(self) -> None:
        if not self.chance(0.35):
            return
        known = [b.name for b in self.world.boards] + [p.name for p in self.world.places] + list(self.data["values"])
        chosen = self.rng.sample(known, min(len(known), self.rng.randint(0, 3))) + self.rng.choice([["me"], []])
        name = self.world.name("history")
        self.world.histories.append(name)
        self.data["history"] = {name: {"of": chosen or ["me"], "keep": self.rng.choice([3, 50])}}

    # ------------------------------------------------------------------------------------------------- rules

    def _parameters(self) -> list[tuple[str, T]]:
        found = []
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            root = self.words.root()
            found.append((self.world.name("p"), self.rng.choice([one(root), one(root), set_of(root), NUMBER])))
        return found

    def _header(self, name: str, parameters: list[tuple[str, T]]) -> str:
        inside = ", ".join(f"{_written(kind)} {word}" for word, kind in parameters)
        return f"{name}({inside})" if parameters else name

    def formulas(self) -> None:
        found: Data = {}
        for _ in range(self.rng.randint(0, 4)):
            name, parameters = self.world.name("formula"), self._parameters()
            root = self.words.root()
            gives = self.rng.choice([NUMBER, NUMBER, TRUTH, TRUTH, one(root, True), set_of(root)])
            with self.words.inner(**dict(parameters)):
                steps: Data = {}
                for _ in range(self.rng.choice([0, 0, 0, 1, 2])):
                    of = self.rng.choice([NUMBER, TRUTH, one(root, True), set_of(root), list_of(root)])
                    step = self.world.name("step")
                    steps[step] = self.words.of(of, 2)
                    self.words.scope[step] = of
                text: Any = self.words.of(gives, 3)
            if steps:
                text = {"let": steps, "is": text}
            elif gives == NUMBER and self.chance(0.3):
                text = {"is": text, "least": 0, "most": self.rng.randint(2, 9)}
            elif self.chance(0.1):
                text = {"is": text, "covers": ["R-1"]}
            found[self._header(name, parameters)] = text
            self.world.formulas.append(Formula(name, [kind for _, kind in parameters], gives))
            self.events[f"formula {name}"] = [*parameters, ("", gives)]
        self.data["define"] = found

    def effects(self) -> None:
        """The headers; bodies follow when actions are known."""
        self.waiting: list[tuple[str, list[tuple[str, T]], bool]] = []
        for _ in range(self.rng.randint(0, 4)):
            name, parameters = self.world.name("effect"), self._parameters()
            pieces = self.world.sorted("piece")
            if pieces and self.chance(0.2):
                parameters = [(self.world.name("p"), one(self.rng.choice(pieces).name))]
            self.waiting.append((name, parameters, self.chance(0.5)))

    def actions(self) -> None:
        """Which there are; what they do follows."""
        self.acting: list[str] = []
        for _ in range(self.rng.choice([0, 0, 1, 2, 3])):
            name = self.world.name("action")
            self.acting.append(name)
            menu = self.rng.choice([*self.plot.menus, self.world.name("menu")])
            if menu not in self.plot.menus:
                self.plot.menus.append(menu)
            self.menus[name] = menu
        self.free = {name for name in self.acting if self.chance(0.2)}  # those at any time stand in no menu
        self.plot.menus = sorted({menu for name, menu in self.menus.items() if name not in self.free})

    def bodies(self) -> None:
        effects: Data = self.data.get("effects", {})
        for name, parameters, quiet in self.waiting:
            with self.words.inner(**dict(parameters)):
                at = At(
                    depth=2 if not quiet else 1, asks=not quiet, rolls=not quiet, ends=not quiet, frames=("effect",)
                )
                effects[self._header(name, parameters)] = self.rules.block(at)
            self.world.effects.append(Effect(name, [kind for _, kind in parameters], quiet))
            self.events[name] = parameters
            if quiet:
                self.quiet.add(name)
        self.data["effects"] = effects
        self.data["actions"] = dict(self._copied(name, self._action(name)) for name in self.acting)
        for pool in self.world.pools:
            if pool.trade:
                self.data["actions"][pool.trade] = self._exchange(pool)

    def _exchange(self, pool: Pool) -> Data:
        """Tokens for others: some sort for another, or any for any."""
        one, other = self.rng.sample(self.world.kinds[pool.of].members, 2)
        give = self.rng.choice([{one: self.rng.randint(1, 2)}, {f"any {pool.of}": 2}])
        get = self.rng.choice([{other: 1}, {f"any {pool.of}": 1}])
        found: Data = {"give": listed(give), "get": listed(get)}
        if self.plot.menus and self.chance(0.5):
            found["menu"] = self.rng.choice(self.plot.menus)
        elif self.chance(0.4):
            found["anytime"] = "turn"
        if self.chance(0.4) or "anytime" in found:
            found["limit"] = f"2 per {self.rng.choice(['turn', 'round', 'game'])}"
        return found

    def _copied(self, name: str, found: Data) -> tuple[str, Data]:
        """Something with a name, or two copies of it, of which the first has that name."""
        if not self.chance(0.15):
            return name, found
        return f"<{name}>", {"each": {name: [name, f"{name}_copy"]}, **found}

    def _action(self, name: str, module: bool = False) -> Data:
        found: Data = {"menu": self.menus.get(name, "menu")}
        anytime = name in self.free
        with self.rules.scope():
            names: dict[str, T] = {}
            if self.chance(0.6):
                asked, names = self.rules.asking(At(depth=1))
                found |= asked
            if self.chance(0.4):
                found["when"] = self.words.truth(1)
            if self.world.pools and self.chance(0.3):
                pool = self.rng.choice(self.world.pools)
                found["cost"] = self.rng.choice([self.rules.amounts(pool, 1), {self._sort_of(pool): 1}])
                paying = [effect.name for effect in self.world.effects if not effect.takes]
                if pool.of and aside((name, pool.name), 2):
                    found["cost"] = self._explained(pool)
                elif paying and aside(found, 3):
                    found["cost"] = [found["cost"], f"{paying[0]}()"]
            if self.chance(0.4) or anytime:
                found["limit"] = f"{self.rng.randint(1, 2)} per {self.rng.choice(['turn', 'round', 'game'])}"
            if anytime:
                found["anytime"] = "turn"
                found.pop("menu")
            if self.chance(0.1):
                found["covers"] = "R-2"
            if self.chance(0.2):
                found["title"] = {"en": "act", "ru": "ход"}
            self.words.scope |= names
            found["do"] = self.rules.block(At(depth=1, frames=("effect",)), 1, 2)
        if "limit" in found and not module:
            self.world.limited.append(name)
        if not module:
            self.events[name] = []
        return found

    def _explained(self, pool: Pool) -> Data:
        """A cost of which more is said: a discount, who gets it, exchanges that may be made first."""
        n, sort = self.rng.randint(1, 3), self.world.kinds[pool.of].members[0]
        found: Data = {"is": listed({f"any {pool.of}": n, sort: 1}), "because": "too much"}
        if aside((pool.name, n, "less"), 2):
            found |= {"less": 2, "least": 1}
        if pool.common and aside((pool.name, n, "to"), 2):
            found["to"] = pool.common
        if pool.trade and aside((pool.name, n, "after"), 2):
            found["after"] = [pool.trade] if aside((pool.trade, n), 2) else "exchanges"
        return found

    def _sort_of(self, pool: Pool) -> str:
        return self.world.kinds[pool.of].members[0] if pool.of else pool.name

    def play(self) -> None:
        self.words.me = False
        setup = At(depth=1, ends=False, calls=False)
        self.words.me = True
        if self.chance(0.6):
            body = self.rules.block(setup, 1, 3)
            self.data["setup"] = [{"for": {"me": "players"}, "do": body}]
            if self.chance(0.4):
                self.data["setup"] = [{"as": self.world.kinds["player"].members[0], "do": body}]
        last = self.rng.randint(3, 9)
        at = At(depth=3, top=True, frames=("turns", "turn"))
        turns: Data = {"turns": "players", "until": f"turn_number > {last}", "do": self.rules.block(at, 2, 4)}
        play: list[Any] = [turns]
        if self.chance(0.2):
            phase = self.world.name("phase")
            self.plot.phases.append(phase)
            self.unmanned.add(phase)
            play = [{"phase": phase, "do": play}]
        if self.chance(0.2):
            play = [{"rounds": self.rng.randint(1, 2), "do": play}]
        self.data["play"] = play
        if self.plot.menus and not any(menu in str(play) for menu in self.plot.menus):
            turns["do"].append({"choose one": self.rng.choice(self.plot.menus)})

    def _event(self) -> tuple[str, list[tuple[str, T]], bool]:
        named = [e for e in self.events if not e.startswith("formula ")]
        event = self.rng.choice(["turn", *named, *named, *self.plot.phases])
        return event, self.events.get(event, []), event in self.quiet

    def _trigger(self) -> Data:
        formulas = [e for e in self.events if e.startswith("formula ")]
        if formulas and self.chance(0.4):
            return self._bending(self.rng.choice(formulas))
        event, parameters, quiet = self._event()
        way = self.rng.choice(["before", "after", "after", "instead"])
        way = "after" if event in self.unmanned else way
        found: Data = {way: event if self.chance(0.8) else [event]}
        alike = [e for e in self.events if e != event and not self.events[e] and (e in self.quiet) == quiet]
        if alike and not parameters and event in self.events and aside(found, 3):
            found[way] = [event, self.rng.choice(alike)]
        at = At(depth=1, asks=not quiet, rolls=not quiet, ends=not quiet, calls=False, proceeds=way == "instead")
        # What it is about is not tried out in it: that would go round.
        effects, self.world.effects = self.world.effects, [e for e in self.world.effects if e.name != event]
        with self.words.inner(**dict(parameters)):
            if self.chance(0.5) and event not in self.unmanned:
                found["when"] = self.words.truth(1)
            if event in self.unmanned:
                found["for"] = {"me": "players"}
            elif self.chance(0.25) and way != "instead":
                found["for"] = {"me": f"players where {self.words.truth(0)}"}
            if self.chance(0.1):
                found["covers"] = "R-3"
            found["do"] = self.rules.block(at, 1, 2)
        self.world.effects = effects
        if way == "instead" and self.chance(0.7):
            found["do"].append("proceed()")
        return found

    def _bending(self, formula: str) -> Data:
        *parameters, (_, gives) = self.events[formula]
        found: Data = {"modify": formula.removeprefix("formula ")}
        kept, self.world.formulas = self.world.formulas, []  # a formula that bends itself would go round
        with self.words.inner(**dict(parameters)):
            if self.chance(0.5):
                found["when"] = self.words.truth(1)
            if gives.sort == "number":
                way = self.rng.choice(["add", "is"])
                found[way] = self.words.number(1) if way == "add" else f"value * 2 + {self.words.number(0)}"
            elif gives.sort == "truth":
                found[self.rng.choice(["allow", "forbid"])] = self.words.truth(1)
            else:
                found["is"] = self.words.of(gives, 1)
        self.world.formulas = kept
        return found

    def triggers(self) -> None:
        self.data["triggers"] = dict(
            self._copied(self.world.name("trigger"), self._trigger()) for _ in range(self.rng.choice([0, 0, 1, 2]))
        )

    def scoring(self) -> None:
        if not self.chance(0.5):
            return
        found: Data = {"rows": {self.world.name("row"): self.words.number(2) for _ in range(self.rng.randint(1, 2))}}
        if self.chance(0.3):
            found["ties"] = [self.words.number(1)]
        if self.chance(0.3):
            found["lowest"] = True
        elif self.chance(0.3):
            found["stakes"] = True
        if self.chance(0.2):
            found["ranks"] = {0: "novice", 5: {"en": "master", "ru": "мастер"}}
        self.data["scoring"] = found
        if self.chance(0.4) and isinstance(self.data["play"], list):  # who stands how is asked for in the rules
            x = self.world.name("p")
            asked = {"say": f"{{{x}}} has {{score[{x}]}}, behind {{first(ranking)}}"}
            self.data["play"].insert(0, {"for": {x: "ranking"}, "do": [asked]})

    # ------------------------------------------------------------------------------------- modules, campaigns

    def modules(self) -> None:
        if not self.chance(0.35):
            return
        conditions = [f"count(players) == {self.world.players[1]}", "true"]
        for name, kind in self.options.items():
            conditions.append({"number": f"{name} > 1", "truth": name}.get(kind.sort, f"{name} == {kind.of}"))
        module: Data = {"when": self.rng.choice(conditions[:1] + conditions[2:] * 2)}
        if self.chance(0.5):
            module["triggers"] = {self.world.name("trigger"): self._trigger()}
        if self.chance(0.4) and self.plot.menus:
            name = self.world.name("action")
            self.menus[name] = self.rng.choice(self.plot.menus)
            module["actions"] = {name: self._action(name, module=True)}
        if self.chance(0.4):
            module["values"] = {self.world.name("value"): {"is": "0..9", "per": "player"}}
        if self.chance(0.3) and self.plot.phases:
            module["play"] = {self.plot.phases[-1]: self.rules.block(At(depth=1, asks=False, calls=False), 1, 1)}
        if self.chance(0.3) and "scoring" in self.data:
            module["scoring"] = {"rows": {self.world.name("row"): self.words.number(1)}}
        if self.chance(0.3):
            module["setup"] = [
                {"for": {"me": "players"}, "do": self.rules.block(At(depth=0, ends=False, calls=False), 1, 1)}
            ]
        numbers = [f for f in self.data["define"] if "(" not in f and self.events[f"formula {f}"][-1][1] == NUMBER]
        if numbers and self.chance(0.4):
            module["replace"] = {"define": {self.rng.choice(numbers): "3"}}
        if self.data["triggers"] and self.chance(0.4):
            module["remove"] = [self.rng.choice(list(self.data["triggers"])).strip("<>")]
        for key, what in (
            ("types", lambda: {self.world.name("sort"): [self.world.name("word") for _ in range(2)]}),
            ("boards", lambda: {self.world.name("land"): {"track": 3, "space": self.world.name("space")}}),
            ("pieces", lambda: {self.world.name("piece"): {"count": 2}}),
            ("pools", lambda: {self.world.name("pool"): {"total": 4, "at": {"player": self.world.name("mine")}}}),
            ("history", lambda: {self.world.name("history"): {"of": ["me"], "keep": 2}}),
            ("define", lambda: {self.world.name("formula"): self.words.number(1)}),
            ("effects", lambda: {self.world.name("effect"): self.rules.block(At(depth=1, calls=False), 1, 1)}),
            ("title", lambda: {"en": "more rules", "ru": "ещё правила"}),
            ("looks", lambda: {self.world.kinds["player"].members[0]: {"color": "red"}}),
        ):
            if self.chance(0.15):
                module[key] = what()
        if aside(module, 8):  # no more than can be there several times
            module = {key: module[key] for key in ("when", "setup", "title", "play") if key in module}
        kinds = list(self.data["pieces"])
        if kinds and self.chance(0.2):
            module["places"] = {self.world.name("place"): {"holds": kinds[0]}}
        if self.chance(0.2):
            module["text"] = {"ru": {self.world.kinds["player"].members[0]: "первый"}}
        if not set(module) - {"when", "setup", "title", "play"} and self.chance(0.9):
            module = {"each": {"word": ["one", "two"]}, **module}
        if "setup" in self.data and "setup" not in module and len(module) > 1 and aside(self.data["setup"], 3):
            again = (
                [{"for": {"me": "players"}, "do": self.data["setup"][0]["do"]}]
                if "for" in self.data["setup"][0]
                else []
            )
            module.setdefault("replace", {})["setup"] = again
        if len(module) > 1:
            self.data["modules"] = {self.world.name("module"): module}

    def campaign(self) -> None:
        keep = [*self.data["values"], *(p.name for p in self.world.places), *(p.name for p in self.world.pools)]
        if not keep or not self.chance(0.25):
            return
        found: Data = {"keep": self.rng.sample(keep, self.rng.randint(1, min(3, len(keep))))}
        if self.chance(0.6):
            with self.words.inner(winners=set_of("player")):
                found["between"] = [
                    {"for": {"me": "winners"}, "do": self.rules.block(At(depth=1, ends=False, calls=False), 1, 2)}
                ]
        self.data["campaign"] = found

    def _titled(self) -> None:
        """What players call spaces, and the signs that stand for them."""
        for board in self.world.boards:
            declared = self.data["board"] if board.name == "board" else self.data["boards"][board.name]
            kind = self.world.kinds[board.word]
            own = [name for name, has in kind.has.items() if has.sort in ("truth", "number")]
            if aside((board.name, "title"), 4):
                declared["title"] = {"en": "spot {this}", "ru": "поле {this}"}
            if not board.growing and board.of is None and aside((board.name, "boxes"), 4):
                declared["boxes"] = True
            if own and aside((board.name, "show"), 3):
                declared["show"] = own[:2] if aside(own, 2) else own[0]

        points = [board for board in self.world.boards if board.shape == "spaces"]
        if len(points) == 2 and points[0].per_player == points[1].per_player:
            for board in points:
                for i, row in enumerate(self.data["boards"][board.name]["spaces"]):
                    row |= {"x": i, "y": i % 2}
            self.data["boards"][points[1].name]["drawn_on"] = points[0].name

    def _shown(self) -> None:
        """What players see of what there is."""
        for section, words in (
            ("places", ["always", "some", "never", "lines", "count", "known"]),
            ("values", ["always", "some", "never"]),
            ("pools", ["always", "some", "never"]),
        ):
            for name, declared in self.data.get(section, {}).items():
                if isinstance(declared, dict) and aside((section, name), 3):
                    declared["show"] = words[len(repr(declared)) % len(words)]
        for name, declared in self.data["pieces"].items():
            if aside(name, 2):
                own = [a for a, kind in declared.get("attributes", {}).items() if kind in ("0..9", "bool")]
                declared["show"] = [*own, "{turn_number}", {"en": "one {this}", "ru": "штука {this}"}]
                if aside(declared, 3):
                    declared["show"] = declared["show"][-1]
                declared["reserve"] = ["count", "lines", "some", "always", "never", "known"][len(repr(declared)) % 6]
        counted = [n for n, (kind, per) in self.world.values.items() if per == ["player"] and kind == NUMBER]
        if aside(sorted(self.data["values"]), 2):
            self.data["show"] = {"player": [*counted, "turn {turn_number}"], "game": ["round {round}"]}
        elif "scoring" in self.data:
            self.data["show"] = {"score": False}
        for module in self.data.get("modules", {}).values():
            if aside(sorted(module), 2):
                module["show"] = {"game": ["{turn_number} turns"]}

    def _faced(self, pieces: list[str]) -> None:
        """What stands on cards, and where places are on the page."""
        places = list(self.data.get("places", {}))
        if pieces and aside([*pieces, "faces"], 4):
            face = {"corner": "{this}", "middle": {"en": "A", "ru": "А"}, "below": "B"}
            self.data.setdefault("looks", {}).setdefault(pieces[0], {}).update(face)
        if places and aside([*places, "at"], 3):
            where = ("top", "bottom", "side")[len(repr(places)) % 3]
            self.data.setdefault("looks", {}).setdefault(places[0], {})["at"] = where
        boards = [board.name for board in self.world.boards]
        if boards and aside([*boards, *pieces, "label"], 3):
            label = {"en": "{this} of {me}", "ru": "{this}: {me}"}
            self.data.setdefault("looks", {}).setdefault(boards[0], {})["label"] = label

    def _judged(self) -> None:
        """What is good for a player; no rule asks for it."""
        modules = list(self.data.get("modules", {}).values())
        if aside([*self.data["pieces"], "good"], 3):
            self.data["heuristic"] = "turn_number - round"
        for module in modules:
            if aside([*sorted(module), "good"], 3):
                module["heuristic"] = "round"
            if "replace" in module and aside([*sorted(module), "better"], 2):
                module["replace"]["heuristic"] = "turn_number"

    def ornaments(self) -> None:
        """Titles, looks, translations: they change no play, and views and pictures show them."""
        if self.chance(0.3):
            self.data["title"] = {"en": "A game", "ru": "Игра"}
            self.data["about"] = "Made at random."
        words = [m for k in self.world.sorted("enum") for m in k.members] + list(self.data["pieces"])
        if words and self.chance(0.3):
            self.data["text"] = {"ru": {self.rng.choice(words): "слово"}}
            self.data["looks"] = {self.rng.choice(words): {"color": "green", "symbol": "x"}}
            told = {"gen": "слова", "dat": "слову", "acc": "слово", "ins": "словом", "pre": "слове", "many": "слов"}
            self.data["cases"] = {"ru": {"слово": told | {"few": "слова", "one": "словечко"}}}
            for module in self.data.get("modules", {}).values():
                if aside(module, 2):
                    module["cases"] = {"ru": {"слово": {"many": "словес"}}}
        self._titled()
        self._shown()
        pieces = [n for n, d in self.data["pieces"].items() if "tile" not in d]
        self._faced(pieces)
        self._judged()
        if pieces and self.chance(0.2):
            self.data["letters"] = {"Z": pieces[0]}
        for module in self.data.get("modules", {}).values() if pieces else ():
            if aside(module, 3):
                module["letters"] = {"Y": pieces[-1]}
        if self.options and self.chance(0.2):
            name, kind = next(iter(self.options.items()))
            condition = {"number": f"{name} == 3", "truth": f"{name} and count(players) > 9"}
            self.data["forbidden"] = [
                {"when": condition.get(kind.sort, "count(players) > 9"), "because": {"en": "no", "ru": "нет"}}
            ]


def _written(kind: T) -> str:
    match kind.sort:
        case "truth":
            return "bool"
        case "number":
            return f"{'maybe ' if kind.maybe else ''}{kind.low}..{kind.high}"
        case "one":
            return f"{'maybe ' if kind.maybe else ''}{kind.of}"
        case "list":
            return "list of 0..9 up to 4" if kind.of == "number" else f"list of {kind.of} up to 4"
    return f"{kind.sort} of {kind.of}"


def game_of(seed: int) -> Data:
    """The data of a game file."""
    return Maker(seed).make()
