# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX whose phases say how much the boxes of tensor maps hold, on ways that not every launch takes, and what contradicts it."""

from checks import check, expect, replace
from launches import edited, notes
from snippets import HEAD, RING

MAPS = HEAD.replace("map_a[128],", "map_a[128], .param .align 64 .b8 map_b[128],")
COPY = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"


def phase(number, bytes_of_phase, *copies):
    """One thread copies boxes of maps to places, and waits until they are there."""
    lines = [f"    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], {bytes_of_phase}; // phase {number}"]
    lines += [f"    {COPY} [%r5+{to}], [{of}, {{%r10, %r10}}], [%r4]; // phase {number}" for of, to in copies]
    lines += [f"$phase_{number}:", f"    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r4], {number % 2};", f"    @!%p5 bra $phase_{number};"]
    return "\n".join(lines) + "\n"


START = MAPS.format(threads=32) + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r10, 0;
    ld.param.u32 %r3, [n];
    mov.b64 %rd1, map_a;
    cvta.param.u64 %rd2, %rd1;
    mov.b64 %rd3, map_b;
    cvta.param.u64 %rd4, %rd3;
    mov.u32 %r4, bars;
    mov.u32 %r5, tiles;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $end;
    mbarrier.init.shared::cta.b64 [%r4], 1;
    fence.mbarrier_init.release.cluster;
"""
END = "$end:\n    ret;\n}\n"
A, B = "%rd2", "%rd4"

# Both maps together, then each alone.
ALONE = START + phase(0, 12288, (A, 0), (B, 8192)) + phase(1, 8192, (A, 0)) + phase(2, 4096, (B, 8192)) + END

# Both together in each phase: what they bring together is all that is known.
TOGETHER = START + phase(0, 12288, (A, 0), (B, 8192)) + phase(1, 24576, (A, 0), (B, 8192), (A, 16384), (B, 24576)) + END

# One box, of which an ordinary load reads the end.
LOADED = START + phase(0, 8192, (A, 0)) + "    ld.shared.b32 %r20, [%r5+8188];\n" + END

# The ring of snippets.py, with a way of its own for a single pass.
SHORT = edited(RING, ("$load:\n", f"""    setp.ne.u32 %p9, %r3, 1;
    @%p9 bra $load;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 8192; // of a single pass
    {COPY} [%r5], [%rd2, {{%r10, %r10}}], [%r4];
    bra $end;
$load:
"""))

# The same with two maps of 8192 bytes, of which the second one's boxes are read by nobody.
PAIR = edited(RING.replace(HEAD.format(threads=160), MAPS.format(threads=160)),
              ("    mov.u32 %r4, bars;", "    mov.b64 %rd6, map_b;\n    cvta.param.u64 %rd7, %rd6;\n    mov.u32 %r4, bars;"),
              ("[%r14], 8192;", "[%r14], 16384;"),
              ("[%rd2, {%r10, %r10}], [%r14];\n",
               f"[%rd2, {{%r10, %r10}}], [%r14];\n    add.u32 %r19, %r16, 16384;\n    {COPY} [%r19], [%rd7, {{%r10, %r10}}], [%r14];\n"),
              ("$load:\n", f"""    setp.ne.u32 %p9, %r3, 1;
    @%p9 bra $load;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 16384; // of a single pass
    {COPY} [%r5], [%rd2, {{%r10, %r10}}], [%r4];
    {COPY} [%r5+16384], [%rd7, {{%r10, %r10}}], [%r4]; // of a single pass
    bra $end;
$load:
"""))
DELETED = (f"    {COPY} [%r5+16384], [%rd7, {{%r10, %r10}}], [%r4]; // of a single pass\n", "")

# How many bytes come is an argument: that of the box is none.
STATED = edited(RING, (".param .u32 n)", ".param .u32 n, .param .u32 bytes)"), ("    mov.u32 %r4, bars;", "    ld.param.u32 %r19, [bytes];\n    mov.u32 %r4, bars;"),
                ("[%r14], 8192;", "[%r14], %r19;"))

KERNELS = {"ALONE": ALONE, "TOGETHER": TOGETHER, "LOADED": LOADED, "SHORT": SHORT, "PAIR": PAIR}

FEWER = ("[%r4], 8192; // of a single pass", "[%r4], 7168; // of a single pass")
# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "two maps bring other bytes together than each alone": (ALONE, "[%r4], 4096; // phase 2", "[%r4], 2048; // phase 2", "arrivals"),
    "two maps bring fewer bytes together than each alone": (ALONE, "[%r4], 12288;", "[%r4], 9216;", "arrivals"),
    "two of each of two maps bring other bytes than twice one of each": (TOGETHER, "[%r4], 24576;", "[%r4], 20480;", "arrivals"),
    "three copies where twice two are expected": (TOGETHER, f"    {COPY} [%r5+24576], [%rd4, {{%r10, %r10}}], [%r4]; // phase 1\n", "", "arrivals"),
}

# A host may make another box for a launch of a single pass, so that phases of different launches make no certain fault.
WAYS = {
    "fewer bytes in the way of a single pass": (SHORT, *FEWER),
    "more bytes in the way of a single pass": (SHORT, FEWER[0], FEWER[0].replace("8192", "16384")),
    "fewer bytes of two maps in the way of a single pass": (PAIR, "[%r4], 16384; // of", "[%r4], 15360; // of"),
    "no copy of the second map in the way of a single pass": (PAIR, *DELETED),
}

# Launches of a single pass, which nothing that they do contradicts. name: (kernel, what is replaced, by what, words of the reason)
SINGLE = {
    "fewer bytes, a launch of a single pass": (SHORT, *FEWER, "8192 of 1 here, 7168 of 1 there"),
    "more bytes, a launch of a single pass": (SHORT, FEWER[0], FEWER[0].replace("8192", "16384"), "8192 of 1 here, 16384 of 1 there"),
    "fewer bytes of two maps, a launch of a single pass": (PAIR, "[%r4], 16384; // of", "[%r4], 15360; // of", "16384 of 2 here, 15360 of 2 there"),
    "no copy of the second map, a launch of a single pass": (PAIR, *DELETED, "16384 of 2 here, 16384 of 1 there"),
}


def reasons(report):
    return " ".join([notes(report, "unknown_instructions")] + [finding["detail"] for finding in report.get("findings", [])])


def check_single():
    for name, (text, old, new, words) in SINGLE.items():
        pass_of = ("--argument", f"{3 if text == PAIR else 2}=1")
        expect("no_fault", text, f"{name}: as it is", *pass_of)
        report = expect("unknown", replace(text, old, new), name, *pass_of)
        check(words in reasons(report), f"{name}: {reasons(report)}")
        for finding in report.get("findings", []):
            check(finding["at"]["line"] and finding["other"]["line"], f"{name}: {finding}")
    # Which of two ways is right cannot be told, whichever of them a launch takes.
    report = expect("unknown", replace(SHORT, *FEWER), "fewer bytes on a way that is not taken", "--argument", "2=7")
    check("7168 of 1 here, 8192 of 1 there" in reasons(report), f"fewer bytes on a way that is not taken: {reasons(report)}")


def check_ways():
    for name, (text, old, new) in WAYS.items():
        report = expect("unknown", replace(text, old, new), name)
        check("cannot both bring the bytes" in reasons(report), f"{name}: {reasons(report)}")


# A first phase by itself: two copies of one map bring no multiple of 16 bytes each.
ODD = START + phase(0, 48, (A, 0), (A, 16384)) + END

# Rows of one map, each a box of its own, go in one copy.
GATHERED = START + phase(0, 8192, (A, 0)).replace(".global.mbarrier", ".global.tile::gather4.mbarrier") + END


def check_alone():
    """What contradicts itself names no line that has nothing to do with it."""
    report = expect("fault", ODD, "two copies of one map that bring 24 bytes each")
    for finding in report["findings"]:
        texts = [finding[end]["text"] for end in ("at", "other") if finding[end]]
        check(all("expect_tx" in text or "cp.async.bulk" in text for text in texts), f"two copies of 24 bytes each: {texts}")
    expect("unknown", GATHERED, "rows that are gathered")


def check_guessed():
    """What two maps bring together says not what each does: the report names that it is taken for given, and only then."""
    for text, guessed in ((START + phase(0, 12288, (A, 0), (B, 8192)) + END, True), (TOGETHER, True), (ALONE, False)):
        report = expect("no_fault", text, "boxes that are taken from the room")
        check(("as the room allows" in notes(report, "assumptions")) == guessed, f"boxes that are taken from the room: {notes(report, 'assumptions')}")


def ordinary(number, at, text):
    """One thread stores while the copies of a phase are in flight, which nothing orders."""
    return replace(text, f"$phase_{number}:", f"    st.shared.b32 [%r5+{at}], %r10;\n$phase_{number}:")


# What two maps bring together, with a place for the second one's that the first one's may end before. Each alone comes behind.
PAIRED = START + phase(0, 12288, (A, 0), (B, 8192)) + END
SMALLER = START + phase(0, 12288, (A, 0), (B, 8192)) + phase(1, 4096, (A, 0)) + phase(2, 8192, (B, 8192)) + END

# One of the mbarriers lies where the box of the first map may end before.
WITHIN = edited(PAIRED, ("    fence.mbarrier_init", "    mbarrier.init.shared::cta.b64 [%r5+4096], 1;\n    fence.mbarrier_init"))


def check_conflicts():
    """A conflict with what a box holds only by a guess is not certain; with its first 16 bytes, or where its size follows, it is."""
    for where, answer, text in (("between two boxes", "unknown", ordinary(0, 4096, PAIRED)),
                                ("at the end of the last box, or the first one reaches into it", "fault", ordinary(0, 8192 + 4092, PAIRED)),
                                ("in the first 16 bytes of a box", "fault", ordinary(0, 12, PAIRED)),
                                ("in the first 16 bytes of the last box", "fault", ordinary(0, 8192, PAIRED)),
                                ("between two boxes, and in the first 16 bytes", "fault", ordinary(1, 0, ordinary(0, 4096, TOGETHER))),
                                ("in a box of known size", "fault", ordinary(0, 4096, ALONE)),
                                ("behind a box of known size", "no_fault", ordinary(0, 4096, SMALLER)),
                                ("on an mbarrier", "unknown", WITHIN)):
        report = expect(answer, text, f"a store {where}")
        check(answer != "unknown" or "fills its room" in reasons(report), f"a store {where}: {reasons(report)}")


def check_unread():
    """Nothing contradicts what the only copy is expected to bring, but reads of more than that."""
    for text, old in ((RING, "[%r14], 8192;"), (LOADED, "[%r4], 8192;")):
        report = expect("unknown", replace(text, old, old.replace("8192", "7168")), "fewer bytes than are read")
        check("nothing has written" in reasons(report), f"fewer bytes than are read: {reasons(report)}")


def check_computed():
    """Bytes that are an argument say nothing of other arguments, and only what is stated of them is right or wrong."""
    expect("unknown", STATED, "bytes are an argument")
    expect("no_fault", STATED, "bytes are an argument that is stated", "--argument", "3=8192")


def check_all():
    check_single()
    check_ways()
    check_guessed()
    check_conflicts()
    check_alone()
    check_unread()
    check_computed()
