#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random loops with warp roles in the shape of kernels, written from the manual alone: roles that hand tiles on from one to the next.

usage: role_chains.py SWP [--seed N] [--cases N] [--keep FOLDER] [--only SEED] [--jobs N] [OPTION...]
Each loop that the checker accepts gets a schedule, as of messy_roles.py, whose options these are. Producers copy streams of
tiles; each stage multiplies, works on its registers and hands a tile on to the next one; some stages store. Most loops make output tiles, with
a tile that stays for all passes, sums that are cleared before them, and results that are staged and stored behind.
"""
import random
import sys

import messy_roles


class Chain:
    def __init__(self, seed):
        self.r = random.Random(f"chain {seed}")
        self.tiles = self.r.random() < 0.6
        self.cluster = 2 if self.r.random() < 0.1 else 1
        self.roles, self.values, self.ops, self.ends, self.starts = [], [], [], [], []
        self.count = 0
        self.work = self.r.choice([16, 128, 512])
        self.units = {"tma": 1, "tensor": 1, "alu": self.r.choice([1, 2]), "sfu": 1}
        streams = self.producers()
        staying = self.staying() if self.tiles else []
        handed = []
        for stage in range(self.r.choice([1, 1, 1, 2, 2, 3])):
            handed = self.stage(stage, streams, staying, handed)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def cycles(self, parts=1):
        return max(1, self.r.randint(self.work // 2, 2 * self.work) // parts)

    def slots(self):
        return self.r.choice([1, 2, 2, 3, 4, [1, 2], [1, 3], [2, 4], [1, 4]])

    def shared(self, stem, slots=None):
        name = self.name(stem)
        self.values.append({"value": name, "space": "shared", "bytes": self.r.choice([1024, 4096, 8192]), "slots": slots or self.slots()})
        return name

    def registers(self, stem, **more):
        name = self.name(stem)
        self.values.append({"value": name, "space": "registers", "bytes": self.r.choice([512, 2048, 8192]), **more})
        return name

    def copy(self, role, names, **more):
        busy = self.cycles()
        op = {"op": self.name("LOAD_"), "role": role, "uses": {"tma": busy}, "latency": busy + self.cycles(), "completion": "mbarrier", "writes": names}
        return {**op, **more}

    def producers(self):
        streams = []
        for _ in range(self.r.choice([1, 1, 1, 2])):
            role = self.name("producer")
            self.roles.append({"role": role, "warps": self.r.choice([1, 1, 4])})
            for _ in range(self.r.choice([1, 1, 2, 3])):
                names = [self.shared("A") for _ in range(self.r.choice([1, 1, 2]))]
                more = {"multicast": True} if self.cluster > 1 and self.r.random() < 0.5 else {}
                self.ops.append(self.copy(role, names, **more))
                streams += names
        return streams

    def staying(self):
        """Tiles that are copied once for all passes of an output tile."""
        names = []
        for _ in range(self.r.choice([0, 1, 1, 2])):
            names.append(self.shared("Q", self.r.choice([1, 1, 2, [1, 2], 3])))
            self.starts.append(self.copy(self.roles[0]["role"], [names[-1]], clock="tile"))
        return names

    def multiply(self, role, reads, accumulates):
        busy = self.cycles()
        op = {"op": self.name("MMA_"), "role": role, "uses": {"tensor": busy}, "latency": busy + self.r.choice([0, 20, busy]), "read_cycles": busy, "completion": "group", "reads": reads}
        result = self.registers("C") if accumulates else self.registers("S", slots=self.r.choice([1, 1, 2]))
        op["updates" if accumulates else "writes"] = [result]
        self.ops.append(op)
        return result

    def compute(self, role, **touches):
        busy = self.cycles(2)
        self.ops.append({"op": self.name("DO_"), "role": role, "uses": {self.r.choice(["alu", "sfu"]): busy}, "latency": busy, "completion": "none", **touches})

    def store(self, role, tile, clock="pass"):
        busy = self.cycles()
        name = self.name("OUT")
        self.values.append({"value": name, "space": "global"})
        op = {"op": self.name("STORE_"), "role": role, "uses": {"tma": busy}, "latency": busy + self.work, "completion": "group", "reads": [tile], "writes": [name]}
        (self.ends if clock == "tile" else self.ops).append({**op, "clock": clock} if clock == "tile" else op)

    def stage(self, number, streams, staying, handed):
        role = f"stage{number}"
        is_group = self.r.random() < 0.75
        self.roles.append({"role": role, "warps": 4 if is_group else self.r.choice([1, 2, 4]), "instances": self.r.choice([1, 1, 2])})
        reads = self.r.sample(streams, self.r.randint(0 if handed else 1, min(2, len(streams)))) + handed
        reads += [name for name in staying if self.r.random() < 0.6]
        made, sums = [], []
        if is_group:
            for _ in range(self.r.choice([1, 1, 2])):
                accumulates = self.r.random() < 0.6
                result = self.multiply(role, self.r.sample(reads, min(len(reads), self.r.randint(1, 2))), accumulates)
                (sums if accumulates else made).append(result)
        unread = [name for name in reads if not any(name in op.get("reads", []) for op in self.ops if op["role"] == role)]
        if unread or made:
            result = self.registers("P", slots=1)
            self.compute(role, reads=unread + made, writes=[result])
            made = [result]
        if self.r.random() < 0.4:
            sums.append(self.registers("sum"))
            self.compute(role, reads=made, updates=[sums[-1]])
        out = []
        if made and self.r.random() < 0.7:
            out = [self.shared("T")]
            self.compute(role, reads=made, writes=out)
            if self.r.random() < 0.4:
                self.store(role, out[0])
        if self.tiles:
            self.finish(role, sums)
        return out

    def finish(self, role, sums):
        """Sums are cleared in front of the passes of a tile, and stored behind them."""
        for name in sums:
            self.starts.insert(0, {"op": self.name("CLEAR_"), "role": role, "clock": "tile", "latency": self.r.randint(1, 8), "completion": "none", "writes": [name]})
        if not sums or self.r.random() < 0.3:
            return
        staged = self.shared("E", self.r.choice([1, 1, 2]))
        self.ends.append({"op": self.name("END_"), "role": role, "clock": "tile", "uses": {"alu": self.cycles()}, "latency": 2 * self.work, "completion": "none", "reads": sums, "writes": [staged]})
        self.store(role, staged, "tile")

    def described(self):
        loop = {"roles": self.roles, "units": self.units, "values": self.values, "ops": self.starts + self.ops + self.ends}
        if self.r.random() < 0.7:
            loop["signal"] = self.r.choice([10, 20, 60])
        if self.cluster > 1:
            loop["cluster"] = self.cluster
        if self.tiles:
            loop["output_tiles"] = True
        return {"swp": 1, "name": "chain", "target": "sm_90", "loop": loop}


def draw(seed):
    return Chain(seed).described()


text = messy_roles.text

if __name__ == "__main__":
    sys.exit(messy_roles.main(draw))
