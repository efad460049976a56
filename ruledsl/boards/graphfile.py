"""A graph that another program made: spaces and ways from its file."""

import re

from ruledsl.boards.base import Board, BoardError, Parameter, Table, board_shape, check_size
from ruledsl.boards.graph import joined
from ruledsl.records import dataclass
from ruledsl.wording.templates import Words

_NAME = re.compile(r"(?=\W*\w)[\w-](?:[\w .,'’&-]*[\w.'’])?")  # what can be read aloud and typed


@dataclass(frozen=True, eq=False)
class Graph:
    """The rows of a file. It is compared by identity: one file that was read once is one board."""

    spaces: Table
    ways: Table
    directed: bool
    listed: bool = False  # whether it is a list of edges, whose labels mean what they mean in a table


@board_shape(
    "graph_file",
    {"graph": Parameter("graph", "a file with a graph, in the folder of the game: `.graphml`, `.json` or `.csv`")},
    Words(en="{spaces} spaces: {names}", ru="клетки ({spaces}): {names}"),
)
def graph_file(graph: Graph) -> Board:
    """A graph from a file of another program, such as yEd, Gephi or networkx.

    A `.graphml` file is GraphML: a space is called by its `name`, else by its `label`, else by its id, and `x` and `y`
    say where it is drawn. A `.json` file is node-link JSON, with lists of `nodes` and of `edges` (or `links`). A `.csv`
    file is a list of edges with the columns `from` and `to` (or `source` and `target`), and others as in a table of
    edges; the spaces are those that it names.

    Other data of nodes are columns for the `attributes` of spaces. Other data of edges are tables by the space that
    they lead to: `hours: {is: 0..9 by town, otherwise: 0}` is read as `mill.hours[farm]`. `label`, `back` and
    `one_way` of edges mean what they mean in a table. In an undirected graph edges lead both ways; in a directed one
    each leads as it is written.

    board: {graph: roads.graphml, space: town}
    """
    for row in graph.spaces:
        if not _NAME.fullmatch(name := str(row["name"])):
            shown = name if name.isprintable() else name.encode("unicode_escape").decode()
            raise BoardError(f"a space cannot be called `{shown}`", "graph", row, "name")
    if not (graph.directed or graph.listed):
        for row in graph.ways:
            if row.get("label") and not row.get("back") and row.get("one_way") in (None, "", False, "false"):
                edge = f"the edge from `{row['from']}` to `{row['to']}`"
                said = f"{edge} leads both ways, and has no word for the way back"
                raise BoardError(f"{said}; write it as `back`, or make the graph directed", "graph", row, "label")
    check_size(len(graph.spaces), "graph")
    return joined(graph.spaces, graph.ways, graph.directed)
