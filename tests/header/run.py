#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C header of `swp emit --format c`: what it calls, who compiles it, what is refused.

    SWP=path/to/swp header/run.py [--update]

--update writes tiny.h.expected anew. Compilers that are not there are named, and what they would
compile is left out.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import checks
import compilers
import encoding
import trace
from barriers import check_barriers
from checks import check, write
from missing import check_missing
from refusals import check_refusals
from schedules import CASES, CONDITIONS, EDITED_LOOPS, EDITED_STORES, HERE, emit, identifier, schedule_of, swp, twice

GOLDEN = os.path.join(HERE, "tiny.h.expected")


def write_headers(folder):
    """A header of each case; pairs (name, schedule)."""
    cases = []
    for name, source, options in CASES:
        write(folder, f"{name}.h", emit(source, [*options, "--prefix", name.upper()]))
        cases.append((name, schedule_of(source, options)))
    for name, source, loop in EDITED_LOOPS:
        schedule = schedule_of(source, [])
        schedule["loop"].update(loop)
        cases.append((name, schedule))
    for name, source in EDITED_STORES:
        schedule = schedule_of(source, [])
        for phase in ("prologue", "kernel", "epilogue"):
            schedule[phase] = twice(schedule[phase])
        cases.append((name, schedule))
    for name, schedule in cases[len(CASES):]:
        path = write(folder, "schedule.json", json.dumps(schedule))
        write(folder, f"{name}.h", emit(path, ["--allow-unsafe", "--prefix", name.upper()]))
    return cases


def check_traces(folder, cases):
    """Every run of every case, in two programs: headers with raw barriers are no fenced ones."""
    for barrier in ("raw", "fenced"):
        some = [case for case in cases if case[1]["machine"]["barrier"] == barrier]
        result = compilers.compile_with(["gcc", "-std=c11", *compilers.WARNINGS], folder,
                                        trace.tracer(some), "-o", os.path.join(folder, "trace"))
        if not check(result.returncode == 0, f"the tracer does not compile\n{result.stderr[:2000]}"):
            continue
        got = subprocess.run([os.path.join(folder, "trace")], capture_output=True, text=True,
                             check=False).stdout.splitlines()
        wanted, case = trace.expected(some), ""
        check(len(wanted) > 1000, "there is little to trace")
        for i, (a, b) in enumerate(zip(wanted, got)):
            case = a if a.startswith("=") else case
            if not check(a == b, f"trace {case}, line {i}: `{b}`, wanted `{a}`"):
                break
        check(len(wanted) == len(got), f"{len(got)} lines of traces, wanted {len(wanted)}")


def make_for_sm_80(folder, cases):
    """The headers of the same schedules anew, for another target."""
    for name, schedule in cases:
        machine = dict(schedule["machine"], vm_max=65535)
        copy = dict(schedule, target="sm_80", machine=machine)
        source = write(folder, "schedule.json", json.dumps(copy))
        write(folder, f"{name}.h", emit(source, ["--allow-unsafe", "--prefix", name.upper()]))


def check_ptx(folder, command, tiny):
    """The waits and barriers of an epilogue, as nvcc is given them."""
    path = os.path.join(folder, "kernel.ptx")
    source = compilers.kernel("cuda", tiny, ["TINY_EPILOGUE(0, n)"])
    compilers.compile_with(command, folder, source, "-ptx", "-o", path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "tiny.h"), encoding="utf-8") as file:
        epilogue = file.read().split("#define TINY_EPILOGUE(ctx, kb)")[1].split("while (0)")[0]
    waits = re.findall(r"SWP_WAIT_VM\((\d+)\)", epilogue)
    check(waits and re.findall(r"cp\.async\.wait_group (\d+);", text) == waits,
          f"the waits in PTX are not {waits}")
    check(len(re.findall(r"\bbar\.sync|\bbarrier\.sync", text)) == epilogue.count("SWP_BARRIER()"),
          "the barriers in PTX")


def with_weak_barriers_last(cases, machine):
    """On CUDA all barriers are fenced, but not all take groups that are at different instructions."""
    def is_weak(case):
        its = case[1]["machine"]
        return its["groups"] == 1 if machine == "cuda" else its["barrier"] == "raw"
    return [name for name, _ in sorted(cases, key=is_weak)]


def check_compilers(folder, cases):
    """All headers in one source, without a warning; then tile counts that are refused."""
    parts = {name: {e["name"] for p in ("prologue", "kernel", "epilogue") for e in schedule[p]
                    if e["tag"] < 128} for name, schedule in cases}
    tiny = [("tiny", parts["tiny"])]
    calls = [f"{name.upper()}_RUN(0, n, group)" for name in parts] + ["TINY_RUN(0, 8, 0)", "TINY_RUN(0, 8L, 0)", "TINY_ASSERT_TILES(1073741824)"]
    for name, machine, command in compilers.COMPILERS:
        if not compilers.present(command):
            continue
        if machine == "cuda":
            make_for_sm_80(folder, cases)
            check_ptx(folder, command, tiny)
        ordered = [(name, parts[name]) for name in with_weak_barriers_last(cases, machine)]
        result = compilers.compile_with(command, folder, compilers.kernel(machine, ordered, calls))
        check(result.returncode == 0 and not result.stderr, f"{name}\n{result.stderr[:2000]}")
        for n in ("0", "1", "3", "-2", "1073741826", "4294967298") if command[0] == "gcc" else ("3",):
            source = compilers.kernel(machine, tiny, [f"TINY_RUN(0, {n}, 0)"])
            result = compilers.compile_with(command, folder, source)
            check(result.returncode != 0 and re.search(r"array|size", result.stderr),
                  f"{name} takes {n} tiles\n{result.stderr}")


def check_conditions(folder):
    """The header of a loop whose ops have conditions of all kinds, in a kernel for each machine, without a warning."""
    for name, machine, command in compilers.COMPILERS:
        if not compilers.present(command):
            continue
        target = ["--target", "sm_80"] if machine == "cuda" else []
        write(folder, "conditions.h", emit(CONDITIONS, target))
        source = compilers.loop_kernel(machine, "conditions", schedule_of(CONDITIONS, target))
        result = compilers.compile_with(command, folder, source)
        check(result.returncode == 0 and not result.stderr, f"conditions, {name}\n{result.stderr[:2000]}")


def check_host_and_device(folder):
    """What a kernel for the device calls, what the host calls, and what both do: none with the other's trap."""
    functions = "".join(f"{kind} void run{i}(int n) {{ G_RUN(0, n, 0); }}\n" for i, kind in
                        enumerate(("__global__", "__device__", "__host__", "__host__ __device__")))
    own = ("#define SWP_WAIT_VM(n)\n#define SWP_WAIT_LGKM(n)\n#define SWP_BARRIER()\n"
           "#define G_WHEN_MASK(ctx, i) ((i) == 3)\n")
    for builtin, target in (("attention_fwd", "sm_90"), ("stencil", "sm_90"), ("pingpong", "sm_80"), ("stencil", "mi355x"),
                            (CONDITIONS, "sm_80"), (CONDITIONS, "sm_90")):
        header = emit(builtin, ["--target", target, "--prefix", "G", "--allow-unsafe"])
        write(folder, "g.h", header)
        ops = sorted({identifier(e["name"]) for p in ("prologue", "kernel", "epilogue")
                      for e in schedule_of(builtin, ["--target", target])[p] if e["tag"] < 128})
        source = own + '#include "g.h"\n' + "".join(f"#define G_{op}(...)\n" for op in ops) + functions
        check(len(ops) > 1, f"{builtin} has no ops")
        passes = {"host": "", "device": "#define __CUDA_ARCH__ 900\nvoid __trap();\n#pragma GCC poison __builtin_trap\n"}
        for name, first in passes.items():
            plain = "#define __global__\n#define __device__\n#define __host__\n" + first + source
            result = compilers.compile_with(["g++", "-x", "c++", "-Wall", "-Werror"], folder, plain)
            check(result.returncode == 0, f"{builtin}, pass for the {name}\n{result.stderr[:2000]}")
        command = ["nvcc", "-x", "cu", "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings"]
        if compilers.present(command):
            result = compilers.compile_with(command, folder, source)
            check(result.returncode == 0, f"{builtin} for {target} under nvcc\n{result.stderr[:2000]}")


def check_asynchronous_ops():
    """A wgmma goes on reading LDS, and no barrier waits for it: that the schedule's waits must is said."""
    for builtin, ops in (("gemm_tile", "G_MMA"), ("attention_fwd", "G_QK G_PV"), ("stencil", None)):
        # Of one warp group `gemm_tile` is one role.
        text = emit(builtin, ["--target", "sm_90", "--prefix", "G", "--set", "machine.waves_per_group=8"])
        wgmma = f" *     SWP_WAIT_LGKM   {ops}\n *                     matrix group: wgmma.wait_group n\n"
        check(ops is None or wgmma in text, f"{builtin} has asynchronous ops")
        check(("wgmma.wait_group n" in text) == (ops is not None), f"{builtin}'s waits")
        check("copy mbarrier: mbarrier.try_wait" in text, f"{builtin}'s loads are on mbarriers")
        check("The kernel defines SWP_WAIT_VM(n)" in text, f"{builtin} has waits on sm_90")
        check("wait_group 0" not in text, f"{builtin}'s barrier")


MBARRIERS = """swp: 1
name: copies
target: sm_80
loop:
  values: [{value: A, space: shared, bytes: 1024}, {value: c, space: registers, bytes: 1024}]
  ops:
    - {op: LOAD, latency: 200, completion: copy_mbarrier, writes: [A]}
    - {op: SUM, latency: 40, completion: none, reads: [A], updates: [c]}
"""


def check_mbarriers_on_sm_80(folder):
    """cp.async.wait_group waits for no mbarrier, so it is no default there."""
    text = emit(write(folder, "copies.yaml", MBARRIERS), [])
    check("The kernel defines SWP_WAIT_VM(n)" in text and "cp.async.wait_group" not in text, "waits on mbarriers")
    check("SWP_WAIT_LGKM   nothing is awaited by it: ((void)0)" in text, "a wait for nothing")


def check_run_time(folder):
    """A number of tiles that is known only when it runs: refused, and nothing else is done."""
    source = """
#include <stdio.h>
#include <stdlib.h>
#define SWP_WAIT_VM(n) puts("wait")
#define SWP_WAIT_LGKM(n) puts("wait")
#define SWP_BARRIER() puts("barrier")
%s
#include "tiny.h"
#define TINY_LOAD_A(ctx, stage, subtile, tile) puts("op")
#define TINY_LOAD_B(ctx, stage, subtile, tile) puts("op")
#define TINY_FRAG_A(ctx, stage, subtile, tile) puts("op")
#define TINY_FRAG_B(ctx, stage, subtile, tile) puts("op")
#define TINY_MMA(ctx, stage, subtile, tile) puts("op")
int main(int count, char **words)
{
    setbuf(stdout, NULL);
    (void)count;
    TINY_RUN(words, atoll(words[1]), 0);
    return 0;
}
"""
    for own in (True, False):
        macro = '#define SWP_BAD_TILES(ctx, n) printf("bad %s %d\\n", (ctx)[1], n)' if own else ""
        program = os.path.join(folder, "run_time")
        result = compilers.compile_with(["gcc", "-std=c11", "-O2", *compilers.WARNINGS], folder,
                                        source % macro, "-o", program)
        check(result.returncode == 0, f"run time: {result.stderr}")
        for n in (-2, 0, 1, 2, 3, 4, 7, 2**30 + 2, 2**31 - 2, 2**31, 2**32 + 2, 2 - 2**32):
            run = subprocess.run([program, str(n)], capture_output=True, text=True, check=False)
            shown = n if -2**31 <= n < 2**31 else -1
            if 2 <= n <= 2**30 and n % 2 == 0:
                good = run.returncode == 0 and run.stdout.count("op") > 5 and "bad" not in run.stdout
            elif own:
                good = run.returncode == 0 and run.stdout == f"bad {n} {shown}\n"
            else:
                good = run.returncode < 0 and run.stdout == ""
            check(good, f"{n} tiles, own handler {own}: {run.returncode} {run.stdout[:200]}")


def check_text(folder, update):
    """The golden header; the same bytes from anywhere, and no trace of where."""
    tiny = os.path.join(HERE, "tiny.yaml")
    text = emit(tiny, [])
    shown = re.sub(r"Made by swp \d+\.\d+\.\d+:", "Made by swp VERSION:", text)
    if update:
        write(HERE, os.path.basename(GOLDEN), shown)
    with open(GOLDEN, encoding="utf-8") as file:
        check(file.read() == shown, f"{GOLDEN} is not what is written now; see --update")
    check(f"Made by {swp('--version').stdout.strip()}:" in text, "no version")
    check(emit(tiny, []) == text, "other bytes in a second run")
    shutil.copy(tiny, folder)
    check(emit("tiny.yaml", [], cwd=folder) == text, "other bytes from elsewhere")
    check(HERE not in text and folder not in text, "a path in the header")
    widest = max(len(line) for line in text.splitlines() if "#error" not in line)
    check(widest <= 110, f"a line of {widest} characters")


def check_encoding(folder):
    write(folder, "tiny.h", emit(os.path.join(HERE, "tiny.yaml"), []))
    if not compilers.present(encoding.AMD):
        return
    for cpu in ("gfx942", "gfx950"):
        wanted = encoding.assembled(folder, cpu)
        check(len(set(wanted)) == 79, f"{cpu}: {len(set(wanted))} encodings")  # both largest: no wait
        check(encoding.literal(folder, "tiny.h") == wanted, f"{cpu}: the masks of the header")
        check(encoding.compiled(folder, "tiny.h", cpu)[-len(wanted):] == wanted,
              f"{cpu}: the machine code")


def main():
    for name in compilers.absent():
        print(f"header: no {name} here; what it would compile is not checked")
    with tempfile.TemporaryDirectory() as folder:
        cases = write_headers(folder)
        check_traces(folder, cases)
        check_conditions(folder)
        check_host_and_device(folder)
        check_asynchronous_ops()
        check_mbarriers_on_sm_80(folder)
        check_run_time(folder)
        check_text(folder, "--update" in sys.argv)
        check_refusals(folder)
        check_barriers(folder)
        check_missing(folder)
        check_encoding(folder)
        check_compilers(folder, cases)
    for failure in checks.failures:
        print(f"FAIL {failure}")
    print(f"header: {checks.done} checks, {len(checks.failures)} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
