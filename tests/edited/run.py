#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py [TEXT]...

Edited schedules and counterexamples get exactly their diagnostics, from every judge of a schedule. A
file of cases holds, for each case:

    # what is edited
    of double.json              the file that is edited
    kernel[3].wait = -1         edits: PATH = VALUE, insert PATH = VALUE, delete PATH, and on the
                                text: replace "OLD" with "NEW", keep N bytes, nest N, text "ALL"
    in cex.json                 edits from here on are of this file, which `swp verify` has written
                                for the schedule as it stands
    verify, run: exit 2         what the commands then say: stderr, or the last line of stdout
    | case.json: error[...

TEXT takes the cases whose title holds it. SWP names the command; UPDATE=1 takes what it says as the
new expectations, to be read before they are kept.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SWP = str(Path(os.environ.get("SWP", HERE / "../../build/dev/swp")).resolve())
JUDGES = ["verify", "run", "simulate", "explain", "emit"]


class Case:
    def __init__(self, title):
        self.title = title
        self.lines = []  # of, edits, in
        self.expected = []


def read_cases(path):
    cases = []
    for line in path.read_text().splitlines():
        if line.startswith("# "):
            cases.append(Case(line[2:]))
        elif not line.strip() or line.startswith("<!--"):
            continue
        elif line.startswith("| ") or re.match(r"[a-z, ]+: exit \d+$", line):
            cases[-1].expected.append(line)
        else:
            cases[-1].lines.append(line)
    return cases


def write_cases(path, cases):
    head = "<!-- SPDX-License-Identifier: Apache-2.0; see run.py -->\n"
    texts = ["\n".join([f"# {c.title}", *c.lines, *c.expected]) + "\n" for c in cases]
    path.write_text(head + "\n".join(texts))


def steps(path):
    return [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", path)]


def change(document, path, what):
    *up, last = steps(path)
    for key in up:
        document = document[key]
    what(document, last)


def assign(value):
    def do(container, key):
        container[key] = value

    return do


def insert(value):
    return lambda container, key: container.insert(key, value)


def delete(container, key):
    del container[key]


def edit(text, line):
    """The text of a file after one edit."""
    word, _, rest = line.partition(" ")
    if word == "replace":
        old, new = (json.loads(part) for part in rest.split(" with "))
        assert text.count(old) >= 1, line
        return text.replace(old, new, 1)
    if word == "keep":
        return text[: int(rest.split()[0])]
    if word == "text":
        return json.loads(rest)
    if word == "nest":
        return '{"swp": 1, "kernel": ' + int(rest) * "[" + int(rest) * "]" + "}"
    document = json.loads(text)
    if word == "delete":
        change(document, rest, delete)
    else:
        path, value = (rest if word == "insert" else line).split(" = ", 1)
        change(document, path.strip(), (insert if word == "insert" else assign)(json.loads(value)))
    return json.dumps(document, indent=1)


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


def is_chosen(case):
    return not sys.argv[1:] or any(text in case.title for text in sys.argv[1:])


def main():
    failed = total = 0
    pool = ThreadPoolExecutor(os.cpu_count())
    for path in sorted(HERE.glob("*.cases")):
        cases = read_cases(path)
        chosen = [case for case in cases if is_chosen(case)]
        for case, actual in zip(chosen, pool.map(run, chosen)):
            total += 1
            if actual != case.expected:
                failed += 1
                if not os.environ.get("UPDATE"):
                    print(f"{path.name}: {case.title}", *case.lines, "expected:", *case.expected,
                          "actual:", *actual, "", sep="\n")
            case.expected = actual
        if os.environ.get("UPDATE"):
            write_cases(path, cases)
    print(f"edited: {total - failed} of {total} cases pass")
    return failed > 0 and not os.environ.get("UPDATE")


if __name__ == "__main__":
    sys.exit(main())
