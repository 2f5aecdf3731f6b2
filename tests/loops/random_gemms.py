#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random GEMM loops against the same loops with an op that has nothing to do with them: the same pipelines.

    SWP=path/to/swp loops/random_gemms.py FIRST..LAST|SEED...

A GEMM has 1 to 4 tiles of A and of B. The op beside it has a unit and a register of its own, so what is proven least of
both loops is the same, and nothing is below what is proven of the other. It also costs the search some steps, so a search
that the work limit ends may find other things. So both are compiled with 2,000 steps. Where not all is proven, neither the
interval nor slots and stages, it is done again with 20,000, and where the intervals then differ with 200,000. At each
limit the figures of both are compared up to the first that is not proven, and each interval with the other's bound; with
200,000 steps intervals must be the same, proven or not. What a search that was ended says that it found is what it gives
out. Prints the seed of each loop that differs, and the loop.
"""

import collections
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

SWP = os.environ.get("SWP", "build/release/swp")
WORK_LIMITS = (2000, 20000)
MOST_WORK = 200000  # of what less of it leaves apart
MOST_SIDE = 4
OTHER = {"value": {"value": "other", "space": "registers"},
         "op": {"op": "OTHER", "uses": {"other_unit": 1}, "latency": 1, "updates": ["other"]}}


def choose_slots(r):
    most = r.randint(1, 4)
    return r.choice((most, [1, most]))


def choose_costs(r):
    """What an op of each kind uses, and its latency."""
    load, read, mma = r.randint(20, 800), r.randint(5, 100), r.randint(4, 64)
    return {"load": {"latency": load, "completion": "counter", "accesses": r.randint(1, 4),
                     "uses": {"global_mem": r.randint(0, 40), "vmcnt": [r.randint(1, 4), load]}},
            "read": {"latency": read, "completion": "counter", "accesses": r.randint(1, 8),
                     "uses": {"lds": r.randint(0, 30), "lgkmcnt": [r.randint(1, 8), read]}},
            "mma": {"latency": mma + r.choice((0, 0, 8)), "uses": {"mma_unit": mma}}}


def choose_loop(seed):
    r = random.Random(seed)
    sides = {"A": r.randint(1, MOST_SIDE), "B": r.randint(1, MOST_SIDE)}
    costs = choose_costs(r)
    values, loads, reads, mmas = [], [], [], []
    bytes_of = {side: r.choice((64, 1024, 4096)) for side in sides}
    slots = choose_slots(r)
    for side, count in sides.items():
        for i in range(count):
            own = choose_slots(r) if r.random() < 0.2 else slots
            values.append({"value": f"{side}{i}", "space": "shared", "bytes": bytes_of[side], "slots": own})
            values.append({"value": f"{side.lower()}{i}", "space": "registers", "bytes": 16,
                           "slots": 1 if r.random() < 0.8 else [1, 2]})
            loads.append({"op": f"LOAD_{side}{i}", **costs["load"], "writes": [f"{side}{i}"]})
            reads.append({"op": f"READ_{side}{i}", **costs["read"], "reads": [f"{side}{i}"],
                          "writes": [f"{side.lower()}{i}"]})
    for row in range(sides["A"]):
        for column in range(sides["B"]):
            values.append({"value": f"c{row}{column}", "space": "registers", "bytes": 64})
            mmas.append({"op": f"MMA_{row}{column}", **costs["mma"], "reads": [f"a{row}", f"b{column}"],
                         "updates": [f"c{row}{column}"]})
    if r.random() < 0.5:
        r.shuffle(mmas)
    units = {"global_mem": 1, "lds": 1, "mma_unit": r.choice((1, 1, 2)), "vmcnt": 63, "lgkmcnt": 15}
    loop = {"units": units, "values": values, "ops": loads + reads + mmas}
    if r.random() < 0.3:
        least = sum(v["bytes"] * (v["slots"] if isinstance(v["slots"], int) else 1)
                    for v in values if v["space"] == "shared")
        loop["shared_bytes"] = round(least * r.uniform(1, 2.5))
    return loop


def with_other(loop):
    return {**loop, "units": {**loop["units"], "other_unit": 1}, "values": [*loop["values"], OTHER["value"]],
            "ops": [*loop["ops"], OTHER["op"]]}


def description(loop):
    head = {"swp": 1, "name": "gemm", "target": "mi355x", "loop": loop}
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in head.items())


def pipeline_of(loop, work):
    """(the pipeline with `labels`, the kinds of the ops in the body; what was said)"""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(description(loop))
        file.flush()
        result = subprocess.run([SWP, "compile", file.name, "--format", "json", "--work-limit", str(work)],
                                capture_output=True, text=True, check=False)
    if result.returncode not in (0, 3):
        return None, result.stderr
    schedule = json.loads(result.stdout)
    return {**schedule["pipeline"], "labels": {op["role"] for op in schedule["body"]}}, result.stderr


def figures(pipeline):
    """(name, value, whether it is proven least given those before it)"""
    found = [("interval", pipeline["interval"], pipeline["proven"])]
    return found + [(o["name"], o["value"], o["proven"]) for o in pipeline["objectives"]]


def is_given_out(pipeline, said):
    """Whether a search that was ended gives out the interval that it says it found."""
    found = re.search(r"\[W0401\].*: interval (\d+),", said)
    return not found or int(found[1]) == pipeline["interval"]


def compare(alone, beside):
    """(what is wrong or None, whether all is proven)"""
    if alone["labels"] != {"global_load", "fragment_load", "compute"} or beside["labels"] != {"none"}:
        return f"labelled as {alone['labels']}, and {beside['labels']} beside another op", True
    if alone["interval"] < beside["bound"] or beside["interval"] < alone["bound"]:
        return "an interval is below a bound", True
    for (name, one, one_proven), (_, other, other_proven) in zip(figures(alone), figures(beside)):
        if not one_proven or not other_proven:
            return None, False
        if one != other:
            return f"{name} is {one}, and {other} beside another op", True
    return None, True


def compare_within(seed, work):
    """(what is wrong or None, whether all is proven, what the intervals are) with this work limit"""
    loop = choose_loop(seed)
    (alone, said), (beside, said_beside) = pipeline_of(loop, work), pipeline_of(with_other(loop), work)
    if not alone or not beside:
        return f"no schedule: {said}{said_beside}", False, "missing"
    intervals = ("proven" if alone["proven"] and beside["proven"] else
                 "the same" if alone["interval"] == beside["interval"] else "apart")
    if not is_given_out(alone, said) or not is_given_out(beside, said_beside):
        return f"another interval than was found: {alone['interval']}: {said}", False, intervals
    wrong, proven = compare(alone, beside)
    if not wrong and intervals == "apart" and work == MOST_WORK:
        wrong = f"after {work} steps the interval is {alone['interval']}, and {beside['interval']} beside another op"
    return wrong, proven, intervals


def check(seed):
    """(seed, what is wrong or None, the work limit within which all is proven or None, what the intervals are)"""
    for work in (*WORK_LIMITS, MOST_WORK):
        wrong, proven, intervals = compare_within(seed, work)
        if wrong or proven:
            return seed, wrong, work if proven else None, intervals
        if work == WORK_LIMITS[-1] and intervals != "apart":
            break
    return seed, None, None, intervals


def main():
    seeds = []
    for word in sys.argv[1:]:
        first, _, last = word.partition("..")
        seeds += range(int(first), int(last or first) + 1)
    if not seeds:
        sys.exit(__doc__.splitlines()[2].strip())
    limits, kinds = collections.Counter(), collections.Counter()
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for seed, wrong, work, intervals in pool.map(check, seeds):
            limits[work] += 1
            kinds[intervals] += 1
            failures += wrong is not None
            if wrong:
                print(f"seed {seed}: {wrong}\n{description(choose_loop(seed))}")
    everything = ", ".join(f"{limits[work]} within {work} steps" for work in (*WORK_LIMITS, MOST_WORK))
    print(f"loops: {len(seeds)} random GEMMs and the same beside another op, {failures} differ where they must not; "
          f"intervals: {', '.join(f'{number} {kind}' for kind, number in kinds.most_common())}; "
          f"everything proven: {everything}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
