#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: schedules.py [--swp PROGRAM] OUT

Writes a kernel of integers (NAME.cu, with NAME.h) for every built-in, for sm_80 and sm_90, as published and with
derived synchronisation, and for edits of each that weaken it. OUT/kernels.txt has a line for each: its name, its
target, and `safe` or the kinds of its hazards, as `swp verify` sees them.
"""

import argparse
import copy
import json
import os
import subprocess
import sys

import source

TARGETS = ("sm_80", "sm_90")
EDITED_TARGET = "sm_90"
WAYS = {"published": "template", "derived": "derived"}
WAIT, BARRIER = "wait_vm", "barrier"


def phases(schedule):
    """All lists of entries."""
    named = [schedule["prologue"], schedule["kernel"], schedule["epilogue"]]
    return named + schedule.get("epilogues", []) + schedule.get("straight", [])


def without(schedule, name):
    for entries in phases(schedule):
        entries[:] = [e for e in entries if e["name"] != name]


def weakened(schedule, by):
    for entries in phases(schedule):
        for entry in entries:
            if entry["name"] == WAIT:
                entry["wait"] += by


def without_every_other_barrier(schedule):
    barriers = [i for i, e in enumerate(schedule["kernel"]) if e["name"] == BARRIER]
    for i in reversed(barriers[::2]):
        del schedule["kernel"][i]


EDITS = {
    "no_waits": lambda s: without(s, WAIT),
    "weak_waits": lambda s: weakened(s, 1),
    "no_barriers": lambda s: without(s, BARRIER),
    "half_the_barriers": without_every_other_barrier,
}


class Generator:
    def __init__(self, swp, out):
        self.swp, self.out, self.lines = swp, out, []

    def call(self, *arguments):
        return subprocess.run([self.swp, *arguments], capture_output=True, text=True, check=False)

    def builtins(self):
        """Those of one stream: kernels of integers have no warp roles."""
        lines = self.call("list", "builtins").stdout.splitlines()
        return [line.split()[0] for line in lines if "warp roles" not in line]

    def compiled(self, builtin, target, way, *more):
        done = self.call("compile", builtin, "--target", target, "--set", f"schedule.sync={way}", *more, "--format", "json")
        schedule = json.loads(done.stdout) if done.stdout else None
        # A loop of tensor copies of one warp group is one role: with two of them its mbarriers are counted.
        is_role = schedule and "roles" in schedule and not more
        return self.compiled(builtin, target, way, "--set", "machine.waves_per_group=8") if is_role else schedule

    def verdict(self, path):
        done = self.call("verify", path, "--format", "json")
        hazards = json.loads(done.stdout)["hazards"]
        return sorted({h["kind"] for h in hazards})

    def write(self, name, schedule):
        path = os.path.join(self.out, name)
        with open(path + ".json", "w", encoding="utf-8") as f:
            json.dump(schedule, f)
        hazards = self.verdict(path + ".json")
        if "deadlock" in hazards:
            return
        done = self.call("emit", path + ".json", "--format", "c", "--allow-unsafe", "-o", path + ".h")
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr}")
        try:
            with open(path + ".h", encoding="utf-8") as f:
                text = source.source(schedule, f.read(), name)
        except source.Unsupported as why:
            sys.exit(f"{name}: {why}")
        with open(path + ".cu", "w", encoding="utf-8") as f:
            f.write(text)
        self.lines.append(f"{name} {schedule['target']} {','.join(hazards) or 'safe'}\n")

    def write_edits(self, name, schedule):
        seen = [schedule]
        for edit, apply in EDITS.items():
            edited = copy.deepcopy(schedule)
            apply(edited)
            if edited not in seen:
                self.write(f"{name}_{edit}", edited)
                seen.append(edited)

    def write_builtin(self, builtin, target):
        """A loop has derived synchronisation anyway, others both. Edits are made for one target: the schedules differ
        in little else than the order that its latencies give."""
        for way, setting in WAYS.items():
            schedule = self.compiled(builtin, target, setting)
            if not schedule or (way != "derived" and schedule.get("dataflow")):
                continue
            name = f"{builtin}_{way}_{target}"
            self.write(name, schedule)
            if way == "derived" and target == EDITED_TARGET:
                self.write_edits(name, schedule)

    def run(self):
        os.makedirs(self.out, exist_ok=True)
        for builtin in self.builtins():
            for target in TARGETS:
                self.write_builtin(builtin, target)
        with open(os.path.join(self.out, "kernels.txt"), "w", encoding="utf-8") as f:
            f.writelines(sorted(self.lines, key=lambda line: not line.endswith(" safe\n")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    parser.add_argument("--swp", default=os.path.join(top, "build", "release", "swp"))
    parser.add_argument("out")
    arguments = parser.parse_args()
    Generator(arguments.swp, arguments.out).run()


if __name__ == "__main__":
    main()
