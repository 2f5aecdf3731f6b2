# SPDX-License-Identifier: Apache-2.0
"""Waits and barriers taken away or weakened, one at a time."""

import re

from checks import audit, check, expect


def edits_of(text):
    """(what, text) for each wait and barrier taken away, and each count let out by one."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        code = line.split(";")[0].strip()
        if not code.startswith(("s_waitcnt", "s_barrier")):
            continue
        yield f"line {i + 1} without {code}", "".join(lines[:i] + lines[i + 1:])
        for count in re.finditer(r"(vmcnt|lgkmcnt)\((\d+)\)", line):
            weaker = f"{count[1]}({int(count[2]) + 1})"
            edited = line[:count.start()] + weaker + line[count.end():]
            yield f"line {i + 1} {code} as {weaker}", "".join(lines[:i] + [edited] + lines[i + 1:])


def check_edits(text, where, least, every=1):
    """Of code without a wait to spare, no edit passes."""
    edits = list(edits_of(text))
    for what, edited in edits[::every]:
        expect("fault", edited, f"{where}: {what}")
    check(len(edits) >= least, f"{where}: only {len(edits)} edits")


def check_judges_agree(text, schedule, where, every):
    """
    What is known of each instruction, and the proof of the schedule that the code carries out, come to
    the same: of waits and barriers neither misses what the other finds. A wave that waits for ever at
    the end is the proof's alone.
    """
    faults = 0
    for what, edited in list(edits_of(text))[::every]:
        alone, report = audit(edited)
        against, proof = audit(edited, "--schedule", schedule)
        deadlock = any(hazard["kind"] == "deadlock" for hazard in proof["hazards"])
        check((alone == 0) == (against == 0) or deadlock,
              f"{where}: {what}: {report['answer']}, but {proof['answer']}")
        faults += against != 0
    check(faults > 0, f"{where}: no edit is found")
