"""A board as plain data: node-link JSON, as networkx and many other programs read graphs."""

from __future__ import annotations

from typing import Any

from ruledsl.boards.base import Board
from ruledsl.boards.layout import layout


def node_link(board: Board) -> dict[str, Any]:
    """The spaces with their coordinates and places on paper, and every edge with its label.

    `networkx.node_link_graph(data, edges="edges")` makes a graph of it.
    """
    places = layout(board)
    nodes = []
    for space, name in enumerate(board.spaces):
        here = {coordinate: values[space] for coordinate, values in board.coordinates.items()}
        nodes.append({"id": name, "position": [round(place, 4) for place in places[space]], **here})
    edges = []
    for link in board.links:
        label = {"label": link.label} if link.label is not None else {}
        ends = {"source": board.spaces[link.start], "target": board.spaces[link.end]}
        edges.append({**ends, **label})
    return {"directed": True, "multigraph": True, "graph": {"shape": board.shape}, "nodes": nodes, "edges": edges}
