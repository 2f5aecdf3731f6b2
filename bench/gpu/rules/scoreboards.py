#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: cuobjdump -sass PROGRAM | scoreboards.py [NAME...]

Prints the instructions of each kernel that touch memory, wait or meet, with the scoreboards that ptxas gave them: `sets N`
until what it loads is there, `reads N` until it has read its registers, `waits N,...` before it issues. Anything
else is printed only if it waits. The bits are those of every NVIDIA GPU since Volta (Jia et al. 2018, "Dissecting the
NVIDIA Volta GPU architecture via microbenchmarking").
"""

import re
import sys

NONE = 7
SHOWN = re.compile(r"\b(LDG|LDS|LDSM|STG|STS|LDGSTS|LDGDEPBAR|DEPBAR|BAR|IMMA|HMMA|IGMMA|HGMMA|WARPGROUP|SYNCS|UBLKCP|WARPSYNC)\b")
FIRST = re.compile(r"/\*[0-9a-f]{4}\*/\s+(.*?);\s+/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/")


def control(high):
    """The scoreboards in the upper 64 bits of an instruction."""
    sets, reads, waits = high >> 46 & 7, high >> 49 & 7, high >> 52 & 63
    words = [f"sets {sets}"] if sets != NONE else []
    words += [f"reads {reads}"] if reads != NONE else []
    words += ["waits " + ",".join(str(i) for i in range(6) if waits >> i & 1)] if waits else []
    return waits, "; ".join(words)


def main():
    wanted, showing, text = sys.argv[1:], False, None
    for line in sys.stdin:
        function = re.search(r"Function : (?:_Z\d+)?(\w+)", line)
        if function:
            name = re.sub(r"9arguments$", "", function.group(1))
            showing = not wanted or name in wanted
            if showing:
                print(f"\n{name}")
            continue
        first = FIRST.search(line)
        if first:
            text = first.group(1)
            continue
        second = SECOND.match(line)
        if second and text and showing:
            waits, words = control(int(second.group(1), 16))
            if waits or SHOWN.search(text):
                print(f"    {text:<60} {words}".rstrip())
        text = None


if __name__ == "__main__":
    main()
