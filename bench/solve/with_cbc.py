# SPDX-License-Identifier: Apache-2.0
"""CBC: a boolean for each op and time, or slot, as an integer program (Pritsker; Eichenberger)."""

import os
import subprocess
import tempfile

import statement


def terms(pairs):
    return " ".join(f"{'+' if factor >= 0 else '-'} {abs(factor)} {name}" for factor, name in pairs)


def run(objective, rows, bounds, booleans, integers, seconds):
    """The objective's value, "infeasible", or None; and whether it is proven."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "p.lp"), os.path.join(folder, "out")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"Minimize\n obj: {objective}\nSubject To\n")
            for i, (left, sign, right) in enumerate(rows):
                file.write(f" c{i}: {left} {sign} {right}\n")
            file.write("Bounds\n" + "".join(f" {b}\n" for b in bounds))
            file.write("Binaries\n" + "".join(f" {b}\n" for b in booleans))
            file.write("Generals\n" + "".join(f" {b}\n" for b in integers) + "End\n")
        subprocess.run(["cbc", path, "sec", str(max(0.1, seconds)), "threads", "0", "timeMode",
                        "elapsed", "solve", "solu", out], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False, timeout=seconds + 30)
        try:
            with open(out, encoding="ascii") as file:
                first = file.readline()
        except OSError:
            return None, False
        if "nfeasible" in first:
            return "infeasible", True
        value = round(float(first.rsplit("value", 1)[1])) if "value" in first else None
        if first.startswith("Optimal"):
            return value, True
        return (value, False) if "no integer solution" not in first else (None, False)


def solve(s, seconds):
    window = [range(s.head[i], s.horizon - s.tail[i] + 1) for i in s.ops]
    rows = [(terms((1, f"x{i}_{t}") for t in window[i]), "=", 1) for i in s.ops]
    for p, c, delay, _ in s.edges:
        rows.append((terms([(t, f"x{c}_{t}") for t in window[c]] +
                           [(-t, f"x{p}_{t}") for t in window[p]]), ">=", delay))
    for i in s.ops:
        rows.append((terms([(1, "m")] + [(-t, f"x{i}_{t}") for t in window[i]]), ">=", s.latency[i]))
    for r, capacity in enumerate(s.capacity):
        for at in range(s.horizon):
            now = [(a, f"x{i}_{t}") for i in s.ops for q, a, n in s.uses[i] if q == r
                   for t in range(max(at - n + 1, window[i].start), min(at + 1, window[i].stop))]
            if now:
                rows.append((terms(now), "<=", capacity))
    value, proven = run("m", rows, [f"{s.bound} <= m <= {s.horizon}"],
                        [f"x{i}_{t}" for i in s.ops for t in window[i]], ["m"], seconds)
    if not isinstance(value, int):
        return "unknown", None
    return "optimal" if proven else "feasible", value


def solve_interval(s, interval, seconds):
    most = s.span(interval)
    rows, booleans = [], []
    for i in s.ops:
        if s.uses[i]:
            slots = [f"x{i}_{k}" for k in range(interval)]
            booleans += slots
            rows.append((terms((1, x) for x in slots), "=", 1))
            rows.append((terms([(1, f"t{i}"), (-interval, f"k{i}")] +
                               [(-k, x) for k, x in enumerate(slots) if k]), "=", 0))
    for p, c, delay, distance in s.edges:
        if p != c:
            rows.append((f"t{c} - t{p}", ">=", delay - interval * distance))
    for r, capacity in enumerate(s.capacity):
        for k in range(interval):
            now = [(a, f"x{i}_{(k - j) % interval}") for i in s.ops for q, a, n in s.uses[i]
                   if q == r for j in range(n)]
            if now:
                rows.append((terms(now), "<=", capacity))
    held = [i for i in s.ops if s.uses[i]]
    bounds = [f"0 <= t{i} <= {most * interval - 1}" for i in s.ops] + \
        [f"0 <= k{i} <= {most - 1}" for i in held]
    value, _ = run("t0", rows, bounds, booleans,
                   [f"t{i}" for i in s.ops] + [f"k{i}" for i in held], seconds)
    return None if value is None else value != "infeasible"


statement.main(solve, solve_interval)
