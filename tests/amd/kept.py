# SPDX-License-Identifier: Apache-2.0
"""Whether the machine code of a generated kernel has a schedule's accesses, waits and barriers, in its order.

What the compiler adds, waits of its own, is no loss; what it drops, weakens or moves over an access is.
"""

import re

import lower_gemm
import lower_loop
from source import forms

NONE = {"vm": 63, "lgkm": 15}  # no wait


def forms_of(schedule):
    """The lists of entries of each kernel, by its name; the kernel phase stands once, as in the code."""
    prologue, kernel = schedule["prologue"], schedule["kernel"]
    epilogues = [schedule["epilogue"], *(schedule.get("epilogues") or [])]
    straight = schedule.get("straight") or []
    for name, _, _ in forms(schedule):
        kind, number = name.split("_")
        if kind == "straight":
            yield f"form_{name}", straight[int(number)]
        else:
            rest = epilogues[int(number) // schedule["loop"]["multiple"]]
            yield f"form_{name}", prologue + kernel * (kind == "passes") + rest


def accesses_of(schedule, entry):
    """The accesses of an entry, as (counter, how many)."""
    if schedule.get("dataflow"):
        op = next(o for o in schedule["dataflow"]["ops"] if o["op"] == entry["name"])
        if op["completion"] == "none":
            return "lgkm", lower_loop.accesses_in(op, schedule)
        if op["completion"] in ("vmcnt", "lgkmcnt"):
            return op["completion"].removesuffix("cnt"), op["accesses"]
        spaces = {v["value"]: v["space"] for v in schedule["dataflow"]["values"]}
        reads = [spaces[r["value"]] for r in op["reads"]]
        return ("lgkm" if "shared" in reads else "vm"), op["accesses"]
    if entry["role"] == "compute":
        return None, 0
    counter = "vm" if entry["role"] == "global_load" else "lgkm"
    return counter, lower_gemm.Lowering.accesses(entry)


def expected(schedule, entries):
    """
    The list as ("vm" or "lgkm"), ("barrier") and ("wait", counter, n). One wave meets nobody: clang leaves its
    barriers out.
    """
    meets = schedule["machine"]["groups"] * schedule["machine"]["waves_per_group"] > 1
    for entry in entries:
        if entry["name"] == "barrier":
            yield from [("barrier",)] * meets
        elif entry["name"] in ("wait_vm", "wait_lgkm"):
            yield ("wait", entry["name"][len("wait_"):], entry["wait"])
        elif entry["role"] not in ("sync", "fence"):
            counter, count = accesses_of(schedule, entry)
            yield from [(counter,)] * count


def found(assembly):
    """The same of each function of the code; a wait is ("wait", {counter: n})."""
    functions, here = {}, []
    with open(assembly, encoding="utf-8") as file:
        for line in map(str.strip, file):
            label = re.match(r"(form_\w+):", line)
            if label:
                here = functions.setdefault(label[1], [])
            elif line.startswith(("global_load", "global_store")):
                here.append(("vm",))
            elif line.startswith("ds_"):
                here.append(("lgkm",))
            elif line.startswith("s_barrier"):
                here.append(("barrier",))
            elif line.startswith("s_waitcnt"):
                here.append(("wait", {c[:-3]: int(n) for c, n in re.findall(r"(vmcnt|lgkmcnt)\((\d+)\)", line)}))
    return functions


def lost(schedule, assembly):
    """What a kernel lacks of its schedule's order, as text; an empty list if nothing."""
    functions = found(assembly)
    missing = []
    for name, entries in forms_of(schedule):
        code = list(functions.get(name, []))
        at = 0
        for event in expected(schedule, entries):
            at = behind(code, at, event)
            if at < 0:
                missing.append(f"{name}: {' '.join(map(str, event))} is missing or elsewhere")
                break
    return missing


def behind(code, at, event):
    """
    The place behind `event`; -1 where an access stands in its way. Barriers may be more than the lists have: all waves
    meet before the loop, and groups lag by one.
    """
    begin = at
    while event[0] == "wait" and begin > 0 and code[begin - 1][0] == "wait":
        begin -= 1  # the order of waits among themselves is nothing
    for i in range(begin, len(code)):
        got = code[i]
        if event[0] == "wait":
            if got[0] == "wait" and got[1].get(event[1], NONE[event[1]]) <= event[2]:
                return max(at, i + 1)
            if got[0] in ("vm", "lgkm"):
                return at if event[2] >= NONE[event[1]] else -1
        elif got == event:
            return i + 1
        elif got[0] in ("vm", "lgkm"):
            return -1
    return -1
