# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX whose phases say how much the boxes of tensor maps hold, on ways that not every launch takes, and what contradicts it."""

from checks import audit, check, expect, replace
from launches import edited, notes
from snippets import HEAD, RING, STORES

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
FEWER_OF_PAIR = ("[%r4], 16384; // of", "[%r4], 15360; // of")
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
    "fewer bytes of two maps in the way of a single pass": (PAIR, *FEWER_OF_PAIR),
    "no copy of the second map in the way of a single pass": (PAIR, *DELETED),
}

# Launches of a single pass, which nothing that they do contradicts. name: (kernel, what is replaced, by what, words of the reason)
SINGLE = {
    "fewer bytes, a launch of a single pass": (SHORT, *FEWER, "8192 of 1 here, 7168 of 1 there"),
    "more bytes, a launch of a single pass": (SHORT, FEWER[0], FEWER[0].replace("8192", "16384"), "8192 of 1 here, 16384 of 1 there"),
    "fewer bytes of two maps, a launch of a single pass": (PAIR, *FEWER_OF_PAIR, "16384 of 2 here, 15360 of 2 there"),
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


# Where the parameter is 8 another way is taken, with other bytes.
EIGHT = START + "    setp.eq.u32 %p9, %r3, 8;\n    @%p9 bra $eight;\n" + phase(0, 8192, (A, 0)) + "    bra $end;\n$eight:\n" + \
    phase(2, 7168, (A, 0)) + END


def check_large():
    """Other launches have numbers that their parameters hold: eight times this one would be 8 with one bit too many."""
    expect("no_fault", EIGHT, "a number of which a multiple is too large", "--argument", f"3={(1 << 29) + 1}")
    for number in (0, 1, 2, 4, 7, 9):
        expect("unknown" if number else "no_fault", EIGHT, f"another launch than {number} takes another way", "--argument", f"3={number}")
    expect("no_fault", EIGHT, "no other launch takes another way", "--argument", "3=5")
    expect("no_fault", EIGHT, "the largest number", "--argument", f"3={(1 << 32) - 1}")


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

# Work group 1 stores between two boxes, and work group 5 copies the first one alone, so that only then is known what it brings.
LATER = START + "    mov.u32 %r40, %ctaid.x;\n    setp.eq.u32 %p8, %r40, 1;\n    setp.ne.u32 %p9, %r40, 5;\n" + \
    replace(phase(0, 12288, (A, 0), (B, 8192)), "$phase_0:", "    @%p8 st.shared.b32 [%r5+4096], %r10;\n$phase_0:") + \
    "    @%p9 bra $end;\n" + phase(1, 8192, (A, 0)) + END

# Of 10240 bytes 8192 are no half, and the room of the first one is more than that.
ODD_ROOM = START + phase(0, 10240 + 16, (A, 0), (B, 16384)) + END

# The second one's begins where the first one's may end, and the end of it is stored to as well.
OVERLAPS = replace(PAIRED, "$phase_0:", "    st.shared.b32 [%r5+4096], %r10;\n$phase_0:")

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
                                ("in a box whose size another work group says", "fault", LATER),
                                ("behind a box whose size another work group says", "no_fault", replace(LATER, "[%r4], 8192;", "[%r4], 4096;")),
                                ("on an mbarrier", "unknown", WITHIN)):
        report = expect(answer, text, f"a store {where}")
        check(answer != "unknown" or "fills its room" in reasons(report), f"a store {where}: {reasons(report)}")


def stated(of_a, of_b=None):
    """Options that state the boxes of the first map, and of the second one."""
    return ("--box", f"0={of_a}", *(() if of_b is None else ("--box", f"1={of_b}")))


def check_settled():
    """Conflicts with what boxes hold by a guess, and the guess itself, are settled by what is stated of them."""
    between = ordinary(0, 4096, PAIRED)
    for text, options, answer in ((between, stated(8192), "fault"), (between, stated(4096), "no_fault"), (between, ("--box", "1=8192"), "no_fault"),
                                  (OVERLAPS, stated(4096), "no_fault"), (OVERLAPS, stated(4096, 8192), "no_fault"), (OVERLAPS, stated(8192), "fault"),
                                  (WITHIN, stated(4096, 8192), "no_fault"), (WITHIN, stated(8192), "fault"),
                                  # Two maps that cannot have equally much, and no room that the first one could fill.
                                  (ODD_ROOM, (), "unknown"), (ODD_ROOM, stated(6144), "no_fault")):
        report = expect(answer, text, f"boxes stated: {options}", *options)
        said = notes(report, "assumptions")
        check(answer != "no_fault" or "the box of the tensor map in map_" in said and "as the room allows" not in said,
              f"boxes stated: {options}: {said}")


def check_contradicted():
    """What is stated contradicts what phases of the launch expect, of any number of copies, but not those of other launches."""
    for text, options, answer in ((ALONE, stated(8192, 4096), "no_fault"), (ALONE, stated(8192 - 16), "fault"), (TOGETHER, stated(12288), "fault"),
                                  (PAIRED, stated(12288), "fault"), (PAIRED, stated(8192, 8192), "fault"), (PAIRED, stated(8192 - 16), "no_fault")):
        report = expect(answer, text, f"boxes {options} are contradicted", *options)
        for finding in report.get("findings", []):
            check("boxes that are stated (parameter 0: " in finding["detail"] and "expect" in finding["at"]["text"],
                  f"boxes {options} are contradicted: {finding}")
    fewer = replace(SHORT, *FEWER)
    for options, answer in ((("--argument", "2=1"), "fault"), (("--argument", "2=7"), "no_fault"), ((), "fault")):
        expect(answer, fewer, f"fewer bytes than the box holds in the way of a single pass, {options}", *stated(8192), *options)
    report = expect("unknown", fewer, "the box of a single pass is read beyond its end", *stated(7168), "--argument", "2=1")
    check("nothing has written" in reasons(report), f"the box of a single pass is read beyond its end: {reasons(report)}")
    expect("no_fault", replace(PAIR, *FEWER_OF_PAIR), "the boxes of a single pass", *stated(8192, 7168), "--argument", "3=1")
    expect("unknown", replace(PAIR, *FEWER_OF_PAIR), "one of the boxes of a single pass", *stated(8192), "--argument", "3=1")


# Each warp stores 512 bytes, the first one behind those of the second one, and copies them to global memory by itself; the first
# one does so only where the loop has more than one pass.
STORED = MAPS.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    mov.u32 %r10, 0;
    ld.param.u32 %r3, [n];
    mov.b64 %rd1, map_a;
    cvta.param.u64 %rd2, %rd1;
    mov.u32 %r5, tiles;
    xor.b32 %r9, %r1, 32;
    shl.b32 %r6, %r9, 4;
    add.u32 %r7, %r5, %r6;
    and.b32 %r8, %r1, 31;
    setp.ne.u32 %p1, %r8, 0;
    setp.ge.u32 %p2, %r1, 32;
    st.shared.b32 [%r7], %r1;
    st.shared.b32 [%r7+4], %r1;
    st.shared.b32 [%r7+8], %r1;
    st.shared.b32 [%r7+12], %r1;
    fence.proxy.async.shared::cta;
    bar.warp.sync 0xffffffff;
    @%p1 bra $end;
    @%p2 bra $copy;
    setp.eq.u32 %p3, %r3, 1;
    @%p3 bra $end;
$copy:
    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {%r10, %r10}], [%r7];
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0;
""" + END


def check_stores():
    """How much a tensor store reads is known where its box is stated; else no fault says that it reads what another warp stored."""
    for n in (1, 7):
        for options, answer in (((), "unknown" if n == 1 else "no_fault"), (stated(512), "no_fault"), (stated(1024), "fault")):
            expect(answer, STORED, f"tensor stores of {n} passes, {options}", "--argument", f"3={n}", *options)
    said = notes(expect("no_fault", STORED, "the box of a tensor store", *stated(512), "--argument", "3=7"), "assumptions")
    check("the box of the tensor map in map_a holds 512 bytes" in said, f"the box of a tensor store: {said}")
    early = replace(STORED, "    fence.proxy.async.shared::cta;\n    bar.warp.sync 0xffffffff;\n", "    fence.proxy.async.shared::cta;\n")
    expect("fault", early, "a tensor store of what other lanes store", *stated(512), "--argument", "3=7")


def check_told():
    """JSON has what is stated of boxes; that only some copy goes by it is taken for given."""
    report = expect("no_fault", ALONE, "boxes in JSON", "--box", "1=4096", "--box", "0.0=8192")
    check(report.get("launch") == {"kernel": None, "arguments": [], "boxes": [{"param": 1, "byte": 0, "bytes": 4096}, {"param": 0, "byte": 0, "bytes": 8192}],
                                   "grid": None, "block": None, "work_group": None, "cluster": None}, f"boxes in JSON: {report.get('launch')}")
    said = notes(report, "assumptions")
    check("as stated, the box of the tensor map in map_b holds 4096 bytes" in said, f"boxes taken for given: {said}")
    skipped = replace(START, "%r1, 0;", "%r1, 0;\n    mov.pred %p9, 1;") + "    @%p9 bra $end;\n" + phase(0, 8192, (A, 0)) + END
    said = notes(expect("no_fault", skipped, "a copy that is not executed", *stated(8192)), "assumptions")
    check("the box of" not in said, f"a copy that is not executed: {said}")


# name: (kernel, what is stated, words of the error)
REFUSED = {
    "a parameter that there is not": (ALONE, ("--box", "9=64"), "the maps of its copies are in 0, 1"),
    "a parameter that is no map": (ALONE, ("--box", "3=64"), "parameter 3, which is no tensor map"),
    "a place within a map": (ALONE, ("--box", "0.64=64"), "parameter 0 at byte 64, which is no tensor map"),
    "a box that is stated twice": (ALONE, (*stated(64), "--box", "0.0=128"), "is stated twice, as 64 and 128 bytes"),
    "no bytes": (ALONE, stated(0), "a multiple of 16 bytes"),
    "no multiple of 16 bytes": (ALONE, stated(8200), "hold 8200 bytes"),
    "more bytes than there are": (ALONE, stated((256 << 10) + 16), "up to 262144"),
    "a kernel without tensor copies": (STORES, ("--box", "0=64"), "no kernel that is judged has a tensor copy"),
    "a parameter that points to a map": (replace(replace(ALONE, "cvta.param.u64 %rd2, %rd1;", "ld.param.u64 %rd2, [out];"),
                                                 "cvta.param.u64 %rd4, %rd3;", "mov.u64 %rd4, %rd2;"), ("--box", "2=64"), "parameters point"),
}
MALFORMED = ("8192", "0", "0=", "0=-16", "0=many", "map_a=", "0=16:bf17", "0=16,16,16,16,16,16:u8", "0.=16", "-1=16", "0=16,16", "0= 16")


def check_boxes_refused():
    for name, (text, options, words) in REFUSED.items():
        status, said = audit(text, *options)
        check(status == 2 and "E0819]" in said and words in said, f"{name}: {said}")
    for value in MALFORMED:
        status, said = audit(ALONE, "--box", value)
        check(status == 2 and "E0903]" in said and "0=8192" in said, f"--box {value}: {said}")
    # Which map it is cannot be told from the text alone.
    computed = replace(ALONE, "cvta.param.u64 %rd2, %rd1;", "cvta.param.u64 %rd2, %rd1;\n    add.u64 %rd2, %rd2, 0;")
    expect("no_fault", computed, "a map whose address is computed", *stated(8192))
    expect("fault", computed, "a map whose address is computed, another box", *stated(4096))
    for place in ("9", "0.1048576"):
        status, said = audit(computed, "--box", f"{place}=64")
        check(status == 2 and "E0819]" in said, f"a map whose address is computed, {place}: {said}")


def check_unread():
    """Nothing contradicts what the only copy is expected to bring, but reads of more than that."""
    for text, old in ((RING, "[%r14], 8192;"), (LOADED, "[%r4], 8192;")):
        report = expect("unknown", replace(text, old, old.replace("8192", "7168")), "fewer bytes than are read")
        check("nothing has written" in reasons(report), f"fewer bytes than are read: {reasons(report)}")


def check_computed():
    """Bytes that are an argument are taken to be what the copies bring; only what is stated of them is right or wrong."""
    report = expect("no_fault", STATED, "bytes are an argument")
    check("as the copies of a phase bring" in str(report), f"bytes are an argument: {report}")
    expect("no_fault", STATED, "bytes are an argument that is stated", "--argument", "3=8192")


def check_all():
    check_single()
    check_large()
    check_ways()
    check_guessed()
    check_conflicts()
    check_settled()
    check_contradicted()
    check_told()
    check_boxes_refused()
    check_alone()
    check_unread()
    check_computed()
    check_stores()
