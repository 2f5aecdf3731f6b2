#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py [TEXT]...

Known faults of schedules with warp roles: the proof finds each, says why, and writes a counterexample that goes
wrong when it is replayed. What the first hint says is done to the file (`mended`). tests/edited/cases.py tells what a file of cases holds; a line `accept HAZARD` is an option of
`swp verify`. Of a replay its first two lines are kept, and nothing where no hazard is told.

TEXT takes the cases whose title holds it. SWP names the command; UPDATE=1 takes what it says as the
new expectations, to be read before they are kept.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "edited"))

from cases import edit, judge_all  # noqa: E402
from hints import apply  # noqa: E402

SWP = str(Path(os.environ.get("SWP", HERE / "../../build/dev/swp")).resolve())
LINES_OF_A_REPLAY = 2


def swp(folder, *arguments):
    done = subprocess.run([SWP, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)
    return done.returncode, [line for line in (done.stdout + done.stderr).splitlines() if line]


def run(case):
    text, accepted = "", []
    for line in case.lines:
        if line.startswith("accept "):
            accepted += ["--accept", line[7:]]
            continue
        text = (HERE / line[3:]).read_text() if line.startswith("of ") else edit(text, line)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "case.json").write_text(text)
        status, said = swp(folder, "verify", "case.json", "--counterexample", "cex.json", *accepted)
        out = [f"verify: exit {status}", *("| " + line for line in said)]
        if status == 1:
            status, said = swp(folder, "run", "case.json", "--replay", "cex.json")
            out += [f"replay: exit {status}", *("| " + line for line in said[:LINES_OF_A_REPLAY])]
        hints = [line.partition("hint: ")[2] for line in out if line.startswith("|   hint: ")]
        mended = apply(text, hints[0]) if hints else None
        if mended:
            (Path(folder) / "mended.json").write_text(mended)
            status, said = swp(folder, "verify", "mended.json", *accepted)
            out += [f"mended: exit {status}", *("| " + line for line in said if not line.startswith(" "))]
    return out


if __name__ == "__main__":
    sys.exit(judge_all(HERE, run))
