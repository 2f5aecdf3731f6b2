#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit` on assembly: written by hand, and compiled here where clang-22 is installed.

    SWP=path/to/swp tests/audit/run.py [--all]

CLANG and LLVM_MC name a clang and an llvm-mc that know gfx950, if they are not clang-22 and llvm-mc-22.
--all takes every edit, not one of several.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from kernel import kernel

HERE = os.path.dirname(os.path.abspath(__file__))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(HERE, "..", "..", "build", "dev", "swp")))
CLANG = shutil.which(os.environ.get("CLANG", "clang-22"))
LLVM_MC = shutil.which(os.environ.get("LLVM_MC", "llvm-mc-22"))

failures = []
done = 0


def check(holds, what):
    global done
    done += 1
    if not holds:
        failures.append(what)
    return bool(holds)


def path_of(name):
    return os.path.join(HERE, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def audit(text, *options):
    """(exit status, report, or what stands on standard error) of an assembly text."""
    result = subprocess.run([SWP, "audit", "-", "--format", "json", *options], input=text,
                            capture_output=True, text=True, check=False)
    return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr


def expect(answer, text, where, *options):
    """The report, after checks that the answer is this one and the exit status fits."""
    status, report = audit(text, *options)
    if not check(isinstance(report, dict), f"{where}: {report}"):
        return {}
    wanted = 0 if answer in ("no_fault", "proven", "kept") else 1
    check(report["answer"] == answer and status == wanted,
          f"{where}: {report['answer']}, status {status}, wanted {answer}\n  "
          f"{report['findings']}\n  {report.get('hazards')}\n  {report.get('obstacles')}")
    return report


def compile_c(source, target, *options):
    """Assembly of a file, or of a text."""
    with tempfile.TemporaryDirectory() as scratch:
        path = source if source.endswith(".c") else os.path.join(scratch, "kernel.c")
        if path != source:
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
        result = subprocess.run([CLANG, "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-O2",
                                 "-S", "-nogpulib", "-Wall", "-Wextra", "-Werror", *options, path,
                                 "-o", "-"], capture_output=True, text=True, check=False)
    check(result.returncode == 0, f"{path} does not compile\n{result.stderr}")
    return result.stdout


def line_of(text, number):
    return text.splitlines()[number - 1].split(";")[0].strip()


# --- the compiler's own fault --------------------------------------------------------------------

def check_early_use(text, where):
    """The wait takes a load to LDS for an access that lgkmcnt counts."""
    found = expect("fault", text, where)["findings"]
    check(len(found) == 1 and found[0]["kind"] == "register_not_ready", f"{where}: {found}")
    if not found:
        return
    fault = found[0]
    for key, wanted in (("other", "ds_read_b32"), ("wait", "s_waitcnt lgkmcnt(1)")):
        check(line_of(text, fault[key]["line"]).startswith(wanted), f"{where}: {key}: {fault[key]}")
    register = re.match(r"ds_read_b32 (v\d+),", fault["other"]["text"])[1]
    check(fault["place"] == register, f"{where}: {fault['place']}, not {register}")
    check(re.search(rf"\b{register}\b", fault["at"]["text"]), f"{where}: {fault['at']}")
    check(fault["enough"].startswith("s_waitcnt lgkmcnt(0)"), f"{where}: {fault['enough']}")


def check_ready(text, where):
    expect("no_fault", text, where)
    check("buffer_load_dword" in text and " lds" in text, f"{where}: no load to LDS by buffer")


# --- edits ---------------------------------------------------------------------------------------

def edits_of(text):
    """(what, text) for each wait and barrier taken away, and each count let out by one."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        code = line.split(";")[0].strip()
        if not code.startswith(("s_waitcnt", "s_barrier")):
            continue
        yield f"line {i + 1} without {code}", "".join(lines[:i] + lines[i + 1:])
        for count in re.finditer(r"(vmcnt|lgkmcnt)\((\d+)\)", line):
            weaker = f"{count[1]}({int(count[2]) + 1})"
            edited = line[:count.start()] + weaker + line[count.end():]
            yield f"line {i + 1} {code} as {weaker}", "".join(lines[:i] + [edited] + lines[i + 1:])


def check_edits(text, where, least, every=1):
    """Of code without a wait to spare, no edit passes."""
    edits = list(edits_of(text))
    for what, edited in edits[::every]:
        expect("fault", edited, f"{where}: {what}")
    check(len(edits) >= least, f"{where}: only {len(edits)} edits")


def check_judges_agree(text, schedule, where, every):
    """
    What is known of each instruction, and page 2 on the schedule that the code carries out, come to
    the same: of waits and barriers neither misses what the other finds. A wave that waits for ever at
    the end is page 2's alone.
    """
    faults = 0
    for what, edited in list(edits_of(text))[::every]:
        alone, report = audit(edited)
        against, proof = audit(edited, "--schedule", schedule)
        deadlock = any(hazard["kind"] == "deadlock" for hazard in proof["hazards"])
        check((alone == 0) == (against == 0) or deadlock,
              f"{where}: {what}: {report['answer']}, but {proof['answer']}")
        faults += against != 0
    check(faults > 0, f"{where}: no edit is found")


def replace(text, old, new, count=1):
    if not check(old in text, f"there is no {old!r} to edit"):
        return text
    return text.replace(old, new, count)


# --- a loop with its schedule --------------------------------------------------------------------

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
    report = expect("unknown", edit("\tv_mfma", "\ts_sendmsg 1\n\tv_mfma"), "a stranger", *against)
    check(len(report["unknown_instructions"]) == 1, f"a stranger: {report}")
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


# --- a file that is cut short --------------------------------------------------------------------

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


# --- what ptxas keeps ----------------------------------------------------------------------------

def check_sass():
    text = read(path_of("two_stage.sass"))
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "schedule.json")
        schedule = json.loads(read(path_of("two_stage.json")))
        schedule["target"] = "sm_80"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(schedule, file)

        def against(answer, edited, where, kind=None):
            report = expect(answer, edited, where, "--schedule", path)
            kinds = {change["kind"] for change in report["changes"]}
            check(kinds == ({kind} if kind else set()), f"{where}: {report['changes']}")

        def without(line):
            return replace(text, next(x for x in text.splitlines(True) if line in x), "")

        lines = text.splitlines(keepends=True)

        def moved(first, opcode):
            """The line with `first` behind the next one with this opcode; addresses stay."""
            at = next(i for i, line in enumerate(lines) if first in line)
            to = next(i for i in range(at, len(lines)) if opcode in lines[i])
            swap = [re.sub(r"/\*\w+\*/", re.search(r"/\*\w+\*/", a)[0], b) for a, b in
                    zip(lines[at:to + 1], lines[at + 1:to + 1] + [lines[at]])]
            return "".join(lines[:at] + swap + lines[to + 1:])

        against("kept", text, "two_stage.sass")
        against("unknown", text.replace("0x2 ;", "0x3 ;"), "weaker waits", "rewaited")
        against("kept", text.replace("DEPBAR.LE SB0, 0x2", "DEPBAR.LE SB0, 0x1"), "stronger waits",
                "rewaited")
        against("unknown", without("/*0100*/"), "no barrier", "vanished")
        against("unknown", without("/*0170*/"), "no wait", "vanished")
        against("unknown", moved("/*00f0*/", "BAR.SYNC"), "a read after the barrier", "moved")
        against("kept", moved("/*0160*/", "BAR.SYNC"), "an MMA after the barrier", "moved")

        def unknown(edited, what):
            """Not kept, and something is said of it."""
            report = expect("unknown", edited, what, "--schedule", path)
            check(report.get("obstacles") or
                  any(change["kind"] != "added" for change in report.get("changes", [])),
                  f"{what}: nothing is said")

        def behind(first, line):
            return replace(text, first, f"        /*0001*/ {line} ;\n        {first}")

        # What only some threads do, or another barrier, or a wait for something else.
        for opcode in ("LDGSTS", "LDGDEPBAR", "DEPBAR", "BAR", "LDSM", "HMMA"):
            for line in [line for line in lines if f" {opcode}" in line]:
                unknown(replace(text, line, line.replace(f" {opcode}", f" @P4 {opcode}")), f"@P4 {line}")
        for line in [line for line in lines if "BAR.SYNC" in line]:
            for other in ("BAR.ARV 0x0", "BAR.SYNC 0x3", "BAR.SYNC 0x0, 0x40", "BAR.RED.POPC 0x0, P0",
                          "BAR.SYNC R7, R7"):
                edited = replace(text, line, line.replace("BAR.SYNC.DEFER_BLOCKING 0x0", other))
                unknown(edited, f"{other} for {line}")
        for wait in ("DEPBAR.LE SB1, 0x2", "DEPBAR {5,4}", "DEPBAR.LE SB0, 0x2, {1}"):
            unknown(text.replace("DEPBAR.LE SB0, 0x2", wait), wait)
        # Copies that are missing, alone or with their like, or stand before a barrier.
        for line in [line for line in lines if "LDGSTS" in line or "LDSM" in line or "HMMA" in line]:
            unknown(replace(text, line, line.replace(line.split("*/")[1], " NOP ;\n")), f"no {line}")
        for place in ("0110", "01c0"):
            at = next(i for i, line in enumerate(lines) if f"/*{place}*/" in line)
            unknown("".join([*lines[:at - 1], lines[at], lines[at - 1], *lines[at + 1:]]),
                    f"the copy at {place} before the barrier")
        unknown("".join(line for line in lines if "/*0160*/" not in line and "/*0210*/" not in line),
                "half the multiplications of the loop")
        unknown("".join(line for line in lines if "R24, R12" not in line or "/*02a" in line),
                "half the multiplications of all but one stage")
        # Strangers, calls, ends and stores in the middle.
        for place in ("/*0110*/", "/*0280*/"):
            for line in ("FOOBAR R1, R2", "UTMALDG.2D [UR8], [UR4]", "HMMA.16816.F32.FOO R20, R12, R16, R20",
                         "CALL.REL.NOINC 0x320", "@P0 EXIT", "STS.128 [R1], R4",
                         "ATOMS.ADD R1, [R2], R3", "ST.E [R2], R3"):
                unknown(behind(place, line), f"{line} before {place}")
        status, report = audit(behind("/*0110*/", "EXIT"), "--schedule", path)
        check(status == 2 and "E0814" in report, f"EXIT in the loop: {report}")
        against("kept", behind("/*0110*/", "LDS R1, [R2]"), "a read of something else")
        against("kept", behind("/*0110*/", "IADD3 R1, R2, R3, RZ"), "arithmetic")
        against("kept", behind("/*0020*/", "@P0 EXIT"), "ends before the schedule")
        # A second kernel without its loop.
        second = text[text.index("\t\tFunction"):].replace("two_stage", "again")
        against("kept", text + second, "two kernels")
        unknown(text + second.replace("@P0 BRA 0xe0", "NOP"), "a kernel without its loop")
        status, report = audit(text.replace("sm_80", "sm_70"), "--schedule", path)
        check(status == 2 and "E0812" in report, f"sm_70: {report}")
    status, report = audit(text)
    check(status == 2 and "E0817" in report, f"two_stage.sass without a schedule: {report}")


# --- compiled kernels ----------------------------------------------------------------------------

def move_read_after_load(text):
    """The loop's last LDS read before its first load to LDS, moved after that; and its new line."""
    lines = text.splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if "Loop Header" in line)
    load = next(i for i in range(start, len(lines)) if "global_load_lds" in lines[i])
    at = max(i for i in range(start, load) if "ds_read" in lines[i])
    return "".join(lines[:at] + lines[at + 1:load + 1] + [lines[at]] + lines[load + 1:]), load + 1


def check_double_buffer(every):
    text = compile_c(path_of("double_buffer.c"), "gfx950")
    report = expect("no_fault", text, "double_buffer.c")
    loops = [loop for loop in report["loops"] if loop["innermost"]]
    wanted = {"loads_to_lds": 4, "lds_reads": 8, "matrix": 8, "barriers": 4}
    check(len(loops) == 1 and all(loops[0][key] == value for key, value in wanted.items()),
          f"double_buffer.c: {loops}")
    check_edits(text, "double_buffer.c", 25, every)
    edited, moved = move_read_after_load(text)
    report = expect("fault", edited, "double_buffer.c: a read after the load")
    in_lds = [found for found in report["findings"]
              if found["kind"] in ("stale_read", "overwritten") and
              moved in (found["at"]["line"], found["other"]["line"])]
    check(in_lds, f"double_buffer.c: a read after the load: {report}")


GEOMETRY = ("--set", "geometry.block=256,256,64", "--set", "geometry.mma=16,16,32", "--set",
            "geometry.elem_bytes=2")


def check_builtins(every):
    """The built-ins' kernels, compiled: the code is as good as the schedule."""
    cases = (("pingpong", GEOMETRY, False, "proven"),
             ("fourwave", ("--set", "schedule.sync=derived"), True, "proven"),
             ("fourwave", ("--set", "schedule.sync=derived"), False, "fault"),
             ("fourwave", (), True, "fault"))
    for name, settings, buffer, answer in cases:
        result = subprocess.run([SWP, "compile", name, *settings, "--format", "json"],
                                capture_output=True, text=True, check=False)
        schedule = json.loads(result.stdout)
        text = compile_c(kernel(schedule, buffer, True), "gfx950")
        where = f"{name} {' '.join(settings)} by {'buffer' if buffer else 'global'} loads"
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "schedule.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(result.stdout)
            report = expect(answer, text, where, "--schedule", path)
            check(not report["obstacles"], f"{where}: {report['obstacles']}")
            if answer == "proven":
                check_judges_agree(text, path, where, every)
            elif settings:
                # clang counts loads to LDS on lgkmcnt, and waits for too little.
                kinds = {found["kind"] for found in report["findings"]}
                check(kinds == {"register_not_ready"} and not report["hazards"], f"{where}: {kinds}")
            else:
                # As published: what the proof says of the schedule, and nothing else.
                check(report["hazards"] and all(h["in_schedule"] for h in report["hazards"]),
                      f"{where}: {report['hazards']}")


# --- the table of instructions -------------------------------------------------------------------

def check_instructions():
    """Each row of instructions.s is an instruction of gfx950, and no stranger to the audit."""
    text = read(path_of("instructions.s"))
    table = read(os.path.join(HERE, "..", "..", "src", "audit", "amd_table.h"))
    names = re.findall(r"^\t([a-z]\w+)", text, re.MULTILINE)
    for row in re.findall(r'X\("(\w+)"', table):
        check(any(f"{name}_".startswith(f"{row}_") for name in names),
              f"instructions.s has no {row}")
    for target in ("gfx942", "gfx950"):
        check_target(text.replace("gfx950", target), target)
    if LLVM_MC:
        result = assemble(read(path_of("two_stage.s")), "gfx950")
        check(result.returncode == 0, f"two_stage.s: {result.stderr}")


def assemble(text, target):
    return subprocess.run([LLVM_MC, "--triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-o", os.devnull,
                           "-"], input=text, capture_output=True, text=True, check=False)


def check_target(text, target):
    """What the target lacks is unknown, and nothing else: the assembler refuses the same lines."""
    _, report = audit(text)
    strangers = {stranger["at"]["line"] for stranger in report["unknown_instructions"]}
    if target == "gfx950":
        known = [line for line in strangers if "_xf32 " not in line_of(text, line)]
        check(strangers and not known, f"instructions.s: unknown: {report['unknown_instructions']}")
    if LLVM_MC is None:
        return
    errors = re.findall(r"^<stdin>:(\d+):\d+: error", assemble(text, target).stderr, re.MULTILINE)
    check({int(line) for line in errors} == strangers,
          f"instructions.s for {target}: the assembler refuses {errors}, the audit {strangers}")


# --- what the audit must not pass over -----------------------------------------------------------

SNIPPET = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.type k,@function
k:
\ts_mov_b32 s20, 4
.Lloop:
{body}
\ts_waitcnt vmcnt(0) lgkmcnt(0)
\ts_add_i32 s20, s20, -1
\ts_cmp_lg_u32 s20, 0
\ts_cbranch_scc1 .Lloop
\ts_endpgm
\t.section .rodata,"a",@progbits
\t.long 5
\t.p2align 6, 0x0
\t.text
\t.p2alignl 6, 3212836864
\t.fill 256, 4, 3212836864
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .max_flat_workgroup_size: 64
    .name:           k
...
\t.end_amdgpu_metadata
"""

READ, USE, WAIT = "ds_read_b32 v1, v0", "v_mov_b32_e32 v2, v1", "s_waitcnt lgkmcnt(0)"

# What | lines | answer
SNIPPETS = (
    ("a read, waited for", (READ, WAIT, USE), "no_fault"),
    ("its wait left out", (READ, ".if 0", WAIT, ".endif", USE), "unknown"),
    ("its wait defined only", (READ, ".macro W", WAIT, ".endm", USE), "unknown"),
    ("its use repeated", (".rept 2", USE, READ, ".endr"), "unknown"),
    ("for each", (".irp r,1,2", READ, ".endr"), "unknown"),
    ("an include", ('.include "x"',), "unknown"),
    ("binary", ('.incbin "x"',), "unknown"),
    ("an instruction as a number", (READ, ".long 0x7e040301", WAIT), "unknown"),
    ("bytes", (".byte 1, 3, 4, 126",), "unknown"),
    ("filled", (".fill 1, 4, 0x7e040301",), "unknown"),
    ("skipped", (".skip 4",), "unknown"),
    ("moved on", (".org 0x100",), "unknown"),
    ("aligned by s_nop", (".p2align 4",), "no_fault"),
    ("aligned by an instruction", (".p2alignl 4, 0x7e040301",), "unknown"),
    ("debug information", (".loc 1 2 3", ".cfi_def_cfa_offset 16", ".Ltmp0:"), "no_fault"),
    ("data between", ('.section .rodata,"a",@progbits', ".long 1", ".text"), "no_fault"),
    ("code put elsewhere", (READ, '.section .text.cold,"ax",@progbits', WAIT, ".text", USE), "unknown"),
    ("a wait in data", (READ, ".data", WAIT, ".text", USE), "unknown"),
    ("a wait in a subsection", (READ, ".text 1", WAIT, ".text", USE), "unknown"),
    ("a wait in a comment after a quote", (READ, '.ident "\\"" /*', WAIT, "*/", USE), "fault"),
    ("a label glued on", (READ, f".Lx:{USE}"), "fault"),
    ("two labels glued on", (READ, f".Lx:.Ly :{USE}", WAIT), "fault"),
    ("a label in quotes", (READ, f'"x y":{USE}'), "fault"),
    ("a computed register", (READ, "v_mov_b32_e32 v2, v[2-1]"), "unknown"),
    ("a computed range", (READ, "v_mov_b64_e32 v[2:3], v[0:2-1]"), "unknown"),
    ("a register by name", (".set name, v1", READ, "v_mov_b32_e32 v2, name"), "unknown"),
    ("an offset by name", (".set at, 16", "ds_read_b32 v1, v0 offset:at"), "unknown"),
    ("a count in octal", (READ, "s_waitcnt lgkmcnt(010)"), "unknown"),
    ("vcc in a branch", ("s_load_dwordx2 vcc, s[0:1], 0x0", "s_cbranch_vccnz .Lq", ".Lq:"), "fault"),
    ("half of vcc in a branch", ("s_load_dword vcc_lo, s[0:1], 0x0", "s_cbranch_vccz .Lq", ".Lq:"),
     "fault"),
    ("vcc in a division", ("s_load_dwordx2 vcc, s[0:1], 0x0", "v_div_fmas_f32 v1, v2, v3, v4"), "fault"),
    ("half of vcc in a division", ("s_load_dword vcc_hi, s[0:1], 0x0",
                                   "v_div_fmas_f64 v[2:3], v[2:3], v[4:5], v[6:7]"), "fault"),
    ("vcc in a division, waited for", ("s_load_dwordx2 vcc, s[0:1], 0x0", WAIT,
                                       "v_div_fmas_f32 v1, v2, v3, v4"), "no_fault"),
    ("vcc in a choice", ("s_load_dwordx2 vcc, s[0:1], 0x0", "v_cndmask_b32_e32 v1, v2, v3, vcc"), "fault"),
    ("vcc in a choice, unnamed", ("s_load_dwordx2 vcc, s[0:1], 0x0", "v_cndmask_b32_e32 v1, v2, v3"),
     "unknown"),
    ("the base of scratch", ("s_load_dwordx2 flat_scratch, s[0:1], 0x0", "scratch_load_dword v1, off, s5"),
     "fault"),
    ("rounding", ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5",), "no_fault"),
    ("vector instructions skipped", ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1",), "unknown"),
    ("a jump to a register", (READ, "s_cbranch_scc0 .Lr", WAIT, USE, ".Lr:", "s_setpc_b64 s[4:5]"), "unknown"),
    ("a return", (READ, WAIT, USE, "s_cbranch_scc0 .Lr", "s_setpc_b64 s[30:31]", ".Lr:"), "no_fault"),
    ("a return from a kernel", (READ, WAIT, USE, "s_cbranch_scc0 .Lr", "s_setpc_b64 s[30:31]", ".Lr:",
                                ".amdhsa_kernel k", ".end_amdhsa_kernel"), "unknown"),
    ("loads that gfx942 lacks", ("s_mov_b32 m0, 0", "global_load_lds_dwordx4 v0, s[4:5]"), "unknown"),
)


def check_snippets():
    for what, lines, answer in SNIPPETS:
        body = "\n".join(line if line.endswith(":") else f"\t{line}" for line in lines)
        expect(answer, SNIPPET.format(body=body), what)


def main(words):
    check_early_use(read(path_of("early_use.s")), "early_use.s")
    check_ready(read(path_of("ready.s")), "ready.s")
    check_edits(read(path_of("ready.s")), "ready.s", 6)
    check_instructions()
    check_snippets()
    check_two_stage()
    check_counts()
    check_rolled()
    check_cut()
    check_sass()
    if CLANG:
        check_early_use(compile_c(path_of("early_use.c"), "gfx942"), "early_use.c")
        check_ready(compile_c(path_of("ready.c"), "gfx942"), "ready.c")
        check_double_buffer(1 if "--all" in words else 6)
        check_builtins(1 if "--all" in words else 50)
    else:
        print("audit: no clang-22: early_use.c, ready.c, double_buffer.c and the built-ins' kernels "
              "are not compiled")
    if not LLVM_MC:
        print("audit: no llvm-mc-22: instructions.s and two_stage.s are not assembled")
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"audit: {done} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
