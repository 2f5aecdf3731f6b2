#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit` on programs whose waves take different ways, against an interpreter of several waves.

    run.py [SWP] [--programs N] [--seed S] [--first I] [--replay SEED:INDEX] [--keep DIR] [--effort E] [--worlds W]
            [--only-no-fault]

Every other program is right by construction, every other one has had one step of breaking.py. There may be no
`no_fault` for one that some timing makes go wrong. --only-no-fault interprets those broken ones alone that have this
answer, to get through many programs. --keep puts what is found into a folder, with as few lines as show it, and a text
that says which order of events goes wrong.
SWP is taken from the environment if it is not given; LLVM_MC names an llvm-mc, if it is not llvm-mc-22.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from breaking import broken
from generator import generate
from judge import Judgement, judge, told
from layout import write
from shrink import shrink
from text import parse

LLVM_MC = shutil.which(os.environ.get("LLVM_MC", "llvm-mc-22"))
ASSEMBLED = 25  # how many of a run, as a sample
TRIES = 8  # steps until one does harm
ENOUGH = 50  # programs to tell by whether the audit tells programs apart


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("swp", nargs="?", default=os.environ.get("SWP"))
    parser.add_argument("--programs", type=int, default=2200 if os.environ.get("SWP_FULL") else 80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--replay")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--effort", type=int, default=4)
    parser.add_argument("--worlds", type=int, default=2)
    parser.add_argument("--only-no-fault", action="store_true")
    given = parser.parse_args()
    if given.replay:
        given.seed, given.first = map(int, given.replay.split(":"))
        given.programs = 1
    return given


def audit(swp, path):
    """The answer, `refused` where there is none, and what else it says."""
    done = subprocess.run([swp, "audit", str(path), "--format", "json"], capture_output=True, text=True, check=False)
    try:
        told_by = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "refused", {"findings": [], "stderr": done.stderr}
    return told_by["answer"], told_by


def assembles(path, text, said):
    """Whether llvm-mc takes the file and finds as many instructions as the interpreter and the audit."""
    program = parse(text)
    done = subprocess.run([LLVM_MC, "--triple=amdgcn-amd-amdhsa", f"-mcpu={program.target}", "-show-encoding", str(path)],
                          capture_output=True, text=True, check=False)
    found = done.stdout.count("; encoding: [")
    others = len(program.statements), said.get("instructions", found)
    if done.returncode or others != (found, found):
        print(f"ways: llvm-mc finds {found} instructions, the interpreter and the audit {others}: {done.stderr[:400]}")
        return False
    return True


class Run:
    def __init__(self, given, where):
        self.given, self.path = given, pathlib.Path(where) / "program.s"
        self.counts, self.bad, self.alarms = collections.Counter(), 0, 0

    def tells(self):
        """Whether so many programs were told apart that a broken audit would have shown."""
        right = sum(count for (kind, _, _), count in self.counts.items() if kind == "right")
        shown = sum(count for (_, truth, _), count in self.counts.items() if truth == "wrong")
        good = sum(count for (kind, _, answer), count in self.counts.items() if (kind, answer) == ("right", "no_fault"))
        few = self.given.programs < ENOUGH
        return few or (2 * good > right and self.alarms * 20 < right and (shown > 0 or self.given.only_no_fault))

    def put(self, text):
        self.path.write_bytes(text.encode())
        return audit(self.given.swp, self.path)

    def judge(self, text, answer, step):
        if self.given.only_no_fault and (answer != "no_fault" or step == "right"):
            return None
        return judge(text, self.given.effort, self.given.worlds)

    def one(self, index):
        rng = random.Random(f"{self.given.seed}:{index}")
        shape, lines = generate(rng)
        step = "right"
        if index % 2 == 0:
            text = write(shape, lines, rng)
            answer, said = self.put(text)
            judgement = self.judge(text, answer, step)
        else:
            for _ in range(TRIES):
                step, changed = broken(shape, lines, rng)
                text = write(shape, changed, rng)
                answer, said = self.put(text)
                judgement = self.judge(text, answer, step)
                if self.given.only_no_fault or judgement.wrong:
                    break
        self.count(index, step, text, answer, said, judgement)

    def count(self, index, step, text, answer, said, judgement):
        kind = "right" if step == "right" else "broken"
        truth = "not run" if not judgement else "wrong" if judgement.wrong else "endless" if judgement.undecided else "fine"
        self.counts[kind, truth, answer] += 1
        replay = f"--replay {self.given.seed}:{index}"
        if LLVM_MC and index - self.given.first < ASSEMBLED and not assembles(self.path, text, said):
            self.bad += 1
            print(f"ways: {replay}: not as llvm-mc reads it")
        if kind == "right" and truth not in ("fine", "not run"):
            self.bad += 1
            print(f"ways: {replay}: built wrong: {judgement.reason}")
        if truth == "wrong" and answer == "no_fault":
            self.bad += 1
            print(f"ways: {replay}: {step}: no_fault, but {judgement.reason}")
            self.keep(f"{self.given.seed}_{index}_{step}", *self.shrunk(text, judgement))
        if kind == "right" and answer in ("fault", "refused"):
            why = said["findings"][0]["detail"] if said["findings"] else said.get("stderr", "").split("\n")[0]
            print(f"ways: {replay}: false alarm: {answer}: {why}")
            self.alarms += 1
            self.keep(f"false_{self.given.seed}_{index}", text, Judgement(False, why))

    def shrunk(self, text, judgement):
        def shows(fewer):
            try:
                return self.put(fewer)[0] == "no_fault" and judge(fewer, self.given.effort, self.given.worlds).wrong
            except KeyError:  # a branch to a label that went
                return False

        if not self.given.keep:
            return text, judgement
        fewer = shrink(text, shows)
        return fewer, judge(fewer, self.given.effort, self.given.worlds)

    def keep(self, name, text, judgement):
        if not self.given.keep:
            return
        self.given.keep.mkdir(parents=True, exist_ok=True)
        (self.given.keep / f"{name}.s").write_bytes(text.encode())
        traces = [f"{title}:\n{told(trace)}\n" for title, trace in (
            ("this timing", judgement.trace), ("another timing", judgement.other)) if trace]
        (self.given.keep / f"{name}.txt").write_text(judgement.reason + "\n\n" + "\n".join(traces), encoding="utf-8")

    def report(self):
        total = sum(self.counts.values())
        harm = sum(n for (kind, truth, _), n in self.counts.items() if (kind, truth) == ("broken", "wrong"))
        steps = sum(n for (kind, _, _), n in self.counts.items() if kind == "broken")
        print(f"ways: seed {self.given.seed}: {total} programs, {total - steps} right, {steps} broken, "
              f"{harm} of these shown to go wrong")
        for (kind, truth, answer), number in sorted(self.counts.items()):
            print(f"ways: {kind:6} {truth:7} {answer:8} {number}")


def main():
    given = options()
    if not given.swp:
        sys.exit("run.py: name the command under test, by SWP or as an argument")
    if not LLVM_MC:
        print("ways: no llvm-mc-22: no program is assembled")
    with tempfile.TemporaryDirectory() as where:
        run = Run(given, where)
        for index in range(given.first, given.first + given.programs):
            run.one(index)
        run.report()
    if not run.tells():
        sys.exit("ways: too few right programs have `no_fault`, or no broken one was shown to go wrong")
    sys.exit(1 if run.bad else 0)


if __name__ == "__main__":
    main()
