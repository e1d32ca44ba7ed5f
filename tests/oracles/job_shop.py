"""The oracle of the case job-shop: makes every input from a seed and answers it by building the schedule.

The reference solutions are Rust that goes through the ticks at which something happens. This has no clock: of all
machines it takes the one that can begin its next step first, settles that step for good, and reads the lengths of the
queues off the finished schedule. So it shares neither language nor algorithm with them.

    python tests/oracles/job_shop.py    writes all inputs and answers anew
"""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "test-cases/performance/medium/job-shop/v1.0.0"


class Job(NamedTuple):
    """A job, in the order of the input's list; each step is a machine and a duration in ticks."""

    release: int
    priority: int
    steps: list[tuple[int, int]]


class Shop(NamedTuple):
    """A workshop and the jobs it gets, under the names of the input's keys."""

    ticks: int
    machines: int
    jobs: list[Job]


class Outcome(NamedTuple):
    """What becomes of a workshop, under the names of the answer's keys."""

    finished: list[int | None]
    busy: list[int]
    longest: list[int]


class Visit(NamedTuple):
    """A job at the machine of one of its steps: from when it waits, when its step begins and when that is used up."""

    ready: int
    start: int
    end: int


SMOKE = {
    "one-job": Shop(20, 2, [Job(3, 0, [(0, 4), (1, 5)])]),
    "waiting-for-a-machine": Shop(20, 1, [Job(0, 0, [(0, 5)]), Job(2, 0, [(0, 3)])]),
    "higher-priority-first": Shop(30, 1, [Job(0, 5, [(0, 4)]), Job(1, 1, [(0, 4)]), Job(1, 9, [(0, 4)])]),
    "longest-waiting-among-equals": Shop(30, 1, [Job(0, 3, [(0, 6)]), Job(4, 3, [(0, 2)]), Job(2, 3, [(0, 2)])]),
    "lowest-number-among-equals": Shop(30, 1, [Job(1, 3, [(0, 6)]), Job(1, 3, [(0, 2)]), Job(1, 3, [(0, 4)])]),
    "priority-before-waiting": Shop(30, 1, [Job(0, 0, [(0, 8)]), Job(1, 2, [(0, 2)]), Job(7, 3, [(0, 2)])]),
    "a-step-is-not-interrupted": Shop(20, 1, [Job(0, 0, [(0, 9)]), Job(1, 1000, [(0, 2)])]),
    "arrivals-before-choices": Shop(20, 1, [Job(0, 0, [(0, 5)]), Job(1, 1, [(0, 2)]), Job(5, 2, [(0, 3)])]),
    "two-jobs-change-places": Shop(20, 2, [Job(0, 0, [(0, 4), (1, 3)]), Job(0, 0, [(1, 4), (0, 5)])]),
    "back-to-the-same-machine": Shop(20, 1, [Job(0, 1, [(0, 2), (0, 3)]), Job(1, 2, [(0, 4)])]),
    "queue-at-the-end-of-a-tick": Shop(9, 2, [Job(0, 0, [(0, 2)]), Job(5, 0, [(1, 2)]), Job(5, 0, [(1, 1)])]),
    "used-up-at-the-end": Shop(10, 2, [Job(0, 0, [(0, 10)]), Job(0, 0, [(1, 9)]), Job(9, 0, [(1, 40)])]),
    "released-after-the-end": Shop(5, 1, [Job(5, 0, [(0, 1)]), Job(4, 0, [(0, 1)]), Job(9, 0, [(0, 1)])]),
    "still-waiting-at-the-end": Shop(6, 1, [Job(0, 0, [(0, 99)]), Job(1, 0, [(0, 1)]), Job(5, 0, [(0, 1)])]),
    "ticks-beyond-32-bits": Shop(
        10**12, 2, [Job(2**33, 0, [(0, 2**35), (1, 2**36)]), Job(2**34, 0, [(0, 7)]), Job(0, 0, [(1, 10**12)])]
    ),
    "no-ticks": Shop(0, 1, [Job(0, 0, [(0, 1)])]),
    "no-jobs": Shop(100, 3, []),
}


class Plant(NamedTuple):
    """The measures of a workshop made at random."""

    machines: int
    jobs: int
    hours: int
    """How long it runs; an hour has 3,600 ticks."""
    sought: int
    """How many of its machines are asked for in half of all steps. They take a tenth of the others' time."""


STRESS = {
    "garage": Plant(machines=8, jobs=50, hours=14, sought=1),
    "factory": Plant(machines=60, jobs=700, hours=48, sought=2),
    "plant": Plant(machines=250, jobs=3_000, hours=95, sought=5),
}


def stress_shop(name: str) -> Shop:
    """A workshop from the seed that is its name.

    Long queues form at the machines that are sought. Times are whole minutes, so many things happen in one tick. The
    jobs come in the first quarter of the time, and in the larger workshops not all are finished at its end.
    """
    plant = STRESS[name]
    chance = random.Random(f"job-shop {name}")
    ticks = plant.hours * 3_600
    machines = chance.sample(range(plant.machines), plant.machines)
    sought, others = machines[: plant.sought], machines[plant.sought :]

    def step() -> tuple[int, int]:
        if chance.random() < 0.5:
            return chance.choice(sought), 60 * chance.randint(1, 6)
        return chance.choice(others), 60 * chance.randint(1, 60)

    jobs = []
    for _ in range(plant.jobs):
        release = chance.randrange(ticks // 4) // 60 * 60
        jobs.append(Job(release, chance.choice([0, 1, 1, 2, 5]), [step() for _ in range(chance.randint(2, 10))]))
    return Shop(ticks, plant.machines, jobs)


def outcome(shop: Shop) -> Outcome:
    """The right answer, by settling one step after another, the earliest first.

    A step that begins at a tick can only hang on steps that began before it, as each takes a tick at least; those are
    settled by then.
    """
    finished: list[int | None] = [None] * len(shop.jobs)
    done = [0] * len(shop.jobs)
    free_from = [0] * shop.machines
    # For each machine the jobs whose next step is there: from when, and what else decides who goes first.
    bound_for: list[list[tuple[int, int, int]]] = [[] for _ in range(shop.machines)]
    visits: list[list[Visit]] = [[] for _ in range(shop.machines)]
    begins: list[int] = [shop.ticks] * shop.machines

    def update(machine: int) -> None:
        earliest = min(bound_for[machine], default=(shop.ticks,))[0]
        begins[machine] = min(shop.ticks, max(free_from[machine], earliest))

    for number, job in enumerate(shop.jobs):
        bound_for[job.steps[0][0]].append((job.release, -job.priority, number))
    for machine in range(shop.machines):
        update(machine)
    while (start := min(begins)) < shop.ticks:
        machine = begins.index(start)
        there = [one for one in bound_for[machine] if one[0] <= start]
        chosen = min(there, key=lambda one: (one[1], one[0], one[2]))
        bound_for[machine].remove(chosen)
        ready, _, number = chosen
        job = shop.jobs[number]
        end = start + job.steps[done[number]][1]
        visits[machine].append(Visit(ready, start, end))
        free_from[machine] = end
        done[number] += 1
        update(machine)
        if done[number] < len(job.steps):
            following = job.steps[done[number]][0]
            bound_for[following].append((end, -job.priority, number))
            update(following)
        elif end < shop.ticks:
            finished[number] = end
    for machine, left in enumerate(bound_for):
        visits[machine].extend(Visit(one[0], shop.ticks, shop.ticks) for one in left if one[0] < shop.ticks)
    busy = [sum(min(visit.end, shop.ticks) - visit.start for visit in there) for there in visits]
    return Outcome(finished, busy, [_longest_queue(there) for there in visits])


def _longest_queue(visits: list[Visit]) -> int:
    """The most visits that wait at one time: from when they are ready until they start."""
    changes: Counter[int] = Counter()
    for visit in visits:
        changes[visit.ready] += 1
        changes[visit.start] -= 1
    return max(itertools.accumulate(change for _, change in sorted(changes.items())), default=0)


def files() -> dict[str, bytes]:
    """Every input and answer of the case: path in the version folder -> content."""
    content = {}
    for folder, shops in (("smoke", SMOKE), ("cases", {name: stress_shop(name) for name in STRESS})):
        for name, shop in shops.items():
            content[f"{folder}/{name}.json"] = _compact(shop._asdict())
            content[f"{folder}/{name}.out"] = _compact(outcome(shop)._asdict())
    return content


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def main() -> None:
    """Write all files."""
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
