# SPDX-License-Identifier: Apache-2.0
"""Waves of a workgroup that diverge, and that do something at once."""

from checks import check, expect

HEAD = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.type k,@function
k:
\ts_load_dwordx4 s[4:7], s[0:1], 0x0
\tv_lshlrev_b32_e32 v1, 2, v0
\tv_xor_b32_e32 v2, 0x100, v1
\tv_mov_b32_e32 v5, 1
\tv_mov_b32_e32 v7, 0
\tv_readfirstlane_b32 s8, v0
\ts_lshl_b32 s9, s8, 2
\ts_mov_b32 m0, s9
\ts_waitcnt lgkmcnt(0)
"""

TAIL = """\
\ts_endpgm
\t.amdhsa_kernel k
{descriptor}\
\t\t.amdhsa_next_free_vgpr 32
\t\t.amdhsa_next_free_sgpr 96
\t\t.amdhsa_accum_offset 32
\t\t.amdhsa_group_segment_fixed_size 4096
\t.end_amdhsa_kernel
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .max_flat_workgroup_size: {threads}
    .name:           k
...
\t.end_amdgpu_metadata
"""

ARGUMENTS = "\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"


def kernel(lines, descriptor=ARGUMENTS, threads=256):
    """v1: 4 bytes a thread; v2: those of the next wave or the one before; v7: 0. s8: the wave, times 64."""
    body = "".join(f"{line}\n" if line.endswith(":") else f"\t{line}\n" for line in lines)
    return HEAD + body + TAIL.format(descriptor=descriptor, threads=threads)


COPY, WRITE, READ = "global_load_lds_dword v1, s[4:5]", "ds_write_b32 v1, v5", "ds_read_b32 v3, v2"
VM, LGKM, MEET = "s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0)", "s_barrier"
BY_WAVE = ("s_cmp_eq_u32 s8, 0", "s_cbranch_scc1 .La")
BY_VCC = ("v_cmp_gt_u32_e32 vcc, 64, v0", "s_cbranch_vccnz .La")
BY_EXEC = ("v_cmp_gt_u32_e32 vcc, 64, v0", "s_and_saveexec_b64 s[10:11], vcc", "s_cbranch_execnz .La")
BY_DATA = ("global_load_dword v9, v1, s[4:5]", VM, "v_readfirstlane_b32 s10, v9", "s_cmp_eq_u32 s10, 0",
           "s_cbranch_scc1 .La")
BY_ARGUMENT = ("s_cmp_eq_u32 s4, 0", "s_cbranch_scc1 .La")


def two_paths(before, split, falls, branches, behind=()):
    return (*before, *split, *falls, "s_branch .Le", ".La:", *branches, ".Le:", *behind)


def loop(split, *body):
    return (".Ll:", *body, *split[:-1], split[-1].replace(".La", ".Ll"))


# What | lines | answer
WAYS = (
    # Two branches by one comparison: nobody passes the barrier by and reads.
    ("a barrier and a read, by one argument",
     (WRITE, LGKM, *BY_ARGUMENT, MEET, ".La:", BY_ARGUMENT[0], "s_cbranch_scc1 .Le", READ, LGKM, ".Le:"), "unknown"),
    # An access before the branch, and a wait on the path of the wave that reads alone.
    ("a copy, waited for on one path", two_paths((COPY,), BY_WAVE, (MEET,), (VM, MEET, READ, LGKM)), "fault"),
    ("the same on both", two_paths((COPY,), BY_WAVE, (VM, MEET), (VM, MEET, READ, LGKM)), "no_fault"),
    ("the same before the branch", two_paths((COPY, VM), BY_WAVE, (MEET,), (MEET, READ, LGKM)), "no_fault"),
    ("a wait behind the barrier", two_paths((COPY,), BY_WAVE, (MEET, VM), (VM, MEET, READ, LGKM)), "fault"),
    ("a write, by vcc", two_paths((WRITE,), BY_VCC, (MEET,), (LGKM, MEET, READ, LGKM)), "fault"),
    ("the same, waited for", two_paths((WRITE,), BY_VCC, (LGKM, MEET), (LGKM, MEET, READ, LGKM)), "no_fault"),
    ("a write, by exec", two_paths((WRITE,), BY_EXEC, (MEET,), (LGKM, MEET, READ, LGKM)), "fault"),
    ("a write, by data", two_paths((WRITE,), BY_DATA, (MEET,), (LGKM, MEET, READ, LGKM)), "unknown"),
    ("the same, by an argument's data", two_paths((WRITE,), BY_ARGUMENT, (MEET,), (LGKM, MEET, READ, LGKM)),
     "no_fault"),
    ("a read, overwritten on the other path", two_paths((READ,), BY_WAVE, (MEET, LGKM), (LGKM, MEET, WRITE, LGKM)),
     "fault"),
    ("the same, waited for", two_paths((READ,), BY_WAVE, (LGKM, MEET), (LGKM, MEET, WRITE, LGKM)), "no_fault"),
    ("the wait of the second barrier", two_paths((COPY,), BY_WAVE, (MEET, VM, MEET), (VM, MEET, MEET, READ, LGKM)),
     "no_fault"),
    ("a wait between two barriers", two_paths((COPY,), BY_WAVE, (MEET, VM, MEET), (VM, MEET, READ, LGKM, MEET)),
     "fault"),
    # Accesses of the two paths, ordered by barriers of the two paths.
    ("a write and a read", two_paths((), BY_WAVE, (WRITE, LGKM, MEET), (MEET, READ, LGKM)), "no_fault"),
    ("the same in flight", two_paths((), BY_WAVE, (WRITE, MEET), (MEET, READ, LGKM)), "fault"),
    ("the read first", two_paths((), BY_WAVE, (WRITE, LGKM, MEET), (READ, LGKM, MEET)), "fault"),
    # Barriers that a part of the waves never executes.
    ("a barrier of some waves", ("s_cmp_eq_u32 s8, 0", "s_cbranch_scc1 .La", WRITE, LGKM, MEET, ".La:", READ, LGKM),
     "fault"),
    ("a barrier that the others end before", two_paths((COPY, VM), BY_WAVE, (), (MEET, READ, LGKM)), "no_fault"),
    ("a barrier that the others pass", two_paths((COPY, VM), BY_WAVE, (READ, LGKM), (MEET, LGKM), (MEET, COPY, VM)),
     "fault"),
    # Waves that end early.
    ("ended before a barrier", (*BY_WAVE, WRITE, LGKM, "s_endpgm", ".La:", MEET, READ, LGKM), "no_fault"),
    ("ended with a write in flight", (WRITE, *BY_WAVE, "s_endpgm", ".La:", LGKM, MEET, READ, LGKM), "unknown"),
    ("ended with a copy in flight", (COPY, *BY_WAVE, "s_endpgm", ".La:", VM, MEET, READ, LGKM), "unknown"),
    ("ended after it waited", (COPY, *BY_WAVE, VM, "s_endpgm", ".La:", VM, MEET, READ, LGKM), "no_fault"),
    ("ended, read without a barrier", (*BY_WAVE, WRITE, LGKM, "s_endpgm", ".La:", READ, LGKM), "fault"),
    # Behind the reconvergence; and in a loop.
    ("the barrier behind the paths", two_paths((COPY,), BY_WAVE, (), (VM,), (MEET, READ, LGKM)), "fault"),
    ("the same, waited for", two_paths((COPY,), BY_WAVE, (VM,), (VM,), (MEET, READ, LGKM)), "no_fault"),
    ("paths in a loop", ("s_mov_b32 s20, 4", *loop(
        ("s_sub_i32 s20, s20, 1", "s_cmp_lg_u32 s20, 0", "s_cbranch_scc1 .La"), COPY,
        *two_paths((), BY_WAVE, (MEET,), (VM, MEET, READ, LGKM), (VM, MEET)))), "fault"),
    ("the same, waited for", ("s_mov_b32 s20, 4", *loop(
        ("s_sub_i32 s20, s20, 1", "s_cmp_lg_u32 s20, 0", "s_cbranch_scc1 .La"), COPY,
        *two_paths((), BY_WAVE, (VM, MEET), (VM, MEET, READ, LGKM), (VM, MEET)))), "no_fault"),
    # A barrier that one wave executes besides, behind one that both did.
    ("a copy before all barriers, waves apart", (COPY, VM, MEET, *BY_WAVE, MEET, ".La:", READ, LGKM), "no_fault"),
    ("the same, waited for behind the first", (COPY, MEET, VM, *BY_WAVE, MEET, ".La:", READ, LGKM), "fault"),
    ("the same, by data", (COPY, VM, MEET, *BY_DATA, MEET, ".La:", READ, LGKM), "unknown"),
    ("a copy of one wave, waves apart", (*BY_WAVE, COPY, VM, MEET, ".La:", MEET, READ, LGKM), "no_fault"),
    ("the same, the barrier of both first", (*BY_WAVE, COPY, MEET, VM, ".La:", MEET, READ, LGKM), "fault"),
    ("two barriers besides", (COPY, VM, MEET, *BY_WAVE, MEET, MEET, ".La:", READ, LGKM, MEET, COPY, VM), "fault"),
    ("the same without the one of both", (COPY, VM, *BY_WAVE, MEET, ".La:", READ, LGKM), "fault"),
    # Loops that waves do not iterate equally often.
    ("trips by wave", (*loop(("s_sub_i32 s8, s8, 64", "s_cmp_ge_i32 s8, 0", "s_cbranch_scc1 .La"), MEET),
                       WRITE, LGKM, MEET, READ, LGKM), "unknown"),
    ("one trip by either wave", (*loop(("s_sub_i32 s8, s8, 64", "s_cmp_gt_i32 s8, 0", "s_cbranch_scc1 .La"), MEET),
                                 WRITE, LGKM, MEET, READ, LGKM), "no_fault"),
    ("trips by an argument", (*loop(("s_sub_i32 s4, s4, 1", "s_cmp_gt_i32 s4, 0", "s_cbranch_scc1 .La"), MEET),
                              WRITE, LGKM, MEET, READ, LGKM), "no_fault"),
    ("trips by wave, without a barrier",
     (*loop(("s_sub_i32 s8, s8, 64", "s_cmp_gt_i32 s8, 0", "s_cbranch_scc1 .La"), "s_nop 0"),
      WRITE, LGKM, MEET, READ, LGKM), "no_fault"),
    ("a counter of those trips", ("s_mov_b32 s21, 0", *loop(
        ("s_sub_i32 s8, s8, 64", "s_cmp_ge_i32 s8, 0", "s_cbranch_scc1 .La"), "s_add_i32 s21, s21, 1"),
        "s_cmp_eq_u32 s21, 2", "s_cbranch_scc1 .La", MEET, ".La:", WRITE, LGKM, MEET, READ, LGKM), "unknown"),
)

# Waves that the wave's number keeps from a path, by a flag that is not followed.
BY_FLAG = ("s_mov_b32 s31, 0", "s_cmp_lg_u32 s8, 0", "s_cbranch_scc0 .Lset", "s_mov_b32 s31, 1", ".Lset:", "s_cmp_eq_u32 s31, 1",
           "s_cbranch_scc0 .La")

SIDES = ("s_cbranch_scc1 .La", WRITE, LGKM, "s_endpgm", ".La:", READ, LGKM)

# What | asked | descriptor | answer
SCALARS = (
    ("nothing wrote it", "s90", ARGUMENTS, "unknown"),
    ("nothing sets it up", "s2", ARGUMENTS + "\t\t.amdhsa_system_sgpr_workgroup_id_x 0\n", "unknown"),
    ("the workgroup's number", "s2", ARGUMENTS, "no_fault"),
    ("an argument", "s3", ARGUMENTS + "\t\t.amdhsa_user_sgpr_kernarg_preload_length 2\n", "no_fault"),
    ("behind the arguments", "s12", ARGUMENTS + "\t\t.amdhsa_user_sgpr_kernarg_preload_length 2\n", "unknown"),
    ("of the user, and not asked for", "s3", ARGUMENTS + "\t\t.amdhsa_user_sgpr_count 4\n", "unknown"),
    ("the first wave's mark", "s3", ARGUMENTS + "\t\t.amdhsa_system_sgpr_workgroup_info 1\n", "unknown"),
    ("not said", "s1", "", "unknown"),
    ("flat_scratch", "flat_scratch_lo", ARGUMENTS, "unknown"),
)


def atomics(first, second):
    return (f"{first} v7, v5", f"{second} v7, v5", LGKM, MEET, "ds_read_b32 v3, v7", LGKM)


# Pairs of LDS atomics of two waves on one place.
ATOMICS = (
    ("ds_add_u32", "ds_add_u32", "no_fault"), ("ds_add_u32", "ds_sub_u32", "no_fault"),
    ("ds_and_b32", "ds_and_b32", "no_fault"), ("ds_xor_b32", "ds_xor_b32", "no_fault"),
    ("ds_min_u32", "ds_min_u32", "no_fault"), ("ds_max_i32", "ds_max_i32", "no_fault"),
    ("ds_and_b32", "ds_add_u32", "fault"), ("ds_min_i32", "ds_add_u32", "fault"),
    ("ds_or_b32", "ds_and_b32", "fault"), ("ds_min_u32", "ds_min_i32", "fault"),
    ("ds_max_u32", "ds_min_u32", "fault"), ("ds_xor_b32", "ds_or_b32", "fault"),
    ("ds_rsub_u32", "ds_rsub_u32", "fault"), ("ds_inc_u32", "ds_inc_u32", "fault"),
    ("ds_dec_u32", "ds_inc_u32", "fault"), ("ds_add_f32", "ds_add_f32", "fault"),
)

AT_ONCE = (
    ("an exchange", ("ds_wrxchg_rtn_b32 v3, v7, v0", LGKM), "unknown"),
    ("a value returned and used", ("ds_add_rtn_u32 v3, v7, v5", LGKM, "v_mov_b32_e32 v4, v3"), "unknown"),
    ("a value returned and not used", ("ds_add_rtn_u32 v3, v7, v5", LGKM), "no_fault"),
    ("one place, values of their own", ("ds_write_b32 v7, v0", LGKM), "unknown"),
    ("one place, one value", ("ds_write_b32 v7, v5", LGKM), "no_fault"),
    ("one place, by one wave", (*BY_WAVE, "s_endpgm", ".La:", "ds_write_b32 v7, v0", LGKM), "no_fault"),
    ("copies to one place", ("s_mov_b32 m0, 0", COPY, VM), "unknown"),
    ("beyond all LDS", ("s_add_i32 m0, s9, 0x10000", COPY, "s_mov_b32 m0, s9", COPY, VM), "unknown"),
)


def check_loads():
    """What a branch that all waves take alike hangs on is checked, or named in the answer."""
    asks = ("s_load_dword s10, {base}, 0x10", LGKM, "s_cmp_eq_u32 s10, 0", *SIDES)
    for what, base, descriptor, wanted in (("an argument", "s[0:1]", ARGUMENTS, []),
                                           ("memory", "s[4:5]", ARGUMENTS, ["loaded from memory"]),
                                           ("not said", "s[0:1]", "", ["does not say so"])):
        lines = [line.format(base=base) for line in asks]
        report = expect("no_fault", kernel(lines, descriptor), f"a branch on {what}")
        named = [assumption["why"] for assumption in report.get("assumptions", [])]
        check(len(named) == len(wanted) and all(a in b for a, b in zip(wanted, named)),
              f"a branch on {what}: takes for given {named}")
    turns = ("s_load_dword s10, s[4:5], 0x10", LGKM, *loop(
        ("s_sub_i32 s10, s10, 1", "s_cmp_gt_i32 s10, 0", "s_cbranch_scc1 .La"), WRITE, LGKM, MEET, READ, LGKM, MEET))
    report = expect("no_fault", kernel(turns), "trips from memory")
    named = [assumption["why"] for assumption in report.get("assumptions", [])]
    check(len(named) == 1 and "equally often" in named[0], f"trips from memory: takes for given {named}")
    report = expect("no_fault", kernel(turns, threads=64), "trips of one wave")
    check(report.get("assumptions") == [], f"trips of one wave: {report.get('assumptions')}")


# Addresses that waves 0 and 1 have alike, and 2 and 3; a lane's own; of both a part in 16 bytes.
ALIKE = ("v_and_b32_e32 v10, 0x80, v0", "v_and_b32_e32 v11, 63, v0", "v_or_b32_e32 v10, v10, v11",
         "v_lshlrev_b32_e32 v10, 2, v10")
LOADED = ("global_load_dword v9, v10, s[4:5]", VM)
STAGED = ("ds_write_b32 v1, v0", LGKM, MEET, "ds_read_b32 v9, v10", LGKM, MEET)
PUT = "ds_write_b32 v10, v9"
# The other word is the thread's own.
PAIR = ("v_mov_b32_e32 v14, v10", "v_mov_b32_e32 v15, v0", "v_mov_b32_e32 v16, v0", "v_mov_b32_e32 v17, v10")
RESOURCE = ("s_mov_b64 s[12:13], s[4:5]", "s_mov_b32 s14, -1")

# X: what waves with the same addresses write.
WRITTEN_ALIKE = (
    ("no_fault", (*ALIKE, "v_lshrrev_b32_e32 v9, 1, v10", PUT), "what follows from the place"),
    ("unknown", (*ALIKE, "v_lshrrev_b32_e32 v9, 1, v0", PUT), "what follows from the thread"),
    ("no_fault", (*ALIKE, *LOADED, PUT), "what is loaded from one address"),
    ("unknown", (*ALIKE, "global_load_dword v9, v1, s[4:5]", VM, PUT), "what is loaded from two addresses"),
    ("unknown", (*ALIKE, "scratch_load_dword v9, off, off", VM, PUT), "what is each thread's own"),
    ("no_fault", (*ALIKE, *RESOURCE, "s_mov_b32 s15, 0x27000", "buffer_load_dword v9, v10, s[12:15], 0 offen", VM, PUT), "what a resource has"),
    ("unknown", (*ALIKE, *RESOURCE, "s_mov_b32 s15, 0x827000", "buffer_load_dword v9, v10, s[12:15], 0 offen",
                 VM, PUT),
     "what a resource has at the thread's number"),
    ("unknown", (*ALIKE, *RESOURCE, "s_mov_b32 s15, s5", "buffer_load_dword v9, v10, s[12:15], 0 offen", VM, PUT),
     "what some resource has"),
    ("no_fault", (*ALIKE, *STAGED, PUT), "what is read from LDS"),
    ("fault", (*ALIKE, "ds_write_b32 v1, v0", LGKM, "ds_read_b32 v9, v10", LGKM, MEET, PUT),
     "what is read from LDS too early"),
    ("no_fault", (*ALIKE, "v_mfma_f32_4x4x4_16b_f16 v[12:15], v[10:11], v[10:11], 0",
                  "ds_write_b32 v10, v12"), "a product of what is alike"),
    ("unknown", (*ALIKE, "v_mfma_f32_4x4x4_16b_f16 v[12:15], v[0:1], v[10:11], 0",
                 "ds_write_b32 v10, v12"), "a product of what is not"),
    ("no_fault", (*ALIKE, *PAIR, "v_pk_mul_f32 v[12:13], v[14:15], v[10:11] op_sel_hi:[0,0]", "ds_write_b32 v10, v12"),
     "a packed product of the low words"),
    ("no_fault", (*ALIKE, *PAIR, "v_pk_add_f32 v[12:13], v[16:17], v[16:17] op_sel:[1,1]", "ds_write_b32 v10, v13"),
     "a packed sum of the high words"),
    ("unknown", (*ALIKE, *PAIR, "v_pk_mul_f32 v[12:13], v[14:15], v[10:11] op_sel:[1,0] op_sel_hi:[1,0]",
                 "ds_write_b32 v10, v12"), "a packed product of a high word"),
    ("unknown", (*ALIKE, *PAIR, "v_pk_mul_f32 v[12:13], v[14:15], v[10:11]", "ds_write_b32 v10, v13"),
     "a packed product of both words"),
    ("unknown", (*ALIKE, *PAIR, "v_pk_fma_f32 v[12:13], v[10:11], v[10:11], v[14:15] op_sel_hi:[0,0,1]",
                 "ds_write_b32 v10, v13"), "a packed sum of the third's high word"),
    ("no_fault", (*ALIKE, *LOADED, "v_mov_b32_e32 v9, v9", "ds_bpermute_b32 v9, v10, v9", LGKM, PUT),
     "what other lanes of the wave have"),
    ("no_fault", (*ALIKE, *LOADED, "v_add_f32_dpp v9, v9, v9 row_shr:1", PUT), "a sum with other lanes"),
    ("unknown", (*ALIKE, *LOADED, "v_mov_b32_dpp v12, v9 row_shr:1", "ds_write_b32 v10, v12"),
     "lanes that keep what nobody wrote"),
    ("no_fault", (*ALIKE, *LOADED, "v_mov_b32_dpp v12, v9 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1",
                  "ds_write_b32 v10, v12"), "lanes without a source, which get 0"),
    ("unknown", (*ALIKE, *LOADED, "v_mov_b32_dpp v12, v9 row_shr:1 row_mask:0xa bank_mask:0xf bound_ctrl:1",
                 "ds_write_b32 v10, v12"), "rows that keep what nobody wrote"),
    ("unknown", (*ALIKE, *LOADED, "v_mov_b32_dpp v12, v9 row_shr:1 row_mask:0xf bank_mask:0x3 bound_ctrl:1",
                 "ds_write_b32 v10, v12"), "banks that keep what nobody wrote"),
    ("unknown", (*ALIKE, *LOADED, "v_cvt_f16_u16_e32 v12, v9", "ds_write_b32 v10, v12"),
     "a half that keeps what nobody wrote"),
    ("no_fault", (*ALIKE, *LOADED, "v_cvt_f16_f32_e32 v12, v9", "ds_write_b32 v10, v12"), "a half that is cleared"),
    *((answer, (*ALIKE, *LOADED, f"v_add_u32_sdwa v12, v9, v9 dst_sel:{to} dst_unused:UNUSED_{rest} src0_sel:WORD_1 "
                "src1_sel:DWORD", "ds_write_b32 v10, v12"), f"parts of a register, {to} {rest}")
      for answer, to, rest in (("no_fault", "WORD_0", "PAD"), ("no_fault", "BYTE_1", "SEXT"),
                               ("unknown", "WORD_0", "PRESERVE"), ("no_fault", "DWORD", "PRESERVE"))),
    # Either word of a pair by itself: v14 and v17 are alike, v15 and v16 are each thread's own.
    *((answer, (*ALIKE, *PAIR, what, f"ds_write_b32 v10, v{number}"), f"a word of {what}: v{number}")
      for what, answers in (("v_mov_b64_e32 v[20:21], v[14:15]", ("no_fault", "unknown")),
                            ("v_pk_add_f32 v[20:21], v[14:15], v[14:15]", ("no_fault", "unknown")),
                            ("v_pk_add_f32 v[20:21], v[14:15], v[16:17]", ("unknown", "unknown")),
                            ("v_pk_mul_f32 v[20:21], v[14:15], v[16:17] op_sel:[0,1] op_sel_hi:[0,1]",
                             ("no_fault", "no_fault")),
                            ("v_pk_mul_f32 v[20:21], v[14:15], v[16:17] op_sel:[0,1] op_sel_hi:[1,1]",
                             ("no_fault", "unknown")),
                            ("v_pk_fma_f32 v[20:21], v[14:15], v[14:15], v[16:17] op_sel:[0,0,0] op_sel_hi:[0,0,1]",
                             ("unknown", "no_fault")),
                            ("v_pk_mov_b32 v[20:21], v[14:15], v[16:17] op_sel:[0,1]", ("no_fault", "no_fault")),
                            ("v_pk_mov_b32 v[20:21], v[14:15], v[16:17] op_sel:[1,0]", ("unknown", "unknown")))
      for number, answer in zip((20, 21), answers)),
    ("unknown", (*ALIKE, *LOADED, "v_mov_b32_e32 v12, v0", "v_cmp_gt_f32_e32 vcc, 0, v9",
                 "s_and_saveexec_b64 s[10:11], vcc", "v_mov_b32_e32 v12, 0", "s_or_b64 exec, exec, s[10:11]",
                 "ds_write_b32 v10, v12"), "lanes that keep the thread's number"),
    ("no_fault", (*ALIKE, *LOADED, "v_cmp_gt_f32_e32 vcc, 0, v9", "s_and_saveexec_b64 s[10:11], vcc", PUT),
     "in lanes that are on alike"),
    ("unknown", (*ALIKE, *LOADED, "v_cmp_gt_f32_e32 vcc, 0, v9", "v_mov_b32_e32 v12, v5",
                 "s_and_saveexec_b64 s[10:11], vcc", "v_readfirstlane_b32 s13, v0", "v_mov_b32_e32 v9, s13", PUT),
     "the first lane that is on has another number in each wave"),
    ("unknown", (*ALIKE, *LOADED, *BY_WAVE, "v_mov_b32_e32 v9, 0", ".La:", PUT), "what waves on one path wrote"),
    ("no_fault", (*ALIKE, "s_lshl_b32 s10, s8, 2", "s_and_b32 s10, s10, 0x200", "s_mov_b32 m0, s10",
                  "global_load_lds_dword v10, s[4:5]"), "loads to LDS"),
    ("unknown", (*ALIKE, "s_lshl_b32 s10, s8, 2", "s_and_b32 s10, s10, 0x200", "s_mov_b32 m0, s10",
                 "global_load_lds_dword v1, s[4:5]"), "loads to LDS from other addresses"),
)

# Groups of waves between different barriers read one address at other times.
APART = ("s_cmp_lt_u32 s8, 0x80", "s_cbranch_scc1 .La", MEET, ".La:")


def check_written_alike():
    for answer, lines, what in WRITTEN_ALIKE:
        report = expect(answer, kernel(lines), f"waves write {what}")
        named = any("nobody may change meanwhile" in note["why"] for note in report.get("assumptions", []))
        loads = any("load_" in line for line in lines)
        check(named == (loads and answer == "no_fault"), f"waves write {what}: {report.get('assumptions')}")
    apart = (*ALIKE, "v_and_b32_e32 v10, 0xfc, v10", *APART, "ds_read_b32 v9, v10 offset:0x400", LGKM,
             "ds_write_b32 v10, v9")
    expect("unknown", kernel(apart), "waves write what they read between different barriers")


def passes(start, rotate):
    """Each pass writes a slot, and reads what other waves wrote to it."""
    trips = ("s_sub_i32 s4, s4, 1", "s_cmp_gt_i32 s4, 0", "s_cbranch_scc1 .La")
    return (*start, *loop(trips, "v_add_u32_e32 v10, s20, v1", "ds_write_b32 v10, v5", LGKM, MEET,
                          "v_add_u32_e32 v11, s20, v2", "ds_read_b32 v3, v11", LGKM, *rotate))


SLOTS = ("s_mov_b32 s20, 0", "s_movk_i32 s21, 0x400", "s_movk_i32 s22, 0x800")
MOVES = ("s_mov_b32 s23, s20", "s_mov_b32 s20, s21", "s_mov_b32 s21, s22", "s_mov_b32 s22, s23")
COUNT = ("s_mov_b32 s20, 0", "s_mov_b32 s25, 0")
SELECT = ("s_add_i32 s25, s25, 1", "s_cmp_lt_i32 s25, 3", "s_cselect_b32 s25, s25, 0", "s_lshl_b32 s20, s25, 10")
FLAG = ("s_mov_b64 s[10:11], 0", "s_cmp_eq_u32 s4, 0", "s_cbranch_scc1 .La", "v_mov_b32_e32 v10, v1",
        "s_mov_b64 s[10:11], -1", ".La:", "s_and_b64 s[10:11], s[10:11], exec", "s_cselect_b32 s12, 1, 0",
        "s_cmp_lg_u32 s12, 1", "s_cbranch_scc1 .Le", "ds_write_b32 v10, v5", LGKM)

ROTATING = (
    ("no_fault", passes(SLOTS, MOVES), "moves round a ring of three slots"),
    ("fault", passes(SLOTS, MOVES[:1]), "moves that lead nowhere"),
    ("fault", passes(("s_mov_b32 s20, 0", "s_mov_b32 s21, 0", "s_movk_i32 s22, 0x400"), MOVES),
     "two slots of a ring in one place"),
    ("no_fault", passes(COUNT, SELECT), "a slot's number chosen"),
    ("fault", passes(COUNT, (*SELECT[:2], "s_cselect_b32 s25, 0, 0", SELECT[3])), "one number chosen always"),
    ("fault", passes(COUNT, (SELECT[0], "s_cmp_lt_i32 s25, 1", *SELECT[2:])), "a ring of one slot"),
    ("unknown", passes(COUNT, (*SELECT[:3], "s_add_i32 s20, s20, s5")), "slots an argument apart"),
    ("no_fault", passes(("s_mov_b32 s20, 0",), ("s_xor_b32 s20, s20, 0x400",)), "two slots by xor"),
    ("fault", passes(("s_mov_b32 s20, 0",), ("s_xor_b32 s20, s20, 0",)), "a slot by xor"),
    ("no_fault", (*FLAG, ".Le:", MEET, READ, LGKM), "an address that a flag goes with"),
    ("fault", (*FLAG[:-1], ".Le:", MEET, READ, LGKM), "the same, not waited for"),
    ("unknown", (*FLAG[:-3], "ds_write_b32 v10, v5", LGKM, ".Le:", MEET, READ, LGKM),
     "an address that a flag goes with, whatever the flag"),
)


def spill(*lines, wait=VM, at="v12"):
    """Each wave writes its own bytes, and reads where a register says that was in private memory meanwhile."""
    return (WRITE, LGKM, *lines, wait, f"ds_read_b32 v3, {at}", LGKM)


OUT, OTHER = "scratch_store_dword off, v1, off offset:8", "scratch_store_dword off, v2, off offset:8"
BACK = "scratch_load_dword v12, off, off offset:8"

SPILLED = (
    ("no_fault", spill(OUT, BACK), "its own place"),
    ("fault", spill(OTHER, BACK), "another wave's place"),
    ("fault", spill(OUT, OTHER, BACK), "what was stored last"),
    ("no_fault", spill(OTHER, OUT, BACK), "what was stored last, its own place"),
    ("fault", spill(OUT, BACK, wait="s_nop 0"), "what is not back yet"),
    ("unknown", spill(OUT, BACK.replace("8", "12")), "what nobody stored"),
    ("unknown", spill(OUT, "scratch_store_short off, v5, off offset:8", BACK), "a half of it"),
    ("unknown", spill(OUT, "scratch_store_dword v5, v5, off", BACK), "what a store to anywhere may have written"),
    ("unknown", spill(OUT, "scratch_store_dword off, v5, s8", BACK), "what a store by a scalar may have written"),
    ("unknown", spill(OUT, "scratch_store_dword off, v5, off offset:10", BACK), "what a store across two has written"),
    ("unknown", spill(OUT.replace("8", "2048"), BACK.replace("8", "2048")), "what lies further than is followed"),
    ("no_fault", spill(OUT.replace("8", "2044"), BACK.replace("8", "2044")), "what lies as far as is followed"),
    ("no_fault", spill(OUT, OTHER.replace("8", "2048"), BACK), "beside what lies further"),
    ("unknown", spill(OUT, "scratch_store_dwordx2 off, v[1:2], off offset:2044", BACK), "beside what lies there and further"),
    ("no_fault", spill("scratch_store_dwordx2 off, v[1:2], off offset:8", BACK), "the first of two"),
    ("fault", spill("scratch_store_dwordx2 off, v[1:2], off offset:4", BACK), "the second of two"),
    ("no_fault", spill(OUT, "scratch_load_dwordx2 v[11:12], off, off offset:4", at="v12"), "the second of two that come back"),
    ("unknown", spill(OUT, "s_mov_b64 exec, 0xff", OTHER, "s_mov_b64 exec, -1", BACK), "some lanes' place in another wave"),
    ("no_fault", spill(OTHER, OUT, "s_mov_b64 exec, 0", OTHER, "s_mov_b64 exec, -1", BACK), "what no lane stored"),
    ("unknown", spill(*two_paths((OUT,), BY_WAVE, (), (OTHER,)), BACK), "what one wave stored otherwise"),
    ("unknown", spill(*two_paths((OUT,), BY_DATA, (), (OTHER,)), BACK), "what waves may have stored otherwise"),
    ("unknown", (*ALIKE, *LOADED, "scratch_store_dword off, v9, off", *BY_WAVE, "scratch_store_dword off, v0, off", ".La:", VM,
                 "scratch_load_dword v9, off, off", VM, PUT), "what one wave stored otherwise, of data"),
    ("no_fault", (*ALIKE, *LOADED, "scratch_store_dword off, v9, off", "scratch_load_dword v9, off, off", VM, PUT),
     "data that waves have alike"),
)


KEPT = ("global_load_dword v9, v1, s[4:5]", VM, "v_readfirstlane_b32 s10, v9", "v_writelane_b32 v20, s4, 0",
        "v_writelane_b32 v20, s10, 1")


def by_lane(*between, lane="0"):
    """s4, an argument, and s10, which waves may have otherwise, in two lanes: a branch by what comes back of them."""
    split = (f"v_readlane_b32 s11, v20, {lane}", "s_cmp_eq_u32 s11, 0", "s_cbranch_scc1 .La")
    return two_paths((WRITE, LGKM, *KEPT, *between), split, (MEET,), (MEET, MEET), (READ, LGKM))


def branch_between(split, *lines):
    return (*split[:-1], split[-1].replace(".La", ".Lb"), *lines, ".Lb:")


LANES = (
    ("no_fault", by_lane(), "an argument"),
    ("unknown", by_lane(lane="1"), "what waves may have otherwise"),
    ("unknown", by_lane(lane="2"), "what nobody wrote"),
    ("unknown", by_lane(lane="s5"), "a lane that is not known"),
    ("unknown", by_lane("v_writelane_b32 v20, s10, 0"), "what was written last"),
    ("no_fault", by_lane("v_writelane_b32 v20, s10, 0", "v_writelane_b32 v20, s5, 0"), "an argument that was written last"),
    ("unknown", by_lane("v_writelane_b32 v20, s10, s5"), "behind a write of a lane that is not known"),
    ("unknown", by_lane("v_mov_b32_e32 v20, v9"), "behind a write of all lanes"),
    ("unknown", by_lane("s_mov_b64 exec, 1", "v_mov_b32_e32 v20, v9", "s_mov_b64 exec, -1"), "behind a write of some lanes"),
    ("unknown", by_lane("global_load_dword v20, v1, s[4:5]", VM), "behind a load to all lanes"),
    ("no_fault", by_lane(*branch_between(BY_ARGUMENT, "v_writelane_b32 v20, s5, 0")), "one of two arguments, by an argument"),
    ("unknown", by_lane(*branch_between(BY_ARGUMENT, "v_writelane_b32 v20, s10, 0")), "an argument, or not"),
    ("unknown", by_lane(*branch_between(BY_DATA, "v_writelane_b32 v20, s5, 0")), "one of two arguments, by data"),
    ("unknown", by_lane(*(f"v_writelane_b32 v{21 + i}, s5, 0" for i in range(4)), lane="1"), "beside four others"),
    ("no_fault", by_lane(*(f"v_writelane_b32 v{21 + i}, s5, 0" for i in range(4))), "an argument, beside four others"),
)


SHIFT = "v_lshlrev_b32_sdwa v12, v13, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:"


def by_part(instruction, threads=256):
    """Each wave writes its own bytes, and reads where a shift of a part of the thread's number by 2 says."""
    return kernel((WRITE, "v_mov_b32_e32 v13, 2", LGKM, instruction, "ds_read_b32 v3, v12", LGKM), threads=threads)


PARTS = (
    ("no_fault", by_part(SHIFT + "BYTE_0"), "the byte that is all of it"),
    ("fault", by_part(SHIFT + "BYTE_0", 512), "a byte that others have as well"),
    ("fault", by_part(SHIFT + "BYTE_1"), "a byte that is 0"),
    ("no_fault", by_part(SHIFT + "WORD_0", 512), "the low half"),
    ("fault", by_part(SHIFT + "WORD_1", 512), "the high half"),
    ("no_fault", by_part(SHIFT.replace("src0_sel:DWORD", "src0_sel:BYTE_0") + "DWORD"), "all of it, by a byte"),
    ("fault", by_part(SHIFT.replace("src0_sel:DWORD", "src0_sel:BYTE_3") + "DWORD"), "all of it, by a byte that is 0"),
    ("unknown", by_part(SHIFT.replace("v0", "sext(v0)") + "BYTE_0"), "a byte with a sign"),
    ("unknown", by_part(SHIFT + "BYTE_0 clamp"), "what is kept within bounds"),
    ("unknown", by_part(SHIFT.replace("dst_sel:DWORD", "dst_sel:WORD_0") + "BYTE_0"), "half of a result"),
)


def by_pass(mask, other, step=1):
    """As many passes as an argument says: slots by the lowest bits of a pass's number; `other` makes that of the write of them."""
    return ("s_mov_b32 s10, 0", "ds_write_b32 v1, v0", ".Ll:", LGKM, MEET, f"s_and_b32 s11, s10, {mask}", "s_lshl_b32 s11, s11, 10",
            "v_add_u32_e32 v10, s11, v2", *other, "s_lshl_b32 s12, s12, 10", "v_add_u32_e32 v11, s12, v1", "ds_write_b32 v11, v0",
            "ds_read_b32 v3, v10", LGKM, f"s_add_i32 s10, s10, {step}", "s_cmp_lg_u32 s10, s4", "s_cbranch_scc1 .Ll")


PASSES = (
    ("no_fault", by_pass(1, ("s_xor_b32 s12, s10, 1", "s_and_b32 s12, s12, 1")), "the other of two slots"),
    ("fault", by_pass(1, ("s_and_b32 s12, s10, 1",)), "the slot that is read"),
    ("no_fault", by_pass(3, ("s_add_i32 s12, s10, 1", "s_and_b32 s12, s12, 3")), "the next of four slots"),
    ("fault", by_pass(3, ("s_add_i32 s12, s10, 4", "s_and_b32 s12, s12, 3")), "the fourth from here on"),
    ("no_fault", by_pass(3, ("s_add_i32 s12, s10, 2", "s_and_b32 s12, s12, 3"), 2), "every other slot of four"),
    ("no_fault", by_pass(1, ("s_xor_b32 s12, s10, 1", "s_and_b32 s12, s12, 1"), 2), "two slots, always the same ones"),
    ("unknown", by_pass(15, ("s_add_i32 s12, s10, 1", "s_and_b32 s12, s12, 15")), "more slots than are told apart"),
)


def check_flag():
    """What two waves do on a path that one of them may never take is not sure to go wrong."""
    both = (READ, LGKM, "v_mov_b32_e32 v9, v3", COPY, VM)
    expect("fault", kernel(both, threads=128), "a path of both waves")
    expect("unknown", kernel((*BY_FLAG, *both, ".La:"), threads=128), "a path of the second wave, by a flag")
    expect("fault", kernel((*BY_FLAG, ".La:", *both), threads=128), "behind a path by a flag")
    expect("unknown", kernel((*BY_FLAG, *BY_ARGUMENT[:-1], "s_cbranch_scc1 .Lb", "s_nop 0", ".Lb:", *both, ".La:"), threads=128),
           "a path of the second wave, behind another branch")


def check_part_of_a_wave():
    """Of 96 threads the second wave has half a wave's lanes: a mask of the others is empty there."""
    for what, mask, answer in (("lanes that are not there", ("v_cmp_lt_u32_e32 vcc, 95, v0", "s_cbranch_vccnz .La"),
                                "no_fault"),
                               ("lanes that are there", ("v_cmp_lt_u32_e32 vcc, 94, v0", "s_cbranch_vccnz .La"),
                                "fault"),
                               ("all lanes", ("s_cmp_eq_u64 exec, -1", "s_cbranch_scc1 .La"), "fault")):
        expect(answer, kernel((*mask, WRITE, LGKM, "s_endpgm", ".La:", READ, LGKM), threads=96), what)


def check_required_size():
    """In a workgroup of 16 by 16 v0 has 16 values, so that all waves touch the same bytes."""
    lines = (WRITE, LGKM, MEET, "ds_add_u32 v1, v5", LGKM, "ds_read_b32 v3, v1", LGKM)
    for what, extents, answer in (("in one dimension", "\n      - 256\n      - 1\n      - 1", "no_fault"),
                                  ("in two", "\n      - 16\n      - 16\n      - 1", "unknown"),
                                  ("in a row", " [256, 1, 1]", "no_fault"), ("in two, in a row", " [16, 16, 1]", "unknown")):
        required = f"    .reqd_workgroup_size:{extents}\n"
        text = kernel(lines)
        for at, place in ((text.index("    .name:"), "before its name"), (text.index("...\n\t.end"), "behind its name")):
            expect(answer, text[:at] + required + text[at:], f"a workgroup {what}, {place}")


def check_own_condition():
    """Which waves take a branch is known also where a comparison is written to a register that it reads."""
    for to in ("s[2:3]", "s[30:31]", "vcc"):
        lag = (f"v_cmp_lt_u32_e64 {to}, s2, v0", f"s_and_saveexec_b64 s[20:21], {to}", "s_cbranch_execz .La", MEET, ".La:",
               "s_or_b64 exec, exec, s[20:21]")
        behind = ("ds_read_b32 v3, v2", LGKM, "v_mov_b32_e32 v9, v3", MEET, MEET, "ds_write_b32 v1, v3", LGKM, MEET)
        for answer, met in (("no_fault", MEET), ("fault", "s_nop 0")):
            expect(answer, kernel((WRITE, LGKM, met, "s_movk_i32 s2, 0xff", *lag, *behind), threads=512),
                   f"a comparison to {to}: {met}")


def check_beyond():
    """What the target has no LDS for may be anywhere, and the finding says so."""
    text = kernel((WRITE, "v_add_u32_e32 v10, 0x10000, v1", "ds_write_b32 v10, v5", LGKM, MEET, READ, LGKM))
    found = expect("unknown", text, "beyond LDS").get("findings", [])
    check(any("LDS up to byte 66559, and the target has 65536 bytes" in finding["detail"] for finding in found),
          f"beyond LDS: {found}")
    expect("no_fault", text.replace("gfx942", "gfx950"), "the same where there is more of it")
    text = kernel(("v_add_u32_e32 v10, 0x10000, v1", "ds_write_b32 v10, v0", LGKM))
    found = expect("unknown", text, "beyond LDS, all waves at once").get("findings", [])
    check(any("LDS up to byte 66559, and the target has 65536 bytes" in finding["detail"] for finding in found),
          f"beyond LDS, all waves at once: {found}")


def check_ended():
    """Where waves would access LDS that have ended before does not matter."""
    ended = ("s_cmp_lt_u32 s8, 0x80", "s_cbranch_scc1 .La", "s_endpgm", ".La:", "v_sub_u32_e32 v10, 0x1fc, v1", WRITE, LGKM)
    for answer, met in (("no_fault", MEET), ("fault", "s_nop 0")):
        expect(answer, kernel((*ended, met, "ds_read_b32 v3, v10", LGKM)), f"half of the waves, others have ended: {met}")


PRODUCERS = ("s_cmp_lt_u32 s8, 0x80", "s_cbranch_scc1 .La")
PUT_SLOT, GET_SLOT = ("ds_write_b32 v11, v5", LGKM, MEET), (MEET, "ds_read_b32 v3, v11", LGKM)


def role(label, body, step):
    return (label, "v_add_u32_e32 v11, s20, v10", *body, f"s_xor_b32 s20, s20, {step}", "s_sub_i32 s4, s4, 1",
            "s_cmp_gt_i32 s4, 0", f"s_cbranch_scc1 {label[:-1]}")


def check_roles():
    """Two waves write slots that two others read. Of ways that a flag parts again it is said what is in the way."""
    for step, answers in ((0x200, ("no_fault", "unknown", "no_fault")), (0, ("fault", "unknown", "fault"))):
        start = ("v_and_b32_e32 v10, 0x1fc, v1", "s_mov_b32 s20, 0")
        puts, gets = role(".Lp:", PUT_SLOT, step), role(".Lg:", GET_SLOT, step)
        loops = (*start, *PRODUCERS, *gets, "s_branch .Le", ".La:", *puts, ".Le:")
        flag = (*start, *PRODUCERS, *gets, "s_mov_b64 s[10:11], 0", "s_branch .Lf", ".La:", "s_mov_b64 s[10:11], -1",
                ".Lf:", "s_and_b64 vcc, exec, s[10:11]", "s_cbranch_vccz .Le", *puts, ".Le:")
        one = (*start, *role(".Lr:", (*PRODUCERS, *GET_SLOT, "s_branch .Le", ".La:", *PUT_SLOT, ".Le:"), step))
        for lines, answer, what in zip((loops, flag, one), answers, ("a loop each", "a flag between", "one loop")):
            report = expect(answer, kernel(lines), f"roles with {what}, slots {step} bytes apart")
            said = any("barriers stand in loops" in found["detail"] and "iterate one loop" in found["hint"]
                       for found in report.get("findings", []))
            check(said == (answer == "unknown"), f"roles with {what}: {report.get('findings')}")


def check_waves():
    check_beyond()
    check_roles()
    check_ended()
    check_own_condition()
    check_written_alike()
    for answer, lines, what in ROTATING:
        expect(answer, kernel(lines), what)
    for answer, lines, what in SPILLED:
        expect(answer, kernel(lines), f"from private memory: {what}")
    for answer, lines, what in LANES:
        expect(answer, kernel(lines), f"from a lane: {what}")
    for answer, lines, what in PASSES:
        expect(answer, kernel(lines), f"by the number of the pass: {what}")
    for answer, text, what in PARTS:
        expect(answer, text, f"a part of a register: {what}")
    check_flag()
    check_part_of_a_wave()
    check_required_size()
    for what, lines, answer in WAYS:
        expect(answer, kernel(lines, threads=128), what)
    for what, asked, descriptor, answer in SCALARS:
        expect(answer, kernel((f"s_cmp_eq_u32 {asked}, 0", *SIDES), descriptor), f"a branch on a scalar: {what}")
    for first, second, answer in ATOMICS:
        expect(answer, kernel(atomics(first, second)), f"{first}, {second}")
    for what, lines, answer in AT_ONCE:
        expect(answer, kernel(lines), f"at once: {what}")
    check_loads()
