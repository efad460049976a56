"""What a designer asks of a board as a graph: how far it is, where all must pass, which positions are alike.

All of it is about the ways of one board alone, whatever lies on it. Two-way and one-way ways are told apart; several
ways from one space to another count once. Betweenness of a space is the share of shortest paths between two others that
lead over it, from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ruledsl.boards.symmetry import positions
from ruledsl.records import dataclass

if TYPE_CHECKING:
    import networkx

MOST_WORK = 6_000_000  # spaces times ways; what would take more is estimated, or left out
_FEWEST = 40  # the least number of spaces from which betweenness is estimated


@dataclass(frozen=True)
class Here:
    """What is said of one space; distances are None where nothing else can be reached, or where they were left out."""

    space: str
    ways: int
    ways_in: int
    farthest: int | None
    mean_distance: float | None
    betweenness: float
    cut: bool
    alike: int
    part: int


@dataclass(frozen=True)
class Part:
    """Spaces that can all be reached from each other; whether a way leads in from elsewhere, and one out."""

    spaces: tuple[str, ...]
    entered: bool
    left: bool


@dataclass(frozen=True)
class Survey:
    """A board as a graph."""

    spaces: tuple[Here, ...]
    ways: int  # pairs of neighbours
    one_way: tuple[tuple[str, str], ...]
    islands: tuple[tuple[str, ...], ...]  # what no way joins at all
    parts: tuple[Part, ...]
    bridges: tuple[tuple[str, str], ...]
    alike: tuple[tuple[str, ...], ...]
    alike_certain: bool
    betweenness_exact: bool
    distances_known: bool

    @property
    def diameter(self) -> int | None:
        """The farthest that two spaces are apart, where one can be reached from the other."""
        return max((here.farthest for here in self.spaces if here.farthest is not None), default=None)

    @property
    def radius(self) -> int | None:
        """How far it is at least from the best space to the farthest; only where all can be reached from all."""
        if len(self.parts) > 1:
            return None
        return min((here.farthest for here in self.spaces if here.farthest is not None), default=None)

    @property
    def mean_distance(self) -> float | None:
        known = [here.mean_distance for here in self.spaces if here.mean_distance is not None]
        return sum(known) / len(known) if known else None


def labels(graph: networkx.MultiDiGraph[str]) -> list[str]:
    """The labels of its ways, as they come."""
    return list(dict.fromkeys(said["label"] for _, _, said in graph.edges(data=True) if "label" in said))


def survey(graph: networkx.MultiDiGraph[str], along: Collection[str] | None = None, exact: bool = False) -> Survey:
    """Everything about a board; with `along`, as if there were no ways but those with these labels."""
    import networkx as nx

    plain: networkx.DiGraph[str] = nx.DiGraph()
    plain.add_nodes_from(graph)
    for start, end, said in graph.edges(data=True):
        if start != end and (along is None or said.get("label") in along):
            plain.add_edge(start, end)
    both = nx.Graph(plain)
    most = None if exact else max(1, MOST_WORK // max(1, plain.number_of_edges() + len(plain)))
    names = list(plain)
    turn = {name: place for place, name in enumerate(names)}
    groups, certain = positions([[turn[end] for end in plain[name]] for name in names])
    alike = {space: number for number, group in enumerate(groups) for space in group}
    distances = _distances(plain, names, groups if certain else [[space] for space in range(len(names))], most)
    sampled = None if most is None or len(names) <= most else max(_FEWEST, most)
    between = nx.betweenness_centrality(plain, k=min(sampled, len(names)) if sampled else None, seed=0)
    if certain:
        between = _evened(between, names, groups)
    cuts = set(nx.articulation_points(both))
    strong = sorted(nx.strongly_connected_components(plain), key=lambda spaces: min(turn[name] for name in spaces))
    part_of = {name: number for number, spaces in enumerate(strong) for name in spaces}
    crossing = [(part_of[start], part_of[end]) for start, end in plain.edges if part_of[start] != part_of[end]]
    entered, left = {end for _, end in crossing}, {start for start, _ in crossing}

    def ordered(spaces: Collection[str]) -> tuple[str, ...]:
        return tuple(sorted(spaces, key=turn.__getitem__))

    pairs = map(tuple, nx.bridges(both))  # its types call each of them a space
    ends = ((one, other) if turn[one] < turn[other] else (other, one) for one, other in pairs)
    return Survey(
        spaces=tuple(
            Here(
                space=name,
                ways=plain.out_degree(name),
                ways_in=plain.in_degree(name),
                farthest=distances[place][0],
                mean_distance=distances[place][1],
                betweenness=between[name],
                cut=name in cuts,
                alike=alike[place],
                part=part_of[name],
            )
            for place, name in enumerate(names)
        ),
        ways=both.number_of_edges(),
        one_way=tuple((start, end) for start, end in plain.edges if not plain.has_edge(end, start)),
        islands=tuple(sorted((ordered(spaces) for spaces in nx.connected_components(both)), key=lambda s: turn[s[0]])),
        parts=tuple(Part(ordered(s), number in entered, number in left) for number, s in enumerate(strong)),
        bridges=tuple(sorted(ends, key=lambda pair: turn[pair[0]])),
        alike=tuple(tuple(names[space] for space in group) for group in groups),
        alike_certain=certain,
        betweenness_exact=sampled is None,
        distances_known=any(farthest is not None for farthest, _ in distances) or plain.number_of_edges() == 0,
    )


def _distances(
    plain: networkx.DiGraph[str], names: list[str], groups: list[list[int]], most: int | None
) -> list[tuple[int | None, float | None]]:
    """How far it is from each space to the farthest and on average: the same for all that are alike."""
    from networkx import single_source_shortest_path_length

    found: list[tuple[int | None, float | None]] = [(None, None)] * len(names)
    if most is not None and len(groups) > most:
        return found
    for group in groups:
        far = dict(single_source_shortest_path_length(plain, names[group[0]]))
        if len(far) > 1:
            for space in group:
                found[space] = (max(far.values()), sum(far.values()) / (len(far) - 1))
    return found


def _evened(between: dict[str, float], names: list[str], groups: list[list[int]]) -> dict[str, float]:
    """What is alike has the same betweenness: rounding and samples make it differ a little."""
    found: dict[str, float] = {}
    for group in groups:
        mean = sum(between[names[space]] for space in group) / len(group)
        found |= {names[space]: mean for space in group}
    return found
