#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp solve` beside general solvers on the same problems, one after the other on one core.

    SWP=path/to/swp bench/solve/compare.py [--seconds S] [--every N] [--only SOLVER,...]
                                           [--record RESULTS] FILE...

FILE holds a problem a line; `--every N` takes one in N of them. Prints three tables, all from one run:
for each group of problems, how many each solver proved optimal within the limit (10 s) and the
geometric mean of the times; how many were solved within 0.1, 0.3, 1, 3, ... seconds; and the same means by
the number of ops. A problem that is not solved counts as the limit, and none less than a
millisecond. Times are those of the processor, so that a busy machine changes little; a solver that
watches the clock instead gets sixty times the limit for that. Those of the other solvers include their
model but not the start of Python. Z3, CBC and MiniZinc with Gecode are Debian's (python3-z3,
coinor-cbc, minizinc); ORTOOLS_PYTHON names a Python that has OR-tools (pip install ortools). A solver
that is not there is named and left out. With `--record` each result goes to RESULTS, a JSON object a
line, and what is there already is not asked again. Values that disagree end the run with status 1.
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
CLOCK_FACTOR = 60
# Each about three times the one before; the limit is the last.
MOMENTS = [0.1, 0.3, 1, 3, 10, 30, 100]
# The least number of ops of each row.
SIZES = [0, 32, 64, 128, 256]


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


def size_of(problem):
    count = len(problem["ops"])
    at = max(i for i, least in enumerate(SIZES) if least <= count)
    return f"{SIZES[at]} to {SIZES[at + 1] - 1} ops" if at + 1 < len(SIZES) \
        else f"{SIZES[at]} ops and more"


def read_problems(paths, every):
    lines = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines += [line for line in file if line.strip()]
    return [(line, json.loads(line)) for line in lines[::every]]


def read_record(path):
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        results = [json.loads(line) for line in file]
    return {(result["problem"], result["solver"]): result for result in results}


def compare(problems, names, options):
    """A result for each problem and solver; the number of problems on which solvers disagree."""
    known, results, wrong = read_record(options.record), [], 0
    for line, problem in problems:
        proven = {}
        for solver in names:
            result = known.get((problem["name"], solver))
            if not result:
                status, value, seconds = ask(solver, line, options.seconds)
                result = {"problem": problem["name"], "solver": solver, "status": status,
                          "value": value, "seconds": seconds}
                if options.record:
                    with open(options.record, "a", encoding="utf-8") as file:
                        file.write(json.dumps(result) + "\n")
            if result["status"] == "optimal":
                proven[solver] = result["value"]
            results.append({**result, "group": group_of(problem), "size": size_of(problem)})
        print(problem["name"], *(f"{s}={v}" for s, v in proven.items()), file=sys.stderr, flush=True)
        if len(set(proven.values())) > 1:
            wrong += 1
            print(f"{problem['name']}: the solvers disagree: {proven}", file=sys.stderr)
    return results, wrong


def print_table(title, names, rows):
    """Rows: a title, and a cell for each solver."""
    print(f"| {title} | {' | '.join(names)} |")
    print(f"| --- |{' --- |' * len(names)}")
    for row, cells in rows:
        print(f"| {row} | {' | '.join(cells)} |")
    print()


def mean_cells(results, names, key, seconds):
    """For each value of the key in the order met: solved, and the geometric mean of the times."""
    for value in dict.fromkeys(result[key] for result in results):
        cells, count = [], 0
        for name in names:
            rows = [r for r in results if r[key] == value and r["solver"] == name]
            times = [min(seconds, max(LEAST_SECONDS, r["seconds"])) if r["status"] == "optimal"
                     else seconds for r in rows]
            solved, count = sum(r["status"] == "optimal" for r in rows), len(rows)
            mean = math.exp(sum(math.log(t) for t in times) / count)
            cells.append(f"{solved} in {mean:.3f} s")
        yield f"{value}: {count}", cells


def moment_cells(results, names, seconds):
    for moment in [m for m in MOMENTS if m < seconds] + [seconds]:
        yield f"{moment:g} s", [str(sum(r["solver"] == name and r["status"] == "optimal" and
                                        r["seconds"] <= moment for r in results)) for name in names]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--record")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    names = solvers([name for name in options.only.split(",") if name])
    problems = read_problems(options.files, options.every)
    results, wrong = compare(problems, names, options)
    print_table("problems", names, mean_cells(results, names, "group", options.seconds))
    print_table(f"of {len(problems)} within", names, moment_cells(results, names, options.seconds))
    by_size = sorted(results, key=lambda r: int(r["size"].split()[0]))
    print_table("size", names, mean_cells(by_size, names, "size", options.seconds))
    return 1 if wrong else 0


sys.exit(main())
