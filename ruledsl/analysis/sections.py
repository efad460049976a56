"""The files of a game as one document: includes read, modules added, every declaration by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from dataclasses import fields as fields_of
from functools import cached_property
from pathlib import Path
from typing import Any

from ruledsl.boards.base import SHAPES
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.records import dataclass
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, Seq, load_file, word_at
from ruledsl.source.scan import MAX_TABLE_BYTES, is_inside, read_file
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax.copies import EACH, written_out
from ruledsl.syntax.mending import rejoined
from ruledsl.syntax.parser import parse
from ruledsl.syntax.relaid import relaid
from ruledsl.syntax.shapes import FORMS, LANGUAGES, Fields, Form, Key, by_language, fields, scalars

from .declarations.scoring import SCORING
from .declarations.shown import SHOW

VERSION = 1
_LETTER = 3  # characters that a letter of a diagram has at most
NAMED = (
    "options",
    "presets",
    "types",
    "boards",
    "pieces",
    "places",
    "pools",
    "values",
    "history",
    "define",
    "effects",
    "actions",
    "triggers",
)

_DECLARATIONS = {
    "players": Key("any", "How many players, as in `2` or `2..4`, or their names, as in `[white, black]`."),
    "options": Key("map", "What may be set before a play: `{size: {is: 3..19, start: 11}}`."),
    "presets": Key("map", "Named sets of options."),
    "types": Key("map", "Enumerations and ranges with a name."),
    "board": Key("map", "The board, named `board`, with spaces named `space` unless `space:` says otherwise."),
    "boards": Key("map", "Several boards by name."),
    "pieces": Key("map", "Kinds of pieces: men, cards, tiles, dice."),
    "places": Key("map", "Where pieces lie off the board: hands, decks, rows."),
    "pools": Key("map", "Tokens that are only counted: money, goods."),
    "values": Key("map", "What else changes in play: scores, flags, notes."),
    "history": Key("map", "Positions that are remembered, for repetition."),
    "define": Key("map", "Formulas by name."),
    "effects": Key("map", "Effects by name: statements that can be called."),
    "actions": Key("map", "Effects that players may pick from a menu."),
    "triggers": Key("map", "What happens before, after or instead of something else."),
    "setup": Key("block", "What happens before play."),
    "play": Key("block", "How the game is played."),
    "scoring": Key("map", "Points at the end.", inner=tuple(SCORING.keys)),
    "heuristic": Key(
        "sum",
        "How good a position is for a player: a number, calculated for each player as `me`. The rules never "
        "use it; bots do.",
        tried=("evaluation", "evaluate", "eval", "good", "ai", "judge"),
    ),
    "show": Key(
        "map",
        "What is shown of players and of the game.",
        tried=("display", "visible", "shown", "screen", "panel"),
    ),
}
_ENDS = (
    "a statement in `play:` ends the play, such as `win: me`, `tie: players` or `end: game`; else `scoring:` decides"
)
_NOWHERE = ("author", "authors", "designer", "version", "date", "license", "copyright", "meta", "metadata", "email")
_TRIED = {
    **dict.fromkeys(_NOWHERE, "the rules have no place for this: write it as a comment, behind a `#`"),
    **dict.fromkeys(("end", "ending", "end_of_game", "game_over", "goal", "victory", "win", "winner"), _ENDS),
    "hide": "what is not shown says `show: never` where it is declared; points are hidden by `show: {score: false}`",
}
GAME = Form(
    "a game",
    {
        "ruledsl": Key("number", "The version of the rule language: 1.", required=True),
        "game": Key("word", "The name of the game, in lower case with dashes.", required=True, tried=("name", "id")),
        "title": Key("text", "The title that players see."),
        "about": Key("text", "A sentence or two about the game."),
        "include": Key("words", "Further files of the game, in the same folder or below."),
        **_DECLARATIONS,
        "modules": Key("map", "Rules that are added when a condition on options and players holds."),
        "forbidden": Key("list", "Players and options that do not go together: `{when: …, because: …}`."),
        "campaign": Key("map", "What is kept from one play to the next."),
        "tests": Key("list", "Tests of the rules."),
        "text": Key("map", "Translations of words: `{ru: {word: слово}}`."),
        "cases": Key("map", "How names are declined: `{ru: {камень: {gen: камня}}}`."),
        "letters": Key("map", "Letters for pieces in pictures and diagrams."),
        "looks": Key(
            "map", "Colors, signs and pictures of words, faces of cards: `{sea: {color: blue, symbol: '~'}}`."
        ),
    },
    tried=_TRIED,
)
PART = Form(
    "an included file",
    {name: key for name, key in GAME.keys.items() if name not in ("ruledsl", "game")}
    | {"ruledsl": Key("number"), "game": Key("word")},
    tried=_TRIED,
)
MODULE = Form(
    "a module",
    {
        "when": Key("scalar", "The condition on options and players.", required=True, sample="count(players) == 2"),
        "each": EACH,
        **{
            name: key
            for name, key in _DECLARATIONS.items()
            if name not in ("players", "options", "presets", "board", "play")
        },
        "play": Key("map", "Statements added to phases, by the phase's name."),
        "replace": Key(
            "map",
            "Declarations that replace others of the same name; `setup:`, `scoring:`, `heuristic:` and `show:` are "
            "replaced as a whole.",
        ),
        "remove": Key("words", "Names that do not exist while the module is on."),
        "title": Key("text", "How players see it."),
        "text": Key("map"),
        "cases": Key("map"),
        "letters": Key("map"),
        "looks": Key("map"),
    },
)


FORBIDDEN = Form(
    "a combination that is forbidden",
    {
        "when": Key(
            "scalar", "When this condition on options and players is true, the game cannot be played.", required=True
        ),
        "because": Key("text", "What those who try to play read.", required=True),
    },
    numbered=True,
)


@dataclass(eq=False)
class Source:
    """A game as read from its files, before options and players are known."""

    path: Path
    root: Path
    main: Map
    parts: list[Fields] = field(default_factory=list)
    trees: dict[Any, Any] = field(default_factory=dict)  # parsed expressions, by node
    tables: dict[Any, Any] = field(default_factory=dict)  # tables read, by path
    whole: dict[str, list[Map]] = field(default_factory=dict)  # rows of those tables, once nothing was wrong in them
    data: dict[str, Any] = field(default_factory=dict)  # what others worked out of the files, by what it is
    words: set[str] = field(default_factory=set)  # that stand in the rules, once somebody asked
    said: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)  # texts under some keys, once asked
    alone: set[Scalar] = field(default_factory=set)  # numbers and words of tables, which nobody had to parse

    @property
    def span(self) -> Span:
        return Span(self.main.span.file, self.main.span.start, self.main.span.start)

    @property
    def file(self) -> SourceFile:
        return self.main.span.file

    def texts(self, *keys: str) -> frozenset[str]:
        """What stands under these keys in any file, in every language, whatever modules are on."""
        if keys not in self.said:
            found: set[str] = set()
            waiting: list[Node] = [part.node for part in self.parts]
            while waiting:
                node = waiting.pop()
                if isinstance(node, Map):
                    for name, entry in node.entries.items():
                        if name in keys:
                            value = entry.value
                            told = [e.value for e in value] if isinstance(value, Map) else [value]
                            found.update(one.value for one in told if isinstance(one, Scalar))
                        else:
                            waiting.append(entry.value)
                elif isinstance(node, Seq):
                    waiting.extend(node.items)
            self.said[keys] = frozenset(found)
        return self.said[keys]

    def expressions(self) -> dict[Node, Any]:
        """The trees of all expressions that were read, by where they stand."""
        for node in self.alone:
            if (node, "expr") not in self.trees:
                self.trees[node, "expr"] = parse(node, "expr", Report())
        return {node: tree for (node, start), tree in self.trees.items() if start in ("expr", "domain")}

    @cached_property
    def files(self) -> list[SourceFile]:
        """All that the rules are read from, in whatever configuration: the parts, then the tables that they name."""
        parameters = [parameter for shape in SHAPES.values() for parameter in shape.parameters.items()]
        keys = {"from", *(name for name, parameter in parameters if parameter.type in ("table", "graph"))}
        words = [word.value.partition("#")[0] for part in self.parts for word in _under(part.node, keys)]
        found = {file.path: file for file in (part.node.span.file for part in self.parts)}
        for word in dict.fromkeys(words):
            whole = self.root / word
            if is_inside(whole, self.root) and whole.is_file():
                file = read_file(whole, Report(), MAX_TABLE_BYTES)
                if file is not None:
                    found.setdefault(file.path, file)
        return list(found.values())


def _under(node: Node, keys: set[str]) -> Iterator[Scalar]:
    """Words under certain keys, wherever these stand. Not all are tables: pieces are drawn `from` a pile, too."""
    for key, inner in ((e.key.value, e.value) for e in node) if isinstance(node, Map) else ():
        if key in keys:
            yield from scalars(inner)
        yield from _under(inner, keys)
    for item in node.items if isinstance(node, Seq) else ():
        yield from _under(item, keys)


def read_source(path: Path, report: Report) -> Source | None:
    """The files of a game: a folder with `game.yaml`, or a single file."""
    if path.is_dir():
        path = path / "game.yaml"
    node = load_file(path, report, path.parent)
    if node is None or isinstance(node, Broken):
        return None
    node = relaid(node, GAME, FORMS, report) if isinstance(node, Map) else node
    main = fields(node, GAME, report)
    if main is None:
        return None
    main = Fields(written_out(main.node, report), GAME, main.asked)
    source = Source(path, path.parent.resolve(), main.node, [main])
    _version(main, report)
    _name(main, report)
    seen = {path.resolve()}
    waiting = [(word, path.parent) for word in _files(main, report)]
    while waiting:
        word, folder = waiting.pop(0)
        found = folder / word.value
        if found.resolve() in seen:
            report.error("N201", word.span, f"`{word.value}` is included already", help="remove this line")
            continue
        seen.add(found.resolve())
        if len(seen) > 100:
            report.error("N206", word.span, "a game cannot have more than 100 files")
            break
        inner = load_file(found, report, source.root, word.span)
        inner = relaid(inner, PART, FORMS, report) if isinstance(inner, Map) else inner
        part = fields(inner, PART, report) if inner is not None else None
        if part is not None:
            part = Fields(written_out(part.node, report), PART, part.asked)
            source.parts.append(part)
            waiting += [(more, found.parent) for more in _files(part, report)]
        elif inner is None:
            report.unread()  # what it declares is unknown to the others
    return source


def _files(found: Fields, report: Report) -> list[Scalar]:
    """The files that are included: of a text with commas each, which is told."""
    words: list[Scalar] = []
    for word in found.words("include"):
        names = [name.strip() for name in word.value.split(",")]
        if len(names) > 1 and all(name.endswith((".yaml", ".yml")) for name in names):
            right = f"[{', '.join(names)}]"
            report.error("S103", word.span, "several files are a list", help=f"write `{right}`", suggestions=(right,))
            words += [word_at(name, word.span) for name in names]
        else:
            words.append(word)
    return words


def _name(main: Fields, report: Report) -> None:
    """The name of the game is what commands and files call it by; players read its title."""
    node = main.get("game")
    if not isinstance(node, Scalar) or node.value == node.value.lower().replace(" ", "-"):
        return
    right = re.sub(r"[^\w-]+", "-", node.value.lower()).strip("-")
    said = f"`{node.value}` is no name of a game: it has capitals or spaces"
    help = f"write `game: {right}`, and `title: {node.value}` for the players"
    report.error("S105", node.span, said, help=help, suggestions=(right,))


def _version(main: Fields, report: Report) -> None:
    node = main.get("ruledsl")
    number = node.as_int() if isinstance(node, Scalar) else None
    if node is not None and number != VERSION:
        help = (
            "update ruledsl to read this file"
            if number is not None and number > VERSION
            else f"write `ruledsl: {VERSION}`"
        )
        report.error("S106", node.span, f"this program reads version {VERSION} of the rule language", help=help)


@dataclass(eq=False)
class Sections:
    """All declarations that are in force for one set of options and number of players."""

    named: dict[str, dict[str, tuple[Scalar, Node]]] = field(default_factory=lambda: {name: {} for name in NAMED})
    setup: list[Node] = field(default_factory=list)
    play: list[Node] = field(default_factory=list)
    more_play: dict[str, list[Node]] = field(default_factory=dict)  # phases that modules add to
    phase_keys: list[Scalar] = field(default_factory=list)  # where modules name those phases
    scoring: list[Fields] = field(default_factory=list)
    heuristic: list[Node] = field(default_factory=list)
    show: list[Fields] = field(default_factory=list)
    single: dict[str, Node] = field(default_factory=dict)
    texts: dict[str, dict[str, Node]] = field(default_factory=dict)
    cases: list[Map] = field(default_factory=list)
    letters: dict[str, Node] = field(default_factory=dict)
    looks: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)
    modules: list[Map] = field(default_factory=list)  # those that are on


class Merger:
    """Puts the parts of a game together; a name declared twice is reported with both places."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.sections = Sections()
        self.shorts: dict[int, dict[str, str]] = {}  # by table: the names without their parameters

    def copy(self, report: Report) -> Merger:
        """What is put together so far, to which something else is added."""
        made, found = Merger(report), self.sections
        made.sections = Sections(**{one.name: _copied(getattr(found, one.name)) for one in fields_of(found)})
        for name, table in found.named.items():
            if id(table) in self.shorts:
                made.shorts[id(made.sections.named[name])] = dict(self.shorts[id(table)])
        return made

    def add(self, part: Fields, replace: bool = False) -> None:
        """Adds what a file or a module declares; with `replace`, in place of what is there by these names."""
        named = self.sections.named
        for section in NAMED:
            inner = part.get(section)
            if isinstance(inner, Map):
                for entry in inner:
                    self.declare(named[section], entry.key, entry.value, replace)
        board = part.get("board")
        if board is not None:
            key = part.node.key("board")
            assert key is not None
            self.declare(named["boards"], key, board, replace, "board")
        for name, nodes in (("setup", self.sections.setup), ("heuristic", self.sections.heuristic)):
            if (node := part.get(name)) is not None:
                if replace:
                    nodes.clear()
                nodes.append(node)
        self._add_play(part, replace)
        for name, form, found in (
            ("scoring", SCORING, self.sections.scoring),
            ("show", SHOW, self.sections.show),
        ):
            if part.get(name) is not None and (more := fields(part.get(name), form, self.report)) is not None:
                if replace:
                    found.clear()
                found.append(more)
        for name in ("game", "title", "about", "players", "campaign", "tests"):
            if (node := part.get(name)) is not None:
                self.sections.single.setdefault(name, node)
        self._add_words(part)

    def _add_play(self, part: Fields, replace: bool) -> None:
        """Play itself, which modules only add to: phase by phase."""
        play = part.get("play")
        if play is not None and replace:
            at = part.node.key("play")
            help = "put the difference into an effect, and replace that effect; `play:` in a module can only add"
            self.report.error("S104", at.span if at else play.span, "phases cannot be replaced", help=help)
        elif part.form is MODULE and isinstance(play, Map):
            for entry in play:
                self.sections.more_play.setdefault(entry.key.value, []).append(entry.value)
                self.sections.phase_keys.append(entry.key)
        elif play is not None:
            self.sections.play.append(play)

    def _add_words(self, part: Fields) -> None:
        """What people read and see: texts, cases, letters, looks. What is added later counts."""
        text = part.get("text")
        if isinstance(text, Map):
            for entry in by_language(text, self.report):
                if isinstance(entry.value, Map):
                    table = self.sections.texts.setdefault(entry.key.value, {})
                    words = tuple(entry.value.entries)
                    whole = rejoined(entry.value, words, (), (), LANGUAGES, self.report)
                    table.update({word.key.value: word.value for word in whole})
        cases = part.get("cases")
        if isinstance(cases, Map):
            self.sections.cases.append(cases)
        letters = part.get("letters")
        if isinstance(letters, Map):
            self.sections.letters.update({entry.key.value: entry.value for entry in self._turned(letters)})
        looks = part.get("looks")
        if isinstance(looks, Map):
            self.sections.looks.update({entry.key.value: (entry.key, entry.value) for entry in looks})

    def _turned(self, letters: Map) -> list[Entry]:
        """The letters of pieces; `{king: K}` is told, and read the other way round."""
        entries = list(letters)
        words = [entry.value for entry in entries if isinstance(entry.value, Scalar)]
        if not words or any(len(e.key.value) <= _LETTER for e in entries) or any(len(w.value) > _LETTER for w in words):
            return entries
        right = ", ".join(f"{word.value}: {e.key.value}" for e, word in zip(entries, words, strict=False))
        help = f"write `letters: {{{right}}}`"
        self.report.error("S103", letters.span, "the letter comes first, then what it stands for", help=help)
        return [Entry(word, e.key) for e, word in zip(entries, words, strict=False)]

    def declare(
        self, table: dict[str, tuple[Scalar, Node]], key: Scalar, value: Node, replace: bool, name: str = ""
    ) -> None:
        """Puts a declaration into its table: a new one, or one in place of that with its name."""
        name = name or key.value
        short = _short(name)
        shorts = self.shorts.setdefault(id(table), {})
        old = shorts.get(short)
        old = old if old in table else None
        if replace:
            if old is None:
                known = nearest(short, [_short(n) for n in table])
                self.report.error(
                    "N202",
                    key.span,
                    f"there is no `{short}` to replace",
                    help=did_you_mean(known),
                    suggestions=tuple(known),
                )
            else:
                # In the place of the old one, so that the order of declarations stays.
                items = [(name, (key, value)) if found == old else (found, entry) for found, entry in table.items()]
                table.clear()
                table.update(items)
                shorts[short] = name
                return
        elif old is not None and table[old][0].span == key.span:
            self.report.error(
                "N203",
                key.span,
                f"every copy of this module would declare `{short}`",
                help=f"put a name from its `each:` into it, in angle brackets, as in `{short}_<name>`",
            )
            return
        elif old is not None:
            self.report.error(
                "N203",
                key.span,
                f"`{short}` is declared twice",
                notes=((table[old][0].span, "first declared here"),),
                help="rename one of them; a module replaces a declaration under `replace:`",
            )
            return
        table[name] = (key, value)
        shorts[short] = name

    def remove(self, words: list[Scalar]) -> None:
        """Takes out what a module removes by name; of what is called alike, the first."""
        for word in words:
            declared = [(_short(name), name, table) for table in self.sections.named.values() for name in table]
            found = next(((name, table) for short, name, table in declared if short == word.value), None)
            if found is not None:
                name, table = found
                del table[name]
            else:
                known = nearest(word.value, [short for short, _, _ in declared])
                self.report.error(
                    "N202",
                    word.span,
                    f"there is no `{word.value}` to remove",
                    help=did_you_mean(known),
                    suggestions=tuple(known),
                )


def _short(name: str) -> str:
    """The name alone of what is declared with its parameters: `power(enemy e)`."""
    return name.split("(")[0].strip()


def _copied(value: Any) -> Any:
    """Tables and lists once more; what is in them stays the same."""
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, list) else value


def modules_of(source: Source, report: Report) -> list[tuple[Scalar, Fields]]:
    """The modules of a game in the order of the file."""
    found = []
    for part in source.parts:
        inner = part.get("modules")
        if isinstance(inner, Map):
            for entry in inner:
                module = fields(entry.value, MODULE, report)
                if module is not None:
                    found.append((entry.key, module))
    return found


__all__ = [
    "FORBIDDEN",
    "GAME",
    "MODULE",
    "PART",
    "Merger",
    "Sections",
    "Source",
    "modules_of",
    "read_source",
]
