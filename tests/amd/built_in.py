#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every built-in schedule for gfx950 and gfx942, published and derived: what clang makes of its header is audited.

    SWP=path/to/swp tests/amd/built_in.py

The kernels are those of lower_gemm.py and lower_loop.py, with free arithmetic, and with SWP_FULL with pinned one too.
Of a safe schedule the code has no fault, nothing that the audit cannot tell, and every wait and barrier; an unsafe one
shows its faults. So it is with a loop whose ops do not all run in every iteration, but that its arithmetic is pinned, which
clang moves into the blocks that need it, and that its waits are not looked for in the order of the text. The stencil's is pinned where
barriers are raw: clang moves the use of what it reads behind one (docs/c-header.md, "The contract").
"""

import itertools
import os
import shutil
import sys
import tempfile

import kept
import lowered

# All of them, or of each schedule the one with free arithmetic.
MODES = (lowered.PINNED, lowered.FREE) if os.environ.get("SWP_FULL") else (lowered.FREE,)

ROOT = os.path.join(lowered.HERE, "..", "..")
GEMMS = ["pingpong", "fourwave", "single_buffer"]
LOOPS = {name: os.path.join(ROOT, "kernels", f"{name}.yaml")
         for name in ("gemm_tile", "gemm_fragments", "attention_fwd", "stencil")}
BRANCHING = {"conditions": os.path.join(ROOT, "tests", "loops", "conditions.yaml")}
PINNED_WAYS = {("stencil", "published")}
# What is asked of a schedule besides its target.
WAYS = {"published": [], "derived": ["--set", "schedule.sync=derived"], "fenced": ["--set", "machine.barrier=fenced"]}

failures = []
counts = {}


def compiled(name, target, options, folder):
    """The schedule. A loop is for the target that its description names."""
    loops = LOOPS | BRANCHING
    if name in loops:
        with open(loops[name], encoding="utf-8") as file:
            text = file.read().replace("target: mi355x", f"target: {target}")
        path = os.path.join(folder, f"{name}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        words = [path]
    else:
        words = [name, "--target", target]
    status, schedule = lowered.swp("compile", *words, *options, "--format", "json")
    if not isinstance(schedule, dict):
        failures.append(f"{name} for {target}: not compiled: {status}: {schedule.splitlines()[0]}")
        return None
    return schedule


def check(name, target, way, folder):
    schedule = compiled(name, target, WAYS[way], folder)
    if not schedule:
        return
    _, verdict = lowered.swp("verify", "-", "--format", "json", text=lowered.json.dumps(schedule))
    for mode in (lowered.PINNED,) if name in BRANCHING or (name, way) in PINNED_WAYS else MODES:
        what = f"{name} for {target}, {way}, {mode}"
        try:
            report = lowered.audited(schedule, folder, mode)
        except lowered.Unlowerable as why:
            failures.append(f"{what}: {why}")
            continue
        answer = report["answer"]
        counts[verdict["safe"], answer] = counts.get((verdict["safe"], answer), 0) + 1
        if answer != ("no_fault" if verdict["safe"] else "fault"):
            detail = report["findings"][0]["detail"] if report["findings"] else ""
            failures.append(f"{what}: safe is {verdict['safe']}, the code has {answer}: {detail}")
        if verdict["safe"] and name not in BRANCHING:
            failures.extend(f"{what}: {lack}" for lack in kept.lost(schedule, os.path.join(folder, f"{mode}.s")))


def main():
    if not shutil.which(lowered.CLANG):
        print(f"amd.built_in: no {lowered.CLANG}: nothing is compiled")
        return 77
    cases = [*itertools.product(GEMMS, lowered.PROCESSORS, ["published", "derived"]),
             *itertools.product(LOOPS | BRANCHING, lowered.PROCESSORS, ["published", "fenced"])]
    for name, target, way in cases:
        with tempfile.TemporaryDirectory() as folder:
            check(name, target, way, folder)
    for (safe, answer), count in sorted(counts.items()):
        print(f"{count:4}  {'safe' if safe else 'unsafe'}: {answer}")
    for failure in failures:
        print(f"FAIL {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
