#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Solves a problem that needs the SAT solver in less and less address space.

    malloc/limit.py SWP

SWP must be built without sanitizers. Each run gives an answer that is true, if not the best, or says
that memory ran out; none ends by a signal.
"""

import json
import random
import resource
import subprocess
import sys

WORK = 6000
MEBIBYTE = 1 << 20


def problem():
    """Project scheduling, 60 ops in layers: large enough that the formula fills some 50 MiB."""
    draw = random.Random(9)
    ops = [{"name": f"op{i}", "latency": cycles, "uses": [
        {"resource": r, "amount": draw.randint(1, 7), "cycles": cycles} for r in ("a", "b", "c")]}
        for i in range(60) for cycles in [draw.randint(1, 10)]]
    edges = [{"producer": draw.randrange(max(0, i - 12), i), "consumer": i, "distance": 0}
             for i in range(1, 60) for _ in range(2)]
    return json.dumps({"swp": 1, "name": "hard", "problem": "makespan", "ops": ops, "edges": edges,
                       "resources": [{"name": r, "capacity": 14} for r in ("a", "b", "c")]})


def solve(swp, text, mebibytes):
    def limit():
        if mebibytes:
            resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MEBIBYTE,) * 2)
    return subprocess.run([swp, "solve", "-", "--format", "json", "--work-limit", str(WORK)],
                          input=text, capture_output=True, text=True, check=False, preexec_fn=limit)


def judge(result, best):
    """What is wrong with a run, or None."""
    if result.returncode == 2:
        return None if "E0001" in result.stderr else f"it says {result.stderr!r}"
    if result.returncode not in (0, 3):
        return f"exit status {result.returncode}: {result.stderr!r}"
    answer = json.loads(result.stdout)
    if answer["bound"] > best["value"] or (answer["times"] and answer["value"] < best["bound"]):
        return f"{answer['bound']} to {answer['value']}, not {best['bound']} to {best['value']}"
    return None


def main(swp):
    text = problem()
    best = json.loads(solve(swp, text, 0).stdout)
    failures = short = runs = 0
    for mebibytes in list(range(10, 60, 5)) + [80, 160]:
        result = solve(swp, text, mebibytes)
        wrong = judge(result, best)
        failures += wrong is not None
        short += result.returncode == 2 or json.loads(result.stdout)["work"] < best["work"]
        runs += 1
        if wrong:
            print(f"FAIL with {mebibytes} MiB: {wrong}")
    print(f"memory: {runs} runs, {short} cut short by memory, {failures} failures")
    return 1 if failures or not 0 < short < runs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
