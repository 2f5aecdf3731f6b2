# SPDX-License-Identifier: Apache-2.0
"""Independent reference implementation of the schedules, for differential tests.

    python3 oracle.py KERNEL [--set key=value]...   one schedule as JSON
    python3 oracle.py --batch FILE                  lines [kernel, {"path": value}]
    python3 oracle.py --bodies FILE                 lines {"ops", "edges", "call", ...}

A FILE of - is standard input. A configuration that is an error gives {"error": ...} and, for
a single schedule, exit status 1. In a --batch file a line that is an object is a body too.
"""

import json
import sys

from kernels import compile_kernel
from ops import NONE, Edge, Op, SpecError
from schedulers import (NO_VGPR_LIMIT, LoopBody, evaluate_schedule, greedy_schedule,
                        lower_bound, optimal_schedule, optimal_schedule_with_halves,
                        simple_greedy_schedule)


def _body_of(case):
    """Ops and edges of a user's own body; enums are numbers, defaults those of docs/settings.md."""
    ops = []
    for given in case["ops"]:
        ops.append(Op(tag=given.get("tag", 0), stage=given.get("stage", 0),
                      subtile=given.get("subtile", 0), k=given.get("k", NONE),
                      channel=given.get("channel", -1), role=given.get("role", NONE),
                      resource=given.get("resource", NONE), latency=given.get("latency", 0),
                      vgpr_def=given.get("vgpr_def", 0), vgpr_kill=given.get("vgpr_kill", 0)))
    return LoopBody(ops, [Edge(*edge) for edge in case.get("edges", [])])


def solve_body(case):
    """One line of the bodies mode."""
    call, penalty = case["call"], case.get("lds_contention_penalty", 0)
    max_vgpr, globals_ = case.get("max_vgpr", NO_VGPR_LIMIT), case.get("max_globals_per_block", 0)
    per_half = case.get("blocks_per_half") or None
    if min(penalty, max_vgpr, globals_, per_half or 1) < 0:
        raise SpecError("negative count or limit")
    loop = _body_of(case)
    if call == "optimal":
        penalty = 0
        order = optimal_schedule(loop, max_vgpr)
    elif call == "optimal_with_halves":
        order = optimal_schedule_with_halves(loop, globals_, penalty, max_vgpr, per_half)
    elif call == "greedy":
        order = greedy_schedule(loop, per_half)
    elif call == "simple_greedy":
        order = simple_greedy_schedule(loop)
    else:
        raise SpecError(f"unknown call {call}")
    makespan, peak = evaluate_schedule(loop, order, penalty)
    return {"order": order, "makespan": makespan, "vgpr_peak": peak,
            "lower_bound": lower_bound(loop, penalty)}


def answer(case):
    """The result of one batch line, errors of the specification included."""
    try:
        return solve_body(case) if isinstance(case, dict) else compile_kernel(*case)
    except SpecError as error:
        return {"error": str(error)}


def run_batch(path):
    """One JSON result per line of the file."""
    with (sys.stdin if path == "-" else open(path, encoding="utf-8")) as lines:
        for line in lines:
            if line.strip():
                print(json.dumps(answer(json.loads(line))), flush=True)


def main(arguments):
    if len(arguments) == 2 and arguments[0] in ("--batch", "--bodies"):
        run_batch(arguments[1])
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    settings, rest = {}, arguments[1:]
    while rest:
        if rest[0] != "--set" or len(rest) < 2 or "=" not in rest[1]:
            print(__doc__, file=sys.stderr)
            return 2
        path, _, value = rest[1].partition("=")
        settings[path] = value
        rest = rest[2:]
    outcome = answer([arguments[0], settings])
    print(json.dumps(outcome))
    return 1 if "error" in outcome else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
