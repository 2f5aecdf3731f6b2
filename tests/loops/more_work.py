#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""More work is never worse: of random loops, the cycles with waits never grow with the limit of work.

    SWP=path/to/swp loops/more_work.py [COUNT [SEED]]

Half of the loops have warp roles; they are those of bench/default_answers.py. SWP_FULL=1 takes 100 of them. Prints each loop
that is slower with more work, and its seed; SEED alone replays it with COUNT 1.
"""

import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "bench"))
import default_answers  # noqa: E402

NODES = ("1", "300", "5000", "30000", "200000")
SECONDS = ("0.01s", "0.1s", "0.5s", "2s", "10s")


AS_GOOD = 1.0025  # so many more cycles are as good (docs/loops-proof.md, "Room for waits")


def is_monotone(seed):
    kind = ("roles", "plain")[seed % 2]
    loop, target = default_answers.KINDS[kind](random.Random(f"{kind} {seed}"))
    limits = (NODES, SECONDS)[seed // 2 % 2]
    found = [default_answers.compiled(default_answers.SWP, f"{kind}{seed}", loop, target, ("--work-limit", limit)) for limit in limits]
    if any(isinstance(one, str) for one in found):
        print(f"seed {seed}, {kind}: {[one for one in found if isinstance(one, str)]}")
        return False
    cycles = [one["cycles"] for one in found]
    is_sorted = all(more <= less * AS_GOOD for i, less in enumerate(cycles) for more in cycles[i + 1:])
    if not is_sorted:
        print(f"seed {seed}, {kind}: {cycles} cycles with limits of {', '.join(limits)}", flush=True)
    return is_sorted


def main():
    full = os.environ.get("SWP_FULL") == "1"
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100 if full else 8
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    worse = [seed for seed in range(first, first + count) if not is_monotone(seed)]
    print(f"more work: {count} random loops, {len(worse)} of them worse with more")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
