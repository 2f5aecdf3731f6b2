# SPDX-License-Identifier: Apache-2.0
"""The command's JSON in the plain shape of the golden files and of the oracle."""

from ops import NONE

RESOURCES = {"global_mem": 0, "lds": 1, "mma_unit": 2, "scalar": 3, "valu": 4, "none": NONE}
ROLES = {"global_load": 0, "shared_store": 1, "fragment_load": 2, "compute": 3, "sync": 4,
         "fence": 5, "valu_compute": 6, "none": NONE}
K_OFFSETS = {"k0": 0, "k1": 1, "k_next": 2, "k_prev": 3, "none": NONE}
KINDS = {"flow": 0, "anti": 1, "output": 2}

PHASES = ("prologue", "kernel", "epilogue")


def _op(row):
    return {"tag": row["tag"], "stage": row["stage"], "subtile": row["subtile"],
            "k": K_OFFSETS[row["k_offset"]], "channel": row["channel"],
            "role": ROLES[row["role"]]}


def _body_op(row):
    return dict(_op(row), resource=RESOURCES[row["resource"]], latency=row["latency"],
                vgpr_def=row["vgpr_def"], vgpr_kill=row["vgpr_kill"])


def _entry(row):
    return dict(_op(row), wait=row["wait"], prefetch=row["prefetch"])


def _edges(rows):
    return [[row["producer"], row["consumer"], KINDS[row["kind"]], row["distance"]]
            for row in rows]


def plain(schedule):
    """One schedule, parsed, in the plain shape. An absent key is a KeyError."""
    metrics = schedule["metrics"]
    info = {key: metrics[key] for key in ("makespan", "vgpr_peak", "lower_bound",
                                          "wait_lgkm_first", "wait_vm_last")}
    info.update(order=schedule["order"], how="seed" if metrics["seed"] else "search")
    out = {"body": [_body_op(row) for row in schedule["body"]],
           "edges": _edges(schedule["edges"]), "kernel_deps": _edges(schedule["kernel_deps"]),
           "warp_stagger_index": schedule["warp_stagger_index"], "info": info}
    out.update({phase: [_entry(row) for row in schedule[phase]] for phase in PHASES})
    return out


def as_stated(wanted, got):
    """The part of got that wanted states too: a golden file says less of an op than others do."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return {key: got[key] for key in wanted if key in got}
    if isinstance(wanted, list) and isinstance(got, list):
        return [as_stated(*pair) for pair in zip(wanted, got)] + got[len(wanted):]
    return got


def differences(wanted, got):
    """Lines that say where two plain schedules differ, entry by entry."""
    found = []
    for key in ("body", "edges", *PHASES, "kernel_deps", "warp_stagger_index"):
        stated = as_stated(wanted[key], got[key])
        if stated == wanted[key]:
            continue
        if not isinstance(stated, list):
            found.append(f"{key}: {stated}, wanted {wanted[key]}")
            continue
        if len(stated) != len(wanted[key]):
            found.append(f"{key}: {len(stated)} entries, wanted {len(wanted[key])}")
        found += [f"{key}[{i}]: {a}, wanted {b}"
                  for i, (a, b) in enumerate(zip(stated, wanted[key])) if a != b][:5]
    found += [f"info.{key}: {got['info'].get(key)}, wanted {value}"
              for key, value in wanted["info"].items() if got["info"].get(key) != value]
    return found
