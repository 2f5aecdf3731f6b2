# SPDX-License-Identifier: Apache-2.0
"""The schedules whose headers are tested, and how headers are asked for."""

import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "..", ".."))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(TOP, "build", "dev", "swp")))

SMALL = ["--set", "geometry.block=64,128,32"]
DERIVED = ["--set", "schedule.sync=derived"]
LGKM = ["--set", "schedule.lgkm_per_load_a=8", "--set", "schedule.lgkm_per_load_b=8"]

# Name, input, options. `pingpong_fixed` falls behind at the prologue's end, `pingpong_never` not at all.
CASES = [
    ("single", "single_buffer", []),
    ("single_five", "single_buffer", ["--set", "num_k_tiles=5"]),
    ("single_derived", "single_buffer", DERIVED),
    ("pingpong", "pingpong", []),
    ("pingpong_small", "pingpong", SMALL),
    ("pingpong_lgkm", "pingpong", LGKM),
    ("pingpong_derived", "pingpong", SMALL + DERIVED),
    ("pingpong_fixed", "pingpong", ["--set", "pipeline.warp_stagger=fixed(10)", "--allow-unsafe"]),
    ("pingpong_never", "pingpong", ["--set", "pipeline.warp_stagger=fixed(11)", "--allow-unsafe"]),
    ("pingpong_no_end", "pingpong", ["--set", "machine.lag_end_barrier=false", "--allow-unsafe"]),
    ("pingpong_together", "pingpong", ["--set", "pipeline.warp_stagger=none", "--allow-unsafe"]),
    ("fourwave", "fourwave", ["--allow-unsafe"]),
    ("fourwave_derived", "fourwave", DERIVED),
    ("tiny", os.path.join(HERE, "tiny.yaml"), []),
]

# Loops that are nobody's, to tell apart what is equal in all of the above.
EDITED_LOOPS = [
    ("pingpong_shifted", "pingpong", {"first_base": 1}),
    ("tiny_thirds", os.path.join(HERE, "tiny.yaml"), {"min_tiles": 4}),
]

# A loop whose ops do not all run in every iteration.
CONDITIONS = os.path.join(TOP, "tests", "loops", "conditions.yaml")

# Single buffers in which every store stands twice, with the same staged tile.
EDITED_STORES = [("single_twice", "single_buffer")]


def twice(entries):
    """The entries of a phase, each store of them twice."""
    return [entry for entry in entries for _ in range(1 + (entry["role"] == "shared_store"))]


def swp(*words, **options):
    return subprocess.run([SWP, *words], capture_output=True, text=True, check=False, **options)


def emit(source, options, **more):
    """The text of a header, which must be there."""
    result = swp("emit", source, "--format", "c", *options, **more)
    codes = re.findall(r"\[([EW]\d{4})\]", result.stderr)
    if result.returncode or codes not in ([], ["W0703"], ["W0112"], ["W0801"]):
        raise SystemExit(f"header: swp emit {source} {options}: status {result.returncode}\n"
                         + result.stderr)
    return result.stdout


def schedule_of(source, options):
    """The same schedule as JSON."""
    kept = [word for word in options if word != "--allow-unsafe"]
    result = swp("emit", source, "--format", "json", *kept)
    if result.returncode:
        raise SystemExit(f"header: swp emit {source} {kept}: {result.stderr}")
    return json.loads(result.stdout)


def identifier(name):
    """The macro of an op's name, by the manual."""
    return "".join(c.upper() if c.isascii() and c.isalnum() else "_" for c in name)
