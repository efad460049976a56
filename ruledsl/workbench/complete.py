"""What can be written where the cursor is: keys, words and names, each with what it means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.functions import BUILTINS
from ruledsl.analysis.show import show
from ruledsl.analysis.world import World
from ruledsl.diagnostics.model import Report
from ruledsl.diagnostics.suggest import instead_of
from ruledsl.manual import NAMES_ALWAYS
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq, read_document
from ruledsl.source.scan import shown_path
from ruledsl.source.text import SourceFile
from ruledsl.syntax.mending import is_absent
from ruledsl.syntax.shapes import KINDS, LANGUAGES, Form, Key
from ruledsl.testing.suites import files_of
from ruledsl.types import Elem, ListOf, SetOf, Type

from .index import NO_STATEMENT, PLACEHOLDER, Index, Offered, UpToKey, members_of, members_wanted, spot
from .project import Project, View

_COLON = re.compile(r"[\w ]*:(?=\s|$)")  # behind a word that is a key
_KEY = re.compile(r"\s*(?:- +)*$|.*[{,]\s*$")  # before a word that may be a key
_WORDS = (
    "and", "by", "else", "except", "false", "for", "if", "in", "maybe", "none", "not", "or", "otherwise", "then",
    "true", "where",
)  # fmt: skip
_QUOTES = re.compile(r'"[^"\n]*"')
_TOP = re.compile(r"^[^\W\d][\w ]*:(?=\s)", re.M)  # a key of the whole file
_ABOVE = 2_000  # letters before a place in which a bracket is looked for that is still open
_QUOTED = re.compile(r"`([a-z]\w*)`")  # words that a key may have, in what is said of it
_WORD = re.compile(r"[^\W\d]\w*")
_CLOSES = {"{": "}", "[": "]", "(": ")"}
_TYPES = ("bag of", "bool", "list of", "maybe", "price of", "set of", "direction", "piece", "place", "player")
_WANTED, _NEAR, _NAMED, _CALLED, _FIXED = range(5)  # what is offered first


@dataclass(frozen=True)
class Item:
    """Something that can be written: the word, what sort of thing it is, its type or signature, what it means."""

    word: str
    sort: str  # key statement member local name function word attribute
    detail: str = ""
    doc: str = ""
    rank: int = _NAMED
    insert: str = ""  # what is written, if not the word alone


def complete(project: Project, path: Path, offset: int) -> list[Item]:
    """All that fits at a place, without looking at how much of the word is typed."""
    text = project.text(path)
    start, end = word_at(text, offset)
    around = path.resolve(), text[:start], text[end:]
    return project.once(around, lambda: _complete(project, path, text, start, end))


def _complete(project: Project, path: Path, text: str, start: int, end: int) -> list[Item]:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if re.search(r"(?:^|\s)#", _QUOTES.sub("", line)):
        return []
    found: dict[str, Item] = {}
    if _KEY.fullmatch(line) and _closers(line)[:1] not in (["]"], [")"]):
        for item in _keys(project, path, text, start, end):
            found.setdefault(item.word, item)
    is_verb = any(item.sort == "statement" for item in found.values())
    if not found or (not is_verb and _may_be_value(text, start, end)):
        for item in _values(project, path, text, start, end):
            found.setdefault(item.word, item)
    return sorted(found.values(), key=lambda item: (item.rank, item.word))


def _may_be_value(text: str, start: int, end: int) -> bool:
    """Whether a word at the beginning of a line may be a value of its own: in a list, or below its key."""
    alone = _COLON.match(text[end:]) is None
    return alone and re.search(r"(?:^\s*(?:- +)+|:\s*\n *)$", text[max(0, start - 200) : start], re.M) is not None


def word_at(text: str, offset: int) -> tuple[int, int]:
    """From where to where the word around a place goes."""
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return start, end


# ---------------------------------------------------------------------------------------------------- keys


def _keys(project: Project, path: Path, text: str, start: int, end: int) -> Iterator[Item]:
    """The keys of the map in which a word begins a line."""
    changed = _with_key(path, text, start, end)
    around = _map_at(_tree(project, path, changed))
    if around is None:
        return
    node, alike = around
    before = project.world()
    index = Index(up_to_placeholder=before is not None)
    with instead_of(PLACEHOLDER) as fitting:
        view = project.worked_out(index, {path.resolve(): changed}, at=(path, start), report=UpToKey())
    here = spot(node.span)
    known = [form for other, (form, _) in view.report.asked.items() if spot(other.span) == here]
    beside = set(node.entries) - {PLACEHOLDER}
    verbs = [STATEMENTS[key].form for key in beside if key in STATEMENTS]
    world = before or index.world
    if not verbs and any(one.code == NO_STATEMENT and PLACEHOLDER in one.message for one in view.report.findings):
        yield from _statements(beside)
        if world is not None and not beside:  # a statement may also call an effect, or something that has one
            yield from _names(Offered({}), world)
        return
    for form in [*known, *verbs]:
        yield from _of_form(form, beside)
    if verbs:  # it is known which statement it is
        fitting -= STATEMENTS.keys() - {name for form in verbs for name in form.known}
    if not known or any(form.open for form in known):
        fitting |= alike
    yield from (Item(word, "key", "", "", _NEAR, f"{word}: ") for word in sorted(fitting - beside))
    if not known and world is not None:  # a map with keys of the game's own, as of translations
        yield from _names(Offered({}), world)
        yield from _members(world)
        yield from _named_within(index, project.before())
    if path.resolve() in files_of(project.main):
        yield from _in_tests(_tree(project, path, changed))


def _with_key(path: Path, text: str, start: int, end: int) -> str:
    """The text with the placeholder as a key; what stands deeper below belongs to it."""
    if rest := _COLON.match(text[end:]):
        return text[:start] + PLACEHOLDER + text[end + rest.end() - 1 :]
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if below := re.match(r"\s*\n( *)\S", text[end:]):
        begins = len(line) - len(line.lstrip(" -")) if line.strip(" -") else len(line)
        if len(below[1]) > begins:
            return f"{text[:start]}{PLACEHOLDER}:{text[end:]}"
    return _closed(path, f"{text[:start]}{PLACEHOLDER}: {PLACEHOLDER}", text[end:])


def _statements(beside: set[str]) -> Iterator[Item]:
    """All statements; first those that have what is written already."""
    for verb, statement in STATEMENTS.items():
        rank = _WANTED if beside <= set(statement.form.known) else _NAMED
        yield Item(verb, "statement", "statement", _prose(statement.doc), rank, f"{verb}: ")


def _named_within(*indexes: Index | None) -> Iterator[Item]:
    """Names that rules give to what they choose, draw and count: here as far as it was worked out, and before."""
    uses = (use for index in indexes if index is not None for use in index.uses.values())
    for word in dict.fromkeys(use.target.name for use in uses):
        yield Item(word, "local", "", "", _FIXED)


def _of_form(form: Form, beside: set[str]) -> Iterator[Item]:
    for name, key in form.known.items():
        if name not in beside:
            yield Item(name, "key", _kind_of(key), key.doc, _WANTED if key.required else _NEAR, f"{name}: ")


def _kind_of(key: Key) -> str:
    words = ", ".join(key.words) if key.words else KINDS[key.kind][1] if key.kind != "any" else ""
    return "; ".join(filter(None, (words, "needed" if key.required else "")))


def _map_at(root: Node | None) -> tuple[Map, set[str]] | None:
    """The map that has the placeholder as a key, and the keys of the maps beside it: often rows of one table."""
    stack: list[tuple[Node, Node | None]] = [(root, None)] if root is not None else []
    while stack:
        node, parent = stack.pop()
        if isinstance(node, Map) and PLACEHOLDER in node.entries:
            beside = _parts(parent) if parent is not None else ()
            return node, {key for other in beside if isinstance(other, Map) for key in other.entries if other != node}
        stack += [(part, node) for part in _parts(node)]
    return None


def _parts(node: Node) -> Iterable[Node]:
    if isinstance(node, Map):
        return [entry.value for entry in node]
    return node.items if isinstance(node, Seq) else ()


def _prose(doc: str) -> str:
    return doc.partition("\n\n")[0]


# -------------------------------------------------------------------------------------------------- values


def _values(project: Project, path: Path, text: str, start: int, end: int) -> Iterator[Item]:
    """What can stand in an expression, or for a key with words of its own."""
    changed = _closed(path, text[:start] + PLACEHOLDER, text[end:])
    if _is_key_alone(_tree(project, path, changed)):  # `add: {me.`: what is changed, without by how much
        changed = _closed(path, f"{text[:start]}{PLACEHOLDER}: 1", text[end:])
    before = project.world()
    index = Index(up_to_placeholder=before is not None)
    with instead_of(PLACEHOLDER) as fitting:
        view = project.worked_out(index, {path.resolve(): changed}, at=(path, start))
    key = _key_of_value(view, changed)
    if key is not None:
        yield from _of_key(key)
    offered, world = index.offered, index.world or before
    if offered is None:
        yield from (Item(word, "word", "", "", _WANTED) for word in sorted(fitting))
        tests = files_of(project.main)
        alike = tests if path.resolve() in tests else [Path(one.path) for one in _sources(view)]
        yield from _written_behind(project, alike, path, _tree(project, path, changed))
    if world is None or (offered is None and key is not None and key.words):
        return
    yield from _names(offered or Offered({}), world)
    if offered is None or (offered.of is None and not offered.of_name):
        yield from _members(world)
    if offered is None and path.resolve() in files_of(project.main):
        yield from _in_tests(_tree(project, path, changed))
    if before is not None and offered is not None and offered.of is None and not offered.of_name:
        yield from _declared_in(before)  # what comes behind the place was not worked out


def _is_key_alone(tree: Node | None) -> bool:
    """Whether the placeholder ends the key of a map in braces behind which nothing stands as yet."""
    nodes = [tree] if tree is not None else []
    while nodes:
        node = nodes.pop()
        for entry in node if isinstance(node, Map) else ():
            if entry.key.value.endswith(f".{PLACEHOLDER}") and is_absent(entry.value):
                return True
        nodes += _parts(node)
    return False


def _sources(view: View) -> list[SourceFile]:
    return view.blueprint.source.files if view.blueprint is not None else []


def _written_behind(project: Project, paths: Iterable[Path], path: Path, tree: Node | None) -> Iterator[Item]:
    """The words that the same key has elsewhere in some files; of one of them there is a tree, with the placeholder."""
    if (key := _key_at(tree)) is None or key in LANGUAGES:
        return
    others = (one for one in paths if one.suffix in (".yaml", ".yml") and one.resolve() != path.resolve())
    trees = (tree, *(_tree(project, one, project.text(one)) for one in others))
    nodes = [node for node in trees if node is not None]
    while nodes:
        node = nodes.pop()
        nodes += _parts(node)
        for entry in node if isinstance(node, Map) else ():
            if entry.key.value == key:
                for word in _words_in(entry.value):
                    if PLACEHOLDER not in word:
                        yield Item(word, "word", "", "", _CALLED)


def _key_at(tree: Node | None) -> str | None:
    """The key behind which the placeholder stands, perhaps in a list."""
    nodes = [tree] if tree is not None else []
    while nodes:
        node = nodes.pop()
        for entry in node if isinstance(node, Map) else ():
            values = entry.value.items if isinstance(entry.value, Seq) else (entry.value,)
            if any(isinstance(value, Scalar) and PLACEHOLDER in value.value for value in values):
                return entry.key.value
        nodes += _parts(node)
    return None


def _words_in(node: Node) -> Iterator[str]:
    for part in node.items if isinstance(node, Seq) else (node,):
        if isinstance(part, Scalar):
            yield from _WORD.findall(part.value)


def _closed(path: Path, before: str, behind: str) -> str:
    """A text with all that stands behind a place; where it cannot be read so, without the rest of the line, and with
    what may have stood there."""
    line_end = behind.find("\n")
    rest = behind[line_end:] if line_end >= 0 else ""
    on_line, above = _closers(before[before.rfind("\n") + 1 :]), _closers(before[-_ABOVE:].partition("\n")[2])
    begins, ends = _part_around(before, rest)
    closed = before + "".join(on_line) + rest
    for text in (before + behind, closed, f"{before},{rest}", before + "".join(above) + rest):
        file = SourceFile(shown_path(path), text[begins : len(text) - ends])
        if read_document(file, Report()) is not None:
            return text
    return closed


def _part_around(before: str, behind: str) -> tuple[int, int]:
    """Where the section of a file begins in which a place stands, and how much is behind it: what is open in it can
    be told without all others."""
    begins = max((found.start() for found in _TOP.finditer(before)), default=0)
    end = _TOP.search(behind, 1)
    return begins, len(behind) - end.start() if end is not None else 0


def _tree(project: Project, path: Path, text: str) -> Node | None:
    """The tree of a text; it is kept for those who read the same next."""
    with project.as_open():
        return read_document(SourceFile(shown_path(path), text), Report())


def _closers(line: str) -> list[str]:
    """What closes the brackets of some lines, the innermost first."""
    closers: list[str] = []
    for sign in _QUOTES.sub("", line):
        if sign in _CLOSES:
            closers.insert(0, _CLOSES[sign])
        elif closers and sign == closers[0]:
            closers.pop(0)
    return closers


def _key_of_value(view: View, text: str) -> Key | None:
    """What is known of the key whose value, or one of whose values, is the placeholder."""
    for node, (form, _) in view.report.asked.items():
        if not isinstance(node, Map) or PLACEHOLDER not in node.span.text:
            continue
        for entry in node:
            values = entry.value.items if isinstance(entry.value, Seq) else (entry.value,)
            if any(isinstance(value, Scalar) and value.value == PLACEHOLDER for value in values):
                return form.known.get(entry.key.value)
    return None


def _of_key(key: Key) -> Iterator[Item]:
    for word in (*key.words, *_QUOTED.findall(key.doc)):
        yield Item(word, "word", "", key.doc, _WANTED)
    if key.kind == "truth":
        yield from (Item(word, "word", "", key.doc, _WANTED) for word in ("true", "false"))
    if key.kind == "type":
        yield from (Item(word, "word", "a type", "", _NEAR) for word in _TYPES)


def _names(offered: Offered, world: World) -> Iterator[Item]:
    if offered.of is not None or offered.of_name:
        yield from _behind_dot(offered, world)
        return
    for word in members_wanted(offered.want):
        yield Item(word, "member", show(offered.want) if offered.want is not None else "", "", _WANTED)
    for word, kind in offered.locals.items():
        yield Item(word, "local", show(kind), "", _NEAR)
    yield from _declared_in(world)
    for word, meaning in NAMES_ALWAYS.items():
        yield Item(word, "word", "", meaning, _CALLED)
    for word, builtin in BUILTINS.items():
        yield Item(word, "function", builtin.signature, builtin.doc, _CALLED, f"{word}(")
    yield Item("players", "word", "all players", "", _NEAR if _is_player(offered.want) else _NAMED)
    for word in (*_WORDS, "player", "direction", "piece", "place", "supply", "round"):
        yield Item(word, "word", "", "", _FIXED)


def _is_player(want: Type | None) -> bool:
    """Whether players are wanted."""
    while isinstance(want, SetOf | ListOf):
        want = want.of
    return isinstance(want, Elem) and want.root.kind == "player"


def _declared_in(world: World) -> Iterator[Item]:
    for word, declared in world.names.items():
        yield Item(word, "name", detail(world, word) or ("" if declared.sort == "broken" else declared.sort))
    for board in world.boards:
        yield Item(board.word, "name", f"all spaces of {board.name}")
    for root in world.roots.values():
        for word in root.names if root.kind == "enum" else ():
            yield Item(word, "member", root.name, "", _FIXED)


def _in_tests(tests: Node | None) -> Iterator[Item]:
    """Tests have players by names of their own, and ask who is to move."""
    yield Item("to_move", "word", "the players who have to decide", "", _NEAR)
    for node in _listed(tests, "players"):
        if node.value != PLACEHOLDER:
            yield Item(node.value, "member", "player", "", _NEAR)


def _members(world: World) -> Iterator[Item]:
    """Single pieces, spaces and places: where something is put at the start, and in tests."""
    for root in (*world.roots.values(), world.players):
        for word in root.names if root.kind != "enum" else ():
            yield Item(word, "member", root.name, "", _FIXED)


def _listed(node: Node | None, key: str) -> Iterator[Scalar]:
    """The words in the lists and maps behind a key, wherever it stands."""
    if isinstance(node, Map):
        match node.get(key):
            case Seq(items=items):
                yield from (item for item in items if isinstance(item, Scalar))
            case Map() as named:
                yield from (entry.key for entry in named)
        for entry in node:
            yield from _listed(entry.value, key)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _listed(item, key)


def _behind_dot(offered: Offered, world: World) -> Iterator[Item]:
    for word, kind in members_of(offered.of).items():
        yield Item(word, "attribute", show(kind) if kind is not None else "", "", _WANTED)
    declared = world.names.get(offered.of_name)
    root = getattr(getattr(declared.data, "type", None), "root", None) if declared is not None else None
    if root is not None:
        yield from (Item(word, "member", root.name, "", _NEAR) for word in root.names)
    for name in world.names.values() if offered.of_name == "supply" else ():
        if name.sort in ("pool", "holder"):
            yield Item(name.name, "name", name.sort)
    if offered.of_name == "supply":
        for info in world.names.values():
            sorts = getattr(info.data, "of", None) if info.sort == "pool" else None
            yield from (Item(word, "member", info.name) for word in (sorts.names if sorts is not None else ()))


def detail(world: World, word: str) -> str:
    """What a name of the game is, in a few words."""
    declared = world.names.get(word)
    if declared is None:
        return next((f"all spaces of {board.name}" for board in world.boards if board.word == word), "")
    if declared.sort == "broken":
        return ""  # it cannot be read as yet
    data = declared.data
    if declared.sort in ("formula", "effect", "action"):
        return f"{declared.sort} {getattr(data, 'signature', word) or word}"
    if declared.sort == "value":
        keys = ", ".join(key.root.name if hasattr(key, "root") else show(key) for key in data.keys)
        return f"value: {show(data.type)}" + (f", per {keys}" if keys else "")
    if declared.sort == "option":
        return f"option: {show(data[0])}"
    if declared.sort == "type":
        return f"type: {show(data.type)}"
    if declared.sort == "board":
        return f"board of {data.spaces} spaces"
    if declared.sort == "kind":
        return f"{data.count} {'piece' if data.count == 1 else 'pieces'}" + (
            ", some of each player" if data.per_player else ""
        )
    return declared.sort
