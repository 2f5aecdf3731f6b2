# SPDX-License-Identifier: Apache-2.0
"""Waits that count, look at a clock and sleep before they ask again, as libcu++ has them."""

from checks import replace
from forms import TOKENS

ASKS = """$wait:
    mbarrier.try_wait.shared::cta.b64 %p3, [%r4], %rd9;
    selp.b32 %r30, 1, 0, %p3;
    setp.eq.s32 %p5, %r30, 0;
    @%p5 bra $wait;
"""

SLEEPS = """$wait:
    mov.u64 %rd14, %globaltimer;
    mov.u32 %r50, 0;
    bra $ask;
$count:
    add.s32 %r50, %r50, 1;
$ask:
    mov.u32 %r51, bars;
    mbarrier.try_wait.shared::cta.b64 %p3, [%r51], %rd9;
    selp.b32 %r30, 1, 0, %p3;
    shl.b32 %r52, %r1, 1;
    setp.eq.s32 %p5, %r30, 0;
    @%p5 bra $failed;
    bra $done;
$failed:
    setp.lt.s32 %p7, %r50, 16;
    @%p7 bra $count;
    mov.u64 %rd15, %globaltimer;
    sub.s64 %rd16, %rd15, %rd14;
    setp.lt.s64 %p8, %rd16, 4000000;
    @%p8 bra $ask;
    setp.gt.s64 %p9, %rd16, 4000000000;
    @%p9 trap;
    nanosleep.u32 %r52;
    bra.uni $ask;
$done:
"""

SLEEPY = replace(TOKENS, ASKS, SLEEPS)

KERNELS = {"SLEEPY": SLEEPY}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "a copy before all have read, behind a wait that sleeps": (SLEEPY, "bar.sync 0; // all have read", "", None),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "a wait that gives up": (SLEEPY, "@%p9 trap;", "@%p9 bra $done;", None),
    "a wait that never asks again": (SLEEPY, "nanosleep.u32 %r52;\n    bra.uni $ask;", "nanosleep.u32 %r52;\n$never:\n    bra.uni $never;", None),
    "a failed wait moves to another mbarrier": (replace(SLEEPY, "    mov.u32 %r51, bars;\n", "    add.u32 %r51, %r51, 8;\n"), "    mov.u32 %r50, 0;",
                                                "    mov.u32 %r50, 0;\n    sub.u32 %r51, %r4, 8;", None),
    "a barrier where a wait has counted nothing": (SLEEPY, "bar.sync 0; // all have read", "setp.eq.u32 %p10, %r50, 0;\n    @%p10 bar.sync 0;", None),
    "a number that each asking adds to": (SLEEPY, "shl.b32 %r52, %r1, 1;", "add.u32 %r52, %r52, 1;", None),
    "a failed wait arrives": (SLEEPY, "    mov.u64 %rd15, %globaltimer;", "    mbarrier.arrive.shared::cta.b64 _, [%r4];\n    mov.u64 %rd15, %globaltimer;", None),
}
