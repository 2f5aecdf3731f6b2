# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX whose ways depend on pointers and on registers of warp groups: what no run does is no fault."""

from handovers import END, INIT, START
from snippets import HEAD

# Threads store through a pointer that may be null, and in shared memory through a generic address.
NULLABLE = START + """
    setp.eq.u64 %p2, %rd1, 0;
    cvt.u64.u32 %rd2, %r7;
    cvta.shared.u64 %rd3, %rd2;
    cvt.u64.u32 %rd4, %r11;
    cvta.shared.u64 %rd5, %rd4;
    st.b32 [%rd3], %r1;
    bar.sync 0;
    ld.b32 %r20, [%rd5];
    cvta.to.shared.u64 %rd6, %rd5;
    cvt.u32.u64 %r21, %rd6;
    ld.shared.b32 %r22, [%r21];
    @%p2 bra $end;
    st.b32 [%rd1], %r20;
    st.b32 [%rd1+4], %r22;
""" + END

# Warps 0 to 3 give registers back, and warps 4 to 7 get more.
REGISTERS = HEAD.format(threads=256) + """
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 7;
    and.b32 %r3, %r1, 31;
    shr.u32 %r4, %r1, 5;
    ld.param.u64 %rd1, [out];
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra $copies;
    setmaxnreg.inc.sync.aligned.u32 240;
    bra $end;
$copies:
    setmaxnreg.dec.sync.aligned.u32 24;
$end:
    bar.sync 0;
    ret;
}
"""

# Memory says which ones, alike for all.
CHOSEN = REGISTERS.replace("setp.eq.u32 %p1, %r2, 0;", "ld.global.u32 %r5, [%rd1];\n    setp.eq.u32 %p1, %r5, 0;")

# Thread 0 copies to bytes that all read before it arrives, which lets the copy land.
LATE = START + INIT.replace("COUNT", "1") + """
    @%p1 bra $read;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 64;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5+64], [%rd1], 64, [%r4];
$read:
    and.b32 %r30, %r6, 60;
    add.u32 %r31, %r5, %r30;
    // read
""" + "    ld.shared.b32 %r20, [%r31];\n    bar.sync 0;\n" * 40 + """
    @!%p1 mbarrier.arrive.shared::cta.b64 _, [%r4];
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0;
    @!%p3 bra $wait;
""" + END

# Each pass has an mbarrier of its own, at one place.
FRESH = START + """
    ld.param.u32 %r30, [n];
    mov.u32 %r31, 0;
$again:
    setp.ge.u32 %p2, %r31, %r30;
    @%p2 bra $end;
    @!%p1 mbarrier.init.shared::cta.b64 [%r4], 1;
    @!%p1 mbarrier.init.shared::cta.b64 [%r4+8], 1;
    bar.sync 0;
    @%p1 bra $wait;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], 256, [%r4];
    mbarrier.arrive.shared::cta.b64 _, [%r4+8];
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0;
    @!%p3 bra $wait;
$other:
    mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r4+8], 0;
    @!%p4 bra $other;
    ld.shared.b32 %r20, [%r11];
    fence.proxy.async.shared::cta;
    bar.sync 0; // all have read
    @!%p1 mbarrier.inval.shared::cta.b64 [%r4];
    @!%p1 mbarrier.inval.shared::cta.b64 [%r4+8];
    add.u32 %r31, %r31, 1;
    bra $again;
""" + END

KERNELS = {"FRESH": FRESH, "LATE": LATE, "NULLABLE": NULLABLE, "REGISTERS": REGISTERS, "CHOSEN": CHOSEN}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "no barrier between generic accesses": (NULLABLE, "bar.sync 0;", "", None),
    "a generic store before others have read": (NULLABLE, "@%p2 bra $end;", "st.b32 [%rd3], %r1;", None),
    "what is read while a copy may land": (LATE, "// read", "ld.shared.b32 %r21, [%r31+64];\n    bar.sync 0;", "overwritten"),
    "an mbarrier of a pass that nobody waits for": (FRESH, "$wait:\n    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r4], 0;\n    @!%p3 bra $wait;",
                                                    "$wait:", None),
    "an mbarrier of a pass that begins with the other parity": (FRESH, "%p3, [%r4], 0;", "%p3, [%r4], 1;", None),
    "an mbarrier that is new while others may wait for the last one": (FRESH, "    bar.sync 0; // all have read\n", "", None),
    "an mbarrier that others may not know to be new": (FRESH, "[%r4+8], 1;\n    bar.sync 0;", "[%r4+8], 1;", "arrivals"),
    "bytes that the mbarrier of a pass does not expect": (FRESH, "[%r4], 256;", "[%r4], 128;", "arrivals"),
    "a barrier that a pointer spares": (NULLABLE, "    bar.sync 0;", "    @!%p2 bra $skip;\n    bar.sync 0;\n$skip:", None),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "half of a warp stores in shared memory, the other half elsewhere": (
        NULLABLE, "st.b32 [%rd3], %r1;", "setp.gt.u32 %p3, %r3, 15;\n    selp.b64 %rd7, %rd1, %rd3, %p3;\n    st.b32 [%rd7], %r1;", "others do not"),
    "a part of a warp sets its registers": (REGISTERS, "setp.eq.u32 %p1, %r2, 0;", "setp.lt.u32 %p1, %r3, 9;", "not all threads"),
    "a warp of a group sets no registers": (REGISTERS, "    setmaxnreg.inc", "    setp.eq.u32 %p2, %r4, 5;\n    @%p2 bra $end;\n    setmaxnreg.inc",
                                            "equally often"),
    "memory decides which threads set their registers": (CHOSEN, "ld.global.u32 %r5, [%rd1];",
                                                         "cvt.u64.u32 %rd2, %r1;\n    add.u64 %rd3, %rd1, %rd2;\n    ld.global.u32 %r5, [%rd3];",
                                                         "memory"),
}
