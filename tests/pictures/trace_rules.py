#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a trace against the rules of Chrome's trace event format: which keys, names, nesting, arrows."""
import collections


def overlaps(slices):
    """The first pair of slices of one thread of which neither lies in the other or behind it."""
    open_ends = []
    for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1][0] <= begin:
            open_ends.pop()
        if open_ends and end > open_ends[-1][0]:
            return f"{name} at {begin} to {end} is neither within nor behind {open_ends[-1][1]}, to {open_ends[-1][0]}"
        open_ends.append((end, name))
    return None


def faults(trace):
    """What is wrong with it, in words."""
    found = []
    slices, names, orders = collections.defaultdict(list), {}, set()
    arrows = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        thread = (event.get("pid"), event.get("tid"))
        if not all(isinstance(n, int) for n in thread):
            found.append(f"no process or thread: {event}")
        elif event["ph"] == "X":
            slices[thread].append((event["ts"], event["ts"] + event["dur"], event["name"]))
            if event["dur"] < 0 or event["ts"] < 0:
                found.append(f"a slice out of time: {event}")
        elif event["ph"] == "M":
            key = (*thread, event["name"].split("_")[0])
            if event["name"].endswith("_name"):
                names[key] = event["args"]["name"]
            else:
                orders.add(key)
        elif event["ph"] in "sf":
            arrows[event["id"]].append(event)
        else:
            found.append(f"unknown phase: {event}")
    for pid, tid in slices:
        if (pid, tid, "thread") not in names or (pid, 0, "process") not in names:
            found.append(f"thread {tid} of process {pid} has no name")
        if (pid, tid, "thread") not in orders:
            found.append(f"thread {tid} of process {pid} has no order")
        found.append(overlaps(slices[pid, tid]))
    for number, ends in arrows.items():
        found.append(arrow_fault(number, ends, slices))
    return [fault for fault in found if fault]


def arrow_fault(number, ends, slices):
    if sorted(event["ph"] for event in ends) != ["f", "s"]:
        return f"arrow {number} has {len(ends)} ends"
    start, finish = sorted(ends, key=lambda event: event["ph"] == "f")
    if start["ts"] > finish["ts"]:
        return f"arrow {number} goes back in time"
    if finish.get("bp") != "e":
        return f"arrow {number} does not end at the slice around it"
    for event in ends:
        around = [s for s in slices[event["pid"], event["tid"]] if s[0] <= event["ts"] <= s[1]]
        if not around:
            return f"arrow {number} has an end in no slice"
    return None
