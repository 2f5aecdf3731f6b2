#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The emulator that mutants of AMD's kernels are run by (bench/emulator), on programs of which it is known whether a
timing matters, and what they store."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))

from emulator import Refused, explore, program_of
from checks import check, failures
from waves import LGKM, MEET, READ, VM, WRITE, kernel

STORE = "global_store_dword v1, v3, s[6:7]"
# The place of the next wave, of the lowest byte of a thread's number and 64.
BY_BYTE = ("v_add_u32_e32 v9, 64, v0", "v_mov_b32_e32 v8, 2",
           "v_lshlrev_b32_sdwa v2, v8, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0")
OWN = ("v_mov_b32_e32 v5, v0", WRITE, LGKM)
LOOP = ("s_mov_b32 s20, 0", ".Ll:", "v_add_u32_e32 v5, s20, v0", WRITE, LGKM, MEET, READ, LGKM, "v_add_u32_e32 v7, v7, v3",
        "s_add_i32 s20, s20, 1", "s_cmp_lt_i32 s20, 5")
STORE_SUM = "global_store_dword v1, v7, s[6:7]"

# What | lines | whether a timing matters
PROGRAMS = (
    ("a barrier", (*OWN, MEET, READ, LGKM, STORE), False),
    ("no barrier", (*OWN, READ, LGKM, STORE), True),
    ("no wait before it", (*OWN[:-1], MEET, READ, LGKM, STORE), True),
    ("no wait behind the read", (*OWN, MEET, READ, STORE), True),
    ("a place by a byte of a register", (*OWN, *BY_BYTE, MEET, READ, LGKM, STORE), False),
    ("the same and no barrier", (*OWN, *BY_BYTE, READ, LGKM, STORE), True),
    ("a loop with two barriers", (*LOOP, MEET, "s_cbranch_scc1 .Ll", STORE_SUM), False),
    ("a loop with one", (*LOOP, "s_cbranch_scc1 .Ll", STORE_SUM), True),
    ("a copy that is waited for", ("global_load_lds_dword v1, s[4:5]", VM, MEET, READ, LGKM, STORE), False),
    ("a copy that is not", ("global_load_lds_dword v1, s[4:5]", MEET, READ, LGKM, STORE), True),
)
ARGUMENT = "    .args:\n      - .offset: 16\n        .size: 4\n        .value_kind: by_value\n"


def run(lines, argument=False):
    text = kernel(lines)
    text = text.replace("    .name:", ARGUMENT + "    .name:") if argument else text
    return explore(program_of(text), seed=1, effort=8, sizes=(37,))


def refused(lines):
    try:
        return run(lines) and ""
    except Refused as error:
        return str(error)


def main():
    for what, lines, matters in PROGRAMS:
        result = run(lines)
        check(bool(result.wrong) == matters, f"{what}: {result.wrong or 'no timing matters'}")
    # The thread at 4 n has read what the one of the next wave, or the one before, has written: its number.
    stored = run(PROGRAMS[0][1]).stored[0]
    check(stored == {4 * n: n ^ 64 for n in range(256)}, f"what was read: {sorted(stored.items())[:3]}")
    stored = run(("s_load_dword s20, s[0:1], 0x10", LGKM, "v_mov_b32_e32 v3, s20", STORE), argument=True).stored[0]
    check(set(stored.values()) == {37}, f"an argument: {set(stored.values())}")
    said = refused(("v_cvt_f16_f32_e32 v2, v1", READ, LGKM))
    check("what is not computed" in said, f"a place made of data: {said}")
    said = refused(("v_foo_b32 v2, v1",))
    check("v_foo_b32" in said, f"an instruction that is not known: {said}")
    for failure in failures:
        print(f"FAIL {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
