#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: labels.py SWP [SEED]: the labels of a GEMM say what its dataflow says, and no judge reads them.

Labels are compared with the dataflow, then overwritten with random ones, of a safe schedule and of one that lacks a
wait: what is judged, run, simulated and emitted stays the same, and is written with the old labels again.
"""
import json
import random
import subprocess
import sys

LOOP = "gemm_fragments"
LISTS = ("prologue", "kernel", "epilogue")
WORK = 128  # tags from here on are the framework's
K_OFFSETS = {0: "k0", 1: "k1", 2: "k_next", -1: "k_prev", **{n: f"k{n}" for n in range(3, 9)},
             **{-n: f"k_prev{n}" for n in range(2, 9)}}
JUDGES = (["verify", "--format", "json"], ["run", "--n", "0..5", "--seeds", "4", "--format", "json"],
          ["simulate", "--format", "json"], ["explain", "--format", "json"], ["emit", "--format", "text"],
          ["emit", "--format", "c", "--allow-unsafe"])


def swp(command, schedule, *words):
    result = subprocess.run([sys.argv[1], command, "-", *words], input=json.dumps(schedule), capture_output=True,
                            text=True, check=False)
    assert result.returncode < 2, result.stderr
    return result.stdout


def lists_of(schedule):
    """(entries, kb from the base of their iterations)"""
    least, base = schedule["loop"]["min_tiles"], schedule["loop"]["first_base"]
    yield from zip((schedule[name] for name in LISTS), (0, base, least))
    yield from ((entries, least + r) for r, entries in enumerate(schedule["epilogues"], 1))
    yield from ((entries, n) for n, entries in enumerate(schedule["straight"]))


def work_of(schedule):
    return [(entry, kb) for entries, kb in lists_of(schedule) for entry in entries if entry["tag"] < WORK]


def labels_by_hand(schedule, entry, kb):
    """What the op's dataflow and its name in gemm_fragments say: LOAD_A1, FRAG_B0, MMA_10."""
    slots = {v["value"]: v["slots"] for v in schedule["dataflow"]["values"]}
    op = schedule["dataflow"]["ops"][entry["tag"]]
    kind, where = entry["name"].split("_")
    if kind == "MMA":
        return {"role": "compute", "stage": int(where[0]), "subtile": int(where[1]), "k_offset": "none", "channel": -1}
    place = op["writes"][0] if kind == "LOAD" else op["reads"][0]["value"]
    return {"role": "global_load" if kind == "LOAD" else "fragment_load", "stage": entry["iteration"] % slots[place],
            "subtile": int(where[1]), "channel": "AB".index(where[0]),
            "k_offset": K_OFFSETS[entry["iteration"] - kb] if kind == "LOAD" else "none"}


def relabel(r, op):
    op.update(role=r.choice(("global_load", "fragment_load", "compute", "valu_compute", "none")), stage=r.randint(0, 9),
              subtile=r.randint(0, 9), k_offset=r.choice(("none", *K_OFFSETS.values())), channel=r.randint(-1, 1))


def check_unread(r, schedule):
    other = json.loads(json.dumps(schedule))
    for entry, _ in work_of(other):
        relabel(r, entry)
    assert swp("compile", other, "--format", "json") == swp("compile", schedule, "--format", "json"), "labels were kept"
    for op in other["body"]:
        relabel(r, op)
    for command, *words in JUDGES:
        assert swp(command, other, *words) == swp(command, schedule, *words), f"{command} reads labels"


def main():
    r = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    schedule = json.loads(subprocess.check_output([sys.argv[1], "compile", LOOP, "--format", "json"]))
    for entry, kb in work_of(schedule):
        labels = labels_by_hand(schedule, entry, kb)
        assert {key: entry[key] for key in labels} == labels, (entry, labels)
    check_unread(r, schedule)
    waits = [i for i, entry in enumerate(schedule["kernel"]) if entry["name"].startswith("wait")]
    del schedule["kernel"][r.choice(waits)]
    assert not json.loads(swp("verify", schedule, "--format", "json"))["safe"]
    check_unread(r, schedule)


main()
