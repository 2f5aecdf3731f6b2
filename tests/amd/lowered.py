# SPDX-License-Identifier: Apache-2.0
"""From a schedule to what `swp audit` says of the machine code that clang makes of its header."""

import json
import os
import subprocess

import lower_gemm
import lower_loop
from source import Unlowerable

SWP = os.path.abspath(os.environ.get("SWP", "build/release/swp"))
CLANG = os.environ.get("CLANG", "clang-22")
HERE = os.path.dirname(os.path.abspath(__file__))
PROCESSORS = {"mi355x": "gfx950", "mi300x": "gfx942"}
LDS_BYTES = {"mi355x": 160 << 10, "mi300x": 64 << 10}  # of a compute unit
PREFIX = "LOOP"

# Arithmetic in assembly, which stays where the schedule has it; or in C, which the compiler places.
PINNED, FREE = "pinned", "free"


def command(words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False)


def swp(*words, text=None):
    """(exit status, JSON on stdout or what was written to stderr)"""
    result = command([SWP, *words], text)
    try:
        return result.returncode, json.loads(result.stdout)
    except ValueError:
        return result.returncode, result.stderr


def source_of(schedule, header):
    module = lower_loop if schedule.get("dataflow") else lower_gemm
    return module.source_of(schedule, header, PREFIX)


def compiled(schedule, folder, mode):
    """Writes schedule.json, schedule.h, kernel.c and kernel.s; returns the path of the last."""
    names = ("schedule.json", "schedule.h", "kernel.c", f"{mode}.s")
    path = {name: os.path.join(folder, name) for name in names}
    with open(path["schedule.json"], "w", encoding="utf-8") as file:
        json.dump(schedule, file)
    emitted = command([SWP, "emit", path["schedule.json"], "--format", "c", "--prefix", PREFIX, "-o",
                       path["schedule.h"], "--allow-unsafe"])
    if emitted.returncode != 0:
        raise Unlowerable(f"no header: {emitted.stderr.splitlines()[0]}")
    with open(path["kernel.c"], "w", encoding="utf-8") as file:
        file.write(source_of(schedule, "schedule.h"))
    raw = schedule["machine"]["registers"] == "raw"
    done = command([CLANG, "--target=amdgcn-amd-amdhsa", f"-mcpu={PROCESSORS[schedule['target']]}", "-std=c11", "-O2",
                    "-nogpulib", "-Wall", "-Wextra", "-Werror", "-I", HERE, "-I", folder,
                    *["-DPINNED"] * (mode == PINNED), *["-DRAW"] * raw, "-S", path["kernel.c"], "-o", path[f"{mode}.s"]])
    if done.returncode != 0:
        raise AssertionError(f"{CLANG} refuses {path['kernel.c']}: {done.stderr[:2000]}")
    return path[f"{mode}.s"]


def spilled(assembly):
    """Registers that were spilled: accesses that no schedule counts."""
    with open(assembly, encoding="utf-8") as file:
        return sum(int(line.split()[-1]) for line in file if line.strip().startswith(".vgpr_spill_count:"))


def audited(schedule, folder, mode):
    """The report of `swp audit`."""
    assembly = compiled(schedule, folder, mode)
    if spilled(assembly):
        raise Unlowerable("registers spill")
    status, report = swp("audit", assembly, "--format", "json")
    if not isinstance(report, dict):
        raise AssertionError(f"audit of {assembly}: {status}: {report[:2000]}")
    return report
