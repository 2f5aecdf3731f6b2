# SPDX-License-Identifier: Apache-2.0
"""Compiles variants and counts their cycles, by the command swp."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from ..common.refusal import Refused
from ..common.status import DONE, STOPPED
from .log import GOES_ON


def swp_command():
    named = os.environ.get("SWP")
    found = shutil.which(named or "swp") or (None if named else pathlib.Path(sys.argv[0]).resolve().with_name("swp"))
    if not found:
        raise Refused(f"SWP is {named}, which is no command")
    return str(pathlib.Path(found).absolute())


def run_swp(space, *arguments):
    """Where the space lies, as files that its options name lie beside it."""
    return subprocess.run([swp_command(), *arguments], cwd=space.folder, capture_output=True, text=True, check=False)


# What is none of a variant's: no room on the disk, no memory.
NO_VERDICT = re.compile(r"error\[(E0908|E0001)\]")


def ended_with_verdict(done, number):
    if done.returncode >= 0 and not NO_VERDICT.search(done.stderr):
        return
    said = f"signal {-done.returncode}" if done.returncode < 0 else first_error(done.stderr)
    raise Refused(f"`swp {done.args[1]}` of variant {number} ended with {said}", GOES_ON)


def first_error(text):
    for line in text.splitlines():
        if "error" in line:
            return line
    return text.strip().splitlines()[0] if text.strip() else "no message"


# Percent. Memory that all multiprocessors use is late at times; of schedules that are equally good while it is not, the one is
# better that stands it.
LATE = 200


def compile_variant(space, number, settings, folder):
    """The record of a variant, and its files where it is legal."""
    schedule, header = folder / f"{number}.json", folder / f"{number}.h"
    source = space.description if space.is_builtin else str(space.folder / space.description)
    sets = [w for path, value in settings.items() for w in ("--set", f"{path}={value}")]
    record = {"variant": number, "settings": settings}
    made = run_swp(space, "compile", source, *sets, *space.options, "--format", "json", "-o", str(schedule))
    ended_with_verdict(made, number)
    if made.returncode not in (DONE, STOPPED):
        return record | {"illegal": first_error(made.stderr)}
    wrote = run_swp(space, "emit", str(schedule), "--format", "c", "--prefix", space.prefix, "-o", str(header))
    ended_with_verdict(wrote, number)
    if wrote.returncode != DONE:
        return record | {"illegal": first_error(wrote.stderr)}
    record["work"] = space.work_of(settings)
    tiles = re.search(r"_TILES_PER_PASS (\d+)", header.read_text(encoding="utf-8"))
    for key, load_latency in (("cycles", 100), ("late_cycles", LATE)):
        cycles = simulated_cycles(space, number, schedule, load_latency)
        if cycles is not None:
            record[key] = cycles / (int(tiles[1]) if tiles else 1)
    return record


def simulated_cycles(space, number, schedule, load_latency):
    """Of a pass; None: it has none."""
    by_figures = ["--target", space.target] if space.target else []
    simulated = run_swp(space, "simulate", str(schedule), *by_figures, "--load-latency", str(load_latency), "--format", "json")
    ended_with_verdict(simulated, number)
    return json.loads(simulated.stdout)["cycles_per_pass"] if simulated.returncode == DONE else None
