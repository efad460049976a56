"""`pools:`, tokens that are only counted."""

from __future__ import annotations

import re

from ruledsl.analysis.names import Declared, PoolInfo, ValueInfo
from ruledsl.analysis.show import show
from ruledsl.analysis.world import World
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.source.text import Span
from ruledsl.syntax.shapes import Fields, Form, Key, fields, misspelt, scalars, unknown_key
from ruledsl.types import BagOf, Elem, Num, Root
from ruledsl.types import Broken as BrokenType

from .cells import bag_value
from .shown import WHEN

POOL = Form(
    "a pool",
    {
        "of": Key("word", "The type whose members are the sorts of tokens."),
        "total": Key("any", "How many there are: a number, or a number by sort."),
        "at": Key(
            "map",
            "Who holds them under which word: `{player: purse, all: pot}`.",
            required=True,
            instead="say who holds them, and under which name: `{player: purse}`",
        ),
        "start": Key("map", "What holders have at first, by word.", instead="say who has how many: `{purse: 2}`"),
        "paid": Key("word", "Where paid tokens go, instead of the supply."),
        "seen": Key(
            "any",
            "Who sees what players hold: `all` (the default), `none`, `owner`, `others` (all but owners), or players.",
            tried=("visible", "hidden", "secret", "shown_to"),
        ),
        "show": Key("word", "`some` (the default): where there are any; `always`, `never`.", words=WHEN),
    },
    numbered=True,
    section="pools",
    tried=dict.fromkeys(
        ("player", "players", "for", "each", "holder", "in"), "`at:` says who holds them: write `at: {player: purse}`"
    ),
)


_NO_END = ("unlimited", "infinite", "infinity", "endless", "any", "all", "∞", "inf", "none", "бесконечно")


def declare_pools(world: World) -> None:
    for name, (key, node) in world.sections.named["pools"].items():
        found = fields(_held(world, node), POOL, world.report)
        if found is None:
            continue
        root, mask = None, 1
        if isinstance(sorts := found.get("total"), Map) and not found.node.broken and not found.has("of"):
            _without_sorts(world, sorts, found)
            _unknown_holders(world, name, key, found)
            continue
        if found.has("of"):
            of = found.get("of")
            if of is None:
                continue  # reported; what uses it is silent
            kind = world.written.named_type(found.word("of"), of.span)
            if not isinstance(kind, Elem):
                if not isinstance(kind, BrokenType):
                    world.report.error("T232", of.span, f"tokens are members of a type, not {show(kind)}")
                _unknown_holders(world, name, key, found)
                continue
            root, mask = kind.root, kind.mask
        pool = PoolInfo(name, root, mask, _total(world, found, root), paid=found.word("paid") or None)
        pool.most = max(pool.total) if pool.total else 10**6
        world.pools.append(pool)
        world.declare(name, "pool", key.span, pool)
        _holders(world, pool, found)
        _seen(world, pool, found)
        _paid(world, pool, found)
        _stock(world, pool, found, key)


def _held(world: World, node: Node) -> Node:
    """`per: player` and `at: purse`: who holds them, and under which word."""
    per, at = (node.key("per"), node.get("at")) if isinstance(node, Map) else (None, None)
    if not isinstance(node, Map) or per is None or isinstance(at, Map):
        return node
    who = node.get("per")
    owner = who.value if isinstance(who, Scalar) and who.value.isidentifier() else "player"
    word = at.value if isinstance(at, Scalar) and at.value.isidentifier() else "purse"
    help = f"`at:` says who holds them, and under which word: write `at: {{{owner}: {word}}}`"
    world.report.error("S101", per.span, "a pool has no key `per`", help=help)
    entries = {name: entry for name, entry in node.entries.items() if name not in ("per", "at")}
    place = node.key("at") or word_at("at", per.span)
    inner = Map(per.span, {owner: Entry(word_at(owner, per.span), word_at(word, place.span))}, True)
    return Map(node.span, {**entries, "at": Entry(place, inner)}, node.flow, node.broken)


def _without_sorts(world: World, total: Map, found: Fields) -> None:
    """`total: {wood: 5}` without `of:`: nobody knows what sorts there are."""
    kinds = [one for one in world.names.values() if one.sort == "type" and isinstance(one.data.type, Elem)]
    fit = [one.name for one in kinds if {*total.entries} <= {*one.data.type.root.names}]
    if not misspelt(found.node, "of", POOL):
        help = f"write `of: {fit[0]}`" if fit else "`of:` takes the type whose members are the sorts of tokens"
        world.report.error("S102", total.span, "how many there are of each sort needs `of:` beside it", help=help)


def _unknown_holders(world: World, name: str, key: Scalar, found: Fields) -> None:
    """A pool that cannot be made: its name, and the words under which its tokens lie, are known as broken."""
    world.names.setdefault(name, Declared(name, "broken", key.span, None, True))
    _unknown_words(world, [word.value for entry in found.map("at") or () for word in scalars(entry.value)])


def _unknown_words(world: World, words: list[str]) -> None:
    world.data.setdefault("broken names", set()).update(words)
    world.data.setdefault("broken attributes", set()).update(words)


def _total(world: World, found: Fields, root: Root | None) -> list[int] | None:
    node = found.get("total")
    if node is None:
        return None
    size = root.size if root is not None else 1
    if isinstance(node, Map) and root is not None:
        before = world.report.errors
        total = list(bag_value(world, node, BagOf(root, root.everything, 10**6)))
        lacking = [name for name in root.names if name not in node.entries]
        if lacking and world.report.errors == before and len(lacking) < len(root.names) / 2:
            said = f"`total:` does not say how many there are of {', '.join(f'`{name}`' for name in lacking)}"
            world.report.error("S108", node.span, said, help=f"write `{lacking[0]}: 0` if there are none")
        return total
    if isinstance(node, Seq) and root is not None:
        cells = [item.span.one_line for item in node.items]
        whole = ", ".join(f"{sort}: {cell}" for sort, cell in zip(root.names, cells, strict=False))
        help = f"write `{{{whole}}}`" if len(cells) == len(root.names) else f"as in `{{{root.names[0]}: 5, …}}`"
        world.report.error("S103", node.span, "`total:` is a number, or a map with a number for each sort", help=help)
        return [10**6] * size  # how many is unknown, but that it has an end
    if isinstance(node, Scalar) and node.value.lower() in _NO_END:
        message = f"`total:` is a number, not `{node.value}`"
        world.report.error("S103", node.span, message, help="without `total:` there are as many as are needed")
        return None
    number = world.constant(node, Num(0, 10**6), "`total`")
    return [number] * size if number is not None else None  # what cannot be read has no end


def _holders(world: World, pool: PoolInfo, found: Fields) -> None:
    at = found.map("at")
    pool.unsure = at is None  # that was reported
    world.report.attributes_lost |= pool.unsure
    for entry in at or ():
        owner = entry.key.value
        root, mask = None, 0
        if owner != "all":
            kind = world.written.named_type(owner, entry.key.span)
            if not isinstance(kind, Elem):
                pool.unsure = True
                _unknown_words(world, [word.value for word in scalars(entry.value)])
                continue
            root, mask = kind.root, kind.mask
        for word in scalars(entry.value):
            if not word.value.isidentifier():
                pool.unsure = True
                _unknown_words(world, [*re.findall(r"\w+", word.value)])
                right = "_".join(re.findall(r"\w+", word.value))
                help = f"write `{right}`; `at:` says under which word the tokens of each lie"
                world.report.error("N204", word.span, f"`{word.value}` cannot be a name", help=help)
                continue
            if word.value in pool.holders:
                message = f"tokens of `{pool.name}` lie under `{word.value}` already"
                world.report.error("N203", word.span, message, help="each holder needs a different name")
                continue
            count = root.size if root is not None else 1
            base = world.layout.add(
                word.value,
                count,
                pool.size,
                BagOf(pool.of, pool.mask, pool.most) if pool.of else Num(0, pool.most),
                "pool",
                root,
            )
            pool.holders[word.value] = (owner, base, root)
            world.holders[base] = (pool, root)
            if root is None:
                world.declare(word.value, "holder", word.span, (pool, base, root))
            else:
                sample = world.tokens(pool, base, root, C.Const(0), None)

                def build(node: C.Node, span: Span | None, base: int = base, root: Root = root) -> C.Node:
                    return world.tokens(pool, base, root, node, span).node

                # Whoever reads what a holder has uses the pool.
                origin = world.names.get(pool.name) or Declared(word.value, "holder", word.span, None, True)
                world.attribute(root, word.value, mask, sample.type, build, origin)


def _seen(world: World, pool: PoolInfo, found: Fields) -> None:
    """What players hold may be hidden, like a value of each; what lies on spaces or belongs to all is open."""
    node = found.get("seen")
    if node is None or pool.unsure:
        return
    kind = BagOf(pool.of, pool.mask, pool.most) if pool.of else Num(0, pool.most)
    for word, (_, base, root) in pool.holders.items():
        if root is world.players:
            key = Elem(root, root.everything)
            pool.secrets.append(ValueInfo(word, kind, (key,), base, pool.size, root.size, node))
    if not pool.secrets:
        help = "write `at: {player: purse}` if players hold them"
        message = "only what players hold can be hidden, and nobody holds these tokens"
        world.report.error("T241", node.span, message, help=help)


def _paid(world: World, pool: PoolInfo, found: Fields) -> None:
    """What is paid goes to one of the words under which tokens of the pool lie."""
    node = found.get("paid")
    if node is None or not pool.paid or pool.paid in pool.holders or pool.unsure:
        return
    known = nearest(pool.paid, pool.holders)
    listed = ", ".join(f"`{word}`" for word in pool.holders)
    help = did_you_mean(known) or (f"it lies under {listed}" if listed else "`at:` says where it lies")
    message = f"`{pool.name}` lies nowhere under `{pool.paid}`"
    world.report.error("S105", node.span, message, help=help, suggestions=tuple(known))


def _stock(world: World, pool: PoolInfo, found: Fields, key: Scalar) -> None:
    """What holders have at first; the rest of a limited pool lies in the supply."""
    rest = list(pool.total) if pool.total is not None else None
    for entry in found.map("start") or ():
        holder = pool.holders.get(entry.key.value)
        if holder is None and pool.unsure:
            _unknown_words(world, [entry.key.value])
            continue
        if holder is None:
            unknown_key(entry.key, tuple(pool.holders), f"`start:` of `{pool.name}`", world.report)
            continue
        _, base, root = holder
        if pool.of is not None and isinstance(entry.value, Scalar) and " " in entry.value.value:
            if found_words := re.fullmatch(r"(\d+) (?:of )?(\w+)", entry.value.value):
                right = f"{{{found_words[2]}: {found_words[1]}}}"
                said = "an amount is a map from sorts to numbers"
                world.report.error("T246", entry.value.span, said, help=f"write `{right}`", suggestions=(right,))
                continue
        if pool.of is not None and isinstance(entry.value, Map):
            amount = bag_value(world, entry.value, BagOf(pool.of, pool.mask, pool.most))
        else:
            number = world.constant(entry.value, Num(0, 10**6), "an amount") or 0
            amount = tuple(number if pool.mask >> i & 1 else 0 for i in range(pool.size))
        for owner in range(root.size if root is not None else 1):
            for i, n in enumerate(amount):
                world.template[base + owner * pool.size + i] = n
                if rest is not None:
                    rest[i] -= n
    if rest is not None:
        total = found.get("total")
        if min(rest) < 0 and not (total is not None and world.report.tells_within(total.span)):
            at = found.get("start") or found.get("total")
            span = at.span if at is not None else key.span
            lacking = -min(rest)
            help = f"`total:` must be higher by {lacking}, or less is handed out"
            said = f"more of `{pool.name}` is handed out at the start than there is"
            world.report.error("R310", span, said, help=help)
            rest = [max(0, n) for n in rest]
        pool.supply = world.layout.add(f"supply.{pool.name}", 1, pool.size, None, "pool")
        world.holders[pool.supply] = (pool, None)
        for i, n in enumerate(rest):
            if pool.mask >> i & 1:
                world.template[pool.supply + i] = n
