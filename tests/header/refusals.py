# SPDX-License-Identifier: Apache-2.0
"""Schedules and options that have no header, and edited ones that have an odd one."""

import json
import os

from checks import check, write
from schedules import DERIVED, emit, schedule_of, swp


def check_refusals(folder):
    def refused(status, code, *words):
        result = swp(*words)
        check(result.returncode == status and f"error[{code}]" in result.stderr and not result.stdout,
              f"swp {words}: {result.returncode}\n{result.stderr}")

    refused(1, "E0703", "emit", "fourwave", "--format", "c")
    verdict = json.loads(swp("verify", "fourwave", "--format", "json").stdout)
    unsafe = emit("fourwave", ["--allow-unsafe"])
    accepted = [f"--accept={h['kind']}:{h['phase']}:{h['entry']}" for h in verdict["hazards"]]
    known = emit("fourwave", accepted)
    check(len(accepted) > 0, "fourwave has no hazard")
    for hazard in verdict["hazards"]:
        line = f"{hazard['kind']} at {hazard['phase']} entry {hazard['entry']} ({hazard['name']})"
        check(line in unsafe and f"{line}, accepted" in known, f"the header does not name {line}")
    refused(1, "E0703", "emit", "fourwave", "--format", "c", *accepted[1:])
    check("Proven safe" in emit("fourwave", DERIVED) and "Proven safe" not in unsafe + known, "safety")
    for prefix in ("2fast", "SWP", "_X", "a-b", "é"):
        refused(2, "E0801", "emit", "pingpong", "--format", "c", "--prefix", prefix)
    for option in ("--prefix=X", "--allow-unsafe", "--accept=stale_read:kernel:0"):
        refused(2, "E0903", "emit", "pingpong", "--format", "dot", option)
    refused(2, "E0803", "emit", "pingpong", "--format", "c", "--set", "machine.lgkm_max=8")
    refused(2, "E0803", "emit", "pingpong", "--format", "c", "--target", "sm_80", "--set",
            "machine.vm_max=63")
    edited(folder, refused)


def edited(folder, refused):
    """Schedules that only an editor makes."""
    schedule = schedule_of("pingpong", [])
    json_file = os.path.join(folder, "edited.json")

    def edit(change):
        copy = json.loads(json.dumps(schedule))
        change(copy)
        write(folder, "edited.json", json.dumps(copy))

    def name_op(old, new):
        def change(copy):
            for phase in ("body", "prologue", "kernel", "epilogue"):
                for entry in copy[phase]:
                    entry["name"] = new if entry["name"] == old else entry["name"]
        return change

    def last(tag, key, value):
        def change(copy):
            [e for e in copy["kernel"] if e["tag"] == tag][-1][key] = value
        return change

    for change, code in ((name_op("MMA", "RUN"), "E0801"), (name_op("MMA", "load_a"), "E0801"),
                         (name_op("MMA", "LOAD_A_VM_COST"), "E0801"),
                         (last(131, "wait", 4), "E0802")):
        edit(change)
        refused(2, code, "emit", json_file, "--format", "c")
    refused(2, "E0909", "emit", json_file, "--format", "c", "--target", "mi355x")
    edit(last(129, "wait", 1000))
    text = emit(json_file, ["--allow-unsafe"])
    check("SWP_WAIT_VM(63)" in text and "SWP_WAIT_VM(1000)" not in text, "a wait above the counter")
    edit(name_op("MMA", "*/ #error \\ /* multiply"))
    text = emit(json_file, [])
    check("PINGPONG_____ERROR______MULTIPLY(ctx, 1, 1," in text, "an odd name")
    edit(lambda copy: copy.update(name="*/\n#error /*", target="*/ #error ??/"))
    text = emit(json_file, ["--prefix", "ODD"])
    check(text.count("*/") == text.count("/*") and "\n#error /*" not in text, "an odd comment")
    single = schedule_of("single_buffer", [])
    single["kernel"] = [e for e in single["kernel"] if e["role"] != "global_load"]
    write(folder, "edited.json", json.dumps(single))
    refused(2, "E0801", "emit", json_file, "--format", "c", "--allow-unsafe")
