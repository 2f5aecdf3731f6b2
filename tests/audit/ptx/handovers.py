# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX in which a thread hands to others what it has stored or copied, and what is wrong with some of them."""

from snippets import HEAD

START = HEAD.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 5; // warp
    and.b32 %r3, %r1, 31; // lane
    mov.u32 %r4, bars;
    mov.u32 %r5, tiles;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd1, %rd1;
    shl.b32 %r6, %r1, 2;
    add.u32 %r7, %r5, %r6; // 4 bytes of its own
    shl.b32 %r8, %r1, 4;
    add.u32 %r9, %r5, %r8; // 16 bytes of its own
    xor.b32 %r10, %r6, 128;
    add.u32 %r11, %r5, %r10; // 4 bytes of a thread of the other warp
    setp.ne.u32 %p1, %r1, 0;
"""
END = """
$end:
    ret;
}
"""
INIT = """
    @!%p1 mbarrier.init.shared::cta.b64 [%r4], COUNT;
    @!%p1 fence.mbarrier_init.release.cluster;
    bar.sync 0;
"""

# Threads of warp 0 store, and arrive; those of warp 1 wait, and read.
SIGNAL = START + INIT.replace("COUNT", "32") + """
    setp.eq.u32 %p2, %r2, 1;
    @%p2 bra $wait;
    st.shared.b32 [%r7], %r1;
    mbarrier.arrive.shared::cta.b64 _, [%r4];
    bra $done;
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0;
    @!%p3 bra $wait;
    ld.shared.b32 %r20, [%r11];
$done:
    bar.sync 0;
    @!%p1 mbarrier.inval.shared::cta.b64 [%r4];
    st.shared.b32 [%r4+32], 0;
""" + END

# Warp 0 fills a place with a bulk copy and arrives, warp 1 reads it.
FILL = START + INIT.replace("COUNT", "1") + """
    setp.ne.u32 %p2, %r3, 0;
    setp.eq.u32 %p3, %r2, 1;
    @%p3 bra $other;
    @%p2 bra $end;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 128;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 128, [%r4];
    mbarrier.arrive.shared::cta.b64 _, [%r4];
    bra $end;
$other:
    mov.b32 %r21, 0;
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r4], 0;
    @!%p4 bra $wait;
    ld.shared.b32 %r20, [%r11];
""" + END
ARRIVAL = "    mbarrier.arrive.shared::cta.b64 _, [%r4];\n"

# All threads copy, and thread 0 hands it on.
HAND_ON = START + """
    cp.async.cg.shared.global [%r9], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @%p1 bra $end;
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r5], 1024;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
""" + END

# Two groups of copies, of which the first one is read by the other warp.
GROUPS = START + """
    setp.gt.u32 %p2, %r3, 15;
    cp.async.cg.shared.global [%r9], [%rd1], 16;
    cp.async.commit_group;
    cp.async.cg.shared.global [%r9+2048], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    bar.sync 0;
    ld.shared.b32 %r20, [%r11];
    cp.async.wait_all;
""" + END

# Thread 5 of warp 1 says for all of its warp that they have read.
RELEASE = START + INIT.replace("COUNT", "1") + """
    setp.eq.u32 %p2, %r3, 5;
    setp.eq.u32 %p3, %r2, 0;
    @%p3 bra $writes;
    ld.shared.b32 %r20, [%r7];
    bar.warp.sync 0xffffffff;
    @%p2 mbarrier.arrive.shared::cta.b64 _, [%r4];
    bra $end;
$writes:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r4], 0;
    @!%p4 bra $writes;
    st.shared.b32 [%r11], 0;
""" + END

# Both warps store one number at one place, and warp 1 then another one, which it reads.
TWICE = START + """
    setp.ne.u32 %p2, %r3, 0;
    setp.ne.u32 %p3, %r1, 32;
    @!%p2 st.shared.b32 [%r5], 1;
    bar.sync 0;
    @!%p3 st.shared.b32 [%r5], 2;
    @!%p3 ld.shared.b32 %r20, [%r5];
""" + END

# Threads add up in shared memory, some of them having left.
SUM = START + """
    setp.gt.u32 %p2, %r3, 20;
    @%p2 bra $end;
    @!%p1 st.shared.b32 [%r5], 0;
    bar.sync 0;
    red.shared.add.u32 [%r5], 1;
    atom.shared.add.u32 %r20, [%r5], %r1;
    bar.sync 0;
    ld.shared.b32 %r21, [%r5];
""" + END

# Thread 0 makes a tensor map in shared memory, which its warp copies to global memory.
MAP = START + """
    setp.ne.u32 %p2, %r2, 0;
    cvt.u64.u32 %rd2, %r5;
    @!%p2 st.shared.b32 [%r7], 0;
    bar.warp.sync 0xffffffff;
    @!%p1 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%rd2], 1;
    bar.warp.sync 0xffffffff;
    @!%p2 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%rd2], 128;
""" + END

# Warp 0 stores, and says so by a number that warp 1 looks for.
FLAG = START + """
    @!%p1 st.shared.b32 [%r4], 0;
    bar.sync 0;
    setp.eq.u32 %p2, %r2, 1;
    @%p2 bra $look;
    st.shared.b32 [%r7], %r1;
    bar.warp.sync 0xffffffff;
    @!%p1 st.release.cta.shared.b32 [%r4], 1;
    bra $end;
$look:
    ld.acquire.cta.shared.b32 %r20, [%r4];
    setp.eq.u32 %p3, %r20, 0;
    @%p3 bra $look;
    ld.shared.b32 %r21, [%r11];
""" + END

# A work group that is no multiple of 32 threads.
HUNDRED = (START + """
    st.shared.b32 [%r7], %r1;
    bar.sync 0;
    ld.shared.b32 %r20, [%r11];
""" + END).replace(".maxntid 64", ".maxntid 100")

# Barriers put in order what is volatile, too.
VOLATILE = HUNDRED.replace("st.shared", "st.volatile.shared").replace("ld.shared", "ld.volatile.shared")

KERNELS = {"SIGNAL": SIGNAL, "VOLATILE": VOLATILE, "FILL": FILL, "HAND_ON": HAND_ON, "GROUPS": GROUPS, "RELEASE": RELEASE, "TWICE": TWICE, "SUM": SUM, "MAP": MAP,
           "HUNDRED": HUNDRED}

WAITED = "cp.async.wait_group 0;\n    fence.proxy.async.shared::cta;"

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "a store over an mbarrier": (SIGNAL, "st.shared.b32 [%r7], %r1;", "st.shared.b32 [%r4], 7;", "overwritten"),
    "an mbarrier is invalidated while others may wait": (SIGNAL, "$done:\n    bar.sync 0;", "$done:", None),
    "expected bytes behind which nobody arrives": (
        FILL, ARRIVAL + "    bra $end;\n$other:", "    bra $end;\n$other:\n    @!%p2 mbarrier.arrive.shared::cta.b64 _, [%r4];", "arrivals"),
    "a proxy fence before the wait for a copy": (HAND_ON, WAITED, "fence.proxy.async.shared::cta;\n    cp.async.wait_group 0;", "unfenced"),
    "a proxy fence for global memory": (HAND_ON, "async.shared::cta;", "async.global;", "unfenced"),
    "the first of two stores of one number may come last": (TWICE, "    bar.sync 0;\n", "", "write_race"),
    "a tensor map that is copied by a warp that did not make it": (MAP, "@!%p2 tensormap", "@%p2 tensormap", "stale_read"),
    "a volatile store, and a load before the barrier": (HUNDRED, "st.shared.b32 [%r7], %r1;\n    bar.sync 0;", "st.volatile.shared.b32 [%r7], %r1;", "stale_read"),
    "a sum that is read before all have added": (SUM, "%r1;\n    bar.sync 0;", "%r1;", "stale_read"),
    "a sum that is set while others add": (SUM, "[%r5], 0;\n    bar.sync 0;", "[%r5], 0;", "write_race"),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "a number in shared memory that orders": (FLAG, "bra $end;", "bra $end;", "not followed"),
    "volatile accesses with no barrier": (VOLATILE, "    bar.sync 0;\n", "", None),
    "two warps store at one place what memory holds": (TWICE, "[%r5], 1;\n    bar.sync 0;", "[%r5], %r40;\n    bar.sync 0;", None),
    "two warps store at one place what they have multiplied": (
        TWICE, "@!%p2 st.shared.b32 [%r5], 1;", "add.u32 %r30, %r5, %r6;\n    and.b32 %r30, %r30, -129;\n"
        "    stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r30], {%r40};", None),
    "an arrival without release": (SIGNAL, "mbarrier.arrive.shared", "mbarrier.arrive.relaxed.cta.shared", "not followed"),
    "a wait without acquire": (SIGNAL, "try_wait.parity.shared", "try_wait.parity.relaxed.cta.shared", "not followed"),
    "an mbarrier that is invalid": (SIGNAL, "    setp.eq.u32 %p2, %r2, 1;", "    @!%p1 mbarrier.inval.shared::cta.b64 [%r4];\n    bar.sync 0;\n"
                                    "    setp.eq.u32 %p2, %r2, 1;", "no mbarrier"),
    "memory says how much a copy brings": (FILL, "[%rd1], 128,", "[%rd1], %r40,", "number that orders"),
    "half of a warp leaves a commit out": (GROUPS, "16;\n    cp.async.commit_group;\n    cp.async.cg.shared.global [%r9+",
                                           "16;\n    @!%p2 cp.async.commit_group;\n    cp.async.cg.shared.global [%r9+", "apart"),
    "half of a warp leaves a wait out": (GROUPS, "cp.async.wait_group 1;\n    bar", "@!%p2 cp.async.wait_group 0;\n    bar", "apart"),
    "a thread releases what others of its warp may still read": (RELEASE, "bar.warp.sync 0xffffffff;", "", "apart"),
    "two threads of a warp meet, and one releases what others read": (RELEASE, "bar.warp.sync 0xffffffff;", "@%p2 bar.warp.sync 32;", "apart"),
    "halves of a warp at two aligned barriers": (SUM, "@!%p1 st.shared", "setp.gt.u32 %p3, %r3, 9;\n    @%p3 bar.sync 0;\n    @!%p3 bar.sync 0;\n"
                                                 "    @!%p1 st.shared", "aligned"),
}
