#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: any_role.py SWP: attention whose ops are left to any role is as fast as with the roles of its author, with its waits, too."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = Path(__file__).resolve().parent.parent.parent / "kernels"


def compiled(text, *settings):
    """Its pipeline, with an accepted certificate, and the synchronised cycles of an iteration."""
    with tempfile.TemporaryDirectory() as folder:
        loop, found, proof = (Path(folder) / name for name in ("loop.yaml", "found.json", "proof"))
        loop.write_text(text)
        subprocess.run([sys.argv[1], "compile", loop, *settings, "--format", "json", "-o", found, "--certificate", proof], check=True)
        subprocess.run([sys.argv[1], "check-certificate", loop, *settings, found, proof], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([sys.argv[1], "verify", found], check=True, stdout=subprocess.DEVNULL)
        schedule = json.loads(found.read_text())
        cycles = schedule["sync"]["cycles"] / schedule["sync"]["passes"] / schedule["loop"]["tiles_per_pass"]
        return schedule["pipeline"], cycles


def with_roles(text):
    """attention_fwd for sm_90 with a role that copies and one of two warp groups for all else."""
    text = text.replace("target: mi355x", "target: sm_90").replace("completion: counter", "completion: copy_mbarrier")
    text = text.replace("loop:\n", "loop:\n  roles: [{role: producer, warps: 1}, {role: consumer, warps: 8}]\n  signal: 20\n")
    text = re.sub(r"op: (LOAD_\w)", r"op: \1, role: producer", text)
    return re.sub(r"op: (\w+), uses", r"op: \1, role: consumer, uses", text)


def compare(name, text, *settings):
    given, cycles = compiled(text, *settings)
    left_open = re.sub(r"(op: \w+, )role: \w+", r"\1role: any", text)
    assert left_open.count("role: any") >= 8, left_open
    found, cycles_found = compiled(left_open, *settings)
    print(f"{name}: {given['interval']} cycles an iteration with its author's roles, {cycles} synchronised; "
          f"{found['interval']} and {cycles_found} with any")
    assert given["proven"] and found["proven"] and found["interval"] <= given["interval"], (given, found)
    assert cycles_found <= 1.03 * cycles


attention = (KERNELS / "attention_ws.yaml").read_text()
compare("attention_fwd", with_roles((KERNELS / "attention_fwd.yaml").read_text()))
compare("attention_ws", attention)
compare("attention_ws, masked", attention, "--set", "variables.causal=1")
