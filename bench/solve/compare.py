#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp solve` beside general solvers on the same problems, one after the other on one core.

    SWP=path/to/swp bench/solve/compare.py [--seconds S] [--every N] [--only SOLVER,...] FILE...

FILE holds a problem a line. Prints, for each group of problems, how many each solver proved optimal
within the limit (10 s) and the geometric mean of the times; a problem that is not solved counts as
the limit, and none less than a millisecond. Times are those of the processor, so that a busy machine
changes little; a solver that watches the clock instead gets six times the limit for that. Those of
the other solvers include their model but not the start of Python. Z3, CBC and MiniZinc with Gecode are Debian's (python3-z3, coinor-cbc,
minizinc); ORTOOLS_PYTHON names a Python that has OR-tools (pip install ortools). A solver that is
not there is named and left out. Values that disagree end the run with status 1.
"""

import argparse
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SWP = os.environ.get("SWP", os.path.join(HERE, "..", "..", "build", "release", "swp"))
PYTHON = os.environ.get("DEBIAN_PYTHON", "/usr/bin/python3")
ORTOOLS = os.environ.get("ORTOOLS_PYTHON", sys.executable)
LEAST_SECONDS = 0.001
# For solvers that measure their limit by the clock, on a machine that is busy with other things too.
CLOCK_FACTOR = 6


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True,
                          check=False).returncode == 0


def solvers(only):
    found = {
        "swp": True,
        "cp_sat": has_module(ORTOOLS, "ortools"),
        "gecode": shutil.which("minizinc") is not None,
        "z3": has_module(PYTHON, "z3"),
        "cbc": shutil.which("cbc") is not None,
    }
    for name, there in found.items():
        if not there:
            print(f"{name} is not installed and left out", file=sys.stderr)
    return [name for name, there in found.items() if there and (not only or name in only)]


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask(solver, line, seconds):
    """Status, value and processor seconds."""
    clock = str(CLOCK_FACTOR * seconds)
    if solver == "swp":
        command = [SWP, "solve", "-", "--format", "json", "--time-limit", clock]
    else:
        command = [ORTOOLS if solver == "cp_sat" else PYTHON,
                   os.path.join(HERE, f"with_{solver}.py"), clock]
    limit = math.ceil(seconds) + 1  # and a second to start Python
    before = children_seconds()
    try:
        result = subprocess.run(
            command, input=line, capture_output=True, text=True, check=False,
            timeout=2 * CLOCK_FACTOR * seconds,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
        if "Traceback" in result.stderr:
            sys.exit(f"{solver}: {result.stderr}")
        answer = json.loads(result.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return "stopped", None, seconds
    used = children_seconds() - before if solver == "swp" else answer["seconds"]
    return answer["status"] if used <= seconds else "stopped", answer["value"], used


def group_of(problem):
    if problem["problem"] == "modulo":
        return "modulo"
    return re.match(r"(j(?:30|60|90|120))|", problem["name"])[1] or "makespan"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    names = solvers([name for name in options.only.split(",") if name])
    lines = []
    for path in options.files:
        with open(path, encoding="utf-8") as file:
            lines += [line for line in file if line.strip()]
    rows, wrong = {}, 0
    for line in lines[::options.every]:
        problem = json.loads(line)
        proven = {}
        for solver in names:
            status, value, seconds = ask(solver, line, options.seconds)
            solved = status == "optimal"
            if solved:
                proven[solver] = value
            taken = min(options.seconds, max(LEAST_SECONDS, seconds)) if solved else options.seconds
            rows.setdefault(group_of(problem), {}).setdefault(solver, []).append((solved, taken))
        print(problem["name"], *(f"{s}={v}" for s, v in proven.items()), file=sys.stderr, flush=True)
        if len(set(proven.values())) > 1:
            wrong += 1
            print(f"{problem['name']}: the solvers disagree: {proven}", file=sys.stderr)
    print(f"| problems | {' | '.join(names)} |")
    print(f"| --- |{' --- |' * len(names)}")
    for group, by_solver in rows.items():
        total = len(by_solver[names[0]])
        cells = [f"{sum(s for s, _ in by_solver[name])} in "
                 f"{math.exp(sum(math.log(t) for _, t in by_solver[name]) / total):.3f} s"
                 for name in names]
        print(f"| {group}: {total} | {' | '.join(cells)} |")
    return 1 if wrong else 0


sys.exit(main())
