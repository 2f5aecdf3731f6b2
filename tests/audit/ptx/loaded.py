# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX whose passes memory decides, or several arguments together, alike for all threads, and other loops."""

from snippets import COPIES

PASSES = "ld.param.u32 %r5, [n];"
LOADED = "ld.param.u64 %rd3, [out];\n    ld.global.u32 %r5, [%rd3+64];"

# As many passes as memory says.
COUNTED = COPIES.replace(PASSES, LOADED)

# The lesser one of two arguments.
LESSER = COPIES.replace(PASSES, "ld.param.u32 %r30, [n];\n    mov.u32 %r31, %ctaid.x;\n    add.u32 %r32, %r31, 1;\n    min.u32 %r5, %r30, %r32;")

# Whether there is anything to do, memory says, and how much arguments do.
BETWEEN = LESSER.replace("mov.u32 %r6, 0;", """ld.param.u64 %rd3, [out];
    ld.global.u32 %r33, [%rd3+64];
    ld.global.u32 %r34, [%rd3+68];
    sub.s32 %r35, %r34, %r33;
    setp.ge.s32 %p9, %r31, %r35;
    @%p9 bra $nothing;
    mov.u32 %r6, 0;""").replace("cp.async.wait_all;\n    ret;", "cp.async.wait_all;\n$nothing:\n    ret;")

# A count of elements that memory has, of which a pass takes 64.
LENGTH = COPIES.replace(PASSES, "ld.param.u64 %rd3, [out];\n    ld.global.u32 %r30, [%rd3];\n    add.s32 %r31, %r30, 63;\n    shr.s32 %r5, %r31, 6;")

# A count of elements, of which those that fill no pass are left out.
WHOLE = COPIES.replace(PASSES, "ld.param.u32 %r30, [n];\n    shr.s32 %r31, %r30, 31;\n    shr.u32 %r31, %r31, 26;\n    add.s32 %r31, %r30, %r31;\n    shr.s32 %r5, %r31, 6;")

# Numbers are counted in shared memory, where memory says.
COUNTS = COPIES[:COPIES.index("mov.u32 %r6, 0;")] + """
    st.shared.b32 [%r3], 0;
    bar.sync 0;
    cvt.u64.u32 %rd4, %r2;
    add.u64 %rd5, %rd1, %rd4;
    ld.global.u32 %r40, [%rd5];
    and.b32 %r41, %r40, 255;
    shl.b32 %r42, %r41, 2;
    add.u32 %r43, %r3, %r42;
    atom.shared.add.u32 %r44, [%r43], 1;
    bar.sync 0;
    ld.shared.b32 %r45, [%r3];
    ld.shared.b32 %r46, [%r43];
    ret;
}
"""

# Passes that add up what memory has come before, and a lock is waited for.
ADDED = COPIES.replace("mov.u32 %r6, 0;", """mov.u32 %r6, 0;
    mov.u32 %r33, 0;
    setp.eq.u32 %p7, %r5, 0;
    @%p7 bra $end;
$add:
    ld.global.u32 %r30, [%rd1];
    add.u32 %r33, %r33, %r30;
    add.u32 %r6, %r6, 1;
    setp.lt.u32 %p8, %r6, %r5;
    @%p8 bra $add;
$lock:
    atom.global.cas.b32 %r31, [%rd1], 0, 1;
    setp.ne.u32 %p9, %r31, 0;
    @%p9 bra $lock;
    mov.u32 %r6, 0;""")

# The same where what there is to do is as much as the passes.
WITHIN = BETWEEN.replace("min.u32 %r5, %r30, %r32;", "").replace("@%p9 bra $nothing;", "@%p9 bra $nothing;\n    mov.u32 %r5, %r35;")

# Rows of a work group's tile of 64 are each a thread's; threads of rows that are not there leave.
LEAVES = "    shl.b32 %r31, %r31, 6;\n    add.u32 %r32, %r31, %r1;\n    setp.ge.s32 %p9, %r32, %r30;\n    @%p9 bra $nothing;\n"
ROWS = COPIES.replace(PASSES, "ld.param.u32 %r30, [n];\n    mov.u32 %r31, %ctaid.x;\n" + LEAVES + "    add.s32 %r33, %r30, 63;\n    shr.s32 %r5, %r33, 6;").replace(
    "cp.async.wait_all;\n    ret;", "cp.async.wait_all;\n$nothing:\n    ret;")

# Ten groups a pass, of which the wait leaves ten.
COMMIT = "    cp.async.commit_group;\n"
MANY = COPIES.replace(COMMIT + "    cp.async.wait_group 1;", COMMIT * 10 + "    cp.async.wait_group 10;")

KERNELS = {"WITHIN": WITHIN, "MANY": MANY, "ADDED": ADDED, "COUNTED": COUNTED, "LESSER": LESSER, "BETWEEN": BETWEEN, "LENGTH": LENGTH, "WHOLE": WHOLE, "COUNTS": COUNTS, "TILES_OF_ROWS": ROWS}

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "no wait, in passes of elements rounded down": (WHOLE, "cp.async.wait_group 1;", "", "stale_read"),
    "too weak a wait for many groups": (MANY, "wait_group 10;", "wait_group 11;", "stale_read"),
    "no wait, in tiles of rows": (ROWS, "cp.async.wait_group 1;", "", "stale_read"),
    "no barrier, in tiles of rows": (ROWS, "bar.sync 0; // all have read", "", None),
    "no wait in a second loop": (ADDED, "cp.async.wait_group 1;", "", "stale_read"),
    "no barrier in a second loop": (ADDED, "bar.sync 0; // all have read", "", None),
    "a barrier in the first loop, and one of two warps leaves it sooner": (
        ADDED, "ld.global.u32 %r30, [%rd1];", "bar.sync 0;\n    shr.u32 %r32, %r1, 5;\n    add.u32 %r6, %r6, %r32;", None),
    "no wait, in passes of the lesser argument": (LESSER, "cp.async.wait_group 1;", "", "stale_read"),
    "no barrier, in passes of the lesser argument": (LESSER, "bar.sync 0; // all have read", "", None),
}

OF_THREAD = "ld.param.u64 %rd3, [out];\n    cvt.u64.u32 %rd4, %r2;\n    add.u64 %rd5, %rd3, %rd4;\n    ld.global.u32 %r5, [%rd5];"
OF_WARP = OF_THREAD.replace("cvt.u64.u32 %rd4, %r2;", "shr.u32 %r30, %r1, 5;\n    cvt.u64.u32 %rd4, %r30;")

# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "elements that fill no pass decide about a barrier": (WHOLE, "bar.sync 0; // all have read", "and.b32 %r40, %r30, 63;\n    setp.lt.u32 %p9, %r40, 40;\n    @%p9 bar.sync 0;", None),
    "no wait in as many passes as there are to do": (WITHIN, "cp.async.wait_group 1;", "", None),
    "no barrier in as many passes as there are to do": (WITHIN, "bar.sync 0; // all have read", "", None),
    "more groups than are told apart": (MANY, "    cp.async.wait_group 10;", COMMIT * 7 + "    cp.async.wait_group 17;", "longer"),
    "a sum of what memory has counts passes": (ADDED, "setp.ge.u32 %p2, %r6, %r5;", "setp.ge.u32 %p2, %r6, %r33;", "memory"),
    "a lock that not all threads wait for in front of a barrier": (ADDED, "[%rd1], 0, 1;", "[%rd1], 0, 1;\n    bar.sync 0;", "memory"),
    "no wait, in passes that memory counts": (COUNTED, "cp.async.wait_group 1;", "", None),
    "too weak a wait, in passes that memory counts": (COUNTED, "cp.async.wait_group 1;", "cp.async.wait_group 2;", None),
    "no barrier, in passes that memory counts": (COUNTED, "bar.sync 0; // all have read", "", None),
    "no barrier, in passes of elements that memory counts": (LENGTH, "bar.sync 0; // all have read", "", None),
    "no wait in pass 100 of those that memory counts": (COUNTED, "cp.async.wait_group 1;",
                                                        "setp.ne.u32 %p9, %r6, 100;\n    @%p9 cp.async.wait_group 1;", None),
    "each thread has a count of its own": (COUNTED, LOADED, OF_THREAD, "memory"),
    "each warp has a count of its own": (COUNTED, LOADED, OF_WARP, "memory"),
    "a count that others change": (COUNTED, "ld.global.u32 %r5", "ld.volatile.global.u32 %r5", "memory"),
    "a count in shared memory": (COUNTED, "ld.global.u32 %r5, [%rd3+64];",
                                 "ld.global.u32 %r30, [%rd3+64];\n    and.b32 %r31, %r30, 252;\n    add.u32 %r32, %r3, %r31;\n    ld.shared.u32 %r5, [%r32];\n    bar.sync 0;",
                                 "memory"),
    "a count that is an atomic's": (COUNTED, "ld.global.u32 %r5, [%rd3+64];", "atom.global.add.u32 %r5, [%rd3+64], 1;", "memory"),
    "no wait where there is much to do": (BETWEEN, "cp.async.wait_group 1;", "setp.lt.s32 %p8, %r35, 1000;\n    @%p8 cp.async.wait_group 1;", None),
    "memory decides of a barrier in runs of 5 passes": (
        COPIES, "mov.u32 %r6, 0;", "cvt.u64.u32 %rd4, %r2;\n    add.u64 %rd5, %rd1, %rd4;\n    ld.global.u32 %r30, [%rd5];\n    mov.u32 %r6, 0;\n"
        "    setp.ne.u32 %p8, %r5, 5;\n    @%p8 bra $again;\n    setp.eq.u32 %p9, %r30, 0;\n    @%p9 bra $again;\n    bar.sync 0;", "memory"),
    "rows of a number that the code has": (ROWS, "setp.ge.s32 %p9, %r32, %r30;", "setp.ge.s32 %p9, %r32, 96;", "more than one argument"),
    "threads of one row": (ROWS, "setp.ge.s32 %p9, %r32, %r30;", "setp.eq.s32 %p9, %r32, %r30;", "more than one argument"),
    "rows in each pass": (ROWS, "bar.sync 0; // all have read", "bar.sync 0;\n" + LEAVES.replace("shl.b32 %r31, %r31, 6", "add.u32 %r31, %r31, %r6"), None),
    "numbers are counted before all are 0": (COUNTS, "[%r3], 0;\n    bar.sync 0;", "[%r3], 0;", None),
    "numbers are read before all are counted": (COUNTS, "1;\n    bar.sync 0;", "1;", None),
    "stores where memory says": (COUNTS, "atom.shared.add.u32 %r44, [%r43], 1;", "st.shared.u32 [%r43], %r1;", None),
}
