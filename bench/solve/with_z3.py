# SPDX-License-Identifier: Apache-2.0
"""Z3: integer times, pseudo-boolean resources; the makespan is lowered until there is no schedule."""

import time

import statement
import z3


def check(solver, seconds):
    solver.set("timeout", max(1, int(seconds * 1000)))
    return solver.check()


def solve(s, seconds):
    end = time.monotonic() + seconds
    solver = z3.Solver()
    times = [z3.Int(f"t{i}") for i in s.ops]
    makespan = z3.Int("makespan")
    for i in s.ops:
        solver.add(times[i] >= s.head[i], times[i] <= s.horizon - s.tail[i],
                   makespan >= times[i] + s.latency[i])
    for p, c, delay, _ in s.edges:
        solver.add(times[c] >= times[p] + delay)
    for r, capacity in enumerate(s.capacity):
        held = [(i, a, n) for i in s.ops for q, a, n in s.uses[i] if q == r]
        for at in range(s.horizon):
            now = [(z3.And(times[i] <= at, times[i] > at - n), a) for i, a, n in held
                   if s.head[i] <= at < s.horizon - s.tail[i] + n]
            if sum(a for _, a in now) > capacity:
                solver.add(z3.PbLe(now, capacity))
    best = None
    while time.monotonic() < end:
        answer = check(solver, end - time.monotonic())
        if answer == z3.unsat:
            return "optimal", best
        if answer != z3.sat:
            break
        best = solver.model()[makespan].as_long()
        if best <= s.bound:
            return "optimal", best
        solver.add(makespan < best)
    return ("unknown", None) if best is None else ("feasible", best)


def solve_interval(s, interval, seconds):
    solver = z3.Solver()
    most = s.span(interval)
    times = [z3.Int(f"t{i}") for i in s.ops]
    slot = {i: [z3.Bool(f"x{i}_{k}") for k in range(interval)] for i in s.ops if s.uses[i]}
    for t in times:
        solver.add(t >= 0, t < most * interval)
    for i, at in slot.items():
        turn = z3.Int(f"k{i}")
        solver.add(turn >= 0, turn < most, z3.PbEq([(x, 1) for x in at], 1))
        for k, x in enumerate(at):
            solver.add(z3.Implies(x, times[i] == interval * turn + k))
    for p, c, delay, distance in s.edges:
        solver.add(times[c] >= times[p] + delay - interval * distance)
    for r, capacity in enumerate(s.capacity):
        for k in range(interval):
            now = [(at[(k - j) % interval], a) for i, at in slot.items()
                   for q, a, n in s.uses[i] if q == r for j in range(n)]
            if now:
                solver.add(z3.PbLe(now, capacity))
    answer = check(solver, seconds)
    return None if answer == z3.unknown else answer == z3.sat


statement.main(solve, solve_interval)
