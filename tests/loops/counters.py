#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads through an index and stores of what registers hold: waits are for the counter that counts them.

    loops/counters.py SWP
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs" / "loops.md"

INT4 = """swp: 1
name: int4
target: mi300x
loop:
  units: {global_mem: 1, lds: 1, valu: 1, mma_unit: 1}
  values:
    - {value: packed, space: registers, bytes: 4096, slots: [1, 3]}
    - {value: unpacked, space: registers, bytes: 16384, slots: [1, 2]}
    - {value: B, space: shared, bytes: 16384, slots: [1, 2]}
    - {value: b, space: registers, bytes: 8192, slots: [1, 2]}
    - {value: C, space: registers, bytes: 65536}
  ops:
    - {op: LOAD, uses: {global_mem: 32}, latency: 900, completion: counter, writes: [packed]}
    - {op: UNPACK, uses: {valu: 160}, latency: 168, read_cycles: 160, reads: [packed], writes: [unpacked]}
    - {op: STORE, uses: {lds: 64}, latency: 90, completion: lgkmcnt, accesses: 4, reads: [unpacked], writes: [B]}
    - {op: FRAG, uses: {lds: 64}, latency: 128, completion: counter, accesses: 8, reads: [B], writes: [b]}
    - {op: MMA, uses: {mma_unit: 512}, latency: 528, read_cycles: 512, reads: [b], updates: [C]}
"""


def run(*words, status=0):
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == status, f"{words}: status {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def edited(schedule, op, completion):
    """The schedule with another counter for one op, whatever it said of itself before."""
    copy = json.loads(json.dumps(schedule))
    for row in copy["dataflow"]["ops"]:
        if row["op"] == op:
            row["completion"] = completion
    return json.dumps(copy)


def check(swp, folder, text, op, right, wrong):
    source, path = folder / "loop.yaml", folder / "loop.json"
    source.write_text(text)
    run(swp, "compile", source, "--require-proof", "--format", "json", "-o", path)
    schedule = json.loads(path.read_text())
    run(swp, "verify", path)
    run(swp, "run", path, "--n", "0..23", "--seeds", "2")
    header = run(swp, "emit", path, "--format", "c")
    cost = {"vmcnt": "VM", "lgkmcnt": "LGKM"}[right]
    assert re.search(rf"_{op}_{cost}_COST 4\n", header), f"{op} is not counted on {right}"
    path.write_text(edited(schedule, op, right))
    run(swp, "verify", path)
    path.write_text(edited(schedule, op, wrong))
    assert "stale_read" in run(swp, "verify", path, status=1), f"{op} on {wrong} needs no other wait"
    path.write_text(edited(schedule, op, "none"))
    run(swp, "verify", path)  # written out, it is the user's word
    path.write_text(edited(schedule, op, "counter").replace(', "reads_global": true', ""))
    run(swp, "verify", path, status=2)  # nothing says which


def main():
    swp = sys.argv[1]
    paged = re.search(r"```yaml paged.yaml\n(.*?)```", DOCS.read_text(), re.DOTALL).group(1)
    with tempfile.TemporaryDirectory() as folder:
        check(swp, Path(folder), paged, "LOAD_K", "vmcnt", "lgkmcnt")
        check(swp, Path(folder), INT4, "STORE", "lgkmcnt", "vmcnt")
    print("counters: waits are for what counts an access")


if __name__ == "__main__":
    main()
