"""Tokens in statements: how many of which sort, and whose they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.document import Map, Node, Scalar
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.syntax.foreign import number_meant
from ruledsl.types import (
    BagOf,
    Broken,
    Elem,
    Num,
    SetOf,
    Type,
    every,
)

from .names import PoolInfo, Typed
from .prices import ANY, free_names, is_free
from .show import show

if TYPE_CHECKING:
    from .build import Builder


_SUPPLY = ("supply", "bank", "stock", "store")  # where tokens are that nobody has
_IN_WORDS = re.compile(r"(\d+|[^\W\d]\w*)\s+(?:of\s+)?(?:any\s+)?([^\W\d]\w*)")  # `2 gold`, `2 any basic`


def _not_a_sort(word: str) -> str:
    """For `{any: 1, of: [x, y]}` and `{coin: 1, from: pot}`: words that are no sorts of tokens."""
    if word in ("of", "or", "among"):
        some = "to group several sorts, declare a type, as in `coin: {some: token, where: this != gem}`"
        return f"{some}, and then `any coin: 1` means one of any of them"
    if word in ("from", "to", "less", "least", "after", "by"):
        return f"`{word}:` goes next to the amounts, not among them: on its own line, in the same column"
    return ""


class Tokens:
    """Tokens in statements: how many of which sort, and whose they are."""

    def __init__(self, b: Builder) -> None:
        self.b, self.world, self.report, self.elab = b, b.world, b.report, b.elab

    def amounts(self, node: Node | None, hint: PoolInfo | None) -> list[tuple[PoolInfo, Typed]]:
        """`{gold: 1, wood: 2}`, or an expression for a bag: what of which pool. It may be a price."""
        if isinstance(node, Map):
            return self.amounts_of_map(node, hint)
        if (
            isinstance(node, Scalar)
            and (found := _IN_WORDS.fullmatch(node.value.strip()))
            and (found[1].isdigit() or (self._is_sort(found[2].removesuffix("s")) and self._is_number(found[1])))
        ):
            many = number_meant(found[1])
            sorts = [word for pool in self.world.pools for word in (pool.of.names if pool.of else [pool.name])]
            roots = [pool.of for pool in self.world.pools if pool.of is not None]
            declared = self.world.names.get(found[2])
            several = (
                declared is not None
                and declared.sort == "type"
                and any(
                    getattr(declared.data.type, "root", None) in (root, root.whole)
                    or declared.name == root.name
                    or getattr(getattr(declared.data.type, "root", None), "whole", None) is root
                    for root in roots
                )
            )
            sort = found[2] if self._is_sort(found[2]) else next(iter(nearest(found[2], sorts)), found[2])
            sort = f"{ANY} {found[2]}" if several else sort
            right = f"{{{sort}: {found[1] if many is None else many}}}"
            said = "an amount is a map from sorts to numbers, or an expression that gives a bag"
            self.report.error("T246", node.span, said, help=f"write `{right}`", suggestions=(right,))
            return []
        tree = self.elab.read(node)
        if isinstance(tree, E.Items) and tree.items:  # `[gold]`: what is listed is an amount here
            tree = E.bag(tree.span, [E.amount(item.span, item) for item in tree.items])
        if isinstance(tree, E.Name) and (of := self._any_of(tree.name)):  # `gain: any wood`
            help = f"write how many, as in `{{{ANY} {of}: 1}}`"
            self.report.error("T246", tree.span, f"`{tree.name}` does not say how many", help=help)
            return []
        want = BagOf(hint.of, hint.mask, hint.most) if hint is not None and hint.of is not None else None
        typed = self.elab.expr(tree, want)
        if isinstance(typed.type, Broken):
            return []
        if isinstance(typed.type, BagOf):
            pool = self.pool_of(typed.type, hint, tree.span)
            return [(pool, typed)] if pool is not None else []
        if isinstance(typed.type, Num) and hint is not None and hint.of is None:
            number = self.elab.fitting.coerce(typed, Num(0, hint.most), tree.span, "the amount")
            return [(hint, Typed(self.elab.op("make", (number,)), Num(0, hint.most)))]
        sorts = [p.name for p in self.world.pools if p.of is None] or [p.of.names[0] for p in self.world.pools if p.of]
        text = tree.span.one_line
        sort = sorts[0] if sorts else "gold"
        help = f"say of what: write `{{{sort}: {text}}}`" if len(text) <= 40 else "write `{sort: number}`"
        if self._is_sort(text) or text.split()[:1] == [ANY]:
            help = f"write how many, as in `{{{text}: 1}}`"
        elif isinstance(typed.type, Elem):
            help = f"say how many: `amount({text}, 1)`"
        self.report.error("T246", tree.span, f"an amount is a bag, not {show(typed.type)}", help=help)
        return []

    def _any_of(self, word: str) -> str:
        """The type that `any good` means, or may mean; empty of another word."""
        part = word.removeprefix(f"{ANY} ")
        types = [d.name for d in self.world.names.values() if d.sort == "type" and isinstance(d.data.type, Elem)]
        return "" if part == word else part if part in types else next(iter(nearest(part, types)), "")

    def _is_number(self, word: str) -> bool:
        return number_meant(word) is not None or (word not in (ANY, "a", "an") and self.elab.is_known(word))

    def _is_sort(self, word: str) -> bool:
        return any(
            word in (pool.name, pool.name.removesuffix("s")) or (pool.of is not None and word in pool.of.names)
            for pool in self.world.pools
        )

    def pool_of(self, kind: BagOf, hint: PoolInfo | None, span: Span) -> PoolInfo | None:
        root = kind.root.whole or kind.root
        if hint is not None and hint.of is root:
            return hint
        found = [p for p in self.world.pools if p.of is root]
        if len(found) == 1:
            self.world.names[found[0].name].used = True
            return found[0]
        names = ", ".join(f"`{p.name}`" for p in found)
        self.report.error(
            "T247",
            span,
            f"tokens of {root.name} are in several pools: {names}" if found else f"no pool has {root.name}",
            help="write `from:` and `to:`" if found else "declare one under `pools:`",
        )
        return None

    def amounts_of_map(self, node: Map, hint: PoolInfo | None) -> list[tuple[PoolInfo, Typed]]:
        found: dict[str, tuple[PoolInfo, Typed]] = {}
        if not node.entries and not node.broken:
            self.world.idle(node.span, "this lists no tokens, so nothing happens")
        for entry in node:
            declared = self.world.names.get(entry.key.value)
            if declared is not None and declared.sort == "pool" and declared.data.of is None:
                declared.used = True
                pool: PoolInfo = declared.data
                number = self.amount(entry.value, max(pool.most, 10**6)).node
                found[pool.name] = (pool, Typed(self.elab.op("make", (number,)), Num(0, pool.most)))
                continue
            roots = (
                [hint.of]
                if hint is not None and hint.of is not None
                else [p.of for p in self.world.pools if p.of is not None]
            )
            if entry.key.as_int() is not None and isinstance(entry.value, Scalar):
                right = f"{entry.value.value}: {entry.key.value}"
                said = "write the sort of token first, then how many"
                self.report.error("T246", entry.key.span, said, help=f"write `{right}`")
                continue
            key = self.token(entry.key, roots)
            if key is None:
                continue
            kind = key.type
            assert isinstance(kind, Elem)
            pool_found = self.pool_of(BagOf(kind.root, kind.mask, 1), hint, entry.key.span)
            if pool_found is None:
                continue
            number_of = self.amount(entry.value, 10**6)
            assert isinstance(number_of.type, Num)
            bag = Typed(
                self.elab.op("bag_of", (key.node, number_of.node, C.Const(kind.root.size))),
                BagOf(kind.root, kind.mask, max(0, number_of.type.high)),
            )
            old = found.get(pool_found.name)
            found[pool_found.name] = (pool_found, self.elab.calculating.bags_together(old[1], bag) if old else bag)
        return list(found.values())

    def amount(self, node: Node, most: int) -> Typed:
        """How many tokens of one sort."""
        tree = self.elab.read(node)
        typed = self.elab.expr(tree, Num(0, most))
        high = min(most, typed.type.high) if isinstance(typed.type, Num) else most
        number = Typed(self.elab.fitting.coerce(typed, Num(0, most), tree.span, "the amount"), Num(0, max(0, high)))
        if isinstance(node, Scalar) and node.as_int() == 0:
            self.world.idle(node.span, "this is always 0, so nothing happens")
        return number

    def token(self, key: Scalar, roots: list[Any]) -> Typed | None:
        """A sort of token: a word of the pool's type, or an expression that gives one."""
        tree = self.elab.read(key)
        if isinstance(tree, E.Name) and self.elab.local(tree.name) is None:
            if is_free(tree.name):
                return self.free_token(tree, roots)
            for root in roots:
                number = self.world.member_number(root, tree.name)
                if number is not None:
                    self.world.use_member(root, number)
                    return Typed(C.Const(number), Elem(root, 1 << number))
            if self.world.failed(tree.name):
                return None
            if tree.name not in self.world.names:
                words = [word for root in roots for word in (*root.names, *free_names(root))] + [
                    p.name for p in self.world.pools if p.of is None
                ]
                pool = next((p for p in self.world.pools if tree.name in p.holders and p.of is None), None)
                known = [pool.name] if pool is not None else nearest(tree.name, words)
                if advice := _not_a_sort(tree.name):
                    self.report.error("N115", key.span, f"there are no tokens `{tree.name}`", help=advice)
                    return None
                self.report.error(
                    "N115",
                    key.span,
                    f"there are no tokens `{tree.name}`",
                    help=did_you_mean(known) or f"there are {', '.join(f'`{word}`' for word in words[:12])}",
                    suggestions=tuple(known),
                )
                return None
        if isinstance(tree, E.Binary) and tree.op in ("or", "/", "and", "+") and (some := self._sorts_in(tree, roots)):
            self._either(key, tree, roots, some)
            return None
        typed = self.elab.expr(tree)
        if isinstance(typed.type, Broken):
            return None
        if isinstance(typed.type, SetOf) and isinstance(tree, E.Name):
            help, meant = f"write `{ANY} {tree.name}` for any of them", (f"{ANY} {tree.name}",)
            self.report.error("T246", key.span, f"`{tree.name}` stands for several sorts", help=help, suggestions=meant)
            return None
        if not isinstance(typed.type, Elem) or typed.type.root not in roots:
            self.report.error("T246", key.span, f"a sort of token must be here, not {show(typed.type)}")
            return None
        return Typed(
            self.elab.fitting.coerce(typed, Elem(typed.type.root, typed.type.mask), key.span, "the sort of token"),
            typed.type,
        )

    def _sorts_in(self, tree: E.Expr, roots: list[Any]) -> list[str]:
        """The sorts that are joined by an operator, as in `clay or wood`; none if there is anything else."""
        if isinstance(tree, E.Binary):
            sides = [self._sorts_in(side, roots) for side in (tree.left, tree.right)]
            return [*sides[0], *sides[1]] if all(sides) else []
        known = isinstance(tree, E.Name) and any(
            self.world.member_number(root, tree.name) is not None for root in roots
        )
        return [tree.name] if isinstance(tree, E.Name) and known else []

    def _either(self, key: Scalar, tree: E.Binary, roots: list[Any], some: list[str]) -> None:
        """`{clay or wood: 1}` and `{clay and wood: 1}`: a part of the type, or an amount for each."""
        if tree.op in ("and", "+"):
            help = f"write an amount for each: `{{{', '.join(f'{word}: 1' for word in some)}}}`"
        else:
            whole = (roots[0].whole or roots[0]).name
            part = f'`these: {{some: {whole}, where: "this in [{", ".join(some)}]"}}`'
            help = f"group them in a type, under `types:`: {part}; then write `{ANY} these: …`"
        self.report.error("T246", key.span, "an amount is of one sort, or of `any` of a part of a type", help=help)

    def free_token(self, tree: E.Name, roots: list[Any]) -> Typed | None:
        """`any`, or `any basic`: what any of several sorts pays."""
        several = tree.name == ANY and len(set(map(id, roots))) > 1
        found = None if several or not roots else self.elab.expr(tree, every(roots[0]))
        if several or found is None:
            names = ", ".join(f"`{ANY} {root.name}`" for root in roots)
            help = f"write one of {names}" if roots else "a pool `of:` a type has several sorts"
            self.report.error("T246", tree.span, "it is not clear which sorts are meant", help=help)
            return None
        if isinstance(found.type, Elem) and found.type.root.whole not in roots:
            said = f"no tokens are of type `{tree.name.removeprefix(ANY).strip()}`"
            self.report.error("T246", tree.span, said)
            return None
        return None if isinstance(found.type, Broken) else found

    def holder(self, node: Node | None) -> tuple[PoolInfo, int, C.Node | None] | None:
        """Who has tokens: `me.purse`, `pot`, `supply.gold`."""
        if node is None:
            return None
        tree = self.elab.read(node)
        if isinstance(tree, E.Name) and tree.name in _SUPPLY and not self.elab.is_known(tree.name):
            said = "tokens go to the supply and come from it by default"
            help = "remove this line: what is paid goes to the supply, what is gained comes from it"
            self.report.error("T248", tree.span, said, help=help)
            return None
        typed = self.elab.expr(tree)
        if isinstance(typed.type, Broken):
            return None
        found = typed.node
        base = found.slot if isinstance(found, C.Get) else found.base if isinstance(found, C.Cell | C.Several) else None
        if base in self.world.holders:
            return self.world.holders[base][0], base, getattr(found, "index", None)
        if isinstance(found, C.Get):  # a number token of a fixed owner, as in `white.purse`
            for first, (pool, root) in self.world.holders.items():
                if pool.of is None and root is not None and first <= found.slot < first + root.size:
                    return pool, first, C.Const(found.slot - first)
        self.report.error(
            "T248",
            tree.span,
            f"this cannot hold tokens: it is {show(typed.type)}",
            help=self._holders(typed.type, tree) or "`at:` of a pool declares who holds its tokens",
        )
        return None

    def _holders(self, kind: Type, tree: E.Expr) -> str:
        """For `to: p`: the words under which a player has tokens."""
        if isinstance(kind, BagOf) and isinstance(tree, E.Binary) and tree.op == "+":
            sides = ", ".join(side.span.one_line for side in (tree.left, tree.right))
            return f"write several payers as a list: `[{sides}]`"
        if not isinstance(kind, Elem):
            return ""
        words = [w for pool in self.world.pools for w, (_, _, root) in pool.holders.items() if root is kind.root]
        return did_you_mean([f"{tree.span.one_line}.{word}" for word in words[:3]])

    def own_holder(self, pool: PoolInfo, span: Span) -> tuple[PoolInfo, int, C.Node | None] | None:
        """My own tokens of a pool: under the first word that players have."""
        for owner, base, root in pool.holders.values():
            if owner == "player" or (root is not None and root is self.world.players):
                me = self.elab.special("me", span)
                assert me is not None
                return pool, base, me.node
        if not pool.unsure:
            with self.report.one_slip(("holder", pool.name)):
                help = "write `from:` and `to:`; or let every player hold some with `at: {player: …}` in the pool"
                self.report.error("T249", span, f"no player holds `{pool.name}`", help=help)
        return None
