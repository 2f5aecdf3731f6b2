# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX as compilers write them: bytes in shared memory say what warps do, rings of four, divisions by products."""

from snippets import HEAD

KERNEL = HEAD.replace("sm_90a", "sm_80")

# Warp 0 says in shared memory what warps 1 and 2 do: the one copies, the other reads; at the end it sends them home.
STEERED = KERNEL.format(threads=96) + """
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 5;
    and.b32 %r3, %r1, 31;
    shl.b32 %r3, %r3, 4;
    mov.u32 %r4, tiles;
    add.u32 %r5, %r4, %r3;
    ld.param.u32 %r6, [n];
    ld.param.u64 %rd1, [out];
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra $works;
    st.shared.v2.b32 [tiles+2048], {0, 1};
    bar.sync 1;
    bar.sync 1;
    st.shared.v2.b32 [tiles+2048], {33686018, 33686018};
    bar.sync 1;
    ret;
$works:
    bar.sync 1;
    shl.b32 %r7, %r2, 2;
    add.u32 %r8, %r4, %r7;
    ld.shared.u8 %r9, [%r8+2044];
    setp.eq.u32 %p2, %r9, 0;
    @%p2 bra $copies;
    setp.eq.u32 %p3, %r9, 1;
    @%p3 bra $reads;
    ret;
$copies:
    mov.u32 %r10, 0;
$copy:
    setp.ge.u32 %p4, %r10, %r6;
    @%p4 bra $done;
    cp.async.cg.shared.global [%r5+512], [%rd1], 16;
    cp.async.wait_all;
    bar.sync 2, 64;
    bar.sync 3, 64; // all have read
    add.u32 %r10, %r10, 1;
    bra $copy;
$reads:
    mov.u32 %r10, 0;
$read:
    setp.ge.u32 %p4, %r10, %r6;
    @%p4 bra $done;
    bar.sync 2, 64;
    ld.shared.v4.b32 {%r14, %r15, %r16, %r17}, [%r5+512];
    bar.sync 3, 64; // all have read
    add.u32 %r10, %r10, 1;
    bra $read;
$done:
    bar.sync 1;
    bra $works;
}
"""

# Four slots; copies are three passes ahead, and none is issued for what lies behind the last one.
DEEP = KERNEL.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 4;
    xor.b32 %r3, %r2, 512;
    mov.u32 %r4, tiles;
    add.u32 %r5, %r4, %r2;
    add.u32 %r6, %r4, %r3;
    ld.param.u32 %r7, [n];
    ld.param.u64 %rd1, [out];
    setp.gt.u32 %p1, %r7, 0;
    setp.gt.u32 %p2, %r7, 1;
    setp.gt.u32 %p3, %r7, 2;
    @%p1 cp.async.cg.shared.global [%r5], [%rd1], 16;
    cp.async.commit_group;
    @%p2 cp.async.cg.shared.global [%r5+1024], [%rd1], 16;
    cp.async.commit_group;
    @%p3 cp.async.cg.shared.global [%r5+2048], [%rd1], 16;
    cp.async.commit_group;
    mov.u32 %r10, 0;  // pass
    mov.u32 %r11, -1; // slot that is read
    mov.u32 %r12, 2;  // slot that is filled
    add.s32 %r13, %r7, -3;
$again:
    setp.ge.u32 %p4, %r10, %r7;
    @%p4 bra $end;
    setp.lt.s32 %p5, %r10, %r13;
    add.u32 %r14, %r11, 1;
    setp.gt.s32 %p6, %r14, 3;
    selp.b32 %r11, 0, %r14, %p6;
    cp.async.wait_group 2;
    bar.sync 0;
    shl.b32 %r15, %r11, 10;
    add.u32 %r16, %r6, %r15;
    ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r16];
    add.u32 %r17, %r12, 1;
    setp.gt.s32 %p7, %r17, 3;
    selp.b32 %r12, 0, %r17, %p7;
    shl.b32 %r18, %r12, 10;
    add.u32 %r19, %r5, %r18;
    @%p5 cp.async.cg.shared.global [%r19], [%rd1], 16;
    cp.async.commit_group;
    add.u32 %r10, %r10, 1;
    bra $again;
$end:
    cp.async.wait_all;
    ret;
}
"""

# Three slots; which one a pass has is the rest of a division by 3, as a product's upper half.
THIRDS = KERNEL.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 4;
    xor.b32 %r3, %r2, 512;
    mov.u32 %r4, tiles;
    add.u32 %r5, %r4, %r2;
    add.u32 %r6, %r4, %r3;
    ld.param.u32 %r7, [n];
    ld.param.u64 %rd1, [out];
    cp.async.cg.shared.global [%r5], [%rd1], 16;
    cp.async.commit_group;
    mov.u64 %rd2, 0;
$again:
    cvt.u32.u64 %r10, %rd2;
    setp.ge.u32 %p4, %r10, %r7;
    @%p4 bra $end;
    mul.hi.u64 %rd3, %rd2, -6148914691236517205;
    shr.u64 %rd4, %rd3, 1;
    mul.lo.u64 %rd5, %rd4, 3;
    sub.u64 %rd6, %rd2, %rd5;
    cvt.u32.u64 %r11, %rd6;
    add.u64 %rd7, %rd2, 1;
    mul.hi.u64 %rd8, %rd7, -6148914691236517205;
    shr.u64 %rd9, %rd8, 1;
    mul.lo.u64 %rd10, %rd9, 3;
    sub.u64 %rd11, %rd7, %rd10;
    cvt.u32.u64 %r12, %rd11;
    shl.b32 %r13, %r12, 10;
    add.u32 %r14, %r5, %r13;
    cp.async.cg.shared.global [%r14], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    bar.sync 0;
    shl.b32 %r15, %r11, 10;
    add.u32 %r16, %r6, %r15;
    ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r16];
    add.u64 %rd2, %rd2, 1;
    bra $again;
$end:
    cp.async.wait_all;
    ret;
}
"""

KERNELS = {"STEERED": STEERED, "DEEP": DEEP, "THIRDS": THIRDS}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "no barrier before a slot is filled again, by a warp that is told to": (STEERED, "bar.sync 3, 64; // all have read", "", None),
    "what warps do lies where tiles are copied to": (STEERED, "[%r5+512], [%rd1], 16;", "[%r5+1792], [%rd1], 16;", None),
    "all copy to one place": (STEERED, "{0, 1}", "{0, 0}", "write_race"),
    "no barrier before warps look what they do": (STEERED, "{0, 1};\n    bar.sync 1;", "{0, 1};", None),
    "too weak a wait for a ring of four": (DEEP, "cp.async.wait_group 2;", "cp.async.wait_group 3;", "stale_read"),
    "a ring of four with three slots": (DEEP, "setp.gt.s32 %p7, %r17, 3;", "setp.gt.s32 %p7, %r17, 2;", None),
    "a copy too few in flight": (DEEP, "@%p2 cp.async.cg.shared.global [%r5+1024], [%rd1], 16;\n    cp.async.commit_group;", "", None),
    "three passes through two slots": (THIRDS, "mul.lo.u64 %rd10, %rd9, 3;\n    sub.u64 %rd11, %rd7, %rd10;", "and.b64 %rd11, %rd7, 1;", None),
    "too weak a wait for three slots": (THIRDS, "cp.async.wait_group 1;", "cp.async.wait_group 2;", "stale_read"),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "memory says what warps do": (STEERED, "st.shared.v2.b32 [tiles+2048], {0, 1};",
                                  "ld.global.u32 %r30, [%rd1];\n    st.shared.v2.b32 [tiles+2048], {0, %r30};", None),
    "what warps do changes at pass 100": (STEERED, "bar.sync 3, 64; // all have read\n    add.u32 %r10, %r10, 1;\n    bra $read;",
                                          "setp.ne.u32 %p8, %r10, 100;\n    @%p8 bar.sync 3, 64;\n    add.u32 %r10, %r10, 1;\n    bra $read;",
                                          "longer ones"),
}
