#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit` on assembly: written by hand, and compiled here where clang-22 is installed.

    SWP=path/to/swp tests/audit/run.py [--all]

CLANG and LLVM_MC name a clang and an llvm-mc that know gfx950, if they are not clang-22 and llvm-mc-22.
--all takes every edit, not one of several.
"""

import os
import sys

import checks
from advice import check_all_advice
from branches import check_branches
from checks import CLANG, LLVM_MC, compile_c, path_of, read
from compiled import check_builtins, check_double_buffer
from early_use import check_early_use, check_ready
from edits import check_edits
from inputs import check_inputs
from instructions import check_instructions, check_snippets
from messy import check_messy
from role_sass import check_role_sass
from sass import check_sass
from statements import check_statements
from two_stage import check_counts, check_cut, check_rolled, check_two_stage
from waves import check_waves


def main(words):
    check_early_use(read(path_of("early_use.s")), "early_use.s")
    check_ready(read(path_of("ready.s")), "ready.s")
    check_edits(read(path_of("ready.s")), "ready.s", 6)
    check_instructions()
    check_snippets()
    check_statements()
    check_waves()
    check_branches()
    check_messy()
    check_all_advice()
    check_two_stage()
    check_counts()
    check_rolled()
    check_cut()
    check_inputs()
    check_sass()
    check_role_sass(1 if "--all" in words or os.environ.get("SWP_FULL") else 9)
    if CLANG:
        check_early_use(compile_c(path_of("early_use.c"), "gfx942"), "early_use.c")
        check_ready(compile_c(path_of("ready.c"), "gfx942"), "ready.c")
        check_double_buffer(1 if "--all" in words or os.environ.get("SWP_FULL") else 6)
        check_builtins(1 if "--all" in words or os.environ.get("SWP_FULL") else 50)
    else:
        print("audit: no clang-22: early_use.c, ready.c, double_buffer.c and the built-ins' kernels "
              "are not compiled")
    if not LLVM_MC:
        print("audit: no llvm-mc-22: instructions.s, two_stage.s and hidden instructions are not assembled")
    for failure in checks.failures:
        print(f"FAIL {failure}")
    print(f"audit: {checks.done} checks, {len(checks.failures)} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
