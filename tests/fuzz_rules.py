"""Statements at random: one part of the fuzzer, see `fuzz.py`.

Every statement of the language has a recipe here, a method named after it. A recipe gives the statement as the data of
a YAML file, or None where the game or the place has nothing that it could be about.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from fuzz_words import NUMBER, TRUTH, Effect, Place, Pool, T, Words, World, list_of, one, set_of
from fuzz_writing import aside, listed

Data = Any


@dataclass(frozen=True)
class At:
    """Where a statement stands, and so what it may do."""

    depth: int = 2
    asks: bool = True  # players may be asked
    rolls: bool = True  # something random may happen
    secret: bool = False  # inside `together`
    ends: bool = True  # the play may end
    calls: bool = True  # effects may be called
    frames: tuple[str, ...] = ()  # what can be left
    top: bool = False  # in `play`, where menus may be asked for, and parts of the play have names
    proceeds: bool = False

    @property
    def quiet(self) -> bool:
        return not self.asks and not self.rolls

    def under(self, *frames: str) -> At:
        return replace(self, depth=self.depth - 1, frames=(*self.frames, *frames))


@dataclass
class Plot:
    """What the statements of a game speak of besides its world: menus, phases."""

    menus: list[str] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # kinds of pieces with something to read


class Rules:
    def __init__(self, words: Words, plot: Plot) -> None:
        self.words, self.world, self.plot = words, words.world, plot
        self.rng = words.rng
        self.recipes: dict[str, Callable[[At], Data]] = {
            "let": self.let, "if": self.if_, "for": self.for_, "as": self.as_, "repeat": self.repeat,
            "while": self.while_, "rounds": self.rounds, "phase": self.phase, "turns": self.turns,
            "next_turn": self.next_turn, "end": self.end, "set": self.set, "add": self.add, "subtract": self.subtract,
            "gain": self.gain, "pay": self.pay, "move": self.move, "remove": self.remove, "swap": self.swap,
            "draw": self.draw, "deal": self.deal, "shuffle": self.shuffle, "random": self.random, "reset": self.reset,
            "record": self.record, "reveal": self.reveal, "say": self.say, "read": self.read, "win": self.win,
            "lose": self.lose, "tie": self.tie, "choose": self.choose, "choose one": self.choose_one, "may": self.may,
            "offer": self.offer, "together": self.together, "never": self.never,
        }  # fmt: skip

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    @contextmanager
    def scope(self) -> Any:
        with self.words.inner():
            yield

    # ----------------------------------------------------------------------------------------------- blocks

    def block(self, at: At, fewest: int = 1, most: int = 3) -> list[Data]:
        """A list of statements; names that one gives hold for the rest."""
        found: list[Data] = []
        with self.scope():
            for _ in range(self.rng.randint(fewest, most)):
                statement = self.statement(at)
                if isinstance(statement, list):
                    found += statement
                elif statement is not None:
                    found.append(statement)
                if found and isinstance(found[-1], dict) and next(iter(found[-1])) in ("end", "win", "lose", "tie"):
                    break
        return found or [{"say": "nothing"}]

    def statement(self, at: At) -> Data:
        for _ in range(12):
            name = self.rng.choice(NAMES if at.depth > 0 else SIMPLE)
            if (not at.asks and name in ASKING) or (not at.rolls and name in ROLLING) or (at.secret and name in OPEN):
                continue
            found = self.recipes[name](at) if name != "call" else self.call(at)
            if found is not None:
                return found
        return None

    def call(self, at: At) -> Data:
        if not at.calls or at.secret:
            return "proceed()" if at.proceeds and self.chance(0.6) else None
        found = [e for e in self.world.effects if e.quiet or not at.quiet]
        return self.words.call(self.rng.choice(found), 1) if found else None

    def guarded(self, statement: Data) -> Data:
        """Not always, so that plays go on."""
        return {"if": f"turn_number > {self.rng.randint(3, 8)} and {self.words.truth(1)}", "then": statement}

    def never(self, at: At) -> Data:
        what = self.rng.choice(["never", {"never": "it is too late"}])
        return {"if": f"turn_number > {self.rng.randint(5, 9)} and {self.words.truth(1)}", "then": what}

    # -------------------------------------------------------------------------------------------- deciding

    def let(self, at: At) -> Data:
        kind = self.some_type()
        name = self.world.name("it")
        text = _unsure(self.words.of(kind, 2)) if kind.maybe else self.words.of(kind, 2)
        if kind.sort == "number" and text.isdecimal():
            return None
        self.words.scope[name] = kind
        return {"let": {name: text}}

    def some_type(self) -> T:
        root = self.words.root()
        return self.rng.choice([NUMBER, TRUTH, one(root), one(root, True), set_of(root), list_of(root)])

    def if_(self, at: At) -> Data:
        found = {"if": self.words.truth(2), "then": self.block(at.under())}
        if self.chance(0.4):
            found["else"] = self.block(at.under())
        return found

    def for_(self, at: At) -> Data:
        if not at.secret and self.chance(0.3):
            domain = self.rng.choice(["players", "players from me", f"players where {self.words.truth(0)}"])
            return {"for": {"me": domain}, "do": self.block(at.under("loop"))}
        x, root = self.world.name("i"), self.words.root()
        domain = self.words.set(root, 1)
        with self.words.inner(**{x: one(root)}):
            where = f" where {self.words.truth(1)}" if self.chance(0.4) else ""
            return {"for": {x: domain + where}, "do": self.block(at.under("loop"))}

    def as_(self, at: At) -> Data:
        return {"as": self.words.one("player", 1), "do": self.block(at.under())}

    def repeat(self, at: At) -> Data:
        return {
            "repeat": self.words.number(1, T("number", "number", 0, 3)),
            "do": self.block(at.under("loop")),
        }

    def while_(self, at: At) -> Data:
        # Mostly a loop that comes to its end by itself.
        done = self.block(at.under("loop"), 1, 2)
        found = {"while": self.words.truth(1), "do": done, "most": self.rng.randint(1, 4)}
        if self.chance(0.85):
            done.append({"end": "loop"})
        return found

    def rounds(self, at: At) -> Data:
        return {"rounds": self.rng.randint(1, 3), "do": self.block(at.under("rounds", "round"))}

    def phase(self, at: At) -> Data:
        if not at.top:
            return None
        name = self.world.name("phase")
        found = {"phase": name, "do": self.block(at.under(f"phase {name}"))}
        self.plot.phases.append(name)
        return found

    def turns(self, at: At) -> Data:
        if not at.top and self.chance(0.8):
            return None
        order = self.rng.choice(["players", f"players from {self.words.one('player', 1)}", "list(players)"])
        last = self.rng.randint(2, 5)
        found: dict[str, Any] = {"turns": order, "until": f"turn_number > {last}"}
        if self.chance(0.3):
            found["skip"] = self.words.truth(1)
        found["do"] = self.block(replace(at.under("turns", "turn"), asks=True), 1, 3)
        return found

    def next_turn(self, at: At) -> Data:
        return {"next_turn": self.words.one("player", 1)} if "turn" in at.frames else None

    def end(self, at: At) -> Data:
        found = [frame.removeprefix("phase ") for frame in at.frames]
        if at.ends and not at.secret:
            found.append("game") if self.chance(0.2) else None
        if not found:
            return None
        what: Data = {"end": self.rng.choice(found)}
        if what["end"] == "game" and self.chance(0.8):
            what["because"] = "it is enough"
        if self.world.limited and self.chance(0.4):
            what["unused"] = self.rng.choice(self.world.limited)
        return {"if": self.words.truth(1), "then": what}

    # -------------------------------------------------------------------------------------------- changing

    def target(self, at: At, *sorts: str) -> tuple[str, T] | None:
        """What can be set: a value, or a state of something; in secret only what is one's own."""
        found: list[tuple[str, T]] = []
        for name, (kind, per) in self.world.values.items():
            if (sorts and kind.sort not in sorts) or name in self.world_options:
                continue
            if at.secret:
                if per == ["player"]:
                    found.append((f"me.{name}", kind))
            else:
                found.append((self.words.at(name, per, 1), kind))
        if not at.secret:
            for owner in self.world.kinds.values():
                for name, kind in owner.kept.items():
                    if (not sorts or kind.sort in sorts) and owner.sort in ("piece", "space"):
                        found.append((f"{self.words.one(owner.name, 1)}.{name}", kind))
        return self.rng.choice(found) if found else None

    @property
    def world_options(self) -> set[str]:
        return getattr(self.world, "option_names", set())

    def set(self, at: At) -> Data:
        found: dict[str, str] = {}
        for _ in range(self.rng.randint(1, 2)):
            target = self.target(at)
            if target is not None:
                found[target[0]] = self.words.of(target[1], 2)
        return {"set": found} if found else None

    def add(self, at: At) -> Data:
        return self._change(at, "add")

    def subtract(self, at: At) -> Data:
        return self._change(at, "subtract")

    def _change(self, at: At, verb: str) -> Data:
        sorts = ("number", "set", "bag", "list") if verb == "add" else ("number", "set", "bag")
        target = self.target(at, *sorts)
        if target is None:
            return None
        path, kind = target
        if kind.sort == "number":
            # Where it surely fits, mostly.
            amount = self.words.number(1, T("number", "number", 0, 2))
            change = {verb: {path: amount}}
            sign, border = ("+", kind.high) if verb == "add" else ("-", kind.low)
            if kind.maybe or self.chance(0.1):
                return change if not kind.maybe else None
            fits = f"{path} {sign} {amount} {'<=' if verb == 'add' else '>='} {border}"
            return {"if": fits, "then": change}
        if kind.sort == "list":
            return {"if": f"count({path}) < 3", "then": {verb: {path: self.words.of(T("number", "number", 0, 9), 1)}}}
        if kind.sort == "bag":
            small = self.words.bag(kind.of, 0)
            return {"if": f"{path} >= {small}", "then": {verb: {path: small}}} if verb == "subtract" else None
        text = self.words.one(kind.of, 1) if self.chance(0.5) and kind.of != "number" else self.words.set(kind.of, 1)
        return {verb: {path: text}}

    def amounts(self, pool: Pool, most: int = 2) -> Data:
        if not pool.of:
            return {pool.name: self.words.number(1, T("number", "number", 0, most))}
        members = self.world.kinds[pool.of].members
        if self.chance(0.3):
            return self.words.bag(pool.of, 0)
        return {member: self.rng.randint(0, most) for member in self.rng.sample(members, min(len(members), 2))}

    def gain(self, at: At) -> Data:
        if not self.world.pools:
            return None
        pool = self.rng.choice(self.world.pools)
        if pool.of and at.asks and not at.secret and self.chance(0.2):
            return {"gain": listed({f"any {pool.of}": self.rng.randint(1, 3)})}
        found = {"gain": self.amounts(pool)}
        if at.secret:
            return found
        if pool.common and self.chance(0.2):
            return {
                "if": f"{pool.common} >= {self._few(pool)}",
                "then": {"gain": self._few(pool, True), "from": pool.common},
            }
        if self.chance(0.3):
            found["to"] = f"{self.words.one('player', 1)}.{pool.mine}"
        return found

    def _few(self, pool: Pool, spent: bool = False) -> Data:
        if not pool.of:
            return {pool.name: 1} if spent else "1"
        return f"each({pool.of})"

    def pay(self, at: At) -> Data:
        if not self.world.pools:
            return None
        pool = self.rng.choice(self.world.pools)
        if pool.of and at.asks and not at.secret and self.chance(0.4):
            return self._price(pool)
        pays: dict[str, Data] = {"pay": self._few(pool, True)}
        if self.chance(0.4) and pool.common and not at.secret:
            pays["to"] = pool.common
        payer = "me"
        if self.chance(0.3) and not at.secret:
            payer = self.words.one("player", 0)
            pays["from"] = f"{payer}.{pool.mine}"
        return {"if": f"{payer}.{pool.mine} >= {self._few(pool)}", "then": pays}

    def _price(self, pool: Pool) -> Data:
        """Something is paid that may be paid in several ways."""
        n, sort = self.rng.randint(1, 4), self.rng.choice(self.world.kinds[pool.of].members)
        pays: dict[str, Data] = {"pay": listed({f"any {pool.of}": n, sort: 1})}
        price, asked = f"amount(any {pool.of}, {n}) + amount({pool.of}.{sort}, 1)", ""
        if self.chance(0.3):
            pays |= {"less": 2, "least": 1}
            asked = ", less=2, least=1"
        if pool.trade and self.chance(0.6):
            pays["after"] = self.rng.choice(["exchanges", pool.trade, [pool.trade]])
            asked += ", after=exchanges"
        return {"if": f"payable({price}{asked})", "then": pays}

    # --------------------------------------------------------------------------------------------- pieces

    def piece(self) -> tuple[str, str] | None:
        """A piece that may be none, with the name of its kind."""
        kinds = self.world.sorted("piece")
        if not kinds:
            return None
        kind = self.rng.choice(kinds)
        names = self.words.locals("one", kind.name)
        if names and self.chance(0.5):
            return self.rng.choice(names), kind.name
        return self.words.maybe(kind.name, 1), kind.name

    def spot(self, kind: str) -> tuple[str, str] | None:
        """Where a piece may go, and the condition for there being room."""
        places = [p for p in self.world.places if p.holds == kind]
        boards = list(self.world.boards)
        if places and (not boards or self.chance(0.5)):
            place = self.rng.choice(places)
            key = self.words.one(place.per, 1) if place.per else ""
            text = f"{key}.{place.name}" if key else place.name
            return text, f"count({text}) < {place.slots or place.most}" if place.slots or place.most else ""
        if boards:
            board = self.rng.choice(boards)
            space = self.words.one(board.word, 1)
            return space, "" if board.several else f"empty({space})"
        return None

    def move(self, at: At) -> Data:
        found = self.piece()
        if found is None or at.secret:
            return None
        piece, kind = found
        spot = self.spot(kind)
        if spot is None:
            return None
        where, room = spot
        x = self.world.name("it")
        first = {"let": {x: _unsure(piece)}}
        if self.chance(0.2):
            moved = self.rng.choice(
                [self.words.set(kind, 1), f"[{self.words.set(kind, 0)}, {self.words.set(kind, 0)}]"]
            )
            if room == "":
                return {"move": moved if not moved.startswith("[") else moved[1:-1].split(", "), "to": where}
        change: dict[str, Data] = {"move": x, "to": where}
        place = next((p for p in self.world.places if where.endswith(p.name)), None)
        if place is not None and place.ordered and self.chance(0.5):
            change["at"] = str(self.rng.randint(1, place.slots)) if place.slots else self.rng.choice(["top", "bottom"])
        if self.words.world.kinds[kind].codes.get("turns") and where and self.chance(0.7):
            change["turned"] = self.words.number(0, T("number", "number", 0, 5))
        condition = x if not room else f"{x} and {room}"
        if self.chance(0.2) and "at" not in change and "turned" not in change:
            return {
                "if": f"any(reserve({kind}))" + (f" and {room}" if room else ""),
                "then": {"move": kind, "to": where},
            }
        return [first, {"if": condition, "then": change}]

    def remove(self, at: At) -> Data:
        found = self.piece()
        return {"remove": found[0]} if found is not None and not at.secret and self.chance(0.4) else None

    def swap(self, at: At) -> Data:
        kinds = self.world.sorted("piece")
        ways: list[tuple[str, str]] = []
        boards = [b for b in self.world.boards if not b.growing]
        if boards:
            word = self.rng.choice(boards).word
            ways.append((self.words.one(word, 1), self.words.one(word, 1)))
        free = [p for p in self.world.places if not p.slots]
        if free:
            place = self.rng.choice(free)
            others = [p for p in free if p.holds == place.holds]
            ways.append((self._key(place), self._key(self.rng.choice(others))))
        if kinds and not at.secret:
            kind = self.rng.choice(kinds).name
            a, b = self.world.name("it"), self.world.name("it")
            if self.chance(0.5):
                return [
                    {"let": {a: _unsure(self.words.maybe(kind, 1)), b: _unsure(self.words.maybe(kind, 1))}},
                    {"if": f"{a} and {b}", "then": {"swap": a, "with": b}},
                ]
        if not ways or at.secret:
            return None
        one_, other = self.rng.choice(ways)
        return {"swap": one_, "with": other}

    def _key(self, place: Place) -> str:
        return f"{self.words.one(place.per, 1)}.{place.name}" if place.per else place.name

    def pile(self) -> tuple[str, Place] | None:
        found = [p for p in self.world.places if p.pile]
        if not found:
            return None
        place = self.rng.choice(found)
        return self._key(place), place

    def draw(self, at: At) -> Data:
        pile = self.pile()
        if pile is None or at.secret:
            return None
        goals = [p for p in self.world.places if p.holds == pile[1].holds and not p.slots]
        found: dict[str, Any] = {"draw": self.words.number(1, T("number", "number", 0, 3)), "from": pile[0]}
        found["to"] = self._key(self.rng.choice(goals))
        called = [e for e in self.world.effects if e.takes == [one(pile[1].holds)] and (e.quiet or not at.quiet)]
        if called and at.calls:
            found["call"] = self.rng.choice(called).name
        if self.chance(0.3):
            found["empty"] = [{"move": self._key(self.rng.choice(goals)), "to": pile[0]}]
        return found

    def deal(self, at: At) -> Data:
        pile = self.pile()
        goals = [p for p in self.world.places if pile and p.holds == pile[1].holds and p.per and not p.slots]
        if pile is None or not goals or at.secret:
            return None
        goal = self.rng.choice(goals)
        found = {"deal": str(self.rng.randint(1, 2)), "from": pile[0], "to": goal.name}
        if self.chance(0.4):
            first = "players from " + self.words.one("player", 1)
            found["among"] = first if goal.per == "player" else self.words.list(goal.per, 1)
        return found

    def shuffle(self, at: At) -> Data:
        loose = [p for p in self.world.places if not p.ordered]
        if loose and self.chance(0.3):
            return {"shuffle": self._key(self.rng.choice(loose))}
        pile = self.pile()
        return {"shuffle": pile[0]} if pile is not None else None

    def random(self, at: At) -> Data:
        x, root = self.world.name("r"), self.words.root()
        domain = self.words.set(root, 1)
        if self.chance(0.3):
            self.words.scope[x] = T("number", "number", 1, 6)
            return {"random": {x: f"1..{self.rng.randint(2, 6)}"}}
        # Of nothing nothing can be picked: that is a fault.
        found: dict[str, Any] = {"random": {x: domain}}
        self.words.scope[x] = one(root)
        if self.chance(0.3):
            found["weights"] = f"1 + {self.words.number(1, T('number', 'number', 0, 3))}"
        if domain != self.world.kinds[root].whole and self.chance(0.9):
            self.words.scope.pop(x)
            body = self.block(replace(at, depth=0), 1, 2)
            return {"if": f"any({domain})", "then": [found, *body]}
        return found

    def reset(self, at: At) -> Data:
        names = [n for n in self.world.values if n not in self.world_options] + [p.name for p in self.world.places]
        names += [kind.name for kind in self.world.sorted("piece")]
        return {"reset": self.rng.sample(names, 1)} if names and not at.secret and self.chance(0.3) else None

    def record(self, at: At) -> Data:
        return {"record": self.rng.choice(self.world.histories)} if self.world.histories and not at.secret else None

    def reveal(self, at: At) -> Data:
        found = self.piece()
        if found is None or at.secret:
            return None
        place = self.words.place(1, holds=found[1])
        shown = self.rng.choice([place or self.words.set(found[1], 1), self.words.set(found[1], 1)])
        if self.chance(0.3):
            return {"hide": shown}
        told: Data = {"reveal": shown}
        if self.chance(0.5):
            told["to"] = self.rng.choice(["me", self.words.set("player", 1)])
        return told

    def say(self, at: At) -> Data:
        texts = [f"{{{self.words.of(kind, 1)}}}" for kind in (one(self.words.root(), True), NUMBER)]
        found: Data = {
            "say": self.rng.choice([f"now {texts[0]}", f"{texts[0]} has {texts[1]}", {"en": "a", "ru": texts[1]}])
        }
        if self.chance(0.3):
            found["to"] = self.words.set("player", 1)
        return found

    def read(self, at: At) -> Data:
        if not self.plot.told or at.secret:
            return None
        kind = self.rng.choice(self.plot.told)
        x = self.world.name("it")
        found = {"read": f"the({x})"}
        if self.chance(0.4):
            found["to"] = "me"
        return [{"let": {x: _unsure(self.words.maybe(kind, 1))}}, {"if": x, "then": found}]

    # ---------------------------------------------------------------------------------------------- the end

    def win(self, at: At) -> Data:
        return self._ended(at, "win")

    def lose(self, at: At) -> Data:
        return self._ended(at, "lose")

    def tie(self, at: At) -> Data:
        return self._ended(at, "tie")

    def _ended(self, at: At, verb: str) -> Data:
        if not at.ends or at.secret or self.chance(0.5):
            return None
        found: dict[str, Any] = {verb: self.rng.choice(["me", self.words.set("player", 1), "players"])}
        if self.chance(0.3):
            found["because"] = self.rng.choice(["it is so", {"en": "a {turn_number}", "ru": "так"}])
        return self.guarded(found)

    # ----------------------------------------------------------------------------------------------- asking

    def variables(self, at: At, most: int = 2) -> tuple[dict[str, str], dict[str, T]]:
        """What a choice asks for, and the names that it gives."""
        domains: dict[str, str] = {}
        names: dict[str, T] = {}
        for _ in range(self.rng.randint(1, most)):
            x, root = self.world.name("c"), self.words.root()
            with self.words.inner(**{n: k for n, k in names.items() if k.sort == "one"}):
                domain = self.words.set(root, 1)
                with self.words.inner(**{x: one(root)}):
                    where = f" where {self.words.truth(1)}" if self.chance(0.5) else ""
            several = self.rng.choice(["2 of", "1..2 of", "any of", "some of"]) if self.chance(0.15) else ""
            if self.chance(0.15):
                domains[x], names[x] = f"0..{self.rng.randint(1, 4)}", T("number", "number")
            else:
                if several:  # of few, since there are as many ways as sets
                    domain = f"set(take(list({domain}), {self.rng.randint(2, 6)}))"
                domains[x] = f"{several} {domain}{where}".strip()
                names[x] = set_of(root) if several else one(root)
        return domains, names

    def asking(self, at: At, optional: bool = True) -> tuple[Data, dict[str, T]]:
        domains, names = self.variables(at)
        found: Data = {"choose": domains}
        with self.words.inner(**names):
            if self.chance(0.3):
                found["where"] = self.words.truth(1)
            if any(kind.sort == "set" for kind in names.values()):
                if self.chance(0.4):
                    found["so_far"] = self.words.truth(0)
            if self.chance(0.4):
                found["label"] = "take " + " and ".join(f"{{{name}}}" for name in names)
                first = f"{{{next(iter(names))}}}"
                if aside(found, 4):
                    found["notation"] = [first, {"as": f"x{first}", "when": "turn_number > 1"}]
                elif aside([*sorted(found), *names, "chain"], 4):
                    found["notation"] = {"as": f"{first}/{first}", "chain": "/"}
            if len(names) > 1 and self.chance(0.3):
                found["stepwise"] = True
            if any(kind.sort == "set" for kind in names.values()) and self.chance(0.3):
                found["ordered"] = True
                names = {n: list_of(k.of) if k.sort == "set" else k for n, k in names.items()}
        return found, names

    def choose(self, at: At) -> Data:
        found, names = self.asking(at)
        if self.chance(0.3):
            found["optional"] = True
            if self.chance(0.5):
                found["stop"] = "leave it"
        if self.chance(0.15) and not at.secret:
            found["by"] = self.words.one("player", 1)
        if self.chance(0.1):
            found["ask"] = "always"
        if self.chance(0.8):
            found["else"] = self.rng.choice([[], self.block(replace(at.under(), asks=False), 1, 1)])
        self.words.scope |= names
        return found

    def entries(self, at: At) -> list[Data]:
        found = []
        for number in range(self.rng.randint(1, 3)):
            with self.scope():
                entry: Data = {}
                if self.chance(0.5):
                    entry, names = self.asking(at)
                    self.words.scope |= names
                entry.setdefault("label", f"way {number}")
                if self.chance(0.4):
                    entry["when"] = self.words.truth(1) if "choose" not in entry else "turn_number > 0"
                entry["do"] = self.block(at.under(), 1, 2)
                found.append(entry)
        if self.plot.menus and at.top and self.chance(0.3):
            found.append({"menu": self.rng.choice(self.plot.menus)})
        return found

    def menu(self, at: At) -> Data:
        return self.rng.choice(self.plot.menus) if self.plot.menus and at.top and self.chance(0.6) else self.entries(at)

    def choose_one(self, at: At) -> Data:
        found: Data = {"choose one": self.menu(replace(at.under(), frames=(*at.frames, "loop")))}
        if self.chance(0.3):
            found["optional"] = True
        if self.chance(0.2):
            found["any_number"] = True
            if self.chance(0.4):
                found["done"] = self.words.truth(1)
        if self.chance(0.15):
            found["at_least"] = self.rng.randint(1, 2)
        if self.chance(0.15):
            found["at_most"] = self.rng.choice([2, 3, f"2 + {self.words.number(0)}"])
        if self.chance(0.2):
            found["stop"] = {"en": "enough", "ru": "хватит"}
        if self.chance(0.15) and not at.secret:
            found["by"] = self.words.one("player", 0)
        if self.chance(0.2):
            found["label"] = "do something"
        if self.chance(0.1):
            found["ask"] = "always"
        if self.chance(0.5):
            found["else"] = self.block(replace(at.under(), asks=False), 1, 1)
        return found

    def may(self, at: At) -> Data:
        found: Data = {"may": self.block(at.under(), 1, 2)}
        if self.chance(0.5):
            found["label"] = "do it"
        if self.chance(0.3):
            found["stop"] = "do not"
        if self.chance(0.2) and not at.secret:
            found["by"] = self.words.one("player", 0)
        return found

    def offer(self, at: At) -> Data:
        found: Data = {"offer": self.menu(replace(at.under(), frames=(*at.frames, "loop")))}
        found["to"] = self.rng.choice(["players", "players from me", self.words.list("player", 1), "players after me"])
        found["until"] = self.rng.choice(["all pass", "once", "first", "once"])
        if self.chance(0.3):
            found["done"] = "turn_number > 1 or " + self.words.truth(0)
        if self.chance(0.3):
            found["stop"] = "pass"
        if self.chance(0.2):
            found["ask"] = "always"
        return found

    def together(self, at: At) -> Data:
        who = self.rng.choice(["players", "players", self.words.set("player", 1)])
        inside = At(depth=1, asks=True, rolls=False, secret=True, ends=False, calls=False)
        return {"together": who, "do": self.block(inside, 1, 3)}


def _unsure(text: str) -> str:
    """An expression that may be none, whatever its type says: what is there surely cannot be asked for."""
    return f"(if turn_number < 99 then {text} else none)"


ASKING = {"choose", "choose one", "may", "offer", "together", "turns"}
ROLLING = {"random", "shuffle"}
OPEN = {
    "together", "random", "shuffle", "win", "lose", "tie", "offer", "turns", "rounds", "phase", "as", "next_turn",
    "say",
}  # fmt: skip
SIMPLE = [
    "let", "set", "set", "add", "subtract", "gain", "pay", "move", "move", "move", "remove", "draw", "reveal", "say",
    "record", "call", "swap", "reset", "shuffle", "read", "random", "never",
]  # fmt: skip
NAMES = [
    *SIMPLE, "if", "if", "for", "for", "as", "repeat", "while", "rounds", "phase", "turns", "next_turn", "end", "deal",
    "win", "lose", "tie", "choose", "choose", "choose", "choose", "choose one", "choose one", "may", "offer",
    "together",
]  # fmt: skip

__all__ = ["At", "Effect", "Plot", "Rules", "World"]
