"""What may have been meant by a name that is unknown where it stands, and how a value becomes what is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import CHOICES, FUNCTIONS, number_meant, truth_meant
from ruledsl.types import BagOf, Bool, Elem, ListOf, Num, SetOf, TableOf, Type

from .advice import about_points, attributes_like, filled_in, of_an_edge, types_of_attributes, way_through_place
from .functions import meant_by
from .names import Declared
from .show import show, show_mask
from .ways import of_one_at_hand
from .ways import way as way_from

if TYPE_CHECKING:
    from .elaborate import Elaborator
    from .world import World

Advice = tuple[str, tuple[str, ...]]  # in words, and what can be written in place of the wrong word
NOTHING: Advice = "", ()

_NUMBERS = re.compile(r"(\d+) *\.\. *([\w.]+)")
_DIE = re.compile(r"[dDwWкК](\d{1,3})")
_OTHER_ROUND = re.compile(r"(\d+)\s*[-–—−]\s*(\d+)")


def about_name(elab: Elaborator, word: str, span: Span, want: Type | None) -> Advice:
    """What an unknown name may mean: a number or truth in words, a slip of the pen, an attribute without its owner."""
    if not elab.report.advises:
        return NOTHING
    if word == "this":
        if last := next(reversed(elab.scopes[-1]), "") if elab.scopes else "":  # `p: plot where empty(this)`
            return f"did you mean `{last}`? `this` is a row or a piece, where it is declared", (last,)
        return "`this` is a row or a piece, where its table, its kind or its tile is declared", ()
    meant = _in_words(word, want)
    if meant is not None:
        return f"write `{meant}`", (meant,)
    inner = want.of if isinstance(want, SetOf | ListOf) else want
    if word.casefold() in _NONE and isinstance(want, Elem | Num):
        return "write `none`, if it may be none; what may be is declared with `maybe`", ("none",)
    if (usual := _usual(elab, word, inner, span)) != NOTHING:
        return usual
    pool = next((pool for pool in elab.world.pools if pool.name == word or (pool.of and pool.of.name == word)), None)
    if pool is not None:
        mine = next((f"me.{holder}" for holder, (sort, *_) in pool.holders.items() if sort == "player"), "")
        left = f"`supply.{pool.name}` is what is left"
        return f"`{mine}` is what a player has; {left}" if mine else left, ()
    if die := _DIE.fullmatch(word):
        right = f"1..{die[1]}"
        return f"a die with {die[1]} sides is `{right}`", (right,)
    if help := about_points(elab.world, word):
        return help, ()
    if help := filled_in(word, span) or of_an_edge(elab.world, word, elab.local("edge") is not None):
        return help, ()
    owners = _owners(elab, word)
    if owners:
        return did_you_mean(owners), tuple(owners)
    if called := _titled(elab.world, word, elab.world.known_words(elab.scopes, None)):
        if not isinstance(inner, Elem) and (held := _held_under(elab, called)):
            return f"`{word}` is what players read; in the rules write {' or '.join(f'`{one}`' for one in held)}", ()
        return _by_its_name(word, called)
    close = nearest(word, elab.world.known_words(elab.scopes, want)) if elab.report.searches else []
    members = [name for name in close if isinstance(inner, Elem) and name in inner.root.names]
    if close:
        known = [_with_owner(elab, name) for name in members or close]
        return did_you_mean(known), tuple(known)
    if right := _direction_meant(word, Elem(elab.world.directions, 0)) or in_words(elab, word, want=want):
        return f"write `{right}`", (right,)
    attributes = _attributes(elab)
    if word in attributes:
        owner = attributes[word]
        return f"`{word}` belongs to a {owner}: say whose, as in `x.{word}`", ()
    for near in nearest(word, attributes):
        if owners := _owners(elab, near):
            return did_you_mean(owners), tuple(owners)
    if hint := elab.world.members_hint(want) or _how_much(word) or _at_hand(elab):
        return hint, ()
    return _unheard_of(word, inner), ()


def _how_much(word: str) -> str:
    """For `half`, `many` and `twice`, which are no numbers yet."""
    if word.casefold() in _NO_END:
        return "write the largest number that can be needed, such as 100"
    if word.casefold() in _PARTS:
        return f"say of what: `x / {_PARTS[word.casefold()]}`, rounded down; or write the number itself"
    if word.casefold() in ("double", "twice", "triple"):
        return f"say of what: `{3 if word.casefold() == 'triple' else 2} * x`"
    return ""


def _unheard_of(word: str, inner: Type | None) -> str:
    """What is said of a word that is like nothing in the game."""
    if len(word) > 2 and not isinstance(inner, Elem):
        return f"a formula of your own is declared under `define:`, as in `{word}: …`"
    if len(word) == 1:
        return f"`{word}` has no meaning here: introduce it with `for:`, or as in `any(… for {word} in players)`"
    return ""


def _on_the_board(world: World, word: str) -> Advice:
    """The middle and the corners of a board, and all its spaces, in words."""
    board = next((one for one in world.boards if {"x", "y"} <= one.root.attributes.keys()), None)
    if board is None and world.boards and word in _SPACES:
        return f"all spaces are `{world.boards[0].name}`", ()
    names = [re.fullmatch(r"([a-z])(\d+)", name) for name in board.root.names] if board is not None else []
    places = [(found[1], int(found[2])) for found in names if found]
    if board is None or not places or len(places) < len(names):
        return NOTHING
    columns, rows = sorted({x for x, _ in places}), sorted({y for _, y in places})
    if word in ("center", "centre", "middle") and len(columns) % 2 and len(rows) % 2:
        middle = f"{columns[len(columns) // 2]}{rows[len(rows) // 2]}"
        return f"write its name: `{middle}`", (middle,)
    if word in ("corner", "corners"):
        four = ", ".join(f"{x}{y}" for x in (columns[0], columns[-1]) for y in (rows[0], rows[-1]))
        return f"write their names: `[{four}]`", (f"[{four}]",)
    if word in _SPACES:
        where = "where one is, is asked by its `x` (column) and `y` (row)"
        return f"all spaces are `{board.name}`; {where}, as in `c in {board.name} where c.y == 1`", ()
    return NOTHING


def _asked_of_each(word: str, span: Span) -> str:
    """`any(p in players where p.out == 2)` for `anyone.out == 2`."""
    found = _ASKED_OF.match(span.file.text, span.end)
    if found is None:
        return ""
    function, asked = _EACH_ASKED[word], f"p.{found[1]}{found[2] or ''}"
    if function == "all":
        return f"write `all({asked} for p in players)`"
    return f"write `{function}(p in players where {asked})`"


def _usual(elab: Elaborator, word: str, inner: Type | None, span: Span) -> Advice:
    """Directions, players and the supply in the words that come to mind first."""
    if isinstance(inner, Elem) and (way := _direction_meant(word, inner)):
        return f"write `{way}`", (way,)
    if isinstance(inner, Elem) and inner.root is elab.world.players and (who := _PLAYERS.get(word.casefold())):
        if who != "opponent" or elab.world.players.size == 2:
            return f"write `{who}`", (who,)
    if isinstance(inner, Elem) and inner.root is elab.world.players and word.casefold() in _LEADERS:
        asked = "score" if "score" in elab.world.players.attributes else "…"
        leading = f"the one with the most is `first(p in players by -p.{asked})`"
        return f"{leading}; everybody tied for it is `most(p in players by p.{asked})`", ()
    if (there := _on_the_board(elab.world, word.casefold())) != NOTHING:
        return there
    if word.casefold() in _EACH_ASKED and (each := _asked_of_each(word.casefold(), span)):
        return each, ()
    if word.casefold() in _SEVERAL and (
        inner is None or (isinstance(inner, Elem) and inner.root is elab.world.players)
    ):
        right = _SEVERAL[word.casefold()]
        if elab.world.players.size == 2 and word.casefold() in ("opponents", "enemies"):
            right = "opponent"
        return f"write `{right}`", (right,)
    if word == "supply" and (first := next(iter(elab.world.pools), None)) is not None:
        left = first.of.names[0] if first.of is not None else ""
        return f"say of what: `supply.{first.name}{f'.{left}' if left else ''}` is what is left", ()
    return NOTHING


def about_changed(elab: Elaborator, word: str) -> Advice:
    """What an unknown name may mean that is to be changed: values can be, and are declared."""
    values = [d.name for d in elab.world.names.values() if d.sort == "value"]
    titled = _titled(elab.world, word, values)
    if titled:
        return _by_its_name(word, titled)
    owners = _owners(elab, word)
    close = owners or [_with_owner(elab, name) for name in nearest(word, values)]
    if close:
        return did_you_mean(close), tuple(close)
    return "declare what changes under `values:`; `let:` names something for the rest of a block", ()


def _held_under(elab: Elaborator, word: str) -> list[str]:
    """The words under which those at hand have tokens of a pool."""
    pool = next((p for p in elab.world.pools if word == p.name or (p.of is not None and word in p.of.names)), None)
    if pool is None:
        return []
    sort = "" if pool.of is None or word == pool.name else f".{word}"
    holders = [name for name, (owner, *_) in pool.holders.items() if owner == "player"]
    who = of_one_at_hand(elab, Elem(elab.world.players, 0)) or "p"
    return [f"{who}.{holder}{sort}" for holder in holders]


def _titled(world: World, word: str, names: Iterable[str]) -> str:
    """What the rules call something, for who writes what players read."""
    return next((name for name in world.titled(word) if name in names), "")


def _by_its_name(title: str, name: str) -> Advice:
    return f"`{title}` is what players read; in the rules it is `{name}`", (name,)


def _at_hand(elab: Elaborator) -> str:
    """The names that are bound where a name is unknown."""
    bound = [name for scope in reversed(elab.scopes) for name in scope]
    return f"the names here are {', '.join(f'`{name}`' for name in bound)}" if 0 < len(bound) <= 6 else ""


def _with_owner(elab: Elaborator, name: str) -> str:
    """A value that every player has one of is mine, where nothing else is said."""
    declared = elab.world.names.get(name)
    if (
        declared is None
        or declared.sort != "value"
        or not declared.data.keys
        or elab.keyed
        or elab.no_me
        or elab.local(name)
    ):
        return name
    first = declared.data.keys[0]
    return f"me.{name}" if isinstance(first, Elem) and first.root is elab.world.players else name


def _in_words(word: str, want: Type | None) -> str | None:
    """`3` for `three`, `false` for `нет`, where such a thing is wanted."""
    if want is None or isinstance(want, Num):
        number = number_meant(word)
        if number is not None:
            return str(number)
    if isinstance(want, Bool) or (want is None and len(word) > 1):  # one letter is rather a name
        return truth_meant(word)
    return None


def _owners(elab: Elaborator, attribute: str) -> list[str]:
    """What is at hand that has an attribute: the names of this block, and me."""
    found = []
    for scope in reversed(elab.scopes):
        for name, binding in scope.items():
            kind = binding.value.type
            if isinstance(kind, Elem) and _has(kind, attribute):
                found.append(f"{name}.{attribute}")
    players = elab.world.players
    if not elab.no_me and attribute in players.attributes and not any(name.startswith("me.") for name in found):
        found.insert(0, f"me.{attribute}")
    return found[:3]


def _has(kind: Elem, attribute: str) -> bool:
    return any(kind.mask & ~one.mask == 0 for one in kind.root.attributes.get(attribute, ()))


def _attributes(elab: Elaborator) -> dict[str, str]:
    """All attributes of anything, each with a word for what has it."""
    found: dict[str, str] = {}
    for root in [*elab.world.roots.values(), elab.world.pieces, elab.world.players]:
        for attribute in root.attributes:
            found.setdefault(attribute, root.name)
    return found


def about_attribute(elab: Elaborator, kind: Elem, tree: E.Attribute, names: Iterable[str]) -> Advice:
    """What an attribute may mean that a thing does not have: `hand.count`, `me.weather`, `me.ripe`."""
    of, name = tree.of, tree.name.name
    if name in KIND_ASKED and kind.root is elab.world.pieces:
        return _of_a_kind(elab, of.span.one_line), ()
    if owner := elab.world.data.get("undeclared columns", {}).get(name):
        return f"the rows of `{owner}` have it: declare it under `attributes:` of `{owner}`", ()
    if way := way_through_place(elab.world, kind, tree):
        return way, ()
    if called := _titled(elab.world, name, names):
        return _by_its_name(name, called)
    coordinate = next((c for c in _COORDINATES.get(name, ()) if c in names), "") if kind.root.kind == "space" else ""
    if coordinate:
        return did_you_mean([coordinate]), (coordinate,)
    if kind.root.kind == "space" and (help := of_an_edge(elab.world, name)):
        return help, ()
    close = nearest(name, names)
    text = of.span.one_line
    if kind.root.kind == "space" and (way := _direction_meant(name, Elem(elab.world.directions, 0))):
        return f"the space beside it in a direction is `step({text}, {way})`", ()
    if close:
        return did_you_mean(close), tuple(close)
    if name in ("owner", "player") and kind.root is elab.world.pieces and "holder" in names:
        nobody = f"nobody owns a {show_mask(kind.root, kind.mask)}"
        return f"{nobody}; `{text}.holder` is the player in whose place it lies", ("holder",)
    if kind.root is elab.world.players:
        pools = (p for p in elab.world.pools if name == p.name or (p.of is not None and name in p.of.names))
        held = [f"{text}.{h}" for pool in pools for h, (sort, *_) in pool.holders.items() if sort == "player"]
        if held:
            known = [one if any(name == p.name for p in elab.world.pools) else f"{one}.{name}" for one in held]
            return did_you_mean(known), ()
    if kind.root.kind == "space" and (standing := _on_it(elab.world, kind, name)):
        return f"did you mean `{text}.{standing}.{name}`?", ()
    if kind.root is elab.world.players and (own := _of_player(elab.world, text, name) or _of_a_sort(elab, text, name)):
        return own, ()
    if asked := _by_a_function(elab, text, tree.name):
        return asked, ()
    declared = elab.world.names.get(name)
    if declared is not None and declared.sort == "formula" and len(declared.data.parameters) == 1:
        return f"`{name}` is a formula: write `{name}({text})`", ()
    if declared is not None and declared.sort == "value" and declared.data.keys:
        return _of_others(elab, kind, declared, name, text), ()
    if declared is not None and declared.sort == "place" and declared.data.per is not None:
        owner = of_one_at_hand(elab, declared.data.per)
        each = show(declared.data.per)
        return f"`{name}` is a place of each {each}: say whose, as in `{owner or 'x'}.{name}`", ()
    if declared is not None and declared.sort in ("value", "place", "option", "formula", "board"):
        return f"`{name}` belongs to nobody: write it alone", ()
    if right := in_words(elab, name, text) or _where_it_is(elab, text, name):
        return f"write `{right}`", ()
    return NOTHING


def _by_a_function(elab: Elaborator, text: str, word: E.Name) -> str:
    """`count(x)` for `x.count`, `reserve(snail)` for `me.reserve.snail`."""
    name = word.name
    function = name if name in elab.world.builtins else next(iter(FUNCTIONS.get(name, ())), "")
    if not function:
        return ""
    signature = elab.world.builtins[function].signature
    more = ", …" if needs_more(signature) else ""
    if more or is_something(elab, f"{function}({text})"):
        return f"write `{function}({text}{more})`"
    behind = re.match(r"\.(\w+)", word.span.file.text[word.span.end :])
    whose = "" if text == "me" else f", of={text}"
    known = ([behind[1]] if behind else [], [kind.name for kind in elab.world.kinds])
    for names in known if " of=" in signature else ():
        calls = [call for one in names if is_something(elab, call := f"{function}({one}{whose})")]
        if calls:
            return f"write {' or '.join(f'`{call}`' for call in calls[:3])}"
    return f"`{name}` is a function: it is `{signature}`"


def _of_others(elab: Elaborator, kind: Elem, declared: Declared, name: str, text: str) -> str:
    """Whose a value is, and how it would be one of those that are asked for it."""
    first = declared.data.keys[0]
    owner = of_one_at_hand(elab, first) or "x"
    whose = show_mask(first.root, first.mask) if isinstance(first, Elem) else show(first)
    if any(isinstance(key, Elem) and key.root is kind.root for key in declared.data.keys[1:2]):
        return f"its first key is a {whose}: write `{owner}.{name}[{text}]`"
    here = f"`{owner}.{name}`" if isinstance(first, Elem) else f"`{name}[…]`"
    word = kind.root.name if kind.root.kind != "piece" else show_mask(kind.root, kind.mask)
    own = f"; for one of each {word} declare `per: {word}`" if kind.root.kind in ("space", "enum", "player") else ""
    return f"there is one for each {whose}, as in {here}{own}"


def held_by_names(elab: Elaborator, kind: str, attribute: str) -> list[str]:
    """`to.disc.side` for `disc.side`, where `to` is a space: by the names at hand."""
    bound = [(name, one.value.type) for scope in reversed(elab.scopes) for name, one in scope.items()]
    spaces = [(name, of) for name, of in bound if isinstance(of, Elem) and of.root.kind == "space"]
    return [f"{name}.{kind}.{attribute}" for name, of in spaces if kind in of.root.attributes]


def _on_it(world: World, kind: Elem, name: str) -> str:
    """The pieces that can stand on a space, and have an attribute that was asked of the space."""
    for ways in [world.pieces.attributes.get(name, ())]:
        for piece in world.kinds:
            if piece.name in kind.root.attributes and any(piece.mask & ~way.mask == 0 for way in ways):
                return piece.name
    return ""


def _of_a_sort(elab: Elaborator, player: str, word: str) -> str:
    """For `p.king`, where a player has men, and one of them is a king: which it is, is asked of each."""
    world = elab.world
    for kind in world.kinds:
        if kind.name not in world.players.attributes:
            continue
        x = kind.name[0]
        for root, _ in world.homes(word):
            for asked in attributes_like(Elem(world.pieces, kind.mask), Elem(root, 0)):
                some = f"{x} in {player}.{kind.name} where {x}.{asked} == {word}"
                return f"`{word}` is a {asked}: write `first({some})` for one, `set({some})` for all of them"
    return ""


def _of_player(world: World, text: str, name: str) -> str:
    """`me.disc`, where pieces belong to nobody, but say whose they are by an attribute."""
    kind = next((kind for kind in world.kinds if kind.name == name), None)
    if kind is None:
        return ""
    own = [one for one in world.place_infos if one.key == "player" and one.kinds & kind.mask]
    if own and own[0].name in world.players.attributes:
        lying = f"{text}.{own[0].name}"
        return f"write `{lying}` for those that lie there, `{lying}.{name}` for the first of them, or none"
    x = name[0]
    for attribute, ways in world.pieces.attributes.items():
        for way in ways:
            if attribute != "owner" and kind.mask & ~way.mask == 0 and isinstance(way.type, Elem):
                if way.type.root is world.players:
                    return f"`set({x} in {name} where {x}.{attribute} == {text})` are those with this `{attribute}`"
    return f"nobody owns a {name}: write `{name}` for all of them, or declare it `per: player`"


# How one asks elsewhere what sort of thing something is.
KIND_ASKED = frozenset(("kind", "type", "kind_of", "type_of", "is_a", "is_an", "is_kind", "isinstance", "instance_of"))


def _of_a_kind(elab: Elaborator, piece: str, kind: str = "") -> str:
    """`x.kind == card`, `is_a(x, card)`."""
    kind = kind or next((one.name for one in elab.world.kinds), "card")
    return f"to ask what kind a piece is, use `in`: `{piece} in {kind}`"


def about_function(elab: Elaborator, tree: E.Call, word: str) -> Advice:
    """What a function may mean that there is not: another name, or an attribute of what it is asked of."""
    if help := about_points(elab.world, word):
        return help, ()
    if word.casefold() in KIND_ASKED and 0 < len(tree.arguments.plain) < 3:
        return _of_a_kind(elab, *(one.span.one_line for one in tree.arguments.plain)), ()
    if any(board.between is not None and word in (board.word, board.name) for board in elab.world.boards):
        right = f"edge({', '.join(one.span.one_line for one in tree.arguments.plain)})"
        return f"the edge between two spaces is `{right}`", ()
    if len(tree.arguments.plain) > 1 and (own := _own_attribute(elab, tree, word)):
        return own, ()
    if word.casefold() in _BEST and (best := _best_of(elab, tree, _BEST[word.casefold()])):
        return best, ()
    searches = elab.report.searches
    if searches and "_" in word and (of_words := _formula_of_words(elab, word, len(tree.arguments.plain))):
        return did_you_mean([of_words]), (of_words,)
    if known := meant_by(word):
        return did_you_mean(known), tuple(known)
    if word.casefold() in elab.world.builtins:
        return did_you_mean([word.casefold()]), (word.casefold(),)
    other = [name for name in FUNCTIONS.get(word.casefold(), ()) if name in elab.world.builtins]
    if other:
        return did_you_mean(other), tuple(other)
    if elab.world.directions.size and len(tree.arguments.plain) == 1:
        way = _direction_meant(word.removesuffix("_of"), Elem(elab.world.directions, 0))
        if word.removesuffix("_of") in elab.world.directions.names:
            way = word.removesuffix("_of")
        if way:
            right = f"step({tree.arguments.plain[0].span.one_line}, {way})"
            return f"the space beside it in a direction is `{right}`", ()
    if word.casefold() in ("occupied", "is_occupied", "taken", "has_piece", "full") and len(tree.arguments.plain) == 1:
        return f"write `not empty({tree.arguments.plain[0].span.one_line})`", ()
    if word.casefold() in _CHANCE:
        sides = tree.arguments.plain[-1].span.one_line if tree.arguments.plain else "6"
        some = f"1..{sides}" if sides.isdecimal() else sides
        return f"chance is a statement of its own: write `- random: {{x: {some}}}` before this one, and `x` here", ()
    formulas = [d.name for d in elab.world.names.values() if d.sort == "formula"] if searches else []
    close = nearest(word, [*elab.world.builtins, *formulas])
    if close:
        return did_you_mean(close), tuple(close)
    given = tree.arguments
    if len(given.plain) == 1 and searches and (owned := in_words(elab, word, given.plain[0].span.one_line)):
        return f"write `{owned}`", ()
    if len(given.plain) == 1 and not given.sources and not given.named and word in _attributes(elab):
        text = given.plain[0].span.one_line
        return f"write an attribute after the thing that has it: `{text}.{word}`", ()
    return NOTHING


_CHANCE = ("roll", "random", "rand", "randint", "randrange", "die", "dice", "throw", "toss", "flip", "rnd", "choice",
           "random_choice", "roll_die", "roll_dice", "throw_die", "random_card", "random_player", "pick_random",
           "draw_random", "shuffle", "sample")  # fmt: skip
_PARTS_OF_NAMES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def _formula_of_words(elab: Elaborator, word: str, given: int) -> str:
    """`affordable` for `can_afford`: a formula with as many parameters, by what its name means."""
    from .vocabulary import alike  # nothing in it is needed where all is right

    parts = [part for part in word.casefold().split("_") if len(part) > 3]
    declared = [one for one in elab.world.names.values() if one.sort == "formula" and len(one.data.parameters) == given]
    found = (d.name for d in declared if all(any(alike(part, p) for p in d.name.split("_")) for part in parts))
    return next(found, "") if parts else ""


def is_something(elab: Elaborator, text: str) -> bool:
    """Whether an expression means something here."""
    from .vocabulary import Vocabulary  # nothing in it is needed where all is right

    return Vocabulary(elab, {}).type_of(text) is not None


def _where_it_is(elab: Elaborator, text: str, name: str) -> str:
    """`p.square.x` for `p.x`: of a piece, what the space has where it is."""
    from .phrases import Phrase  # nothing in it is needed where all is right

    if not elab.report.searches:
        return ""
    phrase = Phrase(elab, {})
    return next(
        (f"{at}.{name}" for at in phrase.where_is(text) if phrase.words.type_of(f"{at}.{name}") is not None), ""
    )


def in_words(elab: Elaborator, name: str, owner: str = "", want: Type | None = None) -> str:
    """`other_player`, `cards_in_hand(me)`: a name of several words that are known here."""
    from .phrases import Phrase  # nothing in it is needed where all is right

    ws = tuple(part.casefold() for part in _PARTS_OF_NAMES.findall(name))
    if not elab.report.searches or not ws or (len(ws) == 1 and not owner) or len(ws) > 6:
        return ""
    phrase = Phrase(elab, {})
    if owner:
        found = [*phrase.words.of(owner, ws), *phrase.predicates(owner, ws if ws[0] != "is" else ws[1:]),
                 *phrase.quantities(owner, ws[1:] if ws[0] in ("num", "total", "n") else ws)]  # fmt: skip
        found += [*phrase.quantities(owner, ws[2:])] if ws[:2] == ("number", "of") else []
    else:
        said = " ".join(ws)
        found = [*phrase.as_condition(said)] if isinstance(want, Bool) else [*phrase.things(ws)]
        if isinstance(want, Num):
            found = [*phrase.as_number(said)]
        elif isinstance(want, Elem):
            found = [text for text in phrase.as_one(said) if _is_of(phrase.words.type_of(text), want)]
    return next((text for text in found if phrase.words.type_of(text) is not None and text != name), "")


def _is_of(kind: Type | None, want: Elem) -> bool:
    return isinstance(kind, Elem) and kind.root is want.root


def _best_of(elab: Elaborator, tree: E.Call, sign: str) -> str:
    """For `highest(trick)`: of pieces, by one of their numbers."""
    plain = tree.arguments.plain
    one = elab.item_type(elab.expr(plain[0]).type) if len(plain) == 1 else None
    numbers = [name for name, of in types_of_attributes(one) if isinstance(of, Num)] if isinstance(one, Elem) else []
    if not numbers:
        return ""
    some = f"x in {plain[0].span.one_line} by {sign}x.{numbers[0]}"
    return f"write `first({some})`; all that have as much are `{'most' if sign else 'least'}(…)`"


def _own_attribute(elab: Elaborator, tree: E.Call, word: str) -> str:
    """For `wall(s, d)`, where what lies between two spaces has a `wall`."""
    for board in elab.world.boards:
        if board.between is not None and word in board.root.attributes:
            return f"write `edge({', '.join(one.span.one_line for one in tree.arguments.plain)}).{word}`"
    owner = _attributes(elab).get(word)
    return f"`{word}` belongs to a {owner}: write it after a dot, as in `x.{word}`" if owner else ""


def about_type(word: str, known: Iterable[str]) -> Advice:
    """What a type may mean that there is not."""
    from ruledsl.syntax.foreign import TYPES

    if word.casefold() in TYPES:
        help = TYPES[word.casefold()]
        return help, ("bool",) if help == "write `bool`" else ()
    if (truth := truth_meant(word)) is not None:
        return f"write `bool`; what it is at first is said by `start: {truth}`", ("bool",)
    if (number := number_meant(word)) is not None:
        return f"numbers are a range: write the lowest and the highest, as in `1..{number}`", (f"1..{number}",)
    if ".." in word:
        return (
            f"a type by its name must be here: declare one under `types:`, as in `slot: {word}`, and write `slot`",
            (),
        )
    close = nearest(word, known)
    return did_you_mean(close), tuple(close)


def about_seers(word: str, players: Iterable[str]) -> Advice:
    """Who may see something, in other words than those of the language."""
    known = ["all", "none", "owner", "others", "top"]
    meant = [name for name in CHOICES.get(word.casefold(), ()) if name in known] or nearest(word, [*known, *players])
    if meant:
        return did_you_mean(meant), tuple(meant)
    return "it is `all`, `none`, `owner`, `others`, `top`, or players", ()


def needs_more(signature: str) -> bool:
    """Whether a function needs a second argument after the first."""
    inside = signature.partition("(")[2].rpartition(")")[0].split(",")
    return len(inside) > 1 and "=" not in inside[1] and "[" not in inside[1]


# Where a space lies, in words and on other boards.
_COORDINATES = {
    **dict.fromkeys(("row", "line", "rank", "y", "height"), ("y", "r")),
    **dict.fromkeys(("column", "col", "file", "x", "width"), ("x", "q")),
    **dict.fromkeys(("number", "nr", "position", "place", "id"), ("index",)),
}

_NONE = ("nothing", "nobody", "noone", "no_one", "null", "nil", "empty", "undefined", "ничего", "никто", "нет")
_BEST = {**dict.fromkeys(("highest", "best", "greatest", "biggest", "largest", "strongest"), "-"),
         **dict.fromkeys(("lowest", "worst", "smallest", "weakest"), "")}  # fmt: skip
_PARTS = {"half": 2, "third": 3, "quarter": 4}
_NO_END = ("unlimited", "infinite", "infinity", "endless", "enough", "many", "inf", "бесконечно", "сколько_угодно")


# Players, as one may call them first.
_PLAYERS = {
    "mine": "me", "my": "me", "myself": "me", "self": "me", "i": "me", "own": "me", "you": "me", "current": "me",
    "active": "me", "current_player": "me", "active_player": "me", "enemy": "opponent", "other": "opponent",
    "foe": "opponent", "rival": "opponent", "other_player": "opponent", "next_player": "next(me)",
}  # fmt: skip


_SEVERAL = {
    "others": "players except me", "all_others": "players except me", "other_players": "players except me",
    "opponents": "players except me", "enemies": "players except me", "everyone": "players", "everybody": "players",
    "all_players": "players", "anyone": "players", "anybody": "players",
}  # fmt: skip
_SPACES = ("column", "columns", "row", "rows", "field", "fields", "cells", "squares", "spaces", "line", "file", "rank")
_EACH_ASKED = {
    **dict.fromkeys(("anyone", "anybody", "someone", "somebody", "any_player", "some_player", "a_player"), "any"),
    **dict.fromkeys(("everyone", "everybody", "each", "every_player", "all_players", "each_player"), "all"),
    **dict.fromkeys(("nobody", "no_one", "noone", "no_player"), "no"),
}
_ASKED_OF = re.compile(r"\.([^\W\d][\w.]*)(\s*(?:[=!<>]=|<|>)\s*[\w.]+)?")
_LEADERS = ("leader", "winner", "winners", "first_place", "richest", "highest", "best_player", "top_player", "leading")


# Directions in words, by what they are called on boards that have them.
_DIRECTIONS = {
    "clockwise": ("cw",), "anticlockwise": ("ccw",), "counterclockwise": ("ccw",), "counter_clockwise": ("ccw",),
    "north": ("n",), "south": ("s",), "east": ("e",), "west": ("w",), "up": ("n", "forward"), "down": ("s", "back"),
    "right": ("e", "forward"), "left": ("w", "back"), "northeast": ("ne",), "northwest": ("nw",),
    "above": ("n",), "below": ("s",), "under": ("s",), "over": ("n",), "in_front": ("n", "forward"),
    "behind": ("s", "back"),
    "southeast": ("se",), "southwest": ("sw",), "north_east": ("ne",), "north_west": ("nw",), "south_east": ("se",),
    "south_west": ("sw",), "forwards": ("forward",), "ahead": ("forward",), "backward": ("back",),
    "backwards": ("back",), "north_of": ("n",), "top": ("n",), "bottom": ("s",),
}  # fmt: skip


def _direction_meant(word: str, wanted: Elem) -> str:
    """`cw` for `clockwise`, where the board has such a direction."""
    if wanted.root.kind != "direction":
        return ""
    return next((way for way in _DIRECTIONS.get(word.casefold(), ()) if way in wanted.root.names), "")


def as_number(kind: Type, span: Span, elab: Elaborator | None = None) -> str:
    """How something becomes a number."""
    text = span.one_line
    shown = text if len(text) <= 40 and text else "…"
    match kind:
        case SetOf() if (found := _NUMBERS.fullmatch(text)) is not None:
            return f"write `{found[2]}`: it is counted from 1" if found[1] == "1" else f"`count({text})` is how many"
        case SetOf() | ListOf():
            return f"`count({shown})` gives how many there are"
        case Elem(root=root) if root.kind == "place":
            return f"`count({shown})` gives how many there are"
        case Elem(root=root) if root.kind == "space" and elab is not None:
            beside = f"`step({shown}, …)` is the space beside it in a direction"
            own = [name for name in ("x", "y", "q", "r", "index") if name in root.attributes][:2]
            lies = " and ".join(f"`{shown}.{name}`" for name in own)
            said = f"spaces are not numbers: {lies} say{'' if len(own) > 1 else 's'} where it lies; {beside}"
            return said if own else f"spaces are not numbers: {beside}"
        case Elem(root=root) if root.kind == "player":
            return f"players are not numbers: `next({shown})` is the next one"
        case Elem(root=root) if root.kind in ("piece", "enum", "part"):
            return by_number(kind, text) if len(text) <= 40 else ""
        case BagOf():
            return f"`total({shown})` gives how many there are"
        case Bool():
            return "write `if … then 1 else 0`"
        case TableOf(keys=keys):
            first = keys[0]
            if isinstance(first, Num):
                each = f"write which, as in `{shown}[{first.low}]`"
                return f"there is one for each number: {each}; `reset: {shown}` sets all to what they were at first"
            owner = "me" if isinstance(first, Elem) and first.root.kind == "player" else "x"
            if elab is not None:
                owner = of_one_at_hand(elab, first) or owner
            named = re.fullmatch(r"([^\W\d]\w*)\[.*\]", text)
            if elab is not None and named:  # what comes first was left out
                declared = elab.world.names.get(named[1])
                whose = declared.data.keys[0] if declared is not None and declared.sort == "value" else first
                owner = of_one_at_hand(elab, whose) or owner
            return f"there is one for each: say whose, as in `{owner}.{shown}`"
    return ""


def _is_place(kind: Type) -> bool:
    return isinstance(kind, Elem) and kind.root.kind == "place"


def as_set(kind: Type, span: Span, elab: Elaborator, want: Type | None = None) -> str:
    """How something becomes a set, and of what, where that is known."""
    text = span.one_line
    if isinstance(kind, TableOf) and (right := way_from(elab, kind, want, text)):
        return f"there is one for each: did you mean `{right}`?"
    if found := _OTHER_ROUND.fullmatch(text):
        return f"the numbers from {found[1]} to {found[2]} are `{found[1]}..{found[2]}`"
    if len(text) > 40:
        return ""
    if isinstance(kind, Elem) and kind.root.kind == "player":
        own = [name for name, of in types_of_attributes(kind) if isinstance(of, SetOf) or _is_place(of)]
        if own and len(own) <= 4:
            return f"{did_you_mean([f'{text}.{name}' for name in own])} A set with only this player is `[{text}]`"
    if isinstance(kind, Elem) and kind.root.kind in ("space", "part"):
        return f"`pieces({text})` are what stands on it; a set with only this is `[{text}]`"
    if isinstance(kind, Bool):
        return "name the players or pieces: `me`, `players`, or some of them, as in `set(p in players where …)`"
    if isinstance(kind, Num) and not text.isdigit():
        return f"the numbers up to it are `1..{text}`; those who have the most are `most(p in players by …)`"
    return f"a set with only this is `[{text}]`" if isinstance(kind, Elem | Num) else ""


def as_wanted(have: Type, want: Type, span: Span, elab: Elaborator) -> str:
    """How something becomes what is wanted where it stands; empty if nobody knows."""
    text = span.one_line
    if not text or len(text) > 40:
        return ""
    match want, have:
        case BagOf(root=root), Elem(root=other) if other in (root, root.whole):
            return f"a bag with one of them is `[{text}]`"
        case BagOf(root=root), SetOf(of=Elem(root=other)) | ListOf(of=Elem(root=other)) if other in (root, root.whole):
            return "a bag says how many there are of each, as in `[4 a, b]`, or `amount(a, n)` for n of them"
        case BagOf(root=root), Num(high=0):
            return "an empty bag is `[]`"
        case BagOf(root=root), Num():
            sort = root.names[0]
            return f"say of what, as in `{f'[{text} {sort}]' if text.isdigit() else f'amount({sort}, {text})'}`"
        case Num(), Elem():
            return by_number(have, text)
    if right := way_from(elab, have, want, text):
        each = "there is one for each: " if isinstance(have, TableOf) else ""
        return f"{each}did you mean `{right}`?"
    if isinstance(want, Elem) and want.root is elab.world.players and isinstance(have, Bool):
        return "these players are `set(p in players where …)`, the first of them is `first(p in players where …)`"
    return ""


def way_to(world: World, have: Type, kinds: Iterable[str], span: Span) -> str:
    """`m.point` where a man is written and a space is wanted."""
    text = span.one_line
    if not isinstance(have, Elem) or len(text) > 40:
        return ""
    roots = [root for root in (*world.roots.values(), world.pieces, world.players) if root.kind in kinds]
    roots += [board.root for board in world.boards if board.root.kind in kinds]
    found = [f"`{text}.{name}`" for root in roots for name in attributes_like(have, Elem(root, 0))]
    return f"did you mean {found[0]}?" if found else ""


def by_number(kind: Elem, text: str) -> str:
    """The few attributes of a thing that are numbers, which may be meant where the thing stands for a number."""
    numbers = list(dict.fromkeys(name for name, of in types_of_attributes(kind) if isinstance(of, Num)))
    own = [name for name in numbers if name != "index"] or numbers
    return did_you_mean([f"{text}.{name}" for name in own]) if len(own) <= 3 else ""


def one_of_these(left: E.Expr, word: E.Expr) -> str:
    """`x == red or blue`, `first(…) or 0`: what was meant by a word that is no condition."""
    if isinstance(word, E.Num) and not isinstance(left, E.Binary):
        return f"compare it, as in `x > 0`; a value where there is none is `otherwise {word.span.text}`"
    if isinstance(left, E.Binary) and left.op in ("==", "!=") and isinstance(word, E.Name | E.Num):
        side, first = left.left.span.text, left.right.span.text
        op = "in" if left.op == "==" else "not in"
        return f"did you mean `{side} {op} [{first}, {word.span.text}]`?"
    return ""


__all__ = [
    "NOTHING", "about_attribute", "about_changed", "about_function", "about_name", "about_seers", "about_type",
    "as_number", "as_set", "as_wanted", "by_number", "one_of_these",
]  # fmt: skip
