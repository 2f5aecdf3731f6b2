#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What clang-22 makes of a minimal program for each rule by which the machine orders something without a wait.

    SWP=path/to/swp tests/amd/rules.py

docs/verification.md, "What is retired or ordered without a wait: the evidence", names the programs; each is compiled
for gfx942 and gfx950, and its accesses, waits, barriers and uses must stand as the table below says.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

SWP = os.path.abspath(os.environ.get("SWP", "build/release/swp"))
CLANG = os.environ.get("CLANG", "clang-22")
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "rules", "rules.c")

# Instructions that matter, from the first access on; a wait is its counts, and repeated ones are counted.
EXPECTED = {
    "use_of_an_lds_read": "read*3 lgkmcnt(1) use*2 lgkmcnt(0) use",
    "use_of_a_load": "load*3 vmcnt(1) use*2 vmcnt(0) use",
    "use_in_the_next_pass": "load vmcnt(0) use load mark vmcnt(0) use",
    "overwrite_of_what_a_store_reads": "store overwrite use",
    "overwrite_of_what_an_lds_write_reads": "write overwrite use",
    "overwrite_of_what_a_load_writes": "mark overwrite use",
    "overwrite_of_what_a_store_of_16_bytes_reads": "store overwrite*4 use",
    "stores_and_loads": "load store vmcnt(1) use",
    "loads_to_lds_and_loads": "load load_to_lds vmcnt(1) use",
    "scalar_loads_and_lds_reads": "read scalar_load read lgkmcnt(0) use*3",
    "more_lds_reads_than_the_counter_holds": "read*24 mark lgkmcnt(14) use*10 lgkmcnt(13) use",
    "more_loads_than_the_counter_holds": "load*80 mark vmcnt(62) use*18 vmcnt(61) use",
    "lds_in_order": "write read write lgkmcnt(1) use",
    "load_to_lds_in_assembly_then_read": "load_to_lds read mark lgkmcnt(0) use",
    "lds_reads_of_halves": "read*2 lgkmcnt(0) use",
    "raw_barrier": "load read barrier mark vmcnt(0) use lgkmcnt(0) use",
    "fenced_barrier": "load read lgkmcnt(0) barrier mark vmcnt(0) use*2",
    "barrier_of_the_language": "load read lgkmcnt(0) barrier mark vmcnt(0) use*2",
    "waits": "load read store*2 vmcnt(1) write lgkmcnt(1) mark use*2",
    "mma_before_a_barrier": "read*2 lgkmcnt(0) mma barrier write store",
    "overwrite_of_what_an_mma_reads": "overwrite*2 mma overwrite*2 store use*2",
}

# Of these only the beginning is in the table.
BEGINNINGS = {"more_lds_reads_than_the_counter_holds", "more_loads_than_the_counter_holds"}

# The register that is overwritten is the one that the access in flight reads, not another of the same variable.
SAME_REGISTER = ["overwrite_of_what_a_store_reads", "overwrite_of_what_an_lds_write_reads"]

WORDS = [("; use", "use"), ("; overwrite", "overwrite"), ("; mark", "mark"), ("s_barrier", "barrier"),
         ("v_mfma", "mma"), ("global_load_lds", "load_to_lds"), ("global_load", "load"), ("global_store", "store"),
         ("ds_read", "read"), ("ds_write", "write"), ("s_load", "scalar_load")]


def word(line):
    """What the line is in the table; None if nothing."""
    if line.startswith("s_waitcnt"):
        return line.split(None, 1)[1].strip()
    return next((name for text, name in WORDS if text in line and (text[0] == ";" or line.startswith(text))), None)


def programs(assembly):
    """The lines of each program."""
    found, name = {}, None
    for line in assembly.splitlines():
        label = re.match(r"(\w+):\s+; @", line)
        if label:
            name = label[1]
        elif line.strip().startswith("s_endpgm"):
            name = None
        elif name and line.strip():
            found.setdefault(name, []).append(line.strip())
    return found


def skeleton(lines):
    words = [w for w in map(word, lines) if w]
    # Arguments come first: by scalar loads, and a wait for them.
    while words and words[0] in ("scalar_load", "lgkmcnt(0)"):
        words.pop(0)
    counted = [(w, len(list(group))) for w, group in itertools.groupby(words)]
    return " ".join(w if n == 1 else f"{w}*{n}" for w, n in counted)


def overwrites_what_is_read(lines):
    access = next(line for line in lines if line.startswith(("global_store", "ds_write")))
    overwrite = next(line for line in lines if "; overwrite" in line)
    return re.findall(r"v\d+", access)[1] == re.findall(r"v\d+", overwrite)[0]


def compiled(processor, folder, fenced):
    headers = [f'-DRAW_HEADER="{folder}/raw.h"', f'-DFENCED_HEADER="{folder}/fenced.h"'] + ["-DFENCED"] * fenced
    return subprocess.run([CLANG, "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-std=c11", "-O2", "-nogpulib",
                           "-Wall", "-Wextra", "-Werror", *headers, "-S", SOURCE, "-o", "-"],
                          capture_output=True, text=True, check=True).stdout


def check(processor, folder):
    found = programs(compiled(processor, folder, False))
    found["raw_barrier"] = found.pop("barrier")
    found["fenced_barrier"] = programs(compiled(processor, folder, True))["barrier"]
    failures = [f"{name}: in the source, not in the table" for name in found if name not in EXPECTED]
    for name, expected in EXPECTED.items():
        got = skeleton(found.get(name, []))
        if name in BEGINNINGS:
            got = " ".join(got.split()[:len(expected.split())])
        if got != expected:
            failures.append(f"{name}: `{got}`, not `{expected}`")
        elif name in SAME_REGISTER and not overwrites_what_is_read(found[name]):
            failures.append(f"{name}: clang took another register")
    return [f"{processor}: {failure}" for failure in failures]


def main():
    if not shutil.which(CLANG):
        print(f"amd.rules: no {CLANG}: nothing is compiled")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for header, schedule in (("raw", "gemm_fragments"), ("fenced", "single_buffer")):
            subprocess.run([SWP, "emit", schedule, "--format", "c", "--prefix", "RULES", "-o", f"{folder}/{header}.h"],
                           check=True)
        failures = check("gfx942", folder) + check("gfx950", folder)
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"amd.rules: {len(EXPECTED)} programs for gfx942 and gfx950, {len(failures)} not as the rules say")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
