#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Long assembly for gfx950, made of a real kernel's: how long `swp audit` takes for it, and how much memory.

    SWP=path/to/swp audit_long.py KERNEL.s [--lines N] [--shape body|blocks|kernels] [--write FILE] [--at-most SECONDS,MB]

Of KERNEL.s, a file with one kernel such as bench/audit_triton.py writes, the innermost loop with the most lines is found.

    body     that loop's body so many times over in one pass, as an unrolled loop has it
    blocks   the same with a branch to the next copy behind each, so that the passes are blocks
    kernels  the whole kernel so many times over, each with a name of its own

With --at-most the exit status is 1 if it takes longer, or more memory.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import time

SWP = os.environ.get("SWP", "build/release/swp")
LABEL = re.compile(r"^(\.LBB\w+):")


def innermost_loop(lines):
    """(first line, line of the branch back) of the longest loop that has none inside."""
    at = {found[1]: i for i, line in enumerate(lines) if (found := LABEL.match(line))}
    loops = []
    for i, line in enumerate(lines):
        found = re.match(r"\ts_c?branch\w*\s+(\.LBB\w+)", line)
        if found and at.get(found[1], i) < i and "Loop Header" in lines[at[found[1]]]:
            loops.append((at[found[1]], i))
    inner = [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    if not inner:
        sys.exit("this kernel has no loop")
    return max(inner, key=lambda loop: loop[1] - loop[0])


def renamed(lines, suffix):
    """Their own labels get another name."""
    own = {line.split(":")[0] for line in lines if re.match(r"\.L\w+:", line)}
    return [re.sub(r"\.L\w+", lambda found: f"{found[0]}_{suffix}" if found[0] in own else found[0], line) for line in lines]


def unrolled(lines, wanted, blocks):
    first, back = innermost_loop(lines)
    body = lines[first + 1:back]
    copies = max(1, (wanted - len(lines)) // (len(body) + 2 * blocks) + 1)
    made = []
    for i in range(copies):
        made += renamed(body, f"copy{i}")
        if blocks and i + 1 < copies:
            made += [f"\ts_cbranch_scc1 .Lcopy{i}\n", f".Lcopy{i}:\n"]
    return lines[:first + 1] + made + lines[back:]


def repeated(lines, wanted):
    """The kernel with names of its own, and its metadata."""
    text = "".join(lines)
    name = re.search(r"\.type\s+(\w+),@function", text)[1]
    head, rest = text.split("\t.text\n", 1)
    code, metadata = rest.split("\t.amdgpu_metadata\n", 1)
    one = metadata[metadata.index("  - "):metadata.index("amdhsa.target")]
    out, kernels = [head], []
    for i in range(max(1, wanted // len(lines))):
        own = f"{name}{i}"
        out += ["\t.text\n"] + renamed(re.sub(rf"\b{name}\b", own, code).splitlines(True), i)
        kernels.append(re.sub(rf"\b{name}\b", own, one))
    return out + ["\t.amdgpu_metadata\n", metadata[:metadata.index("  - ")], *kernels, metadata[metadata.index("amdhsa.target"):]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel")
    parser.add_argument("--lines", type=int, default=100000)
    parser.add_argument("--shape", choices=("body", "blocks", "kernels"), default="body")
    parser.add_argument("--write")
    parser.add_argument("--at-most", help="seconds, and megabytes")
    options = parser.parse_args()
    with open(options.kernel, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    made = repeated(lines, options.lines) if options.shape == "kernels" else \
        unrolled(lines, options.lines, options.shape == "blocks")
    text = "".join(made)
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(text)
    start = time.monotonic()
    result = subprocess.run([SWP, "audit", "-"], input=text, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    said = (result.stdout or result.stderr).strip().splitlines()
    print(f"{options.shape}: {text.count(chr(10))} lines, {seconds:.1f} s, {megabytes:.0f} MB: {said[-1] if said else 'nothing said'}")
    most = [float(number) for number in options.at_most.split(",")] if options.at_most else [float("inf")] * 2
    return 1 if seconds > most[0] or megabytes > most[1] else 0


if __name__ == "__main__":
    sys.exit(main())
