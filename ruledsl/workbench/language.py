"""What editors ask about a place of a game: what it is, where it is declared and used, another name for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.sections import NAMED
from ruledsl.analysis.show import show
from ruledsl.manual import topic
from ruledsl.records import dataclass
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.source.text import SourceFile, Span
from ruledsl.syntax.copies import HOLE, copied_rows
from ruledsl.syntax.shapes import KINDS, Key

from .complete import detail, word_at
from .index import Index, Target, Use, filled, same, spot
from .project import Project, View

_HEADER = re.compile(r"(?:[^\W\d]|<[^\W\d]\w*>)(?:\w|<[^\W\d]\w*>)*")  # also `<rune>_rune`
_PEOPLE = frozenset(["title", "label", "about", "say", "text", "because", "note", "test", "covers", "help", "include"])
_SEEN = {
    "all": "all see it",
    "none": "nobody sees it",
    "owner": "its owner sees it",
    "others": "all but its owner see it",
    "top": "all see its top",
}


@dataclass(frozen=True)
class Symbol:
    """Something that a file declares, with what is declared inside."""

    name: str
    sort: str
    span: Span
    name_span: Span
    inner: tuple[Symbol, ...] = ()
    home: str = ""  # of an attribute what has it


# ------------------------------------------------------------------------------------------------- what is it


def hover(project: Project, path: Path, offset: int) -> tuple[str, tuple[int, int]] | None:
    """What a word means, as Markdown, and from where to where it goes."""
    text = project.text(path)
    start, end = name_at(text, offset)
    word = text[start:end]
    if not word or _in_comment(text, start):
        return None
    view = project.good()
    use = _use_at(project, view, path, offset)
    if use is not None and use.row:  # one of the copies stands for all
        word = use.target.name
    parts: list[str] = []
    if use is not None and use.target.sort != "word":
        said = show(use.type) if use.type is not None else ""
        what = detail(view.index.world, word) if view.index.world is not None and use.target.sort != "local" else ""
        sort = {"member": f"word of {use.target.home}", "local": "name of this rule"}.get(
            use.target.sort, use.target.sort
        )
        is_told = not said or said in what or said.partition(" ")[2] == (what or sort)
        parts.append(f"`{word}`: {what or sort}" + ("" if is_told else f" ({said})"))
        declared = declaration(project, path, offset, wholly=False)
        if declared is not None:
            parts.append(f"```yaml\n{_excerpt(declared)}\n```")
    elif view.index.world is not None and (what := detail(view.index.world, word)):
        parts.append(f"`{word}`: {what}")
    if not parts:
        parts += _said_of_word(project, view, path, start, word)
    elif use is not None and use.target.sort == "word" and (said := topic(word)):
        parts = [*parts, said]
    return ("\n\n".join(parts), (start, end)) if parts else None


def _said_of_word(project: Project, view: View, path: Path, at: int, word: str) -> list[str]:
    """What is said of a word that is no name there: of a key what it means in its place, and so of a word behind it."""
    known, found = topic(word), _key_at(project, view, path, at, word)
    if found is not None and word not in STATEMENTS:
        name, key = found
        takes = ", ".join(key.words) or _takes(key)
        said = f"`{name}:` {takes}\n\n{key.doc}" if takes else f"`{name}:` {key.doc}"
        return [said, known] if name == word and known.startswith(f"### `{word}:`") else [said]
    world = view.index.world if not known else None
    homes = [root.name for root in world.roots.values() if word in root.names] if world is not None else []
    return [known] if known else [f"`{word}`: {home}" for home in homes[:1]]


def _takes(key: Key) -> str:
    return KINDS[key.kind][1] if key.kind != "any" else ""


def _key_at(project: Project, view: View, path: Path, at: int, word: str) -> tuple[str, Key] | None:
    """The key of the language that stands at a place, or of which a word there is the value."""
    place, wanted = view.place_of(path, at, project.text(path)), path.resolve()
    for node, (form, _) in view.report.asked.items() if place is not None else ():
        if isinstance(node, Map) and Path(node.span.file.path).resolve() == wanted:
            for name, entry in node.entries.items():
                key = form.known.get(name)
                is_its = key is not None and (word in key.words or f"`{word}`" in key.doc)
                if key is not None and place in (entry.key.span.start, entry.value.span.start if is_its else None):
                    return name, key
    return None


def _in_comment(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return re.search(r"(?:^|\s)#", re.sub(r"\"[^\"]*\"|'[^']*'", "", line)) is not None


def _excerpt(span: Span) -> str:
    """The line of a declaration, and a few below that belong to it."""
    lines = [span.file.line_text(span.line)]
    depth = len(lines[0]) - len(lines[0].lstrip())
    for number in range(span.line + 1, min(span.line + 6, span.file.lines + 1)):
        line = span.file.line_text(number)
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        lines.append(line)
    return "\n".join(line[depth:] for line in lines).rstrip()


def _shown(project: Project, path: Path) -> str:
    """A file as places name it."""
    from ruledsl.source.scan import shown_path

    wanted = path.resolve()
    for view in (project.good(),):
        for file in view.blueprint.source.files if view.blueprint is not None else ():
            if Path(file.path).resolve() == wanted:
                return file.path
    return shown_path(path)


# --------------------------------------------------------------------------------------- where is it declared


def _use_at(project: Project, view: View, path: Path, offset: int) -> Use | None:
    return next(iter(_uses_at(project, view, path, offset)), None)


def _uses_at(project: Project, view: View, path: Path, offset: int) -> list[Use]:
    place = view.place_of(path, offset, project.text(path))
    return view.index.all_at(_shown(project, path), place) if place is not None else []


def target_at(project: Project, path: Path, offset: int, wholly: bool = True) -> Target | None:
    """What the name at a place stands for; `wholly` looks for it in all configurations, which takes long."""
    return next(iter(targets_at(project, path, offset, wholly)), None)


def targets_at(project: Project, path: Path, offset: int, wholly: bool = True) -> list[Target]:
    """What the name at a place stands for: `<rune>_rune` for something else in each copy that is made of it."""
    text = project.text(path)
    start, end = name_at(text, offset)
    if start == end or _in_comment(text, start):
        return []
    found = _uses_at(project, project.good(), path, offset)
    if wholly and (not found or found[0].row):  # a module with copies is on in some configurations
        found = _uses_at(project, project.whole(), path, offset)
    if found:
        return list(dict.fromkeys(use.target for use in found if use.target.sort != "word"))
    here = [one for one in declarations(project) if one.name_span.start <= start and end <= one.name_span.end
            and Path(one.name_span.file.path).resolve() == path.resolve()]  # fmt: skip
    if here:
        return _copied(project, here[0], wholly) or [_declares(here[0])]
    if HOLE.search(text, start, end):
        return _of_pattern(project, path, offset, text[start:end])
    other = _not_met(project, path, text, start, end)
    return [other] if other is not None else []


def name_at(text: str, offset: int) -> tuple[int, int]:
    """From where to where the word around a place goes, with the holes in it, as in `<rune>_rune`."""
    line = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    found = _HEADER.finditer(text, line, end if end >= 0 else len(text))
    here = (one.span() for one in found if one.start() <= offset <= one.end())
    return next((place for place in here if HOLE.search(text, *place)), None) or word_at(text, offset)


def _of_pattern(project: Project, path: Path, offset: int, name: str) -> list[Target]:
    """What a name with holes stands for that is in no expression: what is called so in one of its copies."""
    called = {filled(name, row) for row in rows_at(project.document(path), offset)}
    met = {use.target: None for use in project.whole().index.uses.values() if use.target.name in called}
    found = [target for target in met if target.sort not in ("word", "local")]
    return found or [_declares(one) for one in declarations(project) if one.name in called]


def rows_at(node: Node | None, offset: int) -> list[dict[str, str]]:
    """What is filled in at a place, for each copy that is made of it; nothing where none are."""
    inner = node.items if isinstance(node, Seq) else [one.value for one in node] if isinstance(node, Map) else ()
    keys = {entry.value: entry.key.span.start for entry in node} if isinstance(node, Map) else {}
    here = (one for one in inner if keys.get(one, one.span.start) <= offset <= one.span.end)
    own: list[dict[str, str]] = []
    for one in here:
        rows = copied_rows(one.get("each")) if isinstance(one, Map) else []
        within = rows_at(one, offset)
        own = [{**outer, **more} for outer in rows or [{}] for more in within or [{}]] if rows or within else own
    return own


def _copied(project: Project, one: Symbol, wholly: bool) -> list[Target]:
    """What is made of a declaration with `each:`, as far as anything speaks of it."""
    if not HOLE.search(one.name):
        return []
    index, place = (project.whole() if wholly else project.good()).index, spot(one.name_span)
    made = (use.target for use in index.uses.values() if use.target.span is not None)
    return list(dict.fromkeys(target for target in made if target.span is not None and spot(target.span) == place))


def _not_met(project: Project, path: Path, text: str, start: int, end: int) -> Target | None:
    """What a word stands for that is in no expression and no declaration."""
    word = text[start:end]
    given = next(_given_in_row(project, path, start, word), None) if text[end : end + 1] == ":" else None
    if given is not None:
        return _declares(given)
    world = project.good().index.world
    declared = world.names.get(word) if world is not None else None
    if declared is not None and not _is_key_of_form(project, path, start):
        return Target(declared.sort, word, declared.span)
    named = [one for one in declarations(project) if one.name == word]
    of_all = {one.sort for one in named} == {"attribute"}  # a word in another language is that of all kinds
    return _declares(named[0]) if len(named) == 1 or of_all else None


def _given_in_row(project: Project, path: Path, at: int, word: str) -> Iterator[Symbol]:
    """The attributes to which a key of a row gives values: of the kind that has the row, or reads its table."""
    root = project.document(path)
    tables = [e.key.value for e in root if e.key.span.start <= at <= e.value.span.end] if isinstance(root, Map) else []
    read = re.compile(
        rf"\b(?:from|spaces): *{re.escape(path.name)}(?:#(?:{'|'.join(map(re.escape, tables))}))?(?![\w#])"
    )
    for file in project.files():
        for symbol in _flat(outline(project, file)):
            has_row = file == path.resolve() and symbol.span.start <= at <= symbol.span.end
            if symbol.sort != "section" and (has_row or read.search(symbol.span.text)):
                yield from (one for one in symbol.inner if (one.sort, one.name) == ("attribute", word))


def _declares(one: Symbol) -> Target:
    sort, _, home = one.sort.partition(" of ")
    if sort == "attribute":
        return Target(sort, one.name, None, "", (one.home,))
    return Target(sort, one.name, None if sort == "member" else one.name_span, home)


def _is_key_of_form(project: Project, path: Path, at: int) -> bool:
    """Whether a word is a key of the language that stands here."""
    for node, (form, _) in project.good().report.asked.items():
        if isinstance(node, Map) and Path(node.span.file.path).resolve() == path.resolve():
            if any(entry.key.span.start == at and name in form.known for name, entry in node.entries.items()):
                return True
    return False


def declaration(project: Project, path: Path, offset: int, wholly: bool = True) -> Span | None:
    """Where the name at a place is declared."""
    return next(iter(declared_at(project, path, offset, wholly)), None)


def declared_at(project: Project, path: Path, offset: int, wholly: bool = True) -> list[Span]:
    """Where that is declared for which the name at a place stands: of `<rune>`, every word that it is."""
    found = [_declaration(project, target) for target in targets_at(project, path, offset, wholly)]
    return list({spot(span): span for span in found if span is not None}.values())


def _declaration(project: Project, target: Target) -> Span | None:
    if target.sort == "local":
        return target.span
    if target.span is not None:
        place = spot(target.span)
        exact = next((one for one in declarations(project) if spot(one.name_span) == place), None)
        if exact is not None:
            return exact.name_span
    named = [one for one in declarations(project) if one.name == target.name]
    fitting = [one for one in named if one.home and one.home in target.kinds]
    fitting = fitting or [one for one in named if target.home and target.home in one.sort]
    fitting = fitting or [
        one for one in named if (one.sort in ("member", "attribute")) == (target.sort in ("member", "attribute"))
    ]
    if target.span is not None:
        around = [one for one in named if one.name_span.start == target.span.start]
        fitting = around or fitting
    best = (fitting or named)[:1]
    return best[0].name_span if best else target.span


def declarations(project: Project) -> list[Symbol]:
    """Everything that the files of the game declare, flat."""
    return [one for path in project.files() for one in _flat(outline(project, path)) if one.sort != "section"]


def _flat(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for one in symbols:
        yield one
        yield from _flat(one.inner)


def outline(project: Project, path: Path) -> tuple[Symbol, ...]:
    """What a file declares, section by section."""
    root = project.document(path)
    if not isinstance(root, Map):
        return ()
    return tuple(_sections(root))


def _sections(root: Map) -> Iterator[Symbol]:
    for entry in root:
        word, value = entry.key.value, entry.value
        if word in NAMED and isinstance(value, Map):
            inner = tuple(_declared(word, one.key, one.value) for one in value)
        elif word == "modules" and isinstance(value, Map):
            inner = tuple(_module(one.key, one.value) for one in value)
        elif word == "players" and isinstance(value, Seq):
            inner = tuple(Symbol(i.value, "player", i.span, i.span) for i in value.items if isinstance(i, Scalar))
        elif word == "tests" and isinstance(value, Seq):
            inner = tuple(_tests(value))
        elif word in ("board", "replace") and isinstance(value, Map):
            inner = tuple(_sections(value)) if word == "replace" else tuple(_inside("board", value))
        else:
            inner = ()
        if inner or word in ("play", "setup", "scoring", "board", "show", "campaign"):
            yield Symbol(word, "section", _both(entry.key, value), entry.key.span, inner)


def _module(key: Scalar, value: Node) -> Symbol:
    inner = tuple(_sections(value)) if isinstance(value, Map) else ()
    return Symbol(key.value, "module", _both(key, value), key.span, inner)


def _both(key: Scalar, value: Node) -> Span:
    return Span(key.span.file, key.span.start, max(key.span.end, value.span.end))


def _tests(tests: Seq) -> Iterator[Symbol]:
    for item in tests.items:
        name = item.get("test") if isinstance(item, Map) else None
        if isinstance(name, Scalar):
            yield Symbol(name.value or "a test", "test", item.span, name.span)


def _declared(section: str, key: Scalar, value: Node) -> Symbol:
    found = _HEADER.match(key.span.text.lstrip("\"'"))
    name = found[0] if found else key.value
    start = key.span.text.index(name) if found else 0
    span = Span(key.span.file, key.span.start + start, key.span.start + start + len(name)) if found else key.span
    sort = {"define": "formula", "history": "history", "pieces": "kind"}.get(section, section.removesuffix("s"))
    inner = tuple(_inside(name, value)) if section not in ("define", "effects", "actions", "triggers") else ()
    return Symbol(name, sort, _both(key, value), span, inner)


def _inside(name: str, value: Node) -> Iterator[Symbol]:
    """Members and attributes of what is declared."""
    if isinstance(value, Seq):
        value_items: Node | None = value
    elif isinstance(value, Map):
        value_items = value.get("values") or value.get("rows")
        for part in ("attributes", "state"):
            inner = value.get(part)
            if isinstance(inner, Map):
                yield from (_named(one.key, "attribute", name) for one in inner)
        word = value.get("space")
        if isinstance(word, Scalar):
            yield Symbol(word.value, "board", word.span, word.span)
    else:
        return
    if isinstance(value_items, Map):
        yield from (_named(one.key, f"member of {name}") for one in value_items)
    elif isinstance(value_items, Seq):
        yield from (_named(item, f"member of {name}") for item in value_items.items if isinstance(item, Scalar))


def _named(key: Scalar, sort: str, home: str = "") -> Symbol:
    found = _HEADER.match(key.span.text)
    end = key.span.start + (found.end() if found else len(key.span.text))
    span = Span(key.span.file, key.span.start, end)
    return Symbol(span.text, sort, key.span, span, home=home)


# ------------------------------------------------------------------------------------------ where is it used


def uses(project: Project, path: Path, offset: int) -> list[Span]:
    """Every place that speaks of what the name at a place stands for, its declaration among them."""
    found = [span for target in targets_at(project, path, offset) for span in _uses_of(project, target)]
    return _sorted({spot(span): span for span in found}.values())


def _uses_of(project: Project, target: Target) -> list[Span]:
    index = project.whole().index
    declared = _declaration(project, target)
    spans = {spot(use.span): use.span for use in index.of(target)}
    if target.sort == "local":
        return _sorted(spans.values())
    spans |= {spot(use.span): use.span for use in index.uses.values() if _stands_for(use.target, target, declared)}
    if declared is not None:
        spans[spot(declared)] = declared
    if target.sort == "attribute" and target.span is None:  # several kinds may have it, and a rule speak of all
        alike = [one.name_span for one in declarations(project) if (one.sort, one.name) == ("attribute", target.name)]
        spans |= {spot(span): span for span in alike}
    names = [target.name]
    if declared is not None and HOLE.search(declared.text):
        names.append(declared.text)
    for span in (span for name in names for span in _written(project, name, index)):
        spans.setdefault(spot(span), span)
    return _sorted(spans.values())


def _stands_for(one: Target, target: Target, declared: Span | None) -> bool:
    """Values of players are told of as attributes, too: what counts is where they are declared."""
    if same(one, target):
        return True
    if one.name != target.name or declared is None:
        return False
    if one.span is not None:
        return one.sort != "local" and spot(one.span) == spot(declared)
    return one.sort == target.sort and (one.home == target.home or not target.home)


def _sorted(spans: Iterable[Span]) -> list[Span]:
    return sorted(spans, key=spot)


def _written(project: Project, name: str, index: Index) -> Iterator[Span]:
    """Where the word stands and is nothing else: names in declarations are not worked out as expressions."""
    known = [use.span for use in index.uses.values() if name in (use.target.name, use.span.text)]
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    elsewhere = {(Path(span.file.path).resolve(), span.start) for span in known}
    if len({one.sort for one in declarations(project) if one.name == name}) > 1:
        return  # the same word for several things: only what was worked out is sure
    worded = _has_words(project, name)
    for path in project.files():
        file, root = SourceFile(str(path), project.text(path)), project.document(path)
        for scalar, words in scalars(root, ()):
            text, begin = scalar.span.text, scalar.span.start
            is_word = worded and words[-1:] == ("title",)  # `title: sun_stone` reads as `text:` has it
            for_people = bool(_PEOPLE & set(words[-2:])) and not is_word
            holes = [hole.span() for hole in HOLE.finditer(text)]
            alone = (
                found.span()
                for found in word.finditer(text)  # not of a longer name, nor one that is filled in
                if not any(s == found.end() or e == found.start() or s < found.start() < e for s, e in holes)
            )
            made = (
                found.span()
                for found in (_HEADER.finditer(text) if holes and not HOLE.search(name) else ())
                if HOLE.sub("", found[0]) and HOLE.search(found[0])
                if any(filled(found[0], row) == name for row in rows_at(root, begin + found.start()))
            )
            for start, end in (*alone, *made):
                if is_word and end - start < len(text):
                    continue
                behind_dot = text[:start].rstrip().endswith(".")
                if (path, begin + start) in elsewhere or behind_dot or (for_people and not _in_hole(text, start)):
                    continue
                yield file.span(begin + start, begin + end)


def _has_words(project: Project, name: str) -> bool:
    """Whether `text:` says what players read for a name, or for what is made of it."""
    parts = [project.document(path) for path in project.files()]
    texts = [text for part in parts if isinstance(part, Map) and isinstance(text := part.get("text"), Map)]
    keys = {key for text in texts for one in text if isinstance(one.value, Map) for key in one.value.entries}
    fixed = "".join(r"\w+" if number % 2 else re.escape(part) for number, part in enumerate(HOLE.split(name)))
    return any(re.fullmatch(fixed, key) for key in keys)


def _in_hole(text: str, at: int) -> bool:
    return text.rfind("{", 0, at) > text.rfind("}", 0, at)


def scalars(node: Node | None, words: tuple[str, ...]) -> Iterator[tuple[Scalar, tuple[str, ...]]]:
    if isinstance(node, Scalar):
        yield node, words
    elif isinstance(node, Seq):
        for item in node.items:
            yield from scalars(item, words)
    elif isinstance(node, Map):
        for entry in node:
            yield entry.key, ()
            yield from scalars(entry.value, (*words, entry.key.value))


# --------------------------------------------------------------------------------------------- who sees what


def who_sees(project: Project, path: Path) -> list[tuple[int, str]]:
    """Behind which letters of a file to say who sees what is declared there."""
    root = project.document(path)
    found: list[tuple[int, str]] = []
    for part in _with_modules(root):
        for section in ("places", "values", "pools"):
            inner = part.get(section)
            for entry in inner if isinstance(inner, Map) else ():
                seen = entry.value.get("seen") if isinstance(entry.value, Map) else None
                word = seen.span.text if seen is not None else "all"
                found.append((entry.key.span.end, _SEEN.get(word, f"seen by {word}")))
    return sorted(found)


def _with_modules(root: Node | None) -> Iterator[Map]:
    if not isinstance(root, Map):
        return
    yield root
    modules = root.get("modules")
    for entry in modules if isinstance(modules, Map) else ():
        if isinstance(entry.value, Map):
            yield entry.value
            replace_ = entry.value.get("replace")
            if isinstance(replace_, Map):
                yield replace_


__all__ = [
    "Symbol", "declaration", "declared_at", "hover", "name_at", "outline", "scalars", "target_at", "targets_at", "uses",
    "who_sees", "word_at",
]  # fmt: skip
