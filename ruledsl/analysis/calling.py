"""Calls of functions, formulas and code in rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.source.text import Span
from ruledsl.syntax import expr as E
from ruledsl.types import (
    BOOL,
    Broken,
    Code,
    Elem,
    Num,
    SetOf,
    Type,
    join,
)

from .advice import asks_for_place, place_called
from .functions import looked_ahead
from .meant import about_function
from .names import BAD, Typed
from .overset import each_of_them
from .show import concerned, show
from .ways import of_one_at_hand

if TYPE_CHECKING:
    from .elaborate import Elaborator


def _fits(have: Type, want: Type) -> bool:
    return isinstance(have, Broken) or (isinstance(have, Num) and isinstance(want, Num)) or join(have, want) is not None


class Calling:
    """Calls of functions, formulas and code in rows."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab, self.world = elab, elab.world

    def call(self, tree: E.Call, want: Type | None) -> Typed:
        elab = self.elab
        if isinstance(tree.of, E.Attribute):
            return self.call_code(tree, tree.of)
        if not isinstance(tree.of, E.Name):
            word = tree.of.span.text if isinstance(tree.of, E.Literal) else ""  # `none(…)`
            return elab.fail("T218", tree.of.span, "this cannot be called", *about_function(elab, tree, word))
        word = tree.of.name
        declared = self.world.names.get(word)
        if declared is not None and declared.sort == "formula":
            declared.used = True
            return self.call_formula(tree, declared.data)
        builtin = self.world.builtins.get(word)
        if declared is not None and declared.sort in ("effect", "action") and builtin is None:
            return elab.fail(
                "T219",
                tree.span,
                f"`{word}` is an {declared.sort}, which has no value",
                "call it in a block, as a statement of its own",
            )
        if builtin is not None:
            return builtin.call(self.elab, tree, want)
        if declared is not None or elab.local(word) is not None:
            help = self._place(tree)
            sort = declared.sort if declared is not None else ""
            if not help and sort in ("board", "value", "place") and tree.arguments.plain:
                inside = ", ".join(key.span.one_line for key in tree.arguments.plain)
                help = f"say which one in square brackets: `{word}[{inside}]`"
            if not help and (bound := elab.local(word)) is not None and tree.arguments.plain:
                inside = ", ".join(one.span.one_line for one in tree.arguments.plain)
                help = f"to look something up, write `{word}[{inside}]`; use a dot for what it has"
                if isinstance(bound.value.type, Num):
                    help = f"to multiply, write `{word} * ({inside})`"
            return elab.fail("T218", tree.of.span, f"`{word}` is not a function", help or f"write `{word}` alone")
        if self.world.failed(word):
            return BAD
        help, known = about_function(self.elab, tree, word)
        if ahead := looked_ahead(self.world, tree.arguments.plain):
            help, known = ahead, ()
        if place := self._place(tree):
            help, known = place, ()
        help = help or f"a formula of your own is declared under `define:`, as in `{word}(player p): …`"
        return elab.fail("N103", tree.of.span, f"there is no function `{word}`", help, known)

    def _place(self, tree: E.Call) -> str:
        """Advice for who asks a function where a piece lies."""
        plain = tree.arguments.plain
        if not isinstance(tree.of, E.Name) or not asks_for_place(self.world, tree.of.name):
            return ""
        return place_called(self.world, tree, self.elab.expr(plain[0]).type) if len(plain) == 1 else ""

    def call_formula(self, tree: E.Call, formula: Any) -> Typed:
        args = self.arguments(tree, formula.parameters, formula.signature, asks=True)
        return BAD if args is None else self.invoke(formula, args, tree.span)

    def arguments(
        self, tree: E.Call, parameters: list[tuple[str, Type]], signature: str, asks: bool = False
    ) -> tuple[C.Node, ...] | None:
        """The arguments of a declared formula, effect or action, in the order of its parameters."""
        elab = self.elab
        given = tree.arguments
        if given.sources or given.where is not None or given.keys:
            help = f"it is `{signature}`"
            plain, sources = E.opened(given)
            if len(parameters) == 1 and ((len(sources) == 1 and not plain) or (len(plain) == 1 and not sources)):
                over = (sources[0].domain if sources else plain[0]).span.one_line
                one = sources[0].name.name if sources else over[0]
                some = f"{over} where {given.where.span.one_line}" if given.where is not None else over
                help = f"for all of them: `for: {{{one}: {some}}}`, and below it `do: {tree.of.span.one_line}({one})`"
            elab.fail("T220", tree.span, "this takes plain arguments", help)
            return None
        by_name = {name.name: (name, value) for name, value in given.named}
        found: list[tuple[Typed, Type, E.Expr, str]] = []
        plain = list(given.plain)
        ok = True
        for i, (name, kind) in enumerate(parameters):
            if i < len(plain):
                value = plain[i]
            elif name in by_name:
                value = by_name.pop(name)[1]
            else:
                missing, help = self._with_all(tree, parameters) if not given.named else (name, "")
                elab.fail(
                    "T221",
                    tree.span,
                    f"`{missing}` is missing: {_counted(len(parameters), 'argument')} needed, {len(plain)} given",
                    help or f"it is `{signature}`",
                )
                return None
            typed = elab.expr(value, kind)
            ok = ok and not isinstance(typed.type, Broken)
            found.append((typed, kind, value, f"`{name}`"))
        if ok and _turned_round([one[0].type for one in found], [kind for _, kind in parameters]):
            elab.fail("T201", tree.span, "the arguments are not in this order", f"it is `{signature}`")
            return None
        typed, kind, value, role = found[0] if len(found) == len(plain) == 1 else (BAD, BOOL, tree, "")
        if isinstance(typed.type, SetOf) and isinstance(kind, Elem) and join(typed.type.of, kind) is not None:
            help = each_of_them(tree.of.span.one_line, value, asks)
            elab.fail(
                "T201",
                value.span,
                f"{role} must be {show(kind)}, not {show(typed.type)}",
                help,
                about=concerned(kind, typed.type),
            )
            return None
        nodes = [elab.fitting.coerce(typed, kind, value.span, role) for typed, kind, value, role in found]
        if len(plain) > len(parameters):
            last = plain[len(parameters)].span
            help = _decimal(plain[len(parameters) - 1].span, last) if parameters else ""
            help = help or (f"it is `{signature}`" if parameters else f"write `{signature}` alone")
            said = f"{_counted(len(parameters), 'argument')} needed, {len(plain)} given"
            elab.fail("T221", last, said, help, about=(tree.of.span.one_line,))
            return None
        for name, (where, _) in by_name.items():
            known = nearest(name, [p for p, _ in parameters])
            elab.fail(
                "N110",
                where.span,
                f"there is no argument `{name}`",
                did_you_mean(known) or f"it is `{signature}`",
                tuple(known),
            )
            ok = False
        return tuple(nodes) if ok else None

    def whole_call(self, formula: Any) -> str:
        """What to write where a formula is named without its arguments."""
        given = [of_one_at_hand(self.elab, kind) for _, kind in formula.parameters]
        if all(given):
            return f"write `{formula.name}({', '.join(given)})`; it is `{formula.signature}`"
        return f"it is `{formula.signature}`"

    def _with_all(self, tree: E.Call, parameters: list[tuple[str, Type]]) -> tuple[str, str]:
        """The first argument that is missing by the types of those that are given, and the whole call, if what is at
        hand could be meant."""
        elab, given = self.elab, list(tree.arguments.plain)
        missing, whole = list[str](), list[str]()
        for left, (name, kind) in zip(range(len(parameters), 0, -1), parameters, strict=True):
            if given and (left == len(given) or _fits(elab.expr(given[0]).type, kind)):
                whole.append(given.pop(0).span.one_line)
                continue
            missing.append(name)
            whole.append(of_one_at_hand(elab, kind))
        if given or not all(whole):
            return missing[0] if missing else parameters[-1][0], ""
        return missing[0], f"write `{tree.of.span.one_line}({', '.join(whole)})`"

    def invoke(self, formula: Any, args: tuple[C.Node, ...], span: Span) -> Typed:
        result = self.world.making.formula_type(formula, span)
        if isinstance(result, Broken):
            return BAD
        body = formula.code.body
        if isinstance(body, C.Const):
            return Typed(body, result)
        return Typed(C.Invoke(formula.code, args, span), result)

    def _before_arguments(self, tree: E.Call, of: E.Attribute) -> str:
        """For `S.any(…)`, as other languages have it."""
        function, whole = of.name.name, of.of.span.one_line
        given = [one.span.one_line for one in tree.arguments.plain]
        right = f"{function}({', '.join([whole, *given])})"
        if given and "(S)" in self.world.builtins[function].signature:
            right = f"{function}(x in {whole} where …)"
        return f"`{function}` is a function, which stands before its arguments: write `{right}`"

    def call_code(self, tree: E.Call, of: E.Attribute) -> Typed:
        """`card.formula(x)`: code that stands in the row of a table."""
        elab = self.elab
        typed = elab.expr(of.of)
        if isinstance(typed.type, Broken):
            return BAD
        if not isinstance(typed.type, Elem):
            help = self._before_arguments(tree, of) if of.name.name in self.world.builtins else ""
            return elab.fail("T205", of.name.span, f"{show(typed.type)} has no `{of.name.name}`", help)
        attribute = self.code_attribute(typed.type, of.name)
        if attribute is None and of.name.name in self.world.builtins and of.name.name not in typed.type.root.attributes:
            said, _, help = self._before_arguments(tree, of).partition(": ")
            return elab.fail("N122", of.name.span, said, help)
        if attribute is None:
            found = elab.belonging.attribute_of_element(typed, typed.type, of)
            if isinstance(found.type, Broken):
                return BAD
            return elab.fail("T218", of.name.span, f"`{of.name.name}` is {show(found.type)}, not code to be called")
        if attribute.type.kind == "effect":
            return elab.fail(
                "T219",
                tree.span,
                f"`{of.name.name}` is an effect, which has no value",
                "call it in a block, as a statement of its own",
            )
        args = self.arguments(tree, attribute.origin.parameters, attribute.origin.signature)
        return BAD if args is None else self.world.making.call_row_code(self.elab, typed, attribute, args, tree.span)

    def code_attribute(self, kind: Elem, name: E.Name) -> Any:
        """The attribute of this name, if it is code and all these members have it."""
        for attribute in kind.root.attributes.get(name.name, ()):
            if kind.mask & ~attribute.mask == 0 and isinstance(attribute.type, Code):
                return attribute
        return None


def _turned_round(have: list[Type], want: list[Type]) -> bool:
    """Whether two arguments stand in each other's place."""
    wrong = [i for i, (a, b) in enumerate(zip(have, want, strict=True)) if join(a, b) is None]
    return len(wrong) == 2 and all(join(have[i], want[j]) is not None for i, j in (wrong, wrong[::-1]))


def _decimal(before: Span, after: Span) -> str:
    """For `half(n * 0,5)`: a comma with digits close to both sides of it was to be a decimal."""
    text = before.file.text[before.start : after.end]
    found = re.search(r"(\d+),(\d+)$", text)
    if found is None:
        return ""
    return f"`{found[0]}` is read as two arguments: all numbers are whole; half of n is `n / 2`, rounded down"


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
