#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random loops, each valid by docs/loops.md: every one compiles to a schedule.

    SWP=path/to/swp loops/random_loops.py [COUNT [SEED]]

Prints the seed of each loop that does not, and the loop; SEED alone replays it with COUNT 1.
"""

import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

SWP = os.environ.get("SWP", "build/release/swp")
MOST_SLOTS = 3


def choose_values(r):
    values = []
    for v in range(r.randint(1, 3)):
        value = {"value": f"v{v}", "space": r.choice(("shared", "registers")),
                 "bytes": r.choice((0, 2, 1024, 16384))}
        if r.random() < 0.8:
            least = r.randint(1, MOST_SLOTS)
            value["slots"] = r.choice((least, [least, r.randint(least, MOST_SLOTS)]))
        values.append(value)
    return values


def most_slots(value):
    """Of an unbounded value few are asked for, so that its searches stay short."""
    slots = value.get("slots", MOST_SLOTS)
    return slots[1] if isinstance(slots, list) else slots


def choose_makers(r, ops, values):
    """(first, last) op that makes each value; an op writes or updates it, later ones may update it."""
    makers = {}
    for v, value in enumerate(values):
        if r.random() < 0.15:
            continue
        first = r.randrange(len(ops))
        # An update of a shared value reads what other waves write: only some orders of it can be right.
        is_shared = value["space"] == "shared"
        how = "writes" if is_shared else r.choice(("writes", "updates"))
        ops[first].setdefault(how, []).append(value["value"])
        makers[v] = [first]
        last = r.randrange(len(ops))
        if last > first and not is_shared and r.random() < 0.3:
            ops[last].setdefault("updates", []).append(value["value"])
            makers[v].append(last)
    return makers


def choose_reads(r, ops, values, makers):
    for index, op in enumerate(ops):
        for v, value in enumerate(values):
            if r.random() < 0.65:
                continue
            made = makers.get(v)
            if made is None:
                op.setdefault("reads", []).append(value["value"])
                continue
            least = 0 if made[0] < index else 1
            most = most_slots(value) - 1
            if least > most or "updates" in op and value["value"] in op["updates"] and least == 0:
                continue
            before = r.randint(least, min(most, 2) if most >= least else least)
            op.setdefault("reads", []).append({"value": value["value"], "before": before} if before
                                              else value["value"])


AMD = {"group": "counter", "mbarrier": "counter", "copy_group": "vmcnt", "copy_mbarrier": "vmcnt",
       "matrix_group": "lgkmcnt", "matrix_mbarrier": "lgkmcnt"}
SM_90 = {"vmcnt": "copy_group", "lgkmcnt": "matrix_group", "matrix_mbarrier": "copy_mbarrier"}
SM_80 = {**SM_90, "lgkmcnt": "copy_group", "matrix_group": "copy_group"}
INSTEAD = {"mi355x": AMD, "mi300x": AMD, "sm_80": SM_80, "sm_90": SM_90}


def suit(target, ops, values):
    """What the target does not have becomes what it has."""
    shared = {value["value"] for value in values if value["space"] == "shared"}
    for op in ops:
        reads = [read["value"] if isinstance(read, dict) else read for read in op.get("reads", [])]
        touched = shared & set(reads + op.get("updates", []))
        named = ("matrix_" if touched else "copy_") + op["completion"]
        if op["completion"] in ("group", "mbarrier") and named in INSTEAD[target]:
            op["completion"] = named
        op["completion"] = INSTEAD[target].get(op["completion"], op["completion"])


STATED = {"counter": ("vmcnt", "lgkmcnt"), "group": ("copy_group", "matrix_group"),
          "mbarrier": ("copy_mbarrier", "matrix_mbarrier")}


def state_counters(r, ops, values):
    """What works from registers alone and makes something says what counts it."""
    shared = {value["value"] for value in values if value["space"] == "shared"}
    for op in ops:
        reads = [read["value"] if isinstance(read, dict) else read for read in op.get("reads", [])]
        reads += op.get("updates", [])
        made = op.get("writes", []) + op.get("updates", [])
        if op["completion"] in STATED and reads and made and not shared & set(reads):
            op["completion"] = r.choice(STATED[op["completion"]])


def choose_loop(seed):
    r = random.Random(seed)
    units = {f"u{u}": r.randint(1, 3) for u in range(r.randint(0, 3))}
    values = choose_values(r)
    ops = []
    for o in range(r.randint(1, 4)):
        op = {"op": f"o{o}", "latency": r.choice((0, 1, 4, 20, 200)),
              "completion": r.choice(("none", "counter", "group", "mbarrier"))}
        if op["completion"] == "none":
            op["latency"] = min(op["latency"], 20)
        if units and r.random() < 0.8:
            op["uses"] = {u: r.choice((r.randint(1, 8), [r.randint(1, units[u]), r.randint(1, 8)]))
                          for u in r.sample(sorted(units), r.randint(1, len(units)))}
        if r.random() < 0.3:
            op["accesses"] = r.randint(1, 4)
        ops.append(op)
    makers = choose_makers(r, ops, values)
    choose_reads(r, ops, values, makers)
    state_counters(r, ops, values)
    loop = {"values": values, "ops": ops}
    if units:
        loop["units"] = units
    target = r.choice(sorted(INSTEAD))
    suit(target, ops, values)
    return {"swp": 1, "name": f"random{seed}", "target": target, "loop": loop}


def compile_one(seed):
    text = "".join(f"{key}: {json.dumps(value)}\n" for key, value in choose_loop(seed).items())
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        words = [SWP, "compile", file.name, "--work-limit", "1000", "--time-limit", "20"]
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        simulated = subprocess.run([SWP, "simulate", *words[2:]], capture_output=True, text=True, check=False)
    return seed, text, result, simulated


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    failed = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for seed, text, result, simulated in pool.map(compile_one, range(first, first + count)):
            for what, got in (("compile", result), ("simulate", simulated)):
                if got.returncode in (0, 3):
                    continue
                error = got.stderr.strip().split("\n")[0]
                failed.setdefault(error.split("]")[0][-5:], []).append(seed)
                if len(failed) < 4 or len(sys.argv) > 2:
                    print(f"seed {seed}: {what}: {got.stderr}\n{text}")
    for code, seeds in sorted(failed.items()):
        print(f"{code}: {len(seeds)}: seeds {sorted(set(seeds))[:20]}")
    print(f"loops: {count} random loops, {sum(map(len, failed.values()))} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
