#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random loops with warp roles, written from the manual alone: each one that the checker accepts gets a schedule, and a safe one.

usage: messy_roles.py SWP [--seed N] [--cases N] [--keep FOLDER] [--only SEED] [--jobs N] [OPTION...]
Schedules whose proof came to no end in time are counted by themselves.
Case k of seed s is loop s + k, whatever came before it; --only draws one again and prints it. Other options go to
`swp compile`. Counted are the loops that the checker accepts; any error for one of these, and any crash, is told.
SWP_FULL=1 without --cases: 5,000 of them.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

# What a description is refused for before anything is searched.
REFUSED = re.compile(r"E01|E032[0-3]|E032[5-9]|E033[0-3]|E0705")
SPARE = int(os.environ.get("SWP_SPARE", "60"))  # seconds of processor time for one loop


class Loop:
    """One iteration, drawn op by op; what is drawn so far says what an op may touch."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.persistent = self.chance(0.35)
        self.cluster = self.pick([2, 2, 4]) if self.chance(0.15) else 1
        self.units = {n: self.pick([1, 1, 1, 2]) for n in self.r.sample(["tma", "tensor", "alu", "sfu"], self.r.randint(0, 4))}
        self.scale = self.pick([4, 30, 200, 200, 800])
        self.values, self.ops = [], []
        self.made = {}       # shared value: (role, clock, completion)
        self.registers = {}  # register value: (role, clock, last maker)
        self.updated = set()
        self.roles = self.draw_roles()
        if self.persistent:
            self.draw_begin()
        self.draw_body()
        if self.persistent:
            self.draw_end()

    def chance(self, p):
        return self.r.random() < p

    def pick(self, of):
        return self.r.choice(of)

    def cycles(self):
        """From nothing to far above what an interval is likely to be."""
        return self.pick([self.r.randint(0, 10), self.r.randint(1, self.scale), self.r.randint(1, 2 * self.scale), self.r.randint(1, 6 * self.scale)])

    def draw_roles(self):
        roles = []
        for i in range(self.pick([1, 1, 1, 2])):
            roles.append({"role": f"copy{i}", "warps": self.pick([1, 1, 1, 4])})
        for i in range(self.pick([1, 1, 2, 3])):
            roles.append({"role": f"math{i}", "warps": self.pick([4, 4, 4, 1, 8]), "instances": self.pick([1, 1, 1, 2, 3])})
        if self.chance(0.3):
            roles.append({"role": "out", "warps": self.pick([1, 1, 4])})
        if self.chance(0.1):
            roles = [self.pick(roles)]
        return roles

    def name(self, stem):
        return f"{stem}{len(self.values)}"

    def slots(self, least=1):
        how = self.r.random()
        if how < 0.35:
            return {"slots": least + self.pick([0, 0, 0, 1, 1, 2, 3])}
        if how < 0.75:
            low = least + self.pick([0, 0, 0, 1])
            return {"slots": [low, low + self.r.randint(0, 3)]}
        return {} if how < 0.85 else {"slots": [1, least + self.pick([0, 1, 3])]}

    def new(self, stem, space, slotted=True):
        value = {"value": self.name(stem), "space": space}
        if space != "global":
            value["bytes"] = self.pick([128, 512, 1024, 4096, 16384]) if space == "shared" else self.pick([128, 512, 1024, 4096])
            if slotted:
                value.update(self.slots())
        self.values.append(value)
        return value["value"]

    def deepen(self, name, before):
        """A read of an earlier version needs a slot more."""
        for value in self.values:
            if value["value"] == name and "slots" in value:
                slots = value["slots"]
                if isinstance(slots, int):
                    value["slots"] = max(slots, before + 1)
                else:
                    value["slots"] = [slots[0], max(slots[1], before + 1)]

    def timing(self, asynchronous):
        latency = self.cycles()
        if asynchronous:
            latency = max(1, latency)
        out = {}
        if self.units and self.chance(0.7):
            out["uses"] = {u: max(1, self.pick([latency, self.cycles()])) for u in self.r.sample(sorted(self.units), self.pick([1, 1, min(2, len(self.units))]))}
        out["latency"] = latency
        if self.chance(0.45):
            out["read_cycles"] = max(1 if asynchronous else 0, self.pick([latency, latency // 2, self.cycles()]))
        if self.chance(0.08):
            out["issue"] = self.r.randint(1, max(1, self.scale))
        return out

    def add(self, stem, role, completion, asynchronous, clock="pass", **touches):
        op = {"op": f"{stem}{len(self.ops)}", "role": role["role"]}
        if clock == "tile":
            op["clock"] = "tile"
        op.update(self.timing(asynchronous))
        op["completion"] = completion
        op.update({k: v for k, v in touches.items() if v})
        self.ops.append(op)

    def copier(self):
        ones = [r for r in self.roles if r["role"].startswith("copy")]
        return self.pick(ones) if ones and self.chance(0.9) else self.pick(self.roles)

    def workers(self):
        return [r for r in self.roles if not r["role"].startswith("copy")] or self.roles

    def shared_reads(self, role, clock, most, asynchronous=False):
        """Shared values that an op may read: of the tile clock from both, of the pass clock from the tile's ops only."""
        del role, asynchronous
        may = [v for v, (_, of, _) in self.made.items() if of == clock or clock == "pass"]
        out = []
        for name in self.r.sample(may, min(len(may), self.r.randint(0, most))):
            before = self.pick([1, 1, 2]) if self.made[name][1] == "pass" and not self.persistent and self.chance(0.15) else 0
            if before:
                self.deepen(name, before)
            out.append({"value": name, "before": before} if before else name)
        return out

    def register_reads(self, role, clock, most):
        mine = [v for v, (owner, of, _) in self.registers.items() if owner == role["role"] and (of == clock or clock == "tile" or of == "tile")]
        out = []
        for name in self.r.sample(mine, min(len(mine), self.r.randint(0, most))):
            before = 1 if self.registers[name][1] == clock == "pass" and self.chance(0.08) else 0
            if before:
                self.deepen(name, before)
            out.append({"value": name, "before": before} if before else name)
        return out

    def copy(self, clock="pass"):
        role = self.copier()
        names = [self.new("S", "shared") for _ in range(self.pick([1, 1, 1, 2, 2, 3]))]
        reads = []
        if self.chance(0.15):
            reads = [self.new("G", "global")]
        multicast = self.cluster > 1 and role.get("instances", 1) == 1 and self.chance(0.5)
        if multicast:
            for value in self.values:
                if value["value"] in names:
                    value["bytes"] = max(value["bytes"], 128 * self.cluster)
        self.add("LOAD", role, self.pick(["mbarrier", "copy_mbarrier"]) if not reads else "copy_mbarrier", True, clock, reads=reads, writes=names, multicast=multicast)
        for name in names:
            self.made[name] = (role["role"], clock, "copy")

    def matrix(self, clock="pass"):
        roles = [r for r in self.workers() if r["warps"] == 4]
        if not roles:
            return
        role = self.pick(roles)
        reads = self.shared_reads(role, clock, 2) + self.register_reads(role, clock, 1)
        if not reads:
            return
        held = [x["value"] if isinstance(x, dict) else x for x in reads]
        mine = [v for v, (owner, of, by) in self.registers.items() if owner == role["role"] and of == clock and by == "matrix" and v not in held and v in self.updated]
        writes, updates = [], []
        if mine and self.chance(0.4):
            updates = [self.pick(mine)]
        elif self.chance(0.5):
            name = self.new("C", "registers", slotted=False)
            self.updated.add(name)
            updates = [name]
            self.registers[name] = (role["role"], clock, "matrix")
        else:
            name = self.new("D", "registers")
            writes = [name]
            self.registers[name] = (role["role"], clock, "matrix")
        self.add("MMA", role, "matrix_group", True, clock, reads=reads, writes=writes, updates=updates)

    def plain(self, clock="pass"):
        role = self.pick(self.workers() if self.chance(0.9) else self.roles)
        reads = self.shared_reads(role, clock, 2) + self.register_reads(role, clock, 2)
        held = [x["value"] if isinstance(x, dict) else x for x in reads]
        writes, updates = [], []
        for _ in range(self.pick([1, 1, 1, 2])):
            what = self.r.random()
            mine = [v for v, (owner, of, _) in self.registers.items() if owner == role["role"] and of == clock and v not in held + updates + writes]
            places = [v for v, (owner, of, how) in self.made.items() if owner == role["role"] and of == clock and how == "plain" and v not in held + updates + writes]
            if what < 0.35:
                name = self.new("R", "registers")
                writes.append(name)
                self.registers[name] = (role["role"], clock, "plain")
            elif what < 0.6:
                name = self.new("T", "shared")
                writes.append(name)
                self.made[name] = (role["role"], clock, "plain")
            elif what < 0.75:
                name = self.new("A", "registers", slotted=self.chance(0.1))
                updates.append(name)
                self.registers[name] = (role["role"], clock, "plain")
            elif what < 0.9 and mine:
                updates.append(self.pick(mine))
            elif places:
                updates.append(self.pick(places))
        if not reads and not writes and not updates:
            return
        self.add("DO", role, "none", False, clock, reads=reads, writes=writes, updates=updates)

    def store(self, clock="pass"):
        may = [v for v, (_, of, _) in self.made.items() if of == clock]
        if not may:
            return
        own = [v for v in may if self.made[v][2] == "plain"]
        source = self.pick(own if own and self.chance(0.7) else may)
        others = [r for r in self.roles if r["role"] == "out"]
        makers = [r for r in self.roles if r["role"] == self.made[source][0]]
        role = self.pick(others if others and self.chance(0.6) else makers)
        self.add("PUT", role, self.pick(["group", "store_group"]), True, clock, reads=[source], writes=[self.new("OUT", "global")])

    def draw_begin(self):
        for _ in range(self.pick([0, 0, 1, 2])):
            self.copy("tile")
        self.clears = self.chance(0.75)
        self.begin = len(self.ops)

    def draw_body(self):
        for _ in range(self.pick([1, 1, 2, 3])):
            self.copy()
        for _ in range(self.r.randint(1, 7)):
            self.pick([self.copy, self.matrix, self.matrix, self.matrix, self.plain, self.plain, self.plain, self.store])()
        if self.chance(0.1):  # an input
            name = self.new("IN", "shared")
            for op in self.ops:
                if op.get("clock") != "tile" and op["completion"] in ("none", "matrix_group") and self.chance(0.4):
                    op.setdefault("reads", []).append(name)
        for op in self.ops[getattr(self, "begin", 0):]:
            if len(self.roles) > 1 and op["completion"] == "copy_mbarrier" and self.chance(0.04):
                op["role"] = "any"

    def draw_end(self):
        """Clears in front, results out behind; sometimes a result that nobody cleared."""
        sums = [v for v, (_, of, _) in self.registers.items() if of == "pass"]
        clears = []
        for name in sums:
            role = next(r for r in self.roles if r["role"] == self.registers[name][0])
            if self.clears and self.chance(0.85):
                first = next(o for o in self.ops if name in o.get("writes", []) + o.get("updates", []))
                if name in first.get("updates", []) or self.chance(0.7):
                    clears.append({"op": f"CLEAR_{name}", "role": role["role"], "clock": "tile", "latency": self.r.randint(1, 8), "completion": "none", "writes": [name]})
        self.ops[0:0] = clears
        for _ in range(self.pick([0, 1, 1, 2])):
            mine = [v for v in sums if self.chance(0.5)]
            if not mine:
                continue
            role = next(r for r in self.roles if r["role"] == self.registers[mine[0]][0])
            mine = [v for v in mine if self.registers[v][0] == role["role"]]
            writes = [self.new("E", "shared") for _ in range(self.pick([0, 1, 1, 2]))]
            self.add("END", role, "none", False, "tile", reads=mine, writes=writes)
            for name in writes:
                self.made[name] = (role["role"], "tile", "plain")
            if writes and self.chance(0.8):
                self.store("tile")

    def described(self):
        loop = {"roles": self.roles}
        if self.persistent:
            loop["output_tiles"] = True
        if self.cluster > 1:
            loop["cluster"] = self.cluster
        signal = self.pick([0, 20, 20, 100])
        if signal:
            loop["signal"] = signal
        if self.chance(0.15):
            loop["objectives"] = self.r.sample(["shared", "registers", "stages"], self.r.randint(1, 3))
        loop["units"] = self.units
        loop["values"] = self.values
        loop["ops"] = self.ops
        return {"swp": 1, "name": "messy", "target": "sm_90", "loop": loop}


def draw(seed):
    loop = Loop(seed)
    return loop.described() if loop.ops else None


def text(description):
    """YAML: its lists one element a line."""
    loop = description["loop"]
    lines = [f"{k}: {json.dumps(v)}" for k, v in description.items() if k != "loop"] + ["loop:"]
    for key, value in loop.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"  {key}:")
            lines += [f"    - {json.dumps(v)}" for v in value]
        else:
            lines.append(f"  {key}: {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def told(stderr):
    """The first error of a run: its code and its message."""
    found = re.search(r"error\[(E\d+)\]: (.*)", stderr)
    return (found.group(1), found.group(2)) if found else ("", stderr.strip().splitlines()[-1] if stderr.strip() else "")


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SPARE, SPARE + 5))


def compile_one(swp, draw, seed, options, folder):
    description = draw(seed)
    if description is None:
        return seed, "refused", ""
    path = pathlib.Path(folder, f"{seed}.yaml")
    path.write_text(text(description))
    done = subprocess.run([swp, "compile", str(path), "-o", "/dev/null", *options], capture_output=True, text=True, preexec_fn=limit_time)
    if done.returncode == -signal.SIGXCPU:
        return seed, "timeout", ""
    code, message = told(done.stderr)
    if done.returncode in (0, 3) and not code:
        path.unlink()
        return seed, "unproven" if "W0703" in done.stderr else "done", ""
    if done.returncode in (1, 2) and code:
        if REFUSED.match(code):
            path.unlink()
            return seed, "refused", f"{code} {message}"
        return seed, code, message
    return seed, f"status {done.returncode}", message


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("swp")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SWP_SEED", "1")))
    parser.add_argument("--cases", type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--refusals", action="store_true")
    return parser.parse_known_args()


def main(draw):
    args, options = arguments()
    if args.only is not None:
        sys.stdout.write(text(draw(args.only)))
        return 0
    cases = args.cases or int(os.environ.get("SWP_CASES", "5000" if os.environ.get("SWP_FULL") else "60"))
    found, refusals, accepted, next_seed = collections.Counter(), collections.Counter(), 0, args.seed
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        folder = args.keep or temporary
        os.makedirs(folder, exist_ok=True)
        while accepted < cases:
            batch = range(next_seed, next_seed + max(args.jobs, cases - accepted))
            next_seed = batch.stop
            for seed, what, message in pool.map(lambda s: compile_one(args.swp, draw, s, options, folder), batch):
                if what == "refused":
                    refusals[re.sub(r"\"[^\"]*\"|\d+|'[^']*'", "_", message)] += 1
                    continue
                accepted += 1
                found[what] += 1
                if what != "done":
                    print(f"loop {seed}: {what} {message}", flush=True)
    print(f"seeds {args.seed} to {next_seed - 1}: {accepted} loops accepted, {sum(refusals.values())} refused; " + ", ".join(f"{n} {w}" for w, n in found.most_common()))
    if args.refusals:
        for message, count in refusals.most_common():
            print(f"{count:5} {message}")
    return 0 if found["done"] + found["unproven"] == accepted else 1


if __name__ == "__main__":
    sys.exit(main(draw))
