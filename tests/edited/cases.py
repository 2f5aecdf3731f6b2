# SPDX-License-Identifier: Apache-2.0
"""Cases of edited JSON files, and what commands then say. A file of them holds, for each:

    # what is edited
    of double.json              the file that is edited
    kernel[3].wait = -1         edits: PATH = VALUE, insert PATH = VALUE, delete PATH, move or copy PATH to
                                INDEX of its list, and on the text: replace "OLD" with "NEW", keep N bytes,
                                nest N, text "ALL"
    verify, run: exit 2         what the commands then say
    | case.json: error[...
"""
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor


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


def move(to):
    return lambda container, key: container.insert(to, container.pop(key))


def copy(to):
    return lambda container, key: container.insert(to, container[key])


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
    elif word in ("move", "copy"):
        path, to = rest.split(" to ")
        change(document, path, (move if word == "move" else copy)(int(to)))
    else:
        path, value = (rest if word == "insert" else line).split(" = ", 1)
        change(document, path.strip(), (insert if word == "insert" else assign)(json.loads(value)))
    return json.dumps(document, indent=1)


def is_chosen(case):
    return not sys.argv[1:] or any(text in case.title for text in sys.argv[1:])


def judge_all(folder, run):
    """The exit status of a driver whose `run` says what the commands say of a case."""
    failed = total = 0
    pool = ThreadPoolExecutor(os.cpu_count())
    for path in sorted(folder.glob("*.cases")):
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
    print(f"{folder.name}: {total - failed} of {total} cases pass")
    return failed > 0 and not os.environ.get("UPDATE")
