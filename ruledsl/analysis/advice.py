"""What to write instead: advice for words that one may try first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.source.document import Entry, Map, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import Bool, Elem, ListOf, Num, SetOf, TableOf, Type, join

if TYPE_CHECKING:
    from ruledsl.analysis.world import World

    from .elaborate import Elaborator
    from .names import Typed


EACH = re.compile(r"\beach:")
_WHERE = ("place", "where", "location", "lies_in", "lies", "in", "at", "position", "space", "square", "cell",
          "field", "spot", "on", "on_board", "placed", "in_play")  # fmt: skip


def way_through_place(world: World, kind: Elem, tree: E.Attribute) -> str:
    """For who looks for the place of a piece, or for whose place it is, under another word."""
    asked, written = tree.name.name, tree.of.span.one_line
    keyed = [i for i in world.place_infos if i.key]
    if kind.root.kind == "piece":
        places = [i for i in keyed if kind.mask & ~i.kinds == 0]
        for info in places:
            has = info.per.root.attributes if isinstance(info.per, Elem) else {}
            if asked == info.key or asked in has:
                return f"write `{written}.{info.name}.{asked}`: by way of the place `{info.name}` that it lies in"
        if asked in _WHERE and places:
            return f"`{written}.{places[0].name}` is the `{places[0].name}` that it lies in"
    if kind.root.kind == "piece" and asked in _WHERE:
        words = [board.word for board in world.boards]
        if len(words) == 1:
            return f"`{written}.{words[0]}` is the `{words[0]}` that it stands on"
    if kind.root.kind == "place" and asked in ("key", "owner", "holder", "of"):
        found = [i for i in keyed if kind.mask & ((1 << i.count) - 1) << i.first]
        return f"write `{written}.{found[0].key}`" if found else ""
    if kind.root.kind == "place" and asked in ("card", "piece", "content", "contents"):
        held = [word.name for i in keyed for word in world.kinds if kind.mask >> i.first & 1 and i.kinds & word.mask]
        return f"`{written}.{held[0]}` is the first {held[0]} in it, or none" if held else ""
    if kind.root.kind == "place":
        infos = [i for i in world.place_infos if kind.mask & ((1 << i.count) - 1) << i.first]
        kinds = [one for one in world.kinds if any(i.kinds & one.mask for i in infos)]
        ways = [way for one in kinds for way in world.pieces.attributes.get(asked, ()) if one.mask & way.mask]
        if ways:
            letter = kinds[0].name[0]
            fold = "sum" if isinstance(ways[0].type, Num) else "set"
            return f"every {kinds[0].name} there has it: `{fold}({letter}.{asked} for {letter} in {written})`"
    return ""


def of_an_edge(world: World, name: str, in_step: bool = False) -> str:
    """For `wall[a, b]` and `a.wall`: what edges have is asked of the edge between two spaces."""
    edges = [board.root for board in world.boards if board.between is not None]
    if any(name in root.attributes for root in edges) and name not in ("index", "x", "y"):
        where = "of the edge between two spaces it is" if not in_step else "of the edge of a step it is"
        return f"edges have it: {where} `{'edge' if in_step else 'edge(a, b)'}.{name}`"
    return ""


@lru_cache(maxsize=8)  # asked for each unknown name of a file
def _ends_of_each(text: str) -> tuple[int, ...]:
    return tuple(found.end() for found in islice(EACH.finditer(text), 50))


def filled_in(word: str, span: Span) -> str:
    """For `then` where `<then>` is meant: a word that `each:` fills in, in its line or in one of the rows below it."""
    text = span.file.text
    for end in _ends_of_each(text):
        named = re.compile(rf"(?<![\w.]){re.escape(word)}\s*:")
        first, *below = text[end : end + 400].split("\n")
        rows = takewhile(lambda line: line.lstrip().startswith("- "), below)
        if any(map(named.search, (first, *rows))):
            return f"what `each:` fills in is written `<{word}>`"
    return ""


def asks_for_place(world: World, word: str) -> bool:
    """Whether a function of this name, which there is not, would give the place of a piece."""
    asked = word.removesuffix("_of")
    return asked in _WHERE or any(word == info.name or asked in (info.name, info.key) for info in world.place_infos)


def place_called(world: World, tree: E.Call, kind: Type) -> str:
    """For who asks for the place of a piece by a function: `lot(c)`, `place_of(c)`."""
    assert isinstance(tree.of, E.Name)
    if not isinstance(kind, Elem) or kind.root.kind != "piece":
        return ""
    asked, written = tree.of.name, tree.arguments.plain[0].span.one_line
    places = [i.name for i in world.place_infos if i.key and kind.mask & ~i.kinds == 0]
    for info in world.place_infos:
        if info.name in places and info.key == asked.removesuffix("_of"):
            return f"`{written}.{info.name}.{info.key}` is the `{info.key}` of the `{info.name}` that it lies in"
    wanted = [name for name in places if asked in (name, f"{name}_of")]
    wanted = wanted or (places if asked.removesuffix("_of") in _WHERE else [])
    return f"`{written}.{wanted[0]}` is the `{wanted[0]}` that it lies in" if wanted else ""


def shared_words(a: Type, b: Type) -> str:
    """For two enumerations with the same words: one can be a part of the other, and then they are compared."""
    one, other = (t.of if isinstance(t, SetOf | ListOf) else t for t in (a, b))
    if not isinstance(one, Elem) or not isinstance(other, Elem) or {one.root.kind, other.root.kind} != {"enum"}:
        return ""
    if one.root is other.root:
        return "`a <= b` asks whether all of one set are in another" if isinstance(a, SetOf) and a == b else ""
    small, large = sorted((one.root, other.root), key=lambda root: root.size)
    both = [word for word in small.names if word in large.names]
    if not both or " " in small.name + large.name:
        return ""
    if len(both) < small.size:
        return f"both have the word `{both[0]}`; only words of one type can be compared"
    some = f"{', '.join(both[:6])}{', …' if both[6:] else ''}"
    return (
        f"to compare them, make one a part of the other: "
        f'`{small.name}: {{some: {large.name}, where: "this in [{some}]"}}`'
    )


def one_of(tree: E.Binary, left: Typed, right: Typed) -> str:
    """For `c == camel`, where `camel` is the set of them: what is asked is whether it is one."""
    if not isinstance(left.type, Elem) or not isinstance(right.type, SetOf) or tree.op not in ("==", "!="):
        return ""
    if not isinstance(right.type.of, Elem) or right.type.of.root is not left.type.root:
        return ""
    one, them = (side.span.one_line for side in (tree.left, tree.right))
    return f"`{one} in {them}` asks whether it is one of them" if tree.op == "==" else f"write `{one} not in {them}`"


def _is_thing(elab: Elaborator, part: E.Expr) -> bool:
    """Whether a name is that of a place, or of a player who acts."""
    if isinstance(part, E.Name) and elab.local(part.name) is None:
        known = elab.world.names.get(part.name)
        return part.name in ("me", "opponent") or (known is not None and known.sort == "place")
    return isinstance(part, E.Attribute) and any(info.name == part.name.name for info in elab.world.place_infos)


def listed(elab: Elaborator, parts: list[E.Expr]) -> str:
    """`[a1, h1]` for `a1 and h1`, names of things that are always there."""
    if all(_is_thing(elab, part) for part in parts):
        return f"[{', '.join(part.span.one_line for part in parts)}]"
    words = [part.name for part in parts if isinstance(part, E.Name) and elab.local(part.name) is None]
    if len(words) < len(parts) or any(word in elab.world.names for word in words):
        return ""
    return f"[{', '.join(words)}]" if all(elab.world.homes(word) for word in words) else ""


def attribute_asked(elab: Elaborator, kind: Type, word: str) -> str:
    """For `c in me.hand where money`: an attribute of what is at hand is compared with a word of its type."""
    if not isinstance(kind, Elem):
        return ""
    for scope in reversed(elab.scopes):
        for name, binding in reversed(list(scope.items())):
            one = binding.value.type
            if isinstance(one, Elem) and (found := attributes_like(one, kind)):
                return did_you_mean([f"{name}.{found[0]} == {word}"])
    return ""


def mirrored(elab: Elaborator, tree: E.Binary, left: Typed, right: Typed) -> str:
    """For `me.store > opponent`: of the other one the same is meant."""
    for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
        kind = right.type if other is tree.right else left.type
        if not isinstance(side, E.Attribute) or not isinstance(kind, Elem):
            continue
        of = elab.expr(side.of).type
        if isinstance(of, Elem) and of.root is kind.root and side.name.name in kind.root.attributes:
            return did_you_mean([f"{other.span.one_line}.{side.name.name}"])
    return ""


def one_alone(tree: E.Binary, left: Typed, right: Typed) -> str:
    """For `lords(r) == me`, where the left is a set: whether it is that one alone, or among them."""
    sides = ((left, tree.left, right, tree.right), (right, tree.right, left, tree.left))
    for some, whole, one, at in sides:
        if not isinstance(some.type, SetOf | ListOf) or not isinstance(one.type, Elem | Num):
            continue
        if join(some.type.of, one.type) is not None and tree.op in ("==", "!="):
            them, it = whole.span.one_line, at.span.one_line
            op = "in" if tree.op == "==" else "not in"
            return f"`{them} {tree.op} [{it}]` compares whole sets; to ask for one member, write `{it} {op} {them}`"
    return ""


def lying_in(tree: E.Binary, left: Typed, right: Typed) -> str:
    """For `card in market`, where those of the cards are meant that lie there."""
    kinds, place = left.type, right.type
    if not isinstance(kinds, SetOf) or not isinstance(kinds.of, Elem) or kinds.of.root.kind != "piece":
        return ""
    if not isinstance(place, Elem) or place.root.kind != "place":
        return ""
    of, there = (side.span.one_line for side in (tree.left, tree.right))
    return f"`set(x in {there} where x in {of})` is those of them that lie there"


def word_among(elab: Elaborator, tree: E.Binary, left: Typed, right: Typed) -> str:
    """For `gold in me.hand`: whether one of the pieces there is so."""
    if not isinstance(left.type, Elem) or not isinstance(right.type, Elem) or right.type.root.kind != "place":
        return ""
    pieces = Elem(elab.world.pieces, right.type.mask)
    named = [
        name
        for name, ways in pieces.root.attributes.items()
        if any(isinstance(way.type, Elem) and way.type.root is left.type.root for way in ways)
    ]
    if not named:
        return ""
    one = "c" if elab.local("c") is None else "x"
    word, there = tree.left.span.one_line, tree.right.span.one_line
    return f"write `any({one} in {there} where {one}.{named[0]} == {word})`"


def by_attribute(elab: Elaborator, tree: E.Binary, left: Typed, right: Typed) -> str:
    """For `c == red` and `color == red`: an attribute of a thing is what was to be compared."""
    for side, other, at in ((left.type, right.type, tree.left), (right.type, left.type, tree.right)):
        other = other.of if isinstance(other, SetOf | ListOf) else other
        if not isinstance(other, Elem):
            continue
        word = at.span.one_line
        if isinstance(side, Elem) and isinstance(at, E.Name | E.Attribute):
            found = [f"{word}.{name}" for name in attributes_like(side, other)]
        elif isinstance(at, E.Name):
            names = {
                n: b.value.type for scope in elab.scopes for n, b in scope.items() if isinstance(b.value.type, Elem)
            }
            found = [n for n, kind in names.items() if kind.root is other.root and kind.root.name == word]
            found += [f"{n}.{word}" for n, kind in names.items() if word in kind.root.attributes]
        else:
            continue
        if found:
            return did_you_mean(found[:3])
    return ""


def attributes_like(kind: Elem, wanted: Elem) -> list[str]:
    """The attributes of a thing that are of a type."""
    found = (name for name, of in types_of_attributes(kind) if isinstance(of, Elem) and of.root is wanted.root)
    return list(dict.fromkeys(found))


def types_of_attributes(kind: Elem) -> Iterator[tuple[str, Type]]:
    """The attributes that all members of a type have, and of which types they are."""
    for name, ways in kind.root.attributes.items():
        yield from ((name, one.type) for one in ways if kind.mask & ~one.mask == 0)


_RANKINGS = ("ranking", "rankings", "standings", "leaderboard", "order_of_points")
_SCORES = ("score", "scores", "points", "totals", "victory_points", "vp")


def about_points(world: World, word: str) -> str:
    """For who asks for the points of `scoring:` in the rules."""
    if not world.sections.scoring:
        return ""
    if word in ("rank", "rank_of", "standing", "place_in_ranking"):
        return "a player's place is `position(ranking, p)`, counted from 1"
    if word in ("worst", "loser", "last_player", "last_placed", "weakest", "lowest_player", "bottom_player"):
        return "the player with the lowest total is `last(ranking)`"
    if word in ("best", "best_player", "strongest"):
        return "the player with the highest total is `first(ranking)`"
    if word in _RANKINGS:
        return "`ranking` is the list of all players, the best first; write it without brackets"
    return "`score[p]` is the current total of a player under `scoring:`" if word in _SCORES else ""


def change_without_value(world: World, path: str) -> str:
    """For `set: {me.score}` and `add: {coins: 1, c.coins}`: what changes has no value, or the value stands alone."""
    of, _, last = path.rpartition(".")
    value = world.names.get(last)
    alone = bool(of) and value is not None and value.sort == "value" and not value.data.keys
    return f"write what changes, and how, as in `{f'{last}: {path}' if alone else f'{path}: …'}`"


def turned_round(world: World, entry: Entry) -> str:
    """For `add: {prize: me.store}`, where the value and what changes have traded places."""
    last = entry.value.value.rsplit(".", 1)[-1] if isinstance(entry.value, Scalar) else ""
    declared = world.names.get(last)
    right = f"{entry.value.span.text.strip()}: {entry.key.value}"
    return f"did you mean `{right}`?" if declared is not None and declared.sort == "value" else ""


def whose_it_is(elab: Elaborator, kind: TableOf, entry: Entry) -> str:
    """For `wall: here`, where walls are by dike: whose it is was written in place of what it becomes."""
    value = entry.value
    if not isinstance(value, Scalar) or not re.fullmatch(r"[\w.]+", value.value) or not isinstance(kind.item, Bool):
        return ""
    given = elab.expr(elab.read(value)).type if elab.is_known(value.value.split(".")[0]) else None
    if not isinstance(given, Elem) or join(given, kind.keys[0]) is None:
        return ""
    return f"the owner comes before the dot: write `{value.value}.{entry.key.value}: true`"


def become(kind: Type, entry: Entry) -> str:
    """For `m: king`, where `king` is what `m` shall be from now on."""
    word = entry.value.value if isinstance(entry.value, Scalar) else ""
    found = kind.root.attributes.get(word, ()) if isinstance(kind, Elem) else ()
    return f"write `{entry.key.value}.{word}: true`" if any(isinstance(one.type, Bool) for one in found) else ""


def gained(world: World, path: str) -> str:
    """How tokens change hands, where `me.purse` is to be changed."""
    word = re.split(r"[.\[]", path)[-1].rstrip("]")
    pool = next((p for p in world.pools if word in p.holders or (p.of and word in p.of.names)), None)
    if pool is None:
        return "use `gain:` and `pay:`"
    sort = word if pool.of and word in pool.of.names else pool.of.names[0] if pool.of else pool.name
    return f"write `gain: {{{sort}: 1}}` for more of them, `pay: {{{sort}: 1}}` for fewer"


def state_of(world: World, kind: Type, text: str) -> str:
    """For who sets a thing where what changes of it is meant: `t.disc.side` for `t.disc`."""
    if not isinstance(kind, Elem):
        return ""
    kinds = world.kinds if kind.root is world.pieces else []
    for section, names in (
        ("pieces", [one.name for one in kinds if not kind.mask & ~one.mask]),
        ("boards", [board.name for board in world.boards if board.root is kind.root]),
    ):
        for name in names:
            _, node = world.sections.named[section].get(name, (None, None))
            state = node.get("state") if isinstance(node, Map) else None
            if isinstance(state, Map) and state.entries:
                return did_you_mean([f"{text}.{changing}" for changing in list(state.entries)[:3]])
    if kind.root.kind in ("space", "place") or kind.root is world.pieces:
        return "move pieces with `move:` and `remove:`; what else changes is declared under `values:` or `state:`"
    return ""
