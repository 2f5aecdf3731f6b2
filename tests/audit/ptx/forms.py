# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX, in pairs: forms of operands and instructions that the PTX ISA has and that are easily read as others."""

from handovers import ARRIVAL, END, INIT, START

STORE = "    st.shared.b32 [%r7], %r1;\n"
LOAD = "    ld.shared.b32 %r20, [%r11];\n"
BARRIER = "    bar.sync 0;\n"
SHARED = ".shared .align 8 .b8 bars[64];"


def kernel(body, declares=""):
    return START.replace(SHARED, SHARED + "\n    " + declares) + body + END


def guarded(code, declares=""):
    """In order if %p20 holds: else no barrier stands between the store and the other warp's load."""
    return kernel(code + "\n" + STORE + "    @%p20 bar.sync 0;\n" + LOAD, declares)


def computed(code, number, declares=""):
    return guarded(f"{code}\n    setp.eq.u32 %p20, %r30, {number};", declares)


# Lanes of warp 0 store 16 bytes each, those of warp 1 load one word of these.
WIDE = kernel("""
    xor.b32 %r30, %r8, 512;
    add.u32 %r31, %r5, %r30;
    setp.eq.u32 %p2, %r2, 1;
    @!%p2 st.shared.v2.f64 [%r9], {%fd1, %fd2};
    bar.sync 0;
    @%p2 ld.shared.b32 %r20, [%r31+8];
""", ".reg .f64 %fd<3>;")

# Both warps arrive and wait, with what the instruction of each says.
MEET = kernel(INIT.replace("COUNT", "2") + STORE + "    setp.ne.u32 %p4, %r3, 0;\n    bar.warp.sync 0xffffffff;\n    @!%p4" + ARRIVAL + """
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0;
    selp.b32 %r30, 1, 0, %p3;
    setp.eq.u32 %p5, %r30, 0;
    @%p5 bra $wait;
""" + LOAD)

# A bulk copy of 128 bytes, which warp 1 reads.
BULK = kernel(INIT.replace("COUNT", "1") + """
    @!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 128;
    @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 128, [%r4];
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0;
    @!%p3 bra $wait;
    ld.shared.b32 %r20, [%r5+4];
""")

BACKWARDS = kernel("    add.u32 %r31, %r7, 128;\n    st.shared.b32 [%r31+-128], %r1;\n" + BARRIER + LOAD)
GENERIC = kernel("""
    cvt.u64.u32 %rd8, %r7;
    cvta.shared.u64 %rd9, %rd8;
    st.b32 [%rd9], %r1;
    bar.sync 0;
    cvt.u64.u32 %rd8, %r11;
    cvta.shared.u64 %rd10, %rd8;
    ld.b32 %r20, [%rd10];
""")
ROUND_TRIP = GENERIC.replace("ld.b32 %r20, [%rd10];", "cvta.to.shared.u64 %rd11, %rd10;\n    ld.shared.b32 %r20, [%rd11];")
REDUCED = kernel(STORE + "    bar.red.or.pred %p20, 1, 64, %p1;\n" + LOAD)
VOTED = guarded("    setp.eq.u32 %p3, %r3, 7;\n    vote.sync.ballot.b32 %r30, !%p3, -1;\n    setp.eq.u32 %p20, %r30, 0xffffff7f;")
RETURNS = kernel("    ld.param.u32 %r30, [n];\n    setp.gt.u32 %p3, %r30, 5;\n    @!%p3 ret;\n" + STORE + BARRIER + LOAD)

COPIED = kernel("    cp.async.cg.shared.global [%r9], [%rd1], 16;\n    cp.async.commit_group;\n    cp.async.wait_group 0;\n"
                "    bar.sync 0;\n    xor.b32 %r30, %r8, 512;\n    add.u32 %r31, %r5, %r30;\n    ld.shared.b32 %r20, [%r31];\n")

# The first sums of a wgmma are stored behind the wait for it, two in one register.
PACKED = kernel("""
    st.shared.b32 [%r7], %r1;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    mov.u64 %rd4, 4611686293305360384;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd4, %rd4, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    mov.b64 %rd5, {%f10, %f2};
    st.global.b64 [%rd1], %rd5;
""").replace(".maxntid 64", ".maxntid 128")

# As the CUDA C++ Programming Guide has it: all threads arrive, one of them with the bytes of a copy, and wait for the phase of their token.
TOKENS = kernel(INIT.replace("COUNT", "64") + """
    ld.param.u32 %r40, [n];
    mov.u32 %r41, 0;
$again:
    setp.ge.u32 %p4, %r41, %r40;
    @%p4 bra $end;
    @%p1 bra $others;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 256, [%r4];
    mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r4], 256;
    bra $wait;
$others:
    mbarrier.arrive.shared::cta.b64 %rd9, [%r4];
$wait:
    mbarrier.try_wait.shared::cta.b64 %p3, [%r4], %rd9;
    selp.b32 %r30, 1, 0, %p3;
    setp.eq.s32 %p5, %r30, 0;
    @%p5 bra $wait;
    ld.shared.b32 %r20, [%r11];
    fence.proxy.async.shared::cta;
    bar.sync 0; // all have read
    add.u32 %r41, %r41, 1;
    bra $again;
""")

KERNELS = {
    "TOKENS": TOKENS, "COPIED": COPIED, "PACKED": PACKED, "WIDE": WIDE, "MEET": MEET, "BULK": BULK, "BACKWARDS": BACKWARDS, "GENERIC": GENERIC, "ROUND_TRIP": ROUND_TRIP, "REDUCED": REDUCED,
    "VOTED": VOTED,
    "a parameter's generic address": kernel("    mov.b64 %rd2, map_a;\n    cvta.param.u64 %rd3, %rd2;\n    @!%p1 st.shared.b32 [%r4], 1;\n"
                                            "    ld.u32 %r30, [%rd3];\n"),
    "a parameter in ld.param::entry": kernel("    @!%p1 st.shared.b32 [%r4], 1;\n    ld.param::entry.u32 %r30, [map_a];\n"),
    "a vote of all": guarded("    setp.lt.u32 %p3, %r3, 32;\n    vote.sync.all.pred %p20, %p3, 0xffffffff;"),
    "lanes before this one": computed("    mov.u32 %r31, %lanemask_lt;\n    mov.u32 %r32, %lanemask_eq;\n    sub.u32 %r33, %r32, 1;\n"
                                      "    xor.b32 %r30, %r31, %r33;", 0),
    "lanes behind this one": computed("    mov.u32 %r31, %lanemask_gt;\n    mov.u32 %r32, %lanemask_ge;\n    mov.u32 %r33, %lanemask_eq;\n"
                                      "    sub.u32 %r32, %r32, %r33;\n    xor.b32 %r30, %r31, %r32;", 0),
    "a byte that is converted fills its register with its sign": computed(
        "    mov.u32 %r31, 0xff8;\n    cvt.s8.s32 %rs1, %r31;\n    cvt.s32.s16 %r30, %rs1;", -8, ".reg .b16 %rs<3>;"),
    "a sum of two numbers": computed("    mov.u32 %r30, 7+-3;", 4),
}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "one warp stores to shared memory by a generic address, where the other has one of global memory": (
        GENERIC, "st.b32 [%rd9], %r1;\n    bar.sync 0;", "setp.eq.u32 %p4, %r2, 1;\n    selp.b64 %rd12, %rd9, %rd1, %p4;\n    st.b32 [%rd12], %r1;", None),
    "a token that is not waited for": (TOKENS, "    @%p5 bra $wait;\n", "", None),
    "a copy before all have read, by tokens": (TOKENS, "bar.sync 0; // all have read", "", None),
    "a token of an earlier phase": (TOKENS, "    ld.shared.b32 %r20", "    mbarrier.arrive.shared::cta.b64 %rd10, [%r4];\n$more:\n"
                                    "    mbarrier.try_wait.shared::cta.b64 %p3, [%r4], %rd9;\n    @!%p3 bra $more;\n    ld.shared.b32 %r20", None),
    "a wait for all groups but 65536": (COPIED, "wait_group 0;", "wait_group 65536;", "stale_read"),
    "a sum in flight as the second part of a register": (PACKED, "    wgmma.wait_group.sync.aligned 0;\n    mov.b64 %rd5, {%f10, %f2};\n    st.global.b64 [%rd1], %rd5;",
                                                         "    mov.b64 %rd5, {%f10, %f2};\n    st.global.b64 [%rd1], %rd5;\n    wgmma.wait_group.sync.aligned 0;",
                                                         "accumulator_in_flight"),
    "the second half of two doubles": (WIDE, "    bar.sync 0;\n    @%p2", "    @%p2", None),
    "another number of arrivals, where who waits asks through a number": (MEET, "[%r4], 2;", "[%r4], 1;", None),
    "a difference in brackets": (BACKWARDS, "[%r31+-128], %r1;\n    bar.sync 0;", "[%r31-128], %r1;", None),
    "no barrier between generic accesses": (GENERIC, "bar.sync 0;", "", None),
    "no barrier between a generic store and a load": (ROUND_TRIP, "bar.sync 0;", "", None),
    "a barrier with a result, of other threads": (REDUCED, "1, 64, %p1", "1, 32, %p1", None),
    "a vote of other lanes": (VOTED, "%p3, %r3, 7;", "%p3, %r3, 8;", None),
    "an argument decides who returns": (RETURNS, BARRIER, "", None),
}

EXPRESSION = computed("    mov.u32 %r30, 14;", 14)
CLAMPED = computed("    mov.u32 %r31, -7;\n    mov.u32 %r30, 0;", 0)
WIDTHS = guarded("    mov.u32 %r30, 0;\n    ld.param.u64 %rd8, [out];\n    setp.eq.u64 %p3, %rd8, 5;\n    @!%p3 bra $end;\n    setp.eq.u32 %p20, %r30, 0;")
TOKEN = guarded(INIT.replace("COUNT", "64") + "    mov.u64 %rd9, 7;\n    setp.eq.u64 %p20, %rd9, 7;")

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "one lane has a generic address of other memory": (GENERIC, "st.b32 [%rd9], %r1;", "setp.eq.u32 %p4, %r3, 0;\n    selp.b64 %rd12, 4096, %rd9, %p4;\n"
                                                       "    st.b32 [%rd12], %r1;", "and others do not"),
    "a generic address that memory moves": (GENERIC, "st.b32 [%rd9], %r1;", "ld.global.u64 %rd12, [%rd1];\n    add.s64 %rd12, %rd9, %rd12;\n"
                                            "    st.b32 [%rd12], %r1;", "the earlier write is done"),
    "a generic address behind what is not followed": (GENERIC, "st.b32 [%rd9], %r1;", "szext.clamp.u32 %r40, %rd9, 3;\n    cvt.u64.u32 %rd12, %r40;\n    or.b64 %rd12, %rd12, %rd9;\n"
                                                      "    st.b32 [%rd12], %r1;", "the earlier write is done"),
    "memory decides about a generic address": (GENERIC, "st.b32 [%rd9], %r1;", "ld.global.u32 %r40, [%rd1];\n    setp.eq.u32 %p4, %r40, 0;\n"
                                               "    mov.u64 %rd12, %rd1;\n    @%p4 mov.u64 %rd12, %rd9;\n    st.b32 [%rd12], %r1;", "the earlier write is done"),
    "arithmetic on a token": (TOKENS, "$wait:\n", "    add.s64 %rd9, %rd9, 0;\n$wait:\n", "which phase"),
    "half of a token": (TOKENS, "$wait:\n", "    mov.b64 {%r50, %r51}, %rd9;\n    mov.b64 %rd9, {%r50, %r51};\n$wait:\n", "which phase"),
    "a token of another mbarrier": (TOKENS, "try_wait.shared::cta.b64 %p3, [%r4], %rd9;", "try_wait.shared::cta.b64 %p3, [%r4+8], %rd9;", "no mbarrier"),
    "a token that memory gives": (TOKENS, "$wait:\n", "    ld.global.u64 %rd9, [%rd1];\n$wait:\n", "which phase"),
    "a barrier without its number": (COPIED, "bar.sync 0;", "bar.sync;", "not followed"),
    "a copy without its size": (COPIED, "[%rd1], 16;", "[%rd1];", "not followed"),
    "an arrival that counts for none": (MEET, "_, [%r4];", "_, [%r4], 0;", "1 to 1048575"),
    "a product of constants": (EXPRESSION, "%r30, 14;", "%r30, (3+4)*2;", None),
    "a shift of constants": (EXPRESSION, "%r30, 14;", "%r30, 7<<1;", None),
    "a minimum with nothing below 0": (CLAMPED, "mov.u32 %r30, 0;", "min.relu.s32 %r30, %r31, 3;", None),
    "a parameter read in two widths": (WIDTHS, "mov.u32 %r30, 0;", "ld.param.u32 %r30, [out];\n    sub.u32 %r30, %r30, 5;", None),
    "the token of an arrival": (TOKEN, "mov.u64 %rd9, 7;", "mov.u64 %rd9, 7;\n    mbarrier.arrive.shared::cta.b64 %rd9, [%r4];", None),
    "an arrival that must not complete a phase": (MEET, "mbarrier.arrive.shared::cta.b64 _, [%r4]", "mbarrier.arrive.noComplete.shared::cta.b64 %rd9, [%r4], 1",
                                                  "not followed"),
    "a failed wait changes for what is waited": (MEET, "[%r4], 0;\n    selp.b32 %r30, 1, 0, %p3;\n    setp.eq.u32 %p5, %r30, 0;",
                                                 "[%r4], %r30;\n    selp.b32 %r30, 0, 1, %p3;\n    setp.eq.u32 %p5, %r30, 1;", None),
    "an mbarrier that is not aligned": (MEET, "mov.u32 %r4, bars;", "mov.u32 %r4, bars+4;", "multiple of 8"),
    "a bulk copy of 100 bytes": (BULK, "[%rd1], 128,", "[%rd1], 100,", "multiple of 16"),
    "a bulk copy to an address that is not aligned": (BULK, "bytes [%r5],", "bytes [%r5+8],", "multiple of 16"),
    "a store beyond shared memory": (BACKWARDS, "[%r31+-128]", "[%r31+1000000]", "beyond the shared memory"),
}
