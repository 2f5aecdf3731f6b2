# SPDX-License-Identifier: Apache-2.0
"""Ways through a function that no wave takes, as one branch on them excludes another; beside each, one that waves take."""

from checks import check, expect
from waves import LGKM, MEET, READ, VM, WRITE, kernel

LOAD, USE = "global_load_dword v9, v1, s[4:5]", "v_add_u32_e32 v10, v9, v5"
OTHER = "global_load_dword v11, v1, s[4:5]"


def when(condition, *lines, unless=False, label=".La"):
    """Lines that run if scc is 1 behind the condition; or 0."""
    return (condition, f"s_cbranch_scc{int(unless)} {label}", *lines, f"{label}:")


def twice(first, second, *between):
    """A load on the first condition, a use of it on the second."""
    return (*when(first, LOAD), *between, *when(second, USE, label=".Lb"), VM)


def counted(passes, body, first="s_mov_b32 s20, 0", step="s_add_i32 s20, s20, 1"):
    return (first, ".Ll:", *body, step, f"s_cmp_lt_i32 s20, {passes}", "s_cbranch_scc1 .Ll")


def pushed_out(passes, left, behind=()):
    """A value that is there once so many loads came after it that a wait for all but `left` is enough."""
    return (LOAD, *counted(passes, (OTHER,)), *behind, f"s_waitcnt vmcnt({left})", USE, VM)


def by_float(compare):
    return (compare, "s_cbranch_vccz .La", LOAD, ".La:")


FLOAT, AGAIN = "v_cmp_gt_f32_e32 vcc, v11, v5", "v_cmp_lt_f32_e32 vcc, v11, v5"
ODD = "s_bitcmp1_b32 s20, 0"

# What | lines | answer
BRANCHES = (
    ("an argument above 4, and below 2", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s6, 2"), "unknown"),
    ("above 4, and below 6", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s6, 6"), "fault"),
    ("two arguments", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s7, 2"), "fault"),
    ("equal to 3, and to 5", twice("s_cmp_eq_u32 s6, 3", "s_cmp_eq_u32 s6, 5"), "unknown"),
    ("equal to 777, and not to 5", twice("s_cmp_eq_u32 s6, 0x309", "s_cmp_lg_u32 s6, 5"), "fault"),
    ("the same in another register", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s7, 10", "s_add_i32 s7, s6, 8"), "unknown"),
    ("the same, with more room", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s7, 20", "s_add_i32 s7, s6, 8"), "fault"),
    ("loaded again", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s21, 2", "s_load_dword s21, s[0:1], 0x8", LGKM), "unknown"),
    ("loaded from elsewhere", twice("s_cmp_gt_i32 s6, 4", "s_cmp_lt_i32 s21, 2", "s_load_dword s21, s[0:1], 0x10", LGKM),
     "fault"),
    ("a least number above itself", (LOAD, "s_min_i32 s7, s6, 3", *when("s_cmp_gt_i32 s7, 3", USE), VM), "unknown"),
    ("a least number as large as itself", (LOAD, "s_min_i32 s7, s6, 3", *when("s_cmp_ge_i32 s7, 3", USE), VM), "fault"),
    ("a bit field above its largest", (LOAD, "s_and_b32 s7, s6, 3", *when("s_cmp_gt_u32 s7, 3", USE), VM), "unknown"),
    ("in a branch within one that excludes it",
     when("s_cmp_gt_i32 s6, 4", LOAD, *when("s_cmp_lt_i32 s6, 2", USE, label=".Lb"), VM), "unknown"),
    ("in a branch within one that it follows from",
     when("s_cmp_gt_i32 s6, 4", LOAD, *when("s_cmp_gt_i32 s6, 2", USE, label=".Lb"), VM), "fault"),
    # What a loop does not change goes one way in all passes.
    ("one way in all passes", ("s_mov_b32 s20, 0", *counted("s7", (
        *when("s_cmp_gt_i32 s6, 4", LOAD, "s_branch .Lb"), USE, ".Lb:")), VM), "unknown"),
    ("another way in every second pass", ("s_mov_b32 s20, 0", *counted("s7", (
        *when(ODD, USE, "s_branch .Lb", unless=False), LOAD, ".Lb:")), VM), "fault"),
    # Loops that constants count.
    ("as often as constants say", pushed_out(12, 10), "no_fault"),
    ("the same, with one pass too few", pushed_out(12, 12), "no_fault"),
    ("the same, and a count that is too large", pushed_out(12, 13), "fault"),
    ("so often that each pass is not followed", pushed_out(60, 50), "unknown"),
    ("the same, and a count that is too large, of many", pushed_out(60, 61), "fault"),
    ("as often as an argument says", pushed_out("s6", 10), "fault"),
    ("as often as an argument and a guard say", (*when("s_cmp_lt_i32 s6, 20", "s_endpgm", unless=False),
                                                *pushed_out("s6", 10)), "unknown"),
    ("the same, with too low a guard", (*when("s_cmp_lt_i32 s6, 5", "s_endpgm", unless=False), *pushed_out("s6", 10)),
     "fault"),
    ("in two loops, one in the other", ("s_mov_b32 s22, 0", ".Lo:", *pushed_out(11, 9), "s_add_i32 s22, s22, 1",
                                       "s_cmp_lt_i32 s22, s6", "s_cbranch_scc1 .Lo"), "no_fault"),
    ("in two loops, with too large a count", ("s_mov_b32 s22, 0", ".Lo:", *pushed_out(11, 12), "s_add_i32 s22, s22, 1",
                                             "s_cmp_lt_i32 s22, s6", "s_cbranch_scc1 .Lo"), "fault"),
    # Waves: one that loads is none of those that use it.
    ("by the wave, and by the others",
     (*when("s_cmp_eq_u32 s8, 0", LOAD), *when("s_cmp_lg_u32 s8, 0", USE, label=".Lb"), VM), "unknown"),
    ("by the wave, and by it again",
     (*when("s_cmp_eq_u32 s8, 0", LOAD), *when("s_cmp_lt_u32 s8, 64", USE, label=".Lb"), VM), "fault"),
    ("a barrier and a read, by two comparisons",
     (WRITE, LGKM, *when("s_cmp_gt_i32 s6, 4", MEET), *when("s_cmp_gt_i32 s6, 6", READ, LGKM, label=".Lb")), "unknown"),
    ("the same, with a gap",
     (WRITE, LGKM, *when("s_cmp_gt_i32 s6, 6", MEET), *when("s_cmp_gt_i32 s6, 4", READ, LGKM, label=".Lb")), "fault"),
    # A wave that never leaves its loop is none that keeps others from being followed.
    ("beside a loop without an end",
     ("v_xor_b32_e32 v20, 0x200, v1", "s_cmp_lt_u32 s8, 0x80", "s_cbranch_scc1 .La", MEET, ".La:", ".Ll:", WRITE, LGKM, MEET,
      "ds_read_b32 v3, v20", LGKM, MEET, "s_cbranch_scc0 .Ll"), "fault"),
    # What nobody computes may be either way, but the same twice.
    ("by a float", (OTHER, VM, *by_float(FLOAT), USE, VM), "fault"),
    ("by one float, twice", (OTHER, VM, *by_float(FLOAT), AGAIN, "s_cbranch_vccz .Lb", USE, ".Lb:", VM), "unknown"),
    ("by 64 bits", (LOAD, "s_mov_b64 s[20:21], 0", ".Ll:", OTHER, "s_add_u32 s20, s20, 1", "s_addc_u32 s21, s21, 0",
                    "v_mov_b32_e32 v12, s6", "v_mov_b32_e32 v13, s7", "v_cmp_lt_i64_e32 vcc, s[20:21], v[12:13]",
                    "s_cbranch_vccnz .Ll", "s_waitcnt vmcnt(4)", USE, VM), "fault"),
)


def check_branches():
    for what, lines, answer in BRANCHES:
        report = expect(answer, kernel(lines), f"branches: {what}")
        if answer == "unknown":
            check(any("no run that was tried" in found["detail"] for found in report["findings"]),
                  f"branches: {what}: it does not say that no run was found: {report['findings']}")
