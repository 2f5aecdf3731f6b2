# SPDX-License-Identifier: Apache-2.0
"""Safe schedules with warp roles, made of the ring of tests/roles/gemm_ring.json."""

import copy
import json
from pathlib import Path

TAGS = {"barrier": 128, "arrive": 134, "arrive_expect": 135, "wait_phase": 136, "named_sync": 137, "named_arrive": 138,
        "matrix_commit": 139, "matrix_wait": 140, "bulk_commit": 141, "bulk_wait": 142, "bulk_wait_read": 143, "fence_async": 144,
        "matrix_fence": 145}
OPS = ("LOAD", "MMA", "STAGE", "STORE", "STAGE_1", "STORE_1")


def ring():
    return json.loads((Path(__file__).resolve().parent.parent / "roles" / "gemm_ring.json").read_text())


def entry(name, by="all", **members):
    tag, role = (OPS.index(name), "none") if name in OPS else (TAGS[name], "sync")
    return {"tag": tag, "name": name, "iteration": 0, "wait": 0, "subtile": 0, "role": role, "object": "", "slot": 0, "slot_step": 0,
            "bytes": 0, "by": by, "instances": 0} | members


def shifted(entries, by):
    return [entry | {"iteration": entry["iteration"] + by} for entry in entries]


def unrolled(schedule, factor):
    """The same loop with `factor` passes in one, so that slots and parities can be literals."""
    out = copy.deepcopy(schedule)
    out["loop"]["tiles_per_pass"] = factor
    for role in out["roles"]:
        kernel, epilogue = role["kernel"], role["epilogue"]
        role["kernel"] = [entry for k in range(factor) for entry in shifted(kernel, k)]
        role["epilogues"] = [[entry for k in range(rest) for entry in shifted(kernel, k)] + shifted(epilogue, rest)
                             for rest in range(1, factor)]
    return out


def with_all_arriving():
    """Each thread of a consumer hands a slot back."""
    out = ring()
    out["sync_objects"][1]["arrivals"] = 256
    for entries in (out["roles"][1]["kernel"], out["roles"][1]["epilogue"]):
        entries[-1]["by"] = "all"
    return out


def without_registers():
    """The producer is one warp, and three that are nobody's stand before the first warp group."""
    out = ring()
    for role in out["roles"]:
        role["registers"] = 0
    return out


def in_step():
    """All instances meet once in each pass."""
    out = ring()
    for role in out["roles"]:
        role["kernel"].append(entry("barrier"))
    return out


def with_stores():
    """After each tile the consumers store their sums through shared memory, and they take turns to issue wgmmas."""
    out = ring()
    loop = out["dataflow"]
    loop["values"].append({"value": "S", "space": "shared", "bytes": 1024, "slots": 2})
    common = {"latency": 20, "read_cycles": 0, "accesses": 1, "uses": [], "updates": []}
    loop["ops"].append({"op": "STAGE", "completion": "none", "reads": [{"value": "C", "before": 0}], "writes": ["S"]} | common)
    loop["ops"].append({"op": "STORE", "completion": "store_group", "reads": [{"value": "S", "before": 0}], "writes": []} | common)
    out["sync_objects"] += [{"name": "turns", "kind": "named_barrier", "slots": 2, "arrivals": 0, "threads": 256},
                            {"name": "own", "kind": "named_barrier", "slots": 2, "arrivals": 0, "threads": 128}]
    my_turn, your_turn = ({"object": "turns", "slot": slot, "slot_step": 1} for slot in (0, 1))
    meet = entry("named_sync", object="own", slot_step=1)
    tile = [entry("wait_phase", object="full"), entry("named_sync", **my_turn), entry("matrix_fence"), entry("MMA"),
            entry("matrix_commit"), entry("named_arrive", **your_turn), entry("matrix_wait"), entry("arrive", "one", object="empty"),
            entry("bulk_wait_read", "one", wait=1), meet, entry("STAGE"), entry("fence_async"), meet, entry("STORE", "one"),
            entry("bulk_commit", "one")]
    last = [one | {"instances": 1} if one["name"] == "named_arrive" else one for one in tile]
    out["roles"][1] |= {"prologue": [entry("named_arrive", instances=2, **your_turn)], "kernel": tile,
                        "epilogue": [*last, entry("bulk_wait_read", "one")]}
    return copy.deepcopy(out)


def with_halves():
    """The sums leave in halves, the second through the buffer of the first."""
    out = with_stores()
    loop = out["dataflow"]
    stage, store = (op | {"op": f"{op['op']}_1"} for op in loop["ops"][-2:])
    loop["values"][-1]["slots"] = 1
    loop["ops"] += [stage | {"writes": [], "updates": ["S"]}, store]
    meet = entry("named_sync", object="own", slot_step=1)
    half = [entry("bulk_wait_read", "one"), meet, entry("STAGE_1"), entry("fence_async"), meet, entry("STORE_1", "one"), entry("bulk_commit", "one")]
    consumer = out["roles"][1]
    consumer["kernel"] += half
    consumer["epilogue"][-1:-1] = half
    for entries in (consumer["kernel"], consumer["epilogue"]):
        next(one for one in entries if one["name"] == "bulk_wait_read")["wait"] = 0
    return copy.deepcopy(out)
