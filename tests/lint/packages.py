#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds all that names Debian packages to the list of them, scripts/packages: debian/control, docs/install.md, and messages."""

import os
import re
import subprocess
import sys

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
# What a source package has without asking, what stands for a package there, and what only Debian's tools for packages need.
ESSENTIAL = {"gcc", "g++"}
INSTEAD = {"python3": "python3-all"}
PACKAGING = {"debhelper-compat", "dh-python"}


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def field(stanza, name):
    """The packages of a field of debian/control, without their versions."""
    body = re.search(rf"^{name}:(.*(?:\n .*)*)", stanza, re.MULTILINE)[1]
    return {word for word in re.findall(r"(?:^|,)\s*([a-z0-9$][^\s,]*)", body) if not word.startswith("$")}


def differences(groups):
    stanzas = read("debian/control").split("\n\n")
    wanted = {INSTEAD.get(each, each) for each in groups["build"] + groups["python"] if each not in ESSENTIAL} | PACKAGING
    yield "Build-Depends of debian/control", field(stanzas[0], "Build-Depends"), wanted

    libraries = {each for each in groups["build"] if re.fullmatch(r"lib.*-dev", each)}
    developer = next(each for each in stanzas if each.startswith("Package: libswp-dev\n"))
    yield "Depends of libswp-dev", {each for each in field(developer, "Depends") if each.endswith("-dev")}, libraries

    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| (.*) \|$", read("docs/install.md"), re.MULTILINE)
    documented = {name: re.findall(r"`([^`]+)`", packages) for name, packages in rows}
    yield "the groups of docs/install.md", set(documented), set(groups)
    for name, packages in groups.items():
        yield f"the group {name} of docs/install.md", set(documented.get(name, [])), set(packages)

    hints = subprocess.run(["git", "grep", "-hoE", r"apt-get install( [a-z][a-z0-9.+-]+)+", "--", "*.sh", "*.py", "*.txt", "*.md"],
                           cwd=TOP, capture_output=True, text=True, check=True).stdout  # fmt: skip
    hinted = {word for line in hints.splitlines() for word in line.split()[2:]}
    known = {each for packages in groups.values() for each in packages}
    yield "what messages and pages say to install", hinted | known, known


def main():
    groups = {name: packages.split() for name, packages in re.findall(r"^(\w+): (.+)$", read("scripts/packages"), re.MULTILINE)}
    failed = False
    for what, found, wanted in differences(groups):
        for each in sorted(found ^ wanted):
            failed = True
            print(f"{what}: {each} is {'missing' if each in wanted else 'not in scripts/packages'}")
    sys.exit(failed)


main()
