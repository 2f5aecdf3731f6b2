# SPDX-License-Identifier: Apache-2.0
"""`swp audit --advice` of PTX: fences, barriers and waits of which there is one too many or too strong a one, and what advice must leave."""

import re

from checks import check, expect, replace
from snippets import COPIES, RING, STORES

READ, LAST = "bar.sync 0; // all have read", "cp.async.wait_all"
COPIED, WAIT, TWO = "cp.async.wait_group 1;", "cp.async.wait_group 1", "cp.async.wait_group 0"
FENCE, RELEASE = "fence.proxy.async.shared::cta", "mbarrier.arrive.shared::cta.b64 _, [%r14+16];"
STORE, LOAD, TELL = "st.global.u32 [%rd1], %r6;", "ld.global.u32 %r30, [%rd1];", "red.global.add.u32 [%rd1], 1;"

# What: the kernel, what is replaced, by what, what is advised: [(the instruction, what to write instead)]
CASES = {
    "a wait at the end of copies that nobody reads": (COPIES, "", "", [(LAST, "")]),
    "a wait twice": (COPIES, COPIED, f"{COPIED}\n    {COPIED}", [(WAIT, ""), (LAST, "")]),
    "a wait that leaves too few": (COPIES, COPIED, f"{TWO};", [(TWO, WAIT), (LAST, "")]),
    "a barrier twice": (COPIES, READ, "bar.sync 0;\n    bar.sync 0;", [("bar.sync 0", ""), (LAST, "")]),
    "a fence that nothing needs": (RING, "wgmma.fence.sync", f"{FENCE};\n    wgmma.fence.sync", [(FENCE, "")]),
    "a fence of wgmmas twice": (RING, "wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned;\n    wgmma.fence.sync.aligned;", [("wgmma.fence.sync.aligned", "")]),
    "a scope that is too wide": (RING, RELEASE, "mbarrier.arrive.release.cluster.shared::cta.b64 _, [%r14+16];",
                                 [("mbarrier.arrive.release.cluster.shared::cta.b64 _, [%r14+16]", "mbarrier.arrive.release.cta.shared::cta.b64 _, [%r14+16]")]),
    "a fence before a bulk store": (STORES, "", "", []),
    # What threads store in global memory others may read behind the barrier.
    "a barrier that orders global memory": (COPIES, READ, f"bar.sync 0;\n    {STORE}\n    bar.sync 1;\n    {LOAD}", [("bar.sync 0", ""), (LAST, "")]),
    "a barrier behind a wait for the grids before": (COPIES, READ, f"griddepcontrol.wait;\n    bar.sync 0;\n    {LOAD}\n    bar.sync 1;", [("bar.sync 1", ""), (LAST, "")]),
    "one of two barriers between accesses of global memory": (COPIES, READ, f"{STORE}\n    bar.sync 0;\n    bar.sync 0;\n    {LOAD}",
                                                              [("bar.sync 0", ""), (LAST, "")]),
    "a barrier in a kernel that tells others by memory": (COPIES, READ, f"bar.sync 0;\n    bar.sync 0;\n    {TELL}", [(LAST, "")]),
    "a fence of all memory behind a store": (RING, "wgmma.fence.sync", "fence.proxy.async;\n    wgmma.fence.sync", []),
}


def apply(text, advice):
    lines = text.splitlines()
    for one in advice:
        lines[one["at"]["line"] - 1] = re.sub(re.escape(one["at"]["text"]) + ";", one["enough"] + ";" * (one["enough"] != ""), lines[one["at"]["line"] - 1])
    return "\n".join(lines)


def check_all():
    for what, (text, old, new, wanted) in CASES.items():
        text = replace(text, old, new) if old else text
        report = expect("no_fault", text, what, "--advice")
        advice = report.get("advice", [])
        found = [(one["at"]["text"], one["enough"]) for one in advice]
        check(found == wanted, f"{what}: {found}, wanted {wanted}")
        expect("no_fault", apply(text, advice), f"{what}, as advised")
    report = expect("no_fault", replace(COPIES, READ, f"{READ}\n    {STORE}"), "copies of what is written", "--advice")
    check(any("no global memory which these copies may still read" in note["why"] for note in report["assumptions"]), f"copies of what is written: {report['assumptions']}")
    report = expect("fault", replace(COPIES, COPIED, ""), "a fault", "--advice")
    check(report.get("advice") == [], f"a fault: {report.get('advice')}")
