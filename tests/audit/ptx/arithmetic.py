# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX that are in order, or not, by what their instructions compute."""

from handovers import END, START

# A barrier is left out where a number that the thread computes is not 0.
ARITHMETIC = START + """
    mov.u32 %r30, 0;
    st.shared.b32 [%r7], %r1;
    setp.eq.u32 %p2, %r30, 0;
    @%p2 bar.sync 0;
    ld.shared.b32 %r20, [%r11];
""" + END

# A place of 8 rows of 32 words, and what lies behind it.
ROWS = START.replace(".shared .align 8 .b8 bars[64];", ".shared .align 4 .f32 rows[8][32];\n    .shared .align 8 .b8 bars[64];") + """
    mov.u32 %r30, rows;
    add.u32 %r31, %r30, %r6;
    xor.b32 %r32, %r6, 128;
    add.u32 %r33, %r4, %r32;
    st.shared.b32 [%r31+128], %r1;
    st.shared.b32 [%r33], %r1;
""" + END

# %p9 is another predicate after each 24 passes, counted from the last one. Where it is true passes are counted, of which the 60th has no barrier.
TOGGLED = START + """
    ld.param.u32 %r12, [n];
    mov.u32 %r13, 0; // pass
    mov.u32 %r14, 0; // passes that count
    rem.u32 %r15, %r12, 24;
    sub.u32 %r15, %r15, 1;
    setp.ge.u32 %p9, %r15, 7;
    setp.eq.u32 %p2, %r12, 0;
    @%p2 bra $end;
$again:
    st.shared.b32 [%r7], %r13;
    @!%p9 add.u32 %r14, %r14, 1;
    sub.u32 %r16, %r12, %r13;
    rem.u32 %r16, %r16, 24;
    setp.ne.u32 %p3, %r16, 1;
    @%p3 bra $kept;
    not.pred %p9, %p9;
$kept:
    setp.eq.u32 %p4, %r14, 60;
    @%p4 bra $unordered;
    bar.sync 0;
$unordered:
    ld.shared.b32 %r20, [%r11];
    bar.sync 0;
    add.u32 %r13, %r13, 1;
    setp.lt.u32 %p2, %r13, %r12;
    @%p2 bra $again;
""" + END

KERNELS = {"ARITHMETIC": ARITHMETIC, "ROWS": ROWS}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "the sign above a field": (ARITHMETIC, "mov.u32 %r30, 0;", "bfe.s32 %r30, -1, 24, 16;\n    shr.u32 %r30, %r30, 31;", None),
}

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "a product that saturates": (ARITHMETIC, "mov.u32 %r30, 0;", "mad.hi.sat.s32 %r30, 1073741824, 4, 2147483647;", None),
    "a shuffle within a part of a warp": (ARITHMETIC, "mov.u32 %r30, 0;", "shfl.sync.down.b32 %r31, %r3, 1, 15, 0xffffffff;\n"
                                          "    setp.eq.u32 %p3, %r3, 15;\n    selp.b32 %r30, %r31, 16, %p3;\n    sub.u32 %r30, %r30, 16;", None),
    "numbers that are packed": (ARITHMETIC, "mov.u32 %r30, 0;", "cvt.pack.sat.u8.s32.b32 %r30, 0, 1, 0;", None),
    "a predicate that changes after each 24 passes": (TOGGLED, "%r14, 60;", "%r14, 60;", "longer ones"),
}
