#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: core_only.py RELEASE_DIR

The core builds without YAML, JSON and the solver, and what it builds needs nothing but the C library. SWP_FULL=1 builds all of it.
Else a source that reads no macro by which the core differs is not compiled again: RELEASE_DIR has its object.
"""
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "build/core"


def commands(build):
    """The words that compile each source of the build."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    return {entry["file"]: shlex.split(entry["command"]) for entry in entries}


def macros(words):
    return {word[2:].split("=")[0] for word in words if word.startswith("-D")}


def reads(paths, names):
    """Those of the files that have one of the names; NDEBUG is what <assert.h> reads."""
    pattern = re.compile("|".join([*names, "assert.h"]))
    return [path for path in paths if pattern.search(Path(path).read_text(encoding="utf-8"))]


def build():
    """Compiles what the release build cannot have, and links it with what it has."""
    subprocess.run(["cmake", "--preset", "core"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    release = Path(sys.argv[1])
    core, known = commands(CORE), commands(release)
    differ = {name for path in core if path in known for name in macros(core[path]) ^ macros(known[path])}
    headers = [path for folder in ("src", "include") for path in (ROOT / folder).rglob("*.h")]
    if reads(headers, differ):
        sys.exit(f"a header reads one of {', '.join(sorted(differ))}: compile the core as a whole")
    anew = {path for path in core if path not in known} | set(reads(core, differ))
    objects = {path: words[words.index("-o") + 1] for path, words in core.items()}
    subprocess.run(["ninja", "-C", CORE, "--quiet", *[objects[path] for path in anew]], check=True)
    linked = [str((CORE if path in anew else release) / name) for path, name in objects.items()]
    subprocess.run(["gcc", "-shared", "-Wl,--no-undefined", "-o", CORE / "libswp.so", *linked], check=True)
    print(f"core: {len(anew)} of {len(core)} sources compiled anew")


def main():
    if os.environ.get("SWP_FULL"):
        subprocess.run([ROOT / "scripts/build", "core"], check=True)
    else:
        build()
    dynamic = subprocess.run(["readelf", "--dynamic", CORE / "libswp.so"], check=True, capture_output=True, text=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    foreign = [name for name in needed if not re.match(r"lib[cm]\.so", name)]
    if foreign:
        sys.exit(f"the core library needs: {' '.join(foreign)}")


if __name__ == "__main__":
    main()
