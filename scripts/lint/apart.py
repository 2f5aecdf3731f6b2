#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: apart.py BUILD_DIR

The checker of certificates shares no code with the solver: src/certify/ includes nothing of src/solve/
or src/loop/, not even through another header, and none of their objects is linked by what src/certify/
calls.
"""

import os
import re
import subprocess
import sys

FROM, AWAY_FROM = "certify", ("solve", "loop")
TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def sources(folder):
    path = os.path.join(TOP, "src", folder)
    return sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith((".c", ".h")))


def included(path):
    """The files of the project that a source includes."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.MULTILINE)
    for name in names:
        for root in (os.path.join(TOP, "src"), os.path.join(TOP, "include"), os.path.dirname(path)):
            full = os.path.normpath(os.path.join(root, name))
            if os.path.exists(full):
                yield full
                break


def symbols(path):
    """(defined, needed) names of an object."""
    listing = subprocess.run(["nm", "--extern-only", "--format=posix", path], capture_output=True,
                             text=True, check=True).stdout
    defined, needed = set(), set()
    for line in listing.splitlines():
        name, kind = line.split()[:2]
        (needed if kind == "U" else defined).add(name)
    return defined, needed


def closure(starts, following):
    """Each thing reached, with the one that it was reached from."""
    reached = {start: None for start in starts}
    todo = list(starts)
    while todo:
        here = todo.pop()
        for there in following(here):
            if there not in reached:
                reached[there] = here
                todo.append(there)
    return reached


def report(reached, folders):
    """How many of the reached lie in one of the folders; each with the way to it."""
    found = [path for path in reached if os.path.basename(os.path.dirname(path)) in folders]
    for path in sorted(found):
        way = []
        while path:
            way.append(os.path.relpath(path, TOP) if path.startswith(TOP) else path)
            path = reached[path]
        print(" <- ".join(way))
    return len(found)


def main(build):
    bad = report(closure(sources(FROM), included), AWAY_FROM)
    objects, owner = {}, {}
    root = os.path.join(build, "CMakeFiles", "swp_objects.dir", "src")
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".o"):
                path = os.path.join(folder, name)
                objects[path] = symbols(path)
                owner.update({symbol: path for symbol in objects[path][0]})
    starts = [path for path in objects if os.path.basename(os.path.dirname(path)) == FROM]
    if not starts:
        sys.exit(f"apart.py: no object of src/{FROM}/ in {root}")
    bad += report(closure(starts, lambda path: (owner[s] for s in objects[path][1] if s in owner)),
                  AWAY_FROM)
    print(f"apart: {len(starts)} objects of src/{FROM}/, {bad} of src/{' or src/'.join(AWAY_FROM)} "
          f"reached")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
