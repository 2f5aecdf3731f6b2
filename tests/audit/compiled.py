# SPDX-License-Identifier: Apache-2.0
"""Kernels that clang-22 compiles: as good as their schedules, and every fault put in by hand is found."""

import json
import os
import subprocess
import tempfile

from checks import SWP, check, compile_c, expect, path_of
from edits import check_edits, check_judges_agree
from kernel import kernel


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
