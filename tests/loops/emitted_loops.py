#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: emitted_loops.py SWP CC: the macros of loops do what the loop says, for every N.

The generated header is compiled with macros that print what they are called with. Each print is then
carried out on slots, in values that are hashes of what made them, and compared with the loop done one
iteration after the other with every version kept.
"""
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
LOOPS = ["gemm_tile", "gemm_fragments", "attention_fwd", "stencil", str(HERE / "conditions.yaml"), str(HERE / "many_conditions.yaml")]
TARGETS = ["mi355x", "sm_90"]
MOST_N = 40


def runs(op, iteration, n):
    """Whether the op does, with the condition that the kernel below gives the header."""
    when = op.get("when", "always")
    if isinstance(when, dict):
        return iteration % when["every"] == when["offset"]
    return {"always": True, "user": iteration * 5 % 7 < 3, "first": iteration == 0, "last": iteration == n - 1,
            "not_first": iteration != 0, "not_last": iteration != n - 1}[when]


def slots_by_hand(dataflow, op, iteration):
    """(value, slot) of what the op makes, and of what it reads, in the header's order."""
    slots = {v["value"]: v["slots"] for v in dataflow["values"]}
    first = {}
    for o in dataflow["ops"]:
        for value in o["writes"] + o["updates"]:
            first.setdefault(value, o["op"])
    makes, sources, calls = [], [], []
    for value in op["writes"]:
        makes.append((value, iteration % slots[value]))
        calls.append(makes[-1])
    for value in op["updates"]:
        before = iteration - (first[value] == op["op"])
        makes.append((value, iteration % slots[value]))
        sources.append((value, before % slots[value]))
        calls.append(makes[-1])
        if first[value] == op["op"] and slots[value] > 1:
            calls.append(sources[-1])
    reads = [(r["value"], (iteration - r["before"]) % slots[r["value"]]) for r in op["reads"]]
    return makes, reads + sources, calls + reads


def one_after_the_other(dataflow, n):
    """What every op of every iteration makes."""
    versions = {}
    made = {v for op in dataflow["ops"] for v in op["writes"] + op["updates"]}

    def version(value, iteration):
        return versions.get((value, iteration), (value, iteration if value in made else 0))

    results = {}
    for i in range(n):
        for op in dataflow["ops"]:
            read = [version(r["value"], i - r["before"]) for r in op["reads"]]
            read += [version(v, i) if (v, i) in versions else version(v, i - 1) for v in op["updates"]]
            if not runs(op, i, n):
                versions.update({(v, i): content for v, content in zip(op["updates"], read[len(op["reads"]):])})
                continue
            results[op["op"], i] = hash((op["op"], i, tuple(read)))
            for value in op["writes"] + op["updates"]:
                versions[value, i] = hash((results[op["op"], i], value))
    return results


def carried_out(dataflow, calls):
    slots = {v["value"]: v["slots"] for v in dataflow["values"]}
    made = {v for op in dataflow["ops"] for v in op["writes"] + op["updates"]}
    ops = {op["op"]: op for op in dataflow["ops"]}
    held = {}
    for value, count in slots.items():
        for version in range(-count, 0):
            held[value, version % count] = (value, version if value in made else 0)
    results = {}
    for name, iteration, *literals in calls:
        makes, reads, expected = slots_by_hand(dataflow, ops[name], iteration)
        assert literals == [slot for _, slot in expected], (name, iteration, literals, expected)
        assert (name, iteration) not in results, f"{name} is done twice for iteration {iteration}"
        results[name, iteration] = hash((name, iteration, tuple(held[place] for place in reads)))
        for value, slot in makes:
            held[value, slot] = hash((results[name, iteration], value))
    return results


def source(prefix, dataflow):
    lines = ["#include <stdio.h>", "#include <stdlib.h>", "#define SWP_WAIT_VM(n) ((void)0)",
             "#define SWP_WAIT_LGKM(n) ((void)0)", "#define SWP_BARRIER() ((void)0)"]
    for op in dataflow["ops"]:
        count = len(slots_by_hand(dataflow, op, 0)[2])
        names = [f"s{i}" for i in range(count)]
        if op.get("when") == "user":
            lines.append(f"#define {prefix}_WHEN_{op['op']}(ctx, i) ((i) * 5 % 7 < 3)")
        lines.append(f"#define {prefix}_{op['op']}(ctx, i{''.join(', ' + n for n in names)}) "
                     f'printf("{op["op"]} %d{" %d" * count}\\n", i{"".join(", " + n for n in names)})')
    lines += ['#include "loop.h"', "int main(int argc, char **argv)", "{", "    (void)argc;",
              f"    {prefix}_RUN(0, atoi(argv[1]), 0);", "    return 0;", "}"]
    return "\n".join(lines) + "\n"


def check(swp, cc, work, loop, target):
    # With one warp group a loop of tensor copies is one role, whose header tests/roles_header carries out.
    options = [loop, "--target", target, *(["--set", "machine.waves_per_group=8"] if target == "sm_90" else []), "--format"]
    schedule = json.loads(subprocess.check_output([swp, "compile", *options, "json"]))
    (work / "loop.h").write_bytes(subprocess.check_output([swp, "emit", *options, "c"]))
    (work / "main.c").write_text(source(schedule["name"].upper(), schedule["dataflow"]))
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.check_call([cc, "-std=gnu11", *warnings, "main.c", "-o", "main"], cwd=work)
    subprocess.check_call([cc, "-x", "c++", "-std=c++17", *warnings, "-c", "main.c", "-o", "main.o"], cwd=work)
    for n in range(MOST_N + 1):
        printed = subprocess.check_output([work / "main", str(n)], text=True)
        calls = [(line.split()[0], *map(int, line.split()[1:])) for line in printed.splitlines()]
        assert carried_out(schedule["dataflow"], calls) == one_after_the_other(schedule["dataflow"], n), \
            f"{loop} for {target}: something else for N = {n}"


def main():
    swp, cc = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for loop, target in itertools.product(LOOPS, TARGETS):
            check(swp, cc, Path(folder), loop, target)


main()
