#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The default answers of random loops beside the best of other settings, in cycles of an iteration with its waits.

    SWP=path/to/swp bench/default_answers.py [--count N] [--seed S] [--settings N] [--kinds roles,plain] [--beside SWP] [--jobs N]
        [--records FILE]
    bench/default_answers.py --sum FILE...

Each loop is compiled by default, then with settings tried at random: an order of objectives, fixed slots of its values, a limit
of work, or several of these. Of loops with at most three values in several slots all numbers of slots up to four are tried.
Prints each loop whose default is not the best, with the settings of the best, then the geometric mean and the largest of these
ratios. `--beside` compiles the defaults with another build, too, and prints the ratios to it, and medians of cycles, bytes,
iterations of a pass and seconds. `--jobs` loops are tried at once. `--records` appends a line of JSON for each loop, so that
runs of other seeds or kinds can be summed up by `--sum`. `--write FOLDER` only writes the loops.
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SWP = os.environ.get("SWP", str(HERE.parent / "build" / "release" / "swp"))
MOST_SLOTS = 4
OBJECTIVES = list(itertools.permutations(("shared", "registers", "stages")))
LIMITS = ("1000", "10000", "100000", "1s")


def value(name, space, size, slots=None):
    return {"value": name, "space": space, "bytes": size, **({} if slots is None else {"slots": slots})}


def roles_loop(r):
    """Copies, matrix ops or ordinary ones, sums, what is staged and stored; one to three copies and one or two instances."""
    instances = r.choice((1, 1, 2))
    roles = [{"role": "producer", "warps": 1}, {"role": "consumer", "warps": 4, "instances": instances}]
    units = {"memory": 1, "matrix": 1, "alu": 1}
    values, ops, inputs = [], [], []
    for i in range(r.randint(1, 3)):
        cycles = r.choice((64, 128, 256, 300, 512))
        made = [f"T{i}"] + ([f"U{i}"] if r.random() < 0.3 else [])
        values += [value(name, "shared", r.choice((2048, 8192, 16384)), [1, r.randint(2, MOST_SLOTS)]) for name in made]
        ops.append({"op": f"LOAD{i}", "role": "producer", "uses": {"memory": cycles}, "latency": cycles + r.choice((200, 500, 700)),
                    "completion": "copy_mbarrier", "writes": made})
        inputs += made
    left = list(inputs)
    registers, is_read = [], set()
    for i in range(r.randint(1, 3)):
        cycles = r.choice((64, 100, 128, 256, 400))
        reads = [left.pop(0)] if left else []
        reads += r.sample(inputs, 1) if r.random() < 0.4 else []
        is_matrix = r.random() < 0.5
        reads += registers[-1:] if registers and (not reads or r.random() < 0.7) else []
        op = {"op": f"DO{i}", "role": "consumer", "reads": sorted(set(reads)), "read_cycles": cycles}
        is_read |= set(reads)
        if is_matrix:
            op |= {"uses": {"matrix": cycles}, "latency": cycles + r.choice((32, 100)), "completion": "matrix_group"}
        else:
            op |= {"uses": {"alu": cycles}, "latency": cycles + r.choice((4, 40)), "completion": "none"}
            op |= {"issue": cycles} if r.random() < 0.6 else {}
        if r.random() < 0.4:
            values.append(value(f"S{i}", "registers", 16384))
            op["updates"] = [f"S{i}"]
        else:
            values.append(value(f"R{i}", "registers", 16384, r.choice((1, [1, 2]))))
            op["writes"] = [f"R{i}"]
            registers.append(f"R{i}")
        ops.append(op)
    last = [name for name in left + registers if name not in is_read]
    cycles = r.choice((32, 64, 200))
    finish = {"op": "FINISH", "role": "consumer", "uses": {"alu": cycles}, "latency": cycles + 20, "read_cycles": cycles,
              "completion": "none", "reads": last or inputs[:1]}
    if r.random() < 0.5:
        store = r.choice((32, 128, 256))
        values += [value("Y", "shared", r.choice((4096, 16384)), [1, r.randint(1, 3)]), value("OUT", "global", 0)]
        role = r.choice(("consumer", "writer"))
        if role == "writer":
            roles.append({"role": "writer", "warps": 1})
        ops += [finish | {"writes": ["Y"]},
                {"op": "STORE", "role": role, "uses": {"memory": store}, "latency": store + r.choice((300, 600)),
                 "read_cycles": store, "completion": "store_group", "reads": ["Y"], "writes": ["OUT"]}]
    else:
        values.append(value("SUM", "registers", 4096))
        ops.append(finish | {"updates": ["SUM"]})
    return {"roles": roles, "signal": r.choice((0, 20)), "units": units, "values": values, "ops": ops}, "sm_90"


def plain_loop(r):
    """Loads to shared memory, of fragments from it, and sums of these, counted by the counters of MI355X."""
    units = {"matrix": 1, "lds": 1} | ({"alu": 1} if r.random() < 0.5 else {})
    values, ops, fragments = [], [], []
    for i in range(r.randint(1, 3)):
        values += [value(f"T{i}", "shared", r.choice((4096, 16384)), [1, r.randint(1, MOST_SLOTS)]),
                   value(f"f{i}", "registers", 8192, r.choice((1, [1, 2])))]
        cycles = r.choice((10, 20, 32))
        ops.append({"op": f"LOAD{i}", "latency": r.choice((200, 400, 700)), "completion": "vmcnt", "accesses": r.randint(1, 4),
                    "writes": [f"T{i}"]})
        ops.append({"op": f"FRAG{i}", "uses": {"lds": cycles}, "latency": cycles + r.choice((20, 64)), "completion": "lgkmcnt",
                    "accesses": r.randint(1, 8), "reads": [f"T{i}"], "writes": [f"f{i}"]})
        fragments.append(f"f{i}")
    ops.sort(key=lambda op: op["op"].startswith("FRAG"))
    for i in range(r.randint(1, 4)):
        cycles = r.choice((16, 32, 64, 128))
        unit = r.choice(sorted(set(units) - {"lds"}))
        values.append(value(f"c{i}", "registers", 4096))
        ops.append({"op": f"DO{i}", "uses": {unit: cycles}, "latency": cycles + r.choice((0, 8)),
                    "reads": r.sample(fragments, r.randint(1, len(fragments))), "updates": [f"c{i}"]})
    return {"units": units, "values": values, "ops": ops}, "mi355x"


KINDS = {"roles": roles_loop, "plain": plain_loop}


def text_of(name, loop, target):
    return "".join(f"{key}: {json.dumps(what)}\n" for key, what in
                   {"swp": 1, "name": name, "target": target, "loop": loop}.items())


def compiled(swp, name, loop, target, limit=()):
    """Cycles of an iteration, bytes, iterations of a pass and seconds; or the code of the error."""
    began = time.monotonic()
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text_of(name, loop, target))
        file.flush()
        done = subprocess.run([swp, "compile", file.name, "--format", "json", *limit], capture_output=True, text=True, check=False,
                              env=os.environ | {"SWP_NO_CACHE": "1"})
    seconds = time.monotonic() - began
    if done.returncode not in (0, 3) or not done.stdout:
        return (done.stderr.split("error[") + ["?"])[1][:5]
    found = json.loads(done.stdout)
    a_pass = found["loop"]["tiles_per_pass"]
    sync = found["sync"]
    if not sync["passes"]:
        return "no steady state"
    size = sum(v["bytes"] for v in found["pipeline"]["values"])
    return {"cycles": sync["cycles"] / sync["passes"] / a_pass, "bytes": size, "pass": a_pass, "seconds": seconds,
            "slots": {v["value"] if "value" in v else v["name"]: v["slots"] for v in found["pipeline"]["values"]},
            "stages": found["pipeline"]["objectives"][2]["value"], "interval": found["pipeline"]["interval"]}


def with_slots(loop, slots):
    return loop | {"values": [v | ({"slots": slots[v["value"]]} if v["value"] in slots else {}) for v in loop["values"]]}


def settings_of(r, loop, count):
    """(words, loop, limit) of each setting."""
    free = {v["value"]: v["slots"] for v in loop["values"] if isinstance(v.get("slots"), list) and v["slots"][0] < v["slots"][1]}
    for _ in range(count):
        other, limit, words = loop, (), []
        while not words:
            if free and r.random() < 0.7:
                slots = {name: r.randint(*span) for name, span in free.items() if r.random() < 0.7}
                other, words = with_slots(other, slots), words + [f"slots {slots}"] * bool(slots)
            if r.random() < 0.5:
                objectives = r.choice(OBJECTIVES)
                other, words = other | {"objectives": objectives}, words + [", ".join(objectives)]
            if r.random() < 0.3:
                limit = ("--work-limit", r.choice(LIMITS))
                words.append(f"limit {limit[1]}")
        yield "; ".join(words), other, limit
    if 0 < len(free) <= 3:
        for numbers in itertools.product(*(range(low, high + 1) for low, high in free.values())):
            slots = dict(zip(free, numbers))
            yield f"slots {slots}", with_slots(loop, slots), ()


def geometric(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else float("nan")


FIGURES = ("cycles", "bytes", "pass", "seconds")


def compare(kind, seed, arguments):
    """What one loop comes to: its default, the best of all settings, and the default of another build, if there is one."""
    r = random.Random(f"{kind} {seed}")
    loop, target = KINDS[kind](r)
    name = f"{kind}{seed}"
    default = compiled(SWP, name, loop, target)
    other = compiled(arguments.beside, name, loop, target) if arguments.beside else None
    best, words, tried = default, "default", 0
    for setting, changed, limit in settings_of(r, loop, arguments.settings):
        found = compiled(SWP, name, changed, target, limit)
        tried += 1
        if isinstance(found, dict) and (isinstance(best, str) or found["cycles"] < best["cycles"]):
            best, words = found, setting
    return {"kind": kind, "name": name, "default": default, "other": other, "best": best, "words": words, "tried": tried}


def is_error(record):
    return isinstance(record["default"], str)


def ratio_of(record):
    return record["default"]["cycles"] / record["best"]["cycles"]


def tell(record):
    """A line of a loop whose default is not the best, or fails."""
    default, best = record["default"], record["best"]
    if is_error(record):
        print(f"{record['name']}: {default}, best {best}: {record['words']}", flush=True)
    elif ratio_of(record) > 1 + 1e-9:
        print(f"{record['name']}: {ratio_of(record):.4f}: default {default['cycles']:g} of {default['interval']}, {default['slots']}, "
              f"{default['stages']} stages, {default['seconds']:.2f} s; {best['cycles']:g} of {best['interval']} with "
              f"{record['words']}: {best['slots']}, {best['stages']} stages", flush=True)


def sum_up(kind, records):
    ratios = [ratio_of(one) for one in records if not is_error(one)]
    print(f"{kind}: {len(ratios)} loops with {sum(one['tried'] for one in records)} settings, {len(records) - len(ratios)} errors: "
          f"default beside the best: geometric mean {geometric(ratios):.5f}, largest {max(ratios, default=1):.4f}, "
          f"above 1.03: {sum(x > 1.03 for x in ratios)}")
    both = [one for one in records if isinstance(one["default"], dict) and isinstance(one["other"], dict)]
    if any(isinstance(one["other"], str) for one in records):
        print(f"  {sum(isinstance(one['other'], str) for one in records)} errors of the other build")
    for what in FIGURES if both else ():
        pairs = [(one["default"][what], one["other"][what]) for one in both]
        own, others = (statistics.median(side) for side in zip(*pairs))
        print(f"  {what}: geometric mean beside the other build {geometric([(a + 1e-9) / (b + 1e-9) for a, b in pairs]):.4f}; "
              f"medians {own:g} and {others:g}, {own / others:.3f} of it" if others else "")


def write_loops(kind, seeds, folder):
    for seed in seeds:
        loop, target = KINDS[kind](random.Random(f"{kind} {seed}"))
        (folder / f"{kind}{seed}.yaml").write_text(text_of(f"{kind}{seed}", loop, target))


def run(arguments):
    """Yields what each loop comes to, in the order of seeds."""
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        of_all = [pool.submit(compare, kind, seed, arguments) for kind in arguments.kinds.split(",") for seed in seeds]
        for future in of_all:
            record = future.result()
            if arguments.records:
                with arguments.records.open("a") as file:
                    file.write(json.dumps(record) + "\n")
            tell(record)
            yield record


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settings", type=int, default=20)
    parser.add_argument("--kinds", default="roles,plain")
    parser.add_argument("--beside")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--records", type=Path)
    parser.add_argument("--sum", type=Path, nargs="+")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    if arguments.write:
        for kind in arguments.kinds.split(","):
            write_loops(kind, range(arguments.seed, arguments.seed + arguments.count), arguments.write)
        return 0
    if arguments.sum:
        records = [json.loads(line) for file in arguments.sum for line in file.read_text().splitlines()]
        for record in records:
            tell(record)
    else:
        records = list(run(arguments))
    for kind in dict.fromkeys(one["kind"] for one in records):
        sum_up(kind, [one for one in records if one["kind"] == kind])
    return 0


if __name__ == "__main__":
    sys.exit(main())
