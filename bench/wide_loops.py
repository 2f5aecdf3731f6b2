#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GEMM loops of n x n MMAs whose fragments have one slot, and messier loops: intervals, and cycles beside their bounds.

    SWP=path/to/swp bench/wide_loops.py [--sides 4,5,...] [--every N [--skip N]] [--kinds gemm,messy,unequal,counters]
                                        [--at-most INTERVAL,CYCLES] [--limit OPTION...]

A loop has n + n loads to shared memory, n + n loads of fragments and n x n MMAs; the order of the MMAs decides how long
each fragment lives. In the loops of kind `unequal` accesses of all latencies and counts share the counters, which are no
units; those of kind `counters` are from counter_loops.py. Prints for each loop its bound, the interval, the cycles an iteration in
`swp simulate` with the derived waits and barriers, beside the bound and beside what `swp compile` says that no order does it in,
and the seconds of the compilation; then the geometric means of these ratios.
With `--at-most` the exit status is 1 if a loop takes more than so many times its bound. `--write FOLDER` only writes
the loops. What follows `--limit` goes to `swp compile`.
"""

import argparse
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

import counter_loops

HERE = os.path.dirname(os.path.abspath(__file__))
SWP = os.environ.get("SWP", os.path.join(HERE, "..", "build", "release", "swp"))
MESSY = 20
UNEQUAL = 20
COUNTERS = 6  # of each kind

# Latency of a load, of a fragment, of an MMA; slots in shared memory; counters as units; units of memory.
COSTS = [(400, 64, 16), (700, 96, 32), (1200, 200, 64), (700, 128, 24), (1200, 64, 32), (400, 200, 64)]
SLOTS = [2, 3, 4]
UNITS = [(True, True), (True, False), (False, True), (False, False)]


def value(name, space, slots=None):
    own = "" if slots is None else f", slots: {slots}"
    return f"    - {{value: {name}, space: {space}, bytes: 4096{own}}}"


def op(name, uses, latency, counter, dataflow):
    held = f"uses: {{{', '.join(f'{unit}: {held}' for unit, held in uses.items())}}}, " if uses else ""
    counted = f"completion: counter, accesses: {counter}, " if counter else ""
    return f"    - {{op: {name}, {held}latency: {latency}, {counted}{dataflow}}}"


def loop(name, units, values, ops):
    capacities = ", ".join(f"{unit}: {capacity}" for unit, capacity in units.items())
    return "\n".join(["swp: 1", f"name: {name}", "target: mi355x", "loop:", f"  units: {{{capacities}}}",
                      "  values:", *values, "  ops:", *ops]) + "\n"


def units_of(counters, memory):
    units = {"mma_unit": 1}
    if memory:
        units.update(global_mem=1, lds=1)
    if counters:
        units.update(vmcnt=63, lgkmcnt=15)
    return units


def gemm(n, costs, slots, units):
    """The text of a loop, and its name."""
    load, fragment, mma = costs
    counters, memory = units
    name = f"gemm{n}_{load}_{fragment}_{mma}_s{slots}{'_counters' * counters}{'_memory' * memory}"
    load_uses, fragment_uses = {}, {}
    if memory:
        load_uses["global_mem"], fragment_uses["lds"] = 30, 20
    if counters:
        load_uses["vmcnt"], fragment_uses["lgkmcnt"] = [2, load], [4, fragment]
    tiles = [f"{side}{i}" for side in "AB" for i in range(n)]
    values = [value(t, "shared", [1, slots]) for t in tiles] + [value(t.lower(), "registers", 1) for t in tiles]
    ops = [op(f"LOAD_{t}", load_uses, load, 2, f"writes: [{t}]") for t in tiles]
    ops += [op(f"FRAG_{t}", fragment_uses, fragment, 4, f"reads: [{t}], writes: [{t.lower()}]") for t in tiles]
    for i, j in itertools.product(range(n), repeat=2):
        values.append(value(f"c{i}_{j}", "registers"))
        ops.append(op(f"MMA_{i}_{j}", {"mma_unit": mma}, mma, 0, f"reads: [a{i}, b{j}], updates: [c{i}_{j}]"))
    return name, loop(name, units_of(counters, memory), values, ops)


def messy(seed):
    """Loops that are no GEMM: unequal costs, some values with two slots, sums of three, work of another unit between."""
    r = random.Random(seed)
    name = f"messy{seed}"
    units = units_of(r.random() < 0.5, True)
    units["valu"] = 1
    tiles = [f"T{i}" for i in range(r.randint(4, 10))]
    values, ops, made = [], [], []
    for t in tiles:
        values += [value(t, "shared", [1, r.randint(2, 4)]), value(t.lower(), "registers", 1 + (r.random() < 0.2))]
        latency, accesses = r.randrange(300, 1300, 50), r.randint(1, 3)
        uses = {"global_mem": r.randint(10, 40)}
        if "vmcnt" in units:
            uses["vmcnt"] = [accesses, latency]
        ops.append(op(f"LOAD_{t}", uses, latency, accesses, f"writes: [{t}]"))
    for t in tiles:
        latency, accesses = r.randrange(40, 240, 8), r.randint(1, 5)
        uses = {"lds": r.randint(8, 32)}
        if "lgkmcnt" in units:
            uses["lgkmcnt"] = [accesses, latency]
        ops.append(op(f"FRAG_{t}", uses, latency, accesses, f"reads: [{t}], writes: [{t.lower()}]"))
    for k in range(r.randint(2, 6)):
        made.append(f"x{k}")
        values.append(value(made[-1], "registers", 1))
        latency = r.randint(4, 40)
        ops.append(op(f"EXPAND_{k}", {"valu": latency}, latency, 0, f"reads: [{r.choice(tiles).lower()}], writes: [x{k}]"))
    for k in range(r.randint(15, 60)):
        cycles = r.choice([16, 24, 32, 64])
        reads = ", ".join(r.sample([t.lower() for t in tiles] + made, r.choice([2, 2, 2, 3])))
        values.append(value(f"c{k}", "registers"))
        ops.append(op(f"MMA_{k}", {"mma_unit": cycles}, cycles + r.choice([0, 0, 8]), 0, f"reads: [{reads}], updates: [c{k}]"))
    for k in range(r.randint(0, 4)):
        values += [value(f"y{k}", "registers", 1), value(f"z{k}", "registers")]
        latency = r.randint(8, 40)
        ops.append(op(f"SCALE_{k}", {"valu": latency}, latency, 0, f"reads: [{r.choice(made)}], writes: [y{k}]"))
        ops.append(op(f"SUM_{k}", {"valu": 8}, 8, 0, f"reads: [y{k}], updates: [z{k}]"))
    return name, loop(name, units, values, ops)


def unequal(seed):
    """GEMMs whose tiles take unequally long, by several accesses each, on counters that the loop does not name."""
    r = random.Random(seed)
    name = f"unequal{seed}"
    rows, columns, slots = r.randint(2, 6), r.randint(2, 6), r.randint(2, 4)
    tiles = [f"A{i}" for i in range(rows)] + [f"B{j}" for j in range(columns)]
    loads = {side: (r.randrange(150, 900, 50), r.randint(1, 3)) for side in "AB"}
    fragments = {t: (r.randrange(40, 160, 8), r.randint(1, 5)) for t in tiles}
    # The largest value of lgkmcnt alone must not hold the loop.
    least = sum(latency * accesses for latency, accesses in fragments.values()) / 15 / 0.8
    mma = max(16, math.ceil(least / (rows * columns) / 8) * 8)
    values = [value(t, "shared", [1, slots]) for t in tiles] + [value(t.lower(), "registers", 1) for t in tiles]
    ops = [op(f"LOAD_{t}", {"global_mem": 10}, loads[t[0]][0], loads[t[0]][1], f"writes: [{t}]") for t in tiles]
    ops += [op(f"FRAG_{t}", {"lds": 8}, *fragments[t], f"reads: [{t}], writes: [{t.lower()}]") for t in tiles]
    for i, j in itertools.product(range(rows), range(columns)):
        values.append(value(f"c{i}_{j}", "registers"))
        ops.append(op(f"MMA_{i}_{j}", {"mma_unit": mma}, mma, 0, f"reads: [a{i}, b{j}], updates: [c{i}_{j}]"))
    return name, loop(name, units_of(False, True), values, ops)


def loops(sides, kinds):
    if "gemm" in kinds:
        for n, costs, slots, units in itertools.product(sides, COSTS, SLOTS, UNITS):
            yield gemm(n, costs, slots, units)
    if "messy" in kinds:
        for seed in range(MESSY):
            yield messy(seed)
    if "unequal" in kinds:
        for seed in range(UNEQUAL):
            yield unequal(seed)
    if "counters" in kinds:
        yield from counter_loops.loops(COUNTERS)


def measure(text, limit):
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "loop.yaml"), os.path.join(folder, "loop.json")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        began = time.monotonic()
        made = subprocess.run([SWP, "compile", source, "--format", "json", "-o", out, *limit],
                              capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        if made.returncode not in (0, 3):
            return {"seconds": seconds, "error": made.stderr.splitlines()[0] if made.stderr else str(made.returncode)}
        with open(out, encoding="utf-8") as file:
            schedule = json.load(file)
        run = subprocess.run([SWP, "simulate", out, "--format", "json"], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return {"seconds": seconds, "error": run.stderr}
        cycles = json.loads(run.stdout)["cycles_per_pass"] / schedule["loop"]["tiles_per_pass"]
    pipeline = schedule["pipeline"]
    refuted = pipeline["orders"]["refuted"] if pipeline.get("orders") else 0
    # Of what an order is refuted in, any more would do, be it a part of a cycle.
    return {"bound": pipeline["bound"], "interval": pipeline["interval"], "cycles": cycles,
            "least": max(pipeline["bound"], refuted), "seconds": seconds}


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sides", default="4,5,6,7,8,9,10")
    parser.add_argument("--kinds", default="gemm,messy,unequal,counters")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--at-most", default="inf,inf")
    parser.add_argument("--write")
    parser.add_argument("--limit", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args()
    chosen = list(loops([int(n) for n in options.sides.split(",")], options.kinds.split(",")))
    chosen = chosen[options.skip::options.every]
    if options.write:
        os.makedirs(options.write, exist_ok=True)
        for name, text in chosen:
            with open(os.path.join(options.write, name + ".yaml"), "w", encoding="utf-8") as file:
                file.write(text)
        return 0
    return report(chosen, options)


def report(chosen, options):
    most_interval, most_cycles = map(float, options.at_most.split(","))
    intervals, cycles, of_least, failed = [], [], [], False
    print(f"{'loop':45} {'bound':>6} {'interval':>8} {'':>6} {'cycles':>8} {'':>6} {'orders':>6} {'':>6} {'seconds':>7}")
    for name, text in chosen:
        found = measure(text, options.limit)
        if "error" in found:
            failed = True
            print(f"{name:45} {found['error']}", flush=True)
            continue
        intervals.append(found["interval"] / found["bound"])
        cycles.append(found["cycles"] / found["bound"])
        of_least.append(found["cycles"] / found["least"])
        failed |= intervals[-1] > most_interval or cycles[-1] > most_cycles
        print(f"{name:45} {found['bound']:6} {found['interval']:8} {intervals[-1]:6.3f} {found['cycles']:8.1f} "
              f"{cycles[-1]:6.3f} {found['least']:6} {of_least[-1]:6.3f} {found['seconds']:7.2f}", flush=True)
    print(f"{len(intervals)} loops: interval {mean(intervals):.4f} of the bound, at worst "
          f"{max(intervals, default=math.nan):.3f}; synchronised {mean(cycles):.4f}, at worst {max(cycles, default=math.nan):.3f}; "
          f"of what no order does {mean(of_least):.4f}, at worst {max(of_least, default=math.nan):.3f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
