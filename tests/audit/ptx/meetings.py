# SPDX-License-Identifier: Apache-2.0
"""Kernels in PTX whose warps meet by what is `.sync`: who meets has executed what was before, and orders no memory by it."""

from snippets import HEAD

# All lanes of warp 1 wait until the slot is free, meet, and one fills it; warp 0 reads it with wgmma, which needs no fence.
FILLED = HEAD.format(threads=64).replace(".extern .shared .align 1024 .b8 tiles[];", ".shared .align 1024 .b8 tiles[1024];") + """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r2, [n];
    mov.u32 %r3, bars;
    mov.u32 %r4, tiles;
    and.b32 %r5, %r1, 31;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
    @%p1 mbarrier.init.shared::cta.b64 [%r3+8], 1;
    @%p1 fence.mbarrier_init.release.cluster;
    bar.sync 0;
    mov.u32 %r10, 0;
    setp.lt.u32 %p2, %r1, 32;
    @%p2 bra $reads;
$fills:
    setp.ge.u32 %p3, %r10, %r2;
    @%p3 bra $end;
    not.b32 %r11, %r10;
    and.b32 %r11, %r11, 1;
$free:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3+8], %r11;
    @!%p4 bra $free;
    MEETING
    setp.ne.u32 %p5, %r5, 0;
    @%p5 bra $next;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 1024;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 1024, [%r3];
$next:
    add.u32 %r10, %r10, 1;
    bra $fills;
$reads:
    setp.ge.u32 %p3, %r10, %r2;
    @%p3 bra $end;
    and.b32 %r11, %r10, 1;
$full:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], %r11;
    @!%p4 bra $full;
    shl.b32 %r12, %r5, 2;
    add.u32 %r12, %r4, %r12;
    ld.shared.b32 %r13, [%r12];
    fence.proxy.async.shared::cta;
    bar.warp.sync -1;
    setp.eq.u32 %p5, %r5, 0;
    @%p5 mbarrier.arrive.shared::cta.b64 _, [%r3+8];
    add.u32 %r10, %r10, 1;
    bra $reads;
$end:
    ret;
}
"""

# Every instruction by which the threads of a warp wait for each other, with all of them.
ALL = {
    "elect": "elect.sync %r20|%p6, -1;",
    "shfl by number": "shfl.sync.idx.b32 %r20, %r5, 0, 31, 0xffffffff;",
    "shfl with a predicate": "shfl.sync.bfly.b32 %r20|%p6, %r5, 1, 31, -1;",
    "vote": "vote.sync.any.pred %p6, %p4, -1;",
    "ballot": "vote.sync.ballot.b32 %r20, %p4, -1;",
    "match any": "match.any.sync.b32 %r20, %r5, 0xffffffff;",
    "match all": "match.all.sync.b32 %r20|%p6, %r5, -1;",
    "redux": "redux.sync.add.u32 %r20, %r5, -1;",
    "bar.warp": "bar.warp.sync 0xffffffff;",
    "mma": "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r20, %r21, %r22, %r23}, {%r24, %r25}, "
           "{%f1, %f2, %f3, %f4};",
    "movmatrix": "movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r5;",
}
KERNELS = {f"warp that meets by {name}": FILLED.replace("MEETING", text) for name, text in ALL.items()}
KERNELS["warp that meets in halves, and then as a whole"] = FILLED.replace(
    "MEETING", "setp.lt.u32 %p6, %r5, 16;\n    selp.b32 %r20, 0xffff, 0xffff0000, %p6;\n    redux.sync.or.b32 %r21, %r5, %r20;\n"
    "    shfl.sync.idx.b32 %r21, %r5, 0, 31, -1;")

# Half of the warp is no meeting of all, and none is a meeting of nobody.
FAULTS = {
    "warp that does not meet": (FILLED, "    MEETING\n", "", "phase_alias"),
    "half of a warp that meets": (FILLED, "MEETING", "setp.lt.u32 %p6, %r5, 16;\n    @%p6 redux.sync.or.b32 %r21, %r5, 0xffff;", "phase_alias"),
}
# Who meets has read, and memory does not know: the reads of the other warp's lanes before its arrival.
FAULTS |= {f"reads that are told of by {name}": (FILLED.replace("MEETING", "bar.warp.sync -1;"), "    fence.proxy.async.shared::cta;\n    bar.warp.sync -1;\n",
                                                f"    fence.proxy.async.shared::cta;\n    {text}\n", "overwritten") for name, text in ALL.items() if name != "bar.warp"}
UNKNOWN = {}
