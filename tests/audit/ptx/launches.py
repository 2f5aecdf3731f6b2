# SPDX-License-Identifier: Apache-2.0
"""A persistent kernel in PTX: what is stated of its launch, what follows from it, and what no launch of it can be."""

import os

from checks import HERE, audit, check, expect, replace
from snippets import RING


def edited(text, *changes):
    for old, new in changes:
        text = replace(text, old, new)
    return text


# The ring of snippets.py, for block after block of a grid of blocks; slots and parities go on from one to the next.
TILES = edited(
    RING,
    (".param .u32 n)", ".param .u32 n, .param .align 4 .b8 order[8])"),
    ("    setp.ne.u32 %p2, %r2, 4;", """    mov.u32 %r40, %ctaid.x;
    mov.u32 %r41, %nctaid.x;
    ld.param.v2.u32 {%r42, %r43}, [order];
    mul.lo.s32 %r44, %r42, %r43;
    setp.ne.u32 %p2, %r2, 4;"""),
    ("$load:\n    setp.ge.u32 %p4, %r10, %r3;\n    @%p4 bra $end;", """$load_block:
    setp.ge.u32 %p8, %r40, %r44;
    @%p8 bra $end;
    mov.u32 %r10, 0;
$load:
    setp.ge.u32 %p4, %r10, %r3;
    @%p4 bra $loaded;"""),
    ("    bra $load;\n", "    bra $load;\n$loaded:\n    add.u32 %r40, %r40, %r41;\n    bra $load_block;\n"),
    ("$consumer:\n", "$consumer:\n    setp.ge.u32 %p8, %r40, %r44;\n    @%p8 bra $end;\n    mov.u32 %r10, 0;\n"),
    ("    st.global.f32 [%rd5], %f3;\n", "    st.global.f32 [%rd5], %f3;\n    add.u32 %r40, %r40, %r41;\n    bra $consumer;\n"))

# Each block begins at slot 0 again, as if the copies of the one before had left it so.
RESET = edited(TILES, ("    mov.u32 %r10, 0;\n$load:", "    mov.u32 %r10, 0;\n    mov.u32 %r11, 0;\n    mov.u32 %r12, 0;\n$load:"),
               ("    mov.u32 %r10, 0;\n    mov.f32", "    mov.u32 %r10, 0;\n    mov.u32 %r11, 0;\n    mov.u32 %r12, 0;\n    mov.f32"))

ORDER = ("--argument", "3=3", "--argument", "3.4=4")
# name: (options, whether any number of passes is left)
LAUNCHES = {
    "any number of passes": (("--grid", "4", *ORDER), True),
    "some work groups have a block more": (("--grid", "5", *ORDER), True),
    "more work groups than blocks": (("--grid", "16", *ORDER), True),
    "one launch": (("--grid", "5", *ORDER, "--argument", "2=40"), False),
    "one work group": (("--work-group", "3", "--grid", "5", *ORDER), True),
    "any number of blocks": (("--grid", "1", "--argument", "3.4=1", "--argument", "2=3"), True),
    "fewer threads may be stated": (("--grid", "5", *ORDER, "--argument", "2=3", "--block", "160", "--kernel", "k"), False),
}

WAIT_FULL = "    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14], %r12;\n    @%p5 bra $full;\n    bra $wait_full;\n"
WAIT_EMPTY = "    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14+16], %r17;\n    @!%p5 bra $wait_empty;\n"
WAIT_GROUP = "    wgmma.wait_group.sync.aligned 0;\n"
# name: (what is replaced, by what)
MUTANTS = {
    "no wait for the copy": (WAIT_FULL, ""),
    "the other parity for the copy": (WAIT_FULL, "    xor.b32 %r19, %r12, 1;\n$again:\n" + WAIT_FULL.replace("%r12", "%r19").replace("$wait_full", "$again")),
    "no wait for the slot": (WAIT_EMPTY, ""),
    "the other parity for the slot": ("xor.b32 %r17, %r12, 1;", "mov.b32 %r17, %r12;"),
    "a slot released early": (WAIT_GROUP + "    setp.ne.u32 %p7, %r1, 0;\n    @%p7 bra $released;\n"
                              "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n$released:\n",
                              "    setp.ne.u32 %p7, %r1, 0;\n    @%p7 bra $released;\n"
                              "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n$released:\n" + WAIT_GROUP),
    "a slot that nobody releases": ("    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n", ""),
    "two arrivals where one comes": ("[%r4+16], 1;", "[%r4+16], 2;"),
    "one arrival where two come": ("    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n",
                                   "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n"),
    "more bytes than the copies bring": ("_, [%r14], 8192;", "_, [%r14], 16384;"),
    "no bytes are expected": ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r14], 8192;", "mbarrier.arrive.shared::cta.b64 _, [%r14];"),
    "no wgmma.fence": ("    wgmma.fence.sync.aligned;\n", ""),
    "no wgmma.commit_group": ("    wgmma.commit_group.sync.aligned;\n", ""),
    "no wgmma.wait_group": (WAIT_GROUP, ""),
    "no barrier behind mbarrier.init": ("    bar.sync 0;\n", ""),
}

# name: (options, words)
REFUSED = {
    "a parameter that there is not": (("--argument", "7=1"), "E0819]", "parameter 7"),
    "a place that is not read": (("--argument", "3.2=1"), "E0819]", "3.4 (32 bits)"),
    "a place behind the end": (("--argument", "3.8=1"), "E0819]", "byte 8 of parameter 3"),
    "a value that does not fit": (("--argument", "2=4294967296"), "E0819]", "4294967295"),
    "a value that is too small": (("--argument", "2=-2147483649"), "E0819]", "-2147483648"),
    "a place that is stated twice": (("--argument", "3=1", "--argument", "3.0=2"), "E0819]", "twice"),
    "too many work groups": (("--grid", "1,65536"), "E0819]", "65535"),
    "a work group that there is not": (("--grid", "4", "--work-group", "4"), "E0819]", "work group 4"),
    "more threads than the kernel has": (("--block", "192"), "E0819]", "at most 160"),
    "more threads than there may be": (("--block", "1024,2"), "E0819]", "1024"),
    "a kernel that there is not": (("--kernel", "gemm"), "E0819]", "its kernels are k"),
    "no number": (("--argument", "2=many"), "E0903]", "3.8=16"),
    "no place": (("--argument", "n:3"), "E0903]", "3.8=16"),
    "no such name": (("--argument", "m=3"), "E0819]", "they are map_a"),
    "an empty grid": (("--grid", "0"), "E0903]", "above 0"),
    "four dimensions": (("--block", "2,2,2,2"), "E0903]", "one to three"),
    "a negative work group": (("--work-group", "-1"), "E0903]", "from 0"),
}


def notes(report, key):
    return " ".join(note["why"] for note in report.get(key, []))


def check_launches():
    report = expect("unknown", TILES, "no launch is stated")
    said = notes(report, "unknown_instructions")
    for option in ("--grid X,Y,Z", "--argument n=N", "--argument order=N", "--argument order.4=N"):
        check(option in said, f"no launch is stated: {option} is not in: {said}")
    for name, (options, is_any) in LAUNCHES.items():
        report = expect("no_fault", TILES, name, *options)
        assumed = notes(report, "assumptions")
        check("as stated, " in assumed and ("is from 0 to" in assumed) == is_any, f"{name}: taken for given: {assumed}")
        check("launch" in report, f"{name}: no launch in the report")


def check_stated():
    """The JSON has what was stated; the text says that the answer is about that."""
    report = expect("no_fault", TILES, "stated", "--grid", "5", "--argument", "3=-3", "--argument", "3.4=-4", "--argument", "2=3")
    check(report.get("launch") == {"kernel": None, "arguments": [{"param": 3, "byte": 0, "value": -3}, {"param": 3, "byte": 4, "value": -4},
                                                                 {"param": 2, "byte": 0, "value": 3}],
                                   "boxes": [], "grid": [5, 1, 1], "block": None, "work_group": None, "cluster": None}, f"launch: {report.get('launch')}")
    check("launch" not in expect("unknown", TILES, "nothing stated"), "nothing stated: a launch is in the report")


def check_reset():
    """Right where no work group has a second block, wrong where one has."""
    options = ("--argument", "2=3")
    expect("no_fault", RESET, "slots begin anew, one block each", "--grid", "12", *ORDER, *options)
    report = expect("fault", RESET, "slots begin anew, two blocks", "--grid", "11", *ORDER, *options)
    detail = " ".join(finding["detail"] for finding in report.get("findings", []))
    check("%ctaid.x = 0" in detail and "%nctaid.x = 11" in detail, f"slots begin anew: {detail}")
    expect("no_fault", RESET, "slots begin anew, another work group", "--grid", "11", "--work-group", "1", *ORDER, *options)


def check_mutants():
    for name, (old, new) in MUTANTS.items():
        expect("fault", replace(TILES, old, new), name, "--grid", "5", *ORDER)


def check_refused():
    for name, (options, code, words) in REFUSED.items():
        status, said = audit(TILES, *options)
        check(status == 2 and code in said and words in said, f"{name}: {said}")
    with open(os.path.join(HERE, "two_stage.s"), encoding="utf-8") as file:
        status, said = audit(file.read(), "--grid", "4")
    check(status == 2 and "E0819]" in said and "PTX" in said, f"a launch of AMD's code: {said}")


def check_all():
    check_launches()
    check_stated()
    check_reset()
    check_mutants()
    check_refused()
