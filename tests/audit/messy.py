# SPDX-License-Identifier: Apache-2.0
"""Kernels as people write them: rings in scalar registers, swizzles, branches on arguments, roles of waves, early exits.
Each is right, and wrong with one step changed."""

from checks import expect
from waves import ARGUMENTS, LGKM, MEET, VM, kernel

# Of the head: v1 is 4 bytes a thread, v2 those of the wave beside, s8 the wave times 64, s9 times 256 bytes.
COUNT = ("s_sub_i32 s7, s7, 1", "s_cmp_gt_i32 s7, 0", "s_cbranch_scc1 .Ll")


def copy(slot):
    return (f"s_add_i32 m0, {slot}, s9", "global_load_lds_dword v1, s[4:5]")


def read(slot, place="v2", to="v3"):
    return (f"v_add_u32_e32 v11, {slot}, {place}", f"ds_read_b32 {to}, v11")


def scalar_ring(early=False):
    """Three slots that go round in registers: two loads ahead."""
    rotate = ("s_mov_b32 s23, s20", "s_mov_b32 s20, s21", "s_mov_b32 s21, s22", "s_mov_b32 s22, s23")
    wait = ("s_waitcnt vmcnt(1)", MEET)
    return ("s_mov_b32 s20, 0", "s_movk_i32 s21, 0x400", "s_movk_i32 s22, 0x800", *copy("s20"), *copy("s21"), ".Ll:",
            *(copy("s22") + ("s_waitcnt vmcnt(2)", MEET) if early else wait + copy("s22")), *read("s20"), LGKM, *rotate,
            *COUNT, VM)


def swizzle(across=False):
    """Each wave reads what it wrote in another order; or what the wave beside did."""
    return ("v_lshrrev_b32_e32 v10, 3, v0", "v_and_b32_e32 v10, 7, v10", "v_lshlrev_b32_e32 v10, 4, v10",
            "v_xor_b32_e32 v12, v10, v1", "ds_write_b32 v12, v5", *(() if not across else ("v_xor_b32_e32 v12, 0x100, v12",)),
            "v_xor_b32_e32 v12, 16, v12", "ds_read_b32 v3, v12", LGKM)


def guarded_exit(wait_on_one_way=False):
    skip = ("s_cmp_gt_i32 s6, 3", "s_cbranch_scc1 .La", LGKM, ".La:") if wait_on_one_way else (LGKM,)
    return ("ds_write_b32 v1, v5", "s_cmp_eq_u32 s7, 0", "s_cbranch_scc1 .Le", *skip, MEET, "ds_read_b32 v3, v2", LGKM, ".Le:")


def nested(last=True):
    """What the inner loop reads is written anew by the outer one."""
    return (".Lo:", "ds_write_b32 v1, v5", LGKM, MEET, "s_mov_b32 s20, 0", ".Li:", *read("s20", "v7"), LGKM,
            "s_addk_i32 s20, 0x100", "s_cmpk_lt_u32 s20, 0x400", "s_cbranch_scc1 .Li", *((MEET,) if last else ()),
            "s_sub_i32 s6, s6, 1", "s_cmp_gt_i32 s6, 0", "s_cbranch_scc1 .Lo")


def some_lanes(wait=(LGKM, MEET)):
    """Half of the first wave writes for all."""
    return ("v_cmp_gt_u32_e32 vcc, 32, v0", "s_and_saveexec_b64 s[10:11], vcc", "s_cbranch_execz .La", "ds_write_b32 v1, v5",
            ".La:", "s_mov_b64 exec, s[10:11]", *wait, "v_and_b32_e32 v11, 0x7c, v1", "ds_read_b32 v3, v11", LGKM)


def toggled(meets=True):
    """Two slots, by exclusive or of m0's place and of the reader's."""
    return ("s_mov_b32 s20, 0", "v_mov_b32_e32 v21, v2", *copy("s20"), ".Ll:", "s_xor_b32 s20, s20, 0x400", *copy("s20"),
            "s_waitcnt vmcnt(1)", MEET, "ds_read_b32 v3, v21", LGKM, "v_xor_b32_e32 v21, 0x400, v21",
            *((MEET,) if meets else ()), *COUNT, VM)


def roles(wait_first=True):
    """The first wave loads for all others, which hand the place back by a barrier."""
    done = (LGKM, MEET) if wait_first else (MEET, LGKM)
    back = ("s_sub_i32 s7, s7, 1", "s_cmp_gt_i32 s7, 0")
    return ("s_cmp_eq_u32 s8, 0", "s_cbranch_scc1 .Lp", ".Lc:", MEET, "v_and_b32_e32 v11, 0xfc, v1", "ds_read_b32 v3, v11",
            *done, *back, "s_cbranch_scc1 .Lc", "s_branch .Le", ".Lp:", "s_mov_b32 m0, 0", "global_load_lds_dword v1, s[4:5]",
            VM, MEET, MEET, *back, "s_cbranch_scc1 .Lp", ".Le:")


def lagging(other="0x100"):
    """Two groups of waves, one a barrier ahead: each reads what its own group loaded, or the other one."""
    return ("s_cmp_lt_u32 s8, 0x80", "s_cbranch_scc1 .La", MEET, ".La:", f"v_xor_b32_e32 v20, {other}, v1", ".Ll:",
            *copy("0"), VM, MEET, "ds_read_b32 v3, v20", LGKM, MEET, *COUNT, "s_cmp_ge_u32 s8, 0x80", "s_cbranch_scc1 .Lb",
            MEET, ".Lb:")


def register_ring(count=3):
    """Loads three passes ahead, and a store in each pass, which counts as well."""
    load = "global_load_dword v{}, v1, s[4:5]"
    return (load.format(20), load.format(21), ".Ll:", load.format(22), f"s_waitcnt vmcnt({count})", "v_mov_b32_e32 v24, v20",
            "global_store_dword v1, v24, s[4:5]", VM, "v_mov_b32_e32 v20, v21", "v_mov_b32_e32 v21, v22", *COUNT)


def mixed(count=0):
    """Scalar loads retire out of order."""
    return (".Ll:", "ds_read_b32 v3, v1", "s_load_dword s20, s[4:5], 0x0", f"s_waitcnt lgkmcnt({count})",
            "v_add_u32_e32 v4, v3, v5", LGKM, *COUNT)


def leaving(waits=True):
    """The last wave writes for the others, and ends."""
    return ("s_cmp_lg_u32 s8, 0xc0", "s_cbranch_scc1 .La", "ds_write_b32 v1, v5", *((LGKM,) if waits else ()), MEET,
            "s_endpgm", ".La:", MEET, "v_or_b32_e32 v11, 0x300, v1", "ds_read_b32 v3, v11", LGKM)


def two_parts(far=True):
    """Two places by one write, the second one read."""
    order = (LGKM, MEET)
    return ("v_mov_b32_e32 v6, v5", "ds_write2st64_b32 v1, v5, v6 offset0:0 offset1:4", *(order if far else ()),
            "ds_read_b32 v3, v2 offset:1024", LGKM)


def parity(count=0):
    """Even and odd passes have code of their own, and each other's slot."""
    def side(to, of):
        return (*copy(to), *read(of), LGKM)
    return ("s_mov_b32 s20, 0", *copy("0x400"), VM, MEET, ".Ll:", "s_bitcmp1_b32 s20, 0", "s_cbranch_scc1 .Lodd",
            *side("0", "0x400"), "s_branch .Lt", ".Lodd:", *side("0x400", "0"), ".Lt:", f"s_waitcnt vmcnt({count})", MEET,
            "s_xor_b32 s20, s20, 1", *COUNT)


def chosen(same=False):
    """A slot by s_cselect: which one the reader has is the other."""
    first, second = ("0x400", "0")
    return ("s_mov_b32 s20, 0", *copy("0"), VM, MEET, ".Ll:", "s_cmp_eq_u32 s20, 0", f"s_cselect_b32 s21, {first}, {second}",
            f"s_cselect_b32 s22, {first if same else second}, {second if same else first}", *copy("s21"), *read("s22"), LGKM, VM,
            MEET, "s_xor_b32 s20, s20, 1", *COUNT)


def left_early(target=".Lw"):
    """A search that may end within the pass: past the wait, or to it."""
    return (".Ll:", "global_load_dword v9, v1, s[4:5]", "s_load_dword s20, s[4:5], 0x0", LGKM, "s_cmp_eq_u32 s20, s7",
            f"s_cbranch_scc1 {target}", "s_waitcnt vmcnt(1)", "s_add_i32 s7, s7, 1", "s_cmp_lt_i32 s7, s6", "s_cbranch_scc1 .Ll",
            ".Lw:", VM, ".Lx:", "v_add_u32_e32 v10, v9, v5", VM)


# What | the right one | the wrong one
KERNELS = (
    ("a ring in scalar registers", scalar_ring(), scalar_ring(True)),
    ("a swizzle", swizzle(), swizzle(True)),
    ("an exit, and a wait on one way", guarded_exit(), guarded_exit(True)),
    ("a loop in a loop", nested(), nested(False)),
    ("lanes of one wave", some_lanes(), some_lanes((MEET, LGKM))),
    ("places that toggle", toggled(), toggled(False)),
    ("a wave that loads", roles(), roles(False)),
    ("two groups", lagging(), lagging("0x200")),
    ("registers that go round", register_ring(2), register_ring(3)),
    ("scalar loads and LDS", mixed(), mixed(1)),
    ("a wave that ends", leaving(), leaving(False)),
    ("two places at once", two_parts(), two_parts(False)),
    ("even and odd passes", parity(), parity(1)),
    ("chosen slots", chosen(), chosen(True)),
    ("a search", left_early(), left_early(".Lx")),
)


def check_messy():
    for what, right, wrong in KERNELS:
        expect("no_fault", kernel(right, ARGUMENTS), f"messy: {what}")
        expect("fault", kernel(wrong, ARGUMENTS), f"messy: {what}, wrong")
