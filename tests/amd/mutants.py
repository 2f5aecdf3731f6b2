#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Faults put by hand into the assembly of kernels/amd, each of which `swp audit` must find.

    SWP=path/to/swp tests/amd/mutants.py FOLDER [NAME...]

FOLDER holds NAME.s and NAME.json as kernels/amd/build writes them. MUTANTS=all takes every edit of every kernel, not a few of two.

Three kinds of edit: an LDS read moved behind the loads to LDS that replace what it reads, which the schedule says; a
barrier removed; a wait that lets one access more stay outstanding. An edit of a barrier or wait that is not found must
be harmless, and be known to be so otherwise than by the audit: see `excuse`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

SWP = os.path.abspath(os.environ.get("SWP", "build/release/swp"))
ALL = os.environ.get("MUTANTS") == "all"
NAMES = ["fourwave-gfx950", "pingpong-gfx950", "pingpong-derived-gfx950", "fourwave-gfx942"]
EDITED = ["fourwave-gfx950", "pingpong-gfx950"]  # those of which some edits are taken; the others are audited as they are
LGKM_MAX = 15

failures = []
excused = {}
found = {}


def swp(*words, text=None):
    result = subprocess.run([SWP, *words], input=text, capture_output=True, text=True, check=False)
    return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr


def sample(edits, count):
    """So many of them, spread out; all if all are wanted."""
    return edits if ALL else edits[len(edits) // (2 * count)::max(1, len(edits) // count)]


def is_load(line):
    return line.strip().startswith("buffer_load") and line.rstrip().endswith("lds")


def is_read(line):
    return line.strip().startswith("ds_read")


def without_lines(change):
    return {key: value for key, value in change.items() if key not in ("at", "detail", "cycles")}


class Kernel:
    def __init__(self, folder, name):
        self.name = name
        self.schedule_path = os.path.join(folder, f"{name}.json")
        with open(os.path.join(folder, f"{name}.s"), encoding="utf-8") as file:
            self.lines = file.read().splitlines(keepends=True)
        with open(self.schedule_path, encoding="utf-8") as file:
            self.schedule = json.load(file)
        status, report = self.audit(self.lines)
        main = [loop for loop in report["loops"] if loop["innermost"]]
        if status or report["answer"] != "no_fault" or len(main) != 1:
            failures.append(f"{name}: {report['answer']}, {len(main)} loops")
        # Indices of lines.
        self.loop = range(main[0]["first_line"] - 1, main[0]["last_line"])
        status, report = self.audit(self.lines, True)
        if status or report["answer"] != "proven":
            failures.append(f"{name} against its schedule: {report['answer']}")
        self.changes = [without_lines(change) for change in report["changes"]]

    def audit(self, lines, against=False):
        return swp("audit", "-", "--format", "json",
                   *(["--schedule", self.schedule_path] if against else []), text="".join(lines))

    def expect_found(self, what, lines, named):
        """A fault that names the lines, by their numbers in the edited text, with and without the schedule."""
        for against in (False, True):
            status, report = self.audit(lines, against)
            sites = [(f["at"], f["other"]) for f in report["findings"] if f["certain"]]
            sites += [(h["at"], h["other"]) for h in report.get("hazards", [])]
            numbers = {site.get("line") for pair in sites for site in pair if site}
            if status != 1 or report["answer"] != "fault" or not named <= numbers:
                failures.append(f"{self.name}: {what}{' against its schedule' * against}: "
                                f"{report['answer']}, named {sorted(numbers)}, not {sorted(named)}")
                return
        found[self.name] = found.get(self.name, 0) + 1


# --- reads moved across loads ----------------------------------------------------------------------

def accesses(kernel):
    """
    The loop's reads in groups between loads, and the entries that make each group: LDS accesses keep
    their order among loads and barriers, since both are fences to clang.
    """
    loads = [i for i in kernel.loop if is_load(kernel.lines[i])]
    entries = [e for e in kernel.schedule["kernel"] if e["role"] in ("global_load", "fragment_load")]
    of_load, reads, group, at = [], [], [], 0
    for entry in entries:
        if entry["role"] == "fragment_load":
            group.append(entry)
            continue
        reads.append(group)
        group = []
        of_load += [entry] * entry["vm_cost"]
        reads += [[]] * (entry["vm_cost"] - 1)
        at += entry["vm_cost"]
    if at != len(loads):
        failures.append(f"{kernel.name}: {len(loads)} loads to LDS in the loop, the schedule has {at}")
        return []
    bounds = [kernel.loop.start, *loads]
    return [([i for i in range(bounds[k], bounds[k + 1]) if is_read(kernel.lines[i])], reads[k],
             loads[k], of_load[k]) for k in range(len(loads))]


def place(entry):
    return entry["channel"], entry["stage"], entry["subtile"]


def address_changes(kernel, read, to):
    """Whether the read's address register holds something else further down, so that it reads elsewhere."""
    address = int(re.search(r", v(\d+)", kernel.lines[read])[1])
    for line in kernel.lines[read:to]:
        written = re.match(r"\s+[vd]\w+ v(?:(\d+)|\[(\d+):(\d+)\]),", line)
        if written:
            first = int(written[1] or written[2])
            last = int(written[1] or written[3])
            if first <= address <= last:
                return True
    return False


def moved_reads(kernel):
    """(what, lines, numbers of the lines that must be named)"""
    groups = accesses(kernel)
    for k, (reads, entries, _, _) in enumerate(groups):
        if not reads or len({place(e) for e in entries}) != 1:
            continue
        later = [load for _, _, load, e in groups[k:] if place(e) == place(entries[0])]
        if not later:
            continue
        # Behind the last access of the load, the end of whose assembly is the next line.
        to = later[-1] + 2
        for read in (reads[0], reads[-1]):
            if address_changes(kernel, read, to):
                continue
            lines = kernel.lines[:read] + kernel.lines[read + 1:to] + [kernel.lines[read]] + \
                kernel.lines[to:]
            yield f"line {read + 1} moved behind line {to}", lines, {to}


# --- barriers and waits ----------------------------------------------------------------------------

def weakened(kernel):
    """(index of the line, what, lines) for each barrier removed and each count let out by one."""
    for i, line in enumerate(kernel.lines):
        code = line.split(";")[0].strip()
        if code == "s_barrier":
            yield i, f"line {i + 1} {code} removed", kernel.lines[:i] + kernel.lines[i + 1:]
        if not code.startswith("s_waitcnt"):
            continue
        for count in re.finditer(r"(vmcnt|lgkmcnt)\((\d+)\)", line):
            more = f"{count[1]}({int(count[2]) + 1})"
            edited = line[:count.start()] + more + line[count.end():]
            yield (i, f"line {i + 1} {code} as {more}",
                   kernel.lines[:i] + [edited] + kernel.lines[i + 1:])


def safe_with_edit(kernel, changes):
    """
    Whether the schedule is safe with the same edit, by the proof of schedules: `changes` is what the audit
    says that has become of its entries. Waits that clang put in have none.
    """
    edited = json.loads(json.dumps(kernel.schedule))
    new = [change for change in changes if change not in kernel.changes and
           change["entry"] is not None]
    for change in sorted(new, key=lambda change: -change["entry"]):
        entries = edited[change["phase"]]
        if entries[change["entry"]]["name"] == "barrier":
            del entries[change["entry"]]
        else:
            entries[change["entry"]]["wait"] += 1
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "edited.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(edited, file)
        return bool(new) and swp("verify", path, "--format", "json")[0] == 0


def next_barrier_follows(kernel, line):
    """Whether on every way another barrier comes before the next LDS access: then one is enough."""
    for at in range(line + 1, len(kernel.lines)):
        code = kernel.lines[at].strip()
        if code.startswith("s_barrier"):
            return True
        if is_load(code) or is_read(code) or code.startswith(("s_endpgm", "s_branch")):
            return False
        branch = re.match(r"s_cbranch_\w+ (\S+)", code)
        if branch:
            target = next(i for i, x in enumerate(kernel.lines) if x.startswith(f"{branch[1]}:"))
            # Back is round a loop, which has accesses.
            if target < at or not next_barrier_follows(kernel, target):
                return False
    return False


def excuse(kernel, line, what, alone, against):
    """Why an edit that is not found, or only against the schedule, is harmless; None if nothing says so."""
    if against["answer"] == "proven":
        if what.endswith(f"as lgkmcnt({LGKM_MAX})"):
            return "sixteen reads do not fit the counter: the first is done when the last is issued"
        changes = [without_lines(change) for change in against["changes"]]
        return "the schedule with the same edit is proven" if safe_with_edit(kernel, changes) else None
    if alone["answer"] == "no_fault" and {h["kind"] for h in against["hazards"]} == {"deadlock"}:
        return "found against the schedule: waves wait for ever at the end, which no register or place shows"
    if "barrier" in what and next_barrier_follows(kernel, line):
        return "found against the schedule: alone it does no harm, another barrier follows at once"
    return None


def check_weakened(kernel, line, what, lines):
    status_alone, alone = kernel.audit(lines)
    status_against, against = kernel.audit(lines, True)
    reason = excuse(kernel, line, what, alone, against)
    if status_alone == 1 and status_against == 1:
        found[kernel.name] = found.get(kernel.name, 0) + 1
    elif reason:
        excused.setdefault(reason, []).append(f"{kernel.name}: {what}")
    else:
        failures.append(f"{kernel.name}: {what}: {alone['answer']}, {against['answer']}")


def main(words):
    folder = words[0]
    for name in words[1:] or NAMES:
        kernel = Kernel(folder, name)
        if not ALL and name not in EDITED + words[1:]:
            continue
        moved = list(moved_reads(kernel))
        for what, lines, named in sample(moved, 1):
            kernel.expect_found(what, lines, named)
        if len(moved) < 4:
            failures.append(f"{name}: only {len(moved)} reads to move")
        edits = list(weakened(kernel))
        barriers = [edit for edit in edits if "barrier" in edit[1]]
        waits = [edit for edit in edits if "barrier" not in edit[1]]
        for line, what, lines in sample(barriers, 1) + sample(waits, 2):
            check_weakened(kernel, line, what, lines)
    for reason, edits in excused.items():
        print(f"amd: {len(edits)} edits: {reason}:")
        for edit in edits if ALL else edits[:1]:
            print(f"  {edit}")
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"amd: mutants: {found}, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
