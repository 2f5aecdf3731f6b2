#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command against the golden schedules, the published numbers and its own reviewed texts.

    SWP=path/to/swp golden/run.py [--update]

--update writes the texts (*.txt) anew, for review.
"""

import difflib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))

from check_golden import FILES, TABLE, edge_counts  # noqa: E402
from plain import PHASES, differences, plain  # noqa: E402

SWP = os.path.abspath(os.environ.get("SWP", os.path.join(TOP, "build", "dev", "swp")))
KERNELS = ("pingpong", "fourwave", "single_buffer")
# The golden files, and what the ping-pong of the table's first row must reach.
PINGPONG_FIGURES = {"makespan": 420, "lower_bound": 420, "vgpr_peak": 96, "wait_lgkm_first": 8,
                    "wait_vm_last": 12}


def sets(settings):
    return [word for path, value in settings.items() for word in ("--set", f"{path}={value}")]


def swp(*words):
    """Standard output of a command that must succeed without a word on standard error."""
    done = subprocess.run([SWP, *words], cwd=TOP, capture_output=True, check=False)
    # That a published schedule is unsafe is known, and a test of its own (tests/cli/parts/verify.sh).
    said = [line for line in done.stderr.splitlines()
            if b"warning[W0702]" not in line and b"hint: `swp verify " not in line]
    if done.returncode or said:
        raise RuntimeError(f"swp {' '.join(words)}: exit status {done.returncode}\n"
                           + done.stderr.decode(errors="replace"))
    return done.stdout


def schedule_of(kernel, settings):
    return json.loads(swp("compile", kernel, "--format", "json", *sets(settings)))


def check_file(name, kernel, settings):
    """A golden schedule, entry by entry."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        golden = json.load(file)
    return differences(golden, plain(schedule_of(kernel, settings)))


def check_table_row(kernel, settings, body, edges, prologue, kernel_entries, epilogue, deps,
                    stagger):
    """A row of the published numbers."""
    schedule = schedule_of(kernel, settings)
    got = plain(schedule)
    pairs = [("body", len(got["body"]), body),
             ("edges", edge_counts(got["edges"], edges), edges),
             ("prologue", len(got["prologue"]), prologue),
             ("kernel", len(got["kernel"]), kernel_entries),
             ("epilogue", len(got["epilogue"]), epilogue),
             ("kernel deps", len(got["kernel_deps"]), deps),
             ("stagger", got["warp_stagger_index"], stagger),
             ("machine.lag_prologue_index where there is a lag",
              schedule["machine"]["lag_prologue_index"] if schedule["machine"]["lag"] else stagger,
              stagger)]
    if (kernel, settings) == (TABLE[0][0], TABLE[0][1]):
        pairs += [(key, got["info"][key], wanted) for key, wanted in PINGPONG_FIGURES.items()]
    return [f"{what}: {a}, wanted {b}" for what, a, b in pairs if a != b]


def text_differences(wanted, got, wanted_name, got_name):
    return list(difflib.unified_diff(wanted.decode().splitlines(), got.decode().splitlines(),
                                     wanted_name, got_name, lineterm="", n=0))


def check_description(kernel, settings):
    """kernels/KERNEL.yaml gives the very bytes of the built-in."""
    path = f"kernels/{kernel}.yaml"
    words = ("--format", "json", *sets(settings))
    builtin, described = swp("compile", kernel, *words), swp("compile", path, *words)
    if builtin == described:
        return []
    return text_differences(builtin, described, kernel, path) or ["only line ends differ"]


def check_text(kernel, update):
    """The text that people read, as it was reviewed."""
    path, got = os.path.join(HERE, f"{kernel}.txt"), swp("emit", kernel, "--format", "text")
    if update:
        with open(path, "wb") as file:
            file.write(got)
    with open(path, "rb") as file:
        wanted = file.read()
    if wanted == got:
        return []
    return text_differences(wanted, got, f"tests/golden/{kernel}.txt", f"swp emit {kernel} --format text") \
        or ["only line ends differ"]


def checks(update):
    """Pairs (what, function of no arguments that gives the differences)."""
    for name, kernel, settings in FILES:
        yield f"golden {name}", lambda row=(name, kernel, settings): check_file(*row)
    for row in TABLE:
        yield f"table {row[0]} {row[1]}", lambda row=row: check_table_row(*row)
    described = [(kernel, {}) for kernel in KERNELS]
    described += [(kernel, settings) for kernel, settings, *_ in TABLE]
    described += [row[1:] for row in FILES if row[1:] not in described]
    for kernel, settings in described:
        yield (f"description {kernel} {settings}",
               lambda row=(kernel, settings): check_description(*row))
    for kernel in KERNELS:
        yield f"text {kernel}", lambda kernel=kernel: check_text(kernel, update)


def entries_of_files():
    total = 0
    for name, _, _ in FILES:
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            golden = json.load(file)
        total += sum(len(golden[phase]) for phase in PHASES)
    return total


def main(update):
    if not os.access(SWP, os.X_OK):
        print(f"golden: {SWP} is not built; set SWP")
        return 2
    done, failures = 0, 0
    for what, check in checks(update):
        try:
            found = check()
        except (RuntimeError, OSError, KeyError, ValueError) as error:
            found = [f"{type(error).__name__}: {error}"]
        done += 1
        failures += bool(found)
        for line in [f"FAIL {what}", *("     " + line for line in found[:20])] if found else []:
            print(line)
    print(f"golden: {done} checks, {failures} failed: {len(FILES)} schedules "
          f"({entries_of_files()} entries), {len(TABLE)} rows of the table, "
          f"{done - len(FILES) - len(TABLE) - len(KERNELS)} descriptions, {len(KERNELS)} texts")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main("--update" in sys.argv[1:]))
