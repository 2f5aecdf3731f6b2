#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: cycles.py SWP: the table of synchronised loops in docs/loops.md, cycles an iteration."""
import json
import subprocess
import sys

CYCLES = {
    ("gemm_tile", "mi355x"): 512, ("gemm_tile", "sm_90"): 512,
    ("attention_fwd", "mi355x"): 2048, ("attention_fwd", "sm_90"): 2181,
    ("stencil", "mi355x"): 512, ("stencil", "sm_90"): 512,
}

for (loop, target), cycles in CYCLES.items():
    schedule = subprocess.check_output([sys.argv[1], "compile", loop, "--target", target, "--format", "json"])
    figures = subprocess.check_output([sys.argv[1], "simulate", "-", "--format", "json"], input=schedule)
    schedule, figures = json.loads(schedule), json.loads(figures)
    a_pass = figures["cycles_per_pass"]
    found = a_pass / schedule["loop"]["tiles_per_pass"]
    assert found == cycles, f"{loop} for {target}: {found} cycles an iteration, not {cycles}"
    sync = schedule["sync"]
    # Of roles no bound is known but the interval's. Fewer barriers than there are may be possible in a short pass: they cost no cycles.
    assert (sync["cycles"] == sync["bound"] or "roles" in schedule) and sync["cycles"] == a_pass * sync["passes"], (loop, target, sync)
