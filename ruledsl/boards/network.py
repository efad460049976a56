"""A board as a graph of networkx, and as a file that other programs read.

networkx takes longer to load than most games to check, so only what asks for a graph imports it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, TypeAlias

from ruledsl.boards.base import Board, BoardError
from ruledsl.boards.layout import layout

if TYPE_CHECKING:
    import networkx

Columns: TypeAlias = Mapping[str, Sequence[object]]
Along: TypeAlias = Callable[[int, int, str | None], Mapping[str, object]]


def network(board: Board, columns: Columns | None = None, along: Along | None = None) -> networkx.MultiDiGraph[str]:
    """The spaces by name, with their coordinates, `position` on paper and columns; every way with its `label`.

    A column has a value for each space, `None` where there is none. `along` tells what else there is to say of a way.
    """
    from networkx import MultiDiGraph

    result: networkx.MultiDiGraph[str] = MultiDiGraph(shape=board.shape)
    places = layout(board)
    told = {**board.coordinates, **(columns or {})}
    for space, name in enumerate(board.spaces):
        here = {column: values[space] for column, values in told.items() if values[space] is not None}
        result.add_node(name, position=tuple(round(place, 4) for place in places[space]), **here)
    for number, link in enumerate(board.links):
        said: dict[str, object] = {"label": link.label} if link.label is not None else {}
        if link.one_way:
            said["one_way"] = True
        said |= along(link.start, link.end, link.label) if along else {}
        result.add_edge(board.spaces[link.start], board.spaces[link.end], number, **said)
    return result


def node_link(graph: networkx.Graph[str]) -> dict[str, Any]:
    """The graph as plain data, which `networkx.node_link_graph(data, edges="edges")` reads."""
    from networkx import node_link_data

    data: dict[str, Any] = node_link_data(graph, edges="edges")
    for edge in data["edges"]:
        edge.pop("key", None)
    for node in data["nodes"]:
        if "position" in node:
            node["position"] = list(node["position"])
    return data


# --------------------------------------------------------------------------------------------- files


def _plain(graph: networkx.MultiDiGraph[str]) -> networkx.Graph[str]:
    """As simple as the graph is: undirected where all ways lead back and say the same. Positions are `x` and `y`."""
    from networkx import DiGraph, MultiDiGraph

    data = {(start, end): said for start, end, said in graph.edges(data=True)}
    single = len(data) == graph.number_of_edges()
    both = single and all("label" not in said and data.get((end, start)) == said for (start, end), said in data.items())
    result: networkx.Graph[str] = (DiGraph if single else MultiDiGraph)(graph)
    for _, node in result.nodes(data=True):
        for axis, place in zip("xy", node.pop("position"), strict=True):
            node.setdefault(axis, place)
    return result.to_undirected() if both else result


def _graphml(graph: networkx.MultiDiGraph[str]) -> str:
    from networkx import generate_graphml

    return "\n".join(generate_graphml(_plain(graph), named_key_ids=True)) + "\n"


def _json(graph: networkx.MultiDiGraph[str]) -> str:
    return json.dumps(node_link(_plain(graph)), ensure_ascii=False, indent=1) + "\n"


def _edge_list(graph: networkx.MultiDiGraph[str]) -> str:
    """Columns `from` and `to` and what is said of ways. One row is the way there and back where neither has a label."""
    from networkx import isolates

    alone = next(iter(isolates(graph)), None)
    if alone is not None:
        raise BoardError(f"a list of edges cannot show `{alone}`, which has no edges", "edges")
    turn = {name: place for place, name in enumerate(graph)}
    plain = {(start, end): said for start, end, said in graph.edges(data=True) if "label" not in said}
    rows: list[dict[str, object]] = []
    for start, end, said in graph.edges(data=True):
        ends = {"from": start, "to": end}
        if "label" in said:
            rows.append({**ends, **said})
        elif plain.get((end, start)) != said:
            rows.append({**ends, **said, "one_way": True})
        elif turn[start] < turn[end]:
            rows.append({**ends, **said})
    columns = list(dict.fromkeys(["from", "to", *(column for row in rows for column in row)]))
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([columns, *([_cell(row.get(column, "")) for column in columns] for row in rows)])
    return text.getvalue()


def _cell(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


WRITERS: dict[str, Callable[[networkx.MultiDiGraph[str]], str]] = {
    ".graphml": _graphml,
    ".json": _json,
    ".csv": _edge_list,
}
