#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py

A cluster of two work groups says of itself what it says written out as one: twice the roles, mbarriers and values, a copy for
each place to which a multicast goes, an arrival for each mbarrier, and the work group's barrier where the cluster meets
(docs/roles-reference.md, "Clusters"). Random edits of safe schedules have the same hazards both ways, from the same N. That a work group
may end before another one is left out: the meeting at the end stays.

SWP names the command; SWP_SEED replays a run, SWP_CASES scales it.
"""
import copy
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SWP = str(Path(os.environ.get("SWP", HERE / "../../build/dev/swp")).resolve())
SEED = int(os.environ.get("SWP_SEED", 47))
CASES = int(os.environ.get("SWP_CASES", 60))
RANKS = range(2)
LISTS = ("prologue", "kernel", "epilogue")


def verify(schedule):
    done = subprocess.run([SWP, "verify", "-", "--format", "json"], input=json.dumps(schedule), capture_output=True, text=True,
                          timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)["hazards"]


# --- One work group in place of two ---

def write_out_values(dataflow, shared_out):
    """Each rank's; of what a multicast makes, each rank's share in each."""
    for value in dataflow["values"]:
        for rank in RANKS:
            shares = [f"_{share}" for share in RANKS] if value["value"] in shared_out else [""]
            yield from ({**value, "value": f"{value['value']}{rank}{share}", "bytes": value["bytes"] // len(shares)}
                        for share in shares)


def names_of(value, rank, shared_out):
    return [f"{value}{rank}_{share}" for share in RANKS] if value in shared_out else [f"{value}{rank}"]


def write_out_op(op, rank, to, shared_out):
    """What a rank does, of a multicast the copy to one rank."""
    written = {key: op[key] for key in op if key != "multicast"}
    written["op"] = f"{op['op']}{rank}{to}"
    written["reads"] = [{**read, "value": name} for read in op["reads"] for name in names_of(read["value"], rank, shared_out)]
    written["updates"] = [f"{value}{rank}" for value in op["updates"]]
    written["writes"] = [f"{value}{to}_{rank}" if op.get("multicast") else f"{value}{rank}" for value in op["writes"]]
    return written


def write_out_entry(entry, rank, ops, numbers):
    entry = dict(entry)
    to_all = entry.pop("to") == "all"
    if entry["name"] == "cluster_arrive":
        return []
    if entry["name"] == "cluster_wait":
        return [{**entry, "tag": 128, "name": "barrier", "role": "sync"}]
    is_op = entry["tag"] < 128
    to_all |= is_op and ops[entry["tag"]].get("multicast", False)
    written = []
    for to in RANKS if to_all else [rank]:
        written.append({**entry, "object": entry["object"] and f"{entry['object']}{to}"})
        if is_op:
            written[-1]["tag"], written[-1]["name"] = numbers[entry["tag"], rank, to]
    return written


def write_out(schedule):
    """One work group, of no target as it has the memory of all, and of the entries of each list of rank 0 which they were."""
    ops = schedule["dataflow"]["ops"]
    shared_out = {value for op in ops if op.get("multicast") for value in op["writes"]}
    out = {key: copy.deepcopy(schedule[key]) for key in schedule if key not in ("cluster", "target")}
    out["dataflow"]["values"] = list(write_out_values(schedule["dataflow"], shared_out))
    out["dataflow"]["ops"], numbers, places, out["roles"] = [], {}, {}, []
    for number, op in enumerate(ops):
        for rank in RANKS:
            for to in RANKS if op.get("multicast") else [rank]:
                written = write_out_op(op, rank, to, shared_out)
                numbers[number, rank, to] = len(out["dataflow"]["ops"]), written["op"]
                out["dataflow"]["ops"].append(written)
    out["sync_objects"] = [{**item, "name": f"{item['name']}{rank}"} for rank in RANKS for item in schedule["sync_objects"]]
    for rank in RANKS:
        for role in schedule["roles"]:
            name = f"{role['name']}{rank}"
            out["roles"].append({**role, "name": name})
            for key in LISTS:
                entries = [write_out_entry(entry, rank, ops, numbers) for entry in role[key]]
                out["roles"][-1][key] = sum(entries, [])
                places[name, key] = [place for place, written in enumerate(entries) for _ in written]
    return out, places


# --- Hazards ---

def of_cluster(hazards):
    return {(h["kind"], h["role"], h["phase"], h["entry"], h["smallest_n"]) for h in hazards}


def of_rank_0(hazards, places):
    """A count of the other rank's phases is told at that rank's first operation in the cluster."""
    for hazard in hazards:
        if hazard["role"].endswith("0") and not re.match(r"phase -?\d+ of slot \d+ of \w+1 expects", hazard["detail"]):
            place = places[hazard["role"], hazard["phase"]]
            entry = place[hazard["entry"]] if hazard["entry"] < len(place) else (place[-1] + 1 if place else 0)
            yield hazard["kind"], hazard["role"][:-1], hazard["phase"], entry, hazard["smallest_n"]


# --- Edits ---

def edit(schedule, dice):
    """What was done, if anything."""
    role, key = dice.choice(schedule["roles"]), dice.choice(LISTS)
    entries = role[key]
    places = [i for i, entry in enumerate(entries) if not entry["name"].startswith("cluster")]
    what = dice.choice(("count", "drop", "exchange", "turn", "groups", "to", "by", "bytes"))
    if what == "count":
        item = dice.choice(schedule["sync_objects"])
        item["arrivals"] = max(1, item["arrivals"] + dice.choice((-2, -1, 1, 2)))
        return what, item["name"], item["arrivals"]
    if not places:
        return None
    place, other = dice.choice(places), dice.choice(places)
    entry = entries[place]
    if what == "drop":
        del entries[place]
    elif what == "exchange":
        entries[place], entries[other] = entries[other], entries[place]
    elif what == "turn" and (entry["object"] or entry["tag"] < 128):
        entry["iteration"] += dice.choice((-4, -1, 1, 4))
    elif what == "groups" and entry["name"] == "matrix_wait":
        entry["wait"] = max(0, entry["wait"] + dice.choice((-1, 1)))
    elif what == "to" and entry["name"] == "arrive":
        entry["to"] = "own" if entry["to"] == "all" else "all"
    elif what == "by" and entry["name"] in ("arrive", "wait_phase"):
        entry["by"] = "one" if entry["by"] == "all" else "all"
    elif what == "bytes" and entry["name"] == "arrive_expect":
        entry["bytes"] = dice.choice((8192, 16384, 49152))
    return what, role["name"], key, place, other


def readers(gemm):
    """A smaller one, whose consumers read by ordinary instructions."""
    schedule = copy.deepcopy(gemm)
    producer, consumer = schedule["roles"]
    schedule["dataflow"]["ops"][2].update(op="READ", completion="none", read_cycles=0)
    for item in schedule["dataflow"]["values"][:2] + schedule["sync_objects"]:
        item["slots"] = 2
    for key in ("prologue", "kernel"):
        producer[key][0]["iteration"] += 2
    consumer.update(instances=1, warps=1)
    schedule["sync_objects"][1]["arrivals"] = 64
    wait, fence, read, _ = consumer["prologue"]
    fence.update(tag=144, name="fence_async")
    read.update(name="READ")
    arrive = {**consumer["kernel"][4], "by": "all"}
    for key, turn in (("prologue", 0), ("kernel", 1)):
        consumer[key] = [{**wait, "iteration": turn}, {**read, "iteration": turn}, fence, {**arrive, "iteration": turn}]
    del consumer["epilogue"][:2]
    return schedule


def judge(case):
    number, schedule, edits = case
    cluster = of_cluster(verify(schedule))
    written, places = write_out(schedule)
    alone = set(of_rank_0(verify(written), places))
    if cluster != alone:
        print(f"case {number}: {edits}\n  the cluster alone: {sorted(cluster - alone)}\n  written out alone: {sorted(alone - cluster)}")
    return cluster == alone, not cluster


def cases():
    gemm = json.loads((HERE / "../roles/gemm_cluster.json").read_text())
    bases = [gemm, readers(gemm)]
    for number in range(CASES):
        dice = random.Random(f"{SEED} {number}")
        schedule = copy.deepcopy(bases[number % 2])
        yield number, schedule, [edit(schedule, dice) for _ in range(number // 2 and dice.choice((1, 1, 1, 2, 3)))]


if __name__ == "__main__":
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(judge, cases()))
    same, safe = (sum(answer[i] for answer in answers) for i in range(2))
    print(f"clusters: {same} of {CASES} are the same written out, {safe} of them safe (SWP_SEED={SEED})")
    sys.exit(same < CASES)
