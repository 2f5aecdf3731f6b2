# SPDX-License-Identifier: Apache-2.0
"""Compiles variants and counts their cycles, by the command swp."""
import hashlib
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
from .space import settings_text


def swp_command():
    named = os.environ.get("SWP")
    found = shutil.which(named or "swp") or (None if named else pathlib.Path(sys.argv[0]).resolve().with_name("swp"))
    if not found:
        raise Refused(f"SWP is {named}, which is no command")
    return str(pathlib.Path(found).absolute())


def run_swp(space, *arguments):
    """Where the space lies, as files that its options name lie beside it."""
    return subprocess.run([swp_command(), *arguments], cwd=space.folder, capture_output=True, text=True,
                          errors="replace", check=False)


ANOTHER_SCHEDULE = ("another --log begins anew; a search that a time limit ends may end otherwise each time, "
                    "`options: [--work-limit, N]` ends it alike")

# What is none of a variant's: no room on the disk, no memory.
NO_VERDICT = re.compile(r"error\[(E0908|E0001)\]")


def ended_with_verdict(done, number):
    if done.returncode >= 0 and not NO_VERDICT.search(done.stderr):
        return
    said = f"signal {-done.returncode}" if done.returncode < 0 else first_error(done.stderr)
    raise Refused(f"`swp {done.args[1]}` of variant {number} ended with {said}", GOES_ON)


def first_error(text, made=""):
    """made: a file of the tuner's own, which no message names, as each variant has another."""
    for line in text.splitlines():
        if "error" in line:
            return f"swp{line.removeprefix(str(made))}" if made and line.startswith(str(made)) else line
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
        return record | {"illegal": first_error(wrote.stderr, schedule)}
    text = header.read_text(encoding="utf-8")
    record |= {"work": space.work_of(settings), "fingerprint": fingerprint(text)}
    tiles = re.search(r"_TILES_PER_PASS (\d+)", text)
    for key, load_latency in (("cycles", 100), ("late_cycles", LATE)):
        simulated = simulate(space, number, schedule, load_latency)
        if simulated.returncode != DONE:
            return record | {"no_cycles": first_error(simulated.stderr, schedule)}
        record[key] = json.loads(simulated.stdout)["cycles_per_pass"] / (int(tiles[1]) if tiles else 1)
    return record


COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def fingerprint(header):
    """Of what runs: the header without its comments, which name files."""
    return hashlib.sha256(COMMENT.sub("", header).encode()).hexdigest()[:16]


def compile_again(space, known, place, folder):
    """The files of a variant that a log has, which are gone; place: where the log has it."""
    made = compile_variant(space, known["variant"], known["settings"], folder)
    what = f"variant {known['variant']} ({settings_text(known['settings'])})"
    if "illegal" in made:
        raise Refused(f"{what} cannot be compiled any more, as it was at {place}: {made['illegal']}", ANOTHER_SCHEDULE)
    here, there = made["fingerprint"], known.get("fingerprint", "none")
    if here != there:
        raise Refused(f"{what} is another schedule than at {place}: fingerprint {here}, there {there}", ANOTHER_SCHEDULE)


def simulate(space, number, schedule, load_latency):
    by_figures = ["--target", space.target] if space.target else []
    simulated = run_swp(space, "simulate", str(schedule), *by_figures, "--load-latency", str(load_latency), "--format", "json")
    ended_with_verdict(simulated, number)
    return simulated
