# SPDX-License-Identifier: Apache-2.0
"""Waits that a test of their phase may leave out, as CUTLASS writes them."""

from checks import replace
from snippets import RING

TEST = """    mbarrier.try_wait.parity.shared::cta.b64 %p8, [%r14], %r12;
    selp.b32 %r30, 1, 0, %p8;
    setp.ne.s32 %p9, %r30, 0;
    @%p9 bra $full;
"""
ASKS = """$wait_full:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14], %r12;
    @%p5 bra $full;
    bra $wait_full;
"""
# What a wait that may be left out writes is read nowhere else.
WAIT = ASKS.replace("%p5", "%p11")
# Right before the wait.
TESTED = replace(RING, ASKS, TEST + WAIT)

# Of the next slot, before this one is waited for the last time: what is known of it goes round the loop.
AHEAD = replace(RING, """$wait_empty:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14+16], %r17;
    @!%p5 bra $wait_empty;
""", """    setp.ne.u32 %p9, %r31, 0;
    @%p9 bra $empty;
$wait_empty:
    mbarrier.try_wait.parity.shared::cta.b64 %p11, [%r14+16], %r17;
    @!%p11 bra $wait_empty;
$empty:
""")
NEXT = """    shl.b32 %r13, %r11, 3;
    add.u32 %r32, %r4, %r13;
    xor.b32 %r17, %r12, 1;
    mbarrier.try_wait.parity.shared::cta.b64 %p8, [%r32+16], %r17;
    selp.b32 %r31, 1, 0, %p8;
"""
AHEAD = replace(AHEAD, "    bra $load;\n", NEXT + "    bra $load;\n")
AHEAD = replace(AHEAD, "    @!%p3 bra $end;\n", "    @!%p3 bra $end;\n    mov.u32 %r31, 0;\n")

KERNELS = {"TESTED": TESTED, "AHEAD": AHEAD, "MOVED": replace(TESTED, "    selp.b32 %r30, 1, 0, %p8;\n", "    selp.b32 %r35, 1, 0, %p8;\n    mov.u32 %r30, %r35;\n")}

# What an older test has said is kept: whether the one before the wait has succeeded is not known then.
TOKEN = "    selp.b32 %r30, 1, 0, %p8;\n"
MOVED = "    selp.b32 %r35, 1, 0, %p8;\n"
KEPT = replace(TESTED, "    mov.u32 %r10, 0; // iteration", "    mov.u32 %r30, 0;\n    mov.u32 %r35, 0;\n    mov.u32 %r10, 0; // iteration")

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "a test and no wait": (TESTED, WAIT, "", "overwritten"),
    "a test and a slot that is not released": (TESTED, "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n", "", "deadlock"),
    "a test and a slot that is released before it is read": (
        TESTED, "    wgmma.fence", "    setp.ne.u32 %p10, %r1, 0;\n    @!%p10 mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n    wgmma.fence", None),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "a test and a wait for the other parity": (TESTED, WAIT, "    xor.b32 %r34, %r12, 1;\n" + WAIT.replace("%r12", "%r34"), "one of another phase"),
    "a test of the other slot": (TESTED, TEST, TEST.replace("%p8, [%r14]", "%p8, [%r32]").replace("    mbarrier", "    xor.b32 %r32, %r14, 8;\n    mbarrier", 1),
                                 "one of another phase"),
    "a test of the other parity": (TESTED, TEST, TEST.replace("], %r12", "], %r32").replace("    mbarrier", "    xor.b32 %r32, %r12, 1;\n    mbarrier", 1),
                                   "one of another phase"),
    "a test of the same slot as before": (AHEAD, "add.u32 %r32, %r4, %r13;", "xor.b32 %r13, %r13, 8;\n    add.u32 %r32, %r4, %r13;", "one of another phase"),
    "a test that lets more be left out than a wait": (TESTED, WAIT, "    bar.warp.sync -1;\n" + WAIT, None),
    "any test so far": (KEPT, TOKEN, MOVED + "    or.b32 %r30, %r30, %r35;\n", "one of another phase"),
    "any test so far, by a selection": (KEPT, TOKEN, "    selp.b32 %r30, 1, %r30, %p8;\n", "one of another phase"),
    "any test so far, by a guard": (KEPT, TOKEN, "    @%p8 mov.u32 %r30, 1;\n", None),
    "the test before": (KEPT, TOKEN, "    mov.u32 %r30, %r35;\n" + MOVED, "one of another phase"),
    "a test that one pass does not go by": (KEPT, TOKEN, MOVED + "    setp.ne.u32 %p12, %r10, 3;\n    @%p12 mov.u32 %r30, %r35;\n", "one of another phase"),
    "a test that others are told of": (TESTED, "    @%p9 bra $full;\n", "    st.shared.b32 [tiles+32768], %r30;\n    @%p9 bra $full;\n", None),
    "a wait that leaves something behind": (replace(TESTED, WAIT, "    mov.u32 %r33, 8192;\n" + WAIT), "_, [%r14], 8192;", "_, [%r14], %r33;", None),
}
