#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit` on PTX: small kernels with one fault each, and what nvcc makes of headers that swp emits, with mutants.

    SWP=path/to/swp tests/audit/ptx/run.py [--written | --compiled] [--all]

--written takes the small kernels alone, --compiled what nvcc makes of headers, and launches. NVCC names an nvcc that knows sm_90a, if it is not the one of PATH or of /usr/local/cuda. --all takes every mutant, and kernels that take long.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import checks
from checks import audit, check, expect, replace
import apart
import arithmetic
import boxes
import clusters
import compiled_ptx
import contract
import cutlass_like
import feasible
import fences
import files
import findings
import forms
import handovers
import lanes
import launches
import loaded
import matrices
import meetings
import peers
import qualifiers
import snippets
import sizes
import spared
import spins
import steered
import tested


def reasons(report):
    unsure = [finding["detail"] for finding in report.get("findings", []) if not finding["certain"]]
    return " ".join([note["why"] for note in report.get("unknown_instructions", [])] + unsure)


def in_order(text, where):
    """Nothing wrong is seen; that longer runs are as those that were followed need not be shown."""
    status, report = audit(text)
    if check(isinstance(report, dict), f"{where}: {report}"):
        check(not report["findings"] and report["answer"] in ("no_fault", "unknown") and "nothing goes wrong" in reasons(report)
              or report["answer"] == "no_fault", f"{where}: {report['findings']} {reasons(report)}")


def fault(text, kind, where):
    report = expect("fault", text, where)
    kinds = {finding["kind"] for finding in report.get("findings", [])}
    check(kind is None or kind in kinds, f"{where}: {kinds}, wanted {kind}")


MODULES = (apart, snippets, steered, handovers, arithmetic, forms, boxes, feasible, loaded, clusters, meetings, matrices, fences, lanes, peers, spins, tested, cutlass_like)


def cases(what):
    return [case for module in MODULES for case in getattr(module, what, {}).items()]


# Kernels of a cluster that take ten seconds each, and say much the same as RING and EACH.
LONG = {"RELAXED": clusters.RELAXED, "WIDE": clusters.WIDE, "ROWS": clusters.ROWS, "FOUR": clusters.FOUR, "STORED": clusters.STORED}


def check_long():
    for name, text in LONG.items():
        expect("no_fault", text, name)


def check_snippets():
    for name, text in cases("KERNELS"):
        if name not in LONG:
            expect("no_fault", text, name)
    for name, (text, old, new) in snippets.HARMLESS.items():
        in_order(replace(text, old, new), name)
    for name, (text, old, new, kind) in cases("FAULTS"):
        fault(replace(text, old, new), kind, name)
    for name, (text, old, new, words) in cases("UNKNOWN"):
        report = expect("unknown", replace(text, old, new), name)
        check(words is None or words in reasons(report), f"{name}: {reasons(report)}")
    for name, (text, code, words) in snippets.REFUSED.items():
        status, said = audit(text)
        check(status == 2 and code in said and words in said, f"{name}: {said}")


def check_assumed():
    """A missing fence behind mbarrier.init is no fault, and told."""
    report = expect("no_fault", replace(snippets.RING, "fence.mbarrier_init.release.cluster;", ""), "no fence behind mbarrier.init")
    assumed = " ".join(note["why"] for note in report.get("assumptions", []))
    check("mbarrier is initialised" in assumed, f"no fence behind mbarrier.init: taken for given: {assumed}")


def check_zero():
    """A run of 0 passes that is not followed to its end is none that the answer is for."""
    other = replace(snippets.RING, "    mov.u32 %r4, bars;", "    mov.u32 %r4, bars;\n    setp.ne.u32 %p9, %r3, 0;\n    @%p9 bra $some;\n"
                    "    barrier.cluster.arrive;\n$some:")
    for text, first in ((snippets.RING, 0), (other, 1)):
        report = expect("no_fault", text, f"passes from {first}")
        assumed = " ".join(note["why"] for note in report.get("assumptions", []))
        check(f"n is from {first} to" in assumed, f"passes from {first}: taken for given: {assumed}")


def check_unsized():
    """A file that does not say how many threads a kernel has is judged with several numbers of them, and the report says so."""
    for text, sized in ((snippets.STORES, True), (replace(handovers.TWICE, ".maxntid 64, 1, 1", ""), False), (replace(handovers.TWICE, "64, 1, 1", "0"), False)):
        _, report = audit(text)
        assumed = " ".join(note["why"] for note in report["assumptions"]) if check(isinstance(report, dict), f"no size: {report}") else ""
        check(("and 1024 threads" in assumed) != sized, f"how many threads there are: taken for given: {assumed}")


def check_cut():
    """What ends before its last brace is never judged, and the error says where it ends."""
    for at in range(20, snippets.RING.rindex("}"), 61):
        status, said = audit(snippets.RING[:at])
        check(status == 2 and ("E0813]" in said or "E0811]" in said or "E0814]" in said or "E0812]" in said) and "hint:" in said,
              f"cut at {at}: {said}")


def check_written():
    findings.check_findings()
    files.check_files()
    check_snippets()
    check_assumed()
    check_zero()
    check_unsized()
    check_cut()
    clusters.check_launches()
    clusters.check_tried()
    cutlass_like.check_taken()
    boxes.check_all()
    fences.check_all_places()
    fences.check_rules()
    sizes.check_all()
    spared.check_all()
    lanes.check_flags()


def main(words):
    if "--compiled" not in words:
        check_written()
    if "--written" not in words:
        launches.check_all()
        if "--all" in words or os.environ.get("SWP_FULL"):
            check_long()
        compiled_ptx.check_compiled(bool("--all" in words or os.environ.get("SWP_FULL")))
        contract.check_contract()
        qualifiers.check_orders()
    for failure in checks.failures:
        print(f"FAIL {failure}")
    print(f"audit.ptx: {checks.done} checks, {len(checks.failures)} failed")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
