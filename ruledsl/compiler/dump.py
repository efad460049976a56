"""Every form that a game goes through, as text: what was read, what is in force, boards, types, layout, program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ruledsl.analysis.compile import GameWorld
from ruledsl.analysis.show import show
from ruledsl.boards.base import OFF
from ruledsl.compiler.pipeline import Blueprint
from ruledsl.generate.passes import NONE_OFF, Off
from ruledsl.ir.core import Program
from ruledsl.ir.dump import dump as program_text
from ruledsl.ir.dump import dump_layout
from ruledsl.source.document import Map, Node, Scalar, Seq
from ruledsl.syntax import expr as E
from ruledsl.types import Root


def document(blueprint: Blueprint) -> str:
    """The files as read: every key and value with its line."""
    lines = []
    for part in blueprint.source.parts:
        lines.append(f"{part.node.span.file.path}")
        lines += _tree(part.node, "")
    return "\n".join(lines) + "\n"


def _tree(node: Node, indent: str) -> Iterator[str]:
    if isinstance(node, Map):
        for entry in node:
            yield from _item(entry.key.value + ":", entry.key.span.line, entry.value, indent)
    elif isinstance(node, Seq):
        for item in node.items:
            yield from _item("-", item.span.line, item, indent)


def _item(head: str, line: int, node: Node, indent: str) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield f"{line:>5}  {indent}{head} {'' if node.is_null else repr(node.value)}".rstrip()
    else:
        yield f"{line:>5}  {indent}{head}"
        yield from _tree(node, indent + "  ")


# ------------------------------------------------------------------------------------------- declarations


def declarations(world: GameWorld) -> str:
    """What is in force, modules merged: every name with its place, and the expressions in it fully bracketed."""
    lines: list[str] = []
    trees = sorted(
        ((node.span, tree) for node, tree in world.source.expressions().items()),
        key=lambda found: found[0].start,
    )
    for section, declared in world.sections.named.items():
        if declared:
            lines.append(section)
        for name, (key, node) in declared.items():
            lines.append(f"  {name}  # {key.span.file.path}:{key.span.line}")
            lines += _expressions(node, trees)
    blocks = [("setup", world.sections.setup), ("play", world.sections.play)]
    for name, nodes in [*blocks, *world.sections.more_play.items()]:
        for node in nodes:
            lines.append(f"{name}  # {node.span.file.path}:{node.span.line}")
            lines += _expressions(node, trees)
    return "\n".join(lines) + "\n"


def _expressions(node: Node, trees: list[tuple[Any, Any]]) -> Iterator[str]:
    for span, tree in trees:
        if span.file is node.span.file and node.span.start <= span.start and span.end <= node.span.end:
            yield f"{span.line:>7}  {written(tree)}"


def written(tree: Any) -> str:
    """An expression with all its brackets, so that one sees how it was read."""
    match tree:
        case E.Num(value=value):
            return str(value)
        case E.Name(name=name):
            return name
        case E.Literal(value=value):
            return "none" if value is None else str(value).lower()
        case E.Items(items=items):
            return f"[{', '.join(map(written, items))}]"
        case E.Attribute(of=of, name=name):
            return f"{written(of)}.{name.name}"
        case E.Index(of=of, keys=keys):
            return f"{written(of)}[{', '.join(map(written, keys))}]"
        case E.Call(of=of, arguments=arguments):
            return f"{written(of)}({_arguments(arguments)})"
        case E.Unary(op=op, of=of):
            return f"({op} {written(of)})" if op.isalpha() else f"({op}{written(of)})"
        case E.Binary(op=op, left=left, right=right):
            return f"({written(left)} {op} {written(right)})"
        case E.If(condition=condition, then=then, otherwise=otherwise):
            return f"(if {written(condition)} then {written(then)} else {written(otherwise)})"
        case E.Domain(of=of, where=where, count=count):
            number = f"{written(count)} of " if count is not None else ""
            return number + written(of) + (f" where {written(where)}" if where is not None else "")
    return "?"


def _arguments(arguments: E.Arguments) -> str:
    parts = [*map(written, arguments.plain), *(f"{n.name}={written(e)}" for n, e in arguments.named)]
    text = ", ".join(parts)
    for source in arguments.sources:
        text += f"{' ' if text else ''}for {source.name.name} in {written(source.domain)}"
    if arguments.where is not None:
        text += f" where {written(arguments.where)}"
    if arguments.keys:
        text += f" by {', '.join(map(written, arguments.keys))}"
    return text


# ------------------------------------------------------------------------------------------------- boards


def boards(world: GameWorld) -> str:
    """Every board as a graph: its spaces with coordinates, and where each direction leads."""
    lines: list[str] = []
    for info in world.boards:
        board = info.board
        copies = f", one for each of {info.copies} players" if info.copies > 1 else ""
        lines.append(f"{info.name}: {board.shape}, {len(board)} spaces called {info.word}{copies}")
        if board.directions:
            lines.append(f"  directions: {', '.join(board.directions)}")
        for space, name in enumerate(board.spaces):
            place = " ".join(f"{axis}={values[space]}" for axis, values in board.coordinates.items())
            steps = [f"{d}→{board.spaces[to]}" for d in board.directions if (to := board.steps[d][space]) != OFF]
            steps += [f"→{board.spaces[e.end]}" for e in board.edges if e.start == space and e.label is None]
            lines.append(f"  {name}  {place}  {' '.join(steps)}".rstrip())
    return "\n".join(lines or ["no board"]) + "\n"


# -------------------------------------------------------------------------------------------------- types


def types(world: GameWorld) -> str:
    """The type of everything that has a name."""
    lines: list[str] = []
    enumerations = [root for root in world.roots.values() if root.kind in ("enum", "direction", "player")]
    lines += [f"{root.name}: {', '.join(map(str, root.names))}" for root in enumerations]
    _section(lines, "options", {name: show(kind) for name, (kind, _) in world.options.items()})
    for root in world.roots.values():
        _section(lines, f"every {root.name}", _attributes(root))
    _section(lines, "values", {v.name: show(v.type) + _by(v.keys) for v in world.values})
    _section(lines, "formulas", {f.signature: show(f.type) for f in world.formulas if f.state == "done"})
    for sort in ("effect", "action"):
        made = {p.signature: _parameters(p.parameters) for p in world.procedures.values() if p.sort == sort}
        _section(lines, f"{sort}s", made)
    return "\n".join(lines) + "\n"


def _section(lines: list[str], title: str, found: dict[str, str]) -> None:
    if found:
        lines.append(f"\n{title}")
        lines += [f"  {name}: {kind}" if kind else f"  {name}" for name, kind in found.items()]


def _attributes(root: Root) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, several in root.attributes.items():
        found[name] = "; or ".join(dict.fromkeys(show(attribute.type) for attribute in several))
    return found


def _by(keys: tuple[Any, ...]) -> str:
    return f" by {', '.join(show(key) for key in keys)}" if keys else ""


def _parameters(parameters: list[tuple[str, Any]]) -> str:
    return ", ".join(f"{name} is {show(kind)}" for name, kind in parameters)


# ------------------------------------------------------------------------------------------------ stages

STAGES: dict[str, Callable[[Blueprint, GameWorld, Program], str]] = {
    "document": lambda blueprint, world, program: document(blueprint),
    "declarations": lambda blueprint, world, program: declarations(world),
    "board": lambda blueprint, world, program: boards(world),
    "types": lambda blueprint, world, program: types(world),
    "layout": lambda blueprint, world, program: dump_layout(program),
    "ir": lambda blueprint, world, program: program_text(program),
    "program": lambda blueprint, world, program: program_text(program),
    "python": lambda blueprint, world, program: generated("python", program),
    "plays": lambda blueprint, world, program: generated("plays", program),
    "c": lambda blueprint, world, program: generated("c", program),
}


def generated(language: str, program: Program, without: Off = NONE_OFF) -> str:
    """The program as source code, perhaps without some passes; what writes it is loaded only here."""
    if language == "c":
        from ruledsl.generate.c_program import to_c

        return to_c(program, without)
    if language == "plays":
        from ruledsl.generate.python_plays import PlaysProgram

        return PlaysProgram(program, without).whole()
    from ruledsl.generate.python_program import to_python

    return to_python(program, without)


__all__ = ["STAGES", "generated", "written"]
