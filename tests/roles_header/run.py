#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Matrix products and attention by the headers of schedules with warp roles, on an emulated work group, for every N up to 23, in many ways.

    SWP=path/to/swp CC=cc roles_header/run.py [--edits N] [--ways N] [--seed N] [--keep DIR]

The headers of safe schedules (schedules.py, and the built-in loops) are right. Then most of these are edited, an entry or a number at a
time, and what the header of each edit does is told by kinds: it never goes wrong where `swp verify` finds the edit safe, nor before the least N that it names, and
always where it names a hazard that no timing escapes. SWP_FULL takes all edits, else some of each kind; --keep leaves headers,
program and what each came to.
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import schedules
from edits import edits

HERE = Path(__file__).resolve().parent
MOST_TILES = 23
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
COMPILERS = (["gcc", "-std=c11"], ["clang", "-std=c11"], ["g++", "-x", "c++", "-std=c++17"], ["clang++", "-x", "c++", "-std=c++17"])
# Whatever the timing, these are seen: work that is not done, or done twice, and threads that stay for ever.
ALWAYS_SEEN = {"deadlock", "wrong_tile", "missing_work", "double_work"}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--edits", type=int, default=0 if os.environ.get("SWP_FULL") else 8, help="of a kind; 0: all")
    parser.add_argument("--ways", type=int, default=16)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", random.randrange(1 << 30))))
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


def swp(schedule, *words):
    command = [os.environ["SWP"], *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=json.dumps(schedule))


def write_header(folder, prefix, schedule, *, is_safe):
    words = ["emit", "-", "--format", "c", "--prefix", prefix]
    result = swp(schedule, *words, *([] if is_safe else ["--allow-unsafe"]))
    assert result.returncode == 0, result.stderr
    (folder / f"{prefix}.h").write_text(result.stdout)


# What a case is made of: the kernel's macros, what a consumer does behind the loop, before a run and after it.
RING = {"macros": {"LOAD(ctx, i, T, m, bytes)": "load(i, T, m, bytes)", "MMA(ctx, i, C, T)": "multiply(i, T)"},
        "look": "look_at_sums", "clear": "clear_gemm", "right": "NULL"}
STORES = RING | {"macros": RING["macros"] | {"STAGE(ctx, i, S, C)": "stage(i, S)", "STORE(ctx, i, S)": "store(i, S)"},
                 "right": "are_stores_right"}
HALVES = STORES | {"macros": STORES["macros"] | {"STAGE_1(ctx, i, S, C)": "stage_other(i, S)", "STORE_1(ctx, i, S)": "store_other(i, S)"},
                   "right": "are_halves_right"}
GEMM = RING | {"macros": {"LOAD(ctx, i, A, B, m, bytes)": "load(i, A, m, bytes)", "MMA(ctx, i, C, A, B)": "multiply(i, A)"}}
ATTENTION = {"macros": {"LOAD_K(ctx, i, K, m, bytes)": "load_keys(i, K, m, bytes)", "LOAD_V(ctx, i, V, m, bytes)": "load_values(i, V, m, bytes)",
                        "QK(ctx, i, S, K)": "multiply_keys(i, S, K)", "ROW_MAX(ctx, i, scale, m, S)": "find_maximum(i, scale, m, S)",
                        "EXP(ctx, i, P, S, m)": "exponentiate(i, P, S, m)", "ROW_SUM(ctx, i, l, P, scale)": "sum_up(i, l, P, scale)",
                        "RESCALE(ctx, i, O, scale)": "rescale(i, O, scale)", "PV(ctx, i, O, P, V)": "multiply_values(i, O, P, V)"},
             "look": "look_at_rows", "clear": "clear_attention", "right": "NULL"}
MASKED = ATTENTION | {"macros": ATTENTION["macros"] | {"MASK(ctx, i, S)": "mask(i, S)"}, "look": "look_at_masked_rows"}
SOME_MASKED = MASKED | {"macros": MASKED["macros"] | {"MASK(ctx, i, S)": "mask_some(i, S)"}, "look": "look_at_rows_with_thirds_masked"}
ASKED = SOME_MASKED | {"macros": SOME_MASKED["macros"] | {"WHEN_MASK(ctx, i)": "is_asked_for(i)"}}
# One role does all: a loop without roles whose copies complete on mbarriers.
GEMM_ALONE = RING | {"macros": {"LOAD(ctx, i, A, m, bytes)": "load(i, A, m, bytes)", "MMA(ctx, i, C, A)": "multiply(i, A)"}}
# By what a case's name begins with, the longest first.
KERNELS = {"attention_ws, last masked": SOME_MASKED | {"look": "look_at_rows_with_last_masked"}, "attention_ws, third masked": SOME_MASKED, "attention_ws, asked": ASKED,
           "attention_ws, masked": MASKED, "attention_ws": ATTENTION, "attention alone": ATTENTION, "gemm alone": GEMM_ALONE, "gemm_ws": GEMM, "ring with halves": HALVES, "ring with stores": STORES, "ring": RING}


def kernel_of(name):
    return next(kernel for start, kernel in KERNELS.items() if name.startswith(start))


def cases_source(names):
    """A source that makes a case of each header."""
    text = ['#include "attention.h"\n#include "gemm.h"\n#include <stddef.h>\n']
    rows = []
    for i, name in enumerate(names):
        kernel = kernel_of(name)
        text.append(f'#define X{i}_MBARRIERS(ctx) mbarriers\n#include "X{i}.h"\n')
        text += [f"#define X{i}_{call} {does}\n" for call, does in kernel["macros"].items()]
        of_all = "_OF_ALL" if "alone" in name else ""
        text.append(f"DEFINE_CASE{of_all}(X{i}, {kernel['look']})\n")
        rows.append(f'    CASE{of_all}(X{i}, "{name}", {kernel["clear"]}, {kernel["right"]}),\n')
    text.append(f"const test_case cases[] = {{\n{''.join(rows)}}};\nconst int case_count = {len(names)};\n")
    return "".join(text)


def built(folder, names):
    (folder / "headers.c").write_text(cases_source(names))
    program = folder / "cases"
    subprocess.check_call([os.environ.get("CC", "cc"), "-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-O1", f"-I{HERE}", f"-I{folder}", *(HERE / name for name in ("cases.c", "gemm.c", "attention.c", "machine.c")),
                           folder / "headers.c", "-lm", "-o", program])
    return program


def outcomes(folder, safe, unsafe, given):
    """{name: (N, way, what)} of schedules by their names."""
    cases = safe | unsafe
    for i, (name, schedule) in enumerate(cases.items()):
        write_header(folder, f"X{i}", schedule, is_safe=name in safe)
    program = built(folder, list(cases))
    said = subprocess.run([program, str(given.ways), str(given.seed)], capture_output=True, text=True, check=True).stdout
    return {name: (int(n), int(way), what) for name, n, way, what in (line.split("\t") for line in said.splitlines())}


def table(kinds, came_to):
    """How many edits of each kind went wrong, and how."""
    counts = collections.defaultdict(collections.Counter)
    for name, kind in kinds.items():
        counts[kind][came_to[name][2]] += 1
    for kind, count in counts.items():
        ways = ", ".join(f"{number} {what}" for what, number in sorted(count.items()) if what != "right")
        total = sum(count.values())
        print(f"{kind:10} {total - count['right']:3} of {total:3} go wrong: {ways}")


def built_in(*words):
    result = swp({}, "compile", *words, "--format", "json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def built_ins():
    return {"gemm_ws": built_in("gemm_ws"), "attention_ws": built_in("attention_ws"),
            "attention_ws, masked": built_in("attention_ws", "--set", "loop.causal=true")}


def alone():
    return {f"{name} alone": built_in(HERE / f"{name}_alone.yaml") for name in ("attention", "gemm")}


def conditional():
    """Masked attention in which the header tests when to mask, or asks the kernel."""
    cases = {}
    for name, when in {"last masked": "last", "third masked": {"every": 3, "offset": 1}, "asked": "user"}.items():
        schedule = built_in("attention_ws", "--set", "loop.causal=true")
        next(op for op in schedule["dataflow"]["ops"] if op["op"] == "MASK")["when"] = when
        cases[f"attention_ws, {name}"] = schedule
    return cases


def unedited():
    ring, stores = schedules.ring(), schedules.with_stores()
    cases = {"ring": ring, "ring, all arrive": schedules.with_all_arriving(), "ring, in step": schedules.in_step(),
             "ring, no registers": schedules.without_registers(),
             "ring with stores": stores, "ring with halves": schedules.with_halves()} | built_ins() | alone() | conditional()
    for factor in (2, 3, 4, 8):
        cases[f"ring in passes of {factor}"] = schedules.unrolled(ring, factor)
        cases[f"ring with stores in passes of {factor}"] = schedules.unrolled(stores, factor)
    return cases


def edited():
    """{name: (kind, schedule)}"""
    cases = {}
    for of, schedule in {"ring": schedules.ring(), "ring with stores": schedules.with_stores(), "ring with halves": schedules.with_halves(), **built_ins(), **alone()}.items():
        for kind, what, edit in edits(schedule):
            cases[f"{of}, {kind}: {what}"] = kind, edit
    return cases


def some(cases, given):
    """Of each kind as many as asked for."""
    kinds = collections.defaultdict(list)
    for name, (kind, _) in cases.items():
        kinds[kind].append(name)
    r = random.Random(given.seed)
    names = [name for of_kind in kinds.values() for name in r.sample(of_kind, min(len(of_kind), given.edits or len(of_kind)))]
    return {name: cases[name] for name in names}


def hazards_of(schedule):
    """(kind, least N)"""
    result = swp(schedule, "verify", "-", "--format", "json")
    assert result.returncode in (0, 1), result.stderr
    return [(hazard["kind"], hazard["smallest_n"]) for hazard in json.loads(result.stdout)["hazards"]]


def is_expected(name, schedule, wrong_at):
    """Whether it goes wrong as the proof says."""
    hazards = hazards_of(schedule)
    seen = [n for kind, n in hazards if kind in ALWAYS_SEEN and n <= MOST_TILES]
    least = min((n for _, n in hazards), default=None)
    expected = not seen if wrong_at < 0 else least is not None and least <= wrong_at
    if not expected:
        print(f"{name}: goes wrong at N = {wrong_at} (-1: nowhere); hazards: {hazards}", file=sys.stderr)
    return expected


def please_compilers(folder, names):
    (folder / "pleasing.c").write_text(cases_source(names))
    for command in COMPILERS:
        if not shutil.which(command[0]):
            print(f"{command[0]} is not here")
            continue
        subprocess.check_call([*command, *WARNINGS, "-fsyntax-only", f"-I{HERE}", f"-I{folder}", folder / "pleasing.c"])


def check(folder, given):
    right, edit_cases = unedited(), some(edited(), given)
    came_to = outcomes(folder, right, {name: schedule for name, (_, schedule) in edit_cases.items()}, given)
    please_compilers(folder, list(right))
    table({name: kind for name, (kind, _) in edit_cases.items()}, came_to)
    if given.keep:
        (folder / "outcomes").write_text("".join(f"{name}: N = {n}, way {way}: {what}\n" for name, (n, way, what) in came_to.items()))
    wrong = [name for name in right if came_to[name][2] != "right"]
    for name in wrong:
        print(f"{name}: goes wrong: N = {came_to[name][0]}, way {came_to[name][1]}: {came_to[name][2]}")
    expected = [is_expected(name, schedule, came_to[name][0]) for name, (_, schedule) in edit_cases.items()]
    return not wrong and all(expected)


def main():
    given = options()
    print(f"seed {given.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(exist_ok=True)
        return 0 if check(folder, given) else 1


if __name__ == "__main__":
    sys.exit(main())
