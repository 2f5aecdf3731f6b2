# SPDX-License-Identifier: Apache-2.0
"""What ptxas keeps of a schedule."""

import json
import os
import re
import tempfile

from checks import audit, check, expect, path_of, read, replace


def write_schedule(folder, **machine):
    """two_stage.json for sm_80."""
    path = os.path.join(folder, "schedule.json")
    schedule = json.loads(read(path_of("two_stage.json")))
    schedule["target"] = "sm_80"
    schedule["machine"].update(machine)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(schedule, file)
    return path


def check_sass():
    text = read(path_of("two_stage.sass"))
    with tempfile.TemporaryDirectory() as scratch:
        path = write_schedule(scratch)
        check_apart(text, path)
        check_lag(text, scratch)
        path = write_schedule(scratch)

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
    status, report = audit(text[:text.index("/*0030*/")])
    check(status == 2 and "E0813" in report and "no EXIT follows" in report, f"two_stage.sass cut short: {report}")
    status, report = audit(text)
    check(status == 2 and "E0817" in report, f"two_stage.sass without a schedule: {report}")


def without(text, line):
    """The same with a NOP in its place."""
    return replace(text, line, f"{line[:line.index('*/') + 2]} NOP ;")


def said(text, path, where, answer="unknown"):
    report = expect(answer, text, where, "--schedule", path)
    return "\n".join([c["detail"] for c in report.get("changes", []) if c["weakens"]] +
                     [o["why"] for o in report.get("obstacles", [])])


MEETING = """\
        /*0500*/          MOV R9, R8 ;
        /*0510*/          WARPSYNC 0xffffffff ;
        /*0520*/          BAR.SYNC 0x0 ;
        /*0530*/          RET.REL.NODEC R8 0x0 ;
"""


def with_copy(text, apart):
    """The loop's body once more, for warps whose threads are not together, as ptxas has it."""
    body = text[text.index("        /*00e0*/"):text.index("        /*0240*/")]
    copy = re.sub(r"BAR\.SYNC\S* 0x0", "CALL.REL.NOINC 0x500", body).replace("/*0", "/*1")
    copy = f"        /*10d0*/          BRA.CONV ~URZ, 0xe0 ;\n{apart}{copy}        /*1300*/          BRA 0x240 ;\n"
    return replace(replace(text, body, copy + body), "@P0 BRA 0xe0", "@P0 BRA 0x10d0") + MEETING


def check_apart(text, path):
    """What stands behind a BRA.CONV is compared like what it leads to."""
    both = with_copy(text, "")
    said(both, path, "a copy of the loop", "kept")
    said(both.replace("CALL.REL.NOINC 0x500", "CALL.REL.NOINC `(.L_meet)")
         .replace("        /*0500*/", ".L_meet:\n        /*0500*/"), path, "a copy that calls labels", "kept")
    for line in [line for line in both.splitlines() if re.search(r"/\*1[0-2]\w\w\*/", line)]:
        if "BRA" not in line:
            what = said(without(both, line), path, f"a copy without {line}")
            check("BRA.CONV (line " in what or "group" in what, f"a copy without {line}: {what}")
    weaker = both.replace("DEPBAR.LE SB0, 0x2", "DEPBAR.LE SB0, 0x3", 2)
    said(weaker.replace("/*00a0*/          DEPBAR.LE SB0, 0x3", "/*00a0*/          DEPBAR.LE SB0, 0x2"), path,
         "a copy with a weaker wait")
    for what, old, new in (("another barrier", "/*0520*/          BAR.SYNC 0x0", "/*0520*/  BAR.SYNC 0x1"),
                           ("no barrier", "/*0520*/          BAR.SYNC 0x0", "/*0520*/  NOP"),
                           ("two barriers", "/*0510*/          WARPSYNC 0xffffffff", "/*0510*/  BAR.SYNC 0x0"),
                           ("a store", "/*0500*/          MOV R9, R8", "/*0500*/  STS [R1], R8"),
                           ("a read", "/*0500*/          MOV R9, R8", "/*0500*/  LDSM.16.M88.4 R12, [R9]"),
                           ("a branch", "/*0500*/          MOV R9, R8", "/*0500*/  @P0 BRA 0x530"),
                           ("a return on a condition", "RET.REL.NODEC R8 0x0 ;",
                            "@P0 RET.REL.NODEC R8 0x0 ;\n        /*0540*/  EXIT ;"),
                           ("an end", "RET.REL.NODEC R8 0x0", "EXIT"),
                           ("nothing there", "CALL.REL.NOINC 0x500", "CALL.REL.NOINC 0x600")):
        said(replace(both, old, new, -1), path, f"calls of {what}")
    unknown = with_copy(text, "        /*10e8*/          FOOBAR R1 ;\n")
    check("no row" in said(unknown, path, "an unknown one in the copy"), "an unknown one in the copy")
    store = with_copy(text, "        /*10e8*/          STS [R1], R2 ;\n")
    check("stores" in said(store, path, "a store in the copy"), "a store in the copy")
    said(both.replace("BRA.CONV ~URZ, 0xe0", "@P0 BRA.CONV ~URZ, 0xe0"), path, "a copy on a condition")
    many = "".join(f"        /*{at:04x}*/          BRA.CONV ~URZ, 0x{at + 1:x} ;\n" for at in range(0x2000, 0x2050))
    many = replace(both, "        /*0020*/", f"{many}        /*2050*/          NOP ;\n        /*0020*/")
    check("more than are followed" in said(many, path, "80 BRA.CONV"), "80 BRA.CONV")
    # Nothing leads to the copy, which is work all the same.
    check("no path" in said(both.replace("BRA.CONV ~URZ, 0xe0", "BRA 0xe0"), path, "a copy passed by"), "passed by")


def check_lag(text, folder):
    """The barriers that one group executes alone are there, where the schedule has them."""
    def alone(text, before, address):
        """A barrier on a condition before a line."""
        at = text.index(f"        /*{before}*/")
        return (f"{text[:at]}        /*{address:04x}*/     @P1 BRA 0x{address + 8:x} ;\n"
                f"        /*{address + 4:04x}*/          BAR.SYNC 0x0 ;\n"
                f"        /*{address + 8:04x}*/          NOP ;\n{text[at:]}")

    first, last = alone(text, "0020", 0x800), alone(text, "0310", 0x900)
    both = alone(first, "0310", 0x900)
    path = write_schedule(folder, groups=2, lag=1, lag_prologue_index=0, lag_end_barrier=True)
    said(both, path, "a lag", "kept")
    for what, code in (("no lag", text), ("a lag that ends nowhere", first), ("a lag that begins nowhere", last),
                       ("another barrier", both.replace("/*0804*/          BAR.SYNC 0x0", "/*0804*/ BAR.SYNC 0x1")),
                       ("a lag behind a group", alone(alone(text, "0040", 0x800), "0310", 0x900))):
        check("alone" in said(code, path, what), what)
    path = write_schedule(folder, groups=2, lag=1, lag_prologue_index=0, lag_end_barrier=False)
    said(first, path, "a lag without an end", "kept")
    said(both, path, "a lag with an end too many")
