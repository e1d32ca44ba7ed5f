"""The oracle of the case route-finder: makes every input from a seed and answers it by Bellman-Ford.

The reference solutions are Dijkstra's algorithm in Rust. This relaxes all roads in rounds until nothing changes, on one
combined weight per road, so that it shares neither language nor algorithm with them.

    python tests/oracles/route_finder.py    writes all inputs and answers anew
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "test-cases/performance/hard/route-finder/v1.0.0"

HOP_BASE = 2**20
"""More than the hops of any route: length * HOP_BASE + hops orders routes by length, then by hops."""


class Map(NamedTuple):
    """A map and the routes asked for."""

    nodes: int
    edges: list[tuple[int, int, int]]
    queries: list[tuple[int, int]]


SMOKE = {
    "single-place": Map(1, [], [(0, 0)]),
    "source-is-target": Map(3, [(0, 1, 4), (1, 0, 4), (1, 2, 1)], [(1, 1), (2, 2)]),
    "no-route": Map(3, [(0, 1, 3)], [(0, 2), (2, 0)]),
    "one-way-road": Map(3, [(0, 1, 3), (1, 2, 4)], [(0, 2), (2, 0), (1, 0)]),
    "zero-length-roads": Map(4, [(0, 1, 0), (1, 2, 0), (2, 1, 0), (2, 3, 5)], [(0, 2), (0, 3), (1, 2)]),
    "self-loops": Map(3, [(0, 0, 1), (0, 1, 6), (1, 1, 0), (1, 2, 2), (2, 2, 9)], [(0, 2), (0, 0), (1, 1)]),
    "parallel-roads": Map(3, [(0, 1, 9), (0, 1, 2), (0, 1, 5), (1, 2, 7), (1, 2, 3)], [(0, 1), (0, 2)]),
    "fewest-hops-among-equals": Map(5, [(0, 1, 2), (1, 2, 2), (2, 4, 2), (0, 3, 3), (3, 4, 3)], [(0, 4), (0, 2)]),
    "shorter-with-more-hops": Map(4, [(0, 3, 10), (0, 1, 3), (1, 2, 3), (2, 3, 3)], [(0, 3)]),
    "lengths-beyond-32-bits": Map(3, [(0, 1, 2**40), (1, 2, 2**40), (0, 2, 2**33)], [(0, 2), (0, 1)]),
    "long-chain-beyond-32-bits": Map(
        12, [(place, place + 1, 2**40 - place) for place in range(11)], [(0, 11), (3, 9), (11, 0)]
    ),
    "repeated-queries": Map(3, [(0, 1, 1), (1, 2, 1)], [(0, 2), (0, 2), (1, 2), (0, 2)]),
    "no-queries": Map(2, [(0, 1, 1)], []),
}

STRESS = {"town": (200, 900, 20, 5), "region": (1200, 7000, 30, 6), "country": (3000, 18000, 40, 8)}
"""Name -> places, roads, queries, and the number of different places the queries start from."""


def stress_map(name: str) -> Map:
    """A map from the seed that is its name: places near each other are joined, a few roads cross the whole map."""
    nodes, roads, count, sources = STRESS[name]
    chance = random.Random(f"route-finder {name}")
    edges = []
    for _ in range(roads):
        start = chance.randrange(nodes)
        near = chance.random() < 0.95
        end = (start + chance.randint(1, max(2, nodes // 30))) % nodes if near else chance.randrange(nodes)
        edges.append((start, end, chance.choice([0, 1, 10, 1000, 1_000_000]) + chance.randrange(1000)))
    starts = [chance.randrange(nodes) for _ in range(sources)]
    queries = [(chance.choice(starts), chance.randrange(nodes)) for _ in range(count)]
    return Map(nodes, edges, queries)


def routes(found: Map) -> list[list[int] | None]:
    """The right answers, by rounds of relaxation from each source."""
    combined = [(start, end, length * HOP_BASE + 1) for start, end, length in found.edges]
    from_source = {source: _costs(found.nodes, combined, source) for source in {query[0] for query in found.queries}}
    costs = [from_source[source][target] for source, target in found.queries]
    return [None if cost is None else list(divmod(cost, HOP_BASE)) for cost in costs]


def _costs(nodes: int, edges: list[tuple[int, int, int]], source: int) -> list[int | None]:
    costs: list[int | None] = [None] * nodes
    costs[source] = 0
    changed = True
    while changed:
        changed = False
        for start, end, weight in edges:
            before = costs[start]
            if before is not None:
                cost, known = before + weight, costs[end]
                if known is None or cost < known:
                    costs[end] = cost
                    changed = True
    return costs


def files() -> dict[str, str]:
    """Every input and answer of the case: path in the version folder -> content."""
    content = {}
    for folder, maps in (("smoke", SMOKE), ("cases", {name: stress_map(name) for name in STRESS})):
        for name, found in maps.items():
            content[f"{folder}/{name}.json"] = _compact(found._asdict())
            content[f"{folder}/{name}.out"] = _compact({"routes": routes(found)})
    return content


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"


def main() -> None:
    """Write all files."""
    for name, content in files().items():
        (FOLDER / name).write_text(content)


if __name__ == "__main__":
    main()
