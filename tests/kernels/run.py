#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU kernels around emitted headers come to the right numbers, for every N up to 23 and in many ways of the machine.

    SWP=path/to/swp CC=cc kernels/run.py [--edits N] [--ways N] [--seed N] [--keep DIR] [KERNEL]...

Each description here is proven, runs, and its header makes the kernel of its name right. Then the header is edited: a wait or
barrier is left out, a wait is one access too weak, two neighbours are swapped, or a slot is the next one. With another slot every
kernel goes wrong; after another edit it does if `swp verify` finds a hazard in the schedule so edited, not before the least N that
this names, and stays right if it finds none. SWP_FULL takes all edits, else a random part of them.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MOST_TILES = 23
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
WAITS = {"wait_vm", "wait_lgkm"}
SYNC = {*WAITS, "barrier"}
LEFT_OUT, SWAPPED = -1, -2  # in place of an operand's number


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernels", nargs="*", default=sorted(p.stem for p in HERE.glob("*.yaml")))
    parser.add_argument("--edits", type=int, default=0 if os.environ.get("SWP_FULL") else 8, help="of a sort; 0: all")
    parser.add_argument("--ways", type=int, default=40)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", random.randrange(1 << 30))))
    parser.add_argument("--keep", type=Path, help="leave headers and programs there")
    return parser.parse_args()


def swp(*words, **more):
    command = [os.environ["SWP"], *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def swp_text(*words):
    result = swp(*words)
    # A search that takes 15 seconds on a busy machine says where it is.
    said = [line for line in result.stderr.splitlines() if line and "(Ctrl-C " not in line]
    assert result.returncode == 0 and not said, f"swp {' '.join(map(str, words))}\n{result.stderr}"
    return result.stdout


def cc(*words):
    subprocess.check_call([os.environ.get("CC", "cc"), *WARNINGS, *map(str, words)])


def compiled_machine(folder):
    """What is the same for all kernels."""
    objects = []
    for part in ("main", "machine", "accesses", "program"):
        objects.append(folder / f"{part}.o")
        cc("-O2", "-c", HERE / f"{part}.c", "-o", objects[-1])
    return objects


def with_loop_barrier(schedule):
    """The schedule with the barrier before its loop as an entry, which JSON leaves out (docs/json.md, "loop")."""
    if schedule.get("loop_barrier", True):
        schedule["prologue"].append({"name": "barrier", "iteration": 0, "is_implied": True})
    return schedule


def published(schedule):
    """The same as JSON has it."""
    kept = [entry for entry in schedule["prologue"] if "is_implied" not in entry]
    return schedule | {"prologue": kept, "loop_barrier": len(kept) < len(schedule["prologue"])}


def lists_in_order(schedule):
    """Lists of entries as the header's RUN has them, so in the order of its sites, with the names of their macros."""
    for n, entries in enumerate(schedule["straight"]):
        yield f"STRAIGHT_{n}", entries
    yield "PROLOGUE", schedule["prologue"]
    yield "KERNEL", schedule["kernel"]
    for n, entries in enumerate(schedule["epilogues"]):
        yield f"EPILOGUE_{n + 1}", entries
    yield "EPILOGUE", schedule["epilogue"]


CALL = re.compile(r"\bLOOP_(?!WHEN_)(\w+)\(ctx, SWP_TILE\(\w+, (\d+)\)|\bSWP_(WAIT_VM|WAIT_LGKM|BARRIER)\(")


def called(header, macro, entries):
    """Which entries of the list the header calls: all but those whose place alone says that they never run."""
    body = header.split(f"#define LOOP_{macro}(ctx")[1].split("while (0)")[0]
    rest = iter(range(len(entries)))
    for name, iteration, sync in CALL.findall(body):
        wanted = (name, int(iteration)) if name else (sync.lower(), 0)
        yield next(i for i in rest if (entries[i]["name"], entries[i]["iteration"]) == wanted)


def entries_in_order(schedule, header):
    """(list, index) of each site."""
    for macro, entries in lists_in_order(schedule):
        yield from ((entries, i) for i in called(header, macro, entries))


def is_before(entry, behind=None):
    """Whether they can change places: the barrier before the loop is always the last of the prologue."""
    return (behind is not None and behind[0] is entry[0] and behind[1] == entry[1] + 1
            and "is_implied" not in behind[0][behind[1]])


class Kernel:
    """The program of a kernel, its schedule, and the sites of its header."""

    def __init__(self, name, folder, objects, given):
        self.name, self.given = name, given
        source = HERE / f"{name}.yaml"
        self.schedule = json.loads(swp_text("compile", source, "--require-proof", "--format", "json"))
        self.path = folder / f"{name}.json"
        self.path.write_text(json.dumps(self.schedule))
        self.schedule = with_loop_barrier(self.schedule)
        self.header = swp_text("emit", source, "--format", "c", "--prefix", "LOOP")
        (folder / f"{name}_schedule.h").write_text(self.header)
        self.program = folder / name
        cc("-O1", f"-I{folder}", HERE / f"{name}.c", *objects, "-lm", "-o", self.program)
        self.sites = self.read_sites()

    def run(self, edits):
        """What each edit (site, operand) comes to; first the lines that tell of sites."""
        lines = "".join(f"{site} {operand}\n" for site, operand in edits)
        command = [self.program, str(self.given.ways), str(self.given.seed)]
        said = subprocess.run(command, capture_output=True, text=True, input=lines, check=True).stdout
        sites, _, results = said.partition("end\n")
        return sites.splitlines(), results.splitlines()

    def read_sites(self):
        """{site: (name, slots of its operands)}, held against the entries of the schedule."""
        entries = list(entries_in_order(self.schedule, self.header))
        sites = {}
        for line in self.run([])[0]:
            site, name, number, *slots = line.split()[1:]
            of, i = entries[int(site)]
            entry = of[i]
            assert name == entry["name"], f"{self.name}: site {site} is {name}, not {entry['name']}"
            assert name not in WAITS or int(number) == entry["wait"], f"{self.name}: site {site} has another count"
            sites[int(site)] = (name, [int(count) for count in slots])
        return sites

    def check_commands(self):
        assert "safe" in swp_text("verify", self.path)
        said = swp_text("run", self.path, "--n", f"0..{MOST_TILES}", "--seeds", "2")
        assert f"0 of {2 * (MOST_TILES + 1)} runs went wrong" in said, said

    def edits(self):
        """(site, operand), or what is in place of that; some of each sort where not all are taken."""
        entries = list(entries_in_order(self.schedule, self.header))
        sorts = {sort: [] for sort in ("without", "weaker", "swapped", "slot")}
        for site, (name, slots) in self.sites.items():
            if name in SYNC:
                sorts["without"].append((site, LEFT_OUT))
            if name in WAITS:
                sorts["weaker"].append((site, 0))
            if is_before(entries[site], *entries[site + 1:site + 2]):
                sorts["swapped"].append((site, SWAPPED))
            sorts["slot"] += [(site, operand) for operand, count in enumerate(slots) if count > 1]
        r, most = random.Random(f"{self.given.seed} {self.name}"), self.given.edits
        return [edit for sort in sorts.values() for edit in r.sample(sort, min(len(sort), most or len(sort)))]

    def least_hazard(self, edit):
        """The least N at which the proof finds a hazard in the schedule with this edit; None: safe."""
        site, operand = edit
        if operand >= 0 and self.sites[site][0] not in WAITS:
            return 0  # no entry says a slot
        copy = json.loads(json.dumps(self.schedule))
        entries, i = list(entries_in_order(copy, self.header))[site]
        if operand == LEFT_OUT:
            del entries[i]
        elif operand == SWAPPED:
            entries[i:i + 2] = entries[i + 1], entries[i]
        else:
            entries[i]["wait"] += 1
        verdict = json.loads(swp("verify", "-", "--format", "json", input=json.dumps(published(copy))).stdout)
        return min((hazard["smallest_n"] for hazard in verdict["hazards"]), default=None)

    def may_change_nothing(self, edit):
        """A mask in the wrong place does no harm to a tile that it leaves as it is."""
        site, operand = edit
        return operand == SWAPPED and "MASK" in (self.sites[site][0], self.sites[site + 1][0])

    def is_expected(self, edit, result):
        """Whether the edit comes to what the proof says."""
        least = self.least_hazard(edit)
        wrong_at = None if result == "right" else int(result.split()[0])
        if least is None or least > MOST_TILES:
            expected = wrong_at is None
        else:
            expected = wrong_at >= least if wrong_at is not None else self.may_change_nothing(edit)
        if not expected:
            site, operand = edit
            print(f"{self.name}, site {site} ({self.sites[site][0]}), operand {operand}: {result}; least N of a hazard {least}",
                  file=sys.stderr)
        return expected


def check(name, folder, objects, given):
    kernel = Kernel(name, folder, objects, given)
    kernel.check_commands()
    edits = kernel.edits()
    first, *results = kernel.run([(-1, LEFT_OUT), *edits])[1]
    assert first == "right", f"{name} goes wrong as it is: N = {first}"
    expected = [kernel.is_expected(edit, result) for edit, result in zip(edits, results, strict=True)]
    wrong = len(results) - results.count("right")
    print(f"{name}: {len(kernel.sites)} sites, right for N = 0 to {MOST_TILES}; {wrong} of {len(edits)} edits go wrong")
    return all(expected) and wrong > 0


def main():
    given = options()
    print(f"seed {given.seed}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(exist_ok=True)
        objects = compiled_machine(folder)
        return 0 if all([check(name, folder, objects, given) for name in given.kernels]) else 1


if __name__ == "__main__":
    sys.exit(main())
