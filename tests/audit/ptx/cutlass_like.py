# SPDX-License-Identifier: Apache-2.0
"""What kernels made of large templates have: a hundred parameters, tiles that begin at any row, loads by generic addresses."""

from checks import check, expect, replace
from snippets import HEAD, RING, STORES

# Many members of a structure are read before the one that decides the flow.
MEMBERS = 100
MANY = replace(RING, ".param .u64 out,", f".param .align 8 .b8 others[{8 * MEMBERS}], .param .u64 out,")
MANY = replace(MANY, "    ld.param.u32 %r3, [n];\n", "".join(f"    ld.param.u64 %rd10, [others+{8 * i}];\n    xor.b64 %rd11, %rd11, %rd10;\n" for i in range(MEMBERS))
               + "    ld.param.u32 %r3, [n];\n")

# The mbarriers stand in the three rows before the tiles.
BEHIND = replace(replace(RING, "    mov.u32 %r4, bars;\n", "    mov.u32 %r4, tiles;\n"), "    mov.u32 %r5, tiles;\n", "    mov.u32 %r5, tiles+384;\n")

# A number that a pointer from memory leads to, if there is one.
LOADS = """    ld.param.u64 %rd6, [out];
    ld.global.u64 %rd7, [%rd6];
    setp.eq.s64 %p10, %rd7, 0;
    @%p10 bra $none;
    ld.f32 %f4, [%rd7];
$none:
"""
POINTED = replace(RING, "    setp.ne.u32 %p2, %r2, 4;\n", LOADS + "    setp.ne.u32 %p2, %r2, 4;\n")

# Each thread copies what another one reads, where its row is one of the matrix: that decides no flow.
GUARDED = HEAD.replace(".param .u32 n)", ".param .u32 n, .param .u32 rows)").format(threads=64) + """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r2, [n];
    ld.param.u32 %r3, [rows];
    mov.u32 %r5, tiles;
    shl.b32 %r6, %r1, 4;
    xor.b32 %r7, %r6, 512;
    add.u32 %r6, %r5, %r6;
    add.u32 %r7, %r5, %r7;
    setp.lt.u32 %p1, %r1, %r3;
    mov.u32 %r10, 0;
$next:
    setp.ge.u32 %p2, %r10, %r2;
    @%p2 bra $end;
    @%p1 cp.async.cg.shared.global [%r6], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r7];
    bar.sync 0; // all have read
    add.u32 %r10, %r10, 1;
    bra $next;
$end:
    ret;
}
"""

# Each warp stores 16 rows of A, and waits for no other one: that is right if its part of the wgmma reads these rows alone.
ROWS = HEAD.format(threads=128) + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r5, tiles;
    shl.b32 %r6, %r1, 6;
    add.u32 %r6, %r5, %r6;
    st.shared.b32 [%r6], %r1;
    fence.proxy.async.shared::cta;
    bar.warp.sync 0xffffffff;
    // all have stored
    shr.u32 %r20, %r5, 4;
    cvt.u64.u32 %rd3, %r20;
    or.b64 %rd4, %rd3, 4611686293305360384; // A
    add.u64 %rd5, %rd4, 512;
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, 0f00000000;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%f1, %f2}, %rd4, %rd5, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    ret;
}
"""
MET = replace(ROWS, "    // all have stored\n", "    bar.sync 0;\n")

# Two threads of a warp store one half each.
HALVES = replace(replace(STORES, "setp.ne.u32 %p1, %r1, 0;", "setp.gt.u32 %p1, %r1, 1;\n    shl.b32 %r7, %r1, 10;\n    add.u32 %r7, %r3, %r7;"),
                 "[%rd1], [%r3], 2048;", "[%rd1], [%r7], 1024;")
WAITS = "    @%p1 bra $free;\n    cp.async.bulk.wait_group.read 0;\n"

KERNELS = {"HALVES": HALVES, "MET": MET, "GUARDED": GUARDED, "MANY": MANY, "BEHIND": BEHIND, "POINTED": POINTED}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "halves that nobody waits for": (HALVES, WAITS, "", "overwritten"),
    "halves of which one is waited for": (HALVES, WAITS, "    setp.ne.u32 %p3, %r1, 0;\n    @%p3 bra $free;\n    cp.async.bulk.wait_group.read 0;\n", "overwritten"),
    "rows of B that each warp stores": (ROWS, "%rd4, %rd5, 1, 1, 1, 0, 0;", "%rd5, %rd4, 1, 1, 1, 0, 0;", "stale_read"),
    "a guarded copy before all have read": (GUARDED, "bar.sync 0; // all have read", "", "overwritten"),
    "a guarded copy that nobody waits for": (GUARDED, "cp.async.wait_group 0;", "", "stale_read"),
    "a hundred members, and no wait": (MANY, "    @%p5 bra $full;\n    bra $wait_full;\n", "", None),
    "tiles that begin in the row of the mbarriers": (BEHIND, "tiles+384", "tiles", None),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "rows of A that each warp stores for itself": (ROWS, "// all", "// all", "its own 16 rows"),
    "a pointer to shared memory, from the thread's stack": (
        POINTED, "    ld.f32 %f4, [%rd7];\n", "    .local .align 8 .b8 stack[8];\n    cvt.u64.u32 %rd8, %r5;\n    cvta.shared.u64 %rd8, %rd8;\n    st.local.u64 [stack], %rd8;\n"
        "    ld.local.u64 %rd7, [stack];\n    ld.f32 %f4, [%rd7];\n", "memory holds decides this branch"),
    "a pointer to shared memory": (POINTED, "    ld.f32 %f4, [%rd7];\n", "    cvt.u64.u32 %rd8, %r5;\n    cvta.shared.u64 %rd7, %rd8;\n    ld.f32 %f4, [%rd7];\n",
                                   "memory holds decides this branch"),
}

# The launch says how many bytes a phase expects.
BYTES = replace(replace(RING, ".param .u32 n)", ".param .u32 n, .param .u32 bytes)"), "_, [%r14], 8192;", "_, [%r14], %r40;")
BYTES = replace(BYTES, "    ld.param.u32 %r3, [n];\n", "    ld.param.u32 %r3, [n];\n    ld.param.u32 %r40, [bytes];\n")
NO_WAIT = replace(BYTES, "    @%p5 bra $full;\n    bra $wait_full;\n", "")
NO_RELEASE = replace(BYTES, "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n", "")

# With no tile at all who multiplies waits for one.
ONCE = replace(replace(RING, "$multiply:\n    setp.ge.u32 %p4, %r10, %r3;\n    @%p4 bra $store;\n", "$multiply:\n"),
               "    bra $multiply;\n", "    setp.lt.u32 %p4, %r10, %r3;\n    @%p4 bra $multiply;\n")

# An argument of which 0 says that who multiplies waits for no tile, or does not release it.
FLAG = replace(replace(RING, ".param .u32 n)", ".param .u32 n, .param .u32 flag)"), "    ld.param.u32 %r3, [n];\n",
               "    ld.param.u32 %r3, [n];\n    ld.param.u32 %r50, [flag];\n    setp.eq.s32 %p15, %r50, 0;\n")
NO_TILE = replace(FLAG, "$wait_full:\n", "    @%p15 bra $full;\n$wait_full:\n")
KEPT = replace(FLAG, "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n", "    @%p15 bra $released;\n    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n")


def check_taken():
    """What a launch is taken to be is named, and what rests on it is not certain."""
    for where, text, options, answer, words in (
            ("bytes that the launch says", BYTES, (), "no_fault", "bytes is 8192, as the copies of a phase bring"),
            ("bytes that are stated", BYTES, ("--argument", "bytes=8192"), "no_fault", "as stated, bytes is 8192"),
            ("bytes that are stated, and too few for a copy", BYTES, ("--argument", "bytes=8"), "unknown", "cannot bring"),
            ("bytes that the launch says, and no wait", NO_WAIT, (), "fault", "overwritten"),
            ("bytes that the launch says, and a slot that is not released", NO_RELEASE, (), "unknown", "deadlock"),
            ("a flag without which nobody waits", NO_TILE, ("--argument", "n=5"), "unknown", "phase_alias"),
            ("a flag without which no slot is released", KEPT, ("--argument", "n=5"), "unknown", "deadlock"),
            ("a number of tiles that is taken not to be 0", ONCE, (), "no_fault", "no launch has arguments with which this goes wrong"),
            ("a number of tiles that is stated to be 0", ONCE, ("--argument", "n=0"), "fault", "deadlock")):
        report = expect(answer, text, where, *options)
        check(words in str(report), f"{where}: {str(report)[:2000]}")
