# SPDX-License-Identifier: Apache-2.0
"""Kernels in PTX whose file does not say how many threads a work group has: what goes wrong with some numbers of them is not certain."""

from checks import check, expect, replace
from snippets import HEAD

START = HEAD.format(threads=64).replace(".maxntid 64, 1, 1\n", "") + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tiles;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    xor.b32 %r5, %r3, 128;
    add.u32 %r6, %r2, %r5;
"""
# Each thread reads what one of another warp has stored.
SWAPPED = START + """
    st.shared.b32 [%r4], %r1;
    bar.sync 0;
    ld.shared.b32 %r10, [%r6];
    ret;
}
"""
# 256 places: more threads than that store at one.
FOLDED = START + """
    and.b32 %r7, %r3, 1020;
    add.u32 %r7, %r2, %r7;
    st.shared.b32 [%r7], %r1;
    ret;
}
"""
# Warp 5 stores for the others, which meet it at a barrier for so many.
ROLES = START + """
    shr.u32 %r7, %r1, 5;
    setp.eq.u32 %p1, %r7, 5;
    @%p1 bra $store;
    bar.sync 1, 192;
    ld.shared.b32 %r10, [%r2];
    bra $end;
$store:
    st.shared.b32 [%r2], 7;
    bar.arrive 1, 192;
$end:
    ret;
}
"""
# A fault with any number of threads, and one with more than 256.
BOTH = replace(FOLDED, "    ret;\n", "    bar.sync 0;\n" + SWAPPED[SWAPPED.index("    st.shared.b32"):SWAPPED.index("    bar.sync 0;")]
               + "    ld.shared.b32 %r10, [%r6];\n    ret;\n")
# With 128 threads one pair of instructions races, with more another.
EACH = START + """
    mov.u32 %r7, %ntid.x;
    setp.gt.u32 %p1, %r7, 128;
    @%p1 bra $many;
    st.shared.b32 [%r4], %r1;
    ld.shared.b32 %r10, [%r6];
    ret;
$many:
    st.shared.u32 [%r4], %r1;
    ld.shared.u32 %r10, [%r6];
    ret;
}
"""
# A square of threads, each of which stores at its own place.
SQUARE = START + """
    mov.u32 %r7, %tid.y;
    and.b32 %r8, %r1, 15;
    mad.lo.s32 %r9, %r7, 16, %r8;
    shl.b32 %r9, %r9, 2;
    add.u32 %r9, %r2, %r9;
    st.shared.b32 [%r9], %r1;
    ret;
}
"""
# .maxntid bounds the product of its numbers, so that a square is allowed, too.
SIZED = replace(SQUARE, ")\n{", ")\n.maxntid 256, 1, 1\n{")


def assumed(report):
    return " ".join(note["why"] for note in report.get("assumptions", []))


def details(report):
    return " ".join(finding["detail"] for finding in report.get("findings", []))


def check_all():
    report = expect("no_fault", SWAPPED, "any number of threads")
    check("128, 256, 384, 512 and 1024 threads" in assumed(report) and "--block" in assumed(report), f"any number of threads: {assumed(report)}")
    report = expect("fault", replace(SWAPPED, "    bar.sync 0;\n", ""), "a fault with any number of threads")
    check("128, 256, 384, 512 and 1024 threads" in details(report), f"a fault with any number of threads: {details(report)}")
    report = expect("unknown", FOLDED, "a fault with more than 256 threads")
    check("with 384, 512 and 1024 threads in a work group, not with 128 and 256" in details(report) and "--block" in details(report),
          f"a fault with more than 256 threads: {details(report)}")
    expect("no_fault", FOLDED, "256 threads are stated", "--block", "256")
    expect("fault", FOLDED, "512 threads are stated", "--block", "512")
    report = expect("no_fault", ROLES, "the number that meets at a barrier")
    check("the work group has 192 threads" in assumed(report), f"the number that meets at a barrier: {assumed(report)}")
    report = expect("fault", replace(ROLES, "    bar.sync 1, 192;\n", "    bar.arrive 1, 192;\n"), "the number that meets at a barrier, and a fault")
    check("threads alike" in details(report), f"the number that meets at a barrier, and a fault: {details(report)}")
    report = expect("fault", BOTH, "one fault with all, one with some")
    told = [(finding["certain"], "alike" in finding["detail"], "not with 128 and 256" in finding["detail"]) for finding in report["findings"]]
    check(sorted(told) == [(False, False, True), (True, True, False)], f"one fault with all, one with some: {told} {details(report)}")
    report = expect("fault", EACH, "a fault of its own with each")
    check(len(report["findings"]) == 2 and all("other things go wrong" in finding["detail"] for finding in report["findings"]),
          f"a fault of its own with each: {details(report)}")
    for text in (SQUARE, SIZED):
        report = expect("unknown", text, "a square of threads that nobody states")
        check("y and z of 0" in details(report) and "--block X,Y" in details(report), f"a square of threads that nobody states: {details(report)}")
    expect("no_fault", SQUARE, "a square of threads", "--block", "16,16")
    expect("fault", SQUARE, "a row of threads", "--block", "256")
