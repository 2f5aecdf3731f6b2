# SPDX-License-Identifier: Apache-2.0
"""A loop by hand against its schedule: each edit is found, or is known to be harmless."""

import json
import os
import subprocess
import tempfile

from checks import SWP, audit, check, expect, path_of, read, replace
from edits import check_edits, edits_of


def check_two_stage():
    text, schedule = read(path_of("two_stage.s")), path_of("two_stage.json")
    against = ("--schedule", schedule)
    loop = text.index(".Lloop:")
    before, after = text[:loop], text[loop:]

    def edit(old, new, count=1):
        return before + replace(after, old, new, count)

    def changes(report, kind):
        return [change for change in report.get("changes", []) if change["kind"] == kind]

    expect("no_fault", text, "two_stage.s")
    report = expect("proven", text, "two_stage.s", *against)
    check([change["kind"] for change in report["changes"]] == ["added"], f"{report['changes']}")
    check(report["cycles"]["code"] == report["cycles"]["schedule"], f"{report['cycles']}")
    check_edits(text, "two_stage.s", 18)
    for what, edited in edits_of(text):
        status, report = audit(edited, *against)
        check(status == 1, f"two_stage.s: {what} passes against its schedule: {report}")

    # A read of a place after the load that replaces it, with its wait: only the order is wrong.
    late = edit("\tds_read_b128 v[16:19], v6 offset:4096\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n",
                "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n")
    late = late[:loop] + replace(late[loop:], "\tv_mfma", "\tds_read_b128 v[16:19], v6 offset:4096\n"
                                 "\ts_waitcnt lgkmcnt(0)\n\tv_mfma")
    report = expect("fault", late, "a read moved across a load", *against)
    check(changes(report, "moved") and report["hazards"], f"a read moved across a load: {report}")
    # Two loads in the other order: moved, and no worse.
    swapped = edit("\ts_mov_b32 m0, s9\n\ts_nop 0\n\tglobal_load_lds_dwordx4 v1, s[4:5]\n"
                   "\ts_add_i32 m0, s9, 0x1000\n\ts_nop 0\n\tglobal_load_lds_dwordx4 v1, s[6:7]\n",
                   "\ts_add_i32 m0, s9, 0x1000\n\ts_nop 0\n\tglobal_load_lds_dwordx4 v1, s[6:7]\n"
                   "\ts_mov_b32 m0, s9\n\ts_nop 0\n\tglobal_load_lds_dwordx4 v1, s[4:5]\n")
    report = expect("proven", swapped, "two loads swapped", *against)
    check(len(changes(report, "moved")) == 1, f"two loads swapped: {report['changes']}")
    # A wait that the compiler might put in, and one that it made stronger.
    report = expect("proven", edit("\tv_mfma", "\ts_waitcnt vmcnt(0)\n\tv_mfma"), "a wait added",
                    *against)
    added = [change for change in changes(report, "added") if change["phase"] == "kernel"]
    check(len(added) == 1 and added[0]["cycles"] is not None, f"a wait added: {added}")
    report = expect("proven", edit("vmcnt(2)", "vmcnt(1)"), "a stronger wait", *against)
    check(len(changes(report, "rewaited")) == 1, f"a stronger wait: {report['changes']}")
    # Products of what the schedule does not multiply, and sums that go astray.
    for what, old, new in (
            ("another fragment", "v[12:15], v[16:19], v[8:11]", "v[12:15], v[24:27], v[8:11]"),
            ("one fragment twice", "v[12:15], v[16:19], v[8:11]", "v[12:15], v[12:15], v[8:11]"),
            ("a sum from nowhere", "v[20:23], v[24:27], v[8:11]", "v[20:23], v[24:27], 0"),
            ("a sum to elsewhere", "v[8:11], v[20:23]", "v[12:15], v[20:23]")):
        report = expect("unknown", edit(old, new), what, *against)
        check(report.get("obstacles"), f"{what}: {report}")
    # Lanes, rows, factors and sums that are not the schedule's.
    mfma = "v_mfma_f32_16x16x32_bf16 v[8:11], v[12:15], v[16:19], v[8:11]"
    for what, old, new in (
            ("reads by some lanes", "\tds_read_b128", "\ts_mov_b64 exec, 0xff\n\tds_read_b128"),
            ("reads by lanes that cannot be told", "\tds_read_b128",
             "\ts_mov_b64 exec, s[2:3]\n\tds_read_b128"),
            ("loads by some lanes", "\tglobal_load_lds", "\ts_mov_b32 exec_hi, 0\n\tglobal_load_lds"),
            ("a factor altered", "\tv_mfma", "\tv_xor_b32_e32 v12, v13, v12\n\tv_mfma"),
            ("a factor added to", "\tv_mfma", "\tv_add_u32_e32 v12, 1, v12\n\tv_mfma"),
            ("lanes of a factor moved", "\tv_mfma",
             "\tv_mov_b32_dpp v12, v12 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n\tv_mfma"),
            ("a register of a factor twice", "\tv_mfma", "\tv_mov_b32_e32 v13, v12\n\tv_mfma"),
            ("factors exchanged in one", mfma, mfma.replace("v[12:15], v[16:19]", "v[16:19], v[12:15]")),
            ("a factor negated", mfma, mfma + " neg:[1,0,0]"),
            ("a sum's register altered", "\tv_mfma", "\tv_add_f32_e32 v8, 1.0, v8\n\tv_mfma")):
        report = expect("unknown", edit(old, new), what, *against)
        check(report.get("obstacles"), f"{what}: {report}")
    for what, old, new in (("half of the rows", "v_and_b32_e32 v3, 15", "v_and_b32_e32 v3, 7"),
                           ("a sum that begins with 5", "v_mov_b32_e32 v8, 0", "v_mov_b32_e32 v8, 5"),
                           ("a sum that begins with anything", "\tv_mov_b32_e32 v8, 0\n", "")):
        report = expect("unknown", replace(text, old, new), what, *against)
        check(report.get("obstacles"), f"{what}: {report}")
    copied = mfma.replace("v[12:15]", "v[28:31]")
    for answer, moves in (("proven", (12, 13, 14, 15)), ("unknown", (13, 12, 14, 15))):
        moves = "".join(f"\tv_mov_b32_e32 v{28 + i}, v{at}\n" for i, at in enumerate(moves))
        expect(answer, edit(f"\t{mfma}", f"{moves}\t{copied}"), f"a factor copied by{moves}", *against)
    whole = edit(mfma, mfma.replace("v[12:15], v[16:19]", "v[16:19], v[12:15]"), -1)
    turned = whole.replace("v[20:23], v[24:27]", "v[24:27], v[20:23]")
    expect("proven", turned, "factors exchanged everywhere", *against)
    # Addresses from an argument: what the code does is compared, and cannot be proven.
    argument = replace(text, "\tv_add3_u32 v5, s10, v3, v4", "\tv_add3_u32 v5, s3, v3, v4")
    report = expect("unknown", argument, "an address from an argument", *against)
    check(not report["hazards"] and len(report["obstacles"]) == 1, f"an argument: {report}")
    # A place that no entry reads or loads.
    expect("unknown", edit("offset:8192", "offset:0x5000"), "a read elsewhere", *against)
    report = expect("unknown", edit("\tv_mfma", "\ts_sendmsg 1\n\tv_mfma"), "an unknown instruction", *against)
    check(len(report["unknown_instructions"]) == 1, f"an unknown instruction: {report}")
    # Part of the loop on a condition, and code past the loop.
    expect("unknown", edit("\tds_read_b128 v[20:23]", "\ts_cbranch_scc0 .Lskip\n\tds_read_b128 v[20:23]")
           .replace("\tds_read_b128 v[24:27]", ".Lskip:\n\tds_read_b128 v[24:27]", 1),
           "a read on a condition", *against)


def check_counts():
    """Accesses that the schedule counts otherwise."""
    text = read(path_of("two_stage.s"))
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "schedule.json")

        def recount(role, key, count):
            schedule = json.loads(read(path_of("two_stage.json")))
            for phase in ("prologue", "kernel", "epilogue"):
                for entry in schedule[phase]:
                    if entry["role"] == role:
                        entry[key] = count
            with open(path, "w", encoding="utf-8") as file:
                json.dump(schedule, file)

        recount("global_load", "vm_cost", 2)
        report = expect("proven", text, "loads counted twice", "--schedule", path)
        kinds = [change["kind"] for change in report["changes"]]
        check(kinds.count("recounted") == 8, f"loads counted twice: {kinds}")
        recount("fragment_load", "lgkm_cost", 2)
        merged = text.replace("ds_read_b128 v[12:15], v5\n", "ds_read2_b64 v[12:15], v5 offset1:1\n")
        report = expect("proven", merged, "reads in pairs", "--schedule", path)
        kinds = [change["kind"] for change in report["changes"]]
        check("merged" in kinds and "recounted" in kinds, f"reads in pairs: {kinds}")


ROLLED = """.Lloop:
\ts_add_u32 s4, s4, 0x1000
\ts_addc_u32 s5, s5, 0
\ts_add_u32 s6, s6, 0x1000
\ts_addc_u32 s7, s7, 0
\tv_add_u32_e32 v20, s11, v5
\tv_add_u32_e32 v21, s11, v6
\tds_read_b128 v[12:15], v20
\tds_read_b128 v[16:19], v21 offset:4096
\ts_waitcnt lgkmcnt(0)
\ts_barrier
\ts_add_i32 s12, s9, s11
\ts_mov_b32 m0, s12
\ts_nop 0
\tglobal_load_lds_dwordx4 v2, s[4:5]
\ts_add_i32 m0, s12, 0x1000
\ts_nop 0
\tglobal_load_lds_dwordx4 v2, s[6:7]
\tv_mfma_f32_16x16x32_bf16 v[8:11], v[12:15], v[16:19], v[8:11]
\ts_waitcnt vmcnt(2)
\ts_barrier
\ts_xor_b32 s11, s11, 0x2000
\ts_sub_i32 s2, s2, 1
\ts_cmp_gt_u32 s2, 2
\ts_cbranch_scc1 .Lloop
"""


def check_rolled():
    """Two turns of the loop are a pass of the schedule."""
    text = read(path_of("two_stage.s"))
    loop, end = text.index(".Lloop:"), text.index(".Lepilogue:")
    rolled = text[:loop] + "\ts_mov_b32 s11, 0\n" + ROLLED + text[end:]
    expect("proven", rolled, "the loop rolled", "--schedule", path_of("two_stage.json"))
    # Without the schedule nobody knows that the number of tiles is even.
    expect("unknown", rolled, "the loop rolled, without a schedule")
    for count in ("vmcnt(2)", "lgkmcnt(0)"):
        edited = rolled[:loop] + replace(rolled[loop:], f"\ts_waitcnt {count}\n", "")
        expect("fault", edited, f"the loop rolled, without {count}", "--schedule",
               path_of("two_stage.json"))


def check_cut():
    """No part of a kernel's file has an answer of its own: it is refused, unknown, or warned of."""
    text = read(path_of("two_stage.s"))
    end, size = text.index("s_endpgm\n"), text.index("    .max_flat_workgroup_size")
    name = text.index("    .name:")
    whole = text.index("\n", text.index("amdhsa.version:")) + 1
    for at in range(end, len(text) - 1):
        if text[at - 1] != "\n" or whole <= at:
            continue
        status, report = audit(text[:at])
        if isinstance(report, str):
            check(status == 2 and "E0813" in report and "cut short" in report, f"cut at {at}: {report}")
        else:
            fine = report["answer"] == "unknown" and report["unknown_instructions"]
            check(fine or at <= text.index("\t.amdhsa_kernel"), f"cut at {at}: {report['answer']}")
    check(end < size < name, "two_stage.s: its metadata stand in another order")
    metadata = text.index("\t.amdgpu_metadata")
    for what, cut, answer in (("no metadata", text[:metadata], "unknown"),
                              ("no size", replace(text, ".max_flat_workgroup_size", ".other"), "unknown")):
        report = expect(answer, cut, what)
        check("threads" in str(report["unknown_instructions"]), f"{what}: {report}")
    bare = text[:text.index("\t.section")]
    result = subprocess.run([SWP, "audit", "-"], input=bare, capture_output=True, text=True, check=False)
    check("W0813" in result.stderr and "1024" in result.stderr, f"code alone: {result.stderr}")
    # The schedule says how many waves there are, so that code alone is proven like the whole file.
    against = ("--schedule", path_of("two_stage.json"))
    expect("proven", bare, "code alone against its schedule", *against)
    weaker = replace(bare, "vmcnt(2)", "vmcnt(3)")
    expect("fault", weaker, "code alone against its schedule, with a weaker wait", *against)
