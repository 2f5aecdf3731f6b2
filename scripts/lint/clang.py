#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: clang.py BUILD_DIR

clang has no warning for anything that is compiled in BUILD_DIR, the one with compile_commands.json, but for the sources
that clang-tidy reads (tidy.sh), which shows clang's own warnings too. It stops at the syntax: what it would generate is
looked at in the build for fuzzing.
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def is_tidied(path):
    """Returns whether tidy.sh gives the source to clang-tidy."""
    return path.endswith(".c") and os.path.relpath(path, TOP).split(os.sep)[0] in ("src", "cli")


def warnings(entry):
    """Returns what clang says of one source."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    compiler = "clang++" if entry["file"].endswith(".cpp") else "clang"
    result = subprocess.run([compiler, *words[1:output], *words[output + 2:], "-fsyntax-only", "-Werror",
                             "-Wno-unknown-warning-option"],
                            cwd=entry["directory"], capture_output=True, text=True, check=False)
    return result.stderr


def main(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if not is_tidied(entry["file"])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [said for said in pool.map(warnings, entries) if said]
    print(*found, sep="\n", end="")
    print(f"clang: {len(entries)} sources, {len(found)} with warnings")
    return 1 if found or not entries else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
