#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py [TEXT]...

Edited schedules and counterexamples get exactly their diagnostics, from every judge of a schedule: stderr,
or the last line of stdout. cases.py tells what a file of cases holds. Besides:

    in cex.json                 edits from here on are of this file, which `swp verify` has written
                                for the schedule as it stands

TEXT takes the cases whose title holds it. SWP names the command; UPDATE=1 takes what it says as the
new expectations, to be read before they are kept.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import edit, judge_all

HERE = Path(__file__).resolve().parent
SWP = str(Path(os.environ.get("SWP", HERE / "../../build/dev/swp")).resolve())
JUDGES = ["verify", "run", "simulate", "explain", "emit"]


def swp(folder, *arguments):
    try:
        done = subprocess.run([SWP, *arguments], cwd=folder, capture_output=True, text=True,
                              timeout=120)
    except subprocess.TimeoutExpired:
        return ["exit 124", "| does not end"]
    said = done.stderr or (done.stdout.splitlines() or [""])[-1]
    if done.returncode == 2 and done.stdout:
        said += "stdout is not empty\n"
    return [f"exit {done.returncode}"] + ["| " + line for line in said.splitlines()]


def prepare(case, folder):
    """Makes the case's files. Returns the commands, by name."""
    name, text = "case.json", ""
    commands = {judge: [judge, "case.json"] for judge in JUDGES}
    commands["run"] += ["--seeds", "4"]
    commands["emit"] += ["--format", "dot"]
    for line in case.lines:
        if line.startswith("of "):
            text = (HERE / line[3:]).read_text()
        elif line == "in cex.json":
            (folder / name).write_text(text)
            name = "cex.json"
            swp(folder, "verify", "case.json", "--counterexample", name)
            text = (folder / name).read_text()
            commands = {"replay": ["run", "case.json", "--replay", name]}
        else:
            text = edit(text, line)
    (folder / name).write_text(text)
    return commands


def run(case):
    groups = []  # (names, lines)
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in prepare(case, Path(folder)).items():
            said = swp(folder, *arguments)
            for names, lines in groups:
                if lines == said:
                    names.append(name)
                    break
            else:
                groups.append(([name], said))
    out = []
    for names, (status, *lines) in groups:
        out += [f"{', '.join(names)}: {status}", *lines]
    return out


if __name__ == "__main__":
    sys.exit(judge_all(HERE, run))
