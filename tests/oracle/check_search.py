# SPDX-License-Identifier: Apache-2.0
"""Compare the exact search with plain enumeration of all orders, on small random bodies.

    python3 check_search.py [CASES [SEED]]

The enumeration is the definition (docs/scheduling.md, "The answer of csp") word for word; it prunes nothing.
"""

import itertools
import random
import sys

from ops import COMPUTE, GLOBAL_LOAD, GLOBAL_MEM, LDS, MMA_UNIT, VALU, Edge, Op, SpecError
from schedulers import (LoopBody, evaluate_schedule, greedy_schedule, lower_bound, obeys_halves,
                        optimal_schedule, optimal_schedule_with_halves, simple_greedy_schedule)

KINDS = ((COMPUTE, MMA_UNIT), (GLOBAL_LOAD, GLOBAL_MEM), (2, LDS), (6, VALU), (255, 255))


def random_body(rng, count, halves):
    ops = []
    for i in range(count):
        role, resource = rng.choice(KINDS)
        if halves and i in (count // 2 - 1, count - 1) and rng.random() < 0.9:
            role, resource = KINDS[0]
        ops.append(Op(tag=i, role=role, resource=resource, latency=rng.choice((0, 1, 3, 7, 10)),
                      vgpr_def=rng.choice((0, 0, 1, 4)), vgpr_kill=rng.choice((0, 0, 1, 4))))
    rank = list(range(count))
    if rng.random() < 0.4 and not halves:
        rng.shuffle(rank)
    edges = [Edge(p, c, rng.randrange(2), rng.choice((0, 0, 0, 1)))
             for p in range(count) for c in range(count)
             if rank[p] < rank[c] and rng.random() < 0.18]
    return LoopBody(ops, edges)


def by_definition(loop, halves, max_globals, penalty, max_vgpr):
    """Order by enumeration, or None where there is no legal order."""
    try:
        seed = greedy_schedule(loop) if halves else simple_greedy_schedule(loop)
    except SpecError:
        seed = None
    if seed is not None:
        value = evaluate_schedule(loop, seed, penalty)
        if value[0] == lower_bound(loop, penalty) and value[1] <= max_vgpr:
            return seed
    best = None
    for order in itertools.permutations(range(loop.n)):
        if not loop.respects_edges(order):
            continue
        if halves and not obeys_halves(loop, list(order), max_globals):
            continue
        value = evaluate_schedule(loop, order, penalty)
        if value[1] <= max_vgpr and (best is None or value < best[0]):
            best = (value, list(order))
    if best is None:
        return None
    if seed is not None and value_of_legal(loop, seed, halves, max_globals, penalty,
                                           max_vgpr) == best[0]:
        return seed
    return best[1]


def value_of_legal(loop, order, halves, max_globals, penalty, max_vgpr):
    """(makespan, peak) of a legal order, else None."""
    value = evaluate_schedule(loop, order, penalty)
    if value[1] > max_vgpr or halves and not obeys_halves(loop, order, max_globals):
        return None
    return value


def main(cases, seed_number):
    rng, kinds = random.Random(seed_number), {"seed": 0, "searched": 0, "infeasible": 0}
    for case in range(cases):
        halves = case % 2 == 1
        loop = random_body(rng, rng.choice((1, 2, 3, 4, 5, 6, 7)), halves)
        globals_, penalty = rng.choice((0, 1, 2)), rng.choice((0, 1, 5)) if halves else 0
        max_vgpr = rng.choice((999999, 999999, 10, 6, 3))
        wanted = by_definition(loop, halves, globals_, penalty, max_vgpr)
        try:
            got = (optimal_schedule_with_halves(loop, globals_, penalty, max_vgpr) if halves
                   else optimal_schedule(loop, max_vgpr))
        except SpecError:
            got = None
        if got != wanted:
            print(f"FAIL case {case}: {got} is not {wanted}")
            return 1
        try:
            seed = greedy_schedule(loop) if halves else simple_greedy_schedule(loop)
        except SpecError:
            seed = None
        kinds["infeasible" if got is None else "seed" if got == seed else "searched"] += 1
    print(f"{cases} cases agree: {kinds}")
    return 0


if __name__ == "__main__":
    NUMBERS = [int(text) for text in sys.argv[1:]]
    sys.exit(main(*(NUMBERS + [600, 1][len(NUMBERS):])))
