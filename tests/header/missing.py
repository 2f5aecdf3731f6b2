# SPDX-License-Identifier: Apache-2.0
"""Macros that a kernel forgot to define: the compiler says so once, and shortly."""

import subprocess

from checks import check, write
from compilers import present
from schedules import HERE, emit

# None of them knows waits, barriers or primitives.
COMPILERS = [["gcc", "-std=c11", "-Wall", "-Wextra"], ["g++", "-x", "c++", "-Wall"], ["clang", "-std=c11", "-Wall"]]
# Knows the primitives.
CUDA = ["nvcc", "-x", "cu", "-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a"]
# What nvcc defines where it compiles for sm_80, as without -arch, for plain sm_90, as with -arch=sm_90a, too, and for sm_100.
OTHER_GPUS = [["-D__CUDACC__", f"-D__CUDA_ARCH__={arch}"] for arch in (800, 900, 1000)]
MOST_BYTES = 1400

FLAT = ["SWP_WAIT_VM(n)", "SWP_WAIT_LGKM(n)", "SWP_BARRIER()"]
FLAT_OPS = [f"TINY_{op}(ctx, stage, subtile, tile)" for op in ("LOAD_A", "LOAD_B", "FRAG_A", "FRAG_B", "MMA")]
ROLES = ["SWP_WARP()", "SWP_ELECT(elected)", "SWP_NAMED_SYNC(id, n)", "SWP_MBARRIER_INIT(m, n)", "SWP_MBARRIER_INIT_FENCE()",
         "SWP_MBARRIER_ARRIVE(m)", "SWP_MBARRIER_ARRIVE_EXPECT(m, n)", "SWP_MBARRIER_WAIT(m, p)", "SWP_MATRIX_FENCE()",
         "SWP_MATRIX_COMMIT()", "SWP_MATRIX_WAIT(n)"]
ROLE_OPS = ["GEMM_MBARRIERS(ctx)", "GEMM_LOAD(ctx, i, A, B, mbarrier, bytes)", "GEMM_MMA(ctx, i, C, A, B)"]


def defined(macros):
    return "".join(f"#define {macro} {'0' if macro == 'SWP_WARP()' else '((void)0)' if 'MBARRIERS' not in macro else '0'}\n"
                   for macro in macros)


def compiled(folder, command, before, header, behind, call):
    source = f"{defined(before)}#include \"{header}\"\n{defined(behind)}void run(int n);\nvoid run(int n)\n{{\n    {call}\n}}\n"
    path = write(folder, "kernel.c", source)
    return subprocess.run([*command, "-c", path, "-o", "/dev/null"], capture_output=True, text=True, check=False)


def check_said_once(result, macros, what):
    """One error, which names these macros."""
    errors = [line for line in result.stderr.splitlines() if "error" in line and "#error \"" not in line.split("|")[0]]
    said = [line for line in result.stderr.splitlines() if "define " in line]
    check(result.returncode != 0, f"{what}: compiles")
    check(all(macro.split("(")[0] in "".join(said[:1]) for macro in macros), f"{what}: the missing ones are not named\n{result.stderr[:600]}")
    check(result.stderr.count("error:") <= 1 and len(errors) <= 3, f"{what}: {result.stderr.count('error:')} errors\n{result.stderr[:600]}")
    check(len(result.stderr) <= MOST_BYTES, f"{what}: {len(result.stderr)} bytes of messages\n{result.stderr[:600]}")


def check_other_gpus(folder, command, case):
    """One error, which names no macros but the GPU and how to compile for it."""
    name, primitives, ops, header, call = case
    ops = ["SWP_BAD_TILES(ctx, n)", *ops]  # PTX otherwise
    for gpu in OTHER_GPUS:
        what = f"{name} by {command[0]} with {gpu[1]}"
        result = compiled(folder, [*command, *gpu], ops, header, [], call)
        check_said_once(result, [], what)
        check("this header is for sm_90a: compile it with nvcc -gencode arch=compute_90a,code=sm_90a" in result.stderr
              and "define SWP_" not in result.stderr, f"{what}: {result.stderr[:600]}")
        result = compiled(folder, [*command, *gpu], [*primitives, *ops], header, [], call)
        check(result.returncode == 0, f"{what}: all are defined\n{result.stderr[:600]}")


def check_case(folder, command, case):
    name, primitives, ops, header, call = case
    what = f"{name} by {command[0]}"
    knows = command is CUDA
    result = compiled(folder, command, [*primitives, *ops], header, [], call)
    check(result.returncode == 0 and not result.stderr, f"{what}: all are defined\n{result.stderr[:600]}")
    result = compiled(folder, command, primitives, header, ops, call)
    check(result.returncode == 0, f"{what}: ops are defined behind the header\n{result.stderr[:600]}")
    for missing in ops:
        rest = [macro for macro in ops if macro != missing]
        check_said_once(compiled(folder, command, [*primitives, *rest], header, [], call), [missing], f"{what}, without {missing}")
    if not knows:
        check_said_once(compiled(folder, command, ops, header, [], call), primitives, f"{what}, without all of SWP_")
        check_said_once(compiled(folder, command, [*primitives[1:], *ops], header, [], call), primitives[:1], f"{what}, without {primitives[0]}")


def check_missing(folder):
    write(folder, "tiny.h", emit(f"{HERE}/tiny.yaml", []))
    write(folder, "gemm.h", emit("gemm_ws", ["--prefix", "GEMM"]))
    cases = [("tiny", FLAT, FLAT_OPS, "tiny.h", "TINY_RUN(0, n, 0);"),
             ("gemm_ws", ROLES, ROLE_OPS, "gemm.h", "GEMM_INIT(0); GEMM_RUN_PRODUCER(0, 0, n); GEMM_RUN_CONSUMER(0, 0, n);")]
    for case in cases:
        for command in COMPILERS:
            if present(command):
                check_case(folder, command, case)
    check_other_gpus(folder, COMPILERS[0], cases[1])
    if present(CUDA):
        check_case(folder, CUDA, cases[1])
