#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: kernels/cuda/stages.py SLOTS [BM BN BK] > FILE.json

Writes the schedule of a matmul with SLOTS slots in shared memory, 1 to 4, and blocks of BM x BN x BK
(128 256 32), for `swp verify` and `swp emit --format c`. A `body:` has at most two slots, so these
schedules are stated as they run.

With one buffer each tile is loaded, waited for and computed. With more, a pass computes a tile from
each buffer. Fragments are read half a tile ahead: of the quadrants (0,0) (0,1) (1,0) (1,1), row 0 and
column 0 have their last use in the middle, so those of the next tile replace them there. One wait and
one barrier a tile stand in front of that: the next tile has landed in every warp's view, and the
buffer of this tile has been read by all warps and takes the loads of a later tile.
"""
import json
import sys

TAGS = {"LOAD_A": 0, "LOAD_B": 1, "MMA_LOAD_A": 3, "MMA_LOAD_B": 4, "MMA": 5, "barrier": 128, "wait_vm": 129}
ROLES = {"LOAD": "global_load", "MMA_LOAD": "fragment_load", "MMA": "compute"}
K_OFFSETS = {-1: "k_prev", 0: "k0", 1: "k1", 2: "k_next"}
WARP = 64  # rows and columns of the block that a warp computes
FARTHEST = 3  # tiles that the prologue can load ahead: k0, k1, k_next
# The latencies of target sm_80, for `swp simulate`.
COSTS = {"global_load": ("global_mem", 290), "fragment_load": ("lds", 41), "compute": ("mma_unit", 128)}
# The order in which the parts of a tile are needed.
PARTS = [("A", 0), ("B", 0), ("B", 1), ("A", 1)]


def entry(name, role, **fields):
    return {"tag": TAGS[name], "name": name, "stage": 0, "subtile": 0, "k_offset": "none", "channel": -1,
            "wait": 0, "role": role, "prefetch": False, "vm_cost": 0, "lgkm_cost": 0, **fields}


def data(kind, operand, stage, subtile, **fields):
    return entry(kind + "_" + operand, ROLES[kind], channel="AB".index(operand), stage=stage,
                 subtile=subtile, **fields)


class Phase:
    """Entries of a phase in which tile `base` stands at kb, and what is in flight before it."""

    def __init__(self, slots, base, in_flight=()):
        self.slots, self.base = slots, base
        self.entries, self.in_flight = [], list(in_flight)

    def load(self, tile, operand, subtile):
        self.in_flight.append(tile)
        self.entries.append(data("LOAD", operand, tile % self.slots, subtile, vm_cost=1, prefetch=True,
                                 k_offset=K_OFFSETS[tile - self.base]))

    def frag(self, tile, operand, subtile):
        self.entries.append(data("MMA_LOAD", operand, tile % self.slots, subtile))

    def mma(self, row, column):
        self.entries.append(entry("MMA", ROLES["MMA"], stage=row, subtile=column))

    def wait_for(self, tile):
        """Groups retire in order: those after the tile's last one may stay in flight."""
        last = max(i for i, loaded in enumerate(self.in_flight) if loaded == tile)
        self.entries.append(entry("wait_vm", "sync", wait=len(self.in_flight) - 1 - last))
        self.barrier()

    def barrier(self):
        self.entries.append(entry("barrier", "sync"))


def one_tile(phase, tile):
    for operand, subtile in PARTS:
        phase.load(tile, operand, subtile)
    phase.wait_for(tile)
    for operand, subtile in PARTS:
        phase.frag(tile, operand, subtile)
    for quadrant in range(4):
        phase.mma(quadrant // 2, quadrant % 2)


def load_wait_compute():
    kernel, epilogue = Phase(1, 1), Phase(1, 1)
    one_tile(kernel, 0)
    kernel.barrier()
    one_tile(epilogue, 0)
    return [], kernel.entries, epilogue.entries


def steady_tile(phase, tile, ahead, last):
    """Tile `tile`, while the loads of `tile + ahead` go out; no tile after `last` is touched."""
    loads = [] if tile + ahead > last else [(tile + ahead, *part) for part in PARTS]
    # Loads stand together, and apart from fragment loads: ptxas puts three more instructions between a
    # fragment load and a copy. A buffer that this tile frees can be loaded only behind the barrier.
    after = [loads[:2], loads[2:], [], []] if ahead < phase.slots else [[], [], [], loads]

    def mma(row, column):
        phase.mma(row, column)
        for load in after[2 * row + column]:
            phase.load(*load)

    phase.frag(tile, "B", 1)
    mma(0, 0)
    phase.frag(tile, "A", 1)
    mma(0, 1)
    if tile < last:
        phase.wait_for(tile + 1)
        phase.frag(tile + 1, "A", 0)
    mma(1, 0)
    if tile < last:
        phase.frag(tile + 1, "B", 0)
    mma(1, 1)


def rotation(slots):
    ahead = min(slots, FARTHEST)
    prologue = Phase(slots, 0)
    for tile in range(ahead):
        for operand, subtile in PARTS:
            prologue.load(tile, operand, subtile)
    prologue.wait_for(0)
    prologue.frag(0, "A", 0)
    prologue.frag(0, "B", 0)
    kernel = Phase(slots, slots, prologue.in_flight)
    for tile in range(slots):
        steady_tile(kernel, tile, ahead, 2 * slots)
    epilogue = Phase(slots, slots, prologue.in_flight)
    for tile in range(slots):
        steady_tile(epilogue, tile, ahead, slots - 1)
    return prologue.entries, kernel.entries, epilogue.entries


def body(kernel):
    """The data ops of a pass with their costs, from which `swp simulate` takes the latencies."""
    ops = []
    for op in kernel:
        if op["role"] not in COSTS:
            continue
        resource, latency = COSTS[op["role"]]
        keys = ("tag", "name", "stage", "subtile", "k_offset", "channel", "role")
        ops.append({**{key: op[key] for key in keys}, "resource": resource, "latency": latency,
                    "vgpr_def": 0, "vgpr_kill": 0})
    return ops


def geometry(block):
    names = ("block_m", "block_n", "block_k", "mma_m", "mma_n", "mma_k", "elem_bytes", "warps_m", "warps_n")
    return dict(zip(names, (*block, 16, 8, 16, 2, block[0] // WARP, block[1] // WARP)))


def machine(waves):
    return {"groups": 1, "waves_per_group": waves, "lag": 0, "lag_prologue_index": 0, "lag_end_barrier": True,
            "barrier": "fenced", "registers": "managed", "vm_max": 65535, "lgkm_max": 65535,
            "counter_full": "stall", "barrier_cycles": 0, "issue_cycles": 1}


def main():
    numbers = sys.argv[1:]
    if len(numbers) not in (1, 4) or not all(n.isdecimal() for n in numbers) or not 1 <= int(numbers[0]) <= 4:
        sys.exit(__doc__)
    slots, *block = map(int, numbers + ["128", "256", "32"][:4 - len(numbers)])
    shape = geometry(block)
    prologue, kernel, epilogue = load_wait_compute() if slots == 1 else rotation(slots)
    schedule = {
        "swp": 1, "name": "stages%d" % slots, "target": "sm_80",
        "machine": machine(shape["warps_m"] * shape["warps_n"]),
        "loop": {"tiles_per_pass": slots, "first_base": slots, "min_tiles": slots, "multiple": slots,
                 "m_mmas": 2, "n_mmas": 2, "placement": "k_offset"},
        "geometry": shape, "body": body(kernel), "prologue": prologue, "kernel": kernel,
        "epilogue": epilogue}
    json.dump(schedule, sys.stdout)
    print()


main()
