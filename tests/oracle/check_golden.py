# SPDX-License-Identifier: Apache-2.0
"""Compare the oracle with the golden files and with the published numbers.

    python3 check_golden.py [GOLDEN_FOLDER]

The folder is ../golden beside this file unless another is given.
"""

import json
import os
import sys

from kernels import compile_kernel
from ops import ANTI, FLOW
from plain import differences

GOLDEN_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")

PINGPONG_8 = {"schedule.lgkm_per_load_a": "8", "schedule.lgkm_per_load_b": "8"}
PINGPONG_0 = {"schedule.lgkm_per_load_a": "4", "schedule.lgkm_per_load_b": "4",
              "pipeline.max_globals": "0"}
FOURWAVE_4 = {"pipeline.lgkm_per_load_a": "4", "pipeline.lgkm_per_load_b": "4"}
MASKS = dict(PINGPONG_8, **{"schedule.wrap_waits_with_sched_barrier": "true",
                            "schedule.drain_lgkm_mask": "0b10100110",
                            "schedule.sched_barrier_mask": "1"})

# kernel, settings, body, edges (FLOW d0, FLOW d1, ANTI d0) or in all, prologue, kernel,
# epilogue, kernel deps, stagger: the published numbers
TABLE = (
    ("pingpong", PINGPONG_8, 24, [22, 18, 14], 10, 70, 58, 8, 4),
    ("pingpong", PINGPONG_0, 24, [22, 18, 14], 10, 70, 57, 8, 4),
    ("fourwave", FOURWAVE_4, 24, [16, 24, 24], 14, 48, 32, 8, 15),
    ("single_buffer", {"num_k_tiles": "1"}, 6, 6, 6, 38, 9, 6, 7),
    ("single_buffer", {"num_k_tiles": "2"}, 8, 8, 6, 56, 13, 8, 7),
)

FILES = (
    ("pingpong.json", "pingpong", PINGPONG_8),
    ("pingpong_masks.json", "pingpong", MASKS),
    ("fourwave.json", "fourwave", FOURWAVE_4),
    ("single_buffer_t2.json", "single_buffer", {"num_k_tiles": "2"}),
)


def edge_counts(edges, wanted):
    """Counts in the shape of the wanted value: per kind and distance, or in all."""
    if isinstance(wanted, int):
        return len(edges)
    groups = [(FLOW, 0), (FLOW, 1), (ANTI, 0)]
    counts = [sum((e[2], e[3]) == group for e in edges) for group in groups]
    return counts if sum(counts) == len(edges) else f"{counts} of {len(edges)}"


def table_row(kernel, settings, wanted_edges):
    got = compile_kernel(kernel, settings)
    return [len(got["body"]), edge_counts(got["edges"], wanted_edges), len(got["prologue"]),
            len(got["kernel"]), len(got["epilogue"]), len(got["kernel_deps"]),
            got["warp_stagger_index"]]


def without_how(golden):
    """How an answer was found is the command's to say."""
    return dict(golden, info={key: value for key, value in golden["info"].items()
                              if key != "how"})


def main(folder):
    failures = 0
    for kernel, settings, *wanted in TABLE:
        got = table_row(kernel, settings, wanted[1])
        failures += got != wanted
        print("ok  " if got == wanted else "FAIL", "table", kernel, settings, got, wanted)
    for name, kernel, settings in FILES:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            golden = without_how(json.load(file))
        found = differences(golden, compile_kernel(kernel, settings))
        failures += bool(found)
        print("FAIL" if found else "ok  ", "file ", name)
        for line in found:
            print("     ", line)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else GOLDEN_FOLDER))
