# SPDX-License-Identifier: Apache-2.0
"""Several headers in one source: whose barriers and waits serve whom."""

import os

import compilers
from checks import check, write
from schedules import HERE, emit


def check_barriers(folder):
    """One barrier serves two headers if it is the stronger one: the other order is refused."""
    tail = "typedef int unused;\n"
    write(folder, "weak.h", emit(os.path.join(HERE, "tiny.yaml"), []))
    write(folder, "strong.h", emit("single_buffer", ["--prefix", "SINGLE"]))
    check_order(folder, "amdgcn", tail)
    result = compilers.compile_with(["gcc", "-std=c11"], folder, '#include "weak.h"\n' + tail)
    check("define SWP_WAIT_VM, SWP_WAIT_LGKM and SWP_BARRIER" in result.stderr, f"no waits on a CPU: {result.stderr}")
    sm_80 = ["--target", "sm_80", "--set", "machine.barrier=fenced", "--set", "machine.counter_full=stall"]
    write(folder, "weak.h", emit("single_buffer", ["--prefix", "SINGLE", *sm_80]))
    write(folder, "strong.h", emit("pingpong", sm_80))
    check_order(folder, "cuda", tail)
    check_targets(folder, tail)


def check_targets(folder, tail):
    """The waits that a header for one target defines serve no header for another."""
    write(folder, "amd.h", emit("fourwave", ["--prefix", "AMD", "--allow-unsafe"]))
    write(folder, "nv.h", emit("single_buffer", ["--prefix", "NV", "--target", "sm_80"]))
    for machine, first, second in (("amdgcn", "amd.h", "nv.h"), ("cuda", "nv.h", "amd.h")):
        compiler = next((c for _, name, c in compilers.COMPILERS if name == machine), None)
        if compilers.present(compiler):
            result = compilers.compile_with(compiler, folder,
                                            f'#include "{first}"\n#include "{second}"\n' + tail)
            check("for another target" in result.stderr, f"{first}, {second}: {result.stderr}")


def check_order(folder, machine, tail):
    compiler = next((c for _, name, c in compilers.COMPILERS if name == machine), None)
    if not compilers.present(compiler):
        return
    weak, strong = '#include "weak.h"\n', '#include "strong.h"\n'
    result = compilers.compile_with(compiler, folder, strong + weak + tail)
    check(result.returncode == 0, f"{machine}: the stronger barrier first: {result.stderr}")
    result = compilers.compile_with(compiler, folder, weak + strong + tail)
    check("include this header before" in result.stderr, f"{machine}: the weaker first: {result.stderr}")
