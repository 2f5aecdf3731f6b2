# SPDX-License-Identifier: Apache-2.0
"""Small kernels in PTX for clusters of two work groups: in order as they are, and what makes a fault of each rule of clusters."""

import re

from checks import audit, check, expect, replace
from snippets import HEAD
from snippets import RING as SINGLE


def in_cluster(head, size="2, 1, 1"):
    return replace(head, "{\n    .reg .pred", ".explicitcluster\n.reqnctapercluster " + size + "\n{\n    .reg .pred")


BEGIN = """    barrier.cluster.arrive.release.aligned; // all are initialised
    barrier.cluster.wait.acquire.aligned;
"""
END = """    barrier.cluster.arrive.release; // all have arrived
    barrier.cluster.wait.acquire;
"""
AT_OTHERS = """    mapa.shared::cluster.u32 %r31, %r30, 1;
    mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r31];
"""

# A ring of two slots of 2048 bytes: warp 1 of each work group copies one half of each for both, which warp 0 of both reads.
RING = in_cluster(HEAD.format(threads=64)) + """
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 5; // warp
    and.b32 %r3, %r1, 31; // lane
    mov.u32 %r4, bars;
    mov.u32 %r5, tiles;
    mov.u32 %r6, %cluster_ctarank;
    ld.param.u32 %r7, [n];
    ld.param.u64 %rd1, [out];
    setp.ne.u32 %p1, %r1, 0;
    setp.ne.u32 %p2, %r3, 0;
    @%p1 bra $init_done;
    mbarrier.init.shared::cta.b64 [%r4], 1;
    mbarrier.init.shared::cta.b64 [%r4+8], 1;
    mbarrier.init.shared::cta.b64 [%r4+16], 2;
    mbarrier.init.shared::cta.b64 [%r4+24], 2;
    fence.mbarrier_init.release.cluster;
$init_done:
    bar.warp.sync 0xffffffff;
""" + BEGIN + """
    mov.u32 %r10, 0; // iteration
    mov.u32 %r11, 0; // slot
    mov.u32 %r12, 0; // parity
    setp.ne.u32 %p3, %r2, 0;
    @!%p3 bra $read;
    shl.b32 %r20, %r6, 10; // its half
    add.u32 %r20, %r5, %r20;
$load:
    setp.ge.u32 %p4, %r10, %r7;
    @%p4 bra $end;
    shl.b32 %r13, %r11, 3;
    add.u32 %r14, %r4, %r13;
    shl.b32 %r15, %r11, 11;
    add.u32 %r16, %r20, %r15;
    xor.b32 %r17, %r12, 1;
    @%p2 bra $loaded;
$wait_empty:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14+16], %r17;
    @!%p5 bra $wait_empty;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r14], 2048;
    mov.b16 %rs1, 3;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r16], [%rd1], 1024, [%r14], %rs1;
$loaded:
    add.u32 %r10, %r10, 1;
    xor.b32 %r11, %r11, 1;
    setp.eq.u32 %p6, %r11, 0;
    selp.b32 %r18, 1, 0, %p6;
    xor.b32 %r12, %r12, %r18;
    bra $load;
$read:
    setp.ge.u32 %p4, %r10, %r7;
    @%p4 bra $end;
    shl.b32 %r13, %r11, 3;
    add.u32 %r14, %r4, %r13;
    shl.b32 %r15, %r11, 11;
    add.u32 %r16, %r5, %r15;
    shl.b32 %r19, %r3, 4;
    add.u32 %r16, %r16, %r19;
$wait_full:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r14], %r12;
    @!%p5 bra $wait_full;
    ld.shared.v4.b32 {%r40, %r41, %r42, %r43}, [%r16];
    ld.shared.v4.b32 {%r44, %r45, %r46, %r47}, [%r16+1024];
    fence.proxy.async.shared::cta;
    bar.warp.sync 0xffffffff;
    @%p2 bra $released;
    add.u32 %r30, %r14, 16;
    mapa.shared::cluster.u32 %r31, %r30, 0;
    mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r31];
""" + AT_OTHERS + """
$released:
    add.u32 %r10, %r10, 1;
    xor.b32 %r11, %r11, 1;
    setp.eq.u32 %p6, %r11, 0;
    selp.b32 %r18, 1, 0, %p6;
    xor.b32 %r12, %r12, %r18;
    bra $read;
$end:
""" + END + """
    ret;
}
"""
FENCE = "    fence.mbarrier_init.release.cluster;\n"
PROXY_FENCE = "    fence.proxy.async.shared::cta;\n"

# What fence.mbarrier_init tells needs no more than a relaxed arrival.
RELAXED = replace(RING, "arrive.release.aligned", "arrive.relaxed.aligned")
BEGIN_RELAXED = replace(BEGIN, "arrive.release.aligned", "arrive.relaxed.aligned")

# All that threads say and wait for is for the cluster.
WIDE = replace(replace(RING, "arrive.release.cta", "arrive.release.cluster", -1), "try_wait.parity.shared", "try_wait.parity.acquire.cluster.shared", -1)

# The work groups of a cluster of 1 x 2, which a tensor copy each brings something.
ROWS = replace(replace(RING, "2, 1, 1\n{", "1, 2, 1\n{"), "mov.u32 %r6, %cluster_ctarank;", """mov.u32 %r6, %cluster_ctaid.y;
    mov.b64 %rd3, map_a;
    cvta.param.u64 %rd4, %rd3;""")
ROWS = replace(
    ROWS, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r16], [%rd1], 1024,",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r16], [%rd4, {%r10, %r10}],")

# Four work groups, each with a quarter of a slot.
FOUR = RING
for old, new in (("2, 1, 1\n{", "4, 1, 1\n{"), ("[%r4+16], 2;", "[%r4+16], 4;"), ("[%r4+24], 2;", "[%r4+24], 4;"), ("%r6, 10; // its half", "%r6, 9;"),
                 ("%rs1, 3;", "%rs1, 15;"), ("[%rd1], 1024,", "[%rd1], 512,"),
                 (AT_OTHERS, "".join(AT_OTHERS.replace("%r30, 1", f"%r30, {rank}") for rank in (1, 2, 3)))):
    FOUR = replace(FOUR, old, new)

# Threads 0 and 1 of a warp release a slot, each for one work group.
EACH = replace(RING, "    mapa.shared::cluster.u32 %r31, %r30, 0;\n    mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r31];\n" + AT_OTHERS, """
    mapa.shared::cluster.u32 %r31, %r30, %r3;
    mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r31];
""")
EACH = replace(EACH, "    @%p2 bra $released;", "    setp.gt.u32 %p9, %r3, 1;\n    @%p9 bra $released;")

# Each thread stores 4 bytes of the first slot before it is used. That is known by the barrier of the cluster alone.
STORED = replace(RING, "    bar.warp.sync 0xffffffff;\n" + BEGIN, """    shl.b32 %r50, %r1, 2;
    add.u32 %r51, %r5, %r50;
    st.shared.b32 [%r51], %r50;
    fence.proxy.async.shared::cta;
    bar.warp.sync 0xffffffff;
""" + BEGIN)

# One thread completes two phases: nobody has to wait for the first.
TWICE = in_cluster(HEAD.format(threads=32)) + """    mov.u32 %r1, %tid.x;
    mov.u32 %r4, bars;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $ready;
    mbarrier.init.shared::cta.b64 [%r4], 1;
    fence.mbarrier_init.release.cluster;
$ready:
    bar.warp.sync 0xffffffff;
""" + BEGIN + """    @%p1 bra $arrived;
    mbarrier.arrive.shared::cta.b64 _, [%r4];
    mbarrier.arrive.shared::cta.b64 _, [%r4];
$arrived:
    bar.warp.sync 0xffffffff;
$wait:
    mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r4], 1;
    @!%p5 bra $wait;
""" + END + "    ret;\n}\n"
# A fence for memory that comes behind the relaxed barrier tells nobody more by it.
FENCED_LATER = replace(RELAXED, BEGIN_RELAXED, BEGIN_RELAXED + "    fence.acq_rel.gpu;\n")

KERNELS = {"FENCED_LATER": FENCED_LATER, "TWICE": TWICE, "RING": RING, "RELAXED": RELAXED, "WIDE": WIDE, "ROWS": ROWS, "FOUR": FOUR, "STORED": STORED, "EACH": EACH}

COPY = "[%r16], [%rd1], 1024, [%r14], %rs1;"
READS = """    ld.shared.v4.b32 {%r40, %r41, %r42, %r43}, [%r16];
    ld.shared.v4.b32 {%r44, %r45, %r46, %r47}, [%r16+1024];
    fence.proxy.async.shared::cta;
"""
MEETS = "    bar.warp.sync 0xffffffff;\n    setp.gt.u32 %p9"
RELEASE = RING[RING.index(READS) + len(READS):RING.index("$released:\n")] + "$released:\n"

# name: (kernel, what is replaced, by what, the hazard)
FAULTS = {
    "no fence behind mbarrier.init, a relaxed barrier, and a fence that comes later": (FENCED_LATER, FENCE, "", "arrivals"),
    "no barrier of the cluster at the begin": (RING, BEGIN, "    bar.sync 0;\n", "arrivals"),
    "no barrier of the cluster at the end": (RING, END, "", "lost_peer"),
    "a barrier of the work group at the end": (RING, END, "    barrier.sync 0;\n", "lost_peer"),
    "a relaxed barrier of the cluster at the end": (RING, "arrive.release; //", "arrive.relaxed; //", "lost_peer"),
    "no fence behind mbarrier.init, and a relaxed barrier": (RELAXED, FENCE, "", "arrivals"),
    "a fence for proxies behind mbarrier.init, and a relaxed barrier": (RELAXED, FENCE, PROXY_FENCE, "arrivals"),
    "a relaxed barrier behind stores that a copy overwrites": (STORED, "arrive.release.aligned", "arrive.relaxed.aligned", "write_race"),
    "no proxy fence behind stores that a copy of another work group overwrites": (STORED, PROXY_FENCE, "", "unfenced"),
    "a proxy fence for the own memory alone, behind stores of both that copies of both overwrite": (
        replace(STORED, PROXY_FENCE, ""), BEGIN, BEGIN + PROXY_FENCE, "unfenced"),
    "an arrival of another thread, which the first does not come before": (
        TWICE, "    mbarrier.arrive.shared::cta.b64 _, [%r4];\n$arrived:\n",
        "$arrived:\n    setp.eq.u32 %p2, %r1, 1;\n    @%p2 mbarrier.arrive.shared::cta.b64 _, [%r4];\n", "arrivals"),
    "an arrival at one work group alone": (RING, AT_OTHERS, "", "arrivals"),
    "two arrivals at the first work group": (RING, "%r30, 1;", "%r30, 0;", "arrivals"),
    "two arrivals at the own work group": (RING, "mapa.shared::cluster.u32 %r31, %r30, 0;", "mov.u32 %r31, %r30;", "arrivals"),
    "arrivals at the own work group, twice": (
        RING, "mapa.shared::cluster.u32 %r31, %r30, 0;\n    mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r31];\n" + AT_OTHERS,
        "mbarrier.arrive.shared::cta.b64 _, [%r30], 2;\n", "arrivals"),
    "a copy for the first work group alone": (RING, "%rs1, 3;", "%rs1, 1;", "deadlock"),
    "a copy for the second work group alone": (RING, "%rs1, 3;", "%rs1, 2;", "deadlock"),
    "a copy that is no multicast": (RING, ".multicast::cluster " + COPY, " " + COPY.replace(", %rs1", ""), "arrivals"),
    "both copy the first half": (RING, "%r20, %r5, %r20;", "%r20, %r5, 0;", "write_race"),
    "a count for the own arrival alone": (RING, "[%r4+16], 2;", "[%r4+16], 1;", "arrivals"),
    "a count for three work groups": (RING, "[%r4+24], 2;", "[%r4+24], 3;", "deadlock"),
    "the bytes of the own copy alone": (RING, "_, [%r14], 2048;", "_, [%r14], 1024;", "arrivals"),
    "the bytes of three copies": (RING, "_, [%r14], 2048;", "_, [%r14], 3072;", "arrivals"),
    "the other parity of a full slot": (RING, "%p5, [%r14], %r12;", "%p5, [%r14], 1;", "phase_alias"),
    "a slot that is released before it is read": (RING, READS + RELEASE, RELEASE + READS, "overwritten"),
    "the other parity of an empty slot": (RING, "xor.b32 %r17, %r12, 1;", "mov.b32 %r17, %r12;", "deadlock"),
    "no wait for an empty slot": (RING, "    @!%p5 bra $wait_empty;", "", "arrivals"),
    "two arrivals at the barrier of the cluster": (RING, END, END.replace("    barrier.cluster.wait", END.split("//")[0] + "\n    barrier.cluster.wait"), "named_barrier"),
    "a wait at the barrier of the cluster without an arrival": (RING, "    barrier.cluster.arrive.release; // all have arrived\n", "", "named_barrier"),
    "a work group that ends before the last arrivals": (RING, END, "    setp.eq.u32 %p7, %r6, 1;\n    @%p7 ret;\n" + END, "lost_peer"),
    "a tensor copy of another size than is expected": (ROWS, "_, [%r14], 2048;", "_, [%r14], 2064;", "arrivals"),
    "two threads that release a slot for one work group": (EACH, "%r30, %r3;", "%r30, %r6;", "arrivals"),
    "a quarter that one of four work groups does not have": (FOUR, "%rs1, 15;", "%rs1, 7;", "deadlock"),
}
# name: (kernel, what is replaced, by what, words of the reason)
UNKNOWN = {
    "two threads that release a slot, of which each work group knows one alone": (
        replace(EACH, "add.u32 %r16, %r20, %r15;", "add.u32 %r16, %r5, %r15;"), ".multicast::cluster " + COPY,
        " " + COPY.replace("1024", "2048").replace(", %rs1", ""), "no harm but by the text"),
    "two threads that release a slot which others of their warp may still read": (EACH, MEETS, "    setp.gt.u32 %p9", "apart"),
    "a mask for a work group that there is not": (RING, "%rs1, 3;", "%rs1, 7;", "the mask"),
    "a mask for nobody": (RING, "%rs1, 3;", "%rs1, 0;", "the mask"),
    "a load by an address of another work group": (
        RING, "ld.shared.v4.b32 {%r40, %r41, %r42, %r43}, [%r16];",
        "mapa.shared::cluster.u32 %r52, %r16, 1;\n    ld.shared.v4.b32 {%r40, %r41, %r42, %r43}, [%r52];", "another work group"),
    "a wait at an mbarrier of another work group": (
        RING, "$wait_full:", "    mapa.shared::cluster.u32 %r14, %r14, 1;\n$wait_full:", "another work group"),
    "an mbarrier beside another destination": (
        RING, "    mov.b16 %rs1, 3;", "    mov.b16 %rs1, 3;\n    mapa.shared::cluster.u32 %r14, %r14, 1;", "is not one of the work group"),
    "no fence behind mbarrier.init": (RING, FENCE, "", "no fence"),
    "a fence behind mbarrier.init that comes when others know of it": (replace(RING, FENCE, ""), BEGIN, BEGIN + FENCE, "no fence"),
    "an arrival at another work group that says it is at the own one": (
        RING, AT_OTHERS, replace(AT_OTHERS, "cta.shared::cluster.b64", "cta.shared::cta.b64"), "is not defined"),
    "an mbarrier that another work group initialises": (
        RING, "    mbarrier.init.shared::cta.b64 [%r4],", "    mapa.shared::cluster.u32 %r33, %r4, 1;\n    mbarrier.init.shared::cta.b64 [%r33],", "another work group"),
    "a thread that ends before it has waited": (RING, "    barrier.cluster.wait.acquire;\n", "", "is not defined"),
    "a fence in an earlier turn of a loop with a relaxed barrier": (
        RELAXED, BEGIN_RELAXED, "    mov.u32 %r59, 0;\n$begins:\n" + BEGIN_RELAXED + "    fence.acq_rel.gpu;\n    add.u32 %r59, %r59, 1;\n"
        "    setp.lt.u32 %p12, %r59, 2;\n    @%p12 bra $begins;\n", "what fences tell"),
    "fences before a relaxed barrier": (RELAXED, FENCE, FENCE + "    fence.acq_rel.cluster;\n", "what fences tell"),
    "more threads than are followed": (RING, ".maxntid 64", ".maxntid 544", "1024 threads"),
    "an mbarrier that is not initialised": (RING, AT_OTHERS, replace(replace(AT_OTHERS, "%r31, %r30", "%r31, %r4"), "[%r31]", "[%r31+40]"), "no mbarrier"),
}


def check_launches():
    """Grids are made of clusters, and each of them is judged."""
    for words, answer in ((("--grid", "6", "--argument", "2=5"), "no_fault"), (("--grid", "6"), "no_fault"),
                          (("--grid", "6", "--work-group", "3", "--argument", "2=5"), "no_fault")):
        expect(answer, RING, f"clusters: {words}", *words)
    unsaid = without_cluster(RING)
    report = expect("no_fault", unsaid, "a cluster that the launch states", "--cluster", "2")
    check(report.get("launch", {}).get("cluster") == [2, 1, 1], f"a cluster that the launch states: {report.get('launch')}")
    for words in (("--cluster", "4"), ("--cluster", "32"), ("--cluster", "2,8,2"), ("--cluster", "2", "--grid", "3")):
        status, said = audit(RING, *words)
        check(status == 2 and "E0819" in said, f"{words}: {said}")
    status, said = audit(unsaid, "--cluster", "0")
    check(status == 2, f"a cluster of none: {said}")
    status, said = audit(RING, "--grid", "5")
    check(status == 2 and "E0819" in said and "clusters" in said, f"a grid of parts of clusters: {said}")


# A ring of one work group, whose slots are released at the address of the cluster's first one.
FIRST = replace(SINGLE, "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n", """    add.u32 %r30, %r14, 16;
    mapa.shared::cluster.u32 %r31, %r30, 0;
    mbarrier.arrive.shared::cluster.b64 _, [%r31];
""")


# The same at the address of the own rank, which is right in any cluster.
OWN = replace(FIRST, "mapa.shared::cluster.u32 %r31, %r30, 0;", "mov.u32 %r29, %cluster_ctarank;\n    mapa.shared::cluster.u32 %r31, %r30, %r29;")


def without_cluster(text):
    return re.sub(r"\.explicitcluster\n\.reqnctapercluster [0-9, ]*\n", "", text)


def check_tried():
    """Where nobody states the cluster some are tried: what is certain in one and right in another is open, and what is wrong is certain if it is so in all."""
    for where, text, answer, words in (
            ("a cluster that nobody states", without_cluster(RING), "no_fault", "clusters of 2 x 1"),
            ("a barrier of a cluster that nobody states", replace(SINGLE, "bar.sync 0;", "barrier.cluster.arrive;\n    barrier.cluster.wait;"), "no_fault",
             "clusters of 1 x 1"),
            ("arrivals at the first work group, right in no cluster alone", FIRST, "unknown", "in clusters of 2 x 1, not in those of 1 x 1"),
            ("arrivals at the own rank of a cluster", OWN, "no_fault", "clusters of 1 x 1"),
            ("arrivals at the first work group, and too many", replace(FIRST, "[%r4+16], 1;", "[%r4+16], 2;"), "fault", "clusters of 1 x 1"),
            ("no barrier at the end of a cluster that nobody states", without_cluster(replace(RING, END, "")), "unknown", "state which the launch has (--cluster)"),
            ("a cluster of four, which is not tried", without_cluster(FOUR), "unknown", "--cluster")):
        report = expect(answer, text, where)
        check(words in str(report), f"{where}: {report}")
    report = expect("no_fault", FIRST, "a cluster of one that is stated", "--cluster", "1")
    check("neither the file" not in str(report), f"a cluster that is stated is not taken for given: {report}")
