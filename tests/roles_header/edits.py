# SPDX-License-Identifier: Apache-2.0
"""Schedules with warp roles, edited: each edit of a kind, with a name."""

import copy

LISTS = ("prologue", "kernel", "epilogue")


def entries_of(schedule):
    """(role, list, index)"""
    for r, role in enumerate(schedule["roles"]):
        for name in LISTS:
            for i in range(len(role[name])):
                yield r, name, i


def with_entry(schedule, at, **members):
    out = copy.deepcopy(schedule)
    role, name, i = at
    out["roles"][role][name][i].update(members)
    return out


def with_object(schedule, i, **members):
    out = copy.deepcopy(schedule)
    out["sync_objects"][i].update(members)
    return out


def without(schedule, at):
    out = copy.deepcopy(schedule)
    role, name, i = at
    del out["roles"][role][name][i]
    return out


def swapped(schedule, at):
    out = copy.deepcopy(schedule)
    role, name, i = at
    entries = out["roles"][role][name]
    entries[i:i + 2] = entries[i + 1], entries[i]
    return out


def edits_of_entry(schedule, at):
    """(kind, what, schedule)"""
    role, name, i = at
    entry = schedule["roles"][role][name][i]
    where = f"{schedule['roles'][role]['name']} {name} {i} {entry['name']}"
    yield "without", where, without(schedule, at)
    if entry["name"].startswith("named"):
        yield "turn", f"{where} other slot", with_entry(schedule, at, slot=1 - entry["slot"])
    elif entry["object"] or entry["role"] == "none":
        for by in (-1, 1):
            yield "turn", f"{where} {by:+}", with_entry(schedule, at, iteration=entry["iteration"] + by)
    if entry["name"] in ("matrix_wait", "bulk_wait_read"):
        yield "wait", f"{where} +1", with_entry(schedule, at, wait=entry["wait"] + 1)
    if entry["name"] == "arrive":
        yield "threads", f"{where} by all", with_entry(schedule, at, by="all")
    if entry["name"] == "wait_phase":
        by = "all" if entry["by"] == "one" else "one"
        yield "threads", f"{where} by {by}", with_entry(schedule, at, by=by)
    if entry["name"] == "arrive_expect":
        for factor in (0.5, 2):
            yield "bytes", f"{where} x {factor}", with_entry(schedule, at, bytes=int(entry["bytes"] * factor))
    if schedule["roles"][role]["instances"] > 1:
        yield "instances", f"{where} by instance 0", with_entry(schedule, at, instances=1)
    if i + 1 < len(schedule["roles"][role][name]):
        yield "swapped", f"{where} and the next", swapped(schedule, at)


def edits_of_objects(schedule):
    for i, thing in enumerate(schedule["sync_objects"]):
        where = f"object {thing['name']}"
        for by in (-1, 1):
            if thing["kind"] == "mbarrier" and thing["arrivals"] + by > 0:
                yield "arrivals", f"{where} {by:+}", with_object(schedule, i, arrivals=thing["arrivals"] + by)
            if thing["kind"] == "named_barrier":
                yield "arrivals", f"{where} {32 * by:+}", with_object(schedule, i, threads=thing["threads"] + 32 * by)
            if thing["slots"] + by > 0:
                yield "slots", f"{where} {by:+}", with_object(schedule, i, slots=thing["slots"] + by)
    for i, value in enumerate(schedule["dataflow"]["values"]):
        if value["space"] == "shared":
            for by in (-1, 1):
                out = copy.deepcopy(schedule)
                out["dataflow"]["values"][i]["slots"] += by
                if out["dataflow"]["values"][i]["slots"] < 1:
                    continue
                yield "slots", f"value {value['value']} {by:+}", out


def edits(schedule):
    for at in entries_of(schedule):
        yield from edits_of_entry(schedule, at)
    yield from edits_of_objects(schedule)
