#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random loops whose schedules the proof calls safe, held against the machine code that clang makes of their headers.

    SWP=path/to/swp tests/amd/differential.py [--loops N] [--seed S] [--replay NUMBER] [--edits N] [--free] [--jobs N]
                                                   [--keep FOLDER]

Each loop is drawn from its own seed, so `--seed S --replay NUMBER` does one of a run again. Its derived schedule, and
schedules an edit away from that which `swp verify` calls safe, become kernels (lower_loop.py), and `swp audit` judges
what clang makes of them. Of a safe schedule it must find no fault, but those that the compiler put there:

- in a kernel whose arithmetic the compiler may place, where the same kernel with pinned arithmetic has none;
- with raw registers, where an instruction that is no op's, such as a copy, uses a register in flight.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import sys
import tempfile

import kept
import lowered
from edited import edited
from random_loop import random_loop
from source import Unlowerable

MOST_ENTRIES = 60  # of a pass; larger ones take clang long and show nothing new
TRIES = 4           # edits drawn for each that is looked for


def in_assembly(path):
    """The numbers of the lines that come from an op's assembly."""
    numbers, inside = set(), False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            inside = "#ASMSTART" in line or (inside and "#ASMEND" not in line)
            if inside:
                numbers.add(number)
    return numbers


class Run:
    """One loop with its schedules."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.counts = collections.Counter()
        self.failures = []

    def judge(self, what, schedule, folder):
        """Audits a safe schedule with pinned arithmetic, and with free one."""
        try:
            reports = {mode: lowered.audited(schedule, folder, mode) for mode in self.modes(schedule)}
        except Unlowerable as why:
            self.counts[f"not lowered: {why}"] += 1
            return
        pinned = reports[lowered.PINNED]
        faults = self.own_faults(schedule, folder, pinned)
        if faults:
            self.counts["FAULT in a safe schedule"] += 1
            self.fail(what, faults[0], folder)
            return
        for lack in kept.lost(schedule, os.path.join(folder, f"{lowered.PINNED}.s")):
            self.failures.append(f"{what}: {lack}")
        self.counts[f"pinned: {'fault put there by clang' if pinned['answer'] == 'fault' else pinned['answer']}"] += 1
        free = reports.get(lowered.FREE)
        if free:
            answer = free["answer"]
            self.counts[f"free: {'fault put there by clang' if answer == 'fault' else answer}"] += 1
        if self.arguments.keep and any(r["answer"] != "no_fault" for r in reports.values()):
            self.save(folder, what)

    def modes(self, schedule):
        free = self.arguments.free and schedule["machine"]["registers"] == "managed"
        return [lowered.PINNED, lowered.FREE] if free else [lowered.PINNED]

    @staticmethod
    def own_faults(schedule, folder, report):
        """Faults that the schedule has to answer for."""
        faults = [f for f in report["findings"] if f["certain"]]
        if schedule["machine"]["registers"] == "managed":
            return faults
        ours = in_assembly(os.path.join(folder, f"{lowered.PINNED}.s"))
        return [f for f in faults if f["kind"] != "register_not_ready" or f["at"]["line"] in ours]

    def fail(self, what, fault, folder):
        self.failures.append(f"{what}: {fault['kind']}: {fault['detail']}")
        self.save(folder, what)

    def save(self, folder, what):
        if self.arguments.keep:
            to = os.path.join(self.arguments.keep, what.split(",")[0].replace(" ", "_"))
            shutil.copytree(folder, f"{to}_{self.counts['safe schedules']}", dirs_exist_ok=True)

    def one_loop(self, number, folder):
        own = random.Random(f"{self.arguments.seed} {number}")
        path = os.path.join(folder, "loop.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(random_loop(own, number))
        status, schedule = lowered.swp("compile", path, "--format", "json", "--time-limit", "5")
        if status not in (0, 3) or not isinstance(schedule, dict):
            code = schedule.split("error[")[1][:5] if "error[" in str(schedule) else f"status {status}"
            self.counts[f"not compiled: {code}"] += 1
            return
        if not schedule.get("dataflow") or len(schedule["kernel"]) > MOST_ENTRIES:
            self.counts["not lowered: no dataflow, or too long"] += 1
            return
        self.counts["loops"] += 1
        self.judge_if_safe(f"loop {number}, derived", schedule, folder)
        found = 0
        for _ in range(TRIES * self.arguments.edits):
            edit = edited(schedule, own)
            if found < self.arguments.edits and edit:
                found += self.judge_if_safe(f"loop {number}, {edit[1]}", edit[0], folder)

    def judge_if_safe(self, what, schedule, folder):
        text = lowered.json.dumps(schedule)
        _, verdict = lowered.swp("verify", "-", "--format", "json", text=text)
        if not isinstance(verdict, dict) or not verdict["safe"]:
            self.counts[f"not safe: {'derived' if 'derived' in what else 'edited'}"] += 1
            return False
        self.counts["safe schedules"] += 1
        self.judge(what, schedule, folder)
        return True


def one_loop(arguments, number):
    run = Run(arguments)
    with tempfile.TemporaryDirectory() as folder:
        run.one_loop(number, folder)
    return run


def parsed(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--loops", type=int, default=16 if os.environ.get("SWP_FULL") else 8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", type=int)
    parser.add_argument("--jobs", type=int, default=2, help="loops at a time")
    parser.add_argument("--edits", type=int, default=1, help="edited schedules a loop")
    parser.add_argument("--free", action="store_true", help="arithmetic that the compiler places as well")
    parser.add_argument("--keep", help="where to leave what is not `no_fault`")
    return parser.parse_args(words)


def main(words):
    arguments = parsed(words)
    if not shutil.which(lowered.CLANG):
        print(f"amd.differential: no {lowered.CLANG}: nothing is compiled")
        return 77
    print(f"amd.differential: --seed {arguments.seed} --loops {arguments.loops}", flush=True)
    numbers = range(arguments.loops) if arguments.replay is None else [arguments.replay]
    counts, failures = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for run in pool.map(lambda number: one_loop(arguments, number), numbers):
            counts += run.counts
            failures += run.failures
            for failure in run.failures:
                print(f"FAIL {failure}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:6}  {what}")
    return 1 if failures or not counts["pinned: no_fault"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
