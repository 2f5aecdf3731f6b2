# SPDX-License-Identifier: Apache-2.0
"""Threads 1 to 31 of a warp that hand each other what they have stored, and flags in global memory that tell of other work groups' data."""

from checks import check, expect, replace
from snippets import HEAD

# Each thread stores, and reads what another one of its warp has stored, again and again; thread 0 keeps to its own place.
SWAPPED = HEAD.format(threads=64) + """
    mov.u32 %r1, %tid.x;
    ld.param.u32 %r2, [n];
    mov.u32 %r3, tiles;
    shl.b32 %r4, %r1, 2;
    add.u32 %r5, %r3, %r4;
    and.b32 %r6, %r1, 31;
    setp.lt.u32 %p1, %r6, 2;
    xor.b32 %r7, %r4, 8;
    selp.b32 %r7, %r4, %r7, %p1;
    add.u32 %r7, %r3, %r7;
    mov.u32 %r10, 0;
$next:
    st.shared.b32 [%r5], %r10;
    BEHIND
    ld.shared.b32 %r11, [%r7];
    BEFORE
    add.u32 %r10, %r10, 1;
    setp.lt.u32 %p2, %r10, %r2;
    @%p2 bra $next;
    ret;
}
""".replace("xor.b32 %r7, %r4, 8;", "xor.b32 %r7, %r4, 4;\n    setp.lt.u32 %p1, %r6, 2;")
SYNC = "bar.warp.sync -1;"
HALVES = (SWAPPED.replace("shl.b32 %r4, %r1, 2;", "shl.b32 %r4, %r1, 1;").replace("xor.b32 %r7, %r4, 4;", "xor.b32 %r7, %r4, 2;")
          .replace("st.shared.b32 [%r5], %r10;", "cvt.u16.u32 %rs1, %r10;\n    st.shared.b16 [%r5], %rs1;").replace("ld.shared.b32 %r11", "ld.shared.b16 %rs2"))
IN_ORDER = SWAPPED.replace("BEHIND", SYNC).replace("BEFORE", SYNC)

# Thread 0 waits for a flag in global memory, and copies what it tells of.
FLAGGED = HEAD.format(threads=32) + """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd1, [out];
    mov.u32 %r3, bars;
    mov.u32 %r4, tiles;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra $wait;
    mbarrier.init.shared::cta.b64 [%r3], 1;
    fence.mbarrier_init.release.cluster;
$flag:
    ld.acquire.gpu.global.u32 %r5, [%rd1];
    setp.eq.u32 %p2, %r5, 0;
    @%p2 bra $flag;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1+16], 512, [%r3];
$wait:
    bar.warp.sync -1;
$full:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;
    @!%p3 bra $full;
    ret;
}
"""
COPY = "    mbarrier.arrive.expect_tx"

KERNELS = {
    "threads of a warp that meet": IN_ORDER,
    "threads that each keep to their place": SWAPPED.replace("[%r7]", "[%r5]").replace("BEHIND", "").replace("BEFORE", ""),
    "threads that each keep to their half of a word": HALVES.replace("[%r7]", "[%r5]").replace("BEHIND", "").replace("BEFORE", ""),
    "threads of a warp that meet between halves of words": HALVES.replace("BEHIND", SYNC).replace("BEFORE", SYNC),
    "threads of a warp that read what all have stored": SWAPPED.replace("BEHIND", "bar.sync 0;").replace("BEFORE", "bar.sync 0;"),
}
FAULTS = {
    "a read of what another thread of the warp stores": (IN_ORDER, f"    {SYNC}\n    ld.shared", "    ld.shared", "stale_read"),
    "a store over what another thread of the warp reads": (IN_ORDER, f"    {SYNC}\n    add.u32", "    add.u32", "overwritten"),
    "a read of the half of a word that another thread stores": (
        HALVES.replace("BEHIND", SYNC).replace("BEFORE", SYNC), f"    {SYNC}\n    ld.shared", "    ld.shared", "stale_read"),
    "a shuffle instead of a meeting in order": (IN_ORDER, f"    {SYNC}\n    ld.shared", "    shfl.sync.idx.b32 %r20, %r1, 0, 31, -1;\n    ld.shared", "stale_read"),
    "rows of a matrix that other threads of the warp have stored": (
        IN_ORDER, f"    {SYNC}\n    ld.shared.b32 %r11, [%r7];", "    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r11}, [%r3];", None),
}


def assumed(report):
    return " ".join(note["why"] for note in report.get("assumptions", []))


def check_flags():
    name = "--set audit.fence_globals=true"
    check(name in assumed(expect("no_fault", FLAGGED, "a flag")), "a flag and a copy without a fence: nothing is taken for given")
    report = expect("unknown", FLAGGED, "a flag needs a fence", "--set", "audit.fence_globals=true")
    check([finding["kind"] for finding in report.get("findings", [])] == ["unfenced"], f"a flag needs a fence: {report.get('findings')}")
    for fence in ("fence.proxy.async;", "fence.proxy.async.global;"):
        check(name not in assumed(expect("no_fault", replace(FLAGGED, COPY, f"    {fence}\n{COPY}"), fence)), f"a flag and a copy behind {fence}")
    check(name in assumed(expect("no_fault", replace(FLAGGED, COPY, f"    fence.proxy.async.shared::cta;\n{COPY}"), "shared")),
          "a fence for shared memory does not cover global memory")
    check(name not in assumed(expect("no_fault", replace(FLAGGED, "ld.acquire.gpu.global", "ld.global"), "a load that waits for nobody")),
          "a load that waits for nobody")
