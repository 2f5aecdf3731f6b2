# SPDX-License-Identifier: Apache-2.0
"""CP-SAT of OR-tools: intervals and `cumulative`; slots of a modulo problem as booleans."""

import statement
from ortools.sat.python import cp_model


def run(model, seconds):
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    return solver.Solve(model), solver


def solve(s, seconds):
    model = cp_model.CpModel()
    times = [model.NewIntVar(s.head[i], s.horizon - s.tail[i], "") for i in s.ops]
    makespan = model.NewIntVar(s.bound, s.horizon, "")
    for i in s.ops:
        model.Add(makespan >= times[i] + s.latency[i])
    for p, c, delay, _ in s.edges:
        model.Add(times[c] >= times[p] + delay)
    for r, capacity in enumerate(s.capacity):
        held = [(i, a, n) for i in s.ops for q, a, n in s.uses[i] if q == r]
        model.AddCumulative([model.NewFixedSizeIntervalVar(times[i], n, "") for i, _, n in held],
                            [a for _, a, _ in held], capacity)
    model.Minimize(makespan)
    status, solver = run(model, seconds)
    if status == cp_model.OPTIMAL:
        return "optimal", int(solver.ObjectiveValue())
    return ("feasible", int(solver.ObjectiveValue())) if status == cp_model.FEASIBLE \
        else ("unknown", None)


def solve_interval(s, interval, seconds):
    model = cp_model.CpModel()
    most = s.span(interval)
    slot = {i: [model.NewBoolVar("") for _ in range(interval)] for i in s.ops if s.uses[i]}
    times = [model.NewIntVar(0, most * interval - 1, "") for _ in s.ops]
    for i, at in slot.items():
        model.AddExactlyOne(at)
        turn = model.NewIntVar(0, most - 1, "")
        model.Add(times[i] == interval * turn + sum(k * x for k, x in enumerate(at)))
    for p, c, delay, distance in s.edges:
        model.Add(times[c] >= times[p] + delay - interval * distance)
    for r, capacity in enumerate(s.capacity):
        for k in range(interval):
            model.Add(sum(a * at[(k - j) % interval] for i, at in slot.items()
                          for q, a, n in s.uses[i] if q == r for j in range(n)) <= capacity)
    status, _ = run(model, seconds)
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)


statement.main(solve, solve_interval)
