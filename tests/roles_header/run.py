#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Matrix products by the headers of schedules with warp roles, on an emulated work group, for every N up to 23 and in many ways.

    SWP=path/to/swp CC=cc roles_header/run.py [--ways N] [--seed N] [--keep DIR]

The header of tests/roles/gemm_ring.json is right, as it is and unrolled. Then the schedule is edited, an entry or a number at a time,
and what the header of each edit does is told by kinds; --keep leaves headers, program and what each came to.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from edits import edits, unrolled

HERE = Path(__file__).resolve().parent
WARNINGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ways", type=int, default=24)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", random.randrange(1 << 30))))
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


def swp(schedule, *words):
    command = [os.environ["SWP"], *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=json.dumps(schedule))


def write_header(folder, prefix, schedule):
    result = swp(schedule, "emit", "-", "--format", "c", "--prefix", prefix, "--allow-unsafe")
    assert result.returncode == 0, result.stderr
    (folder / f"{prefix}.h").write_text(result.stdout)


def cases_source(names):
    """A source that makes a case of each header."""
    text = ['#include "gemm.h"\n']
    for i in range(len(names)):
        text.append(f'#define X{i}_MBARRIERS(ctx) mbarriers\n#include "X{i}.h"\n'
                    f"#define X{i}_LOAD(ctx, i, T, m, bytes) load(i, T, m, bytes)\n"
                    f"#define X{i}_MMA(ctx, i, C, T) multiply(i, T)\nDEFINE_CASE(X{i})\n")
    rows = "".join(f'    CASE(X{i}, "{name}"),\n' for i, name in enumerate(names))
    text.append(f"const test_case cases[] = {{\n{rows}}};\nconst int case_count = {len(names)};\n")
    return "".join(text)


def built(folder, names):
    (folder / "cases.c").write_text(cases_source(names))
    program = folder / "gemm"
    subprocess.check_call([os.environ.get("CC", "cc"), *WARNINGS, "-O1", f"-I{HERE}", f"-I{folder}", HERE / "gemm.c", HERE / "machine.c",
                           folder / "cases.c", "-o", program])
    return program


def outcomes(folder, cases, given):
    """{name: (N, way, what)} of schedules by their names."""
    for i, schedule in enumerate(cases.values()):
        write_header(folder, f"X{i}", schedule)
    program = built(folder, list(cases))
    said = subprocess.run([program, str(given.ways), str(given.seed)], capture_output=True, text=True, check=True).stdout
    return {name: (int(n), int(way), what) for name, n, way, what in (line.split("\t") for line in said.splitlines())}


def table(kinds, came_to):
    """How many edits of each kind went wrong, and how."""
    counts = collections.defaultdict(collections.Counter)
    for name, kind in kinds.items():
        counts[kind][came_to[name][2]] += 1
    for kind, count in counts.items():
        ways = ", ".join(f"{number} {what}" for what, number in sorted(count.items()) if what != "right")
        total = sum(count.values())
        print(f"{kind:10} {total - count['right']:3} of {total:3} go wrong: {ways}")


def check(folder, given):
    ring = json.loads((HERE.parent / "roles" / "gemm_ring.json").read_text())
    right = {"ring": ring} | {f"ring in passes of {factor}": unrolled(ring, factor) for factor in (2, 3, 4, 8)}
    kinds, cases = {}, dict(right)
    for kind, what, schedule in edits(ring):
        kinds[f"{kind}: {what}"] = kind
        cases[f"{kind}: {what}"] = schedule
    came_to = outcomes(folder, cases, given)
    table(kinds, came_to)
    if given.keep:
        (folder / "outcomes").write_text("".join(f"{name}: N = {n}, way {way}: {what}\n" for name, (n, way, what) in came_to.items()))
    wrong = [name for name in right if came_to[name][2] != "right"]
    for name in wrong:
        print(f"{name}: goes wrong: N = {came_to[name][0]}, way {came_to[name][1]}: {came_to[name][2]}")
    return not wrong


def main():
    given = options()
    print(f"seed {given.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(exist_ok=True)
        return 0 if check(folder, given) else 1


if __name__ == "__main__":
    sys.exit(main())
