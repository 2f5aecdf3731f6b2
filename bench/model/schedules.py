# SPDX-License-Identifier: Apache-2.0
"""The schedules that the model is tested with: for each a problem, a kernel, and what `swp compile` makes it from."""
import itertools

BLOCKS = [(128, 256, 32), (256, 128, 32), (128, 128, 32), (64, 256, 32), (128, 256, 64), (128, 128, 64)]
BLOCKS_OF_EIGHT_WARPS = [(128, 256, 32), (256, 128, 32), (128, 256, 64)]
SYNCHRONISATIONS = {"published": ("template", "cycles"), "derived": ("derived", "cycles"), "fewest": ("derived", "barriers")}
# Slots of A and B by what fits into 227 KB: consumers, columns of a block, bytes of a row. Three consumers of 256 columns
# have too few registers.
GEMM_SLOTS = {(1, 128, 128): (1, 2, 3, 4, 6, 8), (1, 256, 128): (1, 2, 3, 4, 5), (2, 128, 128): (1, 2, 3, 4, 6),
              (2, 256, 128): (1, 2, 3, 4), (3, 128, 128): (1, 2, 3, 4), (2, 128, 64): (2, 4, 8), (2, 256, 64): (2, 4, 8)}
ATTENTION_SLOTS = [(1, 1), (1, 2), (2, 2), (3, 3)]  # of K, of V
SHARED_BYTES = 232448


def schedule(name, problem, kernel, source, **settings):
    return {"name": name, "problem": problem, "kernel": kernel, "source": source,
            "settings": {key.replace("__", "."): str(value) for key, value in settings.items()}}


def mma_sync():
    problem, kernel = "GEMM, mma.sync", "MMA_SYNC"
    for block, slots in itertools.product(BLOCKS, (1, 2, 3, 4)):
        shape = " ".join(map(str, block))
        yield schedule(f"stages{slots}_" + "x".join(map(str, block)), problem, kernel, f"stages.py {slots} {shape}")
    for source, block in itertools.product(("pingpong", "fourwave"), BLOCKS_OF_EIGHT_WARPS):
        for name, (sync, goal) in SYNCHRONISATIONS.items():
            if (source, name) != ("fourwave", "published"):  # `swp verify` refuses it on this machine
                yield schedule(f"{source}_{name}_" + "x".join(map(str, block)), problem, kernel, f"{source}.yaml",
                               geometry__block=",".join(map(str, block)), schedule__sync=sync, schedule__sync_goal=goal)
    for name in ("published", "derived"):
        yield schedule(f"single_buffer_{name}", problem, kernel, "single_buffer.yaml",
                       schedule__sync=SYNCHRONISATIONS[name][0])


def wgmma():
    for (consumers, columns, row), of in GEMM_SLOTS.items():
        for slots in of:
            yield schedule(f"wgmma_{64 * consumers}x{columns}x{row // 2}_slots{slots}", "GEMM, wgmma", "WGMMA",
                           "hopper/gemm.yaml", variables__consumers=consumers, variables__bn=columns,
                           variables__row=row, variables__slots=slots)


def attention(head):
    for consumers, keys, (k, v) in itertools.product((1, 2, 3), (64, 128), ATTENTION_SLOTS):
        if (consumers, keys) == (3, 128) or (64 * consumers + (k + v) * keys) * head * 2 > SHARED_BYTES:
            continue  # no registers; no shared memory
        yield schedule(f"attention{head}_{64 * consumers}x{keys}_slots{k}{v}", f"attention, d = {head}", "ATTENTION",
                       "hopper/attention.yaml", variables__head=head, variables__consumers=consumers,
                       variables__keys=keys, variables__slots_k=k, variables__slots_v=v)


SCHEDULES = [*mma_sync(), *wgmma(), *attention(64), *attention(128)]
