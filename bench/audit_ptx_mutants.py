#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in PTX, each with one thing changed that orders threads: what `swp audit` says of each.

    SWP=path/to/swp audit_ptx_mutants.py [--only CHANGE] [--every N] [--jobs N] [--launch "--grid 132 --argument 5=4 ..."]... FILE.ptx...

Prints, for each kind of change, how many are faults, unknown and no fault, and where those without a fault are: look at these
by hand, as some changes do no harm. Kernels of which something is found as they are have no mutants; where runs of some
length alone are judged, mutants that are not faults are `unknown`. A mutant is judged in one launch after the other until one
shows a fault; it is no fault where it is none in all of them.

Compilers unroll loops and make a copy of the code for each rest: launches of different numbers of passes take each of these ways.
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
DELETED = {"cp.async.commit_group": "deleted commit", "cp.async.bulk.commit_group": "deleted commit", "fence.proxy.async": "deleted fence",
           "barrier.sync": "deleted barrier", "cp.async.wait_all": "deleted wait", "bar.warp.sync": "deleted barrier of a warp",
           "cp.async.mbarrier.arrive": "deleted arrive"}


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
    wait = re.search(r"mbarrier\.(?:try|test)_wait\S*\s+([%\w]+), ", line)
    if wait:
        # Who does not wait goes on as if the phase were complete.
        gone = [("deleted wait", line.replace(line[wait.start():], f"setp.eq.u32 {wait[1]}, 0, 0;"))]
        return gone + [change for change in compiled_ptx.changes(lines, at) if change[0] != "deleted wait"] if re.search(r"\], (%r\d+);", line) else gone
    if "wait_group" in line and not re.search(r"\d+;", line):
        return []
    return [(what, new) for what, new in compiled_ptx.changes(lines, at) if new != line]


TYPES = {"p": "pred", "rs": "b16", "r": "b32", "rd": "b64"}  # of registers by their names, as compilers write them
REGISTER = r"%([a-z]+)\d+"


def computed_from(lines, wanted):
    """Those of some lines that the registers are computed from, in their order; None: something else than arithmetic gives one."""
    chosen = []
    for at in reversed(range(len(lines))):
        found = re.match(rf"\s*(\S+)\s+({REGISTER}), (.*);$", lines[at])
        if not found or found[2] not in wanted:
            continue
        if not re.match(r"(add|sub|mul|mad|mov|shl|shr|and|or|xor|not|setp|selp|cvt|bfe|lop3)\.", found[1]):
            return None
        wanted = wanted - {found[2]} | {register[0] for register in re.finditer(REGISTER, found[4])}
        chosen.insert(0, at)
    return chosen


def released_early(lines, at):
    """The arrival that releases a slot stands before the wait for the wgmmas that read it, with what guards it; None: it cannot, or
    other ways lead to it as well."""
    if "mbarrier.arrive.release" not in lines[at]:
        return None
    wait = at - 1
    while wait >= 0 and not re.search(r"wgmma\.wait_group|mbarrier\.|wgmma\.commit|^\$", lines[wait]):
        wait -= 1
    if wait < 0 or "wgmma.wait_group" not in lines[wait]:
        return None
    between = lines[wait + 1:at]
    guards = [line for line in between if re.match(r"\s*@", line)]
    if any(not re.search(r"\bbra\s", line) for line in guards):
        return None
    wanted = {register[0] for line in [lines[at], *guards] for register in re.finditer(REGISTER, line)}
    chosen = computed_from(between, wanted)
    if chosen is None:
        return None
    early, own = [], {}
    for index, line in enumerate([*between, lines[at]]):
        if index not in chosen and line not in guards and index < len(between):
            continue
        given = re.match(rf"(\s*\S+\s+)({REGISTER})(, .*)$", line) if index in chosen else None
        head, rest = (f"{given[1]}early_{given[2][1:]}", given[4]) if given else ("", line)
        early.append(head + re.sub(REGISTER, lambda found: f"early_{found[0][1:]}" if found[0] in own else found[0], rest))
        if given:
            own[given[2]] = TYPES[given[3]]
    early = [re.sub(r"\bbra(\S*)\s+\$\w+;", r"bra\1 $early;", line) for line in early]
    block = ["{", *(f".reg .{kind} early_{name[1:]};" for name, kind in own.items()), *early, "$early:", "}"]
    return {wait: "\n".join([*block, lines[wait]]), at: ""}


def mutants(lines):
    """What is changed, the number of its line, and the new lines by their places."""
    for at in range(len(lines)):
        early = released_early(lines, at)
        if early:
            yield "slot released early", at + 1, early
        for what, new in changes(lines, at):
            yield what, at + 1, {at: new}


def answer_in(lines, changed, launches):
    text = "\n".join(changed.get(at, line) for at, line in enumerate(lines))
    answers = []
    for launch in launches:
        answers.append(answer_of(text, launch)[0])
        if answers[-1] == "fault":
            return "fault"
    return next((answer for answer in answers if answer != "no_fault"), "no_fault")


def judge(path, only, every, launches, jobs):
    """What each mutant is, where, and its answer, as they come; nothing where the kernel itself is not right."""
    with open(path, encoding="utf-8") as file:
        lines = [re.sub(r"^\s*//.*", "", line) for line in file.read().split("\n")]
    for launch in launches:
        answer, found = answer_of("\n".join(lines), launch)
        if answer not in ("no_fault", "unknown") or found:
            print(f"{os.path.basename(path)}: no mutants are made: {answer} as it is, {shlex.join(launch)}", flush=True)
            return
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        chosen = [mutant for mutant in mutants(lines) if only in (None, mutant[0])][::every]
        answers = pool.map(lambda mutant: answer_in(lines, mutant[2], launches), chosen)
        for (what, line, _), answer in zip(chosen, answers):
            yield what, line, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="CHANGE", help='only mutants with this change, such as "deleted wait"')
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one of N mutants of each kernel")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many are judged at a time")
    parser.add_argument("--launch", action="append", metavar="OPTIONS", help="what is stated of a launch, as options of swp audit")
    parser.add_argument("files", nargs="+", metavar="FILE.ptx")
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    kernels = 0
    for path in options.files:
        judged = False
        launches = [shlex.split(launch) for launch in options.launch or [""]]
        for what, line, answer in judge(path, options.only, options.every, launches, options.jobs):
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
