# SPDX-License-Identifier: Apache-2.0
"""Proxy fences in PTX: between what ordinary instructions touch and asynchronous operations, and in which thread they stand."""

from checks import audit, check, expect, replace
from snippets import HEAD

# Thread 0 copies a tile, all read it, again and again.
READ = HEAD.format(threads=128) + """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r2, [n];
    mov.u32 %r3, bars;
    mov.u32 %r4, tiles;
    setp.ne.u32 %p1, %r1, 0;
    shl.b32 %r5, %r1, 2;
    add.u32 %r5, %r4, %r5;
    @!%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
    @!%p1 fence.mbarrier_init.release.cluster;
    bar.sync 0;
    mov.u32 %r10, 0;
$next:
    setp.ge.u32 %p2, %r10, %r2;
    @%p2 bra $end;
    @%p1 bra $wait;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 512, [%r3];
$wait:
    and.b32 %r11, %r10, 1;
$full:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], %r11;
    @!%p3 bra $full;
    ld.shared.b32 %r12, [%r5];
    fence.proxy.async.shared::cta;
    bar.sync 0;
    add.u32 %r10, %r10, 1;
    bra $next;
$end:
    ret;
}
"""
FENCE = "    fence.proxy.async.shared::cta;\n    bar.sync 0;\n"

# All store a tile, and thread 0 hands it on.
STORED = HEAD.format(threads=128) + """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [out];
    mov.u32 %r4, tiles;
    setp.ne.u32 %p1, %r1, 0;
    shl.b32 %r5, %r1, 2;
    add.u32 %r5, %r4, %r5;
    st.shared.b32 [%r5], %r1;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @%p1 bra $end;
    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 512;
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
$end:
    ret;
}
"""
BEHIND = "    bar.sync 0;\n    fence.proxy.async.shared::cta;\n"

KERNELS = {"reads with a fence before the next copy": READ, "stores with a fence before they are handed on": STORED}
FAULTS = {
    "reads without a fence before the next copy": (READ, FENCE, "    bar.sync 0;\n", "unfenced"),
    "stores without a fence before they are handed on": (STORED, FENCE, "    bar.sync 0;\n", "unfenced"),
    "a fence of who hands nothing on": (STORED, FENCE, "    bar.sync 0;\n    @%p1 fence.proxy.async.shared::cta;\n", "unfenced"),
    "a fence before the stores": (STORED, "    st.shared.b32 [%r5], %r1;\n    fence.proxy.async.shared::cta;\n",
                                  "    fence.proxy.async.shared::cta;\n    st.shared.b32 [%r5], %r1;\n", "unfenced"),
}
UNKNOWN = {
    "a fence behind the barrier, in the thread that hands on": (STORED, FENCE, BEHIND, "before it tells of that"),
    "a fence of one thread for the reads of all": (READ, FENCE, "    bar.sync 0;\n    fence.proxy.async.shared::cta;\n", "before it tells of that"),
}


TWO_TILES = replace(STORED, """    st.shared.b32 [%r5], %r1;
    fence.proxy.async.shared::cta;
    bar.sync 0;
""", """    st.shared.b32 [%r5], %r1;
    st.shared.b32 [%r5+512], %r1;
    bar.sync 0;
    st.shared.u32 [%r5+1024], %r1;
    bar.sync 0;
    fence.proxy.async.shared::cta;
""").replace("[%r4], 512;", "[%r4], 1536;")


def check_all_places():
    """Each fence that is missing, or stands elsewhere, is told: one for all that is accessed before the same barrier."""
    report = expect("unknown", TWO_TILES, "two tiles that are fenced elsewhere")
    told = [(finding["kind"], len(finding["also"])) for finding in report["findings"]]
    check(told == [("fence_place", 1), ("fence_place", 0)], f"two tiles that are fenced elsewhere: {told}")
    check(report["findings"][0]["hint"].startswith("behind line 20, before the barrier or the arrival that tells of it: fence.proxy.async"),
          f"what is to be inserted where: {report['findings'][0]}")
    check(all("line 27 by warp 0 (lane 0)" in finding["detail"] for finding in report["findings"]), f"who copies: {report['findings']}")
    report = expect("fault", replace(TWO_TILES, "    fence.proxy.async.shared::cta;\n", ""), "two tiles without a fence")
    told = [(finding["kind"], len(finding["also"])) for finding in report["findings"]]
    check(told == [("unfenced", 1), ("unfenced", 0)], f"two tiles without a fence: {told}")


def assumed(report):
    return " ".join(note["why"] for note in report.get("assumptions", []))


def check_rules():
    """A rule that the manual leaves open is named where the answer rests on it, with what changes it; a setting that does nothing is refused."""
    unfenced = replace(READ, FENCE, "    bar.sync 0;\n")
    behind = replace(STORED, FENCE, BEHIND)
    report = expect("no_fault", unfenced, "reads need no fence", "--set", "machine.fence_reads=false")
    check("--set machine.fence_reads=true" in assumed(report), f"reads need no fence: {assumed(report)}")
    report = expect("no_fault", behind, "a fence counts anywhere", "--set", "audit.fence_anywhere=true")
    check("--set audit.fence_anywhere=false" in assumed(report), f"a fence counts anywhere: {assumed(report)}")
    report = expect("unknown", behind, "a fence behind the barrier")
    check([finding["kind"] for finding in report["findings"]] == ["fence_place"], f"a fence behind the barrier: {report['findings']}")
    report = expect("no_fault", STORED, "nothing is taken for given")
    check("--set" not in assumed(report), f"nothing is taken for given: {assumed(report)}")
    without = replace(READ, "    @!%p1 fence.mbarrier_init.release.cluster;\n", "")
    check("--set audit.fence_inits=true" in assumed(expect("no_fault", without, "no fence behind mbarrier.init")), "no fence behind mbarrier.init")
    expect("fault", without, "copies need a fence behind mbarrier.init", "--set", "audit.fence_inits=true")
    for setting in ("machine.lag=1", "machine.fence_reads=1", "audit.fence=true"):
        status, said = audit(STORED, "--set", setting)
        check(status == 2 and "machine.fence_reads" in said, f"{setting}: {said}")
