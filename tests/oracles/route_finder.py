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
    """A map and what is asked of it, under the names of the input's keys."""

    places: int
    roads: list[tuple[int, int, int]]
    queries: list[tuple[int, int]]


SMOKE = {
    "single-place": Map(1, [], [(0, 0)]),
    "source-is-target": Map(3, [(0, 1, 4), (1, 0, 4), (1, 2, 1)], [(1, 1), (2, 2)]),
    "no-route": Map(5, [(0, 1, 3), (2, 3, 1), (3, 2, 1)], [(0, 2), (2, 0), (0, 4), (4, 0)]),
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


class Country(NamedTuple):
    """The measures of a map made at random: places on a grid, and queries in groups that share a source."""

    width: int
    height: int
    roads: int
    sources: int
    far_sources: int
    """How many of the sources have targets anywhere, and one that no road leads to; the others' targets are near."""
    queries_per_source: int


STRESS = {
    "town": Country(20, 10, 900, sources=5, far_sources=1, queries_per_source=4),
    "region": Country(40, 30, 7_000, sources=18, far_sources=3, queries_per_source=8),
    "country": Country(60, 50, 18_000, sources=30, far_sources=5, queries_per_source=12),
}


def stress_map(name: str) -> Map:
    """A map from the seed that is its name.

    Roads lead to places close by, a few across the whole map, and none is shorter than its places are apart, the zero
    roads excepted; so a search that ends early sees little of the map. Lengths are round, so many routes are equally
    long. The queries of one source are scattered among the others.
    """
    country = STRESS[name]
    chance = random.Random(f"route-finder {name}")
    places = country.width * country.height

    def close_to(place: int, reach: int) -> int:
        column = place % country.width + chance.randint(-reach, reach)
        row = place // country.width + chance.randint(-reach, reach)
        return min(max(row, 0), country.height - 1) * country.width + min(max(column, 0), country.width - 1)

    def apart(start: int, end: int) -> int:
        return abs(start % country.width - end % country.width) + abs(start // country.width - end // country.width)

    roads = []
    for _ in range(country.roads):
        start = chance.randrange(places)
        end = close_to(start, 2) if chance.random() < 0.97 else chance.randrange(places)
        length = 0 if chance.random() < 0.02 else 100 * apart(start, end) + 50 * chance.randrange(8)
        roads.append((start, end, length))
    without_a_way_in = sorted(set(range(places)) - {end for _, end, _ in roads})
    queries: list[tuple[int, int]] = []
    for index, source in enumerate(chance.sample(range(places), country.sources)):
        far = index < country.far_sources
        targets = [chance.randrange(places) if far else close_to(source, 5) for _ in range(country.queries_per_source)]
        if far:
            targets.append(chance.choice(without_a_way_in))
        queries.extend((source, target) for target in targets)
    chance.shuffle(queries)
    return Map(places, roads, queries)


def routes(found: Map) -> list[list[int] | None]:
    """The right answers, by rounds of relaxation from each source."""
    combined = [(start, end, length * HOP_BASE + 1) for start, end, length in found.roads]
    from_source = {source: _costs(found.places, combined, source) for source in {query[0] for query in found.queries}}
    costs = [from_source[source][target] for source, target in found.queries]
    return [None if cost is None else list(divmod(cost, HOP_BASE)) for cost in costs]


def _costs(places: int, roads: list[tuple[int, int, int]], source: int) -> list[int | None]:
    costs: list[int | None] = [None] * places
    costs[source] = 0
    changed = True
    while changed:
        changed = False
        for start, end, weight in roads:
            before = costs[start]
            if before is not None:
                cost, known = before + weight, costs[end]
                if known is None or cost < known:
                    costs[end] = cost
                    changed = True
    return costs


def files() -> dict[str, bytes]:
    """Every input and answer of the case: path in the version folder -> content."""
    content = {}
    for folder, maps in (("smoke", SMOKE), ("cases", {name: stress_map(name) for name in STRESS})):
        for name, found in maps.items():
            content[f"{folder}/{name}.json"] = _compact(found._asdict())
            content[f"{folder}/{name}.out"] = _compact({"routes": routes(found)})
    return content


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def main() -> None:
    """Write all files."""
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
