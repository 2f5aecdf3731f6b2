# SPDX-License-Identifier: Apache-2.0
"""Kernels around headers that swp emits, as nvcc writes them in PTX: in order as they are, and each with one thing changed, which is found."""

import os
import re
import shutil
import subprocess
import tempfile

from checks import HERE, SWP, audit, check, expect

NVCC = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
ROLES = os.path.join(HERE, "..", "roles_header")

# source: prefix and schedule
KERNELS = {"gemm_ring": ("GEMM", os.path.join(HERE, "..", "roles", "gemm_ring.json")),
           "gemm_ws": ("GEMM", "gemm_ws"),
           "attention_ws": ("ATTENTION", "attention_ws"),
           "gemm_cluster": ("GEMM", os.path.join(HERE, "..", "roles", "gemm_cluster.json"))}

# Mutants of which no run can show anything, by kernel: what is changed, and why that does no harm. Outside a cluster a fence behind
# mbarrier.init that is missing is an assumption, which the audit tells.
HARMLESS = {"gemm_ring": {"deleted wait": 1,      # for phase -1, which is complete
                          "deleted wait_group": 1, "weaker wait_group": 1,  # of the first pass, which leaves one group in flight
                          "deleted arrive": 2,    # of the last pass, for which nobody waits
                          "deleted fence.mbarrier_init": 1},
            "gemm_ws": {"deleted wait": 1, "deleted fence.mbarrier_init": 1},
            # The fence in front of the scores of the next tile orders the registers of P and of the sums, too.
            "attention_ws": {"deleted fence.mbarrier_init": 2, "deleted wgmma.fence": 4},
            # As in gemm_ring, where releases go to two work groups, and the last pass but one has code of its own. The others are `unknown`:
            # bytes of the way of one pass alone, a fence that a barrier with release may make up for, and threads that end between
            # an arrival at the barrier of the cluster and the wait for it.
            "gemm_cluster": {"deleted wait": 1, "deleted wait_group": 1, "weaker wait_group": 1, "deleted arrive": 4, "more bytes": 1,
                             "fewer bytes": 1, "deleted fence.mbarrier_init": 1, "deleted barrier.cluster.wait": 3}}

# What a copy of each matrix brings: without that, a copy that is missing may be made up for by another one that is larger.
BOXES = {"gemm_ring": ("--box", "0=16384", "--box", "1=16384"),
         "gemm_ws": ("--box", "0=16384", "--box", "1=32768"),
         "attention_ws": ("--box", "0=16384", "--box", "1=16384", "--box", "2=16384")}


def ptx_of(name, folder):
    prefix, schedule = KERNELS[name]
    subprocess.run([SWP, "emit", schedule, "--format", "c", "--prefix", prefix, "-o", os.path.join(folder, f"{name}.h")], check=True,
                   capture_output=True)
    out = os.path.join(folder, f"{name}.ptx")
    made = subprocess.run([NVCC, "-std=c++17", "-O3", "-ptx", "-arch=sm_90a", "-I", folder, "-o", out, os.path.join(ROLES, f"{name}.cu")],
                          capture_output=True, text=True, check=False)
    if not check(made.returncode == 0, f"{name} does not compile: {made.stderr}"):
        return []
    with open(out, encoding="utf-8") as file:
        return [re.sub(r"^\s*//.*", "", line) for line in file.read().split("\n")]


def number(lines, at, operand):
    """What a register was given last, above a line."""
    if not operand.startswith("%"):
        return int(operand)
    for line in reversed(lines[:at + 1]):
        found = re.match(rf"\s*mov\.[usb]32\s+{re.escape(operand)}, (-?\d+);", line)
        if found:
            return int(found[1])
    return None


def numbers(lines, at, names):
    """The line with its last operand changed: (name, by how much) …"""
    found = re.search(r", (%r\d+|\d+);", lines[at])
    value = number(lines, at, found[1]) if found else None
    return [(name, lines[at].replace(found[0], f", {value + by};")) for name, by in names if value is not None and value + by > 0]


def changes(lines, at):
    """What is changed of a line: (name, the new line)."""
    line = lines[at]
    if "try_wait" in line:
        parity = re.search(r"\], (%r\d+);", line)[1]
        flipped = "{ .reg .b32 q; xor.b32 q, %s, 1; %s }" % (parity, line.replace(f"], {parity};", "], q;"))
        return [("deleted wait", ""), ("other parity", flipped)]
    if "arrive.expect_tx" in line:
        return [("deleted expect", "")] + numbers(lines, at, [("more bytes", 1024), ("fewer bytes", -1024)])
    if "mbarrier.arrive" in line:
        return [("deleted arrive", "")]
    if "mbarrier.init." in line:
        return numbers(lines, at, [("count + 1", 1), ("count - 1", -1)])
    if "wait_group" in line:
        left = re.search(r"(\d+);", line)
        return [("deleted wait_group", ""), ("weaker wait_group", line.replace(left[0], f"{int(left[1]) + 1};"))]
    if "wgmma.commit" in line:
        return [("deleted commit", "")]
    if "wgmma.fence" in line:
        return [("deleted wgmma.fence", "")]
    if "barrier.cluster" in line or "fence.mbarrier_init" in line:
        return [("deleted " + re.search(r"barrier\.cluster\.\w+|fence\.mbarrier_init", line)[0], "")]
    if re.search(r"\bbar\.sync", line):
        return [("deleted barrier", "")] + numbers(lines, at, [("more threads", 32), ("fewer threads", -32)])
    if "cp.async.bulk.tensor" in line:
        return [("deleted copy", "")]
    return []


def mutants(lines):
    for at, line in enumerate(lines):
        for what, new in changes(lines, at):
            yield what, at + 1, "\n".join(lines[:at] + [new] + lines[at + 1:])


def check_mutants(name, lines, every):
    missed, done = {}, 0
    for index, (what, line, text) in enumerate(mutants(lines)):
        if index % every:
            continue
        done += 1
        _, report = audit(text, *BOXES.get(name, ()))
        if not isinstance(report, dict) or report["answer"] != "fault":
            missed.setdefault(what, []).append(line)
    allowed = HARMLESS[name]
    for what, where in missed.items():
        check(len(where) <= allowed.get(what, 0), f"{name}: {what} is not found in lines {where}")
    found = done - sum(map(len, missed.values()))
    check(found > 0, f"{name}: no mutant")
    print(f"audit.ptx: {name}: {found} of {done} mutants are faults, the others {sorted(missed)}")


def check_compiled(all_of_them):
    if not NVCC:
        print("audit.ptx: no nvcc: the kernels of tests/roles_header are not compiled")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in KERNELS:
            lines = ptx_of(name, folder)
            if lines:
                for options in ((), BOXES.get(name, ())):
                    expect("no_fault", "\n".join(lines), f"{name} {options}", *options)
                check_mutants(name, lines, 1 if all_of_them else 6)
