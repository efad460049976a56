"""`board:` and `boards:`, spaces and what they have."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from ruledsl.analysis.names import BoardInfo, Typed
from ruledsl.analysis.world import MOST_SPACES, World
from ruledsl.boards.base import SHAPES, Board, BoardError, Parameter, Shape, check_graph, row_name
from ruledsl.diagnostics.model import GameError
from ruledsl.diagnostics.suggest import did_you_mean, nearest
from ruledsl.ir import core as C
from ruledsl.registry import import_all
from ruledsl.source.document import Broken, Entry, Map, Node, Scalar, Seq, word_at
from ruledsl.source.text import Span
from ruledsl.syntax.foreign import CHOICES, number_meant, truth_meant
from ruledsl.syntax.mending import is_absent
from ruledsl.syntax.shapes import Fields, Form, Key, fields, scalars, shape_of, unknown_key
from ruledsl.types import Num, Root, SetOf, every

from .attributes import add_attributes, add_state
from .edges import look_over_labels
from .fixed import condition_on, fixed
from .geometry import add_directions, add_geometry
from .growing import window_of
from .rows import Row, rows_of, with_columns
from .sized import sized
from .titles import title_spaces
from .types import sound_name
from .ways import add_what_ways_have, graph_of, graph_parameter

import_all("ruledsl.boards")

_SHAPE_KEYS = {
    shape.key: Key("any", shape.doc.split("\n")[0], inner=tuple(shape.parameters) if shape.nested else ())
    for shape in SHAPES.values()
} | {
    name: Key("any", parameter.doc, tried=shape.tried if name == shape.key else ())
    for shape in SHAPES.values()
    if not shape.nested
    for name, parameter in shape.parameters.items()
}

BOARD = Form(
    "a board",
    {
        **_SHAPE_KEYS,
        "space": Key("word", "The word for one of its spaces (default: `space`)."),
        "holds": Key("any", "How many pieces a space holds: 1, or `any`."),
        "per": Key("word", "`player`: every player has such a board.", words=("player",)),
        "only": Key("scalar", "Which spaces exist, as a condition on `this`."),
        "attributes": Key("map", "What every space has, from the table."),
        "state": Key("map", "What changes at every space."),
        "show": Key(
            "shown", "What pictures show of each space, as signs: attributes by name, or formulas about `this`."
        ),
        "boxes": Key("truth", "Whether spaces are drawn as boxes that tell in words what is there."),
        "title": Key("text", "What players call its spaces, with expressions about `this` space inside."),
        "from": Key("table", "A table with the attributes of the spaces."),
        "one_way": Key("truth", "Whether one-way edges are meant."),
        "apart": Key("truth", "Whether separate parts are meant."),
        "drawn_on": Key("word", "The board in whose picture this one is drawn, by `x` and `y` of both."),
    },
    several="boards",
    own="attributes",
    section="boards",
)


def declare_boards(world: World) -> None:
    made: list[tuple[BoardInfo, Fields, list[Row]]] = []
    written = {name: (key, _as_edges(world, node)) for name, (key, node) in world.sections.named["boards"].items()}
    declared = sorted(written.items(), key=lambda item: _is_of_another(item[1][1]))
    for name, (key, node) in declared:
        found = fields(sized(node, world.report), BOARD, world.report)
        if found is None:
            continue
        before = world.report.errors
        board = _shape(world, name, key, found)
        if world.report.errors > before and "growing" in found.node.span.text:
            world.data.setdefault("lost frontiers", set()).add(name)
        if board is None:
            world.data["unfit"] = True  # nothing can stand in for it
        else:
            made.append((_board(world, name, key, found, board), found, _board_rows(world, found)))
    add_directions(world, [info for info, _, _ in made])
    for info, _, _ in made:
        add_geometry(world, info)
    for info, found, _ in made:
        _find_sheet(world, info, found)
    for info, found, rows in made:
        world.data.setdefault("later", []).append(_later_board(world, info, found, rows))


def _as_edges(world: World, node: Node) -> Node:
    """`edges: coast`, `on: coast`: a board of the edges of another, read as it was meant."""
    if not isinstance(node, Map) or any(shape.key in node.entries for shape in SHAPES.values()):
        return node
    for word in ("edges", "on", "over", "joins"):
        entry = node.entries.get(word)
        if entry is None or not isinstance(entry.value, Scalar):
            continue
        if entry.value.value in world.sections.named["boards"]:
            said = "a board made of another board's edges uses `edges_of:`"
            help = f"write `edges_of: {entry.value.value}`"
            world.report.error("B217", entry.key.span, said, help=help, suggestions=("edges_of",))
            rest = {name: one for name, one in node.entries.items() if name != word}
            meant = Entry(word_at("edges_of", entry.key.span), entry.value)
            return Map(node.span, {"edges_of": meant, **rest}, node.flow, node.broken)
    return node


def _find_sheet(world: World, info: BoardInfo, found: Fields) -> None:
    """The board in whose picture another is drawn; both say where their spaces lie."""
    node = found.get("drawn_on")
    if not isinstance(node, Scalar):
        return
    other = next((board for board in world.boards if board.name == node.value), None)
    if other is None or other is info:
        fit = [board.name for board in world.boards if board is not info and board.board.positions]
        said = f"there is no other board `{node.value}`"
        world.report.error("B203", node.span, said, suggestions=tuple(nearest(node.value, fit)))
    elif not (info.board.positions and other.board.positions and info.board.outline == other.board.outline == "circle"):
        said = "boards that share a picture must have `x` and `y` for all their spaces"
        world.report.error("B203", node.span, said, help="write `x` and `y` for all spaces of both")
    elif other.copies != info.copies or found.has("edges_of"):
        world.report.error("B203", node.span, f"`{info.name}` and `{other.name}` do not belong to the same players")
    else:
        info.drawn_on = other


def _is_of_another(node: Node) -> bool:
    """Whether a board is made from another, which comes first."""
    return isinstance(node, Map) and any(shape.of_another and node.get(shape.key) for shape in SHAPES.values())


def _later_board(world: World, info: BoardInfo, found: Fields, rows: list[Row]) -> Callable[[], None]:
    def later() -> None:
        by_space: dict[int, Row] = {}
        stand_in = info.name in world.data.get("stand-ins", ())
        for at, row in enumerate(rows):
            # A board in place of one with a mistake has other spaces: its rows are read, and lie anywhere.
            space = at % info.spaces if stand_in else info.board.locate(row.raw())
            if space is None:
                if row.node is not None and row.node not in world.data.get("rows left out", ()):
                    world.report.error("B204", row.node.span, f"`{info.name}` has no space for this row")
                continue
            for copy in range(info.copies):
                here = copy * info.spaces + space
                by_space[here] = by_space[here].merged(row) if here in by_space else row
        if found.map("attributes") is not None:
            attributes = add_what_ways_have(world, info, found, by_space)
            left = next(iter(by_space.values()), Row.of(None)) if stand_in else Row.of(None)
            everywhere = {space: by_space.get(space, left) for space in range(info.root.size)}
            add_attributes(world, every(info.root), attributes, everywhere, info.word)
        add_state(world, every(info.root), found.map("state"), {}, info.word)
        if found.has("title"):
            title_spaces(world, info.root, found.get("title"))

    return later


def _shape(world: World, name: str, key: Scalar, found: Fields) -> Board | None:
    shapes = [shape for shape in SHAPES.values() if found.has(shape.key)]
    if _edges_misplaced(world, name, shapes, found):
        return _stand_in(world, name, shapes[0] if shapes else SHAPES["grid"], {})
    if not shapes and any(entry.key.value in shape.tried for entry in found.node for shape in SHAPES.values()):
        return _stand_in(world, name, SHAPES["grid"], {})  # what is to be written is said already
    if len(shapes) != 1:
        words = ", ".join(f"`{shape.key}:`" for shape in SHAPES.values())
        message = f"the board `{name}` has no shape" if not shapes else f"the board `{name}` has several shapes"
        if not found.node.broken:
            world.report.error("B201", key.span, message, help=f"give it one of {words}")
        _lose_names(world, found)
        return _stand_in(world, name, SHAPES["grid"], {}) if not found.node.broken else None
    shape = shapes[0]
    written = found.get(shape.key)
    source = written if shape.nested else found.node
    if not isinstance(source, Map):
        if not isinstance(source, Broken):
            return _not_a_map(world, name, shape, written.span if isinstance(written, Scalar | Seq) else key.span)
        return None
    tell = partial(_impossible, world, shape, source, found.node.key(shape.key) or key)
    before = world.report.errors
    parameters = _parameters(world, shape, source, found)
    if not shape.nested:
        found.asked |= set(shape.parameters)
    unread = any(name in source.entries and name not in parameters for name in shape.parameters)
    if world.report.errors > (0 if unread else before):  # what it asks for may have failed where it is declared
        return _without_rows(world, shape, parameters, tell) or _stand_in(world, name, shape, parameters)
    if parameters.get("growing") is True and "radius" not in parameters:
        touching = parameters.get("touching", 1)
        parameters["radius"] = window_of(world, name, touching if isinstance(touching, int) else 1, shape)
    if isinstance(spaces := parameters.get("spaces"), list):
        _at_one_place(world, name, spaces)
    try:
        board = shape.make(parameters)
        if (only := found.get("only")) is not None:
            whole, board = board, shape.make(parameters, _only(world, only, shape.coordinates))
            if len(whole.spaces) == len(board.spaces):
                world.idle(only.span, "this leaves out no space")
        if (skip := source.get("skip")) is not None and "skip" in parameters and found.get("only") is None:
            unskipped = {name: value for name, value in parameters.items() if name != "skip"}
            if shape.make(unskipped).spaces == board.spaces:
                world.idle(skip.span, "the board is not so wide that it has this letter")
        return board
    except BoardError as problem:
        tell(problem)
        return _without_rows(world, shape, parameters, tell) or _stand_in(world, name, shape, parameters)


def _at_one_place(world: World, name: str, spaces: list[dict[str, object]]) -> None:
    """Spaces of a table that lie on each other: one of them was copied and not changed."""
    first: dict[tuple[object, object], dict[str, object]] = {}
    rows = world.data.get("raw rows", {})
    for raw in spaces:
        if raw.get("x") is None or raw.get("y") is None:
            continue
        other = first.setdefault((raw["x"], raw["y"]), raw)
        row, before = rows.get(id(raw)), rows.get(id(other))
        if other is raw or row is None or before is None:
            continue
        said = f"this space of `{name}` lies where `{row_name(other)}` lies, so only one of them can be seen"
        notes = ((before.node.span, "this has the same `x` and `y`"),) if before.node is not None else ()
        world.report.warn("L550", row.keys["x"].span, said, notes=notes, help="correct its `x` and `y`")


def _not_a_map(world: World, name: str, shape: Shape, span: Span) -> Board | None:
    """`grid: 9x9`: what stands in place of the map of a shape."""
    help, meant = "it takes " + ", ".join(f"`{n}`" for n in shape.parameters), dict[str, object]()
    if span.text in shape.parameters:
        help = f"write `{shape.key}: {{{span.text}: …}}`"
    sides = re.search(r"(\d{1,3})\D+(\d{1,3})", span.text)
    if sides and {"width", "height"} <= set(shape.parameters):
        help = f"write `{shape.key}: {{width: {sides[1]}, height: {sides[2]}}}`"
        meant = {"width": int(sides[1]), "height": int(sides[2])}
    world.report.error("B202", span, f"`{shape.key}:` must be a map", help=help)
    return _stand_in(world, name, shape, meant)


def _edges_misplaced(world: World, name: str, shapes: list[Shape], found: Fields) -> bool:
    """Whether `edges:` says of a board what a board of edges says of itself; then that is told."""
    written, key = found.get("edges"), found.node.key("edges")
    table = any("edges" in shape.parameters for shape in shapes)
    if key is None or isinstance(written, Seq | Broken) or (table and not isinstance(written, Map)):
        return False
    said = "edges with state or pieces need a board of their own"
    help = f"write `borders: {{edges_of: {name}, space: border, state: {{…}}}}` beside `{name}`, under `boards:`"
    if isinstance(written, Scalar):
        if not shapes and any(board.name == written.value for board in world.boards):
            help = f"write `edges_of: {written.value}`"
        elif table or shapes:
            return False
    world.report.error("B217", key.span, said, help=help)
    return True


def _impossible(world: World, shape: Shape, source: Map, key: Scalar, problem: BoardError) -> None:
    """Says what of a shape cannot be, where it stands: in a row of its table, or at its key."""
    place = (source.key(problem.parameter) or key).span
    wanted = shape.parameters.get(problem.parameter)
    help, near = "", list[str]()
    if wanted is not None and source.key(problem.parameter) is None:
        help = f"add `{problem.parameter}:` to `{shape.key}:`"
    row = world.data.get("raw rows", {}).get(id(problem.row))
    if row is not None and row.node is not None:
        cell = row.get(problem.column)
        place = cell.span if cell is not None else row.node.span
        if isinstance(cell, Scalar):
            near, help = _cell_meant(cell.value, problem)
        elif isinstance(row.node, Seq) and wanted is not None:
            cells = zip(wanted.columns, scalars(row.node), strict=False)
            help = f"write `{{{', '.join(f'{column}: {word.value}' for column, word in cells)}}}`"
    value = source.get(problem.parameter)
    if wanted is not None and wanted.words and isinstance(value, Scalar):
        meant = [word for word in CHOICES.get(value.value.casefold(), ()) if word in wanted.words]
        near, place = meant or nearest(value.value, wanted.words), value.span
        help = did_you_mean(near) or f"it is one of {', '.join(f'`{word}`' for word in wanted.words)}"
    unmade = problem.is_unmade
    world.report.error("B203", place, problem.message, help=help, suggestions=tuple(near), is_unmade=unmade)


def _cell_meant(text: str, problem: BoardError) -> tuple[list[str], str]:
    """What may stand in a cell in place of what is there, and in words."""
    if near := nearest(text, problem.known):
        return near, did_you_mean(near)
    if (number := number_meant(text.replace("_", "").replace(" ", ""))) is not None:
        return [str(number)], f"write `{number}`"
    if problem.known and text.isidentifier():
        shown = ", ".join(f"`{name}`" for name in list(problem.known)[:8])
        return [], f"there are {shown}{', …' if len(problem.known) > 8 else ''}"
    return [], "numbers are whole" if re.fullmatch(r"-?\d+[.,]\d+", text) else ""


def _raw_rows(world: World, node: Node, spec: Parameter, found: Fields) -> list[dict[str, object]]:
    """The rows of a table of spaces or edges; a column that nobody asks for is told."""
    rows = rows_of(world, with_columns(node, spec.columns[: 2 if spec.of == "edges" else 1]))
    parts = ("attributes", "state") if spec.of == "spaces" else ("attributes",)
    known = set(spec.columns) | {e.key.value for part in parts for e in found.map(part) or ()}
    if spec.of == "edges":
        known |= _columns_of_edges(world, found)
    told: set[str] = set()
    for row in rows:
        for column, key in list(row.keys.items()):
            if column in spec.columns and isinstance(cell := row.get(column), Map | Seq):
                said = f"`{column}` must be one word, not {shape_of(cell)}"
                world.report.error("S103", cell.span, said)
            if column in known:
                continue
            if "x" in known and (pair := _pair(row.get(column))) is not None and not {"x", "y"} & row.keys.keys():
                if column not in told:
                    told.add(column)
                    help = f"where a space lies is said by `x` and `y`: write `x: {pair[0].value}, y: {pair[1].value}`"
                    world.report.error("S101", key.span, f"no column of a space is called `{column}`", help=help)
                row.cells |= {"x": pair[0], "y": pair[1]}
                continue
            near = nearest(column, known - set(row.keys))
            if column not in told:
                told.add(column)
                table = key.span.file is not world.span.file
                report = world.report.warn if table and not near else world.report.error
                help = did_you_mean(near) or f"it takes {', '.join(f'`{name}`' for name in sorted(known))}"
                said = f"nothing reads the column `{column}` of this table"
                report("L505" if table and not near else "S101", key.span, said, help=help, suggestions=tuple(near))
            for right in near[:1]:  # read on as it was meant
                row.cells[right] = row.cells[column]
    if spec.of == "edges":
        look_over_labels(world, rows)
    raw = [row.raw() for row in rows]
    world.data.setdefault("raw rows", {}).update({id(r): row for r, row in zip(raw, rows, strict=True)})
    world.data.setdefault("kept raw", []).append(raw)  # so that no other has its number
    return raw


def _pair(node: Node | None) -> tuple[Scalar, Scalar] | None:
    """`[4, 5]`, `4, 5`: two numbers in one cell."""
    if isinstance(node, Scalar) and (two := re.fullmatch(r"\(?\s*(-?\d+)\s*[,;/ ]\s*(-?\d+)\s*\)?", node.value)):
        return word_at(two[1], node.span), word_at(two[2], node.span)
    items = node.items if isinstance(node, Seq) else ()
    words = [item for item in items if isinstance(item, Scalar) and item.as_int() is not None]
    return (words[0], words[1]) if len(words) == len(items) == 2 else None


def _columns_of_edges(world: World, found: Fields) -> set[str]:
    """What the table of the edges of a graph may tell besides, where they are a board of their own."""
    boards = world.sections.named["boards"]
    names = {name for name, (_, node) in boards.items() if node is found.node}
    columns: set[str] = set()
    for _, node in boards.values():
        of = node.get("edges_of") if isinstance(node, Map) else None
        attributes = node.get("attributes") if isinstance(node, Map) else None
        if isinstance(of, Scalar) and of.value in names and isinstance(attributes, Map):
            columns |= {entry.key.value for entry in attributes}
    return columns


def _lose_names(world: World, found: Fields) -> None:
    """The words of a board that cannot be made: who uses one of them makes no mistake."""
    words = [entry.value.value for entry in found.node if isinstance(entry.value, Scalar)]
    world.data.setdefault("broken names", set()).update(words)


def _strange_parameters(world: World, shape: Shape, source: Map) -> None:
    """What stands in the map of a shape and is none of it."""
    strange = [entry for entry in source if entry.key.value not in shape.parameters]
    bare = [entry.key for entry in strange if source.flow and is_absent(entry.value) and entry.key.value.isdigit()]
    two_sides = {"width", "height"} <= set(shape.parameters) and not {"width", "height"} & source.entries.keys()
    if bare and two_sides:
        sides = re.findall(r"\d+", source.span.text)
        help = f"write `{shape.key}: {{width: {sides[0]}, height: {sides[1 if len(sides) > 1 else 0]}}}`"
        world.report.error("S101", bare[0].span, f"`{shape.key}` does not say what this number is", help=help)
        return
    for entry in strange:
        advice, value = "", entry.value
        if two_sides and isinstance(value, Scalar) and entry.key.value in ("size", "side", "sides", "n"):
            advice = f"write `width: {value.value}, height: {value.value}`"
        if entry.key.value in BOARD.known:
            advice = f"it stands beside `{shape.key}:`, not in it"
        known, there = tuple(shape.parameters), source.entries
        unknown_key(entry.key, known, f"`{shape.key}`", world.report, advice=advice, there=there)


def _parameters(world: World, shape: Shape, source: Map, found: Fields) -> dict[str, object]:
    """What is written of the shape of a board, such as its width."""
    parameters: dict[str, object] = {}
    if shape.nested:
        _strange_parameters(world, shape, source)
    for parameter, spec in shape.parameters.items():
        node = source.get(parameter)
        if node is None:
            continue
        sides = re.fullmatch(r"(\d+)\s*[xх×*]\s*(\d+)", node.value) if isinstance(node, Scalar) else None
        if spec.type == "int" and sides is not None:
            many = int(sides[1]) * int(sides[2])
            beside = f", rows: {sides[1]}" if "rows" in shape.parameters and "rows" not in source.entries else ""
            help = f"write `{parameter}: {many}{beside}`"
            world.report.error("S103", node.span, f"`{parameter}:` is one number", help=help)
            parameters[parameter] = many
        elif spec.type == "int":
            value = world.constant(node, Num(spec.minimum or 0, spec.maximum or 10**6), f"`{parameter}`")
            if value is not None:
                parameters[parameter] = value
        elif spec.type == "table":
            parameters[parameter] = _raw_rows(world, node, spec, found)
        elif spec.type == "graph":
            if (graph := graph_parameter(world, node, found)) is not None:
                parameters[parameter] = graph
        elif spec.type == "board":
            if (of := _other_board(world, node, shape.key)) is not None:
                parameters[parameter] = of.board
        elif spec.type == "truth" and isinstance(node, Scalar):
            meant = truth_meant(node.value)
            if node.as_bool() is None:
                help = f"write `{meant}`" if meant else ""
                said = f"`{parameter}:` must be true or false, not `{node.span.text}`"
                world.report.error("S103", node.span, said, help=help, suggestions=(meant,) if meant else ())
            parameters[parameter] = meant == "true"
        elif isinstance(node, Scalar):
            parameters[parameter] = node.value
            if spec.type == "name":
                sound_name(world, node)
    return parameters


def _other_board(world: World, node: Node, key: str) -> BoardInfo | None:
    """The board that another is made from."""
    word = node.value if isinstance(node, Scalar) else ""
    found = next((board for board in world.boards if board.name == word), None)
    if found is not None or isinstance(node, Broken):
        return found
    if (by_space := next((board for board in world.boards if board.word == word), None)) is not None:
        message = f"`{word}` is what a space of `{by_space.name}` is called"
        world.report.error("B203", node.span, message, help=f"write `{key}: {by_space.name}`")
        return None
    names = [name for name in world.sections.named["boards"] if name in {board.name for board in world.boards}]
    near = nearest(word, names) or (names if len(names) == 1 else [])
    said = f"there is no board `{word}`" if word else f"`{key}:` takes the name of a board, not {shape_of(node)}"
    help = did_you_mean(near) or (f"it is one of {', '.join(f'`{n}`' for n in names)}" if names else "declare it, too")
    world.report.error("B203", node.span, said, help=help, suggestions=tuple(near))
    return None


def _without_rows(
    world: World, shape: Shape, parameters: dict[str, object], tell: Callable[[BoardError], None]
) -> Board | None:
    """A board in place of one with mistakes in its tables: without rows that are wrong or need one that is."""
    tables = {name: list(rows) for name, rows in parameters.items() if isinstance(rows, list)}
    left_out: set[Node] = world.data.setdefault("rows left out", set())
    names: set[str] = set()  # of rows that are left out: what needs one of them is not wrong itself
    while any(tables.values()):
        try:
            return shape.make({**parameters, **tables})
        except BoardError as problem:
            kept = [row for row in tables.get(problem.parameter, ()) if row is not problem.row]
            if len(kept) == len(tables.get(problem.parameter, ())):
                return None
            tables[problem.parameter] = kept
            wrong = problem.row or {}
            if wrong.get(problem.column) not in names:
                tell(problem)
            names.add(str(row_name(wrong)))
            row = world.data["raw rows"].get(id(problem.row))
            if row is not None and row.node is not None:
                left_out.add(row.node)
    return None


def _stand_in(world: World, name: str, shape: Any, parameters: dict[str, object]) -> Board | None:
    """A board in place of one with a mistake, so that the rest of the game is checked all the same."""
    world.data.setdefault("stand-ins", set()).add(name)
    world.report.doubtful = True
    usual = {
        p: min(max(8, spec.minimum or 0), spec.maximum or 8)
        for p, spec in shape.parameters.items()
        if spec.type == "int"
    }
    needed = {p: n for p, n in usual.items() if shape.parameters[p].required}
    for tried in (
        *([{**needed, **parameters}, {**usual, **parameters}] if parameters else ()),
        *({p: n} for p, n in usual.items()),
        needed,
        usual,
    ):
        try:
            return shape.make(tried)
        except BoardError:
            continue
    return None


def _only(world: World, node: Node, coordinates: tuple[str, ...]) -> Callable[[dict[str, int]], bool]:
    tree = world.elaborator.read(node)

    def holds(here: dict[str, int]) -> bool:
        root = Root("space", "space", ["this"])
        for name in coordinates:
            world.fixed_attribute(root, name, 1, Num(here[name], here[name]), [here[name]])
        condition = condition_on(world, Typed(C.Const(0), every(root)), tree, "`only`")
        return bool(fixed(world, condition, tree.span))

    return holds


def _board_rows(world: World, found: Fields) -> list[Row]:
    rows: list[Row] = []
    if (between := world.sections.named["boards"].get(found.word("edges_of") or "")) is not None:
        table = between[1].get("edges") if isinstance(between[1], Map) else None
        rows += rows_of(world, with_columns(table, ("from", "to"))) if table is not None else []
    for source in (found, found.map("hexes")):
        node = source.get("from") if source is not None else None
        if node is not None:
            rows += rows_of(world, node)
    if (spaces := found.get("spaces")) is not None:
        rows += rows_of(world, with_columns(spaces, ("name",)))
    elif (read := graph_of(world, found.get("graph"))) is not None:
        rows += read.spaces
    return rows


def _board(world: World, name: str, key: Scalar, found: Fields, board: Board) -> BoardInfo:
    word = found.word("space") or "space"
    between = next((other for other in world.boards if other.name == found.word("edges_of")), None)
    per_player = found.word("per") == "player" or (between is not None and between.per_player)
    copies = world.players.size if per_player else 1
    if sum(b.root.size for b in world.boards) + copies * len(board) > MOST_SPACES:
        world.report.error("B209", key.span, f"all boards together would have more than {MOST_SPACES:,} spaces")
        raise GameError(world.report)  # nothing can stand in for a board
    root = Root(word, "space")
    for copy in range(copies):
        prefix = f"{world.players.names[copy]}_" if per_player else ""
        root.names += [prefix + space for space in board.spaces]
    titles = _titles(world, board.spaces) if between is None else _titles_of_edges(between, board)
    root.titles = [title for _ in range(copies) for title in titles]
    root.parts[word] = root.everything
    holds = found.get("holds")
    single = not (isinstance(holds, Scalar) and holds.value == "any")
    if isinstance(holds, Scalar) and holds.value not in ("1", "any"):
        world.report.error("B205", holds.span, f"`holds:` is 1 or `any`, not `{holds.value}`")
    info = BoardInfo(name, word, root, board, copies, holds_one=single, per_player=per_player, between=between)
    info.boxes = found.truth("boxes")
    if between is not None and between.edges is not None:
        said = f"the edges of `{between.name}` are declared twice: as `{between.edges.name}` and as `{name}`"
        world.report.error("B203", key.span, said, help="one board of edges may have several states and hold pieces")
    elif between is not None:
        between.edges = info
    if word in world.roots or any(b.word == word for b in world.boards):
        place = found.node.key("space") or key
        world.report.error(
            "N203", place.span, f"spaces of two boards are called `{word}`", help="give one of them another `space:`"
        )
    world.roots[word] = root
    world.boards.append(info)
    if per_player:
        world.fixed_attribute(
            root, "owner", root.everything, every(world.players), [s // info.spaces for s in range(root.size)]
        )
        table = tuple(((1 << info.spaces) - 1) << (copy * info.spaces) for copy in range(copies))
        origin = world.declare(name, "board", key.span, info)
        world.attribute(
            world.players,
            name,
            world.players.everything,
            SetOf(every(root)),
            lambda node, span: (
                C.Const(table[node.value]) if isinstance(node, C.Const) else C.Look(table, node, 0, span)
            ),
            origin,
        )
    else:
        world.declare(name, "board", key.span, info)
    if board.shape == "graph" or found.has("only"):
        _check_graph(world, key, found, board)
    return info


def _titles(world: World, spaces: tuple[str, ...]) -> list[dict[str, str]]:
    """The names of spaces are read as they stand, unless `text:` translates them."""
    translated = {word for table in world.sections.texts.values() for word in table}
    return [_title(world, space) if space in translated else {"en": space} for space in spaces]


def _titles_of_edges(between: BoardInfo, board: Board) -> list[dict[str, str]]:
    """An edge goes by the titles of its two spaces."""
    found = []
    for one, other in board.joins:
        ends = between.root.titles[one], between.root.titles[other]
        languages = dict.fromkeys([*ends[0], *ends[1]])
        found.append({x: "-".join(end.get(x, end["en"]) for end in ends) for x in languages})
    return found


def _title(world: World, space: str) -> dict[str, str]:
    found = world.title_of_word(space)
    return found | {"en": space} if found["en"] == space.replace("_", " ") else found


def _check_graph(world: World, key: Scalar, found: Fields, board: Board) -> None:
    """Ways without return, and parts that do not meet, unless the board says that they are meant."""
    meant = {declared: found.truth(declared) for declared in ("one_way", "apart")}
    whole = not world.data.get("rows left out")
    for problem in check_graph(board) if whole and not all(meant.values()) else ():
        declared = "one_way" if problem.kind == "one-way" else "apart"
        if not meant[declared]:
            world.report.warn("B206", key.span, problem.message, help=f"if this is meant, write `{declared}: true`")
