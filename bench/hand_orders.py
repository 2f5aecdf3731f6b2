#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The orders of published kernels beside those that `swp compile` finds, of the same loops on the same model.

    SWP=path/to/swp bench/hand_orders.py [NAME...] [--limit OPTION...]

bench/hand_orders/ has the loops, each naming its kernel, and orders.py what that kernel issues in one turn of its loop. Prints of
each the bound, the cycles an iteration of both without synchronisation, and with it. Without it the published order is measured by
in_order.py. With it both have the waits and barriers that `swp` derives, and `swp simulate` counts; the published order first is
proven safe with them. The exit status is 1 if ours takes more cycles anywhere. What follows `--limit` goes to `swp compile`.
"""

import argparse
import fnmatch
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "hand_orders")
SWP = os.environ.get("SWP", os.path.join(HERE, "..", "build", "release", "swp"))
SYNCHRONISE = os.path.join(os.path.dirname(SWP), "bench", "hand_orders", "synchronise")
sys.path.insert(0, FOLDER)

import in_order  # pylint: disable=wrong-import-position
import orders    # pylint: disable=wrong-import-position

def call(*arguments, text=None, good=(0, 3)):
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)
    if done.returncode not in good:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}{done.stdout}")
    return done.stdout


def slots_of(kernel, dataflow):
    def of(value):
        return next((n for pattern, n in kernel.slots.items() if fnmatch.fnmatchcase(value, pattern)), 1)
    return {v["value"]: of(v["value"]) for v in dataflow["values"]}


def entries(order, tags, turns, iterations):
    """The order for some turns, without what is outside the iterations."""
    return [{"tag": tags[name], "name": name, "iteration": turn + ahead, "wait": 0, "subtile": 0, "role": "none"}
            for turn in turns for name, ahead in order if turn + ahead in iterations]


def access(op, spaces):
    makes = any(spaces[v] == "shared" for v in op["writes"] + [in_order.update_of(u)[0] for u in op["updates"]])
    return makes, any(spaces[r["value"]] == "shared" for r in op["reads"])


def with_barriers(dataflow, kernel):
    """One before each run of ops that write shared memory, or that read it: as many as may be derived."""
    spaces = {v["value"]: v["space"] for v in dataflow["values"]}
    ops = {op["op"]: op for op in dataflow["ops"]}
    barrier = {"tag": 128, "name": "barrier", "iteration": 0, "wait": 0, "subtile": 0, "role": "sync"}
    before, out = (False, False), []
    for entry in kernel:
        now = access(ops[entry["name"]], spaces)
        out += [barrier] * (any(now) and now != before)
        out.append(entry)
        before = now
    return out


def schedule_of(schedule, slots, order):
    """The schedule's JSON with another order, for any number of iterations, without waits."""
    tags = {op["name"]: op["tag"] for op in schedule["body"]}
    ahead = max(a for _, a in order)
    made = {v for op in schedule["dataflow"]["ops"] for v in op["writes"] + [in_order.update_of(u)[0] for u in op["updates"]]}
    unroll = math.lcm(*(slots[v] for v in made))
    dataflow = schedule["dataflow"] | {"values": [v | {"slots": slots[v["value"]]} for v in schedule["dataflow"]["values"]]}

    def epilogue(left):
        return entries(order, tags, range(left + ahead), range(left + ahead))

    out = {key: schedule[key] for key in ("swp", "name", "target", "config", "schedule", "machine", "body", "edges", "order")}
    out["dataflow"] = dataflow
    out["loop"] = schedule["loop"] | {"tiles_per_pass": unroll, "min_tiles": ahead}
    out["prologue"] = entries(order, tags, range(-ahead, 0), range(ahead + unroll))
    out["kernel"] = with_barriers(dataflow, entries(order, tags, range(unroll), range(ahead + unroll)))
    out["epilogue"] = epilogue(0)
    out["epilogues"] = [epilogue(left) for left in range(1, unroll)]
    out["straight"] = [entries(order, tags, range(-ahead, n), range(n)) for n in range(ahead)]
    return out


def cycles(file):
    simulated = json.loads(call(SWP, "simulate", file, "--format", "json"))
    with open(file, encoding="utf-8") as text:
        return simulated["cycles_per_pass"] / json.load(text)["loop"]["tiles_per_pass"]


def write(file, text):
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def measure(kernel, limit, folder):
    name, order = kernel.__name__, list(kernel())
    ours, theirs = (os.path.join(folder, f"{name}.{whose}.json") for whose in ("ours", "theirs"))
    call(SWP, "compile", os.path.join(FOLDER, name + ".yaml"), "--format", "json", "-o", ours, *limit)
    with open(ours, encoding="utf-8") as file:
        schedule = json.load(file)
    if sorted(op for op, _ in order) != sorted(op["op"] for op in schedule["dataflow"]["ops"]):
        raise ValueError(f"{name}: the order has other ops than the loop")
    slots = slots_of(kernel, schedule["dataflow"])
    write(theirs, call(SYNCHRONISE, text=json.dumps(schedule_of(schedule, slots, order))))
    call(SWP, "verify", theirs, good=(0,))
    return {"bound": schedule["pipeline"]["bound"], "interval": schedule["pipeline"]["interval"], "cycles": cycles(ours),
            "their_interval": in_order.interval(schedule["dataflow"], slots, order), "their_cycles": cycles(theirs)}


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--limit", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args()
    print(f"{'':18} {'':>6}  {'without synchronisation':^25}  {'with it':^25}")
    print(f"{'loop':18} {'bound':>6}  {'theirs':>9}{'ours':>9}{'ratio':>7}  {'theirs':>9}{'ours':>9}{'ratio':>7}", flush=True)
    ratios = [], []
    with tempfile.TemporaryDirectory() as folder:
        for kernel in orders.ALL:
            if options.names and kernel.__name__ not in options.names:
                continue
            m = measure(kernel, options.limit, folder)
            if m["their_interval"] < m["bound"]:
                raise ValueError(f"{kernel.__name__}: an order below the bound")
            pairs = [(m["their_interval"], m["interval"]), (m["their_cycles"], m["cycles"])]
            line = f"{kernel.__name__:18} {m['bound']:6}"
            for (theirs, ours), list_of in zip(pairs, ratios):
                list_of.append(ours / theirs)
                line += f"  {theirs:9.1f}{ours:9.1f}{ours / theirs:7.3f}"
            print(line + "  ABOVE THEIRS" * any(ours > theirs for theirs, ours in pairs), flush=True)
    print(f"{len(ratios[0])} loops: ours is {mean(ratios[0]):.3f} of theirs without synchronisation, {mean(ratios[1]):.3f} with it")
    return int(max(ratios[0] + ratios[1]) > 1)


if __name__ == "__main__":
    sys.exit(main())
