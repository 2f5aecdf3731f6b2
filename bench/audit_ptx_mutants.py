#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in PTX, each with one thing changed that orders threads: what `swp audit` says of each.

    SWP=path/to/swp audit_ptx_mutants.py [--every N] [--jobs N] [--launch "--grid 132 --argument 5=4 ..."]... FILE.ptx...

Prints, for each kind of change, how many are faults, unknown and no fault, and where those without a fault are: look at these
by hand, as some changes do no harm. Kernels of which something is found as they are have no mutants; where runs of some
length alone are judged, mutants that are not faults are `unknown`. A mutant is judged in one launch after the other until one
shows a fault; else its answer is that in the last one.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "audit"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "audit", "ptx"))
import compiled_ptx
from checks import SWP

LIMIT_S = 120
DELETED = {"cp.async.commit_group": "deleted commit", "fence.proxy.async": "deleted fence", "bar.sync": "deleted barrier",
           "barrier.sync": "deleted barrier", "cp.async.wait_all": "deleted wait"}


def answer_of(text, launch):
    """And whether anything is found."""
    try:
        done = subprocess.run([SWP, "audit", "-", "--format", "json", *launch], input=text, capture_output=True, text=True, timeout=LIMIT_S,
                              check=False)
    except subprocess.TimeoutExpired:
        return "timeout", False
    report = json.loads(done.stdout) if done.stdout else {"answer": "refused"}
    return report["answer"], bool(report.get("findings"))


def changes(lines, at):
    line = lines[at]
    for words, what in DELETED.items():
        if re.search(rf"\b{re.escape(words)}\b", line):
            return [(what, "")]
    if "try_wait" in line and not re.search(r"\], (%r\d+);", line) or "wait_group" in line and not re.search(r"\d+;", line):
        return []
    return [(what, new) for what, new in compiled_ptx.changes(lines, at) if new != line]


def released_early(lines, at):
    """The wait for the wgmmas that read a slot stands behind the arrival that releases it; None: none stands before that."""
    if "mbarrier.arrive.release" not in lines[at]:
        return None
    wait = at - 1
    while wait >= 0 and not re.search(r"wgmma\.wait_group|mbarrier\.|wgmma\.commit", lines[wait]):
        wait -= 1
    behind = at + 1
    while behind < len(lines) and not lines[behind].startswith("$"):
        behind += 1
    if wait < 0 or "wgmma.wait_group" not in lines[wait] or behind == len(lines):
        return None
    return "\n".join(lines[:wait] + [""] + lines[wait + 1:behind + 1] + [lines[wait]] + lines[behind + 1:])


def mutants(lines):
    for at in range(len(lines)):
        early = released_early(lines, at)
        if early:
            yield "slot released early", at + 1, early
        for what, new in changes(lines, at):
            yield what, at + 1, "\n".join(lines[:at] + [new] + lines[at + 1:])


def answer_in(text, launches):
    for launch in launches:
        answer = answer_of(text, launch)[0]
        if answer == "fault":
            break
    return answer


def judge(path, every, launches, jobs):
    """What each mutant is, where, and its answer, as they come; nothing where the kernel itself is not right."""
    with open(path, encoding="utf-8") as file:
        lines = [re.sub(r"^\s*//.*", "", line) for line in file.read().split("\n")]
    for launch in launches:
        answer, found = answer_of("\n".join(lines), launch)
        if answer not in ("no_fault", "unknown") or found:
            return
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        chosen = [mutant for index, mutant in enumerate(mutants(lines)) if index % every == 0]
        answers = pool.map(lambda mutant: answer_in(mutant[2], launches), chosen)
        for (what, line, _), answer in zip(chosen, answers):
            yield what, line, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one of N mutants of each kernel")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many are judged at a time")
    parser.add_argument("--launch", action="append", metavar="OPTIONS", help="what is stated of a launch, as options of swp audit")
    parser.add_argument("files", nargs="+", metavar="FILE.ptx")
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    kernels = 0
    for path in options.files:
        judged = False
        for what, line, answer in judge(path, options.every, [shlex.split(launch) for launch in options.launch or [""]], options.jobs):
            judged = True
            counts[what][answer] += 1
            if answer != "fault":
                print(f"{os.path.basename(path)}:{line}: {what}: {answer}", flush=True)
        kernels += judged
    print(f"{kernels} of {len(options.files)} kernels show nothing wrong; of their mutants:")
    for what in sorted(counts):
        print(f"  {what:24s}" + "".join(f"{answer} {number}  " for answer, number in sorted(counts[what].items())))


if __name__ == "__main__":
    main()
