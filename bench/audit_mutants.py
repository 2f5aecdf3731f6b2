#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults put by hand into kernels in which `swp audit` finds nothing, such as those of bench/audit_triton.py: each wait
deleted, each of its counts let out by one, each barrier deleted, each LDS access moved across the barrier before or
behind it. With --others also each wait moved behind the next instruction, for another counter, or on the other side of a
barrier beside it, offsets of two LDS accesses exchanged, and constants of scalar comparisons and sums one more or less. What the audit still calls `no_fault` is run (bench/audit_emulate.py) with many timings: none may go wrong.

    SWP=path/to/swp audit_mutants.py [--edits N] [--moves N] [--others N] [--seed S] FILE.s...

Mutants that are called `fault` are run as well, a few of each kernel, to see that a run can show what is wrong.
"""

import argparse
import collections
import json
import os
import random
import re
import signal
import subprocess
import sys

from emulator import Refused, explore, program_of

SWP = os.environ.get("SWP", "build/release/swp")
ACCESS = re.compile(r"(ds_(read|write)|buffer_load.* lds$|global_load_lds)")
SHOWN = 2  # mutants of a kernel with a fault that are run


def audit(text):
    result = subprocess.run([SWP, "audit", "-", "--format", "json"], input=text, capture_output=True, text=True,
                            check=False)
    return json.loads(result.stdout)["answer"] if result.stdout else "refused"


def code_of(line):
    return line.split(";")[0].strip()


def ends_run(code):
    """Whether control may come to this line, or leave here."""
    return code.endswith(":") or code.startswith(("s_cbranch", "s_branch", "s_endpgm"))


def registers(code):
    found = set()
    for kind, one, first, last in re.findall(r"\b([avs])(?:(\d+)\b|\[(\d+):(\d+)\])", code):
        numbers = range(int(first or one), int(last or one) + 1)
        found |= {(kind, number) for number in numbers}
    return found | ({"m0"} if "m0" in code or code.endswith(" lds") or "_lds" in code else set()) | (
        {"exec"} if "exec" in code or "saveexec" in code else set())


def may_pass(access, other):
    """Whether registers allow to exchange two instructions: no more than what both read is in both."""
    if "exec" in registers(other):
        return False
    first = other.split(",")[0] if not other.startswith(("ds_write", "buffer_store")) else ""
    own = access.split(",")[0] if access.startswith("ds_read") else ""
    return not (registers(first) & registers(access) or registers(own) & registers(other))


def moved(lines):
    """(what, lines) for each LDS access moved across the nearest barriers, where no register is in the way."""
    for i, line in enumerate(lines):
        access = code_of(line)
        if not ACCESS.match(access):
            continue
        for step in (-1, 1):
            at = i + step
            while (code := code_of(lines[at])) != "s_barrier" and not ends_run(code) and (
                    not code or code.startswith((".", "s_waitcnt")) or may_pass(access, code)):
                at += step
            if code_of(lines[at]) != "s_barrier":
                continue
            rest = lines[:i] + lines[i + 1:]
            yield f"line {i + 1} moved across line {at + 1}", rest[:at] + [line] + rest[at:]


def weakened(lines):
    for i, line in enumerate(lines):
        code = code_of(line)
        if not code.startswith(("s_waitcnt", "s_barrier")):
            continue
        yield f"line {i + 1} without {code}", lines[:i] + lines[i + 1:]
        for count in re.finditer(r"(vmcnt|lgkmcnt)\((\d+)\)", line):
            most = {"vmcnt": 63, "lgkmcnt": 15}[count[1]]
            if int(count[2]) < most:
                weaker = f"{count[1]}({int(count[2]) + 1})"
                edited = line[:count.start()] + weaker + line[count.end():]
                yield f"line {i + 1} {code} as {weaker}", lines[:i] + [edited] + lines[i + 1:]


def next_code(lines, at):
    """The line of the next instruction in the same run; None: there is none."""
    for i in range(at + 1, len(lines)):
        code = code_of(lines[i])
        if ends_run(code):
            return None
        if code and not code.startswith("."):
            return i
    return None


OTHER_COUNTER = {"vmcnt": "lgkmcnt", "lgkmcnt": "vmcnt"}
OFFSET = re.compile(r" offset:(\d+)")


def delayed(lines):
    for i, line in enumerate(lines):
        code = code_of(line)
        after = next_code(lines, i)
        if not code.startswith("s_waitcnt"):
            continue
        if after is not None and not code_of(lines[after]).startswith("s_waitcnt"):
            yield f"line {i + 1} delayed behind line {after + 1}", lines[:i] + lines[i + 1:after + 1] + [line] + lines[after + 1:]
        found = re.search(r"(vmcnt|lgkmcnt)\(\d+\)", code)
        if found and len(re.findall("cnt\\(", code)) == 1:
            edited = line.replace(found[1], OTHER_COUNTER[found[1]])
            yield f"line {i + 1} for another counter", lines[:i] + [edited] + lines[i + 1:]


def altered(lines):
    """What stores other values even if nothing is too early."""
    last = None
    for i, line in enumerate(lines):
        code = code_of(line)
        if ends_run(code):
            last = None
        if code.startswith("ds_read") and OFFSET.search(line):
            if last is not None and OFFSET.search(lines[last])[1] != OFFSET.search(line)[1]:
                edited = list(lines)
                for to, of in ((i, last), (last, i)):
                    edited[to] = OFFSET.sub(f" offset:{OFFSET.search(lines[of])[1]}", lines[to])
                yield f"lines {last + 1} and {i + 1} altered: offsets exchanged", edited
            last = i
        if code.startswith("ds_write") and OFFSET.search(line):
            edited = OFFSET.sub(lambda found: f" offset:{int(found[1]) ^ 1024}", line)
            yield f"line {i + 1} altered: another offset", lines[:i] + [edited] + lines[i + 1:]
        constant = re.match(r"s_(cmp_\w+|add_i32|addk_i32|cselect_b32) .*, (-?\d+)$", code)
        for step in (-1, 1) if constant else ():
            edited = line.replace(code, code[:constant.start(2)] + str(int(constant[2]) + step))
            yield f"line {i + 1} altered: {code} by {step}", lines[:i] + [edited] + lines[i + 1:]


def kind_of(what):
    if "altered" in what or "delayed" in what or "another counter" in what:
        return "altered" if "altered" in what else "delayed" if "delayed" in what else "for another counter"
    return "moved" if "moved" in what else "weakened" if " as " in what else \
        "barrier deleted" if "barrier" in what else "wait deleted"


def some(mutants, most, rng):
    mutants = list(mutants)
    return rng.sample(mutants, most) if most is not None and most < len(mutants) else mutants


def run(lines, options):
    return explore(program_of("".join(lines)), options.seed, options.effort, options.sizes)


def check_kernel(path, options, counts):
    """Problems of one kernel's mutants."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    if audit("".join(lines)) != "no_fault":
        return []
    counts["kernels"] += 1
    rng = random.Random(f"{options.seed} {os.path.basename(path)}")
    mutants = [*some(weakened(lines), options.edits, rng), *some(moved(lines), options.moves, rng)]
    if options.others:
        mutants += [*some(delayed(lines), options.others, rng), *some(altered(lines), options.others, rng)]
    reference, problems, faults = None, [], []
    try:
        reference = run(lines, options)
        if reference.wrong:
            problems.append(f"{path}: goes wrong as it is: {reference.wrong}")
    except Refused as refused:
        problems.append(f"{path}: cannot be run: {refused}")
    for what, edited in mutants:
        answer = audit("".join(edited))
        counts[kind_of(what), "no_fault" if answer == "no_fault" else "found"] += 1
        counts["of them unknown"] += answer == "unknown"
        if answer == "fault":
            faults.append((what, edited))
        if answer != "no_fault":
            continue
        try:
            result = run(edited, options)
        except Refused as refused:
            counts["not run"] += 1
            problems.append(f"{path}: {what}: cannot be run: {refused}")
            continue
        counts[kind_of(what), "no_fault and run"] += 1
        same_values = "moved" not in what and "altered" not in what
        if result.wrong or (same_values and reference and result.stored != reference.stored):
            problems.append(f"{path}: {what}: no_fault, but {result.wrong or 'it stores other values'}")
    for what, edited in rng.sample(faults, min(SHOWN, len(faults))):
        try:
            counts["fault shown" if run(edited, options).wrong else "fault not shown"] += 1
        except Refused:
            counts["not run"] += 1
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--edits", type=int, help="waits and barriers deleted or weakened, of each file (default: all)")
    parser.add_argument("--moves", type=int, help="LDS accesses moved, of each file (default: all)")
    parser.add_argument("--others", type=int, default=0, help="other edits of each of two kinds, of each file (default: none)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", type=int, default=8, help="timings (default: 8)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[256, 144], help="of the matrices (default: 256 144)")
    options = parser.parse_args()
    counts, failed = collections.Counter(), 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for path in options.files:
            problems = check_kernel(path, options, counts)
            failed += len(problems)
            print("".join(f"FAIL {problem}\n" for problem in problems), end="", flush=True)
    except KeyboardInterrupt:
        print(f"stopped in {path}")
    for what, count in sorted(counts.items(), key=str):
        print(f"{count:6} {' '.join(what) if isinstance(what, tuple) else what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
