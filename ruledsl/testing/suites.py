"""The tests of a game as written: where they stand, and what may stand in them.

Tests stand under `tests:` of the game file (or of an included file), in the files `tests/*.yaml` of the game's
folder, and for a game `NAME.yaml` that is a single file in `NAME.test.yaml` beside it. Such a file is a map:

    letters: {K: king of white, k: king of black}   # for diagrams; besides those of the game
    tests:
      - test: what is shown
        covers: [CH-012]
        given: {…}
        moves: [e2-e4, black: e7-e5]
        expect: [to_move == white]

The forms below say what each map may have; `docs` are made from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

from ruledsl.analysis.names import RESERVED
from ruledsl.compiler.pipeline import Blueprint
from ruledsl.diagnostics.model import Report
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq, load_file
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, Form, Key, fields, scalars, shape_of

from .vacuous import look_over

MOST_COVERED = 5

_STEP = {
    "chance": Key(
        "list",
        "How coming random events turn out, by names; a shuffle takes a list from the top down, "
        "where `...` is the rest in any order.",
        instead="write what comes, in this order: `[3, red]`; a shuffle takes a list: `[[c1, c2, ...]]`",
    ),
    "moves": Key(
        "any",
        "Decisions in order: `player: option`, or the option alone; any part that fits no other will do.",
        tried=("move", "do", "actions", "decisions", "turns", "input", "when", "sequence"),
    ),
    "steps": Key(
        "number",
        "Takes this many decisions with only one option.",
        instead="it is a number; what players decide stands under `moves:`",
    ),
    "expect": Key(
        "any",
        "A condition, or one of `legal`, `offered`, `refused`, `sees`, `ends`, `faults`, `log`; or a list of these.",
        tried=("check", "checks", "assert", "asserts", "expected", "outcome", "result", "should"),
    ),
}
SUITE = Form(
    "a file of tests",
    {
        "tests": Key("list", "The tests."),
        "letters": Key("map", "Letters for pieces in diagrams: `{K: king of white}`."),
        "unnoticed": Key(
            "list", "Changes of the rules that no test can notice (`--mutate`): `{change: …, because: …}`."
        ),
        "unproven": Key(
            "list", "Numbered rules that no test can prove (`coverage --rules`): `{rules: [R-7, R-9], because: …}`."
        ),
    },
)
UNNOTICED = Form(
    "a change that no test can notice",
    {
        "change": Key("scalar", "The change, as `--mutate` writes it after the place.", required=True),
        "because": Key("text", "Why it makes no difference.", required=True),
    },
)
UNPROVEN = Form(
    "rules that no test can prove",
    {
        "rules": Key("words", "The numbers of the rules.", required=True),
        "because": Key("text", "Why nothing implements them, or why no test can notice a change.", required=True),
    },
)
TEST = Form(
    "a test",
    {
        "test": Key("text", "What the test shows, in a few words.", required=True),
        "covers": Key("words", f"The numbered rules that it tests: at most {MOST_COVERED}, each by its own number."),
        "players": Key("any", "The number of players, or their names."),
        "options": Key("map", "Options of the game."),
        "preset": Key("word", "A named set of options of the game."),
        "seed": Key("number", "The random seed (default: 0)."),
        "letters": Key("map", "Letters for pieces in diagrams: `{K: king of white}`."),
        "forbidden": Key("text", "Words of the reason why these players and options do not go together."),
        "from": Key("word", "A file with a position: a map with `given:`, and perhaps `players:` and the like."),
        "given": Key(
            "map",
            "The position in which the test begins, after setup.",
            tried=("start", "position", "initial", "state", "situation", "before"),
        ),
        **_STEP,
        "then": Key(
            "list",
            "What follows: further maps with `chance`, `next_play`, `moves`, `steps`, `expect`.",
            tried=("after", "next", "afterwards", "later", "and", "continue"),
        ),
        "perft": Key(
            "map",
            "How many ways lead on: whole turns to each depth, `{1: 20, 2: 400}`; with `decisions: true`, decisions.",
            instead="write how many ways there are to each depth, as in `{1: 20, 2: 400}`",
        ),
        "play": Key(
            "map",
            "Random plays.",
            tried=("repeat", "simulate", "plays", "random_plays", "games"),
            instead="write how many, as in `play: {games: 100}`",
        ),
        "always": Key("any", "Conditions that hold at every decision of `play`."),
        "finally": Key("any", "Conditions that hold at the end of every play of `play`."),
    },
)
POSITION = Form(
    "a position",
    {
        name: key
        for name, key in TEST.keys.items()
        if name not in ("test", "covers", "forbidden", "from", "expect", "then", "perft", "play", "always", "finally")
    },
)
STEP = Form(
    "a further step",
    {
        "next_play": Key(
            "any",
            "The play is over, and the next one of the campaign begins: with this number of players, with these "
            "names, or with the `same`.",
        ),
        **_STEP,
    },
    main="expect",
)
GIVEN = Form(
    "`given`",
    {
        "values": Key(
            "map", "Values, by name or path: `{bank: 3, anna.score: 12}`; a table by key: `{score: {anna: 12}}`."
        ),
        "state": Key("map", "The state of pieces, spaces and the like, by path: `{anna_king.moved: true}`."),
        "places": Key(
            "map", "What is in places: `{anna.hand: [c13, c36], deck: [c20, ...]}`; piles from the top down."
        ),
        "pools": Key("map", "Tokens by holder: `{anna.purse: 10, boris.goods: {wood: 2}}`; the supply has the rest."),
        "board": Key("any", "A diagram by letters (grids), or a map from spaces to pieces: `{e1: king of white}`."),
        "boards": Key("map", "The same for each board by name."),
        "phase": Key(
            "word",
            "The phase that begins; `turn:` and `before:` are then about its turns and rounds.",
            tried=("stage", "during", "in_phase"),
        ),
        "turn": Key("word", "Whose turn begins now.", tried=("to_move", "player", "me", "who", "active")),
        "round": Key("number", "The number of the round."),
        "before": Key(
            "word",
            "`round`: play stands before a round (that of `round:`); what begins it comes after, with its `chance:`.",
            words=("round",),
            tried=("start", "starts", "begins", "at", "start_of", "beginning"),
        ),
    },
)
EXPECT = Form(
    "an expectation",
    {
        "legal": Key(
            "any",
            "All options that are offered, and no others; `take ...` stands for all that begin with these words.",
            tried=("options", "allowed", "possible", "can", "choices", "exactly"),
        ),
        "offered": Key("any", "Options that are offered; of `take ...` there is one at least."),
        "refused": Key(
            "any",
            "Options that are not offered; as a map, with words of the reason that `why` gives, in any language.",
            tried=("illegal", "forbidden", "impossible", "not_legal", "not legal", "not_offered", "cannot", "not"),
        ),
        "sees": Key(
            "map",
            "What players know of the pieces that not everybody knows: `{anna: [c36]}`; or what they see of places and "
            "values: `{anna: {boris.hand: hidden, deck: 12 hidden, table: [c7, hidden]}, bystander: {bid: hidden}}`. "
            "Also `open` and `empty`, and `everybody`.",
        ),
        "ends": Key(
            "any",
            "How the play ended: `{win: [anna]}`, `tie`, `lost` (nobody wins), `void`, or `false` while it goes on; "
            "also words of the reason or of a rank: `{because: the third dike}`, `{ranks: {anna: knight}}`.",
        ),
        "faults": Key("any", "false, or words of the fault by which the rules end the play."),
        "log": Key(
            "any",
            "Words of a line of the log; by player, of a line that they read, or do not: "
            "`{anna: lay a skull, bystander: {with: lay a hidden card, without: skull}}`.",
            tried=("say", "says", "said", "message", "text", "printed"),
        ),
    },
    tried={
        **dict.fromkeys(
            ("win", "wins", "winner", "winners", "won"),
            "how the play ended is `ends: {win: [anna]}`, with the names of the winners",
        ),
        **dict.fromkeys(("draw", "tie", "stalemate"), "a draw is `ends: tie`"),
        **dict.fromkeys(
            ("lose", "loses", "lost", "loser"),
            "how the play ended is `ends: {win: [anna]}`; if nobody wins, `ends: lost`",
        ),
        **dict.fromkeys(
            ("that", "is", "condition", "values", "value", "holds"),
            "a condition stands alone, as in `- score[anna] == 3`",
        ),
        **dict.fromkeys(("board", "boards"), "what lies somewhere is a condition, as in `empty(a1)`"),
        **dict.fromkeys(
            ("hand", "hands", "places"), "what lies somewhere is a condition, as in `count(anna.hand) == 3`"
        ),
        **dict.fromkeys(("count", "number", "total"), "write a condition, as in `count(deck) == 3`"),
        **dict.fromkeys(
            ("hidden", "open", "visible", "knows", "secret"),
            "who sees what is `sees:`, as in `sees: {boris: {anna.hand: hidden}}`",
        ),
        **dict.fromkeys(("running", "goes_on", "continues", "finished"), "`ends: false` says that the play goes on"),
        **dict.fromkeys(
            ("player", "turn", "next", "to_move", "current"), "whose turn it is, is a condition: `to_move == anna`"
        ),
        **dict.fromkeys(("score", "points"), "points are a condition: `score[anna] == 3`"),
    },
)
LOG = Form(
    "what is read in the log",
    {
        "with": Key("any", "Words of a line that is there; or a list of such."),
        "without": Key(
            "any", "Words that no line has here, although a line has them for somebody who knows everything."
        ),
    },
)
PLAY = Form(
    "`play`",
    {
        "games": Key("number", "How many.", required=True),
        "seed": Key("number", "The random seed."),
        "players": Key("any", "The number of players, or their names."),
        "options": Key("map", "Options of the game."),
        "preset": Key("word", "A named set of options."),
        "most": Key("number", "How many decisions a play may take; more is a failure. 2000 without it."),
    },
)


@dataclass(eq=False)
class Case:
    """One test as written."""

    name: str
    span: Span
    fields: Fields
    letters: list[Map]  # the nearest first
    covers: list[str] = field(default_factory=list)
    path: Path = Path()

    @property
    def line(self) -> int:
        return self.span.line


@dataclass(eq=False)
class Setting:
    """Who plays, and with which options."""

    players: int | None = None
    names: list[str] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 0


def cases_of(blueprint: Blueprint, report: Report, only: Path | None = None) -> list[Case]:
    """All tests of a game, in the order of the files; or those of one file that holds only tests."""
    found: list[Case] = []
    own = [letters for part in blueprint.source.parts if (letters := part.map("letters")) is not None]
    for part in blueprint.source.parts:
        node = part.get("tests")
        if isinstance(node, Seq) and only is None:
            found += _cases(node, own, blueprint.source.path.parent, report)
    for path in files_of(blueprint.source.path) if only is None else [only]:
        read = load_file(path, report, blueprint.source.root)
        suite = fields(read, SUITE, report) if read is not None else None
        if suite is None:
            continue
        letters = suite.map("letters")
        node = suite.get("tests")
        if isinstance(node, Seq):
            found += _cases(node, ([letters] if letters else []) + own, path.parent, report)
    _names_twice(found, report)
    look_over(found, report)
    return found


def _names_twice(cases: list[Case], report: Report) -> None:
    """Two tests of one name in a file: a failure would not say which it is."""
    first: dict[tuple[str, str], Case] = {}
    for case in cases:
        old = first.setdefault((case.span.file.path, case.name), case)
        if old is not case and case.name:
            report.error(
                "Q117",
                case.span,
                "two tests of this file have this name",
                notes=((old.span, "first written here"),),
                help="say in the name what is different about it",
            )


def reasons_of(blueprint: Blueprint, report: Report) -> dict[str, str]:
    """The changes that the files of tests explain as impossible to notice, with the reasons."""
    found = _explained(blueprint, "unnoticed", UNNOTICED, report)
    return {entry.word("change"): entry.word("because") for entry in found}


def unproven_of(blueprint: Blueprint, report: Report) -> dict[str, str]:
    """The numbered rules that the files of tests explain as impossible to prove, with the reasons."""
    found = _explained(blueprint, "unproven", UNPROVEN, report)
    return {number.value: entry.word("because") for entry in found for number in entry.words("rules")}


def _explained(blueprint: Blueprint, key: str, form: Form, report: Report) -> Iterator[Fields]:
    for path in files_of(blueprint.source.path):
        read = load_file(path, report, blueprint.source.root)
        suite = fields(read, SUITE, report) if read is not None else None
        node = suite.get(key) if suite is not None else None
        for item in node.items if isinstance(node, Seq) else ():
            entry = fields(item, form, report)
            if entry is not None:
                yield entry


def files_of(path: Path) -> list[Path]:
    """The files that hold only tests of a game."""
    folder = path.parent
    if path.name == "game.yaml":
        return sorted(folder.glob("tests/*.yaml"))
    beside = folder / f"{path.stem}.test.yaml"
    return [beside] if beside.is_file() else []


def _cases(node: Seq, letters: list[Map], folder: Path, report: Report) -> list[Case]:
    found = []
    for item in node.items:
        f = fields(item, TEST, report)
        if f is None:
            continue
        name = f.get("test")
        own = f.map("letters")
        case = Case(
            name.value if isinstance(name, Scalar) else "",
            name.span if name is not None else item.span,
            f,
            ([own] if own else []) + letters,
            _covers(f, report),
            folder,
        )
        _beside_forbidden(f, report)
        if not any(f.has(key) for key in ("expect", "then", "perft", "play", "forbidden")):
            report.error("Q101", case.span, "this test expects nothing", help="add `expect:`, `perft:` or `play:`")
        found.append(case)
    return found


def _beside_forbidden(f: Fields, report: Report) -> None:
    """What is refused is not played, so whatever a test says of playing it would be passed over."""
    if f.has("forbidden"):
        for entry in f.node:
            if entry.key.value not in ("test", "covers", "players", "options", "preset", "forbidden"):
                message = f"`{entry.key.value}:` has no effect where `forbidden:` says that nobody can play"
                report.error("Q116", entry.key.span, message, help="write a test of its own for it")


def _covers(f: Fields, report: Report) -> list[str]:
    words = f.words("covers")
    node = f.get("covers")
    if len(words) > MOST_COVERED and node is not None:
        report.error(
            "Q102",
            node.span,
            f"a test covers at most {MOST_COVERED} rules, not {len(words)}",
            help="a test of many rules shows little about each; write several tests",
        )
    for word in words:
        if re.search(r"\.\.|…|–|—|\s(to|bis)\s|\s-\s|,", word.value):
            report.error("Q103", word.span, f"`{word.value}` is not a single rule", help="name each rule by itself")
    return [word.value for word in words]


def setting_of(f: Fields, blueprint: Blueprint, report: Report, base: Setting | None = None) -> Setting | None:
    """The players, options and seed that a test asks for; None if they cannot be had."""
    before = report.errors
    setting = Setting(base.players, base.names, dict(base.options), base.seed) if base else Setting()
    node = f.get("players")
    if node is not None:
        read_players(node, blueprint, setting, report)
    preset = f.get("preset")
    if isinstance(preset, Scalar):
        setting.options = {"preset": preset.value, **setting.options}
    for entry in f.map("options") or ():
        value = entry.value
        setting.options[entry.key.value] = (
            [w.value for w in scalars(value)]
            if isinstance(value, Seq)
            else value.value
            if isinstance(value, Scalar)
            else ""
        )
        if entry.key.value not in blueprint.options:
            from ruledsl.syntax.shapes import unknown_key

            unknown_key(entry.key, tuple(blueprint.options), "the options", report)
    if f.has("seed"):
        setting.seed = f.number("seed")
    return None if report.errors > before else setting


def read_players(node: Node, blueprint: Blueprint, setting: Setting, report: Report) -> None:
    names = [item.value for item in scalars(node)] if isinstance(node, Seq) else []
    number = node.as_int() if isinstance(node, Scalar) else None
    if not names and number is None:
        words = [word.strip() for word in node.value.split(",")] if isinstance(node, Scalar) else []
        help = f"write `[{', '.join(words)}]`" if words and all(word.isidentifier() for word in words) else ""
        said = f"`players:` must be a number or a list of names, not {shape_of(node)}"
        report.error("S103", node.span, said, help=help or "as in `2`, or `[anna, boris]`")
        return
    count = number if number is not None else len(names)
    if not blueprint.fewest <= count <= blueprint.most:
        wanted = (
            str(blueprint.fewest) if blueprint.fewest == blueprint.most else f"{blueprint.fewest} to {blueprint.most}"
        )
        report.error("Q104", node.span, f"this game is for {wanted} players, not {count}")
    elif names and blueprint.seats and names != blueprint.seats:
        report.error(
            "Q105",
            node.span,
            "the seats of this game have names of their own",
            help=f"they are {', '.join(blueprint.seats)}; remove `players:`",
        )
    elif names and (len(set(names)) < len(names) or not all(name.isidentifier() for name in names)):
        report.error("Q105", node.span, "players need different names of letters, digits and `_`")
    elif taken := RESERVED.intersection(names):
        report.error("Q105", node.span, f"a player cannot be called `{min(taken)}`: it has a meaning of its own")
    else:
        setting.players, setting.names = count, names or None
