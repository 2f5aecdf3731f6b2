#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of swp on the same files, in turn: how much longer the second one takes, and how much more memory.

    bench/proof_times.py BEFORE AFTER [--runs N] [--loops FOLDER]... [--schedules FOLDER]... [--groups NAME,...]

Prints for each group of files the median of the ratios after / before, the largest one with its file, the medians of the times,
and the same of the memory (the most that the process held). The time of a file is the least of N runs (7), in which the builds
take turns. Processor time counts, as other programs may run beside. From each time the least time of `swp --version` is
taken off, since a proof may take less than a process. The groups:

verify flat       schedules of built-ins and examples without roles, and those of FOLDERs (`swp verify`)
verify roles N    schedules with warp roles by the entries of their kernels: to 16, to 64, to 256, more
compile built-in  each of `swp list builtins`
compile loops     each *.yaml of FOLDERs; bench/wide_loops.py --write makes some

The exit statuses of the two builds are compared, too: where they differ, it says so.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LIST_SIZES = (16, 64, 256)


def run(binary, *words):
    """Seconds of processor time, KiB, and the exit status."""
    with open(os.devnull, "w", encoding="utf-8") as nothing:
        child = subprocess.Popen([binary, *map(str, words)], cwd=TOP, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, child.returncode


def measure(binaries, words, runs):
    """For each binary the least seconds, the least KiB, and the statuses that there were."""
    seen = [[] for _ in binaries]
    for _ in range(runs):
        for results, binary in zip(seen, binaries):
            results.append(run(binary, *words))
    return [(min(r[0] for r in results), min(r[1] for r in results), {r[2] for r in results}) for results in seen]


# --- Files ---


def entries_of(schedule):
    """Of the lists that repeat; None: no schedule with roles."""
    if "roles" not in schedule or "sync_objects" not in schedule:
        return None
    return sum(len(role["kernel"]) for role in schedule["roles"])


def group_of(path):
    schedule = json.loads(path.read_text())
    count = entries_of(schedule)
    if count is None:
        return "verify flat"
    for size in LIST_SIZES:
        if count <= size:
            return f"verify roles to {size}"
    return f"verify roles above {LIST_SIZES[-1]}"


def builtins(binary):
    done = subprocess.run([binary, "list", "builtins"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


def schedules_of(binary, folder):
    """Writes the schedule of each built-in, and of each kernel of the tree that compiles at once."""
    for name in builtins(binary) + sorted(map(str, (TOP / "kernels").glob("*.yaml"))):
        done = subprocess.run([binary, "compile", name, "--format", "json", "--work-limit", "5s"], capture_output=True,
                              text=True, check=False)
        if done.stdout and done.returncode in (0, 3):
            (folder / (Path(name).stem + ".json")).write_text(done.stdout)


def cases(options, folder):
    """Groups of (name, arguments of swp)."""
    groups = collections.defaultdict(list)
    schedules_of(options.before, folder)
    of_roles = sorted((TOP / "tests/roles").glob("*.json"))
    more = [path for given in options.schedules for path in sorted(Path(given).resolve().glob("*.json"))]
    for path in sorted(folder.glob("*.json")) + of_roles + more:
        groups[group_of(path)].append((path.stem, ("verify", path)))
    for name in builtins(options.before):
        groups["compile built-in"].append((name, ("compile", name)))
    for given in options.loops:
        for path in sorted(Path(given).resolve().glob("*.yaml")):
            groups["compile loops"].append((path.stem, ("compile", path)))
    return groups


# --- Results ---


def ratios_of(values, least):
    """after / before of pairs, of which neither counts as less than `least`."""
    return [max(after, least) / max(before, least) for before, after in values]


def print_group(name, rows, idle):
    names = [row[0] for row in rows]
    seconds = [tuple(max(result[0] - idle, 0) for result in row[1]) for row in rows]
    memory = [tuple(result[1] for result in row[1]) for row in rows]
    times = ratios_of(seconds, 0.0005)
    worst = max(range(len(rows)), key=lambda i: times[i])
    before, after = (statistics.median(s[i] for s in seconds) for i in (0, 1))
    ratio = statistics.median(times)
    held = statistics.median(ratios_of(memory, 1))
    print(f"{name:<22} {len(rows):5} {ratio:7.2f} {times[worst]:7.2f} {1000 * before:9.1f} {1000 * after:9.1f} "
          f"{held:7.2f}  {names[worst]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--loops", action="append", default=[])
    parser.add_argument("--schedules", action="append", default=[])
    parser.add_argument("--groups", help="words that the names of the groups begin with, divided by commas")
    options = parser.parse_args()
    options.before, options.after = (os.path.abspath(path) for path in (options.before, options.after))
    binaries = (options.before, options.after)
    idle = min(result[0] for result in measure(binaries, ("--version",), 20))
    print(f"idle: {1000 * idle:.1f} ms; times of at most 0.5 ms count as that")
    print(f"{'group':<22} {'files':>5} {'median':>7} {'most':>7} {'before ms':>9} {'after ms':>9} {'memory':>7}  worst file")
    differ = []
    with tempfile.TemporaryDirectory() as folder:
        for group, files in sorted(cases(options, Path(folder)).items()):
            if options.groups and not group.startswith(tuple(options.groups.split(","))):
                continue
            rows = [(name, measure(binaries, words, options.runs)) for name, words in files]
            print_group(group, rows, idle)
            differ += [f"{group}: {name}: {results[0][2]} before, {results[1][2]} after"
                       for name, results in rows if results[0][2] != results[1][2]]
    for line in differ:
        print(f"another exit status: {line}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
