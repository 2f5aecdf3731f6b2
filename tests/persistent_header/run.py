#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Output tiles by the header of a persistent kernel, on an emulated work group, for sequences of numbers of iterations.

    SWP=path/to/swp CC=cc persistent_header/run.py [--sequences N] [--seed N]

The headers of tests/roles/gemm_persistent.json and of the built-in gemm_ws are right, the latter also where the counts of a state end. Then entries are left out one by one, in all lists of the first
and some of the second (SWP_FULL: all), and what the header comes to is held against `swp verify`: where that says safe it is right, and where it goes wrong the verdict is unsafe.
"""
import argparse
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MACHINE = HERE.parent / "roles_header"
SOME = 4
LISTS = ("begin", "prologue", "kernel", "epilogue", "end", "drain")


def swp(schedule, *words):
    return subprocess.run([os.environ["SWP"], *words], capture_output=True, text=True, check=False, input=json.dumps(schedule))


def comes_to(schedule, folder, given):
    """What the emulation says: "right", "refused", or the sequence that goes wrong, and how."""
    emitted = swp(schedule, "emit", "-", "--format", "c", "--prefix", "X", "--allow-unsafe")
    if emitted.returncode != 0:
        return "refused"
    (folder / "X.h").write_text(emitted.stdout)
    program = folder / "kernel"
    values = ["-DTWO_VALUES"] if schedule["name"] == "gemm_ws" else []
    subprocess.check_call([os.environ.get("CC", "cc"), "-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-O1", *values, f"-I{MACHINE}", f"-I{folder}",
                           HERE / "kernel.c", MACHINE / "machine.c", "-o", program])
    return subprocess.run([program, str(given.sequences), str(given.seed)], capture_output=True, text=True, check=True).stdout.strip()


def without_one(schedule):
    """Each entry left out once: what, and the schedule."""
    for role in range(len(schedule["roles"])):
        for name in LISTS:
            for i, entry in enumerate(schedule["roles"][role][name]):
                edit = copy.deepcopy(schedule)
                del edit["roles"][role][name][i]
                yield f"{schedule['roles'][role]['name']}, {name} {i} {entry['name']}", edit


def built_in(name):
    result = swp({}, "compile", name, "--set", "loop.persistent=true", "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def at_the_end(schedule, folder):
    """What the last tile that a state may have comes to: "right", or what is not."""
    (folder / "X.h").write_text(swp(schedule, "emit", "-", "--format", "c", "--prefix", "X").stdout)
    program = folder / "last"
    slots = next(v["slots"] for v in schedule["dataflow"]["values"] if v["value"] == "A")
    subprocess.check_call([os.environ.get("CC", "cc"), "-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-O1", f"-DSLOTS={slots}",
                           "-fsanitize=undefined", "-fno-sanitize-recover=all", f"-I{folder}", HERE / "last.c", "-o", program])
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    return (run.stdout + run.stderr).strip()


def is_safe(schedule):
    result = swp(schedule, "verify", "-")
    assert result.returncode in (0, 1), result.stderr
    return result.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sequences", type=int, default=4000 if os.environ.get("SWP_FULL") else 200)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", random.randrange(1 << 30))))
    given = parser.parse_args()
    print(f"seed {given.seed}")
    written = json.loads((HERE.parent / "roles" / "gemm_persistent.json").read_text())
    derived = built_in("gemm_ws")
    edits = list(without_one(derived))
    if not os.environ.get("SWP_FULL"):
        edits = random.Random(given.seed).sample(edits, SOME)
    cases = [("as it is", written), *without_one(written), ("derived, as it is", derived),
             *((f"derived, {what}", edit) for what, edit in edits)]
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        last = at_the_end(derived, folder)
        print(f"the last tile of a state: {last}")
        if last != "right":
            wrong.append("the last tile of a state")
        for what, edit in cases:
            outcome = comes_to(edit, folder, given)
            if outcome == "refused":
                print(f"{what}: refused")
                continue
            safe = is_safe(edit)
            print(f"{what}: {'safe' if safe else 'unsafe'}, {outcome}")
            if (outcome != "right" and safe) or (what.endswith("as it is") and not safe):
                wrong.append(what)
    for what in wrong:
        print(f"{what}: not as it should be", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
