# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of another work group's shared memory, and arrivals that cp.async triggers."""

from snippets import HEAD

# Each thread stores, all meet, and each reads what its fellow of the other work group has stored.
FELLOWS = HEAD.format(threads=64).replace(".maxntid", ".explicitcluster\n.reqnctapercluster 2, 1, 1\n.maxntid") + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tiles;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    mov.u32 %r5, %cluster_ctarank;
    xor.b32 %r6, %r5, 1;
    mapa.shared::cluster.u32 %r7, %r4, %r6;
    st.shared.b32 [%r4], %r1;
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    ld.shared::cluster.b32 %r10, [%r7];
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    ret;
}
"""
MEETING = "    barrier.cluster.arrive.release.aligned;\n    barrier.cluster.wait.acquire.aligned;\n"
READ = "    ld.shared::cluster.b32 %r10, [%r7];\n"
# The other way round: each stores for its fellow.
GIVEN = FELLOWS.replace("    st.shared.b32 [%r4], %r1;\n", "").replace(READ, "    st.shared::cluster.b32 [%r7], %r1;\n").replace(
    "    ret;\n", "    ld.shared.b32 %r10, [%r4];\n    ret;\n")
# Work group 1 tells the other one by its mbarrier that it has stored.
TOLD = HEAD.format(threads=32).replace(".maxntid", ".explicitcluster\n.reqnctapercluster 2, 1, 1\n.maxntid") + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tiles;
    mov.u32 %r3, bars;
    shl.b32 %r4, %r1, 2;
    add.u32 %r4, %r2, %r4;
    mov.u32 %r5, %cluster_ctarank;
    setp.ne.u32 %p1, %r1, 0;
    @!%p1 mbarrier.init.shared::cta.b64 [%r3], 32;
    @!%p1 fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    setp.eq.u32 %p2, %r5, 0;
    @%p2 bra $waits;
    st.shared.b32 [%r4], %r1;
    mapa.shared::cluster.u32 %r6, %r3, 0;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];
    bra $end;
$waits:
    mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r3], 0;
    @!%p3 bra $waits;
    mapa.shared::cluster.u32 %r7, %r4, 1;
    ld.shared::cluster.b32 %r10, [%r7];
$end:
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    ret;
}
"""

# Warp 0 copies into two slots, and the copies arrive; warp 1 reads what other threads have copied.
COPIED = HEAD.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r2, [n];
    mov.u32 %r3, bars;
    mov.u32 %r4, tiles;
    and.b32 %r5, %r1, 31;
    shl.b32 %r6, %r5, 4;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $init_done;
    mbarrier.init.shared::cta.b64 [%r3], 32;
    mbarrier.init.shared::cta.b64 [%r3+8], 32;
    mbarrier.init.shared::cta.b64 [%r3+16], 32;
    mbarrier.init.shared::cta.b64 [%r3+24], 32;
$init_done:
    bar.sync 0;
    mov.u32 %r10, 0;
    setp.gt.u32 %p2, %r1, 31;
    @%p2 bra $reads;
$copies:
    setp.ge.u32 %p3, %r10, %r2;
    @%p3 bra $end;
    and.b32 %r11, %r10, 1;
    shr.u32 %r12, %r10, 1;
    not.b32 %r13, %r12;
    and.b32 %r13, %r13, 1;
    shl.b32 %r14, %r11, 3;
    add.u32 %r15, %r3, %r14;
    shl.b32 %r16, %r11, 9;
    add.u32 %r17, %r4, %r16;
    add.u32 %r17, %r17, %r6;
$free:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r15+16], %r13;
    @!%p4 bra $free;
    cp.async.cg.shared.global [%r17], [%rd1], 16;
    cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r15];
    add.u32 %r10, %r10, 1;
    bra $copies;
$reads:
    setp.ge.u32 %p3, %r10, %r2;
    @%p3 bra $end;
    and.b32 %r11, %r10, 1;
    shr.u32 %r12, %r10, 1;
    and.b32 %r13, %r12, 1;
    shl.b32 %r14, %r11, 3;
    add.u32 %r15, %r3, %r14;
    shl.b32 %r16, %r11, 9;
    add.u32 %r17, %r4, %r16;
    xor.b32 %r18, %r6, 16;
    add.u32 %r17, %r17, %r18;
$full:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r15], %r13;
    @!%p4 bra $full;
    ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r17];
    mbarrier.arrive.shared::cta.b64 _, [%r15+16];
    add.u32 %r10, %r10, 1;
    bra $reads;
$end:
    ret;
}
"""
ARRIVAL = "    cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r15];\n"
# The arrival of the copies is one beside the thread's own.
BESIDE = COPIED.replace(ARRIVAL, "    cp.async.mbarrier.arrive.shared::cta.b64 [%r15];\n    mbarrier.arrive.shared::cta.b64 _, [%r15];\n")

# Each thread stores for its fellow, and counts in the mbarrier of that.
SENT = HEAD.format(threads=32).replace(".maxntid", ".explicitcluster\n.reqnctapercluster 2, 1, 1\n.maxntid") + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tiles;
    mov.u32 %r3, bars;
    shl.b32 %r4, %r1, 2;
    add.u32 %r4, %r2, %r4;
    mov.u32 %r5, %cluster_ctarank;
    xor.b32 %r6, %r5, 1;
    mapa.shared::cluster.u32 %r7, %r4, %r6;
    mapa.shared::cluster.u32 %r8, %r3, %r6;
    setp.ne.u32 %p1, %r1, 0;
    @!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
    @!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 128;
    @!%p1 fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.release.aligned;
    barrier.cluster.wait.acquire.aligned;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], %r1, [%r8];
$waits:
    mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r3], 0;
    @!%p3 bra $waits;
    ld.shared.b32 %r10, [%r4];
    ret;
}
"""
ADDED = SENT.replace("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32", "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32")
WAIT = SENT[SENT.index("$waits:"):SENT.index("    ld.shared.b32 %r10")]

KERNELS = {"stores that a fellow's mbarrier counts": SENT, "sums that a fellow's mbarrier counts": ADDED, "fellows that meet": FELLOWS, "what is stored for a fellow": GIVEN, "an arrival that tells of a store": TOLD,
           "copies that arrive": COPIED, "copies that arrive beside their thread": BESIDE}
FAULTS = {
    "stores that nobody waits for": (SENT, WAIT, "", "overwritten"),
    "fewer stores than are expected": (SENT, "[%r3], 128;", "[%r3], 132;", None),
    "more stores than are expected": (SENT, "[%r3], 128;", "[%r3], 64;", None),
    "sums that nobody waits for": (ADDED, WAIT, "", "overwritten"),
    "a store beside the sums": (ADDED, WAIT, "    st.shared.b32 [%r4], 1;\n" + WAIT, None),
    "a fellow that may not have stored": (FELLOWS, MEETING, MEETING.replace("release", "relaxed"), "stale_read"),
    "a fellow that may have ended": (FELLOWS, READ + MEETING, READ, "lost_peer"),
    "a fellow that may not have begun": (GIVEN, MEETING, "", "lost_peer"),
    "a fellow that still reads what is stored for it": (FELLOWS, READ, READ + "    st.shared.b32 [%r4], 7;\n", None),
    "an arrival that tells its own work group alone": (TOLD, "arrive.release.cluster", "arrive.release.cta", "stale_read"),
    "copies whose arrival comes before them": (COPIED, "    cp.async.cg.shared.global [%r17], [%rd1], 16;\n" + ARRIVAL,
                                               ARRIVAL + "    cp.async.cg.shared.global [%r17], [%rd1], 16;\n", None),
    "copies that a thread's own arrival does not tell of": (COPIED, ARRIVAL, "    mbarrier.arrive.shared::cta.b64 _, [%r15];\n", "stale_read"),
    "copies that do not wait for a free slot": (COPIED, "    @!%p4 bra $free;\n", "", None),
    "copies that arrive and count for nothing": (COPIED, ".noinc", "", "deadlock"),
}
UNKNOWN = {"copies that arrive, and a wait for some of them": (COPIED, ARRIVAL, ARRIVAL + "    cp.async.commit_group;\n    cp.async.wait_group 1;\n", "beside arrivals")}
