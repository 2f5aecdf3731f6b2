#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: purpose.py [TREE]

Every source and header of the library and of the command begins, below its licence, with a sentence that says what it is
for, and that no other one begins with.
"""

import collections
import os
import re
import sys

TREE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
LEAST_WORDS = 4


def sources(tree):
    for part in ("include", "src", "cli"):
        for folder, _, names in os.walk(os.path.join(tree, part)):
            for name in sorted(names):
                if name.endswith((".c", ".cpp", ".h")):
                    yield os.path.join(folder, name)


def purpose(path):
    """Returns the words of the comment that begins on the second line."""
    with open(path, encoding="utf-8") as file:
        text = file.read().partition("\n")[2]
    comment = re.match(r"/\*(.*?)\*/", text, re.DOTALL) or re.match(r"((?://[^\n]*\n)+)", text)
    return re.sub(r"^\s*(?:\*|//)", "", comment[1], flags=re.MULTILINE).split() if comment else []


def main(tree=TREE):
    faults, files = [], collections.defaultdict(list)
    for path in sources(tree):
        words = purpose(path)
        files[" ".join(words)].append(os.path.relpath(path, tree))
        if len(words) < LEAST_WORDS:
            faults.append(f"{os.path.relpath(path, tree)} does not begin with a sentence that says what it is for")
    faults += [f"{', '.join(paths)} begin with the same sentence"
               for words, paths in files.items() if words and len(paths) > 1]
    for fault in faults:
        print(fault)
    print(f"purpose: {sum(map(len, files.values()))} sources, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
