"""Which blocks lie on circles is what networkx says."""

from __future__ import annotations

import random

import networkx

from ruledsl.generate.flow import circles


def as_networkx_has_it(edges: dict[int, list[int]]) -> dict[int, int]:
    graph: networkx.DiGraph[int] = networkx.DiGraph((node, to) for node, ahead in edges.items() for to in ahead)
    found: dict[int, int] = {}
    for together in networkx.strongly_connected_components(graph):
        least = min(together)
        if len(together) > 1 or graph.has_edge(least, least):
            found |= dict.fromkeys(together, least)
    return found


def test_circles_are_those_of_networkx() -> None:
    rng = random.Random(4)
    for _ in range(500):
        size = rng.randint(1, 14)
        edges = {node: [rng.randrange(size + 3) for _ in range(rng.choice((0, 1, 1, 2, 3)))] for node in range(size)}
        assert circles(edges) == as_networkx_has_it(edges)


def test_a_long_circle_needs_no_deep_stack() -> None:
    assert set(circles({node: [(node + 1) % 30_000] for node in range(30_000)}).values()) == {0}
