# SPDX-License-Identifier: Apache-2.0
"""What ptxas keeps of a schedule."""

import json
import os
import re
import tempfile

from checks import audit, check, expect, path_of, read, replace


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
