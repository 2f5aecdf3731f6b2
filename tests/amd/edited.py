# SPDX-License-Identifier: Apache-2.0
"""Schedules that are one edit away from another, most of them weaker."""

import copy

SYNC = ("wait_vm", "wait_lgkm", "barrier")


def lists_of(schedule):
    """All lists of entries of a schedule."""
    return [schedule["prologue"], schedule["kernel"], schedule["epilogue"],
            *(schedule.get("epilogues") or []), *(schedule.get("straight") or [])]


def without(schedule, names):
    """No wait or barrier of these names in the kernel phase."""
    schedule["kernel"][:] = [e for e in schedule["kernel"] if e["name"] not in names]


def delete(entries, at, _):
    del entries[at]


def weaken(entries, at, random):
    entries[at]["wait"] += random.randint(1, 2)


def move(entries, at, random):
    to = min(max(0, at + random.choice([-2, -1, 1, 1, 2, 3])), len(entries) - 1)
    entries.insert(to, entries.pop(at))


def edited(schedule, random):
    """A copy with one edit, and what it was; None where there is nothing to edit."""
    result = copy.deepcopy(schedule)
    if random.random() < 0.1:
        names = random.choice([("wait_vm",), ("wait_lgkm",), ("wait_vm", "wait_lgkm"), ("barrier",), SYNC])
        without(result, names)
        return result, f"the kernel phase without {', '.join(names)}"
    lists = lists_of(result)
    number = random.choice([n for n, entries in enumerate(lists) if entries] + [1, 1])
    entries = lists[number]
    sync = [n for n, e in enumerate(entries) if e["name"] in SYNC]
    other = [n for n, e in enumerate(entries) if e["name"] not in SYNC]
    waits = [n for n in sync if entries[n]["name"] != "barrier"]
    kinds = [(delete, sync), (weaken, waits), (move, sync), (move, other)]
    edit, places = random.choice(kinds)
    if not places:
        return None
    at = random.choice(places)
    text = f"{edit.__name__} entry {at} ({entries[at]['name']}) of list {number}"
    edit(entries, at, random)
    return result, text
